"""Exercise 15: all facets of the integer points of a small polygon, and what certifies them; JSON.

The file has ``{"facets": [[1, 2, 7], ...], "vertices": [[0, 0], ...], "best": {"point": [2, 3],
"multipliers": ["1/2", ...]}}``. A facet ``[a, b, c]`` stands for ``a x + b y <= c``, and there is a
multiplier for each of them. The convex hull is found by Andrew's monotone chain, in integers.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip.course.answers import AnswerParts
from calmip.course.checks import Check, Failed, quote, rational_of, rational_text, run_checks
from calmip.course.dice import Dice

PAGE: dict[str, Any] = {"rows": [[3, 6, 30], [6, 5, 26], [3, -5, 4]], "objective": [8, 3]}
"""The data of the page."""

MOST = 7
"""The largest coordinate of a point."""

MAX_FACETS = 30
"""The most rows of an answer."""

Point = tuple[int, int]
Facet = tuple[int, int, int]


def points_of(data: Mapping[str, Any]) -> list[Point]:
    """Return the integer points from 0 to `MOST` that satisfy the rows."""
    return [
        (x, y)
        for x, y in itertools.product(range(MOST + 1), repeat=2)
        if all(a * x + b * y <= c for a, b, c in data["rows"])
    ]


def hull_of(points: Sequence[Point]) -> list[Point]:
    """Return the vertices of the convex hull, counter-clockwise."""

    def half(ordered: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for point in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    ordered = sorted(points)
    return half(ordered) + half(ordered[::-1])


def _turn(one: Point, other: Point, third: Point) -> int:
    return (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])


def facets_of(vertices: Sequence[Point]) -> list[Facet]:
    """Return the facets between neighbouring vertices, in the least integers."""
    found = []
    for (x, y), (u, v) in zip(vertices, [*vertices[1:], *vertices[:1]], strict=True):
        a, b = v - y, x - u
        found.append(_least((a, b, a * x + b * y)))
    return found


def _least(facet: Facet) -> Facet:
    size = gcd(*facet) or 1
    a, b, c = facet
    return a // size, b // size, c // size


def draw_data(seed: int) -> dict[str, Any]:
    """Draw three rows of two variables, and an objective."""
    dice = Dice(seed)
    rows = [[2 + dice.below(7), 1 + dice.below(7), 20 + dice.below(25)] for _ in range(2)]
    rows.append([1 + dice.below(3), -2 - dice.below(5), dice.below(5)])
    objective = [1 + dice.below(9), 1 + dice.below(9)]
    return {"rows": rows, "objective": objective}


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether there are five facets or more that are no rows, and one best vertex."""
    points = points_of(data)
    vertices = hull_of(points) if len(points) > 2 else []
    if not 5 <= len(vertices) <= 8 or any(MOST in point for point in points):
        return False
    rows = {_least((a, b, c)) for a, b, c in data["rows"]}
    facets = facets_of(vertices)
    if any(not any(a * x + b * y == c for x, y in points) for a, b, c in data["rows"]):
        return False  # a row without a point on it would be moved without a thought
    if sum(facet not in rows | {(-1, 0, 0), (0, -1, 0)} for facet in facets) < 2:
        return False
    values = sorted((_value(data["objective"], point) for point in points), reverse=True)
    tight = {data["objective"][0] * b == data["objective"][1] * a for a, b, _ in facets}
    return values[0] > values[1] and tight == {False}


def _value(objective: Sequence[int], point: Point) -> int:
    return objective[0] * point[0] + objective[1] * point[1]


