"""Pieces that may not be turned over, or not be turned; test_random_boards.py has more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from random_rules import solved

import calmip
from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_puzzle
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.symmetry import count_invariant, symmetries


def strip(*pieces: Piece) -> Instance:
    return Instance(Puzzle("strip", Board.from_text(["* * *", "* * *"]), pieces))


def test_symmetries_map_pieces_to_pieces() -> None:
    free, single = Piece.from_rows("V", ["##", "#."]), Piece.from_rows("I", ["###"])
    assert len(symmetries(strip(free, single))) == 4
    fixed = Piece("V", free.cells, rotate=False)
    assert len(symmetries(strip(fixed, single))) == 1
    handed = Piece.from_rows("L", ["###", "#.."]), Piece.from_rows("D", ["##"])
    assert len(symmetries(strip(*handed))) == 4
    assert len(symmetries(strip(Piece("L", handed[0].cells, flip=False), handed[1]))) == 2
    # Both hands of a piece: a reflection exchanges them.
    pair = Piece("L", handed[0].cells, flip=False), Piece.from_rows("J", ["###", "..#"])
    assert len(symmetries(strip(Piece("I", ((0, 0),)), Piece("H", ((0, 0),)), *pair[:1]))) == 2
    lying = Piece("a", single.cells, rotate=False), Piece("b", single.cells, rotate=False)
    motions = symmetries(strip(*lying))
    assert len(motions) == 4
    cover = ExactCover(strip(*lying))
    assert [
        count_invariant(cover, motion, calmip._base.limits.Deadline()) for motion in motions
    ] == [1] * 4


def test_one_shape_with_two_rules_is_two_pieces() -> None:
    free, fixed = Piece.from_rows("V", ["##", "#."]), Piece.from_rows("W", ["##", "#."])
    instance = strip(free, Piece("W", fixed.cells, rotate=False))
    # W lies in its corner or in the middle; V fills the rest beside it.
    known = solved(instance, {frozenset(): instance.to_cover}, no_turn={"W"}).known
    assert len(known) == count(ExactCover(instance)) == 1
    assert len(instance.puzzle.piece_classes) == 2
    with pytest.raises(InputError, match="pieces V and W have one shape but may be turned diff"):
        symmetries(instance)


def test_no_flip_pieces_keep_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    head = "grid: ['1 2 3', '4 5 *']\nuncover: [day]\n"
    path.write_text(
        head + "pieces: {A: {shape: L4, rotate: false, colour: red}, B: I1}\n"
        "no_flip_pieces: {A: L4, B: I1}\n",
        encoding="utf-8",
    )
    piece = read_puzzle(path).with_flip(False).pieces[0]
    assert piece.rules == {"rotate": False}
    assert piece.colour == "#ff0000"
    path.write_text(path.read_text().replace("{A: L4, B", "{A: ['#..', '###'], B"))
    with pytest.raises(InputError, match=r"own.yaml:4: .*A lies otherwise than under pieces"):
        read_puzzle(path)


def test_a_placed_piece_follows_its_rule() -> None:
    fixed = Piece.from_rows("V", ["##", "#."])
    puzzle = strip(Piece("V", fixed.cells, rotate=False), Piece.from_rows("I", ["###"])).puzzle
    with pytest.raises(InputError, match="unless it is turned, which is forbidden here"):
        Instance(puzzle, placed=(calmip.Placement("V", ((0, 0), (0, 1), (1, 1))),))


@pytest.mark.trade("year")
def test_a_calendar_keeps_the_rules(tmp_path: Path) -> None:
    from calmip.year.calendar import Calendar, DaySearch, calendar_json, days_of, read_calendar

    whole = read_puzzle("a-puzzle-a-day")
    pieces = tuple(
        replace(one, flip=one.name != "L", rotate=one.name != "O6") for one in whole.pieces
    )
    puzzle = replace(whole, pieces=pieces, no_flip_pieces=())
    dates = days_of(2027)
    days = tuple(DaySearch(puzzle).day(date) for date in dates[:2])
    assert all(day.tiling is not None for day in days)
    document = json.loads(calendar_json(Calendar(puzzle, 2027, 0, days)))
    document["days"] |= {f"{date:%m-%d}": None for date in dates[2:]}
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    back = read_calendar(path)
    assert back.puzzle.rules == puzzle.rules == {"L": {"flip": False}, "O6": {"rotate": False}}
    assert [day.tiling for day in back.days[:2]] == [day.tiling for day in days]
    document["pieces"][0]["orientations"].pop()
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="the orientations of piece L are not those of one shape"):
        read_calendar(path)


@pytest.mark.trade("design")
def test_a_pool_has_no_such_pieces(tmp_path: Path) -> None:
    path = tmp_path / "pool.yaml"
    path.write_text("pieces:\n  a: {shape: L4, flip: false}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pool.yaml:1: piece a of a pool has the key 'flip'"):
        calmip.read_pool([str(path)], calmip.read_board("a-puzzle-a-day"))


def test_rules_in_words() -> None:
    pieces = (
        Piece("a", ((0, 0), (0, 1), (0, 2), (1, 0)), flip=False),
        Piece("b", ((0, 0), (0, 1)), rotate=False),
    )
    puzzle = strip(*pieces).puzzle
    clauses = ("a may not be turned over", "b may not be turned at all")
    assert puzzle.piece_rules == clauses
    assert puzzle.with_flip(False).piece_rules == clauses[1:]
