"""Constructs of objects of modelling languages: what they mean, and values set back."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from logic_models import KINDS, Solutions, lp_file, random_model, solutions
from requirements import need_package

import calmip
from calmip._base.errors import InputError
from calmip.mip.files.native import Draft
from calmip.mip.model import Model
from calmip.mip.pool import PoolSearch


def pool(model: Model) -> Solutions:
    """Return the pool of a model by its values."""
    own = range(len(model.own_columns))
    found = PoolSearch(model)
    return {tuple(s.point.get(c, 0) for c in own): s.objective for s in found}


def read(problem: Any) -> Model:
    """Return the model of an object."""
    return calmip.enumerate(problem, limit=1).model


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_gurobi(kind: str, tmp_path: Path) -> None:
    gurobipy = need_package("gurobipy")
    path = tmp_path / "m.lp"
    for seed in range(6):
        model = random_model(seed, kind, decimal=True)
        wanted = solutions(model)
        if model.logic is None or not wanted:
            continue
        path.write_text(lp_file(model), encoding="utf-8")
        with gurobipy.Env(params={"OutputFlag": 0}) as env:
            problem = gurobipy.read(str(path), env)
            assert pool(read(problem)) == wanted
            problem.optimize()
            assert calmip.check(problem, problem).status == "accepted"
            answer = calmip.solve(problem)
            answer.apply_to(problem)
            assert list(answer.values) == list(model.own_columns)
            problem.dispose()


def is_old_scip(problem: Any) -> bool:
    """Whether PySCIPOpt cannot tell indicator constraints; then they are refused."""
    old = not hasattr(problem, "getLinearConsIndicator")
    if old:
        with pytest.raises(InputError, match="needs a newer PySCIPOpt"):
            read(problem)
    return old


@pytest.mark.parametrize("kind", ["indicator", "sos1", "sos2"])
def test_models_of_scip(kind: str, tmp_path: Path) -> None:
    pyscipopt = need_package("pyscipopt")
    path = tmp_path / "m.lp"
    compared = 0
    for seed in range(8):
        model = random_model(seed, kind, decimal=True)
        wanted = solutions(model)
        if model.logic is None or not wanted:
            continue
        path.write_text(lp_file(model), encoding="utf-8")
        problem = pyscipopt.Model()
        problem.hideOutput()
        problem.readProblem(str(path))
        if kind == "indicator" and is_old_scip(problem):
            return
        found = read(problem)
        assert sorted(found.own_columns) == sorted(model.own_columns)
        order = list(map(found.own_columns.index, model.own_columns))
        points = pool(found).items()
        assert {tuple(key[place] for place in order): one for key, one in points} == wanted
        answer = calmip.solve(problem)
        answer.apply_to(problem)
        problem.optimize()
        assert calmip.check(problem, problem).status == "accepted"
        assert answer.objective == pytest.approx(problem.getObjVal())
        compared += 1
    assert compared > 3


def test_indicators_of_scip_have_no_slack() -> None:
    pyscipopt = need_package("pyscipopt")
    problem = pyscipopt.Model()
    x, b = problem.addVar("x", "I", 0, 3), problem.addVar("b", "B")
    problem.addConsIndicator(x <= 1, binvar=b, activeone=False, name="i")
    problem.addConsSOS1([x, b], [2, 1], name="s")
    if is_old_scip(problem):
        return
    model = read(problem)
    assert model.own_columns == ("x", "b")
    assert model.logic is not None
    assert [one.name for one in model.logic.constructs] == ["i", "s"]
    assert pool(model).keys() == {(0, 0), (1, 0), (0, 1)}
    problem.addVar("b", "B")
    with pytest.raises(InputError, match="the binary variable of indicator constraint 'i' is"):
        read(problem)


def sets_of_pulp(problem: Any, kind: int, *groups: Any) -> None:
    """Add special ordered sets to a problem of PuLP 3 or 4."""
    for name, members in groups:
        if not hasattr(problem, "add_sos_group"):
            getattr(problem, f"sos{kind}")[name] = members
            continue
        from pulp._rustcore import SosKind

        problem.add_sos_group((SosKind.Sos1, SosKind.Sos2)[kind - 1], name, members)


@pytest.mark.parametrize("kind", [1, 2])
def test_sets_of_pulp(kind: int) -> None:
    import pulp

    problem = pulp.LpProblem("sets", pulp.LpMaximize)
    x = [problem.add_variable(f"x{n}", -1, 2, cat="Integer") for n in range(4)]
    problem += x[0] + 2 * x[1] + 3 * x[2]
    sets_of_pulp(problem, kind, ("s", {x[3]: 1, x[0]: 2, x[2]: 3, x[1]: 4}))
    model = read(problem)
    values = range(-1, 3)
    wanted = set()
    for point in itertools.product(values, repeat=4):
        used = [place for place, column in enumerate((3, 0, 2, 1)) if point[column]]
        if len(used) <= kind and (not used or used[-1] - used[0] < kind):
            wanted.add(point)
    assert pool(model).keys() == wanted
    solved = calmip.solve(problem)
    solved.apply_to(problem)
    assert pulp.value(problem.objective) == solved.objective
    assert calmip.check(problem, problem).status == "accepted"
    sets_of_pulp(problem, kind, ("t", {x[0]: 1, x[1]: 2}))
    assert pool(read(problem)).keys() == {p for p in wanted if kind == 2 or not (p[0] and p[1])}
    if hasattr(problem, "add_sos_group"):
        sets_of_pulp(problem, kind, ("t", {x[2]: 1, x[1]: 2}))
        with pytest.raises(InputError, match="two special ordered sets have one name"):
            read(problem)


def test_truth_values_of_gurobi() -> None:
    gurobipy = need_package("gurobipy")
    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as problem:
        x, y, both, some = problem.addVars(4, vtype="B").values()
        problem.addGenConstrAnd(both, [x, y], "both")
        problem.addGenConstrOr(some, [x, y], "some")
        problem.update()
        found = {tuple(one.get(c, 0) for c in range(4)) for one in calmip.enumerate(problem).points}
    assert found == {(x, y, x & y, x | y) for x in (0, 1) for y in (0, 1)}


def test_an_unbounded_sum_of_gurobi_is_refused() -> None:
    gurobipy = need_package("gurobipy")
    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as problem:
        x, b = problem.addVar(name="x"), problem.addVar(vtype="B", name="b")
        problem.addGenConstrIndicator(b, True, x <= 1, name="i")
        with pytest.raises(InputError, match=r"gurobipy\.Model: indicator constraint 'i' has no"):
            read(problem)
        x.UB = 9
        assert read(problem).logic is not None


def test_a_maximum_of_nothing_is_refused() -> None:
    draft = Draft("some.Model")
    draft.column(None, "y", 0, 1, integer=True)
    with pytest.raises(InputError, match="general constraint 'g' has no arguments"):
        draft.extreme("g", 0, [], 1)
    draft.extreme("g", 0, [([], 1)], 1)
    assert [one.columns for one in draft.constructs] == [{0}]


@pytest.mark.parametrize("integer", [False, True])
def test_semi_continuous_columns_of_highs(integer: bool) -> None:
    highspy = need_package("highspy")
    kinds = highspy.HighsVarType
    problem = highspy.Highs()
    problem.silent()
    x = problem.addVariable(2, 3.5, obj=-1, name="x")
    y = problem.addVariable(0, 4, obj=-1, name="y")
    problem.changeColIntegrality(0, kinds.kSemiInteger if integer else kinds.kSemiContinuous)
    problem.changeColIntegrality(1, kinds.kInteger)
    problem.addConstr(x + y <= 4.5)
    model = read(problem)
    assert model.own_columns == ("x", "y")
    problem.run()
    found = calmip.enumerate(problem, optimal=True)
    assert [one.objective for one in PoolSearch(model)]
    assert float(found.objectives[0]) == problem.getObjectiveValue()
    assert calmip.check(problem, problem).status == "accepted"
    assert calmip.check(problem, {"x": 1, "y": 1}).status == "refused"
    calmip.solve(problem).apply_to(problem)


@pytest.mark.parametrize("most", [1, 2])
def test_sets_of_pyomo(most: int) -> None:
    import pyomo.environ as pyo

    model = pyo.ConcreteModel()
    model.x = pyo.Var([1, 2, 3], bounds=(-1, 2), domain=pyo.Integers)
    model.set = pyo.SOSConstraint(var=model.x, sos=most)
    model.goal = pyo.Objective(expr=model.x[1] + model.x[2] + model.x[3])
    found = calmip.enumerate(model)
    points = [tuple(one.get(c, 0) for c in range(3)) for one in found.points]
    values = range(-1, 3)
    wanted = [
        (a, b, c)
        for a in values
        for b in values
        for c in values
        if (a, b, c).count(0) >= 3 - most and not (a and c)
    ]
    assert sorted(points) == sorted(wanted)
    solved = calmip.solve(model)
    assert solved.objective == -most
    solved.apply_to(model)
    assert pyo.value(model.goal) == -most
    model.x[2].fix(0)
    with pytest.raises(InputError, match=r"set 'set' has the fixed 'x\[2\]'"):
        read(model)
