"""Rows of an exact cover, found in a model file that does not say what its rows mean."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["dividing_rows"]

Ints = npt.NDArray[np.int64]


def dividing_rows(row: Ints, column: Ints) -> list[int]:
    """Return rows that divide the columns among them: each column has one entry in one of them.

    In the models of puzzles these are the rows of pieces and free groups, which
    come last (or, elsewhere, first): rows are taken from either end as long as
    they share no column with those taken before.

    Parameters
    ----------
    row, column
        The matrix's entries.

    Returns
    -------
    list of int
        Ascending; empty if neither end gives such rows.
    """
    parts: dict[int, list[int]] = {}
    for one, covered in sorted(zip(row.tolist(), column.tolist(), strict=True)):
        parts.setdefault(one, []).append(covered)
    taken = _taken(reversed(parts.items()), set(column.tolist()))
    return taken or _taken(parts.items(), set(column.tolist()))


def _taken(parts: Iterable[tuple[int, list[int]]], free: set[int]) -> list[int]:
    taken = []
    for one, covered in parts:
        if free.issuperset(covered):
            taken.append(one)
            free.difference_update(covered)
            if not free:
                return sorted(taken)
    return []
