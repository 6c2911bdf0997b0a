"""What hangs in CI is ended, with the stacks of all threads, and CI fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = os.pathsep.join((str(ROOT / "tests"), str(ROOT / "tests/helpers")))

pytestmark = [
    pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="in the repository only"),
    pytest.mark.skipif(os.name != "posix", reason="alarms of POSIX"),
]

SHORT = """
import hangs
hangs.TEST_SECONDS = {seconds}

def pytest_configure(config):
    config.pluginmanager.register(hangs.Alarm(), "alarm")
"""

HANGS = """
import concurrent.futures, os, re, subprocess, sys, threading, time
import pytest

def wait_for_a_lock():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

def wait_for_a_thread():
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        executor.submit(wait_for_a_lock)

def compute_in_a_library():
    re.match("(a+)+$", 40 * "a" + "b")

def wait_for_a_program():
    subprocess.run([sys.executable, "-c", "input()"], stdin=os.pipe()[0])

def test_before(): pass

def test_hangs(): {how}()

def test_after(): pass

@pytest.mark.filterwarnings("error")
def test_forks():
    if os.fork() == 0:
        os._exit(0)
    os.wait()
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "stack", "workers"),
    [
        ("wait_for_a_lock", ["wait_for_a_lock", "test_hangs"], "0"),
        ("wait_for_a_thread", ["wait_for_a_lock", "wait_for_a_thread", "test_hangs"], "2"),
        ("compute_in_a_library", ["compute_in_a_library", "test_hangs"], "2"),
        ("wait_for_a_program", ["wait_for_a_program", "test_hangs"], "2"),
    ],
)
def test_a_test_that_hangs_is_ended_and_the_others_run(
    how: str, stack: list[str], workers: str, tmp_path: Path
) -> None:
    (tmp_path / "test_some.py").write_text(HANGS.format(how=how))
    (tmp_path / "conftest.py").write_text(SHORT.format(seconds=2))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, ROOT / ".ci/suite.py", "-n", workers, "test_some.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": TESTS, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode not in (0, 5), done.stdout
    seen = re.findall(r'^  File ".*", line \d+ in (\w+)$', done.stderr, re.MULTILINE)
    assert [name for name in stack if name in seen] == stack, done.stderr
    if workers == "2":
        assert "crashed while running 'test_some.py::test_hangs'" in done.stdout
        assert "1 failed, 3 passed" in done.stdout
        assert "run again" not in done.stdout


@pytest.mark.long
@pytest.mark.parametrize(("ci", "there"), [("true", True), ("", False)])
def test_the_alarm_is_set_in_ci_alone(ci: str, there: bool, tmp_path: Path) -> None:
    """Elsewhere somebody may debug a test for longer."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    (tmp_path / "test_alarm.py").write_text(
        "import hangs, pytest, signal\n"
        "def left(): return round(signal.getitimer(signal.ITIMER_REAL)[0], -1)\n"
        f"def test_alarm(): assert left() == {900 if there else 0}\n"
        f"@pytest.mark.slow\ndef test_slow(): assert left() == {3600 if there else 0}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "--slow", "-n", "0", "test_alarm.py"],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "PYTHONPATH": TESTS, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
