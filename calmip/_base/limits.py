"""Limits of time and memory, and the one clock for them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from calmip._base.errors import InputError
from calmip._base.signals import check_interrupt

MIN_SECONDS = 1e-3
"""The least remaining seconds, so that a solver still ends by itself."""


def check_seconds(seconds: float | None) -> float | None:
    """Return a time limit; raise `InputError` unless it is None or finite and above 0."""
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InputError(f"the time limit is a number of seconds above 0, not {seconds:g}")
    return seconds


class Deadline:
    """A clock that starts now and runs for a number of wall-clock seconds or without end.

    ``started`` is its start by `time.perf_counter`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = check_seconds(seconds)
        self.restart()

    def restart(self) -> None:
        """Restart the clock now."""
        self.started = self._lap = perf_counter()

    @property
    def elapsed(self) -> float:
        """The seconds since the start."""
        return perf_counter() - self.started

    @property
    def over(self) -> bool:
        """Whether the time limit is reached; a Ctrl-C that native code lost is raised again."""
        check_interrupt()
        return self.seconds is not None and self.elapsed >= self.seconds

    def check(self, unfinished: str) -> None:
        """Raise a `TimeoutError` that names the unfinished work if the time limit is reached."""
        if self.over:
            raise TimeoutError(f"{unfinished} within {self.seconds:g} s")

    def left(self, least: float = MIN_SECONDS) -> float | None:
        """Return the remaining seconds, at least ``least``; None without a time limit."""
        return None if self.seconds is None else max(self.seconds - self.elapsed, least)

    def at_least(self, seconds: float) -> Deadline:
        """Return this clock, or one of ``seconds`` if fewer remain.

        A search may so end that much later than its time limit; its answer is unknown at either.
        """
        left = self.left()
        return self if left is None or left >= seconds else Deadline(seconds)

    def at_most(self, seconds: float) -> Deadline:
        """Return a clock that ends after so many seconds, or with this one if fewer remain."""
        return Deadline(min(seconds, self.left() or seconds))

    def first(self, share: float) -> Deadline:
        """Return a clock that ends after this share of what is left."""
        left = self.left()
        return self if left is None else Deadline(share * left)

    def __getstate__(self) -> tuple[float | None, float]:
        """Return the elapsed time, as another process has another clock."""
        return self.seconds, self.elapsed

    def __setstate__(self, state: tuple[float | None, float]) -> None:
        self.seconds, elapsed = state
        self.started = self._lap = perf_counter() - elapsed

    def lap(self) -> float:
        """Return the seconds since the last lap, or since the start."""
        before, self._lap = self._lap, perf_counter()
        return self._lap - before


class CpuDeadline(Deadline):
    """A clock that ends with another one, or after a number of CPU seconds of this thread.

    A search that is limited by it gets as far on a busy machine as on an idle one.
    """

    def __init__(self, seconds: float, within: Deadline) -> None:
        self._within = within
        super().__init__(seconds)

    def restart(self) -> None:
        super().restart()
        self._began = thread_time()

    @property
    def elapsed(self) -> float:
        return thread_time() - self._began

    @property
    def over(self) -> bool:
        return self._within.over or super().over

    def left(self, least: float = MIN_SECONDS) -> float | None:
        own, others = super().left(least), self._within.left(least)
        return own if own is None or others is None else min(own, others)

    def first(self, share: float) -> Deadline:
        return CpuDeadline(share * (self.left() or 0.0), self._within)


ENDLESS = Deadline()
"""A clock without end; `Limits` replace it by their own."""


class Progress(NamedTuple):
    """Progress of some work.

    Attributes
    ----------
    done, total
        The number of finished units, and of all units or None if it is not known.
    what
        The units' name, in the plural.
    latest
        The last finished unit.
    detail
        A few words on what is reached, such as the best bound.
    """

    done: int
    total: int | None = None
    what: str = ""
    latest: Any = None
    detail: str = ""


@dataclass(frozen=True)
class Limits:
    """Time, memory, workers and further settings of some work.

    Parameters
    ----------
    time_limit
        Stop after this many seconds.
    seed
        Start the random numbers from this seed; the same seed gives the same result.
    threads
        Let a solver use this many threads.
    log
        Called with each line of the solver, or None.
    start
        The names of the columns that are one in a known solution, for a warm start.
    options
        The solver's own options, each with its value as a text; they override those of calmip.
    memory_limit
        Use at most this many megabytes; by default three quarters of the machine's memory.
    workers
        Share the work among this many threads or processes.
    dask
        Do the work on the Dask cluster at this address, with ``workers`` processes;
        ``local`` starts them on this machine.
    progress
        Called now and then with a `Progress`, or None.
    stock
        Pass the solver none of calmip's own options for models of puzzles.
    startup
        Allow a solver this many seconds to start its process and load its package, before the
        time limit begins.
    spare
        Names as in ``start``, for a solver that first tries something of its own
        (`calmip.solvers.base.Solver`): it starts from them if that was in vain.
    clock
        The one clock of the time limit. It begins with these limits, is kept where other
        settings are replaced, and continues in another process.

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
    stock: bool = False
    startup: float = 0.0
    spare: tuple[str, ...] = ()
    clock: Deadline = field(default=ENDLESS, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_seconds(self.time_limit)
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
        """The remaining seconds, always above 0; None without a time limit."""
        return (
            None if self.time_limit is None else self.clock.left(min(self.time_limit, MIN_SECONDS))
        )

    @property
    def patience(self) -> float | None:
        """The seconds after which a solver is killed: 1.1 times those that remain, plus 1."""
        left = self.seconds
        return None if left is None else 1.1 * left + 1

    @property
    def memory(self) -> float:
        """The memory limit in bytes; infinite if neither it nor the machine's memory is known."""
        return machine_memory() if self.memory_limit is None else 1e6 * self.memory_limit

    def renew(self) -> Limits:
        """Return the limits with a clock that begins now, for the next of several runs."""
        return replace(self, clock=ENDLESS)

    def share(self, number: int = 1, progress: Callable[[Progress], None] | None = None) -> Limits:
        """Return the limits of one of ``number`` workers, which has no workers itself."""
        memory = self.memory_limit
        if number > 1 and math.isfinite(self.memory):
            memory = self.memory / number / 1e6
        return replace(self, workers=1, dask=None, memory_limit=memory, progress=progress)

    def report(
        self, done: int, total: int | None = None, what: str = "", *, latest: Any = None
    ) -> None:
        """Call ``progress``, if there is one."""
        if self.progress is not None:
            self.progress(Progress(done, total, what, latest))

    def tick(self, done: int) -> None:
        """Report the progress of a count; raise a `TimeoutError` if the time limit is reached."""
        self.clock.check("not all tilings were counted")
        self.report(done)


NO_LIMITS = Limits()


def machine_memory() -> float:
    """Return three quarters of the machine's memory in bytes; infinity if it is unknown."""
    try:
        return 0.75 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return float("inf")
