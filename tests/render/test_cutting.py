"""Puzzles to make: lengths and areas of what is cut, sheets that hold all, files that are whole."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from presence import need_package

import calmip
from calmip.cli import main
from calmip.render.cutting import GAP, Curve, Cutting, sheets
from calmip.render.cutting_files import cut_file
from calmip.render.outline import outline

PUZZLES = ("a-puzzle-a-day", "hex43-v1", "heart-set1")


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


@given(
    name=st.sampled_from(PUZZLES),
    cell=st.floats(5, 40),
    kerf=st.floats(0, 0.5),
    radius=st.floats(0, 1),
    bar=st.booleans(),
)
@settings(deadline=None, max_examples=40)
def test_every_part_has_its_size_and_its_place(
    name: str, cell: float, kerf: float, radius: float, *, bar: bool
) -> None:
    puzzle = calmip.read_puzzle(name)
    cutting = Cutting(cell, kerf, radius, (500.0, 450.0), bar)
    found = sheets(puzzle, cutting)
    parts = {part.name: part for sheet in found for part in sheet}
    expected = {piece.name for piece in puzzle.pieces} | {"base", "frame"}
    assert set(parts) == expected | ({"scale bar"} if bar else set())
    assert sum(map(len, found)) == len(parts)
    lattice = puzzle.board.lattice
    for piece in puzzle.pieces:
        loops = outline(lattice, piece.cells)
        one = sum(signed_area(tuple((x, y, 0.0) for x, y in lattice.corners(c)))
                  for c in piece.cells) * cell**2  # fmt: skip
        sides = sum(math.dist(a, b) for loop in loops
                    for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)) * cell  # fmt: skip
        area = sum(map(signed_area, parts[piece.name].cut))
        # Half a kerf all around; each full turn of corners adds a little, rounding takes it away.
        corners = 4 * sum(map(len, loops)) * (kerf**2 + radius**2)
        assert area == pytest.approx(one + sides * kerf / 2, abs=corners + 1e-6)
        if radius == 0 and name != "hex43-v1":
            left, top, right, bottom = parts[piece.name].box
            wide = max(c for _, c in piece.cells) - min(c for _, c in piece.cells) + 1
            assert right - left == pytest.approx(wide * cell + kerf)
            assert bottom - top > cell
    hole = sum(map(signed_area, parts["frame"].cut[1:]))
    assert hole <= len(puzzle.board.cells) * cell**2 + 1e-6
    assert len(parts["base"].words) == len(puzzle.board.labels)
    for sheet in found:
        boxes = [part.box for part in sheet]
        for left, top, right, bottom in boxes:
            assert min(left, top) >= GAP - 1e-6
            assert right <= 500 - GAP + 1e-6
            assert bottom <= 450 - GAP + 1e-6
        for one_box, other in itertools.combinations(boxes, 2):
            apart = max(other[0] - one_box[2], one_box[0] - other[2],
                        other[1] - one_box[3], one_box[1] - other[3])  # fmt: skip
            assert apart >= GAP - 1e-6


@pytest.mark.parametrize("name", PUZZLES)
def test_the_drawing_has_both_layers_at_its_real_size(name: str) -> None:
    cutting = Cutting(15.0, 0.1, 0.5, (300.0, 200.0))
    found = sheets(calmip.read_puzzle(name), cutting)
    root = ElementTree.fromstring(cut_file(found, cutting, "svg"))
    assert root.get("width") == "300mm"
    assert root.get("viewBox", "").split()[2] == "300"
    layers = {group.get("id"): group for group in root}
    curves = {"cut": sum(len(p.cut) for s in found for p in s),
              "engrave": sum(len(p.engraved) for s in found for p in s)}  # fmt: skip
    for layer, colour in (("cut", "#ff0000"), ("engrave", "#0000ff")):
        assert layers[layer].get("stroke") == colour
        assert len(layers[layer]) == curves[layer]
    words = {word.text for word in layers["words"]}
    assert words == set(calmip.read_puzzle(name).board.labels)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_exchange_file_says_the_same_lines(name: str) -> None:
    cutting = Cutting(15.0, 0.1, 0.5, (300.0, 200.0))
    found = sheets(calmip.read_puzzle(name), cutting)
    lines = cut_file(found, cutting, "dxf").decode("ascii").split("\n")[:-1]
    assert len(lines) % 2 == 0
    groups = [(int(lines[n]), lines[n + 1]) for n in range(0, len(lines), 2)]
    assert groups[-1] == (0, "EOF")
    assert groups.count((0, "SECTION")) == groups.count((0, "ENDSEC"))
    curves = [curve for sheet in found for part in sheet for curve in (*part.cut, *part.engraved)]
    assert groups.count((0, "POLYLINE")) == groups.count((0, "SEQEND")) == len(curves)
    assert groups.count((0, "VERTEX")) == sum(map(len, curves))
    assert {value for code, value in groups if code == 8} == {"CUT", "ENGRAVE"}


@pytest.mark.parametrize("form", ["svg", "dxf", "pdf"])
def test_the_command_writes_each_form(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if form == "pdf":
        need_package("matplotlib")
    path = tmp_path / f"cut.{form}"
    words = [
        "puzzles",
        "a-puzzle-a-day",
        "--cut",
        "--cell",
        "12mm",
        "--kerf",
        ".1",
        "--sheet",
        "A4",
    ]
    assert main([*words, "--scale-bar", "-o", str(path)]) == 0
    data = path.read_bytes()
    assert data.startswith({"svg": b"<?xml", "dxf": b"0\nSECTION", "pdf": b"%PDF"}[form])
    assert b"100 mm" in data or form == "pdf"
    if form == "pdf":
        assert re.search(rb"/MediaBox \[ 0 0 595\.2\d+ 841\.8\d+ \]", data)
    assert main([*words, "--scale-bar", "-o", str(tmp_path / f"again.{form}")]) == 0
    assert (tmp_path / f"again.{form}").read_bytes() == data
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a-puzzle-a-day", "--cut", "--cell", "40"], "part base of 320.0 x 320.0 mm does not fit"),
        (["a-puzzle-a-day", "--cut", "--cell", "0"], "the cell is from 1 to 1000 mm, not 0"),
        (["a-puzzle-a-day", "--cut", "--radius", "9mm"], "the radius is from 0 to 5 mm, not 9"),
        (["a-puzzle-a-day", "--cut", "--kerf", "nan"], "the kerf is from 0 to 4 mm, not nan"),
        (["a-puzzle-a-day", "--cut", "--sheet", "big"], "'big' is no size"),
        (["a-puzzle-a-day", "--cut", "--sheet", "1..2x3"], "is not a valid float"),
        (["a-puzzle-a-day", "--format", "dxf"], "dxf goes with --cut"),
        (["--cut"], "--cut goes with the NAME of one puzzle"),
    ],
)
def test_what_cannot_be_cut_is_said(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*arguments, "-o", str(tmp_path / "x.dxf")]
    if "40" in arguments:
        arguments += ["--sheet", "300x300"]
    assert main(["puzzles", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
