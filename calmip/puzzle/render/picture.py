"""Pictures as data: polygons and words with roles instead of colours.

A picture is made once and written as SVG, PNG or PDF by others. Lengths are in
the picture's own unit, y points downwards.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from calmip.puzzle.render.outline import Loop

CELL = 48.0
"""Pixels per unit of a picture, at its natural size."""

BASELINE = 0.36
"""The middle of capitals and digits above the baseline, in heights of type."""


@dataclass(frozen=True)
class Area:
    """A polygon, perhaps with holes, or an open line.

    Parameters
    ----------
    loops
        Its boundary; what lies inside an odd number of loops is filled.
    fill, stroke
        The roles of its colours, see `calmip.puzzle.render.palette`; empty for none.
    width
        The width of the outline.
    closed
        Whether the outline leads back to the first point.
    dash
        The lengths of dashes and gaps of the outline; empty for a solid one.
    """

    loops: tuple[Loop, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    closed: bool = True
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Words:
    """A text on one line, as it is: the writers escape it.

    Parameters
    ----------
    x, y
        Its middle; the left end of its middle line if ``start`` is set, the right end if ``end``.
    text, size
        The text, and its height of type.
    role
        The role of its colour.
    bold, start, end
        Whether it is bold, starts at the place, or ends there.
    """

    x: float
    y: float
    text: str
    size: float
    role: str = "ink"
    bold: bool = False
    start: bool = False
    end: bool = False

    @property
    def baseline(self) -> float:
        """The height of the line on which the letters stand."""
        return self.y + BASELINE * self.size


Mark = Area | Words


@dataclass(frozen=True)
class Picture:
    """Marks on a sheet, later ones above earlier ones.

    Parameters
    ----------
    width, height
        The size of the sheet.
    marks
        What is on it.
    title, description
        What the picture shows, in a few words and in a sentence, for those
        who do not see it.
    cell
        Pixels per unit on a screen.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str = ""
    description: str = ""
    cell: float = CELL


def box(left: float, top: float, width: float, height: float) -> Loop:
    """Return a rectangle."""
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def shift(marks: Iterable[Mark], right: float, down: float, scale: float = 1.0) -> list[Mark]:
    """Return marks scaled about the origin and then moved."""
    found: list[Mark] = []
    for mark in marks:
        if isinstance(mark, Area):
            loops = tuple(
                tuple((x * scale + right, y * scale + down) for x, y in loop) for loop in mark.loops
            )
            found.append(replace(mark, loops=loops, width=mark.width * scale))
        else:
            x, y = mark.x * scale + right, mark.y * scale + down
            found.append(replace(mark, x=x, y=y, size=mark.size * scale))
    return found


def text_width(text: str) -> float:
    """Return about how wide a bold text is, in heights of its type."""
    width = 0.0
    for mark in text:
        if unicodedata.combining(mark):
            continue
        if unicodedata.east_asian_width(mark) in "WF":
            width += 1.0
        elif mark in "iljtfrI.,:;!|'()[] ":
            width += 0.45
        elif mark in "mwMW@%":
            width += 0.95
        else:
            width += 0.68
    return width


def fit(text: str, width: float, size: float, smallest: float) -> tuple[str, float]:
    """Return a text and its height of type so that it is no wider than asked.

    The type shrinks down to the smallest height; what is still too long is cut
    and ends in an ellipsis.
    """
    needed = text_width(text)
    if needed * size <= width:
        return text, size
    if needed * smallest <= width:
        return text, width / needed
    while text and text_width(text + "…") * smallest > width:
        text = text[:-1]
    return text + "…", smallest
