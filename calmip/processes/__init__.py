"""Processes: run a program or a function in one, watch it, and remove what it leaves."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.signals import await_jobs, hold_signals

__all__ = [
    "KILL", "NO_PROCESSES", "RUN", "Ended", "adopt_orphans", "answer_task", "call",
    "check_processes", "descendants", "end_children", "end_marked", "end_with", "new_mark",
    "processes_are_here", "processor_seconds", "python", "reap_children", "resident", "run",
]  # fmt: skip

MAX_LINE = 10_000
"""Bytes after which a line of output is cut."""

STEP = 0.2
"""Seconds between two looks at a program; fewer in the beginning, as some end before."""

WAITS_IN_STEPS = sys.platform == "win32"
"""Whether Ctrl-C arrives only between two waits for a program, as on Windows."""

ROUNDS = 10
"""The number of searches of a session for processes that started in between."""

READING = 5.0
"""Seconds for which the output of a program that has ended is read: a child that was not found may
hold the pipe open."""

PROC = Path("/proc")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Windows has no signals; there this number ends a process as surely."""

RUN = "CALMIP_RUN"
"""The environment variable that marks a program's daemons, in any session."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""The parts of a second in which the system counts processor time."""

PR_SET_CHILD_SUBREAPER = 36
ANY_CHILD = 0x40000000 if sys.platform == "linux" else 0
"""Linux's __WALL: wait for children of every kind, those that send no signal included."""

BOOT = (
    "import sys; sys.path.append(sys.argv[1]); from calmip.processes import call; "
    "call(*sys.argv[2:])"
)
"""The folder of calmip comes last on a child's path, and that of a module is not on it: it may have
modules named like a solver's own."""

ROOT = str(Path(__file__).resolve().parents[2])

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
            time.sleep(STEP)
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

    The program gets a session of its own. It is killed with all its children when this call ends
    in any way, Ctrl-C included. On Linux, daemons that left its session are recognised by the
    environment that they inherit. Elsewhere a daemon survives if its parent ended first. On
    Windows, so does every process whose parent ended first.

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

    Raises
    ------
    SolverFailed
        If the program cannot be started.
    """
    mark = new_mark()
    tail: deque[str] = deque(maxlen=20)
    reader: threading.Thread | None = None
    try:
        # The program runs before Popen returns: an interrupt until then would leave it behind.
        with hold_signals():
            process = subprocess.Popen(
                list(command),
                cwd=folder,
                env={**(os.environ if environment is None else environment), RUN: mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            reader = threading.Thread(target=_read, args=(process, tail, log), daemon=True)
            reader.start()
        status: int | None = _wait(process, seconds, over)
    except subprocess.TimeoutExpired:
        status = None
    except OSError as error:
        if reader is not None:
            raise
        raise SolverFailed(f"{command[0]} cannot be started: {error.strerror or error}") from None
    finally:
        if reader is not None:
            _kill(process, mark)
            reader.join(timeout=READING)
    return Ended(status, "\n".join(tail))


def _wait(
    process: subprocess.Popen[bytes], seconds: float | None, over: Callable[[int], bool] | None
) -> int:
    """Wait for a program; raise `subprocess.TimeoutExpired` if it exceeds a limit."""
    if over is None and not WAITS_IN_STEPS:
        return process.wait(seconds)
    started, step = time.monotonic(), STEP / 16
    while over is None or not over(process.pid):
        passed = time.monotonic() - started
        if seconds is not None and passed + step >= seconds:
            return process.wait(max(0.0, seconds - passed))
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(step)
        step = min(2 * step, STEP)
    raise subprocess.TimeoutExpired(process.args, step)


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


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a program and all that it started, if anything is left."""
    for _ in range(ROUNDS):
        # This comes first, as children are known only while their parents live. A wrapper such
        # as timeout(1) leaves the group, but not the session.
        left = _of_run(mark, process.pid)
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, KILL)
            else:
                process.kill()
        _signal(left, KILL)
        if not left:
            break
    process.wait()


