"""Pictures of tilings, boards, pieces and puzzles; one unit is the width of a cell.

Many tilings stand on one sheet, or on pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from calmip._base.errors import InputError, join_words
from calmip.puzzle.board import BLANK, Board, Piece
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.lattice import Cell, Lattice, Point
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.outline import bounds, centre, grid, hole_cells, outline
from calmip.puzzle.render.palette import name_role, piece_role
from calmip.puzzle.render.picture import CELL, Area, Mark, Picture, Words, fit, shift
from calmip.puzzle.tiling import Tiling

MARGIN = 0.35
GAP = 0.9
THIN, WALL, EDGE, MARKED = 0.02, 0.055, 0.09, 0.15
MARK = "#ffd54f"
"""The colour of marked cells: bright, and grey where a printer has no colour."""
LABEL, NAME = 0.5, 0.26
TYPE_RISE = 0.12
"""How far a line of type reaches above and below its middle."""
SMALLEST = 0.13
SMALL = 0.55
"""The size of the pieces beside a puzzle's board."""


def tiling_picture(tiling: Tiling) -> Picture:
    """Return the picture of a tiling: outlined pieces, the uncovered labels large."""
    puzzle = tiling.instance.puzzle
    labels = " ".join(tiling.labels)
    title = f"{puzzle.name}: {labels}" if labels else puzzle.name
    names = join_words([placement.piece for placement in tiling.placements])
    left = f"; uncovered: {join_words(tiling.labels)}" if tiling.labels else ""
    left += f"; left out: {join_words(tiling.left)}" if tiling.left else ""
    left += f"; back up: {join_words(tiling.backs)}" if tiling.backs else ""
    drawn = day_picture(tiling.instance, tiling, names=True)
    return _frame(drawn, title, f"A tiling by the pieces {names}{left}.")


def day_picture(instance: Instance, tiling: Tiling | None, *, names: bool = False) -> Picture:
    """Return a tiling without a frame; without a tiling, the board with the uncovered labels.

    The marks of all pieces come first, then their names if requested.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    placements = () if tiling is None else tiling.placements
    roles = _lying(instance.puzzle, placements)
    marks = _ground(board)
    marks += _labels(board, instance.labels if tiling is None else tiling.labels, bold=True)
    marks += [Area(outline(lattice, one.cells), roles[one], "line", WALL) for one in placements]
    if names:
        marks += [_name(lattice, one, roles[one]) for one in placements]
    return _at_origin(lattice, board.cells, [*marks, _edge(board)])


def blank_picture(instance: Instance) -> Picture:
    """Return the board of an instance without a frame, its cells empty and the labels marked."""
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    bare = [cell for label in instance.labels for cell in board.labels[label]]
    lines = tuple(grid(lattice, {cell: cell for cell in board.cells}))
    marks = [
        *_ground(board),
        *(Area((lattice.corners(cell),), MARK) for cell in bare),
        Area(lines, "", "line", THIN, closed=False),
        *_labels(board, instance.labels, bold=True, fill="", ink=name_role(MARK)),
        _edge(board),
    ]
    return _at_origin(lattice, board.cells, marks)


def position_picture(instance: Instance, hint: Placement | None = None) -> Picture:
    """Return the picture of a position: what lies on the board, and a suggested piece.

    The suggested piece has a heavy outline and a bold name. Labels that are
    still to be covered are small, those to stay uncovered large.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    placements = (*instance.placed, *([hint] if hint is not None else []))
    roles = _lying(instance.puzzle, placements)
    marks = _board(board, instance.labels)
    for one in placements:
        # On dark paper lines are darker than pieces: a heavier one would not be seen.
        line, width = ("ink", MARKED) if one is hint else ("line", WALL)
        marks.append(Area(outline(lattice, one.cells), roles[one], line, width))
        marks.append(_name(lattice, one, roles[one], bold=one is hint))
    text = f"A position with the pieces {join_words([one.piece for one in instance.placed])} placed"
    if hint is not None:
        text += f", and the piece {hint.piece} as a hint"
    title = f"{instance.puzzle.name}: {' '.join(instance.labels)}"
    return _frame(_at_origin(lattice, board.cells, marks), title, f"{text}.")


