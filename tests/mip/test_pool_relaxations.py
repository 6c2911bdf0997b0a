"""Relaxations of the pool's nodes: the compiled judge, its twin, claims that lie, HiGHS from C."""

import ctypes
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from test_pool import random_model

from calmip import Model
from calmip._base import highs
from calmip.mip import kernel
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.pool import Goal, PoolSearch
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import relaxation as _relaxation
from calmip.mip.pool import safe_bounds as _bounds
from calmip.mip.pool import tree_search as module
from calmip.mip.pool.integer_model import WholeModel, program_of, tighten
from calmip.mip.pool.relaxation import NodeRelaxation, Nodes, bound_rest, put
from calmip.mip.pool.safe_bounds import NodeArrays, judge
from calmip.mip.pool.tree_search import Experience
from calmip.mip.rows import Row
from calmip.mip.status import Status

needs_kernel = pytest.mark.skipif(kernel.library() is None, reason="nothing is compiled")

ODD = (0.0, -0.0, math.nan, math.inf, -math.inf, 1e300, -1e-300, 2.0**53, 1e18, -0.3)


def start(seed: int, *, continuous: int) -> tuple[WholeModel, plain.PoolTree, Nodes] | None:
    """Return a random program, its tree, and its relaxations."""
    program = program_of(random_model(seed, continuous=continuous))
    if not tighten(program, []):
        return None
    rows = program.rows_on_integers([Row(dict(program.cost), -math.inf, math.inf), *program.rows])
    whole = program.integers
    tree = plain.new_tree(
        rows,
        list(map(int, program.low[:whole])),
        list(map(int, program.high[:whole])),
        distinct=max(1, whole - seed % 3),
        cubes=False,
    )
    tree.numbers[plain.ASK] = True
    return (
        program,
        tree,
        Nodes(program, NodeRelaxation(program, cost=True), tree, *Experience(program).history),
    )


def listed(arrays: NodeArrays) -> NodeArrays:
    """Return compiled arrays as lists."""
    found = {name: numbers.tolist() for name, numbers in arrays._asdict().items()}
    for name in ("y", "reduced"):
        words = found[name]
        found[name] = [
            (high << 64) | (low & _bounds.MASK)
            for low, high in zip(words[::2], words[1::2], strict=True)
        ]
    return NodeArrays(**found)


def lies(draw: random.Random, arrays: NodeArrays) -> None:
    """Put multipliers and values that nobody computed into the arrays."""
    for numbers in (arrays.prices, arrays.values):
        for place in range(len(numbers)):
            odd = draw.random() < 0.03
            numbers[place] = draw.choice(ODD) if odd else draw.choice([0, 1, draw.gauss(0, 9)])


def judged(tree: plain.PoolTree, nodes: Nodes, number: int) -> int:
    """Return the compiled judge's verdict on a claim, which is that of Python in all it leaves."""
    library: Any = kernel.library()
    other, arrays = plain.PoolTree(*(one.tolist() for one in tree)), listed(nodes.arrays)
    here: int = library.calmip_pool_judge(
        plain.addresses(tree), _bounds.addresses(nodes.arrays), number
    )
    assert judge(other, arrays, number) == here
    assert [one.tolist() for one in tree] == list(other)
    assert repr(listed(nodes.arrays)) == repr(arrays)  # a NaN is equal to itself
    return here


@needs_kernel
def test_the_compiled_judge_is_that_of_python() -> None:
    verdicts = set()
    for seed in range(60):
        given = start(seed, continuous=seed % 3)
        if given is None:
            continue
        program, tree, nodes = given
        assert nodes.compiled
        draw = random.Random(seed)
        for _ in range(10):
            if plain.loops(tree)(50) == plain.DONE:
                break
            limit = draw.choice([None, Fraction(draw.randint(-900, 900), draw.choice([1, 3, 10]))])
            nodes.set_limit(
                limit,
                excludes_cutoff=draw.random() < 0.5,
                objective_is_integral=program.objective_is_integral,
            )
            if draw.random() < 0.5:
                claim = nodes.relaxation.solve(tree.low, tree.high, nodes.cutoff, None)
                for numbers, some in (
                    (nodes.arrays.prices, claim.multipliers),
                    (nodes.arrays.values, claim.point),
                ):
                    numbers[:] = 0.0 if some is None else some
            else:
                lies(draw, nodes.arrays)
            number = draw.choice([0, 1, 1, 2, 3])
            verdicts.add((number, judged(tree, nodes, number)))
    assert verdicts == {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)}


