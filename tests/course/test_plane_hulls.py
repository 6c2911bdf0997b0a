"""Exercise 15: right hulls in many forms, wrong ones with a point; the hull by all pairs."""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.plane_hulls import PAGE, facets_of, hull_of, is_asked, points_of

ANSWER = json.loads(reference("15"))
FACETS, VERTICES = ANSWER["facets"], ANSWER["vertices"]


def answer(facets: Any = FACETS, multipliers: Any = None, **others: Any) -> str:
    """Return the reference with other facets, whose multipliers are by default of length."""
    if multipliers is None:
        own = {tuple(f): m for f, m in zip(FACETS, ANSWER["best"]["multipliers"], strict=True)}
        multipliers = [own.get(tuple(facet), 0) for facet in facets]
    best = {"point": others.pop("point", [3, 1]), "multipliers": multipliers}
    return json.dumps({"facets": facets, "vertices": VERTICES, "best": best, **others})


def without(number: int, by: Any = None) -> str:
    facets = [facet for at, facet in enumerate(FACETS) if at != number]
    return answer([*facets, by] if by else facets)


def scaled(number: int, by: int) -> str:
    facets = [[by * n for n in f] if at == number else f for at, f in enumerate(FACETS)]
    numbers = [Fraction(m) for m in ANSWER["best"]["multipliers"]]
    numbers[number] /= by
    return answer(facets, [str(one) for one in numbers])


RIGHT = {
    "the reference": reference("15"),
    "another order": answer(FACETS[::-1]),
    "another order of the vertices": answer(vertices=VERTICES[::-1]),
    "vertices from another one": answer(vertices=[*VERTICES[2:], *VERTICES[:2]]),
    "doubled": scaled(0, 2),
    "three times": scaled(1, 3),
    "a scaled facet of the proof": scaled(2, 5),
    "scaled bounds": scaled(4, 7),
    "numbers as text": answer([[str(n) for n in facet] for facet in FACETS],
                              ANSWER["best"]["multipliers"]),
    "decimals": answer(multipliers=[0, 0.875, 2.375, 0, 0]),
    "integers as decimals": answer([[float(n) for n in facet] for facet in FACETS],
                                   ANSWER["best"]["multipliers"]),
    "fractions not reduced": answer(multipliers=["0/7", "14/16", "38/16", 0, "0"]),
}  # fmt: skip

WRONG: dict[str, tuple[str, int, str]] = {
    "a facet is missing": (without(3), 7, "1 facet is missing"),
    "a facet of the proof is missing": (without(2), 4, "outside of the hull"),
    "a bound is missing": (without(0), 7, "outside of the hull"),
    "the given rows": (answer([*PAGE["rows"], [-1, 0, 0], [0, -1, 0]], [0] * 5), 2,
                       "is no facet"),
    "a given row too many": (answer([*FACETS, [6, 5, 26]]), 8, "is no facet"),
    "a row that touches a vertex": (answer([*FACETS, [1, 0, 3]]), 8, "it touches (3, 1) alone"),
    "a row far away": (answer([*FACETS, [1, 1, 50]]), 8, "no point is on it"),
    "a facet twice": (answer([*FACETS, FACETS[3]]), 8, "is there twice"),
    "a facet twice, doubled": (answer([*FACETS, [2, 2, 10]]), 8, "is there twice"),
    "a facet too tight": (without(3, [1, 1, 4]), 2, "excludes the point"),
    "a facet too loose": (without(3, [1, 1, 6]), 5, "is no facet"),
    "a sense reversed": (without(3, [-1, -1, -5]), 2, "excludes the point"),
    "a row of zeros": (answer([*FACETS, [0, 0, 0]]), 8, "is no facet"),
    "x and y are exchanged": (answer([[b, a, c] for a, b, c in FACETS], [0] * 5), 2,
                              "excludes the point"),
    "a cut of the best point": (without(3, [1, 2, 4]), 2, "excludes the point"),
    "a vertex is missing": (answer(vertices=VERTICES[:4]), 9, "1 vertex is missing"),
    "a point of an edge": (answer(vertices=[*VERTICES, [0, 1]]), 9, "between other points"),
    "a point of the inside": (answer(vertices=[*VERTICES, [1, 1]]), 9, "between other points"),
    "a corner of the relaxation": (answer(vertices=[*VERTICES, [4, 0]]), 9, "no point of the set"),
    "a vertex twice": (answer(vertices=[*VERTICES, [0, 5]]), 9, "is listed twice"),
    "half a vertex": (answer(vertices=[*VERTICES, [0.5, 1]]), 8, "has integers alone"),
    "another point": (answer(point=[1, 4]), 7, "prove at most 27, and the point has 20"),
    "a point of the relaxation": (answer(point=[4, 1]), 7, "is no point of the set"),
    "no multipliers": (answer(multipliers=[0] * 5), 7, "which is not the objective"),
    "the objective as multipliers": (answer(multipliers=[8, 3, 0, 0, 0]), 7, "not the objective"),
    "rounded multipliers": (answer(multipliers=[0, 0.88, 2.37, 0, 0]), 7, "not the objective"),
    "a negative multiplier": (answer(multipliers=[0, -1, 3, 0, 0]), 7, "is below 0"),
    "another proof": (answer(multipliers=[5, 0, 0, 8, 0]), 7, "prove at most 40"),
    "a multiplier too few": (answer(multipliers=[0, "7/8", "19/8"]), 7, "there are 5 facets and 3"),
    "half a best point": (answer(point=["7/2", 1]), 7, "(7/2, 1) is no point of the set"),
    "no best point": (answer(point=3), 6, "point is a list of 2 integers"),
    "a facet of two numbers": (answer([[1, 2]], [0]), 1, "lists of 3 integers"),
    "fractions in a facet": (answer([[0.5, 1, 2]], [0]), 1, "has integers alone"),
    "no facets": (answer([], []), 1, "facets is a list"),
    "no proof": (replaced("15", "best", by=[]), 6, "best is {"),
}  # fmt: skip


