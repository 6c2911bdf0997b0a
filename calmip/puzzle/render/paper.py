"""Pictures on sheets of paper, in millimetres."""

from __future__ import annotations

from dataclasses import replace

from calmip._base.errors import InputError, clip, join_words
from calmip.mip.display import PAPER_EDGE, PAPERS
from calmip.puzzle.render.picture import Picture, shift


def size_of(paper: str, *, across: bool) -> tuple[float, float]:
    """Return the width and the height of a sheet in millimetres, upright or across.

    Raise `InputError` if there is no such paper.
    """
    if paper.lower() not in PAPERS:
        raise InputError(f"unknown paper '{clip(paper)}'; use one of {join_words(PAPERS)}")
    width, height = PAPERS[paper.lower()]
    return (height, width) if across else (width, height)


def on_paper(picture: Picture, paper: str, *, across: bool | None = None) -> Picture:
    """Return a picture as large as it fits on a sheet, in its middle.

    The sheet is upright, or across, or whichever shows the picture larger.
    """
    ways = (False, True) if across is None else (across,)
    width, height = max(
        (size_of(paper, across=way) for way in ways), key=lambda size: _unit_on(picture, *size)
    )
    unit = _unit_on(picture, width, height)
    left, top = (width - unit * picture.width) / 2, (height - unit * picture.height) / 2
    marks = tuple(shift(picture.marks, left, top, unit))
    return replace(picture, width=width, height=height, marks=marks)


def _unit_on(picture: Picture, width: float, height: float) -> float:
    """Return the millimetres that a unit of the picture gets on a sheet."""
    return min((width - 2 * PAPER_EDGE) / picture.width, (height - 2 * PAPER_EDGE) / picture.height)
