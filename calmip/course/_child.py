"""The process that runs a submission: it calls its functions and writes down what they return."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import numbers
import os
import runpy
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

PR_CAPBSET_DROP = 24
CAPABILITY_VERSION_3 = 0x20080522


def main(task_file: str) -> None:
    """Do the task; write ``error.json`` if the submission raises anything."""
    folder = Path.cwd()
    task = json.loads(Path(task_file).read_text(encoding="utf-8"))
    Path(task_file).unlink()  # it holds answers
    _limit(task["limits"])
    _drop_capabilities()
    try:
        names = runpy.run_path(task["submission"], run_name="submission")
        JOBS[task["job"]](names, task, folder)
    except BaseException as error:  # whatever it is, it is the submission's fault
        text = _told(error, task)
        (folder / "error.json").write_text(json.dumps(text), encoding="utf-8")
        os._exit(1)
    (folder / "done").touch()
    os._exit(0)


def _limit(limits: dict[str, int]) -> None:
    try:
        import resource
    except ImportError:  # not on Windows; the parent's clock limits it there
        return
    for what, most in (
        (resource.RLIMIT_CPU, limits["seconds"]),
        (resource.RLIMIT_AS, limits["bytes"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (limit, limit))
    _limit_processes(limits["processes"])


def _limit_processes(more: int) -> None:
    """Let the user have so many more processes than now; the system does not hold root to it."""
    import resource

    if sys.platform != "linux":
        return
    mine = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.getuid():
                mine += len(list((process / "task").iterdir()))
        except OSError:  # it has ended, or is not ours to look at
            continue
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    most = mine + more if hard == resource.RLIM_INFINITY else min(mine + more, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _drop_capabilities() -> None:
    """Let root's process reach no more than what belongs to root: not its parent's descriptors."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return
    import ctypes

    libc = ctypes.CDLL(None)
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    libc.capset(ctypes.byref(header), ctypes.byref(none))


def _function(names: dict[str, Any], name: str) -> Callable[..., Any]:
    found = names.get(name)
    if not callable(found):
        raise TypeError(f"the file has no function {name}")
    return found  # type: ignore[no-any-return]


def _told(error: BaseException, task: dict[str, Any]) -> str:
    """Return an error in words, with the last line of the submission that it went through."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == task["submission"]:
            place = f" (line {frame.lineno})"
    return f"{type(error).__name__}: {error}{place}"[:1000]


def _pulp(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the problem of every puzzle as MPS."""
    import pulp

    build = _function(names, "build")
    for number, puzzle in enumerate(task["puzzles"]):
        problem = build(puzzle)
        if not isinstance(problem, pulp.LpProblem):
            raise TypeError(f"build returned {type(problem).__name__}, not a pulp.LpProblem")
        problem.writeMPS(str(folder / f"{number}.mps"), rename=False)


def _pyomo(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the model of every puzzle as LP."""
    import pyomo.environ as pyo

    build = _function(names, "build")
    for number, puzzle in enumerate(task["puzzles"]):
        model = build(puzzle)
        if not isinstance(model, pyo.ConcreteModel):
            raise TypeError(f"build returned {type(model).__name__}, not a pyomo ConcreteModel")
        # The objective plays no part, and Pyomo writes only variables that stand somewhere.
        for objective in model.component_data_objects(pyo.Objective, active=True):
            objective.deactivate()
        every = list(model.component_data_objects(pyo.Var))
        model.course_objective = pyo.Objective(expr=sum(every))
        model.write(str(folder / f"{number}.lp"), io_options={"symbolic_solver_labels": True})


def _cuts(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the cuts that each function makes of every tiling, or the error that it raises."""
    found: dict[str, Any] = {}
    for kind, name in (("k-1", "cut_k1"), ("k-2", "cut_k2")):
        try:
            cut = _function(names, name)
            found[kind] = [
                [_cut_of(cut(list(tiling)), name) for tiling in tilings]
                for tilings in task["tilings"]
            ]
        except Exception as error:
            found[kind] = _told(error, task)
    (folder / "cuts.json").write_text(json.dumps(found), encoding="utf-8")


def _cut_of(cut: Any, name: str) -> list[Any]:
    try:
        placements, most = cut
        names = [str(placement) for placement in placements]
    except (TypeError, ValueError):
        raise TypeError(f"{name} returned {cut!r}, not a pair (placements, most)") from None
    if isinstance(most, bool) or not isinstance(most, numbers.Real):
        raise TypeError(f"{name} allows {most!r} placements, which is no number")
    if not math.isfinite(most):
        raise ValueError(f"{name} allows {most!r} placements, which is no finite number")
    return [names, float(most)]


ROUNDS, SECONDS = 10, 1.0
"""A list of all tilings takes one call of ``solve`` for each and one more, and milliseconds: a loop
that takes so many for each, or so many seconds of processor time, never ends."""


class Endless(BaseException):
    """A loop does not end; not for a submission's ``except Exception``."""


@contextlib.contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Raise `Endless` after so much processor time; on Windows the warden's clock has to do."""
    if sys.platform == "win32":
        yield
        return

    def end(*_: object) -> None:
        raise Endless

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _lists(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the tilings that the submission lists; of a loop without an end its last answers."""
    enumerate_all = _function(names, "enumerate_all")
    found: dict[str, Any] = {"lists": [], "endless": None}
    for tilings in task["tilings"]:
        answers: list[list[str] | None] = []
        most = ROUNDS * len(tilings)
        try:
            with _ended_after(SECONDS):
                listed = enumerate_all(_oracle(tilings, answers, most))
                if not isinstance(listed, Iterable):
                    raise TypeError(
                        f"enumerate_all returned {type(listed).__name__}, not a list of tilings"
                    )
                plain = [_plain(tiling) for tiling in itertools.islice(listed, most)]
        except Endless:
            found["endless"] = {"calls": len(answers), "answers": answers[-2:]}
            break
        found["lists"].append(plain)
    (folder / "lists.json").write_text(json.dumps(found), encoding="utf-8")


def _plain(tiling: Any) -> list[str] | str:
    if isinstance(tiling, (list, tuple, set, frozenset)):
        return [str(name) for name in tiling]
    return str(tiling)[:200]


def _oracle(
    tilings: list[list[str]], answers: list[list[str] | None], most: int
) -> Callable[[Any], list[str] | None]:
    """Return a solver: it takes cuts and gives a tiling that satisfies them, or None."""

    def solve(cuts: Any = ()) -> list[str] | None:
        if len(answers) >= most:
            raise Endless
        checked = [_cut_of(cut, "the list of cuts") for cut in cuts]
        satisfying = (
            tiling for tiling in tilings
            if all(len(set(tiling) & set(names)) <= bound for names, bound in checked)
        )  # fmt: skip
        answers.append(next(satisfying, None))
        return None if answers[-1] is None else list(answers[-1])

    return solve


JOBS: dict[str, Callable[[dict[str, Any], dict[str, Any], Path], None]] = {
    "pulp": _pulp,
    "pyomo": _pyomo,
    "cuts": _cuts,
    "lists": _lists,
}

if __name__ == "__main__":
    main(sys.argv[1])
