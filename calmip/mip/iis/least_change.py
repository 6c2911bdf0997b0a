"""The least change of the sides of rows that makes an infeasible model feasible.

Each row may be violated by an amount, at its cost (elastic programming; Brown and Graves 1975, and
Chinneck, Feasibility and Infeasibility in Optimization, 2008). Few changed rows and a
small sum of changes are two objectives, so all efficient choices are found: for each number of
rows, the least sum of changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import linear_program
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import independent_search
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.lp.inequality import greatest
from calmip.mip.model import Model
from calmip.mip.pool import OPTIMUM, PoolSearch
from calmip.mip.rows import Bound, Interval, Number, is_finite
from calmip.mip.status import Status

__all__ = ["Repair", "find_repairs"]

MAX_CHOICES = 10
"""The most efficient choices that are searched."""

MAX_CHANGE = 10**6
"""A side whose row has no finite bound is changed by at most this number."""

CHOICE_SECONDS = 10.0
"""The most seconds for each choice without a time limit."""

Values = Mapping[int, Number]


@dataclass(frozen=True)
class Repair:
    """A change of the sides of rows after which a model is feasible.

    Parameters
    ----------
    changes
        By row, the amount by which its upper side rises (positive) or its lower side falls
        (negative).
    point
        A solution of the changed model, without zeros.
    amount
        The sum of the sizes of all changes.
    cost
        The same sum with the penalties of the rows.
    proved
        Whether it is proved that no lower cost suffices with so few rows.
    fewest
        Whether it is proved that so many rows must change at least.
    """

    changes: Mapping[int, Number]
    point: Values = field(repr=False)
    amount: Number
    cost: Number
    proved: bool
    fewest: bool = False


def find_repairs(
    model: Model,
    *,
    keep: Iterable[int] = (),
    penalties: Mapping[int, Number] = MappingProxyType({}),
    clock: Deadline = ENDLESS,
) -> list[Repair]:
    """Return the efficient changes: from the fewest rows to the least sum of changes.

    Parameters
    ----------
    model
        The model. Its bounds and integrality stay.
    keep
        Rows that stay as they are.
    penalties
        What a change of a row by one costs, above 0; 1 for the other rows.
    clock
        The time limit.

    Returns
    -------
    list of Repair
        With more and more rows and smaller and smaller sums. Empty if no change of rows suffices,
        or none was found in time.
    """
    elastic = _Elastic(model, frozenset(keep), penalties, clock)
    least = elastic.solve()
    if least is None:
        return []
    found: list[Repair] = []
    few = elastic.solve(count=True)
    if few is None:
        return [least]
    most, fewest = len(few.changes), few.fewest
    while len(found) < MAX_CHOICES and not clock.over:
        if most >= len(least.changes):
            break
        one = elastic.solve(most=most)
        if one is None:
            break
        if one.cost <= least.cost:
            least = one
            break
        if not found or one.cost < found[-1].cost:
            found.append(one)
        most += 1
    found.append(least)
    first = found[0]
    found[0] = replace(first, fewest=fewest and len(first.changes) == len(few.changes))
    return found


class _Elastic:
    """The elastic model: each row with the changes of its two sides."""

    def __init__(
        self, model: Model, keep: frozenset[int], penalties: Mapping[int, Number], clock: Deadline
    ) -> None:
        self._model, self._penalties, self._clock = model, penalties, clock
        self.bounds = list(model.column_bounds)
        self.integer = list(map(bool, model.values("integer")))
        self.size = len(self.bounds)
        self.rows: list[tuple[str, Mapping[int, Number], Bound, Bound]] = []
        self.slacks: list[tuple[int, int, Number, bool]] = []
        """The row, the direction and the largest size of each change, and whether that is proved
        to be large enough."""
        for row, (name, given) in enumerate(zip(model.rows, model.exact_rows(), strict=True)):
            terms, low, high = given
            own: dict[int, Number] = dict(terms)
            # Each side as an upper one, and how far the left-hand side can exceed it.
            sides = (1, high), (-1, -low)
            integral = all(
                self.integer[c] and x.denominator == 1 for c, x in terms.items()
            ) and all(end.denominator == 1 for end in given.bounds.finite)
            for sign, side in sides if row not in keep else ():
                most = greatest({c: sign * x for c, x in terms.items()}, self.bounds)
                if not is_finite(side) or most <= side:
                    continue
                known = is_finite(most)
                reach = most - side if is_finite(most) else MAX_CHANGE
                own[len(self.bounds)] = -sign
                self.slacks.append((row, sign, reach, known))
                self.bounds.append(Interval(0, reach if known else math.inf))
                self.integer.append(integral)
            self.rows.append((name, own, low, high))

    def solve(self, *, count: bool = False, most: int | None = None) -> Repair | None:
        """Return the least sum of changes, of at most so many rows, or the fewest changed rows."""
        bounds, integer, rows = self.bounds.copy(), self.integer.copy(), self.rows.copy()
        switched = count or most is not None
        cost: dict[int, Number] = {
            self.size + number: self._penalties.get(row, 1)
            for number, (row, *_) in enumerate(self.slacks)
        }
        if switched:
            switches: dict[int, int] = {}
            for number, (row, _, far, _) in enumerate(self.slacks):
                if row not in switches:
                    switches[row] = len(bounds)
                    bounds.append(Interval(0, 1))
                    integer.append(True)
                terms: dict[int, Number] = {self.size + number: 1, switches[row]: -far}
                rows.append((f"switch {number}", terms, -math.inf, 0))
            every: dict[int, Number] = dict.fromkeys(switches.values(), 1)
            if count:
                cost = every
            if most is not None:
                rows.append(("rows", every, -math.inf, most))
        names = [f"x{number}" for number in range(len(bounds))]
        found = minimise(exact_model(names, bounds, integer, rows, cost), self._clock)
        if found is None:
            return None
        point, proved = found
        changes: dict[int, Number] = {}
        for number, (row, sign, _, _) in enumerate(self.slacks):
            size = point.get(self.size + number, 0)
            if size:
                changes[row] = changes.get(row, 0) + sign * size
        sizes: dict[int, Number] = {row: max(x, -x) for row, x in changes.items()}
        sure = proved and (not switched or all(known for *_, known in self.slacks))
        return Repair(
            {row: change for row, change in changes.items() if change},
            {column: value for column, value in point.items() if column < self.size},
            sum(sizes.values()),
            sum(size * self._penalties.get(row, 1) for row, size in sizes.items()),
            sure,
            (sure and count) or len(changes) == 1,
        )


def minimise(model: Model, clock: Deadline) -> tuple[dict[int, Number], bool] | None:
    """Return the best exact point that is found, and whether it is proved to be optimal."""
    limit = clock.at_most(CHOICE_SECONDS)
    if not any(model.values("integer")):
        answer = ExactLp(model).solve(clock=limit)
        return (answer.point, True) if answer.status is Status.OPTIMAL else None
    best: dict[int, Number] | None = None
    try:
        search = PoolSearch(model, OPTIMUM, clock=limit)
        for _, point in search:
            best = point
        if search.complete:
            return None if best is None else (best, True)
    except InputError:  # an integer without bounds
        pass
    other = _by_highs(model, clock)
    if other is not None and (best is None or _cost(model, other) < _cost(model, best)):
        best = other
    if best is None:
        return None
    proved = False
    if all(model.integer[c] and cost.denominator == 1 for c, cost in model.costs.items()):
        step = math.gcd(*(cost.numerator for cost in model.costs.values()))
        better = independent_search.find(model, limit, most=_cost(model, best) - step, least=0.1)
        proved = better[0] is False
    return best, proved


def _cost(model: Model, point: Values) -> Number:
    return sum((cost * point.get(column, 0) for column, cost in model.costs.items()), Fraction(0))


def _by_highs(model: Model, clock: Deadline) -> dict[int, Number] | None:
    """Return HiGHS's best point with exact values of continuous columns."""
    names = ("column_lower", "column_upper")
    try:
        highs = linear_program(
            "the least change",
            (model.values("lower"), model.values("upper")),
            tuple(model.values(name) for name in ("start", "index", "value")),  # type: ignore[arg-type]
            cost=model.values("cost"),
            columns=tuple(model.values(name) for name in names),  # type: ignore[arg-type]
        )
    except (SolverFailed, OverflowError):
        return None
    highs.set({"presolve": "choose", "solver": "choose"})
    integers = [column for column, one in enumerate(model.values("integer")) if one]
    highs.make_integer(integers)
    highs.run(clock.left() or CHOICE_SECONDS)
    if highs.info("primal_solution_status") != 2:
        return None
    values = highs.solution()[0]
    answer = ExactLp(model).solve({c: round(values[c]) for c in integers}, clock)
    if answer.status is not Status.OPTIMAL:
        return None
    return None if model.violated(answer.point) is not None else answer.point
