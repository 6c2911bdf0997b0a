"""Solutions that differ from a given one in a few options only: all of them, quickly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from calmip.problem.cover import ExactCover

__all__ = ["Swaps"]

ROOM = 256
"""Solutions that wait in the buffer at most."""


class Swaps:
    """Find further solutions by covering again what a few options of one cover.

    Two neighbouring pieces that make a symmetric region, or five whose region
    can be tiled another way, give a further tiling without a solver. The
    compiled exact-cover search covers each region.

    Parameters
    ----------
    cover
        The exact cover.
    size
        How many options are exchanged at most. More than three quarters of a
        solution are never exchanged: that would be the whole search by
        another name.

    Attributes
    ----------
    size : int
        How many options are exchanged indeed. No solution that differs in so
        many options or fewer is missed.
    """

    def __init__(self, cover: ExactCover, *, size: int) -> None:
        from calmip.search.exact_cover.words import words_of

        self._words = words_of(cover)
        self.size = min(size, 3 * self._words.size // 4)

    def of(self, solution: Sequence[int]) -> Iterator[list[int]]:
        """Yield the other solutions in which at most ``size`` options differ, ascending."""
        seen = {tuple(solution)}
        every = set(solution)
        for leaving in combinations(solution, self.size) if self.size else ():
            for entering in self._covers(leaving):
                found = tuple(sorted([*every.difference(leaving), *entering]))
                if found not in seen:
                    seen.add(found)
                    yield list(found)

    def _covers(self, leaving: Sequence[int]) -> Iterator[list[int]]:
        """Yield every way to cover again what these options of a solution cover."""
        from calmip.search.exact_cover.search import walk

        words = self._words
        # What the others cover: all that a solution does, but for what these add.
        bare = words.full - sum(words.deltas[option] for option in leaving)
        search = walk(words, bare)
        while not search.finished:
            yield from search.step(ROOM)
