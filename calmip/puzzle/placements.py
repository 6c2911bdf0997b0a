"""Placements as text: ``U:15+16+22 Y:3,0+4,0``, or ``x[U,1,5]`` in a model.

An entry names a piece and places that it covers, labels or 0-based row,column: enough of
them to determine the placement. `PlacementNames` reads the columns of other models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from calmip._base.errors import InputError, clip, errors_at, join_words
from calmip.puzzle.board import BLANK, HOLE, Board, Piece, label_among
from calmip.puzzle.cover import ExactCover, Reveal, placements
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell

Placed = str | Mapping[str, str | Sequence[str]] | Sequence[str]
"""``"U:15+16 Y:3,0"``, a list of such entries, or a mapping from pieces to places."""

MAX_LISTED_PLACEMENTS = 8
"""The most placements in a message."""


def with_placed(instance: Instance, placed: Placed) -> Instance:
    """Return the instance with pieces placed on its board, instead of those that it had.

    Parameters
    ----------
    instance
        The instance.
    placed
        A text of entries with blanks or semicolons between them, a list of entries, or a
        mapping from a piece's name to its places (a list, or a text with ``+`` between them).

    Raises
    ------
    InputError
        If an entry cannot be read, or fits no placement or several.
    """
    instance = replace(instance, placed=())
    for number, (name, places) in enumerate(_entries(instance, placed)):
        with errors_at("placed", number):
            found = _placement(instance, name, places)
        instance = replace(instance, placed=(*instance.placed, found))
    return instance


def _entries(instance: Instance, placed: Placed) -> list[tuple[str, Sequence[str]]]:
    """Return the pieces and their places, all split before the first is placed."""
    if isinstance(placed, Mapping):
        given = placed.items()
        return [(name, at.split("+") if isinstance(at, str) else at) for name, at in given]
    if isinstance(placed, str):
        # Blanks around the signs belong to an entry; other blanks end it.
        texts = re.sub(r"\s*([:+,])\s*", r"\1", placed.replace(";", " ; ")).split()
        placed = [text for text in texts if text != ";"]
    entries: list[tuple[str, Sequence[str]]] = []
    for number, text in enumerate(placed):
        name, places = _split((piece.name for piece in instance.puzzle.pieces), text)
        if ":" not in text or not name:
            raise InputError(
                f"'{clip(text)}' does not say what lies where; write PIECE:PLACE+PLACE, "
                "with labels or row,column for places, for example U:15+16 or U:3,0+3,1",
                where=("placed", number),
            )
        entries.append((name, places))
    return entries


def _split(pieces: Iterable[str], text: str) -> tuple[str, list[str]]:
    """Return the piece and the places of ``U:15+16``; names of pieces may contain colons."""
    names = [name for name in pieces if text.startswith(f"{name}:")]
    name = max(names, key=len, default=text.partition(":")[0])
    return name, text[len(name) + 1 :].split("+")


def entry_of(instance: Instance, placement: Placement) -> str:
    """Return a placement as an entry for `with_placed`, with labels where they are unique."""
    return f"{placement.piece}:{'+'.join(_place(instance, cell) for cell in placement.cells)}"


def _placement(instance: Instance, name: str, places: Sequence[str]) -> Placement:
    """Return the one placement of a piece that covers the places."""
    pieces = {piece.name: piece for piece in instance.puzzle.pieces}
    if name not in pieces:
        return Placement(name, ())  # the instance raises the error
    if any(one.piece == name for one in instance.placed):
        raise InputError(f"piece {name} is placed twice")
    if not places:
        raise InputError(f"piece {name}: name a place that it covers, for example {name}:3,0")
    size = len(pieces[name].cells)
    cells = [_cell(instance, name, place.strip()) for place in places]
    doubled = next((cell for n, cell in enumerate(cells) if cell in cells[:n]), None)
    if doubled is not None:
        raise InputError(f"piece {name}: {_place(instance, doubled)} is named twice")
    if len(cells) > size:
        raise InputError(f"piece {name} has {size} cells and cannot cover {len(cells)} places")
    if len(cells) == size:
        return Placement(name, tuple(sorted(cells)))
    ways = _ways(instance, pieces[name], cells)
    spots = join_words([_place(instance, cell) for cell in cells])
    if not ways:
        raise InputError(f"piece {name} cannot lie on {spots} and on cells to cover only")
    if len(ways) > 1:
        examples = join_words([entry_of(instance, way) for way in ways], most=MAX_LISTED_PLACEMENTS)
        raise InputError(
            f"piece {name} can lie on {spots} in {len(ways)} ways; "
            f"name more of its places, as in {examples}"
        )
    return ways[0]


def _ways(instance: Instance, piece: Piece, cells: Sequence[Cell]) -> list[Placement]:
    """Return the placements of a piece on cells to cover that contain the given cells."""
    at = {cell: number for number, cell in enumerate(instance.to_cover)}
    wanted = {at[cell] for cell in cells}
    return sorted(
        Placement(piece.name, tuple(instance.to_cover[number] for number in covered))
        for shape in piece.orientations(flip=instance.puzzle.flip)
        for covered in placements(shape, at, instance.puzzle.board.lattice)
        if wanted <= set(covered)
    )


def _cell(instance: Instance, name: str, place: str) -> Cell:
    """Return the cell that a label or ``row,column`` names, for the piece of a name."""
    board = instance.puzzle.board
    cells = _cells(board, place)
    if not cells and place in (BLANK, HOLE, ""):
        fault = "several cells have no label" if place == BLANK else "there is no place"
        raise InputError(
            f"piece {name}: {fault} '{clip(place)}'; write row,column, for example 3,0"
        )
    if not cells:
        raise InputError(
            f"piece {name}: '{clip(place)}' is neither a label on the board nor "
            f"row,column; the labels are {join_words(board.labels)}"
        )
    if len(cells) > 1:
        choices = " or ".join(f"{r},{c}" for r, c in cells)
        raise InputError(
            f"piece {name}: {place} stands in {len(cells)} cells; write {choices} instead"
        )
    if cells[0] not in board.cells:
        height, width = board.shape
        raise InputError(
            f"piece {name}: {clip(place)} is off the board; rows are 0 to {height - 1} "
            f"from the top, columns 0 to {width - 1} from the left"
        )
    if cells[0] not in instance.to_cover:
        raise InputError(
            f"piece {name} is placed on {board.label(cells[0])} {cells[0]}, "
            "which is to stay uncovered"
        )
    return cells[0]


def _cells(board: Board, place: str) -> tuple[Cell, ...]:
    """Return the cells that a label or ``row,column`` names; none if it is neither."""
    cells = board.labels.get(label_among(board.labels, place) or "", ())
    row, comma, column = (text.strip() for text in place.partition(","))
    if cells or not comma or not all(text.isascii() and text.isdigit() for text in (row, column)):
        return cells
    return ((int(row[:9]), int(column[:9])),)


def _place(instance: Instance, cell: Cell) -> str:
    """Return the label of a cell if it is unique, or else ``row,column``."""
    board = instance.puzzle.board
    label = board.label(cell)
    plain = len(board.labels.get(label, ())) == 1 and not set(label) & set("+;")
    return label if plain else f"{cell[0]},{cell[1]}"


WRAPPED = re.compile(r"\w*\s*[\[(]\s*['\"]?(.+?)['\"]?\s*[\])]")
"""``x[U_b30]``, ``x(U_b30)``: one index of a variable."""

REVEALING = {"r", "reveal", "uncover", "show"}
"""Words before an uncovered label, as well as the name of its group."""


class PlacementNames:
    """The options of an exact cover by the names of other models' columns.

    A name is a column of the cover; a piece with the rows and columns of its cells
    (``L_00_01_02_10``, ``x_L_0_0_0_1``, ``x[L,0,0,0,1]``, ``x_('L',_((0,_0),_(0,_1)))``,
    on wide boards also ``r12c3``); a piece with places as in ``--placed`` (``domino:1+2``,
    ``domino:0,0+0,1``); a label after the name of its group or ``reveal``; or any of these
    as the index of a variable.
    """

    def __init__(self, cover: ExactCover) -> None:
        self._cover = cover
        self._board = cover.instance.puzzle.board
        self._pieces = cover.instance.puzzle.first_equal
        self._sizes = {p.name: len(p.cells) for p in cover.instance.puzzle.pieces}

    @cached_property
    def _reveals(self) -> dict[tuple[str, str], int]:
        """The options that reveal a label, by a word and the label, in lower case."""
        cover = self._cover
        reveals = {n: cover.option(n) for n in range(cover.placements, cover.columns)}
        return {
            (word, reveal.label.casefold()): number
            for number, reveal in reveals.items()
            if isinstance(reveal, Reveal)
            for word in (*REVEALING, reveal.group.casefold())
        }

    def option(self, name: str) -> int | None:
        """Return the number of the option with a name, or None."""
        found = self._cover.option_number.get(name)
        if found is None and (inside := WRAPPED.fullmatch(name)):
            found = self._cover.option_number.get(inside.group(1))
        if found is None:
            if placement := self.placement(name):
                return self._cover.number_of.get((placement.piece, placement.cells))
            found = self._reveals.get(_tail(name))
        if found is None:
            group, _, label = name.partition(":")
            if group == "labels" or group in self._cover.instance.puzzle.groups:
                found = self._cover.number_of.get(("", label))
        return found

    def placement(self, name: str) -> Placement | None:
        """Return the placement that a name describes, whether it is an option or not."""
        inside = WRAPPED.fullmatch(name)
        piece, places = _split(self._pieces, inside.group(1) if inside else name)
        if piece in self._pieces and places != [""]:
            found = (cell for place in places for cell in _cells(self._board, place.strip()))
            cells = list(dict.fromkeys(found))
        else:
            piece, cells = self._parse(name)
        if piece not in self._pieces or len(cells) != self._sizes[piece]:
            return None
        return Placement(self._pieces[piece], tuple(sorted(cells)))

    def _parse(self, name: str) -> tuple[str, list[Cell]]:
        """Read a name that ends in a piece and two numbers for each of its cells."""
        parts = [part for part in re.split(r"[^0-9A-Za-z]+", name) if part]
        numbers: list[str] = []
        while parts and (found := re.fullmatch(r"\d+|r(\d+)c(\d+)", parts[-1])):
            part = parts.pop()
            numbers[:0] = found.groups() if found.group(1) else [part]
        piece = parts[-1] if parts else ""
        size = self._sizes.get(piece, 0)
        if len(numbers) == size and all(len(n) == 2 for n in numbers):
            return piece, [(int(n[0]), int(n[1])) for n in numbers]
        cells = zip(map(int, numbers[::2]), map(int, numbers[1::2]), strict=False)
        return piece, [*cells] if len(numbers) == 2 * size else []


def _tail(name: str) -> tuple[str, str]:
    """Return the last two words of a name in lower case: ``day`` and ``29`` of ``x[day,29]``."""
    *_, before, last = ("", "", *filter(None, re.split(r"[\W_]+", name.casefold())))
    return before, last
