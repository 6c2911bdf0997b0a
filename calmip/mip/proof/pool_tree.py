"""A certificate that a pool of a mixed-integer model is complete: a tree with exact multipliers.

The pool is known from `calmip.mip.pool`. A plain branch-and-bound tree with its cutoff is searched
once more, without cuts, and each leaf gets multipliers that `check_pool` adds up: those of HiGHS's
relaxation in whole numbers, or exact ones where rounding loses the proof. Each is checked before it
is written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import SolverFailed
from calmip._base.files import growing_file, make_folder
from calmip._base.limits import NO_LIMITS, Limits
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.model import Model
from calmip.mip.pool import EVERY, Goal, PoolSearch
from calmip.mip.pool.integer_model import GRID, WholeModel
from calmip.mip.pool.relaxation import NodeClaim, NodeRelaxation, cutoff_of
from calmip.mip.proof.check_pool import Claim
from calmip.mip.rows import Bound, Number, Row, is_finite
from calmip.mip.status import Status

LATE = "the pool or its proof was not finished"

SCALES = (1, 1 << 12, 1 << 26, 1 << 50)
"""The greatest multiplier, before all are rounded to whole numbers."""

MAX_PASSES = 10
"""The most passes over all rows that tighten the bounds at the root."""

NEAR = 1e-6
"""So near to a whole number, a value of a relaxation counts as whole, for branching alone."""

Multipliers = list[tuple[int, int]]
"""Rows by number, from 1 on, 0 for the objective, and whole numbers."""

Side = tuple[int, bool]
"""A column, and whether it is the branch above."""


def model_data(program: WholeModel) -> dict[str, Any]:
    """Return a model as the proof states it."""
    model = program.model
    names = [model.columns[column] for column in program.order]
    ends = zip(names, map(_plain, program.low), map(_plain, program.high), strict=True)
    return {
        "columns": [list(one) for one in ends],
        "distinct": program.distinct,
        "integers": program.integers,
        "rows": [
            [name, _plain(low), _plain(high), [[c + 1, a] for c, a in terms.items()]]
            for name, (terms, low, high) in zip(model.rows, program.rows, strict=True)
        ],
        "costs": [[column + 1, cost] for column, cost in program.cost.items()],
        "unit": _plain(program.unit),
        "constant": _plain(program.constant),
        "maximise": model.maximise,
    }


def _plain(number: Bound) -> int | str | None:
    """Return an exact number as the proof writes it; None if it is infinite."""
    if not is_finite(number):
        return None
    return int(number) if number.denominator == 1 else str(number)


def write_pool_proof(
    model: Model,
    folder: Path,
    goal: Goal = EVERY,
    distinct: Iterable[int] = (),
    limits: Limits = NO_LIMITS,
) -> Claim:
    """Find a pool, and write the proof that it is complete; return what it shows.

    Raises
    ------
    TimeoutError
        If the pool or the proof is not finished in time. Then no file is written.
    """
    search = PoolSearch(model, goal, distinct=distinct, clock=limits.clock, memory=limits.memory)
    pool = list(search.points())
    if not search.complete:
        raise TimeoutError(LATE)
    program = search.settings.program
    worst = None
    if pool and not goal.plain:
        worst = goal.worst(program, min(value for value, _ in pool))
    make_folder(folder)
    with growing_file(folder / "proof.json") as grow:
        write = _Writer(grow)
        write.key("model", model_data(program))
        write.key("goal", goal_data(goal))
        write.array(
            "solutions",
            (
                [
                    _plain(program.objective(value)),
                    [[column + 1, _plain(x)] for column, x in enumerate(point) if x],
                ]
                for value, point in pool
            ),
        )
        tree = _Tree(program, pool, worst, limits)
        write.array("tree", tree.nodes())
        grow(b"}\n")
    ends = [program.objective(some(value for value, _ in pool)) for some in (min, max) if pool]
    best, worst = ends or (None, None)
    return Claim(len(pool), tree.count, best, worst)


def goal_data(goal: Goal) -> list[Any] | None:
    """Return a goal as the proof states it."""
    if goal.plain:
        return None
    if goal.gap is not None:
        return ["gap", _plain(goal.gap)]
    return ["within", _plain(goal.within or 0)]


class _Writer:
    """Writes one JSON object, an entry of its arrays on each line."""

    def __init__(self, grow: Any) -> None:
        self._grow, self._mark = grow, "{"

    def key(self, name: str, value: Any) -> None:
        self._grow(f"{self._mark}{json.dumps(name)}: {json.dumps(value)}".encode())
        self._mark = ",\n"

    def array(self, name: str, values: Iterable[Any]) -> None:
        self._grow(f"{self._mark}{json.dumps(name)}: [".encode())
        mark = "\n"
        for value in values:
            self._grow((mark + json.dumps(value, separators=(",", ":"))).encode())
            mark = ",\n"
        self._grow(b"\n]")
        self._mark = ",\n"


class _Limit(NamedTuple):
    """What a sum of costs may be at a node, as the checker reads it.

    It is at most ``most``, or below it if ``strict``; ``solution`` is that of the node, or 0.
    """

    most: Fraction | None
    strict: bool = False
    solution: int = 0


class _Sum(NamedTuple):
    """A sum of rows times multipliers, and what it is at least."""

    multipliers: Multipliers
    total: dict[int, Any]
    right: Number
    most: Bound
    """The greatest sum within the bounds of the node."""


class _Tree:
    """The search, and its nodes as the proof has them."""

    def __init__(
        self,
        program: WholeModel,
        pool: Sequence[tuple[Number, Sequence[Number]]],
        worst: Fraction | None,
        limits: Limits,
    ) -> None:
        self.program, self.limits = program, limits
        if worst is not None and program.objective_is_integral:
            worst = Fraction(math.floor(worst))
        self.limit = _Limit(worst)
        integral = program.objective_is_integral
        self.limit_of = {
            tuple(point[: program.distinct]): _Limit(
                Fraction(value - integral), not integral, number
            )
            for number, (value, point) in enumerate(pool, start=1)
        }
        self.low: list[Any] = list(program.low)
        self.high: list[Any] = list(program.high)
        self.trail: list[tuple[int, Bound, Bound]] = []
        self.rows = list(program.rows)
        """The rows of the relaxation; ``number_of`` has their numbers in the proof."""
        self.number_of = list(range(1, len(program.rows) + 1))
        self.every: list[Row[int]] = [Row(program.cost, -math.inf, math.inf), *program.rows]
        """The rows of the proof by number."""
        self.relaxation: NodeRelaxation | None = None
        self.exact: ExactLp | None = None
        self.count = 0
        self.gains: dict[Side, tuple[float, int]] = {}
        """By column and side: what branchings gained for each unit of distance, and how often."""
        self.gained = 0.0, 0
        self.came: tuple[Side, float, float] | None = None

    def nodes(self) -> Iterator[list[Any]]:
        """Search the tree; yield its nodes."""
        branches: list[tuple[int, int, Bound, int, tuple[Side, float, float] | None]] = []
        yield from self.prepare()
        if any(low > high for low, high in zip(self.low, self.high, strict=True)):
            self.count = 1
            yield ["none", []]
            return
        self.relaxation = NodeRelaxation(self.tightened(), cost=True)
        while True:
            self.count += 1
            self.limits.clock.check(LATE)
            self.limits.report(self.count)
            node, changes, split = self.visit()
            yield from changes
            if split is not None:
                column, value, below, above = split
                yield ["branch", column + 1, value]
                branches.append((column, value + 1, self.high[column], len(self.trail), above))
                self.bound(column, self.low[column], value)
                self.came = below
                continue
            yield node
            if not branches:
                return
            column, least, most, length, self.came = branches.pop()
            self.undo(length)
            self.bound(column, least, most)

    def bound(self, column: int, low: Bound, high: Bound) -> None:
        """Give a column tighter bounds, until they are undone."""
        self.trail.append((column, self.low[column], self.high[column]))
        self.low[column], self.high[column] = low, high

    def undo(self, length: int) -> None:
        """Restore the bounds that were given last."""
        while len(self.trail) > length:
            column, self.low[column], self.high[column] = self.trail.pop()

    # The root.

    def tightened(self) -> WholeModel:
        """Return the program with the rows and the bounds of the root."""
        return replace(self.program, rows=self.rows, low=list(self.low), high=list(self.high))

    def prepare(self) -> Iterator[list[Any]]:
        """Tighten bounds and coefficients as far as single rows allow; yield what proves it."""
        goal = [0] * (self.limit.most is not None and bool(self.program.cost))
        for _ in range(MAX_PASSES):
            changed = False
            for number in [*goal, *self.number_of]:
                for factor in (1, -1):
                    for node in self.imply(number, factor):
                        changed = True
                        yield node
            self.limits.clock.check(LATE)
            if not changed:
                break
        if all(low <= high for low, high in zip(self.low, self.high, strict=True)):
            for place in range(len(self.rows)):
                yield from self.strengthen(place)

    def imply(self, number: int, factor: int) -> Iterator[list[Any]]:
        """Yield a node with the bounds that one side of a row implies."""
        found = self.sum([(number, factor)], self.limit)
        if not found.multipliers:
            return
        ends = {c: a * (self.high if a > 0 else self.low)[c] for c, a in found.total.items() if a}
        far = [column for column, end in ends.items() if not is_finite(end)]
        rest: Any = sum(end for end in ends.values() if is_finite(end))
        changes: list[tuple[int, Any, Any]] = []
        for column in far if far else ends:
            if far and far != [column]:
                break
            a = found.total[column]
            others = rest if far else rest - ends[column]
            bound = Fraction(found.right - others) / a
            low, high = self.low[column], self.high[column]
            if column < self.program.integers:
                new = (math.ceil(bound), high) if a > 0 else (low, math.floor(bound))
            elif a > 0:
                new = (Fraction(math.floor(bound * GRID), GRID), high)
            else:
                new = (low, Fraction(math.ceil(bound * GRID), GRID))
            width = new[1] - new[0]
            integer = column < self.program.integers
            if new != (low, high) and (integer or not is_finite(high - low)):
                narrower = True
            else:
                narrower = 10 * width < 9 * (high - low)
            if new[0] >= low and new[1] <= high and narrower:
                changes.append((column, *new))
        for one in changes:
            self.bound(*one)
        if changes:
            written = [[c + 1, _plain(low), _plain(high)] for c, low, high in changes]
            yield ["narrow", found.multipliers, written]

    def strengthen(self, place: int) -> Iterator[list[Any]]:
        """Reduce coefficients of 0/1 columns in a row with one side; yield a node for each.

        See `calmip.mip.pool.integer_model.strengthen`.
        """
        terms, low, high = self.rows[place]
        if is_finite(low) == is_finite(high):
            return
        factor = -1 if is_finite(high) else 1
        own = {column: -factor * a for column, a in terms.items()}
        upper = int(high if factor < 0 else -low)
        for column in list(own):
            most: Any = sum(
                a * (self.high if a > 0 else self.low)[c] for c, a in own.items() if c != column
            )
            a, limits = own[column], (self.low[column], self.high[column])
            if column >= self.program.integers or limits != (0, 1) or not is_finite(most):
                continue
            most = math.ceil(most)
            if a > 0 and most < upper and most > upper - a:
                changed, side = {**own, column: a - (upper - most)}, most
            elif a < 0 and upper < most < upper - a:
                changed, side = {**own, column: upper - most}, upper
            else:
                continue
            own, upper, number = changed, side, len(self.every)
            self.every.append(Row({c: -v for c, v in own.items() if v}, -upper, math.inf))
            bare, joined = [(number, -1)], [(number, -1), (self.number_of[place], factor)]
            parts = (bare, joined) if a > 0 else (joined, bare)
            pairs = [[c + 1, v] for c, v in self.every[-1].terms.items()]
            yield ["cut", pairs, -upper, column + 1, 0, *parts]
            self.rows[place], self.number_of[place], factor = self.every[-1], number, 1

    def visit(self) -> tuple[list[Any], list[list[Any]], Any]:
        """Return a leaf; or what narrows the node, and how to branch."""
        limit, program = self.limit, self.program
        distinct = self.low[: program.distinct]
        if distinct == self.high[: program.distinct]:
            limit = self.limit_of.get(tuple(map(int, distinct)), limit)
        free = [c for c in range(program.integers) if self.low[c] < self.high[c]]
        if not free:
            return self.end(limit), [], None
        cutoff = cutoff_of(limit.most, objective_is_integral=program.objective_is_integral)
        assert self.relaxation is not None
        claim = self.relaxation.solve(self.low, self.high, cutoff, self.limits.clock.left())
        found: _Sum | None = None
        for candidate in self.candidates(claim, limit):
            found = candidate
            if self.refutes(candidate, limit):
                return self.leaf(limit, candidate.multipliers), [], None
        if claim.status != "optimal":  # rounding has lost the proof, or HiGHS is wrong
            multipliers = self.prove(limit)
            if multipliers is not None:
                return self.leaf(limit, multipliers), [], None
            return [], [], self.split(free, None, None)
        value = sum(cost * claim.point[c] for c, cost in program.cost.items())
        self.learn(value)
        changes = [] if limit.solution or found is None else self.narrow(found, free)
        free = [c for c in free if self.low[c] < self.high[c]]
        if not free:  # the bounds of the node that follows are fixed: it is a branch of one node
            return self.end(self.limit_here(limit)), changes, None
        return [], changes, self.split(free, claim.point, value, found)

    def limit_here(self, limit: _Limit) -> _Limit:
        """Return the limit where the distinct columns are fixed."""
        return self.limit_of.get(tuple(map(int, self.low[: self.program.distinct])), limit)

    def leaf(self, limit: _Limit, multipliers: Multipliers) -> list[Any]:
        """Return the node that ends a branch."""
        return (
            ["solution", limit.solution, multipliers] if limit.solution else ["none", multipliers]
        )

    def end(self, limit: _Limit) -> list[Any]:
        """Return the leaf at which all integer columns are fixed."""
        multipliers = self.violated(limit) if self.program.pure else self.prove(limit)
        if multipliers is None:
            raise SolverFailed("a solution is not in the pool; report this")
        return self.leaf(limit, multipliers)

    def violated(self, limit: _Limit) -> Multipliers | None:
        """Return the row that a point violates, or the objective beyond the limit."""
        for number, (terms, low, high) in enumerate(self.program.rows, start=1):
            total = sum(a * self.low[column] for column, a in terms.items())
            if total < low or total > high:
                return [(number, 1 if total < low else -1)]
        if limit.most is not None and self.program.value_of(self.low) > limit.most:
            return [(0, -1)]
        return None

    # Multipliers.

    def candidates(self, claim: NodeClaim, limit: _Limit) -> Iterator[_Sum]:
        """Yield sums of rows that may refute the node, from what HiGHS claims."""
        if claim.multipliers is None:
            return
        priced = claim.status != "infeasible"
        if priced and limit.most is None:
            return
        relaxation = self.relaxation
        assert relaxation is not None
        unit = float(relaxation.unit) if priced else 1.0
        pairs = zip(claim.multipliers, relaxation.scale, strict=True)
        prices = [float(y) * unit / by for y, by in pairs]
        greatest = max(map(abs, prices), default=0.0)
        if not math.isfinite(greatest) or not (priced or greatest):
            return
        for scale in SCALES:
            for sign in (1,) if priced else (1, -1):
                # The objective has the multiplier -1 times the factor.
                factor = scale / max(greatest, 1.0) if priced else scale / greatest
                factor = max(1.0, float(round(factor))) if priced else factor
                rounded = [round(y * sign * factor) for y in prices]
                given = [(n, y) for n, y in zip(self.number_of, rounded, strict=True) if y]
                yield self.sum(([(0, -int(factor))] if priced else []) + given, limit)

    def sum(self, multipliers: Multipliers, limit: _Limit) -> _Sum:
        """Return a sum of rows, without those that have no such side."""
        total: dict[int, Any] = {}
        right: Any = 0
        kept = []
        for row, factor in multipliers:
            objective = Row(self.program.cost, -math.inf, limit.most or Fraction(0))
            terms, *sides = self.every[row] if row else objective
            end = sides[factor < 0]
            if not is_finite(end):
                continue
            kept.append((row, factor))
            right += factor * end
            for column, a in terms.items():
                total[column] = total.get(column, 0) + factor * a
        most: Any = 0
        for column, a in total.items():
            if a:
                most += a * (self.high if a > 0 else self.low)[column]
        return _Sum(kept, total, right, most)

    def refutes(self, found: _Sum, limit: _Limit) -> bool:
        """Return whether a sum of rows is violated by all values of the node."""
        equal = limit.strict and any(row == 0 for row, _ in found.multipliers)
        return found.most < found.right or (equal and found.most == found.right)

    def prove(self, limit: _Limit) -> Multipliers | None:
        """Return exact multipliers that refute the node; None if its relaxation allows more."""
        if self.exact is None:
            program = self.program
            costs, names = program.cost, list(map(str, program.order))
            rows = [(str(number), *row) for number, row in enumerate(self.rows)]
            bounds = list(zip(self.low, self.high, strict=True))
            self.exact = ExactLp(
                exact_model(names, bounds, [False] * len(bounds), rows, costs),
                range(len(bounds)),
            )
        now = {c: (self.low[c], self.high[c]) for c in range(self.program.integers)}
        answer = self.exact.solve({}, self.limits.clock, bounds=now)
        if answer.status is Status.UNKNOWN:
            raise TimeoutError(LATE)
        if answer.status is Status.UNBOUNDED:
            return None
        priced = answer.status is Status.OPTIMAL
        if priced and limit.most is None:
            return None
        prices = {self.number_of[row]: y for row, y in answer.prices.items()}
        by = math.lcm(1, *(y.denominator for y in prices.values()))
        given = [(0, -by)] * priced + [(row, int(y * by)) for row, y in sorted(prices.items())]
        for sign in (1,) if priced else (1, -1):
            found = self.sum([(row, y * sign) for row, y in given], limit)
            if self.refutes(found, limit):
                return found.multipliers
        return None

    # Branching.

    def narrow(self, found: _Sum, free: Iterable[int]) -> list[list[Any]]:
        """Tighten bounds of columns by a sum of rows; return the node of the proof."""
        if not math.isfinite(found.most):
            return []
        room = found.most - found.right  # what the columns may take away from the greatest sum
        changes = []
        for column in free:
            a = found.total.get(column, 0)
            if not a:
                continue
            low, high = self.low[column], self.high[column]
            steps = room // abs(a)
            if steps >= high - low:
                continue
            if a > 0:
                low = int(high - steps)
            else:
                high = int(low + steps)
            changes.append((column, int(low), int(high)))
        for one in changes:
            self.bound(*one)
        if not changes:
            return []
        return [["narrow", found.multipliers, [[c + 1, low, high] for c, low, high in changes]]]

    def learn(self, value: float) -> None:
        """Learn what a branching has gained."""
        if self.came is None:
            return
        side, before, distance = self.came
        gain = max(0.0, value - before) / max(distance, NEAR)
        total, times = self.gains.get(side, (0.0, 0))
        self.gains[side] = total + gain, times + 1
        self.gained = self.gained[0] + gain, self.gained[1] + 1
        self.came = None

    def split(
        self, free: Sequence[int], point: Any, value: float | None, found: _Sum | None = None
    ) -> tuple[int, int, Any, Any]:
        """Return the column to branch on, the greatest value below, and what is noted of both."""
        parts: Mapping[int, float] = {}
        if point is not None:
            parts = {c: point[c] - math.floor(point[c]) for c in free}
            parts = {c: part for c, part in parts.items() if NEAR < part < 1 - NEAR}
        if parts and value is not None:
            column = max(parts, key=lambda c: self.score(c, parts[c]))
            below = (column, False), value, parts[column]
            above = (column, True), value, 1 - parts[column]
            return column, math.floor(point[column]), below, above
        total = {} if found is None else found.total
        column = max(free, key=lambda c: (abs(total.get(c, 0)), -c))
        low, high = self.low[column], self.high[column]
        if point is not None:
            at = round(point[column])
        elif is_finite(low) and is_finite(high):
            at = int((low + high) // 2)
        else:
            at = int(low) if is_finite(low) else int(high) - 1 if is_finite(high) else 0
        return column, int(at if at < high else at - 1), None, None

    def score(self, column: int, part: float) -> tuple[float, float]:
        """Return how good a branching on a fractional column promises to be."""
        gains = []
        total, times = self.gained
        usual = total / times if times else 1.0
        for above, distance in ((False, part), (True, 1 - part)):
            total, times = self.gains.get((column, above), (0.0, 0))
            mean = total / times if times else usual
            gains.append(max(mean * distance, NEAR))
        return gains[0] * gains[1], min(part, 1 - part)
