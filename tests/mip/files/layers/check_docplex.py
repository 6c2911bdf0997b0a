"""Models of docplex, without CPLEX."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
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
    "constraint 'part' is of the kind QuadraticConstraint": lambda m, x, y, b: m.add_constraint(
        x * y <= 2, "part"
    ),
    "maximum 'max(x,y)' has no linear form": lambda m, x, y, b: m.add_constraint(m.max(x, y) <= 2),
    "indicator constraint 'indicator1' has no linear form: its row has no finite bound, because": (
        lambda m, x, y, b: m.add(m.if_then(x >= 2, y <= 3))
    ),
    "general constraint 'pwl(x)' has fewer than two points, or a jump": (
        lambda m, x, y, b: m.add_constraint(m.piecewise(0, [(0, 0), (2, 3), (2, 4)], 1)(x) <= 2)
    ),
    "piecewise-linear function 'pwl(y)' has no linear form: the variable 'y' has no finite": (
        lambda m, x, y, b: m.add_constraint(m.piecewise(0, [(0, 0), (2, 3)], 1)(y) <= 2)
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


def logical_plan() -> tuple[Any, list[Any]]:
    """Return a model with all logical constraints of docplex, and its own variables."""
    model = Model("logic")
    x, y = model.integer_var(-1, 4, "x"), model.integer_var(-2, 3, "y")
    b, c = model.binary_var("b"), model.binary_var("c")
    model.add_equivalence(b, x + 2 * y <= 3, name="low")
    model.add_equivalence(c, 2 * x - 2 * y == 2, true_value=0, name="apart")
    model.add_constraint(x != 2, "hole")
    model.add(model.if_then(x >= 3, y <= 0))
    model.add_constraint((x <= 1) + (y >= 1) + c <= 2, "truths")
    model.minimize(x + y - 2 * c + b)
    return model, [x, y, b, c]


def logical_points() -> dict[tuple[int, ...], int]:
    return {
        (x, y, b, c): x + y - 2 * c + b
        for x, y, b, c in itertools.product(range(-1, 5), range(-2, 4), (0, 1), (0, 1))
        if b == (x + 2 * y <= 3) and c == (2 * x - 2 * y != 2) and x != 2
        if (x < 3 or y <= 0) and (x <= 1) + (y >= 1) + c <= 2
    }


def test_equivalences_and_truth_values_of_rows_are_read() -> None:
    model, variables = logical_plan()
    pool = calmip.enumerate(model)
    answers = zip(pool.values, pool.objectives, strict=True)
    found = {tuple(one[v] for v in variables): best for one, best in answers}
    assert found == logical_points()
    assert len(pool.values) == len(found)
    model.add_constraint(variables[0] >= 4, "right")
    model.add_constraint(variables[1] >= 1, "up")
    said = str(calmip.explain(model))
    assert "infeasible" in said


def curved_plan() -> tuple[Any, list[Any]]:
    """Return a model with functions by points and by slopes, of a variable and of a sum."""
    model = Model("curves")
    x, y = model.integer_var(-2, 4, "x"), model.integer_var(0, 3, "y")
    cost = model.piecewise(1, [(0, 0), (2, 3), (3, 3)], -1)
    tax = model.piecewise_as_slopes([(0.5, 0), (0.25, 2)], 2, (0, 1))
    model.add_constraint(cost(x) + y <= 3, "cost")
    model.add_constraint(tax(x + y) >= 0.5, "tax")
    model.maximize(cost(x) + 2 * model.piecewise(0, [(1, 1)], 2)(y))
    return model, [x, y]


def curved_points() -> dict[tuple[int, ...], Fraction]:
    def cost(x: int) -> int:
        return x if x <= 0 else {1: Fraction(3, 2), 2: 3, 3: 3}.get(x, 6 - x)

    def tax(x: int) -> Fraction:
        slope = Fraction(1, 2 if x <= 0 else 4)
        return 1 + slope * x if x <= 2 else Fraction(3, 2) + 2 * (x - 2)

    return {
        (x, y): cost(x) + 2 * (1 if y <= 1 else 2 * y - 1)
        for x, y in itertools.product(range(-2, 5), range(4))
        if cost(x) + y <= 3 and tax(x + y) >= Fraction(1, 2)
    }


def test_piecewise_linear_functions_are_read() -> None:
    model, variables = curved_plan()
    found = read(model)
    assert {"pwl(x)", "pwl(x+y)", "x+y", "pwl(y)"} <= set(found.own_columns)
    pool = calmip.enumerate(model)
    answers = zip(pool.values, pool.objectives, strict=True)
    assert {tuple(one[v] for v in variables): best for one, best in answers} == curved_points()


def test_slopes_are_exact() -> None:
    """docplex itself takes 0.1 three times for 0.30000000000000004."""
    model = Model("slopes")
    x = model.integer_var(0, 9, "x")
    model.add_constraint(model.piecewise_as_slopes([(0.1, 3), (0.2, 5)], 0.3, (0, 0))(x) <= 1)
    model.add_constraint(model.piecewise_as_slopes([], 0.7, (2, 1))(x) <= 5)
    model.add_constraint(model.piecewise_as_slopes([(1, 2)], 0.1, (5, 0.7))(x) <= 5)
    logic = read(model).logic
    assert logic is not None
    points = [one.points for one in logic.constructs]
    assert points[0][1:3] == ((3, Fraction(3, 10)), (5, Fraction(7, 10)))
    assert [one.at(7) for one in logic.constructs] == [
        Fraction(13, 10),
        Fraction(9, 2),
        Fraction(9, 10),
    ]
    assert [one.at(2) for one in logic.constructs] == [Fraction(1, 5), 1, Fraction(2, 5)]
    assert [one.at(0) for one in logic.constructs][2] == Fraction(-8, 5)


@pytest.mark.parametrize("plan", [logical_plan, curved_plan])
def test_the_file_that_docplex_writes_says_the_same(plan: Any, tmp_path: Path) -> None:
    model, variables = plan()
    path = tmp_path / "m.lp"
    path.write_text(model.export_as_lp_string(), encoding="latin-1")
    pools = [calmip.enumerate(one) for one in (model, calmip.read_model(path))]
    found = [
        {
            (tuple(one[v.name if number else v] for v in variables), best)
            for one, best in zip(pool.values, pool.objectives, strict=True)
        }
        for number, pool in enumerate(pools)
    ]
    assert found[0] == found[1]
    assert found[0]
