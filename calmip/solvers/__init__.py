"""Solvers, which take a model file and return an outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from calmip._base.errors import CalmipError, InputError, join_words
from calmip._base.limits import Limits, Progress
from calmip._base.registry import Offer, Registry
from calmip.mip.status import Status
from calmip.solvers.base import Availability, Outcome, Solver

__all__ = [
    "SOLVERS",
    "Availability",
    "Limits",
    "Outcome",
    "Progress",
    "Solver",
    "Status",
    "solver_named",
]


def _highs(_: str) -> Solver:
    from calmip.solvers.highs import Highs

    return Highs()


def _program(name: str) -> Solver:
    from calmip.solvers import programs

    return _class_named(name, programs)


def _package(name: str) -> Solver:
    from calmip.solvers import packages

    return _class_named(name, packages)


def _class_named(name: str, module: ModuleType) -> Solver:
    found: type[Solver] = next(x for x in vars(module).values() if getattr(x, "name", "") == name)
    return found()


def _exact_cover(_: str) -> Solver:
    from calmip.solvers.exact_cover import ExactCoverSearch

    return ExactCoverSearch()


class _Foreign(Solver):
    """A solver of another package, whose faults become errors of calmip.

    Parameters
    ----------
    offer
        The entry point: a class of a solver, or another function without arguments that makes
        one.
    """

    def __init__(self, offer: Offer) -> None:
        self._offer, made = offer, offer.load()
        try:
            self._solver = offer.call(made)
        except CalmipError as error:
            raise offer.fault(str(error)) from error
        missing = [each for each in ("availability", "solve") if not hasattr(self._solver, each)]
        if missing:
            raise offer.fault(f"it is not a solver: it has no method {missing[0]}")
        if getattr(self._solver, "name", None) != offer.name:
            raise offer.fault("its name is another; the name of the entry point is the solver's")
        self.name = offer.name
        self.starts = bool(getattr(self._solver, "starts", False))
        self.tries = bool(getattr(self._solver, "tries", False))
        self.unused = tuple(getattr(self._solver, "unused", ()))
        self.loads = bool(getattr(self._solver, "loads", False))
        self.exact = dict(getattr(self._solver, "exact", {}))
        self.tuned = dict(getattr(self._solver, "tuned", {}))

    def availability(self) -> Availability:
        """Return the place of the solver, or how to get it."""
        return self._offer.expect(self._offer.call(self._solver.availability), Availability)

    def solve(self, model: Path, limits: Limits) -> Outcome:
        """Solve a model file; see `calmip.solvers.base.Solver`."""
        return self._offer.expect(self._offer.call(self._solver.solve, model, limits), Outcome)


def _offered(offer: Offer) -> Entry:
    return lambda _: _Foreign(offer), offer.about


Entry = tuple[Callable[[str], Solver], str]

OWN: dict[str, Entry] = {
    "highs": (_highs, "HiGHS, branch and bound over linear relaxations; comes with calmip."),
    "cbc": (_program, "CBC of COIN-OR, branch and cut; a separate program."),
    "scip": (_package, "SCIP, constraint integer programming; a Python package."),
    "glpk": (_program, "GLPK's glpsol, plain branch and bound; a separate program."),
    "cpsat": (
        _package,
        "CP-SAT of OR-Tools, clause learning and linear relaxations; a Python package.",
    ),
    "gurobi": (
        _package,
        "Gurobi, commercial; its free licence takes models of up to 2,000 columns.",
    ),
    "z3": (_package, "Z3, satisfiability modulo theories, without relaxations; a Python package."),
    "exact-cover": (
        _exact_cover,
        "The compiled exact-cover search, without linear programs: the fastest.",
    ),
}

SOLVERS = Registry("calmip.solvers", OWN, _offered)
"""The maker of each solver, which imports its module, and a sentence about it.

Other packages add theirs by entry points of the group ``calmip.solvers``.
"""


def solver_named(name: str) -> Solver:
    """Return the solver of this name.

    Raises
    ------
    InputError
        If there is no such solver.
    SolverMissing
        If it is of another package, and cannot be loaded.
    """
    if name not in SOLVERS:
        raise InputError(f"unknown solver '{name}'; use one of {join_words(SOLVERS)}")
    return SOLVERS[name][0](name)
