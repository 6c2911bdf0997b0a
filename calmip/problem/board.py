"""Pieces and boards: frozen data, checked when it is made."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from calmip.errors import InputError, listed, shown
from calmip.problem.lattice import SQUARE, Cell, Lattice, Shape, normalised
from calmip.problem.shown import Drawn

__all__ = [
    "BLANK",
    "HOLE",
    "NAMED_COLOURS",
    "Board",
    "Piece",
    "colour_of",
    "label_among",
    "label_of",
]


NAMED_COLOURS = {
    "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080",
    "white": "#ffffff", "maroon": "#800000", "red": "#ff0000", "purple": "#800080",
    "fuchsia": "#ff00ff", "magenta": "#ff00ff", "green": "#008000", "lime": "#00ff00",
    "olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff",
    "teal": "#008080", "aqua": "#00ffff", "cyan": "#00ffff", "orange": "#ffa500",
    "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700", "violet": "#ee82ee",
    "beige": "#f5f5dc", "tan": "#d2b48c",
}  # fmt: skip
"""The sixteen colours of HTML 4 and a few that wood and plastic have, as in CSS."""


def colour_of(text: str) -> str:
    """Return a colour as ``#rrggbb``: given so, as ``#rgb``, or by a name.

    Raises
    ------
    InputError
        If the text is none of these.
    """
    given = text.strip().lower()
    if given in NAMED_COLOURS:
        return NAMED_COLOURS[given]
    if re.fullmatch("#[0-9a-f]{3}", given):
        return "#" + "".join(2 * digit for digit in given[1:])
    if re.fullmatch("#[0-9a-f]{6}", given):
        return given
    raise InputError(
        f"'{shown(text)}' is no colour; write it as \"#1e90ff\", in quotes, or use one of "
        f"{listed(list(NAMED_COLOURS))}"
    )


HOLE = "."
"""A place in the grid that is not on the board."""

BLANK = "*"
"""A cell without a label: on the board, always to be covered."""

MAX_CELLS = 10_000
MAX_PIECE_CELLS = 100
MAX_TEXT = 60


def label_of(text: object) -> str:
    """Return a label as boards know it: ``29`` as a text, an accent as one with its letter.

    Keyboards and systems differ in how they write ``é``; nobody sees the
    difference, so it must not matter (Unicode's normal form C).
    """
    return unicodedata.normalize("NFC", str(text))


def label_among(labels: Iterable[str], text: object) -> str | None:
    """Return the label that a text names: as it stands, or else the only one but for case."""
    labels, wanted = list(labels), label_of(text)
    if wanted in labels:
        return wanted
    alike = [label for label in labels if label.casefold() == wanted.casefold()]
    return alike[0] if len(alike) == 1 else None


@dataclass(frozen=True)
class Piece(Drawn):
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
    colour
        The colour in which it is drawn, a name or ``#rrggbb`` (it is kept so);
        empty for one that the drawing chooses.

    Raises
    ------
    InputError
        If there is no cell, too many, the cells are not connected, or the
        colour is none.
    """

    name: str
    cells: Shape
    lattice: Lattice = SQUARE
    colour: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", normalised((r, c) for r, c in self.cells))
        object.__setattr__(self, "colour", self.colour and colour_of(self.colour))
        if not 1 <= len(self.name) <= MAX_TEXT or not self.name.isprintable():
            raise InputError(
                f"a piece's name has 1 to {MAX_TEXT} printable characters, not '{shown(self.name)}'"
            )
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
                f"piece {shown(name)} is drawn on more than {MAX_PIECE_CELLS} rows or columns"
            )
        for row, number in zip(rows, itertools.count(1), strict=False):
            odd = sorted(set(row) - set("#. "))
            if odd:
                raise InputError(
                    f"piece {shown(name)}, row {number}: found {odd[0]!r}; "
                    "a row is drawn with '#' and '.'"
                )
        cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
        return cls(name, tuple(cells), lattice)

    def orientations(self, *, flip: bool) -> tuple[Shape, ...]:
        """Return the distinct orientations, each anchored at its first cell (0, 0)."""
        return self.lattice.orientations(self.cells, flip=flip)


@dataclass(frozen=True)
class Board(Drawn):
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
        object.__setattr__(self, "rows", tuple(tuple(map(label_of, row)) for row in self.rows))
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
                if not 1 <= len(text) <= MAX_TEXT or not text.isprintable() or " " in text:
                    raise InputError(
                        f"grid row {number + 1}: a label has 1 to {MAX_TEXT} printable "
                        f"characters and no blanks, not '{shown(text)}'",
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

    def labelled(self, labels: Iterable[str]) -> dict[Cell, str]:
        """Return the cells of some labels, which stay uncovered, each with its label."""
        return {cell: label for label in labels for cell in self.labels[label]}
