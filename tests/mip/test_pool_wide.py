"""Pools of integer columns with finite bounds so far off that sums of costs exceed 64 bits."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pool_referee import SmallModel, draw_model

import calmip
from calmip import InputError
from calmip.mip.pool import tree_search as module

GOALS: tuple[dict[str, Any], ...] = (
    {"optimal": True},
    {"gap": "30%"},
    {"within": "2"},
    {"best": 3},
    {"best": 1},
    {"count": True, "within": "1"},
    {},
)
ENDS = (50, 51, 53, 59, 61, 62, 63, 64, 80)


def widened(small: SmallModel, power: int) -> SmallModel:
    """Return a model whose integer columns have finite bounds instead of infinite ones."""
    far = Fraction(2) ** power + 12345
    ends = [
        (-far if low is None and one else low, far if high is None and one else high, one)
        for low, high, one in small.columns
    ]
    return replace(small, columns=tuple(ends))


def pool(small: SmallModel, path: Path, goal: dict[str, Any]) -> calmip.SolutionPool | None:
    """Return the pool of a model, None if a column or the objective is unbounded."""
    path.write_text(small.mps())
    try:
        return calmip.enumerate(calmip.read_model(path), **goal)
    except InputError as error:
        assert "unbounded" in str(error) or "improves" in str(error)
        return None


def compare(seeds: range, path: Path) -> int:
    """Compare pools of far bounds with those of infinite ones; return how many were compared."""
    compared = 0
    for seed in seeds:
        _, small = draw_model(8 * seed + 4)  # the family of integer columns without bounds
        draw = random.Random(seed)
        goal = draw.choice(GOALS)
        endless = pool(small, path, goal)
        if endless is None:
            continue
        power = draw.choice(ENDS)
        wide = pool(widened(small, power), path, {**goal, "node_limit": 50_000})
        assert wide is not None
        told = (seed, power, goal)
        assert endless.complete, told
        assert wide.complete, told
        assert (wide.count, wide.optimum) == (endless.count, endless.optimum), told
        if "best" not in goal:
            assert set(map(calmip.puzzle.tasks.enumerate.key_of, wide.solutions)) == set(
                map(calmip.puzzle.tasks.enumerate.key_of, endless.solutions)
            ), told
        else:
            assert wide.objectives == endless.objectives, told
            assert wide.tied == endless.tied, told
        compared += 1
    return compared


def test_pools_with_far_bounds_are_those_without_bounds(tmp_path: Path) -> None:
    assert compare(range(25), tmp_path / "wide.mps") > 8


def test_bounds_of_a_part_come_from_its_own_rows(tmp_path: Path) -> None:
    """A count of independent parts bounds the columns of each by the cutoff of that part."""
    path = tmp_path / "parts.lp"
    rows = "".join(f" a{n}: x{n} - y{n} >= 1\n b{n}: 2 y{n} - x{n} <= 6\n" for n in (1, 2))
    integers = " x1 y1 x2 y2"
    for bounds in ("", "".join(f" {name} <= 4e15\n" for name in integers.split())):
        path.write_text(
            f"Minimize\n o: x1 - y1 + x2 - y2\nSubject To\n{rows}"
            f"Bounds\n{bounds}Generals\n{integers}\nEnd\n"
        )
        model = calmip.read_model(path)
        assert calmip.enumerate(model, optimal=True).count == 64
        found = calmip.enumerate(model, optimal=True, count=True)
        assert (found.count, found.complete, found.optimum) == (64, True, 2)


@pytest.mark.long
@pytest.mark.parametrize("first", [None, "bad"])
def test_pools_with_far_bounds_need_no_good_incumbent(
    first: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tree's own incumbents narrow the bounds, and finer costs follow."""
    if first is not None:
        monkeypatch.setattr(module, "first_point", lambda *_: None)
    assert compare(range(25, 200), tmp_path / "wide.mps") > 60
