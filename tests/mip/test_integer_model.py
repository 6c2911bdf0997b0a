"""A model in whole numbers: what is rounded is small, and what is tightened keeps all solutions."""

from __future__ import annotations

import math
import random

import pytest

from calmip import Model
from calmip.mip.pool import integer_model as module
from calmip.mip.pool.integer_model import program_of, rounded_costs

INF = math.inf


@pytest.mark.parametrize("seed", range(8))
def test_rounded_costs_are_small(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sum within the bounds is, whatever the bounds and the signs are."""
    monkeypatch.setattr(module, "MAX_COST_SUM", 16)
    draw = random.Random(seed)
    low = [draw.choice([-INF, -7.0, 0.0, 2.0]) for _ in range(4)]
    high = [draw.choice([4.0, 9.0]) if end == -INF else end + draw.choice([1, 5]) for end in low]
    costs = [float(draw.choice([-900, -37, 16, 48, 301, 0])) for _ in low]
    model = Model.from_rows(
        [f"x{n}" for n in range(4)], [], costs, column_lower=low, column_upper=high
    )
    program = program_of(model)
    small, step, rest = rounded_costs(program)
    ends = [
        max((abs(end) for end in pair if math.isfinite(end)), default=1)
        for pair in zip(low, high, strict=True)
    ]
    before = sum(abs(cost) * ends[c] for c, cost in program.cost.items())
    after = sum((abs(cost) - 1) * ends[c] for c, cost in small.cost.items())
    assert after < 2 * 16 or not any(map(math.isfinite, low))
    assert (step == 1) is (small is program)
    assert step > 1 or before < 32
    for _ in range(40):
        point = [draw.randint(int(max(a, b - 20)), int(b)) for a, b in zip(low, high, strict=True)]
        assert rest + step * small.value_of(point) <= program.value_of(point)
