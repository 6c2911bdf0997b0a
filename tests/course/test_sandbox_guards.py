"""Whose fault it is that a program of a student gave no result, without running one."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import SolverFailed
from calmip.course import sandbox
from calmip.course.checks import Failed, MachineFault
from calmip.course.sandbox import KILLED, _check, _digest, _handed, _out_of_memory, _Ran, _take
from calmip.processes import Ended

WARDEN = sandbox.warden

BOUNDS = {"seconds": 7, "folder": 99, "entries": 5, "processes": 3, "bytes": 1 << 20, "file": 40}

GOOD = Ended(WARDEN.ENDED, "", 0)


def fault(function: Any, *given: Any) -> str:
    """Return whose fault it is: with the machine's before its words; empty without one."""
    try:
        function(*given)
    except Failed as failed:
        return str(failed)
    except MachineFault as failed:
        return f"machine: {failed}"
    return ""


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (WARDEN.ENDED, ""),
        (WARDEN.LATE, "the program took longer than 7 seconds"),
        (WARDEN.FULL, "the program wrote more than 99 bytes, or more than 5 files and folders"),
        (WARDEN.MANY, "the program started more than 3 processes"),
        (WARDEN.LEFT, "machine: this machine failed, not the submission: some processes"),
        (-9, "machine: this machine failed, not the submission: the process that watches"),
        (None, "machine: this machine failed, not the submission: the process that watches"),
    ],
)
def test_a_program_that_left_its_limits_failed(status: int | None, words: str) -> None:
    found = fault(_check, Ended(status, ""), BOUNDS)
    assert found.startswith(words)
    assert bool(found) is bool(words)


def test_a_result_is_what_the_program_has_written(tmp_path: Path) -> None:
    (tmp_path / "done").write_bytes(b"")
    (tmp_path / "a.json").write_bytes(b"{}")
    right = {"a.json": _digest(b"{}")}
    for handed in (None, right):
        ran = _Ran(GOOD, None, handed)  # type: ignore[arg-type]
        assert _handed(tmp_path, ran, BOUNDS, ["a.json"]) == {"done": b"", "a.json": b"{}"}
    for handed in ({}, {"a.json": _digest(b"[]")}):
        found = fault(_handed, tmp_path, _Ran(GOOD, None, handed), BOUNDS, ["a.json"])
        assert found.endswith("a.json is not as the program has written it: empty, cut or gone")
        assert found.startswith("machine: ")
    missing = _Ran(GOOD, None, None)
    found = fault(_handed, tmp_path, missing, BOUNDS, ["a.json", "b.json"])
    assert found == "the program ended before it had handed over its result"
    lacked = _Ran(GOOD, "no space left", None)
    assert fault(_handed, tmp_path, lacked, BOUNDS, ["a.json"]).endswith(": no space left")
    for blame in (Failed("too much memory"), MachineFault("no memory")):
        ran = _Ran(GOOD, None, None, blame)
        assert str(blame) in fault(_handed, tmp_path, ran, BOUNDS, ["a.json"])
    late = _Ran(Ended(WARDEN.LATE, ""), "no space left", None)
    assert fault(_handed, tmp_path, late, BOUNDS, ["a.json"]).startswith("the program took longer")
    (tmp_path / "error.json").write_bytes(b'"it broke"')
    assert fault(_handed, tmp_path, missing, BOUNDS, ["a.json"]).startswith("the file failed: ")


@pytest.mark.parametrize("handed", [None, {}])
def test_who_ended_a_program_without_a_result(handed: Any) -> None:
    for status in (None, 0, 1, -11, 139, *(-number for number in KILLED)):
        found = _Ran(Ended(WARDEN.ENDED, "", status), None, handed).unfinished()
        outside = status is not None and -status in KILLED
        assert isinstance(found, MachineFault) is (outside or handed is not None)
        assert ("ended from outside, by signal" in str(found)) is outside
    wrapped = _Ran(Ended(WARDEN.ENDED, "", 128 + KILLED[0]), None, handed).unfinished()
    assert "ended from outside" in str(wrapped)


