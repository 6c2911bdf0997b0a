"""The search of several parts of a pool's tree at once, by processes that share them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from calmip.mip.pool.open_nodes import Answer, Part

if TYPE_CHECKING:
    from calmip.mip.pool.tree_search import TreeSearch

SECONDS_ALONE = 0.5
"""Seconds before a search is divided: most are finished by then."""

SLICE_SECONDS = 2.0
"""Seconds after which a worker gives back what it has found, and what is open."""

Share = Callable[[Iterable[tuple[Any, tuple[Any, ...]]]], Iterator[tuple[Any, Any]]]
"""What runs jobs in processes: keys with functions and arguments in, keys with results out."""


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
        found, search.open, now.optimum, search.undecided, search.uses_lp, search.stopped, seen
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
        self.queue = deque(part for index, part in enumerate(parts) if index % step)
        self.number += 1
        self.given[self.number] = parts[::step]
        return self.number, (search_parts, self.search, parts[::step], SLICE_SECONDS)

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
    search.seconds = SECONDS_ALONE
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
