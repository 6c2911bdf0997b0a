"""Parts on as few sheets as possible: bin packing of polygons, with bounds.

A part is turned by quarter turns and lies on a grid of the sheet. It occupies the cells of that
grid that it touches, and one more to the right and below, so that parts whose cells differ are at
least a gap apart, across or down. Holes are free: pieces may lie in the hole of a frame.

First-fit packings in several orders give the incumbent. The bound has two sources, which hold for
every arrangement: the area of parts and gaps, and rectangles no two of which share a sheet. Where
they differ, a binary program asks for one sheet less on the grid: a column for a part, a turn, a
place and a sheet, an equality row for the parts of a shape, and a row of at most 1 for a cell of a
sheet. Its "infeasible" counts where the witness of `calmip.solve` agrees.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calmip._base.limits import Deadline
from calmip.mip.model import Model, NamedRow
from calmip.mip.status import Status
from calmip.puzzle.lattice import Cell, Point

EPS = 1e-6
"""Millimetres below which two lengths are equal."""

MAX_ORDERS = 60
"""First-fit packings that are tried, each in another order of the parts."""

MAX_LARGE_BOXES = 8
"""The largest rectangles, among which are those that cannot share a sheet."""

MAX_COLUMNS, MAX_NONZEROS = 20_000, 300_000
"""The size of a binary program; on a finer grid it would be larger."""

MAX_SHEET_CELLS = 1 << 18
"""The cells of a sheet; on a finer grid a packing of large parts would take minutes."""

Polygon = tuple[tuple[Point, ...], ...]
"""Loops; inside is what an odd number of them surrounds. Their least x and y are 0."""


@dataclass(frozen=True)
class Place:
    """The place of a part: its sheet, its quarter turns clockwise, and its least x and y in mm."""

    sheet: int
    turns: int
    x: float
    y: float


@dataclass(frozen=True)
class Nesting:
    """The places of parts on sheets.

    Parameters
    ----------
    places
        The place of each part.
    bound
        The number of sheets that every arrangement needs at least.
    grid
        The grid of the sheet in millimetres, on which fewer sheets were ruled out or looked for.
    ruled_out
        Whether it is proved that no arrangement on the grid needs fewer sheets.
    """

    places: tuple[Place, ...]
    bound: int
    grid: float = 0.0
    ruled_out: bool = False

    @property
    def sheets(self) -> int:
        """The number of sheets."""
        return 1 + max(place.sheet for place in self.places)

    @property
    def gap(self) -> float:
        """The relative gap between the number of sheets and its bound."""
        return (self.sheets - self.bound) / self.sheets


def turned(polygon: Polygon, turns: int) -> Polygon:
    """Return a polygon after quarter turns clockwise, its least x and y 0 again."""
    for _ in range(turns % 4):
        polygon = tuple(tuple((-y, x) for x, y in loop) for loop in polygon)
    left, top = (min(point[k] for loop in polygon for point in loop) for k in (0, 1))
    return tuple(tuple((x - left, y - top) for x, y in loop) for loop in polygon)


def raster(polygon: Polygon, grid: float, slack: float) -> frozenset[Cell]:
    """Return the cells (row, column) of a grid that a polygon touches.

    What protrudes to the right or below into a cell by no more than the slack is left out.
    """
    found: set[Cell] = set()
    sides = [
        (here, there)
        for loop in polygon
        for here, there in zip(loop, (*loop[1:], loop[0]), strict=True)
    ]
    rows = math.ceil(max(y for loop in polygon for _, y in loop) / grid)
    for row in range(rows):
        top, bottom = row * grid + slack + EPS, (row + 1) * grid - EPS
        middle = (top + bottom) / 2
        crossings = []
        for (x, y), (right, down) in sides:
            if max(y, down) > top and min(y, down) < bottom:
                ends = [x, right]
                if y != down:
                    at = sorted(
                        min(1.0, max(0.0, (level - y) / (down - y))) for level in (top, bottom)
                    )
                    ends = [x + part * (right - x) for part in at]
                found |= {(row, column) for column in _columns(min(ends), max(ends), grid, slack)}
            if min(y, down) <= middle < max(y, down):
                crossings.append(x + (middle - y) / (down - y) * (right - x))
        crossings.sort()
        for left, right in zip(crossings[::2], crossings[1::2], strict=True):
            found |= {(row, column) for column in _columns(left, right, grid, slack)}
    return frozenset(found)


def _columns(left: float, right: float, grid: float, slack: float) -> range:
    """Return the columns of a grid that an interval touches."""
    first = math.floor((left + EPS) / grid)
    last = math.ceil((right - slack - EPS) / grid)
    return range(first, max(last, first + (left > first * grid + slack + EPS)))


@dataclass(frozen=True)
class _Way:
    """A part after quarter turns: the cells that it and its gap occupy, and its places.

    A set of cells is a number whose bit ``row * stride + column`` is one for each cell. The runs
    are the same cells, as the first and the number of those in a line, the shortest runs first.
    """

    turns: int
    size: Point
    cells: tuple[int, ...]
    runs: tuple[tuple[int, int], ...]
    mask: int
    places: int


class _Grid:
    """The grid of a sheet, and the ways of each part on it."""

    def __init__(self, parts: Sequence[Polygon], sheet: Point, grid: float, slack: float) -> None:
        self.size, self.sheet = grid, sheet
        across, down = (math.floor(length / grid + EPS) for length in sheet)
        # Beyond the last place of a part are its own last cells, and the gap.
        self.stride = across + 3
        self.ways = [tuple(self._ways(part, across, down, slack)) for part in parts]

    def _ways(self, part: Polygon, across: int, down: int, slack: float) -> Iterator[_Way]:
        seen = set()
        for turns in range(4):
            polygon = turned(part, turns)
            width, height = (max(p[k] for loop in polygon for p in loop) for k in (0, 1))
            own = raster(polygon, self.size, slack)
            wide = {(r + d, c + e) for r, c in own for d in (0, 1) for e in (0, 1)}
            cells = tuple(sorted(row * self.stride + column for row, column in wide))
            row = sum(
                1 << n for n in range(across + 1) if n * self.size + width <= self.sheet[0] + EPS
            )
            places = sum(
                row << n * self.stride
                for n in range(down + 1)
                if n * self.size + height <= self.sheet[1] + EPS
            )
            # Two turns may touch the same cells, and only one of them fit nearest the edge.
            if places and (cells, places) not in seen:
                seen.add((cells, places))
                runs = _runs(cells)
                mask = sum(((1 << length) - 1) << first for first, length in runs)
                yield _Way(turns, (width, height), cells, runs, mask, places)

    def place(self, sheet: int, way: _Way, at: int) -> Place:
        """Return the place of a part whose first cell is at a place of the grid."""
        row, column = divmod(at, self.stride)
        return Place(sheet, way.turns, column * self.size, row * self.size)

    def first_fit(self, order: Iterable[int]) -> dict[int, Place]:
        """Return places of the parts, each on the first sheet with room, as far up as can be."""
        occupied: list[int] = []
        found: dict[int, Place] = {}
        for part in order:
            for sheet in range(len(occupied) + 1):
                taken = occupied[sheet] if sheet < len(occupied) else 0
                best = self._lowest(part, taken)
                if best is not None:
                    way, at = best
                    occupied[sheet : sheet + 1] = [taken | way.mask << at]
                    found[part] = self.place(sheet, way, at)
                    break
        return found

    def _lowest(self, part: int, taken: int) -> tuple[_Way, int] | None:
        """Return the way and the place of a part that reach down the least, if there is room."""
        best: tuple[tuple[float, float], _Way, int] | None = None
        for way in self.ways[part]:
            free = way.places
            # A bit of `near` is 1 if any of the `many` cells from it rightwards is occupied.
            near, many = taken, 1
            for first, length in way.runs if taken else ():
                while many < length:
                    step = min(many, length - many)
                    near, many = near | near >> step, many + step
                free &= ~(near >> first)
                if not free:
                    break
            if free:
                at = (free & -free).bit_length() - 1
                row, column = divmod(at, self.stride)
                reach = row * self.size + way.size[1], column * self.size + way.size[0]
                if best is None or reach < best[0]:
                    best = reach, way, at
        return best and best[1:]


def nest(
    parts: Sequence[Polygon],
    sheet: Point,
    *,
    gap: float,
    slack: float = 0.0,
    corner: float = 0.0,
    cell: float,
    time_limit: float | None,
) -> Nesting:
    """Return places of parts on as few sheets as were found.

    Parameters
    ----------
    parts
        The parts; each fits on an empty sheet.
    sheet
        The width and height of a sheet within its margin.
    gap, slack
        The least distance between parts, and how far their sides may lie beyond those of the
        puzzle's cells.
    corner
        The radius by which corners are rounded.
    cell
        The width of a puzzle's cell, of which the grid is a part.
    time_limit
        The wall-clock seconds for the search after the first packing.
    """
    clock = Deadline(time_limit)
    sizes = list(_sizes(cell, max(gap + slack, math.sqrt(sheet[0] * sheet[1] / MAX_SHEET_CELLS))))
    fine = _Grid(parts, sheet, sizes[0], slack)
    bound = max(_by_area(parts, sheet, gap), _by_rectangles(parts, sheet, gap, corner))
    weights = [(len(ways[0].cells), max(ways[0].size)) for ways in fine.ways]
    order = sorted(range(len(parts)), key=lambda part: weights[part], reverse=True)
    best = fine.first_fit(order)
    chance = random.Random(0)  # noqa: S311
    for _ in range(MAX_ORDERS):
        if _count(best) == bound or clock.over:
            break
        # Large parts go first more often than not.
        blur = {part: weights[part][0] * chance.uniform(0.5, 1.5) for part in order}
        other = fine.first_fit(sorted(order, key=blur.__getitem__, reverse=True))
        best = min(best, other, key=_count)
    ruled_out = False
    coarser = (_Grid(parts, sheet, size, slack) for size in sizes[1:])
    for grid in itertools.chain([fine], coarser) if _count(best) > bound else ():
        if clock.over:
            break
        model = _model(grid, _count(best) - 1, bound)
        if model is None:
            continue
        fine = grid
        while model is not None and not clock.over:
            found, none = _solve(grid, model, clock)
            if found is None:
                ruled_out = none
                break
            best = found
            model = _model(grid, _count(best) - 1, bound)
        break
    places = tuple(best[part] for part in range(len(parts)))
    return Nesting(places, bound, fine.size, ruled_out)


def _sizes(cell: float, least: float) -> Iterator[float]:
    """Yield the sizes of grids, the finest first, of which half a cell is a multiple.

    Without any, the least distance is the grid.
    """
    many = int(cell / least + EPS) // 2 * 2
    yield from (cell / number for number in range(many, 1, -2)) if many else [least]


def _runs(cells: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the runs of numbers in order: the first and the number of each, the shortest first."""
    firsts = [cell for before, cell in itertools.pairwise((-2, *cells)) if cell != before + 1]
    lasts = [cell for cell, after in itertools.pairwise((*cells, -2)) if after != cell + 1]
    found = ((first, last - first + 1) for first, last in zip(firsts, lasts, strict=True))
    return tuple(sorted(found, key=lambda run: run[1]))


