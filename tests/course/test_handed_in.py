"""What learning platforms give: an archive of a class as it is, and notebooks."""

from __future__ import annotations

import json
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course.archives import read_member
from calmip.course.classroom import find_submissions
from calmip.course.exercises import FUNCTIONS, SOLUTIONS, read_submission
from calmip.course.notebooks import program_of

RIGHT = SOLUTIONS / "1-placements"
STARTER = Path(__file__).parents[2] / "docs" / "course" / "1-placements" / "starter.txt"


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (2026, 11, 20, 9, 30, 0))
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return path


MOODLE = {
    "Ana Adams_501_assignsubmission_file/cuts.json": (SOLUTIONS / "4-relaxation").read_bytes(),
    "Bob Brown_502_assignsubmission_file/a.json": b"{}",
    "Bob Brown_502_assignsubmission_onlinetext/onlinetext.html": b"<p>see file</p>",
    "__MACOSX/Ana Adams_501_assignsubmission_file/._cuts.json": b"\0",
    "../outside.json": b"{}",
}
"""What *Download all submissions* of Moodle gives, packed again on a Mac, and a hostile path."""

CANVAS = {
    "adamsana_9001_77_list.txt": RIGHT.read_bytes(),
    "brownbob_LATE_9002_78_list-1.txt": STARTER.read_bytes(),
}


def test_the_archive_of_moodle_is_marked_as_it_is(tmp_path: Path) -> None:
    path = packed(tmp_path / "PROG-Exercise 1-77.zip", MOODLE)
    roster = tmp_path / "worksheet.csv"
    roster.write_text(
        "Identifier,Full name,Email address\nParticipant 501,Ana Adams,ana@x.edu\n"
        "Participant 502,Bob Brown,bob@x.edu\nParticipant 503,Cy Cole,cy@x.edu\n"
    )
    found = calmip.grade.folder("4", [path], roster=roster, deadline="2026-11-20T09:00")
    rows = {one.student: one for one in found.submissions}
    assert {name: one.marks for name, one in rows.items()} == {
        "ana@x.edu": 10,
        "bob@x.edu": 0,
        "cy@x.edu": 0,
    }
    assert rows["ana@x.edu"].file == str(path / "Ana Adams_501_assignsubmission_file" / "cuts.json")
    assert rows["ana@x.edu"].time == datetime(2026, 11, 20, 9, 30).astimezone()
    assert rows["ana@x.edu"].late == 1800
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, roster.name]


def test_the_archive_of_canvas_names_the_students_without_a_roster(tmp_path: Path) -> None:
    found = find_submissions([packed(tmp_path / "submissions.zip", CANVAS)], ".txt")
    assert [(one.student, one.notes) for one in found] == [
        ("adamsana", ()),
        ("brownbob", ("Canvas marks it as late",)),
    ]


def test_a_marking_of_an_archive_continues(tmp_path: Path) -> None:
    path = packed(tmp_path / "class.zip", {"ana.txt": RIGHT.read_bytes(), "bob.txt": b"nothing"})
    journal = tmp_path / "journal"
    first = calmip.grade.folder("1", [path], journal=journal)
    lines = journal.read_text().splitlines()
    assert len(lines) == 3
    packed(path, {"ana.txt": RIGHT.read_bytes(), "bob.txt": STARTER.read_bytes()})
    again = calmip.grade.folder("1", [path], journal=journal, resume=True)
    assert [one.marks for one in (*first.submissions, *again.submissions)] == [10, 0, 10, 2]
    assert len(journal.read_text().splitlines()) == 4  # ana's is not marked again


