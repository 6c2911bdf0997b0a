"""Tasks whose source is a model of PuLP, Pyomo or highspy, and solutions in its variables."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import highspy
import pulp
import pyomo.environ as pyo
import pytest
from knapsack import ROOM, VALUES, WEIGHTS, with_pulp, with_pyomo
from requirements import need_package

import calmip


def with_highs() -> tuple[Any, list[Any]]:
    h = highspy.Highs()
    h.silent()
    x = [h.addBinary(value) for value in VALUES]
    h.addConstr(sum(w * v for w, v in zip(WEIGHTS, x, strict=True)) <= ROOM)
    h.setMaximize()
    return h, x


@pytest.fixture(params=[with_pulp, with_pyomo, with_highs])
def made(request: pytest.FixtureRequest) -> tuple[Any, list[Any]]:
    found: tuple[Any, list[Any]] = request.param()
    return found


def values_in(problem: Any, x: list[Any]) -> list[float]:
    if isinstance(problem, highspy.Highs):
        return [problem.val(one) for one in x]
    return [pyo.value(one) if isinstance(problem, pyo.ConcreteModel) else one.varValue for one in x]


def test_an_object_is_solved_and_gets_its_solution(made: tuple[Any, list[Any]]) -> None:
    problem, x = made
    solution = calmip.solve(problem)
    assert (solution.status, solution.objective, solution.verified) == ("optimal", 9, True)
    assert [solution[one] for one in x] == [0, 1, 1]
    assert sum(solution.values.values()) == 2
    solution.apply_to(problem)
    assert values_in(problem, x) == [0, 1, 1]
    assert solution.model.columns == tuple(solution.values)
    assert solution.describe()["model"]["columns"] == 3


def test_all_solutions_of_an_object_are_in_its_variables(made: tuple[Any, list[Any]]) -> None:
    problem, x = made
    pool = calmip.enumerate(problem)
    found = {tuple(values[one] for one in x) for values in pool.values}
    # By hand: all but the three items together.
    assert found == {(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)} - {(1, 1, 1)}
    assert pool.complete
    last = pool.values[-1]
    last.apply_to(problem)
    assert values_in(problem, x) == [last[one] for one in x]
    search = calmip.Enumeration(problem, keep=False)
    assert [search.values_of(point)[x[2]] for point in search] == [v[x[2]] for v in pool.values]


def test_an_answer_to_an_object_is_checked(made: tuple[Any, list[Any]], tmp_path: Path) -> None:
    problem, _ = made
    names = calmip.solve(problem).model.columns
    answer = tmp_path / "answer.sol"
    answer.write_text(f"solution status: optimal\nobjective value: 9\n{names[1]} 1\n{names[2]} 1\n")
    verdict = calmip.check(problem, answer)
    assert (verdict.status, verdict.model.columns) == ("accepted", names)
    answer.write_text(answer.read_text() + f"{names[0]} 1\n")
    assert calmip.check(problem, answer).status == "refused"


def test_the_values_of_an_object_are_checked(made: tuple[Any, list[Any]]) -> None:
    problem, _ = made
    with pytest.raises(calmip.InputError, match="has no value; solve the object first"):
        calmip.check(problem, problem)
    calmip.solve(problem).apply_to(problem)
    verdict = calmip.check(problem, problem)
    assert verdict.status == "accepted"
    assert verdict.reasons == ("the values: a solution, every row checked; objective 9",)
    names = verdict.model.columns
    assert calmip.check(problem, {names[0]: 1, names[2]: 1}).status == "accepted"
    heavy = calmip.check(problem, dict.fromkeys(names, 1))
    assert heavy.status == "refused"
    assert "by 2 (9 instead of 7)" in heavy.reasons[0]
    assert calmip.check(problem, {names[0]: 0.5}).status == "refused"
    with pytest.raises(calmip.InputError, match="y is not a variable of the model"):
        calmip.check(problem, {"y": 1})
    with pytest.raises(TypeError, match="a path, a mapping or one of"):
        calmip.check(problem, 3)


THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("values", "status", "reason"),
    [
        ({"n": 1, "y": THIRD, "z": Fraction(1, 3)}, "accepted", "every row checked; objective 1"),
        ({"n": 1, "y": 1 / 3, "z": 1 / 3}, "accepted", "completed exactly"),
        ({"n": 1, "y": THIRD, "z": Decimal("0.5")}, "refused", "violates row 'sum' by 0.5"),
        ({"n": Fraction(1, 2), "y": THIRD, "z": THIRD}, "refused", "the value 0.5 of the integer"),
        ({"n": Fraction(4, 3)}, "refused", "the value 4/3 of the integer"),
    ],
)
def test_exact_values_stay_exact(values: dict[str, Any], status: str, reason: str) -> None:
    rows = [("sum", {0: 1.0, 1: 3.0, 2: 3.0}, 3.0, 3.0)]
    model = calmip.Model.from_rows(
        ["n", "y", "z"], rows, [1.0, 0.0, 0.0], integer=array("b", [1, 0, 0])
    )
    verdict = calmip.check(model, values)
    assert verdict.status == status
    assert reason in verdict.reasons[0]


@pytest.mark.parametrize("value", ["abc", None, Decimal("sNaN"), 10**400, Fraction(10**400, 3)])
def test_a_value_that_is_no_number_is_named(value: Any) -> None:
    model = calmip.Model.from_rows(["n"], [("r", {0: 1.0}, 0.0, 1.0)])
    with pytest.raises(calmip.InputError, match="variable 'n' has"):
        calmip.check(model, {"n": value})


@pytest.mark.parametrize("language", ["gurobipy", "pyscipopt"])
def test_the_values_of_a_solved_model_are_checked(language: str) -> None:
    package = need_package(language)
    model = package.Model("knapsack")
    if language == "gurobipy":
        model.Params.OutputFlag = 0
        x = [model.addVar(vtype="B", obj=value) for value in VALUES]
        model.addConstr(sum(w * v for w, v in zip(WEIGHTS, x, strict=True)) <= ROOM)
        model.ModelSense = -1
    else:
        model.hideOutput()
        x = [model.addVar(vtype="B", obj=value) for value in VALUES]
        model.addCons(sum(w * v for w, v in zip(WEIGHTS, x, strict=True)) <= ROOM)
        model.setMaximize()
    with pytest.raises(calmip.InputError, match="has no value; solve the object first"):
        calmip.check(model, model)
    model.optimize()
    assert calmip.check(model, model).reasons[0].endswith("every row checked; objective 9")


def test_values_by_the_variables_of_the_caller_are_checked() -> None:
    problem, x = with_pulp()
    assert calmip.check(problem, {x[1]: 1, x[2]: 1.0}).status == "accepted"
    model, y = with_pyomo()
    chosen = pyo.ComponentMap([(y[1], 1), (y[2], 1)])
    assert calmip.check(model, chosen).status == "accepted"
    assert calmip.check(model, calmip.solve(model).values).status == "accepted"


def test_the_answer_to_an_exported_object_has_the_names_of_the_file(tmp_path: Path) -> None:
    model, _ = with_pyomo()
    answer = tmp_path / "answer.sol"
    answer.write_text("solution status: optimal\nobjective value: -9\nx_1_ 1\nx_2_ 1\n")
    assert calmip.check(model, answer).status == "accepted"
    answer.write_text("solution status: optimal\nobjective value: -9\nx_9_ 1\n")
    assert calmip.check(model, answer).status == "refused"


def test_an_object_is_checked_against_an_instance() -> None:
    instance = calmip.read_instance("instances/tiny.yaml")
    for made_of in (calmip.models.pulp_model, calmip.models.pyomo_model):
        problem = made_of(instance)
        places = calmip.ExactCover(instance).option_names
        names = (
            {f"x[{place}]": place for place in places}
            if made_of is calmip.models.pyomo_model
            else None
        )
        verdict = calmip.check(instance, problem, names=names)
        assert verdict.status == "accepted", verdict


def test_an_object_without_a_solution_keeps_its_values() -> None:
    problem, x = with_pulp()
    problem += pulp.lpSum(x) >= 3
    solution = calmip.solve(problem)
    assert solution.status == "infeasible"
    for use in (lambda: solution[x[0]], lambda: solution.apply_to(problem)):
        with pytest.raises(calmip.InputError, match="knapsack has no solution here: infeasible"):
            use()
    assert x[0].varValue is None


def test_the_status_of_pulp_3_is_set() -> None:
    problem, _ = with_pulp()
    if not hasattr(problem, "assignStatus"):
        pytest.skip("PuLP 4 has no status to set")
    calmip.solve(problem).apply_to(problem)
    assert pulp.LpStatus[problem.status] == "Optimal"
    assert problem.sol_status == pulp.LpSolutionOptimal


def test_the_solution_of_an_instance_has_no_values() -> None:
    solution = calmip.solve(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
    with pytest.raises(AttributeError, match="the source is an instance, and has no model"):
        solution.values  # noqa: B018


def test_an_object_that_is_no_linear_model_is_refused() -> None:
    model, x = with_pyomo()
    model.curve = pyo.Constraint(expr=x[0] * x[1] <= 1)
    for task in (calmip.solve, calmip.enumerate, calmip.Enumeration):
        with pytest.raises(calmip.InputError, match="constraint 'curve' is not linear"):
            task(model)
    with pytest.raises(TypeError, match=r"not dict; .* pulp\.LpProblem, pyomo\.ConcreteModel"):
        calmip.solve({})


def test_solutions_may_differ_in_some_of_the_caller_variables(made: tuple[Any, list[Any]]) -> None:
    problem, x = made
    pool = calmip.enumerate(problem, distinct=[x[0]])
    # By hand: the best completions of 0 and 1 are the second with the third, and with the second.
    found = {(values[x[0]], sum(values.values())) for values in pool.values}
    assert found == {(0, 2), (1, 2)}
    assert pool.complete


@pytest.mark.parametrize("other", [with_pulp, with_pyomo, with_highs])
def test_a_variable_of_another_object_distinguishes_nothing(
    made: tuple[Any, list[Any]], other: Callable[[], tuple[Any, list[Any]]]
) -> None:
    kept = other()
    for given in (kept[1][0], other()[1][0]):  # the object of the second is gone
        with pytest.raises(calmip.InputError, match="is not a variable of the model"):
            calmip.enumerate(made[0], distinct=[given])


def test_integers_and_continuous_variables_come_back_exactly() -> None:
    problem = pulp.LpProblem("mixed", pulp.LpMaximize)
    n = problem.add_variable("n", 0, 7, cat="Integer")
    share = problem.add_variable("share", 0)
    problem += n + share
    problem += 3 * share + 2 * n == 10.1
    pool = calmip.enumerate(problem, best=2)
    assert [(values[n], values[share]) for values in pool.values] == [
        (5, Fraction(1, 30)),
        (4, Fraction(7, 10)),
    ]
    pool.values[1].apply_to(problem)
    assert (n.varValue, share.varValue) == (4, 0.7)


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_an_object_is_exported_with_names_that_files_have(suffix: str, tmp_path: Path) -> None:
    model, _ = with_pyomo()
    path = tmp_path / f"model{suffix}"
    calmip.export(model, path)
    assert "whose names are changed" in path.read_text()
    found = calmip.read_model(path)
    assert (found.columns, found.rows) == (("x_0_", "x_1_", "x_2_"), ("room",))
    assert calmip.solve(found).objective == -9  # exported as a minimisation
    calmip.export(with_pulp()[0], path)
    assert "changed" not in path.read_text()
