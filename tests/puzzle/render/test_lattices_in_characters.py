"""Hexagons and triangles in characters: every wall is where two owners meet, and only there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip import Board
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.lattice import HEXAGONAL, TRIANGULAR
from calmip.puzzle.render.characters import Style, side_by_side, width_of
from calmip.puzzle.render.text import draw_board, draw_hexagons, draw_tiling, draw_triangles
from calmip.puzzle.tasks.solve import solve

CELLS = st.tuples(st.integers(0, 5), st.integers(0, 5))
TRIANGLES = st.tuples(st.integers(0, 5), st.integers(0, 6))

# Where the middle of the wall to a neighbour is, from the middle of a cell
# that is three characters wide: (lines, columns), and the mark there.
MIDDLES = {
    (-1, 0): (-1, 1, "\\"),
    (0, 1): (0, 2, "|"),
    (1, 1): (1, 1, "/"),
    (1, 0): (1, -1, "\\"),
    (0, -1): (0, -2, "|"),
    (-1, -1): (-1, -1, "/"),
}


@pytest.mark.long
@given(st.dictionaries(CELLS, st.sampled_from("abc"), min_size=1))
def test_walls_of_hexagons_are_where_owners_differ(owner: dict[tuple[int, int], str]) -> None:
    texts = {(r, c): f"{r}x{c}" for r, c in owner}
    lines = draw_hexagons(owner, texts, {}, Style())
    lines = [line.ljust(80) for line in lines]
    for cell, text in texts.items():
        places = [(y, line.index(text) + 1) for y, line in enumerate(lines) if text in line]
        assert len(places) == 1
        ((y, x),) = places
        for step, (down, right, mark) in MIDDLES.items():
            other = (cell[0] + step[0], cell[1] + step[1])
            wall = owner.get(other) != owner[cell]
            assert lines[y + down][x + right] == (mark if wall else " ")
    edges = {
        frozenset(((r, c), (r + down, c + right)))
        for r, c in owner
        for down, right in MIDDLES
        if owner.get((r + down, c + right)) != owner[r, c]
    }
    assert sum(line.count(mark) for line in lines for mark in "/\\|") == len(edges)


@pytest.mark.long
@given(st.dictionaries(TRIANGLES, st.sampled_from("abc"), min_size=1))
def test_walls_of_triangles_are_where_owners_differ(owner: dict[tuple[int, int], str]) -> None:
    texts = {(r, c): f"{r}x{c}" for r, c in owner}
    lines = [line.ljust(80) for line in draw_triangles(owner, texts, {}, Style())]
    found = {
        cell: [(y, line.index(text)) for y, line in enumerate(lines) if text in line]
        for cell, text in texts.items()
    }
    for cell, ((y, x),) in found.items():
        up = sum(cell) % 2 == 0
        assert len(TRIANGULAR.neighbours(cell)) == 3
        for other in TRIANGULAR.neighbours(cell):
            wall = owner.get(other) != owner[cell]
            if other[0] == cell[0]:
                # A text of three has four places between the slanted walls.
                right = other[1] > cell[1]
                mark = "\\" if right == up else "/"
                place = x + 3 if right else x - 2
                assert lines[y][place] == (mark if wall else " ")
            else:
                # The level wall is one line below the text, or two above it.
                assert (lines[y + 1 if up else y - 2][x + 1] == "_") == wall
    slants = {
        frozenset((cell, other))
        for cell in owner
        for other in TRIANGULAR.neighbours(cell)
        if other[0] == cell[0] and owner.get(other) != owner[cell]
    }
    assert sum(line.count(mark) for line in lines for mark in "/\\") == 4 * len(slants)


@pytest.mark.long
@pytest.mark.parametrize("draw", [draw_hexagons, draw_triangles])
@given(st.sets(TRIANGLES, min_size=1), st.integers(1, 9), st.booleans(), st.booleans())
def test_colours_and_boxes_change_marks_and_not_places(
    draw: Callable[..., list[str]],
    cells: set[tuple[int, int]],
    length: int,
    colour: bool,
    boxes: bool,
) -> None:
    owner = {cell: str(cell[0] % 2) for cell in cells}
    texts = dict.fromkeys(cells, "Q" * length)
    fills = dict.fromkeys(sorted(cells)[::2], 110)
    plain = draw(owner, texts, fills, Style())
    drawn = draw(owner, texts, fills, Style(colour=colour, boxes=boxes))
    if not colour:
        assert [width_of(line.rstrip()) for line in drawn] == [width_of(line) for line in plain]
    assert ("\x1b" in "".join(drawn)) == colour
    assert any(mark in "".join(drawn) for mark in "│\u2571\u2572") == boxes
    assert sum(line.count("Q" * length) for line in drawn) == len(cells)


def test_a_board_with_long_labels() -> None:
    board = Board.from_text(["2021 . 2023", "a 2025 *"], HEXAGONAL)
    assert draw_board(board).split("\n") == [
        r"     / \         / \ ".rstrip(),
        r"    /   \       /   \ ".rstrip(),
        r"   | 2021|     | 2023|",
        r"  / \   / \   / \   /",
        r" /   \ /   \ /   \ /",
        r"|  a  | 2025|  *  |",
        r" \   / \   / \   /",
        r"  \ /   \ /   \ /",
    ]


def test_a_board_of_triangles_with_labels() -> None:
    board = Board.from_text([". Jan Feb .", "1 2 * 3"], TRIANGULAR)
    assert draw_board(board).split("\n") == [
        r"     _______",
        r"    \      /" + "\\",
        r"     \ Jan/  " + "\\",
        r"      \  / Feb" + "\\",
        r" ______\/______" + "\\",
        r"\      /\      /" + "\\",
        r" \  1 /  \  * /  " + "\\",
        r"  \  /  2 \  /  3 " + "\\",
        r"   \/______\/______" + "\\",
    ]


def test_a_tiling_shows_its_pieces_and_labels() -> None:
    tiling = solve(read_instance("hex43-v1", reveal="Jan,1")).tiling
    assert tiling is not None
    text = draw_tiling(tiling)
    assert text.isascii()
    assert "|Jan|" in text
    assert "| 1 |" in text
    for placement in tiling.placements:
        assert text.count(f"{placement.piece} ") + text.count(f"{placement.piece}|") > 0


def test_drawings_stand_side_by_side() -> None:
    assert side_by_side(["ab\nc", "d", "\x1b[1me\x1b[0m\nf\ng"], width=9).split("\n") == [
        "ab   d",
        "c",
        "",
        "\x1b[1me\x1b[0m",
        "f",
        "g",
    ]
    assert side_by_side([]) == ""
