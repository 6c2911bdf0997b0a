"""Run a submitted Python file in a process of its own, and take nothing from it but files.

The child gets a folder to write to, limits of time, memory, file size and
descriptors, and no terminal: what it prints goes nowhere. It hands over models
and lists, which this process reads with its strict readers and marks by
itself, so there is no message that says "full marks". On Linux this process
also makes its own descriptors unreachable for other processes of the same user.

What a process cannot do is keep a hostile program of the same user off that user's
files and other processes. Where marks matter, run ``calmip grade`` under another
user or in a container.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from calmip._files import scratch_folder
from calmip._process import run
from calmip.course.marks import Failed, quoted

__all__ = ["LIMITS", "handed_over"]

LIMITS = {"seconds": 60, "bytes": 4 << 30, "file": 20 << 20}
"""Seconds of wall clock and processor, bytes of memory, bytes of one file."""

MOST_RESULT = 5_000_000
PR_SET_DUMPABLE = 4


@contextmanager
def handed_over(
    submission: Path, task: Mapping[str, Any], *, limits: Mapping[str, int] | None = None
) -> Iterator[Path]:
    """Yield the folder with the files that a submission made.

    Parameters
    ----------
    submission
        The Python file.
    task
        What `calmip.course._child` is to do with it; plain data.
    limits
        In place of `LIMITS`.

    Raises
    ------
    Failed
        If it raised an error, left its limits, or handed nothing over.
    """
    bounds = {**LIMITS, **(limits or {})}
    _close_to_others()
    with scratch_folder() as folder:
        order = {**task, "submission": str(submission.resolve()), "limits": bounds}
        (folder / "task.json").write_text(json.dumps(order), encoding="utf-8")
        _run(folder, bounds["seconds"])
        error = _json(folder / "error.json")
        if error is not None:
            raise Failed(f"the file failed: {quoted(error)}")
        if not (folder / "done").is_file():
            raise Failed("the program ended before it had handed over its result")
        yield folder


def _run(folder: Path, seconds: int) -> None:
    keep = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1"}  # fmt: skip
    root = str(Path(__file__).parents[2])
    paths = [root, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-P", "-m", "calmip.course._child", "task.json"]
    if run(command, folder=folder, seconds=seconds, environment=environment).status is None:
        raise Failed(f"the program took longer than {seconds} seconds")


def _json(path: Path) -> Any:
    """Return what a file of the child says, None if there is none that can be read."""
    try:
        with path.open("rb") as file:
            return json.loads(file.read(MOST_RESULT))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return "what it handed over cannot be read"


def _close_to_others() -> None:
    """Keep other processes of this user off this one's descriptors, if that is possible."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
