"""Puzzles to make: lengths and areas of what is cut, sheets that hold all, files that are whole."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calmip
from calmip import Board, InputError, Piece, Puzzle
from calmip.cli import main
from calmip.mip.display import PAPER_EDGE
from calmip.puzzle.lattice import HEXAGONAL, LATTICES, SQUARE, Lattice, Point
from calmip.puzzle.render.lettering import letters
from calmip.puzzle.render.outline import Curve, extent, grid, hole_cells, outline
from calmip.puzzle.render.tiles import label_place
from calmip.workshop.cut import GAP, HAIRLINE, PEN, Cutting, CuttingPlan
from calmip.workshop.cutting import Layout, arrange
from calmip.workshop.nesting import Nesting, Place
from calmip.workshop.report import COLOURS, cut_files
from calmip.workshop.workpieces import Part, Sheet

PUZZLES = ("a-puzzle-a-day", "hex43-v1", "heart-set1")
FORMS = ("svg", "dxf", "pdf")
SVG = "{http://www.w3.org/2000/svg}"

GERMAN = """
name: Kalender
grid: |
  Jän Jän Februar März Apr Mai Jun
  Jul Aug Sep Okt Nov Dez *
    1   2   3   4   5   6   7
    8   9   .  11  12  13  14
   15  16  10  18  19  20  21
   22  23  24  25  26  27  28
   29  30  31  17   *   .   .
