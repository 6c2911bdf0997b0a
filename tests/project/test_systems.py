"""What the program does on Windows and macOS, as far as fakes can show it here."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest
from processes import assert_gone, wait_until
from requirements import only_posix

from calmip import processes
from calmip._base import files
from calmip._base.errors import InputError
from calmip._base.files import growing_file, part_file
from calmip.processes import run, warden

ROOT = Path(__file__).parents[2]

CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("pids.part", "w").write(f"{child.pid}")
import os; os.replace("pids.part", "pids")
time.sleep(600)
"""


class Gone(Exception):
    """What psutil raises of a process that has ended."""


def fake_psutil(ready: Path) -> types.ModuleType:
    """Return a psutil that finds children as Windows keeps them: by the parent's number.

    It looks for them when a file is there: a child that starts after the look would be left.
    """

    class Process:
        def __init__(self, pid: int) -> None:
            self.pid = pid
            if not Path(f"/proc/{pid}").exists():
                raise Gone

        def children(self, recursive: bool) -> list[Process]:
            assert recursive
            wait_until(ready.is_file)
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
    monkeypatch.setattr(processes, "KILL", signal.SIGTERM)

    class Nowhere(type(Path())):  # type: ignore[misc]
        def is_dir(self, **_: object) -> bool:
            return False

    monkeypatch.setattr(processes, "PROC", Nowhere("/proc"))
    monkeypatch.setattr(warden, "PROC", "/nowhere")


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="the fake looks into /proc")
@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("psutil_is_here", [True, False])
def test_children_of_a_killed_program_die_on_windows_too(
    psutil_is_here: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setitem(sys.modules, "psutil", fake_psutil(pids) if psutil_is_here else None)
    monkeypatch.setattr(processes, "READING_SECONDS", 0.1)
    seconds = 0.25
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


def test_ctrl_c_is_heard_while_a_program_is_waited_for_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    class Popen(subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            waits.append(timeout)
            if len(waits) == 7:  # Windows tells of it once a wait has ended
                raise KeyboardInterrupt
            return super().wait(timeout)

    monkeypatch.setattr(processes, "WAITS_IN_STEPS", True)
    monkeypatch.setattr(subprocess, "Popen", Popen)
    endless = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(KeyboardInterrupt):
        run(endless, folder=tmp_path)
    step = processes.POLL_SECONDS
    assert waits[:7] == [step / 16, step / 8, step / 4, step / 2, step, step, step]
    ended = run(
        [sys.executable, "-c", "import time; time.sleep(600)"], folder=tmp_path, seconds=0.1
    )
    assert ended.status is None
    assert run([sys.executable, "-c", "raise SystemExit(3)"], folder=tmp_path).status == 3


@pytest.mark.trade("course")
def test_limits_that_a_system_does_not_have_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from calmip.course import _child

    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "geteuid")
    assert _child.limit({"seconds": 1, "bytes": 1, "file": 1}) == []
    _child._drop_rights(None)


def fake_msvcrt(fcntl: types.ModuleType) -> types.ModuleType:
    """Return a msvcrt whose locks are, as on Windows, of bytes of the file: here those of Linux."""
    module = types.ModuleType("msvcrt")
    module.LK_NBLCK = 2  # type: ignore[attr-defined]

    def locking(file: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        assert os.lseek(file, 0, os.SEEK_CUR) > os.fstat(file).st_size, "locked bytes are unread"
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    module.locking = locking  # type: ignore[attr-defined]
    return module


def test_two_runs_do_not_write_one_file_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    monkeypatch.setitem(sys.modules, "msvcrt", fake_msvcrt(fcntl))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(files, "LOCKS", False)
    with part_file(tmp_path / "list") as add:
        add("one\n")
        with pytest.raises(InputError, match="another run is writing this file"):
            part_file(tmp_path / "list").__enter__()
        add("two\n")
    assert (tmp_path / "list").read_text() == "one\ntwo\n"


@pytest.mark.trade("bench")
def test_two_campaigns_do_not_write_one_file_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    from calmip.bench.campaign.store import Store

    monkeypatch.setitem(sys.modules, "msvcrt", fake_msvcrt(fcntl))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(files, "LOCKS", False)
    another = pytest.raises(InputError, match="another campaign is writing to this file")
    with Store(tmp_path / "runs.db"), another:
        Store(tmp_path / "runs.db")


@pytest.mark.parametrize("locks", [False, True], ids=["windows", "browser"])
def test_files_are_written_without_locks(
    locks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(files, "LOCKS", locks)
    with part_file(tmp_path / "list") as add:
        add("one\n")
    with growing_file(tmp_path / "whole") as write:
        write(b"two\n")
    assert (tmp_path / "list").read_bytes() == b"one\n"
    assert (tmp_path / "whole").read_bytes() == b"two\n"


@pytest.mark.long
def test_nothing_is_called_that_only_one_system_has() -> None:
    missing = {"fork", "forkpty", "setsid", "setpgid", "wait4", "mkfifo", "uname"}
    modules = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "msvcrt", "winreg"}
    # They run only where there is fork; elsewhere each run of a campaign starts a process, and a
    # program has no supervisor. The kernel asks for the system first.
    asking = ("bench/server.py", "processes/warden.py", "mip/kernel/__init__.py")
    asked = [ROOT / "calmip" / name for name in asking]
    ours = sorted((ROOT / "calmip").rglob("*.py"))
    # Tests may use them, one by one: those are skipped elsewhere, and the others must load.
    for path in [*ours, *(ROOT / "tests").rglob("*.py"), ROOT / "benchmarks" / "mutants.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree) if path in ours else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called = (node.value.id, node.attr)
                assert path in asked or called not in {("os", name) for name in missing}, path
        at_import = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        for statement in at_import:
            names = {alias.name for alias in statement.names}
            names |= {getattr(statement, "module", None) or ""}
            assert not names & modules, path


WITHOUT = "resource pty tty fcntl termios pwd grp".split()
ON_WINDOWS = f"""
import fcntl, sys
sys.path[:0] = ["tests/project", "tests/helpers"]
from test_systems import fake_msvcrt
sys.modules["msvcrt"] = fake_msvcrt(fcntl)
for name in {WITHOUT}: sys.modules[name] = None
import requirements, pytest
requirements.POSIX = False
sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
"""Run pytest as if on Windows, as far as its missing modules go."""


def pytest_on_windows(*arguments: str) -> str:
    """Return what pytest says there; nothing may fail."""
    done = subprocess.run(
        [sys.executable, "-c", ON_WINDOWS, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_test_that_needs_posix_is_skipped_on_windows_and_no_other() -> None:
    said = pytest_on_windows("tests/cli/test_cli_output.py")
    for name in ("chmod", "symlink_to"):
        assert re.search(rf"SKIPPED \[\d\] .*needs .*{name}", said)
    assert re.search(r"\d\d passed", said)
    cli = only_posix(ROOT / "tests" / "cli" / "test_cli.py")
    assert cli["test_a_terminal_gets_colours_and_boxes_by_default"] == {"openpty"}
    assert cli["test_lists"] == set()
    # A fixture of a conftest, and what helpers of the tests and the benchmarks do, count too.
    solvers = only_posix(ROOT / "tests" / "solvers" / "test_solvers.py")
    assert "chmod" in solvers["test_an_honest_fake_is_believed"]
    pages = only_posix(ROOT / "tests" / "documentation" / "test_documentation.py")
    assert "a POSIX shell" in pages["test_the_blocks_of_a_page_do_what_it_says"]
    mutants = only_posix(ROOT / "tests" / "project" / "test_mutants.py")
    assert "fork" in mutants["test_tests_that_pass_fail_and_run_on"]


@pytest.mark.slow
def test_all_tests_load_on_windows() -> None:
    assert re.search(r"\d{4} tests collected", pytest_on_windows("--collect-only"))


@pytest.mark.long
def test_files_are_read_as_utf_8_wherever_a_locale_says_otherwise() -> None:
    # Python says so itself: an encoding that is left out would be the locale's on Windows.
    code = "import calmip\nfor name in calmip.bundled_puzzles(): calmip.read_puzzle(name)\n"
    code += "print(calmip.solve(calmip.read_instance('feb29')).status)"
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "warn_default_encoding",
            "-W",
            "error::EncodingWarning:calmip",
            "-c",
            code,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (0, "feasible\n"), done.stderr
