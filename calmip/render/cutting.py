"""Puzzles to make: board and pieces in millimetres, for a laser, a cutter or scissors.

A part is a shape that is cut out, with its engravings. The *base* bears the labels; the *frame*,
which lies on it, has a hole of the board's shape; then come the pieces. Corners may be rounded.
Each line is moved away from the part by half the kerf, the width that the beam burns away.
Engravings are lines, too: no place is passed twice, and letters are single strokes. So one
setting of the machine serves for all, and a word takes a fraction of the time of outlined
letters.

The letters were drawn for calmip from straight lines and arcs of circles. Capitals
are 12 units high, small letters 8, and descenders reach 4 below. A letter with an accent is put
together from its parts. There are Latin, Greek and Cyrillic letters, digits, and the signs of
Chinese, Japanese and Korean that name months and weekdays, all in ``letters.txt``; scripts whose
letters join or change places have none.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from calmip.errors import InputError, clip, join_words
from calmip.problem.board import BLANK
from calmip.problem.lattice import Point
from calmip.problem.puzzle import Puzzle
from calmip.render.outline import Curve, Loop, bounds, extent, grid, hole_cells, outline
from calmip.render.picture import text_width
from calmip.render.tiles import label_place
from calmip.tasks.cut import GAP, Cutting

__all__ = ["Part", "Sheet", "letters", "missing", "sheets", "turn_sheet"]


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
    text = files("calmip.render").joinpath("letters.txt").read_text(encoding="utf-8")
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


NIL = 1e-6
"""Millimetres below which two lengths are equal."""

BAR = 100.0
"""Millimetres of the scale bar."""

Word = tuple[str, float, float, float]
"""A text, x and y of its middle, its height of type."""

TYPE = 0.36
"""The height of type in cells, where the label is no wider than its cells."""


@dataclass(frozen=True)
class Part:
    """A part of a puzzle: the closed lines that are cut, the open ones that are engraved.

    Words that stay text each have the x and y of their middle and their height of type.
    """

    name: str
    cut: tuple[Curve, ...]
    engraved: tuple[Curve, ...] = ()
    words: tuple[Word, ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y."""
        return extent((*self.cut, *self.engraved))

    def shift(self, right: float, down: float) -> Part:
        """Return the part elsewhere."""
        words = tuple((text, x + right, y + down, size) for text, x, y, size in self.words)
        cut, engraved = (_shift(some, right, down) for some in (self.cut, self.engraved))
        return Part(self.name, cut, engraved, words)


Sheet = tuple[Part, ...]
"""The parts on one sheet, each in its place."""


def sheets(puzzle: Puzzle, cutting: Cutting) -> tuple[Sheet, ...]:
    """Return base, frame and pieces on as many sheets as they need.

    Raises
    ------
    InputError
        If a part is larger than a sheet, or the engraving font lacks a character of a label.
    """
    return _pack(_parts(puzzle, cutting), cutting)


def turn_sheet(puzzle: Puzzle, cutting: Cutting) -> Cutting:
    """Return the lengths, with width and height of the sheet exchanged if the parts need it."""
    turned = replace(cutting, sheet=cutting.sheet[::-1])
    parts = [*([_bar()] if cutting.paper else []), *_parts(puzzle, cutting)]
    need = any(_exceeds(part, cutting) for part in parts)
    return turned if need and not any(_exceeds(part, turned) for part in parts) else cutting


def _parts(puzzle: Puzzle, cutting: Cutting) -> list[Part]:
    """Return base, frame and pieces."""
    lattice = puzzle.board.lattice
    parts = [*_board(puzzle, cutting)]
    for piece in puzzle.pieces:
        loops = outline(lattice, piece.cells)
        cut = tuple(_curve(loop, cutting, cutting.kerf / 2) for loop in loops)
        parts.append(Part(piece.name, cut))
    return parts


def _exceeds(part: Part, cutting: Cutting) -> bool:
    """Return whether a part is larger than a sheet within its margin."""
    (width, height), (x, y, right, bottom) = cutting.sheet, part.box
    return max(right - x - width, bottom - y - height) > NIL - 2 * cutting.edge


def _board(puzzle: Puzzle, cutting: Cutting) -> tuple[Part, Part]:
    """Return the base with the labels and the frame around the board."""
    board, half = puzzle.board, cutting.kerf / 2
    lattice, cell = board.lattice, cutting.cell
    left, top, right, bottom = bounds(lattice, board.cells)
    left, top, right, bottom = left - 0.5, top - 0.5, right + 0.5, bottom + 0.5
    rim = _curve(((left, top), (right, top), (right, bottom), (left, bottom)), cutting, half)
    hole = [_curve(loop, cutting, -half) for loop in outline(lattice, board.cells)]
    # The cells of one label are one field, which its text may cross.
    owner = {one: one if board.label(one) == BLANK else board.label(one) for one in board.cells}
    lines = [*grid(lattice, owner)]
    # What is glued into a hole hides a cross; on a cell nothing is hidden.
    for one in hole_cells(lattice, board.cells):
        corners = lattice.corners(one)
        across = len(corners) // 2
        lines += zip(corners[:across], corners[across:], strict=True)
    fields = [tuple((x * cell, y * cell, 0.0) for x, y in line) for line in lines]
    words = _labels(puzzle, cutting)
    base = Part("base", (rim,), tuple(fields), words)
    if not cutting.text:
        base = replace(base, engraved=(*fields, *_strokes(words)), words=())
    return base, Part("frame", (rim, *hole))


