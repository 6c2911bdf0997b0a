"""Runs of solvers on models, each in a process of its own, here or on a Dask cluster."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from calmip._base.errors import CalmipError, SolverMissing, clip
from calmip._base.files import scratch_folder
from calmip._base.highs import new_highs
from calmip._base.limits import Limits
from calmip._base.version import __version__
from calmip.bench import benchexec
from calmip.bench.campaign.logs import log_to, pack
from calmip.bench.campaign.solver_versions import environment_at, version_at
from calmip.bench.server import ServerKilled, end_servers, serve, supervise
from calmip.mip.files.model_files import read_model
from calmip.mip.files.mps import mps_text
from calmip.processes import answer_task
from calmip.processes.workers import cluster_of, common_values
from calmip.solvers import Status, solver_named
from calmip.solvers.base import catch_errors
from calmip.solvers.exact_cover import ExactCoverSearch
from calmip.solvers.points import check_point

GRACE_SECONDS = 1.0
"""Seconds after the limit in which a solver may end by itself, before it is killed."""

NOTHING: dict[str, Any] = {
    **dict.fromkeys(
        (
            "answer",
            "killed",
            "cpu",
            "memory",
            "overhead",
            "status",
            "waited",
            "start_wall",
            "start_cpu",
            "log",
        )
    ),
    "wall": 0.0,
    "host": "",
    "output": "",
}
"""The result of a run without a process."""

STARTUP_SECONDS = 5.0
"""Seconds beyond the limits for starting the process of a solver and loading its package."""

LOG = "log.txt"
"""The name of the solver's log in the folder of a run."""

MAX_ANSWER_BYTES = 64 << 20
"""Bytes of the largest answer that is read."""

OWN = "calmip"
BENCHEXEC = "benchexec"

MEASURES = {
    OWN: "Add up the processes of a run.",
    BENCHEXEC: "Take control groups, by the program runexec of BenchExec.",
}
"""How the seconds and the memory of a run are measured."""

REFERENCE = "reference"
"""The goal of the reference job, always the same, which measures the machine's speed."""


@dataclass(frozen=True)
class Job:
    """The input of a run, as sent to another machine; without a goal, the reference job.

    ``build`` is the place of another build of the solver. A run gets the job as
    ``task.json``, and ``data`` as a model file. Its limits are ``seconds``, ``memory`` (bytes) and
    ``cpu`` (processor seconds). With ``logs`` the solver's log is kept. ``measure`` is one of
    `MEASURES`.
    """

    key: str = ""
    data: bytes = b""
    suffix: str = ".mps"
    goal: str = REFERENCE
    solver: str = ""
    options: tuple[tuple[str, str], ...] = ()
    settings: str = "stock"
    build: str = ""
    seed: int = 0
    seconds: float | None = None
    memory: int | None = None
    cpu: float | None = None
    side: str = ""
    round: int = 0
    logs: bool = False
    measure: str = OWN


def execute(job: Job) -> dict[str, Any]:
    """Do a run and return its answer, how its process ended, and its time and memory.

    Returns
    -------
    dict
        ``answer`` (None without one), ``killed`` (``time``, ``memory`` or None), ``status``
        (the process's exit status), ``output`` (its end), ``wall``, ``cpu`` (seconds),
        ``memory`` (bytes), ``waited`` (seconds without a processor), ``start_wall`` and
        ``start_cpu`` (seconds before the solver could read the model; None without an answer),
        ``overhead`` (seconds beyond the solver's call), ``host``, ``log`` (compressed, None
        without one).
    """
    for _ in range(2):
        try:
            return _attempt(job)
        except ServerKilled:
            continue
    return {**NOTHING, "output": "the process that starts the runs was killed, twice"}


