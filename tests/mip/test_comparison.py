"""Two models compared: against brute force, with liars, and at the limits."""

from __future__ import annotations

import itertools
import math
import random
from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from calmip._base.highs import HighsModel
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare import comparison
from calmip.mip.compare.comparison import Inclusion, include
from calmip.mip.compare.elimination import project
from calmip.mip.compare.implication import ByHighs, Implications
from calmip.mip.compare.objective_equivalence import compare_objectives
from calmip.mip.lp.inequality import Basis, HalfSpace
from calmip.mip.model import Model, Number

Rows = list[tuple[str, dict[int, float], float, float]]
Box = tuple[Rows, list[float], list[float]]


def model_of(box: Box, names: Sequence[str] = (), **others: Any) -> Model:
    rows, low, high = box
    others.setdefault("integer", array("b", [1] * len(low)))
    return Model.from_rows(
        names or [f"x{c}" for c in range(len(low))],
        rows,
        column_lower=array("d", low),
        column_upper=array("d", high),
        **others,
    )


def random_box(chance: random.Random, width: int, height: int) -> Box:
    """Rows around a random point, so that most models have solutions."""
    low = [float(chance.choice([0, 0, 0, -1])) for _ in range(width)]
    high = [end + chance.choice([1, 1, 2, 3]) for end in low]
    point = [chance.randint(int(a), int(b)) for a, b in zip(low, high, strict=True)]
    rows: Rows = []
    for number in range(height):
        columns = sorted(chance.sample(range(width), chance.randint(1, width)))
        terms = {c: float(chance.choice([-3, -2, -1, 1, 2, 3, 0.5, 1.5])) for c in columns}
        total = sum(value * point[c] for c, value in terms.items())
        slack = chance.choice([0, 0, 1, 1.5, 2])
        ends = chance.choice(
            [
                (-math.inf, total + slack),
                (-math.inf, total + slack),
                (total - slack, math.inf),
                (total, total),
                (total - chance.randint(0, 3), total),
            ]
        )
        rows.append((f"r{number}", terms, *ends))
    return rows, low, high


def edited(chance: random.Random, box: Box) -> Box:
    """A model with one change, which may leave its solutions as they are."""
    rows = [(name, dict(terms), low, high) for name, terms, low, high in box[0]]
    lower, upper = list(box[1]), list(box[2])
    number = chance.randrange(len(rows))
    name, terms, low, high = rows[number]
    match chance.randrange(7):
        case 0:
            terms[chance.choice(list(terms))] += chance.choice([-1, 1])
        case 1:
            rows[number] = name, terms, low + 1, high + 1
        case 2:
            rows.append(("weak", dict(terms), low - 1, high + 1))
        case 3:
            upper[chance.randrange(len(upper))] += 1
        case 4:
            rows[number] = name, {c: -2 * v for c, v in terms.items()}, -2 * high, -2 * low
        case 5:
            chance.shuffle(rows)
        case _:
            _, more, least, most = rows[chance.randrange(len(rows))]
            total = {c: terms.get(c, 0) + more.get(c, 0) for c in terms.keys() | more.keys()}
            rows.append(("sum", total, low + least, high + most))
    return rows, lower, upper


def solutions(model: Model, width: int) -> set[tuple[int, ...]]:
    """The values of the first columns in all solutions, by trying all points."""
    ends = zip(model.values("column_lower"), model.values("column_upper"), strict=True)
    every = itertools.product(*(range(int(low), int(high) + 1) for low, high in ends))
    return {
        point[:width]
        for point in every
        if next(model.violations({c: v for c, v in enumerate(point) if v}), None) is None
    }


def judge(found: Inclusion, one: set[tuple[int, ...]], other: set[tuple[int, ...]]) -> None:
    assert found.holds is (one <= other)
    if not found.holds:
        assert found.point is not None
        assert found.violations or found.reason
        assert not found.sides or any(side.holds is False for side in found.sides)
        width = len(next(iter(one)))
        point = tuple(found.point.get(c, 0) for c in range(width))
        assert point in one - other


def compare_random(seed: int, further: int = 0) -> None:
    """Compare two random models on the columns but the last ones."""
    chance = random.Random(seed)
    width = chance.randint(2, 4) + further
    box = random_box(chance, width, chance.randint(1, 4))
    again = chance.random() < 0.85
    second = edited(chance, box) if again else random_box(chance, width, 2)
    shared = width - further
    names = [*(f"x{c}" for c in range(shared)), *(f"z{c}" for c in range(further))]
    one, other = model_of(box), model_of(second, names)
    columns = {c: c for c in range(shared)}
    sets = solutions(one, shared), solutions(other, shared)
    judge(include(one, other, columns), *sets)
    judge(include(other, one, columns), *reversed(sets))


