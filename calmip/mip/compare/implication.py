"""Whether every solution of a model satisfies a further inequality, with a proof or a point.

Cheap proofs come first: the same row up to a factor, the bounds of the variables, and multipliers
of the linear relaxation, whose bound is computed in exact numbers (Neumaier and Shcherbina 2004,
https://doi.org/10.1007/s10107-003-0433-3). HiGHS then looks for a solution that violates the
inequality. Its points are checked in rational numbers. Its word that there is none is not a
proof: a search without floating-point arithmetic repeats it, as long as time remains.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Protocol, cast

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import EITHER, INFEASIBLE, HighsModel, linear_program
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.independent_search import find
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.lp.inequality import Basis, HalfSpace, greatest, half_space, half_spaces
from calmip.mip.model import Model
from calmip.mip.pool.integer_model import program_of, strengthen, tighten
from calmip.mip.rows import Bound, Interval, Number, Row, ceil_of, floor_of, is_finite, shortest
from calmip.mip.status import Status

USER = "the comparison of models"

VISIBLE = 1e-4
"""The least violation that HiGHS is asked for where values are continuous."""

STRICT = {"mip_feasibility_tolerance": 1e-9, "primal_feasibility_tolerance": 1e-9}
"""HiGHS's options where a point that it gave with its usual tolerances was none."""

MAX_COEFFICIENT_PAIRS = 10_000_000
"""The most pairs of coefficients in the same row for which rows are strengthened."""

LINEAR_SECONDS = 2.0
"""The most seconds for one linear program in exact numbers."""

FACTORS = (64, 10**6, None)
"""The largest denominators of multipliers; None for the exact values of the floats."""

ROUNDED = 1e-9
"""Numbers with fractions that differ relatively by at most this may be one number, rounded."""

Numbers = Mapping[int, Number]


class Proposer(Protocol):
    """The solver that proposes points and multipliers; nothing that is proved rests on it."""

    def linear(self, asked: Implications) -> HighsModel:
        """Return the linear relaxation, for several objectives."""

    def violation(
        self, asked: Implications, half: HalfSpace, seconds: float, *, strict: bool = False
    ) -> tuple[str, Sequence[float] | None]:
        """Return the status of the search for a violation, and a point if there is one.

        ``strict`` asks for the smallest tolerances.
        """

    def best(self, asked: Implications, cost: Numbers, seconds: float) -> Sequence[float] | None:
        """Return the best solution that it finds."""

    def smallest(
        self, asked: Implications, point: Numbers, half: HalfSpace, seconds: float
    ) -> Sequence[float] | None:
        """Return a point with a small sum of values whose violation can be read."""


