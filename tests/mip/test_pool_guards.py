"""Wrong verdicts, planted where a pool or a subsystem comes to be called proved or complete."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from test_pool import small

from calmip import Model
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.mip.iis import subsystem
from calmip.mip.iis.subsystem import Subsystem, Subsystems
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.pool import Goal, PoolSearch, safe_bounds
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import tree_search as module
from calmip.mip.pool.relaxation import NodeRelaxation
from calmip.mip.pool.shared_search import shared
from calmip.mip.rows import Row
from calmip.mip.status import Status

INF = math.inf


def blocks(number: int) -> Model:
    """Return a model of independent parts, each with four optima of cost 1 that take branching."""
    rows, costs = [], []
    for block in range(number):
        own = range(5 * block, 5 * block + 5)
        weights = dict(zip(own, (3.0, 5.0, 7.0, 11.0, 13.0), strict=True))
        rows.append((f"a{block}", weights, 9.0, 27.0))
        rows.append((f"b{block}", dict.fromkeys(own, 1.0), 2.0, INF))
        costs += [1.0, 1.0, 1.0, 2.0, 2.0]
    return Model.from_rows([f"x{n}" for n in range(5 * number)], rows, costs)


# A count by independent parts.


def test_parts_share_one_node_limit() -> None:
    whole = PoolSearch(blocks(3), limited=True, tally=True)
    assert len(whole._components()) == 3
    list(whole)
    nodes, count = whole.statistics.nodes, whole.counted
    assert whole.complete
    for limit in range(1, nodes, max(1, nodes // 12)):
        search = PoolSearch(blocks(3), limited=True, tally=True, node_limit=limit)
        list(search)
        assert (search.complete, search.stopped) == (False, "nodes"), limit
        assert search.statistics.nodes <= limit + 3
    search = PoolSearch(blocks(3), limited=True, tally=True, node_limit=nodes + 3)
    list(search)
    assert (search.complete, search.counted) == (True, count)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("empty", [False, True])
def test_a_part_that_is_not_complete_makes_no_count_complete(
    place: int, empty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One part stops, perhaps with nothing found: neither a product nor a 0 is proved."""
    pool, calls = PoolSearch.points, []

    def stopping(search: Any) -> Iterator[Any]:
        yield from pool(search)
        if len(search._program.order) == 5:
            calls.append(search)
            if len(calls) == place + 1:
                search.complete, search.stopped, search.proved = False, "time", False
                search.counted = 0 if empty else search.counted

    monkeypatch.setattr(PoolSearch, "points", stopping)
    search = PoolSearch(blocks(3), Goal(optimal=True), limited=True, tally=True)
    list(search)
    assert len(calls) == 3
    assert (search.complete, search.proved, search.stopped) == (False, False, "time")


def test_a_part_without_solutions_makes_none_of_the_whole() -> None:
    model = blocks(3).with_row("none", [10, 11, 12, 13, 14], 6, INF)
    search = PoolSearch(model, limited=True, tally=True)
    list(search)
    assert (search.complete, search.counted) == (True, 0)


# Entries of a journal.


@pytest.mark.parametrize("column", [-1, 4, 5, 10**6])
def test_a_solution_of_other_columns_is_refused(column: int) -> None:
    for own in ([], [[0, "1"]]):
        with pytest.raises(ValueError, match="not a solution of the model"):
            PoolSearch(small()).recall({"solution": [*own, [column, "0"]]})
    search = PoolSearch(small())
    search.recall({"solution": [[0, "1"], [1, "1"], [2, "1"]]})
    assert next(iter(search)).point == {0: 1, 1: 1, 2: 1}


def test_a_point_outside_the_rows_is_no_solution_of_a_journal() -> None:
    model = small()
    for column in range(4):
        for value in ("2", "-1", "1/2"):
            with pytest.raises(ValueError, match="not a solution of the model"):
                PoolSearch(model).recall({"solution": [[column, value]]})


