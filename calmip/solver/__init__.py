"""Solvers: a model file in, an outcome out."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from calmip.errors import InputError, listed
from calmip.solver.base import Availability, Limits, Outcome, Solver, Status

__all__ = [
    "ABOUT",
    "SOLVERS",
    "Availability",
    "Limits",
    "Outcome",
    "Solver",
    "Status",
    "solver_named",
]

# One line per solver: name -> (module, class).
SOLVERS: dict[str, tuple[str, str]] = {
    "highs": ("calmip.solver.highs", "Highs"),
    "cbc": ("calmip.solver.programs.cbc", "Cbc"),
    "scip": ("calmip.solver.packages.scip", "Scip"),
    "glpk": ("calmip.solver.programs.glpk", "Glpk"),
    "cpsat": ("calmip.solver.packages.cpsat", "Cpsat"),
    "gurobi": ("calmip.solver.packages.gurobi", "Gurobi"),
    "z3": ("calmip.solver.packages.z3", "Z3"),
    "exact-cover": ("calmip.solver.exact_cover", "ExactCoverSearch"),
}


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
    module, class_name = SOLVERS[name]
    return cast(Solver, getattr(import_module(module), class_name)())
