"""All solutions of the exact cover of an instance, by a compiled search without any solver.

`calmip.mip.packed_cover` has the search. Equal pieces share one item with a demand, so every
picture is found once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import kernel
from calmip.mip.packed_cover import Packed, pack, walk
from calmip.puzzle.cover import ExactCover

__all__ = ["Search", "Swaps", "count_few", "solution_soon", "solutions", "words_of"]


def words_of(cover: ExactCover) -> Packed:
    """Return the exact cover of an instance in bits.

    Free groups are branched on late: a label prunes little, and the rest is searched
    again for each label. So are the rules on pieces left out.
    """
    cells = len(cover.instance.to_cover)
    late = range(cells + len(cover.spare), cover.rows)
    # Each option covers one piece or one group, but for one that limits equal pieces left out.
    size = _pieces_and_labels(cover) + sum(spare > 1 for spare in cover.spare)
    return pack(cover.covered, cover.demand, late=late, size=size)


def _pieces_and_labels(cover: ExactCover) -> int:
    """Return the number of pieces, used or left out, and of free groups."""
    return len(cover.instance.puzzle.pieces) + len(cover.instance.free)


MAX_BUFFERED_SOLUTIONS = 4096
"""The most solutions that wait in the buffer."""

LOOKAHEAD_OPTIONS = 200_000
"""Options looked at for one more solution than was asked for, half a millisecond."""


class Search:
    """An exact-cover search: iterate over it for the solutions, then read its attributes.

    Each solution is the ascending list of the numbers of its options.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        The most solutions; no limit by default.
    clock
        Stop when its time limit in seconds is reached; no limit by default.
    node_limit
        The most nodes; no limit by default.

    Attributes
    ----------
    complete : bool
        Whether it is proved that there are no further solutions.
    nodes : int
        The options placed so far.
    """

    def __init__(
        self,
        cover: ExactCover,
        *,
        limit: int | None = None,
        clock: Deadline = ENDLESS,
        node_limit: float = math.inf,
    ) -> None:
        self.complete = False
        self.nodes = 0
        self._cover, self._limit, self._clock = cover, limit, clock
        self._node_limit = node_limit

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the option numbers of each solution, ascending, in a fixed order."""
        self.complete, self.nodes = False, 0
        left = math.inf if self._limit is None else self._limit
        search = walk(words_of(self._cover))
        while left > 0 and not search.finished:
            block = search.step(int(min(left, MAX_BUFFERED_SOLUTIONS)))
            self.nodes = search.nodes
            left -= len(block)
            yield from map(sorted, block)
            if self.nodes > self._node_limit or (
                self._clock.over and left > 0 and not search.finished
            ):
                return
        # A short search shows whether those were all.
        more = not search.finished and len(search.step(1, LOOKAHEAD_OPTIONS)) > 0
        self.complete = search.finished and not more


def solutions(cover: ExactCover, *, limit: int | None = None) -> Iterator[list[int]]:
    """Yield solutions as they are found: the numbers of the options chosen, ascending."""
    return iter(Search(cover, limit=limit))


SOON_OPTIONS = 1_000_000
"""Options tried in some ten milliseconds, the time of a dive of HiGHS."""

IMPORT_SOLUTIONS, IMPORT_OPTIONS = 10_000, 40_000_000
"""Solutions, and options tried, in the time of an import of numpy."""


def count_few(cover: ExactCover) -> int | None:
    """Return the number of solutions if they are few and soon found, or None.

    The effort is measured in steps, not by a clock. Unlike a count by regions
    (`calmip.puzzle.search.exact_cover.counting`), this one needs no numpy.
    """
    if kernel.library() is None:
        return None
    search = walk(words_of(cover))
    found = len(search.step(IMPORT_SOLUTIONS, IMPORT_OPTIONS))
    return found if search.finished else None


def solution_soon(cover: ExactCover) -> list[int]:
    """Return the options of the first solution if it is found in milliseconds, or none.

    The effort is measured in steps, not by a clock, so that the same instance has the same one.
    """
    if kernel.library() is None:
        return []
    found = walk(words_of(cover)).step(1, SOON_OPTIONS)
    return sorted(found[0]) if found else []


class Swaps:
    """Find further solutions that differ from a given one in a few options.

    Two neighbouring pieces that make a symmetric region, or five whose region has
    another tiling, give a further tiling without a solver. The exact-cover search
    covers each region.

    Parameters
    ----------
    cover
        The exact cover.
    size
        The most options to exchange. At most three quarters of a solution are exchanged, as
        more would amount to the whole search.

    Attributes
    ----------
    size : int
        The size of the neighbourhood. No solution that differs in at most ``size`` options is
        missed.
    """

    def __init__(self, cover: ExactCover, *, size: int) -> None:
        self._words = words_of(cover)
        self.size = min(size, 3 * _pieces_and_labels(cover) // 4)

    def of(self, solution: Sequence[int]) -> Iterator[list[int]]:
        """Yield the other solutions in which at most ``size`` options differ, ascending."""
        words, every = self._words, set(solution)
        seen = {tuple(solution)}
        for leaving in combinations(solution, self.size) if self.size else ():
            # The cover of the others: that of a solution, without the part that these add.
            search = walk(words, words.full - sum(words.deltas[option] for option in leaving))
            staying = every.difference(leaving)
            while not search.finished:
                for entering in search.step(256):
                    found = tuple(sorted([*staying, *entering]))
                    # One of equal pieces is left out by one option, which fits as long as others
                    # of them may enter; it is chosen once.
                    if found not in seen and staying.isdisjoint(entering):
                        seen.add(found)
                        yield list(found)
