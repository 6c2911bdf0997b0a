"""A large count in parts: in processes or on a Dask cluster, each part kept when it is done.

A part is the count where some pieces lie before a cut or behind it, so the parts
have no solution in common and each can be counted again by itself; two of them take
1.1 to 1.2 times as long as the whole, eight 2.3 times.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from calmip._limits import Deadline
from calmip._process import check_processes
from calmip.errors import InputError
from calmip.search.exact_cover.counting import divided, tally, threads_pay
from calmip.search.exact_cover.options import Ints, Options
from calmip.tasks._journal import Journal, whole

__all__ = ["Sharing", "count_part"]

PAUSE = 0.2
"""Seconds between two looks at the clock."""

MOST_PARTS = 1024

MOST = (1 << 63) - 1
"""Tilings of a choice at most; a count of more is refused."""


class Sharing:
    """Who counts the parts of a count, and where the numbers of those that are done are kept.

    Parameters
    ----------
    workers
        How many parts are counted at a time on this machine.
    dask
        The address of a Dask cluster that counts them, ``"local"`` for one here, or None.
    journal
        A file with a line for each part that is done; what is there is not counted
        again.
    parts
        How many parts there are at least; by default as many as workers. A journal that
        has been begun knows it.
    seconds, memory_limit
        The limits: seconds of wall clock, and megabytes for each part.
    """

    def __init__(
        self,
        *,
        workers: int = 1,
        dask: str | None = None,
        journal: Path | None = None,
        parts: int | None = None,
        seconds: float | None = None,
        memory_limit: float | None = None,
    ) -> None:
        if parts is not None and not 1 <= parts <= MOST_PARTS:
            raise InputError(f"the number of parts is from 1 to {MOST_PARTS}, not {parts}")
        self._workers, self._dask, self._journal, self._parts = workers, dask, journal, parts
        self._clock, self._memory = Deadline(seconds), memory_limit

    @property
    def wanted(self) -> bool:
        """Whether more is asked for than this machine's workers do by themselves."""
        return self._dask is not None or self._journal is not None or self._parts is not None

    def __call__(self, options: Options, tick: Callable[[int], None]) -> Ints:
        """Return the number of solutions of each choice."""
        if not self.wanted and (self._workers == 1 or threads_pay(options)):
            alone: Ints = tally(options, tick, self._workers, self._memory)
            return alone
        with self._executor(options) as (executor, size), self._opened(options) as journal:
            parts, found = _kept(journal, options, self._parts or size)
            missing = iter([one for one in range(len(parts)) if one not in found])
            waiting: dict[Future[dict[int, int]], int] = {}
            while True:
                # No more than there are workers, so that what is left of the time is true.
                while len(waiting) < size and (one := next(missing, None)) is not None:
                    left = self._clock.left()
                    job = executor.submit(count_part, parts[one], self._memory, left)
                    waiting[job] = one
                if not waiting:
                    return _sum(found, options.choices)
                tick(len(found))
                for job in wait(waiting, PAUSE, FIRST_COMPLETED).done:
                    one = waiting.pop(job)
                    found[one] = job.result()
                    journal.add({"part": one, "counts": found[one]})

    def _opened(self, options: Options) -> Journal:
        digest = hashlib.sha256(repr(options).encode()).hexdigest()
        return Journal(
            self._journal, {"count": digest}, resume=True, work="count",
            remedy="name another file",
        )  # fmt: skip

    @contextlib.contextmanager
    def _executor(self, options: Options) -> Iterator[tuple[Executor, int]]:
        if self._dask is not None:
            from calmip.tasks.campaign.executors import pool

            with pool(self._workers, self._dask, ()) as cluster:
                yield cluster.executor, cluster.size()
            return
        check_processes("a count in parts")
        executor: Executor
        if threads_pay(options):
            executor = ThreadPoolExecutor(self._workers)
        else:
            # Loads multiprocessing, which a browser has not.
            from concurrent.futures import ProcessPoolExecutor

            executor = ProcessPoolExecutor(self._workers)
        with executor:
            try:
                yield executor, self._workers
            finally:
                executor.shutdown(wait=True, cancel_futures=True)


def count_part(
    options: Options, memory_limit: float | None = None, seconds: float | None = None
) -> dict[int, int]:
    """Return the number of solutions of each choice that has any.

    Raises
    ------
    InputError
        If the memory does not suffice, or there are 2**63 solutions or more.
    TimeoutError
        If the time is over first.
    """
    clock = Deadline(seconds)

    def tick(_: int) -> None:
        if clock.over:
            raise TimeoutError(f"not all tilings were counted within {seconds:g} s")

    found = tally(options, tick, 1, memory_limit)
    return {int(choice): int(found[choice]) for choice in np.flatnonzero(found)}


def _sum(found: dict[int, dict[int, int]], choices: int) -> Ints:
    total = [0] * choices
    for part in found.values():
        for choice, number in part.items():
            total[choice] += number
    if sum(total) > MOST:
        raise InputError(f"there are more than {MOST:,} tilings; reveal labels, or divide")
    return np.array(total, dtype=np.int64)


def _kept(
    journal: Journal, options: Options, asked: int
) -> tuple[list[Options], dict[int, dict[int, int]]]:
    """Return the parts of a count, and the numbers of those that a journal has.

    Its first entry is the number of parts that a run asked for; that stays.
    """
    parts: list[Options] = []
    found: dict[int, dict[int, int]] = {}

    def keep(entry: dict[str, Any]) -> None:
        if not parts:
            parts.extend(divided(options, whole(entry["parts"], 1, MOST_PARTS)))
            return
        part = whole(entry["part"], 0, len(parts) - 1)
        if part in found:
            raise ValueError(f"part {part} is a duplicate")
        counts: dict[int, int] = {}
        for choice, number in entry["counts"].items():
            counts[whole(int(choice), 0, options.choices - 1)] = whole(number, 1, MOST)
        if list(map(str, counts)) != list(entry["counts"]):
            raise ValueError("a choice is not written as a number is")
        found[part] = counts

    for _ in journal.read(keep):
        pass
    if not parts:
        parts.extend(divided(options, asked))
        journal.add({"parts": asked})
    return parts, found
