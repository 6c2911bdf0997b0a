"""Subsystems are infeasible and irreducible, as trying every point says."""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import calmip
from calmip._base.bits import bits
from calmip._base.highs import HighsModel, load
from calmip._base.limits import Deadline
from calmip.mip import kernel
from calmip.mip.iis import constraint_sets as members
from calmip.mip.iis import subsystem
from calmip.mip.iis.constraint_sets import (
    FIRST_NODES,
    Member,
    MemberAnswer,
    Members,
    MemberTest,
    exact_model,
)
from calmip.mip.iis.least_change import find_repairs
from calmip.mip.iis.refutation import RefutationTree, TreeTest
from calmip.mip.iis.subsystem import SEARCH, Subsystem, Subsystems
from calmip.mip.iis.switched_tree import without_implied
from calmip.mip.model import Model, Number

INFINITE = float("inf")
Values = Mapping[int, Number]


def some_long(firsts: Sequence[Any]) -> list[Any]:
    """Return blocks of seeds, or the first seed or number of each: the first block runs always."""
    return [firsts[0], *(pytest.param(first, marks=pytest.mark.long) for first in firsts[1:])]


def random_model(seed: int) -> Model:
    """Return a small model with integer, and perhaps continuous, columns within bounds."""
    rng = random.Random(seed)
    columns = rng.randint(1, 4)
    bounds = [tuple(sorted((rng.randint(-1, 2), rng.randint(0, 3)))) for _ in range(columns)]
    integer = [rng.random() < (0.7 if seed % 3 == 0 else 1.1) for _ in range(columns)]
    rows = []
    for number in range(rng.randint(1, 6)):
        terms = {
            c: rng.choice([-3, -2, -1, 1, 2, 3, Fraction(1, 2)])
            for c in range(columns)
            if rng.random() < 0.7
        }
        low, high = sorted((rng.randint(-4, 6), rng.randint(-4, 6)))
        sides = rng.choice([(low, high), (low, INFINITE), (-INFINITE, high), (high, high)])
        rows.append((f"r{number}", terms, *sides))
    return exact_model([f"x{c}" for c in range(columns)], bounds, integer, rows)  # type: ignore[arg-type]


def points(model: Model, spread: int = 0, parts: int = 1) -> Iterable[tuple[Fraction, ...]]:
    """Return all points of a grid within the bounds, or a little outside them."""
    columns = range(len(model.columns))
    ranges = []
    for column in columns:
        low, high = model.bounds(column)
        numbers = range((int(low) - spread) * parts, (int(high) + spread) * parts + 1)
        ranges.append([Fraction(number, parts) for number in numbers])
    return itertools.product(*ranges)


def holds(model: Model, member: Member, point: tuple[Fraction, ...]) -> bool:
    """Return whether a point satisfies a member; independent of the program."""
    if member.kind == "row":
        terms, low, high = model.exact_row(member.number)
        return low <= sum(value * point[column] for column, value in terms.items()) <= high
    value = point[member.number]
    low, high = model.bounds(member.number)
    return {"lower": value >= low, "upper": value <= high}.get(member.kind, value.denominator == 1)


def dense(model: Model, values: Values) -> tuple[Fraction, ...]:
    return tuple(Fraction(values.get(column, 0)) for column in range(len(model.columns)))


def is_right(model: Model, found: Subsystem, given: Iterable[Member] = ()) -> None:
    """Check each witness, and that no point of a grid satisfies all members."""
    every = [*found.members, *given]
    assert found.irreducible
    for member in found.members:
        point = dense(model, found.witnesses[member])
        assert not holds(model, member, point), member
        assert all(holds(model, other, point) for other in every if other != member)
    if len(model.columns) <= 3:
        for point in points(model, spread=2, parts=2):
            assert not all(holds(model, member, point) for member in every)


def test_points_of_inequalities_have_small_denominators() -> None:
    """The vertices of these rows have greater ones, points inside do not need them."""
    rng = random.Random(0)
    rows = [(f"r{n}", {c: rng.randint(-99, 99) for c in range(6)}, 100, INFINITE) for n in range(6)]
    names = [f"x{c}" for c in range(6)]
    model = exact_model(names, [(-INFINITE, INFINITE)] * 6, [False] * 6, rows)
    every = Members(model)
    found = MemberTest(every, Deadline(None)).test(every.of_rows)
    assert found.point is not None
    assert not every.mask(found.point)
    assert max(value.denominator for value in found.point.values()) <= 64


