"""Whose fault it is that a program of a student gave no result, without running one."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
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
    try:
        with sandbox._own_work():
            raise error
    except MachineFault as found:
        assert not isinstance(error, KeyError)
        assert found.__cause__ is error
    except KeyError:
        assert isinstance(error, KeyError)


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
        with sandbox.run_submission(tmp_path / "mine.py", {"job": "pulp"}, handed) as folder:
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
