"""The rows of a binary model as the tree needs them: clean, by rows and by columns.

Multipliers of the rows that prove infeasibility are checked here in exact arithmetic, or with a
safe margin. For any multipliers y, every solution satisfies ``(y A) x <= bound`` where the
bound is the greatest value of ``y`` times the row sums. A node in which the
least ``(y A) x`` over the fixed and free columns is greater than that bound
holds no solution (Farkas 1902). The inequality uses the rows alone and nothing
that was fixed, so it stays valid in the whole tree and may refute other nodes
too (dual proof analysis; Witzig, Berthold and Heinz 2021,
https://doi.org/10.1007/s12532-021-00202-0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip.errors import InputError
from calmip.problem.binary_model import BinaryModel, WholeRow

__all__ = ["Inequality", "Rows", "least_of", "proof_of", "rows_of"]


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


GRID = 2.0**-20
"""Multipliers are rounded to multiples of this."""

SAFE = 2.0**33
"""Sums of products of whole numbers and grid multiples are exact up to this."""

MARGIN = 1e-9
"""Elsewhere a proof must hold by this, relative to the sum of all absolute terms.

The rounding error is at most the number of terms times 1.2e-16 of that sum, that of rows
which are rounded themselves included.
"""


@dataclass(frozen=True, eq=False)
class Inequality:
    """An inequality ``coefficients @ x <= bound`` that every solution satisfies.

    Parameters
    ----------
    coefficients
        One number per column.
    bound
        The right-hand side, with the margin for rounding errors.
    exact
        Whether no sum of coefficients is ever rounded, so that no margin is needed.
    """

    coefficients: FloatArray
    bound: float
    exact: bool


def proof_of(rows: Rows, multipliers: FloatArray, value: npt.NDArray[np.int8]) -> Inequality | None:
    """Return the proof that multipliers give for a node, or None if they prove nothing.

    Parameters
    ----------
    rows
        The rows of the model.
    multipliers
        One number per row, from whoever claims that the node is infeasible;
        its sign convention does not matter.
    value
        The node: 0 or 1 for each fixed column, -1 for each free one.
    """
    greatest = float(np.abs(multipliers).max(initial=0.0))
    if not 0.0 < greatest < np.inf:
        return None
    scaled = multipliers / greatest
    rounded = np.round(scaled / GRID) * GRID
    for y, on_grid in ((rounded, True), (-rounded, True), (scaled, False), (-scaled, False)):
        proof = _combined(rows, y, on_grid=on_grid)
        if least_of(proof.coefficients, value) > proof.bound:
            return proof
    return None


def least_of(coefficients: FloatArray, value: npt.NDArray[np.int8]) -> float:
    """Return the least left-hand side over a node's fixed and free columns."""
    d = coefficients
    return float(np.where(value == 1, d, np.where(value == 0, 0.0, np.minimum(d, 0.0))).sum())


def _combined(rows: Rows, y: FloatArray, *, on_grid: bool) -> Inequality:
    side = np.where(y > 0.0, rows.upper, rows.lower)
    # A side without a bound gives nothing; leaving the row out is always valid.
    y = np.where(np.isfinite(side), y, 0.0)
    terms = y * np.where(np.isfinite(side), side, 0.0)
    parts = y[rows.owner] * rows.value
    d = np.bincount(rows.column, parts, minlength=rows.columns).astype(np.float64)
    scale = float((np.abs(y) * rows.size + np.abs(terms)).sum())
    exact = on_grid and bool(rows.whole.all()) and scale <= SAFE
    return Inequality(d, float(terms.sum()) + (0.0 if exact else MARGIN * scale), exact)
