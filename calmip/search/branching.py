"""Branch and bound as textbooks have it, small enough to be looked at.

Every node's linear relaxation is solved by HiGHS when the node is made. A node
without a point, or whose bound is no better than the best solution, is closed;
one whose point is whole is a solution; of the others one is chosen, and a
fractional column becomes 1 in one child and 0 in the other (Land and Doig
1960, https://doi.org/10.2307/1910129). `calmip.search.one_tree` finds all
solutions much faster; this shows how a solver works.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from calmip.errors import InputError
from calmip.problem.binary_model import BinaryModel, whole_row
from calmip.search.linear import TINY, LinearModel, LinearPoint

__all__ = ["BRANCHINGS", "ORDERS", "Node", "TreeSearch", "branch_and_bound"]

ORDERS = ("depth-first", "best-first")
BRANCHINGS = ("most-fractional", "pseudo-cost")

MOST_STEPS = 1_000_000
"""The greatest cost is at most so many times the number that all costs are multiples of."""

Fate = str
"""``branched``, ``infeasible``, ``bound``, ``solution`` or ``open``."""


@dataclass(frozen=True)
class Node:
    """A node of the tree.

    Parameters
    ----------
    number
        Its place in the order in which relaxations were solved, from 0 on.
    parent
        The number of its parent; -1 for the root.
    column, value
        What was fixed on the way from its parent; -1 and 0 for the root.
    bound
        The optimum of its relaxation, which was to be small; None without a point.
    fractional
        How many columns of that point are fractional.
    fate
        What became of it: ``branched``; ``infeasible``; closed by its
        ``bound``; a ``solution``; or still ``open`` when a limit came.
    ones
        The columns that are 1, if it is a solution.
    """

    number: int
    parent: int
    column: int
    value: int
    bound: float | None
    fractional: int
    fate: Fate
    ones: tuple[int, ...] = ()


@dataclass(frozen=True)
class TreeSearch:
    """A whole tree.

    Parameters
    ----------
    order, branching
        Which node was taken next, and which column was branched on.
    nodes
        The nodes in the order in which they were made.
    complete
        Whether no node is open.
    """

    order: str
    branching: str
    nodes: tuple[Node, ...]
    complete: bool

    def count(self, fate: Fate) -> int:
        """Return how many nodes have this fate."""
        return sum(node.fate == fate for node in self.nodes)

    @property
    def solutions(self) -> list[tuple[int, ...]]:
        """The solutions, each as the columns that are 1, in the order in which they were found."""
        return [node.ones for node in self.nodes if node.fate == "solution"]


def branch_and_bound(
    model: BinaryModel,
    *,
    order: str = ORDERS[0],
    branching: str = BRANCHINGS[0],
    every: bool = False,
    limit: int = 500,
) -> TreeSearch:
    """Solve a binary model by branch and bound and keep the tree.

    Best-first takes the node with the best bound, of equal ones that with the
    fewest fractional columns. Pseudo-costs are the mean rise of the bound per
    unit by which a column was rounded; where a child has no point, the rise
    counts as the largest that was seen. Before anything is known of a column,
    the mean of all columns serves.

    Parameters
    ----------
    model
        The model.
    order
        One of `ORDERS`.
    branching
        One of `BRANCHINGS`.
    every
        Whether to find all solutions: a node with a whole point is branched
        until its solution is the only one, and no node is closed by its bound.
    limit
        The most nodes.

    Raises
    ------
    InputError
        If the costs are too fine for floating-point bounds to tell two solutions apart.
    """
    return _Search(model, order, branching, every).run(limit)


def _in_units(model: BinaryModel) -> tuple[float, dict[int, int]]:
    """Return a number that all costs are multiples of, and the costs as such multiples."""
    terms, *_ = whole_row(model.costs, -math.inf, math.inf)
    if all(isinstance(cost, int) and abs(cost) <= MOST_STEPS for cost in model.costs.values()):
        return 1.0, {column: int(cost) for column, cost in model.costs.items()}
    column = next(iter(terms))
    unit = Fraction(model.costs[column]) / terms[column]
    steps = max(map(abs, terms.values()))
    if steps > MOST_STEPS:
        raise InputError(
            f"the weights are multiples of {float(unit):g}, the greatest {steps:,} times; at most "
            f"{MOST_STEPS:,} are told apart in floating-point numbers: round the weights"
        )
    return float(unit), terms


class _Search:
    def __init__(self, model: BinaryModel, order: str, branching: str, every: bool) -> None:
        self.unit, self.costs = _in_units(model)
        cost = np.array([self.costs.get(c, 0) for c in range(len(model.columns))], np.float64)
        self.linear = LinearModel(replace(model, cost=cost, exact={}))
        # Within a ten-thousandth of a step, as HiGHS's tolerances are of the greatest cost.
        self.slack = max(TINY, 1e-8 * max(map(abs, self.costs.values()), default=0))
        self.order, self.branching, self.every = order, branching, every
        self.nodes: list[Node] = []
        self.points: dict[int, LinearPoint] = {}
        self.fixed: dict[int, int] = {}
        # The bounds of nodes and the best objective are in units, so that this is whole.
        self.best = math.inf
        # Rises of the bound per unit, by column and direction: their sum and their number.
        self.rises: dict[tuple[int, int], tuple[float, int]] = {}
        self.largest = 1.0

    def run(self, limit: int) -> TreeSearch:
        """Search until no node is open or there are as many nodes as may be."""
        queue: list[tuple[float, int, int]] = []
        self._made(-1, -1, 0, queue)
        while queue and len(self.nodes) + 2 <= max(limit, 1):
            number = heapq.heappop(queue)[-1]
            node = self.nodes[number]
            if self._too_dear(node):
                self.nodes[number] = replace(node, fate="bound")
                continue
            column = self._column(number)
            self.nodes[number] = replace(node, fate="branched")
            # The child that is made last is taken first where depth counts.
            for value in (0, 1) if self.order == "depth-first" else (1, 0):
                self._made(number, column, value, queue)
            del self.points[number]
        for *_, number in queue:
            if self._too_dear(self.nodes[number]):
                self.nodes[number] = replace(self.nodes[number], fate="bound")
        complete = not any(node.fate == "open" for node in self.nodes)
        nodes = tuple(
            node if node.bound is None else replace(node, bound=node.bound * self.unit)
            for node in self.nodes
        )
        return TreeSearch(self.order, self.branching, nodes, complete)

    def _made(
        self, parent: int, column: int, value: int, queue: list[tuple[float, int, int]]
    ) -> None:
        """Solve the relaxation of a new node, and queue it if it stays open."""
        number = len(self.nodes)
        self.nodes.append(Node(number, parent, column, value, None, 0, "infeasible"))
        self._fix(number)
        point = self.linear.solve()
        if parent >= 0:
            self._learn(parent, column, value, point)
        if point is None:
            return
        node = replace(
            self.nodes[number], bound=point.bound, fractional=len(point.fractional), fate="open"
        )
        if self._too_dear(node):
            node = replace(node, fate="bound")
        elif not node.fractional and not (self.every and self._unfixed(point)):
            node = replace(node, fate="solution", ones=tuple(point.ones))
            self.best = min(self.best, sum(self.costs.get(column, 0) for column in point.ones))
        self.nodes[number] = node
        if node.fate == "open":
            self.points[number] = point
            first = -float(number) if self.order == "depth-first" else round(point.bound, 6)
            heapq.heappush(queue, (first, node.fractional, number))

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
        """Return the columns that are 1 at a whole point and could still be 0."""
        return [column for column in point.ones if column not in self.fixed]

    def _too_dear(self, node: Node) -> bool:
        """Return whether the bound says that nothing better than the best lies below."""
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
        """Return the product of the rises that the two children promise."""
        return math.prod(max(self._promise(column, to) * abs(to - value), 1e-6) for to in (0, 1))

    def _promise(self, column: int, value: int) -> float:
        known = self.rises.get((column, value))
        if known is None:
            same = [rise for (_, to), rise in self.rises.items() if to == value]
            known = sum(total for total, _ in same), sum(count for _, count in same)
        return known[0] / known[1] if known[1] else 1.0

    def _learn(self, parent: int, column: int, value: int, point: LinearPoint | None) -> None:
        before = self.points[parent]
        distance = abs(value - float(before.values[column]))
        if distance < TINY:
            return
        rise = self.largest if point is None else max(0.0, point.bound - before.bound)
        self.largest = max(self.largest, rise)
        total, count = self.rises.get((column, value), (0.0, 0))
        self.rises[column, value] = total + rise / distance, count + 1
