"""The members of a model: rows, bounds and integrality of columns, each of which may be left out.

A set of members is a whole number, one bit per member, so that sets of hundreds are compared at
once. `Members` evaluates points in exact numbers; `MemberTest` asks HiGHS whether some members are
feasible together, and makes its answers exact where they are points.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from calmip._base.bits import bits
from calmip._base.errors import SolverFailed
from calmip._base.highs import EITHER, INFEASIBLE, SMALL_MIP, HighsModel, linear_program
from calmip._base.limits import CpuDeadline, Deadline
from calmip.mip import independent_search
from calmip.mip.lp.exact_lp import ExactLp, exact_model
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Interval, Number, Row, is_finite
from calmip.mip.status import Status

SIDES = ("lower", "upper", "integer")
PLACES = {side: place for place, side in enumerate(SIDES)}

TINY = 1e-7
"""Multipliers below this share of the greatest do not count."""

COARSE_DENOMINATOR, FINE_DENOMINATOR = 64, 10**6
"""The denominators to which continuous values are rounded before an exact LP is solved."""

MAX_FAILURES = 3
"""After so many in a row, what fails is not tried again."""

WHOLE = 1e-6
"""Values of a relaxation so near to a whole number are whole."""

FIRST_NODES = 1000
"""The most nodes of a MIP without some bounds or integrality, at first."""

NO_NODE_LIMIT = 2**31 - 1
"""HiGHS's value for no limit."""

START_ITERATIONS = 50
"""The work of starting a MIP, in simplex iterations."""

MAX_PROOF_NODES = 200
"""The most nodes of an exact search if integers have no bounds."""

SEARCH_SECONDS = 20.0
"""The most CPU seconds of an exact search where HiGHS gives no answer."""

SHORT_SECONDS = 0.2
"""The same where some bounds or integrality are left out; after each without an answer, half."""

INF = math.inf

Values = Mapping[int, Number]


class Member(NamedTuple):
    """A part of a model: a ``row``, or the ``lower``, ``upper`` or ``integer`` of a column."""

    kind: str
    number: int


class MemberAnswer(NamedTuple):
    """Whether members are feasible together, or None.

    Parameters
    ----------
    feasible
        Whether they are.
    point
        An exact point, if they are.
    support
        Some of them that are infeasible.
    proved
        Whether that is proved.
    """

    feasible: bool | None
    point: Values | None = None
    support: int = 0
    proved: bool = False


