"""Symmetries of an instance: the motions of the lattice that carry its tilings into tilings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from calmip.errors import InputError
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.tiling import Tiling

__all__ = ["Motion", "foremost", "symmetries"]

Motion = dict[Cell, Cell]
"""Where a motion carries each of the cells to cover."""


def symmetries(instance: Instance) -> tuple[Motion, ...]:
    """Return the motions that carry an instance into itself, the identity first.

    They carry the cells to cover onto themselves. A reflection counts if it
    carries the pieces into pieces: where they may be turned over it always does.

    Raises
    ------
    InputError
        If the instance has free groups or pieces that lie on the board.
    """
    if instance.free:
        raise InputError(
            "tilings are counted up to symmetry where it is known what stays uncovered; "
            f"give the labels of {' and '.join(instance.free)}"
        )
    if instance.placed:
        raise InputError(
            "tilings are counted up to symmetry from an empty board; leave out the key 'placed'"
        )
    puzzle, cells = instance.puzzle, instance.to_cover
    lattice = puzzle.board.lattice
    kinds = [piece.orientations(flip=puzzle.flip) for piece in puzzle.pieces]
    mirrored = [
        lattice.orientations(lattice.mirrored(piece.cells), flip=puzzle.flip)
        for piece in puzzle.pieces
    ]
    return tuple(lattice.symmetries(cells, flip=Counter(kinds) == Counter(mirrored)))


def foremost(tiling: Tiling, motions: Sequence[Motion]) -> bool:
    """Return whether a tiling is the first of those that motions make of it, as cells are sorted.

    So of all tilings that are carried into each other just one is chosen.
    """

    def picture(motion: Motion) -> list[tuple[Cell, ...]]:
        return sorted(tuple(sorted(motion[cell] for cell in p.cells)) for p in tiling.placements)

    own = picture(motions[0])
    return all(own <= picture(motion) for motion in motions[1:])
