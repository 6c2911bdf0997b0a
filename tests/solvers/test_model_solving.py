"""The solving of a plain model, as the plugins do it and `calmip.solve` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from knapsack import with_pulp

import calmip
from calmip import InputError
from calmip.mip.model import Model
from calmip.solvers.base import KindRefused, ModelRefused
from calmip.solvers.highs import Highs
from calmip.solvers.model_solving import ModelSolution, solve_model

ROWS: list[Any] = [("cap", {0: 2.0, 1: 3.0, 2: 4.0}, -float("inf"), 5.0)]
KNAPSACK = Model.from_rows(["a", "b", "c"], ROWS, [-3.0, -4.0, -5.0], name="sack", maximise=True)


@pytest.mark.parametrize(
    ("model", "status"),
    [
        (KNAPSACK, "optimal"),
        (KNAPSACK.with_costs({}), "feasible"),
        (KNAPSACK.with_row("never", [0], 2, float("inf")), "infeasible"),
        (KNAPSACK.with_row("half", [0, 1, 2], 2.5, 2.5), "infeasible"),
    ],
)
def test_the_result_is_that_of_solve(model: Model, status: str) -> None:
    found, same = solve_model(model), calmip.solve(model)
    described, expected = found.describe(), same.describe()
    assert list(described) == list(expected)
    assert described.pop("seconds").keys() == expected.pop("seconds").keys()
    assert described == expected
    assert (found.status, found.listed) == (status, same.listed)
    assert (found.columns, found.rows) == (same.columns, same.rows)
    if found.objective is None:
        with pytest.raises(calmip.InputError, match=f"has no solution here: {status}"):
            found["a"]
    else:
        assert found.values == same.values


def test_the_result_says_in_short_what_it_is() -> None:
    assert repr(solve_model(KNAPSACK)) == "<ModelSolution optimal: sack by highs, objective 7>"
    none = KNAPSACK.with_row("never", [0], 2, float("inf"))
    assert repr(solve_model(none)) == "<ModelSolution infeasible: sack by highs>"


def test_an_object_is_read_and_gets_its_values() -> None:
    problem, x = with_pulp()
    found = solve_model(problem, solver="highs", time_limit=60)
    assert isinstance(found, ModelSolution)
    found.apply_to(problem)
    assert [one.varValue for one in x] == [0, 1, 1]


@pytest.mark.parametrize("source", [3, "model.mps", None])
def test_what_is_no_model_is_refused(source: object) -> None:
    with pytest.raises(TypeError, match=r"a Model is needed, not .*; calmip\.read_model\(FILE\)"):
        solve_model(source)


@pytest.mark.parametrize("kind", [KindRefused, ModelRefused])
def test_a_model_that_a_solver_refuses_is_refused_in_its_own_names(
    kind: type[InputError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object, path: Path, __: object) -> None:
        name = calmip.read_model(path).columns[1]
        raise kind(f"variable {name} is continuous; use another solver")

    monkeypatch.setattr(Highs, "solve", refuse)
    model = KNAPSACK.changed(columns=("a", "the second one", "c"))
    with pytest.raises(kind, match="variable 'the second one' is continuous") as raised:
        solve_model(model)
    assert type(raised.value) is kind
