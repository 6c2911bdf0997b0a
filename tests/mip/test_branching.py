"""Pseudo-costs: what a child teaches, and which column they choose."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import linear_program
from calmip.mip.lp.branching import (
    BRANCHINGS,
    ORDERS,
    Node,
    SearchedTree,
    _Search,
    branch_and_bound,
)
from calmip.mip.lp.linear import LinearModel, LinearPoint
from calmip.mip.model import Model


def search_of(columns: int) -> _Search:
    model = Model(
        columns=tuple(f"x{number}" for number in range(columns)),
        rows=("r",),
        start=np.array([0, columns], dtype=np.int32),
        index=np.arange(columns, dtype=np.int32),
        value=np.ones(columns),
        lower=np.array([1.0]),
        upper=np.array([1.0]),
        cost=np.ones(columns),
    )
    return _Search(model, "depth-first", "pseudo-cost", False)


def point(bound: float, *values: float) -> LinearPoint:
    nothing = np.zeros(len(values))
    return LinearPoint(bound, np.array(values), nothing, np.zeros(1))


def test_a_child_teaches_the_rise_per_unit_of_its_own_side() -> None:
    search = search_of(2)
    search.points[0] = point(10.0, 0.25, 0.6)
    search._record_rise(0, 0, 1, point(13.0, 1.0, 0.0))
    # Up by 0.75 the bound rose by 3; nothing is known of the way down.
    assert search.rises == {(0, 1): (pytest.approx(4.0), 1)}
    search._record_rise(0, 0, 0, point(10.5, 0.0, 1.0))
    assert search.rises[0, 0] == (pytest.approx(2.0), 1)
    search._record_rise(0, 0, 1, point(10.0, 1.0, 0.0))
    assert search.rises[0, 1] == (pytest.approx(4.0), 2)
    assert (search._pseudo_cost(0, 0), search._pseudo_cost(0, 1)) == pytest.approx((2.0, 2.0))
    # Of another column the mean of the same side is taken.
    search._record_rise(0, 1, 0, point(16.0, 0.0, 0.0))
    assert search.rises[1, 0] == (pytest.approx(10.0), 1)
    assert search._pseudo_cost(1, 1) == pytest.approx(2.0)
    # The score is the product of what both children promise.
    assert search._score(0, 0.25) == pytest.approx(2.0 * 0.25 * 2.0 * 0.75)
    assert search._score(1, 0.6) == pytest.approx(10.0 * 0.6 * 2.0 * 0.4)


def test_a_side_that_promises_nothing_counts_for_a_little() -> None:
    """So that the other side still tells columns apart."""
    search = search_of(1)
    search.rises = {(0, 0): (0.0, 1), (0, 1): (4.0, 1)}
    assert search._score(0, 0.25) == pytest.approx(1e-6 * 4.0 * 0.75)
    search.rises = {(0, 0): (4.0, 1), (0, 1): (0.0, 1)}
    assert search._score(0, 0.25) == pytest.approx(1e-6 * 4.0 * 0.25)


def test_before_anything_is_known_a_unit_promises_one() -> None:
    search = search_of(1)
    assert (search._pseudo_cost(0, 0), search._pseudo_cost(0, 1)) == (1.0, 1.0)
    assert search._score(0, 0.5) == pytest.approx(0.25)


def test_a_child_without_a_point_counts_as_the_largest_rise_so_far() -> None:
    search = search_of(2)
    search.points[0] = point(0.0, 0.5, 0.5)
    search._record_rise(0, 0, 0, None)
    assert search.rises[0, 0] == (pytest.approx(2.0), 1)
    search._record_rise(0, 0, 1, point(4.0, 1.0, 0.0))
    search._record_rise(0, 1, 1, None)
    assert search.rises[1, 1] == (pytest.approx(8.0), 1)
    # A bound that falls by a rounding error teaches no fall.
    search._record_rise(0, 1, 0, point(-1e-12, 0.0, 1.0))
    assert search.rises[1, 0] == (0.0, 1)


def test_a_column_that_was_whole_teaches_nothing() -> None:
    search = search_of(2)
    search.points[0] = point(0.0, 1.0, 0.5)
    search._record_rise(0, 0, 1, point(5.0, 1.0, 0.5))
    assert search.rises == {}


@pytest.mark.parametrize(("side", "chosen"), [(0, 0), (1, 1)])
def test_the_column_with_the_greatest_promise_is_branched_on(side: int, chosen: int) -> None:
    """Column 0 is dear to round down, column 1 to round up, and each goes another way."""
    search = search_of(2)
    search.rises = {(0, 0): (9.0, 1), (0, 1): (1.0, 1), (1, 0): (1.0, 1), (1, 1): (9.0, 1)}
    # The products are 9 v (1 - v) alike, but for the values.
    values = (0.5, 0.4) if side == 0 else (0.4, 0.5)
    search.points[0] = point(0.0, *values)
    search.nodes.append(Node(0, -1, -1, 0, 0.0, 2, "open"))
    assert search._column(0) == chosen
    search.rises = {
        (0, side): (9.0, 1),
        (0, 1 - side): (1.0, 1),
        (1, 0): (1.0, 1),
        (1, 1): (1.0, 1),
    }
    assert search._column(0) == 0


def triangle() -> Model:
    """Return a model whose relaxation is 1/2 everywhere: of each two columns one, at least."""
    return Model(
        columns=("x", "y", "z"),
        rows=("a", "b", "c"),
        start=np.array([0, 2, 4, 6], dtype=np.int32),
        index=np.array([0, 1, 0, 2, 1, 2], dtype=np.int32),
        value=np.ones(6),
        lower=np.ones(3),
        upper=np.full(3, np.inf),
        cost=np.array([1.0, 1.0, 1.0]),
    )


@pytest.mark.parametrize("branching", ["most-fractional", "pseudo-cost"])
@pytest.mark.parametrize("order", ORDERS)
def test_children_are_made_in_their_order_and_teach(order: str, branching: str) -> None:
    search = _Search(triangle(), order, branching, False)
    found = search.run(100)
    assert found.complete
    root, first, second, *_ = found.nodes
    assert (root.bound, root.fractional) == (pytest.approx(1.5), 3)
    # Where depth counts, the child that is made last is taken first: that with a column more.
    assert (first.value, second.value) == ((0, 1) if order == "depth-first" else (1, 0))
    assert (first.parent, second.parent) == (0, 0)
    assert [sum(c in node.ones for c in range(3)) for node in found.nodes if node.ones][-1] == 2
    # Every child taught its side: from 1/2 to a whole number is half a unit.
    assert search.rises[first.column, first.value][1] >= 1
    assert search.rises[first.column, second.value][1] >= 1
    assert sum(count for _, count in search.rises.values()) == len(found.nodes) - 1


def test_a_model_that_highs_does_not_take_is_an_error() -> None:
    wrong = replace(triangle(), index=np.array([0, 1, 0, 2, 1, 7], dtype=np.int32))
    with pytest.raises(SolverFailed, match="HiGHS does not take this model"):
        LinearModel(wrong)


def test_a_coefficient_that_highs_refuses_is_named() -> None:
    great = [("small", {0: 1.0}, 0.0, 1.0), ("none", {}, 0.0, 1.0), ("great", {1: 2e15}, 0.0, 1.0)]
    with pytest.raises(InputError, match=r"row 'great' has the coefficient 2e\+15.*above 1e\+15"):
        LinearModel(Model.from_rows(["x", "y"], great))
    matrix = ([0, 1, 1, 2], [0, 1], [1.0, -2e15])
    with pytest.raises(SolverFailed, match=r"row 3 has the coefficient -2e\+15"):
        linear_program("a test", ([0.0] * 3, [1.0] * 3), matrix, cost=[0.0, 0.0])


def test_a_relaxation_that_is_not_solved_is_an_error() -> None:
    linear = LinearModel(triangle())
    linear._highs.set({"simplex_iteration_limit": 0})
    with pytest.raises(SolverFailed, match="ended the relaxation with the status 'Iteration limit"):
        linear.solve()
    linear._highs.set({"simplex_iteration_limit": 1000})
    point = linear.solve()
    assert point is not None
    assert point.bound == pytest.approx(1.5)
    linear.at_most([0, 1, 2], 1.0)
    assert linear.solve() is None


@pytest.mark.parametrize("order", ORDERS)
def test_only_nodes_that_are_branched_on_have_children(order: str) -> None:
    random = np.random.default_rng(3)
    pruned = 0
    for _ in range(30):
        edges = np.array([random.choice(7, 2, replace=False) for _ in range(9)], dtype=np.int32)
        model = Model(
            columns=tuple("abcdefg"),
            rows=tuple(f"r{row}" for row in range(9)),
            start=np.arange(0, 19, 2, dtype=np.int32),
            index=np.sort(edges, axis=1).reshape(-1),
            value=np.ones(18),
            lower=np.ones(9),
            upper=np.full(9, np.inf),
            cost=random.integers(1, 5, 7).astype(float),
        )
        nodes = _Search(model, order, "most-fractional", False).run(1000).nodes
        children = Counter(node.parent for node in nodes[1:])
        statuses = {node.number: node.status for node in nodes}
        assert children == {
            number: 2 for number, status in statuses.items() if status == "branched"
        }
        pruned += sum(status == "bound" for status in statuses.values())
    assert pruned


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("seed", range(4))
def test_a_tree_is_complete_within_its_limit_or_has_open_nodes(
    seed: int, branching: str, order: str, every: bool
) -> None:
    draw = random.Random(seed)
    width = 4
    rows = [
        (f"r{number}", {c: float(draw.choice([-2, 1, 3])) for c in range(width)}, 1.0, np.inf)
        for number in range(3)
    ]
    model = Model.from_rows(
        list("abcd"), rows, [float(draw.choice([1, 2, 5, -1])) for _ in range(width)]
    )
    points = [
        ones
        for size in range(width + 1)
        for ones in combinations(range(width), size)
        if all(sum(terms[c] for c in ones) >= low for _, terms, low, _ in rows)
    ]
    best = min(model.objective(one) for one in points) if points else None

    def tree(limit: int) -> SearchedTree:
        return branch_and_bound(model, order=order, branching=branching, every=every, limit=limit)

    whole = tree(500)
    assert whole.complete
    if every:
        assert sorted(whole.solutions) == sorted(points)
    elif points:
        assert min(map(model.objective, whole.solutions)) == best
    for limit in range(1, len(whole.nodes) + 2):
        found = tree(limit)
        assert len(found.nodes) <= limit
        assert found.complete is (found.count("open") == 0)
        assert len(found.nodes) >= min(limit - 1, len(whole.nodes))
        children = Counter(node.parent for node in found.nodes[1:])
        branched = [node.number for node in found.nodes if node.status == "branched"]
        assert children == dict.fromkeys(branched, 2)
        if found.complete:
            assert found.nodes == whole.nodes
        assert set(found.solutions) <= set(points)
