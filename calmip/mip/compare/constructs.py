"""Whether the solutions of one model satisfy the constructs of another.

A construct is violated in one of a few cases, each with rows of its own. In each case the greatest
violation is searched over the solutions of the one model: where it is 0, none violates it so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import singledispatch
from itertools import combinations, pairwise

from calmip._base.errors import InputError
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare.comparison import Inclusion, Side, include
from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Equivalence,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
    Terms,
)
from calmip.mip.linearise import own_part
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.lp.inequality import Basis
from calmip.mip.model import Model
from calmip.mip.projection import Projection
from calmip.mip.rows import Bound, Interval, Number, is_finite
from calmip.mip.status import Status

Case = list[tuple[Terms, Bound, Bound]]
"""Rows; the column -1 is the violation."""

Values = Mapping[int, Number]

VIOLATION = -1


def include_constructs(
    one: Model, other: Model, columns: Mapping[int, int], clock: Deadline = ENDLESS
) -> Inclusion:
    """Return whether the solutions of a model without constructs are solutions of another.

    Parameters
    ----------
    one, other
        The models; the other one may have constructs.
    columns
        The column of the one model by the column of the other, for those that they share.
    clock
        The time limit.
    """
    part = clock if other.logic is None else clock.first(0.5)
    found = include(one, own_part(other), columns, part)
    if other.logic is None or found.holds is False:
        return found
    sides = list(found.sides)
    for construct in other.logic.constructs:
        side = Side("construct", construct.name, construct.words(other.columns))
        holds, point = _implied(one, construct, columns, clock)
        sides.append(replace(side, holds=holds, basis=Basis.SEARCH if holds else None))
        if point is not None:
            values = {c: point[own] for c, own in columns.items() if own in point}
            every = other.violations(values, clock)
            wrong = tuple(each for each in every if each.kind == "construct")
            if wrong:
                return Inclusion(False, tuple(sides), point, wrong)
    holds_all = True if all(side.holds for side in sides) else None
    return replace(found, holds=holds_all, sides=tuple(sides))


def _implied(
    one: Model, construct: Construct, columns: Mapping[int, int], clock: Deadline
) -> tuple[bool | None, dict[int, Number] | None]:
    """Return whether all solutions satisfy a construct, None if not known, or one that does not."""
    if isinstance(construct, Projection) or not columns.keys() >= set(construct.columns):
        return None, None
    known = True
    for case in cases(construct):
        answer = _greatest(one, case, columns, clock)
        if answer is None:
            known = False
        elif answer.get(VIOLATION):
            return False, {column: value for column, value in answer.items() if column >= 0}
    return known or None, None


def _greatest(
    one: Model, case: Case, columns: Mapping[int, int], clock: Deadline
) -> dict[int, Number] | None:
    """Return the solution that violates a case the most; empty without any, None if not known."""
    from calmip.mip.pool import OPTIMUM, PoolSearch

    width = len(one.columns)
    places = {**columns, VIOLATION: width}
    rows = [
        (name, row.terms, row.low, row.high)
        for name, row in zip(one.rows, one.exact_rows(), strict=True)
    ]
    rows += [
        ("case", {places[c]: v for c, v in terms.items()}, low, high) for terms, low, high in case
    ]
    integer = list(map(bool, one.values("integer")))
    bounds = [*one.column_bounds, Interval(0, 1)]
    names = [*one.columns, "the violation"]
    model = exact_model(names, bounds, [*integer, False], rows, {width: -1})
    if not any(integer):
        answer = ExactLp(model).solve(clock=clock)
        if answer.status is Status.INFEASIBLE:
            return {}
        point = answer.point if answer.status is Status.OPTIMAL else None
    else:
        search = PoolSearch(model, OPTIMUM, clock=clock)
        try:
            found = next(iter(search), None)
        except InputError:  # an integer without bounds
            return None
        if found is None:
            return {} if search.complete else None
        point = found.point if search.proved or found.point.get(width) else None
    if point is None:
        return None
    return {VIOLATION if column == width else column: value for column, value in point.items()}


def _apart(terms: Terms, low: Bound, high: Bound) -> Iterator[Case]:
    """Yield the cases in which a sum is outside two ends."""
    if is_finite(low):
        yield [({**terms, VIOLATION: 1}, -math.inf, low)]
    if is_finite(high):
        yield [({**terms, VIOLATION: -1}, high, math.inf)]


@singledispatch
def cases(construct: Construct) -> Iterable[Case]:
    """Return the cases in which a point violates a construct."""
    raise NotImplementedError(f"no cases are known for a {construct.kind}")


@cases.register
def _indicator_cases(one: Indicator) -> Iterable[Case]:
    for case in _apart(one.terms, one.low, one.high):
        yield [*(({column: 1}, value, value) for column, value in one.conditions), *case]


@cases.register
def _equivalence_cases(one: Equivalence) -> Iterable[Case]:
    if one.both:
        for case in _apart(one.terms, one.low, one.high):
            yield [({one.column: 1}, one.value, one.value), *case]
    # Where the row holds, the binary column is wrong by 1.
    wrong = 1 - one.value
    yield [({one.column: 1}, wrong, wrong), (one.terms, one.low, one.high)]


@cases.register
def _semi_cases(one: SemiContinuous) -> Iterable[Case]:
    column = {one.column: 1}
    yield from _apart(column, min(one.low, 0), max(one.high, 0))
    # Between 0 and the nearer bound.
    low, high = (0, one.low) if one.low > 0 else (one.high, 0)
    if is_finite(low) and is_finite(high):
        yield [
            ({**column, VIOLATION: -1}, low, math.inf),
            ({**column, VIOLATION: 1}, -math.inf, high),
        ]


@cases.register
def _set_cases(one: OrderedSet) -> Iterable[Case]:
    for first, second in combinations(range(len(one.members)), 2):
        if second - first < one.most:
            continue
        for left in _apart({one.members[first]: 1}, 0, 0):
            for right in _apart({one.members[second]: 1}, 0, 0):
                yield left + right


@cases.register
def _extreme_cases(one: Extreme) -> Iterable[Case]:
    beyond: Case = []
    for terms, constant in one.sums:
        difference = {column: -one.sign * value for column, value in terms.items()}
        difference[one.column] = difference.get(one.column, 0) + one.sign
        side = one.sign * constant
        yield [({**difference, VIOLATION: 1}, -math.inf, side)]
        beyond.append(({**difference, VIOLATION: -1}, side, math.inf))
    yield beyond


@cases.register
def _line_cases(one: BrokenLine) -> Iterable[Case]:
    ends: list[Bound] = [-math.inf, *(x for x, _ in one.points[1:-1]), math.inf]
    for (left, right), (start, end) in zip(pairwise(ends), pairwise(one.points), strict=True):
        slope = Fraction(end[1] - start[1]) / (end[0] - start[0])
        side = start[1] - slope * start[0]
        for case in _apart({one.column: 1, one.argument: -slope}, side, side):
            yield [({one.argument: 1}, left, right), *case]