def columns_of(model: Model) -> list[Member]:
    found = [Member(side, c) for c in range(len(model.columns)) for side in ("lower", "upper")]
    return found + [Member("integer", c) for c, one in enumerate(model.values("integer")) if one]


def feasible_rows(model: Model) -> set[frozenset[int]]:
    """Return, for each point within bounds and integrality, the rows that it satisfies."""
    rows = [Member("row", number) for number in range(len(model.rows))]
    return {
        frozenset(row.number for row in rows if holds(model, row, point)) for point in points(model)
    }


def check_model(seed: int) -> str:
    """Check all that is said of a random model; return what kind of model it is."""
    model = random_model(seed)
    found = Subsystems(model).find()
    satisfied = feasible_rows(model)
    every = frozenset(range(len(model.rows)))
    pure = all(model.values("integer"))
    if found is None:
        if pure:
            assert every in satisfied
        return "feasible"
    assert every not in satisfied
    is_right(model, found)
    assert found.proved or found.proof == subsystem.ALL_BOUNDS
    rows = Subsystems(model, rows_only=True).find()
    assert rows is not None
    assert rows.proved
    is_right(model, rows, columns_of(model))
    if pure:
        size = min(
            len(some)
            for n in range(1, len(every) + 1)
            for some in itertools.combinations(every, n)
            if not any(known.issuperset(some) for known in satisfied)
        )
        fewest = Subsystems(model, rows_only=True).find(smallest=True)
        assert fewest is not None
        assert (len(fewest.rows), fewest.least, fewest.smallest) == (size, size, True)
        is_right(model, fewest, columns_of(model))
    return "infeasible"


@pytest.mark.parametrize("seed", range(4))
def test_some_random_models(seed: int) -> None:
    check_model(seed)


@pytest.mark.slow
def test_a_thousand_random_models_against_brute_force() -> None:
    kinds = [check_model(seed) for seed in range(100, 1100)]
    assert kinds.count("infeasible") > 300
    assert kinds.count("feasible") > 200


@pytest.mark.parametrize("first", some_long(range(2000, 2040, 10)))
def test_disjoint_subsystems_and_rows_to_keep(first: int) -> None:
    for seed in range(first, first + 10):
        model = random_model(seed)
        search, used = Subsystems(model, keep=[0]), set[int]()
        while (found := search.find()) is not None:
            assert 0 not in found.rows
            assert not used.intersection(found.rows)
            used.update(found.rows)
            if not found.rows:
                break
            is_right(model, found, [Member("row", 0)])
        else:
            point = search.point()
            assert point is not None
            rest = [Member("row", n) for n in range(len(model.rows)) if n not in used]
            every = [*rest, *columns_of(model)]
            assert all(holds(model, member, dense(model, point)) for member in every)


@pytest.mark.parametrize("block", some_long([range(4000, 4006), range(4006, 4200)]))
def test_whether_rows_to_keep_conflict_alone_is_as_every_point_says(block: range) -> None:
    alone = 0
    for seed in block:
        model, draw = random_model(seed), random.Random(seed)
        if any(not model.is_integer(column) for column in range(len(model.columns))):
            continue
        keep = [row for row in range(len(model.rows)) if draw.random() < 0.7]
        wanted = [Member("row", row) for row in keep]
        options = {name: draw.random() < 0.5 for name in ("smallest", "disjoint", "rows_only")}
        found = calmip.explain(model, keep=[model.rows[row] for row in keep], **options)
        feasible = any(all(holds(model, row, one) for row in wanted) for one in points(model))
        holes = any(low > high for low, high in map(model.bounds, range(len(model.columns))))
        assert found.kept_alone is (not feasible and not holes), seed
        alone += found.kept_alone
        if found.kept_alone:
            assert all(one.proof and set(one.rows) <= set(keep) for one in found.subsystems)
    assert alone > len(block) / 12


