"""The autograder's archive runs, and a fault of a submission gives no marks and a reason."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course.assignments import read_assigned, write_sheets
from calmip.course.autograder import RUN, archive, wheel
from calmip.course.checks import Check
from calmip.course.classroom import Student
from calmip.course.exercises import write_solutions
from calmip.course.gradescope import grade_submission

STARTER = Path(__file__).parents[2] / "docs" / "course" / "1-placements" / "starter.txt"


def test_the_wheel_has_the_package_and_its_record_is_true() -> None:
    packed = zipfile.ZipFile(io.BytesIO(wheel()))
    names = packed.namelist()
    for name in (
        "calmip/__init__.py",
        "calmip/puzzles/a-puzzle-a-day.yaml",
        "calmip/LICENSE",
        "calmip/course/solutions/2-pulp",
        "calmip/instances/feb29.yaml",
    ):
        assert any(one.startswith(name) for one in names), name
    assert not any("__pycache__" in name for name in names)
    (record,) = [name for name in names if name.endswith("/RECORD")]
    rows = list(csv.reader(packed.read(record).decode().splitlines()))
    assert [row[0] for row in rows] == names
    assert all(int(row[2]) == packed.getinfo(row[0]).file_size for row in rows[:-1])
    metadata = packed.read(record.replace("RECORD", "METADATA")).decode()
    assert f"Version: {calmip.__version__}\n" in metadata
    assert "Requires-Dist: pulp" in metadata
    assert "extra ==" not in metadata


@pytest.mark.long
def test_the_archive_depends_on_its_content_alone(tmp_path: Path) -> None:
    found = zipfile.ZipFile(io.BytesIO(archive("2", time_limit=30)))
    assert [one.filename for one in found.infolist()][:2] == ["setup.sh", "run_autograder"]
    for name in ("setup.sh", "run_autograder"):
        assert found.getinfo(name).external_attr >> 16 == 0o100755
        assert subprocess.run(["bash", "-n"], input=found.read(name), check=False).returncode == 0
    assert "--time-limit 30" in found.read("run_autograder").decode()
    assert archive("1") == archive("1")
    (tmp_path / "a.whl").write_bytes(b"x")
    more = zipfile.ZipFile(io.BytesIO(archive("1", wheels=[tmp_path / "a.whl"])))
    assert more.read("wheels/a.whl") == b"x"


@pytest.mark.long
def test_the_command_of_the_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "autograder.zip"
    assert main(["grade", "autograder", "2", "-o", str(out)]) == 0
    assert main(["grade", "autograder", "2"]) == 2
    assert "-o FILE is missing" in capsys.readouterr().err
    assert main(["grade", "autograder", "99", "-o", str(out)]) == 2
    assert main(["grade", "autograder", "2", "-o", str(tmp_path / "x.tar")]) == 2
    assert "the suffix .tar is not that of an autograder; use .zip" in capsys.readouterr().err
    (tmp_path / "none").mkdir()
    assert (
        main(["grade", "autograder", "2", "-o", str(out), "--wheels", str(tmp_path / "none")]) == 2
    )
    assert "has no wheels" in capsys.readouterr().err


def unpacked(base: Path, data: bytes) -> Path:
    """Lay out a machine of Gradescope: the archive, and calmip as setup.sh installs it."""
    source = base / "source"
    zipfile.ZipFile(io.BytesIO(data)).extractall(source)
    (found,) = source.glob("calmip-*.whl")
    zipfile.ZipFile(found).extractall(base / "site")
    python = base / "calmip" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return source / "run_autograder"


def run(script: Path, base: Path) -> tuple[int, dict[str, object]]:
    results = base / "results" / "results.json"
    results.unlink(missing_ok=True)
    environment = {**os.environ, "CALMIP_AUTOGRADER": str(base), "PYTHONPATH": str(base / "site")}
    ended = subprocess.run(["bash", str(script)], env=environment, cwd=base, check=False)
    return ended.returncode, json.loads(results.read_bytes()) if results.exists() else {}


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="Gradescope runs Linux")
def test_the_archive_marks_a_submission_from_its_own_wheel(tmp_path: Path) -> None:
    script = unpacked(tmp_path, archive("1"))
    folder = tmp_path / "submission"
    folder.mkdir()
    assert run(script, tmp_path)[0] == 0
    (folder / "mine.txt").write_bytes(STARTER.read_bytes())
    status, results = run(script, tmp_path)
    assert (status, results["score"]) == (0, 2)
    # A fault of the assignment is the autograder's, and gives no marks.
    script.write_text(script.read_text().replace("submission 1", "submission 77"))
    status, results = run(script, tmp_path)
    assert (status, results) == (2, {})


@pytest.mark.skipif(os.name == "nt", reason="Gradescope runs Linux")
@pytest.mark.parametrize(
    ("code", "kept"), [(0, True), (1, True), (2, False), (3, False), (4, False), (137, False)]
)
def test_only_decided_marks_are_left_for_gradescope(code: int, kept: bool, tmp_path: Path) -> None:
    python = tmp_path / "calmip" / "bin" / "python"
    python.parent.mkdir(parents=True)
    results = tmp_path / "results" / "results.json"
    python.write_text(f"#!/bin/sh\necho '{{}}' > {results}\nexit {code}\n")
    python.chmod(0o755)
    script = tmp_path / "run_autograder"
    script.write_text(RUN % {"exercise": "1", "more": ""})
    environment = {**os.environ, "CALMIP_AUTOGRADER": str(tmp_path)}
    ended = subprocess.run(["bash", str(script)], env=environment, check=False)
    assert (ended.returncode, results.exists()) == (0 if kept else code, kept)


def test_an_undecided_check_is_no_mark_of_other_tools() -> None:
    checks = (Check("a", 2), Check("b", 3, "the time was over", undecided=True))
    marks = calmip.course.grade.Marks("1", "x", checks, "ada.txt", "ada")
    from calmip.course import report as reports

    assert json.loads(reports.prairielearn(marks))["gradable"] is False
    assert json.loads(reports.dodona(marks))["status"] == "internal error"
    wrong = replace(marks, checks=(checks[0], replace(checks[1], undecided=False)))
    assert json.loads(reports.prairielearn(wrong))["gradable"] is True
    assert json.loads(reports.dodona(wrong))["status"] == "wrong"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="elsewhere not everybody may make links")
def test_a_fault_of_a_submission_gives_no_marks_and_a_reason(tmp_path: Path) -> None:
    def told(names: dict[str, bytes | None], exercise: str = "1") -> tuple[int, str]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, content in names.items():
            if content is None:
                os.mkfifo(folder / name)
            else:
                (folder / name).write_bytes(content)
        marks = grade_submission(exercise, folder)
        return marks.marks, marks.checks[0].fault

    right = STARTER.read_bytes()
    assert told({}) == (0, "there is no file .txt; hand in one")
    assert told({"x.py": right}) == (0, "there is no file .txt; hand in one")
    assert told({"a.txt": right, "b.txt": right}) == (
        0,
        "hand in one file .txt; found a.txt, b.txt",
    )
    assert told({"a.txt": right, "starter.txt": right}) == (2, "")
    assert told({"a.txt": None}) == (0, "a.txt: is not a regular file")
    assert told({"a.txt": b"x" * 70_000})[1].startswith("has more than 64,000 bytes")
    assert told({"a.txt": b"\xff\xfe\x00"})[0] == 0
    assert told({"a.txt": b""})[0] == 0
    assert told({".a.txt": right})[0] == 0
    (tmp_path / "l").mkdir()
    (tmp_path / "l" / "a.txt").symlink_to("/etc/passwd")
    marks = grade_submission("1", tmp_path / "l")
    assert (marks.marks, "is a link" in marks.checks[0].fault) == (0, True)


def test_a_file_alone_is_a_submission_too_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(STARTER.read_bytes())
    assert grade_submission("1", tmp_path / "source").marks == 2
    with pytest.raises(InputError, match="there is no such file or folder"):
        grade_submission("1", tmp_path / "nowhere")


def test_each_student_has_the_own_puzzle_on_gradescope(tmp_path: Path) -> None:
    from calmip.puzzle.render.reports import data

    write_sheets("1", ["s007", "s008"], tmp_path)
    drawn = read_assigned(tmp_path / "assigned.csv", "1")
    roster, metadata = tmp_path / "roster.csv", tmp_path / "metadata.json"
    roster.write_text("student,email\ns007,ana@x.edu\ns008,bob@x.edu\n")
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "a.txt").write_text(listed(drawn["s008"].task))
    tables = {"roster": roster, "assigned": tmp_path / "assigned.csv", "metadata": metadata}
    for email, student, full in (("bob@x.edu", "s008", True), ("ana@x.edu", "s007", False)):
        metadata.write_text(json.dumps({"users": [{"email": email, "id": 5}]}))
        marks = grade_submission("1", folder, **tables)
        assert (marks.student, marks.marks == 10) == (student, full)
    # The note that names another student is for the instructor only.
    assert marks.notes == ("it solves the puzzle of s008",)
    shown = (data(marks, form).decode() for form in ("gradescope", "prairielearn", "dodona"))
    assert not any("s008" in one for one in shown)
    metadata.write_text(json.dumps({"users": [{"email": "zoe@x.edu"}]}))
    with pytest.raises(InputError, match=r"there is no puzzle of zoe@x\.edu"):
        grade_submission("1", folder, **tables)
    metadata.write_text("[]")
    with pytest.raises(InputError, match="is not Gradescope"):
        grade_submission("1", folder, **tables)
    assert grade_submission("1", folder, student="S008", assigned=tables["assigned"]).marks == 10


def listed(task: object) -> str:
    """Return all placements of a drawn board, the right answer to exercise 1."""
    from calmip.puzzle.cover import ExactCover, Placement

    cover = ExactCover(task)  # type: ignore[arg-type]
    options = [cover.option(number) for number in range(cover.columns)]
    return "\n".join(
        f"{one.piece}: {' '.join(f'{r}{c}' for r, c in one.cells)}"
        for one in options
        if isinstance(one, Placement)
    )


def test_of_a_group_any_members_sheet_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Gradescope lists the users of a group submission: e-mail address, number and name."""
    write_sheets("1", ["ana", "bob", "cy"], tmp_path)
    drawn = read_assigned(tmp_path / "assigned.csv", "1")
    roster, metadata = tmp_path / "roster.csv", tmp_path / "submission_metadata.json"
    roster.write_text("student,email\nana,ana@x.edu\nbob,bob@x.edu\ncy,cy@x.edu\n")
    users = [
        {"email": f"{one}@x.edu", "id": number, "name": f"User {one}"}
        for number, one in enumerate(("ana", "bob"))
    ]
    metadata.write_text(json.dumps({"assignment": {"group_submission": True}, "users": users}))
    folder = tmp_path / "submission"
    folder.mkdir()
    words = ["grade", "submission", "1", str(folder), "--roster", str(roster)]
    words += ["--assigned", str(tmp_path / "assigned.csv"), "--metadata", str(metadata)]
    for whose, marks, sheet in (("bob", 10, "bob"), ("ana", 10, "ana"), ("cy", None, "")):
        (folder / "a.txt").write_text(listed(drawn[whose].task))
        main([*words, "--format", "gradescope"])
        found = json.loads(capsys.readouterr().out)
        assert (found["score"] == 10) is (marks == 10)
        assert f"(the sheet of {sheet}" in found["output"]
        main(words)
        assert f"marked by the sheet of {sheet}" in capsys.readouterr().out
    (folder / "a.txt").write_text(listed(drawn["bob"].task))
    main([*words, "--student", "ana"])
    assert "marked by the sheet" not in capsys.readouterr().out
    metadata.write_text(json.dumps({"users": users[:1]}))
    main([*words, "--format", "gradescope"])
    found = json.loads(capsys.readouterr().out)
    assert found["score"] < 10
    assert found["output"].endswith("(ana, a.txt)")