def choice_picture(
    instance: Instance, placements: Sequence[Placement], labels: Sequence[str]
) -> Picture:
    """Return the picture of pieces that need not make a tiling, with the faults marked.

    A cell that nothing covers shows ``?``, one that several pieces cover their names.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    roles = _lying(instance.puzzle, placements)
    bare = board.labelled(labels)
    on_cell: dict[Cell, list[str]] = {}
    for one in placements:
        for cell in one.cells:
            on_cell.setdefault(cell, []).append(one.piece)
    marks = [*_ground(board), *_labels(board, labels, bold=True)]
    for one in placements:
        role = roles.get(one, "bare")
        marks.append(Area(outline(lattice, one.cells), role, "line", WALL))
        alone = tuple(cell for cell in one.cells if len(on_cell[cell]) == 1)
        if alone:
            seen = one if len(alone) == len(one.cells) else Placement(one.piece, alone[:1])
            marks.append(_name(lattice, seen, role))
    for cell in board.cells:
        here = on_cell.get(cell, [])
        text = "+".join(here[:3]) if len(here) > 1 else "" if here or cell in bare else "?"
        if text:
            if here:
                marks.append(Area((lattice.corners(cell),), "bare", "ink", MARKED))
            (x, y), width = label_place(lattice, [cell])
            shown, size = fit(text, width, LABEL, SMALLEST)
            marks.append(Words(x, y, shown, size, bold=True))
    names = join_words([one.piece for one in placements]) or "no piece"
    title = f"{instance.puzzle.name}: {names}"
    description = f"A board with {names}; ? is a cell that no piece covers."
    return _frame(_at_origin(lattice, board.cells, [*marks, _edge(board)]), title, description)


def shares_picture(
    instance: Instance, shares: Mapping[Cell, Sequence[tuple[str, float]]]
) -> Picture:
    """Return the picture of a fractional point: every cell in stripes as wide as its shares.

    The shares are those of the pieces on each cell; the piece ``""`` is a label that stays
    uncovered in part.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    roles = _roles(instance.puzzle)
    marks = _board(board, instance.labels)
    for cell, of in shares.items():
        corners = lattice.corners(cell)
        left, _, right, _ = bounds(lattice, [cell])
        at = left
        for name, share in of:
            end = at + share * (right - left)
            stripe = _between(_between(corners, at, 1), end, -1)
            role = roles.get(name, "bare")
            if len(stripe) > 2:
                marks.append(Area((stripe,), role))
                if name and share > 0.2:
                    place = (at + end) / 2, lattice.centre(cell)[1]
                    text, size = fit(name, 0.85 * share, NAME, SMALLEST / 2)
                    marks.append(Words(*place, text, size, name_role(role)))
            at = end
        marks.append(Area((corners,), "", "line", THIN))
    title = f"{instance.puzzle.name}: {' '.join(instance.labels)}, the linear relaxation"
    text = "Every cell in stripes, as wide as the shares of the pieces that cover it."
    return _frame(_at_origin(lattice, board.cells, [*marks, _edge(board)]), title, text)


def _between(polygon: Sequence[Point], x: float, side: int) -> tuple[Point, ...]:
    """Return the part of a convex polygon to the right (side 1) or left (-1) of a line."""
    found: list[Point] = []
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if side * (ax - x) >= 0:
            found.append((ax, ay))
        if (ax - x) * (bx - x) < 0:
            found.append((x, ay + (by - ay) * (x - ax) / (bx - ax)))
    return tuple(found)


def board_picture(board: Board, title: str = "Board") -> Picture:
    """Return the picture of an empty board with all its labels."""
    text = f"A {board.lattice.name} board of {len(board.cells)} cells."
    return _frame(_at_origin(board.lattice, board.cells, _board(board)), title, text)


def piece_picture(piece: Piece) -> Picture:
    """Return the picture of one piece with its cells."""
    text = f"A piece of {len(piece.cells)} cells."
    return _frame(_piece(piece, 0), f"Piece {piece.name}", text)


def puzzle_picture(puzzle: Puzzle) -> Picture:
    """Return the picture of a puzzle: its board, and its pieces with their names below."""
    board = _at_origin(puzzle.board.lattice, puzzle.board.cells, _board(puzzle.board))
    pieces = [_with_name(_piece(piece, n), piece.name) for n, piece in enumerate(puzzle.pieces)]
    widest = max([board.width + 2 * GAP, *(piece.width for piece in pieces)])
    rows: list[list[Picture]] = [[]]
    for piece in pieces:
        taken = sum(other.width + GAP for other in rows[-1])
        if rows[-1] and taken + piece.width > widest:
            rows.append([])
        rows[-1].append(piece)
    marks = shift(board.marks, (widest - board.width) / 2, 0)
    top = board.height + GAP
    for row in rows:
        left = (widest - sum(piece.width for piece in row) - GAP * (len(row) - 1)) / 2
        for piece in row:
            marks += shift(piece.marks, left, top)
            left += piece.width + GAP
        top += max((piece.height for piece in row), default=0) + GAP / 2
    names = join_words([piece.name for piece in puzzle.pieces])
    text = f"A {puzzle.board.lattice.name} board of {len(puzzle.board.cells)} cells"
    drawn = Picture(widest, top - GAP / 2, tuple(marks))
    return _frame(drawn, puzzle.name, f"{text} and the pieces {names}.")


