"""Counting with equal columns taken together and independent parts multiplied."""

from __future__ import annotations

import itertools
import json
import math
import random
from array import array
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from battery import seeds

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.mip.model import Model
from calmip.mip.pool import Goal, PoolSearch
from calmip.mip.pool.counting import MAX_VALUES, components, merged, points_of_box
from calmip.mip.pool.integer_model import program_of

Point = tuple[int, ...]


def model_of(seed: int) -> Model:
    """Return a model with some equal columns, in one to three blocks without a common row."""
    draw = random.Random(seed)
    low: list[float] = []
    high: list[float] = []
    cost: list[float] = []
    rows = []
    for block in range(draw.randint(1, 3)):
        terms: list[dict[int, float]] = [{} for _ in range(draw.randint(0, 2))]
        for _ in range(draw.randint(1, 2)):
            coefficients = [draw.choice([0, 1, 1, 2, -3]) for _ in terms]
            price = draw.choice([0, 0, 1, -2])
            for _ in range(draw.randint(1, 3)):
                for own, a in zip(terms, coefficients, strict=True):
                    if a:
                        own[len(low)] = a
                low.append(draw.choice([0, 0, -1]))
                high.append(low[-1] + draw.choice([0, 1, 1, 2]))
                cost.append(price)
        for number, own in enumerate(terms):
            side = draw.randint(-2, 3)
            above = draw.choice([side, side + 1, math.inf])
            rows.append((f"r{block}{number}", own, float(side), float(above)))
    names = [f"x{column}" for column in range(len(low))]
    return Model.from_rows(
        names,
        rows,
        cost,
        integer=np.ones(len(low), dtype=bool),
        column_lower=np.array(low),
        column_upper=np.array(high),
        maximise=bool(draw.random() < 0.5),
    )


def solutions(model: Model) -> list[Point]:
    """Return all points, by brute force."""
    low, high = model.values("column_lower"), model.values("column_upper")
    ranges = [range(int(a), int(b) + 1) for a, b in zip(low, high, strict=True)]
    return [
        point
        for point in itertools.product(*ranges)
        if model.violated({c: x for c, x in enumerate(point) if x}) is None
    ]


def wanted(model: Model, goal: Goal) -> int:
    points = solutions(model)
    costs = model.costs
    sums = [sum(costs.get(c, 0) * x for c, x in enumerate(point)) for point in points]
    if goal.plain or not points:
        return len(points)
    best = min(sums)  # whether the model maximises or not
    return sum(abs(one - best) <= (goal.within or 0) for one in sums)


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("goal", [Goal(), Goal(optimal=True), Goal(within=2)], ids=str)
def test_counts_are_those_of_brute_force(goal: Goal, count: int) -> None:
    several = fewer = 0
    for seed in range(count):
        model = model_of(seed)
        search = PoolSearch(model, goal, limited=True, tally=True)
        assert not list(search)
        assert (search.complete, search.stopped) == (True, "")
        assert search.counted == wanted(model, goal), seed
        listed = PoolSearch(model, goal, limited=True)
        assert len(list(listed)) == search.counted
        assert goal.plain or search.best == listed.best
        program, ways = merged(program_of(model))
        several += len(components(program, ways)) > 1
        fewer += bool(ways)
    assert several > count / 3
    assert fewer > count / 3


@pytest.mark.parametrize("seed", range(20))
def test_the_points_of_a_box_are_those_of_all_columns(seed: int) -> None:
    model = model_of(seed)
    whole = program_of(model)
    program, ways = merged(whole)
    every = math.prod(int(high - low + 1) for low, high in zip(whole.low, whole.high, strict=True))
    assert points_of_box(ways, program.low, program.high) == every
    # Boxes of single values add up to it, too.
    sides = [range(a, b + 1) for a, b in zip(program.low, program.high, strict=True)]
    assert sum(points_of_box(ways, p, p) for p in itertools.product(*sides)) == every


@pytest.mark.parametrize(
    ("bounds", "groups"),
    [
        ([(2, 2), (2, 2), (0, 1)], [(4, 5)]),
        ([(1, 0), (0, 3), (0, 3)], [(1, 0), (0, 6)]),
        ([(0, MAX_VALUES), (0, 1), (3, MAX_VALUES)], [(0, MAX_VALUES), (3, MAX_VALUES + 1)]),
        ([(0, MAX_VALUES - 2), (0, 1), (0, 1)], [(0, MAX_VALUES - 1), (0, 1)]),
    ],
)
def test_equal_columns_are_one_unless_they_have_no_value_or_very_many(
    bounds: list[tuple[int, int]], groups: list[tuple[int, int]]
) -> None:
    low, high = zip(*bounds, strict=True)
    whole = program_of(Model.from_rows(list("abc"), [("r", {0: 1.0, 1: 1.0, 2: 1.0}, 0.0, 9.0)]))
    program, _ = merged(replace(whole, low=list(low), high=list(high)))
    assert list(zip(program.low, program.high, strict=True)) == groups


