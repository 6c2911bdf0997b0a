"""Witnesses: whether solutions exist, and how many, against all points; limits decide nothing."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from calmip import Model
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import independent_search
from calmip.mip.independent_search import _branch_and_bound, exists, find, number_of
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.status import Status

KINDS = ("binary", "integer", "mixed", "linear")


def random_model(seed: int, kind: str) -> Model:
    draw = Random(seed)
    integer = {"mixed": [True, True, False], "linear": [False] * 3}.get(kind, [True] * 3)
    ends = [(0, 1) if kind == "binary" else (draw.randint(-2, 0), 2) for _ in range(3)]
    rows = []
    for name in "rq"[: draw.randint(1, 2)]:
        terms = {c: draw.choice([-2, -1, 1, 2, 3]) for c in range(3) if draw.random() < 0.9}
        low = draw.randint(-2, 4)
        rows.append((name, terms, low, draw.choice([low, low + 1, math.inf])))
    costs = {c: draw.choice([-1, 1, 2, Fraction(1, 2)]) for c in range(3)}
    return exact_model(list("xyz"), ends, integer, rows, costs)


def least_costs(model: Model) -> list[Fraction]:
    """Return the least cost for all values of the integers that have a completion."""
    linear, found = ExactLp(model, range(len(model.columns))), []
    whole = [c for c in range(len(model.columns)) if model.is_integer(c)]
    ranges = [range(math.ceil(a), math.floor(b) + 1) for a, b in map(model.bounds, whole)]
    for values in product(*ranges):
        fixed: Any = {c: (value, value) for c, value in zip(whole, values, strict=True)}
        answer = linear.solve(bounds=fixed)
        if answer.status is Status.OPTIMAL:
            found.append(Fraction(answer.cost or 0))
    return sorted(found)


def check(model: Model, found: Any, most: Any, costs: list[Fraction]) -> bool:
    """Check an answer; return whether there is such a solution."""
    there, point = found
    assert there is any(most is None or cost <= most for cost in costs)
    if there:
        assert model.violated(point) is None
        cost = sum(model.costs.get(c, 0) * value for c, value in point.items())
        assert most is None or cost <= most
    else:
        assert not point
    return bool(there)


@pytest.mark.parametrize("kind", KINDS)
def test_a_solution_is_found_if_there_is_one_that_costs_so_little(kind: str) -> None:
    seen = set()
    for seed in range(12):
        model = random_model(seed, kind)
        costs = least_costs(model)
        ends = [costs[0], costs[0] - Fraction(1, 7), costs[-1]] if costs else [Fraction(3)]
        for most in (None, *ends):
            seen.add(check(model, find(model, most=most), most, costs))
            check(model, _branch_and_bound(model, most, ENDLESS), most, costs)
    assert seen == {True, False}


def test_the_ones_of_a_binary_solution_are_found_and_counted() -> None:
    seen = set()
    for seed in range(30):
        model = random_model(seed, "binary").with_costs({})
        number = len(least_costs(model))
        there, ones = exists(model)
        assert there is (number > 0)
        assert not there or model.violated(dict.fromkeys(ones, 1)) is None
        for most in range(number + 2):
            assert number_of(model, most) == min(number, most + 1)
        seen.add(number)
    assert {0, 1} < seen


def test_a_ray_leads_to_a_solution_that_costs_as_little_as_is_wanted() -> None:
    """2 x + 3 y falls for ever along (1, -1), and x stays integral."""
    rows = [("r", {0: 1, 1: 1}, 1, 3), ("q", {0: 1}, 0, math.inf)]
    for integer in ([True, False], [True, True], [False, False]):
        model = exact_model(["x", "y"], [(-math.inf, math.inf)] * 2, integer, rows, {0: 2, 1: 3})
        for most in (None, 0, -100, Fraction(-7, 3)):
            there, point = _branch_and_bound(model, most, ENDLESS, 50)
            assert there is True
            assert model.violated(point) is None
            assert most is None or 2 * point.get(0, 0) + 3 * point.get(1, 0) <= most


def test_a_tree_without_an_end_decides_nothing() -> None:
    """2 x - 2 y = 1 has no integral solution, and no bounds; its tree is a path."""
    rows = [("r", {0: 2, 1: -2}, 1, 1)]
    model = exact_model(["x", "y"], [(-math.inf, math.inf)] * 2, [True] * 2, rows)
    for nodes in (0, 1, 7):
        assert _branch_and_bound(model, None, ENDLESS, nodes) == (None, {})
    easy = exact_model(["x"], [(0, 3)], [True], [("r", {0: 2}, 3, 3)])
    needed = next(n for n in range(9) if _branch_and_bound(easy, None, ENDLESS, n)[0] is not None)
    assert needed == 3  # the root and its two children
    for nodes in range(6):
        answer = (None, {}) if nodes < needed else (False, {})
        assert _branch_and_bound(easy, None, ENDLESS, nodes) == answer


def test_a_limit_leaves_a_least_time_and_decides_nothing_without() -> None:
    for kind in KINDS:
        for seed in range(6):
            model = random_model(seed, kind)
            there = bool(least_costs(model))
            assert find(model, Deadline(1e-9))[0] is there
            assert find(model, Deadline(1e-9), least=1e-9)[0] in (None, there)
    model = random_model(1, "mixed")
    assert find(model, Deadline(1e-9), least=1e-9) == (None, {})
    assert _branch_and_bound(model, None, Deadline(1e-9)) == (None, {})


def test_the_least_time_is_that_which_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    plain = Deadline.at_least

    def at_least(self: Deadline, seconds: float) -> Deadline:
        given.append(seconds)
        return plain(self, seconds)

    monkeypatch.setattr(Deadline, "at_least", at_least)
    binary = random_model(3, "binary").with_costs({})
    for least in (None, 0.25, 3.0):
        given.clear()
        exists(binary, least=least)
        find(random_model(3, "mixed"), least=least)
        assert given == [independent_search.WITNESS_SECONDS if least is None else least] * 2


@pytest.mark.parametrize("complete", [False, True])
def test_a_search_that_stops_or_lies_is_no_witness(
    complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Search:
        points: Any = ()

        def __init__(self, *_: object, **__: object) -> None:
            self.complete = complete

        def __iter__(self) -> Any:
            return iter([(0, point) for point in self.points])

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Search)
    rows = [("r", {0: 1, 1: 1}, 1, 3)]
    model = exact_model(["x", "y"], [(0, 3)] * 2, [True] * 2, rows, {0: 1, 1: 1})
    assert find(model, most=2) == ((False if complete else None), {})
    Search.points = ({0: 3},)  # it costs more than is asked for
    assert find(model, most=2) == ((False if complete else None), {})
    Search.points = ({0: 3}, {1: 2})
    assert find(model, most=2) == (True, {1: 2})
    Search.points = ({},)
    with pytest.raises(AssertionError, match="a search found a wrong point"):
        find(model, most=2)


@pytest.mark.parametrize("complete", [False, True])
def test_a_count_that_was_stopped_is_none_unless_it_is_large_enough(
    complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = exact_model(["x", "y"], [(0, 1)] * 2, [True] * 2, [("r", {0: 1, 1: 1}, 0, 1)])
    solutions: list[list[int]] = [[], [0], [1]]
    for number, most in product(range(4), range(4)):
        tree: Any = type("Tree", (list,), {"complete": complete})
        found = tree([*solutions[:number], [0, 1]])  # the last one is none
        monkeypatch.setattr("calmip.mip.one_tree.OneTree", lambda *_, found=found, **__: found)
        assert number_of(model, most) == (number if complete or number > most else None)
