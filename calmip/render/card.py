"""The card of a puzzle: its name, its rules, and the address of a page as text and as QR code."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Sequence

from calmip._base.errors import SolverMissing
from calmip.problem.puzzle import Puzzle
from calmip.render.outline import Curve
from calmip.render.parts import Part, Word, moved, rectangle, width_of, written
from calmip.tasks.cut import Cutting

__all__ = ["card"]

SIZE = (105.0, 74.0)
"""Millimetres: A7."""

EDGE, CODE = 4.0, 40.0
"""Millimetres around what is on the card, and of the QR code with its quiet zone."""

QUIET = 4
"""Light modules around a QR code."""

HATCH = 0.25
"""Millimetres between the lines that fill a QR code: the width of a pen."""

TITLE, RULES, ADDRESS = 7.0, 4.6, 3.0
"""The greatest heights of type."""

ADDRESS_LINE = 60
"""Characters of an address on a line."""


def card(puzzle: Puzzle, cutting: Cutting) -> Part:
    """Return the card of a puzzle.

    Raises
    ------
    InputError
        If the font lacks a character of its words.
    SolverMissing
        If the package that makes QR codes is not installed.
    """
    width, height = SIZE
    outer = moved(rectangle(0.0, 0.0, width, height), cutting.kerf / 2, cutting.radius)
    room, lines = width - 2 * EDGE, textwrap.wrap(cutting.card, ADDRESS_LINE)
    last = height - EDGE - (1.6 * len(lines) - 0.6) * ADDRESS
    words = [
        *_block([puzzle.name], cutting, (EDGE, EDGE, room), TITLE),
        *_block(lines, cutting, (EDGE, last, room), ADDRESS),
    ]
    room -= CODE
    size = RULES
    # Long rules are written smaller.
    while len(lines := _wrap(rules(puzzle), size, room, cutting)) * 1.6 * size > CODE:
        size *= 0.9
    words += _block(lines, cutting, (EDGE, 2 * EDGE + TITLE, room), size)
    code = tuple(_code(cutting.card, width - EDGE - CODE, EDGE + TITLE + 2.0))
    part = written(Part("card", (outer,), (), tuple(words)), cutting)
    return Part("card", part.cut, (*part.engraved, *code), part.words)


def rules(puzzle: Puzzle) -> str:
    """Return the rules of a puzzle in a few sentences."""
    every = "Cover the board with all pieces."
    if puzzle.groups:
        *first, last = puzzle.groups
        names = f"{', '.join(first)} and {last}" if first else last
        every = f"Cover the board with the pieces, but for today's {names}."
    turns = "turned and turned over" if puzzle.flip else "turned, and not turned over"
    some = "".join(f" {clause}." for clause in puzzle.piece_rules)
    return f"{every} Pieces may be {turns}.{some}"


def _wrap(text: str, size: float, room: float, cutting: Cutting) -> list[str]:
    """Return the lines of a text that are no wider than the room."""
    longest = len(text)
    while True:
        lines = textwrap.wrap(text, longest, break_long_words=False)
        widest = max(width_of(line, cutting, "card") for line in lines) * size
        if widest <= room or longest == 1:
            return lines
        longest -= 1


def _block(
    lines: Sequence[str], cutting: Cutting, place: tuple[float, float, float], size: float
) -> Iterator[Word]:
    """Yield lines from a left and upper place on, smaller if one is wider than the room."""
    left, top, room = place
    widths = [width_of(line, cutting, "card") for line in lines]
    size = min(size, room / max(widths))
    for number, (line, width) in enumerate(zip(lines, widths, strict=True)):
        yield Word(line, left + width * size / 2, top + (0.5 + 1.6 * number) * size, size)


def _code(address: str, left: float, top: float) -> Iterator[Curve]:
    """Yield the lines that fill the dark modules of the QR code of an address."""
    try:
        import segno
    except ImportError:
        raise SolverMissing(
            "a QR code needs the package segno, which is not installed; "
            "get it with: pip install 'calmip[make]'"
        ) from None
    rows = [list(row) for row in segno.make_qr(address, error="m").matrix]
    module = CODE / (len(rows) + 2 * QUIET)
    each = round(module / HATCH) or 1
    step = module / each
    for number, row in enumerate(rows):
        for line in range(each):
            y = top + (QUIET + number) * module + (line + 0.5) * step
            column = QUIET
            for dark, some in itertools.groupby(row):
                here = left + column * module
                column += len(list(some))
                if dark:
                    there = left + column * module
                    yield (here + step / 2, y, 0.0), (there - step / 2, y, 0.0)
