"""An exact cover in bits, as the depth-first search has it.

A state says what is covered. Every item has one bit in it or, if it is to be
covered d times, a counter that starts at ``2**w - d`` in w bits and a top bit,
which is set when the item is met; options that cover it must find that bit clear.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calmip.errors import InputError
from calmip.problem.cover import ExactCover

__all__ = ["Packed", "pack", "words_of"]

BITS = 64

MAX_WORDS = 50_000_000
"""More words than this in the masks of all options are refused."""


@dataclass(frozen=True, eq=False)
class Packed:
    """An exact cover in bits: whole numbers, which the compiled search cuts into words.

    Parameters
    ----------
    masks, deltas
        For every option the bits that it must find clear in a state, and what
        it adds to the state.
    root, full
        The states in which nothing and everything is covered.
    late
        The bits of items that are branched on only if they are forced, or if
        no other is left.
    size
        The most options in a solution.
    words
        The words of 64 bits of a state; no item has bits in two of them.
    """

    masks: list[int]
    deltas: list[int]
    root: int
    full: int
    late: int
    size: int
    words: int


def words_of(cover: ExactCover) -> Packed:
    """Return the exact cover of an instance in bits.

    Free groups are branched on late: a label cuts little off the rest, which
    is then searched anew for each label.
    """
    cells = len(cover.instance.to_cover)
    groups = range(cover.rows - len(cover.instance.free), cover.rows)
    size = sum(cover.demand[cells:])  # each option covers one piece or one group
    return pack(cover.covered, cover.demand, late=groups, size=size)


def pack(
    covered: Collection[Sequence[int]], demand: Sequence[int], *, late: Sequence[int], size: int
) -> Packed:
    """Return any exact cover in bits.

    Parameters
    ----------
    covered
        For every option the items that it covers.
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
    low, top = _fields(demand)
    words = max(top, default=0) // BITS + 1
    if len(covered) * words > MAX_WORDS:
        raise InputError(
            f"{len(covered):,} options of {len(demand):,} items are too many for the exact-cover "
            "search; use a smaller board or fewer pieces"
        )
    tops, lows = [1 << bit for bit in top], [1 << bit for bit in low]
    masks = deltas = [sum(tops[item] for item in items) for items in covered]
    if low != top:
        deltas = [sum(lows[item] for item in items) for items in covered]
    starts = zip(low, top, demand, strict=True)
    delayed = {*late, *(item for item, number in enumerate(demand) if number > 1)}
    return Packed(
        masks=masks,
        deltas=deltas,
        root=sum(((1 << (last - first)) - number) << first for first, last, number in starts),
        full=sum(tops),
        late=sum(tops[item] for item in delayed),
        size=size,
        words=words,
    )


def _fields(demand: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the lowest and the top bit of each item's field, none across two words."""
    low, top, end = [], [], 0
    for number in demand:
        width = max(number - 1, 0).bit_length() + 1
        if end % BITS + width > BITS:
            end += BITS - end % BITS
        low.append(end)
        end += width
        top.append(end - 1)
    return low, top
