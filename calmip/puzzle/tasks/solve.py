"""Solve an instance or a model: a model file, a solver, and a solution that is verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, join_words
from calmip._base.files import scratch_folder
from calmip._base.limits import Deadline, Limits
from calmip.mip.display import tell
from calmip.mip.status import Status
from calmip.models import Formulation, build, obstacle, pose
from calmip.puzzle.documents.serialise import describe_tiling
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of
from calmip.puzzle.tasks.results import Pictured, Sourced
from calmip.puzzle.tasks.verdicts import judge_cover, judge_none
from calmip.puzzle.tiling import Packing, Tiling
from calmip.solvers import SOLVERS, Solver, solver_named
from calmip.solvers.model_solving import ModelAnswer, ModelSolution, solve_within
from calmip.solvers.verdicts import Judgement, Standing

if TYPE_CHECKING:
    from calmip.mip.rows import Number
    from calmip.puzzle.cover import ExactCover
    from calmip.puzzle.tasks.problems import PerKind, Problem, Source

STARTS = ("auto", "none", "search")
"""The warm starts: one in time of need, none, or the first tiling of the exact-cover search."""

FACE_SECONDS = 1.0
"""The most seconds to find out whether the optimum of a linear program is unique."""

MAX_FACE_SIZE = 100_000
"""The most columns and coefficients of a linear program for which this is tried in that time."""


@dataclass(frozen=True, repr=False)
class Solution(ModelAnswer, Sourced, Pictured):
    """Result of `solve`.

    Parameters
    ----------
    source
        The instance, or the model.
    status
        Feasible, infeasible or unknown; for a model also optimal or unbounded.
    solver, formulation
        Their names; the formulation is None for a model.
    columns, rows
        The size of the model.
    seconds
        The wall-clock seconds of each step: ``cover``, ``reduce``, ``start`` (the search for a
        warm start), ``model`` (formulate and write), ``solve``, ``verify``, and their ``total``.
    detail
        The solver's own word for its status, or why there can be no solution.
    tiling
        A verified tiling of the instance, or None.
    packing
        The solver's best packing, if one was asked for and it is not a tiling. The packing is
        verified, its optimality is the solver's claim.
    reduced
        The number of columns after the reduction; None without one.
    found_by
        The solver that found the tiling, or ``"search"`` if the solver returned the tiling of
        its warm start; empty without a tiling.
    point
        The exact values of a model's columns that are not 0, by number, ascending; every row was
        checked.
    objective
        The value of the model's objective; None without a solution.
    verified
        Whether a check or a witness agrees with the status. An optimum that no
        witness has proved in a second is unverified.
    exact
        Whether a model's solution satisfies every row exactly; else it does within 1e-6.
    unique
        Whether a verified optimum of a linear program is the only one; None if that was not
        decided within a second, or if the program has over 100,000 columns and coefficients. See
        `calmip.unique` for integer variables.
    second
        Another optimum of a linear program, by column; None without one.
    """

    KEYS = (
        "instance",
        "status",
        "complete",
        "detail",
        "solver",
        "found_by",
        "formulation",
        "columns",
        "reduced",
        "rows",
        "seconds",
        "tilings",
    )
    MODEL_KEYS = (
        "model",
        "status",
        "verified",
        "exact",
        "detail",
        "solver",
        "seconds",
        "objective",
        "solution",
    )

    source: Source
    status: Status
    solver: str
    formulation: str | None
    columns: int
    rows: int
    seconds: Mapping[str, float] = field(compare=False)
    detail: str = ""
    tiling: Tiling | None = None
    packing: Packing | None = None
    reduced: int | None = None
    found_by: str = ""
    point: Mapping[int, Number] = field(default_factory=dict)
    objective: float | None = None
    verified: bool = True
    exact: bool = True
    unique: bool | None = None
    second: Mapping[int, Number] | None = None

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """The tiling in a tuple, or an empty tuple."""
        return () if self.tiling is None else (self.tiling,)

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw."""
        return bool(self.tilings)

    @property
    def complete(self) -> bool:
        """Whether it is proved that there are no further tilings; here, that there is none."""
        return self.status is Status.INFEASIBLE

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
        if self.unique is not None:
            second = None if self.second is None else self.model.describe_point(self.second)
            return super().describe() | {"unique": self.unique, "second": second}
        if self.packing is None:
            return super().describe()
        missing = [list(cell) for cell in self.packing.missing]
        return super().describe() | {
            "packing": describe_tiling(self.packing) | {"missing": missing}
        }

    def _summary(self) -> str:
        by = f"{self.source.name} by {self.solver}"
        if self.objective is not None:
            return f"{by}, objective {tell(self.objective)}"
        return f"{by}, {self.formulation}" if self.formulation else by


