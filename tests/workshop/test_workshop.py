"""Parts to make, measured in their files by the readers of CAD programs and of printers."""

from __future__ import annotations

import io
import itertools
import math
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from requirements import need_package

import calmip
from calmip import Board, InputError, Piece, Puzzle
from calmip.cli import main
from calmip.puzzle.render.reports import files
from calmip.workshop.cut import EXTRAS, Cutting, CuttingPlan
from calmip.workshop.cutting import arrange, rules
from calmip.workshop.workpieces import Part

TOLERANCE = 0.005
"""Millimetres: files are exact to a hundredth."""

ADDRESS = "https://calmip.github.io/calmip/play/index.html#puzzle=a-puzzle-a-day"
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"

Box = tuple[float, float, float, float]


def bar(length: int) -> Puzzle:
    return Puzzle("bar", Board.from_text(["1 " * length]), (Piece.from_rows("I", ["#" * length]),))


def plan_of(puzzle: Puzzle, **given: Any) -> CuttingPlan:
    return CuttingPlan(puzzle, Cutting(**{"sheet": (900.0, 600.0), **given}))


def made(puzzle: Puzzle, form: str, **given: Any) -> bytes:
    (data,) = files(plan_of(puzzle, **given), form)
    return data


def dxf_boxes(data: bytes, layer: str = "CUT") -> list[Box]:
    """Return the boxes of the closed lines, as ezdxf reads them."""
    ezdxf = need_package("ezdxf")
    from ezdxf import bbox

    drawing = ezdxf.read(io.StringIO(data.decode()))
    assert drawing.units == ezdxf.units.MM
    assert not drawing.audit().errors
    found = []
    for line in drawing.modelspace().query(f'POLYLINE[layer=="{layer}"]'):
        if line.is_closed:
            size = bbox.extents([line])
            found.append((size.extmin.x, size.extmin.y, size.extmax.x, size.extmax.y))
    return found


def svg_boxes(data: bytes) -> list[Box]:
    """Return the boxes of the lines that are cut, as svgelements reads them, in millimetres."""
    svgelements = need_package("svgelements")
    drawing = svgelements.SVG.parse(io.BytesIO(data), ppi=25.4)
    return [
        one.bbox()
        for one in drawing.elements()
        if isinstance(one, svgelements.Path) and one.stroke == "red"
    ]


def sides(box: Box) -> tuple[float, float]:
    width, height = sorted((box[2] - box[0], box[3] - box[1]), reverse=True)
    return width, height


@pytest.mark.parametrize("form", ["dxf", "svg"])
@pytest.mark.parametrize(("kerf", "clearance"), [(0.0, 0.0), (0.2, 0.0), (0.0, 0.3), (0.15, 0.4)])
def test_kerf_and_clearance_are_what_the_readers_measure(
    form: str, kerf: float, clearance: float
) -> None:
    data = made(bar(3), form, kerf=kerf, clearance=clearance)
    boxes = dxf_boxes(data) if form == "dxf" else svg_boxes(data)
    # After the cut the piece is 60 less the clearance, and the hole 60 and the clearance.
    expected = [
        (60 - clearance + kerf, 20 - clearance + kerf),
        (60 + clearance - kerf, 20 + clearance - kerf),
        (80 + kerf, 40 + kerf),
        (80 + kerf, 40 + kerf),
    ]
    for box, size in zip(sorted(map(sides, boxes)), sorted(expected), strict=True):
        assert box == pytest.approx(size, abs=TOLERANCE)


@pytest.mark.parametrize("name", ["a-puzzle-a-day", "hex43-v1"])
def test_pieces_of_a_tiling_are_the_clearance_apart(name: str) -> None:
    """Neighbours' sides face each other at this distance: half of it is taken from each."""
    puzzle = calmip.read_puzzle(name)
    plain, loose = (
        {
            part.name: part
            for sheet in arrange(plan_of(puzzle, clearance=c)).sheets
            for part in sheet
        }
        for c in (0.0, 0.4)
    )
    for piece in puzzle.pieces:
        # A side moves by 0.2 mm along its normal: the area shrinks by that of a band.
        for one, other in zip(plain[piece.name].cut, loose[piece.name].cut, strict=True):
            assert len(one) == len(other)
        around = length_of(plain[piece.name])
        lost = area_of(plain[piece.name]) - area_of(loose[piece.name])
        corners = sum(map(len, plain[piece.name].cut))
        assert lost == pytest.approx(0.2 * around, abs=corners * 0.2**2 + 1e-6)


