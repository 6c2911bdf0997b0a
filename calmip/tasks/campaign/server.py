"""A warm process that forks a process for each run, watches it, and leaves nothing of it behind.

To start Python and to load calmip and HiGHS takes a quarter of a second; to fork a
process that has them takes some milliseconds. The server reads a line of JSON for
each run from stdin and answers with one on stdout when the run has ended and its
processes are gone. It ends when stdin does, and takes the run with it: so nothing
outlives a campaign that is killed.

On Linux the server adopts whatever loses its parent (prctl, PR_SET_CHILD_SUBREAPER),
so the processes below it are those of the run, all of them. Where there is no fork
(Windows) `calmip.tasks.campaign.runs` starts Python anew for each run.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from calmip._process import KILL, PROC, descendants

__all__ = ["serve"]

PR_SET_CHILD_SUBREAPER = 36

INTERVALS = (0.002, 0.004, 0.008, 0.016)
INTERVAL = 0.02
"""Seconds from one look at the memory to the next: at the beginning of a run, and later."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def serve() -> None:
    """Run what stdin asks for, one after the other, until it ends."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for module in ("calmip.tasks.campaign.work", "calmip.solvers.highs", "highspy"):
        with contextlib.suppress(ImportError):
            __import__(module)
    wake, awake = os.pipe()
    for end in (wake, awake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(awake, warn_on_full_buffer=False)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what a solver prints goes elsewhere
    print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
    waiting = b""
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        waiting += data
        while b"\n" in waiting:
            line, _, waiting = waiting.partition(b"\n")
            ended = _run(json.loads(line), wake)
            print(json.dumps(ended), file=answers, flush=True)


def _run(task: dict[str, Any], wake: int) -> dict[str, Any]:
    """Fork a run and watch it to its end; return how it ended and what it took."""
    started = perf_counter()
    run = _forked(Path(task["folder"]))
    seconds, most = task["seconds"], task["memory"]
    watch = _Memory(run)
    killed = status = None
    cpu = 0.0
    intervals = iter(INTERVALS)
    while status is None:
        ready = select.select([0, wake], [], [], next(intervals, INTERVAL))[0]
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 1 << 10)
        for pid, state, used in _reaped():
            cpu += used
            status = state if pid == run else status
        if 0 in ready and status is None:  # the campaign has ended: no other line comes before
            _kill_all()
            os._exit(1)
        if status is None and killed is None:
            over = seconds is not None and perf_counter() - started > seconds
            full = watch.look() > most if most is not None else watch.look() < 0
            killed = "time" if over else "memory" if full else None
            if killed:
                cpu += sum(used for _, _, used in _kill_all())
                break
    cpu += sum(used for _, _, used in _kill_all())
    return {
        "killed": killed,
        "status": status,
        "cpu": cpu,
        "memory": watch.peak,
        "wall": perf_counter() - started,
    }


def _forked(folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number, target in ((silent, 0), (said, 1), (said, 2)):
            os.dup2(number, target)
        os.closerange(3, 256)
        from calmip.tasks.campaign.work import work

        work(folder)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def _reaped() -> Iterator[tuple[int, int, float]]:
    """Yield every child that has ended: its number, exit status and CPU seconds."""
    while True:
        try:
            pid, state, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        yield pid, os.waitstatus_to_exitcode(state), usage.ru_utime + usage.ru_stime


def _kill_all() -> list[tuple[int, int, float]]:
    """Kill all that is below this process, and return what `_reaped` says of it."""
    ended: list[tuple[int, int, float]] = []
    while below := _below(os.getpid()):
        for pid in below:
            with contextlib.suppress(OSError):
                os.kill(pid, KILL)
        with contextlib.suppress(ChildProcessError):
            # Waits for one, so that this is no busy loop; those adopted come next.
            pid, state, usage = os.wait4(-1, 0)
            used = usage.ru_utime + usage.ru_stime
            ended.append((pid, os.waitstatus_to_exitcode(state), used))
    return [*ended, *_reaped()]


def _below(pid: int) -> set[int]:
    """Return the living processes below one; those that are dead but not waited for as well."""
    if not (PROC / "self/task").is_dir() or not _children_file(pid, pid).is_file():
        return descendants({pid})
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError, ValueError):
            for thread in os.listdir(PROC / f"{parent}/task"):  # noqa: PTH208 - no paths needed
                children = set(map(int, _children_file(parent, int(thread)).read_bytes().split()))
                waiting += children - found
                found |= children
    return found


def _children_file(pid: int, thread: int) -> Path:
    return PROC / f"{pid}/task/{thread}/children"


class _Memory:
    """The peak of a run's memory: of the processes that it started or, if none, its own."""

    def __init__(self, run: int) -> None:
        self._run = run
        self._own = self._others = 0

    @property
    def peak(self) -> int:
        """Bytes."""
        return self._others or self._own

    def look(self) -> int:
        """Return the bytes that all processes of the run hold now."""
        own = _resident(self._run)
        others = sum(map(_resident, _below(os.getpid()) - {self._run}))
        self._own, self._others = max(self._own, own), max(self._others, others)
        return own + others


def _resident(pid: int) -> int:
    """Return the bytes of memory of a process, 0 if it has gone."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int((PROC / f"{pid}/statm").read_bytes().split()[1]) * PAGE
    if not PROC.is_dir():
        with contextlib.suppress(Exception):
            import psutil

            return int(psutil.Process(pid).memory_info().rss)
    return 0
