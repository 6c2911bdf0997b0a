"""Pools of random small models, from their files, against all solutions in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from battery import seeds
from pool_referee import FAMILIES, Completions, SmallModel, draw_model, minimum

import calmip
from calmip.mip.pool import integer_model as programs
from calmip.mip.pool import tree_search as module
from calmip.mip.pool.integer_model import MAX_COST_SUM

REFUSED = ("has no variables",)
"""What the reader says about a model without columns."""

Solutions = dict[tuple[int, ...], Fraction]


def goals(seed: int, small: SmallModel) -> list[dict[str, Any]]:
    """Return the goals of a seed, each as options of `calmip.enumerate`."""
    draw = random.Random(seed)
    endless = any(None in (low, high) for low, high, integer in small.columns if integer)
    far = "7" if endless else "1000"  # hundreds of thousands of solutions take too long
    some = [f"x{column}" for column in small.whole if draw.random() < 0.5]
    found: list[dict[str, Any]] = [
        {},
        {"optimal": True},
        {"gap": draw.choice(["1/4", "1%", "0", "200%"])},
        {"within": draw.choice(["1.5", "0", "3", "1e-9", far])},
        {"best": draw.choice([1, 2, 3, 5, 1000])},
        {"count": True, **draw.choice([{}, {"within": "2"}, {"optimal": True}])},
    ]
    ends = [{}, {"within": "2"}, {"optimal": True}, {"best": 2}, {"gap": "1/4"}, {"count": True}]
    if some:
        found.append({"distinct": some, **draw.choice(ends)})
    found.append({"limit": draw.choice([1, 2, 4]), **draw.choice(ends[:3])})
    found.append({"node_limit": draw.choice([1, 2, 5]), **draw.choice(ends[:5])})
    return found


def expected(small: SmallModel, every: Solutions, goal: Mapping[str, Any]) -> Solutions:
    """Return the solutions that a goal wants; of the best, with all that equal the last."""
    sign = -1 if small.maximise else 1
    best = min((sign * one for one in every.values()), default=Fraction(0))
    worst = max((sign * one for one in every.values()), default=Fraction(0))
    if "best" in goal:
        worst = sorted(sign * one for one in every.values())[: goal["best"]][-1] if every else worst
    elif "gap" in goal:
        gap = goal["gap"]
        share = Fraction(gap.removesuffix("%")) / (100 if gap.endswith("%") else 1)
        worst = best + share * abs(best)
    elif goal.keys() & {"optimal", "within"}:
        worst = best + Fraction(goal.get("within", 0))
    return {key: one for key, one in every.items() if sign * one <= worst}


def judge(small: SmallModel, path: Path, goal: Mapping[str, Any]) -> str:
    """Compare a pool with the referee's; return what was compared, for a tally."""
    every = small.completions()
    if goal.get("count") and not goal.keys() & {"optimal", "within"}:
        every = dict.fromkeys(every, Fraction(0))  # the objective plays no part
    try:
        model = calmip.read_model(path)
    except calmip.InputError as error:
        assert any(words in str(error) for words in REFUSED)
        assert not every or not small.whole
        return "refused by the reader"
    endless = any(None in (low, high) for low, high, integer in small.columns if integer)
    try:
        pool = calmip.enumerate(model, **goal)
    except calmip.InputError as error:
        assert "unbounded" in str(error)
        assert endless or None in every.values()
        return "refused: a column" if "the integer column" in str(error) else "refused: objective"
    found = points(small, pool, every, endless=endless)
    assert None not in every.values() or not pool.complete, "the objective is unbounded"
    places = [small.whole.index(int(name[1:])) for name in goal.get("distinct", small_names(small))]
    solutions = best_of(small, {k: one for k, one in every.items() if one is not None}, places)
    wanted = expected(small, solutions, goal)
    assert len(best_of(small, found, places)) == len(found)
    found = best_of(small, found, places)
    if not pool.complete:
        assert pool.stopped == ("limit" if "limit" in goal else "nodes")
        assert len(found) == goal.get("limit", len(found))
        assert found.items() <= (solutions if "node_limit" in goal else wanted).items()
        return "incomplete"
    if goal.get("count") and endless:
        return "counted"  # there may be solutions outside the box
    if goal.get("count"):
        assert pool.count == len(wanted)
    elif "best" in goal:
        every_best = sorted(wanted.values(), reverse=small.maximise)
        assert list(found.values()) == every_best[: goal["best"]]
        assert found.items() <= wanted.items()
        # Outside the referee's box there may be others that equal the last.
        assert pool.tied is (len(wanted) > len(found)) or (endless and pool.tied)
    else:
        assert found == wanted
    if pool.goal and wanted:
        assert pool.proved
        assert pool.optimum == (max if small.maximise else min)(solutions.values())
    return "solutions" if wanted else "infeasible"


