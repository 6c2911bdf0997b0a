"""Exercise 16: the smallest M in many forms, wrong ones by what they are the answer to."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.least_m import PAGE, SIDES, bound_of, by_limits, is_asked, smallest


def with_(*path: Any, by: Any) -> str:
    return replaced("16", *path, by=by)


def both(*changes: tuple[tuple[Any, ...], Any]) -> str:
    """Return the reference with several changes."""
    answer = json.loads(reference("16"))
    for path, value in changes:
        place = answer
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
    return json.dumps(answer)


EITHER, OR = ("either", "multipliers"), ("or", "multipliers")
POINT = ("either", "point")

RIGHT = {
    "the reference": reference("16"),
    "a decimal": with_("either", "M", by=7.5),
    "a number as text": with_("or", "M", by="13.0"),
    "zeros": with_("or", "point", by={"x": 4.5, "y": 0, "z": "0/3"}),
    "multipliers that are 0": with_(*OR, "labour", by=0),
    "a bound as a decimal": with_("bound", by=40.5),
    "a bound of a solver": with_("bound", by=40.50000001),
    "a bound as text": with_("bound", by="40.500"),
    "fractions not reduced": with_(*EITHER, by={"steel": "4/8", "or": "3/6", "z": "6/3"}),
    "decimals in a point": with_(*POINT, by={"x": 0.3125, "y": 1.5625, "z": 3}),
    "exponents": with_("or", "M", by="1.3e1"),
    "another order": json.dumps(dict(reversed(json.loads(reference("16")).items()))),
}

WRONG: dict[str, tuple[str, int, str]] = {
    "M is 1000": (with_("either", "M", by=1000), 8, "needs 15/2, and M is 1000"),
    "both are 1000": (both((("either", "M"), 1000), (("or", "M"), 1000)), 6, "M is 1000"),
    "M of the limits": (with_("either", "M", by=48), 8, "that of the limits"),
    "M of the limits of or": (with_("or", "M", by=47), 8, "that of the limits"),
    "the other row is ignored": (with_("either", "M", by="116/5"), 8, "the row or is ignored"),
    "the other row is ignored, of or": (with_("or", "M", by="173/5"), 8, "either is ignored"),
    "M and the side": (with_("either", "M", by="51/2"), 8,
                       "the right side is not subtracted"),
    "M and a point of the limits": (both((("either", "M"), 48), (POINT, PAGE["limits"])), 8,
                                    "Your M is that of the limits"),
    "a bit too small": (with_("either", "M", by=7), 6, "at most 51/2; with your M it may be 25"),
    "rounded up": (with_("either", "M", by=8), 8, "needs 15/2, and M is 8"),
    "nothing": (with_("or", "M", by=0), 6, "at most 27; with your M it may be 14"),
    "below 0": (with_("or", "M", by=-13), 6, "with your M it may be 1"),
    "the M are exchanged": (both((("either", "M"), 13), (("or", "M"), "15/2")), 4,
                            "needs 15/2, and M is 13"),
    "no point": (with_(*POINT, by={}), 8, "the point needs -18"),
    "a point of the limits": (with_(*POINT, by={"x": 7, "y": 5, "z": 3}), 8,
                              "violates the row labour"),
    "a point without the other row": (with_(*POINT, by={"x": 5, "z": 3}), 8, "violates the row or"),
    "a point beyond a limit": (with_(*POINT, by={"z": "7/2"}), 8, "violates the limit of z"),
    "a point below 0": (with_(*POINT, by={"x": -1, "z": 3}), 8, "has x below 0"),
    "a point of the corner": (with_(*POINT, by={"x": "5/6", "z": 3}), 8, "the point needs 10/3"),
    "a rounded point": (with_(*POINT, by={"x": 0.31, "y": 1.56, "z": 3}), 8, "and M is 15/2"),
    "no multipliers": (with_(*EITHER, by={}), 8, "add up to 0 x"),
    "multipliers of the limits": (with_(*EITHER, by={"x": 4, "y": 4, "z": 6}), 8,
                                  "at most 66; with your M it may be 51/2"),
    "doubled multipliers": (with_(*EITHER, by={"steel": 1, "or": 1, "z": 4}), 8, "at most 51"),
    "a multiplier too few": (with_(*EITHER, by={"steel": "1/2", "or": "1/2"}), 8,
                             "add up to 4 z, and the row has 6 z"),
    "a negative multiplier": (with_(*OR, by={"either": 2, "x": -1}), 8, "is below 0"),
    "the reduced costs": (with_(*OR, by={"either": "3/2", "y": -4, "z": -6}), 8, "leave it out"),
    "the row itself": (with_(*EITHER, by={"either": 1}), 8, "either does not hold where its M"),
    "an unknown row": (with_(*EITHER, by={"steal": 1}), 5, "has 'steal'; known are"),
    "rounded multipliers": (with_(*OR, by={"either": 1.4999}), 8, "the row has 6 x"),
    "the bound of 1000": (with_("bound", by=str(bound_of(PAGE, dict.fromkeys(SIDES,
                          Fraction(1000))))), 9, "the bound is not"),
    "the bound without them": (with_("bound", by="414/5"), 9, "the bound without both rows"),
    "the bound of loose M": (with_("bound", by="98523/1735"), 9, "that ignore the other row"),
    "the integer optimum of k": (with_("bound", by="69/2"), 9, "the bound is not 69/2"),
    "a rounded bound": (with_("bound", by=41), 9, "the bound is not 41"),
    "no bound": (with_("bound", by=...), 8, "the file is {"),
    "no point at all": (with_("or", "point", by=...), 5, 'or is {"M"'),
    "a list": (with_(*POINT, by=[0, 1]), 5, "has numbers by name"),
}  # fmt: skip


TestAnswers = answers_battery("16", RIGHT, WRONG)


def solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the solution of three equations in three variables by Cramer's rule."""

    def determinant(of: list[list[Fraction]]) -> Fraction:
        (a, b, c), (d, e, f), (g, h, i) = of
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    left = [row[:3] for row in rows]
    if not (size := determinant(left)):
        return None
    return [
        determinant([[*row[:at], row[3], *row[at + 1 : 3]] for row in rows]) / size
        for at in range(3)
    ]


