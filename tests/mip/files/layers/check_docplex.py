"""Models of docplex, without CPLEX."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from docplex.mp.model import Model
from layer_models import INF, Drawn, check_twenty, read

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def build(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = Model("made")
    x = [
        model.integer_var(low, high, f"x{n}")
        if whole
        else model.continuous_var(max(low, -model.infinity), min(high, model.infinity), f"x{n}")
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = model.scal_prod(x, terms)
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        model.add_constraint(row, f"row{number}")
    goal = model.scal_prod(x, drawn.cost) + drawn.constant
    (model.maximize if drawn.maximise else model.minimize)(goal)
    return model, x


def started(model: Any, variable: Any) -> float:
    *_, (start, _) = model.iter_mip_starts()
    return float(start.get_value(variable))


def test_twenty_models() -> None:
    check_twenty(build)


def plan() -> tuple[Any, Any, Any, Any]:
    model = Model("two words")
    x, y = model.integer_var(0, 5, "x"), model.continuous_var(lb=-model.infinity, name="y")
    b = model.binary_var(name="b")
    model.maximize(x - 0.5 * b)
    return model, x, y, b


def test_both_sides_of_a_row_and_ranges_are_read_exactly() -> None:
    model, x, y, b = plan()
    model.add_constraint(0.3 * x + 0.1 * y + 0.3 <= 0.1 + 0.1 * x - b, "both")
    model.add_range(0.1, x + y + 0.3, 5, "range")
    model.add_constraint(x + y == x + 2)
    found = read(model)
    assert (found.columns, found.rows, found.name) == (
        ("x", "y", "b"),
        ("both", "range", "r2"),
        "two_words",
    )
    assert found.exact_row(0) == (
        {0: Fraction(1, 5), 1: Fraction(1, 10), 2: 1},
        -INF,
        Fraction(-1, 5),
    )
    assert found.exact_row(1) == ({0: 1, 1: 1}, Fraction(-1, 5), Fraction(47, 10))
    assert found.exact_row(2) == ({1: 1}, 2, 2)
    assert [found.bounds(n) for n in range(3)] == [(0, 5), (-INF, INF), (0, 1)]
    assert found.costs == {0: -1, 2: Fraction(1, 2)}


def test_a_variable_of_another_model_has_no_value() -> None:
    (model, x, *_), (_, stranger, *_) = plan(), plan()
    values = PointValues(read(model), {0: 3})
    assert values[x] == 3
    assert stranger not in values
    assert None not in values


def test_an_answer_is_checked_and_explained() -> None:
    model, x, _, b = plan()
    model.add_constraint(2 * x <= 7 + b, "room")
    with pytest.raises(InputError, match="has no value"):
        calmip.check(model, model)
    solution = calmip.solve(model)
    assert (solution.objective, solution[x], solution[b]) == (3.5, 4, 1)
    solution.apply_to(model)
    assert [started(model, one) for one in (x, b)] == [4, 1]
    assert "'room' by 1" in str(calmip.check(model, {x: 4, b: 0}))
    model.add_constraint(x >= 5, "many")
    said = str(calmip.explain(model))
    assert "room: 2 x - b <= 7" in said
    assert "many: x >= 5" in said


REFUSED: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "constraint 'part' is of the kind EquivalenceConstraint": lambda m, x, y, b: m.add_equivalence(
        b, x <= 2, name="part"
    ),
    "constraint 'part' is of the kind NotEqualConstraint": lambda m, x, y, b: m.add_constraint(
        x != 2, "part"
    ),
    "constraint 'part' is of the kind QuadraticConstraint": lambda m, x, y, b: m.add_constraint(
        x * y <= 2, "part"
    ),
    "maximum 'max(x,y)' has no linear form": lambda m, x, y, b: m.add_constraint(m.max(x, y) <= 2),
    "constraint 0 (it has no name) is of the kind Equ": lambda m, x, y, b: m.add(
        m.if_then(x >= 2, y <= 3)
    ),
    "is one of its pwl constraints": lambda m, x, y, b: m.add_constraint(
        m.piecewise(0, [(0, 0), (2, 3)], 1)(x) <= 2
    ),
    "'part' is one of its lazy constraints": lambda m, x, y, b: m.add_lazy_constraint(
        x <= 2, "part"
    ),
    "'part' is one of its user cut constraints": lambda m, x, y, b: m.add_user_cut_constraint(
        x <= 2, "part"
    ),
    "the objective is quadratic": lambda m, x, y, b: m.minimize(x * x),
    "the model has several objectives": lambda m, x, y, b: m.minimize_static_lex([x, y]),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_linear_is_refused_by_its_name(words: str) -> None:
    model, x, y, b = plan()
    REFUSED[words](model, x, y, b)
    with pytest.raises(InputError) as caught:
        read(model)
    assert str(caught.value).startswith("docplex.mp.model.Model: ")
    assert words in str(caught.value)


def test_a_truth_value_of_a_row_is_refused_or_keeps_its_solutions() -> None:
    """It adds a variable and an equivalence, which are not linear."""
    model, x, _, b = plan()
    model.add_constraint((x <= 2) + b >= 1)
    with pytest.raises(InputError, match="of the kind EquivalenceConstraint"):
        read(model)


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "mip", "linopy"} & set(sys.modules)


def test_constructs_are_read() -> None:
    problem = Model("m")
    x, y = problem.integer_var(0, 3, "x"), problem.integer_var(-1, 2, "y")
    b = problem.binary_var("b")
    s = problem.semiinteger_var(ub=4, lb=2, name="s")
    problem.add_indicator(b, x + 2 * y <= 2, active_value=0, name="i")
    problem.add_sos1([x, y], name="one")
    problem.add_sos2([y, x, s], name="two")
    problem.add_constraint(s + x <= 3)
    problem.maximize(2 * x + y + s)
    wanted = {
        (x, y, b, s): 2 * x + y + s
        for x, y, b, s in itertools.product(range(4), range(-1, 3), (0, 1), (0, 2, 3, 4))
        if (b or x + 2 * y <= 2) and not (x and y) and not (y and s) and s + x <= 3
    }
    pool = calmip.enumerate(problem)
    found = zip(pool.values, pool.objectives, strict=True)
    assert {tuple(one[v] for v in (x, y, b, s)): best for one, best in found} == wanted
    assert calmip.solve(problem).objective == max(wanted.values())
    third = Model("equivalence")
    third.add_equivalence(third.binary_var("b"), third.integer_var(0, 3, "x") >= 2, name="e")
    with pytest.raises(InputError, match="constraint 'e' is of the kind EquivalenceConstraint"):
        read(third)


def test_functions_are_read() -> None:
    """Their values are columns; what docplex makes beside these is left out."""
    model = Model("functions")
    x, y = model.integer_var(-3, 4, "x"), model.integer_var(0, 5, "y")
    b, c, n = model.binary_var(name="b"), model.binary_var(name="c"), model.integer_var(0, 9, "n")
    model.add_constraint(model.abs(x - y) <= 2, "near")
    model.add_constraint(model.max(x, y, 3) + model.min(x, 2 * y - 1) <= 4, "both")
    either = model.logical_or(b, model.logical_not(c))
    model.add_constraint(n == model.max(model.abs(x), y) + model.logical_and(b, c) + either)
    model.minimize(n - 2 * model.abs(x))
    wanted = {
        (x, y, b, c, n): n - 2 * abs(x)
        for x, y, b, c in itertools.product(range(-3, 5), range(6), (0, 1), (0, 1))
        if abs(x - y) <= 2 and max(x, y, 3) + min(x, 2 * y - 1) <= 4
        for n in [max(abs(x), y) + (b and c) + (b or 1 - c)]
    }
    found = read(model)
    assert found.logic is not None
    kinds = [one.kind for one in found.logic.constructs]
    assert sorted(set(kinds)) == [
        "absolute value",
        "conjunction",
        "disjunction",
        "maximum",
        "minimum",
    ]
    assert {"abs(x-y)", "max(x,y,3)"} <= set(found.own_columns)
    pool = calmip.enumerate(model)
    answers = zip(pool.values, pool.objectives, strict=True)
    assert {tuple(one[v] for v in (x, y, b, c, n)): best for one, best in answers} == wanted
    assert len(pool.values) == len(wanted)
    pool.values[0].apply_to(model)
    model.add_constraint(model.abs(x - y) >= 3, "far")
    said = str(calmip.explain(model))
    assert "near: abs(x-y) <= 2" in said
