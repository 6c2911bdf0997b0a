"""Solution files of models with integer and continuous variables, judged in exact arithmetic."""

from __future__ import annotations

import json
import subprocess
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_solver
from small_models import small_models
from test_general_models import EMPTY, MIXED, PURE, RAY, THIRDS, TIGHT

import calmip
from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.files.mps import mps_text
from calmip.mip.files.solutions import SolutionFile, read_solution
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.tasks.answers import check_answer
from calmip.puzzle.tasks.check import Verdict, check, check_folder
from calmip.solvers.verdicts import Evidence


def written(path: Path, model: Model) -> Path:
    path.write_text(mps_text(model))
    return path


def solution_file(solver: str, model: Path) -> Path:
    """The solution file that a real program writes."""
    need_solver(solver)
    answer = model.with_suffix(f".{solver}")
    if solver == "highs":
        import highspy

        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.readModel(str(model))
        highs.run()
        highs.writeSolution(str(answer), 0)
        return answer
    if solver == "scip":
        import pyscipopt

        scip = pyscipopt.Model()
        scip.hideOutput()
        scip.readProblem(str(model))
        scip.optimize()
        scip.writeBestSol(str(answer))
        return answer
    from calmip.solvers import solver_named

    program = solver_named(solver).find()  # type: ignore[attr-defined]
    commands = {
        "cbc": [program, str(model), "-solve", "-solution", str(answer)],
        "glpk": [program, "--freemps", str(model), "-o", str(answer)],
    }
    subprocess.run(commands[solver], check=True, capture_output=True, cwd=model.parent)
    return answer


@pytest.mark.parametrize("solver", ["highs", "cbc", "glpk", "scip"])
@pytest.mark.parametrize("name", ["MIXED", "THIRDS", "PURE"])
def test_files_of_real_programs(tmp_path: Path, solver: str, name: str) -> None:
    model = {"MIXED": MIXED.changed(maximise=False, offset=0.0), "THIRDS": THIRDS, "PURE": PURE}
    path = written(tmp_path / "m.mps", model[name])
    answer = solution_file(solver, path)
    best = {"MIXED": -19.2, "THIRDS": -598.9 / 97, "PURE": -50.5}[name]
    assert read_solution(answer).objective == pytest.approx(best, rel=1e-5)
    found = check(model[name], answer)
    assert found.status == "accepted", found.reasons
    if (solver, name) == ("glpk", "THIRDS"):  # it writes six digits
        assert "objective -6.1742" in found.reasons[0]
        return
    assert f"objective {best:.12g}" in found.reasons[0]
    assert "the file states" not in found.reasons[0]