@pytest.mark.parametrize("killed", [0, 1, 3])
@pytest.mark.parametrize("reached", [0, 1])
@pytest.mark.parametrize("version", [1, 2])
def test_memory_is_the_fault_of_who_reached_the_limit(
    version: int, reached: int, killed: int, tmp_path: Path
) -> None:
    if version == 2:
        (tmp_path / "memory.events").write_text(f"oom {reached}\noom_kill {killed}\n")
    else:
        (tmp_path / "memory.oom_control").write_text(f"under_oom 0\noom_kill {killed}\n")
        (tmp_path / "memory.failcnt").write_text(f"{reached}\n")
    found = _out_of_memory(tmp_path, 1000)
    if not killed:
        assert found is None
    elif reached:
        assert isinstance(found, Failed)
        assert "took more than 1,000 bytes" in str(found)
    else:
        assert isinstance(found, MachineFault)
        assert "ran out of memory" in str(found)
    assert _out_of_memory(tmp_path / "nowhere", 1000) is None


def test_only_a_regular_file_of_some_size_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "result"
    assert _take(file, 9) is None
    file.write_bytes(b"x" * 9)
    assert _take(file, 9) == b"x" * 9
    assert "is larger than 8 bytes" in fault(_take, file, 8)
    for name in ("link", "folder", "pipe"):
        other = tmp_path / name
        if name == "link":
            with suppress(OSError):  # Windows may refuse it
                other.symlink_to(file)
        elif name == "folder":
            other.mkdir()
        elif hasattr(os, "mkfifo"):
            os.mkfifo(other)
        if other.exists():
            assert f"it handed over {name}, which is not" in fault(_take, other, 9)
    for number, machine in ((errno.EMFILE, True), (errno.EACCES, False)):

        def fails(*_: object, number: int = number) -> int:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(sandbox.os, "open", fails)
        assert fault(_take, file, 9).startswith("machine: ") is machine


@pytest.mark.parametrize("error", [OSError(28, "no space"), MemoryError(), KeyError("x")])
def test_own_work_with_files_is_the_machines(error: Exception) -> None:
    kind = KeyError if isinstance(error, KeyError) else MachineFault
    with pytest.raises(kind) as raised, sandbox._own_work():
        raise error
    assert error in (raised.value, raised.value.__cause__)


