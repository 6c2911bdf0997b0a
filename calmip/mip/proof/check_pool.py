"""A checker of pools of mixed-integer models that shares nothing with the search: a page of Python.

    python -m calmip.mip.proof.check_pool DIR

It needs the Python standard library only, and trusts nothing in ``proof.json`` but the model, which
``calmip prove check DIR MODEL`` compares with a model file. The file is one JSON object, with no
other keys than these, and each once. A number is a whole number, or a text such as ``"-1/3"``.

``model``
    ``columns``: name, least and greatest value of each (null for none). The first ``distinct`` ones
    tell solutions apart, the first ``integers`` ones take whole numbers. ``rows``: name, lower and
    upper side (or null), and pairs of a column and a whole coefficient. The objective is ``unit``,
    which is positive, times the sum of ``costs`` (such pairs) plus ``constant``; if ``maximise`` is
    true, it is ``constant`` minus that product. The sum of the costs is to be minimised.
``goal``
    The solutions that are wanted: null for all, ``["within", number]`` for those whose objective is
    worse than the optimum by at most that number, ``["gap", number]`` by at most that share of the
    absolute value of the optimum.
``solutions``
    Each is its objective and pairs of a column and its value; other columns are 0. No two are alike
    in the first columns.
``tree``
    The nodes in the order of the visits. ``["branch", x, v]``: the nodes that follow are those with
    column x at most v, then those with x at least v + 1. ``["narrow", multipliers, [[x, low, high],
    ...]]``: the multipliers refute every other value of each of these columns. ``["cut", terms,
    side, x, v, below, above]``, before the first branch: a new row with the next number, whose sum
    is at least the side. Both where column x is at most v, and where it is at least v + 1, the
    multipliers refute that it is violated; there the new row has the upper side. ``["none",
    multipliers]`` ends a branch, as they refute it. ``["solution", k, multipliers]`` ends a branch:
    its first columns are fixed to those of solution k, and the multipliers refute any objective
    that is better than that of this solution.

Columns, rows and solutions are numbered from 1 on. Multipliers are pairs of a row and a whole
number, positive for its lower side and negative for its upper one. Row 0 is the objective: the sum
of the costs is at most that of the worst solution that is wanted, or better than that of solution
k. The sum of these rows, each times its number, must be violated by all values between the bounds
of the columns (Farkas 1902, with bounds). So nothing outside the leaves is a solution.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

QUOTIENT = re.compile(r"-?[0-9]+/[1-9][0-9]*")
KEYS = {"columns", "distinct", "integers", "rows", "costs", "unit", "constant", "maximise"}


class PoolRefused(Exception):
    """The proof does not hold; the message says where."""


class Claim(NamedTuple):
    """What a proof shows: the numbers of solutions and nodes, the best and the worst objective."""

    solutions: int
    nodes: int
    best: Any
    worst: Any


def number(value: Any) -> Any:
    """Return an exact number of the file."""
    if type(value) is str and QUOTIENT.fullmatch(value):
        return Fraction(value)
    return whole(value)


def whole(value: Any) -> int:
    """Return a whole number of the file."""
    if type(value) is not int:
        raise PoolRefused(f"{str(value)[:100]} is no number of this place")
    return value


def entries(value: Any) -> list[Any]:
    """Return a list of the file."""
    if type(value) is not list:
        raise PoolRefused(f"{str(value)[:100]} is no list")
    return value


class _Model:
    """The model of a proof: bounds, sparse rows, and the costs as row 0."""

    def __init__(self, data: Any) -> None:
        if set(data) != KEYS or type(data["maximise"]) is not bool:
            raise PoolRefused("the model is cut or malformed")
        sides = [(low, high) for _, low, high in map(entries, entries(data["columns"]))]
        self.low = [-math.inf if low is None else number(low) for low, _ in sides]
        self.high = [math.inf if high is None else number(high) for _, high in sides]
        self.distinct, self.integers = whole(data["distinct"]), whole(data["integers"])
        if not 0 <= self.distinct <= self.integers <= len(sides):
            raise PoolRefused("there are not so many columns")
        ends = self.low[: self.integers] + self.high[: self.integers]
        if any(type(end) is Fraction for end in ends):
            raise PoolRefused("a bound of an integer column is no whole number")
        rows = [(None, None, data["costs"])] + [
            row[1:] for row in map(entries, entries(data["rows"]))
        ]
        self.terms = [self.pairs(terms, whole) for _, _, terms in rows]
        self.lower = [None if low is None else number(low) for low, _, _ in rows]
        self.upper = [None if high is None else number(high) for _, high, _ in rows]
        self.unit, self.constant = number(data["unit"]), number(data["constant"])
        self.sign = -1 if data["maximise"] else 1
        if self.unit <= 0:
            raise PoolRefused("the unit of the objective is not positive")
        self.integral = all(column < self.integers for column in self.terms[0])

    def add(self, terms: dict[int, int], lower: Any, upper: Any) -> None:
        """Add a row."""
        self.terms.append(terms)
        self.lower.append(lower)
        self.upper.append(upper)

    def pairs(self, pairs: Any, kind: Any) -> dict[int, Any]:
        """Return values by column."""
        found = {whole(column) - 1: kind(value) for column, value in map(entries, entries(pairs))}
        if len(found) < len(pairs) or not all(0 <= c < len(self.low) for c in found):
            raise PoolRefused("a column is a duplicate, or is not in the model")
        return found

    def solution(self, given: Any) -> tuple[tuple[int, ...], Any]:
        """Return what tells a solution apart, and its cost; check that it is feasible."""
        objective, pairs = entries(given)
        point = self.pairs(pairs, number)
        values = [point.get(column, 0) for column in range(len(self.low))]
        if any(type(value) is not int for value in values[: self.integers]):
            raise PoolRefused(f"an integer column of the solution {objective} is no whole number")
        ends = zip(self.low, values, self.high, strict=True)
        if not all(low <= value <= high for low, value, high in ends):
            raise PoolRefused(f"the solution {objective} violates a bound")
        sums = [sum(a * values[column] for column, a in terms.items()) for terms in self.terms]
        for low, total, high in zip(self.lower, sums, self.upper, strict=True):
            if (low is not None and total < low) or (high is not None and total > high):
                raise PoolRefused(f"the solution {objective} violates a row")
        if number(objective) != self.objective(sums[0]):
            raise PoolRefused(f"the objective of a solution is not {objective}")
        return tuple(values[: self.distinct]), sums[0]

    def objective(self, cost: Any) -> Any:
        """Return the objective of a sum of costs."""
        return self.sign * self.unit * cost + self.constant

    def limit(self, goal: Any, best: Any) -> Any:
        """Return the greatest sum of costs that is wanted; None for all."""
        if goal is None or best is None:
            return None
        kind, given = entries(goal)
        size = {"within": 1, "gap": abs(self.objective(best))}[kind]
        if number(given) < 0:
            raise PoolRefused("the goal is below the optimum")
        return best + number(given) * size / Fraction(self.unit)


class _Tree:
    """The walk through the tree: the bounds at the current node, and what they refute."""

    def __init__(self, model: _Model, limit: Any, solutions: list[tuple[tuple[int, ...], Any]]):
        self.model, self.limit, self.solutions = model, limit, solutions
        self.low, self.high = list(model.low), list(model.high)
        self.trail: list[tuple[int, Any, Any]] = []

    def bound(self, column: int, low: Any, high: Any) -> None:
        """Give a column tighter bounds, until they are undone."""
        self.trail.append((column, self.low[column], self.high[column]))
        self.low[column], self.high[column] = low, high

    def undo(self, length: int) -> None:
        """Restore the bounds that were given last."""
        while len(self.trail) > length:
            column, self.low[column], self.high[column] = self.trail.pop()

    def column(self, given: Any) -> int:
        """Return an integer column."""
        column: int = whole(given) - 1
        if not 0 <= column < self.model.integers:
            raise PoolRefused(f"there is no integer column {given}")
        return column

    def walk(self, nodes: Iterator[Any]) -> int:
        """Check all nodes and return their number."""
        branches: list[tuple[int, Any, Any, int]] = []
        count = 0
        while True:
            kind, *rest = entries(next(nodes))
            count += int(kind not in ("narrow", "cut"))
            if kind == "branch":
                column, split = self.column(rest[0]), whole(rest[1])
                _, _ = rest
                branches.append((column, split + 1, self.high[column], len(self.trail)))
                self.bound(column, self.low[column], min(split, self.high[column]))
                continue
            if kind == "narrow":
                multipliers, changes = rest
                self.narrow(*self.sum(multipliers, self.limit), changes)
                continue
            if kind == "cut":
                if branches:
                    raise PoolRefused("a cut comes after a branch")
                self.cut(*rest)
                continue
            if kind == "none":
                (multipliers,) = rest
                self.refute(*self.sum(multipliers, self.limit))
            elif kind == "solution":
                self.improve(*rest)
            else:
                raise PoolRefused(f"{str(kind)[:100]} is no kind of node")
            if not branches:
                return count
            column, least, most, length = branches.pop()
            self.undo(length)
            self.bound(column, max(least, self.low[column]), most)

    def sum(self, multipliers: Any, limit: Any) -> tuple[dict[int, Any], Any]:
        """Return the sum of rows, each times its multiplier, and what it is at least."""
        total: dict[int, Any] = {}
        right: Any = 0
        for row, factor in map(entries, entries(multipliers)):
            if not 0 <= whole(row) < len(self.model.terms):
                raise PoolRefused(f"there is no row {row}")
            ends = self.model.lower[row], self.model.upper[row] if row else limit
            end = ends[whole(factor) < 0]
            if end is None:
                raise PoolRefused(f"row {row} cannot be multiplied by {factor}")
            right += factor * end
            for column, a in self.model.terms[row].items():
                total[column] = total.get(column, 0) + factor * a
        return total, right

    def most(self, total: dict[int, Any]) -> Any:
        """Return the greatest sum within the bounds."""
        return sum(a * (self.high if a > 0 else self.low)[c] for c, a in total.items() if a)

    def refute(self, total: dict[int, Any], right: Any, *, equal: bool = False) -> None:
        """Check that no values within the bounds reach the right-hand side."""
        if not total and any(map(lambda low, high: low > high, self.low, self.high)):
            return
        most = self.most(total)
        if most > right or (most == right and not equal):
            raise PoolRefused("multipliers refute nothing")

    def narrow(self, total: dict[int, Any], right: Any, changes: Any) -> None:
        """Check that other values of each column are refuted, and give them these bounds."""
        length = len(self.trail)
        checked = []
        for given, below, above in map(entries, entries(changes)):
            column = whole(given) - 1
            if not 0 <= column < len(self.low):
                raise PoolRefused(f"there is no column {given}")
            integer = column < self.model.integers
            low = self.low[column] if below is None else (whole if integer else number)(below)
            high = self.high[column] if above is None else (whole if integer else number)(above)
            for first, last, sign in ((self.low[column], low, 1), (high, self.high[column], -1)):
                # Of a continuous column, the end of the part is no part of it.
                open_end = not integer and total.get(column, 0) * sign > 0
                step = int(integer)
                part = (first, last - step) if sign > 0 else (first + step, last)
                if part[0] < part[1] or (integer and part[0] == part[1]):
                    self.bound(column, *part)
                    self.refute(total, right, equal=open_end)
                    self.undo(length)
            checked.append((column, max(low, self.low[column]), min(high, self.high[column])))
        for one in checked:
            self.bound(*one)

    def cut(self, terms: Any, side: Any, given: Any, split: Any, *parts: Any) -> None:
        """Check that a row holds on both sides of a split, and add it."""
        model, column, length = self.model, self.column(given), len(self.trail)
        own = model.pairs(terms, whole)
        model.add(own, None, number(side))
        row = len(model.terms) - 1
        ends = (self.low[column], whole(split)), (split + 1, self.high[column])
        for (first, last), multipliers in zip(ends, parts, strict=True):
            self.bound(column, max(first, self.low[column]), min(last, self.high[column]))
            # The row has no lower side yet: what multiplies it says that it is violated.
            violated = any(one == row for one, _ in multipliers)
            if self.low[column] <= self.high[column]:
                self.refute(*self.sum(multipliers, self.limit), equal=violated)
            self.undo(length)
        model.lower[row], model.upper[row] = number(side), None

    def improve(self, given: Any, multipliers: Any) -> None:
        """Check that a solution is at this node, and that none of its kind is better."""
        model = self.model
        if not 1 <= whole(given) <= len(self.solutions):
            raise PoolRefused(f"there is no solution {given}")
        values, cost = self.solutions[given - 1]
        fixed = tuple(self.low[: model.distinct]) == values == tuple(self.high[: model.distinct])
        if not fixed:
            raise PoolRefused(f"solution {given} is not at its place of the tree")
        total, right = self.sum(multipliers, cost - model.integral)
        better = any(row == 0 for row, _ in multipliers)
        # Of a sum below its cost, even equality is a contradiction.
        self.refute(total, right, equal=better and not model.integral)


def check_pool(proof: Any) -> Claim:
    """Return what a proof shows.

    Raises
    ------
    PoolRefused
        If it does not hold.
    """
    if type(proof) is not dict or set(proof) != {"model", "goal", "solutions", "tree"}:
        raise PoolRefused("the file is cut or malformed: its keys are not those of a pool")
    try:
        model = _Model(proof["model"])
        solutions = list(map(model.solution, entries(proof["solutions"])))
        if len({values for values, _ in solutions}) < len(solutions):
            raise PoolRefused("two solutions are alike")
        costs = [cost for _, cost in solutions]
        limit = model.limit(proof["goal"], min(costs, default=None))
        if limit is not None and max(costs) > limit:
            raise PoolRefused("a solution is worse than the goal allows")
        if limit is not None and model.integral:
            limit = math.floor(limit)
        nodes = iter(entries(proof["tree"]))
        count = _Tree(model, limit, solutions).walk(nodes)
        if next(nodes, None) is not None:
            raise PoolRefused("the tree goes on after its end")
    except (LookupError, TypeError, ValueError, ArithmeticError, StopIteration) as error:
        raise PoolRefused(f"the file is cut or malformed ({type(error).__name__})") from None
    ends = [model.objective(cost) for cost in (min(costs), max(costs))] if costs else [None, None]
    return Claim(len(solutions), count, *ends)


def words(proof: Any, claim: Claim) -> str:
    """Return in words what a proof shows that holds."""
    kind, size = proof["goal"] or ("", "")
    goals = {"": "", "within": f" within {size} of the optimum", "gap": f" within a gap of {size}"}
    ends = f", objective {claim.best} to {claim.worst}" if claim.solutions else ""
    told = proof["model"]["distinct"], proof["model"]["integers"]
    apart = f", told apart by {told[0]} of {told[1]} integer variables" * (told[0] < told[1])
    return f"{claim.solutions} solutions{goals[kind]}{ends}{apart}, and no others"


def read_proof(text: str) -> Any:
    """Return the value of a JSON text; refuse a key that is in one object twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise PoolRefused("duplicate key in an object")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


if __name__ == "__main__":
    try:
        path = Path(sys.argv[1]) / "proof.json"
        given = read_proof(path.read_text(encoding="utf-8"))
        sys.stdout.write(f"{words(given, check_pool(given))}\n")
    except PoolRefused as refusal:
        sys.exit(f"refused: {refusal}")
    except (OSError, ValueError, RecursionError) as error:
        sys.exit(f"refused: the files cannot be read ({error})")
