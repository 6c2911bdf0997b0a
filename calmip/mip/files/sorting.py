"""Coefficients sorted by row and column, by a compiled loop."""

from __future__ import annotations

import ctypes
from array import array
from typing import NamedTuple

from calmip.mip.kernel import DONE, address, library

_NUMBER, _POINTER = ctypes.c_int64, ctypes.c_void_p


def ints(size: int) -> array[int]:
    """Return so many zeros."""
    return array("i", bytes(4 * size))


MIXED = 4
"""The columns of some row do not ascend, and the loop has to sort them, too."""


class Sorting(ctypes.Structure):
    """Sorting in kernel/entries.c."""

    _fields_ = [
        ("count", _NUMBER),
        ("rows", _NUMBER),
        ("columns", _NUMBER),
        ("row", _POINTER),
        ("column", _POINTER),
        ("start", _POINTER),
        ("order", _POINTER),
        ("by_column", _POINTER),
        ("column_start", _POINTER),
    ]


class Sorted(NamedTuple):
    """Coefficients by rows: the positions of the rows, where each was before, and the arrays."""

    start: array[int]
    order: array[int]
    columns: array[int]
    values: array[float]


def sort_by_row(
    rows: array[int], columns: array[int], values: array[float], size: int
) -> Sorted | None:
    """Return coefficients by row and column; None without a library, or with two of one place."""
    loops = library()
    if loops is None:
        return None
    count, width = len(values), max(columns, default=-1) + 1
    start, order = ints(size + 1), ints(count)
    state = Sorting(count, size, width, address(rows), address(columns))
    state.start, state.order = address(start), address(order)
    found = loops.calmip_by_row(ctypes.byref(state))
    if found == MIXED:
        by_column, column_start = ints(count), ints(width + 1)
        state.by_column, state.column_start = address(by_column), address(column_start)
        found = loops.calmip_by_row(ctypes.byref(state))
        del by_column
    if found != DONE:
        return None
    target, sorted_values = ints(count), array("d", bytes(8 * count))
    loops.calmip_by_row_copy(
        ctypes.byref(state), address(values), address(target), address(sorted_values)
    )
    return Sorted(start, order, target, sorted_values)
