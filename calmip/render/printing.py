"""Pictures as PNG and PDF, drawn by matplotlib without its global state.

matplotlib is optional (``pip install 'calmip[plot]'``) and imported late. The
same pictures give the same bytes: no times or versions are written.
Where a text has characters that matplotlib's own font lacks, others that are installed are tried.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from calmip.errors import InputError, SolverMissing
from calmip.render.escaping import harmless
from calmip.render.palette import checked_theme, colour
from calmip.render.picture import Area, Picture, Words, moved
from calmip.render.svg import BASELINE

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Curve

__all__ = [
    "A4",
    "PDF_CELL",
    "PNG_CELL",
    "a4_for",
    "font_families",
    "no_word_on_fonts",
    "pdf_of",
    "plotting",
    "png_of",
]


WIDER_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans", "Droid Sans Fallback", "WenQuanYi Zen Hei",
    "IPAGothic", "TakaoGothic", "Hiragino Sans", "PingFang SC", "Yu Gothic", "Meiryo", "MS Gothic",
    "Microsoft YaHei", "SimHei", "Malgun Gothic", "Arial Unicode MS",
)  # fmt: skip
"""Fonts with more scripts than matplotlib's own, tried where a text needs them."""


@contextlib.contextmanager
def no_word_on_fonts() -> Iterator[None]:
    """Draw the box for a character that no font has without a warning for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def font_families(text: str) -> list[str]:
    """Return matplotlib's own font and, where the text needs more, others that are installed."""
    return ["DejaVu Sans", *(_wider_fonts() if _lacking(text) else ())]


def _lacking(text: str) -> bool:
    if text.isascii():
        return False
    known = _known_marks()
    return any(ord(mark) not in known for mark in text)


@lru_cache(maxsize=1)
def _known_marks() -> frozenset[int]:
    from matplotlib import font_manager, ft2font

    return frozenset(ft2font.FT2Font(font_manager.findfont("DejaVu Sans")).get_charmap())


@lru_cache(maxsize=1)
def _wider_fonts() -> tuple[str, ...]:
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    return tuple(name for name in WIDER_FONTS if name in installed)


PNG_CELL = 96
"""Pixels per unit of a picture."""

PDF_CELL = 36
"""Points (1/72 inch) per unit of a picture."""

A4 = (595.0, 842.0)
"""Width and height of a sheet in points."""

PAPER_MARGIN = 30
"""Points around a picture on paper: printers leave a border."""

MAX_PIXELS = 100_000_000


def plotting() -> None:
    """Make sure that matplotlib is there.

    Raises
    ------
    SolverMissing
        If it is not installed.
    """
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise SolverMissing(
            "drawing PNG, PDF and plots needs matplotlib, which is not installed; "
            "get it with: pip install 'calmip[plot]' (SVG needs nothing)"
        ) from None


def png_of(picture: Picture, *, theme: str = "light", cell: float = PNG_CELL) -> bytes:
    """Return a picture as a PNG file.

    Parameters
    ----------
    picture
        The picture.
    theme
        ``light`` or ``dark``; ``auto`` is light here.
    cell
        Pixels per unit of the picture.

    Raises
    ------
    InputError
        If the theme is unknown, or there would be over a hundred million pixels.
    SolverMissing
        If matplotlib is not installed.
    """
    if picture.width * picture.height * cell * cell > MAX_PIXELS:
        raise InputError(
            f"the picture would have {picture.width * cell:,.0f} x {picture.height * cell:,.0f} "
            "pixels; draw fewer tilings, or use SVG or PDF"
        )
    dpi = 100.0
    figure = _figure(picture, theme, cell / dpi)
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    sink = io.BytesIO()
    metadata = {"Software": None, "Title": harmless(picture.title)}
    canvas: Any = FigureCanvasAgg(figure)
    with no_word_on_fonts():
        canvas.print_png(sink, metadata=metadata)
    return sink.getvalue()


