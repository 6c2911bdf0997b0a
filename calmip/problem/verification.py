"""Verification of packings and tilings, from the instance alone.

Nothing here knows of the exact cover, of a model, or of what a solver said.
"""

from __future__ import annotations

from collections.abc import Sequence

from calmip.errors import NotATiling, listed
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import Cell, normalised

__all__ = ["check_cells", "check_labels", "check_pieces", "check_placed", "check_whole"]


def check_labels(instance: Instance, labels: Sequence[str]) -> None:
    """Raise `NotATiling` unless the labels are a choice that the instance asks for."""
    groups = instance.puzzle.groups
    missing = [label for label in instance.labels if label not in labels]
    if missing:
        raise NotATiling(f"the tiling does not leave {listed(missing)} uncovered")
    chosen = [label for label in labels if label not in instance.labels]
    for group in instance.free:
        members = [label for label in chosen if label in groups[group]]
        if len(members) != 1:
            raise NotATiling(f"exactly one {group} stays uncovered, not {listed(members)}")
    if len(chosen) != len(instance.free) or len(set(labels)) != len(labels):
        raise NotATiling(f"the tiling uncovers {listed(labels)}, which is not asked for")


def check_pieces(instance: Instance, placements: Sequence[Placement]) -> None:
    """Raise `NotATiling` unless each piece is one of the puzzle's, of its shape, and used once."""
    puzzle = instance.puzzle
    left = {piece.name: piece for piece in puzzle.pieces}
    for placement in placements:
        piece = left.pop(placement.piece, None)
        if piece is None:
            known = any(placement.piece == piece.name for piece in puzzle.pieces)
            fault = "is used twice" if known else "is not a piece of the puzzle"
            raise NotATiling(f"piece {placement.piece} {fault}")
        if normalised(placement.cells) not in piece.orientations(flip=puzzle.flip):
            raise NotATiling(
                f"the cells {listed(placement.cells)} do not have the shape of "
                f"piece {placement.piece}"
            )


def check_cells(instance: Instance, placements: Sequence[Placement], labels: Sequence[str]) -> None:
    """Raise `NotATiling` if a cell is covered that may not be, or is covered twice."""
    board = instance.puzzle.board
    bare = board.labelled(labels)
    owner: dict[Cell, str] = {}
    on_board = set(board.cells)
    for placement in placements:
        for cell in placement.cells:
            if cell not in on_board:
                raise NotATiling(f"piece {placement.piece} leaves the board at {cell}")
            if cell in bare:
                raise NotATiling(
                    f"piece {placement.piece} covers {board.label(cell)} {cell}, "
                    "which must stay uncovered"
                )
            if cell in owner:
                raise NotATiling(
                    f"pieces {owner[cell]} and {placement.piece} both cover "
                    f"{board.label(cell)} {cell}"
                )
            owner[cell] = placement.piece


def check_placed(instance: Instance, placements: Sequence[Placement]) -> None:
    """Raise `NotATiling` unless every piece that is placed already lies there."""
    equal = {piece.name: pieces for pieces in instance.puzzle.piece_classes for piece in pieces}
    lying = {placement.cells: placement.piece for placement in placements}
    for placed in instance.placed:
        there = lying.get(placed.cells)
        if there is None or equal[there] != equal[placed.piece]:
            raise NotATiling(f"piece {placed.piece} is not where it was placed")


def check_whole(instance: Instance, placements: Sequence[Placement], labels: Sequence[str]) -> None:
    """Raise `NotATiling` unless all pieces are used and all cells are covered."""
    used = {placement.piece for placement in placements}
    left = [piece.name for piece in instance.puzzle.pieces if piece.name not in used]
    if left:
        raise NotATiling(f"no placement for piece {listed(left)}")
    covered = {cell for placement in placements for cell in placement.cells}
    board = instance.puzzle.board
    bare = board.labelled(labels)
    for cell in board.cells:
        if cell not in covered and cell not in bare:
            raise NotATiling(f"cell {board.label(cell)} {cell} is not covered")
