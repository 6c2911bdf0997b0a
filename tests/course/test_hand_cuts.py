"""Exercise 14: right cuts in many forms, and wrong ones refused for the reason they are wrong."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.hand_cuts import (
    PAGE,
    corner_of,
    is_asked,
    minimal_covers,
    most_of,
    numbers_of,
    raised,
    rounded,
)


def with_(*path: Any, by: Any) -> str:
    return replaced("14", *path, by=by)


def cut(r: str, s: str, x: int, y: int, z: int, side: int) -> str:
    """Return the reference with another cut."""
    text = with_("multipliers", by={"r": r, "s": s})
    number = {"coefficients": {"x": x, "y": y, "z": z}, "side": side}
    return text.replace(text[text.index('"cut": ') :], f'"cut": {number}}}'.replace("'", '"'))


RIGHT = {
    "the reference": reference("14"),
    "another order": with_("cover", by=["f", "e", "d", "c"]),
    "decimals": cut("0.6", "0.2", 2, 4, 3, 12),
    "a third of both": cut("1/3", "1/3", 2, 3, 3, 10),
    "a tenth and a fifth": cut("1/10", "1/5", 1, 1, 1, 4),
    "numbers as text": with_("lifted", "a", by="1"),
    "an integer as a decimal": with_("lifted", "a", by=1.0),
    "the other row of the inverse": cut("2/9", "8/9", 4, 4, 6, 16),
    "the same cut by less": cut("4/5", "2/5", 3, 6, 5, 18),
    "more than 1": cut("11/6", "1/3", 5, 12, 9, 34),
    "both more than 1": cut("11/6", "4/3", 9, 15, 15, 49),
    "multipliers of 18": cut("15/18", "6/18", 3, 6, 5, 18),
    "of 1/3": cut("2/9", "8/9", 4, 4, 6, 16).replace("8/9", "16/18"),
    "a fraction of numbers": cut("10/12", "2/6", 3, 6, 5, 18),
    "spaces": cut(" 5/6 ", "1/3", 3, 6, 5, 18),
}

WRONG: dict[str, tuple[str, int, str]] = {
    "rounded multipliers": (with_("multipliers", "r", by="0.8333"), 7, "rounded down"),
    "a cover that fits": (with_("cover", by=["c", "d", "e"]), 4, "fit together"),
    "a cover that is not minimal": (with_("cover", by=["a", "c", "d", "e"]), 4, "not minimal"),
    "all items": (with_("cover", by=list("abcdef")), 4, "not minimal"),
    "a cover that the point satisfies": (with_("cover", by=["a", "b", "c"]), 6,
                                         "which is not more than 2"),
    "an item twice": (with_("cover", by=["c", "c", "d", "e"]), 3, "names an item twice"),
    "an unknown item": (with_("cover", by=["c", "g"]), 3, "there is no item 'g'"),
    "no cover": (with_("cover", by=[]), 3, "cover is a list of items"),
    "not lifted": (with_("lifted", by=dict.fromkeys("cdef", 1)), 8, "of a can be raised"),
    "one item is lifted": (with_("lifted", "b", by=0), 8, "of b can be raised"),
    "lifted too much": (with_("lifted", "a", by=2), 7, "add up to 4, more than 3"),
    "the weights": (with_("lifted", by=PAGE["weights"]), 7, "it is not valid"),
    "lifted without the cover": (with_("lifted", by={"a": 1, "b": 1}), 7, "c is in the cover"),
    "a negative coefficient": (with_("lifted", "b", by=-1), 7, "is below 0"),
    "half a coefficient": (with_("lifted", "b", by=0.5), 8, "of b is not 1/2"),
    "half a coefficient too much": (with_("lifted", "b", by=1.5), 7, "add up to 7/2, more than 3"),
    "a side that is not rounded": (with_("cut", "side", by="55/3"), 7, "rounded down 18, not 55/3"),
    "a coefficient that is not rounded": (with_("cut", "coefficients", "z", by="16/3"), 7,
                                          "rounded down 5, not 16/3"),
    "rounded up": (cut("5/6", "1/3", 3, 6, 6, 18), 7, "rounded down 5, not 6"),
    "the side rounded up": (cut("5/6", "1/3", 3, 6, 5, 19), 7, "rounded down 18, not 19"),
    "the side too small": (cut("5/6", "1/3", 3, 6, 5, 17), 7, "rounded down 18, not 17"),
    "a stronger coefficient": (cut("5/6", "1/3", 4, 6, 5, 18), 7, "rounded down 3, not 4"),
    "a weaker coefficient": (cut("5/6", "1/3", 3, 6, 4, 18), 7, "rounded down 5, not 4"),
    "another cut's multipliers": (cut("2/9", "8/9", 3, 6, 5, 18), 7, "rounded down"),
    "the rows are exchanged": (cut("1/3", "5/6", 3, 6, 5, 18), 7, "rounded down"),
    "a negative multiplier": (cut("-1/6", "1/3", 1, 0, 1, 2), 7, "is below 0"),
    "zeros": (cut("0", "0", 0, 0, 0, 0), 7, "nothing is proved"),
    "a row as it is": (cut("1", "0", 2, 6, 4, 16), 7, "nothing is rounded"),
    "a third of a row": (cut("0", "1/3", 1, 1, 2, 5), 9, "is not more than 5"),
    "a half of both": (cut("1/2", "1/2", 3, 4, 5, 15), 9, "is not more than 15"),
    "a multiplier that is a name": (with_("multipliers", "r", by="r"), 6, "is a number such as"),
    "an unknown row": (with_("multipliers", by={"t": 1}), 6, "there is no name 't'"),
    "no cut": (with_("cut", by=...), 6, "the file is {"),
    "a cut without a side": (with_("cut", "side", by=...), 6, "cut is {"),
    "a list": (with_("lifted", by=[1, 1]), 6, "lifted has a number for each name"),
    "no JSON": ("cover: c d e f", 0, "is not JSON"),
}  # fmt: skip


TestAnswers = answers_battery("14", RIGHT, WRONG)


def test_a_drawn_sheet_has_cuts_and_the_page_s_answer_has_one_mark(tmp_path: Path) -> None:
    for one in assign("14", ["ada", "bo", "cy"]).values():
        data: Any = one.task
        assert is_asked(data)
        assert mark("14", reference("14"), tmp_path, task=data)[0] <= 3
        weights, capacity, point = data["weights"], data["capacity"], numbers_of(data["point"])
        fits = [
            items
            for size in range(7)
            for items in itertools.combinations(weights, size)
            if sum(weights[item] for item in items) <= capacity
        ]
        violated = [c for c in minimal_covers(weights, capacity)
                    if sum(point[item] for item in c) > len(c) - 1]  # fmt: skip
        for cover in violated:
            assert all(len(set(items) & set(cover)) < len(cover) for items in fits)
        # Gomory's multipliers are those of a right answer, as is a cover that is lifted greedily.
        (cover, *_), lifted = violated, dict.fromkeys(violated[0], 1)
        while item := raised(lifted, len(cover) - 1, weights, capacity):
            lifted[item] = lifted.get(item, 0) + 1
        assert most_of(lifted, weights, capacity)[0] == len(cover) - 1
        found = corner_of(data["rows"], data["sides"], list(data["corner"]))
        assert found is not None
        corner, inverse = found
        row = next(
            one for one, value in zip(inverse, corner.values(), strict=False)
            if value.denominator > 1
        )  # fmt: skip
        multipliers = {name: value - math.floor(value) for name, value in row.items()}
        total, side = rounded(data["rows"], data["sides"], multipliers)
        answer = {
            "cover": list(cover),
            "lifted": lifted,
            "multipliers": {name: str(value) for name, value in multipliers.items()},
            "cut": {
                "coefficients": {name: math.floor(value) for name, value in total.items()},
                "side": math.floor(side),
            },
        }
        text = str(answer).replace("'", '"')
        assert mark("14", text, tmp_path, task=data) == (10, [])
        integers = itertools.product(range(22), repeat=3)
        rows, sides = data["rows"], data["sides"]
        for x, y, z in integers:  # the cut keeps every integer point
            value = {"x": x, "y": y, "z": z}
            if all(sum(rows[r][n] * value[n] for n in value) <= sides[r] for r in rows):
                left = sum(math.floor(total[name]) * value[name] for name in value)
                assert left <= math.floor(side)


def test_the_corner_is_where_both_rows_are_tight() -> None:
    corner, rows = numbers_of(PAGE["corner"]), PAGE["rows"]
    for row, side in PAGE["sides"].items():
        assert sum(rows[row][name] * corner[name] for name in corner) == side
    assert corner_of({"r": {"x": 1, "y": 2}, "s": {"x": 2, "y": 4}}, {"r": 1, "s": 2}, "xy") is None
    assert not is_asked({**PAGE, "corner": {**PAGE["corner"], "x": str(Fraction(7, 4))}})


def test_the_hint_of_the_page_leads_to_a_cut() -> None:
    """The fractional parts of the row of the inverse of a variable that is fractional."""
    drawn: list[Any] = [one.task for one in assign("14", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        names = list(data["corner"])
        found = corner_of(data["rows"], data["sides"], names)
        assert found is not None
        fractional = 0
        for name, row in zip(names, found[1], strict=False):
            if found[0][name].denominator == 1:
                continue
            fractional += 1
            parts = {one: number - math.floor(number) for one, number in row.items()}
            total, side = rounded(data["rows"], data["sides"], parts)
            left = sum(math.floor(total[one]) * found[0][one] for one in names)
            assert left > math.floor(side)
        assert fractional
