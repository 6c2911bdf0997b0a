"""Solve a binary model that somebody else wrote, with the same solvers and the same distrust."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits
from calmip.documents.description import describe_model, describe_point
from calmip.formats.mps import mps_text
from calmip.formats.reading import quoted
from calmip.problem.binary_model import BinaryModel, WholeRow, whole_row
from calmip.problem.status import Status
from calmip.solvers import solver_named
from calmip.tasks._result import Result
from calmip.tasks._trust import Evidence, Standing, judge_model

__all__ = ["ModelSolution", "solve_model"]

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
        Optimal (of a model with an objective), feasible, infeasible or unknown.
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
    verified
        Whether a check or a witness agrees with the status. An optimum that no
        witness has proved in a second is the solver's word: unverified.
    """

    model: BinaryModel
    status: Status
    chosen: tuple[int, ...]
    objective: float | None
    solver: str
    seconds: float = field(compare=False)
    detail: str = ""
    verified: bool = True

    def describe(self) -> dict[str, Any]:
        """Return what solving gave, with the keys in their documented order."""
        found = self.objective is not None
        return {
            "model": describe_model(self.model),
            "status": self.status.value,
            "verified": self.verified,
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
    exact arithmetic. Its "infeasible" is verified only when a search of one tree
    (`calmip.search.one_tree.OneTree`) finds nothing either. Its "optimal" is refused
    if a second of that search finds a better point, verified if it proves that there
    is none, and else unverified: the solver's word.

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
    found = judge_model(Evidence(plain, lambda: clock), outcome, solver).believed()
    there = found.status in (Status.OPTIMAL, Status.FEASIBLE)
    objective = model.objective(found.chosen) if there else None
    detail = outcome.detail if there else found.reason
    sure = found.standing is not Standing.UNVERIFIED
    return ModelSolution(
        model, found.status, found.chosen, objective, solver, clock.elapsed, detail, sure
    )


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
