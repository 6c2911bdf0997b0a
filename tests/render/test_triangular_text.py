"""Triangles in characters: every wall is where two owners meet, and only there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calmip import Board
from calmip.problem.lattice import TRIANGULAR
from calmip.render.characters import Style, width_of
from calmip.render.text import draw_board, draw_triangles

CELLS = st.tuples(st.integers(0, 5), st.integers(0, 6))


@given(st.dictionaries(CELLS, st.sampled_from("abc"), min_size=1))
def test_walls_are_where_owners_differ(owner: dict[tuple[int, int], str]) -> None:
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


@given(st.sets(CELLS, min_size=1), st.integers(1, 9), st.booleans(), st.booleans())
def test_colours_and_boxes_change_marks_and_not_places(
    cells: set[tuple[int, int]], length: int, colour: bool, boxes: bool
) -> None:
    owner = {cell: str(cell[0] % 2) for cell in cells}
    texts = dict.fromkeys(cells, "Q" * length)
    fills = dict.fromkeys(sorted(cells)[::2], 110)
    plain = draw_triangles(owner, texts, fills, Style())
    drawn = draw_triangles(owner, texts, fills, Style(colour=colour, boxes=boxes))
    if not colour:
        assert [width_of(line) for line in drawn] == [width_of(line) for line in plain]
    assert ("\x1b" in "".join(drawn)) == colour
    assert any(mark in "".join(drawn) for mark in "\u2571\u2572") == boxes
    assert sum(line.count("Q" * length) for line in drawn) == len(cells)


def test_a_board_with_labels() -> None:
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
