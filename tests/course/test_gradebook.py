"""Marks in the files of learning platforms: the cells of the marks are filled, and no other."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course.checks import Check
from calmip.course.classroom import Student
from calmip.course.exercises import SOLUTIONS
from calmip.course.grade import grade_folder
from calmip.course.gradebook import Gradebook, _rows

RIGHT = SOLUTIONS / "1-placements"
STARTER = Path(__file__).parents[2] / "docs" / "course" / "1-placements" / "starter.txt"

MOODLE = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be '
    'changed","Last modified (submission)","Last modified (grade)","Feedback comments"\r\n'
    '"Participant 501","Ana Adams",ana@uni.example,"Submitted for grading",,100.00,Yes,'
    '"Thursday, 26 November 2026, 9:12 AM",-,\r\n'
    '"Participant 502","Bob ""B."" Brown",bob@uni.example,"Submitted for grading",55.00,100.00,Yes,'
    '"Thursday, 26 November 2026, 9:13 AM",-,"an old\nremark"\r\n'
    '"Participant 503","Cy Cole",cy@uni.example,"No submission",,100.00,Yes,-,-,\r\n'
)
"""A grading worksheet, with the quotes and the ends of lines of the platform."""

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (123),Exercise 2 (124),Final Score\n"
    "    Points Possible,,,,,20.0,10.0,(read only)\n"
    '"Adams, Ana",9001,s001,ana,A,,7.5,71.0\n'
    '"Brown, Bob",9002,s002,bob,A,,,30.0\n'
    '"Student, Test",9009,,test,A,,,\n'
)


def parsed(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def changes(before: str, after: str) -> dict[tuple[int, int], str]:
    """Return the cells that changed, by row and column, as Python's own reader sees both."""
    old, new = parsed(before), parsed(after)
    assert [len(row) for row in old] == [len(row) for row in new]
    return {
        (r, c): cell for r, row in enumerate(new) for c, cell in enumerate(row) if cell != old[r][c]
    }


def handed_in(folder: Path, names: dict[str, Path]) -> Path:
    for name, source in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())
    return folder


def test_a_worksheet_of_moodle_gets_marks_and_comments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "worksheet.csv"
    sheet.write_bytes(MOODLE.encode())
    folder = handed_in(
        tmp_path / "class",
        {
            "Ana Adams_501_assignsubmission_file/a.txt": RIGHT,
            "Bob B. Brown_502_assignsubmission_file/list.txt": STARTER,
        },
    )
    assert main(["grade", "1", str(folder), "--into", str(sheet)]) == 1
    assert "worksheet.csv: 3 rows filled\n" in capsys.readouterr().err
    text = sheet.read_bytes().decode()
    found = changes(MOODLE, text)
    assert {place: found.pop(place) for place in ((1, 4), (2, 4), (3, 4))} == {
        (1, 4): "100",
        (2, 4): "20",
        (3, 4): "0",
    }
    assert found.keys() == {(1, 9), (2, 9), (3, 9)}
    assert found[1, 9] == "10 of 10 marks"
    assert found[2, 9].startswith("2 of 10 marks<br>0/4 all placements of I are there: 6 plac")
    assert "there is no file .txt of this student" in found[3, 9]
    assert text.startswith('\ufeffIdentifier,"Full name"')
    assert text.count("\r\n") == MOODLE.count("\r\n")


def test_a_gradebook_of_canvas_gets_marks_in_one_column(tmp_path: Path) -> None:
    book = tmp_path / "gradebook.csv"
    book.write_text(CANVAS)
    folder = handed_in(
        tmp_path / "class",
        {"adamsana_9001_77_mine.txt": RIGHT, "brownbob_LATE_9002_78_mine.txt": STARTER},
    )
    found = grade_folder("1", [folder], into=book, into_column="exercise 1 (123)")
    assert changes(CANVAS, book.read_text()) == {(2, 5): "20", (3, 5): "4"}
    assert found.notes == (f"{book}: 2 rows filled",)


def test_rows_are_found_by_a_roster_of_ones_own(tmp_path: Path) -> None:
    """In other languages the columns of a worksheet have other names."""
    sheet = tmp_path / "bewertung.csv"
    text = (
        "ID;Vollständiger Name;E-Mail-Adresse;Bewertung;Bestwertung\n"
        "Teilnehmer/in501;Ana Adams;ana@uni.example;;10,00\n"
        "Teilnehmer/in777;Zoe Zander;zoe@uni.example;;10,00\n"
    )
    sheet.write_text(text)
    roster = tmp_path / "roster.csv"
    roster.write_text("student,name,email\nana,Ana Adams,ana@uni.example\nbob,Bob,b@uni.example\n")
    folder = handed_in(tmp_path / "class", {"ana.json": SOLUTIONS / "4-relaxation"})
    found = grade_folder("4", [folder], roster=roster, into=sheet, into_column="Bewertung")
    assert sheet.read_text() == text.replace("ana@uni.example;;", "ana@uni.example;10;")
    assert found.notes == (f"{sheet}: 1 rows filled; without a row: bob",)


STUDENTS = [Student("ana"), Student("bob")]


def earned(marks: int, worth: int = 10) -> list[Check]:
    return [Check("a", marks), Check("b", worth - marks, 'a fault, "quoted" <b>')]


