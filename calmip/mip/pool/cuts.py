"""Cutting planes at the root of the pool's tree: mixed-integer rounding, derived exactly.

The search for a violated inequality is in floating point: the heuristic of Marchand and Wolsey
(2001, https://doi.org/10.1287/opre.49.3.363.11211), with variable bounds, so that flow covers
are among the inequalities. What it finds is derived once more in fractions from the rows and
the bounds. So each cut holds for every solution within the bounds, whatever HiGHS has said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.pool.integer_model import MAX_DERIVED_BOUND, WholeModel
from calmip.mip.rows import Bound, Number, Row, is_finite

MAX_ROUNDS = 12
"""The most times that cuts are added and the relaxation is solved again."""

MAX_ROWS = 4
"""The most rows that are added up for a cut."""

MAX_DELTAS = 6
"""The most divisors that are tried for a row."""

MAX_WORK = 400_000
"""The most coefficients that the search for cuts may touch: some tenths of a second."""

MAX_ROW_TERMS = 2_000
"""Longer rows give no cuts."""

DENSE = 100, 0.2
"""A cut has at most so many coefficients more than this share of all columns."""

VIOLATED = 1e-4
"""The least violation of a cut, by the length of its coefficients."""

GAIN = 0.05
"""The rounds end when one raises the bound by less than this share of what all have raised it."""

WORTH = 0.02
"""Cuts of pure integer models that close less than this share of the gap are not used.

Those of others are: the first incumbent may be so poor that good cuts close little of the gap.
"""

NEAR = 1e-6

DIGITS = 24
"""The binary digits of a cut's greatest coefficient, if its exact ones have more."""

Terms = dict[int, Any]
"""Coefficients by column; from the number of columns on, those of the slacks of the rows."""


class Substitute(NamedTuple):
    """A column as a bound plus, or minus, a variable from 0 on."""

    upper: bool
    base: Any
    """The bound; or the constant of the variable bound."""
    column: int = -1
    """The column by which a variable bound varies."""
    slope: Any = 0


class Near(NamedTuple):
    """The nearest bound of a column at a point, None if it has none, and its numbers as floats."""

    chosen: Substitute | None
    distance: float
    """How far both sides are at least."""
    base: float = 0.0
    slope: float = 0.0
    inside: float = 0.0
    """How far the point is from the bound."""


@dataclass(frozen=True)
class Rounded:
    """A row divided by a number and rounded, with the variables that were complemented."""

    delta: Any
    complemented: frozenset[int]
    violation: float


