"""Exact answers to linear programs, each with its proof; the proofs are checked in fractions."""

from __future__ import annotations

import itertools
import math
import random
from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.highs import VARIABLE, HighsModel
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.lp import exact_lp
from calmip.mip.lp.exact_lp import ExactLp, Factors, LinearAnswer, exact_model, refutes
from calmip.mip.model import Bound, Model, Number, inexact
from calmip.mip.status import Status

INF = math.inf
NUMBERS = st.one_of(
    st.integers(-4, 4),
    st.integers(-4, 4),
    st.sampled_from([0.1, -2.3, 0.7, 1e-5, 1234.5, Fraction(1, 3), Fraction(-5, 7)]),
)
BOUNDS = st.tuples(
    st.sampled_from([0, 0, 0, -3, 0.5, Fraction(1, 3), -INF]),
    st.sampled_from([1, 5, 2.5, 5, Fraction(10, 3), INF]),
)


@st.composite
def linear_models(draw: st.DrawFn) -> Model:
    """A small model with some integer columns, unbounded ones, equations and ranges."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(0, 6))
    rows = []
    flat: list[Any] = []
    sides: list[tuple[Any, Any]] = []
    for number in range(height):
        chosen = draw(st.sets(st.integers(0, width - 1)))
        terms = {column: draw(NUMBERS) for column in sorted(chosen)}
        low = draw(st.one_of(NUMBERS, st.just(-INF)))
        high = draw(st.sampled_from([low if low > -INF else 2, low + 2 if low > -INF else 4, INF]))
        flat += terms.values()
        sides.append((low, high))
        rows.append(
            (f"r{number}", {c: float(v) for c, v in terms.items()}, float(low), float(high))
        )
    bounds = [draw(BOUNDS) for _ in range(width)]
    cost = [draw(NUMBERS) for _ in range(width)]
    exact = {
        **inexact("value", flat),
        **inexact("cost", cost),
        **inexact("lower", [low for low, _ in sides]),
        **inexact("upper", [high for _, high in sides]),
        **inexact("column_lower", [low for low, _ in bounds]),
        **inexact("column_upper", [high for _, high in bounds]),
    }
    return Model.from_rows(
        [f"x{c}" for c in range(width)],
        rows,
        [float(c) for c in cost],
        exact=exact,
        column_lower=array("d", (float(low) for low, _ in bounds)),
        column_upper=array("d", (float(high) for _, high in bounds)),
        integer=array("b", [draw(st.booleans()) for _ in range(width)]),
    )


def end(factor: Number, low: Bound, high: Bound) -> Bound:
    """The least of a factor times a number in a range."""
    side = low if factor > 0 else high
    return -INF if isinstance(side, float) else factor * side


def dual_bound(model: Model, prices: Mapping[int, Number], fixed: Mapping[int, Number]) -> Bound:
    """The bound that dual values prove on the cost: the least of (c - yA) x + y (Ax)."""
    reduced = dict(model.costs)
    total: Bound = 0
    for row, price in prices.items():
        terms, low, high = model.exact_row(row)
        total += end(price, low, high)
        for column, value in terms.items():
            reduced[column] = reduced.get(column, 0) - price * value
    for column, value in reduced.items():
        pair = (fixed[column],) * 2 if column in fixed else model.bounds(column)
        if value:
            total += end(value, *pair)
    return total


def prove(model: Model, answer: LinearAnswer, fixed: Mapping[int, Number]) -> None:
    """Check the proof of an answer by itself."""
    broken = [each.kind for each in model.violations(answer.point)]
    if answer.status is Status.OPTIMAL:
        assert set(broken) <= {"integrality"}
        assert all(answer.point.get(column, 0) == value for column, value in fixed.items())
        assert answer.cost == sum(
            cost * answer.point.get(column, 0) for column, cost in model.costs.items()
        )
        assert dual_bound(model, answer.prices, fixed) == answer.cost
    elif answer.status is Status.UNBOUNDED:
        assert set(broken) <= {"integrality"}
        assert not fixed.keys() & answer.ray.keys()
        assert sum(model.costs.get(column, 0) * step for column, step in answer.ray.items()) < 0
        for column, step in answer.ray.items():
            low, high = model.bounds(column)
            assert (high if step > 0 else low) in (INF, -INF)
        for row in range(len(model.rows)):
            terms, low, high = model.exact_row(row)
            step = sum(value * answer.ray.get(column, 0) for column, value in terms.items())
            assert not step or (high if step > 0 else low) in (INF, -INF)
    else:
        assert answer.status is Status.INFEASIBLE
        crossed = [c for c in range(len(model.columns)) if misfit(model, c, fixed)]
        assert refutes(model, answer.prices, fixed) or (crossed and answer.reason)


def misfit(model: Model, column: int, fixed: Mapping[int, Number]) -> bool:
    low, high = model.bounds(column)
    return low > high or (column in fixed and not low <= fixed[column] <= high)


@pytest.mark.long
@settings(max_examples=30)
@given(linear_models())
def test_every_answer_to_a_relaxation_is_proved(model: Model) -> None:
    prove(model, ExactLp(model, range(len(model.columns))).solve(), {})


@pytest.mark.long
@settings(max_examples=500)
@given(linear_models())
def test_every_answer_to_many_relaxations_is_proved(model: Model) -> None:
    prove(model, ExactLp(model, range(len(model.columns))).solve(), {})


@pytest.mark.long
@given(linear_models(), st.data())
def test_integers_are_completed_again_and_again(model: Model, data: st.DataObject) -> None:
    linear = ExactLp(model)
    given_ones = [column for column, integer in enumerate(model.values("integer")) if integer]
    for _ in range(3):
        fixed = {column: data.draw(st.integers(0, 3)) for column in given_ones}
        some = {column: value for column, value in fixed.items() if value}
        prove(model, linear.solve(some), fixed)


@pytest.mark.long
@given(linear_models(), st.data())
def test_a_wrong_basis_costs_pivots_and_no_truth(model: Model, data: st.DataObject) -> None:
    linear = ExactLp(model, range(len(model.columns)))
    wanted = linear.solve()
    states = st.lists(st.integers(-1, 4), min_size=99, max_size=99)
    with pytest.MonkeyPatch.context() as patch:
        lies = data.draw(states)
        patch.setattr(linear, "_basis", lambda limits, clock: lies[: len(limits)])
        found = linear.solve()
    prove(model, found, {})
    assert (found.status, found.cost) == (wanted.status, wanted.cost) or (
        found.status is wanted.status is Status.UNBOUNDED
    )


@given(linear_models(), st.data())
def test_any_point_may_be_near(model: Model, data: st.DataObject) -> None:
    columns = range(len(model.columns))
    linear = ExactLp(model, columns)
    wanted = linear.solve()
    values = st.lists(st.floats(), min_size=len(columns), max_size=len(columns))
    near = [float(wanted.point.get(c, 0)) for c in columns]
    for point in (data.draw(values), [1e308] * len(columns), near):
        found = linear.solve(near=point)
        prove(model, found, {})
        assert (found.status, found.cost) == (wanted.status, wanted.cost) or (
            found.status is wanted.status is Status.UNBOUNDED
        )


def test_near_an_optimal_vertex_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    row = "r", {0: 3.0, 1: 7.0}, 1.0, INF
    model = Model.from_rows(["x", "y"], [row], [1.0, 2.0], integer=array("b", [0, 0]))
    linear = ExactLp(model)
    asked: list[object] = []
    monkeypatch.setattr(linear, "_basis", lambda *given: asked.append(given) or [])
    for _ in range(5):
        answer = linear.solve(near=[0.0, 1 / 7])
        assert answer.point == {1: Fraction(1, 7)}
    assert not asked
    # Nor is a vertex that is often not optimal looked at again and again.
    tried: list[object] = []
    states = linear._states_near
    monkeypatch.setattr(
        linear, "_states_near", lambda *given: tried.append(given) or states(*given)
    )
    for _ in range(30):
        assert linear.solve(near=[1 / 3, 0.0]).point == {1: Fraction(1, 7)}
    assert len(asked) == 30
    assert len(tried) == 5 + exact_lp.MISSES


@pytest.mark.long
@given(linear_models(), st.data())
def test_other_bounds_of_free_columns(model: Model, data: st.DataObject) -> None:
    linear = ExactLp(model, range(len(model.columns)))
    linear.solve()
    columns = range(len(model.columns))
    bounds = {c: (data.draw(st.integers(-2, 1)), data.draw(st.integers(0, 3))) for c in columns}
    lower, upper = zip(*bounds.values(), strict=True)
    kept = {place: v for place, v in model.exact.items() if not place[0].startswith("column")}
    other = model.changed(
        column_lower=array("d", lower), column_upper=array("d", upper), exact=kept
    )
    answer = linear.solve(bounds=bounds)
    prove(other, answer, {})
    assert answer.status == ExactLp(other, columns).solve().status
    linear.solve()
    prove(model, linear.solve(), {})


def test_no_answer_when_the_time_is_over() -> None:
    model = Model.from_rows(
        ["x", "y"], [("r", {0: 1, 1: 1}, 1, INF)], [1, 1], integer=array("b", [0, 0])
    )
    clock = Deadline(1e-9)
    for near in ([], [1.0, 0.0]):
        answer = ExactLp(model).solve(clock=clock, near=near)
        assert answer.status is Status.UNKNOWN
        assert "not finished" in answer.reason
        assert not answer.point
        assert not answer.prices


def test_rounding_errors_of_floating_point_change_nothing() -> None:
    # 0.1 three times is 0.3, which floating-point sums miss; the vertex has thirds.
    model = Model.from_rows(
        ["n", "x", "y"],
        [("a", {0: 0.1, 1: 0.1, 2: 0.1}, 0.3, 0.3), ("b", {1: 3, 2: -3}, 1, 1)],
        [1, 1, 0],
        column_upper=array("d", [9, INF, INF]),
        integer=array("b", [1, 0, 0]),
    )
    answer = ExactLp(model).solve({0: 1})
    assert answer.point == {0: 1, 1: Fraction(7, 6), 2: Fraction(5, 6)}
    assert answer.cost == Fraction(13, 6)
    assert ExactLp(model).solve({0: 3}).status is Status.INFEASIBLE
    # One part in ten thousand millions decides; the tolerances of a solver do not see it.
    narrow = Model.from_rows(
        ["x"],
        [("a", {0: 1}, -INF, 1), ("b", {0: 1}, 1.0000000001, INF)],
        column_upper=array("d", [INF]),
        integer=array("b", [0]),
    )
    found = ExactLp(narrow).solve()
    assert found.status is Status.INFEASIBLE
    assert refutes(narrow, found.prices)
    assert not refutes(narrow, {0: 1})


def test_the_package_and_the_library_find_the_vertex_without_a_pivot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [(f"r{n}", {n: 3.0, n + 1: 0.7}, -INF, 5.5) for n in range(5)]
    model = Model.from_rows(
        [f"x{n}" for n in range(6)],
        rows,
        [-1.0 - n / 10 for n in range(6)],
        column_upper=array("d", [INF] * 6),
        integer=array("b", bytes(6)),
    )
    found = []
    for way in ("", "highspy"):
        monkeypatch.setenv(VARIABLE, way)
        monkeypatch.setattr("calmip.mip.lp.exact_lp._Simplex._pivot", None)  # not called
        found.append(ExactLp(model).solve())
    assert found[0].status is Status.OPTIMAL
    assert found[0].cost == found[1].cost
    prove(model, found[1], {})


def test_other_costs_have_the_answers_of_a_model_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows: list[Any] = [("r", {0: 1, 1: 2}, 3, math.inf), ("s", {0: 3, 1: 1}, 4, math.inf)]
    ends = [(0, math.inf)] * 2
    model = exact_model(["x", "y"], ends, [False] * 2, rows, {0: 1, 1: 1})
    changes: list[object] = []
    change = HighsModel.set_costs

    def record(highs: HighsModel, cost: Sequence[float]) -> None:
        changes.append(cost)
        change(highs, cost)

    monkeypatch.setattr(HighsModel, "set_costs", record)
    lp = ExactLp(model)
    lp.solve()
    every: list[dict[int, int | Fraction]] = [
        {0: Fraction(1, 7), 1: Fraction(2, 3)},
        {0: 5, 1: 1},
        {1: 1},
        {},
        {0: -1},
    ]
    for number, costs in enumerate(every, start=1):
        lp.set_costs(costs)
        found, wanted = lp.solve(), ExactLp(model.with_costs(costs)).solve()
        assert (found.status, found.cost) == (wanted.status, wanted.cost)
        assert len(changes) == number  # HiGHS goes on from its last basis
        if costs in every[:2]:
            assert (found.point, found.prices) == (wanted.point, wanted.prices)


def test_factors_solve_a_system_and_its_transpose() -> None:
    """Of random whole numbers; what has no pivot is left, and regular matrices leave nothing."""
    regular = 0
    for seed in range(60):
        draw = random.Random(seed)
        size = draw.randint(1, 6)
        rows = [
            {c: draw.choice([-3, -2, 2, 3, 5]) for c in range(size) if draw.random() < 0.6}
            for _ in range(size)
        ]
        factors = Factors(rows, range(size), set(range(size)), ENDLESS)
        assert len(factors.left_rows) == len(factors.left_columns)
        if factors.left_rows:
            continue
        regular += 1
        for _ in range(3):
            right = {n: Fraction(draw.randint(-4, 4), draw.choice([1, 1, 3])) for n in range(size)}
            found = factors.solve(right)
            for row, terms in enumerate(rows):
                assert sum(value * found[c] for c, value in terms.items()) == right[row]
            prices = factors.solve_transposed(right)
            for column in range(size):
                total = sum(
                    terms.get(column, 0) * prices.get(row, 0) for row, terms in enumerate(rows)
                )
                assert total == right[column]
    assert regular > 20


def test_a_quotient_in_lowest_terms_has_a_divisor_above_0() -> None:
    for above, below in itertools.product(range(-12, 13), [*range(-12, 0), *range(1, 13)]):
        wanted = Fraction(above, below)
        assert exact_lp._reduced(above, below) == (wanted.numerator, wanted.denominator)
        number = exact_lp._number(*exact_lp._reduced(above, below))
        assert number == wanted
        assert isinstance(number, int) is (wanted.denominator == 1)


def test_crossed_bounds_of_a_free_column_have_no_point() -> None:
    row = "r", {0: 1.0, 1: 1.0}, -INF, 9.0
    high = array("d", [9, 9])
    model = Model.from_rows(
        ["x", "y"], [row], [1.0, -1.0], column_upper=high, integer=array("b", [0, 1])
    )
    linear = ExactLp(model)
    assert linear.solve({0: 8, 1: 2}).point == {1: 2}  # the value of a free column is ignored
    assert linear.solve({1: 2}, bounds={0: (4, 6)}).point == {0: 4, 1: 2}
    assert linear.solve({1: 2}, bounds={0: (6, 4)}).reason == "no value of column x"
    # The first of several columns is named.
    assert linear.solve({1: -2}, bounds={0: (6, 4)}).reason == "no value of column x"
    assert linear.solve({1: -2}).reason == "no value of column y"


@pytest.mark.parametrize("state", range(4))
def test_a_column_rests_at_a_bound_that_it_has(state: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Any = [("r", {0: 1.0, 1: 1.0, 2: 1.0}, -INF, 9.0)]
    model = Model.from_rows(
        list("xyz"),
        rows,
        [1.0, -1.0, 0.0],
        column_lower=array("d", [2, -INF, -INF]),
        column_upper=array("d", [INF, -3, INF]),
        integer=array("b", [0] * 3),
    )
    linear = ExactLp(model)
    monkeypatch.setattr(linear, "_basis", lambda *_: [state] * 3 + [exact_lp.BASIC])
    assert linear.solve().point == {0: 2, 1: -3}
