"""Triangles as hexagons with holes; random boards are in test_random_boards.py."""

from __future__ import annotations

import pytest
from ruled import Triangles, Vertex, hexagon_of, hexagonal_board, moved, triangles

import calmip
from calmip import Instance, Piece, Puzzle
from calmip.problem.lattice import HEXAGONAL


def test_places_have_the_neighbours_of_triangles() -> None:
    every = triangles(4)
    assert len({hexagon_of(one) for one in every}) == len(every)
    for one in every:
        near = {hexagon_of(other) for other in every if len(one & other) == 2}
        assert near == set(HEXAGONAL.neighbours(hexagon_of(one))) & {
            hexagon_of(other) for other in every
        }
        assert sum(hexagon_of(one)) % 3 > 0


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "tilings"), [(6, 6, 156), (9, 4, 74), (12, 3, 0)])
def test_the_published_numbers_of_hexiamonds(width: int, height: int, tilings: int) -> None:
    """D. Goodger, Polyform Puzzler: one of all symmetric tilings."""
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
                        images = map(_corner, moved(more, flip=True))
                        grown.add(min(images, key=_key))
        shapes = grown
    assert len(shapes) == 12
    region = [one for one in triangles(12) if all(a <= width and b <= height for a, b in one)]
    where = {hexagon_of(one) for one in region}
    pieces = tuple(
        Piece(f"h{k}", tuple(map(hexagon_of, shape)), HEXAGONAL)
        for k, shape in enumerate(sorted(shapes, key=_key))
    )
    instance = Instance(Puzzle("hexiamonds", hexagonal_board(where), pieces))
    assert calmip.count(instance, up_to_symmetry=True).different == tilings


def _corner(piece: Triangles) -> Triangles:
    """Return a piece translated so that its first vertex is the origin."""
    a0, b0 = min(min(triangle) for triangle in piece)
    return frozenset(frozenset((a - a0, b - b0) for a, b in triangle) for triangle in piece)


def _key(piece: Triangles) -> list[list[Vertex]]:
    return sorted(sorted(triangle) for triangle in piece)
