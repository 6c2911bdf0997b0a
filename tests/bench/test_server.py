"""The process that runs the jobs of a campaign: which limit a run has reached."""

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calmip.bench import server

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

RUN = 7
"""The number of the run's process."""

AWAKE = -5
"""The end of the pipe by which the system says that a process has ended."""


@dataclass(frozen=True)
class Look:
    """What there is to see when a run is looked at, a second after the last look."""

    ended: tuple[tuple[int, int, float, int], ...] = ()
    held: int = 0
    processor: float = 0.0
    ready: tuple[int, ...] = ()


class Gone(Exception):
    """This process would have ended."""


class Watched:
    """A run that is watched: each look at it shows what is given."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.looks, self.now = folder, iter(list[Look]()), Look()
        self.second, self.peak, self.left = 1000.0, 0, 0.0
        self.read: list[int] = []
        self.ends = 0
        monkeypatch.setattr(server, "_fork", lambda *_: RUN)
        monkeypatch.setattr(server, "_Watch", self.watch)
        monkeypatch.setattr(server, "_end", self.end)
        monkeypatch.setattr(server, "reap_children", lambda: self.now.ended)
        monkeypatch.setattr(server, "perf_counter", lambda: self.second)
        select = SimpleNamespace(select=self.select)
        monkeypatch.setattr(server, "select", select)
        gone = SimpleNamespace(read=lambda end, _: self.read.append(end), _exit=self.exit)
        monkeypatch.setattr(server, "os", gone)

    def watch(self, run: int) -> Any:
        assert run == RUN
        return self

    @property
    def processor(self) -> float:
        return self.now.processor

    waited = 0.5

    def look(self) -> int:
        return self.now.held

    def select(self, ends: list[int], *_: object) -> tuple[tuple[int, ...], list[int], list[int]]:
        assert ends == [0, AWAKE]
        self.second += 1.0
        self.now = next(self.looks)  # it is not looked at again
        return self.now.ready, [], []

    def end(self) -> float:
        self.ends += 1
        return self.left

    def exit(self, code: int) -> None:
        raise Gone(code)

    def run(self, *looks: Look, **limits: float | None) -> dict[str, Any]:
        self.looks = iter(looks)
        task = {"folder": str(self.folder), "seconds": None, "memory": None, "cpu": None}
        found = server._run(lambda _: None, task | limits, AWAKE)
        assert next(self.looks, None) is None
        return found


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(tmp_path / "run", monkeypatch)


@pytest.mark.parametrize(
    ("held", "memory", "processor", "ended", "cpu", "killed"),
    [
        (100, 100, 0.0, 0.0, None, None),
        (101, 100, 0.0, 0.0, None, "memory"),
        (0, None, 0.0, 0.0, None, None),
        (10**12, None, 9.0, 9.0, None, None),
        (0, None, 0.75, 0.0, 1.0, None),
        (0, None, 0.75, 0.25, 1.0, None),
        (0, None, 0.75, 0.5, 1.0, "time"),
        (0, None, 0.5, 0.75, 1.0, "time"),
        (0, None, 0.0, 1.5, 1.0, "time"),
        (0, None, 1.5, 0.0, 1.0, "time"),
    ],
)
def test_a_run_is_killed_beyond_its_limits_and_not_at_them(
    watched: Watched,
    held: int,
    memory: int | None,
    processor: float,
    ended: float,
    cpu: float | None,
    killed: str | None,
) -> None:
    """Of memory, and of the CPU seconds of what has ended and of what runs together."""
    first = Look(((-1, 0, ended, 0),), held, processor)
    more = () if killed else (Look(((RUN, 0, 0.0, 0),)),)
    found = watched.run(first, *more, memory=memory, cpu=cpu)
    assert (found["killed"], found["status"]) == (killed, None if killed else 0)
    assert watched.ends == 1


def test_a_run_has_its_seconds_from_its_start(watched: Watched) -> None:
    assert watched.run(*[Look()] * 3, seconds=2)["killed"] == "time"
    end = Look(((RUN, 0, 0.0, 0),))
    assert watched.run(*[Look()] * 2, end, seconds=2)["killed"] is None
    assert watched.run(*[Look()] * 50, end)["wall"] == 51.0


def test_a_run_ends_with_its_own_process(watched: Watched) -> None:
    """Others end before it; what it leaves behind is killed and counted."""
    watched.left, watched.peak = 0.125, 30
    others = Look(((8, 1, 0.5, 90), (9, 2, 0.25, 70)), ready=(AWAKE,))
    own = Look(((9, 2, 1.0, 70), (RUN, 3, 2.0, 20), (8, 1, 4.0, 90)), held=99)
    # That the caller has ended as well is found out later.
    found = watched.run(others, Look(), replace(own, ready=(0,)), memory=50)
    assert found == {
        "killed": None, "status": 3, "cpu": 7.875, "memory": 30, "waited": 0.5, "wall": 3.0
    }  # fmt: skip
    assert (watched.read, watched.ends) == ([AWAKE], 1)
    watched.peak = 0
    assert watched.run(own)["memory"] == 20


@pytest.mark.parametrize("there", [True, False])
def test_a_run_ends_with_its_caller(there: bool, watched: Watched) -> None:
    if there:
        watched.folder.mkdir()
        (watched.folder / "output.txt").write_text("half of it")
    with pytest.raises(Gone):
        watched.run(Look(), Look(ready=(0,)))
    assert watched.ends == 1
    assert not watched.folder.exists()


def test_what_cannot_be_killed_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "end_children", lambda seconds: seconds)
    assert server._end() == server.KILL_SECONDS

    def never(_: float) -> float:
        raise TimeoutError

    monkeypatch.setattr(server, "end_children", never)
    assert server._end() == 0.0


def test_the_memory_is_of_all_processes_and_the_peak_of_what_a_run_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without any it is the run's own; that of the watching process never counts."""
    running: dict[int, int] = {}
    monkeypatch.setattr(server, "descendants", lambda _: set(running))
    monkeypatch.setattr(server, "resident", lambda pid: running[pid])
    monkeypatch.setattr(server, "processor_seconds", lambda pid: pid / 4)
    monkeypatch.setattr(server, "PROC", Path("nowhere"))
    running |= {RUN: 50}
    watch = server._Watch(RUN)
    assert (watch.look(), watch.peak, watch.processor) == (50, 50, RUN / 4)
    running |= {8: 30, 9: 40}
    assert (watch.look(), watch.peak, watch.processor) == (120, 70, 6.0)
    running |= {8: 10}
    assert (watch.look(), watch.peak) == (100, 70)


