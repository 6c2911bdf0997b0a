"""Each guard between a model and an "infeasible", against every point or by a planted answer."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from test_subsystem import columns_of, dense, holds, knapsacks, parity, points, random_model

from calmip._base.bits import bits
from calmip._base.errors import SolverFailed
from calmip._base.highs import EITHER, INFEASIBLE, load
from calmip._base.limits import Deadline
from calmip.mip import independent_search, kernel
from calmip.mip.iis import constraint_sets, subsystem, switched_tree
from calmip.mip.iis.constraint_sets import SIDES, Member, MemberAnswer, Members, MemberTest
from calmip.mip.iis.refutation import RefutationTree, TreeTest, circuit
from calmip.mip.iis.subsystem import ALL_BOUNDS, FARKAS, SEARCH, Subsystems, _Filter, _Refuted
from calmip.mip.lp.exact_lp import LinearAnswer, exact_model
from calmip.mip.lp.linear import Certificate
from calmip.mip.model import Model
from calmip.mip.status import Status

INF = math.inf


def every_member(model: Model) -> list[Member]:
    """Return the rows, the finite bounds and the integrality of a model."""
    sides = [
        one
        for one in columns_of(model)
        if one.kind == "integer" or math.isfinite(model.bounds(one.number)[one.kind == "upper"])
    ]
    return [*(Member("row", row) for row in range(len(model.rows))), *sides]


def bit_of(members: Members, one: Member) -> int:
    return 1 << (one.number if one.kind == "row" else members.bit(one.kind, one.number))


def some_of(members: Members, rng: random.Random, share: float = 0.8) -> int:
    """Return some members of a model."""
    every = members.of_rows | members.of_columns
    return sum(1 << bit for bit in bits(every) if rng.random() < share)


def half_open(seed: int) -> Model:
    """Return a random model, some of whose columns have one bound or none."""
    rng, model = random.Random(seed), random_model(seed)
    ends = [
        (low if rng.random() < 0.7 else -INF, high if rng.random() < 0.7 else INF)
        for low, high in map(model.bounds, range(len(model.columns)))
    ]
    rows = [
        (name, terms, low, high)
        for name, (terms, low, high) in zip(model.rows, model.exact_rows(), strict=True)
    ]
    return exact_model(model.columns, ends, list(map(bool, model.values("integer"))), rows)


def test_a_point_violates_the_members_that_it_does_not_satisfy() -> None:
    for seed in range(60):
        model, rng = half_open(seed), random.Random(seed)
        members, every = Members(model), every_member(model)
        bit = {one: bit_of(members, one) for one in every}
        assert members.of_rows | members.of_columns == sum(bit.values())
        for _ in range(8):
            point = {
                c: Fraction(rng.randint(-8, 8), rng.choice([1, 1, 2, 3]))
                for c in range(len(model.columns))
                if rng.random() < 0.8
            }
            broken = [one for one in every if not holds(model, one, dense(model, point))]
            assert members.mask(point) == sum(bit[one] for one in broken)
            for column, value in point.items():
                own = [one for one in broken if one.kind != "row" and one.number == column]
                assert members.column_mask(column, value) == sum(bit[one] for one in own)
        active = some_of(members, rng)
        assert members.rows_of(active) == [
            one.number for one in every if one.kind == "row" and active & bit[one]
        ]
        integers = [one.number for one in every if one.kind == "integer" and active & bit[one]]
        assert members.integers(active) == integers
        used = {c for row in members.rows_of(active) for c in members.rows[row][0]}
        ends = {c: members.interval(active, c) for c in range(len(model.columns))}
        for column, (low, high) in ends.items():
            given = [active >> members.bit(side, column) & 1 for side in SIDES]
            own = model.bounds(column)
            assert (low, high) == (own[0] if given[0] else -INF, own[1] if given[1] else INF)
            assert members.is_integer(active, column) is bool(given[2])
        assert members.bounded(active) is all(
            math.isfinite(end) for c in used.intersection(integers) for end in ends[c]
        )
        part, columns, rows = members.part(active)
        assert (set(columns), rows) == (used, members.rows_of(active))
        values = {number: point.get(column, 0) for number, column in enumerate(columns)}
        inside = {c: point.get(c, 0) for c in columns}
        mask = members.mask(inside) & active
        kept = sum(bit[one] for one in every if one.kind == "row" or one.number in used)
        assert (part.violated(values) is None) is not bool(mask & kept)


def test_values_of_columns_in_no_row_are_within_their_bounds() -> None:
    numbers = [Fraction(n, 2) for n in range(-5, 6)]
    ends = [(a, b) for a in [-INF, *numbers] for b in [*numbers, INF] if a + 1 <= b]
    for integer in (True, False):
        names = [f"x{n}" for n in range(len(ends))]
        model = exact_model(names, ends, [integer] * len(ends), [])
        members = Members(model)
        assert members.outside == [c for c, (a, b) in enumerate(ends) if a > 0 or b < 0]
        tester = MemberTest(members, Deadline(None))
        assert members.mask({}) == sum(
            1 << members.bit("lower" if ends[c][0] > 0 else "upper", c) for c in members.outside
        )
        for given in (members.of_columns, some_of(members, random.Random(1)), 0):
            assert not members.mask(tester.inside(given, {})) & given


# What refutes members.


def is_refuted(model: Model, members: Members, support: int, grid: list[Any]) -> bool:
    """Return whether no point of a grid satisfies some members."""
    some = [one for one in every_member(model) if bit_of(members, one) & support]
    return not any(all(holds(model, one, point) for one in some) for point in grid)


@pytest.mark.parametrize("ray", ["of HiGHS", "none", "wrong"])
def test_a_tree_decides_bounded_members_as_every_point_says(
    ray: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a ray, or by a wrong one, each leaf is refuted in exact numbers."""
    kind = type(MemberTest(Members(knapsacks()), Deadline(None)).relax(0))
    plain = kind.dual_ray
    if ray == "none":
        monkeypatch.setattr(kind, "dual_ray", lambda _: None)
    if ray == "wrong":
        monkeypatch.setattr(kind, "dual_ray", lambda self: [-x for x in plain(self) or [1.0]][::-1])
    answers = []
    for seed in range(60):
        model, rng = random_model(seed), random.Random(seed)
        members = Members(model)
        if len(members.bounds) > 3 or any(low > high for low, high in members.bounds):
            continue
        grid = list(points(model, spread=1, parts=1 if all(members.integer) else 2))
        rows = some_of(members, rng, 0.7) & members.of_rows
        active = rows | members.of_columns
        if seed % 4 == 0 and all(members.integer):  # and without some upper bounds
            active &= ~(1 << members.bit("upper", 0))
        tester = TreeTest(members, Deadline(60))
        answer = RefutationTree(tester, active, 500, Deadline(60)).answer
        if members.bounded(active):
            assert answer.feasible is not None, seed
        answers.append(answer.feasible)
        if answer.feasible:
            assert answer.point is not None
            point = tester.inside(active, answer.point)
            assert not members.mask(point) & active
        elif answer.feasible is False:
            assert answer.proved
            assert not answer.support & ~active
            assert is_refuted(model, members, answer.support, grid)
    assert min(answers.count(True), answers.count(False)) > 10


