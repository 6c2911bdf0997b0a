"""Questions about a student's own model: every answer is right, by plain sums over all points."""

from __future__ import annotations

import itertools
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from calmip.cli import main
from calmip.course import viva
from calmip.course.checks import CASES
from calmip.course.exercises import SOLUTIONS, page_of
from calmip.course.rosters import ROSTERS, roster_model
from calmip.course.statements import pages
from calmip.course.viva import VivaQuestion, questions_of
from calmip.mip.model import Model, NamedRow
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover

INF = float("inf")
SMALL = Model.from_rows(
    ["a", "b", "c", "d", "e"],
    [
        ("r", {0: 1, 1: 1}, -INF, 1),
        ("s", {1: 2, 2: 3}, -INF, 4),
        ("t", {2: 1, 3: 1}, 1, INF),
        ("u", {3: 1, 4: -1}, 0, 0),
        ("v", {0: 1, 4: 1}, 1, 2),
        ("w", {0: 1, 1: 1, 2: 1, 3: 1, 4: 1}, -INF, 5),
    ],
)
"""Five rows that matter, and one that the bounds imply."""


ONE_ROW = """
import pulp


def build(data):
    problem = pulp.LpProblem("one", pulp.LpMinimize)
    x = [problem.add_variable(f"x{n}", cat="Binary") for n in range(2)]
    problem += x[0] + x[1]
    problem += x[0] + x[1] <= 1
    return problem
"""


def violated(model: Model, point: dict[int, Fraction]) -> set[str]:
    """Return the rows that a point violates."""
    found = set()
    for number, name in enumerate(model.rows):
        terms, low, high = model.exact_row(number)
        left = sum((value * point.get(column, 0) for column, value in terms.items()), Fraction(0))
        if not low <= left <= high:
            found.add(name)
    return found


def points(model: Model, text: str) -> list[dict[int, Fraction]]:
    """Return the points in a text, one in each line that ends in it."""
    found = []
    for line in text.split("\n"):
        values = re.findall(r"(\w+) = (\S+?)[,;]", line.partition("all others")[0])
        if "all others are 0" in line:
            found.append({model.columns.index(name): Fraction(value) for name, value in values})
    return found


def check(model: Model, questions: tuple[VivaQuestion, ...]) -> str:
    """Check all answers, and return the kind of the last."""
    first, second, third = questions
    (dropped,) = re.findall(r"^Without the row (\w+) \(", first.question)
    becomes = dict(zip("AB", points(model, first.question), strict=True))
    letter = first.answer[0]
    assert violated(model, becomes.pop(letter)) == {dropped}
    ((_, wrong),) = becomes.items()
    (other,) = re.findall(r"still violates the row (\w+) \(", first.answer)
    assert violated(model, wrong) == {other} != {dropped}
    (point,) = points(model, second.question)
    (row,) = re.findall(r"^It violates the row (\w+) \(", second.answer)
    assert violated(model, point) == {row}
    (row,) = re.findall(r"without the row (\w+) \(", third.question)
    if third.answer.startswith("Yes"):
        (point,) = points(model, third.answer.removesuffix("."))
        assert violated(model, point) == {row}
        return "yes"
    assert third.answer == "No. The other rows imply it, which is proved."
    if len(model.columns) < 10:
        for ones in itertools.product((0, 1), repeat=len(model.columns)):
            assert violated(model, {c: Fraction(one) for c, one in enumerate(ones)}) != {row}
    return "no"


def test_every_answer_is_right_for_a_model_that_is_enumerated() -> None:
    kinds, rows = set(), set()
    for seed in range(7):
        questions = questions_of(SMALL, random.Random(seed))
        kinds.add(check(SMALL, questions))
        rows |= set(re.findall(r"the row (\w) ", " ".join(one.question for one in questions)))
    assert kinds == {"yes", "no"}
    assert len(rows) >= 5


@pytest.mark.long
def test_every_answer_is_right_for_rosters() -> None:
    for data in ROSTERS.values():
        model = roster_model(data)
        check(model, questions_of(model, random.Random(3)))


def test_a_model_without_rows_that_matter_has_no_questions() -> None:
    rows = [("r", {0: 1, 1: 1}, -INF, 1), ("s", {0: 1, 1: 1}, -INF, 1), ("t", {0: 1}, -INF, 0)]
    assert questions_of(Model.from_rows(["a", "b"], rows), random.Random(1)) == ()


