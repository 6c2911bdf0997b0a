"""The linear relaxations of the pool's nodes, judged by bounds in whole numbers.

For any multipliers y of the rows, the objective of every point within the bounds of a node is at
least ``sum of y * side + sum of min(d * low, d * high)`` with ``d = cost - y A`` (Neumaier and
Shcherbina 2004, https://doi.org/10.1007/s10107-003-0433-3). The multipliers are rounded to a
grid, after which every sum is of whole numbers and exact. The same d tighten bounds
(reduced-cost fixing). Without the cost, y of the right direction proves a node infeasible.

`judge` is the plain twin of `calmip/mip/kernel/relaxation.c`, whose sums have 128 bits.
"""

# Without postponed annotations: those of the long tuples below would be compiled, one after the
# other, at each start.
import ctypes
import math
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import calmip.mip.pool.branch_and_bound as plain
from calmip.mip import kernel
from calmip.mip.pool.integer_model import GRID

if TYPE_CHECKING:
    from calmip.mip.pool.branch_and_bound import PoolTree

ROOM = 126
"""Sums of the compiled loops are below 2**ROOM."""

FINE = 40
"""The binary digits of the cutoff's fraction."""

WHOLE = 1e-6
"""Values of a relaxation so near to a whole number count as whole, for branching alone."""

TINY = 1e-6
"""The least score of a side of a branching."""

MASK = 2**64 - 1

NOTHING, INFEASIBLE, BOUND, OPTIMAL = range(4)
"""What a relaxation claims."""


class NodeArrays(NamedTuple):
    """All arrays for the relaxations of the nodes; columns are numbered as in the program."""

    # The matrix by columns, the costs, the bounds of the rows.
    column_start: Any
    column_row: Any
    column_value: Any
    cost: Any
    lower: Any
    upper: Any
    # By row and by continuous column, which bounds there are: 1 the lower, 2 the upper one.
    sides: Any
    ends: Any
    # The bounds of continuous columns in parts of the grid, moved outwards.
    end_low: Any
    end_high: Any
    # By row: the factors of multipliers that bound the objective, and of those of a ray.
    factor: Any
    ray_factor: Any
    # By row: the binary digits of all that it adds to sums for a multiplier of 1.
    reach: Any
    # The multipliers in parts of their grid; the reduced costs.
    y: Any
    reduced: Any
    # HiGHS's answers, and the bounds of the integer columns that it has.
    values: Any
    prices: Any
    low: Any
    high: Any
    changed: Any
    changed_low: Any
    changed_high: Any
    # By side and column: how much branching raised the bound; how often it was observed. At
    # the end the sums of both sides.
    gains: Any
    times: Any
    # By depth: the column, the bound and the column's value where a relaxation was branched.
    note_column: Any
    note_bound: Any
    note_value: Any
    # Single numbers, by the places that are named below.
    numbers: Any


# The places of the numbers in NodeArrays.numbers.
ROWS, INTEGERS, DIGIT, POWER, LIMITED, STRICT, LIMIT_HIGH, LIMIT_LOW, LIMIT_BITS = range(9)
RELAXATIONS, PRUNED, UNPROVED, STOP, EFFORTS, CONTINUOUS = range(9, 15)
COUNTS = 15


class SimplexArrays(NamedTuple):
    """The arrays of the compiled simplex method; column ``columns + i`` is the sum of row i."""

    # The matrix by columns and by rows, scaled as for HiGHS; the costs.
    column_start: Any
    column_row: Any
    row_start: Any
    row_column: Any
    column_value: Any
    row_value: Any
    cost: Any
    # By column and row: the bounds, the value, the reduced cost, the entry of a row of the tableau.
    low: Any
    high: Any
    value: Any
    reduced: Any
    row: Any
    # The inverse of the basis, the squared lengths of its rows, and room for three columns.
    inverse: Any
    weight: Any
    column: Any
    right: Any
    moved: Any
    # The basic columns; the place of each column in the basis, or -1; room for lists.
    basis: Any
    place_of: Any
    candidates: Any
    passed: Any
    places: Any
    kept: Any
    states: Any
    # The sum of costs above which it stops, as HiGHS has it; single numbers.
    cutoff: Any
    numbers: Any