@public
def solve(
    source: Source,
    *,
    solver: str = "highs",
    formulation: str = "matrix",
    reduce: bool = True,
    warm_start: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    log: Callable[[str], None] | None = None,
) -> Solution:
    """Find one tiling of an instance or a solution of a model, or prove that there is none.

    A tiling is verified against the instance. A solver's "infeasible" counts only when
    the exact-cover search, which uses no floating-point numbers and sees the whole cover,
    finds no tiling either. The one-tree search checks the solver exact-cover. A model is
    named by its MPS or LP file; its solution is checked row by row, in exact arithmetic.
    Values of continuous variables that miss a row by rounding are completed exactly.

    Parameters
    ----------
    source
        An instance; or a model, from `calmip.read_model` for example.
    solver
        Run this solver. `calmip.installed_solvers` lists all.
    formulation
        Build the model of an instance in this formulation. A model is solved as it is written.
    reduce
        Leave out columns that no tiling can use. See `calmip.puzzle.reduction`.
        A packing may use any, and so may a solution of a model.
    warm_start
        Warm-start the solver with a tiling found by the exact-cover search (``search``).
        With ``auto``, only HiGHS does so, and only after six dives without success.
        ``none`` leaves it alone, so that its time is its own.
    time_limit, seed, threads, log
        As for `calmip.solvers.Limits`. The time is that of solver and check together.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range, or if an object is not a mixed-integer
        linear model.
    TypeError
        If the source is neither an instance nor a model.
    SolverMissing
        If the solver or the formulation's package is not installed.
    SolverFailed
        If the solver crashed, or its answer failed its check.

    Notes
    -----
    The solver gets a model with numbered columns and rows, so that no name can confuse its
    reader; rows of integers are scaled, so that no coefficient is within its tolerances. Its
    "infeasible" is verified only when a search of one tree finds nothing either
    (`calmip.mip.one_tree.OneTree` for binary models, `calmip.mip.independent_search.find` for
    others). Its "optimal" is refuted if a second of `calmip.mip.independent_search.find` finds a
    better point, verified if it proves that there is none, and else unverified. Its "unbounded" is
    verified by a solution and an exact ray of the linear relaxation.
    """
    limits = Limits(time_limit, seed, threads, log)
    chosen_solver = solver_named(solver)
    _check_start(warm_start, chosen_solver)
    problem = problem_of(source, open_ends=True)
    return _solve(problem, chosen_solver, limits, formulation, warm_start, reduce=reduce)


_solve: PerKind[Solution] = per_kind()
"""Solve a problem."""


@_solve.register(ModelProblem)
def _solve_model(
    problem: ModelProblem, solver: Solver, limits: Limits, formulation: str, start: str, **_: bool
) -> Solution:
    if formulation != "matrix" or start == "search":
        raise InputError("a model is solved as it is written; leave out formulation and warm start")
    found = solve_within(problem.model, solver, limits)
    alone, second = _face(problem, found, limits.clock)
    return Solution(
        problem.model,
        found.status,
        found.solver,
        None,
        found.columns,
        found.rows,
        found.seconds,
        found.detail,
        point=found.point,
        objective=found.objective,
        verified=found.verified,
        exact=found.exact,
        unique=alone,
        second=second,
    )


