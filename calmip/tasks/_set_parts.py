"""A pool of pieces in parts that are decided one by one, here or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from itertools import islice
from math import prod

from calmip._limits import Deadline
from calmip._process import check_processes
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.tasks._sets import PieceSet, SetJudge

__all__ = ["decided", "divided", "parts_of"]

MOST_COUNTS = 1 << 22
"""A part has so many sets times choices of labels at most: some 100 MB of numbers."""

PAUSE = 0.1
"""Seconds between two looks at the threads."""


def parts_of(pool: PiecePool, frame: Puzzle) -> Iterator[PiecePool]:
    """Yield the pool in parts that are counted at once, always the same ones."""
    halves = divided(pool, frame)
    if halves is None:
        yield pool
    for half in halves or ():
        yield from parts_of(half, frame)


def divided(pool: PiecePool, frame: Puzzle) -> tuple[PiecePool, PiecePool] | None:
    """Return a pool in two, or None if it is counted at once."""
    from calmip.search.exact_cover.counting import MOST_BITS

    choices = prod(map(len, frame.groups.values()))
    large = pool.bits() + len(frame.groups) > MOST_BITS or pool.sets * choices > MOST_COUNTS
    return pool.halves() if large else None


class _Ended(Exception):
    """Nobody waits for the part any more."""


def decided(
    judge: SetJudge,
    parts: Iterable[tuple[int, PiecePool]],
    workers: int,
    deadline: Deadline,
    dask: str | None = None,
) -> Generator[tuple[int, PiecePool, list[PieceSet]]]:
    """Yield parts as they are decided, with their sets that have a tiling of some real date.

    They are decided by threads here or, if an address is given, by a Dask cluster.

    Raises
    ------
    TimeoutError
        If the time is over; parts that are not done are lost.
    """
    from calmip.search.exact_cover.counting import machine_memory

    ended = False

    def tick(_: int) -> None:
        if ended:
            raise _Ended

    left = iter(parts)
    waiting: dict[Future[list[PieceSet]], tuple[int, PiecePool]] = {}
    with ExitStack() as stack:
        executor: Executor
        if dask is None:
            check_processes("the choice of pieces")
            executor = ThreadPoolExecutor(workers, thread_name_prefix="calmip-design")
            stack.enter_context(executor)
        else:
            from calmip.tasks.campaign.executors import pool

            cluster = stack.enter_context(pool(workers, dask, ()))
            executor, workers = cluster.executor, cluster.size()

        def submitted(part: PiecePool) -> Future[list[PieceSet]]:
            if dask is not None:
                return executor.submit(judge.decide_anywhere, part)
            return executor.submit(judge.decide, part, tick, machine_memory() / workers)

        try:
            while True:
                for place, part in islice(left, workers - len(waiting)):
                    waiting[submitted(part)] = place, part
                if not waiting:
                    return
                done, _ = wait(waiting, PAUSE, FIRST_COMPLETED)
                if deadline.over:
                    raise TimeoutError
                for job in done:
                    yield *waiting.pop(job), job.result()
        finally:
            ended = True
            for job in waiting:
                job.cancel()