TestAnswers = answers_battery("15", RIGHT, WRONG)


@pytest.mark.parametrize("number", range(len(FACETS)))
@pytest.mark.parametrize("by", [None, [1, -1, 1], [1, 2, 10], [3, 2, 10], [1, 0, 0]])
def test_a_point_that_is_shown_is_allowed_and_outside(
    number: int, by: list[int] | None, tmp_path: Path
) -> None:
    """Bounds that were forgotten, and rows that exclude points of the set, too."""
    kept = [facet for at, facet in enumerate(FACETS) if at != number]
    rows = [*kept, by] if by else kept
    _, faults = mark("15", answer(rows, [0] * len(rows)), tmp_path)
    fault = next(one for one in faults if "is missing" in one)
    shown = re.search(r"x = (\S+), y = (\S+), outside", fault)
    if shown is None:
        assert by, fault  # without another row in its place, a facet is missed
        return
    x, y = map(Fraction, shown.groups())
    assert all(a * x + b * y <= c for a, b, c in rows)
    a, b, c = FACETS[number]
    assert a * x + b * y > c


SETS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, unique=True)


@given(SETS)
def test_the_facets_are_all_lines_with_the_points_on_one_side(points: list[Any]) -> None:
    """By all pairs of points: no chain, no order."""
    right = set()
    for (x, y), (u, v) in itertools.permutations(points, 2):
        values = [(v - y) * p - (u - x) * q for p, q in points]
        if max(values) == values[points.index((x, y))] > min(values):
            right.add((x, y, u, v))
    vertices = hull_of(points)
    if not right:  # on one line
        return
    facets = facets_of(vertices)
    assert len(set(facets)) == len(facets) == len(vertices)
    for x, y, u, v in right:
        assert any(a * x + b * y == a * u + b * v == c for a, b, c in facets)
    for a, b, c in facets:
        on = [(x, y) for x, y in points if a * x + b * y == c]
        assert len(on) >= 2
        assert all(a * x + b * y <= c for x, y in points)
        assert any((*one, *other) in right for one, other in itertools.permutations(on, 2))


def test_a_drawn_sheet_is_that_of_its_student(tmp_path: Path) -> None:
    assert is_asked(PAGE)
    for one in assign("15", ["ada", "bo", "cy"]).values():
        data: Any = one.task
        assert is_asked(data)
        assert mark("15", reference("15"), tmp_path, task=data)[0] <= 3
        points = points_of(data)
        vertices = hull_of(points)
        facets = facets_of(vertices)
        p, q = data["objective"]
        best = max(points, key=lambda point: p * point[0] + q * point[1])
        multipliers = [Fraction(0)] * len(facets)
        tight = [n for n, (a, b, c) in enumerate(facets) if a * best[0] + b * best[1] == c]
        for one_, other in itertools.combinations(tight, 2):
            (a, b, _), (d, e, _) = facets[one_], facets[other]
            size = a * e - b * d
            first, second = Fraction(p * e - q * d, size), Fraction(a * q - b * p, size)
            if min(first, second) >= 0:
                multipliers[one_], multipliers[other] = first, second
        text = answer(facets, list(map(str, multipliers)), point=best, vertices=vertices)
        assert mark("15", text, tmp_path, task=data) == (10, [])
