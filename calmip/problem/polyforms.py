"""Shapes that puzzle files may call by name, for each lattice, and all shapes of a size."""

from __future__ import annotations

from functools import lru_cache

from calmip.problem.lattice import Lattice, Shape, normalised

__all__ = ["SHAPES", "polyforms"]

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