@pytest.mark.parametrize("first", some_long([2500, 2520]))
def test_groups_of_rows_are_members(first: int) -> None:
    kinds = []
    for seed in range(first, first + 20):
        model = random_model(seed)
        rows = range(len(model.rows))
        groups = [rows[start : start + 2] for start in rows[::3]]
        if not all(model.values("integer")):
            continue
        units = groups + [range(row, row + 1) for row in rows[2::3]]
        satisfied = feasible_rows(model)
        sizes = [
            n
            for n in range(1, len(units) + 1)
            for some in itertools.combinations(units, n)
            if not any(known.issuperset(row for one in some for row in one) for known in satisfied)
        ]
        found = Subsystems(model, rows_only=True, groups=groups).find(smallest=True)
        kinds.append(found is None)
        assert (found is None) == (not sizes)
        if found is None:
            continue
        assert found.irreducible
        assert found.smallest
        assert found.least == min(sizes)
        own = [found.groups.get(one.number, (one.number,)) for one in found.members]
        assert sorted(row for some in own for row in some) == list(found.rows)
        for member, some in zip(found.members, own, strict=True):
            point = dense(model, found.witnesses[member])
            broken = {row for row in found.rows if not holds(model, Member("row", row), point)}
            assert broken
            assert broken <= set(some)
            assert all(holds(model, other, point) for other in columns_of(model))
        both = Subsystems(model, groups=groups).find()
        assert both is not None
        assert both.irreducible
    assert len(set(kinds)) == 2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("block", some_long([range(3000, 3005), range(3005, 3040)]))
def test_repairs_are_efficient_and_make_the_model_feasible(block: range, weighted: bool) -> None:
    for seed in block:
        model = random_model(seed)
        if not all(model.values("integer")) or Subsystems(model).find() is None:
            continue
        rows = range(len(model.rows))
        weights = {row: Fraction((seed + 2 * row) % 5 + 1, 2) for row in rows if weighted}
        best: dict[int, Fraction] = {}
        for point in points(model):
            amounts = [excess(model, row, point) for row in rows]
            number = sum(map(bool, amounts))
            cost = sum((weights.get(row, 1) * amounts[row] for row in rows), Fraction(0))
            best[number] = min(cost, best.get(number, cost))
        efficient = {n: a for n, a in best.items() if all(best[m] > a for m in best if m < n)}
        repairs = find_repairs(model, penalties=weights)
        assert {len(one.changes): one.cost for one in repairs} == efficient
        for one in repairs:
            point = dense(model, one.point)
            for row in rows:
                size = one.changes.get(row, 0)
                assert excess(model, row, point) == abs(size)
            assert one.amount == sum(map(abs, one.changes.values()))
            assert one.proved or weighted
            assert all(holds(model, member, point) for member in columns_of(model))
        assert [one.fewest for one in repairs] == [True] + [False] * (len(repairs) - 1)


def excess(model: Model, row: int, point: tuple[Fraction, ...]) -> Fraction:
    terms, low, high = model.exact_row(row)
    total = sum((value * point[column] for column, value in terms.items()), Fraction(0))
    return Fraction(max(low - total, total - high, 0))


def knapsacks() -> Model:
    """Return a model that is infeasible only because x and y are integer."""
    rows = [("even", {0: 2, 1: 2}, 3, 3), ("any", {0: 1, 1: -1}, -1, 1)]
    return exact_model(["x", "y"], [(0, 1), (0, 1)], [True, True], rows)


def test_integrality_is_a_member() -> None:
    found = Subsystems(knapsacks()).find()
    assert found is not None
    assert set(found.members) == {Member("row", 0), Member("integer", 0), Member("integer", 1)}


def mixed_rows(rng: random.Random) -> Model:
    """Return a model of two integer and two continuous columns with rows of every kind."""
    ends = [(0, 3), (-2, 2), (0, 0), (0, INFINITE), (-INFINITE, 1)]
    bounds = [rng.choice(ends[:2]) for _ in "xy"] + [rng.choice(ends) for _ in "st"]
    rows: list[Any] = []
    for number in range(3):
        terms = {c: rng.choice([2, -4, 6, 1]) for c in range(2) if rng.random() < 0.7}
        terms |= {c: rng.choice([1, -1]) for c in (2, 3) if rng.random() < 0.4 or not terms}
        low = rng.randint(-3, 4)
        rows.append((f"r{number}", terms, low, rng.choice([low, low + 1, INFINITE])))
    return exact_model(["x", "y", "s", "t"], bounds, [True, True, False, False], rows)


