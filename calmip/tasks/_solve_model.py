"""Solve a binary model that somebody else wrote, with the same solvers and the same distrust."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits
from calmip.documents.description import describe_model, describe_point
from calmip.errors import SolverFailed
from calmip.formats.mps import mps_text
from calmip.formats.reading import quoted
from calmip.formats.values import TOLERANCE
from calmip.problem.binary_model import BinaryModel, WholeRow, whole_row
from calmip.problem.status import Status
from calmip.solvers import Outcome, solver_named
from calmip.tasks._result import Result
from calmip.tasks.solve import WITNESS_SECONDS

__all__ = ["ModelSolution", "checked_point", "falls_short", "solve_model"]

ALIKE = 1e-6
"""Objectives that differ by less, relative to the optimum, are the same."""

MOST = 2**30
"""Rows with greater whole coefficients are divided before a solver gets them."""

MOST_COST = 2**20
"""So is an objective with greater ones."""


@dataclass(frozen=True, repr=False)
class ModelSolution(Result):
    """What solving a model gave.

    Parameters
    ----------
    model
        The model.
    status
        Optimal (of a model with an objective: the solver's word), feasible,
        infeasible or unknown.
    chosen
        The columns that are one, by number, ascending; every row was checked.
    objective
        The value of the objective as its author wrote it; None without a
        solution.
    solver
        The solver's name.
    seconds
        The wall-clock seconds of solver and checks.
    detail
        The solver's own word for its status.
    """

    model: BinaryModel
    status: Status
    chosen: tuple[int, ...]
    objective: float | None
    solver: str
    seconds: float = field(compare=False)
    detail: str = ""

    def describe(self) -> dict[str, Any]:
        """Return what solving gave, with the keys in their documented order."""
        found = self.objective is not None
        return {
            "model": describe_model(self.model),
            "status": self.status.value,
            "detail": self.detail,
            "solver": self.solver,
            "seconds": {"total": round(self.seconds, 6)},
            "objective": self.objective,
            "solution": describe_point(self.model, self.chosen) if found else None,
        }

    def _summary(self) -> str:
        value = "" if self.objective is None else f", objective {self.objective:g}"
        return f"{self.model.name} by {self.solver}{value}"


def solve_model(
    model: BinaryModel,
    *,
    solver: str = "highs",
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    log: Callable[[str], None] | None = None,
) -> ModelSolution:
    """Solve a model whose variables are all binary.

    The solver gets the model in calmip's own words: columns and rows are
    numbered, so that no name can confuse its reader, and scaled, so that no
    coefficient is within its tolerances. Its point is checked row by row, in
    exact arithmetic. Its "infeasible" is believed only when a search of one tree
    (`calmip.search.one_tree.OneTree`) finds nothing either; its "optimal" is
    its own claim, and refused if a second of that search finds a better point.

    Parameters
    ----------
    model
        The model.
    solver
        The solver's name.
    time_limit
        The most wall-clock seconds for solver and check together, or None.
    seed, threads
        The solver's random seed and number of threads.
    log
        What receives the solver's own lines.

    Raises
    ------
    InputError
        If the solver is unknown or a number out of range.
    SolverMissing
        If the solver is not installed.
    SolverFailed
        If it crashed, or its answer did not survive its check.
    """
    clock = Deadline(time_limit)
    limits = Limits(time_limit, seed, threads, log)
    backend = solver_named(solver)
    plain = _renamed(model)
    rows = [model.row(number) for number in range(len(model.rows))]
    contradiction = next((n for n, (_, low, high) in enumerate(rows) if low > high), None)
    if contradiction is not None:
        detail = f"no 0/1 point satisfies row {quoted(model.rows[contradiction])}"
        return ModelSolution(model, Status.INFEASIBLE, (), None, solver, clock.elapsed, detail)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        path.write_text(mps_text(_scaled(plain, rows)), encoding="utf-8")
        outcome = backend.solve(path, limits)
    status, chosen = _judged(plain, outcome, solver, clock)
    objective = None
    if status in (Status.OPTIMAL, Status.FEASIBLE):
        objective = model.objective(chosen)
    detail = outcome.detail
    if status is Status.UNKNOWN and outcome.status is Status.INFEASIBLE:
        detail = f"{solver} says '{detail}', but the check took too long"
    return ModelSolution(model, status, chosen, objective, solver, clock.elapsed, detail)


def _renamed(model: BinaryModel) -> BinaryModel:
    """Return the model with names that every reader takes alike, and without a title."""
    return replace(
        model,
        columns=tuple(f"x{number}" for number in range(len(model.columns))),
        rows=tuple(f"r{number}" for number in range(len(model.rows))),
        name="model",
        comments=(),
    )


def _scaled(model: BinaryModel, rows: Sequence[WholeRow]) -> BinaryModel:
    """Return the model in whole numbers, or such as are near to them in size.

    A solver takes differences below 1e-6 for none, and coefficients above 1e15 for errors.
    """
    divided = [_divided(row, MOST) for row in rows]
    terms = [values for values, _, _ in divided]
    lower, upper = (np.array([row[side] for row in divided], np.float64) for side in (1, 2))
    costs, *_ = _divided(whole_row(model.costs, -math.inf, math.inf), MOST_COST)
    return replace(
        model,
        start=np.cumsum([0, *map(len, terms)]).astype(np.int32),
        index=np.array([column for row in terms for column in row], dtype=np.int32),
        value=np.array([value for row in terms for value in row.values()], dtype=np.float64),
        lower=lower,
        upper=upper,
        cost=np.array([costs.get(column, 0.0) for column in range(len(model.columns))]),
        exact={},
    )


def _divided(row: WholeRow, most: int) -> tuple[dict[int, float], float, float]:
    terms, low, high = row
    scale = max(1, max(map(abs, terms.values()), default=0) // most)
    return {column: value / scale for column, value in terms.items()}, low / scale, high / scale


def _judged(
    model: BinaryModel, outcome: Outcome, solver: str, clock: Deadline
) -> tuple[Status, tuple[int, ...]]:
    if outcome.status is Status.UNKNOWN:
        return Status.UNKNOWN, ()
    if outcome.status is Status.INFEASIBLE:
        return _second_opinion(model, outcome, solver, clock), ()
    chosen = checked_point(model, outcome.values, f"{solver} says '{outcome.detail}'")
    if outcome.status is not Status.OPTIMAL or not model.costs:
        return Status.FEASIBLE, chosen
    _look_for_better(model, chosen, outcome, solver)
    return Status.OPTIMAL, chosen


def checked_point(model: BinaryModel, values: Mapping[str, float], claim: str) -> tuple[int, ...]:
    """Return the columns that are one, once every value and every row is checked."""
    numbers = {name: number for number, name in enumerate(model.columns)}
    chosen = []
    for name, value in values.items():
        if name not in numbers:
            raise SolverFailed(f"{claim}, but its answer names {name!r}, which is no column")
        if not min(abs(value), abs(value - 1)) <= TOLERANCE:
            raise SolverFailed(f"{claim}, but its answer has the value {value!r}, not 0 or 1")
        if value > 0.5:
            chosen.append(numbers[name])
    broken = model.violated(chosen)
    if broken is not None:
        raise SolverFailed(f"{claim}, but its answer breaks row {broken + 1} of {len(model.rows)}")
    return tuple(sorted(chosen))


def falls_short(objective: float, optimum: float, *, maximise: bool) -> bool:
    """Whether an objective is worse than the optimum, by more than a rounding in a file."""
    lack = optimum - objective if maximise else objective - optimum
    return lack > ALIKE * max(1.0, abs(optimum))


def _look_for_better(
    model: BinaryModel, chosen: tuple[int, ...], outcome: Outcome, solver: str
) -> None:
    """Raise `SolverFailed` if a short search finds a point that refutes "optimal"."""
    from calmip.search.one_tree import OneTree

    priced = sorted(model.costs)
    values = [model.costs[column] for column in priced]
    reached = sum(model.costs.get(column, 0) for column in chosen)
    floor = min(1, max(max(value, -value) for value in values))
    slack = Fraction(ALIKE) * max(floor, reached, -reached)
    better = model.with_row("better", priced, -math.inf, reached - slack, values)
    for point in _checked(OneTree(better, limit=1, time_limit=WITNESS_SECONDS), better):
        theirs, ours = model.objective(chosen), model.objective(point)
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but a point with the objective {ours:g}, "
            f"not {theirs:g}, satisfies every row; please report this to the solver's "
            "developers"
        )


def _checked(points: Iterable[Sequence[int]], model: BinaryModel) -> Iterator[Sequence[int]]:
    """Yield those points that do satisfy every row: a witness is no more believed than a solver."""
    return (point for point in points if model.violated(point) is None)


def _second_opinion(model: BinaryModel, outcome: Outcome, solver: str, clock: Deadline) -> Status:
    from calmip.search.one_tree import OneTree

    search = OneTree(model, limit=1, time_limit=clock.left(WITNESS_SECONDS))
    for point in _checked(search, model):
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but a point with {len(point)} ones satisfies "
            "every row; please report this to the solver's developers"
        )
    return Status.INFEASIBLE if search.complete else Status.UNKNOWN
