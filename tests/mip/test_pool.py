"""Pools of solutions of random models against brute force in fractions, and searches that stop."""

import _thread
import math
import random
import threading
from array import array
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from battery import seeds

import calmip
from calmip import InputError, Model
from calmip._base.limits import Deadline
from calmip.mip import kernel
from calmip.mip.pool import Goal, PoolSearch
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import integer_model as programs
from calmip.mip.pool import tree_search as module
from calmip.mip.pool.integer_model import (
    program_of,
    rounded,
    rounded_costs,
    strengthen,
    tighten,
)
from calmip.mip.pool.relaxation import NodeClaim, NodeRelaxation
from calmip.mip.rows import Row, is_finite

GOALS = (
    Goal(),
    Goal(optimal=True),
    Goal(gap=Fraction(1, 4)),
    Goal(gap=Fraction(2)),
    Goal(within=Fraction(3, 2)),
    Goal(best=3),
)

Key = tuple[Any, ...]


@pytest.fixture(params=["rows", "relaxations", "rounded costs"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search by the rows alone as far as the budget goes, or by relaxations from the root on.

    The third way rounds all costs to a few digits, for the bounds.
    """
    if request.param != "rows":
        monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
        monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    if request.param == "rounded costs":
        monkeypatch.setattr(programs, "MAX_COST_SUM", 4)


def random_model(seed: int, *, continuous: int = 0) -> Model:
    """Return a small model with negative bounds, ranges, equalities and decimal coefficients."""
    draw = random.Random(seed)
    whole, rows = draw.randint(1, 6 - 2 * bool(continuous)), draw.randint(0, 5)
    columns = whole + continuous
    low: list[float] = [draw.choice([0, 0, 0, -1, -3, 2]) for _ in range(whole)]
    high = [bound + draw.choice([0, 1, 1, 1, 2, 4]) for bound in low]
    low += [draw.choice([0, -2.5]) for _ in range(continuous)]
    high += [bound + draw.choice([1, 2.5, 7.3]) for bound in low[whole:]]

    def number() -> float:
        return draw.choice([draw.randint(-5, 5), draw.randint(-50, 50) / 10])

    order = list(range(columns))
    draw.shuffle(order)
    terms = []
    for row in range(rows):
        some = {place: number() for place in range(columns) if draw.random() < 0.7}
        middle = sum(a * draw.randint(-1, 2) for a in some.values())
        middle = round(middle, 1)
        below, above = draw.choice(
            [
                (middle, middle),
                (-math.inf, middle + 1),
                (middle - 1, math.inf),
                (middle - 1, middle + 2),
            ]
        )
        terms.append((f"r{row}", some, below, above))
    return Model.from_rows(
        [f"x{place}" for place in range(columns)],
        terms,
        [number() for _ in range(columns)] if draw.random() < 0.85 else [],
        column_lower=np.array([low[place] for place in order], dtype=float),
        column_upper=np.array([high[place] for place in order], dtype=float),
        integer=np.array([place < whole for place in order]),
        maximise=draw.random() < 0.3,
        offset=draw.choice([0.0, 2.5]),
    )


def every_value(model: Model) -> dict[Key, Fraction]:
    """Return the best objective, to be minimised, of all values of the integer columns."""
    integer = model.values("integer")
    whole = [column for column, one in enumerate(integer) if one]
    rest = [column for column, one in enumerate(integer) if not one]
    rows = [model.exact_row(row) for row in range(len(model.rows))]
    ranges = [range(math.ceil(low), math.floor(high) + 1) for low, high in map(model.bounds, whole)]
    found = {}
    for values in product(*ranges):
        given = dict(zip(whole, values, strict=True))
        limits = []
        for terms, low, high in rows:
            fixed = sum(Fraction(terms.get(column, 0)) * x for column, x in given.items())
            limits.append(([Fraction(terms.get(c, 0)) for c in rest], low, high, fixed))
        for place, column in enumerate(rest):
            unit = [Fraction(int(place == other)) for other in range(len(rest))]
            limits.append((unit, *model.bounds(column), Fraction(0)))
        costs = [Fraction(model.costs.get(column, 0)) for column in rest]
        best = best_vertex(limits, costs)
        if best is not None:
            found[values] = best + sum(
                Fraction(model.costs.get(c, 0)) * x for c, x in given.items()
            )
    return found


def best_vertex(limits: Sequence[Any], costs: Sequence[Fraction]) -> Fraction | None:
    """Return the least cost over a polytope with at most two columns, by all its vertices."""
    sides = [
        (normal, Fraction(side) - fixed)
        for normal, low, high, fixed in limits
        for side in (low, high)
        if math.isfinite(side)
    ]
    values = []
    for some in combinations(sides, len(costs)):
        point = solve([normal for normal, _ in some], [side for _, side in some])
        if point is not None and all(
            low <= fixed + dot(normal, point) <= high for normal, low, high, fixed in limits
        ):
            values.append(dot(costs, point))
    return min(values, default=None)


def dot(left: Iterable[Fraction], right: Iterable[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def solve(rows: Sequence[Sequence[Fraction]], sides: Sequence[Fraction]) -> list[Fraction] | None:
    """Return the point on up to two lines, None if there is not exactly one."""
    if not rows:
        return []
    if len(rows) == 1:
        return [sides[0] / rows[0][0]] if rows[0][0] else None
    (a, b), (c, d) = rows
    determinant = a * d - b * c
    if not determinant:
        return None
    return [
        (sides[0] * d - b * sides[1]) / determinant,
        (a * sides[1] - c * sides[0]) / determinant,
    ]


def compare(model: Model, values: Mapping[Key, Fraction], goal: Goal, kept: Sequence[int]) -> None:
    """Compare the search of a goal with brute force; ``kept`` are the distinct columns."""
    integer = [column for column, one in enumerate(model.values("integer")) if one]
    places = [integer.index(column) for column in kept]
    best: dict[Key, Fraction] = {}
    for point, value in values.items():
        key = tuple(point[place] for place in places)
        best[key] = min(value, best.get(key, value))
    search = PoolSearch(model, goal, distinct=() if len(kept) == len(integer) else kept)
    pool = list(search)
    assert search.complete
    sign = -1 if model.maximise else 1
    constant = Fraction(repr(model.offset))
    found = {
        tuple(one.point.get(column, 0) for column in kept): sign * (one.objective - constant)
        for one in pool
    }
    assert len(found) == len(pool), "a solution is duplicate"
    for one in pool:
        assert model.violated(one.point) is None
        assert model.exact_objective(one.point) == one.objective
    least = min(best.values(), default=Fraction(0))
    if goal.best is not None:
        assert sorted(found.values()) == sorted(best.values())[: goal.best]
        assert found.items() <= best.items()
        last, *rest = sorted(best.values())[goal.best - 1 :] or [None]
        assert search.tied is (rest[:1] == [last])
    else:
        size = abs(sign * least + constant)
        worst = least + (goal.gap or 0) * size + (goal.within or 0)
        assert found == {k: v for k, v in best.items() if goal.plain or v <= worst}
    if not goal.plain:
        order = [sign * one.objective for one in pool]
        assert order == sorted(order)
        if best:
            assert search.best == sign * least + constant


def battery(chosen: Iterable[int], continuous: int) -> None:
    for seed in chosen:
        try:
            compare_all(seed, continuous)
        except AssertionError as error:
            error.add_note(f"seed {seed}")
            raise


def compare_all(seed: int, continuous: int) -> None:
    model = random_model(seed, continuous=continuous)
    integer = [column for column, one in enumerate(model.values("integer")) if one]
    values = every_value(model)
    for goal in GOALS:
        compare(model, values, goal, integer)
    draw = random.Random(seed)
    kept = sorted(draw.sample(integer, draw.randint(1, len(integer))))
    for goal in GOALS:
        compare(model, values, goal, kept)


@pytest.mark.usefixtures("mode")
def test_pools_of_some_models_equal_brute_force() -> None:
    battery([101, 102, 104], 0)
    battery([105], 1)


@pytest.mark.usefixtures("mode")
@pytest.mark.long
@pytest.mark.parametrize("continuous", [0, 1, 2])
def test_pools_of_random_models_equal_brute_force(continuous: int) -> None:
    battery(seeds(15, range(1000)), continuous)


@pytest.mark.usefixtures("mode")
@pytest.mark.slow
@pytest.mark.parametrize("continuous", [0, 1, 2])
def test_pools_of_many_random_models_equal_brute_force(continuous: int) -> None:
    battery(range(1000, 1700), continuous)


@pytest.mark.parametrize("shift", [0, 1e-9, 0.5, 3, -20, math.nan])
def test_solutions_are_counted_by_any_completion_that_is_one(
    shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the relaxation's point is, what is counted is a solution within the cutoff."""
    taken = []
    judge = module.TreeSearch.rounded_completion

    def moved(run: Any, values: Any, relaxed: Sequence[float]) -> Any:
        place = len(taken) % (1 + len(relaxed) - len(values)) + len(values)
        found = judge(run, values, [x + shift * (c == place) for c, x in enumerate(relaxed)])
        taken.append(found)
        return found

    monkeypatch.setattr(module.TreeSearch, "rounded_completion", moved)
    monkeypatch.setattr(PoolSearch, "wants_best_completions", False)
    for seed in range(300, 320):
        model = random_model(seed, continuous=2)
        every = every_value(model)
        first = list(model.values("integer")).index(True)
        sign, constant = (-1 if model.maximise else 1), Fraction(repr(model.offset))
        for goal in GOALS[1:-1]:
            least = min(every.values(), default=Fraction(0))
            best = sign * least + constant
            worst = least + (goal.gap or 0) * abs(best) + (goal.within or 0)
            inside = [key for key, value in every.items() if value <= worst]
            for kept, number in ((), len(inside)), ((first,), len({key[0] for key in inside})):
                search = PoolSearch(model, goal, distinct=kept, tally=True, limited=True)
                assert not list(search)
                assert (search.complete, search.counted) == (True, number)
                assert search.best == (best if every else None)
    assert sum(map(bool, taken)) >= (30 if abs(shift) < 1 else 0)
    assert abs(shift) < 0.1 or None in taken


def test_a_count_wants_best_completions_until_one_is_not_unique() -> None:
    model, goal = small(integer=np.array([True, True, True, False])), Goal(within=Fraction(1))
    listed, counted = PoolSearch(model, goal), PoolSearch(model, goal, tally=True, limited=True)
    assert listed.wants_best_completions
    assert counted.wants_best_completions
    assert not PoolSearch(small(), goal, tally=True, limited=True).wants_best_completions
    for unique in (False, None):
        listed.unique = counted.unique = unique
        assert listed.wants_best_completions
        assert not counted.wants_best_completions


def expired() -> Deadline:
    """Return a clock whose time limit is reached."""
    clock = Deadline(1e-9)
    while not clock.over:
        pass
    return clock


def small(**others: Any) -> Model:
    """Return a knapsack whose best value is 12: a b c."""
    rows = [("weight", {0: 2.0, 1: 3.0, 2: 1.0, 3: 4.0}, -math.inf, 6.0)]
    return Model.from_rows(list("abcd"), rows, [-5.0, -4.0, -3.0, -5.0], **others)


class Liar(NodeRelaxation):
    """A relaxation that calls every node infeasible, with multipliers that prove nothing."""

    def solve(self, *_: Any) -> NodeClaim:
        return NodeClaim("infeasible", None, np.array([1.0]))


class Dear(NodeRelaxation):
    """A relaxation that says that the cutoff is reached, with multipliers that prove nothing."""

    def solve(self, *_: Any) -> NodeClaim:
        return NodeClaim("bound", np.zeros(4), np.array([-1e-3]))


class Silent(NodeRelaxation):
    """A relaxation that has no answer."""

    def solve(self, *_: Any) -> NodeClaim:
        return NodeClaim("time limit reached", None, None)


@pytest.mark.parametrize("relaxation", [Liar, Dear, Silent])
@pytest.mark.parametrize("goal", GOALS)
def test_no_word_of_a_solver_closes_a_node(
    monkeypatch: pytest.MonkeyPatch, relaxation: type[NodeRelaxation], goal: Goal
) -> None:
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    expected = {one.objective for one in PoolSearch(small(), goal)}
    search = PoolSearch(small(), goal, relaxation=relaxation)
    assert {one.objective for one in search} == expected
    assert search.complete
    assert search.statistics.relaxations > 0


def test_a_wrong_incumbent_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    for lie in ([1.0, 1.0, 1.0, 1.0], [0.0] * 4, [0.5] * 4, [2.0, 0.0, 0.0, 0.0], None):
        monkeypatch.setattr(module, "first_point", lambda *_, lie=lie: lie)
        search = PoolSearch(small(), Goal(optimal=True))
        assert [one.point for one in search] == [{0: 1, 1: 1, 2: 1}]
        assert search.complete
        assert search.best == -12


@pytest.mark.parametrize("goal", GOALS)
def test_a_search_that_stops_is_not_complete(goal: Goal) -> None:
    search = PoolSearch(small(), goal, clock=expired())
    list(search)
    assert (search.complete, search.stopped) == (False, "time")
    search = PoolSearch(small(), goal, node_limit=1)
    list(search)
    assert (search.complete, search.stopped) == (False, "nodes")


@pytest.mark.parametrize("goal", GOALS[1:])
def test_an_interrupted_pool_is_a_count(monkeypatch: pytest.MonkeyPatch, goal: Goal) -> None:
    """None is sorted, checked or yielded after Ctrl-C; those that were found are counted."""
    keep, found = module.TreeSearch.keep, dict[tuple[Any, ...], Any]()

    def interrupt(run: module.TreeSearch, value: Any, point: tuple[Any, ...]) -> None:
        keep(run, value, point)
        found[point] = value
        if run.incumbent.fixed:
            raise KeyboardInterrupt

    monkeypatch.setattr(module.TreeSearch, "keep", interrupt)
    monkeypatch.setattr(PoolSearch, "_solution", lambda *_: pytest.fail("it is checked"))
    search = PoolSearch(small(), goal)
    with pytest.raises(KeyboardInterrupt):
        list(search)
    assert (search.complete, search.proved, search.best) == (False, True, -12)
    worst = goal.worst(search._program, min(found.values()))
    inside = [value for value in found.values() if value <= worst or goal.best]
    assert search.counted == len(inside[: goal.best]) > 0


def test_ctrl_c_ends_the_search_for_a_first_point() -> None:
    draw = random.Random(3)
    rows = [[draw.randint(0, 99) for _ in range(50)] for _ in range(7)]
    model = Model.from_rows(  # a market split, which HiGHS does not solve in ten seconds
        [f"x{number}" for number in range(50)],
        [("", dict(enumerate(row)), sum(row) // 2, sum(row) // 2) for row in rows],
        integer=array("b", [1] * 50),
        column_lower=array("d", [0] * 50),
        column_upper=array("d", [1] * 50),
    )
    timer = threading.Timer(0.3, _thread.interrupt_main)
    started = perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        module.first_point(program_of(model), module.INCUMBENT_SECONDS, {})
    timer.join()
    assert perf_counter() - started < module.INCUMBENT_SECONDS / 2


def test_a_memory_limit_stops_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SOLUTIONS_PER_MEMORY_CHECK", 1)
    search = PoolSearch(small(), Goal(within=Fraction(100)), memory=1.0)
    assert list(search)
    assert (search.complete, search.stopped) == (False, "memory")


def test_an_infeasible_model_has_an_empty_pool() -> None:
    model = small().with_row("more", [0, 1, 2, 3], 5, math.inf)
    for goal in GOALS:
        search = PoolSearch(model, goal)
        assert list(search) == []
        assert search.complete
        assert search.best is None


def test_a_tally_counts_boxes_at_once() -> None:
    wide = np.full(40, 9.0)
    model = Model.from_rows(
        [f"x{n}" for n in range(40)],
        [("sum", {0: 1.0, 1: 1.0}, 1.0, math.inf)],
        column_lower=np.zeros(40),
        column_upper=wide,
    )
    search = PoolSearch(model, tally=True)
    assert list(search) == []
    assert search.complete
    assert search.counted == 99 * 10**38


def test_an_unbounded_integer_column_is_named() -> None:
    model = Model.from_rows(
        ["x", "y"],
        [("row", {0: 1.0, 1: -1.0}, 0.0, 0.0)],
        [1.0, 1.0],
        column_lower=np.array([0.0, -np.inf]),
        column_upper=np.array([np.inf, np.inf]),
    )
    with pytest.raises(InputError, match=r"integer column x is unbounded along \+1 x, \+1 y"):
        list(PoolSearch(model))
    # The cutoff bounds both columns.
    search = PoolSearch(model, Goal(within=Fraction(4)))
    assert [one.point for one in search] == [{}, {0: 1, 1: 1}, {0: 2, 1: 2}]
    assert search.complete


def test_an_objective_without_end_is_recognised() -> None:
    model = Model.from_rows(
        ["x"], [], [-1.0], column_lower=np.array([0.0]), column_upper=np.array([np.inf])
    )
    with pytest.raises(InputError, match="improves without end along"):
        list(PoolSearch(model, Goal(optimal=True)))
    mixed = Model.from_rows(
        ["x", "y"],
        [],
        [0.0, -1.0],
        column_lower=np.array([0.0, 0.0]),
        column_upper=np.array([1.0, np.inf]),
        integer=np.array([True, False]),
    )
    with pytest.raises(InputError, match=r"improves without end along \+1 y"):
        list(PoolSearch(mixed, Goal(optimal=True)))


def test_bounds_that_only_a_linear_program_shows_are_found() -> None:
    # x + y = 3 and x - y = 1 over free integers: the sums of rows bound nothing.
    model = Model.from_rows(
        ["x", "y"],
        [("a", {0: 1.0, 1: 1.0}, 3.0, 3.0), ("b", {0: 1.0, 1: -1.0}, 1.0, 1.0)],
        column_lower=np.full(2, -np.inf),
        column_upper=np.full(2, np.inf),
    )
    assert [one.point for one in PoolSearch(model)] == [{0: 2, 1: 1}]
    # A time limit that is reached before says nothing about bounds.
    search = PoolSearch(model, clock=expired())
    assert list(search) == []
    assert (search.complete, search.stopped) == (False, "time")


def test_numbers_beyond_floating_point_are_exact() -> None:
    # 2**60 + 1 is not a double: the row holds for x = y = 1 alone.
    rows = [("row", {0: 1, 1: 1}, 2, 2)]
    model = Model.from_rows(["x", "y"], rows, [0.0, 0.0])
    model = model.with_row("big", [0, 1], 2**60 + 1, 2**60 + 1, [2**60, 1])
    assert [one.point for one in PoolSearch(model)] == [{0: 1, 1: 1}]
    near = model.with_row("near", [0, 1], 2**60 + 2, 2**60 + 2, [2**60, 1])
    assert list(PoolSearch(near)) == []


def test_equal_objectives_beyond_floating_point_are_distinguished() -> None:
    # The costs differ by 1e-30 of their size.
    model = Model.from_rows(["x", "y"], [("one", {0: 1.0, 1: 1.0}, 1.0, 1.0)], [1.0, 1.0])
    close = model.changed(exact={("cost", 1): 1 + Fraction(1, 10**30)})
    search = PoolSearch(close, Goal(optimal=True))
    assert [one.point for one in search] == [{0: 1}]
    assert len(list(PoolSearch(model, Goal(optimal=True)))) == 2


def test_a_gap_above_one_is_taken_from_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    # The cutoff of the incumbent -1 would be 1, that of the optimum -12 is 12.
    monkeypatch.setattr(module, "first_point", lambda *_: [0.0, 0.0, 0.0, 0.0])
    model = small().changed(cost=np.array([-5.0, -4.0, -3.0, 5.0]))
    pool = list(PoolSearch(model, Goal(gap=Fraction(3, 2))))
    assert max(one.objective for one in pool) == 5


def counted_model(seed: int) -> Model:
    """Return a model whose rows count ones among nine columns, or weigh them."""
    draw = random.Random(seed)
    rows: list[Any] = []
    for number in range(4):
        some = draw.sample(range(9), draw.randint(3, 6))
        low = draw.randint(0, 2)
        factor = draw.choice([1, 1, 1, 2, -1])
        ends = sorted((factor * low, factor * (low + draw.choice([0, 0, 1, 3]))))
        rows.append((f"r{number}", dict.fromkeys(some, float(factor)), *map(float, ends)))
    costs = [float(draw.randint(-2, 3)) for _ in range(9)]
    return Model.from_rows([f"x{column}" for column in range(9)], rows, costs)


def trees(seed: int) -> list[plain.PoolTree]:
    """Return the tree of a random model at its root, for the compiled loops and for Python."""
    program = program_of(counted_model(seed) if seed % 3 == 0 else random_model(seed))
    if not tighten(program, []):
        return []
    most = 9 if seed % 3 == 0 else 5
    rows = program.rows_on_integers([Row(dict(program.cost), -math.inf, most), *program.rows])
    tree = plain.new_tree(
        rows,
        list(map(int, program.low)),
        list(map(int, program.high)),
        distinct=max(1, program.integers - seed % 3),
        cubes=seed % 2 == 0,
    )
    tree.numbers[plain.ASK] = (plain.NONE, plain.BRANCHED, plain.ALL, plain.PAYING)[seed // 2 % 4]
    return [tree, plain.PoolTree(*(list(map(int, one)) for one in tree))]


def test_numbers_beyond_the_compiled_ones_are_kept() -> None:
    """A side that binds nothing, and a coefficient of a fixed column, may be of any size."""
    huge = 10**25
    for terms, side, high in (({0: 1, 1: 1}, huge, 1), ({0: 1, 1: huge}, 1, 0)):
        tree = plain.new_tree(
            [({}, -math.inf, math.inf), (terms, -math.inf, side)],
            [0, 0],
            [1, high],
            distinct=2,
            cubes=True,
        )
        assert not plain.is_compiled(tree)
        assert huge in (*tree.row_value, *tree.upper)


def test_a_cutoff_beyond_64_bits_does_not_end_a_compiled_tree() -> None:
    """The rows on integer columns are small; only the cost of the continuous ones is not."""
    most = 1e17
    model = Model.from_rows(
        ["x", "y", "z"],
        [("much", {0: 1.0, 1: 1.0, 2: 1.0}, most, math.inf)],
        [1.0, 2e3, 2e3],
        column_lower=array("d", [0, 0, 0]),
        column_upper=array("d", [1, most, most]),
        integer=array("b", [1, 0, 0]),
    )
    run = PoolSearch(model, Goal(optimal=True)).tree({}, None)
    assert run.prepare()
    now = run.incumbent
    now.found, now.cutoff, now.optimum = {}, None, None  # as without an incumbent at first
    assert run.start(ask=False)
    assert kernel.library() is None or plain.is_compiled(run.tree)
    run.observer = None  # it verifies solutions, and the second point is none
    run.take(2 * 10**20, (0, 10**17, 0))
    assert run.tree.upper[0] == run.tree.numbers[plain.FAR]  # no sum is as large
    run.take(-(10**20), (1, -(10**17), 0))
    assert run.tree.upper[0] == -run.tree.numbers[plain.FAR]


@pytest.mark.skipif(kernel.library() is None, reason="nothing is compiled")
def test_the_compiled_tree_is_that_of_python() -> None:
    events = set()
    for seed in range(150):
        both = trees(seed)
        draw = random.Random(seed)
        while both:
            compiled, other = both
            assert plain.is_compiled(compiled)
            assert not plain.is_compiled(other)
            event = plain.loops(compiled)(7)
            assert plain.loops(other)(7) == event
            events.add(event)
            for name, numbers in other._asdict().items():
                assert getattr(compiled, name).tolist() == numbers, (seed, name)
            column, work, answer = (
                draw.randrange(len(other.low)),
                draw.randint(1, 30),
                draw.random(),
            )
            low, high = other.low[column], other.high[column]
            if seed % 5 == 0 and answer > 0.7:  # the cutoff falls
                for tree in both:
                    tree.upper[0] -= 4
            if event == plain.LEFT:
                for tree in both:
                    tree.numbers[plain.PATTERN] = -1
            elif event == plain.NODE:
                for tree in both:
                    plain.spend(tree, work)
                    if answer < 0.2:
                        plain.prune(tree)
                    elif low < high and answer < 0.7:
                        plain.request(tree, column, low, above=seed % 2 == 0)
                        plain.wish(tree, [(2 * column, low + 1)][: answer < 0.5])
            elif event == plain.DONE:
                break
    assert events == {plain.DONE, plain.LEAF, plain.NODE, plain.LEFT, plain.PAUSE}


@pytest.mark.parametrize("above", [False, True])
def test_a_branch_that_violates_a_row_at_once_is_closed(above: bool) -> None:
    """The other one is entered; as after the first, nothing is left."""
    row = Row({0: 1}, -math.inf, 0) if above else Row({0: 1}, 1, math.inf)
    tree = plain.new_tree(
        [Row({}, -math.inf, math.inf), row], [0, 0], [1, 1], distinct=2, cubes=True
    )
    both = [tree, plain.PoolTree(*(list(map(int, one)) for one in tree))]
    for one in both:
        one.numbers[plain.MODE] = plain.CHOOSE
        plain.request(one, 0, 0, above=above)
        assert plain.loops(one)(99) == plain.LEAF
        assert (one.low[0], one.high[0]) == (not above, not above)
        assert plain.loops(one)(99) == plain.DONE
    assert [one.tolist() for one in both[0]] == list(map(list, both[1]))


@pytest.mark.parametrize("fallen", [0, -1])
def test_a_node_beyond_a_cutoff_that_has_fallen_is_closed(fallen: int) -> None:
    rows: list[Row[int]] = [Row({0: 1}, -math.inf, 1)]
    tree = plain.new_tree(rows, [0], [1], distinct=1, cubes=False)
    for one in (tree, plain.PoolTree(*(list(map(int, one)) for one in tree))):
        one.upper[0] = fallen
        assert plain.loops(one)(99) == (plain.DONE if fallen else plain.LEAF)
        assert plain.loops(one)(99) == plain.DONE


@pytest.mark.parametrize("row", [({0: 1, 1: 1}, 3, math.inf), ({0: 1, 1: 1}, -math.inf, -1)])
def test_a_row_that_nothing_satisfies_closes_the_root(row: Any) -> None:
    rows = [Row({}, -math.inf, math.inf), Row(*row)]
    tree = plain.new_tree(rows, [0, 0], [1, 1], distinct=2, cubes=True)
    for one in (tree, plain.PoolTree(*(list(map(int, one)) for one in tree))):
        assert plain.loops(one)(99) == plain.DONE
        assert one.numbers[plain.LEAVES] == 0


def test_a_tree_says_that_it_must_grow_before_it_has_no_room() -> None:
    for places in (plain.new_tree([Row({}, 0, 0)], [0], [1], distinct=1, cubes=False), None):
        tree = places or plain.new_tree([Row({}, 0, 0)], [0], [1], distinct=1, cubes=False)
        other = plain.PoolTree(*(list(map(int, one)) for one in tree))
        if places is None:
            other.numbers[plain.PLACES] = 1
        event = plain.loops(other)(99)
        assert (event == plain.GROW) is (places is None)
        assert (other.numbers[plain.NODES] == 0) is (places is None)


@pytest.mark.parametrize("fruitless", [0, 1, 4])
def test_a_relaxation_pays_where_it_saves_more_than_it_costs(fruitless: int) -> None:
    """The mean work below a node, times the share that is refuted, one half before the first."""
    free = 5
    size = plain.CLASSES
    for saved, relaxed, refuted, cost in product((0, 10, 40), (0, 3), (0, 2), (1, 8, 9, 30)):
        if refuted > relaxed:
            continue
        numbers = [0] * plain.COUNTS
        numbers[plain.FREE], numbers[plain.NODES], numbers[plain.WORK] = free, 9, 1000
        numbers[plain.RELAXED], numbers[plain.SPENT] = 10, 10 * cost
        tree: Any = SimpleNamespace(
            numbers=numbers,
            fruitless=[fruitless] * size,
            fruitless_work=[fruitless * saved] * size,
            relaxed=[relaxed] * size,
            refuted=[refuted] * size,
        )
        if fruitless:
            assert plain._pays(tree) is (saved * (refuted + 0.5) > cost * (relaxed + 1))
            assert numbers[plain.BLIND] == 0
        else:  # of such nodes nothing is known: a share of the work is for them
            numbers[plain.BLIND] = tried = (1000 - 10 * cost) // (plain.BLIND_SHARE * cost) + 1
            assert not plain._pays(tree)
            numbers[plain.BLIND] = tried - 1
            assert plain._pays(tree)
            assert numbers[plain.BLIND] == tried
            numbers[plain.NODES], numbers[plain.BLIND] = 1, 99
            assert plain._pays(tree)


def test_patterns_are_counted() -> None:
    """The number of 0/1 points with so many ones: exact if that is one number, else at least it."""
    for free, low in product(range(1, 8), range(-1, 8)):
        for high in range(max(low, 0), 9):
            ways = sum(math.comb(free, k) for k in range(max(low, 0), min(high, free) + 1))
            found = plain._patterns(free, low, high)
            if max(low, 0) == min(high, free):
                assert found == ways
            elif low <= free:
                assert ways <= found
                few = min(high, free) == 1 or max(low, 0) == free - 1
                assert found == (free + 1 if few else 2**free)


def test_a_tree_that_starts_anew_forgets_its_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    # The budget ends between the completion of x and the end of its subtree.
    rows = [("one", {0: 1.0, 1: 1.0}, 1.0, 1.0), ("y", {0: 4.0, 1: -2.0}, -math.inf, -2.0)]
    model = Model.from_rows(["x", "y"], rows, offset=2.5)
    for budget in (10**6, 0):
        monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", budget)
        monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", max(1, budget))
        search = PoolSearch(model, Goal(within=Fraction(2)), distinct=[0])
        assert list(search) == [(Fraction(5, 2), {1: 1})]
        assert search.complete


def test_a_tree_grows_without_losing_a_node(monkeypatch: pytest.MonkeyPatch) -> None:
    grown = []

    def grow(tree: plain.PoolTree, old: Any = plain.grow) -> Any:
        grown.append(tree)
        return old(tree)

    def tight(*given: Any, old: Any = plain.new_tree, **more: Any) -> plain.PoolTree:
        tree: plain.PoolTree = old(*given, **more)
        tree.numbers[plain.PLACES] = 1
        return tree

    monkeypatch.setattr(plain, "grow", grow)
    monkeypatch.setattr(plain, "new_tree", tight)
    found = {one.objective for one in PoolSearch(small(), Goal(within=Fraction(9)))}
    assert len(grown) > 3
    assert found == {-12, -10, -9, -8, -7, -5, -4, -3}


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.long)])
def test_stronger_rows_have_the_same_points(count: int) -> None:
    changed = 0
    for seed in range(count):
        draw = random.Random(seed)
        terms = {place: float(draw.choice([-9, -4, -1, 1, 2, 3, 8])) for place in range(5)}
        side = float(draw.randint(-6, 8))
        low, high = (side, math.inf) if seed % 2 else (-math.inf, side)
        flow = seed % 4 > 1  # the last column is continuous, and the greatest sum a fraction
        model = Model.from_rows(
            list("abcde"),
            [("row", terms, low, high)],
            column_lower=np.zeros(5),
            integer=np.array([True] * 4 + [not flow]),
            column_upper=np.array([1.0, 1.0, 1.0, 1.0, 2.6 if flow else 3.0]),
        )
        program = program_of(model)
        before = list(program.rows)
        strengthen(program)
        changed += before != program.rows
        last = [Fraction(k, 5) for k in range(14)] if flow else range(4)
        for point in product(*[range(2)] * 4, last):
            assert holds(before, point) == holds(program.rows, point), seed
    assert changed > count / 10


def holds(rows: Iterable[Any], point: Sequence[int | Fraction]) -> bool:
    """Return whether a point satisfies all rows."""
    return all(
        low <= sum(a * point[column] for column, a in terms.items()) <= high
        for terms, low, high in rows
    )


def test_a_big_coefficient_is_as_small_as_the_flow_allows() -> None:
    # f <= 1000 y with f up to 5 is f <= 5 y; x1 + x2 + x3 <= 5 - 3 z is x1 + x2 + x3 <= 3 - z.
    model = Model.from_rows(
        ["y", "f"],
        [("open", {1: 1.0, 0: -1000.0}, -math.inf, 0.0)],
        column_lower=np.zeros(2),
        column_upper=np.array([1.0, 5.0]),
        integer=np.array([True, False]),
    )
    program = program_of(model)
    strengthen(program)
    assert program.rows[0] == ({0: -5, 1: 1}, -math.inf, 0)
    rows = [("z", {0: 1.0, 1: 1.0, 2: 1.0, 3: 3.0}, -math.inf, 5.0)]
    program = program_of(Model.from_rows(["x1", "x2", "x3", "z"], rows))
    strengthen(program)
    assert program.rows[0] == ({0: 1, 1: 1, 2: 1, 3: 1}, -math.inf, 3)


def test_a_row_beyond_floating_point_is_refused_by_name() -> None:
    exact = {("value", 0): Fraction(1, 10**300)}
    model = Model.from_rows(
        ["x", "y"],
        [("far", {0: 0.0, 1: 1e19}, -math.inf, 2e19)],
        exact=exact,
        column_upper=np.array([9.0, 1.0]),
    )
    with pytest.raises(InputError, match="row 'far' has numbers of too different sizes"):
        list(PoolSearch(model))
    solution = calmip.solve(model.changed(cost=np.array([-1.0, -1.0])))
    assert solution.verified
    assert solution.point == {0: 9, 1: 1}


@pytest.mark.parametrize("seed", range(6))
def test_rounded_costs_bound_the_true_ones(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MAX_COST_SUM", 16)
    draw = random.Random(seed)
    program = program_of(random_model(seed, continuous=seed % 2))
    small, step, rest = rounded_costs(program)
    for _ in range(100):
        point = [
            low + (high - low) * Fraction(draw.randint(0, 4), 4)
            for low, high in zip(program.low, program.high, strict=True)
        ]
        least = rest + step * small.value_of(point)
        assert least <= program.value_of(point)
        # No cost loses more than the step, times the width of its column.
        widths = [high - low for low, high in zip(program.low, program.high, strict=True)]
        assert program.value_of(point) - least <= step * sum(widths) * (step > 1)


@pytest.mark.long
def test_costs_of_many_digits_are_distinguished(tmp_path: Path) -> None:
    # Sums of the costs exceed 64 bits, and the two best points differ in the last digit.
    costs = ["0.1234567890123456789", "0.1234567890123456788", "0.9999999999999999999"]
    terms = " + ".join(f"{cost} x{number}" for number, cost in enumerate(costs))
    rest = " + ".join(f"0.98765432109876543{number} y{number}" for number in range(10, 40))
    names = " ".join([*(f"x{n}" for n in range(3)), *(f"y{n}" for n in range(10, 40))])
    text = (
        f"minimize\n obj: {terms} + {rest}\nsubject to\n a: x0 + x1 + x2 = 1\n"
        f" b: y10 + y11 >= 1\nbinary\n {names}\nend\n"
    )
    (tmp_path / "digits.lp").write_text(text)
    model = calmip.read_model(tmp_path / "digits.lp")
    found = calmip.enumerate(model, optimal=True)
    assert [set(point) for point in found.points] == [{1, 3}]
    near = calmip.enumerate(model, within="0.0000000000000000001")
    assert [set(point) for point in near.points] == [{1, 3}, {0, 3}, {1, 4}]
    assert found.complete
    assert near.complete
    assert len(calmip.enumerate(model, best=3).points) == 3
    assert calmip.enumerate(model, optimal=True, count=True).count == 1


@pytest.mark.parametrize("seed", range(30))
def test_a_rounded_row_holds_where_the_row_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MAX_COST_SUM", 64)
    monkeypatch.setattr(programs, "MAX_ROW_SUM", 256)
    draw = random.Random(seed)
    program = program_of(random_model(seed, continuous=seed % 3))
    if seed % 5 == 0 and not program.pure:
        program.high[-1] = math.inf
    width, changed = len(program.order), 0
    for _ in range(20):
        point = [
            Fraction(draw.randint(4 * math.ceil(low), 4 * int(min(high, 9))), 4)
            if column >= program.integers
            else draw.randint(int(low), int(high))
            for column, (low, high) in enumerate(zip(program.low, program.high, strict=True))
        ]
        terms = {column: draw.randint(-5000, 5000) or 1 for column in range(width)}
        total = sum(a * point[column] for column, a in terms.items())
        # Sides that the sum reaches, or nearly.
        row = Row(terms, math.floor(total), math.ceil(total))
        (found,) = rounded([row], program.low, program.high, program.integers)
        changed += found != row
        assert found.low <= sum(a * point[c] for c, a in found.terms.items()) <= found.high
        assert found == row or max(map(abs, found.terms.values()), default=0) < 256
    assert changed or not all(map(is_finite, program.high))


def test_long_decimals_of_mixed_models_are_compiled() -> None:
    row = "r", {0: 0.1234567890123456, 1: 0.9876543210987654, 2: 1234567.0}, 1.5, math.inf
    model = Model.from_rows(
        ["x", "y", "z"], [row], [3.0, 2.0, 5.0], integer=np.array([True, True, False])
    ).changed(column_upper=array("d", [9.0, 9.0, 1e6]))
    search = PoolSearch(model, Goal(within=Fraction(1)))
    run = search.tree({}, None)
    assert run.prepare()
    assert run.start(ask=True)
    assert run.nodes is not None
    assert run.nodes.compiled == plain.is_compiled(run.tree)
    assert max(map(abs, run.nodes.arrays.column_value)) < 2**62
    found = {(one.point.get(0, 0), one.point.get(1, 0)): one.objective for one in search}
    low = min(found.values())
    for x, y in product(range(10), repeat=2):
        sums = Fraction("0.1234567890123456") * x + Fraction("0.9876543210987654") * y
        best = 3 * x + 2 * y + 5 * max(Fraction(0), (Fraction(3, 2) - sums) / 1234567)
        assert ((x, y) in found) == (best <= low + 1)
        assert best == found.get((x, y), best)


def test_few_solutions_end_the_search_of_more() -> None:
    """The objective of a continuous column without a bound gives no end."""
    rows = [("a", {0: 3.0, 2: -1.0}, -math.inf, 0.0), ("b", {1: 500.0, 2: -1.0}, -math.inf, 0.0)]
    model = Model.from_rows(
        ["x", "y", "z"], rows, [0.0, 0.0, 1.0], integer=np.array([True, True, False])
    ).changed(column_upper=array("d", [1.0, 1.0, math.inf]))
    search = PoolSearch(model, Goal(best=10))
    ceilings: list[Any] = []
    tree = search.tree

    def noted(kept: Any, ceiling: Any) -> module.TreeSearch:
        ceilings.append(ceiling)
        return tree(kept, ceiling)

    search.tree = noted  # type: ignore[method-assign]
    assert [one.objective for one in search] == [0, 3, 500, 500]
    assert search.complete
    assert ceilings[-1] == math.inf
    assert len(ceilings) <= 6


def test_rows_bound_a_column_that_has_no_bounds() -> None:
    rows = [("r", {0: 2.0}, -7.0, math.inf), ("s", {0: 3.0}, -math.inf, 8.0)]
    model = Model.from_rows(["x"], rows).changed(
        column_lower=array("d", [-math.inf]), column_upper=array("d", [math.inf])
    )
    program = program_of(model)
    assert tighten(program, [])
    assert (program.low, program.high) == ([-3], [2])


def test_bounds_off_the_grid_stay_as_they_are_unless_rows_improve_them() -> None:
    rows = [("r", {0: 7.0, 1: 1.0}, -math.inf, 1.0)]
    tenth = Fraction(1, 10)
    model = Model.from_rows(
        ["x", "y"],
        rows,
        exact={("column_lower", 0): tenth},
        column_lower=array("d", [0.1, 0.25]),
        column_upper=array("d", [math.inf] * 2),
        integer=np.array([False] * 2),
    )
    program = program_of(model)
    assert tighten(program, [])
    assert program.low == [tenth, Fraction(1, 4)]
    x, y = program.high
    assert is_finite(x)
    assert is_finite(y)
    assert 0 <= x - Fraction(3, 28) < Fraction(1, programs.GRID)
    assert 0 <= y - Fraction(3, 10) < Fraction(8, programs.GRID)
