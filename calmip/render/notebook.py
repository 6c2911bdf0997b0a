"""What notebooks and marks show: pictures of data, a pool as a line and a sheet, boards as text."""

from __future__ import annotations

from functools import singledispatch

from calmip.problem.board import Board, Piece
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling
from calmip.render.reports.grade import board
from calmip.render.reports.tree import tree_picture
from calmip.render.svg import svg_board, svg_of, svg_piece, svg_puzzle, svg_sheet, svg_tiling
from calmip.render.tiles import shares_picture
from calmip.tasks.enumerate import SolutionPool
from calmip.tasks.relax import Relaxation
from calmip.tasks.tree import Tree

__all__ = ["MOST_SHOWN", "board", "html", "svg"]

MOST_SHOWN = 12
"""So many tilings of a pool are drawn; a notebook should not grow by a year of them."""


@singledispatch
def svg(value: object) -> str:
    """Return the picture of a board, a piece, a puzzle or a tiling as SVG."""
    raise TypeError(f"there is no picture of a {type(value).__name__}")


svg.register(Board)(svg_board)
svg.register(Piece)(svg_piece)
svg.register(Puzzle)(svg_puzzle)
svg.register(Tiling)(svg_tiling)


@svg.register
def _(found: Tree) -> str:
    return svg_of(tree_picture(found))


@svg.register
def _(found: Relaxation) -> str:
    return svg_of(shares_picture(found.instance, found.shares()))


def html(pool: SolutionPool) -> str:
    """Return a pool as an HTML element: how many solutions, whether all, and the first tilings."""
    count = len(pool)
    known = "complete: proved that there are no more" if pool.complete else "there may be more"
    shown = f"; the first {MOST_SHOWN} are shown" if len(pool.tilings) > MOST_SHOWN else ""
    line = f"<p>{count} {pool.what}{'' if count == 1 else 's'}, {known}{shown}</p>"
    if not pool.tilings:
        return f"<div>{line}</div>"
    return f"<div>{line}{svg_sheet(pool.tilings[:MOST_SHOWN])}</div>"
