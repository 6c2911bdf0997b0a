"""Proofs of infeasibility: multipliers of the rows, checked before they are believed.

For any multipliers y, every solution satisfies ``(y A) x <= bound`` where the
bound is the greatest value of ``y`` times the row sums. A node in which the
least ``(y A) x`` over the fixed and free columns is greater than that bound
holds no solution (Farkas 1902). The inequality uses the rows alone and nothing
that was fixed, so it stays valid in the whole tree and may refute other nodes
too (dual proof analysis; Witzig, Berthold and Heinz 2021,
https://doi.org/10.1007/s12532-021-00202-0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip.search.one_tree._tree_rows import FloatArray, Rows

__all__ = ["Inequality", "least_of", "proof_of"]

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
