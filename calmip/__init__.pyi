"""The public names of calmip, for type checkers; .ci/public_names.py writes this file."""

# ruff: isort: skip_file

from calmip import models as models
from calmip._base.errors import (
    CalmipError as CalmipError,
    InputError as InputError,
    NotATiling as NotATiling,
    ProofRefused as ProofRefused,
    SolverFailed as SolverFailed,
    SolverMissing as SolverMissing,
)
from calmip._base.version import __version__ as __version__
from calmip.mip.files.arrays import read_arrays as read_arrays
from calmip.mip.files.model_files import read_model as read_model
from calmip.mip.model import Model as Model
from calmip.mip.status import Status as Status
from calmip.puzzle.board import Board as Board, Piece as Piece
from calmip.puzzle.cover import ExactCover as ExactCover, Reveal as Reveal
from calmip.puzzle.documents.reader import (
    bundled_puzzles as bundled_puzzles,
    read_board as read_board,
    read_instance as read_instance,
    read_puzzle as read_puzzle,
)
from calmip.puzzle.instance import Instance as Instance, Placement as Placement
from calmip.puzzle.piece_set import PiecePool as PiecePool
from calmip.puzzle.placements import with_placed as with_placed
from calmip.puzzle.puzzle import Puzzle as Puzzle
from calmip.puzzle.tasks.enumeration import Enumeration as Enumeration
from calmip.puzzle.tasks.results import Result as Result
from calmip.puzzle.tiling import Packing as Packing, Tiling as Tiling

# Your puzzle:

# Open a page to play on, with the model and a solver inside.
from calmip.puzzle.tasks.play import play as play

# Show today's tiling of your puzzle, and remember the puzzle.
from calmip.puzzle.tasks.today import today as today

# Check whether a position is solvable, and suggest the next piece.
from calmip.puzzle.tasks.hint import hint as hint

# Make a verified tiling for every day of a year.
from calmip.year.calendar import calendar as calendar, read_calendar as read_calendar

# Count the tilings of every date: heat-map, table or data.
from calmip.year.year import year as year

# List the bundled puzzles, show one, or check your own.
from calmip.puzzle.tasks.puzzles import puzzles as puzzles

# Any model:

# Find a solution of a puzzle or a model, or prove there is none.
from calmip.puzzle.tasks.solve import Solution as Solution, solve as solve

# Find all solutions of a puzzle or a model, or the best ones.
from calmip.puzzle.tasks.enumerate import SolutionPool as SolutionPool, enumerate as enumerate  # noqa: A004

# Count the solutions without listing them; those of a whole year.
from calmip.puzzle.tasks.count import count as count

# Check whether a puzzle or a model has exactly one solution.
from calmip.puzzle.tasks.unique import unique as unique

# Explain why there is no solution: name what conflicts.
from calmip.puzzle.tasks.explain import explain as explain

# Check the answer of any solver, or how programs read a model.
from calmip._namespaces import check as check

# Compare two models, or the formulations of a puzzle.
from calmip._namespaces import compare as compare

# Write a puzzle or a model for other solvers.
from calmip._namespaces import export as export

# Teach:

# Solve the linear relaxation, with cuts and a picture.
from calmip.puzzle.tasks.relax import relax as relax

# Draw the branch-and-bound tree of a small instance.
from calmip.puzzle.tasks.tree import tree as tree

# Mark an answer to one of the exercises of the course.
from calmip._namespaces import grade as grade

# Open a lesson of your own, or a bundled one, in the lab of the page.
from calmip.course.lesson import lesson as lesson

# Compare solvers:

# Draw random instances with known answers, as hard as you ask.
from calmip.bench.generate import generate as generate

# Benchmark solvers on many instances, and report the results.
from calmip._namespaces import bench as bench

# List the solvers and formulations, and how to get them.
from calmip.puzzle.tasks.solvers import installed_solvers as installed_solvers

# Make:

# Draw a puzzle at its real size, to cut it from wood or paper.
from calmip.workshop.cut import cut as cut

# Prove that the solutions of a puzzle or a model are all.
from calmip._namespaces import prove as prove

# Find the pieces that make every date solvable.
from calmip._namespaces import design as design
from calmip.design.piece_set_words import read_pool as read_pool

# Arrange months and days so that the year grows difficult.
from calmip.design.rearrange import rearrange as rearrange
