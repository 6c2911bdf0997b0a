"""Solutions that differ from a given one in a few options only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from calmip.cover import ExactCover

__all__ = ["Swaps"]


class Swaps:
    """Find further solutions by covering again what a few options of one cover.

    Two neighbouring pieces that make a symmetric region, or three whose region
    can be tiled another way, give a further tiling without a solver.

    Parameters
    ----------
    cover
        The exact cover.
    size
        How many options are exchanged at most.
    """

    def __init__(self, cover: ExactCover, *, size: int) -> None:
        self._size = size
        self._items = [frozenset(cover.items_of(option)) for option in range(cover.columns)]
        # The item that says what kind of option it is, a piece or a group, is
        # the last one; cells come before it.
        self._kind = [max(items) for items in self._items]
        self._cells = [
            sum(1 << item for item in items if item != kind)
            for items, kind in zip(self._items, self._kind, strict=True)
        ]
        self._of_kind: dict[int, list[int]] = {}
        for option, kind in enumerate(self._kind):
            self._of_kind.setdefault(kind, []).append(option)

    def of(self, solution: Sequence[int]) -> Iterator[list[int]]:
        """Yield the other solutions in which at most ``size`` options differ, ascending."""
        size = min(self._size, len(solution))
        seen = {tuple(solution)}
        for leaving in combinations(solution, size):
            region = 0
            for option in leaving:
                region |= self._cells[option]
            kinds = sorted(self._kind[option] for option in leaving)
            candidates = {
                kind: [
                    option for option in self._of_kind[kind] if not self._cells[option] & ~region
                ]
                for kind in set(kinds)
            }
            kept = [option for option in solution if option not in leaving]
            for entering in self._covers(region, kinds, candidates):
                found = tuple(sorted([*kept, *entering]))
                if found not in seen:
                    seen.add(found)
                    yield list(found)

    def _covers(
        self, region: int, kinds: list[int], candidates: dict[int, list[int]]
    ) -> Iterator[list[int]]:
        """Yield every way to cover a region with one option of each of these kinds."""
        if not kinds:
            if not region:
                yield []
            return
        first = region & -region
        for place, kind in enumerate(kinds):
            if kind in kinds[:place]:
                continue
            rest = kinds[:place] + kinds[place + 1 :]
            for option in candidates[kind]:
                cells = self._cells[option]
                if cells & first and not cells & ~region:
                    for others in self._covers(region & ~cells, rest, candidates):
                        yield [option, *others]
