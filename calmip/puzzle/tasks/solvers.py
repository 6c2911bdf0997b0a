"""The installed solvers and formulations, and how to get the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.version import __version__
from calmip.mip.status import Status
from calmip.models import FORMULATIONS
from calmip.puzzle.tasks.results import Result
from calmip.solvers import SOLVERS, Availability, solver_named
from calmip.solvers.base import package_availability

__all__ = ["Installed", "installed_solvers"]


@dataclass(frozen=True, repr=False)
class Installed(Result):
    """The solvers and formulations that calmip knows.

    Parameters
    ----------
    solvers, formulations
        Whether each is installed, by its name.
    """

    solvers: Mapping[str, Availability]
    formulations: Mapping[str, Availability]

    status = Status.DONE

    def sentence(self, name: str) -> str:
        """Return what a solver or a formulation is; an empty text if its package is broken."""
        known: Mapping[str, Any] = SOLVERS if name in self.solvers else FORMULATIONS
        try:
            return str(known[name][-1])
        except (SolverMissing, SolverFailed):
            return ""

    def _summary(self) -> str:
        here = [name for name, one in self.solvers.items() if one.found is not None]
        return f"{len(here)} of {len(self.solvers)} solvers are here: {', '.join(here) or 'none'}"


def installed_solvers() -> Installed:
    """List which solvers and formulation packages are installed, without loading them."""
    return Installed(
        {name: _solver(name) for name in SOLVERS},
        {name: _formulation(name) for name in FORMULATIONS},
    )


def _solver(name: str) -> Availability:
    try:
        return solver_named(name).availability()
    except (SolverMissing, SolverFailed) as error:  # the latter of another package
        return Availability(None, None, str(error))


def _formulation(name: str) -> Availability:
    package = FORMULATIONS[name][1]
    if package is None:
        return Availability("built in", __version__, "")
    return package_availability(package, f"pip install {package}")
