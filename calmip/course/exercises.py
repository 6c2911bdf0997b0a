"""The graded exercises: what they ask, and what marks an answer."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import make_folder, write_atomically
from calmip.course import (
    all_optima,
    answers,
    certificates,
    clinic,
    experiments,
    facilities,
    formulations,
    hand_cuts,
    lazy_rows,
    least_m,
    notebooks,
    orbits,
    patterns,
    plane_hulls,
    pricing,
    programs,
    rosters,
    separating,
)
from calmip.course.archives import read_member
from calmip.course.checks import Check, MachineFault
from calmip.course.machine import fault_of_machine
from calmip.course.sandbox import LIMITS, Protection, protection
from calmip.puzzle.instance import Instance


@dataclass(frozen=True)
class _Exercise:
    """An exercise: its title, its file's suffix, and the function that marks it.

    ``job`` is the first job of the child process, if the file is run, and ``functions`` are those
    that it defines.
    """

    title: str
    suffix: str
    marker: Callable[..., tuple[Check, ...]]
    job: str = ""
    functions: tuple[str, ...] = ("build",)

    @property
    def most(self) -> int:
        """The most bytes of a file; a right one has a thousand, a solver's up to 100,000."""
        return 64_000 if self.suffix in (".txt", ".json") else 1_000_000


CUTS = ("no_good_cut", "enumerate_all")
PRICES = ("price", "bound", "may_stop", "start", "generate")

_TABLE = {
    "1": _Exercise("List the placements by hand", ".txt", answers.grade_listing),
    "2": _Exercise("The placement model", ".py", programs.grade_model, "models"),
    "4": _Exercise("Relaxation, bounds, cuts", ".json", answers.grade_cuts),
    "5": _Exercise("All solutions: no-good cuts", ".py", programs.grade_enumeration, "cuts", CUTS),
    "6": _Exercise("Solve elsewhere, bring it back", ".sol", answers.grade_answer),
    "7": _Exercise("Duality: a Farkas certificate", ".json", certificates.grade_duality),
    "8": _Exercise("Strength: big-M and cliques", ".py", formulations.grade_strength, "models"),
    "9": _Exercise("Symmetry: one of each orbit", ".py", orbits.grade_symmetry, "models"),
    "10": _Exercise("An irreducible subsystem", ".json", certificates.grade_iis),
    "11": _Exercise("Columns, and when to stop", ".py", pricing.grade_pricing, "pricing", PRICES),
    "12": _Exercise("No puzzle at all: a roster", ".py", rosters.grade_roster, "models"),
    "13": _Exercise("Patterns: a workshop", ".py", patterns.grade_patterns, "models"),
    "14": _Exercise("Cuts by hand", ".json", hand_cuts.grade_hand_cuts),
    "15": _Exercise("The hull in the plane", ".json", plane_hulls.grade_plane_hull),
    "16": _Exercise("The smallest M", ".json", least_m.grade_least_m),
    "17": _Exercise("Depots: Lagrange and Benders", ".json", facilities.grade_facilities),
    "18": _Exercise("Lazy rows: seven cities", ".json", lazy_rows.grade_lazy_rows),
    "19": _Exercise("All optima, summarised", ".json", all_optima.grade_all_optima),
    "20": _Exercise("An honest experiment", ".json", experiments.grade_experiment),
    "data": _Exercise("Data that refute models", ".json", separating.grade_data),
    "clinic": _Exercise("Eight models with a fault", ".json", clinic.grade_clinic),
}
"""The exercises, in the order of the course, each with the module and the function that mark it."""

SOLUTIONS = Path(__file__).parent / "solutions"

SITE = "https://calmip.github.io/calmip"
"""The documentation, which has the exercises' pages."""

EXERCISES = {name: one.title for name, one in _TABLE.items()}
"""The exercises and their titles."""

SUFFIXES = {name: one.suffix for name, one in _TABLE.items()}
"""The suffixes of the files of an exercise in a folder."""

MAX_BYTES = {name: one.most for name, one in _TABLE.items()}
"""The most bytes of a file of an exercise."""

