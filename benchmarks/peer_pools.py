"""All solutions of a set-partitioning model by other solvers: witnesses and peers.

    python benchmarks/peer_pools.py cpsat|scip|gurobi|pyomo < MODEL.json

MODEL.json is ``{"columns": n, "rows": [[column, ...], ...], "demand": [d, ...]}``; each
row says that so many of its columns are chosen. Prints ``{"count": n, "seconds": s,
"solutions": [[column, ...], ...]}``, imports and reading apart; SCIP counts without
listing, so its solutions are null. Nothing but the standard library and the solver's
own package is imported: ortools and highspy cannot share a process.
"""

from __future__ import annotations

import json
import sys
import time


def cpsat(columns, rows):
    """Enumerate with CP-SAT."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def __init__(self):
            super().__init__()
            self.found = []

        def on_solution_callback(self):
            self.found.append([j for j in range(columns) if self.value(x[j])])

    def work():
        nonlocal x
        model = cp_model.CpModel()
        x = [model.new_bool_var("") for _ in range(columns)]
        for members, demand in rows:
            model.add(sum(x[j] for j in members) == demand)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        collector = Collector()
        status = solver.solve(model, collector)
        if status not in {cp_model.OPTIMAL, cp_model.INFEASIBLE}:
            sys.exit(f"CP-SAT ended with {solver.status_name(status)}")
        return len(collector.found), collector.found

    x = []
    return work


def scip(columns, rows):
    """Count with SCIP's constraint handler for counting."""
    import pyscipopt

    def work():
        model = pyscipopt.Model()
        model.hideOutput()
        x = [model.addVar(vtype="B") for _ in range(columns)]
        for members, demand in rows:
            model.addCons(pyscipopt.quicksum(x[j] for j in members) == demand)
        model.setParamsCountsols()
        model.count()
        return model.getNCountedSols(), None

    return work


def gurobi(columns, rows):
    """Fill Gurobi's solution pool with everything; its free licence takes 2,000 columns."""
    import gurobipy

    def work():
        with gurobipy.Env(params={"OutputFlag": 0, "Threads": 1}) as env:
            model = gurobipy.Model(env=env)
            x = model.addVars(columns, vtype="B")
            for members, demand in rows:
                model.addConstr(gurobipy.quicksum(x[j] for j in members) == demand)
            model.Params.PoolSearchMode = 2
            model.Params.PoolSolutions = 1_000_000
            model.optimize()
            if model.Status == gurobipy.GRB.INFEASIBLE:
                return 0, []
            if model.Status != gurobipy.GRB.OPTIMAL:
                sys.exit(f"Gurobi ended with status {model.Status}")
            found = []
            for number in range(model.SolCount):
                model.Params.SolutionNumber = number
                found.append([j for j in range(columns) if x[j].Xn > 0.5])
            return len(found), found

    return work


def pyomo(columns, rows):
    """Enumerate with Pyomo's alternative_solutions, which adds no-good cuts, and HiGHS."""
    import logging

    import pyomo.environ as pyo
    from pyomo.contrib.alternative_solutions import enumerate_binary_solutions

    logging.getLogger("pyomo").setLevel(logging.ERROR)

    def work():
        model = pyo.ConcreteModel()
        model.x = pyo.Var(range(columns), domain=pyo.Binary)
        model.rows = pyo.ConstraintList()
        for members, demand in rows:
            model.rows.add(sum(model.x[j] for j in members) == demand)
        model.cost = pyo.Objective(expr=sum(model.x[j] for j in rows[-1][0]))
        answers = enumerate_binary_solutions(model, num_solutions=10_000, solver="appsi_highs")
        found = []
        for answer in answers:
            values = json.loads(str(answer))["solution"]
            found.append(sorted(int(name[2:-1]) for name, value in values.items() if value > 0.5))
        return len(found), found

    return work


WITNESSES = {"cpsat": cpsat, "scip": scip, "gurobi": gurobi, "pyomo": pyomo}


def main():
    given = json.load(sys.stdin)
    rows = list(zip(given["rows"], given["demand"], strict=True))
    work = WITNESSES[sys.argv[1]](given["columns"], rows)
    started = time.perf_counter()
    count, solutions = work()
    seconds = time.perf_counter() - started
    print(json.dumps({"count": count, "seconds": seconds, "solutions": solutions}))


main()
