"""Why members exclude each other, in exact numbers: Farkas multipliers, and a tree of them.

If the linear relaxation of some members is infeasible, the multipliers of a vertex use the fewest
rows and bounds: no proper subset of these is infeasible (Gleeson and Ryan 1990,
https://doi.org/10.1287/ijoc.2.1.61). So one system of equations gives the witness of each.

Otherwise HiGHS solves the linear programs of a tree, and each leaf is refuted by its multipliers,
checked in whole numbers. The union of what they use is infeasible. A branching that a leaf does not
use is undone (Ginsberg 1993, https://doi.org/10.1613/jair.1).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from calmip._base.errors import InputError, SolverFailed
from calmip._base.highs import EITHER, INFEASIBLE
from calmip._base.limits import CpuDeadline, Deadline
from calmip.mip.iis.constraint_sets import (
    MAX_FAILURES,
    SIDES,
    START_ITERATIONS,
    WHOLE,
    MemberAnswer,
    Members,
    MemberTest,
    Values,
)
from calmip.mip.iis.implied_box import ImpliedBoxes
from calmip.mip.iis.switched_tree import RowTree
from calmip.mip.lp.exact_lp import ExactLp, Factors
from calmip.mip.lp.linear import refute_rows
from calmip.mip.rows import Bound, Number, is_finite, shortest
from calmip.mip.status import Status

MAX_SYSTEM_WORK = 20_000
"""The products of a system of equations, times its right-hand sides, up to which it is solved."""

DENOMINATORS = 1, 12, 1000, 10**6
"""The denominators of multipliers that are tried for a leaf."""

MAX_SMALL_TREE_NODES = 8
"""The most nodes of a tree that is tried before a MIP."""

MAX_TREE_WORK = 20_000_000, 100_000_000
"""The coefficients that a compiled tree touches before a MIP is tried: some 0.01 s.

