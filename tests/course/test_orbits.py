"""What a model of orbits is believed to have found: all its solutions, by the names of pieces."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calmip import Model
from calmip.course import orbits
from calmip.course.checks import Failed

NAMES = ("L_00_01", "I_10_11", "L_10_11", "helper")


def solved(names: tuple[str, ...], labelled: int = 9) -> Any:
    """Return what is found in a model in which the first or the second column is 1."""
    rows = [("one", {0: 1.0, 1: 1.0}, 1.0, 1.0), ("rest", {2: 1.0, 3: 1.0}, 1.0, 1.0)]
    puzzle: Any = SimpleNamespace(labelled=lambda: labelled)
    return orbits._solutions(puzzle, Model.from_rows(list(names), rows))


def test_solutions_are_those_of_the_placements_that_are_named() -> None:
    found, search = solved(NAMES)
    pieces = [[(one.piece, one.cells) for one in chosen] for chosen in found]
    left, right, below = ("L", ((0, 0), (0, 1))), ("I", ((1, 0), (1, 1))), ("L", ((1, 0), (1, 1)))
    expected = [[left, below], [left], [right, below], [right]]
    assert sorted(map(sorted, pieces)) == sorted(map(sorted, expected))
    assert search.complete


def test_a_model_that_names_no_placement_is_refused() -> None:
    with pytest.raises(Failed, match="no variable is named as a placement, such as L_00_01_02_10"):
        solved(("a", "b", "c", "d"))
    # Two placements in one name are none.
    with pytest.raises(Failed, match="no variable is named as a placement"):
        solved(("L_00_01 I_10_11", "b", "c", "d"))
    assert solved(("L_00_01", "b", "c", "d"))[0]


def test_more_solutions_than_twice_the_tilings_are_not_all_looked_for() -> None:
    for labelled, complete in ((0, False), (1, False), (2, True), (9, True)):
        assert solved(NAMES, labelled)[1].complete is complete
