"""Puzzles: what is refused, equal pieces, and the handedness of pieces that may not be turned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import brute_force
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import grids, polyforms

from calmip import Board, InputError, Piece, Puzzle, bundled_puzzles, read_instance, read_puzzle

HEAD = 'grid: ["1 2 3", "4 5 *"]\nuncover: [day]\n'


def puzzle_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "puzzle.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def pieces(**rows: Sequence[str]) -> tuple[Piece, ...]:
    return tuple(Piece.from_rows(name, drawn) for name, drawn in rows.items())


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "no_flip_pieces: {L4: ['###', '.#.'], I1: ['#']}",
            4,
            "no_flip_pieces: piece L4 is neither the piece L4 nor its mirror image",
        ),
        (
            "no_flip_pieces: {L4: ['###', '..#']}",
            4,
            "no_flip_pieces lacks I1; it has all pieces or none",
        ),
        (
            "no_flip_pieces:\n  I1: ['#']\n  L4: ['###', '..#']\n  X: ['#']",
            7,
            "no_flip_pieces has a piece X, which is not among the pieces",
        ),
        ("no_flip_pieces:", 4, "no_flip_pieces is a list of shapes"),
    ],
)
def test_no_flip_pieces_are_the_same_pieces(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = puzzle_file(tmp_path, f"pieces: [L4, I1]\n{text}\n")
    with pytest.raises(InputError) as caught:
        read_instance(path, reveal="1", flip=True)
    assert f"{path}:{line}: {message}" in str(caught.value)


def test_a_puzzle_without_flips_lies_as_its_file_says(tmp_path: Path) -> None:
    text = "pieces: [L4, I1]\nno_flip_pieces: {I1: ['#'], L4: ['###', '..#']}\n"
    said = read_puzzle(puzzle_file(tmp_path, text + "flip: false\n"))
    asked = read_instance(puzzle_file(tmp_path, text), reveal="1", flip=False).puzzle
    assert said.pieces == asked.pieces == said.no_flip_pieces
    mirrored = {piece.name: piece for piece in said.pieces}["L4"].orientations(flip=False)
    drawn = Piece.from_rows("L4", ["###", "#.."])
    assert set(mirrored).isdisjoint(drawn.orientations(flip=False))
    # Turning over again leaves nothing of the handedness.
    assert set(said.with_flip(True).piece_classes[1][0].orientations(flip=True)) == set(
        drawn.orientations(flip=True)
    )


@pytest.mark.parametrize("name", bundled_puzzles())
def test_flips_off_and_on_again_are_the_same_pieces(name: str) -> None:
    puzzle = read_puzzle(name)
    again = puzzle.with_flip(False).with_flip(True)
    ways = {piece.name: piece.orientations(flip=True) for piece in puzzle.pieces}
    assert {piece.name: piece.orientations(flip=True) for piece in again.pieces} == ways
    assert again.area == puzzle.area


def test_the_place_of_a_piece_in_a_mapping_has_its_line(tmp_path: Path) -> None:
    path = puzzle_file(tmp_path, "pieces:\n  a: ['#']\n  b: ['####']\n")
    with pytest.raises(InputError, match=r"yaml:5: piece b \(4 cells\) fits nowhere"):
        read_puzzle(path)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    shapes=st.lists(polyforms(largest=4), min_size=1, max_size=4),
    flip=st.booleans(),
)
def test_equal_pieces_are_those_that_the_motions_carry_over(
    shapes: list[list[tuple[int, int]]], flip: bool
) -> None:
    board = Board.from_text(["* * * * * * *"] * 7)
    named = tuple(Piece(f"p{number}", tuple(cells)) for number, cells in enumerate(shapes))
    puzzle = Puzzle("drawn", board, named, flip=flip)
    assert puzzle.area == sum(map(len, shapes))
    together = [{piece.name for piece in found} for found in puzzle.piece_classes]
    for one, first in zip(named, shapes, strict=True):
        for other, second in zip(named, shapes, strict=True):
            equal = brute_force.cornered(second) in brute_force.turned(first, flip=flip)
            assert equal == any({one.name, other.name} <= names for names in together)
    # In order of first appearance, nothing lost.
    assert [found[0] for found in puzzle.piece_classes] == [
        next(piece for piece in named if piece.name in names) for names in together
    ]
    assert sorted(name for names in together for name in names) == sorted(p.name for p in named)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("pieces:\n  a:\n  - ##\n  - '.#'", 4, "row 1 of a piece is empty; quote rows: a bare '#'"),
        ("pieces: [['#', '']]", 3, "row 2 of a piece is empty; quote rows"),
        ("pieces: '##'", 3, "pieces is a list of shapes, or a mapping from names to rows"),
        ('pieces: {a: "#\\n"}', 3, "shape '#\\n' is unknown; the shapes are F, I, L"),
        ("pieces: {a: [['#']]}", 3, "a piece is a shape's name or a list of rows"),
        ("pieces: [I1]\nname: [x]", 4, "name is one text, not a list"),
        ('pieces: [I1]\nname: "a\\nb"', 4, "name has up to 200 printable characters on one line"),
        ('pieces: [I1]\nid: "\\u202e"', 4, "id has up to 200 printable characters on one line"),
        ("pieces: [I1]\nnote: {x: y}", 4, "note is one text, not a mapping"),
        ("pieces: [I1]\nsources: x", 4, "sources is a list of texts, not the text 'x'; begin"),
        ("pieces: [I1]\nsources: [x, [y]]", 4, "sources: entry 2 is not a text"),
        ("pieces: [I1]\ngroups: {day: {x: y}}", 4, "day is a list of texts, not a mapping"),
        ("pieces: [I1]\ngroups: [day]", 4, "groups is a mapping from a group to its labels"),
        ("pieces: [I1]\ngroups: {week: ['1']}", 4, "groups names week, but uncover lists only day"),
        ("pieces: [I1]\ngroups: {day: ['1', '1']}", 4, "label 1 is in group day already"),
        ("pieces: [I1]\nflip:", 4, "flip is true or false, not ''"),
        ("pieces: [I1]\nflip: [true]", 4, "flip is one text, not a list"),
        ('pieces: [I1]\n"\\e": x', 4, "unknown key '\\x1b'; the keys are name, grid"),
        ("pieces: [I1, I1]\nuncover2: x", 4, "unknown key 'uncover2'; the keys are name, grid"),
    ],
)
def test_the_error_of_a_wrong_key_says_what_was_found_and_is_allowed(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = puzzle_file(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_puzzle(path)
    assert f"{path}:{line}: {message}" in str(caught.value)


def test_a_grid_as_one_text_and_an_instance_for_a_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.yaml"
    path.write_text("grid: >\n  1 2\n  3 4\npieces: [I2]\n")
    with pytest.raises(InputError, match=r"yaml:1: grid is a list of texts, not the text '1 2"):
        read_puzzle(path)
    with pytest.raises(InputError, match=r"tiny.yaml:3: is an instance .*; name the puzzle itself"):
        read_puzzle("instances/tiny.yaml")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda b: Puzzle("x", b, ()), "a puzzle needs at least one piece"),
        (lambda b: Puzzle("x", b, pieces(a=["#"]) * 501), "501 pieces; at most 500"),
        (lambda b: Puzzle("x", b, pieces(a=["#"]) * 2), "two pieces are called a"),
        (lambda b: Puzzle("x", b, pieces(a=["####"])), "piece a (4 cells) fits nowhere on the"),
        (
            lambda b: Puzzle("x", b, pieces(a=["###"], b=["###"], c=["#"])),
            "the pieces cover 7 cells, and the board has only 6",
        ),
        (lambda b: Puzzle("x", b, pieces(a=["#"]), {"": ("1",)}), "a group's name has 1 to 60"),
        (lambda b: Puzzle("x", b, pieces(a=["#"]), {"g": ()}), "group g has no label"),
        (lambda b: Puzzle("x", b, pieces(a=["#"]), {"g": ("*",)}), "group g names *, which is not"),
        (
            lambda b: Puzzle("x", b, pieces(a=["#"]), {"g": ("x" * 99,)}),
            f"group g names {'x' * 60}..., which is not on the board; its labels are 1, 2, 3, 4, 5",
        ),
        (
            lambda b: Puzzle("x", b, pieces(a=["#"]), {"g": ("1",), "h": ("2", "1")}),
            "label 1 is in group g already and cannot be in group h",
        ),
    ],
)
def test_what_is_no_puzzle_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make(Board.from_text(["1 2 3", "4 5 *"]))
    assert str(caught.value).startswith(message)


@settings(max_examples=60, deadline=None)
@given(cells=polyforms(largest=6), flip=st.booleans(), board=grids(4, 4))
def test_a_piece_that_fits_nowhere_is_refused_and_no_other(
    cells: list[tuple[int, int]], flip: bool, board: list[list[str]]
) -> None:
    given_board = Board.from_text(" ".join(row) for row in board)
    piece = Piece("p", tuple(cells))
    if brute_force.placements(given_board.cells, cells, flip=flip):
        assert Puzzle("x", given_board, (piece,), flip=flip).area == len(cells)
        return
    with pytest.raises(InputError, match="fits nowhere on the board"):
        Puzzle("x", given_board, (piece,), flip=flip)


@pytest.mark.long
def test_more_pieces_than_the_board_holds_are_not_tried_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A square fits in the last corner only; 500 of them took eight seconds.
    board = Board.from_text(
        " ".join(
            "*" if (r % 10 != 9 and c % 10 != 9) or (r >= 39 and c >= 40) else "."
            for c in range(50)
        )
        for r in range(50)
    )
    square = [(r, c) for r in range(10) for c in range(10)]
    many = tuple(Piece(f"s{number}", tuple(square)) for number in range(500))
    tried = []
    fits = Puzzle._fits
    monkeypatch.setattr(Puzzle, "_fits", lambda *given: tried.append(given) or fits(*given))
    with pytest.raises(InputError, match="cover 50000 cells, and the board has only"):
        Puzzle("x", board, many)
    # 20 squares fill the board's 2,054 cells but for 54.
    assert len(tried) == 21
