"""Gurobi, in this process through gurobipy; its size-limited licence is enough here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from calmip.errors import SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status, package_availability

__all__ = ["Gurobi"]


class Gurobi:
    """Gurobi; see `calmip.solvers.base.Solver`."""

    name = "gurobi"

    def availability(self) -> Availability:
        """Return whether gurobipy is installed, without importing it."""
        return package_availability("gurobipy", "pip install 'calmip[gurobi]'")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        try:
            import gurobipy
        except ImportError as error:
            raise SolverMissing(
                f"Gurobi is not here ({error}); pip install 'calmip[gurobi]'"
            ) from None
        settings: dict[str, Any] = {
            "OutputFlag": int(limits.log is not None),
            "LogToConsole": 0,
            "Seed": limits.seed,
            "Threads": limits.threads,
        }
        if limits.seconds is not None:
            settings["TimeLimit"] = limits.seconds
        try:
            with (
                gurobipy.Env(params=settings) as environment,
                gurobipy.read(str(model), env=environment) as problem,
            ):
                problem.optimize(_forward(limits, gurobipy))
                return _outcome(problem, gurobipy)
        except gurobipy.GurobiError as error:
            raise SolverFailed(f"Gurobi failed: {error}") from None


def _forward(limits: Limits, gurobipy: Any) -> Any:
    log = limits.log
    if log is None:
        return None

    def callback(problem: Any, where: int) -> None:
        if where == gurobipy.GRB.Callback.MESSAGE:
            log(problem.cbGet(gurobipy.GRB.Callback.MSG_STRING).rstrip("\n"))

    return callback


def _outcome(problem: Any, gurobipy: Any) -> Outcome:
    codes = gurobipy.GRB.Status
    words = {getattr(codes, word): word.lower() for word in dir(codes) if word.isupper()}
    word = words.get(problem.Status, str(problem.Status))
    if problem.Status == codes.INTERRUPTED:
        raise KeyboardInterrupt
    if problem.Status in (codes.INFEASIBLE, codes.INF_OR_UNBD):
        return Outcome(Status.INFEASIBLE, detail=word)
    if problem.Status not in (codes.OPTIMAL, codes.TIME_LIMIT):
        raise SolverFailed(f"Gurobi ended with the status '{word}'")
    if problem.SolCount == 0:
        return Outcome(Status.UNKNOWN, detail=word)
    values = {v.VarName: v.X for v in problem.getVars() if v.X}
    optimal = problem.Status == codes.OPTIMAL
    return Outcome(Status.OPTIMAL if optimal else Status.FEASIBLE, values, word)