class Implications:
    """The inequalities that every solution of one model satisfies.

    Parameters
    ----------
    model
        The model.
    clock
        The time limit of all questions together.
    solver
        The solver that proposes; by default HiGHS.
    """

    def __init__(
        self, model: Model, clock: Deadline = ENDLESS, solver: Proposer | None = None
    ) -> None:
        self.model, self.clock = model, clock
        self._solver = solver or ByHighs()
        self.integer: list[bool] = list(map(bool, model.values("integer")))
        self.rows = model.exact_rows()
        self.bounds = model.column_bounds
        self.tight: list[Interval] = []
        """The bounds of the columns by rows of one column too, of integers rounded."""
        self._known: dict[tuple[tuple[int, int], ...], tuple[Number, Number]] = {}
        """By whole coefficients: the least side, and the least one after rounding."""
        self._alike: dict[frozenset[int], list[int]] = {}
        """The rows by their columns."""
        self.empty = False
        """Whether the linear relaxation is proved infeasible."""
        self._read()

    def _read(self) -> None:
        tight = [list(pair) for pair in self.bounds]
        for number, (terms, low, high) in enumerate(self.rows):
            if self.clock.over:
                break  # fewer known rows prove less, and nothing wrong
            own = frozenset(column for column, value in terms.items() if value)
            self._alike.setdefault(own, []).append(number)
            for _, half in half_spaces(terms, low, high, self.integer):
                key, scale = half.key
                raw: Number = half.raw * scale
                side: Number = half.side * scale
                known = self._known.get(key)
                if known is not None:
                    raw, side = min(raw, known[0]), min(side, known[1])
                self._known[key] = raw, side
                if len(half.terms) == 1:
                    ((column, factor),) = half.terms.items()
                    end = Fraction(half.side) / factor
                    pair = tight[column]
                    if factor > 0:
                        pair[1] = min(pair[1], end)
                    else:
                        pair[0] = max(pair[0], end)
        for pair, integer in zip(tight, self.integer, strict=True):
            ends = Interval(*pair)
            self.tight.append(ends.rounded() if integer else ends)

    # without a solver

    def quick(self, half: HalfSpace) -> tuple[Basis | None, bool | None]:
        """Return the basis if a row or the bounds imply it, and whether the relaxation does too."""
        if self.empty:
            return Basis.LINEAR, True
        if not half.terms:
            return (Basis.BOUNDS, True) if half.raw >= 0 else (None, None)
        key, scale = half.key
        raw, side = self._known.get(key, (None, None))
        relaxed = True if raw is not None and raw <= half.raw * scale else None
        if side is not None and side <= half.side * scale:
            return Basis.ROW, relaxed
        if greatest(half.terms, self.bounds) <= half.raw:
            return Basis.BOUNDS, True
        if greatest(half.terms, self.tight) <= half.side:
            return Basis.BOUNDS, relaxed
        return None, relaxed

    def rounded(self, half: HalfSpace, terms: Numbers, side: Number) -> bool:
        """Return whether the model has such a row with numbers that differ by rounding.

        Parameters
        ----------
        half
            The inequality.
        terms, side
            The same in the numbers of its file.
        """
        for number in self._alike.get(frozenset(half.terms), ()):
            own, low, high = self.rows[number]
            for sign, end in ((1, high), (-1, low)):
                if not is_finite(end):
                    continue
                pairs = [(own[c] * sign, value) for c, value in terms.items() if value]
                if all(_near(*pair) for pair in (*pairs, (end * sign, side))):
                    return True
        return False

    # the linear relaxation

    @cached_property
    def _linear(self) -> HighsModel | None:
        try:
            highs: HighsModel = self._solver.linear(self)
        except (OverflowError, SolverFailed):
            return None
        return highs

    def linear(self, half: HalfSpace) -> tuple[bool, bool | None]:
        """Return whether the linear relaxation implies it, as it is and without rounding.

        The second answer is False if a point of the relaxation violates it, None if not known.
        """
        size: Number = max((max(v, -v) for v in half.terms.values()), default=1)
        status, reached, prices = self._maximise(half, size)
        if status not in ("Optimal", INFEASIBLE):
            return False, False if status == "Unbounded" else None
        best: Bound = math.inf
        for most in FACTORS if prices else ():
            best = min(best, self._bound(half, prices, size, most))
            if best <= half.raw:
                return True, True
        slack = 1e-6 * max(1.0, abs(float(half.raw)))
        outside = status == "Optimal" and reached > float(half.raw) + slack
        implied = half.covers(best)
        if outside or (implied and half.raw != half.side):
            return implied, False if outside else None
        # Too near, or infeasible: the basis is solved in exact numbers.
        exact = self._exact_maximum(half, Deadline(self._seconds(LINEAR_SECONDS)))
        return (implied, None) if exact is None else (half.covers(exact), exact <= half.raw)

    def _maximise(self, half: HalfSpace, size: Number) -> tuple[str, float, Sequence[float]]:
        """Return HiGHS's status, the maximum of the left-hand side and the prices of the rows."""
        highs = self._linear
        if highs is None:
            return "", math.inf, ()
        cost = [0.0] * len(self.bounds)
        for column, value in half.terms.items():
            cost[column] = -float(Fraction(value) / size)
        try:
            highs.set_costs(cost)
            highs.run(self._seconds(10.0))
        except (OverflowError, SolverFailed):
            return "", math.inf, ()
        if highs.status != "Optimal":
            return highs.status, math.inf, ()
        objective = highs.info("objective_function_value")
        reached = math.inf if objective is None else -float(size) * objective
        return highs.status, reached, list(highs.solution()[2])

    def _bound(
        self, half: HalfSpace, prices: Sequence[float], size: Number, most: int | None
    ) -> Bound:
        """Return a bound on the left-hand side that these multipliers of the rows prove."""
        left: dict[int, Number] = dict(half.terms)
        total: Number = 0
        for row, price in enumerate(prices):
            if not price or not math.isfinite(price):
                continue
            # The prices belong to the least negative left-hand side.
            factor = -Fraction(price)
            factor = (factor.limit_denominator(most) if most else factor) * size
            terms, low, high = self.rows[row]
            end = high if factor > 0 else low
            if not factor or not is_finite(end):
                continue
            total += factor * end
            for column, value in terms.items():
                left[column] = left.get(column, 0) - factor * value
        rest = greatest(left, self.bounds)
        return total + rest if is_finite(rest) else rest

    def _exact_maximum(self, half: HalfSpace, clock: Deadline) -> Bound | None:
        """Return the exact maximum over the relaxation, minus infinity if it is empty."""
        answer = ExactLp(self._priced(half), range(len(self.bounds))).solve(clock=clock)
        if answer.status is Status.OPTIMAL:
            return -cast(Number, answer.cost)
        self.empty = answer.status is Status.INFEASIBLE
        ends = {Status.INFEASIBLE: -math.inf, Status.UNBOUNDED: math.inf}
        return ends.get(answer.status)

    def exceeds(self, half: HalfSpace) -> bool:
        """Return whether a point of the linear relaxation violates it, in exact numbers."""
        exact = self._exact_maximum(half, Deadline(self._seconds(LINEAR_SECONDS)))
        return exact is not None and exact > half.raw

    def _priced(self, half: HalfSpace) -> Model:
        """Return the model that maximises the left-hand side."""
        return self.model.with_costs({c: -value for c, value in half.terms.items()})

    @cached_property
    def _strengthened(self) -> Implications | None:
        """The model with tighter bounds and coefficients, and the same solutions."""
        if self._squares > MAX_COEFFICIENT_PAIRS or self.clock.over:
            return None
        try:
            program = program_of(self.model)
        except InputError:
            return None
        if not tighten(program, ()):
            return None
        strengthen(program)
        bounds, own = list(self.bounds), program.order
        for index, column in enumerate(own):
            bounds[column] = Interval(program.low[index], program.high[index])
        rows = [
            (str(number), {own[c]: value for c, value in terms.items()}, low, high)
            for number, (terms, low, high) in enumerate(program.rows)
        ]
        model = exact_model(self.model.columns, bounds, self.integer, rows)
        return Implications(model, self.clock, self._solver)

    def strengthened(self, half: HalfSpace) -> bool:
        """Return whether tighter bounds and rows, which integrality allows, imply it."""
        if self.excludes(half):
            return True
        asked = self._strengthened
        return asked is not None and (asked.quick(half)[0] is not None or asked.linear(half)[0])

    @cached_property
    def _squares(self) -> int:
        """The pairs of coefficients in the same row."""
        return sum(len(terms) ** 2 for terms, _, _ in self.rows)

    @cached_property
    def _pairs(self) -> dict[int, set[int]]:
        """By 0/1 column: those that a row does not allow to be 1 together with it."""
        pairs: dict[int, set[int]] = {}
        if self._squares > MAX_COEFFICIENT_PAIRS:
            return pairs
        for terms, low, high in self.rows:
            if self.clock.over:
                break
            for _, half in half_spaces(terms, low, high, self.integer):
                capacity = half.side + greatest({c: -a for c, a in half.terms.items()}, self.tight)
                large = sorted(
                    (a, c) for c, a in half.terms.items() if a > 0 and self.tight[c] == (0, 1)
                )[::-1]
                for index, (a, column) in enumerate(large):
                    for b, other in large[:index]:
                        if not half.integral or a + b <= capacity:
                            break
                        pairs.setdefault(column, set()).add(other)
                        pairs.setdefault(other, set()).add(column)
        return pairs

    def excludes(self, half: HalfSpace) -> bool:
        """Return whether it allows one of some 0/1 columns, any two of which are excluded."""
        if half.side < 1 or any(a != 1 for a in half.terms.values()) or len(half.terms) < 2:
            return False
        columns = half.terms.keys()
        return half.integral and all(columns <= self._pairs.get(c, set()) | {c} for c in columns)

    # points

    def point(self, half: HalfSpace, seconds: float) -> tuple[bool | None, dict[int, Number]]:
        """Return whether HiGHS finds a solution that violates it, None if it does not say.

        A point is checked in exact numbers. False is HiGHS's word.
        """
        clock = Deadline(self._seconds(seconds))
        for strict in (False, True):
            status, values = self._solver.violation(self, half, clock.left() or 0, strict=strict)
            if values is None:
                break
            point = self.exact_point(values, half)
            if point is not None:
                return True, point
            # The point is one of HiGHS's tolerances alone, as with large coefficients.
        else:
            return None, {}
        # A linear relaxation with no objective is never unbounded.
        return (False if status in (INFEASIBLE, EITHER) else None), {}

    def exact_point(
        self, values: Sequence[float], half: HalfSpace | None = None
    ) -> dict[int, Number] | None:
        """Return an exact solution near a point in floating point, which violates the inequality.

        Integers are rounded; the others are solved for, as far as possible from the inequality.
        """
        integers: dict[int, Number] = {
            c: round(values[c])
            for c, integer in enumerate(self.integer)
            if integer and math.isfinite(values[c]) and round(values[c])
        }
        point = integers
        if not all(self.integer):
            model = self.model if half is None else self._priced(half)
            clock = Deadline(self._seconds(LINEAR_SECONDS))
            answer = ExactLp(model).solve(integers, clock)
            if answer.status not in (Status.OPTIMAL, Status.UNBOUNDED):
                return None
            point = answer.point
            if answer.status is Status.UNBOUNDED and half is not None:
                point = _beyond(answer.point, answer.ray, half)
        return point if self.violates(point, half) else None

    def violates(self, point: Numbers, half: HalfSpace | None) -> bool:
        """Return whether a point is a solution, and violates the inequality if one is given."""
        if half is not None and half.value(point) <= half.side:
            return False
        return next(self.model.violations(point), None) is None

    def best(self, seconds: float, cost: Numbers | None = None) -> dict[int, Number] | None:
        """Return an exact solution near the best one that HiGHS finds, None if there is none."""
        cost = self.model.costs if cost is None else cost
        values = self._solver.best(self, cost, self._seconds(seconds))
        return None if values is None else self.exact_point(values)

    def integral(self, column: int) -> bool:
        """Whether bounds or an equation of the model make a continuous column integral."""
        low, high = self.tight[column]
        if low == high and is_finite(low) and low.denominator == 1:
            return True
        for terms, low, high in self.rows:
            factor = terms.get(column)
            if not factor or low != high:
                continue
            others = [(c, value) for c, value in terms.items() if c != column and value]
            numbers = [*(value for _, value in others), cast(Number, low)]
            if all(self.integer[c] for c, _ in others) and all(
                (Fraction(number) / factor).denominator == 1 for number in numbers
            ):
                return True
        return False

    def fractional(self, column: int, seconds: float) -> tuple[bool | None, dict[int, Number]]:
        """Return whether HiGHS finds a solution with a fractional value of a continuous column.

        It is at least 0.001 from the whole numbers, and exact. False is HiGHS's word.
        """
        asked = Implications(_with_fraction(self.model, column), self.clock, self._solver)
        nothing = half_space({}, -1, asked.integer)
        there, point = asked.point(nothing, seconds)
        own = {c: value for c, value in point.items() if c < len(self.bounds)}
        if there and (own.get(column, 0).denominator == 1 or not self.violates(own, None)):
            return None, {}
        return there, own

    def search(self, half: HalfSpace, clock: Deadline) -> tuple[bool | None, dict[int, Number]]:
        """Return whether a solution violates it, by exact search; None at the time limit."""
        try:
            there, point = self._search(half, clock)
        except (InputError, TimeoutError, SolverFailed, OverflowError):
            return None, {}
        if there and not self.violates(point, half):
            raise AssertionError("a search found a wrong point")
        return there, point

    def _search(self, half: HalfSpace, clock: Deadline) -> tuple[bool | None, dict[int, Number]]:
        if not half.terms:  # all solutions violate it, or none
            return find(self.model, clock, least=0.01) if half.side < 0 else (False, {})
        if half.integral:
            return find(self._priced(half), clock, most=-half.side - 1, least=0.01)
        if not any(self.integer):
            return self._search_linear(half, clock)
        from calmip.mip.pool import OPTIMUM, PoolSearch

        columns = sorted(half.terms)
        values = [half.terms[column] for column in columns]
        priced = self._priced(half).with_row(USER, columns, half.side, math.inf, values)
        search = PoolSearch(priced, OPTIMUM, clock=clock)
        for _, point in search:
            if half.value(point) > half.side:
                return True, point
        return (False if search.complete else None), {}

    def _search_linear(
        self, half: HalfSpace, clock: Deadline
    ) -> tuple[bool | None, dict[int, Number]]:
        answer = ExactLp(self._priced(half), range(len(self.bounds))).solve(clock=clock)
        if answer.status is Status.UNBOUNDED:
            return True, _beyond(answer.point, answer.ray, half)
        if answer.status is Status.OPTIMAL:
            return half.value(answer.point) > half.side, answer.point
        return (False if answer.status is Status.INFEASIBLE else None), {}

    def smaller(
        self, point: dict[int, Number], half: HalfSpace, seconds: float
    ) -> dict[int, Number]:
        """Return a point with fewer non-zeros, if HiGHS finds one that is a solution as well."""
        values = self._solver.smallest(self, point, half, self._seconds(seconds))
        if values is None:
            return point
        found = self._simplified(values, half)
        return found if found is not None and len(found) < len(point) else point

    def _simplified(self, values: Sequence[float], half: HalfSpace) -> dict[int, Number] | None:
        """Return the exact point with few digits near a point in floating point."""
        for most in (1, 8, 1000):
            point = {
                c: shortest(Fraction(value).limit_denominator(1 if self.integer[c] else most))
                for c, value in enumerate(values)
                if math.isfinite(value)
            }
            point = {c: value for c, value in point.items() if value}
            if self.violates(point, half):
                return point
        return self.exact_point(values, half)

    def _seconds(self, most: float) -> float:
        left = self.clock.left()
        return most if left is None else min(most, left)


