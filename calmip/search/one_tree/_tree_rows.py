"""The rows of a binary model as the tree needs them: clean, by rows and by columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip.errors import InputError
from calmip.problem.binary_model import BinaryModel, WholeRow

__all__ = ["Rows", "rows_of"]

EXACT = 2**51
"""Whole numbers up to this size are added without rounding, halves included."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows ``lower <= A x <= upper`` over binary x, no column twice in a row.

    Those with fractional coefficients are made whole (`BinaryModel.row`). If their sums are
    still not computed without rounding, they are scaled and rounded: then they guide the
    search, and a solution is checked in exact arithmetic (`BinaryModel.violated`).

    Parameters
    ----------
    columns
        The number of columns.
    start, column, value
        The matrix by rows.
    lower, upper
        The row bounds; those of whole rows are whole or infinite.
    whole
        Whether all coefficients of a row are whole numbers and so small that
        every sum of them is computed without rounding.
    size
        The sum of the absolute coefficients of each row.
    """

    columns: int
    start: IntArray
    column: IntArray
    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    whole: BoolArray
    size: FloatArray

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def owner(self) -> IntArray:
        """The row of every coefficient."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def by_columns(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the same matrix by columns: start, rows, values."""
        order = np.argsort(self.column, kind="stable")
        counts = np.bincount(self.column, minlength=self.columns)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return start, self.owner[order], self.value[order]


def rows_of(model: BinaryModel) -> Rows:
    """Return the rows of a model, with repeated entries added up and zeros left out.

    Raises
    ------
    InputError
        If a coefficient is infinite or not a number, a bound is not a number,
        or an entry names a column that does not exist.
    """
    columns, count = len(model.columns), len(model.rows)
    start = model.start.astype(np.int64)
    owner = np.repeat(np.arange(count), np.diff(start))
    _check(model, owner)
    plain = model.plain
    used = plain[owner]
    keys, value = (owner * max(columns, 1) + model.index)[used], model.value[used]
    # A whole sum meets a bound exactly where it meets the bound rounded inwards.
    lower, upper = np.ceil(model.lower), np.floor(model.upper)
    more_keys: list[int] = []
    more_values: list[float] = []
    rounded: list[int] = []
    for row in np.flatnonzero(~plain).tolist():
        terms, lower[row], upper[row], scale = _floats(model.row(row))
        more_keys += [row * columns + column for column in terms]
        more_values += terms.values()
        rounded += [row] if scale > 1 else []
    keys = np.concatenate([keys, np.array(more_keys, dtype=np.int64)])
    value = np.concatenate([value, np.array(more_values, dtype=np.float64)])
    order = np.argsort(keys, kind="stable")
    # Not np.unique: it would import numpy.ma, 30 ms.
    first = np.diff(keys[order], prepend=-1) > 0
    value = np.bincount(np.cumsum(first) - 1, value[order]).astype(np.float64)
    keys = keys[order][first]
    keys, value = keys[value != 0.0], value[value != 0.0]
    owner, column = np.divmod(keys, max(columns, 1))
    size = np.bincount(owner, np.abs(value), minlength=count).astype(np.float64)
    broken = np.bincount(owner, value != np.floor(value), minlength=count)
    whole = (broken == 0) & (size <= EXACT)
    whole[rounded] = False
    counts = np.bincount(owner, minlength=count)
    return Rows(
        columns=columns,
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        column=column.astype(np.int64),
        value=value,
        lower=lower,
        upper=upper,
        whole=whole,
        size=size,
    )


def _floats(row: WholeRow) -> tuple[dict[int, float], float, float, int]:
    """Return a row in floating point, divided by a number that keeps its sums small, and that.

    The number is 1 where nothing need be rounded.
    """
    terms, low, high = row
    if low > high:
        return {}, 1.0, 0.0, 1
    size = sum(map(abs, terms.values()))
    scale = 1 << max(0, (size + 1).bit_length() - EXACT.bit_length() + 1)
    return {c: v / scale for c, v in terms.items()}, low / scale, high / scale, scale


def _check(model: BinaryModel, owner: Sequence[int] | IntArray) -> None:
    odd = np.flatnonzero(~np.isfinite(model.value))
    if len(odd):
        row, column = model.rows[owner[odd[0]]], model.columns[model.index[odd[0]]]
        raise InputError(
            f"row {row} has the coefficient {model.value[odd[0]]} on column {column}; "
            "coefficients are finite numbers"
        )
    odd = np.flatnonzero(np.isnan(model.lower) | np.isnan(model.upper))
    if len(odd):
        raise InputError(
            f"row {model.rows[odd[0]]} has a bound that is not a number; "
            "leave a bound infinite where there is none"
        )
    if len(model.index) and not 0 <= model.index.min() <= model.index.max() < len(model.columns):
        raise InputError(
            f"the rows name column {model.index.max()}, but there are {len(model.columns)}"
        )
