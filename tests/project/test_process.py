"""Programs that are run: how they end, and that nothing of them is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from processes import HANG_SECONDS, assert_gone, until

from calmip import processes
from calmip._base.errors import SolverFailed
from calmip._base.signals import run_job
from calmip.processes import Ended, end_with, run

PARENT = """
import os, subprocess, sys, time
from pathlib import Path
from typing import Any
escape = {"stays": None, "own group": lambda: os.setpgid(0, 0), "own session": os.setsid}[KIND]
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(SLEEP, preexec_fn=escape)
grandchild = (
    "import subprocess, sys, time\\n"
    "print(subprocess.Popen(sys.argv[1:]).pid, flush=True)\\n"
    "time.sleep(600)"
)
second = subprocess.Popen([sys.executable, "-c", grandchild, *SLEEP], stdout=subprocess.PIPE,
                          preexec_fn=escape, text=True)
pids = [os.getpid(), child.pid, second.pid, int(second.stdout.readline())]
Path("pids.part").write_text(" ".join(map(str, pids)))
Path("pids.part").replace("pids")
END
"""

ESCAPES = ["stays", "own group", "own session"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="needs /proc")


@needs_proc
@pytest.mark.parametrize("kind", ESCAPES)
def test_grandchildren_die_when_the_time_is_over(kind: str, tmp_path: Path) -> None:
    code = PARENT.replace("KIND", repr(kind)).replace("END", "time.sleep(600)")
    pids = tmp_path / "pids"

    def attempt(seconds: float) -> None:
        ended = run([sys.executable, "-c", code], folder=tmp_path, seconds=seconds)
        assert ended.status is None

    until(pids.is_file, attempt)
    for pid in map(int, pids.read_text().split()):
        assert_gone(pid)


@needs_proc
@pytest.mark.parametrize("kind", ESCAPES[:2])
def test_grandchildren_die_when_the_program_ends_by_itself(kind: str, tmp_path: Path) -> None:
    code = PARENT.replace("KIND", repr(kind)).replace("END", "os._exit(7)")
    assert run([sys.executable, "-c", code], folder=tmp_path).status == 7
    for pid in map(int, (tmp_path / "pids").read_text().split()):
        assert_gone(pid)


DAEMON = """
import os, time
from pathlib import Path
from typing import Any
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        Path("pid.part").write_text(str(os.getpid()))
        Path("pid.part").replace("pid")
        os.execv("/bin/sleep", ["sleep", "600"])
    os._exit(0)
os.wait()
while not Path("pid").exists():
    time.sleep(0.01)
"""


@needs_proc
def test_a_daemon_is_ended_with_the_program_that_started_it(tmp_path: Path) -> None:
    bystander = subprocess.Popen(
        ["sleep", "600"], start_new_session=True, env={"CALMIP_RUN": "another run"}
    )
    try:
        assert run([sys.executable, "-c", DAEMON], folder=tmp_path).status == 0
        assert_gone(int((tmp_path / "pid").read_text()))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


CHAINS = """
import os, sys, time
os.nice(5)
end = time.monotonic() + 600
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        while time.monotonic() < end:
            os.setsid()
            if os.fork():
                os._exit(0)
            if PAUSE:
                time.sleep(PAUSE)
        os._exit(0)
