"""A linear model whose variables are all binary, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calmip.problem.cover import ExactCover

__all__ = ["PLACEHOLDER", "BinaryModel"]

PLACEHOLDER = "unused"
"""The only column of a model that has none."""

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BinaryModel:
    """Minimise ``cost @ x`` over binary x with ``lower <= A x <= upper``.

    Parameters
    ----------
    columns, rows
        The names of the variables and of the constraints.
    start, index, value
        The matrix by rows: row i has the coefficients ``value[start[i]:start[i + 1]]``
        on the columns ``index[start[i]:start[i + 1]]``.
    lower, upper
        The bounds of every row, infinite where there is none.
    cost
        The objective, one number per column.
    name
        One word for the file's NAME line.
    comments
        Lines for the head of a written file.
    maximise, offset
        What the file that the model was read from said: whether its objective
        is to be made large, and the constant in it. ``cost`` is to be made
        small all the same, and has no constant.
    source
        The file that the model was read from, or an empty text.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    start: IntArray
    index: IntArray
    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    cost: FloatArray
    name: str = "calmip"
    comments: tuple[str, ...] = field(default=(), repr=False)
    maximise: bool = False
    offset: float = 0.0
    source: str = field(default="", repr=False)

    @classmethod
    def from_cover(cls, cover: ExactCover, *, comments: Iterable[str] = ()) -> BinaryModel:
        """Return the placement model of an exact cover: one equality row per item, no cost.

        Where there is no option at all, a column stands in no row: half of the programs
        refuse a model without columns, or call it empty, and this one they call infeasible.
        """
        options = np.repeat(np.arange(cover.columns, dtype=np.int32), np.diff(cover.start))
        order = np.argsort(cover.index, kind="stable")
        counts = np.bincount(cover.index, minlength=cover.rows)
        demand = np.array(cover.demand, dtype=np.float64)
        return cls(
            columns=cover.option_names or (PLACEHOLDER,),
            rows=tuple(item.name for item in cover.items),
            start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            index=options[order],
            value=np.ones(cover.nonzeros),
            lower=demand,
            upper=demand,
            cost=np.zeros(max(cover.columns, 1)),
            comments=tuple(comments),
        )

    @property
    def nonzeros(self) -> int:
        """The number of coefficients in the rows."""
        return len(self.index)

    def with_row(
        self, name: str, columns: Iterable[int], lower: float, upper: float,
        values: FloatArray | None = None,
    ) -> BinaryModel:  # fmt: skip
        """Return the model with one more row, on some columns.

        Its coefficients are ``values``, in the order of the columns' numbers, or 1.
        """
        added = np.array(sorted(columns), dtype=np.int32)
        return replace(
            self,
            rows=(*self.rows, name),
            start=np.append(self.start, self.start[-1] + len(added)).astype(np.int32),
            index=np.concatenate([self.index, added]),
            value=np.concatenate([self.value, np.ones(len(added)) if values is None else values]),
            lower=np.append(self.lower, lower),
            upper=np.append(self.upper, upper),
        )

    def objective(self, chosen: Iterable[int]) -> float:
        """Return the objective as its author wrote it, where the columns ``chosen`` are one."""
        value = float(self.cost[list(chosen)].sum())
        return (-value if self.maximise and value else value) + self.offset

    def violated(self, chosen: Iterable[int]) -> int | None:
        """Return the first row that the 0/1 point with ones on ``chosen`` breaks, or None."""
        point = np.zeros(len(self.columns))
        point[list(chosen)] = 1.0
        owner = np.repeat(np.arange(len(self.rows)), np.diff(self.start))
        sums = np.bincount(owner, self.value * point[self.index], minlength=len(self.rows))
        broken = np.flatnonzero((sums < self.lower - 1e-9) | (sums > self.upper + 1e-9))
        return int(broken[0]) if len(broken) else None
