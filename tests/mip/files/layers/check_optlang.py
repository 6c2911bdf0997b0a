"""Models of optlang, and a model of cobra that holds one."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from typing import Any

import cobra
import pytest
from layer_models import Drawn, check_twenty, read
from optlang import glpk_interface as glpk
from optlang import scipy_interface

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def none(bound: float) -> float | None:
    return None if math.isinf(bound) else bound


def build(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = glpk.Model(name="made")
    x = [
        glpk.Variable(
            f"x{n}", lb=none(low), ub=none(high), type="integer" if whole else "continuous"
        )
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    model.add(x)
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = sum(a * one for a, one in zip(terms, x, strict=True) if a)
        model.add(glpk.Constraint(left, lb=none(low), ub=none(high), name=f"row{number}"))
    goal = sum(a * one for a, one in zip(drawn.cost, x, strict=True)) + drawn.constant
    model.objective = glpk.Objective(goal, direction="max" if drawn.maximise else "min")
    return model, x


def test_twenty_models() -> None:
    check_twenty(build)


def plan() -> tuple[Any, Any, Any]:
    model = glpk.Model(name="two words")
    b, a = glpk.Variable("b", lb=0, ub=4, type="integer"), glpk.Variable("a")
    model.add(glpk.Constraint(2 * b + 0.1 * a + 1, lb=-3, ub=5.5, name="both"))
    model.objective = glpk.Objective(3 * b - a + 2, direction="max")
    return model, a, b


def test_rows_and_constants_are_read_exactly() -> None:
    model, a, b = plan()
    found = read(model)
    assert (found.columns, found.rows, found.name) == (("a", "b"), ("both",), "two_words")
    assert found.exact_row(0) == ({0: Fraction(1, 10), 1: 2}, -4, Fraction(9, 2))
    assert [found.bounds(n) for n in range(2)] == [(-math.inf, math.inf), (0, 4)]
    assert (found.costs, found.maximise, found.constant) == ({0: 1, 1: -3}, True, 2)
    assert PointValues(found, {0: 5})[a] == 5
    assert b in PointValues(found, {})
    assert plan()[1] not in PointValues(found, {})


ORDER = """
from optlang import glpk_interface as glpk
from calmip.mip.files.objects import read_object
model = glpk.Model()
total = sum(glpk.Variable(f"v{n}", lb=0, ub=1) for n in range(6))
model.add(glpk.Constraint(total, ub=3, name="r"))
print(read_object(model).columns)
"""


def test_columns_keep_one_order_from_run_to_run() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", ORDER], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(4)
    }
    assert runs == {f"{tuple(f'v{n}' for n in range(6))}\n"}


def test_an_answer_is_found_checked_and_explained() -> None:
    model, a, b = plan()
    a.lb = 0
    solution = calmip.solve(model)
    assert (solution[a], solution[b], solution.objective) == (0, 2, 8)
    with pytest.raises(InputError, match="takes no values"):
        solution.apply_to(model)
    with pytest.raises(InputError, match="has no value"):
        calmip.check(model, model)
    model.optimize()
    assert calmip.check(model, model).valid
    b.lb = 3
    assert "both: -4 <= 0.1 a + 2 b <= 4.5" in str(calmip.explain(model))


def test_what_is_not_linear_is_refused_by_its_name() -> None:
    model, a, b = plan()

    row = glpk.Constraint(a, ub=2, name="part")
    model.add(row)
    assert len(read(model).rows) == 2
    row._indicator_variable = b  # as the interfaces of CPLEX and Gurobi have it
    with pytest.raises(InputError, match="constraint 'part' has the indicator 'b'"):
        read(model)
    other = scipy_interface.Model()
    x = scipy_interface.Variable("x", lb=0, ub=1)
    other.add(scipy_interface.Constraint(x, ub=1, name="r"))
    found = read(other)
    assert (found.columns, found.rows) == (("x",), ("r",))
    part = scipy_interface.Constraint(x * x, ub=1, name="square", sloppy=True)
    assert not part.is_Linear
    with pytest.raises(InputError, match="'square' is not linear"):
        type(found.native).terms(found.native, part, "constraint 'square'", {})  # type: ignore[attr-defined]


def test_a_model_of_cobra_has_its_own_optimum() -> None:
    model = cobra.Model("cell")
    a, b = (cobra.Metabolite(name, compartment="c") for name in "ab")
    take, turn, give = (cobra.Reaction(name) for name in ("take", "turn", "give"))
    take.add_metabolites({a: 1})
    turn.add_metabolites({a: -1, b: 2})
    give.add_metabolites({b: -1})
    take.bounds, turn.bounds, give.bounds = (0, 10), (-5, 8), (0, 1000)
    model.add_reactions([take, turn, give])
    model.objective = give
    solution = calmip.solve(model)
    assert solution.objective == model.slim_optimize() == 16
    assert solution[turn.forward_variable] - solution[turn.reverse_variable] == 8
    assert solution["give"] == 16
    assert "a" in solution.model.rows
    assert calmip.unique(model, ranges=True).ranges["take"].fixed
    model.optimize()
    assert calmip.check(model, model).valid


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "linopy", "docplex"} & set(sys.modules)
