"""Tilings and boards drawn with characters, for a terminal or a pipe."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calmip.board import HOLE, Board
from calmip.cover import Placement
from calmip.instance import Instance
from calmip.lattice import Cell
from calmip.tiling import Tiling

__all__ = ["Style", "draw_board", "draw_choice", "draw_tiling"]

PALETTE = (110, 215, 149, 217, 116, 228, 183, 114, 209, 250, 73, 143)
"""Colours of the 256-colour table, light and told apart with colour-blind eyes."""

# The character where walls meet, by which of the four directions have one:
# 1 up, 2 right, 4 down, 8 left.
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
PLAIN = " |-+||++-+-+++++"


@dataclass(frozen=True)
class Style:
    """How to draw.

    Parameters
    ----------
    colour
        Whether to fill pieces with colours (ANSI escape sequences).
    boxes
        Whether to draw walls with box characters, not ``+ - |``.
    """

    colour: bool = False
    boxes: bool = False


def draw_tiling(tiling: Tiling, style: Style | None = None) -> str:
    """Return a drawing of a tiling: outlined pieces with their names, and the revealed labels."""
    board = tiling.instance.puzzle.board
    names = [piece.name for piece in tiling.instance.puzzle.pieces]
    colours = {name: PALETTE[number % len(PALETTE)] for number, name in enumerate(names)}
    owner: dict[Cell, str] = dict(tiling.owner)
    texts = dict(tiling.owner)
    for label in tiling.labels:
        for cell in board.labels[label]:
            # A label's cells belong together, and to no piece.
            owner[cell] = f"{HOLE}{label}"
            texts[cell] = label
    fills = {cell: colours[name] for cell, name in tiling.owner.items()}
    return _draw(board, owner, texts, fills, style or Style())


def draw_choice(
    instance: Instance,
    placements: Iterable[Placement],
    labels: Iterable[str],
    style: Style | None = None,
) -> str:
    """Return a drawing of pieces that need not make a tiling, with the faults marked.

    A cell that nothing covers shows ``?``; one that is covered more than once
    shows the pieces that meet on it, with ``+``.
    """
    board = instance.puzzle.board
    names = [piece.name for piece in instance.puzzle.pieces]
    colours = {name: PALETTE[number % len(PALETTE)] for number, name in enumerate(names)}
    on_cell: dict[Cell, list[tuple[int, str]]] = {}
    for number, placement in enumerate(placements):
        for cell in placement.cells:
            on_cell.setdefault(cell, []).append((number, placement.piece))
    bare = {cell: label for label in labels for cell in board.labels[label]}
    owner, texts, fills = {}, {}, {}
    for cell in board.cells:
        here = on_cell.get(cell, [])
        owner[cell] = " ".join(str(number) for number, _ in here) or f"{HOLE}{bare.get(cell)}"
        texts[cell] = "+".join(name for _, name in here[:3]) + ("+" if len(here) > 3 else "")
        texts[cell] = texts[cell] or bare.get(cell, "?")
        if len(here) == 1:
            fills[cell] = colours.get(here[0][1], PALETTE[0])
    return _draw(board, owner, texts, fills, style or Style())


def draw_board(board: Board, style: Style | None = None) -> str:
    """Return a drawing of a board: its labels, a wall around every label."""
    texts = {cell: board.label(cell) for cell in board.cells}
    owner = {
        cell: text if text in board.labels else f"{HOLE}{cell}" for cell, text in texts.items()
    }
    return _draw(board, owner, texts, {}, style or Style())


def _draw(
    board: Board,
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> str:
    """Draw walls between cells of different owners; places off the board have no owner."""
    height, width = board.shape
    inner = max(3, 2 + max(_width(text) for text in texts.values()))
    corners = BOXES if style.boxes else PLAIN
    flat = corners[10]
    lines = []
    for r in range(height + 1):
        line = ""
        for c in range(width + 1):
            around = [owner.get(cell) for cell in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c))]
            north_west, north_east, south_west, south_east = around
            walls = (
                (north_west != north_east)
                + 2 * (north_east != south_east)
                + 4 * (south_west != south_east)
                + 8 * (north_west != south_west)
            )
            line += _painted(corners[walls], None if walls else fills.get((r, c)), style)
            if c < width:
                wall = north_east != south_east
                line += _painted(
                    (flat if wall else " ") * inner, None if wall else fills.get((r, c)), style
                )
        lines.append(line.rstrip())
        if r == height:
            break
        line = ""
        for c in range(width + 1):
            wall = owner.get((r, c - 1)) != owner.get((r, c))
            line += _painted(
                corners[5] if wall else " ", None if wall else fills.get((r, c)), style
            )
            if c < width:
                text = _centred(texts.get((r, c), ""), inner)
                bold = (r, c) in texts and (r, c) not in fills
                line += _painted(text, fills.get((r, c)), style, bold=bold)
        lines.append(line.rstrip())
    return "\n".join(lines)


def _painted(text: str, colour: int | None, style: Style, *, bold: bool = False) -> str:
    if not style.colour:
        return text
    if colour is not None:
        return f"\x1b[38;5;16;48;5;{colour}m{text}\x1b[0m"
    return f"\x1b[1m{text}\x1b[0m" if bold else text


def _centred(text: str, width: int) -> str:
    space = width - _width(text)
    return " " * ((space + 1) // 2) + text + " " * (space // 2)


def _width(text: str) -> int:
    """Return how many columns a terminal gives a text."""
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    thin = sum(unicodedata.combining(mark) != 0 for mark in text)
    return len(text) + wide - thin
