"""Which solvers and formulations are here, and how to get what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calmip._version import __version__
from calmip.errors import SolverMissing
from calmip.models import FORMULATIONS
from calmip.problem.status import Status
from calmip.solvers import SOLVERS, Availability, solver_named
from calmip.solvers.base import package_availability
from calmip.tasks._result import Result

__all__ = ["Installed", "installed_solvers"]


@dataclass(frozen=True, repr=False)
class Installed(Result):
    """The solvers and formulations that calmip knows, and which of them are here.

    Parameters
    ----------
    solvers, formulations
        Whether each is here, by its name.
    """

    solvers: Mapping[str, Availability]
    formulations: Mapping[str, Availability]

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def _summary(self) -> str:
        here = [name for name, one in self.solvers.items() if one.found is not None]
        return f"{len(here)} of {len(self.solvers)} solvers are here: {', '.join(here) or 'none'}"


def installed_solvers() -> Installed:
    """Look for every solver and every formulation's package, without loading any of them."""
    return Installed(
        {name: _solver(name) for name in SOLVERS},
        {name: _formulation(name) for name in FORMULATIONS},
    )


def _solver(name: str) -> Availability:
    try:
        return solver_named(name).availability()
    except SolverMissing as error:
        return Availability(None, None, str(error))


def _formulation(name: str) -> Availability:
    package = FORMULATIONS[name][1]
    if package is None:
        return Availability("built in", __version__, "")
    return package_availability(package, f"pip install {package}")