def test_the_line_for_prairielearn_works_where_no_folder_is_made(tmp_path: Path) -> None:
    """The grader's folders as its documentation lists them: results/ is not among them."""
    grade = tmp_path / "grade"
    for name in ("student", "data", "tests", "serverFilesCourse"):
        (grade / name).mkdir(parents=True)
    (grade / "data" / "data.json").write_text("{}")
    (grade / "student" / "cuts.json").write_text("{}")
    results = grade / "results" / "results.json"
    words = ["grade", "submission", "4", str(grade / "student"), "--format", "prairielearn"]
    assert main([*words, "-o", str(results)]) == 1
    found = json.loads(results.read_text())
    assert (found["gradable"], found["score"], found["format_errors"]) == (True, 0.0, [])
    (grade / "student" / "cuts.json").write_text("{,}")
    assert main([*words, "-o", str(results)]) == 1
    found = json.loads(results.read_text())
    assert found["gradable"] is False
    assert "the file is not JSON" in found["format_errors"][0]


@pytest.mark.parametrize(
    ("fault", "gradable"),
    [
        ("SyntaxError: expected ':' (answer.py, line 3)", False),
        ("IndentationError: unexpected indent (answer.py, line 3)", False),
        ("build failed: \"TypeError: 'int' object is not iterable\"", True),
    ],
)
def test_a_syntax_error_costs_no_attempt(fault: str, gradable: bool) -> None:
    from calmip.course import report as reports

    marks = calmip.course.grade.Marks("2", "x", (Check("build", 1, fault), Check("b", 9)))
    found = json.loads(reports.prairielearn(marks))
    assert (found["gradable"], found["format_errors"]) == (gradable, [fault] * (not gradable))


