"""Solve a binary model that somebody else wrote, with the same solvers and the same distrust."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from calmip._files import scratch_folder
from calmip._limits import Deadline, Limits
from calmip.documents.description import describe_model, describe_point
from calmip.formats.mps import mps_text
from calmip.problem.binary_model import BinaryModel
from calmip.problem.status import Status
from calmip.solvers import solver_named
from calmip.tasks._result import Result
from calmip.tasks._trust import Evidence, Standing, judge_model

__all__ = ["ModelSolution", "solve_model"]


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
    numbered, so that no name can confuse its reader. Its point is checked
    row by row. Its "infeasible" is believed only when a search of one tree
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
    plain = _renamed(model)
    with scratch_folder() as folder:
        path = folder / "model.mps"
        path.write_text(mps_text(plain), encoding="utf-8")
        outcome = solver_named(solver).solve(path, limits)
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
