"""Solvers: a model file in, an outcome out."""

from __future__ import annotations

from collections.abc import Callable

from calmip.errors import InputError, listed
from calmip.solvers.base import Availability, Limits, Outcome, Progress, Solver, Status

__all__ = [
    "ABOUT",
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
    from calmip.solvers.programs import PROGRAMS

    return PROGRAMS[name]()


def _package(name: str) -> Solver:
    from calmip.solvers.packages import PACKAGES

    return PACKAGES[name]()


def _exact_cover(_: str) -> Solver:
    from calmip.solvers.exact_cover import ExactCoverSearch

    return ExactCoverSearch()


SOLVERS: dict[str, Callable[[str], Solver]] = {
    "highs": _highs,
    "cbc": _program,
    "scip": _package,
    "glpk": _program,
    "cpsat": _package,
    "gurobi": _package,
    "z3": _package,
    "exact-cover": _exact_cover,
}
"""What makes the solver of a name; modules are imported when one of their solvers is used."""

ABOUT: dict[str, str] = {
    "exact-cover": "The compiled exact-cover search: no linear programs, mostly at once.",
    "highs": "HiGHS, branch and bound over linear relaxations; comes with calmip.",
    "cbc": "CBC of COIN-OR, branch and cut; a program of its own.",
    "scip": "SCIP, constraint integer programming; a Python package.",
    "glpk": "GLPK's glpsol, plain branch and bound; a program of its own.",
    "cpsat": "CP-SAT of OR-Tools, clause learning over linear programs; a Python package.",
    "gurobi": "Gurobi, commercial; its free licence takes models of up to 2,000 columns.",
    "z3": "Z3, satisfiability modulo theories; proves and finds without relaxations.",
}
"""A sentence for each solver."""


def solver_named(name: str) -> Solver:
    """Return the solver of this name.

    Raises
    ------
    InputError
        If there is no such solver.
    """
    if name not in SOLVERS:
        raise InputError(f"unknown solver '{name}'; use one of {listed(list(SOLVERS))}")
    return SOLVERS[name](name)
