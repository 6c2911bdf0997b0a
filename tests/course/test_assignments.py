"""Every student has a puzzle of their own: it can be drawn again, solved, and not copied."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course import assignments
from calmip.course.assignments import FROM_ROSTER, assign, read_assigned, write_sheets
from calmip.course.classroom import read_roster
from calmip.course.exercises import SUFFIXES
from calmip.course.variants import DRAWN
from calmip.puzzle.cover import ExactCover, Placement
from calmip.puzzle.search.exact_cover.search import Search

STUDENTS = [f"s{number:03}" for number in range(20)]
MANY = [f"s{number:03}" for number in range(40)]


def answer(exercise: str, instance: calmip.Instance) -> str:
    """Return a right answer: a solution file of "CBC", or a list of placements."""
    cover = ExactCover(instance)
    if exercise == "6":
        chosen = next(iter(Search(cover, limit=1)))
        rows = (f"{n:7} {cover.option_names[n]}   1   0" for n in chosen)
        return "Optimal - objective value 0.00000000\n" + "\n".join(rows) + "\n"
    options = [cover.option(number) for number in range(cover.columns)]
    return "".join(
        f"{one.piece}: {' '.join(f'{row}{column}' for row, column in one.cells)}\n"
        for one in options
        if isinstance(one, Placement)
    )


@pytest.mark.parametrize(
    "roster",
    [
        pytest.param(STUDENTS, marks=pytest.mark.long, id="some"),
        pytest.param(MANY, marks=pytest.mark.slow, id="many"),
    ],
)
@pytest.mark.parametrize("exercise", DRAWN)
def test_what_is_drawn_depends_on_the_roster_only_and_is_nobody_elses(
    exercise: str, roster: list[str]
) -> None:
    found = assign(exercise, roster)
    assert list(found) == roster
    for number in (1, 4):  # further students at the end change nothing
        first = assign(exercise, roster[:number])
        assert list(first.items()) == list(found.items())[:number]
    likeness = {DRAWN[exercise].likeness(one.task) for one in found.values()}
    assert len(likeness) == len(roster)


def test_what_is_drawn_stays_so_in_further_versions() -> None:
    """A class may be marked by a later version than the one that wrote its sheets."""
    boards = [one.task.puzzle for one in assign("1", STUDENTS[:9]).values()]
    assert [puzzle.board.shape for puzzle in boards] == [
        (2, 4),
        (2, 4),
        (2, 3),
        (2, 4),
        (2, 4),
        (3, 3),
        (2, 4),
        (3, 3),
        (3, 3),
    ]
    assert ["/".join("".join(row) for row in puzzle.board.rows) for puzzle in boards[:2]] == [
        "abcd/efgh",
        "abcd/.efg",
    ]
    assert [one.source for one in assign("6", STUDENTS[:4]).values()] == [
        "jarringwords --reveal Jan,29",
        "jarringwords --reveal Oct,16",
        "crea-makerspace --reveal Nov,18",
        "jarringwords --reveal Jan,17",
    ]


@pytest.mark.long
@pytest.mark.parametrize("exercise", FROM_ROSTER)
def test_nobody_can_hand_in_what_somebody_else_has(exercise: str, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("name,student\n" + "".join(f"x,{one}\n" for one in STUDENTS[:4]))
    drawn = assign(exercise, STUDENTS[:4])
    suffix = SUFFIXES[exercise]
    for mine in drawn.values():
        text = answer(exercise, mine.task)
        for student in drawn:
            path = tmp_path / f"{student}{suffix}"
            path.write_text(text)
            marks = calmip.grade(exercise, path, roster=roster)
            assert marks.student == student
            assert (marks.marks == 10) == (student == mine.student), marks.describe()


def test_the_sheet_is_enough_to_work_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("roster.csv").write_text("student,name\nada,Ada\nbob,Bob\n")
    assert main(["grade", "assign", "6", "roster.csv", "-o", "sheets"]) == 0
    assert capsys.readouterr().out == "sheets/ada.md\nsheets/bob.md\nsheets/assigned.csv\n"
    sheet = Path("sheets/ada.md").read_text()
    (command,) = [line for line in sheet.splitlines() if line.startswith("calmip export")]
    assert main(command.split()[1:]) == 0
    assert Path("model.mps").stat().st_size > 0
    _, _, puzzle, _, date, *_ = command.split()
    Path("class/ada").mkdir(parents=True)
    Path("class/ada/answer.sol").write_text(answer("6", calmip.read_instance(puzzle, reveal=date)))
    Path("class/carl.sol").write_text("Optimal - objective value 0\n")
    Path("class/bob.sol").write_text(Path("class/ada/answer.sol").read_text())
    capsys.readouterr()
    assert main(["grade", "6", "class", "--roster", "roster.csv", "--format", "nbgrader"]) == 1
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    # carl is not on the roster: the file has a row without a name.
    assert {row["student_id"]: row["score"] for row in rows} == {
        "ada": "10",
        "bob": rows[1]["score"],
        "": "0",
    }
    assert int(rows[1]["score"]) < 10
    assert (
        main(["grade", "6", "class/ada/answer.sol", "--roster", "roster.csv", "--format", "json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["student"] == "ada"


def test_a_sheet_has_the_statement_if_that_is_chosen(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student\nada\n")
    sheets = {}
    for folder, more in (("short", []), ("whole", ["--statement"])):
        words = ["grade", "assign", "7", str(roster), "-o", str(tmp_path / folder), *more]
        assert main(words) == 0
        sheets[folder] = (tmp_path / folder / "ada.md").read_text()
    start, _, statement = sheets["whole"].partition("\n---\n\n")
    assert start == sheets["short"]
    assert statement.startswith("# 7. Duality")
    assert "](starter.json)" not in statement  # nothing else lies beside it


@pytest.mark.parametrize("exercise", [one for one, draw in DRAWN.items() if draw.data is not None])
def test_the_data_have_another_name_than_the_answer(exercise: str, tmp_path: Path) -> None:
    """A student who saves the answer beside the sheet keeps the data."""
    files = {path.name: path for path in write_sheets(exercise, ["ada"], tmp_path)}
    assert files["ada.md"].read_text().count("`ada-data.json`") == 1
    assert f"Hand in the file `ada{SUFFIXES[exercise]}`." in files["ada.md"].read_text()
    assert set(files) == {"ada.md", "ada-data.json", "assigned.csv"}


def test_the_sheet_of_a_board_draws_it(tmp_path: Path) -> None:
    path, _ = write_sheets("1", ["ada"], tmp_path)
    instance = assign("1", ["ada"])["ada"].task
    drawn = path.read_text().split("```text\n")[1].split("```")[0]
    cells = {f"{row}{column}" for row, column in instance.to_cover}
    assert cells == set(drawn.replace(".", " ").replace("#", " ").split()) - {"A", "B"}
    assert drawn.count("#") == len(cells)
    # A piece's name stands before its first row.
    _, *pieces = drawn.split("\n\n")
    assert [piece.split()[0] for piece in pieces] == [p.name for p in instance.puzzle.pieces]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "name\nada\n",
            ":1: a roster has a column named one of student, student_id, username, sid, id, email, "
            "email address; or export it from Canvas or Moodle, with SIS User ID or ID number; "
            "found name",
        ),
        ("student\nada\n../bob\n", ":3: '../bob' cannot be the name of a student's file"),
        ("student\nada\nAda\n", ":3: 'Ada' appears twice, as 'ada': capitals and ß are not told"),
        ("student\nWeiss\nWeiß\n", ":3: 'Weiß' appears twice, as 'Weiss': capitals and ß are"),
        ("student\nada\nada\n", ":3: 'ada' appears twice"),
        ("x,student\nada\n", ":2: '' cannot be the name"),
        ("student\n\n", "there is no student on this roster"),
    ],
)
def test_a_wrong_roster_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(InputError) as told:
        read_roster(path)
    assert words in str(told.value)


@pytest.mark.long
def test_wrong_calls_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id\nada\n")
    assert main(["grade", "assign", "2", str(roster), "-o", str(tmp_path)]) == 2
    assert (
        "exercise 2 is the same for all students; those that can be drawn for each are 1, 6, 7, 8, "
        "9, 10, 11, 12" in capsys.readouterr().err
    )
    assert main(["grade", "assign", "6", str(roster)]) == 2
    assert "-o DIR is missing" in capsys.readouterr().err
    with pytest.raises(InputError, match="not enough puzzles for 400 students"):
        assign("1", [f"s{number}" for number in range(400)])


@pytest.mark.long
def test_a_class_that_is_too_large_for_an_exercise_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A puzzle that another student has is not drawn, however few draws there are."""
    draw = replace(assignments._drawn("1"), likeness=lambda task: "the same")
    monkeypatch.setattr(assignments, "_drawn", lambda exercise: draw)
    assert assign("1", ["ada"]).keys() == {"ada"}
    with pytest.raises(InputError, match="exercise 1 has not enough puzzles for 2 students"):
        assign("1", ["ada", "bob"])


