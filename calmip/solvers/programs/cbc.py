"""CBC, as a program of its own."""

from __future__ import annotations

import importlib.util
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from calmip._files import scratch_folder
from calmip.errors import SolverFailed, SolverMissing
from calmip.solvers.base import Availability, Limits, Outcome, Status
from calmip.solvers.programs.process import last_line, run

__all__ = ["Cbc", "find_cbc"]

VARIABLE = "CALMIP_CBC"
"""The environment variable that names a CBC program."""

REMEDY = (
    f"install it (apt install coinor-cbc, brew install cbc, or pip install cbcbox), "
    f"or set {VARIABLE} to the program's path"
)

# How the first line of CBC's solution file starts, longest first: its exit
# status is 0 even for a file that does not exist, so this line is the answer.
STATUSES = (
    ("Optimal", Status.OPTIMAL),
    ("Infeasible", Status.INFEASIBLE),
    ("Integer infeasible", Status.INFEASIBLE),
    ("Stopped on", Status.FEASIBLE),
)

MAX_BYTES = 200_000_000


class Cbc:
    """CBC, the COIN-OR branch-and-cut solver; see `calmip.solvers.base.Solver`."""

    name = "cbc"

    def availability(self) -> Availability:
        """Return which CBC is used and its version, asking the program itself."""
        path = find_cbc()
        if path is None:
            return Availability(None, None, REMEDY)
        try:
            answer = subprocess.run(
                [path, "-quit"], capture_output=True, timeout=10, text=True, check=False,
                stdin=subprocess.DEVNULL,
            ).stdout  # fmt: skip
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            answer = ""
        version = re.search(r"Version:\s*(\S+)", answer)
        return Availability(path, version.group(1) if version else None, REMEDY)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Run CBC on a model file; see `calmip.solvers.base.Solver`."""
        path = find_cbc()
        if path is None:
            raise SolverMissing(f"CBC was not found; {REMEDY}")
        with scratch_folder() as folder:
            answer = folder / "answer.sol"
            command = [path, str(model.resolve()), "-randomCbcSeed", str(limits.seed % 2**31)]
            if limits.threads > 1:
                command += ["-threads", str(limits.threads)]
            if limits.seconds is not None:
                # Its clock is CPU time unless told otherwise.
                command += ["-timeMode", "elapsed", "-sec", f"{limits.seconds:.3f}"]
            command += ["-solve", "-solution", answer.name]
            status, tail = run(command, folder=Path(folder), seconds=limits.seconds, log=limits.log)
            if status is None:
                return Outcome(Status.UNKNOWN, detail="killed: overran its time limit")
            if status != 0:
                how = f"signal {-status}" if status < 0 else f"exit status {status}"
                raise SolverFailed(f"CBC ({path}) ended with {how}{last_line(tail)}")
            if not answer.is_file():
                raise SolverFailed(f"CBC ({path}) wrote no solution file{last_line(tail)}")
            nodes = re.search(r"^Enumerated nodes:\s+(\d+)", tail, re.MULTILINE)
            outcome = read_answer(answer)
            return replace(outcome, nodes=int(nodes.group(1)) if nodes else None)


def read_answer(path: Path) -> Outcome:
    """Return the outcome that CBC's solution file tells.

    Raises
    ------
    SolverFailed
        If the file is not one of CBC's.
    """
    with path.open("rb") as file:
        text = file.read(MAX_BYTES).decode("utf-8", "replace")
    head, _, body = text.partition("\n")
    status = next((status for word, status in STATUSES if head.startswith(word)), None)
    if status is None or " - " not in head:
        raise SolverFailed(f"CBC's solution file starts with {head[:80]!r}, which is no status")
    detail = head.partition(" - objective value")[0].strip()
    if status is Status.INFEASIBLE:
        return Outcome(status, detail=detail)
    if "no integer solution" in head:
        # The values that follow are those of the relaxation.
        return Outcome(Status.UNKNOWN, detail=detail)
    values: dict[str, float] = {}
    for number, line in enumerate(body.splitlines(), start=2):
        fields = line.removeprefix("**").split()
        if not fields:
            continue
        try:
            name, value = fields[1], float(fields[2])
        except (IndexError, ValueError):
            raise SolverFailed(
                f"CBC's solution file, line {number}: found {line[:80]!r}, "
                "not an index, a name and a value"
            ) from None
        if name in values or not math.isfinite(value):
            raise SolverFailed(f"CBC's solution file, line {number}: {line[:80]!r} cannot be")
        values[name] = value
    return Outcome(status, values, detail)


def find_cbc() -> str | None:
    """Return the path of the CBC to use, or None.

    The first of: the environment variable ``CALMIP_CBC``, ``cbc`` on the
    search path, the package cbcbox, the program inside PuLP 3.

    Raises
    ------
    SolverMissing
        If ``CALMIP_CBC`` is set and names no program.
    """
    wanted = os.environ.get(VARIABLE)
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise SolverMissing(f"{VARIABLE} is set to '{wanted}', which is no program; correct it")
        return found
    return shutil.which("cbc") or _from_cbcbox() or _from_pulp()


def _from_cbcbox() -> str | None:
    if importlib.util.find_spec("cbcbox") is None:
        return None
    try:
        import cbcbox  # type: ignore[import-not-found, unused-ignore]

        path: str | None = shutil.which(cbcbox.cbc_bin_path())
    except Exception:  # a broken extra must not hide the CBC inside PuLP
        return None
    return path


def _from_pulp() -> str | None:
    spec = importlib.util.find_spec("pulp")
    if spec is None or spec.origin is None:
        return None
    system = {"linux": "linux", "darwin": "osx", "win32": "win"}.get(sys.platform, sys.platform)
    arm = platform.machine().lower() in ("arm64", "aarch64")
    folder = Path(spec.origin).parent / "solverdir" / "cbc" / system
    return shutil.which(str(folder / ("arm64" if arm else "i64") / "cbc"))
