"""Two small models compared: each answer is that of all their solutions in fractions."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pool_referee import SmallModel, draw_model

import calmip
from calmip.mip.model import Model
from calmip.puzzle.tasks import compare as module
from calmip.solvers.verdicts import Evidence, Standing

Solutions = dict[tuple[int, ...], Fraction]


def drawn(seed: int) -> tuple[SmallModel, SmallModel]:
    """Return two models of integers with the same columns, often with the same solutions."""
    draw = random.Random(seed)
    own = 8 * seed + draw.choice([0, 1])  # binary or integer
    _, small = draw_model(own)
    small = replace(small, columns=small.columns[:4], maximise=seed % 3 == 0)
    small = replace(small, rows=tuple((cut(terms), *ends) for terms, *ends in small.rows))
    small = replace(small, cost=cut(small.cost))
    rows = list(small.rows)
    match draw.randrange(4):
        case 0 if rows:
            rows.pop()
        case 1:
            rows.append(({0: "1", 1: "1"}, None, draw.choice(["1", "9"])))
    cost: dict[int, str] = dict(small.cost)
    match draw.randrange(4):
        case 0:
            cost = {c: str(2 * Fraction(value)) for c, value in cost.items()}
        case 1:
            cost[0] = str(Fraction(cost.get(0, "0")) + 1)
        case 2:
            cost = {c: str(-Fraction(value)) for c, value in cost.items()}
    maximise = small.maximise if draw.random() < 0.8 else not small.maximise
    return small, replace(small, rows=tuple(rows), cost=cost, maximise=maximise)


def cut(terms: Any) -> dict[int, str]:
    return {c: value for c, value in terms.items() if c < 4}


def read(small: SmallModel, path: Path) -> Model:
    path.write_text(small.mps())
    return calmip.read_model(path)


def solutions(small: SmallModel) -> Solutions:
    return {key: value for key, value in small.completions().items() if value is not None}


def rank_alike(one: Solutions, other: Solutions, signs: tuple[int, int]) -> bool:
    """Return whether of any two solutions both objectives prefer the same one, or none."""

    def order(worth: Solutions, sign: int, pair: Any) -> int:
        difference = sign * (worth[pair[0]] - worth[pair[1]])
        return (difference > 0) - (difference < 0)

    pairs = combinations(sorted(one), 2)
    return all(order(one, signs[0], pair) == order(other, signs[1], pair) for pair in pairs)


def optimum(small: SmallModel, values: Any) -> Any:
    return (max if small.maximise else min)(values, default=None)


@pytest.mark.parametrize("first", range(0, 24, 4))
def test_each_answer_is_that_of_all_solutions(first: int, tmp_path: Path) -> None:
    seen: set[Any] = set()
    for seed in range(first, first + 4):
        smalls = drawn(seed)
        models = [read(small, tmp_path / f"{n}.mps") for n, small in enumerate(smalls)]
        found = module.compare(*models)
        one, other = map(solutions, smalls)
        less, more = one.keys() <= other.keys(), one.keys() >= other.keys()
        words = {(True, True): "same", (True, False): "smaller", (False, True): "larger"}
        assert found.feasible_set == words.get((less, more), "different"), seed
        ranks = found.objectives.ranks_alike
        if less and more and one:
            signs = tuple(-1 if small.maximise else 1 for small in smalls)
            assert ranks is rank_alike(one, other, (signs[0], signs[1])), seed
        for small, bound in zip(smalls, found.bounds, strict=True):
            columns = tuple((low, high, False) for low, high, _ in small.columns)
            assert bound == optimum(small, replace(small, columns=columns).completions().values())
        # The best objectives are looked for where the answers may differ.
        unlike = found.feasible_set != "same" or not ranks
        best = [
            optimum(small, every.values())
            for small, every in zip(smalls, (one, other), strict=True)
        ]
        assert list(found.optima) == (best if unlike else [None, None]), seed
        assert list(found.optima_proved) == [unlike and value is not None for value in best]
        seen |= {found.feasible_set, ranks}
    assert len(seen) > 1


def test_an_optimum_is_proved_by_a_check_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (
        Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 0.0, side)], [-1.0, -2.0])
        for side in (1.0, 2.0)
    )
    assert module.compare(one, other).optima_proved == (True, True)
    monkeypatch.setattr(Evidence, "judge_optimal", lambda *_: (Standing.UNVERIFIED, ""))
    found = module.compare(one, other)
    assert (found.optima, found.optima_proved) == ((-2, -3), (False, False))
