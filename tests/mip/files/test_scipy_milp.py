"""The arguments of scipy.optimize.milp, read as a model."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from layer_models import INF, draw, matches
from requirements import need_package

import calmip
from calmip import InputError
from calmip.mip import read_milp
from calmip.mip.files.objects import PointValues


@pytest.mark.long
@pytest.mark.parametrize("sparse", [False, True])
def test_twenty_models_have_the_optimum_of_scipy(sparse: bool) -> None:
    scipy = need_package("scipy.optimize")
    matrix = need_package("scipy.sparse").csc_array if sparse else np.array
    solved = 0
    for seed in range(20):
        drawn = draw(seed, constant=False)
        drawn = type(drawn)(drawn.columns, drawn.rows, drawn.cost, 0, False)
        lower, upper, whole = (np.array(part) for part in zip(*drawn.columns, strict=True))
        rows, low, high = (np.array(part) for part in zip(*drawn.rows, strict=True))
        constraints = scipy.LinearConstraint(matrix(rows), low, high)
        arguments = {
            "integrality": whole.astype(int),
            "bounds": scipy.Bounds(lower, upper),
            "constraints": constraints,
        }
        model = read_milp(np.array(drawn.cost), **arguments)
        matches(model, drawn)
        found = scipy.milp(np.array(drawn.cost), **arguments)
        solution = calmip.solve(model)
        if found.status == 0:
            assert solution.objective == pytest.approx(found.fun)
            solved += 1
        else:
            assert solution.status in ("infeasible", "unbounded")
    assert solved > 5


def some(**parts: Any) -> Any:
    return SimpleNamespace(**parts)


def test_several_constraints_and_what_is_left_out() -> None:
    first = some(A=[1, 2], lb=-INF, ub=4)
    second = some(A=[[1, 0], [0.1, -1]], lb=[0, 1], ub=INF)
    model = read_milp([1, 2.5], integrality=1, constraints=[first, second])
    assert [model.exact_row(n)[1:] for n in range(3)] == [(-INF, 4), (0, INF), (1, INF)]
    assert model.bounds(1) == (0, INF)
    assert model.integer.tolist() == [1, 1]
    assert read_milp([1, 2], constraints=first).rows == ("r0",)
    assert read_milp([1, 2]).rows == read_milp([1, 2], constraints=None).rows == ()
    assert read_milp([1, 2], constraints=some(A=np.ones((0, 2)), lb=0, ub=1)).rows == ()
    bounded = read_milp([1, 2], bounds=some(lb=np.array([0]), ub=[3, 4]))
    assert [bounded.bounds(n) for n in (0, 1)] == [(0, 3), (0, 4)]
    assert PointValues(model, {1: 3})[1] == 3


def test_a_sparse_matrix_has_a_column_for_each_variable() -> None:
    sparse = need_package("scipy.sparse")
    for width in (1, 3):
        matrix = sparse.csr_array(np.ones((1, width)))
        with pytest.raises(
            InputError, match=rf"constraints\[0\] .* shape \(1, {width}\), and there"
        ):
            read_milp([1, 2], constraints=some(A=matrix, lb=0, ub=1))
    twice = sparse.csr_array(([0.1, 0.2], [1, 1], [0, 2]), shape=(1, 2))
    found = read_milp([1, 2], constraints=some(A=twice, lb=0, ub=1))
    assert found.exact_row(0)[0] == {1: Fraction(3, 10)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"constraints": 5}, "constraints[0] is of the type int, which has no A"),
        ({"integrality": [0, 2]}, "variable 'c1' has the integrality 2; 0 and 1 are read"),
        ({"integrality": 3}, "variable 'c0' has the integrality 3"),
        ({"bounds": (0, 1)}, "bounds is of the type tuple, which has no lb"),
        ({"constraints": ([1, 1], 0, 1)}, "constraints[0] is of the type list, which has no A"),
        ({"constraints": some(A=[[1, 1]], lb=[0, 0], ub=1)}, "constraints[0] has 1 rows, 2 bounds"),
        ({"constraints": some(A=[[1, 1, 1]], lb=0, ub=1)}, "A[0] has 3 entries"),
        ({"bounds": some(lb=[0, 0, 0], ub=1)}, "lower has 3 entries"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_milp([1, 2], **arguments)
    assert str(caught.value).startswith("read_milp: ")
    assert words in str(caught.value)
