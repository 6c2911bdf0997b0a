"""Lattices: which cells touch, how a shape can be turned, and what a cell looks like.

A cell is a pair of whole numbers (row, column). On every lattice here the
motions that fix the origin are integer 2 x 2 matrices, and the corners of the
cells lie on a grid of whole numbers, so one small class serves squares and
hexagons alike. To add a lattice is to add one constant at the end. Shapes by
name (`SHAPES`) and walls in characters (`calmip.render.text`)
may follow: without them pieces are drawn in the file, and cells by name. So may
the motions in `calmip.proofs.check_tree`, which shares nothing: without them
its proofs are written and not checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "HEXAGONAL",
    "LATTICES",
    "SHAPES",
    "SQUARE",
    "Cell",
    "Lattice",
    "Point",
    "Shape",
    "normalised",
    "polyforms",
]


Cell = tuple[int, int]
"""A cell's (row, column), 0-based."""

Shape = tuple[Cell, ...]
"""Sorted cells, moved so that the first one (in row-major order) is (0, 0)."""

Point = tuple[float, float]
"""A point of a drawing: x to the right, y downwards."""

Matrix = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Lattice:
    """A plane lattice of cells.

    Parameters
    ----------
    name
        The word used in puzzle files.
    steps
        The differences (row, column) from a cell to the cells that touch it,
        clockwise as one looks at a drawing.
    turn
        The smallest rotation about the origin, a matrix applied to (row, column).
    order
        The number of such rotations in a full turn.
    mirror
        One reflection through the origin.
    place
        A matrix that takes (row, column) to the grid point (x, y) of the cell:
        the upper left corner of its bounding box.
    rim
        The cell's corners as differences (x, y) from that grid point, so that
        the edge from corner k to the next faces the cell at step k.
    unit
        The lengths of the grid's steps along x and y; the centres of two
        touching cells are 1 apart.
    """

    name: str
    steps: tuple[Cell, ...]
    turn: Matrix
    order: int
    mirror: Matrix
    place: Matrix
    rim: tuple[tuple[int, int], ...]
    unit: Point

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells that touch a cell, on the board or off it, clockwise in a drawing."""
        row, column = cell
        return [(row + down, column + right) for down, right in self.steps]

    def grid_corners(self, cell: Cell) -> tuple[tuple[int, int], ...]:
        """Return the corners of a cell as whole numbers (x, y) of the grid, y downwards.

        The corners are clockwise in a drawing. The edge from corner k to the
        next (from the last to the first) faces ``neighbours(cell)[k]``.
        """
        ((x, y),) = _apply(self.place, (cell,))
        return tuple((x + right, y + down) for right, down in self.rim)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the corners of a cell in the plane, in the order of `grid_corners`.

        The centres of touching cells are 1 apart. A corner that cells share
        has the very same numbers in each, so that edges can be matched by ``==``.
        """
        across, down = self.unit
        return tuple((x * across, y * down) for x, y in self.grid_corners(cell))

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell in the plane."""
        corners = self.corners(cell)
        return (
            math.fsum(x for x, _ in corners) / len(corners),
            math.fsum(y for _, y in corners) / len(corners),
        )

    def is_connected(self, cells: Iterable[Cell]) -> bool:
        """Return whether the cells are connected; an empty set is not."""
        return len(self.regions(cells)) == 1

    def regions(self, cells: Iterable[Cell]) -> list[set[Cell]]:
        """Return the connected regions of some cells."""
        left = set(cells)
        found: list[set[Cell]] = []
        while left:
            frontier = [left.pop()]
            region = set(frontier)
            while frontier:
                for cell in self.neighbours(frontier.pop()):
                    if cell in left:
                        left.remove(cell)
                        region.add(cell)
                        frontier.append(cell)
            found.append(region)
        return found

    def orientations(self, shape: Iterable[Cell], *, flip: bool) -> tuple[Shape, ...]:
        """Return the distinct ways to turn (and, if allowed, turn over) a shape.

        Parameters
        ----------
        shape
            The cells of the shape, anywhere on the lattice.
        flip
            Whether the shape may be turned over.

        Returns
        -------
        tuple of Shape
            Sorted, so the position of an orientation depends on the shape
            alone and not on the way in which it was drawn.
        """
        return _orientations(self, normalised(shape), flip)

    def mirrored(self, shape: Iterable[Cell]) -> Shape:
        """Return a shape turned over."""
        return normalised(_apply(self.mirror, shape))

    def symmetries(self, cells: Iterable[Cell], *, flip: bool) -> list[dict[Cell, Cell]]:
        """Return the motions that carry cells onto themselves, the identity first.

        Parameters
        ----------
        cells
            The cells.
        flip
            Whether reflections count.
        """
        cells = sorted(set(cells))
        found: list[dict[Cell, Cell]] = []
        for start in (tuple(cells), _apply(self.mirror, cells)) if flip else (tuple(cells),):
            turned = start
            for _ in range(self.order):
                row, column = min(turned, default=(0, 0))
                down, right = (cells[0][0] - row, cells[0][1] - column) if cells else (0, 0)
                image = [(r + down, c + right) for r, c in turned]
                if sorted(image) == cells:
                    found.append(dict(zip(cells, image, strict=True)))
                turned = _apply(self.turn, turned)
        return found


@lru_cache(maxsize=4096)
def _orientations(lattice: Lattice, shape: Shape, flip: bool) -> tuple[Shape, ...]:
    found: set[Shape] = set()
    for start in (shape, _apply(lattice.mirror, shape)) if flip else (shape,):
        turned = start
        for _ in range(lattice.order):
            turned = _apply(lattice.turn, turned)
            found.add(normalised(turned))
    return tuple(sorted(found))


def normalised(cells: Iterable[Cell]) -> Shape:
    """Return the cells sorted and moved so that the first one is (0, 0)."""
    ordered = sorted(set(cells))
    if not ordered:
        return ()
    row, column = ordered[0]
    return tuple((r - row, c - column) for r, c in ordered)


def _apply(matrix: Matrix, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    (a, b), (c, d) = matrix
    return tuple((a * row + b * column, c * row + d * column) for row, column in cells)


SQUARE = Lattice(
    name="square",
    steps=((-1, 0), (0, 1), (1, 0), (0, -1)),
    turn=((0, 1), (-1, 0)),
    order=4,
    mirror=((1, 0), (0, -1)),
    place=((0, 1), (1, 0)),
    rim=((0, 0), (1, 0), (1, 1), (0, 1)),
    unit=(1.0, 1.0),
)

# Pointed at the top; each row stands half a cell to the left of the one above.
HEXAGONAL = Lattice(
    name="hexagonal",
    steps=((-1, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1)),
    turn=((0, 1), (-1, 1)),
    order=6,
    mirror=((0, 1), (1, 0)),
    place=((-1, 2), (3, 0)),
    rim=((1, 0), (2, 1), (2, 3), (1, 4), (0, 3), (0, 1)),
    unit=(0.5, 0.5 / math.sqrt(3.0)),
)

LATTICES = {lattice.name: lattice for lattice in (SQUARE, HEXAGONAL)}
"""Every lattice by the word that puzzle files use for it."""


Shapes = dict[str, tuple[str, ...]]

POLYOMINOES: Shapes = {
    "F": (".##", "##.", ".#."),
    "I": ("#####",),
    "L": ("####", "#..."),
    "N": ("##..", ".###"),
    "P": ("##", "##", "#."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###"),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": ("####", ".#.."),
    "Z": ("##.", ".#.", ".##"),
    "I1": ("#",),
    "I2": ("##",),
    "I3": ("###",),
    "V3": ("##", "#."),
    "I4": ("####",),
    "L4": ("###", "#.."),
    "T4": ("###", ".#."),
    "S4": ("##.", ".##"),
    "O4": ("##", "##"),
    "O6": ("###", "###"),
}
"""The pentominoes, and smaller pieces with their size."""

# In the plane each row stands half a cell to the left of the one above.
POLYHEXES: Shapes = {
    "I1": ("#",),
    "I2": ("##",),
    "I3": ("###",),
    "V3": ("##", "#."),
    "A3": ("#.", "##"),
    "I4": ("####",),
    "O4": ("##", "##"),
    "P4": ("#..", "###"),
    "J4": ("..#", "###"),
    "S4": (".##", "##."),
    "U4": ("##.", "#.#"),
    "Y4": (".#.", "##.", "..#"),
}
"""The polyhexes of up to four cells.

Of four cells: bar (I4), bee (O4), pistol (P4), worm (J4), wave (S4), arch (U4)
and propeller (Y4).
"""

SHAPES: dict[str, Shapes] = {"square": POLYOMINOES, "hexagonal": POLYHEXES}
"""Rows of ``#`` and ``.`` by the lattice's word and the shape's name; a lattice may have none."""


@lru_cache(maxsize=64)
def polyforms(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """Return the free shapes of so many cells: those that no motion carries into each other.

    Each is the first of its orientations; they come sorted. Shapes of one more
    cell are shapes with a cell beside them (Redelmeier 1981 counts them so, too:
    1, 1, 2, 5, 12, 35, 108, 369 polyominoes, 1, 1, 3, 7, 22, 82, 333 polyhexes).
    """
    if size <= 1:
        return (((0, 0),),)[:size]
    found = {
        lattice.orientations((*shape, near), flip=True)[0]
        for shape in polyforms(lattice, size - 1)
        for cell in shape
        for near in lattice.neighbours(cell)
        if near not in shape
    }
    return tuple(sorted(normalised(shape) for shape in found))
