"""Lattices: how many shapes there are, and that an orientation is a property of the shape."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import polyforms

from calmip.problem.lattice import HEXAGONAL, LATTICES, SQUARE, Lattice, Shape, normal_form

BOTH = pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)

# Numbers of polyominoes and polyhexes with 1, 2, ... cells, from the On-Line
# Encyclopedia of Integer Sequences: fixed A001168, A001207; one-sided A000988,
# A006535; free A000105, A000228.
NUMBERS = {
    "square": ([1, 2, 6, 19, 63, 216], [1, 1, 2, 7, 18, 60], [1, 1, 2, 5, 12, 35]),
    "hexagonal": ([1, 3, 11, 44, 186, 814], [1, 1, 3, 10, 33, 147], [1, 1, 3, 7, 22, 82]),
}


def grown(lattice: Lattice, size: int) -> set[Shape]:
    """Return all shapes of a size up to translation."""
    shapes = {((0, 0),)}
    for _ in range(size - 1):
        shapes = {
            normal_form([*shape, new])
            for shape in shapes
            for cell in shape
            for new in lattice.neighbours(cell)
            if new not in shape
        }
    return shapes


@BOTH
def test_the_numbers_of_polyforms_are_the_published_ones(lattice: Lattice) -> None:
    for size in range(1, 7):
        fixed = grown(lattice, size)
        counted = [len(fixed)]
        counted += [len({lattice.orientations(s, flip=flip) for s in fixed}) for flip in (0, 1)]
        assert counted == [column[size - 1] for column in NUMBERS[lattice.name]]


@BOTH
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
        moved = [(r + 7, c - 9) for r, c in reversed(shape)]
        assert lattice.orientations(moved, flip=flip) == found
        assert shape == normal_form(shape)
        assert len(shape) == len(cells)
        assert lattice.is_connected(shape)


@given(cells=polyforms(), flip=st.booleans())
def test_square_orientations_are_those_of_the_eight_motions(
    cells: list[tuple[int, int]], flip: bool
) -> None:
    found = SQUARE.orientations(cells, flip=flip)
    assert {reference.cornered(shape) for shape in found} == reference.turned(cells, flip=flip)
    assert len(found) == len(reference.turned(cells, flip=flip))


@given(cells=polyforms(HEXAGONAL))
def test_hexagonal_motions_keep_distances_in_the_plane(cells: list[tuple[int, int]]) -> None:
    def distances(shape: Shape) -> list[float]:
        # Columns go east, rows go 120 degrees from there: the six steps are unit vectors.
        points = [(c - r / 2, r * math.sqrt(3) / 2) for r, c in shape]
        return sorted(round(math.dist(a, b), 9) for a, b in itertools.combinations(points, 2))

    wanted = distances(tuple(cells))
    assert all(distances(s) == wanted for s in HEXAGONAL.orientations(cells, flip=True))


@BOTH
def test_steps_are_the_orbit_of_one_step(lattice: Lattice) -> None:
    (a, b), (c, d) = lattice.turn
    step, orbit = lattice.steps[0], set()
    for _ in range(lattice.order):
        step = (a * step[0] + b * step[1], c * step[0] + d * step[1])
        orbit.add(step)
    assert step == lattice.steps[0]
    assert orbit == set(lattice.steps)
    (a, b), (c, d) = lattice.mirror
    assert {(a * r + b * s, c * r + d * s) for r, s in orbit} == orbit
    assert a * d - b * c == -1


@BOTH
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
        assert math.dist(lattice.centre(cell), lattice.centre(other)) == pytest.approx(1)
    lengths = {round(math.dist(a, b), 9) for a, b in itertools.pairwise([*corners, corners[0]])}
    assert len(lengths) == 1
    # Clockwise with y downwards: the signed area is positive, that of a unit cell.
    doubled = sum(a[0] * b[1] - a[1] * b[0] for a, b in itertools.pairwise([*corners, corners[0]]))
    assert doubled / 2 == pytest.approx({4: 1, 6: math.sqrt(3) / 2}[len(corners)])


@BOTH
def test_motions_of_cells_are_motions_of_the_drawing(lattice: Lattice) -> None:
    cells = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 0)]

    def distances(shape: Iterable[tuple[int, int]]) -> list[float]:
        points = [lattice.centre(cell) for cell in shape]
        return sorted(round(math.dist(a, b), 9) for a, b in itertools.combinations(points, 2))

    for shape in lattice.orientations(cells, flip=True):
        assert distances(shape) == distances(cells)


@BOTH
@given(cells=st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_connected_means_one_part(lattice: Lattice, cells: set[tuple[int, int]]) -> None:
    assert lattice.is_connected(cells) == (reference.components(cells, lattice.steps) == 1)


@given(
    cells=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1),
    move=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
)
def test_normalised_forgets_place_order_and_repetition(
    cells: list[tuple[int, int]], move: tuple[int, int]
) -> None:
    shape = normal_form(cells)
    assert shape[0] == (0, 0)
    assert shape == normal_form(shape)
    assert shape == normal_form([(r + move[0], c + move[1]) for r, c in reversed(cells * 2)])
    assert reference.cornered(shape) == reference.cornered(cells)


def test_nothing_is_normalised_to_nothing() -> None:
    assert normal_form([]) == ()
