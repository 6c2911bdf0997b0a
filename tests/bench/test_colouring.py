"""Proofs by colourings: they are found where they are known, and never where a tiling is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import instances, solvable_instances

from calmip import Board, ExactCover, Instance, Piece, Puzzle
from calmip.bench import colouring_proofs
from calmip.bench.colouring_proofs import COLOURINGS, Colouring, refute
from calmip.puzzle.lattice import HEXAGONAL
from calmip.puzzle.search.exact_cover.search import Search


def cover_of(rows: list[str], *pieces: list[str]) -> ExactCover:
    board = Board.from_text(" ".join(row) for row in rows)
    named = tuple(Piece.from_rows(f"P{n}", rows) for n, rows in enumerate(pieces))
    return ExactCover(Instance(Puzzle("drawn", board, named)))


def test_the_mutilated_chessboard_has_no_tiling() -> None:
    rows = [".*****", *["******"] * 4, "*****."]
    assert refute(cover_of(rows, *[["##"]] * 17)) == Colouring(2, 1, 1)
    rows[-1], rows[-2] = "*" * 6, "*" * 5 + "."  # one of the other colour
    assert refute(cover_of(rows, *[["##"]] * 17)) is None


@pytest.mark.parametrize("odd", [True, False])
def test_an_odd_number_of_ts_does_not_cover_a_rectangle(odd: bool) -> None:
    t, square = ["###", ".#."], ["##", "##"]
    pieces = [t, *([square] * 4 if odd else [t, square, square, square])]
    assert (refute(cover_of(["*" * 5] * 4, *pieces)) is not None) is odd


@pytest.mark.long
@settings(max_examples=40)
@given(solvable_instances())
def test_what_has_a_tiling_is_not_refuted(instance: Instance) -> None:
    assert refute(ExactCover(instance)) is None


@pytest.mark.long
@settings(max_examples=40)
@given(instances())
def test_what_is_refuted_has_no_tiling(instance: Instance) -> None:
    cover = ExactCover(instance)
    if refute(cover) is not None:
        search = Search(cover)
        assert not list(search)
        assert search.complete


def test_of_two_equal_pieces_the_one_that_is_not_optional_counts() -> None:
    """The T alone covers the board, whose colours no two dominoes cover."""
    rows = ["###", ".#."]
    domino, tee = Piece.from_rows("A", ["##"]), replace(Piece.from_rows("T", rows), optional=True)
    for optional in (True, False):
        pieces = (replace(domino, optional=optional), replace(domino, name="B", optional=True), tee)
        cover = ExactCover(Instance(Puzzle("tee", Board.from_text(["* * *", ". * ."]), pieces)))
        assert (refute(cover) is None) is optional


def test_free_groups_count() -> None:
    # A domino and one label: of the three cells only the middle one must not be uncovered.
    board = Board.from_text(["A B C"])
    piece = Piece.from_rows("I", ["##"])
    puzzle = Puzzle("row", board, (piece,), {"label": ("A", "B", "C")})
    assert refute(ExactCover(Instance(puzzle, free=("label",)))) is None
    assert refute(ExactCover(Instance(puzzle, ("A",)))) is None


def test_colourings_are_different_and_hexagons_have_them_too() -> None:
    assert len({str(one) for one in COLOURINGS}) == len(COLOURINGS) == 13
    board = Board.from_text(["* * *"], HEXAGONAL)
    pieces = tuple(Piece(f"P{n}", ((0, n),), HEXAGONAL) for n in range(3))
    assert refute(ExactCover(Instance(Puzzle("row", board, pieces)))) is None


def test_many_sums_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [".*****", *["******"] * 4, "*****."]
    monkeypatch.setattr(colouring_proofs, "MAX_SUMS", 0)
    assert refute(cover_of(rows, *[["##"]] * 17)) is None