uncover: [month, day]
pieces: [L, N, P, U, V, Y, Z, I4]
"""


def sheets(puzzle: Puzzle, cutting: Cutting) -> tuple[Sheet, ...]:
    """Return the parts on sheets as the first packing places them."""
    return arrange(CuttingPlan(puzzle, replace(cutting, time_limit=1e-3))).sheets


def parts_of(found: tuple[Sheet, ...]) -> dict[str, Part]:
    return {part.name: part for sheet in found for part in sheet}


def signed_area(curve: Curve) -> float:
    """Return the area inside a curve, positive where it goes clockwise as seen."""
    total = 0.0
    for (x, y, bend), (right, down, _) in zip(curve, (*curve[1:], curve[0]), strict=True):
        total += (x * down - right * y) / 2
        if bend:
            # The segment between an arc and its chord.
            angle = 4 * math.atan(abs(bend))
            radius = math.dist((x, y), (right, down)) / (2 * math.sin(angle / 2))
            total -= math.copysign(radius**2 * (angle - math.sin(angle)) / 2, bend)
    return total


@pytest.mark.long
@given(
    name=st.sampled_from(PUZZLES),
    cell=st.floats(5, 40),
    kerf=st.floats(0, 0.5),
    radius=st.floats(0, 1),
    paper=st.booleans(),
)
@settings(deadline=None, max_examples=25)
def test_every_part_has_its_size_and_its_place(
    name: str, cell: float, kerf: float, radius: float, *, paper: bool
) -> None:
    puzzle = calmip.read_puzzle(name)
    cutting = Cutting(cell, kerf, radius, (500.0, 450.0), paper)
    found = sheets(puzzle, cutting)
    parts = parts_of(found)
    expected = {piece.name for piece in puzzle.pieces} | {"base", "frame"}
    assert set(parts) == expected | ({"scale bar"} if paper else set())
    assert sum(map(len, found)) == len(parts)
    lattice = puzzle.board.lattice
    for piece in puzzle.pieces:
        loops = outline(lattice, piece.cells)
        one = (
            sum(signed_area(tuple((x, y, 0.0) for x, y in lattice.corners(c))) for c in piece.cells)
            * cell**2
        )
        sides = (
            sum(
                math.dist(a, b)
                for loop in loops
                for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
            )
            * cell
        )
        area = sum(map(signed_area, parts[piece.name].cut))
        # Half a kerf all around; each full turn of corners adds a little, rounding takes it away.
        corners = 4 * sum(map(len, loops)) * (kerf**2 + radius**2)
        assert area == pytest.approx(one + sides * kerf / 2, abs=corners + 1e-6)
        if radius == 0 and name != "hex43-v1":
            left, top, right, bottom = parts[piece.name].box
            rows, columns = ({cell[k] for cell in piece.cells} for k in (0, 1))
            assert sorted((right - left, bottom - top)) == pytest.approx(
                sorted(len(some) * cell + kerf for some in (rows, columns))
            )
    hole = sum(map(signed_area, parts["frame"].cut[1:]))
    assert hole <= len(puzzle.board.cells) * cell**2 + 1e-6
    edge = PAPER_EDGE if paper else GAP
    for sheet in found:
        boxes = [part.box for part in sheet]
        for left, top, right, bottom in boxes:
            assert min(left, top) >= edge - 1e-6
            assert right <= 500 - edge + 1e-6
            assert bottom <= 450 - edge + 1e-6
        for one, other in itertools.combinations(sheet, 2):
            left, top, right, bottom = (
                (a - b) * sign
                for a, b, sign in zip(
                    one.box, other.box[2:] + other.box[:2], (1, 1, -1, -1), strict=True
                )
            )
            if max(left, top, right, bottom) < GAP:
                assert distance(one, other) >= GAP - 1e-6


def distance(one: Part, other: Part) -> float:
    """Return the distance across or down between the corners and sides of two parts."""
    least = math.inf
    for part, there in ((one, other), (other, one)):
        sides = [side for curve in there.cut or there.engraved for side in chords(curve)]
        for curve in part.cut or part.engraved:
            for (x, y), _ in chords(curve):
                # The least square around the corner that reaches a side.
                least = min(least, *(reach((x, y), *side) for side in sides))
    return least


def chords(curve: Curve) -> list[tuple[Point, Point]]:
    points = [(x, y) for x, y, _ in curve]
    return list(zip(points, [*points[1:], points[0]], strict=True))


def reach(point: Point, here: Point, there: Point) -> float:
    """Return the least over a side of the larger of the distances across and down."""
    (x, y), (a, b), (c, d) = point, here, there
    best = math.inf
    # It is convex along the side, and bends only where two of its four parts are equal.
    places = [0.0, 1.0]
    for sign in (1, -1):
        slope = (c - a) + sign * (d - b)
        places += [((x - a) + sign * (y - b)) / slope] if slope else []
    places += [(x - a) / (c - a)] if c != a else []
    places += [(y - b) / (d - b)] if d != b else []
    for part in places:
        t = min(1.0, max(0.0, part))
        best = min(best, max(abs(a + t * (c - a) - x), abs(b + t * (d - b) - y)))
    return best


def bar_puzzle(length: int) -> Puzzle:
    return Puzzle("bar", Board.from_text(["1 " * length]), (Piece.from_rows("I", ["#" * length]),))


def test_half_a_kerf_lies_outside_of_what_is_kept() -> None:
    (sheet,) = sheets(bar_puzzle(3), Cutting(10.0, 0.4, 0.0, (200.0, 100.0)))
    base, frame, piece = sheet
    assert (base.name, frame.name, piece.name) == ("base", "frame", "I")

    def box(curve: Curve) -> list[float]:
        return [round(one, 6) for one in extent([curve])]

    # The board with half a cell around it, 40 x 20 mm, from the margin on.
    assert box(base.cut[0]) == [3, 3, 43.4, 23.4]
    left, top, right, bottom = frame.box
    assert (right - left, bottom - top) == pytest.approx((40.4, 20.4))
    # The beam widens the frame's hole to the board's size.
    hole = [one - start for one, start in zip(extent([frame.cut[1]]), (left, top) * 2, strict=True)]
    assert hole == pytest.approx([5.4, 5.4, 35.0, 15.0])
    left, top, right, bottom = piece.box
    assert (right - left, bottom - top) == pytest.approx((30.4, 10.4))
    assert all(bend == 0 for part in sheet for curve in part.cut for _, _, bend in curve)


def test_rounded_corners_are_arcs_of_the_radius() -> None:
    rows = ["#.", "##"]
    board = Board.from_text(["1 .", "2 3"])
    puzzle = Puzzle("corner", board, (Piece.from_rows("V", rows),))
    piece = parts_of(sheets(puzzle, Cutting(20.0, 0.0, 2.0, (200.0, 100.0))))["V"]
    (curve,) = piece.cut
    assert len(curve) == 12
    bends = [bend for _, _, bend in curve]
    # Clockwise as seen: five corners to the right, the inner one to the left.
    quarter = math.tan(math.pi / 8)
    assert sorted(bends) == pytest.approx([-quarter] * 5 + [0] * 6 + [quarter])
    for (x, y, bend), (right, down, _) in itertools.pairwise((*curve, curve[0])):
        if bend:
            assert math.dist((x, y), (right, down)) == pytest.approx(2 * math.sqrt(2))
            assert (abs(right - x), abs(down - y)) == pytest.approx((2, 2))
    # A square of side r less a quarter disc is lost at corners to the right, won at the other.
    assert signed_area(curve) == pytest.approx(3 * 400 - 4 * (4 - math.pi))


@pytest.mark.parametrize("paper", [False, True])
def test_a_sheet_may_be_just_as_large_as_its_parts(*, paper: bool) -> None:
    puzzle = bar_puzzle(10)
    edge = PAPER_EDGE if paper else GAP
    wide, high = 10 * 11 + 2 * edge, 2 * 10 + 2 * edge
    found = sheets(puzzle, Cutting(10.0, sheet=(wide, high), paper=paper))
    assert {part.name for sheet in found for part in sheet} - {"scale bar"} == {
        "base",
        "frame",
        "I",
    }
    # Parts are turned where they fit only so; the sheet is not.
    assert len(sheets(puzzle, Cutting(10.0, sheet=(high, wide), paper=paper))) == len(found)
    for width, height in ((wide - 0.01, high), (wide, high - 0.01), (high - 0.01, wide)):
        with pytest.raises(InputError, match=r"the part base of 110\.0 x 20\.0 mm does not fit"):
            sheets(puzzle, Cutting(10.0, sheet=(width, height), paper=paper))


def test_the_command_and_the_library_take_the_same_sheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cut", "--help"]) == 0
    wide, high = Cutting().sheet
    assert f"[default: {wide:g}x{high:g}]" in " ".join(capsys.readouterr().out.split())


def test_the_scale_bar_has_its_length() -> None:
    (sheet,) = sheets(bar_puzzle(2), Cutting(10.0, sheet=(400.0, 100.0), paper=True))
    bar = next(part for part in sheet if part.name == "scale bar")
    assert bar.cut == ()
    left, _, right, _ = bar.box
    assert right - left == pytest.approx(100.0)
    line = bar.engraved[0]
    assert line[0] == line[-1]
    words = [x for stroke in bar.engraved[1:] for x, _, _ in stroke]
    assert (min(words) + max(words)) / 2 == pytest.approx(left + 50.0, abs=0.5)
    assert {round(math.dist(a[:2], b[:2]), 6) for a, b in itertools.pairwise(line)} == {100.0, 2.0}
    with pytest.raises(InputError, match=r"the part scale bar of 100\.0 x"):
        sheets(bar_puzzle(2), Cutting(10.0, sheet=(119.9, 100.0), paper=True))


def steps(line: tuple[Point, ...], least: float) -> Iterator[frozenset[tuple[float, float]]]:
    """Yield the sides that a line of straight ways passes, each as its two ends."""
    for (x, y), (right, down) in itertools.pairwise(line):
        count = round(math.dist((x, y), (right, down)) / least)
        ends = [
            (round(x + (right - x) * n / count, 6), round(y + (down - y) * n / count, 6))
            for n in range(count + 1)
        ]
        yield from map(frozenset, itertools.pairwise(ends))


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
@given(data=st.data())
@settings(deadline=None)
def test_each_side_of_the_grid_is_drawn_once(lattice: Lattice, data: st.DataObject) -> None:
    places = st.tuples(st.integers(0, 4), st.integers(0, 4))
    owner = data.draw(st.dictionaries(places, st.integers(0, 4), min_size=1))
    side = math.dist(*lattice.corners((0, 0))[:2])
    wanted = {
        frozenset((round(x, 6), round(y, 6)) for x, y in (corners[k - 1], corners[k]))
        for cell, name in owner.items()
        for corners in [lattice.corners(cell)]
        for k, other in enumerate(lattice.neighbours(cell), start=1 - len(corners))
        if owner.get(other) != name
    }
    lines = grid(lattice, owner)
    drawn = [one for line in lines for one in steps(line, side)]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == wanted
    # As few lines as can be: a line ends only where an odd number of sides meets.
    meet: dict[Point, int] = {}
    for one in wanted:
        for point in one:
            meet[point] = meet.get(point, 0) + 1
    odd = sum(count % 2 for count in meet.values())
    open_lines = [line for line in lines if line[0] != line[-1]]
    assert len(open_lines) == odd // 2
    for line in lines:
        for before, here, after in zip(line, line[1:], line[2:], strict=False):
            first, second = (
                math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in ((before, here), (here, after))
            )
            assert abs(first - second) > 1e-6


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
def test_parts_have_the_area_of_their_cells_on_every_lattice(lattice: Lattice) -> None:
    """A hole of the board has its part of the frame, and a mark on the base."""
    rows = [["*"] * 7 for _ in range(5)]
    rows[2][3] = "."
    board = Board(tuple(map(tuple, rows)), lattice)
    shape = [(0, 0)]
    while len(shape) < 4:
        shape.append(next(one for one in lattice.neighbours(shape[-1]) if one not in shape))
    pieces = tuple(Piece(f"P{n}", tuple(shape), lattice) for n in range(8))
    puzzle = Puzzle("cells", board, (*pieces, Piece("Q", tuple(shape[:2]), lattice)))
    parts = parts_of(sheets(puzzle, Cutting(10.0, 0.0)))
    one = abs(signed_area([(10 * x, 10 * y, 0.0) for x, y in lattice.corners((0, 0))]))
    assert sum(map(signed_area, parts["P0"].cut)) == pytest.approx(4 * one)
    _, *holes = parts["frame"].cut
    assert abs(sum(map(signed_area, holes))) == pytest.approx(34 * one)
    fields = grid(lattice, {cell: cell for cell in board.cells})
    corners = len(lattice.corners((2, 3)))
    marks = len(parts["base"].engraved) - len(fields)
    assert marks == (corners if corners % 2 else corners // 2)


def test_lines_go_straight_on_over_a_crossing() -> None:
    owner = {(row, column): (row, column) for row in range(3) for column in range(3)}
    lines = grid(SQUARE, owner)
    turns = sum(len(line) - 2 for line in lines)
    # Four lines through the middle, and one around, which may join some of them.
    assert len(lines) <= 5
    assert turns <= 7


def test_a_hole_is_what_cells_surround() -> None:
    ring = {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}
    for lattice in (SQUARE, HEXAGONAL):
        assert hole_cells(lattice, ring) == ((1, 1),)
        assert hole_cells(lattice, {(0, 0)}) == ()
        assert hole_cells(lattice, ring - {(0, 1)}) == ()
    two = {(r, c) for r in range(3) for c in range(4)} - {(1, 1), (1, 2)}
    assert hole_cells(SQUARE, two) == ((1, 1), (1, 2))
    # Past a corner goes no way out on squares; on hexagons cells at that corner touch.
    assert hole_cells(SQUARE, ring - {(0, 0)}) == ((1, 1),)
    assert hole_cells(HEXAGONAL, ring - {(0, 0)}) == ()
    assert hole_cells(HEXAGONAL, ring - {(0, 2)}) == ((1, 1),)


def german(tmp_path: Path) -> Puzzle:
    path = tmp_path / "kalender.yaml"
    path.write_text(GERMAN, encoding="utf-8")
    return calmip.read_puzzle(path)


def test_what_is_engraved_is_fields_labels_and_crosses_in_holes(tmp_path: Path) -> None:
    puzzle = german(tmp_path)
    (sheet,) = sheets(puzzle, Cutting(10.0))
    base = next(part for part in sheet if part.name == "base")
    assert base.words == ()
    left, top, _, _ = base.box
    # The board's first corner lies half a cell inside of the rim.
    engraved = [
        tuple((x - left - 5, y - top - 5, bend) for x, y, bend in curve) for curve in base.engraved
    ]
    on_grid = [
        curve
        for curve in engraved
        if all(abs(v - 10 * round(v / 10)) < 1e-6 for x, y, _ in curve for v in (x, y))
    ]
    crosses = [c for c in on_grid if len(c) == 2 and c[0][0] != c[1][0] and c[0][1] != c[1][1]]
    assert {frozenset((round(x), round(y)) for x, y, _ in one) for one in crosses} == {
        frozenset({(20, 30), (30, 40)}),
        frozenset({(30, 30), (20, 40)}),
    }
    fields = [one for one in on_grid if one not in crosses]
    drawn = [side for one in fields for side in steps(tuple((x, y) for x, y, _ in one), 10.0)]
    assert len(drawn) == len(set(drawn))
    # The two cells of the first month are one field.
    assert frozenset({(10.0, 0.0), (10.0, 10.0)}) not in drawn
    assert frozenset({(20.0, 0.0), (20.0, 10.0)}) in drawn
    lattice, labels = puzzle.board.lattice, puzzle.board.labels
    strokes = [one for one in engraved if one not in on_grid]
    heights: dict[str, float] = {}
    for label, cells in labels.items():
        (x, y), room = label_place(lattice, cells)
        inside = [
            one
            for one in strokes
            if all(abs(px / 10 - x) < room / 1.6 and abs(py / 10 - y) < 0.5 for px, py, _ in one)
        ]
        assert inside, label
        strokes = [one for one in strokes if one not in inside]
        across = [px / 10 for one in inside for px, _, _ in one]
        assert max(across) - min(across) <= room + 1e-6
        assert (max(across) + min(across)) / 2 == pytest.approx(x, abs=0.06)
        heights[label] = max(py for one in inside for _, py, _ in one) - min(
            py for one in inside for _, py, _ in one
        )
    # All is of one of these, and letters of one group are of one size.
    assert strokes == []
    months = {heights[month] for month in ("Jul", "Okt", "Dez")}
    days = {round(heights[day], 6) for day in ("1", "7", "14", "17", "27")}
    assert len({round(height, 6) for height in months}) == 1
    assert days == {round(0.36 * 10 * 0.7, 6)}
    # The longest month fills its field's width, and is smaller than the days for it.
    assert max(months) < 0.9 * 0.36 * 10 * 0.7


def test_a_label_is_its_letters_in_the_middle_of_its_cell() -> None:
    board = Board.from_text(["Feb I 7"])
    puzzle = Puzzle("x", board, (Piece.from_rows("I", ["##"]),), {"month": ("Feb",), "l": ("I",)})
    (sheet,) = sheets(puzzle, Cutting(20.0))
    base = next(part for part in sheet if part.name == "base")
    left, top, _, _ = base.box
    engraved = {tuple((round(x, 6), round(y, 6), bend) for x, y, bend in c) for c in base.engraved}
    # Half a cell of rim, then cells of 20 mm. None of the labels is too wide for the usual size.
    for number, label in enumerate(("Feb", "I", "7")):
        x, y = left + 10 + 20 * (number + 0.5), top + 10 + 10
        for stroke in letters(label, 0.36 * 20)[1]:
            placed = tuple((round(x + a, 6), round(y + b, 6), bend) for a, b, bend in stroke)
            assert placed in engraved


def test_characters_that_cannot_be_engraved_are_refused_with_the_remedy() -> None:
    board = Board.from_text(["\u092e\u0908 1 \u2603"])
    puzzle = Puzzle("x", board, (Piece.from_rows("I", ["##"]),), {"day": ("1",)})
    with pytest.raises(
        InputError, match=r"lacks \u092e, \u0908 of the label \u092e\u0908;.*words text"
    ):
        sheets(puzzle, Cutting())
    found = sheets(puzzle, Cutting(words="text", paper=True))
    (data,) = cut_files(found, Cutting(words="text", paper=True), "svg")
    texts = {word.text for word in ElementTree.fromstring(data).iter(f"{SVG}text")}
    assert texts == {"\u092e\u0908", "1", "\u2603"}
    # The words on the scale bar need no font, and its part has room for them.
    assert all(part.words == () for sheet in found for part in sheet if part.name != "base")
    for form in ("dxf", "pdf"):
        with pytest.raises(InputError, match=rf"--words text goes with \.svg; a \.{form}"):
            cut_files(found, Cutting(words="text"), form)


Line = tuple[list[tuple[Point, ...]], bool]
"""The ways of a line, each as two points, or four where it is a cubic curve; whether closed."""


def arcs(curve: Curve, *, closed: bool) -> Iterator[tuple[Point, float, Point]]:
    ends = (*curve, curve[0]) if closed else curve
    for (x, y, bend), (right, down, _) in itertools.pairwise(ends):
        yield (x, y), bend, (right, down)


def in_layers(sheet: Sheet) -> dict[str, list[Curve]]:
    return {
        "cut": sorted((curve for part in sheet for curve in part.cut), key=room_of),
        "engrave": [curve for part in sheet for curve in part.engraved],
    }


def room_of(curve: Curve) -> float:
    left, top, right, bottom = extent([curve])
    return (right - left) * (bottom - top)


def svg_layers(data: bytes) -> dict[str, list[Curve]]:
    """Return the lines of a drawing as its commands say them."""
    found: dict[str, list[Curve]] = {}
    for group in ElementTree.fromstring(data):
        found[group.get("id", "")] = []
        for path in group:
            text = path.get("d", "")
            points: list[tuple[float, float, float]] = []
            for letter, numbers in re.findall(r"([MLAZ])([-\d. ]*)", text):
                values = [float(one) for one in numbers.split()]
                if letter == "A":
                    radius, again, turn, large, sweep, right, down = values
                    assert (radius, turn, large) == (again, 0, 0)
                    x, y, _ = points[-1]
                    half = math.asin(min(1.0, math.dist((x, y), (right, down)) / 2 / radius))
                    points[-1] = (x, y, math.tan(half / 2) * (-1 if sweep else 1))
                if letter != "Z":
                    points.append((*values[-2:], 0.0))
            assert text.endswith("Z") == (group.get("id") == "cut")
            found[group.get("id", "")].append(tuple(points))
    return found


def dxf_layers(data: bytes, height: float) -> dict[str, list[Curve]]:
    """Return the polylines of a drawing, y downwards."""
    lines = data.decode("ascii").split("\n")[:-1]
    assert len(lines) % 2 == 0
    groups = [(int(lines[n]), lines[n + 1]) for n in range(0, len(lines), 2)]
    assert groups[-1] == (0, "EOF")
    head = groups[: groups.index((2, "ENTITIES"))]
    # Release 12, in millimetres (4), with the two layers: red (1) and blue (5), neither frozen.
    assert head[2:5] == [(9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS")]
    assert head[5] == (70, "4")
    table = head.index((2, "LAYER"))
    assert head[table + 1 : -2] == [
        (70, "2"),
        (0, "LAYER"),
        (2, "CUT"),
        (70, "0"),
        (62, "1"),
        (6, "CONTINUOUS"),
        (0, "LAYER"),
        (2, "ENGRAVE"),
        (70, "0"),
        (62, "5"),
        (6, "CONTINUOUS"),
        (0, "ENDTAB"),
    ]
    assert groups.count((0, "SECTION")) == groups.count((0, "ENDSEC")) == 3
    found: dict[str, list[Curve]] = {"cut": [], "engrave": []}
    points: list[list[float]] = []
    layer, kind = "", ""
    for code, value in groups[groups.index((2, "ENTITIES")) + 1 :]:
        if code == 0:
            if value == "SEQEND":
                found[layer].append(tuple((x, height - y, bend) for x, y, bend in points))
            points = [] if value == "POLYLINE" else points
            points += [[0.0, 0.0, 0.0]] if value == "VERTEX" else []
            kind = value
        elif code == 8:
            layer = value.lower()
        elif code == 70:
            assert value == ("1" if layer == "cut" else "0")
        elif kind == "VERTEX":
            points[-1][(10, 20, 42).index(code)] = float(value)
    return found


def pdf_pages(data: bytes) -> list[dict[str, list[Line]]]:
    """Return the lines of each page in millimetres, by the table of where objects stand."""
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", data)[-1])
    assert data[start : start + 5] == b"xref\n"
    count = int(data[start:].split()[2])
    objects = []
    for n in range(1, count):
        place = int(data[start:].split(b"\n")[2 + n].split()[0])
        assert data[place:].startswith(b"%d 0 obj\n" % n)
        objects.append(data[place : data.index(b"\nendobj", place)])
    assert b"/PrintScaling /None" in objects[0]
    assert b"/Count %d " % ((count - 3) // 2) in objects[1]
    pages = []
    for page, content in zip(objects[2::2], objects[3::2], strict=True):
        assert b"/Contents %d 0 R" % (objects.index(content) + 1) in page
        assert b"%d 0 R" % (objects.index(page) + 1) in objects[1]
        size, text = re.fullmatch(
            rb"\d+ 0 obj\n<< /Length (\d+) >>\nstream\n(.*)\nendstream", content, re.S
        ).groups()  # type: ignore[union-attr]
        assert int(size) == len(text)
        found: dict[str, list[Line]] = {"cut": [], "engrave": []}
        layer, ways, here = "", [], (0.0, 0.0)
        for row in text.decode().splitlines():
            *numbers, operator = row.split()
            values = [float(one) for one in numbers if re.fullmatch(r"[-.\d]+", one)]
            places = list(zip(values[::2], values[1::2], strict=False))
            if operator == "cm":
                scale = 72 / 25.4
                height = float(re.findall(rb"MediaBox \[0 0 [\d.]+ ([\d.]+)\]", objects[1])[0])
                assert values == pytest.approx([scale, 0, 0, -scale, 0, height], abs=1e-3)
            elif operator == "RG":
                layer = {(1, 0, 0): "cut", (0, 0, 1): "engrave"}[tuple(values)]
            elif operator == "m":
                ways, here = [], places[0]
            elif operator in ("l", "c"):
                assert len(places) == (1 if operator == "l" else 3)
                ways.append((here, *places))
                here = places[-1]
            elif operator in ("s", "S"):
                assert (operator == "s") == (layer == "cut")
                found[layer].append((ways, operator == "s"))
        pages.append(found)
    return pages


def cubic(way: tuple[Point, ...], t: float) -> Point:
    """Return a point of a straight way or a cubic curve."""
    while len(way) > 1:
        way = tuple(
            (x + (right - x) * t, y + (down - y) * t)
            for (x, y), (right, down) in itertools.pairwise(way)
        )
    return way[0]


CUTTINGS = [
    Cutting(15.0, 0.1, 0.5, (300.0, 200.0)),
    Cutting(12.0, 0.0, 0.0, (210.0, 297.0), paper=True),
]


@pytest.mark.parametrize("cutting", CUTTINGS, ids=["plate", "paper"])
@pytest.mark.parametrize("name", PUZZLES)
def test_drawings_say_the_lines_of_their_sheet(name: str, cutting: Cutting) -> None:
    found = sheets(calmip.read_puzzle(name), cutting)
    width, height = cutting.sheet
    for form in ("svg", "dxf"):
        files = cut_files(found, cutting, form)
        assert len(files) == len(found)
        for data, sheet in zip(files, found, strict=True):
            read = svg_layers(data) if form == "svg" else dxf_layers(data, height)
            wanted = in_layers(sheet)
            assert list(read) == ["cut", "engrave"]
            for layer, curves in wanted.items():
                assert len(read[layer]) == len(curves)
                for curve, one in zip(curves, read[layer], strict=True):
                    assert len(one) == len(curve)
                    for point, there in zip(curve, one, strict=True):
                        assert there[:2] == pytest.approx(point[:2], abs=6e-4)
                        assert there[2] == pytest.approx(point[2], abs=0.03)
    for data in cut_files(found, cutting, "svg"):
        root = ElementTree.fromstring(data)
        assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
        assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
        for group in root:
            assert group.get("stroke") == COLOURS[group.get("id", "")][0]
            assert float(group.get("stroke-width", "")) == (PEN if cutting.paper else HAIRLINE)
            assert group.get("fill") == "none"


@pytest.mark.parametrize("cutting", CUTTINGS, ids=["plate", "paper"])
@pytest.mark.parametrize("name", PUZZLES)
def test_pages_say_the_lines_of_their_sheets(name: str, cutting: Cutting) -> None:
    found = sheets(calmip.read_puzzle(name), cutting)
    (data,) = cut_files(found, cutting, "pdf")
    pages = pdf_pages(data)
    assert len(pages) == len(found)
    assert f"{cutting.line} w".encode() in data
    for page, sheet in zip(pages, found, strict=True):
        for layer, curves in in_layers(sheet).items():
            assert len(page[layer]) == len(curves)
            for curve, (ways, closed) in zip(curves, page[layer], strict=True):
                here = iter(ways)
                for start, bend, end in arcs(curve, closed=closed):
                    if end == curve[0][:2] and closed and not bend:
                        break
                    # An arc of more than a quarter turn is two curves.
                    own = [next(here) for _ in range(2 if abs(bend) > 0.42 else 1)]
                    assert own[0][0] == pytest.approx(start, abs=6e-4)
                    assert own[-1][-1] == pytest.approx(end, abs=6e-4)
                    assert all((len(way) == 4) == (bend != 0) for way in own)
                    if bend:
                        chord = complex(end[0] - start[0], end[1] - start[1])
                        angle = 4 * math.atan(bend)
                        middle = complex(*start) + chord * complex(0.5, -0.5 / math.tan(angle / 2))
                        radius = abs(chord / math.sin(angle / 2)) / 2
                        for way in own:
                            for t in (0.25, 0.5, 0.75):
                                point = complex(*cubic(way, t))
                                assert abs(point - middle) == pytest.approx(radius, abs=2e-3)
                                # On the arc, not on the rest of its circle.
                                side = (point - complex(*start)) / chord
                                assert side.imag * bend > 0
                assert next(here, None) is None


@pytest.mark.parametrize("form", FORMS)
def test_the_command_writes_each_form(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"cut.{form}"
    words = ["cut", "a-puzzle-a-day", "--cell", "1.2cm", "--kerf", ".1"]
    assert main([*words, "--sheet", "A4", "-o", str(path)]) == 0
    assert capsys.readouterr().err == f"wrote {path}\n"
    data = path.read_bytes()
    assert data.startswith({"svg": b"<?xml", "dxf": b"0\nSECTION", "pdf": b"%PDF"}[form])
    if form == "pdf":
        assert b"/MediaBox [0 0 595.2756 841.8898]" in data
    assert (
        main([*words, "--sheet", "210x297", "--scale-bar", "-o", str(tmp_path / f"b.{form}")]) == 0
    )
    assert (tmp_path / f"b.{form}").read_bytes() == data
    assert main([*words, "--sheet", "210x297", "-o", str(path)]) == 0
    assert path.read_bytes() != data
    capsys.readouterr()


@pytest.mark.parametrize("form", FORMS)
def test_each_sheet_is_a_file_or_a_page(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["cut", "a-puzzle-a-day", "--sheet", "A4", "--format", form]
    assert main([*words, "-o", str(tmp_path / f"paper.{form}")]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    message = capsys.readouterr().err
    if form == "pdf":
        assert names == ["paper.pdf"]
        assert "2 sheets" in message
        assert len(pdf_pages((tmp_path / "paper.pdf").read_bytes())) == 2
        return
    assert names == [f"paper-{n}.{form}" for n in (1, 2)]
    assert "2 sheets" in message
    assert all(name in message for name in names)
    assert main(words) == 2
    assert f"name them with -o NAME.{form}" in capsys.readouterr().err


def test_letters_of_any_alphabet_are_engraved_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kalender.yaml"
    path.write_text(GERMAN, encoding="utf-8")
    lines = {}
    for form in ("svg", "dxf"):
        assert main(["cut", str(path), "-o", str(tmp_path / f"x.{form}")]) == 0
        data = (tmp_path / f"x.{form}").read_bytes()
        assert data.isascii()
        read = svg_layers(data) if form == "svg" else dxf_layers(data, 400.0)
        lines[form] = len(read["engrave"])
    assert lines["svg"] == lines["dxf"] > 100
    plain = tmp_path / "plain.yaml"
    plain.write_text(GERMAN.replace("ä", "a"), encoding="utf-8")
    assert main(["cut", str(plain), "-o", str(tmp_path / "plain.dxf")]) == 0
    read = dxf_layers((tmp_path / "plain.dxf").read_bytes(), 400.0)
    # Two dots each on two letters.
    assert lines["dxf"] - len(read["engrave"]) == 4
    assert capsys.readouterr().err == "".join(
        f"wrote {tmp_path / name}\n" for name in ("x.svg", "x.dxf", "plain.dxf")
    )


@pytest.mark.parametrize(
    ("given", "millimetres"),
    [
        (["--cell", "15"], {"cell": 15.0}),
        (["--cell", "2cm", "--kerf", "0.004in"], {"cell": 20.0, "kerf": 0.1016}),
        (["--radius", "0.5 MM"], {"radius": 0.5}),
        (["--sheet", "60x40cm"], {"sheet": (600.0, 400.0)}),
        (["--sheet", "24inx300mm"], {"sheet": (609.6, 300.0)}),
        (["--sheet", "24x16in"], {"sheet": (609.6, 406.4)}),
        (["--sheet", "600 \u00d7 400"], {"sheet": (600.0, 400.0)}),
        (["--sheet", "a3"], {"sheet": (297.0, 420.0), "paper": True}),
        (["--sheet", "Letter"], {"sheet": (215.9, 279.4), "paper": True}),
        (["--sheet", "297x420"], {"sheet": (297.0, 420.0), "paper": False}),
        (["--sheet", "297x420", "--scale-bar"], {"sheet": (297.0, 420.0), "paper": True}),
        (["--words", "text"], {"words": "text"}),
        (["--clearance", "0.2mm"], {"clearance": 0.2}),
        (["--thickness", "4"], {"thickness": 4.0}),
        (["--margin", "1cm"], {"margin": 10.0}),
        (["--extras", "lid,notch", "--extras", "lid"], {"extras": ("lid", "notch")}),
    ],
)
def test_lengths_have_units(
    given: list[str],
    millimetres: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[Cutting] = []

    def noted(plan: CuttingPlan) -> Layout:
        asked.append(plan.cutting)
        return Layout(((),), Nesting((Place(0, 0, 0.0, 0.0),), 1))

    monkeypatch.setattr("calmip.workshop.report.arrange", noted)
    assert main(["cut", "a-puzzle-a-day", *given]) == 0
    expected = {
        "cell": 20.0,
        "kerf": 0.0,
        "radius": 0.0,
        "sheet": (600.0, 400.0),
        "paper": False,
        "words": "lines",
        "clearance": 0.0,
        "thickness": 3.0,
        "margin": None,
        "extras": (),
    } | millimetres
    lengths = {"cell", "kerf", "sheet", "clearance", "thickness"}
    for name, value in expected.items():
        assert getattr(asked[0], name) == (pytest.approx(value) if name in lengths else value)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a-puzzle-a-day", "--cell", "40"], "part base of 320.0 x 320.0 mm does not fit"),
        (["a-puzzle-a-day", "--cell", "0"], "the cell is from 1 to 1000 mm, not 0"),
        (["a-puzzle-a-day", "--cell", "2cx"], "'2cx' is not a length; write it as 20mm"),
        (["a-puzzle-a-day", "--cell", "-1"], "'-1' is not a length"),
        (["a-puzzle-a-day", "--radius", "9mm"], "the radius is from 0 to 5 mm, not 9"),
        (["a-puzzle-a-day", "--kerf", "nan"], "'nan' is not a length"),
        (["a-puzzle-a-day", "--kerf", "4.1"], "the kerf is from 0 to 4 mm, not 4.1"),
        (["a-puzzle-a-day", "--sheet", "big"], "or name a paper: A4, A3, letter"),
        (["a-puzzle-a-day", "--sheet", "1..2x3"], "'1..2x3' is not a size"),
        (["a-puzzle-a-day", "--sheet", "9x400"], "width is from 10 to 10000 mm, not 9"),
        (["a-puzzle-a-day", "--theme", "dark"], "--theme"),
        (["a-puzzle-a-day", "--words", "text"], "--words text goes with .svg"),
        ([], "Missing argument 'PUZZLE'"),
    ],
)
def test_what_cannot_be_cut_is_said(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*arguments, "-o", str(tmp_path / "x.dxf")]
    if "40" in arguments:
        arguments += ["--sheet", "300x300"]
    assert main(["cut", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_help_says_what_a_length_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cut", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--cell LENGTH" in text
    assert "--sheet SIZE" in text
    assert "[default: 0mm]" in text
    assert not re.search(r"_[A-Z]|\(\d", text)


@pytest.mark.parametrize(
    ("name", "least", "most"), [("cell", 1, 1000), ("kerf", 0, 4), ("radius", 0, 5)]
)
def test_bounds_belong_to_what_is_allowed(name: str, least: float, most: float) -> None:
    for value in (least, most):
        assert getattr(Cutting(**{name: value}), name) == value
    for value in (least - 0.01, most + 0.01):
        with pytest.raises(InputError, match=f"the {name} is from {least} to {most} mm, not"):
            Cutting(**{name: value})
    for side in (0, 1):
        for value in (10, 10_000):
            Cutting(sheet=(value, 100) if side == 0 else (100, value))
        for value in (9.99, 10_000.1):
            with pytest.raises(InputError, match=f"sheet's {('width', 'height')[side]} is from 10"):
                Cutting(sheet=(value, 100) if side == 0 else (100, value))