def test_what_listing_could_never_reach_is_counted() -> None:
    """Choose 30 of 60 equal columns, three times, and 40 free columns."""
    columns = 3 * 60 + 40
    rows = [
        (f"r{block}", dict.fromkeys(range(60 * block, 60 * block + 60), 1.0), 30.0, 30.0)
        for block in range(3)
    ]
    model = Model.from_rows([f"x{column}" for column in range(columns)], rows)
    search = PoolSearch(model, tally=True)
    assert not list(search)
    assert search.counted == math.comb(60, 30) ** 3 * 2**40
    assert search.complete


def test_parts_that_a_limit_leaves_open_are_not_counted() -> None:
    """A count that is not complete is one that is certain: here another part may have none."""
    rows = []
    for block in range(2):
        first = 12 * block
        for number in range(8):
            own = {first + (number * number + 3 * c) % 12: 1.0 + c for c in range(5)}
            rows.append((f"r{block}{number}", own, 3.0, 6.0))
    model = Model.from_rows([f"x{column}" for column in range(24)], rows)
    everything = PoolSearch(model, tally=True)
    assert not list(everything)
    for limit in (1, 2, 5, 20, 60):
        search = PoolSearch(model, tally=True, node_limit=limit)
        assert not list(search)
        assert search.counted <= everything.counted
        assert search.complete == (search.stopped == "")
        assert not search.complete or search.counted == everything.counted


def test_an_infeasible_part_decides() -> None:
    rows = [("one", {0: 1.0, 1: 1.0}, 1.0, 1.0), ("none", {2: 2.0, 3: 2.0}, 1.0, 1.0)]
    search = PoolSearch(Model.from_rows(["a", "b", "c", "d"], rows), tally=True)
    assert not list(search)
    assert (search.counted, search.complete, search.best) == (0, True, None)


@pytest.mark.parametrize("goal", [Goal(), Goal(within=3)], ids=str)
def test_leaves_of_rounded_rows_are_judged_by_the_rows_as_they_were_read(goal: Goal) -> None:
    """In 64 bits, the row says no more than x <= y."""
    terms = {0: 2.0**70, 1: -(2.0**70), 2: 1.0}
    model = Model.from_rows(list("xyz"), [("row", terms, -math.inf, 0.0)], [1.0, -1.0, 1.0])
    search = PoolSearch(model, goal, tally=True, limited=True)
    assert not list(search)
    assert (search.complete, search.counted) == (True, 4)


@pytest.mark.parametrize("seed", seeds(6, range(200)))
def test_usage_is_that_of_the_listed_solutions(seed: int) -> None:
    """Counted from boxes of the tree, with continuous columns and without."""
    model = model_of(seed)
    last = len(model.columns) - 1
    if seed % 2 and last:
        flags = array("b", [1] * last + [0])
        model = model.changed(integer=flags)
    integer = [
        name for name, one in zip(model.columns, model.values("integer"), strict=True) if one
    ]
    goals: list[dict[str, Any]] = [
        {},
        {"optimal": True},
        {"gap": "50%"},
        {"within": 7},
        {"best": 3},
    ]
    for goal in goals:
        listed = calmip.enumerate(model, **goal)
        counted = calmip.enumerate(model, usage=True, **goal)
        assert counted.count == listed.count
        if goal != {"best": 3} or not listed.tied:
            assert counted.usage == {name: listed.usage[name] for name in integer}
    some = calmip.enumerate(model, distinct=integer[:1], usage=True)
    values = [one[integer[0]] for one in calmip.enumerate(model, distinct=integer[:1]).values]
    assert some.usage == {integer[0]: sum(map(bool, values))}


def test_free_columns_are_counted_in_their_boxes() -> None:
    """Half of 2^40 solutions use each of 40 free columns; a range from -1 to 3 is 0 in a fifth."""
    free = [f"x{n}" for n in range(40)]
    model = Model.from_rows([*free, "y"], [("r", {40: 1.0}, -1.0, 3.0)])
    model = model.changed(
        column_lower=array("d", [0.0] * 40 + [-9.0]), column_upper=array("d", [1.0] * 40 + [9.0])
    )
    pool = calmip.enumerate(model, usage=True)
    assert pool.count == 5 * 2**40
    assert pool.usage == {**dict.fromkeys(free, 5 * 2**39), "y": 4 * 2**40}
    assert calmip.enumerate(model, count=True).count == pool.count
    with pytest.raises(InputError, match="give usage=True instead"):
        calmip.enumerate(model, count=True).usage  # noqa: B018 - a property that raises
    with pytest.raises(InputError, match="one worker"):
        calmip.enumerate(model, usage=True, workers=2)


def test_the_command_shows_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.lp"
    path.write_text("max x + y\nst\n c: x + y + z <= 2\n d: z = 0\nbinary\n x y z w v\nend\n")
    assert main(["enumerate", str(path), "--optimal", "--usage"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["variable", "used", "in", "share"]
    assert [line.split() for line in out[1:3]] == [["w", "2", "50.0%"], ["v", "2", "50.0%"]]
    assert out[3:5] == ["always used: x y", "never used: z"]
    assert out[5].startswith("4 solutions (optimum 2, proved), proved complete")
    assert main(["enumerate", str(path), "--usage", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["usage"] == {"x": 8, "y": 8, "z": 0, "w": 8, "v": 8}
    assert main(["enumerate", str(path), "--usage", "--node-limit", "1"]) == 3
    assert "so far" in capsys.readouterr().out
