"""Textbook branch and bound, with a tree small enough to show.

Every node's linear relaxation is solved by HiGHS when the node is made. A node is pruned if its
relaxation is infeasible or its bound no better than the incumbent; an integral point is a
solution. Of the other nodes one is chosen, and a fractional column becomes 1 in one child and 0
in the other (Land and Doig 1960, https://doi.org/10.2307/1910129). `calmip.mip.one_tree` finds
all solutions much faster.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from calmip._base.errors import InputError
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.lp.linear import TINY, LinearModel, LinearPoint
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, Row

ORDERS = ("depth-first", "best-first")
BRANCHINGS = ("most-fractional", "pseudo-cost")

MAX_COST_STEPS = 1_000_000
"""The greatest cost, as a multiple of the unit of all costs, is at most this."""


@dataclass(frozen=True)
class Node:
    """A node of the tree."""

    number: int
    """Its place in the order in which relaxations were solved, from 0 on."""
    parent: int
    """The number of its parent; -1 for the root."""
    column: int = -1
    """The column that was fixed on the way from its parent; -1 for the root."""
    value: int = 0
    """The value of that column."""
    bound: float | None = None
    """The minimum of its relaxation, None if that is infeasible."""
    fractional: int = 0
    """The number of fractional columns."""
    status: str = "infeasible"
    """``branched``; pruned as ``infeasible`` or by ``bound``; a ``solution``; or still
    ``open`` when a limit was reached."""
    ones: tuple[int, ...] = ()
    """The columns that are 1 in a solution."""


@dataclass(frozen=True)
class SearchedTree:
    """A whole tree, its nodes in the order in which they were made."""

    order: str
    branching: str
    nodes: tuple[Node, ...]
    complete: bool
    """Whether no node is open."""

    def count(self, status: str) -> int:
        """Return the number of nodes with this status."""
        return sum(node.status == status for node in self.nodes)

    @property
    def solutions(self) -> list[tuple[int, ...]]:
        """The columns that are 1 in each solution, in the order in which they were found."""
        return [node.ones for node in self.nodes if node.status == "solution"]


def branch_and_bound(
    model: Model,
    *,
    order: str = ORDERS[0],
    branching: str = BRANCHINGS[0],
    every: bool = False,
    limit: int = 500,
    clock: Deadline = ENDLESS,
) -> SearchedTree:
    """Solve a binary model by branch and bound and return the tree.

    Best-first takes the node with the best bound, of equal ones that with the
    fewest fractional columns. Pseudo-costs are the mean rise of the bound per
    unit by which a column was rounded; an infeasible child counts as the largest rise so far.
    A column without history has the mean of all columns.

    Parameters
    ----------
    model, limit, clock
        The model, the most nodes, and the time limit.
    order, branching
        One of `ORDERS` and one of `BRANCHINGS`.
    every
        Whether to find all solutions: a node with an integral point is branched
        until its solution is the only one, and no node is pruned by bound.

    Raises
    ------
    InputError
        If the costs are too fine for floating-point bounds to distinguish two solutions.
    TimeoutError
        If the time limit is reached before the relaxation of the root is solved.
    """
    return _Search(model, order, branching, every, clock).run(limit)


def _in_units(model: Model) -> tuple[float, Mapping[int, int]]:
    """Return a unit that divides all costs, and the costs as its multiples."""
    terms = Row(model.costs, -math.inf, math.inf).reduced().terms
    if all(isinstance(cost, int) and abs(cost) <= MAX_COST_STEPS for cost in model.costs.values()):
        return 1.0, {column: int(cost) for column, cost in model.costs.items()}
    column = next(iter(terms))
    unit = Fraction(model.costs[column]) / terms[column]
    steps = max(map(abs, terms.values()))
    if steps > MAX_COST_STEPS:
        raise InputError(
            f"the weights are multiples of {float(unit):g}, the greatest {steps:,} times; at most "
            f"{MAX_COST_STEPS:,} are distinguished in floating-point numbers; round the weights"
        )
    return float(unit), terms


class _Search:
    def __init__(
        self, model: Model, order: str, branching: str, every: bool, clock: Deadline = ENDLESS
    ) -> None:
        self.clock = clock
        self.unit, self.costs = _in_units(model)
        cost = np.array([self.costs.get(c, 0) for c in range(len(model.columns))], np.float64)
        self.model = model
        self.linear = LinearModel(replace(model, cost=cost, exact={}))
        # Within a ten-thousandth of a step, as HiGHS's tolerances are of the greatest cost.
        self.slack = max(TINY, 1e-8 * max(map(abs, self.costs.values()), default=0))
        self.order, self.branching, self.every = order, branching, every
        self.nodes: list[Node] = []
        self.queue: list[tuple[float, int, int]] = []
        self.points: dict[int, LinearPoint] = {}
        self.fixed: dict[int, int] = {}
        # The objective of the incumbent, in units, so that it is a whole number.
        self.best = math.inf
        # Rises of the bound per unit, by column and direction: their sum and their number.
        self.rises: dict[tuple[int, int], tuple[float, int]] = {}
        self.largest = 1.0

    def run(self, limit: int) -> SearchedTree:
        """Search until no node is open or a limit is reached."""
        self._add(-1, -1, 0)
        while self.queue and len(self.nodes) + 2 <= max(limit, 1) and not self.clock.over:
            first = heapq.heappop(self.queue)
            number, size, best = first[-1], len(self.nodes), self.best
            node = self.nodes[number]
            if self._is_pruned(node):
                self.nodes[number] = replace(node, status="bound")
                continue
            column = self._column(number)
            self.nodes[number] = replace(node, status="branched")
            # Depth-first takes the newest child first.
            try:
                for value in (0, 1) if self.order == "depth-first" else (1, 0):
                    self._add(number, column, value)
            except TimeoutError:  # the node stays open, without a child
                del self.nodes[size:]
                self.best = best
                self.queue = [one for one in self.queue if one[-1] < size]
                self.nodes[number] = node
                heapq.heappush(self.queue, first)
                break
            del self.points[number]
        for *_, number in self.queue:
            if self._is_pruned(self.nodes[number]):
                self.nodes[number] = replace(self.nodes[number], status="bound")
        nodes = tuple(
            node if node.bound is None else replace(node, bound=node.bound * self.unit)
            for node in self.nodes
        )
        complete = not any(node.status == "open" for node in nodes)
        return SearchedTree(self.order, self.branching, nodes, complete)

    def _add(self, parent: int, column: int, value: int) -> None:
        """Solve the relaxation of a new node, and queue it if it stays open."""
        number = len(self.nodes)
        self.nodes.append(Node(number, parent, column, value))
        self._fix(number)
        point = self.linear.solve(self.clock)
        if parent >= 0:
            self._record_rise(parent, column, value, point)
        if point is None:
            return
        fractional = len(point.fractional)
        node = replace(self.nodes[number], bound=point.bound, fractional=fractional, status="open")
        if self._is_pruned(node):
            node = replace(node, status="bound")
        elif not fractional and not (self.every and self._unfixed(point)):
            node = replace(node, status="solution", ones=tuple(point.ones))
            self.best = min(self.best, sum(self.costs.get(column, 0) for column in point.ones))
        else:
            self.points[number] = point
            first = -float(number) if self.order == "depth-first" else round(point.bound, 6)
            heapq.heappush(self.queue, (first, fractional, number))
        self.nodes[number] = node

    def _fix(self, number: int) -> None:
        """Set the bounds of the columns to those of a node."""
        wanted = {}
        while number >= 0:
            node = self.nodes[number]
            if node.column >= 0:
                wanted[node.column] = node.value
            number = node.parent
        for column in self.fixed.keys() - wanted.keys():
            self.linear.bound(column, 0, 1)
        for column, value in wanted.items():
            if self.fixed.get(column) != value:
                self.linear.bound(column, value, value)
        self.fixed = wanted

    def _unfixed(self, point: LinearPoint) -> list[int]:
        """Return the free columns that may have another value than at an integral point.

        First come those that are 1. One that is 0 stays 0 in a row without room for it.
        """
        ones = set(point.ones)
        free = [column for column in sorted(ones) if column not in self.fixed]
        if free:
            return free
        full = self.fixed.keys() | ones
        for terms, most in self._packings:
            if sum(terms[column] for column in ones & terms.keys()) >= most:
                full |= terms.keys()
        return [column for column in range(len(point.values)) if column not in full]

    @cached_property
    def _packings(self) -> list[tuple[Mapping[int, Number], Bound]]:
        """The rows of positive coefficients, and the most that they allow."""
        rows = self.model.exact_rows()
        return [(terms, high) for terms, _, high in rows if all(v > 0 for v in terms.values())]

    def _is_pruned(self, node: Node) -> bool:
        """Return whether the bound of a node is no better than the incumbent."""
        if self.every or node.bound is None:
            return False
        return math.ceil(node.bound - self.slack) >= self.best

    def _column(self, number: int) -> int:
        """Return the column to branch on."""
        point = self.points[number]
        if not point.fractional:
            self._fix(number)
            return self._unfixed(point)[0]
        values = point.values
        if self.branching == "most-fractional":
            return min(point.fractional, key=lambda c: (abs(values[c] - 0.5), c))
        return max(point.fractional, key=lambda c: (self._score(c, float(values[c])), -c))

    def _score(self, column: int, value: float) -> float:
        """Return the product of the rises that are expected in the two children."""
        costs = (self._pseudo_cost(column, to) * abs(to - value) for to in (0, 1))
        return math.prod(max(cost, 1e-6) for cost in costs)

    def _pseudo_cost(self, column: int, value: int) -> float:
        known = self.rises.get((column, value))
        if known is None:
            same = [rise for (_, to), rise in self.rises.items() if to == value]
            known = sum(total for total, _ in same), sum(count for _, count in same)
        return known[0] / known[1] if known[1] else 1.0

    def _record_rise(self, parent: int, column: int, value: int, point: LinearPoint | None) -> None:
        before = self.points[parent]
        distance = abs(value - float(before.values[column]))
        if distance < TINY:
            return
        rise = self.largest if point is None else max(0.0, point.bound - before.bound)
        self.largest = max(self.largest, rise)
        total, count = self.rises.get((column, value), (0.0, 0))
        self.rises[column, value] = total + rise / distance, count + 1