def _attempt(job: Job) -> dict[str, Any]:
    started = perf_counter()
    with scratch_folder() as folder:
        (folder / f"model{job.suffix}").write_bytes(job.data)
        task = json.dumps(vars(job) | {"data": ""})
        (folder / "task.json").write_text(task, encoding="utf-8")
        # Below runexec each run starts a new Python.
        more = GRACE_SECONDS + (_startup(job) if job.measure == OWN else STARTUP_SECONDS)
        by = partial(supervise, served=serve_runs) if job.measure == OWN else benchexec.supervise
        ended = by(
            work,
            folder,
            None if job.seconds is None else job.seconds + more,
            job.memory,
            environment=environment_at(job.solver, job.build),
            cpu=None if job.cpu is None else job.cpu + more,
        )
        answer = _answer(folder)
        output = _tail(folder / "output.txt")
        log = pack(folder / LOG)
    wall = ended["wall"] if answer is None else answer["wall"]
    start_wall, start_cpu = (None, None) if answer is None else answer["startup"]
    return {
        **ended,
        "start_wall": start_wall,
        "start_cpu": None if ended["cpu"] is None else start_cpu,
        "answer": answer,
        "output": output,
        "log": log,
        "wall": wall,
        "overhead": perf_counter() - started - wall,
        "host": platform.node(),
    }


def _answer(folder: Path) -> dict[str, Any] | None:
    with contextlib.suppress(OSError, ValueError, RecursionError, KeyError, TypeError):
        with (folder / "answer.json").open("rb") as file:
            answer: dict[str, Any] = json.loads(file.read(MAX_ANSWER_BYTES))
        float(answer["wall"])
        answer["startup"] = [float(seconds) for seconds in answer["startup"]][:2]
        return answer
    return None


def _tail(path: Path) -> str:
    with contextlib.suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2000))
        return file.read().decode("utf-8", "replace")
    return ""


def work(folder: Path = Path()) -> None:
    """Do ``task.json`` in a folder and write ``answer.json`` there, as the process of a run."""

    def do(task: dict[str, Any]) -> dict[str, Any]:
        # A new Python, where nothing is forked, has loaded calmip by now.
        started, used, job = perf_counter(), process_time(), Job(**task)
        answer = catch_errors(lambda: _answer_to(job, folder / f"model{job.suffix}"))
        wall, cpu = answer.get("startup", (0.0, 0.0))
        return {**answer, "wall": perf_counter() - started, "startup": [wall, cpu + used]}

    answer_task(folder, do)


def serve_runs() -> None:
    """Fork runs from this process, in which the modules that they need and HiGHS are loaded."""
    with contextlib.suppress(SolverMissing):
        new_highs("HiGHS")
    serve(work)


def _answer_to(job: Job, model: Path) -> dict[str, Any]:
    if job.goal == REFERENCE:
        return _reference()
    limits = limits_of(job)
    if job.goal == "count":
        return _count_all(job.solver, model, limits)
    with log_to(model.with_name(LOG)) if job.logs else contextlib.nullcontext() as log:
        outcome = solver_named(job.solver).solve(model, replace(limits, log=log))
    return {**outcome.describe(), "startup": outcome.startup}


def limits_of(job: Job) -> Limits:
    """Return the limits and the options that the solver of a run gets."""
    options = tuple((str(name), str(value)) for name, value in job.options)
    return Limits(
        job.seconds,
        job.seed,
        options=options,
        stock=job.settings == "stock",
        startup=_startup(job),
    )


def _startup(job: Job) -> float:
    loads = job.goal != REFERENCE and getattr(solver_named(job.solver), "loads", False)
    return STARTUP_SECONDS if loads else 0.0


def _count_all(name: str, model: Path, limits: Limits) -> dict[str, Any]:
    """Count all solutions: by the search itself, or with a no-good cut after each solve."""
    solver = solver_named(name)
    if isinstance(solver, ExactCoverSearch):
        number, complete, nodes = solver.count(model, limits.clock)
        return _count(number, complete, nodes)
    arrays = read_model(model)
    every = np.arange(len(arrays.columns))
    number = nodes = 0
    startup = np.zeros(2)
    while not limits.clock.over:
        outcome = solver.solve(model, limits)
        nodes += outcome.nodes or 0
        startup += outcome.startup
        if outcome.status is Status.INFEASIBLE or not outcome.values:
            complete = outcome.status is Status.INFEASIBLE
            return {**_count(number, complete, nodes), "startup": startup.tolist()}
        ones = sorted(check_point(arrays, outcome.values, f"{name} says '{outcome.detail}'").point)
        number += 1
        signs = np.where(np.isin(every, ones), 1.0, -1.0)
        arrays = arrays.with_row(f"cut{number}", every, -np.inf, len(ones) - 1.0, signs)
        model = model.with_name("cut.mps")
        model.write_text(mps_text(arrays), encoding="utf-8")
    return {**_count(number, False, nodes), "startup": startup.tolist()}


