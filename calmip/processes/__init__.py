"""Processes: run a program or a function in one, watch it, and remove what it leaves."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.files import leave_scratch
from calmip._base.signals import await_jobs, hold_signals
from calmip.processes import warden
from calmip.processes.warden import (
    KILL,
    adopt_orphans,
    descendants,
    end_children,
    list_processes,
    reap_children,
    signal_all,
)

__all__ = [
    "KILL", "NO_PROCESSES", "RUN", "Bounds", "Ended", "adopt_orphans", "answer_task", "call",
    "check_processes", "descendants", "end_children", "end_marked", "end_with", "new_mark",
    "note_supervisor", "processes_are_here", "processor_seconds", "python", "reap_children",
    "resident", "run",
]  # fmt: skip

MAX_LINE_BYTES = 10_000
"""Bytes after which a line of output is cut."""

POLL_SECONDS = 0.2
"""Seconds between two checks of a program; fewer at the start, as some end early."""

WAITS_IN_STEPS = sys.platform == "win32"
"""Whether Ctrl-C arrives only between two waits for a program, as on Windows."""

MAX_SEARCHES = 10
"""The number of searches of a session for processes that started in between."""

READING_SECONDS = 5.0
"""Seconds for which the output of a program that has ended is read: a child that was not found may
hold the pipe open."""

PROC = Path(warden.PROC)

RUN = "CALMIP_RUN"
"""The environment variable that marks a program's daemons, in any session."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""The parts of a second in which the system counts processor time."""

BOOT = (
    "import sys; sys.path.append(sys.argv[1]); from calmip.processes import call; "
    "call(*sys.argv[2:])"
)
"""The folder of calmip comes last on a child's path, and that of a module is not on it: it may have
modules named like a solver's own."""

ROOT = str(Path(__file__).resolve().parents[2])

WARDEN = (
    sys.executable,
    # It starts fast. Elsewhere it finds processes with a package.
    *(("-I", "-S") if sys.platform == "linux" else ("-I",)),
    "-c",
    "import sys; sys.path.insert(0, sys.argv[1]); import warden; "
    "sys.exit(warden.main(sys.argv[2:]))",
    str(Path(__file__).resolve().parent),
)
"""The beginning of a supervisor's command."""

NO_PROCESSES = "needs a process of its own, and there are none in a browser; use highs, exact-cover"


def processes_are_here() -> bool:
    """Return whether programs can run; in a browser (Pyodide) they cannot."""
    return sys.platform not in ("emscripten", "wasi")


def end_with(parent: int) -> None:
    """End this worker when the process that began it is gone, which may hold a lock.

    Signals end its job without a traceback.
    """
    await_jobs()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check_processes(what: str) -> None:
    """Raise `SolverMissing`, naming what needs processes or threads, if there are none."""
    if not processes_are_here():
        raise SolverMissing(f"{what} needs processes or threads, and there are none in a browser")


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Parameters
    ----------
    status
        Its exit status; minus the number of the signal that killed it; or None if it exceeded its
        time and was killed.
    tail
        The end of its output.
    program
        The exit status of a program with limits itself, whose supervisor has the other; None if
        that is unknown.
    """

    status: int | None
    tail: str
    program: int | None = None

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


def python(function: Callable[..., object], *arguments: str) -> list[str]:
    """Return the command that calls a function of a module, or a class method, in a new Python."""
    owner = getattr(function, "__self__", None)
    named = owner or function
    name = named.__qualname__ + (f".{function.__name__}" if owner else "")
    return [sys.executable, "-P", "-c", BOOT, ROOT, named.__module__, name, *arguments]


def call(module: str, name: str, *arguments: str) -> None:
    """Call the function of `python`, in the process that runs its command."""
    attrgetter(name)(import_module(module))(*arguments)


def answer_task(folder: Path, do: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Do the task in a folder's ``task.json``, and write ``answer.json`` there atomically."""
    answer = do(json.loads((folder / "task.json").read_text(encoding="utf-8")))
    part = folder / "answer.part"
    part.write_text(json.dumps(answer), encoding="utf-8")
    part.replace(folder / "answer.json")