@pytest.mark.parametrize("count", some_long([80, 300]))
def test_a_row_that_no_integers_meet_is_refuted_by_what_it_needs(count: int) -> None:
    """Rows of continuous columns alone, or of columns without a bound, are passed over."""
    rng, found = random.Random(3), 0
    for _ in range(count):
        model = mixed_rows(rng)
        members = Members(model)
        every = members.of_rows | members.of_columns
        tree = RefutationTree(MemberTest(members, Deadline(None)), every, 0, Deadline(None))
        support = tree._odd_row()
        if support is None:
            continue
        found += 1
        (row,) = members.rows_of(support)
        terms, low, high = model.exact_rows()[row]
        needed = {
            members.member(bit).number
            for bit in range(support.bit_length())
            if support >> bit & 1 and members.member(bit).kind != "row"
        }
        assert needed <= terms.keys()
        others = [sorted(terms[c] * end for end in model.bounds(c)) for c in terms if c > 1]
        least = low - sum(most for _, most in others)
        most = high - sum(least for least, _ in others)
        whole = [a for c, a in terms.items() if c < 2]
        sums = {
            sum(a * x for a, x in zip(whole, point, strict=True))
            for point in itertools.product(range(-9, 10), repeat=len(whole))
        }
        assert not any(least <= one <= most for one in sums)
    assert found > count / 30


@pytest.mark.usefixtures("highs_way")
def test_a_solver_that_calls_everything_infeasible_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [("r", {0: 2, 1: 3}, 4, 5), ("s", {0: 1, 1: -1}, -1, 1)]
    feasible = exact_model(["x", "y"], [(0, 3), (0, 3)], [True, True], rows)
    kind = type(Subsystems(feasible).tester._run(0, mip=False))
    monkeypatch.setattr(kind, "status", "Infeasible")
    search = Subsystems(feasible)
    assert search.find() is None
    point = search.point()
    assert point is not None
    assert feasible.violated(point) is None
    found = Subsystems(knapsacks()).find()
    assert found is not None
    assert found.irreducible
    assert found.proved


@pytest.mark.usefixtures("highs_way")
def test_a_solver_whose_points_are_wrong_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(Subsystems(knapsacks()).tester._run(0, mip=False))
    monkeypatch.setattr(kind, "status", "Optimal")
    honest = kind.solution
    monkeypatch.setattr(
        kind, "solution", lambda self: tuple([0.0] * len(part) for part in honest(self))
    )
    found = Subsystems(knapsacks()).find()
    assert found is not None
    is_right(knapsacks(), found)
    assert found.proved


def test_without_time_for_a_proof_it_is_the_solvers_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (None, {}))
    monkeypatch.setattr(RefutationTree, "_odd_row", lambda _: None)
    monkeypatch.setattr(RefutationTree, "_refute", lambda _: None)
    monkeypatch.setattr(TreeTest, "_search_box", lambda *_: None)
    found = Subsystems(knapsacks()).find()
    assert found is not None
    assert (found.proof, found.proved) == ("", False)
    assert not found.smallest


def test_the_time_limit_before_anything_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(Subsystems(parity()).tester._run(0, mip=False))
    monkeypatch.setattr(kind, "status", "Time limit reached")
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (None, {}))
    with pytest.raises(TimeoutError):
        Subsystems(parity(), clock=Deadline(1e-9)).find()


def test_the_time_limit_during_the_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = itertools.count()
    run = HighsModel.run

    def counted(self: HighsModel, seconds: float | None = None) -> None:
        run(self, None)
        next(looks)

    clock = Deadline(1e6)
    monkeypatch.setattr(HighsModel, "run", counted)
    monkeypatch.setattr(Deadline, "over", property(lambda self: self is clock and next(looks) > 8))
    found = Subsystems(parity(), clock=clock).find()
    assert found is not None
    assert not found.irreducible


