"""Models with columns of their own are compared point by point where nothing else decides."""

from __future__ import annotations

import math
from array import array
from typing import Any

import pytest

from calmip import Model
from calmip._base.limits import ENDLESS
from calmip.mip.compare import comparison
from calmip.mip.compare.comparison import Inclusion, include
from calmip.mip.lp.inequality import Basis

INF = math.inf


def multiples(of: float, most: float, *, bounded: bool) -> Model:
    """Return the multiples of a number up to another one, by a column of its own."""
    ends = (0.0, most) if bounded else (-INF, INF)
    return Model.from_rows(
        ["x", "own"],
        [("times", {0: 1.0, 1: -of}, 0.0, 0.0)],
        column_lower=array("d", [ends[0], 0.0]),
        column_upper=array("d", [ends[1], most]),
        integer=array("b", [True, True]),
    )


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize(("one", "other"), [(4, 2), (2, 2), (6, 3), (2, 4), (3, 2)])
def test_every_point_is_tried_on_the_other_model(
    one: int, other: int, bounded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where no side of the other model is decided before."""
    monkeypatch.setattr(comparison, "uncompleted", lambda *_: None)
    found = include(
        multiples(one, 12.0, bounded=True), multiples(other, 12.0, bounded=bounded), {0: 0}
    )
    assert found.holds is (one % other == 0)
    if found.holds:
        assert found.proved
        (row,) = [side for side in found.sides if side.kind == "row"]
        assert row.basis is Basis.SEARCH
    else:
        assert found.point is not None
        assert found.point[0] % one == 0 != found.point[0] % other


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_search_ends_with_the_first_point_that_refutes(wrong: int) -> None:
    """A point that turns out to be none of both neither ends it nor takes its place."""
    model = multiples(2.0, 12.0, bounded=True)
    included: Any = comparison._Inclusion(model, model, {0: 0, 1: 1}, ENDLESS, None)
    included._denied = []
    refuted = Inclusion(False)
    asked = included._open()
    assert len(asked) > 2
    included.asked.search = lambda half, clock: (True, {})
    included._found = lambda number, point: refuted if number == asked[wrong] else None
    included._by_search()
    assert included._wrong is refuted
