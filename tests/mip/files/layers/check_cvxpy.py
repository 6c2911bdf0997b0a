"""Problems of cvxpy."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import cvxpy as cp
import numpy as np
import pytest
from layer_models import INF, Drawn, check_twenty, read

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def build(drawn: Drawn, *, by_rows: bool = False) -> tuple[Any, list[Any]]:
    """Return a problem with a variable for each column, whose bounds may be constraints."""
    rows: list[Any] = []
    x = [
        cp.Variable(name=f"x{n}", integer=whole, bounds=None if by_rows else [low, high])
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        sign = -1 if number % 2 and low != high else 1
        left = sum(sign * c * v for c, v in zip(terms, x, strict=True) if c)
        side = sign * high
        rows.append(left == side if low == high else left <= side if sign > 0 else left >= side)
    if by_rows:
        for variable, (low, high, _) in zip(x, drawn.columns, strict=True):
            rows += [low <= variable] * (low > -INF) + [variable <= high] * (high < INF)
    goal = sum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    return cp.Problem((cp.Maximize if drawn.maximise else cp.Minimize)(goal), rows), x


def several(drawn: Drawn) -> Drawn:
    """Return a model whose rows have two coefficients and no lower bound alone.

    Those of one coefficient become bounds, and cvxpy has each inequality as an upper bound.
    """
    rows = []
    for terms, low, high in drawn.rows:
        if sum(map(bool, terms)) > 1:
            below = (tuple(-c for c in terms), -INF, -low)
            rows.append(below if math.isinf(high) else (terms, low, high))
    return Drawn(drawn.columns, tuple(rows), drawn.cost, drawn.constant, drawn.maximise)


def value(_: Any, variable: Any) -> float:
    return float(variable.value)


@pytest.mark.parametrize("by_rows", [False, True])
def test_twenty_models(by_rows: bool) -> None:
    check_twenty(lambda drawn: build(drawn, by_rows=by_rows), value=value, change=several)


def test_rows_of_one_coefficient_are_bounds_and_keep_the_exact_quotient() -> None:
    x = cp.Variable(name="x")
    y = cp.Variable(2, integer=True, name="y")
    problem = cp.Problem(
        cp.Minimize(x + cp.sum(y)), [3 * x >= 0.1, -0.3 * x >= -7, y <= 4, -y <= 2]
    )
    found = read(problem)
    assert found.rows == ()
    assert found.bounds(0) == (Fraction(1, 30), Fraction(70, 3))
    assert [found.bounds(n) for n in (1, 2)] == [(-2, 4)] * 2
    fixed = read(cp.Problem(cp.Minimize(x), [2 * x == 5, x <= 9]))
    assert fixed.bounds(0) == (Fraction(5, 2), Fraction(5, 2))


def test_names_and_entries_are_those_of_cvxpy() -> None:
    """The entries of a matrix are taken column by column."""
    x, y = cp.Variable((2, 3), name="x", boolean=True), cp.Variable(2, name="y", integer=True)
    rows = [x[0, 1] + y[0] <= 3, cp.sum(x, axis=1) == y, x[1, 2] + x[0, 0] >= 1]
    rows[0].set_label("cap")
    problem = cp.Problem(
        cp.Minimize(np.array([[1, 2, 3], [4, 5, 6]]).flatten() @ x.flatten(order="C")), rows
    )
    found = read(problem)
    assert found.columns == (
        *("x[0,0]", "x[1,0]", "x[0,1]", "x[1,1]", "x[0,2]", "x[1,2]"),
        *("y[0]", "y[1]"),
    )
    assert found.rows == ("cap", "constraints[1][0]", "constraints[1][1]", "constraints[2]")
    assert found.costs == {0: 1, 1: 4, 2: 2, 3: 5, 4: 3, 5: 6}
    assert found.exact_row(1)[0] in ({0: 1, 2: 1, 4: 1, 6: -1}, {0: -1, 2: -1, 4: -1, 6: 1})
    values = PointValues(found, {3: 1, 5: 1, 7: 2})
    assert [[values[x[i, j]] for j in range(3)] for i in range(2)] == [[0, 0, 0], [0, 1, 1]]
    assert (values[y[1]], values[y[-1]], values["y[0]"]) == (2, 2, 0)
    values.apply_to(problem)
    assert (x.value == [[0, 0, 0], [0, 1, 1]]).all()
    assert (y.value == [0, 2]).all()
    for one in (x, y, y[0:2], x[0], 3 * y[0], cp.Variable(), None):
        assert one not in values


def test_abs_max_and_norms_have_columns_of_their_own() -> None:
    x = cp.Variable(2, integer=True, name="x")
    parts = [cp.abs(x[0]) + cp.max(x) <= 3, cp.norm1(x) >= -1, x >= -4, x <= 4]
    problem = cp.Problem(cp.Minimize(cp.maximum(x[0], 2 * x[1] - 1)), [parts[0], *parts[2:]])
    found = read(problem)
    assert found.columns[:2] == ("x[0]", "x[1]")
    assert all(name.startswith("auxiliary[") for name in found.columns[2:])
    assert len(found.columns) > 2
    pool = calmip.enumerate(problem, distinct=[x[0], x[1]])
    box = product(range(-4, 5), repeat=2)
    points = sorted(point for point in box if abs(point[0]) + max(point) <= 3)
    assert sorted((one[x[0]], one[x[1]]) for one in pool.values) == points
    best = min(max(a, 2 * b - 1) for a, b in points)
    assert calmip.enumerate(problem, distinct=[x[0], x[1]], optimal=True).optimum == best
    with pytest.raises(InputError, match="the values of auxiliary variables"):
        calmip.check(problem, problem)


def test_the_names_are_the_same_from_run_to_run() -> None:
    def names() -> Any:
        x = cp.Variable(2, name="x")
        found = read(cp.Problem(cp.Minimize(cp.norm1(x) + cp.max(x)), [cp.norm_inf(x) <= 3]))
        return found.columns, found.rows

    assert names() == names()


def test_boolean_entries_alone_are_integers() -> None:
    x = cp.Variable(3, boolean=[(0, 2)], name="x", nonneg=True)
    found = read(cp.Problem(cp.Minimize(cp.sum(x))))
    assert found.integer.tolist() == [1, 0, 1]
    assert [found.bounds(n) for n in range(3)] == [(0, 1), (0, INF), (0, 1)]
    y = cp.Variable(boolean=True, name="y")
    inside = read(cp.Problem(cp.Minimize(y), [y >= -3, y <= 0.5]))
    assert inside.bounds(0) == (0, Fraction(1, 2))


@pytest.mark.parametrize("attribute", ["symmetric", "diag", "PSD", "hermitian", "complex", "imag"])
def test_a_variable_that_cvxpy_replaces_is_refused(attribute: str) -> None:
    x = cp.Variable((2, 2), name="odd", **{attribute: True})
    problem = cp.Problem(cp.Minimize(cp.real(cp.sum(x))))
    with pytest.raises(InputError, match=f"variable 'odd' has the attribute {attribute}"):
        read(problem)


def test_a_sparse_variable_is_refused() -> None:
    x = cp.Variable((2, 2), name="odd", sparsity=[(0, 1), (0, 1)])
    with pytest.raises(InputError, match="variable 'odd' has the attribute sparsity"):
        read(cp.Problem(cp.Minimize(cp.sum(x))))


def test_a_parameter_needs_a_value_and_each_value_is_read() -> None:
    p, x = cp.Parameter(name="p"), cp.Variable(name="x")
    problem = cp.Problem(cp.Minimize(p * x + p), [x + 0.5 * p >= 2])
    with pytest.raises(InputError, match="parameter 'p' has no value"):
        read(problem)
    for number in (3, 5):
        p.value = number
        found = read(problem)
        assert (found.costs, found.exact_objective({})) == ({0: number}, number)
        assert found.bounds(0)[0] == 2 - Fraction(number, 2)


x = cp.Variable(2, name="x")
REFUSED: dict[str, Callable[[], Any]] = {
    "the objective is not piecewise linear: minimize P": lambda: cp.Problem(
        cp.Minimize(cp.norm(x))
    ),
    "the objective is not piecewise linear: minimize quad": lambda: cp.Problem(
        cp.Minimize(cp.sum_squares(x))
    ),
    "constraints[1] is not piecewise linear: exp": lambda: cp.Problem(
        cp.Minimize(x[0]), [x[0] >= 0, cp.exp(x[0]) <= 3]
    ),
    "constraints[0] is not piecewise linear: ": lambda: cp.Problem(
        cp.Minimize(x[0]), [cp.SOC(x[0], x)]
    ),
    "cvxpy does not accept the problem: Problem does not follow DCP rules": lambda: cp.Problem(
        cp.Maximize(cp.abs(x[0]))
    ),
    "the problem has no variables": lambda: cp.Problem(cp.Minimize(0)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_linear_is_refused_by_its_place(words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(REFUSED[words]())
    assert str(caught.value).startswith("cvxpy.Problem: ")
    assert words in str(caught.value)


def test_the_answer_of_a_solver_is_checked() -> None:
    y = cp.Variable(2, integer=True, name="y")
    problem = cp.Problem(cp.Maximize(cp.sum(y)), [2 * y[0] + 3 * y[1] <= 12, y <= 5, y >= 0])
    with pytest.raises(InputError, match="has no value"):
        calmip.check(problem, problem)
    problem.solve(solver=cp.SCIPY)
    assert "a solution, every row checked; objective 5" in str(calmip.check(problem, problem))
    y.value = [5, 1]
    assert "violates row 'constraints[0]' by 1" in str(calmip.check(problem, problem))
    problem = cp.Problem(cp.Maximize(y[0]), [y[0] + y[1] <= 3, y[0] - y[1] >= 2, y[1] >= 1])
    said = str(calmip.explain(problem))
    assert "constraints[0]: " in said
    assert "y[1] >= 1" in said


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "linopy", "mip", "docplex"} & set(sys.modules)
