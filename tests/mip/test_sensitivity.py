"""Dual values and ranges: by solving again at each end and beyond, by duality, against HiGHS."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from calmip import InputError
from calmip._base.limits import Deadline
from calmip.mip import Model, find_sensitivity, read_model
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.optima.sensitivity import Sensitivity, optimal_duals
from calmip.mip.rows import Bound, Interval, Number, is_finite
from calmip.mip.status import Status

INF = math.inf

STEP = Fraction(1, 1000)


COEFFICIENTS: list[Number] = [-1, 1, 1, 2, Fraction(1, 3)]


def drawn(seed: int) -> Model:
    """Return a random linear program, which is often degenerate."""
    draw = random.Random(seed)
    width, height = draw.randint(1, 5), draw.randint(1, 5)
    bounds: list[tuple[Bound, Bound]] = [
        draw.choice([(0, INF), (0, INF), (0, 3), (-2, 2), (-INF, INF), (1, 1), (-INF, 4)])
        for _ in range(width)
    ]
    rows: list[tuple[str, dict[int, Number], Bound, Bound]] = []
    for row in range(height):
        terms: dict[int, Number] = {
            c: draw.choice(COEFFICIENTS) for c in range(width) if draw.random() < 0.7
        }
        side = draw.randint(0, 4)
        kinds = [(-INF, side), (side, INF), (side, side), (side - 2, side + 1), (-INF, INF)]
        rows.append((f"r{row}", terms, *draw.choices(kinds, [4, 4, 2, 1, 1])[0]))
    cost = {c: draw.randint(-3, 4) for c in range(width)}
    names = [f"x{column}" for column in range(width)]
    model = exact_model(names, bounds, [False] * width, rows, cost)
    return model.changed(maximise=draw.random() < 0.4)


def changed_cost(model: Model, column: int, cost: Number) -> Model:
    """Return the model with another cost, in its own sense."""
    sign = -1 if model.maximise else 1
    return model.with_costs({**model.costs, column: sign * cost}).changed(maximise=model.maximise)


def changed_side(model: Model, row: int, name: str, side: Number) -> Model:
    """Return the model with another side of a row; both if these are equal."""
    given = model.exact_row(row)
    low, high = given.bounds
    both = low == high
    low, high = (
        (side if name == "lower" or both else low),
        (side if name == "upper" or both else high),
    )
    every = list(model.exact_rows())
    rows = [
        (n, dict(r.terms), *((low, high) if k == row else r.bounds))
        for k, (n, r) in enumerate(zip(model.rows, every, strict=True))
    ]
    found = exact_model(
        model.columns, model.column_bounds, model.values("integer"), rows, model.costs
    )
    return found.changed(maximise=model.maximise)


def optimum(model: Model) -> Number | None:
    """Return the exact optimum; None if there is none."""
    answer = ExactLp(model).solve({})
    return model.exact_objective(answer.point) if answer.status is Status.OPTIMAL else None


def beyond(ends: Interval) -> list[tuple[Number, Number]]:
    """Return each finite end, and a number beyond."""
    low, high = ends
    found: list[tuple[Number, Number]] = []
    if is_finite(low):
        found.append((low, low - STEP))
    if is_finite(high):
        found.append((high, high + STEP))
    return found


def check_costs(model: Model, found: Sensitivity) -> int:
    """Check that the point is optimal at each end of a cost, and not beyond."""
    tested = 0
    for column, one in enumerate(found.columns):
        assert one.cost is not None
        for end, past in beyond(one.cost):
            for cost, stays in ((end, True), (past, False)):
                other = changed_cost(model, column, cost)
                assert (optimum(other) == other.exact_objective(found.point)) is stays
                tested += 1
    return tested


def check_sides(model: Model, found: Sensitivity) -> int:
    """Check that the optimum is linear up to each end of a side, and not beyond."""
    tested = 0
    best: Any = found.objective
    rates: list[Any]
    for row, one in enumerate(found.rows):
        assert one.dual is not None
        for name in ("lower", "upper"):
            ends: Interval | None = getattr(one, name)
            side = getattr(model.exact_row(row).bounds, "low" if name == "lower" else "high")
            assert (ends is None) is not is_finite(side)
            if ends is None:
                continue
            assert ends.low <= side <= ends.high
            # Below the side it is the one end of the interval, above the other.
            ends_of = one.dual[::-1] if model.maximise else one.dual
            rates = [r if side == one.activity else 0 for r in ends_of]
            for end, past in beyond(ends):
                rate = rates[past > end]
                at_end = optimum(changed_side(model, row, name, end))
                after = optimum(changed_side(model, row, name, past))
                if is_finite(rate):
                    assert at_end == best + rate * (end - side)
                    assert after != best + rate * (past - side)
                else:
                    assert (end, after) == (side, None)
                tested += 1
            for rate, last in zip(rates, ends, strict=True):
                if not is_finite(last):  # it goes on
                    far: Any = side + (1000 if last > 0 else -1000)
                    assert optimum(changed_side(model, row, name, far)) == best + rate * (
                        far - side
                    )
    return tested


def check_duality(model: Model, found: Sensitivity) -> None:
    """Check that one dual solution is feasible, has the same objective, and is inside."""
    one = optimal_duals(model, found.point)
    assert one is not None
    duals, reduced = one
    sign = -1 if model.maximise else 1
    total: Any = Fraction(0)
    given = model.exact_rows()
    for row, price in enumerate(duals):
        low, high = given[row].bounds
        if price:
            total += price * (low if sign * price > 0 else high)  # finite: dual feasible
        ends = found.rows[row].dual
        assert ends is not None
        assert ends.low <= price <= ends.high
    for column, cost in enumerate(reduced):
        low, high = model.bounds(column)
        if cost:
            total += cost * (low if sign * cost > 0 else high)
        ends = found.columns[column].reduced_cost
        assert ends is not None
        assert ends.low <= cost <= ends.high
        price = sum(duals[row] * given[row].terms.get(column, 0) for row in range(len(given)))
        assert cost == sign * model.costs.get(column, 0) - price
    assert total == found.objective


def compare(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        model = drawn(seed)
        try:
            found = find_sensitivity(model)
        except InputError:
            seen["no optimum"] += 1
            assert optimum(model) is None
            continue
        assert found.stopped == ""
        seen[f"unique {found.unique}"] += 1
        seen["maximise"] += model.maximise
        seen["costs"] += check_costs(model, found)
        seen["sides"] += check_sides(model, found)
        check_duality(model, found)
    return seen


def test_each_end_of_a_few_programs() -> None:
    assert min(compare(range(12)).values()) > 0


@pytest.mark.long
def test_each_end_is_the_last_at_which_it_holds() -> None:
    seen = compare(range(80))
    assert min(seen.values()) > 5, seen
    assert len(seen) == 6


@pytest.mark.long
def test_each_end_of_many_programs() -> None:
    seen = compare(range(80, 1500))
    assert min(seen.values()) > 100, seen


def test_a_degenerate_transport_has_intervals(tmp_path: Path) -> None:
    """Two supplies of 1 and two demands of 1: a unit more of one supply alone is impossible."""
    path = tmp_path / "transport.lp"
    path.write_text(
        "Minimize\n c: a1 + 2 a2 + 2 b1 + b2\nSubject To\n a: a1 + a2 = 1\n b: b1 + b2 = 1\n"
        " one: a1 + b1 = 1\n two: a2 + b2 = 1\nEnd\n"
    )
    found = find_sensitivity(read_model(path))
    assert set(found.duals.values()) == {Interval(-INF, INF)}
    assert [one.lower for one in found.rows] == [Interval(1, 1)] * 4
    assert found.unique is False
    assert str(found) == "the dual solution is not unique: 4 dual values are intervals"
    assert found.columns[1].reduced_cost == (0, 2)
    assert found.columns[1].cost == (0, INF)
    assert found.columns[0].cost == (-INF, 3)


MIXED = """Maximize
 p: 3 x + 2 y - 4 open
