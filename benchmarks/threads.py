"""Twenty questions of public threads, rebuilt in the layer they were asked in, and one call each.

    python -m benchmarks.threads [--keep] [LAYER ...]

Each layer runs in a process of its own, as packages of solvers exclude each other; one whose
package is missing is left out, and then nothing is kept. What the thread was told is in its own
words' sense, as read on 2026-11-29.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import calmip
from benchmarks.tables import Table, add_option

GITHUB = "https://github.com/"


class Thread(NamedTuple):
    """A question: its layer, thread, words, the call, what the thread was told, and the answer."""

    layer: str
    issue: str
    question: str
    call: str
    told: str
    answer: Callable[[], str]

    @property
    def link(self) -> str:
        """The thread as a link."""
        name = self.issue.replace("/issues/", " #").replace("/pull/", " #").partition("/")[2]
        return f"[{name}]({GITHUB}{self.issue})"


THREADS: list[Thread] = []


def thread(
    layer: str, issue: str, question: str, call: str, told: str
) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Add a question, whose answer the decorated function gives."""

    def add(answer: Callable[[], str]) -> Callable[[], str]:
        THREADS.append(Thread(layer, issue, question, call, told, answer))
        return answer

    return add


def points(pool: Any, variables: Iterable[Any]) -> str:
    """Return the values of variables in every solution, and whether these are all."""
    keys = list(variables)
    found = sorted(tuple(int(values[key]) for key in keys) for values in pool.values)
    return f"{' '.join(''.join(map(str, point)) for point in found)}{complete(pool)}"


def complete(pool: Any) -> str:
    """Return that a pool is proved complete, if it is."""
    return ", complete" if pool.complete else ""


def conflict(problem: Any) -> str:
    """Return the rows that cannot hold together."""
    names, *_ = calmip.explain(problem).names
    return ", ".join(names)


@thread(
    "pulp",
    "coin-or/pulp/issues/161",
    "all optimal solutions of an integer program",
    "enumerate(problem, optimal=True)",
    "write a loop of solves",
)
def pulp_all() -> str:
    import pulp

    problem = pulp.LpProblem("bonds", pulp.LpMaximize)
    x = [problem.add_variable(f"x{n}", cat="Binary") for n in range(4)]
    problem += pulp.lpSum(x)
    for first, second in ((0, 1), (1, 2), (2, 3), (3, 0)):
        problem += x[first] + x[second] <= 1
    pool = calmip.enumerate(problem, optimal=True)
    return points(pool, x)


@thread(
    "pulp",
    "coin-or/Cbc/issues/629",
    "is there another optimum, and which",
    "unique(problem, vertices=True)",
    "open, no answer",
)
def pulp_status() -> str:
    import pulp

    problem = pulp.LpProblem("Problem", pulp.LpMinimize)
    x, y = (problem.add_variable(name, lowBound=0) for name in ("x1", "y"))
    problem += x + y
    problem += x + y == 3
    found = calmip.unique(problem, vertices=True)
    corners = ", ".join(f"({one.get(0, 0)}, {one.get(1, 0)})" for one in found.face.vertices)
    return f"unique: {found.unique}; vertices {corners}"


@thread(
    "pulp",
    "NVIDIA/cuopt/issues/1395",
    "ranges of sides and costs",
    "unique(problem, sensitivity=True)",
    "those of one basis",
)
def pulp_ranges() -> str:
    import pulp

    problem = pulp.LpProblem("plan", pulp.LpMaximize)
    x, y = (problem.add_variable(name, lowBound=0) for name in "xy")
    problem += 3 * x + 2 * y
    problem += (x + y <= 4, "hours")
    problem += (x + 3 * y <= 6, "wood")
    hours, _ = calmip.unique(problem, sensitivity=True).sensitivity.rows
    (low, high), (first, last) = hours.dual, hours.upper
    return f"hours: dual {low} to {high} for sides {first} to {last}"


