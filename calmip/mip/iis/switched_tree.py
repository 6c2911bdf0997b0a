"""A tree whose rows are switched on and off: whether some rows are feasible, proved.

A search for a conflict asks about many sets of rows of one model. `RowTree` is the tree of the
pool, set up once for all of them: compiled loops branch, tighten bounds and solve the linear
relaxations, and exact bounds prune. What remains for each set of rows is its search. Starting a MIP
takes several times longer, and its "infeasible" is no proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.mip.iis.constraint_sets import WHOLE, Members
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import safe_bounds as bounds
from calmip.mip.pool.integer_model import (
    WholeModel,
    activity,
    strengthen,
    tighten,
)
from calmip.mip.pool.relaxation import NodeRelaxation, Nodes
from calmip.mip.rows import Interval, Row, ceil_of, floor_of, is_finite

WORK_BEFORE_RELAXATIONS = 20_000
"""The coefficients touched before linear relaxations are solved: a tenth of a millisecond."""

WORK_PER_CLOCK_READ = 100_000
"""The coefficients touched between two readings of the clock."""

MAX_REJECTED = 2
"""The most points that are no solutions, or not near one, before a search ends."""

DOUBTS = 20
"""How often HiGHS may be asked for another basis in one search."""

BOX_MARGIN = 3
"""Where a bound is left out, a point is searched that violates it by at most so much."""

MAX_BOXED_WORK = 500_000
"""The coefficients touched in such a search, which proves nothing if there is none."""

LONG_SHARE = 1 / 3
"""A row with one side and this share of the columns is the objective: its bounds prune better."""

INF = math.inf

Judge = Callable[[Mapping[int, float]], bool | None]
"""Whether values are near a solution; False if none has these values of the integers."""

RESET = ("low", "high", "least", "most", "free", "queue", "queued")
"""The arrays of a tree that its search changes, other than its stack."""


class RowAnswer(NamedTuple):
    """Whether rows are feasible, None if that is not known.

    Parameters
    ----------
    feasible
        False is proved.
    near
        Values of columns at or near a solution, if there is one.
    nodes
        The nodes whose relaxations were solved.
    """

    feasible: bool | None
    near: dict[int, float]
    nodes: int


class _Relaxation(NodeRelaxation):
    """A linear program whose rows can be switched."""

    def switch(self, row: int, low: float, high: float) -> None:
        """Change the sides of a row."""
        assert self._highs is not None  # or the compiled loops would not take the rows
        by = self.scale[row]
        self._highs.bound_row(row, low / by, high / by)


class _Nodes(Nodes):
    """The relaxations of a tree whose rows can be switched."""

    def switch(self, row: int, low: float, high: float) -> None:
        """Change the sides of a row."""
        self.arrays.sides[row] = math.isfinite(low) + 2 * math.isfinite(high)
        if self._simplex is not None:
            index, by = len(self._simplex.cost) + row, self.relaxation.scale[row]
            self._simplex.low[index], self._simplex.high[index] = low / by, high / by

    def restart(self) -> None:
        """Begin with a basis by HiGHS."""
        if self._simplex is not None:
            self._simplex.numbers[0] = 0
            self._simplex.numbers[bounds.DOUBTS] = DOUBTS


class RowTree:
    """The feasibility of sets of rows, with given bounds and integrality.

    Parameters
    ----------
    members
        The members of a model.
    rows
        The rows that can be switched on.
    given
        The bounds and integrality that are given.
    alone
        Whether all these rows are always on, so that they may tighten bounds.
    ends
        Bounds of columns that are given, too.

    Raises
    ------
    InputError
        If the compiled loops do not take the rows: an integer has no bounds, numbers are too
        large, or there is no library.
    """

    def __init__(
        self,
        members: Members,
        rows: Sequence[int],
        given: int,
        *,
        alone: bool = False,
        ends: Mapping[int, Interval] | None = None,
    ) -> None:
        program = _program(members, rows, given, ends or {})
        self._place = {row: index for index, row in enumerate(rows)}
        self._empty = alone and not tighten(program, [])
        integers = program.integers
        self._boxed = alone and _box(program, members)
        sides = *program.low[:integers], *program.high[:integers]
        if not integers or not all(map(is_finite, sides)):
            raise InputError("the tree takes integers with bounds")
        strengthen(program)
        self._priced, self._limit = _objective(program)
        if self._priced >= 0:
            terms, low, _ = program.rows[self._priced]
            sign = -1 if is_finite(low) else 1
            program.rows[self._priced] = Row({}, -INF, INF)
            program = replace(program, cost={column: sign * a for column, a in terms.items()})
        self._program = program
        size = program.integers
        self._mixed = [n for n, row in enumerate(program.rows) if any(c >= size for c in row.terms)]
        """The rows with continuous columns: a leaf of the tree may violate them."""
        self._sides = [(float(low), float(high)) for _, low, high in program.rows]
        tree_rows = program.rows_on_integers([Row(program.cost, -INF, INF), *program.rows])
        lows: Any = program.low[:integers]
        highs: Any = program.high[:integers]
        self._tree = plain.new_tree(tree_rows, lows, highs, distinct=integers, cubes=program.pure)
        self._root = {name: getattr(self._tree, name)[:] for name in (*RESET, "lower", "upper")}
        self._numbers = self._tree.numbers[:]
        self._relaxation = _Relaxation(program, cost=bool(program.cost))
        histories = ([0.0] * (2 * integers + 2) for _ in range(2))
        self._nodes = _Nodes(program, self._relaxation, self._tree, *histories)
        if not self._nodes.direct:
            raise InputError("the compiled loops do not take the rows")
        self._on = set(range(len(program.rows)))

    def test(
        self, rows: Iterable[int], work: int, clock: Deadline, judge: Judge | None = None
    ) -> RowAnswer:
        """Return whether rows are feasible.

        Parameters
        ----------
        rows
            The numbers of the rows.
        work
            The most coefficients touched.
        clock
            The time limit.
        judge
            What is asked whether values are near a solution, or proves that none has these values
            of the integers; without it all are.
        """
        if self._empty:
            return RowAnswer(False, {}, 0)
        if self._boxed:
            work = min(work, MAX_BOXED_WORK)
        self._switch({self._place[row] for row in rows})
        pure = self._program.pure
        # Without relaxations a node takes a thousandth of the time.
        found = self._search(0, WORK_BEFORE_RELAXATIONS, clock, judge) if pure else None
        if found is None or found.feasible is None:
            found = self._search(1 if pure else 2, work, clock, judge)
        return found

    def _switch(self, wanted: set[int]) -> None:
        """Switch these rows on, and all others off."""
        tree, far = self._tree, self._tree.numbers[plain.FAR]
        for row in wanted ^ self._on:
            on = row in wanted
            low, high = self._sides[row] if on else (-INF, INF)
            self._relaxation.switch(row, low, high)
            self._nodes.switch(row, low, high)
            tree.lower[row + 1] = self._root["lower"][row + 1] if on else -far
            tree.upper[row + 1] = self._root["upper"][row + 1] if on else far
        self._on = wanted
        program = self._program
        limit = self._limit if self._priced in wanted else None
        if limit is not None and program.objective_is_integral:
            limit = Fraction(math.floor(limit))
        self._nodes.set_limit(
            limit, excludes_cutoff=False, objective_is_integral=program.objective_is_integral
        )
        tree.upper[0] = far
        if limit is not None:
            objective: Row[Any] = Row(program.cost, -INF, limit)
            ((_, _, most),) = program.rows_on_integers([objective])
            tree.upper[0] = max(-far, min(far, most))

    def _search(self, ask: int, work: int, clock: Deadline, judge: Judge | None) -> RowAnswer:
        """Search from the root; ``ask`` is as the tree has it."""
        nodes, numbers = self._nodes, self._tree.numbers
        for name in RESET:
            getattr(self._tree, name)[:] = self._root[name]
        length = numbers[plain.PLACES]
        numbers[:] = self._numbers
        numbers[plain.PLACES], numbers[plain.ASK] = length, ask
        nodes.restart()
        nodes.prepare(clock.left())
        loops = self._loops(ask)
        answer: bool | None = None
        near: dict[int, float] = {}
        rejected, pure = 0, self._program.pure
        while answer is None and numbers[plain.WORK] < work and not clock.over:
            nodes.stop(numbers[plain.NODES] + 1)
            event = loops(WORK_PER_CLOCK_READ)
            if event == plain.DONE:
                if self._boxed:
                    break
                answer = False
            elif event == plain.LEAF and not pure and self._is_empty():
                pass
            elif event == plain.LEAF or (event == plain.PAUSE and ask and self._is_integral()):
                near = self._values(leaf=event == plain.LEAF)
                verdict = judge(near) if judge is not None else True
                rejected += not verdict
                if verdict:
                    answer = True
                elif rejected > MAX_REJECTED or (event == plain.LEAF and verdict is None):
                    break
            elif event == plain.GROW:
                self._tree = plain.grow(self._tree)
                numbers = self._tree.numbers
                nodes.grow(self._tree)
                loops = self._loops(ask)
            elif event != plain.PAUSE:
                break
        return RowAnswer(answer, near if answer else {}, numbers[plain.NODES] if ask else 0)

    def _is_empty(self) -> bool:
        """Return whether a row excludes all values of the continuous columns at a leaf."""
        program = self._program
        fixed = self._tree.low[: program.integers]
        low, high = ([*fixed, *ends[program.integers :]] for ends in (program.low, program.high))
        for row in self._on.intersection(self._mixed):
            terms, lower, upper = program.rows[row]
            least, most = activity(terms, low, high)
            if least > upper or most < lower:
                return True
        return False

    def _values(self, *, leaf: bool) -> dict[int, float]:
        """Return the values of the current node's relaxation, those of fixed integers exactly."""
        values = self._nodes.arrays.values
        if leaf:
            # The relaxation of a leaf may have no point though that is not proved.
            values = [*self._tree.low, *values[self._program.integers :]]
        return dict(zip(self._program.order, map(float, values), strict=False))

    def _loops(self, ask: int) -> Any:
        return self._nodes.loops(self._tree) if ask else plain.loops(self._tree)

    def _is_integral(self) -> bool:
        """Return whether the relaxation of the current node has an integral solution."""
        tree = self._tree
        if tree.numbers[plain.MODE] != plain.CHOOSE or tree.numbers[plain.COLUMN] >= 0:
            return False  # pruned, or there is a column to branch on
        values = zip(self._nodes.arrays.values, tree.low, tree.high, strict=False)
        return all(
            abs(value - round(value)) <= WHOLE and low <= round(value) <= high
            for value, low, high in values
        )


