"""Exercise 16: the smallest M of both rows of an either-or, each with its proof; JSON.

The file has ``{"M": ..., "point": {...}, "multipliers": {...}}`` for ``either`` and for ``or``, and
the ``bound`` of the relaxation with both. All numbers are rational, and so are those of the
marker's linear programs.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.answers import AnswerParts
from calmip.course.certificates import QUESTION_SECONDS
from calmip.course.checks import (
    Check,
    Failed,
    Undecided,
    quote,
    rational_of,
    rational_text,
    run_checks,
)
from calmip.course.declared_numbers import TOLERANCE
from calmip.course.dice import Dice
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, NamedRow
from calmip.mip.status import Status

PAGE: dict[str, Any] = {
    "limits": {"x": 7, "y": 5, "z": 3},
    "rows": {
        "labour": [{"x": 1, "y": 3, "z": 6}, 27],
        "steel": [{"x": 2, "y": 6, "z": 5}, 25],
    },
    "either": [{"x": 4, "y": 4, "z": 6}, 18],
    "or": [{"x": 6, "y": 2, "z": 3}, 14],
    "objective": {"x": 9, "y": 3, "z": 9},
}
"""The data of the page."""

SIDES = {"either": "or", "or": "either"}
"""The two rows of which one holds, each with the other one."""

Terms = Mapping[str, Fraction]


def largest(
    data: Mapping[str, Any], terms: Mapping[str, int], rows: Mapping[str, tuple[Terms, int]]
) -> Fraction:
    """Return the exact maximum of a sum over some rows and the limits of the variables."""
    names = [*data["limits"], "k"]
    place = {name: number for number, name in enumerate(names)}
    named: list[NamedRow] = []
    for row, (own, side) in rows.items():
        size = math.lcm(*(Fraction(value).denominator for value in own.values()))
        scaled = {place[name]: float(value * size) for name, value in own.items()}
        named.append((row, scaled, -math.inf, float(side * size)))
    model = Model.from_rows(
        names,
        named,
        [-float(terms.get(name, 0)) for name in names],
        column_upper=array("d", [*map(float, data["limits"].values()), 1.0]),
    )
    answer = ExactLp(model, range(len(names))).solve(clock=Deadline(QUESTION_SECONDS))
    if answer.status is not Status.OPTIMAL or answer.cost is None:
        raise Undecided("the linear program was not solved in time")
    return -Fraction(answer.cost)


def _rows(data: Mapping[str, Any], *names: str) -> dict[str, tuple[Terms, int]]:
    return {**data["rows"], **{name: data[name] for name in names}}


def smallest(data: Mapping[str, Any], of: str, *, joint: bool = True) -> Fraction:
    """Return the smallest M of a row, or without ``joint`` that which ignores the other row."""
    terms, side = data[of]
    return largest(data, terms, _rows(data, *([SIDES[of]] if joint else []))) - int(side)


def by_limits(data: Mapping[str, Any], of: str) -> int:
    """Return the M that the limits of the variables alone give."""
    terms, side = data[of]
    return int(sum(value * data["limits"][name] for name, value in terms.items()) - side)


def bound_of(data: Mapping[str, Any], large: Mapping[str, Fraction]) -> Fraction:
    """Return the bound of the relaxation with some M for both rows."""
    either, right = data["either"]
    other, side = data["or"]
    rows = {
        **data["rows"],
        "either": ({**either, "k": large["either"]}, right + large["either"]),
        "or": ({**other, "k": -large["or"]}, side),
    }
    return largest(data, data["objective"], rows)


def draw_data(seed: int) -> dict[str, Any]:
    """Draw two rows of three variables, and two more of which one holds."""
    dice = Dice(seed)

    def row(most: int) -> list[Any]:
        return [{name: 1 + dice.below(6) for name in "xyz"}, 8 + dice.below(most)]

    return {
        "limits": {name: 3 + dice.below(6) for name in "xyz"},
        "rows": {"labour": row(30), "steel": row(30)},
        "either": row(14),
        "or": row(14),
        "objective": {name: 1 + dice.below(9) for name in "xyz"},
    }


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether each of the three M is another one, for both rows, and so are the bounds."""
    least, loose = {}, {}
    for of in SIDES:
        least[of], loose[of] = smallest(data, of), smallest(data, of, joint=False)
        if not 0 < least[of] < loose[of] < by_limits(data, of):
            return False
    return bound_of(data, least) < bound_of(data, loose)


