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

from calmip._base.errors import join_words
from calmip.mip.display import describe_number, row_words, width_of
from calmip.puzzle.board import HOLE, Board, Piece
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import HEXAGONAL, SQUARE, TRIANGULAR, Cell, Lattice
from calmip.puzzle.render.characters import PLAIN, Style, centre_text, paint
from calmip.puzzle.render.outline import hole_cells
from calmip.puzzle.render.palette import terminal_colour
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, Problem, per_kind
from calmip.puzzle.tiling import Tiling

if TYPE_CHECKING:
    from calmip.mip.model import Model, Point
    from calmip.puzzle.tasks.problems import PerKind

PALETTE = (72, 227, 105, 166, 123, 170, 178, 193, 209, 250, 117, 138, 147, 151, 185, 146)
"""For each piece colour of pictures, the nearest one of the 256-colour table."""

FILLED = "###"
"""The text in a hole of a board."""

MARK = 222
"""The colour of marked cells."""

Texts = Mapping[Cell, str]
Fills = Mapping[Cell, int]

# The character where walls meet, by which of the four directions have one:
# 1 up, 2 right, 4 down, 8 left.
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
ASCII = " |-+||++-+-+++++"


def draw_tiling(tiling: Tiling, style: Style = PLAIN) -> str:
    """Return a drawing of a tiling: outlined pieces with their names, and the uncovered labels.

    Pieces that are left out, and those with two colours whose back is up, are listed below it.
    """
    board = tiling.instance.puzzle.board
    colours = _colours(tiling.instance, tiling.placements)
    owner: dict[Cell, str] = dict(tiling.owner)
    texts = dict(tiling.owner)
    for label in tiling.labels:
        for cell in board.labels[label]:
            # A label's cells belong together, and to no piece.
            owner[cell] = f"{HOLE}{label}"
            texts[cell] = label
    fills = {cell: colours[one] for one in tiling.placements for cell in one.cells}
    left = f"\nleft out: {join_words(tiling.left)}" if tiling.left else ""
    backs = f"\nback up: {join_words(tiling.backs)}" if tiling.backs else ""
    return _draw_on(board, owner, texts, fills, style) + left + backs


def draw_choice(
    instance: Instance,
    placements: Iterable[Placement],
    labels: Iterable[str],
    style: Style = PLAIN,
) -> str:
    """Return a drawing of pieces that need not make a tiling, with the faults marked.

    A cell that nothing covers shows ``?``; one that is covered more than once
    shows the pieces that meet on it, with ``+``.
    """
    board = instance.puzzle.board
    placements = list(placements)
    colours = _colours(instance, placements)
    on_cell: dict[Cell, list[tuple[int, Placement]]] = {}
    for number, placement in enumerate(placements):
        for cell in placement.cells:
            on_cell.setdefault(cell, []).append((number, placement))
    bare = board.labelled(labels)
    owner, texts, fills = {}, {}, {}
    for cell in board.cells:
        here = on_cell.get(cell, [])
        owner[cell] = " ".join(str(number) for number, _ in here) or f"{HOLE}{bare.get(cell)}"
        texts[cell] = "+".join(one.piece for _, one in here[:3]) + ("+" if len(here) > 3 else "")
        texts[cell] = texts[cell] or bare.get(cell, "?")
        if len(here) == 1:
            fills[cell] = colours.get(here[0][1], PALETTE[0])
    return _draw_on(board, owner, texts, fills, style)


def draw_board(board: Board, style: Style = PLAIN) -> str:
    """Return a drawing of a board: its labels, a wall around every label."""
    texts = {cell: board.label(cell) for cell in board.cells}
    owner = {
        cell: text if text in board.labels else f"{HOLE}{cell}" for cell, text in texts.items()
    }
    return _draw_on(board, owner, texts, {}, style)


def draw_position(
    instance: Instance,
    style: Style = PLAIN,
    *,
    hint: Placement | None = None,
    marked: Iterable[Cell] = (),
) -> str:
    """Return a drawing of the placed pieces, with the labels of all other cells.

    The name of a suggested piece and the texts of marked cells are in brackets; marked cells
    have a colour where there are colours.
    """
    board = instance.puzzle.board
    owner: dict[Cell, str] = dict.fromkeys(board.cells, HOLE)
    texts = {cell: board.label(cell) for cell in board.cells}
    fills: dict[Cell, int] = {}
    for label in instance.labels:
        owner.update(dict.fromkeys(board.labels[label], f"{HOLE}{label}"))
    lying = [(one, one.piece) for one in instance.placed]
    lying += [(hint, f"[{hint.piece}]")] if hint is not None else []
    colours = _colours(instance, [one for one, _ in lying])
    for one, text in lying:
        owner.update(dict.fromkeys(one.cells, one.piece))
        texts.update(dict.fromkeys(one.cells, text))
        fills.update(dict.fromkeys(one.cells, colours[one]))
    for cell in marked:
        texts[cell] = f"[{texts[cell]}]"
        fills[cell] = MARK
    return _draw_on(board, owner, texts, fills, style)


