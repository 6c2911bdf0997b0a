"""Mark an answer to one of the exercises of the course."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip.course import EXERCISES, checks_of
from calmip.course.marks import Check
from calmip.problem.shown import shown_by
from calmip.problem.status import Status
from calmip.tasks._result import Result

__all__ = ["Marks", "grade"]


@dataclass(frozen=True, repr=False)
class Marks(Result):
    """The marks of one submission.

    Parameters
    ----------
    exercise, title
        The exercise.
    checks
        What was looked at, in order.
    """

    exercise: str
    title: str
    checks: tuple[Check, ...]

    @property
    def marks(self) -> int:
        """The marks that were earned."""
        return sum(check.marks for check in self.checks)

    @property
    def most(self) -> int:
        """The marks that there are."""
        return sum(check.worth for check in self.checks)

    @property
    def status(self) -> Status:
        """Accepted for full marks, refused for fewer."""
        return Status.ACCEPTED if self.marks == self.most else Status.REFUSED

    def describe(self) -> dict[str, Any]:
        """Return the marks as plain data, with the keys in their documented order."""
        return {
            "exercise": self.exercise,
            "title": self.title,
            "marks": self.marks,
            "most": self.most,
            "checks": [
                {
                    "what": check.what,
                    "marks": check.marks,
                    "most": check.worth,
                    "passed": check.passed,
                    "fault": check.fault,
                    "board": shown_by("reports.grade", "board", check),
                }
                for check in self.checks
            ],
        }

    def _summary(self) -> str:
        return f"exercise {self.exercise}, {self.marks} of {self.most} marks"


def grade(exercise: str, path: Path | str) -> Marks:
    """Mark one submission.

    A Python file is run in a process of its own with limits of time and memory;
    what it prints is not read.

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
    checks = checks_of(exercise, Path(path))
    return Marks(exercise, EXERCISES[exercise][2], checks)
