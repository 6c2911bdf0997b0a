"""An irreducible infeasible subsystem of a model file by another solver.

    python benchmarks/peer_iis.py gurobi|highs|scip MODEL.mps SECONDS
    python benchmarks/peer_iis.py check-gurobi|check-highs MODEL.mps SECONDS < ROWS.json

The first prints ``{"status": ..., "rows": [names], "bounds": n, "minimal": bool or null,
"seconds": CPU}``. The second reads names of rows and prints ``{"infeasible": bool or null,
"superfluous": [names], "unknown": n}``: whether these rows conflict, with all bounds and
integrality, and the rows without which the others still do. Each runs in a process of its own, as
these packages cannot share one.
"""

from __future__ import annotations

import json
import resource
import sys
import time


def gurobi(path, seconds):
    """Run computeIIS."""
    import gurobipy

    with gurobipy.Env(params={"OutputFlag": 0, "Threads": 1, "TimeLimit": seconds}) as env:
        model = gurobipy.read(path, env=env)
        start = time.process_time()
        try:
            model.computeIIS()
        except gurobipy.GurobiError as error:
            return {"status": str(error), "rows": [], "bounds": 0, "minimal": None}, start
        used = time.process_time()
        rows = [row.ConstrName for row in model.getConstrs() if row.IISConstr]
        bounds = sum(x.IISLB + x.IISUB for x in model.getVars())
        found = {"status": "ok", "rows": rows, "bounds": bounds, "minimal": bool(model.IISMinimal)}
        return found, start + time.process_time() - used


def highs(path, seconds):
    """Run getIis with the strategy that is meant to be irreducible."""
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("iis_strategy", 6)
    model.setOptionValue("iis_time_limit", seconds)
    model.setOptionValue("time_limit", seconds)
    model.readModel(path)
    start = time.process_time()
    _, iis = model.getIis()
    names = model.getLp().row_names_
    rows = [names[row] for row in iis.row_index_]
    bounds = sum(int(one) not in (0, -1) for one in iis.col_bound_)
    return {"status": f"valid={iis.valid_}", "rows": rows, "bounds": bounds, "minimal": None}, start


def scip(path, seconds):
    """Run generateIIS."""
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(path)
    model.setParam("limits/time", seconds)
    start = time.process_time()
    iis = model.generateIIS()
    used = time.process_time()
    rows = [row.name for row in iis.getSubscip().getConss()]
    found = {
        "status": f"infeasible={iis.isSubscipInfeasible()}",
        "rows": rows,
        "bounds": 0,
        "minimal": iis.isSubscipIrreducible(),
    }
    return found, start + time.process_time() - used


def check_gurobi(path, seconds, names):
    """Test the rows, and the rows without each one, by Gurobi."""
    import gurobipy

    with gurobipy.Env(params={"OutputFlag": 0, "Threads": 1, "TimeLimit": seconds}) as env:
        model = gurobipy.read(path, env=env)
        model.setObjective(0)
        kept = set(names)
        for row in model.getConstrs():
            if row.ConstrName not in kept:
                model.remove(row)
        model.update()

        def feasible():
            model.optimize()
            if model.Status in (3, 4):
                return False
            return True if model.SolCount else None

        def without(name):
            row = model.getConstrByName(name)
            sense, side = row.Sense, row.RHS
            terms = model.getRow(row)
            model.remove(row)
            answer = feasible()
            model.addLConstr(terms, sense, side, name)
            return answer

        return verdict(feasible(), {name: without(name) for name in names})


def check_highs(path, seconds, names):
    """Test the rows, and the rows without each one, by HiGHS."""
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.readModel(path)
    lp = model.getLp()
    rows, kept = {name: row for row, name in enumerate(lp.row_names_)}, set(names)
    sides = list(zip(lp.row_lower_, lp.row_upper_, strict=True))
    free = highspy.kHighsInf
    for column in range(lp.num_col_):
        model.changeColCost(column, 0.0)
    for name, row in rows.items():
        if name not in kept:
            model.changeRowBounds(row, -free, free)

    def feasible():
        model.setOptionValue("time_limit", model.getRunTime() + seconds)
        model.run()
        status = model.modelStatusToString(model.getModelStatus())
        if status in ("Infeasible", "Primal infeasible or unbounded"):
            return False
        return True if model.getInfo().primal_solution_status == 2 else None

    def without(name):
        model.changeRowBounds(rows[name], -free, free)
        answer = feasible()
        model.changeRowBounds(rows[name], *sides[rows[name]])
        return answer

    return verdict(feasible(), {name: without(name) for name in names})


def verdict(every, without):
    """Return what the tests say."""
    return {
        "infeasible": None if every is None else not every,
        "superfluous": [name for name, answer in without.items() if answer is False],
        "unknown": sum(answer is None for answer in without.values()),
    }


def main(tool, path, seconds):
    """Print the answer as JSON; end after the given CPU seconds, or ten times as many in all."""
    limit = int(float(seconds)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    seconds = 10 * float(seconds)
    if tool.startswith("check-"):
        check = {"check-gurobi": check_gurobi, "check-highs": check_highs}[tool]
        print(json.dumps(check(path, seconds, json.load(sys.stdin))))
        return
    found, start = {"gurobi": gurobi, "highs": highs, "scip": scip}[tool](path, seconds)
    print(json.dumps({**found, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
