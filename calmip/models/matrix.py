"""Models as plain arrays, written by calmip itself.

* the placement model;
* the packing model: cover as many cells as possible; each cell and piece at most once;
* the cell-assignment model: the piece on each cell, and the placement of each piece.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from calmip.mip.files.model_files import write_model
from calmip.mip.model import Model, NamedRow
from calmip.models.base import Formulation
from calmip.puzzle.cover import ExactCover


class MatrixModel(Formulation):
    """The placement model as a `Model`; see `calmip.models.Formulation`.

    It has no objective, which portable files can
    omit, unless the cover is a packing: then it maximises the covered cells.

    Attributes
    ----------
    native : Model
        The arrays.
    """

    def __init__(self, cover: ExactCover) -> None:
        self.native = Model.from_cover(cover)
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


def _packing(cover: ExactCover, model: Model) -> Model:
    """Return the packing model: ``<=`` for cells and pieces, and as many covered cells as possible.

    It minimises minus their number. The board has a tiling if and only if all
    cells can be covered. A free reveal group still shows exactly one label, whose cells count as
    covered, and pieces are still left out as the puzzle allows. Where labels differ in size, or
    pieces may be left out, one more row states that all other pieces have the area of all cells:
    otherwise a larger label, or one more piece, could replace a piece.
    """
    puzzle, cells = cover.instance.puzzle, len(cover.instance.to_cover)
    lower = [-math.inf if item.kind in ("cell", "piece") else item.demand for item in cover.items]
    covered = [sum(item < cells for item in items) for items in cover.covered]
    cost = array("d", [-float(number) for number in covered] or [0.0])
    model = model.changed(lower=array("d", lower), cost=cost)
    # A piece that is already placed stays there.
    lying = {placed.cells for placed in cover.instance.placed}
    sizes = [len(pieces[0].cells) for pieces in puzzle.piece_classes]
    area: dict[int, int] = {}
    for option, number in enumerate(covered):
        if option >= cover.placements:
            area[option] = number
        elif number:
            if lying and cover.option(option).cells in lying:
                model = model.with_row(f"f_{option}", [option], 1, 1)
        elif cells <= (piece := cover.covered[option][0]) < cells + len(sizes):
            area[option] = -sizes[piece - cells]  # it leaves such a piece out
    if len(set(area.values())) > 1 or min(area.values(), default=0) < 0:
        bare = cells - puzzle.area
        model = model.with_row("a_area", area, bare, bare, list(area.values()))
    return model


class CellsModel(MatrixModel):
    """Assign cells to pieces; see `calmip.models.Formulation`.

    A binary column for every cell and piece states that the piece covers the cell; the
    columns of the placement model state its placement. The rows:

    * every cell belongs to one piece, or is uncovered by a free group's label;
    * every piece has its number of cells, and of placements;
    * the placements of a piece on a cell are at most its assignment there.

    Their sum over a piece's cells is an equation, so the linear relaxation
    is exactly as strong as that of the placement model.
    """

    def __init__(self, cover: ExactCover) -> None:
        super().__init__(cover)
        self._assigned = tuple(assignment_names(cover))
        self.native = _assignment_model(cover, self._assigned)

    @property
    def auxiliary(self) -> frozenset[str]:
        """The assignments of cells to pieces."""
        return frozenset(self._assigned)


def assignment_names(cover: ExactCover) -> Iterator[str]:
    """Yield the names of the assignments, piece by piece, cells in row-major order.

    ``yU30`` states that piece U covers row 3, column 0. Names of options and
    items contain an underscore, so all names differ.
    """
    cells = [item.name for item in cover.items if item.kind == "cell"]
    for piece in cover.items:
        if piece.kind == "piece":
            yield from (f"y{piece.name[2:]}{cell[2:]}" for cell in cells)


def _assignment_model(cover: ExactCover, assigned: tuple[str, ...]) -> Model:
    options, cells = cover.options_of(), len(cover.instance.to_cover)
    first = cover.columns
    rows: list[NamedRow] = []
    for number, (item, own) in enumerate(zip(cover.items, options, strict=True)):
        columns = own
        if item.kind == "cell":
            columns = [option for option in own if option >= cover.placements]
            columns += range(first + number, first + len(assigned), cells)
        rows.append((item.name, dict.fromkeys(columns, 1.0), item.demand, item.demand))
        if item.kind == "piece":
            covered = [sum(one < cells for one in cover.covered[option]) for option in own]
            area = max(covered, default=0)
            total = item.demand * area
            begin = first + (number - cells) * cells
            own_cells = dict.fromkeys(range(begin, begin + cells), 1.0)
            # A piece that is left out has no cells.
            out = [option for option, number in zip(own, covered, strict=True) if not number]
            own_cells |= dict.fromkeys(out if area else [], float(area))
            rows.append((f"s_{item.name[2:]}", own_cells, total, total))
    for column, name in enumerate(assigned, start=first):
        piece, cell = divmod(column - first, cells)
        own = [option for option in options[cell] if cells + piece in cover.covered[option]]
        rows.append((f"l{name}", dict.fromkeys(own, 1.0) | {column: -1.0}, -math.inf, 0))
    return Model.from_rows((*cover.option_names, *assigned), rows)