def test_random_pairs_against_brute_force() -> None:
    for seed in range(25):
        compare_random(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_three_thousand_random_pairs_against_brute_force(block: int) -> None:
    for seed in range(1000 + 300 * block, 1300 + 300 * block):
        compare_random(seed)


def test_random_pairs_with_further_columns_against_brute_force() -> None:
    for seed in range(8):
        compare_random(seed, further=1 + seed % 2)


@pytest.mark.slow
def test_more_random_pairs_with_further_columns() -> None:
    for seed in range(500):
        compare_random(seed, further=1 + seed % 2)


SAME = {0: 0, 1: 1}
LOOSE: Rows = [("r", {0: 1.0, 1: 1.0}, -math.inf, 1.0)]
BOX = [0.0, 0.0], [1.0, 1.0]


def loose() -> Model:
    return model_of((LOOSE, *BOX))


def tight() -> Model:
    return model_of(([*LOOSE, ("s", {0: 2.0, 1: -1.0}, -math.inf, 0.0)], *BOX))


class Liar(ByHighs):
    """A solver that calls every violation infeasible, or proposes points that are none."""

    def __init__(self, status: str, point: Sequence[float] | None = None) -> None:
        self.status, self.point = status, point

    def linear(self, asked: Implications) -> HighsModel:
        raise OverflowError

    def violation(
        self, asked: Implications, half: HalfSpace, seconds: float, *, strict: bool = False
    ) -> tuple[str, Sequence[float] | None]:
        return self.status, self.point

    def best(
        self, asked: Implications, cost: Mapping[int, Number], seconds: float
    ) -> Sequence[float] | None:
        return self.point

    def smallest(
        self, asked: Implications, point: Mapping[int, Number], half: HalfSpace, seconds: float
    ) -> Sequence[float] | None:
        return self.point


LIARS = {
    "infeasible": Liar("Infeasible"),
    "either": Liar("Primal infeasible or unbounded"),
    "nothing": Liar("Unknown"),
    "a wrong point": Liar("Optimal", [1.0, 1.0]),
    "a point that violates nothing": Liar("Optimal", [0.0, 0.0]),
    "no numbers": Liar("Optimal", [math.nan, math.inf]),
}


@pytest.mark.parametrize("name", LIARS)
def test_a_lying_solver_is_found_out(name: str) -> None:
    judge(
        include(loose(), tight(), SAME, solver=LIARS[name]),
        {(0, 0), (1, 0), (0, 1)},
        {(0, 0), (0, 1)},
    )
    assert include(tight(), loose(), SAME, solver=LIARS[name]).proved


def knapsack(weights: Sequence[float], most: float) -> Model:
    terms = dict(enumerate(weights))
    size = len(terms)
    return model_of(([("weight", terms, -math.inf, most)], [0.0] * size, [1.0] * size))


def test_a_solver_s_word_is_no_proof_and_unknown_is_never_the_same() -> None:
    """Once the time is over, nothing is claimed."""
    one, other = knapsack([5.0, 7.0, 11.0, 13.0], 19.0), knapsack([5.0, 7.0, 11.0, 14.0], 19.0)
    columns = {c: c for c in range(4)}
    claimed = include(one, other, columns, Deadline(1e-9), Liar("Infeasible"))
    assert (claimed.holds, claimed.proved) == (None, False)
    silent = include(one, other, columns, Deadline(1e-9), Liar("Time limit reached"))
    assert (silent.holds, silent.proved) == (None, False)


def test_a_claim_that_no_search_repeats_is_labelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Implications, "search", lambda *_: (None, {}))
    found = include(loose(), tight(), SAME, solver=Liar("Infeasible"))
    assert (found.holds, found.proved) == (True, False)
    assert [side.name for side in found.sides if side.basis is Basis.SOLVER] == ["s"]
    silent = include(loose(), tight(), SAME, solver=Liar("Unknown"))
    assert (silent.holds, silent.proved) == (None, False)


def test_what_each_answer_rests_on() -> None:
    rows: Rows = [
        ("scaled", {0: -3.0, 1: -3.0}, -3.0, math.inf),
        ("bounds", {0: 1.0, 1: -1.0}, -1.0, 1.0),
        ("sum", {0: 2.0, 1: 1.0}, -math.inf, 2.0),
    ]
    found = include(loose(), model_of((rows, *BOX)), SAME)
    bases = {side.name: side.basis for side in found.sides}
    assert bases["scaled"] is Basis.ROW
    assert (bases["bounds"], bases["sum"]) == (Basis.BOUNDS, Basis.LINEAR)
    assert found.proved
    assert found.relaxed


