"""Solutions that differ as much as possible: against all choices, by bounds, at limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pool_referee import draw_model

from calmip import InputError
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.mip import Goal, Model, find_diverse, read_model
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.optima import diversity
from calmip.mip.optima.distance import DISTANCES, Diversity, describe_choice
from calmip.mip.optima.diversity import (
    Chosen,
    _Choice,
    _Farther,
    _slopes,
    choose,
    clique,
    find_diverse_of,
    mean_bound,
    most_unequal,
)
from calmip.mip.pool import OPTIMUM, PoolSearch
from calmip.mip.pool.integer_model import program_of

GOALS = (Goal(), Goal(optimal=True), Goal(gap=Fraction(1, 2)))


def apart(model: Model, distance: str, one: Any, other: Any) -> Fraction:
    """Return the distance of two solutions, by its definition."""
    whole = [column for column, integer in enumerate(model.values("integer")) if integer]
    steps = [abs(Fraction(one.get(c, 0)) - other.get(c, 0)) for c in whole]
    return sum(steps, Fraction(0)) if distance == "l1" else Fraction(sum(map(bool, steps)))


def least_distance(model: Model, distance: str, points: Sequence[Any]) -> Fraction:
    return min(apart(model, distance, *pair) for pair in combinations(points, 2))


def drawn(seeds: range, path: Path) -> Any:
    """Yield models with small pools, their goal and their pool."""
    for seed in seeds:
        path.write_text(draw_model(seed)[1].mps())
        try:
            model = read_model(path)
            goal = GOALS[seed % 3] if model.costs else Goal()
            pool = [one.point for one in PoolSearch(model, goal)]
        except InputError:  # an unbounded objective or integer column
            continue
        if 3 <= len(pool) <= 20:
            yield model, goal, pool


def compare(seeds: range, path: Path) -> dict[bool, int]:
    """Compare exact choices and bounds with all choices; return how often the bound was that."""
    seen = {True: 0, False: 0}
    for model, goal, pool in drawn(seeds, path):
        search = PoolSearch(model, goal)
        list(search)
        most = None if goal.plain else search.cost_limit
        bounded = search.bounded(most)
        for distance, number in product(DISTANCES, (2, 3)):
            best = max(least_distance(model, distance, s) for s in combinations(pool, number))
            found = find_diverse(model, number, goal, distance=distance)
            if number == len(pool):
                assert found.diversity.method == "all"
                continue
            told = found.diversity
            assert (told.method, told.pool) == ("exact", len(pool))
            assert told.least == told.bound == best
            assert least_distance(model, distance, found.points) == best
            assert all(point in pool for point in found)
            bound = mean_bound(bounded, number, distance, most)
            assert bound is not None
            assert bound >= best
            seen[bound == best] += 1
    return seen


def compare_greedy(seeds: range, path: Path, patch: pytest.MonkeyPatch) -> dict[bool, int]:
    """Compare choices that know no pool with all choices; return how often they were the best."""
    patch.setattr(diversity, "MAX_POOL", 1)
    seen = {True: 0, False: 0}
    for model, goal, pool in drawn(seeds, path):
        objectives = {model.exact_objective(point) for point in pool}
        for distance, number in product(DISTANCES, (2, 3)):
            best = max(least_distance(model, distance, s) for s in combinations(pool, number))
            found = find_diverse(model, number, goal, distance=distance)
            told = found.diversity
            assert (told.method, len(found), told.pool) == ("greedy", number, None)
            assert told.least == least_distance(model, distance, found.points)
            assert told.least is not None
            assert told.bound is not None
            assert told.least <= best <= min(told.bound, 2 * told.least)
            assert all(model.violated(point) is None for point in found)
            assert set(found.objectives) <= objectives
            seen[told.proved] += 1
    return seen


def test_choices_of_a_few_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.mps"
    assert compare(range(6), path)[True]
    assert min(compare_greedy(range(6), path, monkeypatch).values()) > 0


@pytest.mark.long
def test_the_choice_from_a_pool_is_the_best_of_all_choices(tmp_path: Path) -> None:
    assert min(compare(range(60), tmp_path / "small.mps").values()) > 5


@pytest.mark.long
def test_without_a_pool_each_is_as_far_as_possible_and_the_bound_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert min(compare_greedy(range(60), tmp_path / "small.mps", monkeypatch).values()) > 5


@pytest.mark.long
def test_choices_of_many_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert min(compare(range(60, 600), tmp_path / "small.mps").values()) > 30
    path = tmp_path / "small.mps"
    assert min(compare_greedy(range(60, 600), path, monkeypatch).values()) > 30


def cube(width: int) -> Model:
    """Return the model of all 0/1 points but the first."""
    columns = range(width)
    return Model.from_rows(
        [f"x{n}" for n in columns], [("r", dict.fromkeys(columns, 1.0), 1, width)]
    )


def test_the_choice_is_exact_beyond_a_hundred_solutions() -> None:
    found = find_diverse(cube(7), 8)  # the simplex code, with other zeros
    assert str(found) == (
        "8 solutions of 127; any two differ in at least 4 integer variables, the greatest possible "
        "number, proved"
    )


def test_more_than_there_are_is_all() -> None:
    found = find_diverse(cube(2), 5)
    assert (len(found), found.diversity.method, found.diversity.proved) == (3, "all", True)
    assert str(found) == "3 solutions, all there are; nothing to choose"
    one = find_diverse(cube(2), 1)
    assert (len(one), one.diversity.method, one.diversity.proved) == (1, "exact", True)


def test_more_than_there_are_is_all_without_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diversity, "MAX_POOL", 1)
    found = find_diverse(cube(2), 5)
    assert (len(found), found.diversity.method, found.diversity.pool) == (3, "all", 3)


def test_a_step_without_a_proof_does_not_say_that_there_are_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unproved(PoolSearch):
        proved = property(lambda self: False, lambda self, value: None)

    monkeypatch.setattr(diversity, "MAX_POOL", 1)
    monkeypatch.setattr(diversity, "PoolSearch", Unproved)
    found = find_diverse(cube(2), 5)
    told = found.diversity
    assert (len(found), told.method, told.proved, found.stopped) == (3, "greedy", False, "time")


def test_a_solution_that_is_none_is_refused() -> None:
    with pytest.raises(SolverFailed, match="a solution violates the model"):
        find_diverse_of(cube(2), [{0: 1}, {}], 3, complete=True)


def test_no_solution_is_a_proof() -> None:
    found = find_diverse(cube(2).with_row("no", [0, 1], 3, 4), 2)
    assert (len(found), found.diversity.method, found.diversity.proved) == (0, "all", True)


def test_a_choice_that_is_stopped_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diversity, "CHOICE_SECONDS", 1e-9)
    found = find_diverse(cube(7), 5)
    told = found.diversity
    assert (told.method, told.pool, len(found)) == ("pool", 127, 5)
    assert told.least is not None
    assert told.bound is not None
    assert told.least < told.bound <= 2 * told.least
    assert f"more than {told.bound} is impossible" in str(found)
    assert told.bound <= 4  # 40 of 70: the mean has half of each column


def test_a_choice_at_the_time_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Deadline(60)

    def late(*_: Any) -> Chosen:
        clock.seconds = 1e-9
        return Chosen([0, 1], 1, 2)

    monkeypatch.setattr(diversity, "choose", late)
    monkeypatch.setattr(diversity, "mean_bound", lambda *_: pytest.fail("there is no time for it"))
    found = find_diverse(cube(3), 2, clock=clock)
    told = found.diversity
    assert (told.method, told.bound, told.proved, found.stopped) == ("pool", 2, False, "time")


def test_a_time_limit_makes_no_choice() -> None:
    model = cube(12)
    found = find_diverse(model, 5, clock=Deadline(1e-9))
    assert (found.diversity.method, found.stopped) == ("", "time")
    assert len(found) <= 1
    assert not found.diversity.proved


def test_solutions_are_completed_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, given = Deadline(60), list[float | None]()

    class Noted(PoolSearch):
        def __init__(self, *args: Any, **options: Any) -> None:
            given.append(options["clock"].seconds)
            super().__init__(*args, **options)

    monkeypatch.setattr(diversity, "MAX_POOL", 1)
    monkeypatch.setattr(diversity, "STEP_SECONDS", 99)
    monkeypatch.setattr(diversity, "PoolSearch", Noted)
    assert len(find_diverse(cube(4), 3, distinct=[0, 1], clock=clock)) == 3
    assert len(given) == 5  # the pool, and two searches for each further solution
    assert all(seconds is not None and seconds <= 60 for seconds in given)


def test_a_limit_of_the_steps_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diversity, "MAX_POOL", 1)
    monkeypatch.setattr(diversity, "STEP_SECONDS", 1e-9)
    found = find_diverse(cube(9), 3)
    assert (found.diversity.method, found.stopped, len(found)) == ("greedy", "time", 1)


def test_named_columns_distinguish(tmp_path: Path) -> None:
    path = tmp_path / "part.lp"
    path.write_text(
        "Minimize\n o: a + b + c + 2 f\nSubject To\n r: a + b + c + f >= 1\nBounds\n f <= 3\n"
        "Binary\n a b c\nEnd\n"
    )
    model = read_model(path)
    for most in (diversity.MAX_POOL, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(diversity, "MAX_POOL", most)
            found = find_diverse(model, 2, distinct=[0, 1])
        assert [{c: x for c, x in one.items() if c < 2} for one in found] in (
            [{}, {0: 1, 1: 1}],
            [{0: 1, 1: 1}, {}],
        )
        # The others have their best values.
        assert sorted(found.objectives) == [1, 2]


def test_turan_counts_pairs() -> None:
    for number, values in product(range(1, 8), range(1, 6)):
        every = product(range(values), repeat=number)
        best = max(sum(a != b for a, b in combinations(one, 2)) for one in every)
        assert most_unequal(number, values) == best


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("number", range(2, 6))
@pytest.mark.parametrize("width", range(6))
def test_no_values_are_farther_apart_than_their_mean_allows(
    width: int, number: int, distance: str
) -> None:
    steps = _slopes(width, number, distance)
    assert sum(length for length, _ in steps) == width
    slopes = [slope for _, slope in steps]
    assert slopes == sorted(slopes, reverse=True)
    for values in product(range(width + 1), repeat=number):
        left, bound = Fraction(sum(values), number), Fraction(0)
        for length, slope in steps:
            bound += slope * min(length, left)
            left -= min(length, left)
        pairs = combinations(values, 2)
        assert sum(abs(a - b) if distance == "l1" else a != b for a, b in pairs) <= bound


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_farthest_solution_is_that_of_the_definition(distance: str) -> None:
    """Over columns of widths 0 to 4, from points with any values."""
    for seed in range(12):
        draw = Random(seed)
        ends = [(low, low + draw.randint(0, 4)) for low in (draw.randint(-2, 1) for _ in range(3))]
        model = exact_model(list("xyz"), ends, [True] * 3, [("r", {0: 1, 1: -1}, -3, 3)])
        every = [
            dict(enumerate(values))
            for values in product(*(range(low, high + 1) for low, high in ends))
            if abs(values[0] - values[1]) <= 3
        ]
        if not every:
            continue
        points = draw.sample(every, min(draw.randint(1, 3), len(every)))
        farther = _Farther(PoolSearch(model).bounded(None), distance, None)
        for point in points:
            farther.add({c: x for c, x in point.items() if x})
        search = PoolSearch(farther.model(), OPTIMUM)
        found = farther.own(next(iter(search)).point)
        far = {
            values: min(apart(model, distance, dict(enumerate(values)), one) for one in points)
            for values in (tuple(point.values()) for point in every)
        }
        assert search.best == -max(far.values())
        assert far[tuple(found.get(c, 0) for c in range(3))] == max(far.values())


def test_without_bounds_solutions_or_time_the_mean_bounds_nothing() -> None:
    rows = [("r", {0: 1, 1: 1}, 0, 3)]
    ends = [(0, 3), (0, math.inf)]
    given = exact_model(["x", "y"], ends, [True] * 2, rows)
    assert mean_bound(program_of(given), 2, "l1") is None
    program = PoolSearch(given).bounded(None)
    assert mean_bound(program, 2, "l1") == 6
    assert mean_bound(program, 2, "l1", clock=Deadline(1e-9)) is None
    assert mean_bound(program, 1, "l1") is None
    none = exact_model(["x", "y"], [(0, 1)] * 2, [True] * 2, [("r", {0: 2, 1: 2}, 1, 1)])
    assert mean_bound(program_of(none), 2, "l1") == 1  # by its linear relaxation
    assert mean_bound(program_of(none.with_row("q", [0, 1], 2, 2)), 2, "l1") is None


@pytest.mark.parametrize("points", [[], [{0: 1}]])
@pytest.mark.parametrize("stopped", ["", "nodes"])
@pytest.mark.parametrize("late", [False, True])
def test_why_there_is_no_choice(points: list[Any], stopped: str, late: bool) -> None:
    search = PoolSearch(cube(3))
    search.stopped = stopped
    choice = _Choice(search, 2, "l1", Deadline(1e-9 if late else 60), Deadline(60))
    found = choice.find(points)
    if points and not late:
        assert (len(found), found.diversity.method, found.stopped) == (2, "greedy", "")
    else:
        assert (len(found), found.diversity.method) == (len(points), "")
        assert found.stopped == (stopped or "time")


def test_cliques_are_those_of_brute_force() -> None:
    table = [[(a * b + a + b) % 7 if a != b else 0 for b in range(12)] for a in range(12)]
    for least, number in product(range(1, 7), range(2, 6)):
        fits = [
            some
            for some in combinations(range(12), number)
            if all(table[a][b] >= least for a, b in combinations(some, 2))
        ]
        found = clique(table, least, number)
        assert (found is not None) is bool(fits)
        assert found is None or tuple(sorted(found)) in fits


def test_a_bound_that_is_too_small_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diversity, "MAX_POOL", 1)
    monkeypatch.setattr(diversity, "mean_bound", lambda *_: 1)
    with pytest.raises(SolverFailed, match="a bound of the distance is too small"):
        find_diverse(cube(5), 2)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"number": 0}, "a number of solutions from 1 on, not 0"),
        ({"distance": "far"}, "unknown distance 'far'; use unequal, l1"),
        ({"goal": Goal(best=3)}, "use a gap instead of best"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        find_diverse(cube(2), **{"number": 2, **given})


def test_few_points_need_no_choice() -> None:
    assert choose([], 3).places == []
    assert choose([{0: 1}, {}], 2).least == 1
    assert choose([{0: 1}, {}, {1: 5}], 2, "l1") == ([0, 2], 6, 6)


@pytest.mark.parametrize(
    ("given", "number", "words"),
    [
        (("all",), 1, "1 solution, all there are; nothing to choose"),
        (("exact", 1, 1, 9), 2, "2 solutions of 9; any two differ in at least 1 value, {best}"),
        (("pool", 2, 3, 9), 2, "2 solutions of 9; any two differ in at least 2 values; {more}"),
        (("pool", 3, 3, 9), 2, "2 solutions of 9; any two differ in at least 3 values, {best}"),
        (("greedy", 2), 2, "2 solutions, each as far{any} differ in at least 2 values"),
        (("greedy", 2, 3), 3, "3 solutions, each as far{any} differ in at least 2 values; {more}"),
        (("greedy",), 1, "1 solution, each as far{end}"),
    ],
)
def test_only_what_is_proved_of_a_choice_is_said(
    given: tuple[Any, ...], number: int, words: str
) -> None:
    found = Diversity(number, "unequal", *given)
    end = " as possible from those before"
    wanted = words.format(
        best="the greatest possible number, proved",
        more="more than 3 is impossible",
        any=f"{end}; any two",
        end=end,
    )
    assert describe_choice(found, number, "solution", "values") == wanted
    sums = describe_choice(replace(found, distance="l1"), number, "solution", "values")
    assert ("apart (sum of the differences)" in sums) is ("any two" in wanted)
    assert sums.endswith(", proved") is wanted.endswith(", proved")
    method, least, bound, pool = (*given, None, None, None)[:4]
    assert found.describe() == {
        "wanted": number,
        "distance": "unequal",
        "method": method,
        "least": least,
        "bound": bound,
        "proved": method in ("all", "exact") or (method == "pool" and least == 3),
        "pool": pool,
    }