def draw_piece(piece: Piece, style: Style = PLAIN, *, colour: int = 0, room: int = 0) -> str:
    """Return a drawing of a piece: its outline, its name in its first cell.

    Its cells have room for names of ``room`` characters, so that pieces drawn
    with the same room are drawn at the same size.
    """
    fills = dict.fromkeys(piece.cells, _colour(piece, colour, piece.cells))
    owner = dict.fromkeys(piece.cells, piece.name)
    name = centre_text(piece.name, max(room, width_of(piece.name)))
    return _draw(piece.lattice, owner, {piece.cells[0]: name}, fills, style)


def _colours(instance: Instance, placements: Iterable[Placement]) -> dict[Placement, int]:
    """Return the colour of the side that is up, for placements of the puzzle's pieces."""
    known = {piece.name: (piece, number) for number, piece in enumerate(instance.puzzle.pieces)}
    return {one: _colour(*known[one.piece], one.cells) for one in placements if one.piece in known}


def _colour(piece: Piece, number: int, cells: Iterable[Cell]) -> int:
    own = piece.colour_on(cells)
    return terminal_colour(own) if own else PALETTE[number % len(PALETTE)]


def _draw_on(board: Board, owner: Texts, texts: Texts, fills: Fills, style: Style) -> str:
    """Draw a board; its holes are filled, so they differ from uncovered cells."""
    holes = dict.fromkeys(hole_cells(board.lattice, board.cells), FILLED)
    return _draw(board.lattice, {**owner, **holes}, {**texts, **holes}, fills, style)


def _draw(lattice: Lattice, owner: Texts, texts: Texts, fills: Fills, style: Style) -> str:
    return "\n".join(WRITERS.get(lattice.name, _draw_names)(owner, texts, fills, style))


def _draw_squares(owner: Texts, texts: Texts, fills: Fills, style: Style) -> list[str]:
    """Draw walls between cells of different owners; places off the board have no owner."""
    top, left = min(r for r, _ in owner), min(c for _, c in owner)
    bottom, right = max(r for r, _ in owner) + 1, max(c for _, c in owner) + 1
    inner = max(3, 2 + max(width_of(text) for text in texts.values()))
    corners = BOXES if style.boxes else ASCII
    lines = []
    for r in range(top, bottom + 1):
        above = below = ""
        for c in range(left, right + 1):
            around = ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c))
            north_west, north_east, south_west, south_east = map(owner.get, around)
            over, aside = north_east != south_east, south_west != south_east
            walls = (north_west != north_east) + 2 * over + 4 * aside
            walls += 8 * (north_west != south_west)
            fill = fills.get((r, c))
            above += paint(corners[walls], None if walls else fill, style)
            below += paint(corners[5 * aside], None if aside else fill, style)
            if c < right:
                above += paint(corners[10 * over] * inner, None if over else fill, style)
                text = centre_text(texts.get((r, c), ""), inner)
                below += paint(text, fill, style, bold=(r, c) in texts and fill is None)
        lines += [above.rstrip(), below.rstrip()]
    return lines[:-1]


def _draw_names(owner: Texts, texts: Texts, fills: Fills, style: Style) -> list[str]:
    """Write what is in each cell, row by row as in a puzzle file, on any lattice."""
    rows, columns = [r for r, _ in owner], [c for _, c in owner]
    shown = {cell: texts.get(cell, name) for cell, name in owner.items()}
    inner = max(map(width_of, shown.values()))
    return [
        " ".join(
            paint(centre_text(shown.get((r, c), HOLE), inner), fills.get((r, c)), style)
            for c in range(min(columns), max(columns) + 1)
        ).rstrip()
        for r in range(min(rows), max(rows) + 1)
    ]


SLANTED_BOXES = "╱╲│"  # noqa: RUF001
SLANTED_PLAIN = "/\\|"

# A text or a mark at (line, column): with its colour, and whether it is bold.
Marks = dict[tuple[int, int], tuple[str, int | None, bool]]


