"""Puzzles: a board, pieces and reveal groups; frozen data, checked when it is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from calmip._base.errors import InputError, clip, errors_at, join_words, short_repr
from calmip.mip.display import Drawable
from calmip.puzzle.board import Board, Piece, label_of
from calmip.puzzle.dates import GROUPS, missing_labels, real_dates, usual_groups
from calmip.puzzle.lattice import Cell, Shape

MAX_PIECES = 500
MAX_GROUP_CHARACTERS = 60


@dataclass(frozen=True)
class Puzzle(Drawable):
    """A board, pieces and reveal groups.

    Parameters
    ----------
    name, board
        The puzzle's name for people, and its board.
    pieces
        The pieces; names are unique, shapes may repeat.
    groups
        The labels of every reveal group, in calendar order; one of each stays uncovered.
    flip
        Whether pieces may be turned over.
    no_flip_pieces
        The same pieces, in any order, with the side up that they show without flips.
    use
        How many pieces a tiling uses, if some may be left out; if no piece is optional, all are
        then.
    id, note, sources, counts
        Facts about the puzzle, not interpreted.

    Raises
    ------
    InputError
        If names repeat, a group has labels that are not on the board, a piece fits nowhere
        on the empty board, or ``no_flip_pieces`` are other pieces than ``pieces``.
    """

    name: str
    board: Board
    pieces: tuple[Piece, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    flip: bool = True
    no_flip_pieces: tuple[Piece, ...] = ()
    use: int | None = None
    id: str = ""
    note: str = ""
    sources: tuple[str, ...] = ()
    counts: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        sizes = f"{len(self.board.cells)} cells, {len(self.pieces)} pieces"
        return short_repr(self, f"{self.name}: {sizes}")

    def __post_init__(self) -> None:
        groups = {group: tuple(map(label_of, labels)) for group, labels in self.groups.items()}
        object.__setattr__(self, "groups", groups)
        if self.use is not None and not any(piece.optional for piece in self.pieces):
            pieces = tuple(replace(piece, optional=True) for piece in self.pieces)
            object.__setattr__(self, "pieces", pieces)
        self._check_pieces()
        self._check_use()
        self._check_no_flip_pieces()
        self._check_groups()

    def _check_pieces(self) -> None:
        if not self.pieces:
            raise InputError("a puzzle needs at least one piece", where=("pieces",))
        if len(self.pieces) > MAX_PIECES:
            raise InputError(f"{len(self.pieces)} pieces; at most {MAX_PIECES}", where=("pieces",))
        seen: set[str] = set()
        covered = 0
        for number, piece in enumerate(self.pieces):
            with errors_at("pieces", number):
                if piece.name in seen:
                    raise InputError(f"two pieces are called {piece.name}")
                seen.add(piece.name)
                size = len(piece.cells)
                if not self._fits(piece):
                    raise InputError(f"piece {piece.name} ({size} cells) fits nowhere on the board")
                covered += size * (not piece.optional)
                # This precedes the slow checks: thousands of cells take long to try.
                if covered > len(self.board.cells):
                    raise InputError(
                        f"the pieces{' that are not optional' * bool(self.optional)} cover "
                        f"{sum(len(piece.cells) for piece in self.needed)} cells, and the board "
                        f"has only {len(self.board.cells)}{self.area_remedy(self._least_area())}"
                    )

    def _check_use(self) -> None:
        """Raise `InputError` unless ``use`` pieces can be used, and at least one is left out."""
        most, least = len(self.pieces), len(self.needed)
        if self.use is not None and not max(1, least) <= self.use < most:
            needed = f", and {least} of them are not optional" if least else ""
            remedy = f"; write a number from {max(1, least)} to {most - 1}"
            if most in (self.use, 1):
                remedy = "; leave out the key 'use'"
            raise InputError(
                f"use is {self.use}, and the puzzle has {most} pieces{needed}{remedy}",
                where=("use",),
            )

    def _least_area(self) -> int:
        """Return the number of cells to cover if the smallest label of each group is revealed."""
        labels = self.board.labels
        return len(self.board.cells) - sum(
            min(len(labels.get(label, ())) for label in group)
            for group in self.groups.values()
            if group
        )

    def _check_groups(self) -> None:
        owner: dict[str, str] = {}
        for group, labels in self.groups.items():
            with errors_at("groups", group):
                if not 1 <= len(group) <= MAX_GROUP_CHARACTERS or not group.isprintable():
                    raise InputError(
                        f"a group's name has 1 to {MAX_GROUP_CHARACTERS} printable characters, not "
                        f"'{clip(group)}'"
                    )
                if not labels:
                    raise InputError(f"group {group} has no label")
                for label in labels:
                    if label not in self.board.labels:
                        raise InputError(
                            f"group {group} names {clip(label)}, which is not on the board; "
                            f"its labels are {join_words(self.board.labels)}"
                        )
                    if label in owner:
                        raise InputError(
                            f"label {label} is in group {owner[label]} already and cannot be "
                            f"in group {group}"
                        )
                    owner[label] = group

    def _check_no_flip_pieces(self) -> None:
        """Raise `InputError` unless they are the pieces, or their mirror images."""
        if not self.no_flip_pieces:
            return
        ways = {piece.name: piece.orientations(flip=True) for piece in self.pieces}
        seen: set[str] = set()
        for number, piece in enumerate(self.no_flip_pieces):
            name = piece.name
            with errors_at("no_flip_pieces", number):
                if name in seen or name not in ways:
                    known = "twice" if name in seen else "which is not among the pieces"
                    raise InputError(f"no_flip_pieces has a piece {name}, {known}")
                seen.add(name)
                if piece.cells not in ways[name]:
                    fault = f"is neither the piece {name} nor its mirror image"
                    if name in self.rules:
                        fault = "lies otherwise than under pieces, where a rule forbids that"
                    raise InputError(f"no_flip_pieces: piece {name} {fault}")
        missing = [piece.name for piece in self.pieces if piece.name not in seen]
        if missing:
            fault = f"no_flip_pieces lacks {join_words(missing)}; it has all pieces or none"
            raise InputError(fault, where=("no_flip_pieces",))

    def _fits(self, piece: Piece) -> bool:
        return any(
            self._on_board.issuperset(self.board.lattice.moved(shape, cell))
            for shape in piece.orientations(flip=self.flip)
            for cell in self.board.lattice.alike(shape[0], self.board.cells)
        )

    @cached_property
    def _on_board(self) -> frozenset[Cell]:
        return frozenset(self.board.cells)

    @cached_property
    def area(self) -> int:
        """The number of cells that the pieces cover together."""
        return sum(len(piece.cells) for piece in self.pieces)

    @property
    def needed(self) -> tuple[Piece, ...]:
        """The pieces that every tiling uses."""
        return tuple(piece for piece in self.pieces if not piece.optional)

    @property
    def optional(self) -> tuple[Piece, ...]:
        """The pieces that may be left out."""
        return tuple(piece for piece in self.pieces if piece.optional)

    @cached_property
    def areas(self) -> dict[int, frozenset[int]]:
        """The areas that a choice of the pieces covers, each with the numbers of its pieces."""
        return self.areas_with({})

    def areas_with(self, used: Mapping[str, int]) -> dict[int, frozenset[int]]:
        """Return the areas of the choices that have these pieces, with the numbers of pieces.

        Parameters
        ----------
        used
            How many pieces of each class are used, by the name of its first piece.
        """
        area, number, spare = 0, 0, []
        for pieces in self.piece_classes:
            needed = sum(not piece.optional for piece in pieces)
            needed = max(needed, used.get(pieces[0].name, 0))
            area += needed * len(pieces[0].cells)
            number += needed
            spare += [len(pieces[0].cells)] * (len(pieces) - needed)
        # The numbers of pieces are the bits of one number.
        found = {area: 1 << number}
        for size in spare:
            for before, numbers in sorted(found.items(), reverse=True):
                after = before + size
                if after <= len(self.board.cells):
                    found[after] = found.get(after, 0) | numbers << 1
        return {
            area: frozenset(n for n in range(len(self.pieces) + 1) if numbers >> n & 1)
            for area, numbers in found.items()
        }

    def area_remedy(self, left: int) -> str:
        """Return the remedy, for a message, if the pieces must cover ``left`` cells."""
        over = self.area - left
        if self.optional:
            return ""
        if over < 0:
            return f"; {-over} cell{'s have' if over < -1 else ' has'} no piece"
        spare = [piece.name for piece in self.pieces if len(piece.cells) == over]
        return f"; leave out {'one of ' * (len(spare) > 1)}{join_words(spare)}" if spare else ""

    @cached_property
    def piece_classes(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces, equal ones together, in order of first appearance.

        Two pieces are equal if a motion that the puzzle allows maps one onto the other. Those that
        may be left out are the last of the equal ones, so that a tiling uses them last.
        """
        classes: dict[tuple[Shape, ...], list[Piece]] = {}
        for piece in self.pieces:
            classes.setdefault(piece.orientations(flip=self.flip), []).append(piece)
        return tuple(
            tuple(sorted(pieces, key=lambda piece: piece.optional)) for pieces in classes.values()
        )

    @cached_property
    def first_equal(self) -> dict[str, str]:
        """The name of the first equal piece, by the name of each piece."""
        return {piece.name: pieces[0].name for pieces in self.piece_classes for piece in pieces}

    @property
    def rules(self) -> dict[str, dict[str, bool]]:
        """The `Piece.rules` of the pieces that have some, by name."""
        return {piece.name: piece.rules for piece in self.pieces if piece.rules}

    @property
    def two_sided(self) -> tuple[Piece, ...]:
        """The pieces whose sides have two colours."""
        return tuple(piece for piece in self.pieces if piece.back not in ("", piece.colour))

    @cached_property
    def piece_rules(self) -> tuple[str, ...]:
        """Clauses on the pieces that may not be turned as the others may, or may be left out."""
        over = [one.name for one in self.pieces if self.flip and one.rotate and not one.flip]
        fixed = [one.name for one in self.pieces if not one.rotate]
        left = [one.name for one in self.optional]
        clauses = [
            f"{join_words(names)} may {what}"
            for names, what in (
                (over, "not be turned over"),
                (fixed, "not be turned at all"),
                (left if self.needed else (), "be left out"),
            )
            if names
        ]
        if left and (self.use or not self.needed):
            number = f"any {self.use}" if self.use else "any"
            clauses.append(f"{number} of the {len(self.pieces)} pieces are used")
        return tuple(clauses)

    @cached_property
    def large_labels(self) -> dict[str, str]:
        """A warning for each label with more cells than most of its group, by label."""
        cells, found = self.board.labels, {}
        for group, labels in self.groups.items():
            sizes = Counter(len(cells[label]) for label in labels)
            usual, number = max(sizes.items(), key=lambda pair: pair[1])
            for label in labels:
                if len(cells[label]) > usual and 2 * number > len(labels):
                    found[label] = (
                        f"label {label} stands in {len(cells[label])} cells, "
                        f"{join_words(cells[label])}, and most labels of group {group} in {usual}; "
                        "if it was typed twice, correct the grid"
                    )
        return found

    def label_faults(self) -> list[str]:
        """Return warnings about large labels, missing labels, and labels in no group."""
        faults = list(self.large_labels.values())
        try:
            missing = missing_labels(self.groups)
        except InputError as error:
            return [*faults, error.message]
        for group, names in missing.items():
            faults.append(f"group {group} has no {join_words(names, most=8)}")
        owned = {label for labels in self.groups.values() for label in labels}
        left = [label for label in self.board.labels if label not in owned]
        if left and self.groups:
            faults.append(f"{join_words(left, most=8)}: in no group, so that no date uncovers it")
        return faults

    def named_dates(self) -> dict[str, dict[str, str]]:
        """Return the labels of every date, by names of lower-case letters, digits and hyphens.

        Raises
        ------
        InputError
            If the puzzle has no groups to reveal, or one that is not a calendar group.
        """
        if not self.groups:
            raise InputError(f"{self.name} uncovers no labels, so it has no dates; export it alone")
        title = self.id or self.name
        stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "puzzle"
        stem += "" if self.flip else "-no-flip"
        return {f"{stem}-{name}": labels for name, labels in real_dates(self.groups).items()}

    def with_flip(self, flip: bool) -> Puzzle:
        """Return the puzzle with flips allowed, or forbidden and with its ``no_flip_pieces``."""
        if flip == self.flip:
            return self
        pieces = self.no_flip_pieces if self.no_flip_pieces and not flip else self.pieces
        own = {piece.name: piece for piece in self.pieces}
        pieces = tuple(_lying(own[one.name], one) for one in pieces)
        return replace(self, flip=flip, pieces=pieces)


