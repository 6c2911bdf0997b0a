"""The existence and number of a model's solutions, by searches that verify every solution.

A *witness* is a search of calmip's own, other than the one whose claim is checked: one-tree, with
exact proofs. Whether another solution costs less, and anything about models with other than binary
variables, is searched as a pool is, with cuts and exact dual bounds; if integers have no bounds, by
a branch and bound with exact linear programs. Those of puzzles are their own.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import count, pairwise
from typing import TYPE_CHECKING, cast

from calmip._base.errors import InputError
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.defined import project
from calmip.mip.rows import is_finite
from calmip.mip.status import Status

if TYPE_CHECKING:
    from calmip.mip.lp.exact_lp import LinearAnswer
    from calmip.mip.model import Model
    from calmip.mip.rows import Bound, Number

WITNESS_SECONDS = 1.0
"""The least seconds of a witness, even if a time limit leaves less."""

LONG_SHARE = 1 / 3
"""The share of the columns in a row that is used as an objective."""

SHARE = 0.8
"""The share of the time that the search of the pool has, before one-tree has the rest."""

MAX_SECONDS = 60.0
"""The most seconds of a branch and bound without a time limit, as it may have no end."""


def exists(
    model: Model, clock: Deadline = ENDLESS, *, least: float | None = None
) -> tuple[bool | None, list[int]]:
    """Return whether there is a solution, None if it is not known in time, and its ones.

    Parameters
    ----------
    model
        The model, of binary variables.
    clock
        The time limit.
    least
        The seconds of the search even if fewer remain, by default `WITNESS_SECONDS`.
    """
    from calmip.mip.one_tree import OneTree

    tree = OneTree(
        model, limit=1, clock=clock.at_least(WITNESS_SECONDS if least is None else least)
    )
    for solution in tree:
        if model.violated(solution) is None:
            return True, solution
    return (False if tree.complete else None), []


def find(
    model: Model,
    clock: Deadline = ENDLESS,
    *,
    most: Number | None = None,
    least: float | None = None,
    nodes: int | None = None,
) -> tuple[bool | None, dict[int, Number]]:
    """Return whether a model has a solution, None if no witness decides in time, and a solution.

    Parameters
    ----------
    model
        The model, with any variables.
    most
        The most that the solution may cost, where ``model.costs`` are minimised.
    clock, least
        As for `exists`.
    nodes
        The most nodes if integers have no bounds, as the tree may have no end.
    """
    least = WITNESS_SECONDS if least is None else least
    if model.binary:
        model = model.as_binary()
    priced, worst = (model, most) if most is not None else _priced_by_a_row(model)
    if model.binary:
        if worst is not None:
            clock = clock.at_least(least)
            there, point = _search_pool(priced, worst, clock.first(SHARE))
            if there is not None:
                return there, point
            least *= 1 - SHARE
        if most is not None:
            model = model.with_objective_row("at most", -math.inf, most)
        there, ones = exists(model, clock, least=least)
        return there, dict.fromkeys(ones, 1)
    limit = clock.at_least(least)
    if limit.seconds is None:
        limit = Deadline(MAX_SECONDS)
    try:
        there, point = _search_pool(priced, worst, limit)
    except InputError:  # an integer without bounds
        there, point = _branch_and_bound(model, most, limit, nodes)
    if there and model.violated(point, clock) is not None:
        raise AssertionError("a search found a wrong point")
    return there, model.own(point)


def _priced_by_a_row(model: Model) -> tuple[Model, Number | None]:
    """Return the model with the longest row with one side as costs, and the most they may be.

    Bounds of an objective close more of a tree than a row does. None if no row is that long.
    """
    start, lower, upper = map(model.values, ("start", "lower", "upper"))
    ends = zip(pairwise(start), lower, upper, strict=True)
    sizes = [
        (end - first, -row)
        for row, ((first, end), low, high) in enumerate(ends)
        if math.isinf(low) != math.isinf(high)
    ]
    size, row = max(sizes, default=(0, 0))
    if size < max(2, LONG_SHARE * len(model.columns)) or not any(model.values("integer")):
        return model, None
    terms, low, high = model.exact_row(-row)
    sign = -1 if is_finite(low) else 1
    priced = model.without_sides(-row).with_costs({c: sign * x for c, x in terms.items()})
    return priced, sign * cast("Number", low if sign < 0 else high)


def _search_pool(
    model: Model, most: Number | None, clock: Deadline
) -> tuple[bool | None, dict[int, Number]]:
    """Search for a solution that costs at most so much."""
    from calmip.mip.pool import EVERY, Goal, PoolSearch

    if not any(model.values("integer")):
        return _branch_and_bound(model, most, clock)  # one exact linear program
    goal = EVERY if most is None else Goal(most=most)
    search = PoolSearch(model, goal, clock=clock, limited=most is None)
    for _, point in search:
        cost = sum(model.costs.get(column, 0) * value for column, value in point.items())
        if _within(cost, most):
            return True, point
    return (False if search.complete else None), {}


def _branch_and_bound(
    model: Model, most: Number | None, clock: Deadline, limit: int | None = None
) -> tuple[bool | None, dict[int, Number]]:
    """Search depth-first; each node is pruned by an exact dual bound or Farkas multipliers."""
    from calmip.mip.lp.exact_lp import ExactLp

    every = range(len(model.columns))
    linear = ExactLp(model, every)
    integer = set(filter(model.is_integer, every))
    nodes: list[dict[int, tuple[Bound, Bound]]] = [{}]
    for number in count(1):
        if not nodes:
            break
        if limit is not None and number > limit:
            return None, {}
        bounds = nodes.pop()
        answer = linear.solve(clock=clock, bounds=bounds)
        if answer.status is Status.UNKNOWN:
            return None, {}
        cost = answer.cost
        if answer.status is Status.INFEASIBLE:
            continue
        if answer.status is Status.OPTIMAL and not _within(cost, most):
            continue
        fractional = {
            column: value - math.floor(value)
            for column, value in answer.point.items()
            if column in integer and value.denominator != 1
        }
        if not fractional:
            if most is None or _within(cost, most):
                return True, answer.point
            return True, _descend(model, answer, most)
        column = min(fractional, key=lambda c: (abs(fractional[c] - Fraction(1, 2)), c))
        low, high = bounds.get(column, model.bounds(column))
        value = math.floor(answer.point[column])
        children = [{**bounds, column: (low, value)}, {**bounds, column: (value + 1, high)}]
        # The nearer child comes first, so it is the last one added.
        nodes += children if fractional[column] > Fraction(1, 2) else children[::-1]
    return False, {}


def _within(cost: Number | None, most: Number | None) -> bool:
    return most is None or (cost is not None and cost <= most)


def _descend(model: Model, answer: LinearAnswer, most: Number) -> dict[int, Number]:
    """Return a point so far along a ray of whole numbers that it costs at most so much."""
    ray = answer.ray
    fall = -sum(model.costs.get(column, 0) * step for column, step in ray.items())
    times = math.ceil(Fraction(cast("Number", answer.cost) - most) / fall)
    columns = answer.point.keys() | ray.keys()
    moved = {c: answer.point.get(c, 0) + times * ray.get(c, 0) for c in columns}
    return {column: value for column, value in moved.items() if value}


def number_of(model: Model, most: int, clock: Deadline = ENDLESS) -> int | None:
    """Return the number of solutions, or one more than ``most``; None if not known in time."""
    from calmip.mip.one_tree import OneTree

    model = project(model).as_binary("a count")
    tree = OneTree(model, limit=most + 1, clock=clock.at_least(WITNESS_SECONDS))
    number = sum(model.violated(solution) is None for solution in tree)
    return number if tree.complete or number > most else None