def _board(board: Board, large: Sequence[str] = ()) -> list[Mark]:
    """Return an empty board with its labels."""
    blanks = [cell for cell in board.cells if board.label(cell) == BLANK]
    return [
        *_ground(board),
        *(Area((board.lattice.corners(cell),), "", "line", THIN) for cell in blanks),
        *_labels(board, [label for label in board.labels if label not in large], bold=False),
        *_labels(board, large, bold=True),
        _edge(board),
    ]


def _ground(board: Board) -> list[Mark]:
    """Return the bare board; its holes are filled, so they differ from uncovered cells."""
    holes = hole_cells(board.lattice, board.cells)
    marks: list[Mark] = [Area(outline(board.lattice, board.cells), "board")]
    if holes:
        marks.append(Area(outline(board.lattice, holes), "line"))
    return marks


def _edge(board: Board) -> Area:
    return Area(outline(board.lattice, board.cells), "", "line", EDGE)


def _name(lattice: Lattice, placed: Placement, role: str, *, bold: bool = False) -> Words:
    text, size = fit(placed.piece, 0.9, NAME, SMALLEST)
    return Words(*_middle(lattice, placed.cells), text, size, name_role(role), bold=bold)


def _piece(piece: Piece, number: int) -> Picture:
    lattice = piece.lattice
    marks: list[Mark] = [Area(outline(lattice, piece.cells), _role(piece, number))]
    marks += [Area((lattice.corners(cell),), "", "line", THIN) for cell in piece.cells]
    marks.append(Area(outline(lattice, piece.cells), "", "line", WALL))
    return _at_origin(lattice, piece.cells, marks)


def _roles(puzzle: Puzzle) -> dict[str, str]:
    """Return the role of the front of every piece by its name."""
    return {piece.name: _role(piece, number) for number, piece in enumerate(puzzle.pieces)}


def _lying(puzzle: Puzzle, placements: Iterable[Placement]) -> dict[Placement, str]:
    """Return the role of the side that is up, for placements of the puzzle's pieces."""
    known = {piece.name: (piece, number) for number, piece in enumerate(puzzle.pieces)}
    return {one: _role(*known[one.piece], one.cells) for one in placements if one.piece in known}


def _role(piece: Piece, number: int, cells: Iterable[Cell] | None = None) -> str:
    """Return the role of a puzzle's n-th piece: its own colour, or one of ours.

    The colour is that of the side that is up on the cells, by default the front.
    """
    own = piece.colour if cells is None else piece.colour_on(cells)
    return own or piece_role(number)


def _with_name(piece: Picture, name: str) -> Picture:
    """Return a smaller piece with its name below."""
    width = max(piece.width * SMALL, 1.0)
    height = piece.height * SMALL
    text, size = fit(name, width, 0.36, SMALLEST)
    words = Words(width / 2, height + 0.36, text, size, "quiet")
    marks = (*shift(piece.marks, (width - piece.width * SMALL) / 2, 0, SMALL), words)
    return Picture(width, height + 0.6, marks)


def _labels(
    board: Board, labels: Sequence[str], *, bold: bool, fill: str = "bare", ink: str = "ink"
) -> list[Mark]:
    """Return bare labels: the cells of each in one outline, the text in their middle.

    All have one size, unless one of them would then be too small.
    """
    lattice = board.lattice
    marks: list[Mark] = []
    found: list[tuple[Point, str, float]] = []
    for label in labels:
        cells = board.labels[label]
        place, room = label_place(lattice, cells)
        size = LABEL if bold else LABEL * 0.72
        found.append((place, *fit(label, room, size, SMALLEST)))
        marks.append(Area(outline(lattice, cells), fill, "line", WALL if bold else THIN))
    common = min((size for _, _, size in found), default=LABEL)
    for (x, y), text, size in found:
        one = size if common < LABEL / 2 else common
        marks.append(Words(x, y, text, one, ink, bold=bold))
    return marks


def label_place(lattice: Lattice, cells: Sequence[Cell]) -> tuple[Point, float]:
    """Return the middle of a label's text on its cells, and how wide the text may be."""
    in_a_row = len({row for row, _ in cells}) == 1
    together = in_a_row or len(cells) == 2
    place = centre(lattice, cells) if together else _middle(lattice, cells)
    if in_a_row:
        return place, _room(lattice, cells, place) * 0.8
    return place, _room(lattice, cells[:1], lattice.centre(cells[0])) * 0.8


