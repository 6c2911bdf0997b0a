"""CP-SAT of OR-tools, in a process of its own.

OR-tools and highspy cannot live in one process: whichever is imported second
fails on the other's copy of HiGHS. Run as a module, this file is the child:
``python -m calmip.solvers.cpsat MODEL ANSWER SECONDS SEED THREADS``.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from calmip.errors import SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status, package_availability
from calmip.solvers.process import run

__all__ = ["Cpsat"]

REMEDY = "pip install 'calmip[cpsat]'"

STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "NOT_SOLVED": Status.UNKNOWN,
    "UNKNOWN_STATUS": Status.UNKNOWN,
}


class Cpsat:
    """CP-SAT; see `calmip.solvers.base.Solver`."""

    name = "cpsat"

    def availability(self) -> Availability:
        """Return whether ortools is installed, without importing it."""
        return package_availability("ortools", REMEDY)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file in a child process; see `calmip.solvers.base.Solver`."""
        if self.availability().found is None:
            raise SolverMissing(f"CP-SAT is not here; {REMEDY}")
        from calmip.formats.model_files import read_model
        from calmip.formats.mps import mps_text

        arrays = read_model(model)
        with tempfile.TemporaryDirectory(prefix="calmip-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            # Its reader of LP files has answered wrongly; its reader of MPS has not.
            (folder / "model.mps").write_text(mps_text(arrays), encoding="utf-8")
            numbers = [str(limits.seconds or 0), str(limits.seed), str(limits.threads)]
            command = [sys.executable, "-m", "calmip.solvers.cpsat", "model.mps", "answer.json"]
            status, tail = run(
                [*command, *numbers], folder=folder, seconds=limits.seconds, log=limits.log
            )
            if status is None:
                return Outcome(Status.UNKNOWN, detail="killed: overran its time limit")
            try:
                answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                last = tail.strip().rpartition("\n")[2][:200]
                raise SolverFailed(
                    f"CP-SAT's process ended with {status} and no answer; its last line: {last!r}"
                ) from None
        if answer["size"] != [len(arrays.columns), len(arrays.rows)]:
            raise SolverFailed(
                f"CP-SAT read a model of {answer['size']} columns and rows, "
                f"not {[len(arrays.columns), len(arrays.rows)]}"
            )
        word = answer["status"]
        if word not in STATUSES:
            raise SolverFailed(f"CP-SAT ended with the status '{word}'")
        return Outcome(STATUSES[word], answer["values"], word)


def _child(model: str, answer: str, seconds: str, seed: str, threads: str) -> None:
    """Solve a model file and write the answer as JSON."""
    from ortools.linear_solver.python import model_builder

    problem: Any = model_builder.Model()
    if not problem.import_from_mps_file(model):
        raise SystemExit(f"CP-SAT cannot read {model}")
    solver: Any = model_builder.Solver("sat")
    solver.enable_output(True)
    if float(seconds) > 0:
        solver.set_time_limit_in_seconds(float(seconds))
    solver.set_solver_specific_parameters(f"num_workers:{threads} random_seed:{seed}")
    status = solver.solve(problem).name
    values = {}
    if status in ("OPTIMAL", "FEASIBLE"):
        values = {v.name: solver.value(v) for v in problem.get_variables() if solver.value(v)}
    size = [problem.num_variables, problem.num_constraints]
    text = json.dumps({"status": status, "size": size, "values": values})
    Path(answer).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _child(*sys.argv[1:])
