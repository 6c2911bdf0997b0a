"""Runs of a function in processes of their own, forked from a warm process where possible.

Starting Python and loading calmip and HiGHS takes a quarter of a second; forking a process that
has loaded them takes some milliseconds. The server reads a line of JSON for each run from stdin.
It answers with a line on stdout when the run has ended and its processes are gone. When stdin
ends, the server ends the run and itself: so nothing survives a killed caller.

On Linux the server is a subreaper, so the processes below it are all those of the run. Without a
fork (Windows), or without a safe one (macOS), each run starts a new Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from calmip._base.errors import InputError, SolverFailed
from calmip.processes import (
    PROC,
    RUN,
    adopt_orphans,
    descendants,
    end_children,
    end_marked,
    new_mark,
    note_supervisor,
    processor_seconds,
    python,
    reap_children,
    resident,
    run,
)
from calmip.processes.warden import die_with_parent

FORKS = hasattr(os, "fork") and hasattr(os, "wait4") and sys.platform != "darwin"
"""Whether runs are forked from a warm process; macOS ends a fork that uses system libraries."""

KILL_SECONDS = 20.0
"""Seconds after which a process that cannot be killed is given up."""

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})

ONE_THREAD = MappingProxyType(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1"))
"""The environment of a run: the arrays are small, and a fork takes one thread along."""

FIRST_POLL_SECONDS = (0.002, 0.004, 0.008, 0.016)
POLL_SECONDS = 0.02
"""Seconds between two measurements of the memory: at the beginning of a run, and later."""


def serve(work: Callable[[Path], None]) -> None:
    """Fork runs of a function, one for each line of stdin, until it ends."""
    adopt_orphans()
    wake, awake = os.pipe()
    for end in (wake, awake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(awake, warn_on_full_buffer=False)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # a solver's output goes elsewhere
    print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
    waiting = b""
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        waiting += data
        while b"\n" in waiting:
            line, _, waiting = waiting.partition(b"\n")
            ended = _run(work, json.loads(line), wake)
            print(json.dumps(ended), file=answers, flush=True)


def _run(work: Callable[[Path], None], task: dict[str, Any], wake: int) -> dict[str, Any]:
    """Fork a run and watch it to its end; return how it ended, and its resources."""
    started = perf_counter()
    folder = Path(task["folder"])
    forked = _fork(work, folder)
    seconds, most, cpu_seconds = task["seconds"], task["memory"], task["cpu"]
    watch = _Watch(forked)
    killed = status = None
    cpu, own = 0.0, 0
    intervals = iter(FIRST_POLL_SECONDS)
    while status is None and killed is None:
        ready = select.select([0, wake], [], [], next(intervals, POLL_SECONDS))[0]
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 1 << 10)
        for pid, state, used, size in reap_children():
            cpu += used
            if pid == forked:
                status, own = state, size
        if 0 in ready and status is None:  # the caller has ended
            _end()
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(1)
        if status is None:
            held = watch.look()
            over = seconds is not None and perf_counter() - started > seconds
            full = most is not None and held > most
            spent = cpu_seconds is not None and cpu + watch.processor > cpu_seconds
            killed = "time" if over or spent else "memory" if full else None
    cpu += _end()
    return {
        "killed": killed,
        "status": status,
        "cpu": cpu,
        "memory": watch.peak or own,  # a run may end before the first look
        "waited": watch.waited,
        "wall": perf_counter() - started,
    }


def _end() -> float:
    """Kill the remaining processes of a run and return its processor seconds."""
    try:
        return end_children(KILL_SECONDS)
    except TimeoutError:
        return 0.0


def _fork(work: Callable[[Path], None], folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        die_with_parent()
        note_supervisor()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        output = os.open(folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number, target in ((silent, 0), (output, 1), (output, 2)):
            os.dup2(number, target)
        os.closerange(3, 256)
        # A process that is killed leaves its files in the run's own folder.
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)

        work(folder)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


class _Watch:
    """The memory and the waiting time of a run, by repeated measurement.

    Memory is that of the processes that the run started or, if there are none, its own.
    """

    def __init__(self, run: int) -> None:
        self._run = run
        self._own = self._others = 0
        self._times: dict[int, tuple[int, int]] = {}
        self._stopped = 0.0
        self.processor = 0.0
        self._looked = perf_counter()
        self.look()  # a short run ends before the next look

    @property
    def peak(self) -> int:
        """The largest memory so far, in bytes."""
        return self._others or self._own

    @property
    def waited(self) -> float:
        """The seconds in which its processes were ready and waited for a processor."""
        return self._stopped + sum(waited for _, waited in self._times.values()) / 1e9

    def look(self) -> int:
        """Return the bytes of all processes of the run now."""
        now, before = perf_counter(), self._looked
        self._looked = now
        others = descendants({os.getpid()}) - {self._run}
        self.processor = sum(map(processor_seconds, (self._run, *others)))
        for pid in (self._run, *others):
            self._look_at_delay(pid, now - before)
        own, more = resident(self._run), sum(map(resident, others))
        self._own, self._others = max(self._own, own), max(self._others, more)
        return own + more

    def _look_at_delay(self, pid: int, seconds: float) -> None:
        """Note the times of a process in the system's scheduler, running and waiting.

        A stopped process (SIGSTOP, a machine that sleeps) does not wait in that sense.
        """
        with contextlib.suppress(OSError, ValueError):  # a dead process has no times
            ran, waited, _ = map(int, (PROC / f"{pid}/schedstat").read_bytes().split())
            times, state = (ran, waited), b""
            if pid == self._run and self._times.get(pid) == times:
                state = (PROC / f"{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
            self._stopped += seconds if state in (b"T", b"t") else 0.0
            self._times[pid] = times


def supervise(
    work: Callable[[Path], None],
    folder: Path,
    seconds: float | None,
    memory: int | None,
    *,
    served: Callable[[], None],
    environment: Mapping[str, str] = NO_VARIABLES,
    cpu: float | None = None,
) -> dict[str, Any]:
    """Run a function in a process, and return how it ended, and its resources.

    Parameters
    ----------
    work
        The function, called with the folder, which is the current one where nothing is forked.
    folder
        The folder; the process prints to its ``output.txt``.
    seconds, memory
        The wall-clock seconds and the bytes after which the process is killed.
    served
        A function of a module that loads the modules of the work and calls `serve` with it.
    environment
        Further environment variables of the process, and of the one in which it is warm.
    cpu
        The processor seconds of all its processes after which it is killed.
    """
    if FORKS:
        task = {"folder": str(folder), "seconds": seconds, "memory": memory, "cpu": cpu}
        return _server(served, environment).run(task)
    if cpu is not None:
        raise InputError("a limit of CPU seconds needs a system with fork, such as Linux")
    if memory is not None and find_spec("psutil") is None:
        raise InputError(
            "a memory limit on this system needs the package psutil: pip install psutil"
        )
    started = perf_counter()
    peak = 0

    def full(pid: int) -> bool:
        nonlocal peak
        peak = max(peak, sum(map(resident, {pid} | descendants({pid}))))
        return memory is not None and peak > memory

    here = {**os.environ, **environment, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))}
    ended = run(python(work), folder=folder, seconds=seconds, environment=here, over=full)
    (folder / "output.txt").write_text(ended.tail, encoding="utf-8")
    too_full = memory is not None and peak > memory
    return {
        "killed": None if ended.status is not None else "memory" if too_full else "time",
        "status": ended.status,
        "cpu": None,
        "memory": peak or None,
        "waited": None,
        "wall": perf_counter() - started,
    }


class ServerKilled(Exception):
    """Another program has killed a server."""


class _Server:
    """A warm process that forks runs, seen from the process that started it."""

    def __init__(self, served: Callable[[], None], more: Mapping[str, str]) -> None:
        self._mark, self._ended = new_mark(), False
        environment = {**os.environ, **ONE_THREAD, **more}
        environment[RUN] = self._mark
        self.process = subprocess.Popen(
            python(served),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
            text=True,
            bufsize=1,
        )
        # Before it is ready, as its thread may end first.
        _all.add(self)
        try:
            self._receive()
        except ServerKilled as error:
            if error.args[0] is not None and error.args[0] >= 0:  # it ended by itself
                raise SolverFailed("the process that starts the runs does not start") from None
            raise

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return how a run ended."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # then the answer is empty
            print(json.dumps(task), file=self.process.stdin, flush=True)
        return self._receive()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            wanted = self._ended
            self.end()
            end_marked(self._mark)  # the run has lost its watcher
            if wanted:
                raise SolverFailed("the campaign has ended")
            raise ServerKilled(self.process.returncode)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """End it, and the run that it watches."""
        self._ended = True
        _all.discard(self)
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


_local = threading.local()
_all: set[_Server] = set()
_endings: list[bool] = []


def _server(served: Callable[[], None], environment: Mapping[str, str]) -> _Server:
    """Return this thread's server of a function, a new one if there is none or it has ended."""
    servers: dict[Any, _Server] = vars(_local).setdefault("servers", {})
    key = served, tuple(sorted(environment.items()))
    if key not in servers or servers[key].process.poll() is not None:
        servers[key] = _Server(served, environment)
    return servers[key]


def end_servers() -> None:
    """End the servers of all threads of this process, and the runs that they watch."""
    _endings.append(True)
    for server in list(_all):
        server.end()


def when_ended() -> Callable[[], bool]:
    """Return a function that returns whether `end_servers` has been called since."""
    before = len(_endings)
    return lambda: len(_endings) > before