@dataclass(frozen=True)
class Bounds:
    """The limits of a program that its supervisor watches; see `calmip.processes.warden`.

    Parameters
    ----------
    seconds
        The wall-clock seconds, from the byte that it writes to stdout.
    size, entries
        The bytes, and the files and folders, in the folder where it runs.
    processes
        The number of its processes.
    groups
        The folders of the control groups that it joins.
    """

    seconds: float
    size: int
    entries: int
    processes: int
    groups: tuple[Path, ...] = ()

    def words(self) -> list[str]:
        """Return the arguments of the supervisor."""
        numbers = (self.seconds, self.size, self.entries, self.processes)
        return [*map(str, numbers), os.pathsep.join(map(str, self.groups))]


def run(
    command: Sequence[str],
    *,
    folder: Path,
    seconds: float | None = None,
    environment: Mapping[str, str] | None = None,
    log: Callable[[str], None] | None = None,
    over: Callable[[int], bool] | None = None,
    bounds: Bounds | None = None,
) -> Ended:
    """Run a program in a folder until it ends.

    The program gets a session of its own, and a supervisor (`calmip.processes.warden`). It is
    killed with all its children when this call ends in any way, Ctrl-C and SIGKILL included. On
    Linux that includes daemons. Elsewhere a daemon survives if its parent ended first. Windows has
    no supervisor: there a program survives this process, and so does every process whose parent
    ended first.

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
        Called with each line of its output.
    over
        Called repeatedly with the process number; returns whether to kill the program.
    bounds
        Its limits; then the status is that of the supervisor.

    Raises
    ------
    SolverFailed
        If the program cannot be started.
    """
    mark = new_mark()
    tail: deque[str] = deque(maxlen=20)
    program: _Program | None = None
    try:
        # The program runs before Popen returns: an interrupt until then would leave it behind.
        with hold_signals():
            here = {**(os.environ if environment is None else environment), RUN: mark}
            program = _Program(command, folder, here, bounds)
            reader = threading.Thread(target=_read, args=(program.process, tail, log), daemon=True)
            reader.start()
        status: int | None = _wait(program, seconds, over)
    except subprocess.TimeoutExpired:
        status = None
    except OSError as error:
        if program is not None:
            raise
        raise SolverFailed(f"{command[0]} cannot be started: {error.strerror or error}") from None
    finally:
        if program is not None:
            program.kill(mark)
            reader.join(timeout=READING_SECONDS)
    assert program is not None
    if program.fault:
        raise SolverFailed(f"{command[0]} cannot be started: {os.strerror(program.fault)}")
    found = status if status is None else program.status(status)
    return Ended(found, "\n".join(tail), None if bounds is None else program.own_status)


_supervised: list[bool] = []
"""Whether this process has a supervisor that ends all below it."""


def note_supervisor() -> None:
    """Note that this process, which a server of runs has forked, has a supervisor.

    It ends all below this process, and the server's caller removes the folder of the run.
    """
    _supervised.append(True)
    leave_scratch()


def _has_warden(bounds: Bounds | None) -> bool:
    """Return whether a program gets a warden; on Windows it gets none."""
    return hasattr(os, "killpg") and (bounds is not None or not _supervised)


class _Program:
    """A program that runs, below its supervisor if it has one.

    Attributes
    ----------
    process
        The supervisor, or the program without one.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        bounds: Bounds | None,
    ) -> None:
        self._lines: list[str] = []
        self._report: IO[str] | None = None
        self._limited = bounds is not None
        words, given = list(command), -1
        if _has_warden(bounds):
            report, given = os.pipe()
            self._report = os.fdopen(report, encoding="ascii")
            limits = [""] * 5 if bounds is None else bounds.words()
            words = [*WARDEN, str(given), *limits, *command]
        try:
            self.process = subprocess.Popen(
                words,
                cwd=folder,
                env=environment,
                # The warden ends the program when this pipe ends.
                stdin=subprocess.PIPE if self._report else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=(given,) if self._report else (),
            )
        except BaseException:
            self._close()
            raise
        finally:
            if given >= 0:
                os.close(given)

    def number(self) -> int:
        """Return the number of the program's process, once it runs."""
        if self._report and not self._lines:
            self._lines.append(self._report.readline())
        found = self._reported_number("runs")
        return self.process.pid if found is None else found

    def _reported_number(self, what: str) -> int | None:
        """Return the number that the warden reports with a word, if it has."""
        numbers = (line.split()[1] for line in self._lines if line.startswith(f"{what} "))
        return next(map(int, numbers), None)

    @property
    def fault(self) -> int:
        """The number of the error for which the program could not be started; 0 if it was."""
        return self._reported_number("failed") or 0

    def status(self, warden_status: int) -> int:
        """Return the program's exit status, or that of a warden that limits it or was killed."""
        found = self._reported_number("ended")
        return warden_status if found is None or self._limited else found

    @property
    def own_status(self) -> int | None:
        """The program's own exit status, if the warden has reported it."""
        return self._reported_number("ended")

    def kill(self, mark: str) -> None:
        """Kill the program and all that it started, if anything is left."""
        if self._report:
            assert self.process.stdin is not None
            self.process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(warden.KILL_SECONDS + READING_SECONDS)
                self._lines += self._report
        self._close()
        if sys.platform != "linux" or self._reported_number("ended") is None:
            _kill(self.process, mark)

    def _close(self) -> None:
        if self._report:
            self._report.close()
            self._report = None


