"""The process between the marking and a submission: it watches, and lets nothing live on.

    python -P _warden.py SECONDS BYTES ENTRIES PROCESSES COMMAND ...

It runs a command in its folder and looks several times a second how long that
takes, how much lies in the folder, and how many processes there are. On Linux
it adopts every process whose parent ended ("subreaper"), so that one that made
a session of its own is still found and killed at the end. The exit status says
what came to pass.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import subprocess
import sys
import time
from pathlib import Path

from calmip._process import KILL, descendants

__all__ = ["ENDED", "FULL", "LATE", "MANY"]

ENDED, LATE, FULL, MANY = 0, 3, 4, 5
"""It ended by itself; its time was over; its folder was full; its processes were too many."""

PR_SET_CHILD_SUBREAPER = 36
LOOK = 0.1
"""Seconds between two looks."""

PATIENCE = 20.0
"""Seconds after which even that is given up that cannot be killed."""


def main(seconds: float, most_bytes: int, entries: int, processes: int, command: list[str]) -> int:
    """Run the command and return what came to pass."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    deadline = time.monotonic() + seconds
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    found = ENDED
    while process.poll() is None and found == ENDED:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
        if time.monotonic() > deadline:
            found = LATE
        elif not fits(Path(), most_bytes, entries):
            found = FULL
        elif len(descendants({os.getpid()})) > processes:
            found = MANY
    _kill_all(process)
    return found if fits(Path(), most_bytes, entries) else FULL


def fits(folder: Path, most_bytes: int, entries: int) -> bool:
    """Whether what lies in a folder, at any depth, is no more than so many bytes and entries."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries -= 1
                    with contextlib.suppress(FileNotFoundError):
                        status = entry.stat(follow_symlinks=False)
                        # What it takes on the disk, or where that is not known, its length.
                        blocks = getattr(status, "st_blocks", None)
                        most_bytes -= status.st_size if blocks is None else 512 * blocks
                    if min(entries, most_bytes) < 0:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # too deep to be looked at
                return False
    return True


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    """Kill the command and all that came of it, until nothing is left."""
    deadline = time.monotonic() + PATIENCE
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    while left := descendants({os.getpid()}):
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, KILL)
        if time.monotonic() > deadline:
            break
    if sys.platform != "win32":  # where nobody has to ask after the dead
        with contextlib.suppress(OSError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


if __name__ == "__main__":
    _, longest, most, lying, living, *order = sys.argv
    sys.exit(main(float(longest), int(most), int(lying), int(living), order))
