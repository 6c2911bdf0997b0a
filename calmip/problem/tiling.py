"""Packings and tilings: checked against the instance, cell by cell, when made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from calmip.errors import NotATiling
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.shown import Drawn
from calmip.problem.verification import (
    check_cells,
    check_labels,
    check_pieces,
    check_placed,
    check_whole,
)

__all__ = ["Packing", "Tiling"]


@dataclass(frozen=True)
class Packing:
    """Pieces on a board, none overlapping; making one verifies it.

    The check uses the instance alone, neither the arrays of the exact cover
    nor anything that a solver said.

    Parameters
    ----------
    instance
        The instance.
    placements
        At most one placement per piece, in any order; kept in the order of
        their cells. Equal pieces exchange their names so that the first of them
        comes first: the same picture is the same packing.
    labels
        The labels that stay uncovered, in any order; kept in the instance's
        order, or in that of the puzzle's groups if the instance leaves some free.

    Raises
    ------
    NotATiling
        If a cell is covered twice, a revealed or an off-board cell is covered,
        a piece is repeated or not of its shape, or one that the instance has
        placed lies elsewhere.
    """

    instance: Instance = field(compare=False, repr=False)
    placements: tuple[Placement, ...]
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        placements = tuple(
            sorted(
                (
                    Placement(p.piece, tuple(sorted((r, c) for r, c in p.cells)))
                    for p in self.placements
                ),
                key=lambda placement: placement.cells,
            )
        )
        object.__setattr__(self, "placements", placements)
        check_labels(self.instance, self.labels)
        check_pieces(self.instance, self.placements)
        check_cells(self.instance, self.placements, self.labels)
        self._check_whole()
        check_placed(self.instance, self.placements)
        # Equality is of pictures, whatever the order in which a solver tells them.
        object.__setattr__(self, "labels", self._ordered_labels())
        object.__setattr__(self, "placements", self._named_placements())

    def _ordered_labels(self) -> tuple[str, ...]:
        """Return the labels in the instance's order, or in that of the groups if some are free."""
        instance = self.instance
        if not instance.free:
            return instance.labels
        by_group = [
            label
            for members in instance.puzzle.groups.values()
            for label in members
            if label in self.labels
        ]
        return (*by_group, *(label for label in instance.labels if label not in by_group))

    def _named_placements(self) -> tuple[Placement, ...]:
        """Return the placements, equal pieces named in the order of their places.

        A piece that was placed keeps its name.
        """
        placed = {placement.cells: placement.piece for placement in self.instance.placed}
        kept = set(placed.values())
        names = {}
        for pieces in self.instance.puzzle.piece_classes:
            order = iter([piece.name for piece in pieces if piece.name not in kept])
            names.update({piece.name: order for piece in pieces})
        return tuple(
            Placement(placed.get(p.cells) or next(names[p.piece], p.piece), p.cells)
            for p in self.placements
        )

    def _check_whole(self) -> None:
        """Raise if something is missing that has to be there; nothing has to in a packing."""

    @classmethod
    def from_options(
        cls, cover: ExactCover, options: Iterable[int], instance: Instance | None = None
    ) -> Self:
        """Return what a choice of options makes; equal pieces are told apart by place.

        Parameters
        ----------
        cover
            The exact cover.
        options
            The numbers of the options chosen.
        instance
            What it is verified against: the cover's instance, unless another is meant that
            reveals labels which the cover leaves free.

        Raises
        ------
        NotATiling
            If the options make none.
        """
        numbers = list(options)
        for number in numbers:
            if not 0 <= number < cover.columns:
                raise NotATiling(f"there is no option {number}; they count from 0 on")
        chosen = [cover.option(number) for number in numbers]
        names = {
            pieces[0].name: iter([piece.name for piece in pieces])
            for pieces in cover.instance.puzzle.piece_classes
        }
        placements = []
        for placement in sorted(
            (option for option in chosen if isinstance(option, Placement)),
            key=lambda placement: placement.cells,
        ):
            name = next(names[placement.piece], placement.piece)
            placements.append(Placement(name, placement.cells))
        labels = list(cover.instance.labels)
        labels.extend(option.label for option in chosen if isinstance(option, Reveal))
        return cls(instance or cover.instance, tuple(placements), tuple(labels))

    def options(self, cover: ExactCover) -> list[int]:
        """Return the options of an exact cover of the instance that make this tiling, ascending."""
        first = {
            piece.name: pieces[0].name
            for pieces in cover.instance.puzzle.piece_classes
            for piece in pieces
        }
        wanted: set[tuple[str, object]] = {(first[p.piece], p.cells) for p in self.placements}
        wanted |= {("", label) for label in self.labels}
        found = []
        for number in range(cover.columns):
            option = cover.option(number)
            key = (
                (option.piece, option.cells)
                if isinstance(option, Placement)
                else ("", option.label)
            )
            if key in wanted:
                found.append(number)
        return found

    @cached_property
    def reveal(self) -> dict[str, str | list[str]]:
        """The uncovered labels by group, or under ``labels`` where the groups do not apply."""
        return self.instance.reveal_of(self.labels)

    @cached_property
    def owner(self) -> dict[Cell, str]:
        """The name of the piece on every covered cell."""
        return {cell: placement.piece for placement in self.placements for cell in placement.cells}

    @cached_property
    def missing(self) -> tuple[Cell, ...]:
        """The cells to cover that no piece covers, in row-major order."""
        board = self.instance.puzzle.board
        bare = board.labelled(self.labels)
        return tuple(cell for cell in board.cells if cell not in self.owner and cell not in bare)


@dataclass(frozen=True)
class Tiling(Packing, Drawn):
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
        check_whole(self.instance, self.placements, self.labels)
