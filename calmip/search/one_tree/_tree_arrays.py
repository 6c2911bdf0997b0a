"""The arrays of a tree: made from the rows of a model, and kept true."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from calmip.search import kernel
from calmip.search.one_tree._tree_plain import APPLIED, CLASSES, COUNTS, QUEUE, advance
from calmip.search.one_tree._tree_rows import FloatArray, Rows
from calmip.search.one_tree._tree_type import SearchTree

__all__ = ["loops", "new_tree", "refresh", "value_of"]

BREATH = 2_000_000
"""After so many touched coefficients, some milliseconds, the clock is looked at."""

BREATH_PLAIN = 20_000
"""The same without compiled loops."""

DRIFT = 1e-9
"""Sums of fractional coefficients are trusted to this part of the row's absolute sum.

`refresh` computes them anew long before rounding errors add up to that.
"""


def new_tree(rows: Rows) -> SearchTree:
    """Return the tree of a model before its root is entered."""
    columns, count = rows.columns, len(rows)
    column_start, column_row, column_value = rows.by_columns()
    # Whole sums lie at least one half inside or outside of these bounds.
    pad = np.where(rows.whole, 0.5, DRIFT * rows.size)
    largest = np.zeros(count)
    np.maximum.at(largest, rows.owner, np.abs(rows.value))
    unit = np.ones(count, dtype=np.bool_)
    unit[rows.owner[rows.value != 1.0]] = False
    numbers = np.zeros(COUNTS, dtype=np.int64)
    numbers[QUEUE] = count
    free = np.arange(columns + 1)
    free[0] = 1
    classes = np.minimum(4.0 * np.log2(free), CLASSES - 1).astype(np.int64)
    value = np.full(columns, -1, dtype=np.int8)
    least, most = _sums(rows, value)
    arrays: dict[str, npt.NDArray[Any]] = {
        "row_start": rows.start,
        "row_column": rows.column,
        "row_value": rows.value,
        "column_start": column_start,
        "column_row": column_row,
        "column_value": column_value,
        "lower": rows.lower - pad,
        "upper": rows.upper + pad,
        "largest": largest,
        "unit": unit,
        "class_of": classes,
        "value": value,
        "trail": np.zeros(columns, dtype=np.int64),
        "least": least,
        "most": most,
        "free": np.diff(rows.start),
        "queue": np.arange(count),
        "queued": np.ones(count, dtype=np.bool_),
        "second": np.zeros(columns, dtype=np.bool_),
        "count": numbers,
    }
    for name in ("branch", "mark", "group", "began", "leaves"):
        arrays[name] = np.zeros(columns, dtype=np.int64)
    for name in ("relaxed", "pruned", "fruitless", "fruitless_work"):
        arrays[name] = np.zeros(CLASSES, dtype=np.int64)
    if kernel.library() is None:
        return SearchTree(**{name: array.tolist() for name, array in arrays.items()})
    return SearchTree(**arrays)


class _Tree(ctypes.Structure):
    """What `calmip_tree` takes."""

    _fields_ = [(name, ctypes.c_void_p) for name in SearchTree._fields]
    _fields_ += [("rows", ctypes.c_int64), ("columns", ctypes.c_int64)]


def loops(tree: SearchTree) -> Callable[[], int]:
    """Return what searches on in a tree for some milliseconds, compiled or not.

    It returns why it stopped, as `_tree_plain.advance` does.
    """
    library = kernel.library()
    if library is None:
        return partial(advance, tree, BREATH_PLAIN)
    places = [kernel.address(array) for array in tree]
    shown = _Tree(*places, len(tree.lower), len(tree.value))
    return partial(library.calmip_tree, ctypes.byref(shown), BREATH)


def value_of(tree: SearchTree) -> npt.NDArray[np.int8]:
    """Return the current node: 0 or 1 for each fixed column, -1 for each free one."""
    return np.array(tree.value, dtype=np.int8)


def refresh(tree: SearchTree, rows: Rows) -> None:
    """Compute the sums anew, so that rounding errors of fractional coefficients cannot add up."""
    value = np.full(rows.columns, -1, dtype=np.int8)
    # Columns at the end of the trail are fixed but not yet in the sums.
    done = np.array(tree.trail[: tree.count[APPLIED]], dtype=np.int64)
    value[done] = value_of(tree)[done]
    least, most = _sums(rows, value)
    tree.least[:], tree.most[:] = least.tolist(), most.tolist()


def _sums(rows: Rows, value: npt.NDArray[np.int8]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest sum that each row can still have."""
    state = value[rows.column]
    low = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.minimum(rows.value, 0.0)))
    high = np.where(state == 1, rows.value, np.where(state == 0, 0.0, np.maximum(rows.value, 0.0)))
    least = np.bincount(rows.owner, low, minlength=len(rows)).astype(np.float64)
    most = np.bincount(rows.owner, high, minlength=len(rows)).astype(np.float64)
    return least, most
