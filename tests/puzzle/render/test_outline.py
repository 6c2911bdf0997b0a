"""Outlines of sets of cells: the inside is the cells, whatever the lattice."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip import Board, Instance, Piece, Puzzle, Tiling
from calmip.puzzle.cover import Placement
from calmip.puzzle.lattice import LATTICES, SQUARE, Cell, Lattice, Point
from calmip.puzzle.render.outline import Loop, area, bounds, outline
from calmip.puzzle.render.picture import Area
from calmip.puzzle.render.text import (
    draw_board,
    draw_choice,
    draw_piece,
    draw_position,
    draw_tiling,
)
from calmip.puzzle.render.tiles import MARGIN, board_picture, position_picture, tiling_picture

BOTH = pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
CELLS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=24)


def inside(point: Point, loops: tuple[Loop, ...]) -> bool:
    """Return whether a ray to the right crosses the boundary an odd number of times."""
    x, y = point
    odd = False
    for loop in loops:
        for (x1, y1), (x2, y2) in zip(loop, (*loop[1:], loop[0]), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                odd = not odd
    return odd


def length(loops: tuple[Loop, ...]) -> float:
    return sum(
        math.dist(a, b) for loop in loops for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
    )


@pytest.mark.long
@BOTH
@settings(deadline=None)
@given(cells=CELLS)
def test_the_outline_holds_just_the_cells(lattice: Lattice, cells: set[Cell]) -> None:
    loops = outline(lattice, cells)
    one = area([lattice.corners((0, 0))])
    assert one > 0
    assert area(loops) == pytest.approx(one * len(cells))
    for cell in [(r, c) for r in range(-1, 7) for c in range(-1, 7)]:
        x, y = lattice.centre(cell)
        # A little off the middle: no corner lies exactly to the right.
        assert inside((x + 0.013, y + 0.017), loops) == (cell in cells)
    whole = sum(length((lattice.corners(cell),)) for cell in cells)
    inner = sum(
        math.dist(*set(lattice.corners(cell)).intersection(lattice.corners(other)))
        for cell in cells
        for other in lattice.neighbours(cell)
        if other in cells
    )
    assert length(loops) == pytest.approx(whole - inner)
    assert outline(lattice, sorted(cells, reverse=True)) == loops


@pytest.mark.long
@BOTH
@settings(deadline=None)
@given(cells=CELLS)
def test_corners_are_only_where_it_bends(lattice: Lattice, cells: set[Cell]) -> None:
    for loop in outline(lattice, cells):
        for before, here, after in zip((loop[-1], *loop), loop, (*loop[1:], loop[0]), strict=False):
            there = math.atan2(here[1] - before[1], here[0] - before[0])
            onward = math.atan2(after[1] - here[1], after[0] - here[0])
            assert abs(there - onward) > 1e-6


def test_a_ring_has_a_hole_and_two_squares_in_a_corner_stay_apart() -> None:
    ring = {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}
    loops = outline(SQUARE, ring)
    assert sorted(area([loop]) for loop in loops) == [-1, 9]
    assert sorted(map(len, loops)) == [4, 4]
    assert [len(loop) for loop in outline(SQUARE, {(0, 0), (1, 1)})] == [4, 4]
    assert outline(SQUARE, {(0, 0), (0, 1)}) == (((0, 0), (2, 0), (2, 1), (0, 1)),)


def ring_of(lattice: Lattice) -> tuple[Board, Cell]:
    """Return a board of the cells that touch one, which is a hole, and the hole."""
    corners = set(lattice.corners((3, 6)))
    around = {
        (r, c)
        for r in range(7)
        for c in range(13)
        if (r, c) != (3, 6) and corners.intersection(lattice.corners((r, c)))
    }
    rows, columns = lattice.frame(around)
    texts = iter(["1", *["*"] * len(around)])
    grid = tuple(tuple(next(texts) if (r, c) in around else "." for c in columns) for r in rows)
    return Board(grid, lattice), (3 - rows[0], 6 - columns[0])


@BOTH
def test_a_hole_is_filled_so_that_nobody_takes_it_for_an_uncovered_cell(lattice: Lattice) -> None:
    board, middle = ring_of(lattice)
    piece = Piece("A", board.cells[1:], lattice)
    instance = Instance(Puzzle("ring", board, (piece,), {"day": ("1",)}), ("1",))
    placement = Placement("A", board.cells[1:])
    tiling = Tiling(instance, (placement,), ("1",))
    for drawing in (
        draw_board(board),
        draw_tiling(tiling),
        draw_position(instance),
        draw_choice(instance, [placement], ["1"]),
    ):
        assert drawing.count("###") == 1
    # A hole in a piece is no hole of a board, and a notch is none either.
    assert "###" not in draw_piece(piece)
    assert "###" not in draw_board(Board.from_text(["1 . 3", "4 . 6", "7 8 9"], SQUARE))
    for picture in (tiling_picture(tiling), board_picture(board), position_picture(instance)):
        filled = [mark for mark in picture.marks if isinstance(mark, Area) and mark.fill == "line"]
        (hole,) = filled
        assert area(hole.loops) == pytest.approx(area([lattice.corners(middle)]))
        x, y = lattice.centre(middle)
        left, top, _, _ = bounds(lattice, board.cells)
        corners = [point for loop in hole.loops for point in loop]
        assert sum(px for px, _ in corners) / len(corners) == pytest.approx(x - left + MARGIN)
        assert sum(py for _, py in corners) / len(corners) == pytest.approx(y - top + MARGIN)
    notched = board_picture(Board.from_text(["1 . 3", "4 . 6", "7 8 9"], SQUARE))
    assert all(mark.fill != "line" for mark in notched.marks if isinstance(mark, Area))
