"""Parts of the tree of a pool: what is open when a search stops.

A part is the bounds of a path from the root: twice the column, plus 1 for an upper bound, and the
bound. The open parts of a tree are disjoint. Whatever they do not have is closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import calmip.mip.pool.branch_and_bound as plain

if TYPE_CHECKING:
    from calmip.mip.pool.branch_and_bound import PoolTree
    from calmip.mip.rows import Number

Part = tuple[tuple[int, int], ...]
"""Bounds along a path: twice the column, plus 1 for an upper bound, and the bound."""


def enter(tree: PoolTree, part: Part) -> bool:
    """Put a tree at the root of a part; return False if the part is empty."""
    count = tree.numbers
    plain._undo(tree, 0)
    count[plain.DEPTH] = count[plain.WISHES] = 0
    count[plain.PATTERN], count[plain.MODE] = -1, plain.ENTER
    # The row of the objective may have got a tighter cutoff: all rows are looked at.
    rows = len(tree.lower)
    for row in range(rows):
        tree.queue[row], tree.queued[row] = row, 1
    count[plain.QUEUE] = rows
    for side, bound in part:
        column, upper = side >> 1, bool(side & 1)
        now = tree.high[column] if upper else tree.low[column]
        tighter = bound < now if upper else bound > now
        if tighter and not plain._move(tree, column, bound, upper=upper):
            return False
    return True


def open_parts(tree: PoolTree, *, leaf: bool) -> list[Part]:
    """Return the parts of a tree that are not closed, in the order of the search.

    Parameters
    ----------
    tree
        The tree.
    leaf
        Whether the leaf at which it stopped is open.
    """
    count = tree.numbers
    depth, mode = int(count[plain.DEPTH]), count[plain.MODE]
    current = leaf or mode != plain.BACKTRACK
    if count[plain.PATTERN] >= 0:  # its best completion is not known
        depth, current = int(count[plain.PATTERN]), True
    elif mode == plain.BRANCH:  # neither side of the node on top was entered
        depth -= 1
    path: list[tuple[int, int]] = []
    found: list[Part] = []
    for index in range(depth):
        column, split = int(tree.branch[index]), int(tree.split[index])
        sides = [(2 * column + 1, split), (2 * column, split + 1)]
        if tree.above[index]:
            sides.reverse()
        if not tree.second[index]:
            found.append((*path, sides[1]))
        path.append(sides[bool(tree.second[index])])
    found.reverse()
    return [tuple(path), *found] if current else found


def closed_share(parts: Iterable[Part]) -> float:
    """Return the share of the tree that is closed, where each side of a node counts half."""
    return 1 - sum(0.5 ** len(part) for part in parts)


class Answer(NamedTuple):
    """The result of the search of some parts."""

    found: list[Any]
    open: list[Part]
    optimum: Number | None
    undecided: int
    uses_lp: bool | None
    stopped: str
    seen: dict[str, int]