def area_of(part: Part) -> float:
    return sum(
        sum(x * down - right * y for (x, y, _), (right, down, _) in pairs(curve)) / 2
        for curve in part.cut
    )


def length_of(part: Part) -> float:
    return sum(math.dist(a[:2], b[:2]) for curve in part.cut for a, b in pairs(curve))


def pairs(curve: Any) -> list[Any]:
    return list(zip(curve, (*curve[1:], curve[0]), strict=True))


def shared(puzzle: Puzzle, **given: Any) -> tuple[CuttingPlan, Part]:
    plan = calmip.cut(puzzle, common_lines=True, sheet="900x600", **given)
    (sheet,) = arrange(plan).sheets
    assert [part.name for part in sheet] == ["base", "frame and pieces"]
    return plan, sheet[1]


@pytest.mark.parametrize("name", ["a-puzzle-a-day", "hex43-v1"])
def test_common_lines_are_cut_once_and_the_waste_is_labelled(name: str) -> None:
    puzzle = calmip.read_puzzle(name)
    plan, part = shared(puzzle, cell="10mm", words="text")
    assert plan.tiling is not None
    lattice = puzzle.board.lattice
    owner = {cell: one.piece for one in plan.tiling.placements for cell in one.cells}
    side = 10 * math.dist(*lattice.corners((0, 0))[:2])
    # A side between two owners is cut once: as many sides as there are pairs of unlike cells.
    wanted = sum(
        (1 if other not in puzzle.board.cells else 0.5)
        for cell in puzzle.board.cells
        for other in lattice.neighbours(cell)
        if other not in puzzle.board.cells or owner.get(other, other) != owner.get(cell, cell)
    )
    lines = [pair for curve in part.common for pair in itertools.pairwise(curve)]
    assert sum(math.dist(a[:2], b[:2]) for a, b in lines) == pytest.approx(wanted * side)
    steps = Counter()
    for (x, y, _), (right, down, _) in lines:
        count = round(math.dist((x, y), (right, down)) / side)
        for n in range(count):
            part_way = (n + 0.5) / count
            steps[round(x + part_way * (right - x), 3), round(y + part_way * (down - y), 3)] += 1
    assert set(steps.values()) == {1}
    left = [
        label for label in puzzle.board.labels if not set(puzzle.board.labels[label]) & set(owner)
    ]
    assert sorted(word.text for word in part.words) == sorted(left)
    assert len(left) == len(puzzle.groups)


@pytest.mark.parametrize("given", [{"clearance": "0.1"}, {"radius": "0.5"}])
def test_common_lines_have_no_clearance_and_no_round_corners(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match=rf"leave out --{next(iter(given))} or --common-lines"):
        calmip.cut(calmip.read_puzzle("a-puzzle-a-day"), common_lines=True, **given)


def test_a_notch_is_an_arc_in_the_longest_side_of_the_hole() -> None:
    (sheet,) = arrange(plan_of(bar(4), cell=20.0, kerf=0.2, extras=("notch",))).sheets
    frame = next(part for part in sheet if part.name == "frame")
    arcs = [(a, b) for a, b in pairs(frame.cut[1]) if a[2]]
    ((here, there),) = arcs
    chord = math.dist(here[:2], there[:2])
    angle = 4 * math.atan(here[2])
    # 0.3 of a cell, less half the kerf, which the beam adds again.
    assert abs(chord / 2 / math.sin(angle / 2)) == pytest.approx(6.0 - 0.1)
    data = made(bar(4), "dxf", kerf=0.2, extras=("notch",))
    hole = next(one for one in map(sides, dxf_boxes(data)) if one[0] < 80)
    # The middle of the arc lies on the side of the hole that the cells have.
    assert hole == pytest.approx((80 - 0.2, 20 - 0.1 + 6 - 0.1), abs=TOLERANCE)


@pytest.mark.parametrize("given", [{"clearance": 4.0}, {"kerf": 4.0}])
def test_a_notch_needs_room_between_round_corners(given: dict[str, float]) -> None:
    """A side of a hexagon is 11.5 mm long, of which two round corners leave 1.5."""
    puzzle = calmip.read_puzzle("hex43-v1")
    with pytest.raises(InputError, match=r"has 1\.5 mm between its round corners"):
        arrange(plan_of(puzzle, radius=5.0, extras=("notch",), **given))
    arrange(plan_of(puzzle, extras=("notch",), **given))


