"""Whether an instance or a model has exactly one solution, or exactly one optimum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError
from calmip._base.limits import Deadline, Limits
from calmip.mip.status import Status
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import problem_of, values_of
from calmip.puzzle.tasks.results import Pictured, Sourced

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.mip.optima.face import OptimalFace
    from calmip.mip.optima.ranges import Ranges
    from calmip.mip.optima.sensitivity import Sensitivity
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.problems import Problem, Source
    from calmip.puzzle.tiling import Tiling

__all__ = ["Uniqueness", "unique"]


@dataclass(frozen=True, repr=False)
class Uniqueness(Sourced, Pictured):
    """Result of `unique`.

    Parameters
    ----------
    source
        The instance, or the model.
    unique
        Whether there is exactly one solution, or one optimum; None if that is not known.
    solutions
        One, or two different ones, as in `calmip.SolutionPool`; none if there is none, or if none
        was found in time.
    complete
        Whether it is proved that there are no others.
    stopped
        The limit at which the search ended without an answer, or without all ranges; or empty.
    optimal
        Whether optima are meant: the model has an objective, and it counts.
    optimum
        The best objective found, if optima are meant.
    proved
        Whether that is proved to be the optimum.
    method
        The method of the search.
    seconds
        The wall-clock seconds of the search.
    ranges
        The least and the greatest value of each variable, if they are wanted and there is a
        solution; the variables of an instance are its placements.
    face
        The optimal face, if it is wanted and known: with the integer values of the first solution.
    sensitivity
        The dual values and ranges at the first solution, if they are wanted and known.
    """

    KEYS = ("instance", "status", "unique", "stopped", "method", "seconds", "tilings")
    MODEL_KEYS = (
        "model",
        "status",
        "unique",
        "stopped",
        "method",
        "seconds",
        "optimal",
        "optimum",
        "proved",
    )

    source: Source
    unique: bool | None
    solutions: tuple[Any, ...]
    complete: bool
    stopped: str
    optimal: bool
    optimum: Number | None
    proved: bool
    method: str
    seconds: float = field(default=0.0, compare=False)
    ranges: Ranges | None = field(default=None, compare=False)
    face: OptimalFace | None = field(default=None, compare=False)
    sensitivity: Sensitivity | None = field(default=None, compare=False)

    @property
    def status(self) -> Status:
        """Optimal or feasible if there is a solution, infeasible if it is proved that none is."""
        if not self.solutions:
            return Status.UNKNOWN if self.unique is None else Status.INFEASIBLE
        return Status.OPTIMAL if self.optimal else Status.FEASIBLE

    @property
    def exit_status(self) -> Status:
        """Accepted if there is exactly one, refused if not."""
        if self.unique is None:
            return Status.UNKNOWN
        return Status.ACCEPTED if self.unique else Status.REFUSED

    @property
    def known(self) -> bool:
        """Whether there is something to show."""
        return self.unique is not None or bool(self.solutions)

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tilings; there are none where the source is a model."""
        return self.solutions if self.problem.has_board else ()

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.tilings)

    @property
    def same_integers(self) -> bool:
        """Whether two solutions differ in continuous variables alone: then so do infinitely many.

        Their mean is a solution, too; not of a model with constructs, where it is never said.
        """
        if not self.problem.mixed or len(self.solutions) < 2 or self.model.logic is not None:
            return False
        one, other = map(values_of, self.solutions)
        integer = self.model.values("integer")
        return all(
            one.get(column, 0) == other.get(column, 0)
            for column in one.keys() | other.keys()
            if integer[column]
        )

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        found = super().describe() | {"seconds": {"total": round(self.seconds, 6)}}
        if not self.problem.has_board:
            every = [self.problem.describe_solution(one, valued=True) for one in self.solutions]
            found["solutions"] = every
        if self.ranges is not None:
            found["ranges"] = self.ranges.describe()
        if self.face is not None:
            found["face"] = self.face.describe()
        if self.sensitivity is not None:
            found["sensitivity"] = self.sensitivity.describe()
        return found

    def _summary(self) -> str:
        words = {True: "unique", False: "not unique", None: "not known whether it is unique"}
        return f"{words[self.unique]}, {self.source.name}"


