"""Whether the continuous columns of a solution are unique: one exact LP over the optimal face.

A point is the only one of a polyhedron if it is a vertex, and no inequality that is tight there can
be loosened. So the sum of these slacks is maximised, over the points with the same integers and
the same objective (compare Mangasarian 1979, https://doi.org/10.1016/0024-3795(79)90014-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.model import Model
from calmip.mip.rows import Number, Row, is_finite, shortest
from calmip.mip.status import Status

LATE = "another point was neither found nor excluded"

Values = Mapping[int, Number]


def other_point(model: Model, point: Values, clock: Deadline = ENDLESS) -> dict[int, Number] | None:
    """Return another point with the same integers and objective; None if there is proved none.

    Parameters
    ----------
    model
        The model.
    point
        A solution: the exact values by column, 0 where none is given.
    clock
        The time limit.

    Raises
    ------
    TimeoutError
        If the time limit is reached.
    SolverFailed
        If what was found is not such a point.
    """
    free = [c for c, one in enumerate(model.values("integer")[: len(model.own_columns)]) if not one]
    if not free:
        return None
    face = model
    if costs := model.costs:
        best = shortest(sum(cost * point[c] for c, cost in costs.items() if c in point))
        face = model.with_objective_row("", best, best)
    rows = face.whole_rows()
    found = _along_a_line(face, rows, free, point, clock)
    if found is None:
        clock.check(LATE)
        found = _off_the_vertex(face, rows, free, point, clock)
    if found is None:
        return None
    found = {column: shortest(Fraction(value)) for column, value in sorted(found.items()) if value}
    own = {column: value for column, value in point.items() if value}
    moved = {c for c in found.keys() | own.keys() if found.get(c, 0) != own.get(c, 0)}
    if not moved or not moved <= set(free) or face.violated(found) is not None:
        raise SolverFailed("a second optimal point is none; report this")
    return found


def _along_a_line(
    face: Model, rows: list[Row[int]], free: list[int], point: Values, clock: Deadline
) -> dict[int, Number] | None:
    """Return a point on a line through a point that is not a vertex; None if it is one."""
    from calmip.mip.lp.exact_lp import Factors

    bounds = face.column_bounds
    inside = {c for c in free if _between(point.get(c, 0), *bounds[c])}
    sums = _sums(rows, point)
    tight = [n for n, (_, *sides) in enumerate(rows) if sums[n] in sides]
    factors = Factors([terms for terms, _, _ in rows], tight, inside, clock)
    if not factors.left_columns:
        return None
    first = min(factors.left_columns)
    right = {n: -rows[n][0][first] for n in tight if first in rows[n][0]}
    line: dict[int, Number] = {**factors.solve(right), first: 1}
    # Along the line, the nearest bound of a column or side of a row.
    moves = [(step, point.get(c, 0), bounds[c]) for c, step in line.items()]
    moves += [
        (sum(a * line.get(c, 0) for c, a in row.terms.items()), total, row.bounds)
        for row, total in zip(rows, sums, strict=True)
    ]
    reach: list[Fraction] = [
        abs((Fraction(end) - at) / step)
        for step, at, ends in moves
        if step and is_finite(end := ends[step > 0])
    ]
    far = min(reach, default=Fraction(1))
    return {c: point.get(c, 0) + far * line.get(c, 0) for c in point.keys() | line.keys()}


def _off_the_vertex(
    face: Model, rows: list[Row[int]], free: list[int], point: Values, clock: Deadline
) -> dict[int, Number] | None:
    """Return a point at which an inequality that is tight at a vertex is not; None if none is."""
    from calmip.mip.lp.exact_lp import ExactLp

    slack: dict[int, Number] = {}

    def loosen(terms: Values, total: Number, low: object, high: object) -> None:
        sign = (total == low) - (total == high)  # 0 of an equation
        for column, a in terms.items():
            slack[column] = slack.get(column, 0) - sign * a

    for column in free:
        loosen({column: 1}, point.get(column, 0), *face.column_bounds[column])
    for row, total in zip(rows, _sums(rows, point), strict=True):
        loosen(row.terms, total, *row.bounds)
    cost = {column: slack[column] for column in free if slack.get(column)}
    answer = ExactLp(face.with_costs(cost), free).solve(point, clock)
    if answer.status is Status.UNKNOWN:
        raise TimeoutError(answer.reason)
    if answer.status is Status.UNBOUNDED:
        keys = answer.point.keys() | answer.ray.keys()
        return {c: answer.point.get(c, 0) + answer.ray.get(c, 0) for c in keys}
    if answer.status is not Status.OPTIMAL:
        raise SolverFailed("exact searches disagree; report this")
    least = sum(a * answer.point.get(c, 0) for c, a in cost.items())
    here = sum(a * point.get(c, 0) for c, a in cost.items())
    return dict(answer.point) if least < here else None


def _sums(rows: list[Row[int]], point: Values) -> list[Number]:
    return [sum(a * point[c] for c, a in row.terms.items() if c in point) for row in rows]


def _between(value: Number, low: Number | float, high: Number | float) -> bool:
    return low < value < high
