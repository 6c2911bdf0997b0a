"""The optimal face of a linear program: its dimension, vertices, rays and lines, in exact numbers.

The inequalities that hold with equality all over the face are found by exact linear programs, so
that the number of free variables that the equations leave is the dimension. The others are added
one by one in lexicographic order to a cone, whose rays are kept (double description; Motzkin,
Raiffa, Thompson and Thrall 1953, and Fukuda and Prodon 1996,
https://doi.org/10.1007/3-540-61576-8_77).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import renderers
from calmip.mip.lp.exact_lp import ExactLp, Factors
from calmip.mip.model import Model
from calmip.mip.rows import Number, common_factor, is_finite, shortest
from calmip.mip.status import Status

MAX_VERTICES = 2_000
"""The most vertices that are listed by default."""

RAYS_PER_VERTEX = 10
"""So many times as many rays of a cone on the way end the listing."""

MAX_STEPS = 30_000_000
"""So many comparisons of rays end it as well: some ten seconds."""

LATE = "the vertices were not found"

Values = Mapping[int, Number]

Terms = dict[int, Fraction]

Vector = tuple[int, ...]


@dataclass(frozen=True, repr=False)
class OptimalFace:
    """Result of `find_face`.

    Parameters
    ----------
    model
        The model.
    objective
        The objective of all its points.
    dimension
        Its dimension: 0 if the optimum is unique.
    vertices
        The vertices in lexicographic order: exact values by column, without zeros. There are none
        if there are lines, or if they are not complete.
    rays, lines
        Directions by column in which the face is unbounded, and those in which it is so both ways:
        whole numbers without a common divisor.
    complete
        Whether the vertices and rays are listed.
    stopped
        Why they are not: ``"time"``, ``"vertices"``; or empty.
    """

    model: Model = field(repr=False)
    objective: Number
    dimension: int
    vertices: tuple[Values, ...] = ()
    rays: tuple[Values, ...] = ()
    lines: tuple[Values, ...] = ()
    complete: bool = True
    stopped: str = ""

    @property
    def unique(self) -> bool:
        """Whether the face is a point."""
        return self.dimension == 0

    def describe(self) -> dict[str, Any]:
        """Return the face as plain data."""
        points = self.model.describe_point
        return {
            "dimension": self.dimension,
            "complete": self.complete,
            "stopped": self.stopped,
            "vertices": [points(one) for one in self.vertices],
            "rays": [points(one) for one in self.rays],
            "lines": [points(one) for one in self.lines],
        }

    def __str__(self) -> str:
        """Return a sentence on the face."""
        which = "the optimal face" if self.model.costs else "the feasible set"
        if self.unique:
            return f"{which} is a point"
        text = f"{which} has dimension {self.dimension}"
        if not self.complete:
            why = {"time": "time limit reached", "vertices": "there are too many"}
            return f"{text}; its vertices are not listed: {why[self.stopped]}"
        for number, what in (
            (len(self.vertices), "vertex"),
            (len(self.rays), "ray"),
            (len(self.lines), "line"),
        ):
            if number or what == "vertex":
                plural = {"vertex": "vertices"}.get(what, f"{what}s")
                text += f", {number:,} {what if number == 1 else plural}"
        return text

    def __repr__(self) -> str:
        return f"<OptimalFace: {self}>"

    def _repr_html_(self) -> str:
        """Return the vertices, for notebooks."""
        return renderers.notebook().html(self)


def find_face(
    model: Model,
    point: Values | None = None,
    *,
    most: int = MAX_VERTICES,
    clock: Deadline = ENDLESS,
) -> OptimalFace:
    """Return the face of the points that are as good as an optimal one.

    Parameters
    ----------
    model
        The model. Without a point, it is a linear program, which is solved.
    point
        An optimal point of the model. Its integer columns are fixed, and the face is that of
        the continuous ones.
    most
        List at most so many vertices.
    clock
        The time limit. Before the dimension is known, a `TimeoutError` is raised.

    Raises
    ------
    InputError
        If there is no optimum; or if the model has integer columns, and the argument ``point`` is
        left out.
    TimeoutError
        If the time limit is reached before the dimension is known.
    SolverFailed
        If what was found is not a vertex.
    """
    model.check_rows_alone("an optimal face")
    return _Face(model, optimal_point(model, point, clock), clock).find(most)


def optimal_point(model: Model, point: Values | None, clock: Deadline) -> Values:
    """Return the optimum of a linear program, or a point that is given as one.

    Raises
    ------
    InputError, TimeoutError
        As for `find_face`.
    """
    if point is None:
        if any(model.values("integer")):
            raise InputError(
                "the model has integer columns; give an optimal point, at whose values they "
                "are fixed"
            )
        answer = ExactLp(model).solve({}, clock)
        if answer.status is Status.UNKNOWN:
            raise TimeoutError(answer.reason)
        if answer.status is not Status.OPTIMAL:
            raise InputError(f"the model has no optimum: it is {answer.status}")
        point = answer.point
    if model.violated(point) is not None:
        raise InputError("the point does not satisfy the model")
    return point


class _Side(NamedTuple):
    """An inequality ``terms @ x <= side``."""

    terms: Terms
    side: Fraction

    def slack(self, point: Values) -> Fraction:
        return self.side - sum((a * point.get(c, 0) for c, a in self.terms.items()), Fraction(0))

    def growth(self, ray: Values) -> Fraction:
        """Return by how much the slack grows along a ray."""
        return -sum((a * ray.get(c, 0) for c, a in self.terms.items()), Fraction(0))


class _Face:
    """The face of a point: equations and inequalities on the continuous columns."""

    def __init__(self, model: Model, point: Values, clock: Deadline) -> None:
        self.model, self.point, self.clock = model, point, clock
        integer = model.values("integer")
        self.free = [column for column, one in enumerate(integer) if not one]
        self.equations: list[_Side] = []
        self.sides: list[_Side] = []
        self.costs = {c: Fraction(cost) for c, cost in model.costs.items()}
        self._add(self.costs, best := self._total(self.costs), best)
        for terms, low, high in model.exact_rows():
            self._add(terms, low, high)
        for column in self.free:
            self._add({column: 1}, *model.bounds(column))
        self._find_equations()

    def _total(self, terms: Values) -> Fraction:
        return sum((Fraction(a) * self.point.get(c, 0) for c, a in terms.items()), Fraction(0))

    def _add(self, terms: Values, low: Any, high: Any) -> None:
        """Add a row, with the integer columns at their values."""
        own = {c: Fraction(terms[c]) for c in self.free if terms.get(c)}
        fixed = self._total(terms) - self._total(own)
        if not own:
            return
        if low == high:
            self.equations.append(_Side(own, high - fixed))
            return
        if is_finite(high):
            self.sides.append(_Side(own, high - fixed))
        if is_finite(low):
            self.sides.append(_Side({c: -a for c, a in own.items()}, fixed - low))

    def _find_equations(self) -> None:
        """Turn inequalities that are tight everywhere into equations.

        The sum of the slacks that are 0 at all points so far is maximised, until it is 0.
        """
        tight = [one for one in self.sides if not one.slack(self.point)]
        lp = self._program()
        while tight:
            total: Terms = {}
            for one in tight:
                for column, a in one.terms.items():
                    total[column] = total.get(column, Fraction(0)) + a
            lp.set_costs({c: shortest(a) for c, a in total.items() if a})
            answer = lp.solve(self.point, self.clock)
            if answer.status is Status.UNKNOWN:
                raise TimeoutError(answer.reason)
            if answer.status not in (Status.OPTIMAL, Status.UNBOUNDED):
                raise SolverFailed("exact searches disagree; report this")
            left = [
                one
                for one in tight
                if not one.slack(answer.point) and not (answer.ray and one.growth(answer.ray))
            ]
            if len(left) == len(tight):
                break
            tight = left
        known = set(map(id, tight))
        self.equations += tight
        self.sides = [one for one in self.sides if id(one) not in known]

    def _program(self) -> ExactLp:
        """Return the linear program over the face."""
        best = shortest(self._total(self.costs))
        face = self.model.with_objective_row("", best, best) if self.costs else self.model
        return ExactLp(face, self.free)

    def find(self, most: int) -> OptimalFace:
        """Return the face, with its vertices if they are not too many."""
        known = _solved(self.equations, self.clock)
        places = [column for column in self.free if column not in known]
        objective = self.model.exact_objective(self.point)
        width, back = len(places), _back(known, places)
        found = OptimalFace(self.model, objective, width, complete=False, stopped="time")
        index = {column: place for place, column in enumerate(places)}
        try:
            rows = self._reduced_sides(known, index)
            lines, basis = _kernel([row[1:] for row in rows], width, self.clock)
            # The cone over the points without the columns that lines make free.
            top = (1, *[0] * len(basis))
            cone = [top, *((row[0], *(row[1 + p] for p in basis)) for row in rows)]
            rays = _rays(cone, most * RAYS_PER_VERTEX, self.clock)
        except TimeoutError:
            return found
        ends = [ray for ray in rays or () if ray[0]]
        if rays is None or len(ends) > most:
            return replace(found, lines=self._steps(lines, back), stopped="vertices")
        points = [
            self._vertex(back(_spread(ray, basis, width), Fraction(1, ray[0]))) for ray in ends
        ]
        steps = [_spread(ray, basis, width) for ray in rays if not ray[0]]
        points.sort(key=lambda point: [point.get(c, 0) for c in self.free])
        return OptimalFace(
            self.model,
            objective,
            width,
            () if lines else tuple(points),
            self._steps(steps, back),
            self._steps(lines, back),
        )

    def _reduced_sides(self, known: Known, index: Mapping[int, int]) -> list[Vector]:
        """Return the distinct inequalities as `_reduced_side` does, in lexicographic order."""
        rows = set()
        for one in self.sides:
            self.clock.check(LATE)
            rows.add(_reduced_side(one, known, index))
        return sorted(rows - {()})

    def _steps(self, steps: Iterable[Sequence[int]], back: Any) -> tuple[Values, ...]:
        """Return directions by column, in whole numbers."""
        found = []
        for step in steps:
            move = back(step, None)
            up, down = common_factor(move.values())
            found.append({c: int(x * up) // down for c, x in move.items()})
        return tuple(sorted(found, key=lambda one: [one.get(c, 0) for c in self.free]))

    def _vertex(self, values: Values) -> Values:
        """Return a vertex with the integer columns; raise `SolverFailed` if it is none."""
        integer = self.model.values("integer")
        fixed = {c: x for c, x in self.point.items() if x and integer[c]}
        point = dict(sorted({**fixed, **values}.items()))
        objectives = map(self.model.exact_objective, (point, self.point))
        if self.model.violated(point) is not None or len(set(objectives)) > 1:
            raise SolverFailed("a vertex of the optimal face is none; report this")
        return point


Known = dict[int, _Side]
"""Columns that equations give: a column is the side minus the terms on the others."""


def _solved(equations: Iterable[_Side], clock: Deadline) -> Known:
    """Return what equations say of some columns, by the others alone (Gauss and Jordan)."""
    known: Known = {}
    for one in sorted(equations, key=lambda equation: len(equation.terms)):
        clock.check(LATE)
        left = _inserted(one, known)
        if left.terms:
            _eliminate(left, known, clock)
        elif left.side:
            raise SolverFailed("the equations of the face contradict each other; report this")
    return known


def _eliminate(equation: _Side, known: Known, clock: Deadline) -> None:
    """Solve an equation on columns that are not known for one of them."""
    terms = dict(equation.terms)
    column = max(terms)  # what stays free are the first columns
    pivot = terms.pop(column)
    new = _Side({c: a / pivot for c, a in terms.items()}, equation.side / pivot)
    for other, old in known.items():
        if column in old.terms:
            clock.check(LATE)
            known[other] = _inserted(old, {column: new})
    known[column] = new


def _inserted(one: _Side, known: Known) -> _Side:
    """Return terms and a side with what is known of some columns put in."""
    terms, side = dict(one.terms), one.side
    for column in one.terms.keys() & known.keys():
        a = terms.pop(column)
        side -= a * known[column].side
        for other, value in known[column].terms.items():
            total = terms.get(other, Fraction(0)) - a * value
            if total:
                terms[other] = total
            else:
                terms.pop(other, None)
    return _Side(terms, side)


def _reduced_side(one: _Side, known: Known, index: Mapping[int, int]) -> Vector:
    """Return an inequality as ``row[0] + row[1:] @ t >= 0``, whole; empty if it always holds."""
    terms, side = _inserted(one, known)
    if not terms:
        return ()
    row = [side, *[Fraction(0)] * len(index)]
    for column, a in terms.items():
        row[1 + index[column]] = -a
    return _whole(row)


def _whole(row: Sequence[Number]) -> Vector:
    """Return a vector times a number above 0, in whole numbers without a common divisor."""
    up, down = common_factor(row)
    return tuple(int(x * up) // down for x in row)


def _equation(row: Vector) -> _Side:
    """Return the equation that a row is 0."""
    return _Side({p: Fraction(a) for p, a in enumerate(row) if a}, Fraction(0))


def _kernel(rows: Sequence[Vector], width: int, clock: Deadline) -> tuple[list[Vector], list[int]]:
    """Return a basis of the vectors on which all rows are 0, and the places of the others."""
    known = _solved(map(_equation, rows), clock)
    free = [place for place in range(width) if place not in known]
    found = []
    for place in free:
        vector = [Fraction(0)] * width
        vector[place] = Fraction(1)
        for other, one in known.items():
            vector[other] = -one.terms.get(place, Fraction(0))
        found.append(_whole(vector))
    return found, sorted(known)


def _spread(ray: Vector, basis: Sequence[int], width: int) -> list[int]:
    """Return a ray of the cone as a vector of all places."""
    vector = [0] * width
    for place, value in zip(basis, ray[1:], strict=True):
        vector[place] = value
    return vector


def _back(known: Known, places: Sequence[int]) -> Any:
    """Return a function from places to columns, for points with a scale and for directions."""

    def back(vector: Sequence[int], scale: Fraction | None) -> dict[int, Number]:
        factor = Fraction(1) if scale is None else scale
        point = {c: factor * x for c, x in zip(places, vector, strict=True) if x}
        for column, (terms, side) in known.items():
            moved = sum((a * point[c] for c, a in terms.items() if c in point), Fraction(0))
            value = (Fraction(0) if scale is None else side) - moved
            if value:
                point[column] = value
        # The columns that are known have terms on the places alone.
        return {column: shortest(point[column]) for column in sorted(point)}

    return back


def _rays(rows: Sequence[Vector], most: int, clock: Deadline) -> list[Vector] | None:
    """Return the extreme rays of the cone ``rows @ x >= 0``, which has no line.

    None if there are more than so many on the way, or they take too many steps.
    """
    width = len(rows[0])
    chosen, rays = _simplicial(rows, width, clock)
    # The rows in which each ray is 0, as bits.
    zeros = [sum(1 << n for n in chosen if n != own) for own in chosen]
    steps = 0
    for number, row in enumerate(rows):
        if number in chosen:
            continue
        values = [sum(map(int.__mul__, row, ray)) for ray in rays]
        bit = 1 << number
        kept = [n for n, value in enumerate(values) if value >= 0]
        below = [n for n, value in enumerate(values) if value < 0]
        new, fresh = [], []
        for n in below:
            clock.check(LATE)
            steps += len(zeros)
            if steps > MAX_STEPS:
                return None
            for m, common in _neighbours(n, zeros, width - 2):
                if values[m] > 0:
                    pairs = zip(rays[n], rays[m], strict=True)
                    ray = [values[m] * x - values[n] * y for x, y in pairs]
                    down = math.gcd(*ray)
                    new.append(tuple(x // down for x in ray))
                    fresh.append(common | bit)
        zeros = [zeros[n] | (0 if values[n] else bit) for n in kept] + fresh
        rays = [rays[n] for n in kept] + new
        if len(rays) > most:
            return None
    return rays


def _neighbours(ray: int, zeros: Sequence[int], least: int) -> list[tuple[int, int]]:
    """Return the rays on a common edge with one, and the rows in which both are 0.

    No third ray is 0 in all of these. So they are the greatest sets of rows that the ray has in
    common with others.
    """
    own = zeros[ray]
    shared = [
        (common, other)
        for other, rows in enumerate(zeros)
        if other != ray and (common := own & rows).bit_count() >= least
    ]
    shared.sort(key=lambda one: -one[0].bit_count())
    found: list[tuple[int, int]] = []
    for common, other in shared:
        if not any(common & one == common for _, one in found):
            found.append((other, common))
    return found


def _simplicial(
    rows: Sequence[Vector], width: int, clock: Deadline
) -> tuple[list[int], list[Vector]]:
    """Return the first independent rows, and for each the ray on which all others are 0."""
    known: Known = {}
    chosen: list[int] = []
    for number, row in enumerate(rows):
        clock.check(LATE)
        left = _inserted(_equation(row), known)
        if left.terms:
            _eliminate(left, known, clock)
            chosen.append(number)
        if len(chosen) == width:
            break
    places = range(width)
    terms = {n: {p: a for p, a in enumerate(rows[n]) if a} for n in chosen}
    factors = Factors(terms, chosen, set(places), clock)
    rays = []
    for own in chosen:
        clock.check(LATE)
        ray = factors.solve({own: 1})
        rays.append(_whole([ray.get(place, 0) for place in places]))
    return chosen, rays
