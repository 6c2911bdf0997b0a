"""The process that runs a submission: it calls its functions and writes down what they return.

    python -P -m calmip.course._child TASK

Before anything of the submission's is run, it gives up its rights, limits itself and
writes a byte to stdout. What fails before is the fault of this machine.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import math
import numbers
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522

LIMITED = {
    "RLIMIT_CPU": ("seconds", "processor time"),
    "RLIMIT_AS": ("bytes", "memory"),
    "RLIMIT_FSIZE": ("file", "the size of files"),
    "RLIMIT_NOFILE": ("descriptors", "open files"),
    "RLIMIT_NPROC": ("threads", "the number of processes"),
    "RLIMIT_CORE": ("core", ""),
}
"""The system's limits: for each the key of its number in the task, and what it limits."""


def main(task_file: str) -> None:
    """Do the task; write ``error.json`` if the submission raises anything."""
    tell = os.dup(1)
    os.dup2(2, 1)
    folder = Path.cwd()
    task = json.loads(Path(task_file).read_text(encoding="utf-8"))
    _drop_rights(task["user"])
    Path(task_file).unlink()  # it holds answers
    for library in (os.__file__, __file__):  # another user may not be able to import anything
        Path(library).read_bytes()
    if task["library"] == "pulp":
        import pulp  # noqa: F401 - here, so that the submission is not charged for it
    elif task["library"] == "pyomo":
        import pyomo.environ  # noqa: F401
    held = limit({"descriptors": 256, "core": 0, **task["limits"]})
    if task["job"] == "nothing":
        (folder / "held.json").write_text(json.dumps(held), encoding="utf-8")
    os.write(tell, b".")
    os.close(tell)
    if task["job"] == "nothing":
        return
    try:
        names = runpy.run_path(task["submission"], run_name="submission")
        JOBS[task["job"]](names, task, folder)
    except BaseException as error:  # whatever it is, it is the submission's fault
        text = _told(error, task)
        (folder / "error.json").write_text(json.dumps(text), encoding="utf-8")
        os._exit(1)
    (folder / "done").touch()
    os._exit(0)


def limit(most: dict[str, int | None]) -> list[str]:
    """Limit this process and all that come of it; return what the system then limits.

    What is None is not limited. A system that lacks a limit, or refuses it, keeps the
    others. Windows has none.
    """
    try:
        import resource
    except ImportError:
        return []
    held = []
    for name, (key, what) in LIMITED.items():
        number, wanted = getattr(resource, name, None), most[key]
        if number is None or wanted is None:
            continue
        with contextlib.suppress(OSError, ValueError):  # current macOS refuses RLIMIT_AS
            hard = resource.getrlimit(number)[1]
            if key == "seconds":  # what it took to start is not the submission's
                wanted += math.ceil(time.process_time())
            wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(number, (wanted, wanted))
            # Older macOS takes the limit of memory, and does not hold it.
            unheld = sys.platform == "darwin" and name == "RLIMIT_AS"
            held += [what] if what and not unheld else []
    return held


def _drop_rights(user: int | None) -> None:
    """Become a user of its own, or let root's process reach no more than what belongs to root."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else its own /proc/self belongs to root
    elif os.geteuid() == 0:  # so that it does not reach its parent's descriptors
        for capability in range(64):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        none = (ctypes.c_uint32 * 6)()
        libc.capset(ctypes.byref(header), ctypes.byref(none))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


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