class Supply(Puzzle):
    """A board and its groups with any pieces, whether they fit or not."""

    def _check_pieces(self) -> None:
        """Accept any pieces."""


def _lying(piece: Piece, other: Piece) -> Piece:
    """Return a piece on the cells of another, whose colours come first if it has some."""
    colours = (other.colour, other.back)
    if not other.colour:
        back = piece.back or piece.colour
        colours = (back, piece.colour) if piece.is_over(other.cells) else (piece.colour, piece.back)
    return replace(piece, cells=other.cells, colour=colours[0], back=colours[1])


def group_labels(
    board: Board, uncover: Sequence[str], given: Mapping[str, Sequence[str]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the labels of each group to uncover: as given, or else by their usual names."""
    given = given or {}
    usual = usual_groups([group for group in uncover if group not in given], board.labels)
    groups: dict[str, tuple[str, ...]] = {}
    for number, group in enumerate(uncover):
        if group in groups:
            raise InputError(f"group {clip(group)} is listed twice", where=("uncover", number))
        labels = tuple(given[group]) if group in given else usual[group]
        if not labels:
            known = f" (known by their usual names: {join_words(GROUPS)})"
            names = re.split(r"[\s,;]+", group)
            if len(names) > 1 and set(names) <= set(GROUPS):
                known = f"; put commas between the groups, as in [{', '.join(names)}]"
            raise InputError(
                f"no label on the board is a {clip(group)}{known}; "
                f"name them with groups: {{{clip(group)}: [LABEL, ...]}}",
                where=("uncover", number),
            )
        groups[group] = labels
    for group in given:
        if group not in groups:
            fault = f"groups names {clip(group)}, but uncover lists only {join_words(groups)}"
            raise InputError(fault, where=("groups", group))
    owned = {label_of(label) for labels in groups.values() for label in labels}
    left = [label for label in board.labels if label not in owned]
    if usual and left and owned <= set(board.labels):
        many = len(left) > 1
        if all(label[-1] in ",;|" for label in left):
            raise InputError(
                f"{join_words(left, most=12)}: the places of a row are separated by blanks alone",
                where=("grid",),
            )
        raise InputError(
            f"{join_words(left, most=12)} {'are' if many else 'is'} in no group by name, so that "
            f"no date uncovers {'them' if many else 'it'}; write the labels of a group in calendar "
            f"order, as in groups: {{{clip(next(iter(usual)))}: [LABEL, ...]}}, or * in the grid "
            "for a cell that is always covered",
            where=("uncover",),
        )
    return groups