def draw_hexagons(owner: Texts, texts: Texts, fills: Fills, style: Style) -> list[str]:
    """Return the lines of a drawing: walls between cells of different owners, texts in cells.

    Cells without an owner are left out. Texts are bold where there is no colour.
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
        fill, text = fills.get(cell), centre_text(texts.get(cell, ""), inner)
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
    return _join(marks, style)


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


def _join(marks: Marks, style: Style) -> list[str]:
    lines: dict[int, list[tuple[int, str, int | None, bool]]] = {}
    for (line, column), (text, fill, bold) in sorted(marks.items()):
        lines.setdefault(line, []).append((column, text, fill, bold))
    drawn = []
    for line in range(max(lines) + 1):
        shown, end = "", 0
        for column, text, fill, bold in lines.get(line, []):
            shown += " " * (column - end) + paint(text, fill, style, bold=bold)
            end = column + width_of(text)
        drawn.append(shown.rstrip())
    return drawn


def draw_triangles(owner: Texts, texts: Texts, fills: Fills, style: Style) -> list[str]:
    """Return the lines of a drawing: walls between cells of different owners, texts in cells.

    Cells without an owner are left out. Texts are bold where there is no colour.
    """
    # A row has as many lines as a slanted wall; the last one has the level walls below it.
    high = max([2, *((width_of(text) + 1) // 2 + 1 for text in texts.values())]) + 1
    top, left = min(row for row, _ in owner), min(column for _, column in owner)
    slants = SLANTED_BOXES if style.boxes else SLANTED_PLAIN
    marks: Marks = {}
    for cell, name in owner.items():
        line, start = (cell[0] - top) * high + 1, (cell[1] - left) * high
        fill, up = fills.get(cell), TRIANGULAR.kind(cell) == 0
        walls = [owner.get(other) != name for other in TRIANGULAR.neighbours(cell)]
        level, (right, west) = walls.pop(1 if up else 0), walls
        ends = start, start + 2 * high - 1
        for step in range(high):
            depth = step if up else high - 1 - step  # from the point, where the walls meet
            below = up and level and step == high - 1
            space = ("_", None, False) if below else (" ", fill, False)
            sides = (start + high - 1 - depth, west, not up), (start + high + depth, right, up)
            for place, wall, mark in sides:
                if wall or below:
                    marks[line + step, place] = (slants[mark], None, False) if wall else space
                marks.setdefault((line + step, place), space)
            if depth:
                marks[line + step, start + high - depth] = (space[0] * 2 * depth, *space[1:])
        if not up and level and (cell[0] - 1, cell[1]) not in owner:
            marks[line - 1, start + 1] = ("_" * (2 * high - 2), None, False)
            for end, beside in zip(ends, (-1, 1), strict=True):
                if (cell[0], cell[1] + beside) in owner:
                    marks.setdefault((line - 1, end), ("_", None, False))
        if cell in texts:
            text = centre_text(texts[cell], 2 * (high - 2))
            marks[line + (high - 2 if up else 1), start + 2] = (text, fill, fill is None)
    lines = _join(marks, style)
    return lines if lines[0].strip() else lines[1:]


WRITERS = {
    SQUARE.name: _draw_squares,
    HEXAGONAL.name: draw_hexagons,
    TRIANGULAR.name: draw_triangles,
}
"""The function that draws the walls of a lattice, by its name; other lattices have names."""


solution_text: PerKind[str] = per_kind()
"""Return a solution of a problem in lines, with its objective if requested."""


@solution_text.register(InstanceProblem)
def _(_: Problem, tiling: Tiling, style: Style = PLAIN, **__: bool) -> str:
    return f"{' '.join(tiling.labels)}\n{draw_tiling(tiling, style)}\n"


@solution_text.register(ModelProblem)
def _(problem: ModelProblem, point: Point, _: Style = PLAIN, *, valued: bool) -> str:
    model = problem.model
    value = f"objective {describe_number(model.exact_objective(point))}: " if valued else ""
    return f"{value}{point_text(model, point)}"


def point_text(model: Model, point: Point) -> str:
    """Return the names of the columns that are one, or all values, escaped for a terminal."""
    if isinstance(point, Mapping):
        values = model.own(point).items()
        pairs = ((safe_name(model.columns[c]), describe_number(x)) for c, x in values)
        return " ".join(f"{name}={number}" for name, number in pairs) or "(every value is 0)"
    return " ".join(safe_name(model.columns[column]) for column in point) or "(no column is one)"


def row_text(model: Model, number: int) -> str:
    """Return a row with its name, or the construct that it linearises, escaped for a terminal."""
    construct = None if model.logic is None else model.logic.construct_of(number)
    if construct is not None:
        return safe_name(construct.words(model.columns))
    terms, low, high = model.exact_row(number)
    return safe_name(f"{model.rows[number]}: {row_words(terms, low, high, model.columns)}")


def safe_name(name: str) -> str:
    """Return the name of a column or a row, escaped for a terminal."""
    return "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in name)
