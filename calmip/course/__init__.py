"""The graded exercises of the course: what they ask, and how an answer is marked."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from calmip.course.marks import Check
from calmip.errors import InputError, listed

__all__ = ["EXERCISES", "checks_of"]

# One line per exercise: name -> (module, function, title). Modules are imported on use.
EXERCISES: dict[str, tuple[str, str, str]] = {
    "1": ("calmip.course.listing", "grade_listing", "List the placements of a tiny board by hand"),
    "2": ("calmip.course.modelling", "grade_pulp", "Write the placement model in PuLP"),
    "3": ("calmip.course.modelling", "grade_pyomo", "Write the placement model in Pyomo"),
    "4": ("calmip.course.cutting", "grade_cuts", "LP relaxation, bounds, and clique cuts"),
    "5": ("calmip.course.enumerating", "grade_enumeration", "All solutions: k-1 against k-2"),
    "6": ("calmip.course.answers", "grade_answer", "Export, solve elsewhere, bring it back"),
}


def checks_of(exercise: str, path: Path) -> tuple[Check, ...]:
    """Return what was looked at in one submission, in order.

    Parameters
    ----------
    exercise
        The exercise's name, ``"1"`` to ``"6"``.
    path
        The submitted file.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file.
    """
    if exercise not in EXERCISES:
        raise InputError(f"there is no exercise '{exercise}'; use one of {listed(list(EXERCISES))}")
    if not path.is_file():
        raise InputError("there is no such file to grade", path=path)
    module, function, _ = EXERCISES[exercise]
    marker = cast(Callable[[Path], tuple[Check, ...]], getattr(import_module(module), function))
    return marker(path)
