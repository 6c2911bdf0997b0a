"""Whose fault an error is: what this machine lacked is not counted against a submission.

The child process uses this module, too, so it needs the standard library alone.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MIN_DISK_BYTES = 20 << 20
"""Bytes of disk that a program needs to hand over its result."""

MIN_FILES = 100
"""Files that the file system must be able to take."""

MIN_MEMORY_BYTES = 128 << 20
"""Bytes of memory that a program needs to start."""

AMPLE_MEMORY_BYTES = 4 * MIN_MEMORY_BYTES
"""Free bytes with which a lack of memory is due to the limit of the program itself."""

ERRORS = frozenset(
    number
    for name in ("ENOSPC", "EDQUOT", "EIO", "ENOMEM", "ENFILE", "ESTALE", "EREMOTEIO")
    if (number := getattr(errno, name, None)) is not None
)
"""The system's errors that no program causes by its own limits."""

OURS = ERRORS | {errno.EMFILE, errno.EAGAIN, errno.EROFS}
"""Those of a process without the limits of a submission."""

PROC, CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")

OF_PROGRAM = "calmip-program-"
"""How the name of a control group begins that limits one program, not this machine."""


def fault_of_machine(error: BaseException, *, limited: bool = False) -> str:
    """Return what this machine lacked, in words; empty if an error is not the machine's.

    An error is the machine's too if it was raised while one of the machine's was handled.

    Parameters
    ----------
    error
        The error.
    limited
        Whether it is an error of a process with a limit of its own: then a lack of memory is the
        machine's only if the machine has little left.
    """
    for one in _chain(error):
        number = _number_of(one)
        if number is None or number not in (ERRORS if limited else OURS):
            continue
        left = memory_left() if limited and number == errno.ENOMEM else None
        if left is not None and left >= AMPLE_MEMORY_BYTES:
            continue
        return describe_error(one)
    return ""


def describe_error(error: BaseException) -> str:
    """Return a system's error in words: what the system calls it, and the file if it is known."""
    number = _number_of(error)
    if number is None:
        return str(error)
    file = getattr(error, "filename", None)
    return os.strerror(number) + (f" ({file})" if file else "")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that led to it."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [led for led in (one.__cause__, one.__context__) if led is not None]


def _number_of(error: BaseException) -> int | None:
    """Return the number of a system's error."""
    if isinstance(error, MemoryError):
        return errno.ENOMEM
    if isinstance(error, OSError):
        return error.errno
    if isinstance(error, ImportError):  # the loader of libraries has its errors as text alone
        return next((one for one in ERRORS if os.strerror(one) in str(error)), None)
    return None


def shortage(folder: Path) -> str:
    """Return what this machine has too little of to run a program in a folder; empty if nothing."""
    with suppress(OSError):
        space = shutil.disk_usage(folder).free
        if space < MIN_DISK_BYTES:
            need = _megabytes(MIN_DISK_BYTES)
            return f"{folder} has {_megabytes(space)} MB left, and a program needs {need} MB"
    with suppress(OSError, AttributeError):
        system = os.statvfs(folder)
        if system.f_files and system.f_favail < MIN_FILES:
            return f"{folder} has room for {system.f_favail} files, and a program needs {MIN_FILES}"
    memory = memory_left()
    if memory is not None and memory < MIN_MEMORY_BYTES:
        need = _megabytes(MIN_MEMORY_BYTES)
        return f"{_megabytes(memory)} MB of memory are left, and a program needs {need} MB"
    return ""


def _megabytes(number: int) -> str:
    return f"{number / (1 << 20):.3g}"


def memory_left() -> int | None:
    """Return how many bytes of memory this process may still get; None if that is unknown."""
    if sys.platform != "linux":
        return None
    return min([*_of_system(), *_of_groups()], default=None)


def oom_kills() -> int:
    """Return how many processes the system has ended for lack of memory since it started."""
    with suppress(OSError, ValueError, KeyError):
        return numbers_in(PROC / "vmstat")["oom_kill"]
    return 0


def _of_system() -> Iterator[int]:
    with suppress(OSError, ValueError, KeyError):
        found = numbers_in(PROC / "meminfo")
        yield 1024 * (found["MemAvailable:"] + found.get("SwapFree:", 0))
        if (PROC / "sys/vm/overcommit_memory").read_text().strip() == "2":
            yield 1024 * (found["CommitLimit:"] - found["Committed_AS:"])


def _of_groups() -> Iterator[int]:
    """Yield what the control groups of this process leave it; files in memory can be dropped.

    Version 1 refuses memory to a program at its own limit as it does where the machine has none.
    """
    with suppress(OSError, ValueError):
        for line in (PROC / "self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds not in ("", "memory"):
                continue
            root = CGROUPS / kinds
            names = (
                ("memory.max", "memory.current")
                if not kinds
                else ("memory.limit_in_bytes", "memory.usage_in_bytes")
            )
            total = "total_" if kinds else ""
            own = root / path.lstrip("/")
            for folder in (own, *own.parents):
                if folder.name.startswith(OF_PROGRAM):
                    continue
                with suppress(OSError, ValueError, KeyError):
                    most, used = ((folder / name).read_text().strip() for name in names)
                    files = numbers_in(folder / "memory.stat")
                    cached = files[f"{total}inactive_file"] + files[f"{total}active_file"]
                    yield int(most) - int(used) + cached  # "max" is not a number
                if folder == root:
                    break


def numbers_in(path: Path) -> dict[str, int]:
    """Return the numbers of a file of lines with a name and a number."""
    lines = (line.split() for line in path.read_text(encoding="ascii").splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1}