@public
def unique(
    source: Source,
    *,
    ignore_objective: bool = False,
    ranges: bool = False,
    vertices: bool = False,
    sensitivity: bool = False,
    time_limit: float | None = None,
) -> Uniqueness:
    """Check whether an instance or a model has exactly one solution, or exactly one optimum.

    If not, a second one is shown. A model with an objective is asked for its optima. Continuous
    variables count, too: of each solution, an exact linear program decides whether others have
    the same integer values and the same objective. Nothing rests on floating-point numbers.

    Parameters
    ----------
    source
        The instance; or a model, also as an object of PuLP, Pyomo and others. Its integer
        variables need bounds.
    ignore_objective
        Ask about all solutions of a model, whatever its objective.
    ranges
        Find the least and the greatest value of each variable over all optima, or all solutions:
        which are fixed, and which are never used.
    vertices
        List the vertices and rays of the optimal face, with the integer values of the first
        solution; up to 2,000 vertices.
    sensitivity
        Find exact dual values and reduced costs, and the ranges of sides and costs for which they
        hold, with the integer values of the first solution.
    time_limit
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError
        If a number is out of range, if there is no objective to ignore or for sensitivity, or no
        continuous variable for this or vertices, or if the objective or an integer variable is
        unbounded.
    TypeError
        If the source is neither an instance nor a model.
    SolverFailed
        If what was found is not a solution.
    """
    problem = problem_of(source)
    clock = Limits(time_limit).clock
    if ignore_objective and not problem.has_objective:
        raise InputError(f"the {problem.kind} has no objective; leave out ignore_objective")
    wanted = {"vertices": vertices, "sensitivity": sensitivity}
    for name, given in wanted.items():
        if given and not problem.mixed:
            raise InputError(f"the {problem.kind} has no continuous variables; leave out {name}")
    optimal = problem.has_objective and not ignore_objective
    if sensitivity and not optimal:
        raise InputError("without an objective there are no dual values; leave out sensitivity")
    searched = problem.model.with_costs({}) if ignore_objective else problem.source
    search = Enumeration(searched, optimal=optimal, limit=2, time_limit=time_limit)
    found = _solutions(search, clock)
    answer = None
    if len(found) > 1:
        answer = False
    elif search.complete:
        answer = len(found) == 1 if search.unique else None
    stopped = "" if answer is not None else search.stopped or "time"
    every = None
    if ranges and found:
        every = _ranges(problem_of(searched), found, clock, optimal=optimal, unique=answer)
        stopped = stopped or every.stopped
    face = None
    if vertices and found:
        face = _face(problem_of(searched).model, values_of(found[0]), clock)
        stopped = stopped or ("time" if face is None else face.stopped)
    duals = None
    if sensitivity and found and search.proved:
        duals = _sensitivity(problem.model, values_of(found[0]), clock)
        stopped = stopped or ("time" if duals is None else duals.stopped)
    return Uniqueness(
        problem.source,
        answer,
        tuple(found),
        search.complete,
        stopped,
        optimal,
        search.optimum,
        search.proved,
        search.method,
        clock.elapsed,
        every,
        face,
        duals,
    )


def _sensitivity(model: Model, point: Mapping[int, Number], clock: Deadline) -> Sensitivity | None:
    """Return the dual values at an optimal point; None if the time does not suffice."""
    from calmip.mip.optima.sensitivity import find_sensitivity

    try:
        return find_sensitivity(model, point, clock=clock)
    except TimeoutError:
        return None


def _face(model: Model, point: Mapping[int, Number], clock: Deadline) -> OptimalFace | None:
    """Return the face of an optimal point; None if the time does not suffice."""
    from calmip.mip.optima.face import find_face

    try:
        return find_face(model, point, clock=clock)
    except TimeoutError:
        return None


def _ranges(
    problem: Problem, found: list[Any], clock: Deadline, *, optimal: bool, unique: bool | None
) -> Ranges:
    """Return the ranges of all solutions, given one that is optimal if optima are meant."""
    from calmip.mip.optima.ranges import find_ranges, ranges_of_point
    from calmip.mip.pool import Goal

    model = problem.model if problem.pooled else problem.relaxed(packing=False)
    if unique:
        return ranges_of_point(model, _point(problem, found[0]))
    goal = Goal()
    if optimal:  # the optimum is proved, and need not be again
        values = values_of(found[0])
        most = sum((cost * values.get(c, 0) for c, cost in model.costs.items()), Fraction(0))
        goal = Goal(most=most)
    return find_ranges(model, goal, clock=clock)


def _point(problem: Problem, solution: Any) -> Mapping[int, Number]:
    """Return a solution as the values of the columns."""
    if problem.has_board:
        solution = solution.options(problem.cover)
    return values_of(solution)


def _solutions(search: Enumeration, clock: Deadline) -> list[Any]:
    """Return at most two different solutions."""
    found: list[Any] = []
    for solution in search:
        found.append(solution)
        # The search for other integers, which may take long, is not needed then.
        other = _beside(search.problem, solution, clock) if len(found) == 1 else None
        if other is not None:
            return [solution, other]
    if len(found) == 1 and search.second is not None:  # the clock of the search ends later
        found.append(search.second[1])
    return found


def _beside(problem: Problem, solution: Any, clock: Deadline) -> Any:
    """Return a solution with the same integers and other continuous variables, if one is known."""
    if not problem.mixed:
        return None
    from calmip.mip.face import other_point
    from calmip.mip.pool import beside_constructs

    try:
        find = other_point if problem.model.logic is None else beside_constructs
        return find(problem.model, values_of(solution), clock)
    except TimeoutError:
        return None
