"""Exercise data: data of a roster on which wrong models differ from the right one.

The file is JSON, data as of exercise 12 without ``dislike``. A wrong model is the right one with a
fault in one rule (`calmip.course.reference_faults`). The data refute it if the solutions of the two
differ, compared in exact numbers as by an audit (`calmip.course.reference_audit.tells`). The size
of data is the number of variables. All data of a size are tried, so the smallest size is proved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, combinations, combinations_with_replacement, product
from pathlib import Path
from typing import Any, TypeVar

from calmip._base.errors import join_words
from calmip._base.limits import Deadline
from calmip.course.answers import fault_of_keys, read_answer
from calmip.course.checks import Check, Failed, Undecided, quote, run_checks
from calmip.course.dice import Dice
from calmip.course.reference_audit import tells
from calmip.course.reference_faults import Fault, Rule, Rules, Sides, own_faults
from calmip.course.references import COMPARISON_SECONDS
from calmip.course.rosters import roster_model
from calmip.mip.independent_search import exists
from calmip.mip.model import Model

T = TypeVar("T")
Data = Mapping[str, Any]

MOST = {"people": 6, "days": 7, "shifts": 4}
"""The most names of each kind in the data of a student."""

MAX_SMALLEST = 4
"""The most variables of the smallest data; more would take minutes to prove."""

SOLUTIONS = Path(__file__).parent / "solutions"

NAME = re.compile(r"[A-Za-z0-9]{1,20}")

WRONG: Mapping[str, tuple[Rule, str]] = {
    "demand_DAY_SHIFT is left out": (Rule("demand", "="), "left out"),
    "demand_DAY_SHIFT is <= instead of =": (Rule("demand", "="), "at most instead of equal"),
    "demand_DAY_SHIFT is >= instead of =": (Rule("demand", "="), "at least instead of equal"),
    "senior_DAY is left out": (Rule("senior", ">="), "left out"),
    "senior_DAY is <= 1 instead of >= 1": (Rule("senior", ">="), "reversed"),
    "senior_DAY is = 1 instead of >= 1": (Rule("senior", ">="), "equal instead of at least"),
    "senior_DAY is >= 2 instead of >= 1": (Rule("senior", ">="), "tightened by 1"),
    "senior_DAY is >= the number of seniors": (
        Rule("senior", ">="),
        "as much as its variables allow",
    ),
    "most_PERSON is left out": (Rule("most", "<="), "left out"),
    "most_PERSON has a right side that is 1 too large": (Rule("most", "<="), "loosened by 1"),
    "most_PERSON has a right side that is 1 too small": (Rule("most", "<="), "tightened by 1"),
    "most_PERSON is = instead of <=": (Rule("most", "<="), "equal instead of at most"),
    "most_PERSON is <=, and >= 1 too": (Rule("most", "<="), "at least 1, too"),
    "one_shift_PERSON_DAY is left out": (Rule("one", "<="), "left out"),
    "one_shift_PERSON_DAY is <= 2 instead of <= 1": (Rule("one", "<="), "loosened by 1"),
    "one_shift_PERSON_DAY is = 1 instead of <= 1": (Rule("one", "<="), "equal instead of at most"),
    "rest_PERSON_DAY_SHIFT_SHIFT is left out": (Rule("rest", "<="), "left out"),
    "rest_PERSON_DAY_SHIFT_SHIFT is <= 0 instead of <= 1": (Rule("rest", "<="), "tightened by 1"),
    "rest_PERSON_DAY_SHIFT_SHIFT is = 1 instead of <= 1": (
        Rule("rest", "<="),
        "equal instead of at most",
    ),
    "rest_PERSON_DAY_SHIFT_SHIFT is >= 1 instead of <= 1": (Rule("rest", "<="), "reversed"),
    "off_PERSON_DAY is left out": (Rule("off", "="), "left out"),
    "off_PERSON_DAY is = 1 instead of = 0": (Rule("off", "="), "its constant 1 too large"),
}
"""The faults by what the student reads; others, or another order, would draw other exercises."""


FORM = {
    "people": "[...]",
    "days": "[...]",
    "shifts": "[...]",
    "demand": "{...}",
    "rest": "[...]",
    "most": "{...}",
    "off": "{...}",
    "seniors": "[...]",
}

TASK: dict[str, Any] = {
    "wrong": [
        "senior_DAY is >= the number of seniors",
        "most_PERSON has a right side that is 1 too small",
        "rest_PERSON_DAY_SHIFT_SHIFT is left out",
    ]
}
"""The wrong models of the page."""


def draw_data(seed: int) -> dict[str, Any]:
    """Draw three wrong models, each with a fault in another rule."""
    dice = Dice(seed)
    rules = dice.some([*dict.fromkeys(rule for rule, _ in WRONG.values())], 3)
    return {
        "wrong": [
            dice.one([words for words, (own, _) in WRONG.items() if own == rule]) for rule in rules
        ]
    }


def is_asked(task: Data) -> bool:
    """Return whether the smallest data take thought, and the public answer refutes one at most."""
    wrong = set(task["wrong"])
    public = json.loads((SOLUTIONS / "data-refute").read_bytes())
    return 3 <= smallest(wrong) <= MAX_SMALLEST and len(wrong & told_by(public)) <= 1


def fault_of(words: str) -> Fault:
    """Return a fault of `WRONG`."""
    rule, change = WRONG[words]
    return next(one for one in own_faults(rule) if one.words == change)


def model_of(data: Data) -> Model:
    """Return the right model of data, without an objective."""
    dislike = {person: dict.fromkeys(data["shifts"], 0) for person in data["people"]}
    return roster_model({**data, "dislike": dislike})


def size_of(data: Data) -> int:
    """Return the size of data: the number of variables."""
    return len(data["people"]) * len(data["days"]) * len(data["shifts"])


def read_data(path: Path) -> dict[str, Any]:
    """Return the data in a file.

    Raises
    ------
    Failed
        If it has not the form, or a number or a name is not allowed.
    """
    data = read_answer(path, FORM, whole=False)
    data.pop("dislike", None)  # of the data of exercise 12, which have all other keys
    if fault := fault_of_keys(data, FORM):
        raise Failed(fault)
    for key, most in MOST.items():
        _check_names(key, data[key], most)
    people, days, shifts = (data[key] for key in MOST)
    _check_keys("demand", data["demand"], days)
    for day, demand in data["demand"].items():
        _check_keys(f"demand of {day}", demand, shifts)
        for shift, number in demand.items():
            _check_number(f"demand of {day} {shift}", number, len(people))
    _check_keys("most", data["most"], people)
    for person, number in data["most"].items():
        _check_number(f"most of {person}", number, len(days))
    _check_keys("off", data["off"], people, every=False)
    for person, absent in data["off"].items():
        _check_some(f"off of {person}", absent, days)
    _check_some("seniors", data["seniors"], people)
    pairs = data["rest"]
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(one in shifts for one in pair)
        for pair in pairs
    ):
        raise Failed(f"rest is a list of pairs of shifts, not {quote(pairs)}")
    _check_different("rest", [tuple(pair) for pair in pairs])
    return data


def _check_names(key: str, names: Any, most: int) -> None:
    if not isinstance(names, list) or not 1 <= len(names) <= most:
        raise Failed(f"{key} is a list of 1 to {most} names, not {quote(names)}")
    for name in names:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise Failed(f"{key}: {quote(name)} is not a name of 1 to 20 letters and digits")
    _check_different(key, names)


def _check_keys(what: str, found: Any, names: Sequence[str], *, every: bool = True) -> None:
    if not isinstance(found, dict):
        raise Failed(f"{what} is an object with the keys {join_words(names)}, not {quote(found)}")
    if unknown := [name for name in found if name not in names]:
        raise Failed(f"{what}: {quote(unknown[0])} is unknown; use {join_words(names)}")
    if every and (missing := [name for name in names if name not in found]):
        raise Failed(f"{what}: {missing[0]} is missing")


def _check_number(what: str, number: Any, most: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise Failed(f"{what} is a whole number from 0 to {most}, not {quote(number)}")


def _check_some(what: str, found: Any, names: Sequence[str]) -> None:
    if not isinstance(found, list):
        raise Failed(f"{what} is a list, not {quote(found)}")
    for name in found:
        if name not in names:
            raise Failed(f"{what}: {quote(name)} is unknown; use {join_words(names)}")
    _check_different(what, found)


def _check_different(what: str, found: Sequence[Any]) -> None:
    if again := next((one for one in found if found.count(one) > 1), None):
        raise Failed(f"{what}: {quote(again)} appears twice")


def grade_data(path: Path, *, task: Data = TASK) -> tuple[Check, ...]:
    """Mark data by the wrong models that they refute, and by their size."""
    data: dict[str, Any] = {}
    refuted: set[str] = set()

    def has_roster() -> None:
        found = exists(model_of(data), Deadline(COMPARISON_SECONDS))[0]
        if found is None:
            raise Undecided("whether the data have a roster was not decided in time")
        if not found:
            raise Failed("no roster satisfies the rules, so no model is tested")

    def refutes(words: str) -> None:
        told = tells(fault_of(words), Rules(model_of(data)), (), COMPARISON_SECONDS)
        if told is None:
            raise Undecided("whether the two models have the same solutions was not decided")
        if not told:
            raise Failed("on these data the wrong model has the same solutions as the right one")
        refuted.add(words)

    def is_smallest() -> None:
        if len(refuted) < len(task["wrong"]):
            raise Failed("not checked, because the data do not refute all three models")
        size = size_of(data)
        # The three were drawn so that the smallest data have at most so many.
        if size > MAX_SMALLEST or any(suffices(less, task["wrong"]) for less in range(1, size)):
            raise Failed(f"the data have {size} variables; fewer suffice")

    return run_checks(
        [
            ("the file has data of a roster", 1, lambda: data.update(read_data(path)), True),
            ("some roster satisfies the rules", 1, has_roster, True),
            *(
                (f"the data refute: {words}", 2, partial(refutes, words), False)
                for words in task["wrong"]
            ),
            ("no smaller data refute all three", 2, is_smallest, False),
        ]
    )


def smallest(wrong: Collection[str]) -> int:
    """Return the size of the smallest data that refute wrong models, at most `MAX_SMALLEST` + 1."""
    sizes = range(1, MAX_SMALLEST + 1)
    return next((size for size in sizes if suffices(size, wrong)), MAX_SMALLEST + 1)


def suffices(size: int, wrong: Collection[str]) -> bool:
    """Return whether some data of a size have a roster and refute all of some wrong models."""
    return any(told.issuperset(wrong) for told in _told(size))


@cache
def _told(size: int) -> frozenset[frozenset[str]]:
    """Return which wrong models the data of a size refute: all data are tried, point by point."""
    return frozenset(told for data in every_data(size) if (told := told_by(data)))


def told_by(data: Data) -> frozenset[str]:
    """Return which wrong models small data refute, point by point; none if they have no roster."""
    rules = Rules(model_of(data))
    right = _points(rules, {})
    return frozenset(
        words
        for words, sides in _sides().items()
        if right and _points(rules, sides(rules)) != right
    )


@cache
def _sides() -> dict[str, Callable[[Rules], Sides]]:
    faults = {words: fault_of(words).sides for words in WRONG}
    return {words: sides for words, sides in faults.items() if sides is not None}


def _points(rules: Rules, sides: Sides) -> list[int]:
    """Return the 0-1 points of a roster with other bounds of some rows, as the bits of numbers."""
    rows = [
        (sum(1 << c for c in row.terms), *sides.get(number, (row.low, row.high)))
        for number, row in enumerate(rules.rows)
    ]
    return [
        point
        for point in range(1 << len(rules.model.columns))
        if all(low <= (point & bits).bit_count() <= high for bits, low, high in rows)
    ]


def every_data(size: int) -> Iterator[Data]:
    """Yield all data of a size, of people who can be exchanged one."""
    numbers = range(1, size + 1)
    for number in product(numbers, repeat=3):
        if number[0] * number[1] * number[2] != size:
            continue
        people, days, shifts = (
            [f"{key[0]}{n}" for n in range(1, most + 1)]
            for key, most in zip(MOST, number, strict=True)
        )
        # Without a second day no rest matters.
        pairs = [list(pair) for pair in product(shifts, repeat=2)] if len(days) > 1 else []
        kinds = [*product(range(len(days) + 1), _subsets(days), (False, True))]
        for demands in product(range(len(people) + 1), repeat=len(days) * len(shifts)):
            cells = dict(zip(product(days, shifts), demands, strict=True))
            for rest, own in product(
                _subsets(pairs), combinations_with_replacement(kinds, len(people))
            ):
                each = dict(zip(people, own, strict=True))
                yield {
                    "people": people,
                    "days": days,
                    "shifts": shifts,
                    "demand": {d: {s: cells[d, s] for s in shifts} for d in days},
                    "rest": rest,
                    "most": {p: most for p, (most, _, _) in each.items()},
                    "off": {p: off for p, (_, off, _) in each.items() if off},
                    "seniors": [p for p, (_, _, senior) in each.items() if senior],
                }


def _subsets(things: Collection[T]) -> list[list[T]]:
    sizes = range(len(things) + 1)
    return [list(one) for one in chain.from_iterable(combinations(things, n) for n in sizes)]
