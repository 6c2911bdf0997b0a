"""An exact cover as bitmasks: which bit is which item, and which options come when.

The cells have the lowest bits, in the order in which a search fills them. Each
further item (a piece, a free group) has a field: a counter that starts at
2**w - demand, in w low bits, so that its top bit is set when the demand is met
and options that cover the item must find that bit clear. With demand 1 the
field is one bit, like a cell's.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from calmip.errors import InputError
from calmip.problem.board import Piece
from calmip.problem.cover import ExactCover, IntArray
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.puzzle import Puzzle
from calmip.search.exact_cover._kernel import BITS, vector

__all__ = ["Masks", "Rows", "orders", "pack", "ranks"]

MAX_WORDS = 50_000_000
"""More words than this in the masks of all options are refused."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """The arrays of an exact cover, apart from what they mean.

    Parameters
    ----------
    start, index
        Option j covers the items ``index[start[j]:start[j + 1]]``: cells, and
        as the last one a piece or a group.
    demand
        How often each item must be covered; cells once.
    cells
        The places of the items that are cells; those come first.
    worth
        What each option adds to the number of a choice of labels.
    chain
        So many of the last items are met one after the other, in the order of
        filling; see `with_bare_cells`.
    """

    start: IntArray
    index: IntArray
    demand: IntArray
    cells: tuple[Cell, ...]
    worth: Ints
    chain: int = 0

    @classmethod
    def of(cls, cover: ExactCover, worth: Ints | None = None) -> Rows:
        """Return the arrays of a cover; by default all choices are worth 0."""
        if worth is None:
            worth = np.zeros(cover.columns, dtype=np.int64)
        return cls(cover.start, cover.index, cover.demand, cover.instance.to_cover, worth)

    @classmethod
    def with_bare_cells(cls, puzzle: Puzzle, k: int) -> Rows:
        """Return the arrays of a puzzle that leaves any k cells bare.

        To leave a cell bare is an option: one for the first such cell in the
        order of filling, one for the second, ... They make a chain of items,
        so that each set of bare cells is found once and its number (see
        `ranks`) is a sum over its options.
        """
        # k single cells more, to be taken apart from single cells that are pieces.
        taken = {piece.name for piece in puzzle.pieces}
        free = (name for name in map("bare{}".format, itertools.count()) if name not in taken)
        lattice = puzzle.board.lattice
        bare = tuple(Piece(name, ((0, 0),), lattice) for name in itertools.islice(free, k))
        cover = ExactCover(
            Instance(replace(puzzle, pieces=(*puzzle.pieces, *bare), groups={}, no_flip_pieces=()))
        )
        if k == 0:
            return cls.of(cover)
        cells = cover.instance.to_cover
        single = next(
            len(cells) + number
            for number, pieces in enumerate(cover.instance.puzzle.piece_classes)
            if bare[0] in pieces
        )
        demand = np.concatenate([cover.demand, np.ones(k, dtype=np.int32)])
        demand[single] -= k
        link = np.repeat(np.arange(cover.rows, cover.rows + k), len(cells))
        pairs = np.column_stack([np.tile(np.arange(len(cells)), k), link]).astype(np.int32)
        start = np.concatenate([cover.start, cover.nonzeros + 2 * np.arange(1, len(pairs) + 1)])
        index = np.concatenate([cover.index, pairs.ravel()])
        return cls(start, index, demand, cells, np.zeros(len(start) - 1, dtype=np.int64), k)

    @property
    def chosen(self) -> int:
        """How many options every solution has: each covers one piece or one group."""
        return int(self.demand[len(self.cells) :].sum())


@dataclass(frozen=True)
class Masks:
    """Buckets of entries for the loops in ``_kernel``; its arguments are described there."""

    words: int
    cells: int
    peek: int
    chosen: int
    widest: int
    root: Any
    full: Any
    first: Any
    masks: Any
    deltas: Any
    option: Any
    worth: Any


def orders(cells: tuple[Cell, ...]) -> list[Ints]:
    """Return the orders in which to fill cells: along rows, columns and diagonals, both ways."""
    row, column = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    found: list[Ints] = []
    for along in (row, column, row + column, row - column):
        across = column if along is row else row
        for sign in (1, -1):
            # Two that differ across only are alike, so they stand side by side.
            found.extend(np.lexsort((turn * across, sign * along)) for turn in (1, -1))
    return found


def _fields(demand: IntArray, begin: int) -> tuple[Ints, Ints, int]:
    """Return the lowest and the top bit of each field, none across two words, and the end."""
    low, top = [], []
    for number in demand.tolist():
        width = max(number - 1, 0).bit_length() + 1
        if begin % BITS + width > BITS:
            begin += BITS - begin % BITS
        low.append(begin)
        begin += width
        top.append(begin - 1)
    return np.array(low, dtype=np.int64), np.array(top, dtype=np.int64), begin


def pack(rows: Rows, order: Ints, *, peek: int | None = None) -> Masks:
    """Return the bitmasks of an exact cover whose cells are filled in an order.

    Parameters
    ----------
    rows
        The exact cover.
    order
        The cells' item numbers in the order of filling.
    peek
        Every cell has ``2 ** peek`` buckets, one for each pattern of the
        cells that follow it in the order; a bucket leaves out what its
        pattern forbids. By default, what pays.
    """
    cells, options = len(order), len(rows.start) - 1
    low, top, bits = _fields(rows.demand[cells:], cells)
    words = -(-bits // BITS)
    place = np.concatenate([np.empty(cells, dtype=np.int64), top])
    place[order] = np.arange(cells)
    if options * words > MAX_WORDS:
        raise InputError(
            f"{options:,} options of {len(rows.demand):,} items are too many for the exact-cover "
            "search; use a smaller board or fewer pieces"
        )
    owner = np.repeat(np.arange(options), np.diff(rows.start))
    masks = deltas = _words(owner, place[rows.index], options, words)
    if rows.chain or not np.array_equal(low, top):
        unit = np.concatenate([place[:cells], low])
        deltas = _words(owner, unit[rows.index], options, words)
    lead = np.minimum.reduceat(place[rows.index], rows.start[:-1]) if options else place[:0]
    root = np.zeros(words, dtype=np.int64)
    demand = rows.demand[cells:].astype(np.int64)
    np.add.at(root, low // BITS, ((np.int64(1) << (top - low)) - demand) << (low % BITS))
    worth = rows.worth
    if rows.chain:
        worth = _chain(rows, place, root, deltas)
    if peek is None:
        peek = 6 if options <= 5_000 else 3 if options <= 50_000 else 0
    entry, size = _buckets(masks, lead, cells, peek)
    full = _words(np.zeros(len(place), dtype=np.int64), place, 1, words)
    packed = vector(masks[entry].ravel())
    return Masks(
        words=words,
        cells=cells,
        peek=peek,
        chosen=rows.chosen,
        widest=int(size.max(initial=0)),
        root=vector(root),
        full=vector(full.ravel()),
        first=vector(np.concatenate([[0], np.cumsum(size)])),
        masks=packed,
        deltas=packed if deltas is masks else vector(deltas[entry].ravel()),
        option=vector(entry),
        worth=vector(worth[entry]),
    )


def _buckets(masks: Ints, lead: Ints, cells: int, peek: int) -> tuple[Ints, Ints]:
    """Return the options of all buckets, one bucket after the other, and the buckets' sizes."""
    by_lead = np.argsort(lead, kind="stable")
    size = np.bincount(lead, minlength=cells)
    if peek == 0:
        return by_lead, size
    pattern = np.arange(1 << peek)[:, None]
    ahead = masks[by_lead, lead[by_lead] // BITS] >> (lead[by_lead] % BITS) >> 1
    entries, sizes = [by_lead[:0]], [size[:0]]
    end = 0
    for number in size.tolist():
        begin, end = end, end + number
        fits = (pattern & ahead[begin:end]) == 0
        entries.append(by_lead[begin:end][np.nonzero(fits)[1]])
        sizes.append(fits.sum(axis=1))
    return np.concatenate(entries), np.concatenate(sizes)


def _chain(rows: Rows, place: Ints, root: Ints, deltas: Ints) -> Ints:
    """Block all links of the chain but the first, each till the one before; return the worths."""
    links = place[len(place) - rows.chain :]
    np.bitwise_or.at(root, links[1:] // BITS, np.int64(1) << (links[1:] % BITS))
    worth = rows.worth.copy()
    for number, following in enumerate([*links[1:], None], start=1):
        options = np.nonzero(place[rows.index[rows.start[1:] - 1]] == links[number - 1])[0]
        if following is not None:
            deltas[options, following // BITS] -= np.int64(1) << (following % BITS)
        worth[options] = _choose(place[rows.index[rows.start[options]]], number)
    return worth


def _choose(above: Ints, below: int) -> Ints:
    """Return binomial coefficients; those too large for any choice that counts are cut."""
    table = [min(math.comb(n, below), np.iinfo(np.int64).max) for n in range(above.max() + 1)]
    return np.array(table, dtype=np.int64)[above]


def ranks(places: Ints) -> Ints:
    """Return the number of each row of ascending places among all such rows, from 0 on.

    This is the combinatorial number system: the sum of place over 1, place
    over 2, ... (Knuth, TAOCP 7.2.1.3).
    """
    total = np.zeros(len(places), dtype=np.int64)
    for number, column in enumerate(places.T, start=1):
        total += _choose(column, number)
    return total


def _words(owner: Ints, bit: Ints, owners: int, words: int) -> Ints:
    """Return for every owner the words in which its bits are set."""
    found = np.zeros((owners, words), dtype=np.int64)
    np.bitwise_or.at(found, (owner, bit // BITS), np.int64(1) << (bit % BITS))
    return found