@thread(
    "pyomo",
    "Pyomo/pyomo/issues/639",
    "the pool of a set cover, with any solver",
    "enumerate(model, optimal=True)",
    "Gurobi's pool only",
)
def pyomo_pool() -> str:
    import pyomo.environ as pyo

    model = pyo.ConcreteModel()
    model.tear = pyo.Var(range(4), domain=pyo.Binary)
    model.cycles = pyo.ConstraintList()
    for cycle in ((0, 1), (1, 2), (2, 3), (0, 3)):
        model.cycles.add(sum(model.tear[n] for n in cycle) >= 1)
    model.goal = pyo.Objective(expr=sum(model.tear.values()))
    pool = calmip.enumerate(model, optimal=True)
    return points(pool, model.tear.values())


def mip_model(size: int) -> tuple[Any, list[Any]]:
    """Return a model with binary variables."""
    import mip

    model = mip.Model(solver_name=mip.HIGHS)
    model.verbose = 0
    return model, [model.add_var(f"x{n}", var_type=mip.BINARY) for n in range(size)]


@thread(
    "python_mip",
    "coin-or/python-mip/issues/18",
    "the N best solutions",
    "enumerate(model, best=3)",
    "Gurobi and CPLEX can",
)
def mip_best() -> str:
    import mip

    model, x = mip_model(3)
    model += mip.xsum(x) >= 2
    model.objective = mip.minimize(5 * x[0] + 5 * x[1] + 6 * x[2])
    pool = calmip.enumerate(model, best=3)
    return f"objectives {', '.join(map(str, pool.objectives))}"


@thread(
    "python_mip",
    "coin-or/python-mip/issues/211",
    "the pool lacks a known optimum",
    "enumerate(model, optimal=True)",
    "the pool is not complete",
)
def mip_all() -> str:
    import mip

    model, x = mip_model(5)
    model += mip.xsum(x[:2]) == mip.xsum(x[2:4])
    model += mip.xsum(x) >= 2
    model.objective = mip.minimize(mip.xsum(x))
    return points(calmip.enumerate(model, optimal=True), x)


@thread(
    "cvxpy",
    "cvxpy/cvxpy/issues/1037",
    "all feasible solutions",
    "enumerate(problem)",
    "not possible",
)
def cvxpy_all() -> str:
    import cvxpy as cp

    x = cp.Variable(3, boolean=True)
    pool = calmip.enumerate(cp.Problem(cp.Minimize(0), [cp.sum(x) == 2, x[0] >= x[1]]))
    return points(pool, x)


@thread(
    "cvxpy",
    "cvxpy/cvxpy/issues/2036",
    "the solver says optimal, and a row is violated: which",
    "check(problem, values)",
    "a bug was mended",
)
def cvxpy_check() -> str:
    import cvxpy as cp

    x = cp.Variable(2, integer=True, name="x")
    share = (3 * x[0] + 4 * x[1] >= 7).set_label("share")
    problem = cp.Problem(cp.Minimize(cp.sum(x)), [x >= 0, share])
    found = calmip.check(problem, {x[0]: 2, x[1]: 0}, all=True)
    return "; ".join(f"{one.name} by {one.amount}" for one in found.violations)


@thread(
    "ortools",
    "google/or-tools/issues/3345",
    "all solutions in a subset of the variables",
    "enumerate(model, distinct=[x, y])",
    "open: a loop, or a filter",
)
def cpsat_subset() -> str:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x, y, z = (model.new_int_var(0, 2, name) for name in "xyz")
    model.add(x == y)
    model.add(z >= x)
    return points(calmip.enumerate(model, distinct=[x, y]), [x, y])


@thread(
    "ortools",
    "google/or-tools/issues/3712",
    "all optima, to choose among them",
    "enumerate(model, optimal=True)",
    "open: a second objective",
)
def cpsat_optima() -> str:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{n}") for n in range(4)]
    model.add(x[0] + x[1] >= 1)
    model.add(x[1] + x[2] >= 1)
    model.add(x[2] + x[3] >= 1)
    model.minimize(sum(x))
    return points(calmip.enumerate(model, optimal=True), x)


