"""Triangles against geometry of their vertices; random boards are in test_random_boards.py."""

from __future__ import annotations

import pytest
from random_rules import Triangles, Vertex, cell_of, cornered, moved, triangles

import calmip
from calmip import Board, Instance, Piece, Puzzle
from calmip.puzzle.lattice import SHAPES, TRIANGULAR


def test_cells_have_the_neighbours_of_triangles() -> None:
    every = triangles(4)
    assert len({cell_of(one) for one in every}) == len(every)
    for one in every:
        near = {cell_of(other) for other in every if len(one & other) == 2}
        assert near == set(TRIANGULAR.neighbours(cell_of(one))) & set(map(cell_of, every))
        assert TRIANGULAR.kind(cell_of(one)) == (sorted(one)[0] != _least(one))


def test_orientations_are_those_of_the_vertices() -> None:
    for shape in hexiamonds():
        for flip in (False, True):
            expected = {
                TRIANGULAR.normal_form(map(cell_of, way)) for way in moved(shape, flip=flip)
            }
            assert set(TRIANGULAR.orientations(map(cell_of, shape), flip=flip)) == expected


def test_named_shapes_are_all_polyiamonds_of_up_to_six_cells_once() -> None:
    named = {
        name: Piece.from_rows(name, rows, TRIANGULAR) for name, rows in SHAPES["triangular"].items()
    }
    assert len({piece.orientations(flip=True) for piece in named.values()}) == len(named)
    sizes = [sum(len(piece.cells) == size for piece in named.values()) for size in range(1, 7)]
    assert sizes == [1, 1, 1, 3, 4, 12]
    assert all(name[1:] == str(len(piece.cells)) for name, piece in named.items())


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "tilings"), [(6, 6, 156), (9, 4, 74), (12, 3, 0)])
def test_the_published_numbers_of_hexiamonds(width: int, height: int, tilings: int) -> None:
    """D. Goodger, Polyform Puzzler: one of all symmetric tilings."""
    region = [one for one in triangles(12) if all(a <= width and b <= height for a, b in one)]
    where = set(map(cell_of, region))
    rows, columns = TRIANGULAR.frame(where)
    grid = tuple(tuple("*" if (r, c) in where else "." for c in columns) for r in rows)
    pieces = tuple(
        Piece(f"h{k}", tuple(map(cell_of, shape)), TRIANGULAR)
        for k, shape in enumerate(hexiamonds())
    )
    instance = Instance(Puzzle("hexiamonds", Board(grid, TRIANGULAR), pieces))
    assert calmip.count(instance, up_to_symmetry=True).different == tilings


def hexiamonds() -> list[Triangles]:
    """Return the twelve shapes of six triangles."""
    shapes = {frozenset(triangles(1)[:1])}
    for size in range(2, 7):
        grown = set()
        for shape in shapes:
            for one in shape:
                for corner in one:
                    # The reflection in the opposite side is the triangle that touches it.
                    (a, b), (c, d) = one - {corner}
                    over = (a + c - corner[0], b + d - corner[1])
                    more = shape | {one - {corner} | {over}}
                    if len(more) == size:
                        grown.add(min(map(cornered, moved(more, flip=True)), key=_key))
        shapes = grown
    assert len(shapes) == 12
    return sorted(shapes, key=_key)


def _least(triangle: frozenset[Vertex]) -> Vertex:
    return min(a for a, _ in triangle), min(b for _, b in triangle)


def _key(piece: Triangles) -> list[list[Vertex]]:
    return sorted(sorted(triangle) for triangle in piece)
