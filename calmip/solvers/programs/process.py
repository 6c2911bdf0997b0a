"""Solvers as programs: run one, forward its lines, leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from calmip.errors import SolverFailed

__all__ = ["last_line", "run"]

GRACE = 10.0
"""Seconds that a program may overrun its time limit before it is killed."""


def run(
    command: Sequence[str],
    *,
    folder: Path,
    seconds: float | None = None,
    log: Callable[[str], None] | None = None,
) -> tuple[int | None, str]:
    """Run a program in a folder until it ends.

    The program gets a session of its own and is killed with all its children
    when this call ends in any way, Ctrl-C included.

    Parameters
    ----------
    command
        The program and its arguments.
    folder
        The folder to run in.
    seconds
        The program's own time limit; it is killed when it overruns it by more
        than ten seconds.
    log
        What receives its output line by line.

    Returns
    -------
    tuple
        The exit status, None if it was killed for overrunning its limit, and
        the end of its output.

    Raises
    ------
    SolverFailed
        If the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(command),
            cwd=folder,
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
        status: int | None = process.wait(None if seconds is None else seconds + GRACE)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        _kill(process)
        reader.join(timeout=5)
    return status, "\n".join(tail)


def _read(
    process: subprocess.Popen[bytes], tail: deque[str], log: Callable[[str], None] | None
) -> None:
    """Keep the end of a program's output; a line is cut at 10,000 bytes."""
    assert process.stdout is not None
    with process.stdout as stream:
        while line := stream.readline(10_000):
            text = line.decode("utf-8", "replace").rstrip()
            tail.append(text)
            if log is not None:
                log(text)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and whatever it started, if anything is left."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def last_line(tail: str) -> str:
    """Return the last line of a program's output as the end of a message, if there is one."""
    lines = [line for line in tail.splitlines() if line.strip()]
    return f"; its last line: {lines[-1][:200]!r}" if lines else ""
