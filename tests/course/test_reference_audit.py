"""The audit of a reference: which faults of its rules its data sets tell, by brute force too."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip.cli import main
from calmip.course import reference_audit
from calmip.course.checks import Failed, Undecided
from calmip.course.grade import grade_model
from calmip.course.reference_audit import Audit, WrongModel, audit
from calmip.course.reference_faults import Fault, Rules, describe_rule, faults_of
from calmip.course.references import ReferenceModels
from calmip.course.rosters import ROSTERS, roster_model
from calmip.mip.model import Model
from calmip.mip.status import Status

SENIOR = "senior (>=)"
BORROWED = "with the constants of demand (=)"


def rosters(*names: str) -> ReferenceModels:
    sets = {name: ROSTERS[name] for name in names or ROSTERS}
    data = tuple((name, [one]) for name, one in sets.items())
    return ReferenceModels("roster", "", True, data, tuple(map(roster_model, sets.values())))


def build(sets: list[tuple[str, list[Any]]]) -> list[Model | str]:
    found: list[Model | str] = []
    for _, (one,) in sets:
        try:
            found.append(roster_model(one))
        except (KeyError, ValueError) as error:
            found.append(repr(error))
    return found


def solutions(model: Model) -> set[tuple[int, ...]]:
    """Return the 0/1 points of a model, tried one by one."""
    rows = model.exact_rows()
    return {
        point
        for point in product((0, 1), repeat=len(model.columns))
        if all(
            row.low <= sum(factor * point[c] for c, factor in row.terms.items()) <= row.high
            for row in rows
        )
    }


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Return a model of four 0/1 variables, with rows of two or three families."""
    rows = []
    for n in range(draw(st.integers(1, 4))):
        terms = draw(st.dictionaries(st.integers(0, 3), st.sampled_from([1, 1, 2, -1]), min_size=1))
        low, high = sorted(draw(st.tuples(*[st.integers(-1, 3)] * 2)))
        low, high = draw(st.sampled_from([(low, high), (low, low), (-9e999, high), (low, 9e999)]))
        kind = draw(st.sampled_from(["need", "most"]))
        rows.append((f"{kind}_{n}", {c: float(a) for c, a in terms.items()}, low, high))
    return Model.from_rows([f"x_{n}" for n in range(4)], rows)


@given(models())
@settings(max_examples=25)
def test_a_fault_is_told_if_the_solutions_differ(model: Model) -> None:
    rules = Rules(model)
    reference = ReferenceModels("small", "", False, (("", []),), (model,))
    expected = {
        (describe_rule(fault.rule, [rules])[0], fault.words): solutions(wrong) != solutions(model)
        for fault in faults_of([rules])
        if not fault.words.startswith("taken") and (wrong := fault.apply(rules)) is not None
    }
    found = audit(reference).wrong
    assert expected == {
        (one.rule, one.fault): one.told for one in found if not one.fault.startswith("taken")
    }


@pytest.mark.parametrize(
    ("own", "other", "same"),
    [
        ((1.0, 2.0), (1.0, 9e999), True),  # two variables sum to at most 2
        ((1.0, 2.0), (1.0, 3.0), True),
        ((1.0, 9e999), (1.0, 1.0), False),
        ((0.0, 1.0), (-9e999, 1.0), True),
        ((-9e999, 1.0), (1.0, 1.0), False),
    ],
)
def test_a_side_that_the_bounds_imply_is_none(
    own: tuple[float, float], other: tuple[float, float], same: bool
) -> None:
    rules = Rules(Model.from_rows(["x", "y"], [("need_0", {0: 1.0, 1: 1.0}, *own)]))
    assert (rules.changed({0: other}) is None) is same


def test_the_data_of_the_course_tell_every_fault() -> None:
    found = audit(rosters(), build)
    assert [one for one in found.wrong if not one.told] == []
    assert (found.status, found.told) == (Status.ACCEPTED, len(found.wrong))
    rules = {one.rule for one in found.wrong}
    shown = ("demand (=)", SENIOR, "most (<=)", "one_shift (<=)", "rest (<=)", "off (=)")
    assert rules == {*shown, "variables x"}


