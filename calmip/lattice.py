"""Lattices: which cells touch, and how a shape can be turned and turned over.

A cell is a pair of whole numbers (row, column). On every lattice here the
motions that fix the origin are integer 2 x 2 matrices, so one small class
serves squares and hexagons alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["HEXAGONAL", "LATTICES", "SQUARE", "Cell", "Lattice", "Shape"]

Cell = tuple[int, int]
"""A cell's (row, column), 0-based."""

Shape = tuple[Cell, ...]
"""Sorted cells, moved so that the first one (in row-major order) is (0, 0)."""

Matrix = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Lattice:
    """A plane lattice of cells.

    Parameters
    ----------
    name
        The word used in puzzle files.
    steps
        The differences (row, column) from a cell to the cells that touch it.
    turn
        The smallest rotation about the origin, a matrix applied to (row, column).
    order
        The number of such rotations in a full turn.
    mirror
        One reflection through the origin.
    """

    name: str
    steps: tuple[Cell, ...]
    turn: Matrix
    order: int
    mirror: Matrix

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells that touch a cell, on the board or off it."""
        row, column = cell
        return [(row + down, column + right) for down, right in self.steps]

    def is_connected(self, cells: Iterable[Cell]) -> bool:
        """Return whether the cells hang together; an empty set does not."""
        left = set(cells)
        if not left:
            return False
        frontier = [left.pop()]
        while frontier:
            for cell in self.neighbours(frontier.pop()):
                if cell in left:
                    left.remove(cell)
                    frontier.append(cell)
        return not left

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
    steps=((-1, 0), (0, -1), (0, 1), (1, 0)),
    turn=((0, 1), (-1, 0)),
    order=4,
    mirror=((1, 0), (0, -1)),
)

HEXAGONAL = Lattice(
    name="hexagonal",
    steps=((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)),
    turn=((0, 1), (-1, 1)),
    order=6,
    mirror=((0, 1), (1, 0)),
)

LATTICES = {lattice.name: lattice for lattice in (SQUARE, HEXAGONAL)}
"""Every lattice by the word that puzzle files use for it."""
