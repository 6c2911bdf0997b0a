"""Solving models with integer and continuous variables: what is claimed is proved, or is not."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_solver
from small_models import optimum, small_models

from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip import independent_search
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.tasks.solve import solve
from calmip.solvers import Outcome

INF = math.inf
REAL = ("highs", "cbc", "glpk", "scip", "gurobi")


def model_of(
    rows: Any, cost: list[float], low: list[float], high: list[float], kinds: list[int], **more: Any
) -> Model:
    names = "abcdefg"[: len(cost)]
    return Model.from_rows(
        tuple(names),
        rows,
        cost,
        column_lower=array("d", low),
        column_upper=array("d", high),
        integer=array("b", kinds),
        **more,
    )


MIXED = model_of(
    [("r", {0: 1, 1: 0.3}, -INF, 4.7), ("s", {0: -1, 1: 1}, -INF, 2.1)],
    [-3, -2],
    [0, 0],
    [10, INF],
    [1, 0],
    maximise=True,
    offset=1.0,
)
"""Its best point is (3, 5.1)."""

THIRDS = model_of(
    [("r", {0: 3, 1: 0.7}, -INF, 4.7), ("s", {0: -1, 1: 3}, -INF, 2.1)],
    [-3, -2],
    [0, 0],
    [INF, INF],
    [0, 0],
)
"""Its best point (1263/970, 110/97) is no decimal number."""

PURE = model_of(
    [("r", {0: 7, 1: 5, 2: 3}, -INF, 40), ("s", {0: 1, 1: -1}, -1, 1)],
    [-9, -6, -3.5],
    [0, 0, -2],
    [10, 10, 4],
    [1, 1, 1],
)

PARITY = model_of(
    [("r", {0: 2, 1: 2}, 1, 5), ("s", {0: 2, 1: 2, 2: 1}, 3, 3), ("t", {2: 1}, 0.5, 0.9)],
    [1, 1, 0],
    [0, 0, 0],
    [9, 9, 1],
    [1, 1, 0],
)
"""Two integers whose sum is between 1.05 and 1.25."""

EMPTY = model_of(
    [("r", {0: 3, 1: 0.7}, -INF, 4.7), ("s", {0: 1, 1: 3}, 200, INF)],
    [-3, -2],
    [0, 0],
    [INF, INF],
    [0, 0],
)

RAY = model_of([("r", {0: 1, 1: -1}, -INF, 7)], [-1, -1], [0, 0], [INF, INF], [1, 0])


@pytest.mark.long
@pytest.mark.parametrize("solver", REAL)
def test_real_solvers_and_their_proofs(solver: str) -> None:
    need_solver(solver)
    found = solve(MIXED, solver=solver)
    assert (found.status, found.verified, found.exact) == ("optimal", True, True)
    assert found.point == {0: 3, 1: Fraction(51, 10)}
    assert found.objective == 20.2
    assert found.solution == {"values": {"a": 3, "b": 5.1}}
    assert found["b"] == Fraction(51, 10)
    found = solve(THIRDS, solver=solver)
    assert (found.status, found.verified, found.exact) == ("optimal", True, True)
    assert found.point == {0: Fraction(1263, 970), 1: Fraction(110, 97)}
    assert found.solution == {"values": {"a": "1263/970", "b": "110/97"}}
    found = solve(PURE, solver=solver)
    assert (found.status, found.verified, found.objective) == ("optimal", True, -50.5)
    assert all(type(value) is int for value in found.point.values())
    found = solve(PARITY, solver=solver)
    assert (found.status, found.verified, found.solution) == ("infeasible", True, None)
    assert solve(EMPTY, solver=solver).status in ("infeasible", "unknown")  # GLPK: undefined
    for found in (solve(RAY, solver=solver), solve(RAY.changed(integer=array("b", [0, 0])))):
        # GLPK and CBC do not tell an unbounded model from an infeasible one.
        assert found.status in ("unbounded", *(["unknown"] * (solver in ("glpk", "cbc"))))
        assert found.verified
        assert found.solution is None


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(
    model=st.one_of(small_models(), small_models(continuous=True)),
    solver=st.sampled_from(["highs", "cbc", "glpk", "scip"]),
)
def test_answers_equal_brute_force(model: Model, solver: str) -> None:
    need_solver(solver)
    best = optimum(model)
    try:
        found = solve(model, solver=solver)
    except SolverFailed as error:
        # Only CBC and GLPK have given wrong answers, and they were refuted.
        assert solver in ("cbc", "glpk"), error
        return
    if best is None:
        assert found.status in ("infeasible", "unknown")
        assert found.solution is None
        return
    assert found.status == ("optimal" if model.costs else "feasible")
    assert found.verified
    assert model.violated(found.point) is None
    assert found.objective == float(best)


class Liar:
    """A solver that says what it is told to say."""

    name = "liar"
    answer = Outcome(Status.UNKNOWN)

    def solve(self, *_: object) -> Outcome:
        return self.answer


def ask(model: Model, status: Status, values: Mapping[str, float], **limits: Any) -> Any:
    """Solve a model by a solver with this answer."""
    Liar.answer = Outcome(status, values, "sure")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.puzzle.tasks.solve.solver_named", lambda name: Liar())
        return solve(model, solver="liar", **limits)


LIES = {
    "worse": (MIXED, Status.OPTIMAL, {"x0": 3, "x1": 5}, "the objective 20.2, not 20"),
    "worse integers": (PURE, Status.OPTIMAL, {"x0": 3, "x1": 3}, "not -45, satisfies every row"),
    "infeasible": (MIXED, Status.INFEASIBLE, {}, "a point satisfies every row"),
    "infeasible unbounded": (RAY, Status.INFEASIBLE, {}, "a point satisfies every row"),
    "bounded": (MIXED, Status.UNBOUNDED, {}, "no solution is better than"),
    "unbounded and empty": (EMPTY, Status.UNBOUNDED, {}, "there is no solution"),
    "a row": (MIXED, Status.FEASIBLE, {"x0": 4, "x1": 2.5}, r"row 'r' by 0.05 \(4.75 instead"),
    "a bound": (MIXED, Status.FEASIBLE, {"x0": -1}, "the bound of 'a' by 1"),
    "a fraction": (MIXED, Status.FEASIBLE, {"x0": 2.5}, "2.5 of the integer column 'a'"),
    "infinity": (MIXED, Status.FEASIBLE, {"x0": INF}, "the value inf"),
    "no number": (MIXED, Status.FEASIBLE, {"x1": math.nan}, "the value nan"),
    "no column": (MIXED, Status.FEASIBLE, {"b": 1}, "'b', which is not a column"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_out(lie: str) -> None:
    model, status, values, words = LIES[lie]
    with pytest.raises(SolverFailed, match=f"liar says 'sure', but .*{words}"):
        ask(model, status, values)


def test_values_that_floating_point_rounds_are_completed() -> None:
    found = ask(THIRDS, Status.OPTIMAL, {"x0": 1263 / 970 + 1e-9, "x1": 110 / 97})
    assert (found.status, found.verified, found.exact) == ("optimal", True, True)
    assert found.point == {0: Fraction(1263, 970), 1: Fraction(110, 97)}
    assert "continuous values were completed exactly, as the answer violates row 'r' by 3e-09" in (
        found.detail
    )
    # A worse answer is completed too, and its claim is no better for it.
    found = ask(MIXED, Status.FEASIBLE, {"x0": 2.0000001, "x1": 4.1000001})
    assert (found.status, found.point) == ("feasible", {0: 2, 1: Fraction(41, 10)})
    with pytest.raises(SolverFailed, match="satisfies every row"):
        ask(MIXED, Status.OPTIMAL, {"x0": 2.0000001, "x1": 4.1000001})


TIGHT = model_of(
    [("r", {0: 1, 1: 1}, 1.0000001, INF), ("s", {0: 1, 1: 1}, -INF, 1)],
    [1, 0],
    [0, 0],
    [5, 5],
    [1, 0],
)
"""Infeasible by a ten-millionth, which the tolerances of solvers allow."""


def test_a_point_within_tolerances_is_no_solution() -> None:
    found = ask(TIGHT, Status.FEASIBLE, {"x1": 1.00000005})
    assert (found.status, found.verified, found.exact) == ("feasible", False, False)
    assert "within 1e-06, not exactly" in found.detail
    assert "these integers have no exact solution" in found.detail
    assert solve(TIGHT).verified is (solve(TIGHT).status == "infeasible")


def test_what_no_witness_decides_in_time_is_unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(independent_search, "WITNESS_SECONDS", 1e-9)
    found = ask(PURE, Status.OPTIMAL, {"x0": 4, "x1": 3, "x2": -1})
    assert (found.status, found.verified, found.exact) == ("optimal", False, True)
    for status in (Status.INFEASIBLE, Status.UNBOUNDED):
        late = ask(MIXED, status, {}, time_limit=1e-9)
        assert (late.status, late.verified) == ("unknown", False)
        assert "the check took too long" in late.detail
    rounded = {"x0": 1263 / 970 + 1e-9, "x1": 110 / 97}
    late = ask(THIRDS, Status.OPTIMAL, rounded, time_limit=1e-9)
    assert (late.status, late.verified, late.exact) == ("optimal", False, False)
    assert "was not found in time" in late.detail


def test_no_solver_is_asked_about_a_contradiction() -> None:
    odd = model_of([("r", {0: 2, 1: 4}, 7, 7)], [1, 1], [0, 0], [9, 9], [1, 1])
    found = ask(odd, Status.OPTIMAL, {})
    assert (found.status, found.verified, found.detail) == (
        "infeasible",
        True,
        "no point satisfies row 'r'",
    )
    empty = model_of([("r", {}, 3, math.inf)], [1], [0], [9], [1])
    assert ask(empty, Status.OPTIMAL, {}).detail == "no point satisfies row 'r'"
    zero = model_of([("r", {}, -1, 0)], [1], [0], [9], [1])
    assert ask(zero, Status.OPTIMAL, {"x0": 0}).status == "optimal"
    none = model_of([], [1], [0.2], [0.9], [1])
    assert ask(none, Status.OPTIMAL, {}).detail == "no value satisfies the bounds of column 'a'"


def test_the_command_prints_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "m.mps"
    path.write_text(mps_text(THIRDS))
    assert main(["solve", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("a=1263/970 b=110/97\nsolution found and checked; optimal: verified, ")
    assert main(["solve", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["solution"] == {"values": {"a": "1263/970", "b": "110/97"}}
    assert (found["verified"], found["exact"]) == (True, True)
    path.write_text(mps_text(RAY))
    assert main(["solve", str(path)]) == 1
    assert "arbitrarily good objective" in capsys.readouterr().out
    path.write_text(mps_text(PARITY))
    assert main(["solve", str(path)]) == 1


@pytest.mark.long
def test_solvers_of_other_models_say_so() -> None:
    for solver in ("exact-cover", "z3"):
        need_solver(solver)
        with pytest.raises(
            Exception, match="needs binary variables, and variable 'b' is continuous"
        ):
            solve(MIXED, solver=solver)
    need_solver("cpsat")
    with pytest.raises(Exception, match="needs bounded integers, and variable 'b' is continuous"):
        solve(MIXED, solver="cpsat")
    assert solve(PURE, solver="cpsat").objective == -50.5


def test_a_witness_has_an_end() -> None:
    assert Deadline(independent_search.MAX_SECONDS).left() is not None
