"""Formulations: an exact cover written as a model; `Formulation` is their interface.

``pulp_model(instance)`` and ``pyomo_model(instance)`` return native objects that users extend
and solve themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from calmip._base.errors import InputError, clip, join_words, needed_by
from calmip._base.registry import Guarded, Offer, Registry
from calmip.models.base import Formulation
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance

if TYPE_CHECKING:
    import pulp
    import pyomo.environ as pyo

__all__ = [
    "FORMULATIONS",
    "PACKING",
    "Formulation",
    "build",
    "objective",
    "obstacle",
    "pose",
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


def _offered(offer: Offer) -> Entry:
    def load() -> Any:
        found = offer.load()
        if not (isinstance(found, type) and Formulation in found.__mro__):
            raise offer.fault("it is not a class that extends calmip.models.Formulation")

        def made(cover: ExactCover) -> Any:
            return Guarded(offer, offer.call(found, cover))

        made.objective = lambda cover: offer.call(found.objective, cover)  # type: ignore[attr-defined]
        return made

    return load, offer.packages[0], offer.about


Entry = tuple[Callable[[], Any], str | None, str]

OWN: dict[str, Entry] = {
    "matrix": (
        _matrix,
        None,
        "The placement model as plain arrays, in calmip's own portable MPS or LP.",
    ),
    "pulp": (_pulp, "pulp", "The placement model through PuLP, a pulp.LpProblem."),
    "pyomo": (_pyomo, "pyomo", "The placement model through Pyomo, a ConcreteModel."),
    "packing": (
        _matrix,
        None,
        "Maximise the covered cells, each covered at most once (set packing).",
    ),
    "cells": (
        _cells,
        None,
        "A column for each cell and piece beside the placements: larger, and no stronger.",
    ),
}

FORMULATIONS = Registry("calmip.formulations", OWN, _offered)
"""The import of the class of each formulation, the package that it needs, and a sentence.

Other packages add theirs by entry points of the group ``calmip.formulations``.
"""

PACKING = "packing"
"""The formulation that is an objective: the placement model of a packing, as plain arrays."""


def build(name: str, cover: ExactCover) -> Formulation:
    """Return the model of an exact cover in a formulation, by its name.

    Raises
    ------
    InputError
        If there is no such formulation, or it cannot express a packing.
    SolverMissing
        If its package is not installed, or another package's formulation cannot be loaded.
    SolverFailed
        If another package's formulation fails.
    """
    formulation = _class_of(name)
    cover = pose(name, cover)
    if cover.packs and FORMULATIONS[name][0] is not FORMULATIONS[PACKING][0]:
        raise InputError(f"formulation {name} cannot express a packing; use {PACKING}")
    return cast(Formulation, formulation(cover))


def pose(name: str, cover: ExactCover) -> ExactCover:
    """Return a cover with a formulation's objective: as a packing, or unchanged.

    Raises
    ------
    InputError, SolverMissing
        As `build` does.
    """
    _class_of(name)
    return cover.packing() if name == PACKING else cover


def obstacle(cover: ExactCover) -> str | None:
    """Return the reason why a cover has no model to solve, or None.

    A packing with any option has a model, also without a tiling.
    """
    return None if cover.packs and cover.columns else cover.obstacle()


def objective(name: str, cover: ExactCover) -> float:
    """Return the objective's value at every tiling of a cover; raises as `build` does."""
    return float(_class_of(name).objective(pose(name, cover)))


def _class_of(name: str) -> Any:
    if name not in FORMULATIONS:
        raise InputError(f"unknown formulation '{name}'; use one of {join_words(FORMULATIONS)}")
    imported, package, _ = FORMULATIONS[name]

    def missing(error: ImportError) -> str:
        why, other = _why(error)
        return (
            f"formulation {name} needs the package {package} ({why}); "
            f"pip install {other or package}"
        )

    with needed_by(f"formulation {name}", package or "calmip", missing):
        return imported()


def _why(error: ImportError) -> tuple[str, str | None]:
    """Return why an import failed, and the package to install if the message names one.

    Pyomo's message contains the traceback of another package's failure.
    """
    found = re.search(r"No module named '([\w-]+)[\w.-]*'", str(error))
    if found:
        return found[0], found[1]
    return clip(str(error).partition("\n")[0], 200), None


def pulp_model(instance: Instance) -> pulp.LpProblem:
    """Return the placement model of an instance as a PuLP problem."""
    problem: Any = build("pulp", ExactCover(instance)).native
    return problem


def pyomo_model(instance: Instance) -> pyo.ConcreteModel:
    """Return the placement model of an instance as a Pyomo model."""
    model: Any = build("pyomo", ExactCover(instance)).native
    return model
