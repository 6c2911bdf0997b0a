"""Pictures as files: any picture, one tiling, a sheet of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calmip.errors import InputError
from calmip.problem.tiling import Tiling

if TYPE_CHECKING:
    from calmip.render.picture import Picture

__all__ = ["PICTURES", "draw_tilings", "drawn"]

PICTURES = ("svg", "png", "pdf")
"""The formats, by their suffixes."""


def draw_tilings(tilings: Sequence[Tiling], form: str, theme: str) -> bytes:
    """Return one tiling, or a sheet of several, in a picture format.

    Raises
    ------
    InputError
        If there is none to draw, or the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    if not tilings:
        raise InputError("there is no tiling to draw")
    from calmip.render.tiles import sheet_pages, sheet_picture, tiling_picture

    if len(tilings) == 1:
        return drawn(tiling_picture(tilings[0]), form, theme)
    if form == "pdf":
        from calmip.render.printing import A4, pdf_of

        return pdf_of(sheet_pages(tilings), theme=theme, paper=A4)
    picture = sheet_picture(tilings)
    if form == "png":
        from calmip.render.printing import PNG_CELL, png_of

        return png_of(picture, theme=theme, cell=PNG_CELL / 4)
    from calmip.render.svg import CELL, svg_file

    return svg_file(picture, theme=theme, cell=CELL / 2).encode()


def drawn(picture: Picture, form: str, theme: str) -> bytes:
    """Return a picture as a file of its format."""
    if form == "pdf":
        from calmip.render.printing import pdf_of

        return pdf_of([picture], theme=theme)
    if form == "png":
        from calmip.render.printing import PNG_CELL, png_of

        return png_of(picture, theme=theme, cell=PNG_CELL)
    from calmip.render.svg import svg_file

    return svg_file(picture, theme=theme).encode()
