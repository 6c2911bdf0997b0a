"""Exercise 14: a cover inequality, lifted, and a Chvatal-Gomory cut, by hand; JSON.

The file has ``{"cover": [...], "lifted": {...}, "multipliers": {...}, "cut": {"coefficients":
{...}, "side": 3}}``. The cover is of a row of binary variables, the multipliers are those of the
rows of a system of non-negative integer variables. All numbers are rational.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip.course.answers import AnswerParts
from calmip.course.checks import Check, Failed, quote, rational_of, rational_text, run_checks
from calmip.course.dice import Dice

PAGE: dict[str, Any] = {
    "weights": {"a": 14, "b": 14, "c": 12, "d": 9, "e": 7, "f": 4},
    "capacity": 31,
    "point": {"a": "0", "b": "0", "c": "1", "d": "1", "e": "1", "f": "3/4"},
    "rows": {"r": {"x": 2, "y": 6, "z": 4}, "s": {"x": 4, "y": 3, "z": 6}},
    "sides": {"r": 16, "s": 15},
    "corner": {"x": "7/3", "y": "17/9", "z": "0"},
}
"""The data of the page."""

Numbers = Mapping[str, Fraction]


def numbers_of(given: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return numbers that stand as text."""
    return {name: Fraction(value) for name, value in given.items()}


def minimal_covers(weights: Mapping[str, int], capacity: int) -> Iterator[tuple[str, ...]]:
    """Yield all sets of items that do not fit together, and fit without any one of them."""
    for size in range(1, len(weights) + 1):
        for items in itertools.combinations(weights, size):
            total = sum(weights[item] for item in items)
            if total > capacity and total - min(weights[item] for item in items) <= capacity:
                yield items


def most_of(
    coefficients: Mapping[str, Fraction], weights: Mapping[str, int], capacity: int
) -> tuple[Fraction, tuple[str, ...]]:
    """Return the most that a sum is over items that fit together, and these items."""
    return max(
        (sum((coefficients.get(item, Fraction(0)) for item in items), Fraction(0)), items)
        for size in range(len(weights) + 1)
        for items in itertools.combinations(weights, size)
        if sum(weights[item] for item in items) <= capacity
    )


def raised(
    coefficients: Mapping[str, Fraction], side: int, weights: Mapping[str, int], capacity: int
) -> str:
    """Return an item whose coefficient can be raised by 1; empty without one."""
    for item in weights:
        more = {**coefficients, item: coefficients.get(item, Fraction(0)) + 1}
        if most_of(more, weights, capacity)[0] <= side:
            return item
    return ""


def rounded(
    rows: Mapping[str, Mapping[str, int]], sides: Mapping[str, int], multipliers: Numbers
) -> tuple[dict[str, Fraction], Fraction]:
    """Return the sum of the rows times their multipliers, before it is rounded down."""
    columns = dict.fromkeys(column for row in rows.values() for column in row)
    total = {
        column: sum(
            (multipliers[name] * rows[name].get(column, 0) for name in multipliers), Fraction(0)
        )
        for column in columns
    }
    return total, sum((multipliers[name] * sides[name] for name in multipliers), Fraction(0))


def _cuts_off(data: Mapping[str, Any], multipliers: Numbers) -> bool:
    total, side = rounded(data["rows"], data["sides"], multipliers)
    corner = numbers_of(data["corner"])
    return sum(math.floor(total[name]) * corner[name] for name in total) > math.floor(side)


def corner_of(
    rows: Mapping[str, Mapping[str, int]], sides: Mapping[str, int], columns: Sequence[str]
) -> tuple[dict[str, Fraction], list[dict[str, Fraction]]] | None:
    """Return where two rows meet in two columns, and the rows of the inverse; None if nowhere."""
    (r, s), (x, y) = rows, columns[:2]
    a, b, c, d = rows[r][x], rows[r][y], rows[s][x], rows[s][y]
    if not (size := a * d - b * c):
        return None
    inverse = [
        {r: Fraction(d, size), s: Fraction(-b, size)},
        {r: Fraction(-c, size), s: Fraction(a, size)},
    ]
    values = [sum((one[row] * sides[row] for row in rows), Fraction(0)) for one in inverse]
    found = dict.fromkeys(columns, Fraction(0)) | dict(zip((x, y), values, strict=True))
    return found, inverse


