"""The margin for rounding errors in proofs of infeasibility."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest

from calmip.problem.binary_model import BinaryModel
from calmip.search.one_tree import _farkas
from calmip.search.one_tree._farkas import proof_of
from calmip.search.one_tree._tree_rows import Rows, rows_of

COLUMNS, ROWS = 40, 6


def rows_that_a_point_meets() -> tuple[Rows, np.ndarray]:
    """Return equations with large fractional coefficients, and a point that meets them."""
    random = np.random.default_rng(7)
    matrix = random.integers(1, 10**8, (ROWS, COLUMNS)) + random.random((ROWS, COLUMNS))
    point = np.tile([1, 0], COLUMNS // 2).astype(np.int8)
    sums = np.array([fsum(row[point == 1]) for row in matrix])
    model = BinaryModel(
        columns=tuple(f"x{j}" for j in range(COLUMNS)),
        rows=tuple(f"r{i}" for i in range(ROWS)),
        start=np.arange(0, ROWS * COLUMNS + 1, COLUMNS, dtype=np.int32),
        index=np.tile(np.arange(COLUMNS, dtype=np.int32), ROWS),
        value=matrix.ravel(),
        lower=sums,
        upper=sums,
        cost=np.zeros(COLUMNS),
    )
    return rows_of(model), point


def wrongly_refuted() -> int:
    """Return how many of many multipliers "prove" that the point is no solution."""
    rows, point = rows_that_a_point_meets()
    assert rows.hold(point)
    random = np.random.default_rng(8)
    return sum(proof_of(rows, random.normal(size=ROWS), point) is not None for _ in range(200))


def test_rounding_errors_refute_no_solution() -> None:
    assert wrongly_refuted() == 0


def test_without_the_margin_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    # Else the test above would guard nothing.
    monkeypatch.setattr(_farkas, "MARGIN", 0.0)
    assert wrongly_refuted() > 20
