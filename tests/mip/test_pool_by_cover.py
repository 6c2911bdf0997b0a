"""Pools of exact covers with costs, whose rest is searched as a cover where the tree is slow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from cover_models import Ended, model_of, packing

import calmip
from calmip._base.errors import SolverFailed
from calmip.mip import kernel
from calmip.mip.exact_cover.recognition import cover_of
from calmip.mip.exact_cover.search import CoverSearch
from calmip.mip.model import Model
from calmip.mip.pool import Goal, PoolSearch, by_cover, tree_search

Best = list[tuple[Fraction, tuple[int, ...]]]

GOALS = [
    Goal(best=1),
    Goal(best=3),
    Goal(best=1000),
    Goal(optimal=True),
    Goal(gap=Fraction(1, 5)),
    Goal(within=Fraction(3, 2)),
]


@pytest.fixture(autouse=True, params=["at once", "within the tree"])
def trial(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try each tree as a cover before its first node, or then, for as long as it takes."""
    monkeypatch.setattr(tree_search, "PATIENCE", 0.0)
    monkeypatch.setattr(tree_search, "TRIAL", 1e6)
    monkeypatch.setattr(tree_search, "AFRESH", -1e6)
    if request.param == "within the tree":  # born at 0, it is asked at 1 and 2
        monkeypatch.setattr(tree_search, "process_time", count(0).__next__)
        monkeypatch.setattr(tree_search, "PATIENCE", 1.5)


def priced(seed: int) -> Model:
    """Return a cover by pieces with costs, some of which are fractions or are equal."""
    rng = random.Random(seed)
    plain = packing(rng)
    costs = [Fraction(rng.randint(-9, 9), rng.choice((1, 1, 2, 3))) for _ in plain.columns]
    model = plain.with_costs(dict(enumerate(costs)))
    return model.changed(maximise=True) if seed % 3 == 2 else model


def all_of(model: Model) -> Best:
    """Return all solutions with their objectives, from the best on."""
    found = sorted(
        (sum((Fraction(model.costs.get(c, 0)) for c in chosen), Fraction()), tuple(chosen))
        for chosen in CoverSearch(cover_of(model))
    )
    return [(-cost if model.maximise else cost, chosen) for cost, chosen in found]


def wanted(every: Best, goal: Goal) -> Best:
    """Return what belongs to a pool."""
    if goal.best is not None or not every:
        return every[: goal.best]
    best = every[0][0]
    extra = goal.within or (goal.gap or 0) * abs(best)
    return [one for one in every if abs(one[0] - best) <= extra]


