"""Pictures as PNG and PDF, drawn by matplotlib without its global state.

matplotlib is optional (``pip install 'calmip[plot]'``) and imported late. The
same pictures give the same bytes: no times or versions are written.
Where a text has characters that matplotlib's own font lacks, others that are installed are tried,
then calmip's own strokes. A text that none of them can write is refused.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, clip, join_words
from calmip.puzzle.render.escaping import harmless
from calmip.puzzle.render.lettering import (
    OWN_FONT,
    known_marks,
    letters,
    marks_of,
    missing,
    need_matplotlib,
)
from calmip.puzzle.render.outline import polyline
from calmip.puzzle.render.palette import check_theme, colour
from calmip.puzzle.render.picture import Area, Picture, Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDER_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans",
    "Droid Sans Fallback",
    "WenQuanYi Zen Hei",
    "IPAGothic",
    "TakaoGothic",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Meiryo",
    "MS Gothic",
    "Microsoft YaHei",
    "SimHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)
"""Fonts with more scripts than matplotlib's own, tried where a text needs them."""


STROKE = 0.06
"""The width of calmip's own strokes, in heights of type."""


def _font_families(text: str) -> list[str]:
    """Return matplotlib's own font and, where the text needs more, others that are installed."""
    known = text.isascii() or known_marks().issuperset(map(ord, text))
    return [OWN_FONT, *(() if known else _wider_fonts())]


def _without_font(text: str) -> str:
    """Return the characters of a text that no font here has, each once."""
    if text.isascii():
        return ""
    fonts = [marks_of(font) for font in _font_families(text)]
    return "".join(
        dict.fromkeys(mark for mark in text if not any(ord(mark) in known for known in fonts))
    )


@cache
def _wider_fonts() -> tuple[str, ...]:
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    return tuple(name for name in WIDER_FONTS if name in installed)


POINTS = 36
"""Points (1/72 inch) per unit of a picture in PDF."""

MILLIMETRE = 72 / 25.4
"""The points of a millimetre."""

DPI = 100.0
"""Pixels per inch of a PNG file."""

MAX_PIXELS = 100_000_000


def png_of(picture: Picture, *, theme: str = "light", cell: float = 0.0) -> bytes:
    """Return a picture as a PNG file; the theme ``auto`` is light here.

    A unit has twice the pixels of a screen, or ``cell`` pixels.

    Raises
    ------
    InputError
        If the theme is unknown, or there would be over a hundred million pixels.
    SolverMissing
        If matplotlib is not installed.
    """
    cell = cell or 2 * picture.cell
    if picture.width * picture.height * cell * cell > MAX_PIXELS:
        raise InputError(
            f"the picture would have {picture.width * cell:,.0f} x {picture.height * cell:,.0f} "
            "pixels; draw fewer tilings, or use SVG or PDF"
        )
    figure = _figure(picture, theme, cell / DPI)
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    sink = io.BytesIO()
    metadata = {"Software": None, "Title": harmless(picture.title)}
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(sink, metadata=metadata)
    return sink.getvalue()


def pdf_of(
    pictures: Sequence[Picture], *, theme: str = "light", unit: float = POINTS, title: str = ""
) -> bytes:
    """Return pictures as the pages of a PDF file; the text in it is text.

    The theme ``auto`` is light here. Pages are as large as the pictures at ``unit`` points per
    unit. The title is that of the first picture unless another is given.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is not installed.
    """
    need_matplotlib()
    import matplotlib
    from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages

    sink = io.BytesIO()
    about = {
        "Title": harmless(title or pictures[0].title),
        "CreationDate": None,
        "Creator": "calmip",
        "Producer": None,
    }
    # Type 42: text that can be searched and copied.
    with (
        matplotlib.rc_context({"pdf.fonttype": 42}),
        PdfPages(sink, metadata=about) as pages,
    ):
        for picture in pictures:
            figure = _figure(picture, theme, unit / 72)
            FigureCanvasPdf(figure)
            pages.savefig(figure, facecolor=figure.get_facecolor())
    return sink.getvalue()


def _figure(picture: Picture, theme: str, inches: float) -> Figure:
    """Return a figure of a picture at a number of inches per unit."""
    need_matplotlib()
    from matplotlib.figure import Figure

    check_theme(theme)
    figure = Figure(
        figsize=(picture.width * inches, picture.height * inches),
        dpi=DPI,
        facecolor=colour("paper", theme),
    )
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    for order, mark in enumerate(picture.marks, start=1):
        if isinstance(mark, Area):
            _draw(axes, mark, theme, 72 * inches, order)
        else:
            _write(axes, mark, theme, 72 * inches, order)
    return figure


def _draw(axes: Any, area: Area, theme: str, points: float, order: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    corners, codes = [], []
    for loop in area.loops:
        corners += [*loop, loop[0]] if area.closed else [*loop]
        codes += [Path.MOVETO, *[Path.LINETO] * (len(loop) - 1)]
        codes += [Path.CLOSEPOLY] * area.closed
    patch = PathPatch(
        Path(corners, codes),
        facecolor=colour(area.fill, theme) if area.fill else "none",
        edgecolor=colour(area.stroke, theme) if area.stroke else "none",
        linewidth=area.width * points if area.stroke else 0.0,
        linestyle=(0, [length / area.width for length in area.dash]) if area.dash else "-",
        joinstyle="round",
        zorder=order,
    )
    axes.add_artist(patch)


def _write(axes: Any, words: Words, theme: str, points: float, order: int) -> None:
    text = harmless(words.text)
    lacking = _without_font(text)
    if lacking and not missing(text):
        _write_strokes(axes, words, colour(words.role, theme), points, order)
        return
    if lacking:
        raise InputError(
            f"no font of PNG and PDF here ({join_words(_font_families(text))}) has "
            f"{join_words([f'{mark!r} (U+{ord(mark):04X})' for mark in lacking], most=5)} of the "
            f"text '{clip(text)}'; install one, such as Noto Sans CJK, or write SVG or HTML"
        )
    axes.text(
        words.x,
        words.baseline,
        text,
        fontsize=words.size * points,
        fontfamily=_font_families(text),
        fontweight="bold" if words.bold else "normal",
        horizontalalignment="left" if words.start else "right" if words.end else "center",
        verticalalignment="baseline",
        color=colour(words.role, theme),
        parse_math=False,
        zorder=order,
    )


def _write_strokes(axes: Any, words: Words, inked: str, points: float, order: int) -> None:
    """Write a text by calmip's own strokes, as no font has all of its characters."""
    width, strokes = letters(harmless(words.text), words.size)
    left = words.x + (width / 2 if words.start else -width / 2 if words.end else 0.0)
    for stroke in strokes:
        line = polyline(stroke)
        axes.plot(
            [left + x for x, _ in line],
            [words.y + y for _, y in line],
            color=inked,
            linewidth=words.size * points * (STROKE * 1.5 if words.bold else STROKE),
            solid_capstyle="round",
            solid_joinstyle="round",
            zorder=order,
        )
