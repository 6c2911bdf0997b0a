"""What a machine lacks costs no mark, and one submission does not touch another's."""

from __future__ import annotations

import csv
import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip._base.errors import SolverFailed
from calmip.cli import main
from calmip.course import _child, exercises, machine, sandbox
from calmip.course.checks import Failed, MachineFault, Undecided, run_checks
from calmip.course.class_marking import Pages
from calmip.course.classroom import find_submissions
from calmip.course.exercises import SOLUTIONS
from calmip.course.grade import Marks
from calmip.course.gradescope import grade_submission
from calmip.course.sandbox import Protection
from calmip.mip.status import Status
from calmip.processes import Ended

RIGHT = (SOLUTIONS / "5-no-good").read_text()
LISTED = (SOLUTIONS / "1-placements").read_text()

MACHINE = "this machine failed, not the submission: "


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run programs as on a machine where nothing protects it from them."""
    monkeypatch.setattr(sandbox, "protection", lambda job: Protection())
    monkeypatch.setattr(exercises, "protection", lambda job: Protection())


def class_of(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def rows(found: Any) -> dict[str, int | str]:
    """Return the marks of each student, ``?`` where nothing was decided."""
    return {one.student: "?" if one.failed else one.marks for one in found.submissions}


def run(text: str, folder: Path, **limits: int) -> str:
    """Run a submission of exercise 5; return the student's fault, or what the machine's was."""
    path = folder / "mine.py"
    path.write_text(text)
    task = {"job": "cuts", "tilings": []}
    try:
        with sandbox.run_submission(path, task, ["cuts.json"], limits=limits):
            return ""
    except Failed as failed:
        return str(failed)
    except MachineFault as fault:
        return str(fault).replace(MACHINE, "? ")


# One submission does not touch another's.


TOUCHES = {
    "deletes": "path.unlink()",
    "rewrites": "path.write_text('raise SystemExit')",
    "empties": "path.write_text('')",
    "moves": "path.rename(path.with_suffix('.old'))",
    "makes a folder of it": "path.unlink(); path.mkdir()",
}


@pytest.mark.parametrize(
    "how",
    [
        name if number == 0 else pytest.param(name, marks=pytest.mark.long)
        for number, name in enumerate(TOUCHES)
    ],
)
def test_a_program_does_not_touch_the_file_of_another(how: str, tmp_path: Path, bare: None) -> None:
    folder = tmp_path / "class"
    vandal = (
        "import pathlib\n"
        f"for path in [*pathlib.Path({str(folder)!r}).glob('*/*.py')]:\n    {TOUCHES[how]}\n"
    )
    class_of(folder, {"ada/answer.py": vandal, "bob/answer.py": RIGHT, "eve/answer.py": RIGHT})
    found = calmip.grade.folder("5", [folder], unprotected=True)
    assert rows(found) == {"ada": 0, "bob": 10, "eve": 10}
    assert found.status is Status.REFUSED
    assert found.submissions[1].notes == ("identical to the file of eve",)
    assert not (folder / "bob" / "answer.py").is_file() or (
        (folder / "bob" / "answer.py").read_text() != RIGHT
    )


def test_what_vanishes_before_it_is_read_is_no_fault_of_a_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {f"{name}.txt": LISTED for name in ("ada", "bob", "eve")})

    def find(*given: Any, **more: Any) -> Any:
        found = find_submissions(*given, **more)
        (folder / "bob.txt").unlink()
        return found

    out = tmp_path / "marks.csv"
    with monkeypatch.context() as patch:
        patch.setattr("calmip.course.grade.find_submissions", find)
        assert main(["grade", "1", str(folder), "-o", str(out)]) == 4
    (bob,) = (
        row for row in csv.DictReader(out.read_text().splitlines()) if row["student"] == "bob"
    )
    assert (bob["marks"], bob["most"]) == ("?", "10")
    assert bob["faults"] == f"{MACHINE}the file has vanished"
    # A file that the caller names, and that is not there, is the caller's fault.
    gone = str(folder / "bob.txt")
    assert main(["grade", "1", gone, str(folder / "ada.txt")]) == 1


@pytest.mark.parametrize("change", ["gone", "another", "cut", "gone at once", "cut at once"])
def test_a_copy_that_changes_while_it_is_marked_is_no_fault_of_a_student(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {"ada.txt": LISTED, "bob.txt": LISTED + "# bob\n"})
    real = exercises.checks_of

    def marks(exercise: str, path: Path, **more: Any) -> Any:
        found = [] if change.endswith("at once") else [real(exercise, path, **more)]
        if path.read_text().endswith("# bob\n"):
            if change.startswith("gone"):
                path.unlink()
            else:
                path.write_text(LISTED if change == "another" else "")
        return found[0] if found else real(exercise, path, **more)

    monkeypatch.setattr("calmip.course.class_marking.checks_of", marks)
    found = calmip.grade.folder("1", [folder])
    assert rows(found) == {"ada": 10, "bob": "?"}
    assert found.status is Status.FAILED


# Only bubblewrap or a user of its own is a protection.


def test_a_control_group_is_no_protection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    group = Protection(groups=tmp_path)
    assert not group
    assert Protection("bwrap")
    assert Protection(own_user=True)
    monkeypatch.setattr(sandbox, "protection", lambda job: group)
    monkeypatch.setattr(exercises, "protection", lambda job: group)
    monkeypatch.setattr("calmip.course.grade.is_root", lambda: True)
    folder = class_of(tmp_path / "class", {"ada.py": RIGHT, "bob.py": RIGHT})
    assert main(["grade", "5", str(folder)]) == 2
    first, error, *_ = capsys.readouterr().err.splitlines()
    assert "with all rights of this user, in a control group" in first
    for told in (first, error):
        assert "apt install bubblewrap" in told or "bubblewrap is installed" in told
    assert "Not protected: this user's files" in first
    assert "the other submissions included" in first
    assert "--unprotected" in error


@pytest.mark.long
@pytest.mark.parametrize("root", [True, False])
def test_a_single_file_as_root_says_what_is_not_protected(
    root: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bare: None,
) -> None:
    monkeypatch.setattr("calmip.course.grade.is_root", lambda: root)
    path = tmp_path / "mine.py"
    path.write_text("x = 1")
    assert main(["grade", "5", str(path)]) == 1
    assert capsys.readouterr().err == (f"{Protection()}\n" if root else "")
    (tmp_path / "mine.txt").write_text(LISTED)
    assert main(["grade", "1", str(tmp_path / "mine.txt")]) == 0  # it runs nothing
    assert capsys.readouterr().err == ""


def test_each_way_says_in_words_what_is_not_protected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert Protection("bwrap").exposed == ""
    assert str(Protection("bwrap")).endswith("by the clock.")
    for way, what in ((Protection(), "delete them"), (Protection(own_user=True), "every user")):
        assert what in way.exposed
        assert str(way).endswith(way.exposed)
        assert way.exposed.endswith("install bubblewrap: apt install bubblewrap.")
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/bwrap")
    assert "is installed, and does not work here" in Protection().exposed
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "a container or a virtual machine" in Protection().exposed


@pytest.mark.parametrize("root", [True, False])
def test_only_root_gives_a_program_a_user_of_its_own(
    root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Protection] = []

    def start(folder: Path, order: Any, bounds: Any, way: Protection) -> None:
        tried.append(way)
        raise SolverFailed("not here")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sandbox, "is_root", lambda: root)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sandbox, "_groups", lambda _: None)
    monkeypatch.setattr(sandbox, "_start", start)
    with pytest.raises(SolverFailed, match="not here"):
        sandbox._try_ways.__wrapped__("")
    ways = [(bool(way.bubblewrap), way.own_user) for way in tried]
    assert ways[:-1] == [
        one
        for one in ((True, True), (True, False), (False, True), (False, False))
        if root or not one[1]
    ]


@pytest.mark.parametrize("version", [1, 2])
def test_a_program_is_in_one_group_of_version_2(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a second one it would leave the first, and its limit."""
    folders = {kind: tmp_path / kind for kind in ("pids", "memory")}
    tried: list[Protection] = []
    for folder in folders.values():
        folder.mkdir()
        if version == 2:
            (folder / "cgroup.controllers").touch()

    def start(folder: Path, order: Any, bounds: Any, way: Protection) -> None:
        tried.append(way)
        raise SolverFailed("not here")

    monkeypatch.setattr(sandbox, "_groups", folders.get)
    monkeypatch.setattr(sandbox, "_start", start)
    with pytest.raises(SolverFailed, match="not here"):
        sandbox._try_ways.__wrapped__("")
    memory = folders["memory"] if version == 1 else None
    assert (tried[0].groups, tried[0].memory) == (folders["pids"], memory)


