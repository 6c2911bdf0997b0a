"""Gurobi through gurobipy, in a process of its own; its size-limited licence is enough here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed, shown
from calmip.solver.base import ModelRefused, OptionUnknown, Outcome, Status
from calmip.solver.packages.base import Package

__all__ = ["Gurobi"]

SEEDS = 2_000_000_000
"""Its seeds end here."""

STOPPED = ("TIME_LIMIT", "MEM_LIMIT", "SUBOPTIMAL")

LICENCE_ERRORS = (10009, 10010)
"""No valid licence; the model is too large for the licence."""

LICENCE_REMEDY = (
    "the licence inside gurobipy takes 2,000 columns and 2,000 rows and ends some time after "
    "its version came out: upgrade gurobipy, get a licence (gurobi.com), or use another solver"
)


class Gurobi(Package):
    """Gurobi."""

    name, package, module = "gurobi", "gurobipy", "gurobipy"
    starts = True

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        import gurobipy

        settings: dict[str, Any] = {
            "OutputFlag": int(limits.log is not None),
            "Seed": limits.seed % SEEDS,
            "Threads": limits.threads,
            "MIPGap": 0.0,  # "optimal" is not to mean "within a ten-thousandth"
        }
        if limits.seconds is not None:
            settings["TimeLimit"] = limits.seconds
        try:
            with (
                gurobipy.Env(params=settings) as environment,
                gurobipy.read(str(model), env=environment) as problem,
            ):
                _set(problem, limits.options, gurobipy)
                if limits.start:
                    for variable in problem.getVars():
                        variable.Start = float(variable.VarName in limits.start)
                problem.optimize()
                return _outcome(problem, gurobipy)
        except gurobipy.GurobiError as error:
            if error.errno in LICENCE_ERRORS:
                raise ModelRefused(f"Gurobi failed: {error}; {LICENCE_REMEDY}") from None
            raise SolverFailed(f"Gurobi failed: {error}") from None


def _set(problem: Any, options: tuple[tuple[str, str], ...], gurobipy: Any) -> None:
    for name, value in options:
        try:
            kind = problem.getParamInfo(name)[1]
            problem.setParam(name, kind(value))
        except (gurobipy.GurobiError, TypeError, ValueError) as error:
            raise OptionUnknown(
                f"Gurobi has no option {shown(name)} that could be '{shown(value)}': {error}"
            ) from None


def _outcome(problem: Any, gurobipy: Any) -> Outcome:
    codes = gurobipy.GRB.Status
    words = {getattr(codes, word): word for word in dir(codes) if word.isupper()}
    word = words.get(problem.Status, str(problem.Status))
    nodes = int(problem.NodeCount)
    if word in ("INFEASIBLE", "INF_OR_UNBD"):
        return Outcome(Status.INFEASIBLE, detail=word, nodes=nodes)
    if word != "OPTIMAL" and word not in STOPPED:
        raise SolverFailed(f"Gurobi ended with the status {word}")
    bound = float(problem.ObjBound) if abs(problem.ObjBound) < gurobipy.GRB.INFINITY else None
    if problem.SolCount == 0:
        return Outcome(Status.UNKNOWN, detail=word, nodes=nodes, bound=bound)
    # Its reader of MPS gives a row with a range a slack column of its own.
    slacks = {f"MPS_Rg{row.ConstrName}" for row in problem.getConstrs()}
    values = {
        v.VarName: v.X
        for v in problem.getVars()
        if v.X and not (v.VType == "C" and v.VarName in slacks)
    }
    status = Status.OPTIMAL if word == "OPTIMAL" else Status.FEASIBLE
    return Outcome(status, values, word, nodes, bound)
