"""An exact cover for counts: cells are bits of a number, all other items are in a word.

A partial tiling is a set of covered cells and a *word*, which holds the pieces and labels used.
The word has a field for every item that is not a cell (a piece, a free group): a counter of w
bits that starts at 2**(w - 1) - demand. Its top bit is set when the demand is met, and
options that cover the item require that bit to be clear. With demand 1 the field is one bit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from calmip.puzzle.board import Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle

Ints = npt.NDArray[np.int64]

SIMILAR_REACH = 1.02
"""Orders are similar if their reach is at most this multiple of the best one's."""


@dataclass(frozen=True)
class Field:
    """The part of a word that belongs to one item."""

    low: int
    """Its lowest bit, as a number with that bit."""
    top: int
    """Its highest bit, likewise."""
    start: int
    """Its value in the word of the empty board."""
    areas: tuple[int, ...]
    """The numbers of cells that its options cover, ascending."""
    delta: int
    """The value that each of its options adds to the word."""
    piece: bool = False
    """Whether it belongs to one piece, whose place can divide a count."""
    times: int = 1
    """The number of options that one step of the counter stands for."""
    needed: bool = True
    """Whether it is full in every solution."""
    least: int = 0
    """The least number of its options in a solution, if it need not be full."""

    def used(self, words: Ints) -> Ints:
        """Return the number of its options in each word."""
        return ((words & (2 * self.top - self.low)) - self.start) // self.low


class Option(NamedTuple):
    """The cells that an option covers, as bits, the number of its field, its share of a choice."""

    cells: int
    field: int
    worth: int

    @property
    def first(self) -> int:
        """The number of its first cell."""
        return (self.cells & -self.cells).bit_length() - 1


@dataclass(frozen=True)
class Options:
    """The options of an exact cover whose cells are numbered in the order of filling."""

    near: tuple[int, ...]
    """The neighbours of every cell, as bits."""
    fields: tuple[Field, ...]
    options: tuple[Option, ...]
    """The options, by their first cell."""
    choices: int = 1
    """The number of choices of labels. A choice is a number below that, the sum of what the
    options of a solution are worth."""
    size: int | None = None
    """The number of options in a solution, if it is stated."""

    @property
    def infeasible(self) -> bool:
        """Whether some piece or group, or all of them, have no place: there is no solution."""
        met = {option.field for option in self.options}
        return not met or any(
            field.needed and one not in met and not field.start & field.top
            for one, field in enumerate(self.fields)
        )

    @classmethod
    def of(
        cls,
        cover: ExactCover,
        order: Ints,
        worth: Ints | None = None,
        choices: int = 1,
        demand: Sequence[int] | None = None,
    ) -> Options:
        """Return the options of a cover whose cells are filled in an order.

        ``worth`` is the share of each option in a choice, 0 by default. The demands of the items
        are those of the cover by default.
        """
        instance = cover.instance
        cells, classes = len(order), instance.puzzle.piece_classes
        of_cell = [1 << place for place in np.argsort(order).tolist()]
        worths = [0] * cover.columns if worth is None else worth.tolist()
        areas: list[set[int]] = [set() for _ in range(len(classes) + len(instance.free))]
        options = []
        for (*covered, item), value in zip(cover.covered, worths, strict=True):
            if covered and covered[0] < cells:  # otherwise a piece is left out
                options.append(Option(sum(of_cell[cell] for cell in covered), item - cells, value))
                areas[item - cells].add(len(covered))
        fields, begin = [], 0
        demands = (cover.demand if demand is None else demand)[cells : cells + len(areas)]
        spares = (*cover.spare, *(0 for _ in instance.free))
        for place, (some, number, spare) in enumerate(zip(areas, demands, spares, strict=True)):
            width = max(number - 1, 0).bit_length() + 1
            low, top = 1 << begin, 1 << (begin + width - 1)
            needed = not spare
            one = number == 1 and place < len(classes) and needed
            fields.append(
                Field(
                    low,
                    top,
                    top - number * low,
                    tuple(sorted(some)),
                    low,
                    one,
                    needed=needed,
                    least=number - spare if spare else 0,
                )
            )
            begin += width
        options.sort(key=lambda option: option.first)
        near = _near(cover, of_cell, order)
        size = instance.use + len(instance.free) if instance.use else None
        return cls(near, tuple(fields), tuple(options), choices, size)

    @classmethod
    def with_bare_cells(cls, puzzle: Puzzle, k: int) -> tuple[Options, Ints]:
        """Return the options of a puzzle that leaves any k of its cells bare, and their order.

        Leaving a cell uncovered is an option: one for the first such cell in the order of filling,
        one for the second, ... Their fields make a chain, in which each is blocked until the one
        before it is full. So each set of uncovered cells is found once, and its number (`ranks`)
        is a sum over its options.
        """
        # k further single cells, distinct from pieces of one cell
        taken = {piece.name for piece in puzzle.pieces}
        free = (name for name in map("bare{}".format, itertools.count()) if name not in taken)
        lattice = puzzle.board.lattice
        bare = tuple(Piece(name, ((0, 0),), lattice) for name in itertools.islice(free, k))
        use = puzzle.use and puzzle.use + k
        pieces = (*puzzle.pieces, *bare)
        cover = ExactCover(
            Instance(replace(puzzle, pieces=pieces, groups={}, no_flip_pieces=(), use=use))
        )
        order = order_of(cover)
        if k == 0:
            return cls.of(cover, order), order
        classes = cover.instance.puzzle.piece_classes
        single = next(number for number, pieces in enumerate(classes) if bare[0] in pieces)
        demand = cover.demand.copy()
        demand[len(order) + single] -= k
        found = cls.of(cover, order, demand=demand)
        links = [max(field.top for field in found.fields) << step for step in range(1, k + 1)]
        fields = [
            Field(
                link,
                link,
                0 if number == 0 else link,
                (1,),
                link - (2 * link if number < k - 1 else 0),
                times=k - number,
            )
            for number, link in enumerate(links)
        ]
        options = [
            Option(1 << cell, len(found.fields) + number, math.comb(cell, number + 1))
            for number in range(k)
            for cell in range(len(order))
        ]
        if demand[len(order) + single] == 0:
            found = found.only(lambda option: option.field != single)
        options = sorted([*found.options, *options], key=lambda option: option.first)
        every = (*found.fields, *fields)
        # Of the chain, the first field alone counts an option.
        size = found.size and found.size - k + 1
        return cls(found.near, every, tuple(options), math.comb(len(order), k), size), order

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.near)

    @property
    def bits(self) -> int:
        """The number of bits of a word."""
        return max((field.top.bit_length() for field in self.fields), default=0)

    @property
    def root(self) -> int:
        """The word when nothing is covered."""
        return sum(field.start for field in self.fields)

    @property
    def full(self) -> int:
        """The bits that every word of a solution has."""
        return sum(field.top for field in self.fields if field.needed)

    @property
    def wanted(self) -> Callable[[Any], Any] | None:
        """The test of the words of the full board, as truth values; None if all are solutions.

        The bits of full fields are not part of it.
        """
        some = [field for field in self.fields if field.least]
        if not some and self.size is None:
            return None

        def test(words: Any) -> Any:
            at = np.asarray(words, dtype=np.int64)
            right = np.full(at.shape, fill_value=True)
            for field in some:
                right &= field.used(at) >= field.least
            if self.size is not None:
                right &= sum(field.used(at) for field in self.fields) == self.size
            return right

        return test

    def with_field(self, number: int, **changes: Any) -> Options:
        """Return the same options with one field changed."""
        fields = list(self.fields)
        fields[number] = replace(fields[number], **changes)
        return replace(self, fields=tuple(fields))

    def only(self, keep: Callable[[Option], bool]) -> Options:
        """Return some of the options."""
        return replace(self, options=tuple(filter(keep, self.options)))