def test_prairielearn_gets_the_drawn_examples_as_images(tmp_path: Path) -> None:
    from calmip.course import report as reports

    path = tmp_path / "answer.txt"
    path.write_text("I: 00 01\n")
    found = json.loads(reports.prairielearn(calmip.grade("1", path)))
    images = [one.get("images", []) for one in found["tests"]]
    assert [len(some) for some in images] == [0, 0, 1, 1]
    label, url = images[2][0]["label"], images[2][0]["url"]
    assert label == found["tests"][2]["name"]
    kind, _, data = url.partition(",")
    assert kind == "data:image/svg+xml;base64"
    root = ElementTree.fromstring(base64.b64decode(data))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_nbgrader_gets_names_from_a_single_column() -> None:
    from calmip.course import report as reports

    def names(**who: str) -> tuple[str, str]:
        marks = calmip.course.grade.Marks("2", "x", (), person=Student("a", **who))
        (row,) = csv.DictReader(reports.nbgrader(marks).splitlines())
        return row["first_name"], row["last_name"]

    assert names(full="Ana Maria Adams") == ("Ana Maria", "Adams")
    assert names(full="Cher") == ("", "Cher")
    assert names(first="Bo", last="Li", full="Bo Li") == ("Bo", "Li")
    assert names() == ("", "")