def test_a_tighter_big_m_follows_from_strengthened_rows() -> None:
    """What is sent is at most 100 where the arc is open; another row allows at most 5."""
    cap: Rows = [("cap", {0: 1.0, 2: 1.0}, -math.inf, 5.0)]

    def arc(most: float) -> Model:
        rows = [*cap, ("open", {0: 1.0, 1: -most}, -math.inf, 0.0)]
        return model_of((rows, [0.0] * 3, [200.0, 1.0, 200.0]), integer=array("b", [0, 1, 0]))

    columns = {c: c for c in range(3)}
    found = include(arc(100.0), arc(5.0), columns)
    assert found.proved
    bases = {side.name: side.basis for side in found.sides if side.kind == "row"}
    assert bases == {"cap": Basis.ROW, "open": Basis.STRENGTHENED}
    assert found.relaxed is False
    assert include(arc(100.0), arc(4.0), columns).holds is False
    # Without the integrality that allows it, there is a point.
    loose = arc(100.0).changed(integer=array("b", [0, 0, 0]))
    assert include(loose, arc(5.0).changed(integer=array("b", [0, 0, 0])), columns).holds is False


def test_a_clique_follows_from_its_pairs() -> None:
    """Of four pairwise exclusive columns at most one is chosen; the relaxation allows 2."""
    pairs: Rows = [
        (f"e{a}{b}", {a: 3.0, b: 2.0, 4: -2.0}, -math.inf, 3.0)
        for a, b in itertools.combinations(range(4), 2)
    ]
    clique: Rows = [("clique", dict.fromkeys(range(4), 2.0), -math.inf, 3.0), *pairs]
    box, columns = ([0.0] * 5, [1.0] * 5), {c: c for c in range(5)}
    found = include(model_of((pairs, *box)), model_of((clique, *box)), columns)
    assert found.holds is False  # the fifth column allows both
    closed = [0.0] * 5, [1.0] * 4 + [0.0]
    one, other = model_of((pairs, *closed)), model_of((clique, *closed))
    found = include(one, other, columns)
    assert found.proved
    assert found.sides[0].basis is Basis.STRENGTHENED
    assert found.relaxed is False
    missing = model_of((pairs[1:], *closed))
    assert include(missing, other, columns).holds is False


