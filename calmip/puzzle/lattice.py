"""Lattices: neighbours, orientations of shapes, and the corners of cells.

A cell is a pair of whole numbers (row, column). Cells differ by a translation, or there are
several kinds of them, which repeat in a pattern of rows and columns: triangles point up or down.
Motions are matrices of whole numbers, and the corners of cells lie on a grid of whole numbers. So
one class serves all lattices, and a new one is one more constant. Optional additions: shapes by
name (`SHAPES`), walls in characters (`calmip.puzzle.render.text`), and the motions in
`calmip.proofs.check_tree`, which shares no code with this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

Cell = tuple[int, int]
"""A cell's (row, column), 0-based."""

Shape = tuple[Cell, ...]
"""Sorted cells, translated so that the first one is the home of its kind, such as (0, 0)."""

Point = tuple[float, float]
"""A point of a drawing: x to the right, y downwards."""

Matrix = tuple[tuple[int, int], tuple[int, int]]
Motion = tuple[tuple[int, int, int], tuple[int, int, int]]


class CellKind(NamedTuple):
    """What the cells of a lattice have in common that translations carry onto each other.

    Parameters
    ----------
    steps
        The differences (row, column) from a cell to its neighbours, clockwise in a drawing.
    rim
        The corners as differences (x, y) from the grid point of the cell; the edge from corner k
        to the next faces the neighbour at step k.
    """

    steps: tuple[Cell, ...]
    rim: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Lattice:
    """A plane lattice of cells.

    Parameters
    ----------
    name
        The word used in puzzle files.
    kinds
        The kinds of its cells.
    turn, order
        The smallest rotation, a matrix applied to (row, column, 1), and the number of such
        rotations in a full turn.
    mirror
        One reflection, likewise.
    place
        A matrix that takes (row, column) to the grid point (x, y) of the cell: in a lattice of
        one kind, the upper left corner of its bounding box.
    unit
        The lengths of the grid's steps along x and y; neighbours' centres are 1 apart, or
        about 1 where they cannot all be.
    pattern
        The kinds of the first rows and columns, which repeat. All cells of a kind differ by
        translations of the lattice.
    scale
        What the images under motions are divided by, and rounded down.
    """

    name: str
    kinds: tuple[CellKind, ...]
    turn: Motion
    order: int
    mirror: Motion
    place: Matrix
    unit: Point
    pattern: tuple[tuple[int, ...], ...] = ((0,),)
    scale: int = 1

    def __repr__(self) -> str:
        return f"Lattice({self.name})"

    def kind(self, cell: Cell) -> int:
        """Return the number of a cell's kind."""
        row = self.pattern[cell[0] % len(self.pattern)]
        return row[cell[1] % len(row)]

    @cached_property
    def reach(self) -> Cell:
        """How many rows and columns away the neighbours of a cell are at most."""
        rows, columns = zip(*(step for kind in self.kinds for step in kind.steps), strict=True)
        return max(rows), max(columns)

    @cached_property
    def homes(self) -> tuple[Cell, ...]:
        """The first cell of every kind, row by row through the pattern."""
        first: dict[int, Cell] = {}
        for row, kinds in enumerate(self.pattern):
            for column, kind in enumerate(kinds):
                first.setdefault(kind, (row, column))
        return tuple(first[kind] for kind in range(len(self.kinds)))

    def normal_form(self, cells: Iterable[Cell]) -> Shape:
        """Return the cells, sorted and translated so that the first one is the home of its kind."""
        ordered = sorted(set(cells))
        if not ordered:
            return ()
        row, column = self.homes[self.kind(ordered[0])]
        down, right = ordered[0][0] - row, ordered[0][1] - column
        return tuple((r - down, c - right) for r, c in ordered)

    def alike(self, cell: Cell, cells: Iterable[Cell]) -> Iterable[Cell]:
        """Return those of some cells that are of the kind of a cell."""
        if len(self.kinds) == 1:
            return cells
        return [one for one in cells if self.kind(one) == self.kind(cell)]

    def moved(self, shape: Shape, cell: Cell) -> Shape:
        """Return the shape translated so that its first cell is a cell; none of another kind."""
        if self.kind(shape[0]) != self.kind(cell):
            return ()
        down, right = cell[0] - shape[0][0], cell[1] - shape[0][1]
        return tuple((r + down, c + right) for r, c in shape)

    def frame(self, cells: Iterable[Cell]) -> tuple[range, range]:
        """Return the rows and columns of a drawing of cells, which begin as the pattern does."""
        rows, columns = (sorted(places) for places in zip(*cells, strict=True))
        top, left = next(
            (rows[0] - up, columns[0] - aside)
            for up in range(len(self.pattern))
            for aside in range(len(self.pattern[0]))
            if self.kind((rows[0] - up, columns[0] - aside)) == self.pattern[0][0]
        )
        return range(top, rows[-1] + 1), range(left, columns[-1] + 1)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell, on the board or off it, clockwise in a drawing."""
        row, column = cell
        return [(row + down, column + right) for down, right in self.kinds[self.kind(cell)].steps]

    def grid_corners(self, cell: Cell) -> tuple[tuple[int, int], ...]:
        """Return the corners of a cell as grid points (x, y), y downwards, clockwise.

        The edge from corner k to the next faces ``neighbours(cell)[k]``.
        """
        (a, b), (c, d) = self.place
        x, y = a * cell[0] + b * cell[1], c * cell[0] + d * cell[1]
        return tuple((x + right, y + down) for right, down in self.kinds[self.kind(cell)].rim)

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
        return _orientations(self, self.normal_form(shape), flip)

    def symmetries(
        self, cells: Iterable[Cell], *, flip: bool, kinds: Iterable[Iterable[Shape]] = ()
    ) -> list[dict[Cell, Cell]]:
        """Return the motions that map the cells onto themselves, the identity first.

        With ``flip``, they include reflections. They also map the ``kinds``, sets of shapes,
        onto one another.
        """
        cells = sorted(set(cells))
        images = [
            [frozenset(map(self.normal_form, turned)) for turned in zip(*ways, strict=True)]
            for ways in ([list(self.images(shape, flip=flip)) for shape in kind] for kind in kinds)
        ]
        found: list[dict[Cell, Cell]] = []
        for number, turned in enumerate(self.images(cells, flip=flip)):
            first = min(turned, default=(0, 0))
            down, right = (cells[0][0] - first[0], cells[0][1] - first[1]) if cells else (0, 0)
            if cells and self.kind(first) != self.kind(cells[0]):
                continue
            image = [(r + down, c + right) for r, c in turned]
            kept = Counter(one[number] for one in images) == Counter(one[0] for one in images)
            if sorted(image) == cells and kept:
                found.append(dict(zip(cells, image, strict=True)))
        return found

    def images(self, cells: Iterable[Cell], *, flip: bool) -> Iterator[tuple[Cell, ...]]:
        """Yield the images of the cells under each motion up to translation, identity first."""
        cells = tuple(cells)
        for start in (cells, self._apply(self.mirror, cells)) if flip else (cells,):
            image = start
            for _ in range(self.order):
                yield image
                image = self._apply(self.turn, image)

    def _apply(self, motion: Motion, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        (a, b, down), (c, d, right) = motion
        by = self.scale
        return tuple(
            ((a * row + b * column + down) // by, (c * row + d * column + right) // by)
            for row, column in cells
        )


@lru_cache(maxsize=4096)
def _orientations(lattice: Lattice, shape: Shape, flip: bool) -> tuple[Shape, ...]:
    return tuple(sorted(set(map(lattice.normal_form, lattice.images(shape, flip=flip)))))


SQUARE = Lattice(
    name="square",
    kinds=(
        CellKind(
            steps=((-1, 0), (0, 1), (1, 0), (0, -1)),
            rim=((0, 0), (1, 0), (1, 1), (0, 1)),
        ),
    ),
    turn=((0, 1, 0), (-1, 0, 0)),
    order=4,
    mirror=((1, 0, 0), (0, -1, 0)),
    place=((0, 1), (1, 0)),
    unit=(1.0, 1.0),
)

# Pointy-topped; each row begins half a cell to the left of the row above.
HEXAGONAL = Lattice(
    name="hexagonal",
    kinds=(
        CellKind(
            steps=((-1, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1)),
            rim=((1, 0), (2, 1), (2, 3), (1, 4), (0, 3), (0, 1)),
        ),
    ),
    turn=((0, 1, 0), (-1, 1, 0)),
    order=6,
    mirror=((0, 1, 0), (1, 0, 0)),
    place=((-1, 2), (3, 0)),
    unit=(0.5, 0.5 / math.sqrt(3.0)),
)

# A row of triangles is a strip; they point up where row + column is even.
TRIANGULAR = Lattice(
    name="triangular",
    kinds=(
        CellKind(
            steps=((0, 1), (1, 0), (0, -1)),
            rim=((1, 0), (2, 3), (0, 3)),
        ),
        CellKind(
            steps=((-1, 0), (0, 1), (0, -1)),
            rim=((0, 0), (2, 0), (1, 3)),
        ),
    ),
    turn=((1, 1, 0), (-3, 1, -1)),
    order=6,
    mirror=((2, 0, 0), (0, -2, 0)),
    place=((0, 1), (3, 0)),
    unit=(math.sqrt(3.0) / 2.0, 0.5),
    pattern=((0, 1), (1, 0)),
    scale=2,
)

# Three rhombs make a hexagon, as the faces of a cube: the top, the right and the left one.
RHOMBILLE = Lattice(
    name="rhombille",
    kinds=(
        CellKind(
            steps=((0, 2), (1, 1), (0, -1), (0, 1)),
            rim=((3, 2), (3, 4), (0, 3), (0, 1)),
        ),
        CellKind(
            steps=((-1, -1), (0, 1), (0, -1), (-1, -2)),
            rim=((1, 0), (4, 1), (1, 2), (-2, 1)),
        ),
        CellKind(
            steps=((0, 1), (1, 2), (0, -2), (0, -1)),
            rim=((2, 1), (2, 3), (-1, 4), (-1, 2)),
        ),
    ),
    turn=((0, 1, 1), (-9, 3, -3)),
    order=6,
    mirror=((3, 0, 0), (9, -3, 6)),
    place=((-3, 2), (3, 0)),
    unit=(1.0 / 3.0, 1.0 / math.sqrt(3.0)),
    pattern=((0, 1, 2),),
    scale=3,
)

# Pentagons, of which four meet in a point, in two rows and two columns.
CAIRO = Lattice(
    name="cairo",
    kinds=(
        CellKind(
            steps=((-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1)),
            rim=((0, 0), (3, -1), (5, 1), (4, 4), (1, 3)),
        ),
        CellKind(
            steps=((0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)),
            rim=((4, 0), (5, 3), (3, 5), (0, 4), (1, 1)),
        ),
        CellKind(
            steps=((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1)),
            rim=((4, 4), (1, 5), (-1, 3), (0, 0), (3, 1)),
        ),
        CellKind(
            steps=((0, -1), (-1, -1), (-1, 0), (0, 1), (1, 0)),
            rim=((0, 4), (-1, 1), (1, -1), (4, 0), (3, 3)),
        ),
    ),
    turn=((0, 1, 0), (-1, 0, -1)),
    order=4,
    mirror=((0, 1, -1), (1, 0, 1)),
    place=((0, 4), (4, 0)),
    unit=(0.25, 0.25),
    pattern=((0, 1), (3, 2)),
)

LATTICES = {lattice.name: lattice for lattice in (SQUARE, HEXAGONAL, TRIANGULAR, RHOMBILLE, CAIRO)}
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

# The first triangle of the first row points up, the next ones in its row and column down.
POLYIAMONDS: Shapes = {
    "T1": ("#",),
    "D2": ("##",),
    "I3": ("###",),
    "I4": ("####",),
    "C4": ("##", "##"),
    "T4": (".###", "..#."),
    "I5": ("#####",),
    "C5": ("###", "##."),
    "L5": ("####", "#..."),
    "P5": ("####", "..#."),
    "I6": ("######",),
    "P6": (".#####", "..#..."),
    "J6": ("#####", "#...."),
    "E6": ("#####", "..#.."),
    "V6": ("####", ".##."),
    "H6": ("####", "..##"),
    "S6": ("###..", "..###"),
    "X6": (".###", ".###"),
    "C6": (".####.", "....##"),
    "G6": ("####", "##.."),
    "F6": ("####", "#.#."),
    "O6": ("###", "###"),
}
"""The polyiamonds of up to six cells, with the names of Polyform Puzzler: bar I6, sphinx P6, crook
J6, crown E6, lobster V6, signpost H6, snake S6, butterfly X6, chevron C6, hook G6, yacht F6 and
hexagon O6."""

# The first rhomb of a row is the left face of a cube, the next ones its top and its right face.
POLYRHOMBS: Shapes = {
    "A1": ("#",),
    "A2": ("##",),
    "A3": ("###",),
    "B3": ("#.##",),
    "C3": (".###",),
}
"""The shapes of up to three rhombs."""

POLYCAIROS: Shapes = {
    "A1": ("#",),
    "A2": ("##",),
    "B2": (".#.", "..#"),
    "A3": ("###",),
    "B3": ("##", "#."),
    "C3": ("##.", "..#"),
    "D3": (".##", ".#."),
    "E3": (".##", "..#"),
}
"""The shapes of up to three pentagons."""

SHAPES: dict[str, Shapes] = {
    "square": POLYOMINOES,
    "hexagonal": POLYHEXES,
    "triangular": POLYIAMONDS,
    "rhombille": POLYRHOMBS,
    "cairo": POLYCAIROS,
}
"""Rows of ``#`` and ``.`` by the names of the lattice and the shape."""


@lru_cache(maxsize=64)
def polyforms(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """Return the free polyforms of ``size`` cells, sorted, each in its first orientation.

    Redelmeier (1981) counts 1, 1, 2, 5, 12, 35, 108, 369 polyominoes and 1, 1, 3, 7, 22,
    82, 333 polyhexes; there are 1, 1, 1, 3, 4, 12, 24, 66 polyiamonds.
    """
    if size <= 1:
        found = {lattice.orientations([home], flip=True)[0] for home in lattice.homes}
        return tuple(sorted(found)) if size == 1 else ()
    found = {
        lattice.orientations((*shape, near), flip=True)[0]
        for shape in polyforms(lattice, size - 1)
        for cell in shape
        for near in lattice.neighbours(cell)
        if near not in shape
    }
    return tuple(sorted(found))
