"""A puzzle to be made: board and pieces at their real size, for a laser, a cutter or scissors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from calmip.errors import InputError, listed, shown
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._result import Pictured

__all__ = ["Cutting", "CuttingPlan", "cut"]

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
NUMBER, UNIT = r"(\d+\.?\d*|\.\d+)", "|".join(MILLIMETRES)

WORDS = {
    "lines": "Draw labels as single lines, as machines engrave them.",
    "text": "Leave them as text, for the fonts of the program that opens the drawing (svg).",
}
"""How labels are written."""

GAP = 3.0
"""Millimetres between parts on a sheet, and around them."""

PAPER_EDGE = 10.0
"""Millimetres around the parts on paper, where printers leave a border."""

HAIRLINE, PEN = 0.01, 0.25
"""Millimetres: the width of a line that programs for lasers take for a cut, and of one on paper."""


@dataclass(frozen=True)
class Cutting:
    """How a puzzle is cut; all lengths in millimetres.

    Parameters
    ----------
    cell
        From the middle of a cell to that of the next.
    kerf
        The width that the cut takes away; every part keeps its size all the same.
    radius
        Of the corners.
    sheet
        The width and the height of a sheet.
    paper
        Whether sheets are printed: with a scale bar on the first, a border
        that printers can do without, and lines that are seen.
    text
        Whether words stay text, for the fonts of the program that opens the
        drawing, instead of single lines.

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
                raise InputError(f"the {name} is from {least:g} to {most:g} mm, not {value:g}")

    @property
    def edge(self) -> float:
        """How much stays free around the parts of a sheet."""
        return PAPER_EDGE if self.paper else GAP

    @property
    def line(self) -> float:
        """The width of lines."""
        return PEN if self.paper else HAIRLINE


@dataclass(frozen=True, repr=False)
class CuttingPlan(Pictured):
    """A puzzle and how it is cut; the sheets are drawn in the form of a file.

    Parameters
    ----------
    puzzle
        The puzzle.
    cutting
        The lengths.
    """

    puzzle: Puzzle
    cutting: Cutting

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the puzzle's name and the lengths in millimetres."""
        one = self.cutting
        return {"puzzle": self.puzzle.name, "cell": one.cell, "kerf": one.kerf,
                "radius": one.radius, "sheet": list(one.sheet)}  # fmt: skip

    def _summary(self) -> str:
        return f"{self.puzzle.name}, cells of {self.cutting.cell:g} mm"

    def __str__(self) -> str:
        return self._summary()


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
    """Draw the board and the pieces of a puzzle at their real size, to be cut.

    Of wood, acrylic or paper: a base with the labels, a frame around the board, and the
    pieces, packed on sheets. Cuts are red hairlines, engravings blue ones, on layers of
    their own; letters are single lines. Lengths are in mm, or with their unit: 2cm, 0.75in.
    Several sheets are the pages of a PDF, or NAME-1.svg, NAME-2.svg and so on.

    Parameters
    ----------
    board
        The puzzle; it may lack pieces.
    cell
        Width of a cell.
    kerf
        Width that the cut takes away.
    radius
        Radius of the corners.
    sheet
        Size of a sheet: 600x400, 60x40cm, 24x16in; for a printer A4, A3 or letter.
    words
        How labels are written.
    scale_bar
        Draw for a printer, whatever the size: 100 mm to measure, wider margins and lines.

    Raises
    ------
    InputError
        If a length cannot be read or is out of range.
    """
    width, height, paper = _size(sheet)
    cutting = Cutting(
        _length(cell), _length(kerf), _length(radius), (width, height), paper or scale_bar,
        words == "text",
    )  # fmt: skip
    return CuttingPlan(board, cutting)


def _length(text: str) -> float:
    """Return the millimetres that a text such as ``20``, ``2cm`` or ``0.75in`` says."""
    found = re.fullmatch(rf"{NUMBER} *({UNIT})?", text.strip().lower())
    if found is None:
        raise InputError(f"'{shown(text)}' is no length; write it as 20mm, 2cm or 0.75in")
    return float(found[1]) * MILLIMETRES[found[2] or "mm"]


def _size(text: str) -> tuple[float, float, bool]:
    """Return the millimetres that a text such as ``60x40cm`` says, and if it is ``A4``."""
    text = text.strip().lower()
    if text in PAPERS:
        return *PAPERS[text], True
    found = re.fullmatch(rf"{NUMBER} *({UNIT})? *[x\u00d7] *{NUMBER} *({UNIT})?", text)
    if found is None:
        names = listed([name.upper() if len(name) == 2 else name for name in PAPERS])
        raise InputError(
            f"'{shown(text)}' is no size; write it as 600x400, 60x40cm or 24x16in, "
            f"or name a paper: {names}"
        )
    # One unit at the end is that of both.
    units = found[2] or found[4] or "mm", found[4] or found[2] or "mm"
    width, height = (
        float(text) * MILLIMETRES[unit]
        for text, unit in zip((found[1], found[3]), units, strict=True)
    )
    return width, height, False
