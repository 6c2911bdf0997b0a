"""How the objective of one model is made of that of another, on the columns that they share."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from calmip._base.limits import Deadline
from calmip.problem.display import shortest
from calmip.problem.model import Bound, Model, Number, unused_name
from calmip.search.comparison import include
from calmip.search.half_space import half_space
from calmip.search.implication import Implications, Proposer
from calmip.search.projection import Projected, project

__all__ = ["Objectives", "compare_objectives"]

MOST_ENTRIES = 50_000
"""The most coefficients of equations that objectives are compared by."""

Numbers = Mapping[int, Number]


@dataclass(frozen=True)
class Objectives:
    """How the objective of one model is made of that of another.

    Parameters
    ----------
    relation
        ``same``, ``shifted`` by a constant, ``scaled`` by a factor, and perhaps shifted,
        ``reversed`` (a negative factor), ``different``, ``unlike`` (other coefficients, of models
        that are not known to have the same solutions), or ``unknown``.
    factor, shift
        The second objective is the factor times the first one, plus the shift; both minimised.
    by_rows
        Whether that holds for all solutions by the rows, not for the coefficients.
    points
        If they are different: two solutions that they rank differently.
    """

    KEYS = ("relation", "factor", "shift", "by_rows")

    relation: str
    factor: Number = 1
    shift: Number = 0
    by_rows: bool = False
    points: tuple[Numbers, ...] = ()

    @property
    def ranks_alike(self) -> bool | None:
        """Whether both rank all solutions alike; None if not known."""
        if self.relation in ("unlike", "unknown"):
            return None
        return self.relation in ("same", "shifted", "scaled")


def compare_objectives(
    one: Model, other: Model, columns: Mapping[int, int], clock: Deadline, *, same: bool,
    solver: Proposer | None = None,
) -> Objectives:  # fmt: skip
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
    first = project(one, [c for c in range(len(one.columns)) if c not in shared])
    second = project(other, [c for c in range(len(other.columns)) if c not in columns])
    own = {c: value for c, value in first.cost.items() if value}
    cost = {c: value for c, value in second.cost.items() if value}
    lost = first.priced or second.priced or own.keys() - shared or cost.keys() - columns.keys()
    if lost:
        whole = same and _by_epigraphs(one, other, columns, clock, solver)
        return whole or Objectives("unknown")
    their = {columns[c]: value for c, value in cost.items()}
    start = _constant(one) + first.constant
    end = _constant(other) + second.constant
    found = _relate(own, their, start, end)
    if not same and (found is None or found.relation == "reversed"):
        return Objectives("unlike")
    if found is not None and found.relation != "reversed":
        return found
    reduced = _reduce(first, [own, their], clock)
    if reduced is not None:
        (less, moved), (fewer, added) = reduced
        by_rows = _relate(less, fewer, start + moved, end + added)
        if by_rows is not None and by_rows.relation != "reversed":
            return replace(by_rows, by_rows=True)
    by_values = _by_values(Implications(one, clock, solver), own, their, start, end)
    # A negative factor makes a difference only if the objective is not constant.
    if found is not None and by_values.relation == "different":
        return replace(found, points=by_values.points)
    return by_values


def _by_epigraphs(
    one: Model, other: Model, columns: Mapping[int, int], clock: Deadline, solver: Proposer | None
) -> Objectives:
    """Compare the best objectives for each choice of the shared columns.

    The objective becomes a column, which is at least the costs; and the models are compared once
    more.
    """
    models = _with_objective(one), _with_objective(other)
    shared = {**columns, len(other.columns): len(one.columns)}
    inverse = {ours: theirs for theirs, ours in shared.items()}
    left = clock.left()
    half = Deadline(None if left is None else left / 2)
    found = (
        include(models[0], models[1], shared, half, solver),
        include(models[1], models[0], inverse, clock, solver),
    )
    holds = [inclusion.holds for inclusion in found]
    relation = "different" if False in holds else "unknown" if None in holds else "same"
    return Objectives(relation, by_rows=True)


def _with_objective(model: Model) -> Model:
    """Return a model with its costs, to be minimised, as a column with one row."""
    width = len(model.columns)
    costs = sorted(model.costs)
    wide = model.changed(
        columns=(*model.columns, unused_name("objective", model.places)),
        cost=array("d", bytes(8 * (width + 1))),
        column_lower=array("d", [*model.values("column_lower"), -math.inf]),
        column_upper=array("d", [*model.values("column_upper"), math.inf]),
        integer=array("b", [*model.values("integer"), False]),
        exact={key: v for key, v in model.exact.items() if key[0] not in ("cost", "offset")},
        offset=0.0,
        maximise=False,
        native=None,
    )
    values: list[Bound] = [-model.costs[column] for column in costs]
    name = unused_name("objective", dict.fromkeys(model.rows))
    return wide.with_row(name, [*costs, width], _constant(model), math.inf, [*values, 1])


def _by_values(
    asked: Implications, own: Numbers, their: Numbers, start: Number, end: Number
) -> Objectives:
    """Compare two objectives by their values at some solutions, and then at all."""
    points: list[Numbers] = []
    difference = {c: their.get(c, 0) - own.get(c, 0) for c in own.keys() | their.keys()}
    for cost in (own, their, difference):
        for sign in (1, -1):
            point = asked.best(1.0, {c: sign * value for c, value in cost.items()})
            if point is not None and point not in points:
                points.append(point)
    values = sorted(
        ((_dot(own, point), _dot(their, point), place) for place, point in enumerate(points)),
    )
    for low, high in combinations(values, 2):
        if high[1] < low[1] or (high[0] == low[0]) != (high[1] == low[1]):
            return Objectives("different", points=(points[low[2]], points[high[2]]))
    if len(values) < 2 or values[0][0] == values[-1][0]:
        return Objectives("unknown")
    first, last = values[0], values[-1]
    factor = Fraction(last[1] - first[1]) / (last[0] - first[0])
    left = {c: their.get(c, 0) - factor * own.get(c, 0) for c in own.keys() | their.keys()}
    constant = first[1] - factor * first[0]
    for sign in (1, -1):
        terms = {c: sign * value for c, value in left.items()}
        half = half_space(terms, sign * constant, asked.integer)
        implied = asked.quick(half)[0] is not None or asked.linear(half)[0]
        if not implied:
            seconds = asked.clock.left()
            there, _ = asked.search(half, Deadline(5.0 if seconds is None else seconds))
            implied = there is False
        if not implied:
            return Objectives("unknown")
    shift = constant + end - factor * start
    relation = "scaled" if factor != 1 else "shifted" if shift else "same"
    return Objectives(relation, shortest(factor), shortest(shift), by_rows=True)


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
    if sum(len(row.terms) for row in rows) > MOST_ENTRIES:
        return None
    pivots: dict[int, tuple[dict[int, Number], Number]] = {}
    for row in sorted(rows, key=lambda one: len(one.terms)):
        if clock.over:
            return None
        assert not isinstance(row.low, float)
        terms, side = _subtract(row.terms, row.low, pivots)
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
    terms: Numbers, side: Number, pivots: Mapping[int, tuple[Numbers, Number]]
) -> tuple[dict[int, Number], Fraction]:
    """Return an equation without the columns of pivots; each pivot has its largest column."""
    left: dict[int, Number] = {c: value for c, value in terms.items() if value}
    rest = Fraction(side)
    done: set[int] = set()
    while todo := [c for c in left if c in pivots and c not in done]:
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
