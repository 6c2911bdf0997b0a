"""A submission cannot give itself marks, and cannot run for ever."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from calmip.course.cases import CASES, plain
from calmip.course.marks import Failed
from calmip.course.sandbox import handed_over

TASK = {"job": "pulp", "puzzles": [plain(CASES[0])]}
ROOT = Path(__file__).parents[2]
FAKE = '{"exercise": "2", "marks": 10, "most": 10, "checks": []}'


def run(tmp_path: Path, source: str, **limits: int) -> str:
    """Run a submission; return why it failed, or an empty text."""
    path = tmp_path / "mine.py"
    path.write_text(source)
    try:
        with handed_over(path, TASK, limits=limits):
            return ""
    except Failed as failed:
        return failed.fault


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("while True: pass", "longer than 3 seconds"),
        ("import time; time.sleep(1000)", "longer than 3 seconds"),
        ("import os; os._exit(0)", "before it had handed over"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "before it had handed over"),
        ("def build(puzzle): return 1", "not a pulp.LpProblem"),
        ("x = 1", "no function build"),
        ("def build(", "SyntaxError"),
        ("\n\nraise ValueError('full marks\\n\\x1b[2J')", r"full marks\n\x1b[2J (line 3)"),
    ],
)  # fmt: skip
def test_whatever_it_does_it_fails_with_a_reason(source: str, words: str, tmp_path: Path) -> None:
    # On a busy machine it takes seconds to load PuLP.
    fault = run(tmp_path, source, seconds=3 if "longer than" in words else 60)
    assert words in fault
    assert fault.isprintable()


@pytest.mark.slow
def test_memory_and_files_are_limited(tmp_path: Path) -> None:
    assert "MemoryError" in run(tmp_path, "x = bytearray(3 << 30)", bytes=2 << 30)
    big = "open('big', 'wb').write(bytes(5 << 20))"
    assert run(tmp_path, big, file=1 << 20)


def test_its_children_are_killed(tmp_path: Path) -> None:
    trace = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(trace)!r}, 'w')"
    source = (
        "import subprocess, sys, os\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "os._exit(0)\n"
    )
    run(tmp_path, source, seconds=60)
    import time

    time.sleep(2.5)
    assert not trace.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the ways are those of Linux")
def test_nothing_that_it_prints_is_taken_for_marks(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"import os\nfake = {FAKE!r}\nprint(fake)\nos.write(1, fake.encode())\n"
        "for place in ('/dev/tty', '/dev/stdout', f'/proc/{os.getppid()}/fd/1'):\n"
        "    try:\n        open(place, 'w').write(fake)\n    except OSError:\n        pass\n"
        "for name in ('marks.json', 'result.json', 'done', 'error.json', '0.mps'):\n"
        "    open(name, 'w').write(fake)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "calmip", "grade", "2", str(path), "--format", "json"],
        capture_output=True, text=True, timeout=120, check=False, cwd=ROOT,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert (done.returncode, found["marks"], found["most"]) == (1, 0, 10)
    assert len(found["checks"]) == 5
    assert done.stdout.count('"marks": 10') == 0
    assert done.stderr == ""


def test_a_model_file_that_it_writes_itself_is_only_a_model(tmp_path: Path) -> None:
    # The file is read as any other; what is not a model is not marked as one.
    path = tmp_path / "mine.py"
    path.write_text(
        "import pathlib, os\n"
        "[pathlib.Path(f'{n}.mps').write_text('ENDATA') for n in range(9)]\n"
        "pathlib.Path('done').touch()\nos._exit(0)\n"
    )
    from calmip.tasks.grade import grade

    result = grade("2", path)
    assert result.marks == 1
    assert "0.mps" in result.checks[1].fault


def test_a_claim_to_be_done_without_a_model_earns_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import os\nopen('done', 'w').close()\nos._exit(0)\n")
    from calmip.tasks.grade import grade

    for exercise in ("2", "3", "5"):
        result = grade(exercise, path)
        assert result.marks == 0


def test_the_task_with_its_answers_is_not_left_lying_about(tmp_path: Path) -> None:
    assert "FileNotFoundError" in run(tmp_path, "open('task.json')")
