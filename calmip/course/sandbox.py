"""Run a submitted Python file in a process of its own, and take nothing from it but files.

The child gets a folder to write to, limits of time, memory, file size and
descriptors, and no terminal: what it prints goes nowhere. A warden beside it
(`calmip.course._warden`) limits what lies in the folder and the number of its
processes, and ends them all. It hands over models and lists: regular files of
limited size, which this process copies out of the folder, reads with its strict
readers and marks by itself, so there is no message that says "full marks". On
Linux this process also makes its own descriptors unreachable for other
processes of the same user.

What a process cannot do is keep a hostile program of the same user off that user's
files and other processes. Where marks matter, run ``calmip grade`` under another
user or in a container; docs/how-to/grade.md says what is limited and what is not.
"""

from __future__ import annotations

import ctypes
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from calmip._files import scratch_folder
from calmip._process import run
from calmip.course import _warden
from calmip.course.marks import Failed, quoted

__all__ = ["LIMITS", "handed_over"]

LIMITS = {
    "seconds": 60,
    "bytes": 4 << 30,
    "file": 20 << 20,
    "folder": 200 << 20,
    "entries": 2000,
    "processes": 100,
}
"""Seconds of wall clock and processor; bytes of memory, of one file, of the whole folder; how many
files and folders lie in it; and how many processes there are."""

MOST_ERROR = 10_000
"""Bytes of the file in which the child says what went wrong."""

GRACE = 30.0
"""Seconds that the warden has to end a submission, before it is ended with it."""

PR_SET_DUMPABLE = 4


@contextmanager
def handed_over(
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
        What `calmip.course._child` is to do with it; plain data.
    names
        The files that it is to hand over.
    limits
        In place of `LIMITS`.

    Raises
    ------
    Failed
        If it raised an error, left its limits, or did not hand everything over.
    """
    bounds = {**LIMITS, **(limits or {})}
    _close_to_others()
    with scratch_folder() as kept:
        with scratch_folder() as folder:
            order = {**task, "submission": str(submission.resolve()), "limits": bounds}
            (folder / "task.json").write_text(json.dumps(order), encoding="utf-8")
            _run(folder, bounds)
            error = _taken(folder / "error.json", MOST_ERROR)
            if error is not None:
                raise Failed(f"the file failed: {quoted(_message(error))}")
            for name in ("done", *names):
                data = _taken(folder / name, bounds["file"])
                if data is None:
                    raise Failed("the program ended before it had handed over its result")
                (kept / name).write_bytes(data)
        yield kept


def _run(folder: Path, bounds: Mapping[str, int]) -> None:
    keep = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ}
    environment |= dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), str(folder))
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    root = str(Path(__file__).parents[2])
    paths = [root, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    python = [sys.executable, "-P"]
    watched = [str(bounds[what]) for what in ("seconds", "folder", "entries", "processes")]
    command = [*python, _warden.__file__, *watched, *python, "-m", "calmip.course._child"]
    ended = run(
        [*command, "task.json"],
        folder=folder,
        seconds=bounds["seconds"] + GRACE,
        environment=environment,
    )
    if ended.status in (None, _warden.LATE):
        raise Failed(f"the program took longer than {bounds['seconds']} seconds")
    if ended.status == _warden.FULL:
        raise Failed(
            f"the program wrote more than {bounds['folder']:,} bytes, or more than "
            f"{bounds['entries']:,} files and folders"
        )
    if ended.status == _warden.MANY:
        raise Failed(f"the program started more than {bounds['processes']} processes")


def _taken(path: Path, most: int) -> bytes | None:
    """Return what a file of the child holds, None if it is not there.

    A link would lead elsewhere, a pipe would keep this process waiting: neither is opened.

    Raises
    ------
    Failed
        If it is no regular file that can be read, or a larger one.
    """
    further = sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK"))
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | further)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or path.is_symlink():
                raise Failed(f"it handed over {path.name}, which is not a regular file")
            data = file.read(most + 1)
    except FileNotFoundError:
        return None
    except OSError:
        raise Failed(f"it handed over {path.name}, which is no file that can be read") from None
    if len(data) > most:
        raise Failed(f"it handed over {path.name}, which is larger than {most:,} bytes")
    return data


def _message(data: bytes) -> str:
    """Return the text in the file that tells of an error."""
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