@pytest.mark.parametrize("exercise", ["1", pytest.param("6", marks=pytest.mark.long)])
def test_a_changed_roster_changes_nobodys_puzzle(exercise: str, tmp_path: Path) -> None:
    first = STUDENTS[:8]
    write_sheets(exercise, first, tmp_path)
    before = read_assigned(tmp_path / "assigned.csv", exercise)
    sheets = {path.name: path.read_text() for path in tmp_path.glob("*.md")}
    # One leaves, two come, and the order is another.
    now = ["zoe", *reversed(first[1:]), "abe"]
    write_sheets(exercise, now, tmp_path)
    after = read_assigned(tmp_path / "assigned.csv", exercise)
    assert {name: after[name].text for name in first} == {name: before[name].text for name in first}
    assert set(after) == {*first, "zoe", "abe"}
    assert {name: (tmp_path / name).read_text() for name in sheets} == sheets
    likeness = {DRAWN[exercise].likeness(one.task) for one in after.values()}
    assert len(likeness) == len(after)
    # Another term draws other puzzles.
    write_sheets(exercise, first, tmp_path / "next", term="2027")
    other = read_assigned(tmp_path / "next" / "assigned.csv", exercise)
    assert sum(other[name].text == before[name].text for name in first) < len(first) / 2


