"""Pieces and boards: frozen data, checked when it is made."""

from __future__ import annotations

import itertools
import re
import string
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from calmip._base.errors import InputError, clip, join_words, short_repr
from calmip.mip.display import Drawable
from calmip.puzzle.lattice import SQUARE, Cell, Lattice, Shape

NAMED_COLOURS = {
    "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080",
    "white": "#ffffff", "maroon": "#800000", "red": "#ff0000", "purple": "#800080",
    "fuchsia": "#ff00ff", "magenta": "#ff00ff", "green": "#008000", "lime": "#00ff00",
    "olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff",
    "teal": "#008080", "aqua": "#00ffff", "cyan": "#00ffff", "orange": "#ffa500",
    "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700", "violet": "#ee82ee",
    "beige": "#f5f5dc", "tan": "#d2b48c",
}  # fmt: skip
"""The sixteen colours of HTML 4 and a few of CSS for wood and plastic."""


def colour_of(text: str) -> str:
    """Return a colour as ``#rrggbb``, from a name, ``#rgb`` or ``#rrggbb``."""
    given = text.strip().lower()
    if given in NAMED_COLOURS:
        return NAMED_COLOURS[given]
    if re.fullmatch("#[0-9a-f]{3}", given):
        return "#" + "".join(2 * digit for digit in given[1:])
    if re.fullmatch("#[0-9a-f]{6}", given):
        return given
    raise InputError(
        f"'{clip(text)}' is not a colour; write it as \"#1e90ff\", in quotes, or use one of "
        f"{join_words(NAMED_COLOURS)}",
        where=("colour",),
    )


HOLE = "."
"""A place in the grid that is not on the board."""

BLANK = "*"
"""A cell without a label, which every solution covers."""

MAX_CELLS = 10_000
MAX_PIECE_CELLS = 100
MAX_TEXT_CHARACTERS = 60


def label_of(text: object) -> str:
    """Return a label in Unicode's normal form C, as ``é`` has two encodings."""
    return unicodedata.normalize("NFC", str(text))


