"""Formulations: an exact cover written as a model.

``pulp_model(instance)`` and ``pyomo_model(instance)`` give the native objects,
to be extended and solved by hand.

`Formulation` says what each of them offers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from calmip.errors import InputError, SolverMissing, listed, shown
from calmip.models.base import Formulation
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance

if TYPE_CHECKING:
    import pulp
    import pyomo.environ as pyo

__all__ = [
    "ABOUT",
    "FORMULATIONS",
    "Formulation",
    "build",
    "objective",
    "obstacle",
    "packs",
    "posed",
    "pulp_model",
    "pyomo_model",
]


def _matrix() -> Any:
    from calmip.models.matrix import MatrixModel

    return MatrixModel


def _pulp() -> Any:
    from calmip.models.pulp import PulpModel

    return PulpModel


def _pyomo() -> Any:
    from calmip.models.pyomo import PyomoModel

    return PyomoModel


def _cells() -> Any:
    from calmip.models.matrix import CellsModel

    return CellsModel


FORMULATIONS: dict[str, tuple[Callable[[], Any], str | None]] = {
    "matrix": (_matrix, None),
    "pulp": (_pulp, "pulp"),
    "pyomo": (_pyomo, "pyomo"),
    "packing": (_matrix, None),
    "cells": (_cells, None),
}
"""What imports the class of a formulation when it is used, and the package that it needs."""

PACKING = "packing"
"""The formulation that is an objective: the placement model of a packing, as plain arrays."""

ABOUT: dict[str, str] = {
    "matrix": "The placement model as plain arrays, in calmip's own portable MPS or LP.",
    "pulp": "The placement model through PuLP, a pulp.LpProblem.",
    "pyomo": "The placement model through Pyomo, a ConcreteModel.",
    "packing": "The most cells that can be covered, each at most once: how near one can come.",
    "cells": "A column for each cell and piece beside the placements: larger, and no stronger.",
}
"""A sentence for each formulation."""


def build(name: str, cover: ExactCover) -> Formulation:
    """Return an exact cover in the formulation of this name.

    Raises
    ------
    InputError
        If there is no such formulation, or it cannot express a packing.
    SolverMissing
        If its package is not installed.
    """
    written = _class_named(name)
    cover = posed(name, cover)
    if cover.packs and FORMULATIONS[name] != FORMULATIONS[PACKING]:
        raise InputError(f"formulation {name} cannot express a packing; use {PACKING}")
    return cast(Formulation, written(cover))


def packs(name: str) -> bool:
    """Return whether the name of a formulation asks for a packing, not for a tiling.

    Raises
    ------
    InputError, SolverMissing
        As `build` does.
    """
    _class_named(name)
    return name == PACKING


def posed(name: str, cover: ExactCover) -> ExactCover:
    """Return a cover with the objective that the name of a formulation asks for.

    Raises
    ------
    InputError, SolverMissing
        As `build` does.
    """
    return cover.packing() if packs(name) else cover


def obstacle(cover: ExactCover) -> str | None:
    """Return why a cover has no model to solve, or None.

    A packing is worth a solve even where there plainly is no tiling, if there is anything to lay.
    """
    return None if cover.packs and cover.columns else cover.obstacle()


def objective(name: str, cover: ExactCover) -> float:
    """Return the objective's value at every tiling of a cover, as a formulation writes it.

    Raises
    ------
    InputError, SolverMissing
        As `build` does.
    """
    return float(_class_named(name).objective(posed(name, cover)))


def _class_named(name: str) -> Any:
    if name not in FORMULATIONS:
        raise InputError(f"unknown formulation '{name}'; use one of {listed(list(FORMULATIONS))}")
    imported, package = FORMULATIONS[name]
    try:
        return imported()
    except ImportError as error:
        why, missing = _why(error)
        raise SolverMissing(
            f"formulation {name} needs the package {package} ({why}); "
            f"pip install {missing or package}"
        ) from None


def _why(error: ImportError) -> tuple[str, str | None]:
    """Return why an import failed, in a line, and the package to install if that is said.

    Pyomo puts the traceback of another package's failure into the message.
    """
    found = re.search(r"No module named '([\w-]+)[\w.-]*'", str(error))
    if found:
        return found[0], found[1]
    return shown(str(error).partition("\n")[0], 200), None


def pulp_model(instance: Instance) -> pulp.LpProblem:
    """Return the placement model of an instance as a PuLP problem."""
    problem: Any = build("pulp", ExactCover(instance)).native
    return problem


def pyomo_model(instance: Instance) -> pyo.ConcreteModel:
    """Return the placement model of an instance as a Pyomo model."""
    model: Any = build("pyomo", ExactCover(instance)).native
    return model
