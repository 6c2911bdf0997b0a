"""The rows of a binary model for the tree, and proofs of infeasibility by multipliers.

For any multipliers y of the rows, every solution satisfies ``(y A) x <= bound`` where the bound
is the greatest value of ``y`` times the row sums. A node in which the least ``(y A) x`` over the
fixed and free columns is greater than that bound holds no solution (Farkas 1902). The inequality
uses the rows alone and nothing that was fixed, so it stays valid in the whole tree and may refute
other nodes too (dual proof analysis; Witzig, Berthold and Heinz 2021,
https://doi.org/10.1007/s12532-021-00202-0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip._base.errors import InputError
from calmip.mip.model import Model, WholeRow

__all__ = ["Inequality", "Rows", "least_of", "proof_of", "rows_of"]


EXACT = 2**51
"""Whole numbers up to this size are added without rounding, halves included."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows ``lower <= A x <= upper`` over binary x, no column twice in a row.

    Rows with fractional coefficients are scaled to integral ones (`Model.row`). If their
    sums would still be rounded, the rows are scaled and rounded: then they only guide the
    search, and solutions are checked in exact arithmetic (`Model.violated`).

    The matrix is given by rows: ``start``, ``column``, ``value``.
    """

    columns: int
    start: IntArray
    column: IntArray
    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    whole: npt.NDArray[np.bool_]
    """Whether every sum of a row's coefficients is a whole number, computed without rounding."""
    size: FloatArray
    """The sum of the absolute coefficients of each row."""

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def owner(self) -> IntArray:
        """The row of every coefficient."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def by_columns(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the same matrix by columns: start, rows, values."""
        order = np.argsort(self.column, kind="stable")
        return _starts(self.column, self.columns), self.owner[order], self.value[order]


def _starts(numbers: IntArray, size: int) -> IntArray:
    """Return where each number begins once they are sorted, and where the last one ends."""
    return np.append(0, np.cumsum(np.bincount(numbers, minlength=size)))


def rows_of(model: Model) -> Rows:
    """Return the rows of a model, with repeated entries added up and zeros dropped.

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
    exact = (broken == 0) & (size <= EXACT)
    exact[rounded] = False
    start = _starts(owner, count)
    return Rows(columns, start, column.astype(np.int64), value, lower, upper, exact, size)


def _floats(row: WholeRow) -> tuple[dict[int, float], float, float, int]:
    """Return a row in floating point, divided by a number that keeps its sums small, and that.

    The number is 1 where nothing is rounded.
    """
    terms, low, high = row
    if low > high:
        return {}, 1.0, 0.0, 1
    size = sum(map(abs, terms.values()))
    scale = 1 << max(0, (size + 1).bit_length() - EXACT.bit_length() + 1)
    return {c: v / scale for c, v in terms.items()}, low / scale, high / scale, scale


def _check(model: Model, owner: IntArray) -> None:
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
"""Elsewhere a proof must hold by this margin, relative to the sum of all absolute terms.

The rounding error is at most the number of terms times 1.2e-16 of that sum, that of rounded
rows included.
"""


@dataclass(frozen=True, eq=False)
class Inequality:
    """An inequality ``coefficients @ x <= bound`` that every solution satisfies.

    ``exact``: no sum is ever rounded. Otherwise the bound has a margin for rounding errors.
    """

    coefficients: FloatArray
    bound: float
    exact: bool


def proof_of(rows: Rows, multipliers: FloatArray, value: npt.NDArray[np.int8]) -> Inequality | None:
    """Return the proof that multipliers give for a node, or None if they prove nothing.

    The multipliers have either sign convention. The node has 0 or 1 for each fixed column, -1
    for each free one.
    """
    greatest = float(np.abs(multipliers).max(initial=0.0))
    if not 0.0 < greatest < np.inf:
        return None
    scaled = multipliers / greatest
    rounded = np.round(scaled / GRID) * GRID
    for y, on_grid in ((rounded, True), (-rounded, True), (scaled, False), (-scaled, False)):
        proof = _combine(rows, y, on_grid=on_grid)
        if least_of(proof.coefficients, value) > proof.bound:
            return proof
    return None


def least_of(coefficients: FloatArray, value: npt.NDArray[np.int8]) -> float:
    """Return the least left-hand side over a node's fixed and free columns."""
    d = coefficients
    return float(np.where(value == 1, d, np.where(value == 0, 0.0, np.minimum(d, 0.0))).sum())


def _combine(rows: Rows, y: FloatArray, *, on_grid: bool) -> Inequality:
    side = np.where(y > 0.0, rows.upper, rows.lower)
    # A row without a bound on this side is left out, which is always valid.
    y = np.where(np.isfinite(side), y, 0.0)
    terms = y * np.where(np.isfinite(side), side, 0.0)
    parts = y[rows.owner] * rows.value
    d = np.bincount(rows.column, parts, minlength=rows.columns).astype(np.float64)
    scale = float((np.abs(y) * rows.size + np.abs(terms)).sum())
    exact = on_grid and bool(rows.whole.all()) and scale <= SAFE
    return Inequality(d, float(terms.sum()) + (0.0 if exact else MARGIN * scale), exact)