def even(seed: int) -> Model:
    """Return rows of even coefficients, and of one odd one, with odd sides."""
    rng = random.Random(seed)
    rows = []
    for number in range(3):
        terms = {c: 2 * rng.choice([-2, -1, 1, 2]) for c in range(3) if rng.random() < 0.8}
        low = 2 * rng.randint(-3, 3) + 1
        rows.append((f"r{number}", terms, *rng.choice([(low, low), (low, INF), (-INF, low)])))
    rows.append(("odd", {0: 1, 1: 2}, rng.randint(-2, 2), INF))
    bounds = [(0, 1), (-1, rng.choice([1, INF])), (0, rng.choice([0, 1]))]
    return exact_model(list("xyz"), bounds, [True, True, rng.random() < 0.8], rows)  # type: ignore[arg-type]


def test_multipliers_refute_if_their_sum_does() -> None:
    """Sums of rows, rounded where all columns are integer, against the sum of the bounds."""
    found = []
    for seed in range(40):
        model, rng = (half_open if seed % 4 == 0 else even)(seed), random.Random(seed)
        members = Members(model)
        active = some_of(members, rng, 0.95)
        tree = RefutationTree(MemberTest(members, Deadline(None)), active, 0, Deadline(None))
        rows = members.rows_of(active)
        for _ in range(25):
            some = rng.sample(rows, min(len(rows), rng.randint(1, 3)))
            prices = {row: Fraction(rng.choice([-2, -1, 1, 2]), 2) for row in some}
            support, gap = 0, {False: Fraction(0), True: Fraction(0)}
            finite, rounding = True, 0
            total = dict.fromkeys(range(len(model.columns)), Fraction(0))
            for row, y in prices.items():
                terms, low, high = members.rows[row]
                side = high if y > 0 else low
                if not math.isfinite(side):
                    finite = False
                    break
                support |= 1 << row
                own = sum(1 << members.bit("integer", c) for c in terms)
                by = 0 if own & ~active else math.gcd(*terms.values())
                sharp = Fraction(side)
                if by:
                    sharp = Fraction(by * (side // by if y > 0 else -(-side // by)))
                if sharp != side:
                    rounding |= own
                gap[False] -= y * side
                gap[True] -= y * sharp
                for column, value in terms.items():
                    total[column] += y * value
            for column, factor in total.items():
                low, high = members.interval(active, column)
                end = low if factor > 0 else high
                if not factor:
                    continue
                if not math.isfinite(end):
                    finite = False
                    break
                support |= 1 << members.bit("lower" if factor > 0 else "upper", column)
                gap[False] += factor * end
                gap[True] += factor * end
            wanted = None
            if finite and gap[False] > 0:
                wanted = support
            elif finite and gap[True] > 0:
                wanted = support | rounding
            assert tree._excess(prices) == wanted, seed
            found.append("none" if wanted is None else "plain" if gap[False] > 0 else "rounded")
    assert min(found.count(kind) for kind in ("none", "plain", "rounded")) > 2


def test_a_circuit_needs_each_of_its_members() -> None:
    circuits = 0
    for seed in range(60):
        model = half_open(seed)
        members = Members(model)
        if any(low > high for low, high in members.bounds):
            continue
        active = members.of_rows | members.of_columns
        found = circuit(members, active, active, Deadline(60))
        if found is None:
            continue
        circuits += 1
        assert not found.support & ~active
        # The multipliers, of the rows as the model has them, are a contradiction.
        total, least = dict.fromkeys(range(len(model.columns)), Fraction(0)), Fraction(0)
        for row, y in found.multipliers.items():
            assert y
            terms, low, high = model.exact_row(row)
            least -= y * Fraction(high if y > 0 else low)
            for column, value in terms.items():
                total[column] += y * value
        for column, y in total.items():
            if y:
                low, high = model.bounds(column)
                least += y * Fraction(low if y > 0 else high)
        assert least > 0
        used = [one for one in every_member(model) if bit_of(members, one) & found.support]
        assert {one.number for one in used if one.kind == "row"} == found.multipliers.keys()
        blamed = []
        for values in found.points:
            broken = [one for one in used if not holds(model, one, dense(model, values))]
            assert len(broken) == 1, seed
            blamed += broken
        assert sorted(blamed) == sorted(used), seed
        wanted = 1 << min(found.multipliers)
        (one,) = circuit(members, active, wanted, Deadline(60)).points  # type: ignore[union-attr]
        assert members.mask(one) & found.support == wanted
    assert circuits > 8


@pytest.mark.skipif(kernel.library() is None or load() is None, reason="no compiled loops")
@pytest.mark.parametrize("pure", [True, False])
def test_a_compiled_tree_goes_on_until_it_is_done(
    pure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its relaxations alone decide what the tests of bounds do not."""
    monkeypatch.setattr(switched_tree, "WORK_BEFORE_RELAXATIONS", 0)
    rng = random.Random(5)
    answers = []
    for number in range(6):
        size = 8
        rows: list[Any] = [
            (f"r{n}", {c: rng.randint(1, 9) for c in range(size)}, half, half)
            for n, half in enumerate((20 + number, 21))
        ]
        if not pure:
            rows.append(("s", {0: 1, size: -2}, 0, 0))
        names = [f"x{c}" for c in range(size + (not pure))]
        model = exact_model(
            names, [(0, 1)] * len(names), [True] * size + [False] * (not pure), rows
        )
        members = Members(model)
        active = members.of_rows | members.of_columns
        found = TreeTest(members, Deadline(60))._search(active)
        assert found is not None
        there = any(
            all(
                Fraction(low) <= sum(a * point[c] for c, a in terms.items() if c < size) <= high
                for terms, low, high in model.exact_rows()[:2]
            )
            for point in itertools.product((0, 1), repeat=size)
        )
        assert found.feasible is there
        answers.append(there)
    assert set(answers) == {True, False}


# Bounds and rows that contradict themselves.


@pytest.mark.parametrize("rows_only", [False, True])
@pytest.mark.parametrize("integer", [False, True])
def test_bounds_contradict_each_other_if_no_value_is_between(
    integer: bool, rows_only: bool
) -> None:
    numbers = [Fraction(n, 3) for n in range(-4, 5)]
    kinds = set()
    for low, high in itertools.product([-INF, *numbers], [*numbers, INF]):
        model = exact_model(["y", "x"], [(0, 1), (low, high)], [True, integer], [])
        between = [n for n in numbers if low <= n <= high and not (integer and n.denominator > 1)]
        there = bool(between) or not (math.isfinite(low) and math.isfinite(high))
        found = Subsystems(model, rows_only=rows_only).find()
        assert (found is None) is there, (low, high)
        if found is None:
            continue
        assert (found.proof, found.proved) == ("bounds", True)
        wanted = ["lower", "upper"] if low > high else list(SIDES)
        kinds.add(len(wanted))
        assert [one.kind for one in found.members] == ([] if rows_only else wanted)
        for one in found.members:
            point = dense(model, found.witnesses[one])
            assert [holds(model, other, point) for other in found.members] == [
                other != one for other in found.members
            ]
    assert kinds == ({2, 3} if integer else {2})


@pytest.mark.parametrize(
    ("terms", "low", "high", "false"),
    [
        *(({}, low, high, not low <= 0 <= high) for low in (-1, 0, 1) for high in (-1, 0, 1)),
        *(({0: 1}, low, high, low > high) for low in (0, 1) for high in (0, 1)),
        ({}, -INF, 0, False),
        ({}, 1, INF, True),
    ],
)
@pytest.mark.parametrize("kept", [False, True])
def test_a_row_that_no_point_satisfies_is_a_subsystem_alone(
    terms: Any, low: Any, high: Any, false: bool, kept: bool
) -> None:
    rows = [("some", {0: 1, 1: 1}, 1, 2), ("r", terms, low, high)]
    model = exact_model(["x", "y"], [(0, 1)] * 2, [True] * 2, rows)
    found = Subsystems(model, keep=[1] if kept else []).find(smallest=True)
    assert (found is not None) is false
    if found is not None:
        assert (found.proof, found.smallest) == ("bounds", True)
        assert found.rows == (() if kept else (1,))
        assert len(found.witnesses) == len(found.members)
        for values in found.witnesses.values():
            assert all(holds(model, one, dense(model, values)) for one in columns_of(model))


def test_a_row_that_is_false_is_none_of_a_conflict_of_rows_to_keep() -> None:
    """The rows to keep have no point, so that no witness of the row exists."""
    rows = [("a", {0: 1}, 1, 1), ("b", {0: 1}, 0, 0), ("none", {}, 1, 1)]
    model = exact_model(["x"], [(0, 1)], [True], rows)
    found = Subsystems(model, keep=[0, 1]).find()
    assert found is not None
    assert found.rows == ()
    assert found.proved


# What is called a proof.


class _Run:
    """What `Subsystems._prove_first` sees of a filter."""

    def __init__(self, active: int, *, reduced: bool) -> None:
        self.active, self.reduced = active, reduced


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("over", [True, False])
def test_a_proof_of_all_bounds_is_called_so(reduced: bool, over: bool) -> None:
    search: Any = object.__new__(Subsystems)
    search._clock = SimpleNamespace(over=over)
    own = Certificate({0: Fraction(1)})
    proofs: list[tuple[str, Certificate | None]] = [("", None), (SEARCH, None), (FARKAS, own)]
    for mine, whole in itertools.product(proofs, proofs):
        asked: list[int] = []

        def prove(
            active: int, _: float = 0, asked: Any = asked, mine: Any = mine, whole: Any = whole
        ) -> Any:
            asked.append(active)
            return {1: mine, 3: whole}[active]

        search._prove = prove
        assert search._prove_first(_Run(3, reduced=reduced), 3) == whole
        asked.clear()
        found = search._prove_first(_Run(1, reduced=reduced), 3)
        proved = mine[0] and (reduced or (whole[0] and not over))
        assert found[0] == (mine[0] if proved else ALL_BOUNDS if whole[0] else "")
        assert found[1] is (mine[1] if proved else None)
        assert 1 in asked or not whole[0] or over


@pytest.mark.parametrize("certificate", [None, Certificate({0: Fraction(1)})])
def test_what_is_proved_of_some_members_is_proved_of_more(certificate: Certificate | None) -> None:
    search = Subsystems(parity(2))
    every = search.members.of_rows | search.members.of_columns
    search._proof = 0b011, certificate
    word = SEARCH if certificate is None else FARKAS
    assert search._prove(0b011) == search._prove(0b111) == (word, certificate)
    with pytest.raises(_Refuted):  # two rows of three are feasible
        search._prove(every & ~0b001)
    assert search.point() is None
    assert search._pool


@pytest.mark.parametrize("feasible", [True, False, None])
@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("hard", [True, False])
def test_only_a_search_to_its_end_is_a_proof(
    feasible: bool | None, bounded: bool, hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Subsystems(parity(2))
    point = {0: 1} if feasible else None
    answer = MemberAnswer(feasible, point, proved=feasible is False)
    monkeypatch.setattr(TreeTest, "relaxation_is_feasible", lambda *_: True)
    monkeypatch.setattr(TreeTest, "search", lambda *_: answer)
    monkeypatch.setattr(subsystem, "RefutationTree", lambda *_: SimpleNamespace(answer=answer))
    monkeypatch.setattr(Members, "bounded", lambda *_: bounded)
    search._hard = hard
    if not bounded and hard:
        assert search._prove(0b111) == ("", None)
    elif feasible:
        with pytest.raises(_Refuted):
            search._prove(0b111)
        assert [one.values for one in search._pool] == [point]
    else:
        assert search._prove(0b111) == (SEARCH if feasible is False else "", None)


@pytest.mark.parametrize("refuted", [True, False, None])
@pytest.mark.parametrize("certificate", [None, Certificate({0: Fraction(6), 1: Fraction(-4)})])
def test_multipliers_are_a_proof_if_they_are_some(
    refuted: bool | None, certificate: Certificate | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Subsystems(parity(2))
    monkeypatch.setattr(TreeTest, "relaxation_is_feasible", lambda *_: False)
    monkeypatch.setattr(TreeTest, "search", lambda *_: MemberAnswer(None))
    monkeypatch.setattr(subsystem, "refute_rows", lambda *_: (refuted, certificate))
    proof, found = search._prove(0b111)
    if refuted and certificate is not None:
        assert (proof, found) == (FARKAS, Certificate({0: Fraction(3), 1: Fraction(-2)}))
    else:
        assert (proof, found) == ("", None)


def test_the_answer_of_a_test_is_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    model = parity(2)
    every = Members(model)
    whole = every.of_rows | every.of_columns
    for proved in (True, False):
        search = Subsystems(model)
        run = _Filter(search, whole)
        answer = MemberAnswer(False, None, 0b11, proved)
        monkeypatch.setattr(TreeTest, "test", lambda *_, answer=answer, **__: answer)
        assert run.test(whole) is None
        assert run._support == 0b11
        assert search._proof == ((0b11, None) if proved else None)
    search = Subsystems(model)
    run = _Filter(search, whole)
    monkeypatch.setattr(TreeTest, "test", lambda *_, **__: MemberAnswer(None))
    with pytest.raises(TimeoutError):
        run.test(whole)
    search.note({0: 1})  # satisfies two of the rows
    search.note({0: 1, 1: 1})
    satisfied = whole & ~search._pool[0].mask
    assert run.test(satisfied) == search._pool[0]
    with pytest.raises(TimeoutError):
        run.test(whole)


def test_searches_that_contradict_each_other_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def refuted(self: Subsystems, *_: Any, **__: Any) -> None:
        calls.append(self._trust)
        raise _Refuted

    monkeypatch.setattr(Subsystems, "_reduced", refuted)
    with pytest.raises(SolverFailed, match="exact searches disagree"):
        Subsystems(parity(2)).find()
    assert calls == [True, False]


# The tests of members.


@pytest.mark.parametrize("there", [True, False, None])
def test_an_exact_search_proves_what_it_has_searched_to_its_end(
    there: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = Members(parity(2))
    whole = members.of_rows | members.of_columns
    monkeypatch.setattr(
        independent_search, "find", lambda *_, **__: (there, {0: 1} if there else {})
    )
    for trust in (True, False):
        tester = MemberTest(members, Deadline(None))
        monkeypatch.setattr(tester, "_relax", lambda _: None)
        monkeypatch.setattr(tester, "_solve", lambda _: None)
        found = tester.test(whole, trust=trust)
        assert found.feasible is there
        assert found.proved is (there is False)
        assert found.support == (whole if there is False else 0)
        assert (found.point == {0: 1}) is bool(there)


def planted(monkeypatch: pytest.MonkeyPatch, members: Members, status: str, values: list[float],
            found: bool = False) -> MemberTest:  # fmt: skip
    """Return tests whose HiGHS gives an answer."""
    tester = MemberTest(members, Deadline(None))
    highs = SimpleNamespace(
        status=status,
        solution=lambda: (values,),
        dual_ray=lambda: None,
        info=lambda _: 2 if found else 0,
    )
    monkeypatch.setattr(tester, "_run", lambda *_, **__: highs)
    return tester


@pytest.mark.parametrize("status", [INFEASIBLE, EITHER, "Optimal", "Time limit reached", "Unknown"])
def test_an_answer_of_the_solver_is_a_point_or_unproved(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = Members(knapsacks())
    whole = members.of_rows | members.of_columns
    some = whole & ~1  # without the row that excludes all
    for values, active in itertools.product(([0.5, 0.5], [1.0, 1.0], [1e-9, 0.0]), (whole, some)):
        near = all(abs(x - round(x)) < 1e-6 for x in values) and active == some
        tester = planted(monkeypatch, members, status, values)
        relaxed = tester._relax(active)
        assert tester.relaxation_is_feasible(active) is (status == "Optimal")
        if status in (INFEASIBLE, EITHER):
            assert relaxed == MemberAnswer(False, None, active, proved=False)
        elif status != "Optimal" or not near:
            assert relaxed is None
        else:
            assert relaxed is not None
            assert relaxed.feasible
            assert not members.mask(relaxed.point or {}) & active
        for found, over in itertools.product((True, False), repeat=2):
            tester = planted(monkeypatch, members, status, values, found)
            tester.clock = SimpleNamespace(over=over)  # type: ignore[assignment]
            solved = tester._solve(active)
            if status in (INFEASIBLE, EITHER):
                assert solved == MemberAnswer(False, None, active, proved=False)
            elif found:
                rounded = {c: round(x) for c, x in enumerate(values)}
                right = not members.mask(rounded) & active
                assert (solved is not None and solved.feasible is True) is right
            else:
                assert solved == (MemberAnswer(None) if over else None)


def test_a_solver_that_fails_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    members = Members(parity(2))
    whole = members.of_rows | members.of_columns
    for error in (OverflowError, SolverFailed):
        tester = MemberTest(members, Deadline(None))

        def fail(*_: Any, error: type[Exception] = error, **__: Any) -> Any:
            raise error("planted")

        monkeypatch.setattr(tester, "_run", fail)
        assert tester.relaxation_is_feasible(whole) is False
        found = tester.test(whole)
        assert (found.feasible, found.proved) == (False, True)


@pytest.mark.parametrize("integer", [True, False])
@pytest.mark.parametrize("status", [Status.OPTIMAL, Status.INFEASIBLE, Status.UNKNOWN])
def test_an_exact_linear_program_decides_if_nothing_is_rounded_for_it(
    status: Status, integer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With integers at rounded values its "infeasible" is about these alone."""
    rows = [("r", {0: 3, 1: 1}, 1, 1), ("s", {0: 1, 1: -1}, 0, 5)]
    model = exact_model(["x", "y"], [(0, 9)] * 2, [integer, False], rows)
    members = Members(model)
    whole = members.of_rows | members.of_columns
    answer = LinearAnswer(status, {1: 1} if status is Status.OPTIMAL else {}, prices={0: 1})
    monkeypatch.setattr(constraint_sets.ExactLp, "solve", lambda *_, **__: answer)
    tester = MemberTest(members, Deadline(None))
    monkeypatch.setattr(tester, "_rounded", lambda *_: None)
    monkeypatch.setattr(tester, "_interior", lambda *_: None)
    found = tester.exact_point(whole, [0.0, 0.0])
    if status is Status.OPTIMAL:
        assert found == MemberAnswer(True, {1: 1})
    elif status is Status.INFEASIBLE and not integer:
        assert found == MemberAnswer(False, None, 0b01 | members.of_columns)
    else:
        assert found is None


def test_points_inside_all_rows_satisfy_them() -> None:
    seen = []
    for seed in range(60):
        model, rng = half_open(seed), random.Random(seed)
        members = Members(model)
        tester = MemberTest(members, Deadline(None))
        for _ in range(3):
            active = some_of(members, rng) & ~sum(
                1 << members.bit("integer", c) for c in members.integers(members.of_columns)
            )
            rest = {c for row in members.rows_of(active) for c in members.rows[row][0]}
            found = tester._interior(active, {}, rest)
            seen.append(found is None)
            equal = any(
                low == high for _, low, high in (members.rows[r] for r in members.rows_of(active))
            )
            if found is not None:
                assert not equal
                assert not members.mask(found.point or {}) & active
            assert tester._inside_last is (found is not None)
    assert min(seen.count(True), seen.count(False)) > 20


# The filter's moves, and the fewest rows.


def test_a_moved_point_violates_what_it_violates() -> None:
    moved = 0
    for seed in range(80):
        model, rng = half_open(seed), random.Random(seed)
        search = Subsystems(model)
        members = search.members
        every = members.of_rows | members.of_columns
        run = _Filter(search, every)
        point = {c: Fraction(rng.randint(-3, 3)) for c in range(len(model.columns))}
        sums, mask = members.sums(point), members.mask(point)
        assert sums == [sum(a * point[c] for c, a in terms.items()) for terms, _, _ in members.rows]
        for column in range(len(model.columns)):
            for value in (Fraction(-2), Fraction(1, 2), Fraction(3)):
                new = run._moved(point, sums, mask, column, value)
                assert new == members.mask({**point, column: value})
        if not mask & every:
            continue
        first = members.member(next(bits(mask & every)))
        for column, value in run._moves(point, sums, mask, every):
            moved += 1
            after = members.mask({**point, column: value})
            if first.kind != "row" or value.denominator > 1 or not members.integer[column]:
                assert not after & bit_of(members, first), seed
    assert moved > 60


def test_a_smallest_hitting_set_is_as_all_sets_say() -> None:
    rng = random.Random(1)
    for _ in range(25):
        sets = [
            sum(1 << bit for bit in rng.sample(range(6), rng.randint(1, 3)))
            for _ in range(rng.randint(1, 6))
        ]
        found = subsystem._hitting_set(sets, Deadline(60))
        assert found is not None
        assert all(found & one for one in sets)
        least = min(some.bit_count() for some in range(64) if all(some & one for one in sets))
        assert found.bit_count() == least


def test_the_fewest_rows_are_so_few_as_the_limits_of_a_search_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search for the next hitting set that stops leaves the bound before, which holds."""
    plain = subsystem._hitting_set
    for stop in range(4):
        calls: Iterator[int] = itertools.count()

        def hitting(sets: Any, clock: Deadline, calls: Any = calls, stop: int = stop) -> int | None:
            return None if next(calls) >= stop else plain(sets, clock)

        monkeypatch.setattr(subsystem, "_hitting_set", hitting)
        found = Subsystems(parity(2), rows_only=True).find(smallest=True)
        assert found is not None
        assert found.least <= 3
        assert found.smallest is (found.least == len(found.rows))
        assert found.proved


def test_the_fewest_rows_are_searched_if_that_is_asked_for() -> None:
    for smallest, wanted in ((None, 0), (False, 0), (True, 3)):
        asked = {} if smallest is None else {"smallest": smallest}
        found = Subsystems(parity(2), rows_only=True).find(**asked)
        assert found is not None
        assert (len(found.rows), found.least) == (3, wanted)


@pytest.mark.parametrize("outside", [0, 32])
@pytest.mark.parametrize(
    ("found", "asked"),
    [
        ({}, [12, 3]),
        ({12: 3}, [12, 14, 13]),
        ({12: 3, 14: 1}, [12, 14]),
        ({3: 12, 7: 8}, [12, 3, 11, 7]),
        ({12: 15}, [12]),
    ],
)
def test_a_point_is_followed_to_those_that_violate_fewer_of_all_rows(
    found: dict[int, int], asked: list[int], outside: int
) -> None:
    """Of four rows beside one that stays, and one of no interest that points may violate."""
    seen = []

    def answer(active: int) -> Any:
        assert active & 16
        seen.append(active - 16)
        violated = found.get(active - 16)
        return None if violated is None else SimpleNamespace(mask=violated | outside)

    mine: Any = object.__new__(Subsystems)
    mine._clock = Deadline(None)
    mine._grow(SimpleNamespace(test=answer), 15, 16, 15)
    assert seen == asked