# A machine's fault.


def test_the_machines_errors_are_distinguished_from_a_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = machine.fault_of_machine
    for name in ("ENOSPC", "EDQUOT", "EIO", "ENFILE"):
        error = OSError(getattr(errno, name), "x")
        assert fault(error) == fault(error, limited=True) == os.strerror(error.errno)
        assert fault(ImportError(f"libx.so: {os.strerror(error.errno)}"))
    for name in ("EMFILE", "EAGAIN", "EROFS"):  # a program's own limits, and what it may not write
        assert fault(OSError(getattr(errno, name), "x"))
        assert not fault(OSError(getattr(errno, name), "x"), limited=True)
    for error in (
        FileNotFoundError(errno.ENOENT, "x"),
        PermissionError(errno.EACCES, "x"),
        OSError(errno.EFBIG, "x"),
        OSError("x"),
        ValueError("No space left on device"),
        ImportError("No module named x"),
        RecursionError(),
    ):
        assert not fault(error)
    try:
        try:
            raise OSError(errno.EIO, "x")
        except OSError:
            raise calmip.InputError("cannot be read") from None
    except calmip.InputError as error:
        assert fault(error) == os.strerror(errno.EIO)
    for error in (MemoryError(), OSError(errno.ENOMEM, "x")):
        assert fault(error)
        for left, whose in (
            (0, True),
            (machine.AMPLE_MEMORY_BYTES - 1, True),
            (machine.AMPLE_MEMORY_BYTES, False),
            (None, True),
        ):
            monkeypatch.setattr(machine, "memory_left", lambda left=left: left)
            assert bool(fault(error, limited=True)) is whose


