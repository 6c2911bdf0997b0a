"""Tilings: solutions that were checked against the instance, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calmip.errors import NotATiling, listed
from calmip.problem.packing import Packing

__all__ = ["Tiling", "TilingPool"]


@dataclass(frozen=True)
class Tiling(Packing):
    """A solution of an instance: a packing of all pieces that leaves no cell bare.

    Parameters
    ----------
    instance
        The instance.
    placements
        One placement per piece, as in a `Packing`.
    labels
        The labels that stay uncovered, as in a `Packing`.

    Raises
    ------
    NotATiling
        If it is no packing, a piece is missing, or a cell is not covered.
    """

    def _check_whole(self) -> None:
        used = {placement.piece for placement in self.placements}
        left = [piece.name for piece in self.instance.puzzle.pieces if piece.name not in used]
        if left:
            raise NotATiling(f"no placement for piece {listed(left)}")
        covered = {cell for placement in self.placements for cell in placement.cells}
        board = self.instance.puzzle.board
        bare = {cell for label in self.labels for cell in board.labels[label]}
        for cell in board.cells:
            if cell not in covered and cell not in bare:
                raise NotATiling(f"cell {board.label(cell)} {cell} is not covered")

    def _repr_svg_(self) -> str:
        """Return the tiling as a picture, for notebooks."""
        from calmip.render.svg import svg_tiling

        return svg_tiling(self)


@dataclass(frozen=True)
class TilingPool:
    """The tilings found so far, and whether there are proved to be no more.

    Parameters
    ----------
    tilings
        Distinct tilings in the order in which they were found.
    complete
        Whether it was proved that no other tiling exists.
    """

    tilings: tuple[Tiling, ...]
    complete: bool

    def __post_init__(self) -> None:
        if len(set(self.tilings)) != len(self.tilings):
            raise NotATiling("the pool holds the same tiling twice")

    def __len__(self) -> int:
        return len(self.tilings)

    def __iter__(self) -> Iterator[Tiling]:
        return iter(self.tilings)

    def _repr_html_(self) -> str:
        """Return how many tilings there are and the first of them as pictures, for notebooks."""
        from calmip.render.notebook import html_pool

        return html_pool(self)
