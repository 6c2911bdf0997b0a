"""Lattices: neighbours, orientations of shapes, and the corners of cells.

A cell is a pair of whole numbers (row, column). The motions that fix the origin are
integer 2 x 2 matrices, and the corners of cells lie on a grid of whole numbers, so one
class serves squares and hexagons. A new lattice is one more constant. Optional additions:
shapes by name (`SHAPES`), walls in characters (`calmip.render.text`), and the motions in
`calmip.proofs.check_tree`, which shares no code with this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
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
    "normal_form",
    "polyforms",
]


Cell = tuple[int, int]
"""A cell's (row, column), 0-based."""

Shape = tuple[Cell, ...]
"""Sorted cells, translated so that the first one is (0, 0)."""

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
        The differences (row, column) from a cell to its neighbours, clockwise in a drawing.
    turn, order
        The smallest rotation about the origin, a matrix applied to (row, column), and the
        number of such rotations in a full turn.
    mirror
        One reflection through the origin.
    place
        A matrix that takes (row, column) to the grid point (x, y) of the cell: the upper
        left corner of its bounding box.
    rim
        The corners as differences (x, y) from that grid point; the edge from corner k to
        the next faces the neighbour at step k.
    unit
        The lengths of the grid's steps along x and y; neighbours' centres are 1 apart.
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
        """Return the neighbours of a cell, on the board or off it, clockwise in a drawing."""
        row, column = cell
        return [(row + down, column + right) for down, right in self.steps]

    def grid_corners(self, cell: Cell) -> tuple[tuple[int, int], ...]:
        """Return the corners of a cell as grid points (x, y), y downwards, clockwise.

        The edge from corner k to the next faces ``neighbours(cell)[k]``.
        """
        ((x, y),) = _apply(self.place, (cell,))
        return tuple((x + right, y + down) for right, down in self.rim)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the corners of a cell in the plane, in the order of `grid_corners`.

        Shared corners are equal numbers, so edges can be matched by ``==``.
        """
        across, down = self.unit
        return tuple((x * across, y * down) for x, y in self.grid_corners(cell))

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell in the plane."""
        across, down = zip(*self.corners(cell), strict=True)
        return math.fsum(across) / len(across), math.fsum(down) / len(down)

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
        """Return the distinct rotations (and flips, if allowed) of a shape, sorted."""
        return _orientations(self, normal_form(shape), flip)

    def symmetries(
        self, cells: Iterable[Cell], *, flip: bool, kinds: Iterable[Iterable[Shape]] = ()
    ) -> list[dict[Cell, Cell]]:
        """Return the motions that map the cells onto themselves, the identity first.

        With ``flip``, they include reflections. They also map the ``kinds``, sets of shapes,
        onto one another.
        """
        cells = sorted(set(cells))
        images = [
            [frozenset(map(normal_form, turned)) for turned in zip(*ways, strict=True)]
            for ways in ([list(self.images(shape, flip=flip)) for shape in kind] for kind in kinds)
        ]
        found: list[dict[Cell, Cell]] = []
        for number, turned in enumerate(self.images(cells, flip=flip)):
            row, column = min(turned, default=(0, 0))
            down, right = (cells[0][0] - row, cells[0][1] - column) if cells else (0, 0)
            image = [(r + down, c + right) for r, c in turned]
            kept = Counter(one[number] for one in images) == Counter(one[0] for one in images)
            if sorted(image) == cells and kept:
                found.append(dict(zip(cells, image, strict=True)))
        return found

    def images(self, cells: Iterable[Cell], *, flip: bool) -> Iterator[tuple[Cell, ...]]:
        """Yield the images of the cells under each motion that fixes the origin, identity first."""
        cells = tuple(cells)
        for start in (cells, _apply(self.mirror, cells)) if flip else (cells,):
            image = start
            for _ in range(self.order):
                yield image
                image = _apply(self.turn, image)


@lru_cache(maxsize=4096)
def _orientations(lattice: Lattice, shape: Shape, flip: bool) -> tuple[Shape, ...]:
    return tuple(sorted(set(map(normal_form, lattice.images(shape, flip=flip)))))


def normal_form(cells: Iterable[Cell]) -> Shape:
    """Return the cells, sorted and translated so that the first one is (0, 0)."""
    ordered = sorted(set(cells))
    return tuple((r - ordered[0][0], c - ordered[0][1]) for r, c in ordered)


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

# Pointy-topped; each row begins half a cell to the left of the row above.
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
"""Every lattice by its name."""


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

# In the plane each row begins half a cell to the left of the one above.
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
"""The polyhexes of up to four cells, with bar I4, bee O4, pistol P4, worm J4, wave S4, arch U4
and propeller Y4."""

SHAPES: dict[str, Shapes] = {"square": POLYOMINOES, "hexagonal": POLYHEXES}
"""Rows of ``#`` and ``.`` by the names of the lattice and the shape."""


@lru_cache(maxsize=64)
def polyforms(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """Return the free polyforms with so many cells, sorted, each in its first orientation.

    Redelmeier (1981) counts 1, 1, 2, 5, 12, 35, 108, 369 polyominoes and 1, 1, 3, 7, 22,
    82, 333 polyhexes.
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
    return tuple(sorted(found))
