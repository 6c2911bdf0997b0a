"""Cuts of the pool: each holds for every solution, by brute force, and closes a gap."""

import math
import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from test_pool import holds, random_model, solve

from calmip import Model
from calmip._base.limits import Deadline
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.pool import Goal, PoolSearch
from calmip.mip.pool import cuts as _cuts
from calmip.mip.pool import tree_search as module
from calmip.mip.pool.cuts import CutSearch, cuts_of
from calmip.mip.pool.integer_model import WholeModel, program_of, tighten
from calmip.mip.pool.relaxation import NodeRelaxation
from calmip.mip.rows import Row

inf = math.inf


def mixed_model(seed: int) -> Model:
    """Return a small model in which two flows have variable bounds, one of them maybe lower."""
    draw = random.Random(seed)
    whole = draw.randint(2, 4)
    high = [float(draw.choice([1, 1, 2, 3])) for _ in range(whole)]
    y, z = whole, whole + 1
    rows: list[Any] = []
    for flow, column in ((y, 0), (z, 1)):
        size = draw.randint(-9, 40) / draw.choice([1, 3, 10])
        side = draw.choice([0.0, 0.0, 1.5])
        if draw.random() < 0.7:
            rows.append((f"u{flow}", {flow: 1.0, column: -abs(size)}, -inf, side))
        else:
            rows.append((f"v{flow}", {flow: -2.0, column: size}, -side, inf))
        if draw.random() < 0.3:
            rows.append((f"l{flow}", {flow: 1.0, column: draw.choice([-1.0, 0.5])}, -0.5, inf))
    for row in range(draw.randint(1, 3)):
        terms = {column: float(draw.randint(-4, 6)) for column in range(whole)}
        terms = {column: a for column, a in terms.items() if a and draw.random() < 0.6}
        terms |= {y: draw.choice([1.0, -1.0, 0.4]), z: draw.choice([1.0, -1.0, 2.5])}
        side = draw.randint(-20, 80) / 10
        low, up = draw.choice([(side, inf), (-inf, side), (side, side), (side - 1, side + 1)])
        rows.append((f"r{row}", terms, low, up))
    low_bounds = [0.0] * whole + [draw.choice([0.0, 0.0, -2.5]) for _ in "yz"]
    return Model.from_rows(
        [f"x{column}" for column in range(whole)] + ["y", "z"],
        rows,
        [float(draw.randint(-5, 9)) for _ in range(whole + 2)],
        column_lower=np.array(low_bounds),
        column_upper=np.array([*high, 8.0, 9.5]),
        integer=np.arange(whole + 2) < whole,
    )


def endless_model(seed: int) -> Model:
    """Return a small model in which two columns make up for what others lack, without a bound."""
    draw = random.Random(seed)
    whole = draw.randint(2, 3)
    y, z = whole, whole + 1
    rows: list[Any] = []
    for row in range(draw.randint(1, 2)):
        terms = {column: draw.randint(-9, 60) / 10 for column in range(whole)}
        terms = {column: a for column, a in terms.items() if a}
        terms[draw.choice([y, z])] = draw.choice([1.0, 0.37, 1.3])
        rows.append((f"r{row}", terms, draw.randint(5, 90) / 10, inf))
    return Model.from_rows(
        [f"x{column}" for column in range(whole)] + ["y", "z"],
        rows,
        [float(draw.randint(1, 9)) for _ in range(whole + 2)],
        column_upper=np.array([float(draw.choice([1, 1, 2])) for _ in range(whole)] + [inf, inf]),
        integer=np.arange(whole + 2) < whole,
    )


def points(draw: random.Random, program: WholeModel) -> Iterator[list[float]]:
    """Yield points within the bounds, at their ends or between; few of them are feasible."""
    for _ in range(12):
        ends = [
            (float(max(low, -50)), float(min(high, 50)))
            for low, high in zip(program.low, program.high, strict=True)
        ]
        yield [draw.choice([a, b, draw.uniform(a, b), draw.uniform(a, b)]) for a, b in ends]


