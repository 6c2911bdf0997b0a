"""Models of python-mip, with HiGHS for the solver."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mip
import pytest
from layer_models import INF, Drawn, check_twenty, read

import calmip
from calmip import InputError
from calmip.mip.files.objects import PointValues


def empty(name: str = "made") -> Any:
    model = mip.Model(name, solver_name=mip.HIGHS)
    model.verbose = 0
    return model


def build(drawn: Drawn) -> tuple[Any, list[Any]]:
    model = empty()
    x = [
        model.add_var(f"x{n}", lb=low, ub=high, var_type=mip.INTEGER if whole else mip.CONTINUOUS)
        for n, (low, high, whole) in enumerate(drawn.columns)
    ]
    for number, (terms, low, high) in enumerate(drawn.rows):
        left = mip.xsum(a * v for a, v in zip(terms, x, strict=True) if a)
        row = left == low if low == high else left <= high if math.isinf(low) else left >= low
        model.add_constr(row, f"row{number}")
    goal = mip.xsum(c * v for c, v in zip(drawn.cost, x, strict=True)) + drawn.constant
    model.objective = (mip.maximize if drawn.maximise else mip.minimize)(goal)
    return model, x


def test_twenty_models() -> None:
    check_twenty(build)


def plan() -> tuple[Any, Any, Any, Any]:
    model = empty("two words")
    x = model.add_var("x", var_type=mip.INTEGER, ub=5)
    y, b = model.add_var("y", lb=-INF), model.add_var("b", var_type=mip.BINARY)
    model.objective = mip.maximize(x - 0.5 * b + 7)
    return model, x, y, b


def test_constants_and_repeated_variables_are_read_exactly() -> None:
    model, x, y, b = plan()
    model.add_constr(0.2 * x + 0.1 * y + 0.5 <= 1 - b, "both")
    model.add_constr(mip.xsum([x, x, y]) >= 2)
    found = read(model)
    assert (found.columns, found.name) == (("x", "y", "b"), "two_words")
    assert found.exact_row(0) == (
        {0: Fraction(1, 5), 1: Fraction(1, 10), 2: 1},
        -INF,
        Fraction(1, 2),
    )
    assert found.exact_row(1) == ({0: 2, 1: 1}, 2, INF)
    assert [found.bounds(n) for n in range(3)] == [(0, 5), (-INF, INF), (0, 1)]
    assert (found.costs, found.constant) == ({0: -1, 2: Fraction(1, 2)}, 7)


def test_an_answer_is_set_back_checked_and_explained() -> None:
    model, x, _, b = plan()
    model.add_constr(2 * x <= 7 + b, "room")
    with pytest.raises(InputError, match="has no value"):
        calmip.check(model, model)
    solution = calmip.solve(model)
    assert (solution.objective, solution[x], solution[b]) == (10.5, 4, 1)
    solution.apply_to(model)
    assert dict(model.start) == {x: 4, model.vars[1]: 0, b: 1}
    model.optimize()
    assert model.objective_value == pytest.approx(10.5)
    assert "checked" in str(calmip.check(model, model))
    assert "'room' by 1" in str(calmip.check(model, {x: 4, b: 0}))
    model.add_constr(x >= 5, "many")
    said = str(calmip.explain(model))
    assert "room: 2 x - b <= 7" in said
    assert "many: x >= 5" in said


def test_a_variable_of_another_model_has_no_value() -> None:
    (model, x, *_), (_, stranger, *_) = plan(), plan()
    values = PointValues(read(model), {0: 3})
    assert values[x] == 3
    assert stranger not in values


REFUSED: dict[str, Callable[[], Any]] = {
    "its solver Cbc may have lazy constraints": lambda: mip.Model(solver_name=mip.CBC),
    "the model has a lazy_constrs_generator": lambda: generated("lazy_constrs_generator"),
    "the model has a cuts_generator": lambda: generated("cuts_generator"),
}


def generated(part: str) -> Any:
    model, *_ = plan()
    setattr(model, part, mip.ConstrsGenerator())
    return model


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_read_is_refused_by_its_name(words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(REFUSED[words]())
    assert str(caught.value).startswith("mip.Model: ")
    assert words in str(caught.value)


def test_no_other_layer_is_imported() -> None:
    assert not {"pulp", "pyomo", "cvxpy", "xpress", "linopy"} & set(sys.modules)
