"""A puzzle to be made: board and pieces at their real size, for a laser, a cutter or scissors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from calmip.errors import InputError, clip, join_words
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._result import About, Pictured

__all__ = ["COMMAND", "Cutting", "CuttingPlan", "cut"]

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
NUMBER, UNIT = r"(\d+\.?\d*|\.\d+)", "|".join(MILLIMETRES)

WORDS = {
    "lines": "Draw labels as single lines, as machines engrave them.",
    "text": "Leave them as text, for the fonts of the program that opens the drawing (svg).",
}
"""How labels are written, by the name of the option's value."""

GAP = 3.0
"""Millimetres between parts on a sheet, and around them."""

PAPER_EDGE = 10.0
"""Millimetres around the parts on paper, where printers leave a border."""

HAIRLINE, PEN = 0.01, 0.25
"""Millimetres: the width of a line that laser programs cut, and of a line on paper."""


@dataclass(frozen=True)
class Cutting:
    """The lengths by which a puzzle is cut, in millimetres.

    Parameters
    ----------
    cell
        The distance between the centres of neighbouring cells.
    kerf, radius, sheet
        The width that the cut removes (parts keep their size), the radius of the corners, and
        the width and height of a sheet.
    paper
        Whether sheets are printed: a scale bar, wider margins and visible lines.
    text
        Whether labels stay text instead of single lines.

    Raises
    ------
    InputError
        If a length is out of range.
    """

    cell: float = 20.0
    kerf: float = 0.0
    radius: float = 0.0
    sheet: tuple[float, float] = (600.0, 400.0)
    paper: bool = False
    text: bool = False

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("cell", self.cell, 1, 1000),
            ("kerf", self.kerf, 0, self.cell / 5),
            ("radius", self.radius, 0, self.cell / 4),
            ("sheet's width", self.sheet[0], 10, 10_000),
            ("sheet's height", self.sheet[1], 10, 10_000),
        ):
            if not least <= value <= most:
                fault = f"the {name} is from {least:g} to {most:g} mm, not {value:g}"
                raise InputError(fault, where=(name.partition("'")[0],))

    @property
    def edge(self) -> float:
        """The margin around the parts of a sheet, in millimetres."""
        return PAPER_EDGE if self.paper else GAP

    @property
    def line(self) -> float:
        """The width of lines, in millimetres."""
        return PEN if self.paper else HAIRLINE


@dataclass(frozen=True, repr=False)
class CuttingPlan(Pictured):
    """A puzzle and the lengths by which it is cut."""

    puzzle: Puzzle
    cutting: Cutting

    status = Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the puzzle's name and the lengths in millimetres."""
        one = self.cutting
        return {"puzzle": self.puzzle.name, "cell": one.cell, "kerf": one.kerf,
                "radius": one.radius, "sheet": list(one.sheet)}  # fmt: skip

    def _summary(self) -> str:
        return f"{self.puzzle.name}, cells of {self.cutting.cell:g} mm"

    __str__ = _summary


def cut(
    board: Puzzle,
    *,
    cell: str = "20mm",
    kerf: str = "0mm",
    radius: str = "0mm",
    sheet: str = "600x400",
    words: str = "lines",
    scale_bar: bool = False,
) -> CuttingPlan:
    """Draw the board and the pieces of a puzzle at their real size, to cut them out.

    The parts are for wood, acrylic or paper: a base with the labels, a frame around the
    board, and the pieces, packed on sheets. Cuts are red hairlines and engravings blue ones,
    each on its own layer; letters are single lines. Lengths are in mm, or with their unit:
    2cm, 0.75in. Several sheets are the pages of a PDF, or NAME-1.svg, NAME-2.svg and so on.

    Parameters
    ----------
    board
        The puzzle; pieces may be missing.
    cell
        Make each cell this wide.
    kerf
        Allow for the width that the cut removes.
    radius
        Round the corners with this radius.
    sheet
        Use sheets of this size: 600x400, 60x40cm, 24x16in; for a printer A4, A3 or letter.
        If a part fits only on the turned sheet, the drawing is of the turned sheet.
    words
        Write labels in this way.
    scale_bar
        Draw for a printer: a scale bar of 100 mm, wider margins and lines.

    Raises
    ------
    InputError
        If a length cannot be read or is out of range.
    """
    width, height, paper = _size(sheet)
    cutting = Cutting(
        _length(cell, "cell"), _length(kerf, "kerf"), _length(radius, "radius"),
        (width, height), paper or scale_bar,
        words == "text",
    )  # fmt: skip
    return CuttingPlan(board, cutting)


def _length(text: str, name: str) -> float:
    """Return the millimetres of a text such as ``20``, ``2cm`` or ``0.75in``."""
    found = re.fullmatch(rf"{NUMBER} *({UNIT})?", text.strip().lower())
    if found is None:
        fault = f"'{clip(text)}' is not a length; write it as 20mm, 2cm or 0.75in"
        raise InputError(fault, where=(name,))
    return float(found[1]) * MILLIMETRES[found[2] or "mm"]


def _size(text: str) -> tuple[float, float, bool]:
    """Return the millimetres of a text such as ``60x40cm``, and whether it names a paper."""
    text = text.strip().lower()
    if text in PAPERS:
        return *PAPERS[text], True
    found = re.fullmatch(rf"{NUMBER} *({UNIT})? *[x\u00d7] *{NUMBER} *({UNIT})?", text)
    if found is None:
        names = join_words([name.upper() if len(name) == 2 else name for name in PAPERS])
        raise InputError(
            f"'{clip(text)}' is not a size; write it as 600x400, 60x40cm or 24x16in, "
            f"or name a paper: {names}",
            where=("sheet",),
        )
    # A single unit applies to both lengths.
    units = found[2] or found[4] or "mm", found[4] or found[2] or "mm"
    width, height = (
        float(text) * MILLIMETRES[unit]
        for text, unit in zip((found[1], found[3]), units, strict=True)
    )
    return width, height, False


COMMAND = About(
    examples=(
        "calmip cut a-puzzle-a-day -o cut.svg",
        "calmip cut a-puzzle-a-day --cell 15mm --kerf 0.1mm -o cut.dxf",
        "calmip cut heart-set1 --cell 18mm --sheet A4 -o paper.pdf",
    ),
    words={"words": WORDS},
)