@pytest.mark.parametrize("step", [20, pytest.param(3, marks=pytest.mark.long)])
def test_the_time_limit_during_the_search_for_the_fewest_rows(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = MemberTest.test
    rows = [(f"p{n}", {n: 1, (n + 1) % 3: 1}, 1, 1) for n in range(3)]
    rows += [(f"q{n}", {n + 3: 1, (n + 1) % 3 + 3: 1}, 1, 1) for n in range(3)]
    two = exact_model([f"x{n}" for n in range(6)], [(0, 1)] * 6, [True] * 6, rows)
    kinds = set()
    for looks in range(1, 40, step):
        calls = itertools.count()

        def test(self: MemberTest, active: int, *, trust: bool = True) -> MemberAnswer:
            late = next(calls) >= looks  # noqa: B023
            return MemberAnswer(None) if late else plain(self, active, trust=trust)

        monkeypatch.setattr(MemberTest, "test", test)
        found = Subsystems(two, rows_only=True).find(smallest=True)
        assert found is not None
        assert found.proved
        assert found.least <= 3 <= len(found.rows)
        assert found.smallest == (found.least == 3 == len(found.rows))
        kinds.add((found.smallest, found.irreducible))
    assert (False, False) in kinds
    assert (True, True) in kinds or step > 3


def test_members_whose_test_has_no_answer_stay_and_have_no_witness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, calls = MemberTest.test, itertools.count()

    def test(self: MemberTest, active: int, *, trust: bool = True) -> MemberAnswer:
        return plain(self, active, trust=trust) if not next(calls) else MemberAnswer(None)

    monkeypatch.setattr(MemberTest, "test", test)
    found = Subsystems(parity(), rows_only=True).find()
    assert found is not None
    assert len(found.rows) == 7
    assert (found.proved, found.irreducible) == (True, False)


def undecided_columns(monkeypatch: pytest.MonkeyPatch, late: Callable[[], None]) -> None:
    """Let each test without some bound or integrality end without an answer."""
    plain = MemberTest.test

    def test(self: MemberTest, active: int, *, trust: bool = True) -> MemberAnswer:
        if self.members.of_columns & ~active:
            late()
            return MemberAnswer(None)
        return plain(self, active, trust=trust)

    monkeypatch.setattr(MemberTest, "test", test)


@pytest.mark.parametrize("count", some_long([20, 150]))
def test_rows_are_irreducible_even_if_no_bound_is_decided(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    undecided_columns(monkeypatch, lambda: None)
    claims = 0
    for seed in range(count):
        model = random_model(seed)
        found = Subsystems(model).find()
        if found is None or found.proof == "bounds":
            continue
        assert found.proof
        every = [*(Member("row", row) for row in found.rows), *columns_of(model)]
        assert found.rows_irreducible
        for row in found.rows:
            member = Member("row", row)
            point = dense(model, found.witnesses[member])
            assert not holds(model, member, point)
            assert all(holds(model, other, point) for other in every if other != member)
        claims += not found.irreducible
    assert claims > count / 40


def test_the_proof_has_half_of_the_time_that_the_rows_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: now[0])
    undecided_columns(monkeypatch, lambda: now.append(now.pop() + 10))
    prove, left = Subsystems._prove, []

    def proved(self: Subsystems, *given: Any) -> Any:
        left.append(self._clock.left())
        return prove(self, *given)

    monkeypatch.setattr(Subsystems, "_prove", proved)
    found = Subsystems(parity(12), clock=Deadline(100)).find()
    assert found is not None
    assert (found.irreducible, found.rows_irreducible, bool(found.proof)) == (False, True, True)
    assert left[0] >= 40


@pytest.mark.parametrize("given", [False, True])
def test_an_exact_search_without_all_bounds_is_short(
    monkeypatch: pytest.MonkeyPatch, *, given: bool
) -> None:
    clocks: list[Deadline | None] = []

    def search(
        _: MemberTest, __: int, clock: Deadline | None = None, **___: object
    ) -> MemberAnswer:
        clocks.append(clock)
        return MemberAnswer(None)

    monkeypatch.setattr(MemberTest, "_relax", lambda *_: None)
    monkeypatch.setattr(MemberTest, "_solve", lambda *_: None)
    monkeypatch.setattr(MemberTest, "search", search)
    every = Members(parity())
    dropped = 0 if given else 1 << every.bit("upper", 0)
    MemberTest(every, Deadline(None)).test((every.of_rows | every.of_columns) & ~dropped)
    (clock,) = clocks
    assert clock is not None
    assert clock.seconds is not None
    assert (clock.seconds > 1) == given


def test_a_busy_machine_proves_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count(0, 3600)
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: next(seconds))
    for model in (knapsacks(), parity()):
        found = Subsystems(model).find()
        assert found is not None
        assert (found.irreducible, found.proved) == (True, True)


