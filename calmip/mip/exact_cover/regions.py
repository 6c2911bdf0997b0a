"""Counting by regions: sets of covered cells are merged, whatever pieces cover them.

Two ways to cover the same cells with the same pieces have the same continuations. Looking up such
pairs (cells, pieces) one by one is slow, and few of them lead to a solution. Here a *region* is
the cells alone, with the words of all ways to cover it
(`calmip.mip.exact_cover.options`):

* Forward, by first uncovered cell: each region collects the words of the regions that
  lead to it in a set of words. So there is one look-up for each edge between regions, not for
  each pair. A region's cells are tested once; each test is a mask for its words. About twelve
  words share a test, so tests pay that would not pay for each pair: every remaining piece needs
  a place, and separated parts and dead ends must be coverable.
* Backward, from the full board: only pairs that lead to it become *states* of
  a graph, whose paths are the solutions; on large boards these are 2 to 5 % of
  the pairs. `Graph` counts them.

States are numbered so that every edge leads to a smaller number. The first states are the
ends, and the last state is the beginning. The choice of a path is the sum of its edges' shares.
A state near the end has few choices below it, a state near the beginning few above it. So the
lists of the lower half are made from the end and those of the upper half from the beginning.
Each edge that crosses the middle multiplies two lists.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from calmip.mip.exact_cover.memory import (
    MAX_NUMBER,
    WIDE,
    Arrays,
    Kind,
    Level,
    cover_arrays,
    levels,
    struct,
    work_arrays,
)
from calmip.mip.exact_cover.options import Ints, Options
from calmip.mip.kernel import DONE, FULL, GROW, MORE, library

ADDITIONS_PER_CALL = 5_000_000
"""Additions per call of a loop over paths: some hundredths of a second."""

OVERFLOW = 4
"""A loop came back because a number does not fit into 63 bits (FULL: the lists are full)."""

LISTS = struct(
    "Lists",
    ("budget state end room choices", ctypes.c_int64),
    ("edges target worth at choice count sums", ctypes.c_void_p),
)


class Overflow(ArithmeticError):
    """A count exceeds 63 bits."""


@dataclass(frozen=True)
class Graph:
    """A graph of states, every edge to a smaller number."""

    edges: Any
    """State s has the edges ``edges[s]`` to ``edges[s + 1]``."""
    target: Any
    """The end of each edge."""
    worth: Any
    """The share of each edge in a choice."""
    ends: Any = (0,)
    """The words of the ends, which are the first states."""

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

    def by_choice(self, choices: int, tick: Callable[[], None], cut: float = 0.5) -> Ints:
        """Return the number of paths from the last state to each end, for every choice.

        With several ends there is a list for each, one after the other. ``tick`` is called
        several times a second and may raise an exception.
        """
        total = self.total()  # Below, no number is larger than this one.
        ends = len(self.ends)
        if choices == ends == 1:
            return np.array([total])
        last = self.states - 1
        middle = max(ends, int(self.states * cut))
        sums = np.zeros(ends * choices, dtype=np.uint64)
        below = self._lists(middle, sums, tick)
        above = self._reverse(middle)._lists(self.states - middle, sums, tick)
        below.struct.state, below.struct.end = middle, self.states
        while _call("calmip_paths_join", below, above.address, last, middle) != DONE:
            tick()
        return sums.astype(np.int64)

    def _reverse(self, middle: int) -> Graph:
        """Return the upper part reversed: state s becomes state last - s."""
        begin, last = int(self.edges[middle]), self.states - 1
        source = np.repeat(
            np.arange(last - middle, -1, -1, dtype=np.uint32), np.diff(self.edges[middle:])
        )
        kept = np.flatnonzero(self.target[begin:] >= middle)
        target = last - self.target[begin:][kept]
        edges = np.zeros(self.states - middle + 1, dtype=np.uint32)
        np.cumsum(np.bincount(target, minlength=self.states - middle), out=edges[1:])
        kept = kept[np.argsort(target, kind="stable")]
        return Graph(edges, source[kept], self.worth[begin:][kept])

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
    lists.struct.budget = ADDITIONS_PER_CALL
    return int(getattr(library(), loop)(lists.address, *others))


EDGES_PER_CALL = 400_000
"""Edges and words per call of a loop over regions: some hundredths of a second."""

ARRAYS_PER_MEMORY_CHECK = 50
"""Arrays that are enlarged between two checks of the memory: each is some 100 kB."""


class Regions:
    """The regions of an exact cover, and the states among them that lead to a solution.

    ``tick`` is called some ten times a second with the number of words handled so far, and
    may raise an exception. The memory is in bytes, for all arrays. ``share`` is the share of the
    cells up to which regions are grown.
    """

    def __init__(
        self, options: Options, kind: Kind, tick: Callable[[int], None], memory: float
    ) -> None:
        loops: Any = library()
        self._grow, self._trace, self._enter, self._place = (
            getattr(loops, f"calmip_regions_{name}{kind.suffix}")
            for name in ("grow", "trace", "enter", "place")
        )
        self._tally = loops.calmip_regions_tally
        self._options, self._kind, self._tick, self._memory = options, kind, tick, memory
        self._structs, self._levels = levels(options.cells, kind)
        self._cover = cover_arrays(options, kind)
        self._work = work_arrays(options, kind, self._cover)
        self._grown = self._kept = 0
        self.handled, self.share = 0, 0.0

    def graph(self, wanted: Callable[[Any], Any] | None = None) -> Graph | None:
        """Return the graph of the states that lead to a solution, None if there is none.

        If optional fields leave several words of the full board, ``wanted`` selects the solutions
        as an array of truth values; by default all are. The error is MemoryError if the arrays
        would exceed the memory.
        """
        for level in self._levels:
            level.more_regions()
        root = self._levels[0]
        root["keys"][: self._kind.cells // 64] = 0
        root.struct.found = 1
        for cell in range(self._options.cells + 1):
            self.share = cell / self._options.cells
            self._forward(cell)
        last = self._levels[-1]
        if not last.struct.found:
            return None
        words = last["words"][: int(last["at"][1])]
        ends = np.arange(len(words)) if wanted is None else np.flatnonzero(wanted(words))
        return self._backward(words[ends].tolist(), ends) if len(ends) else None

    def _forward(self, cell: int) -> None:
        """Find the words of the regions of a level, and send their children to later levels."""
        level, work = self._levels[cell], self._work.struct
        regions = level.struct.found
        level.drop("slot")
        level["begin"], level["source"], level["option"] = level.sort(
            regions, self._tally, self._place
        )
        level["edge"] = np.empty(regions + 1, dtype=np.uint32)
        level["at"] = np.empty(regions + 1, dtype=np.uint32)
        work.region = work.kept = work.edges = work.words = work.room = 0
        work.end = regions
        self._run(self._grow, cell)
        level.struct.found = work.kept
        level["edge"][work.kept], level["at"][work.kept] = work.edges, work.words
        level.drop("begin", "keys")
        self._cut(level, work.kept + 1, "edge", "at")
        self._cut(level, work.edges, "source", "option")
        self._cut(level, work.words, "words")

    def _backward(self, final: list[int], ends: Any) -> Graph:
        """Give the states numbers, from the full board to the empty one, and find their edges.

        The ends are given as words, and by their places among those of the full board.
        """
        worth = np.array([option.worth for option in self._options.options], dtype=object)
        worth = np.minimum(worth, self._options.choices).astype(np.uint32)
        begins, targets, worths = [np.zeros(1, dtype=np.uint32)], [], []
        states = edges = 0
        for cell in range(self._options.cells, -1, -1):
            level, work = self._levels[cell], self._work.struct
            words = int(level["at"][level.struct.found]) if level.struct.found else 0
            begin, target, option = level.sort(words, self._tally, self._place)
            number = np.diff(begin)
            alive = np.flatnonzero(number) if cell < self._options.cells else ends
            level["state"] = np.zeros(words, dtype=np.uint32)
            level["state"][alive] = np.arange(states + 1, states + 1 + len(alive))
            states += len(alive)
            begins.append(begin[1:][alive] + np.uint32(edges))
            targets.append(target)
            worths.append(worth[option])
            edges += len(target)
            self._kept = 8 * edges + 4 * states
            work.region, work.end, work.edge = 0, level.struct.found, 0
            self._run(self._trace, cell)
            level.clear()
        edge, target, worth = map(np.concatenate, (begins, targets, worths))
        return Graph(edge, target, worth, final)

    def _run(self, loop: Any, cell: int) -> None:
        """Call a loop until it is done, and enlarge arrays as it requests."""
        state, result = self._work.struct, MORE
        while result != DONE:
            state.budget = EDGES_PER_CALL
            before = state.words
            result = loop(self._cover.address, self._structs, self._work.address, cell)
            self.handled += state.words - before
            self._tick(self.handled)
            if result == FULL:
                self._more_words(self._levels[cell])
            elif result == GROW:
                level = self._levels[state.level]
                need = state.need if loop is self._trace else 1
                if level.struct.filled + need > level.struct.limit:
                    level.more_edges(need)
                if loop is self._grow and level.struct.found == level.struct.room:
                    level.more_regions()
                    self._enter(level.address)
            if result != MORE:
                self._grown += 1
                if self._grown % ARRAYS_PER_MEMORY_CHECK == 0 and self._memory < self._kept + sum(
                    level.bytes for level in self._levels
                ):
                    raise MemoryError(f"regions and words of more than {self._memory:,} bytes")

    def _more_words(self, level: Level) -> None:
        """Make room for more words of a level, and for as large a set of words as needed."""
        work = self._work.struct
        if work.words + work.need > work.room:
            work.room = max(3 * work.room // 2, work.words + work.need)
            if work.room > MAX_NUMBER:
                raise MemoryError(f"{work.room:,} words of one level")
            words = np.empty(work.room, dtype=self._kind.word)
            if work.words:
                words[: work.words] = level["words"][: work.words]
            level["words"] = words
        if 2 * work.need > work.slots and self._kind is WIDE:
            work.slots = 1 << (2 * work.need).bit_length()
            self._work["set"] = np.zeros(work.slots, dtype=np.uint64)
            work.stamp = 0

    @staticmethod
    def _cut(level: Level, size: int, *names: str) -> None:
        """Free the part of arrays beyond a size, if it is large."""
        for name in names:
            if name in level and 4 * size < 3 * len(level[name]):
                level[name] = level[name][:size].copy()