@thread(
    "ortools",
    "google/or-tools/issues/1760",
    "which constraints make it infeasible",
    "explain(solver)",
    "not exposed",
)
def wraplp_conflict() -> str:
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("SCIP")
    x, y = solver.IntVar(0, 9, "x"), solver.IntVar(0, 9, "y")
    solver.Add(x + y <= 4, "room")
    solver.Add(x >= 3, "orders")
    solver.Add(y >= 2, "stock")
    solver.Add(x - y <= 7, "other")
    return conflict(solver)


@thread(
    "ortools",
    "google/or-tools/issues/419",
    "are these dual values right",
    "unique(solver, sensitivity=True)",
    "they are not unique",
)
def wraplp_duals() -> str:
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    cost = ((100, 120), (150, 140))
    x = {(i, j): solver.NumVar(0, 1, f"x{i}{j}") for i in range(2) for j in range(2)}
    for i in range(2):
        solver.Add(x[i, 0] + x[i, 1] <= 1, f"worker{i}")
    for j in range(2):
        solver.Add(x[0, j] + x[1, j] == 1, f"task{j}")
    solver.Minimize(sum(cost[i][j] * one for (i, j), one in x.items()))
    rows = calmip.unique(solver, sensitivity=True).sensitivity.rows
    return "workers: " + ", ".join(f"{row.dual.low} to {row.dual.high}" for row in rows[:2])


@thread(
    "linopy",
    "PyPSA/linopy/issues/355",
    "print the infeasible rows without Gurobi",
    "explain(model)",
    "Gurobi and Xpress; HiGHS for linear programs since 2026",
)
def linopy_conflict() -> str:
    import linopy
    import pandas as pd

    model = linopy.Model()
    use = model.add_variables(
        lower=0, upper=3, integer=True, coords=[pd.Index([1, 2], name="hour")], name="use"
    )
    model.add_constraints(use >= pd.Series([2, 4], use.indexes["hour"]), name="demand")
    model.add_constraints(use.sum() <= 9, name="fuel")
    model.add_objective(use.sum())
    return conflict(model)


@thread(
    "linopy",
    "PyPSA/linopy/pull/549",
    "special ordered sets with a solver that has none",
    "solve(model)",
    "a big-M of the variables' bounds",
)
def linopy_sets() -> str:
    import linopy
    import pandas as pd

    model = linopy.Model()
    part = model.add_variables(lower=0, upper=4, coords=[pd.Index([0, 1, 2], name="n")], name="p")
    model.add_sos_constraints(part, sos_type=1, sos_dim="n")
    model.add_constraints(part.sum() <= 5, name="room")
    model.add_objective((part * pd.Series([1, 3, 2], part.indexes["n"])).sum(), sense="max")
    return f"objective {calmip.solve(model).objective:g}"


@thread(
    "cobra",
    "opencobra/cobrapy/issues/1202",
    "infeasible: which parts of the network",
    "explain(model)",
    "open question",
)
def cobra_conflict() -> str:
    model = network()
    model.reactions.live.lower_bound = 21
    return conflict(model)


@thread(
    "cobra",
    "opencobra/cobrapy/issues/1338",
    "the least relaxation that makes it feasible",
    "explain(model, repair=True)",
    "write it yourself",
)
def cobra_repair() -> str:
    model = network()
    model.reactions.live.lower_bound = 21
    (repair, *_) = calmip.explain(model, repair=True).repairs
    return f"a change of {repair.amount}, proved the least: {repair.proved}"


