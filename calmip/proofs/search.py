"""A plain exact-cover search that tells of every step, so that others can check it.

It branches on the item with the fewest options left [1]_ and knows no other
trick: what it leaves out must follow by unit propagation, the one rule that
every checker of proofs has.

References
----------
.. [1] D. E. Knuth, "Dancing links", 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from calmip.problem.cover import ExactCover

__all__ = ["Log", "explore"]


class Log(Protocol):
    """What wants to hear of the search, in the order in which things happen."""

    def node(self, item: int, options: Sequence[int]) -> None:
        """Hear the item that is branched on next, and all its options that are left.

        The subtrees of the options follow in this order. If the options are
        fewer than the item still demands, the branch is closed, and no
        subtree follows.
        """

    def tiling(self, options: Sequence[int]) -> None:
        """Hear a solution, which is a node by itself."""

    def closed(self, decisions: Sequence[int]) -> None:
        """Hear that every solution with these options has been told.

        The options are those that were chosen among several; the others
        follow from them by unit propagation. The last call has none.
        """


def explore(
    cover: ExactCover, logs: Sequence[Log], progress: Callable[[int], None] = lambda _: None
) -> int:
    """Search a cover to the end and tell the logs every step.

    Parameters
    ----------
    cover
        The exact cover.
    logs
        They hear the same calls, one after the other.
    progress
        Called with the number of nodes so far.

    Returns
    -------
    int
        The number of solutions.
    """
    search = _Search(cover, logs, progress)
    search.visit((1 << cover.columns) - 1, list(range(cover.rows)), ())
    for log in logs:
        log.closed(())
    return search.found


class _Search:
    """The state of a search; sets of options are the bits of whole numbers."""

    def __init__(
        self, cover: ExactCover, logs: Sequence[Log], progress: Callable[[int], None]
    ) -> None:
        self.found = 0
        self._nodes = 0
        self._logs = logs
        self._progress = progress
        self._left: list[int] = cover.demand.copy()
        self._items = [cover.items_of(option) for option in range(cover.columns)]
        self._options = [sum(1 << option for option in some) for some in cover.options_of()]
        self._others = [~options for options in self._options]
        self._chosen: list[int] = []

    def visit(self, alive: int, bare: list[int], decisions: tuple[int, ...]) -> None:
        """Tell everything below a node.

        Parameters
        ----------
        alive
            The options that can still be chosen.
        bare
            The items that are not yet covered as often as they must be.
        decisions
            The chosen options that were not the only ones left.
        """
        self._nodes += 1
        self._progress(self._nodes)
        if not bare:
            self.found += 1
            for log in self._logs:
                log.tiling(self._chosen)
            return
        item, options = self._branch(alive, bare)
        for log in self._logs:
            log.node(item, options)
        if len(options) < self._left[item]:
            return
        for option in options:
            path = (*decisions, option) if len(options) > 1 else decisions
            self._choose(option, alive, bare, path)
            if len(options) > 1:
                for log in self._logs:
                    log.closed(path)

    def _choose(self, option: int, alive: int, bare: list[int], path: tuple[int, ...]) -> None:
        covered, left = self._items[option], self._left
        for item in covered:
            left[item] -= 1
            if not left[item]:
                alive &= self._others[item]
        self._chosen.append(option)
        self.visit(alive, [item for item in bare if left[item]], path)
        self._chosen.pop()
        for item in covered:
            left[item] += 1

    def _branch(self, alive: int, bare: list[int]) -> tuple[int, list[int]]:
        """Return the item with the fewest options, one that lacks options if there is any.

        An item that wants several more options is no place to branch: the
        same choice would be met in several orders. A cell wants one, and as
        long as options are left there is a bare cell.
        """
        options, left = self._options, self._left
        fewest, best = len(self._items) + 1, bare[0]
        for item in bare:
            number = (alive & options[item]).bit_count()
            if number < left[item]:
                best = item
                break
            if number < fewest and left[item] == 1:
                fewest, best = number, item
        return best, _bits(alive & options[best])


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
