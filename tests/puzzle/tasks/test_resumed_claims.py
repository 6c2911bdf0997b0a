"""A pool that stopped at any node and goes on claims what one claims that never stopped."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip import Model


def knapsack(columns: int = 7) -> Model:
    """Return a knapsack whose items are alike in pairs, so that many solutions are good."""
    weights = [3 * n % 7 + 5 + n // 2 for n in range(columns)]
    values = [float(weight + n % 3) for n, weight in enumerate(weights)]
    row = ("weight", {n: float(weight) for n, weight in enumerate(weights)}, 0.0, sum(weights) / 2)
    return Model.from_rows([f"x{n}" for n in range(columns)], [row], values, maximise=True)


def claims(pool: calmip.SolutionPool) -> dict[str, Any]:
    return {
        "solutions": sorted(pool.solutions),
        "objectives": sorted(map(Fraction, pool.objectives)),
        **{name: getattr(pool, name) for name in CLAIMS},
    }


CLAIMS = ("complete", "stopped", "proved", "optimum", "tied", "unique")


@pytest.mark.parametrize(
    "goal",
    [{"gap": "5%"}, {"best": 7}, {"optimal": True}, {"within": "1"}, {"within": "1", "limit": 99}],
    ids=str,
)
def test_a_resumed_pool_claims_the_same(goal: dict[str, Any], tmp_path: Path) -> None:
    model, alone = knapsack(), calmip.enumerate(knapsack(), **goal)
    assert alone.complete
    assert alone.proved
    nodes = alone.statistics.nodes
    for limit in range(1, nodes, max(1, nodes // 6)):
        file = tmp_path / f"{limit}.jsonl"
        first = calmip.enumerate(model, **goal, file=file, node_limit=limit)
        assert (first.complete, first.stopped) == (False, "nodes")
        if "best" in goal or "gap" in goal:
            assert first.tied is None
        again = calmip.enumerate(model, **goal, file=file, resume=True, node_limit=1)
        assert again.proved >= first.proved  # what has been proved stays so
        assert again.complete or not again.proved or again.optimum == alone.optimum
        rest = again if again.complete else calmip.enumerate(model, **goal, file=file, resume=True)
        assert claims(rest) == claims(alone), limit
        assert len(file.read_text().splitlines()) == len(alone)
