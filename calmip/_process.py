"""Run another program: forward its lines, watch its time, leave nothing of it behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from calmip.errors import SolverFailed, SolverMissing

__all__ = [
    "KILL", "NO_PROCESSES", "Ended", "check_processes", "descendants", "processes_are_here", "run",
]  # fmt: skip

MAX_LINE = 10_000
"""Bytes after which a line of output is cut."""

STEP = 0.2
"""Seconds between two looks at a program that is watched."""

WAITS_IN_STEPS = sys.platform == "win32"
"""Whether Ctrl-C is heard only between two waits for a program, as on Windows."""

ROUNDS = 10
"""How often a session is looked through for processes that were born meanwhile."""


PROC = Path("/proc")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""On Windows, which has no signals, this number ends a process as surely."""

NO_PROCESSES = "needs a process of its own, and there are none in a browser; use highs, exact-cover"


def processes_are_here() -> bool:
    """Return whether programs can be run at all; in a browser (Pyodide) they cannot."""
    return sys.platform not in ("emscripten", "wasi")


def check_processes(what: str) -> None:
    """Raise `SolverMissing` if something needs processes or threads and there are none."""
    if not processes_are_here():
        raise SolverMissing(f"{what} needs processes or threads, and there are none in a browser")


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Parameters
    ----------
    status
        Its exit status, minus the number of the signal that killed it, or None
        if it was killed here for overrunning its time.
    tail
        The end of its output.
    """

    status: int | None
    tail: str

    @property
    def how(self) -> str:
        """The exit status in words."""
        if self.status is None:
            return "its time"
        return f"signal {-self.status}" if self.status < 0 else f"exit status {self.status}"

    @property
    def last_line(self) -> str:
        """The last line of its output as the end of a message, if there is one."""
        lines = [line for line in self.tail.splitlines() if line.strip()]
        return f"; its last line: {lines[-1][:200]!r}" if lines else ""


def run(
    command: Sequence[str],
    *,
    folder: Path,
    seconds: float | None = None,
    environment: Mapping[str, str] | None = None,
    log: Callable[[str], None] | None = None,
    over: Callable[[int], bool] | None = None,
) -> Ended:
    """Run a program in a folder until it ends.

    The program gets a session of its own and is killed with all its children
    when this call ends in any way, Ctrl-C included. (Those that made a session
    of their own live on if their parent ended before; on Windows, which has no
    groups, all whose parent ended before.)

    Parameters
    ----------
    command
        The program and its arguments.
    folder
        The folder to run in.
    seconds
        The wall-clock seconds after which it is killed.
    environment
        Its environment variables; those of this process unless given.
    log
        What receives its output line by line.
    over
        Asked again and again, with the program's number, whether to kill it.

    Raises
    ------
    SolverFailed
        If the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise SolverFailed(f"{command[0]} cannot be started: {error.strerror or error}") from None
    tail: deque[str] = deque(maxlen=20)
    reader = threading.Thread(target=_read, args=(process, tail, log), daemon=True)
    reader.start()
    try:
        status: int | None = _wait(process, seconds, over)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        _kill(process)
        reader.join(timeout=5)
    return Ended(status, "\n".join(tail))


def _wait(
    process: subprocess.Popen[bytes], seconds: float | None, over: Callable[[int], bool] | None
) -> int:
    """Wait for a program; raise `subprocess.TimeoutExpired` if it overruns a limit."""
    if over is None and not WAITS_IN_STEPS:
        return process.wait(seconds)
    started = time.monotonic()
    while over is None or not over(process.pid):
        passed = time.monotonic() - started
        if seconds is not None and passed + STEP >= seconds:
            return process.wait(max(0.0, seconds - passed))
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(STEP)
    raise subprocess.TimeoutExpired(process.args, STEP)


def _read(
    process: subprocess.Popen[bytes], tail: deque[str], log: Callable[[str], None] | None
) -> None:
    assert process.stdout is not None
    with process.stdout as stream:
        while line := stream.readline(MAX_LINE):
            text = line.decode("utf-8", "replace").rstrip()
            tail.append(text)
            if log is not None:
                log(text)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and whatever it started, if anything is left."""
    for _ in range(ROUNDS):
        # First of all: who is whose child is known as long as both live. A wrapper such
        # as timeout(1) leaves the group, and is found by the session.
        left = _session(process.pid)
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, KILL)
            else:
                process.kill()
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, KILL)
        if not left:
            break
    process.wait()


def _session(leader: int) -> set[int]:
    """Return the living processes of a session and their descendants, as far as can be known."""
    if not PROC.is_dir():
        return descendants({leader})
    members = {
        pid for pid, state, _, session in _processes() if session == leader and state not in "ZX"
    }
    return members | descendants(members)


def descendants(parents: Set[int]) -> set[int]:
    """Return the living processes that come of some processes, as far as /proc or psutil tells."""
    if not PROC.is_dir():
        return _children_of(parents)
    children: dict[int, list[int]] = {}
    for pid, state, parent, _ in _processes():
        if state not in "ZX":
            children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [child for parent in parents for child in children.get(parent, [])]
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children.get(pid, [])
    return found


def _children_of(parents: Set[int]) -> set[int]:
    """Return what `descendants` does on systems without /proc: Windows and macOS."""
    found: set[int] = set()
    try:
        import psutil
    except ImportError:
        return found
    for pid in parents:
        with contextlib.suppress(psutil.Error):
            found |= {child.pid for child in psutil.Process(pid).children(recursive=True)}
    return found


def _processes() -> Iterator[tuple[int, str, int, int]]:
    """Yield every process: its number, state, parent and session."""
    for entry in PROC.iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # The name, in brackets, may hold anything.
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                yield int(entry.name), fields[0].decode(), int(fields[1]), int(fields[3])