def network() -> Any:
    """Return a cell with four reactions, which makes 20 of energy at most."""
    import cobra

    model = cobra.Model("cell")
    sugar, energy = (cobra.Metabolite(name, compartment="c") for name in ("sugar", "energy"))
    for name, parts, most in (
        ("eat", {sugar: 1}, 10),
        ("burn", {sugar: -1, energy: 2}, 8),
        ("ferment", {sugar: -1, energy: 2}, 5),
        ("live", {energy: -1}, 100),
    ):
        reaction = cobra.Reaction(name, lower_bound=0, upper_bound=most)
        reaction.add_metabolites(parts)
        model.add_reactions([reaction])
    model.objective = "live"
    return model


def file(name: str, text: str) -> Path:
    """Return a file with a text in a new folder."""
    path = Path(tempfile.mkdtemp(), name)
    path.write_text(text, encoding="utf-8")
    return path


@thread(
    "highspy",
    "ERGO-Code/HiGHS/issues/2676",
    "an IIS from highspy",
    "explain(h)",
    "for linear programs",
)
def highspy_conflict() -> str:
    import highspy

    h = highspy.Highs()
    h.silent()
    x, y = (h.addIntegral(lb=0, ub=5, name=name) for name in "xy")
    h.addConstr(2 * x + 2 * y >= 3, name="least")
    h.addConstr(2 * x + 2 * y <= 3, name="most")
    h.addConstr(x <= 4, name="other")
    return conflict(h)


JUMP = {
    "version": {"major": 1, "minor": 7},
    "variables": [{"name": name} for name in ("z", "x", "y")],
    "objective": {
        "sense": "max",
        "function": {
            "type": "ScalarAffineFunction",
            "terms": [{"coefficient": c, "variable": v} for c, v in ((1, "x"), (1, "y"), (1, "z"))],
            "constant": 0,
        },
    },
    "constraints": [
        {"function": {"type": "Variable", "name": "z"}, "set": {"type": "ZeroOne"}},
        *(
            {"function": {"type": "Variable", "name": v}, "set": kind}
            for v in ("x", "y")
            for kind in ({"type": "Integer"}, {"type": "Interval", "lower": 0, "upper": 3})
        ),
        {
            "name": "if",
            "function": {
                "type": "VectorAffineFunction",
                "terms": [
                    {"output_index": 1, "scalar_term": {"coefficient": 1, "variable": "z"}},
                    {"output_index": 2, "scalar_term": {"coefficient": 1, "variable": "x"}},
                    {"output_index": 2, "scalar_term": {"coefficient": 1, "variable": "y"}},
                ],
                "constants": [0, 0],
            },
            "set": {
                "type": "Indicator",
                "set": {"type": "EqualTo", "value": 5},
                "activate_on": "one",
            },
        },
    ],
}


@thread(
    "JuMP, .mof.json",
    "jump-dev/HiGHS.jl/issues/57",
    "indicator constraints with HiGHS",
    "solve(read_model(path))",
    "not supported then; bridged since",
)
def jump_indicator() -> str:
    model = calmip.read_model(file("m.mof.json", json.dumps(JUMP)))
    return f"objective {calmip.solve(model).objective:g}"


@thread(
    "JuMP, .mof.json",
    "jump-dev/CPLEX.jl/issues/197",
    "solutions within a percentage of the optimum",
    "enumerate(read_model(path), gap=0.2)",
    "CPLEX's populate",
)
def jump_gap() -> str:
    pool = calmip.enumerate(calmip.read_model(file("m.mof.json", json.dumps(JUMP))), gap=0.2)
    return f"{len(pool.values)} solutions{complete(pool)}"


MINIZINC = """array [1..2] of int: both = [1,1];
var 0..1: q1:: output_var;
var 0..1: q2:: output_var;
var 0..1: q3:: output_var;
var 0..1: a12:: var_is_introduced:: is_defined_var;
constraint int_lin_le([1,1,-1],[q1,q2,a12],1);
constraint int_le(a12,q1);
constraint int_le(a12,q2);
constraint int_eq(a12,q3);
solve satisfy;
"""