def corners(program: WholeModel) -> Iterator[list[Fraction]]:
    """Yield all vertices of the continuous columns, for all values of the integer ones.

    Columns without an upper bound end far away.
    """
    whole = program.integers
    rest = range(whole, len(program.order))
    ends = list(zip(program.low, (min(one, 10**6) for one in program.high), strict=True))
    bounds = [({column: 1}, *ends[column]) for column in rest]
    for values in product(*(range(int(low), int(high) + 1) for low, high in ends[:whole])):
        sides, fit = [], True
        for terms, low, high in [*program.rows, *bounds]:
            fixed = sum(a * values[column] for column, a in terms.items() if column < whole)
            normal = [Fraction(terms.get(column, 0)) for column in rest]
            if any(normal):
                sides += [(normal, side - fixed) for side in {low, high} if math.isfinite(side)]
            else:
                fit = fit and low <= fixed <= high
        for some in combinations(sides, len(rest)) if fit else ():
            end = solve([normal for normal, _ in some], [Fraction(side) for _, side in some])
            point = None if end is None else [*map(Fraction, values), *end]
            if point is not None and holds([*program.rows, *bounds], point):
                yield point


def found(model: Model, seed: int) -> tuple[WholeModel, list[Row[int]]] | None:
    """Return the cuts that random points violate; some are variable bounds for later ones."""
    program = program_of(model)
    if not tighten(program, []):
        return None
    search, cuts = CutSearch(program), []
    for point in points(random.Random(seed), program):
        more = [cut for _, cut in search.separate(point)]
        for cut in more:
            search.note(cut)
        cuts += more
    return program, cuts


def check(models: Iterable[tuple[int, Model]], *, least: int) -> None:
    """Find cuts of models and compare them with all solutions."""
    number = 0
    for seed, model in models:
        answer = found(model, seed)
        if answer is None:
            continue
        program, cuts = answer
        number += len(cuts)
        for point in corners(program) if cuts else ():
            for terms, _, high in cuts:
                total = sum(a * point[column] for column, a in terms.items())
                assert total <= high, (seed, terms, high)
    assert number > least


def with_free_row(seed: int) -> Model:
    """A random model and a row without a side, which gives no cuts."""
    model = random_model(seed, continuous=1)
    columns = list(range(len(model.columns)))
    return model.with_row("free", columns, -math.inf, math.inf, [c + 1 for c in columns])