def test_a_check_that_the_machine_fails_is_no_check_that_fails() -> None:
    def fail(error: BaseException) -> Callable[[], object]:
        def look() -> None:
            try:
                raise error
            except OSError:
                raise calmip.InputError("cannot be read") from None

        return look

    wrong = [("it is read", 3, fail(FileNotFoundError(errno.ENOENT, "x")), False)]
    assert run_checks(wrong)[0].fault == "cannot be read"
    for number in (errno.EIO, errno.ENOSPC, errno.EMFILE):
        with pytest.raises(MachineFault):
            run_checks([("it is read", 3, fail(OSError(number, "x")), False)])


RAISES = "import errno, os\nraise OSError(errno.{0}, os.strerror(errno.{0}))"


@pytest.mark.parametrize(("text", "limits", "words"), [
    (RAISES.format("ENOSPC"), {}, "? No space left on device"),
    pytest.param(RAISES.format("EDQUOT"), {}, "? Disk quota exceeded", marks=pytest.mark.long),
    pytest.param(RAISES.format("EIO"), {}, "? Input/output error", marks=pytest.mark.long),
    # The cuts' errors are kept by kind, but those of the machine.
    ("import errno\ndef no_good_cut(tiling): raise OSError(errno.EIO, 'x')", {}, ""),
    ("import os\nos.kill(os.getpid(), 9)", {}, "? the program was ended from outside, by signal 9"),
    pytest.param("import os\nos.kill(os.getpid(), 15)", {}, "by signal 15", marks=pytest.mark.long),
    # These are a program's own doing.
    ("raise MemoryError", {}, "the file failed: 'MemoryError:  (line 1)'"),
    pytest.param("import os\nos.kill(os.getpid(), 11)", {}, "the program ended before it",
                 marks=pytest.mark.long),
    pytest.param("open('x', 'wb').write(bytes(9 << 20))", {"file": 1 << 20}, "File too large",
                 marks=pytest.mark.long),
    pytest.param("import os\nwhile True: os.open('.', 0)", {}, "the program ended before it",
                 marks=pytest.mark.long),
    pytest.param("while True: pass", {"seconds": 1}, "longer than 1 seconds",
                 marks=pytest.mark.long),
])  # fmt: skip
@pytest.mark.skipif(sys.platform != "linux", reason="the system's words are those of Linux")
def test_whose_fault_an_end_is(
    text: str, limits: dict[str, int], words: str, tmp_path: Path
) -> None:
    fault = run(text, tmp_path, **limits)
    assert words in fault
    assert fault.startswith("? ") is (words.startswith(("? ", "by signal")))


