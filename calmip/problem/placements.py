"""Placements as people write them: ``U:15+16+22 Y:3,0+4,0``, or ``x[U,1,5]`` in a model.

An entry names a piece and places that it covers: labels, or row,column from 0
on. As many places as settle the matter will do; all of them always do. Modelling
languages have names of their own for the columns of a model (`PlacementNames`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from calmip.errors import InputError, listed, shown
from calmip.problem.board import BLANK, HOLE, Board, Piece, label_among
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import Cell

__all__ = ["Placed", "PlacementNames", "with_placed", "written"]


Placed = str | Mapping[str, str | Sequence[str]] | Sequence[str]
"""``"U:15+16 Y:3,0"``, a list of such entries, or a mapping from pieces to places."""

MOST = 8
"""So many ways to lie are listed in a message at most."""


def with_placed(instance: Instance, placed: Placed) -> Instance:
    """Return the instance with pieces placed on its board, in place of those that it had.

    Parameters
    ----------
    instance
        The instance.
    placed
        What lies where: a text of entries with blanks or semicolons between
        them, a list of entries, or a mapping from a piece's name to its places
        (a list, or a text with ``+`` between them).

    Raises
    ------
    InputError
        If an entry cannot be read, its places do not settle how the piece
        lies, or the piece cannot lie there.
    """
    instance = replace(instance, placed=())
    for entry in _entries(instance, placed):
        found = _placement(instance, entry)
        instance = replace(instance, placed=(*instance.placed, found))
    return instance


@dataclass(frozen=True)
class _Entry:
    """A piece and its places as they were written, in the n-th entry from 0 on."""

    number: int
    name: str
    places: Sequence[str]

    def fault(self, message: str) -> InputError:
        """Return an error that says its place."""
        return InputError(message, where=("placed", self.number))


def _entry(instance: Instance, number: int, text: str) -> _Entry:
    """Return an entry such as ``U:15+16``, split.

    Raises
    ------
    InputError
        If the entry has no colon or names no piece or no place.
    """
    name, places = _split((piece.name for piece in instance.puzzle.pieces), text)
    if ":" not in text or not name:
        raise InputError(
            f"'{shown(text)}' does not say what lies where; write PIECE:PLACE+PLACE, "
            "with labels or row,column for places, for example U:15+16 or U:3,0+3,1",
            where=("placed", number),
        )
    return _Entry(number, name, places)


def _split(pieces: Iterable[str], text: str) -> tuple[str, list[str]]:
    """Return the piece and the places of ``U:15+16``; names of pieces may have colons."""
    names = [name for name in pieces if text.startswith(f"{name}:")]
    name = max(names, key=len, default=text.partition(":")[0])
    return name, text[len(name) + 1 :].split("+")


def written(instance: Instance, placement: Placement) -> str:
    """Return a placement as an entry that can be read again, by labels where these serve."""
    return f"{placement.piece}:{'+'.join(_place(instance, cell) for cell in placement.cells)}"


def _entries(instance: Instance, placed: Placed) -> Iterator[_Entry]:
    if isinstance(placed, Mapping):
        for number, (name, places) in enumerate(placed.items()):
            yield _Entry(number, name, places.split("+") if isinstance(places, str) else places)
        return
    if isinstance(placed, str):
        # Blanks around the signs belong to an entry, and others end it.
        texts = re.sub(r"\s*([:+,])\s*", r"\1", placed.replace(";", " ; ")).split()
        placed = [text for text in texts if text != ";"]
    # All are split before the first is placed: a slip of the pen is told first.
    yield from [_entry(instance, number, text) for number, text in enumerate(placed)]


def _placement(instance: Instance, entry: _Entry) -> Placement:
    """Return the one placement of a piece that covers the places."""
    name, places = entry.name, entry.places
    pieces = {piece.name: piece for piece in instance.puzzle.pieces}
    if name not in pieces:
        # The instance says which pieces there are.
        replace(instance, placed=(*instance.placed, Placement(name, ())))
    if any(one.piece == name for one in instance.placed):
        raise entry.fault(f"piece {name} is placed twice")
    if not places:
        raise entry.fault(f"piece {name}: name a place that it covers, for example {name}:3,0")
    piece = pieces[name]
    cells = [_cell(instance, entry, place.strip()) for place in places]
    doubled = next((cell for n, cell in enumerate(cells) if cell in cells[:n]), None)
    if doubled is not None:
        raise entry.fault(f"piece {name}: {_place(instance, doubled)} is named twice")
    if len(cells) > len(piece.cells):
        raise entry.fault(
            f"piece {name} has {len(piece.cells)} cells and cannot cover {len(cells)} places"
        )
    if len(cells) == len(piece.cells):
        return Placement(name, tuple(sorted(cells)))
    ways = _ways(instance, piece, cells)
    if not ways:
        raise entry.fault(
            f"piece {name} cannot lie on {_named(instance, cells)} and on cells to cover only"
        )
    if len(ways) > 1:
        examples = listed([written(instance, way) for way in ways], most=MOST)
        raise entry.fault(
            f"piece {name} can lie on {_named(instance, cells)} in {len(ways)} ways; "
            f"name more of its places, as in {examples}"
        )
    return ways[0]


def _ways(instance: Instance, piece: Piece, cells: Sequence[Cell]) -> list[Placement]:
    """Return the placements of a piece that cover some cells and nothing that stays bare."""
    first, open_cells = cells[0], set(instance.to_cover)
    found = set()
    for shape in piece.orientations(flip=instance.puzzle.flip):
        for r, c in shape:
            down, right = first[0] - r, first[1] - c
            lying = tuple((row + down, column + right) for row, column in shape)
            if set(cells) <= set(lying) <= open_cells:
                found.add(Placement(piece.name, lying))
    return sorted(found)


def _cell(instance: Instance, entry: _Entry, place: str) -> Cell:
    """Return the cell that a label or ``row,column`` names."""
    name, board = entry.name, instance.puzzle.board
    cells = _cells(board, place)
    if not cells:
        if place in (BLANK, HOLE, ""):
            fault = "several cells have no label" if place == BLANK else "there is no place"
            raise entry.fault(
                f"piece {name}: {fault} '{shown(place)}'; write row,column, for example 3,0"
            )
        raise entry.fault(
            f"piece {name}: '{shown(place)}' is neither a label on the board nor "
            f"row,column; the labels are {listed(list(board.labels))}"
        )
    if len(cells) > 1:
        choices = " or ".join(f"{r},{c}" for r, c in cells)
        raise entry.fault(
            f"piece {name}: {place} stands in {len(cells)} cells; write {choices} instead"
        )
    if cells[0] not in board.cells:
        height, width = board.shape
        raise entry.fault(
            f"piece {name}: {shown(place)} is off the board; rows are 0 to {height - 1} "
            f"from the top, columns 0 to {width - 1} from the left"
        )
    if cells[0] not in instance.to_cover:
        raise entry.fault(
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
    """Return the shortest name of a cell that is its own: the label, or ``row,column``."""
    board = instance.puzzle.board
    label = board.label(cell)
    plain = len(board.labels.get(label, ())) == 1 and not set(label) & set("+;")
    return label if plain else f"{cell[0]},{cell[1]}"


def _named(instance: Instance, cells: Sequence[Cell]) -> str:
    return listed([_place(instance, cell) for cell in cells])


WRAPPED = re.compile(r"\w*\s*[\[(]\s*['\"]?(.+?)['\"]?\s*[\])]")
"""``x[U_b30]``, ``x(U_b30)``: one index of a variable."""

REVEALING = {"r", "reveal", "uncover", "show"}
"""Words that may stand before a label that stays uncovered; its group's name may too."""