FAMILIES: dict[str, Callable[[int], Model]] = {
    "integer": random_model,
    "one continuous column": lambda seed: random_model(seed, continuous=1),
    "two continuous columns": lambda seed: random_model(seed, continuous=2),
    "variable bounds": mixed_model,
    "a free row": with_free_row,
    "endless columns": endless_model,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_some_cuts_hold_for_every_solution(family: str) -> None:
    check(((seed, FAMILIES[family](seed)) for seed in range(100, 160, 3)), least=1)


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_cuts_hold_for_every_solution(family: str) -> None:
    check(((seed, FAMILIES[family](seed)) for seed in range(160, 460)), least=10)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_rounded_cuts_hold_for_every_solution(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Coefficients are relaxed to numbers of few digits.
    monkeypatch.setattr(_cuts, "DIGITS", 3)
    check(((seed, FAMILIES[family](seed)) for seed in range(460, 1500)), least=50)


@pytest.mark.long
def test_relaxed_coefficients_keep_every_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cuts, "DIGITS", 3)
    for family in (mixed_model, endless_model):
        check(((seed, family(seed)) for seed in range(100, 160, 3)), least=1)


def test_relaxed_coefficients_need_one_bound_of_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where the nearest coefficient needs a bound that is missing, the one beside it will do.
    numbers = []
    for digits in (_cuts.DIGITS, 3):
        monkeypatch.setattr(_cuts, "DIGITS", digits)
        cuts = [found(endless_model(seed), seed) for seed in range(100, 160, 3)]
        numbers.append(sum(len(one[1]) for one in cuts if one is not None))
    assert 0 < 0.8 * numbers[0] < numbers[1]


def facilities() -> Model:
    """Return a fixed-charge model whose relaxation is weak: four sites serve a demand of 10."""
    rows: list[Any] = [(f"room{i}", {4 + i: 1.0, i: -4.0}, -inf, 0.0) for i in range(4)]
    rows.append(("need", {4 + i: 1.0 for i in range(4)}, 10.0, 10.0))
    return Model.from_rows(
        [f"open{i}" for i in range(4)] + [f"flow{i}" for i in range(4)],
        rows,
        [10.0, 11.0, 12.0, 13.0] + [1.0] * 4,
        integer=np.arange(8) < 4,
        column_upper=np.array([1.0] * 4 + [4.0] * 4),
    )


def root_bound(program: WholeModel, relaxation: NodeRelaxation) -> float:
    """Return the optimum of a relaxation."""
    ends = program.low[: program.integers], program.high[: program.integers]
    point = relaxation.solve(*ends, inf, None).point  # type: ignore[arg-type]
    return sum(cost * point[column] for column, cost in program.cost.items())


def test_cuts_close_the_gap_of_a_fixed_charge() -> None:
    program = program_of(facilities())
    tighten(program, [])
    relaxation = NodeRelaxation(program, cost=True)
    before = root_bound(program, relaxation)
    cuts = cuts_of(program, relaxation, inf)
    after = root_bound(program, relaxation)
    # Three of four sites are needed, not two and a half.
    assert before == pytest.approx(10 + 10 + 11 + 12 / 2)
    assert after == pytest.approx(10 + 10 + 11 + 12)
    assert cuts
    assert len(relaxation.scale) >= len(program.rows) + len(cuts)


def test_cuts_end_at_the_time_limit() -> None:
    program = program_of(facilities())
    tighten(program, [])
    over = Deadline(1.0)
    over.started -= 2.0
    assert not cuts_of(program, NodeRelaxation(program, cost=True), inf, over)


@pytest.mark.parametrize("seed", range(3))
def test_cuts_close_the_gap_of_lot_sizes(seed: int) -> None:
    # Set-ups, amounts and stocks of eight periods; the inequalities of several periods are needed.
    draw, periods = random.Random(seed), 8
    demand = [draw.randint(5, 30) for _ in range(periods)]
    rows: list[Any] = []
    for t in range(periods):
        rest = float(sum(demand[t:]))
        rows.append((f"setup{t}", {periods + t: 1.0, t: -rest}, -inf, 0.0))
        terms = {periods + t: 1.0, 2 * periods + t: -1.0}
        if t:
            terms[2 * periods + t - 1] = 1.0
        rows.append((f"balance{t}", terms, float(demand[t]), float(demand[t])))
    model = Model.from_rows(
        [f"{kind}{t}" for kind in ("open", "amount", "stock") for t in range(periods)],
        rows,
        [float(draw.randint(20, 90)) for _ in range(periods)] + [0.0] * periods + [1.0] * periods,
        column_upper=np.array([1.0] * periods + [inf] * (2 * periods)),
        integer=np.arange(3 * periods) < periods,
    )
    program = program_of(model)
    tighten(program, [])
    # A set-up bounds its amount; only the balances are aggregated.
    search = _cuts.CutSearch(program)
    ends = [program.rows[number].bounds for number in search.bases]
    assert [low == high for low, high in ends] == [True] * periods
    assert search.variable == {periods + t: [(True, t, 0, sum(demand[t:]))] for t in range(periods)}
    relaxation = NodeRelaxation(program, cost=True)
    before = root_bound(program, relaxation)
    cuts_of(program, relaxation, inf)
    after = root_bound(program, relaxation)
    (best,) = {one.objective for one in PoolSearch(model, Goal(optimal=True))}
    assert after <= best / program.unit + 1e-6
    assert after - before > 0.98 * (float(best / program.unit) - before)


def value_of_rest(search: CutSearch, column: int) -> float:
    """Return the value of a variable from 0 on at the point of a search, or of a row's slack."""
    if column >= search.width:
        return search.slack_of(column - search.width)[0]
    return search.nearest[column].inside


def violation_by_definition(
    search: CutSearch, equation: tuple[Any, Any], sign: int, complemented: Any, delta: float
) -> float:
    """Return by how much the point of a search violates a rounded equation, by its length."""
    terms, right = equation
    plan: Any = {c: near.chosen for c in terms if (near := search.nearest.get(c))}
    signed = {column: sign * a for column, a in terms.items()}
    scale = math.lcm(*(x.denominator for one in plan.values() for x in (one.base, one.slope)))
    of_integers, rest, side = search.transformed(signed, sign * right, plan, complemented, scale)
    side, part = math.floor(side / scale / delta), side / scale / delta % 1
    total, length = -float(side), 0.0
    for column, a in of_integers.items():
        low, high = search.low[column], search.high[column]
        value = search.point[column]
        down, left = divmod(a / scale / delta, 1)
        g = down + max(0.0, left - part) / (1 - part)
        total += g * float(high - value if column in complemented else value - low)
        length += g * g
    for column, a in rest.items():
        total += min(0.0, a / scale / delta) * value_of_rest(search, column) / (1 - part)
    return total / math.sqrt(length) if 0.01 < part < 0.99 and length else 0.0


@pytest.mark.parametrize("make", [mixed_model, endless_model])
def test_no_rounding_that_the_search_passes_over_is_more_violated(
    make: Callable[[int], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, quiet = 0, 0
    usual = CutSearch.rounded

    def checked(self: CutSearch, *equation: Any) -> Any:
        nonlocal seen, quiet
        sign, answer = usual(self, *equation)
        terms, right = equation
        plan = {c: near.chosen for c in terms if (near := self.nearest.get(c))}
        if None in plan.values():
            assert answer is None
            return sign, answer
        least = _cuts.VIOLATED
        if answer is not None:
            seen += 1
            least = answer.violation
            own = violation_by_definition(self, equation, sign, answer.complemented, answer.delta)
            assert own == pytest.approx(least, rel=1e-6, abs=1e-6)
        usual_ones = {c for c in range(self.program.integers) if c in self.at_upper}
        scale = math.lcm(*(x.denominator for one in plan.values() for x in (one.base, one.slope)))
        steps, rest, side = self.transformed(terms, right, plan, (), scale)
        lack = sum(a * (self.point[column] - self.low[column]) for column, a in steps.items())
        lack += sum(a * value_of_rest(self, column) for column, a in rest.items()) - side
        if abs(lack) > 1e-9 * scale * max(map(abs, terms.values())):
            return sign, answer  # the point violates one of the rows or the variable bounds
        for column, a in steps.items():
            ends = self.low[column], self.high[column]
            if a and min(abs(self.point[column] - end) for end in ends) > _cuts.NEAR:
                for one in (1, -1):
                    delta = abs(a) / scale
                    other = violation_by_definition(self, equation, one, usual_ones, delta)
                    assert other <= least + 1e-6
                    quiet += answer is None
        return sign, answer

    monkeypatch.setattr(CutSearch, "rounded", checked)
    for seed in range(300):
        found(make(seed), seed)
    assert seen > 300
    assert quiet > 300


def flow(low: float) -> CutSearch:
    """Return the search for cuts of a flow y of at most 4 x, and of a row with both."""
    bound = "bound", {2: 1.0, 0: -4.0}, -inf, 0.0
    model = Model.from_rows(
        list("xzy"),
        [bound, ("r", {0: 3.0, 1: 3.0, 2: 1.0}, 2.5, inf)],
        [1.0, 1.0, 1.0],
        column_lower=np.array([0.0, 0.0, low]),
        column_upper=np.array([2.0, 1.0, inf]),
        integer=np.arange(3) < 2,
    )
    return CutSearch(program_of(model))


def test_a_variable_bound_as_near_as_a_constant_one_is_the_nearest() -> None:
    search = flow(0.0)
    for x, y, column in ((0.0, 0.0, 0), (1.0, 4.0, 0), (1.0, 1.0, -1)):
        search.go_to([x, 0.0, y])
        assert search.substitute(2).column == column
    search.high[2] = 4
    search.sides.clear()
    search.go_to([1.0 + 1e-7, 0.0, 3.9])
    assert search.substitute(2).chosen == (True, 0, 0, 4)


def test_a_row_with_a_column_without_a_bound_is_not_rounded() -> None:
    point = [2.5 / 3, 0.0, 0.0]
    assert len(flow(0.0).separate(point)) == 1
    search = flow(-inf)
    search.variable.clear()
    assert search.separate(point) == []
    assert search.boundless == {2}


def test_what_was_tried_at_a_point_gives_few_other_cuts() -> None:
    class Forgetful(set[Any]):
        def __contains__(self, _: object) -> bool:
            return False

    times = more = 0
    for seed in range(100):
        program = program_of(mixed_model(seed))
        search, other = CutSearch(program), CutSearch(program)
        other.tried = Forgetful()
        for point in points(random.Random(seed), program):
            cuts = search.separate(point)
            assert search.separate(point) == cuts
            # The negative of a row may be rounded otherwise.
            others = other.separate(point)
            assert all(cut in others for cut in cuts)
            times, more = times + len(cuts), more + len(others) - len(cuts)
    assert 0 < 50 * more < times


def test_cuts_of_no_use_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", -(10**9))  # relaxations from the start
    draw = random.Random(1)
    weights = {column: float(draw.randint(10, 30)) for column in range(15)}
    model = Model.from_rows(
        [f"x{column}" for column in weights],
        [("room", weights, -inf, 140.5)],
        [-weight - draw.randint(1, 9) for weight in weights.values()],
    )
    usual = PoolSearch(model, Goal(best=5))
    objectives = [one.objective for one in usual]
    assert usual.statistics.cuts > 0
    monkeypatch.setattr(_cuts, "WORTH", 1e9)
    search = PoolSearch(model, Goal(best=5))
    # HiGHS has had rows that the arrays of the compiled loops do not.
    assert [one.objective for one in search] == objectives
    assert search.complete
    assert search.statistics.cuts == 0


def searched(model: Model, goal: Goal) -> tuple[list[Any], int]:
    """Return the sorted pool of a complete search, and how often cuts were looked for."""
    times = 0
    usual = _cuts.cuts_of

    def counted(*given: Any) -> list[Row[int]]:
        nonlocal times
        times += 1
        return usual(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cuts, "cuts_of", counted)
        search = PoolSearch(model, goal)
        found = [(one.objective, sorted(one.point.items())) for one in search]
    assert search.complete
    return sorted(found), times


@pytest.mark.long
def test_cuts_serve_lower_cutoffs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    every = searched(facilities(), Goal(optimal=True))
    assert every[1] == 1
    goals = [Goal(optimal=True), Goal(gap=Fraction(1, 2)), Goal(best=6)]
    models = [facilities(), *map(mixed_model, range(12))]
    monkeypatch.setattr(module, "WORK_BEFORE_RELAXATIONS", -(10**9))
    some = [searched(model, goal) for model in models for goal in goals]
    monkeypatch.setattr(module.KnownCuts, "hold", lambda *_: False)
    assert searched(facilities(), Goal(optimal=True)) == (every[0], 2)
    again = [searched(model, goal) for model in models for goal in goals]
    assert [pool for pool, _ in some] == [pool for pool, _ in again]
    assert sum(times for _, times in some) < sum(times for _, times in again)


def test_cuts_hold_for_their_program_up_to_their_limit() -> None:
    program, other = program_of(facilities()), program_of(facilities())
    known = module.KnownCuts(program, Fraction(5), [])
    assert known.hold(program, Fraction(5))
    assert not known.hold(other, Fraction(5))
    assert not known.hold(program, Fraction(11, 2))
    assert not known.hold(program, None)
    assert module.KnownCuts(program, None, []).hold(program, None)


def test_integer_values_are_completed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[tuple[int, Any], ...]] = []
    usual = ExactLp.solve

    def noted(self: ExactLp, values: Any, *rest: Any, **named: Any) -> Any:
        asked.append(tuple(sorted(values.items())))
        return usual(self, values, *rest, **named)

    monkeypatch.setattr("calmip.mip.pool.other_point", lambda *_: None)
    monkeypatch.setattr(ExactLp, "solve", noted)
    found, _ = searched(facilities(), Goal(best=6))
    assert len(found) == 5
    assert len(asked) == len(set(asked)) >= 5
    monkeypatch.setattr(module, "MAX_COMPLETIONS", 0)
    asked.clear()
    assert searched(facilities(), Goal(best=6))[0] == found
    assert len(asked) > len(set(asked))


def test_a_lost_solution_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = _cuts.cuts_of

    def wrong(*given: Any) -> list[Row[int]]:
        return [(terms, low, high - 1) for terms, low, high in usual(*given)]

    pool = list(PoolSearch(facilities(), Goal(within=3)))
    monkeypatch.setattr(_cuts, "cuts_of", wrong)
    assert len(list(PoolSearch(facilities(), Goal(within=3)))) < len(pool) == 4


def test_numbers_beyond_floating_point_give_no_cuts() -> None:
    rows: list[Any] = [
        ("a", {0: 3.0, 2: 7e280, 3: -1e250}, -inf, 2e281),
        ("b", {1: 7e270, 2: -1.5, 3: 1e290}, 1e289, inf),
    ]
    model = Model.from_rows(
        list("xuyz"),
        rows,
        [-1.0, -2.0, 3.0, 4.0],
        integer=np.arange(4) < 2,
        column_upper=np.array([2.0, 3.0, 4.0, 5.0]),
    )
    program = program_of(model)
    search = CutSearch(program)
    assert program.rows[0][1:] == (-inf, 2 * 10**281)
    for point in points(random.Random(1), program):
        for _, (terms, _, high) in search.separate(point):
            assert max(*map(abs, terms.values()), abs(high)) < 2**60
    pool = PoolSearch(model, Goal(best=3))
    assert len(list(pool)) == 3
    assert pool.complete


def test_a_row_that_overflows_gives_no_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: Any) -> None:
        raise OverflowError

    monkeypatch.setattr(CutSearch, "from_row", overflow)
    search = PoolSearch(facilities(), Goal(optimal=True))
    assert [one.objective for one in search] == [43]
    assert search.complete
