"""The process between an untrusted program and its caller: it watches it, and ends it whole.

    python -P warden.py SECONDS BYTES ENTRIES PROCESSES CGROUP COMMAND ...

It runs a command in its folder and looks several times a second how long that
takes, how much lies in the folder, and how many processes there are. The command
joins the control group CGROUP unless that is empty, and writes a byte to stdout
before it runs anything of the program's: then the clock starts. On Linux the
warden adopts every process whose parent ended ("subreaper"), and at the end it kills
them all and waits until the system says that it has no child left. The exit status
says what came to pass.
"""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from calmip._files import walk_folder
from calmip.processes import adopt_orphans, descendants, end_children, reaped

__all__ = ["ENDED", "FULL", "LATE", "LEFT", "MANY", "UNSTARTED"]

ENDED, LATE, FULL, MANY, LEFT, UNSTARTED = 0, 13, 14, 15, 16, 17
"""It ended by itself; its time was over; its folder was full; its processes were too many; some of
them could not be killed; it never came to the submission. Python's own statuses are others."""

START = 60.0
"""Seconds that a busy machine has to start Python."""

LOOK = 0.1
"""Seconds between two looks."""

PATIENCE = 20.0
"""Seconds after which even that is given up that cannot be killed."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return what came to pass."""
    seconds, *most, group = arguments[:5]
    most_bytes, entries, processes = map(int, most)
    command = list(arguments[5:])
    adopt_orphans()
    marking = os.getppid()
    deadline = time.monotonic() + START
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            # There is one thread as yet.
            preexec_fn=(lambda: _join(group)) if group else None,  # noqa: PLW1509
        )
    except (OSError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"{error}\n")
        return UNSTARTED
    started = threading.Event()
    threading.Thread(target=_listen, args=(process, started), daemon=True).start()
    running = False
    found = ENDED
    while process.poll() is None and found == ENDED:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
        for _ in reaped():  # the dead count as processes until somebody asks after them
            pass
        if started.is_set() and not running:
            running, deadline = True, time.monotonic() + float(seconds)
        if time.monotonic() > deadline:
            found = LATE if running else UNSTARTED
        elif os.getppid() != marking:
            found = LATE
        elif not fits(Path(), most_bytes, entries):
            found = FULL
        elif len(descendants({os.getpid()})) > processes:
            found = MANY
    try:
        _end(process, group)
    except TimeoutError:
        return LEFT
    if found == ENDED and not started.wait(LOOK):
        return UNSTARTED
    return found if fits(Path(), most_bytes, entries) else FULL


def _listen(process: subprocess.Popen[bytes], started: threading.Event) -> None:
    assert process.stdout is not None
    if os.read(process.stdout.fileno(), 1):
        started.set()


def _join(group: str) -> None:
    """Have this process, and all that will come of it, counted by a control group."""
    Path(group, "cgroup.procs").write_text("0", encoding="ascii")


def fits(folder: Path, most_bytes: int, entries: int) -> bool:
    """Whether what lies in a folder, at any depth, is no more than so many bytes and entries."""
    for entry in walk_folder(folder):
        try:
            if isinstance(entry, OSError):
                raise entry
            entries -= 1
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # too deep to be looked at
                return False
            continue
        # What it takes on the disk, or where that is not known, its length.
        blocks = getattr(status, "st_blocks", None)
        most_bytes -= status.st_size if blocks is None else 512 * blocks
        if min(entries, most_bytes) < 0:
            return False
    return entries >= 0


def _end(process: subprocess.Popen[bytes], group: str) -> None:
    """Kill the command and all that came of it, or raise TimeoutError."""
    if group:
        with contextlib.suppress(OSError):  # from now on nothing forks
            Path(group, "pids.max").write_text("0", encoding="ascii")
    with contextlib.suppress(OSError, AttributeError):  # ahead of those that it races with
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    end_children(PATIENCE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