@pytest.mark.long
def test_marking_uses_the_table_of_the_sheets(tmp_path: Path) -> None:
    roster, sheets = tmp_path / "roster.csv", tmp_path / "sheets"
    roster.write_text("student\n" + "\n".join(STUDENTS[:60]) + "\n")
    calmip.course.grade.grade_assign("1", roster, sheets)
    drawn = read_assigned(sheets / "assigned.csv", "1")
    (tmp_path / "class").mkdir()
    for one in drawn.values():
        path = tmp_path / "class" / f"{one.student}.txt"
        path.write_text(answer("1", one.task))
    roster.write_text("student\n" + "\n".join(reversed(STUDENTS[7:60])) + "\n")
    kept = calmip.grade.folder(
        "1", [tmp_path / "class"], roster=roster, assigned=sheets / "assigned.csv"
    )
    assert {one.student: one.marks for one in kept.submissions} == {
        **dict.fromkeys(STUDENTS[7:60], 10),
        "": 0,
    }
    anew = calmip.grade.folder("1", [tmp_path / "class"], roster=roster)
    assert any(one.student and one.marks < 10 for one in anew.submissions)
    assert "with --assigned" in anew.notes[0]
    assert kept.notes == ()


def test_a_copied_answer_says_whose_puzzle_it_solves(tmp_path: Path) -> None:
    drawn = assign("1", STUDENTS[:5])
    write_sheets("1", STUDENTS[:5], tmp_path)
    path = tmp_path / "s003.txt"
    path.write_text(answer("1", drawn["s001"].task))
    marks = calmip.grade("1", path, assigned=tmp_path / "assigned.csv")
    assert marks.marks < 10
    assert marks.notes == ("it solves the puzzle of s001",)
    path.write_text(answer("1", drawn["s003"].task))
    assert calmip.grade("1", path, assigned=tmp_path / "assigned.csv").notes == ()


