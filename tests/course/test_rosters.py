"""Exercise 12: a fault is shown as people by days, and the objective's names the data set."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from calmip.course import references, rosters
from calmip.course.checks import Check
from calmip.course.class_marking import Book, Marked, _outcome, _plain
from calmip.course.grade import Marks
from calmip.course.references import ReferenceModels
from calmip.course.report import page, text
from calmip.course.rosters import MINE, ROSTERS, grade_roster, roster_model, roster_table

DATA = ROSTERS["three days"]
ROSTER = ("anna_mon_early", "ben_mon_late", "ben_tue_early", "cleo_tue_late", "cleo_wed_late")


def point(*names: str) -> dict[int, int]:
    columns = roster_model(DATA).columns
    return {columns.index(f"x_{name}"): 1 for name in names}


def test_a_roster_is_displayed_as_people_by_days_with_the_data() -> None:
    assert roster_table(DATA, point(*ROSTER)) == (
        ("", "mon", "tue", "wed", "shifts"),
        ("anna (senior)", "early", "-", "-", "1 of 3"),
        ("ben", "late", "early (off)", "-", "2 of 2"),
        ("cleo (senior)", "-", "late", "late", "2 of 3"),
        ("early", "1 of 1", "1 of 1", "0 of 2", ""),
        ("late", "1 of 1", "1 of 1", "1 of 1", ""),
    )
    halves = dict.fromkeys(point("anna_mon_early", "anna_mon_late"), Fraction(1, 2))
    assert roster_table(DATA, halves)[1] == (
        *("anna (senior)", "0.5 early 0.5 late", "-", "-", "1 of 3"),
    )


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Check, ...]:
    """Return the checks of a model whose columns stand in another order, without some rows."""
    wrong = json.loads(json.dumps(DATA)) | {"people": ["ben", "cleo", "anna"]}
    wrong["demand"]["mon"] = {"early": 0, "late": 2}
    reference = ReferenceModels(
        "roster", "", True, (("three days", [DATA]),), (roster_model(DATA),),
        table=lambda given, found: roster_table(given[0], found),
    )  # fmt: skip
    monkeypatch.setattr(references, "build_models", lambda *_: ([], [roster_model(wrong)], ""))
    path = tmp_path / "mine.py"
    path.write_text("")
    return reference.checks_of(path)[0]


def test_the_point_of_a_fault_is_a_table_in_every_form(marked: tuple[Check, ...]) -> None:
    _, solutions, objective = marked
    assert solutions.table[0] == ("", "mon", "tue", "wed", "shifts")
    # Whatever the order of the student's columns, the shifts are those of the words.
    days = dict(zip(solutions.table[0], zip(*solutions.table, strict=True), strict=True))
    said = {
        one.split(" ")[0] for one in solutions.fault.split(": ", 1)[1].split("; ")[0].split(", ")
    }
    shown = {
        f"x_{who.split(' ')[0]}_{day}_{shift}"
        for day in DATA["days"]
        for who, shift in zip(days[""][1:4], days[day][1:4], strict=True)
        if shift in DATA["shifts"]
    }
    assert shown == said
    assert not objective.table
    marks = Marks("12", "A roster", marked)
    assert f"       {solutions.board.splitlines()[1]}\n" in text(marks)
    assert f">{solutions.table[1][0]}<" in page(marks, "light")
    assert marks.describe()["checks"][1]["board"] == solutions.board


def test_a_journal_keeps_the_table(marked: tuple[Check, ...]) -> None:
    entry = json.loads(json.dumps(_plain(Marked(marked), "12", Book())))
    assert _outcome(entry, "12", Book()).checks == marked


@pytest.mark.parametrize(
    ("objectives", "fault", "undecided"),
    [
        ((Check("o", 1), Check("o", 1), Check("o", 1, "mine")), "", False),
        ((Check("o", 1), Check("o", 1, "wrong"), Check("o", 1)), "no rules: wrong", False),
        (
            (Check("o", 1, "late", undecided=True), Check("o", 1, "wrong"), Check("o", 1)),
            "no rules: wrong",
            False,
        ),
        (
            (Check("o", 1), Check("o", 1, "late", undecided=True), Check("o", 1)),
            "no rules: late",
            True,
        ),
    ],
)
def test_the_objective_is_refused_by_what_was_decided(
    objectives: tuple[Check, ...],
    fault: str,
    undecided: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    pairs = [check for one in objectives for check in (Check("s", 2), one)]
    found = (Check("build", 1), *pairs)
    monkeypatch.setattr(ReferenceModels, "checks_of", lambda *_: (found, ()))
    monkeypatch.setattr(rosters, "roster_model", lambda _: None)
    monkeypatch.setattr(rosters, "figure_checks", lambda *_: ())
    path = tmp_path / "mine.py"
    (*_, ranked) = grade_roster(path, task=ROSTERS[MINE])
    assert (ranked.fault, ranked.undecided) == (fault, undecided)


def test_a_file_that_builds_nothing_says_so_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = (Check("build", 1, "no"), *[Check("s", 2, "not checked")] * 6)
    monkeypatch.setattr(ReferenceModels, "checks_of", lambda *_: (found, ()))
    monkeypatch.setattr(rosters, "figure_checks", lambda *_: ())
    assert grade_roster(tmp_path / "mine.py")[-1].fault == "not checked"