@needs_kernel
@pytest.mark.parametrize(("claim", "most"), [(1, 2.0**130), (2, 0.7)])
def test_multipliers_of_any_size_are_judged_alike(claim: int, most: float) -> None:
    """Rays are scaled; multipliers of costs that leave the room of the sums are not taken."""
    given = start(3, continuous=0)
    assert given is not None
    _, first, nodes = given
    nodes.set_limit(Fraction(5), excludes_cutoff=True, objective_is_integral=False)
    prices, reduced, taken = nodes.arrays.prices, nodes.arrays.reduced, set()
    for row, size, sign in product(
        range(len(prices)), (1e-291, 0.7, 2.0**44, 2.0**130, 1e291), (1, -1)
    ):
        for place in range(len(prices)):
            prices[place] = sign * size if place == row else 0.0
        for place in range(len(reduced)):
            reduced[place] = 0
        judged(plain.PoolTree(*(one[:] for one in first)), nodes, claim)
        taken.update([size] * any(reduced))
    assert (min(taken), max(taken)) == (0.7, most)


@needs_kernel
def test_the_compiled_judge_learns_from_branchings_as_that_of_python() -> None:
    """On the way through trees of some depth, with true claims; some are said to be infeasible."""
    learnt = set()
    for seed in range(2):
        draw = random.Random(seed)
        rows = [
            (f"r{n}", {c: float(draw.randint(2, 9)) for c in range(8)}, -math.inf, 31.0)
            for n in range(3)
        ]
        model = Model.from_rows(
            [f"x{c}" for c in range(8)],
            rows,
            [-float(draw.randint(3, 9)) for _ in range(8)],
            column_upper=np.full(8, 3.0),
            integer=np.ones(8, bool),
        )
        program = program_of(model)
        whole = [Row(dict(program.cost), -math.inf, math.inf), *program.rows]
        tree = plain.new_tree(
            program.rows_on_integers(whole), [0] * 8, [3] * 8, distinct=8, cubes=False
        )
        tree.numbers[plain.ASK] = True
        relaxation = NodeRelaxation(program, cost=True)
        nodes = Nodes(program, relaxation, tree, *Experience(program).history)
        nodes.set_limit(Fraction(-20), excludes_cutoff=False, objective_is_integral=True)
        for _ in range(60):
            if plain.loops(tree)(10**5) == plain.DONE:
                break
            claim = relaxation.solve(tree.low, tree.high, nodes.cutoff, None)
            some = claim.multipliers, claim.point
            for numbers, given in zip(
                (nodes.arrays.prices, nodes.arrays.values), some, strict=True
            ):
                numbers[:] = 0.0 if given is None else given
            before = list(nodes.arrays.times)
            judged(tree, nodes, _relaxation.CLAIMS[claim.status])
            moved = [
                place for place, times in enumerate(nodes.arrays.times) if times > before[place]
            ]
            learnt.add((claim.status, len(moved), *(place >= 8 for place in moved)))
    assert {("optimal", 2, False, True), ("optimal", 2, True, True)} <= learnt
    assert ("optimal", 0) in learnt


