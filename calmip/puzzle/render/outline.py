"""The outline of a set of cells as closed polygons, on any lattice, and lines that bend.

The sides of all cells that face no other cell of the set are its boundary.
Directed as the lattice lists them, with the inside on the right, they join
into loops: the outer ones clockwise as seen, those around holes the other way.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping

from calmip.puzzle.lattice import Cell, Lattice, Point

Loop = tuple[Point, ...]
"""The corners of a closed polygon, without repeating the first."""

Curve = tuple[tuple[float, float, float], ...]
"""A line: x, y (downwards), and how the way to the next point bends.

The bend is the tangent of a quarter of the arc's angle: 0 on a straight line,
positive where it turns to the left (DXF calls it bulge).
"""


def outline(lattice: Lattice, cells: Iterable[Cell]) -> tuple[Loop, ...]:
    """Return the boundary of a set of cells, corners only where it bends.

    Where two cells touch in a corner alone, the boundary stays with each cell. The same set
    gives the same loops, whatever its order; the cells need not be connected.
    """
    inside = set(cells)
    leaving: dict[Point, list[Point]] = {}
    for cell in sorted(inside):
        corners = lattice.corners(cell)
        for k, neighbour in enumerate(lattice.neighbours(cell)):
            if neighbour not in inside:
                leaving.setdefault(corners[k], []).append(corners[(k + 1) % len(corners)])
    loops = []
    for first in list(leaving):
        while leaving[first]:
            loops.append(_straighten(_walk(leaving, first)))
    return tuple(loops)


def _walk(leaving: dict[Point, list[Point]], first: Point) -> Loop:
    """Take the sides of one loop out of those that leave each corner."""
    loop = [first, leaving[first].pop()]
    while loop[-1] != first:
        before, here = loop[-2:]
        ways = leaving[here]
        sharpest = max(ways, key=lambda way: _bend(before, here, way))
        ways.remove(sharpest)
        loop.append(sharpest)
    return tuple(loop[:-1])


def _straighten(loop: Loop) -> Loop:
    """Leave out the corners where the boundary goes straight on."""
    after = (*loop[1:], loop[0])
    before = (loop[-1], *loop[:-1])
    return tuple(
        here
        for last, here, following in zip(before, loop, after, strict=True)
        if abs(_bend(last, here, following)) > 1e-9
    )


def _bend(before: Point, here: Point, after: Point) -> float:
    """Return how far a way turns to the right at a corner; negative to the left."""
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (
        after[0] - here[0]
    )


def grid(lattice: Lattice, owner: Mapping[Cell, object]) -> tuple[Loop, ...]:
    """Return the sides between cells of different owners, and those around all of them.

    Each side is in one line, and once: what draws the lines passes no place
    twice. A line goes straight on where it can, and is open.
    """
    sides: set[tuple[Point, Point]] = set()
    for cell, name in owner.items():
        corners = lattice.corners(cell)
        for k, neighbour in enumerate(lattice.neighbours(cell)):
            if neighbour not in owner or owner[neighbour] != name:
                here, there = sorted((corners[k], corners[(k + 1) % len(corners)]))
                sides.add((here, there))
    at: dict[Point, list[Point]] = {}
    for here, there in sorted(sides):
        at.setdefault(here, []).append(there)
        at.setdefault(there, []).append(here)
    # A line must end where an odd number of sides meets, so that is where the first begin.
    lines = [_line(at, point) for point in sorted(at) if len(at[point]) % 2]
    for point in sorted(at):
        while at[point]:
            lines.append(_line(at, point))
    return tuple(lines)


def _line(at: dict[Point, list[Point]], first: Point) -> Loop:
    """Take the sides of one line out of those that meet at each corner."""
    line: list[Point] = [first]
    while at[line[-1]]:
        here, before = line[-1], line[-2:-1] or [line[-1]]
        way = min(at[here], key=lambda there: abs(_bend(before[0], here, there)))
        at[here].remove(way)
        at[way].remove(here)
        if len(line) > 1 and abs(_bend(before[0], here, way)) < 1e-9:
            line.pop()
        line.append(way)
    return tuple(line)


def apex(here: Point, bend: float, there: Point) -> Point:
    """Return the middle of an arc from one point to another."""
    (x, y), (right, down) = here, there
    # An arc that turns to the left lies to the right of its chord.
    return (x + right - bend * (down - y)) / 2, (y + down + bend * (right - x)) / 2


def polyline(curve: Curve, halvings: int = 3) -> list[Point]:
    """Return the points of a line whose arcs are halved so often."""
    points = [curve[0][:2]]
    for (x, y, bend), end in itertools.pairwise(curve):
        points += _arc((x, y), bend, end[:2], halvings if bend else 0)
    return points


def _arc(here: Point, bend: float, there: Point, halvings: int) -> list[Point]:
    """Return the points of an arc behind the first."""
    if not halvings:
        return [there]
    middle, half = apex(here, bend, there), math.tan(math.atan(bend) / 2)
    return [*_arc(here, half, middle, halvings - 1), *_arc(middle, half, there, halvings - 1)]


def extent(curves: Iterable[Curve]) -> tuple[float, float, float, float]:
    """Return the least x and y and the greatest x and y of lines, the middles of arcs included."""
    points = []
    for curve in curves:
        points += [(x, y) for x, y, _ in curve]
        for (x, y, bend), end in itertools.pairwise(curve):
            points.append(apex((x, y), bend, end[:2]))
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def area(loops: Iterable[Loop]) -> float:
    """Return the area inside loops; holes count negative."""
    return sum(
        (x * below - right * y) / 2
        for loop in loops
        for (x, y), (right, below) in zip(loop, (*loop[1:], loop[0]), strict=True)
    )


def centre(lattice: Lattice, cells: Iterable[Cell]) -> Point:
    """Return the mean of the cells' middles."""
    middles = [lattice.centre(cell) for cell in cells]
    return (
        math.fsum(x for x, _ in middles) / len(middles),
        math.fsum(y for _, y in middles) / len(middles),
    )


def hole_cells(lattice: Lattice, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells of the holes: around them all there are cells of the set."""
    inside = set(cells)
    rows, columns = [row for row, _ in inside], [column for _, column in inside]
    down, right = lattice.reach
    box = set(
        itertools.product(range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1))
    )
    around = set(
        itertools.product(
            range(min(rows) - down, max(rows) + down + 1),
            range(min(columns) - right, max(columns) + right + 1),
        )
    )
    outside = around - box
    frontier = list(outside)
    while frontier:
        for cell in lattice.neighbours(frontier.pop()):
            if cell in around and cell not in inside and cell not in outside:
                outside.add(cell)
                frontier.append(cell)
    return tuple(sorted(around - inside - outside))


def bounds(lattice: Lattice, cells: Iterable[Cell]) -> tuple[float, float, float, float]:
    """Return the least x, least y, greatest x and greatest y of some cells."""
    corners = [corner for cell in cells for corner in lattice.corners(cell)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)
