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
    if not len(row):
        return []
    columns = int(column.max()) + 1
    order = np.argsort(row, kind="stable")
    rows, first = np.unique(row[order], return_index=True)
    parts = list(zip(rows.tolist(), np.split(column[order], first[1:]), strict=True))
    return _taken(reversed(parts), columns) or _taken(parts, columns)


def _taken(parts: Iterable[tuple[int, Ints]], columns: int) -> list[int]:
    taken: list[int] = []
    free = np.ones(columns, dtype=bool)
    for one, covered in parts:
        if free[covered].all():
            taken.append(one)
            free[covered] = False
            if not free.any():
                return sorted(taken)
    return []
