"""Whether a solution is unique: against brute force, by limits, by a search that lies, in print."""

from __future__ import annotations

import json
import pkgutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pool_referee import SmallModel, draw_model, extremes

import calmip
from calmip import InputError
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.pool import PoolSearch
from calmip.mip.status import Status
from calmip.puzzle.render.report import DEFAULT
from calmip.puzzle.render.reports.unique import as_csv
from calmip.puzzle.tasks.problems import values_of
from calmip.puzzle.tasks.unique import Uniqueness

Capture = pytest.CaptureFixture[str]

FACE = """Minimize
 o: x + y
Subject To
 c: x + y >= 1
Bounds
 x <= 5
 y <= 5
End
"""

CHOICE = """Maximize
 o: 2 a + 2 b + c
Subject To
 r: a + b + c <= 2
 s: a + b <= 1
Binaries
 a b c
End
"""


@pytest.fixture
def face(tmp_path: Path) -> Path:
    path = tmp_path / "face.lp"
    path.write_text(FACE)
    return path


@pytest.fixture
def choice(tmp_path: Path) -> Path:
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    return path


def referee(small: SmallModel, *, optimal: bool) -> tuple[bool, Fraction | None]:
    """Return by brute force whether there is one solution, and the best objective."""
    found = small.completions()
    values = [one for one in found.values() if one is not None]
    best = (max if small.maximise else min)(values, default=None)
    wanted = [choice for choice, one in found.items() if not optimal or one == best]
    if len(wanted) != 1:
        return False, best
    if len(small.whole) == len(small.columns):
        return True, best
    ends = extremes(small, wanted[0], best if optimal else None)
    return all(low is not None and low == high for low, high in ends.values()), best


def compare(seeds: range, path: Path) -> dict[str, int]:
    """Compare answers with the referee; return how often each was given."""
    seen = {"True": 0, "False": 0, "none": 0}
    for seed in seeds:
        _, small = draw_model(seed)
        path.write_text(small.mps())
        ignore = seed % 3 == 0
        try:
            model = calmip.read_model(path)
            found = calmip.unique(model, ignore_objective=ignore)
        except InputError:  # an unbounded objective or integer column
            continue
        if len(model.columns) != len(small.columns):
            continue
        alone, best = referee(small, optimal=found.optimal)
        assert found.stopped == ""
        if not small.completions():
            assert (found.unique, found.solutions) == (False, ()), seed
            assert found.status is Status.INFEASIBLE
            seen["none"] += 1
            continue
        assert found.unique is alone, seed
        assert len(found.solutions) == (1 if alone else 2), seed
        points = [values_of(one) for one in found.solutions]
        assert all(model.violated(point) is None for point in points)
        assert alone or points[0] != points[1]
        if found.optimal:
            assert found.optimum == best
            assert all(model.exact_objective(point) == best for point in points), seed
        seen[str(alone)] += 1
    return seen


def test_answers_for_a_few_models_are_those_of_brute_force(tmp_path: Path) -> None:
    assert min(compare(range(8), tmp_path / "small.mps").values()) > 0


@pytest.mark.long
def test_answers_are_those_of_brute_force(tmp_path: Path) -> None:
    assert min(compare(range(60), tmp_path / "small.mps").values()) > 3


@pytest.mark.long
def test_answers_for_many_models_are_those_of_brute_force(tmp_path: Path) -> None:
    assert min(compare(range(60, 1000), tmp_path / "small.mps").values()) > 50


