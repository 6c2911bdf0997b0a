"""Run a submitted Python file in a process of its own, and accept only files from it.

The child gets a folder, limits of time, memory, file size and descriptors, and no
terminal. A warden beside it (`calmip.processes.warden`) limits the folder and the number of
its processes, and ends them all. The child leaves models and lists: regular files of
limited size, which this process copies, reads with its strict readers and marks by itself.
What this machine lacked meanwhile is a `MachineFault`, and no fault of the submission. On Linux
this process also makes its descriptors unreachable for other processes of the user.

`protection` tries once what keeps a hostile program off this user's files and processes:
bubblewrap, a user of its own if this process is root's, a control group that limits the
number of processes and their memory. Without any, run ``calmip grade`` under another user or in
a container; docs/how-to/grade.md lists the limits.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import scratch_folder
from calmip._base.signals import check_interrupt, is_interrupted
from calmip.course import _child
from calmip.course.checks import Failed, MachineFault, quote
from calmip.course.machine import (
    OF_PROGRAM,
    OURS,
    describe_error,
    numbers_in,
    oom_kills,
    shortage,
)
from calmip.processes import PROC, Bounds, Ended, run, warden

LIMITS = {
    "seconds": 60,
    "bytes": 4 << 30,
    "file": 20 << 20,
    "folder": 200 << 20,
    "entries": 2000,
    "processes": 100,
}
"""Seconds of wall clock and processor; bytes of memory, of one file, of the whole folder; its files
and folders; processes."""

NEED_LIBRARY = {"models": "pulp"}
"""The library that a job needs; its absence is no fault of the submission."""

MAX_ERROR_BYTES = 10_000
"""Bytes of the child's file about an error."""

KILLED = tuple(
    getattr(signal, name)
    for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGBUS")
    if hasattr(signal, name)
)
"""The signals that end a program for lack of memory, at a shutdown, or where a file of the system
cannot be read; no right answer sends itself one."""

WARDEN_SECONDS = 30.0
"""Seconds that the warden has to end a submission before both are ended."""

PR_SET_DUMPABLE = 4

USERS = range(61184, 65520)
"""Numbers of users without an account: systemd reserves them for transient services."""

HIDDEN = ("/tmp", "/var/tmp", "/run", "/home", "/root")  # noqa: S108 - not used, but hidden
"""Folders with the files of other users and the sockets of services."""

CGROUPS = Path("/sys/fs/cgroup")

_choosing = threading.Lock()
_chosen: deque[int] = deque(maxlen=1024)
"""The users chosen lately, whose processes may not have started yet."""


@dataclass(frozen=True)
class Protection:
    """The protection of this machine from programs, beside the limits of each process.

    Parameters
    ----------
    bubblewrap
        The program ``bwrap``: processes of its own, no network, other files read-only;
        empty if it is missing or does not work.
    own_user
        Whether each program has a user of its own.
    groups
        The folder for control groups that limit processes, if any can be made.
    memory
        The folder for those that limit memory; with version 2 the same.
    held
        What the system limits.
    """

    bubblewrap: str = ""
    own_user: bool = False
    groups: Path | None = None
    memory: Path | None = None
    held: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether this user's files are protected; a control group only limits."""
        return bool(self.bubblewrap or self.own_user)

    def __str__(self) -> str:
        most = [f"{LIMITS['processes']} processes"] * bool(self.groups)
        most += [f"{LIMITS['bytes'] >> 30} GB of memory together"] * bool(self.memory)
        ways = [
            words
            for words, there in (
                (
                    "in bubblewrap (processes of their own, no network, other files read-only)",
                    self.bubblewrap,
                ),
                ("under a user of their own", self.own_user),
                ("with all rights of this user", not self),
                (f"in a control group of at most {' and '.join(most)}", most),
            )
            if there
        ]
        held = ", ".join(self.held) or "nothing but time by the clock"
        exposed = self.exposed
        return (
            f"Programs run {', '.join(ways)}. The system limits {held}.{exposed and ' '}{exposed}"
        )

    @property
    def exposed(self) -> str:
        """What is not protected, and the remedy; empty in bubblewrap."""
        if self.bubblewrap:
            return ""
        what = (
            "the network, and the files that every user may read or write"
            if self.own_user
            else "this user's files (a program can read, change and delete them, the other "
            "submissions included), this user's other programs, and the network"
        )
        remedy = "install bubblewrap: apt install bubblewrap"
        if shutil.which("bwrap"):
            remedy = "bubblewrap is installed, and does not work here; use a container"
        elif sys.platform != "linux":
            remedy = "use a container or a virtual machine"
        return f"Not protected: {what}; {remedy}."


