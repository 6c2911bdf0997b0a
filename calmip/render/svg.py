"""Pictures as SVG, version 1.1, in text that depends on the picture alone.

The result is one element that stands as a file of its own (`svg_file`) or in an
HTML page. It carries no identifiers, scripts or references, so that several
may stand in one page.
"""

from __future__ import annotations

from collections.abc import Sequence

from calmip.problem.board import Board, Piece
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling
from calmip.render import tiles
from calmip.render.escaping import xml_text
from calmip.render.outline import Loop
from calmip.render.palette import AUTO, THEMES, checked_theme, colour
from calmip.render.picture import Area, Mark, Picture, Words

__all__ = [
    "FONTS",
    "number",
    "path_data",
    "svg_board",
    "svg_file",
    "svg_of",
    "svg_piece",
    "svg_puzzle",
    "svg_sheet",
    "svg_tiling",
    "theme_style",
]

CELL = 48
"""Pixels per unit of a picture, at its natural size."""

FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

BASELINE = 0.36
"""The middle of capitals and digits above the baseline, in heights of type."""


def svg_tiling(tiling: Tiling, *, theme: str = AUTO) -> str:
    """Return a tiling as an SVG element: outlined pieces, the revealed labels large.

    Parameters
    ----------
    tiling
        The tiling.
    theme
        ``light``, ``dark``, or ``auto``: dark where the viewer's system asks for it.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    return svg_of(tiles.tiling_picture(tiling), theme=theme)


def svg_board(board: Board, *, theme: str = AUTO) -> str:
    """Return an empty board with its labels as an SVG element."""
    return svg_of(tiles.board_picture(board), theme=theme)


def svg_piece(piece: Piece, *, theme: str = AUTO) -> str:
    """Return a piece with its cells as an SVG element."""
    return svg_of(tiles.piece_picture(piece), theme=theme)


def svg_puzzle(puzzle: Puzzle, *, theme: str = AUTO) -> str:
    """Return a puzzle, its board and its pieces, as an SVG element."""
    return svg_of(tiles.puzzle_picture(puzzle), theme=theme)


def svg_sheet(
    tilings: Sequence[Tiling],
    *,
    captions: Sequence[str] = (),
    columns: int | None = None,
    theme: str = AUTO,
) -> str:
    """Return many tilings as one SVG element.

    See `calmip.render.tiles.sheet_picture` for the captions and columns.
    """
    picture = tiles.sheet_picture(tilings, captions=captions, columns=columns)
    return svg_of(picture, theme=theme, cell=CELL / 2)


def svg_of(picture: Picture, *, theme: str = AUTO, cell: float = CELL) -> str:
    """Return a picture as an SVG element.

    Parameters
    ----------
    picture
        The picture.
    theme
        ``light``, ``dark`` or ``auto``.
    cell
        Pixels per unit of the picture, at its natural size.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    checked_theme(theme)
    title = xml_text(picture.title)
    names = ' class="calmip-auto"' if theme == AUTO else ""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1"{names} role="img" '
        f'aria-label="{title}" width="{number(picture.width * cell)}" '
        f'height="{number(picture.height * cell)}" '
        f'viewBox="0 0 {number(picture.width)} {number(picture.height)}">',
        f"<title>{title}</title>",
        f"<desc>{xml_text(picture.description)}</desc>",
    ]
    if theme == AUTO:
        inked = any(isinstance(mark, Area) and mark.stroke == "ink" for mark in picture.marks)
        lines.append(f"<style>{theme_style(inked=inked)}</style>")
    page = (((0.0, 0.0), (picture.width, 0.0), (picture.width, picture.height),
             (0.0, picture.height)),)  # fmt: skip
    lines.append(_mark(Area(page, "paper"), theme))
    lines.append(
        f'<g font-family="{FONTS}" text-anchor="middle" stroke-linejoin="round" '
        'fill-rule="evenodd">'
    )
    lines += [_mark(mark, theme) for mark in picture.marks]
    lines += ["</g>", "</svg>"]
    return "\n".join(lines) + "\n"


def svg_file(picture: Picture, *, theme: str = AUTO, cell: float = CELL) -> str:
    """Return a picture as a whole SVG document."""
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return declaration + svg_of(picture, theme=theme, cell=cell)


def theme_style(*, inked: bool = False) -> str:
    """Return the style sheet that darkens automatic pictures on dark screens, not on paper.

    Parameters
    ----------
    inked
        Whether something is outlined in ink, as the piece of a hint is.
    """
    light, dark = THEMES["light"], THEMES["dark"]
    rules = [
        f".calmip-auto .f-{role}{{fill:{shade}}}"
        for role, shade in dark.items()
        if shade != light[role]
    ]
    strokes = ("line", "quiet", "ink") if inked else ("line", "quiet")
    rules += [f".calmip-auto .s-{role}{{stroke:{dark[role]}}}" for role in strokes]
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def number(value: float, digits: int = 3) -> str:
    """Return a number with at most so many decimals and no useless characters."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path_data(loops: Sequence[Loop]) -> str:
    """Return closed polygons in the language of the ``d`` attribute."""
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in loop) + "Z" for loop in loops
    )


def _mark(mark: Mark, theme: str) -> str:
    if isinstance(mark, Words):
        return _words(mark, theme)
    fill, stroke = mark.fill, mark.stroke
    names = [f"f-{fill}" if fill and fill[0] != "#" else "", f"s-{stroke}" if stroke else ""]
    parts = [f'd="{path_data(mark.loops)}"']
    if theme == AUTO:
        parts.append(f'class="{" ".join(filter(None, names))}"')
    parts.append(f'fill="{colour(fill, theme) if fill else "none"}"')
    if stroke:
        parts.append(f'stroke="{colour(stroke, theme)}" stroke-width="{number(mark.width)}"')
    return f"<path {' '.join(parts)}/>"


def _words(words: Words, theme: str) -> str:
    parts = [
        f'x="{number(words.x)}" y="{number(words.y + BASELINE * words.size)}"',
        f'font-size="{number(words.size)}"',
    ]
    if words.bold:
        parts.append('font-weight="bold"')
    if words.start:
        parts.append('text-anchor="start"')
    if theme == AUTO:
        parts.append(f'class="f-{words.role}"')
    parts.append(f'fill="{colour(words.role, theme)}"')
    return f"<text {' '.join(parts)}>{xml_text(words.text)}</text>"
