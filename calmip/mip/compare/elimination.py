"""Columns of a model eliminated exactly, so that the rows left say the same of the others.

A continuous column is solved for in an equation, or eliminated by the method of Fourier and
Motzkin where that makes few rows. An integer column is eliminated where its value is then always
integral: from an equation in which it has the coefficient 1 among whole ones (a slack, say).

Where columns are left, binary points that no values of them complete are sought as one MIP. Some
multipliers of the rows prove that of a point (Farkas 1902). The products of multipliers and binary
columns are linearised (McCormick 1976, https://doi.org/10.1007/BF01580665), so points and
multipliers are sought together.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.lp.inequality import HalfSpace
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Interval, Number, is_finite

MAX_ADDED_ROWS = 4
"""The most rows that an elimination may add."""

MAX_PRODUCTS = 20_000
"""The most products of a multiplier and a column."""

MAX_FILL_FACTOR = 3
"""How many times more coefficients than at first the rows may have after an elimination."""

MIN_FILL = 1000
"""The coefficients that they may have in any case."""

MAX_BITS = 128
"""The most binary digits of their numerators and denominators."""

LATE = "the time limit was reached before the columns were eliminated"


@dataclass(frozen=True)
class ProjectedRow:
    """A row after elimination.

    Parameters
    ----------
    terms, low, high
        The coefficients by column, and the bounds.
    origin
        The numbers of the model's rows that it is made of; bounds of columns have none.
    """

    terms: dict[int, Number]
    low: Bound
    high: Bound
    origin: tuple[int, ...]


@dataclass
class Projected:
    """A model without some of its columns.

    Parameters
    ----------
    rows
        The rows.
    left
        The columns that could not be eliminated.
    cost, constant
        The objective, to be minimised, over the columns that are left.
    priced
        Whether a column with a cost was eliminated by inequalities, so that the objective is lost.
    most
        The most coefficients that the rows may have.
    """

    rows: list[ProjectedRow]
    left: set[int]
    cost: dict[int, Number] = field(default_factory=dict)
    constant: Number = 0
    priced: bool = False
    most: int = MIN_FILL


def project(model: Model, columns: Collection[int], clock: Deadline = ENDLESS) -> Projected:
    """Return a model without some of its columns, as far as that is exact and makes few rows.

    At the time limit some columns are left. Each elimination is done as a whole, or not at all.
    """
    rows = [
        ProjectedRow({c: v for c, v in terms.items() if v}, low, high, (number,))
        for number, (terms, low, high) in enumerate(model.exact_rows())
    ]
    fixed = ((column, *model.bounds(column)) for column in columns)
    rows += [
        ProjectedRow({column: 1}, low, high, ())
        for column, low, high in fixed
        if low == high and is_finite(low)
    ]
    found = Projected(rows, set(columns), dict(model.costs))
    found.most += MAX_FILL_FACTOR * sum(len(row.terms) for row in rows)
    if not columns:
        return found
    integer = list(map(bool, model.values("integer")))
    tried = set(found.left)
    with contextlib.suppress(TimeoutError):
        while _eliminate(found, tried, model, integer, clock):
            pass
    return found


def _eliminate(
    found: Projected, tried: set[int], model: Model, integer: list[bool], clock: Deadline
) -> bool:
    """Eliminate one of some columns and return whether one could be.

    A column whose elimination makes too many or too large numbers is not tried again.

    Raises
    ------
    TimeoutError
        If the time limit is reached; then the rows are as they were.
    """
    holders: dict[int, list[int]] = {column: [] for column in found.left}
    for index, row in enumerate(found.rows):
        for column in row.terms.keys() & found.left:
            holders[column].append(index)
    for column in sorted(tried, key=lambda c: (len(holders[c]), c)):
        clock.check(LATE)
        bounds = model.bounds(column)
        ways = []
        for way in (_solve_for, _combine):
            ways.append(way(found, column, bounds, integer, clock))
            if ways[-1]:
                tried.discard(column)
                found.left.discard(column)
                return True
        if None in ways:
            tried.discard(column)
    return False


def _fits(rows: Sequence[ProjectedRow], made: Iterable[ProjectedRow], most: int) -> bool:
    """Return whether rows, some of them new, have few enough coefficients and digits."""
    return sum(len(row.terms) for row in rows) <= most and all(
        max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
        for row in made
        for value in (*row.terms.values(), row.low, row.high)
        if is_finite(value)
    )


def _whole(row: ProjectedRow, column: int, integer: list[bool]) -> bool:
    """Whether an equation gives an integer column an integral value for integral others."""
    factor = row.terms[column]
    others = (value for c, value in row.terms.items() if c != column)
    return (
        all(integer[c] for c in row.terms)
        and all((Fraction(value) / factor).denominator == 1 for value in others)
        and is_finite(row.low)
        and (Fraction(row.low) / factor).denominator == 1
    )


def _solve_for(
    found: Projected,
    column: int,
    bounds: Interval,
    integer: list[bool],
    clock: Deadline,
) -> bool | None:
    """Eliminate a column by an equation, if there is one; return None if it is too large."""
    equations = [
        index
        for index, row in enumerate(found.rows)
        if column in row.terms
        and row.low == row.high
        and (not integer[column] or _whole(row, column, integer))
    ]
    if not equations:
        return False
    chosen = found.rows[min(equations, key=lambda index: len(found.rows[index].terms))]
    factor, side = chosen.terms[column], chosen.low
    assert is_finite(side)
    rest = {c: value for c, value in chosen.terms.items() if c != column}
    made: list[ProjectedRow] = []
    new: list[ProjectedRow] = []
    for row in found.rows:
        if row is chosen:
            # factor * column = side - rest, with the column within its bounds
            made.append(ProjectedRow(rest, *bounds.times(-factor).plus(side), row.origin))
        elif column in row.terms:
            clock.check(LATE)
            new.append(_plus(row, chosen, -Fraction(row.terms[column]) / factor, column))
            made.append(new[-1])
        else:
            made.append(row)
    if not _fits(made, new, found.most):
        return None
    found.rows = [row for row in made if not _void(row)]
    price = found.cost.pop(column, 0)
    if price:
        times = Fraction(price) / factor
        found.constant += times * side
        for c, value in rest.items():
            found.cost[c] = found.cost.get(c, 0) - times * value
    return True


def _plus(row: ProjectedRow, other: ProjectedRow, times: Number, column: int) -> ProjectedRow:
    """Return a row plus a multiple of an equation, without a column."""
    terms = dict(row.terms)
    for c, value in other.terms.items():
        terms[c] = terms.get(c, 0) + times * value
    assert is_finite(other.low)
    low, high = Interval(row.low, row.high).plus(times * other.low)
    origin = tuple(sorted({*row.origin, *other.origin}))
    return ProjectedRow({c: v for c, v in terms.items() if v and c != column}, low, high, origin)


class _End(NamedTuple):
    """A bound on a column: it is at least, or at most, the side minus the terms."""

    terms: dict[int, Number]
    side: Number
    origin: tuple[int, ...]


def _combine(
    found: Projected,
    column: int,
    bounds: Interval,
    integer: list[bool],
    clock: Deadline,
) -> bool | None:
    """Eliminate a column of inequalities, if that adds few rows; None if these are too large."""
    holders = [row for row in found.rows if row.terms.get(column)]
    kept = [row for row in found.rows if not row.terms.get(column)]
    least, most = ([_End({}, end, ())] if is_finite(end) else [] for end in bounds)
    for row in holders:
        factor = row.terms[column]
        rest: dict[int, Number] = {
            c: Fraction(v) / factor for c, v in row.terms.items() if c != column
        }
        for side, upper in ((row.low, False), (row.high, True)):
            if is_finite(side):
                target = most if upper == (factor > 0) else least
                target.append(_End(rest, Fraction(side) / factor, row.origin))
    if integer[column] and not all(_integral(end, integer) for end in (*least, *most)):
        return False
    if len(least) * len(most) > len(holders) + MAX_ADDED_ROWS:
        return False
    new: list[ProjectedRow] = []
    for low_terms, low, low_origin in least:
        for high_terms, high, high_origin in most:
            clock.check(LATE)
            terms: dict[int, Number] = dict(high_terms)
            for c, value in low_terms.items():
                terms[c] = terms.get(c, 0) - value
            origin = tuple(sorted({*low_origin, *high_origin}))
            row = ProjectedRow({c: v for c, v in terms.items() if v}, -math.inf, high - low, origin)
            if not _void(row):
                new.append(row)
    if not _fits([*kept, *new], new, found.most):
        return None
    found.rows = [*kept, *new]
    if found.cost.pop(column, 0):
        found.priced = True
    return True


def _integral(end: _End, integer: list[bool]) -> bool:
    """Whether a bound on an integer column is always integral."""
    integral = all(integer[c] and value.denominator == 1 for c, value in end.terms.items())
    return integral and end.side.denominator == 1


def _void(row: ProjectedRow) -> bool:
    """Whether a row without columns holds."""
    return not row.terms and row.low <= 0 <= row.high


def uncompleted(
    one: Model, other: Model, projected: Projected, columns: Mapping[int, int]
) -> tuple[Model, HalfSpace] | None:
    """Return a model whose points above 0 in an inequality are solutions that cannot be completed.

    Its first columns are those of the one model; the others are multipliers and products.

    Parameters
    ----------
    one
        The model whose solutions are to be completed; its shared columns are binary.
    other
        The model that has further columns, which are continuous.
    projected
        The rows of the other model, and the further columns that are left in them.
    columns
        The column of the one model by the shared column of the other.

    Returns
    -------
    :
        None if a column has another type, or there are too many products.
    """
    integer = other.values("integer")
    if any(integer[column] for column in projected.left):
        return None
    sides = list(_sides(other, projected))
    shared = {c for terms, _ in sides for c in terms if c not in projected.left}
    if not all(_binary(one, columns[c]) for c in shared):
        return None
    if sum(c not in projected.left for terms, _ in sides for c in terms) > MAX_PRODUCTS:
        return None
    width = len(one.columns)
    rows: list[tuple[str, Mapping[int, Number], Bound, Bound]] = [
        (name, *row) for name, row in zip(one.rows, one.exact_rows(), strict=True)
    ]
    balance: dict[int, dict[int, Number]] = {column: {} for column in projected.left}
    excess: dict[int, Number] = {}
    last = width + len(sides)
    for number, (terms, side) in enumerate(sides):
        multiplier = width + number
        if side:
            excess[multiplier] = -side
        for column, value in terms.items():
            if column in projected.left:
                balance[column][multiplier] = value
                continue
            binary, product, last = columns[column], last, last + 1
            excess[product] = value
            rows += [
                ("product", {product: 1, multiplier: -1}, -math.inf, 0),
                ("product", {product: 1, binary: -1}, -math.inf, 0),
                ("product", {product: 1, multiplier: -1, binary: -1}, -1, math.inf),
            ]
    rows += [("balance", terms, 0, 0) for terms in balance.values() if terms]
    more = last - width
    made = exact_model(
        [*one.columns, *(f" {number}" for number in range(more))],
        [*one.column_bounds, *[Interval(0, 1)] * more],
        [*map(bool, one.values("integer")), *[False] * more],
        rows,
    )
    return made, HalfSpace(excess, 0, 0, integral=False)


def _binary(model: Model, column: int) -> bool:
    low, high = model.bounds(column)
    return bool(model.values("integer")[column]) and low >= 0 and high <= 1


def _sides(other: Model, projected: Projected) -> Iterator[tuple[dict[int, Number], Number]]:
    """Yield the sides ``terms @ x <= side`` of rows and bounds with further columns."""
    rows = [row for row in projected.rows if row.terms.keys() & projected.left]
    for column in sorted(projected.left):
        low, high = other.bounds(column)
        rows.append(ProjectedRow({column: 1}, low, high, ()))
    for row in rows:
        ends: tuple[tuple[int, Bound], ...] = ((-1, row.low), (1, row.high))
        for sign, end in ends:
            if is_finite(end):
                yield {c: sign * value for c, value in row.terms.items()}, sign * end