def test_a_lid_slides_over_the_base() -> None:
    data = made(bar(4), "dxf", kerf=0.2, clearance=0.4, extras=("lid",))
    boxes = sorted(map(sides, dxf_boxes(data)), reverse=True)
    # Half a cell of rim and half a cell of collar all around, and the clearance in between.
    lid, collar, inner, *rest = boxes
    assert lid == pytest.approx((80 + 20 + 0.4 + 20 + 0.2, 20 + 20 + 0.4 + 20 + 0.2), abs=TOLERANCE)
    assert collar == pytest.approx(lid)
    base, frame, hole, piece = rest
    assert base == pytest.approx(frame)
    # After the cut the collar is wider than base and frame by the clearance; in the hole there is
    # as much on both sides of the piece.
    for within, outside, play in ((base, inner, 0.4), (piece, hole, 0.8)):
        gaps = [wide + 0.2 - (slim - 0.2) for wide, slim in zip(outside, within, strict=True)]
        assert gaps == pytest.approx([play, play], abs=TOLERANCE)


def test_the_stand_holds_the_board_and_its_joints_fit() -> None:
    given = {"kerf": 0.1, "clearance": 0.2, "thickness": 4.0, "extras": ("stand",)}
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    parts = {one.name: one for sheet in arrange(plan_of(puzzle, **given)).sheets for one in sheet}
    (foot,), (second,), (bar,) = (parts[name].cut for name in ("foot", "second foot", "bar"))
    assert sorted(lengths(foot)) == pytest.approx(sorted(lengths(second)))
    # The board is two layers thick, the joints one: with the clearance, less the kerf.
    assert any(one == pytest.approx(2 * 4 + 0.2 - 0.1) for one in lengths(foot))
    for outline in (foot, bar):
        assert any(one == pytest.approx(4 + 0.2 - 0.1) for one in lengths(outline))
    # Both joints are half as deep as the parts are high, so that these end at one height.
    high = min(sides(parts["bar"].box)) - 0.1
    assert sum(abs(one - high / 2) < 1e-6 for one in lengths(bar)) == 4


@pytest.mark.parametrize("thickness", [0.1, 3.0, 25.0])
def test_the_slots_of_the_bar_lie_side_by_side(thickness: float) -> None:
    plan = plan_of(bar(4), sheet=(3000.0, 3000.0), thickness=thickness, extras=("stand",))
    parts = {one.name: one for sheet in arrange(plan).sheets for one in sheet}
    left, top, right, bottom = parts["bar"].box
    along = int(bottom - top > right - left)
    middle = ((top + bottom) / 2, (left + right) / 2)[along]
    floors = [
        sorted((here[along], there[along]))
        for here, there in pairs(parts["bar"].cut[0])
        if here[1 - along] == pytest.approx(middle) == there[1 - along]
    ]
    one, other = sorted(floors)
    assert one[1] + 10 <= other[0] + 1e-6


def lengths(curve: Any) -> list[float]:
    return [math.dist(a[:2], b[:2]) for a, b in pairs(curve)]


@pytest.mark.long
@pytest.mark.parametrize("form", ["stl", "3mf"])
def test_solids_are_closed_and_have_their_size(form: str) -> None:
    trimesh = need_package("trimesh")
    need_package("manifold3d")
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    given = {"cell": 10.0, "clearance": 0.3, "thickness": 2.0, "extras": ("lid", "notch")}
    data = made(puzzle, form, **given)
    assert data == made(puzzle, form, **given)
    if form == "stl":
        whole = trimesh.load(io.BytesIO(data), file_type="stl")
        assert whole.is_watertight
        bodies = list(whole.split(only_watertight=False))
    else:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
            model = ElementTree.fromstring(package.read("3D/3dmodel.model"))
        assert names == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        assert model.get("unit") == "millimeter"
        objects = model.findall(f".//{CORE}object")
        items = [item.get("objectid") for item in model.findall(f".//{CORE}item")]
        assert items == [one.get("id") for one in objects]
        bodies = [
            trimesh.Trimesh(
                [[float(one.get(axis)) for axis in "xyz"] for one in each.iter(f"{CORE}vertex")],
                [[int(one.get(f"v{n}")) for n in "123"] for one in each.iter(f"{CORE}triangle")],
                process=False,
            )
            for each in objects
        ]
    assert len(bodies) == len(puzzle.pieces) + 2
    sizes = {tuple(np.round(sorted(one.extents), 2)) for one in bodies}
    # Base and frame in one are two layers high; the lid has its collar all around.
    assert {(4.0, 80.0, 80.0), (4.0, 90.3, 90.3)} <= sizes
    assert all(one.is_watertight and one.is_winding_consistent for one in bodies)
    pieces = sorted(one.volume for one in bodies if one.extents[2] < 3)
    flat = {part.name: part for sheet in arrange(plan_of(puzzle, **given)).sheets for part in sheet}
    expected = sorted(2.0 * area_of(flat[piece.name]) for piece in puzzle.pieces)
    assert pieces == pytest.approx(expected, rel=1e-4)
    assert min(one.bounds[0][2] for one in bodies) == pytest.approx(0.0, abs=1e-6)