def is_root() -> bool:
    """Return whether this process is root's."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def protection(job: str) -> Protection:
    """Return the strongest protection from a job of `calmip.course._child` that works here.

    Raises
    ------
    SolverFailed
        If Python, or a library that the job needs, cannot be started in any way, or there is no
        room for it.
    """
    with _own_work():
        return _try_ways(NEED_LIBRARY.get(job, ""))


@cache
def _try_ways(library: str) -> Protection:
    groups, memory = _groups("pids"), _groups("memory")
    if groups and memory and groups != memory and (memory / "cgroup.controllers").exists():
        memory = None  # a process is in one group of version 2
    bwrap = (shutil.which("bwrap") if sys.platform == "linux" else None) or ""
    users = (True, False) if sys.platform == "linux" and is_root() else (False,)
    ways = [Protection(program, user, groups, memory) for program in (bwrap, "") for user in users]
    for way in dict.fromkeys([*ways, Protection()]):
        with scratch_folder() as folder, suppress(SolverFailed):
            _start(folder, {"job": "nothing", "library": library}, LIMITS, way)
            held = json.loads((folder / "held.json").read_bytes())
            # The system does not limit root.
            exempt = "the number of processes" if is_root() and not way.own_user else ""
            return Protection(
                way.bubblewrap,
                way.own_user,
                way.groups,
                way.memory,
                tuple(what for what in held if what != exempt),
            )
    with scratch_folder() as folder:
        _start(folder, {"job": "nothing", "library": library}, LIMITS, Protection())
    raise SolverFailed("programs of students can be run only now and then on this machine")


@contextmanager
def run_submission(
    submission: Path,
    task: Mapping[str, Any],
    names: Iterable[str],
    *,
    limits: Mapping[str, int] | None = None,
) -> Iterator[Path]:
    """Yield a folder with copies of the files that a submission made.

    Parameters
    ----------
    submission
        The Python file.
    task
        The task of `calmip.course._child`, as plain data.
    names
        The files that the submission must leave.
    limits
        Instead of those of `LIMITS`.

    Raises
    ------
    Failed
        If it raised an error, left its limits, or did not leave every file.
    MachineFault
        If this machine cannot run it, or lacked something meanwhile.
    """
    bounds = {**LIMITS, **(limits or {})}
    _close_to_others()
    way = protection(task["job"])
    with _own_work(), scratch_folder() as scratch:
        _check_room(scratch)
        killed = None if way.memory else oom_kills()  # its control group counts its own
        try:
            handed = _run(submission, task, tuple(names), bounds, way)
        except Failed:
            _check_room(scratch, killed)
            raise
        _check_room(scratch)
        for name, data in handed.items():
            (scratch / name).write_bytes(data)
        try:
            yield scratch
        finally:
            for name, data in handed.items():
                if (scratch / name).read_bytes() != data:
                    raise MachineFault(f"{name} was changed while it was marked")


@contextmanager
def _own_work() -> Iterator[None]:
    """Make an error of this process's own work with files a fault of the machine."""
    try:
        yield
    except (OSError, MemoryError, InputError) as error:
        named = isinstance(error, InputError)
        raise MachineFault(str(error) if named else describe_error(error)) from error


def _check_room(folder: Path, killed: int | None = None) -> None:
    """Raise `MachineFault` if there is too little space or memory to run a program.

    Also if the system has ended more programs for lack of memory than ``killed``.
    """
    if lack := shortage(folder):
        raise MachineFault(f"{lack}; make room")
    if killed is not None and oom_kills() > killed:
        raise MachineFault("the system ran out of memory and ended programs")


