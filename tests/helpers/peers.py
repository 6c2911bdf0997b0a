"""Other programs that tests compare with."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from requirements import missing

from calmip.mip.model import Model
from calmip.solvers.programs import Cbc, Glpk

FINDERS = {"cbc": Cbc().find, "glpsol": Glpk().find}


class Peers:
    """Other programs: skipped where they are missing, unless the run requires them.

    ``CALMIP_PEER_PYTHON`` names the interpreter that has their packages, if
    it is another than the tests'.
    """

    python = os.environ.get("CALMIP_PEER_PYTHON") or sys.executable

    def missing(self, name: str) -> None:
        """Skip the test, or fail it where the program is required."""
        missing(name)

    def run(self, program: str, *arguments: object, cwd: Path | None = None) -> str:
        """Run a program and return its output."""
        path = FINDERS[program]()
        if path is None:
            self.missing(program)
        command = [str(path), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def script(self, package: str, code: str, *arguments: object, given: str = "") -> str:
        """Run Python code that uses a package, in the peers' interpreter."""
        found = (
            f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
        )
        if subprocess.run([self.python, "-c", found], check=False).returncode:
            self.missing(package)
        command = [self.python, "-c", code, *map(str, arguments)]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def referee(path: Path) -> list[object]:
    """Return the arrays that HiGHS reads from a model file, minimised."""
    import highspy  # which may not share a process with OR-tools

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    lp = highs.getLp()
    matrix = lp.a_matrix_
    assert matrix.format_ == highspy.MatrixFormat.kColwise
    start, index, value = (list(some) for some in (matrix.start_, matrix.index_, matrix.value_))
    rows: list[list[tuple[int, float]]] = [[] for _ in lp.row_lower_]
    for column, (first, last) in enumerate(pairwise(start)):
        for row, number in zip(index[first:last], value[first:last], strict=True):
            rows[row].append((column, number))
    sign = -1.0 if lp.sense_ == highspy.ObjSense.kMaximize else 1.0
    whole = [kind == highspy.HighsVarType.kInteger for kind in lp.integrality_]
    return [
        tuple(lp.col_names_),
        tuple(lp.row_names_),
        rows,
        list(lp.row_lower_),
        list(lp.row_upper_),
        [sign * cost + 0.0 for cost in lp.col_cost_],
        list(lp.col_lower_),
        list(lp.col_upper_),
        whole or [False] * len(lp.col_lower_),
        sign * lp.offset_ + 0.0,
    ]


def ours(model: Model) -> list[object]:
    """Return the arrays of a model, as `referee` does."""
    start = model.values("start")
    entries = list(zip(model.values("index"), model.values("value"), strict=True))
    return [
        model.columns,
        model.rows,
        [sorted(entries[a:b]) for a, b in pairwise(start)],
        model.values("lower"),
        model.values("upper"),
        [cost + 0.0 for cost in model.values("cost")],
        model.values("column_lower"),
        model.values("column_upper"),
        list(map(bool, model.values("integer"))),
        (-model.offset if model.maximise else model.offset) + 0.0,
    ]