The second one is for a box that bounds what was left out: a MIP takes longer there.
"""

MIN_TREE_WORK, LESS_WORK = 1_000_000, 2
"""After a tree without an answer the next one may touch half as many, but at least so many."""

MAX_TREE_SECONDS = 0.1
"""The most CPU seconds of a compiled tree, whose relaxations may be hard."""

NODES_PER_ITERATION = 4
"""So many of its nodes take about as long as a simplex iteration of HiGHS."""

MAX_DEPTH = 200
"""The most branchings of a node."""

TINY = 1e-9
"""Multipliers below this share of the greatest do not count."""


End = tuple[Bound, int]
"""A bound of a column, and the member or the branching that gives it."""


class Circuit(NamedTuple):
    """Rows and bounds whose multipliers refute their linear relaxation, all of which they need.

    Parameters
    ----------
    support
        The members.
    multipliers
        The multipliers of the model's rows.
    points
        A point that satisfies all others, for each member that was asked for.
    """

    support: int
    multipliers: dict[int, Fraction]
    points: list[dict[int, Number]]


def circuit(members: Members, active: int, wanted: int, clock: Deadline) -> Circuit | None:
    """Return exact multipliers of members whose relaxation is infeasible, None if none are found.

    Parameters
    ----------
    members, active
        The members, without groups.
    wanted
        The members whose witnesses are computed.
    clock
        The time limit.
    """
    part, _, numbers = members.part(active)
    refuted, certificate = refute_rows(part, {}, clock)
    if not refuted or certificate is None:
        return None
    prices = {numbers[row]: shortest(y) for row, y in certificate.multipliers.items() if y}
    support, gap, fixed = _combine(members, prices, active)
    scaled = {row: y * members.scale[row] for row, y in prices.items()}
    factor = math.gcd(*(int(y) for y in scaled.values()))
    multipliers = {row: Fraction(y, factor) for row, y in scaled.items()}
    found = Circuit(support, multipliers, [])
    if gap is not None:
        found.points.extend(_points(members, _Sides(prices, fixed, gap), wanted, clock))
    return found


def _combine(
    members: Members, prices: Mapping[int, Number], active: int
) -> tuple[int, Number | None, dict[int, tuple[Number, Number]]]:
    """Return the members that multipliers use, by how much they exclude each other, and bounds.

    The bounds are, by column, its factor in the sum of the rows and the bound that it needs.
    """
    support = 0
    gap: Number = 0
    total: dict[int, Number] = {}
    finite = True
    for row, y in prices.items():
        terms, low, high = members.rows[row]
        side = high if y > 0 else low
        support |= members.of_row(row)
        if is_finite(side):
            gap -= y * side
        else:
            finite = False
        for column, value in terms.items():
            total[column] = total.get(column, 0) + y * value
    fixed: dict[int, tuple[Number, Number]] = {}
    for column, factor in total.items():
        if factor:
            kind = SIDES[factor < 0]
            end = members.bound(active, kind, column)
            support |= 1 << members.bit(kind, column)
            if is_finite(end):
                fixed[column] = factor, end
                gap += factor * end
            else:
                finite = False
    return support, gap if finite and gap > 0 else None, fixed


class _Sides(NamedTuple):
    """Multipliers of rows, factors and bounds of columns, and how far these are apart."""

    prices: Mapping[int, Number]
    fixed: Mapping[int, tuple[Number, Number]]
    gap: Number


def _points(
    members: Members, sides: _Sides, wanted: int, clock: Deadline
) -> Iterator[dict[int, Number]]:
    """Yield points at which all sides hold with equality, but one of those wanted."""
    prices, fixed, gap = sides
    rows = list(prices)
    chosen = [row for row in rows if members.of_row(row) & wanted]
    bounds = [c for c, (y, _) in fixed.items() if 1 << members.bit(SIDES[y < 0], c) & wanted]
    free = {c for row in rows for c in members.rows[row][0]}.difference(fixed)
    size = sum(len(free.intersection(members.rows[row][0])) for row in rows)
    if size * (len(chosen) + len(bounds)) > MAX_SYSTEM_WORK:
        return
    ends = {c: end for c, (_, end) in fixed.items()}
    right: dict[int, Number] = {}
    for row, y in prices.items():
        terms, low, high = members.rows[row]
        side = high if y > 0 else low
        right[row] = side - sum(terms[c] * ends[c] for c in terms if c in ends)  # type: ignore[assignment]
    others = rows[1:]
    factors = Factors({row: members.rows[row][0] for row in rows}, others, free, clock)
    if factors.left_rows:
        return

    own = set(others)
    base = factors.solve({row: right[row] for row in others})

    def solved(change: Mapping[int, Number]) -> dict[int, Number]:
        moved = factors.solve({row: step for row, step in change.items() if row in own})
        return {**base, **{c: base[c] + step for c, step in moved.items() if step}}

    for row in chosen:
        yield {**ends, **solved({row: Fraction(gap) / prices[row]})}
    for column in bounds:
        step = -Fraction(gap) / fixed[column][0]
        change = {row: -members.rows[row][0].get(column, 0) * step for row in others}
        yield {**ends, **solved(change), column: ends[column] + step}


class TreeTest(MemberTest):
    """Tests of members that try two trees before HiGHS starts a MIP.

    Starting a MIP takes as long as some ten linear programs, and its "infeasible" is no proof. The
    compiled tree (`RowTree`) takes a tenth of that; the other one says which members are needed.
    """

    def __init__(
        self,
        members: Members,
        clock: Deadline,
        known: Callable[[int], Values | None] = lambda _: None,
    ) -> None:
        super().__init__(members, clock)
        self.known = known
        self._failures = 0
        self._tree: RowTree | None = None
        """The compiled tree of all rows with all bounds and integrality."""
        self._bounded = members.bounded(members.of_rows | members.of_columns)
        self._nodes = 0
        """The nodes of the last search by a compiled tree."""
        self._boxes = ImpliedBoxes(members)
        self._tree_work = list(MAX_TREE_WORK)
        """The work of the next compiled tree, without and with a box."""

    def _solve(self, active: int) -> MemberAnswer | None:
        found = self._search(active) or self._search_box(active)
        if found is not None and found.feasible:
            return found
        if self._nodes <= MAX_SMALL_TREE_NODES and self._failures < MAX_FAILURES:
            tree = RefutationTree(self, active, MAX_SMALL_TREE_NODES, self.clock)
            self.work += tree.nodes
            if tree.answer.feasible is not None:
                self._failures = 0
                return tree.answer
            self._failures += 1
        return found or super()._solve(active)

    def _search(self, active: int) -> MemberAnswer | None:
        """Return the answer of a compiled tree, None if it gives none."""
        self._nodes = 0
        members = self.members
        given = active & members.of_columns
        rows = members.rows_of(active)
        try:
            if self._bounded and given == members.of_columns:
                if self._tree is None:
                    self._tree = RowTree(members, range(len(members.rows)), given)
                tree = self._tree
            else:
                tree = RowTree(members, rows, given, alone=True)
        except InputError:
            return None
        return self._grow(tree, active, boxed=False)

    def _search_box(self, active: int) -> MemberAnswer | None:
        """Return the answer of a compiled tree where bounds are left out, None if it gives none."""
        members = self.members
        if members.groups or not members.of_columns & ~active:
            return None
        box = self._boxes.find(active, lambda some: self.known(some) is not None, self.clock)
        answer = None
        if box is not None and (point := self.known(box.active)) is not None:
            answer = MemberAnswer(True, point)
        elif box is not None and box.ends:
            rows, given = members.rows_of(box.active), box.active & members.of_columns
            with contextlib.suppress(InputError):
                tree = RowTree(members, rows, given, alone=True, ends=box.ends)
                answer = self._grow(tree, box.active, boxed=True)
        if box is not None and answer is not None and answer.point is not None and box.rays:
            answer = self._checked(active, self._boxes.point(box, answer.point))
        return answer

    def _grow(self, tree: RowTree, active: int, *, boxed: bool) -> MemberAnswer | None:
        """Return the answer of a compiled tree of some members, None if it gives none."""
        columns, rows = range(len(self.members.bounds)), self.members.rows_of(active)
        points: list[MemberAnswer] = []

        def judge(near: Mapping[int, float]) -> bool | None:
            answer = self.completed(active, [near.get(column, 0.0) for column in columns])
            if answer is None or answer.feasible is None:
                return None
            points.extend([answer] * answer.feasible)
            return answer.feasible

        work, clock = self._tree_work[boxed], CpuDeadline(MAX_TREE_SECONDS, self.clock)
        found = tree.test(rows, work, clock, judge)
        self._tree_work[boxed] = max(MIN_TREE_WORK, work // LESS_WORK)
        if found.feasible is not None:
            self._tree_work[boxed] = MAX_TREE_WORK[boxed]
        self._nodes = found.nodes
        self.work += START_ITERATIONS + found.nodes // NODES_PER_ITERATION
        if found.feasible is None:
            return None
        return points[0] if points else MemberAnswer(False, None, active, proved=True)


class RefutationTree:
    """A tree of linear relaxations that refutes members, or finds a point.

    Parameters
    ----------
    test
        The tests of the members, whose linear program is used.
    active
        The members.
    nodes
        The most nodes.

    Attributes
    ----------
    answer : MemberAnswer
        Whether the members are feasible, None if the tree is not finished; then a point, or
        infeasible ones of them.
    nodes : int
        The nodes so far.
    """

    def __init__(self, test: MemberTest, active: int, nodes: int, clock: Deadline) -> None:
        self._test, self._members, self._active, self._clock = test, test.members, active, clock
        self._left, self.nodes = nodes, 0
        self._point: Mapping[int, Number] | None = None
        self.answer: MemberAnswer
        members = self._members
        self._integers = members.integers(active)
        self._tokens = active.bit_length() + 1
        """The first bit that stands for a branching."""
        self._bounds: dict[int, tuple[End, End]] = {}
        """The lower and the upper bound of columns, and the member or branching that gives it."""
        self._depth = 0
        self._linear: ExactLp | None = None
        self._rounded: dict[int, tuple[int, int]] = {}
        support = self._odd_row()
        if support is None:
            # Numbers too large for HiGHS have no relaxation.
            with contextlib.suppress(OverflowError, SolverFailed):
                self._highs = test.relax(active)
                support = self._refute()
                self._restore()
        self.answer = MemberAnswer(None, None)
        if support is not None:
            self.answer = MemberAnswer(False, None, support, proved=True)
        if self._point is not None:
            self.answer = MemberAnswer(True, self._point)

    def _odd_row(self) -> int | None:
        """Return a row whose integers have no sum that the others leave, and what that needs."""
        members = self._members
        for row in members.rows_of(self._active):
            terms, low, high = members.rows[row]
            integers = [c for c in terms if members.is_integer(self._active, c)]
            others = terms.keys() - set(integers)
            ends = [self._end(column, side) for column in others for side in (0, 1)]
            by = math.gcd(*(terms[column] for column in integers))
            if by < 2 or not all(map(is_finite, (low, high, *(end for end, _ in ends)))):
                continue
            least, most = Fraction(low), Fraction(high)
            support = members.of_row(row) | sum(1 << members.bit("integer", c) for c in integers)
            for column in others:
                (below, first), (above, last) = (self._end(column, side) for side in (0, 1))
                parts = terms[column] * Fraction(below), terms[column] * Fraction(above)
                least, most = least - max(parts), most - min(parts)
                support |= first | last
            if math.ceil(least / by) > math.floor(most / by):
                return support
        return None

    def _end(self, column: int, side: int) -> End:
        if column in self._bounds:
            return self._bounds[column][side]
        kind = SIDES[side]
        end = self._members.bound(self._active, kind, column)
        return end, 1 << self._members.bit(kind, column) if is_finite(end) else 0

    def _refute(self) -> int | None:
        """Return what excludes the points of a node, None without an answer."""
        if self.nodes >= self._left or self._depth > MAX_DEPTH or self._clock.over:
            return None
        self.nodes += 1
        if self._highs.status in (INFEASIBLE, EITHER):
            return self._leaf()
        if self._highs.status != "Optimal":
            return None
        values = self._highs.solution()[0]
        far = {column: abs(values[column] - round(values[column])) for column in self._integers}
        column = max(far, key=far.__getitem__, default=-1)
        if column < 0 or far[column] <= WHOLE:
            answer = self._test.exact_point(self._active, values)
            self._point = answer and answer.point
            return None
        return self._branch(column, values[column])

    def _branch(self, column: int, value: float) -> int | None:
        """Return what excludes the points of both children of a node."""
        floor = math.floor(value)
        found = 0
        before = self._end(column, 0), self._end(column, 1)
        for side in (1, 0) if value - floor <= 0.5 else (0, 1):
            token = 1 << self._tokens + self._depth
            new: tuple[Bound, int] = (floor if side else floor + 1, token)
            self._set(column, (before[0], new) if side else (new, before[1]))
            self._highs.run(self._clock.left())
            self._depth += 1
            support = self._refute()
            self._depth -= 1
            self._set(column, before)
            if support is None or not support & token:
                return support  # unknown, or the branching is not needed
            found |= support & ~token
        return found | 1 << self._members.bit("integer", column)

    def _set(self, column: int, ends: tuple[End, End]) -> None:
        self._bounds[column] = ends
        self._highs.bound_columns([column], [float(ends[0][0])], [float(ends[1][0])])

    def _restore(self) -> None:
        for column in self._bounds:
            low, high = self._members.interval(self._active, column)
            self._highs.bound_columns([column], [float(low)], [float(high)])

    def _leaf(self) -> int | None:
        """Return what refutes a node without a point of its relaxation."""
        ray = self._highs.dual_ray()
        prices: dict[int, float] = {}
        if ray is not None:
            greatest = max(map(abs, ray), default=0.0)
            prices = {
                row: y / self._test.shrink[row]
                for row, y in enumerate(ray)
                if abs(y) > TINY * greatest
            }
        if prices and all(map(math.isfinite, prices.values())):
            least = min(map(abs, prices.values()))
            for most in DENOMINATORS:
                near = {
                    row: Fraction(y / least).limit_denominator(most) for row, y in prices.items()
                }
                for sign in (1, -1):
                    found = self._excess({row: sign * y for row, y in near.items() if y})
                    if found is not None:
                        return found
        return self._exact_leaf()

    def _exact_leaf(self) -> int | None:
        """Return the same by a linear program in exact numbers."""
        if self._linear is None:
            part, columns, self._rows = self._members.part(self._active)
            self._place = {column: index for index, column in enumerate(columns)}
            self._linear = ExactLp(part, range(len(columns)))
        bounds = {
            self._place[column]: (ends[0][0], ends[1][0])
            for column, ends in self._bounds.items()
            if column in self._place
        }
        answer = self._linear.solve(clock=self._clock, bounds=bounds)
        if answer.status is not Status.INFEASIBLE:
            return None
        for sign in (1, -1):
            prices = {self._rows[row]: Fraction(sign * y) for row, y in answer.prices.items()}
            found = self._excess(prices)
            if found is not None:
                return found
        return None

    def _excess(self, prices: Mapping[int, Fraction]) -> int | None:
        """Return what multipliers use if they refute a node, else None."""
        members = self._members
        total: dict[int, Number] = {}
        scale = math.lcm(*(y.denominator for y in prices.values()))
        support = more = 0
        gap: Number = 0
        nearer: Number = 0
        for row, price in prices.items():
            y = price.numerator * (scale // price.denominator)
            terms, low, high = members.rows[row]
            side = high if y > 0 else low
            if not is_finite(side):
                return None
            support |= members.of_row(row)
            gap -= y * side
            by, given = self._rounding(row)
            if by:
                inside = math.floor(Fraction(side, by)) if y > 0 else math.ceil(Fraction(side, by))
                if inside * by != side:
                    nearer += y * (side - inside * by)
                    more |= given
            for column, value in terms.items():
                total[column] = total.get(column, 0) + y * value
        for column, factor in total.items():
            if factor:
                end, giver = self._end(column, factor < 0)
                if not is_finite(end):
                    return None
                gap += factor * end
                support |= giver
        if gap > 0:
            return support
        return support | more if gap + nearer > 0 else None

    def _rounding(self, row: int) -> tuple[int, int]:
        """Return the number that divides the values of a row, 0 if none, and the integrality."""
        if row not in self._rounded:
            members, terms = self._members, self._members.rows[row][0]
            given = sum(1 << members.bit("integer", column) for column in terms)
            by = math.gcd(*terms.values()) if not given & ~self._active else 0
            self._rounded[row] = by, given
        return self._rounded[row]
