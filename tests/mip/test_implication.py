"""Each step of `Implications` alone: what it says is what all solutions in fractions say.

A comparison has several steps for one question, and a wrong one may be mended by the next.
"""

from __future__ import annotations

import itertools
import math
import random
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pool_referee import FAMILIES, SmallModel, draw_model

import calmip
from calmip._base.limits import Deadline
from calmip.mip.compare.implication import VISIBLE, ByHighs, Implications
from calmip.mip.lp.inequality import Basis, HalfSpace, half_space
from calmip.mip.model import Model
from calmip.mip.rows import Bound

Terms = dict[int, Fraction]
MOST_COLUMNS = 4
"""So many the elimination of the referee can take."""

INF = math.inf
OUTSIDE = ("unbounded", "large")
CLEAR = Fraction(1, 100)
"""A violation that every tolerance of HiGHS leaves."""


def drawn(seeds: Iterable[int], path: Path) -> Iterator[tuple[random.Random, SmallModel, Model]]:
    """Yield small models without unbounded integers or huge numbers."""
    for seed in seeds:
        family, small = draw_model(seed)
        if family not in OUTSIDE and 0 < len(small.columns) <= MOST_COLUMNS:
            path.write_text(small.mps())
            yield random.Random(seed), small, calmip.read_model(path)


def maximum(small: SmallModel, terms: Terms) -> Bound:
    """Return the greatest value in all solutions, infinite if unbounded or if there are none."""
    cost = {column: str(value) for column, value in terms.items()}
    priced = replace(small, cost=cost, maximise=True, offset="0")
    values = priced.completions().values()
    return max((INF if value is None else value for value in values), default=-INF)


def relaxed(small: SmallModel) -> SmallModel:
    return replace(small, columns=tuple((low, high, False) for low, high, _ in small.columns))


def inequalities(
    draw: random.Random, small: SmallModel, integer: list[bool]
) -> Iterator[tuple[HalfSpace, Terms]]:
    """Yield inequalities near the border of what the solutions satisfy, and their coefficients."""
    width = len(small.columns)
    for number in range(3):
        chosen = [c for c in range(width) if draw.random() < 0.7]
        if number == 0 and small.rows:
            row, _, _ = draw.choice(small.rows)
            sign = draw.choice([1, -1, 2])
            terms: Terms = {c: sign * Fraction(a) for c, a in row.items() if Fraction(a)}
        elif number == 1:
            terms = {c: Fraction(1) for c in chosen}
        else:
            terms = {c: Fraction(draw.choice([-2, -1, 1, 1, 3, "0.5"])) for c in chosen}
        most = maximum(small, terms)
        over = maximum(relaxed(small), terms)
        for end in {most, over}:
            if isinstance(end, Fraction):
                for step in draw.sample(["0", "0", "-1", "-0.5", "0.5", "1"], 2):
                    yield half_space(terms, end + Fraction(step), integer), terms
        yield half_space(terms, Fraction(draw.randint(-2, 4)), integer), terms


def within_bounds(small: SmallModel, terms: Terms) -> Fraction | None:
    """Return the maximum that the bounds of the columns allow, None if it is infinite."""
    total = Fraction(0)
    for column, value in terms.items():
        end = small.columns[column][1 if value > 0 else 0]
        if value and end is None:
            return None
        total += value * (end or 0)
    return total


def of_a_row(small: SmallModel, terms: Terms, side: Bound) -> bool:
    """Return whether a row has these coefficients up to a factor, and no weaker side."""
    for row, low, high in small.rows:
        own = {c: Fraction(value) for c, value in row.items() if Fraction(value)}
        if own.keys() != terms.keys() or not own:
            continue
        factor = terms[min(own)] / own[min(own)]
        end = high if factor > 0 else low
        alike = all(terms[c] == factor * own[c] for c in own)
        if alike and end is not None and factor * Fraction(end) <= side:
            return True
    return False


