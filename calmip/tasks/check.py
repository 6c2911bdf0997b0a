"""Somebody else's answer to an instance, held against the equations and the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from calmip.documents.description import describe_instance, describe_placement
from calmip.errors import InputError, NotATiling
from calmip.formats.solutions import read_solution
from calmip.formats.values import chosen_options, violations
from calmip.models.matrix import assignment_names
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.search.exact_cover.search import exists
from calmip.tasks._result import Result

__all__ = ["Point", "Verdict", "check"]

MOST_FAULTS = 20
"""So many equations that fail are named."""


@dataclass(frozen=True)
class Point:
    """A choice of placements and labels, which need not make a tiling.

    Parameters
    ----------
    placements
        The placements, in the order of the exact cover's options.
    labels
        The labels that stay uncovered: the instance's, then those chosen.
    """

    placements: tuple[Placement, ...]
    labels: tuple[str, ...]

    @classmethod
    def from_options(cls, cover: ExactCover, options: Iterable[int]) -> Self:
        """Return what some options of an exact cover choose."""
        chosen = [cover.option(number) for number in options]
        labels = (option.label for option in chosen if isinstance(option, Reveal))
        return cls(
            tuple(option for option in chosen if isinstance(option, Placement)),
            (*cover.instance.labels, *labels),
        )


@dataclass(frozen=True, repr=False)
class Verdict(Result):
    """What a check found.

    Parameters
    ----------
    instance
        The instance.
    status
        Accepted, refused, or unknown if a limit came first.
    reasons
        Why, in one or more lines.
    point
        What the answer chooses, or a counter-example to a model; None if
        there is nothing to show.
    """

    instance: Instance
    status: Status
    reasons: tuple[str, ...]
    point: Point | None = None

    @property
    def valid(self) -> bool | None:
        """Whether the answer or the model is right; None if that was not decided."""
        return {Status.ACCEPTED: True, Status.REFUSED: False}.get(self.status)

    def describe(self) -> dict[str, Any]:
        """Return the verdict, with the keys in their documented order."""
        point = None
        if self.point is not None:
            point = {
                "labels": list(self.point.labels),
                "placements": [describe_placement(one) for one in self.point.placements],
            }
        return {
            "instance": describe_instance(self.instance),
            "valid": self.valid,
            "reasons": list(self.reasons),
            "point": point,
        }

    def _summary(self) -> str:
        return f"{self.instance.name}, {' '.join(self.reasons)}"


def check(instance: Instance, solution: str | Path) -> Verdict:
    """Check a solution file of any solver against an instance.

    The format is known from the content. Values are rounded, every equation of
    the exact cover is looked at in whole numbers, and then the board itself. An
    answer that there is no tiling is held against a search of its own.

    Parameters
    ----------
    instance
        The instance.
    solution
        The path of the file, which may be compressed by gzip.

    Raises
    ------
    InputError
        If the file cannot be read or is no solution file, or if it gives a
        value to a column that the instance's models do not have.
    """
    cover = ExactCover(instance)
    path = Path(solution)
    answer = read_solution(path, cover.option_names)
    told = f"{path}: a file of {answer.format}, claims '{answer.detail or answer.claim}'"
    if answer.claim == "infeasible":
        if exists(cover):
            return Verdict(instance, Status.REFUSED, (f"{told}; but there is one",))
        reason = f"{told}; there is no tiling, by an independent search"
        return Verdict(instance, Status.ACCEPTED, (reason,))
    try:
        further = frozenset(assignment_names(cover))
        chosen = chosen_options(cover, answer.values, auxiliary=further)
    except InputError as error:
        raise InputError(error.message, path=path) from None
    except NotATiling as error:
        return Verdict(instance, Status.REFUSED, (told, f"not a tiling: {error}"))
    point = Point.from_options(cover, chosen)
    faults = violations(cover, chosen)
    if faults:
        count = len(faults) - MOST_FAULTS
        more = [f"... and {count} more"] if count > 0 else []
        lines = (told, f"not a tiling: {len(faults)} equations fail", *faults[:MOST_FAULTS], *more)
        return Verdict(instance, Status.REFUSED, lines, point)
    # Once more from the board itself, not from the rows.
    Tiling.from_options(cover, chosen)
    return Verdict(instance, Status.ACCEPTED, (f"{told}; verified: it is a tiling",), point)
