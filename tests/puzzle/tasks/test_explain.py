"""Conflicts named by ``calmip explain``, in words and as data."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from requirements import need_package

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.mip.iis.subsystem import FARKAS
from calmip.mip.model import Model
from calmip.puzzle.render.reports import conflicts


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(("explain", *arguments))
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "a-puzzle-a-day", "--reveal", "22,24")
    assert code == 0
    # 29 and 31 are corners that both need 23, and 30; which of them depends on HiGHS.
    shared, other = ("23", "c_51") if "| [23] |" in out else ("30", "c_61")
    cells = ", ".join(sorted(["29", "31", shared]))
    assert "22 24: there is no tiling; 3 equations of 49 cannot hold together:" in out
    assert f"covered once: {cells}" in out
    assert "remove any one of them and the others can be satisfied" in out
    assert "  +1  c_60 c_62" in out
    assert f"  -1  {other}" in out
    assert "the right-hand side is 1 (verified in exact arithmetic)" in out
    code, out = run(capsys, "instances/dead-corner.yaml")
    assert code == 0
    assert "| [Jan] |" in out
    assert "one equation of 49 cannot hold:" in out
    code, out = run(capsys, "instances/feb29.yaml")
    assert (code, out) == (1, "Feb 29: there is a tiling, so no conflict to explain\n")
    code, out = run(capsys, "instances/chessboard.yaml", "--tries", "1")
    assert "used 7 times: I2 and those equal to it" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "a-puzzle-a-day", "--reveal", "22,24", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert list(found) == ["instance", "status", "columns", "rows", "conflict", "certificate"]
    assert (found["status"], found["rows"]) == ("infeasible", 49)
    (shared,) = (cell for cell in found["conflict"]["cells"] if cell not in ([6, 0], [6, 2]))
    assert shared in ([5, 1], [6, 1])
    assert found["conflict"]["irreducible"]
    assert found["certificate"] == {
        "value": "1",
        "multipliers": {f"c_{shared[0]}1": "-1", "c_60": "1", "c_62": "1"},
    }
    code, out = run(capsys, "instances/feb29.yaml", "--format", "json")
    found = json.loads(out)
    assert (code, found["status"], found["conflict"]) == (1, "feasible", None)


def test_a_dead_position_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(
        capsys, "a-puzzle-a-day", "--reveal", "Feb,29", "--placed", "U:Apr+Jun+Oct+Nov+Dec"
    )
    assert code == 0
    assert "Feb 29 with U placed: there is no tiling; one equation" in out
    assert "covered once: May" in out


STAFF = """\
Minimize
 cost: 100 mon + 120 tue + 90 wed
Subject To
 early: mon + tue >= 5
 late: tue + wed >= 4
 desks[mon,tue]: mon + tue <= 4
 budget: 100 mon + 120 tue + 90 wed <= 900
Bounds
 mon <= 3
General
 mon tue wed
End
"""


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    path = tmp_path / "staff.lp"
    path.write_text(STAFF)
    return path


def test_a_model(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, str(staff), "--repair", "--smallest")
    assert code == 0
    assert "infeasible; 2 of 4 rows cannot hold together:" in out
    assert "  early: mon + tue >= 5\n" in out
    assert "integrality plays no part" in out
    assert "the right-hand side is at most -1 (verified in exact arithmetic)" in out
    assert "no conflict has fewer rows (proved)" in out
    assert "1 (fewest)" in out
    code, out = run(capsys, str(staff), "--repair", "--format", "json")
    found = json.loads(out)
    (conflict,) = found["conflicts"]
    assert (found["status"], conflict["rows"]) == ("infeasible", ["early", "desks[mon,tue]"])
    assert conflict["proved"]
    assert conflict["proof"] == FARKAS
    assert conflict["irreducible"]
    assert conflict["multipliers"] == {"early": "-1", "desks[mon,tue]": "1"}
    assert [one["of"] for one in conflict["witnesses"]] == conflict["rows"]
    (repair,) = found["repairs"]
    assert (repair["rows"], repair["amount"], repair["proved"]) == (1, 1, True)
    for form, text in (("md", "# staff.lp: conflict"), ("html", "<h1>staff.lp: conflict</h1>")):
        assert text in run(capsys, str(staff), "--format", form)[1]


def test_witnesses_beside_rows_to_keep_have_the_columns_of_these(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shifts.lp"
    path.write_text("""Minimize
 cost: mon + tue
Subject To
 need: mon + tue >= 11
 most: mon <= 4
