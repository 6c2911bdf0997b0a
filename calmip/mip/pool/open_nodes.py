"""Parts of the tree of a pool: what is open when a search stops, and the search of several at once.

A part is the bounds of a path from the root: twice the column, plus 1 for an upper bound, and the
bound. The open parts of a tree are disjoint. Whatever they do not have is closed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import calmip.mip.pool.branch_and_bound as plain

if TYPE_CHECKING:
    from calmip.mip.display import Number
    from calmip.mip.pool.branch_and_bound import PoolTree
    from calmip.mip.pool.tree_search import TreeSearch

Part = tuple[tuple[int, int], ...]
"""Bounds along a path: twice the column, plus 1 for an upper bound, and the bound."""

ALONE = 0.5
"""Seconds before a search is divided: most are finished by then."""

SLICE = 2.0
"""Seconds after which a worker gives back what it has found, and what is open."""

Share = Callable[[Iterable[tuple[Any, tuple[Any, ...]]]], Iterator[tuple[Any, Any]]]
"""What runs jobs in processes: keys with functions and arguments in, keys with results out."""


def enter(tree: PoolTree, part: Part) -> bool:
    """Put a tree at the root of a part; return False if the part is empty."""
    count = tree.numbers
    plain._undo(tree, 0)
    count[plain.DEPTH] = count[plain.WISHES] = 0
    count[plain.PATTERN], count[plain.MODE] = -1, plain.ENTER
    # The row of the objective may have got a tighter cutoff: all rows are looked at.
    rows = len(tree.lower)
    for row in range(rows):
        tree.queue[row], tree.queued[row] = row, 1
    count[plain.QUEUE] = rows
    for side, bound in part:
        column, upper = side >> 1, bool(side & 1)
        now = tree.high[column] if upper else tree.low[column]
        tighter = bound < now if upper else bound > now
        if tighter and not plain._move(tree, column, bound, upper=upper):
            return False
    return True


def open_parts(tree: PoolTree, *, leaf: bool) -> list[Part]:
    """Return the parts of a tree that are not closed, in the order of the search.

    Parameters
    ----------
    tree
        The tree.
    leaf
        Whether the leaf at which it stopped is open.
    """
    count = tree.numbers
    depth, mode = int(count[plain.DEPTH]), count[plain.MODE]
    current = leaf or mode != plain.BACKTRACK
    if count[plain.PATTERN] >= 0:  # its best completion is not known
        depth, current = int(count[plain.PATTERN]), True
    elif mode == plain.BRANCH:  # neither side of the node on top was entered
        depth -= 1
    path: list[tuple[int, int]] = []
    found: list[Part] = []
    for place in range(depth):
        column, split = int(tree.branch[place]), int(tree.split[place])
        sides = [(2 * column + 1, split), (2 * column, split + 1)]
        if tree.above[place]:
            sides.reverse()
        if not tree.second[place]:
            found.append((*path, sides[1]))
        path.append(sides[bool(tree.second[place])])
    found.reverse()
    return [tuple(path), *found] if current else found


def closed_share(parts: Iterable[Part]) -> float:
    """Return the share of the tree that is closed, where each side of a node counts half."""
    return 1 - sum(0.5 ** len(part) for part in parts)


class Answer(NamedTuple):
    """The result of the search of some parts."""

    found: list[Any]
    open: list[Part]
    optimum: Number | None
    undecided: int
    asks: bool | None
    stopped: str
    seen: dict[str, int]


def search_parts(search: TreeSearch, parts: Sequence[Part], seconds: float) -> Answer:
    """Search parts of a tree in this process for some seconds."""
    now, before = search.incumbent, asdict(search.seen)
    search.parts, search.seconds = list(parts), seconds
    known, search.undecided = set(now.found), 0
    found = list(search.search_parts())
    if not search.streams:
        found = [one for key, one in now.found.items() if key not in known]
    seen = {name: number - before[name] for name, number in asdict(search.seen).items()}
    return Answer(
        found, search.open, now.optimum, search.undecided, search.asks, search.stopped, seen
    )


class _Jobs:
    """Jobs for workers, made of the parts that are open; further ones may follow the last."""

    def __init__(self, search: TreeSearch, workers: int) -> None:
        self.search, self.workers = search, workers
        self.queue: deque[Part] = deque(sorted(search.parts, key=len))
        self.given: dict[int, list[Part]] = {}
        self.number = 0

    def __iter__(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        return self

    def __next__(self) -> tuple[int, tuple[Any, ...]]:
        if not self.queue or self.search.stops():
            raise StopIteration
        # The parts with the shortest paths are the largest; each job gets some of all sizes.
        step = 2 * self.workers
        parts = list(self.queue)
        self.queue = deque(part for place, part in enumerate(parts) if place % step)
        self.number += 1
        self.given[self.number] = parts[::step]
        return self.number, (search_parts, self.search, parts[::step], SLICE)

    def take(self, number: int, parts: Iterable[Part]) -> None:
        """Take back the open parts of a job."""
        del self.given[number]
        self.queue = deque(sorted([*self.queue, *parts], key=len))
        self.search.parts = [*self.queue, *(part for some in self.given.values() for part in some)]


def shared(search: TreeSearch, share: Share, workers: int) -> Iterator[Any]:
    """Search a tree in several processes; yield the solutions of a plain search as they are found.

    It is begun in this one, which is enough for most.
    """
    if not search.prepare():
        return
    search.seconds = ALONE
    yield from search.search_parts()
    if search.finished or search.stopped:
        return
    search.parts, search.entered = search.open, False
    jobs = _Jobs(search, workers)
    for number, answer in share(jobs):
        # Before the parts are taken as closed, their solutions are in the pool.
        search.merge(answer)
        yield from answer.found if search.streams else ()
        jobs.take(number, answer.open)
        if search.observer is not None:
            search.observer.note(search)
    search.finished = not search.parts