def test_tilings_are_counted_to_two() -> None:
    assert calmip.unique(calmip.read_instance("instances/tiny.yaml")).unique is False
    hardest = calmip.read_instance("a-puzzle-a-day", reveal="Oct,6")
    found = calmip.unique(hardest)
    assert (found.unique, len(found.tilings)) == (False, 2)
    rest = found.tilings[0].placements[:-2]
    alone = calmip.unique(replace(hardest, placed=rest))
    assert (alone.unique, alone.complete, alone.status) == (True, True, Status.FEASIBLE)
    assert alone.exit_status is Status.ACCEPTED
    none = calmip.unique(calmip.read_instance("instances/dead-corner.yaml"))
    assert (none.unique, none.solutions, none.status) == (False, (), Status.INFEASIBLE)


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        (FACE, 1, "not unique: two of infinitely many optima of objective 1 ("),
        (FACE.replace("x + y\n", "x + 2 y\n", 1), 0, "unique: this is the only optimum of obj"),
        (CHOICE, 1, "not unique: here are two optima of objective 3 ("),
        (CHOICE.replace("2 b", "b"), 0, "unique: this is the only optimum of objective 3, pro"),
        (CHOICE.replace("2 a + 2 b + c", "0 a"), 1, "not unique: here are two solutions ("),
        (CHOICE.replace("<= 2", ">= 3"), 1, "there is no solution, proved ("),
        (
            FACE.replace("+ y >=", "+ y + z >=").replace("End", "Binary\n z\nEnd"),
            0,
            "unique: this is the only optimum of objective 0",
        ),
        (
            FACE.replace("+ y >=", "+ y - z >=").replace("End", "Binary\n z\nEnd"),
            1,
            "not unique: two of infinitely many optima of objective 1 with the same integer val",
        ),
    ],
)
def test_the_command_says_it_in_one_sentence(
    text: str, code: int, last: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "model.lp"
    path.write_text(text)
    assert main(["unique", str(path)]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith(last)
    assert len(lines) == 1 + ("not" in last[:3]) * 2 + (last.startswith("unique"))
    assert lines[0].startswith("1. ") == last.startswith("not unique")


def test_data_for_programs(face: Path, choice: Path, capsys: Capture) -> None:
    assert main(["unique", str(choice), "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [*Uniqueness.MODEL_KEYS, "solutions"]
    assert (told["status"], told["unique"], told["optimum"]) == ("optimal", False, 3)
    assert told["solutions"] == [
        {"objective": 3, "ones": ["a", "c"]},
        {"objective": 3, "ones": ["b", "c"]},
    ]
    assert main(["unique", str(face), "--format", "csv"]) == 1
    assert sorted(capsys.readouterr().out.split()) == ["1,0,1", "1,1,0", "objective,x,y"]
    assert main(["unique", str(face), "--format", "html"]) == 1
    assert "<h1>face.lp: uniqueness</h1>" in capsys.readouterr().out
    assert main(["unique", "instances/tiny.yaml", "--format", "json"]) == 1
    assert list(json.loads(capsys.readouterr().out)) == [*Uniqueness.KEYS]


def test_a_notebook_shows_the_solutions(choice: Path) -> None:
    found = calmip.unique(calmip.read_model(choice))
    assert repr(found) == "<Uniqueness optimal: not unique, model>"
    shown = found._repr_mimebundle_()["text/html"]
    assert shown.startswith("<div>\n<p>1. a c</p>")
    assert "<p>not unique: here are two optima" in shown
    drawn = calmip.unique(calmip.read_instance("instances/tiny.yaml"))._repr_mimebundle_()[
        "text/html"
    ]
    assert drawn.count("<img ") == 2


def test_without_a_tiling_there_is_no_picture(capsys: Capture) -> None:
    assert main(["unique", "instances/dead-corner.yaml", "--format", "svg"]) == 1
    out, err = capsys.readouterr()
    assert (out, err[:30]) == ("", "there is no tiling, proved (ex")


def test_the_objective_can_be_ignored(choice: Path, capsys: Capture) -> None:
    path = choice.with_name("one.lp")
    path.write_text(CHOICE.replace("2 b", "b"))
    assert calmip.unique(calmip.read_model(path)).unique
    every = calmip.unique(calmip.read_model(path), ignore_objective=True)
    assert (every.unique, every.optimal, every.optimum) == (False, False, None)
    assert main(["unique", str(path), "--ignore-objective"]) == 1
    assert "not unique: here are two solutions" in capsys.readouterr().out
    assert main(["unique", "instances/tiny.yaml", "--ignore-objective"]) == 2
    assert "--ignore-objective goes with a model only" in capsys.readouterr().err


def test_what_a_limit_decides_is_unknown(
    face: Path, choice: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (face, choice):
        assert main(["unique", str(path), "--time-limit", "1e-9"]) == 3
        words = "the optimum is not proved, so it is not known whether it is unique"
        assert words in capsys.readouterr().err
        assert calmip.unique(calmip.read_model(path), time_limit=1e-9).status is Status.UNKNOWN

    class Late(PoolSearch):
        """Stops after the first solution."""

        def __iter__(self):  # type: ignore[no-untyped-def]
            yield next(super().__iter__())
            self.complete, self.stopped, self.proved = False, "time", True

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Late)
    assert main(["unique", str(choice)]) == 3
    out = capsys.readouterr().out.splitlines()
    assert out[-1].startswith("time limit reached: it is not known whether this optimum is the on")

    late = calmip.unique(calmip.read_model(choice), ranges=True)
    assert late.unique is None
    assert late.ranges is not None
    assert late.ranges.fixed == {"c": 1}  # of all optima, and not of the one that was found

    class Early(PoolSearch):
        """Stops between the proof of the optimum and the first solution."""

        def __iter__(self):  # type: ignore[no-untyped-def]
            list(super().__iter__())
            self.complete, self.stopped = False, "time"
            return iter(())

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Early)
    assert main(["unique", str(choice)]) == 3
    words = "time limit reached: the optimum of objective 3 is proved, but it is not known"
    assert capsys.readouterr().err.startswith(words)


def test_a_second_point_with_the_same_integers_ends_the_search(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Once(PoolSearch):
        def __iter__(self):  # type: ignore[no-untyped-def]
            yield next(super().__iter__())
            pytest.fail("the search goes on")

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Once)
    assert calmip.unique(calmip.read_model(face)).unique is False


def test_ranges_and_vertices_have_the_time_that_is_left(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float | None] = []
    for name in ("face.other_point", "optima.ranges.find_ranges", "optima.face.find_face"):
        find = pkgutil.resolve_name(f"calmip.mip.{name}")

        def timed(*given: Any, find: Any = find, **named: Any) -> Any:
            clocks = [one for one in (*given, *named.values()) if isinstance(one, Deadline)]
            left.extend(clock.left() for clock in clocks)
            return find(*given, **named)

        monkeypatch.setattr(f"calmip.mip.{name}", timed)
    calmip.unique(calmip.read_model(face), ranges=True, vertices=True, time_limit=60)
    assert len(left) == 3
    assert all(seconds is not None and 0 < seconds < 60 for seconds in left)


@pytest.mark.parametrize("option", ["--ranges", "--vertices"])
def test_without_a_solution_there_is_nothing_to_list(
    option: str, face: Path, capsys: Capture
) -> None:
    face.write_text(FACE.replace(">= 1", ">= 11"))
    assert main(["unique", str(face), option]) == 1
    assert capsys.readouterr().out.startswith("there is no solution, proved (")


def test_without_time_for_the_face_it_is_not_known(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.face.other_point", late)
    monkeypatch.setattr("calmip.mip.pool.other_point", late)
    found = calmip.unique(calmip.read_model(face))
    assert (found.unique, len(found.solutions), found.stopped) == (None, 1, "time")
    assert found.exit_status is Status.UNKNOWN


def test_a_second_point_of_the_search_counts_if_the_first_look_was_late(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.face.other_point", late)
    found = calmip.unique(calmip.read_model(face))
    assert (found.unique, len(found.solutions)) == (False, 2)


def test_a_linear_program_that_lies_makes_no_second_optimum(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = face.with_name("vertex.lp")
    path.write_text(FACE.replace("x + y\n", "x + 2 y\n", 1))
    model = calmip.read_model(path)
    solve = ExactLp.solve

    def lie(self: ExactLp, *given: object, **named: object) -> LinearAnswer:
        if "" in self.model.rows:  # the face of the optima
            return LinearAnswer(Status.UNBOUNDED, {1: 1}, ray={})
        return solve(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ExactLp, "solve", lie)
    with pytest.raises(SolverFailed, match="a second optimal point is none"):
        calmip.unique(model)


def test_solve_says_it_of_a_linear_program(face: Path, choice: Path, capsys: Capture) -> None:
    assert main(["solve", str(face)]) == 0
    assert "objective 1; not the only optimum (" in capsys.readouterr().out
    found = calmip.solve(calmip.read_model(face))
    assert found.unique is False
    assert found.second is not None
    assert found.model.exact_objective(found.second) == found.model.exact_objective(found.point)
    assert found.second != found.point
    assert found.describe()["second"] == found.model.describe_point(found.second)
    path = face.with_name("vertex.lp")
    path.write_text(FACE.replace("x + y\n", "x + 2 y\n", 1))
    assert main(["solve", str(path)]) == 0
    assert "objective 1; the only optimum (" in capsys.readouterr().out
    whole = calmip.solve(calmip.read_model(choice))
    assert (whole.unique, whole.second) == (None, None)
    assert "unique" not in whole.describe()


def test_solve_does_not_wait_for_it(face: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.face.other_point", late)
    found = calmip.solve(calmip.read_model(face))
    assert (found.status, found.unique) == (Status.OPTIMAL, None)
    assert "optimum" not in str(found)


def test_solve_does_not_try_it_of_a_large_model(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = calmip.read_model(face)
    size = len(model.columns) + model.nonzeros
    for most, unique in ((size, False), (size - 1, None)):
        monkeypatch.setattr("calmip.puzzle.tasks.solve.MAX_FACE_SIZE", most)
        assert calmip.solve(model).unique is unique


def test_the_report_is_its_own() -> None:
    from calmip.features import report_of

    assert report_of(Uniqueness) is not DEFAULT


PLAN = """Maximize
 p: 3 x + 2 y
Subject To
 wood: 2 x + y <= 10
 hours: x + y <= 8
 again: x + y <= 8
Bounds
 x <= 4
End
"""


def test_sensitivity_is_two_tables(face: Path, capsys: Capture) -> None:
    face.write_text(PLAN)
    assert main(["unique", str(face), "--sensitivity"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[2] == ["wood", "10", "1", "8", "to", "12"]
    assert lines[3] == ["hours", "8", "0", "to", "1", "6", "to", "inf"]
    assert lines[7] == ["y", "6", "0", "1.5", "to", "3"]
    assert " ".join(lines[8]) == "the dual solution is not unique: 2 dual values are intervals"
    assert main(["unique", str(face), "--sensitivity", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "kind,name,value,dual_low,dual_high,range_low,range_high",
        "row,wood,10,1,1,8,12",
        "row,hours,8,0,1,6,inf",
        "row,again,8,0,1,6,inf",
        "variable,x,2,0,0,2,4",
        "variable,y,6,0,0,1.5,3",
    ]
    assert main(["unique", str(face), "--sensitivity", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["sensitivity"]
    assert told["rows"][0] == {
        "row": "wood",
        "activity": 10,
        "dual": [1, 1],
        "lower": None,
        "upper": [8, 12],
    }


def test_a_line_of_csv_has_the_side_at_which_the_row_is(face: Path) -> None:
    face.write_text(PLAN.replace("again: x + y <= 8", "again: 1 <= x + y <= 9\n low: x + y >= 8"))
    found = calmip.unique(calmip.read_model(face), sensitivity=True)
    lines = as_csv(found).splitlines()
    assert lines[3] == "row,again,8,0,0,8,inf"
    assert lines[4] == "row,low,8,-inf,0,-inf,8"
    face.write_text(PLAN.replace("hours: x + y <= 8", "hours: 1 <= x + y <= 7"))
    found = calmip.unique(calmip.read_model(face), sensitivity=True)
    assert as_csv(found).splitlines()[2] == "row,hours,7,1,1,6,8"
    face.write_text("min 2 x + 3 y\nst\n need: 4 <= x + y <= 9\nbounds\n x <= 3\nend\n")
    found = calmip.unique(calmip.read_model(face), sensitivity=True)
    assert as_csv(found).splitlines()[1] == "row,need,4,3,3,3,9"


def test_a_time_limit_of_the_dual_values_is_said(
    face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: Any, **__: Any) -> None:
        raise TimeoutError

    face.write_text(PLAN)
    monkeypatch.setattr("calmip.mip.optima.sensitivity.find_sensitivity", late)
    found = calmip.unique(calmip.read_model(face), sensitivity=True)
    assert (found.sensitivity, found.stopped, found.unique) == (None, "time", True)


def test_sensitivity_needs_an_objective_and_continuous_variables(
    face: Path, choice: Path, capsys: Capture
) -> None:
    assert main(["unique", str(choice), "--sensitivity"]) == 2
    assert "no continuous variables; leave out sensitivity" in capsys.readouterr().err
    with pytest.raises(InputError, match="without an objective there are no dual values"):
        calmip.unique(calmip.read_model(face), sensitivity=True, ignore_objective=True)
    late = calmip.unique(calmip.read_model(face), sensitivity=True, time_limit=1e-9)
    assert (late.sensitivity, late.stopped) == (None, "time")
