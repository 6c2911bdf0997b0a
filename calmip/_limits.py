"""How long work may take and in how much memory: limits, and the one clock for them."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from calmip._interrupt import heed
from calmip.errors import InputError

__all__ = [
    "Deadline",
    "Limits",
    "checked_seconds",
    "machine_memory",
    "memory_bytes",
    "resident_memory",
]

LEAST = 1e-3
"""Seconds that are always left: what is asked to stop at once still ends by itself."""


@dataclass(frozen=True)
class Limits:
    """How long and how a solver may work, and what it starts from.

    Parameters
    ----------
    seconds
        The most wall-clock seconds, or None.
    seed
        The seed of the solver's random choices.
    threads
        The number of threads.
    log
        What receives the solver's own lines, or None.
    start
        The names of the columns that are one in a solution that is known already;
        empty if none is, and for solvers that take none.
    options
        The solver's own options by their own names, each with its value as a
        text; they come after, and so before, what calmip sets by itself.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    seconds: float | None = None
    seed: int = 0
    threads: int = 1
    log: Callable[[str], None] | None = None
    start: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        checked_seconds(self.seconds)
        if not 0 <= self.seed < 2**31:
            raise InputError(f"the seed is a whole number from 0 to {2**31 - 1}, not {self.seed}")
        if not 1 <= self.threads <= 1024:
            raise InputError(f"the number of threads is from 1 to 1024, not {self.threads}")

    @property
    def patience(self) -> float | None:
        """The seconds after which a solver that heeds no limit is killed.

        A second and a tenth of the limit more than the limit, for a solver that does.
        """
        return None if self.seconds is None else 1.1 * self.seconds + 1


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

    def left(self, least: float = LEAST) -> float | None:
        """Return the seconds that are left, but no fewer than ``least``; None if there is no end.

        Work that gets what is left ends by itself, so nobody gets none.
        """
        return None if self.seconds is None else max(self.seconds - self.elapsed, least)

    def lap(self) -> float:
        """Return the seconds since the last lap, or since the start."""
        before, self._lap = self._lap, perf_counter()
        return self._lap - before


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


def memory_bytes(megabytes: float | None) -> float:
    """Return a memory limit in bytes: three quarters of the machine's memory if there is none.

    Raises
    ------
    InputError
        If it is not a finite number above 0, or None.
    """
    if megabytes is None:
        return machine_memory()
    if not (math.isfinite(megabytes) and megabytes > 0):
        raise InputError(f"the memory limit is a number of MB above 0, not {megabytes:g}")
    return 1e6 * megabytes


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
