"""Models as plain arrays, written by calmip itself.

* the placement model;
* the packing model: cover as many cells as possible, none and no piece more than once;
* the cell-assignment model: which piece lies on a cell, and which placement makes it so.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path

from calmip.formats.model_files import write_model
from calmip.models.base import Formulation
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Item

__all__ = ["CellsModel", "MatrixModel", "assignment_names"]


class MatrixModel(Formulation):
    """The placement model as a `BinaryModel`; see `calmip.models.Formulation`.

    Unlike the other formulations it has no objective, the portable files can
    do without, unless the cover is a packing: then it covers the most cells.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : BinaryModel
        The arrays.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.native = BinaryModel.from_cover(cover)
        if cover.packs:
            self.native = _packing(cover, self.native)
        self._cuts = 0

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers of columns, rows and nonzeros, cuts included."""
        return len(self.native.columns), len(self.native.rows), self.native.nonzeros

    @staticmethod
    def objective(cover: ExactCover) -> float:
        """Return 0, as there is no objective, or minus the number of cells to cover."""
        return -float(len(cover.instance.to_cover)) if cover.packs else 0.0

    def forbid(self, options: Iterable[int], *, most: int) -> None:
        """Add a no-good cut: at most ``most`` of these options together."""
        self._cuts += 1
        self.native = self.native.with_row(f"n{self._cuts}", options, float("-inf"), most)

    def write(self, path: Path) -> None:
        """Write a portable MPS or LP file, by suffix."""
        write_model(path, self.native)


def _packing(cover: ExactCover, model: BinaryModel) -> BinaryModel:
    """Return the placement model with ``<=`` for cells and pieces, and the most cells covered.

    As a file it minimises minus that number. The board can be tiled if and only if all
    cells can be covered; otherwise the optimum says how near one can come. A free reveal
    group still shows exactly one label, whose cells count as covered.

    Where labels differ in size, one more row keeps the uncovered area right:
    else a larger label could take the place of a piece.
    """
    lower = [item.demand if item.kind == "group" else -math.inf for item in cover.items]
    # Every option covers cells and, as its last item, a piece or a group.
    covered = [len(items) - 1 for items in cover.covered]
    cost = array("d", [-float(number) for number in covered] or [0.0])
    model = model.changed(lower=array("d", lower), cost=cost)
    # A piece that lies on the board already stays there.
    lying = {placed.cells for placed in cover.instance.placed}
    for option in range(cover.placements):
        if lying and cover.option(option).cells in lying:
            model = model.with_row(f"f_{option}", [option], 1, 1)
    reveals = range(cover.placements, cover.columns)
    if len({covered[option] for option in reveals}) > 1:
        area = len(cover.instance.to_cover) - cover.instance.puzzle.area
        model = model.with_row("a_area", reveals, area, area)
        model.value[-len(reveals) :] = [float(covered[option]) for option in reveals]
    return model


class CellsModel(MatrixModel):
    """Assign cells to pieces; see `calmip.models.Formulation`.

    A binary column for every cell and piece says that the piece lies there; the
    columns of the placement model say how. The rows:

    * every cell belongs to one piece, or is uncovered by a free group's label;
    * every piece has its number of cells, and of placements;
    * the placements of a piece on a cell are at most its assignment there.

    Summed over the cells of a piece the last rows are equations, so the linear
    relaxation is as strong as that of the placement model, and no stronger.

    Parameters
    ----------
    cover
        The exact cover to express.

    Attributes
    ----------
    native : BinaryModel
        The arrays.
    """

    def __init__(self, cover: ExactCover) -> None:
        super().__init__(cover)
        self._assigned = tuple(assignment_names(cover))
        self.native = _model(cover, self._assigned)

    @property
    def auxiliary(self) -> frozenset[str]:
        """The assignments of cells to pieces."""
        return frozenset(self._assigned)


def assignment_names(cover: ExactCover) -> Iterator[str]:
    """Yield the names of the assignments, piece by piece, cells in row-major order.

    ``yU30`` says that piece U lies on row 3, column 0. Names of options and
    items carry an underscore, so none is the same.
    """
    cells, pieces, _ = _parts(cover)
    for piece in pieces:
        for cell in cells:
            yield f"y{piece.name.removeprefix('p_')}{cell.name.removeprefix('c_')}"


def _parts(cover: ExactCover) -> tuple[list[Item], list[Item], list[Item]]:
    """Return the cells, the pieces and the groups."""
    kinds: dict[str, list[Item]] = {"cell": [], "piece": [], "group": []}
    for item in cover.items:
        kinds[item.kind].append(item)
    return kinds["cell"], kinds["piece"], kinds["group"]


def _model(cover: ExactCover, assigned: tuple[str, ...]) -> BinaryModel:
    cells, pieces, groups = _parts(cover)
    options = cover.options_of()
    first = cover.columns
    sizes = [_size(cover, options[len(cells) + number]) for number in range(len(pieces))]

    names: list[str] = []
    rows: list[list[tuple[int, float]]] = []
    lower: list[float] = []
    upper: list[float] = []

    def add(name: str, row: list[tuple[int, float]], low: float, high: float) -> None:
        names.append(name)
        rows.append(row)
        lower.append(low)
        upper.append(high)

    def assignment(cell: int, piece: int) -> int:
        return first + piece * len(cells) + cell

    for number, item in enumerate(cells):
        row = [(option, 1.0) for option in options[number] if option >= cover.placements]
        row += [(assignment(number, piece), 1.0) for piece in range(len(pieces))]
        add(item.name, row, 1, 1)
    for number, piece in enumerate(pieces):
        row = [(option, 1.0) for option in options[len(cells) + number]]
        add(piece.name, row, piece.demand, piece.demand)
        total = piece.demand * sizes[number]
        row = [(assignment(cell, number), 1.0) for cell in range(len(cells))]
        add(f"s_{piece.name.removeprefix('p_')}", row, total, total)
    for number, group in enumerate(groups, start=len(cells) + len(pieces)):
        add(group.name, [(option, 1.0) for option in options[number]], 1, 1)
    for number in range(len(pieces)):
        own = set(options[len(cells) + number])
        for cell in range(len(cells)):
            column = assignment(cell, number)
            row = [(option, 1.0) for option in options[cell] if option in own]
            add(f"l{assigned[column - first]}", [*row, (column, -1.0)], -math.inf, 0)
    return BinaryModel(
        columns=(*cover.option_names, *assigned),
        rows=tuple(names),
        start=array("i", accumulate(map(len, rows), initial=0)),
        index=array("i", (column for row in rows for column, _ in row)),
        value=array("d", (value for row in rows for _, value in row)),
        lower=array("d", lower),
        upper=array("d", upper),
        cost=array("d", [0.0]) * (cover.columns + len(assigned)),
    )


def _size(cover: ExactCover, placements: list[int]) -> int:
    """Return the number of cells of a piece that has placements; 0 if it fits nowhere."""
    return len(cover.items_of(placements[0])) - 1 if placements else 0
