"""How long work may take and in how much memory: limits, and the one clock for them."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from calmip._interrupt import heed
from calmip.errors import InputError

__all__ = [
    "ENDLESS",
    "NO_LIMITS",
    "Deadline",
    "Limits",
    "Progress",
    "checked_seconds",
    "machine_memory",
    "resident_memory",
]

LEAST = 1e-3
"""Seconds that are always left: what is asked to stop at once still ends by itself."""


def checked_seconds(seconds: float | None) -> float | None:
    """Return a time limit if it is one.

    Raises
    ------
    InputError
        If it is not a finite number above 0, or None.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InputError(f"the time limit is a number of seconds above 0, not {seconds:g}")
    return seconds


class Deadline:
    """A clock that runs from now on, and says when the time is over.

    Parameters
    ----------
    seconds
        The wall-clock seconds from now to the end; None if there is no end.

    Attributes
    ----------
    started : float
        When it was made, by `time.perf_counter`.

    Raises
    ------
    InputError
        If the seconds are not a finite number above 0.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = checked_seconds(seconds)
        self.started = self._lap = perf_counter()

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return perf_counter() - self.started

    @property
    def over(self) -> bool:
        """Whether the time is over; never, if there is no end.

        Every loop asks, so a Ctrl-C that native code has lost is raised here again.
        """
        heed()
        return self.seconds is not None and self.elapsed >= self.seconds

    def check(self, unfinished: str) -> None:
        """Raise a `TimeoutError` that says what is not finished, if the time is over."""
        if self.over:
            raise TimeoutError(f"{unfinished} within {self.seconds:g} s")

    def left(self, least: float = LEAST) -> float | None:
        """Return the seconds that are left, but no fewer than ``least``; None if there is no end.

        Work that gets what is left ends by itself, so nobody gets none.
        """
        return None if self.seconds is None else max(self.seconds - self.elapsed, least)

    def __getstate__(self) -> tuple[float | None, float]:
        """Return the time so far: another process has another clock."""
        return self.seconds, self.elapsed

    def __setstate__(self, state: tuple[float | None, float]) -> None:
        self.seconds, elapsed = state
        self.started = self._lap = perf_counter() - elapsed

    def lap(self) -> float:
        """Return the seconds since the last lap, or since the start."""
        before, self._lap = self._lap, perf_counter()
        return self._lap - before


ENDLESS = Deadline()
"""A clock without an end; limits that are given it make one that begins with them."""


class Progress(NamedTuple):
    """How far some work is.

    Parameters
    ----------
    done
        How many are done.
    total
        How many there are to do, or None if that is not known.
    what
        What is done, in the plural, where a task does one thing after another.
    latest
        The last one that was done, where there is more to say of it.
    """

    done: int
    total: int | None = None
    what: str = ""
    latest: Any = None


@dataclass(frozen=True)
class Limits:
    """How long, in how much memory and by whom work is done, and who is told of it.

    Parameters
    ----------
    time_limit
        Stop after so many seconds.
    seed
        Start the random numbers from this seed. The same seed gives the same result.
    threads
        Let a solver use so many threads.
    log
        What receives the solver's own lines, or None.
    start
        The names of the columns that are one in a solution that is known already;
        empty if none is, and for solvers that take none.
    options
        The solver's own options by their own names, each with its value as a
        text; they come after, and so before, what calmip sets by itself.
    memory_limit
        Use so many megabytes. By default these are three quarters of the machine's memory.
    workers
        Share the work among so many threads or processes.
    dask
        Do the work on the Dask cluster at this address; local: on this machine. It then
        has ``workers`` processes.
    progress
        Called now and then with how far the work is: a `Progress`, or None.
    clock
        The one clock of the time limit. It begins with these limits, is kept where other
        settings are replaced, and goes on where they are sent to another process.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    time_limit: float | None = None
    seed: int = 0
    threads: int = 1
    log: Callable[[str], None] | None = None
    start: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    memory_limit: float | None = None
    workers: int = 1
    dask: str | None = None
    progress: Callable[[Progress], None] | None = None
    clock: Deadline = field(default=ENDLESS, repr=False, compare=False)

    def __post_init__(self) -> None:
        checked_seconds(self.time_limit)
        if not 0 <= self.seed < 2**31:
            raise InputError(f"the seed is a whole number from 0 to {2**31 - 1}, not {self.seed}")
        for what in ("threads", "workers"):
            if not 1 <= (number := getattr(self, what)) <= 1024:
                raise InputError(f"the number of {what} is from 1 to 1024, not {number}")
        megabytes = self.memory_limit
        if megabytes is not None and not (math.isfinite(megabytes) and megabytes > 0):
            raise InputError(f"the memory limit is a number of MB above 0, not {megabytes:g}")
        if self.clock is ENDLESS or self.clock.seconds != self.time_limit:
            object.__setattr__(self, "clock", Deadline(self.time_limit))

    @property
    def seconds(self) -> float | None:
        """The seconds that are left, some at any rate; None if there is no end."""
        return None if self.time_limit is None else self.clock.left(min(self.time_limit, LEAST))

    @property
    def patience(self) -> float | None:
        """The seconds after which a solver that heeds no limit is killed.

        A second and a tenth of the time more than is left, for a solver that does.
        """
        left = self.seconds
        return None if left is None else 1.1 * left + 1

    @property
    def memory(self) -> float:
        """The memory limit in bytes; infinite where neither it nor the machine's is known."""
        return machine_memory() if self.memory_limit is None else 1e6 * self.memory_limit

    def anew(self) -> Limits:
        """Return the same limits for the next of several runs: its time begins now."""
        return replace(self, clock=ENDLESS)

    def share(self, number: int = 1, progress: Callable[[Progress], None] | None = None) -> Limits:
        """Return the limits of each of so many that do the work, none of which has workers."""
        memory = self.memory_limit
        if number > 1 and math.isfinite(self.memory):
            memory = self.memory / number / 1e6
        return replace(self, workers=1, dask=None, memory_limit=memory, progress=progress)

    def report(
        self, done: int, total: int | None = None, what: str = "", *, latest: Any = None
    ) -> None:
        """Say how far the work is to whom it is to be told."""
        if self.progress is not None:
            self.progress(Progress(done, total, what, latest))

    def tick(self, done: int) -> None:
        """Say how far a count is, or raise a `TimeoutError` if the time is over."""
        self.clock.check("not all tilings were counted")
        self.report(done)


NO_LIMITS = Limits()


def machine_memory() -> float:
    """Return three quarters of the machine's memory, or no limit where that is not known."""
    try:
        return 0.75 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return float("inf")


def resident_memory() -> int:
    """Return the bytes that this process has in memory; 0 where that is not known.

    Where the system tells only the most that they ever were, it is that.
    """
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most
