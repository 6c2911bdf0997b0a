"""Constructs of objects of modelling languages: what they mean, and values set back."""

from __future__ import annotations

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
