"""The solving of a plain model, as the plugins do it and `calmip.solve` does."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from knapsack import with_pulp

import calmip
from calmip import InputError
from calmip.mip.model import Model
from calmip.solvers import model_solving as module
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


def test_rows_with_continuous_variables_keep_their_digits() -> None:
    """Rows of integers get whole coefficients; the others are halved where they are too large."""
    great = 2.0**70
    model = Model.from_rows(
        ["i", "j", "x"],
        [
            ("whole", {0: 0.5, 1: 1.5}, -math.inf, 2.5),
            ("mixed", {0: 0.5, 2: 1.5}, -math.inf, 2.5),
            ("loose", {2: 0.25}, 0.0, 7.5),
            ("great", {0: great, 2: -great / 4}, -great, great / 2),
        ],
        [0.5, 1.5, -2.5],
        integer=array("b", [1, 1, 0]),
        column_lower=array("d", [0.5, -1.5, 0.5]),
        column_upper=array("d", [3.5, 7.0, 2.5]),
    )
    found = module._scale(model, model.whole_rows())
    rows = [(dict(row.terms), *row.bounds) for row in found.exact_rows()]
    assert rows[:3] == [
        ({0: 1, 1: 3}, -math.inf, 5),
        ({0: Fraction(1, 2), 2: Fraction(3, 2)}, -math.inf, Fraction(5, 2)),
        ({2: Fraction(1, 4)}, 0, Fraction(15, 2)),
    ]
    terms, low, high = rows[3]
    scale = Fraction(great) / terms[0]
    assert scale > 1
    assert scale.denominator == 1
    assert scale.numerator & (scale.numerator - 1) == 0
    assert abs(terms[0]) <= module.MAX_CONTINUOUS_COEFFICIENT < 2 * abs(terms[0])
    assert (terms[2] * scale, low * scale, high * scale) == (-great / 4, -great, great / 2)
    assert found.costs == {0: Fraction(1, 2), 1: Fraction(3, 2), 2: Fraction(-5, 2)}
    # Of integers alone, the bounds are whole.
    assert [tuple(pair) for pair in found.column_bounds] == [(1, 3), (-1, 7), (0.5, 2.5)]