def small_names(small: SmallModel) -> list[str]:
    """Return the names of the integer columns."""
    return [f"x{column}" for column in small.whole]


def points(
    small: SmallModel, pool: calmip.SolutionPool, every: Completions, *, endless: bool
) -> Solutions:
    """Return the objectives of a pool by the values of the integer columns, each checked.

    Solutions outside the referee's box are added to all that it knows.
    """
    found: Solutions = {}
    names = pool.model.columns
    for point, objective in zip(pool.points, pool.objectives, strict=True):
        values = point if isinstance(point, Mapping) else dict.fromkeys(point, 1)
        named = {int(names[column][1:]): Fraction(x) for column, x in values.items()}
        assert not small.violates(named)
        assert objective == small.objective(named)
        key = tuple(int(named.get(column, 0)) for column in small.whole)
        assert key not in found
        found[key] = objective
        if endless and key not in every:
            every |= small.completion(key)
    return found


def best_of(small: SmallModel, every: Solutions, places: list[int]) -> Solutions:
    """Return the best objective of each choice of the integer columns at some places."""
    found: Solutions = {}
    for key, one in every.items():
        pattern = tuple(key[place] for place in places)
        found[pattern] = (max if small.maximise else min)(found.get(pattern, one), one)
    return found


def battery(
    chosen: Iterable[int], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> set[tuple[str, str]]:
    """Judge all goals of the models of some seeds; return the families and what was compared."""
    path, seen = folder / "small.mps", set()
    for seed in chosen:
        family, small = draw_model(seed)
        path.write_text(small.mps())
        # By the rows alone as far as the budget goes, or by relaxations from the root on.
        for name, usual, least in (
            ("WORK_BEFORE_RELAXATIONS", 60_000, 0),
            ("WORK_PER_CLOCK_READ", 20_000, 1),
        ):
            monkeypatch.setattr(module, name, least if seed // len(FAMILIES) % 2 else usual)
        # The costs as they are, or rounded to a few digits for the bounds.
        digits = 4 if seed // (2 * len(FAMILIES)) % 2 else MAX_COST_SUM
        monkeypatch.setattr(programs, "MAX_COST_SUM", digits)
        for goal in goals(seed, small):
            try:
                seen.add((family, judge(small, path, goal)))
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {goal}: {error}\n{small.mps()}") from error
    return seen


@pytest.mark.parametrize("seed", range(2 * len(FAMILIES)))
def test_pools_are_those_of_the_referee(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = battery([seed], tmp_path, monkeypatch)
    assert {family for family, _ in seen} == {FAMILIES[seed % len(FAMILIES)]}


@pytest.mark.long
def test_further_pools_are_those_of_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    battery(seeds(24, range(8, 2160)), tmp_path, monkeypatch)


@pytest.mark.slow
def test_hundreds_of_pools_are_those_of_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = battery(range(160), tmp_path, monkeypatch)
    assert {(family, "solutions") for family in FAMILIES} <= seen
    assert {("free", "refused: objective"), ("unbounded", "refused: a column")} <= seen
    assert {one for _, one in seen} >= {
        "infeasible",
        "incomplete",
        "counted",
        "refused by the reader",
    }


@pytest.mark.slow
@pytest.mark.parametrize("first", range(160, 2160, 250))
def test_two_thousand_pools_are_those_of_the_referee(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    battery(range(first, first + 250), tmp_path, monkeypatch)


def test_the_referee_eliminates_variables() -> None:
    one, two = Fraction(1), Fraction(2)
    box = [((one, 0 * one), two), ((-one, 0 * one), one), ((0 * one, one), two)]
    assert minimum(box, (one, 0 * one)) == (True, -one)
    assert minimum(box, (one, one)) == (True, None)  # the second has no lower bound
    assert minimum([*box, ((-one, -one), -two)], (one, one)) == (True, two)
    assert minimum([*box, ((one, 0 * one), -two)], (one, one)) == (False, None)


@pytest.mark.long
def test_the_battery_sees_a_lost_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = module.TreeSearch.take
    monkeypatch.setattr(
        module.TreeSearch,
        "take",
        lambda self, value, point: any(point) and take(self, value, point),
    )
    with pytest.raises(AssertionError, match=r"seed \d+, "):
        battery(range(80), tmp_path, monkeypatch)
