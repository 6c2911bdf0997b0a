"""The watcher between an untrusted program and its caller; it ends the whole program.

    python -P warden.py SECONDS BYTES ENTRIES PROCESSES CGROUP COMMAND ...

It runs a command in its folder and checks several times a second the time, the size of the folder
and the number of processes. The command joins the control group CGROUP unless that is empty, and
writes a byte to stdout before it runs the program: then the clock starts. On Linux the warden is a
subreaper: it adopts every process whose parent ended. At the end it kills them all and waits until
the system knows of no child. Its exit status is the result.
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

from calmip._base.files import walk_folder
from calmip.processes import adopt_orphans, descendants, end_children, reap_children

__all__ = ["ENDED", "FULL", "LATE", "LEFT", "MANY", "UNSTARTED"]

ENDED, LATE, FULL, MANY, LEFT, UNSTARTED = 0, 13, 14, 15, 16, 17
"""The program ended by itself, reached its time limit, filled its folder, had too many processes,
left processes that cannot be killed, or never started. Python's own statuses differ."""

START = 60.0
"""Seconds that a busy machine has to start Python."""

LOOK = 0.1
"""Seconds between two looks."""

PATIENCE = 20.0
"""Seconds after which processes that cannot be killed are given up."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its result."""
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
            # There is only one thread so far.
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
        for _ in reap_children():  # the dead count as processes until they are waited for
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
    """Put this process, and all that it starts, into a control group."""
    Path(group, "cgroup.procs").write_text("0", encoding="ascii")


def fits(folder: Path, most_bytes: int, entries: int) -> bool:
    """Return whether a folder, at any depth, has no more than so many bytes and entries."""
    for entry in walk_folder(folder):
        try:
            if isinstance(entry, OSError):
                raise entry
            entries -= 1
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # too deep
                return False
            continue
        # Its size on the disk or, where that is not known, its length.
        blocks = getattr(status, "st_blocks", None)
        most_bytes -= status.st_size if blocks is None else 512 * blocks
        if min(entries, most_bytes) < 0:
            return False
    return entries >= 0


def _end(process: subprocess.Popen[bytes], group: str) -> None:
    """Kill the command and all below it, or raise TimeoutError."""
    if group:
        with contextlib.suppress(OSError):  # from here on nothing forks
            Path(group, "pids.max").write_text("0", encoding="ascii")
    with contextlib.suppress(OSError, AttributeError):  # ahead of those that it races with
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    end_children(PATIENCE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
