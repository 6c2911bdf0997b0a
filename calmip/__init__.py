"""Calendar puzzles as mixed-integer programs.

>>> import calmip
>>> instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
>>> calmip.solve(instance).status
'feasible'
"""

from calmip import models
from calmip._version import __version__
from calmip.board import Board, Piece
from calmip.cover import ExactCover, Placement, Reveal
from calmip.errors import CalmipError, InputError, NotATiling, SolverFailed, SolverMissing
from calmip.instance import Instance
from calmip.puzzle import Puzzle
from calmip.reader import bundled_puzzles, read_instance, read_puzzle
from calmip.solving import Solution, solve
from calmip.tiling import Tiling, TilingPool

__all__ = [
    "Board",
    "CalmipError",
    "ExactCover",
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
    "models",
    "read_instance",
    "read_puzzle",
    "solve",
]
