"""Small models, drawn by Hypothesis, and their optima by brute force."""

from __future__ import annotations

import itertools
import math
from array import array

import numpy as np
from hypothesis import strategies as st

from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, Number

INF = math.inf

KNAPSACK = """Maximize
 value: 3 x + 4 y + 2 z + 10
Subject To
 w: 2 x + 3 y + z <= 3
Binaries
 x y z
End
"""


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Draw a model with up to five columns and four rows of any sense."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    start, index, value, lower, upper = [0], [], [], [], []
    for _ in range(rows):
        chosen = draw(st.sets(st.integers(0, columns - 1), min_size=1))
        index += sorted(chosen)
        value += [draw(st.sampled_from([-3.0, -1.0, 1.0, 2.0, 0.5])) for _ in chosen]
        start.append(len(index))
        low = draw(st.sampled_from([-np.inf, -1.0, 0.0, 1.0]))
        upper.append(draw(st.sampled_from([low, low + 1, np.inf]).filter(lambda v: v > -np.inf)))
        lower.append(low)
    cost = draw(st.lists(st.integers(-3, 3), min_size=columns, max_size=columns))
    return Model(
        columns=tuple(f"x{number}" for number in range(columns)),
        rows=tuple(f"r{number}" for number in range(rows)),
        start=np.array(start, dtype=np.int32),
        index=np.array(index, dtype=np.int32),
        value=np.array(value),
        lower=np.array(lower),
        upper=np.array(upper),
        cost=np.array(cost, dtype=float),
    )


@st.composite
def small_models(draw: st.DrawFn, *, continuous: bool = False) -> Model:
    """A model with integers from -2 to 3, some of whose rows have decimals."""
    width = draw(st.integers(1, 4))
    number = st.sampled_from([-3, -1, 0, 1, 2, 5, 0.5, -0.1, 0.3])
    rows = []
    for place in range(draw(st.integers(1, 4))):
        terms = {c: float(draw(number)) for c in range(width)}
        low = draw(st.sampled_from([-INF, -2, 0, 1, 0.4]))
        high = draw(st.sampled_from([INF, max(low, 1.0), max(low, 3.0)]))
        rows.append((f"r{place}", terms, float(low), float(high)))
    kinds = [not (continuous and draw(st.booleans())) for _ in range(width)]
    return Model.from_rows(
        [f"x{c}" for c in range(width)],
        rows,
        [float(draw(number)) for _ in range(width)],
        column_lower=array("d", [draw(st.sampled_from([-2, 0, 1])) for _ in range(width)]),
        column_upper=array("d", [draw(st.sampled_from([1, 2.5, 3])) for _ in range(width)]),
        integer=array("b", kinds),
    )


def optimum(model: Model) -> Number | None:
    """The least cost by trying all values of the integers, each completed exactly."""
    integers = [c for c, integer in enumerate(model.values("integer")) if integer]
    linear = ExactLp(model)
    costs = []
    for values in itertools.product(range(-2, 4), repeat=len(integers)):
        point = dict(zip(integers, values, strict=True))
        if len(integers) == len(model.columns):
            if model.violated(point) is None:
                costs.append(sum(model.costs.get(c, 0) * v for c, v in point.items()))
            continue
        answer = linear.solve(point)
        if answer.status == "optimal":
            assert answer.cost is not None
            costs.append(answer.cost)
    return min(costs, default=None)