def test_a_test_without_an_answer_is_repeated_with_more_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, asked = MemberTest.test, set()

    def test(self: MemberTest, active: int, *, trust: bool = True) -> MemberAnswer:
        whole = active.bit_count() == (self.members.of_rows | self.members.of_columns).bit_count()
        asked.add(self.nodes)
        few = self.nodes == FIRST_NODES and not whole
        return MemberAnswer(None) if few else plain(self, active, trust=trust)

    monkeypatch.setattr(MemberTest, "test", test)
    found = Subsystems(parity(), rows_only=True).find()
    assert found is not None
    assert (len(found.rows), found.proved, found.irreducible) == (7, True, True)
    assert len(asked) == 2


@pytest.mark.parametrize("seed", [1, 3, 16, 30])
def test_tests_without_nodes_claim_nothing_wrong(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "FIRST_NODES", 0)
    monkeypatch.setattr(members, "MAX_PROOF_NODES", 1)
    model = random_model(seed)
    found = Subsystems(model).find()
    assert found is not None
    for member, values in found.witnesses.items():
        point = dense(model, values)
        assert not holds(model, member, point)
        assert all(holds(model, other, point) for other in found.members if other != member)
    satisfied = feasible_rows(model)
    assert not any(some.issuperset(found.rows) for some in satisfied)


def parity(size: int = 6) -> Model:
    """Return sums of pairs around an odd cycle that are 1, so that no integer point exists."""
    odd = size + 1 - size % 2
    rows = [(f"p{n}", {n: 1, (n + 1) % odd: 1}, 1, 1) for n in range(odd)]
    names = [f"x{n}" for n in range(odd)]
    return exact_model(names, [(0, 1)] * odd, [True] * odd, rows)


def test_all_rows_of_an_odd_cycle_conflict() -> None:
    found = Subsystems(parity()).find(smallest=True)
    assert found is not None
    assert (len(found.rows), found.smallest, found.irreducible) == (7, True, True)


def test_bounds_and_rows_that_contradict_themselves() -> None:
    crossed = exact_model(["x"], [(2, 1)], [False], [])
    found = Subsystems(crossed).find()
    assert found is not None
    assert set(found.members) == {Member("lower", 0), Member("upper", 0)}
    is_right(crossed, found)
    hole = exact_model(["x"], [(Fraction(1, 3), Fraction(2, 3))], [True], [])
    found = Subsystems(hole).find()
    assert found is not None
    assert len(found.members) == 3
    is_right(hole, found)
    row = exact_model(["x"], [(0, 1)], [True], [("r", {0: 1}, 3, 2), ("none", {}, 1, 1)])
    search = Subsystems(row)
    assert [one.rows for one in iter(search.find, None)] == [(0,), (1,)]


def test_no_change_of_rows_repairs_bounds() -> None:
    crossed = exact_model(["x"], [(2, 1)], [False], [("r", {0: 1}, 0, 1)])
    assert find_repairs(crossed) == []
    kept = exact_model(["x"], [(0, 1)], [True], [("r", {0: 1}, 2, 3), ("s", {0: 1}, 0, 1)])
    assert find_repairs(kept, keep=[0]) == []
    (one,) = find_repairs(kept)
    assert (one.changes, one.amount, one.proved, one.fewest) == ({0: -1}, 1, True, True)


