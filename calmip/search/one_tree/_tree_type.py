"""The state of a tree search, as one tuple of arrays that the compiled loops can take."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["SearchTree"]


class SearchTree(NamedTuple):
    """All arrays of a tree; lists in their place where nothing is compiled.

    A row's sum can still lie anywhere from ``least`` to ``most``. Columns are
    fixed in the order of the trail; those at its end wait to be moved into the
    sums. Open nodes are those whose second child is not finished. tree.c takes
    the arrays in this order.
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
