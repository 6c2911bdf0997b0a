"""Parts on sheets: gaps, bounds that hold, and as few sheets as a search of all arrangements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.mip.status import Status
from calmip.puzzle.tasks import enumeration
from calmip.workshop import cut, nesting, report
from calmip.workshop.nesting import MAX_SHEET_CELLS, Nesting, Polygon, _runs, nest, raster, turned

UNIT = 5.0
"""Millimetres of the grid in these tests: half a cell, and the gap."""

Size = tuple[int, int]


def box(width: float, height: float) -> Polygon:
    return (((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),)


def ring(width: float, height: float, wall: float) -> Polygon:
    inner = tuple(
        (x * (width - 2 * wall) / width + wall, y * (height - 2 * wall) / height + wall)
        for x, y in box(width, height)[0]
    )
    return (*box(width, height), inner)


def nested(parts: Sequence[Polygon], sheet: Size, seconds: float | None = None) -> Nesting:
    across, down = sheet
    return nest(parts, (across * UNIT, down * UNIT), gap=UNIT, cell=2 * UNIT, time_limit=seconds)


def fits(sizes: Sequence[Size], sheet: Size, sheets: int) -> bool:
    """Search all arrangements of rectangles on the grid, a free line between any two."""
    if not sizes:
        return True
    across, down = sheet
    taken: list[set[Size]] = [set() for _ in range(sheets)]

    def place(number: int) -> bool:
        if number == len(sizes):
            return True
        for wide, high in {sizes[number], sizes[number][::-1]}:
            for room in taken:
                for x, y in itertools.product(range(across - wide + 1), range(down - high + 1)):
                    cells = set(itertools.product(range(x, x + wide + 1), range(y, y + high + 1)))
                    if not cells & room:
                        room |= cells
                        if place(number + 1):
                            return True
                        room -= cells
                if not room:
                    break  # the other empty sheets are the same
        return False

    return place(0)


@pytest.mark.long
@given(
    sizes=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=2, max_size=5),
    sheet=st.tuples(st.integers(4, 6), st.integers(3, 6)),
)
@settings(deadline=None, max_examples=40)
def test_no_arrangement_needs_fewer_sheets_than_was_proved(sizes: list[Size], sheet: Size) -> None:
    sizes = [size for size in sizes if max(size) <= max(sheet) and min(size) <= min(sheet)]
    sizes = sizes or [(1, 1)]
    found = nested([box(wide * UNIT, high * UNIT) for wide, high in sizes], sheet)
    least = next(n for n in range(1, len(sizes) + 1) if fits(sizes, sheet, n))
    assert found.bound <= least <= found.sheets
    # Without a time limit the question is always decided.
    assert found.sheets == least
    assert found.ruled_out == (found.bound < least)
    assert found.gap == pytest.approx((found.sheets - found.bound) / found.sheets)
    boxes = []
    for size, place in zip(sizes, found.places, strict=True):
        wide, high = (size, size[::-1])[place.turns % 2]
        right, bottom = place.x + wide * UNIT, place.y + high * UNIT
        assert min(place.x, place.y) >= 0
        assert right <= sheet[0] * UNIT
        assert bottom <= sheet[1] * UNIT
        boxes.append((place.sheet, place.x, place.y, right, bottom))
    for one, other in itertools.combinations(boxes, 2):
        if one[0] == other[0]:
            apart = max(other[1] - one[3], one[1] - other[3], other[2] - one[4], one[2] - other[4])
            assert apart >= UNIT - 1e-9


BLADES = [box(5 * UNIT, 2 * UNIT)] * 4
"""With their gaps they leave a ninth of a sheet of 8 x 8, as a square or at a corner."""


def test_a_square_fits_beside_the_blades_and_a_longer_part_does_not() -> None:
    assert nested([*BLADES, box(2 * UNIT, 2 * UNIT)], (8, 8)).sheets == 1
    over = nested([*BLADES, box(3 * UNIT, UNIT)], (8, 8))
    assert (over.sheets, over.bound) == (2, 1)
    assert over.ruled_out
    assert over.grid == UNIT


@pytest.mark.parametrize(
    ("sizes", "sheet"),
    [
        ([(11, 3), (10, 8), (13, 8), (15, 5), (6, 3)], (26, 31)),
        ([(13, 10), (15, 10), (6, 6), (13, 8)], (26, 28)),
    ],
)
def test_parts_with_the_same_cells_stay_on_the_sheet_each(sizes: list[Size], sheet: Size) -> None:
    """They touch the same cells of the grid, and only the smaller one fits nearest the edge."""
    found = nest([box(*size) for size in sizes], sheet, gap=UNIT, cell=2 * UNIT, time_limit=None)
    for size, place in zip(sizes, found.places, strict=True):
        wide, high = (size, size[::-1])[place.turns % 2]
        assert place.x + wide <= sheet[0]
        assert place.y + high <= sheet[1]


def test_a_part_that_fits_turned_alone_is_turned() -> None:
    """Both turns touch the same four cells of the grid."""
    found = nest([box(10, 8)], (9.0, 11.0), gap=UNIT, cell=2 * UNIT, time_limit=None)
    assert (found.sheets, found.places[0].turns % 2) == (1, 1)


def test_what_time_did_not_allow_is_not_proved() -> None:
    found = nested([*BLADES, box(3 * UNIT, UNIT)], (8, 8), seconds=1e-6)
    assert (found.sheets, found.bound, found.ruled_out) == (2, 1, False)


def test_rectangles_that_share_no_sheet_are_a_bound() -> None:
    large = [box(30, 30)] * 3
    assert nested(large, (10, 10)).bound == 3
    # A frame whose hole has room for a plate shares its sheet.
    assert nested([ring(45, 45, 5), box(25, 25)], (10, 10)).sheets == 1
    assert nested([ring(45, 45, 5), box(30, 30)], (10, 10)).bound == 2


def test_a_part_as_large_as_its_sheet_fits_turned_or_not() -> None:
    for wide, high in ((33.3, 17.7), (17.7, 33.3)):
        found = nest([box(wide, high)], (33.3, 17.7), gap=UNIT, cell=10.0, time_limit=None)
        assert (found.places[0].x, found.places[0].y) == (0.0, 0.0)
        assert (found.places[0].turns % 2 == 1) == (wide < high)


@given(
    corners=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 30)), min_size=3, max_size=3),
    grid=st.floats(1, 10),
)
def test_a_raster_has_every_cell_that_a_triangle_touches(
    corners: list[tuple[float, float]], grid: float
) -> None:
    (polygon,) = turned((tuple(corners),), 0)
    cells = raster((polygon,), grid, 0.0)
    for weights in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (8, 1, 1), (1, 8, 1), (1, 1, 8)):
        x, y = (
            sum(w * corner[k] for w, corner in zip(weights, polygon, strict=True)) / sum(weights)
            for k in (0, 1)
        )
        near = min(abs(x / grid - round(x / grid)), abs(y / grid - round(y / grid)))
        thin = (
            abs(
                sum(
                    a * d - b * c
                    for (a, b), (c, d) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
                )
            )
            < 1e-3
        )
        if near > 1e-3 and not thin:
            assert (math.floor(y / grid), math.floor(x / grid)) in cells


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_polygon_on_the_grid_has_its_own_cells_and_slack_is_left_out(size: int) -> None:
    exact = {(row, column) for row in range(2) for column in range(size)}
    assert raster(box(size * UNIT, 2 * UNIT), UNIT, 0.0) == exact
    assert raster(box(size * UNIT + 0.1, 2 * UNIT + 0.1), UNIT, 0.1) == exact
    assert len(raster(box(size * UNIT + 0.2, 2 * UNIT), UNIT, 0.1)) == 2 * (size + 1)


def test_the_grid_of_a_large_sheet_is_coarser() -> None:
    """Else parts of a metre on a sheet of ten took minutes on a grid of 3 mm."""
    for size in (1.0, 1000.0):
        found = nest([box(size, size)] * 2, (1e4, 1e4), gap=3.0, cell=size, time_limit=None)
        assert found.sheets == 1
        assert 1e4**2 / found.grid**2 <= MAX_SHEET_CELLS * (1 + 1e-9)
    assert nest([box(20.0, 20.0)], (600.0, 400.0), gap=3.0, cell=20.0, time_limit=None).grid < 4


@given(st.sets(st.integers(0, 30), min_size=1))
def test_runs_are_the_same_cells(cells: set[int]) -> None:
    runs = _runs(sorted(cells))
    assert sorted(n for first, many in runs for n in range(first, first + many)) == sorted(cells)
    assert all(first - 1 not in cells and first + many not in cells for first, many in runs)
    assert [many for _, many in runs] == sorted(many for _, many in runs)


def test_quarter_turns_go_clockwise_as_seen() -> None:
    corner = (((0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (0.0, 2.0)),)
    assert turned(corner, 1) == (((2.0, 0.0), (2.0, 3.0), (1.0, 3.0), (0.0, 0.0)),)
    assert turned(corner, 4) == corner


@pytest.mark.parametrize("verified", [True, False])
@pytest.mark.parametrize("status", [Status.INFEASIBLE, Status.UNKNOWN])
def test_parts_do_not_fit_only_if_that_is_proved(
    status: Status, verified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(status=status, verified=verified, objective=None)
    monkeypatch.setattr("calmip.puzzle.tasks.solve.solve", lambda *_, **__: found)
    program: Any = SimpleNamespace(model=None)
    answer = nesting._solve(program, program, Deadline(9))
    assert answer == (None, status is Status.INFEASIBLE and verified)


@pytest.mark.parametrize(
    ("sheets", "bound", "ruled_out", "words"),
    [
        (2, 2, False, "2 sheets; fewer are impossible"),
        (2, 2, True, "2 sheets; fewer are impossible"),
        (3, 2, False, "3 sheets; not proved to be the fewest; every arrangement needs at least 2"),
        (3, 2, True, "3 sheets; fewer are impossible on a grid of 1.5 mm (proved); every arrang"),
    ],
)
def test_fewer_sheets_are_called_impossible_if_that_is_proved(
    sheets: int, bound: int, ruled_out: bool, words: str
) -> None:
    one: Any = SimpleNamespace(
        sheets=sheets, bound=bound, ruled_out=ruled_out, grid=1.5, gap=1 - bound / sheets
    )
    assert report._count(one).startswith(words)
    assert ("gap 33.3%" in report._count(one)) is (sheets > bound)
    plan: Any = SimpleNamespace(
        arranged={
            "a": SimpleNamespace(nesting=one, sheets=[1, 2]),
            "b": SimpleNamespace(nesting=one, sheets=[1]),
        }
    )
    assert report.notes(plan) == [report._count(one)]


@pytest.mark.parametrize(
    ("complete", "words"),
    [(True, "is small has no tiling; leave"), (False, "has no known tiling: time limit reached")],
)
def test_lines_are_shared_along_a_tiling_if_there_is_one(
    complete: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []

    class Search(list[str]):
        def __init__(self, instance: Any, *, limit: int, time_limit: float) -> None:
            assert (instance.free, limit, time_limit) == (("month", "day"), 1, 9.0)
            super().__init__(found)
            self.complete = complete

    monkeypatch.setattr(enumeration, "Enumeration", Search)
    monkeypatch.setattr(cut, "Instance", lambda _, free: SimpleNamespace(free=free))
    puzzle: Any = SimpleNamespace(groups={"month": (), "day": ()}, name="what is small")
    cutting: Any = SimpleNamespace(clearance=0, radius=0, time_limit=9.0)
    with pytest.raises(InputError, match=words):
        cut._tiling(puzzle, cutting)
    found.append("a tiling")
    assert cut._tiling(puzzle, cutting) == "a tiling"  # type: ignore[comparison-overlap]
    for name in ("clearance", "radius"):
        wide: Any = SimpleNamespace(**{**vars(cutting), name: 0.1})
        with pytest.raises(InputError, match=f"leave out --{name} or --common-lines"):
            cut._tiling(puzzle, wide)
