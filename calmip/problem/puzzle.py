"""Puzzles: a board, pieces and reveal groups; frozen data, checked when it is made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from calmip.errors import InputError, listed, shown
from calmip.problem.board import Board, Piece, label_of
from calmip.problem.dates import GROUPS, missing_labels, real_dates, usual_groups
from calmip.problem.lattice import Cell, Shape
from calmip.problem.shown import Drawn

__all__ = ["Puzzle", "group_labels"]

MAX_PIECES = 500
MAX_GROUP = 60


@dataclass(frozen=True)
class Puzzle(Drawn):
    """A board, pieces, and the reveal groups: what one buys in a box.

    Parameters
    ----------
    name
        The puzzle's name for people.
    board
        The board.
    pieces
        The pieces; names are unique, shapes may repeat.
    groups
        For every reveal group its labels in calendar order. Exactly one
        label of each group stays uncovered.
    flip
        Whether pieces may be turned over.
    no_flip_pieces
        The same pieces, in any order, as they lie when they may not be
        turned over; for puzzles whose makers say so.
    id, note, sources, counts
        What is known about the puzzle; carried along, never interpreted.

    Raises
    ------
    InputError
        If names repeat, a group names labels that are not on the board, a
        piece fits nowhere on the empty board, or ``no_flip_pieces`` are other
        pieces than ``pieces``.
    """

    name: str
    board: Board
    pieces: tuple[Piece, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    flip: bool = True
    no_flip_pieces: tuple[Piece, ...] = ()
    id: str = ""
    note: str = ""
    sources: tuple[str, ...] = ()
    counts: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        groups = {group: tuple(map(label_of, labels)) for group, labels in self.groups.items()}
        object.__setattr__(self, "groups", groups)
        self._check_pieces()
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
            where = ("pieces", number)
            if piece.name in seen:
                raise InputError(f"two pieces are called {piece.name}", where=where)
            seen.add(piece.name)
            if not self._fits(piece):
                raise InputError(
                    f"piece {piece.name} ({len(piece.cells)} cells) fits nowhere on the board",
                    where=where,
                )
            covered += len(piece.cells)
            # Here and not at the end: thousands of cells need not be tried in vain.
            if covered > len(self.board.cells):
                labels = self.board.labels
                left = len(self.board.cells) - sum(
                    min(len(labels.get(label, ())) for label in group)
                    for group in self.groups.values()
                    if group
                )
                raise InputError(
                    f"the pieces cover {self.area} cells, and the board has only "
                    f"{len(self.board.cells)}{self.area_remedy(left)}",
                    where=where,
                )

    def _check_groups(self) -> None:
        owner: dict[str, str] = {}
        for group, labels in self.groups.items():
            where = ("groups", group)
            if not 1 <= len(group) <= MAX_GROUP or not group.isprintable():
                raise InputError(
                    f"a group's name has 1 to {MAX_GROUP} printable characters, not "
                    f"'{shown(group)}'",
                    where=where,
                )
            if not labels:
                raise InputError(f"group {group} has no label", where=where)
            for label in labels:
                if label not in self.board.labels:
                    raise InputError(
                        f"group {group} names {shown(label)}, which is not on the board; "
                        f"its labels are {listed(list(self.board.labels))}",
                        where=where,
                    )
                if label in owner:
                    raise InputError(
                        f"label {label} is in group {owner[label]} already and cannot be "
                        f"in group {group}",
                        where=where,
                    )
                owner[label] = group

    def _check_no_flip_pieces(self) -> None:
        """Without turning over, the same pieces lie on one of their two sides."""
        if not self.no_flip_pieces:
            return
        ways = {piece.name: piece.orientations(flip=True) for piece in self.pieces}
        seen: set[str] = set()
        for number, piece in enumerate(self.no_flip_pieces):
            where = ("no_flip_pieces", number)
            if piece.name in seen or piece.name not in ways:
                known = "twice" if piece.name in seen else "which is not among the pieces"
                raise InputError(f"no_flip_pieces has a piece {piece.name}, {known}", where=where)
            seen.add(piece.name)
            if piece.orientations(flip=True) != ways[piece.name]:
                raise InputError(
                    f"no_flip_pieces: piece {piece.name} is neither the piece {piece.name} "
                    "nor its mirror image",
                    where=where,
                )
        missing = [piece.name for piece in self.pieces if piece.name not in seen]
        if missing:
            raise InputError(
                f"no_flip_pieces lacks {listed(missing)}; it has all pieces or none",
                where=("no_flip_pieces",),
            )

    def _fits(self, piece: Piece) -> bool:
        return any(
            all((r + down, c + right) in self._on_board for down, right in shape)
            for shape in piece.orientations(flip=self.flip)
            for r, c in self.board.cells
        )

    @cached_property
    def _on_board(self) -> frozenset[Cell]:
        return frozenset(self.board.cells)

    @cached_property
    def area(self) -> int:
        """The number of cells that the pieces cover together."""
        return sum(len(piece.cells) for piece in self.pieces)

    def area_remedy(self, left: int) -> str:
        """Return which piece is one too many, or of which size one is missing, for a message.

        Parameters
        ----------
        left
            The number of cells that the pieces have to cover.
        """
        over = self.area - left
        if over < 0:
            return f"; {-over} cell{'s have' if over < -1 else ' has'} no piece"
        spare = [piece.name for piece in self.pieces if len(piece.cells) == over]
        return f"; leave out {'one of ' * (len(spare) > 1)}{listed(spare)}" if spare else ""

    @cached_property
    def piece_classes(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces, equal ones together, in order of first appearance.

        Two pieces are equal when the motions that the puzzle allows carry one
        into the other; they look the same in every picture.
        """
        classes: dict[tuple[Shape, ...], list[Piece]] = {}
        for piece in self.pieces:
            classes.setdefault(piece.orientations(flip=self.flip), []).append(piece)
        return tuple(map(tuple, classes.values()))

    @cached_property
    def large_labels(self) -> dict[str, str]:
        """What is odd about the labels that have more cells than most of their group, by label.

        A label may have several cells, and so may one that was typed twice.
        """
        cells, found = self.board.labels, {}
        for group, labels in self.groups.items():
            sizes = Counter(len(cells[label]) for label in labels)
            usual, number = max(sizes.items(), key=lambda pair: pair[1])
            for label in labels:
                if len(cells[label]) > usual and 2 * number > len(labels):
                    found[label] = (
                        f"label {label} stands in {len(cells[label])} cells, "
                        f"{listed(cells[label])}, and most labels of group {group} in {usual}; "
                        "if it was typed twice, correct the grid"
                    )
        return found

    def label_faults(self) -> list[str]:
        """Return what is odd about the labels of the groups, a sentence each; usually nothing.

        Labels with more cells than the others, labels that a calendar has and the board
        has not, and labels in no group, which no date uncovers.
        """
        faults = list(self.large_labels.values())
        try:
            missing = missing_labels(self.groups)
        except InputError as error:
            return [*faults, error.message]
        for group, names in missing.items():
            faults.append(f"group {group} has no {listed(names, most=8)}")
        owned = {label for labels in self.groups.values() for label in labels}
        left = [label for label in self.board.labels if label not in owned]
        if left and self.groups:
            faults.append(f"{listed(left, most=8)}: in no group, so that no date uncovers it")
        return faults

    def named_dates(self) -> dict[str, dict[str, str]]:
        """Return the labels of every real date, under a name for the files of each.

        The names are made of lower-case letters, digits and hyphens, whatever
        the puzzle is called.

        Raises
        ------
        InputError
            If the puzzle has no groups to reveal, or one that no date settles.
        """
        if not self.groups:
            raise InputError(f"{self.name} reveals nothing, so it has no dates; export it alone")
        title = self.id or self.name
        stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "puzzle"
        stem += "" if self.flip else "-no-flip"
        return {f"{stem}-{name}": labels for name, labels in real_dates(self.groups).items()}

    def with_flip(self, flip: bool) -> Puzzle:
        """Return the puzzle with turning over allowed or forbidden.

        Forbidding it uses the handedness that the puzzle states, where it does.
        """
        if flip == self.flip:
            return self
        pieces = self.no_flip_pieces if self.no_flip_pieces and not flip else self.pieces
        colours = {piece.name: piece.colour for piece in self.pieces}
        pieces = tuple(replace(one, colour=one.colour or colours[one.name]) for one in pieces)
        return replace(self, flip=flip, pieces=pieces)


