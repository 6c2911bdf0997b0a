"""All optimal solutions, all within a gap, or the ten best of a mixed-integer model.

    python benchmarks/peer_mip_pools.py gurobi|scip|cpsat|highs|highs-optimum GOAL < MODEL.json
    python benchmarks/peer_mip_pools.py calmip GOAL < FILE.json

GOAL is ``best`` for the ten best, or a share of the optimum: 0 for all optimal solutions.
MODEL.json is written by `benchmarks.pools`. Prints ``{"count": n, "complete": true, "points":
[[value of each integer column, ...], ...]}``; SCIP counts without listing, so its points are null.
Each is written as its manual says, with gaps of zero. Nothing but the standard library and the
solver's own package is imported: ortools and highspy cannot share a process. FILE.json is the path
of a model file, which calmip reads, and the places of its integer columns.

``seconds`` are CPU seconds of the process from the model in memory on: calmip has read it into a
`calmip.Model`, the others build theirs from lists. Before that, a model of two columns is solved,
so imports, the loading of libraries and the check of licences are no part of them.
"""

from __future__ import annotations

import json
import math
import sys
import time

POOL_SIZE = 10
CUTOFF_TOLERANCE = 1e-9
"""What a cutoff is raised by, relative, where the objective is not a whole number."""


def reach(given, goal, value):
    """Return the worst objective within a share of an optimal one."""
    if given["whole"]:
        unit = given["whole"]["unit"]
        return math.floor(round(value) + goal * abs(round(value) + given["constant"] * unit) + 1e-9)
    return value + goal * abs(value + given["constant"]) + CUTOFF_TOLERANCE * max(1, abs(value))


def costs_of(given):
    """Return the objective in whole numbers if there is one."""
    return given["whole"]["cost"] if given["whole"] else given["cost"]


def add_row(add, row, low, high):
    """Add a row with its bounds to a model of any package, by the package's own function."""
    if low == high:
        add(row == low)
        return
    if low > -math.inf:
        add(row >= low)
    if high < math.inf:
        add(row <= high)


def gurobi(given, goal):
    """Fill Gurobi's pool with PoolSearchMode 2."""
    import gurobipy

    with gurobipy.Env(params={"OutputFlag": 0, "Threads": 1}) as env:
        model = gurobipy.Model(env=env)
        x = [
            model.addVar(lb=low, ub=high, obj=cost, vtype="I" if integer else "C")
            for low, high, integer, cost in zip(
                given["low"], given["high"], given["integer"], given["cost"], strict=True
            )
        ]
        for terms, low, high in given["rows"]:
            row = gurobipy.LinExpr([a for _, a in terms], [x[j] for j, _ in terms])
            add_row(model.addConstr, row, low, high)
        model.ObjCon = given["constant"]
        model.Params.PoolSearchMode = 2
        model.Params.PoolSolutions = POOL_SIZE if goal == "best" else 1_000_000
        model.Params.MIPGap = model.Params.MIPGapAbs = 0
        if goal != "best":
            model.Params.PoolGap = goal
        model.optimize()
        found = []
        for number in range(model.SolCount):
            model.Params.SolutionNumber = number
            found.append([round(one.Xn) for one in x if one.VType != "C"])
        done = model.Status in (gurobipy.GRB.OPTIMAL, gurobipy.GRB.INFEASIBLE)
        return len(found), done, found


def scip(given, goal):
    """Solve, add the objective as a row, and count."""
    import pyscipopt

    def build():
        model = pyscipopt.Model()
        model.hideOutput()
        x = [
            model.addVar(
                lb=None if low == -math.inf else low,
                ub=None if high == math.inf else high,
                vtype="I" if integer else "C",
            )
            for low, high, integer in zip(
                given["low"], given["high"], given["integer"], strict=True
            )
        ]
        for terms, low, high in given["rows"]:
            row = pyscipopt.quicksum(a * x[j] for j, a in terms)
            add_row(model.addCons, row, low, high)
        return model, pyscipopt.quicksum(c * one for c, one in zip(costs_of(given), x, strict=True))

    model, objective = build()
    model.setObjective(objective)
    model.setParam("limits/gap", 0.0)
    model.optimize()
    if model.getStatus() == "infeasible":
        return 0, True, None
    cutoff = reach(given, goal, model.getObjVal())
    model, objective = build()
    model.addCons(objective <= cutoff)
    model.setParamsCountsols()
    model.count()
    return model.getNCountedSols(), model.getStatus() == "infeasible", None


