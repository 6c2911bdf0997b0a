"""Models of linopy."""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import linopy
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from layer_models import INF, Drawn, check_twenty, read

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def build(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = linopy.Model()
    x = [
        model.add_variables(low, high, integer=whole, name=f"x{n}")
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = sum(c * v for c, v in zip(terms, x, strict=True) if c)
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        model.add_constraints(row, name=f"row{number}")
    goal = sum(c * v for c, v in zip(drawn.cost, x, strict=True))
    model.add_objective(goal, sense="max" if drawn.maximise else "min")
    return model, x


def test_twenty_models() -> None:
    check_twenty(build, value=lambda _, x: float(x.solution), constant=False)


def power() -> tuple[Any, Any, Any]:
    """Return a model of two plants in two hours, its variables, and one that is masked."""
    model = linopy.Model()
    hours, plants = pd.Index([6, 7], name="hour"), pd.Index(["coal", "wind"], name="plant")
    use = model.add_variables(0, 3, integer=True, coords=[plants, hours], name="use")
    model.add_constraints(use.sum("plant") >= xr.DataArray([2, 4], coords=[hours]), name="demand")
    model.add_constraints(use.sel(plant="wind") <= 1, name="calm")
    model.add_objective((use * xr.DataArray([0.3, 0.1], coords=[plants])).sum())
    mask = xr.DataArray([True, False], coords=[hours])
    start = model.add_variables(binary=True, coords=[hours], name="start", mask=mask)
    return model, use, start


def test_names_have_coordinates_and_elements_are_looked_up() -> None:
    model, use, start = power()
    found = read(model)
    assert found.columns == (
        *("use[coal,6]", "use[coal,7]", "use[wind,6]", "use[wind,7]"),
        "start[6]",
    )
    assert found.rows == ("demand[6]", "demand[7]", "calm[6]", "calm[7]")
    assert found.costs == {
        0: Fraction(3, 10),
        1: Fraction(3, 10),
        2: Fraction(1, 10),
        3: Fraction(1, 10),
    }
    values = PointValues(found, {1: 3, 3: 1, 4: 1})
    assert values[use.sel(plant="coal", hour=7)] == 3
    assert values[use.at["wind", 7]] == 1
    assert values[start.sel(hour=6)] == 1
    assert values["use[wind,7]"] == 1
    other = power()[1]
    for one in (use, use.sel(plant="coal"), start.sel(hour=7), other.at["wind", 7], None):
        assert one not in values


def test_names_of_dates_numbers_and_several_levels() -> None:
    model = linopy.Model()
    pairs = pd.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["number", "letter"])
    days = pd.date_range("2026-01-31", periods=2, name="day")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer ones would have such an index taken apart
        x = model.add_variables(coords={"pair": pairs}, dims=["pair"], name="x")
        model.add_constraints(x >= 1, name="many")
    model.add_variables(coords=[days, pd.Index([0.1], name="f")], name="y")
    model.add_constraints(model.add_variables(name="z") >= 1)
    found = read(model)
    assert found.columns == (
        *("x[(1,a)]", "x[(2,b)]", "y[2026-01-31 00:00:00,0.1]", "y[2026-02-01 00:00:00,0.1]"),
        "z",
    )
    assert found.rows == ("many[(1,a)]", "many[(2,b)]", "con0")


def test_a_solution_goes_into_the_model() -> None:
    model, use, start = power()
    with pytest.raises(InputError, match="has no value"):
        calmip.check(model, model)
    solution = calmip.solve(model)
    solution.apply_to(model)
    assert use.solution.sel(plant="coal").values.tolist() == [1, 3]
    assert use.solution.dims == ("plant", "hour")
    assert model.objective.value == 1.4
    assert (model.status, model.termination_condition) == ("ok", "optimal")
    assert np.isnan(start.solution.sel(hour=7))
    assert "a solution, every row checked; objective 1.4" in str(calmip.check(model, model))


def test_why_there_is_no_solution() -> None:
    model, use, _ = power()
    model.add_constraints(use.sel(plant="coal") <= 2, name="limit")
    said = str(calmip.explain(model))
    assert "demand[7]: use[coal,7] + use[wind,7] >= 4" in said
    assert "limit[7]" in said


def test_a_fixed_and_a_relaxed_variable() -> None:
    model, use, start = power()
    if not hasattr(use, "relax"):  # of older ones
        return
    use.relax()
    start.fix(1)
    found = read(model)
    assert found.integer.tolist() == [0, 0, 0, 0, 1]
    assert found.bounds(4) == (1, 1)


def test_a_model_without_rows_or_with_constants() -> None:
    model = linopy.Model()
    x = model.add_variables(0, 4, name="x")
    model.add_objective(-1 * x)
    assert (read(model).rows, calmip.solve(model)[x]) == ((), 4)
    model.add_constraints(2 * x + 1 <= x + 3.5, name="moved")
    assert read(model).exact_row(0) == ({0: 1}, -INF, Fraction(5, 2))


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "the model has an objective that is quadratic": lambda m, use: m.add_objective(
        (use * use).sum(), overwrite=True
    ),
    "the model has a scaling: 'scaled'": lambda m, use: m.add_constraints(
        use.sum() <= 30, name="scaled", scaling=0.1
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_linear_is_refused_by_its_name(words: str) -> None:
    model, use, _ = power()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        REFUSED[words](model, use)
    with pytest.raises(InputError) as caught:
        read(model)
    assert str(caught.value).startswith("linopy.Model: ")
    assert words in str(caught.value)


def test_constructs_are_read() -> None:
    problem = linopy.Model()
    places = [pd.Index([30, 20, 10], name="place"), pd.Index(["u", "v"], name="side")]
    x = problem.add_variables(0, 2, coords=places, name="x", integer=True)
    s = problem.add_variables(2, 3.5, name="s", semi_continuous=True)
    problem.add_sos_constraints(x, sos_type=2, sos_dim="place")
    problem.add_constraints(x.sum() + s <= 6.5, name="most")
    problem.add_objective(x.sum() + s, sense="max")
    model = read(problem)
    names = [f"x[{place},{side}]" for place in (30, 20, 10) for side in "uv"]
    assert model.own_columns == (*names, "s")
    pool = calmip.enumerate(problem)
    values = [tuple(one[name] for name in names) for one in pool.values]
    found = dict(zip(values, pool.objectives, strict=True))
    wanted = {}
    for point in itertools.product(range(3), repeat=6):
        # Of three places in a row, the outer ones are no neighbours.
        if all(not (point[side] and point[4 + side]) for side in (0, 1)) and sum(point) <= 6.5:
            left = Fraction(13, 2) - sum(point)
            most = min(left, Fraction(7, 2))
            wanted[point] = sum(point) + (most if most >= 2 else 0)
    assert found == wanted
    calmip.solve(problem).apply_to(problem)
    assert float(problem.variables["s"].solution) in (0, 2.5, 3.5)
    other = linopy.Model()
    y = other.add_variables(0, 2, coords=[pd.Index([1, 3, 2], name="place")], name="y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other.add_sos_constraints(y, sos_type=2, sos_dim="place")
    other.add_objective(y.sum())
    with pytest.raises(InputError, match="the order of set 'y' along 'place' is unclear"):
        read(other)


@pytest.mark.filterwarnings("ignore")
def test_indicators_are_read_with_masked_elements() -> None:
    model = linopy.Model()
    index = pd.Index([1, 2, 3], name="i")
    mask = pd.Series([False, True, True], index)
    x = model.add_variables(0, 3, integer=True, coords=[index], mask=mask, name="x")
    b = model.add_variables(binary=True, coords=[index], mask=mask, name="b")
    c = model.add_variables(binary=True, name="c")
    model.add_indicator_constraints(b, 1, x <= 1, name="few")
    model.add_indicator_constraints(c, 0, 2 * x.sum() >= 3, name="some")
    model.add_constraints(x.sum() <= 4, name="row")
    model.add_objective(1 * c)
    found = read(model)
    assert found.logic is not None
    assert [one.name for one in found.logic.constructs] == ["few[2]", "few[3]", "some"]
    wanted = {
        (x2, x3, b2, b3, c)
        for x2, x3, b2, b3, c in itertools.product(range(4), range(4), (0, 1), (0, 1), (0, 1))
        if x2 + x3 <= 4 and not (b2 and x2 > 1) and not (b3 and x3 > 1) and (c or x2 + x3 >= 2)
    }
    names = ("x[2]", "x[3]", "b[2]", "b[3]", "c")
    pool = calmip.enumerate(model)
    assert {tuple(one[name] for name in names) for one in pool.values} == wanted


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "mip", "docplex"} & set(sys.modules)
