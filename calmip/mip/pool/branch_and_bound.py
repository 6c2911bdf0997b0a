"""The branch-and-bound tree of the pool in plain Python: whole bounds, rows, branching.

All numbers are whole and of any size, so nothing is rounded. The state of a search is one tuple of
arrays. `calmip/mip/kernel/pool.c` is its compiled twin for numbers of 64 bits.
"""

# Without postponed annotations: those of the long tuples below would be compiled, one after the
# other, at each start.
import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

from calmip.mip import kernel
from calmip.mip.rows import Row, is_finite


class PoolTree(NamedTuple):
    """All arrays of a tree over integer columns.

    A row's sum can still lie anywhere from ``least`` to ``most``. The trail has every change
    of a bound in order. Row 0 is the objective, whose upper bound is the cutoff.
    """

    # The rows, and the same matrix by columns.
    row_start: Any
    row_column: Any
    row_value: Any
    column_start: Any
    column_row: Any
    column_value: Any
    # By row: the bounds, the greatest |coefficient| times range, whether it has only the
    # coefficient 1 on 0/1 columns.
    lower: Any
    upper: Any
    largest: Any
    unit: Any
    # By column: the bounds.
    low: Any
    high: Any
    # By row: the least and the greatest sum, and the number of columns that are not fixed.
    least: Any
    most: Any
    free: Any
    # Changes of bounds: twice the column, plus 1 for an upper bound; the old bound.
    trail_side: Any
    trail_old: Any
    # Rows that may tighten a bound, and by row whether it is among them.
    queue: Any
    queued: Any
    # By open node: the column, the bound that ends the part below, whether the part above
    # comes first, whether the second part was entered, the length of the trail.
    branch: Any
    split: Any
    above: Any
    second: Any
    mark: Any
    # Also by open node: its class, and the work and the leaves counted when it was opened.
    group: Any
    began: Any
    leaves: Any
    # By class: nodes whose relaxation was solved, those that it refuted; finished subtrees
    # without a leaf, and the work in them.
    relaxed: Any
    refuted: Any
    fruitless: Any
    fruitless_work: Any
    # Bounds that the caller wishes to tighten at the current node: side and bound.
    wish_side: Any
    wish_bound: Any
    # Single numbers, by the places that are named below.
    numbers: Any


# What `advance` stopped for.
DONE, LEAF, NODE, PAUSE, LEFT, GROW = range(6)

# What the tree does next, kept between calls.
ENTER, CHOOSE, BRANCH, BACKTRACK = range(4)

# The places of the numbers in PoolTree.numbers. PATTERN is the depth at which all distinct columns
# are fixed, or -1; FREE counts the columns that are not fixed; CUBES says whether a
# node at which no row can be violated is a leaf. ASK says which relaxations are solved. FAR is the
# bound of a row without one, beyond all sums. LEAVES counts the leaves, RELAXED the relaxations,
# SPENT their part of WORK, and BLIND those of classes without history. COLUMN is what the caller
# requests; without it, CHOSEN is branched.
MODE, WORK, NODES, FREE, PATTERN, DISTINCT, CUBES, ASK, COLUMN, SPLIT, ABOVE, FAR = range(12)
TRAIL, DEPTH, QUEUE, WISHES, PLACES, LEAVES, RELAXED, SPENT, BLIND, CHOSEN = range(12, 22)
COUNTS = 22

# Whose relaxations are solved: none; all nodes that are branched; leaves, too; those for which it
# pays, and of these only an infeasible one matters.
NONE, BRANCHED, ALL, PAYING = range(4)

CLASSES = 256
"""The classes of nodes by the number of free columns, four to a doubling."""

BLIND_SHARE = 20
"""Relaxations in classes without history take at most 1/20 of the other work."""

COMPILED = 2**60
"""Sums below this are those of the compiled loops; greater ones need integers of any size."""