def judge(asked: Implications, small: SmallModel, half: HalfSpace) -> Basis | None:
    """Compare each step's answer with that of all solutions; return the basis by rows."""
    own = {c: Fraction(value) for c, value in half.terms.items()}
    top, over = maximum(small, own), maximum(relaxed(small), own)
    broken, outside = top > half.side, over > half.raw
    basis, beyond = asked.quick(half)
    if not asked.empty:
        bounds = within_bounds(small, own)
        of_row = of_a_row(small, own, half.raw)
        of_bounds = bounds is not None and bounds <= half.raw
        assert (basis, beyond) == (Basis.ROW, True) or not of_row or not own
        assert beyond or basis is Basis.ROW or not of_bounds
        assert beyond is None or (beyond and not outside)
        assert basis is not None or not (of_row or of_bounds)
        assert basis is not Basis.ROW or own
    assert basis is None or not broken
    implied, beyond = asked.linear(half)
    assert implied is half.covers(over)
    assert beyond is (not outside) or (beyond is None and implied and half.raw != half.side)
    assert asked.exceeds(half) is outside
    assert not (asked.strengthened(half) and broken)
    searched, point = asked.search(half, Deadline(20.0))
    # A pool does not search along a ray.
    assert searched is broken or (searched is None and top == INF)
    there, found = asked.point(half, 20.0)
    least = Fraction(1) if half.integral else Fraction(VISIBLE)
    assert there or top < half.side + max(least, CLEAR)
    assert broken or not there
    for one in (point if searched else None, found if there else None):
        if one is None:
            continue
        named = {c: Fraction(x) for c, x in one.items()}
        assert not small.violates(named)
        assert half.value(one) > half.side
        fewer = asked.smaller(dict(one), half, 5.0)
        assert len(fewer) <= len(one)
        assert asked.violates(fewer, half)
        assert not small.violates({c: Fraction(x) for c, x in fewer.items()})
    return basis


def battery(seeds: Iterable[int], path: Path) -> set[Basis | None]:
    seen: set[Basis | None] = set()
    for draw, small, model in drawn(seeds, path):
        asked = Implications(model)
        for half, terms in inequalities(draw, small, asked.integer):
            try:
                seen.add(judge(asked, small, half))
            except AssertionError as error:
                raise AssertionError(f"{half} of {terms}\n{small.mps()}") from error
    return seen


@pytest.mark.parametrize("first", range(len(FAMILIES)))
def test_each_answer_is_that_of_all_solutions(first: int, tmp_path: Path) -> None:
    """Each family by itself; there are none of those that `drawn` leaves out."""
    most = 24 if FAMILIES[first] == "free" else 16
    seen = battery(range(first, most, len(FAMILIES)), tmp_path / "small.mps")
    assert bool(seen) is (FAMILIES[first] not in OUTSIDE), seen


def test_the_best_solution_is_that_of_the_objective_or_of_other_costs(tmp_path: Path) -> None:
    seen = 0
    for _, small, model in drawn(range(24), tmp_path / "small.mps"):
        asked, sign = Implications(model), -1 if small.maximise else 1
        every = small.completions().values()
        point = asked.best(20.0)
        assert (point is None) is (not every)
        first = asked.best(20.0, {0: 1})
        if point is None or first is None or None in every:
            continue
        named = {c: Fraction(x) for c, x in point.items()}
        assert small.objective(named) == sign * min(sign * x for x in every if x is not None)
        least = maximum(small, {0: Fraction(-1)})
        # Continuous columns of an exact point follow the model's own objective.
        assert not all(asked.integer) or first.get(0, 0) == -least
        seen += 1
        # A point on the border of an inequality does not violate it.
        for terms in ({0: 1}, {0: -1}, dict.fromkeys(range(len(small.columns)), 1)):
            value = sum((factor * named.get(c, Fraction(0)) for c, factor in terms.items()))
            assert not asked.violates(point, half_space(terms, value, asked.integer))
            assert asked.violates(point, half_space(terms, value - 1, asked.integer))
    assert seen > 8


