"""Pieces that may be left out; random boards with them are in test_random_boards.py."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from random_rules import SHAPES, Solution, solved

import calmip
from calmip import (
    Board,
    ExactCover,
    InputError,
    Instance,
    NotATiling,
    Piece,
    Placement,
    Puzzle,
    Tiling,
    read_puzzle,
)
from calmip.puzzle.documents.serialise import describe_tiling, puzzle_text, tiling_lines
from calmip.puzzle.render.text import draw_tiling
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.search.symmetry import is_first_image, symmetries
from calmip.puzzle.tasks.puzzles import _describe
from calmip.puzzle.tiling import Verifier

ALL = ("V3", "I3", "T4", "L4", "O4", "P", "V")


def spare(*, use: int | None = None, optional: tuple[str, ...] = ()) -> Instance:
    """Return a board of nine cells, to cover by some of seven pieces."""
    pieces = tuple(
        replace(piece, optional=piece.name in optional) for piece in SHAPES if piece.name in ALL
    )
    board = Board.from_text(["* * *"] * 3)
    return Instance(Puzzle("spare", board, pieces, use=use))


def stated(use: int) -> Instance:
    """Return the board with one more piece, to cover by some of eight pieces."""
    puzzle = spare(optional=ALL).puzzle
    domino = replace(Piece.from_rows("I2", ["##"]), optional=True)
    return Instance(replace(puzzle, pieces=(*puzzle.pieces, domino), use=use))


def tilings_of(instance: Instance) -> set[Solution]:
    return solved(instance, {frozenset(): instance.to_cover}).known


def test_a_puzzle_is_described_with_its_rules_and_its_use_if_it_has_any() -> None:
    plain = spare(optional=ALL).puzzle
    ruled = replace(plain, pieces=tuple(replace(piece, flip=False) for piece in plain.pieces))
    assert ruled.rules
    for puzzle in (plain, ruled, spare(use=2).puzzle):
        found = _describe("spare", puzzle)
        assert (found.get("rules"), found.get("use")) == (puzzle.rules or None, puzzle.use)


def test_the_count_says_which_pieces_are_left_out() -> None:
    instance = spare(optional=ALL)
    cover = ExactCover(instance)
    left = Counter(Tiling.from_options(cover, one).left for one in Search(cover))
    found = calmip.count(instance)
    assert found.left == left
    assert len(left) > 1
    assert found.describe()["left"][0]["tilings"] == max(left.values())


def test_a_count_of_none_has_no_table_of_pieces_left_out() -> None:
    board = Board.from_text(["* * . *", "* * * *", "* * * *"])
    rows = (["###"], ["##", "#."], ["####"], [".#.", "###"], ["##.", ".##"])
    pieces = tuple(
        replace(Piece.from_rows(f"p{n}", one), optional=True) for n, one in enumerate(rows)
    )
    instance = Instance(Puzzle("none", board, pieces, use=3))
    found = calmip.count(instance)
    assert found.total == len(tilings_of(instance)) == 0
    for one in (found, calmip.count(spare(optional=ALL))):
        assert ("left out" in str(one)) == (one.total > 0)


def test_symmetric_tilings_have_the_same_pieces() -> None:
    instance = spare(optional=ALL)
    cover = ExactCover(instance)
    tilings = [Tiling.from_options(cover, one) for one in Search(cover)]
    found = calmip.count(instance, up_to_symmetry=True)
    motions = symmetries(instance)
    firsts = [one for one in tilings if is_first_image(one, motions)]
    assert (found.symmetries, found.different) == (8, len(firsts))
    # The two hands of a piece, of which every tiling uses one: no reflection.
    hands = [Piece.from_rows("L", ["###", "#.."]), Piece.from_rows("J", ["###", "..#"])]
    pieces = (hands[0], replace(hands[1], optional=True), Piece.from_rows("I", ["####"]))
    puzzle = Puzzle("hands", Board.from_text(["* * * *"] * 2), pieces, flip=False)
    assert len(symmetries(Instance(puzzle))) == 2


def test_pieces_that_must_be_used_are_in_every_tiling() -> None:
    instance = spare(optional=(*ALL[:5], "V"))
    cover = ExactCover(instance)
    assert count(cover) == len(tilings_of(instance)) > 0
    assert {"V3_left", "P_left"} & {*cover.option_names} == {"V3_left"}
    tiling = Tiling.from_options(cover, next(iter(Search(cover))))
    with pytest.raises(NotATiling, match="no placement for piece P"):
        Tiling(instance, tuple(one for one in tiling.placements if one.piece != "P"), ())


def test_the_number_of_pieces_follows_from_the_sizes() -> None:
    known = tilings_of(spare(use=2))
    assert known == tilings_of(spare(optional=ALL))
    assert count(ExactCover(spare(use=2))) == len(known)
    with pytest.raises(InputError, match="use is 3, but by their sizes 2 pieces cover 9 cells"):
        spare(use=3)
    for use in (2, 3):
        instance = stated(use)
        cover = ExactCover(instance)
        assert [item.demand for item in cover.items if item.name == "u_left"] == [8 - use]
        known = tilings_of(instance)
        assert count(cover) == len(known) == len(list(Search(cover))) > 0
        assert {len(tiling) for _, tiling in known} == {use}
    for use, fault in (
        (7, "leave out the key 'use'"),
        (8, "has 7 pieces; write a number from 1 to 6"),
        (0, "use is 0"),
    ):
        with pytest.raises(InputError, match=fault):
            spare(use=use)


def domino_board(*optional: bool) -> Instance:
    """Return a board of two rows of three cells, and equal pieces of two cells."""
    pieces = tuple(
        Piece.from_rows(name, ["##"] if number % 2 else ["#", "#"])
        for number, name in enumerate("abcdefgh"[: len(optional)])
    )
    pieces = tuple(
        replace(piece, optional=one) for piece, one in zip(pieces, optional, strict=True)
    )
    return Instance(Puzzle("dominoes", Board.from_text(["* * *"] * 2), pieces))


@pytest.mark.parametrize(
    "optional",
    [(False, True, False, False), (True, False, True, False, True), (True,) * 5, (True,) * 3],
)
def test_equal_pieces_are_left_out(optional: tuple[bool, ...]) -> None:
    instance = domino_board(*optional)
    cover = ExactCover(instance)
    solutions = list(Search(cover))
    # Each of the three pictures once, whichever of the equal pieces are left out.
    assert count(cover) == len(solutions) == 3
    names = "abcdefgh"[: len(optional)]
    used = [name for name, spare in zip(names, optional, strict=True) if not spare]
    used += [name for name, spare in zip(names, optional, strict=True) if spare]
    for options in solutions:
        tiling = Tiling.from_options(cover, options)
        assert {one.piece for one in tiling.placements} == {*used[:3]}
        assert tiling.left == tuple(name for name in names if name in used[3:])
        assert tiling.options(cover) == options
    assert calmip.count(instance).left == {tiling.left: 3}


@pytest.mark.parametrize("spare", range(4))
@pytest.mark.parametrize("squares", [0, 2, 4])
def test_of_equal_pieces_only_the_optional_ones_are_left_out(spare: int, squares: int) -> None:
    """Three dominoes on six cells, and squares that take their place where one may be left out."""
    dominoes = tuple(
        replace(Piece.from_rows(name, ["##"]), optional=number < spare)
        for number, name in enumerate("abc")
    )
    singles = tuple(
        replace(Piece.from_rows(name, ["#"]), optional=True) for name in "stuv"[:squares]
    )
    board = Board.from_text(["* * *"] * 2)
    cover = ExactCover(Instance(Puzzle("six", board, (*dominoes, *singles))))
    found = [Tiling.from_options(cover, options) for options in Search(cover)]
    # Ways to lay so many dominoes on the board: each fills the rest with squares.
    ways = {3: 3, 2: 11, 1: 7}
    wanted = sum(
        ways[number] for number in (3, 2, 1) if 3 - number <= spare and 6 - 2 * number <= squares
    )
    assert count(cover) == len(found) == wanted
    for tiling in found:
        used = {one.piece for one in tiling.placements}
        assert {piece.name for piece in dominoes if not piece.optional} <= used


def test_a_placed_piece_is_not_left_out() -> None:
    instance = domino_board(True, True, True, True, False)
    a, e = (Placement(name, ((0, 0), (1, 0))) for name in "ae")
    for placed in (a, e):
        cover = ExactCover(replace(instance, placed=(placed,)))
        tilings = [Tiling.from_options(cover, options) for options in Search(cover)]
        assert len(tilings) == 2
        assert {len(tiling.left) for tiling in tilings} == {2}
        assert all(placed in tiling.placements for tiling in tilings)


def two_cells(use: int) -> Instance:
    """Return a board of two cells, to cover by a piece of two cells or two of one."""
    single = Piece("s", ((0, 0),))
    pieces = (Piece.from_rows("d", ["##"]), single, replace(single, name="t"))
    return Instance(Puzzle("stated", Board.from_text(["* *"]), pieces, use=use))


def test_a_tiling_has_as_many_pieces_as_stated() -> None:
    for use, left in ((1, ("s", "t")), (2, ("d",))):
        cover = ExactCover(two_cells(use))
        (options,) = Search(cover)
        assert Verifier(cover).tiling(options).left == left
        # The other cover has the same options.
        with pytest.raises(NotATiling, match=f"{use} pieces are placed, and {3 - use} are used"):
            Verifier(ExactCover(two_cells(3 - use))).tiling(options)
    two = (Placement("s", ((0, 0),)), Placement("t", ((0, 1),)))
    placed = replace(two_cells(1), placed=two)
    assert ExactCover(placed).obstacle() == "too many pieces are placed, as 1 are used"
    assert calmip.hint(placed).solvable is False


def test_areas_that_no_choice_covers() -> None:
    pieces = (Piece.from_rows("a", ["##"]), Piece("b", ((0, 0),), optional=True))
    board = Board.from_text(["1 2 * *"])
    puzzle = Puzzle("areas", board, pieces, {"day": ("1", "2")})
    assert count(ExactCover(Instance(puzzle, ("1",)))) == 2
    with pytest.raises(InputError, match="left out, the pieces cover 2 or 3 cells, but 4"):
        Instance(puzzle)


@pytest.mark.trade("design")
def test_a_pool_of_pieces_refuses_them(tmp_path: Path) -> None:
    pool = tmp_path / "pool.yaml"
    pool.write_text("pieces:\n  a: {shape: L4, optional: true}\n", encoding="utf-8")
    with pytest.raises(InputError, match="piece a of a pool has the key 'optional'"):
        calmip.read_pool([str(pool)], calmip.read_board("a-puzzle-a-day"))


def test_a_file_keeps_the_number_of_pieces(tmp_path: Path) -> None:
    path = tmp_path / "spare.yaml"
    path.write_text(puzzle_text(spare(use=2).puzzle), encoding="utf-8")
    assert read_puzzle(path).use == 2


def test_a_tiling_says_what_is_left_out() -> None:
    instance = spare(use=2)
    pool = calmip.enumerate(instance)
    line = tiling_lines(instance)
    for tiling in pool:
        assert len(tiling.placements) + len(tiling.left) == 7
        assert json.loads(line(tiling)) == json.loads(json.dumps(describe_tiling(tiling)))
        assert describe_tiling(tiling)["left"] == list(tiling.left)
        assert draw_tiling(tiling).endswith(f"left out: {', '.join(tiling.left)}")


@pytest.mark.trade("proofs")
def test_a_proof_states_how_many_pieces_are_used() -> None:
    from calmip.proofs import check_tree
    from calmip.proofs.logs import proof_text

    proof = json.loads(proof_text(ExactCover(two_cells(1)))[0])
    assert check_tree.check(proof) == 1
    assert proof["puzzle"]["use"] == 1
    for use in (2, 3, "1"):
        wrong = {**proof, "puzzle": {**proof["puzzle"], "use": use}}
        with pytest.raises(check_tree.Refused):
            check_tree.check(wrong)
    without = {key: value for key, value in proof["puzzle"].items() if key != "use"}
    with pytest.raises(check_tree.Refused):
        check_tree.check({**proof, "puzzle": without})
    # An option that only states how many equal pieces are left out cannot be omitted.
    equal = json.loads(proof_text(ExactCover(domino_board(True, True, True, True)))[0])
    assert check_tree.check(equal) == 3
    assert sum(option.get("label", "").startswith("max") for option in equal["options"]) == 4
    equal["options"] = [one for one in equal["options"] if one.get("label") != "max0"]
    with pytest.raises(check_tree.Refused, match="the options are not those of the puzzle"):
        check_tree.check(equal)


@pytest.mark.trade("year")
@pytest.mark.long
def test_a_calendar_leaves_pieces_out(tmp_path: Path) -> None:
    from calmip.year.calendar import Calendar, DaySearch, calendar_json, days_of, read_calendar

    whole = read_puzzle("a-puzzle-a-day")
    more = Piece.from_rows("T", ["###", ".#.", ".#."])
    puzzle = replace(whole, pieces=(*whole.pieces, more), use=8, no_flip_pieces=(), counts={})
    dates = days_of(2027)
    days = tuple(DaySearch(puzzle).day(date) for date in dates[:3])
    assert any(day.tiling is not None and day.tiling.left != ("T",) for day in days)
    document = json.loads(calendar_json(Calendar(puzzle, 2027, 0, days)))
    document["days"] |= {f"{date:%m-%d}": None for date in dates[3:]}
    path = tmp_path / "spare.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    back = read_calendar(path)
    assert back.puzzle.rules == puzzle.rules
    assert [day.tiling for day in back.days[:3]] == [day.tiling for day in days]
    document["days"]["01-01"][:2] = -1, 0
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="number -1 is out of range"):
        read_calendar(path)
