r"""Tilings, boards and points of models as characters, for a terminal or a pipe.

A cell of hexagons is as wide as its longest text, with slanted walls above and below::

     / \ / \
    |Jan| * |
     \ / \ / \
      |Feb| 1 |
       \ / \ /

Its texts have one line; the walls between two rows have one line for every
step that the slant takes to the middle of a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from calmip.problem.board import HOLE, Board, Piece
from calmip.problem.instance import Instance, Placement
from calmip.problem.lattice import HEXAGONAL, SQUARE, Cell, Lattice
from calmip.problem.shown import width_of
from calmip.problem.tiling import Tiling
from calmip.render.characters import Style, centred, painted
from calmip.render.outline import enclosed
from calmip.render.palette import terminal_colour

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel

__all__ = [
    "Style",
    "draw_board",
    "draw_choice",
    "draw_hexagons",
    "draw_piece",
    "draw_position",
    "draw_tiling",
    "point_text",
]


PALETTE = (72, 227, 105, 166, 123, 170, 178, 193, 209, 250, 117, 138, 147, 151, 185, 146)
"""For each colour of the pieces in pictures the nearest one of the 256-colour table."""

FILLED = "###"
"""What stands in a hole of a board."""

MARK = 222
"""The colour of marked cells."""

# The character where walls meet, by which of the four directions have one:
# 1 up, 2 right, 4 down, 8 left.
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
PLAIN = " |-+||++-+-+++++"


def draw_tiling(tiling: Tiling, style: Style | None = None) -> str:
    """Return a drawing of a tiling: outlined pieces with their names, and the revealed labels."""
    board = tiling.instance.puzzle.board
    colours = _colours(tiling.instance)
    owner: dict[Cell, str] = dict(tiling.owner)
    texts = dict(tiling.owner)
    for label in tiling.labels:
        for cell in board.labels[label]:
            # A label's cells belong together, and to no piece.
            owner[cell] = f"{HOLE}{label}"
            texts[cell] = label
    fills = {cell: colours[name] for cell, name in tiling.owner.items()}
    return _draw_on(board, owner, texts, fills, style or Style())


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
    colours = _colours(instance)
    on_cell: dict[Cell, list[tuple[int, str]]] = {}
    for number, placement in enumerate(placements):
        for cell in placement.cells:
            on_cell.setdefault(cell, []).append((number, placement.piece))
    bare = board.labelled(labels)
    owner, texts, fills = {}, {}, {}
    for cell in board.cells:
        here = on_cell.get(cell, [])
        owner[cell] = " ".join(str(number) for number, _ in here) or f"{HOLE}{bare.get(cell)}"
        texts[cell] = "+".join(name for _, name in here[:3]) + ("+" if len(here) > 3 else "")
        texts[cell] = texts[cell] or bare.get(cell, "?")
        if len(here) == 1:
            fills[cell] = colours.get(here[0][1], PALETTE[0])
    return _draw_on(board, owner, texts, fills, style or Style())


def draw_board(board: Board, style: Style | None = None) -> str:
    """Return a drawing of a board: its labels, a wall around every label."""
    texts = {cell: board.label(cell) for cell in board.cells}
    owner = {
        cell: text if text in board.labels else f"{HOLE}{cell}" for cell, text in texts.items()
    }
    return _draw_on(board, owner, texts, {}, style or Style())


def draw_position(
    instance: Instance,
    style: Style | None = None,
    *,
    shown: Placement | None = None,
    marked: Iterable[Cell] = (),
) -> str:
    """Return a drawing of the placed pieces, with the labels of all other cells.

    A piece that is shown, and not placed, has its name in brackets; so have
    marked cells their texts, on a colour where there are colours.
    """
    board = instance.puzzle.board
    owner: dict[Cell, str] = dict.fromkeys(board.cells, HOLE)
    texts = {cell: board.label(cell) for cell in board.cells}
    fills: dict[Cell, int] = {}
    for label in instance.labels:
        owner.update(dict.fromkeys(board.labels[label], f"{HOLE}{label}"))
    colours = _colours(instance)
    lying = [(one, one.piece) for one in instance.placed]
    lying += [(shown, f"[{shown.piece}]")] if shown is not None else []
    for one, text in lying:
        owner.update(dict.fromkeys(one.cells, one.piece))
        texts.update(dict.fromkeys(one.cells, text))
        fills.update(dict.fromkeys(one.cells, colours[one.piece]))
    for cell in marked:
        texts[cell] = f"[{texts[cell]}]"
        fills[cell] = MARK
    return _draw_on(board, owner, texts, fills, style or Style())


def draw_piece(piece: Piece, style: Style | None = None, *, colour: int = 0, room: int = 0) -> str:
    """Return a drawing of a piece: its outline, its name in its first cell.

    Its cells have room for names of so many characters, so that pieces drawn
    with the same room are drawn at the same size.
    """
    fills = dict.fromkeys(piece.cells, _colour(piece, colour))
    owner = dict.fromkeys(piece.cells, piece.name)
    name = centred(piece.name, max(room, width_of(piece.name)))
    return _draw(piece.lattice, owner, {piece.cells[0]: name}, fills, style or Style())


def _colours(instance: Instance) -> dict[str, int]:
    """Return the colours of the pieces by their names."""
    return {piece.name: _colour(piece, n) for n, piece in enumerate(instance.puzzle.pieces)}


def _colour(piece: Piece, number: int) -> int:
    return terminal_colour(piece.colour) if piece.colour else PALETTE[number % len(PALETTE)]


def _draw_on(
    board: Board,
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> str:
    """Draw what lies on a board, its holes filled: nobody takes one for an uncovered cell."""
    holes = enclosed(board.lattice, board.cells)
    owner = {**owner, **dict.fromkeys(holes, FILLED)}
    texts = {**texts, **dict.fromkeys(holes, FILLED)}
    return _draw(board.lattice, owner, texts, fills, style)


def _draw(
    lattice: Lattice,
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> str:
    return "\n".join(DRAWN.get(lattice.name, _draw_names)(owner, texts, fills, style))


def _draw_squares(
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> list[str]:
    """Draw walls between cells of different owners; places off the board have no owner."""
    top, left = min(r for r, _ in owner), min(c for _, c in owner)
    bottom, right = max(r for r, _ in owner) + 1, max(c for _, c in owner) + 1
    inner = max(3, 2 + max(width_of(text) for text in texts.values()))
    corners = BOXES if style.boxes else PLAIN
    flat = corners[10]
    lines = []
    for r in range(top, bottom + 1):
        line = ""
        for c in range(left, right + 1):
            around = [owner.get(cell) for cell in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c))]
            north_west, north_east, south_west, south_east = around
            walls = (
                (north_west != north_east)
                + 2 * (north_east != south_east)
                + 4 * (south_west != south_east)
                + 8 * (north_west != south_west)
            )
            line += painted(corners[walls], None if walls else fills.get((r, c)), style)
            if c < right:
                wall = north_east != south_east
                line += painted(
                    (flat if wall else " ") * inner, None if wall else fills.get((r, c)), style
                )
        lines.append(line.rstrip())
        if r == bottom:
            break
        line = ""
        for c in range(left, right + 1):
            wall = owner.get((r, c - 1)) != owner.get((r, c))
            line += painted(corners[5] if wall else " ", None if wall else fills.get((r, c)), style)
            if c < right:
                text = centred(texts.get((r, c), ""), inner)
                bold = (r, c) in texts and (r, c) not in fills
                line += painted(text, fills.get((r, c)), style, bold=bold)
        lines.append(line.rstrip())
    return lines


def _draw_names(
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> list[str]:
    """Write what is in each cell, row by row as in a puzzle file, on any lattice."""
    rows, columns = [r for r, _ in owner], [c for _, c in owner]
    shown = {cell: texts.get(cell, name) for cell, name in owner.items()}
    inner = max(map(width_of, shown.values()))
    return [
        " ".join(
            painted(centred(shown.get((r, c), HOLE), inner), fills.get((r, c)), style)
            for c in range(min(columns), max(columns) + 1)
        ).rstrip()
        for r in range(min(rows), max(rows) + 1)
    ]


SLANTED_BOXES = "╱╲│"  # noqa: RUF001
SLANTED_PLAIN = "/\\|"

# A text or a mark at (line, column): with its colour, and whether it is bold.
Marks = dict[tuple[int, int], tuple[str, int | None, bool]]


def draw_hexagons(
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> list[str]:
    """Return the lines of a drawing: walls between cells of different owners, texts in cells.

    Parameters
    ----------
    owner
        What each cell belongs to; cells that are not in it are left out.
    texts
        What stands in each cell; it is bold where there is no colour.
    fills
        The colours of cells.
    style
        How to draw.
    """
    inner = max([3, *(width_of(text) for text in texts.values())])
    inner += 1 - inner % 2
    half, slant = inner // 2 + 1, inner // 2
    left = min(HEXAGONAL.grid_corners(cell)[-1][0] for cell in owner)
    top = min(row for row, _ in owner)
    marks: Marks = {}
    for cell in owner:
        x = (HEXAGONAL.grid_corners(cell)[-1][0] - left) * half
        y = (cell[0] - top) * (slant + 1) + slant
        fill, text = fills.get(cell), centred(texts.get(cell, ""), inner)
        marks[y, x + 1] = (text, fill, cell in texts and fill is None)
        for step in range(slant):
            # Step 0 of a slant is the one next to the cell's text.
            marks[y - 1 - step, x + 2 + step] = (" " * (inner - 2 - 2 * step), fill, False)
            marks[y + 1 + step, x + 2 + step] = (" " * (inner - 2 - 2 * step), fill, False)
        for k, other in enumerate(HEXAGONAL.neighbours(cell)):
            mark, places = _wall(k, x, y, inner, slant)
            wall = owner.get(other) != owner[cell]
            shown = (SLANTED_BOXES if style.boxes else SLANTED_PLAIN)[mark] if wall else " "
            for place in places:
                marks[place] = (shown, None if wall else fill, False)
    return _joined(marks, style)


def _wall(k: int, x: int, y: int, inner: int, slant: int) -> tuple[int, list[tuple[int, int]]]:
    """Return which mark the wall at step k of a cell has, and the places (line, column)."""
    steps, right = range(slant), x + inner + 1
    return [
        (1, [(y - 1 - step, right - 1 - step) for step in steps]),
        (2, [(y, right)]),
        (0, [(y + 1 + step, right - 1 - step) for step in steps]),
        (1, [(y + 1 + step, x + 1 + step) for step in steps]),
        (2, [(y, x)]),
        (0, [(y - 1 - step, x + 1 + step) for step in steps]),
    ][k]


def _joined(marks: Marks, style: Style) -> list[str]:
    lines: dict[int, list[tuple[int, str, int | None, bool]]] = {}
    for (line, column), (text, fill, bold) in sorted(marks.items()):
        lines.setdefault(line, []).append((column, text, fill, bold))
    drawn = []
    for line in range(max(lines) + 1):
        shown, end = "", 0
        for column, text, fill, bold in lines.get(line, []):
            shown += " " * (column - end) + painted(text, fill, style, bold=bold)
            end = column + width_of(text)
        drawn.append(shown.rstrip())
    return drawn


DRAWN = {SQUARE.name: _draw_squares, HEXAGONAL.name: draw_hexagons}
"""What draws walls between the cells of a lattice, by the lattice's word; others have names."""


def point_text(model: BinaryModel, ones: Iterable[int]) -> str:
    """Return the names of the columns that are one, whatever a terminal might obey escaped."""
    names = " ".join(model.columns[column] for column in ones)
    shown = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in names)
    return shown or "(no column is one)"