RUNNER = {
    "CLASSROOM": "or-2026",
    "ASSIGNMENT": "exercise-1",
    "SUBMISSION_TAG": "submit/2026-11-20T09-30-00Z-a1b2c3d",
    "COMMIT_URL": "https://github.example/o/r/commit/a1b2c3d",
    "RELEASE_URL": "https://github.example/o/r/releases/tag/submit%2F1",
}
"""What the runner of Classroom 50 sets, by its documentation."""


def test_the_result_of_classroom50_has_the_keys_of_its_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "starter.txt").write_bytes(STARTER.read_bytes())
    (tmp_path / "README.md").write_text("# Mine")
    monkeypatch.chdir(tmp_path)
    words = ["grade", "submission", "1", ".", "--format", "classroom50", "-o", "result.json"]
    assert main(words) == 2
    assert "classroom50 is for the runner of Classroom 50, which sets CLASSROOM, ASSI" in (
        capsys.readouterr().err
    )
    for name, value in RUNNER.items():
        monkeypatch.setenv(name, value)
    assert main(words) == 1
    found = json.loads((tmp_path / "result.json").read_text())
    tests = found.pop("tests")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found.pop("datetime"))
    assert found == {
        "schema": "classroom50/result/v1",
        "classroom": "or-2026",
        "assignment": "exercise-1",
        "submission": RUNNER["SUBMISSION_TAG"],
        "commit": RUNNER["COMMIT_URL"],
        "release": RUNNER["RELEASE_URL"],
        "review": RUNNER["COMMIT_URL"],
        "score": 2,
        "max-score": 10,
    }
    assert [sum(one[key] for one in tests) for key in ("score", "max-score")] == [2, 10]
    assert all(one["passed"] is (one["score"] == one["max-score"]) for one in tests)
    monkeypatch.setenv("REVIEW_URL", "https://github.example/o/r/compare/1...2")
    main(words)
    assert json.loads((tmp_path / "result.json").read_text())["review"].endswith("1...2")


@pytest.mark.parametrize("right", [True, False])
def test_the_forms_of_other_tools(
    right: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_solutions(tmp_path)[0] if right else STARTER

    def form(name: str) -> dict[str, object]:
        main(["grade", "submission", "1", str(path), "--format", name])
        found = json.loads(capsys.readouterr().out)
        assert isinstance(found, dict)
        return found

    grader = form("prairielearn")
    assert grader["gradable"] is True
    assert grader["score"] == (1.0 if right else 0.2)
    tests = grader["tests"]
    assert isinstance(tests, list)
    assert sum(test["points"] for test in tests) == (10 if right else 2)
    assert sum(test["max_points"] for test in tests) == 10
    judge = form("dodona")
    assert (judge["accepted"], judge["status"]) == (right, "correct" if right else "wrong")
    (tab,) = judge["groups"]  # type: ignore[misc]
    assert tab["badgeCount"] == sum(not one["accepted"] for one in tab["groups"])  # type: ignore[index]
    for context in tab["groups"]:  # type: ignore[index]
        assert set(context) == {"accepted", "description", "messages"}
        for message in (context["description"], *context["messages"]):
            assert message["format"] in ("plain", "code")
            assert isinstance(message["description"], str)
    assert main(["grade", "1", str(tmp_path), "--format", "dodona"]) == 2
    assert "dodona takes the results of one submission" in capsys.readouterr().err