def _face(
    problem: Problem, found: ModelSolution, clock: Deadline
) -> tuple[bool | None, Mapping[int, Number] | None]:
    """Return whether the optimum of a linear program is the only one, and another optimum."""
    model = problem.model
    proved = found.status is Status.OPTIMAL and found.verified and found.exact
    if not proved or not problem.has_objective or any(model.values("integer")):
        return None, None
    if len(model.columns) + model.nonzeros > MAX_FACE_SIZE:
        return None, None
    from calmip.mip.face import other_point

    seconds = clock.left()
    try:
        second = other_point(
            model,
            found.point,
            Deadline(FACE_SECONDS if seconds is None else min(FACE_SECONDS, seconds)),
        )
    except TimeoutError:
        return None, None
    return second is None, second


@_solve.register(InstanceProblem)
def _solve_cover(
    problem: InstanceProblem,
    solver: Solver,
    limits: Limits,
    formulation: str,
    start: str,
    *,
    reduce: bool,
) -> Solution:
    clock, cover = limits.clock, problem.cover
    seconds = {"cover": clock.lap()}
    solution = partial(_solution, cover.instance, solver, seconds, formulation=formulation)
    cover = pose(formulation, cover)
    why = obstacle(cover)
    if why is not None:
        none = Judgement(Status.INFEASIBLE, Standing.VERIFIED, why)
        return solution(none, (cover.columns, cover.rows))
    part = cover.reduced() if reduce else cover
    seconds["reduce"] = clock.lap()
    if not part.columns:
        detail = "no column is left after reduction"
        claim = f"the reduction says that {detail}"
        none = judge_none(cover, claim, solver.name, clock, detail).accept()
        seconds["verify"] = clock.lap()
        return solution(none, (cover.columns, cover.rows), reduced=0)
    with scratch_folder() as folder:
        model = build(formulation, part)
        if start == "search":
            limits = replace(limits, start=_first_tiling(part, model, limits))
            seconds["start"] = clock.lap()
        elif start == "auto" and solver.tries and not model.auxiliary:
            from calmip.puzzle.search.exact_cover.search import solution_soon

            limits = replace(limits, spare=_names(part, solution_soon(part)))
            seconds["start"] = clock.lap()
        path = folder / f"model{model.suffix}"
        model.write(path)
        seconds["model"] = clock.lap()
        outcome = solver.solve(path, limits)
    seconds["solve"] = clock.lap()
    found = judge_cover(cover, model, outcome, solver.name, clock).accept()
    seconds["verify"] = clock.lap()
    dropped = cover.columns - part.columns
    columns, rows, _ = model.size
    size = columns + dropped, rows
    left = columns if dropped else None
    tiling = found.packing
    if not isinstance(tiling, Tiling):
        return solution(found, size, packing=tiling, reduced=left)
    found_by = solver.name
    given = limits.start or limits.spare
    if given and {cover.option_names[o] for o in tiling.options(cover)} == {*given}:
        found_by = "search"
    return solution(found, size, tiling=tiling, reduced=left, found_by=found_by)


def _check_start(start: str, solver: Solver) -> None:
    if start not in STARTS:
        raise InputError(f"unknown warm start '{start}'; use one of {join_words(STARTS)}")
    if start == "search" and not solver.starts:
        able = [name for name in SOLVERS if solver_named(name).starts]
        raise InputError(f"{solver.name} takes no warm start; those that do are {join_words(able)}")


def _first_tiling(cover: ExactCover, model: Formulation, limits: Limits) -> tuple[str, ...]:
    """Return the columns of the first tiling that the exact-cover search finds, or none."""
    from calmip.puzzle.search.exact_cover.search import Search

    if model.auxiliary:
        raise InputError(
            "the formulation has columns that are not placements; leave out the warm start"
        )
    return _names(cover, next(iter(Search(cover, limit=1, clock=limits.clock)), []))


def _names(cover: ExactCover, options: Iterable[int]) -> tuple[str, ...]:
    return tuple(cover.option_names[option] for option in options)


def _solution(
    source: Source,
    solver: Solver,
    seconds: Mapping[str, float],
    found: Judgement,
    size: tuple[int, int],
    *,
    formulation: str | None = None,
    **more: Any,
) -> Solution:
    return Solution(
        source,
        found.status,
        solver.name,
        formulation,
        *size,
        {**seconds, "total": sum(seconds.values())},
        found.reason,
        verified=found.standing is not Standing.UNVERIFIED,
        **more,
    )
