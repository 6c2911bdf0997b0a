"""The graded exercises: what they ask, and which module marks an answer."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import cast

from calmip._files import make_folder, write_atomically
from calmip.course.marks import Check
from calmip.course.sandbox import LIMITS, Protection, protection
from calmip.errors import InputError, listed
from calmip.problem.instance import Instance

__all__ = ["EXERCISES", "SUFFIXES", "checks_of", "protection_of", "write_solutions"]

# One line per exercise: name -> (module, function, title). Modules are imported on use.
EXERCISES: dict[str, tuple[str, str, str]] = {
    "1": ("calmip.course.listing", "grade_listing", "List the placements of a tiny board by hand"),
    "2": ("calmip.course.modelling", "grade_pulp", "Write the placement model in PuLP"),
    "3": ("calmip.course.modelling", "grade_pyomo", "Write the placement model in Pyomo"),
    "4": ("calmip.course.clique_cuts", "grade_cuts", "LP relaxation, bounds, and clique cuts"),
    "5": ("calmip.course.enumerating", "grade_enumeration", "All solutions: k-1 against k-2"),
    "6": ("calmip.course.answers", "grade_answer", "Export, solve elsewhere, bring it back"),
}


SUFFIXES = {"1": ".txt", "2": ".py", "3": ".py", "4": ".json", "5": ".py", "6": ".sol"}
"""What the files of an exercise are called, where a folder is searched for them."""

JOBS = {"2": "pulp", "3": "pyomo", "5": "cuts"}
"""The exercises whose files are run, and what is done with them first."""

MOST_BYTES = {"1": 64_000, "2": 1_000_000, "3": 1_000_000, "4": 64_000, "5": 1_000_000,
              "6": 1_000_000}  # fmt: skip
"""Bytes of a file that is marked; a right one has a thousand, a solver's up to a
hundred thousand."""


def checks_of(
    exercise: str,
    path: Path,
    *,
    time_limit: float | None = None,
    instance: Instance | None = None,
) -> tuple[Check, ...]:
    """Return what was looked at in one submission, in order.

    Parameters
    ----------
    exercise
        The exercise's name, ``"1"`` to ``"6"``.
    path
        The submitted file.
    time_limit
        The seconds that a Python file may run, or None for as many as
        `calmip.course.sandbox` gives it.
    instance
        What the student is to work on, where it was drawn; None for what the
        exercise says.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file, or it is too large.
    """
    if exercise not in EXERCISES:
        raise InputError(f"there is no exercise '{exercise}'; use one of {listed(list(EXERCISES))}")
    _check_file(path, MOST_BYTES[exercise])
    module, function, _ = EXERCISES[exercise]
    marker = cast(Callable[..., tuple[Check, ...]], getattr(import_module(module), function))
    if instance is not None:
        return marker(path, instance=instance)
    if time_limit is None or SUFFIXES[exercise] != ".py":
        return marker(path)
    return marker(path, limits={**LIMITS, "seconds": math.ceil(time_limit)})


def _check_file(path: Path, most: int) -> None:
    """Raise `InputError` if a path is no file that can be read, or a large one."""
    try:
        if not path.is_file():
            raise InputError("there is no such file to grade", path=path)
        with path.open("rb") as file:
            large = len(file.read(most + 1)) > most
        if not large:
            # What is no gzip file, or a damaged one, is for whoever reads it to say.
            with suppress(gzip.BadGzipFile, zlib.error, EOFError), gzip.open(path) as unpacked:
                large = len(unpacked.read(most + 1)) > most
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    if large:
        raise InputError(
            f"has more than {most:,} bytes, the most that a file for this exercise may have",
            path=path,
        )


def protection_of(exercise: str) -> Protection | None:
    """Return what protects this machine from the programs of an exercise; None if it has none.

    Raises
    ------
    SolverFailed
        If no program of a student can be run on this machine.
    """
    return protection(JOBS[exercise]) if exercise in JOBS else None


def write_solutions(folder: Path) -> tuple[Path, ...]:
    """Write a right answer to every exercise, for instructors; return the files.

    Parameters
    ----------
    folder
        Where to; it is made if it is not there.

    Raises
    ------
    InputError
        If the folder cannot be made, or a file cannot be written.
    """
    make_folder(folder)
    written = []
    for solution in sorted((Path(__file__).parent / "solutions").iterdir()):
        path = folder / f"{solution.name}{SUFFIXES[solution.name[0]]}"
        write_atomically(path, solution.read_bytes())
        written.append(path)
    return tuple(written)
