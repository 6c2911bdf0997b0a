"""What data show of themselves: pictures, a pool as a line and a sheet, a choice as text."""

from __future__ import annotations

import contextlib
from functools import singledispatch

from calmip._base.errors import InputError
from calmip.mip.model import Model
from calmip.mip.optima.face import OptimalFace
from calmip.mip.optima.ranges import Ranges
from calmip.mip.optima.sensitivity import Sensitivity
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.report import as_element, table, with_images
from calmip.puzzle.render.reports import data, forms_of
from calmip.puzzle.render.reports.enumerate import solutions_table
from calmip.puzzle.render.reports.unique import face, ranges, sensitivity
from calmip.puzzle.render.solutions import solutions_picture
from calmip.puzzle.render.svg import svg_of
from calmip.puzzle.render.text import draw_choice  # noqa: F401 - a view of the hook, too
from calmip.puzzle.render.tiles import (
    board_picture,
    piece_picture,
    position_picture,
    puzzle_picture,
    sheet_picture,
    tiling_picture,
)
from calmip.puzzle.tasks.enumerate import SolutionPool
from calmip.puzzle.tasks.results import Result
from calmip.puzzle.tiling import Tiling

MAX_DRAWN_TILINGS = 12
"""The most tilings of a pool that are drawn, so that a notebook stays small."""

MAX_CHARACTERS = 4_000_000
"""The longest form of a result that a notebook keeps."""


@singledispatch
def svg(value: object) -> str:
    """Return the picture of a board, a piece, a puzzle or a tiling as SVG."""
    raise TypeError(f"there is no picture of a {type(value).__name__}")


for kind, draw in (
    (Board, board_picture),
    (Piece, piece_picture),
    (Puzzle, puzzle_picture),
    (Instance, position_picture),
    (Tiling, tiling_picture),
):
    svg.register(kind)(lambda value, draw=draw: svg_of(draw(value)))


@singledispatch
def html(value: object) -> str:
    """Return a result as an HTML element; what has a picture alone, as an image."""
    return with_images(f"<div>{svg(value)}</div>")


@html.register
def _(pool: SolutionPool) -> str:
    """Return how many solutions a pool has, whether they are all, and the first ones."""
    count = len(pool)
    known = "proved complete" if pool.complete else "there may be more"
    most = MAX_DRAWN_TILINGS
    shown = f"; the first {most} are shown" if len(pool.tilings) > most else ""
    line = f"<p>{count} {pool.what}{'' if count == 1 else 's'}, {known}{shown}</p>"
    if not pool.solutions:
        return f"<div>{line}</div>"
    if pool.tilings:
        return with_images(f"<div>{line}{svg_of(sheet_picture(pool.tilings[:most]))}</div>")
    blocks = solutions_table(pool)
    drawn = f'<div style="overflow-x:auto">{svg_of(solutions_picture(pool))}</div>'
    tables = "".join(
        f"{table(one.head, one.rows)}{f'<p>{one.note}</p>' if one.note else ''}" for one in blocks
    )
    return with_images(f"<div>{line}{drawn}{tables}</div>")


@html.register
def _(model: Model) -> str:
    """Return the size of a model."""
    integer = sum(model.values("integer"))
    rows = [
        ("columns", f"{len(model.columns):,}"),
        ("integer columns", f"{integer:,}"),
        ("rows", f"{len(model.rows):,}"),
        ("nonzeros", f"{model.nonzeros:,}"),
        ("sense", "maximise" if model.maximise else "minimise"),
    ]
    return f"<div><p>{xml_text(model.title)}</p>{table((), rows, left=range(1))}</div>"


def bundle(result: Result) -> dict[str, str]:
    """Return a result in the forms that a notebook shows, by their MIME types.

    HTML is that of the command's report, without the frame of a page. A result without an answer
    has only its text.
    """
    if not result.known:
        return {"text/plain": str(result)}
    found, forms = {"text/plain": repr(result)}, forms_of(result)
    document = getattr(forms.get("html"), "document", None)
    if isinstance(result, SolutionPool):
        found["text/html"], document = html(result), None
        forms = {} if result.tilings else forms  # a sheet of all may be too large
    if document is not None:
        found["text/html"] = as_element(document(result))
    for form, kind in {"svg": "image/svg+xml", "md": "text/markdown"}.items():
        if form in forms and (form != "svg" or result.has_picture):
            with contextlib.suppress(InputError):  # pictures that are several files
                text = data(result, form).decode()
                found[kind] = text[text.index("<svg") :] if form == "svg" else text
    return {kind: text for kind, text in found.items() if len(text) <= MAX_CHARACTERS}


@html.register
def _(found: Ranges) -> str:
    return as_element(ranges(found))


@html.register
def _(found: OptimalFace) -> str:
    return as_element(face(found))


@html.register
def _(found: Sensitivity) -> str:
    return as_element(sensitivity(found))
