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
    from calmip.documents.collection import bundled_puzzles
    from calmip.documents.placed import with_placed
    from calmip.documents.pool import read_pool
    from calmip.documents.reader import read_board, read_instance, read_puzzle
    from calmip.errors import (
        CalmipError,
        InputError,
        NotATiling,
        ProofRefused,
        SolverFailed,
        SolverMissing,
    )
    from calmip.formats.model_files import read_model
    from calmip.problem.binary_model import BinaryModel
    from calmip.problem.board import Board, Piece
    from calmip.problem.cover import ExactCover, Placement, Reveal
    from calmip.problem.instance import Instance
    from calmip.problem.pool import PiecePool
    from calmip.problem.puzzle import Puzzle
    from calmip.problem.status import Status
    from calmip.problem.tiling import Packing, Tiling
    from calmip.tasks._check_folder import FolderVerdict, check_folder
    from calmip.tasks._check_model import check_model
    from calmip.tasks._design_model import design_by_model
    from calmip.tasks._enumerate_model import ModelEnumeration, PointPool, enumerate_model
    from calmip.tasks._enumeration import Enumeration
    from calmip.tasks._solve_model import ModelSolution, solve_model
    from calmip.tasks.bench import (
        Bench,
        Difference,
        Report,
        bench,
        bench_diff,
        bench_report,
    )
    from calmip.tasks.calendar import Calendar, Day, calendar, read_calendar
    from calmip.tasks.check import Verdict, check
    from calmip.tasks.compare import Comparison, Run, compare
    from calmip.tasks.count import Counts, count
    from calmip.tasks.design import Design, PieceSet, design
    from calmip.tasks.enumerate import TilingPool, enumerate  # noqa: A004 - the command's name
    from calmip.tasks.explain import Explanation, explain
    from calmip.tasks.export import Export, Library, export, export_dates, export_suite
    from calmip.tasks.grade import ClassMarks, Marks, grade, grade_class
    from calmip.tasks.hint import Hint, hint
    from calmip.tasks.play import Page, play
    from calmip.tasks.prove import Proof, prove, prove_check, prove_dates
    from calmip.tasks.puzzles import BoardCheck, Puzzles, puzzles
    from calmip.tasks.rearrange import Rearrangement, rearrange
    from calmip.tasks.relax import Relaxation, relax
    from calmip.tasks.solve import Solution, solve
    from calmip.tasks.solvers import Installed, solvers
    from calmip.tasks.today import Today, today
    from calmip.tasks.tree import Tree, tree
    from calmip.tasks.year import DateCount, Difficulty, Year, year

__all__ = [
    "Bench",
    "BinaryModel",
    "Board",
    "BoardCheck",
    "Calendar",
    "CalmipError",
    "ClassMarks",
    "Comparison",
    "Counts",
    "DateCount",
    "Day",
    "Design",
    "Difference",
    "Difficulty",
    "Enumeration",
    "ExactCover",
    "Explanation",
    "Export",
    "FolderVerdict",
    "Hint",
    "InputError",
    "Installed",
    "Instance",
    "Library",
    "Marks",
    "ModelEnumeration",
    "ModelSolution",
    "NotATiling",
    "Packing",
    "Page",
    "Piece",
    "PiecePool",
    "PieceSet",
    "Placement",
    "PointPool",
    "Proof",
    "ProofRefused",
    "Puzzle",
    "Puzzles",
    "Rearrangement",
    "Relaxation",
    "Report",
    "Reveal",
    "Run",
    "Solution",
    "SolverFailed",
    "SolverMissing",
    "Status",
    "Tiling",
    "TilingPool",
    "Today",
    "Tree",
    "Verdict",
    "Year",
    "__version__",
    "bench",
    "bench_diff",
    "bench_report",
    "bundled_puzzles",
    "calendar",
    "check",
    "check_folder",
    "check_model",
    "compare",
    "count",
    "design",
    "design_by_model",
    "enumerate",
    "enumerate_model",
    "explain",
    "export",
    "export_dates",
    "export_suite",
    "grade",
    "grade_class",
    "hint",
    "models",
    "play",
    "prove",
    "prove_check",
    "prove_dates",
    "puzzles",
    "read_board",
    "read_calendar",
    "read_instance",
    "read_model",
    "read_pool",
    "read_puzzle",
    "rearrange",
    "relax",
    "solve",
    "solve_model",
    "solvers",
    "today",
    "tree",
    "with_placed",
    "year",
]

# Where each public name lives, in the order of the rooms. It is imported on first use, so
# that `calmip --help` does not wait for numpy.
_HOMES = {
    "errors": (
        "CalmipError",
        "InputError",
        "NotATiling",
        "ProofRefused",
        "SolverFailed",
        "SolverMissing",
    ),
    "problem.status": ("Status",),
    "problem.board": ("Board", "Piece"),
    "problem.pool": ("PiecePool",),
    "problem.puzzle": ("Puzzle",),
    "problem.instance": ("Instance",),
    "problem.cover": ("ExactCover", "Placement", "Reveal"),
    "problem.tiling": ("Packing", "Tiling"),
    "problem.binary_model": ("BinaryModel",),
    "documents.collection": ("bundled_puzzles",),
    "documents.pool": ("read_pool",),
    "documents.reader": ("read_board", "read_instance", "read_puzzle"),
    "documents.placed": ("with_placed",),
    "formats.model_files": ("read_model",),
    "tasks.solve": ("Solution", "solve"),
    "tasks._solve_model": ("ModelSolution", "solve_model"),
    "tasks.enumerate": ("TilingPool", "enumerate"),
    "tasks._enumeration": ("Enumeration",),
    "tasks._enumerate_model": ("ModelEnumeration", "PointPool", "enumerate_model"),
    "tasks.count": ("Counts", "count"),
    "tasks.year": ("DateCount", "Difficulty", "Year", "year"),
    "tasks.calendar": ("Calendar", "Day", "calendar", "read_calendar"),
    "tasks.hint": ("Hint", "hint"),
    "tasks.explain": ("Explanation", "explain"),
    "tasks.export": ("Export", "Library", "export", "export_dates", "export_suite"),
    "tasks.check": ("Verdict", "check"),
    "tasks._check_folder": ("FolderVerdict", "check_folder"),
    "tasks._check_model": ("check_model",),
    "tasks.play": ("Page", "play"),
    "tasks.prove": ("Proof", "prove", "prove_check", "prove_dates"),
    "tasks.design": ("Design", "PieceSet", "design"),
    "tasks._design_model": ("design_by_model",),
    "tasks.rearrange": ("Rearrangement", "rearrange"),
    "tasks.relax": ("Relaxation", "relax"),
    "tasks.tree": ("Tree", "tree"),
    "tasks.compare": ("Comparison", "Run", "compare"),
    "tasks.bench": ("Bench", "Difference", "Report", "bench", "bench_diff", "bench_report"),
    "tasks.grade": ("ClassMarks", "Marks", "grade", "grade_class"),
    "tasks.today": ("Today", "today"),
    "tasks.solvers": ("Installed", "solvers"),
    "tasks.puzzles": ("BoardCheck", "Puzzles", "puzzles"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

_ROOMS = ("models", "solvers")
"""Rooms that are public names; a room that is a command as well can be called."""


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"calmip.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'calmip' has no attribute '{name}'")
    value = getattr(import_module(f"calmip.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
