"""Instances: which cells are to be covered, and what is told where that cannot be."""

from __future__ import annotations

import datetime
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import grids, instances

from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_puzzle


def box(*rows: str, cells: int = 1, **groups: str) -> Puzzle:
    """Return a puzzle whose pieces are single squares, so that any number of cells fits."""
    squares = tuple(Piece(f"s{number}", ((0, 0),)) for number in range(cells))
    named = {group: tuple(labels.split()) for group, labels in groups.items()}
    return Puzzle("Box", Board.from_text(rows), squares, named)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(instances())
def test_to_cover_is_the_board_without_the_revealed_cells(instance: Instance) -> None:
    rows = instance.puzzle.board.rows
    expected = [
        (r, c)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text != "." and text not in instance.labels
    ]
    assert list(instance.to_cover) == expected
    assert len(expected) == instance.puzzle.area
    assert pickle.loads(pickle.dumps(instance)) == instance
    assert hash(pickle.loads(pickle.dumps(instance))) == hash(instance)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(rows=grids(3, 3), data=st.data())
def test_the_area_decides(rows: list[list[str]], data: st.DataObject) -> None:
    board = Board.from_text(" ".join(row) for row in rows)
    shown = data.draw(st.lists(st.sampled_from(sorted(board.labels)), unique=True))
    left = len(board.cells) - sum(len(board.labels[label]) for label in shown)
    for cells in range(1, len(board.cells) + 1):
        puzzle = box(*(" ".join(row) for row in rows), cells=cells)
        if cells == left:
            assert len(Instance(puzzle, tuple(shown)).to_cover) == left
            continue
        with pytest.raises(InputError, match=f"cover {cells} cells, but {left} cells are to be"):
            Instance(puzzle, tuple(shown))


# Labels over one or two cells: with the group free, either number may be left to cover.
WIDE = ("A A B", "1 2 *")


@pytest.mark.parametrize(
    ("cells", "free", "labels", "left"),
    [
        (4, ("letter",), (), "4 or 5"),
        (5, ("letter",), (), "4 or 5"),
        (3, ("letter",), ("1",), "3 or 4"),
        (3, ("letter", "number"), (), "3 or 4"),
        (4, ("letter", "number"), (), "3 or 4"),
        (2, ("letter", "number"), (), "3 or 4"),
        (6, ("letter",), (), "4 or 5"),
    ],
)
def test_a_free_group_leaves_as_much_as_one_of_its_labels_frees(
    cells: int, free: tuple[str, ...], labels: tuple[str, ...], left: str
) -> None:
    puzzle = box(*WIDE, cells=cells, letter="A B", number="1 2")
    if str(cells) in left:
        cover = ExactCover(Instance(puzzle, labels, free))
        assert cover.columns > cover.placements
        return
    with pytest.raises(InputError, match=f"the pieces cover {cells} cells, but {left} cells"):
        Instance(puzzle, labels, free)


def test_the_missing_groups_are_named() -> None:
    puzzle = box("Jan Feb", "1 2", cells=2, month="Jan Feb", day="1 2")
    with pytest.raises(InputError, match=r"2 cells, but 4 .*; no month and no day is revealed"):
        Instance(puzzle)
    with pytest.raises(InputError, match=r"2 cells, but 3 .*; no day is revealed"):
        Instance(puzzle, ("Feb",))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: Instance(p, ("Mar", "1")), "'Mar' is not a label of Box; its labels are Jan"),
        (lambda p: Instance(p, ("Jan", "Jan")), "label Jan is revealed twice"),
        (lambda p: Instance(p, ("*", "1")), "'*' is not a label of Box"),
        (lambda p: Instance(p, ("\x1b[31m",)), "'\\x1b[31m' is not a label of Box"),
        (lambda p: Instance(p, ("x" * 99,)), f"'{'x' * 60}...' is not a label"),
        (lambda p: Instance(p, "Jan"), "labels and free are lists of texts"),
        (lambda p: Instance(p, ("Jan",), "day"), "labels and free are lists of texts"),
        (lambda p: Instance(p, ("Jan",), ("year",)), "Box has no group 'year' to leave free; its"),
        (
            lambda p: Instance(p, ("Jan",), ("day", "day")),
            "group day cannot be free: it is free already",
        ),
        (
            lambda p: Instance(p, ("Jan",), ("month",)),
            "group month cannot be free: Jan is revealed",
        ),
        (
            lambda p: Instance.reveal(p, {"month": "Jan"}),
            "no day is revealed; give one of 1, 2, or 'free' to let the model choose",
        ),
        (
            lambda p: Instance.reveal(p, {"month": "1", "day": "1"}),
            "'1' is not a month of Box; use one of Jan, Feb",
        ),
        (lambda p: Instance.reveal(p, {"month": "jxn", "day": "1"}), "'jxn' is not a month of Box"),
        (
            lambda p: Instance.reveal(p, {"month": "Jan", "day": "1", "\x07": "1"}),
            "Box has no group '\\x07'; its groups are month, day",
        ),
        (
            lambda p: Instance.of_date(p, datetime.date(2024, 3, 1)),
            "the board has no month for 2024-03-01; its month labels are Jan, Feb",
        ),
    ],
)
def test_the_error_of_wrong_labels_says_what_is_allowed(make: object, message: str) -> None:
    puzzle = box("Jan Feb", "1 2", cells=2, month="Jan Feb", day="1 2")
    with pytest.raises(InputError) as caught:
        make(puzzle)
    assert str(caught.value).startswith(message)


def test_numbers_serve_as_labels() -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    assert Instance(puzzle, ["Feb", 29]) == Instance(puzzle, ("Feb", "29"))
    assert Instance.reveal(puzzle, {"month": "Feb", "day": 29}).labels == ("Feb", "29")


def test_an_accent_is_the_same_however_it_is_typed() -> None:
    # One character, or a letter and a combining accent: no reader sees the difference.
    one, two = "F\u00e9v", "Fe\u0301v"
    for board, group, label in [(one, two, one), (two, one, two), (one, one, two)]:
        puzzle = box(f"{board} Mar", "1 2", cells=3, month=f"{group} Mar")
        assert Instance.reveal(puzzle, {"month": label}).to_cover == ((0, 1), (1, 0), (1, 1))
        assert Instance(puzzle, (label,)).labels == (one,)


def test_a_label_called_free_is_a_label() -> None:
    puzzle = box("free 2", cells=1, day="free 2")
    assert Instance.reveal(puzzle, {"day": "free"}).labels == ("free",)


def test_labels_by_group_or_as_a_list() -> None:
    puzzle = box("Jan Feb", "1 2", cells=2, month="Jan Feb", day="1 2")
    shown = Instance(puzzle, ("1", "Feb"))
    assert shown.reveal_of(shown.labels) == {"month": "Feb", "day": "1"}
    for labels in (("Jan", "Feb"), ("1", "2"), ("1", "2", "Jan")):
        assert shown.reveal_of(labels) == {"labels": list(labels)}
