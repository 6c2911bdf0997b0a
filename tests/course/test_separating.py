"""Data that refute wrong models: every verdict by brute force, and the smallest is the smallest."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip.cli import main
from calmip.course import separating
from calmip.course.assignments import assign
from calmip.course.checks import Failed
from calmip.course.exercises import checks_of, write_solutions
from calmip.course.reference_audit import tells
from calmip.course.reference_faults import Rules
from calmip.course.separating import (
    MAX_SMALLEST,
    TASK,
    WRONG,
    every_data,
    fault_of,
    grade_data,
    model_of,
    read_data,
    size_of,
    smallest,
    suffices,
    told_by,
)

STARTER = Path(__file__).parents[2] / "docs/course/data-refute/starter.json"
STUDENTS = [f"s{number:03}" for number in range(12)]

Roster = frozenset[tuple[str, str, str]]


@st.composite
def rosters(draw: st.DrawFn, most: int = 6) -> dict[str, Any]:
    """Return data of a roster with few variables."""
    numbers = [(p, d, s) for p, d, s in itertools.product(range(1, 4), repeat=3)]
    number = draw(st.sampled_from([one for one in numbers if one[0] * one[1] * one[2] <= most]))
    names = draw(st.permutations(["a", "bo", "c3", "D"])), ["m", "t", "w"], ["e", "l", "n"]
    people, days, shifts = (one[:n] for one, n in zip(names, number, strict=True))
    some = st.lists(st.sampled_from(days), unique=True)
    pairs = st.lists(st.sampled_from([[s, t] for s in shifts for t in shifts]), max_size=3)
    return {
        "people": people,
        "days": days,
        "shifts": shifts,
        "demand": {d: {s: draw(st.integers(0, len(people))) for s in shifts} for d in days},
        "rest": [list(pair) for pair in dict.fromkeys(map(tuple, draw(pairs)))],
        "most": {p: draw(st.integers(0, len(days))) for p in people},
        "off": {p: draw(some) for p in people if draw(st.booleans())},
        "seniors": draw(st.lists(st.sampled_from(people), unique=True)),
    }


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": int.__eq__,
    "<=": int.__le__,
    ">=": int.__ge__,
}


def satisfied(data: dict[str, Any], roster: Roster, words: str = "") -> bool:
    """Return whether a roster satisfies the rules as the page has them, one changed by words."""
    people, days, shifts = data["people"], data["days"], data["shifts"]
    family = words.partition("_")[0]

    def holds(rule: str, total: int, sense: str, right: int) -> bool:
        if rule != family:
            return COMPARE[sense](total, right)
        if "left out" in words:
            return True
        if side := re.search(r"that is 1 too (\w+)", words):
            return COMPARE[sense](total, right + {"large": 1, "small": -1}[side[1]])
        if "and >= 1 too" in words:
            return COMPARE[sense](total, right) and total >= 1
        found = re.search(r" is (<=|>=|=) (the number of seniors|\d)?", words)
        assert found, words
        number = len(data["seniors"]) if "number" in words else int(found[2] or right)
        return COMPARE[found[1]](total, number)

    def count(who: list[str], when: list[str], which: list[str]) -> int:
        return sum(one in roster for one in itertools.product(who, when, which))

    last = shifts[-1]
    return all(
        [
            *(
                holds("demand", count(people, [d], [s]), "=", data["demand"][d][s])
                for d in days
                for s in shifts
            ),
            *(
                holds("senior", count(data["seniors"], [d], [last]), ">=", 1)
                for d in days
                if data["demand"][d][last]
            ),
            *(holds("most", count([p], days, shifts), "<=", data["most"][p]) for p in people),
            *(holds("one", count([p], [d], shifts), "<=", 1) for p in people for d in days),
            *(
                holds("off", count([p], [d], shifts), "=", 0)
                for p in people
                for d in data["off"].get(p, ())
            ),
            *(
                holds("rest", ((p, d, s) in roster) + ((p, e, t) in roster), "<=", 1)
                for p in people
                for d, e in itertools.pairwise(days)
                for s, t in data["rest"]
            ),
        ]
    )


def solutions(data: dict[str, Any], words: str = "") -> set[Roster]:
    keys = [*itertools.product(data["people"], data["days"], data["shifts"])]
    every = itertools.product((False, True), repeat=len(keys))
    rosters = [frozenset(itertools.compress(keys, chosen)) for chosen in every]
    return {one for one in rosters if satisfied(data, one, words)}


@given(rosters(), st.sampled_from([*WRONG]))
@settings(max_examples=60)
def test_a_wrong_model_is_refuted_if_a_roster_tells_it_by_its_words(
    data: dict[str, Any], words: str
) -> None:
    differs = solutions(data) != solutions(data, words)
    assert (tells(fault_of(words), Rules(model_of(data)), (), 60.0) or False) is differs
    assert (words in told_by(data)) is (differs and bool(solutions(data)))


@given(rosters(4), st.lists(st.sampled_from([*WRONG]), min_size=1, max_size=3))
@settings(max_examples=60)
def test_no_data_are_smaller_than_the_smallest(data: dict[str, Any], wrong: list[str]) -> None:
    """Also those that are not tried because people were exchanged."""
    if told_by(data).issuperset(wrong):
        assert suffices(size_of(data), wrong)


def test_the_data_of_a_size_are_all_of_it() -> None:
    for size, number in ((1, 16), (2, 332)):
        found = list(every_data(size))
        assert len(found) == number
        assert all(size_of(one) == size for one in found)
    # One person, day and shift: the demand, the limit, the absence, the senior.
    assert len({json.dumps(one) for one in every_data(1)}) == 2**4


def written(folder: Path, data: object) -> Path:
    path = folder / "mine.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def marks(path: Path, task: Any = TASK) -> list[int]:
    return [check.marks for check in grade_data(path, task=task)]


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return what twelve students have drawn, and the first of the smallest data for each."""
    found = {}
    for student, one in assign("data", STUDENTS).items():
        wrong = dict(one.task)["wrong"]
        right = next(
            data for data in every_data(smallest(wrong)) if told_by(data).issuperset(wrong)
        )
        found[student] = {"wrong": wrong}, dict(right)
    return found


