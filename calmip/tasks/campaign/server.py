"""What is done in a run's own process, and a warm process that forks and watches these.

A run gives a solver the model, and writes down what it says. To start Python and to load
calmip and HiGHS takes a quarter of a second; to fork a process that has them takes some
milliseconds. The server reads a line of JSON for each run from stdin and answers with one
on stdout when the run has ended and its processes are gone. It ends when stdin does, and
takes the run with it: so nothing outlives a campaign that is killed.

On Linux the server adopts whatever loses its parent (prctl, PR_SET_CHILD_SUBREAPER),
so the processes below it are those of the run, all of them. Where there is no fork
(Windows) `calmip.tasks.campaign.runs` starts Python anew for each run.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from calmip._highs import new_highs
from calmip._limits import Limits
from calmip._process import PROC, adopt_orphans, descendants, end_children, reaped
from calmip.errors import CalmipError, SolverFailed, SolverMissing
from calmip.formats.model_files import read_model
from calmip.formats.mps import mps_text
from calmip.problem.binary_model import BinaryModel
from calmip.solvers import Outcome, Status, solver_named
from calmip.solvers.base import KindRefused, ModelRefused, OptionUnknown
from calmip.solvers.exact_cover import ExactCoverSearch

__all__ = ["REFERENCE", "serve", "work"]


REFERENCE = "reference"
"""The job that is always the same, and shows how fast the machine is."""


def work(folder: Path) -> None:
    """Do ``task.json`` in a folder and write ``answer.json`` there, whole or not at all."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    started = perf_counter()
    answer: dict[str, Any]
    try:
        answer = _reference() if task["goal"] == REFERENCE else _answer(task, folder)
    except MemoryError:
        answer = {"memory": "the solver had no more memory"}
    except SolverMissing as error:
        answer = {"missing": str(error)}
    except OptionUnknown as error:
        answer = {"option": str(error)}
    except (KindRefused, ModelRefused) as error:
        answer = {"unfit": str(error)}
    except CalmipError as error:
        answer = {"failed": str(error)}
    answer["wall"] = perf_counter() - started
    part = folder / "answer.part"
    part.write_text(json.dumps(answer), encoding="utf-8")
    part.replace(folder / "answer.json")


def _answer(task: dict[str, Any], folder: Path) -> dict[str, Any]:
    model = folder / task["model"]
    options = tuple((str(name), str(value)) for name, value in task["options"])
    limits = Limits(task["seconds"], task["seed"], options=options)
    if task["goal"] == "count":
        return _counted(task["solver"], model, limits)
    outcome = solver_named(task["solver"]).solve(model, limits)
    return {
        "status": outcome.status.value,
        "values": {name: value for name, value in outcome.values.items() if value},
        "detail": outcome.detail,
        "nodes": outcome.nodes,
        "bound": outcome.bound,
    }


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
        ones = _ones(arrays, outcome, name)
        number += 1
        arrays = _without(arrays, ones, number)
        model = model.with_name("cut.mps")
        model.write_text(mps_text(arrays), encoding="utf-8")
    return _count(number, False, nodes)


def _count(number: int, whole: bool, nodes: int | None) -> dict[str, Any]:
    status = Status.DONE if whole else Status.UNKNOWN
    detail = f"{number} solutions{'' if whole else ' so far'}"
    return {"status": status.value, "count": number, "detail": detail, "nodes": nodes}


def _ones(model: BinaryModel, outcome: Outcome, name: str) -> list[int]:
    """Return the columns that are one; what was found twice or breaks a row ends the count."""
    numbers = {column: number for number, column in enumerate(model.columns)}
    try:
        ones = [numbers[column] for column, value in outcome.values.items() if value > 0.5]
    except KeyError as error:
        raise SolverFailed(f"{name}'s answer names {error}, which is no column") from None
    row = model.violated(ones)
    if row is not None:
        raise SolverFailed(f"{name}'s answer breaks row {model.rows[row]}")
    return ones


def _without(model: BinaryModel, ones: list[int], number: int) -> BinaryModel:
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


PATIENCE = 20.0
"""Seconds after which a process that cannot be killed is given up."""