@needs_kernel
def test_multipliers_of_rows_with_large_numbers_have_as_many_digits_as_others() -> None:
    # 3 x + 4 u + 5 v >= 7 twice, once with a factor: a third and two thirds bound the cost by 7.
    terms = {0: 3, 1: 4, 2: 5}
    for factor in (1, 10**9):
        rows = [
            (name, {c: float(a * by) for c, a in terms.items()}, 7.0 * by, math.inf)
            for name, by in (("one", 1), ("other", factor))
        ]
        rows[1][1][0] += factor > 1  # or it would be divided by its factor
        model = Model.from_rows(
            ["x", "u", "v"],
            rows,
            [3.0, 4.0, 5.0],
            column_upper=np.array([9.0, 2.0**20, 2.0**20]),
            integer=np.array([True, False, False]),
        )
        program = program_of(model)
        relaxation = NodeRelaxation(program, cost=True)
        rows = program.rows_on_integers(
            [Row(dict(program.cost), -math.inf, math.inf), *program.rows]
        )
        tree = plain.new_tree(rows, [0], [9], distinct=1, cubes=False)
        nodes = Nodes(program, relaxation, tree, *Experience(program).history)
        assert nodes.compiled
        for limit, pruned in ((Fraction(69999, 10000), True), (Fraction(7), False)):
            nodes.set_limit(limit, excludes_cutoff=False, objective_is_integral=False)
            scales = [by / relaxation.unit for by in relaxation.scale]
            put([scales[0] / 3, scales[1] * 2 / 3 / factor], nodes.arrays.prices)
            library: Any = kernel.library()
            addresses = plain.addresses(tree), _bounds.addresses(nodes.arrays)
            assert library.calmip_pool_judge(*addresses, _bounds.OPTIMAL) == pruned


def test_rows_bound_continuous_columns_together() -> None:
    # No row alone bounds a flow: each leaves what another brings, and the last one takes.
    for seed in range(20):
        draw = random.Random(seed)
        count = draw.randint(2, 6)
        gains = [draw.uniform(0.1, 0.9) for _ in range(count)]
        rows = [
            (f"r{n}", {n: 1.0, (n + 1) % count: -gains[n], count: -1.0}, -math.inf, 0.0)
            for n in range(count)
        ]
        model = Model.from_rows(
            [*(f"f{n}" for n in range(count)), "x"],
            rows,
            [1.0] * (count + 1),
            column_upper=np.array([math.inf] * count + [9.0]),
            integer=np.array([False] * count + [True]),
        )
        program = program_of(model)
        tighten(program, [])
        assert all(map(math.isinf, program.high[1:]))
        bound_rest(program, ({}, -math.inf, math.inf))
        assert not any(map(math.isinf, program.high[1:]))
        for column in range(count):
            cost = np.zeros(count + 1)
            cost[column] = -1.0
            most = ExactLp(model.changed(cost=cost), range(count + 1))
            answer = most.solve({})
            assert answer.status is Status.OPTIMAL
            assert answer.point[column] <= program.high[program.order.index(column)]


@needs_kernel
def test_the_compiled_sums_of_large_numbers_do_not_overflow() -> None:
    library: Any = kernel.library()
    signs = set()
    for seed in range(30):
        draw = random.Random(seed)
        terms = {0: float(draw.randint(1, 2**30)), 1: -float(draw.randint(2**37, 2**38))}
        model = Model.from_rows(
            ["x", "y"],
            [("r", terms, -(2.0**50), 2.0**50)],
            [float(draw.randint(1, 99)), float(draw.randint(1, 99))],
            column_upper=np.array([9.0, 2.0**20]),
            integer=np.array([True, False]),
        )
        program = program_of(model)
        rows = program.rows_on_integers(
            [Row(dict(program.cost), -math.inf, math.inf), *program.rows]
        )
        tree = plain.new_tree(rows, [0], [9], distinct=1, cubes=False)
        nodes = Nodes(
            program, NodeRelaxation(program, cost=True), tree, *Experience(program).history
        )
        assert nodes.compiled
        for claim in (_bounds.INFEASIBLE, _bounds.OPTIMAL):
            nodes.set_limit(
                Fraction(draw.randint(1, 10**6)), excludes_cutoff=False, objective_is_integral=False
            )
            put([draw.gauss(0, 1)] * len(program.rows), nodes.arrays.prices)
            other, arrays = plain.PoolTree(*(one.tolist() for one in tree)), listed(nodes.arrays)
            here = library.calmip_pool_judge(
                plain.addresses(tree), _bounds.addresses(nodes.arrays), claim
            )
            assert here == judge(other, arrays, claim)
            assert repr(listed(nodes.arrays)) == repr(arrays)
            signs.add((claim, here))
    assert len(signs) > 1