def test_a_wrong_table_is_refused(tmp_path: Path) -> None:
    write_sheets("1", ["ada", "bob"], tmp_path)
    table, roster, path = (tmp_path / name for name in ("assigned.csv", "roster.csv", "ada.txt"))
    path.write_text("nothing")
    roster.write_text("student\nada\ncarl\n")

    def fault(**given: Path) -> str:
        with pytest.raises(InputError) as told:
            calmip.grade("1", path, **given)
        return str(told.value)

    assert "has no puzzle of carl; draw it first: calmip grade assign 1" in fault(
        roster=roster, assigned=table
    )
    with pytest.raises(InputError, match="has the puzzles of exercise 1, not 6; use"):
        write_sheets("6", ["ada"], tmp_path)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], lines[1].replace("A=", "A=9")]))
    assert "assigned.csv:2: this line was changed" in fault(assigned=table)
    table.write_text("\n".join([lines[0], lines[1], lines[1]]))
    assert "'ada' appears twice" in fault(assigned=table)
    table.write_text("student,name\nada,Ada\n")
    assert "is not a table of calmip grade assign" in fault(assigned=table)
    with pytest.raises(InputError, match="exercise 2 is the same for all"):
        calmip.grade("2", path, assigned=table)


@pytest.mark.parametrize("spoilt", ["never fits", "is taken", "fits nowhere"])
def test_what_cannot_be_drawn_for_all_is_refused(
    spoilt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the numbers of a student the first counts that draws a task which nobody has yet."""
    seeds: list[int] = []

    def make(seed: int) -> tuple[int, str]:
        seeds.append(seed)
        if spoilt == "fits nowhere" and len(seeds) % 3:
            raise InputError("a piece fits nowhere")
        return (0 if spoilt == "is taken" else len(seeds)), str(len(seeds))

    draw = replace(
        DRAWN["1"],
        make=make,
        likeness=lambda task: task,
        fits=lambda task: spoilt != "never fits" or task < 2,
    )
    monkeypatch.setitem(DRAWN, "1", draw)
    monkeypatch.setattr(assignments, "MAX_DRAWS", 5)
    if spoilt == "fits nowhere":
        assert [one.text for one in assign("1", ["ada", "bob"]).values()] == ["3", "6"]
        return
    with pytest.raises(InputError, match="exercise 1 has not enough puzzles for 2 students"):
        assign("1", ["ada", "bob"])
    assert len(seeds) == len(set(seeds)) == 6


def test_a_table_may_have_empty_lines_and_is_csv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = replace(DRAWN["1"], make=lambda seed: (seed, f"text {seed}"))
    monkeypatch.setitem(DRAWN, "1", draw)
    path = tmp_path / "puzzles.csv"
    head = ",".join(assignments.COLUMNS)
    path.write_text(f"{head}\n\nada,1,7,text 7\n\n")
    (found,) = read_assigned(path, "1").values()
    assert (found.student, found.seed, found.text) == ("ada", 7, "text 7")
    monkeypatch.setattr(csv, "reader", lambda _: broken(assignments.COLUMNS))
    with pytest.raises(InputError, match="is not CSV: field larger"):
        read_assigned(path, "1")


class broken:  # noqa: N801 - in the place of a function
    """A reader of a table that breaks after some lines."""

    line_num = 2

    def __init__(self, *lines: object) -> None:
        self.lines = iter(lines)

    def __iter__(self) -> broken:
        return self

    def __next__(self) -> object:
        for line in self.lines:
            return line
        raise csv.Error("field larger than field limit (131072)")
