"""Solve an instance or a model: a model file, a solver, and a solution that is verified."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, join_words
from calmip._base.files import scratch_folder
from calmip._base.limits import Limits
from calmip.documents.description import describe_point, describe_tiling
from calmip.formats.mps import mps_text
from calmip.formats.reading import quote
from calmip.models import Formulation, build, obstacle, pose
from calmip.problem.cover import ExactCover
from calmip.problem.display import tell
from calmip.problem.model import Model, WholeRow, whole_row
from calmip.problem.status import Status
from calmip.problem.tiling import Packing, Tiling
from calmip.solvers import SOLVERS, Solver, solver_named
from calmip.solvers.base import KindRefused, ModelRefused
from calmip.tasks._result import About, Pictured, Sourced, renamed, subject_of
from calmip.tasks._trust import Evidence, Judgement, Standing, judge_cover, judge_model, judge_none

if TYPE_CHECKING:
    from calmip.formats.objects import PointValues
    from calmip.problem.model import Number, Point
    from calmip.tasks._result import Source

__all__ = ["COMMAND", "STARTS", "Solution", "solve"]

STARTS = ("none", "search")
"""The warm starts: none, or the first tiling of the exact-cover search."""

MOST = 2**30
"""Rows of a model with greater whole coefficients are divided before a solver gets them."""

MOST_COST = 2**20
"""An objective with greater coefficients is divided too."""

LARGEST = 2.0**49
"""Rows with continuous variables and greater coefficients are divided."""


@dataclass(frozen=True, repr=False)
class Solution(Sourced, Pictured):
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
        The wall-clock seconds of each step: ``cover``, ``reduce``, ``model``
        (formulate and write), ``solve``, ``verify``, and their ``total``.
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

    @property
    def values(self) -> PointValues:
        """The exact values of a model's variables, by their names or by the caller's variables.

        Raises
        ------
        InputError
            If there is no solution.
        """
        found = self.objective is not None or self.of_instance
        return self.values_of(self.point if found else None)

    def __getitem__(self, variable: Any) -> Number:
        return self.values[variable]

    def apply_to(self, problem: object) -> None:
        """Set the variables of a PuLP, Pyomo or highspy object to the solution.

        PuLP 3 gets the status, too. Gurobi and SCIP, which alone set values, get a start.

        Parameters
        ----------
        problem
            The object that was solved, or another one with the same names.

        Raises
        ------
        InputError
            If there is no solution, or the object has other variables.
        TypeError
            If it is no object of a modelling language that calmip reads.
        """
        self.values.apply_to(problem, self.status)

    @property
    def solution(self) -> dict[str, Any] | None:
        """The solution of a model by the names of its columns; None without any.

        A binary model has the columns that are one, under ``ones``. Another model has the
        ``values`` of all columns that are not 0; a text such as ``"7/6"`` is a fraction.
        """
        return None if self.objective is None else describe_point(self.model, self.listed)

    @property
    def listed(self) -> Point:
        """The columns of a binary model that are one; the values of the columns of another one."""
        return self.chosen if self.model.binary else self.point

    @property
    def chosen(self) -> tuple[int, ...]:
        """The columns of the model that are one, by number, ascending."""
        return tuple(column for column, value in self.point.items() if value == 1)

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys in their documented order."""
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