def by_vertices(data: Any, of: str, *, joint: bool) -> Fraction:
    """Return the smallest M by all corners: no linear program."""
    names = list(data["limits"])
    own = [*data["rows"].values(), *([data[SIDES[of]]] if joint else [])]
    rows = [[*(Fraction(t.get(n, 0)) for n in names), Fraction(s)] for t, s in own]
    for at, name in enumerate(names):
        unit = [Fraction(int(at == other)) for other in range(3)]
        rows += [[*unit, Fraction(data["limits"][name])], [*(-one for one in unit), Fraction(0)]]
    terms, side = data[of]
    best = Fraction(-side)
    for three in itertools.combinations(rows, 3):
        point = solved(list(three))
        if point and all(
            sum(a * p for a, p in zip(row[:3], point, strict=True)) <= row[3] for row in rows
        ):
            value = sum(terms[n] * p for n, p in zip(names, point, strict=True)) - side
            best = max(best, value)
    return best


def test_the_smallest_m_is_that_of_the_corners() -> None:
    drawn: list[Any] = [one.task for one in assign("16", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        assert is_asked(data)
        for of in SIDES:
            least = smallest(data, of)
            assert least == by_vertices(data, of, joint=True)
            loose = smallest(data, of, joint=False)
            assert loose == by_vertices(data, of, joint=False)
            assert 0 < least < loose < by_limits(data, of)


def test_the_answer_to_the_page_is_worth_little_on_a_sheet(tmp_path: Path) -> None:
    for one in assign("16", ["ada", "bo"]).values():
        assert mark("16", reference("16"), tmp_path, task=one.task)[0] <= 3
