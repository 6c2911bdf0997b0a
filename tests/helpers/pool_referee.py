"""A referee for solution pools: small models as file text, and all their solutions in fractions.

It shares no code with the package. The integer columns run over all their values; the best
completion by continuous columns is found by Fourier-Motzkin elimination, which needs no vertices
and so decides free and unbounded columns, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

Bound = Fraction | None
"""A number; None for no bound."""

Inequality = tuple[tuple[Fraction, ...], Fraction]
"""Coefficients and a right-hand side: their product with the variables is at most that."""

Completions = dict[tuple[int, ...], Fraction | None]
"""The best objective by the values of the integer columns; None where it is unbounded."""

FAMILIES = ("binary", "integer", "mixed", "free", "unbounded", "decimals", "large", "odd")

DECIMALS = ("0.1", "0.2", "0.3", "-0.1", "-0.3", "0.7", "1.1", "-2.5", "1e-7", "-1e-7", "0.0001")
LARGE = ("1e12", "-1e12", "999999999999", "1000000000001", "1e9", "123456789", "-1e6", "1", "3")

BOX = 12
"""An integer column without a bound is searched this far from its other bound, or from 0."""


@dataclass(frozen=True)
class SmallModel:
    """A model whose numbers are the decimals of its text."""

    columns: tuple[tuple[Bound, Bound, bool], ...]
    rows: tuple[tuple[Mapping[int, str], str | None, str | None], ...]
    cost: Mapping[int, str]
    maximise: bool = False
    offset: str = "0"

    def mps(self) -> str:
        """Return the model as free MPS, every number as it was drawn."""
        text = ["NAME small"]
        text += ["OBJSENSE", "    MAX"] if self.maximise else []
        text += ["ROWS", " N cost"]
        kinds = [self._kind(low, high) for _, low, high in self.rows]
        text += [f" {kind} r{row}" for row, kind in enumerate(kinds)]
        text.append("COLUMNS")
        for column, (_, _, integer) in enumerate(self.columns):
            if integer:
                text.append(f" M{column}a 'MARKER' 'INTORG'")
            text.append(f" x{column} cost {self.cost.get(column, '0')}")
            text += [
                f" x{column} r{row} {terms[column]}"
                for row, (terms, _, _) in enumerate(self.rows)
                if column in terms
            ]
            if integer:
                text.append(f" M{column}b 'MARKER' 'INTEND'")
        text.append("RHS")
        if Fraction(self.offset):
            text.append(f" rhs cost {decimal(-Fraction(self.offset))}")
        ranges = []
        for row, (kind, (_, low, high)) in enumerate(zip(kinds, self.rows, strict=True)):
            side = high if kind == "L" else low
            if kind != "N":
                text.append(f" rhs r{row} {side}")
            if kind == "G" and high is not None and low is not None:
                ranges.append(f" rng r{row} {decimal(Fraction(high) - Fraction(low))}")
        text += ["RANGES", *ranges] if ranges else []
        text.append("BOUNDS")
        for column, (low, high, _) in enumerate(self.columns):
            if low is None and high is None:
                text.append(f" FR bnd x{column}")
                continue
            for free, kind, bound in (("MI", "LO", low), ("PL", "UP", high)):
                side = f"{kind} bnd x{column} {decimal(bound)}" if bound is not None else ""
                text.append(f" {side or f'{free} bnd x{column}'}")
        return "\n".join([*text, "ENDATA", ""])

    @staticmethod
    def _kind(low: str | None, high: str | None) -> str:
        if low is None:
            return "L"
        return "E" if high is not None and Fraction(low) == Fraction(high) else "G"

    def objective(self, point: Mapping[int, Fraction]) -> Fraction:
        """Return the objective in its own sense, with the constant."""
        return Fraction(self.offset) + value(self.cost, point)

    def violates(self, point: Mapping[int, Fraction]) -> bool:
        """Return whether a point violates a row, a bound or an integrality."""
        for column, (low, high, integer) in enumerate(self.columns):
            x = Fraction(point.get(column, 0))
            if (integer and x.denominator > 1) or not inside(x, low, high):
                return True
        return any(
            not inside(value(terms, point), number(low), number(high))
            for terms, low, high in self.rows
        )

    @property
    def whole(self) -> tuple[int, ...]:
        """The integer columns."""
        return tuple(c for c, (_, _, integer) in enumerate(self.columns) if integer)

    def completions(self, box: int = BOX) -> Completions:
        """Return the best objective of each feasible choice of the integer columns.

        It is None where it is unbounded. Integer columns without a bound are searched in a box.
        """
        ranges = []
        for column in self.whole:
            low, high, _ = self.columns[column]
            first = low if low is not None else (high - box if high is not None else -box)
            last = high if high is not None else first + 2 * box
            ranges.append(range(ceil(first), floor(last) + 1))
        found: Completions = {}
        for values in product(*ranges):
            found |= self.completion(values)
        return found

    def completion(self, values: tuple[int, ...]) -> Completions:
        """Return the best objective of a choice of the integer columns, by it; empty if none."""
        rest = [c for c in range(len(self.columns)) if c not in self.whole]
        sign = -1 if self.maximise else 1
        point = {c: Fraction(x) for c, x in zip(self.whole, values, strict=True)}
        if not all(inside(x, *self.columns[c][:2]) for c, x in point.items()):
            return {}
        limits: list[Inequality] = []
        for terms, low, high in self.rows:
            fixed = value(terms, point)
            part = tuple(Fraction(terms.get(c, 0)) for c in rest)
            limits += sides(part, number(low), number(high), fixed)
        for place, column in enumerate(rest):
            least, most, _ = self.columns[column]
            unit = tuple(Fraction(place == other) for other in range(len(rest)))
            limits += sides(unit, least, most, Fraction(0))
        costs = [sign * Fraction(self.cost.get(c, 0)) for c in rest]
        feasible, best = minimum(limits, costs)
        if not feasible:
            return {}
        return {values: None if best is None else self.objective(point) + sign * best}


def number(text: str | None) -> Bound:
    return None if text is None else Fraction(text)


def value(terms: Mapping[int, str], point: Mapping[int, Fraction]) -> Fraction:
    return sum((Fraction(a) * point.get(c, 0) for c, a in terms.items()), Fraction(0))


def inside(x: Fraction, low: Bound, high: Bound) -> bool:
    return (low is None or x >= low) and (high is None or x <= high)


def sides(
    terms: tuple[Fraction, ...], low: Bound, high: Bound, fixed: Fraction
) -> list[Inequality]:
    found: list[Inequality] = []
    if high is not None:
        found.append((terms, high - fixed))
    if low is not None:
        found.append((tuple(-a for a in terms), fixed - low))
    return found


def minimum(
    limits: Iterable[Inequality], costs: Sequence[Fraction]
) -> tuple[bool, Fraction | None]:
    """Return whether inequalities can be satisfied, and the least cost; None if it is unbounded.

    A last variable, the cost, is added; all others are eliminated.
    """
    count = len(costs)
    rows = [((*terms, Fraction(0)), side) for terms, side in limits]
    rows.append(((*costs, Fraction(-1)), Fraction(0)))
    rows.append(((*(-a for a in costs), Fraction(1)), Fraction(0)))
    for variable in range(count):
        rows = eliminate(rows, variable)
    lows, highs = [], []
    for terms, side in rows:
        a = terms[count]
        if a == 0 and side < 0:
            return False, None
        if a < 0:
            lows.append(side / a)
        elif a > 0:
            highs.append(side / a)
    if lows and highs and max(lows) > min(highs):
        return False, None
    return True, max(lows, default=None)


def is_unique(small: SmallModel, point: dict[int, Fraction]) -> bool:
    """Return whether no other continuous values have the same integers and objective."""
    rest = [c for c in range(len(small.columns)) if c not in small.whole]
    whole = {c: point.get(c, Fraction(0)) for c in small.whole}
    limits = []
    for terms, low, high in small.rows:
        part = tuple(Fraction(terms.get(c, 0)) for c in rest)
        limits += sides(part, number(low), number(high), value(terms, whole))
    for place, column in enumerate(rest):
        unit = tuple(Fraction(place == other) for other in range(len(rest)))
        limits += sides(unit, *small.columns[column][:2], Fraction(0))
    costs = tuple(Fraction(small.cost.get(c, 0)) for c in rest)
    here = value(small.cost, {c: point.get(c, Fraction(0)) for c in rest})
    limits += sides(costs, here, here, Fraction(0))
    for place, column in enumerate(rest):
        for sign in (1, -1):
            unit = tuple(Fraction(sign * (place == other)) for other in range(len(rest)))
            assert inside(point.get(column, Fraction(0)), *small.columns[column][:2])
            _, least = minimum(limits, unit)
            if least is None or least != sign * point.get(column, Fraction(0)):
                return False
    return True


def extremes(
    small: SmallModel, values: tuple[int, ...], worst: Fraction | None
) -> dict[int, tuple[Bound, Bound]]:
    """Return the least and the greatest value of each continuous column for an integer choice.

    The objective is not worse than a number, if one is given.
    """
    if worst is not None:
        side = str(worst - Fraction(small.offset))
        row = (small.cost, side, None) if small.maximise else (small.cost, None, side)
        small = replace(small, rows=(*small.rows, row))
    found: dict[int, tuple[Bound, Bound]] = {}
    for column, (_, _, integer) in enumerate(small.columns):
        if not integer:
            ends: list[Bound] = []
            for cost in ("1", "-1"):
                turned = replace(small, cost={column: cost}, maximise=False, offset="0")
                (end,) = turned.completion(values).values()
                ends.append(None if end is None else Fraction(cost) * end)
            found[column] = ends[0], ends[1]
    return found


def eliminate(rows: Iterable[Inequality], variable: int) -> list[Inequality]:
    """Return what inequalities say about the other variables (Fourier and Motzkin)."""
    over, below, kept = [], [], []
    for terms, side in rows:
        a = terms[variable]
        if a == 0:
            kept.append((terms, side))
        else:
            (over if a > 0 else below).append((tuple(b / abs(a) for b in terms), side / abs(a)))
    for one, first in over:
        for other, second in below:
            kept.append((tuple(a + b for a, b in zip(one, other, strict=True)), first + second))
    tightest: dict[tuple[Fraction, ...], Fraction] = {}
    for terms, side in kept:
        scale = next((abs(a) for a in terms if a), Fraction(1))
        key, least = tuple(a / scale for a in terms), side / scale
        tightest[key] = min(least, tightest.get(key, least))
    return list(tightest.items())


def decimal(x: Fraction) -> str:
    """Return a number with finitely many decimals as text."""
    digits = 0
    while (x * 10**digits).denominator > 1:
        digits += 1
    sign, whole = ("-" if x < 0 else ""), str(abs(int(x * 10**digits))).zfill(digits + 1)
    return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)


def draw_model(seed: int) -> tuple[str, SmallModel]:
    """Return the family and a model of a seed."""
    draw = random.Random(seed)
    family = FAMILIES[seed % len(FAMILIES)]
    least = {"mixed": (1, 3), "free": (1, 2), "odd": (0, 2)}
    free = draw.choice([0, 0, 0, 1]) if family in FAMILIES[4:7] else 0
    if family in least:
        free = draw.randint(*least[family])
    most = {"binary": 7, "integer": 4, "unbounded": 2}.get(family, 4 if free < 3 else 3)
    whole = draw.randint(0 if family == "odd" else 1, most)
    columns: list[tuple[Bound, Bound, bool]]
    columns = [(*integer_bounds(draw, family), True) for _ in range(whole)]
    columns += [(*continuous_bounds(draw, family), False) for _ in range(free)]
    draw.shuffle(columns)
    rows = [draw_row(draw, family, columns) for _ in range(draw.randint(0, 4))]
    cost = {c: draw_number(draw, family) for c in range(len(columns)) if draw.random() < 0.8}
    if draw.random() < 0.15:
        cost = {}
    if family == "decimals" and draw.random() < 0.5:
        near = draw.choice(["1", "0.3", "5"])  # objectives that differ by less than tolerances
        cost = {c: decimal(Fraction(near) + draw.randint(-2, 2) * Fraction("1e-9")) for c in cost}
    return family, SmallModel(
        tuple(columns),
        tuple(rows),
        cost,
        draw.random() < 0.35,
        draw.choice(["0", "0", "0", "2.5", "-7", "0.1"]),
    )


def integer_bounds(draw: random.Random, family: str) -> tuple[Bound, Bound]:
    if family == "unbounded":
        low = draw.choice([None, 0, 0, 0, 0, -2])
        high = draw.choice([None, None, None, 3])
        return number_or_none(low), number_or_none(high)
    if family == "odd":
        low_ = Fraction(draw.choice(["0", "0.5", "-1.5", "0.2", "-3", "2"]))
        return low_, low_ + Fraction(draw.choice(["0", "0.3", "1", "2.5", "3"]))
    if family == "integer":
        first = draw.choice([0, 0, -1, -4, 3, -7])
        return Fraction(first), Fraction(first + draw.choice([0, 1, 2, 3, 5]))
    if family in ("binary", "large") or draw.random() < 0.6:
        return Fraction(0), Fraction(1)
    first = draw.choice([0, -2])
    return Fraction(first), Fraction(first + draw.choice([1, 2, 4]))


def continuous_bounds(draw: random.Random, family: str) -> tuple[Bound, Bound]:
    if family == "free":
        return draw.choice(
            [(None, None), (Fraction(0), None), (None, Fraction(4)), (Fraction("-0.5"), None)]
        )
    low = Fraction(draw.choice(["0", "0", "-2.5", "0.1"]))
    return low, low + Fraction(draw.choice(["0", "1", "2.5", "10", "0.7"]))


def number_or_none(x: int | None) -> Bound:
    return None if x is None else Fraction(x)


def draw_number(draw: random.Random, family: str) -> str:
    if family == "decimals" and draw.random() < 0.7:
        return draw.choice(DECIMALS)
    if family == "large" and draw.random() < 0.6:
        return draw.choice(LARGE)
    if family in ("mixed", "free", "odd") and draw.random() < 0.4:
        return decimal(Fraction(draw.randint(-60, 60), 10))
    return str(draw.choice([-5, -3, -2, -1, -1, 0, 1, 1, 1, 2, 3, 4, 7]))


def draw_row(
    draw: random.Random, family: str, columns: Sequence[tuple[Bound, Bound, bool]]
) -> tuple[Mapping[int, str], str | None, str | None]:
    """Return a row through or near a point within the bounds, so that few models are empty."""
    terms = {c: draw_number(draw, family) for c in range(len(columns)) if draw.random() < 0.75}
    if family == "unbounded" and draw.random() < 0.7:  # a row that bounds what it holds
        terms = {c: str(draw.randint(1, 4)) for c in range(len(columns))}
        return terms, draw.choice([None, None, "-1"]), str(draw.randint(2, 7))
    near = {}
    for column, (low, high, integer) in enumerate(columns):
        first = low if low is not None else (high - 3 if high is not None else Fraction(-2))
        last = high if high is not None else first + 3
        x = first + (last - first) * Fraction(draw.randint(0, 10), 10)
        near[column] = Fraction(round(x)) if integer else x
    middle = value(terms, near)
    step = Fraction(draw.choice(["0", "0", "1", "0.1", "1e-7", "2"]))
    kind = draw.random()
    if kind < 0.2:
        return terms, decimal(middle), decimal(middle)
    if kind < 0.5:
        return terms, None, decimal(middle + step)
    if kind < 0.8:
        return terms, decimal(middle - step), None
    return terms, decimal(middle - step), decimal(middle + 2 * step + 1)
