"""The exact cover of an instance: items and options, without geometry.

Items must be covered: cells, pieces and free reveal groups. Options cover items: a
placement covers its cells and its piece; revealing a label covers the label's cells and
the group. A piece that is already placed has one option. A piece that may be left out has one
more, which covers the piece and no cell. A formulation has a binary column for each option, and
an equality row for each item.

Two kinds of items are for pieces that may be left out. If the puzzle states how many pieces are
used and their sizes do not imply it, the options that leave one out cover one item more, whose
demand is the number of pieces to leave out. Of k equal pieces that may be left out, the options
out1 ... outk leave one more out each. Only the first j of them are chosen, so that a tiling is one
solution: the option max(j), for j < k, states that at most j are left out, and the item i, from 1
to k, is covered by out(i) and by max(j) for all j < i.
"""

from __future__ import annotations

import bisect
import copy
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from calmip._base.errors import InputError, join_words, short_repr
from calmip.puzzle.board import Piece
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell, Lattice, Shape
from calmip.puzzle.reduction import usable_options

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, order=True)
class Reveal:
    """A label of a free group that stays uncovered."""

    group: str
    label: str
    cells: tuple[Cell, ...]
    """The label's cells as 0-based (row, column)."""


Option = Placement | Reveal


@dataclass(frozen=True)
class Item:
    """A cell, a piece (or several equal ones), a free reveal group, or a rule on pieces left out.

    Parameters
    ----------
    kind
        ``"cell"``, ``"piece"``, ``"group"``, ``"left"`` (the number of pieces left out) or
        ``"order"`` (that in which equal pieces are left out).
    text
        A name for people, for example ``cell 29 (6, 0)``.
    name
        The row's name in model files.
    demand
        How often it must be covered: 1, the number of equal pieces, or that of pieces left out.
    """

    kind: str
    text: str
    name: str
    demand: int = 1


def short_codes(texts: Iterable[str], letter: str, most: int) -> list[str]:
    """Return short unique codes of letters and digits, if possible the texts themselves."""
    texts = list(texts)
    cut = [re.sub(r"[^A-Za-z0-9]", "", text)[:most] for text in texts]
    # Some programs misread a name that starts with a digit or looks like a number (E5). The
    # prefix of reveals (r_) is reserved.
    plain = all(code and not re.match(r"[0-9]|[eE][0-9]|r$", code) for code in cut)
    if len(set(cut)) == len(cut) and (plain or (letter != "p" and all(cut))):
        return cut
    return [f"{letter}{number}" for number in range(1, len(texts) + 1)]


def place_name(row: int, column: int, wide: bool) -> str:
    """Return a place in a name: ``30``, or ``r12c3`` on a wide board."""
    return f"r{row}c{column}" if wide else f"{row}{column}"


def placements(shape: Shape, at: Mapping[Cell, int], lattice: Lattice) -> Iterator[list[int]]:
    """Yield every placement of an orientation, as the positions of its cells, ascending.

    Parameters
    ----------
    shape
        The orientation in normal form.
    at
        The cells to cover, in row-major order, each with its position.
    lattice
        The lattice of both.
    """
    # With one number for a row and a column, a translation is one addition.
    top, left = shape[0]
    reach = max(abs(right - left) for _, right in shape)
    stride = 2 * reach + 1 + max((column for _, column in at), default=0)
    position = {row * stride + column: number for (row, column), number in at.items()}.get
    moves = [(down - top) * stride + right - left for down, right in shape]
    for row, column in lattice.alike(shape[0], at):
        base = row * stride + column
        covered = [position(base + move) for move in moves]
        if None not in covered:
            yield cast("list[int]", covered)


MAX_OPTIONS = 1_000_000
"""The most options of a cover, checked before it is built."""

MAX_NONZEROS = 10_000_000
"""The most pairs of an option and a cell."""


