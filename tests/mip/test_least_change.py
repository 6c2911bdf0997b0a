"""The least change of rows: also one that is larger than the changes that are looked for first."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from typing import Any

import pytest

from calmip import Model
from calmip._base.limits import ENDLESS
from calmip.mip.iis import least_change
from calmip.mip.iis.least_change import MAX_CHANGE, find_repairs
from calmip.mip.lp.exact_lp import exact_model

INF = math.inf


@pytest.mark.parametrize("size", [3, MAX_CHANGE - 1, MAX_CHANGE, 3 * MAX_CHANGE])
@pytest.mark.parametrize("integer", [True, False])
def test_a_change_is_as_large_as_it_must_be(size: int, integer: bool) -> None:
    """The column has no upper bound, so how far a row can be exceeded is not known."""
    model = Model.from_rows(
        ["x"],
        [("high", {0: 1.0}, float(size), INF), ("low", {0: 1.0}, -INF, 0.0)],
        column_upper=array("d", [INF]),
        integer=array("b", [integer]),
    )
    for keep in (0, 1):
        (repair,) = find_repairs(model, keep=[keep])
        changed = 1 - keep
        assert repair.changes == {changed: size if changed else -size}
        assert repair.amount == size
    (either, *_) = find_repairs(model)
    assert either.amount == size


def test_bounds_that_leave_no_change_leave_no_repair() -> None:
    model = Model.from_rows(["x"], [("r", {0: 1.0}, 2.0, INF)])
    (repair,) = find_repairs(model)
    assert repair.changes == {0: -1}
    assert find_repairs(model, keep=[0]) == []


COVERED = exact_model(
    ["x", "y"], [(0, 9)] * 2, [True] * 2, [("r", {0: 2, 1: 1}, 3, 99)], {0: 2, 1: 3}
)
"""2 x + y >= 3 at the least cost 2 x + 3 y, which is 4."""

POINTS: tuple[dict[int, Any] | None, ...] = (None, {0: 2}, {0: 3}, {0: 1, 1: 1})


@pytest.mark.parametrize("found", POINTS)
@pytest.mark.parametrize("other", POINTS)
@pytest.mark.parametrize("complete", [False, True])
def test_the_least_is_proved_by_a_search_that_ended_or_another_one(
    found: Any, other: Any, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a search that was stopped and of HiGHS the better one; another search proves it."""

    class Stopped:
        def __init__(self, *_: object, **__: object) -> None:
            self.complete = complete

        def __iter__(self) -> Any:
            yield from [] if found is None else [(0, {0: 9}), (0, found)]

    costs = {str(point): 2 * point.get(0, 0) + 3 * point.get(1, 0) for point in POINTS if point}
    monkeypatch.setattr(least_change, "PoolSearch", Stopped)
    monkeypatch.setattr(least_change, "_by_highs", lambda *_: other)
    asked: list[Any] = []
    for excluded in (False, None, True):

        def find(*_: object, most: Any, least: float, excluded: Any = excluded) -> Any:
            asked.append(most)
            return excluded, None

        monkeypatch.setattr(least_change.independent_search, "find", find)
        answer = least_change.minimise(COVERED, ENDLESS)
        given = [found] if complete else [found, other]
        best = min(
            (one for one in given if one is not None), key=lambda one: costs[str(one)], default=None
        )
        if best is None:
            assert answer is None
        else:
            assert answer is not None
            assert costs[str(answer[0])] == costs[str(best)]
            assert answer[1] is (complete or excluded is False)
            assert complete or asked[-1] == costs[str(best)] - 1  # all costs are whole


