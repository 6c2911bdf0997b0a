"""The exact cover against brute force, and its known sizes and names."""

import re
from collections import Counter

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import solvable_instances

import calmip
from calmip import Board, ExactCover, InputError, Instance, Piece, Placement, Puzzle, Reveal
from calmip.puzzle import cover as cover_module
from calmip.puzzle.documents.reader import read_instance, read_puzzle


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(solvable_instances())
def test_options_are_all_placements_once(instance: Instance) -> None:
    cover = ExactCover(instance)
    flip = instance.puzzle.flip
    expected = {
        (pieces[0].name, cells)
        for pieces in instance.puzzle.piece_classes
        for cells in brute_force.placements(instance.to_cover, pieces[0].cells, flip=flip)
    }
    options = [cover.option(number) for number in range(cover.columns)]
    found = [(o.piece, frozenset(o.cells)) for o in options if isinstance(o, Placement)]
    assert len(found) == len(set(found)) == cover.columns
    assert set(found) == expected


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(solvable_instances())
def test_the_views_of_a_cover_agree(instance: Instance) -> None:
    cover = ExactCover(instance)
    dense = cover.matrix
    assert dense.shape == (cover.rows, cover.columns)
    assert dense.sum() == cover.nonzeros
    assert len({column.tobytes() for column in dense.T}) == cover.columns
    for item, options in enumerate(cover.options_of()):
        assert np.flatnonzero(dense[item]).tolist() == options
    for option in range(cover.columns):
        items = cover.items_of(option)
        assert np.flatnonzero(dense[:, option]).tolist() == items
        placement = cover.option(option)
        assert isinstance(placement, Placement)
        assert [cover.instance.to_cover[item] for item in items[:-1]] == list(placement.cells)
    assert sum(cover.demand) == len(instance.to_cover) + len(instance.puzzle.pieces)
    assert cover.option_number == {name: n for n, name in enumerate(cover.option_names)}


@pytest.mark.parametrize(
    ("source", "reveal", "columns", "rows"),
    [
        ("a-puzzle-a-day", "Feb,29", 872, 49),
        ("a-puzzle-a-day", "month=free,day=free", 1004, 53),
        ("praxis-rhombus", "Fri,Feb,29", 1127, 57),
    ],
)
def test_known_sizes(source: str, reveal: str, columns: int, rows: int) -> None:
    cover = ExactCover(read_instance(source, reveal=reveal))
    assert (cover.columns, cover.rows) == (columns, rows)


def test_the_empty_board_has_961_placements() -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    shapes = [shape for piece in puzzle.pieces for shape in piece.orientations(flip=True)]
    assert len(shapes) == 46
    placed = [
        brute_force.placements(puzzle.board.cells, piece.cells, flip=True)
        for piece in puzzle.pieces
    ]
    free = ExactCover(read_instance("a-puzzle-a-day", reveal="month=free,day=free"))
    assert sum(map(len, placed)) == free.placements == 961


@pytest.mark.parametrize(
    "source",
    ["a-puzzle-a-day", "weekday-8x7", "kao-pentomino-year-8x8", "hex43-v1", "hex61-symmetric"],
)
def test_names_survive_every_format(source: str) -> None:
    cover = ExactCover(read_instance(source, free=True))
    names = [*cover.option_names, *(item.name for item in cover.items)]
    assert len(set(names)) == len(names)
    for name in names:
        assert len(name) <= 8
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", name)
        assert not re.match(r"[eE][0-9]", name)


@pytest.mark.parametrize("names", [("E5", "E6"), ("r", "s"), ("4", "5"), ("long-a", "long-b")])
def test_odd_piece_names_make_sound_column_names(names: tuple[str, str]) -> None:
    board = Board.from_text(["r00 E50", "September d"])
    pieces = (Piece(names[0], ((0, 0), (0, 1))), Piece(names[1], ((0, 0),)))
    puzzle = Puzzle("odd", board, pieces, {"any": ("r00", "E50", "September", "d")})
    found = ExactCover(Instance(puzzle, free=("any",))).option_names
    assert len(set(found)) == len(found)
    assert max(map(len, found)) <= 8
    assert all(re.match(r"(?![eE][0-9])[A-Za-z]", name) for name in found)


def test_equal_pieces_share_an_item() -> None:
    cover = ExactCover(read_instance("shiura-daily-11p", reveal="Jan,1"))
    demands = Counter(item.demand for item in cover.items if item.kind == "piece")
    assert demands == {2: 3, 1: 5}
    assert "O4 = O4b" in next(i.text for i in cover.items if i.text.startswith("piece O4"))


