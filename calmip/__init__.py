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
    from calmip.formats.model_files import read_model
    from calmip.problem.binary_model import BinaryModel
    from calmip.problem.board import Board, Piece
    from calmip.problem.cover import ExactCover, Placement, Reveal
    from calmip.problem.instance import Instance
    from calmip.problem.puzzle import Puzzle
    from calmip.problem.tiling import Tiling, TilingPool
    from calmip.tasks._check_model import check_model
    from calmip.tasks._solve_model import ModelSolution, solve_model
    from calmip.tasks.calendar import Calendar, Day, calendar, read_calendar
    from calmip.tasks.check import Verdict, check
    from calmip.tasks.compare import Comparison, Run, compare
    from calmip.tasks.count import Counts, count
    from calmip.tasks.explain import Explanation, explain
    from calmip.tasks.hint import Hint, hint
    from calmip.tasks.play import Page, play
    from calmip.tasks.solve import Solution, solve
    from calmip.tasks.year import Year, year

__all__ = [
    "BinaryModel",
    "Board",
    "Calendar",
    "CalmipError",
    "Comparison",
    "Counts",
    "Day",
    "ExactCover",
    "Explanation",
    "Hint",
    "InputError",
    "Instance",
    "ModelSolution",
    "NotATiling",
    "Page",
    "Piece",
    "Placement",
    "Puzzle",
    "Reveal",
    "Run",
    "Solution",
    "SolverFailed",
    "SolverMissing",
    "Tiling",
    "TilingPool",
    "Verdict",
    "Year",
    "__version__",
    "bundled_puzzles",
    "calendar",
    "check",
    "check_model",
    "compare",
    "count",
    "explain",
    "hint",
    "models",
    "play",
    "read_calendar",
    "read_instance",
    "read_model",
    "read_puzzle",
    "solve",
    "solve_model",
    "with_placed",
    "year",
]

# Where each public name lives. It is imported on first use, so that
# `calmip --help` does not wait for numpy.
_HOMES = {
    "problem.binary_model": ("BinaryModel",),
    "problem.board": ("Board", "Piece"),
    "problem.cover": ("ExactCover", "Placement", "Reveal"),
    "errors": ("CalmipError", "InputError", "NotATiling", "SolverFailed", "SolverMissing"),
    "formats.model_files": ("read_model",),
    "tasks._check_model": ("check_model",),
    "tasks.check": ("Verdict", "check"),
    "tasks.count": ("Counts", "count"),
    "tasks.explain": ("Explanation", "explain"),
    "tasks.calendar": ("Calendar", "Day", "calendar", "read_calendar"),
    "tasks.compare": ("Comparison", "Run", "compare"),
    "tasks.hint": ("Hint", "hint"),
    "tasks.play": ("Page", "play"),
    "problem.instance": ("Instance",),
    "documents.placed": ("with_placed",),
    "problem.puzzle": ("Puzzle",),
    "documents.reader": ("bundled_puzzles", "read_instance", "read_puzzle"),
    "tasks._solve_model": ("ModelSolution", "solve_model"),
    "tasks.solve": ("Solution", "solve"),
    "problem.tiling": ("Tiling", "TilingPool"),
    "tasks.year": ("Year", "year"),
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
