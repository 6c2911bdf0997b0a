"""Solve a binary model that somebody else wrote, with the same solvers and the same distrust."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

from calmip._files import scratch_folder
from calmip.errors import SolverFailed
from calmip.formats.mps import mps_text
from calmip.formats.values import TOLERANCE
from calmip.problem.binary_model import BinaryModel
from calmip.solvers import Limits, Outcome, Status, solver_named
from calmip.tasks.solve import checked_limits

__all__ = ["ModelSolution", "solve_model"]

WITNESS_SECONDS = 1.0
"""The least time that the second opinion on "infeasible" gets."""


@dataclass(frozen=True)
class ModelSolution:
    """What solving a model gave.

    Parameters
    ----------
    status
        ``"optimal"`` (with an objective), ``"feasible"``, ``"infeasible"`` or
        ``"unknown"``.
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

    status: str
    chosen: tuple[int, ...]
    objective: float | None
    solver: str
    seconds: float = field(compare=False)
    detail: str = ""


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
    numbered, so that no name can confuse its reader. Its point is checked
    row by row. Its "infeasible" is believed only when a search of one tree
    (`calmip.search.one_tree.OneTree`) finds nothing either; its "optimal" is
    its own claim.

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
    started = perf_counter()
    limits = checked_limits(time_limit, seed, threads, log)
    plain = _renamed(model)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        path.write_text(mps_text(plain), encoding="utf-8")
        outcome = solver_named(solver).solve(path, limits)
    status, chosen = _judged(plain, outcome, solver, limits, started)
    objective = None
    if status in ("optimal", "feasible"):
        objective = model.objective(chosen)
    detail = outcome.detail
    if status == "unknown" and outcome.status is Status.INFEASIBLE:
        detail = f"{solver} says '{detail}', but the check took too long"
    return ModelSolution(status, chosen, objective, solver, perf_counter() - started, detail)


def _renamed(model: BinaryModel) -> BinaryModel:
    """Return the model with names that every reader takes alike, and without a title."""
    return replace(
        model,
        columns=tuple(f"x{number}" for number in range(len(model.columns))),
        rows=tuple(f"r{number}" for number in range(len(model.rows))),
        name="model",
        comments=(),
    )


def _judged(
    model: BinaryModel, outcome: Outcome, solver: str, limits: Limits, started: float
) -> tuple[str, tuple[int, ...]]:
    if outcome.status is Status.UNKNOWN:
        return "unknown", ()
    if outcome.status is Status.INFEASIBLE:
        return _second_opinion(model, outcome, solver, limits, started), ()
    chosen = _chosen(model, outcome.values, f"{solver} says '{outcome.detail}'")
    optimal = outcome.status is Status.OPTIMAL and bool(model.cost.any())
    return ("optimal" if optimal else "feasible"), chosen


def _chosen(model: BinaryModel, values: Mapping[str, float], claim: str) -> tuple[int, ...]:
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


def _second_opinion(
    model: BinaryModel, outcome: Outcome, solver: str, limits: Limits, started: float
) -> str:
    from calmip.search.one_tree import OneTree

    left = None
    if limits.seconds is not None:
        left = max(limits.seconds - (perf_counter() - started), WITNESS_SECONDS)
    search = OneTree(model, limit=1, time_limit=left)
    for point in search:
        raise SolverFailed(
            f"{solver} says '{outcome.detail}', but a point with {len(point)} ones satisfies "
            "every row; please report this to the solver's developers"
        )
    return "infeasible" if search.complete else "unknown"