EITHER = "solution status: infeasible or unbounded\nno solution available\n"
VERDICTS = {
    "a solution": (MIXED, "=obj= 20.2\na 3\nb 5.1\n", "accepted", "objective 20.2"),
    "another objective": (MIXED, "=obj= 21\na 3\nb 5.1\n", "accepted", "but the file states 21"),
    "a row": (MIXED, "a 4\nb 2.5\n", "refused", "violates row 'r' by 0.05 (4.75 instead of 4.7)"),
    "a bound": (MIXED, "a 3\nb -0.25\n", "refused", "the bound of 'b' by 0.25 (-0.25 instead"),
    "integrality": (MIXED, "a 3.25\nb 1\n", "refused", "the value 3.25 of the integer column 'a'"),
    "no column": (MIXED, "c 3\n", "refused", "names 'c', which is not a column"),
    "rounding": (MIXED, "a 3\nb 5.10000001\n", "accepted", "completed exactly"),
    "a tolerance": (TIGHT, "b 1.00000005\n", "unknown", "within 1e-06, not exactly"),
    "zeros": (MIXED, "=obj= 1\n", "accepted", "objective 1"),
    "infeasible": (EMPTY, "=infeas=\n", "accepted", "no solution: a search of the model proves"),
    "not infeasible": (MIXED, "=infeas=\n", "refused", "a point satisfies every row"),
    "unbounded": (RAY, "Unbounded - objective value -1\n", "accepted", "objective is unbounded"),
    "not unbounded": (MIXED, "Unbounded - objective value -1\n", "refused", "better than"),
    "either": (RAY, EITHER, "accepted", "the objective is unbounded"),
    "either, and neither": (MIXED, EITHER, "refused", "no solution is better than"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_says_what_and_by_how_much(tmp_path: Path, name: str) -> None:
    model, text, status, words = VERDICTS[name]
    path = tmp_path / "answer"
    path.write_text(text)
    found = check(model, path)
    assert (found.status, words in found.reasons[0]) == (status, True), found.reasons


def test_the_greatest_violations_of_rows_bounds_and_integrality(tmp_path: Path) -> None:
    path = tmp_path / "answer"
    path.write_text("a 12.5\nb -3\n")
    found = check(MIXED, path)
    assert found.reasons[1:] == (
        "violated rows: row 'r' by 6.9 (11.6 instead of 4.7)",
        "violated bounds: the bound of 'b' by 3 (-3 instead of 0), the greatest of 2",
        "violated integrality: the integrality of 'a' by 0.5 (12.5 instead of 12)",
    )


def test_zeros_alone_are_a_cut_file_if_their_objective_is_another(tmp_path: Path) -> None:
    path = tmp_path / "answer"
    path.write_text("=obj= 20.2\n")
    with pytest.raises(InputError, match=r"all columns at 0 have 1; is it cut\?"):
        check(MIXED, path)
    path.write_text("solution status: optimal solution found\nobjective value: 1\n")
    assert check(MIXED, path).status == "accepted"


def test_time_that_runs_out_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.WITNESS_SECONDS", 1e-9)
    path = tmp_path / "answer"
    for text in ("=infeas=\n", "Unbounded - objective value -1\n"):
        path.write_text(text)
        late = check(MIXED, path, time_limit=1e-9)
        assert late.status == "unknown"
        assert "the check took too long" in late.reasons[0]
    path.write_text("a 3\nb 5.10000001\n")
    late = check(MIXED, path, time_limit=1e-9)
    assert late.status == "unknown"
    assert "was not found in time" in late.reasons[0]


UNIT = Model.from_rows(["x"], [("r", {0: 1.0}, 1.0, 3.0)], [1.0])


@pytest.mark.parametrize(
    ("claim", "value", "known", "status", "words"),
    [
        ("unknown", 0, None, "unknown", "holds no solution: it claims 'so', but its answer viol"),
        ("feasible", 0, None, "refused", "it claims 'so', but its answer violates row 'r'"),
        ("feasible", 2, None, "accepted", "a solution, every row checked; objective 2"),
        ("feasible", 2, ("best", 1.0), "accepted", "objective 2"),
        ("feasible", 2, ("opt", 1.0), "refused", "a solution of 2, but a point with the objective"),
        ("feasible", 1, ("opt", 1.0), "accepted", "objective 1"),
        ("feasible", 1, ("opt", 2.0), "unknown", "=opt= 2, but a checked solution has the obj"),
        ("feasible", 1, ("opt", 0.0), "unknown", "a search proves that none is better than 1"),
        ("feasible", 1, ("inf", None), "unknown", "=inf=, but a checked solution satisfies"),
    ],
)
def test_an_answer_is_judged_by_its_rows_and_by_what_is_known(
    claim: Any, value: int, known: Any, status: str, words: str
) -> None:
    integer = UNIT.changed(integer=array("b", [1]), column_upper=array("d", [9.0]))
    evidence = Evidence(integer, Deadline, known, "known.solu")
    found, (reason, *_) = check_answer(evidence, SolutionFile("S", claim, {"x": value}, "so"))
    assert (found, words in reason) == (status, True), reason


def test_an_integer_whose_digits_leave_a_choice_is_decided_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    integer = UNIT.changed(integer=array("b", [1]), column_upper=array("d", [9.0]))
    given = SolutionFile("S", "feasible", {"x": 4}, "so", spread={"x": 1})
    assert check_answer(Evidence(integer, Deadline), given)[0] == "accepted"
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (None, {}))
    found, reasons = check_answer(Evidence(integer, Deadline), given)
    assert found == "unknown"
    assert reasons == (
        "the integer 'x' has more digits than were printed, and an exact point within the printed "
        "digits was not found in time",
        "violated rows: row 'r' by 1 (4 instead of 3)",
    )


def test_a_tiling_has_names_or_numbers_and_is_shown_also_if_it_is_none(tmp_path: Path) -> None:
    instance = calmip.read_instance("instances/tiny.yaml")
    names = ExactCover(instance).option_names
    path = tmp_path / "answer"

    def checked(*chosen: str) -> Verdict:
        path.write_text("=obj= 0\n" + "".join(f"{name} 1\n" for name in chosen))
        return check(instance, path)

    right = calmip.solve(instance).tilings[0].options(ExactCover(instance))
    for chosen in ([f"x{option + 1}" for option in right], [names[option] for option in right]):
        found = checked(*chosen)
        assert found.status == "accepted"
        assert len(found.point.placements) == len(right)
    found = checked(names[right[0]])
    assert found.status == "refused"
    assert [one.piece for one in found.point.placements] == ["domino"]
    with pytest.raises(InputError, match=f"x{right[1] + 1}"):
        checked(names[right[0]], f"x{right[1] + 1}")


def test_the_command_and_its_exit_codes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, answer = written(tmp_path / "m.mps", TIGHT), tmp_path / "m.sol"
    for text, code, valid in (("b 1.00000005\n", 3, None), ("b 2\n", 1, False)):
        answer.write_text(text)
        assert main(["check", str(model), str(answer), "--format", "json"]) == code
        assert json.loads(capsys.readouterr().out)["valid"] is valid
    written(model, MIXED.changed(maximise=False))
    answer.write_text("a 3\nb 5.1\n")
    assert main(["check", str(model), str(answer)]) == 0
    found = check_folder(tmp_path)
    assert [(file.name, file.status) for file in found.files] == [("m", "accepted")]


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(small_models(continuous=True), st.data())
def test_a_verdict_equals_that_of_fractions(
    tmp_path_factory: pytest.TempPathFactory, model: Model, data: st.DataObject
) -> None:
    values = {
        column: data.draw(st.sampled_from([-2, -1, 0, 1, 2, 3, 0.5, 2.5, 0.1]))
        for column in range(len(model.columns))
    }
    path = tmp_path_factory.mktemp("answer") / "answer"
    path.write_text("".join(f"{model.columns[c]} {v}\n" for c, v in values.items()))
    point = {c: Fraction(repr(v)) for c, v in values.items()}
    accepted = next(model.violations(point), None) is None
    assert check(model, path).status == ("accepted" if accepted else "refused")