FUNCTIONS = {name: one.functions for name, one in _TABLE.items() if one.job}
"""The functions that the program of an exercise defines."""

HANDED_IN: dict[str, str | tuple[str, ...]] = {
    name: (suffix, notebooks.SUFFIX) if name in FUNCTIONS else suffix
    for name, suffix in SUFFIXES.items()
}
"""The suffixes of the files that may be handed in: of a program also that of a notebook."""


def check_exercise(exercise: str) -> None:
    """Raise `InputError` if there is no exercise of this name."""
    if exercise not in EXERCISES:
        moved = "it is a part of exercise 2 now; " if exercise == "3" else ""
        raise InputError(
            f"there is no exercise '{clip(exercise)}'; {moved}use one of {join_words(EXERCISES)}"
        )


def checks_of(
    exercise: str,
    path: Path,
    *,
    time_limit: float | None = None,
    task: Instance | Mapping[str, Any] | None = None,
) -> tuple[Check, ...]:
    """Return the checks of one submission, in order.

    Parameters
    ----------
    exercise
        The exercise's name, such as ``"2"``.
    path
        The submitted file.
    time_limit
        The seconds that a Python file may run; those of `calmip.course.sandbox` unless given.
    task
        The student's puzzle or data, if they were drawn; those of the exercise unless given.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file, or it is too large.
    """
    check_exercise(exercise)
    read_submission(path, MAX_BYTES[exercise])
    how: dict[str, Any] = {} if task is None else {"task": task}
    if time_limit is not None and _TABLE[exercise].job:
        how["limits"] = {**LIMITS, "seconds": math.ceil(time_limit)}
    return _TABLE[exercise].marker(path, **how)


def read_submission(path: Path, most: int) -> bytes:
    """Return the content of a submitted file, or of a member of an archive.

    Raises
    ------
    InputError
        If a path is not a readable file, or has more than ``most`` bytes, also unpacked.
    MachineFault
        If this machine cannot read it.
    """
    try:
        packed = read_member(path, most + 1)
        if packed is None and not path.is_file():
            raise InputError("there is no such file to grade", path=path)
        data = packed
        if data is None:
            with path.open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        if why := fault_of_machine(error):
            raise MachineFault(why) from error
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    large = len(data) > most
    if not large:
        # The reader of the file refuses a damaged one.
        with suppress(gzip.BadGzipFile, zlib.error, EOFError), gzip.open(BytesIO(data)) as unpacked:
            large = len(unpacked.read(most + 1)) > most
    if large:
        raise InputError(
            f"has more than {most:,} bytes, the most that a file for this exercise may have",
            path=path,
        )
    return data


def protection_of(exercise: str) -> Protection | None:
    """Return what protects this machine from the programs of an exercise, if it has programs.

    Raises
    ------
    SolverFailed
        If no program of a student can be run on this machine.
    """
    return protection(_TABLE[exercise].job) if _TABLE[exercise].job else None


def write_solutions(folder: Path) -> tuple[Path, ...]:
    """Write a right answer to every exercise to a folder, and return the files.

    Raises
    ------
    InputError
        If the folder cannot be made, or a file cannot be written.
    """
    make_folder(folder)
    written = []
    for name in solution_names():
        path = folder / f"{name}{SUFFIXES[_exercise_of(name)]}"
        write_atomically(path, (SOLUTIONS / name).read_bytes())
        written.append(path)
    return tuple(written)


def solution_names() -> tuple[str, ...]:
    """Return the names of the solutions' files, without their suffixes, in the course's order."""
    names = [one.name for one in SOLUTIONS.iterdir()]
    return tuple(sorted(names, key=lambda name: list(_TABLE).index(_exercise_of(name))))


def page_of(exercise: str) -> str:
    """Return the folder of an exercise's page, such as ``10-iis``."""
    return next(name for name in solution_names() if _exercise_of(name) == exercise)


def _exercise_of(name: str) -> str:
    """Return the exercise of a solution, such as ``10-iis``."""
    return name.partition("-")[0]