class ByHighs:
    """HiGHS, asked about one model."""

    def linear(self, asked: Implications) -> HighsModel:
        """Return the linear relaxation, for several objectives."""
        highs = _program(asked, [0.0] * len(asked.bounds))
        # The last basis stays feasible if only the costs change.
        highs.set({"simplex_strategy": 4})
        return highs

    def violation(
        self, asked: Implications, half: HalfSpace, seconds: float, *, strict: bool = False
    ) -> tuple[str, Sequence[float] | None]:
        """Return the status of the search for a violation, and a point if there is one."""
        if not half.terms:
            return _solve(asked, [0.0] * len(asked.bounds), None, 0.0, seconds, strict=strict)
        least = (
            half.side + 1
            if half.integral
            else float(half.side) + max(VISIBLE, 1e-6 * abs(float(half.side)))
        )
        return _solve(asked, [0.0] * len(asked.bounds), half, float(least), seconds, strict=strict)

    def best(self, asked: Implications, cost: Numbers, seconds: float) -> Sequence[float] | None:
        """Return the best solution that HiGHS finds."""
        costs = [float(cost.get(column, 0)) for column in range(len(asked.bounds))]
        return _solve(asked, costs, None, 0.0, seconds)[1]

    def smallest(
        self, asked: Implications, point: Numbers, half: HalfSpace, seconds: float
    ) -> Sequence[float] | None:
        """Return a point with a small sum of values whose violation can be read."""
        excess = float(half.value(point) - half.side)
        least = float(half.side) + min(excess, max(1.0, 0.1 * excess))
        cost = [0.0] * len(asked.bounds)
        for column, (low, high) in enumerate(asked.tight):
            if low >= 0 and low != high:
                cost[column] = 1.0 / float(high) if 0 < high < math.inf else 1.0
            elif high <= 0 and low != high:
                cost[column] = -1.0
        return _solve(asked, cost, half, least, seconds)[1]