FORM = '{"M": ..., "point": {...}, "multipliers": {...}}'
"""What is found for each of the two rows."""


class _LeastM:
    """The checks of two M, their points and multipliers, and the bound."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        self.parts = AnswerParts(
            path,
            {**dict.fromkeys(SIDES, FORM), "bound": "..."},
            {**{of: partial(self._read_row, of) for of in SIDES}, "bound": self._read_bound},
        )
        self.large: dict[str, Fraction] = {}
        self.points: dict[str, dict[str, Fraction]] = {}
        self.multipliers: dict[str, dict[str, Fraction]] = {}
        self.bound = Fraction(0)

    def _read_row(self, of: str, given: object) -> None:
        variables, rows = [*self.data["limits"]], [*self.data["rows"]]
        if not isinstance(given, dict) or set(given) != {"M", "point", "multipliers"}:
            raise Failed(f"{of} is {FORM}")
        self.large[of] = rational_of(given["M"], f"the M of {of}")
        for what, known, where in (
            ("point", variables, self.points),
            ("multipliers", [*rows, *variables, *SIDES], self.multipliers),
        ):
            numbers = given[what]
            if not isinstance(numbers, dict):
                raise Failed(f"the {what} of {of} has numbers by name, not {quote(numbers)}")
            if unknown := [name for name in numbers if name not in known]:
                raise Failed(
                    f"the {what} of {of} has {quote(unknown[0])}; known are {join_words(known)}"
                )
            where[of] = {
                name: rational_of(value, f"the {what} of {of}: {name}")
                for name, value in numbers.items()
            }

    def _read_bound(self, given: object) -> None:
        self.bound = rational_of(given, "the bound")

    def _all(self, of: str) -> dict[str, tuple[Terms, int]]:
        """Return all that a point satisfies, where another row than this one is chosen."""
        limits = {name: ({name: Fraction(1)}, top) for name, top in self.data["limits"].items()}
        return {**_rows(self.data, SIDES[of]), **limits}

    def check_proof(self, of: str) -> None:
        """Refuse multipliers that do not prove that M keeps every solution."""
        rows, (terms, side) = self._all(of), self.data[of]
        total, right = dict.fromkeys(self.data["limits"], Fraction(0)), Fraction(0)
        if self.multipliers[of].get(of):
            raise Failed(
                f"the row {of} does not hold where its M is needed, so it proves nothing there; "
                f"{SIDES[of]} does"
            )
        for name, number in self.multipliers[of].items():
            if number < 0:
                left = "; leave it out, it is the reduced cost of a variable that is 0"
                raise Failed(
                    f"the multiplier of {name} is below 0, which turns the row round"
                    f"{left if name in total else ''}"
                )
            if not number:
                continue
            for variable, value in rows[name][0].items():
                total[variable] += number * value
            right += number * rows[name][1]
        for variable, value in total.items():
            if value < terms.get(variable, 0):
                raise Failed(
                    f"the multipliers add up to {rational_text(value)} {variable}, and the row has "
                    f"{terms[variable]} {variable}"
                )
        if right > side + self.large[of]:
            raise Failed(
                f"the multipliers prove that the row is at most {rational_text(right)}; with your "
                f"M it may be {rational_text(side + self.large[of])}"
            )

    def check_point(self, of: str) -> None:
        """Refuse a point that does not need the whole M, where the other row holds."""
        point = {name: self.points[of].get(name, Fraction(0)) for name in self.data["limits"]}
        for name, value in point.items():
            if value < 0:
                raise Failed(f"the point has {name} below 0")
        for name, (row, top) in self._all(of).items():
            value = sum((number * point[one] for one, number in row.items()), Fraction(0))
            if value > top:
                what = f"the limit of {name}" if name in point else f"the row {name}"
                raise Failed(
                    f"the point violates {what}: {rational_text(value)} is more than {top}"
                    f"{self._slip(of, '. Your M is ')}"
                )
        terms, side = self.data[of]
        needs = sum((number * point[one] for one, number in terms.items()), Fraction(0)) - side
        if needs > self.large[of]:
            raise Failed(
                f"M is too small: the point needs {rational_text(needs)}, and would be lost"
            )
        if needs < self.large[of]:
            raise Failed(
                f"the point needs {rational_text(needs)}, and M is "
                f"{rational_text(self.large[of])}{self._slip(of, ': ')}"
            )

    def _slip(self, of: str, before: str) -> str:
        """Return which question a wrong M answers; empty for any other one."""
        large, right = self.large[of], smallest(self.data, of)
        if large == by_limits(self.data, of):
            return f"{before}that of the limits of the variables alone"
        if large == smallest(self.data, of, joint=False):
            return f"{before}the smallest if the row {SIDES[of]} is ignored, which holds here"
        if large == right + self.data[of][1]:
            return f"{before}the most that the left side is, and the right side is not subtracted"
        return ""

    def check_bound(self) -> None:
        """Refuse another bound than that of the relaxation with both smallest M."""
        right = bound_of(self.data, {of: smallest(self.data, of) for of in SIDES})
        if abs(self.bound - right) <= TOLERANCE * max(Fraction(1), right):
            return
        loose = {of: smallest(self.data, of, joint=False) for of in SIDES}
        slip = ""
        if self.bound == bound_of(self.data, loose):
            slip = ", the bound with the M that ignore the other row"
        elif self.bound == largest(self.data, self.data["objective"], _rows(self.data)):
            slip = ", the bound without both rows"
        raise Failed(f"the bound is not {rational_text(self.bound)}{slip}")


def grade_least_m(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark the smallest M of an either-or, with the proofs, and the bound."""
    mine = _LeastM(path, task)
    parts = mine.parts
    checks: list[Any] = [("the file has an M for both rows, and a bound", 1, parts.read, False)]
    for of in SIDES:
        proof, point = (
            parts.after(partial(check, of), of) for check in (mine.check_proof, mine.check_point)
        )
        checks += [
            (f"the M of {of} is valid: its multipliers prove it", 2, proof, False),
            (f"no smaller M of {of} is: its point needs it", 2, point, False),
        ]
    bound = parts.after(mine.check_bound, "bound")
    checks.append(("the bound of the relaxation is right", 1, bound, False))
    return run_checks(checks)


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _LeastM(path, data)
    mine.parts.read()
    of, row = draw.choice(list(SIDES)), draw.choice(list(data["rows"]))
    point = {**dict.fromkeys(data["limits"], Fraction(0)), **mine.points[of]}
    rows = mine._all(of)
    left = {
        name: sum((value * point[one] for one, value in terms.items()), Fraction(0))
        for name, (terms, _) in rows.items()
    }
    tight = [
        f"the limit of {name}" if name in point else f"the row {name}"
        for name, (_, side) in rows.items()
        if left[name] == side
    ]
    multiplier = mine.multipliers[of].get(row, Fraction(0))
    share = Fraction(draw.randint(1, 3), 4)
    room = mine.large[of] * ((1 - share) if of == "either" else share)
    return [
        (
            f"Which limits and rows are tight at your point of {of}?",
            f"{join_words(tight).capitalize() if tight else 'None'}.",
        ),
        (
            f"The right side of {row} grows by 1. Which M of {of} do your multipliers prove then?",
            f"{rational_text(mine.large[of] + multiplier)}: the multiplier of {row} is "
            f"{rational_text(multiplier)}.",
        ),
        (
            f"Let k be {share} in the relaxation. How large may the left side of {of} be then?",
            f"{rational_text(data[of][1] + room)}: the right side, and {rational_text(room)} more.",
        ),
    ]