TIGHTENINGS_PER_COLUMN = 10
"""Tightenings at a node stop after this number times the columns, and 100."""


def new_tree(
    rows: Sequence[Row[int]], low: Sequence[int], high: Sequence[int], *, distinct: int, cubes: bool
) -> PoolTree:
    """Return the tree at its root; row 0 is the objective."""
    # Long, as all arrays of the compiled tree are made here, in the order of its struct.
    column_start, column_row, column_value = by_columns([terms for terms, _, _ in rows], len(low))
    spans = [top - bottom for bottom, top in zip(low, high, strict=True)]
    loose = [span > 0 for span in spans]
    least, most, largest, unit, free = [], [], [], [], []
    binary = min(low, default=0) >= 0 and max(high, default=1) <= 1
    for terms, _, _ in rows:
        ones = set(terms.values()) <= {1}
        if ones:  # most rows of most models
            down, up = (sum(map(side.__getitem__, terms)) for side in (low, high))
            top = max(map(spans.__getitem__, terms), default=0)
        else:
            down = sum(a * (low if a > 0 else high)[column] for column, a in terms.items())
            up = sum(a * (high if a > 0 else low)[column] for column, a in terms.items())
            top = max(abs(a) * spans[column] for column, a in terms.items())
        least.append(down)
        most.append(up)
        largest.append(top)
        free.append(sum(map(loose.__getitem__, terms)))
        unit.append(ones and (binary or all(low[c] >= 0 and high[c] <= 1 for c in terms)))
    far = 1 + max(map(abs, [*least, *most]))
    count = [0] * COUNTS
    count[FAR] = far
    count[FREE] = sum(loose)
    count[PATTERN] = -1
    count[DISTINCT], count[CUBES] = distinct, cubes
    length = 2 * (TIGHTENINGS_PER_COLUMN + 4) * len(low) + 400
    count[PLACES] = length
    count[QUEUE] = len(rows)
    row_value = list(chain.from_iterable(terms.values() for terms, _, _ in rows))
    lower = [bound if is_finite(bound) else -far for _, bound, _ in rows]
    upper = [bound if is_finite(bound) else far for _, _, bound in rows]
    # Far-off sides that bind nothing, and coefficients of fixed columns, count as well.
    wide = far >= COMPILED or max(map(abs, [*row_value, *lower, *upper])) >= COMPILED
    make: Any = list if wide or kernel.library() is None else partial(array, "q")
    zeros = make([0])
    arrays: list[Any] = [
        *map(
            make,
            (
                list(accumulate((len(terms) for terms, _, _ in rows), initial=0)),
                list(chain.from_iterable(terms for terms, _, _ in rows)),
                row_value,
                column_start,
                column_row,
                column_value,
                lower,
                upper,
                largest,
                unit,
                low,
                high,
                least,
                most,
                free,
            ),
        ),
        *(zeros * length for _ in ("side", "old")),
        make(range(len(rows))),
        make([1] * len(rows)),
        *(zeros * length for _ in range(8)),
        *(zeros * CLASSES for _ in range(4)),
        *(zeros * len(low) for _ in ("side", "bound")),
        make(count),
    ]
    return PoolTree(*arrays)


def by_columns(
    rows: Sequence[Mapping[int, int]], columns: int
) -> tuple[list[int], list[int], list[int]]:
    """Return where the entries of each column begin, then their rows and values."""
    inside: list[list[int]] = [[] for _ in range(columns)]
    values: list[list[int]] = [[] for _ in range(columns)]
    for number, terms in enumerate(rows):
        for column, a in terms.items():
            inside[column].append(number)
            values[column].append(a)
    starts = list(accumulate(map(len, inside), initial=0))
    return starts, list(chain.from_iterable(inside)), list(chain.from_iterable(values))


