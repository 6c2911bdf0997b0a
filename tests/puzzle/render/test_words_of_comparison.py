"""The words on two models say what the comparison has found, in every combination of answers."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from calmip import Model
from calmip._base.limits import ENDLESS
from calmip.mip.compare.comparison import Inclusion, Side
from calmip.mip.lp.inequality import Basis
from calmip.mip.model import Violation
from calmip.mip.status import Status
from calmip.puzzle.render.reports import comparison as report
from calmip.puzzle.tasks.compare import compare_models

SETS = ("same", "smaller", "larger", "different", "unknown")
UNLIKE = ("smaller", "larger", "different")
RELATIONS = ("same", "monotone", "multiple", "different", "unlike", "unknown")


def fake(**parts: Any) -> Any:
    return SimpleNamespace(**parts)


def objectives(**parts: Any) -> Any:
    usual = {
        "ranks_alike": True,
        "relation": "same",
        "by_rows": False,
        "factor": 1,
        "shift": 0,
        "reason": "",
        "values": (),
        "points": (),
    }
    return fake(**(usual | parts))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("feasible_set", SETS)
def test_the_verdict_is_proved_only_where_all_is(feasible_set: str, relation: str) -> None:
    every = itertools.product((True, False, None), (Status.ACCEPTED, Status.REFUSED), (True, False))
    for ranks, status, proved in every:
        words = report._verdict(
            fake(
                labels=("a.lp", "b.lp"),
                feasible_set=feasible_set,
                status=status,
                proved=proved,
                objectives=objectives(ranks_alike=ranks, relation=relation),
            )
        )
        same = feasible_set == "same"
        accepted = same and status is Status.ACCEPTED
        assert words.endswith(" (proved in exact numbers)") is (accepted and proved)
        assert words.endswith(" (not proved, see below)") is (accepted and not proved)
        assert words.startswith("the same feasible set") is same
        assert words.startswith("not the same") is (
            feasible_set in ("smaller", "larger", "different")
        )
        assert words.startswith("not decided") is (feasible_set == "unknown")
        assert ("perhaps another objective" in words) is (same and ranks is None)
        assert (", but another objective" in words) is (same and ranks is False)
        assert ("and the same objective" in words) is (
            same and ranks is True and relation == "same"
        )
        if feasible_set in ("smaller", "larger"):
            more, fewer = ("b.lp", "a.lp") if feasible_set == "smaller" else ("a.lp", "b.lp")
            assert words == f"not the same: {more} has solutions that {fewer} has not"


def side(**parts: Any) -> Side:
    return Side(**({"kind": "row", "name": "r", "words": "x <= 1", "holds": True} | parts))


def test_what_the_claim_rests_on_is_counted() -> None:
    sides = [side(basis=basis) for basis in Basis for _ in range(1 + (basis is Basis.SEARCH))]
    open_ = side(holds=None)
    head = "rows and bounds of b in a"
    assert report._rests("a", "b", Inclusion(True)) == f"{head}: none"
    words = report._rests("a", "b", Inclusion(True, tuple(sides)))
    assert "2 were proved by an exact search" in words
    for basis in set(Basis) - {Basis.SEARCH}:
        assert f"1 {report.BASES[basis][0]}" in words
    assert "undecided" not in words
    some = (side(basis=Basis.LINEAR), side(basis=Basis.LINEAR), open_, open_, open_)
    assert report._rests("a", "b", Inclusion(None, some)) == (
        f"{head}: 2 follow from the linear relaxation, 3 undecided"
    )
    assert report._rests("a", "b", Inclusion(False, some)) == f"{head}: violated, see the point"


@pytest.mark.parametrize("holds", [True, None, False])
def test_sides_that_the_other_model_has_not_as_such_are_listed(holds: bool | None) -> None:
    """After a counter-example only those that were asked for; never the same rows and bounds."""
    sides = {
        "same": side(basis=Basis.ROW),
        "bound": side(kind="bound", basis=Basis.BOUNDS),
        "row": side(basis=Basis.BOUNDS),
        "word": side(basis=Basis.SOLVER),
        "open": side(holds=None),
        "outside": side(holds=None, relaxed=False),
        "wrong": side(holds=False),
    }
    named = tuple(replace(one, name=name) for name, one in sides.items())
    table = report._table("b.lp", "a.lp", Inclusion(holds, named))
    assert table is not None
    expected = {"row", "word", "outside", "wrong"} | ({"open"} if holds is not False else set())
    names = [row[1] for row in table.rows]
    assert set(names) == expected
    # Violated ones first, then open ones, then those without a proof.
    assert names[0] == "wrong"
    assert names[-1] == "row"
    assert table.title == "only in b.lp, asked of a.lp:"
    assert report._table("b.lp", "a.lp", Inclusion(holds, named[:2])) is None
    assert report._table("b.lp", "a.lp", Inclusion(holds)) is None
    many = report._table("b", "a", Inclusion(True, (side(basis=Basis.LINEAR),) * 23))
    assert many is not None
    assert len(many.rows) == report.MAX_LISTED_ENTRIES == 20
    assert many.note.startswith("and 3 more")


@pytest.mark.parametrize("parts", list(itertools.product((True, False), repeat=3)))
@pytest.mark.parametrize("there", list(itertools.product((True, False), repeat=3)))
def test_each_answer_that_there_is_is_proved_or_not(
    parts: tuple[bool, ...], there: tuple[bool, ...]
) -> None:
    found = fake(
        feasible_set="same" if there[0] else "unknown",
        objectives=objectives(ranks_alike=False if there[1] else None),
        relaxation="neither" if there[2] else None,
        proved_parts=dict(zip(("feasible_set", "objective", "relaxation"), parts, strict=True)),
    )
    lines = list(report._proved(found))
    names = ("feasible sets", "objectives", "relaxations")
    for word, value in (("proved in exact numbers: ", True), ("not proved: ", False)):
        listed = [
            n
            for n, part, is_there in zip(names, parts, there, strict=True)
            if is_there and part is value
        ]
        own = [line for line in lines if line.startswith(word)]
        assert len(own) == bool(listed)
        assert not own or all((name in own[0]) is (name in listed) for name in names)


def test_what_a_point_violates_is_named_with_its_side() -> None:
    model = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 0.0, 1.0)])
    violations = (
        Violation("row", 0, 2, 1),
        Violation("row", 0, -1, 0),
        Violation("bound", 1, 3, 1),
        Violation("integrality", 0, Fraction(1, 2), 0),
    )
    lines = list(report._violations(model, Inclusion(False, (), {}, violations), "b"))
    assert lines == [
        "it violates b: row r is 2, not <= 1",
        "it violates b: row r is -1, not >= 0",
        "it violates b: the bound of y is 3, not <= 1",
        "it violates b: the integer column x is 0.5",
    ]
    reason = Inclusion(False, (), {}, (), "no values of its further columns satisfy r")
    assert list(report._violations(model, reason, "b")) == [
        "it violates b: no values of its further columns satisfy r"
    ]


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_relation_of_the_objectives_in_words(relation: str) -> None:
    def words(
        *, ranks: bool | None = True, senses: tuple[bool, bool] = (False, False), **parts: Any
    ) -> str:
        return report._objective(
            fake(
                labels=("a", "b"),
                model=fake(maximise=senses[0]),
                against=fake(maximise=senses[1]),
                objectives=objectives(relation=relation, ranks_alike=ranks, **parts),
            )
        )

    usual = {
        "same": "the same",
        "different": "they rank solutions differently",
        "unlike": "other coefficients",
        "monotone": "no multiple of each other, but they rank all solutions alike",
        "unknown": "not decided; late",
        "multiple": "that of b is 2 times that of a plus 3 (both minimised)",
    }[relation]
    parts = {"factor": 2, "shift": 3, "reason": "late"}
    assert words(**parts) == f"objectives: {usual}"
    if relation == "multiple":
        assert words(factor=1, shift=0) == "objectives: that of b is that of a (both minimised)"
        assert words(factor=1, shift=0, by_rows=True) == (
            "objectives: that of b is that of a, by the rows (both minimised)"
        )
    if relation == "same":
        assert words(by_rows=True) == "objectives: the same, by the rows"
    for senses in itertools.product((True, False), repeat=2):
        for ranks in (True, False, None):
            turned = "with the sign changed" in words(ranks=ranks, senses=senses, **parts)
            assert turned is (senses[0] != senses[1] and ranks is True)


def test_optima_and_bounds_are_named_and_a_solver_s_word_is_called_one() -> None:
    def lines(optima: tuple[Any, Any], proved: tuple[bool, bool]) -> list[str]:
        found = fake(
            objectives=objectives(), labels=("a", "b"), optima=optima, optima_proved=proved
        )
        return list(report._ranked(found))

    assert lines((None, None), (False, False)) == []
    assert lines((1, 2), (True, True)) == ["optimum: a 1, b 2"]
    assert lines((1, 2), (False, True)) == ["optimum: a 1 (HiGHS's word), b 2"]
    assert lines((None, 0), (False, False)) == ["optimum: a not known, b 0 (HiGHS's word)"]
    for relaxation, words in (
        ("same", "equally strong"),
        ("neither", "neither is stronger"),
        ("model", "that of a is stronger"),
        ("against", "that of b is stronger"),
        (None, "not decided which is stronger"),
    ):
        for bounds in ((None, None), (1, None), (1, 2)):
            found: Any = fake(labels=("a", "b"), relaxation=relaxation, bounds=bounds)
            more = "; LP bounds 1 and 2" if None not in bounds else ""
            assert list(report._relaxation(found)) == [f"linear relaxations: {words}{more}"]


def test_two_solutions_that_are_ranked_differently_have_their_values() -> None:
    """Those that were compared, or else those of the points."""
    one, other = (Model.from_rows(["x", "y"], [], costs) for costs in ([1.0, 2.0], [5.0, 0.0]))
    pairing = fake(columns={0: 1, 1: 0})
    for parts, words in (
        ({}, []),
        ({"points": ({0: 1}, {1: 1})}, ["1 and 0, and 2 and 5"]),
        ({"points": ({0: 1}, {1: 1}), "values": ((7, 8), (9, 6))}, ["7 and 8, and 9 and 6"]),
    ):
        found = fake(
            objectives=objectives(**parts),
            model=one,
            against=other,
            pairing=pairing,
            labels=("a", "b"),
            optima=(None, None),
            optima_proved=(False, False),
        )
        assert list(report._ranked(found)) == [
            f"  two solutions have {values}, in the two objectives" for values in words
        ]


def test_a_point_of_one_model_alone_is_written_in_order() -> None:
    def model(side: float) -> Model:
        names = [f"x{n}" for n in range(25)]
        return Model.from_rows(names, [("r", dict.fromkeys(range(25), 1.0), 0.0, side)])

    one, other = model(25.0), model(24.0)
    found = compare_models(one, other, clock=ENDLESS)
    lines = list(map(str, report._point(found)))
    listed = ", ".join(f"x{n} = 1" for n in range(20))
    assert lines == [
        f"a solution of {found.labels[0]} alone: {listed}, and 5 more",
        f"  it violates {found.labels[1]}: row r is 25, not <= 24",
    ]
    assert list(report._point(compare_models(one, one, clock=ENDLESS))) == []
    none = compare_models(model(1.0), model(1.0).with_row("one", [0], 1, 1, [1]), clock=ENDLESS)
    assert none.refuted is not None
    _first, _second, _inclusion = none.refuted
    assert any(str(line).endswith("alone: every value is 0") for line in report._point(none))


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_a_long_point_is_cut_after_its_first_values(more: int) -> None:
    number = report.MAX_LISTED_ENTRIES + more
    model = Model.from_rows([f"x{column:02}" for column in range(number)], [])
    point = dict.fromkeys(range(number), 1)
    one = fake(
        columns=model.columns,
        own=lambda values: values,
    )
    found = fake(
        model=one,
        against=model,
        labels=("a.lp", "b.lp"),
        refuted=(one, model, Inclusion(False, point=point)),
    )
    first = next(iter(report._point(found)))
    assert isinstance(first, str)
    assert first.count(" = 1") == min(number, report.MAX_LISTED_ENTRIES)
    assert first.startswith("a solution of a.lp alone: x00 = 1, x01 = 1")
    assert first.endswith(f", and {more} more" if more > 0 else f"x{number - 1:02} = 1")
