"""A mixed-integer model in whole numbers: scaled rows, tightened bounds, the objective's grid."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

from calmip._base.errors import InputError, clip
from calmip.mip.display import quote
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, Row, ceil_of, floor_of, is_finite

GRID = 1 << 20
"""Bounds of continuous variables are moved outwards to multiples of 1/GRID."""

MAX_PASSES = 30
"""The most passes over all rows that tighten the bounds at the root."""

MAX_NUMBER = 1 << 1000
"""Greater whole numbers, or their sums, have no place in floating point."""

MAX_COST_SUM = 1 << 50
"""Greater sums of costs are rounded, for the bounds: they would exceed 64 bits."""

MAX_ROW_SUM = 1 << 58
"""Rows with greater sums are rounded for the tree, whose numbers have 64 bits."""

MAX_DERIVED_BOUND = 1 << 60
"""Bounds beyond this are not derived: they would only grow from pass to pass."""


@dataclass(frozen=True, eq=False, repr=False)
class WholeModel:
    """Minimise ``unit * (cost @ x)`` over whole rows; the counted columns come first.

    A column has its number here, and that of the model in ``order``. The columns up to
    ``distinct`` distinguish solutions, those up to ``integers`` are integer, the others continuous.
    """

    model: Model
    order: tuple[int, ...]
    distinct: int
    integers: int
    rows: list[Row[int]]
    """The rows, without coefficients 0."""
    low: list[Bound]
    high: list[Bound]
    cost: dict[int, int]
    unit: Fraction
    """The objective of the model is this times the sum of the costs, without the constant."""
    constant: Fraction

    @cached_property
    def pure(self) -> bool:
        """Whether all columns are integer."""
        return self.integers == len(self.order)

    @cached_property
    def objective_is_integral(self) -> bool:
        """Whether the objective of every solution is a whole multiple of the unit."""
        return all(column < self.integers for column in self.cost)

    def value_of(self, point: Sequence[Number]) -> Number:
        """Return the sum of the costs at a point, which has a value for each column."""
        value: Number = sum(map(mul, self.cost.values(), map(point.__getitem__, self.cost)))
        return value

    def satisfied_by(self, point: Sequence[Number]) -> bool:
        """Return whether a point, which has a value for each column, satisfies all rows."""
        return all(
            low <= sum(a * point[column] for column, a in terms.items()) <= high
            for terms, low, high in self.rows
        )

    def objective(self, value: Number) -> Fraction:
        """Return the objective in the sense of the model, with its constant."""
        plain = self.unit * value
        return (-plain if self.model.maximise else plain) + self.constant

    def rows_on_integers(self, rows: Iterable[Row[int]]) -> list[Row[int]]:
        """Return what rows imply for the integer columns alone, as rows in whole numbers.

        The continuous part of a row is replaced by its least and its greatest value.
        """
        found: list[Row[int]] = []
        lows: list[Any] = self.low
        highs: list[Any] = self.high
        for terms, low, high in rows:
            part: dict[int, int] = {}
            least: Any = 0
            most: Any = 0
            for column, a in terms.items():
                if column < self.integers:
                    part[column] = a
                elif a > 0:
                    least, most = least + a * lows[column], most + a * highs[column]
                else:
                    least, most = least + a * highs[column], most + a * lows[column]
            found.append(Row(part, low - most, high - least).reduced())
        return found


def copy_of(program: WholeModel) -> WholeModel:
    """Return a program whose rows and bounds may be tightened alone."""
    return replace(program, rows=list(program.rows), low=list(program.low), high=list(program.high))


def rounded_costs(program: WholeModel) -> tuple[WholeModel, int, Fraction]:
    """Return a program with small costs, a step and a constant that bound the true ones.

    Within the bounds of the program, the sum of the true costs is at least the constant plus the
    step times the sum of the small ones. The step is 1 where the costs are small already.
    """
    ends = list(zip(program.low, program.high, strict=True))
    sizes = [
        abs(cost) * max((abs(math.ceil(end)) for end in ends[c] if is_finite(end)), default=1)
        for c, cost in program.cost.items()
    ]
    bits = max(0, sum(sizes).bit_length() - MAX_COST_SUM.bit_length())
    if not bits:
        return program, 1, Fraction(0)
    small, constant = dict[int, int](), Fraction(0)
    for column, cost in program.cost.items():
        low, high = ends[column]
        # What is left of a cost after division has a bound of the column to bound it.
        end, quotient = (low, cost >> bits) if is_finite(low) else (high, -(-cost >> bits))
        rest = cost - (quotient << bits)
        if rest and not is_finite(end):
            return program, 1, Fraction(0)
        constant += rest * Fraction(end) if rest else 0
        if quotient:
            small[column] = quotient
    return replace(program, cost=small), 1 << bits, constant


def rounded(
    rows: Iterable[Row[int]], low: Sequence[Bound], high: Sequence[Bound], integers: int
) -> Iterator[Row[int]]:
    """Yield rows whose sums are small, which every point within bounds that satisfies them does.

    The first columns are integer. A row with small sums is yielded as it is, as is one on a column
    without both bounds.
    """
    ends = list(map(_reach, low, high))
    reach = max(ends, default=0)
    for row in rows:
        terms = row[0]
        most = reach * sum(map(abs, terms.values()))
        if not most < MAX_ROW_SUM:
            most = sum(abs(a) * ends[column] for column, a in terms.items())
        fine = most < MAX_ROW_SUM or most == math.inf
        yield row if fine else _rounded(row, int(most), low, high, integers)


def _reach(low: Bound, high: Bound) -> Any:
    """Return the greatest absolute value within bounds, rounded up."""
    return max(abs(ceil_of(end)) if end > 0 else abs(floor_of(end)) for end in (low, high))


def _rounded(
    row: Row[int], size: int, low: Sequence[Bound], high: Sequence[Bound], integers: int
) -> Row[int]:
    terms, lower, upper = row
    bits = size.bit_length() - MAX_COST_SUM.bit_length()
    small = dict[int, int]()
    least: Any = 0
    most: Any = 0
    integral = True
    for column, a in terms.items():
        quotient, rest = a >> bits, a & ((1 << bits) - 1)
        if rest:
            least, most = least + rest * low[column], most + rest * high[column]
        if quotient:
            small[column] = quotient
            integral = integral and column < integers
    # Sums of whole numbers are rounded inwards, others outwards.
    by = 1 << bits
    found = Row(small, lower, upper)
    if is_finite(lower):
        end = lower - most
        found = found._replace(low=-(-end // by) if integral else end // by)
    if is_finite(upper):
        end = upper - least
        found = found._replace(high=end // by if integral else -(-end // by))
    return found


def program_of(model: Model, distinct: Iterable[int] = ()) -> WholeModel:
    """Return a model in whole numbers, with its bounds as they are.

    Parameters
    ----------
    model
        The model.
    distinct
        The integer columns that distinguish solutions; by default all but auxiliary ones.

    Raises
    ------
    InputError
        If whole numbers for a row or the objective are too large, an entry is not a number, or
        one names a column that does not exist.
    """
    _check_entries(model)
    integer = model.values("integer")
    others = integer[: len(model.own_columns)]
    wanted = set(distinct) or {column for column, one in enumerate(others) if one}
    order = list(range(len(model.columns)))
    same = len(wanted) == len(order)
    if not same:
        order.sort(key=lambda column: (column not in wanted, not integer[column], column))
    index = {column: number for number, column in enumerate(order)}
    integers = sum(map(bool, integer))
    low: list[Bound] = model.numbers("column_lower", order)
    high: list[Bound] = model.numbers("column_upper", order)
    low[:integers], high[:integers] = map(ceil_of, low[:integers]), map(floor_of, high[:integers])
    costs = {index[column]: Fraction(cost) for column, cost in model.costs.items() if cost}
    unit = Fraction(1)
    if costs:
        unit = Fraction(
            math.gcd(*(cost.numerator for cost in costs.values())),
            math.lcm(*(cost.denominator for cost in costs.values())),
        )
    rows: list[Row[int]] = []
    for name, (terms, lower, upper) in zip(model.rows, model.whole_rows(), strict=True):
        _check_size(f"row {quote(name)}", [*terms.values(), lower, upper])
        own = terms if same else {index[column]: a for column, a in terms.items()}
        rows.append(Row(own, lower, upper))
    _check_size("the objective", [cost / unit for cost in costs.values()])
    constant = model.exact.get(("offset", 0))
    if constant is None:
        constant = Fraction(repr(float(model.offset)))
    return WholeModel(
        model,
        tuple(order),
        len(wanted),
        integers,
        rows,
        low,
        high,
        {column: int(cost / unit) for column, cost in sorted(costs.items())},
        unit,
        Fraction(constant),
    )


def _check_entries(model: Model) -> None:
    """Refuse entries that are not numbers or in no column."""
    values, start, index = map(model.values, ("value", "start", "index"))
    last, columns = max(index, default=-1), len(model.columns)
    if last >= columns:
        raise InputError(f"the rows name column {last}, but there are {columns}")
    if not all(map(math.isfinite, values)):
        odd = next(k for k, value in enumerate(values) if not math.isfinite(value))
        row = model.rows[bisect_right(start, odd) - 1]
        raise InputError(
            f"row {clip(row)} has the coefficient {values[odd]} on column "
            f"{clip(model.columns[index[odd]])}; coefficients are finite numbers"
        )
    sides = zip(model.rows, model.values("lower"), model.values("upper"), strict=True)
    for name, low, high in sides:
        if math.isnan(low) or math.isnan(high):
            raise InputError(
                f"row {clip(name)} has a bound that is not a number; "
                "leave a bound infinite where there is none"
            )


def _check_size(what: str, numbers: Iterable[Bound]) -> None:
    """Refuse whole numbers beyond those of floating point."""
    if any(not -MAX_NUMBER < one < MAX_NUMBER for one in set(numbers) if is_finite(one)):
        raise InputError(
            f"{what} has numbers of too different sizes: scaled to whole numbers, they exceed "
            "1e300; leave out the smallest, or round them"
        )


def activity(
    terms: Mapping[int, Number], low: Sequence[Bound], high: Sequence[Bound]
) -> tuple[Any, Any]:
    """Return the least and the greatest sum of a row within the bounds of its columns."""
    least: Any = 0
    most: Any = 0
    for column, a in terms.items():
        least += a * (low[column] if a > 0 else high[column])
        most += a * (high[column] if a > 0 else low[column])
    return least, most


def tighten(program: WholeModel, rows: Iterable[Row[int]]) -> bool:
    """Tighten the bounds of a program by its rows and others; False if it has no solution.

    Every point that satisfies the rows stays within the bounds.
    """
    tightening = _Tightening(program, rows)
    fine = tightening.run()
    tightening.write()
    return fine


class _Tightening:
    """The bounds of a program in parts of the grid: whole numbers are many times faster."""

    def __init__(self, program: WholeModel, rows: Iterable[Row[int]]) -> None:
        self.program = program
        self.rows = [*program.rows, *rows]
        self.low = [_on_grid(end, up=False) for end in program.low]
        self.high = [_on_grid(end, up=True) for end in program.high]
        self.sides = [
            (_on_grid(low, up=False), _on_grid(high, up=True)) for _, low, high in self.rows
        ]
        self.holders: list[list[int]] = [[] for _ in program.order]
        """The rows of each column."""
        for number, (terms, _, _) in enumerate(self.rows):
            for column in terms:
                self.holders[column].append(number)
        self.waiting = [True] * len(self.rows)
        """The rows of which a column was changed since they were looked at."""
        self.moved: set[tuple[int, bool]] = set()
        """The columns and sides that have moved."""

    def run(self) -> bool:
        """Look at all rows again and again; False if there is no solution."""
        for _ in range(MAX_PASSES):
            if not any(self.waiting):
                break
            for number, waits in enumerate(self.waiting):
                if waits:
                    self.waiting[number] = False
                    if not self.look_at(number):
                        return False
        return True

    def look_at(self, number: int) -> bool:
        """Tighten the bounds of the columns of a row; False if it cannot hold."""
        low, high = self.low, self.high
        lower, upper = self.sides[number]
        least: Any = 0
        most: Any = 0
        widest: Any = 0
        below = above = 0  # how many parts are without a least, and a greatest value
        parts = []
        for column, a in self.rows[number].terms.items():
            down, up = a * low[column], a * high[column]
            if a < 0:
                down, up = up, down
            parts.append((column, a, down, up))
            if is_finite(down) and is_finite(up):
                least, most = least + down, most + up
                widest = max(widest, up - down)
                continue
            widest = math.inf
            bottomless, topless = not is_finite(down), not is_finite(up)
            below, above = below + bottomless, above + topless
            least, most = least + (0 if bottomless else down), most + (0 if topless else up)
        if (not below and least > upper) or (not above and most < lower):
            return False
        has_upper, has_lower = is_finite(upper), is_finite(lower)
        rise: Any = upper - least if has_upper else math.inf
        fall: Any = most - lower if has_lower else math.inf
        if widest < math.inf and widest <= rise and widest <= fall:
            return True
        for column, a, down, up in parts:
            # The bounds of a times the column that the other columns leave.
            top = bottom = None
            if has_upper and below == (not is_finite(down)):
                top = rise if below else rise + down
            if has_lower and above == (not is_finite(up)):
                bottom = -fall if above else up - fall
            if not self.bound(column, a, bottom, top):
                return False
        return True

    def bound(self, column: int, a: int, bottom: int | None, top: int | None) -> bool:
        """Give a column the bounds that those of ``a`` times it imply; False if they cross."""
        low, high = self.low, self.high
        if a < 0:
            bottom, top = top, bottom
        integer = column < self.program.integers
        if top is not None:
            # An integer column is rounded inwards, a continuous one outwards.
            end = top // (a * GRID) * GRID if integer else -(-top // a)
            if end < high[column] and (integer or _gains(low[column], high[column], end)):
                high[column] = end
                self.note(column, above=True)
        if bottom is not None:
            end = -(-bottom // (a * GRID)) * GRID if integer else bottom // a
            if end > low[column] and (integer or _gains(low[column], high[column], end)):
                low[column] = end
                self.note(column, above=False)
        return bool(low[column] <= high[column])

    def note(self, column: int, *, above: bool) -> None:
        """Note that a bound of a column has moved."""
        self.moved.add((column, above))
        for number in self.holders[column]:
            self.waiting[number] = True

    def write(self) -> None:
        """Give the program the bounds that have moved."""
        for column, above in self.moved:
            end = (self.high if above else self.low)[column]
            # Sums of whole numbers are much faster than those of fractions.
            exact = Fraction(end, GRID) if end % GRID else end // GRID
            (self.program.high if above else self.program.low)[column] = exact


def _on_grid(end: Bound, *, up: bool) -> Any:
    """Return a bound in parts of the grid, rounded up or down; keep infinity."""
    if type(end) is int:
        return end * GRID
    if not is_finite(end):
        return end
    return -(-end * GRID // 1) if up else end * GRID // 1


def strengthen(program: WholeModel) -> None:
    """Reduce coefficients of 0/1 columns in rows with one side, as far as bounds allow.

    If a row holds in any case for one of the two values, it is made as tight as possible there.
    Its points with integer columns stay the same, the linear relaxation becomes tighter
    (Savelsbergh 1994, https://doi.org/10.1287/ijoc.6.4.445).
    """
    for number, (terms, low, high) in enumerate(program.rows):
        if is_finite(low) == is_finite(high):
            continue
        # As a row with an upper bound.
        sign = 1 if is_finite(high) else -1
        upper = int(high if sign > 0 else -low)
        own = {column: sign * a for column, a in terms.items()}
        total = activity(own, program.low, program.high)[1]
        if not is_finite(total):  # so it is without any 0/1 column
            continue
        for column, a in own.items():
            if column >= program.integers or (program.low[column], program.high[column]) != (0, 1):
                continue
            most = math.ceil(total - max(a, 0))
            if not min(upper, upper - a) < most:
                continue
            if a < 0 and most < upper - a:
                own[column] = upper - most
            elif a > 0 and most < upper:
                own[column], upper = a - (upper - most), most
            total += max(own[column], 0) - max(a, 0)
        found = {column: sign * a for column, a in own.items() if a}
        program.rows[number] = Row(found, low, upper) if sign > 0 else Row(found, -upper, high)


def _gains(low: Any, high: Any, bound: Any) -> bool:
    """Return whether a bound of a continuous column is worth its time, in parts of the grid."""
    if abs(bound) >= MAX_DERIVED_BOUND * GRID:
        return False
    if not (is_finite(low) and is_finite(high)):
        return True
    nearest = min(abs(bound - low), abs(high - bound))
    return bool(nearest * 100 > high - low)