class Vague(ByHighs):
    """A solver that finds no violation but names a point that is none."""

    def violation(self, asked: Implications, *_: Any, **how: Any) -> Any:
        return "Infeasible", [0.5] * len(asked.bounds)


def test_a_point_that_violates_nothing_decides_nothing() -> None:
    model = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 0.0, 1.0)])
    asked = Implications(model, solver=Vague())
    for side in (0, 1, 2):
        assert asked.point(half_space({0: 1, 1: 1}, side, asked.integer), 5.0) == (None, {})


@pytest.mark.parametrize(
    ("change", "alike"),
    [
        (lambda terms: terms, True),
        (lambda terms: {**terms, 0: terms[0] + Fraction(1, 10**13)}, True),
        (lambda terms: {**terms, 0: terms[0] + Fraction(1, 10**6)}, False),
        (lambda terms: {**terms, 1: terms[1] + Fraction(1, 10**13)}, False),  # a whole number
        (lambda terms: {0: terms[0]}, False),
    ],
)
@pytest.mark.parametrize("upper", [True, False])
def test_rows_are_alike_if_fractions_differ_by_rounding(
    change: Any, alike: bool, upper: bool
) -> None:
    terms, end = {0: Fraction(1, 3), 1: Fraction(2)}, Fraction(7, 9)
    ends = (-INF, float(end)) if upper else (float(end), INF)
    exact = {("value", 0): Fraction(1, 3), ("upper" if upper else "lower", 0): end}
    row = ("r", {0: 1 / 3, 1: 2.0}, *ends)
    model = Model.from_rows(["x", "y"], [row], exact=exact)
    asked, sign = Implications(model), 1 if upper else -1
    own = {c: sign * value for c, value in change(terms).items()}
    for by, same in ((Fraction(0), alike), (Fraction(1, 10**13), alike), (Fraction(1), False)):
        side = sign * (end + by)
        assert asked.rounded(half_space(own, side, asked.integer), own, side) is same
        # The other side of the row is infinite.
        other = {c: -value for c, value in own.items()}
        assert not asked.rounded(half_space(other, -side, asked.integer), other, -side)


@pytest.mark.parametrize(
    ("row", "sides", "ends", "integral"),
    [
        ({}, (0, 0), (2, 2), True),
        ({}, (0, 0), (0.5, 0.5), False),
        ({}, (0, 0), (-INF, INF), False),
        ({}, (0, 0), (0, 1), False),
        ({0: 1, 1: -2}, (1, 1), (0, 9), True),
        ({0: 1, 1: -2}, (1, 1), (-INF, INF), True),
        ({0: 2, 1: -4}, (2, 2), (0, 9), True),
        ({0: -2, 1: -4}, (2, 2), (0, 9), True),
        ({0: 2, 1: -4}, (1, 1), (0, 9), False),
        ({0: 2, 1: -1}, (0, 0), (0, 9), False),
        ({0: 1, 1: -2}, (1, 2), (0, 9), False),
        ({0: 1, 1: -1, 2: 1}, (0, 0), (0, 9), False),
        ({1: 1, 2: 1}, (0, 0), (0, 9), False),
    ],
)
def test_a_column_is_integral_by_its_bounds_or_an_equation(
    row: dict[int, float], sides: tuple[float, float], ends: tuple[float, float], integral: bool
) -> None:
    """The column is continuous, as is the last one; the one between is integer."""
    rows = [("none", {1: 1.0}, 0.0, 0.0), ("r", row, *sides)] if row else []
    model = Model.from_rows(
        ["y", "x", "z"],
        [*rows, ("wide", {0: 1.0, 1: -1.0}, -50.0, 50.0)],
        column_lower=array("d", [ends[0], -3, 0]),
        column_upper=array("d", [ends[1], 3, 5]),
        integer=array("b", [False, True, False]),
    )
    asked = Implications(model)
    assert asked.integral(0) is integral
    there, point = asked.fractional(0, 20.0)
    if integral:
        assert there is False
    elif there:
        assert point.get(0, 0).denominator > 1
        assert point.keys() <= {0, 1, 2}
        assert next(model.violations(point), None) is None