# Several processes.


@pytest.mark.parametrize("goal", [Goal(), Goal(optimal=True), Goal(best=2)], ids=str)
def test_parts_that_no_worker_has_searched_are_open(
    goal: Goal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that answer nothing, or give every part back, complete nothing."""
    monkeypatch.setattr("calmip.mip.pool.shared_search.SECONDS_ALONE", 0.0)
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    monkeypatch.setattr(module, "MIN_STEPS", 1)
    for answers in ("none", "all open"):
        search = PoolSearch(blocks(1), goal)
        search.workers = 2

        def share(jobs: Any, answers: str = answers) -> Iterator[Any]:
            number, (work, run, parts, _) = next(jobs)
            if answers != "none":
                yield number, work(run, [], 0.0)._replace(open=parts)

        search.share = share
        list(search)
        assert not search.complete, answers


def test_a_run_is_finished_if_no_part_is_left() -> None:
    search = PoolSearch(small())
    search.workers = 2
    run = search.tree({}, None)

    def share(jobs: Any) -> Iterator[Any]:
        for number, (work, own, parts, _) in jobs:
            yield number, work(own, parts, INF)

    list(shared(run, share, 2))
    assert run.finished
    assert run.parts == []


# The cutoff.


@pytest.mark.parametrize(
    ("limit", "strict", "within", "wanted"),
    [
        (None, False, None, (None, False)),
        (5, False, None, (5, False)),
        (5, True, None, (4, False)),  # whole costs
        (5, False, 5, (4, False)),  # a completion improves on the one that is known
        (5, False, 6, (5, False)),
        (5, False, 3, (2, False)),
        (None, False, 5, (4, False)),
        (Fraction(11, 2), True, None, (5, False)),
    ],
)
def test_the_limit_of_a_node(limit: Any, strict: bool, within: Any, wanted: Any) -> None:
    now = PoolSearch(small()).tree({}, None).incumbent
    now.cutoff = None if limit is None else Fraction(limit)
    now.excludes_cutoff, now.within = strict, within
    assert now.limit == wanted
    for value in range(8):
        least = wanted[0]
        assert now.beyond(value) is (least is not None and value > least)


def test_costs_that_are_rounded_never_exclude_a_value() -> None:
    run = PoolSearch(small()).tree({}, None)
    for step in (2, 4, 16):
        for rest in (Fraction(0), Fraction(-3), Fraction(5)):
            run.costs = run.costs._replace(step=step, rest=rest)
            for cutoff in range(-20, 20):
                run.incumbent.cutoff = Fraction(cutoff)
                least, strict = run.small_limit
                assert least is not None
                assert not strict
                # Every small sum whose bound is within the cutoff stays.
                assert all(
                    small_sum <= least
                    for small_sum in range(-40, 40)
                    if rest + step * small_sum <= cutoff
                )


def test_the_limit_of_a_pattern_narrows_no_bounds_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What improves on a completion of some columns is no cutoff of the others."""
    run = PoolSearch(small(), Goal(optimal=True), distinct=[0]).tree({}, None)
    assert run.prepare()
    assert run.start(ask=False)
    run.costs, run.rounded = run.costs._replace(step=4), None
    run.incumbent.cutoff = Fraction(-1)
    calls: list[bool] = []
    monkeypatch.setattr(run, "narrow", lambda: calls.append(True) or True)
    run.tree.numbers[plain.PATTERN] = 0
    assert not run.refine()
    assert calls == []
    run.tree.numbers[plain.PATTERN] = -1
    assert run.refine()
    assert calls == [True]
    assert not run.refine()  # by the same cutoff


def test_bounds_from_a_linear_program_that_has_no_answer_prove_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [("a", {0: 1.0, 1: -1.0}, 1.0, INF), ("b", {0: -1.0, 1: 2.0}, -INF, 6.0)]
    import numpy as np

    model = Model.from_rows(
        ["x", "y"],
        rows,
        [1.0, -1.0],
        integer=np.array([1, 1]),
        column_lower=np.array([0.0, 0.0]),
        column_upper=np.array([INF, INF]),
    )
    search = PoolSearch(model, Goal(optimal=True))
    assert len(list(search)) == 8
    assert search.complete
    answer = LinearAnswer(Status.UNKNOWN, reason="late")
    monkeypatch.setattr(ExactLp, "solve", lambda *_, **__: answer)
    search = PoolSearch(model, Goal(optimal=True))
    assert all(model.violated(one.point) is None for one in search)  # the incumbent at most
    assert (search.complete, search.proved, search.stopped) == (False, False, "time")


def test_a_leaf_without_a_completion_in_time_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    model = Model.from_rows(
        ["x", "y"],
        [("r", {0: 1.0, 1: 1.0}, 1.0, 2.0)],
        [1.0, 1.0],
        integer=np.array([1, 0]),
        column_upper=np.array([1.0, 2.0]),
    )
    for goal in (Goal(), Goal(optimal=True), Goal(best=1), Goal(best=3)):
        assert PoolSearch(model, goal).best is None
        search = PoolSearch(model, goal)
        monkeypatch.setattr(
            ExactLp, "solve", lambda *_, **__: LinearAnswer(Status.UNKNOWN, reason="late")
        )
        assert list(search) == []
        assert (search.complete, search.proved) == (False, False)
        assert search.stopped == "undecided"
        monkeypatch.undo()


# Infeasible subsystems.


def conflicting() -> Model:
    """Return x + y >= 3, x + y <= 2, x - y >= 0 over 0 <= x, y <= 9."""
    import numpy as np

    terms = {0: 1.0, 1: 1.0}
    return Model.from_rows(
        ["x", "y"],
        [("a", terms, 3.0, INF), ("b", terms, -INF, 2.0), ("c", {0: 1.0, 1: -1.0}, 0.0, INF)],
        integer=np.array([1, 1]),
        column_upper=np.array([9.0, 9.0]),
    )


def test_a_support_that_a_known_point_satisfies_is_refuted() -> None:
    search = Subsystems(conflicting())
    run = subsystem._Filter(search, search._left | search._given)
    search.note({1: 9})  # violates b and c
    search.note({0: 2})  # satisfies both
    run._support = 0b110 | search._given  # a solver says that these conflict
    with pytest.raises(subsystem._Refuted):
        run.shrink(run.active, search._left)
    run.restart(search._left | search._given)
    run._support = 0b011 | search._given
    run.shrink(run.active, search._left)
    assert run.active & search._left == 0b011
    assert run._known == 0b011  # each point violates one of them


def test_a_rotated_point_is_taken_as_what_it_is() -> None:
    search = Subsystems(conflicting())
    run = subsystem._Filter(search, 0b110 | search._given)
    with pytest.raises(subsystem._Refuted):  # no active member is violated
        run._take(0, {0: 2}, 0b111)
    search = Subsystems(conflicting())
    run = subsystem._Filter(search, 0b111 | search._given)
    assert run._take(0b011, {0: 2, 1: 9}, 0b111) == []  # two are
    assert run._take(0b100, {0: 1, 1: 2}, 0b011) == []  # not wanted
    (one,) = run._take(0b001, {1: 0, 0: 2}, 0b111)
    assert one.mask & run.active == 0b001
    assert run._known == 0b001
    assert run._take(0b001, {0: 1, 1: 1}, 0b111) == []  # it has a witness already


def test_a_point_that_violates_a_row_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Subsystems(conflicting())
    run = subsystem._Filter(search, search._left | search._given)
    answer = subsystem.TreeTest.test

    def lie(self: Any, active: int, *, trust: bool) -> Any:
        return answer(self, active, trust=trust)._replace(feasible=True, point={0: 9, 1: 9})

    monkeypatch.setattr(subsystem.TreeTest, "test", lie)
    with pytest.raises(SolverFailed, match="a search found a point that violates a row"):
        run.test(run.active)


def test_what_only_the_solver_says_is_not_proved() -> None:
    members = Subsystems(conflicting()).members
    both = tuple(members.member(bit) for bit in (0, 1))
    points = {both[0]: {0: 2}, both[1]: {0: 3}}
    for proof in ("", subsystem.ALL_BOUNDS, subsystem.SEARCH, subsystem.FARKAS):
        one = Subsystem(both, points, proof, least=2)
        assert one.proved is (proof in (subsystem.SEARCH, subsystem.FARKAS))
        assert one.smallest is bool(proof)
        assert one.irreducible
    assert not Subsystem(both, {both[0]: {0: 2}}, subsystem.FARKAS).irreducible
    assert not Subsystem(both, points, subsystem.FARKAS, least=1).smallest


def test_the_fewest_rows_are_not_proved_by_a_search_that_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert subsystem._hitting_set([0b011, 0b101, 0b110], Deadline(60)) in (0b011, 0b101, 0b110)
    assert subsystem._hitting_set([0b001, 0b110, 0b111], Deadline(60)) in (0b011, 0b101)
    pool = PoolSearch.points

    def stopping(search: Any) -> Iterator[Any]:
        yield from pool(search)
        search.complete = False

    monkeypatch.setattr(PoolSearch, "points", stopping)
    assert subsystem._hitting_set([0b011, 0b101, 0b110], Deadline(60)) is None


# Solutions are verified while there is time.


@pytest.mark.parametrize("goal", [Goal(optimal=True), Goal(within=Fraction(1))])
def test_all_solutions_are_verified_before_the_time_limit(
    goal: Goal, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, limit = [0.0], 2000.0
    verified: list[float] = []
    violated = Model.violated

    def look() -> float:
        now[0] += 1
        return now[0]

    def slowly(model: Model, point: Any) -> int | None:
        now[0] += 1
        verified.append(now[0])
        return violated(model, point)

    monkeypatch.setattr("calmip._base.limits.perf_counter", look)
    monkeypatch.setattr(Model, "violated", slowly)
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    rows = [("half", dict.fromkeys(range(30), 1.0), 15.0, INF)]
    model = Model.from_rows([f"x{n}" for n in range(30)], rows, [2.0] + 29 * [0.0])
    search = PoolSearch(model, goal, clock=Deadline(limit))
    found = len(list(search))
    assert (search.stopped, search.complete) == ("time", False)
    assert 50 < found <= len(verified)
    assert max(verified) <= 1.2 * limit  # the end of a stretch between two readings


def test_a_solution_that_violates_a_row_ends_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    model = blocks(1)
    monkeypatch.setattr(Model, "violated", lambda *_: 0)
    for goal in (Goal(), Goal(optimal=True)):
        with pytest.raises(SolverFailed, match="a point that violates the model; report this"):
            list(PoolSearch(model, goal))


# Searches within other bounds.


@pytest.mark.parametrize("tally", [False, True])
def test_a_search_within_other_bounds_has_their_solutions_alone(tally: bool) -> None:
    rows = [("some", dict.fromkeys(range(3), 1.0), 1.0, INF)]
    model = Model.from_rows(["x", "y", "z"], rows, [1.0, 1.0, 2.0])
    search = PoolSearch(model, Goal(within=Fraction(2)), tally=tally)
    written: list[Any] = []
    search.record = written.append
    search.recall({"solution": [[0, "1"]]})
    list(search)
    count, program = len(written), search.settings.program
    assert search.cost_limit == 3
    for place, value, most in product(range(3), range(2), (1, 2, 3, None)):
        low, high = list(program.low), list(program.high)
        low[place] = high[place] = value
        part = search.within(low, high, most)
        found = {tuple(one.point.get(c, 0) for c in range(3)) for one in part}
        column = program.order[place]
        wanted = {
            point
            for point in product(range(2), repeat=3)
            if any(point)
            and point[column] == value
            and (most is None or point[0] + point[1] + 2 * point[2] <= most)
        }
        assert (found, part.complete) == (wanted, True)
    assert len(written) == count


def test_the_limit_of_the_costs_needs_an_optimum() -> None:
    model = Model.from_rows(["x"], [], [1.0])
    assert PoolSearch(model, Goal(most=5)).cost_limit == 5
    with pytest.raises(SolverFailed, match="the optimum is not proved"):
        _ = PoolSearch(model, Goal(optimal=True)).cost_limit


# The rows of the tree.


def test_a_row_of_ones_is_one_of_binary_columns_alone() -> None:
    """A wide column elsewhere, so that each row is asked about its own columns."""
    ends = [(0, 1), (0, 0), (1, 1), (0, 2), (-1, 1), (-1, 2)]
    pairs = list(product(range(len(ends)), repeat=2))
    rows = [Row(dict.fromkeys(pair, 1), 0, 1) for pair in pairs]
    low, high = zip(*ends, strict=True)
    tree = plain.new_tree([Row({}, -INF, INF), *rows], low, high, distinct=6, cubes=True)
    assert list(map(bool, tree.unit)) == [True, *(max(pair) < 3 for pair in pairs)]
    rows = [Row({0: 1, 1: a}, 0, 1) for a in (-1, 1, 2)]
    tree = plain.new_tree([Row({}, -INF, INF), *rows], (0, 0), (1, 1), distinct=2, cubes=True)
    assert list(map(bool, tree.unit)) == [True, False, True, False]


# What multipliers say of bounds, and what HiGHS is told.


def test_reduced_costs_narrow_the_side_that_the_proof_does_not_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wished: list[Any] = []
    monkeypatch.setattr(safe_bounds.plain, "wish", lambda _, wishes: wished.extend(wishes))
    reduced = [-9, -4, -1, 0, 1, 4, 9]
    tree: Any = SimpleNamespace(low=[-2] * 7, high=[5] * 7)
    arrays: Any = SimpleNamespace(numbers={safe_bounds.INTEGERS: 7}, reduced=reduced)
    for reserve in range(40):
        wished.clear()
        safe_bounds._fix(tree, arrays, reserve)
        wanted = []
        for column, d in enumerate(reduced):
            allowed = [x for x in range(-2, 6) if abs(d) * (x + 2 if d > 0 else 5 - x) <= reserve]
            if len(allowed) < 8:
                end = max(allowed) if d > 0 else min(allowed)
                wanted.append((2 * column + (d > 0), end))
        assert wished == wanted


def test_a_relaxation_tells_the_solver_a_new_cutoff_and_each_limit() -> None:
    program = PoolSearch(blocks(1))._program
    relaxation = NodeRelaxation(program, cost=True)
    told: list[Any] = []
    relaxation.unit = 4
    relaxation._highs = SimpleNamespace(set=told.append, limit=told.append)  # type: ignore[assignment]
    for cutoff, seconds in ((8.0, 1.0), (8.0, None), (INF, 2.0)):
        relaxation.prepare(cutoff, seconds)
    assert told == [{"objective_bound": 2.0}, 1.0, None, {"objective_bound": INF}, 2.0]
    assert not relaxation.refused
    relaxation._highs = None
    relaxation.prepare(8.0, 1.0)
    assert relaxation.refused
    assert relaxation.calls() is None
    assert relaxation.solve([0] * 5, [1] * 5, INF, None).status == "unknown"


class Planted(module.TreeSearch):
    """A search whose trees are given: whether each starts, and what becomes of it."""

    pauses = False  # type: ignore[assignment]
    streams = False  # type: ignore[assignment]

    def __init__(self, *trees: str, parts: int = 1) -> None:
        self.trees, self.asked = list(trees), list[bool]()
        self.parts, self.uses_lp, self.incumbents = [()] * parts, False, 0
        self.finished = False
        self.tree: Any = None

    def start(self, *, ask: bool) -> bool:
        self.asked.append(ask)
        return self.trees[0] != "cannot start"

    def events(self) -> Iterator[Any]:
        now = self.trees.pop(0)
        self.closed = now == "ends"
        self.refined, self.emptied = now in ("refined", "emptied"), now == "emptied"
        self.uses_lp = self.uses_lp or now == "asks"
        yield now

    def find_incumbent(self, *_: object) -> None:
        self.incumbents += 1


@pytest.mark.parametrize(
    ("trees", "parts", "asked", "finished"),
    [
        (["ends"], 1, [False], True),
        (["ends", "ends"], 2, [False], True),
        (["stops"], 1, [False], False),
        (["ends", "stops"], 2, [False], False),
        (["cannot start"], 2, [False], True),
        # With finer costs, or with relaxations, the same part is searched from its beginning.
        (["refined", "ends"], 1, [False, False], True),
        (["refined", "refined", "stops"], 1, [False] * 3, False),
        (["refined", "cannot start"], 2, [False, False], True),
        (["emptied"], 3, [False], True),
        (["asks", "ends"], 1, [False, True], True),
        (["asks", "refined", "ends", "ends"], 2, [False, True, True], True),
    ],
)
def test_a_search_is_finished_if_its_parts_are_searched_or_empty(
    trees: list[str],
    parts: int,
    asked: list[bool],
    finished: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "enter", lambda *_: True)
    search = Planted(*trees, parts=parts)
    told = [one for one in trees if one != "cannot start"]
    assert list(search.search_parts()) == told  # type: ignore[comparison-overlap]
    assert (search.asked, search.finished) == (asked, finished)
    assert search.incumbents == ("asks" in trees)
    assert bool(search.parts) is not finished


def test_bounds_that_were_not_narrowed_in_time_are_not_refined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = PoolSearch(small(), Goal(optimal=True)).tree({}, None)
    assert run.prepare()
    assert run.start(ask=False)
    run.costs, run.rounded = run.costs._replace(step=4), None
    run.incumbent.cutoff = Fraction(-1)

    def late() -> bool:
        raise TimeoutError

    monkeypatch.setattr(run, "narrow", late)
    assert not run.refine()
    assert (run.stopped, run.refined, run.emptied) == ("time", False, False)


@pytest.mark.parametrize("rows", [[Row({}, 1, 0)], [Row({}, 0, 0), Row({}, 1, 0)], [Row({}, 0, 0)]])
def test_a_tree_with_a_row_that_no_point_satisfies_does_not_start(
    rows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = PoolSearch(small(), Goal(optimal=True)).tree({}, None)
    assert run.prepare()
    first = run.program.rows_on_integers

    def with_rows(_: object, given: Any) -> list[Any]:
        return [*first(given), *rows]

    monkeypatch.setattr(type(run.program), "rows_on_integers", with_rows)
    assert run.start(ask=False) is all(row.low <= row.high for row in rows)


@pytest.mark.parametrize("found", [False, True])
@pytest.mark.parametrize("solved", [3, 4, 5])
def test_a_better_incumbent_is_told_to_the_tree(
    solved: int, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for once, after so many relaxations."""
    run: Any = object.__new__(module.TreeSearch)
    run.tree = run.nodes = None
    run.seen, run.solved, run.patience = SimpleNamespace(relaxations=solved), 0, 4.0
    calls: list[str] = []

    def improve(effort: object) -> bool:
        assert effort is module.BETTER
        calls.append("improve")
        return found

    run.improve, run.renew = improve, lambda: calls.append("renew")
    assert list(run.answer(plain.PAUSE)) == list(run.answer(plain.PAUSE)) == []
    assert calls == (["improve", *["renew"] * found] if solved > 4 else [])