def _count(number: int, complete: bool, nodes: int | None) -> dict[str, Any]:
    status = Status.DONE if complete else Status.UNKNOWN
    detail = f"{number} solutions{'' if complete else ' so far'}"
    return {"status": status.value, "count": number, "detail": detail, "nodes": nodes}


def _reference() -> dict[str, Any]:
    from calmip.puzzle.cover import ExactCover
    from calmip.puzzle.documents.reader import read_instance
    from calmip.puzzle.search.exact_cover.counting import count

    number = count(ExactCover(read_instance("a-puzzle-a-day", free=True)))
    return _count(number, True, None)


@cache
def machine() -> str:
    """Return a description of this machine, the same on all machines of its kind."""
    name = platform.processor() or platform.machine()
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    return f"{platform.system()} {platform.machine()}, {name}, {os.cpu_count()} cores"


AGAINST = "another build of "


def versions(solvers: Sequence[str], place: str = "", measure: str = OWN) -> dict[str, str | None]:
    """Return the versions of calmip and of solvers here, and the machine.

    A missing solver has the version None; one without a version, ``unknown``. At a place there is
    another build of the only solver. Seconds that are measured otherwise are those of another
    machine.
    """
    ruler = "" if measure == OWN else f", measured by BenchExec {benchexec.version()}"
    known: dict[str, str | None] = {"calmip": __version__, "machine": machine() + ruler}
    for name in solvers:
        try:
            availability = solver_named(name).availability()
        except CalmipError:
            known[name] = None
            continue
        known[name] = None if availability.found is None else availability.version or "unknown"
    if place:
        known[AGAINST + solvers[0]] = version_at(solvers[0], place)
    return known


class Pool(NamedTuple):
    """Workers: their executor, their number, the versions that all of them have, and a ruler."""

    executor: Executor
    size: Callable[[], int]
    versions: dict[str, str | None]
    measure: str

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        """Let a worker do a run."""
        return self.executor.submit(execute, replace(job, measure=self.measure))


@contextlib.contextmanager
def pool(
    workers: int, dask: str | None, solvers: Sequence[str], place: str = "", measure: str = OWN
) -> Iterator[Pool]:
    """Yield workers on this machine or, at an address, on a Dask cluster.

    At a place there is another build of the only solver. Runs are measured as `MEASURES` says.

    Raises
    ------
    SolverMissing
        If a solver is not installed, here or on a worker; or Dask or BenchExec is not.
    InputError
        If the cluster cannot be reached, or its workers have different versions.
    """
    if dask is not None:
        ask = partial(versions, tuple(solvers), place, measure)
        with cluster_of(workers, dask, ask, end_servers) as (cluster, size, found):
            for where, versions_there in found.items():
                _check_solvers(versions_there, f"worker {where}")
            yield Pool(cluster, size, common_values(found, beside=("machine",)), measure)
        return
    here = versions(solvers, place, measure)
    _check_solvers(here, "this machine")
    executor = ThreadPoolExecutor(workers)
    try:
        yield Pool(executor, lambda: workers, here, measure)
    finally:
        # End the processes first, or the threads would wait for their runs.
        executor.shutdown(wait=False, cancel_futures=True)
        end_servers()
        executor.shutdown()


def _check_solvers(found: dict[str, str | None], where: str) -> None:
    missing = [name for name, version in found.items() if version is None]
    if missing:
        raise SolverMissing(
            f"solver {missing[0]} was not found on {clip(where, 200)}; install it there or leave "
            "it out of the campaign (calmip solvers says how); finished runs are kept"
        )
