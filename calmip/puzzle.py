"""Boards, pieces, puzzles and instances: frozen data, checked when it is made.

Nothing here knows about models, solvers, files or drawing.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from calmip.dates import GROUPS, labels_of_date, usual_labels
from calmip.errors import InputError, listed
from calmip.lattice import SQUARE, Cell, Lattice, Shape, normalised

__all__ = ["BLANK", "FREE", "HOLE", "Board", "Instance", "Piece", "Puzzle"]

HOLE = "."
"""A place in the grid that is not on the board."""

BLANK = "*"
"""A cell without a label: on the board, always to be covered."""

FREE = "free"
"""The word that leaves a reveal group's label to the model."""

MAX_CELLS = 10_000
MAX_PIECES = 500
MAX_PIECE_CELLS = 100
MAX_TEXT = 60


@dataclass(frozen=True)
class Piece:
    """A named polyomino (or polyhex).

    Parameters
    ----------
    name
        A short name, unique in its puzzle.
    cells
        The cells (row, column), in any place; they are moved so that the
        first one is (0, 0).
    lattice
        The lattice on which the cells lie.

    Raises
    ------
    InputError
        If there is no cell, too many, or the cells do not hang together.
    """

    name: str
    cells: Shape
    lattice: Lattice = SQUARE

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", normalised(self.cells))
        if not self.name or len(self.name) > MAX_TEXT:
            raise InputError(f"a piece's name has 1 to {MAX_TEXT} characters, not {len(self.name)}")
        if not self.cells:
            raise InputError(f"piece {self.name} is empty; mark its cells with '#'")
        if len(self.cells) > MAX_PIECE_CELLS:
            raise InputError(
                f"piece {self.name} has {len(self.cells)} cells; at most {MAX_PIECE_CELLS}"
            )
        if not self.lattice.is_connected(self.cells):
            raise InputError(
                f"piece {self.name} is not connected; its {len(self.cells)} cells must touch"
            )

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[str], lattice: Lattice = SQUARE) -> Piece:
        """Return the piece that rows of ``#`` (cell) and ``.`` or blank (no cell) draw.

        Raises
        ------
        InputError
            If another character occurs, or the piece itself is not valid.
        """
        if len(rows) > MAX_PIECE_CELLS or any(len(row) > MAX_PIECE_CELLS for row in rows):
            raise InputError(
                f"piece {name} is drawn on more than {MAX_PIECE_CELLS} rows or columns"
            )
        for row, number in zip(rows, itertools.count(1), strict=False):
            odd = sorted(set(row) - set("#. "))
            if odd:
                raise InputError(
                    f"piece {name}, row {number}: found {odd[0]!r}; a row is drawn with '#' and '.'"
                )
        cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
        return cls(name, tuple(cells), lattice)

    def orientations(self, *, flip: bool) -> tuple[Shape, ...]:
        """Return the distinct orientations, each anchored at its first cell (0, 0)."""
        return self.lattice.orientations(self.cells, flip=flip)


@dataclass(frozen=True)
class Board:
    """The cells of a puzzle and their labels.

    Parameters
    ----------
    rows
        The grid, row by row: a label, ``*`` for a blank cell, ``.`` for a
        place that is off the board. All rows have the same length.
    lattice
        Which cells touch.

    Raises
    ------
    InputError
        If the grid is ragged, has no cell or too many, or the cells of one
        label do not touch each other.
    """

    rows: tuple[tuple[str, ...], ...]
    lattice: Lattice = SQUARE

    def __post_init__(self) -> None:
        if sum(map(len, self.rows)) > MAX_CELLS:
            raise InputError(
                f"the grid has {sum(map(len, self.rows))} places; at most {MAX_CELLS}",
                where=("grid",),
            )
        for number, row in enumerate(self.rows):
            if len(row) != len(self.rows[0]):
                raise InputError(
                    f"grid row {number + 1} has {len(row)} places and the first row has "
                    f"{len(self.rows[0])}; write '.' where the board has a hole",
                    where=("grid", number),
                )
            for text in row:
                if not text or len(text) > MAX_TEXT or any(x.isspace() for x in text):
                    raise InputError(
                        f"grid row {number + 1}: a label has 1 to {MAX_TEXT} characters "
                        f"and no blanks, not {text[:MAX_TEXT]!r}",
                        where=("grid", number),
                    )
        if not self.cells:
            raise InputError("the grid has no cell on the board", where=("grid",))
        for label, cells in self.labels.items():
            if not self.lattice.is_connected(cells):
                raise InputError(
                    f"label {label} stands in {len(cells)} cells that do not touch: "
                    f"{listed(cells)}; only a label over touching cells may repeat",
                    where=("grid", cells[1][0]),
                )

    @classmethod
    def from_text(cls, rows: Iterable[str], lattice: Lattice = SQUARE) -> Board:
        """Return the board of a grid whose rows are texts with blanks between the places."""
        return cls(tuple(tuple(row.split()) for row in rows), lattice)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells on the board, in row-major order."""
        return tuple(
            (r, c) for r, row in enumerate(self.rows) for c, text in enumerate(row) if text != HOLE
        )

    @cached_property
    def labels(self) -> Mapping[str, tuple[Cell, ...]]:
        """The cells of every label, both in row-major order."""
        found: dict[str, list[Cell]] = {}
        for r, c in self.cells:
            if self.rows[r][c] != BLANK:
                found.setdefault(self.rows[r][c], []).append((r, c))
        return {label: tuple(cells) for label, cells in found.items()}

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns of the grid."""
        return len(self.rows), len(self.rows[0])

    def label(self, cell: Cell) -> str:
        """Return the text at a cell: its label, or ``*``."""
        return self.rows[cell[0]][cell[1]]


