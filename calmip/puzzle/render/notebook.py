"""What data show of themselves: pictures, a pool as a line and a sheet, a choice as text."""

from __future__ import annotations

from functools import singledispatch

from calmip.mip.optima.face import OptimalFace
from calmip.mip.optima.ranges import Ranges
from calmip.mip.optima.sensitivity import Sensitivity
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.report import as_element
from calmip.puzzle.render.reports.relaxations import shares, tree_picture
from calmip.puzzle.render.reports.unique import face, ranges, sensitivity, uniqueness
from calmip.puzzle.render.svg import svg_of
from calmip.puzzle.render.text import draw_choice  # noqa: F401 - a view of the hook, too
from calmip.puzzle.render.tiles import (
    board_picture,
    piece_picture,
    puzzle_picture,
    sheet_picture,
    tiling_picture,
)
from calmip.puzzle.tasks.enumerate import SolutionPool
from calmip.puzzle.tasks.relax import Relaxation
from calmip.puzzle.tasks.tree import Tree
from calmip.puzzle.tasks.unique import Uniqueness
from calmip.puzzle.tiling import Tiling

MAX_DRAWN_TILINGS = 12
"""The most tilings of a pool that are drawn, so that a notebook stays small."""


@singledispatch
def svg(value: object) -> str:
    """Return the picture of a board, a piece, a puzzle or a tiling as SVG."""
    raise TypeError(f"there is no picture of a {type(value).__name__}")


for kind, draw in (
    (Board, board_picture),
    (Piece, piece_picture),
    (Puzzle, puzzle_picture),
    (Tiling, tiling_picture),
    (Tree, tree_picture),
    (Relaxation, shares),
):
    svg.register(kind)(lambda value, draw=draw: svg_of(draw(value)))


@singledispatch
def html(value: object) -> str:
    """Return a result as an HTML element."""
    raise TypeError(f"there is no element of a {type(value).__name__}")


@html.register
def _(pool: SolutionPool) -> str:
    """Return how many solutions a pool has, whether they are all, and the first tilings."""
    count = len(pool)
    known = "proved complete" if pool.complete else "there may be more"
    more = len(pool.tilings) > MAX_DRAWN_TILINGS
    shown = f"; the first {MAX_DRAWN_TILINGS} are shown" if more else ""
    line = f"<p>{count} {pool.what}{'' if count == 1 else 's'}, {known}{shown}</p>"
    if not pool.tilings:
        return f"<div>{line}</div>"
    return f"<div>{line}{svg_of(sheet_picture(pool.tilings[:MAX_DRAWN_TILINGS]))}</div>"


@html.register
def _(found: Uniqueness) -> str:
    return as_element(uniqueness(found))


@html.register
def _(found: Ranges) -> str:
    return as_element(ranges(found))


@html.register
def _(found: OptimalFace) -> str:
    return as_element(face(found))


@html.register
def _(found: Sensitivity) -> str:
    return as_element(sensitivity(found))
