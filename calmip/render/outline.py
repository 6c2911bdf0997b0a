"""The outline of a set of cells as closed polygons, on any lattice.

The sides of all cells that face no other cell of the set are its boundary.
Directed as the lattice lists them, with the inside on the right, they join
into loops: the outer ones clockwise as seen, those around holes the other way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from calmip.problem.lattice import Cell, Lattice, Point

__all__ = ["Loop", "area", "bounds", "centre", "outline"]

Loop = tuple[Point, ...]
"""The corners of a closed polygon, without repeating the first."""


def outline(lattice: Lattice, cells: Iterable[Cell]) -> tuple[Loop, ...]:
    """Return the boundary of a set of cells, corners only where it bends.

    Where two cells touch in a corner alone, the boundary stays with each cell.

    Parameters
    ----------
    lattice
        The lattice on which the cells lie.
    cells
        The cells; they need not be connected.

    Returns
    -------
    tuple of Loop
        The same for the same set, whatever its order.
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
            loops.append(_straightened(_walk(leaving, first)))
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


def _straightened(loop: Loop) -> Loop:
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


def bounds(lattice: Lattice, cells: Iterable[Cell]) -> tuple[float, float, float, float]:
    """Return the least x, least y, greatest x and greatest y of some cells."""
    corners = [corner for cell in cells for corner in lattice.corners(cell)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)