@pytest.mark.long
def test_what_is_wrong_with_an_archive_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(b"no archive")
    assert main(["grade", "1", str(path)]) == 2
    assert "class.zip: is not a zip archive" in capsys.readouterr().err
    large = packed(path, {"ana.txt": b"x" * 70_000, "bob.txt": RIGHT.read_bytes()})
    rows = calmip.grade.folder("1", [large]).submissions
    assert "has more than 64,000 bytes" in rows[0].checks[0].fault
    assert rows[1].marks == 10
    data = bytearray(large.read_bytes())
    data[37:47] = b"\xff" * 10
    large.write_bytes(data)
    assert "cannot be read" in calmip.grade.folder("1", [large]).submissions[0].checks[0].fault
    with pytest.raises(InputError, match="there is no such file to grade"):
        read_submission(large / "zoe.txt", 100)
    assert read_member(tmp_path / "ana.txt", 100) is None
    assert main(["grade", "2", str(large)]) == 2
    assert "there is no file .py or .ipynb to grade" in capsys.readouterr().err


WORKSHEET = (
    "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n"
    "Participant 501,Ana Adams,ana@x.edu,,10.00,\n"
    "Participant 502,Bob_B Brown,bob@x.edu,,10.00,\n"
    "Participant 503,Cy Cole,cy@x.edu,,10.00,\n"
)


def imported(path: Path, participants: set[int]) -> dict[int, list[str]]:
    """Return the files of each participant, found as Moodle's importer of feedback finds them.

    It looks for a part of the path with a number after its first underscore, and the type and the
    name of a plug-in after that; what is left is the file.
    """
    found: dict[int, list[str]] = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            first, *rest = name.split("/")
            _, number, kind, plugin = first.split("_", 4)[:4]
            assert (kind, plugin) == ("assignsubmission", "file")
            assert int(number) in participants
            found.setdefault(int(number), []).append("/".join(rest))
    return found


def test_the_pages_go_back_to_moodle_as_a_zip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worksheet, pages = tmp_path / "worksheet.csv", tmp_path / "pages.zip"
    worksheet.write_text(WORKSHEET)
    path = packed(tmp_path / "class.zip", MOODLE)
    words = ["grade", "4", str(path), "--into", str(worksheet), "--feedback", str(pages)]
    assert main(words) == 1
    files = ["exercise-4.html", "exercise-4.txt"]
    assert imported(pages, {501, 502, 503}) == {501: files, 502: files, 503: files}
    with zipfile.ZipFile(pages) as archive:
        text = archive.read("Ana Adams_501_assignsubmission_file/exercise-4.txt").decode()
        page = archive.read("Bob B Brown_502_assignsubmission_file/exercise-4.html").decode()
    assert text.startswith("Ana Adams (ana@x.edu)\n")
    assert "10 of 10 marks" in text
    assert "Bob_B Brown (bob@x.edu): 0 of 10 marks" in page
    assert 'href="https://calmip.github.io/calmip/course/4-relaxation/index.html"' in page
    first = pages.read_bytes()
    worksheet.write_text(WORKSHEET)
    main(words)
    assert pages.read_bytes() == first
    capsys.readouterr()
    worksheet.write_text("student,Grade\nana,\n")
    assert main([*words[:3], "--roster", str(worksheet), "--feedback", str(pages)]) == 2
    assert "pages.zip: a zip of pages is for Moodle" in capsys.readouterr().err
    assert pages.read_bytes() == first


def test_a_zip_of_pages_that_cannot_be_written_ends_no_marking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, _: bytes) -> None:
        raise InputError("cannot be written: No space left on device", path=path)

    worksheet, pages = tmp_path / "worksheet.csv", tmp_path / "pages.zip"
    worksheet.write_text(WORKSHEET)
    monkeypatch.setattr("calmip.course.class_marking.write_atomically", write)
    path = packed(tmp_path / "class.zip", MOODLE)
    found = calmip.grade.folder("4", [path], roster=worksheet, feedback=pages)
    assert [one.marks for one in found.submissions] == [10, 0, 0]
    assert found.notes == (f"{pages}: cannot be written: No space left on device",)
    assert found.unfinished