class _Simplex(ctypes.Structure):  # as simplex.h has it
    _fields_ = [(name, ctypes.c_void_p) for name in SimplexArrays._fields]
    _fields_ += [("rows", ctypes.c_int64), ("columns", ctypes.c_int64)]


DOUBTS = 4
"""The place in SimplexArrays.numbers of how often HiGHS may still be asked for another basis."""


def simplex_arrays(
    rows: Sequence[Any], bounds: Sequence[tuple[float, float]], cost: Sequence[float], doubts: int
) -> SimplexArrays:
    """Return the arrays for a linear program.

    Parameters
    ----------
    rows
        The scaled coefficients by column of each row.
    bounds
        The bounds of the columns, then those of the rows.
    cost
        The costs of the columns.
    doubts
        How often HiGHS may be asked for a basis.
    """
    by_column: list[list[tuple[int, float]]] = [[] for _ in cost]
    row_start = [0]
    for number, terms in enumerate(rows):
        for column, a in terms.items():
            by_column[column].append((number, a))
        row_start.append(row_start[-1] + len(terms))
    column_start = [0]
    for some in by_column:
        column_start.append(column_start[-1] + len(some))
    numbers = [0] * (DOUBTS + 1)
    numbers[DOUBTS] = doubts
    count, every = len(rows), len(bounds)
    doubles = (every, every, every, count**2, *[count] * 4)
    lists = (count, *[every] * 3, count, count, every)
    fields: tuple[Any, ...] = (
        array("q", column_start),
        array("q", [r for some in by_column for r, _ in some]),
        array("q", row_start),
        array("q", [column for terms in rows for column in terms]),
        array("d", [a for some in by_column for _, a in some]),
        array("d", [a for terms in rows for a in terms.values()]),
        array("d", cost),
        array("d", [low for low, _ in bounds]),
        array("d", [high for _, high in bounds]),
        *(array("d", [0.0]) * size for size in doubles),
        *(array("i", [0]) * size for size in lists),
        array("d", [math.inf]),
        array("q", numbers),
    )
    return SimplexArrays(*fields)


def simplex_addresses(arrays: SimplexArrays) -> Any:
    """Return the structure of the simplex method's addresses; the arrays must live as long."""
    size = len(arrays.basis), len(arrays.cost)
    return ctypes.byref(_Simplex(*map(kernel.address, arrays), *size))


class _Arrays(ctypes.Structure):  # as relaxation.c has it
    _fields_ = [(name, ctypes.c_void_p) for name in NodeArrays._fields]


def compiled(arrays: NodeArrays) -> NodeArrays:
    """Return arrays as the compiled loops take them."""
    floats = {"factor", "ray_factor", "values", "prices", "low", "high", "changed_low"}
    floats |= {"changed_high", "gains", "times", "note_bound", "note_value"}
    found: dict[str, Any] = {}
    for name, numbers in arrays._asdict().items():
        if isinstance(numbers, array):  # shared by all trees
            found[name] = numbers
        elif name in ("y", "reduced"):  # of 128 bits, which begin at a multiple of 16 bytes
            words = array("q", bytes(16 * len(numbers) + 8))
            first = 1 if kernel.address(words) % 16 else 0
            found[name] = memoryview(words)[first : first + 2 * len(numbers)]
        else:
            kind = "d" if name in floats else "i" if name == "changed" else "q"
            found[name] = array(kind, numbers)
    return NodeArrays(**found)


def addresses(arrays: NodeArrays) -> Any:
    """Return the structure of the arrays' addresses; the arrays must live as long."""
    return ctypes.byref(_Arrays(*map(kernel.address, arrays)))


def _multipliers(arrays: NodeArrays, sign: float, *, cost: bool) -> int | None:
    """Round the multipliers to a grid of 2**-power; return the power, None if they give none."""
    count, sides = arrays.numbers, arrays.sides
    factor = arrays.factor if cost else arrays.ray_factor
    scaled = []
    # A row without a bound on this side is left out, which is always valid.
    for row in range(count[ROWS]):
        one = sign * float(arrays.prices[row]) * float(factor[row])
        out = (one > 0 and not sides[row] & 1) or (one < 0 and not sides[row] & 2)
        scaled.append(0.0 if out else one)
    if not all(abs(one) < 1e290 for one in scaled):
        return None
    greatest = max(map(abs, scaled), default=0.0)
    if greatest < 1e-290:
        if not cost:
            return None
        greatest = 0.0
    size = math.frexp(greatest)[1]
    digits = int(count[DIGIT])
    pairs = zip(scaled, arrays.reach, strict=True)
    reach = max((math.frexp(one)[1] + int(bits) for one, bits in pairs if one), default=-4000)
    power = min(digits - size, ROOM - reach)
    if cost:
        power = 0 if power < 0 else min(power, int(count[POWER]))
    if size + power > digits or reach + power > ROOM or not -1000 <= power <= 1000:
        return None
    by = math.ldexp(1.0, power)
    for row, one in enumerate(scaled):
        arrays.y[row] = _nearest(one * by)
    return power