def _program(
    asked: Implications,
    cost: Sequence[float],
    half: HalfSpace | None = None,
    least: float = 0.0,
) -> HighsModel:
    rows = list(asked.rows)
    if half is not None:
        rows.append(Row(half.terms, Fraction(least), math.inf))
    start: list[int] = [0]
    index: list[int] = []
    value: list[float] = []
    for terms, _, _ in rows:
        index += terms
        value += map(float, terms.values())
        start.append(len(index))
    return linear_program(
        USER,
        ([float(low) for _, low, _ in rows], [float(high) for _, _, high in rows]),
        (start, index, value),
        cost=cost,
        columns=([float(low) for low, _ in asked.bounds], [float(end) for _, end in asked.bounds]),
    )


def _solve(
    asked: Implications,
    cost: Sequence[float],
    half: HalfSpace | None,
    least: float,
    seconds: float,
    *,
    strict: bool = False,
) -> tuple[str, Sequence[float] | None]:
    try:
        highs = _program(asked, cost, half, least)
        highs.set({"presolve": "choose", "solver": "choose", **(STRICT if strict else {})})
        highs.make_integer(c for c, integer in enumerate(asked.integer) if integer)
        highs.run(seconds)
    except (OverflowError, SolverFailed) as error:
        return str(error), None
    there = highs.info("primal_solution_status") == 2
    return highs.status, list(highs.solution()[0]) if there else None