def _run(
    submission: Path,
    task: Mapping[str, Any],
    names: Sequence[str],
    bounds: Mapping[str, int],
    way: Protection,
) -> dict[str, bytes]:
    """Run a submission in a folder of its own, and return the files that it hands over."""
    with scratch_folder() as folder:
        (folder / "submission.py").write_bytes(submission.read_bytes())
        order = {
            **task,
            "library": NEED_LIBRARY.get(task["job"], ""),
            "submission": str(folder.resolve() / "submission.py"),
            "names": names,
        }
        return _handed(folder, _start(folder, order, bounds, way), bounds, names)


def _handed(
    folder: Path, ran: _Ran, bounds: Mapping[str, int], names: Iterable[str]
) -> dict[str, bytes]:
    """Return the files that a program has handed over; raise its fault or the machine's."""
    if ran.out_of_memory is not None:
        raise ran.out_of_memory
    _check(ran.ended, bounds)
    if ran.lacked is not None:
        raise MachineFault(quote(ran.lacked)[1:-1])
    error = _take(folder / "error.json", MAX_ERROR_BYTES)
    if error is not None:
        raise Failed(f"the file failed: {quote(_message(error))}")
    found: dict[str, bytes] = {}
    for name in ("done", *names):
        data = _take(folder / name, bounds["file"])
        if name != "done" and ran.handed is not None and _digest(data) != ran.handed.get(name):
            raise MachineFault(f"{name} is not as the program has written it: empty, cut or gone")
        if data is None:
            raise ran.unfinished()
        found[name] = data
    return found


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class _Ran:
    """How a program ended, and its own last word.

    Parameters
    ----------
    ended
        How it ended.
    lacked
        What the machine lacked, by the program's word; None for nothing.
    handed
        The digests of the files that it handed over; None if it did not say so.
    out_of_memory
        Whose fault it is that the system has ended some of it for lack of memory.
    """

    ended: Ended
    lacked: str | None
    handed: Mapping[str, str] | None
    out_of_memory: Failed | MachineFault | None = None

    def unfinished(self) -> Failed | MachineFault:
        """Return whose fault it is that a program ended without a result."""
        status = self.ended.program or 0
        number = -status if status < 0 else status - 128  # as bubblewrap gives it
        if number in KILLED:
            return MachineFault(f"the program was ended from outside, by signal {number}")
        if self.handed is not None:
            return MachineFault("the result of the program is gone")
        return Failed("the program ended before it had handed over its result")


class _Words:
    """What is said beside a program's output, in lines that begin with a secret word."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.found: dict[str, str] = {}

    def hear(self, line: str) -> None:
        """Keep the first word of each kind; a program's own output is ignored."""
        match = re.match(rf"{self.secret} (\w+) (.*)", line)
        if match:
            self.found.setdefault(match[1], match[2])

    def without(self, ended: Ended) -> Ended:
        """Return how a program ended, without these lines in its output."""
        lines = (line for line in ended.tail.splitlines() if self.secret not in line)
        return replace(ended, tail="\n".join(lines))

    def of(self, ended: Ended) -> _Ran:
        """Return how a program ended, and its last word."""
        handed = None
        with suppress(ValueError, RecursionError):  # it is forged
            handed = json.loads(self.found.get("handed", "null"))
        return _Ran(ended, self.found.get("lacked"), handed if isinstance(handed, dict) else None)


