"""Packings and tilings: checked against the instance, cell by cell, when made.

The checks know the instance alone: nothing of the exact cover, of a model, or of what a
solver said. Many tilings of one instance are checked by bit masks, and some of them cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from calmip.errors import NotATiling, listed
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import Cell, normalised
from calmip.problem.shown import Drawn

__all__ = [
    "Packing",
    "Tiling",
    "Verifier",
    "check_labels",
]


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


SAMPLE = 1000
"""Of so many tilings that are checked by bit masks, one is checked cell by cell as well."""


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


class Verifier:
    """Makes tilings from options of an exact cover, many thousands a second, each verified.

    An option is checked once, cell by cell, as a packing of one piece. From then on it
    is a set of cells of the puzzle's board, as a bit mask. Of a tiling it is checked that
    no two masks have a cell in common, that together they are all cells to cover, and
    that every piece, every free group and every piece that was placed is there as often
    as the instance asks for. Nothing of that rests on the items of the cover. The first
    tiling of each choice of labels and every thousandth are checked cell by cell too,
    and compared.

    Parameters
    ----------
    cover
        The exact cover whose options are chosen.
    """

    def __init__(self, cover: ExactCover) -> None:
        instance = cover.instance
        puzzle, board = instance.puzzle, instance.puzzle.board
        self._cover, self._instance = cover, instance
        self._place = {cell: place for place, cell in enumerate(sorted(board.cells))}
        self._bare = self._mask(board.labelled(instance.labels))
        self._whole = self._mask(board.cells)
        self._kind = {
            piece.name: kind for kind, pieces in enumerate(puzzle.piece_classes) for piece in pieces
        }
        self._first = {piece.name: pieces[0].name for pieces in puzzle.piece_classes
                       for piece in pieces}  # fmt: skip
        self._placed = {one.cells: one.piece for one in instance.placed}
        kept = set(self._placed.values())
        self._names = [
            [piece.name for piece in pieces if piece.name not in kept]
            for pieces in puzzle.piece_classes
        ]
        # A counter for each kind of piece, each free group, and the pieces that were placed.
        self._number = len(puzzle.pieces) + len(instance.free)
        self._width = self._number.bit_length() + 1
        numbers = [*map(len, puzzle.piece_classes), *(1 for _ in instance.free), len(self._placed)]
        self._used = sum(number << self._width * at for at, number in enumerate(numbers))
        self._counters = len(numbers)
        self._known: dict[int, _Known] = {}
        self._labels: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._count = 0

    def tiling(self, options: Sequence[int]) -> Tiling:
        """Return the tiling that a choice of options makes.

        Raises
        ------
        NotATiling
            If it makes none.
        """
        known = self._known
        taken, used = self._bare, 0
        chosen = []
        for number in options:
            one = known.get(number) or self._learn(number)
            if taken & one[1]:
                return self._in_full(options, None)
            taken |= one[1]
            used += one[2]
            chosen.append(one)
        if taken != self._whole or used != self._used or len(chosen) != self._number:
            return self._in_full(options, None)
        chosen.sort()
        free = len(self._instance.free)
        key = tuple([one[0] for one in chosen[:free]])
        self._count += 1
        labels = self._labels.get(key)
        tiling: Tiling = object.__new__(Tiling)
        # Not through its constructor, which would check once more.
        object.__setattr__(tiling, "instance", self._instance)
        object.__setattr__(tiling, "placements", self._placements(chosen[free:]))
        object.__setattr__(tiling, "labels", labels)
        if labels is None or self._count % SAMPLE == 0:
            full = self._in_full(options, tiling)
            self._labels[key] = full.labels
            return full
        return tiling

    def options(self, placements: Iterable[Placement], labels: Iterable[str]) -> list[int]:
        """Return the options that make the placements of a tiling, ascending.

        Raises
        ------
        KeyError
            If the cover has not all of them.
        """
        first = self._first
        found = [self._number_of[first[one.piece], one.cells] for one in placements]
        fixed = self._instance.labels
        found += [self._number_of["", label] for label in labels if label not in fixed]
        return sorted(found)

    @cached_property
    def _number_of(self) -> dict[tuple[str, object], int]:
        """The number of an option by its piece and cells, or by its label."""
        found: dict[tuple[str, object], int] = {}
        for number in range(self._cover.columns):
            option = self._cover.option(number)
            if isinstance(option, Placement):
                found[option.piece, option.cells] = number
            else:
                found["", option.label] = number
        return found

    def _placements(self, chosen: Iterable[_Known]) -> tuple[Placement, ...]:
        """Return placements in the order of their cells, equal pieces named in that order."""
        found = []
        turn: dict[int, int] = {}
        for _, _, _, cells, kind, named in chosen:
            rank = 0
            if kind >= 0:
                rank = turn.get(kind, 0)
                turn[kind] = rank + 1
            one = named.get(rank)
            if one is None:
                one = named[rank] = Placement(self._names[kind][rank], cells)
            found.append(one)
        return tuple(found)

    def _learn(self, number: int) -> _Known:
        """Check an option by itself, and return what is needed of it."""
        cover, instance = self._cover, self._instance
        if not 0 <= number < cover.columns:
            raise NotATiling(f"there is no option {number}; they count from 0 on")
        option = cover.option(number)
        if isinstance(option, Reveal):
            groups, group = instance.puzzle.groups, option.group
            if group not in instance.free or option.label not in groups[group]:
                raise NotATiling(f"option {number} uncovers {option.label}, which is not asked for")
            mask = self._mask(instance.puzzle.board.labels[option.label])
            at = len(self._names) + instance.free.index(group)
            # Before all placements, in the order of the options.
            known: _Known = (number - cover.columns, mask, 1 << self._width * at, (), -1, {})
        else:
            cells = tuple(sorted(option.cells))
            one = Placement(option.piece, cells)
            check_pieces(instance, [one])
            check_cells(instance, [one], instance.labels)
            kind = self._kind[option.piece]
            used = 1 << self._width * kind
            name = self._placed.get(cells)
            named: dict[int, Placement] = {}
            if name is not None and self._kind[name] == kind:
                used += 1 << self._width * (self._counters - 1)
                kind, named = -1, {0: Placement(name, cells)}
            elif len(self._names[kind]) == 1:
                named = {0: Placement(self._names[kind][0], cells)}
                kind = -1
            known = (self._place[cells[0]], self._mask(cells), used, cells, kind, named)
        self._known[number] = known
        return known

    def _mask(self, cells: Iterable[Cell]) -> int:
        return sum(1 << self._place[cell] for cell in cells)

    def _in_full(self, options: Sequence[int], tiling: Tiling | None) -> Tiling:
        """Return the tiling of some options, checked cell by cell, which must be the one given."""
        full = Tiling.from_options(self._cover, options)
        if tiling is None or tiling.placements != full.placements:
            raise NotATiling("two checks of a tiling disagree; please report this")
        return full


_Known = tuple[int, int, int, tuple[Cell, ...], int, dict[int, Placement]]
"""Of an option: its place in the order, its cells as bits, what it adds to the counters, its
cells, its kind if there are equal pieces to tell apart, or else -1, and its placement by name."""