time.sleep(0.2)
"""

END_CHILDREN = """
import os, subprocess, sys
from calmip.processes import adopt_orphans, end_children
assert adopt_orphans()
subprocess.run(sys.argv[1:], check=True)
print(end_children(600) > 0)
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("no child is left")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts them")
@pytest.mark.parametrize(
    ("chains", "pause"),
    [
        (1, 0.0),
        (1, 0.001),
        *(pytest.param(8, pause, marks=pytest.mark.long) for pause in (0.0, 0.001)),
    ],
)
def test_what_forks_and_ends_for_ever_is_ended(chains: int, pause: float, tmp_path: Path) -> None:
    chain = CHAINS.replace("PAUSE", str(pause))
    done = subprocess.run(
        [sys.executable, "-c", END_CHILDREN, sys.executable, "-c", chain, str(chains)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == "True\nno child is left\n"


def test_an_interrupt_while_a_program_is_started_leaves_it_not_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            started.append(self)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    with pytest.raises(KeyboardInterrupt):
        run([sys.executable, "-c", "import time; time.sleep(600)"], folder=tmp_path)
    assert started[0].poll() == -signal.SIGKILL


def test_other_processes_live_on(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        assert run([sys.executable, "-c", "pass"], folder=tmp_path).status == 0
        assert bystander.poll() is None
        bystander.communicate(b"\n")
    assert bystander.returncode == 0


def test_how_a_program_ended_in_words(tmp_path: Path) -> None:
    lines: list[str] = []
    ended = run(
        [sys.executable, "-c", "print('first'); print('last', end='\\n\\n'); exit(3)"],
        folder=tmp_path,
        log=lines.append,
    )
    assert (ended.how, ended.last_line) == ("exit status 3", "; its last line: 'last'")
    assert lines == ["first", "last", ""]
    killed = run([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"], folder=tmp_path)
    assert killed == Ended(-signal.SIGSEGV, "")
    assert (killed.how, killed.last_line) == ("signal 11", "")


def test_a_program_gets_the_environment_and_folder_that_are_given(tmp_path: Path) -> None:
    code = "import os; print(os.environ.get('MARK'), os.environ.get('PATH'), os.getcwd())"
    ended = run([sys.executable, "-c", code], folder=tmp_path, environment={"MARK": "x"})
    assert ended.tail == f"x None {tmp_path.resolve()}"


@posix
def test_a_program_is_like_one_of_a_shell(tmp_path: Path) -> None:
    code = "import os; print(os.getsid(0) == os.getpid() == os.getpgid(0), *os.listdir({fds!r}))"
    ended = run([sys.executable, "-c", code.format(fds="/dev/fd")], folder=tmp_path)
    assert ended.tail == "True 0 1 2 3"  # 3 is that of the folder
    assert run(["cat"], folder=tmp_path) == Ended(0, "")
    # SIGPIPE ends a program, as it is not ignored.
    assert run(["sh", "-c", "yes | head -n 1"], folder=tmp_path) == Ended(0, "y")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a program outlives its supervisor")
def test_a_program_whose_supervisor_is_killed_is_ended_too(tmp_path: Path) -> None:
    code = "import os, time; print(os.getpid(), os.getppid(), flush=True); time.sleep(600)"
    numbers: list[int] = []

    def kill(line: str) -> None:
        numbers.extend(map(int, line.split()))
        os.kill(numbers[1], signal.SIGKILL)

    ended = run([sys.executable, "-c", code], folder=tmp_path, log=kill)
    assert ended.status == -signal.SIGKILL
    assert_gone(numbers[0])


def test_a_program_without_its_folder_is_not_started_and_leaves_nothing_open(
    tmp_path: Path,
) -> None:
    before = set(Path("/dev/fd").iterdir())
    with pytest.raises(SolverFailed, match="true cannot be started: No such file"):
        run(["true"], folder=tmp_path / "nosuch")
    assert set(Path("/dev/fd").iterdir()) == before


def test_what_cannot_be_started_says_so(tmp_path: Path) -> None:
    with pytest.raises(SolverFailed, match="nosuch cannot be started: No such file"):
        run([str(tmp_path / "nosuch")], folder=tmp_path)


def test_a_program_is_looked_at_more_often_in_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    looks: list[float] = []

    class Popen(subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            if timeout is None:
                return super().wait()
            waited.append(timeout)
            raise subprocess.TimeoutExpired(self.args, timeout)

    def over(_: int) -> bool:
        looks.append(sum(waited))
        return looks[-1] > 3 * processes.POLL_SECONDS

    monkeypatch.setattr(subprocess, "Popen", Popen)
    endless = [sys.executable, "-c", "import time; time.sleep(600)"]
    assert run(endless, folder=tmp_path, over=over).status is None
    parts = [look / processes.POLL_SECONDS for look in looks]
    assert parts == pytest.approx([0, 1 / 16, 3 / 16, 7 / 16, 15 / 16, 31 / 16, 47 / 16, 63 / 16])


@pytest.fixture
def worker() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, initializer=end_with, initargs=(os.getpid(),)) as executor:
        yield executor


@posix
def test_an_idle_worker_leaves_ctrl_c_to_the_program(
    worker: ProcessPoolExecutor, capfd: pytest.CaptureFixture[str]
) -> None:
    number = worker.submit(run_job, os.getpid).result(HANG_SECONDS)
    for _ in range(3):
        os.kill(number, signal.SIGINT)
        time.sleep(0.1)
        assert worker.submit(os.getpid).result(HANG_SECONDS) == number
    waiting = worker.submit(time.sleep, HANG_SECONDS)
    os.kill(number, signal.SIGTERM)
    with pytest.raises(BrokenProcessPool):
        waiting.result(HANG_SECONDS)
    assert capfd.readouterr().err == ""


@posix
@pytest.mark.parametrize("kind", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_the_job_of_a_worker(
    worker: ProcessPoolExecutor, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "begun"
    number = worker.submit(os.getpid).result(HANG_SECONDS)
    job = worker.submit(run_job, begin_and_wait, path)
    until(path.exists, time.sleep)
    os.kill(number, getattr(signal, kind))
    with pytest.raises(KeyboardInterrupt):
        job.result(HANG_SECONDS)
    assert worker.submit(os.getpid).result(HANG_SECONDS) == number
    assert capfd.readouterr().err == ""


def begin_and_wait(path: Path) -> None:
    path.touch()
    time.sleep(HANG_SECONDS)


@pytest.mark.parametrize("seconds", [0.4375, 0.484375, 0.5, 0.734375, 1.0, 1.0625, 0.0])
def test_a_program_that_is_looked_at_has_its_seconds_and_no_more(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a step ends at the very second; STEP is such that floats are exact."""
    clock, waits = [100.0], []

    class Program:
        process: Any = None

        def number(self) -> int:
            return 7

        def wait(self, timeout: float) -> int:
            waits.append(timeout)
            clock[0] += timeout
            raise subprocess.TimeoutExpired("x", timeout)

    program: Any = Program()
    program.process, program.args = program, "x"
    monkeypatch.setattr(processes, "POLL_SECONDS", 0.25)
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    with pytest.raises(subprocess.TimeoutExpired):
        processes._wait(program, seconds, lambda number: number != 7)
    assert sum(waits) == seconds
    steps = [0.015625, 0.03125, 0.0625, 0.125, 0.25, 0.25, 0.25, 0.25]
    assert waits[:-1] == steps[: len(waits) - 1]
    assert 0 < waits[-1] <= steps[len(waits) - 1] or seconds == 0
    waits.clear()
    with pytest.raises(subprocess.TimeoutExpired):
        processes._wait(program, None, lambda _: len(waits) == 6)
    assert waits == steps[:6]
