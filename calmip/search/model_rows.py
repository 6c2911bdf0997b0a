"""The rows of somebody's model in one form: what is scaled, split or idle no longer shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calmip.problem.binary_model import BinaryModel, WholeRow, whole_row

__all__ = ["ModelRows", "Row", "model_rows"]

Row = tuple[frozenset[int], int]
"""The columns that a row adds up, and the sum that it asks for."""

MOST_PASSES = 20


@dataclass(frozen=True)
class ModelRows:
    """What the rows of a model come to; its solutions are those of the model.

    Parameters
    ----------
    zero
        The columns that single rows force to 0, one after the other. They
        stand in no equation.
    equations
        The rows that add up columns to a whole number, once each: scaled rows
        with their coefficients made 1, and pairs of <= and >= joined.
    further
        How many other rows there are that do not follow from an equation.
    """

    zero: frozenset[int]
    equations: frozenset[Row]
    further: int


def model_rows(model: BinaryModel, *, forced: bool = True) -> ModelRows:
    """Bring the rows of a model into one form, without rounding and without tolerance.

    Every step leaves the solutions as they are: a column that would break a
    row by itself is 0, a row that every 0/1 point satisfies goes, rows over
    the same columns with proportional coefficients become one, and so do
    bounds of whole sums whole numbers. A sum of columns that is at most (at
    least) what an equation over more (fewer) of them says follows from it.

    Parameters
    ----------
    model
        The model.
    forced
        Whether to leave out the columns that rows force to 0.
    """
    rows = [model.row(number) for number in range(len(model.rows))]
    zero = _forced_to_zero(rows) if forced else set()
    joined: dict[tuple[tuple[int, int], ...], tuple[float, float]] = {}
    for terms, lower, upper in rows:
        left = {c: v for c, v in terms.items() if c not in zero}
        key, low, high = _turned(whole_row(left, lower, upper))
        before = joined.get(key, (-math.inf, math.inf))
        joined[key] = max(low, before[0]), min(high, before[1])
    equations: set[Row] = set()
    others: list[tuple[frozenset[int], bool, float, float]] = []
    for key, (low, high) in joined.items():
        columns = frozenset(c for c, _ in key)
        least = sum(min(v, 0) for _, v in key)
        most = sum(max(v, 0) for _, v in key)
        plain = all(v == 1 for _, v in key)
        if plain and low == high:
            equations.add((columns, int(low)))
        elif least < low or most > high:
            others.append((columns, plain and low <= high, low, high))
    around: dict[int, list[Row]] = {}
    for row in equations:
        for column in row[0]:
            around.setdefault(column, []).append(row)
    further = sum(
        not (plain and _follows(columns, low, high, around)) for columns, plain, low, high in others
    )
    return ModelRows(frozenset(zero), frozenset(equations), further)


def _forced_to_zero(rows: Sequence[WholeRow]) -> set[int]:
    """Return the columns that cannot be 1, because a row could no longer be satisfied."""
    zero: set[int] = set()
    for _ in range(MOST_PASSES):
        before = len(zero)
        for terms, low, high in rows:
            left = {c: v for c, v in terms.items() if c not in zero}
            least = sum(v for v in left.values() if v < 0)
            most = sum(v for v in left.values() if v > 0)
            zero.update(
                c for c, v in left.items()
                if (v > 0 and least + v > high) or (v < 0 and most + v < low)
            )  # fmt: skip
        if len(zero) == before:
            break
    return zero


def _turned(row: WholeRow) -> tuple[tuple[tuple[int, int], ...], float, float]:
    """Return a row with its terms in order, the first coefficient positive."""
    terms, low, high = row
    key = tuple(sorted(terms.items()))
    if not key or key[0][1] > 0:
        return key, low, high
    return tuple((c, -v) for c, v in key), -high, -low


def _follows(
    columns: frozenset[int], low: float, high: float, around: Mapping[int, list[Row]]
) -> bool:
    """Return whether one equation gives the row's upper bound, and one its lower."""
    near = [row for column in columns for row in around.get(column, ())]
    upper = high >= len(columns) or any(wider >= columns and total <= high for wider, total in near)
    lower = low <= 0 or any(narrower <= columns and total >= low for narrower, total in near)
    return upper and lower