class Members:
    """The members of a model, in exact numbers.

    Attributes
    ----------
    rows : list
        Whole coefficients by column and the bounds of each row, scaled but not rounded.
    scale : list
        The number by which each row was multiplied.
    outside : list
        The columns whose bounds exclude 0.
    of_rows, of_columns : int
        All rows, or groups of rows; all finite bounds and all integrality.
    groups : dict
        The rows of each group by its first row, which stands for it.
    """

    def __init__(self, model: Model, groups: Iterable[Collection[int]] = ()) -> None:
        self.model = model
        # A group is the member of its first row.
        self.groups = {min(group): tuple(sorted(group)) for group in groups}
        self._member = list(range(len(model.rows)))
        for first, group in self.groups.items():
            for row in group:
                self._member[row] = first
        self.rows = [row for row, _ in model.scaled_rows]
        self.scale = [scale for _, scale in model.scaled_rows]
        self.holders = model.entries
        self.bounds = model.column_bounds
        self.integer = list(map(bool, model.values("integer")))
        self._ends = [
            tuple(end.as_integer_ratio() if is_finite(end) else None for end in pair)
            for pair in self.bounds
        ]
        self.outside = [
            column for column, (low, high) in enumerate(self.bounds) if not low <= 0 <= high
        ]
        self._zero = {column: self.column_mask(column, 0) for column in self.outside}
        """The members of columns that the value 0 violates."""
        self._at_zero = sum(self._zero.values())
        self.of_rows = sum(1 << row for row in set(self._member))
        self.has_integers = any(self.integer)
        # As digits at once: to set one bit after the other of a long number takes its square.
        there = "".join(
            f"{integer:d}{is_finite(high):d}{is_finite(low):d}"
            for (low, high), integer in zip(self.bounds[::-1], self.integer[::-1], strict=True)
        )
        self.of_columns = int(there or "0", 2) << len(self.rows)

    def bit(self, kind: str, column: int) -> int:
        """Return the number of the bit of a bound, or of a column's integrality."""
        return len(self.rows) + 3 * column + PLACES[kind]

    def member(self, bit: int) -> Member:
        """Return the member of a bit."""
        if bit < len(self.rows):
            return Member("row", bit)
        column, side = divmod(bit - len(self.rows), 3)
        return Member(SIDES[side], column)

    def sums(self, values: Values) -> list[Number]:
        """Return the exact left-hand sides of all rows."""
        denominator, found = self._whole_sums(values)
        return (
            list(found) if denominator == 1 else [Fraction(total, denominator) for total in found]
        )

    def _whole_sums(self, values: Values) -> tuple[int, Sequence[int]]:
        """Return a common denominator, and the left-hand sides multiplied by it."""
        # Whole numbers are added many times faster than fractions.
        denominator = math.lcm(*(value.denominator for value in values.values()))
        found = [0] * len(self.rows)
        for column, value in values.items():
            if value:
                times = value.numerator * (denominator // value.denominator)
                for row, factor in self.holders[column]:
                    found[row] += factor * times
        return denominator, found

    def mask(self, values: Values) -> int:
        """Return the members that a point violates."""
        mask = 0
        denominator, sums = self._whole_sums(values)
        for row, total in enumerate(sums):
            _, low, high = self.rows[row]
            if not low * denominator <= total <= high * denominator:
                mask |= 1 << self._member[row]
        mask |= self._at_zero
        for column, value in values.items():
            if value:
                if column in self._zero:
                    mask &= ~self._zero[column]
                if broken := self.column_mask(column, value):
                    mask |= broken
        return mask

    def column_mask(self, column: int, value: Number) -> int:
        """Return the members of a column that a value violates."""
        # Whole numbers are compared many times faster than fractions.
        low, high = self._ends[column]
        numerator, denominator = value.numerator, value.denominator
        broken = 4 * (denominator != 1 and self.integer[column])
        if low is not None and numerator * low[1] < low[0] * denominator:
            broken |= 1
        if high is not None and numerator * high[1] > high[0] * denominator:
            broken |= 2
        return broken << (len(self.rows) + 3 * column) if broken else 0

    def rows_of(self, active: int) -> list[int]:
        """Return the rows of some members, those of groups too, ascending."""
        rows = bits(active & self.of_rows)
        if not self.groups:
            return list(rows)
        return sorted(one for row in rows for one in self.groups.get(row, (row,)))

    def of_row(self, row: int) -> int:
        """Return the bit of a row, or of its group."""
        return 1 << self._member[row]

    def bound(self, active: int, kind: str, column: int) -> Bound:
        """Return a bound of a column, infinite if it is left out."""
        if active >> self.bit(kind, column) & 1:
            return self.bounds[column][kind == "upper"]
        return math.inf if kind == "upper" else -math.inf

    def interval(self, active: int, column: int) -> Interval:
        """Return the bounds of a column, infinite where they are left out."""
        return Interval(*(self.bound(active, kind, column) for kind in SIDES[:2]))

    def part(self, active: int) -> tuple[Model, list[int], list[int]]:
        """Return the model of some members without a cost, and its columns and rows by number.

        Columns in no row are left out. The rows are scaled.
        """
        rows = self.rows_of(active)
        columns = sorted({column for row in rows for column in self.rows[row][0]})
        index = {column: number for number, column in enumerate(columns)}
        model = exact_model(
            [self.model.columns[column] for column in columns],
            [self.interval(active, column) for column in columns],
            [self.is_integer(active, column) for column in columns],
            [
                (self.model.rows[row], {index[c]: x for c, x in terms.items()}, low, high)
                for row in rows
                for terms, low, high in [self.rows[row]]
            ],
        )
        return model, columns, rows

    def is_integer(self, active: int, column: int) -> bool:
        """Return whether the integrality of a column is among some members."""
        return bool(active >> len(self.rows) + 3 * column + 2 & 1)

    def bounded(self, active: int) -> bool:
        """Return whether all integer columns in the rows of some members have both bounds."""
        used = {column for row in self.rows_of(active) for column in self.rows[row][0]}
        return all(
            is_finite(end)
            for column in used.intersection(self.integers(active))
            for end in self.interval(active, column)
        )

    def integers(self, active: int) -> list[int]:
        """Return the columns whose integrality is among some members, ascending."""
        digits = bin(active >> len(self.rows) + 2)[:1:-1]
        return [column for column, digit in enumerate(digits[::3]) if digit == "1"]


class MemberTest:
    """Tests of members, by HiGHS models for relaxations, for MIPs and for points inside all rows.

    Only the bounds that differ from those of the last test are changed.

    Parameters
    ----------
    members
        The members of the model.
    clock
        The time limit.

    Attributes
    ----------
    clock : Deadline
        The time limit of the tests from now on.
    work : int
        The simplex iterations so far, and `START_ITERATIONS` for each MIP.
    nodes : int
        The most nodes of a MIP without some bounds or integrality.
    shrink : list
        The numbers by which the rows are divided for HiGHS.
    """

    def __init__(self, members: Members, clock: Deadline) -> None:
        self.members, self.clock = members, clock
        self.work, self.nodes = 0, FIRST_NODES
        self.shrink = [_power(terms.values()) for terms, _, _ in members.rows]
        self._state: dict[bool, int] = {False: -1, True: -1}
        self._highs: dict[bool, HighsModel] = {}
        self._inner: HighsModel | None = None
        self._inner_place: list[int] = []
        """The first row in ``_inner`` of each row."""
        self._inner_rows = 0
        """The rows that are given in ``_inner``."""
        self._failures = 0
        """The vertices in a row with other than small denominators."""
        self._seconds = SHORT_SECONDS
        """The CPU seconds of the next exact search without some bounds or integrality."""
        self._inside_last = False
        """Whether the last point was inside all rows."""
        self._kept: tuple[int, list[int], dict[int, Number]] = (-1, [], {})
        self._ends = [
            _ends(members.rows[row], by, all(members.integer[c] for c in members.rows[row][0]))
            for row, by in enumerate(self.shrink)
        ]
        """The sides of each row for HiGHS, as they are and rounded inwards."""
        self._rounded_rows = sum(
            {members.of_row(row) for row, (plain, whole) in enumerate(self._ends) if plain != whole}
        )

    def test(self, active: int, *, trust: bool = True) -> MemberAnswer:
        """Return whether some members are feasible together.

        Parameters
        ----------
        active
            The members.
        trust
            Whether HiGHS's "infeasible" is an answer. Without it only exact searches are.
        """
        if not trust:
            return self.search(active)
        try:
            answer = self._relax(active)
            if answer is None:
                answer = self._solve(active)
        except (OverflowError, SolverFailed):
            answer = None
        if answer is not None:
            return answer
        # Without its bounds an exact tree may have no end; HiGHS with more nodes costs less.
        given = self.members.of_columns & ~active == 0
        clock = CpuDeadline(SEARCH_SECONDS if given else self._seconds, self.clock)
        answer = self.search(active, clock, nodes=MAX_PROOF_NODES)
        if not given:
            self._seconds = SHORT_SECONDS if answer.feasible is not None else self._seconds / 2
        return answer

    def search(
        self, active: int, clock: Deadline | None = None, *, nodes: int | None = None
    ) -> MemberAnswer:
        """Return the answer of an exact search, of so many nodes if integers have no bounds."""
        part, columns, _ = self.members.part(active)
        if clock is None:
            clock = CpuDeadline(SEARCH_SECONDS, self.clock)
        there, point = independent_search.find(part, clock, least=1e-3, nodes=nodes)
        if there:
            found = {columns[c]: value for c, value in point.items()}
            return MemberAnswer(True, self.inside(active, found, columns))
        return MemberAnswer(there, None, active if there is False else 0, proved=there is False)

    def relax(self, active: int) -> HighsModel:
        """Return HiGHS with the linear relaxation of some members, solved."""
        return self._run(active, mip=False)

    def relaxation_is_feasible(self, active: int) -> bool:
        """Return whether HiGHS finds a point of the linear relaxation."""
        try:
            return self.relax(active).status == "Optimal"
        except (OverflowError, SolverFailed):
            return False

    def _relax(self, active: int) -> MemberAnswer | None:
        """Return the answer of the linear relaxation, None if it gives none."""
        if self._inside_last and not self._columns(active)[0]:
            # After a point inside all rows there mostly is another one.
            rest = {c for row in self.members.rows_of(active) for c in self.members.rows[row][0]}
            if (answer := self._interior(active, {}, rest)) is not None:
                return answer
        highs = self.relax(active)
        if highs.status in (INFEASIBLE, EITHER):
            return MemberAnswer(False, None, self._support(active, highs.dual_ray()))
        if highs.status != "Optimal":
            return None
        values = highs.solution()[0]
        if any(abs(values[c] - round(values[c])) > WHOLE for c in self._columns(active)[0]):
            return None
        return self.exact_point(active, values)

    def _solve(self, active: int) -> MemberAnswer | None:
        """Return the answer of the MIP, None if it gives none."""
        highs = self._run(active, mip=True)
        if highs.status in (INFEASIBLE, EITHER):
            return MemberAnswer(False, None, active)
        if highs.info("primal_solution_status") == 2:
            return self.exact_point(active, highs.solution()[0])
        return MemberAnswer(None) if self.clock.over else None

    def _run(self, active: int, *, mip: bool) -> HighsModel:
        if mip not in self._highs:
            self._highs[mip] = self._new_highs()
            if mip:
                self._highs[mip].set(SMALL_MIP)
        highs = self._highs[mip]
        self._change(highs, active, mip=mip)
        if mip:
            # Without its bounds a tree may have no end.
            given = self.members.of_columns & ~active == 0
            highs.set({"mip_max_nodes": NO_NODE_LIMIT if given else self.nodes})
        highs.run(self.clock.left())
        self.work += (
            max(0, int(highs.info("simplex_iteration_count") or 0)) + START_ITERATIONS * mip
        )
        return highs

    def _new_highs(self, *, inner: bool = False) -> HighsModel:
        """Return all rows, free; or a row for each side, with the distance from it."""
        members, size = self.members, len(self.members.bounds)
        start = [0]
        index: list[int] = []
        value: list[float] = []
        for (terms, low, high), by in zip(members.rows, self.shrink, strict=True):
            own = [one / by for one in terms.values()]
            far = math.fsum(map(abs, own))
            ends = [-far] * is_finite(low) + [far] * is_finite(high)
            for end in ends if inner else (0.0,):
                index += terms
                value += own
                if inner:
                    index.append(size)
                    value.append(end)
                start.append(len(index))
        free = [INF] * (len(start) - 1)
        lower, upper = [-INF] * size + [0.0] * inner, [INF] * size + [1.0] * inner
        return linear_program(
            "the search for a conflict",
            ([-x for x in free], free),
            (start, index, value),
            cost=[0.0] * size + [-1.0] * inner,
            columns=(lower, upper),
        )

    def _change(self, highs: HighsModel, active: int, *, mip: bool) -> None:
        """Change the bounds and the integrality in which a HiGHS model differs from members."""
        members, before = self.members, self._state[mip]
        # Sides are rounded inwards as long as all integrality is given.
        all_integer = members.of_columns & ~active == 0
        were_integer = before >= 0 and members.of_columns & ~before == 0
        changed = active ^ before if before >= 0 else -1
        if all_integer != were_integer:
            changed |= self._rounded_rows
        rows = members.rows_of(changed & members.of_rows)
        if rows:
            sides = [
                self._sides(row, round_in=all_integer)
                if active & members.of_row(row)
                else (-INF, INF)
                for row in rows
            ]
            highs.bound_rows(rows, *zip(*sides, strict=True))
        changed &= members.of_columns
        columns = sorted({(bit - len(members.rows)) // 3 for bit in bits(changed)})
        if columns:
            low_side, high_side = (
                [float(members.bound(active, kind, column)) for column in columns]
                for kind in SIDES[:2]
            )
            highs.bound_columns(columns, low_side, high_side)
            for kind in (False, True) if mip else ():
                some = [c for c in columns if members.is_integer(active, c) == kind]
                highs.make_integer(some, integer=kind)
        self._state[mip] = active

    def _sides(self, row: int, *, round_in: bool) -> tuple[float, float]:
        """Return the sides of a row for HiGHS."""
        return self._ends[row][round_in]

    def _support(self, active: int, ray: Iterable[float] | None) -> int:
        """Return members whose multipliers seem to prove that they are infeasible."""
        y = [] if ray is None else list(ray)
        greatest = max(map(abs, y), default=0.0)
        if not greatest or not math.isfinite(greatest):
            return active
        members, support = self.members, 0
        sums: dict[int, float] = {}
        for row, one in enumerate(y):
            if abs(one) > TINY * greatest:
                support |= members.of_row(row)
                for column, value in members.rows[row][0].items():
                    sums[column] = sums.get(column, 0.0) + one * value / self.shrink[row]
        for column, one in sums.items():
            if abs(one) > TINY * greatest:
                for side in SIDES[:2]:
                    support |= 1 << members.bit(side, column)
        return support & active

    def exact_point(self, active: int, values: Iterable[float]) -> MemberAnswer | None:
        """Return an exact point near values, None if there is none."""
        found = self.completed(active, values)
        refuted = found is not None and found.feasible is False
        return None if refuted and not found.support else found  # type: ignore[union-attr]

    def completed(self, active: int, values: Iterable[float]) -> MemberAnswer | None:
        """Return the same; infeasible without a support if no point has these integers."""
        members = self.members
        floats = list(values)
        point: dict[int, Number] = {}
        rest = []
        # Columns in no row of these are put within their bounds.
        for column in {c for row in members.rows_of(active) for c in members.rows[row][0]}:
            if members.is_integer(active, column):
                point[column] = round(floats[column])
            else:
                rest.append(column)
        if not rest:
            return self._checked(active, point)
        tried = None
        if self._failures < MAX_FAILURES:
            tried = self._rounded(active, point, floats, rest, COARSE_DENOMINATOR)
            self._failures = self._failures + 1 if tried is None else 0
        if tried is not None:
            return tried
        self.work += START_ITERATIONS
        tried = self._interior(active, point, rest)
        tried = tried or self._rounded(active, point, floats, rest, FINE_DENOMINATOR)
        if tried is not None:
            return tried
        part, columns, rows = members.part(active)
        given = {index: point.get(column, 0) for index, column in enumerate(columns)}
        answer = ExactLp(part).solve(given, self.clock)
        if answer.status is Status.OPTIMAL:
            found = {columns[c]: value for c, value in answer.point.items()}
            return MemberAnswer(True, self.inside(active, found, columns))
        if answer.status is Status.INFEASIBLE:
            support = 0
            if not any(part.values("integer")):
                for row in answer.prices:
                    support |= members.of_row(rows[row])
                support |= members.of_columns
            return MemberAnswer(False, None, active & support)
        return None

    def _rounded(
        self, active: int, fixed: Values, values: Sequence[float], rest: Sequence[int], most: int
    ) -> MemberAnswer | None:
        """Return a point whose continuous values are rounded to small denominators, if it holds."""
        near = {column: _near(values[column], most) for column in rest}
        return self._checked(active, {**fixed, **near})

    def _checked(self, active: int, given: Values) -> MemberAnswer | None:
        point = self.inside(active, given)
        return None if self.members.mask(point) & active else MemberAnswer(True, point)

    def _interior(self, active: int, fixed: Values, rest: Collection[int]) -> MemberAnswer | None:
        """Return a point that satisfies all rows even with its values rounded; None if unknown.

        A vertex has rows with equality, so its values must be exact, with large denominators. A
        linear program finds the point farthest from all sides, relative to the coefficients.
        """
        members, far = self.members, len(self.members.bounds)
        own, wanted = set(rest), 0
        self._inside_last = False
        for row in members.rows_of(active):
            terms, low, high = members.rows[row]
            if not own.isdisjoint(terms):
                if low == high:
                    return None
                wanted |= 1 << row
        if self._inner is None:
            self._inner = self._new_highs(inner=True)
            sides = (len(row.bounds.finite) for row in members.rows)
            self._inner_place = [0, *accumulate(sides)]
        for row in bits(wanted ^ self._inner_rows):
            given = wanted >> row & 1
            low_side, high_side = self._sides(row, round_in=False)
            indices = iter(range(self._inner_place[row], self._inner_place[row + 1]))
            if math.isfinite(low_side):
                self._inner.bound_row(next(indices), low_side if given else -INF, INF)
            if math.isfinite(high_side):
                self._inner.bound_row(next(indices), -INF, high_side if given else INF)
        self._inner_rows = wanted
        low_sides, high_sides = (
            [
                float(members.bound(active, kind, c) if c in own else fixed.get(c, 0))
                for c in range(far)
            ]
            for kind in SIDES[:2]
        )
        self._inner.bound_columns(range(far), low_sides, high_sides)
        self._inner.run(self.clock.left())
        values = self._inner.solution()[0]
        if self._inner.status != "Optimal" or values[far] < WHOLE:
            return None
        # One denominator for all values, a power of two, keeps the sums short.
        by = 1 << math.ceil(math.log2(max(COARSE_DENOMINATOR, 1 / values[far])))
        near = {column: Fraction(round(values[column] * by), by) for column in rest}
        answer = self._checked(active, {**fixed, **near})
        self._inside_last = answer is not None
        return answer

    def inside(self, active: int, point: Values, columns: Iterable[int] = ()) -> dict[int, Number]:
        """Return a point whose other columns have values within their bounds.

        Parameters
        ----------
        active
            The members.
        point
            The values of some columns.
        columns
            The columns whose values are given, 0 where there is none.
        """
        found: dict[int, Number] = {**self._columns(active)[1], **point}
        for column in set(columns).difference(point):
            found.pop(column, None)
        return found

    def _columns(self, active: int) -> tuple[list[int], dict[int, Number]]:
        """Return the integer columns, and the values within bounds of those that cannot be 0."""
        members, given = self.members, active & self.members.of_columns
        if self._kept[0] != given:
            integers = members.integers(active)
            inside: dict[int, Number] = {}
            for column in members.outside:
                low, high = members.interval(active, column)
                value: Bound = low if low > 0 else high if high < 0 else 0
                if is_finite(value) and value:
                    if members.is_integer(active, column):
                        value = math.ceil(value) if low > 0 else math.floor(value)
                    inside[column] = value
            self._kept = given, integers, inside
        return self._kept[1], self._kept[2]


def _near(value: float, denominator: int) -> Number:
    """Return a near number with a small denominator."""
    nearest = round(value)
    if abs(value - nearest) < TINY:
        return nearest
    return Fraction(value).limit_denominator(denominator)


def _ends(
    row: Row[int], by: int, integral: bool
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the sides of a row divided by a number, as they are and rounded inwards."""
    terms, low, high = row
    plain = float(low / by), float(high / by)
    factor = math.gcd(*terms.values()) if integral else 1
    if factor < 2:
        return plain, plain
    inside = row.bounds.times(Fraction(1, factor)).rounded().times(Fraction(factor, by))
    return plain, (float(inside.low), float(inside.high))


def _power(values: Iterable[int]) -> int:
    """Return the power of two that brings whole numbers below 1024."""
    return 1 << max(0, max(map(abs, values), default=1).bit_length() - 10)
