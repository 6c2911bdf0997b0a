"""A class of 120 goes through the layout of each platform and back: every mark has its student.

``pytest --slow -s`` prints the CPU seconds of each.
"""

from __future__ import annotations

import csv
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import cpu_seconds
from test_assignments import answer

from calmip.cli import main
from calmip.course.assignments import read_assigned, write_sheets
from calmip.course.exercises import SOLUTIONS
from calmip.course.grade import ClassMarks, grade_folder
from calmip.course.gradescope import grade_submission
from calmip.course.handouts import grade_notebook, grade_question

pytestmark = pytest.mark.slow

STUDENTS = [f"s{number:03}" for number in range(120)]
MISSING = "s118"

RIGHT = (SOLUTIONS / "4-relaxation").read_bytes()


def cuts_of(number: int) -> bytes:
    """Return an answer to exercise 4 of its own, every third without cuts."""
    found = json.loads(RIGHT)
    return json.dumps(found | {"cuts": []} if number % 3 == 0 else found).encode() + b" " * number


@pytest.fixture(autouse=True)
def _seconds(request: pytest.FixtureRequest) -> Iterator[None]:
    before = cpu_seconds()
    yield
    print(f"{request.node.name}: {cpu_seconds() - before:.1f} CPU s")


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def marked(found: ClassMarks) -> dict[str, int]:
    return {one.student: one.marks for one in found.submissions}


def test_120_go_through_moodle_and_back(tmp_path: Path) -> None:
    """The zip of all submissions in, the worksheet and a zip of feedback out."""
    folders = {one: f"{one.upper()} Adams_{500 + n}_" for n, one in enumerate(STUDENTS)}
    files = {
        f"{folder}assignsubmission_file/{'my cuts' if n % 2 else one}.json": cuts_of(n)
        for n, (one, folder) in enumerate(folders.items())
        if one != MISSING
    }
    path = zipped(tmp_path / "OR-Exercise 4-1234.zip", files)
    sheet, pages = tmp_path / "worksheet.csv", tmp_path / "feedback.zip"
    head = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\r\n"
    rows = [
        f"Participant {500 + n},{one.upper()} Adams,{one}@x.edu,Submitted,,100.00,\r\n"
        for n, one in enumerate(STUDENTS)
    ]
    random.Random(7).shuffle(rows)
    sheet.write_text(head + "".join(rows), newline="")
    found = grade_folder("4", [path], into=sheet, feedback=pages)
    marks = marked(found)
    assert found.notes == (f"{sheet}: 120 rows filled",)
    assert set(marks.values()) == {0, 10, marks["s000@x.edu"]}
    assert marks[f"{MISSING}@x.edu"] == 0
    filled = list(csv.DictReader(sheet.read_text().splitlines()))
    assert {row["Email address"]: int(row["Grade"]) for row in filled} == {
        one: 10 * earned for one, earned in marks.items()
    }
    assert [row["Email address"] for row in filled] == [row.split(",")[2] for row in rows]
    with zipfile.ZipFile(pages) as archive:
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {
            f"{folder}assignsubmission_file" for folder in folders.values()
        }
        for n, folder in enumerate(folders.values()):
            text = archive.read(f"{folder}assignsubmission_file/exercise-4.txt").decode()
            assert f"{marks[f'{STUDENTS[n]}@x.edu']} of 10 marks" in text


def test_120_go_through_canvas_and_back(tmp_path: Path) -> None:
    files = {}
    for n, one in enumerate(STUDENTS):
        late, again = "LATE_" * (n % 7 == 0), "-1" * (n % 5 == 0)
        if one != MISSING:
            files[f"adams{one}_{late}{7000 + n}_{n}_cuts{again}.json"] = cuts_of(n)
    path = zipped(tmp_path / "submissions.zip", files)
    book = tmp_path / "gradebook.csv"
    rows = [
        f'"Adams, {one}",{7000 + n},{one},{one}x,OR,{n % 10}.5,,{n}.0\n'
        for n, one in enumerate(STUDENTS)
    ]
    head = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 3 (122),Exercise 4 (123),Total\n"
        "    Points Possible,,,,,10.0,20.0,(read only)\n"
    )
    book.write_text(head + "".join(rows))
    found = grade_folder("4", [path], into=book, into_column="Exercise 4 (123)")
    marks = marked(found)
    assert sorted(marks) == STUDENTS
    assert found.notes == (f"{book}: 120 rows filled",)
    assert book.read_text() == head + "".join(
        row.replace(",,", f",{2 * marks[one]},") for one, row in zip(STUDENTS, rows, strict=True)
    )
    assert sum("Canvas marks it as late" in one.notes for one in found.submissions) == 18


