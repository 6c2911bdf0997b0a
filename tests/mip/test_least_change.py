"""The least change of rows: also one that is larger than the changes that are looked for first."""

from __future__ import annotations

import math
from array import array

import pytest

from calmip import Model
from calmip.mip.iis.least_change import MAX_CHANGE, find_repairs

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
