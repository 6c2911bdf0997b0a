"""The kinds of the variables of objects: which are integer, and with which bounds."""

from __future__ import annotations

import math
from typing import Any

from requirements import need_package

from calmip.mip.files.objects import read_object

INF = math.inf


def kinds(problem: Any) -> dict[str, tuple[bool, float, float]]:
    model = read_object(problem)
    assert model is not None
    return {
        name: (bool(model.values("integer")[column]), *map(float, model.bounds(column)))
        for column, name in enumerate(model.columns)
    }


EXPECTED = {
    "b": (True, 0.0, 1.0),
    "i": (True, -2.0, 5.0),
    "c": (False, -1.5, INF),
    "f": (False, -INF, INF),
}


def test_scip() -> None:
    scip = need_package("pyscipopt").Model()
    scip.addVar("b", vtype="B")
    scip.addVar("i", vtype="I", lb=-2, ub=5)
    scip.addVar("c", vtype="C", lb=-1.5)
    scip.addVar("f", vtype="C", lb=None)
    assert kinds(scip) == EXPECTED


def test_gurobi() -> None:
    gurobi = need_package("gurobipy")
    with (
        gurobi.Env(params={"OutputFlag": 0}) as environment,
        gurobi.Model(env=environment) as model,
    ):
        model.addVar(vtype="B", name="b")
        model.addVar(-2, 5, vtype="I", name="i")
        model.addVar(-1.5, vtype="C", name="c")
        model.addVar(-INF, vtype="C", name="f")
        assert kinds(model) == EXPECTED


def test_highspy() -> None:
    highspy = need_package("highspy")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.addBinary(name="b")
    highs.addIntegral(-2, 5, name="i")
    highs.addVariable(-1.5, name="c")
    highs.addVariable(-INF, name="f")
    assert kinds(highs) == EXPECTED


def test_pyomo() -> None:
    pyomo = need_package("pyomo.environ")
    model = pyomo.ConcreteModel()
    model.b = pyomo.Var(domain=pyomo.Binary)
    model.i = pyomo.Var(domain=pyomo.Integers, bounds=(-2, 5))
    model.c = pyomo.Var(domain=pyomo.Reals, bounds=(-1.5, None))
    model.f = pyomo.Var(domain=pyomo.Reals)
    model.cost = pyomo.Objective(expr=model.b + model.i + model.c + model.f)
    assert kinds(model) == EXPECTED
