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


def _homes() -> dict[str, str]:
    """Return the module of each public name but ``models``, which is a module."""
    from calmip.features import public_names

    return _HOMES | public_names()


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({*_homes(), "models"})
    if name == "models":
        import calmip.models

        return calmip.models
    home = _HOMES.get(name)
    if home is None and not name.startswith("_"):
        from calmip.features import home_of

        home = home_of(name)
    if home is not None:
        value = globals()[name] = getattr(import_module(home), name)
        return value
    if name in TRADES and f"calmip.{name}" in sys.modules:
        return sys.modules[f"calmip.{name}"]
    raise AttributeError(f"module 'calmip' has no attribute '{name}'")


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
