"""What is left of a program once calmip is killed, or its terminal is closed: nothing."""

import os
import random
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import alive, assert_gone, wait_until
from requirements import need_solver

from calmip.processes import processor_seconds

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not Path("/proc/self/stat").is_file(), reason="needs /proc"
)

MARK = "CALMIP_TESTS"
BUSY_CPU_SECONDS = 0.3
"""CPU seconds after which a solver is at work."""


def hard_model(folder: Path) -> Path:
    """Write a market split problem, which no solver ends in an hour."""
    draw = random.Random(5)
    lines = ["min", " obj: 0 x0", "st"]
    for row in range(6):
        values = [draw.randrange(100) for _ in range(50)]
        terms = " + ".join(f"{value} x{column}" for column, value in enumerate(values))
        lines.append(f" r{row}: {terms} = {sum(values) // 2}")
    lines += ["binary", " ".join(f"x{column}" for column in range(50)), "end"]
    path = folder / "hard.lp"
    path.write_text("\n".join(lines) + "\n")
    return path


class Run:
    """A command of calmip with a folder for temporary files of its own."""

    def __init__(self, folder: Path, *command: str, terminal: bool = False) -> None:
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.mark = uuid.uuid4().hex
        self.screen = -1
        streams: dict[str, int] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        tty = -1
        if terminal:
            self.screen, tty = os.openpty()
            streams = dict.fromkeys(streams, tty)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "calmip", *command],
            env={**os.environ, "TMPDIR": str(self.scratch), MARK: self.mark},
            start_new_session=not terminal,
            preexec_fn=(lambda: os.login_tty(tty)) if terminal else None,  # noqa: PLW1509
            **streams,
        )
        if terminal:
            os.close(tty)

    def others(self) -> dict[int, str]:
        """Return the living processes of the run beside the program itself, with their names.

        They have its mark, or run in a folder of it.
        """
        entry = f"{MARK}={self.mark}".encode()
        found = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                marked = entry in (path / "environ").read_bytes().split(b"\0")
                marked |= str((path / "cwd").readlink()).startswith(str(self.scratch))
                name = (path / "comm").read_text().strip()
            except OSError:
                continue
            if marked and int(path.name) != self.process.pid and alive(int(path.name)):
                found[int(path.name)] = name
        return found

    def works(self, seconds: float = BUSY_CPU_SECONDS) -> bool:
        """Return whether a program that solves has worked for ``seconds`` CPU seconds."""
        numbers = [pid for pid, name in self.others().items() if name != "sh"]
        # Without any, calmip itself, after its start.
        least, numbers = (seconds, numbers) if numbers else (seconds + 1, [self.process.pid])
        return any(processor_seconds(pid) > least for pid in numbers) and any(
            self.scratch.iterdir()
        )

    def end(self, how: str) -> None:
        """End the program by a signal, or close its terminal."""
        if how == "terminal":
            os.close(self.screen)
            self.screen = -1
        else:
            self.process.send_signal(getattr(signal, how))

    def assert_nothing_is_left(self) -> None:
        """Wait until no process and no temporary file of the run is left."""
        self.process.wait()
        for pid in self.others():
            assert_gone(pid)
        wait_until(lambda: not self.others() and not list(self.scratch.iterdir()))


@pytest.fixture
def started() -> Iterator[list[Run]]:
    runs: list[Run] = []
    yield runs
    for run in runs:
        run.process.kill()
        run.process.wait()
        for pid in run.others():
            os.kill(pid, signal.SIGKILL)
        if run.screen >= 0:
            os.close(run.screen)


@pytest.mark.long
@pytest.mark.parametrize("how", ["SIGKILL", "SIGHUP", "terminal"])
@pytest.mark.parametrize("solver", ["cbc", "highs", "glpk", "scip", "z3"])
def test_no_solver_and_no_folder_outlives_calmip(
    solver: str, how: str, tmp_path: Path, started: list[Run]
) -> None:
    need_solver(solver)
    command = ("solve", str(hard_model(tmp_path)), "--solver", solver)
    run = Run(tmp_path, *command, terminal=how == "terminal")
    started.append(run)
    wait_until(run.works, run.process)
    run.end(how)
    run.assert_nothing_is_left()
    assert run.process.returncode == (-signal.SIGKILL if how == "SIGKILL" else 130)


@pytest.mark.long
def test_a_signal_that_the_caller_ignores_is_ignored(tmp_path: Path, started: list[Run]) -> None:
    need_solver("cbc")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        run = Run(tmp_path, "solve", str(hard_model(tmp_path)), "--solver", "cbc")
    finally:
        signal.signal(signal.SIGHUP, before)
    started.append(run)
    wait_until(run.works, run.process)
    wait_until(run.works, run.process)
    run.end("SIGHUP")
    wait_until(lambda: run.works(2 * BUSY_CPU_SECONDS), run.process)
    run.end("SIGTERM")
    run.assert_nothing_is_left()
    assert run.process.returncode == 130


SUBMISSION = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True: pass
        os._exit(0)
while True: pass
"""


@pytest.mark.trade("course")
@pytest.mark.long
def test_no_submission_outlives_the_marking(tmp_path: Path, started: list[Run]) -> None:
    (tmp_path / "model.py").write_text(SUBMISSION)
    run = Run(tmp_path, "grade", "2", str(tmp_path / "model.py"), "--unprotected")
    started.append(run)
    wait_until(lambda: list(run.others().values()).count("python") > 3, run.process)
    run.end("SIGKILL")
    run.assert_nothing_is_left()


@pytest.mark.trade("bench")
@pytest.mark.long
def test_no_run_of_a_campaign_outlives_it(tmp_path: Path, started: list[Run]) -> None:
    need_solver("cbc")
    (tmp_path / "campaign.yaml").write_text(
        f"instances: [{{files: {hard_model(tmp_path)}}}]\nsolvers: [cbc]\ntime_limit: 600\n"
    )
    file = tmp_path / "campaign.yaml"
    run = Run(tmp_path, "bench", "run", str(file), "-o", str(tmp_path / "runs.db"))
    started.append(run)
    wait_until(lambda: "cbc" in run.others().values(), run.process)
    run.end("SIGKILL")
    run.assert_nothing_is_left()


@pytest.mark.parametrize("fault", [ProcessLookupError, FileNotFoundError])
def test_a_process_that_ends_while_one_looks_is_gone(
    fault: type[OSError], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alive(os.getpid())

    def ended(_: Path) -> bytes:
        raise fault

    monkeypatch.setattr(Path, "read_bytes", ended)
    assert not alive(os.getpid())
