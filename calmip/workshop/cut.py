"""A puzzle to be made: its parts at their real size, for a laser, a cutter or a 3D printer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip._base.limits import check_seconds
from calmip.mip.display import PAPER_EDGE, PAPERS
from calmip.mip.status import Status
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tiling import Tiling

__all__ = ["Cutting", "CuttingPlan", "cut"]

MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
NUMBER, UNIT = r"(\d+\.?\d*|\.\d+)", "|".join(MILLIMETRES)

WORDS = {
    "lines": "Draw labels as single lines, as machines engrave them.",
    "outlines": "Draw the outlines of a font's letters, to be filled (needs matplotlib).",
    "text": "Leave them as text, for the fonts of the program that opens the drawing (svg).",
}
"""How labels are written, by the name of the option's value."""

EXTRAS = {
    "notch": "A finger notch in the frame, to lift the first piece.",
    "lid": "A lid with a collar, which slides over base and frame.",
    "stand": "Two feet and a bar, in which the board leans back.",
}
"""What may be made beside board and pieces, by the name of the option's value."""

GAP = 3.0
"""Millimetres between parts on a sheet, and around them."""

HAIRLINE, PEN = 0.01, 0.25
"""Millimetres: the width of a line that laser programs cut, and of a line on paper."""

MAX_ADDRESS_CHARACTERS = 200
"""Characters of an address on the card."""

NESTING_SECONDS = 10.0
"""Seconds for the search for fewer sheets."""


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
    words
        How labels are written, see `WORDS`.
    clearance
        The gap between neighbouring pieces, and between pieces and frame.
    margin
        The margin around the parts of a sheet; None for the usual one.
    thickness
        The thickness of the material, or of each layer that is printed.
    extras
        What is made beside board and pieces, see `EXTRAS`.
    card
        The address on the card with the rules; empty for no card.
    time_limit
        Seconds for the search for fewer sheets; None for no limit.

    Raises
    ------
    InputError
        If a length is out of range, or the address is none.
    """

    cell: float = 20.0
    kerf: float = 0.0
    radius: float = 0.0
    sheet: tuple[float, float] = (600.0, 400.0)
    paper: bool = False
    words: str = "lines"
    clearance: float = 0.0
    margin: float | None = None
    thickness: float = 3.0
    extras: tuple[str, ...] = ()
    card: str = ""
    time_limit: float | None = NESTING_SECONDS

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("cell", self.cell, 1, 1000),
            ("kerf", self.kerf, 0, self.cell / 5),
            ("clearance", self.clearance, 0, self.cell / 5),
            ("radius", self.radius, 0, self.cell / 4),
            ("margin", self.edge, 0, 1000),
            ("thickness", self.thickness, 0.1, 100),
            ("sheet's width", self.sheet[0], 10, 10_000),
            ("sheet's height", self.sheet[1], 10, 10_000),
        ):
            if not least <= value <= most:
                of_cell = f"; a cell is {self.cell:g} mm wide" if most < self.cell else ""
                fault = f"the {name} is from {least:g} to {most:g} mm, not {value:g}{of_cell}"
                raise InputError(fault, where=(name.partition("'")[0],))
        if self.card and not (
            re.fullmatch(r"https?://[!-~]+", self.card) and len(self.card) <= MAX_ADDRESS_CHARACTERS
        ):
            fault = (
                f"'{clip(self.card)}' is not an address of a page; write it as https://... "
                f"without blanks, in at most {MAX_ADDRESS_CHARACTERS} characters"
            )
            raise InputError(fault, where=("card",))

    @property
    def edge(self) -> float:
        """The margin around the parts of a sheet, in millimetres."""
        usual = PAPER_EDGE if self.paper else GAP
        return usual if self.margin is None else self.margin

    @property
    def line(self) -> float:
        """The width of lines, in millimetres."""
        return PEN if self.paper else HAIRLINE


@dataclass(frozen=True, repr=False)
class CuttingPlan(Pictured):
    """A puzzle and the lengths by which it is cut.

    Parameters
    ----------
    puzzle, cutting
        The puzzle and the lengths.
    tiling
        The tiling along whose lines the pieces are cut, if they share them.
    arranged
        The sheets that were arranged so far, by whether the parts are solids.
    """

    puzzle: Puzzle
    cutting: Cutting
    tiling: Tiling | None = None
    arranged: dict[bool, Any] = field(default_factory=dict, compare=False)

    status = Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the puzzle's name and the lengths in millimetres."""
        one = self.cutting
        return {
            "puzzle": self.puzzle.name,
            "cell": one.cell,
            "kerf": one.kerf,
            "clearance": one.clearance,
            "radius": one.radius,
            "sheet": list(one.sheet),
        }

    def _summary(self) -> str:
        return f"{self.puzzle.name}, cells of {self.cutting.cell:g} mm"

    __str__ = _summary


