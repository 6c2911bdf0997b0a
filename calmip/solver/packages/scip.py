"""SCIP through PySCIPOpt, in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed, shown
from calmip.solver.base import OptionUnknown, Outcome, Status
from calmip.solver.packages.base import Package

__all__ = ["Scip"]

INFEASIBLE = ("infeasible", "inforunbd")
"""What SCIP calls a model without a solution; one of binaries cannot be unbounded."""

STOPPED = ("timelimit", "memlimit")


class Scip(Package):
    """SCIP. It uses one thread, whatever the limits say."""

    name, package, module = "scip", "pyscipopt", "pyscipopt"
    starts = True
    unused = ("threads",)

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
        for name, value in limits.options:
            try:
                scip.setParam(name, _typed(value, scip.getParam(name)))
            except (KeyError, LookupError, ValueError) as error:
                raise OptionUnknown(
                    f"SCIP has no option {shown(name)} that could be '{shown(value)}': {error}"
                ) from None
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
        bound = float(scip.getDualbound())
        known = bound if abs(bound) < scip.infinity() else None
        if scip.getNSols() == 0:
            return Outcome(Status.UNKNOWN, detail=word, nodes=nodes, bound=known)
        best = scip.getBestSol()
        values = {v.name: scip.getSolVal(best, v) for v in scip.getVars(transformed=False)}
        status = Status.OPTIMAL if word == "optimal" else Status.FEASIBLE
        return Outcome(
            status, {name: value for name, value in values.items() if value}, word, nodes, known
        )


def _typed(text: str, now: object) -> object:
    """Return a text as what an option holds now."""
    if isinstance(now, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError("it is true or false")
        return text.lower() == "true"
    return text if isinstance(now, str) else type(now)(text)  # type: ignore[call-arg]
