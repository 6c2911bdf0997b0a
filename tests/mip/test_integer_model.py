"""A model in whole numbers: what is rounded is small, and what is tightened keeps all solutions."""

from __future__ import annotations

import math
import random
from array import array
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from calmip import Model
from calmip.mip.pool import integer_model as module
from calmip.mip.pool.integer_model import program_of, rounded_costs, strengthen, tighten
from calmip.mip.rows import Number, Row

INF = math.inf


@pytest.mark.parametrize("seed", range(8))
def test_rounded_costs_are_small(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sum within the bounds is, whatever the bounds and the signs are."""
    monkeypatch.setattr(module, "MAX_COST_SUM", 16)
    draw = random.Random(seed)
    low = [draw.choice([-INF, -7.0, 0.0, 2.0]) for _ in range(4)]
    high = [draw.choice([4.0, 9.0]) if end == -INF else end + draw.choice([1, 5]) for end in low]
    costs = [float(draw.choice([-900, -37, 16, 48, 301, 0])) for _ in low]
    model = Model.from_rows(
        [f"x{n}" for n in range(4)], [], costs, column_lower=low, column_upper=high
    )
    program = program_of(model)
    small, step, rest = rounded_costs(program)
    ends = [
        max((abs(end) for end in pair if math.isfinite(end)), default=1)
        for pair in zip(low, high, strict=True)
    ]
    before = sum(abs(cost) * ends[c] for c, cost in program.cost.items())
    after = sum((abs(cost) - 1) * ends[c] for c, cost in small.cost.items())
    assert after < 2 * 16 or not any(map(math.isfinite, low))
    assert (step == 1) is (small is program)
    assert step > 1 or before < 32
    for _ in range(40):
        point = [draw.randint(int(max(a, b - 20)), int(b)) for a, b in zip(low, high, strict=True)]
        assert rest + step * small.value_of(point) <= program.value_of(point)


def reach(terms: dict[int, int], low: list[Any], high: list[Any]) -> tuple[Any, Any]:
    """Return the least and the greatest sum of some terms, perhaps infinite."""
    ends = [[a * low[c], a * high[c]] for c, a in terms.items()]
    return sum(map(min, ends)), sum(map(max, ends))


def implied(rows: list[Any], low: list[Any], high: list[Any]) -> bool | None:
    """Tighten the bounds of integer columns by each row alone until nothing changes, if it ends."""
    before = None
    for _ in range(20):
        if before == (low, high):
            return True
        before = list(low), list(high)
        for terms, lower, upper in rows:
            least, most = reach(terms, low, high)
            if least > upper or most < lower:
                return False
            for column, a in terms.items():
                rest = {c: b for c, b in terms.items() if c != column}
                least, most = reach(rest, low, high)
                ends = [
                    end / Fraction(a) if abs(end) < INF else end * a
                    for end in (upper - least, lower - most)
                ]
                up, down = ends if a > 0 else ends[::-1]
                high[column] = min(high[column], math.floor(up) if abs(up) < INF else up)
                low[column] = max(low[column], math.ceil(down) if abs(down) < INF else down)
                if low[column] > high[column]:
                    return False
    return None


@pytest.mark.parametrize("seed", range(60))
def test_integer_bounds_are_those_that_each_row_implies(seed: int) -> None:
    draw = random.Random(seed)
    width = draw.randint(1, 4)
    low = [float(draw.choice([0, -3, 1, -INF])) for _ in range(width)]
    high = [float(draw.choice([1, 2, 6, INF])) for _ in range(width)]
    rows = []
    for number in range(draw.randint(1, 3)):
        terms = {c: float(draw.choice([-5, -2, -1, 1, 2, 3, 7])) for c in range(width)}
        lower = float(draw.choice([-INF, -6, 1, 3]))
        upper = lower if draw.random() < 0.3 else float(draw.choice([INF, 2, 5, 11]))
        if lower <= upper and abs(lower) + abs(upper) > 0 and (lower, upper) != (-INF, -INF):
            rows.append((f"r{number}", terms, lower, upper))
    model = Model.from_rows(
        list("abcd")[:width],
        rows,
        column_lower=array("d", low),
        column_upper=array("d", high),
    )
    program = program_of(model)
    wanted_low: list[Any]
    wanted_low, wanted_high = list(program.low), list(program.high)
    possible = implied(program.rows, wanted_low, wanted_high)
    if possible is None:
        return
    assert tighten(program, []) is possible
    if possible:
        assert (program.low, program.high) == (wanted_low, wanted_high)


@pytest.mark.parametrize(("a", "up"), list(product((1, 3, -1, -7), (False, True))))
def test_an_integer_bound_is_rounded_inwards_and_a_continuous_one_outwards(
    a: int, up: bool
) -> None:
    for value in (0, 5, -5, Fraction(22, 7), Fraction(-1, 3), 10**15):
        for integer in (True, False):
            found = bounded_by(a, value, integer=integer, up=up)
            exact = Fraction(value) / a
            if integer:
                assert found == (math.ceil(exact) if up else math.floor(exact))
            else:
                assert 0 <= (exact - found if up else found - exact) < Fraction(2, module.GRID)


def bounded_by(a: int, value: Number, *, integer: bool, up: bool) -> Number:
    """Return the lower bound, or the upper one, of a column whose multiple has a bound."""
    low, high = (value, INF) if up == (a > 0) else (-INF, value)
    model = Model.from_rows(["x"], [], integer=array("b", [integer])).changed(
        column_lower=array("d", [-1e18]), column_upper=array("d", [1e18])
    )
    program = program_of(model)
    program.low[0], program.high[0] = -INF, INF
    assert tighten(program, [Row({0: a}, low, high)])
    return (program.low if up else program.high)[0]


@pytest.mark.parametrize("seed", range(40))
def test_a_strengthened_row_is_tight_for_both_values_of_each_binary_column(seed: int) -> None:
    draw = random.Random(seed)
    terms = {c: float(draw.choice([-9, -4, -1, 1, 2, 3, 8])) for c in range(5)}
    side = float(draw.randint(-6, 8))
    low, high = (side, INF) if seed % 2 else (-INF, side)
    model = Model.from_rows(
        list("abcde"), [("row", terms, low, high)], column_upper=array("d", [1.0] * 5)
    )
    program = program_of(model)
    strengthen(program)
    (found, lower, upper), sign = program.rows[0], 1 if seed % 2 == 0 else -1
    upper = upper if sign > 0 else -lower
    own = {c: sign * a for c, a in found.items()}
    if upper >= sum(max(a, 0) for a in own.values()):
        return  # it holds everywhere
    for column, a in own.items():
        most = sum(max(b, 0) for c, b in own.items() if c != column)
        assert most >= upper, (own, upper)
        assert most + a >= upper, (own, upper)
