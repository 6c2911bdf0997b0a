"""Searches of models with any variables, against every point of a box."""

from __future__ import annotations

import itertools
import math
from array import array
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.limits import Deadline
from calmip.problem.model import Model, Number
from calmip.search.exact_lp import ExactLp
from calmip.search.witnesses import find

INF = math.inf


@st.composite
def small_models(draw: st.DrawFn, *, continuous: bool = False) -> Model:
    """A model with integers from -2 to 3, some of whose rows have decimals."""
    width = draw(st.integers(1, 4))
    number = st.sampled_from([-3, -1, 0, 1, 2, 5, 0.5, -0.1, 0.3])
    rows = []
    for place in range(draw(st.integers(1, 4))):
        terms = {c: float(draw(number)) for c in range(width)}
        low = draw(st.sampled_from([-INF, -2, 0, 1, 0.4]))
        high = draw(st.sampled_from([INF, max(low, 1.0), max(low, 3.0)]))
        rows.append((f"r{place}", terms, float(low), float(high)))
    kinds = [not (continuous and draw(st.booleans())) for _ in range(width)]
    return Model.from_rows(
        [f"x{c}" for c in range(width)], rows, [float(draw(number)) for _ in range(width)],
        column_lower=array("d", [draw(st.sampled_from([-2, 0, 1])) for _ in range(width)]),
        column_upper=array("d", [draw(st.sampled_from([1, 2.5, 3])) for _ in range(width)]),
        integer=array("b", kinds),
    )  # fmt: skip


def optimum(model: Model) -> Number | None:
    """The least cost by trying all values of the integers, each completed exactly."""
    integers = [c for c, integer in enumerate(model.values("integer")) if integer]
    linear = ExactLp(model)
    costs = []
    for values in itertools.product(range(-2, 4), repeat=len(integers)):
        point = dict(zip(integers, values, strict=True))
        if len(integers) == len(model.columns):
            if model.violated(point) is None:
                costs.append(sum(model.costs.get(c, 0) * v for c, v in point.items()))
            continue
        answer = linear.solve(point)
        if answer.status == "optimal":
            assert answer.cost is not None
            costs.append(answer.cost)
    return min(costs, default=None)


@pytest.mark.long
@given(st.one_of(small_models(), small_models(continuous=True)))
def test_a_search_equals_brute_force(model: Model) -> None:
    best = optimum(model)
    there, point = find(model)
    assert there is (best is not None)
    if best is None:
        return
    assert model.violated(point) is None
    there, point = find(model, most=best)
    assert there
    assert model.violated(point) is None
    assert sum(model.costs.get(c, 0) * v for c, v in point.items()) == best
    assert find(model, most=best - Fraction(1, 10**9)) == (False, {})


def test_an_unbounded_model_has_points_of_any_cost() -> None:
    model = Model.from_rows(
        ["n", "x"], [("r", {0: 3, 1: -2}, 0.5, 0.5)], [-1, 0],
        column_upper=array("d", [INF, INF]), integer=array("b", [1, 0]),
    )  # fmt: skip
    there, point = find(model, most=-(10**30))
    assert there
    assert model.violated(point) is None
    assert point[0] >= 10**30


def test_a_search_without_end_stops_at_its_time_limit() -> None:
    # x + y is even and x - y is odd: no integral solution, and an unbounded relaxation.
    model = Model.from_rows(
        list("xyzw"),
        [("even", {0: 1, 1: 1, 2: -2}, 0, 0), ("odd", {0: 1, 1: -1, 3: -2}, 1, 1)],
        column_upper=array("d", [INF] * 4),
    )
    assert find(model, Deadline(0.05), least=0.05) == (None, {})
