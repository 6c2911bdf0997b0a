"""Solvers that are Python packages, each run in a Python process of its own.

A library that crashes, hangs, ignores Ctrl-C, writes to the terminal by itself
or keeps its memory would otherwise do so in the caller's process; and OR-tools
and highspy cannot share one at all: whichever is imported second fails on the
other's copy of HiGHS.

The parent writes ``task.json`` into a temporary folder; the child calls the
function ``work`` of the solver's module and writes ``answer.json``.
"""

from __future__ import annotations

import json
import math
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from calmip._files import scratch_folder
from calmip.errors import CalmipError, SolverFailed, SolverMissing
from calmip.solvers.base import Limits, Outcome, Solver, Status
from calmip.solvers.programs.process import last_line, run

__all__ = ["serve", "solve_apart"]

# The folder that holds this package comes last on the child's path, and the
# folder of this file not at all: it has modules named like the solvers' own.
BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from calmip.solvers.packages.child import serve; serve(sys.argv[2])"
)
ROOT = Path(__file__).resolve().parents[3]

MAX_BYTES = 200_000_000


def solve_apart(solver: Solver, model: Path, limits: Limits) -> Outcome:
    """Solve a model file in a child process, by the function ``work`` of the solver's module.

    Raises
    ------
    SolverMissing
        If the package is not installed or cannot be imported.
    SolverFailed
        If the child ended without a whole answer.
    """
    here = solver.availability()
    if here.found is None:
        raise SolverMissing(f"{solver.name} was not found; {here.remedy}")
    task = {
        "model": str(model.resolve()),
        "seconds": limits.seconds,
        "seed": limits.seed,
        "threads": limits.threads,
        "log": limits.log is not None,
    }
    with scratch_folder() as folder:
        (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
        command = [sys.executable, "-P", "-c", BOOT, str(ROOT), type(solver).__module__]
        status, tail = run(command, folder=folder, seconds=limits.seconds, log=limits.log)
        if status is None:
            return Outcome(Status.UNKNOWN, detail="killed: overran its time limit")
        answer = _answer(solver.name, folder / "answer.json", status, tail)
    if "missing" in answer:
        raise SolverMissing(f"{solver.name} cannot be used ({answer['missing']}); {here.remedy}")
    if "failed" in answer:
        raise SolverFailed(str(answer["failed"]))
    return _outcome(solver.name, answer)


def _answer(name: str, path: Path, status: int, tail: str) -> dict[str, Any]:
    """Return the child's answer. A whole one counts even if the child crashed after it."""
    try:
        with path.open("rb") as file:
            answer = json.loads(file.read(MAX_BYTES))
    except OSError:
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        raise SolverFailed(
            f"{name} ended with {how} and without an answer{last_line(tail)}"
        ) from None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise SolverFailed(f"{name}'s answer is cut or garbled{last_line(tail)}")
    return answer


def _outcome(name: str, answer: dict[str, Any]) -> Outcome:
    """Return the outcome in an answer, every value a finite number."""
    try:
        values = {str(column): float(value) for column, value in answer["values"].items()}
        status, detail = Status(answer["status"]), str(answer["detail"])
        nodes = None if answer.get("nodes") is None else int(answer["nodes"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise SolverFailed(f"{name}'s answer is not a status, a word and values by name") from None
    for column, value in values.items():
        if not math.isfinite(value):
            raise SolverFailed(f"{name} says '{detail}', but {column} has the value {value}")
    return Outcome(status, values, detail, nodes)


def serve(module: str) -> None:
    """Be the child: do the task in the current folder with the function ``work`` of a module."""
    task = json.loads(Path("task.json").read_text(encoding="utf-8"))
    log = print if task["log"] else None
    limits = Limits(task["seconds"], task["seed"], task["threads"], log)
    answer: dict[str, object]
    try:
        outcome = import_module(module).work(Path(task["model"]), limits)
        answer = {
            "status": outcome.status.value,
            "values": dict(outcome.values),
            "detail": outcome.detail,
            "nodes": outcome.nodes,
        }
    except ImportError as error:
        answer = {"missing": str(error)}
    except CalmipError as error:
        answer = {"failed": str(error)}
    whole = Path("answer.part")
    whole.write_text(json.dumps(answer), encoding="utf-8")
    whole.replace("answer.json")
