"""Random models that every modelling layer builds, and what a reader of them must give."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import calmip
from calmip.mip.files.objects import PointValues, read_object
from calmip.mip.model import Bound, Model

INF = math.inf
NUMBERS = (1.0, 2.0, -1.0, 3.0, -2.0, 0.1, -0.3, 2.5, 1 / 3, 7.0, 1e-3)


@dataclass(frozen=True)
class Drawn:
    """A model; every column has a cost, and every row a coefficient."""

    columns: tuple[tuple[float, float, bool], ...]
    """The bounds, and whether it is an integer."""
    rows: tuple[tuple[tuple[float, ...], float, float], ...]
    """The coefficients, and the bounds; one is finite, or both are equal."""
    cost: tuple[float, ...]
    constant: float
    maximise: bool

    @property
    def whole(self) -> bool:
        """Whether all columns are integers with bounds."""
        return all(integer for *_, integer in self.columns)

    def value(self, point: tuple[int, ...]) -> Fraction | float:
        """Return the objective of a point."""
        terms = zip(self.cost, point, strict=True)
        return sum((short(c) * x for c, x in terms), start=short(self.constant))

    def points(self) -> Iterator[tuple[int, ...]]:
        """Yield all solutions by brute force."""
        boxes = [range(int(low), int(high) + 1) for low, high, _ in self.columns]
        for point in product(*boxes):
            sums = (
                (sum(short(a) * x for a, x in zip(terms, point, strict=True)), low, high)
                for terms, low, high in self.rows
            )
            if all(short(low) <= value <= short(high) for value, low, high in sums):
                yield point


def short(value: float) -> Bound:
    """Return the exact number that a float stands for."""
    return value if math.isinf(value) else Fraction(repr(float(value)))


def draw(seed: int, *, integers: bool = False, constant: bool = True) -> Drawn:
    """Draw a model; every second seed has integer columns alone."""
    rng = random.Random(seed)
    columns: list[tuple[float, float, bool]] = []
    for _ in range(rng.randint(2, 4)):
        low = rng.randint(-2, 1)
        if integers or seed % 2 or rng.random() < 0.5:
            columns.append((low, low + rng.randint(1, 3), True))
        else:
            columns.append((*rng.choice([(low, 2.5), (-INF, 0.3), (0.1, INF), (-INF, INF)]), False))
    rows = []
    for _ in range(rng.randint(1, 4)):
        terms = [rng.choice((0.0, *NUMBERS)) for _ in columns]
        terms[rng.randrange(len(terms))] = rng.choice(NUMBERS)
        side = rng.choice(NUMBERS)
        rows.append((tuple(terms), *rng.choice([(-INF, side), (side, INF), (-INF, side + 3)])))
    if seed % 5 == 0:
        rows.append(((1.0,) * len(columns), 2.0, 2.0))
    cost = tuple(rng.choice(NUMBERS) for _ in columns)
    offset = rng.choice((0.0, 7.0, -2.5)) if constant else 0.0
    return Drawn(tuple(columns), tuple(rows), cost, offset, rng.random() < 0.5)


def integral(drawn: Drawn) -> Drawn:
    """Return a drawn model with whole numbers alone."""
    rows = tuple(
        (
            tuple(float(math.ceil(a)) for a in terms),
            *(x if math.isinf(x) else float(math.ceil(x)) for x in sides),
        )
        for terms, *sides in drawn.rows
    )
    cost = tuple(float(math.ceil(abs(value))) for value in drawn.cost)
    return Drawn(drawn.columns, rows, cost, float(math.ceil(drawn.constant)), drawn.maximise)


def read(problem: Any) -> Model:
    model = read_object(problem)
    assert model is not None
    return model


def matches(model: Model, drawn: Drawn, order: list[int] | None = None) -> None:
    """Assert that a model is the one that was drawn, number by number."""
    order = list(range(len(drawn.columns))) if order is None else order
    assert (len(model.columns), len(model.rows)) == (len(drawn.columns), len(drawn.rows))
    for number, (low, upper, integer) in enumerate(drawn.columns):
        place = order[number]
        assert model.bounds(place) == (short(low), short(upper))
        assert bool(model.integer[place]) is integer
    for number, (terms, low, upper) in enumerate(drawn.rows):
        found, *bounds = model.exact_row(number)
        assert found == {order[c]: short(value) for c, value in enumerate(terms) if value}
        assert bounds == [short(low), short(upper)]
    sign = -1 if drawn.maximise else 1
    costs = {order[c]: sign * short(value) for c, value in enumerate(drawn.cost) if value}
    assert model.costs == costs
    assert not costs or model.maximise is drawn.maximise
    assert model.exact_objective({}) == short(drawn.constant)


def check_twenty(
    build: Callable[[Drawn], tuple[Any, list[Any]]],
    *,
    value: Callable[[Any, Any], float] | None = None,
    change: Callable[[Drawn], Drawn] = lambda drawn: drawn,
    **kind: bool,
) -> None:
    """Assert that a reader gives twenty random models: their numbers, solutions and look-ups.

    Parameters
    ----------
    build
        Builds a drawn model in a layer, and returns it and its variables.
    value
        Returns the value that a variable of the problem has after an answer was set back.
    change
        Makes a drawn model one that the layer can hold.
    kind
        For `draw`.
    """
    listed = 0
    for seed in range(20):
        drawn = change(draw(seed, **kind))
        problem, variables = build(drawn)
        model = read(problem)
        matches(model, drawn)
        given = {n: Fraction(n, 4) for n in range(len(variables))}
        values = PointValues(model, given)
        assert [values[x] for x in variables] == list(given.values())
        if value is not None:
            values.apply_to(problem)
            assert [value(problem, x) for x in variables] == [n / 4 for n in given]
        if drawn.whole:
            pool = calmip.enumerate(problem)
            points = sorted(tuple(values[x] for x in variables) for values in pool.values)
            assert points == sorted(drawn.points())
            listed += len(points)
            choose = max if drawn.maximise else min
            best = choose(map(drawn.value, points), default=None)
            found = calmip.solve(problem, solver="highs").objective
            assert found == (best if best is None else pytest.approx(float(best)))
    assert listed > 50  # not twenty infeasible ones