def test_what_no_data_set_tells_is_named_with_data_that_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reference_audit, "SEARCH_SECONDS", 900.0)  # on a busy machine, too
    found = audit(rosters("three days", "nights"), build)
    assert found.status is Status.REFUSED
    (one,) = (one for one in found.untold if one.fault == BORROWED)
    assert one.rule == SENIOR
    assert one.change
    assert one.data is not None
    (shown,) = one.data
    needed = [shown["demand"][day][shown["shifts"][-1]] for day in shown["days"]]
    model = roster_model(shown)
    senior = [n for n, name in enumerate(model.rows) if name.startswith("senior_")]
    sides = [need for need in needed if need]
    wrong = model.with_sides({n: (side, 9e999) for n, side in zip(senior, sides, strict=True)})
    again = ReferenceModels("roster", "", True, (("", []),), (wrong,))
    checks = [reference_audit.compare_with_reference(one, model) for one in again.models]
    assert checks[0].missing.point is not None
    # Without a program there are no other data, and these rows are the same.
    assert BORROWED not in {one.fault for one in audit(rosters("three days")).wrong}


def test_data_that_were_not_compared_in_time_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_audit, "SEARCH_SECONDS", 1e-9)
    found = audit(rosters("three days", "nights"), build)
    assert BORROWED in {one.fault for one in found.untold}
    assert {(one.tried, one.change, one.data) for one in found.untold} == {(0, "", None)}
    assert "near them" not in str(found)


def test_data_that_were_not_decided_are_not_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    given = rosters("three days")
    tells = reference_audit.tells

    def late(fault: Fault, rules: Rules, *how: Any) -> bool | None:
        return tells(fault, rules, *how) if rules.model in given.models else None

    monkeypatch.setattr(reference_audit, "tells", late)
    untold = audit(given, build).untold
    assert BORROWED in {one.fault for one in untold}
    assert {(one.tried, one.change, one.data) for one in untold} == {(0, "", None)}


def test_where_no_other_data_are_built_a_fault_stays() -> None:
    found = audit(rosters("three days"), lambda sets: ["no model"] * len(sets))
    assert BORROWED in {one.fault for one in found.untold}


def test_one_that_is_the_same_everywhere_decides() -> None:
    open_one = WrongModel("a", 1, "left out", undecided=("x",))
    same, told = replace(open_one, undecided=()), replace(open_one, told_by="x")
    status = {
        Status.ACCEPTED: [told],
        Status.UNKNOWN: [told, open_one],
        Status.REFUSED: [told, open_one, same],
    }
    for expected, some in status.items():
        assert Audit("a", ("x",), tuple(some)).status is expected


def test_a_row_has_the_constant_of_the_smallest_row_around_it() -> None:
    rows: list[Any] = [
        ("all_1", {0: 1.0, 1: 1.0, 2: 1.0}, -9e999, 3.0),
        ("all_0", {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0}, -9e999, 4.0),
        ("some", {0: 1.0, 1: 1.0}, 1.0, 9e999),
    ]
    rules = Rules(Model.from_rows(list("wxyz"), rows))
    every, some, *_ = rules.families
    assert rules.borrowed(some, every) == {2: (3, 9e999)}
    # No choice of the variables breaks a row that allows all of them.
    assert rules.changed({0: (-9e999, 9e999), 1: (-9e999, 5)}) is None
    assert rules.changed({0: (-9e999, 2)}) is not None


def test_what_the_variables_say_already_is_no_fault() -> None:
    found = audit(rosters())
    off = {one.fault for one in found.wrong if one.rule == "off (=)"}
    assert "at least instead of equal" in off
    assert "at most instead of equal" not in off


def test_what_is_not_decided_in_time_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Undecided("too large")

    monkeypatch.setattr(reference_audit, "compare_with_reference", late)
    found = audit(rosters("three days"))
    assert found.status is Status.UNKNOWN
    assert found.told == 0
    assert {one.undecided for one in found.wrong} == {("three days",)}


def test_a_comparison_without_a_point_and_without_a_proof_is_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Open:
        same = False

        class wrong:  # noqa: N801
            point = None

        missing = wrong

    monkeypatch.setattr(reference_audit, "compare_with_reference", lambda *_, **__: Open)
    assert audit(rosters("three days")).status is Status.UNKNOWN


