"""Models that programs of students have built, judged in this process: each with one fault."""

from __future__ import annotations

import itertools
import math
from array import array
from types import SimpleNamespace
from typing import Any

import pytest

from calmip import ExactCover, Model, read_instance
from calmip.course import programs
from calmip.course.checks import Failed, Undecided, course_name
from calmip.course.programs import _Answer

COVER = ExactCover(read_instance("instances/tiny.yaml"))
NAMES = [course_name(COVER, option) for option in range(COVER.columns)]
ROWS = [
    (item.name, dict.fromkeys(members, 1.0), 1.0, 1.0)
    for item, members in zip(COVER.items, COVER.options_of(), strict=True)
]


def answer(rows: list[Any] = ROWS, *more: str) -> _Answer:
    """Return a model of the placements, and of further columns."""
    return _Answer(COVER, Model.from_rows([*NAMES, *more], rows))


def verdict(given: _Answer, check: Any) -> str:
    """Return the fault that a check finds, with its class unless it is plain; empty without one."""
    try:
        check(given)
    except Failed as failed:
        return ("undecided: " if isinstance(failed, Undecided) else "") + str(failed)
    return ""


def every(given: _Answer) -> tuple[str, str]:
    """Return the faults: tilings that the model has not, and other solutions that it has."""
    checks = programs._has_every_tiling, programs._has_nothing_else
    lost, other = (verdict(given, check) for check in checks)
    return lost, other


def test_a_right_model_passes_with_any_further_columns() -> None:
    for number in range(3):
        assert every(answer(ROWS, *(f"free{n}" for n in range(number)))) == ("", "")
    # A second column of a placement, and an impossible placement, that are 0.
    zero = [("zero", {COVER.columns: 1.0}, 0.0, 0.0)]
    wrong = NAMES[0].replace(NAMES[0].split("_")[0], "nothing", 1)
    for name in (f"{NAMES[0]}", wrong):
        model = Model.from_rows([*NAMES, f"{name}" if name == wrong else "other"], ROWS + zero)
        assert every(_Answer(COVER, model)) == ("", "")


@pytest.mark.parametrize("number", range(3))
def test_without_rows_other_solutions_are_shown_whatever_multiplies_them(number: int) -> None:
    """Against all points, without any of the rows: some follow from the others."""
    right, seen = answer().tilings, set()
    for kept in itertools.product((False, True), repeat=len(ROWS)):
        rows = list(itertools.compress(ROWS, kept))
        points = {
            tuple(itertools.compress(range(COVER.columns), point))
            for point in itertools.product((0, 1), repeat=COVER.columns)
            if all(sum(point[c] for c in terms) == 1 for _, terms, *_ in rows)
        }
        lost, other = every(answer(rows, *(f"free{n}" for n in range(number))))
        assert (lost == "") is any(kept)
        assert ("a solution of the model that is not a tiling" in other) is (points != right)
        seen.add(points == right)
    assert seen == {True, False}


def test_a_model_that_forbids_a_tiling_or_all_has_a_fault() -> None:
    tilings = sorted(answer().tilings)
    for tiling in tilings:
        less = [*ROWS, ("no", dict.fromkeys(tiling, 1.0), -math.inf, len(tiling) - 1.0)]
        lost, other = every(answer(less))
        assert lost
        assert other == ""
    none = [*ROWS, ("none", dict.fromkeys(range(COVER.columns), 1.0), 0.0, 0.0)]
    lost, other = every(answer(none))
    assert lost
    assert "the model has no solution; this would be one" in other
    free = [("free", {0: 1.0}, 0.0, 1.0)]
    assert "no equation that forbids anything" in every(answer(free))[0]


def test_a_placement_that_is_none_is_no_part_of_a_tiling() -> None:
    """It is called as a placement, and takes the place of one."""
    piece = NAMES[0].partition("_")[0]
    rows = [
        (row, {**terms, COVER.columns: 1.0} if 0 in terms else terms, *ends)
        for row, terms, *ends in ROWS
    ]
    wrong = answer(rows, f"{piece}_00_09")
    assert every(wrong)[0] == ""
    assert every(wrong)[1]
    assert "is not a placement: it leaves the board" in verdict(wrong, programs._has_the_placements)
    assert verdict(answer(), programs._has_the_placements) == ""
    unnamed = _Answer(COVER, Model.from_rows([f"x{n}" for n in range(len(NAMES))], ROWS))
    assert "no variable is named as a placement; found" in verdict(
        unnamed, programs._has_the_placements
    )
    for fault in every(unnamed):
        assert fault.endswith("not checked, because no variable is named as a placement")
    fewer = _Answer(COVER, Model.from_rows([*NAMES[1:], "other"], ROWS))
    assert "there is no variable for the placement" in verdict(fewer, programs._has_the_placements)


@pytest.mark.parametrize("there", [None, True, False])
def test_what_is_not_decided_is_no_proof(there: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other columns multiply the solutions, so that each equation is asked by itself."""
    tiling = list(min(answer().tilings))
    monkeypatch.setattr(programs, "exists", lambda *_: (there, tiling))
    given = answer(ROWS, "free0", "free1")
    found = verdict(given, programs._has_nothing_else)
    if there is False:
        assert found == ""
    else:
        assert found.startswith("undecided: puzzle tiny: not decided: whether there are ")


def test_a_comparison_that_is_not_decided_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    late = SimpleNamespace(equal=None, reason="too late", options=None)
    monkeypatch.setattr(programs, "compare_model", lambda *_, **__: late)
    found = verdict(answer(), programs._has_every_tiling)
    assert found == "undecided: puzzle tiny: not decided: too late"


@pytest.mark.parametrize(
    ("handed", "fault", "faults"),
    [
        ({"endless": False}, "", {}),
        ({"endless": True}, "enumerate_all does not end", {}),
        ({"endless": True, "cuts": "oh", "lists": [1]}, "no_good_cut failed: 'oh'", {"cuts"}),
    ],
)
def test_functions_that_fail_or_do_not_end_are_faults(
    handed: dict[str, Any], fault: str, faults: set[str]
) -> None:
    given: Any = SimpleNamespace(_run=lambda *_: None, handed=handed, faults={})
    assert verdict(given, programs._EnumerationMarker.run) == fault
    assert given.faults.keys() == set(faults)


def test_a_variable_that_is_not_binary_is_named_with_its_puzzle() -> None:
    model = Model.from_rows(NAMES, ROWS)
    assert _Answer.of(COVER, model).model.columns == model.columns
    with pytest.raises(Failed, match=f"puzzle {COVER.instance.name}: .* needs binary variables"):
        _Answer.of(COVER, model.changed(integer=array("b", [0] * len(NAMES))))
