"""The process that runs the jobs of a campaign: which limit a run has reached."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from calmip.bench import server

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

LIMITS = """
import json, os, tempfile, time
from pathlib import Path
from calmip.bench import server

class Fake:
    peak, waited = 1, 0.0
    def __init__(self, run):
        self.processor = processor
    def look(self):
        return held

real = server.reap_children
def reap():
    yield from given
    given.clear()
    yield from real()

server._Watch, server.reap_children = Fake, reap
for held, memory, processor, ended, cpu in json.loads(sys.argv[1]):
    given = [(-1, 0, ended, 0)]
    task = {"folder": tempfile.mkdtemp(), "seconds": None, "memory": memory, "cpu": cpu}
    print(server._run(lambda _: time.sleep(0.3), task, os.pipe()[0])["killed"])
"""


@posix
def test_a_run_is_killed_beyond_its_limits_and_not_at_them() -> None:
    """Of memory, and of the CPU seconds of what has ended and of what runs together."""
    cases = {
        (100, 100, 0.0, 0.0, None): "None",
        (101, 100, 0.0, 0.0, None): "memory",
        (0, None, 0.0, 0.0, None): "None",
        (10**12, None, 9.0, 9.0, None): "None",
        (0, None, 0.75, 0.0, 1.0): "None",
        (0, None, 0.75, 0.25, 1.0): "None",
        (0, None, 0.75, 0.5, 1.0): "time",
        (0, None, 0.5, 0.75, 1.0): "time",
        (0, None, 0.0, 1.5, 1.0): "time",
        (0, None, 1.5, 0.0, 1.0): "time",
    }
    reading, writing = os.pipe()  # its end would be that of the caller
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{LIMITS}", json.dumps(list(cases))],
        stdin=reading,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(reading)
    os.close(writing)
    assert done.stdout.split() == list(cases.values()), done.stderr


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
