"""Boards and pieces: what their grids mean, and what is told where they mean nothing."""

from __future__ import annotations

import string

import brute_force
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import polyforms

from calmip import Board, InputError, Piece
from calmip.puzzle.lattice import HEXAGONAL, SQUARE

MARKS = st.sampled_from(["1", "2", "A", "*", "*", ".", "é", "**", "..", "no", "010", "12:30"])
GRIDS = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(MARKS, min_size=width, max_size=width), min_size=1, max_size=5)
)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(GRIDS)
def test_a_grid_is_a_board_or_an_error_says_why_not(rows: list[list[str]]) -> None:
    places = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    cells = [cell for cell, text in sorted(places.items()) if text != "."]
    labels = {text for text in places.values() if text not in (".", "*")}
    stands = {label: [cell for cell in cells if places[cell] == label] for label in labels}
    apart = {
        label
        for label in labels
        if brute_force.components(stands[label], SQUARE.kinds[0].steps) > 1
    }
    try:
        board = Board.from_text("  ".join(row) for row in rows)
    except InputError as error:
        if not cells:
            assert str(error) == "the grid has no cell on the board"
        else:
            assert any(str(error).startswith(f"label {label} stands in") for label in apart)
        return
    assert cells
    assert not apart
    assert list(board.cells) == cells
    assert {label: list(found) for label, found in board.labels.items()} == stands
    # In row-major order of their first cells.
    assert [found[0] for found in board.labels.values()] == sorted(
        found[0] for found in stands.values()
    )
    assert board.shape == (len(rows), len(rows[0]))
    assert all(board.label(cell) == places[cell] for cell in cells)
    assert board == Board(rows)
    assert hash(board) == hash(Board(tuple(map(tuple, rows))))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the grid has no cell on the board"),
        ([""], "the grid has no cell on the board"),
        (["", ""], "the grid has no cell on the board"),
        ([". .", ". ."], "the grid has no cell on the board"),
        (["1 2", "3"], "grid row 2 has 1 places and the first row has 2; write '.' where"),
        (["", "1"], "grid row 2 has 1 places and the first row has 0; write '.' where"),
        (["* " * 101] * 100, "the grid has 10100 places; at most 10000"),
        (["1 1 2", "3 4 1"], "label 1 stands in 3 cells that do not touch: (0, 0), (0, 1), (1, 2)"),
        (["1 2", "2 1"], "label 1 stands in 2 cells that do not touch: (0, 0), (1, 1); only a"),
        (
            ["a\u202eb"],
            "grid row 1: a label has 1 to 60 printable characters and no blanks, not 'a\\u202eb'",
        ),
        (
            ["\x1b[31m"],
            "grid row 1: a label has 1 to 60 printable characters and no blanks, not '\\x1b[31m'",
        ),
        (["1", "x" * 61], "grid row 2: a label has 1 to 60 printable characters"),
    ],
)
def test_what_is_no_board_is_refused(rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Board.from_text(rows)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 500
    assert caught.value.where[0] == "grid"


@pytest.mark.parametrize("label", ["", " ", "a b", "a\tb", "\n"])
def test_a_label_without_blanks(label: str) -> None:
    with pytest.raises(InputError, match="printable characters and no blanks"):
        Board((("1", label),))


def test_the_largest_and_the_least_board() -> None:
    assert Board.from_text(["* " * 10_000]).shape == (1, 10_000)
    assert len(Board.from_text(["*"] * 10_000).cells) == 10_000
    wide = Board([[f"r{r}c{c}" for c in range(100)] for r in range(100)])
    assert len(wide.labels) == 10_000
    assert Board.from_text(["x " * 100] * 100).labels["x"] == wide.cells
    assert Board.from_text(["*"]).labels == {}
    assert Board.from_text(["x" * 60]).cells == ((0, 0),)


@settings(max_examples=100, deadline=None)
@given(cells=polyforms(), flip=st.booleans())
def test_a_drawn_piece_is_its_cells(cells: list[tuple[int, int]], flip: bool) -> None:
    corner = brute_force.cornered(cells)
    height, width = max(r for r, _ in corner) + 1, max(c for _, c in corner) + 1
    drawn = [
        "".join("#" if (r, c) in corner else ". "[c % 2] for c in range(width)).rstrip()
        for r in range(height)
    ]
    piece = Piece.from_rows("p", drawn)
    assert piece == Piece("p", tuple(cells)) == Piece("p", [list(cell) for cell in cells])
    assert hash(piece) == hash(Piece("p", [list(cell) for cell in cells]))
    assert {brute_force.cornered(shape) for shape in piece.orientations(flip=flip)} == (
        brute_force.turned(cells, flip=flip)
    )


@given(
    cells=st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8),
    lattice=st.sampled_from([SQUARE, HEXAGONAL]),
)
def test_a_piece_hangs_together(cells: set[tuple[int, int]], lattice: object) -> None:
    parts = brute_force.components(cells, lattice.kinds[0].steps)
    if parts == 1:
        assert len(Piece("p", tuple(cells), lattice).cells) == len(cells)
        return
    with pytest.raises(InputError, match="not connected" if parts else "piece p is empty"):
        Piece("p", tuple(cells), lattice)


@given(st.lists(st.text(st.sampled_from("#. x\t*\u202e"), max_size=5), max_size=4))
def test_rows_are_drawn_with_two_marks(rows: list[str]) -> None:
    odd = {mark for row in rows for mark in row} - set("#. ")
    try:
        piece = Piece.from_rows("p", rows)
    except InputError as error:
        assert str(error).isprintable()
        assert (": found " in str(error)) == bool(odd)
    else:
        assert not odd
        assert len(piece.cells) == sum(row.count("#") for row in rows)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Piece("p", ()), "piece p is empty; mark its cells with '#'"),
        (lambda: Piece.from_rows("p", []), "piece p is empty"),
        (lambda: Piece.from_rows("p", ["#" * 101]), "piece p is drawn on more than 100 rows or"),
        (lambda: Piece.from_rows("p", ["#"] * 101), "piece p is drawn on more than 100 rows or"),
        (lambda: Piece.from_rows("p", ["#" * 51] * 2), "piece p has 102 cells; at most 100"),
        (lambda: Piece.from_rows("p", ["#.#"]), "piece p is not connected; its 2 cells must"),
        (lambda: Piece.from_rows("p", ["#", "\u202e"]), "piece p, row 2: found '\\u202e'; a row"),
        (lambda: Piece.from_rows("\x1b", ["x"]), "piece \\x1b, row 1: found 'x'"),
        (lambda: Piece.from_rows("n" * 5000, ["x"]), f"piece {'n' * 60}..., row 1: found 'x'"),
        (lambda: Piece("", ((0, 0),)), "a piece's name has 1 to 60 printable characters, not ''"),
        (lambda: Piece("n" * 61, ((0, 0),)), "a piece's name has 1 to 60 printable characters"),
        (
            lambda: Piece("\u2066", ((0, 0),)),
            "a piece's name has 1 to 60 printable characters, not '\\u2066'",
        ),
    ],
)
def test_what_is_no_piece_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value).startswith(message)


def test_the_largest_pieces() -> None:
    assert len(Piece.from_rows("p", ["#" * 100]).orientations(flip=True)) == 2
    assert len(Piece.from_rows("p", ["#" * 10] * 10).orientations(flip=True)) == 1
    assert Piece.from_rows(string.printable[:60], ["#"]).cells == ((0, 0),)
