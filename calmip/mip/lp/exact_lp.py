"""Linear programs solved in rational numbers, from a basis that HiGHS finds.

HiGHS proposes a basis in floating point. From there the simplex method goes on in whole numbers
and fractions, mostly without a single pivot. It ends with an exactly optimal vertex, exact Farkas
multipliers, or an exact ray. The dual steps are those of Dutertre and de Moura (2006,
https://doi.org/10.1007/11817963_11) if no basis is dual feasible; Bland's rule ends both.
Starting from the floating-point basis is due to Applegate, Cook, Dash and Espinoza (2007,
https://doi.org/10.1016/j.orl.2006.12.010).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain
from types import MappingProxyType
from typing import Any, cast

from calmip._base.errors import SolverFailed
from calmip._base.highs import HighsModel, linear_program
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.model import Model, inexact
from calmip.mip.rows import Bound, Interval, Number, is_finite, shortest
from calmip.mip.status import Status

BASIC, UPPER = 1, 2
"""HiGHS's numbers of these states in a basis."""

INSIDE = 1e-7
"""Values this far from their bounds, times 1 more than these, are those of basic columns."""

MISSES = 3
"""Points near which no optimal vertex is found, but for so many, are as many as the others."""

LATE = "the exact solution of the linear program was not finished"

GREEDY_PIVOTS_PER_ROW = 3
"""So many pivots per row, the largest violation is chosen; later Bland's rule, which ends."""

ZERO = 0, 1
"""A number as whole numbers above and below the line."""

MAX_KEPT_BASES = 64
"""The factors of so many bases are kept for later linear programs."""

Numbers = dict[int, Number]

Step = tuple[int, int, int, dict[int, int]]
"""The row and the column of a pivot, its value, and the rest of its row."""


@dataclass(frozen=True)
class LinearAnswer:
    """An exact answer to a linear program.

    Parameters
    ----------
    status
        Optimal, infeasible, unbounded, or unknown at the time limit.
    point
        The values of all columns that are not 0, if optimal or unbounded. Every row and every
        bound holds exactly.
    cost
        The exact cost of the point, to be minimised, without the constant.
    prices
        By row: the dual values if optimal, Farkas multipliers if infeasible (see `refutes`).
    ray
        A direction in which the cost falls for ever, if unbounded: whole numbers without a common
        divisor.
    reason
        Why the status is unknown, or what is infeasible without multipliers.
    unique
        Whether the reduced costs prove that no other point is optimal.
    """

    status: Status
    point: Numbers = field(default_factory=dict)
    cost: Number | None = None
    prices: Numbers = field(default_factory=dict)
    ray: Numbers = field(default_factory=dict)
    reason: str = ""
    unique: bool = False


