"""An exact cover in bits, as the depth-first search has it.

A state says what is covered. Every item has one bit in it or, if it is to be
covered d times, a counter that starts at ``2**w - d`` in w bits and a top bit,
which is set when the item is met; options that cover it must find that bit clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip.errors import InputError
from calmip.problem.cover import ExactCover, IntArray

__all__ = ["Bits", "Ints", "Packed", "pack", "words_of"]

BITS = 64

MAX_WORDS = 50_000_000
"""More words than this in the masks of all options are refused."""

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Packed:
    """An exact cover in bits.

    Parameters
    ----------
    masks, deltas
        By option and word: the bits that the option must find clear in a
        state, and what it adds to the state.
    root, full
        The states in which nothing and everything is covered.
    late
        The bits of items that are branched on only if they are forced, or if
        no other is left.
    size
        The most options in a solution.
    """

    masks: Bits
    deltas: Bits
    root: Bits
    full: Bits
    late: Bits
    size: int


def words_of(cover: ExactCover) -> Packed:
    """Return the exact cover of an instance in bits.

    Free groups are branched on late: a label cuts little off the rest, which
    is then searched anew for each label.
    """
    cells = len(cover.instance.to_cover)
    groups = range(cover.rows - len(cover.instance.free), cover.rows)
    size = int(cover.demand[cells:].sum())  # each option covers one piece or one group
    return pack(cover.start, cover.index, cover.demand, late=groups, size=size)


def pack(
    start: IntArray, index: IntArray, demand: IntArray, *, late: Sequence[int], size: int
) -> Packed:
    """Return any exact cover in bits.

    Parameters
    ----------
    start, index
        Option j covers the items ``index[start[j]:start[j + 1]]``.
    demand
        How often each item must be covered, at least once.
    late
        Items that are branched on late. Those with a demand above 1 always are.
    size
        The most options in a solution; the sum of all demands is never too low.

    Raises
    ------
    InputError
        If the words would take more memory than is sensible.
    """
    options, items = len(start) - 1, len(demand)
    low, top = _fields(demand)
    words = int(top.max(initial=0)) // BITS + 1
    if options * words > MAX_WORDS:
        raise InputError(
            f"{options:,} options of {items:,} items are too many for the exact-cover "
            "search; use a smaller board or fewer pieces"
        )
    owner = np.repeat(np.arange(options), np.diff(start))
    masks = deltas = _set(owner, top[index], options, words)
    if not np.array_equal(low, top):
        deltas = _set(owner, low[index], options, words)
    root = np.zeros(words, dtype=np.uint64)
    begin = (1 << (top - low)) - demand.astype(np.int64)
    np.bitwise_or.at(root, low // BITS, begin.astype(np.uint64) << (low % BITS).astype(np.uint64))
    everything = np.zeros(items, dtype=np.int64)
    delayed = np.array([*late, *np.flatnonzero(demand > 1)], dtype=np.int64)
    return Packed(
        masks=masks,
        deltas=deltas,
        root=root,
        full=_set(everything, top, 1, words)[0],
        late=_set(everything[delayed], top[delayed], 1, words)[0],
        size=size,
    )


def _fields(demand: IntArray) -> tuple[Ints, Ints]:
    """Return the lowest and the top bit of each item's field, none across two words."""
    widths = [max(number - 1, 0).bit_length() + 1 for number in demand.tolist()]
    low, end = [], 0
    for width in widths:
        if end % BITS + width > BITS:
            end += BITS - end % BITS
        low.append(end)
        end += width
    first = np.array(low, dtype=np.int64)
    return first, first + np.array(widths, dtype=np.int64) - 1


def _set(owner: Ints, bit: Ints, owners: int, words: int) -> Bits:
    """Return for every owner the words in which its bits are set."""
    found = np.zeros((owners, words), dtype=np.uint64)
    np.bitwise_or.at(found, (owner, bit // BITS), np.uint64(1) << (bit % BITS).astype(np.uint64))
    return found
