"""What the program does on Windows and macOS, as far as fakes can show it here."""

from __future__ import annotations

import ast
import contextlib
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest
from processes import assert_gone

from calmip import _files, _process
from calmip._files import growing_file, part_file
from calmip._process import run
from calmip.course import _child

ROOT = Path(__file__).parents[1]

CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("pids.part", "w").write(f"{child.pid}")
import os; os.replace("pids.part", "pids")
time.sleep(600)
"""


class Gone(Exception):
    """What psutil raises of a process that has ended."""


def fake_psutil() -> types.ModuleType:
    """Return a psutil that finds children as Windows keeps them: by the parent's number."""

    class Process:
        def __init__(self, pid: int) -> None:
            self.pid = pid
            if not Path(f"/proc/{pid}").exists():
                raise Gone

        def children(self, recursive: bool) -> list[Process]:
            assert recursive
            found = []
            for entry in (path.name for path in Path("/proc").glob("[0-9]*")):
                with contextlib.suppress(OSError, IndexError, Gone):
                    text = Path(f"/proc/{entry}/stat").read_text()
                    stat = text.rpartition(")")[2].split()
                    if int(stat[1]) == self.pid and stat[0] not in "ZX":
                        found.append(Process(int(entry)))
            return [*found, *(one for child in found for one in child.children(recursive=True))]

    module = types.ModuleType("psutil")
    module.Process = Process  # type: ignore[attr-defined]
    module.Error = Gone  # type: ignore[attr-defined]
    return module


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what Windows does not have: process groups, SIGKILL, and /proc as a way to look."""
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setattr(_process, "KILL", signal.SIGTERM)

    class Nowhere(type(Path())):  # type: ignore[misc]
        def is_dir(self, **_: object) -> bool:
            return False

    monkeypatch.setattr(_process, "PROC", Nowhere("/proc"))


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="the fake looks into /proc")
@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("psutil_is_here", [True, False])
def test_children_of_a_killed_program_die_on_windows_too(
    psutil_is_here: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psutil", fake_psutil() if psutil_is_here else None)
    pids = tmp_path / "pids"
    seconds = 1.0
    while not pids.is_file():
        ended = run([sys.executable, "-c", CHILD], folder=tmp_path, seconds=seconds)
        assert ended.status is None
        seconds *= 2
    child = int(pids.read_text())
    if psutil_is_here:
        assert_gone(child)
    else:
        # Without psutil the program itself is ended, and its child is left: nothing is raised.
        os.kill(child, signal.SIGKILL)


def test_limits_that_a_system_does_not_have_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "geteuid")
    assert _child.limit({"seconds": 1, "bytes": 1, "file": 1}) == []
    _child._drop_rights(None)


@pytest.mark.parametrize("locks", [False, True], ids=["windows", "browser"])
def test_files_are_written_without_locks(
    locks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(_files, "LOCKS", locks)
    with part_file(tmp_path / "list") as add:
        add("one\n")
    with growing_file(tmp_path / "whole") as write:
        write(b"two\n")
    assert (tmp_path / "list").read_bytes() == b"one\n"
    assert (tmp_path / "whole").read_bytes() == b"two\n"


def test_nothing_is_called_that_only_one_system_has() -> None:
    missing = {"fork", "forkpty", "setsid", "setpgid", "wait4", "mkfifo", "uname"}
    modules = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "msvcrt", "winreg"}
    # It runs only where there is fork; elsewhere each run of a campaign starts a process.
    forking = ROOT / "calmip" / "tasks" / "campaign" / "server.py"
    for path in sorted((ROOT / "calmip").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called = (node.value.id, node.attr)
                assert path == forking or called not in {("os", name) for name in missing}, path
        at_import = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        for statement in at_import:
            names = {alias.name for alias in statement.names}
            names |= {getattr(statement, "module", None) or ""}
            assert not names & modules, path


def test_files_are_read_as_utf_8_wherever_a_locale_says_otherwise() -> None:
    # Python says so itself: an encoding that is left out would be the locale's on Windows.
    code = "import calmip\nfor name in calmip.bundled_puzzles(): calmip.read_puzzle(name)\n"
    code += "print(calmip.solve(calmip.read_instance('feb29')).status)"
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning:calmip",
         "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "feasible\n"), done.stderr