def pdf_of(
    pictures: Sequence[Picture],
    *,
    theme: str = "light",
    cell: float = PDF_CELL,
    paper: tuple[float, float] | None = None,
) -> bytes:
    """Return pictures as the pages of a PDF file; the text in it is text.

    Parameters
    ----------
    pictures
        The pictures, one a page.
    theme
        ``light`` or ``dark``; ``auto`` is light here.
    cell
        Points (1/72 inch) per unit of a picture.
    paper
        The width and height of the paper in points, on which each picture is
        drawn as large as it fits; pages are as large as the pictures unless given.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is not installed.
    """
    plotting()
    import matplotlib
    from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages

    sink = io.BytesIO()
    about = {"Title": harmless(pictures[0].title), "CreationDate": None, "Creator": "calmip",
             "Producer": None}  # fmt: skip
    # Type 42: text that can be searched and copied.
    with (
        no_word_on_fonts(),
        matplotlib.rc_context({"pdf.fonttype": 42}),
        PdfPages(sink, metadata=about) as pages,
    ):
        for picture in pictures:
            page = picture if paper is None else _on_paper(picture, paper)
            scale = cell if paper is None else paper[0] / page.width
            figure = _figure(page, theme, scale / 72)
            FigureCanvasPdf(figure)
            pages.savefig(figure, facecolor=figure.get_facecolor())
    return sink.getvalue()


def a4_for(picture: Picture) -> tuple[float, float]:
    """Return A4, upright or across, whichever shows the picture larger."""
    return max((A4, A4[::-1]), key=lambda paper: _unit_on(picture, paper))


def _unit_on(picture: Picture, paper: tuple[float, float]) -> float:
    """Return the points that a unit of the picture gets on paper."""
    across, down = (length - 2 * PAPER_MARGIN for length in paper)
    return min(across / picture.width, down / picture.height)


def _on_paper(picture: Picture, paper: tuple[float, float]) -> Picture:
    """Return a picture in the middle of a sheet with the proportions of the paper."""
    unit = _unit_on(picture, paper)
    width, height = (length / unit for length in paper)
    marks = moved(picture.marks, (width - picture.width) / 2, (height - picture.height) / 2)
    return replace(picture, width=width, height=height, marks=tuple(marks))


def _figure(picture: Picture, theme: str, inches: float) -> Figure:
    """Return a figure of a picture whose unit is so many inches."""
    plotting()
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch

    checked_theme(theme)
    figure = Figure(
        figsize=(picture.width * inches, picture.height * inches),
        dpi=100,
        facecolor=colour("paper", theme),
    )
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    points = 72 * inches
    for order, mark in enumerate(picture.marks, start=1):
        if isinstance(mark, Area):
            patch = PathPatch(
                _curve(mark),
                facecolor=colour(mark.fill, theme) if mark.fill else "none",
                edgecolor=colour(mark.stroke, theme) if mark.stroke else "none",
                linewidth=mark.width * points if mark.stroke else 0.0,
                joinstyle="round",
                zorder=order,
            )
            axes.add_artist(patch)
        else:
            _write(axes, mark, theme, points, order)
    return figure


def _write(axes: Any, words: Words, theme: str, points: float, order: int) -> None:
    text = harmless(words.text)
    axes.text(
        words.x,
        words.y + BASELINE * words.size,
        text,
        fontsize=words.size * points,
        fontfamily=font_families(text),
        fontweight="bold" if words.bold else "normal",
        horizontalalignment="left" if words.start else "center",
        verticalalignment="baseline",
        color=colour(words.role, theme),
        parse_math=False,
        zorder=order,
    )


def _curve(area: Area) -> Curve:
    from matplotlib.path import Path as Curve

    points, codes = [], []
    for loop in area.loops:
        points += [*loop, loop[0]]
        codes += [Curve.MOVETO, *[Curve.LINETO] * (len(loop) - 1), Curve.CLOSEPOLY]
    return Curve(points, codes)
