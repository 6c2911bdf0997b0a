"""Solve a model: a model file, a solver, and a solution that is checked row by row."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, clip
from calmip._base.files import scratch_folder
from calmip._base.limits import Deadline, Limits
from calmip.mip.display import quote, tell
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.mip.rows import Row, is_finite
from calmip.mip.status import Status
from calmip.solvers import Solver, solver_named
from calmip.solvers.base import KindRefused, ModelRefused
from calmip.solvers.verdicts import Evidence, Judgement, Standing, judge_model

if TYPE_CHECKING:
    from calmip.mip.files.objects import PointValues
    from calmip.mip.model import Point
    from calmip.mip.rows import Number

__all__ = ["ModelAnswer", "ModelSolution", "solve_model", "solve_within"]

MAX_COEFFICIENT = 2**30
"""Rows of a model with greater whole coefficients are divided before a solver gets them."""

MAX_COST = 2**20
"""An objective with greater coefficients is divided too."""

MAX_DUAL_SIZE = 100_000
"""The most columns and coefficients of a model whose dual values are found."""

DUAL_SECONDS = 5.0
"""The most seconds for them."""

MAX_CONTINUOUS_COEFFICIENT = 2.0**49
"""Rows with continuous variables and greater coefficients are divided."""


class ModelAnswer:
    """A solution of a model, or why there is none."""

    if TYPE_CHECKING:

        @property
        def model(self) -> Model:
            """The model."""

        @property
        def status(self) -> Status:
            """The status of the answer."""

        @property
        def point(self) -> Mapping[int, Number]:
            """The exact values of the columns that are not 0."""

        @property
        def objective(self) -> float | None:
            """The value of the objective; None without a solution."""

    @property
    def values(self) -> PointValues:
        """The exact values of a model's variables, by their names or by the caller's variables.

        Raises
        ------
        InputError
            If there is no solution.
        """
        from calmip.mip.files.objects import PointValues

        model = self.model
        if self.objective is None:
            raise InputError(f"{model.name} has no solution here: {self.status}")
        return PointValues(model, self.point)

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
        return None if self.objective is None else self.model.describe_point(self.listed)

    @property
    def listed(self) -> Point:
        """The columns of a binary model that are one; the values of the columns of another one."""
        return self.chosen if self.model.binary else self.point

    @property
    def chosen(self) -> tuple[int, ...]:
        """The columns of the model that are one, by number, ascending."""
        return tuple(column for column, value in self.point.items() if value == 1)


@dataclass(frozen=True, repr=False)
class ModelSolution(ModelAnswer):
    """Result of `solve_model`.

    Parameters
    ----------
    model
        The model.
    status
        Optimal, feasible, infeasible, unbounded or unknown.
    solver
        The solver's name.
    seconds
        The wall-clock seconds of each step: ``model`` (write it), ``solve``, ``verify``, and their
        ``total``.
    detail
        The solver's own word for its status, or why there can be no solution.
    point
        The exact values of the columns that are not 0, by number, ascending; every row was checked.
    objective
        The value of the objective; None without a solution.
    verified
        Whether a check or a witness agrees with the status. An optimum that no
        witness has proved in a second is unverified.
    exact
        Whether the solution satisfies every row exactly; else it does within 1e-6.
    """

    model: Model
    status: Status
    solver: str
    seconds: Mapping[str, float] = field(compare=False)
    detail: str = ""
    point: Mapping[int, Number] = field(default_factory=dict)
    objective: float | None = None
    verified: bool = True
    exact: bool = True

    @property
    def columns(self) -> int:
        """The number of columns of the model."""
        return len(self.model.own_columns)

    @property
    def rows(self) -> int:
        """The number of rows of the model."""
        return self.model.own_rows

    def assign_duals(self) -> None:
        """Set dual values, reduced costs and slacks of the PuLP or Pyomo object that was solved.

        They are exact before they are rounded to floats, and one of the optimal dual solutions;
        integer variables are fixed at their values. Those of large models are not found.
        """
        from calmip.mip.optima.sensitivity import optimal_duals, slacks

        model = self.model
        size = len(model.columns) + model.nonzeros
        if model.native is None or model.logic is not None:
            return
        found = None
        if self.status is Status.OPTIMAL and size <= MAX_DUAL_SIZE:
            found = optimal_duals(model, self.point, Deadline(DUAL_SECONDS))
        if found is None:
            model.native.assign_duals((), (), ())
        else:
            model.native.assign_duals(*found, slacks(model, self.point))

    def describe(self) -> dict[str, Any]:
        """Return the result as plain data, with the keys of `calmip.solve` in their order."""
        return {
            "model": self.model.describe(),
            "status": str(self.status),
            "verified": self.verified,
            "exact": self.exact,
            "detail": self.detail,
            "solver": self.solver,
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "objective": self.objective,
            "solution": self.solution,
        }

    def __repr__(self) -> str:
        value = "" if self.objective is None else f", objective {tell(self.objective)}"
        name = clip(self.model.name, 100)
        return f"<ModelSolution {self.status}: {name} by {self.solver}{value}>"


def solve_model(
    source: Any,
    *,
    solver: str = "highs",
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    log: Callable[[str], None] | None = None,
) -> ModelSolution:
    """Find a solution of a model, the best one, or prove that there is none.

    Parameters
    ----------
    source
        A model, or an object of a modelling language that holds one.
    solver
        The solver that does the work.
    time_limit, seed, threads, log
        As for `calmip.solvers.Limits`. The time is that of solver and check together.

    Raises
    ------
    InputError
        If a name is unknown or a number is out of range, or if an object is not a mixed-integer
        linear model.
    TypeError
        If the source is no object of a modelling language that calmip reads.
    SolverMissing
        If the solver is not installed.
    SolverFailed
        If the solver crashed, or its answer failed its check.
    """
    limits = Limits(time_limit, seed, threads, log)
    chosen = solver_named(solver)
    return solve_within(_model_of(source), chosen, limits)


def _model_of(source: object) -> Model:
    """Return a model itself, or the one that an object holds."""
    from calmip.mip.files.objects import object_kinds, read_object  # which need numpy

    model = source if isinstance(source, Model) else read_object(source)
    if model is None:
        raise TypeError(
            f"a Model is needed, not {type(source).__name__}; calmip.read_model(FILE) makes one. "
            f"Models of other packages are accepted: {', '.join(object_kinds())}"
        )
    return model


def solve_within(model: Model, solver: Solver, limits: Limits) -> ModelSolution:
    """Solve a model as it is written, but for its names and the size of its numbers.

    Raises
    ------
    InputError, SolverMissing, SolverFailed
        As `solve_model` does.
    """
    clock = limits.clock
    plain = _rename(model)
    if plain.binary:
        plain = plain.as_binary()
    rows = plain.whole_rows()
    contradiction = _contradiction(model, rows)
    if contradiction:
        none = Judgement(Status.INFEASIBLE, Standing.VERIFIED, contradiction)
        return _solution(model, solver, {"model": clock.lap()}, none)
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
        known = set(model.own_columns)
        values = {names[x]: value for x, value in outcome.values.items() if names[x] in known}
        spread = {names[name]: half for name, half in outcome.spread.items() if name in names}
        outcome = replace(outcome, values=values, spread=spread)
    found = judge_model(evidence, outcome, solver.name).accept()
    seconds["verify"] = clock.lap()
    if found.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return _solution(model, solver, seconds, found)
    if model.native is not None:
        from calmip.mip.files.objects import refuse_open_ends

        refuse_open_ends(model, found.point)
    detail = f"{outcome.detail}; {found.note}" if found.note else outcome.detail
    return _solution(
        model,
        solver,
        seconds,
        replace(found, reason=detail),
        point=dict(sorted(found.point.items())),
        objective=model.objective(found.point),
        exact=found.exact,
    )


def _solution(
    model: Model, solver: Solver, seconds: Mapping[str, float], found: Judgement, **more: Any
) -> ModelSolution:
    return ModelSolution(
        model,
        found.status,
        solver.name,
        {**seconds, "total": sum(seconds.values())},
        found.reason,
        verified=found.standing is not Standing.UNVERIFIED,
        **more,
    )


def _contradiction(model: Model, rows: Sequence[Row[int]]) -> str:
    """Return the row or column that no value satisfies, in words; or nothing."""
    for kind, name in model.without_value():
        if kind == "column":
            return f"no value satisfies the bounds of column {quote(name)}"
    number = next(
        (
            number
            for number, (terms, low, high) in enumerate(rows)
            if low > high or (not terms and not low <= 0 <= high)
        ),
        -1,
    )
    if number < 0:
        return ""
    kind = "0/1 point" if model.binary else "point"
    return f"no {kind} satisfies row {quote(model.rows[number])}"


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


def _scale(model: Model, rows: Sequence[Row[int]]) -> Model:
    """Return the model with whole coefficients, divided where they are too large.

    Solvers ignore differences below 1e-6, and take coefficients above 1e15 as errors. Rows with
    continuous variables are divided above that only. The objective is not changed if not all
    variables are binary.
    """
    near: list[tuple[dict[int, float], float, float]] = []
    for row, (terms, low, high) in zip(rows, model.exact_rows(), strict=True):
        if all(map(model.is_integer, terms)):
            near.append(_divide(row, MAX_COEFFICIENT))
        else:
            near.append(_halve({c: float(v) for c, v in terms.items()}, float(low), float(high)))
    if model.binary:
        costs, *_ = _divide(Row(model.costs, -math.inf, math.inf).reduced(), MAX_COST)
    else:
        costs = {column: float(cost) for column, cost in model.costs.items()}
    # GLPK refuses bounds of integers that are no integers.
    sides = zip(model.column_bounds, model.values("integer"), strict=True)
    bounds = [pair.rounded() if integer else pair for pair, integer in sides]
    return Model.from_rows(
        model.columns,
        [(name, *row) for name, row in zip(model.rows, near, strict=True)],
        [costs.get(column, 0.0) for column in range(len(model.columns))],
        name=model.name,
        maximise=model.maximise,
        integer=array("b", model.values("integer")),
        column_lower=array("d", (float(low) for low, _ in bounds)),
        column_upper=array("d", (float(high) for _, high in bounds)),
    )


def _halve(
    terms: Mapping[int, float], low: float, high: float
) -> tuple[dict[int, float], float, float]:
    """Return a row divided by a power of two, which changes no digit, where it is too large."""
    size = max(map(abs, terms.values()), default=0.0)
    scale = (
        2.0 ** math.ceil(math.log2(size / MAX_CONTINUOUS_COEFFICIENT))
        if size > MAX_CONTINUOUS_COEFFICIENT
        else 1.0
    )
    return {column: value / scale for column, value in terms.items()}, low / scale, high / scale


def _divide(row: Row[int], most: int) -> tuple[dict[int, float], float, float]:
    scale = max(1, max(map(abs, row.terms.values()), default=0) // most)
    # An infinite bound stays so: no float has the size of some scales.
    low, high = (end / scale if is_finite(end) else end for end in row[1:])
    return {column: value / scale for column, value in row.terms.items()}, low, high