def grow(tree: PoolTree) -> PoolTree:
    """Return the tree with twice the room for open nodes and changes of bounds."""
    tree.numbers[PLACES] *= 2
    stack = ("branch", "split", "above", "second", "mark", "group", "began", "leaves")
    names = ("trail_side", "trail_old", *stack)
    longer = {name: 2 * getattr(tree, name) for name in names}
    return tree._replace(**longer)


class _Tree(ctypes.Structure):  # as pool.c has it
    _fields_ = [(name, ctypes.c_void_p) for name in PoolTree._fields]
    _fields_ += [("rows", ctypes.c_int64), ("columns", ctypes.c_int64)]


def is_compiled(tree: PoolTree) -> bool:
    """Return whether the compiled loops search a tree."""
    return isinstance(tree.low, array)


def loops(tree: PoolTree) -> Callable[[int], int]:
    """Return the function that searches on as `advance` does, compiled if 64 bits suffice."""
    library = kernel.library()
    if library is None or not is_compiled(tree):
        return partial(advance, tree)
    return partial(library.calmip_pool, addresses(tree))


def addresses(tree: PoolTree) -> Any:
    """Return the structure of a compiled tree's addresses; the tree must live as long."""
    return ctypes.byref(_Tree(*map(kernel.address, tree), len(tree.lower), len(tree.low)))


def wish(tree: PoolTree, bounds: Sequence[tuple[int, int]]) -> None:
    """Ask for tighter bounds at the current node: twice the column plus 1 for an upper one."""
    for index, (side, bound) in enumerate(bounds):
        tree.wish_side[index], tree.wish_bound[index] = side, bound
    tree.numbers[WISHES] = len(bounds)


def leave(tree: PoolTree) -> None:
    """Close the subtree of the current pattern."""
    tree.numbers[DEPTH] = tree.numbers[PATTERN]
    tree.numbers[MODE] = BACKTRACK


def _move(tree: PoolTree, column: int, bound: int, *, upper: bool) -> bool:
    """Tighten a bound of a column and the sums of its rows; False if nothing is left."""
    low, high, least, most = tree.low, tree.high, tree.least, tree.most
    was_free = low[column] < high[column]
    top = tree.numbers[TRAIL]
    tree.numbers[TRAIL] = top + 1
    tree.trail_side[top] = 2 * column + upper
    if upper:
        tree.trail_old[top] = high[column]
        step = high[column] - bound
        high[column] = bound
    else:
        tree.trail_old[top] = low[column]
        step = bound - low[column]
        low[column] = bound
    fine: bool = low[column] <= high[column]
    fixed = was_free and low[column] >= high[column]
    tree.numbers[FREE] -= fixed
    first, last = tree.column_start[column], tree.column_start[column + 1]
    tree.numbers[WORK] += last - first
    for k in range(first, last):
        row, a = tree.column_row[k], tree.column_value[k]
        if (a > 0) != upper:
            least[row] += abs(a) * step
        else:
            most[row] -= abs(a) * step
        tree.free[row] -= fixed
        rise, fall = tree.upper[row] - least[row], most[row] - tree.lower[row]
        if rise < 0 or fall < 0:
            fine = False
        elif not tree.queued[row] and min(rise, fall) < tree.largest[row]:
            tree.queued[row] = True
            tree.queue[tree.numbers[QUEUE]] = row
            tree.numbers[QUEUE] += 1
    return fine


def _undo(tree: PoolTree, height: int) -> None:
    """Restore the bounds that changed after the trail had a length."""
    low, high, least, most = tree.low, tree.high, tree.least, tree.most
    for top in range(tree.numbers[TRAIL] - 1, height - 1, -1):
        side, old = tree.trail_side[top], tree.trail_old[top]
        column, upper = side >> 1, side & 1
        was_free = low[column] < high[column]
        if upper:
            step = old - high[column]
            high[column] = old
        else:
            step = low[column] - old
            low[column] = old
        freed = not was_free and low[column] < high[column]
        tree.numbers[FREE] += freed
        for k in range(tree.column_start[column], tree.column_start[column + 1]):
            row, a = tree.column_row[k], tree.column_value[k]
            if (a > 0) != upper:
                least[row] -= abs(a) * step
            else:
                most[row] += abs(a) * step
            tree.free[row] += freed
    tree.numbers[TRAIL] = height


