"""Puzzles to make: their parts in millimetres, for lasers, cutters, scissors and 3D printers.

A part is a shape that is cut out, with its engravings. The *base* bears the labels; the *frame*,
which lies on it, has a hole of the board's shape; then come the pieces. A printer makes base and
frame in one, the *tray*. Corners may be rounded. Each line is moved away from the part by half the
kerf, the width that the beam burns away; pieces are smaller, and the hole is larger, by half the
clearance on all sides. Engravings are lines, too: no place is passed twice.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calmip._base.errors import InputError, clip, needed_by
from calmip.puzzle.board import BLANK
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.outline import Curve, Loop, area, bounds, grid, hole_cells, outline
from calmip.puzzle.render.tiles import label_place
from calmip.workshop.cut import GAP, Cutting, CuttingPlan
from calmip.workshop.nesting import EPS, Nesting, nest, turned
from calmip.workshop.workpieces import (
    Part,
    Sheet,
    Word,
    arc,
    flat,
    moved,
    rectangle,
    strokes,
    width_of,
    written,
)

BAR_MM = 100.0
"""Millimetres of the scale bar."""

TYPE_HEIGHT = 0.36
"""The height of type in cells, where the label is no wider than its cells."""

MAX_NOTCH_RADIUS = 0.3
"""The greatest radius of the finger notch in cells; it is at most 0.4 of its side."""

TILT = math.radians(15)
"""How far the board leans back in its stand."""

CARD = (105.0, 74.0)
"""Millimetres: a card is A7."""

EDGE, CODE = 4.0, 40.0
"""Millimetres around what is on the card, and of the QR code with its quiet zone."""

QUIET_MODULES = 4
"""Light modules around a QR code."""

HATCH_MM = 0.25
"""Millimetres between the lines that fill a QR code: the width of a pen."""

TITLE, RULES, ADDRESS = 7.0, 4.6, 3.0
"""The greatest heights of type."""

ADDRESS_LINE_CHARACTERS = 60
"""Characters of an address on a line."""


@dataclass(frozen=True)
class Layout:
    """The sheets of a puzzle, and what is known about their number."""

    sheets: tuple[Sheet, ...]
    nesting: Nesting


def arrange(plan: CuttingPlan, *, solid: bool = False) -> Layout:
    """Return all parts on as few sheets as were found, flat or as solids; the plan keeps them.

    Raises
    ------
    InputError
        If a part is larger than a sheet, or the engraving font lacks a character of a label.
    """
    if solid not in plan.arranged:
        plan.arranged[solid] = _arrange(list(_parts(plan, solid=solid)), plan.cutting)
    found: Layout = plan.arranged[solid]
    return found


def _arrange(parts: Sequence[Part], cutting: Cutting) -> Layout:
    width, height = (length - 2 * cutting.edge for length in cutting.sheet)
    for part in parts:
        x, y, right, bottom = part.box
        sides = right - x, bottom - y
        if min(sides) > min(width, height) + EPS or max(sides) > max(width, height) + EPS:
            raise InputError(
                f"the part {clip(part.name)} of {sides[0]:.1f} x {sides[1]:.1f} mm does not fit "
                f"on a sheet of {cutting.sheet[0]:g} x {cutting.sheet[1]:g} mm with "
                f"{cutting.edge:g} mm around it; take a larger sheet or smaller cells"
            )
    nesting = nest(
        [turned(tuple(map(flat, part.cut or _boxed(part))), 0) for part in parts],
        (width, height),
        gap=GAP,
        slack=cutting.kerf,
        corner=cutting.radius,
        cell=cutting.cell,
        time_limit=cutting.time_limit,
    )
    sheets: list[list[Part]] = [[] for _ in range(nesting.sheets)]
    for part, place in zip(parts, nesting.places, strict=True):
        left, top = place.x + cutting.edge, place.y + cutting.edge
        sheets[place.sheet].append(part.put(place.turns, left, top))
    return Layout(tuple(map(tuple, sheets)), nesting)


def _boxed(part: Part) -> tuple[Curve, ...]:
    left, top, right, bottom = part.box
    return (tuple((x, y, 0.0) for x, y in rectangle(left, top, right, bottom)),)


def _parts(plan: CuttingPlan, *, solid: bool) -> Iterator[Part]:
    """Yield base, frame and pieces, and what is asked for beside them."""
    puzzle, cutting = plan.puzzle, plan.cutting
    lattice = puzzle.board.lattice
    if cutting.paper and not solid:
        yield _bar()
    yield from _board(plan, solid=solid)
    if plan.tiling is None:
        for piece in puzzle.pieces:
            away = (cutting.kerf - cutting.clearance) / 2
            yield Part(piece.name, _lines(outline(lattice, piece.cells), cutting, away))
    if "lid" in cutting.extras:
        yield from _lid(puzzle, cutting, solid=solid)
    if "stand" in cutting.extras:
        yield from _stand(puzzle, cutting)
    if cutting.card and not solid:
        yield _card(puzzle, cutting)


def _rim(puzzle: Puzzle) -> tuple[float, float, float, float]:
    """Return the rectangle around the board, half a cell from it, in cells."""
    left, top, right, bottom = bounds(puzzle.board.lattice, puzzle.board.cells)
    return left - 0.5, top - 0.5, right + 0.5, bottom + 0.5


def _board(plan: CuttingPlan, *, solid: bool) -> Iterator[Part]:
    """Yield the base with the labels and the frame around the board; or both as a tray."""
    puzzle, cutting = plan.puzzle, plan.cutting
    board, cell, half = puzzle.board, cutting.cell, cutting.kerf / 2
    lattice = board.lattice
    (rim,) = _lines([rectangle(*_rim(puzzle))], cutting, half)
    loops = outline(lattice, board.cells)
    around = max(loops, key=lambda loop: area([loop]))
    notched, radius = _notch(around, cutting) if "notch" in cutting.extras else (-1, 0.0)
    hole = [
        moved(
            _scale(loop, cell),
            cutting.clearance / 2 - half,
            cutting.radius,
            (notched, radius - half) if loop is around else None,
        )
        for loop in loops
    ]
    # The cells of one label are one field, which its text may cross.
    owner = {one: one if board.label(one) == BLANK else board.label(one) for one in board.cells}
    lines = [*grid(lattice, owner)]
    # What is glued into a hole hides a cross; on a cell nothing is hidden.
    for one in hole_cells(lattice, board.cells) if not solid else ():
        corners = lattice.corners(one)
        across, odd = divmod(len(corners), 2)
        ends = [lattice.centre(one)] * len(corners) if odd else corners[across:]
        lines += zip(corners[: len(ends)], ends, strict=True)
    fields = tuple(tuple((x * cell, y * cell, 0.0) for x, y in line) for line in lines)
    labels = _labels(puzzle, cutting)
    if solid:
        yield written(Part("tray", (rim,), fields, labels, above=(rim, *hole)), cutting)
        return
    yield written(Part("base", (rim,), fields, labels), cutting)
    if plan.tiling is None:
        yield Part("frame", (rim, *hole))
        return
    of_piece = {one: piece.piece for piece in plan.tiling.placements for one in piece.cells}
    shared = [
        tuple((x * cell, y * cell, 0.0) for x, y in line)
        for line in grid(lattice, {one: of_piece.get(one, owner[one]) for one in board.cells})
    ]
    if notched >= 0:
        here, there = around[notched], (*around[1:], around[0])[notched]
        shared.append(arc(_scale((here, there), cell), 0.0, radius - half))
    waste = {board.label(one) for one in board.cells if one not in of_piece}
    named = tuple(word for word in labels if word.text in waste)
    yield written(Part("frame and pieces", (rim,), (), named, tuple(shared)), cutting)


def _notch(loop: Loop, cutting: Cutting) -> tuple[int, float]:
    """Return the side of the hole for the finger notch, and its radius in mm.

    Raise `InputError` if what is left of the side has no room for it.
    """
    ways = list(zip(loop, (*loop[1:], loop[0]), strict=True))
    middle = math.fsum(x for x, _ in loop) / len(loop)

    def rank(side: int) -> tuple[float, float, float]:
        (x, y), (right, down) = ways[side]
        # The longest; of these the lowest, and of these the one in the middle.
        return round(math.dist(*ways[side]), 6), y + down, -abs((x + right) / 2 - middle)

    side = max(range(len(ways)), key=rank)
    straight = math.dist(*ways[side]) * cutting.cell - 2 * cutting.radius
    radius, half = min(MAX_NOTCH_RADIUS * cutting.cell, 0.4 * straight), cutting.kerf / 2
    if radius - half <= abs(cutting.clearance / 2 - half):
        raise InputError(
            f"the longest side of the board has {straight:.1f} mm between its round corners, too "
            "little for a finger notch; take a smaller radius, clearance or kerf, or no notch",
            where=("extras",),
        )
    return side, radius


def _lid(puzzle: Puzzle, cutting: Cutting, *, solid: bool) -> Iterator[Part]:
    """Yield the lid, which is larger than the base by its collar, and the collar."""
    cell, half = cutting.cell, cutting.kerf / 2
    left, top, right, bottom = (length * cell for length in _rim(puzzle))
    play = cutting.clearance / 2
    inner = rectangle(left - play, top - play, right + play, bottom + play)
    play += cell / 2
    outer = rectangle(left - play, top - play, right + play, bottom + play)
    plate, hole = moved(outer, half, cutting.radius), moved(inner, -half, cutting.radius)
    if solid:
        yield Part("lid", (plate,), above=(plate, hole))
        return
    size = min(cell, 0.8 * (right - left) / max(width_of(puzzle.name, cutting, "title"), EPS))
    title = Word(puzzle.name, (left + right) / 2, (top + bottom) / 2, size)
    yield written(Part("lid", (plate,), (), (title,)), cutting)
    yield Part("collar", (plate, hole))


def _stand(puzzle: Puzzle, cutting: Cutting) -> Iterator[Part]:
    """Yield two feet, in whose slots the board leans back, and the bar that joins them.

    Feet and bar have slots of half their height, and are pushed into each other.
    """
    left, top, right, bottom = (length * cutting.cell for length in _rim(puzzle))
    high, thick, play = bottom - top, cutting.thickness, cutting.clearance
    half, sine, cosine = cutting.kerf / 2, math.sin(TILT), math.cos(TILT)
    slot, joint = 2 * thick + play, thick + play
    depth, floor, edge = max(10.0, high / 10), max(8.0, 2 * thick), 10.0
    # The slot's lower corner in front, and that behind, which is lower.
    front = edge + 5.0, floor + slot * sine
    back = front[0] + slot * cosine, floor
    height = front[1] + depth * cosine
    upper = [x + (height - y) * sine / cosine for x, y in (front, back)]
    # The middle of the board's weight stands over the foot, with an eighth of its height to spare.
    weight = front[0] + slot / 2 * cosine + high / 2 * sine
    length = max(weight + high / 8, upper[1] + 2 * edge + joint)
    behind = length - edge
    foot = (
        (0.0, height),
        (upper[0], height),
        front,
        back,
        (upper[1], height),
        (length, height),
        (length, 0.0),
        (behind, 0.0),
        (behind, height / 2),
        (behind - joint, height / 2),
        (behind - joint, 0.0),
        (0.0, 0.0),
    )
    # Between its slots the bar has at least as much as beside them.
    long = max(60.0, (right - left) / 2, 3 * edge + 2 * joint)
    bar = (
        (0.0, height),
        (edge, height),
        (edge, height / 2),
        (edge + joint, height / 2),
        (edge + joint, height),
        (long - edge - joint, height),
        (long - edge - joint, height / 2),
        (long - edge, height / 2),
        (long - edge, height),
        (long, height),
        (long, 0.0),
        (0.0, 0.0),
    )
    for name, corners in (("foot", foot), ("second foot", foot), ("bar", bar)):
        yield Part(name, (moved(tuple((x, -y) for x, y in corners), half),))


def _scale(loop: Loop, cell: float) -> Loop:
    return tuple((x * cell, y * cell) for x, y in loop)


def _lines(loops: Iterable[Loop], cutting: Cutting, away: float) -> tuple[Curve, ...]:
    """Return polygons of cells in mm, moved to their left, their corners rounded."""
    return tuple(moved(_scale(loop, cutting.cell), away, cutting.radius) for loop in loops)


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
            room / max(width_of(label, cutting), room / TYPE_HEIGHT)
            for label, (_, room) in places.items()
        )
        size = cell * min(sizes, default=TYPE_HEIGHT)
        words += [Word(label, x * cell, y * cell, size) for label, ((x, y), _) in places.items()]
    return tuple(words)


def _bar() -> Part:
    """Return the scale bar, which is measured before anything is cut."""
    line = tuple(
        (x, y, 0.0) for x, y in ((0.0, 0.0), (BAR_MM, 0.0), (BAR_MM, 2.0), (0.0, 2.0), (0, 0))
    )
    label = Word(f"{BAR_MM:g} mm", BAR_MM / 2, 5.0, 4.0)
    return Part("scale bar", (), (line, *strokes([label])))


def _card(puzzle: Puzzle, cutting: Cutting) -> Part:
    """Return the card of a puzzle: its name, its rules, an address as text and as QR code.

    Raises
    ------
    InputError
        If the font lacks a character of its words.
    SolverMissing
        If the package that makes QR codes is not installed.
    """
    width, height = CARD
    outer = moved(rectangle(0.0, 0.0, width, height), cutting.kerf / 2, cutting.radius)
    width_left, lines = width - 2 * EDGE, textwrap.wrap(cutting.card, ADDRESS_LINE_CHARACTERS)
    last = height - EDGE - (1.6 * len(lines) - 0.6) * ADDRESS
    words = [
        *_block([puzzle.name], cutting, (EDGE, EDGE, width_left), TITLE),
        *_block(lines, cutting, (EDGE, last, width_left), ADDRESS),
    ]
    width_left -= CODE
    size = RULES
    # Long rules are written smaller.
    while len(lines := _wrap(rules(puzzle), size, width_left, cutting)) * 1.6 * size > CODE:
        size *= 0.9
    words += _block(lines, cutting, (EDGE, 2 * EDGE + TITLE, width_left), size)
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


def _wrap(text: str, size: float, width: float, cutting: Cutting) -> list[str]:
    """Return the lines of a text that are no wider than the room."""
    longest = len(text)
    while True:
        lines = textwrap.wrap(text, longest, break_long_words=False)
        widest = max(width_of(line, cutting, "card") for line in lines) * size
        if widest <= width or longest == 1:
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
    missing = "a QR code needs the package segno, which is not installed; "
    missing += "get it with: pip install 'calmip[make]'"
    with needed_by("a QR code", "segno", lambda _: missing):
        import segno
    rows = [list(row) for row in segno.make_qr(address, error="m").matrix]
    module = CODE / (len(rows) + 2 * QUIET_MODULES)
    each = round(module / HATCH_MM) or 1
    step = module / each
    for number, row in enumerate(rows):
        for line in range(each):
            y = top + (QUIET_MODULES + number) * module + (line + 0.5) * step
            column = QUIET_MODULES
            for dark, some in itertools.groupby(row):
                here = left + column * module
                column += len(list(some))
                if dark:
                    there = left + column * module
                    yield (here + step / 2, y, 0.0), (there - step / 2, y, 0.0)
