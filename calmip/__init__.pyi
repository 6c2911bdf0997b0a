"""The public names of calmip, each once: type checkers read them here, and so does the package."""

# ruff: isort: skip_file

from calmip import models as models
from calmip._version import __version__ as __version__
from calmip.documents.collection import bundled_puzzles as bundled_puzzles
from calmip.problem.placements import with_placed as with_placed
from calmip.documents.pool import read_pool as read_pool
from calmip.documents.reader import (
    read_board as read_board,
    read_instance as read_instance,
    read_puzzle as read_puzzle,
)
from calmip.errors import (
    CalmipError as CalmipError,
    InputError as InputError,
    NotATiling as NotATiling,
    ProofRefused as ProofRefused,
    SolverFailed as SolverFailed,
    SolverMissing as SolverMissing,
)
from calmip.formats.model_files import read_model as read_model
from calmip.problem.binary_model import BinaryModel as BinaryModel
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
from calmip.tasks._check_folder import check_folder as check_folder
from calmip.tasks._enumeration import Enumeration as Enumeration
from calmip.tasks.bench import (
    bench as bench,
    bench_diff as bench_diff,
    bench_report as bench_report,
)
from calmip.tasks.calendar import (
    calendar as calendar,
    read_calendar as read_calendar,
)
from calmip.tasks.check import check as check
from calmip.tasks.compare import compare as compare
from calmip.tasks.count import count as count
from calmip.tasks.cut import cut as cut
from calmip.tasks._design_model import design_by_model as design_by_model
from calmip.tasks.design import design as design
from calmip.tasks.enumerate import (
    SolutionPool as SolutionPool,
    enumerate as enumerate,  # noqa: A004 - the command's name
)
from calmip.tasks.explain import explain as explain
from calmip.tasks.export import (
    export as export,
    export_dates as export_dates,
    export_suite as export_suite,
)
from calmip.tasks.grade import (
    grade as grade,
    grade_class as grade_class,
)
from calmip.tasks.hint import hint as hint
from calmip.tasks.play import play as play
from calmip.tasks.prove import (
    prove as prove,
    prove_check as prove_check,
    prove_dates as prove_dates,
)
from calmip.tasks.puzzles import puzzles as puzzles
from calmip.tasks.rearrange import rearrange as rearrange
from calmip.tasks.relax import relax as relax
from calmip.tasks.solve import (
    Solution as Solution,
    solve as solve,
)
from calmip.tasks.solvers import installed_solvers as installed_solvers
from calmip.tasks.today import today as today
from calmip.tasks.tree import tree as tree
from calmip.tasks.year import year as year