def draw_data(seed: int) -> dict[str, Any]:
    """Draw a knapsack with a point of its relaxation, and two rows with a corner."""
    dice = Dice(seed)
    heavy = sorted((3 + dice.below(12) for _ in range(6)), reverse=True)
    weights = dict(zip("abcdef", heavy, strict=True))
    values = {item: weight + dice.below(6) for item, weight in weights.items()}
    capacity = sum(weights.values()) // 2 + dice.below(5)
    left, point = capacity, dict.fromkeys(weights, Fraction(0))
    for item in sorted(weights, key=lambda one: Fraction(-values[one], weights[one])):
        point[item] = min(Fraction(1), Fraction(left, weights[item]))
        left -= min(left, weights[item])
    rows = {row: {name: 1 + dice.below(7) for name in "xyz"} for row in "rs"}
    sides = {row: 6 + dice.below(15) for row in rows}
    found = corner_of(rows, sides, "xyz")
    corner = dict.fromkeys("xyz", Fraction(-1)) if found is None else found[0]
    return {
        "weights": weights,
        "capacity": capacity,
        "point": {item: str(value) for item, value in point.items()},
        "rows": rows,
        "sides": sides,
        "corner": {name: str(value) for name, value in corner.items()},
    }


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether the cuts exist, and none of them is there without work."""
    weights, capacity, point = data["weights"], data["capacity"], numbers_of(data["point"])
    covers = list(minimal_covers(weights, capacity))
    violated = [one for one in covers if sum(point[item] for item in one) > len(one) - 1]
    if not violated or len(violated) == len(covers):
        return False
    if not all(
        raised(dict.fromkeys(c, Fraction(1)), len(c) - 1, weights, capacity) for c in violated
    ):
        return False
    found = corner_of(data["rows"], data["sides"], list(data["corner"]))
    corner = numbers_of(data["corner"])
    if found is None or found[0] != corner or min(corner.values()) < 0:
        return False
    if all(value.denominator == 1 for value in corner.values()):
        return False
    steps = [Fraction(p, q) for q in range(2, 13) for p in range(1, q)]
    return not any(_cuts_off(data, {row: step}) for row in data["rows"] for step in steps)


class _HandCuts:
    """The checks of cuts that were found by hand."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        self.parts = AnswerParts(
            path,
            {"cover": "[...]", "lifted": "{...}", "multipliers": "{...}", "cut": "{...}"},
            {
                "cover": self._read_cover,
                "lifted": self._read_lifted,
                "multipliers": self._read_multipliers,
                "cut": self._read_cut,
            },
        )
        self.weights: Mapping[str, int] = data["weights"]
        self.cover: list[str] = []
        self.lifted: dict[str, Fraction] = {}
        self.multipliers: dict[str, Fraction] = {}
        self.coefficients: dict[str, Fraction] = {}
        self.side = Fraction(0)

    def _read_cover(self, cover: object) -> None:
        if not isinstance(cover, list) or not cover:
            raise Failed(f"cover is a list of items, not {quote(cover)}")
        for item in cover:
            _known(item, self.weights, "item")
        if len(set(cover)) < len(cover):
            raise Failed("cover names an item twice")
        self.cover = [str(item) for item in cover]

    def _read_lifted(self, given: object) -> None:
        self.lifted = _rationals(given, self.weights, "lifted")

    def _read_multipliers(self, given: object) -> None:
        multipliers = _rationals(given, self.data["rows"], "multipliers")
        self.multipliers = {name: value for name, value in multipliers.items() if value}

    def _read_cut(self, cut: object) -> None:
        if not isinstance(cut, dict) or set(cut) != {"coefficients", "side"}:
            raise Failed('cut is {"coefficients": {...}, "side": ...}')
        self.coefficients = _rationals(cut["coefficients"], self.data["corner"], "coefficients")
        self.side = rational_of(cut["side"], "the side")

    def check_cover(self) -> None:
        """Refuse items that fit together, or are too many."""
        capacity, total = self.data["capacity"], sum(self.weights[one] for one in self.cover)
        if total <= capacity:
            raise Failed(f"the items {_sum(self.cover, self.weights)} = {total} fit together")
        for item in self.cover:
            if total - self.weights[item] > capacity:
                raise Failed(
                    f"the cover is not minimal: without {item} the others still weigh "
                    f"{total - self.weights[item]}, more than {capacity}"
                )

    def check_violated(self) -> None:
        """Refuse a cover whose inequality the point satisfies."""
        self.check_cover()
        point = numbers_of(self.data["point"])
        value, side = sum(point[item] for item in self.cover), len(self.cover) - 1
        if value <= side:
            raise Failed(
                f"the point has {rational_text(Fraction(value))} in the cover, which is not more "
                f"than {side}"
            )

    def check_lifted(self) -> None:
        """Refuse a lifted inequality that some items that fit together violate."""
        self.check_cover()
        for item in self.cover:
            if self.lifted.get(item, 0) < 1:
                raise Failed(f"{item} is in the cover, so its coefficient has to be 1 at least")
        lowest = min(self.lifted.values())
        if lowest < 0:
            raise Failed(
                f"no coefficient of a lifted cover is below 0, such as {rational_text(lowest)}"
            )
        most, items = most_of(self.lifted, self.weights, self.data["capacity"])
        if most > len(self.cover) - 1:
            raise Failed(
                f"it is not valid: {join_words(items)} fit together, and their coefficients add up "
                f"to {rational_text(most)}, more than {len(self.cover) - 1}"
            )

    def check_maximal(self) -> None:
        """Refuse a lifted inequality with a coefficient that can be raised."""
        self.check_lifted()
        for name, value in self.lifted.items():
            if value.denominator > 1:
                raise Failed(
                    f"the coefficient of {name} is not {rational_text(value)}: the largest one is "
                    "an integer"
                )
        item = raised(self.lifted, len(self.cover) - 1, self.weights, self.data["capacity"])
        if item:
            raise Failed(
                f"the coefficient {self.lifted.get(item, 0)} of {item} can be raised by 1, and the "
                "inequality is still valid"
            )

    def check_rounding(self) -> None:
        """Refuse coefficients that the multipliers do not give."""
        if not self.multipliers:
            raise Failed("all multipliers are 0, so nothing is proved")
        for name, value in self.multipliers.items():
            if value < 0:
                raise Failed(f"the multiplier of {name} is below 0, which turns the row round")
        total, side = rounded(self.data["rows"], self.data["sides"], self.multipliers)
        if all(one.denominator == 1 for one in (*total.values(), side)):
            raise Failed("the multipliers give integers, so nothing is rounded")
        for name, value in total.items():
            given, right = self.coefficients.get(name, Fraction(0)), math.floor(value)
            if given != right:
                raise Failed(
                    f"for {name} the multipliers give {rational_text(value)}, rounded down "
                    f"{right}, not {rational_text(given)}"
                )
        if self.side != math.floor(side):
            raise Failed(
                f"for the right side the multipliers give {rational_text(side)}, rounded down "
                f"{math.floor(side)}, not {rational_text(self.side)}"
            )

    def check_corner(self) -> None:
        """Refuse a cut that the corner satisfies."""
        self.check_rounding()
        corner = numbers_of(self.data["corner"])
        value = sum(
            (number * corner[name] for name, number in self.coefficients.items()), Fraction(0)
        )
        if value <= self.side:
            raise Failed(
                f"the corner has {rational_text(value)} on the left, which is not more than "
                f"{rational_text(self.side)}"
            )