class CutSearch:
    """The search for cuts of a program, whose integer columns have finite bounds."""

    def __init__(self, program: WholeModel, clock: Deadline = ENDLESS) -> None:
        self.program, self.clock = program, clock
        self.width = len(program.order)
        self.low: list[Bound] = list(program.low)
        self.high: list[Bound] = list(program.high)
        self.effort = MAX_WORK
        self.variable: dict[int, list[tuple[bool, int, Fraction, Fraction]]] = {}
        """By continuous column: whether a bound is an upper one, its column, constant, slope."""
        self.by_column: dict[int, list[int]] = {}
        self.nearest: dict[int, Near] = {}
        """The nearest bounds of columns at the point that is separated."""
        self.point: Sequence[float] = ()
        self.slacks: dict[int, tuple[float, int]] = {}
        self.ranked: dict[int, list[int]] = {}
        """By continuous column, the rows that have it, those with the least slack first."""
        bases = []
        for number, row in enumerate(program.rows):
            if not row.bounds.finite or self.note(row):
                continue
            bases.append(number)
            for column in row.terms:
                if column >= program.integers:
                    self.by_column.setdefault(column, []).append(number)
        self.bases = [n for n in bases if len(program.rows[n][0]) <= MAX_ROW_TERMS]

    def note(self, row: Row[int]) -> bool:
        """Note the variable bounds that a row of two columns is; return whether it is one.

        A cut may be one, too. From such bounds of stocks follow the inequalities of lot sizes in
        several periods (Barany, Van Roy and Wolsey 1984, https://doi.org/10.1287/mnsc.30.10.1255).
        """
        terms, low, high = row
        integers = self.program.integers
        if len(terms) != 2 or low == high or sum(column < integers for column in terms) != 1:
            return False
        (x, a), (y, b) = sorted(terms.items())
        for side, upper in ((low, b < 0), (high, b > 0)):
            if is_finite(side):
                bound = upper, x, Fraction(side) / b, Fraction(-a, b)
                self.variable.setdefault(y, []).append(bound)
        return True

    # Rows and their slacks.

    def equation(self, number: int) -> tuple[dict[int, Any], Any]:
        """Return a row as an equation with its slack."""
        terms, low, high = self.program.rows[number]
        if low == high:
            return dict(terms), low
        sign = self.slack_of(number)[1]
        return {**terms, self.width + number: sign}, high if sign > 0 else low

    def slack_of(self, number: int) -> tuple[float, int]:
        """Return the slack of a row at the point that is separated, and its coefficient."""
        if number not in self.slacks:
            terms, low, high = self.program.rows[number]
            total = sum([a * self.point[column] for column, a in terms.items()])
            if not is_finite(high) or (is_finite(low) and total - low < high - total):
                self.slacks[number] = max(0.0, total - low), -1
            else:
                self.slacks[number] = 0.0 if low == high else max(0.0, high - total), 1
        return self.slacks[number]

    def slack(self, number: int, sign: int) -> tuple[dict[int, int], Any]:
        """Return the terms and the constant of a slack, whose coefficient is 1 or -1."""
        terms, low, high = self.program.rows[number]
        side = high if sign > 0 else low
        return {column: -sign * a for column, a in terms.items()}, sign * side

    # The substitution of columns by variables from 0 on.

    def substitute(self, column: int) -> Near:
        """Return the nearest bound of a continuous column at the point that is separated."""
        value = self.point[column]
        best: list[tuple[float, int, Substitute]] = []
        variable = self.variable.get(column, ())
        for upper, bound in ((False, self.low[column]), (True, self.high[column])):
            sides = []
            if is_finite(bound):
                sides.append(
                    (bound - value if upper else value - bound, 1, Substitute(upper, bound))
                )
            for above, x, base, slope in variable:
                if above == upper:
                    at = float(base) + float(slope) * self.point[x]
                    distance = at - value if upper else value - at
                    sides.append((distance, 0, Substitute(upper, base, x, slope)))
            if len(sides) == 1:
                best.append((max(0.0, float(sides[0][0])), *sides[0][1:]))
            elif sides:
                # A variable bound as near as the constant one is the stronger.
                nearest = min(float(one[0]) for one in sides)
                near = [one for one in sides if one[0] <= nearest + NEAR]
                _, rank, chosen = min(near, key=lambda one: one[1])
                best.append((max(0.0, nearest), rank, chosen))
        if not best:
            return Near(None, math.inf)
        distance, _, chosen = min(best, key=lambda one: one[:2])
        start, step = float(chosen.base), float(chosen.slope)
        end = start + (step * self.point[chosen.column] if chosen.column >= 0 else 0.0)
        inside = max(0.0, end - value if chosen.upper else value - end)
        return Near(chosen, distance, start, step, inside)

    def transformed(
        self,
        terms: Mapping[int, Any],
        right: Any,
        plan: Mapping[int, Substitute],
        complemented: Iterable[int],
    ) -> tuple[Terms, Terms, Any]:
        """Return an equation in variables from 0 on: of integer columns, of others; its right."""
        integers = self.program.integers
        of_integers: Terms = {}
        rest: Terms = {}
        for column, a in terms.items():
            if column < integers:
                of_integers[column] = of_integers.get(column, 0) + a
            elif column >= self.width:
                rest[column] = a
            else:
                upper, base, x, slope = plan[column]
                right -= a * base
                if x >= 0:
                    of_integers[x] = of_integers.get(x, 0) + a * slope
                rest[column] = -a if upper else a
        chosen = set(complemented)
        for column, a in of_integers.items():
            right -= a * (self.high[column] if column in chosen else self.low[column])
            if column in chosen:
                of_integers[column] = -a
        return of_integers, rest, right

    # The search in floating point.

    def best(
        self,
        of_integers: Terms,
        right: float,
        below: float,
        point: Sequence[float],
        complemented: set[int],
    ) -> Rounded | None:
        """Return the best rounding; ``below`` is the sum of the negative continuous part."""
        low, high = self.low, self.high
        entries: dict[int, tuple[float, float, float]] = {}
        for column, a in of_integers.items():
            if a:
                span = float(high[column]) - float(low[column])
                value = point[column] - float(low[column])
                value = min(max(value, 0.0), span)
                entries[column] = a, span - value if column in complemented else value, span
        between = [c for c, (_, t, span) in entries.items() if NEAR < t < span - NEAR]
        if not between:
            return None
        steps = {c: abs(entries[c][0]) for c in between}
        deltas = dict.fromkeys(sorted(steps.values(), reverse=True))
        found: tuple[float, float] = (0.0, 0.0)
        for delta in list(deltas)[:MAX_DELTAS]:
            found = max(found, (self.violation(entries.values(), right, below, delta), delta))
        if found[0] <= 0:
            return None
        for by in (2, 4, 8):
            delta = found[1] / by
            found = max(found, (self.violation(entries.values(), right, below, delta), delta))
        chosen = set(complemented)
        between.sort(key=lambda c: abs(entries[c][1] - entries[c][2] / 2))
        for column in between[:MAX_DELTAS]:
            a, t, span = entries[column]
            flipped = {**entries, column: (-a, span - t, span)}
            # Of x = span - t, the part a * span goes to the right.
            moved = right - a * span
            violation = self.violation(flipped.values(), moved, below, found[1])
            if violation > found[0]:
                found, entries, right = (violation, found[1]), flipped, moved
                chosen ^= {column}
        if found[0] < VIOLATED:
            return None
        return Rounded(found[1], frozenset(chosen), found[0])

    def violation(
        self,
        entries: Iterable[tuple[float, float, float]],
        right: float,
        below: float,
        delta: float,
    ) -> float:
        """Return by how much a point violates the rounded row, by its length."""
        side = right / delta
        base = math.floor(side)
        part = side - base
        if not 0.01 < part < 0.99:
            return 0.0
        by = 1 / (1 - part)
        total, length = below * by / delta - base, 1e-12
        for a, t, _ in entries:
            b = a / delta
            down = math.floor(b)
            rest = b - down - part
            g = down + rest * by if rest > 0 else down
            total += g * t
            length += g * g
        return total / math.sqrt(length)

    # Cuts.

    def cut_of(
        self,
        terms: Terms,
        right: Any,
        plan: Mapping[int, Substitute],
        rounded: Rounded,
        signs: Mapping[int, int],
    ) -> Row[int] | None:
        """Derive a cut in fractions; None if it is not one for this purpose."""
        of_integers, rest, side = self.transformed(terms, right, plan, rounded.complemented)
        delta = _nearest_to(rounded.delta, [abs(a) for a in of_integers.values() if a])
        if delta is None:
            return None
        # All in whole numbers: a / delta is down + left / unit, and side / delta likewise.
        by = math.lcm(
            *(a.denominator for a in (delta, side, *of_integers.values(), *rest.values()))
        )
        unit = int(delta * by)
        floor, part = divmod(int(side * by), unit)
        if part == 0:
            return None
        # Sum of g * t + sum of c * s / (1 - part) <= floor, for negative c, times unit - part.
        cut: Terms = {}
        limit: Any = floor * (unit - part)
        for column, a in of_integers.items():
            down, left = divmod(int(a * by), unit)
            g = down * (unit - part) + max(0, left - part)
            if column in rounded.complemented:
                limit -= g * self.high[column]
                g = -g
            else:
                limit += g * self.low[column]
            cut[column] = cut.get(column, 0) + g
        for column, a in rest.items():
            if a >= 0:
                continue
            g = int(a * by)
            if column >= self.width:
                parts, constant = self.slack(column - self.width, signs[column])
                limit -= g * constant
                for one, b in parts.items():
                    cut[one] = cut.get(one, 0) + g * b
                continue
            upper, base, x, slope = plan[column]
            sign = -1 if upper else 1
            # The variable is sign * (column - base - slope * x).
            cut[column] = cut.get(column, 0) + g * sign
            limit += g * sign * base
            if x >= 0:
                cut[x] = cut.get(x, 0) - g * sign * slope
        return self.shortened({column: a for column, a in cut.items() if a}, limit)

    def shortened(self, terms: Mapping[int, Any], limit: Any) -> Row[int] | None:
        """Return ``terms <= limit`` in whole numbers, relaxed if they would be too large."""
        if not terms or len(terms) > DENSE[0] + DENSE[1] * self.width:
            return None
        by = math.lcm(*(a.denominator for a in terms.values()))
        scale = Fraction(by, math.gcd(*(int(a * by) for a in terms.values())))
        greatest = max(map(abs, terms.values()))
        if greatest * scale >= 1 << DIGITS:
            scale = Fraction(2) ** (DIGITS - math.floor(math.log2(greatest)))
        found: dict[int, int] = {}
        limit *= scale
        over, under = scale.numerator, scale.denominator
        for column, a in terms.items():
            exact: Number = a * over  # times under
            nearest = (2 * exact + under) // (2 * under)
            if exact != nearest * under:
                rest = Fraction(exact) / under - nearest
                # rest * x is at least this, so that the sum without it has the rest of the limit.
                bound = self.low[column] if rest > 0 else self.high[column]
                if not is_finite(bound):
                    step = 1 if rest > 0 else -1
                    nearest, rest = nearest + step, rest - step
                    bound = self.low[column] if rest > 0 else self.high[column]
                    if not is_finite(bound):
                        return None
                limit -= rest * bound
            if nearest:
                found[column] = nearest
        if not found or abs(limit) >= MAX_DERIVED_BOUND:
            return None
        if all(column < self.program.integers for column in found):
            return Row(found, -math.inf, limit).reduced()
        return Row(found, -math.inf, math.ceil(limit))

    def separate(self, point: Sequence[float]) -> list[tuple[float, Row[int]]]:
        """Return cuts that a point violates, with their violation."""
        found: dict[Any, tuple[float, Row[int]]] = {}
        self.nearest.clear()
        self.slacks.clear()
        self.ranked.clear()
        self.point = point
        for number in self.bases:
            if self.effort <= 0 or self.clock.over:
                break
            try:
                one = self.from_row(number, point)
            except OverflowError:  # numbers beyond floating point
                continue
            if one is not None:
                terms, _, limit = one[1]
                found.setdefault((tuple(sorted(terms.items())), limit), one)
        return list(found.values())

    def from_row(self, number: int, point: Sequence[float]) -> tuple[float, Row[int]] | None:
        """Return a violated cut from a row, and others that eliminate continuous columns."""
        terms, right = self.equation(number)
        if not terms:
            return None
        slacks = {self.width + number: self.slack_of(number)[0]}
        signs = {self.width + number: terms.get(self.width + number, 0)}
        used = {number}
        for _ in range(MAX_ROWS):
            plan, distances = self.plan(terms)
            fit = len(plan) == len(distances)
            if fit:
                found = self.rounded(terms, right, point, slacks)
                if found is not None:
                    sign, rounded = found
                    signed = {column: sign * a for column, a in terms.items()}
                    row = self.cut_of(signed, sign * right, plan, rounded, signs)
                    violation = 0.0 if row is None else violation_of(row, point)
                    if row is not None and violation > VIOLATED:
                        return violation, row
            other = self.eliminate(distances, used)
            if other is None:
                return None
            column, number = other
            used.add(number)
            more, side = self.equation(number)
            slacks[self.width + number] = self.slack_of(number)[0]
            signs[self.width + number] = more.get(self.width + number, 0)
            a, b = terms[column], more[column]
            factor = math.gcd(a, b)
            a, b = a // factor, b // factor
            sums = {c: b * one for c, one in terms.items()}
            for c, one in more.items():
                sums[c] = sums.get(c, 0) - a * one
            right = b * right - a * side
            terms = {c: one for c, one in sums.items() if one}
            if not 0 < len(terms) <= MAX_ROW_TERMS:
                return None
        return None

    def plan(self, terms: Terms) -> tuple[dict[int, Substitute], dict[int, float]]:
        """Return what substitutes continuous columns, where something can, and their distances."""
        integers, width, nearest = self.program.integers, self.width, self.nearest
        plan: dict[int, Substitute] = {}
        distances: dict[int, float] = {}
        for column in terms:
            if integers <= column < width:
                if column not in nearest:
                    nearest[column] = self.substitute(column)
                chosen, distances[column], *_ = nearest[column]
                if chosen is not None:
                    plan[column] = chosen
        return plan, distances

    def rounded(
        self, terms: Terms, right: Any, point: Sequence[float], slacks: Mapping[int, float]
    ) -> tuple[int, Rounded] | None:
        """Return the best rounding of an equation or of its negative, and the sign."""
        size = max(map(abs, terms.values()))
        integers, width, nearest = self.program.integers, self.width, self.nearest
        bare: dict[int, float] = {}
        of_rest: list[tuple[float, float]] = []
        right = right / size
        for column, factor in terms.items():
            a = factor / size
            if column < integers:
                bare[column] = bare.get(column, 0.0) + a
            elif column >= width:
                of_rest.append((a, slacks[column]))
            else:
                chosen, _, base, slope, inside = nearest[column]
                right -= a * base
                if chosen is not None and chosen.column >= 0:
                    bare[chosen.column] = bare.get(chosen.column, 0.0) + a * slope
                of_rest.append((-a if chosen is not None and chosen.upper else a, inside))
        for column, a in bare.items():
            right -= a * float(self.low[column])
        # Each column is complemented that is nearer to its upper bound.
        at_upper = {
            column
            for column in bare
            if 2 * point[column] > float(self.low[column]) + float(self.high[column])
        }
        for column in at_upper:
            right -= bare[column] * (float(self.high[column]) - float(self.low[column]))
            bare[column] = -bare[column]
        best: tuple[int, Rounded] | None = None
        for sign in (1, -1):
            self.effort -= (MAX_DELTAS + 4) * len(bare) + len(terms)
            below = sum([sign * a * value for a, value in of_rest if sign * a < 0])
            signed = bare if sign > 0 else {column: -a for column, a in bare.items()}
            found = self.best(signed, sign * right, below, point, at_upper)
            if found is not None and (best is None or found.violation > best[1].violation):
                best = sign, replace(found, delta=found.delta * size)
        return best

    def eliminate(self, distances: Mapping[int, float], used: set[int]) -> tuple[int, int] | None:
        """Return a continuous column far from its bounds, and another row that has it."""
        far = [c for c, one in distances.items() if one > NEAR]
        far.sort(key=lambda c: -distances[c])
        for column in far:
            if column not in self.ranked:
                self.ranked[column] = sorted(
                    self.by_column.get(column, ()),
                    key=lambda n: (self.slack_of(n)[0], len(self.program.rows[n][0])),
                )
            for row in self.ranked[column]:
                if row not in used:
                    return column, row
        return None