def _with_fraction(model: Model, column: int) -> Model:
    """Return a model in which a column is a whole number plus a fraction, both new columns."""
    low, high = model.bounds(column)
    first, last = floor_of(low), ceil_of(high)
    wide = model.changed(
        columns=(*model.columns, "the whole part", "the fraction"),
        cost=array("d", [*model.values("cost"), 0.0, 0.0]),
        column_lower=array("d", [*model.values("column_lower"), float(first), 0.001]),
        column_upper=array("d", [*model.values("column_upper"), float(last), 0.999]),
        integer=array("b", [*model.values("integer"), True, False]),
    )
    width = len(model.columns)
    return wide.with_row("parts", [column, width, width + 1], 0, 0, [1, -1, -1])


def _near(one: Number, other: Number) -> bool:
    """Whether two numbers are equal, or have fractions and differ by rounding alone."""
    if one == other:
        return True
    fractions = one.denominator > 1 and other.denominator > 1
    difference = max(one - other, other - one)
    return fractions and difference <= ROUNDED * min(max(one, -one), max(other, -other))


def _beyond(point: Numbers, ray: Numbers, half: HalfSpace) -> dict[int, Number]:
    """Return a point so far along a ray that it violates an inequality."""
    rise, value = half.value(ray), half.value(point)
    times = 0 if rise <= 0 else max(0, math.ceil(Fraction(half.side - value) / rise) + 1)
    columns: Iterable[int] = point.keys() | ray.keys()
    moved = {c: shortest(Fraction(point.get(c, 0) + times * ray.get(c, 0))) for c in columns}
    return {column: value for column, value in moved.items() if value}
