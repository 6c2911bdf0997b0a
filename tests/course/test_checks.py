"""How checks are run, and why a placement or a number of a submission is none."""

from __future__ import annotations

import errno
import itertools
import math
from typing import Any

import pytest

from calmip import ExactCover, InputError
from calmip.course.checks import (
    CASES,
    Check,
    Failed,
    MachineFault,
    Undecided,
    course_name,
    find_option,
    misplacement,
    number_of,
    options_of,
    run_checks,
)
from calmip.puzzle.instance import Placement

CASE = CASES[1]
"""Eleven cells, with a place outside the board; g stays uncovered."""

COVER = ExactCover(CASE)

OUTCOMES: dict[str, Any] = {
    "holds": None,
    "failed": Failed("a fault"),
    "undecided": Undecided("not in time"),
    "input": InputError("no number"),
}


def test_after_a_needed_check_that_does_not_hold_no_other_is_made() -> None:
    for outcomes, needed in itertools.product(
        itertools.product(OUTCOMES, repeat=3), itertools.product((False, True), repeat=3)
    ):
        made: list[int] = []

        def look(number: int, outcome: str, made: list[int] = made) -> None:
            made.append(number)
            if OUTCOMES[outcome] is not None:
                raise OUTCOMES[outcome]

        checks = [
            (f"check {number}", number + 1, lambda n=number, o=outcome: look(n, o), need)
            for number, (outcome, need) in enumerate(zip(outcomes, needed, strict=True))
        ]
        found = run_checks(checks)
        wrong = [n for n in range(3) if needed[n] and outcomes[n] != "holds"]
        last = min(wrong, default=2)
        assert made == list(range(last + 1))
        for number, (one, outcome) in enumerate(zip(found, outcomes, strict=True)):
            assert (one.what, one.worth) == (f"check {number}", number + 1)
            assert one.passed is (number <= last and outcome == "holds")
            assert one.marks == (number + 1 if one.passed else 0)
            assert one.undecided is (number <= last and outcome == "undecided")
            if number > last:
                assert one.fault == f"not checked, because this does not hold: check {last}"


def test_what_the_machine_lacks_is_no_fault_of_a_submission() -> None:
    def full() -> None:
        try:
            raise OSError(errno.ENOSPC, "no space left")
        except OSError as error:
            raise InputError("cannot be read") from error

    with pytest.raises(MachineFault, match="this machine failed, not the submission"):
        run_checks([("it is read", 1, full, False)])

    def missing() -> None:
        try:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        except OSError as error:
            raise InputError("cannot be read") from error

    assert run_checks([("it is read", 1, missing, False)]) == (
        Check("it is read", 1, "cannot be read"),
    )


@pytest.mark.parametrize(
    ("piece", "cells", "why"),
    [
        ("X", ((0, 0),), "there is no piece 'X'"),
        ("P", ((0, 2), (0, 3)), "it leaves the board"),
        ("P", ((7, 7),), "it leaves the board"),
        ("I", ((0, 0), (0, 0)), "it names a cell twice"),
        ("I", ((1, 3),), "it covers g, which stays uncovered"),
        ("I", ((0, 0), (0, 1)), "it does not have the shape of I"),
        (
            "L",
            ((2, 1), (3, 1), (3, 2), (3, 3)),
            "it leaves the board; less 1 in each row and column it is one: these are counted "
            "from 0",
        ),
        (
            "L",
            ((2, 0), (2, 1), (2, 2), (3, 2)),
            "it leaves the board; with row and column exchanged it is one: the row is first",
        ),
    ],
)
def test_why_a_placement_is_none(piece: str, cells: Any, why: str) -> None:
    found = misplacement(COVER, Placement(piece, cells))
    assert found[0] == why
    on_board = [cell for cell in cells if cell in CASE.puzzle.board.cells]
    assert len(found) == 1 + bool(on_board)


@pytest.mark.parametrize("value", [True, "1", None, math.nan, math.inf, -math.inf, 10**400])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(Failed, match=r"the bound is a (finite )?number, not "):
        number_of(value, "the bound")
    assert [number_of(one, "the bound") for one in (0, 2.5)] == [0.0, 2.5]


def test_names_mean_placements_each_once() -> None:
    names = [course_name(COVER, option) for option in range(COVER.columns)]
    assert options_of(COVER, names) == list(range(COVER.columns))
    assert options_of(COVER, [f"x[{name}]" for name in names]) == list(range(COVER.columns))
    with pytest.raises(Failed, match="is named twice") as error:
        options_of(COVER, [names[0], names[1], f"y_{names[0]}"])
    assert len(error.value.examples) == 1
    for wrong in ("x", 7, None, "L_00_09", f"{names[0]} {names[1]}"):
        with pytest.raises(Failed, match="is not a placement of this puzzle"):
            options_of(COVER, [names[2], wrong])
    assert find_option(COVER, "I_00_01") == Placement("I", ((0, 0), (0, 1)))
    assert find_option(COVER, f"{names[0]} {names[1]}") is None
