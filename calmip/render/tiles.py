"""Pictures of tilings, boards, pieces and puzzles; one unit is the width of a cell.

Many tilings stand on one sheet, or on pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from calmip.errors import InputError, listed
from calmip.problem.board import BLANK, Board, Piece
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell, Lattice, Point
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling
from calmip.render.outline import bounds, centre, enclosed, outline
from calmip.render.palette import name_role, piece_role
from calmip.render.picture import Area, Mark, Picture, Words, fitted, moved

__all__ = [
    "board_picture",
    "day_marks",
    "label_place",
    "piece_picture",
    "position_picture",
    "puzzle_picture",
    "shares_picture",
    "sheet_pages",
    "sheet_picture",
    "tiling_picture",
]


MARGIN = 0.35
GAP = 0.9
THIN, WALL, EDGE, MARKED = 0.02, 0.055, 0.09, 0.15
LABEL, NAME = 0.5, 0.26
SMALLEST = 0.13
SMALL = 0.55
"""The size of the pieces beside a puzzle's board."""


@dataclass(frozen=True)
class _Drawn:
    """Marks whose least x and y are 0, and how far they reach."""

    width: float
    height: float
    marks: tuple[Mark, ...]


def tiling_picture(tiling: Tiling) -> Picture:
    """Return the picture of a tiling: outlined pieces, the revealed labels large."""
    puzzle = tiling.instance.puzzle
    shown = " ".join(tiling.labels)
    title = f"{puzzle.name}: {shown}" if shown else puzzle.name
    names = listed([placement.piece for placement in tiling.placements])
    left = f"; uncovered: {listed(tiling.labels)}" if tiling.labels else ""
    return _framed(_tiling(tiling), title, f"A tiling by the pieces {names}{left}.")


