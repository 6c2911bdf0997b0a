"""Solutions that differ from a given one in a few options only: all of them, quickly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

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
        from calmip.search.exact_cover import _bitmasks, _kernel

        rows = _bitmasks.Rows.of(cover)
        self._masks = _bitmasks.pack(rows, _bitmasks.orders(rows.cells)[0], peek=0)
        self.size = min(size, 3 * self._masks.chosen // 4)
        self._entry = np.argsort(np.asarray(self._masks.option))
        self._full = np.asarray(self._masks.full)
        words = self._masks.words
        self._deltas = np.asarray(self._masks.deltas).reshape(-1, words)
        self._search = _kernel.depth_first(words)
        self._out = _kernel.zeros(ROOM * max(self.size, 1))

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
        from calmip.search.exact_cover import _kernel

        masks, size = self._masks, len(leaving)
        used = _kernel.zeros((size + 2) * masks.words)
        # What the others cover: all that a solution does, but for what these add.
        bare = self._full - self._deltas[self._entry[list(leaving)]].sum(axis=0)
        used[: masks.words] = _kernel.vector(bare)
        at, end, state = map(_kernel.zeros, (size + 1, size + 1, 3))
        first = _first_bare(bare.tolist(), _kernel.BITS)
        at[0], end[0] = masks.first[first], masks.first[first + 1]
        result = _kernel.MORE
        while result != _kernel.DONE:
            result = self._search(
                masks.first,
                masks.masks,
                masks.deltas,
                masks.option,
                masks.full,
                used,
                at,
                end,
                self._out,
                state,
                masks.cells,
                masks.peek,
                _kernel.BUDGET,
            )
            found = np.array(self._out[: int(state[2]) * size], dtype=np.int64)
            yield from found.reshape(-1, size).tolist()


def _first_bare(words: Sequence[int], bits: int) -> int:
    """Return the place of the lowest bit that is clear."""
    place = 0
    for word in words:
        if word != (1 << bits) - 1:
            return place + (~word & (word + 1)).bit_length() - 1
        place += bits
    return place
