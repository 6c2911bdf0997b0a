"""What every solver offers, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from calmip._limits import Limits
from calmip.problem.status import Status

__all__ = ["Availability", "Limits", "Outcome", "Solver", "Status", "package_availability"]


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
    """

    status: Status
    values: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    nodes: int | None = None


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


class Solver(Protocol):
    """A program that solves a model file; no state outlives a call."""

    name: str

    def availability(self) -> Availability:
        """Return where the solver is, or how to get it."""

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file.

        Raises
        ------
        SolverMissing
            If the solver is not installed.
        SolverFailed
            If it crashed or its answer cannot be read.
        """
