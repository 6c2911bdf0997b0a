"""One call marks a class of 120: every mark has its student, and is right."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import cpu_seconds
from test_assignments import answer
from test_wrong_programs import PROGRAMS, STRICT_PULP

from calmip.cli import main
from calmip.course.assignments import read_assigned, write_sheets
from calmip.course.exercises import write_solutions

STUDENTS = [f"s{number:03}" for number in range(120)]

HOSTILE = {
    "s005": "while True:\n    pass\n",
    "s025": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "s045": "print('10 of 10 marks')\nopen('done', 'w').write('10')\nraise SystemExit(0)\n",
    "s065": "import os\nwhile True:\n    os.fork()\n",
    "s085": "file = open('big', 'wb')\nwhile True:\n    file.write(bytes(1 << 20))\n",
}
TWINS = ("s010", "s011")
MISSING = "s118"


def file_of(folder: Path, student: str, number: int, suffix: str) -> Path:
    """Return a file as a platform names it, or a student."""
    names = (
        f"{student}{suffix}",
        f"adams{student}_LATE_{7000 + number}_{number}_answer{suffix}",
        f"{student}/answer{suffix}",
        f"{student} (1){suffix}",
    )
    path = folder / names[number % 4]
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def write_roster(path: Path, students: list[str]) -> None:
    """Write an export of Canvas in another order than the names."""
    rows = [f'"Adams, {one}",{7000 + int(one[1:])},{one},{one}x' for one in students]
    random.Random(5).shuffle(rows)
    path.write_text("Student,ID,SIS User ID,SIS Login ID\n" + "\n".join(rows) + "\n")


def programs(reference: str) -> Iterator[tuple[str, int, str]]:
    """Yield programs with their marks and the first words of the fault, again and again."""
    wrong = [one for one in PROGRAMS if one.exercise == "2" and 0 < one.marks < 10]
    assert len(wrong) >= 15
    while True:
        for one in wrong[:20]:
            yield one.text(reference), one.marks, one.words
            yield reference, 10, ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the hostile programs are held on Linux")
def test_120_programs_are_marked_in_one_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = write_solutions(tmp_path / "solutions")[1].read_text()
    texts = programs(reference)
    expected: dict[str, tuple[int, str]] = {MISSING: (0, "there is no file")}
    for number, student in enumerate(STUDENTS):
        text, marks, words = next(texts)
        if student in TWINS:
            text, marks, words = reference, 10, ""
        elif student in HOSTILE:
            text, marks, words = HOSTILE[student], 0, ""
        if student != MISSING:
            own = "" if student in TWINS else f"# {student}\n"
            file_of(tmp_path / "class", student, number, ".py").write_text(own + text)
            expected[student] = marks, words
    (tmp_path / "class" / "s999.py").write_text(reference + "# who left\n")
    write_roster(tmp_path / "roster.csv", STUDENTS)
    out = tmp_path / "marks.csv"
    code = main(
        [
            "grade",
            "2",
            str(tmp_path / "class"),
            "--roster",
            str(tmp_path / "roster.csv"),
            "--workers",
            "2",
            "--time-limit",
            "20",
            "--feedback",
            str(tmp_path / "pages"),
            "--unprotected",
            "-o",
            str(out),
        ]
    )
    rows = list(csv.DictReader(out.read_text().splitlines()))
    # Where nothing protects it, the supervisor that s025 ends says nothing about s025.
    undecided = {row["student"] for row in rows if row["marks"] == "?"}
    assert undecided <= {"s025"}
    assert code == (4 if undecided else 1)
    assert sorted(row["student"] for row in rows) == sorted([*STUDENTS, ""])
    for row in rows:
        student = row["student"]
        if not student:
            assert (row["file"].endswith("s999.py"), row["marks"]) == (True, "0")
            continue
        marks, words = expected[student]
        if student in undecided:
            continue
        if STRICT_PULP and "PulpError" in row["faults"]:
            assert int(row["marks"]) <= marks
            continue
        assert (int(row["marks"]), words in row["faults"]) == (marks, True), row
        assert (student in row["file"]) == (student != MISSING)
        twin = {TWINS[0]: TWINS[1], TWINS[1]: TWINS[0]}.get(student)
        assert ("identical" in row["notes"]) == (twin is not None)
        assert twin is None or twin in row["notes"]
        assert ("LATE" in row["file"]) == ("Canvas marks it as late" in row["notes"])
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        f"{student}.{suffix}" for student in STUDENTS for suffix in ("html", "txt")
    }
    assert not (tmp_path / "marks.csv.part").exists()
    assert "121/121 " in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("exercise", ["1", "6"])
def test_120_drawn_puzzles_survive_a_changed_roster(exercise: str, tmp_path: Path) -> None:
    sheets, suffix = tmp_path / "sheets", {"1": ".txt", "6": ".sol"}[exercise]
    write_sheets(exercise, STUDENTS, sheets)
    drawn = read_assigned(sheets / "assigned.csv", exercise)
    for number, student in enumerate(STUDENTS):
        # Every tenth hands in the answer of the next one.
        whose = STUDENTS[number + 1] if number % 10 == 0 else student
        path = file_of(tmp_path / "class", student, number, suffix)
        path.write_text(answer(exercise, drawn[whose].task))
    left = STUDENTS[3:]
    write_roster(tmp_path / "roster.csv", [*left, "s200"])
    write_sheets(exercise, [*left[::-1], "s200"], sheets)
    out = tmp_path / "marks.csv"
    assert main(["grade", exercise, str(tmp_path / "class"), "--workers", "2", "-q",
                 "--roster", str(tmp_path / "roster.csv"),
                 "--assigned", str(sheets / "assigned.csv"), "-o", str(out)]) == 1  # fmt: skip
    rows = {
        row["student"]: row
        for row in csv.DictReader(out.read_text().splitlines())
        if row["student"]
    }
    assert set(rows) == {*left, "s200"}
    for number, student in enumerate(STUDENTS):
        if student not in left:
            continue
        row = rows[student]
        if number % 10 == 0:
            assert int(row["marks"]) < 10
            assert f"it solves the puzzle of {STUDENTS[number + 1]}" in row["notes"]
        else:
            assert row["marks"] == "10", row
    assert rows["s200"]["faults"] == f"there is no file {suffix} of this student"


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_after_ctrl_c_the_marking_goes_on(tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "marks.csv"
    folder.mkdir()
    write_solutions(tmp_path / "solutions")
    reference = (tmp_path / "solutions" / "5-no-good.py").read_text()
    for number in range(3):
        (folder / f"s{number}.py").write_text(f"{reference}\n# {number}\n")
    (folder / "s3.py").write_text("import time\ntime.sleep(6000)\n")
    command = [
        sys.executable,
        "-m",
        "calmip",
        "grade",
        "5",
        str(folder),
        "--unprotected",
        "--workers",
        "2",
        "--time-limit",
        "3000",
        "-o",
        str(out),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if line.startswith("3/4 "):
                process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    part = f"{out}.part"
    assert lines[-1] == (
        f"interrupted: 3 of 4 are done; partial results are in {part}; continue with --resume\n"
    )
    (folder / "s3.py").write_text("")
    assert main([*command[3:], "--resume"]) == 1
    rows = csv.DictReader(out.read_text().splitlines())
    assert [row["marks"] for row in rows] == ["10", "10", "10", "0"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the seconds of children are read there")
def test_a_program_of_exercise_2_takes_less_than_a_second(tmp_path: Path) -> None:
    reference = write_solutions(tmp_path / "solutions")[1].read_text()
    for number in range(12):
        (tmp_path / f"s{number}.py").write_text(f"{reference}\n# {number}\n")
    before = cpu_seconds()
    assert main(["grade", "2", *map(str, tmp_path.glob("*.py")), "-q", "--unprotected"]) == 0
    # 120 of them in 90 seconds on two workers: 1.5 seconds for each.
    assert (cpu_seconds() - before) / 12 < 1.0