@needs_kernel
def test_no_node_whose_bound_is_just_below_the_cutoff_is_pruned() -> None:
    library: Any = kernel.library()
    steps = set()
    for seed in range(60):
        given = start(seed, continuous=0)
        if given is None:
            continue
        program, tree, nodes = given
        draw = random.Random(seed)
        # Large multipliers have a coarse grid, in which the cutoff is rounded.
        put([draw.gauss(0, 10**6) for _ in program.rows], nodes.arrays.prices)
        found = _bounds.bound_of(tree, nodes.arrays)
        if found is None:
            continue
        bound, power = found
        for beyond in (-1, 0, 1):  # parts of half a step
            nodes.set_limit(
                Fraction(2 * bound + beyond, 2 << power),
                excludes_cutoff=True,
                objective_is_integral=False,
            )
            other, arrays = plain.PoolTree(*(one.tolist() for one in tree)), listed(nodes.arrays)
            pruned = library.calmip_pool_judge(
                plain.addresses(tree), _bounds.addresses(nodes.arrays), _bounds.OPTIMAL
            )
            assert pruned == judge(other, arrays, _bounds.OPTIMAL) == (beyond <= 0)
            tree.numbers[plain.WISHES] = 0
        steps.add(power < _bounds.FINE)
    assert True in steps


@pytest.mark.parametrize(("cost", "end"), [(1.0, Fraction(1, 10)), (-1.0, Fraction(7, 10))])
def test_a_bound_on_the_grid_is_not_above_the_bound_of_the_column(
    cost: float, end: Fraction
) -> None:
    model = Model.from_rows(
        ["x", "y"],
        [("r", {0: 1.0, 1: 1.0}, -math.inf, 9.0)],
        [0.0, cost],
        column_lower=np.array([0.0, 0.1]),
        column_upper=np.array([1.0, 0.7]),
        integer=np.array([True, False]),
    )
    program = program_of(model)
    tree = plain.new_tree(program.rows_on_integers(program.rows), [0], [1], distinct=1, cubes=False)
    nodes = Nodes(program, NodeRelaxation(program, cost=True), tree, *Experience(program).history)
    bound, power = _bounds.bound_of(tree, nodes.arrays) or (0, 0)
    exact = Fraction(cost) * end
    assert exact - Fraction(1, 10**5) < program.unit * Fraction(bound, 1 << power) <= exact


@pytest.mark.parametrize("upper", [math.inf, 7.0])
@pytest.mark.parametrize("lower", [-math.inf, -3.0])
def test_a_column_without_the_end_that_bounds_it_bounds_nothing(lower: float, upper: float) -> None:
    """x - y, with y alone in a row that bounds it on no side."""
    model = Model.from_rows(
        ["x", "y"],
        [("r", {0: 1.0, 1: 1.0}, -math.inf, math.inf)],
        [1.0, 0.0],
        column_lower=np.array([0.0, lower]),
        column_upper=np.array([1.0, upper]),
        integer=np.array([True, False]),
    )
    for sign in (1.0, -1.0):
        program = program_of(model.changed(cost=np.array([1.0, sign])))
        rows = program.rows_on_integers(
            [Row(dict(program.cost), -math.inf, math.inf), *program.rows]
        )
        tree = plain.new_tree(rows, [0], [1], distinct=1, cubes=False)
        relaxation = NodeRelaxation(program, cost=True)
        nodes = Nodes(program, relaxation, tree, *Experience(program).history)
        found = _bounds.bound_of(tree, nodes.arrays)
        end = lower if sign > 0 else -upper
        if math.isinf(end):
            assert found is None
        else:
            assert found is not None
            bound, power = found
            assert end - 1e-5 < float(program.unit * Fraction(bound, 1 << power)) <= end


def leaves(tree: plain.PoolTree) -> Iterator[tuple[int, ...]]:
    """Yield the points within the bounds of a node."""
    ends = zip(tree.low, tree.high, strict=True)
    return product(*(range(int(low), int(high) + 1) for low, high in ends))