@thread(
    "MiniZinc, .fzn",
    "MiniZinc/libminizinc/issues/127",
    "all solutions with a MIP solver",
    "enumerate(read_model(path))",
    "a MIP solver gives one",
)
def minizinc_all() -> str:
    model = calmip.read_model(file("m.fzn", MINIZINC))
    return points(calmip.enumerate(model), ["q1", "q2", "q3"])


@thread(
    "MiniZinc, .fzn",
    "MiniZinc/libminizinc/issues/22",
    "do solutions count that differ in auxiliary variables only",
    "enumerate(read_model(path))",
    "not specified",
)
def minizinc_auxiliary() -> str:
    free = MINIZINC.replace(
        "solve", "var 0..3: t:: var_is_introduced;\nconstraint int_le(q1,t);\nsolve"
    )
    pool = calmip.enumerate(calmip.read_model(file("m.fzn", free)))
    return f"{len(pool.values)} solutions{complete(pool)}"


@thread(
    "MiniZinc, .fzn",
    "MiniZinc/minizinc-python/pull/87",
    "two solutions that differ as much as possible",
    "enumerate(read_model(path), diverse=2)",
    "a greedy search, experimental",
)
def minizinc_diverse() -> str:
    pool = calmip.enumerate(calmip.read_model(file("m.fzn", MINIZINC)), diverse=2)
    found = pool.diversity
    return f"{points(pool, ['q1', 'q2', 'q3'])}: {found.method}, distance {found.least}"


LP = """Maximize
 obj: 2 x + 3 y + z
Subject To
 room: x + y + z <= 4
Bounds
 x <= 3
 y <= 3
 z <= 3
SOS
 one: S1 :: x:1 y:2 z:3
End
"""


@thread(
    "files",
    "ERGO-Code/HiGHS/issues/2148",
    "SOS1 with HiGHS",
    "solve('m.lp')",
    "not supported",
)
def lp_sets() -> str:
    return f"objective {calmip.solve(file('m.lp', LP)).objective:g}"


@thread(
    "files",
    "coin-or/Cbc/issues/313",
    "has a linear program several optima",
    "unique('m.lp')",
    "possible by hand, not in the program",
)
def lp_unique() -> str:
    text = LP[: LP.index("SOS")].replace("2 x + 3 y + z", "2 x + 3 y + 2 z") + "End\n"
    return f"unique: {calmip.unique(file('m.lp', text)).unique}"


PACKAGES = {"python_mip": "mip"}
"""The package of a layer, where it has another name; files need none."""


def available(layer: str) -> bool:
    """Return whether the package of a layer is installed."""
    package = PACKAGES.get(layer, layer)
    if "." in layer or layer == "files":
        return True
    return getattr(importlib.util.find_spec(package), "origin", None) is not None


def answers(layer: str) -> list[str]:
    """Return the answers to the questions of a layer, from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.threads", "--here", layer]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{layer}: {done.stderr[-2000:]}")
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Answer the questions, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_option(parser)
    parser.add_argument("--here", action="store_true", help="answer one layer in this process")
    parser.add_argument("layers", nargs="*")
    given = parser.parse_args()
    if given.here:
        print(json.dumps([one.answer() for one in THREADS if one.layer == given.layers[0]]))
        return
    layers = given.layers or list(dict.fromkeys(one.layer for one in THREADS))
    head = ["layer", "thread", "question", "call", "calmip's answer", "the thread was told"]
    table = Table("threads", head)
    for layer in filter(available, layers):
        asked = [one for one in THREADS if one.layer == layer]
        for one, answer in zip(asked, answers(layer), strict=True):
            table.add(layer, one.link, one.question, f"`{one.call}`", answer, one.told)
    if given.keep:
        if len(table.rows) < len(THREADS):
            raise SystemExit("a layer is missing, so nothing is kept")
        table.keep("benchmarks.threads")


if __name__ == "__main__":
    main()