class PlacementNames:
    """The options of an exact cover under the names that others give them.

    Known are the columns' own names; a piece with its cells as row and column
    (``L_00_01_02_10``, ``x_L_0_0_0_1``, ``x[L,0,0,0,1]``,
    ``x_('L',_((0,_0),_(0,_1)))``), on wide boards also ``r12c3``; a piece with
    labels or places as ``--placed`` has them (``domino:1+2``,
    ``domino:0,0+0,1``); a label with the name of its group or with
    ``reveal`` before it; and any of them as the index of a variable.

    Parameters
    ----------
    cover
        The exact cover.
    """

    def __init__(self, cover: ExactCover) -> None:
        self._cover = cover
        self._board = cover.instance.puzzle.board
        # Of equal pieces, the first stands for all.
        self._pieces = {p.name: same[0].name for same in cover.instance.puzzle.piece_classes
                        for p in same}  # fmt: skip
        self._sizes = {p.name: len(p.cells) for p in cover.instance.puzzle.pieces}

    @cached_property
    def _numbers(self) -> dict[Placement | tuple[str, str], int]:
        """The options by piece and cells, and by a word and a label."""
        found: dict[Placement | tuple[str, str], int] = {}
        for number in range(self._cover.columns):
            option = self._cover.option(number)
            if isinstance(option, Reveal):
                for word in (*REVEALING, option.group.casefold()):
                    found[word, option.label.casefold()] = number
            else:
                found[option] = number
        return found

    def option(self, name: str) -> int | None:
        """Return the number of the option that a name means, or None."""
        found = self._cover.option_number.get(name)
        if found is None and (inside := WRAPPED.fullmatch(name)):
            found = self._cover.option_number.get(inside.group(1))
        if found is None:
            placement = self.placement(name)
            found = self._numbers.get(placement or _tail(name))
        return found

    def placement(self, name: str) -> Placement | None:
        """Return the piece and the cells that a name says, be it an option or not."""
        inside = WRAPPED.fullmatch(name)
        piece, places = _split(self._pieces, inside.group(1) if inside else name)
        if piece in self._pieces and places != [""]:
            found = (cell for place in places for cell in _cells(self._board, place.strip()))
            cells = list(dict.fromkeys(found))
        else:
            piece, cells = self._spelt(name)
        if piece not in self._pieces or len(cells) != self._sizes[piece]:
            return None
        return Placement(self._pieces[piece], tuple(sorted(cells)))

    def _spelt(self, name: str) -> tuple[str, list[Cell]]:
        """Read a name that ends in a piece and nothing but numbers, two for each cell."""
        parts = [part for part in re.split(r"[^0-9A-Za-z]+", name) if part]
        numbers: list[str] = []
        while parts and (found := re.fullmatch(r"\d+|r(\d+)c(\d+)", parts[-1])):
            part = parts.pop()
            numbers[:0] = found.groups() if found.group(1) else [part]
        piece = parts[-1] if parts else ""
        if len(numbers) == self._sizes.get(piece) and all(len(n) == 2 for n in numbers):
            return piece, [(int(n[0]), int(n[1])) for n in numbers]
        if len(numbers) != 2 * self._sizes.get(piece, 0):
            return piece, []
        return piece, [
            (int(row), int(column)) for row, column in zip(numbers[::2], numbers[1::2], strict=True)
        ]


def _tail(name: str) -> tuple[str, str]:
    """Return the last two words of a name, small: ``day`` and ``29`` of ``x[day,29]``."""
    *_, before, last = ("", "", *filter(None, re.split(r"[\W_]+", name.casefold())))
    return before, last