class _PlaneHull:
    """The checks of facets, vertices, and the proof that a vertex is the best one."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        self.parts = AnswerParts(
            path,
            {"facets": "[[1, 2, 7], ...]", "vertices": "[[0, 0], ...]", "best": "{...}"},
            {
                "facets": self._read_facets,
                "vertices": self._read_vertices,
                "best": self._read_best,
            },
        )
        self.points = points_of(data)
        self.vertices = hull_of(self.points)
        self.rows: list[Facet] = []
        self.facets: list[Facet] = []
        self.listed: list[Point] = []
        self.best: list[Fraction] = []
        self.multipliers: list[Fraction] = []

    def _read_facets(self, given: object) -> None:
        self.rows = [(row[0], row[1], row[2]) for row in _lists(given, 3, "facets")]
        self.facets = list(map(_least, self.rows))  # a multiple is the same facet

    def _read_vertices(self, given: object) -> None:
        self.listed = [(row[0], row[1]) for row in _lists(given, 2, "vertices")]

    def _read_best(self, best: object) -> None:
        if not isinstance(best, dict) or set(best) != {"point", "multipliers"}:
            raise Failed('best is {"point": [...], "multipliers": [...]}')
        if not isinstance(best["point"], list) or len(best["point"]) != 2:
            raise Failed(f"point is a list of 2 integers, not {quote(best['point'])}")
        self.best = [rational_of(one, "a number in point") for one in best["point"]]
        numbers = best["multipliers"]
        if not isinstance(numbers, list):
            raise Failed("multipliers is a list with a number for each facet, in their order")
        self.multipliers = [rational_of(one, "a multiplier") for one in numbers]

    def check_valid(self) -> None:
        """Refuse a row that excludes a point, or one on which there is none."""
        for facet in self.facets:
            a, b, c = facet
            for x, y in self.points:
                if a * x + b * y > c:
                    raise Failed(f"{_words(facet)} excludes the point ({x}, {y})")

    def check_facets(self) -> None:
        """Refuse a row that is no facet, and duplicates."""
        self.check_valid()
        for number, facet in enumerate(self.facets):
            a, b, c = facet
            on = [(x, y) for x, y in self.points if a * x + b * y == c]
            if (a, b) == (0, 0) or len(on) < 2:
                where = f"it touches ({on[0][0]}, {on[0][1]}) alone" if on else "no point is on it"
                raise Failed(f"{_words(facet)} is no facet: {where}")
            if facet in self.facets[:number]:
                raise Failed(f"{_words(facet)} is there twice")

    def check_complete(self) -> None:
        """Refuse facets that allow more than the hull."""
        if missing := [one for one in facets_of(self.vertices) if one not in self.facets]:
            # Rows that exclude points of the set may leave no point outside of the hull.
            outside = next(filter(None, (_outside(self.facets, one) for one in missing)), "")
            allowed = outside and f": your rows allow a point with {outside}, outside of the hull"
            raise Failed(f"{_missing(len(missing), 'facet', 'facets')}{allowed}")

    def check_vertices(self) -> None:
        """Refuse a list that is not that of the vertices."""
        for number, (x, y) in enumerate(self.listed):
            if (x, y) not in self.points:
                raise Failed(f"({x}, {y}) is no point of the set")
            if (x, y) not in self.vertices:
                raise Failed(f"({x}, {y}) is between other points, so it is no vertex")
            if (x, y) in self.listed[:number]:
                raise Failed(f"({x}, {y}) is listed twice")
        if len(self.listed) < len(self.vertices):
            number = len(self.vertices) - len(self.listed)
            raise Failed(_missing(number, "vertex", "vertices"))

    def check_best(self) -> None:
        """Refuse a point and multipliers that do not prove each other."""
        x, y = self.best
        best = next((one for one in self.points if one[0] == x and one[1] == y), None)
        if best is None:
            raise Failed(f"({rational_text(x)}, {rational_text(y)}) is no point of the set")
        if len(self.multipliers) != len(self.rows):
            raise Failed(
                f"there are {len(self.rows)} facets and {len(self.multipliers)} multipliers; each "
                "facet has one, in their order"
            )
        self.check_valid()
        objective, total = self.data["objective"], [Fraction(0)] * 3
        for facet, multiplier in zip(self.rows, self.multipliers, strict=True):
            if multiplier < 0:
                raise Failed(f"the multiplier of {_words(facet)} is below 0")
            total = [sum_ + multiplier * n for sum_, n in zip(total, facet, strict=True)]
        if total[:2] != objective:
            raise Failed(
                f"the multipliers add the facets up to {_sum(*total[:2])}, which is not the "
                "objective"
            )
        value = _value(objective, best)
        if total[2] != value:
            raise Failed(
                f"the multipliers prove at most {rational_text(total[2])}, and the point has "
                f"{value}"
            )


def grade_plane_hull(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark the facets and vertices of a hull in the plane, and a proof of optimality."""
    mine = _PlaneHull(path, task)
    after = mine.parts.after
    return run_checks(
        [
            ("the file has facets, vertices and a best point", 1, mine.parts.read, False),
            ("every row is a facet, and there once", 2, after(mine.check_facets, "facets"), False),
            ("no facet is missing", 3, after(mine.check_complete, "facets"), False),
            (
                "the vertices are all there, and no other point",
                1,
                after(mine.check_vertices, "vertices"),
                False,
            ),
            (
                "the multipliers prove that the point is best",
                3,
                after(mine.check_best, "facets", "best"),
                False,
            ),
        ]
    )


