"""calmip as a solver of PuLP and Pyomo, through their own interfaces."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pulp
import pyomo.environ as pyo
import pytest
from knapsack import with_pulp, with_pyomo
from requirements import need_solver

import calmip
import calmip.plugins.pyomo
from calmip import solvers
from calmip.plugins.pulp import CALMIP
from calmip.solvers import Outcome, Status


def status_of(problem: Any, returned: Any) -> str:
    """Return the word for the status in PuLP 3, which keeps it, or 4, which returns it."""
    if hasattr(returned, "status"):
        return str(returned.status.name)
    assert returned == problem.status
    return {"Not Solved": "Stopped"}.get(word := pulp.LpStatus[returned], word)


@pytest.mark.parametrize("solver", [CALMIP(), pulp.getSolver("CALMIP", backend="cbc", seed=3)])
def test_pulp_solves_with_calmip(solver: CALMIP) -> None:
    problem, x = with_pulp()
    returned = problem.solve(solver)
    assert status_of(problem, returned) == "Optimal"
    assert [one.varValue for one in x] == [0, 1, 1]
    assert pulp.value(problem.objective) == 9
    assert problem.solverModel.verified
    assert problem.solverModel.solver == solver.optionsDict["backend"]


def test_pulp_gets_infeasible_and_a_problem_without_objective() -> None:
    problem, x = with_pulp()
    problem += pulp.lpSum(x) >= 3
    assert status_of(problem, problem.solve(CALMIP())) == "Infeasible"
    problem = pulp.LpProblem("any")
    x = [problem.add_variable("x", cat="Binary")]
    problem += x[0] >= 1
    assert status_of(problem, problem.solve(CALMIP())) == "Optimal"
    assert x[0].varValue == 1
    assert problem.objective is None


def test_pulp_lists_calmip_and_copies_its_settings() -> None:
    # Not those that are available: PuLP fails there when the licence of gurobipy has ended.
    assert "CALMIP" in pulp.listSolvers()
    assert pulp.getSolver("CALMIP").available()
    solver = pulp.getSolver("CALMIP", timeLimit=9, threads=2, msg=True)
    for copy in (pulp.apis.getSolverFromDict(solver.to_dict()), solver.copy()):
        assert copy.to_dict() == solver.to_dict()
    assert solver.to_dict()["threads"] == 2
    with pytest.raises(TypeError, match="gapRel"):
        CALMIP(gapRel=0.1)  # refused: the answer would not say it


class Liar:
    """A solver that says what it is told, of the model with the columns x0, x1, x2."""

    name, starts, unused = "liar", False, ()

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def solve(self, *_: Any) -> Outcome:
        return self.outcome


ONE = {"x0": 1.0}
LIES = {
    "infeasible": Outcome(Status.INFEASIBLE, detail="infeasible"),
    "heavy": Outcome(Status.OPTIMAL, dict.fromkeys(("x0", "x1", "x2"), 1.0), "optimal"),
    "poor": Outcome(Status.OPTIMAL, ONE, "optimal"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_answer_never_reaches_the_variables(
    lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(LIES[lie]), ""))
    problem, x = with_pulp()
    with pytest.raises(pulp.PulpSolverError, match="calmip: liar says"):
        problem.solve(CALMIP(backend="liar"))
    assert [one.varValue for one in x] == [None] * 3
    model = with_pyomo()[0]
    with pytest.raises(calmip.SolverFailed, match="liar says"):
        pyo.SolverFactory("calmip:liar").solve(model)
    assert [one.value for one in model.x.values()] == [None] * 3


@pytest.mark.parametrize("values", [ONE, {}])
def test_a_stopped_solver_is_not_optimal(
    values: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    status = Status.FEASIBLE if values else Status.UNKNOWN
    outcome = Outcome(status, values, "stopped")
    monkeypatch.setitem(solvers.SOLVERS, "liar", (lambda _: Liar(outcome), ""))
    problem, x = with_pulp()
    returned = problem.solve(CALMIP(backend="liar", timeLimit=9))
    assert [one.varValue for one in x] == ([1, 0, 0] if values else [None] * 3)
    if hasattr(returned, "has_solution"):
        assert (returned.status.name, returned.has_solution) == ("TimeLimit", bool(values))
    else:
        feasible, none = pulp.LpSolutionIntegerFeasible, pulp.LpSolutionNoSolutionFound
        assert (returned, problem.sol_status) == ((1, feasible) if values else (0, none))
    model = with_pyomo()[0]
    results = pyo.SolverFactory("calmip:liar").solve(model, timelimit=9)
    assert results.solver.termination_condition == pyo.TerminationCondition.maxTimeLimit
    assert not pyo.check_optimal_termination(results)
    assert [one.value for one in model.x.values()] == ([1, 0, 0] if values else [None] * 3)


def test_a_problem_that_cannot_be_read_is_an_error_of_pulp() -> None:
    empty = pulp.LpProblem("empty")
    with pytest.raises(pulp.PulpSolverError, match=r"calmip: pulp\.LpProblem: the model has no"):
        empty.solve(CALMIP())


def test_pyomo_solves_with_calmip() -> None:
    model = with_pyomo()[0]
    with pyo.SolverFactory("calmip") as solver:
        results = solver.solve(model)
    pyo.assert_optimal_termination(results)
    assert [one.value for one in model.x.values()] == [0, 1, 1]
    assert (results.problem.lower_bound, results.problem.upper_bound) == (9, 9)
    assert results.problem.number_of_variables == 3
    assert solver.solution.verified
    assert solver.available()
    assert solver.license_is_valid()


def test_pyomo_may_ask_for_the_solution_alone() -> None:
    model, solver = with_pyomo()[0], pyo.SolverFactory("calmip", solver="cbc")
    results = solver.solve(model, load_solutions=False, options={"seed": 1})
    assert results.solver.termination_condition == pyo.TerminationCondition.optimal
    assert [one.value for one in model.x.values()] == [None] * 3
    assert solver.solution[model.x[2]] == 1
    assert solver.solution.solver == "cbc"
    solver.options["gap"] = 0.1
    with pytest.raises(calmip.InputError, match="unknown option 'gap'; use solver, time_limit"):
        solver.solve(model)


def test_pyomo_gets_infeasible() -> None:
    model = with_pyomo()[0]
    model.all = pyo.Constraint(expr=pyo.summation(model.x) == 3)
    results = pyo.SolverFactory("calmip").solve(model)
    assert results.solver.termination_condition == pyo.TerminationCondition.infeasible
    assert results.solver.status == pyo.SolverStatus.warning


def test_the_log_is_printed_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    pyo.SolverFactory("calmip").solve(with_pyomo()[0])
    with_pulp()[0].solve(CALMIP())
    assert capsys.readouterr().out == ""
    pyo.SolverFactory("calmip").solve(with_pyomo()[0], tee=True)
    assert "HiGHS" in capsys.readouterr().out
    with_pulp()[0].solve(CALMIP(msg=True))
    assert "HiGHS" in capsys.readouterr().out


def test_integers_and_continuous_variables_are_solved_through_both() -> None:
    problem = pulp.LpProblem("mixed", pulp.LpMaximize)
    n, share = problem.add_variable("n", 0, 7, cat="Integer"), problem.add_variable("share", 0)
    problem += n + share
    problem += 3 * share + 2 * n <= 10.1
    assert status_of(problem, problem.solve(CALMIP())) == "Optimal"
    assert problem.solverModel[share] == Fraction(1, 30)
    assert (n.varValue, share.varValue) == (5, 1 / 30)
    assert status_of(problem, problem.solve(CALMIP(mip=False))) == "Optimal"
    assert problem.solverModel.values == {"n": Fraction(101, 20), "share": 0}
    model = pyo.ConcreteModel()
    model.n, model.share = pyo.Var(bounds=(0, 7), domain=pyo.Integers), pyo.Var(bounds=(0, None))
    model.goal = pyo.Objective(expr=model.n + model.share, sense=pyo.maximize)
    model.room = pyo.Constraint(expr=3 * model.share + 2 * model.n <= 10.1)
    pyo.SolverFactory("calmip").solve(model)
    assert (model.n.value, model.share.value) == (5, 1 / 30)


def test_an_unbounded_problem_is_unbounded_in_both() -> None:
    problem = pulp.LpProblem("ray", pulp.LpMaximize)
    n = problem.add_variable("n", 0, cat="Integer")
    problem += 2 * n
    problem += n >= 3
    assert status_of(problem, problem.solve(CALMIP())) == "Unbounded"
    assert n.varValue is None
    model = pyo.ConcreteModel()
    model.n = pyo.Var(domain=pyo.NonNegativeIntegers)
    model.goal = pyo.Objective(expr=model.n, sense=pyo.maximize)
    results = pyo.SolverFactory("calmip").solve(model)
    assert results.solver.termination_condition == pyo.TerminationCondition.unbounded


@pytest.mark.parametrize("number", [123456789, 1234567891])
def test_integers_of_more_digits_than_cbc_prints_are_exact(number: int) -> None:
    need_solver("cbc")
    problem = pulp.LpProblem("identity", pulp.LpMinimize)
    x = problem.add_variable("x", 0, 2 * 10**9, cat="Integer")
    y = problem.add_variable("y", 0, 5, cat="Integer")
    problem.setObjective(y)
    problem += x - y == number
    problem.solve(CALMIP(backend="cbc"))
    assert (x.varValue, y.varValue) == (number, 0)

    model: Any = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.NonNegativeIntegers, bounds=(0, 2 * 10**9))
    model.y = pyo.Var(domain=pyo.NonNegativeIntegers, bounds=(0, 5))
    model.o = pyo.Objective(expr=model.y)
    model.c = pyo.Constraint(expr=model.x - model.y == number)
    pyo.SolverFactory("calmip:cbc").solve(model)
    assert (model.x.value, model.y.value) == (number, 0)


def pulp_program(sense: int) -> Any:
    """Return a linear program with a row of each kind; each dual value but one is not 0."""
    problem = pulp.LpProblem("duals", sense)
    x, y, z = (problem.add_variable(n, 0, high) for n, high in (("x", 4), ("y", None), ("z", 5)))
    problem += -sense * (3 * x + 2 * y - z) + 7
    problem += (x + y + 1 <= 12), "below"
    problem += (x - y >= -2), "above"
    problem += (x + z == 3.5), "equal"
    problem += (x + y >= -3), "loose"
    return problem


def duals_of(problem: Any) -> list[Any]:
    rows = {row.name: (row.pi, row.slack) for row in problem.constraints()}
    return [rows, {one.name: one.dj for one in problem.variables()}]


@pytest.mark.parametrize("sense", [pulp.LpMinimize, pulp.LpMaximize])
def test_pulp_gets_the_dual_values_that_its_highs_has(sense: int) -> None:
    own, others = pulp_program(sense), pulp_program(sense)
    own.solve(CALMIP())
    others.solve(pulp.HiGHS(msg=False))
    rows, costs = duals_of(own)
    expected, reduced = duals_of(others)
    if sense == pulp.LpMaximize and pulp.__version__.startswith("3."):
        # There HiGHS is given a minimum, and its values are not turned back.
        expected = {name: (-pi, slack) for name, (pi, slack) in expected.items()}
        reduced = {name: -cost for name, cost in reduced.items()}
    assert {name: pi for name, (pi, _) in rows.items()} == pytest.approx(
        {name: pi for name, (pi, _) in expected.items()}
    )
    assert costs == pytest.approx(reduced)
    assert rows["above"][0] == 2 * sense
    # HiGHS in PuLP has no sign here; those of CBC and Gurobi are the side minus the left side.
    assert {name: slack for name, (_, slack) in rows.items()} == pytest.approx(
        {"below": 2, "above": 0, "equal": 0, "loose": -12}
    )


def test_pulp_keeps_no_dual_values_of_an_earlier_solve() -> None:
    problem = pulp_program(pulp.LpMinimize)
    problem.solve(CALMIP())
    problem += problem.variables()[0] >= 9
    problem.solve(CALMIP())
    rows, costs = duals_of(problem)
    every = [*(pi for pi, _ in rows.values()), *costs.values()]
    assert all(number is None or math.isnan(number) for number in every)


def test_large_models_get_no_dual_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.solvers.model_solving.MAX_DUAL_SIZE", 9)
    problem = pulp_program(pulp.LpMinimize)  # 3 columns and 8 coefficients
    problem.solve(CALMIP())
    rows, _ = duals_of(problem)
    assert all(pi is None or math.isnan(pi) for pi, _ in rows.values())


def pyomo_program(sense: Any) -> Any:
    """Return the linear program of `pulp_program`, with all suffixes."""
    model = pyo.ConcreteModel()
    model.x, model.y, model.z = (pyo.Var(bounds=(0, high)) for high in (4, None, 5))
    goal = 3 * model.x + 2 * model.y - model.z + 7
    model.goal = pyo.Objective(expr=goal if sense == pyo.maximize else -goal, sense=sense)
    model.below = pyo.Constraint(expr=model.x + model.y + 1 <= 12)
    model.above = pyo.Constraint(expr=model.x - model.y >= -2)
    model.equal = pyo.Constraint(expr=model.x + model.z == 3.5)
    model.loose = pyo.Constraint(expr=(-3, model.x + model.y, 30))
    for name in ("dual", "rc", "slack"):
        model.add_component(name, pyo.Suffix(direction=pyo.Suffix.IMPORT))
    return model


def suffixes_of(model: Any) -> dict[str, dict[str, float]]:
    return {
        name: {key.name: value for key, value in getattr(model, name).items()}
        for name in ("dual", "rc", "slack")
    }


@pytest.mark.parametrize("sense", [pyo.minimize, pyo.maximize])
def test_pyomo_gets_the_dual_values_that_its_highs_has(sense: Any) -> None:
    own, others = pyomo_program(sense), pyomo_program(sense)
    pyo.SolverFactory("calmip").solve(own)
    found = suffixes_of(own)
    pyo.SolverFactory("appsi_highs").solve(others)
    expected = suffixes_of(others)
    assert found["dual"] == pytest.approx(expected["dual"])
    assert found["rc"] == pytest.approx(expected["rc"])
    assert found["dual"]["above"] == (2 if sense == pyo.minimize else -2)
    # Gurobi in Pyomo: the upper side minus the left side.
    assert found["slack"] == {"below": 2, "above": 0, "equal": 0, "loose": 21}


def test_pyomo_without_suffixes_needs_no_dual_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        pytest.fail("the dual values are found")

    monkeypatch.setattr("calmip.mip.optima.sensitivity.optimal_duals", fail)
    model = pyomo_program(pyo.minimize)
    for name in ("dual", "rc", "slack"):
        model.del_component(name)
    pyo.SolverFactory("calmip").solve(model)
    exported = pyomo_program(pyo.minimize)
    for name in ("dual", "rc", "slack"):
        getattr(exported, name).direction = pyo.Suffix.EXPORT
    pyo.SolverFactory("calmip").solve(exported)


def test_models_with_constructs_have_no_dual_values() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var([1, 2], bounds=(0, 5))
    model.goal = pyo.Objective(expr=model.x[1] + 2 * model.x[2], sense=pyo.maximize)
    model.row = pyo.Constraint(expr=model.x[1] + model.x[2] <= 4)
    model.set = pyo.SOSConstraint(var=model.x, sos=1)
    model.dual = pyo.Suffix(direction=pyo.Suffix.IMPORT)
    pyo.SolverFactory("calmip").solve(model)
    assert (model.x[1].value, model.x[2].value) == (0, 4)
    assert not model.dual


def test_dual_values_of_integers_are_those_at_their_values() -> None:
    problem = pulp_program(pulp.LpMaximize)
    problem.variables()[0].cat = "Integer"
    problem.solve(CALMIP())
    rows, _ = duals_of(problem)
    assert problem.variables()[0].varValue == 3
    assert rows["above"][0] == -2
    assert rows["equal"][0] == -1  # x cannot move
