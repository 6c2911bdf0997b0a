"""The interface of every solver, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from calmip._base.errors import CalmipError, InputError, SolverFailed, SolverMissing, clip
from calmip._base.limits import Limits
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.mip.rows import Number

KILLED = "killed: overran its time limit"


class OptionUnknown(InputError):
    """A solver has no option of this name, or not with this value."""


def no_option(solver: str, name: str, value: str, why: object = "") -> OptionUnknown:
    """Return the error that a solver has no such option."""
    message = f"{solver} has no option {clip(name)} that could be '{clip(value)}'"
    return OptionUnknown(f"{message}: {why}" if why else message)


class KindRefused(InputError):
    """A solver does not solve models of this kind."""


class ModelRefused(SolverFailed):
    """A solver works, but its licence does not admit this model."""


@dataclass(frozen=True)
class Outcome:
    """A solver's answer.

    Parameters
    ----------
    status
        The claim.
    values
        The columns that are not zero, by name; empty without a solution.
    detail
        The solver's own word for the status.
    nodes
        The nodes of its search tree, None if it does not count them.
    bound
        Its best bound on the objective, None if it has none.
    startup
        The wall-clock and CPU seconds in which its process started and loaded its package.
    spread
        Half a unit of the last digit of values that were printed, by name; others are exact.
    """

    status: Status
    values: Mapping[str, float | Number] = field(default_factory=dict)
    detail: str = ""
    nodes: int | None = None
    bound: float | None = None
    startup: tuple[float, float] = (0.0, 0.0)
    spread: Mapping[str, float | Number] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {
            "status": self.status.value,
            "values": {name: float(value) for name, value in self.values.items()},
            "spread": {name: float(half) for name, half in self.spread.items()},
            "detail": self.detail,
            "nodes": self.nodes,
            "bound": self.bound,
        }


@dataclass(frozen=True)
class StatusWords:
    """A solver's words for its status."""

    title: str
    optimal: str
    infeasible: str
    either: str
    """Infeasible or unbounded: infeasible, if all columns are bounded."""
    stopped: tuple[str, ...]
    unbounded: str = ""

    def outcome(
        self,
        word: str,
        values: Mapping[str, float] | None,
        nodes: int | None = None,
        bound: float | None = None,
        *,
        bounded: bool = True,
    ) -> Outcome:
        """Return the outcome for a word; values are None without a solution."""
        if word in (self.infeasible, self.either):
            decided = bounded or word == self.infeasible
            status = Status.INFEASIBLE if decided else Status.UNKNOWN
            return Outcome(status, detail=word, nodes=nodes)
        if word and word == self.unbounded:
            return Outcome(Status.UNBOUNDED, detail=word, nodes=nodes)
        if word != self.optimal and word not in self.stopped:
            raise SolverFailed(f"{self.title} ended with the status '{word}'")
        if values is None:
            return Outcome(Status.UNKNOWN, detail=word, nodes=nodes, bound=bound)
        status = Status.OPTIMAL if word == self.optimal else Status.FEASIBLE
        chosen = {name: value for name, value in values.items() if value}
        return Outcome(status, chosen, word, nodes, bound)


@dataclass(frozen=True)
class Availability:
    """Whether a solver is installed.

    Parameters
    ----------
    found
        Its place, or None.
    version
        Its version, or None if it is not known.
    remedy
        How to get it.
    """

    found: str | None
    version: str | None
    remedy: str


def package_availability(package: str, remedy: str) -> Availability:
    """Return whether a Python package is installed, without importing it."""
    from importlib import metadata

    try:
        return Availability(package, metadata.version(package), remedy)
    except metadata.PackageNotFoundError:
        return Availability(None, None, remedy)


def answer_bytes(model: Path) -> int:
    """Return the most bytes to read of an answer to a model file.

    In any solution file, a column or a row takes fewer than 20 times its bytes in the model.
    """
    from calmip.mip.files.text_source import MAX_BYTES

    compressed = model.suffix == ".gz"
    return MAX_BYTES if compressed else min((1 << 20) + 20 * model.stat().st_size, MAX_BYTES)


def read_binary(model: Path, title: str) -> Model:
    """Return the binary model in a file; raise `KindRefused` for another model."""
    from calmip.mip.defined import project
    from calmip.mip.files.model_files import read_model

    arrays = read_model(model)
    try:
        return project(arrays).as_binary(title)
    except InputError as error:
        raise KindRefused(f"{error.message}; use another solver") from None


ERRORS: dict[str, tuple[type[Exception], ...]] = {
    "memory": (MemoryError,),
    "missing": (ImportError, SolverMissing),
    "option": (OptionUnknown,),
    "unfit": (ModelRefused, KindRefused),
    "failed": (CalmipError,),
}
"""The kinds of errors in a child's answer."""


def catch_errors(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result of a child's work, or its error under the name of its kind."""
    try:
        return work()
    except (MemoryError, ImportError, CalmipError) as error:
        kind = next(kind for kind, types in ERRORS.items() if isinstance(error, types))
        return {kind: "the solver had no more memory" if kind == "memory" else str(error)}


def options_of(solver: Solver, limits: Limits) -> dict[str, str]:
    """Return the options that a solver gets beside the limits, the seed and the threads."""
    tuned = {} if limits.stock else getattr(solver, "tuned", {})
    return {**getattr(solver, "exact", {}), **tuned, **dict(limits.options)}


class Solver(Protocol):
    """A program that solves a model file; no state outlives a call."""

    name: str
    starts: bool = False
    """Whether it takes a warm start."""
    tries: bool = False
    """Whether it first tries something of its own, and then takes `Limits.spare`."""
    unused: tuple[str, ...] = ()
    """Those of `Limits.seed` and `Limits.threads` that it ignores."""
    loads: bool = False
    """Whether each call starts a process that loads a package."""
    exact: Mapping[str, str] = MappingProxyType({})
    """Options that it always gets, without which "optimal" would mean "within a gap"."""
    tuned: Mapping[str, str] = MappingProxyType({})
    """calmip's own options for models of puzzles, which `Limits.stock` leaves out."""

    def availability(self) -> Availability:
        """Return the place of the solver, or how to get it."""

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file, MPS or LP by its suffix, and return the solver's claim.

        Raises
        ------
        SolverMissing
            If the solver is not installed.
        SolverFailed
            If it crashed or its answer cannot be read; as `ModelRefused`, if its licence does
            not admit this model.
        KindRefused
            If it does not solve models of this kind.
        OptionUnknown
            If it has no option of this name, or not with this value.
        """
