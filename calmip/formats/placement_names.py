"""What people call placements: by piece and cells, as modelling languages write it."""

from __future__ import annotations

import re
from functools import cached_property

from calmip.problem.board import Board
from calmip.problem.cover import ExactCover, Placement, Reveal
from calmip.problem.lattice import Cell

__all__ = ["PlacementNames"]

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
        piece, colon, places = (inside.group(1) if inside else name).rpartition(":")
        if colon and piece in self._pieces:
            cells = _written(self._board, places)
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


def _written(board: Board, places: str) -> list[Cell]:
    """Return the cells of labels and ``row,column`` with ``+`` between them."""
    found: list[Cell] = []
    for place in places.split("+"):
        row, comma, column = place.partition(",")
        if comma and row.isdecimal() and column.isdecimal():
            found.append((int(row), int(column)))
        else:
            found.extend(board.labels.get(place.strip(), ()))
    return list(dict.fromkeys(found))


def _tail(name: str) -> tuple[str, str]:
    """Return the last two words of a name, small: ``day`` and ``29`` of ``x[day,29]``."""
    *_, before, last = ("", "", *filter(None, re.split(r"[\W_]+", name.casefold())))
    return before, last