PROGRAM = '''"""Two sizes."""

import pulp

DATA = {data}


def build(data):
    problem = pulp.LpProblem("sizes", pulp.LpMaximize)
    x = [problem.add_variable(f"x_{{n}}", cat="Binary") for n in range(len(data["sizes"]))]
    problem += pulp.lpSum(x)
    used = pulp.lpSum(size * one for size, one in zip(data["sizes"], x))
    problem += used <= data["room"], "room"
    return problem
'''


def test_the_command_lists_what_no_data_set_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few, more = tmp_path / "few.py", tmp_path / "more.py"
    few.write_text(PROGRAM.format(data={"even": {"sizes": [2, 4], "room": 4}}))
    sets = {"even": {"sizes": [2, 4], "room": 4}, "odd": {"sizes": [1, 2, 4], "room": 4}}
    more.write_text(PROGRAM.format(data=sets))
    assert main(["grade", "model", str(few), "--audit"]) == 1
    said = capsys.readouterr().out
    assert "No data set tells room (<=) loosened by 1\n  data that do: even: " in said
    assert main(["grade", "model", str(more), "--audit", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["told"] == len(found["wrong"])
    assert {"rule": "room (<=)", "fault": "loosened by 1", "told_by": "odd"}.items() <= next(
        one for one in found["wrong"] if one["fault"] == "loosened by 1"
    ).items()
    assert main(["grade", "model", str(more), "--audit", "--format", "csv"]) == 0
    assert "room (<=),2,loosened by 1,odd,," in capsys.readouterr().out
    assert main(["grade", "model", str(more), "--audit", "--format", "html"]) == 0
    assert "<td" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "there is no file to grade"),
        (["--audit", "few.py"], "an audit is of the reference alone; leave out the files"),
        (["--audit", "--workers", "2"], "--workers goes with files to mark only"),
        (["--audit", "--format", "nbgrader"], "nbgrader is a form of marks; an audit has text, "),
        (["--audit", "--columns", "y*"], "no variable of the reference is like"),
    ],
)
def test_a_wrong_call_has_a_message(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("few.py").write_text(PROGRAM.format(data={"even": {"sizes": [2, 4], "room": 4}}))
    assert main(["grade", "model", "few.py", *words]) == 2
    assert says in capsys.readouterr().err


def test_a_large_reference_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_audit, "MAX_NONZEROS", 3)
    path = tmp_path / "three.lp"
    path.write_text("Maximize\n x + y\nSubject To\n a: x + y <= 1\nBinaries\n x y\nEnd\n")
    found = grade_model(path, audit=True)
    assert isinstance(found, Audit)
    assert "of" in repr(found)
    path.write_text(
        "Maximize\n x\nSubject To\n a: x + y <= 1\n b: x - y <= 0\nBinaries\n x y\nEnd\n"
    )
    with pytest.raises(reference_audit.InputError, match="the reference has 4 coefficients"):
        grade_model(path, audit=True)


@pytest.mark.parametrize("programs", [True, False])
@pytest.mark.parametrize("seconds", [None, 2.5])
def test_data_that_a_program_does_not_build_acquit_no_fault(
    seconds: float | None, programs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit that it ran into is that of one data set at most."""
    reference = replace(rosters(), programs=programs)
    path = tmp_path / "reference.py"

    def build_models(place: Path, sets: Any, limit: int | None) -> Any:
        assert (place, limit) == (path, None if seconds is None else 3)
        if len(sets) > 1:
            raise Failed("the program took longer than 3 seconds")
        return sets, ["a model"], ""

    def audited(given: object, build: Any, limit: float | None) -> Any:
        assert (given, limit) == (reference, seconds)
        return build

    monkeypatch.setattr(reference_audit, "build_models", build_models)
    monkeypatch.setattr(reference_audit, "audit", audited)
    found: Any = reference_audit.audit_reference(reference, path, seconds)
    if programs:
        assert found([("a", [])]) == ["a model"]
        assert found([("a", []), ("b", [])]) == ["not built"] * 2
    else:
        assert found is None