Subject To
 room: x + y - 5 open <= 0
 wood: x <= 3
 free: x - y >= -100
Bounds
 y <= 4
Binary
 open
End
"""


def test_integers_are_fixed_and_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mixed.lp"
    path.write_text(MIXED)
    model = read_model(path)
    found = find_sensitivity(model, {0: 3, 1: 2, 2: 1})
    assert found.objective == 9
    assert found.duals == {"room": (2, 2), "wood": (1, 1), "free": (0, 0)}
    assert found.rows[1].upper == (1, 5)
    assert found.rows[2].lower == (-INF, 1)
    # One unit of `open` more would give five of room.
    assert found.columns[2] == (1, (6, 6), (-INF, INF))
    assert found.columns[0].cost == (2, INF)
    assert str(found).endswith(
        "unique. The integer variables are fixed at these values; if sides or costs change, others "
        "may be better"
    )
    assert repr(found).startswith("<Sensitivity: the dual solution is unique")
    assert "wood" in found._repr_html_()
    with pytest.raises(InputError, match="integer columns"):
        find_sensitivity(model)
    with pytest.raises(InputError, match="not optimal with these values of its integers"):
        find_sensitivity(model, {0: 2, 1: 3, 2: 1})
    with pytest.raises(InputError, match="does not satisfy"):
        find_sensitivity(model, {0: 9})


def test_without_an_optimum_there_are_none(tmp_path: Path) -> None:
    path = tmp_path / "none.lp"
    for sides, status in ((">= 5", "infeasible"), (">= -5", "unbounded")):
        path.write_text(f"Maximize\n c: x + y\nSubject To\n a: - x {sides}\nBounds\n x <= 4\nEnd\n")
        with pytest.raises(InputError, match=f"no optimum: it is {status}"):
            find_sensitivity(read_model(path))
        assert optimal_duals(read_model(path), {}) is None


def test_a_time_limit_leaves_some_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mixed.lp"
    path.write_text(MIXED)
    model = read_model(path)
    found = find_sensitivity(model, {0: 3, 1: 2, 2: 1}, clock=Deadline(1e-9))
    assert (found.stopped, found.unique, found.duals["room"]) == ("time", None, None)
    assert str(found) == "time limit reached: some dual values are not known"
    assert found.describe()["rows"][0] == {
        "row": "room",
        "activity": 0,
        "dual": None,
        "lower": None,
        "upper": None,
    }
    with pytest.raises(TimeoutError):
        find_sensitivity(drawn(1), clock=Deadline(1e-9))


def test_values_of_highs_are_inside() -> None:
    """HiGHS has those of one basis, in floating point."""
    import highspy

    tested = 0
    for seed in range(40):
        model = drawn(seed)
        try:
            found = find_sensitivity(model)
        except InputError:
            continue
        every = range(len(model.columns))
        solver = highspy.Highs()
        solver.silent()
        for column, bounds in enumerate(model.column_bounds):
            cost = float(model.costs.get(column, 0))
            solver.addCol(cost, *map(float, bounds), 0, [], [])
        for row in model.exact_rows():
            values = [float(row.terms.get(column, 0)) for column in every]
            solver.addRow(float(row.low), float(row.high), len(values), list(every), values)
        solver.run()
        sign = -1 if model.maximise else 1
        for price, one in zip(solver.getSolution().row_dual, found.rows, strict=True):
            assert one.dual is not None
            assert one.dual.low - 1e-7 <= sign * price <= one.dual.high + 1e-7
            tested += 1
    assert tested > 20