def pool_of(search: PoolSearch) -> Best:
    return [(one.objective, tuple(one.point)) for one in search]


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("kernel_is_off", [False, True])
def test_a_cover_has_the_pool_of_the_tree(
    goal: Goal, kernel_is_off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel_is_off:
        monkeypatch.setattr(kernel, "library", lambda: None)
    ended = sizes = 0
    for seed in range(10 if kernel_is_off else 60):
        model = priced(seed)
        every = all_of(model)
        search = PoolSearch(model, goal)
        found, alone = pool_of(search), pool_of(PoolSearch(model, goal, covers=False))
        assert (search.complete, search.stopped) == (True, ""), seed
        expected = wanted(every, goal)
        assert [value for value, _ in found] == [value for value, _ in expected], seed
        assert set(found) <= set(every)
        assert len(set(found)) == len(found)
        assert [value for value, _ in alone] == [value for value, _ in found]
        if goal.best is None:
            assert sorted(found) == sorted(expected) == sorted(alone), seed
        if goal.best is not None and len(every) > goal.best:
            assert search.tied == (every[goal.best][0] == every[goal.best - 1][0]), seed
        ended += search.statistics.covers
        sizes += len(found) > 1
    assert ended > 5
    assert sizes > 1 or goal.best == 1 or kernel_is_off


def test_what_no_cover_ends_the_tree_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial's time runs out after some solutions, or at once: it claims nothing."""
    for readings in range(6):
        monkeypatch.setattr(tree_search, "CpuDeadline", lambda *_, r=readings: Ended(r))
        monkeypatch.setattr(tree_search, "CoverSearch", _Slow)
        for seed in range(12):
            model = priced(seed)
            search = PoolSearch(model, Goal(optimal=True))
            assert pool_of(search) == wanted(all_of(model), Goal(optimal=True)), seed
            assert (search.complete, search.statistics.covers) == (True, 0)


class _Slow(CoverSearch):
    """A search that finds one solution at most, and never ends."""

    def __iter__(self) -> Iterator[list[int]]:
        for found, _ in zip(super().__iter__(), range(1), strict=False):
            yield found
        self.complete = False
        while not self._clock.over:
            pass


def test_a_search_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each solution is checked by the model once more before it is in the pool."""
    monkeypatch.setattr(CoverSearch, "__iter__", lambda _: iter([[0]]))
    with pytest.raises(SolverFailed, match="violates the model"):
        list(PoolSearch(priced(1), Goal(best=1)))


def test_the_time_limit_ends_a_trial_and_the_tree() -> None:
    for readings in (0, 1):
        search = PoolSearch(priced(4), Goal(best=1), clock=Ended(readings))
        assert len(list(search)) <= 1
        assert (search.complete, search.stopped) == (False, "time")


def test_a_memory_limit_ends_a_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "SOLUTIONS_PER_MEMORY_CHECK", 1)
    search = PoolSearch(priced(4), Goal(best=1000), memory=1)
    list(search)
    assert (search.complete, search.stopped) == (False, "memory")


def test_a_journal_goes_on_with_what_a_cover_has_found() -> None:
    for seed in range(20):
        model, entries = priced(seed), list[Any]()
        search = PoolSearch(model, Goal(gap=Fraction(1, 5)))
        search.record = entries.append
        found = pool_of(search)
        for end in range(len(entries)):
            again = PoolSearch(model, Goal(gap=Fraction(1, 5)))
            for entry in entries[: end + 1]:
                again.recall(entry)
            assert (pool_of(again), again.complete) == (found, True), (seed, end)


def test_some_pools_stay_with_the_tree() -> None:
    """Those of all solutions, of models that are no covers, and of some columns."""
    model = priced(1)
    knapsack = model_of(3, [({0: 2, 1: 3, 2: 4}, 1, 5), ({0: 3, 1: 1, 2: -2}, -1, 3)])
    for search in (
        PoolSearch(model),
        PoolSearch(knapsack.with_costs({0: -1, 1: -1}), Goal(optimal=True)),
        PoolSearch(model, Goal(best=2), distinct=[0, 1]),
        PoolSearch(model, Goal(most=100)),
        PoolSearch(model, Goal(best=2), covers=False),
    ):
        assert list(search)
        assert search.statistics.covers == 0


def test_the_result_says_by_which_methods_it_was_found() -> None:
    model = priced(1)
    pool = calmip.enumerate(model, best=2)
    assert pool.complete
    assert pool.method == pool.describe_search()["method"] == "one-tree and exact-cover"
    assert "(one-tree and exact-cover, " in str(pool)
    alone = calmip.enumerate(model, best=2, method="one-tree")
    assert (alone.method, alone.objectives) == ("one-tree", pool.objectives)


def test_a_failed_trial_is_repeated_ever_later(monkeypatch: pytest.MonkeyPatch) -> None:
    trials = list[int]()

    def cover_within(*_: Any) -> None:
        trials.append(len(trials))

    monkeypatch.setattr(tree_search, "PATIENCE", by_cover.PATIENCE)
    monkeypatch.setattr(tree_search, "process_time", count(0, 0.01).__next__)
    monkeypatch.setattr(tree_search, "cover_within", cover_within)
    tree = PoolSearch(priced(1), Goal(best=1)).tree({}, None)
    for _ in range(1000):
        tree.ends_as_cover()
    assert trials == [0]  # what is no cover is not asked again
    monkeypatch.setattr(tree_search, "cover_within", by_cover.cover_within)
    monkeypatch.setattr(tree_search, "CpuDeadline", lambda *_: Ended(0))
    tree = PoolSearch(priced(1), Goal(best=1)).tree({}, None)
    patience = []
    for _ in range(10_000):
        tree.ends_as_cover()
        patience.append(tree.experience.patience)
    assert patience[:30] == [by_cover.PATIENCE] * 30
    assert 2 <= len(set(patience)) <= 5
    assert patience == sorted(patience)
