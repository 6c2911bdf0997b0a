"""SCIP through PySCIPOpt, in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed
from calmip.solvers.base import Outcome, Status
from calmip.solvers.packages.base import Package

__all__ = ["Scip"]

INFEASIBLE = ("infeasible", "inforunbd")
"""What SCIP calls a model without a solution; one of binaries cannot be unbounded."""

STOPPED = ("timelimit", "memlimit")


class Scip(Package):
    """SCIP. It uses one thread, whatever the limits say."""

    name, package, module = "scip", "pyscipopt", "pyscipopt"
    starts = True

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        import pyscipopt

        scip: Any = pyscipopt.Model()
        if limits.log is None:
            scip.hideOutput()
        try:
            scip.readProblem(str(model))
        except Exception as error:  # a plain Exception, for a missing file as for a syntax error
            raise SolverFailed(f"SCIP cannot read {model.name}: {error}") from None
        scip.setParam("randomization/randomseedshift", limits.seed)
        if limits.seconds is not None:
            scip.setParam("limits/time", limits.seconds)
        if limits.start:
            start = scip.createSol()
            for variable in scip.getVars():
                scip.setSolVal(start, variable, float(variable.name in limits.start))
            scip.addSol(start)
        scip.optimize()
        word = scip.getStatus()
        nodes = scip.getNTotalNodes()
        if word in INFEASIBLE:
            return Outcome(Status.INFEASIBLE, detail=word, nodes=nodes)
        if word != "optimal" and word not in STOPPED:
            raise SolverFailed(f"SCIP ended with the status '{word}'")
        if scip.getNSols() == 0:
            return Outcome(Status.UNKNOWN, detail=word, nodes=nodes)
        best = scip.getBestSol()
        values = {v.name: scip.getSolVal(best, v) for v in scip.getVars(transformed=False)}
        status = Status.OPTIMAL if word == "optimal" else Status.FEASIBLE
        return Outcome(
            status, {name: value for name, value in values.items() if value}, word, nodes
        )