Drawn = dict[str, tuple[dict[str, Any], dict[str, Any]]]


@pytest.mark.long
def test_twelve_right_answers_have_all_marks(drawn: Drawn, tmp_path: Path) -> None:
    for task, right in drawn.values():
        assert marks(written(tmp_path, right), task) == [1, 1, 2, 2, 2, 2]
        rules = {words.partition("_")[0] for words in task["wrong"]}
        assert len(rules) == 3
        assert 3 <= size_of(right) <= MAX_SMALLEST


@pytest.mark.long
def test_twenty_five_wrong_answers_have_what_they_earn(drawn: Drawn, tmp_path: Path) -> None:
    """Larger data, data with a person or a number changed, and those of another student."""
    draw = random.Random(7)
    tried = 0
    for (task, right), (_, other) in itertools.pairwise([*drawn.values(), *drawn.values()]):
        larger = json.loads(json.dumps(right))
        larger["people"].append("zoe")
        larger["most"]["zoe"] = 0
        assert marks(written(tmp_path, larger), task)[-1] == 0
        fewer = json.loads(json.dumps(right))
        person = draw.choice(fewer["people"])
        fewer["most"][person] = draw.randrange(len(fewer["days"]) + 1)
        fewer["seniors"] = draw.sample(fewer["people"], draw.randrange(len(fewer["people"]) + 1))
        for data in (fewer, other):
            if not solutions(data):
                expected = [1, 0, 0, 0, 0, 0]
            else:
                told = [2 * (solutions(data) != solutions(data, w)) for w in task["wrong"]]
                size = size_of(data) <= size_of(right)
                expected = [1, 1, *told, 2 if min(told) and size else 0]
            assert marks(written(tmp_path, data), task) == expected
            tried += expected != [1, 1, 2, 2, 2, 2]
    assert tried >= 25


