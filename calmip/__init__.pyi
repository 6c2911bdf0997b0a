"""The public names of calmip, each once: type checkers read them here, and so does the package."""

# ruff: isort: skip_file

from calmip import models as models
from calmip._base.version import __version__ as __version__
from calmip.documents.reader import bundled_puzzles as bundled_puzzles
from calmip.problem.placements import with_placed as with_placed
from calmip.documents.pool import read_pool as read_pool
from calmip.documents.reader import (
    read_board as read_board,
    read_instance as read_instance,
    read_puzzle as read_puzzle,
)
from calmip._base.errors import (
    CalmipError as CalmipError,
    InputError as InputError,
    NotATiling as NotATiling,
    ProofRefused as ProofRefused,
    SolverFailed as SolverFailed,
    SolverMissing as SolverMissing,
)
from calmip.formats.model_files import read_model as read_model
from calmip.problem.model import Model as Model
from calmip.problem.board import (
    Board as Board,
    Piece as Piece,
)
from calmip.problem.cover import (
    ExactCover as ExactCover,
    Placement as Placement,
    Reveal as Reveal,
)
from calmip.problem.instance import Instance as Instance
from calmip.problem.pool import PiecePool as PiecePool
from calmip.problem.puzzle import Puzzle as Puzzle
from calmip.problem.status import Status as Status
from calmip.problem.tiling import (
    Packing as Packing,
    Tiling as Tiling,
)
from calmip.tasks._enumeration import Enumeration as Enumeration
from calmip.tasks._result import Result as Result

# Solve:

# Open a page to play on, with the model and a solver inside.
from calmip.tasks.play import play as play

# Show today's tiling of your puzzle, and remember the puzzle.
from calmip.tasks.today import today as today

# Find one tiling of an instance, or prove that there is none.
from calmip.tasks.solve import (
    Solution as Solution,
    solve as solve,
)

# Check whether a position is solvable, and suggest the next piece.
from calmip.tasks.hint import hint as hint

# Explain why an instance has no tiling: name what conflicts.
from calmip.tasks.explain import explain as explain

# All solutions:

# Find all tilings of an instance.
from calmip.tasks.enumerate import (
    SolutionPool as SolutionPool,
    enumerate as enumerate,  # noqa: A004 - the command's name
)

# Count the tilings of an instance, or of a whole year.
from calmip.tasks.count import count as count

# Count the tilings of every date: heat-map, table or data.
from calmip.tasks.year import year as year

# Make a verified tiling for every day of a year.
from calmip.tasks.calendar import (
    calendar as calendar,
    read_calendar as read_calendar,
)

# Prove the number of tilings of an instance.
from calmip.tasks.prove import (
    prove as prove,
    prove_check as prove_check,
    prove_dates as prove_dates,
)

# Find the pieces that make every date solvable.
from calmip.tasks.design import (
    design as design,
    design_by_model as design_by_model,
)

# Arrange months and days so that the year grows difficult.
from calmip.tasks.rearrange import rearrange as rearrange

# Models, solvers and the course:

# Write the model of an instance for other solvers.
from calmip.tasks.export import (
    export as export,
    export_dates as export_dates,
)
from calmip.tasks.campaign.export import export_suite as export_suite

# Draw random instances with known answers, as hard as you ask.
from calmip.tasks.generate import generate as generate

# Check a solution file of any solver against an instance.
from calmip.tasks.check import (
    check as check,
    check_file as check_file,
    check_folder as check_folder,
)

# Solve the linear relaxation, with cuts and a picture.
from calmip.tasks.relax import relax as relax

# Draw the branch-and-bound tree of a small instance.
from calmip.tasks.tree import tree as tree

# Compare formulations: sizes, bounds, nodes, seconds.
from calmip.tasks.compare import compare as compare

# Benchmark solvers on many instances, and report the results.
from calmip.tasks.bench import (
    bench as bench,
    bench_aa as bench_aa,
    bench_diff as bench_diff,
    bench_log as bench_log,
    bench_report as bench_report,
)

# Mark an answer to one of the exercises of the course.
from calmip.tasks.grade import (
    grade as grade,
    grade_class as grade_class,
    grade_model as grade_model,
)

# Puzzles and solvers:

# List the bundled puzzles, show one, or check your own.
from calmip.tasks.puzzles import puzzles as puzzles

# Draw a puzzle at its real size, to cut it from wood or paper.
from calmip.tasks.cut import cut as cut

# List the solvers and formulations, and how to get them.
from calmip.tasks.solvers import installed_solvers as installed_solvers

_GROUPS: dict[str, dict[str, str]]
