"""The process between the marking and a submission: it watches, and lets nothing live on.

    python -P _warden.py SECONDS BYTES ENTRIES PROCESSES COMMAND ...

It runs a command in its folder and looks several times a second how long that
takes, how much lies in the folder, and how many processes there are. On Linux
it adopts every process whose parent ended ("subreaper"), and at the end it kills
them all and waits until the system says that it has no child left. The exit
status says what came to pass.
"""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import time
from pathlib import Path

from calmip._process import adopt_orphans, descendants, end_children, reaped

__all__ = ["ENDED", "FULL", "LATE", "LEFT", "MANY"]

ENDED, LATE, FULL, MANY, LEFT = 0, 3, 4, 5, 6
"""It ended by itself; its time was over; its folder was full; its processes were too many; some of
them could not be killed."""

LOOK = 0.1
"""Seconds between two looks."""

PATIENCE = 20.0
"""Seconds after which even that is given up that cannot be killed."""


def main(seconds: float, most_bytes: int, entries: int, processes: int, command: list[str]) -> int:
    """Run the command and return what came to pass."""
    adopt_orphans()
    deadline = time.monotonic() + seconds
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    found = ENDED
    while process.poll() is None and found == ENDED:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
        for _ in reaped():  # the dead count as processes until somebody asks after them
            pass
        if time.monotonic() > deadline:
            found = LATE
        elif not fits(Path(), most_bytes, entries):
            found = FULL
        elif len(descendants({os.getpid()})) > processes:
            found = MANY
    try:
        _end(process)
    except TimeoutError:
        return LEFT
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


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the command and all that came of it, or raise TimeoutError."""
    with contextlib.suppress(OSError, AttributeError):  # ahead of those that it races with
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    end_children(PATIENCE)


if __name__ == "__main__":
    _, longest, most, lying, living, *order = sys.argv
    sys.exit(main(float(longest), int(most), int(lying), int(living), order))
