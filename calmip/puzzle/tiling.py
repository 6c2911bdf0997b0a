"""Packings and tilings: verified against the instance, cell by cell, when made.

The checks use the instance alone: neither the exact cover, nor a model, nor a solver's
answer. Many tilings of one instance are verified by bit masks, and a sample cell by cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from calmip._base.errors import NotATiling, join_words, short_repr
from calmip.mip.display import Drawable
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell


def check_labels(instance: Instance, labels: Sequence[str]) -> None:
    """Raise `NotATiling` unless the labels are the instance's and one of each free group."""
    groups = instance.puzzle.groups
    missing = [label for label in instance.labels if label not in labels]
    if missing:
        raise NotATiling(f"the tiling does not leave {join_words(missing)} uncovered")
    chosen = [label for label in labels if label not in instance.labels]
    for group in instance.free:
        members = [label for label in chosen if label in groups[group]]
        if len(members) != 1:
            raise NotATiling(f"exactly one {group} stays uncovered, not {join_words(members)}")
    if len(chosen) != len(instance.free) or len(set(labels)) != len(labels):
        raise NotATiling(f"the tiling uncovers {join_words(labels)}, which is not asked for")


def check_pieces(instance: Instance, placements: Sequence[Placement]) -> None:
    """Raise `NotATiling` unless each piece is the puzzle's, of its shape, and used once."""
    puzzle = instance.puzzle
    left = {piece.name: piece for piece in puzzle.pieces}
    for placement in placements:
        piece = left.pop(placement.piece, None)
        if piece is None:
            known = any(placement.piece == piece.name for piece in puzzle.pieces)
            fault = "is used twice" if known else "is not a piece of the puzzle"
            raise NotATiling(f"piece {placement.piece} {fault}")
        if puzzle.board.lattice.normal_form(placement.cells) not in piece.orientations(
            flip=puzzle.flip
        ):
            raise NotATiling(
                f"the cells {join_words(placement.cells)} do not have the shape of "
                f"piece {placement.piece}"
            )


def check_cells(instance: Instance, placements: Sequence[Placement], labels: Sequence[str]) -> None:
    """Raise `NotATiling` if a cell is covered twice, revealed or off the board."""
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
    """Raise `NotATiling` unless every placed piece of the instance, or an equal one, is there."""
    first = instance.puzzle.first_equal
    found = {(first[placement.piece], placement.cells) for placement in placements}
    for placed in instance.placed:
        if (first[placed.piece], placed.cells) not in found:
            raise NotATiling(f"piece {placed.piece} is not where it was placed")


def check_numbers(instance: Instance, placements: Sequence[Placement]) -> None:
    """Raise `NotATiling` unless the pieces that must be used are, and as many as stated."""
    puzzle = instance.puzzle
    used = Counter(puzzle.first_equal[placement.piece] for placement in placements)
    missing = [
        piece.name
        for pieces in puzzle.piece_classes
        for piece in pieces[used[pieces[0].name] :]
        if not piece.optional
    ]
    if missing:
        raise NotATiling(f"no placement for piece {join_words(missing)}")
    if puzzle.use and len(placements) != puzzle.use:
        raise NotATiling(f"{len(placements)} pieces are placed, and {puzzle.use} are used")


def check_choice(instance: Instance, placements: Sequence[Placement], area: int) -> None:
    """Raise `NotATiling` unless a choice of the pieces has these and an area."""
    puzzle = instance.puzzle
    if not puzzle.optional:
        return
    used = Counter(puzzle.first_equal[placement.piece] for placement in placements)
    numbers = puzzle.areas_with(used).get(area, frozenset())
    if puzzle.use not in (None, *numbers) or not numbers:
        names = join_words(placement.piece for placement in placements)
        among = f"no {puzzle.use or 'choice of the'} pieces with {names} among them"
        raise NotATiling(f"{among} cover {area} cells")


def left_out(instance: Instance, placements: Iterable[Placement]) -> tuple[str, ...]:
    """Return the names of the pieces that may be left out and are, in the puzzle's order.

    Of equal pieces, of which some may be left out, all may be.
    """
    puzzle = instance.puzzle
    if not puzzle.optional:
        return ()
    used = {placement.piece for placement in placements}
    first = {puzzle.first_equal[piece.name] for piece in puzzle.optional}
    return tuple(
        piece.name
        for piece in puzzle.pieces
        if piece.name not in used and puzzle.first_equal[piece.name] in first
    )


TILINGS_PER_SAMPLE = 1000
"""Of this many tilings that are verified by bit masks, one is also verified cell by cell."""