def _push(tree: PoolTree, row: int) -> bool:
    """Tighten the bounds of a row's columns; False if nothing is left."""
    low, high = tree.low, tree.high
    tree.numbers[WORK] += tree.row_start[row + 1] - tree.row_start[row]
    for k in range(tree.row_start[row], tree.row_start[row + 1]):
        column, a = tree.row_column[k], tree.row_value[k]
        span = high[column] - low[column]
        if span == 0:
            continue
        size = abs(a)
        rise, fall = tree.upper[row] - tree.least[row], tree.most[row] - tree.lower[row]
        if size * span > rise:
            steps = rise // size
            bound = low[column] + steps if a > 0 else high[column] - steps
            if not _move(tree, column, bound, upper=a > 0):
                return False
            span = high[column] - low[column]
            fall = tree.most[row] - tree.lower[row]
        if size * span > fall:
            steps = fall // size
            bound = high[column] - steps if a > 0 else low[column] + steps
            if not _move(tree, column, bound, upper=a < 0):
                return False
    return True


def _propagate(tree: PoolTree) -> bool:
    """Tighten bounds until nothing changes; False if a row cannot hold."""
    queue, queued, count = tree.queue, tree.queued, tree.numbers
    fine = True
    if tree.least[0] > tree.upper[0]:  # the cutoff may have fallen since
        fine = False
    elif not queued[0]:
        queued[0] = True
        queue[count[QUEUE]] = 0
        count[QUEUE] += 1
    end = count[TRAIL] + TIGHTENINGS_PER_COLUMN * len(tree.low) + 100
    while fine and count[QUEUE] > 0:
        count[QUEUE] -= 1
        row = queue[count[QUEUE]]
        queued[row] = False
        rise, fall = tree.upper[row] - tree.least[row], tree.most[row] - tree.lower[row]
        if rise < 0 or fall < 0:
            fine = False
        # Bounds of wide columns may creep; to stop early is always valid.
        elif min(rise, fall) < tree.most[row] - tree.least[row] and count[TRAIL] < end:
            fine = _push(tree, row)
    for index in range(count[QUEUE]):
        queued[queue[index]] = False
    count[QUEUE] = 0
    return fine


def _patterns(free: int, low: int, high: int) -> float:
    """Return in how many ways ``free`` 0/1 columns can have ``low`` to ``high`` ones, at most."""
    fewest, most = max(0, low), min(free, high)
    if fewest == most:
        ways = 1.0
        for k in range(min(fewest, free - fewest, 60)):
            ways *= (free - k) / (k + 1.0)
        return ways
    if most == 1 or fewest == free - 1:
        return free + 1.0
    return float(2.0 ** min(free, 60))


def _tightest(tree: PoolTree) -> int:
    """Return the row with the fewest remaining patterns, -1 if no row can be violated."""
    best, fewest = -1, 1e300
    tree.numbers[WORK] += len(tree.least)
    for row in range(len(tree.least)):
        free = tree.free[row]
        if free > 0 and (tree.least[row] < tree.lower[row] or tree.most[row] > tree.upper[row]):
            base = tree.least[row]
            if row == 0:
                ways = 1e200
            elif tree.unit[row]:
                ways = _patterns(free, tree.lower[row] - base, tree.upper[row] - base)
            else:
                ways = 2.0 ** min(free, 60)
            if ways < fewest:
                best, fewest = row, ways
    return best


