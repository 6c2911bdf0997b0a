"""What the process of a submission believes of it: each refusal, and each thing just allowed."""

from __future__ import annotations

import math
import sys
import time
from fractions import Fraction
from typing import Any

import pytest

from calmip.course import _child


@pytest.mark.parametrize("cut", [None, 3, ("a",), ("a", 1, 2), (4, 1), [], object()])
def test_a_cut_is_a_pair(cut: Any) -> None:
    with pytest.raises(TypeError, match=r"^cut returned .*, not a pair \(placements, most\)$"):
        _child._cut_of(cut, "cut")


@pytest.mark.parametrize("most", [True, False, "2", None, 1j, [1]])
def test_what_a_cut_allows_is_a_number(most: Any) -> None:
    with pytest.raises(TypeError, match=r"^cut allows .* placements, which is not a number$"):
        _child._cut_of((["a"], most), "cut")


@pytest.mark.parametrize("most", [math.inf, -math.inf, math.nan])
def test_what_a_cut_allows_is_finite(most: float) -> None:
    with pytest.raises(ValueError, match="which is not a finite number"):
        _child._cut_of((["a"], most), "cut")


@pytest.mark.parametrize("most", [0, 3, -1, 2.5, Fraction(1, 2)])
def test_a_cut_of_placements_and_a_number_is_taken(most: Any) -> None:
    assert _child._cut_of((("a", 7), most), "cut") == [["a", "7"], float(most)]


PLACEMENTS = {"a": ["r", "s"], "b": ["r"], "c": ["s"]}


def test_the_master_has_the_value_and_the_prices_of_the_columns() -> None:
    solve = _child._master(PLACEMENTS, {"a": 3, "b": 2, "c": 2})
    assert solve([]) == (0, {"r": 0, "s": 0})
    for columns, best in ((["b"], 2), (["a", "b"], 3), (["b", "c", "b"], 4)):
        value, prices = solve(columns)
        assert value == best == sum(prices.values())
        assert all(price >= 0 for price in prices.values())
    with pytest.raises(ValueError, match="solve has no placement 'd'"):
        _child._master(PLACEMENTS, dict.fromkeys("abc", 1))(["a", "d"])


def test_a_loop_may_add_one_placement_each_time_and_no_more() -> None:
    """Each call but the last adds a placement, so there is one more than there are placements."""
    solve = _child._master(PLACEMENTS, dict.fromkeys("abc", 1))
    for number in range(len(PLACEMENTS) + 1):
        solve(sorted(PLACEMENTS)[:number])
    with pytest.raises(_child.Endless):
        solve([])


def test_the_oracle_gives_the_first_tiling_that_satisfies_the_cuts_so_often() -> None:
    tilings: list[list[str]] = [["a", "b"], ["a", "c"]]
    answers: list[list[str] | None] = []
    solve = _child._oracle(tilings, answers, 5)
    assert solve() == tilings[0]
    assert solve([(["a", "b"], 2)]) == tilings[0]
    assert solve([(["a", "b"], 1)]) == tilings[1]
    assert solve([(["a"], 1), (["c"], 1), (["b"], 0)]) == tilings[1]
    assert solve([(["a"], 0)]) is None
    assert answers == [tilings[0], tilings[0], tilings[1], tilings[1], None]
    with pytest.raises(_child.Endless):
        solve()


def test_a_tiling_of_names_is_a_list_and_anything_else_a_short_text() -> None:
    for kind in (list, tuple, set, frozenset):
        assert sorted(_child._plain(kind(["a", "b"]))) == ["a", "b"]
    assert _child._plain([7, None]) == ["7", "None"]
    for other in ("ab", None, 7, {"a": 1}, iter("ab")):
        assert _child._plain(other) == str(other)
    assert _child._plain("x" * 201) == "x" * 200


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timer of processor time")
def test_a_loop_is_endless_after_seconds_of_processor_time() -> None:
    def turn() -> None:
        with _child._end_after(0.05):
            while True:
                pass

    with pytest.raises(_child.Endless):
        turn()
    with _child._end_after(0.01):
        pass
    begun = time.process_time()
    while time.process_time() < begun + 0.03:  # the timer is off
        pass
