"""Finite bounds of all columns, where bounds are left out: a tree of the rest then has an end.

Linear programs in exact numbers bound a column by the other members. If there is no such bound,
there is a ray: a direction in whole numbers that leads no row and no bound to a violation. Members
that hold farther along it are left out: far enough along the ray they hold in any case. So the
others are feasible if and only if all are, and one column of the ray can be fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from calmip._base.limits import Deadline
from calmip.mip.iis.constraint_sets import SIDES, Members
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.rows import Bound, Interval, Number, is_finite
from calmip.mip.status import Status

MAX_RAYS = 20
"""The most rays for one box."""

MAX_WIDTH = 1000
"""The most values of a column that is fixed by a ray."""


class _Implied(NamedTuple):
    """Members, and the bound of a column that they imply."""

    support: int
    end: Number


class Ray(NamedTuple):
    """A direction along which some members hold farther and farther.

    Parameters
    ----------
    steps
        Whole numbers by column.
    blockers
        The members that it would violate.
    gaining
        The members that hold farther along it.
    """

    steps: Mapping[int, int]
    blockers: int
    gaining: int


class Box(NamedTuple):
    """Members that are feasible if and only if given ones are, and bounds of their columns.

    Parameters
    ----------
    active
        The members.
    ends
        Bounds of columns. One of their points, if there is any, is within them.
    rays
        What was used to leave out the others.
    """

    active: int
    ends: dict[int, Interval]
    rays: tuple[Ray, ...]


class ImpliedBoxes:
    """The bounds that members imply; what is found for some of them serves others.

    Parameters
    ----------
    members
        The members, without groups.
    """

    def __init__(self, members: Members) -> None:
        self._members = members
        self._bounds: dict[tuple[int, int], list[_Implied]] = {}
        """What is known of the lower (0) and the upper (1) bounds of columns."""
        self._rays: list[Ray] = []
        self._linear: _ColumnRanges | None = None
        """The linear program of the last rows."""

    def find(self, active: int, known: Callable[[int], bool], clock: Deadline) -> Box | None:
        """Return a box of some members, None if none is found within the time limit.

        Parameters
        ----------
        active
            The members.
        known
            Whether a point is known that satisfies some members: then no bounds are needed.
        clock
            The time limit.
        """
        rays: list[Ray] = []
        fixed: dict[int, Interval] = {}
        for ray in self._rays:
            active = self._without(active, ray, fixed, rays)
        if rays and known(active):
            return Box(active, {}, tuple(rays))
        own: dict[tuple[int, int], list[_Implied]] = {}
        while True:
            linear = self._relaxation(active)
            found: dict[int, Interval] = {}
            for column, side in linear.missing(active, fixed):
                some = (*self._bounds.get((column, side), ()), *own.get((column, side), ()))
                end = next((one.end for one in some if not one.support & ~active), None)
                if end is None:
                    answer = linear.extreme(column, side, active, fixed, clock)
                    if answer.status is Status.UNBOUNDED:
                        ray = self._ray({linear.columns[c]: x for c, x in answer.ray.items()})
                        active = self._without(active, ray, fixed, rays)
                        if rays[-1:] != [ray] or len(rays) > MAX_RAYS:
                            return None
                        self._rays.append(ray)
                        if known(active):
                            return Box(active, {}, tuple(rays))
                        break
                    if answer.status is not Status.OPTIMAL or answer.cost is None:
                        return None
                    end = -answer.cost if side else answer.cost
                    support, alone = linear.support(answer, column, side, fixed)
                    where = self._bounds if alone else own
                    where.setdefault((column, side), []).append(_Implied(support, end))
                low, high = found.get(column, self._members.interval(active, column))
                found[column] = Interval(low, end) if side else Interval(end, high)
            else:
                return Box(active, {**found, **fixed}, tuple(rays))

    def _relaxation(self, active: int) -> _ColumnRanges:
        """Return the linear program of some rows."""
        rows = active & self._members.of_rows
        if self._linear is None or self._linear.active & self._members.of_rows != rows:
            self._linear = _ColumnRanges(self._members, active)
        return self._linear

    def _ray(self, steps: Mapping[int, Number]) -> Ray:
        """Return a ray, and what it violates or satisfies farther."""
        members = self._members
        whole = {column: int(step) for column, step in steps.items() if step}
        blockers = gaining = 0
        sums: dict[int, int] = {}
        for column, step in whole.items():
            low, high = (1 << members.bit(side, column) for side in SIDES[:2])
            blockers |= high if step > 0 else low
            gaining |= low if step > 0 else high
            for row, factor in members.holders[column]:
                sums[row] = sums.get(row, 0) + factor * step
        for row, total in sums.items():
            if total:
                _, lowest, highest = members.rows[row]
                blocked = is_finite(highest if total > 0 else lowest)
                gaining |= members.of_row(row)
                blockers |= members.of_row(row) * blocked
        return Ray(whole, blockers & (members.of_rows | members.of_columns), gaining)

    def _without(self, active: int, ray: Ray, fixed: dict[int, Interval], rays: list[Ray]) -> int:
        """Return the members that do not hold farther along a ray; fix one of its columns."""
        if ray.blockers & active or not fixed.keys().isdisjoint(ray.steps):
            return active
        members = self._members
        # Whole multiples of the ray keep integers integral.
        sizes = {
            column: abs(step) - members.is_integer(active, column)
            for column, step in ray.steps.items()
        }
        if not any(members.is_integer(active, column) for column in ray.steps):
            sizes = dict.fromkeys(ray.steps, 0)
        column = min(sizes, key=lambda one: (sizes[one], one))
        if sizes[column] > MAX_WIDTH:
            return active
        fixed[column] = Interval(0, sizes[column])
        rays.append(ray)
        return active & ~ray.gaining

    def point(self, box: Box, values: Mapping[int, Number]) -> dict[int, Number]:
        """Return a point of the given members from one of those in a box."""
        members, point = self._members, dict(values)
        for ray in reversed(box.rays):
            times = 0
            for column, step in ray.steps.items():
                low, high = members.bounds[column]
                end = low if step > 0 else high
                if is_finite(end):
                    gap = Fraction(end - point.get(column, 0)) / step
                    times = max(times, math.ceil(gap))
            rows = {row for column in ray.steps for row, _ in members.holders[column]}
            for row in rows:
                terms, low, high = members.rows[row]
                total = sum(a * ray.steps.get(column, 0) for column, a in terms.items())
                end = low if total > 0 else high
                if total and is_finite(end):
                    now = sum(a * point.get(column, 0) for column, a in terms.items())
                    times = max(times, math.ceil(Fraction(end - now) / total))
            for column, step in ray.steps.items():
                point[column] = point.get(column, 0) + times * step
        return point


class _ColumnRanges:
    """The linear relaxation of some members, and the bounds of columns that it implies."""

    def __init__(self, members: Members, active: int) -> None:
        self._members, self.active = members, active
        part, self.columns, self._rows = members.part(active)
        self._place = {column: place for place, column in enumerate(self.columns)}
        self._linear = ExactLp(part, range(len(self.columns)))

    def missing(self, active: int, fixed: Mapping[int, Interval]) -> Iterator[tuple[int, int]]:
        """Yield the columns without a lower (0) or an upper (1) bound."""
        for column in self.columns:
            if column not in fixed:
                for side, end in enumerate(self._members.interval(active, column)):
                    if not is_finite(end):
                        yield column, side

    def extreme(
        self, column: int, side: int, active: int, fixed: Mapping[int, Interval], clock: Deadline
    ) -> LinearAnswer:
        """Return the least (0) value of a column, or the negative of the greatest (1)."""
        self._linear.set_costs({self._place[column]: -1 if side else 1})
        bounds: dict[int, tuple[Bound, Bound]] = {
            place: fixed.get(c) or self._members.interval(active, c)
            for place, c in enumerate(self.columns)
        }
        return self._linear.solve(clock=clock, bounds=bounds)

    def support(
        self, answer: LinearAnswer, column: int, side: int, fixed: Mapping[int, Interval]
    ) -> tuple[int, bool]:
        """Return the members that imply the bound of an answer, and whether they alone do."""
        members = self._members
        reduced: dict[int, Number] = {column: -1 if side else 1}
        support, alone = 0, True
        for place, price in answer.prices.items():
            row = self._rows[place]
            support |= members.of_row(row)
            for other, factor in members.rows[row][0].items():
                reduced[other] = reduced.get(other, 0) - price * factor
        for other, cost in reduced.items():
            if cost and other in fixed:
                alone = False
            elif cost:
                support |= 1 << members.bit(SIDES[cost < 0], other)
        return support, alone