@pytest.mark.parametrize("count", [8, pytest.param(150, marks=pytest.mark.long)])
def test_no_multipliers_prune_or_fix_a_point_within_the_cutoff(count: int) -> None:
    pruned = wished = 0
    for seed in range(count):
        given = start(seed, continuous=0)
        if (
            given is None
            or math.prod(b + 1 - a for a, b in zip(*given[1][10:12], strict=True)) > 300
        ):
            continue
        program, tree, nodes = given
        draw = random.Random(seed)
        assert plain.loops(tree)(10**6) in (plain.NODE, plain.LEAF, plain.DONE, plain.LEFT)
        points = [
            point
            for point in leaves(tree)
            if all(
                low <= sum(a * point[c] for c, a in terms.items()) <= high
                for terms, low, high in program.rows
            )
        ]
        for _ in range(8):
            limit = Fraction(draw.randint(-300, 300), draw.choice([1, 2]))
            strict = draw.random() < 0.5
            nodes.set_limit(
                limit, excludes_cutoff=strict, objective_is_integral=program.objective_is_integral
            )
            lies(draw, nodes.arrays)
            inside = [p for p in points if program.value_of(p) < limit]
            inside += [p for p in points if not strict and program.value_of(p) == limit]
            tree.numbers[plain.WISHES] = 0
            mode = int(tree.numbers[plain.MODE])
            number = draw.choice([_bounds.BOUND, _bounds.OPTIMAL, _bounds.INFEASIBLE])
            if judge(tree, listed(nodes.arrays) if nodes.compiled else nodes.arrays, number):
                assert not (points if number == _bounds.INFEASIBLE else inside), seed
                pruned += 1
            for place in range(int(tree.numbers[plain.WISHES])):
                side, bound = int(tree.wish_side[place]), int(tree.wish_bound[place])
                wished += 1
                for point in inside:
                    value = point[side >> 1]
                    assert value <= bound if side & 1 else value >= bound, seed
            tree.numbers[plain.MODE] = mode
    assert pruned > count / 7.5
    assert wished > count / 7.5


def effort(search: PoolSearch) -> tuple[Any, ...]:
    found = sorted((one.objective, sorted(one.point.items())) for one in search)
    return found, search.complete, search.statistics


@pytest.mark.long
@needs_kernel
@pytest.mark.skipif(highs.load() is None, reason="HiGHS is not called through C")
@pytest.mark.parametrize("goal", [Goal(), Goal(optimal=True), Goal(gap=Fraction(1)), Goal(best=3)])
def test_compiled_loops_solve_the_same_relaxations(
    monkeypatch: pytest.MonkeyPatch, goal: Goal
) -> None:
    class Own(NodeRelaxation):
        """A relaxation that Python solves."""

        def solve(self, *given: Any) -> Any:
            return super().solve(*given)

    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    monkeypatch.setattr(NodeRelaxation, "simplex", lambda *_: None)  # it finds other vertices
    relaxations = 0
    for seed in range(1, 20, 3):
        model = random_model(seed, continuous=seed % 2)
        direct = effort(PoolSearch(model, goal))
        assert effort(PoolSearch(model, goal, relaxation=Own)) == direct
        with monkeypatch.context() as patch:
            patch.setattr(kernel, "library", lambda: None)
            assert effort(PoolSearch(model, goal)) == direct
        relaxations += direct[-1].relaxations
    assert relaxations > 0 or goal.plain


POINTER, INT, DOUBLES = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_double)


class Deceiver(NodeRelaxation):
    """A relaxation with functions in C that always have the same answer."""

    status, number, known = 0, 0.0, True

    def calls(self) -> Any:
        def fill(*arrays: Any) -> int:
            for array, length in zip(arrays, (len(self._low), len(self.scale)), strict=True):
                for place in range(length):
                    array[place] = self.number
            return 0

        def answer(_: Any, values: Any, *rest: Any) -> int:
            return fill(values, rest[-1])

        def ray(_: Any, known: Any, array: Any) -> int:
            known[0] = self.known
            for place in range(len(self.scale)):
                array[place] = self.number
            return 0

        def basis(_: Any, columns: Any, rows: Any) -> int:
            for array, length in ((columns, len(self._low)), (rows, len(self.scale))):
                for place in range(length):
                    array[place] = (place + self.status) % 3
            return 0

        kinds: list[tuple[Any, Any]] = [
            (ctypes.CFUNCTYPE(INT, POINTER, INT, POINTER, POINTER, POINTER), lambda *_: 0),
            (ctypes.CFUNCTYPE(INT, POINTER), lambda *_: 0),
            (ctypes.CFUNCTYPE(INT, POINTER), lambda *_: self.status),
            (ctypes.CFUNCTYPE(INT, POINTER, DOUBLES, POINTER, POINTER, DOUBLES), answer),
            (ctypes.CFUNCTYPE(INT, POINTER, ctypes.POINTER(INT), DOUBLES), ray),
            (ctypes.CFUNCTYPE(INT, POINTER, ctypes.POINTER(INT), ctypes.POINTER(INT)), basis),
        ]
        self.kept: list[Any] = [kind(function) for kind, function in kinds]
        places = [ctypes.cast(one, POINTER).value for one in self.kept]
        return (POINTER * 7)(None, *places)