def test_an_error_of_the_machine_in_a_function_is_not_kept_as_the_programs(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        RIGHT.replace(
            "def no_good_cut(", "def no_good_cut(t):\n    raise OSError(28, 'x')\n\n\ndef unused("
        )
    )
    with pytest.raises(MachineFault, match="No space left"):
        calmip.grade("5", tmp_path / "mine.py")


def test_a_limit_of_processor_time_has_a_signal_of_its_own(tmp_path: Path) -> None:
    import resource

    text = "import resource\nraise ValueError(resource.getrlimit(resource.RLIMIT_CPU))"
    low, high = json.loads(run(text, tmp_path).split("(")[1].split(")")[0].join("[]"))
    own = resource.getrlimit(resource.RLIMIT_CPU)[1]
    assert high == low + _child.KILL_MARGIN_SECONDS or own <= high


@contextmanager
def after_the_run(change: Callable[[Path], object], patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Change what lies in the folder of a program after it has ended."""
    real = sandbox._start

    def start(folder: Path, *given: Any) -> Any:
        ran = real(folder, *given)
        change(folder)
        return ran

    with patch.context() as inner:
        inner.setattr(sandbox, "_start", start)
        yield


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "cuts.json").write_bytes(b""),
        lambda folder: (folder / "cuts.json").write_bytes((folder / "cuts.json").read_bytes()[:-1]),
        lambda folder: (folder / "cuts.json").unlink(),
        lambda folder: (folder / "done").unlink(),
        lambda folder: (folder / "cuts.json").write_text("{}"),
    ],
    ids=["empty", "cut", "gone", "not done", "another"],
)
def test_a_result_that_is_not_what_the_program_wrote_is_no_fault_of_its_own(
    change: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.protection("cuts")
    with after_the_run(change, monkeypatch):
        assert run(RIGHT, tmp_path).startswith("? ")
    assert run(RIGHT, tmp_path) == ""


def test_a_result_that_cannot_be_read_is_no_fault_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.protection("cuts")
    real = os.open

    def refuse(path: Any, *given: Any, **more: Any) -> int:
        if str(path).endswith("cuts.json"):
            raise OSError(errno.EIO, "x")
        return real(path, *given, **more)

    monkeypatch.setattr(os, "open", refuse)
    assert run(RIGHT, tmp_path) == f"? {os.strerror(errno.EIO)}"


@pytest.mark.parametrize("status", [-9, None, 16])
def test_a_killed_warden_is_no_fault_of_the_program(
    status: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "protection", lambda job: Protection())
    monkeypatch.setattr(sandbox, "run", lambda *_, **__: Ended(status, ""))
    assert run(RIGHT, tmp_path).startswith("? ")


def test_no_thread_is_no_fault_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("can't start new thread")

    sandbox.protection("cuts")
    monkeypatch.setattr(sandbox, "run", fail)
    with pytest.raises(SolverFailed, match="can't start new thread"):
        run(RIGHT, tmp_path)


@pytest.mark.parametrize("when", [1, 2])
@pytest.mark.parametrize("text", [RIGHT, "x = ("], ids=["right", "wrong"])
def test_space_and_memory_are_asked_before_and_after(
    when: int, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.protection("cuts")
    asked = []

    def shortage(folder: Path) -> str:
        asked.append(folder)
        return "nothing is left" if len(asked) == when else ""

    monkeypatch.setattr(sandbox, "shortage", shortage)
    assert run(text, tmp_path) == "? nothing is left; make room"
    assert len(asked) == when


def test_a_program_that_ends_while_the_system_is_out_of_memory_is_not_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: None
) -> None:
    """Without a control group of memory, which has a number of its own."""
    kills = iter((3, 4, 4, 4))
    monkeypatch.setattr(sandbox, "oom_kills", lambda: next(kills))
    assert run("import os\nos._exit(1)", tmp_path) == (
        "? the system ran out of memory and ended programs"
    )
    assert run("import os\nos._exit(1)", tmp_path).startswith("the program ended before")


@pytest.mark.skipif(sys.platform != "linux", reason="the files are those of Linux")
def test_what_is_left_is_read_from_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.shortage(tmp_path) == ""
    left = machine.memory_left()
    assert left is not None
    assert left > machine.MIN_MEMORY_BYTES
    monkeypatch.setattr(machine, "PROC", tmp_path / "proc")
    monkeypatch.setattr(machine, "CGROUPS", tmp_path / "groups")
    assert machine.memory_left() is None
    assert machine.oom_kills() == 0
    of_system = "MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapFree: 500 kB\nCommitLimit: 9000 kB\n"
    class_of(
        tmp_path,
        {
            "proc/meminfo": of_system + "Committed_AS: 6000 kB\n",
            "proc/vmstat": "pgfault 8\noom_kill 7\n",
            "proc/self/cgroup": "8:pids:/\n4:memory:/a/b\n0::/u\n",
            "proc/sys/vm/overcommit_memory": "0\n",
        },
    )
    assert machine.memory_left() == 5500 << 10
    assert machine.oom_kills() == 7
    (tmp_path / "proc/sys/vm/overcommit_memory").write_text("2\n")
    assert machine.memory_left() == 3000 << 10
    class_of(
        tmp_path,
        {
            "groups/memory/a/memory.limit_in_bytes": "9000000\n",
            "groups/memory/a/memory.usage_in_bytes": "8000000\n",
            "groups/memory/a/memory.stat": (
                "cache 1\ntotal_inactive_file 100\ntotal_active_file 200\n"
            ),
        },
    )
    assert machine.memory_left() == 1_000_300
    class_of(
        tmp_path,
        {
            "groups/u/memory.max": "max\n",
            "groups/u/memory.current": "5\n",
            "groups/u/memory.stat": "inactive_file 0\nactive_file 0\n",
            "groups/memory.max": "700\n",
            "groups/memory.current": "600\n",
            "groups/memory.stat": "inactive_file 20\nactive_file 3\n",
        },
    )
    assert machine.memory_left() == 123
    own = f"{machine.OF_PROGRAM}1-2-3"
    class_of(
        tmp_path,
        {
            "proc/self/cgroup": f"0::/u/{own}\n",
            f"groups/u/{own}/memory.max": "100\n",
            f"groups/u/{own}/memory.current": "99\n",
            f"groups/u/{own}/memory.stat": "inactive_file 0\nactive_file 0\n",
        },
    )
    assert machine.memory_left() == 123  # a program's own limit is not the machine's
    assert "of memory are left, and a program needs 128 MB" in machine.shortage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda place: os.terminal_size((1, 1)))
    with pytest.raises(AttributeError):
        machine.shortage(tmp_path)


def test_a_full_folder_is_a_shortage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = machine.MIN_DISK_BYTES - 1

    monkeypatch.setattr("shutil.disk_usage", lambda place: Usage)
    assert machine.shortage(tmp_path).endswith(" MB left, and a program needs 20 MB")
    Usage.free += 1
    assert machine.shortage(tmp_path) == ""
    if hasattr(os, "statvfs"):

        class System:
            f_files, f_favail = 1000, machine.MIN_FILES - 1

        monkeypatch.setattr(os, "statvfs", lambda place: System)
        assert "has room for 99 files" in machine.shortage(tmp_path)
        System.f_files = 0  # a file system that does not count them
        assert machine.shortage(tmp_path) == ""


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """Mount a file system of a size on a folder."""
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="a file system is mounted")
@pytest.mark.parametrize("room", [0, 4096, 300_000, 10 << 20])
def test_a_full_temporary_folder_costs_no_mark(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.protection("cuts")
    folder = class_of(tmp_path / "class", {"ada.py": RIGHT, "bob.py": "x = 1"})
    out = tmp_path / "marks.csv"
    with small_disk(tmp_path / "small", "11m"):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "small"))
        left = os.statvfs(tmp_path / "small")
        with (tmp_path / "small" / "full").open("wb") as file:
            file.write(bytes(max(0, left.f_bavail * left.f_frsize - room)))
        assert main(["grade", "5", str(folder / "ada.py")]) == 4
        assert main(["grade", "5", str(folder), "-o", str(out)]) == 4
    assert not out.exists()
    monkeypatch.undo()
    assert main(["grade", "5", str(folder), "-o", str(out), "--resume"]) == 1
    assert [row["marks"] for row in csv.DictReader(out.read_text().splitlines())] == ["10", "0"]


# The rest goes on, and --resume does it again.


def failing(names: set[str], error: BaseException, patch: pytest.MonkeyPatch) -> list[str]:
    """Let the machine fail where some files are marked; return which are marked."""
    marked: list[str] = []
    real = exercises.checks_of

    def marks(exercise: str, path: Path, **more: Any) -> Any:
        marked.append(path.stem)
        if path.stem in names:
            raise error
        return real(exercise, path, **more)

    patch.setattr("calmip.course.class_marking.checks_of", marks)
    return marked


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "x"),
        OSError(errno.EIO, "x"),
        MemoryError(),
        SolverFailed("HiGHS crashed"),
        MachineFault("x"),
        calmip.InputError("cannot be written", path="/tmp"),
    ],
    ids=["ENOSPC", "EIO", "MemoryError", "SolverFailed", "MachineFault", "InputError"],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_the_rest_goes_on_and_is_not_marked_again(
    error: BaseException,
    workers: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("ada", "bob", "eve", "fay")
    texts = {f"{name}.txt": f"# {name}\n{LISTED}" for name in names} | {"fay.txt": "x"}
    folder, out = class_of(tmp_path / "class", texts), tmp_path / "marks.csv"
    command = ["grade", "1", str(folder), "--workers", str(workers), "-o", str(out)]
    with monkeypatch.context() as patch:
        failing({"bob", "fay"}, error, patch)
        assert main([*command, "--feedback", str(tmp_path / "pages")]) == 4
    told = capsys.readouterr().err
    assert "  ?/10  bob" in told
    assert "continue with --resume" in told
    assert {path.stem for path in (tmp_path / "pages").iterdir()} == {"ada", "eve"}
    table = {row["student"]: row for row in csv.DictReader(out.read_text().splitlines())}
    assert {name: row["marks"] for name, row in table.items()} == {
        "ada": "10",
        "bob": "?",
        "eve": "10",
        "fay": "?",
    }
    part = tmp_path / "marks.csv.part"
    assert part.exists()
    with monkeypatch.context() as patch:
        marked = failing(set(), error, patch)
        assert main([*command, "--resume"]) == 1
        assert sorted(marked) == ["bob", "fay"]
    assert not part.exists()
    assert [row["marks"] for row in csv.DictReader(out.read_text().splitlines())] == [
        "10",
        "10",
        "10",
        "0",
    ]
    assert "bob - -> 10" in capsys.readouterr().err  # it had none before


@pytest.mark.parametrize("form", ["csv", "json", "nbgrader", "text", "html"])
def test_what_was_not_marked_is_no_zero_in_any_form(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {"ada.txt": LISTED, "bob.txt": LISTED + "\n"})
    failing({"bob"}, MemoryError(), monkeypatch)
    out = tmp_path / "marks"
    assert main(["grade", "1", str(folder), "--format", form, "-o", str(out)]) == 4
    text = out.read_text()
    if form == "json":
        found = json.loads(text)["submissions"]
        assert [one["marks"] for one in found] == [10, None]
        assert found[1]["checks"][0]["undecided"] is True
    elif form in ("csv", "nbgrader"):
        of, none = ("marks", "?") if form == "csv" else ("score", "")
        lines = list(csv.DictReader(text.splitlines()))
        assert [row[of] for row in lines] == ["10", none]
        assert "0" not in lines[1].values() or form == "nbgrader"  # the late penalty is 0
    elif form == "text":
        assert "  ?/10  bob" in text
        assert "1 not marked, as this machine failed (--resume marks them)" in text
    else:
        assert ">?<" in text
    if form in ("csv", "json", "nbgrader"):  # an earlier ? is no earlier mark
        again = calmip.grade.folder("1", [folder / "ada.txt"], before=out)
        assert again.submissions[0].before == 10


@pytest.mark.parametrize("form", ["csv", "json", "nbgrader"])
def test_the_earlier_marks_of_one_student_are_read(form: str, tmp_path: Path) -> None:
    folder, out = class_of(tmp_path / "class", {"ada.txt": LISTED}), tmp_path / "marks"
    assert main(["grade", "1", str(folder), "--format", form, "-o", str(out)]) == 0
    (one,) = calmip.grade.folder("1", [folder], before=out).submissions
    assert one.before == 10


def test_a_machine_that_fails_every_time_gives_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = class_of(tmp_path / "class", {"ada.txt": LISTED, "bob.txt": LISTED + "\n"})
    failing({"ada", "bob"}, OSError(errno.ENOSPC, "x"), monkeypatch)
    assert main(["grade", "1", str(folder), "-o", str(tmp_path / "marks.csv")]) == 4
    assert "error: this machine failed, not the submission: " in capsys.readouterr().err
    assert not (tmp_path / "marks.csv").exists()


@pytest.mark.parametrize("place", ["write", "close"])
def test_a_journal_that_cannot_be_written_ends_no_marking(
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("ada", "bob", "eve")
    folder = class_of(tmp_path / "class", {f"{n}.txt": f"# {n}\n{LISTED}" for n in names})
    out = tmp_path / "marks.csv"
    written = []

    def full(*_: Any) -> None:
        written.append(1)
        if place == "close" or len(written) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        if place == "close":
            patch.setattr("calmip.puzzle.tasks.journal.FLUSH_SECONDS", 1e9)
            patch.setattr("calmip.puzzle.tasks.journal.os.fsync", full)
        else:
            real = calmip.puzzle.tasks.journal.Journal._write
            patch.setattr(
                calmip.puzzle.tasks.journal.Journal, "_write", lambda *given: (full(), real(*given))
            )
        journal = tmp_path / "part"
        found = calmip.grade.folder("1", [folder], journal=journal)
    assert rows(found) == dict.fromkeys(names, 10)
    assert found.status is Status.FAILED
    assert found.unfinished
    assert "No space left on device; what is marked from now on is not kept" in found.notes[0]
    again = calmip.grade.folder("1", [folder], journal=journal, resume=True)
    assert rows(again) == rows(found)
    assert again.status is Status.ACCEPTED
    assert main(["grade", "1", str(folder), "-o", str(out)]) == 0


def test_a_page_that_cannot_be_written_ends_no_marking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {"ada.txt": LISTED, "bob.txt": LISTED + "\n"})

    def write(pages: Pages, _: int, marks: Marks) -> None:
        if marks.student == "ada":
            raise calmip.InputError("cannot be written: No space left on device", path=pages.target)

    monkeypatch.setattr(Pages, "write", write)
    found = calmip.grade.folder("1", [folder], feedback=tmp_path / "pages")
    assert rows(found) == {"ada": 10, "bob": 10}
    assert found.status is Status.FAILED
    assert found.notes == (f"{tmp_path / 'pages'}: cannot be written: No space left on device",)


@pytest.mark.parametrize("named", [True, False])
def test_a_folder_that_the_machine_cannot_read_gives_no_marks(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {"ada/x.txt": LISTED, "bob/x.txt": LISTED})
    (tmp_path / "roster.csv").write_text("student\nada\nbob\n")
    real = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("bob"):
            raise OSError(errno.EIO, "Input/output error", *([str(path)] * named))
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(MachineFault, match=r"class.*: Input/output error"):  # or bob has no file
        calmip.grade.folder("1", [folder], roster=tmp_path / "roster.csv")


def test_a_file_that_the_machine_cannot_read_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = class_of(tmp_path / "class", {"ada.txt": LISTED, "bob.txt": LISTED})
    real = Path.open

    def refuse(path: Path, *given: Any, **more: Any) -> Any:
        if path == folder / "bob.txt":
            raise OSError(errno.EIO, "Input/output error", str(path))
        return real(path, *given, **more)

    monkeypatch.setattr(Path, "open", refuse)
    found = calmip.grade.folder("1", [folder])
    assert rows(found) == {"ada": 10, "bob": "?"}
    with pytest.raises(MachineFault):  # an autograder has no marks then
        grade_submission("1", folder / "bob.txt")


def test_an_undecided_check_is_no_zero_in_a_table(tmp_path: Path) -> None:
    checks = run_checks(
        [
            ("a", 2, lambda: None, False),
            ("b", 3, lambda: (_ for _ in ()).throw(Undecided("the time was over")), False),
        ]
    )
    marks = Marks("1", "x", checks, "ada.txt", "ada")
    from calmip.course import report as reports

    (row,) = csv.DictReader(reports.csv(marks).splitlines())
    assert (row["a"], row["b"], row["marks"]) == ("2", "?", "2")
    assert marks.status is Status.UNKNOWN


def test_a_fault_names_the_file_of_the_student_not_its_copy(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "class", {"ada.sol": "x y z\n", "bob.sol": "\0"})
    for one in calmip.grade.folder("6", [folder]).submissions:
        assert str(folder / f"{one.student}.sol") in one.checks[0].fault
        assert "calmip-scratch" not in one.checks[0].fault


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there are no such signals")
def test_a_program_killed_from_outside_is_marked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.protection("cuts")
    folder = class_of(tmp_path / "class", {"ada.py": RIGHT, "bob.py": RIGHT + "# bob\n"})
    flag = "if open(__file__).read().endswith('# bob\\n'): __import__('os').kill(os.getpid(), 9)"
    real = sandbox._child.__name__
    assert real == "calmip.course._child"
    (folder / "bob.py").write_text(f"import os\n{flag}\n{RIGHT}# bob\n")
    found = calmip.grade.folder("5", [folder], unprotected=True)
    assert rows(found) == {"ada": 10, "bob": "?"}
    assert "ended from outside, by signal 9" in found.submissions[1].checks[0].fault
