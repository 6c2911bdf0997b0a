"""Processes that tests start: whether they still run, and how to wait for them."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HANG_SECONDS = 600
"""The time limit of a program that must end: only one that hangs takes longer. It fails
before CI ends the test (`hangs`)."""


def cpu_seconds() -> float:
    """Return what this process and the children that it has waited for have worked.

    A busy machine makes the wall clock run, and this one hardly.
    """
    used = os.times()
    return time.process_time() + used.children_user + used.children_system


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet waited for does not."""
    try:
        os.kill(pid, 0)
        if not Path("/proc/self/stat").is_file():
            return True
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):  # It may go between any two of these lines.
        return False
    return state not in (b"Z", b"X")


def assert_gone(pid: int) -> None:
    """Wait until the system has seen a killed process off."""
    end = time.monotonic() + HANG_SECONDS
    while time.monotonic() < end:
        if not alive(pid):
            return
        time.sleep(0.1)
    pytest.fail(f"process {pid} is still there")


def wait_until(seen: Callable[[], object], program: subprocess.Popen[Any] | None = None) -> None:
    """Wait until something is seen, for as long as a program runs."""
    end = time.monotonic() + HANG_SECONDS
    while not seen():
        assert program is None or program.poll() is None, f"it ended first: {program.returncode}"
        assert time.monotonic() < end, "it is never seen"
        time.sleep(0.02)


def until(seen: Callable[[], bool], attempt: Callable[[float], object]) -> None:
    """Try with longer and longer times until a program came as far as it was to come."""
    for seconds in (0.25, 1.0, 5.0, 25.0, 125.0):
        attempt(seconds)
        if seen():
            return
    pytest.fail("the program never started")


IDLE_SECONDS = 8
"""Programs that do nothing for so long have nothing left to do."""

IDLE_SHARE = 0.5
"""The share of that time up to which it is nothing: a page that is only asked takes a tenth."""


def working_seconds() -> dict[str, float]:
    """Return for each thread of the programs below this one what it has worked.

    The time in which it could work and waited for a processor counts: so a busy machine makes
    no program idle. Nothing is returned where the system does not tell it.
    """
    below: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_bytes().rpartition(b")")[2].split()[1])
        except OSError:  # It has ended meanwhile.
            continue
        below.setdefault(parent, []).append(int(path.parent.name))
    found: dict[str, float] = {}
    processes = [os.getpid()]
    for process in processes:
        processes += below.get(process, [])
    for process in processes[1:]:
        for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
            try:
                ran, waited, _ = path.read_text(encoding="ascii").split()
            except OSError:
                continue
            found[str(path)] = (int(ran) + int(waited)) / 1e9
    return found


class Idle:
    """Whether the programs below this one have nothing to do any more: then no wait ends."""

    def __init__(self, seconds: float = IDLE_SECONDS) -> None:
        self.seconds = seconds
        self.since = 0.0
        self.worked: dict[str, float] | None = None
        """What each thread had worked then; most waits end before anybody looks."""

    def lasts(self) -> bool:
        """Whether they did nothing for the time before this look, or a little more."""
        now = time.monotonic()
        if self.worked is not None and now - self.since < self.seconds:
            return False
        worked = working_seconds()
        before, since = self.worked, self.since
        self.worked, self.since = worked, now
        if before is None or not worked:
            return False
        done = sum(seconds - before.get(thread, 0.0) for thread, seconds in worked.items())
        return done < IDLE_SHARE * (now - since)