def filled(
    folder: Path, text: str, checks: Mapping[str, list[Check] | None], column: str | None = None
) -> str:
    path = folder / "book.csv"
    path.write_bytes(text.encode())
    Gradebook.read(path, STUDENTS, column).fill(checks)
    return path.read_bytes().decode()


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        ("100.00", "30"),
        ("10,00", "3"),
        ("5,50", '"1,65"'),
        ("(read only)", "3"),
        ("", "3"),
        ("7", "2.1"),
    ],
)
def test_marks_are_scaled_to_the_highest_grade(most: str, expected: str, tmp_path: Path) -> None:
    cell = f'"{most}"' if "," in most else most
    text = f"Identifier,Grade,Maximum Grade\nana,,{cell}\n"
    assert filled(tmp_path, text, {"ana": earned(3)}) == text.replace("ana,,", f"ana,{expected},")


def test_comments_are_text_in_a_page(tmp_path: Path) -> None:
    text = "Identifier,Grade,Feedback comments\nana,1,2\n"
    found = parsed(filled(tmp_path, text, {"ana": earned(3)}))
    assert found[1] == ["ana", "3", '3 of 10 marks<br>0/7 b: a fault, "quoted" &lt;b&gt;']


def test_marks_that_are_not_final_are_left_out(tmp_path: Path) -> None:
    text = "Identifier,Grade\nana,8\nbob,\n"
    checks = {"ana": None, "bob": earned(4)}
    assert filled(tmp_path, text, checks) == "Identifier,Grade\nana,8\nbob,4\n"
    told = Gradebook.read(tmp_path / "book.csv", STUDENTS).fill(checks)
    assert told.endswith("1 rows filled; not final: ana")


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", None, "choose a column"),
        (
            CANVAS,
            None,
            "choose a column; --into-column is one of Exercise 1 (123), Exercise 2 (124)",
        ),
        (CANVAS, "Exercise 3", "there is not one column 'Exercise 3'"),
        ("student,mark,Mark\nana,,\n", "mark", "there is not one column 'mark'"),
        ('Identifier,Grade\n"ana,3\n', None, "book.csv:2: is not CSV: a quoted cell does not end"),
        ("Identifier,Grade\nana,\nana,\n", None, "has two rows of ana"),
    ],
)
def test_what_is_no_gradebook_is_refused(
    text: str, column: str | None, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as error:
        filled(tmp_path, text, {"ana": earned(3)}, column)
    assert words in str(error.value)
    assert (tmp_path / "book.csv").read_bytes().decode() == text


def test_a_file_that_changed_meanwhile_is_not_filled(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("Identifier,Grade\nana,\n")
    book = Gradebook.read(path, STUDENTS)
    path.write_text("Identifier,Grade\nana,\nbob,\n")
    with pytest.raises(InputError, match="has changed since the marking began; nothing is filled"):
        book.fill({"ana": earned(3)})
    assert path.read_text() == "Identifier,Grade\nana,\nbob,\n"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="a gradebook is a CSV file in UTF-8"):
        Gradebook.read(path, STUDENTS)


def test_two_rows_of_one_student_are_found_before_anything_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, roster = tmp_path / "book.csv", tmp_path / "roster.csv"
    book.write_text("Email address,Grade\nana@uni.example,\nAna Adams,\n")
    roster.write_text("student,name,email\nana,Ana Adams,ana@uni.example\n")
    monkeypatch.setattr("calmip.course.grade.mark_all", lambda *_, **__: pytest.fail("marked"))
    with pytest.raises(InputError, match="has two rows of ana"):
        grade_folder("1", [RIGHT], roster=roster, into=book)


def test_of_a_shard_nothing_is_filled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The marks of the other shards are not known."""
    book = tmp_path / "book.csv"
    book.write_text("Identifier,Grade\nana,\nbob,\n")
    (tmp_path / "roster.csv").write_text("student\nana\nbob\n")
    folder = handed_in(tmp_path / "class", {"ana.txt": RIGHT, "bob.txt": STARTER})
    words = ["grade", "1", str(folder), "--roster", str(tmp_path / "roster.csv"), "--into"]
    assert main([*words, str(book), "--shard", "1/20", "-o", str(tmp_path / "1.csv")]) == 0
    assert "book.csv is filled when the other shards are marked, too\n" in capsys.readouterr().err
    assert book.read_text() == "Identifier,Grade\nana,\nbob,\n"


def test_an_option_without_its_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", "1", str(STARTER), "--into-column", "Grade"]) == 2
    assert "--into" in capsys.readouterr().err


CELLS = st.text(st.sampled_from('ab ,;"\n\u00e9=7'), max_size=6)
"""Of a line feed alone Python's writer does not quote a carriage return."""


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
)
def test_cells_are_those_of_pythons_reader(
    rows: list[list[str]], end: str, quoted: bool, marked: bool
) -> None:
    out = io.StringIO(newline="")
    how = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, lineterminator=end, quoting=how).writerows([["a", "b", "c"], *rows])
    text = ("\ufeff" if marked else "") + out.getvalue()
    found = _rows(Path("book.csv"), text)
    assert [[cell.text for cell in row] for row in found] == [["a", "b", "c"], *rows]
    for row in found:
        for cell in row:
            raw = text[cell.start : cell.end]
            assert raw in (cell.text, f'"{cell.text.replace(chr(34), chr(34) * 2)}"')