def _choose(tree: PoolTree) -> int:
    """Return the column to branch on, or -1 if the node is a leaf.

    It is the first free column of the row with the fewest remaining patterns; the objective
    counts only if it is alone.
    """
    low, high = tree.low, tree.high
    distinct = tree.numbers[DISTINCT]
    if distinct < len(low):
        for column in range(distinct):
            if low[column] < high[column]:
                return column
        if tree.numbers[PATTERN] < 0:
            tree.numbers[PATTERN] = tree.numbers[DEPTH]
    if tree.numbers[FREE] == 0:
        return -1
    best = _tightest(tree)
    if best < 0:
        if tree.numbers[CUBES]:
            return -1
        return next(column for column in range(len(low)) if low[column] < high[column])
    for k in range(tree.row_start[best], tree.row_start[best + 1]):
        column = tree.row_column[k]
        if low[column] < high[column]:
            return int(column)
    raise AssertionError("a row with free columns has one")


def _class_of(tree: PoolTree) -> int:
    """Return the class of the current node, which has a free column."""
    free = tree.numbers[FREE]
    doublings = int(free).bit_length() - 1
    return int(4 * doublings + ((4 * free >> doublings) & 3))


def _pays(tree: PoolTree) -> bool:
    """Return whether the relaxation of the current node is likely to save more work than it costs.

    It saves the mean work in subtrees of the node's class without leaves, times the share of
    relaxations that refute a node. That share is one half before the first trial, so a useless
    relaxation is tried ever more seldom. The root is always relaxed.
    """
    count, group = tree.numbers, _class_of(tree)
    cost = count[SPENT] // max(1, count[RELAXED])
    if tree.fruitless[group] == 0:
        if count[NODES] > 1 and count[WORK] - count[SPENT] < BLIND_SHARE * cost * count[BLIND]:
            return False
        count[BLIND] += 1
        return True
    saved = tree.fruitless_work[group] / tree.fruitless[group]
    rate = (tree.refuted[group] + 0.5) / (tree.relaxed[group] + 1.0)
    return bool(rate * saved > cost)


def _uses_lp(tree: PoolTree) -> bool:
    """Return whether the relaxation of the current node is to be solved."""
    if tree.numbers[ASK] != PAYING:
        return bool(tree.numbers[ASK])
    if not _pays(tree):
        return False
    tree.relaxed[_class_of(tree)] += 1
    return True


def _open(tree: PoolTree, column: int, split: int, *, above: bool) -> None:
    """Put the current node on the stack."""
    top = tree.numbers[DEPTH]
    tree.branch[top] = column
    tree.split[top] = split
    tree.above[top] = above
    tree.second[top] = False
    tree.mark[top] = tree.numbers[TRAIL]
    tree.group[top] = _class_of(tree)
    tree.began[top] = tree.numbers[WORK] - tree.numbers[SPENT]
    tree.leaves[top] = tree.numbers[LEAVES]
    tree.numbers[DEPTH] = top + 1


def _child(tree: PoolTree, *, above: bool) -> bool:
    """Enter a part of the node on top of the stack."""
    top = tree.numbers[DEPTH] - 1
    column, split = tree.branch[top], tree.split[top]
    if above:
        return _move(tree, column, split + 1, upper=False)
    return _move(tree, column, split, upper=True)


def _backtrack(tree: PoolTree) -> int:
    """Go to the second part of the deepest node that has one left: NODE; or LEFT, DONE."""
    while tree.numbers[DEPTH] > 0:
        if tree.numbers[DEPTH] <= tree.numbers[PATTERN]:
            return LEFT
        top = tree.numbers[DEPTH] - 1
        _undo(tree, tree.mark[top])
        if not tree.second[top]:
            tree.second[top] = True
            return NODE
        if tree.leaves[top] == tree.numbers[LEAVES]:
            group = tree.group[top]
            tree.fruitless[group] += 1
            work = tree.numbers[WORK] - tree.numbers[SPENT]
            tree.fruitless_work[group] += work - tree.began[top]
        tree.numbers[DEPTH] = top
    return LEFT if tree.numbers[PATTERN] == 0 else DONE


