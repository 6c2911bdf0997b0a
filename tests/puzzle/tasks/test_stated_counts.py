"""The numbers of tilings that a puzzle file states, against those that a count gives."""

from __future__ import annotations

import pytest

from calmip.puzzle.tasks import puzzles as module

FOUND = {("1",): 1, ("2",): 0, ("3",): 4, ("30",): 1, ("31",): 9}
REAL = {("1",), ("2",), ("3",), ("30",), ("9",)}


def test_a_date_of_one_tiling_is_solvable_and_one_of_none_is_not() -> None:
    assert module._counts(FOUND, None) == {
        "all": 15,
        "min": {"count": 0, "dates": ["2"]},
        "max": {"count": 9, "dates": ["31"]},
        "average": 3.0,
        "solvable": 4,
    }


def test_least_and_greatest_are_of_real_dates_alone() -> None:
    assert module._counts(FOUND, REAL) == {
        "all": 15,
        "valid": 6,
        "min": {"count": 0, "dates": ["2"]},
        "max": {"count": 4, "dates": ["3"]},
        "average": 3.0,
        "solvable": 4,
    }


@pytest.mark.parametrize("number", [0, 1, 2])
def test_one_choice_has_no_least_and_no_greatest_number(number: int) -> None:
    assert module._counts({("1",): number}, None) == {"all": number}
    assert module._counts({("1",): number, ("0",): 5}, REAL) == {
        "all": number + 5,
        "valid": number,
    }


def test_two_choices_have_a_least_and_a_greatest_number() -> None:
    assert module._counts({("1",): 3, ("2",): 1}, None) == {
        "all": 4,
        "min": {"count": 1, "dates": ["2"]},
        "max": {"count": 3, "dates": ["1"]},
        "average": 2.0,
        "solvable": 2,
    }
