"""The supervisor between a program and its caller: it ends all that the program started.

    warden.py REPORT SECONDS BYTES ENTRIES PROCESSES GROUPS COMMAND ...

The warden runs a command in a session of its own. On Linux it is a subreaper: it adopts every
process whose parent ended, and the command is killed with it. When the command has ended, or stdin
has, which the caller holds open, the warden kills all that is left and waits until the system knows
of no child. So nothing survives a caller that is killed.

To the descriptor REPORT it writes the command's process number, and its exit status once all are
gone. Without one (-1) stdin is not watched. With SECONDS the command is limited: the warden checks
several times a second the time, the size of the folder and the number of processes. The command
joins the control groups GROUPS, and writes a byte to stdout before it runs its program: then the
clock starts. The warden's exit status is then the result.

A Python of its own loads this module for each program, so its imports are few and none is
calmip's.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

ENDED, LATE, FULL, MANY, LEFT, UNSTARTED = 0, 13, 14, 15, 16, 17
"""The program ended by itself, reached its time limit, filled its folder, had too many processes,
left processes that cannot be killed, or never started. Python's own statuses differ."""

START_SECONDS = 60.0
"""The time limit for starting Python, also on a busy machine."""

POLL_SECONDS = 0.1
"""Seconds between two checks of a limited program."""

CALLER_POLL_SECONDS = 1.0
"""Seconds between two checks of the caller, in case another process holds its pipe open."""

KILL_SECONDS = 20.0
"""Seconds after which processes that cannot be killed are given up."""

PROC = "/proc"
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ANY_CHILD = 0x40000000 if sys.platform == "linux" else 0
"""Linux's __WALL: wait for children of every kind, those that send no signal included."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Windows has no signals; there this number ends a process as surely."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its result."""
    report, seconds, *most = arguments[:5]
    groups = arguments[5].split(os.pathsep) if arguments[5] else []
    warden = _Warden(int(report), bool(seconds), groups)
    if not warden.start(arguments[6:]):
        return UNSTARTED
    if seconds:
        most_bytes, entries, processes = map(int, most)
        found = warden.limit(float(seconds), most_bytes, entries, processes)
    else:
        found = warden.wait()
    try:
        warden.end()
    except TimeoutError:
        return LEFT
    if found == ENDED and seconds:
        if not warden.has_started(POLL_SECONDS):
            return UNSTARTED
        found = ENDED if fits(".", most_bytes, entries) else FULL
    return found


class _Warden:
    """A command, and what its supervisor knows of it.

    Parameters
    ----------
    report
        The descriptor for its process number and its exit status, or -1.
    limited
        Whether its stdout is the sign that its program starts.
    groups
        The folders of the control groups that it joins.
    """

    def __init__(self, report: int, limited: bool, groups: Sequence[str]) -> None:
        self._report, self._groups, self._limited = report, groups, limited
        self._caller = os.getppid()
        self._status: int | None = None
        adopt_orphans()
        wake, self._awake = os.pipe()
        for descriptor in (wake, self._awake):
            os.set_blocking(descriptor, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._awake, warn_on_full_buffer=False)
        self._wake = wake
        self._sign, self._signed = os.pipe() if limited else (-1, -1)
        if report >= 0:
            os.set_inheritable(report, False)

    def start(self, command: Sequence[str]) -> bool:
        """Start the command; return whether that is possible."""
        failed, fault = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            try:
                self._become(command)
            except OSError as error:
                os.write(fault, str(error.errno or errno.EINVAL).encode())
            finally:
                os._exit(UNSTARTED)
        os.close(fault)
        why = os.read(failed, 16)  # empty once it runs the command
        os.close(failed)
        if self._signed >= 0:
            os.close(self._signed)
        if why:
            self._tell(f"failed {int(why)}")
            sys.stderr.write(f"{os.strerror(int(why))}\n")
            return False
        self._tell(f"runs {self._pid}")
        return True

    def _become(self, command: Sequence[str]) -> None:
        """Run the command in this process."""
        os.setsid()
        caller = os.getppid()
        die_with_parent()
        if caller == 1 or os.getppid() != caller:
            os._exit(UNSTARTED)
        for group in self._groups:  # with all that it starts
            _write(group, "cgroup.procs", "0")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if self._signed >= 0:
            os.dup2(self._signed, 1)
        for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execvp(command[0], list(command))

    def wait(self) -> int:
        """Wait until the command ends or the caller does."""
        while self._status is None and self._caller_is_here(CALLER_POLL_SECONDS):
            pass
        return ENDED

    def limit(self, seconds: float, most_bytes: int, entries: int, processes: int) -> int:
        """Wait until the command ends, the caller does, or a limit is reached; return which."""
        running, deadline = False, time.monotonic() + START_SECONDS
        while self._status is None:
            if not self._caller_is_here(POLL_SECONDS):
                return LATE
            if not running and self.has_started(0.0):
                running, deadline = True, time.monotonic() + seconds
            if time.monotonic() > deadline:
                return LATE if running else UNSTARTED
            if not fits(".", most_bytes, entries):
                return FULL
            if len(descendants({os.getpid()})) > processes:
                return MANY
        return ENDED

    def has_started(self, patience: float) -> bool:
        """Return whether the command has written the byte, if it must, after waiting for it."""
        if self._sign >= 0 and select.select([self._sign], [], [], patience)[0]:
            text = os.read(self._sign, 1 << 10)
            if len(text) > 1:  # an error of what stands in for the program
                os.write(2, text)
            if len(text) != 1:
                return False
            os.close(self._sign)
            self._sign = -1
        return self._sign < 0

    def _caller_is_here(self, seconds: float) -> bool:
        """Wait for a child to end, at most ``seconds``; return whether the caller still lives."""
        lifeline = [0] * (self._report >= 0)
        ready = select.select([*lifeline, self._wake], [], [], seconds)[0]
        if self._wake in ready:
            os.read(self._wake, 1 << 10)
        for pid, status, _, _ in reap_children():  # the dead count as processes until then
            if pid == self._pid:
                self._status = status
        return os.getppid() == self._caller and not (0 in ready and not os.read(0, 1))

    def end(self) -> None:
        """Kill the command and all below it, or raise TimeoutError."""
        for group in self._groups:  # from here on nothing forks
            try:
                _write(group, "pids.max", "0")
            except OSError:
                pass
        try:  # ahead of those that it races with
            os.setpriority(os.PRIO_PROCESS, 0, -20)
        except OSError:
            pass
        killed = self._status is None
        signal_all((-self._pid,), KILL)  # its group
        end_children(KILL_SECONDS)
        self._tell(f"ended {-KILL if self._status is None else self._status}")
        if killed and not self._limited:
            os.kill(os.getpid(), KILL)  # as the command was

    def _tell(self, line: str) -> None:
        if self._report >= 0:
            try:
                os.write(self._report, f"{line}\n".encode())
            except OSError:  # the caller is gone
                pass


