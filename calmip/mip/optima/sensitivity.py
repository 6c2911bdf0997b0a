"""Exact dual values, reduced costs and ranges of a linear program, as intervals.

The usual tables of sensitivity are those of one basis (Bertsimas and Tsitsiklis, chapter 5;
Jansen, de Jong, Roos and Terlaky 1997, https://doi.org/10.1016/S0377-2217(96)00172-5). These are
over all optimal dual solutions, which are the dual feasible ones that are complementary to an
optimal point. Each end is that of an exact linear program.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from calmip._base.errors import InputError
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import renderers
from calmip.mip.face import other_point
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.model import Model
from calmip.mip.optima.face import optimal_point
from calmip.mip.optima.ranges import describe_bound
from calmip.mip.rows import Bound, Interval, Number, is_finite, shortest
from calmip.mip.status import Status

LATE = "the dual values were not found"

ANY = Interval(-math.inf, math.inf)

Values = Mapping[int, Number]


class RowSensitivity(NamedTuple):
    """What a row says about the objective; None where the time did not suffice.

    Attributes
    ----------
    activity
        The value of its left side.
    dual
        The change of the objective per unit of the side at which the row is: the least and the
        greatest dual value. They differ if the objective changes otherwise for less than for more.
    lower, upper
        The values of the row's lower and upper side for which the objective changes at the rate
        of the dual value, below the side at one end of it and above at the other. None without
        such a side.
    """

    activity: Number
    dual: Interval | None = None
    lower: Interval | None = None
    upper: Interval | None = None


class ColumnSensitivity(NamedTuple):
    """What a variable says about the objective; None where the time did not suffice.

    Attributes
    ----------
    value
        Its value.
    reduced_cost
        The least and the greatest change of the objective per unit of the bound at which it is.
    cost
        Its costs for which the point stays optimal.
    """

    value: Number
    reduced_cost: Interval | None = None
    cost: Interval | None = None


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """Result of `find_sensitivity`.

    Parameters
    ----------
    model
        The model.
    point
        The optimal point: exact values by column, without zeros.
    rows, columns
        Those of each row and column.
    stopped
        Why some are missing: ``"time"``; or empty.
    """

    model: Model = field(repr=False)
    point: Values
    rows: tuple[RowSensitivity, ...]
    columns: tuple[ColumnSensitivity, ...]
    stopped: str = ""

    @property
    def objective(self) -> Number:
        """The exact objective."""
        return self.model.exact_objective(self.point)

    @cached_property
    def duals(self) -> dict[str, Interval | None]:
        """The dual values by the names of the rows."""
        every = (one.dual for one in self.rows)
        return dict(zip(self.model.rows, every, strict=True))

    @cached_property
    def reduced_costs(self) -> dict[str, Interval | None]:
        """The reduced costs by the names of the columns."""
        every = (one.reduced_cost for one in self.columns)
        return dict(zip(self.model.columns, every, strict=True))

    @property
    def unique(self) -> bool | None:
        """Whether the dual solution is unique; None if that is not known."""
        every = [*self.duals.values(), *self.reduced_costs.values()]
        if any(one is not None and one.low < one.high for one in every):
            return False
        return None if None in every else True

    def describe(self) -> dict[str, Any]:
        """Return it as plain data; an infinite end is a text."""
        parts: tuple[tuple[str, Any, Any], ...] = (
            ("row", self.model.rows, self.rows),
            ("variable", self.model.columns, self.columns),
        )
        return {
            f"{what}s": [
                {what: name, **{key: _plain(value) for key, value in one._asdict().items()}}
                for name, one in zip(names, every, strict=True)
            ]
            for what, names, every in parts
        }

    def __str__(self) -> str:
        """Return a sentence on the dual solution."""
        if self.unique is None:
            return "time limit reached: some dual values are not known"
        if self.unique:
            text = "the dual solution is unique"
        else:
            number = sum(one is not None and one.low < one.high for one in self.duals.values())
            text = f"the dual solution is not unique: {number} dual values are intervals"
        if not any(self.model.values("integer")):
            return text
        return (
            f"{text}. The integer variables are fixed at these values; if sides or costs change, "
            "others may be better"
        )

    def __repr__(self) -> str:
        return f"<Sensitivity: {self}>"

    def _repr_html_(self) -> str:
        """Return the tables, for notebooks."""
        return renderers.notebook().html(self)


def _plain(value: Any) -> Any:
    if isinstance(value, Interval):
        return list(map(describe_bound, value))
    return value if value is None else describe_bound(value)


def find_sensitivity(
    model: Model, point: Values | None = None, *, clock: Deadline = ENDLESS
) -> Sensitivity:
    """Return exact dual values, reduced costs, and ranges of costs and sides.

    All are changes of the objective in the sense of the model: of a maximum, too, a dual value of
    3 says that the objective grows by 3 per unit of the side.

    Parameters
    ----------
    model
        The model. Without a point, it is a linear program, which is solved.
    point
        An optimal point of the model, whose integer columns are fixed. What is said does not
        hold for other values of them.
    clock
        The time limit. What it leaves open is None.

    Raises
    ------
    InputError
        If there is no optimum, if the point is not optimal with its integers, or if the model has
        integer columns, and the argument ``point`` is left out.
    TimeoutError
        If the time limit is reached before the optimum is known.
    SolverFailed
        If exact searches disagree.
    """
    model.check_rows_alone("a sensitivity analysis")
    point = optimal_point(model, point, clock)
    return _Search(model, {c: x for c, x in point.items() if x}, clock).find()


def optimal_duals(
    model: Model, point: Values, clock: Deadline = ENDLESS
) -> tuple[list[Number], list[Number]] | None:
    """Return dual values by row and reduced costs by column, in the sense of the model.

    They are one of the optimal dual solutions of the linear program with the integer columns at
    the values of a point. None if it has no optimum, or in a time limit.
    """
    answer = ExactLp(model).solve(point, clock)
    if answer.status is not Status.OPTIMAL:
        return None
    sign = -1 if model.maximise else 1
    left = dict(model.costs)
    for number, row in enumerate(model.exact_rows()):
        price = answer.prices.get(number, 0)
        for column, a in row.terms.items() if price else ():
            left[column] = left.get(column, 0) - price * a
    return (
        [shortest(sign * answer.prices.get(row, 0)) for row in range(len(model.rows))],
        [shortest(sign * left.get(column, 0)) for column in range(len(model.columns))],
    )


def slacks(model: Model, point: Values) -> list[Number]:
    """Return by row the upper side minus the left side, or the lower side if that is infinite."""
    found: list[Number] = []
    for row in model.exact_rows():
        side = row.high if is_finite(row.high) else row.low
        total = sum(a * point.get(c, 0) for c, a in row.terms.items())
        found.append(shortest(side - total) if is_finite(side) else 0)
    return found


class _Ends(NamedTuple):
    """The ends of a function over the dual solutions, and a solution at each if it is finite."""

    low: Bound
    high: Bound
    at_low: Values
    at_high: Values

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)


class _Search:
    """The search for all ends, for the objective that is minimised.

    The dual program has a column for the price of each row that is tight, and one for the sum of
    the prices on each column; the primal one has a column for the activity of each row.
    """

    def __init__(self, model: Model, point: Values, clock: Deadline) -> None:
        self.model, self.point, self.clock = model, point, clock
        self.sign = -1 if model.maximise else 1
        integer = model.values("integer")
        self.bounds = [
            Interval(point.get(c, 0), point.get(c, 0)) if integer[c] else bounds
            for c, bounds in enumerate(model.column_bounds)
        ]
        self.width = len(self.bounds)
        self.given = model.exact_rows()
        self.sums: list[Number] = [
            shortest(sum(a * point.get(c, 0) for c, a in row.terms.items())) for row in self.given
        ]
        self.price: dict[int, int] = {}
        """The column of the dual program for the price of a row that is tight."""
        self.dual = self._dual_program()
        self.primal = self._primal_program()
        self.rows = [RowSensitivity(total) for total in self.sums]
        self.columns = [ColumnSensitivity(point.get(c, 0)) for c in range(self.width)]

    def _dual_program(self) -> ExactLp:
        """Return the program of the dual solutions; see the class."""
        names, ends = [], []
        for number, (row, total) in enumerate(zip(self.given, self.sums, strict=True)):
            low, high = row.bounds
            if total in (low, high):
                self.price[number] = self.width + len(self.price)
                names.append(f"y{number}")
                ends.append(
                    Interval(
                        0 if total == low < high else -math.inf,
                        0 if total == high > low else math.inf,
                    )
                )
        sums: list[dict[int, Number]] = [{column: -1} for column in range(self.width)]
        for number, place in self.price.items():
            for column, a in self.given[number].terms.items():
                sums[column][place] = a
        names = [f"r{column}" for column in range(self.width)] + names
        ends = [self._sum_bounds(column) for column in range(self.width)] + ends
        rows = [("", terms, 0, 0) for terms in sums]
        return ExactLp(exact_model(names, ends, [False] * len(ends), rows))

    def _sum_bounds(self, column: int) -> Interval:
        """Return the bounds of the sum of prices on a column, by complementarity."""
        cost, value = self.model.costs.get(column, 0), self.point.get(column, 0)
        low, high = self.bounds[column]
        if low == high:
            return ANY
        return Interval(-math.inf if value == low else cost, math.inf if value == high else cost)

    def _primal_program(self) -> ExactLp:
        """Return the program of the points; see the class."""
        ends = [*self.bounds, *(row.bounds for row in self.given)]
        names = [f"x{number}" for number in range(len(ends))]
        rows = [
            ("", {**row.terms, self.width + number: -1}, 0, 0)
            for number, row in enumerate(self.given)
        ]
        return ExactLp(exact_model(names, ends, [False] * len(ends), rows))

    def find(self) -> Sensitivity:
        """Return what is found within the time limit."""
        stopped = ""
        try:
            start = self._solve(self.dual, {})
            if start is None:
                raise InputError("the point is not optimal with these values of its integers")
            alone = other_point(self.dual.model, start, self.clock) is None
            for row in range(len(self.rows)):
                self._find_row(row, start, alone=alone)
            for column in range(self.width):
                self._find_column(column, start, alone=alone)
        except TimeoutError:
            stopped = "time"
        return Sensitivity(self.model, self.point, tuple(self.rows), tuple(self.columns), stopped)

    def _solve(
        self, lp: ExactLp, costs: Mapping[int, Number], bounds: Mapping[int, Any] | None = None
    ) -> Values | None:
        """Return an optimal point; None if the program is infeasible or unbounded."""
        self.clock.check(LATE)
        lp.set_costs(costs)
        answer = lp.solve({}, self.clock, bounds=bounds)
        if answer.status is Status.UNKNOWN:
            raise TimeoutError(answer.reason)
        return answer.point if answer.status is Status.OPTIMAL else None

    def _ends(
        self, column: int, start: Values, *, alone: bool, bounds: Mapping[int, Any] | None = None
    ) -> _Ends:
        """Return the ends of a column of the dual program; all are known if ``alone``."""
        if alone:
            value = start.get(column, 0)
            return _Ends(value, value, start, start)
        low, high = (self._solve(self.dual, {column: sign}, bounds) for sign in (1, -1))
        return _Ends(
            -math.inf if low is None else low.get(column, 0),
            math.inf if high is None else high.get(column, 0),
            low or {},
            high or {},
        )

    def _own(self, interval: Interval) -> Interval:
        """Return an interval of changes in the sense of the model."""
        return interval.times(self.sign)

    def _find_row(self, number: int, start: Values, *, alone: bool) -> None:
        """Find the dual value of a row, and the ranges of its sides."""
        row = self.given[number]
        place = self.price.get(number)
        ends = _Ends(0, 0, start, start)
        if place is not None:
            ends = self._ends(place, start, alone=alone)
        found = self.rows[number]._replace(dual=self._own(ends.interval))
        self.rows[number] = found
        total, (low, high) = self.sums[number], row.bounds
        if low == high:
            both = Interval(
                self._reach(number, ends.low, ends.at_low, -1, ANY),
                self._reach(number, ends.high, ends.at_high, 1, ANY),
            )
            self.rows[number] = found._replace(lower=both, upper=both)
            return
        if low != -math.inf:
            below: Bound = -math.inf
            if total == low and ends.low:
                below = self._reach(number, ends.low, ends.at_low, -1, Interval(-math.inf, high))
            side = Interval(-math.inf, high) if total == low else row.bounds
            above = self._reach(number, ends.high, ends.at_high, 1, side)
            found = found._replace(lower=Interval(below, above))
        if high != math.inf:
            beyond: Bound = math.inf
            if total == high and ends.high:
                beyond = self._reach(number, ends.high, ends.at_high, 1, Interval(low, math.inf))
            side = Interval(low, math.inf) if total == high else row.bounds
            under = self._reach(number, ends.low, ends.at_low, -1, side)
            found = found._replace(upper=Interval(under, beyond))
        self.rows[number] = found

    def _reach(self, number: int, price: Bound, dual: Values, sign: int, side: Interval) -> Bound:
        """Return how far the activity of a row moves while a dual solution stays optimal.

        The points are those that are complementary to it; the row itself has other sides.
        """
        if abs(price) == math.inf:
            return self.sums[number]
        bounds: dict[int, Any] = {}
        for column in range(self.width):
            if dual.get(column, 0) != self.model.costs.get(column, 0):
                value = self.point.get(column, 0)
                bounds[column] = value, value
        for other, place in self.price.items():
            if dual.get(place, 0):
                bounds[self.width + other] = self.sums[other], self.sums[other]
        place = self.width + number
        tight = number in self.price and dual.get(self.price[number], 0)
        if not (tight and side == self.given[number].bounds):
            bounds[place] = side
        found = self._solve(self.primal, {place: -sign}, bounds)
        return sign * math.inf if found is None else found.get(place, 0)

    def _find_column(self, column: int, start: Values, *, alone: bool) -> None:
        """Find the reduced cost of a column, and the range of its cost."""
        cost, value = self.model.costs.get(column, 0), self.point.get(column, 0)
        ends = self._ends(column, start, alone=alone)
        reduced = ends.interval.times(-1).plus(cost)
        found = self.columns[column]._replace(reduced_cost=self._own(reduced))
        self.columns[column] = found
        low, high = self.bounds[column]
        if low == high:
            self.columns[column] = found._replace(cost=ANY)
            return
        # Without the bound of the sum by its own cost; at a bound, more or less always stays.
        least: Bound = -math.inf
        most: Bound = math.inf
        if value != high:
            least = self._free_end(column, 1)
        if value != low:
            most = self._free_end(column, -1)
        self.columns[column] = found._replace(cost=self._own(Interval(least, most)))

    def _free_end(self, column: int, sign: int) -> Bound:
        """Return the least (1) or the greatest (-1) sum of prices on a column with any cost."""
        found = self._solve(self.dual, {column: sign}, {column: ANY})
        return -sign * math.inf if found is None else shortest(Fraction(found.get(column, 0)))