def _count(places: dict[int, Place]) -> int:
    return 1 + max(place.sheet for place in places.values())


def _signed(loop: Sequence[Point]) -> float:
    pairs = zip(loop, (*loop[1:], loop[0]), strict=True)
    return sum(x * down - right * y for (x, y), (right, down) in pairs) / 2


def _inside(point: Point, loop: Sequence[Point]) -> bool:
    sides = zip(loop, (*loop[1:], loop[0]), strict=True)
    return bool(
        sum(
            min(y, down) <= point[1] < max(y, down)
            and x + (point[1] - y) / (down - y) * (right - x) > point[0]
            for (x, y), (right, down) in sides
        )
        % 2
    )


def _area(polygon: Polygon) -> float:
    """Return the area of a polygon, its holes left out."""
    depths = [
        sum(_inside(one[0], other) for other in polygon if other is not one) for one in polygon
    ]
    return math.fsum(
        abs(_signed(loop)) * (-1.0) ** depth for loop, depth in zip(polygon, depths, strict=True)
    )


def _by_area(parts: Sequence[Polygon], sheet: Point, gap: float) -> int:
    """Return a bound by area: each part grows by a square of half a gap on all sides.

    The grown area is at least (sqrt(area) + gap)^2 by the inequality of Brunn and Minkowski.
    """
    needed = math.fsum((math.sqrt(_area(part)) + gap) ** 2 for part in parts)
    return max(1, math.ceil(needed / ((sheet[0] + gap) * (sheet[1] + gap)) - EPS))


