"""Calendar puzzles as mixed-integer programs.

>>> import calmip
>>> instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
>>> calmip.solve(instance).status
'feasible'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from calmip._version import __version__

if TYPE_CHECKING:
    from calmip import models
    from calmip.documents.placed import with_placed
    from calmip.documents.reader import bundled_puzzles, read_instance, read_puzzle
    from calmip.errors import CalmipError, InputError, NotATiling, SolverFailed, SolverMissing
    from calmip.problem.board import Board, Piece
    from calmip.problem.cover import ExactCover, Placement, Reveal
    from calmip.problem.instance import Instance
    from calmip.problem.puzzle import Puzzle
    from calmip.problem.tiling import Tiling, TilingPool
    from calmip.tasks.hint import Hint, hint
    from calmip.tasks.solve import Solution, solve

__all__ = [
    "Board",
    "CalmipError",
    "ExactCover",
    "Hint",
    "InputError",
    "Instance",
    "NotATiling",
    "Piece",
    "Placement",
    "Puzzle",
    "Reveal",
    "Solution",
    "SolverFailed",
    "SolverMissing",
    "Tiling",
    "TilingPool",
    "__version__",
    "bundled_puzzles",
    "hint",
    "models",
    "read_instance",
    "read_puzzle",
    "solve",
    "with_placed",
]

# Where each public name lives. It is imported on first use, so that
# `calmip --help` does not wait for numpy.
_HOMES = {
    "problem.board": ("Board", "Piece"),
    "problem.cover": ("ExactCover", "Placement", "Reveal"),
    "errors": ("CalmipError", "InputError", "NotATiling", "SolverFailed", "SolverMissing"),
    "tasks.hint": ("Hint", "hint"),
    "problem.instance": ("Instance",),
    "documents.placed": ("with_placed",),
    "problem.puzzle": ("Puzzle",),
    "documents.reader": ("bundled_puzzles", "read_instance", "read_puzzle"),
    "tasks.solve": ("Solution", "solve"),
    "problem.tiling": ("Tiling", "TilingPool"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "models":
        return import_module("calmip.models")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'calmip' has no attribute '{name}'")
    value = getattr(import_module(f"calmip.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
