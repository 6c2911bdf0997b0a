"""The exact cover of an instance: items x options. All geometry ends here.

Items are what must be covered: cells, pieces, and the reveal groups that are
left free. Options cover items: a placement covers its cells and its piece; for
a free group, revealing a label "covers" that label's cells and the group. A
piece that lies on the board already has one option, its place, and no
placement overlaps it.
A formulation turns each option into a binary column and each item into an
equality row.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from calmip.errors import InputError, listed
from calmip.problem.board import Piece
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import Cell, Shape
from calmip.problem.reduction import usable_options

__all__ = [
    "ExactCover",
    "Item",
    "Option",
    "Placement",
    "Reveal",
    "agreeing",
    "place_name",
    "placements",
    "short_codes",
]


@dataclass(frozen=True, order=True)
class Reveal:
    """A label of a free group that stays uncovered, with the cells that this frees."""

    group: str
    label: str
    cells: tuple[Cell, ...]


Option = Placement | Reveal


@dataclass(frozen=True)
class Item:
    """One thing to cover: a cell, a piece (or several equal ones), or a free reveal group.

    Parameters
    ----------
    kind
        ``"cell"``, ``"piece"`` or ``"group"``.
    text
        What a person calls it, for example ``cell 29 (6, 0)``.
    name
        The row's name in model files.
    demand
        How often it must be covered: 1, or the number of equal pieces.
    """

    kind: str
    text: str
    name: str
    demand: int = 1


def short_codes(texts: Iterable[str], letter: str, most: int) -> list[str]:
    """Return short unique codes of letters and digits, the texts themselves where they serve."""
    texts = list(texts)
    cut = [re.sub(r"[^A-Za-z0-9]", "", text)[:most] for text in texts]
    # A name that starts with a digit or like a number (E5), or with the
    # prefix of reveals (r_), would be misread by some program.
    plain = all(code and not re.match(r"[0-9]|[eE][0-9]|r$", code) for code in cut)
    if len(set(cut)) == len(cut) and (plain or (letter != "p" and all(cut))):
        return cut
    return [f"{letter}{number}" for number in range(1, len(texts) + 1)]


def place_name(row: int, column: int, wide: bool) -> str:
    """Return a place in a name: ``30``, or ``r12c3`` where the board is wide."""
    return f"r{row}c{column}" if wide else f"{row}{column}"


IntArray = npt.NDArray[np.int32]


def placements(shape: Shape, cells: IntArray, size: tuple[int, int]) -> IntArray:
    """Return the cells of every placement of one orientation.

    Parameters
    ----------
    shape
        The orientation: sorted (row, column), the first one (0, 0).
    cells
        The cells to cover, in row-major order, shape (cells, 2).
    size
        The numbers of rows and columns of the grid.

    Returns
    -------
    numpy.ndarray of int32
        Positions in ``cells``, ascending, shape (placements, k).
    """
    down_most = max(down for down, _ in shape)
    left_most = -min(right for _, right in shape)
    right_most = max(right for _, right in shape)
    height, width = size
    lookup = np.full((height + down_most, left_most + width + right_most), -1, dtype=np.int32)
    rows, columns = cells[:, 0], cells[:, 1]
    lookup[rows, columns + left_most] = np.arange(len(cells))
    offsets = np.array(shape, dtype=np.int32)
    covered: IntArray = lookup[
        rows[:, None] + offsets[:, 0], columns[:, None] + offsets[:, 1] + left_most
    ]
    whole: IntArray = covered[(covered >= 0).all(axis=1)]
    return whole


def agreeing(
    covered: IntArray, names: Sequence[str], lying: Sequence[tuple[str, Sequence[int]]]
) -> npt.NDArray[np.bool_]:
    """Return which placements of equal pieces agree with the pieces that lie there already.

    Parameters
    ----------
    covered
        The placements, as from `placements`.
    names
        The names of the equal pieces.
    lying
        The name of every piece that lies on the board, and its cells' positions, ascending.
    """
    taken = [cell for _, cells in lying for cell in cells]
    fixed = [cells for name, cells in lying if name in names]
    agrees = np.zeros(len(covered), dtype=bool)
    if len(fixed) < len(names):
        agrees |= ~np.isin(covered, taken).any(axis=1)
    for cells in fixed:
        agrees |= (covered == np.array(cells)).all(axis=1)
    return agrees


MAX_OPTIONS = 1_000_000
"""More options than this are refused before any of them is made."""

MAX_NONZEROS = 10_000_000
"""So are more pairs of an option and a cell."""


class ExactCover:
    """The items and options of an instance, as arrays.

    Equal pieces share one item whose demand is their number, so that every
    picture is one solution. Options that cover the same items do not occur
    twice: all columns are distinct.

    Parameters
    ----------
    instance
        The instance.

    Attributes
    ----------
    instance : Instance
        The instance.
    items : tuple of Item
        Cells in row-major order, then pieces, then free groups.
    start, index : numpy.ndarray of int32
        Option j covers the items ``index[start[j]:start[j + 1]]``, ascending.
    demand : numpy.ndarray of int32
        How often each item must be covered, shape (rows,).

    Raises
    ------
    InputError
        If there would be more than a million options.
    TypeError
        If it is a puzzle or a name.
    """

    def __init__(self, instance: Instance) -> None:
        if not isinstance(instance, Instance):  # a puzzle, or a name, which reads as well
            raise TypeError(
                f"an Instance is needed, not {type(instance).__name__}; calmip.read_instance(NAME, "
                "reveal=...) and Instance.reveal(puzzle, ...) make one"
            )
        self.instance = instance
        puzzle = instance.puzzle
        self._classes: tuple[tuple[Piece, ...], ...] = puzzle.piece_classes
        self._cells = np.array(instance.to_cover, dtype=np.int32).reshape(-1, 2)
        self._shapes: list[tuple[int, Shape]] = [
            (number, shape)
            for number, pieces in enumerate(self._classes)
            for shape in pieces[0].orientations(flip=puzzle.flip)
        ]
        entries = sum(len(shape) for _, shape in self._shapes) * len(self._cells)
        if len(self._shapes) * len(self._cells) > MAX_OPTIONS or entries > MAX_NONZEROS:
            raise InputError(
                f"{len(self._shapes)} orientations on {len(self._cells)} cells may give over "
                f"{MAX_OPTIONS:,} placements; use a smaller board or fewer pieces"
            )
        self._position = {cell: item for item, cell in enumerate(instance.to_cover)}
        blocks = list(self._blocks())
        # The numbers of options before each orientation's block, for `option`.
        self._first = np.cumsum([0] + [len(block) for block in blocks])
        reveals = list(self._reveals())
        self._labels = [reveal for reveal, _ in reveals]
        rows = [row for block in blocks for row in block] + [row for _, row in reveals]
        self.start: IntArray = np.cumsum([0] + [len(row) for row in rows], dtype=np.int32)
        self.index: IntArray = (
            np.concatenate(rows).astype(np.int32) if rows else np.zeros(0, np.int32)
        )

    @property
    def columns(self) -> int:
        """The number of options."""
        return len(self.start) - 1

    @property
    def rows(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def nonzeros(self) -> int:
        """The number of pairs of an option and an item that it covers."""
        return len(self.index)

    @property
    def placements(self) -> int:
        """The number of options that are placements; they come before the reveals."""
        return int(self._first[-1])

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items: cells in row-major order, then pieces, then free groups."""
        board = self.instance.puzzle.board
        wide = max(board.shape) > 10
        found = [
            Item("cell", f"cell {board.label((r, c))} ({r}, {c})", "c_" + place_name(r, c, wide))
            for r, c in self.instance.to_cover
        ]
        for pieces, code in zip(self._classes, self._piece_codes, strict=True):
            names = " = ".join(piece.name for piece in pieces)
            found.append(Item("piece", f"piece {names}", f"p_{code}", len(pieces)))
        codes = short_codes(self.instance.free, "g", 6)
        for group, code in zip(self.instance.free, codes, strict=True):
            found.append(Item("group", f"group {group}", f"g_{code}"))
        return tuple(found)

    @cached_property
    def demand(self) -> IntArray:
        """How often each item must be covered, shape (rows,)."""
        return np.array([item.demand for item in self.items], dtype=np.int32)

    @cached_property
    def option_names(self) -> tuple[str, ...]:
        """The options' column names, in order.

        ``U_b30`` is piece U in its orientation b, with its first cell (in
        row-major order) at row 3, column 0. ``r_Feb`` reveals Feb. On boards
        with more than ten rows or columns the place is written ``r12c3``.
        """
        wide = max(self.instance.puzzle.board.shape) > 10
        names: list[str] = []
        seen: dict[int, int] = {}
        cells = self._cells.tolist()
        for block, (number, _) in enumerate(self._shapes):
            turn = seen[number] = seen.get(number, -1) + 1
            prefix = f"{self._piece_codes[number]}_{chr(ord('a') + turn)}"
            first, last = self.start[self._first[block]], self.start[self._first[block + 1]]
            size = len(self._shapes[block][1]) + 1
            names.extend(
                prefix + place_name(cells[item][0], cells[item][1], wide)
                for item in self.index[first:last:size].tolist()
            )
        codes = short_codes([reveal.label for reveal in self._labels], "i", 6)
        names.extend(f"r_{code}" for code in codes)
        return tuple(names)

    @cached_property
    def option_number(self) -> dict[str, int]:
        """The number of the option that a column name stands for."""
        return {name: number for number, name in enumerate(self.option_names)}

    def option(self, number: int) -> Option:
        """Return an option as a placement or a reveal.

        A placement of equal pieces carries the name of the first of them.
        """
        if number >= self.placements:
            return self._labels[number - self.placements]
        block = int(np.searchsorted(self._first, number, side="right")) - 1
        covered = self.items_of(number)
        cells = self.instance.to_cover
        return Placement(
            self._classes[self._shapes[block][0]][0].name,
            tuple(cells[item] for item in covered[:-1]),
        )

    def items_of(self, number: int) -> list[int]:
        """Return the numbers of the items that an option covers, ascending."""
        covered: list[int] = self.index[self.start[number] : self.start[number + 1]].tolist()
        return covered

    @cached_property
    def matrix(self) -> npt.NDArray[np.uint8]:
        """The 0/1 matrix, shape (rows, columns), dense."""
        dense = np.zeros((self.rows, self.columns), dtype=np.uint8)
        dense[self.index, np.repeat(np.arange(self.columns), np.diff(self.start))] = 1
        return dense

    def options_of(self) -> list[list[int]]:
        """Return for every item the options that cover it, ascending: the rows of the model."""
        options = np.repeat(np.arange(self.columns, dtype=np.int32), np.diff(self.start))
        order = np.argsort(self.index, kind="stable")
        counts = np.bincount(self.index, minlength=self.rows)
        return [part.tolist() for part in np.split(options[order], np.cumsum(counts)[:-1])]

    def reduced(self) -> ExactCover:
        """Return the cover without options that no tiling uses; the others keep their names.

        The items stay. See `calmip.problem.reduction` for how the options are
        recognised; most of those that could go do. If none is left, there is
        proved to be no tiling.
        """
        lattice, cells = self.instance.puzzle.board.lattice, self.instance.to_cover
        neighbours = [
            [self._position[near] for near in lattice.neighbours(cell) if near in self._position]
            for cell in cells
        ]
        start, index = self.start.tolist(), self.index.tolist()
        items = [index[first:last] for first, last in itertools.pairwise(start)]
        usable = usable_options(items, self.demand.tolist(), neighbours)
        return self if len(usable) == self.columns else self.restricted(usable)

    def restricted(self, options: Iterable[int]) -> ExactCover:
        """Return the cover with these options alone, in ascending order."""
        # Not np.unique: it loads np.ma, which takes longer than all the rest here.
        kept = np.array(sorted(set(options)), dtype=np.int64)
        part = copy.copy(self)
        # What is cached there and depends on the options.
        for name in ("matrix", "option_number"):
            part.__dict__.pop(name, None)
        size = np.diff(self.start)
        part.option_names = tuple(self.option_names[option] for option in kept)
        part.start = np.concatenate([[0], np.cumsum(size[kept])]).astype(np.int32)
        stays = np.zeros(self.columns, dtype=bool)
        stays[kept] = True
        part.index = self.index[np.repeat(stays, size)]
        part._first = np.searchsorted(kept, self._first)
        reveals = kept[part.placements :] - self.placements
        part._labels = [self._labels[reveal] for reveal in reveals]
        return part

    def obstacle(self) -> str | None:
        """Return why no tiling can exist where that is plain: an item that too few options cover.

        Returns
        -------
        str or None
            One sentence, or None if every item has enough options.
        """
        covering = np.bincount(self.index, minlength=self.rows)
        short = [self.items[number] for number in np.flatnonzero(covering < self.demand)]
        cells = [item.text for item in short if item.kind == "cell"]
        if cells:
            return f"no piece can cover {listed(cells, most=4)}"
        if short:
            return f"{short[0].text} fits nowhere on the cells to cover"
        return None

    def _blocks(self) -> Iterator[IntArray]:
        """Yield the items of every placement, orientation by orientation."""
        instance = self.instance
        at = self._position
        for number, shape in self._shapes:
            names = [piece.name for piece in self._classes[number]]
            covered = placements(shape, self._cells, instance.puzzle.board.shape)
            if instance.placed:
                lying = [(one.piece, [at[cell] for cell in one.cells]) for one in instance.placed]
                covered = covered[agreeing(covered, names, lying)]
            piece = np.full((len(covered), 1), len(self._cells) + number, dtype=np.int32)
            yield np.hstack([covered, piece])

    def _reveals(self) -> Iterator[tuple[Reveal, npt.NDArray[np.int32]]]:
        board = self.instance.puzzle.board
        taken = set(self.instance.labels)
        for number, group in enumerate(self.instance.free):
            for label in self.instance.puzzle.groups[group]:
                cells = board.labels[label]
                if label in taken:
                    continue
                items = sorted(self._position[cell] for cell in cells)
                items.append(len(self._position) + len(self._classes) + number)
                yield Reveal(group, label, cells), np.array(items, dtype=np.int32)

    @cached_property
    def _piece_codes(self) -> list[str]:
        return short_codes([pieces[0].name for pieces in self._classes], "p", 3)