@pytest.mark.skipif(not server.FORKS, reason="runs are forked on Linux")
def test_a_run_that_ends_before_the_first_look_has_its_memory() -> None:
    program = """
import os, tempfile, time
from pathlib import Path
from calmip.bench import server

class Late(server._Watch):
    def __init__(self, run):
        time.sleep(0.3)
        super().__init__(run)

server._Watch = Late
task = {"folder": tempfile.mkdtemp(), "seconds": None, "memory": None, "cpu": None}
print(server._run(lambda _: None, task, os.pipe()[0])["memory"])
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
    )
    assert int(ended.stdout) > 1e6, ended.stderr


@posix
@pytest.mark.parametrize(
    ("held", "memory", "killed"),
    [(101, 100, "memory"), (100, 100, "time"), (10**12, None, "time"), (0, 100, "time")],
)
def test_a_run_without_a_fork_says_which_limit_it_reached(
    held: int, memory: int | None, killed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "FORKS", False)
    monkeypatch.setattr(server, "find_spec", lambda _: True)
    monkeypatch.setattr(server, "descendants", lambda _: set())
    monkeypatch.setattr(server, "resident", lambda _: held)
    monkeypatch.setattr(server, "python", lambda text: [sys.executable, "-c", text])
    work: Any = "import time; time.sleep(600)"
    found = server.supervise(work, tmp_path, 0.5, memory, served=work)
    assert (found["killed"], found["status"], found["memory"]) == (killed, None, held or None)
    work = "pass"
    ended = server.supervise(work, tmp_path, 60.0, None, served=work)
    assert (ended["killed"], ended["status"]) == (None, 0)


@pytest.mark.parametrize(
    ("pid", "state", "looks", "stopped"),
    [
        (7, "T", ["1 2000000000 3"] * 3, 2.0),
        (7, "t", ["1 2000000000 3"] * 2, 1.0),
        (7, "R", ["1 2000000000 3"] * 3, 0.0),
        (7, "T", ["1 1000000000 3", "2 2000000000 3"], 0.0),  # it has run
        (8, "T", ["1 2000000000 3"] * 3, 0.0),  # a process that the run started
        (7, "T", ["1 2000000000 3", "0"], 0.0),  # it is dead
    ],
)
def test_a_stopped_run_waits_for_no_processor(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pid: int,
    state: str,
    looks: list[str],
    stopped: float,
) -> None:
    """``waited`` has the time in which it was stopped apart from that of the scheduler."""
    monkeypatch.setattr(server, "PROC", tmp_path)
    monkeypatch.setattr(server._Watch, "look", lambda self: 0)
    watch = server._Watch(7)
    (tmp_path / str(pid)).mkdir()
    (tmp_path / f"{pid}/stat").write_text(f"{pid} (a) b) {state} 1 1")
    for delay in looks:
        (tmp_path / f"{pid}/schedstat").write_text(delay)
        watch._look_at_delay(pid, 1.0)
    assert (watch._stopped, watch.waited) == (stopped, stopped + 2.0)