@needs_kernel
@pytest.mark.parametrize("goal", [Goal(optimal=True), Goal(best=3)])
@pytest.mark.parametrize("status", [7, 8, 11, 13, 15, 99])
def test_no_status_of_a_library_in_c_closes_a_node(
    monkeypatch: pytest.MonkeyPatch, status: int, goal: Goal
) -> None:
    # Optimal, infeasible, cutoff reached, time limit reached, unknown, and a status of the future.
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1)
    monkeypatch.setattr(Deceiver, "status", status)
    relaxations = 0
    for seed in (1, 4, 7, 10, 16):
        model = random_model(seed, continuous=1)
        expected = {one.objective for one in PoolSearch(model, goal)}
        for number, known in ((0.5, True), (math.nan, True), (-1e9, True), (0.0, False)):
            monkeypatch.setattr(Deceiver, "number", number)
            monkeypatch.setattr(Deceiver, "known", known)
            search = PoolSearch(model, goal, relaxation=Deceiver)
            assert {one.objective for one in search} == expected
            assert search.complete
            relaxations += search.statistics.relaxations
    assert relaxations > 0


class Distorted(NodeRelaxation):
    """A relaxation whose simplex method has wrong numbers."""

    draw = random.Random(1)

    def simplex(self, program: WholeModel) -> Any:
        arrays = super().simplex(program)
        if arrays is None:
            return None
        for name in ("column_value", "row_value", "cost", "low", "high"):
            numbers = getattr(arrays, name)
            for place in range(len(numbers)):
                if self.draw.random() < 0.2:
                    numbers[place] = self.draw.choice((*ODD, 1.0, -7.0, numbers[place] * 1.001))
        return arrays


@pytest.mark.long
@needs_kernel
@pytest.mark.parametrize("goal", [Goal(), Goal(optimal=True), Goal(gap=Fraction(1)), Goal(best=3)])
def test_no_number_of_the_compiled_simplex_method_closes_a_node(
    monkeypatch: pytest.MonkeyPatch, goal: Goal
) -> None:
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    relaxations = 0
    for seed in range(1, 40, 3):
        model = random_model(seed, continuous=seed % 3)
        expected = effort(PoolSearch(model, goal))[:2]
        for number in range(4):
            monkeypatch.setattr(Distorted, "draw", random.Random(100 * seed + number))
            found = effort(PoolSearch(model, goal, relaxation=Distorted))
            if goal.best is None:
                assert found[:2] == expected
            else:
                assert [value for value, _ in found[0]] == [value for value, _ in expected[0]]
            relaxations += found[-1].relaxations
    assert relaxations > 0


@needs_kernel
@pytest.mark.skipif(highs.load() is None, reason="HiGHS is not called through C")
def test_the_compiled_simplex_method_solves_most_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    draw = random.Random(5)
    rows = [
        (f"r{i}", {j: float(draw.randint(10, 99)) for j in range(30)}, -math.inf, 700.0)
        for i in range(4)
    ]
    rows += [("all", dict.fromkeys(range(30), 1.0), 12.0, 13.0)]
    model = Model.from_rows(
        [f"x{j}" for j in range(30)], rows, [-float(draw.randint(10, 99)) for _ in range(30)]
    )
    search, asked = asks(monkeypatch, model, Goal(optimal=True))
    assert 0 < asked < search.statistics.relaxations / 10
    found = effort(PoolSearch(model, Goal(optimal=True)))
    monkeypatch.setattr(NodeRelaxation, "simplex", lambda *_: None)
    assert effort(PoolSearch(model, Goal(optimal=True)))[:2] == found[:2]