def test_the_card_has_the_rules_and_a_code_of_the_address() -> None:
    segno = need_package("segno")
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    (sheet,) = arrange(plan_of(puzzle, words="text", card=ADDRESS)).sheets
    card = next(one for one in sheet if one.name == "card").put(0, 0.0, 0.0)
    card = next(
        turned
        for turns in range(4)
        if sides((turned := card.put(turns, 0.0, 0.0)).box)
        and all(word.turns == 0 for word in turned.words)
    )
    assert card.box[2:] == pytest.approx((105.0, 74.0))
    texts = [word.text for word in card.words]
    assert texts[0] == puzzle.name
    assert "".join(texts[1:3]) == ADDRESS
    assert " ".join(texts[3:]) == rules(puzzle)
    assert "month and day" in rules(puzzle)
    assert "turned over" in rules(puzzle)
    # The modules, from the lines that fill them.
    matrix = [list(map(bool, row)) for row in segno.make_qr(ADDRESS, error="m").matrix]
    module = 40.0 / (len(matrix) + 8)
    left = min(x for line in card.engraved for x, _, _ in line)
    top = min(y for line in card.engraved for _, y, _ in line)
    read = [[False] * len(matrix) for _ in matrix]
    for (x, y, _), (right, _, _) in card.engraved:
        row = int((y - top + 0.01) / module)
        for column in range(len(matrix)):
            middle = left + (column + 0.4) * module
            read[row][column] |= x <= middle <= right
    assert read == matrix


@pytest.mark.long
def test_outlines_are_closed_and_as_wide_as_their_field() -> None:
    need_package("matplotlib")
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    (sheet,) = arrange(plan_of(puzzle, words="outlines")).sheets
    base = next(one for one in sheet if one.name == "base")
    closed = [curve for curve in base.engraved if curve[0] == curve[-1] and len(curve) > 10]
    # Letters and digits, of which some have a second outline within.
    assert len(closed) > 31 + 12 * 3
    left, top, right, bottom = base.box
    assert all(
        left + 10 < x < right - 10 and top + 10 < y < bottom - 10
        for curve in closed
        for x, y, _ in curve
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--clearance", "-1mm"], "'-1mm' is not a length; write it as 20mm"),
        (["--clearance", "25mm"], "clearance is from 0 to 4 mm, not 25; a cell is 20 mm wide"),
        (["--sheet", "100x100"], "does not fit on a sheet of 100 x 100 mm"),
        (["--margin", "250mm"], "mm with 250 mm around it"),
        (["--thickness", "0"], "the thickness is from 0.1 to 100 mm, not 0"),
        (["--extras", "wheels"], "'wheels' is not one of"),
        (["--card", "calmip"], "'calmip' is not an address of a page; write it as https://"),
        (["--kerf", "0.1", "--format", "stl", "-o", "NAME.stl"], "--kerf goes with .svg"),
        (["--common-lines", "-o", "NAME.3mf"], "--common-lines goes with .svg"),
    ],
)
def test_what_cannot_be_made_is_said(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path / one) if one.startswith("NAME") else one for one in arguments]
    if "-o" not in arguments:
        arguments += ["-o", str(tmp_path / "x.svg")]
    assert main(["cut", "a-puzzle-a-day", *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_an_extra_is_known_by_its_name() -> None:
    with pytest.raises(InputError, match=f"is not one of {', '.join(EXTRAS)}"):
        calmip.cut(calmip.read_puzzle("a-puzzle-a-day"), extras=["wheels"])