def test_what_has_no_solution_is_in_everything_and_so_is_its_relaxation() -> None:
    def model(low: float, high: float) -> Model:
        return Model.from_rows(["x", "y"], [("a", {0: 1, 1: 1}, low, high), ("b", {0: 1}, 0, 9)])

    asked = Implications(model(7, 2), Deadline(None))
    half = half_space({0: Fraction(1)}, Fraction(-5), asked.integer)
    assert asked.linear(half)[0]
    assert asked.quick(half) == (Basis.LINEAR, True)
    for one, other, stronger in ((7, 7, "same"), (7, 0, "model"), (0, 7, "against")):
        assert calmip.compare(model(one, 2), model(other, 1)).relaxation == stronger


@pytest.mark.parametrize("seed", range(12))
def test_columns_exclude_each_other_if_a_row_forbids_each_pair(seed: int) -> None:
    """A row forbids a pair that are positive in it if no values of its others allow the pair."""
    draw, width = random.Random(seed), 4
    rows = []
    for number in range(5):
        chosen = draw.sample(range(width), draw.choice([2, 3]))
        terms = {c: float(draw.choice([1, 1, 2, 3, -1])) for c in chosen}
        rows.append((f"r{number}", terms, -INF, float(draw.choice([1, 1, 2]))))
        if draw.random() < 0.5:
            rows[-1] = (f"r{number}", {c: -a for c, a in terms.items()}, -rows[-1][3], INF)
    high = [1.0, 1.0, 1.0, draw.choice([1.0, 2.0])]
    model = Model.from_rows(
        [f"x{n}" for n in range(width)],
        rows,
        column_upper=array("d", high),
        integer=array("b", [True] * width),
    )

    def forbids(terms: dict[int, float], sides: tuple[float, float], pair: set[int]) -> bool:
        sign = 1 if sides[1] < INF else -1
        if not pair <= terms.keys() or min(sign * terms[c] for c in pair) < 0:
            return False
        rest = sorted(terms.keys() - pair)
        points = itertools.product(*(range(int(high[c]) + 1) for c in rest))
        own = sum(terms[c] for c in pair)
        sums = (own + sum(terms[c] * x for c, x in zip(rest, xs, strict=True)) for xs in points)
        return not any(sides[0] <= total <= sides[1] for total in sums)

    asked = Implications(model)
    for size in range(width + 1):
        for columns in itertools.combinations(range(width), size):
            pairs = map(set, itertools.combinations(columns, 2))
            binary = all(high[c] == 1 for c in columns)
            clique = binary and all(any(forbids(r[1], r[2:], p) for r in rows) for p in pairs)
            for side, factor in ((1, 1), (0, 1), (2, 1), (1, 2)):
                terms = {c: factor if c == columns[0] else 1 for c in columns}
                half = half_space(terms, side, asked.integer)
                expected = clique and size > 1 and side >= 1 and factor == 1
                assert asked.excludes(half) is expected, (half, rows)
                assert not expected or asked.strengthened(half)


@pytest.mark.parametrize("side", [Fraction(-1, 9), 0, Fraction(1, 9), -1, 1])
def test_an_inequality_without_columns_holds_everywhere_or_nowhere(side: Fraction) -> None:
    asked = Implications(Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 1.0)]))
    half = half_space({}, side, asked.integer)
    assert asked.quick(half) == ((Basis.BOUNDS, True) if side >= 0 else (None, None))
    assert asked.search(half, Deadline(5.0))[0] is (side < 0)