def label_among(labels: Iterable[str], text: object) -> str | None:
    """Return the label that equals a text, or the only one that differs in case alone."""
    labels, wanted = list(labels), label_of(text)
    if wanted in labels:
        return wanted
    alike = [label for label in labels if label.casefold() == wanted.casefold()]
    return alike[0] if len(alike) == 1 else None


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the first of ``L``, ``Lb``, ``Lc``, ..., ``Lz``, ``Lx27``, ``Lx28``, ... not taken."""
    numbers = (f"x{number}" for number in itertools.count(27))
    endings = itertools.chain([""], string.ascii_lowercase[1:], numbers)
    return next(name + ending for ending in endings if name + ending not in taken)


@lru_cache(maxsize=4096)
def _is_connected(shape: Shape, lattice: Lattice) -> bool:
    """Return whether a shape is connected; most puzzles share theirs."""
    return lattice.is_connected(shape)


@dataclass(frozen=True)
class Piece(Drawable):
    """A named polyomino (or polyhex, or polyiamond).

    Parameters
    ----------
    name
        A short name, unique in its puzzle.
    cells
        The cells (row, column); they are translated so that the first one is (0, 0), or the first
        cell of its kind, if the lattice has several.
    lattice
        The lattice of the cells.
    colour, back
        The colours of its front, which lies up as it is drawn, and of its back: a name or
        ``#rrggbb`` (it is kept so). Empty if the drawing chooses it, or the back is as the front.
    flip
        Whether it may be turned over where the puzzle allows that.
    rotate
        Whether it may be turned; if not, it lies as drawn and is not turned over either.
    optional
        Whether it may be left out.

    Raises
    ------
    InputError
        If there are no cells or too many, they are not connected, or a colour is unknown.
    """

    name: str
    cells: Shape
    lattice: Lattice = SQUARE
    colour: str = field(default="", compare=False, repr=False)
    back: str = field(default="", compare=False, repr=False)
    flip: bool = True
    rotate: bool = True
    optional: bool = False

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}: {len(self.cells)} cells, {self.lattice.name}")

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", self.lattice.normal_form((r, c) for r, c in self.cells))
        object.__setattr__(self, "colour", self.colour and colour_of(self.colour))
        object.__setattr__(self, "back", self.back and colour_of(self.back))
        object.__setattr__(self, "flip", self.flip and self.rotate)
        if not 1 <= len(self.name) <= MAX_TEXT_CHARACTERS or not self.name.isprintable():
            raise InputError(
                f"a piece's name has 1 to {MAX_TEXT_CHARACTERS} printable characters, not "
                f"'{clip(self.name)}'"
            )
        size, fault = len(self.cells), ""
        if not size:
            fault = "is empty; mark its cells with '#'"
        elif size > MAX_PIECE_CELLS:
            fault = f"has {size} cells; at most {MAX_PIECE_CELLS}"
        elif not _is_connected(self.cells, self.lattice):
            fault = f"is not connected; its {size} cells must touch"
        if fault:
            raise InputError(f"piece {self.name} {fault}")

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[str], lattice: Lattice = SQUARE) -> Piece:
        """Return the piece drawn in rows of ``#`` (cell) and ``.`` or blank (no cell).

        Raises
        ------
        InputError
            If another character occurs, or the piece is not valid.
        """
        if len(rows) > MAX_PIECE_CELLS or any(len(row) > MAX_PIECE_CELLS for row in rows):
            raise InputError(
                f"piece {clip(name)} is drawn on more than {MAX_PIECE_CELLS} rows or columns"
            )
        for number, row in enumerate(rows, start=1):
            odd = sorted(set(row) - set("#. "))
            if odd:
                raise InputError(
                    f"piece {clip(name)}, row {number}: found {odd[0]!r}; "
                    "a row is drawn with '#' and '.'"
                )
        cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
        return cls(name, tuple(cells), lattice)

    def orientations(self, *, flip: bool) -> tuple[Shape, ...]:
        """Return the distinct orientations, each in the normal form of the lattice.

        With ``flip``, the puzzle allows flips; the piece itself may forbid them.
        """
        if not self.rotate:
            return (self.cells,)
        return self.lattice.orientations(self.cells, flip=flip and self.flip)

    def is_over(self, cells: Iterable[Cell]) -> bool:
        """Return whether its back is up on these cells: they are its image by a reflection alone.

        Of a piece that equals its mirror image, the front is up.
        """
        return self.lattice.normal_form(cells) not in self.lattice.orientations(
            self.cells, flip=False
        )

    def colour_on(self, cells: Iterable[Cell]) -> str:
        """Return the colour of the side that is up on these cells; empty if it has none."""
        return self.back if self.back and self.is_over(cells) else self.colour

    @property
    def rules(self) -> dict[str, bool]:
        """The keys of a puzzle file that this piece needs, with motions that it forbids."""
        motion = {"rotate": False} if not self.rotate else {} if self.flip else {"flip": False}
        return motion | ({"optional": True} if self.optional else {})


@dataclass(frozen=True)
class Board(Drawable):
    """The cells of a puzzle and their labels.

    Parameters
    ----------
    rows
        The grid, with rows of equal length: a label, ``*`` for a blank cell, or ``.`` for
        a place off the board.
    lattice
        The lattice, which determines the neighbours of a cell.

    Raises
    ------
    InputError
        If the rows differ in length, there are no cells or too many, or the cells of one
        label are not connected.
    """

    rows: tuple[tuple[str, ...], ...]
    lattice: Lattice = SQUARE

    def __repr__(self) -> str:
        return short_repr(self, f"{len(self.cells)} cells, {self.lattice.name}")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(tuple(map(label_of, row)) for row in self.rows))
        if sum(map(len, self.rows)) > MAX_CELLS:
            fault = f"the grid has {sum(map(len, self.rows))} places; at most {MAX_CELLS}"
            raise InputError(fault, where=("grid",))
        for number, row in enumerate(self.rows):
            if len(row) != len(self.rows[0]):
                raise InputError(
                    f"grid row {number + 1} has {len(row)} places and the first row has "
                    f"{len(self.rows[0])}; write '.' where the board has a hole",
                    where=("grid", number),
                )
            for text in row:
                if (
                    not 1 <= len(text) <= MAX_TEXT_CHARACTERS
                    or not text.isprintable()
                    or " " in text
                ):
                    raise InputError(
                        f"grid row {number + 1}: a label has 1 to {MAX_TEXT_CHARACTERS} printable "
                        f"characters and no blanks, not '{clip(text)}'",
                        where=("grid", number),
                    )
        if not self.cells:
            raise InputError("the grid has no cell on the board", where=("grid",))
        for label, cells in self.labels.items():
            if len(cells) > 1 and not self.lattice.is_connected(cells):
                raise InputError(
                    f"label {label} stands in {len(cells)} cells that do not touch: "
                    f"{join_words(cells)}; only a label over touching cells may repeat",
                    where=("grid", cells[1][0]),
                )

    @classmethod
    def from_text(cls, rows: Iterable[str], lattice: Lattice = SQUARE) -> Board:
        """Return the board of rows of text, with blanks between the places."""
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
        """The numbers of rows and columns."""
        return len(self.rows), len(self.rows[0])

    def label(self, cell: Cell) -> str:
        """Return the text at a cell: its label, or ``*``."""
        return self.rows[cell[0]][cell[1]]

    def odd_region(self, uncovered: Iterable[Cell], areas: int) -> tuple[Cell, ...]:
        """Return the smallest region of the others whose area is no bit of ``areas``, or ()."""
        regions = self.lattice.regions(set(self.cells).difference(uncovered))
        odd = (tuple(sorted(region)) for region in regions if not areas >> len(region) & 1)
        return min(odd, key=lambda region: (len(region), region), default=())

    def labelled(self, labels: Iterable[str]) -> dict[Cell, str]:
        """Return the cells of some labels, each with its label."""
        return {cell: label for label in labels for cell in self.labels[label]}
