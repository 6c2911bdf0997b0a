"""What every solver offers, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from calmip._limits import Limits, Progress
from calmip.errors import CalmipError, InputError, SolverFailed, SolverMissing
from calmip.formats.reading import MAX_BYTES
from calmip.problem.status import Status

__all__ = [
    "KILLED",
    "Availability",
    "KindRefused",
    "Limits",
    "ModelRefused",
    "OptionUnknown",
    "Outcome",
    "Progress",
    "Solver",
    "Status",
    "answer_bytes",
    "attempted",
    "package_availability",
]

KILLED = "killed: overran its time limit"
"""What is said of a solver that did not heed its limit."""


class OptionUnknown(InputError):
    """A solver has no option of this name, or not with this value."""


class KindRefused(InputError):
    """A solver does not solve models of this kind."""


class ModelRefused(SolverFailed):
    """A solver works, but its licence does not take this model."""


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
        How many nodes of a search tree it visited, None if it does not say.
    bound
        What no solution's objective is better than, None if it does not say.
    """

    status: Status
    values: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    nodes: int | None = None
    bound: float | None = None

    def describe(self) -> dict[str, Any]:
        """Return the answer as plain data, as a child hands it over."""
        return {
            "status": self.status.value,
            "values": {name: value for name, value in self.values.items() if value},
            "detail": self.detail,
            "nodes": self.nodes,
            "bound": self.bound,
        }


@dataclass(frozen=True)
class Availability:
    """Whether a solver is here.

    Parameters
    ----------
    found
        Where it was found, or None.
    version
        Its version, or None if it does not say.
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
    """Return the most bytes of an answer to a model file that are worth reading.

    A column or a row takes fewer than 20 times the bytes in any solution file
    that it takes in a model file; compressed models are the users' own.
    """
    least, most = 1 << 20, MAX_BYTES
    return most if model.suffix == ".gz" else min(least + 20 * model.stat().st_size, most)


def attempted(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a child's work gives, or by the name of its kind the error that it raises."""
    try:
        return work()
    except MemoryError:
        return {"memory": "the solver had no more memory"}
    except (ImportError, SolverMissing) as error:
        return {"missing": str(error)}
    except OptionUnknown as error:
        return {"option": str(error)}
    except (KindRefused, ModelRefused) as error:
        return {"unfit": str(error)}
    except CalmipError as error:
        return {"failed": str(error)}


class Solver(Protocol):
    """A program that solves a model file; no state outlives a call."""

    name: str
    starts: bool
    """Whether it takes a solution to start from."""
    unused: tuple[str, ...]
    """Those of `Limits.seed` and `Limits.threads` that change nothing."""

    def availability(self) -> Availability:
        """Return where the solver is, or how to get it."""

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file.

        Raises
        ------
        SolverMissing
            If the solver is not installed.
        SolverFailed
            If it crashed or its answer cannot be read; as `ModelRefused`, if its
            licence does not take this model.
        KindRefused
            If it does not solve models of this kind.
        OptionUnknown
            If it has no option of this name, or not with this value.
        """
