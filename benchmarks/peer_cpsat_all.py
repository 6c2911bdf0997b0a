"""All solutions of a binary model with CP-SAT: the peer of the one-tree search and of exact covers.

    python benchmarks/peer_cpsat_all.py < MODEL.json

MODEL.json is ``{"columns": n, "rows": [[column, ...], ...]}``; each row says that
exactly one of its columns is chosen. It may have ``"sums": [[columns, coefficients, low, high],
...]``, rows of any kind in whole numbers. Prints the number of solutions and the CPU seconds of
building and enumerating, imports and reading apart. With ``"costs": [cost, ...]`` it minimises
them, and prints the least cost. Nothing but the standard library and ortools is imported.
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
    for columns, coefficients, low, high in given.get("sums", []):
        terms = zip(columns, coefficients, strict=True)
        model.add_linear_constraint(sum(a * x[column] for column, a in terms), low, high)
    costs = given.get("costs")
    if costs is not None:
        model.minimize(sum(cost * one for cost, one in zip(costs, x, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = costs is None
    counter = Counter()
    status = solver.solve(model, counter)
    seconds = time.process_time() - started
    if status not in {cp_model.OPTIMAL, cp_model.INFEASIBLE}:
        sys.exit(f"CP-SAT ended with {solver.status_name(status)}")
    print(counter.solutions if costs is None else round(solver.objective_value), seconds)


main()
