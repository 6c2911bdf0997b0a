"""Cutting planes at the root of the pool's tree: mixed-integer rounding, derived exactly.

The search for a violated inequality is in floating point: the heuristic of Marchand and Wolsey
(2001, https://doi.org/10.1287/opre.49.3.363.11211), with variable bounds, so that flow covers
are among the inequalities. What it finds is derived once more in fractions from the rows and
the bounds. So each cut holds for every solution within the bounds, whatever HiGHS has said.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

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
    upper: int = 0
    column: int = -1
    """The column by which the bound varies."""


Side = tuple[float, float, int, Substitute]
"""A bound, its constant and its slope as floats, and the column by which it varies."""


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
        self.sides: dict[int, tuple[list[Side], list[Side]]] = {}
        """By continuous column, its lower and upper bounds; the constant one is the last."""
        self.nearest: dict[int, Near] = {}
        """The nearest bounds of columns at the point that is separated."""
        self.point: Sequence[float] = ()
        self.ends: list[tuple[float, float]] = []
        """By integer column, the bound that is nearer to the point, and how far it is."""
        self.at_upper: set[int] = set()
        """The integer columns that are nearer to their upper bounds."""
        self.between: dict[int, float] = {}
        """The integer columns that are at no bound, and how far their bounds are apart."""
        self.varying: set[int] = set()
        """The columns whose nearest bounds vary by an integer column that is at no bound."""
        self.boundless: set[int] = set()
        """The columns without a bound, which nothing substitutes."""
        self.far: dict[int, float] = {}
        """The columns that are far from their bounds, and how far."""
        self.slacks: dict[int, tuple[float, int]] = {}
        self.equations: dict[int, tuple[dict[int, int], int]] = {}
        self.tried: set[tuple[frozenset[int], frozenset[int]]] = set()
        """The rows that were added up at this point, and the columns that were eliminated."""
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
                self.sides.pop(y, None)
        return True

    # Rows and their slacks.

    def equation(self, number: int) -> tuple[dict[int, int], int]:
        """Return a row as an equation with its slack; its columns have their nearest bounds."""
        if number not in self.equations:
            terms, low, high = self.program.rows[number]
            right: Any = high
            if low != high:
                sign = self.slack_of(number)[1]
                terms, right = {**terms, self.width + number: sign}, high if sign > 0 else low
            for column in terms:
                if self.program.integers <= column < self.width and column not in self.nearest:
                    self.substitute(column)
            self.equations[number] = dict(terms), right
        return self.equations[number]

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

    def sides_of(self, column: int) -> tuple[list[Side], list[Side]]:
        """Return the lower and the upper bounds of a continuous column."""
        if column not in self.sides:
            found: tuple[list[Side], list[Side]] = [], []
            for upper, x, base, slope in self.variable.get(column, ()):
                side = float(base), float(slope), x, Substitute(upper, base, x, slope)
                found[upper].append(side)
            for upper, bound in ((False, self.low[column]), (True, self.high[column])):
                if is_finite(bound):
                    found[upper].append((float(bound), 0.0, -1, Substitute(upper, bound)))
            self.sides[column] = found
        return self.sides[column]

    def substitute(self, column: int) -> Near:
        """Return the nearest bound of a continuous column at the point that is separated."""
        point, near = self.point, Near(None, math.inf)
        value = point[column]
        for upper, sides in enumerate(self.sides.get(column) or self.sides_of(column)):
            far = [base + slope * point[x] if x >= 0 else base for base, slope, x, _ in sides]
            if not far:
                continue
            place, least = 0, max(far) if not upper else min(far)
            if len(far) > 1:
                # A variable bound as near as the constant one is the stronger.
                place = next(p for p, one in enumerate(far) if abs(one - least) <= NEAR)
            base, slope, x, chosen = sides[place]
            distance = max(0.0, least - value if upper else value - least)
            if distance < near.distance or (distance == near.distance and near.column < 0 <= x):
                inside = max(0.0, far[place] - value if upper else value - far[place])
                near = Near(chosen, distance, base, slope, inside, upper, x)
        self.nearest[column] = near
        if near.chosen is None:
            self.boundless.add(column)
        elif near.chosen.column in self.between:
            self.varying.add(column)
        if near.distance > NEAR:
            self.far[column] = near.distance
        return near

    def transformed(
        self,
        terms: Mapping[int, int],
        right: int,
        plan: Mapping[int, Substitute],
        complemented: Collection[int],
        scale: int,
    ) -> tuple[dict[int, int], dict[int, int], int]:
        """Return an equation in variables from 0 on: of integer columns, of others; its right.

        All of it is times a number that makes it whole.
        """
        integers = self.program.integers
        of_integers: dict[int, int] = {}
        rest: dict[int, int] = {}
        right *= scale
        for column, a in terms.items():
            if column < integers:
                of_integers[column] = of_integers.get(column, 0) + a * scale
            elif column >= self.width:
                rest[column] = a * scale
            else:
                upper, base, x, slope = plan[column]
                right -= a * _times(base, scale)
                if x >= 0:
                    of_integers[x] = of_integers.get(x, 0) + a * _times(slope, scale)
                rest[column] = -a * scale if upper else a * scale
        for column, a in of_integers.items():
            if column in complemented:
                right -= a * cast(int, self.high[column])
                of_integers[column] = -a
            else:
                right -= a * cast(int, self.low[column])
        return of_integers, rest, right

    # The search in floating point.

    def go_to(self, point: Sequence[float]) -> None:
        """Prepare to separate a point."""
        for known in (self.nearest, self.far, self.slacks, self.equations, self.ranked):
            known.clear()
        for some in (self.varying, self.boundless, self.tried):
            some.clear()
        self.point = point
        self.ends, self.at_upper, self.between = [], set(), {}
        for column in range(self.program.integers):
            low, high = float(self.low[column]), float(self.high[column])
            span, value = high - low, point[column]
            if 2 * value > low + high:
                self.at_upper.add(column)
                end, distance = high, high - value
            else:
                end, distance = low, value - low
            self.ends.append((end, max(0.0, distance)))
            if NEAR < distance < span - NEAR:
                self.between[column] = span

    def best(
        self,
        of_integers: dict[int, float],
        right: float,
        above: float,
        below: float,
    ) -> Rounded | None:
        """Return the best rounding of a row in variables from 0 on.

        Each column is complemented that is nearer to its upper bound. ``above`` and ``below`` are
        the sums of the positive and of the negative continuous part.
        """
        self.effort -= (MAX_DELTAS + 4) * len(of_integers)
        ends, spans = self.ends, self.between
        # Variables at 0 count in the length alone.
        active = {c: (a, ends[c][1]) for c, a in of_integers.items() if a and ends[c][1]}
        between = [c for c in active if c in spans]
        steps = sorted({abs(active[c][0]) for c in between}, reverse=True)
        found = 0.0, 0.0
        if not steps or above >= steps[0]:
            return None
        sizes, values, rest = of_integers.values(), active.values(), (above, below)
        for delta in steps[:MAX_DELTAS]:
            found = max(found, (_violation(sizes, values, right, rest, delta), delta))
        if found[0] <= 0:
            return None
        for by in (2, 4, 8):
            delta = found[1] / by
            found = max(found, (_violation(sizes, values, right, rest, delta), delta))
        chosen = {c for c in of_integers if c in self.at_upper}
        between.sort(key=lambda c: spans[c] / 2 - active[c][1])
        for column in between[:MAX_DELTAS]:
            a, t = active[column]
            # Of x = span - t, the part a * span goes to the right.
            active[column], of_integers[column] = (-a, spans[column] - t), -a
            moved = right - a * spans[column]
            violation = _violation(sizes, values, moved, rest, found[1])
            if violation > found[0]:
                found, right = (violation, found[1]), moved
                chosen ^= {column}
            else:
                active[column], of_integers[column] = (a, t), a
        if found[0] < VIOLATED:
            return None
        return Rounded(found[1], frozenset(chosen), found[0])

    # Cuts.

    def cut_of(
        self,
        terms: Terms,
        right: Any,
        rounded: Rounded,
    ) -> Row[int] | None:
        """Derive a cut in fractions; None if it is not one for this purpose."""
        # The columns of slacks are none of these.
        plan = {c: near.chosen for c in terms if (near := self.nearest.get(c)) and near.chosen}
        scale = _common(plan.values())
        of_integers, rest, side = self.transformed(terms, right, plan, rounded.complemented, scale)
        nearest = _nearest_to(rounded.delta, [abs(a) for a in of_integers.values() if a], scale)
        if nearest is None:
            return None
        unit, by = nearest
        # a / delta is down + left / unit, and side / delta likewise.
        floor, part = divmod(side * by, unit)
        if part == 0:
            return None
        # Sum of g * t + sum of c * s / (1 - part) <= floor, for negative c, times unit - part and
        # a number that makes all of it whole.
        scale = _common([one for column, one in plan.items() if rest[column] < 0])
        cut: dict[int, int] = {}
        limit = floor * (unit - part) * scale
        for column, a in of_integers.items():
            down, left = divmod(a * by, unit)
            g = (down * (unit - part) + max(0, left - part)) * scale
            if column in rounded.complemented:
                limit -= g * cast(int, self.high[column])
                g = -g
            else:
                limit += g * cast(int, self.low[column])
            cut[column] = g
        for column, a in rest.items():
            if a >= 0:
                continue
            g = a * by
            if column >= self.width:
                number = column - self.width
                sign = self.slack_of(number)[1]
                parts, constant = self.slack(number, sign)
                g *= scale
                limit -= g * constant
                for one, b in parts.items():
                    cut[one] = cut.get(one, 0) + g * b
                continue
            upper, base, x, slope = plan[column]
            # The variable is sign * (column - base - slope * x).
            g = -g if upper else g
            cut[column] = cut.get(column, 0) + g * scale
            limit += g * _times(base, scale)
            if x >= 0:
                cut[x] = cut.get(x, 0) - g * _times(slope, scale)
        return self.shortened({column: a for column, a in cut.items() if a}, limit)

    def shortened(self, terms: Mapping[int, int], limit: int) -> Row[int] | None:
        """Return ``terms <= limit`` in small whole numbers, relaxed if they would be too large."""
        if not terms or len(terms) > DENSE[0] + DENSE[1] * self.width:
            return None
        under = math.gcd(*terms.values())
        greatest = max(map(abs, terms.values()))
        left: Number = limit  # times under
        found: dict[int, int] = {}
        if greatest < under << DIGITS:
            found = {column: a // under for column, a in terms.items()}
        else:
            under = 1 << (greatest.bit_length() - 1 - DIGITS)
            for column, a in terms.items():
                nearest = (2 * a + under) // (2 * under)
                rest = a - nearest * under
                if rest:
                    # rest * x is at least this, so that the sum without it has what is left.
                    bound = self.low[column] if rest > 0 else self.high[column]
                    if not is_finite(bound):
                        step = 1 if rest > 0 else -1
                        nearest, rest = nearest + step, rest - step * under
                        bound = self.low[column] if rest > 0 else self.high[column]
                        if not is_finite(bound):
                            return None
                    left -= rest * bound
                if nearest:
                    found[column] = nearest
        most = MAX_DERIVED_BOUND * under
        if not found or not -most < left < most:
            return None
        if all(column < self.program.integers for column in found):
            return Row(found, -math.inf, Fraction(left, under)).reduced()
        return Row(found, -math.inf, -(-left // under))

    def separate(self, point: Sequence[float]) -> list[tuple[float, Row[int]]]:
        """Return cuts that a point violates, with their violation."""
        found: dict[Any, tuple[float, Row[int]]] = {}
        self.go_to(point)
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
        used, gone = {number}, set[int]()
        for _ in range(MAX_ROWS):
            sign, rounded = self.rounded(terms, right)
            if rounded is not None:
                signed = {column: sign * a for column, a in terms.items()}
                row = self.cut_of(signed, sign * right, rounded)
                violation = 0.0 if row is None else violation_of(row, point)
                if row is not None and violation > VIOLATED:
                    return violation, row
            other = self.eliminate(terms, used)
            if other is None:
                return None
            column, number = other
            used.add(number)
            gone.add(column)
            key = frozenset(used), frozenset(gone)
            if key in self.tried:  # from another row on
                return None
            self.tried.add(key)
            more, side = self.equation(number)
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

    def rounded(self, terms: Mapping[int, int], right: int) -> tuple[int, Rounded | None]:
        """Return the best rounding of an equation or of its negative, and the sign."""
        self.effort -= len(terms)
        if not self.boundless.isdisjoint(terms) or (
            self.between.keys().isdisjoint(terms) and self.varying.isdisjoint(terms)
        ):
            return 1, None
        size = max(map(abs, terms.values()))
        integers, width, nearest = self.program.integers, self.width, self.nearest
        bare: dict[int, float] = {}
        of_rest: list[float] = []
        side = right / size
        for column, factor in terms.items():
            a = factor / size
            if column < integers:
                bare[column] = bare.get(column, 0.0) + a
            elif column >= width:
                of_rest.append(a * self.slack_of(column - width)[0])
            else:
                _, _, base, slope, inside, upper, x = nearest[column]
                side -= a * base
                if x >= 0:
                    bare[x] = bare.get(x, 0.0) + a * slope
                of_rest.append(-a * inside if upper else a * inside)
        for column, a in bare.items():
            side -= a * self.ends[column][0]
            if column in self.at_upper:
                bare[column] = -a
        best: tuple[int, Rounded | None] = 1, None
        above = sum([one for one in of_rest if one > 0])
        below = sum([one for one in of_rest if one < 0])
        for sign, high, low in ((1, above, below), (-1, -below, -above)):
            signed = {column: sign * a for column, a in bare.items()}
            found = self.best(signed, sign * side, high, low)
            if found is not None and (best[1] is None or found.violation > best[1].violation):
                best = sign, replace(found, delta=found.delta * size)
        return best

    def eliminate(self, terms: Iterable[int], used: set[int]) -> tuple[int, int] | None:
        """Return a continuous column far from its bounds, and another row that has it."""
        far = [column for column in terms if column in self.far]
        far.sort(key=lambda column: -self.far[column])
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


def _violation(
    sizes: Iterable[float],
    values: Iterable[tuple[float, float]],
    right: float,
    rest: tuple[float, float],
    delta: float,
) -> float:
    """Return by how much a point violates a row divided by a number and rounded, by its length.

    If it does not, the answer is 0. The variables that are not 0 are given with their values.
    """
    side = right / delta
    part = side % 1.0
    if not 0.01 < part < 0.99:
        return 0.0
    by = 1 / (1 - part)
    above, below = rest
    # No coefficient is rounded up. So the violation is at most what the row's two sides lack.
    if (part - above / delta) + below * (by - 1) / delta <= 0:
        return 0.0
    total = below * by / delta - (side - part)
    for a, t in values:
        b = a / delta
        left = b % 1.0
        total += (b - left + (left - part) * by if left > part else b - left) * t
    if total <= 0:
        return 0.0
    length = 1e-12
    for a in sizes:
        b = a / delta
        left = b % 1.0
        g = b - left + (left - part) * by if left > part else b - left
        length += g * g
    return total / math.sqrt(length)


def _common(bounds: Iterable[Substitute]) -> int:
    """Return the least number that makes the constants and slopes of bounds whole."""
    return math.lcm(*(one.denominator for bound in bounds for one in (bound.base, bound.slope)))


def _times(number: Number, scale: int) -> int:
    """Return a number times a multiple of its denominator."""
    return number.numerator * (scale // number.denominator)


def _nearest_to(value: float, sizes: Sequence[int], scale: int) -> tuple[int, int] | None:
    """Return a size and 1, 2, 4 or 8, so that a float is nearest to the size over both numbers."""
    for by in (1, 2, 4, 8):
        for one in sizes:
            if abs(one / (by * scale) - value) <= 1e-9 * value:
                return one, by
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