def position_picture(instance: Instance, shown: Placement | None = None) -> Picture:
    """Return the picture of a position: what lies on the board, and a piece that is shown.

    The piece that is shown has a heavy outline and a bold name. Labels that are
    to be covered yet are small, those to be revealed large.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    drawn = _board(board, instance.labels)
    marks = list(drawn.marks)
    left, top, _, _ = bounds(lattice, list(board.cells))
    roles = _roles(instance.puzzle)
    for one in (*instance.placed, *([shown] if shown is not None else [])):
        role, new = roles[one.piece], one is shown
        x, y = _middle(lattice, one.cells)
        text, size = fitted(one.piece, 0.9, NAME, SMALLEST)
        # On dark paper lines are darker than pieces: a heavier one would not be seen.
        line, width = ("ink", MARKED) if new else ("line", WALL)
        area = Area(outline(lattice, one.cells), role, line, width)
        words = Words(x, y, text, size, name_role(role), bold=new)
        marks += moved([area, words], -left, -top)
    names = listed([one.piece for one in instance.placed])
    text = f"A position with the pieces {names} placed"
    title = f"{instance.puzzle.name}: {' '.join(instance.labels)}"
    if shown is not None:
        text += f", and the piece {shown.piece} as a hint"
    return _framed(_Drawn(drawn.width, drawn.height, tuple(marks)), title, f"{text}.")


def shares_picture(
    instance: Instance, shares: Mapping[Cell, Sequence[tuple[str, float]]]
) -> Picture:
    """Return the picture of a fractional point: every cell in stripes as wide as its shares.

    Parameters
    ----------
    instance
        The instance.
    shares
        For every cell the pieces on it, with their shares; the piece ``""`` is a
        label that stays uncovered in part.
    """
    board, lattice = instance.puzzle.board, instance.puzzle.board.lattice
    drawn = _board(board, instance.labels)
    left, top, _, _ = bounds(lattice, list(board.cells))
    roles = _roles(instance.puzzle)
    marks: list[Mark] = []
    for cell, of in shares.items():
        corners = lattice.corners(cell)
        low, _, high, _ = bounds(lattice, [cell])
        at = low
        for name, share in of:
            end = at + share * (high - low)
            stripe = _between(_between(corners, at, 1), end, -1)
            role = roles.get(name, "bare")
            if len(stripe) > 2:
                marks.append(Area((stripe,), role))
                if name and share > 0.2:
                    text, size = fitted(name, 0.85 * share, NAME, SMALLEST / 2)
                    marks.append(
                        Words((at + end) / 2, lattice.centre(cell)[1], text, size, name_role(role))
                    )
            at = end
        marks.append(Area((corners,), "", "line", THIN))
    marks.append(Area(outline(lattice, board.cells), "", "line", EDGE))
    title = f"{instance.puzzle.name}: {' '.join(instance.labels)}, the linear relaxation"
    text = "Every cell in stripes, as wide as the shares of the pieces that cover it."
    marks = [*drawn.marks, *moved(marks, -left, -top)]
    return _framed(_Drawn(drawn.width, drawn.height, tuple(marks)), title, text)


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
    return _framed(_board(board), title, text)


def piece_picture(piece: Piece) -> Picture:
    """Return the picture of one piece with its cells."""
    text = f"A piece of {len(piece.cells)} cells."
    return _framed(_piece(piece, 0), f"Piece {piece.name}", text)


def puzzle_picture(puzzle: Puzzle) -> Picture:
    """Return the picture of a puzzle: its board, and its pieces with their names below."""
    board = _board(puzzle.board)
    pieces = [_named(_piece(piece, n), piece.name) for n, piece in enumerate(puzzle.pieces)]
    widest = max([board.width + 2 * GAP, *(piece.width for piece in pieces)])
    rows: list[list[_Drawn]] = [[]]
    for piece in pieces:
        taken = sum(other.width + GAP for other in rows[-1])
        if rows[-1] and taken + piece.width > widest:
            rows.append([])
        rows[-1].append(piece)
    marks = list(moved(board.marks, (widest - board.width) / 2, 0))
    top = board.height + GAP
    for row in rows:
        left = (widest - sum(piece.width for piece in row) - GAP * (len(row) - 1)) / 2
        for piece in row:
            marks += moved(piece.marks, left, top)
            left += piece.width + GAP
        top += max((piece.height for piece in row), default=0) + GAP / 2
    names = listed([piece.name for piece in puzzle.pieces])
    drawn = _Drawn(widest, top - GAP / 2, tuple(marks))
    text = f"A {puzzle.board.lattice.name} board of {len(puzzle.board.cells)} cells"
    return _framed(drawn, puzzle.name, f"{text} and the pieces {names}.")


def day_marks(
    instance: Instance, tiling: Tiling | None, *, names: bool = False
) -> tuple[float, float, tuple[Mark, ...]]:
    """Return the width, the height and the marks of a tiling, small and without a frame.

    The marks of the pieces follow each other, and so do their names after them, if they
    are asked for. Without a tiling the board has nothing on it but the revealed labels.
    """
    drawn = _covered(instance, tiling, names=names)
    return drawn.width, drawn.height, drawn.marks


def _tiling(tiling: Tiling, *, names: bool = True) -> _Drawn:
    return _covered(tiling.instance, tiling, names=names)


def _covered(instance: Instance, tiling: Tiling | None, *, names: bool) -> _Drawn:
    puzzle = instance.puzzle
    board, lattice = puzzle.board, puzzle.board.lattice
    labels = instance.labels if tiling is None else tiling.labels
    placements = () if tiling is None else tiling.placements
    roles = _roles(puzzle)
    edge = outline(lattice, board.cells)
    marks = _ground(board)
    marks += _labels(board, labels, bold=True)
    for placement in placements:
        role = roles[placement.piece]
        marks.append(Area(outline(lattice, placement.cells), role, "line", WALL))
    if names:
        for placement in placements:
            x, y = _middle(lattice, placement.cells)
            text, size = fitted(placement.piece, 0.9, NAME, SMALLEST)
            marks.append(Words(x, y, text, size, name_role(roles[placement.piece])))
    marks.append(Area(edge, "", "line", EDGE))
    return _cornered(lattice, board.cells, marks)


def _board(board: Board, large: Sequence[str] = ()) -> _Drawn:
    edge = outline(board.lattice, board.cells)
    marks = _ground(board)
    blanks = [cell for cell in board.cells if board.label(cell) == BLANK]
    marks += [Area((board.lattice.corners(cell),), "", "line", THIN) for cell in blanks]
    marks += _labels(board, [label for label in board.labels if label not in large], bold=False)
    marks += _labels(board, large, bold=True)
    marks.append(Area(edge, "", "line", EDGE))
    return _cornered(board.lattice, board.cells, marks)


def _ground(board: Board) -> list[Mark]:
    """Return the bare board, its holes filled: nobody takes one for an uncovered cell."""
    holes = enclosed(board.lattice, board.cells)
    marks: list[Mark] = [Area(outline(board.lattice, board.cells), "board")]
    if holes:
        marks.append(Area(outline(board.lattice, holes), "line"))
    return marks


def _piece(piece: Piece, number: int) -> _Drawn:
    lattice = piece.lattice
    marks: list[Mark] = [Area(outline(lattice, piece.cells), _role(piece, number))]
    marks += [Area((lattice.corners(cell),), "", "line", THIN) for cell in piece.cells]
    marks.append(Area(outline(lattice, piece.cells), "", "line", WALL))
    return _cornered(lattice, piece.cells, marks)


def _roles(puzzle: Puzzle) -> dict[str, str]:
    """Return the role of every piece's colour by its name."""
    return {piece.name: _role(piece, number) for number, piece in enumerate(puzzle.pieces)}


def _role(piece: Piece, number: int) -> str:
    """Return the role of a puzzle's n-th piece: its own colour, or one of ours."""
    return piece.colour or piece_role(number)


def _named(drawn: _Drawn, name: str) -> _Drawn:
    """Return a smaller piece with its name below."""
    width = max(drawn.width * SMALL, 1.0)
    height = drawn.height * SMALL
    text, size = fitted(name, width, 0.36, SMALLEST)
    words = Words(width / 2, height + 0.36, text, size, "quiet")
    marks = (*moved(drawn.marks, (width - drawn.width * SMALL) / 2, 0, SMALL), words)
    return _Drawn(width, height + 0.6, marks)


