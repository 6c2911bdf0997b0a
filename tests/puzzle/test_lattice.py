"""Lattices: how many shapes there are, and that an orientation is a property of the shape."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Iterable

import brute_force
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import polyforms

from calmip.puzzle.lattice import HEXAGONAL, LATTICES, SQUARE, Lattice, Shape

EACH = pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)

# Numbers of polyominoes, polyhexes, polyiamonds and polyrhombs with 1, 2, ... cells, from the
# On-Line Encyclopedia of Integer Sequences: fixed A001168, A001207, A001420; one-sided A000988,
# A006535, A006534; free A000105, A000228, A000577, A197459. The others are those of `edges`.
NUMBERS = {
    "square": ([1, 2, 6, 19, 63, 216], [1, 1, 2, 7, 18, 60], [1, 1, 2, 5, 12, 35]),
    "hexagonal": ([1, 3, 11, 44, 186, 814], [1, 1, 3, 10, 33, 147], [1, 1, 3, 7, 22, 82]),
    "triangular": ([2, 3, 6, 14, 36, 94], [1, 1, 1, 4, 6, 19], [1, 1, 1, 3, 4, 12]),
    "rhombille": ([], [], [1, 1, 3, 4, 12, 27]),
    "cairo": ([], [], [1, 2, 5, 17, 55, 206]),
}

AREAS = {
    "square": 1,
    "hexagonal": math.sqrt(3) / 2,
    "triangular": 3 * math.sqrt(3) / 4,
    "rhombille": 2 / math.sqrt(3),
    "cairo": 1,
}
"""The areas of cells whose centres are 1 apart."""


def grown(lattice: Lattice, size: int) -> set[Shape]:
    """Return all shapes of a size up to translation."""
    shapes: set[Shape] = {(home,) for home in lattice.homes}
    for _ in range(size - 1):
        shapes = {
            lattice.normal_form([*shape, new])
            for shape in shapes
            for cell in shape
            for new in lattice.neighbours(cell)
            if new not in shape
        }
    return shapes


@EACH
def test_the_numbers_of_polyforms_are_the_published_ones(lattice: Lattice) -> None:
    for size in range(1, 7):
        fixed = grown(lattice, size)
        counted = [len(fixed)]
        counted += [len({lattice.orientations(s, flip=flip) for s in fixed}) for flip in (0, 1)]
        for number, known in zip(counted, NUMBERS[lattice.name], strict=True):
            assert not known or number == known[size - 1]


@pytest.mark.long
@EACH
@given(data=st.data(), flip=st.booleans())
def test_orientations_belong_to_the_shape_not_to_its_drawing(
    lattice: Lattice, data: st.DataObject, flip: bool
) -> None:
    cells = data.draw(polyforms(lattice))
    found = lattice.orientations(cells, flip=flip)
    group = lattice.order * (2 if flip else 1)
    assert group % len(found) == 0
    assert list(found) == sorted(set(found))
    for shape in found:
        # Any orientation, moved anywhere, has the same orientations: the set is
        # closed under the motions, and its order does not depend on the start.
        moved = [(r + 6, c - 12) for r, c in reversed(shape)]
        assert lattice.orientations(moved, flip=flip) == found
        assert shape == lattice.normal_form(shape)
        assert len(shape) == len(cells)
        assert lattice.is_connected(shape)


@given(cells=polyforms(), flip=st.booleans())
def test_square_orientations_are_those_of_the_eight_motions(
    cells: list[tuple[int, int]], flip: bool
) -> None:
    found = SQUARE.orientations(cells, flip=flip)
    assert {brute_force.cornered(shape) for shape in found} == brute_force.turned(cells, flip=flip)
    assert len(found) == len(brute_force.turned(cells, flip=flip))


@given(cells=polyforms(HEXAGONAL))
def test_hexagonal_motions_keep_distances_in_the_plane(cells: list[tuple[int, int]]) -> None:
    def distances(shape: Shape) -> list[float]:
        # Columns go east, rows go 120 degrees from there: the six steps are unit vectors.
        points = [(c - r / 2, r * math.sqrt(3) / 2) for r, c in shape]
        return sorted(round(math.dist(a, b), 9) for a, b in itertools.combinations(points, 2))

    wanted = distances(tuple(cells))
    assert all(distances(s) == wanted for s in HEXAGONAL.orientations(cells, flip=True))


@EACH
def test_motions_turn_and_reflect_the_drawing(lattice: Lattice) -> None:
    """The first rotation goes clockwise by a full turn over the order; a reflection reverses."""
    cells = [(r, c) for r in range(4) for c in range(7)]

    def drawn(cell: tuple[int, int]) -> list[complex]:
        return [complex(*lattice.centre(cell)), *(complex(*p) for p in lattice.corners(cell))]

    images = list(itertools.islice(lattice.images(cells, flip=True), lattice.order + 1))
    for image, reflected in ((images[1], False), (images[-1], True)):
        before = [[p.conjugate() if reflected else p for p in drawn(cell)] for cell in cells]
        after = [drawn(cell) for cell in image]
        factor = (after[1][0] - after[0][0]) / (before[1][0] - before[0][0])
        assert abs(factor) == pytest.approx(1)
        if not reflected:
            assert factor == pytest.approx(cmath.exp(2j * math.pi / lattice.order))
        for old, new in zip(before, after, strict=True):
            there = [after[0][0] + factor * (p - before[0][0]) for p in old]
            assert all(min(abs(p - q) for q in new) < 1e-9 for p in there)


@EACH
@given(cell=st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_each_edge_is_that_of_the_neighbour_across_it(
    lattice: Lattice, cell: tuple[int, int]
) -> None:
    corners, around = lattice.corners(cell), lattice.neighbours(cell)
    assert len(corners) == len(set(corners)) == len(around)
    for k, other in enumerate(around):
        edge = {corners[k], corners[(k + 1) % len(corners)]}
        # Exactly the same numbers, not about the same: drawings match edges by ==.
        assert edge == set(corners) & set(lattice.corners(other))
        near = 0.05 if lattice.name == "cairo" else 1e-9
        assert math.dist(lattice.centre(cell), lattice.centre(other)) == pytest.approx(1, abs=near)
    lengths = {round(math.dist(a, b), 9) for a, b in itertools.pairwise([*corners, corners[0]])}
    assert len(lengths) == 1 + (lattice.name == "cairo")
    # Clockwise with y downwards: the signed area is positive, that of a unit cell.
    doubled = sum(a[0] * b[1] - a[1] * b[0] for a, b in itertools.pairwise([*corners, corners[0]]))
    assert doubled / 2 == pytest.approx(AREAS[lattice.name])


@EACH
def test_motions_of_cells_are_motions_of_the_drawing(lattice: Lattice) -> None:
    cells = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 0)]

    def distances(shape: Iterable[tuple[int, int]]) -> list[float]:
        points = [lattice.centre(cell) for cell in shape]
        return sorted(round(math.dist(a, b), 9) for a, b in itertools.combinations(points, 2))

    for shape in lattice.orientations(cells, flip=True):
        assert distances(shape) == distances(cells)


@pytest.mark.long
@EACH
@given(cells=st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_connected_means_one_part(lattice: Lattice, cells: set[tuple[int, int]]) -> None:
    sides = {cell: edges(lattice, cell) for cell in cells}
    parts: list[set[tuple[int, int]]] = []
    for cell in cells:
        near = [part for part in parts if any(sides[cell] & sides[other] for other in part)]
        parts = [part for part in parts if part not in near] + [{cell}.union(*near)]
    assert lattice.is_connected(cells) == (len(parts) == 1)


def edges(lattice: Lattice, cell: tuple[int, int]) -> set[frozenset[tuple[float, float]]]:
    """Return the sides of a cell in the drawing."""
    corners = lattice.corners(cell)
    return {frozenset(side) for side in zip(corners, (*corners[1:], corners[0]), strict=True)}


@given(
    cells=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1),
    move=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
)
def test_normalised_forgets_place_order_and_repetition(
    cells: list[tuple[int, int]], move: tuple[int, int]
) -> None:
    shape = SQUARE.normal_form(cells)
    assert shape[0] == (0, 0)
    assert shape == SQUARE.normal_form(shape)
    assert shape == SQUARE.normal_form([(r + move[0], c + move[1]) for r, c in reversed(cells * 2)])
    assert brute_force.cornered(shape) == brute_force.cornered(cells)


@EACH
@given(data=st.data(), down=st.integers(-4, 4), right=st.integers(-4, 4))
def test_translations_keep_the_kinds_and_the_drawing(
    lattice: Lattice, data: st.DataObject, down: int, right: int
) -> None:
    """A shape moved to a cell of the kind of its first one is congruent, without a turn."""
    shape = lattice.normal_form(data.draw(polyforms(lattice)))
    assert shape[0] in lattice.homes
    moved = lattice.moved(shape, (down, right))
    assert bool(moved) == (lattice.kind((down, right)) == lattice.kind(shape[0]))
    if moved:
        assert moved[0] == (down, right)
        assert lattice.normal_form(moved) == shape
        corners = [[complex(*p) for p in lattice.corners(cell)] for cell in (*shape, *moved)]
        by = {
            complex(round(z.real, 9) + 0.0, round(z.imag, 9) + 0.0)
            for old, new in zip(corners[: len(shape)], corners[len(shape) :], strict=True)
            for a, b in zip(old, new, strict=True)
            for z in [b - a]
        }
        assert len(by) == 1


@EACH
def test_a_frame_begins_as_the_pattern_does(lattice: Lattice) -> None:
    for cell in [(r, c) for r in range(-3, 4) for c in range(-3, 4)]:
        rows, columns = lattice.frame([cell])
        assert lattice.kind((rows[0], columns[0])) == lattice.kind((0, 0))
        assert cell[0] in rows
        assert cell[1] in columns
        at = (cell[0] - rows[0], cell[1] - columns[0])
        assert lattice.normal_form([at]) == lattice.normal_form([cell])


@EACH
def test_nothing_is_normalised_to_nothing(lattice: Lattice) -> None:
    assert lattice.normal_form([]) == ()
