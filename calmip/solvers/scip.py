"""SCIP, in this process through PySCIPOpt."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from calmip.errors import SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status, package_availability

__all__ = ["Scip"]

STATUSES = {
    "optimal": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "timelimit": Status.FEASIBLE,
    "memlimit": Status.FEASIBLE,
}


class Scip:
    """SCIP; see `calmip.solvers.base.Solver`."""

    name = "scip"

    def availability(self) -> Availability:
        """Return whether PySCIPOpt is installed, without importing it."""
        return package_availability("pyscipopt", "pip install 'calmip[scip]'")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it; see `calmip.solvers.base.Solver`."""
        try:
            import pyscipopt
        except ImportError as error:
            raise SolverMissing(f"SCIP is not here ({error}); pip install 'calmip[scip]'") from None
        scip: Any = pyscipopt.Model()
        scip.hideOutput()
        with tempfile.TemporaryDirectory(prefix="calmip-", ignore_cleanup_errors=True) as folder:
            journal = Path(folder) / "scip.log"
            if limits.log is not None:
                scip.hideOutput(False)
                scip.setLogfile(str(journal))
                scip.redirectOutput()
            try:
                scip.readProblem(str(model))
            except OSError as error:
                raise SolverFailed(f"SCIP cannot read {model.name}: {error}") from None
            scip.setParam("randomization/randomseedshift", limits.seed)
            scip.setParam("parallel/maxnthreads", limits.threads)
            if limits.seconds is not None:
                scip.setParam("limits/time", limits.seconds)
            scip.optimize()
            if limits.log is not None and journal.is_file():
                for line in journal.read_text("utf-8", "replace").splitlines():
                    limits.log(line)
        word = scip.getStatus()
        if word == "userinterrupt":
            raise KeyboardInterrupt
        if word not in STATUSES:
            raise SolverFailed(f"SCIP ended with the status '{word}'")
        status = STATUSES[word]
        if status is Status.INFEASIBLE:
            return Outcome(status, detail=word)
        if scip.getNSols() == 0:
            return Outcome(Status.UNKNOWN, detail=word)
        best = scip.getBestSol()
        values = {v.name: scip.getSolVal(best, v) for v in scip.getVars(transformed=False)}
        return Outcome(status, {name: value for name, value in values.items() if value}, word)
