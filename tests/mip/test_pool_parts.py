"""Searches for pools that are stopped and continued, or divided, against those in one go."""

import json
import pickle
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from test_pool import GOALS, random_model

from calmip import Model
from calmip._base.limits import Progress
from calmip.mip import pool as searches
from calmip.mip.pool import Goal, PoolSearch, open_nodes, shared_search
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import tree_search as module
from calmip.mip.rows import Row

STATE = {
    "run": 0,
    "optimum": None,
    "counted": 0,
    "undecided": 0,
    "asks": False,
    "found": 0,
    "open": [],
}
"""An entry that a search writes at its end."""

CASES = (*GOALS, Goal(best=1))

Entries = list[Mapping[str, Any]]


class Killed(Exception):
    """Ends a search as a killed process ends."""


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record the state at every node, and divide the search from the start."""
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    monkeypatch.setattr(module, "MAX_BOX", 2)
    monkeypatch.setattr(searches, "ENTRY_SECONDS", 0.0)
    monkeypatch.setattr(searches, "RATE", 0)
    monkeypatch.setattr(shared_search, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(shared_search, "SLICE_SECONDS", 0.0)


def wide_model(seed: int) -> Model:
    """Return a model whose tree has some hundred nodes, and many solutions with one objective."""
    draw = random.Random(seed)
    whole, continuous = draw.randint(6, 8), seed % 3 == 1
    columns = whole + continuous
    rows = []
    for row in range(draw.randint(1, 3)):
        terms = {column: draw.randint(-2, 6) / draw.choice([1, 2]) for column in range(columns)}
        most = sum(terms.values()) / 2 + draw.randint(0, 3)
        low = most - draw.choice([3, 6, float("inf")])
        rows.append((f"r{row}", {c: a for c, a in terms.items() if a}, low, most))
    return Model.from_rows(
        [f"x{column}" for column in range(columns)],
        rows,
        [draw.randint(-4, 4) for _ in range(columns)],
        column_lower=np.array([draw.choice([0, 0, -1]) for _ in range(columns)], dtype=float),
        column_upper=np.array([draw.choice([1, 1, 2]) for _ in range(columns)], dtype=float),
        integer=np.array([column < whole for column in range(columns)]),
        maximise=draw.random() < 0.3,
    )


def search_of(model: Model, goal: Goal, seed: int, *, tally: bool) -> PoolSearch:
    """Return a search; some seeds distinguish solutions by one column, or are limited."""
    integer = [column for column, one in enumerate(model.values("integer")) if one]
    return PoolSearch(
        model,
        goal,
        distinct=integer[:1] if seed % 4 == 3 else [],
        limited=tally or seed % 5 == 0,
        tally=tally,
    )


def found_by(search: PoolSearch) -> tuple[Any, ...]:
    """Return what a search finds and claims, without the order."""
    pool = list(search)
    claims = search.complete, search.proved, search.best, search.cutoff, search.tied
    if search.goal.best:  # which ones of those that equal the last, is open
        return (*claims, [one.objective for one in pool])
    keys = [
        search.settings.key_of([one.point.get(c, 0) for c in search._program.order]) for one in pool
    ]
    assert len(set(keys)) == len(keys), "a solution was found twice"
    return (*claims, search.counted, sorted(keys))


def resumed(make: Callable[[], PoolSearch], draw: random.Random, most: int) -> tuple[Any, int]:
    """Kill a search again and again; return what is found in the end, and how often it died."""
    entries: Entries = []
    for kills in range(most):
        search = make()
        for entry in entries:
            search.recall(entry)
        life = len(entries) + draw.choice([1, 5, 30, 100])

        def record(entry: Mapping[str, Any], life: int = life) -> None:
            if len(entries) >= life:
                raise Killed
            entries.append(json.loads(json.dumps(entry)))

        search.record = record
        with suppress(Killed):
            return found_by(search), kills
    raise AssertionError("the search makes no progress")


def in_processes(draw: random.Random) -> Any:
    """Return what runs jobs as processes do, with copies of everything, in any order."""

    def share(jobs: Iterable[tuple[Any, tuple[Any, ...]]]) -> Iterator[tuple[Any, Any]]:
        left, waiting = iter(jobs), []
        while True:
            waiting += [job for _ in range(2 - len(waiting)) for job in [next(left, None)] if job]
            if not waiting:
                return
            key, (function, *given) = waiting.pop(draw.randrange(len(waiting)))
            yield key, pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(given)))))

    return share


@pytest.mark.long
@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("seed", [3, 4, 5, 8, 11])
@pytest.mark.parametrize("way", ["killed", "divided"])
def test_a_pool_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch, seed: int, way: str) -> None:
    monkeypatch.setattr(
        module, "WORK_BEFORE_RELAXATIONS", 0 if seed % 2 else module.WORK_BEFORE_RELAXATIONS
    )
    draw, model = random.Random(seed), wide_model(seed)
    pieces = 0
    for goal in CASES:
        for tally in (False, True)[: 1 + (goal.best is None)]:

            def make(goal: Goal = goal, tally: bool = tally) -> PoolSearch:
                return search_of(model, goal, seed, tally=tally)

            expected = found_by(make())
            assert expected[0]
            if way == "killed":
                found, kills = resumed(make, draw, 2000)
                pieces += kills
            else:
                search = make()
                search.share, search.workers = in_processes(draw), 2
                found = found_by(search)
                pieces += search.statistics.nodes > 1
            assert found == expected
    assert pieces


def test_a_worker_knows_what_could_count_twice_among_the_best() -> None:
    search = PoolSearch(wide_model(4), Goal(best=2))
    found: dict[tuple[int, ...], Any] = {}
    for value in (5, 3, 9):
        point = (value, *[0] * (search._program.integers - 1))
        found[point] = value, point
    run = search.tree(found, float("inf"))
    assert run.incumbent.values == [3, 5, 9]
    copy = pickle.loads(pickle.dumps(run))
    assert set(copy.incumbent.found) == {key for key, (value, _) in found.items() if value <= 5}
    run.incumbent.values, run.incumbent.cutoff = [3], None  # any of them may be found again
    assert set(pickle.loads(pickle.dumps(run)).incumbent.found) == set(found)


def tree_of(model: Model) -> plain.PoolTree:
    """Return the tree of a pure integer model without its objective."""
    program = PoolSearch(model)._program
    rows = program.rows_on_integers([Row({}, -float("inf"), float("inf")), *program.rows])
    return plain.new_tree(rows, program.low, program.high, distinct=99, cubes=False)  # type: ignore[arg-type]


def leaves(tree: plain.PoolTree, part: open_nodes.Part, stop: int) -> tuple[list[Any], list[Any]]:
    """Return up to so many leaves of a part, and the parts that are open then."""
    found: list[Any] = []
    advance = plain.loops(tree)
    if not open_nodes.enter(tree, part):
        return found, []
    while len(found) < stop:
        event = advance(1)
        if event == plain.DONE:
            return found, []
        if event == plain.LEAF:
            found.append(tuple(map(int, tree.low)))
    return found, open_nodes.open_parts(tree, leaf=False)


@pytest.mark.parametrize("seed", range(12))
def test_open_parts_have_exactly_the_leaves_that_are_left(seed: int) -> None:
    model = random_model(seed)
    tree = tree_of(model)
    every, _ = leaves(tree, (), 10**9)
    assert len(set(every)) == len(every)
    for stop in range(1, min(len(every), 12) + 1):
        found, parts = leaves(tree, (), stop)
        assert open_nodes.closed_share(parts) <= 1
        for part in parts:
            for one in leaves(tree, part, 10**9)[0]:
                found.append(one)
        assert found == every  # each once, and in the same order


@pytest.mark.parametrize(
    "wrong",
    [
        {"solution": [[0, 7]]},
        {"solution": [[99, 1]]},
        {"solution": [[0, "x"]]},
        {"solution": [[0, 1], [1, 1], [2, 1], [3, 1]]},
        STATE | {"run": 99},
        STATE | {"found": 1},
        STATE | {"optimum": "x"},
        STATE | {"open": [[[99, 0]]]},
    ],
)
def test_entries_of_no_search_are_refused(wrong: Mapping[str, Any]) -> None:
    model = Model.from_rows(
        [f"x{n}" for n in range(4)], [("r", dict.fromkeys(range(4), 1.0), 1, 2)]
    )
    with pytest.raises(ValueError, match=r"not a solution|not all|not parts|Invalid literal"):
        PoolSearch(model).recall(wrong)


def test_the_bound_of_the_root_is_below_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "PROGRESS_SECONDS", 0.0)
    told: list[Progress] = []
    for seed in range(20):
        model = random_model(seed, continuous=1)
        search = PoolSearch(model, Goal(optimal=True))

        def tell(one: Progress, search: PoolSearch = search) -> None:
            assert not one.detail.startswith("optimum" if not search.proved else "best objective")
            told.append(one)

        search.progress = tell
        list(search)
        run = search.tree({}, None)
        run.uses_lp = True
        if search.best is None or not run.prepare():
            continue
        list(run.search_parts())
        if run.bound is not None:
            assert run.incumbent.optimum is not None
            assert run.bound <= run.incumbent.optimum
    assert any("of the tree closed" in one.detail for one in told)
    assert any("best objective" in one.detail or "optimum" in one.detail for one in told)
    assert Fraction(1, 2) == open_nodes.closed_share([((0, 1),)])


@pytest.mark.long
def test_an_observed_search_has_the_same_tree() -> None:
    for seed in range(40):
        relaxations = []
        for progress in (None, lambda _: None):
            search = PoolSearch(wide_model(seed), Goal(optimal=True))
            search.progress = progress
            run = search.tree({}, None)
            run.uses_lp = True
            if run.prepare():
                list(run.search_parts())
            relaxations.append(run.seen.relaxations)
        assert relaxations[0] == relaxations[1], seed
