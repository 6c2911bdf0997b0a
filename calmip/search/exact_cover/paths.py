"""Counting the paths of a graph by their choices, in the middle of which two lists meet.

States are numbered so that every edge leads to a smaller number; state 0 is the
end (or the first few states are ends) and the last state the beginning. A path
has a choice, the sum of what its edges are worth. Near the end a state has few
choices below it, near the beginning few above it. So lists of the lower half are
made from the end and those of the upper half from the beginning, and each edge
that crosses the middle multiplies two of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from calmip.search.exact_cover._memory import Arrays, struct
from calmip.search.kernel import DONE, FULL, library

__all__ = ["Graph", "Overflow"]

BUDGET = 5_000_000
"""Additions per call of a loop: some hundredths of a second."""

OVERFLOW = 4
"""Why a loop came back: a number has no room in 63 bits. (FULL: the lists have no more room.)"""

LISTS = struct(
    "Lists",
    ("budget state end room choices", ctypes.c_int64),
    ("edges target worth at choice count sums", ctypes.c_void_p),
)


class Overflow(ArithmeticError):
    """A count does not fit into 63 bits."""


@dataclass(frozen=True)
class Graph:
    """A graph of states, every edge to a smaller number.

    Parameters
    ----------
    edges
        State s has the edges ``edges[s]`` to ``edges[s + 1]``.
    target, worth
        Where each edge leads, and what it adds to a choice.
    ends
        The words of the ends, which are the first states.
    """

    edges: Any
    target: Any
    worth: Any
    ends: Any = (0,)

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.edges) - 1

    def total(self) -> int:
        """Return the number of paths from the last state to all ends."""
        paths = np.zeros(self.states, dtype=np.uint64)
        ends = len(self.ends)
        paths[:ends] = 1
        arrays = self.edges.ctypes.data, self.target.ctypes.data
        loops: Any = library()
        if loops.calmip_paths_all(*arrays, ends, self.states, paths.ctypes.data) == OVERFLOW:
            raise Overflow
        return int(paths[-1])

    def by_choice(self, choices: int, tick: Callable[[], None], cut: float = 0.5) -> Any:
        """Return the number of paths from the last state to each end, for every choice.

        With several ends it is a list for each, one after the other.

        Parameters
        ----------
        choices
            How many choices there are.
        tick
            Called several times a second; may raise.
        """
        total = self.total()  # Below, no number is larger than this one.
        ends = len(self.ends)
        if choices == ends == 1:
            return np.array([total])
        last = self.states - 1
        middle = max(ends, int(self.states * cut))
        sums = np.zeros(ends * choices, dtype=np.uint64)
        below = self._lists(middle, sums, tick)
        above = self._turned(middle)._lists(self.states - middle, sums, tick)
        join = below.struct
        join.state, join.end = middle, self.states
        while _call("calmip_paths_join", below, above.address, last, middle) != DONE:
            tick()
        return sums.astype(np.int64)

    def _turned(self, middle: int) -> Graph:
        """Return the upper part turned round: state s becomes state last - s."""
        begin, end = int(self.edges[middle]), len(self.target)
        source = np.repeat(
            np.arange(self.states - 1 - middle, -1, -1, dtype=np.uint32),
            np.diff(self.edges[middle:]),
        )
        kept = np.flatnonzero(self.target[begin:end] >= middle)
        target = (self.states - 1) - self.target[begin:end][kept]
        order = np.argsort(target, kind="stable")
        edges = np.zeros(self.states - middle + 1, dtype=np.uint32)
        np.cumsum(np.bincount(target, minlength=self.states - middle), out=edges[1:])
        kept = kept[order]
        return Graph(edges, source[kept], self.worth[begin:end][kept])

    def _lists(self, end: int, sums: Any, tick: Callable[[], None]) -> Arrays:
        """Return the lists of the first states: of the paths from each of them to the ends."""
        lists, ends = Arrays(LISTS()), len(self.ends)
        struct = lists.struct
        for name in ("edges", "target", "worth"):
            lists[name] = getattr(self, name)
        lists["sums"] = sums
        lists["at"] = np.zeros(end + 1, dtype=np.int64)
        lists["at"][: ends + 1] = np.arange(ends + 1)[: end + 1]
        struct.room = max(1024, 4 * end)
        lists["choice"] = np.empty(struct.room, dtype=np.uint32)
        lists["count"] = np.empty(struct.room, dtype=np.uint64)
        lists["choice"][:ends] = np.arange(ends) * (len(sums) // ends)
        lists["count"][:ends] = 1
        struct.choices, struct.state, struct.end = len(sums), ends, end
        while (result := _call("calmip_paths_lists", lists)) != DONE:
            tick()
            if result == FULL:
                used = int(lists["at"][struct.state])
                struct.room = struct.room * 3 // 2 + struct.choices
                for name in ("choice", "count"):
                    longer = np.empty(struct.room, dtype=lists[name].dtype)
                    longer[:used] = lists[name][:used]
                    lists[name] = longer
        return lists


def _call(loop: str, lists: Arrays, *others: int) -> int:
    lists.struct.budget = BUDGET
    return int(getattr(library(), loop)(lists.address, *others))
