"""What printed digits mean: no right answer is refused, and no digit is made up."""

from __future__ import annotations

import random
import sys
from array import array
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import test_general_models
from hypothesis import given
from hypothesis import strategies as st
from requirements import need_solver

import calmip
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.display import tell_apart
from calmip.mip.files.solutions import read_solution
from calmip.mip.lp.exact_lp import LinearAnswer
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.tasks.check import check, check_folder
from calmip.solvers import Outcome, solver_named
from calmip.solvers.points import (
    TOLERANCE,
    Stated,
    _Printed,
    allowance,
    check_point,
    differs,
    objective_allowance,
)
from calmip.solvers.programs import Cbc
from calmip.solvers.verdicts import Evidence, Standing, judge_model

INF = float("inf")


def model_of(*given: Any) -> Model:
    model = test_general_models.model_of(*given)
    return model.changed(columns=tuple(f"x{number}" for number in range(len(model.columns))))


NINE = model_of([("c", {0: 1, 1: -1}, 123456789, 123456789)], [0, 1], [0, 0], [2e9, 5], [1, 1])
"""x0 - x1 = 123456789, where the best x1 is 0."""

ROOT = model_of(
    [("a", {0: 3}, 10**7, 10**7), ("b", {0: -2, 1: 7}, 1, 1)], [-1, -1], [0, 0], [INF, INF], [0, 0]
)
"""One point: 10,000,000/3 and 20,000,003/21."""


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def cbc(model: Model, objective: str, **values: str) -> str:
    """The file that CBC's option -solution writes."""
    lines = (f"{model.column_index[n]:7d} {n} {v:>15} 0\n" for n, v in values.items())
    return f"Optimal - objective value {objective}\n{''.join(lines)}"


