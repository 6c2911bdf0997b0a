"""A class is marked whatever lies in its folder, and a fault of this machine gives no marks."""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from processes import assert_gone

import calmip
from calmip import InputError
from calmip._base.errors import SolverFailed
from calmip.cli import main
from calmip.course import exercises, sandbox
from calmip.course.checks import Check
from calmip.course.exercises import EXERCISES, MAX_BYTES, SUFFIXES, write_solutions
from calmip.course.grade import ClassMarks, Marks, grade, grade_folder
from calmip.course.sandbox import Protection
from calmip.mip.status import Status

LINK = "is a link, which is not followed"


def stated(text: str) -> set[str]:
    """Return the exercises that a module's first line says it marks."""
    line = text.removeprefix('"""').partition("\n")[0]
    found = re.match(r"Exercises? ((?:, | and |[a-z]+|\d+)+): ", line)
    return set(re.findall(r"\w+", found[1])) - {"and"} if found else set()


def test_the_first_line_of_a_module_names_the_exercises_that_it_marks() -> None:
    marked: dict[str, set[str]] = {}
    for name, one in exercises._TABLE.items():
        function = getattr(one.marker, "func", one.marker)
        marked.setdefault(function.__module__.rpartition(".")[2], set()).add(name)
    folder = Path(exercises.__file__).parent
    claimed = {path.stem: stated(path.read_text(encoding="utf-8")) for path in folder.glob("*.py")}
    assert {name: numbers for name, numbers in claimed.items() if numbers} == marked
    assert stated('"""Exercises 1, 4 and 16: a list\n2') == {"1", "4", "16"}
    assert not stated('"""Exercises are marked: 1.\n')


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    written = write_solutions(tmp_path_factory.mktemp("solutions"))
    return {path.name.partition("-")[0]: path for path in written}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run programs as on a machine where nothing protects it from them."""
    monkeypatch.setattr(sandbox, "protection", lambda job: Protection())
    monkeypatch.setattr("calmip.course.exercises.protection", lambda job: Protection())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="elsewhere not everybody may make links")
@pytest.mark.parametrize("trouble", [(), ("no room",)])
def test_a_class_is_marked_if_the_machine_marked_all(trouble: tuple[str, ...]) -> None:
    one = Marks("6", "title", (Check("it holds", 2), Check("so does this", 1)))
    wrong, open_ = (
        replace(one, checks=(Check("it holds", 2, "no", undecided=undecided), one.checks[1]))
        for undecided in (False, True)
    )
    failed = replace(one, failed=True)
    words = {
        Status.ACCEPTED: one,
        Status.UNKNOWN: open_,
        Status.REFUSED: wrong,
        Status.FAILED: failed,
    }
    assert [each.status for each in words.values()] == list(words)
    for some in itertools.product(words, repeat=3):
        found = ClassMarks("6", "title", tuple(map(words.__getitem__, some)), trouble=trouble)
        unfinished = bool(trouble) or Status.FAILED in some
        order = (Status.REFUSED, Status.UNKNOWN, Status.ACCEPTED)
        worst = next((word for word in order if word in some), None)
        assert found.unfinished is unfinished
        assert found.status is (Status.FAILED if unfinished else worst)


def test_what_is_passed_over_has_a_row(solutions: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "class"
    (folder / "ada").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "folder.txt").mkdir()
    right = solutions["1"].read_bytes()
    (folder / "ada" / "mine.txt").write_bytes(right)
    (folder / ".hidden" / "not.txt").write_bytes(right)
    (folder / "bob.txt").symlink_to(folder / "ada" / "mine.txt")
    (folder / "carl").symlink_to(folder / "ada")
    (folder / "circle").symlink_to("circle")
    (folder / "notes.md").symlink_to("nowhere")
    (folder / "dora.txt").symlink_to("dora.txt")
    os.mkfifo(folder / "pipe.txt")
    found = grade_folder("1", [folder])
    rows = {Path(one.file).name: (one.marks, one.checks[0].fault) for one in found.submissions}
    assert rows.pop("mine.txt")[0] == 10
    assert rows.pop("pipe.txt") == (0, "is not a regular file")
    assert set(rows) == {"bob.txt", "carl", "dora.txt"}
    assert all(marks == 0 and fault.startswith(LINK) for marks, fault in rows.values())


@pytest.mark.long
def test_a_folder_too_deep_to_be_read_has_a_row(solutions: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "mine.txt").write_bytes(solutions["1"].read_bytes())
    before = Path.cwd()
    os.chdir(tmp_path / "class")
    try:
        for _ in range(2500):
            os.mkdir("d")  # noqa: PTH102 - paths of pathlib become too long
            os.chdir("d")
    finally:
        os.chdir(before)
    first, second = grade_folder("1", [tmp_path / "class"]).submissions
    deep, mine = (first, second) if first.marks == 0 else (second, first)
    assert mine.marks == 10
    assert "cannot be read: File name too long" in deep.checks[0].fault
    subprocess.run(["rm", "-rf", str(tmp_path / "class")], check=True)  # pytest cannot


def test_a_folder_that_may_not_be_read_has_a_row(
    solutions: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "class" / "closed").mkdir(parents=True)
    (tmp_path / "class" / "mine.txt").write_bytes(solutions["1"].read_bytes())
    scan = os.scandir

    def refuse(path: str | Path) -> object:  # root may read everything
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = grade_folder("1", [tmp_path / "class"]).submissions
    assert [(Path(one.file).name, one.marks) for one in found] == [("closed", 0), ("mine.txt", 10)]
    assert found[0].checks[0].fault == "this folder cannot be read: Permission denied"


FORGED = "\x1b[2Jx\n 10/10  class\u202e\x9b\r.txt"


def test_a_name_forges_no_line_on_a_terminal_and_no_formula_in_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [FORGED, "\t=1+1.txt", " =2.txt", "\uff1d3.txt"]
    for name in names:
        if os.name == "nt":
            pytest.skip("such files cannot be made here")
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("nothing")
    assert main(["grade", "1", *names]) == 1
    shown = capsys.readouterr()
    for text in (shown.out, shown.err):
        lines = text.splitlines()
        assert sum("0/10  " in line for line in lines) == len(names)
        assert not any(line.strip().startswith("10") for line in lines)
        assert all(line.isprintable() for line in lines)
    assert main(["grade", "1", *names, "--format", "csv"]) == 1
    table = capsys.readouterr().out
    rows = list(csv.DictReader(table.splitlines()))
    assert len(rows) == len(names)
    assert all(line.isprintable() for line in table.splitlines())
    for row in rows:
        assert row["file"].startswith(("'", "\\x1b"))
    assert main(["grade", "1", FORGED]) == 1
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())


def test_the_help_names_the_exercises(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", "--help"]) == 0
    shown = capsys.readouterr().out
    listed = shown.partition("EXERCISE:\n")[2].partition("\n\n")[0]
    rows = [re.split(r"  +", line.strip()) for line in listed.splitlines()]
    found = {row[at]: row[at + 1] for at in (0, 2) for row in rows if at < len(row)}
    assert found == EXERCISES
    assert [*found] == [*EXERCISES]  # read downwards


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_file_that_is_too_large_is_not_read(exercise: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{SUFFIXES[exercise]}"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES[exercise] + 1)
    with pytest.raises(InputError, match=f"has more than {MAX_BYTES[exercise]:,} bytes"):
        grade(exercise, path)
    (one,) = grade_folder(exercise, [path]).submissions
    assert one.marks == 0
    path.write_bytes(gzip.compress(bytes(MAX_BYTES[exercise] + 1)))
    with pytest.raises(InputError, match=f"has more than {MAX_BYTES[exercise]:,} bytes"):
        grade(exercise, path)
    path.write_bytes(b"\x1f\x8b and so on")
    assert grade(exercise, path).marks == 0


@pytest.mark.long
@pytest.mark.parametrize("exercise", ["2", "5"])
def test_where_python_cannot_be_started_there_are_no_marks(
    exercise: str,
    solutions: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bare: None,
) -> None:
    false = tmp_path / "python"
    false.write_text("#!/bin/sh\necho it is broken\nexit 1\n")
    false.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(false))
    with pytest.raises(SolverFailed, match=r"cannot be run.*it is broken"):
        grade(exercise, solutions[exercise])
    assert main(["grade", exercise, str(solutions[exercise].parent), "--unprotected"]) == 4
    assert "10" not in capsys.readouterr().out
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    with pytest.raises(SolverFailed, match="cannot be started"):
        grade_folder(exercise, [solutions[exercise]], unprotected=True)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for Python")
def test_what_stands_in_for_python_and_does_nothing_gives_no_marks(
    solutions: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = tmp_path / "python"
    idle.write_text("#!/bin/sh\nexit 0\n")
    idle.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(idle))
    sandbox._try_ways.cache_clear()
    with pytest.raises(SolverFailed, match="Python did not start"):
        grade("5", solutions["5"])


def test_a_library_that_is_missing_is_no_fault_of_the_submission(
    solutions: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: None
) -> None:
    (tmp_path / "pulp.py").write_text("import there_is_no_such_module")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SolverFailed, match="No module named 'there_is_no_such_module'"):
        grade("2", solutions["2"])


REFUSES = """
import importlib.machinery, importlib.util, sys
places = [place for place in sys.path if "dynload" in place]
spec = importlib.machinery.PathFinder.find_spec("resource", places)
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)
globals().update({name: getattr(real, name) for name in dir(real) if name[0] != "_"})

