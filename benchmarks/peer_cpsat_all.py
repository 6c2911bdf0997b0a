"""All solutions of a set-partitioning model with CP-SAT: the peer of the one-tree search.

    python benchmarks/peer_cpsat_all.py < MODEL.json

MODEL.json is ``{"columns": n, "rows": [[column, ...], ...]}``; each row says that
exactly one of its columns is chosen. Prints the number of solutions and the
CPU seconds of building and enumerating, imports and reading apart. Nothing but the
standard library and ortools is imported.
"""

from __future__ import annotations

import json
import sys
import time

from ortools.sat.python import cp_model


class Counter(cp_model.CpSolverSolutionCallback):
    """Counts the solutions."""

    def __init__(self):
        super().__init__()
        self.solutions = 0

    def on_solution_callback(self):
        """Count one."""
        self.solutions += 1


def main():
    given = json.load(sys.stdin)
    started = time.process_time()
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(given["columns"])]
    for row in given["rows"]:
        model.add_exactly_one([x[column] for column in row])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    counter = Counter()
    status = solver.solve(model, counter)
    seconds = time.process_time() - started
    if status not in {cp_model.OPTIMAL, cp_model.INFEASIBLE}:
        sys.exit(f"CP-SAT ended with {solver.status_name(status)}")
    print(counter.solutions, seconds)


main()
