"""Shapes that puzzle files may call by name, for each lattice."""

from __future__ import annotations

__all__ = ["SHAPES"]

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
