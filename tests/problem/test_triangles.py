"""Triangles as hexagons with holes: brute force on triangles, each three vertices, as witness."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest
import reference

import calmip
from calmip import Board, ExactCover, Instance, Piece, Puzzle, Tiling
from calmip.problem.lattice import HEXAGONAL
from calmip.search.exact_cover.counting import count
from calmip.search.exact_cover.search import Search

Vertex = tuple[int, int]
"""A point a e + b f, where e and f have length 1 and meet at 60 degrees."""

Triangle = frozenset[Vertex]
Triangles = frozenset[Triangle]


def triangles(side: int) -> list[Triangle]:
    """Return the triangles of a rhombus."""
    pairs = [(a, b) for a in range(side) for b in range(side)]
    up = [frozenset({(a, b), (a + 1, b), (a, b + 1)}) for a, b in pairs]
    return up + [frozenset({(a + 1, b), (a, b + 1), (a + 1, b + 1)}) for a, b in pairs]


def place(triangle: Triangle) -> tuple[int, int]:
    """Return the hexagon (row, column) of a triangle, from the sum of its vertices."""
    x, y = (sum(numbers) for numbers in zip(*triangle, strict=True))
    row, rest = divmod(y - x, 3)
    assert rest == 0
    return row, x + 2 * row


def moved(piece: Iterable[Triangle], *, flip: bool) -> Iterator[Triangles]:
    """Yield the images of a piece under rotations by 60 degrees, and reflections."""
    for mirror in (False, True) if flip else (False,):
        image = [frozenset((b, a) if mirror else (a, b) for a, b in triangle) for triangle in piece]
        for _ in range(6):
            image = [frozenset((-b, a + b) for a, b in triangle) for triangle in image]
            yield frozenset(image)


def placements(piece: Triangles, board: Triangles, *, flip: bool) -> set[Triangles]:
    """Return the ways to lay a piece on a board."""
    corners = {vertex for triangle in board for vertex in triangle}
    found = set()
    for image in moved(piece, flip=flip):
        a0, b0 = min(min(triangle) for triangle in image)
        for a, b in corners:
            shifted = frozenset(
                frozenset((x + a - a0, y + b - b0) for x, y in triangle) for triangle in image
            )
            if shifted <= board:
                found.add(shifted)
    return found


def tilings(board: Triangles, pieces: list[Triangles], *, flip: bool) -> set[frozenset[Triangles]]:
    """Return the ways to cover a board with all pieces, whatever equal ones are called."""
    choices = [placements(piece, board, flip=flip) for piece in pieces]

    def lay(number: int, left: Triangles) -> Iterator[tuple[Triangles, ...]]:
        if number == len(choices):
            if not left:
                yield ()
            return
        for cells in choices[number]:
            if cells <= left:
                for rest in lay(number + 1, left - cells):
                    yield (cells, *rest)

    return {frozenset(tiling) for tiling in lay(0, board)}


def drawn(seed: int) -> tuple[Triangles, list[Triangles], Instance]:
    """Return a board, pieces that cover it, and the same as hexagons."""
    rng = random.Random(seed)
    every = triangles(3)
    board = frozenset(rng.sample(every, rng.randint(8, 14)))
    left, pieces = set(board), []
    while left:
        piece = {rng.choice(sorted(left, key=sorted))}
        for _ in range(rng.randint(1, 5)):
            near = [one for one in left - piece if any(len(one & other) == 2 for other in piece)]
            if near:
                piece.add(rng.choice(sorted(near, key=sorted)))
        left -= piece
        pieces.append(frozenset(piece))
    if sum(len(piece) == 1 for piece in pieces) > 3:  # brute force tries all their orders
        return drawn(seed + 1001)
    flip = rng.random() < 0.6
    where = {place(triangle) for triangle in board}
    top, left_most = min(r for r, _ in where), min(c for _, c in where)
    height, width = max(r for r, _ in where) - top + 1, max(c for _, c in where) - left_most + 1
    rows = tuple(
        tuple("*" if (r + top, c + left_most) in where else "." for c in range(width))
        for r in range(height)
    )
    turned = [rng.choice(sorted(moved(piece, flip=flip), key=repr)) for piece in pieces]
    named = tuple(
        Piece(f"q{k}", tuple(map(place, piece)), HEXAGONAL) for k, piece in enumerate(turned)
    )
    puzzle = Puzzle(f"drawn {seed}", Board(rows, HEXAGONAL), named, flip=flip)
    moved_board = {(r + top, c + left_most) for r, c in puzzle.board.cells}
    assert moved_board == where
    return board, pieces, Instance(puzzle)


def check(seed: int) -> int:
    """Check an instance, and return the number of its tilings."""
    board, pieces, instance = drawn(seed)
    known = tilings(board, pieces, flip=instance.puzzle.flip)
    rows, columns = zip(*(place(triangle) for triangle in board), strict=True)
    pictures = {
        frozenset(
            frozenset((r - min(rows), c - min(columns)) for r, c in map(place, piece))
            for piece in tiling
        )
        for tiling in known
    }
    cover = ExactCover(instance)
    found = [Tiling.from_options(cover, options) for options in Search(cover)]
    drawings = {frozenset(frozenset(one.cells) for one in tiling.placements) for tiling in found}
    assert drawings == pictures
    assert len(found) == count(cover) == len(known) > 0
    return len(known)


def test_places_have_the_neighbours_of_triangles() -> None:
    every = triangles(4)
    assert len({place(one) for one in every}) == len(every)
    for one in every:
        near = {place(other) for other in every if len(one & other) == 2}
        assert near == set(HEXAGONAL.neighbours(place(one))) & {place(other) for other in every}
        assert sum(place(one)) % 3 > 0


def test_a_few_boards_against_brute_force() -> None:
    assert max(check(seed) for seed in range(8)) > 1


@pytest.mark.parametrize("batch", reference.batches(6))
def test_boards_against_brute_force(batch: int) -> None:
    for seed in range(100 * batch, 100 * batch + 100):
        check(seed)


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
    where = {place(one) for one in region}
    top, left = min(r for r, _ in where), min(c for _, c in where)
    bottom, right = max(r for r, _ in where), max(c for _, c in where)
    rows = tuple(
        tuple("*" if (r, c) in where else "." for c in range(left, right + 1))
        for r in range(top, bottom + 1)
    )
    pieces = tuple(
        Piece(f"h{k}", tuple(map(place, shape)), HEXAGONAL)
        for k, shape in enumerate(sorted(shapes, key=_key))
    )
    instance = Instance(Puzzle("hexiamonds", Board(rows, HEXAGONAL), pieces))
    assert calmip.count(instance, up_to_symmetry=True).different == tilings


def _corner(piece: Triangles) -> Triangles:
    """Return a piece translated so that its first vertex is the origin."""
    a0, b0 = min(min(triangle) for triangle in piece)
    return frozenset(frozenset((a - a0, b - b0) for a, b in triangle) for triangle in piece)


def _key(piece: Triangles) -> list[list[Vertex]]:
    return sorted(sorted(triangle) for triangle in piece)