class ExactCover:
    """The items and options of an instance.

    Equal pieces share one item whose demand is their number, so that every picture is one
    solution. All columns are distinct.

    Attributes
    ----------
    instance : Instance
        The instance.
    items : tuple of Item
        Cells in row-major order, then pieces, then free groups, then rules on pieces left out.
    covered : list of list of int
        The items that each option covers, ascending: cells, then a piece or a group. An option
        that leaves a piece out covers no cell, but perhaps further items.
    spare : tuple of int
        The number of pieces that may be left out, for each class of equal pieces.
    packs : bool
        Whether it is a packing (`packing`): a solution covers as many cells as possible,
        and is a tiling if it covers all.

    Raises
    ------
    InputError
        If there are more than a million options.
    TypeError
        If the argument is a puzzle or a name instead of an instance.
    """

    packs = False

    def __repr__(self) -> str:
        sizes = f"{len(self.items)} items, {len(self.covered)} options"
        return short_repr(self, f"{self.instance.name or '-'}: {sizes}")

    def __init__(self, instance: Instance) -> None:
        if not isinstance(instance, Instance):  # a likely mistake: a puzzle or a name
            raise TypeError(
                f"an Instance is needed, not {type(instance).__name__}; calmip.read_instance(NAME, "
                "reveal=...) and Instance.reveal(puzzle, ...) make one"
            )
        self.instance = instance
        puzzle = instance.puzzle
        self._classes: tuple[tuple[Piece, ...], ...] = puzzle.piece_classes
        self._shapes: list[tuple[int, Shape]] = [
            (number, shape)
            for number, pieces in enumerate(self._classes)
            # The empty shape leaves pieces out.
            for shape in (*pieces[0].orientations(flip=puzzle.flip), *[()] * pieces[-1].optional)
        ]
        entries = sum(len(shape) for _, shape in self._shapes) * len(instance.to_cover)
        if len(self._shapes) * len(instance.to_cover) > MAX_OPTIONS or entries > MAX_NONZEROS:
            raise InputError(
                f"{len(self._shapes)} orientations on {len(instance.to_cover)} cells may give over "
                f"{MAX_OPTIONS:,} placements; use a smaller board or fewer pieces"
            )
        self._position = {cell: item for item, cell in enumerate(instance.to_cover)}
        placed = Counter(puzzle.first_equal[one.piece] for one in instance.placed)
        # How many pieces of each class may be left out.
        self.spare = tuple(
            min(sum(one.optional for one in pieces), len(pieces) - placed[pieces[0].name])
            for pieces in self._classes
        )
        # `option` needs the number of options before each orientation's block.
        self.covered: list[list[int]] = []
        self._first = [0]
        for block in self._blocks():
            self.covered.extend(block)
            self._first.append(len(self.covered))
        reveals = list(self._reveals())
        self._labels = [reveal for reveal, _ in reveals]
        self.covered.extend(items for _, items in reveals)

    @property
    def columns(self) -> int:
        """The number of options."""
        return len(self.covered)

    @property
    def rows(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def nonzeros(self) -> int:
        """The number of ones in the matrix."""
        return sum(map(len, self.covered))

    @property
    def placements(self) -> int:
        """The number of options that are placements; they come before the reveals."""
        return self._first[-1]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items, as the class describes them."""
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
        puzzle = self.instance.puzzle
        if self.instance.use:
            left = len(puzzle.pieces) - self.instance.use
            found.append(Item("left", "the number of pieces left out", "u_left", left))
        for pieces, code, spare in zip(self._classes, self._piece_codes, self.spare, strict=True):
            names = " = ".join(piece.name for piece in pieces)
            found += [
                Item("order", f"order {rank} of leaving out {names}", f"o_{code}_{rank}")
                for rank in range(1, spare + 1)
                if spare > 1
            ]
        return tuple(found)

    @cached_property
    def demand(self) -> list[int]:
        """How often each item must be covered."""
        return [item.demand for item in self.items]

    @cached_property
    def start(self) -> npt.NDArray[np.int32]:
        """Option j covers the items ``index[start[j]:start[j + 1]]``."""
        import numpy as np

        return np.cumsum([0, *map(len, self.covered)], dtype=np.int32)

    @cached_property
    def index(self) -> npt.NDArray[np.int32]:
        """The items of all options, ascending within each option."""
        import numpy as np

        return np.array([*itertools.chain.from_iterable(self.covered)], dtype=np.int32)

    @cached_property
    def option_names(self) -> tuple[str, ...]:
        """The options' column names, in order.

        ``U_b30`` is piece U in its orientation b, with its first cell at row 3, column 0, or
        ``r12c3`` on boards with more than ten rows or columns. ``U_left`` leaves U out. Of
        equal pieces, ``U_out1``, ``U_out2``, ... leave one more out each, and ``U_max0``,
        ``U_max1``, ... state that at most so many are left out. ``r_Feb`` reveals Feb.
        """
        wide = max(self.instance.puzzle.board.shape) > 10
        names: list[str] = []
        seen: dict[int, int] = {}
        cells = self.instance.to_cover
        for (first, last), (number, shape) in zip(
            itertools.pairwise(self._first), self._shapes, strict=True
        ):
            if not shape:
                names.extend(self._names_of_left(number))
                continue
            turn = seen[number] = seen.get(number, -1) + 1
            prefix = f"{self._piece_codes[number]}_{chr(ord('a') + turn)}"
            names.extend(
                prefix + place_name(*cells[items[0]], wide) for items in self.covered[first:last]
            )
        codes = short_codes([reveal.label for reveal in self._labels], "i", 6)
        names.extend(f"r_{code}" for code in codes)
        return tuple(names)

    def _names_of_left(self, number: int) -> list[str]:
        """Return the names of the options that leave pieces of a class out, in their order."""
        code, spare = self._piece_codes[number], self.spare[number]
        if spare < 2:
            return [f"{code}_left"] * spare
        out = [f"{code}_out{rank}" for rank in range(1, spare + 1)]
        return out + [f"{code}_max{most}" for most in range(spare)]

    def leaving(self, used: Mapping[str, int]) -> list[str]:
        """Return the names of the options that leave all other pieces out.

        Parameters
        ----------
        used
            How many pieces of each class are used, by the name of its first piece.
        """
        names = []
        for number, (pieces, spare) in enumerate(zip(self._classes, self.spare, strict=True)):
            left = min(len(pieces) - used.get(pieces[0].name, 0), spare)
            every = self._names_of_left(number)
            names += every[:left] + every[spare + left : spare + left + 1]
        return names

    @cached_property
    def option_number(self) -> dict[str, int]:
        """The number of each option by its column name."""
        return {name: number for number, name in enumerate(self.option_names)}

    @cached_property
    def number_of(self) -> dict[tuple[str, object], int]:
        """The number of each option, by a placement's piece and cells or by ``""`` and a label."""
        options = map(self.option, range(self.columns))
        return {
            (one.piece, one.cells) if isinstance(one, Placement) else ("", one.label): number
            for number, one in enumerate(options)
        }

    def option(self, number: int) -> Option:
        """Return an option as a placement or a reveal; equal pieces have the name of the first.

        The placement of a piece that is left out has no cells, as has one that limits how many are.
        """
        if number >= self.placements:
            return self._labels[number - self.placements]
        block = bisect.bisect_right(self._first, number) - 1
        cells = self.instance.to_cover
        return Placement(
            self._classes[self._shapes[block][0]][0].name,
            tuple(cells[item] for item in self.covered[number] if item < len(cells)),
        )

    def items_of(self, number: int) -> list[int]:
        """Return the numbers of the items that an option covers, ascending."""
        return self.covered[number]

    @cached_property
    def matrix(self) -> npt.NDArray[np.uint8]:
        """The 0/1 matrix, shape (rows, columns), dense."""
        import numpy as np

        dense = np.zeros((self.rows, self.columns), dtype=np.uint8)
        dense[self.index, np.repeat(np.arange(self.columns), np.diff(self.start))] = 1
        return dense

    def options_of(self) -> list[list[int]]:
        """Return the options that cover each item, ascending: the rows of the model."""
        options: list[list[int]] = [[] for _ in self.items]
        for option, items in enumerate(self.covered):
            for item in items:
                options[item].append(option)
        return options

    def packing(self) -> ExactCover:
        """Return the cover as a packing, which covers as many cells as possible.

        Of pieces that may be left out, it has those of a choice with the area of all cells.
        """
        part = copy.copy(self)
        part.packs = True
        return part

    def reduced(self) -> ExactCover:
        """Return the cover without options that no tiling uses; items and names stay.

        `calmip.puzzle.reduction` finds most of these options. If no option is left,
        there is no tiling. A packing is returned unchanged.
        """
        if self.packs:
            return self
        lattice, cells = self.instance.puzzle.board.lattice, self.instance.to_cover
        neighbours = [
            [self._position[near] for near in lattice.neighbours(cell) if near in self._position]
            for cell in cells
        ]
        usable = usable_options(self.covered, self.demand, neighbours)
        return self if len(usable) == self.columns else self.restricted(usable)

    def restricted(self, options: Iterable[int]) -> ExactCover:
        """Return the cover with these options alone, in ascending order."""
        kept = sorted(set(options))
        part = copy.copy(self)
        # Cached properties that depend on the options.
        for name in ("start", "index", "matrix", "option_number", "number_of"):
            part.__dict__.pop(name, None)
        part.option_names = tuple(self.option_names[option] for option in kept)
        part.covered = [self.covered[option] for option in kept]
        part._first = [bisect.bisect_left(kept, first) for first in self._first]
        part._labels = [
            self._labels[option - self.placements] for option in kept[part.placements :]
        ]
        return part

    def obstacle(self) -> str | None:
        """Return a sentence on an item that too few options cover, or None if all have enough."""
        covering = Counter(itertools.chain.from_iterable(self.covered))
        short = [item for number, item in enumerate(self.items) if covering[number] < item.demand]
        cells = [item.text for item in short if item.kind == "cell"]
        if cells:
            return f"no piece can cover {join_words(cells, most=4)}"
        if short and short[0].kind == "left":
            return f"too many pieces are placed, as {self.instance.use} are used"
        if short:
            return f"{short[0].text} fits nowhere on the cells to cover"
        return None

    def _blocks(self) -> Iterator[Iterator[list[int]]]:
        """Yield the items of every placement, orientation by orientation."""
        at, lattice = self._position, self.instance.puzzle.board.lattice
        placed = [(one.piece, [at[cell] for cell in one.cells]) for one in self.instance.placed]
        taken = {cell for _, cells in placed for cell in cells}
        for number, shape in self._shapes:
            names = {piece.name for piece in self._classes[number]}
            fixed = [cells for name, cells in placed if name in names]
            left = len(names) - len(fixed)
            if not shape:
                yield self._leave(number)
                continue
            yield (
                [*covered, len(at) + number]
                for covered in placements(shape, at, lattice)
                if not taken or covered in fixed or (left and taken.isdisjoint(covered))
            )

    def _leave(self, number: int) -> Iterator[list[int]]:
        """Yield the items of the options that leave pieces of a class out."""
        cells, spare, stated = len(self._position), self.spare[number], bool(self.instance.use)
        rules = cells + len(self._classes) + len(self.instance.free)
        own = [cells + number, rules][: 1 + stated]
        # The items of the order in which these pieces are left out.
        first = rules + stated + sum(other for other in self.spare[:number] if other > 1)
        order = [*range(first, first + spare)] if spare > 1 else []
        for rank in range(spare):
            yield own + order[rank : rank + 1]
        for most in range(len(order)):
            yield order[most:]

    def _reveals(self) -> Iterator[tuple[Reveal, list[int]]]:
        board = self.instance.puzzle.board
        taken = set(self.instance.labels)
        # Otherwise another of equal pieces might cover a label under a placed one.
        lying = {cell for placed in self.instance.placed for cell in placed.cells}
        for number, group in enumerate(self.instance.free):
            for label in self.instance.puzzle.groups[group]:
                cells = board.labels[label]
                if label in taken or not lying.isdisjoint(cells):
                    continue
                items = sorted(self._position[cell] for cell in cells)
                items.append(len(self._position) + len(self._classes) + number)
                yield Reveal(group, label, cells), items

    @cached_property
    def _piece_codes(self) -> list[str]:
        return short_codes([pieces[0].name for pieces in self._classes], "p", 3)