FILES = {
    "the integer has more digits": (NINE, cbc(NINE, "0.00000000", x0="1.2345679e+08"), "accepted"),
    "its last digit is wrong": (NINE, cbc(NINE, "0.00000000", x0="1.2345678e+08"), "refused"),
    "no zero has the stated objective": (
        NINE,
        cbc(NINE, "1.00000000", x0="1.2345679e+08"),
        "refused",
    ),
    "another point has it": (
        NINE,
        cbc(NINE, "1.00000000", x0="1.2345679e+08", x1="1"),
        "accepted",
    ),
    "all digits are there": (NINE, cbc(NINE, "0.00000000", x0="123456789"), "accepted"),
    "one of all digits is wrong": (NINE, cbc(NINE, "0.00000000", x0="123456788"), "refused"),
    "continuous values are rounded": (
        ROOT,
        cbc(ROOT, "-4285714.42857143", x0="3333333.3", x1="952381.1"),
        "accepted",
    ),
    "a continuous value is wrong": (
        ROOT,
        cbc(ROOT, "-4285714.42857143", x0="3333333.3", x1="952391.1"),
        "refused",
    ),
    "the stated objective is wrong": (
        ROOT,
        cbc(ROOT, "-4285719.9", x0="3333333.3", x1="952381.1"),
        "refused",
    ),
    "a list has the exact integer": (NINE, "x0 123456789\n", "accepted"),
    "a list is wrong by one": (NINE, "x0 123456788\n", "refused"),
    "a list with exponents is rounded": (NINE, "x0 1.23457e+08\n", "accepted"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_right_if_an_exact_point_has_its_digits(name: str, tmp_path: Path) -> None:
    model, text, status = FILES[name]
    found = check(model, written(tmp_path / "answer", text))
    assert found.status == status, found.reasons
    if status == "accepted":
        assert not found.violations


def test_an_integer_with_missing_digits_is_completed_or_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcome = Outcome(Status.OPTIMAL, {"x0": 123456790.0}, "Optimal", spread={"x0": 5.0})
    found = judge_model(Evidence(NINE, Deadline), outcome, "liar")
    assert (found.status, found.standing, found.point) == (
        "optimal",
        Standing.VERIFIED,
        {0: 123456789},
    )
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (None, {}))
    found = judge_model(Evidence(NINE, Deadline), outcome, "liar")
    assert (found.status, found.standing, found.point) == ("unknown", Standing.UNVERIFIED, {})
    assert "not found in time" in found.reason
    # With all of its digits it is a lie.
    outcome = Outcome(Status.OPTIMAL, {"x0": 123456790.0}, "Optimal")
    found = judge_model(Evidence(NINE, Deadline), outcome, "liar")
    assert (found.standing, found.point) == (Standing.REFUTED, {})


def test_of_points_near_the_digits_one_with_all_of_them_comes_first() -> None:
    rows = [("c", {0: 1}, 987654321, 987654321), ("d", {1: 1, 0: -0.25}, 0, INF)]
    model = model_of(rows, [0, 1], [0, 0], [INF, INF], [1, 0])
    spread = {"x0": 50, "x1": 50}
    for value, word in (
        (246913600, "has all printed digits"),
        (246913500, "is within 1e-06 of all printed digits"),
    ):
        values = {"x0": 987654300, "x1": value}
        for stated in (None, Stated(Fraction("246913580.25"), Fraction(1, 200))):
            found = check_point(model, values, "so", spread=spread, stated=stated)
            assert found.note.endswith(word)
            assert found.point[0] == 987654321
            assert (abs(found.point[1] - value) <= 50) == word.startswith("has")


def test_an_exact_linear_program_out_of_time_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.WITNESS_SECONDS", 1e-9)
    spread = {"x0": 500, "x1": Fraction(1, 20)}
    late = check_point(ROOT, {"x0": 3333000, "x1": 952381.1}, "so", Deadline(1e-9), spread=spread)
    assert (late.decided, late.exact, late.point) == (False, False, {})


ABOUT = Fraction(1, 20)


@pytest.mark.parametrize(
    ("rows", "values", "spread", "expected"),
    [
        # Each row alone is within the digits; both, within the tolerance, or not even that.
        ([(1.04, INF), (-INF, 0.96)], {"x1": 1}, {"x1": ABOUT}, "no point within its printed"),
        ([(1.0000005, INF), (-INF, 1)], {"x1": 1.04}, {"x1": ABOUT}, "not exactly: it violates"),
        ([(1.04, INF), (-INF, 1.04)], {"x1": 1}, {"x1": ABOUT}, "within the printed digits"),
        ([(1.06, INF), (-INF, 2)], {"x1": 1}, {"x1": ABOUT}, "violates row 'r0' by 0.06"),
        # The same with an integer whose digits leave a choice.
        ([(1.0000005, INF), (-INF, 1)], {"x0": 50, "x1": 1}, {"x0": 5}, "but one within the tol"),
        ([(1.04, INF), (-INF, 0.96)], {"x0": 50, "x1": 1}, {"x0": 5, "x1": ABOUT}, "no exact poi"),
        ([(1.04, INF), (-INF, 2)], {"x0": 50, "x1": 1}, {"x0": 5, "x1": ABOUT}, "has all printed"),
        ([(1, INF), (-INF, 2)], {"x0": 50, "x1": 1, "x2": 8}, {"x0": 5}, "the bound of 'x2' by 1"),
    ],
)
def test_a_point_has_its_digits_the_tolerance_or_is_refused(
    rows: list[Any], values: dict[str, Any], spread: dict[str, Any], expected: str
) -> None:
    own = [(f"r{n}", {1: 1}, low, high) for n, (low, high) in enumerate(rows)]
    model = model_of(own, [0, 1, 0], [0, 0, 0], [99, 99, 7], [1, 0, 1])
    try:
        found = check_point(model, values, "so", spread=spread)
    except SolverFailed as error:
        assert expected.startswith(("no ", "violates", "the bound"))
        assert expected in str(error)
        return
    assert expected in found.note
    assert found.exact is (expected in ("within the printed digits", "has all printed"))
    assert found.decided is not expected.startswith("but")
    assert found.exact is (bool(found.point) and next(model.violations(found.point), None) is None)


def test_out_of_time_the_digits_of_a_solution_are_taken_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = LinearAnswer(Status.UNKNOWN)
    monkeypatch.setattr("calmip.solvers.points.best_completion", lambda *_, **__: late)
    model = model_of([("r", {1: 1}, 0, 2)], [0, 1], [0, 0], [9, 9], [1, 0])
    found = check_point(model, {"x1": 1}, "so", spread={"x1": ABOUT})
    assert (found.point, found.exact, found.note, found.decided) == ({1: 1}, True, "", True)


@pytest.mark.parametrize("solver", ["cbc", "glpk"])
def test_the_solution_of_a_program_has_all_digits(solver: str) -> None:
    need_solver(solver)
    found = calmip.solve(NINE, solver=solver)
    assert (found.status, found.point) == ("optimal", {0: 123456789})
    found = calmip.solve(ROOT, solver=solver)
    assert found.point == {0: Fraction(10**7, 3), 1: Fraction(20000003, 21)}


def test_a_cbc_without_double_numbers_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    need_solver("cbc")
    monkeypatch.setattr(Cbc, "doubles", "elsewhere/answer.bin")
    outcome = Outcome(Status.UNKNOWN)

    def keep(self: Cbc, *given: object) -> Outcome:
        nonlocal outcome
        outcome = solve(self, *given)  # type: ignore[arg-type]
        return outcome

    solve = Cbc.solve
    monkeypatch.setattr(Cbc, "solve", keep)
    assert calmip.solve(NINE, solver="cbc").point == {0: 123456789}
    assert (outcome.values["x0"], outcome.spread["x0"]) == (123456790, 5)
    assert solver_named("cbc").name == "cbc"


def test_rows_of_integers_are_exact_and_others_relative_to_their_terms() -> None:
    whole = model_of([("r", {0: 7, 1: 3}, 10000019, 10000019)], [1, 0], [0, 0], [INF, INF], [1, 1])
    part = model_of([("r", {0: 1, 1: -1, 2: 1}, 0, 0)], [0, 0, 1], [0] * 3, [INF] * 3, [0] * 3)
    for model, point, within in (
        (whole, {0: 0, 1: 3333340}, 0),
        (part, {0: 700000, 1: Fraction(70000012, 100)}, Fraction(140000012, 10**8)),
        (part, {0: Fraction(1, 10)}, Fraction(1, 10**6)),
    ):
        violation = next(model.violations(point))
        assert allowance(model, violation, point) == within
    decimal = model_of([("r", {0: 0.1}, 0.3, 0.3)], [1], [0], [9], [1])
    assert allowance(decimal, next(decimal.violations({0: 2})), {0: 2}) == Fraction(1, 10**6)
    # An unused column changes nothing.
    for more in (0, 10**9):
        some = {"x0": 0.0, "x1": 3333340.0}
        model = (
            whole.changed(rows=("r",))
            if not more
            else model_of(
                [("r", {0: 7, 1: 3}, 10000019, 10000019), ("s", {2: 1}, 0, INF)],
                [1, 0, 0],
                [0] * 3,
                [INF] * 3,
                [1, 1, 1],
            )
        )
        values = some if not more else {**some, "x2": float(more)}
        assert check(model, values).status == "refused"


@pytest.mark.parametrize(
    ("stated", "differ"),
    [("0", False), ("1", True), ("-1", True), ("0.4", True), ("1e-7", False)],
)
def test_a_stated_objective_of_integers_is_exact(stated: str, differ: bool) -> None:
    values = {"x0": 123456789}
    assert differs(NINE, {0: 123456789}, Stated(Fraction(stated)), values, {}) is differ


@given(
    st.fractions(-3, 3, max_denominator=4),
    st.sampled_from([Fraction(n, 8) for n in (0, 1, 2, 3, 4, 7, 8, 12)]),
)
def test_an_integer_is_any_whole_number_within_its_digits(value: Fraction, half: Fraction) -> None:
    model = model_of([], [1], [-9], [9], [1])
    printed = _Printed(model)
    whole = [n for n in range(-9, 10) if abs(n - value) <= half + TOLERANCE]
    if not whole:
        with pytest.raises(SolverFailed, match="of the integer column 'x0'"):
            printed.add("x0", value, half, "")
        return
    printed.add("x0", value, half, "")
    assert printed.open == ({0: (whole[0], whole[-1])} if whole[1:] else {})
    assert printed.point.get(0, 0) in whole


@given(st.data())
def test_an_objective_differs_if_no_rounding_explains_it(data: st.DataObject) -> None:
    """The tolerance, its own last digit, and what the digits of the values can change."""
    few = st.sampled_from([Fraction(n, 10**6) for n in (0, 1, 2, 5, 10**6, 1_000_001)])
    costs = data.draw(st.lists(st.sampled_from([-2, 0, 1, 0.5]), min_size=1, max_size=3))
    kinds = [data.draw(st.integers(0, 1)) for _ in costs]
    model = model_of([], costs, [0] * len(costs), [9] * len(costs), kinds)
    model = model.changed(maximise=data.draw(st.booleans()))
    point = {n: data.draw(st.integers(1, 3)) for n in range(len(costs))}
    values = {f"x{n}": value + data.draw(few) for n, value in point.items()}
    spread = {name: data.draw(few) for name in values}
    objective = model.exact_objective(point)
    stated = Stated(
        data.draw(st.sampled_from([1, -1])) * objective + data.draw(few), data.draw(few)
    )
    reach = stated.rounding + objective_allowance(model, point)
    for n, cost in enumerate(costs):
        moved = values[f"x{n}"] - point[n]
        if not kinds[n]:
            reach += abs(Fraction(cost)) * (moved + spread[f"x{n}"])
        elif moved <= Fraction(2, 10**6):
            reach += abs(Fraction(cost)) * moved
    signs = (1, -1) if model.maximise else (1,)
    far = all(abs(sign * stated.objective - objective) > reach for sign in signs)
    assert differs(model, point, stated, values, spread) is far


def test_a_claim_of_optimality_with_another_objective_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(
        tmp_path / "m.lp", "max\n o: 5 x + 4 y\nst\n c: x + y <= 3\ngenerals\n x y\nend"
    )
    text = "solution status: {}\nobjective value: {}\nx 3\n"
    for status, stated, code in (
        ("optimal solution found", 15, 0),
        ("optimal solution found", -15, 0),  # of the minimisation
        ("optimal solution found", 16, 1),
        ("time limit reached", 16, 0),
    ):
        answer = written(tmp_path / "m.sol", text.format(status, stated))
        assert main(["check", str(model), str(answer)]) == code
        told = capsys.readouterr().out
        assert ("objective 15, but the file states 16" in told) is (stated == 16), told


def test_numbers_that_differ_are_distinguished() -> None:
    big = 10**12
    model = model_of([("r", {0: 1}, big, big)], [1], [0], [INF], [0])
    found = check(model, {"x0": Fraction(big) + big // 10**5})
    assert "by 10000000 (1000010000000 instead of 1000000000000)" in found.reasons[0]
    found = check(model.changed(integer=array("b", [1])), {"x0": big + 1})
    assert "by 1 (1000000000001 instead of 1000000000000)" in found.reasons[0]
    assert tell_apart(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)) == (
        "0.333333333333333333333333",
        "0.333333333333333333343333",
    )
    assert tell_apart(big + Fraction(1, 4), big) == ("1000000000000.25", str(big))


def test_all_violations_have_names_and_amounts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "min\n o: x\nst\n a: x + y = 1\n b: x + z >= 9\n c: y - z <= -2\ngenerals\n x y z\nend\n"
    model = written(tmp_path / "m.lp", text)
    answer = written(tmp_path / "m.sol", "x 3\ny 1.5\nz -1\n")
    assert main(["check", str(model), str(answer), "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines[1:]] == [
        "row 'b' by 7 (2 instead of 9)",
        "row 'c' by 4.5 (2.5 instead of -2)",
        "row 'a' by 3.5 (4.5 instead of 1)",
        "the bound of 'z' by 1 (-1 instead of 0)",
        "the integrality of 'y' by 0.5 (1.5 instead of 2)",
        "nearest feasible point: change x from 3 to 1, y from 1.5 to 0, z from -1 to 8 (sum of "
        "changes 12.5, proved to be the least)",
    ]
    found = check(calmip.read_model(model), answer)
    assert [(one.kind, one.name) for one in found.violations[:2]] == [("row", "b"), ("row", "c")]
    assert found.describe()["violations"][1]["amount"] == 4.5


STOPPED = {
    "CBC": "Stopped on time (no integer solution - continuous used) - objective value 0\n"
    "      0 x 1 0\n",
    "GLPK": "s mip 1 1 u 0\ni 1 0\nj 1 0\ne o f\n",
    "SCIP": "solution status: time limit reached\nno solution available\n",
    "HiGHS": "Model status\nTime limit reached\n\n# Primal solution values\nInfeasible\n"
    "Objective 0\n# Columns 1\nx 0\n# Rows 1\nc 0\n",
    "Gurobi": '{"SolutionInfo": {"Status": 9, "SolCount": 0}}',
    "CPLEX": '<CPLEXSolution><header solutionStatusValue="108"/><variables><variable name="x" '
    'value="0"/></variables></CPLEXSolution>',
    "MIPLIB": "=unkn=\n",
}


@pytest.mark.parametrize("name", STOPPED)
def test_a_solver_that_stopped_without_a_solution_is_not_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path / "m.lp", "min\n o: x\nst\n c: x >= 2\ngenerals\n x\nend\n")
    answer = written(tmp_path / "m.sol", STOPPED[name])
    assert main(["check", str(model), str(answer)]) == 3
    assert "holds no solution" in capsys.readouterr().out
    folder = check_folder(tmp_path)
    assert [file.status for file in folder.files] == ["unknown"]
    assert "no solution" in folder.files[0].reason
    # Nor of a puzzle.
    assert main(["check", "instances/tiny.yaml", str(answer)]) == (2 if name == "GLPK" else 3)


def test_answers_to_a_linear_program_are_answers(tmp_path: Path) -> None:
    model = "max\n o: x + y\nst\n c: 3 x + 7 y <= 10\n d: x - y = 0\n{}end\n"
    answers = {
        "s bas 2 2 f f 2\ni 1 u 10 0.2\ni 2 s 0 0.4\nj 1 b 1 0\nj 2 b 1 0\ne o f\n": "accepted",
        "s bas 2 2 f f 2\ni 1 u 10 0.2\ni 2 s 0 0.4\nj 1 b 1.5 0\nj 2 b 1 0\ne o f\n": "refused",
        "s bas 2 2 i f 2\ni 1 u 10 0.2\ni 2 s 0 0.4\nj 1 b 9 0\nj 2 b 9 0\ne o f\n": "unknown",
        "s ipt 2 2 o 2\ni 1 10 0.2\ni 2 0 0.4\nj 1 0.99999998 0\nj 2 1 0\ne o f\n": "accepted",
    }
    for text, status in answers.items():
        answer = written(tmp_path / "m.sol", text)
        linear = calmip.read_model(written(tmp_path / "m.lp", model.format("")))
        assert check(linear, answer).status == status, text
        integer = calmip.read_model(written(tmp_path / "n.lp", model.format("generals\n x\n")))
        with pytest.raises(calmip.InputError, match="an answer to the relaxation"):
            check(integer, answer)


@pytest.mark.parametrize("ending", [".opb", ".cnf"])
def test_the_names_that_solvers_give_are_accepted(ending: str, tmp_path: Path) -> None:
    path, answer = tmp_path / f"tiny{ending}", tmp_path / "tiny.sol"
    assert main(["export", "instances/tiny.yaml", "-o", str(path)]) == 0
    model = calmip.read_model(path)
    ones = calmip.solve(model).chosen
    answer.write_text("".join(f"x{column + 1} 1\n" for column in ones))
    assert check(model, answer).status == "accepted"
    assert check(calmip.read_instance("instances/tiny.yaml"), answer).status == "accepted"
    answer.write_text("".join(f"{model.columns[column]} 1\n" for column in ones))
    assert check(model, answer).status == "accepted"
    answer.write_text(f"x{ones[0] + 1} 1\n")
    assert check(model, answer).status == "refused"
    answer.write_text(f"x{ones[0] + 1} 1\n{model.columns[ones[0]]} 1\n")
    with pytest.raises(calmip.InputError, match="two values"):
        check(model, answer)


def test_large_decimals_are_read_as_they_are_printed(tmp_path: Path) -> None:
    right = 9007199254740993
    model = model_of([("c", {0: 1, 1: -1}, right, right)], [0, 1], [0, 0], [INF, 5], [1, 1])
    model = model.changed(exact={("lower", 0): right, ("upper", 0): right})
    answer = written(tmp_path / "m.sol", f"x0 {right}\n")
    assert read_solution(answer).values == {"x0": right}
    assert check(model, answer).status == "accepted"
    assert check(model, written(answer, f"x0 {right - 1}\n")).status == "refused"


@pytest.mark.long
def test_files_of_real_programs_are_judged_as_by_brute_force() -> None:
    for solver in ("cbc", "glpk"):
        need_solver(solver)
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from benchmarks.printed_digits import FAULTS, run

    seed = random.SystemRandom().randrange(10**6)
    print(f"python -m benchmarks.printed_digits --models 6 --seed {seed}")
    counts = run(6, seed)
    total = sum(counts.values(), Counter[str]())
    assert total["right accepted"] > 60
    assert total["wrong refused"] > 60
    assert not [fault for fault in FAULTS if total[" ".join(fault)]], (seed, counts)