def group_labels(
    board: Board, uncover: Sequence[str], given: Mapping[str, Sequence[str]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the labels of each group to uncover: as given, or else by their usual names.

    Raises
    ------
    InputError
        If a group is named twice, none of the board's labels belongs to it, or
        labels are left that belong to no group by their names.
    """
    given = given or {}
    usual = usual_groups([group for group in uncover if group not in given], board.labels)
    groups: dict[str, tuple[str, ...]] = {}
    for number, group in enumerate(uncover):
        if group in groups:
            raise InputError(f"group {shown(group)} is listed twice", where=("uncover", number))
        labels = tuple(given[group]) if group in given else usual[group]
        if not labels:
            known = f" (known by their usual names: {listed(GROUPS)})"
            names = re.split(r"[\s,;]+", group)
            if len(names) > 1 and set(names) <= set(GROUPS):
                known = f"; put commas between the groups, as in [{', '.join(names)}]"
            raise InputError(
                f"no label on the board is a {shown(group)}{known}; "
                f"name them with groups: {{{shown(group)}: [LABEL, ...]}}",
                where=("uncover", number),
            )
        groups[group] = labels
    for group in given:
        if group not in groups:
            raise InputError(
                f"groups names {shown(group)}, but uncover lists only {listed(list(groups))}",
                where=("groups", group),
            )
    owned = {label_of(label) for labels in groups.values() for label in labels}
    left = [label for label in board.labels if label not in owned]
    if usual and left and owned <= set(board.labels):
        many = len(left) > 1
        if all(label[-1] in ",;|" for label in left):
            raise InputError(
                f"{listed(left, most=12)}: the places of a row are separated by blanks alone",
                where=("grid",),
            )
        raise InputError(
            f"{listed(left, most=12)} {'are' if many else 'is'} in no group by name, so that no "
            f"date uncovers {'them' if many else 'it'}; write the labels of a group in calendar "
            f"order, as in groups: {{{shown(next(iter(usual)))}: [LABEL, ...]}}, or * in the grid "
            "for a cell that is always covered",
            where=("uncover",),
        )
    return groups
