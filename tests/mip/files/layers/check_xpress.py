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


REFUSED: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "nonlinear terms (abs": lambda m, x, y, b: m.addConstraint(xp.abs(x) <= 1),
    "nonlinear terms (abs, max": lambda m, x, y, b: m.addConstraint(xp.max(x, y) <= 1),
    "nonlinear terms (abs, max, logic": lambda m, x, y, b: m.addConstraint(xp.Or(b, b) == 1),
    "nonlinear terms": lambda m, x, y, b: m.setObjective(xp.exp(y)),
    "a quadratic objective": lambda m, x, y, b: m.setObjective(x * x),
    "quadratic constraints": lambda m, x, y, b: m.addConstraint(x * x + y <= 1),
    "piecewise linear constraints": lambda m, x, y, b: m.addPwlCons(
        [x], [y], [0], [0, 1, 2], [0, 1, 4]
    ),
    "general constraints": lambda m, x, y, b: m.addGenCons(
        [xp.GenConsType.MAX], [y], [0], [x, b], [0], []
    ),
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
