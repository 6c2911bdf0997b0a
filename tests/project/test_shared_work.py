"""Work that workers share: what the parent sees of a worker that ends too early."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PARENT_SECONDS = 120
"""The time limit of the parent, which once waited for ever for a worker that had ended."""

PROGRAM = """
import os, signal, sys, time
from multiprocessing import connection
from calmip._base.limits import Limits
from calmip.processes.workers import share, workers_of

def end_in_the_middle(how):
    # Send half of the result.
    send = connection.Connection._send
    def half(self, data, *more):
        send(self, data[: len(data) // 2])
        os.kill(os.getpid(), how)
    connection.Connection._send = half
    return bytes(1000)

def main(workers, how, parent):
    begun = time.monotonic()
    def check():
        if parent == "interrupted" and time.monotonic() > begun + 0.3:
            raise KeyboardInterrupt
    jobs = [("ends", (end_in_the_middle, how)), *((n, (abs, n)) for n in range(workers - 1))]
    try:
        with workers_of(Limits(workers=workers), "x", threads=False) as pool:
            for _ in share(pool, jobs, check):
                pass
    except BaseException as error:
        print(type(error).__name__)

if __name__ == "__main__":
    main(int(sys.argv[1]), getattr(signal, sys.argv[2]), sys.argv[3])
"""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="workers are ended by signals")
@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize(
    ("how", "parent", "error"),
    [
        ("SIGKILL", "waits", "SolverFailed"),
        ("SIGTERM", "waits", "SolverFailed"),
        ("SIGTERM", "interrupted", "KeyboardInterrupt"),
    ],
)
def test_a_worker_that_ends_in_the_middle_of_its_result_ends_the_work(
    workers: str, how: str, parent: str, error: str, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"  # where workers are not forked, they read it again
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, program, workers, how, parent],
        capture_output=True,
        text=True,
        timeout=PARENT_SECONDS,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{error}\n", "")


INTERRUPTED = """
import sys, time
from multiprocessing import connection
from pathlib import Path
from calmip._base.limits import Limits
from calmip.processes.workers import share, workers_of

def work(folder):
    (folder / "works").touch()
    end = time.monotonic() + 600
    while time.monotonic() < end:
        pass

def send_slowly(folder):
    send = connection.Connection._send
    def slowly(self, data, *more):
        half = len(data) // 2
        send(self, data[:half])
        (folder / "sends").touch()
        time.sleep(1)
        send(self, data[half:])
        (folder / "sent").touch()
        connection.Connection._send = send
    connection.Connection._send = slowly
    return bytes(1000)

def main(folder):
    def check():
        if all((folder / name).exists() for name in ("works", "sends")):
            raise KeyboardInterrupt
    try:
        with workers_of(Limits(workers=2), "x", threads=False) as pool:
            for _ in share(pool, [(0, (work, folder)), (1, (send_slowly, folder))], check):
                pass
    except BaseException as error:
        print(type(error).__name__, (folder / "sent").exists())

if __name__ == "__main__":
    main(Path(sys.argv[1]))
"""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="jobs are ended by signals")
def test_jobs_end_with_the_work_though_they_get_no_signal_of_their_own(tmp_path: Path) -> None:
    """A result that is being sent is not cut, which would be a worker that has ended."""
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, program, tmp_path],
        capture_output=True,
        text=True,
        timeout=PARENT_SECONDS,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("KeyboardInterrupt True\n", "")
