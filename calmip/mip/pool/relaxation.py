"""The linear relaxations of the pool's nodes: HiGHS or the compiled simplex method proposes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import calmip.mip.pool.branch_and_bound as plain
import calmip.mip.pool.safe_bounds as bounds
from calmip._base.errors import SolverFailed
from calmip._base.highs import HighsModel, linear_program
from calmip.mip import kernel
from calmip.mip.pool.branch_and_bound import PoolTree
from calmip.mip.pool.integer_model import GRID, WholeModel, tighten
from calmip.mip.pool.safe_bounds import NodeArrays, SimplexArrays, simplex_arrays
from calmip.mip.rows import Row, is_finite

DIGITS = 44
"""Multipliers are rounded to this many binary digits below the greatest of them."""

MIN_DIGITS = 30
"""The fewest digits of multipliers that are worth a try."""

WORK_PER_RELAXATION = 4000, 40
"""A relaxation counts as so many touched coefficients, and so many for each entry."""

WORK_PER_SOLVE = 3_000, 4
"""A solve by HiGHS counts as so many touched coefficients, and so many simplex iterations more."""

ENDLESS = 2**62

MAX_SIMPLEX_ROWS = 1500
"""The compiled simplex method solves the nodes of relaxations with at most so many rows."""

DOUBTS = 100
"""How often it may start from another basis by HiGHS; later HiGHS solves all nodes."""

UNLIMITED = -4000
"""The digits of sums in Python, as if there were none."""

CLAIMS = {"infeasible": bounds.INFEASIBLE, "bound": bounds.BOUND, "optimal": bounds.OPTIMAL}


class NodeClaim(NamedTuple):
    """The claim of a relaxation about a node; nothing in it is exact."""

    status: str
    """``"infeasible"``, ``"bound"`` (the cutoff is reached), ``"optimal"`` or another word."""
    point: Any
    multipliers: Any
    work: int = 0
    """The effort, in touched coefficients."""


class NodeRelaxation:
    """One HiGHS LP whose column bounds follow the nodes; each solve starts from the last basis."""

    def __init__(self, program: WholeModel, *, cost: bool) -> None:
        self.scale = [_scale(terms.values()) for terms, _, _ in program.rows]
        self.unit = _scale(program.cost.values())
        self._nonzeros = sum(len(terms) for terms, _, _ in program.rows)
        self._low, self._high = ([float(x) for x in side] for side in (program.low, program.high))
        self._cutoff, self._cost = math.nan, cost
        self._highs = scaled_program(program, cost=program.cost if cost else {})

    @property
    def refused(self) -> bool:
        """Whether HiGHS does not take the program."""
        return self._highs is None

    def add(self, rows: Iterable[Row[int]]) -> None:
        """Add rows to the linear program."""
        for terms, low, high in rows:
            self.scale.append(_scale(terms.values()))
            by = self.scale[-1]
            if self._highs is not None:
                columns = sorted(terms)
                values = [terms[column] / by for column in columns]
                self._highs.add_row(low / by, high / by, columns, values)

    def calls(self) -> Any:
        """Return the addresses of HiGHS and its functions for the compiled loops; None without."""
        # A relaxation of another class has its own way to solve.
        if self._highs is None or type(self).solve is not NodeRelaxation.solve:
            return None
        return self._highs.addresses(
            "changeColsBoundsBySet",
            "run",
            "getModelStatus",
            "getSolution",
            "getDualRay",
            "getBasis",
        )

    def simplex(self, program: WholeModel) -> SimplexArrays | None:
        """Return the arrays of the compiled simplex method; None if HiGHS solves all nodes."""
        if not 0 < len(program.rows) <= MAX_SIMPLEX_ROWS:
            return None
        pairs = list(zip(program.rows, self.scale, strict=True))
        ends = [*zip(program.low, program.high, strict=True)]
        ends += [(low / by, high / by) for (_, low, high), by in pairs]
        cost = [program.cost.get(c, 0) / self.unit for c in range(len(program.order))]
        return simplex_arrays(
            [{column: a / by for column, a in terms.items()} for (terms, _, _), by in pairs],
            [(float(low), float(high)) for low, high in ends],
            cost if self._cost else [0.0] * len(cost),
            DOUBTS,
        )

    def prepare(self, cutoff: float, seconds: float | None) -> None:
        """Tell HiGHS the cutoff, a sum of costs, and how many seconds are left."""
        if self._highs is None:
            return
        if cutoff != self._cutoff:
            self._highs.set({"objective_bound": cutoff / self.unit})
            self._cutoff = cutoff
        self._highs.limit(seconds)

    def solve(
        self, low: Sequence[int], high: Sequence[int], cutoff: float, seconds: float | None
    ) -> NodeClaim:
        """Solve the relaxation of a node with these bounds of the integer columns.

        The cutoff is a sum of costs, or infinite.
        """
        highs = self._highs
        if highs is None:
            return NodeClaim("unknown", None, None)
        pairs = zip(low, high, self._low, self._high, strict=False)
        changed = [c for c, (a, b, old, older) in enumerate(pairs) if a != old or b != older]
        if changed:
            for column in changed:
                self._low[column], self._high[column] = float(low[column]), float(high[column])
            lows, highs_ = ([side[c] for c in changed] for side in (self._low, self._high))
            highs.bound_columns(changed, lows, highs_)
        self.prepare(cutoff, seconds)
        highs.run()
        status = highs.status
        iterations = WORK_PER_SOLVE[1] + int(highs.info("simplex_iteration_count") or 0)
        work = WORK_PER_SOLVE[0] + self._nonzeros * iterations
        if status == "Infeasible":
            return NodeClaim("infeasible", None, highs.dual_ray(), work)
        if status in ("Optimal", "Bound on objective reached"):
            values, _, prices = highs.solution()
            return NodeClaim("optimal" if status == "Optimal" else "bound", values, prices, work)
        return NodeClaim(status.lower(), None, None, work)


def scaled_program(program: WholeModel, *, cost: Mapping[int, int]) -> HighsModel | None:
    """Return the relaxation of a program for HiGHS, its rows scaled; None if HiGHS refuses it."""
    starts: list[int] = [0]
    index: list[int] = []
    value: list[float] = []
    lower: list[float] = []
    upper: list[float] = []
    unit = _scale(cost.values())
    try:
        for terms, low, high in program.rows:
            by = _scale(terms.values())
            index += terms
            value += [a / by for a in terms.values()]
            starts.append(len(index))
            lower.append(low / by)
            upper.append(high / by)
        return linear_program(
            "the search for all solutions",
            (lower, upper),
            (starts, index, value),
            cost=[cost.get(column, 0) / unit for column in range(len(program.order))],
            columns=([float(x) for x in program.low], [float(x) for x in program.high]),
        )
    except (SolverFailed, OverflowError):
        return None


def bound_rest(program: WholeModel, row: Row[int]) -> None:
    """Bound the continuous columns that the rows one by one leave unbounded on one side.

    The multipliers of one linear program, whose objective is their sum, add up the rows and one
    more to a row that bounds all of them. Without such bounds the reduced costs of these columns
    need the right sign exactly, which rounding may spoil.
    """
    cost = {
        column: -1 if is_finite(low) else 1
        for column, (low, high) in enumerate(zip(program.low, program.high, strict=True))
        if is_finite(low) != is_finite(high)
    }
    if not cost:
        return
    rows = [*program.rows, row]
    highs = scaled_program(replace(program, rows=rows), cost=cost)
    if highs is None:
        return
    highs.run()
    if highs.status != "Optimal":
        return
    prices = highs.solution()[2]
    scaled = [y / _scale(terms.values()) for y, (terms, _, _) in zip(prices, rows, strict=True)]
    greatest = max(map(abs, scaled), default=0.0)
    if not 0 < greatest < math.inf:
        return
    by = Fraction(2) ** (DIGITS - math.frexp(greatest)[1])
    total: dict[int, int] = {}
    side: Any = 0
    for y, (terms, low, high) in zip(scaled, rows, strict=True):
        multiplier = round(Fraction(y) * by)
        end = low if multiplier > 0 else high
        if multiplier and is_finite(end):
            side += multiplier * end
            for column, a in terms.items():
                total[column] = total.get(column, 0) + multiplier * a
    tighten(program, [Row({column: a for column, a in total.items() if a}, side, math.inf)])


def _scale(values: Any) -> int:
    """Return the power of two that brings whole numbers below 1024."""
    return 1 << max(0, max(map(abs, values), default=1).bit_length() - 10)


class Nodes:
    """The relaxations of the nodes of one tree.

    Parameters
    ----------
    program
        The program of the tree, with its bounds.
    relaxation
        What proposes multipliers and points.
    tree
        The tree.
    gains, times
        What is known of branchings, for two sides and all integer columns, and their sums.
    """

    def __init__(
        self,
        program: WholeModel,
        relaxation: NodeRelaxation,
        tree: PoolTree,
        gains: Any,
        times: Any,
    ) -> None:
        # Long, as the arrays that the compiled loops share are listed once, in one place.
        if len(relaxation.scale) != len(program.rows):
            raise ValueError("the relaxation has other rows")  # HiGHS would write beyond the arrays
        self.relaxation = relaxation
        columns, integers = len(program.order), program.integers
        starts, inside, values = plain.by_columns([terms for terms, _, _ in program.rows], columns)
        cost = [program.cost.get(column, 0) for column in range(columns)]
        low, high = program.low[integers:], program.high[integers:]
        ends = [[int(is_finite(one)) for one in pair] for pair in zip(low, high, strict=True)]
        end_low = [math.floor(one * GRID) if is_finite(one) else 0 for one in low]
        end_high = [math.ceil(one * GRID) if is_finite(one) else 0 for one in high]
        lower, upper = (
            [int(side) if is_finite(side) else 0 for side in sides]
            for sides in (
                [low for _, low, _ in program.rows],
                [high for _, _, high in program.rows],
            )
        )
        # The greatest sums for multipliers of 1, and of the costs.
        finite: list[Any] = [
            *zip(program.low[:integers], program.high[:integers], strict=True),
            *zip(end_low, end_high, strict=True),
        ]
        reach = [max(abs(low), abs(high), high - low, 1) for low, high in finite]
        spread: list[Any] = [max(abs(a), abs(b)) for a, b in zip(lower, upper, strict=True)]
        for one, (first, last) in zip(reach, pairwise(starts), strict=True):
            for k in range(first, last):
                spread[inside[k]] += one * abs(values[k])
        size: Any = sum(one * abs(c) for one, c in zip(reach, cost, strict=True))
        shift = max((by.bit_length() - 1 for by in relaxation.scale), default=0)
        digits, power = DIGITS + shift, 1000
        available = bounds.ROOM - 2
        words = [*values, *cost, *lower, *upper]
        words += [*end_low, *end_high]
        self.compiled = plain.is_compiled(tree) and (
            max(map(abs, words), default=0) < 2**62
            and available - _bits(sum(spread)) >= MIN_DIGITS
            and available - _bits(size) >= MIN_DIGITS
        )
        digits_of_rows = [UNLIMITED] * len(spread)
        if self.compiled:
            # Of twice as much, for all rows together.
            digits_of_rows = [_bits(one) + _bits(len(spread)) for one in spread]
            power = available - _bits(size)
        numbers = [0] * bounds.COUNTS
        numbers[bounds.ROWS], numbers[bounds.INTEGERS], numbers[bounds.CONTINUOUS] = (
            len(program.rows),
            integers,
            columns - integers,
        )
        numbers[bounds.DIGIT], numbers[bounds.POWER], numbers[bounds.STOP] = digits, power, ENDLESS
        numbers[bounds.EFFORTS] = WORK_PER_RELAXATION[0] + WORK_PER_RELAXATION[1] * starts[-1]
        length = len(tree.branch)
        none = [math.nan] * integers
        fields: dict[str, Any] = {
            "column_start": starts,
            "column_row": inside,
            "column_value": values,
            "cost": cost,
            "lower": lower,
            "upper": upper,
            "sides": [is_finite(low) + 2 * is_finite(high) for _, low, high in program.rows],
            "ends": [below + 2 * above for below, above in ends],
            "end_low": end_low,
            "end_high": end_high,
            "factor": [relaxation.unit / by for by in relaxation.scale],
            "ray_factor": [1.0 / by for by in relaxation.scale],
            "reach": digits_of_rows,
            "y": [0] * len(program.rows),
            "reduced": [0] * columns,
            "values": [0.0] * columns,
            "prices": [0.0] * len(program.rows),
            "low": none,
            "high": none,
            "changed": [0] * integers,
            "changed_low": none,
            "changed_high": none,
            "gains": gains,
            "times": times,
            "note_column": [-1] * length,
            "note_bound": [0.0] * length,
            "note_value": [0.0] * length,
            "numbers": numbers,
        }
        self.arrays = NodeArrays(**fields)
        if self.compiled:
            self.arrays = bounds.compiled(self.arrays)
        # Where they are few, Python calls HiGHS.
        few = tree.numbers[plain.ASK] == plain.PAYING
        self._calls = relaxation.calls() if self.compiled and not few else None
        self._simplex = relaxation.simplex(program) if self._calls is not None else None
        self.cutoff = math.inf
        self._cutoff_in_highs = math.nan

    @property
    def direct(self) -> bool:
        """Whether the compiled loops call HiGHS."""
        return self._calls is not None

    def loops(self, tree: PoolTree) -> Callable[[int], int]:
        """Return the function that searches on until something happens."""
        if not self.direct:
            return plain.loops(tree)
        library, arrays = kernel.library(), bounds.addresses(self.arrays)
        assert library is not None
        own = None if self._simplex is None else bounds.simplex_addresses(self._simplex)
        return partial(library.calmip_pool_nodes, plain.addresses(tree), arrays, self._calls, own)

    def grow(self, tree: PoolTree) -> None:
        """Make room for the open nodes of a tree that has grown."""
        longer: dict[str, Any] = {}
        for name in ("note_column", "note_bound", "note_value"):
            longer[name] = getattr(self.arrays, name)[:]
            longer[name].extend([-1] * (len(tree.branch) - len(longer[name])))
        self.arrays = self.arrays._replace(**longer)

    def stop(self, nodes: int) -> None:
        """Let the compiled loops pause after so many nodes."""
        self.arrays.numbers[bounds.STOP] = nodes

    @property
    def late(self) -> bool:
        """Whether HiGHS does not know the cutoff yet."""
        return self._cutoff_in_highs != self.cutoff

    def prepare(self, seconds: float | None) -> None:
        """Tell HiGHS the cutoff, and how many seconds are left."""
        self._cutoff_in_highs = self.cutoff
        self.relaxation.prepare(self.cutoff, seconds)
        if self._simplex is not None:
            self._simplex.cutoff[0] = self.cutoff / self.relaxation.unit

    def count(self) -> tuple[int, int, int]:
        """Return the new relaxations, pruned nodes, and claims without a proof; start from 0."""
        numbers = self.arrays.numbers
        indices = bounds.RELAXATIONS, bounds.PRUNED, bounds.UNPROVED
        relaxations, pruned, unproved = (int(numbers[index]) for index in indices)
        for index in indices:
            numbers[index] = 0
        return relaxations, pruned, unproved

    def set_limit(
        self, limit: Fraction | None, *, excludes_cutoff: bool, objective_is_integral: bool
    ) -> None:
        """Set the cutoff, and whether it is excluded."""
        numbers = self.arrays.numbers
        self.cutoff = math.inf
        numbers[bounds.LIMITED] = limit is not None
        if limit is None:
            return
        self.cutoff = cutoff_of(limit, objective_is_integral=objective_is_integral)
        fine = math.ceil(limit * 2**bounds.FINE)
        numbers[bounds.STRICT] = excludes_cutoff
        if self.compiled and fine.bit_length() > bounds.ROOM:
            numbers[bounds.LIMITED] = False
            return
        word = fine & bounds.MASK
        numbers[bounds.LIMIT_HIGH] = fine >> 64
        numbers[bounds.LIMIT_LOW] = word - 2**64 if word >= 2**63 else word
        numbers[bounds.LIMIT_BITS] = fine.bit_length() if self.compiled else -ENDLESS

    def bound(self, tree: PoolTree, relaxation: NodeRelaxation) -> Fraction | None:
        """Return an exact bound of the sum of costs at the current node; None without one."""
        claim = relaxation.solve(tree.low, tree.high, math.inf, None)
        if claim.status != "optimal" or claim.multipliers is None:
            return None
        put(claim.multipliers, self.arrays.prices)
        found = bounds.bound_of(tree, self.arrays)
        return None if found is None else Fraction(found[0], 1 << found[1])

    def relax(self, tree: PoolTree, seconds: float | None) -> None:
        """Solve the relaxation of the current node; prune it, or say where to branch."""
        self.judge(tree, self.relaxation.solve(tree.low, tree.high, self.cutoff, seconds))

    def judge(self, tree: PoolTree, claim: NodeClaim) -> None:
        """Judge a claim about the current node; prune it, or say where to branch."""
        number = CLAIMS.get(claim.status, bounds.NOTHING)
        if claim.multipliers is None:
            self.arrays.numbers[bounds.UNPROVED] += number == bounds.INFEASIBLE
            number = bounds.NOTHING
        else:
            put(claim.multipliers, self.arrays.prices)
        if claim.point is not None:
            put(claim.point, self.arrays.values)
        library = kernel.library()
        if self.compiled and library is not None:
            library.calmip_pool_judge(plain.addresses(tree), bounds.addresses(self.arrays), number)
        else:
            bounds.judge(tree, self.arrays, number)
        plain.spend(tree, claim.work)


def put(numbers: Sequence[float], into: Any) -> None:
    """Write numbers into the first places of a list or array."""
    for index, number in enumerate(numbers):
        into[index] = number


def cutoff_of(limit: Fraction | None, *, objective_is_integral: bool) -> float:
    """Return what HiGHS is told: half a step above the cutoff, or a little more than it."""
    if limit is None:
        return math.inf
    return float(limit) + (0.5 if objective_is_integral else 1e-6 * (1 + abs(float(limit))))


def _bits(number: Any) -> int:
    return int(number).bit_length() + 1
