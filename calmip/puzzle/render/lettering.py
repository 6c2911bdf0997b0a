"""Letters as lines: single strokes, as machines engrave them, or the outlines of a font.

The strokes were drawn for calmip from straight lines and arcs of circles. Capitals
are 12 units high, small letters 8, and descenders reach 4 below. A letter with an accent is put
together from its parts. There are Latin, Greek and Cyrillic letters, digits, and the signs of
Chinese, Japanese and Korean that name months and weekdays, all in ``letters.txt``; scripts whose
letters join or change places have none. Outlines are those of the font that matplotlib brings.
"""

from __future__ import annotations

import math
import unicodedata
from functools import cache
from importlib.resources import files

from calmip._base.errors import needed_by
from calmip.puzzle.render.outline import Curve, extent

OWN_FONT = "DejaVu Sans"
"""The font that comes with matplotlib."""


HIGH = 12
"""Units of a capital."""

UNIT = 0.7 / HIGH
"""Heights of type of a unit: a capital has 0.7 of the type's height."""

SPACE, BLANK_WIDTH = 3.0, 1.0
"""Units between two letters; a blank is so wide, and has a gap on both sides."""

LIFT = 1.5
"""Units between a letter and what stands above it."""

ACUTE, CARON, OGONEK = "\u0301", "\u030c", "\u0328"

DOTLESS = {"i": "\u0131", "j": "\u0237", "\u0456": "\u0131", "\u0458": "\u0237"}
"""The letters without a dot that carry accents."""

APOSTROPHE, APOSTROPHED = "\u2019", "dtlL"
"""Letters whose caron is written as an apostrophe behind them."""

BASELINE = 0.36
"""The middle of a font's capitals above the line on which they stand, in heights of type."""

FINE = 1000.0
"""The height of type at which outlines become lines; they are that much finer than a unit."""

Glyph = tuple[Curve, ...]


def missing(text: str) -> str:
    """Return the characters of a text that cannot be written, each once."""
    marks = unicodedata.normalize("NFC", text)
    return "".join(dict.fromkeys(mark for mark in marks if mark != " " and not _glyph(mark)))


def letters(text: str, size: float = 1.0) -> tuple[float, Glyph]:
    """Return the width of a text and its strokes, the origin in the middle of its capitals.

    Characters that cannot be written are left out, see `missing`.
    """
    unit = UNIT * size
    right = 0.0
    written: list[tuple[float, Glyph]] = []
    for mark in unicodedata.normalize("NFC", text):
        strokes = _glyph(mark)
        left, end = (0.0, BLANK_WIDTH) if not strokes else extent(strokes)[::2]
        right += SPACE if written else 0.0
        written.append((right - left, strokes))
        right += end - left
    found = tuple(
        tuple(((x + at - right / 2) * unit, (y + HIGH / 2) * unit, bend) for x, y, bend in stroke)
        for at, strokes in written
        for stroke in strokes
    )
    return right * unit, found


def known_marks() -> frozenset[int]:
    """Return the characters of matplotlib's own font; raise `SolverMissing` without it."""
    need_matplotlib()
    return marks_of(OWN_FONT)


@cache
def marks_of(font: str) -> frozenset[int]:
    """Return the characters of an installed font."""
    from matplotlib import font_manager, ft2font

    return frozenset(ft2font.FT2Font(font_manager.findfont(font)).get_charmap())


def need_matplotlib() -> None:
    """Raise `SolverMissing` if matplotlib is not installed."""
    what = "drawing PNG, PDF and plots"
    missing = f"{what} needs matplotlib, which is not installed; "
    missing += "get it with: pip install 'calmip[plot]' (SVG needs nothing)"
    with needed_by(what, "matplotlib", lambda _: missing):
        import matplotlib.figure  # noqa: F401


def missing_outlines(text: str) -> str:
    """Return the characters of a text whose outlines are not known, each once.

    These are the ones that matplotlib's font lacks, and those written from right to left, which
    join or change places.
    """
    marks = dict.fromkeys(unicodedata.normalize("NFC", text))
    return "".join(
        mark
        for mark in marks
        if ord(mark) not in known_marks() or unicodedata.bidirectional(mark) in ("R", "AL")
    )