def violation_of(row: Row[int], point: Sequence[float]) -> float:
    """Return by how much a point violates a row with an upper bound, by its length."""
    terms, _, limit = row
    total = sum(a * point[column] for column, a in terms.items())
    return float(total - limit) / math.sqrt(sum(float(a) * a for a in terms.values()))


def _nearest_to(value: float, sizes: Sequence[Number]) -> Fraction | None:
    """Return the exact number, a size over 1, 2, 4 or 8, of which a float is the nearest."""
    for by in (1, 2, 4, 8):
        for one in sizes:
            if abs(float(one) / by - value) <= 1e-9 * value:
                return Fraction(one) / by
    return None


def cuts_of(
    program: WholeModel, relaxation: Any, cutoff: float, clock: Deadline = ENDLESS
) -> list[Row[int]]:
    """Return rows that every solution within the bounds of a program satisfies.

    Parameters
    ----------
    program
        The program, with finite bounds of the integer columns.
    relaxation
        Its relaxation, to which cuts are added.
    cutoff
        The sum of costs above which nodes are pruned, or infinite.
    clock
        The search for cuts ends at its time limit.
    """
    integers = program.integers
    low, high = program.low[:integers], program.high[:integers]
    search = CutSearch(program, clock)
    cuts: list[Row[int]] = []
    first = last = math.nan
    for _ in range(MAX_ROUNDS):
        claim = relaxation.solve(low, high, cutoff, clock.left())
        if claim.status == "bound" and cuts:  # the tree ends at its root
            return cuts
        if claim.status != "optimal" or claim.point is None:
            break
        point = [float(one) for one in claim.point]
        if not all(map(math.isfinite, point)):
            break
        value = sum(cost * point[column] for column, cost in program.cost.items())
        if not cuts:
            first = value
        elif value - last < GAIN * (value - first):
            last = value
            break
        last = value
        found = sorted(search.separate(point), key=lambda one: -one[0])
        found = found[: 20 + len(program.rows) // 2]
        if not found:
            break
        cuts += [row for _, row in found]
        relaxation.add([row for _, row in found])
        for _, row in found:
            search.note(row)
    if not cuts:
        return []
    if program.pure:
        gap = cutoff - first if math.isfinite(cutoff) else abs(first) + 1
        if not last - first > WORTH * gap:
            return []
    return [row for row in cuts if violation_of(row, point) > -NEAR]
