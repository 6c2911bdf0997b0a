"""Calendar puzzles as mixed-integer programs.

>>> import calmip
>>> instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
>>> calmip.solve(instance).status
'feasible'
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from calmip._base.trades import TRADES
from calmip._base.verbs import Verbs
from calmip.mip.display import Notebook, Reports, renderers

# The public names beside those of the features (calmip/features.py), by their modules. Each is
# imported on first use, so `calmip --help` does not wait for numpy.
_PLACES = {
    "calmip._base.errors": "CalmipError InputError NotATiling ProofRefused SolverFailed "
    "SolverMissing",
    "calmip._base.version": "__version__",
    "calmip.mip.files.arrays": "read_arrays",
    "calmip.mip.files.model_files": "read_model",
    "calmip.mip.model": "Model",
    "calmip.mip.status": "Status",
    "calmip.puzzle.board": "Board Piece",
    "calmip.puzzle.cover": "ExactCover Reveal",
    "calmip.puzzle.documents.reader": "bundled_puzzles read_board read_instance read_puzzle",
    "calmip.puzzle.instance": "Instance Placement",
    "calmip.puzzle.piece_set": "PiecePool",
    "calmip.puzzle.placements": "with_placed",
    "calmip.puzzle.puzzle": "Puzzle",
    "calmip.puzzle.tasks.enumeration": "Enumeration",
    "calmip.puzzle.tasks.results": "Result",
    "calmip.puzzle.tiling": "Packing Tiling",
}

_HOMES = {name: place for place, names in _PLACES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        from calmip.features import public_names

        return sorted({*_HOMES, *public_names(), "models"})
    if name == "models":
        import calmip.models

        return calmip.models
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value
    if not name.startswith("_") and (value := _feature(name)) is not None:
        globals()[name] = value
        return value
    if name in TRADES and f"calmip.{name}" in sys.modules:
        return sys.modules[f"calmip.{name}"]
    raise AttributeError(f"module 'calmip' has no attribute '{name}'")


def _feature(name: str) -> Any:
    """Return the function of a feature, with its verbs; None if no feature has the name."""
    from calmip.features import load, place_of, verbs_of

    place = place_of(name)
    if place is None:
        return None
    function = load(place) if place else None
    verbs = verbs_of(name)
    return Verbs(name, function, verbs, load) if verbs else function


def __dir__() -> list[str]:
    names: list[str] = __getattr__("__all__")
    return names


class _Package(ModuleType):
    """Keep public names: an import of the folder `year` shall not hide the function `year`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in TRADES):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def _notebook() -> Notebook:
    from calmip.puzzle.render import notebook

    return notebook


def _reports() -> Reports:
    from calmip.puzzle.render import reports

    return reports


renderers.notebook, renderers.reports = _notebook, _reports
