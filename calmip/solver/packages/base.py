"""What every solver shares that is a Python package: each works in a process of its own.

A library that crashes, hangs, ignores Ctrl-C, writes to the terminal by itself
or keeps its memory would otherwise do so in the caller's process; and OR-tools
and highspy cannot share one at all: whichever is imported second fails on the
other's copy of HiGHS.

The parent writes ``task.json`` into a scratch folder; the child
(`calmip.solver.packages.child`) does the work and writes ``answer.json``.
"""

from __future__ import annotations

import json
import math
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from calmip._files import scratch_folder
from calmip._limits import Limits
from calmip._process import NO_PROCESSES, Ended, processes_are_here, run
from calmip.errors import SolverFailed, SolverMissing
from calmip.solver.base import (
    KILLED,
    Availability,
    ModelRefused,
    OptionUnknown,
    Outcome,
    Status,
    answer_bytes,
    package_availability,
)

__all__ = ["Package"]

# The folder that holds this package comes last on the child's path, and the
# folder of this file not at all: it has modules named like the solvers' own.
BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from calmip.solver.packages.child import serve; serve(sys.argv[2], sys.argv[3])"
)
ROOT = Path(__file__).resolve().parents[3]


class Package(ABC):
    """A solver that is a Python package; see `calmip.solver.base.Solver`.

    Attributes
    ----------
    name : str
        What users call it, and the extra of calmip that installs it.
    package : str
        What pip calls it.
    module : str
        The module that is imported, whose loading counts as solving.
    starts : bool
        Whether it takes a solution to start from.
    """

    name: str
    package: str
    module: str
    starts = False
    unused: tuple[str, ...] = ()

    @abstractmethod
    def work(self, model: Path, limits: Limits) -> Outcome:
        """Read a model file and solve it, in this process: the child's."""

    def availability(self) -> Availability:
        """Return whether the package is installed, without importing it."""
        if not processes_are_here():
            return Availability(None, None, NO_PROCESSES)
        return package_availability(self.package, f"pip install 'calmip[{self.name}]'")

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Have a child process do the work; see `calmip.solver.base.Solver`."""
        here = self.availability()
        if here.found is None:
            raise SolverMissing(f"{self.name} was not found; {here.remedy}")
        task = {
            "model": str(model.resolve()),
            "seconds": limits.seconds,
            "seed": limits.seed,
            "threads": limits.threads,
            "log": limits.log is not None,
            "start": limits.start,
            "options": limits.options,
            "asked": time.time(),
        }
        kind, most = type(self), answer_bytes(model)
        with scratch_folder() as folder:
            (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
            command = [sys.executable, "-P", "-c", BOOT, str(ROOT), kind.__module__, kind.__name__]
            ended = run(command, folder=folder, seconds=limits.patience, log=limits.log)
            if ended.status is None:
                return Outcome(Status.UNKNOWN, detail=KILLED)
            answer = self._answer(folder / "answer.json", most, ended)
        if "missing" in answer:
            raise SolverMissing(f"{self.name} cannot be used ({answer['missing']}); {here.remedy}")
        if "option" in answer:
            raise OptionUnknown(str(answer["option"]))
        if "refused" in answer:
            raise ModelRefused(str(answer["refused"]))
        if "failed" in answer:
            raise SolverFailed(str(answer["failed"]))
        return self._outcome(answer)

    def _answer(self, path: Path, most: int, ended: Ended) -> dict[str, Any]:
        """Return the child's answer. A whole one counts even if the child crashed after it."""
        try:
            with path.open("rb") as file:
                text = file.read(most + 1)
        except OSError:
            raise SolverFailed(
                f"{self.name} ended with {ended.how} and without an answer{ended.last_line}"
            ) from None
        if len(text) > most:
            raise SolverFailed(f"{self.name}'s answer is larger than {most:,} bytes")
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise SolverFailed(f"{self.name}'s answer is cut or garbled{ended.last_line}")
        return answer

    def _outcome(self, answer: dict[str, Any]) -> Outcome:
        """Return the outcome in an answer, every value a finite number."""
        try:
            values = {str(column): float(value) for column, value in answer["values"].items()}
            status, detail = Status(answer["status"]), str(answer["detail"])
            nodes = None if answer.get("nodes") is None else int(answer["nodes"])
            bound = None if answer.get("bound") is None else float(answer["bound"])
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise SolverFailed(
                f"{self.name}'s answer is not a status, a word and values by name"
            ) from None
        for column, value in values.items():
            if not math.isfinite(value):
                raise SolverFailed(
                    f"{self.name} says '{detail}', but {column} has the value {value}"
                )
        return Outcome(status, values, detail, nodes, bound)
