"""A run of a solver on a model, in a process of its own, on whatever machine this is called.

Runs are done on this machine, or on a cluster of Dask.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from calmip._files import scratch_folder
from calmip._process import RUN, end_marked, new_mark, run
from calmip._version import __version__
from calmip.errors import CalmipError, InputError, SolverFailed, SolverMissing, shown
from calmip.solver import solver_named

__all__ = [
    "LOCAL",
    "NOTHING",
    "Job",
    "Pool",
    "end_servers",
    "execute",
    "machine",
    "pool",
    "versions",
]


GRACE = 1.0
"""Seconds after the limit in which a solver may end by itself, before it is killed."""

ROOT = Path(__file__).resolve().parents[3]
SERVE = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from calmip.tasks.campaign.server import serve; serve()"
)
ALONE = (
    "import sys; sys.path.append(sys.argv[1]); from pathlib import Path; "
    "from calmip.tasks.campaign.server import work; work(Path(sys.argv[2]))"
)

NOTHING: dict[str, Any] = {
    **dict.fromkeys(("answer", "killed", "cpu", "memory", "overhead", "status", "waited")),
    "wall": 0.0,
    "host": "",
}
"""What came of a run of which nothing came."""

ANSWERS = 64 << 20
"""Bytes of the largest answer that is read."""

FORKS = hasattr(os, "fork") and hasattr(os, "wait4") and sys.platform != "darwin"
"""Whether runs are forked from a warm process; macOS ends a fork that uses system libraries."""


@dataclass(frozen=True)
class Job:
    """All that a run needs, so that it can be sent to another machine.

    Parameters
    ----------
    key
        What tells it from all other runs.
    data, suffix
        The model file.
    goal
        ``solve``, ``count`` or ``reference``.
    solver, options, seed
        Who solves it, and how.
    seconds, memory
        The limits.
    """

    key: str
    data: bytes
    suffix: str
    goal: str
    solver: str
    options: tuple[tuple[str, str], ...]
    seed: int
    seconds: float | None
    memory: int | None


def execute(job: Job) -> dict[str, Any]:
    """Do a run and return its answer, how its process ended, and what it took.

    Returns
    -------
    dict
        ``answer`` (see `calmip.tasks.campaign.server`, None without one), ``killed``
        (``time``, ``memory`` or None), ``status`` (the process's exit status), ``said``
        (the last line that it printed), ``wall``, ``cpu`` (seconds), ``memory`` (bytes),
        ``waited`` (seconds for which it could not get the processor), ``overhead``
        (seconds that the run took beyond the solver's call), ``host``.
    """
    for _ in range(2):
        try:
            return _attempt(job)
        except _ServerKilled:
            continue
    return {**NOTHING, "said": "the process that starts the runs was killed, twice"}


def _attempt(job: Job) -> dict[str, Any]:
    started = perf_counter()
    with scratch_folder() as folder:
        (folder / f"model{job.suffix}").write_bytes(job.data)
        task = {
            "model": f"model{job.suffix}",
            "goal": job.goal,
            "solver": job.solver,
            "options": job.options,
            "seed": job.seed,
            "seconds": job.seconds,
        }
        (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
        patience = None if job.seconds is None else job.seconds + GRACE
        ended = _ended(folder, patience, job.memory)
        answer = _answer(folder)
        said = _last_line(folder / "said.txt")
    wall = ended["wall"] if answer is None else answer["wall"]
    return {
        **ended,
        "answer": answer,
        "said": said,
        "wall": wall,
        "overhead": perf_counter() - started - wall,
        "host": platform.node(),
    }


def _ended(folder: Path, patience: float | None, memory: int | None) -> dict[str, Any]:
    """Have a process do the task in a folder, and return how it ended."""
    if FORKS:
        return _server().run({"folder": str(folder), "seconds": patience, "memory": memory})
    if memory is not None and find_spec("psutil") is None:
        raise InputError(
            "a memory limit on this system needs the package psutil: pip install psutil"
        )
    started = perf_counter()
    peak = 0

    def full(pid: int) -> bool:
        nonlocal peak
        peak = max(peak, _resident(pid))
        return memory is not None and peak > memory

    command = [sys.executable, "-P", "-c", ALONE, str(ROOT), str(folder)]
    here = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))}
    ended = run(command, folder=folder, seconds=patience, environment=here, over=full)
    (folder / "said.txt").write_text(ended.tail, encoding="utf-8")
    too_full = memory is not None and peak > memory
    return {
        "killed": None if ended.status is not None else "memory" if too_full else "time",
        "status": ended.status,
        "cpu": None,
        "memory": peak or None,
        "waited": None,
        "wall": perf_counter() - started,
    }


def _resident(pid: int) -> int:
    """Return the bytes of memory of a process and all below it, as far as psutil tells."""
    try:
        import psutil
    except ImportError:
        return 0
    used = 0
    with contextlib.suppress(psutil.Error):
        run = psutil.Process(pid)
        for process in (run, *run.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                used += process.memory_info().rss
    return used


def _answer(folder: Path) -> dict[str, Any] | None:
    with contextlib.suppress(OSError, ValueError, RecursionError, KeyError, TypeError):
        with (folder / "answer.json").open("rb") as file:
            answer: dict[str, Any] = json.loads(file.read(ANSWERS))
        float(answer["wall"])
        return answer
    return None


def _last_line(path: Path) -> str:
    with contextlib.suppress(OSError):
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 2000))
            lines = file.read().decode("utf-8", "replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")[:300]
    return ""


class _ServerKilled(Exception):
    """Somebody has killed a server, and it was not this campaign."""


class _Server:
    """A warm process that forks runs; see `calmip.tasks.campaign.server`."""

    def __init__(self) -> None:
        # One thread: the arrays are small, and a fork takes one thread along.
        self._mark, self._ended = new_mark(), False
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment[RUN] = self._mark
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVE, str(ROOT)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True, text=True, bufsize=1,
        )  # fmt: skip
        # Before it is ready, and for good: its thread may end before it is ended.
        _all.add(self)
        try:
            self._heard()
        except _ServerKilled as error:
            if error.args[0] is not None and error.args[0] >= 0:  # it ended by itself
                raise SolverFailed("the process that starts the runs does not start") from None
            raise

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        """Have a run done and return how it ended."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # what there is to hear then, is nothing
            print(json.dumps(task), file=self.process.stdin, flush=True)
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            wanted = self._ended
            self.end()
            end_marked(self._mark)  # what it watched has lost its watcher
            if wanted:
                raise SolverFailed("the campaign has ended")
            raise _ServerKilled(self.process.returncode)
        heard: dict[str, Any] = json.loads(line)
        return heard

    def end(self) -> None:
        """End it, and the run that it watches."""
        self._ended = True
        _all.discard(self)
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


_local = threading.local()
_all: set[_Server] = set()


def _server() -> _Server:
    """Return this thread's server, a new one if there is none or it has ended."""
    server: _Server | None = getattr(_local, "server", None)
    if server is None or server.process.poll() is not None:
        server = _local.server = _Server()
    return server


def end_servers() -> None:
    """End the servers of all threads of this process, and the runs that they watch."""
    for server in list(_all):
        server.end()


@cache
def machine() -> str:
    """Return what this machine is, in words that are the same on all of its kind."""
    name = platform.processor() or platform.machine()
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    return f"{platform.system()} {platform.machine()}, {name}, {os.cpu_count()} cores"


def versions(solvers: Sequence[str]) -> dict[str, str | None]:
    """Return calmip's version, what machine this is, and each solver's version here.

    A solver that is not here has the version None; one that does not say, ``unknown``.
    """
    found: dict[str, str | None] = {"calmip": __version__, "machine": machine()}
    for name in solvers:
        try:
            here = solver_named(name).availability()
        except CalmipError:
            found[name] = None
            continue
        found[name] = None if here.found is None else here.version or "unknown"
    return found


LOCAL = "local"
"""In place of a cluster's address: a cluster of so many processes on this machine."""

PATIENCE = 15.0
"""Seconds to wait for a cluster to answer."""


class Pool:
    """Workers that do runs.

    Parameters
    ----------
    executor
        Who takes a job.
    size
        How many jobs it should have at a time.
    here
        What all workers have: calmip's version, the machine, the solvers' versions.
    """

    def __init__(
        self, executor: Executor, size: Callable[[], int], here: dict[str, str | None]
    ) -> None:
        self.executor, self.size, self.here = executor, size, here


@contextlib.contextmanager
def pool(workers: int, dask: str | None, solvers: Sequence[str]) -> Iterator[Pool]:
    """Yield workers on this machine or, if an address is given, on a cluster of Dask.

    Raises
    ------
    SolverMissing
        If a solver is not installed, here or on a worker; or Dask is not.
    InputError
        If the cluster cannot be reached, or its workers have different versions.
    """
    if dask is not None:
        with _dask(workers, dask, solvers) as found:
            yield found
        return
    here = versions(solvers)
    _check(here, "this machine", solvers)
    executor = ThreadPoolExecutor(workers)
    try:
        yield Pool(executor, lambda: workers, here)
    finally:
        # First those that a thread waits for, or it would wait for the end of its run.
        executor.shutdown(wait=False, cancel_futures=True)
        end_servers()
        executor.shutdown()


def _check(here: dict[str, str | None], where: str, solvers: Sequence[str]) -> None:
    missing = [name for name in solvers if here[name] is None]
    if missing:
        raise SolverMissing(
            f"solver {missing[0]} was not found on {shown(where, 200)}; install it there or leave "
            "it out of the campaign (calmip solvers says how); runs that are done are kept"
        )


@contextlib.contextmanager
def _dask(workers: int, address: str, solvers: Sequence[str]) -> Iterator[Pool]:
    try:
        import dask.config
        import distributed
    except ImportError as error:
        raise SolverMissing(f"--dask needs Dask ({error}); pip install 'calmip[dask]'") from None
    local = address == LOCAL
    with contextlib.ExitStack() as stack:
        try:
            if local:
                folder = str(stack.enter_context(scratch_folder()))
                stack.enter_context(dask.config.set({"temporary-directory": folder}))
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                address = stack.enter_context(cluster).scheduler_address
            client: Any = distributed.Client(address, timeout=PATIENCE)
            stack.enter_context(client)
            client.wait_for_workers(1, timeout=PATIENCE)
            found = client.run(versions, tuple(solvers))
        except (OSError, ValueError, TimeoutError, ImportError, RuntimeError) as error:
            raise InputError(
                f"the cluster '{shown(address)}' cannot be reached, or has no worker with calmip: "
                f"{shown(str(error) or type(error).__name__, 200)}; runs that are done are kept"
            ) from None
        for where, here in found.items():
            _check(here, f"worker {where}", solvers)
        executor = client.get_executor(pure=False)
        try:
            yield Pool(executor, lambda: max(1, _threads(client)), _agreed(found))
        finally:
            executor.shutdown(wait=False)
            if local:  # or the workers' threads would wait for the ends of their runs
                with contextlib.suppress(OSError, TimeoutError, RuntimeError):
                    client.run(end_servers)


def _threads(client: Any) -> int:
    return sum(client.ncores().values())


def _agreed(found: dict[str, dict[str, str | None]]) -> dict[str, str | None]:
    """Return what all workers have, their machines side by side.

    Raises
    ------
    InputError
        If they have different versions of something.
    """
    here = dict(next(iter(found.values())))
    for name in here:
        values = sorted({str(one[name]) for one in found.values()})
        if name != "machine" and len(values) > 1:
            raise InputError(
                f"the workers have different versions of {name}: {' and '.join(values)}; "
                "install the same everywhere"
            )
        here[name] = " | ".join(values)
    return here
