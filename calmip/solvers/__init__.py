"""Solvers: a model file in, an outcome out.

The room has the name of a command, so it can be called like one:
``calmip.solvers()`` is what ``calmip solvers`` prints.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, cast

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

# One line per solver: name -> (module, class).
SOLVERS: dict[str, tuple[str, str]] = {
    "highs": ("calmip.solvers.highs", "Highs"),
    "cbc": ("calmip.solvers.programs.cbc", "Cbc"),
    "scip": ("calmip.solvers.packages.scip", "Scip"),
    "glpk": ("calmip.solvers.programs.glpk", "Glpk"),
    "cpsat": ("calmip.solvers.packages.cpsat", "Cpsat"),
    "gurobi": ("calmip.solvers.packages.gurobi", "Gurobi"),
    "z3": ("calmip.solvers.packages.z3", "Z3"),
    "exact-cover": ("calmip.solvers.exact_cover", "ExactCoverSearch"),
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


class _Room(ModuleType):
    """A package that the task of the same name answers for where it is called."""

    def __call__(self) -> Any:
        """Return which solvers and formulations are here; see `calmip.tasks.solvers.solvers`."""
        # By name, as this room lies below the tasks.
        return import_module("calmip.tasks.solvers").solvers()


sys.modules[__name__].__class__ = _Room
