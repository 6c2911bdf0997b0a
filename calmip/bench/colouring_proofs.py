"""Proofs of infeasibility by colourings of the lattice.

A colouring gives each cell (r, c) the colour (ar + bc) mod m. A placement covers a number of cells
of each colour, and the placements of a solution together cover all of them. If no choice
of one placement per piece has these sums, there is no tiling (Golomb 1954,
https://doi.org/10.2307/2307321). The sums are whole numbers, built up piece by piece.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from calmip.puzzle.cover import ExactCover
from calmip.puzzle.lattice import Cell

MAX_SUMS = 100_000
"""With more sums than this a colouring is given up."""


class Colouring(NamedTuple):
    """The colour of cell (r, c) is (``down`` r + ``right`` c) mod ``colours``."""

    colours: int
    down: int
    right: int

    def of(self, cell: Cell) -> int:
        """Return the colour of a cell."""
        return (self.down * cell[0] + self.right * cell[1]) % self.colours

    def __str__(self) -> str:
        terms = [
            name if factor == 1 else f"{factor}{name}"
            for factor, name in ((self.down, "r"), (self.right, "c"))
            if factor
        ]
        return f"({' + '.join(terms)}) mod {self.colours}"


def _colourings(most: int) -> tuple[Colouring, ...]:
    """Return the colourings with at most ``most`` colours, without renamings of their colours."""
    found: list[Colouring] = []
    seen: set[tuple[int, ...]] = set()
    for colours in range(2, most + 1):
        for down, right in product(range(colours), repeat=2):
            one = Colouring(colours, down, right)
            names: dict[int, int] = {}
            square = product(range(2 * most), range(2 * most))
            pattern = tuple(names.setdefault(one.of(cell), len(names)) for cell in square)
            if len(names) > 1 and pattern not in seen:
                seen.add(pattern)
                found.append(one)
    return tuple(found)


COLOURINGS = _colourings(4)
"""The colourings that are tried, those of few colours first."""


def refute(cover: ExactCover) -> Colouring | None:
    """Return a colouring that proves that a cover has no solution, or None.

    Parameters
    ----------
    cover
        An exact cover, not a packing.
    """
    return next((one for one in COLOURINGS if _refutes(one, cover)), None)


def _refutes(colouring: Colouring, cover: ExactCover) -> bool:
    """Return whether no choice of placements covers as many cells of each colour as there are."""
    cells = cover.instance.to_cover
    # A sum is one whole number, whose digits count the cells of each colour.
    base = len(cells) + 1
    unit = [base ** colouring.of(cell) for cell in cells]
    spares = (*cover.spare, *(0 for _ in cover.instance.free))
    ways: list[set[int]] = [set() for _ in spares]
    for *covered, item in cover.covered:
        if covered and covered[0] < len(cells):
            ways[item - len(cells)].add(sum(unit[cell] for cell in covered))
    sums = {0}
    # How many pieces are left out in all is ignored here.
    for some, demand, spare in zip(ways, cover.demand[len(cells) :], spares, strict=False):
        for number in range(demand):
            every = some | {0} if number < spare else some
            sums = {before + more for before in sums for more in every}
            if len(sums) > MAX_SUMS:
                return False
    return sum(unit) not in sums
