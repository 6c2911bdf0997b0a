"""Somebody else's answer to an instance or a model, or somebody else's model of an instance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from calmip._limits import Deadline, Limits
from calmip.documents.description import describe_placement
from calmip.errors import InputError, NotATiling, SolverFailed
from calmip.formats.solutions import read_solution
from calmip.formats.values import chosen_options, read_column_names, violations
from calmip.models.matrix import assignment_names
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.search.equivalence import compare_model
from calmip.search.witnesses import exists
from calmip.tasks._result import Result
from calmip.tasks._source import Sourced, subject_of
from calmip.tasks._trust import Evidence, Standing, checked_point

if TYPE_CHECKING:
    from calmip.problem.instance import Instance
    from calmip.tasks._source import Source

__all__ = ["MOST_TILINGS", "Point", "Verdict", "check", "check_answer"]

MOST_FAULTS = 20
"""So many equations that fail are named."""

MOST_TILINGS = 100_000
"""So many tilings are tried on a model unless told otherwise."""

STATUS = {True: Status.ACCEPTED, False: Status.REFUSED, None: Status.UNKNOWN}
WORDS = {
    Status.ACCEPTED: "is a model of this instance",
    Status.REFUSED: "is not a model of this instance",
    Status.UNKNOWN: "was not decided",
}


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
class Verdict(Sourced, Result):
    """What a check found.

    Parameters
    ----------
    source
        The instance, or the model.
    status
        Accepted, refused, or unknown if a limit came first.
    reasons
        Why, in one or more lines.
    point
        What the answer chooses of an instance, or a counter-example to a model of it; None
        if there is nothing to show.
    """

    source: Source
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
            **self.describe_source(),
            "valid": self.valid,
            "reasons": list(self.reasons),
            "point": point,
        }

    def _summary(self) -> str:
        return f"{self.source.name}, {' '.join(self.reasons)}"


def check(
    source: Source,
    answer: str | Path | BinaryModel,
    *,
    names: Mapping[str, str] | str | Path | None = None,
    limit: int = MOST_TILINGS,
    time_limit: float | None = None,
) -> Verdict:
    """Check a solution file of any solver against an instance or a model; or a model's solutions.

    The format of a solution file is known from its content. Values are rounded. Of an
    instance, every equation of the exact cover is looked at in whole numbers, and then
    the board itself; of a model, every row in whole numbers. An answer that there is no
    solution is held against a search of its own.

    If the answer is a model, its solutions are to be the tilings of the instance, all of
    them and no others; if not, the verdict has a counter-example. The objective plays no
    part. See `calmip.search.equivalence.compare_model`.

    Parameters
    ----------
    source
        The instance; or the model that was solved, from `calmip.read_model`.
    answer
        The path of a solution file, which may be compressed by gzip; or a model that
        should be one of the instance.
    names
        Which placement a column of such a model is, where its own name does not
        say it; or the path of a file of lines ``COLUMN,PLACEMENT``.
    limit
        The most tilings to try on such a model.
    time_limit
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError
        If the file cannot be read or is no solution file, or if it gives a value to a
        column that the instance's models do not have; if ``names`` holds what is no
        column or no placement, or a number is out of range.
    TypeError
        If the source is neither an instance nor a model.
    """
    clock = Limits(time_limit).clock
    if isinstance(answer, BinaryModel):
        cover = ExactCover(cast("Instance", source))  # which refuses what is none
        named = read_column_names(Path(names)) if isinstance(names, (str, Path)) else names
        found = compare_model(cover, answer, names=named, limit=limit, clock=clock)
        size = f"{len(answer.columns)} columns, {len(answer.rows)} rows"
        status = STATUS[found.equal]
        reason = f"{answer.source or answer.name} ({size}) {WORDS[status]}: {found.reason}"
        options = found.options
        point = None if options is None else Point.from_options(cover, options)
        return Verdict(source, status, (reason,), point)
    subject, path = subject_of(source), Path(answer)
    if isinstance(subject, BinaryModel):
        status, reason = check_answer(Evidence(subject, lambda: clock), path)
        return Verdict(source, status, (f"{path}: {reason}",))
    return _check_tiling(subject, path, clock)


def check_answer(evidence: Evidence, path: Path) -> tuple[Status, str]:
    """Return how a solution file of a model stands, by what is known of the model, and why.

    Raises
    ------
    InputError
        If the file cannot be read or is no solution file.
    """
    model = evidence.model
    found = read_solution(path, model.columns)
    said = f"it claims '{found.detail or found.claim}'"
    if found.claim == "infeasible":
        standing, why = evidence.none()
        status = {
            Standing.VERIFIED: Status.ACCEPTED,
            Standing.UNVERIFIED: Status.UNKNOWN,
            Standing.REFUTED: Status.REFUSED,
        }[standing]
        accepted = status is Status.ACCEPTED
        return status, f"no solution: {why}" if accepted else f"{said}, but {why}"
    if not found.values and found.claim not in ("optimal", "feasible"):
        return Status.UNKNOWN, f"holds no solution: {said}"
    try:
        chosen = checked_point(model, found.values, said)
    except SolverFailed as error:
        return Status.REFUSED, str(error)
    evidence.note(chosen)
    objective = model.objective(chosen)
    if evidence.known[0] == "opt" and not evidence.reached(objective) and not evidence.doubt:
        standing, why = evidence.optimal(chosen)
        if standing is Standing.REFUTED:
            return Status.REFUSED, f"a solution of {objective:g}, but {why}"
    words = f"objective {objective:g}"
    if doubt := evidence.doubt:
        return Status.UNKNOWN, f"satisfies every row, {words}; {doubt}"
    return Status.ACCEPTED, f"a solution, every row checked; {words}"


def _check_tiling(cover: ExactCover, path: Path, clock: Deadline) -> Verdict:
    """Check a solution file against the exact cover of an instance, and its board."""
    instance = cover.instance
    answer = read_solution(path, cover.option_names)
    told = f"{path}: a file of {answer.format}, claims '{answer.detail or answer.claim}'"
    if answer.claim == "infeasible":
        there, _ = exists(cover, clock)
        status, words = {
            True: (Status.REFUSED, "but there is one"),
            False: (Status.ACCEPTED, "there is no tiling, by an independent search"),
            None: (Status.UNKNOWN, "whether there is a tiling was not found out in time"),
        }[there]
        return Verdict(instance, status, (f"{told}; {words}",))
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