@dataclass(frozen=True)
class Packing:
    """Pieces on a board that do not overlap; making one verifies it against the instance.

    Parameters
    ----------
    instance
        The instance.
    placements
        At most one placement per piece, in any order; kept in the order of their cells.
        Equal pieces are renamed in that order: the same picture is the same packing.
    labels
        The labels that stay uncovered, in any order; kept in the instance's order, or in
        that of the puzzle's groups if some are free.

    Raises
    ------
    NotATiling
        If a cell is covered twice, revealed or off the board, or a piece is repeated, of
        another shape, or not where the instance has placed it. If pieces may be left out, also if
        no allowed choice with these pieces has the area of the cells to cover.
    """

    instance: Instance = field(compare=False, repr=False)
    placements: tuple[Placement, ...]
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        labels = " ".join(self.labels)
        where = f"{self.instance.puzzle.name}, {labels or '-'}"
        return short_repr(self, f"{where}: {len(self.placements)} pieces")

    def __post_init__(self) -> None:
        placements = [
            Placement(p.piece, tuple(sorted((r, c) for r, c in p.cells))) for p in self.placements
        ]
        placements.sort(key=lambda placement: placement.cells)
        object.__setattr__(self, "placements", tuple(placements))
        check_labels(self.instance, self.labels)
        check_pieces(self.instance, self.placements)
        check_cells(self.instance, self.placements, self.labels)
        self._check_whole()
        check_placed(self.instance, self.placements)
        # Equality is of pictures, in whatever order a solver returns them.
        object.__setattr__(self, "labels", self._ordered_labels())
        object.__setattr__(self, "placements", self._named_placements())

    def _ordered_labels(self) -> tuple[str, ...]:
        """Return the labels in the instance's order, or the groups' order if some are free."""
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
        """Return the placements with equal pieces named in order, except those already placed."""
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
        """Raise `NotATiling` if something is missing; a packing may be incomplete."""
        board = self.instance.puzzle.board
        area = len(board.cells) - len(board.labelled(self.labels))
        check_choice(self.instance, self.placements, area)

    @classmethod
    def from_options(
        cls, cover: ExactCover, options: Iterable[int], instance: Instance | None = None
    ) -> Self:
        """Return the packing or tiling of some options, verified against an instance.

        Parameters
        ----------
        cover, options
            The exact cover, and the numbers of its options.
        instance
            By default the cover's; another may reveal labels that the cover leaves free.

        Raises
        ------
        NotATiling
            If an option is unknown, or the options are not a packing or tiling.
        """
        numbers = list(options)
        for number in numbers:
            if not 0 <= number < cover.columns:
                raise NotATiling(f"there is no option {number}; they count from 0 on")
        chosen = [cover.option(number) for number in numbers]
        placed = [one for one in chosen if isinstance(one, Placement) and one.cells]
        placed.sort(key=lambda placement: placement.cells)
        names = {
            pieces[0].name: iter([piece.name for piece in pieces])
            for pieces in cover.instance.puzzle.piece_classes
        }
        placements = [Placement(next(names[p.piece], p.piece), p.cells) for p in placed]
        labels = list(cover.instance.labels)
        labels.extend(option.label for option in chosen if isinstance(option, Reveal))
        return cls(instance or cover.instance, tuple(placements), tuple(labels))

    def options(self, cover: ExactCover) -> list[int]:
        """Return the options of an exact cover that make this tiling, ascending."""
        first, numbers = cover.instance.puzzle.first_equal, cover.number_of
        keys: list[tuple[str, object]] = [(first[p.piece], p.cells) for p in self.placements]
        keys += [("", label) for label in self.labels]
        found = [numbers[key] for key in keys if key in numbers]
        left = cover.leaving(Counter(first[one.piece] for one in self.placements))
        found += [cover.option_number[name] for name in left if name in cover.option_number]
        return sorted(found)

    @cached_property
    def reveal(self) -> dict[str, str | list[str]]:
        """The uncovered labels by group, or under ``labels``; see `Instance.reveal_of`."""
        return self.instance.reveal_of(self.labels)

    @cached_property
    def left(self) -> tuple[str, ...]:
        """The names of the pieces that may be left out and are, in the puzzle's order."""
        return left_out(self.instance, self.placements)

    @cached_property
    def backs(self) -> tuple[str, ...]:
        """The names of the pieces with two colours whose back is up, in the puzzle's order."""
        cells = {placement.piece: placement.cells for placement in self.placements}
        return tuple(
            piece.name
            for piece in self.instance.puzzle.two_sided
            if piece.name in cells and piece.is_over(cells[piece.name])
        )

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


@dataclass(frozen=True, repr=False)
class Tiling(Packing, Drawable):
    """A solution of an instance: a `Packing` that covers all cells.

    It has all pieces but those that may be left out.

    Raises
    ------
    NotATiling
        If it is not a packing, a piece is missing, the number of pieces is not the one stated,
        or a cell is not covered.
    """

    def _check_whole(self) -> None:
        check_numbers(self.instance, self.placements)
        board = self.instance.puzzle.board
        filled = {cell for placement in self.placements for cell in placement.cells}
        filled.update(board.labelled(self.labels))
        for cell in board.cells:
            if cell not in filled:
                raise NotATiling(f"cell {board.label(cell)} {cell} is not covered")