def test_a_search_closes_what_the_relaxation_leaves_open() -> None:
    """Of five columns in a cycle at most two are chosen; the relaxation allows 5 in two cycles."""
    edges: Rows = [
        (f"e{a}", {a: 1.0, a // 5 * 5 + (a + 1) % 5: 1.0}, -math.inf, 1.0) for a in range(10)
    ]
    cycles: Rows = [("cycles", dict.fromkeys(range(10), 1.0), -math.inf, 4.0), *edges]
    box, columns = ([0.0] * 10, [1.0] * 10), {c: c for c in range(10)}
    one, other = model_of((edges, *box)), model_of((cycles, *box))
    found = include(one, other, columns)
    assert found.proved
    assert found.sides[0].basis is Basis.SEARCH
    assert found.relaxed is False
    back = include(other, one, columns)
    assert (back.proved, back.relaxed) == (True, True)


def test_a_continuous_column_that_must_be_integer() -> None:
    integer = model_of(([], [0.0], [2.0]))
    free = model_of(([], [0.0], [2.0]), integer=array("b", [0]))
    assert include(integer, free, {0: 0}).proved
    found = include(free, integer, {0: 0})
    assert found.holds is False
    assert [each.kind for each in found.violations] == ["integrality"]
    # An equation may make a column integral all the same.
    rows: Rows = [("sum", {0: 1.0, 1: 2.0}, 4.0, 4.0)]
    mixed = model_of((rows, [0.0, 0.0], [9.0, 9.0]), integer=array("b", [0, 1]))
    assert include(mixed, model_of((rows, [0.0, 0.0], [9.0, 9.0])), SAME).proved


def test_a_violation_of_continuous_columns_is_exact() -> None:
    """The greatest value is one third; a side of 0.3333 is violated, 1/3 is not."""
    rows: Rows = [("r", {0: 3.0, 1: 1.0}, -math.inf, 1.0)]
    kinds = array("b", [0, 1])
    one = model_of((rows, [0.0, 0.0], [9.0, 9.0]), integer=kinds)
    cut = model_of(([("c", {0: 1.0}, -math.inf, 0.3333)], [0.0, 0.0], [9.0, 9.0]), integer=kinds)
    found = include(one, cut, SAME)
    assert found.holds is False
    assert found.point is not None
    assert Fraction(3333, 10000) < found.point[0] <= Fraction(1, 3)


def test_an_empty_model_is_inside_every_other() -> None:
    empty = model_of(([("no", {0: 1.0, 1: 1.0}, 3.0, math.inf)], *BOX))
    assert include(empty, tight(), SAME).proved
    judge(include(loose(), empty, SAME), {(0, 0), (1, 0), (0, 1)}, set())


def test_unbounded_models() -> None:
    ray = model_of(
        ([("r", {0: 1.0, 1: -1.0}, 0.0, 0.0)], [0.0, 0.0], [math.inf] * 2),
        integer=array("b", [0, 0]),
    )
    box = model_of(([], [0.0, 0.0], [5.0, 5.0]), integer=array("b", [0, 0]))
    found = include(ray, box, SAME)
    assert found.holds is False
    assert found.point is not None
    assert found.point[0] == found.point[1] > 5


def test_numbers_that_differ_by_rounding_are_labelled() -> None:
    def third(value: float) -> Model:
        row = ("r", {0: value, 1: 0.7}, -math.inf, 1.1)
        return model_of(([row], [0.0, 0.0], [9.0, 9.0]), integer=array("b", [0, 0]))

    found = include(third(1 / 3), third(0.333333333333333), SAME)
    assert (found.holds, found.proved) == (True, False)
    assert {side.basis for side in found.sides if side.kind == "row"} == {Basis.ROUNDING}
    assert include(third(1 / 3), third(0.3333), SAME).proved
    assert include(third(0.3333), third(1 / 3), SAME).holds is False


def test_a_row_without_columns() -> None:
    wrong = model_of(([("no", {}, 1.0, 1.0)], *BOX))
    right = model_of(([("yes", {}, 0.0, 0.0)], *BOX))
    assert include(wrong, right, SAME).holds
    assert include(right, wrong, SAME).holds is False


def test_slacks_and_flows_are_projected_out() -> None:
    slack = model_of(([("r", {0: 1.0, 1: 1.0, 2: 1.0}, 1.0, 1.0)], [0.0] * 3, [1.0, 1.0, math.inf]))
    left = project(slack, [2])
    assert not left.left
    assert [(row.low, row.high) for row in left.rows] == [(-math.inf, 1)]
    assert include(slack, loose(), SAME).proved
    assert include(loose(), slack, SAME).proved


def test_further_integer_columns_are_tried_point_by_point() -> None:
    """x0 + x1 is even, by a column that no elimination removes."""
    even: Rows = [("even", {0: 1.0, 1: 1.0, 2: -2.0}, 0.0, 0.0)]
    one = model_of((even, [0.0] * 3, [1.0] * 3))
    judge(include(loose(), one, SAME), {(0, 0), (1, 0), (0, 1)}, {(0, 0), (1, 1)})
    equal = model_of(([("equal", {0: 1.0, 1: -1.0}, 0.0, 0.0)], *BOX))
    assert include(equal, one, SAME).proved
    assert include(one, equal, SAME).proved


def order(cities: int, *, fault: bool = False) -> Model:
    """Tours by the order of Miller, Tucker and Zemlin, whose columns no elimination removes."""
    arcs = [(i, j) for i in range(cities) for j in range(cities) if i != j]
    place = {arc: number for number, arc in enumerate(arcs)}
    width = len(arcs)
    rows: Rows = []
    for i in range(cities):
        rows.append((f"out{i}", {place[a]: 1.0 for a in arcs if a[0] == i}, 1.0, 1.0))
        rows.append((f"in{i}", {place[a]: 1.0 for a in arcs if a[1] == i}, 1.0, 1.0))
    for i, j in arcs[fault:]:
        if i and j:
            terms = {width + i - 1: 1.0, width + j - 1: -1.0, place[i, j]: float(cities - 1)}
            rows.append((f"order{i}{j}", terms, -math.inf, cities - 2 - fault * (i == 1)))
    more = cities - 1
    return model_of(
        (rows, [0.0] * width + [1.0] * more, [1.0] * width + [float(more)] * more),
        [*(f"x{i}{j}" for i, j in arcs), *(f"u{i}" for i in range(1, cities))],
        integer=array("b", [1] * width + [0] * more),
    )


def subtours(cities: int) -> Model:
    """Tours by a row for each set of cities."""
    model = order(cities)
    arcs = cities * (cities - 1)
    names = [tuple(map(int, name[1:])) for name in model.columns[:arcs]]
    rows: Rows = []
    for number in range(2 * cities):
        terms, low, high = model.exact_row(number)
        rows.append((model.rows[number], {c: float(v) for c, v in terms.items()}, low, high))
    for size in range(2, cities):
        for some in itertools.combinations(range(1, cities), size):
            inside = {c: 1.0 for c, (i, j) in enumerate(names) if i in some and j in some}
            rows.append((f"set{some}", inside, -math.inf, size - 1.0))
    return model_of((rows, [0.0] * arcs, [1.0] * arcs), model.columns[:arcs])


def test_tours_by_an_order_and_by_sets_of_cities(monkeypatch: pytest.MonkeyPatch) -> None:
    sets, orders = subtours(4), order(4)
    columns = {c: c for c in range(12)}
    assert include(sets, orders, columns).proved
    assert include(orders, sets, columns).proved
    found = include(sets, order(4, fault=True), columns)
    assert found.holds is False
    assert "further columns satisfy rows" in found.reason
    # The exact search for multipliers decides without trying all tours.
    monkeypatch.setattr(comparison, "MAX_POINTS", 1)
    proved = include(sets, orders, columns)
    assert proved.proved
    assert [side.basis for side in proved.sides if side.name.startswith("order")] == (
        [Basis.SEARCH] * 6
    )
    assert include(sets, orders, columns, solver=LIARS["nothing"]).proved
    # Without it, it is HiGHS's word.
    monkeypatch.setattr(Implications, "search", lambda *_: (None, {}))
    claimed = include(sets, orders, columns)
    assert (claimed.holds, claimed.proved) == (True, False)
    silent = include(sets, orders, columns, solver=LIARS["nothing"])
    assert (silent.holds, silent.proved) == (None, False)


def costs(cost: Sequence[float], rows: Rows, **others: Any) -> Model:
    return model_of((rows, [0.0] * 3, [1.0] * 3)).changed(cost=array("d", cost), **others)


ONE: Rows = [("one", {0: 1.0, 1: 1.0, 2: 1.0}, 1.0, 1.0)]


@pytest.mark.parametrize(
    ("cost", "others", "relation", "factor", "shift"),
    [
        ([1, 2, 3], {}, "same", 1, 0),
        ([1, 2, 3], {"offset": 4.0}, "shifted", 1, 4),
        ([2, 4, 6], {}, "scaled", 2, 0),
        ([-1, -2, -3], {}, "reversed", -1, 0),
        ([2, 3, 4], {}, "shifted", 1, 1),
        ([3, 5, 7], {}, "scaled", 2, 1),
        ([3, 1, 2], {}, "different", 1, 0),
    ],
)
def test_objectives(
    cost: list[float], others: dict[str, Any], relation: str, factor: int, shift: int
) -> None:
    one, other = costs([1, 2, 3], ONE), costs(cost, ONE, **others)
    found = compare_objectives(one, other, {c: c for c in range(3)}, ENDLESS, same=True)
    assert (found.relation, found.factor, found.shift) == (relation, factor, shift)
    if relation == "different":
        first, second = (
            (one.exact_objective(point), other.exact_objective(point)) for point in found.points
        )
        assert first[0] <= second[0]
        assert first[1] >= second[1]
        assert first != second
    else:
        for point in ({0: 1}, {1: 1}, {2: 1}):
            values = one.exact_objective(point), other.exact_objective(point)
            assert values[1] == factor * values[0] + shift


def test_objectives_of_models_that_may_differ_are_not_judged() -> None:
    """Other coefficients are a difference only at solutions, and a sign only at two of them."""
    columns = {c: c for c in range(3)}
    one = costs([1, 2, 3], ONE)
    for cost in ([3.0, 1.0, 2.0], [-1.0, -2.0, -3.0]):
        found = compare_objectives(one, costs(cost, ONE), columns, ENDLESS, same=False)
        assert (found.relation, found.ranks_alike) == ("unlike", None)
    point: Rows = [*ONE, ("first", {0: 1.0}, 1.0, 1.0)]
    found = compare_objectives(
        costs([1, 2, 3], point), costs([-1, -2, -3], point), columns, ENDLESS, same=True
    )
    assert found.ranks_alike is not False


def test_objectives_that_inequalities_make_equal() -> None:
    """Every solution has x0 = x1, though no equation says so."""
    rows: Rows = [
        ("a", {0: 1.0, 1: -1.0}, -math.inf, 0.0),
        ("b", {0: 1.0, 1: -1.0}, 0.0, math.inf),
    ]
    found = compare_objectives(
        costs([2, 0, 1], rows), costs([0, 2, 1], rows), {c: c for c in range(3)}, ENDLESS, same=True
    )
    assert (found.relation, found.by_rows) == ("same", True)