def test_120_notebooks_go_through_nbgraders_folders(tmp_path: Path) -> None:
    """Each is the assignment's notebook with an answer in its cell, and another cell."""
    grade_notebook("5", tmp_path / "exercise-5.ipynb")
    text = (SOLUTIONS / "5-no-good").read_text()
    wrong = text.replace("len(tiling) - 1", "len(tiling)")
    assert wrong != text
    for n, one in enumerate(STUDENTS):
        found = json.loads((tmp_path / "exercise-5.ipynb").read_bytes())
        (answer,) = [cell for cell in found["cells"] if cell["id"] == "answer"]
        answer["source"] = f"# {one}\n{wrong if n % 3 == 0 else text}"
        found["cells"].append({**answer, "id": "mine", "source": "raise SystemExit"})
        path = tmp_path / "submitted" / one / "exercise-5" / "exercise-5.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(found))
    (tmp_path / "nbgrader_config.py").touch()
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "id,first_name,last_name,email\n" + "".join(f"{one},A,{one},\n" for one in STUDENTS)
    )
    out = tmp_path / "grades.csv"
    words = ["grade", "5", str(tmp_path / "submitted"), "--roster", str(roster), "--unprotected"]
    assert main([*words, "--workers", "2", "-q", "--format", "nbgrader", "-o", str(out)]) == 1
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["student_id"] for row in rows] == STUDENTS
    assert {row["last_name"] for row in rows} == {*STUDENTS}
    scores = [float(row["score"]) for row in rows]
    assert all((score == 10) is (n % 3 != 0) for n, score in enumerate(scores))


def test_120_drawn_answers_go_through_gradescope_in_groups(tmp_path: Path) -> None:
    """Sixty groups of two answer the sheet of either; Gradescope runs one program for each."""
    write_sheets("1", STUDENTS, tmp_path)
    drawn = read_assigned(tmp_path / "assigned.csv", "1")
    roster, metadata = tmp_path / "roster.csv", tmp_path / "submission_metadata.json"
    roster.write_text("student,email\n" + "".join(f"{one},{one}@x.edu\n" for one in STUDENTS))
    tables = {"roster": roster, "assigned": tmp_path / "assigned.csv", "metadata": metadata}
    folder = tmp_path / "submission"
    folder.mkdir()
    for n in range(0, 120, 2):
        pair = STUDENTS[n : n + 2]
        whose = pair[n // 2 % 2]
        users = [{"email": f"{one}@x.edu", "id": 1, "name": f"User {one}"} for one in pair]
        metadata.write_text(json.dumps({"users": users}))
        (folder / "answer.txt").write_text(answer("1", drawn[whose].task))
        marks = grade_submission("1", folder, **tables)
        assert (marks.marks, marks.student, marks.sheet) == (10, whose, whose)


def test_120_variants_go_through_prairielearn(tmp_path: Path) -> None:
    """The server draws a variant for each seed; the job has it, the answer and the table."""
    grade_question("1", tmp_path / "question")
    drawn = read_assigned(tmp_path / "question" / "tests" / "assigned.csv", "1")
    names: dict[str, Any] = {}
    exec((tmp_path / "question" / "server.py").read_text(), names)
    seen: set[str] = set()
    for seed in range(120):
        data: dict[str, Any] = {
            "params": {},
            "variant_seed": str(seed),
            "options": {"question_path": str(tmp_path / "question")},
        }
        names["generate"](data)
        variant = data["params"]["variant"]
        seen.add(variant)
        job = tmp_path / "jobs" / str(seed)
        (job / "student").mkdir(parents=True)
        whose = "variant-1" if seed % 4 == 0 else variant
        (job / "student" / "answer.txt").write_text(answer("1", drawn[whose].task))
        results = job / "results" / "results.json"
        words = ["grade", "submission", "1", str(job / "student"), "--time-limit", "20"]
        words += ["-q", "--assigned", str(tmp_path / "question" / "tests" / "assigned.csv")]
        main([*words, "--student", variant, "--format", "prairielearn", "-o", str(results)])
        found = json.loads(results.read_text())
        assert found["gradable"] is True
        assert (found["score"] == 1.0) is (whose == variant)
    assert len(seen) > 20