@dataclass(frozen=True)
class Puzzle:
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
        The same pieces as they must be drawn when they may not be turned
        over, for puzzles whose makers say so.
    id, note, sources, counts
        What is known about the puzzle; carried along, never interpreted.

    Raises
    ------
    InputError
        If names repeat, a group names labels that are not on the board, or a
        piece fits nowhere on the empty board.
    """

    name: str
    board: Board
    pieces: tuple[Piece, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flip: bool = True
    no_flip_pieces: tuple[Piece, ...] = ()
    id: str = ""
    note: str = ""
    sources: tuple[str, ...] = ()
    counts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.pieces:
            raise InputError("a puzzle needs at least one piece", where=("pieces",))
        if len(self.pieces) > MAX_PIECES:
            raise InputError(f"{len(self.pieces)} pieces; at most {MAX_PIECES}", where=("pieces",))
        seen: set[str] = set()
        for number, piece in enumerate(self.pieces):
            if piece.name in seen:
                raise InputError(f"two pieces are called {piece.name}", where=("pieces", number))
            seen.add(piece.name)
            if not self._fits(piece):
                raise InputError(
                    f"piece {piece.name} ({len(piece.cells)} cells) fits nowhere on the board",
                    where=("pieces", number),
                )
        owner: dict[str, str] = {}
        for group, labels in self.groups.items():
            for label in labels:
                if label not in self.board.labels:
                    raise InputError(
                        f"group {group} names {label}, which is not on the board; "
                        f"its labels are {listed(list(self.board.labels))}",
                        where=("groups", group),
                    )
                if label in owner:
                    raise InputError(
                        f"label {label} is in group {owner[label]} already and cannot be "
                        f"in group {group}",
                        where=("groups", group),
                    )
                owner[label] = group

    def _fits(self, piece: Piece) -> bool:
        board = set(self.board.cells)
        return any(
            all((r + down, c + right) in board for down, right in shape)
            for shape in piece.orientations(flip=self.flip)
            for r, c in self.board.cells
        )

    @cached_property
    def area(self) -> int:
        """The number of cells that the pieces cover together."""
        return sum(len(piece.cells) for piece in self.pieces)

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

    def with_flip(self, flip: bool) -> Puzzle:
        """Return the puzzle with turning over allowed or forbidden.

        Forbidding it uses the handedness that the puzzle states, where it does.
        """
        if flip == self.flip:
            return self
        pieces = self.no_flip_pieces if self.no_flip_pieces and not flip else self.pieces
        return replace(self, flip=flip, pieces=pieces)


def group_labels(
    board: Board, uncover: Sequence[str], given: Mapping[str, Sequence[str]] | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the labels of each group to uncover: as given, or else by their usual names.

    Raises
    ------
    InputError
        If a group is named twice or none of the board's labels belongs to it.
    """
    given = given or {}
    groups: dict[str, tuple[str, ...]] = {}
    for number, group in enumerate(uncover):
        if group in groups:
            raise InputError(f"group {group} is listed twice", where=("uncover", number))
        labels = tuple(given[group]) if group in given else usual_labels(group, board.labels)
        if not labels:
            known = f" (known by their usual names: {listed(GROUPS)})"
            raise InputError(
                f"no label on the board is a {group}{known}; "
                f"name them with groups: {{{group}: [LABEL, ...]}}",
                where=("uncover", number),
            )
        groups[group] = labels
    for group in given:
        if group not in groups:
            raise InputError(
                f"groups names {group}, but uncover lists only {listed(list(groups))}",
                where=("groups", group),
            )
    return groups


