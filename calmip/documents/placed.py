"""Placed pieces as people write them: ``U:15+16+22 Y:3,0+4,0``.

An entry names a piece and places that it covers: labels, or row,column from 0
on. As many places as settle the matter will do; all of them always do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from calmip.errors import InputError, listed, shown
from calmip.problem.board import BLANK, HOLE, Piece, label_among
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import Cell

__all__ = ["Placed", "with_placed", "written"]

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
    names = [piece.name for piece in instance.puzzle.pieces if text.startswith(f"{piece.name}:")]
    name = max(names, key=len, default=text.partition(":")[0])
    if ":" not in text or not name:
        raise InputError(
            f"'{shown(text)}' does not say what lies where; write PIECE:PLACE+PLACE, "
            "with labels or row,column for places, for example U:15+16 or U:3,0+3,1",
            where=("placed", number),
        )
    return _Entry(number, name, text[len(name) + 1 :].split("+"))


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
    cells = board.labels.get(label_among(board.labels, place) or "", ())
    if not cells:
        row, comma, column = place.partition(",")
        digits = row.strip(), column.strip()
        if not comma or not all(text.isascii() and text.isdigit() for text in digits):
            if place in (BLANK, HOLE, ""):
                fault = "several cells have no label" if place == BLANK else "there is no place"
                raise entry.fault(
                    f"piece {name}: {fault} '{shown(place)}'; write row,column, for example 3,0"
                )
            raise entry.fault(
                f"piece {name}: '{shown(place)}' is neither a label on the board nor "
                f"row,column; the labels are {listed(list(board.labels))}"
            )
        cells = ((int(digits[0][:9]), int(digits[1][:9])),)
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


def _place(instance: Instance, cell: Cell) -> str:
    """Return the shortest name of a cell that is its own: the label, or ``row,column``."""
    board = instance.puzzle.board
    label = board.label(cell)
    plain = len(board.labels.get(label, ())) == 1 and not set(label) & set("+;")
    return label if plain else f"{cell[0]},{cell[1]}"


def _named(instance: Instance, cells: Sequence[Cell]) -> str:
    return listed([_place(instance, cell) for cell in cells])