def _by_rectangles(parts: Sequence[Polygon], sheet: Point, gap: float, corner: float) -> int:
    """Return the size of a largest set of rectangles no two of which share a sheet."""
    # A rounded rectangle has one in it that is smaller by this on every side.
    less = 2 * corner * (1 - math.sqrt(0.5))
    boxes: list[tuple[Point, list[Point]]] = []
    for part in parts:
        outer = max(part, key=lambda loop: abs(_signed(loop)))
        width, height = (max(point[k] for point in outer) for k in (0, 1))
        if abs(_signed(outer)) >= width * height - corner**2 - EPS:
            holes = [
                (
                    max(x for x, _ in loop) - min(x for x, _ in loop),
                    max(y for _, y in loop) - min(y for _, y in loop),
                )
                for loop in part
                if loop is not outer
            ]
            boxes.append(((width - less, height - less), holes))

    def apart(one: int, other: int) -> bool:
        """Return whether two rectangles cannot share a sheet in any way."""
        pairs = itertools.product(*(((w, h), (h, w)) for w, h in (boxes[one][0], boxes[other][0])))
        for (width, height), (wide, high) in pairs:
            beside = width + wide + gap <= sheet[0] + EPS and max(height, high) <= sheet[1] + EPS
            below = height + high + gap <= sheet[1] + EPS and max(width, wide) <= sheet[0] + EPS
            if beside or below:
                return False
        for here, there in ((one, other), (other, one)):
            for hole in boxes[here][1]:
                inner = boxes[there][0]
                if any(
                    a + 2 * gap <= hole[0] + EPS and b + 2 * gap <= hole[1] + EPS
                    for a, b in (inner, inner[::-1])
                ):
                    return False
        return True

    boxes = sorted(boxes, key=lambda one: -one[0][0] * one[0][1])[:MAX_LARGE_BOXES]
    for size in range(len(boxes), 1, -1):
        for some in itertools.combinations(range(len(boxes)), size):
            if all(apart(one, other) for one, other in itertools.combinations(some, 2)):
                return size
    return 1


