"""The branch-and-bound tree itself, in plain Python: propagation, branching, backtracking.

`calmip/mip/kernel/tree.c` is its compiled twin. All decisions depend on the model alone, except
for subtrees that a proof prunes, and these contain no solution.

The state of a search is one tuple of arrays, which the compiled loops take as well.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Any, NamedTuple

__all__ = ["SearchTree"]


class SearchTree(NamedTuple):
    """All arrays of a tree; lists instead if nothing is compiled.

    A row's sum can still lie anywhere from ``least`` to ``most``. Columns are fixed in the order
    of the trail; those at its end wait to be moved into the sums. Open nodes are those whose
    second child is not finished. tree.c takes the arrays in this order.
    """

    # The rows of the model, and the same matrix by columns.
    row_start: Any
    row_column: Any
    row_value: Any
    column_start: Any
    column_row: Any
    column_value: Any
    # By row: the bounds, moved outwards so that rounding cannot matter; the
    # greatest |coefficient|; whether all coefficients are 1.
    lower: Any
    upper: Any
    largest: Any
    unit: Any
    # The class of a node by its number of free columns.
    class_of: Any
    # By column: 0, 1, or -1 if free. Then the fixed columns in their order.
    value: Any
    trail: Any
    # By row: what the sum can still be, and the number of free columns.
    least: Any
    most: Any
    free: Any
    # Rows that may fix a column, each once, and by row whether it is among them.
    queue: Any
    queued: Any
    # By open node: its column, whether the second child was entered, the length
    # of the trail, its class, and the work and leaves counted when it was opened.
    branch: Any
    second: Any
    mark: Any
    group: Any
    began: Any
    leaves: Any
    # By class: relaxations, those that closed the node, finished subtrees
    # without a leaf, and the work in them.
    relaxed: Any
    pruned: Any
    fruitless: Any
    fruitless_work: Any
    # Single numbers, by the places that _tree_plain names.
    count: Any


# What `advance` stopped for.
DONE, LEAF, RELAX, PAUSE = 0, 1, 2, 3

# What the tree does next, kept between calls.
ENTER, BRANCH, BACKTRACK = 0, 1, 2

# The places of the numbers in SearchTree.count.
DEPTH, TRAIL, APPLIED, QUEUE, MODE, WORK, NODES, LEAVES, RELAX_WORK, BLIND = range(10)
COUNTS = 10

CLASSES = 64
"""Open nodes are put into classes by the number of free columns, four to a doubling."""

BLIND_SHARE = 20
"""Relaxations in classes without history take at most 1/20 of all work."""


def _force(tree: SearchTree, row: int, rise: float, fall: float, fixed: int) -> int:
    """Fix the columns of a row whose value is forced; return the new length of the trail.

    The row's least sum may rise by ``rise`` and its greatest one fall by ``fall``.
    """
    for k in range(tree.row_start[row], tree.row_start[row + 1]):
        column, a = tree.row_column[k], tree.row_value[k]
        if tree.value[column] == -1:
            if abs(a) > rise:
                tree.value[column] = 0 if a > 0.0 else 1
            elif abs(a) > fall:
                tree.value[column] = 1 if a > 0.0 else 0
            else:
                continue
            tree.trail[fixed] = column
            fixed += 1
    return fixed


def _propagate(tree: SearchTree) -> bool:
    """Fix what the rows force until nothing changes; False if a row cannot hold.

    Fixed columns wait at the end of the trail until their coefficients are
    moved into the rows' sums; rows that became tight then wait in the queue.
    """
    value, trail, count = tree.value, tree.trail, tree.count
    least, most, lower, upper = tree.least, tree.most, tree.lower, tree.upper
    largest, free, queue, queued = tree.largest, tree.free, tree.queue, tree.queued
    column_start, column_row, column_value = tree.column_start, tree.column_row, tree.column_value
    head, fixed, waiting, work = count[APPLIED], count[TRAIL], count[QUEUE], 0
    fine = True
    while fine and (head < fixed or waiting > 0):
        while fine and head < fixed:
            column = trail[head]
            head += 1
            one = value[column] == 1
            first, last = column_start[column], column_start[column + 1]
            work += last - first
            for k in range(first, last):
                row, a = column_row[k], column_value[k]
                if (a > 0.0) == one:
                    least[row] += abs(a)
                else:
                    most[row] -= abs(a)
                free[row] -= 1
                room = min(upper[row] - least[row], most[row] - lower[row])
                fine = fine and room >= 0.0
                if room < largest[row] and not queued[row]:
                    queued[row] = True
                    queue[waiting] = row
                    waiting += 1
        if not fine or waiting == 0:
            break
        waiting -= 1
        row = queue[waiting]
        queued[row] = False
        rise, fall = upper[row] - least[row], most[row] - lower[row]
        if min(rise, fall) < 0.0:
            fine = False
        elif free[row] > 0 and (least[row] < lower[row] or most[row] > upper[row]):
            work += tree.row_start[row + 1] - tree.row_start[row]
            fixed = _force(tree, row, rise, fall, fixed)
    for k in range(waiting):
        queued[queue[k]] = False
    count[APPLIED], count[TRAIL], count[QUEUE] = head, fixed, 0
    count[WORK] += work
    return fine


def _undo(tree: SearchTree, height: int) -> None:
    """Free the columns that were fixed after the trail had a length."""
    value, trail, count, least, most = tree.value, tree.trail, tree.count, tree.least, tree.most
    column_start, column_row, column_value = tree.column_start, tree.column_row, tree.column_value
    free = tree.free
    for position in range(count[APPLIED], count[TRAIL]):
        value[trail[position]] = -1
    for position in range(count[APPLIED] - 1, height - 1, -1):
        column = trail[position]
        one = value[column] == 1
        value[column] = -1
        for k in range(column_start[column], column_start[column + 1]):
            row, a = column_row[k], column_value[k]
            if (a > 0.0) == one:
                least[row] -= abs(a)
            else:
                most[row] += abs(a)
            free[row] += 1
    count[APPLIED] = count[TRAIL] = height


def _fix(tree: SearchTree, column: int, value: int) -> None:
    tree.value[column] = value
    tree.trail[tree.count[TRAIL]] = column
    tree.count[TRAIL] += 1


def _patterns(free: int, low: float, high: float) -> float:
    """Return in how many ways ``free`` columns can have ``low`` to ``high`` ones, or a bound."""
    fewest, most = float(ceil(max(0.0, low))), float(floor(min(float(free), high)))
    if fewest == most:
        ways = 1.0
        for k in range(int(min(fewest, free - fewest, 60.0))):
            ways *= (free - k) / (k + 1.0)
        return ways
    if most == 1.0 or fewest == free - 1.0:
        return free + 1.0
    return float(2.0 ** min(free, 60))


def _choose(tree: SearchTree) -> int:
    """Return the column to branch on, or -1 if all are fixed.

    It is the first free column of the row with the fewest remaining patterns. If
    every row holds in any case, it is the first free column of all.
    """
    best, fewest = -1, 1e300
    least, most, lower, upper, free = tree.least, tree.most, tree.lower, tree.upper, tree.free
    unit = tree.unit
    for row in range(len(least)):
        if free[row] > 0 and (least[row] < lower[row] or most[row] > upper[row]):
            if unit[row]:
                ways = _patterns(free[row], lower[row] - least[row], upper[row] - least[row])
            else:
                ways = 2.0 ** min(free[row], 60)
            if ways < fewest:
                best, fewest = row, ways
    tree.count[WORK] += len(tree.least)
    if best >= 0:
        for k in range(tree.row_start[best], tree.row_start[best + 1]):
            if tree.value[tree.row_column[k]] == -1:
                return int(tree.row_column[k])
    if tree.count[TRAIL] < len(tree.value):
        for column in range(len(tree.value)):
            if tree.value[column] == -1:
                return column
    return -1


def _pays(tree: SearchTree, group: int) -> bool:
    """Return whether a relaxation is likely to save more work than it costs.

    It saves the mean work in subtrees of the node's class without solutions, times the share of
    relaxations that prune. That share is one half before the first trial, so a useless
    relaxation is tried ever more seldom. The root is always relaxed.
    """
    cost = tree.count[RELAX_WORK]
    if tree.fruitless[group] == 0:
        if tree.count[NODES] > 1 and tree.count[WORK] < BLIND_SHARE * cost * tree.count[BLIND]:
            return False
        tree.count[BLIND] += 1
        return True
    saved = tree.fruitless_work[group] / tree.fruitless[group]
    rate = (tree.pruned[group] + 0.5) / (tree.relaxed[group] + 1.0)
    return bool(rate * saved > cost)


def _open(tree: SearchTree, column: int) -> int:
    """Put the current node on the stack and return its class."""
    top = tree.count[DEPTH]
    free = len(tree.value) - tree.count[TRAIL]
    group: int = tree.class_of[free]
    tree.branch[top] = column
    tree.second[top] = False
    tree.mark[top] = tree.count[TRAIL]
    tree.group[top] = group
    tree.began[top] = tree.count[WORK]
    tree.leaves[top] = tree.count[LEAVES]
    tree.count[DEPTH] = top + 1
    return group


def _backtrack(tree: SearchTree) -> bool:
    """Go to the second child of the deepest node that has one left; False at the end."""
    while tree.count[DEPTH] > 0:
        top = tree.count[DEPTH] - 1
        _undo(tree, tree.mark[top])
        if not tree.second[top]:
            tree.second[top] = True
            _fix(tree, tree.branch[top], 0)
            return True
        if tree.leaves[top] == tree.count[LEAVES]:
            group = tree.group[top]
            tree.fruitless[group] += 1
            tree.fruitless_work[group] += tree.count[WORK] - tree.began[top]
        tree.count[DEPTH] = top
    return False


def advance(tree: SearchTree, work: int) -> int:
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
        LEAF: every column is fixed and no row is violated. RELAX: the relaxation
        of the node on top of the stack should be tried; call `prune` if it is
        infeasible. PAUSE: the work limit is reached. DONE: no node is left.
    """
    end = tree.count[WORK] + work
    while tree.count[WORK] < end:
        if tree.count[MODE] == BACKTRACK:
            if not _backtrack(tree):
                return DONE
            tree.count[MODE] = ENTER
        elif tree.count[MODE] == BRANCH:
            _fix(tree, tree.branch[tree.count[DEPTH] - 1], 1)
            tree.count[MODE] = ENTER
        tree.count[NODES] += 1
        tree.count[MODE] = BACKTRACK
        if not _propagate(tree):
            continue
        column = _choose(tree)
        if column < 0:
            tree.count[LEAVES] += 1
            return LEAF
        group = _open(tree, column)
        tree.count[MODE] = BRANCH
        if _pays(tree, group):
            tree.relaxed[group] += 1
            return RELAX
    return PAUSE


def prune(tree: SearchTree) -> None:
    """Close the node on top of the stack, whose relaxation is infeasible."""
    top = tree.count[DEPTH] - 1
    tree.pruned[tree.group[top]] += 1
    tree.count[DEPTH] = top
    tree.count[MODE] = BACKTRACK
