"""How the objective of one model is made of that of another, on the columns that they share."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare.comparison import include
from calmip.mip.compare.elimination import Projected, project
from calmip.mip.compare.implication import Implications, Proposer
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.lp.inequality import HalfSpace, half_space
from calmip.mip.model import Model, unused_name
from calmip.mip.pool import OPTIMUM, PoolSearch
from calmip.mip.rows import Bound, Number, is_finite, shortest
from calmip.mip.status import Status

MAX_ENTRIES = 50_000
"""The most coefficients of equations that objectives are compared by."""

MAX_SECONDS = 5.0
"""The most seconds of a search without a time limit."""

LATE = "the time limit was reached"

Numbers = Mapping[int, Number]


@dataclass(frozen=True)
class Objectives:
    """How the objective of one model is made of that of another.

    Parameters
    ----------
    relation
        ``same``, ``shifted`` by a constant, ``scaled`` by a factor, and perhaps shifted,
        ``monotone`` (no multiple, but in the same order at all solutions), ``reversed`` (a negative
        factor), ``different``, ``unlike`` (other coefficients, of models that are not known to have
        the same solutions), or ``unknown``.
    factor, shift
        The second objective is the factor times the first one, plus the shift; both minimised.
    by_rows
        Whether that holds for all solutions by the rows, not for the coefficients.
    points
        If they are different: two solutions of the first model that they rank differently.
    values
        The values of both objectives there, as the files have them, if further columns have costs.
    proved
        Whether the relation is proved in exact numbers.
    reason
        Why it is ``unknown``.
    """

    KEYS = ("relation", "factor", "shift", "by_rows", "proved", "reason")

    relation: str
    factor: Number = 1
    shift: Number = 0
    by_rows: bool = False
    points: tuple[Numbers, ...] = ()
    values: tuple[tuple[Number, Number], ...] = ()
    proved: bool = True
    reason: str = ""

    @property
    def ranks_alike(self) -> bool | None:
        """Whether both rank all solutions alike; None if not known."""
        if self.relation in ("unlike", "unknown"):
            return None
        return self.relation in ("same", "shifted", "scaled", "monotone")


def compare_objectives(
    one: Model,
    other: Model,
    columns: Mapping[int, int],
    clock: Deadline,
    *,
    same: bool,
    solver: Proposer | None = None,
) -> Objectives:
    """Compare the objectives of two models on the columns that they share.

    Parameters
    ----------
    one, other, columns, solver
        As for `include`.
    clock
        The time limit.
    same
        Whether both have the same solutions. Then the values at solutions count, not the
        coefficients.
    """
    shared = set(columns.values())
    alone = [c for c in range(len(one.columns)) if c not in shared]
    first = project(one, alone, clock.first(0.1))
    alone = [c for c in range(len(other.columns)) if c not in columns]
    second = project(other, alone, clock.first(0.1))
    own = {c: value for c, value in first.cost.items() if value}
    cost = {c: value for c, value in second.cost.items() if value}
    lost = first.priced or second.priced or own.keys() - shared or cost.keys() - columns.keys()
    if lost:
        equivalence = same and _by_epigraphs(one, other, columns, clock, solver)
        return equivalence or _unknown("a column of one model alone has a cost")
    their = {columns[c]: value for c, value in cost.items()}
    start = _constant(one) + first.constant
    end = _constant(other) + second.constant
    found = _relate(own, their, start, end)
    if found is not None and found.relation != "reversed":
        return found
    if not same:
        return Objectives("unlike", proved=False)
    if clock.over:
        return _unknown(LATE)
    asked = Implications(one, clock, solver)
    equivalence = (
        _by_equations(first, own, their, (start, end), clock)
        or _by_values(asked, own, their, start, end)
        or _by_pairs(asked, own, their, solver)
        or _unknown(LATE)
    )
    # A negative factor makes a difference only if the objective is not constant.
    if found is not None and equivalence.relation == "different":
        return replace(found, points=equivalence.points)
    return equivalence


def _by_equations(
    model: Projected,
    own: Numbers,
    their: Numbers,
    constants: tuple[Number, Number],
    clock: Deadline,
) -> Objectives | None:
    """Return how two objectives belong together by the equations of a model, or None."""
    reduced = _reduce(model, [own, their], clock)
    if reduced is None:
        return None
    (less, moved), (fewer, added) = reduced
    found = _relate(less, fewer, constants[0] + moved, constants[1] + added)
    if found is None or found.relation == "reversed":
        return None
    return replace(found, by_rows=True)


def _unknown(reason: str) -> Objectives:
    return Objectives("unknown", proved=False, reason=reason)


def _by_epigraphs(
    one: Model, other: Model, columns: Mapping[int, int], clock: Deadline, solver: Proposer | None
) -> Objectives:
    """Compare the best objectives for each choice of the shared columns.

    Some choices say by which factor and shift the second one may be made of the first one, or
    that they rank these choices differently. Then the objective becomes a column, which is at
    least the costs; and the models are compared once more.
    """
    inverse = {ours: theirs for theirs, ours in columns.items()}
    values: list[tuple[Number, Number, Numbers]] = []
    for ours in _choices(one, other, columns, clock, solver):
        best = _best(one, ours, columns.values(), clock)
        theirs = _best(other, {inverse[c]: value for c, value in ours.items()}, columns, clock)
        if best is not None and theirs is not None:
            values.append((best[0], theirs[0], best[1]))
    for low, high in combinations(sorted(values, key=lambda pair: pair[:2]), 2):
        if high[1] < low[1] or (high[0] == low[0]) != (high[1] == low[1]):
            signs = [-1 if model.maximise else 1 for model in (one, other)]
            both = tuple((signs[0] * pair[0], signs[1] * pair[1]) for pair in (low, high))
            return Objectives("different", points=(low[2], high[2]), values=both)
    factor, shift = Fraction(1), Fraction(0)
    if values:
        first, last = min(values, key=lambda pair: pair[0]), max(values, key=lambda pair: pair[0])
        if first[0] != last[0]:
            factor = Fraction(last[1] - first[1]) / (last[0] - first[0])
        shift = first[1] - factor * first[0]
    models = _with_objective(one, factor, shift), _with_objective(other)
    shared = {**columns, len(other.columns): len(one.columns)}
    inverse = {ours: theirs for theirs, ours in shared.items()}
    found = (
        include(models[0], models[1], shared, clock.first(0.5), solver),
        include(models[1], models[0], inverse, clock, solver),
    )
    if any(inclusion.holds is not True for inclusion in found):
        return _unknown(LATE if clock.over else "a column of one model alone has a cost")
    relation = "scaled" if factor != 1 else "shifted" if shift else "same"
    proved = all(inclusion.proved for inclusion in found)
    return Objectives(relation, shortest(factor), shortest(shift), by_rows=True, proved=proved)


def _choices(
    one: Model, other: Model, columns: Mapping[int, int], clock: Deadline, solver: Proposer | None
) -> list[Numbers]:
    """Return values of the shared columns, of the first model, that HiGHS finds best or worst."""
    found: list[Numbers] = []
    theirs = {columns[c]: value for c, value in other.costs.items() if c in columns}
    for model, costs, index in (
        (one, (one.costs, theirs), {c: c for c in columns.values()}),
        (other, (other.costs,), columns),
    ):
        asked = Implications(model, clock.first(0.3), solver)
        for cost, sign in product(costs, (1, -1)):
            point = asked.best(1.0, {c: sign * value for c, value in cost.items()})
            if point is not None:
                shared = {index[c]: value for c, value in point.items() if c in index}
                found += [shared] * (shared not in found)
    return found


def _best(
    model: Model, values: Numbers, shared: Collection[int], clock: Deadline
) -> tuple[Number, Numbers] | None:
    """Return the least objective with given values of the shared columns, and a point with it.

    None if these are not known.
    """
    further = [c for c in range(len(model.columns)) if c not in set(shared)]
    integer = model.values("integer")
    if any(integer[column] for column in further):
        fixed = model.fixed({column: values.get(column, 0) for column in shared})
        search = PoolSearch(fixed, OPTIMUM, limited=True, clock=clock.first(0.2))
        try:
            point: Numbers | None = next((point for _, point in search), None)
        except (InputError, SolverFailed, TimeoutError):
            return None
        if point is None or not search.proved:
            return None
    else:
        answer = ExactLp(model, further).solve(values, clock.first(0.2))
        if answer.status is not Status.OPTIMAL:
            return None
        point = {**values, **answer.point}
    objective = model.exact_objective(point)
    return (-objective if model.maximise else objective), point


def _with_objective(model: Model, factor: Number = 1, shift: Number = 0) -> Model:
    """Return a model with its costs, to be minimised, as a column with one row.

    They are multiplied by a factor and shifted.
    """
    width = len(model.columns)
    costs = sorted(model.costs)
    wide = model.changed(
        columns=(*model.columns, unused_name("objective", model.column_index)),
        cost=array("d", bytes(8 * (width + 1))),
        column_lower=array("d", [*model.values("column_lower"), -math.inf]),
        column_upper=array("d", [*model.values("column_upper"), math.inf]),
        integer=array("b", [*model.values("integer"), False]),
        exact={key: v for key, v in model.exact.items() if key[0] not in ("cost", "offset")},
        offset=0.0,
        maximise=False,
        native=None,
    )
    values: list[Bound] = [-factor * model.costs[column] for column in costs]
    name = unused_name("objective", dict.fromkeys(model.rows))
    side = factor * _constant(model) + shift
    return wide.with_row(name, [*costs, width], side, math.inf, [*values, 1])


def _by_values(
    asked: Implications, own: Numbers, their: Numbers, start: Number, end: Number
) -> Objectives | None:
    """Compare two objectives by their values at some solutions, and then at all.

    None if they rank these alike, but are not known to be a multiple of each other.
    """
    points: list[Numbers] = []
    difference = {c: their.get(c, 0) - own.get(c, 0) for c in own.keys() | their.keys()}
    for cost in (own, their, difference):
        for sign in (1, -1):
            point = asked.best(1.0, {c: sign * value for c, value in cost.items()})
            if point is not None and point not in points:
                points.append(point)
    values = sorted(
        ((_dot(own, point), _dot(their, point), index) for index, point in enumerate(points)),
    )
    for low, high in combinations(values, 2):
        if high[1] < low[1] or (high[0] == low[0]) != (high[1] == low[1]):
            return Objectives("different", points=(points[low[2]], points[high[2]]))
    if not values:
        return None
    first, last = values[0], values[-1]
    factor: Number = 1
    if first[0] != last[0]:
        factor = Fraction(last[1] - first[1]) / (last[0] - first[0])
    left = {c: their.get(c, 0) - factor * own.get(c, 0) for c in own.keys() | their.keys()}
    constant = first[1] - factor * first[0]
    if any(_dot(left, points[index]) != constant for _, _, index in values):
        return None
    for sign in (1, -1):
        terms = {c: sign * value for c, value in left.items()}
        half = half_space(terms, sign * constant, asked.integer)
        if not _implied(asked, half, asked.clock.first(0.2)):
            return None
    shift = constant + end - factor * start
    relation = "scaled" if factor != 1 else "shifted" if shift else "same"
    return Objectives(relation, shortest(factor), shortest(shift), by_rows=True)


def _implied(asked: Implications, half: HalfSpace, clock: Deadline) -> bool:
    """Return whether all solutions are proved to satisfy an inequality."""
    if asked.quick(half)[0] is not None or asked.linear(half)[0]:
        return True
    return asked.search(half, Deadline(clock.left() or MAX_SECONDS))[0] is False


def _by_pairs(
    asked: Implications, own: Numbers, their: Numbers, solver: Proposer | None
) -> Objectives | None:
    """Search two solutions x and y that one objective ranks, and the other one otherwise.

    A model with two copies of the columns has them as its solutions. None without an answer.
    """
    width, model = len(asked.model.columns), asked.model
    rows = [(name, *asked.rows[number]) for number, name in enumerate(model.rows)]
    again = [
        (name, {c + width: v for c, v in terms.items()}, low, high)
        for name, terms, low, high in rows
    ]

    def difference(cost: Numbers, sign: int) -> dict[int, Number]:
        terms = {c: sign * value for c, value in cost.items()}
        return terms | {c + width: -value for c, value in terms.items()}

    for share, first, second in ((0.5, own, their), (1.0, their, own)):
        # The first one ranks x before y, and the second one does not.
        twice = exact_model(
            [*model.columns, *(f" {name}" for name in model.columns)],
            asked.bounds * 2,
            asked.integer * 2,
            [*rows, *again, ("rank", difference(second, 1), 0, math.inf)],
        )
        pairs = Implications(twice, asked.clock.first(share), solver)
        half = half_space(difference(first, -1), 0, pairs.integer)
        there, point = pairs.point(half, 0.3 * (pairs.clock.left() or MAX_SECONDS))
        if not there:
            seconds = pairs.clock.left() or MAX_SECONDS
            there, point = pairs.search(half, Deadline(seconds))
        if there is None:
            return None
        if there:
            both = [
                {c - start: v for c, v in point.items() if 0 <= c - start < width}
                for start in (0, width)
            ]
            return Objectives("different", points=tuple(both))
    return Objectives("monotone", by_rows=True)


def _dot(cost: Numbers, point: Numbers) -> Number:
    return sum((value * point[c] for c, value in cost.items() if c in point), 0)


def _constant(model: Model) -> Number:
    return -model.constant if model.maximise else model.constant


def _relate(own: Numbers, their: Numbers, start: Number, end: Number) -> Objectives | None:
    """Return how two objectives belong together, None if one is no multiple of the other."""
    if own.keys() != their.keys():
        return None
    factor: Number = 1
    if own:
        column = next(iter(own))
        factor = Fraction(their[column]) / own[column]
        if any(their[c] != factor * value for c, value in own.items()):
            return None
    shift = end - factor * start
    relation = "same"
    if factor < 0:
        relation = "reversed"
    elif factor != 1:
        relation = "scaled"
    elif shift:
        relation = "shifted"
    return Objectives(relation, shortest(factor), shortest(shift))


def _reduce(
    model: Projected, costs: Sequence[Numbers], clock: Deadline
) -> list[tuple[dict[int, Number], Number]] | None:
    """Return objectives without the columns that equations determine, and their constants."""
    rows = [row for row in model.rows if row.low == row.high and row.terms]
    if sum(len(row.terms) for row in rows) > MAX_ENTRIES:
        return None
    pivots: dict[int, tuple[dict[int, Number], Number]] = {}
    for row in sorted(rows, key=lambda one: len(one.terms)):
        assert is_finite(row.low)
        try:
            terms, side = _subtract(row.terms, row.low, pivots, clock)
        except TimeoutError:
            return None
        if terms:
            column = max(terms)
            factor = terms[column]
            pivots[column] = {c: Fraction(v) / factor for c, v in terms.items()}, side / factor
    found: list[tuple[dict[int, Number], Number]] = []
    for cost in costs:
        terms, constant = _subtract(cost, 0, pivots)
        found.append((terms, -constant))
    return found


def _subtract(
    terms: Numbers,
    side: Number,
    pivots: Mapping[int, tuple[Numbers, Number]],
    clock: Deadline = ENDLESS,
) -> tuple[dict[int, Number], Fraction]:
    """Return an equation without the columns of pivots; each pivot has its largest column."""
    left: dict[int, Number] = {c: value for c, value in terms.items() if value}
    rest = Fraction(side)
    done: set[int] = set()
    while todo := [c for c in left if c in pivots and c not in done]:
        clock.check(LATE)
        column = max(todo)
        done.add(column)
        factor = left[column]
        other, end = pivots[column]
        for c, value in other.items():
            new = left.get(c, 0) - factor * value
            if new:
                left[c] = new
            else:
                left.pop(c, None)
        rest -= factor * end
    return left, rest