RIGHT = json.loads((separating.SOLUTIONS / "data-refute").read_bytes())


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"people": []}, "people is a list of 1 to 6 names, not '[]'"),
        ({"people": ["anna", "anna"]}, "people: 'anna' appears twice"),
        ({"people": ["a_b", "ben"]}, "people: 'a_b' is not a name of 1 to 20 letters and digits"),
        ({"days": "mon"}, "days is a list of 1 to 7 names, not 'mon'"),
        ({"shifts": [["early"]]}, "shifts: \"['early']\" is not a name of 1 to 20 letters and"),
        ({"demand": {"mon": {"early": 1}}}, "demand: tue is missing"),
        ({"demand": []}, "demand is an object with the keys mon, tue, not '[]'"),
        (
            {"demand": {"mon": {"early": 3}, "tue": {"early": 1}}},
            "demand of mon early is a whole number from 0 to 2, not '3'",
        ),
        (
            {"demand": {"mon": {"early": True}, "tue": {"early": 1}}},
            "demand of mon early is a whole number from 0 to 2, not 'True'",
        ),
        (
            {"most": {"anna": 1.5, "ben": 2}},
            "most of anna is a whole number from 0 to 2, not '1.5'",
        ),
        ({"most": {"anna": 1, "eve": 1}}, "most: 'eve' is unknown; use anna, ben"),
        ({"off": {"eve": []}}, "off: 'eve' is unknown; use anna, ben"),
        ({"off": {"anna": ["sun"]}}, "off of anna: 'sun' is unknown; use mon, tue"),
        ({"off": {"anna": "mon"}}, "off of anna is a list, not 'mon'"),
        ({"seniors": ["anna", "anna"]}, "seniors: 'anna' appears twice"),
        ({"seniors": [["anna"]]}, "seniors: \"['anna']\" is unknown; use anna, ben"),
        ({"rest": [["early"]]}, "rest is a list of pairs of shifts, not \"[['early']]\""),
        ({"rest": [[["early"], "early"]]}, "rest is a list of pairs of shifts, not "),
        ({"rest": [["early", "early"]] * 2}, "rest: \"('early', 'early')\" appears twice"),
        ({"costs": {}}, 'the file is {"people": [...], "days": [...], '),
    ],
)
def test_data_that_are_none_are_refused_in_a_line(
    changes: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    path = written(tmp_path, RIGHT | changes)
    with pytest.raises(Failed) as failed:
        read_data(path)
    assert str(failed.value).startswith(fault)
    assert "\n" not in str(failed.value)
    assert marks(path) == [0] * 6


def test_the_costs_of_exercise_12_are_ignored(tmp_path: Path) -> None:
    assert sum(marks(written(tmp_path, RIGHT | {"dislike": {"anna": {"early": 1}}}))) == 10


def test_what_is_not_decided_in_time_has_a_mark_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, RIGHT)
    monkeypatch.setattr(separating, "tells", lambda *_: None)
    found = grade_data(path)
    assert [one.undecided for one in found] == [False, False, True, True, True, False]
    assert sum(one.marks for one in found) == 2
    monkeypatch.setattr(separating, "exists", lambda *_: (None, []))
    assert [one.undecided for one in grade_data(path)][1] is True


def test_the_largest_data_are_marked(tmp_path: Path) -> None:
    people, days, shifts = ([f"n{n}" for n in range(most)] for most in separating.MOST.values())
    data = {
        "people": people,
        "days": days,
        "shifts": shifts,
        "demand": {d: dict.fromkeys(shifts, 1) for d in days},
        "rest": [[s, t] for t, s in itertools.combinations(shifts, 2)],
        "most": dict.fromkeys(people, 7),
        "off": {people[0]: days[:2]},
        "seniors": people[1:5],
    }
    found = grade_data(written(tmp_path, data))
    assert [one.marks for one in found[:2]] == [1, 1]
    assert found[-1].marks == 0


@pytest.mark.long
def test_a_class_draws_and_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student\nada\nbob\n")
    sheets = tmp_path / "sheets"
    assert main(["grade", "assign", "data", str(roster), "-o", str(sheets)]) == 0
    sheet = (sheets / "ada.md").read_text()
    words = re.findall(r"^\d\. `(.*)`$", sheet, re.MULTILINE)
    assert len(words) == 3
    assert set(words) <= WRONG.keys()
    right = next(d for d in every_data(smallest(words)) if told_by(d).issuperset(words))
    (tmp_path / "class").mkdir()
    (tmp_path / "class/ada.json").write_text(json.dumps(right))
    (tmp_path / "class/bob.json").write_text(STARTER.read_text())
    capsys.readouterr()
    given = ["--assigned", str(sheets / "assigned.csv"), "--format", "csv"]
    assert main(["grade", "data", str(tmp_path / "class"), *given]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[6] for line in lines[1:]] == ["10", "1"]


def test_the_models_of_the_page_are_those_that_are_marked(tmp_path: Path) -> None:
    page = STARTER.with_name("index.md").read_text()
    assert re.findall(r"^\d\. `(.*)`$", page, re.MULTILINE) == TASK["wrong"]
    path = next(one for one in write_solutions(tmp_path) if one.stem == "data-refute")
    assert sum(check.marks for check in checks_of("data", path)) == 10
    assert sum(check.marks for check in checks_of("data", STARTER)) == 1
