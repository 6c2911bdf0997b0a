"""Models of Xpress, under the community licence of its wheel."""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import xpress as xp
from layer_models import INF, Drawn, check_twenty, read

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues

warnings.filterwarnings("ignore", category=xp.LicenseWarning)


def problem(name: str = "made") -> Any:
    made = xp.problem(name)
    made.setOutputEnabled(False)
    return made


def build(drawn: Drawn) -> tuple[Any, list[Any]]:
    made = problem()
    x = [
        made.addVariable(
            name=f"x{n}",
            lb=max(low, -xp.infinity),
            ub=min(high, xp.infinity),
            vartype=xp.integer if whole else xp.continuous,
        )
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = xp.Sum(a * v for a, v in zip(terms, x, strict=True) if a)
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        made.addConstraint(xp.constraint(row, name=f"row{number}"))
    goal = xp.Sum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    made.setObjective(goal, sense=xp.maximize if drawn.maximise else xp.minimize)
    return made, x


def test_twenty_models() -> None:
    check_twenty(build)


def plan() -> tuple[Any, Any, Any, Any]:
    made = problem("plan")
    x = made.addVariable(name="x", ub=5, vartype=xp.integer)
    y = made.addVariable(name="y", lb=-xp.infinity)
    b = made.addVariable(name="b", vartype=xp.binary)
    made.setObjective(x - 0.5 * b + 7, sense=xp.maximize)
    return made, x, y, b


def test_sides_ranges_and_rows_that_are_delayed_are_read() -> None:
    made, x, y, b = plan()
    made.addConstraint(xp.constraint(0.2 * x + 0.1 * y + 0.5 <= 1 - b, name="both"))
    made.addConstraint(xp.constraint(body=x + y, lb=0.25, ub=4, name="range"))
    made.addConstraint(xp.constraint(x - y == 2, name="equal"))
    made.loadDelayedRows([2])
    found = read(made)
    assert (found.columns, found.rows, found.name) == (
        ("x", "y", "b"),
        ("both", "range", "equal"),
        "plan",
    )
    tenth = Fraction(1, 10)
    assert found.exact_row(0) == ({0: 2 * tenth, 1: tenth, 2: 1}, -INF, 5 * tenth)
    assert found.exact_row(1) == ({0: 1, 1: 1}, Fraction(1, 4), 4)
    assert found.exact_row(2) == ({0: 1, 1: -1}, 2, 2)
    assert [found.bounds(n) for n in range(3)] == [(0, 5), (-INF, INF), (0, 1)]
    assert (found.costs, found.constant, found.maximise) == ({0: -1, 2: Fraction(1, 2)}, 7, True)


def test_an_answer_is_set_back_checked_and_explained() -> None:
    made, x, _, b = plan()
    made.addConstraint(xp.constraint(2 * x <= 7 + b, name="room"))
    with pytest.raises(InputError, match="has no value"):
        calmip.check(made, made)
    solution = calmip.solve(made)
    assert (solution.objective, solution[x], solution[b]) == (10.5, 4, 1)
    solution.apply_to(made)
    made.optimize()
    assert made.attributes.objval == pytest.approx(10.5)
    assert "checked" in str(calmip.check(made, made))
    assert "'room' by 1" in str(calmip.check(made, {x: 4, b: 0}))
    made.addConstraint(xp.constraint(x >= 5, name="many"))
    said = str(calmip.explain(made))
    assert "room: 2 x - b <= 7" in said
    assert "many: x >= 5" in said


def test_a_variable_of_another_problem_has_no_value() -> None:
    (made, x, *_), (_, stranger, *_) = plan(), plan()
    values = PointValues(read(made), {0: 3})
    assert values[x] == 3
    assert stranger not in values


def test_constructs_are_read() -> None:
    made = problem()
    x = made.addVariable(name="x", ub=3, vartype=xp.integer)
    y = made.addVariable(name="y", lb=-1, ub=2, vartype=xp.integer)
    b = made.addVariable(name="b", vartype=xp.binary)
    s = made.addVariable(name="s", ub=4, threshold=2, vartype=xp.semiinteger)
    row = xp.constraint(x + 2 * y <= 2, name="i")
    made.addConstraint(row, s + x <= 3)
    made.addIndicator(b == 0, row)
    made.addSOS([x, y], [2, 1], type=1, name="one")
    made.addSOS([y, x, s], [1, 2, 3], type=2, name="two")
    made.setObjective(2 * x + y + s, sense=xp.maximize)
    wanted = {
        (x, y, b, s): 2 * x + y + s
        for x, y, b, s in itertools.product(range(4), range(-1, 3), (0, 1), (0, 2, 3, 4))
        if (b or x + 2 * y <= 2) and not (x and y) and not (y and s) and s + x <= 3
    }
    pool = calmip.enumerate(made)
    found = zip(pool.values, pool.objectives, strict=True)
    assert {tuple(one[v] for v in (x, y, b, s)): best for one, best in found} == wanted
    made.optimize()
    assert made.attributes.objval == pytest.approx(max(wanted.values()))


def check(made: Any, variables: tuple[Any, ...], wanted: dict[tuple[int, ...], Any]) -> None:
    """Compare a pool with brute force; each solution is listed once."""
    pool = calmip.enumerate(made)
    points = [tuple(one[v] for v in variables) for one in pool.values]
    assert len(set(points)) == len(points) > 2
    assert dict(zip(points, pool.objectives, strict=True)) == wanted


def test_functions_in_rows_are_read() -> None:
    made, variables = problem(), []
    for name, low, high in (("x", 0, 3), ("y", -2, 2), ("b", 0, 1), ("c", 0, 1)):
        variables.append(made.addVariable(name=name, lb=low, ub=high, vartype=xp.integer))
    x, y, b, c = variables
    made.addConstraint(xp.constraint(xp.abs(x - y) <= 1, name="near"))
    made.addConstraint(2 * xp.max(x, y + 1, 1.5) - x / 4 <= 5)
    made.addConstraint(xp.Or(b, c) - xp.And(b, c) + xp.min(x, y) >= xp.abs(x - y))
    made.addConstraint(xp.constraint(3 * xp.abs(xp.max(x, y) - 2 * b) * 0.5 <= 3, name="deep"))
    made.setObjective(x - c)
    wanted = {
        (x, y, b, c): x - c
        for x, y, b, c in itertools.product(range(4), range(-2, 3), (0, 1), (0, 1))
        if abs(x - y) <= 1
        and 2 * max(x, y + 1, 1.5) - x / 4 <= 5
        and (b or c) - (b and c) + min(x, y) >= abs(x - y)
        and abs(max(x, y) - 2 * b) <= 2
    }
    check(made, tuple(variables), wanted)
    names = read(made).columns[4:]
    assert names[:3] == ("abs(x-y)", "max(x,y+1,1.5)", "max(b,c)")
    made.addConstraint(xp.constraint(xp.abs(x - y) >= 2, name="far"))
    assert calmip.explain(made).names == (("near", "far"),)


def test_functions_in_the_objective_are_read() -> None:
    """Xpress makes a row and a column of them, between those of the user."""
    made = problem()
    x = made.addVariable(name="x", ub=3, vartype=xp.integer)
    made.setObjective(2 * xp.abs(x - 1) + x + xp.min(x, 2) + 4)
    y = made.addVariable(name="y", lb=-1, ub=2, vartype=xp.integer)
    s = made.addVariable(name="s", ub=4, threshold=2, vartype=xp.semiinteger)
    b = made.addVariable(name="b", vartype=xp.binary)
    made.addConstraint(xp.constraint(x + y + s <= 4, name="row"))
    row = xp.constraint(x + 2 * y <= 2, name="if")
    made.addConstraint(row)
    made.addIndicator(b == 1, row)
    made.addSOS([s, y], [2, 1], type=1, name="one")
    wanted = {
        (x, y, s, b): 2 * abs(x - 1) + x + min(x, 2) + 4
        for x, y, s, b in itertools.product(range(4), range(-1, 3), (0, 2, 3, 4), (0, 1))
        if x + y + s <= 4 and not (y and s) and (not b or x + 2 * y <= 2)
    }
    check(made, (x, y, s, b), wanted)
    assert read(made).rows[0] == "row"
    for goal in (x, xp.abs(x)):
        made.setObjective(goal)
        with pytest.raises(InputError, match="no longer at their places"):
            read(made)


def test_general_and_piecewise_linear_constraints_are_read() -> None:
    made = problem()
    x, y, r, z = (
        made.addVariable(name=name, lb=low, ub=high, vartype=xp.integer)
        for name, low, high in (("x", -2, 2), ("y", 0, 2), ("r", 0, 3), ("z", -9, 9))
    )
    b, c, d, e = (made.addVariable(name=name, vartype=xp.binary) for name in "bcde")
    kinds = xp.GenConsType
    made.addGenCons(
        [kinds.MAX, kinds.AND, kinds.OR, kinds.ABS],
        [r, d, e, y],
        [0, 2, 4, 6],
        [x, y, b, c, c, d, x],
        [0, 1, 1, 1],
        [1],
    )
    made.addPwlCons([x], [z], [0], [-1, 0, 1], [2, 0, 3])
    made.setObjective(z + r, sense=xp.maximize)
    wanted = {
        (x, abs(x), max(x, abs(x), 1), z, b, c, b and c, c or (b and c)): z + max(x, abs(x), 1)
        for x, b, c in itertools.product(range(-2, 3), (0, 1), (0, 1))
        for z in [-2 * x if x < 0 else 3 * x]
    }
    check(made, (x, y, r, z, b, c, d, e), wanted)
    made.optimize()
    assert made.attributes.objval == max(wanted.values())


def test_an_answer_of_xpress_with_functions_is_checked() -> None:
    made, x, y, b = plan()
    y.lb, y.ub = 0, 3
    made.addConstraint(xp.constraint(xp.max(x, y) <= 2 - b, name="most"))
    made.optimize()
    assert "every row checked" in str(calmip.check(made, made))
    found = calmip.solve(made)
    assert (found[x], found[b], found["max(x,y)"]) == (2, 0, 2)
    found.apply_to(made)


REFUSED: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "the objective has another function than abs": lambda m, x, y, b: m.setObjective(xp.exp(y)),
    "'R1' has another function": lambda m, x, y, b: m.addConstraint(xp.sin(xp.abs(y)) <= 1),
    "'R1' has a product or quotient of v": lambda m, x, y, b: m.addConstraint(x * xp.abs(y) <= 1),
    "a product or quotient": lambda m, x, y, b: m.addConstraint(xp.abs(y) / (1 + x) <= 1),
    "the model has products or quotients": lambda m, x, y, b: m.addConstraint(
        x * xp.abs(y) + xp.abs(x) <= 1
    ),
    "a quadratic objective": lambda m, x, y, b: m.setObjective(x * x),
    "quadratic constraints": lambda m, x, y, b: m.addConstraint(x * x + y <= 1),
    "or a jump": lambda m, x, y, b: m.addPwlCons([x], [y], [0], [0, 1, 1, 2], [0, 1, 2, 4]),
    "several objectives": lambda m, x, y, b: m.addObjective(y),
    "variable 'part' is of the type 'P'": lambda m, x, y, b: m.addVariable(
        name="part", ub=9, threshold=3, vartype=xp.partiallyinteger
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_linear_is_refused_by_its_name(words: str) -> None:
    made, x, y, b = plan()
    REFUSED[words](made, x, y, b)
    with pytest.raises(InputError) as caught:
        read(made)
    assert str(caught.value).startswith("xpress.problem: ")
    assert words in str(caught.value)


def test_a_problem_without_variables_is_refused() -> None:
    with pytest.raises(InputError, match="has no variables"):
        read(problem())


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "mip", "linopy"} & set(sys.modules)