def _lists(given: object, size: int, what: str) -> list[list[int]]:
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_FACETS:
        raise Failed(f"{what} is a list of 1 to {MAX_FACETS} lists, not {quote(given)}")
    return [_integers(one, size, what) for one in given]


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _PlaneHull(path, data)
    mine.parts.read()
    one = draw.choice(mine.facets)
    on = [point for point in mine.points if one[0] * point[0] + one[1] * point[1] == one[2]]
    (a, b, c), (d, e, f) = draw.choice(
        [
            (first, other)
            for first, other in itertools.combinations(mine.facets, 2)
            if first[0] * other[1] != first[1] * other[0]
        ]
    )
    size = a * e - b * d
    x, y = Fraction(c * e - b * f, size), Fraction(a * f - c * d, size)
    kind = "a vertex" if any(x == u and y == v for u, v in mine.vertices) else "no vertex"
    objective = [data["objective"][1], data["objective"][0]]
    most = max(_value(objective, point) for point in mine.points)
    best = [str(point) for point in mine.vertices if _value(objective, point) == most]
    return [
        (
            f"Which integer points of the set are on your facet {_words(one)}?",
            f"{join_words(list(map(str, sorted(on))))}.",
        ),
        (
            f"Where do your facets {_words((a, b, c))} and {_words((d, e, f))} meet, and is that a "
            "vertex?",
            f"In x = {rational_text(x)}, y = {rational_text(y)}: {kind}.",
        ),
        (
            f"Maximise {objective[0]} x + {objective[1]} y instead. Which vertex is best?",
            f"{join_words(best)}, with the value {most}.",
        ),
    ]


def _outside(rows: Sequence[Facet], facet: Facet) -> str:
    """Return a corner of the rows, not far from the points, that exceeds a facet; "" if none."""
    box = [(1, 0, MOST + 1), (0, 1, MOST + 1), (-1, 0, 1), (0, -1, 1)]
    a, b, c = facet
    best, where = Fraction(c), ""
    every = [*rows, *box]
    for (d, e, f), (g, h, i) in itertools.combinations(every, 2):
        if not (size := d * h - e * g):
            continue
        x, y = Fraction(f * h - e * i, size), Fraction(d * i - f * g, size)
        if all(p * x + q * y <= r for p, q, r in every) and a * x + b * y > best:
            best, where = a * x + b * y, f"x = {rational_text(x)}, y = {rational_text(y)}"
    return where


def _missing(number: int, one: str, several: str) -> str:
    return f"1 {one} is missing" if number == 1 else f"{number} {several} are missing"


def _integers(given: object, size: int, what: str) -> list[int]:
    if not isinstance(given, list) or len(given) != size:
        raise Failed(f"{what} has lists of {size} integers, not {quote(given)}")
    numbers = [rational_of(one, f"a number in {what}") for one in given]
    if any(number.denominator > 1 for number in numbers):
        raise Failed(f"{what} has integers alone; multiply a row by its denominators")
    return [int(number) for number in numbers]


def _words(facet: Facet) -> str:
    a, b, c = facet
    return f"{_sum(Fraction(a), Fraction(b))} <= {c}"


def _sum(x: Fraction, y: Fraction) -> str:
    return f"{rational_text(x)} x {'-' if y < 0 else '+'} {rational_text(abs(y))} y"