def _near(cover: ExactCover, of_cell: list[int], order: Ints) -> tuple[int, ...]:
    cells = cover.instance.to_cover
    bits = dict(zip(cells, of_cell, strict=True))
    around = cover.instance.puzzle.board.lattice.neighbours
    return tuple(sum(bits.get(cell, 0) for cell in around(cells[item])) for item in order.tolist())


def order_of(cover: ExactCover) -> Ints:
    """Return the cells in a good order of filling: along rows, columns or diagonals.

    Options reach least far ahead in it, since the number of regions grows with the cells that
    can be covered beyond the first uncovered one. Among similar orders it keeps each group's
    labels together: while some are behind and some ahead, there are twice as many words. On
    the bundled boards a count takes at most 1.4 times as long as in the best order, mostly at
    most 1.1 times. Other orders take two to twenty times as long.
    """
    cells = len(cover.instance.to_cover)
    row, column = np.array(cover.instance.to_cover, dtype=np.int64).reshape(-1, 2).T
    if not cover.columns:
        return np.arange(cells)
    found: list[tuple[int, int, int, Ints]] = []
    for along in (row, column, row + column, row - column):
        across = column if along is row else row
        for sign, turn in itertools.product((1, -1), repeat=2):
            order = np.lexsort((turn * across, sign * along))
            place = np.full(cover.rows, -1)
            place[order] = np.arange(cells)
            places = place[cover.index]
            last = np.maximum.reduceat(places, cover.start[:-1])
            places[cover.start[1:] - 1] = cells  # pieces and groups, which are not cells
            first = np.minimum.reduceat(places, cover.start[:-1])
            groups = cover.index[cover.start[1:] - 1][cover.placements :]
            labels = first[cover.placements :]
            width = sum(np.ptp(labels[groups == group]) for group in np.unique(groups))
            # A piece that is left out reaches nowhere: its last cell is before its first one.
            reach = int(np.maximum(last - first, 0).sum())
            found.append((reach, int(width), len(found), order))
    least = min(reach for reach, *_ in found)
    _, _, order = min(
        (w, -n, order) for reach, w, n, order in found if reach <= SIMILAR_REACH * least
    )
    return order


def ranks(places: Ints) -> Ints:
    """Return the number of each row of ascending places among all such rows, from 0 on.

    This is the combinatorial number system (Knuth, TAOCP 7.2.1.3).
    """
    total = np.zeros(len(places), dtype=np.int64)
    for number, column in enumerate(places.T, start=1):
        table = [math.comb(place, number) for place in range(int(column.max(initial=0)) + 1)]
        total += np.array(table, dtype=np.int64)[column]
    return total