def _write(group: str, name: str, text: str) -> None:
    with open(os.path.join(group, name), "w", encoding="ascii") as file:
        file.write(text)


def fits(folder: str | os.PathLike[str], most_bytes: int, entries: int) -> bool:
    """Return whether a folder, at any depth, has no more than ``most_bytes`` and ``entries``."""
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries -= 1
                    most_bytes -= _size(entry)
                    if min(entries, most_bytes) < 0:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # too deep
                return False
    return entries >= 0


def _size(entry: os.DirEntry[str]) -> int:
    """Return an entry's size on the disk or, where that is not known, its length."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise
        return 0
    blocks = getattr(status, "st_blocks", None)
    return status.st_size if blocks is None else 512 * blocks


def adopt_orphans() -> bool:
    """Make this process the parent of orphans below it, a subreaper; return whether it is.

    `end_children` then ends all that this process has started, daemons included.
    """
    return _control(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> bool:
    """Let the system kill this process when the thread that started it ends, on Linux."""
    return _control(PR_SET_PDEATHSIG, KILL)


def _control(what: int, value: int) -> bool:
    """Set an attribute of this process by Linux's prctl; return whether that is possible."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(what, int(value), 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def end_children(patience: float) -> float:
    """Kill all processes below this one, and return the processor seconds of those that ended.

    A process may fork and end faster than processes can be listed. So each one is stopped
    before its children are looked up, and dead ones are waited for. All are killed once no new
    process is found. The call returns when the system reports that no child is left.

    Raises
    ------
    TimeoutError
        If some are left after ``patience`` seconds.
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
        signal_all(known, KILL)
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
            signal_all((pid,), stop)

    return descendants({os.getpid()}, visit) - known


def signal_all(pids: Iterable[int], number: int) -> None:
    """Send a signal to processes; those that have ended are left out."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


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
    if not os.path.isdir(PROC):
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
        for thread in os.listdir(f"{PROC}/{pid}/task"):
            with open(f"{PROC}/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except FileNotFoundError:
        if not os.path.exists(f"{PROC}/self/task/{os.getpid()}/children"):
            return [child for child, _, parent, _ in list_processes() if parent == pid]
    except OSError:  # it has ended
        pass
    return found


def _descendants_elsewhere(parents: Set[int]) -> set[int]:
    """Return what `descendants` does on systems without /proc: Windows and macOS."""
    found: set[int] = set()
    try:
        import psutil
    except ImportError:
        return found
    for pid in parents:
        try:
            found |= {child.pid for child in psutil.Process(pid).children(recursive=True)}
        except psutil.Error:
            pass
    return found


def list_processes() -> Iterator[tuple[int, str, int, int]]:
    """Yield every process in /proc: its number, state, parent and session."""
    for name in os.listdir(PROC):
        if name.isdecimal():
            try:
                with open(f"{PROC}/{name}/stat", "rb") as file:
                    # The name, in brackets, may hold anything.
                    fields = file.read().rpartition(b")")[2].split()
                yield int(name), fields[0].decode(), int(fields[1]), int(fields[3])
            except (OSError, ValueError, IndexError):  # it has ended
                pass