def test_an_interrupted_marking_leaves_no_zip_and_resumes_with_all_pages(tmp_path: Path) -> None:
    worksheet, pages = tmp_path / "worksheet.csv", tmp_path / "pages.zip"
    worksheet.write_text(WORKSHEET)
    path, journal = packed(tmp_path / "class.zip", MOODLE), tmp_path / "marks.csv.part"

    def interrupt(progress: object) -> None:
        if getattr(progress, "done", 0) == 2:
            raise KeyboardInterrupt

    how = {"roster": worksheet, "feedback": pages, "journal": journal}
    with pytest.raises(KeyboardInterrupt):
        calmip.grade.folder("4", [path], progress=interrupt, **how)
    assert not pages.exists()
    calmip.grade.folder("4", [path], resume=True, **how)
    files = ["exercise-4.html", "exercise-4.txt"]
    assert imported(pages, {501, 502, 503}) == {501: files, 502: files, 503: files}
    whole = pages.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        calmip.grade.folder("4", [path], progress=interrupt, **how)
    assert pages.read_bytes() == whole


def notebook(*cells: str, text: str = "") -> bytes:
    codes = [
        {"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": 1}
        for cell in cells
    ]
    words = {"cell_type": "markdown", "source": ["# Mine\n", text], "metadata": {}}
    return json.dumps(
        {"cells": [words, *codes], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


def test_of_a_notebook_the_cell_that_defines_the_function_is_the_program() -> None:
    cells = (
        "import os; os.abort()",
        "def build(data):\n    return 1\n",
        "%matplotlib inline\nimport pulp\n\ndef build(data):\n    return 2\n!rm -r /\n",
        'FIGURES = {\n  "least": 7,\n}\nprint("not run")',
        "assert build({}) == 2\ndef builder(): ...",
    )
    text = program_of(notebook(*cells, text="def build(data): ..."), ("build",))
    assert text == (
        '\nimport pulp\n\ndef build(data):\n    return 2\n\n\nFIGURES = {\n  "least": 7,\n}'
    )
    lines = [line + "\n" for line in cells[1].splitlines()]  # as Jupyter keeps them
    assert program_of(notebook(lines), ("build",)) == cells[1]  # type: ignore[arg-type]
    own = 'FIGURES = {"a": 1}\ndef build(): ...'
    assert program_of(notebook(own, 'FIGURES = {"a": 2}'), ("build",)) == own
    parts = ["def no_good_cut(t): ...", "x = 1", "def enumerate_all(s): ..."]
    assert program_of(notebook(*parts), FUNCTIONS["5"]) == f"{parts[0]}\n{parts[2]}"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "is not a notebook of Jupyter, format 4"),
        (b"[" * 100_000, "is not a notebook"),
        (b'{"worksheets": []}', "is not a notebook"),
        (b'{"cells": [{"cell_type": "code"}]}', "is not a notebook"),
        (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "is not a notebook"),
        (b'{"cells": 3}', "is not a notebook"),
        (notebook("x = 1"), "no cell defines build; write it in one cell, with its imports"),
    ],
)
def test_what_is_no_notebook_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        program_of(data, ("build",))


@pytest.mark.long
def test_notebooks_are_marked_as_programs_are(tmp_path: Path) -> None:
    """nbgrader keeps them in its tree; the rest of a notebook does not run."""
    program = (SOLUTIONS / "2-pulp").read_text()
    folder = tmp_path / "submitted"
    for name, data in {
        "ana": notebook(program, "import os; os.abort()"),
        "bob": notebook("x = 1"),
        "cy": notebook(program.replace("import pulp", "")),
    }.items():
        path = folder / name / "exercise-2" / "exercise-2.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    rows = calmip.grade.folder("2", [folder], unprotected=True).submissions
    assert [(one.student, one.marks) for one in rows] == [("ana", 10), ("bob", 0), ("cy", 0)]
    assert "no cell defines build" in rows[1].checks[0].fault
    assert "NameError" in rows[2].checks[0].fault