INTERVALS = (0.002, 0.004, 0.008, 0.016)
INTERVAL = 0.02
"""Seconds from one look at the memory to the next: at the beginning of a run, and later."""

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def serve() -> None:
    """Run what stdin asks for, one after the other, until it ends."""
    adopt_orphans()
    with contextlib.suppress(SolverMissing):
        new_highs("HiGHS")
    wake, awake = os.pipe()
    for end in (wake, awake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(awake, warn_on_full_buffer=False)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what a solver prints goes elsewhere
    print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
    waiting = b""
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        waiting += data
        while b"\n" in waiting:
            line, _, waiting = waiting.partition(b"\n")
            ended = _run(json.loads(line), wake)
            print(json.dumps(ended), file=answers, flush=True)


def _run(task: dict[str, Any], wake: int) -> dict[str, Any]:
    """Fork a run and watch it to its end; return how it ended and what it took."""
    started = perf_counter()
    folder = Path(task["folder"])
    run = _forked(folder)
    seconds, most = task["seconds"], task["memory"]
    watch = _Watch(run)
    killed = status = None
    cpu = 0.0
    intervals = iter(INTERVALS)
    while status is None:
        ready = select.select([0, wake], [], [], next(intervals, INTERVAL))[0]
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 1 << 10)
        for pid, state, used in reaped():
            cpu += used
            status = state if pid == run else status
        if 0 in ready and status is None:  # the campaign has ended: no other line comes before
            _end()
            shutil.rmtree(folder, ignore_errors=True)  # which nobody else may be there to do
            os._exit(1)
        if status is None and killed is None:
            over = seconds is not None and perf_counter() - started > seconds
            full = watch.look() > most if most is not None else watch.look() < 0
            killed = "time" if over else "memory" if full else None
            if killed:
                break
    cpu += _end()
    return {
        "killed": killed,
        "status": status,
        "cpu": cpu,
        "memory": watch.peak,
        "waited": watch.waited,
        "wall": perf_counter() - started,
    }


def _end() -> float:
    """Kill all that is left of a run and return the seconds of processor time that it took."""
    try:
        return end_children(PATIENCE)
    except TimeoutError:
        return 0.0


def _forked(folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number, target in ((silent, 0), (said, 1), (said, 2)):
            os.dup2(number, target)
        os.closerange(3, 256)
        # Whatever a process leaves that is killed lies in the run's own folder.
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)

        work(folder)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


class _Watch:
    """What a run holds and what it waits for, looked at again and again.

    Memory is of the processes that the run started or, if none, its own.
    """

    def __init__(self, run: int) -> None:
        self._run = run
        self._own = self._others = 0
        self._delays: dict[int, bytes] = {}
        self._stopped = 0.0
        self._looked = perf_counter()
        self.look()  # a short run ends before anybody looks again

    @property
    def peak(self) -> int:
        """Bytes."""
        return self._others or self._own

    @property
    def waited(self) -> float:
        """The seconds in which its processes could have run and did not get the processor."""
        return self._stopped + sum(int(delay.split()[1]) for delay in self._delays.values()) / 1e9

    def look(self) -> int:
        """Return the bytes that all processes of the run hold now."""
        now, before = perf_counter(), self._looked
        self._looked = now
        others = descendants({os.getpid()}) - {self._run}
        for pid in (self._run, *others):
            self._look_at_delay(pid, now - before)
        own, more = _resident(self._run), sum(map(_resident, others))
        self._own, self._others = max(self._own, own), max(self._others, more)
        return own + more

    def _look_at_delay(self, pid: int, seconds: float) -> None:
        """Note what the system's scheduler says of a process: on the processor, and waiting for it.

        What somebody has stopped (SIGSTOP, a machine that sleeps) does not wait in that sense.
        """
        with contextlib.suppress(OSError, IndexError):
            delay = (PROC / f"{pid}/schedstat").read_bytes()
            if len(delay.split()) < 2:  # as for the dead
                return
            state = b""
            if pid == self._run and self._delays.get(pid) == delay:
                state = (PROC / f"{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
            self._stopped += seconds if state in (b"T", b"t") else 0.0
            self._delays[pid] = delay


def _resident(pid: int) -> int:
    """Return the bytes of memory of a process, 0 if it has gone."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int((PROC / f"{pid}/statm").read_bytes().split()[1]) * PAGE
    if not PROC.is_dir():
        with contextlib.suppress(Exception):
            import psutil

            return int(psutil.Process(pid).memory_info().rss)
    return 0