def _program(
    members: Members, rows: Sequence[int], given: int, ends: Mapping[int, Interval]
) -> WholeModel:
    """Return some rows in whole numbers, integer columns first."""
    used = sorted({column for row in rows for column in members.rows[row][0]})
    order = sorted(used, key=lambda column: not members.is_integer(given, column))
    integers = sum(members.is_integer(given, column) for column in used)
    pairs = [ends.get(column) or members.interval(given, column) for column in order]
    low, high = ([pair[side] for pair in pairs] for side in (0, 1))
    low[:integers], high[:integers] = map(ceil_of, low[:integers]), map(floor_of, high[:integers])
    index = {column: number for number, column in enumerate(order)}
    found: list[Row[int]] = []
    for row in rows:
        terms, least, most = members.rows[row]
        own = Row({index[column]: a for column, a in terms.items()}, least, most)
        pure = all(column < integers for column in own.terms)
        found.append(own.reduced() if pure else own)
    return WholeModel(
        members.model,
        tuple(order),
        integers,
        integers,
        found,
        low,
        high,
        {},
        Fraction(1),
        Fraction(0),
    )


def without_implied(members: Members, active: int, side: str) -> int:
    """Return some members without the bounds of a side that all others imply, by propagation."""
    rows = members.rows_of(active)
    used = {column for row in rows for column in members.rows[row][0]}
    own = active & sum(1 << members.bit(side, column) for column in used)
    rest = active & ~own
    program = _program(members, rows, rest & members.of_columns, {})
    if not tighten(program, []):
        return rest
    upper = side == "upper"
    for place, column in enumerate(program.order):
        low, high = members.bounds[column]
        if program.high[place] > high if upper else program.low[place] < low:
            rest |= own & 1 << members.bit(side, column)
    return rest


def _box(program: WholeModel, members: Members) -> bool:
    """Bound the integers whose bounds are left out a little beyond these; return if there are some.

    The program then has fewer solutions.
    """
    boxed = False
    for column, own in enumerate(program.order[: program.integers]):
        low, high = members.bounds[own]
        if is_finite(low) and not is_finite(program.low[column]):
            program.low[column] = min(math.ceil(low), program.high[column]) - BOX_MARGIN
            boxed = True
        if is_finite(high) and not is_finite(program.high[column]):
            program.high[column] = max(math.floor(high), program.low[column]) + BOX_MARGIN
            boxed = True
    return boxed


def _objective(program: WholeModel) -> tuple[int, Fraction | None]:
    """Return the longest row with one side, -1 if none is long, and the most as an objective."""
    sizes = [
        (len(terms), -row)
        for row, (terms, low, high) in enumerate(program.rows)
        if is_finite(low) != is_finite(high)
    ]
    size, row = max(sizes, default=(0, 0))
    if size < max(2, LONG_SHARE * len(program.order)):
        return -1, None
    _, low, high = program.rows[-row]
    most: Any = high if is_finite(high) else -low
    return -row, Fraction(most)
