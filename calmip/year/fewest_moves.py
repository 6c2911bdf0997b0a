"""The chain of tilings, one of each day, in which the fewest pieces move from day to day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAIRS_PER_STEP = 1 << 22
"""The pairs of tilings that are compared at once."""

NONE = -1
"""The placement of a piece that a tiling leaves out."""


@dataclass(frozen=True)
class Chain:
    """A chain of tilings with the fewest moves.

    Parameters
    ----------
    tilings
        The tiling of each day, by its place in the pool; None on a day without any.
    moves
        The number of pieces that move.
    bound
        The sum, over the changes from day to day, of the fewest pieces that move in one alone.
        No chain has fewer moves.
    """

    tilings: tuple[int | None, ...]
    moves: int
    bound: int


def shortest_chain(
    pools: Sequence[NDArray[np.int32]],
    groups: Sequence[Sequence[int]],
    *,
    report: Callable[[int], None] = lambda _: None,
) -> Chain:
    """Return a shortest path through the pools of all tilings, a layer of a graph for each day.

    The length of an arc is the number of pieces that lie elsewhere on the next day. Days without
    a tiling are passed over. Of several shortest paths the result is the one that ends in the
    first tiling, and comes from the first one each time. The arithmetic is in whole numbers.

    Parameters
    ----------
    pools
        For each day an array of tilings by pieces: the number of the cells on which each piece
        lies, equal numbers for equal cells, or -1 where it is left out.
    groups
        The columns of equal pieces, which may take each other's cells without a move.
    report
        Called with the number of finished days.
    """
    import numpy as np

    layers = [(day, pool) for day, pool in enumerate(pools) if len(pool)]
    chain: list[int | None] = [None] * len(pools)
    if not layers:
        return Chain(tuple(chain), 0, 0)
    length = np.zeros(len(layers[0][1]), np.int32)
    bound, came = 0, list[Any]()
    for done, ((_, before), (_, after)) in enumerate(pairwise(layers), start=1):
        best = np.empty(len(after), np.int32)
        source = np.empty(len(after), np.int32)
        least = np.iinfo(np.int32).max
        for first, moved in _moved(before, after, groups):
            part = slice(first, first + moved.shape[1])
            least = min(least, int(moved.min()))
            total = length[:, None] + moved
            source[part] = total.argmin(axis=0)
            best[part] = total.min(axis=0)
        bound += int(least)
        length, came = best, [*came, source]
        report(done)
    at = int(length.argmin())
    moves = int(length[at])
    for (day, _), source in zip(reversed(layers[1:]), reversed(came), strict=True):
        chain[day], at = at, int(source[at])
    chain[layers[0][0]] = at
    return Chain(tuple(chain), moves, bound)


def _moved(
    before: NDArray[np.int32], after: NDArray[np.int32], groups: Sequence[Sequence[int]]
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Yield the number of pieces that move from each tiling of a day to each of the next, in parts.

    A part has the place of its first column, a tiling of the next day.
    """
    import numpy as np

    step = max(1, PAIRS_PER_STEP // len(before))
    for first in range(0, len(after), step):
        part = after[first : first + step]
        pieces = (part != NONE).sum(axis=1, dtype=np.int32)
        moved = np.repeat(pieces[None, :], len(before), axis=0)
        for columns in groups:
            for old in columns:
                for new in columns:
                    # Cells are covered once, so a piece is kept by one of its equals at most.
                    same = before[:, old, None] == part[None, :, new]
                    moved -= same & (part[None, :, new] != NONE)
        yield first, moved
