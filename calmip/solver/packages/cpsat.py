"""CP-SAT of OR-tools, in a process of its own, which it must have: see `child`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from calmip._limits import Limits
from calmip.errors import SolverFailed, shown
from calmip.solver.base import OptionUnknown, Outcome, Status
from calmip.solver.packages.base import Package

__all__ = ["Cpsat"]

STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "NOT_SOLVED": Status.UNKNOWN,
    "UNKNOWN_STATUS": Status.UNKNOWN,
}


class Cpsat(Package):
    """CP-SAT."""

    name, package, module = "cpsat", "ortools", "ortools.linear_solver.python.model_builder"
    starts = True

    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process."""
        from ortools.linear_solver.python import model_builder

        from calmip.formats.model_files import read_model
        from calmip.formats.mps import mps_text

        # Its reader knows another dialect of LP and has taken a file that it could
        # not read for an empty model; of MPS it reads ours. The size is the check.
        arrays = read_model(model)
        plain = Path("model.mps")
        plain.write_text(mps_text(arrays), encoding="utf-8")
        problem: Any = model_builder.Model()
        if not problem.import_from_mps_file(str(plain)):
            raise SolverFailed(f"CP-SAT cannot read {model.name}")
        size = [problem.num_variables, problem.num_constraints]
        expected = [len(arrays.columns), len(arrays.rows)]
        if size != expected:
            raise SolverFailed(
                f"CP-SAT read {size} columns and rows of {model.name}, not {expected}"
            )
        if limits.start:
            for variable in problem.get_variables():
                problem.add_hint(variable, int(variable.name in limits.start))
        solver: Any = model_builder.Solver("sat")
        solver.enable_output(limits.log is not None)
        if limits.seconds is not None:
            solver.set_time_limit_in_seconds(limits.seconds)
        own = "".join(f" {name}:{value}" for name, value in limits.options)
        solver.set_solver_specific_parameters(
            f"num_workers:{limits.threads} random_seed:{limits.seed}{own}"
        )
        word = solver.solve(problem).name
        if word == "INVALID_SOLVER_PARAMETERS":
            raise OptionUnknown(f"CP-SAT does not know these options:{shown(own, 200)}")
        if word not in STATUSES:
            raise SolverFailed(f"CP-SAT ended with the status {word}")
        values = {}
        if STATUSES[word] in (Status.OPTIMAL, Status.FEASIBLE):
            values = {v.name: solver.value(v) for v in problem.get_variables() if solver.value(v)}
        bound = solver.best_objective_bound if values else None
        return Outcome(STATUSES[word], values, word, bound=bound)
