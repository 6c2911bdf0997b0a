"""A long count of an exact cover in branches, by threads that share the table of counts.

The branches are the first nodes of the search, none below another. They depend on the cover alone,
so a journal can keep their counts. Threads take one after the other. What one of them has
counted the others find in the table, so they do little more work together than one alone.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from itertools import cycle
from queue import Empty, SimpleQueue

from calmip.mip import kernel
from calmip.mip.exact_cover.parts import (
    UNJUDGED,
    Branch,
    Component,
    PartCount,
    PlainPartCount,
    SharedTable,
    choose_item,
    root_of,
)

BRANCHES = 128
"""The branches into which a count is split: the number of lines of its journal."""

WAIT = 0.05
"""The most seconds between two looks at the limits."""


Path = tuple[int, ...]
"""The places of the options that lead to a node, each in the list of the node before it."""


def branches_of(
    part: Component, number: int = BRANCHES, begun: Iterable[tuple[Branch, int]] | None = None
) -> tuple[list[Branch], int]:
    """Return some nodes of the search, and the number of solutions beside them.

    They are the first nodes, or those at which a count that has ``begun`` has not arrived. The
    node with the most options is split until there are ``number`` of them. Nodes with the same open
    items are one. Their order is that of the search, in which the table has what is near.
    """
    found, every = 0, dict[int, Branch]()
    paths, waiting = dict[int, Path](), list[tuple[int, Path, int]]()

    def add(key: int, branch: Branch, path: Path) -> None:
        every[key], paths[key] = branch, path
        heapq.heappush(waiting, (-len(branch.options), path, key))

    def split(branch: Branch, path: Path, tried: int = 0) -> int:
        """Add what is below a node and its untried options; return the solutions beside that."""
        beside = 0
        for place in range(tried, len(branch.options)):
            mask, ways = branch.options[place]
            if not mask >> branch.item & 1:
                continue
            state, times = branch.state + mask, branch.times * ways
            if not part.must & ~state:
                beside += times
                continue
            left = part.left(branch.options, state)
            key = part.key(left, state)
            if part.must & ~state & ~key:
                continue
            if key in every:
                every[key] = every[key]._replace(times=every[key].times + times)
                continue
            item = choose_item(state, [one for one, _ in left], part.must, part.late)
            add(key, Branch(state, left, item, times), (*path, place))
        return beside

    if begun is None:
        add(-1, root_of(part), ())
    else:
        path: Path = ()
        for branch, tried in begun:
            found += split(branch, path, tried)
            path = *path, tried - 1
    while waiting and len(waiting) < number:
        _, path, key = heapq.heappop(waiting)
        found += split(every.pop(key), path)
    return [every[key] for key in sorted(every, key=paths.__getitem__)], found


class BranchCounts:
    """The number of solutions of a part, branch by branch.

    Iterating yields the number of each branch when it is counted, and None now and then, so
    that the caller can look at its limits. Threads end when the iteration does.

    Attributes
    ----------
    found : int
        The number of solutions in the branches that are counted.
    nodes : int
        The options placed so far in them.
    counts : dict
        The number of solutions below each branch that is counted.
    """

    def __init__(
        self,
        part: Component,
        known: Mapping[int, int],
        *,
        memory: int,
        workers: int = 1,
        split: tuple[list[Branch], int] | None = None,
        before: PartCount | None = None,
    ) -> None:
        self._part, self._memory, self._workers = part, memory, workers
        self._branches, self._beside = branches_of(part) if split is None else split
        self.nodes, self.counts = 0, dict(known)
        self._table = None if before is None else before.table
        self._judged = UNJUDGED if before is None else before.judged
        self._end = threading.Event()
        self._done: SimpleQueue[tuple[int, int, int] | BaseException | None] = SimpleQueue()

    @property
    def found(self) -> int:
        """The number of solutions in the branches that are counted."""
        return self._beside + sum(
            self._branches[number].times * found for number, found in self.counts.items()
        )

    def __iter__(self) -> Generator[int | None]:
        every = range(len(self._branches))
        waiting = deque(number for number in every if number not in self.counts)
        compiled = kernel.library() is not None
        # In plain Python one thread computes at a time.
        workers = min(self._workers if compiled else 1, len(waiting))
        table = None
        if compiled and workers:
            table = self._table or SharedTable(self._part, self._memory)
        threads = [
            threading.Thread(target=self._run, args=(take, table), daemon=True)
            # From opposite ends: the nodes of branches beside each other are the same.
            for _, take in zip(range(workers), cycle((waiting.popleft, waiting.pop)), strict=False)
        ]
        try:
            for one in threads:
                one.start()
            while workers:
                try:
                    done = self._done.get(timeout=WAIT)
                except Empty:
                    yield None
                    continue
                if done is None:
                    workers -= 1
                elif isinstance(done, BaseException):
                    raise done
                else:
                    branch, self.counts[branch], nodes = done
                    self.nodes += nodes
                    yield branch
        finally:
            self._end.set()
            for one in threads:
                if one.ident is not None:
                    one.join()

    def _run(self, take: Callable[[], int], table: SharedTable | None) -> None:
        """Count branches until none is left, or until the iteration ends."""
        judged = self._judged
        try:
            while True:
                try:
                    number = take()
                except IndexError:
                    break
                branch = self._branches[number]
                now: PartCount | PlainPartCount
                if table is None:
                    now = PlainPartCount(self._part, self._memory, branch=branch)
                else:
                    now = PartCount(self._part, 0, branch=branch, table=table, judged=judged)
                while not now.finished:
                    if self._end.is_set():
                        return
                    now.step()
                judged = now.judged
                self._done.put((number, now.found, now.nodes))
        except BaseException as error:  # the caller raises it
            self._done.put(error)
        finally:
            self._done.put(None)
