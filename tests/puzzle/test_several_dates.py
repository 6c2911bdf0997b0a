"""Several dates uncovered at once; random boards with two are in test_random_boards.py."""

from __future__ import annotations

import datetime

import pytest

import calmip
from calmip import Board, InputError, Instance, Piece, Puzzle, read_instance


def test_dates_as_text() -> None:
    whole = calmip.read_puzzle("a-puzzle-a-day")
    with pytest.raises(
        InputError, match=r"^2027-01-03 and 2027-03-14 \(Jan 3 Mar 14\): the pieces"
    ):
        read_instance("a-puzzle-a-day", date="2027-01-03, 2027-03-14")
    with pytest.raises(InputError, match="date 2027-01-03 is given twice"):
        read_instance("a-puzzle-a-day", date="2027-01-03,2027-01-03")
    with pytest.raises(InputError, match="'' is not a date"):
        read_instance("a-puzzle-a-day", date="2027-01-03,")
    assert read_instance(whole.id, date="2027-01-03").labels == ("Jan", "3")


def test_dates_that_share_a_month_leave_it_open_once() -> None:
    board = Board.from_text(["Jan Feb 1", "2 3 *"])
    pieces = (Piece.from_rows("I", ["###"]),)
    puzzle = Puzzle("small", board, pieces, {"month": ("Jan", "Feb"), "day": ("1", "2", "3")})
    dates = [datetime.date(2027, 1, day) for day in (2, 3)]
    assert Instance.of_dates(puzzle, dates).labels == ("Jan", "2", "3")
    assert Instance.of_dates(puzzle, dates).reveal_of(("Jan", "2", "3")) == {
        "labels": ["Jan", "2", "3"]
    }
    with pytest.raises(InputError, match="the pieces cover 3 cells, but 2 cells"):
        Instance.of_dates(puzzle, [datetime.date(2027, 1, 2), datetime.date(2027, 2, 3)])