def _labels(puzzle: Puzzle, cutting: Cutting) -> tuple[Word, ...]:
    """Return the labels in their places, those of a group in one size."""
    board = puzzle.board
    grouped = {label for labels in puzzle.groups.values() for label in labels}
    rest = tuple(label for label in board.labels if label not in grouped)
    cell, words = cutting.cell, []
    for group in (*puzzle.groups.values(), rest):
        places = {label: label_place(board.lattice, board.labels[label]) for label in group}
        # A label that is narrower than its room at the usual size may be as thin as a line.
        sizes = (
            room / max(_width(label, cutting), room / TYPE) for label, (_, room) in places.items()
        )
        size = cell * min(sizes, default=TYPE)
        words += [(label, x * cell, y * cell, size) for label, ((x, y), _) in places.items()]
    return tuple(words)


def _width(label: str, cutting: Cutting) -> float:
    """Return how wide a label is, in heights of its type."""
    if cutting.text:
        return text_width(label)
    lacking = missing(label)
    if lacking:
        raise InputError(
            f"the engraving font lacks {join_words(lacking)} of the label {clip(label)}; it has "
            "Latin, Greek and Cyrillic letters; write the label in them, or take --words text "
            "with .svg and turn the text into paths in a drawing program"
        )
    return letters(label)[0]


def _strokes(words: Iterable[Word]) -> tuple[Curve, ...]:
    """Return the strokes of words in their places."""
    return tuple(
        stroke for text, x, y, size in words for stroke in _shift(letters(text, size)[1], x, y)
    )


def _curve(loop: Loop, cutting: Cutting, away: float) -> Curve:
    """Return a polygon in mm, moved to its left everywhere, its corners rounded."""
    corners = [(x * cutting.cell, y * cutting.cell) for x, y in loop]
    ways = [
        _unit(here, there) for here, there in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    found: list[tuple[float, float, float]] = []
    for corner, (ux, uy), (vx, vy) in zip(corners, (ways[-1], *ways[:-1]), ways, strict=True):
        straight = ux * vx + uy * vy
        # Half way between the normals of both sides, so far that it is `away` from each.
        x = corner[0] + away * (uy + vy) / (1 + straight)
        y = corner[1] - away * (ux + vx) / (1 + straight)
        if cutting.radius == 0:
            found.append((x, y, 0.0))
            continue
        angle = math.atan2(ux * vy - uy * vx, straight)  # to the right where it is positive
        back = cutting.radius * abs(math.tan(angle / 2))
        found.append((x - back * ux, y - back * uy, -math.tan(angle / 4)))
        found.append((x + back * vx, y + back * vy, 0.0))
    return tuple(found)


def _unit(here: Point, there: Point) -> Point:
    length = math.dist(here, there)
    return (there[0] - here[0]) / length, (there[1] - here[1]) / length


def _pack(parts: Sequence[Part], cutting: Cutting) -> tuple[Sheet, ...]:
    """Put parts into rows on sheets, the highest first, each where there is room first."""
    (width, height), edge = cutting.sheet, cutting.edge
    found: list[list[Part]] = []
    # Where the next row of each sheet begins; each row's sheet, top, height, and end so far.
    tops: list[float] = []
    rows: list[tuple[int, float, float, float]] = []
    bar = [_bar()] if cutting.paper else []
    for part in [*bar, *sorted(parts, key=lambda one: one.box[1] - one.box[3])]:
        x, y, right, bottom = part.box
        wide, high = right - x, bottom - y
        if _exceeds(part, cutting):
            raise InputError(
                f"the part {clip(part.name)} of {wide:.1f} x {high:.1f} mm does not fit on a "
                f"sheet of {width:g} x {height:g} mm with {edge:g} mm around it; take a larger "
                "sheet or smaller cells"
            )
        fitting = (
            n
            for n, (_, _, tall, left) in enumerate(rows)
            if high <= tall + NIL and left + wide <= width - edge + NIL
        )
        place = next(fitting, len(rows))
        if place == len(rows):
            low = (n for n, top in enumerate(tops) if top + high <= height - edge + NIL)
            sheet = next(low, len(found))
            if sheet == len(found):
                found.append([])
                tops.append(edge)
            rows.append((sheet, tops[sheet], high, edge))
            tops[sheet] += high + GAP
        sheet, top, tall, left = rows[place]
        found[sheet].append(part.shift(left - x, top - y))
        # Nothing stands beside the scale bar.
        rows[place] = sheet, top, tall, math.inf if part in bar else left + wide + GAP
    return tuple(map(tuple, found))


def _bar() -> Part:
    """Return the scale bar, which is measured before anything is cut."""
    line = tuple((x, y, 0.0) for x, y in ((0.0, 0.0), (BAR, 0.0), (BAR, 2.0), (0.0, 2.0), (0, 0)))
    return Part("scale bar", (), (line, *_strokes([(f"{BAR:g} mm", BAR / 2, 5.0, 4.0)])))