Bounds
 mon <= 5
 tue <= 5
Generals
 mon tue
End
""")
    _, out = run(capsys, str(path), "--keep", "need")
    assert "upper bound of mon  mon=6 tue=5" in out


def test_rows_to_keep_are_given(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["desks[mon,tue]", "late"], ["desk*", "late"], ["desks[mon,tue],late"]):
        given = [part for word in words for part in ("--keep", word)]
        code, out = run(capsys, str(staff), *given, "--format", "json")
        found = json.loads(out)
        assert (code, found["conflicts"][0]["rows"]) == (0, ["early"])
        assert found["kept"] == ["late", "desks[mon,tue]"]
    assert "one row cannot hold beside the 2 rows to keep" in run(capsys, str(staff), *given)[1]
    assert main(["explain", str(staff), "--keep", "nothing*"]) == 2
    words = "'nothing*' is no row of the model, and no pattern of rows; the first row is 'early'"
    assert words in capsys.readouterr().err


HARD = """\
Minimize
 o: 0 x
Subject To
 hard1: x + y >= 3
 hard2: x + y <= 2
 hard3: u - v >= 8
 hard4: u - v <= 7
 soft1: x - y >= 0
 soft2: x >= 10
Bounds
 x <= 9
 y <= 9
End
"""


@pytest.mark.parametrize(
    "options",
    list(
        product(*(["", name] for name in ("--smallest", "--disjoint", "--rows-only", "--repair")))
    ),
    ids=" ".join,
)
def test_rows_to_keep_that_conflict_alone_are_named(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hard.lp"
    path.write_text(HARD)
    given = [str(path), "--keep", "hard*", *filter(None, options)]
    code, out = run(capsys, *given)
    assert code == 0
    assert "the rows to keep conflict without any other" in out
    assert "beside" not in out
    assert "soft" not in out
    assert ("no conflict of the rows to keep has fewer rows" in out) is ("--smallest" in options)
    found = json.loads(run(capsys, *given, "--format", "json")[1])
    every = [["hard1", "hard2"], ["hard3", "hard4"]]
    rows = sorted(one["rows"] for one in found["conflicts"])
    assert rows == every if "--disjoint" in options else rows in [[one] for one in every]
    assert all(one["proved"] and one["irreducible"] for one in found["conflicts"])
    assert (found["kept_alone"], found["complete"], found["solution"]) == (True, False, None)
    # Rows to keep that are feasible are in no conflict, and nothing of the kind is said.
    other = json.loads(run(capsys, str(path), "--keep", "hard1", "--format", "json")[1])
    assert other["kept_alone"] is False


def test_groups_and_weights(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--group", "desks[*,tue]", "--group", "e*", "--rows-only"]
    code, out = run(capsys, str(staff), *given)
    assert code == 0
    assert "2 groups (2 of 4 rows) cannot hold together:" in out
    assert "  group desks[*,tue], 1 row:\n    desks[mon,tue]: mon + tue <= 4\n" in out
    named = {"demand": ["early", "late"], "rest": ["desks[mon,tue]", "b*"]}
    found = calmip.explain(calmip.read_model(staff), group=named, keep=["late"])
    assert found.groups == {"demand": (0,), "rest": (2, 3)}
    (one,) = found.describe()["conflicts"]
    assert one["groups"] == {"demand": ["early"], "rest": ["desks[mon,tue]", "budget"]}
    assert one["proof"]
    assert [(x["without"], x["of"]) for x in one["witnesses"]] == [
        ("group", "demand"),
        ("group", "rest"),
    ]
    assert main(["explain", str(staff), "--group", "e*", "--group", "*l*"]) == 2
    assert "row 'early' is in the groups 'e*' and '*l*'" in capsys.readouterr().err
    given = ["--repair", "--penalty", "desks[*,tue]=2.5", "--penalty", "early=3"]
    assert "weighted sum" in run(capsys, str(staff), *given)[1]
    found = json.loads(run(capsys, str(staff), *given, "--format", "json")[1])
    assert [(one["changes"], one["cost"]) for one in found["repairs"]] == [
        ({"desks[mon,tue]": 1}, 2.5)
    ]
    for words, text in (
        (["--penalty", "early=2"], "add repair"),
        (["--repair", "--penalty", "early=0"], "the penalty of 'early' is a number above 0, not 0"),
        (["--repair", "--penalty", "early"], "ROW=NUMBER is needed, not 'early'"),
        (["--repair", "--penalty", "none=2"], "'none' is no row of the model"),
    ):
        assert main(["explain", str(staff), *words]) == 2
        assert text in capsys.readouterr().err


def test_groups_and_weights_of_files(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groups, weights = staff.with_name("groups.csv"), staff.with_name("weights.csv")
    groups.write_text('row,group\nearly,demand\n"desks[mon,tue]",rest\nb*,rest\n# the end\n')
    weights.write_text("ROW,NUMBER\ndesks[*,tue],2.5\nearly,3\n")
    found = calmip.explain(calmip.read_model(staff), group=[str(groups)], rows_only=True)
    assert found.groups == {"demand": (0,), "rest": (2, 3)}
    given = ["--repair", "--penalty", str(weights), "--group", str(groups), "--format", "json"]
    found = json.loads(run(capsys, str(staff), *given)[1])
    assert list(found["conflicts"][0]["groups"]) == ["demand", "rest"]
    assert [one["cost"] for one in found["repairs"]] == [2.5]
    assert main(["explain", str(staff), *given, "--penalty", "early=1"]) == 2
    assert "--penalty names a row twice" in capsys.readouterr().err
    for option, text, message in (
        ("--penalty", "early", "weights.csv:1: a line is ROW,NUMBER, such as"),
        ("--penalty", "early,2\nlate,much", "weights.csv:2: found 'much' where a number"),
        ("--penalty", "early,2\nearly,3", "weights.csv:2: row 'early' comes twice"),
        ("--group", "dawn,demand", "'dawn' is no row of the model"),
    ):
        weights.write_text(text)
        assert main(["explain", str(staff), "--repair", option, str(weights)]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert "weights.csv" in err
    weights.unlink()
    assert main(["explain", str(staff), "--repair", "--penalty", str(weights)]) == 2
    assert "weights.csv" in capsys.readouterr().err


def test_disjoint_conflicts(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    staff.write_text(STAFF.replace("budget: 100", "mine: 2 mon + 2 wed = 3\n budget: 100"))
    code, out = run(capsys, str(staff), "--disjoint", "--rows-only")
    assert code == 0
    assert "2 disjoint conflicts" in out
    assert "the other rows are feasible together" in out
    found = calmip.explain(calmip.read_model(staff), disjoint=True, rows_only=True)
    assert sorted(map(len, found.names)) == [1, 2]
    assert found.complete
    rows = {row for names in found.names for row in names}
    model = calmip.read_model(staff)
    broken = {model.rows[one.number] for one in model.violations(found.point or {})}
    assert broken <= rows


def test_a_feasible_model_is_shown_with_a_solution(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff.write_text(STAFF.replace("<= 4", "<= 14"))
    code, out = run(capsys, str(staff))
    assert code == 1
    assert "feasible, so there is no conflict to explain" in out
    found = calmip.explain(calmip.read_model(staff))
    assert found.point is not None
    assert found.model.violated(found.point) is None
    assert sum(found.values[name] for name in ("mon", "tue")) >= 5
    endless = STAFF.replace("<= 4", "<= 14").replace("<= 900", ">= 9")
    staff.write_text(endless.replace("tue + 90 wed\nSubject", "tue - 90 wed\nSubject"))
    code, out = run(capsys, str(staff))
    assert code == 1
    assert "the objective is unbounded" in out
    found = calmip.explain(calmip.read_model(staff))
    assert found.status == "unbounded"
    assert found.ray is not None
    model = found.model
    far = {c: (found.point or {}).get(c, 0) + 1000 * x for c, x in found.ray.items()}
    far = {**(found.point or {}), **far}
    assert all(one.kind == "integrality" for one in model.violations(far))
    assert model.exact_objective(far) < -1000


def test_what_only_a_model_has_is_refused_for_an_instance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiny = calmip.read_instance("tiny")
    for options in ({"repair": True}, {"keep": ["c_00"]}, {"rows_only": True}):
        with pytest.raises(InputError, match="is for the rows of a model"):
            calmip.explain(tiny, **options)  # type: ignore[arg-type]
    assert main(["explain", "instances/tiny.yaml", "--smallest"]) == 2
    assert "--smallest goes with a model only" in capsys.readouterr().err
    for source in (tiny, Model.from_rows(["x"], [])):
        with pytest.raises(InputError, match="tries"):
            calmip.explain(source, tries=0)


def test_a_conflict_that_is_not_proved_is_unknown(
    staff: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    staff.write_text(STAFF.replace("<= 4", "<= 14").replace("budget", "odd: 2 mon + 2 wed = 3\nb"))
    assert calmip.explain(calmip.read_model(staff)).status == "infeasible"
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (None, {}))
    for proof in ("_odd_row", "_refute"):
        monkeypatch.setattr(f"calmip.mip.iis.refutation.RefutationTree.{proof}", lambda _: None)
    monkeypatch.setattr("calmip.mip.iis.refutation.TreeTest._search_box", lambda *_: None)
    code, out = run(capsys, str(staff))
    assert code == 3
    assert "infeasible as HiGHS says" in out
    assert "no exact search has proved it" in out


def test_the_time_limit_before_an_answer(
    staff: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.iis.subsystem.Subsystems.find", late)
    code, out = run(capsys, str(staff), "--time-limit", "5")
    assert code == 3
    assert "before it was known whether there is a solution" in out


def test_a_proved_conflict_that_may_be_reducible_has_the_code_of_a_conflict(
    staff: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("_Filter.reduce", "_Filter.shrink", "Subsystems._shorten"):
        monkeypatch.setattr(f"calmip.mip.iis.subsystem.{step}", lambda *_, **__: None)
    code, out = run(capsys, str(staff), "--time-limit", "5")
    assert code == 0
    assert "before the set was shown to be irreducible" in out
    assert "the rows are irreducible" not in out
    code, out = run(capsys, str(staff), "--time-limit", "5", "--format", "json")
    (one,) = json.loads(out)["conflicts"]
    assert (code, one["proved"], one["irreducible"]) == (0, True, False)


@pytest.mark.long
def test_the_names_are_those_of_the_users_object() -> None:
    pulp, pyo = need_package("pulp"), need_package("pyomo.environ")
    problem = pulp.LpProblem("p", pulp.LpMinimize)
    x = problem.add_variable("x", 0, 5, cat="Integer")
    y = problem.add_variable("y", 0, 5)
    problem += x + y
    problem += 2 * x == 5, "half"
    problem += x + y >= 1, "some"
    found = calmip.explain(problem)
    assert found.names == (("half",),)
    assert found.subsystems[0].numbers("integer") == (found.columns.index("x"),)
    (witness,) = [w for m, w in found.subsystems[0].witnesses.items() if m.kind == "integer"]
    assert found.values_of(witness)[x] == Fraction(5, 2)
    model = pyo.ConcreteModel()
    model.x = pyo.Var([1, 2], bounds=(0, 1))
    model.c = pyo.Constraint([1, 2], rule=lambda m, i: m.x[i] >= 2 * i - 1)
    model.o = pyo.Objective(expr=model.x[1] + model.x[2])
    assert calmip.explain(model).names == (("c[2]",),)


@pytest.mark.parametrize("number", [1, 2])
def test_the_other_rows_are_feasible_if_that_is_proved(number: int, tmp_path: Path) -> None:
    path = tmp_path / "two.lp"
    path.write_text(
        "Minimize\n o: 0 x\nSubject To\n a: x >= 2\n b: y >= 2\n c: x + y >= 0\n"
        "Bounds\n x <= 1\n y <= 1\nEnd\n"
    )
    whole = calmip.explain(calmip.read_model(path), disjoint=True)
    assert len(whole.subsystems) == 2
    words = "the other rows are feasible together"
    for complete, point, alone in product((True, False), ({}, None), (True, False)):
        found = replace(
            whole,
            subsystems=whole.subsystems[:number],
            complete=complete,
            point=point,
            kept_alone=alone,
        )
        lines = [str(one) for one in conflicts._conflict_of_rows(found.problem, found)]
        told = not alone and (number > 1 or (complete and point is not None))
        assert (words in lines) is (told and complete)
        assert (f"it is not known whether {words}" in lines) is (told and not complete)


@pytest.mark.parametrize("most", [0, 1])
def test_the_least_change_is_offered_if_it_was_not_asked_for_and_a_conflict_is_large(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.lp"
    path.write_text("Minimize\n o: 0 x\nSubject To\n a: x >= 2\nBounds\n x <= 1\nEnd\n")
    monkeypatch.setattr(conflicts, "LARGE_CONFLICT_ROWS", most)
    model = calmip.read_model(path)
    for repair in (False, True):
        found = calmip.explain(model, repair=repair)
        lines = [str(one) for one in conflicts._conflict_of_rows(found.problem, found)]
        offered = any(f"more than {most} rows explains little" in line for line in lines)
        assert offered is (not repair and most < 1)
