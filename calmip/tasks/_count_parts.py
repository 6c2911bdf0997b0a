"""A large count in parts: in processes or on a Dask cluster, each part kept when it is done.

A part is the count where some pieces lie before a cut or behind it, so the parts
have no solution in common and each can be counted again by itself; two of them take
1.1 to 1.2 times as long as the whole, eight 2.3 times.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from calmip._limits import Deadline
from calmip._process import check_processes
from calmip.errors import InputError, shown
from calmip.search.exact_cover.counting import divided, tally, threads_pay
from calmip.search.exact_cover.options import Ints, Options

__all__ = ["Sharing", "count_part"]

PAUSE = 0.2
"""Seconds between two looks at the clock."""


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
        if parts is not None and not 1 <= parts <= 1024:
            raise InputError(f"the number of parts is from 1 to 1024, not {parts}")
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
        with self._executor(options) as (executor, size):
            journal = _Journal(self._journal, options)
            number = journal.parts or self._parts or size
            parts = divided(options, number)
            found = journal.begin(number, len(parts))
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
                    journal.add(one, found[one])

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
    if sum(total) >= 1 << 63:
        raise InputError(f"there are more than {1 << 63:,} tilings; reveal labels, or divide")
    return np.array(total, dtype=np.int64)


class _Journal:
    """A file of lines of JSON: what is counted, in how many parts; then a line for each part."""

    def __init__(self, path: Path | None, options: Options) -> None:
        self._path = path
        self._digest = hashlib.sha256(repr(options).encode()).hexdigest()
        self._lines = self._read()
        self.parts: int | None = self._lines[0]["parts"] if self._lines else None

    def _read(self) -> list[dict[str, Any]]:
        if self._path is None or not self._path.exists():
            return []
        try:
            text = self._path.read_text(encoding="utf-8")
            # A last line without an end was cut when the run was killed.
            lines = [json.loads(line) for line in text.split("\n")[:-1]]
            for number, line in enumerate(lines):
                if number:
                    line["counts"] = {int(k): int(v) for k, v in line["counts"].items()}
                    int(line["part"])
                else:
                    int(line["parts"])
            mine = not lines or lines[0]["count"] == self._digest
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise InputError("is no journal of a count; name another", path=self._path) from None
        if not mine:
            raise InputError(
                "is the journal of another count; name another file", path=shown(self._path, 200)
            )
        return lines

    def begin(self, number: int, parts: int) -> dict[int, dict[int, int]]:
        """Return the parts that are done, and write the first line if there is none."""
        found = {line["part"]: line["counts"] for line in self._lines[1:]}
        if any(not 0 <= part < parts for part in found):
            raise InputError("names a part that there is not", path=self._path)
        if self._path is not None:
            self._rewrite(number)
        return found

    def _rewrite(self, number: int) -> None:
        from calmip._files import write_text

        lines = self._lines or [{"count": self._digest, "parts": number}]
        assert self._path is not None
        write_text(self._path, (json.dumps(line) + "\n" for line in lines))

    def add(self, part: int, counts: dict[int, int]) -> None:
        """Write the numbers of a part that is done, on the disk before this returns."""
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"part": part, "counts": counts}) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", path=self._path) from None
