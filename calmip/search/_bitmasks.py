"""An exact cover as bitmasks: which bit is which item, and which options come when.

The cells come first, in the order in which a search fills them, then pieces
and groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from calmip.cover import ExactCover, IntArray
from calmip.lattice import Cell
from calmip.search._kernel import BITS, vector

__all__ = ["Masks", "Rows", "orders", "pack"]

MAX_ENTRIES = 1_500_000
"""The buckets hold at most about so many entries; with more, they would leave the caches."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """The arrays of an exact cover, apart from what they mean.

    Parameters
    ----------
    start, index
        Option j covers the items ``index[start[j]:start[j + 1]]``.
    demand
        How often each item must be covered; cells once.
    cells
        The places of the items that are cells; those come first.
    """

    start: IntArray
    index: IntArray
    demand: IntArray
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, cover: ExactCover) -> Rows:
        """Return the arrays of a cover."""
        return cls(cover.start, cover.index, cover.demand, cover.instance.to_cover)

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
    first: Any
    masks: Any
    option: Any
    counter: Any
    demand: Any
    full: Any

    def root(self) -> list[int]:
        """Return the state in which nothing is covered."""
        return [0] * self.words


def orders(cells: tuple[Cell, ...]) -> list[Ints]:
    """Return the orders in which to fill cells: along rows, columns and diagonals, both ways."""
    row, column = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    found: list[Ints] = []
    for along in (row, column, row + column, row - column):
        for across in (column if along is row else row, -column if along is row else -row):
            found.extend(np.lexsort((across, sign * along)) for sign in (1, -1))
    return found


def pack(rows: Rows, order: Ints, peek: int | None = None) -> Masks:
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
    cells, items, options = len(order), len(rows.demand), len(rows.start) - 1
    words = max(1, -(-items // BITS))
    place = np.arange(items)
    place[order] = np.arange(cells)
    bit = place[rows.index]
    masks = np.zeros((options, words), dtype=np.int64)
    owner = np.repeat(np.arange(options), np.diff(rows.start))
    np.bitwise_or.at(masks, (owner, bit // BITS), np.int64(1) << (bit % BITS))
    lead = np.full(options, items)
    np.minimum.at(lead, owner, bit)
    if peek is None:
        peek = 6 if options <= 5_000 else 3 if options <= 50_000 else 0
    pattern = np.arange(1 << peek)[:, None]
    first, entries = [np.zeros(1, dtype=np.int64)], []
    ahead = masks[np.arange(options), lead // BITS] >> (lead % BITS) >> 1
    by_lead = np.argsort(lead, kind="stable")
    bounds = np.searchsorted(lead[by_lead], np.arange(cells + 1))
    for cell in range(cells):
        here = by_lead[bounds[cell] : bounds[cell + 1]]
        fits = (pattern & ahead[here]) == 0
        entries.append(here[np.nonzero(fits)[1]])
        first.append(first[-1][-1] + np.cumsum(fits.sum(axis=1)))
    option = np.concatenate(entries) if entries else np.zeros(0, dtype=np.int64)
    last = rows.index[rows.start[1:] - 1]
    equal = rows.demand > 1
    counter = np.where(equal[last], last, -1)
    full = np.zeros(words, dtype=np.int64)
    np.bitwise_or.at(full, np.arange(items) // BITS, np.int64(1) << (np.arange(items) % BITS))
    return Masks(
        words=words,
        cells=cells,
        peek=peek,
        chosen=rows.chosen,
        first=vector(np.concatenate(first)),
        masks=vector(masks[option].ravel()),
        option=vector(option),
        counter=vector(counter[option]),
        demand=vector(rows.demand if equal.any() else []),
        full=vector(full),
    )