def _start(
    folder: Path, order: Mapping[str, Any], bounds: Mapping[str, int], way: Protection
) -> _Ran:
    """Run a child under a warden in a folder; `SolverFailed` if it did not reach the submission."""
    user = _free_user() if way.own_user else None
    present = 1 if way.own_user else _threads_of_user()
    threads = None if present is None else present + bounds["processes"]
    words = _Words()
    task = {**order, "user": user, "limits": {**bounds, "threads": threads}, "secret": words.secret}
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    if user is not None:
        folder.chmod(0o711)  # bubblewrap enters it before there is that user
        os.chown(folder, user, user)
        for path in folder.iterdir():
            path.chmod(0o644)
    python = [sys.executable, "-P"]
    limits: dict[Path, dict[str, int]] = {}
    if way.groups:
        limits.setdefault(way.groups, {})["pids"] = bounds["processes"] + 3  # those of bubblewrap
    if way.memory:
        limits.setdefault(way.memory, {})["memory"] = bounds["bytes"]
    with ExitStack() as stack:
        groups = tuple(stack.enter_context(_group(*one)) for one in limits.items())
        try:
            ended = run(
                [*_wrap(folder.resolve(), way), *python, "-m", _child.__name__, "task.json"],
                folder=folder,
                seconds=warden.START_SECONDS + bounds["seconds"] + WARDEN_SECONDS,
                environment=_environment(folder.resolve()),
                log=words.hear,
                over=lambda _: is_interrupted(),
                bounds=Bounds(
                    bounds["seconds"],
                    bounds["folder"],
                    bounds["entries"],
                    bounds["processes"],
                    groups,
                ),
            )
        except RuntimeError as error:  # no thread can be started
            raise SolverFailed(f"a program of a student cannot be run: {error}") from None
        faults = [fault for one in groups if (fault := _out_of_memory(one, bounds["bytes"]))]
    check_interrupt()
    known = (warden.ENDED, warden.LATE, warden.FULL, warden.MANY, warden.LEFT)
    strange = ended.status is not None and ended.status >= 0 and ended.status not in known
    # A substitute for Python may also end well without doing anything.
    if strange or (order["job"] == "nothing" and not (folder / "held.json").exists()):
        raise SolverFailed(
            "a program of a student cannot be run: Python did not start in a process of its own"
            f"{words.without(ended).last_line}"
        )
    return replace(words.of(ended), out_of_memory=next(iter(faults), None))


def _check(ended: Ended, bounds: Mapping[str, int]) -> None:
    """Raise `Failed` if a submission left its limits, `MachineFault` if the warden did not end."""
    if ended.status == warden.LATE:
        raise Failed(f"the program took longer than {bounds['seconds']} seconds")
    if ended.status == warden.FULL:
        raise Failed(
            f"the program wrote more than {bounds['folder']:,} bytes, or more than "
            f"{bounds['entries']:,} files and folders"
        )
    if ended.status == warden.MANY:
        raise Failed(f"the program started more than {bounds['processes']} processes")
    if ended.status == warden.LEFT:
        raise MachineFault(
            "some processes of the program could not be ended, and may still be running"
        )
    if ended.status != warden.ENDED:
        raise MachineFault(f"the process that watches the program was ended by {ended.how}")