class ExactLp:
    """A linear program over some columns of a model, for changing values of the others.

    Integrality of the free columns is ignored.

    Parameters
    ----------
    model
        The model.
    free
        The columns that the linear program chooses; by default the continuous ones.

    Raises
    ------
    SolverMissing
        If highspy is not installed.
    """

    def __init__(self, model: Model, free: Iterable[int] | None = None) -> None:
        self.model = model
        if free is None:
            free = (c for c, integer in enumerate(model.values("integer")) if not integer)
        self.free = sorted(free)
        self._index = index = {column: number for number, column in enumerate(self.free)}
        self._rows: list[int] = []
        """The rows with free columns."""
        self._terms: list[dict[int, int]] = []
        """Their coefficients on the free columns by place, whole."""
        self._given: list[tuple[int, Bound, Bound, int]] = []
        """Every row: its place or -1, whole bounds, and the scale."""
        self._others: dict[int, list[tuple[int, int]]] = {}
        """By column that is not free, its rows and whole coefficients."""
        for row, ((terms, low, high), scale) in enumerate(model.scaled_rows):
            own = {index[c]: value for c, value in terms.items() if c in index}
            for column, value in terms.items():
                if column not in index:
                    self._others.setdefault(column, []).append((row, value))
            self._given.append((len(self._rows) if own else -1, low, high, scale))
            if own:
                self._rows.append(row)
                self._terms.append(own)
        self._bounds = model.column_bounds
        rest = (c for c in range(len(self._bounds)) if c not in index)
        self._nonzero = [c for c in rest if not self._bounds[c].low <= 0 <= self._bounds[c].high]
        """The columns that are not free and cannot be 0."""
        self._highs: HighsModel | None = None
        self._last: tuple[list[float], list[float]] = [], []
        self._known: dict[frozenset[int], Factors] = {}
        self._trust = MISSES
        self.set_costs(model.costs)

    def set_costs(self, costs: Mapping[int, Number]) -> None:
        """Minimise other costs from now on; HiGHS goes on from its last basis."""
        self._costs = costs
        own = [costs.get(column, 0) for column in self.free]
        self._unit = math.lcm(*(cost.denominator for cost in own))
        self._cost = [int(cost * self._unit) for cost in own]
        for factors in self._known.values():
            factors.priced = None
        if self._highs is not None:
            self._highs.set_costs(self._scaled_costs())

    def _scaled_costs(self) -> list[float]:
        size = max(map(abs, self._cost), default=1) or 1
        return [cost / size for cost in self._cost]

    def solve(
        self,
        values: Mapping[int, Number] | None = None,
        clock: Deadline = ENDLESS,
        *,
        bounds: Mapping[int, tuple[Bound, Bound]] | None = None,
        near: Sequence[float] = (),
    ) -> LinearAnswer:
        """Return the best values of the free columns, or the proof that there are none.

        Parameters
        ----------
        values
            The exact values of the other columns, 0 where none is given. Values of free columns
            are ignored.
        clock
            The time limit.
        bounds
            Bounds of free columns instead of the model's.
        near
            The values of the free columns at a point that is probably optimal. If the vertex at it
            is, HiGHS is not asked.
        """
        given = {c: v for c, v in values.items() if v and c not in self._index} if values else {}
        limits = self._limits(given, bounds or {})
        if isinstance(limits, LinearAnswer):
            return limits
        simplex = _Simplex(self._terms, limits, self._cost, clock, self._known)
        try:
            tries = bool(near) and self._trust > 0
            if tries:
                simplex.start(self._states_near(near, limits))
            if tries and simplex.is_optimal():
                self._trust += 1
                status = Status.OPTIMAL
            else:
                self._trust -= tries
                simplex.start(self._basis(limits, clock))
                status = simplex.run()
        except TimeoutError as error:
            return LinearAnswer(Status.UNKNOWN, reason=str(error))
        if status is Status.INFEASIBLE:
            return LinearAnswer(status, prices=self._multipliers(simplex.prices, 1))
        point = dict(given)
        point.update((c, shortest(v)) for c, v in zip(self.free, simplex.values, strict=False) if v)
        # Sums of whole numbers over one denominator are faster than sums of fractions.
        priced = {c: v for c, v in point.items() if c in self._costs}
        by, numerators = _over_one(priced.values())
        sums = zip(priced, numerators, strict=True)
        cost = _over(sum([self._costs[c] * one for c, one in sums]), by)
        if status is Status.UNBOUNDED:
            steps = _whole_steps(simplex.ray)
            ray = {self.free[index]: step for index, step in steps.items()}
            return LinearAnswer(status, point, cost, ray=ray)
        prices = self._multipliers(simplex.prices, self._unit)
        return LinearAnswer(status, point, cost, prices, unique=simplex.unique)

    def _limits(
        self, given: Numbers, bounds: Mapping[int, tuple[Bound, Bound]]
    ) -> list[tuple[Bound, Bound]] | LinearAnswer:
        """Return the bounds of the free columns, then of the rows; or why no point satisfies them.

        The bounds of a row are those of the sum of its free columns.
        """
        limits = [bounds.get(column, self._bounds[column]) for column in self.free]
        ends = zip(self.free, limits, strict=True)
        wrong = [column for column, (low, high) in ends if not low <= high]
        for column in {*given, *self._nonzero}:
            low, high = self._bounds[column]
            if not low <= given.get(column, 0) <= high:
                wrong.append(column)
        if wrong:
            name = self.model.columns[min(wrong)]
            return LinearAnswer(Status.INFEASIBLE, reason=f"no value of column {name}")
        fixed: list[Number] = [0] * len(self._given)
        for column, number in given.items():
            for row, value in self._others.get(column, ()):
                fixed[row] += value * number
        for row, (index, low, high, _) in enumerate(self._given):
            if low > high or (index < 0 and not low <= fixed[row] <= high):
                return LinearAnswer(Status.INFEASIBLE, prices={row: 1})
            if index >= 0:
                limits.append(Interval(low, high).plus(-fixed[row]) if fixed[row] else (low, high))
        return limits

    def _multipliers(self, prices: Sequence[Number], unit: int) -> Numbers:
        """Return multipliers of scaled rows as those of the model's rows."""
        return {
            row: _over(price.numerator * self._given[row][-1], price.denominator * unit)
            for row, price in zip(self._rows, prices, strict=True)
            if price
        }

    def _states_near(
        self, near: Sequence[float], limits: Sequence[tuple[Bound, Bound]]
    ) -> list[int]:
        """Return states of columns and rows: those between their bounds at a point are basic."""
        found = []
        try:
            sums = [sum([a * near[c] for c, a in terms.items()]) for terms in self._terms]
            for value, (low, high) in zip([*near, *sums], limits, strict=True):
                above, below = value - low, high - value
                least = INSIDE * (1 + abs(value))
                inside = above > least and below > least
                found.append(BASIC if inside else UPPER * (below < above))
        except OverflowError:  # numbers beyond floating point
            return []
        return found

    def _basis(self, limits: list[tuple[Bound, Bound]], clock: Deadline) -> list[int]:
        """Return HiGHS's states of the columns and rows, none if it has no basis."""
        if not self.free:
            return []
        scales = [1] * len(self.free) + [self._given[row][-1] for row in self._rows]
        try:
            low, high = (
                [float(pair[side] / scale) for pair, scale in zip(limits, scales, strict=True)]
                for side in (0, 1)
            )
            if self._highs is None:
                self._highs = self._new_highs(low, high)
            else:
                self._change(self._highs, low, high)
        except (OverflowError, SolverFailed):
            return []
        self._last = low, high
        seconds = clock.left()
        self._highs.run(math.inf if seconds is None else seconds)
        columns, rows = self._highs.basis()
        return [*columns, *rows] if len(columns) + len(rows) == len(limits) else []

    def _new_highs(self, low: list[float], high: list[float]) -> HighsModel:
        width = len(self.free)
        start: list[int] = [0]
        index: list[int] = []
        value: list[float] = []
        for row, terms in zip(self._rows, self._terms, strict=True):
            index += terms
            value += [v / self._given[row][-1] for v in terms.values()]
            start.append(len(index))
        return linear_program(
            "the exact linear program",
            (low[width:], high[width:]),
            (start, index, value),
            cost=self._scaled_costs(),
            columns=(low[:width], high[:width]),
            primal_feasibility_tolerance=1e-9,
            dual_feasibility_tolerance=1e-9,
        )

    def _change(self, highs: HighsModel, low: list[float], high: list[float]) -> None:
        width = len(self.free)
        pairs = zip(zip(low, high, strict=True), zip(*self._last, strict=True), strict=True)
        changed = [index for index, (new, old) in enumerate(pairs) if new != old]
        columns = [index for index in changed if index < width]
        if columns:
            highs.bound_columns(columns, [low[c] for c in columns], [high[c] for c in columns])
        for index in changed[len(columns) :]:
            highs.bound_row(index - width, low[index], high[index])