def grade_hand_cuts(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark a cover, its lifting, and a Chvatal-Gomory cut with its multipliers."""
    mine = _HandCuts(path, task)
    after = mine.parts.after
    lifted, proved = ("cover", "lifted"), ("multipliers", "cut")
    return run_checks(
        [
            (
                "the file has a cover, a lifted cover, multipliers and a cut",
                1,
                mine.parts.read,
                False,
            ),
            ("the cover is a minimal one", 2, after(mine.check_cover, "cover"), False),
            ("the point violates its inequality", 1, after(mine.check_violated, "cover"), False),
            ("the lifted inequality is valid", 1, after(mine.check_lifted, *lifted), False),
            (
                "none of its coefficients can be raised",
                2,
                after(mine.check_maximal, *lifted),
                False,
            ),
            ("the multipliers give the cut", 2, after(mine.check_rounding, *proved), False),
            ("the corner violates the cut", 1, after(mine.check_corner, *proved), False),
        ]
    )


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _HandCuts(path, data)
    mine.parts.read()
    weights, capacity, rows = mine.weights, data["capacity"], list(data["rows"])
    total = sum(weights[item] for item in mine.cover)
    item = draw.choice([one for one, weight in weights.items() if weight <= capacity])
    others = {one: weight for one, weight in weights.items() if one != item}
    most, chosen = most_of(mine.lifted, others, capacity - weights[item])
    most += mine.lifted.get(item, Fraction(0))
    numbers = [mine.multipliers.get(row, Fraction(0)) for row in rows]
    sums, side = rounded(data["rows"], data["sides"], dict(zip(rows, numbers[::-1], strict=True)))
    cut = " + ".join(f"{math.floor(value)} {name}" for name, value in sums.items())
    corner = numbers_of(data["corner"])
    left = sum((math.floor(value) * corner[name] for name, value in sums.items()), Fraction(0))
    violated = "violates" if left > math.floor(side) else "satisfies"
    return [
        (
            f"The capacity grows from {capacity}. Up to which integer is your cover, "
            f"{join_words(mine.cover)}, still a cover?",
            f"Up to {total - 1}: together they weigh {total}.",
        ),
        (
            f"The item {item} is chosen. How large can the left side of your lifted row be?",
            f"{rational_text(most)}, for example with {join_words([item, *chosen])}; the right "
            f"side is {len(mine.cover) - 1}.",
        ),
        (
            "Exchange your two multipliers. Which cut is that, and does the corner violate it?",
            f"{cut} <= {math.floor(side)}. The corner has {rational_text(left)}, so it {violated} "
            "it.",
        ),
    ]


def _known(name: object, names: Collection[str], what: str) -> None:
    if not isinstance(name, str) or name not in names:
        raise Failed(f"there is no {what} {quote(name)}; these are {join_words(list(names))}")


def _rationals(given: object, names: Collection[str], what: str) -> dict[str, Fraction]:
    """Return the numbers of a part of the file, by names that are all known."""
    if not isinstance(given, dict):
        raise Failed(f"{what} has a number for each name, not {quote(given)}")
    for name in given:
        _known(name, names, "name")
    return {
        name: rational_of(value, f"{what}: the number of {name}") for name, value in given.items()
    }


def _sum(items: Sequence[str], weights: Mapping[str, int]) -> str:
    return " + ".join(f"{item} ({weights[item]})" for item in items)