def test_mirror_twins_are_equal_only_where_flips_are_allowed() -> None:
    board = Board.from_text(["1 2 3 4", "5 6 7 8"])
    twins = (Piece.from_rows("a", ["##.", ".##"]), Piece.from_rows("b", [".##", "##."]))
    for flip, classes in ((True, 1), (False, 2)):
        assert len(Puzzle("twins", board, twins, flip=flip).piece_classes) == classes


def test_a_free_group_has_an_option_per_label() -> None:
    cover = ExactCover(read_instance("lieban-festival", reveal="month=free,day=1"))
    reveals = [cover.option(n) for n in range(cover.placements, cover.columns)]
    assert len(reveals) == 12
    assert all(isinstance(r, Reveal) and len(r.cells) == 2 for r in reveals)


def test_an_obstacle_is_named() -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="Jul,Feb"))
    assert cover.obstacle() == "no piece can cover cell Jan (0, 0)"
    assert ExactCover(read_instance("a-puzzle-a-day", reveal="Feb,29")).obstacle() is None
    pieces = (Piece.from_rows("bar", ["###"]), Piece.from_rows("dot", ["#"]))
    halves = Puzzle("halves", Board.from_text(["* * a * *"]), pieces)
    assert ExactCover(Instance(halves, ("a",))).obstacle() == (
        "piece bar fits nowhere on the cells to cover"
    )


@pytest.mark.long
def test_a_cover_of_too_many_options_is_refused() -> None:
    bent = ["#...", "##..", ".###"]
    pieces = tuple(Piece.from_rows(f"p{n}", [*bent, "." * 3 + "#" * (n + 1)]) for n in range(90))
    area = sum(len(piece.cells) for piece in pieces)
    labelled = iter(range(10_000))
    rows = [" ".join(f"x{next(labelled)}" for _ in range(100)) for _ in range(100)]
    board = Board.from_text(rows)
    hidden = tuple(list(board.labels)[: 10_000 - area])
    with pytest.raises(InputError, match="smaller board or fewer pieces"):
        ExactCover(Instance(Puzzle("huge", board, pieces), hidden))


def test_the_limits_are_the_last_numbers_that_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = read_instance("instances/tiny.yaml")
    # Two ways to lay the domino and one the square, on three cells.
    for name, most in (("MAX_OPTIONS", 9), ("MAX_NONZEROS", 15)):
        with monkeypatch.context() as patch:
            patch.setattr(cover_module, name, most)
            assert ExactCover(instance).columns == 5
            patch.setattr(cover_module, name, most - 1)
            with pytest.raises(InputError, match="3 orientations on 3 cells"):
                ExactCover(instance)


@pytest.mark.parametrize(
    ("height", "width", "cell", "option"),
    [
        (1, 10, "c_09", "I_a09"),
        (10, 1, "c_90", "I_a90"),
        (1, 11, "c_r0c10", "I_ar0c10"),
        (11, 1, "c_r10c0", "I_ar10c0"),
    ],
)
def test_places_on_wide_and_on_high_boards(height: int, width: int, cell: str, option: str) -> None:
    board = Board.from_text([" ".join("*" * width)] * height)
    pieces = tuple(Piece.from_rows(f"I{n}", ["#"]) for n in range(height * width))
    cover = ExactCover(Instance(Puzzle("Strip", board, pieces), ()))
    assert cover.items[height * width - 1].name == cell
    assert cover.option_names[-1][-len(option) + 1 :] == option[1:]


def test_of_many_cells_that_nothing_covers_four_are_named() -> None:
    board = Board.from_text(["* * * . * .", ". . . * . *", "* . * . * ."])
    puzzle = Puzzle("Islands", board, tuple(Piece.from_rows(n, ["###"]) for n in "ABC"))
    text = ExactCover(Instance(puzzle, ())).obstacle()
    assert text is not None
    assert text.count("cell *") == 4


@pytest.mark.parametrize("other", [29, read_puzzle("a-puzzle-a-day")])
def test_a_number_or_a_puzzle_in_the_place_of_an_instance_is_refused(other: object) -> None:
    message = r"is needed, not (int|Puzzle);.*read_instance.*Instance\.reveal"
    with pytest.raises(TypeError, match=f"an Instance or a Model {message}"):
        calmip.explain(other)
    with pytest.raises(TypeError, match=f"an Instance or a Model {message}"):
        calmip.solve(other)  # type: ignore[arg-type]