def outlined(text: str, size: float = 1.0) -> tuple[float, Glyph]:
    """Return the width of a text and its closed outlines, the origin in the middle of its capitals.

    Characters without outlines are not refused here, see `missing_outlines`.
    """
    loops = _traced(unicodedata.normalize("NFC", text))
    if not loops:
        return 0.0, ()
    left, _, right, _ = extent(loops)
    middle = (left + right) / 2
    found = tuple(
        tuple(((x - middle) * size, (y + BASELINE) * size, 0.0) for x, y, _ in loop)
        for loop in loops
    )
    return (right - left) * size, found


@cache
def _traced(text: str) -> Glyph:
    """Return the outlines of a text above the line y = 0."""
    import numpy as np
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), text, size=FINE, prop=FontProperties(family="DejaVu Sans"))
    return tuple(
        tuple((float(x) / FINE, -float(y) / FINE, 0.0) for x, y in loop)
        for loop in map(np.asarray, path.to_polygons())
        if len(loop) > 3
    )


@cache
def _glyph(mark: str) -> Glyph:
    """Return the strokes of a character above the line y = 0; none if it cannot be written."""
    drawn, above, below = _tables()
    if mark in drawn:
        return drawn[mark]
    base, *accents = list(unicodedata.normalize("NFD", mark))
    if not accents or any(one not in above and one not in below for one in accents):
        return ()
    if any(one in above for one in accents):
        base = DOTLESS.get(base, base)
    found = _glyph(base)
    if not found:
        return ()
    greek_capital = base.isupper() and unicodedata.name(base).startswith("GREEK")
    for accent in accents:
        left, top, right, _ = extent(found)
        middle = (left + right) / 2
        if accent == CARON and base in APOSTROPHED:
            found += _shift(drawn[APOSTROPHE], right + 1.0, 0.0)
        elif accent == ACUTE and greek_capital:
            found += _shift(above[accent], left - 2.5, 2.5 - HIGH)
        elif accent in above:
            found += _shift(above[accent], middle, top - LIFT)
        else:
            found += _shift(below[accent], right - 1.0 if accent == OGONEK else middle, 0.0)
    return found


def _shift(strokes: Glyph, right: float, down: float) -> Glyph:
    return tuple(tuple((x + right, y + down, bend) for x, y, bend in one) for one in strokes)


@cache
def _tables() -> tuple[dict[str, Glyph], ...]:
    """Return the strokes of letters, of what stands above one, and of what hangs below."""
    text = files("calmip.puzzle.render").joinpath("letters.txt").read_text(encoding="utf-8")
    _, *tables = text.split("\n\n")
    return tuple(map(_table, tables))


def _table(text: str) -> dict[str, Glyph]:
    found: dict[str, Glyph] = {}
    for line in text.splitlines():
        mark, _, strokes = line.partition(" ")
        mark = chr(int(mark[2:], 16)) if mark.startswith("U+") else mark
        if strokes[0] == "=":
            found[mark] = found[strokes[1]]
        else:
            found[mark] = tuple(_stroke(stroke.split()) for stroke in strokes.split("; "))
    return found


def _stroke(words: list[str]) -> Curve:
    """Return the stroke that words such as ``0,9``, ``)3,12`` and ``(:60:4,0`` describe."""
    points: list[tuple[float, float, float]] = []
    for word in words:
        place = word.lstrip("()")
        turns = word[: len(word) - len(place)]
        degrees = 90.0 * len(turns)
        if place.startswith(":"):
            _, angle, place = place.split(":")
            degrees = float(angle)
        if turns:
            x, y, _ = points[-1]
            bend = math.tan(math.radians(degrees) / 4)
            points[-1] = (x, y, bend if turns[0] == "(" else -bend)
        x, up = map(float, place.split(","))
        points.append((x, -up, 0.0))
    return tuple(points)