def _divide(tree: PoolTree) -> bool:
    """Tighten the current node as wished and put it on the stack; False if it is a leaf."""
    count = tree.numbers
    if count[WISHES] > 0:
        fine = True
        for index in range(count[WISHES]):
            side, bound = tree.wish_side[index], tree.wish_bound[index]
            fine = _move(tree, side >> 1, bound, upper=bool(side & 1)) and fine
        count[WISHES], count[CHOSEN] = 0, -1
        if not (fine and _propagate(tree)):
            count[MODE] = BACKTRACK
            return True
    column, split, above = count[COLUMN], count[SPLIT], bool(count[ABOVE])
    if column < 0 or not tree.low[column] <= split < tree.high[column]:
        column = count[CHOSEN] if count[CHOSEN] >= 0 else _choose(tree)
        if column < 0:
            count[MODE] = BACKTRACK
            return False
        split = (tree.low[column] + tree.high[column]) >> 1
        above = tree.high[column] - tree.low[column] == 1
    _open(tree, column, split, above=above)
    count[MODE] = BRANCH
    return True


def advance(tree: PoolTree, work: int) -> int:  # noqa: C901 - the twin of the loop in C
    """Search on until something happens.

    Parameters
    ----------
    tree
        The tree; its arrays are changed.
    work
        Stop with PAUSE after so many touched coefficients.

    Returns
    -------
    int
        LEAF: every column is fixed, or no row can be violated any more. NODE: the
        relaxation of a node is to be solved; answer with `spend`, `prune` and `request`.
        LEFT: the subtree of a pattern is finished. GROW: `grow` must be called. PAUSE: the work
        limit is reached. DONE: no node is left.
    """
    count = tree.numbers
    end = count[WORK] + work
    reserve = (TIGHTENINGS_PER_COLUMN + 4) * len(tree.low) + 200
    while count[WORK] < end:
        if count[TRAIL] + reserve > count[PLACES] or count[DEPTH] + 2 > count[PLACES]:
            return GROW
        if count[MODE] == BACKTRACK:
            event = _backtrack(tree)
            if event != NODE:
                return event
            if not _child(tree, above=not tree.above[count[DEPTH] - 1]):
                continue
            count[MODE] = ENTER
        elif count[MODE] == BRANCH:
            count[MODE] = ENTER
            if not _child(tree, above=bool(tree.above[count[DEPTH] - 1])):
                count[MODE] = BACKTRACK
        if count[MODE] == ENTER:
            count[NODES] += 1
            count[WORK] += 1
            if not _propagate(tree):
                count[MODE] = BACKTRACK
                continue
            count[CHOSEN] = _choose(tree)
            if count[CHOSEN] < 0 and count[ASK] != ALL:
                count[MODE] = BACKTRACK
                count[LEAVES] += 1
                return LEAF
            count[MODE] = CHOOSE
            count[COLUMN] = -1
            if _uses_lp(tree):
                return NODE
        if count[MODE] == CHOOSE and not _divide(tree):
            count[LEAVES] += 1
            return LEAF
    return PAUSE


def prune(tree: PoolTree) -> None:
    """Close the current node, which its relaxation refutes."""
    if tree.numbers[FREE] > 0:
        tree.refuted[_class_of(tree)] += 1
    tree.numbers[MODE] = BACKTRACK


def spend(tree: PoolTree, work: int) -> None:
    """Count a relaxation that was solved, and its work."""
    tree.numbers[RELAXED] += 1
    tree.numbers[SPENT] += work
    tree.numbers[WORK] += work


def request(tree: PoolTree, column: int, split: int, *, above: bool) -> None:
    """Branch the current node on a column: up to a bound, or above it."""
    tree.numbers[COLUMN], tree.numbers[SPLIT], tree.numbers[ABOVE] = column, split, above