def _wait(program: _Program, seconds: float | None, over: Callable[[int], bool] | None) -> int:
    """Wait for a program; raise `subprocess.TimeoutExpired` if it exceeds a limit."""
    process = program.process
    if over is None and not WAITS_IN_STEPS:
        return process.wait(seconds)
    started, step = time.monotonic(), POLL_SECONDS / 16
    number = 0 if over is None else program.number()
    while over is None or not over(number):
        passed = time.monotonic() - started
        if seconds is not None and passed + step >= seconds:
            return process.wait(max(0.0, seconds - passed))
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(step)
        step = min(2 * step, POLL_SECONDS)
    raise subprocess.TimeoutExpired(process.args, step)


def _read(
    process: subprocess.Popen[bytes], tail: deque[str], log: Callable[[str], None] | None
) -> None:
    assert process.stdout is not None
    with process.stdout as stream:
        while line := stream.readline(MAX_LINE_BYTES):
            text = line.decode("utf-8", "replace").rstrip()
            tail.append(text)
            if log is not None:
                log(text)


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a program and all that it started, if anything is left."""
    for _ in range(MAX_SEARCHES):
        # This comes first, as children are known only while their parents live. A wrapper such
        # as timeout(1) leaves the group, but not the session.
        left = _of_run(mark, process.pid)
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, KILL)
            else:
                process.kill()
        signal_all(left, KILL)
        if not left:
            break
    process.wait()


def _of_run(mark: str, leader: int | None = None) -> set[int]:
    """Return the living processes with a mark or of a session, and all below them."""
    if not PROC.is_dir():
        return descendants({leader} if leader else set())
    members = {
        pid
        for pid, state, _, session in list_processes()
        if state not in "ZX" and (session == leader or _has_mark(pid, mark))
    }
    return members | descendants(members)


def new_mark() -> str:
    """Return a value of `RUN` for a new program, below that of this process."""
    own = f"{os.getpid()}-{os.urandom(8).hex()}"
    return "/".join(filter(None, (os.environ.get(RUN), own)))


def _has_mark(pid: int, mark: str) -> bool:
    """Return whether a process inherited a mark, or one below it."""
    with contextlib.suppress(OSError):  # it has ended, or is another user's
        start = f"{RUN}={mark}/".encode()
        entries = (PROC / f"{pid}/environ").read_bytes().split(b"\0")
        return any((entry + b"/").startswith(start) for entry in entries)
    return False


def end_marked(mark: str) -> None:
    """Kill all processes that inherited a mark and those below them, where there is /proc."""
    for _ in range(MAX_SEARCHES):
        left = _of_run(mark)
        signal_all(left, KILL)
        if not left:
            break


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds; 0 if it has ended or they are unknown.

    Without /proc and psutil, the result for this process is its peak.
    """
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int((PROC / f"{pid}/statm").read_bytes().split()[1]) * PAGE
    if not PROC.is_dir():
        with contextlib.suppress(Exception):
            import psutil

            return int(psutil.Process(pid).memory_info().rss)
        if pid == os.getpid() and sys.platform != "win32":
            import resource

            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            return most if sys.platform == "darwin" else 1024 * most
    return 0


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process and of those children that it waited for.

    They are 0 if it has ended, or without /proc.
    """
    with contextlib.suppress(OSError, IndexError, ValueError):
        # The name, in brackets, may hold anything.
        fields = (PROC / f"{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    return 0.0
