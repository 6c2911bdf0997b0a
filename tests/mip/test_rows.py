"""Tests of exact intervals and rows."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from battery import seeds

from calmip.mip.rows import Bound, Interval, Number, Row, is_finite

INF = math.inf


def number(draw: random.Random) -> Number:
    """Return a small number, whole or not."""
    return draw.choice([draw.randint(-6, 6), Fraction(draw.randint(-20, 20), draw.randint(1, 6))])


def interval(draw: random.Random) -> Interval:
    """Return an interval, which may be infinite or empty."""
    low: Bound = draw.choice([-INF, number(draw)])
    high: Bound = draw.choice([INF, number(draw)])
    return Interval(low, high)


def inside(value: Number, ends: Interval) -> bool:
    """Return whether an interval has a value."""
    return ends.low <= value <= ends.high


def test_only_infinity_is_infinite() -> None:
    assert all(map(is_finite, (0, 10**400, Fraction(1, 3))))
    assert not any(map(is_finite, (INF, -INF)))


@pytest.mark.parametrize("seed", seeds(3, range(10_000)))
def test_intervals_have_the_values_that_they_say(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(300):
        ends, value, factor = interval(draw), number(draw), number(draw)
        there = inside(value, ends)
        assert inside(value + factor, ends.plus(factor)) == there
        if factor:
            assert inside(value * factor, ends.times(factor)) == there
        whole = math.floor(value)
        assert inside(whole, ends.rounded()) == inside(whole, ends)
        assert all(end.denominator == 1 for end in ends.rounded().finite)
        if ends.low <= ends.high and not there:
            nearest = ends.nearest(value)
            assert nearest in ends
            assert abs(nearest - value) == min(abs(end - value) for end in ends.finite)


def test_numbers_beyond_floating_point_meet_infinity() -> None:
    far = Interval(-INF, 10**400)
    assert far.plus(10**400) == (-INF, 2 * 10**400)
    assert far.times(-(10**400)) == (-(10**800), INF)


@pytest.mark.parametrize("integral", [True, False])
@pytest.mark.parametrize("seed", seeds(3, range(10_000)))
def test_rows_in_whole_numbers_have_the_same_points(seed: int, integral: bool) -> None:
    draw = random.Random(seed)
    for _ in range(300):
        row = Row({column: number(draw) for column in range(3)}, *interval(draw))
        point = [draw.randint(-5, 5) if integral else number(draw) for _ in range(3)]
        holds = inside(sum(a * point[c] for c, a in row.terms.items()), row.bounds)
        scaled, scale = row.scaled()
        assert scaled.terms == {c: a * scale for c, a in row.terms.items() if a}
        for same in (scaled, row.reduced(integral=integral)):
            assert {type(x) for x in (*same.terms.values(), *same.bounds.finite)} <= {int}
            assert 0 not in same.terms.values()
            total = sum(a * point[c] for c, a in same.terms.items())
            assert inside(total, same.bounds) == holds


def test_a_reduced_row_is_the_smallest() -> None:
    row: Row[Number] = Row({0: Fraction(3, 2), 1: 6, 2: 0}, Fraction(1, 2), INF)
    assert row.scaled() == (({0: 3, 1: 12}, 1, INF), 2)
    assert row.reduced() == ({0: 1, 1: 4}, 1, INF)
    assert row.reduced(integral=False) == ({0: 3, 1: 12}, 1, INF)
