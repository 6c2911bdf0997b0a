"""A mixed-integer model in whole numbers: scaled rows, tightened bounds, the objective's grid."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
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
        value: Number = sum(cost * point[column] for column, cost in self.cost.items())
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

        The continuous part of a row is replaced by its least and its greatest value. Rows that
        every point within the bounds satisfies are left out.
        """
        found = []
        for terms, low, high in rows:
            part = {column: a for column, a in terms.items() if column < self.integers}
            rest = {column: a for column, a in terms.items() if column >= self.integers}
            least, most = activity(rest, self.low, self.high)
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
    rows: Iterable[Row[int]], low: Sequence[int], high: Sequence[int]
) -> Iterator[Row[int]]:
    """Yield rows whose sums are small, which every point within bounds that satisfies them does.

    A row with small sums is yielded as it is.
    """
    reach = max(map(abs, (*low, *high)), default=0)
    for row in rows:
        most = reach * sum(map(abs, row[0].values()))
        yield row if most < MAX_ROW_SUM else _rounded(row, low, high)


def _rounded(row: Row[int], low: Sequence[int], high: Sequence[int]) -> Row[int]:
    terms, lower, upper = row
    size = sum(abs(a) * max(abs(low[c]), abs(high[c])) for c, a in terms.items())
    bits = size.bit_length() - MAX_COST_SUM.bit_length()
    if size < MAX_ROW_SUM:
        return row
    small, least, most = dict[int, int](), 0, 0
    for column, a in terms.items():
        quotient, rest = a >> bits, a & ((1 << bits) - 1)
        least, most = least + rest * low[column], most + rest * high[column]
        if quotient:
            small[column] = quotient
    return Row(
        small,
        -((most - lower) >> bits) if is_finite(lower) else lower,
        (upper - least) >> bits if is_finite(upper) else upper,
    )


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
    every = [*program.rows, *rows]
    integers = program.integers
    step = 0
    # When each column was changed, and each row looked at, for the last time.
    moved = [0] * len(program.order)
    seen = [-1] * len(every)
    low: list[Any] = program.low
    high: list[Any] = program.high
    for _ in range(MAX_PASSES):
        changed = False
        for number, (terms, lower, upper) in enumerate(every):
            if all(moved[column] <= seen[number] for column in terms) and seen[number] >= 0:
                continue
            seen[number] = step
            if not _may_tighten(terms, lower, upper, low, high):
                continue
            parts = [_part(a, low[column], high[column]) for column, a in terms.items()]
            least = _Sum(part[0] for part in parts)
            most = _Sum(part[1] for part in parts)
            if least.value > upper or most.value < lower:
                return False
            for (column, a), (down, up) in zip(terms.items(), parts, strict=True):
                # The bounds of a times the column that the other columns leave.
                greatest, smallest = upper - least.without(down), lower - most.without(up)
                if a < 0:
                    greatest, smallest = smallest, greatest
                below = _quotient(greatest, a, column < integers, up=False)
                above = _quotient(smallest, a, column < integers, up=True)
                integer = column < integers
                if below < high[column] and (integer or _gains(low[column], high[column], below)):
                    high[column], changed = below, True
                    moved[column] = step = step + 1
                if above > low[column] and (integer or _gains(low[column], high[column], above)):
                    low[column], changed = above, True
                    moved[column] = step = step + 1
                if low[column] > high[column]:
                    return False
        if not changed:
            return True
    return True


def _may_tighten(
    terms: Mapping[int, int], lower: Any, upper: Any, low: Sequence[Any], high: Sequence[Any]
) -> bool:
    """Return whether a row cannot hold, or may tighten a bound of a column."""
    least: Any = 0
    most: Any = 0
    widest: Any = 0
    for column, a in terms.items():
        down, up = a * low[column], a * high[column]
        if a < 0:
            down, up = up, down
        least += down
        most += up
        widest = max(widest, up - down)
    # Infinite sums make the difference nan, or infinite.
    return widest == math.inf or not (widest <= upper - least and widest <= most - lower)


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
    """Return whether a bound of a continuous column is worth its time."""
    if abs(bound) >= MAX_DERIVED_BOUND:
        return False
    if not (is_finite(low) and is_finite(high)):
        return True
    nearest = min(abs(bound - low), abs(high - bound))
    return bool(nearest * 100 > high - low)


def _part(a: int, low: Bound, high: Bound) -> tuple[Bound, Bound]:
    return (a * low, a * high) if a > 0 else (a * high, a * low)


class _Sum:
    """A sum of numbers, some of them infinite, from which one can be left out."""

    def __init__(self, parts: Iterable[Bound]) -> None:
        self.finite: Number = 0
        self.infinite = 0
        self.sign: float = 0.0
        for part in parts:
            if is_finite(part):
                self.finite += part
            else:
                self.infinite += 1
                self.sign = part

    @property
    def value(self) -> Any:
        return self.sign if self.infinite else self.finite

    def without(self, part: Bound) -> Any:
        if is_finite(part):
            return self.sign if self.infinite else self.finite - part
        return self.sign if self.infinite > 1 else self.finite


def _quotient(value: Any, a: int, integer: bool, *, up: bool) -> Any:
    """Return a bound divided by a coefficient, rounded to whole numbers or the grid."""
    if not is_finite(value):
        return value if a > 0 else -value
    grid = 1 if integer else GRID
    over, under = value.numerator * grid, value.denominator * a
    # An integer column is rounded inwards, a continuous one outwards.
    rounded = -(-over // under) if integer == up else over // under
    if rounded % grid:
        return Fraction(rounded, grid)
    return rounded // grid  # sums of whole numbers are much faster than those of fractions