@pytest.mark.parametrize(
    ("integer", "costs", "proved"),
    [
        ([True, True], {0: 1, 1: 3}, True),
        ([True, False], {0: 1, 1: 3}, False),  # a cost of a continuous column has no step
        ([True, False], {0: 1}, True),
        ([True, True], {0: Fraction(1, 2), 1: 3}, False),
        ([True, True], {0: Fraction(1, 2)}, False),
    ],
)
def test_only_whole_costs_of_integers_have_a_step(
    integer: list[bool], costs: Any, proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of other costs nothing excludes a point that is better by less than any step."""
    monkeypatch.setattr(least_change, "_by_highs", lambda *_: {0: 2})
    monkeypatch.setattr(least_change.independent_search, "find", lambda *_, **__: (False, None))

    class Nothing:
        complete = False

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __iter__(self) -> Any:
            yield from ()

    monkeypatch.setattr(least_change, "PoolSearch", Nothing)
    model = exact_model(["x", "y"], [(0, 9)] * 2, integer, [("r", {0: 2, 1: 1}, 3, 99)], costs)
    assert least_change.minimise(model, ENDLESS) == ({0: 2}, proved)


def test_a_mixed_model_is_no_linear_program() -> None:
    rows = [("r", {0: 2, 1: 1}, 3, 99)]
    model = exact_model(["x", "y"], [(0, 9)] * 2, [True, False], rows, {0: 1, 1: 3})
    assert least_change.minimise(model, ENDLESS) == ({0: 2}, True)


def test_a_point_of_highs_satisfies_the_model_or_is_none() -> None:
    assert least_change._by_highs(COVERED, ENDLESS) == {0: 2}
    none = COVERED.with_row("no", [0, 1], 19, 99)
    assert least_change._by_highs(none, ENDLESS) is None
    assert least_change.minimise(none, ENDLESS) is None
    third = exact_model(
        ["x", "y"], [(0, 9)] * 2, [True, False], [("r", {0: 1, 1: 3}, 4, 9)], {0: 9, 1: 1}
    )
    assert least_change._by_highs(third, ENDLESS) == {1: Fraction(4, 3)}
    # An integer without bounds has no search of all points.
    free = exact_model(["x"], [(-math.inf, math.inf)], [True], [("r", {0: 3}, 4, math.inf)], {0: 2})
    assert least_change.minimise(free, ENDLESS) == ({0: 2}, True)


@pytest.mark.parametrize("bounded", [False, True])
def test_a_linear_program_has_an_optimum_or_nothing(bounded: bool) -> None:
    rows = [("r", {0: 1}, 1 if bounded else -math.inf, 5)]
    model = exact_model(["x"], [(-math.inf, math.inf)], [False], rows, {0: 2})
    assert least_change.minimise(model, ENDLESS) == (({0: 1}, True) if bounded else None)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("proved", [True, False])
@pytest.mark.parametrize("changed", [0, 1, 2])
def test_the_fewest_are_proved_by_a_proved_count_or_are_one(
    changed: int, proved: bool, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A switched row may change by no more than a size that is not known to be enough."""
    model = Model.from_rows(
        ["x", "y"],
        [("first", {0: 1.0}, 3.0, INF), ("second", {1: 1.0}, 3.0, INF)],
        column_lower=array("d", [0.0, 0.0 if known else -INF]),
        column_upper=array("d", [9.0, 9.0]),
    )
    point = {0: 1} | {2 + number: 2 for number in range(changed)}
    monkeypatch.setattr(least_change, "minimise", lambda *_: (point, proved))
    elastic = least_change._Elastic(model, frozenset(), {1: 5}, ENDLESS)
    assert [one[-1] for one in elastic.slacks] == [True, known]
    for count, most in ((False, None), (True, None), (False, 0), (False, 2)):
        found = elastic.solve(count=count, most=most)
        assert found is not None
        assert list(found.changes.values()) == [-2] * changed
        assert (found.amount, found.cost) == (2 * changed, (0, 2, 12)[changed])
        switched = count or most is not None
        assert found.proved is (proved and (known or not switched))
        assert found.fewest is (changed == 1 or (count and found.proved))
        assert found.point == {0: 1}
    monkeypatch.setattr(least_change, "minimise", lambda *_: None)
    assert elastic.solve() is None