@pytest.mark.parametrize("count", some_long([4, 40]))
@pytest.mark.skipif(kernel.library() is None or load() is None, reason="no compiled loops")
def test_a_compiled_tree_answers_for_any_members_as_every_point_says(count: int) -> None:
    answers = [answer for seed in range(count) for answer in answers_of(seed)]
    assert answers.count(True) > 1.25 * count
    assert answers.count(False) > 1.25 * count


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_bounds_that_are_left_out_as_implied_exclude_no_point(first: int) -> None:
    left_out = 0
    for seed in range(first, first + 20):
        model, rng = random_model(seed), random.Random(seed)
        every = Members(model)
        given = sum(1 << bit for bit in bits(every.of_columns) if rng.random() < 0.9)
        grid = list(points(model, spread=2, parts=1 if all(every.integer) else 2))
        for side in ("lower", "upper") if len(grid) < 300 else ():
            active = every.of_rows | given
            rest = without_implied(every, active, side)
            away = [every.member(bit) for bit in bits(active & ~rest)]
            assert not rest & ~active
            assert {one.kind for one in away} <= {side}
            left_out += len(away)
            some = [every.member(bit) for bit in bits(rest)]
            for point in grid:
                if all(holds(model, one, point) for one in some):
                    assert all(holds(model, one, point) for one in away)
    assert left_out > 2


@pytest.mark.parametrize(("bound", "implied"), [(3, True), (4, True), (2, False), (2.5, False)])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_a_bound_a_little_tighter_than_the_implied_one_stays(
    side: str, bound: float, implied: bool
) -> None:
    """From x + y <= 3 and y >= 0 follows x <= 3, and the same with other signs."""
    upper = side == "upper"
    rows = [("c", {0: 1.0, 1: 1.0}, *((-INFINITE, 3) if upper else (-3, INFINITE)))]
    ends = [(-9, bound), (0, 9)] if upper else [(-bound, 9), (-9, 0)]
    low, high = (array("d", some) for some in zip(*ends, strict=True))
    model = Model.from_rows(["x", "y"], rows, column_lower=low, column_upper=high)
    every = Members(model)
    active = every.of_rows | every.of_columns
    away = active & ~without_implied(every, active, side)
    assert bool(away & 1 << every.bit(side, 0)) is implied


@pytest.mark.parametrize("proof", ["none", "of more", "by multipliers"])
def test_what_was_not_proved_by_search_is_not_when_bounds_leave(proof: str) -> None:
    mine = Subsystems(Model.from_rows(["x"], [("c", {0: 2.0}, 1, 1)]))
    every = mine.members.of_rows | mine.members.of_columns
    run: Any = SimpleNamespace(active=every & ~1)
    run.restart = lambda active: setattr(run, "active", active)
    pairs = {"of more": (every, None), "by multipliers": (run.active, object())}
    before: Any = pairs.get(proof)
    mine._proof = before
    mine._leave_implied(run)
    assert mine._proof is before


@pytest.mark.skipif(kernel.library() is None or load() is None, reason="no compiled loops")
def test_a_proof_by_search_outlasts_bounds_that_rows_imply() -> None:
    """Seven items, of which three never fit one of three bins: each row of an item implies 1."""
    weight = [38, 40, 49, 36, 42, 44, 37]
    rows = [(f"i{i}", {3 * i + b: 1.0 for b in range(3)}, 1, 1) for i in range(7)]
    rows += [
        (f"b{b}", {3 * i + b: float(weight[i]) for i in range(7)}, -INFINITE, 100) for b in range(3)
    ]
    found = Subsystems(Model.from_rows([f"x{n}" for n in range(21)], rows)).find()
    assert found is not None
    assert (found.proof, found.irreducible, found.numbers("upper")) == (SEARCH, True, ())


def answers_of(seed: int) -> Iterator[bool]:
    """Yield the checked answers of compiled trees about some members of a random model."""
    rng, model = random.Random(seed), random_model(seed)
    tester = TreeTest(Members(model), Deadline(60))
    every = tester.members
    grid = list(points(model, spread=2, parts=1 if all(every.integer) else 2))
    for number in range(8 if len(grid) < 1000 else 0):
        rows = sum(1 << row for row in bits(every.of_rows) if rng.random() < 0.7)
        given = every.of_columns
        if number % 2:  # without some bounds and integrality
            given &= ~sum(1 << bit for bit in bits(given) if rng.random() < 0.2)
        found = tester._search(rows | given)
        if found is None or found.feasible is None:
            continue
        yield found.feasible
        if found.feasible:
            assert not every.mask(found.point or {}) & (rows | given)
            continue
        assert found.proved
        some = [every.member(bit) for bit in bits(rows | given)]
        assert not any(all(holds(model, one, point) for one in some) for point in grid)
