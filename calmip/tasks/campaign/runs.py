"""A run of a solver on a model, in a process of its own, on whatever machine this is called.

Runs are done on this machine, or on a cluster of Dask.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from calmip._files import scratch_folder
from calmip._highs import new_highs
from calmip._limits import Limits
from calmip._version import __version__
from calmip.errors import CalmipError, InputError, SolverMissing, shown
from calmip.formats.model_files import read_model
from calmip.formats.mps import mps_text
from calmip.problem.binary_model import BinaryModel
from calmip.processes import answer_task
from calmip.processes.server import ServerKilled, end_servers, serve, watched
from calmip.solvers import Status, solver_named
from calmip.solvers.base import attempted
from calmip.solvers.exact_cover import ExactCoverSearch
from calmip.tasks._trust import checked_point

__all__ = [
    "LOCAL",
    "NOTHING",
    "REFERENCE",
    "Job",
    "Pool",
    "execute",
    "machine",
    "pool",
    "serve_runs",
    "versions",
    "work",
]


GRACE = 1.0
"""Seconds after the limit in which a solver may end by itself, before it is killed."""

NOTHING: dict[str, Any] = {
    **dict.fromkeys(("answer", "killed", "cpu", "memory", "overhead", "status", "waited")),
    "wall": 0.0,
    "host": "",
}
"""What came of a run of which nothing came."""

ANSWERS = 64 << 20
"""Bytes of the largest answer that is read."""

REFERENCE = "reference"
"""The job that is always the same, and shows how fast the machine is."""


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
        ``answer`` (see `work`, None without one), ``killed``
        (``time``, ``memory`` or None), ``status`` (the process's exit status), ``said``
        (the last line that it printed), ``wall``, ``cpu`` (seconds), ``memory`` (bytes),
        ``waited`` (seconds for which it could not get the processor), ``overhead``
        (seconds that the run took beyond the solver's call), ``host``.
    """
    for _ in range(2):
        try:
            return _attempt(job)
        except ServerKilled:
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
        ended = watched(work, folder, patience, job.memory, served=serve_runs)
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


def work(folder: Path = Path()) -> None:
    """Do ``task.json`` in a folder and write ``answer.json`` there: what a run's process does."""

    def do(task: dict[str, Any]) -> dict[str, Any]:
        started = perf_counter()
        answer = attempted(
            _reference if task["goal"] == REFERENCE else lambda: _answer_to(task, folder)
        )
        return {**answer, "wall": perf_counter() - started}

    answer_task(folder, do)


def serve_runs() -> None:
    """Fork runs from this process, in which the modules that they need and HiGHS are loaded."""
    with contextlib.suppress(SolverMissing):
        new_highs("HiGHS")
    serve(work)


def _answer_to(task: dict[str, Any], folder: Path) -> dict[str, Any]:
    model = folder / task["model"]
    options = tuple((str(name), str(value)) for name, value in task["options"])
    limits = Limits(task["seconds"], task["seed"], options=options)
    if task["goal"] == "count":
        return _counted(task["solver"], model, limits)
    return solver_named(task["solver"]).solve(model, limits).describe()


def _counted(name: str, model: Path, limits: Limits) -> dict[str, Any]:
    """Count all solutions: by the search itself, or by solving again and again with cuts."""
    solver = solver_named(name)
    if isinstance(solver, ExactCoverSearch):
        number, whole, nodes = solver.count(model, limits.clock)
        return _count(number, whole, nodes)
    arrays = read_model(model)
    number = nodes = 0
    while not limits.clock.over:
        outcome = solver.solve(model, limits)
        nodes += outcome.nodes or 0
        if outcome.status is Status.INFEASIBLE:
            return _count(number, True, nodes)
        if not outcome.values:
            return _count(number, False, nodes)
        ones = checked_point(arrays, outcome.values, f"{name} says '{outcome.detail}'")
        number += 1
        arrays = _without(arrays, ones, number)
        model = model.with_name("cut.mps")
        model.write_text(mps_text(arrays), encoding="utf-8")
    return _count(number, False, nodes)


def _count(number: int, whole: bool, nodes: int | None) -> dict[str, Any]:
    status = Status.DONE if whole else Status.UNKNOWN
    detail = f"{number} solutions{'' if whole else ' so far'}"
    return {"status": status.value, "count": number, "detail": detail, "nodes": nodes}


def _without(model: BinaryModel, ones: Sequence[int], number: int) -> BinaryModel:
    """Return a model with a no-good cut: not these columns, and no others, are one."""
    every = np.arange(len(model.columns))
    signs = np.where(np.isin(every, ones), 1.0, -1.0)
    return model.with_row(f"cut{number}", every, -np.inf, len(ones) - 1.0, signs)


def _reference() -> dict[str, Any]:
    from calmip.documents.reader import read_instance
    from calmip.problem.cover import ExactCover
    from calmip.search.exact_cover.counting import count

    number = count(ExactCover(read_instance("a-puzzle-a-day", free=True)))
    return _count(number, True, None)


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