@pytest.mark.parametrize("own_group", [True, False])
@pytest.mark.parametrize("after", [2, 3])
@pytest.mark.parametrize("failed", [True, False])
def test_a_failure_is_the_machines_if_it_has_ended_programs_meanwhile(
    failed: bool, after: int, own_group: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control group of memory counts what it ends itself."""
    numbers = iter([2, after])

    def ended(*_: object) -> dict[str, bytes]:
        if failed:
            raise Failed("it broke")
        return {}

    way = sandbox.Protection(memory=tmp_path if own_group else None)
    monkeypatch.setattr(sandbox, "_close_to_others", lambda: None)
    monkeypatch.setattr(sandbox, "protection", lambda _: way)
    monkeypatch.setattr(sandbox, "shortage", lambda _: "")
    monkeypatch.setattr(sandbox, "oom_kills", lambda: next(numbers))
    monkeypatch.setattr(sandbox, "_run", ended)

    def mark() -> None:
        with sandbox.run_submission(tmp_path / "mine.py", {"job": "models"}, ()):
            pass

    starved = failed and after > 2 and not own_group
    found = fault(mark)
    assert found.startswith("machine: ") is starved
    assert found.endswith("it broke") is (failed and not starved)
    assert bool(found) is failed


@pytest.mark.parametrize("change", [None, "marked", "also marked", "cut"])
def test_what_was_handed_over_stays_as_it_is_while_it_is_marked(
    change: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed = {"a.json": b"{}", "b.json": b"[]"}
    monkeypatch.setattr(sandbox, "_close_to_others", lambda: None)
    monkeypatch.setattr(sandbox, "protection", lambda _: sandbox.Protection())
    monkeypatch.setattr(sandbox, "_check_room", lambda *_: None)
    monkeypatch.setattr(sandbox, "_run", lambda *_: handed)

    def mark() -> None:
        with sandbox.run_submission(tmp_path / "mine.py", {"job": "models"}, handed) as folder:
            assert {name: (folder / name).read_bytes() for name in handed} == handed
            if change is not None:
                name = "b.json" if "also" in change else "a.json"
                (folder / name).write_bytes(b"" if change == "cut" else b"7")

    found = fault(mark)
    name = "b.json" if change == "also marked" else "a.json"
    words = f"{name} was changed while it was marked" if change else ""
    assert found.endswith(words)
    assert found.startswith("machine: ") is bool(change)


def test_programs_that_run_only_now_and_then_have_no_protection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No way works, and then Python starts after all."""
    starts: list[sandbox.Protection] = []

    def start(_: Path, order: Any, __: Any, way: sandbox.Protection) -> None:
        assert order == {"job": "nothing", "library": "none"}
        starts.append(way)
        if len(starts) < 3:
            raise SolverFailed("not here")

    monkeypatch.setattr(sandbox, "_start", start)
    monkeypatch.setattr(sandbox, "_groups", lambda _: None)
    monkeypatch.setattr(sandbox, "is_root", lambda: True)
    monkeypatch.setattr(sandbox.sys, "platform", "linux")
    monkeypatch.setattr(sandbox.shutil, "which", lambda _: None)
    with pytest.raises(SolverFailed, match="can be run only now and then on this machine"):
        sandbox._try_ways("none")
    assert [way.own_user for way in starts] == [True, False, False]
    starts.clear()
    monkeypatch.setattr(sandbox.sys, "platform", "darwin")
    with pytest.raises(SolverFailed, match="not here"):
        sandbox._try_ways("none")
    assert starts == [sandbox.Protection()] * 2


GROUPS, MEMORY = Path("/groups/pids"), Path("/groups/memory")

HELD = ["memory", "the number of processes", "files"]


@pytest.mark.parametrize("bubblewrap", [True, False])
@pytest.mark.parametrize("linux", [True, False])
@pytest.mark.parametrize("root", [True, False])
def test_the_strongest_protection_that_works_is_chosen(
    root: bool, linux: bool, bubblewrap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bubblewrap before a user of its own before a control group alone before none."""
    way = sandbox.Protection
    users = [True, False] if root and linux else [False]
    programs = ["/bin/bwrap", ""] if bubblewrap and linux else [""]
    every = [way(program, user, GROUPS, MEMORY) for program in programs for user in users]
    every.append(way())
    monkeypatch.setattr(sandbox, "_groups", {"pids": GROUPS, "memory": MEMORY}.get)
    monkeypatch.setattr(sandbox, "is_root", lambda: root)
    monkeypatch.setattr("sys.platform", "linux" if linux else "darwin")
    monkeypatch.setattr("shutil.which", lambda _: "/bin/bwrap" if bubblewrap else None)
    for number, wanted in enumerate(every):
        tried: list[sandbox.Protection] = []

        def start(
            folder: Path,
            _: object,
            bounds: object,
            way: sandbox.Protection,
            tried: list[sandbox.Protection] = tried,
            number: int = number,
        ) -> None:
            assert bounds == sandbox.LIMITS
            tried.append(way)
            if len(tried) <= number:
                raise SolverFailed("not here")
            (folder / "held.json").write_text(json.dumps(HELD))

        monkeypatch.setattr(sandbox, "_start", start)
        found = sandbox._try_ways.__wrapped__("pulp")
        assert tried == every[: number + 1]
        # The system does not limit the processes of root.
        held = [one for one in HELD if one != HELD[1] or not root or wanted.own_user]
        assert found == replace(wanted, held=tuple(held))


def test_a_process_is_in_one_control_group_of_version_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(folder: Path, *_: object) -> None:
        (folder / "held.json").write_text("[]")

    monkeypatch.setattr(sandbox, "_start", start)
    (second := tmp_path / "second").mkdir()
    (second / "cgroup.controllers").touch()
    first = tmp_path / "first"
    for groups, memory, kept in [
        (None, None, None),
        (first, None, None),
        (None, second, second),
        (second, second, second),
        (second, first, first),  # two of version 1
        (first, second, None),
    ]:
        monkeypatch.setattr(sandbox, "_groups", {"pids": groups, "memory": memory}.get)
        found = sandbox._try_ways.__wrapped__("")
        assert (found.groups, found.memory) == (groups, kept)


def test_only_a_job_that_needs_a_library_loads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_try_ways", lambda library: f"with {library or 'none'}")
    for job, library in (("models", "pulp"), ("cuts", "none")):
        assert sandbox.protection(job) == f"with {library}"  # type: ignore[comparison-overlap]

        def start(folder: Path, order: Any, *_: object, library: str = library) -> Any:
            assert order["library"] == library.replace("none", "")
            assert Path(order["submission"]).read_bytes() == b"x = 1"
            (folder / "done").touch()
            return _Ran(GOOD, None, None)

        monkeypatch.setattr(sandbox, "_start", start)
        source: Any = SimpleNamespace(read_bytes=lambda: b"x = 1")
        task = {"job": job}
        assert sandbox._run(source, task, (), BOUNDS, sandbox.Protection()) == {"done": b""}


class Started:
    """A machine on which a child is started: what it gets, and how it ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.folder, self.ended, self.error = folder, Ended(WARDEN.ENDED, "", 0), ""
        self.given: dict[str, Any] = {}
        self.groups: list[Any] = []
        self.owners: list[Any] = []
        self.faults: dict[Path, Any] = {}
        monkeypatch.setattr(sandbox, "run", self.run)
        monkeypatch.setattr(sandbox, "_group", self.group)
        monkeypatch.setattr(sandbox, "_free_user", lambda: 61200)
        monkeypatch.setattr(sandbox, "_threads_of_user", lambda: 5)
        monkeypatch.setattr(sandbox, "_out_of_memory", lambda one, _: self.faults.get(one))
        monkeypatch.setattr(
            "os.chown", lambda path, *one: self.owners.append((path, *one)), raising=False
        )

    @contextmanager
    def group(self, folder: Path, limits: Any) -> Iterator[Path]:
        self.groups.append((folder, dict(limits)))
        yield folder / "own"

    def run(self, command: list[str], **given: Any) -> Ended:
        if self.error:
            raise RuntimeError(self.error)
        self.given = given | {"command": command}
        return self.ended

    def start(self, way: sandbox.Protection, job: str = "models") -> tuple[_Ran, dict[str, Any]]:
        ran = sandbox._start(self.folder, {"job": job}, BOUNDS, way)
        return ran, json.loads((self.folder / "task.json").read_text())


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started(monkeypatch, tmp_path)


@pytest.mark.parametrize("threads", [5, None])
def test_a_child_has_its_bounds_and_its_user(
    threads: int | None, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_threads_of_user", lambda: threads)
    way = sandbox.Protection
    for user, groups, memory in product((False, True), (None, GROUPS), (None, MEMORY, GROUPS)):
        started.groups.clear()
        started.owners.clear()
        ran, task = started.start(way("", user, groups, memory))
        assert ran.ended == started.ended
        # What this user runs already counts as well, where the child is not another user.
        wanted = 1 + BOUNDS["processes"] if user else threads and threads + BOUNDS["processes"]
        assert task["limits"]["threads"] == wanted
        assert task["user"] == (61200 if user else None)
        assert bool(started.owners) is user
        limits: dict[Path, dict[str, int]] = {}
        if groups:
            limits[groups] = {"pids": BOUNDS["processes"] + 3}
        if memory:
            limits.setdefault(memory, {})["memory"] = BOUNDS["bytes"]
        assert dict(started.groups) == limits
        bounds = started.given["bounds"]
        assert bounds.groups == tuple(one / "own" for one in limits)


@pytest.mark.parametrize("job", ["models", "nothing"])
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize(
    ("status", "reached"),
    [
        (WARDEN.ENDED, True),
        (WARDEN.LATE, True),
        (WARDEN.FULL, True),
        (WARDEN.MANY, True),
        (WARDEN.LEFT, True),
        (None, True),
        (-9, True),
        (WARDEN.UNSTARTED, False),
        (1, False),
        (2, False),
    ],
)
def test_a_child_that_did_not_start_is_no_submission(
    status: int | None, reached: bool, held: bool, job: str, started: Started
) -> None:
    """A substitute for Python may end well without doing anything."""
    started.ended = Ended(status, "first\nno such file\n")
    if held:
        (started.folder / "held.json").touch()
    if reached and (held or job == "models"):
        ran, _ = started.start(sandbox.Protection(), job)
        assert ran.ended.status == status
    else:
        with pytest.raises(SolverFailed, match=r"Python did not start .* line: 'no such file'"):
            started.start(sandbox.Protection(), job)


def test_a_machine_without_threads_runs_no_program(started: Started) -> None:
    started.error = "can't start new thread"
    with pytest.raises(SolverFailed, match="cannot be run: can't start new thread"):
        started.start(sandbox.Protection())


@pytest.mark.parametrize("of", [(), (GROUPS,), (MEMORY,), (GROUPS, MEMORY)])
def test_memory_that_ran_out_is_the_first_groups_fault(of: Any, started: Started) -> None:
    started.faults = {one / "own": Failed(str(one)) for one in of}
    ran, _ = started.start(sandbox.Protection(groups=GROUPS, memory=MEMORY))
    assert str(ran.out_of_memory) == (str(of[0]) if of else "None")


def test_a_program_has_the_last_word_but_not_in_its_own_output() -> None:
    words = sandbox._Words()
    for line in (
        "lacked disk",  # without the secret word it is the program's own
        f"{words.secret} lacked memory",
        f"{words.secret} lacked more",
        f'{words.secret} handed {{"a": "b"}}',
    ):
        words.hear(line)
    ran = words.of(GOOD)
    assert (ran.lacked, ran.handed) == ("memory", {"a": "b"})
    told = words.without(Ended(0, f"one\n{words.secret} lacked memory\ntwo"))
    assert told.tail == "one\ntwo"
    for forged in ("[1]", "7", "null", "{", "[" * 100_000):
        other = sandbox._Words()
        other.hear(f"{other.secret} handed {forged}")
        assert other.of(GOOD).handed is None
    assert sandbox._Words().of(GOOD) == _Ran(GOOD, None, None)


@pytest.mark.skipif(sys.platform == "win32", reason="users have no numbers there")
def test_a_user_is_one_without_a_process_who_was_not_chosen_lately(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "USERS", range(7, 11))
    monkeypatch.setattr(sandbox, "_users", lambda: iter([(8, 1), (os.getuid(), 3), (12, 4)]))
    monkeypatch.setattr(sandbox, "_chosen", deque([10], maxlen=2))
    assert {sandbox._free_user(), sandbox._free_user()} == {7, 9}
    assert sandbox._free_user() == 10  # so long ago that its processes have started
    monkeypatch.setattr(
        sandbox, "_users", lambda: iter([(os.getuid(), 3), (8, 4), (os.getuid(), 2)])
    )
    assert sandbox._threads_of_user() == 5


@pytest.mark.skipif(sys.platform == "win32", reason="users have no numbers there")
def test_without_a_table_of_processes_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "PROC", tmp_path / "none")
    assert sandbox._threads_of_user() is None
    assert list(sandbox._users()) == []
    monkeypatch.setattr(sandbox, "PROC", tmp_path)
    for process, threads in (("12", 2), ("7", 1), ("self", 9)):
        for thread in range(threads):
            (tmp_path / process / "task" / str(thread)).mkdir(parents=True)
    assert sorted(sandbox._users()) == [(os.getuid(), 1), (os.getuid(), 2)]
    assert sandbox._threads_of_user() == 3


@pytest.mark.parametrize(
    ("table", "kind", "tried"),
    [
        ("0::/a/b\n", "pids", ["a/b", "a"]),
        ("0::/a\n", "memory", ["a", ""]),
        ("5:pids:/x\n4:memory:/y\n", "pids", ["pids/x"]),
        ("5:pids:/x\n4:memory:/y\n", "memory", ["memory/y"]),
        ("3:cpu:/z\n", "memory", []),
        ("3:cpu:/z\n0::/u\n", "memory", ["u", ""]),
        ("odd\n", "pids", []),
    ],
)
def test_control_groups_are_made_where_this_process_is(
    table: str, kind: str, tried: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In version 2 also beside its group, as a group with processes has no limited ones in it."""
    (tmp_path / "self").mkdir()
    (tmp_path / "self/cgroup").write_text(table)
    monkeypatch.setattr(sandbox, "PROC", tmp_path)
    monkeypatch.setattr(sandbox, "CGROUPS", Path("/groups"))
    places = [Path("/groups") / one for one in tried]
    for works in (*range(len(tried)), None):
        asked: list[Path] = []

        @contextmanager
        def group(
            folder: Path, limits: Any, asked: list[Path] = asked, works: int | None = works
        ) -> Iterator[Path]:
            assert limits == {kind: 1 << 20}
            asked.append(folder)
            if works is None or len(asked) <= works:
                raise OSError("read-only")
            yield folder

        monkeypatch.setattr(sandbox, "_group", group)
        assert sandbox._groups(kind) == (None if works is None else places[works])
        assert asked == (places if works is None else places[: works + 1])


def test_a_child_has_only_what_python_needs_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setenv("SECRET", "word")
    monkeypatch.setenv("PYTHONPATH", f"one{os.pathsep}{os.pathsep}two")
    found = sandbox._environment(tmp_path)
    assert found["PATH"] == "/bin"
    assert found["HOME"] == found["TMPDIR"] == str(tmp_path)
    root, *more = found["PYTHONPATH"].split(os.pathsep)
    assert (Path(root, "calmip").is_dir(), more) == (True, ["one", "two"])
    assert not {"SECRET", "LANG"} & found.keys()


@pytest.mark.parametrize("killed", [None, 0, 3])
@pytest.mark.parametrize("lack", ["", "no space"])
def test_a_machine_that_lacks_something_has_the_fault(
    lack: str, killed: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "shortage", lambda _: lack)
    for now in (0, 2, 3, 4):
        monkeypatch.setattr(sandbox, "oom_kills", lambda now=now: now)
        found = fault(sandbox._check_room, tmp_path, killed)
        ended = killed is not None and now > killed
        words = "no space; make room" if lack else "the system ran out of memory" * ended
        assert bool(found) is bool(words)
        assert words in found


@pytest.mark.parametrize(("user", "root"), [(0, True), (1, False), (1000, False), (None, False)])
def test_root_is_the_user_with_the_number_0(
    user: int | None, root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where users have no numbers there is no root."""
    if user is None:
        monkeypatch.delattr("os.geteuid", raising=False)
    else:
        monkeypatch.setattr("os.geteuid", lambda: user, raising=False)
    assert sandbox.is_root() is root