def check_variables(model: Model, questions: tuple[VivaQuestion, ...]) -> None:
    """Check the answers about a solution with one change, and about two variables."""
    first, second, third = questions
    (point,) = points(model, first.question)
    broken = violated(model, point)
    assert set(re.findall(r"the row (\w+) \(", first.answer)) == broken != set()
    assert first.answer.startswith(f"It violates {len(broken)}: ")
    one, other, given = re.findall(
        r"One of (\w+) and (\w+) has to be 0 if (\w+) is 1", second.question
    )[0]
    zero, row, free = re.findall(
        rf"^(\w+), by the row (\w+) \(.*\)\. (\w+) is in no row with {given}\.$", second.answer
    )[0]
    assert {zero, free} == {one, other}
    at = {name: model.columns.index(name) for name in (zero, free, given)}
    assert row in violated(model, {at[zero]: Fraction(1), at[given]: Fraction(1)})
    for terms in model.exact_rows():
        assert not {at[free], at[given]} <= terms.terms.keys()
    (row,) = re.findall(r"without the row (\w+) \(", third.question)
    if third.answer.startswith("Yes"):
        (point,) = points(model, third.answer.removesuffix("."))
        assert violated(model, point) == {row}
    else:
        rest = model.without_sides(model.rows.index(row))
        for tiling in OneTree(rest):
            assert violated(model, dict.fromkeys(tiling, Fraction(1))) == set()


def test_every_answer_is_right_for_tilings() -> None:
    """Most rows of their models are implied, so the questions are about variables."""
    for instance in (CASES[0], CASES[3], CASES[5]):
        cover = ExactCover(instance)
        names = [f"x{option}" for option in range(cover.columns)]
        rows: list[NamedRow] = [
            (f"r{number}", dict.fromkeys(members, 1.0), 1.0, 1.0)
            for number, members in enumerate(cover.options_of())
        ]
        model = Model.from_rows(names, rows)
        for seed in range(3):
            check_variables(model, questions_of(model, random.Random(seed)))


@pytest.mark.long
@pytest.mark.parametrize("exercise", viva.DATA)
def test_the_reference_is_asked_about_and_its_starter_is_named(
    exercise: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ada.py"
    path.write_bytes((SOLUTIONS / page_of(exercise)).read_bytes())
    assert main(["grade", "viva", exercise, str(path)]) == 0
    found = capsys.readouterr().out
    assert len(re.findall(r"^\d\. ", found, re.MULTILINE)) == 6
    path.write_bytes((pages() / page_of(exercise) / "starter.py").read_bytes())
    assert main(["grade", "viva", exercise, str(path)]) == 2
    assert "ada.py: is the unchanged starter; ask about a file" in capsys.readouterr().err


def test_what_is_not_decided_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """An inclusion that is not proved is no answer, nor is one that has no point."""

    class Undecided:
        point, holds, proved = None, True, False

    real = viva.include
    rows: list[int] = []

    def include(one: Model, other: Model, *more: object) -> object:
        (row,) = [n for n in range(6) if one.exact_row(n) != other.exact_row(n)]
        rows.append(row)
        return Undecided() if row == 5 else real(one, other, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(viva, "include", include)
    assert {check(SMALL, questions_of(SMALL, random.Random(seed))) for seed in range(4)} == {"yes"}
    assert 5 in rows


@pytest.mark.long
def test_the_command_asks_about_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ada.py"
    path.write_bytes((SOLUTIONS / "12-roster").read_bytes())
    words = ["grade", "viva", "12", str(path)]
    assert main(words) == 0
    text = capsys.readouterr().out
    title, asked, answers = re.split(r"\n\n(?=1\. Without|Answers\n)", text)
    assert title == "About ada.py: the model of exercise 12, the data set three days"
    assert re.findall(r"^(\d)\. ", asked, re.MULTILINE) == ["1", "2", "3"]
    assert re.findall(r"^(\d)\. ", answers, re.MULTILINE) == ["1", "2", "3"]
    assert main([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == str(path)
    assert [set(one) for one in found["questions"]] == [{"question", "answer"}] * 3
    assert all(one["question"] in text for one in found["questions"])  # the same again
    assert main([*words, "--term", "2027"]) == 0
    assert capsys.readouterr().out != text


@pytest.mark.parametrize(
    ("exercise", "text", "words"),
    [
        ("11", "", "there are no questions about exercise 11; use one of 2, 8, 9, 12"),
        pytest.param("12", "x = 1\n", "has no function build", marks=pytest.mark.long),
        pytest.param(
            "12",
            ONE_ROW,
            "too few rows that matter to ask about (1 in all); mark it with calmip grade 12 first",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_cannot_be_asked_is_said(
    exercise: str, text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ada.py"
    path.write_text(text)
    assert main(["grade", "viva", exercise, str(path)]) == 2
    assert words in capsys.readouterr().err