@dataclass(frozen=True)
class Instance:
    """A puzzle and the labels to leave uncovered: what is solved.

    Parameters
    ----------
    puzzle
        The puzzle.
    labels
        The labels whose cells stay uncovered.
    free
        The reveal groups whose label the model chooses.
    name
        A name for people and files.

    Raises
    ------
    InputError
        If a label is unknown or repeated, or the pieces' area is not the
        number of cells to cover.
    """

    puzzle: Puzzle
    labels: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        known = self.puzzle.board.labels
        for number, label in enumerate(self.labels):
            if label not in known:
                raise InputError(
                    f"'{label}' is not a label of {self.puzzle.name}; "
                    f"its labels are {listed(list(known))}",
                    where=("reveal", number),
                )
            if label in self.labels[:number]:
                raise InputError(f"label {label} is revealed twice", where=("reveal", number))
        for group in self.free:
            if group not in self.puzzle.groups:
                raise InputError(
                    f"{self.puzzle.name} has no group '{group}' to leave free; "
                    f"its groups are {listed(list(self.puzzle.groups))}",
                    where=("reveal",),
                )
        self._check_area()

    def _check_area(self) -> None:
        board = self.puzzle.board
        fixed = len(board.cells) - sum(len(board.labels[label]) for label in self.labels)
        sizes = {fixed}
        for group in self.free:
            freed = {len(board.labels[label]) for label in self.puzzle.groups[group]}
            sizes = {size - more for size in sizes for more in freed}
        if self.puzzle.area not in sizes:
            left = " or ".join(map(str, sorted(sizes)))
            missing = [
                group
                for group, labels in self.puzzle.groups.items()
                if group not in self.free and not set(labels) & set(self.labels)
            ]
            hint = f"; no {' and no '.join(missing)} is revealed" if missing else ""
            raise InputError(
                f"the pieces cover {self.puzzle.area} cells, but {left} cells are to be "
                f"covered{hint}",
                where=("reveal",),
            )

    @classmethod
    def reveal(cls, puzzle: Puzzle, labels: Mapping[str, str], *, name: str = "") -> Instance:
        """Return the instance that reveals one label of each group.

        Parameters
        ----------
        puzzle
            The puzzle.
        labels
            The label of every group; the word ``free`` leaves it to the model.
        name
            A name for the instance.

        Raises
        ------
        InputError
            If a group is missing or unknown, or a label is not in its group.
        """
        chosen: list[str] = []
        free: list[str] = []
        for group in labels:
            if group not in puzzle.groups:
                raise InputError(
                    f"{puzzle.name} has no group '{group}'; "
                    f"its groups are {listed(list(puzzle.groups))}",
                    where=("reveal", group),
                )
        for group, allowed in puzzle.groups.items():
            if group not in labels:
                raise InputError(
                    f"no {group} is revealed; give one of {listed(allowed)}, "
                    f"or '{FREE}' to let the model choose",
                    where=("reveal",),
                )
            label = labels[group]
            if label in allowed:
                chosen.append(label)
            elif label == FREE:
                free.append(group)
            else:
                raise InputError(
                    f"'{label}' is not a {group} of {puzzle.name}; use one of {listed(allowed)}",
                    where=("reveal", group),
                )
        return cls(puzzle, tuple(chosen), tuple(free), name)

    @classmethod
    def of_date(cls, puzzle: Puzzle, date: datetime.date, *, name: str = "") -> Instance:
        """Return the instance of a date: month, day and, where there are any, weekday and year."""
        labels = labels_of_date(puzzle.groups, date)
        return cls.reveal(puzzle, labels, name=name)

    @cached_property
    def to_cover(self) -> tuple[Cell, ...]:
        """The cells to cover, in row-major order; cells of free groups are among them."""
        bare = {cell for label in self.labels for cell in self.puzzle.board.labels[label]}
        return tuple(cell for cell in self.puzzle.board.cells if cell not in bare)

    def reveal_of(self, labels: Sequence[str]) -> dict[str, str | list[str]]:
        """Return uncovered labels by group, or under ``labels`` where they are no full choice."""
        by_group = {
            group: label
            for group, members in self.puzzle.groups.items()
            for label in labels
            if label in members
        }
        if len(by_group) == len(labels) and set(by_group) == set(self.puzzle.groups):
            return {**by_group}
        return {"labels": list(labels)}