def _room(lattice: Lattice, cells: Iterable[Cell], place: Point) -> float:
    """Return how wide a line of type about a place may be, so that it stays on the cells."""
    x, y = place
    rooms = []
    for level in (y - TYPE_RISE, y + TYPE_RISE):
        spans = []
        for cell in cells:
            corners = lattice.corners(cell)
            met = [
                a + (level - b) / (d - b) * (c - a)
                for (a, b), (c, d) in zip(corners, (*corners[1:], corners[0]), strict=True)
                if (b <= level) != (d <= level)
            ]
            spans += [(min(met), max(met))] if met else []
        left, right = x, x
        for start, end in sorted(spans, key=lambda span: abs(sum(span) / 2 - x)):
            if start <= right + 1e-9 and end >= left - 1e-9:
                left, right = min(left, start), max(right, end)
        rooms.append(2 * min(x - left, right - x))
    return min(rooms)


def _middle(lattice: Lattice, cells: Iterable[Cell]) -> Point:
    """Return the middle of the cell that lies nearest to the middle of all."""
    cells = list(cells)
    x, y = centre(lattice, cells)
    middles = [lattice.centre(cell) for cell in cells]
    return min(middles, key=lambda m: (round(math.hypot(m[0] - x, m[1] - y), 6), m[1], m[0]))


def _at_origin(lattice: Lattice, cells: Iterable[Cell], marks: Iterable[Mark]) -> Picture:
    """Return marks with the upper left corner of some cells as their origin."""
    left, top, right, bottom = bounds(lattice, cells)
    return Picture(right - left, bottom - top, tuple(shift(marks, -left, -top)))


def _frame(picture: Picture, title: str, description: str) -> Picture:
    """Return a picture with a margin around it."""
    return replace(
        picture,
        width=picture.width + 2 * MARGIN,
        height=picture.height + 2 * MARGIN,
        marks=tuple(shift(picture.marks, MARGIN, MARGIN)),
        title=title,
        description=description,
    )


CAPTION = 0.62


def sheet_picture(
    tilings: Sequence[Tiling],
    *,
    captions: Sequence[str] = (),
    columns: int | None = None,
    rows: int | None = None,
) -> Picture:
    """Return many tilings on one sheet, row by row, each with a caption, or else its number.

    Without columns a sheet is a little wider than high. There is room for ``rows`` rows, or for
    as many as are needed.

    Raises
    ------
    InputError
        If there is no tiling.
    """
    if not tilings:
        raise InputError("a sheet needs at least one tiling")
    captions = captions or [str(number) for number in range(1, len(tilings) + 1)]
    drawn = [day_picture(tiling.instance, tiling) for tiling in tilings]
    wide = max(one.width for one in drawn)
    high = max(one.height for one in drawn) + CAPTION + 0.25
    if columns is None:
        columns = max(1, round(math.sqrt(len(drawn) * 1.3 * (high + GAP) / (wide + GAP))))
    if rows is None:
        columns = min(columns, len(drawn))
    marks: list[Mark] = []
    for number, (one, caption) in enumerate(zip(drawn, captions, strict=True)):
        row, column = divmod(number, columns)
        left, top = column * (wide + GAP), row * (high + GAP)
        marks += shift(one.marks, left + (wide - one.width) / 2, top)
        text, size = fit(caption, wide, CAPTION, SMALLEST)
        marks.append(Words(left + wide / 2, top + high - CAPTION / 2, text, size, "quiet"))
    rows = max(rows or 1, -(-len(drawn) // columns))
    width, height = columns * (wide + GAP) - GAP, rows * (high + GAP) - GAP
    count = f"{len(tilings)} tiling{'' if len(tilings) == 1 else 's'}"
    name = tilings[0].instance.puzzle.name
    sheet = Picture(width, height, tuple(marks), cell=CELL / 2)
    return _frame(sheet, f"{name}: {count}", f"{count} of {name}, row by row.")


def sheet_pages(
    tilings: Sequence[Tiling], *, rows: int = 5, columns: int = 4
) -> tuple[Picture, ...]:
    """Return tilings as pages of ``rows`` and ``columns``, numbered through."""
    size = rows * columns
    return tuple(
        sheet_picture(
            tilings[first : first + size],
            captions=[str(n + 1) for n in range(first, min(first + size, len(tilings)))],
            columns=columns,
            rows=rows,
        )
        for first in range(0, len(tilings), size)
    )