@renamed(start="warm_start")
def solve(
    source: Source,
    *,
    solver: str = "highs",
    formulation: str = "matrix",
    reduce: bool = True,
    warm_start: str = "none",
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
        Leave out columns that no tiling can use. See `calmip.problem.reduction`.
        A packing may use any, and so may a solution of a model.
    warm_start
        Warm-start the solver with a tiling found by the exact-cover search (``search``).
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
    (`calmip.search.one_tree.OneTree` for binary models, `calmip.search.witnesses.find` for
    others). Its "optimal" is refuted if a second of `calmip.search.witnesses.find` finds a better
    point, verified if it proves that there is none, and else unverified. Its "unbounded" is
    verified by a solution and an exact ray of the linear relaxation.
    """
    limits = Limits(time_limit, seed, threads, log)
    chosen_solver = solver_named(solver)
    _check_start(warm_start, chosen_solver)
    subject = subject_of(source, open_ends=True)
    if not isinstance(subject, ExactCover):
        if formulation != "matrix" or warm_start != "none":
            raise InputError(
                "a model is solved as it is written; leave out formulation and warm start"
            )
        found = _solve_model(subject, chosen_solver, limits)
        if found.objective is not None and subject.native is not None:
            from calmip.formats.objects import refuse_open_ends

            refuse_open_ends(subject, found.point)
        return found
    return _solve_cover(
        subject, chosen_solver, limits, formulation=formulation, reduce=reduce, start=warm_start
    )


def _solve_cover(
    cover: ExactCover,
    solver: Solver,
    limits: Limits,
    *,
    formulation: str,
    reduce: bool,
    start: str,
) -> Solution:
    """Solve the exact cover of an instance in a formulation."""
    clock = limits.clock
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
    if limits.start and {cover.option_names[o] for o in tiling.options(cover)} == {*limits.start}:
        found_by = "search"
    return solution(found, size, tiling=tiling, reduced=left, found_by=found_by)


def _check_start(start: str, solver: Solver) -> None:
    if start not in STARTS:
        raise InputError(f"unknown warm start '{start}'; use one of {join_words(STARTS)}")
    if start != "none" and not solver.starts:
        able = [name for name in SOLVERS if solver_named(name).starts]
        raise InputError(f"{solver.name} takes no warm start; those that do are {join_words(able)}")


def _first_tiling(cover: ExactCover, model: Formulation, limits: Limits) -> tuple[str, ...]:
    """Return the columns of the first tiling that the exact-cover search finds, or none."""
    from calmip.search.exact_cover.search import Search

    if model.auxiliary:
        raise InputError(
            "the formulation has columns that are not placements; leave out the warm start"
        )
    first = next(iter(Search(cover, limit=1, clock=limits.clock)), [])
    return tuple(cover.option_names[option] for option in first)


def _solve_model(model: Model, solver: Solver, limits: Limits) -> Solution:
    """Solve a model as it is written, but for its names and the size of its numbers."""
    clock = limits.clock
    plain, size = _rename(model), (len(model.columns), len(model.rows))
    if plain.binary:
        plain = plain.as_binary()
    rows = [plain.row(number) for number in range(len(plain.rows))]
    contradiction = _contradiction(model, rows)
    if contradiction:
        none = Judgement(Status.INFEASIBLE, Standing.VERIFIED, contradiction)
        return _solution(model, solver, {"model": clock.lap()}, none, size)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        path.write_text(mps_text(_scale(plain, rows)), encoding="utf-8")
        seconds = {"model": clock.lap()}
        try:
            outcome = solver.solve(path, limits)
        except (KindRefused, ModelRefused) as error:
            raise type(error)(_in_own_names(str(error), model)) from None
    seconds["solve"] = clock.lap()
    evidence = Evidence(plain, lambda: clock)
    names = dict(zip(plain.columns, model.columns, strict=True))
    if outcome.values.keys() <= names.keys():
        evidence = Evidence(model, lambda: clock)
        values = {names[name]: value for name, value in outcome.values.items()}
        spread = {names[name]: half for name, half in outcome.spread.items() if name in names}
        outcome = replace(outcome, values=values, spread=spread)
    found = judge_model(evidence, outcome, solver.name).accept()
    seconds["verify"] = clock.lap()
    if found.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return _solution(model, solver, seconds, found, size)
    detail = f"{outcome.detail}; {found.note}" if found.note else outcome.detail
    return _solution(
        model,
        solver,
        seconds,
        replace(found, reason=detail),
        size,
        point=dict(sorted(found.point.items())),
        objective=model.objective(found.point),
        exact=found.exact,
    )


def _contradiction(model: Model, rows: Sequence[WholeRow]) -> str:
    """Return the row or column that no value satisfies, in words; or nothing."""
    for kind, name in model.without_value():
        if kind == "column":
            return f"no value satisfies the bounds of column {quote(name)}"
    number = next((n for n, (_, low, high) in enumerate(rows) if low > high), -1)
    if number < 0:
        return ""
    kind = "0/1 point" if model.binary else "point"
    return f"no {kind} satisfies row {quote(model.rows[number])}"


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


def _rename(model: Model) -> Model:
    """Return the model with names that every reader accepts, and without a title."""
    return model.changed(
        columns=tuple(f"x{number}" for number in range(len(model.columns))),
        rows=tuple(f"r{number}" for number in range(len(model.rows))),
        name="model",
        comments=(),
    )


def _in_own_names(message: str, model: Model) -> str:
    """Return a message about a model that `_rename` has renamed, in the model's own names."""
    return re.sub(
        r"(?P<mark>'?)\bx(?P<number>[0-9]+)\b(?P=mark)",
        lambda found: quote(model.columns[int(found["number"])]),
        message,
    )


def _scale(model: Model, rows: Sequence[WholeRow]) -> Model:
    """Return the model with whole coefficients, divided where they are too large.

    Solvers ignore differences below 1e-6, and take coefficients above 1e15 as errors. Rows with
    continuous variables are divided above that only. The objective is not changed if not all
    variables are binary.
    """
    near: list[tuple[dict[int, float], float, float]] = []
    for number, row in enumerate(rows):
        terms, low, high = model.exact_row(number)
        if all(map(model.is_integer, terms)):
            near.append(_divide(row, MOST))
        else:
            near.append(_halve({c: float(v) for c, v in terms.items()}, float(low), float(high)))
    if model.binary:
        costs, *_ = _divide(whole_row(model.costs, -math.inf, math.inf), MOST_COST)
    else:
        costs = {column: float(cost) for column, cost in model.costs.items()}
    return Model.from_rows(
        model.columns,
        [(name, *row) for name, row in zip(model.rows, near, strict=True)],
        [costs.get(column, 0.0) for column in range(len(model.columns))],
        name=model.name,
        maximise=model.maximise,
        integer=array("b", model.values("integer")),
        column_lower=_integral(model, "column_lower", math.ceil),
        column_upper=_integral(model, "column_upper", math.floor),
    )


def _integral(model: Model, name: str, rounded: Callable[[float], int]) -> array[float]:
    """Return bounds of which those of integers are integral; GLPK refuses others."""
    pairs = zip(model.values(name), model.values("integer"), strict=True)
    return array("d", [rounded(one) if i and math.isfinite(one) else one for one, i in pairs])


def _halve(
    terms: Mapping[int, float], low: float, high: float
) -> tuple[dict[int, float], float, float]:
    """Return a row divided by a power of two, which changes no digit, where it is too large."""
    size = max(map(abs, terms.values()), default=0.0)
    scale = 2.0 ** math.ceil(math.log2(size / LARGEST)) if size > LARGEST else 1.0
    return {column: value / scale for column, value in terms.items()}, low / scale, high / scale


def _divide(row: WholeRow, most: int) -> tuple[dict[int, float], float, float]:
    terms, low, high = row
    scale = max(1, max(map(abs, terms.values()), default=0) // most)
    # An infinite side stays so: no float has the size of some scales.
    low, high = (side if isinstance(side, float) else side / scale for side in (low, high))
    return {column: value / scale for column, value in terms.items()}, low, high


COMMAND = About(
    examples=(
        "calmip solve a-puzzle-a-day --date today",
        "calmip solve a-puzzle-a-day --reveal month=Feb,day=29 --solver cbc",
        "calmip solve hex43-v1 --date +3 -o hexagons.svg",
    ),
    words={"warm_start": STARTS},
    of_models=("solver", "time_limit", "seed", "threads"),
    rival=True,
    old={"--model": (), "--start": ("--warm-start",)},
)