def _labels(board: Board, labels: Sequence[str], *, bold: bool) -> list[Mark]:
    """Return bare labels: the cells of each in one outline, the text in their middle.

    All are of one size if none of them would be too small then.
    """
    lattice = board.lattice
    marks: list[Mark] = []
    found: list[tuple[Point, str, float]] = []
    for label in labels:
        cells = board.labels[label]
        place, room = label_place(lattice, cells)
        size = LABEL if bold else LABEL * 0.72
        found.append((place, *fitted(label, room, size, SMALLEST)))
        marks.append(Area(outline(lattice, cells), "bare", "line", WALL if bold else THIN))
    common = min((size for _, _, size in found), default=LABEL)
    for (x, y), text, size in found:
        one = size if common < LABEL / 2 else common
        marks.append(Words(x, y, text, one, "ink", bold=bold))
    return marks


def label_place(lattice: Lattice, cells: Sequence[Cell]) -> tuple[Point, float]:
    """Return the middle of a label's text on its cells, and how wide the text may be."""
    in_a_row = len({row for row, _ in cells}) == 1
    left, _, right, _ = bounds(lattice, cells if in_a_row else cells[:1])
    whole = in_a_row or len(cells) == 2
    place = centre(lattice, cells) if whole else _middle(lattice, cells)
    return place, (right - left) * 0.8


def _middle(lattice: Lattice, cells: Iterable[Cell]) -> Point:
    """Return the middle of the cell that lies nearest to the middle of all."""
    cells = list(cells)
    x, y = centre(lattice, cells)
    middles = [lattice.centre(cell) for cell in cells]
    return min(middles, key=lambda m: (round(math.hypot(m[0] - x, m[1] - y), 6), m[1], m[0]))


def _cornered(lattice: Lattice, cells: Iterable[Cell], marks: Iterable[Mark]) -> _Drawn:
    left, top, right, bottom = bounds(lattice, list(cells))
    return _Drawn(right - left, bottom - top, tuple(moved(marks, -left, -top)))


def _framed(drawn: _Drawn, title: str, description: str) -> Picture:
    return Picture(
        drawn.width + 2 * MARGIN,
        drawn.height + 2 * MARGIN,
        tuple(moved(drawn.marks, MARGIN, MARGIN)),
        title,
        description,
    )


CAPTION = 0.62


def sheet_picture(
    tilings: Sequence[Tiling],
    *,
    captions: Sequence[str] = (),
    columns: int | None = None,
    rows: int | None = None,
    title: str = "",
) -> Picture:
    """Return many tilings on one sheet, row by row, each with a caption.

    Parameters
    ----------
    tilings
        The tilings, at least one.
    captions
        What stands below each; numbers from 1 on unless given.
    columns
        How many stand side by side; a sheet a little wider than high unless given.
    rows
        For how many rows there is room, at least; as many as are needed unless given.
    title
        The picture's title; the puzzle's name and the number of tilings unless given.

    Raises
    ------
    InputError
        If there is no tiling.
    """
    if not tilings:
        raise InputError("a sheet needs at least one tiling")
    captions = captions or [str(number) for number in range(1, len(tilings) + 1)]
    drawn = [day_marks(tiling.instance, tiling) for tiling in tilings]
    wide = max(width for width, _, _ in drawn)
    high = max(height for _, height, _ in drawn) + CAPTION + 0.25
    if columns is None:
        columns = max(1, round(math.sqrt(len(drawn) * 1.3 * (high + GAP) / (wide + GAP))))
    if rows is None:
        columns = min(columns, len(drawn))
    marks: list[Mark] = []
    for number, ((width, _, one), caption) in enumerate(zip(drawn, captions, strict=True)):
        row, column = divmod(number, columns)
        left, top = column * (wide + GAP), row * (high + GAP)
        marks += moved(one, left + (wide - width) / 2, top)
        text, size = fitted(caption, wide, CAPTION, SMALLEST)
        marks.append(Words(left + wide / 2, top + high - CAPTION / 2, text, size, "quiet"))
    rows = max(rows or 1, -(-len(drawn) // columns))
    width, height = columns * (wide + GAP) - GAP, rows * (high + GAP) - GAP
    count = f"{len(tilings)} tiling{'' if len(tilings) == 1 else 's'}"
    name = tilings[0].instance.puzzle.name
    return Picture(
        width + 2 * MARGIN,
        height + 2 * MARGIN,
        tuple(moved(marks, MARGIN, MARGIN)),
        title or f"{name}: {count}",
        f"{count} of {name}, row by row.",
    )


def sheet_pages(
    tilings: Sequence[Tiling], *, rows: int = 5, columns: int = 4
) -> tuple[Picture, ...]:
    """Return many tilings as pages of so many rows and columns, numbered through."""
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