@dataclass(frozen=True)
class _Program:
    """A binary program, and what each column is: a kind of parts, a sheet, a way and a place."""

    model: Model
    columns: Sequence[tuple[int, int, _Way, int]]
    kinds: Sequence[Sequence[int]]


def _model(grid: _Grid, sheets: int, bound: int) -> _Program | None:
    """Return the program that places all parts on ``sheets`` sheets; None if it is too large."""
    if sheets < bound:
        return None
    # Parts with the same cells may have other places: a little smaller, one fits nearer the edge.
    alike: dict[frozenset[tuple[tuple[int, ...], int]], list[int]] = {}
    for part, own in enumerate(grid.ways):
        alike.setdefault(frozenset((way.cells, way.places) for way in own), []).append(part)
    kinds = sorted(alike.values(), key=lambda some: -len(grid.ways[some[0]][0].cells))
    kind_ways = [(kind, way) for kind, some in enumerate(kinds) for way in grid.ways[some[0]]]
    number = sum(way.places.bit_count() for _, way in kind_ways) * sheets
    entries = sum(way.places.bit_count() * len(way.cells) for _, way in kind_ways) * sheets
    if number > MAX_COLUMNS or entries > MAX_NONZEROS:
        return None
    columns = [
        (kind, sheet, way, at)
        for kind, way in kind_ways
        # Sheets are alike: the largest part lies on the first.
        for sheet in range(1 if kind == 0 and len(kinds[0]) == 1 else sheets)
        for at in range(way.places.bit_length())
        if way.places >> at & 1
    ]
    members: dict[tuple[int, int], dict[int, float]] = {}
    parts: list[dict[int, float]] = [{} for _ in kinds]
    for column, (kind, sheet, way, at) in enumerate(columns):
        parts[kind][column] = 1.0
        for cell in way.cells:
            members.setdefault((sheet, at + cell), {})[column] = 1.0
    rows: list[NamedRow] = [
        (f"part{kind}", some, float(len(kinds[kind])), float(len(kinds[kind])))
        for kind, some in enumerate(parts)
    ]
    # Rows of the same columns are one.
    unique = {tuple(some): (sheet, cell) for (sheet, cell), some in members.items()}
    rows += [
        (f"s{sheet}c{cell}", dict.fromkeys(some, 1.0), -math.inf, 1.0)
        for some, (sheet, cell) in unique.items()
    ]
    names = [f"x{column}" for column in range(len(columns))]
    return _Program(Model.from_rows(names, rows, name="nesting"), columns, kinds)


def _solve(grid: _Grid, program: _Program, clock: Deadline) -> tuple[dict[int, Place] | None, bool]:
    """Return places of the parts, or None and whether it is proved that there are none."""
    from calmip.puzzle.tasks.solve import solve

    found = solve(program.model, time_limit=clock.left())
    if found.status is Status.INFEASIBLE:
        return None, found.verified
    if found.objective is None:
        return None, False
    left = [list(kind) for kind in program.kinds]
    chosen = [program.columns[column] for column in found.chosen]
    # The sheets that are used come first.
    used = {sheet: n for n, sheet in enumerate(sorted({sheet for _, sheet, _, _ in chosen}))}
    places = {}
    for kind, sheet, way, at in chosen:
        part = left[kind].pop()
        # Of parts that are alike some lie turned in the puzzle.
        own = next(
            one for one in grid.ways[part] if (one.cells, one.places) == (way.cells, way.places)
        )
        places[part] = grid.place(used[sheet], own, at)
    assert Counter(map(len, left)) == {0: len(left)}
    return places, False