@of_puzzle
def cut(
    board: Puzzle,
    *,
    cell: str = "20mm",
    kerf: str = "0mm",
    clearance: str = "0mm",
    radius: str = "0mm",
    thickness: str = "3mm",
    sheet: str = "600x400",
    margin: str | None = None,
    words: str = "lines",
    extras: Sequence[str] = (),
    card: str | None = None,
    common_lines: bool = False,
    scale_bar: bool = False,
    time_limit: float | None = NESTING_SECONDS,
) -> CuttingPlan:
    """Draw the board and the pieces of a puzzle at their real size, to cut or print them.

    The parts are for wood, acrylic or paper: a base with the labels, a frame around the
    board, and the pieces, on as few sheets as possible. Cuts are red hairlines and engravings blue
    ones, each on its own layer; letters are single lines. A 3D printer gets solids (stl, 3mf),
    base and frame in one. Lengths are in mm, or with their unit:
    2cm, 0.75in. Several sheets are the pages of a PDF, or NAME-1.svg, NAME-2.svg and so on.

    Parameters
    ----------
    board
        The puzzle; pieces may be missing.
    cell
        Make each cell this wide.
    kerf
        Allow for the width that the cut removes.
    clearance
        Leave this gap between neighbouring pieces, and between pieces and frame.
    radius
        Round the corners with this radius.
    thickness
        Make slots and solids for material of this thickness.
    sheet
        Use sheets of this size: 600x400, 60x40cm, 24x16in; for a printer A4, A3 or letter.
    margin
        Leave this margin around the parts of a sheet; by default 3mm, on paper 10mm.
    words
        Write labels in this way.
    extras
        Make these parts as well.
    card
        Add a card with the rules, and this address as text and as QR code.
    common_lines
        Cut the pieces out of the frame as a tiling, each line between two of them once.
    scale_bar
        Draw for a printer: a scale bar of 100 mm, wider margins and lines.
    time_limit
        Search this long for fewer sheets.

    Raises
    ------
    InputError
        If a length cannot be read or is out of range, an extra is unknown, options exclude each
        other, or the puzzle has no tiling whose lines could be cut.
    """
    width, height, paper = _size(sheet)
    cutting = Cutting(
        _length(cell, "cell"),
        _length(kerf, "kerf"),
        _length(radius, "radius"),
        (width, height),
        paper or scale_bar,
        words,
        _length(clearance, "clearance"),
        None if margin is None else _length(margin, "margin"),
        _length(thickness, "thickness"),
        tuple(dict.fromkeys(extras)),
        card or "",
        check_seconds(time_limit),
    )
    for known, given, name in ((WORDS, [words], "words"), (EXTRAS, extras, "extras")):
        unknown = [word for word in given if word not in known]
        if unknown:
            fault = f"'{clip(unknown[0])}' is not one of {join_words(known)}"
            raise InputError(fault, where=(name,))
    return CuttingPlan(board, cutting, _tiling(board, cutting) if common_lines else None)


def _tiling(puzzle: Puzzle, cutting: Cutting) -> Tiling:
    """Return the first tiling of any date, along whose lines the pieces are cut."""
    from calmip.puzzle.tasks.enumeration import Enumeration  # every command imports this module

    for name, value in (("clearance", cutting.clearance), ("radius", cutting.radius)):
        if value:
            fault = (
                f"lines that pieces share leave the kerf as clearance, and sharp corners; leave "
                f"out --{name} or --common-lines"
            )
            raise InputError(fault, where=("common_lines",))
    instance = Instance(puzzle, free=tuple(puzzle.groups))
    pool = Enumeration(instance, limit=1, time_limit=cutting.time_limit)
    found: Tiling | None = next(iter(pool), None)
    if found is None:
        why = "has no tiling" if pool.complete else "has no known tiling: time limit reached"
        raise InputError(f"{puzzle.name} {why}; leave out --common-lines", where=("common_lines",))
    return found


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