def refutes(
    model: Model, prices: Mapping[int, Number], values: Mapping[int, Number] | None = None
) -> bool:
    """Return whether Farkas multipliers prove a model infeasible, in exact arithmetic.

    The rows, each times its multiplier, are added up. The sum over the bounds of the columns
    cannot reach the sum over the bounds of the rows (Farkas 1902).

    Parameters
    ----------
    model
        The model; integrality is ignored.
    prices
        The multipliers by row.
    values
        The values of columns that are fixed.
    """
    fixed = values or {}
    total: Numbers = {}
    ends: list[Interval] = []
    for row, price in prices.items():
        terms, *_ = given = model.exact_row(row)
        if price:
            ends.append(given.bounds.times(-price))
        for column, value in terms.items():
            total[column] = total.get(column, 0) + price * value
    for column, value in total.items():
        bounds = Interval(*(fixed[column],) * 2) if column in fixed else model.bounds(column)
        if value:
            ends.append(bounds.times(value))
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    return (all(map(is_finite, lows)) and sum(lows) > 0) or (
        all(map(is_finite, highs)) and sum(highs) < 0
    )


def _whole_steps(ray: Mapping[int, Number]) -> Numbers:
    """Return the smallest whole multiple of a ray, without zeros."""
    up = math.lcm(*(step.denominator for step in ray.values()))
    steps = {index: int(step * up) for index, step in ray.items() if step}
    divisor = math.gcd(*steps.values()) or 1
    return {index: step // divisor for index, step in steps.items()}


def _over_one(values: Collection[Number]) -> tuple[int, list[int]]:
    """Return the common denominator of numbers, and their numerators over it."""
    by = math.lcm(*(value.denominator for value in values))
    return by, [value.numerator * (by // value.denominator) for value in values]


def _over(number: Number, divisor: Number) -> Number:
    """Return the exact quotient, an int if it is whole."""
    if type(number) is int and type(divisor) is int and not number % divisor:
        return number // divisor
    quotient = Fraction(number, divisor)
    return quotient.numerator if quotient.denominator == 1 else quotient


def _size(number: Number) -> Number:
    return -number if number < 0 else number


class _Simplex:
    """The simplex method in exact numbers.

    Column ``width + i`` is the sum of row i. It has the row's bounds, so that every row is an
    equation with the right-hand side 0.
    """

    def __init__(
        self,
        rows: Sequence[dict[int, int]],
        limits: Sequence[tuple[Bound, Bound]],
        cost: Sequence[int],
        clock: Deadline,
        known: dict[frozenset[int], Factors],
    ) -> None:
        self.rows, self.limits, self.clock, self.known = rows, limits, clock, known
        self.width = len(cost)
        self.cost: list[Number] = [*cost, *[0] * len(rows)]
        self.values: list[Number] = [0] * len(limits)
        self.basic: set[int] = set()
        self.prices: list[Number] = []
        self.ray: Numbers = {}
        self.pivots = 0

    @cached_property
    def columns(self) -> list[dict[int, int]]:
        """The coefficients of each column by row."""
        found: list[dict[int, int]] = [{} for _ in range(self.width)]
        for row, terms in enumerate(self.rows):
            for column, value in terms.items():
                found[column][row] = value
        return found

    def start(self, states: Sequence[int]) -> None:
        """Begin at a basis with HiGHS's states, or with the rows as the basis."""
        every = range(len(self.limits))
        if states:
            self.basic = {index for index in every if states[index] == BASIC}
        else:
            self.basic = set(every[self.width :])
        for index in every:
            if index not in self.basic:
                self._rest(index, upper=bool(states) and states[index] == UPPER)
        self._factorise()

    def _rest(self, index: int, *, upper: bool = False) -> None:
        """Put a column to a bound, to 0 if it has none."""
        low, high = self.limits[index]
        if upper or not is_finite(low):
            low, high = high, low
        self.values[index] = low if is_finite(low) else high if is_finite(high) else 0

    def _factorise(self) -> None:
        """Factorise the basis, repair it if it is singular, and compute the basic values."""
        while True:
            key = frozenset(self.basic)
            found = self.known.get(key)
            if found is None:
                tight = [i for i in range(len(self.rows)) if self.width + i not in key]
                own = {column for column in key if column < self.width}
                found = Factors(self.rows, tight, own, self.clock)
                if len(self.known) >= MAX_KEPT_BASES:
                    self.known.clear()
                self.known[key] = found
            self.factors = found
            if not self.factors.left_rows and not self.factors.left_columns:
                break
            for column in self.factors.left_columns:
                self.basic.discard(column)
                self._rest(column)
            self.basic.update(self.width + row for row in self.factors.left_rows)
        self._update()

    def _update(self) -> None:
        """Compute the values of the basic columns."""
        values, width = self.values, self.width
        for column in self.basic:
            values[column] = 0
        right: Numbers = {}
        for row in self.factors.rows:
            total = sum(v * values[c] for c, v in self.rows[row].items() if values[c])
            right[row] = values[width + row] - total
        for column, value in self.factors.solve(right).items():
            values[column] = value
        # Sums of whole numbers over one denominator are faster than sums of fractions.
        by, numerators = _over_one(values[:width])
        for row, terms in enumerate(self.rows):
            if width + row in self.basic:
                values[width + row] = _over(sum(v * numerators[c] for c, v in terms.items()), by)

    def _dual(self, cost: Mapping[int, Number]) -> list[Number]:
        """Return the prices of all rows for these costs of basic columns."""
        prices: list[Number] = [0] * len(self.rows)
        own = {column: cost.get(column, 0) for column in self.factors.columns}
        for row, terms in enumerate(self.rows):
            price = cost.get(self.width + row, 0)
            if price and self.width + row in self.basic:
                prices[row] = -price
                for column, value in terms.items():
                    if column in own:
                        own[column] += price * value
        for row, price in self.factors.solve_transposed(own).items():
            prices[row] = price
        return prices

    def _reduced(self, cost: Sequence[Number] | None, prices: Sequence[Number]) -> Numbers:
        """Return the reduced costs of the nonbasic columns that are not 0, times a number above 0.

        The number is the common denominator of the prices: sums of whole numbers are faster.
        """
        by, numerators = _over_one(prices)
        basic = self.basic
        reduced: dict[int, Number] = {}
        if cost is not None:
            reduced = {c: v * by for c, v in enumerate(cost) if v and c not in basic}
        for row, numerator in enumerate(numerators):
            if not numerator:
                continue
            for column, value in self.rows[row].items():
                if column not in basic:
                    reduced[column] = reduced.get(column, 0) - numerator * value
            if self.width + row not in basic:
                reduced[self.width + row] = reduced.get(self.width + row, 0) + numerator
        return {column: value for column, value in reduced.items() if value}

    def _can_move(self, column: int, step: Number) -> bool:
        """Whether a nonbasic column can rise (step above 0) or fall."""
        low, high = self.limits[column]
        return self.values[column] < high if step > 0 else self.values[column] > low

    def _excess(self, column: int) -> Number:
        """Return how far a column is above (positive) or below its bounds."""
        (low, high), value = self.limits[column], self.values[column]
        if value < low:
            return value - cast(Number, low)
        return value - cast(Number, high) if value > high else 0

    def _pivot(self, leaving: int, entering: int, value: Number) -> None:
        self.basic.discard(leaving)
        self.basic.add(entering)
        self.values[leaving] = value
        self.pivots += 1
        self._factorise()

    @property
    def unique(self) -> bool:
        """Whether each column that may leave its bound raises the cost of an optimal point."""
        assert self.factors.priced is not None
        fixed = self.basic.union(self.factors.priced[1])
        return all(c in fixed or low == high for c, (low, high) in enumerate(self.limits))

    @property
    def _by_index(self) -> bool:
        """Whether it is time for Bland's rule."""
        return self.pivots > GREEDY_PIVOTS_PER_ROW * (len(self.rows) + 10)

    def is_optimal(self) -> bool:
        """Whether the basis is feasible and optimal as it is."""
        return not any(map(self._excess, self.basic)) and not self._wrong()

    def _wrong(self) -> list[int]:
        """Return the columns whose reduced costs have the wrong sign; set the prices."""
        if self.factors.priced is None:
            prices = self._dual(dict(enumerate(self.cost)))
            self.factors.priced = prices, self._reduced(self.cost, prices)
        self.prices, reduced = self.factors.priced
        return [c for c, value in sorted(reduced.items()) if self._can_move(c, -value)]

    def run(self) -> Status:
        """Return optimal, infeasible or unbounded."""
        if not self._make_feasible():
            return Status.INFEASIBLE
        self.pivots = 0
        return self._improve()

    def _make_feasible(self) -> bool:
        """Pivot until the basic values are within their bounds; return whether that succeeds."""
        cost: list[Number] | None = self.cost
        while True:
            self.clock.check(LATE)
            broken = {
                column: excess for column in sorted(self.basic) if (excess := self._excess(column))
            }
            if not broken:
                return True
            leaving = min(broken)
            if not self._by_index:
                leaving = max(broken, key=lambda column: _size(broken[column]))
            prices = self._dual({leaving: 1})
            # The leaving column plus these multiples of the others is 0.
            row = {column: -value for column, value in self._reduced(None, prices).items()}
            rising = broken[leaving] < 0
            eligible = [
                column
                for column, value in sorted(row.items())
                if self._can_move(column, -value if rising else value)
            ]
            if not eligible:
                self.prices = prices
                return False
            if cost is not None:
                reduced = self._reduced(cost, self._dual(dict(enumerate(cost))))
                if any(self._can_move(column, -value) for column, value in reduced.items()):
                    cost = None  # not dual feasible: any feasible basis will do
            if cost is None:
                entering = eligible[0]
                if not self._by_index:
                    entering = max(eligible, key=lambda column: _size(row[column]))
            else:
                entering = min(eligible, key=lambda c: (_size(_over(reduced.get(c, 0), row[c])), c))
            low, high = self.limits[leaving]
            self._pivot(leaving, entering, cast(Number, low if rising else high))

    def _improve(self) -> Status:
        """Pivot from a feasible basis until the cost is least, or falls for ever."""
        while True:
            self.clock.check(LATE)
            wrong = self._wrong()
            if not wrong:
                return Status.OPTIMAL
            assert self.factors.priced is not None
            reduced = self.factors.priced[1]
            entering = wrong[0]
            if not self._by_index:
                entering = max(wrong, key=lambda column: _size(reduced[column]))
            rising = reduced[entering] < 0
            steps = self._direction(entering, 1 if rising else -1)
            low, high = self.limits[entering]
            far: Bound = math.inf
            if is_finite(low) and is_finite(high):
                far = high - low
            leaving, side = entering, cast(Number, high if rising else low)
            for column, step in sorted(steps.items()):
                end = self.limits[column][1 if step > 0 else 0]
                if column != entering and is_finite(end):
                    reach = _over(end - self.values[column], step)
                    if reach < far:
                        far, leaving, side = reach, column, end
            if not is_finite(far):
                self.ray = {c: step for c, step in steps.items() if c < self.width}
                return Status.UNBOUNDED
            for column, step in steps.items():
                self.values[column] += far * step
            if leaving != entering:
                self._pivot(leaving, entering, side)

    def _direction(self, entering: int, step: int) -> Numbers:
        """Return how the entering column and the basic ones move together, without zeros."""
        width = self.width
        column = self.columns[entering] if entering < width else {entering - width: -1}
        right: Numbers = {row: -step * v for row, v in column.items() if row in self.factors.rows}
        moves = {c: v for c, v in self.factors.solve(right).items() if v}
        if entering < width:
            moves[entering] = step
        sums: Numbers = {}
        for index, move in moves.items():
            for row, value in self.columns[index].items():
                if width + row in self.basic:
                    sums[width + row] = sums.get(width + row, 0) + value * move
        moves.update((index, move) for index, move in sums.items() if move)
        moves[entering] = step
        return moves


class Factors:
    """The factors of a sparse square matrix, by elimination with few new entries.

    Pivots are chosen by the rule of Markowitz (1957). If the matrix is singular or not square,
    ``left_rows`` and ``left_columns`` are those without a pivot.
    """

    def __init__(
        self,
        rows: Sequence[Mapping[int, int]] | Mapping[int, Mapping[int, int]],
        tight: Iterable[int],
        columns: set[int],
        clock: Deadline,
    ) -> None:
        left: dict[int, dict[int, int]] = {
            row: {c: v for c, v in rows[row].items() if c in columns} for row in tight
        }
        holders: dict[int, set[int]] = {column: set() for column in columns}
        for row, terms in left.items():
            for column in terms:
                holders[column].add(row)
        self.rows, self.columns = set(left), set(columns)
        self.priced: tuple[list[Number], Numbers] | None = None
        """The prices and the reduced costs of this basis, once they are known."""
        self._steps: list[Step] = []
        self._moves: list[tuple[int, int, int, int, int]] = []
        """A row becomes ``a`` times itself minus ``b`` times another one, over a number."""
        # Entries whose number of holders has changed since are passed over.
        queue = [(len(held), column) for column, held in holders.items() if held]
        heapify(queue)
        while queue:
            count, column = heappop(queue)
            if len(holders.get(column, ())) != count:
                continue
            clock.check(LATE)
            row = min(holders[column], key=lambda r: (len(left[r]), r))
            terms = left.pop(row)
            pivot = terms.pop(column)
            for other in terms:
                holders[other].discard(row)
            step = row, column, pivot, terms
            for target in holders.pop(column) - {row}:
                self._moves.append((target, row, *_eliminate(left[target], target, step, holders)))
            for other in terms:  # the holders of no others have changed
                if held := holders[other]:
                    heappush(queue, (len(held), other))
            self._steps.append(step)
        self.left_rows, self.left_columns = list(left), list(holders)

    # Whole numbers above and below the line are many times faster than fractions.

    def solve(self, right: Mapping[int, Number]) -> Numbers:
        """Return the values by column for a right-hand side by row; columns left are 0."""
        own = {row: (value.numerator, value.denominator) for row, value in right.items() if value}
        for target, row, a, b, over in self._moves:
            n, d = own.get(target, ZERO)
            if row in own:
                m, e = own[row]
                if d == e:
                    n = a * n - b * m
                else:
                    n, d = a * n * e - b * m * d, d * e
            elif n and (a != 1 or over != 1):
                n *= a
            else:
                continue
            own[target] = _reduced(n, d * over)
        found: dict[int, tuple[int, int]] = {}
        for row, column, pivot, terms in reversed(self._steps):
            n, d = own.get(row, ZERO)
            for other, value in terms.items():
                if other in found:
                    m, e = found[other]
                    if d == e:
                        n -= value * m
                    else:
                        by = math.lcm(d, e)
                        n, d = n * (by // d) - value * m * (by // e), by
            if n:
                found[column] = _reduced(n, d * pivot)
        return {column: _number(*found.get(column, ZERO)) for _, column, _, _ in self._steps}

    def solve_transposed(self, right: Mapping[int, Number]) -> Numbers:
        """Return the prices by row for costs by column."""
        own = {c: (value.numerator, value.denominator) for c, value in right.items() if value}
        found: dict[int, tuple[int, int]] = {}
        for row, column, pivot, terms in self._steps:
            n, d = own.get(column, ZERO)
            if not n:
                continue
            n, d = found[row] = _reduced(n, d * pivot)
            for other, value in terms.items():
                m, e = own.get(other, ZERO)
                if d == e:
                    own[other] = _reduced(m - value * n, d)
                else:
                    own[other] = _reduced(m * d - value * n * e, d * e)
        for target, row, a, b, over in reversed(self._moves):
            if target not in found:
                continue
            n, d = found[target]
            m, e = found.get(row, ZERO)
            d *= over
            found[row] = _reduced(m * d - b * n * e, d * e)
            found[target] = _reduced(a * n, d)
        return {row: _number(*found.get(row, ZERO)) for row, _, _, _ in self._steps}


def _eliminate(
    changed: dict[int, int], target: int, step: Step, holders: Mapping[int, set[int]]
) -> tuple[int, int, int]:
    """Add a multiple of the pivot's row to a row; return ``a``, ``b``, and the divisor."""
    _, column, pivot, terms = step
    b = changed.pop(column)
    common = math.gcd(pivot, b)
    a, b = pivot // common, b // common
    if a != 1:
        for other in changed:
            changed[other] *= a
    for other, value in terms.items():
        new = changed.get(other, 0) - b * value
        if new:
            changed[other] = new
            holders[other].add(target)
        elif other in changed:
            del changed[other]
            holders[other].discard(target)
    over = math.gcd(*changed.values()) or 1 if a != 1 else 1
    if over != 1:
        for other in changed:
            changed[other] //= over
    return a, b, over


def _reduced(above: int, below: int) -> tuple[int, int]:
    """Return a quotient in lowest terms; the divisor is not 0."""
    if below == 1:
        return above, 1
    common = math.gcd(above, below)
    if below < 0:
        common = -common
    return above // common, below // common


def _number(above: int, below: int) -> Number:
    return above if below == 1 else Fraction(above, below)


def exact_model(
    names: Sequence[str],
    bounds: Sequence[tuple[Bound, Bound]],
    integer: Sequence[bool],
    rows: Sequence[tuple[str, Mapping[int, int] | Mapping[int, Number], Bound, Bound]],
    cost: Mapping[int, Number] = MappingProxyType({}),
) -> Model:
    """Return a model with exact numbers.

    Parameters
    ----------
    names, bounds, integer
        Those of the columns.
    rows
        The name, coefficients by column and bounds of each row.
    cost
        The objective by column.
    """
    terms = [some for _, some, _, _ in rows]
    values = [value for some in terms for value in some.values()]
    costs = [cost.get(column, 0) for column in range(len(names))]
    numbers: dict[str, list[Any]] = {
        "value": values,
        "cost": costs,
        "lower": [low for *_, low, _ in rows],
        "upper": [high for *_, high in rows],
        "column_lower": [low for low, _ in bounds],
        "column_upper": [high for _, high in bounds],
    }
    arrays: dict[str, Any] = {key: array("d", map(float, some)) for key, some in numbers.items()}
    exact = {key: one for name, some in numbers.items() for key, one in inexact(name, some).items()}
    start = array("i", accumulate(map(len, terms), initial=0))
    return Model(
        tuple(names),
        tuple(name for name, *_ in rows),
        start=start,
        index=array("i", chain.from_iterable(terms)),
        integer=array("b", integer),
        exact=exact,
        **arrays,
    )