@needs_kernel
@pytest.mark.skipif(highs.load() is None, reason="HiGHS is not called through C")
def test_columns_that_are_just_enough_are_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 0)
    # Fixed charges: amounts up to 4 need x, and some sums of amounts have whole demands.
    draw, size = random.Random(1), 12
    rows = [(f"u{j}", {size + j: 1.0, j: -4.0}, -math.inf, 0.0) for j in range(size)]
    for i in range(5):
        some = {size + j: 1.0 for j in draw.sample(range(size), 6)}
        rows.append((f"d{i}", some, float(draw.randint(5, 9)), math.inf))
    fixed = [float(draw.randint(5, 30)) for _ in range(size)]
    model = Model.from_rows(
        [f"x{j}" for j in range(size)] + [f"y{j}" for j in range(size)],
        rows,
        fixed + [float(draw.randint(1, 4)) for _ in range(size)],
        column_upper=np.array([1.0] * size + [4.0] * size),
        integer=np.array([True] * size + [False] * size),
    )
    search, asked = asks(monkeypatch, model, Goal(within=Fraction(6)))
    assert search.complete
    assert search.statistics.relaxations > 100
    assert asked <= 2  # the basis of the root; a wrong claim asks for another


def asks(monkeypatch: pytest.MonkeyPatch, model: Model, goal: Goal) -> tuple[PoolSearch, int]:
    """Return a finished search, and how often its last tree asked HiGHS for a basis."""
    kept: list[Nodes] = []
    init = Nodes.__init__

    def noted(self: Nodes, *given: Any) -> None:
        init(self, *given)
        kept.append(self)

    with monkeypatch.context() as patch:
        patch.setattr(Nodes, "__init__", noted)
        search = PoolSearch(model, goal)
        list(search)
    own = kept[-1]._simplex
    assert own is not None
    return search, _relaxation.DOUBTS - own.numbers[_bounds.DOUBTS]


def test_numbers_beyond_128_bits_are_judged_in_python() -> None:
    for most, fits in ((8.0, True), (1e9, True), (1e14, False)):
        rows = [("r", {0: 2.0, 1: 3.0, 2: 1.0}, 4.0, math.inf)]
        model = Model.from_rows(
            list("xyz"),
            rows,
            [3.0, 4.0, 5.0],
            column_upper=np.array([1.0, 3.0, most]),
            integer=np.array([True, True, False]),
        )
        search = PoolSearch(model, Goal(within=Fraction(1)))
        assert [one.point for one in search] == [{0: 1, 1: 1}, {1: 2}]
        assert search.complete
        program = program_of(model)
        assert tighten(program, [])
        tree = plain.new_tree(
            program.rows_on_integers([Row(dict(program.cost), -math.inf, math.inf), *program.rows]),
            [0, 0],
            [1, 3],
            distinct=2,
            cubes=False,
        )
        nodes = Nodes(
            program, NodeRelaxation(program, cost=True), tree, *Experience(program).history
        )
        assert nodes.compiled == (fits and kernel.library() is not None)


@pytest.mark.parametrize("goal", [Goal(optimal=True), Goal(most=1390)], ids=str)
def test_where_little_of_the_tree_is_closed_relaxations_begin_early(
    goal: Goal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WORK_PER_CLOCK_READ", 1000)
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", 200_000)
    monkeypatch.setattr(module, "WORK_PER_SOLUTION", 0)
    draw = random.Random(1)
    costs = [float(draw.randint(100, 199)) for _ in range(24)]
    rows = [("half", dict.fromkeys(range(24), 1.0), 12.0, 12.0)]
    model = Model.from_rows([f"x{n}" for n in range(24)], rows, costs)
    nodes, pools = [], []
    for look in ((5, 20), (5, math.inf)):
        monkeypatch.setattr(module, "LOOK", look)
        search = PoolSearch(model, goal)
        pools.append(list(search))
        assert search.complete
        nodes.append(search.statistics.nodes)
    assert pools[0] == pools[1]
    assert (nodes[0] < nodes[1] / 2) == goal.optimal
    assert (nodes[0] == nodes[1]) == (not goal.optimal)