def _bound_of(
    tree: "PoolTree", arrays: NodeArrays, sign: float, *, cost: bool
) -> tuple[int, int] | None:
    """Return the bound that multipliers give times 2**power, and the power; None if none."""
    power = _multipliers(arrays, sign, cost=cost)
    if power is None:
        return None
    pairs = zip(arrays.y, arrays.lower, arrays.upper, strict=True)
    total = sum(y * int(low if y > 0 else high) for y, low, high in pairs)
    rest = 0
    integers, starts = int(arrays.numbers[INTEGERS]), arrays.column_start
    for column in range(integers + int(arrays.numbers[CONTINUOUS])):
        d = int(arrays.cost[column]) << power if cost else 0
        for k in range(starts[column], starts[column + 1]):
            d -= arrays.y[arrays.column_row[k]] * int(arrays.column_value[k])
        arrays.reduced[column] = d
        if not d:
            continue
        if column < integers:
            total += d * int(tree.low[column] if d > 0 else tree.high[column])
        else:
            own = column - integers
            if not arrays.ends[own] & (1 if d > 0 else 2):
                return None
            rest += d * int(arrays.end_low[own] if d > 0 else arrays.end_high[own])
    return total + rest // GRID, power


def bound_of(tree: "PoolTree", arrays: NodeArrays) -> tuple[int, int] | None:
    """Return what the multipliers of an optimal relaxation bound, as `_bound_of` does."""
    plain_arrays = arrays._replace(y=[0] * len(arrays.lower), reduced=[0] * len(arrays.cost))
    return _bound_of(tree, plain_arrays, 1.0, cost=True)


def _limit_of(arrays: NodeArrays, power: int) -> int | None:
    """Return the cutoff times 2**power, rounded up; None if it is too large."""
    count = arrays.numbers
    fine = (int(count[LIMIT_HIGH]) << 64) | (int(count[LIMIT_LOW]) & MASK)
    if count[LIMIT_BITS] + power - FINE > ROOM:
        return None
    return fine << (power - FINE) if power >= FINE else -(-fine >> (FINE - power))


def _double(value: int) -> float:
    if value.bit_length() > 1000:
        return math.copysign(math.inf, value)
    return float(value >> 64) * 2.0**64 + float(value & MASK)


def _nearest(value: float) -> int:
    return round(value) if abs(value) < 2.0**51 else int(value)


def _learn(tree: "PoolTree", arrays: NodeArrays, depth: int, bound: float) -> None:
    """Note by how much the branching above has raised the bound."""
    if depth == 0 or arrays.note_column[depth - 1] != tree.branch[depth - 1]:
        return
    column, split = int(tree.branch[depth - 1]), int(tree.split[depth - 1])
    columns, value = int(arrays.numbers[INTEGERS]), float(arrays.note_value[depth - 1])
    above = int(tree.low[column] > split)
    distance = float(split + 1) - value if above else value - float(split)
    if WHOLE < distance < 1:
        rise = bound - float(arrays.note_bound[depth - 1])
        gain = (rise if rise > 0 else 0.0) / distance
        for index in (above * columns + column, 2 * columns + above):
            arrays.gains[index] += gain
            arrays.times[index] += 1


def _fix(tree: "PoolTree", arrays: NodeArrays, reserve: int) -> None:
    """Wish the bounds that columns have below the cutoff, by their reduced costs.

    A column that moves one step from the bound that the proof uses adds its reduced cost.
    """
    wishes = []
    for column in range(arrays.numbers[INTEGERS]):
        d, low, high = arrays.reduced[column], int(tree.low[column]), int(tree.high[column])
        if abs(d) * (high - low) > reserve:
            steps = reserve // abs(d)
            wishes.append((2 * column + (d > 0), low + steps if d > 0 else high - steps))
    plain.wish(tree, wishes)


