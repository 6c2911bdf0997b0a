"""Pieces whose sides have two colours: which side is up, in every form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import brute_force
import pytest

import calmip
from calmip import InputError, Instance, Piece, Puzzle, read_puzzle
from calmip.puzzle.documents.serialise import describe_tiling, puzzle_text, tiling_lines
from calmip.puzzle.lattice import LATTICES, SHAPES
from calmip.puzzle.render.characters import Style
from calmip.puzzle.render.palette import terminal_colour
from calmip.puzzle.render.svg import svg_of
from calmip.puzzle.render.text import draw_position, draw_tiling
from calmip.puzzle.render.tiles import choice_picture, position_picture, tiling_picture

FRONT, BACK = "#ff0000", "#0000ff"

TEXT = f"""grid: ['Jan Feb 1 2', '* * * *', '* * * *']
uncover: [month, day]
pieces:
  L: {{shape: ['###', '#..'], colour: ['{FRONT}', '{BACK}']}}
  P: P
  I1: I1
"""


@pytest.fixture
def puzzle(tmp_path: Path) -> Puzzle:
    path = tmp_path / "two.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return read_puzzle(path)


@pytest.mark.parametrize("lattice", SHAPES)
def test_the_back_is_up_where_a_reflection_is_needed(lattice: str) -> None:
    chiral = 0
    for name, rows in SHAPES[lattice].items():
        piece = Piece.from_rows(name, rows, LATTICES[lattice])
        piece = replace(piece, colour=FRONT, back=BACK)
        fronts = piece.orientations(flip=False)
        for shape in piece.orientations(flip=True):
            cells = [(r + 4, c + 6) for r, c in reversed(shape)]
            assert piece.is_over(cells) == (shape not in fronts)
            assert piece.colour_on(cells) == (FRONT if shape in fronts else BACK)
        equal = {*fronts} == {*piece.orientations(flip=True)}
        assert equal or len(fronts) * 2 == len(piece.orientations(flip=True))
        chiral += not equal
        if lattice == "square":
            # The same without this package's motions.
            sides = {tuple(sorted(one)) for one in brute_force.turned(piece.cells, flip=False)}
            assert len(sides) == len(fronts)
    assert chiral >= {"square": 6, "triangular": 6, "rhombille": 0}.get(lattice, 1)


def test_every_form_of_a_tiling_shows_the_side_that_is_up(puzzle: Puzzle) -> None:
    instance = Instance.reveal(puzzle, {"month": "Jan", "day": "2"})
    pool = calmip.enumerate(instance)
    assert {one.backs for one in pool} == {(), ("L",)}
    line = tiling_lines(instance)
    for tiling in pool:
        over = tiling.backs == ("L",)
        (lying,) = (one for one in tiling.placements if one.piece == "L")
        assert over == puzzle.pieces[0].is_over(lying.cells)
        described = describe_tiling(tiling)
        assert described["backs"] == list(tiling.backs)
        assert json.loads(line(tiling)) == json.loads(json.dumps(described))
        position = replace(instance, placed=(lying,))
        for picture in (
            tiling_picture(tiling),
            position_picture(position),
            choice_picture(instance, tiling.placements, instance.labels),
        ):
            drawn = svg_of(picture)
            assert (BACK in drawn, FRONT in drawn) == (over, not over)
        shade, other = map(terminal_colour, (BACK, FRONT) if over else (FRONT, BACK))
        for drawn in (
            draw_tiling(tiling, Style(colour=True)),
            draw_position(position, Style(colour=True)),
        ):
            assert f"48;5;{shade}m" in drawn
            assert f"48;5;{other}m" not in drawn
        assert draw_tiling(tiling).endswith("back up: L") == over


def test_one_colour_has_no_sides(puzzle: Puzzle) -> None:
    one = replace(puzzle.pieces[0], back=FRONT)
    instance = Instance.reveal(
        replace(puzzle, pieces=(one, *puzzle.pieces[1:])), {"month": "Jan", "day": "2"}
    )
    assert "backs" not in describe_tiling(next(iter(calmip.enumerate(instance))))


@pytest.mark.trade("year")
def test_a_file_and_a_calendar_keep_both_colours(tmp_path: Path) -> None:
    from calmip.year.calendar import Calendar, DaySearch, calendar_json, days_of, read_calendar

    path = tmp_path / "two.yaml"
    whole = read_puzzle("a-puzzle-a-day")
    pieces = tuple(
        replace(one, colour=FRONT, back=BACK) if one.name in "LNO6" else one for one in whole.pieces
    )
    puzzle = replace(whole, pieces=pieces, no_flip_pieces=())
    path.write_text(puzzle_text(puzzle), encoding="utf-8")
    colours = [(one.colour, one.back) for one in pieces]
    assert [(one.colour, one.back) for one in read_puzzle(path).pieces] == colours
    dates = days_of(2027)
    days = tuple(DaySearch(puzzle).day(date) for date in dates[:4])
    document = json.loads(calendar_json(Calendar(puzzle, 2027, 0, days)))
    document["days"] |= {f"{date:%m-%d}": None for date in dates[4:]}
    path.write_text(json.dumps(document), encoding="utf-8")
    back = read_calendar(path)
    two = [(one.colour, one.back) if one.back else ("", "") for one in pieces]
    assert [(one.colour, one.back) for one in back.puzzle.pieces] == two
    told = [(one.tiling.placements, one.tiling.backs) for one in days if one.tiling]
    assert [
        (one.tiling.placements, one.tiling.backs) for one in back.days[:4] if one.tiling
    ] == told
    assert len({backs for _, backs in told}) > 1
    entry = next(one for one in document["pieces"] if one["name"] == "L")
    for fault in ({"backs": [0, 1]}, {"backs": None}, {"colour": ["red"]}, {"backs": [*range(8)]}):
        path.write_text(json.dumps(document).replace(json.dumps(entry), json.dumps(entry | fault)))
        with pytest.raises(InputError, match='piece L: "colour" is a list of two'):
            read_calendar(path)


def test_pieces_that_show_one_side_have_its_colour(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    other = "no_flip_pieces: {L: ['###', '..#'], P: P, I1: I1}\n"
    path.write_text(TEXT + other, encoding="utf-8")
    whole = read_puzzle(path)
    piece = whole.with_flip(False).pieces[0]
    assert (piece.colour, piece.back) == (BACK, FRONT)
    assert piece.colour_on(piece.cells) == BACK
    path.write_text(TEXT + other.replace("L: ['###', '..#']", "L: {shape: L4, colour: teal}"))
    piece = read_puzzle(path).with_flip(False).pieces[0]
    assert (piece.colour, piece.back) == ("#008080", "")


@pytest.mark.parametrize(
    ("colours", "fault"),
    [
        ("[red]", r":4: colour is one colour, or a list of two, .* found 1"),
        ("[red, navy, tan]", ":4: .* found 3"),
        ("[red, sky]", ":4: 'sky' is not a colour"),
        ("{front: red}", ":4: colour is one text, not a mapping"),
    ],
)
def test_faults(colours: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(TEXT.replace(f"['{FRONT}', '{BACK}']", colours), encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        read_puzzle(path)
