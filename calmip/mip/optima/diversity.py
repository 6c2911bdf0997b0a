"""Solutions of a model that differ as much as possible, with a proved bound of their distance.

From a complete pool the choice is exact: solutions at a distance of at least t are the edges of a
graph, and K of them a clique (the max-min dispersion problem; Kuby 1987,
https://doi.org/10.1111/j.1538-4632.1987.tb00133.x), which is searched with colours as bounds
(Tomita and Kameda 2007, https://doi.org/10.1007/s10898-006-9039-7). If the pool is too large, each
next solution is as far as possible from those before, by a mixed-integer program. Then one linear
program has the bound: the mean of K solutions is in the relaxation, and says how often they differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.model import Model
from calmip.mip.optima.distance import Diversity, check_choice, describe_choice
from calmip.mip.pool import EVERY, OPTIMUM, Goal, PoolSearch
from calmip.mip.pool.integer_model import WholeModel
from calmip.mip.rows import Bound, Number, floor_of, is_finite

MAX_POOL = 3_000
"""The most solutions of a pool from which the choice is exact."""

POOL_SECONDS = 10.0
"""After the first solution the pool is listed for so long at most."""

CHOICE_SECONDS = 10.0
"""The exact choice from a pool takes so long at most."""

STEP_SECONDS = 10.0
"""Each mixed-integer program for a next solution, and the bound, take so long at most."""

LATE = "the most different solutions were not found"

Values = Mapping[int, Number]

Rows = list[tuple[str, dict[int, Number], Bound, Bound]]


@dataclass(frozen=True, repr=False)
class DiverseSolutions:
    """Result of `find_diverse`.

    Parameters
    ----------
    model
        The model.
    goal
        The solutions that could be chosen.
    points
        The exact values by column, without zeros.
    diversity
        How different they are.
    stopped
        Why the search ended early: ``"time"``, ``"undecided"``; or empty.
    """

    model: Model = field(repr=False)
    goal: Goal
    points: tuple[Values, ...]
    diversity: Diversity
    stopped: str = ""
    search: PoolSearch | None = field(default=None, repr=False, compare=False)

    @property
    def objectives(self) -> tuple[Number, ...]:
        """The exact objective of each solution."""
        return tuple(map(self.model.exact_objective, self.points))

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Values]:
        return iter(self.points)

    def __str__(self) -> str:
        """Return a sentence on the solutions."""
        return describe_choice(self.diversity, len(self), "solution", "integer variables")

    def __repr__(self) -> str:
        return f"<DiverseSolutions: {self}>"


def find_diverse(
    model: Model,
    number: int,
    goal: Goal = EVERY,
    *,
    distance: str = "unequal",
    distinct: Iterable[int] = (),
    clock: Deadline = ENDLESS,
) -> DiverseSolutions:
    """Return solutions of a model of which the two most similar differ as much as possible.

    Parameters
    ----------
    model
        The model. Its integer columns need bounds, of their own or by the rows.
    number
        The number of solutions.
    goal
        The solutions to choose from: all, the optimal ones, or those within a gap.
    distance
        A key of `DISTANCES`.
    distinct
        The integer columns that distinguish solutions; by default all.
    clock
        The time limit.

    Returns
    -------
    DiverseSolutions
        Their order is that of the pool, or in which they were found.

    Raises
    ------
    InputError
        If a number or a word is wrong, if an integer column is unbounded, or if the objective is
        unbounded and counts.
    """
    check_choice(number, distance)
    if goal.best is not None:
        raise InputError("diverse and best exclude each other; use a gap instead of best")
    own = copy(clock)
    search = PoolSearch(model, goal, distinct=distinct, clock=own, limited=True)
    return _Choice(search, number, distance, clock, own).find()


def find_diverse_of(
    model: Model,
    points: Sequence[Values],
    number: int,
    *,
    distance: str = "unequal",
    complete: bool = False,
    clock: Deadline = ENDLESS,
) -> DiverseSolutions:
    """Return solutions as `find_diverse` does of a listed pool, or without listing it again.

    Parameters
    ----------
    model
        The model, whose objective plays no part.
    points
        The solutions that are known.
    number, distance, clock
        As for `find_diverse`.
    complete
        Whether these are all solutions.
    """
    check_choice(number, distance)
    search = PoolSearch(model.with_costs({}), clock=clock, limited=True)
    search.complete = complete
    return _Choice(search, number, distance, clock, clock).find(list(points))


class Chosen(NamedTuple):
    """A choice from a pool: the places, the least distance, and the bound of any choice."""

    places: list[int]
    least: int | None = None
    bound: int | None = None


def choose(
    points: Sequence[Values],
    number: int,
    distance: str = "unequal",
    clock: Deadline = ENDLESS,
) -> Chosen:
    """Return which points have the greatest least distance of two; exact, if the time suffices.

    Parameters
    ----------
    points
        The points, without zeros.
    number
        The number of points; all if there are fewer.
    distance
        A key of `DISTANCES`.
    clock
        At its end the best choice so far is returned. Its least distance is at least half of the
        greatest (Ravi, Rosenkrantz and Tayi 1994, https://doi.org/10.1287/opre.42.2.299).
    """
    apart = distances(points, distance)
    every = range(len(points))
    if number < 2 or number >= len(points):
        chosen = list(every[:number])
        pairs = [apart(*pair) for pair in combinations(chosen, 2)]
        least = min(pairs, default=None)
        return Chosen(chosen, least, least)
    chosen = _farthest(len(points), number, apart)
    least = min(apart(*pair) for pair in combinations(chosen, 2))
    if len(points) > MAX_POOL:
        return Chosen(sorted(chosen), least, 2 * least)
    table = []
    for one in every:
        if clock.over:
            return Chosen(sorted(chosen), least, 2 * least)
        table.append([apart(one, other) for other in every])
    levels = sorted({one for row in table for one in row if least <= one <= 2 * least})
    low, high = 0, len(levels) - 1
    try:
        while low < high:
            middle = (low + high + 1) // 2
            better = clique(table, levels[middle], number, clock)
            if better is None:
                high = middle - 1
                continue
            chosen, least = better, min(table[a][b] for a, b in combinations(better, 2))
            low = levels.index(least)
    except TimeoutError:
        pass
    return Chosen(sorted(chosen), least, levels[high])


def distances(points: Sequence[Values], distance: str) -> Any:
    """Return the function that gives the distance of two points by their places."""
    if distance == "l1":

        def sum_of(one: int, other: int) -> Number:
            first, second = points[one], points[other]
            columns = first.keys() | second.keys()
            steps: Iterator[Any] = (first.get(c, 0) - second.get(c, 0) for c in columns)
            total: Number = sum(map(abs, steps), 0)
            return total

        return sum_of
    # A bit for each value of a column: equal values are common bits.
    bits: dict[tuple[int, Number], int] = {}
    columns = sorted({column for point in points for column in point})
    masks = []
    for point in points:
        mask = 0
        for column in columns:
            mask |= 1 << bits.setdefault((column, point.get(column, 0)), len(bits))
        masks.append(mask)
    return lambda one, other: len(columns) - (masks[one] & masks[other]).bit_count()


def _farthest(size: int, number: int, apart: Any) -> list[int]:
    """Return places of which each next one is farthest from those before."""
    chosen: list[int] = []
    nearest: list[Any] = [math.inf] * size
    while len(chosen) < number:
        new = max(range(size), key=lambda place: (nearest[place], -place))
        chosen.append(new)
        nearest = [min(near, apart(one, new)) for one, near in enumerate(nearest)]
        nearest[new] = -1
    return chosen


def clique(
    table: Sequence[Sequence[int]], least: int, number: int, clock: Deadline = ENDLESS
) -> list[int] | None:
    """Return places with distances of at least ``least`` to each other; None if there are none.

    Raises
    ------
    TimeoutError
        If the time limit is reached.
    """
    left = list(range(len(table)))
    while True:  # each needs so many neighbours
        near = _neighbours(table, left, least)
        sizes = dict(zip(left, map(int.bit_count, near), strict=True))
        kept = [one for one in left if sizes[one] >= number - 1]
        if len(kept) == len(left):
            break
        clock.check(LATE)
        left = kept
    left.sort(key=lambda one: -sizes[one])
    near = _neighbours(table, left, least)
    every = (1 << len(left)) - 1
    path: list[int] = []
    stack = [(every, _branches(near, every, number))]
    while stack:
        clock.check(LATE)
        candidates, branches = stack.pop()
        if not branches:
            if path:
                path.pop()
            continue
        one = branches.pop()
        stack.append((candidates & ~(1 << one), branches))
        path.append(one)
        if len(path) == number:
            return [left[place] for place in path]
        inside = candidates & near[one]
        stack.append((inside, _branches(near, inside, number - len(path))))
    return None


def _neighbours(table: Sequence[Sequence[int]], left: Sequence[int], least: int) -> list[int]:
    """Return for each place a set of bits: those of the others that are far enough."""
    last = left[::-1]
    return [
        int("0" + "".join("1" if table[one][other] >= least else "0" for other in last), 2)
        & ~(1 << place)
        for place, one in enumerate(left)
    ]


def _branches(near: Sequence[int], candidates: int, number: int) -> list[int]:
    """Return the candidates of which one belongs to each clique of so many, best last.

    The others have fewer colours, of which no two neighbours have the same one.
    """
    found, colour, left = [], 0, candidates
    while left:
        colour += 1
        free = left
        while free:
            bit = free & -free
            one = bit.bit_length() - 1
            left ^= bit
            free &= ~(near[one] | bit)
            if colour >= number:
                found.append(one)
    return found


class _Choice:
    """The search for solutions of a model that differ most."""

    def __init__(
        self, search: PoolSearch, number: int, distance: str, clock: Deadline, own: Deadline
    ) -> None:
        self.search, self.number, self.distance = search, number, distance
        self.clock, self.own = clock, own
        self.model, self.goal = search.model, search.goal
        program = search.settings.program
        self.columns = sorted(program.order[: program.distinct])

    def find(self, points: list[Values] | None = None) -> DiverseSolutions:
        """Return the solutions, of those that are given or listed, by the first way that ends."""
        points = self._list() if points is None else points
        size = len(points)
        if self.search.complete:
            if size <= self.number:
                return self._answer(points, "all", pool=size)
            own = self.clock.at_most(CHOICE_SECONDS)
            chosen = choose(self._parts(points), self.number, self.distance, own)
            some = [points[place] for place in chosen.places]
            if chosen.least == chosen.bound:
                return self._answer(some, "exact", chosen.bound, size)
            return self._answer(some, "pool", self._bound(chosen.bound), size, self._late)
        if not points or self.clock.over:
            return self._answer(points[:1], "", stopped=self.search.stopped or "time")
        return self._greedy(points[0])

    @property
    def _late(self) -> str:
        return "time" if self.clock.over else ""

    def _answer(
        self,
        points: Sequence[Values],
        method: str,
        bound: int | None = None,
        pool: int | None = None,
        stopped: str = "",
    ) -> DiverseSolutions:
        if any(self.model.violated(point, self.clock) is not None for point in points):
            raise SolverFailed("a solution violates the model; report this")
        points = [self.model.own(point) for point in points]
        apart = distances(self._parts(points), self.distance)
        least = min((apart(*pair) for pair in combinations(range(len(points)), 2)), default=None)
        if least is not None and bound is not None and bound < least:
            raise SolverFailed("a bound of the distance is too small; report this")
        found = Diversity(self.number, self.distance, method, least, bound, pool)
        return DiverseSolutions(
            self.model, self.goal, tuple(points), found, stopped, search=self.search
        )

    def _parts(self, points: Iterable[Values]) -> list[Values]:
        """Return the values by which solutions are compared."""
        return [{c: point[c] for c in self.columns if point.get(c)} for point in points]

    def _list(self) -> list[Values]:
        """Return the pool; not complete if it is too large, or at a time limit of its own."""
        found: list[Values] = []
        solutions = iter(self.search)
        for solution in solutions:
            found.append(solution.point)
            if len(found) == 1:
                end = self.own.elapsed + POOL_SECONDS
                self.own.seconds = min(end, self.own.seconds or end)
            if len(found) > MAX_POOL:
                break
        solutions.close()  # type: ignore[attr-defined]
        return found

    def _greedy(self, first: Values) -> DiverseSolutions:
        """Return solutions of which each next one is as far as possible from those before."""
        most = None if self.goal.plain else self.search.cost_limit
        program = self.search.bounded(most)
        farther = _Farther(program, self.distance, most)
        points, bound = [first], None
        while len(points) < self.number:
            own = self.clock.at_most(STEP_SECONDS)
            farther.add(points[-1])
            search = PoolSearch(farther.model(), OPTIMUM, clock=own)
            new = next((one.point for one in search), None)
            if new is None or not -_number(search.best):
                if new is not None and search.proved:
                    return self._answer(points, "all", pool=len(points))
                return self._answer(points, "greedy", stopped="time")
            bound = 2 * int(-_number(search.best)) if search.proved else None
            points.append(self._completed(farther.own(new)))
        return self._answer(points, "greedy", self._bound(bound, program), stopped=self._late)

    def _completed(self, point: Values) -> Values:
        """Return a solution with the best values of what does not distinguish solutions."""
        if len(self.columns) == len(self.model.columns):
            return point
        model, given = self.model, set(self.columns)
        ends: list[tuple[Bound, Bound]] = [
            (point.get(column, 0),) * 2 if column in given else bounds
            for column, bounds in enumerate(model.column_bounds)
        ]
        rows: Rows = [("", dict(row.terms), *row.bounds) for row in model.exact_rows()]
        model = exact_model(model.columns, ends, model.values("integer"), rows, model.costs)
        own = self.clock.at_most(STEP_SECONDS)
        best = next((one.point for one in PoolSearch(model, OPTIMUM, clock=own)), None)
        return self.model.own(point if best is None else best)

    def _bound(self, bound: int | None, program: WholeModel | None = None) -> int | None:
        """Return the least of a bound and that of a linear program, if there is time for it."""
        if self.clock.over:
            return bound
        most = None if self.goal.plain else self.search.cost_limit
        program = program or self.search.bounded(most)
        own = self.clock.at_most(STEP_SECONDS)
        mean = mean_bound(program, self.number, self.distance, most, own)
        return min((one for one in (bound, mean) if one is not None), default=None)


def _number(value: Fraction | None) -> Fraction:
    return Fraction(0) if value is None else value


class _Farther:
    """The model of a solution that is as far as possible from some points.

    The last column is the distance to the nearest. Further ones say whether columns that are not
    binary have other values, or by how much.
    """

    def __init__(self, program: WholeModel, distance: str, most: Number | None) -> None:
        model = program.model
        self.width, self.distance = len(model.columns), distance
        self.columns = sorted(program.order[: program.distinct])
        self.bounds = _bounds_of(program)
        self.ends: list[tuple[Bound, Bound]] = [self.bounds[c] for c in range(self.width)]
        self.integer = list(map(bool, model.values("integer")))
        self.rows: Rows = [("", dict(row.terms), *row.bounds) for row in model.exact_rows()]
        if most is not None:
            self.rows.append(("", dict(model.costs), -math.inf, most))
        self.least = self._column(0, self._greatest())
        self._known: dict[tuple[int, Number], tuple[dict[int, Number], Number]] = {}

    def _greatest(self) -> int:
        """Return a number that no distance exceeds."""
        if self.distance == "unequal":
            return len(self.columns)
        return sum(int(high - low) for low, high in map(self.bounds.__getitem__, self.columns))

    def _column(self, low: Bound, high: Bound) -> int:
        self.ends.append((low, high))
        self.integer.append(True)
        return len(self.ends) - 1

    def add(self, point: Values) -> None:
        """Bound the distance by that to a point."""
        terms: dict[int, Number] = {self.least: 1}
        constant: Number = 0
        for column in self.columns:
            part, more = self._part(column, point.get(column, 0))
            constant += more
            for one, a in part.items():
                terms[one] = terms.get(one, 0) - a
        self.rows.append(("", terms, -math.inf, constant))

    def _part(self, column: int, value: Number) -> tuple[dict[int, Number], Number]:
        """Return what a column adds to the distance from a value: terms and a constant."""
        if (column, value) not in self._known:
            self._known[column, value] = self._new_part(column, value)
        return self._known[column, value]

    def _new_part(self, column: int, value: Number) -> tuple[dict[int, Number], Number]:
        low, high = self.bounds[column]
        if low == high:
            return {}, 0
        if (self.distance == "l1" or high - low == 1) and value in (low, high):
            return ({column: 1}, -low) if value == low else ({column: -1}, high)
        if self.distance == "l1":
            below, by = self._column(0, 1), self._column(0, max(value - low, high - value))
            up: dict[int, Number] = {by: 1, column: -1, below: -2 * (value - low)}
            down: dict[int, Number] = {by: 1, column: 1, below: 2 * (high - value)}
            self.rows.append(("", up, -math.inf, -value))
            self.rows.append(("", down, -math.inf, value + 2 * (high - value)))
            return {by: 1}, 0
        sides: dict[int, Number] = {}
        if value > low:  # x <= value - 1 if it is 1
            below = self._column(0, 1)
            self.rows.append(("", {column: 1, below: high - value + 1}, -math.inf, high))
            sides[below] = 1
        if value < high:
            above = self._column(0, 1)
            self.rows.append(("", {column: 1, above: low - value - 1}, low, math.inf))
            sides[above] = 1
        return sides, 0

    def model(self) -> Model:
        """Return the model."""
        names = [f"x{column}" for column in range(len(self.ends))]
        return exact_model(names, self.ends, self.integer, self.rows, {self.least: -1})

    def own(self, point: Values) -> Values:
        """Return the part of a solution that is one of the original model."""
        return {column: value for column, value in point.items() if column < self.width}


def _bounds_of(program: WholeModel) -> dict[int, tuple[Any, Any]]:
    """Return the bounds of a program by the columns of its model."""
    ends = zip(program.low, program.high, strict=True)
    return dict(zip(program.order, ends, strict=True))


def mean_bound(
    program: WholeModel,
    number: int,
    distance: str,
    most: Number | None = None,
    clock: Deadline = ENDLESS,
) -> int | None:
    """Return a bound of the least distance of so many solutions, by their mean; None if late.

    Parameters
    ----------
    program
        A model with bounds for all columns that distinguish solutions, which count.
    number
        The number of solutions.
    distance
        A key of `DISTANCES`.
    most
        The greatest sum of the costs, or None.
    clock
        The time limit.
    """
    if number < 2:
        return None
    model, bounds = program.model, _bounds_of(program)
    counted = set(program.order[: program.distinct])
    if not all(map(is_finite, chain.from_iterable(bounds[column] for column in counted))):
        return None
    ends: list[tuple[Bound, Bound]] = []
    cost: dict[int, Number] = {}
    parts: list[list[int]] = []
    constant: Number = 0
    for column in range(len(model.columns)):
        low, high = bounds[column]
        steps = _slopes(high - low, number, distance) if column in counted else []
        if not steps:
            parts.append([len(ends)])
            ends.append((low, high))
            continue
        parts.append(list(range(len(ends), len(ends) + len(steps))))
        for place, (length, slope) in enumerate(steps):
            start = 0 if place else low
            cost[len(ends)] = -slope
            constant += slope * start
            ends.append((start, start + length))
    rows: Rows = [("", dict(row.terms), *row.bounds) for row in model.exact_rows()]
    if most is not None:
        rows.append(("", dict(model.costs), -math.inf, most))
    rows = [
        ("", {part: a for c, a in terms.items() for part in parts[c]}, low, high)
        for _, terms, low, high in rows
    ]
    names = [f"x{column}" for column in range(len(ends))]
    answer = ExactLp(exact_model(names, ends, [False] * len(ends), rows, cost)).solve({}, clock)
    if answer.cost is None:
        return None
    pairs = number * (number - 1) // 2
    return int(floor_of(Fraction(-answer.cost - constant) / pairs))


def _slopes(width: int, number: int, distance: str) -> list[tuple[Fraction, Fraction]]:
    """Return how a sum over all pairs grows at most with the mean of a column: lengths and slopes.

    The slopes fall. With one value more, so many pairs more are unequal.
    """
    if not width:
        return []
    if width == 1 or distance == "l1":  # m at one end, the others at the other end
        total = [m * (number - m) for m in range(number + 1)]
        return _steps(total, Fraction(width, number), Fraction(number))
    step, most = Fraction(1, number), most_unequal(number, width + 1)
    rise = [min(m * (number - m) + m * (m - 1) // 2, most) for m in range(number + 1)]
    if width == 2:
        ends = (min(m, number, 2 * number - m) for m in range(2 * number + 1))
        return _steps([rise[end] for end in ends], step, Fraction(number))
    up = _steps(rise, step, Fraction(number))
    flat = [(Fraction(width - 2), Fraction(0))]
    return up + flat + [(length, -slope) for length, slope in reversed(up)]


def _steps(
    total: Iterable[int], step: Fraction, slope: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """Return steps of one length, with slopes by the differences of totals."""
    return [(step, (b - a) * slope) for a, b in pairwise(total)]


def most_unequal(number: int, values: int) -> int:
    """Return how many pairs of so many things are unequal at most (Turan)."""
    size, rest = divmod(number, values)
    equal = rest * (size + 1) * size // 2 + (values - rest) * size * (size - 1) // 2
    return number * (number - 1) // 2 - equal