def cpsat(given, goal):
    """Solve in whole numbers, add the objective as a row, and enumerate."""
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):
        def __init__(self):
            super().__init__()
            self.found = []

        def on_solution_callback(self):
            self.found.append([self.value(one) for one in x])

    model = cp_model.CpModel()
    x = [
        model.new_int_var(math.ceil(low), math.floor(high), "")
        for low, high in zip(given["low"], given["high"], strict=True)
    ]
    for terms, low, high in given["whole"]["rows"]:
        row = sum(a * x[j] for j, a in terms)
        least = cp_model.INT_MIN if low is None else low
        model.add_linear_constraint(row, least, cp_model.INT_MAX if high is None else high)
    objective = sum(c * one for c, one in zip(given["whole"]["cost"], x, strict=True))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    model.minimize(objective)
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return 0, True, []
    if status != cp_model.OPTIMAL:
        sys.exit(f"CP-SAT ended with {solver.status_name(status)}")
    cutoff = reach(given, goal, solver.objective_value)
    model.clear_objective()
    model.add(objective <= cutoff)
    solver.parameters.enumerate_all_solutions = True
    collector = Collector()
    status = solver.solve(model, collector)
    return len(collector.found), status == cp_model.OPTIMAL, collector.found


def highs(given, goal, most=POOL_SIZE):
    """Solve, forbid the binary columns' values by a no-good cut, and solve again."""
    import highspy

    solver = highspy.Highs()
    solver.silent()
    cost = costs_of(given)
    columns = range(len(cost))
    for low, high in zip(given["low"], given["high"], strict=True):
        solver.addVar(low, high)
    for column in columns:
        solver.changeColCost(column, cost[column])
        if given["integer"][column]:
            solver.changeColIntegrality(column, highspy.HighsVarType.kInteger)
    for terms, low, high in given["rows"]:
        solver.addRow(low, high, len(terms), [j for j, _ in terms], [a for _, a in terms])
    for option in ("mip_rel_gap", "mip_abs_gap"):
        solver.setOptionValue(option, 0.0)
    solver.setOptionValue("threads", 1)
    whole = [column for column in columns if given["integer"][column]]
    found, cutoff = [], math.inf
    while goal != "best" or len(found) < most:
        solver.run()
        status = solver.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            break
        if status != highspy.HighsModelStatus.kOptimal:
            return len(found), False, found
        value = solver.getInfo().objective_function_value
        if not found and goal != "best":
            cutoff = reach(given, goal, value)
        if value > cutoff + (0.5 if given["whole"] else 0):
            break
        values = solver.getSolution().col_value
        point = [round(values[column]) for column in whole]
        found.append(point)
        ones = sum(point)
        solver.addRow(
            -math.inf, ones - 1, len(whole), whole, [1.0 if one else -1.0 for one in point]
        )
    return len(found), True, found


def calmip(given, goal):
    """Enumerate the solutions of a model that is read already."""
    import calmip

    goals = {"best": {"best": POOL_SIZE}, 0.0: {"optimal": True}}
    pool = calmip.enumerate(given["model"], **goals.get(goal, {"gap": str(goal)}))
    points = [one if isinstance(one, dict) else dict.fromkeys(one, 1) for one in pool.points]
    found = [[int(one.get(column, 0)) for column in given["whole"]] for one in points]
    return len(found), pool.complete, found


def read(given):
    """Read the file of a model for calmip."""
    import calmip

    return {**given, "model": calmip.read_model(given["path"])}


def optimum(given, goal):
    """Find one solution of the same by HiGHS."""
    return highs(given, goal, most=1)


PEERS = {
    "gurobi": gurobi,
    "scip": scip,
    "cpsat": cpsat,
    "highs": highs,
    "highs-optimum": optimum,
    "calmip": calmip,
}
FIRST = {
    "low": [0.0, 0.0],
    "high": [1.0, 1.0],
    "integer": [True, False],
    "cost": [1.0, 1.0],
    "constant": 0.0,
    "rows": [([(0, 1.0), (1, 1.0)], 1.0, math.inf)],
    "whole": None,
}
"""Minimise x + y with x + y >= 1, where x is binary."""
WHOLE = {"unit": 1, "cost": [1, 1], "rows": [([(0, 1), (1, 1)], 1, None)]}


def main():
    name, goal = sys.argv[1:]
    goal = goal if goal == "best" else float(goal)
    given = json.load(sys.stdin)
    first = {**FIRST, **given.pop("first", {})}
    if name == "cpsat":
        first = {**first, "integer": [True, True], "whole": WHOLE}
    if name == "calmip":
        first, given = read(first), read(given)
    PEERS[name](first, goal)
    begun = time.process_time()
    count, complete, points = PEERS[name](given, goal)
    seconds = time.process_time() - begun
    print(json.dumps({"count": count, "complete": complete, "points": points, "seconds": seconds}))


main()
