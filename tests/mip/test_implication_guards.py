"""What a search says of a half-space or a projection, by planted answers of what it rests on."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS
from calmip.mip.compare import implication
from calmip.mip.compare.implication import Implications
from calmip.mip.lp.exact_lp import LinearAnswer
from calmip.mip.projection import Projection
from calmip.mip.rows import Row
from calmip.mip.status import Status


def implications(**values: Any) -> Any:
    mine: Any = object.__new__(Implications)
    mine.__dict__.update(values)
    return mine


@pytest.mark.parametrize("error", [InputError, TimeoutError, SolverFailed, OverflowError])
def test_a_search_that_fails_decides_nothing(error: type[Exception]) -> None:
    def fail(*_: Any) -> Any:
        raise error("planted")

    assert implications(_search=fail).search(None, ENDLESS) == (None, {})


@pytest.mark.parametrize("there", [True, False, None])
@pytest.mark.parametrize("violates", [True, False])
def test_a_point_that_violates_nothing_is_an_error(there: bool | None, violates: bool) -> None:
    point = {0: 1} if there else {}
    mine = implications(_search=lambda *_: (there, point), violates=lambda *_: violates)
    if there and not violates:
        with pytest.raises(AssertionError, match="wrong point"):
            mine.search(None, ENDLESS)
    else:
        assert mine.search(None, ENDLESS) == (there, point)


@pytest.mark.parametrize("status", [one for one in Status if one not in ("accepted", "refused")])
@pytest.mark.parametrize("value", [2, 3, 4])
def test_a_linear_program_violates_a_side_if_its_optimum_is_beyond(
    status: Status, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = LinearAnswer(status, {0: value}, ray={0: 1})
    monkeypatch.setattr(
        implication, "ExactLp", lambda *_: SimpleNamespace(solve=lambda **_: answer)
    )
    monkeypatch.setattr(implication, "_beyond", lambda *_: {0: 99})
    half: Any = SimpleNamespace(value=lambda point: point[0], side=3)
    found = implications(_priced=lambda _: None, bounds=[()])._search_linear(half, ENDLESS)
    wanted: dict[Status, Any] = {
        Status.UNBOUNDED: (True, {0: 99}),
        Status.OPTIMAL: (value > 3, {0: value}),
        Status.INFEASIBLE: (False, {}),
    }
    assert found == wanted.get(status, (None, {}))


@pytest.mark.parametrize("status", [Status.OPTIMAL, Status.INFEASIBLE, Status.UNKNOWN])
@pytest.mark.parametrize("integer", [True, False])
def test_a_projection_holds_if_the_rest_has_a_solution(
    status: Status, integer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A linear program or a pool decides it, or does not."""
    mine: Any = object.__new__(Projection)
    fixed = SimpleNamespace(values=lambda _: (0, integer))
    mine.__dict__["model"] = SimpleNamespace(fixed=lambda _: fixed)
    truth = {Status.OPTIMAL: True, Status.INFEASIBLE: False}.get(status)

    class Pool:
        complete = truth is not None

        def __init__(self, *_: Any, **__: Any) -> None: ...

        def __iter__(self) -> Any:
            return iter([object()] if truth else [])

    answer = LinearAnswer(status)
    if integer:
        monkeypatch.setattr("calmip.mip.pool.PoolSearch", Pool)
        answer = LinearAnswer(Status.UNKNOWN)
    monkeypatch.setattr(
        "calmip.mip.lp.exact_lp.ExactLp",
        lambda *_: SimpleNamespace(solve=lambda **_: answer),
    )
    assert mine._holds((0, 1), ENDLESS) is truth


@pytest.mark.parametrize("most", [None, 1000])
@pytest.mark.parametrize("size", [1, 3])
def test_a_bound_is_by_rows_with_a_side_alone(most: int | None, size: int) -> None:
    """A multiplier of a side that a row lacks, of 0 or of no number counts as none."""
    rows = [Row({0: 1, 1: 1}, 1, math.inf), Row({0: 2, 1: -1}, -math.inf, 4), Row({1: 1}, 2, 3)]
    mine = implications(rows=rows, bounds=[(0, 9), (-5, 9)])
    half: Any = SimpleNamespace(terms={0: 1, 1: 2})
    choices = (-1.0, 0.0, 0.5, 2.0, math.nan, math.inf)
    for prices in product(choices, repeat=3):
        left, total = {0: Fraction(1), 1: Fraction(2)}, Fraction(0)
        for price, (terms, low, high) in zip(prices, rows, strict=True):
            factor = -Fraction(price) * size if math.isfinite(price) else Fraction(0)
            end = high if factor > 0 else low
            if factor and math.isfinite(end):
                total += factor * Fraction(end)
                left = {c: left[c] - factor * terms.get(c, 0) for c in left}
        total += sum(a * end for a, end in zip(left.values(), (9, 9), strict=True) if a > 0)
        total += sum(a * end for a, end in zip(left.values(), (0, -5), strict=True) if a < 0)
        assert mine._bound(half, list(prices), size, most) == total
