"""Searches of models with any variables, against every point of a box."""

from __future__ import annotations

import itertools
import math
from array import array
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_models import optimum, small_models

from calmip._base import limits
from calmip._base.limits import Deadline
from calmip.mip.compare.comparison import include
from calmip.mip.iis.subsystem import Subsystems
from calmip.mip.independent_search import find
from calmip.mip.model import Model

INF = math.inf


@pytest.mark.long
@given(st.one_of(small_models(), small_models(continuous=True)))
def test_a_search_equals_brute_force(model: Model) -> None:
    best = optimum(model)
    there, point = find(model)
    assert there is (best is not None)
    if best is None:
        return
    assert model.violated(point) is None
    there, point = find(model, most=best)
    assert there
    assert model.violated(point) is None
    assert sum(model.costs.get(c, 0) * v for c, v in point.items()) == best
    assert find(model, most=best - Fraction(1, 10**9)) == (False, {})


def test_an_unbounded_model_has_points_of_any_cost() -> None:
    model = Model.from_rows(
        ["n", "x"],
        [("r", {0: 3, 1: -2}, 0.5, 0.5)],
        [-1, 0],
        column_upper=array("d", [INF, INF]),
        integer=array("b", [1, 0]),
    )
    there, point = find(model, most=-(10**30))
    assert there
    assert model.violated(point) is None
    assert point[0] >= 10**30


def test_a_search_without_end_stops_at_its_time_limit() -> None:
    # x + y is even and x - y is odd: no integral solution, and an unbounded relaxation.
    model = Model.from_rows(
        list("xyzw"),
        [("even", {0: 1, 1: 1, 2: -2}, 0, 0), ("odd", {0: 1, 1: -1, 3: -2}, 1, 1)],
        column_upper=array("d", [INF] * 4),
    )
    assert find(model, Deadline(0.05), least=0.05) == (None, {})


def pigeons(count: int, holes: int, *, most: float = 1.0) -> Model:
    """Each pigeon has a hole to itself, which is infeasible if there are more pigeons."""
    place = {(a, b): a * holes + b for a in range(count) for b in range(holes)}
    rows = [
        (f"pigeon{a}", {place[a, b]: 1.0 for b in range(holes)}, 1.0, 1.0) for a in range(count)
    ]
    rows += [
        (f"hole{b}_{a}_{other}", {place[a, b]: 1.0, place[other, b]: 1.0}, -INF, 1.0)
        for b in range(holes)
        for a, other in itertools.combinations(range(count), 2)
    ]
    return Model.from_rows(
        [f"x{a}_{b}" for a, b in place], rows, column_upper=array("d", [most] * len(place))
    )


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A clock that goes on by a second whenever it is looked at: a limit ends at any look."""
    now = [0]

    def look() -> float:
        now[0] += 1
        return float(now[0])

    monkeypatch.setattr(limits, "perf_counter", look)
    return now


LATE = 4
"""The looks at a clock, after its end, until a search ends."""


@pytest.mark.parametrize(
    "most", [1.0, *(pytest.param(most, marks=pytest.mark.long) for most in (2.0, INF))]
)
@pytest.mark.parametrize("count", [4, 5])
def test_a_time_limit_is_no_answer_wherever_it_ends_a_search(
    ticks: list[int], count: int, most: float
) -> None:
    model, answers = pigeons(count, 4, most=most), []
    for least in (0.5, 3.0):
        for looks in range(1, 25):
            before = ticks[0]
            there, _ = find(model, Deadline(looks), least=least)
            answers.append(there)
            assert ticks[0] - before <= max(looks, least) + least + LATE
    assert set(answers) == {None, count <= 4}
    assert answers[23] is answers[-1] is (count <= 4)


@pytest.mark.long
@pytest.mark.usefixtures("ticks")
def test_a_time_limit_proves_no_subsystem_and_no_comparison() -> None:
    model, feasible = pigeons(4, 3), pigeons(3, 3)
    freed = feasible.changed(upper=array("d", [*feasible.values("upper")[:-1], INF]))
    columns = {column: column for column in range(9)}
    irreducible, verdicts = [], []
    for looks in (*range(1, 40), 10**6):
        try:
            found = Subsystems(model, clock=Deadline(looks)).find()
        except TimeoutError:
            found = None
        else:
            assert found is not None
        irreducible.append(found is not None and found.irreducible)
        verdicts.append(include(freed, feasible, columns, Deadline(looks)).holds)
        assert include(feasible, freed, columns, Deadline(looks)).holds in {None, True}
    assert set(irreducible) == {False, True}
    assert set(verdicts) == {None, False}
    assert (irreducible[-1], verdicts[-1]) == (True, False)