def setrlimit(what, limits):
    if what == real.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    real.setrlimit(what, limits)
"""


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="there are no such limits")
def test_a_system_that_refuses_one_limit_keeps_the_others(
    solutions: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: None
) -> None:
    # As current macOS does.
    (tmp_path / "resource.py").write_text(REFUSES)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for exercise in ("2", "5"):
        assert grade(exercise, solutions[exercise]).marks == 10
    path = tmp_path / "mine.py"
    path.write_text(
        "import resource\nraise ValueError(resource.__file__, "
        "resource.getrlimit(resource.RLIMIT_FSIZE)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])"
    )
    fault = grade("2", path, time_limit=700).checks[0].fault
    assert f"{tmp_path / 'resource.py'}" in fault
    assert f", {sandbox.LIMITS['file']}, " in fault
    with sandbox.scratch_folder() as folder:
        sandbox._start(folder, {"job": "nothing", "library": ""}, sandbox.LIMITS, Protection())
        held = (folder / "held.json").read_text()
    assert "memory" not in held
    assert "the size of files" in held


@pytest.mark.long
def test_as_root_a_class_is_refused_where_nothing_protects_the_machine(
    solutions: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bare: None,
) -> None:
    monkeypatch.setattr("calmip.course.grade.is_root", lambda: True)
    paths = [str(solutions["5"]), str(solutions["5"])]
    assert main(["grade", "5", *paths]) == 2
    told = capsys.readouterr().err
    assert "Programs run with all rights of this user" in told
    assert "install bubblewrap" in told
    assert "--unprotected" in told
    assert main(["grade", "5", *paths, "--unprotected"]) == 0
    monkeypatch.setattr("calmip.course.grade.is_root", lambda: False)
    assert main(["grade", "5", *paths]) == 0
    monkeypatch.setattr("calmip.course.grade.is_root", lambda: True)
    assert main(["grade", "1", str(solutions["1"].parent)]) == 0  # it runs nothing
    assert "Programs" not in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.long
def test_at_the_start_of_a_class_it_is_said_what_protects_the_machine(
    solutions: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(solutions["5"], tmp_path / "s.py")
    assert main(["grade", "5", str(tmp_path), "--unprotected"]) == 0
    first, *_ = capsys.readouterr().err.splitlines()
    assert first == str(sandbox.protection("cuts"))
    if sys.platform == "linux":
        assert "processor time, memory, the size of files, open files" in first


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the system's list of processes is read")
def test_a_submission_ends_with_the_marking(tmp_path: Path) -> None:
    trace = tmp_path / "pid"
    path = tmp_path / "mine.py"
    path.write_text(
        f"import os, time\nopen({str(trace)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    program = (
        "import sys\nfrom calmip.course import sandbox\nfrom calmip.course.grade import grade\n"
        "sandbox.protection = lambda job: sandbox.Protection()\n"
        "grade('2', sys.argv[1], time_limit=600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)]) as process:
        while not trace.exists() or not trace.read_text():
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert_gone(int(trace.read_text()))


def test_a_full_disk_is_no_fault_of_a_submission(
    solutions: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bare: None
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(SolverFailed, match="this machine failed, not the submission"):
        calmip.grade.folder("5", [solutions["5"]], unprotected=True)


def test_shards_of_the_submissions_are_the_class(
    solutions: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each machine marks some; what is marked, put one after the other, is that of the class."""
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(6):
        right = solutions["1"].read_text()
        (folder / f"student-{number}.txt").write_text(right if number % 2 else "nothing\n")
    for number in (1, 2):
        words = ["grade", "1", str(folder), "--shard", f"{number}/2"]
        assert main([*words, "-o", str(tmp_path / f"{number}.csv")]) == 0
        said = capsys.readouterr().err
        assert f"shard {number}/2: " in said
        assert "continue with --resume" in said
    parts = [tmp_path / f"{number}.csv.part" for number in (1, 2)]
    (tmp_path / "all.csv.part").write_bytes(b"".join(part.read_bytes() for part in parts))
    joined, whole = tmp_path / "all.csv", tmp_path / "whole.csv"
    assert main(["grade", "1", str(folder), "-o", str(whole)]) == 1
    assert main(["grade", "1", str(folder), "--resume", "-o", str(joined)]) == 1
    assert joined.read_bytes() == whole.read_bytes()
    assert sum(len(part.read_text().splitlines()) for part in parts) == 2 + 6