class Verifier:
    """A maker of verified tilings from options of an exact cover, thousands a second.

    An option is verified once, cell by cell, as a packing of one piece; then it is a bit
    mask of the board's cells. The masks of a tiling must be disjoint and contain all cells
    to cover. Every piece, free group and placed piece must occur as often as the instance
    requires. The items of the cover are not used. The first tiling of each choice of
    labels, and every thousandth, is also verified cell by cell.
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
        self._placed = {one.cells: one.piece for one in instance.placed}
        kept = set(self._placed.values())
        self._names = [
            [piece.name for piece in pieces if piece.name not in kept]
            for pieces in puzzle.piece_classes
        ]
        # One counter for each kind of piece, each free group, and the placed pieces.
        self._number = len(puzzle.pieces) + len(instance.free)
        self._width = self._number.bit_length() + 1
        self._most = [
            *map(len, puzzle.piece_classes),
            *(1 for _ in instance.free),
            len(self._placed),
        ]
        self._least = [
            sum(not piece.optional for piece in pieces) for pieces in puzzle.piece_classes
        ] + self._most[len(puzzle.piece_classes) :]
        # The counters that were compared with these numbers.
        self._fits: dict[int, bool] = {}
        self._known: dict[int, _Known] = {}
        self._labels: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._count = 0

    def tiling(self, options: Sequence[int]) -> Tiling:
        """Return the tiling of some options; raise `NotATiling` if they make none."""
        known = self._known
        taken, used = self._bare, 0
        chosen = []
        for number in options:
            one = known.get(number) or self._learn(number)
            if taken & one[1]:
                return self._in_full(options, None)
            taken |= one[1]
            used += one[2]
            if one[1]:
                chosen.append(one)
        if taken != self._whole or len(chosen) > self._number or not self._numbers_fit(used):
            return self._in_full(options, None)
        chosen.sort()
        free = len(self._instance.free)
        key = tuple([one[0] for one in chosen[:free]])
        self._count += 1
        labels = self._labels.get(key)
        tiling: Tiling = object.__new__(Tiling)
        # Its constructor would verify it once more.
        object.__setattr__(tiling, "instance", self._instance)
        object.__setattr__(tiling, "placements", self._placements(chosen[free:]))
        object.__setattr__(tiling, "labels", labels)
        if labels is None or self._count % TILINGS_PER_SAMPLE == 0:
            full = self._in_full(options, tiling)
            self._labels[key] = full.labels
            return full
        return tiling

    def options(self, placements: Iterable[Placement], labels: Iterable[str]) -> list[int]:
        """Return the options of placements and labels, ascending; `KeyError` if one is missing."""
        first, numbers = self._instance.puzzle.first_equal, self._cover.number_of
        placements = tuple(placements)
        found = [numbers[first[one.piece], one.cells] for one in placements]
        left = self._cover.leaving(Counter(first[one.piece] for one in placements))
        found += [self._cover.option_number[name] for name in left]
        fixed = self._instance.labels
        return sorted([*found, *(numbers["", label] for label in labels if label not in fixed)])

    def _placements(self, chosen: Iterable[_Known]) -> tuple[Placement, ...]:
        """Return the placements of options in order, with equal pieces named in that order."""
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
        """Verify an option by itself, and return its masks and counters."""
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
        elif not option.cells:
            kind = self._kind[option.piece]
            if self._least[kind] == self._most[kind]:
                raise NotATiling(f"piece {option.piece} may not be left out")
            known = (0, 0, 0, (), -1, {})
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
                used += 1 << self._width * (len(self._most) - 1)
                kind, named = -1, {0: Placement(name, cells)}
            elif len(self._names[kind]) == 1:
                named = {0: Placement(self._names[kind][0], cells)}
                kind = -1
            known = (self._place[cells[0]], self._mask(cells), used, cells, kind, named)
        self._known[number] = known
        return known

    def _numbers_fit(self, used: int) -> bool:
        """Return whether the counters allow every piece, free group and placed piece."""
        if used not in self._fits:
            digit = (1 << self._width) - 1
            numbers = [used >> self._width * at & digit for at in range(len(self._most))]
            use = self._instance.puzzle.use
            self._fits[used] = all(
                low <= number <= high
                for low, number, high in zip(self._least, numbers, self._most, strict=True)
            ) and use in (None, sum(numbers[: len(self._names)]))
        return self._fits[used]

    def _mask(self, cells: Iterable[Cell]) -> int:
        return sum(1 << self._place[cell] for cell in cells)

    def _in_full(self, options: Sequence[int], tiling: Tiling | None) -> Tiling:
        """Return the tiling of some options, verified cell by cell and equal to the given one."""
        full = Tiling.from_options(self._cover, options)
        if tiling is None or tiling.placements != full.placements:
            raise NotATiling("two checks of a tiling disagree; report this")
        return full


_Known = tuple[int, int, int, tuple[Cell, ...], int, dict[int, Placement]]
"""Of an option: its rank, its cells as bits, its share of the counters, its cells, its kind
if there are equal pieces, or else -1, and its placements by the rank of the equal piece."""
