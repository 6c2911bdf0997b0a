"""The process that runs a submission: it calls its functions and writes down what they return."""

from __future__ import annotations

import json
import math
import os
import runpy
import sys
import traceback
from collections.abc import Callable
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
        place = ""
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == task["submission"]:
                place = f" (line {frame.lineno})"
        text = f"{type(error).__name__}: {error}{place}"
        (folder / "error.json").write_text(json.dumps(text[:1000]), encoding="utf-8")
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
        if next(model.component_data_objects(pyo.Objective, active=True), None) is None:
            first = next(model.component_data_objects(pyo.Var), 0)
            model.course_objective = pyo.Objective(expr=first)
        model.write(str(folder / f"{number}.lp"), io_options={"symbolic_solver_labels": True})


def _cuts(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the cuts that the submission makes of every tiling, and the lists it enumerates."""
    found: dict[str, Any] = {"k-1": [], "k-2": [], "lists": []}
    for kind, name in (("k-1", "cut_k1"), ("k-2", "cut_k2")):
        cut = _function(names, name)
        for tilings in task["tilings"]:
            found[kind].append([_cut_of(cut(list(tiling)), name) for tiling in tilings])
    enumerate_all = _function(names, "enumerate_all")
    for tilings in task["tilings"]:
        listed = enumerate_all(_oracle(tilings))
        found["lists"].append([[str(name) for name in tiling] for tiling in listed])
    (folder / "cuts.json").write_text(json.dumps(found), encoding="utf-8")


def _cut_of(cut: Any, name: str) -> list[Any]:
    try:
        placements, most = cut
        names, number = [str(placement) for placement in placements], float(most)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} returned {cut!r}, not a pair (placements, most)") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} allows {most!r} placements, which is no finite number")
    return [names, number]


def _oracle(tilings: list[list[str]]) -> Callable[[Any], list[str] | None]:
    """Return a solver: it takes cuts and gives a tiling that satisfies them, or None."""

    def solve(cuts: Any = ()) -> list[str] | None:
        checked = [_cut_of(cut, "the list of cuts") for cut in cuts]
        for tiling in tilings:
            if all(len(set(tiling) & set(names)) <= most for names, most in checked):
                return list(tiling)
        return None

    return solve


JOBS: dict[str, Callable[[dict[str, Any], dict[str, Any], Path], None]] = {
    "pulp": _pulp,
    "pyomo": _pyomo,
    "cuts": _cuts,
}

if __name__ == "__main__":
    main(sys.argv[1])