def _of_run(mark: str, leader: int | None = None) -> set[int]:
    """Return the living processes with a mark or of a session, and all below them."""
    if not PROC.is_dir():
        return descendants({leader} if leader else set())
    members = {
        pid
        for pid, state, _, session in _processes()
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
    for _ in range(ROUNDS):
        left = _of_run(mark)
        _signal(left, KILL)
        if not left:
            break


def adopt_orphans() -> bool:
    """Make this process the parent of orphans below it, a subreaper; return whether it is.

    `end_children` then ends all that this process has started, daemons included.
    """
    if sys.platform != "linux":
        return False
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    return False


def end_children(patience: float) -> float:
    """Kill all processes below this one, and return the processor seconds of those that ended.

    A process may fork and end faster than processes can be listed. So each one is stopped
    before its children are looked up, and dead ones are waited for. All are killed once no new
    process is found. The call returns when the system reports that no child is left.

    Raises
    ------
    TimeoutError
        If some are left after so many seconds of patience.
    """
    deadline = time.monotonic() + patience
    used = 0.0
    while True:
        known: set[int] = set()
        while found := _stop_others(known):
            known |= found
            for pid, _, seconds, _ in reap_children():
                known.discard(pid)  # another process may have got the number
                used += seconds
            if time.monotonic() > deadline:
                break
        _signal(known, KILL)
        used += sum(seconds for _, _, seconds, _ in reap_children())
        if not _has_children():
            return used
        if time.monotonic() > deadline:
            raise TimeoutError(f"{len(known)} processes cannot be ended")
        time.sleep(0.001)


def _stop_others(known: Set[int]) -> set[int]:
    """Stop the processes below this one that are not known yet, and return them."""
    stop = getattr(signal, "SIGSTOP", None)

    def visit(pid: int) -> None:
        if stop is not None and pid not in known:
            _signal((pid,), stop)

    return descendants({os.getpid()}, visit) - known


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def reap_children() -> Iterator[tuple[int, int, float, int]]:
    """Yield every child that has ended: number, exit status, CPU seconds, most bytes held."""
    wait = getattr(os, "wait4", None)  # Windows needs no waiting for dead processes
    while wait is not None:
        try:
            pid, state, usage = wait(-1, os.WNOHANG | ANY_CHILD)
        except ChildProcessError:
            return
        if pid == 0:
            return
        held = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        yield pid, os.waitstatus_to_exitcode(state), usage.ru_utime + usage.ru_stime, held


def _has_children() -> bool:
    """Return whether this process has children, dead or alive; on Windows, living ones."""
    if not hasattr(os, "waitid"):
        return bool(descendants({os.getpid()}))
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT | ANY_CHILD)
    except ChildProcessError:
        return False
    return True


def descendants(parents: Set[int], visit: Callable[[int], None] = lambda _: None) -> set[int]:
    """Return the processes below some processes, as far as /proc or psutil lists them.

    Each process that is found is visited before its children are looked up.
    """
    if not PROC.is_dir():
        found = _descendants_elsewhere(parents)
        for pid in found:
            visit(pid)
        return found
    found = set()
    waiting = list(parents)
    while waiting:
        for pid in _children(waiting.pop()):
            if pid not in found:
                visit(pid)
                found.add(pid)
                waiting.append(pid)
    return found


def _children(pid: int) -> list[int]:
    """Return the children of a process, those that are dead but not waited for included."""
    found: list[int] = []
    try:
        for thread in os.listdir(PROC / f"{pid}/task"):  # noqa: PTH208 - no paths needed
            found += map(int, (PROC / f"{pid}/task/{thread}/children").read_bytes().split())
    except FileNotFoundError:
        if not (PROC / "self/task" / str(os.getpid()) / "children").exists():
            return [child for child, _, parent, _ in _processes() if parent == pid]
    except OSError:  # it has ended
        pass
    return found


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


def _descendants_elsewhere(parents: Set[int]) -> set[int]:
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