def _score(arrays: NodeArrays, column: int, part: float, mean: Sequence[float]) -> float:
    """Return the product of what both sides of a branching probably raise the bound."""
    score, columns = 1.0, int(arrays.numbers[INTEGERS])
    for side, step in ((0, part), (1, 1 - part)):
        times = float(arrays.times[side * columns + column])
        gain = mean[side]
        if times > 0:
            gain = float(arrays.gains[side * columns + column]) / times
        score *= gain * step if gain * step > TINY else TINY
    return score


def _branch(tree: "PoolTree", arrays: NodeArrays, depth: int, bound: float | None) -> None:
    """Choose the column on which the current node is branched."""
    columns, distinct = int(arrays.numbers[INTEGERS]), tree.numbers[plain.DISTINCT]
    # Columns that distinguish solutions come first.
    end = distinct if any(tree.low[c] < tree.high[c] for c in range(distinct)) else columns
    mean = []
    for side in (0, 1):
        times = float(arrays.times[2 * columns + side])
        mean.append(float(arrays.gains[2 * columns + side]) / times if times > 0 else 1.0)
    most, best, best_value, widest, widest_value = -1.0, -1, 0.0, -1, 0.0
    for column in range(end):
        low, high = int(tree.low[column]), int(tree.high[column])
        if low >= high:
            continue
        value = float(arrays.values[column])
        if not value > low:
            value = float(low)
        elif not value < high:
            value = float(high)
        part = value - math.floor(value)
        if WHOLE < part < 1 - WHOLE:
            score = _score(arrays, column, part, mean)
            if score > most:
                most, best, best_value = score, column, value
        elif bound is not None and (
            widest < 0 or abs(arrays.reduced[column]) > abs(arrays.reduced[widest])
        ):
            widest, widest_value = column, value
    if best >= 0:
        split = math.floor(best_value)
        plain.request(tree, best, split, above=best_value - split > 0.5)
        if bound is not None:
            arrays.note_column[depth] = best
            arrays.note_bound[depth], arrays.note_value[depth] = bound, best_value
    elif widest >= 0:
        split = _nearest(widest_value)
        above = split > tree.low[widest]
        plain.request(tree, widest, split - above, above=above)


def judge(tree: "PoolTree", arrays: NodeArrays, claim: int) -> bool:
    """Judge a claim about the current node: prune it, or say where to branch.

    Parameters
    ----------
    tree
        The tree.
    arrays
        The arrays of its relaxations; ``prices`` and ``values`` belong to the claim.
    claim
        The number of the claim.

    Returns
    -------
    bool
        Whether the node is pruned.
    """
    count = arrays.numbers
    depth = int(tree.numbers[plain.DEPTH])
    count[RELAXATIONS] += 1
    arrays.note_column[depth] = -1
    if claim == INFEASIBLE:
        for sign in (1.0, -1.0):
            found = _bound_of(tree, arrays, sign, cost=False)
            if found is not None and found[0] > 0:
                count[PRUNED] += 1
                if count[LIMITED]:  # at least up to the cutoff
                    fine = (int(count[LIMIT_HIGH]) << 64) | (int(count[LIMIT_LOW]) & MASK)
                    _learn(tree, arrays, depth, _double(fine) * math.ldexp(1.0, -FINE))
                plain.prune(tree)
                return True
        count[UNPROVED] += 1
        return False
    if claim == NOTHING:
        return False
    value = None
    found = _bound_of(tree, arrays, 1.0, cost=True) if count[LIMITED] else None
    limit = None if found is None else _limit_of(arrays, found[1])
    if found is not None and limit is not None:
        bound, power = found
        value = _double(bound) * math.ldexp(1.0, -power)
        _learn(tree, arrays, depth, value)
        if bound > limit or (count[STRICT] and bound == limit):
            count[PRUNED] += 1
            plain.prune(tree)
            return True
        _fix(tree, arrays, limit - bound)
    if claim != OPTIMAL:
        count[UNPROVED] += 1
    elif tree.numbers[plain.ASK] != plain.PAYING:
        _branch(tree, arrays, depth, value)
    return False
