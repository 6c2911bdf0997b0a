"""The margin for rounding errors in proofs of infeasibility."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from calmip.mip.model import Model
from calmip.mip.one_tree import _tree_rows
from calmip.mip.one_tree._tree_rows import Rows, proof_of, rows_of

COLUMNS, ROWS = 40, 6


def rows_that_a_point_meets() -> tuple[Rows, np.ndarray]:
    """Return equations with large fractional coefficients, and a point that meets them."""
    random = np.random.default_rng(7)
    point = np.tile([1, 0], COLUMNS // 2).astype(np.int8)
    model = Model.from_rows([f"x{j}" for j in range(COLUMNS)], [])
    for row in range(ROWS):
        values = [
            Fraction(whole) + Fraction(part, 10**15)
            for whole, part in zip(
                random.integers(1, 10**8, COLUMNS).tolist(),
                random.integers(1, 10**15, COLUMNS).tolist(),
                strict=True,
            )
        ]
        total = sum(values[::2], Fraction())
        model = model.with_row(f"r{row}", range(COLUMNS), total, total, values)
    assert model.violated(np.flatnonzero(point).tolist()) is None
    assert model.violated(range(1, COLUMNS)) == 0
    return rows_of(model), point


def wrongly_refuted() -> int:
    """Return how many of many multipliers "prove" that the point is no solution."""
    rows, point = rows_that_a_point_meets()
    assert not rows.whole.any()
    random = np.random.default_rng(8)
    return sum(proof_of(rows, random.normal(size=ROWS), point) is not None for _ in range(200))


def test_rounding_errors_refute_no_solution() -> None:
    assert wrongly_refuted() == 0


def test_without_the_margin_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    # Else the test above would guard nothing.
    monkeypatch.setattr(_tree_rows, "MARGIN", 0.0)
    assert wrongly_refuted() > 20


def test_sums_that_are_called_exact_have_room_for_every_bit() -> None:
    """Multiples of the grid up to `SAFE`, and whole numbers and halves up to `EXACT`."""
    assert Fraction(_tree_rows.SAFE) / Fraction(_tree_rows.GRID) <= 2**53
    assert 2 * _tree_rows.EXACT <= 2**53
