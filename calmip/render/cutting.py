"""Puzzles to make: board and pieces in millimetres, for a laser, a cutter or scissors.

A part is a shape that is cut out, with what is engraved on it. The *base* bears
the labels; the *frame*, which lies on it, has a hole of the board's shape; then
come the pieces. Corners may be rounded, and the width that a beam burns away is
made good by moving every line half of it away from what is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from calmip.errors import InputError
from calmip.problem.lattice import Point
from calmip.problem.puzzle import Puzzle
from calmip.render.outline import Loop, bounds, centre, outline
from calmip.render.picture import fitted

__all__ = ["Curve", "Cutting", "Part", "Sheet", "sheets"]

Curve = tuple[tuple[float, float, float], ...]
"""A closed line: x, y (downwards) in mm, and how the way to the next corner bends.

The bend is a quarter of the arc's angle, as a tangent: 0 on a straight line,
positive where it turns to the left (DXF calls it bulge).
"""

GAP = 3.0
"""Millimetres between parts on a sheet, and around them."""

BAR = 100.0
"""Millimetres of the scale bar."""


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
    bar
        Whether a scale bar stands on the first sheet.

    Raises
    ------
    InputError
        If a length is out of range.
    """

    cell: float = 20.0
    kerf: float = 0.0
    radius: float = 0.0
    sheet: tuple[float, float] = (600.0, 400.0)
    bar: bool = False

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


@dataclass(frozen=True)
class Part:
    """A part: what is cut, what is engraved, and the words on it with their middles and sizes."""

    name: str
    cut: tuple[Curve, ...]
    engraved: tuple[Curve, ...] = ()
    words: tuple[tuple[str, float, float, float], ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y."""
        across = [x for curve in (*self.cut, *self.engraved) for x, _, _ in curve]
        down = [y for curve in (*self.cut, *self.engraved) for _, y, _ in curve]
        return min(across), min(down), max(across), max(down)

    def moved(self, right: float, down: float) -> Part:
        """Return the part elsewhere."""

        def all_moved(curves: Iterable[Curve]) -> tuple[Curve, ...]:
            return tuple(tuple((x + right, y + down, b) for x, y, b in one) for one in curves)

        words = tuple((text, x + right, y + down, size) for text, x, y, size in self.words)
        return replace(
            self, cut=all_moved(self.cut), engraved=all_moved(self.engraved), words=words
        )


Sheet = tuple[Part, ...]
"""The parts on one sheet, each in its place."""


def sheets(puzzle: Puzzle, cutting: Cutting) -> tuple[Sheet, ...]:
    """Return base, frame and pieces on as many sheets as they need.

    Raises
    ------
    InputError
        If a part is larger than a sheet.
    """
    lattice = puzzle.board.lattice
    parts = [*_board(puzzle, cutting)]
    for piece in puzzle.pieces:
        loops = outline(lattice, piece.cells)
        cut = tuple(_curve(loop, cutting, cutting.kerf / 2) for loop in loops)
        parts.append(Part(piece.name, cut))
    return _packed(parts, cutting)


def _board(puzzle: Puzzle, cutting: Cutting) -> tuple[Part, Part]:
    """Return the base with the labels and the frame around the board."""
    board, half = puzzle.board, cutting.kerf / 2
    lattice, cell = board.lattice, cutting.cell
    left, top, right, bottom = bounds(lattice, board.cells)
    left, top, right, bottom = left - 0.5, top - 0.5, right + 0.5, bottom + 0.5
    rim = _curve(((left, top), (right, top), (right, bottom), (left, bottom)), cutting, half)
    hole = [_curve(loop, cutting, -half) for loop in outline(lattice, board.cells)]
    sharp = replace(cutting, radius=0.0)
    cells = [_curve(lattice.corners(one), sharp, 0.0) for one in board.cells]
    words = []
    for label, some in board.labels.items():
        x, y = centre(lattice, some)
        text, size = fitted(label, 0.8, 0.36, 0.1)
        words.append((text, x * cell, y * cell, size * cell))
    return Part("base", (rim,), tuple(cells), tuple(words)), Part("frame", (rim, *hole))


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


def _packed(parts: Sequence[Part], cutting: Cutting) -> tuple[Sheet, ...]:
    """Put parts into rows on sheets, the highest first (next-fit decreasing height)."""
    width, height = cutting.sheet
    found: list[list[Part]] = [[]]
    left, top = GAP, GAP
    row = 0.0
    if cutting.bar:
        found[0].append(_bar().moved(GAP, GAP))
        top += 8.0
    boxes = [(part, part.box) for part in parts]
    for part, (x, y, right, bottom) in sorted(boxes, key=lambda one: one[1][1] - one[1][3]):
        wide, high = right - x, bottom - y
        if wide > width - 2 * GAP or high > height - 2 * GAP - 8.0 * cutting.bar:
            raise InputError(
                f"the part {part.name} of {wide:.1f} x {high:.1f} mm does not fit on a sheet of "
                f"{width:g} x {height:g} mm with {GAP:g} mm around it; take a larger sheet "
                "or smaller cells"
            )
        if left + wide > width - GAP:
            left, top, row = GAP, top + row + GAP, 0.0
        if top + high > height - GAP:
            found.append([])
            left, top, row = GAP, GAP, 0.0
        found[-1].append(part.moved(left - x, top - y))
        left, row = left + wide + GAP, max(row, high)
    return tuple(map(tuple, found))


def _bar() -> Part:
    """Return the scale bar, which is measured before anything is cut."""
    bar = ((0.0, 0.0, 0.0), (BAR, 0.0, 0.0), (BAR, 2.0, 0.0), (0.0, 2.0, 0.0))
    text = f"{BAR:g} mm"
    return Part("scale bar", (), (bar,), ((text, BAR / 2, 5.0, 3.0),))