def _environment(folder: Path) -> dict[str, str]:
    keep = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ}
    environment |= dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), str(folder))
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    root = str(Path(__file__).parents[2])
    paths = [root, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def _wrap(folder: Path, way: Protection) -> list[str]:
    """Return the beginning of a command that is run in bubblewrap; nothing without it.

    All files can be read, but in the hidden folders only those that Python needs.
    """
    if not way.bubblewrap:
        return []
    hidden = {place for place in map(os.path.realpath, HIDDEN) if Path(place).is_dir()}
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    python = {
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        str(Path(__file__).parents[2]),
        *sys.path[1:],
        *filter(None, libraries),
    }
    needed = sorted(
        place
        for place in python | set(map(os.path.realpath, python))
        if place not in hidden and any(place.startswith(f"{one}/") for one in hidden)
    )
    # Else bubblewrap makes the folders above them for root alone.
    above = sorted(
        {
            str(parent)
            for place in (*needed, str(folder))
            for parent in Path(place).parents
            if way.own_user and any(str(parent).startswith(f"{one}/") for one in hidden)
        }
    )
    rights = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if way.own_user else ()
    return [
        way.bubblewrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
        *(word for place in sorted(hidden) for word in ("--tmpfs", place)),
        *(word for place in above for word in ("--perms", "0755", "--dir", place)),
        *(word for place in needed for word in ("--ro-bind-try", place, place)),
        "--bind", str(folder), str(folder), "--chdir", str(folder),
        *(word for place in (*sorted(hidden), "/dev") for word in ("--remount-ro", place)),
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent",
        "--cap-drop", "ALL", *rights, "--",
    ]  # fmt: skip


LIMIT_FILES = {"pids": ("pids.max",), "memory": ("memory.max", "memory.limit_in_bytes")}
"""The files of a control group that limit processes and memory, in version 2 and 1."""


def _groups(kind: str) -> Path | None:
    """Return the folder for control groups that limit processes or memory, if any can be made."""
    with suppress(OSError, ValueError):
        for line in (PROC / "self/cgroup").read_text(encoding="utf-8").splitlines():
            _, kinds, path = line.split(":", 2)
            own = (CGROUPS / kind if kinds == kind else CGROUPS) / path.lstrip("/")
            if kinds not in (kind, ""):
                continue
            for folder in (own, own.parent) if kinds == "" else (own,):
                with suppress(OSError), _group(folder, {kind: 1 << 20}):
                    return folder
    return None


@contextmanager
def _group(folder: Path, limits: Mapping[str, int]) -> Iterator[Path]:
    """Yield the path of a new control group with limits, then remove it."""
    # Numbers of processes in another container are not known here.
    container = (PROC / "self/ns/pid").stat().st_ino
    for old in folder.glob(f"{OF_PROGRAM}*-{container}-*"):  # of markings that were killed
        with suppress(OSError):
            if not (PROC / old.name.split("-")[2]).exists():
                old.rmdir()
    group = folder / f"{OF_PROGRAM}{os.getpid()}-{container}-{os.urandom(8).hex()}"
    group.mkdir()
    try:
        for kind, most in limits.items():
            *others, name = LIMIT_FILES[kind]
            name = next((one for one in others if (group / one).exists()), name)
            with (group / name).open("r+", encoding="ascii") as file:  # the system has made it
                file.write(str(most))
        yield group
    finally:
        with suppress(OSError):
            group.rmdir()


def _out_of_memory(group: Path, most: int) -> Failed | MachineFault | None:
    """Return whose fault it is that the system has ended a process of a control group.

    Where the machine, or a group above, has no more memory, the group's own limit is not reached.
    """
    killed, reached = False, False
    with suppress(OSError, ValueError, KeyError):
        events = numbers_in(group / "memory.events")
        killed, reached = events["oom_kill"] > 0, events["oom"] > 0
    with suppress(OSError, ValueError, KeyError):
        killed = numbers_in(group / "memory.oom_control")["oom_kill"] > 0
        reached = int((group / "memory.failcnt").read_text(encoding="ascii")) > 0
    if not killed:
        return None
    if reached:
        return Failed(f"its processes together took more than {most:,} bytes of memory")
    return MachineFault("the system ran out of memory and ended programs")


def _free_user() -> int:
    """Return the number of a user who has no process, and was not chosen lately."""
    taken = {uid for uid, _ in _users()}
    with _choosing:
        user = secrets.choice([user for user in USERS if user not in taken | {*_chosen}])
        _chosen.append(user)
    return user


def _threads_of_user() -> int | None:
    """Return how many processes and threads this user has, if that can be found out."""
    if not PROC.is_dir():
        return None
    return sum(threads for user, threads in _users() if user == os.getuid())


def _users() -> Iterator[tuple[int, int]]:
    """Yield the user and the number of threads of every process."""
    if not PROC.is_dir():
        return
    for process in PROC.glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or may not be read
            yield process.stat().st_uid, len(list((process / "task").iterdir()))


def _take(path: Path, most: int) -> bytes | None:
    """Return the content of a file of the child; None if it is missing, `Failed` if irregular.

    A link would lead elsewhere, a pipe would block this process: neither is opened.
    """
    further = sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK"))
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | further)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or path.is_symlink():
                raise Failed(f"it handed over {path.name}, which is not a regular file")
            data = file.read(most + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in OURS:
            raise MachineFault(describe_error(error)) from error
        raise Failed(f"it handed over {path.name}, which is not a file that can be read") from None
    if len(data) > most:
        raise Failed(f"it handed over {path.name}, which is larger than {most:,} bytes")
    return data


def _message(data: bytes) -> str:
    """Return the text of the child's file about an error."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, str) else "what it handed over cannot be read"


def _close_to_others() -> None:
    """Keep other processes of this user off this one's descriptors, if that is possible."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
