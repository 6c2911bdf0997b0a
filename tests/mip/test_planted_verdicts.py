"""What leads to "proved", "the same" or "infeasible", each with a planted wrong verdict."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from requirements import need_library
from test_comparison import BOX, LIARS, Liar, Rows, model_of

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.compare import elimination as projection
from calmip.mip.compare import implication
from calmip.mip.compare import objective_equivalence as objectives
from calmip.mip.compare.column_pairing import Pairing
from calmip.mip.compare.comparison import Inclusion, Side, include
from calmip.mip.compare.elimination import project, uncompleted
from calmip.mip.compare.implication import ByHighs, Implications
from calmip.mip.compare.objective_equivalence import Objectives, compare_objectives
from calmip.mip.files.lp import read_lp
from calmip.mip.files.model_files import read_model
from calmip.mip.files.text_source import TextFile
from calmip.mip.iis import refutation, switched_tree
from calmip.mip.iis.constraint_sets import Members, MemberTest
from calmip.mip.iis.refutation import RefutationTree
from calmip.mip.iis.subsystem import ALL_BOUNDS, FARKAS, SEARCH, Subsystems
from calmip.mip.iis.switched_tree import RowTree, _Nodes
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.lp.inequality import Basis, half_space
from calmip.mip.lp.linear import Certificate
from calmip.mip.model import Model
from calmip.mip.pool import relaxation as pool_relaxation
from calmip.mip.pool.integer_model import program_of
from calmip.mip.rows import Row
from calmip.mip.status import Status
from calmip.puzzle.tasks import compare as _against
from calmip.puzzle.tasks.compare import ModelComparison, compare_models

INF = math.inf
X = {0: 0}


def mixed(
    rows: Rows, high: list[float], integer: list[int], low: list[float] | None = None
) -> Model:
    """Return a model whose first column is x, and whose others are its own."""
    names = ["x", *(f"own{number}" for number in range(len(high) - 1))]
    return model_of((rows, low or [0.0] * len(high), high), names, integer=array("b", integer))


@pytest.fixture
def compiled_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call HiGHS by its library, without which no compiled tree takes rows."""
    need_library(monkeypatch)


# projection


ANY = """Minimize
 o: 0 x
Subject To
 p: x + y >= 0
Binaries
 x y
End
"""
FEW = """Minimize
 o: 0 x
Subject To
 c: x + y >= 0
 p: 2 z - x + w1 - w2 = 0
 q: w1 + w2 <= 0
 q2: 3 z + w1 - 2 w2 <= 100
Bounds
 z <= 5
 w1 <= 3
 w2 <= 3
Binaries
 x y
Generals
 z
End
"""


def test_further_columns_of_both_kinds_have_no_multipliers(tmp_path: Path) -> None:
    """x = 2 z needs x = 0, though its relaxation has all points; multipliers cannot tell."""
    models = []
    for name, text in (("any", ANY), ("few", FEW)):
        path = tmp_path / f"{name}.lp"
        path.write_text(text)
        models.append(read_model(path))
    found = compare_models(*models, clock=ENDLESS)
    assert (found.feasible_set, found.status) == ("larger", "refused")
    assert found.forth.point is not None
    assert found.forth.point[0] == 1
    columns = {0: 0, 1: 1}
    left = project(models[1], [2, 3, 4])
    assert left.left
    assert uncompleted(models[0], models[1], left, columns) is None


@pytest.mark.parametrize(
    ("rows", "integer"),
    [
        ([("z = x", {0: 1.0, 1: -1.0}, 0.0, 0.0)], [0, 1]),
        ([("2 z = x + 2 y", {0: 1.0, 1: 2.0, 2: -2.0}, 0.0, 0.0)], [1, 1, 1]),
        ([("z = y + 1/2 - x/2", {0: 0.5, 1: 1.0, 2: -1.0}, 0.5, 0.5)], [1, 1, 1]),
        (
            [("x <= z", {0: 1.0, 1: -1.0}, -INF, 0.0), ("z <= x", {0: 1.0, 1: -1.0}, 0.0, INF)],
            [0, 1],
        ),
        (
            [("x <= 2 z", {0: 1.0, 1: -2.0}, -INF, 0.0), ("2 z <= x", {0: 1.0, 1: -2.0}, 0.0, INF)],
            [1, 1],
        ),
    ],
    ids=lambda value: value[0][0] if isinstance(value[0], tuple) else "",
)
def test_an_integer_column_that_may_be_fractional_is_not_eliminated(
    rows: Rows, integer: list[int]
) -> None:
    """Some x within its bounds leaves no whole number to the columns of the other model."""
    other = mixed(rows, [1.0] + [5.0] * (len(integer) - 1), integer)
    plain = mixed([], [1.0], integer[:1])
    found = include(plain, other, X)
    # Where x is continuous, no point is tried.
    assert found.holds is (False if integer[0] else None)
    assert (found.point is not None) is bool(integer[0])
    further = range(1, len(integer))
    assert project(other, list(further)).left
    assert include(other, plain, X).proved


def test_an_integer_slack_is_eliminated() -> None:
    """The counterpart: from such equations and inequalities the column goes exactly."""
    for rows in (
        [("z = x", {0: 1.0, 1: -1.0}, 0.0, 0.0)],
        [("x <= z", {0: 1.0, 1: -1.0}, -INF, 0.0), ("z <= x", {0: 1.0, 1: -1.0}, 0.0, INF)],
    ):
        assert not project(mixed(rows, [1.0, 5.0], [1, 1]), [1]).left


@pytest.mark.parametrize(("low", "high"), [(1.0, 2.0), (-2.0, -1.0)])
def test_rows_without_columns_that_fail_are_kept(low: float, high: float) -> None:
    """The own column is to be 0 and at least 1: there is no solution."""
    rows: Rows = [("zero", {1: 1.0}, 0.0, 0.0), ("t", {1: 1.0}, low, high)]
    empty = mixed(rows, [1.0, 5.0], [1, 0], [0.0, -5.0])
    found = include(mixed([], [1.0], [1]), empty, X)
    assert (found.holds, found.point is not None) == (False, True)


def test_multipliers_are_for_binary_columns_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """x = 2 needs y >= 1 and y <= 1/2; with x taken for binary, all is well."""
    monkeypatch.setattr(projection, "MAX_ADDED_ROWS", -99)
    rows: Rows = [("a", {0: 1.0, 1: -1.0}, -INF, 1.0), ("b", {1: 1.0}, -INF, 0.5)]
    other = mixed(rows, [2.0, 9.0], [1, 0])
    for integer, high in (([1], 2.0), ([0], 1.0)):
        one = mixed([], [high], integer)
        left = project(other, [1])
        assert left.left == {1}
        assert uncompleted(one, other, left, X) is None
    found = include(mixed([], [2.0], [1]), other, X)
    assert (found.holds, found.point) == (False, {0: 2})
    assert include(mixed([], [1.0], [1]), other, X).proved


def test_a_projection_that_is_stopped_claims_nothing_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that time or size leave are completed by other means, or the answer is unknown."""
    rows: Rows = [("t", {0: 1.0, 1: 3.0, 2: 1.0}, 1.0, 1.0), ("u", {1: 1.0, 2: -1.0}, 0.0, 0.5)]
    other = mixed(rows, [1.0, 1.0, 1.0], [1, 0, 0])
    for name, value in (("MAX_BITS", 1), ("MIN_FILL", -100)):
        with monkeypatch.context() as patch:
            patch.setattr(projection, name, value)
            assert project(other, [1, 2]).left
            assert include(mixed([], [1.0], [1]), other, X).holds is True
    late = Deadline(1e-9)
    left = project(other, [1, 2], late)
    assert (left.left, len(left.rows)) == ({1, 2}, 2)


# implications


def test_a_fractional_value_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A point that is whole, or no solution, is no answer."""
    asked = Implications(mixed([("r", {0: 1.0}, -INF, 0.5)], [1.0], [0]))
    for point, answer in (
        ({0: 1}, None),
        ({0: 0}, None),
        ({0: Fraction(3, 4)}, None),
        ({0: Fraction(1, 4)}, True),
    ):
        monkeypatch.setattr(Implications, "point", lambda *_, point=point: (True, point))
        there, own = asked.fractional(0, 1.0)
        assert (there, own) == (answer, point if answer else {})


def test_only_what_is_infeasible_is_so_by_a_search() -> None:
    """A search says False for an inequality that holds, else True, with a point."""
    for integer in ([1, 1], [0, 0], [1, 0]):
        model = model_of(([("r", {0: 2.0, 1: 2.0}, -INF, 3.0)], *BOX), integer=array("b", integer))
        asked = Implications(model)
        whole = all(integer)
        for side in (Fraction(1, 2), 1, Fraction(5, 4), Fraction(3, 2)):
            half = half_space({0: 1, 1: 1}, side, asked.integer)
            there, point = asked.search(half, ENDLESS)
            assert there is (side < (1 if whole else Fraction(3, 2)))
            assert not there or asked.violates(point, half)
            implied, relaxed = asked.linear(half)
            assert implied is (not there and (side >= Fraction(3, 2) or whole))
            assert relaxed is (side >= Fraction(3, 2))


# comparison


def test_a_violated_side_is_listed_as_such() -> None:
    cut: Rows = [("cut", {0: 1.0, 1: 1.0}, -INF, 1.0)]
    found = include(model_of(([], *BOX)), model_of((cut, *BOX)), {0: 0, 1: 1})
    assert [(side.name, side.holds) for side in found.sides if side.kind == "row"] == [
        ("cut", False)
    ]


def test_a_point_that_can_be_completed_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "MAX_ADDED_ROWS", -99)
    rows: Rows = [("a", {0: 1.0, 1: -1.0}, -INF, 0.0), ("b", {1: 1.0}, -INF, 1.0)]
    other = mixed(rows, [1.0, 9.0], [1, 0])
    for solver in (None, *LIARS.values()):
        found = include(mixed([], [1.0], [1]), other, X, solver=solver)
        assert found.holds is True


@pytest.mark.parametrize("parts", ["forth", "back", "objective", "relaxation"])
def test_only_what_is_proved_is_called_so(parts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS's word about one part is none about another, and spoils the whole verdict."""
    box = model_of(([("r", {0: 1.0}, -INF, 1.0)], [0.0], [2.0]))
    plain = Inclusion(True, (), relaxed_proved=True)
    word = Inclusion(
        True, (Side("row", "c", "x <= 1", True, implication.Basis.SOLVER),), relaxed_proved=True
    )
    guess = Inclusion(True, (), relaxed_proved=False)
    answers = {
        "forth": [word, plain],
        "back": [plain, word],
        "objective": [plain, plain],
        "relaxation": [guess, plain],
    }[parts]
    monkeypatch.setattr(_against, "include_constructs", lambda *_: answers.pop(0))
    if parts == "objective":
        claim = objectives.Objectives("scaled", 2, proved=False)
        monkeypatch.setattr(_against, "compare_objectives", lambda *_, **__: claim)
    found = compare_models(box, box, clock=ENDLESS)
    assert found.status == "accepted"
    assert found.proved is (parts == "relaxation")
    expected = {
        "feasible_set": parts not in ("forth", "back"),
        "objective": parts != "objective",
        "relaxation": parts != "relaxation",
    }
    if parts in ("forth", "back"):
        del expected["relaxation"], found.proved_parts["relaxation"]
    assert expected.items() <= found.proved_parts.items()
    assert "(proved in exact numbers)" in str(found) or not found.proved


def test_a_stronger_relaxation_is_proved_or_said_to_be_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That a point of one relaxation lies outside the other is HiGHS's word at first."""
    loose = model_of(([("r", {0: 2.0, 1: 2.0}, -INF, 3.0)], *BOX))
    tight = model_of(([("r", {0: 1.0, 1: 1.0}, -INF, 1.0)], *BOX))
    found = compare_models(loose, tight, clock=ENDLESS)
    assert (found.relaxation, found.proved_parts["relaxation"]) == ("against", True)
    monkeypatch.setattr(Implications, "_exact_maximum", lambda *_: None)
    found = compare_models(loose, tight, clock=ENDLESS)
    assert (found.relaxation, found.proved_parts["relaxation"]) == ("against", False)
    assert "not proved: relaxations" in str(found)


def test_a_column_that_highs_calls_integral_is_a_word() -> None:
    """Two inequalities make x equal to the integer y; no step but HiGHS sees it."""
    rows: Rows = [("a", {0: 1.0, 1: -1.0}, -INF, 0.0), ("b", {0: 1.0, 1: -1.0}, 0.0, INF)]
    one = model_of((rows, [0.0, 0.0], [3.0, 3.0]), integer=array("b", [0, 1]))
    other = model_of((rows, [0.0, 0.0], [3.0, 3.0]))
    found = include(one, other, {0: 0, 1: 1})
    assert (found.holds, found.proved) == (True, False)
    assert [side.basis for side in found.sides if side.kind == "integrality"] == [
        implication.Basis.SOLVER
    ]
    silent = include(one, other, {0: 0, 1: 1}, solver=LIARS["nothing"])
    assert (silent.holds, silent.proved) == (None, False)
    loose = model_of((rows[:1], [0.0, 0.0], [3.0, 3.0]), integer=array("b", [0, 1]))
    assert include(loose, other, {0: 0, 1: 1}).holds is False


@pytest.mark.parametrize("factor", [1.0, 0.5, 3.0, -1.0, -0.5, -3.0])
@pytest.mark.parametrize("integer", [0, 1])
def test_a_row_of_one_column_bounds_it_on_its_side(factor: float, integer: int) -> None:
    rows: Rows = [("low", {0: factor}, -2 * abs(factor), INF), ("high", {0: factor}, -INF, factor)]
    model = mixed(rows, [9.0], [integer], low=[-9.0])
    bounds = (-2.0, 1.0) if factor > 0 else (1.0, 2.0)
    assert tuple(Implications(model).tight[0]) == bounds


def test_a_linear_search_that_ends_early_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an infeasible model has no solution that violates a side."""
    low = ("low", {0: 1.0}, 2.0, INF)
    there = mixed([low], [5.0], [0])
    empty = mixed([low, ("high", {0: 1.0}, -INF, 1.0)], [5.0], [0])
    half = half_space({0: 1}, 4, [False])
    assert Implications(there).search(half, ENDLESS)[0] is True
    assert Implications(there).search(half_space({0: 1}, 5, [False]), ENDLESS)[0] is False
    assert Implications(empty).search(half, ENDLESS)[0] is False
    monkeypatch.setattr(
        ExactLp, "solve", lambda *_, **__: LinearAnswer(Status.UNKNOWN, reason="the time is over")
    )
    for model in (there, empty):
        assert Implications(model).search(half, ENDLESS)[0] is None


# members


def whole(model: Model) -> tuple[Members, int]:
    members = Members(model)
    return members, members.of_rows | members.of_columns


def test_rounded_integers_that_fail_refute_nothing() -> None:
    """x = 0.2 rounds to 0, with which no y is left; but x = 1 has one."""
    rows: Rows = [("r", {0: 1.0, 1: 1.0}, 1.5, 1.5)]
    members, active = whole(model_of((rows, *BOX), integer=array("b", [1, 0])))
    test = MemberTest(members, ENDLESS)
    answer = test.exact_point(active, [0.2, 1.0])
    assert answer is None or answer.feasible is None
    assert test.test(active).feasible is True
    # Without integers it is a proof of the linear program.
    members, active = whole(
        model_of(([("r", {0: 1.0}, 2.0, 3.0)], [0.0], [1.0]), integer=array("b", [0]))
    )
    answer = MemberTest(members, ENDLESS).exact_point(active, [1.0])
    assert answer is not None
    assert answer.feasible is False


def test_multipliers_of_a_missing_side_prove_nothing() -> None:
    """The row has no upper side, whatever the other rows give."""
    rows: Rows = [("free", {0: 1.0}, 0.0, INF), ("r", {0: 1.0}, 2.0, 3.0)]
    members, active = whole(model_of((rows, [0.0], [1.0]), integer=array("b", [0])))
    for prices in ({0: 1, 1: -1}, {1: -1, 0: 1}):
        assert refutation._combine(members, prices, active)[1] is None
    support, gap, _ = refutation._combine(members, {1: -1}, active)
    assert gap == 1
    assert support == 2 | 1 << members.bit("upper", 0)
    assert refutation._combine(members, {1: -1}, active & ~support)[1] is None


def test_multipliers_refute_only_what_they_exclude() -> None:
    """Any multipliers, by the definition: with rounded sides only if all columns are integer."""
    seen = set()
    for seed in range(150):
        draw = Random(seed)
        rows: Rows = []
        for name in "rqs":
            terms = {c: float(draw.choice([-4, -2, 2, 3, 4])) for c in range(2)}
            low = float(draw.randint(-9, 9))
            rows.append(
                (name, terms, low if draw.random() < 0.8 else -INF, low + draw.randint(0, 3))
            )
        bounds = [(0.0, float(draw.randint(1, 3))), (-1.0, INF if draw.random() < 0.2 else 1.0)]
        lows, highs = map(list, zip(*bounds, strict=True))
        members, active = whole(model_of((rows, lows, highs), integer=array("b", [1, 1])))
        if draw.random() < 0.5:
            active &= ~(1 << members.bit("integer", draw.randint(0, 1)))
        tree = RefutationTree(MemberTest(members, ENDLESS), active, 0, ENDLESS)
        assert tree.answer.feasible is not True
        for _ in range(8):
            prices = {row: draw.randint(-2, 2) for row in draw.sample(range(3), 3)}
            wanted = excluded(members, active, {row: y for row, y in prices.items() if y})
            found = tree._excess({row: Fraction(y, 2) for row, y in prices.items() if y})
            assert found == wanted[0], (seed, prices)
            seen.add(wanted[1])
    assert seen == {"no side", "rounded", "excluded", "touching", "feasible"}


def excluded(members: Members, active: int, prices: Mapping[int, int]) -> tuple[int | None, str]:
    """Return the members that multipliers use if these refute them, and what is seen."""
    support = more = 0
    gap: Any = 0
    nearer: Any = 0
    total: Counter[int] = Counter()
    for row, y in prices.items():
        terms, low, high = members.rows[row]
        side = high if y > 0 else low
        if not math.isfinite(side):
            return None, "no side"
        by = math.gcd(*map(int, terms.values()))
        whole = all(active >> members.bit("integer", c) & 1 for c in terms)
        near = side if not whole else side // by * by if y > 0 else -(-side // by) * by
        gap, nearer = gap - y * side, nearer - y * near
        support |= 1 << row
        if near != side:
            more |= sum(1 << members.bit("integer", c) for c in terms)
        for c, value in terms.items():
            total[c] += y * int(value)
    for c, factor in total.items():
        if not factor:
            continue
        end = members.bounds[c][factor < 0]
        if not math.isfinite(end):
            return None, "no side"
        gap, nearer = gap + factor * end, nearer + factor * end
        support |= 1 << members.bit("upper" if factor < 0 else "lower", c)
    if gap > 0:
        return support, "excluded"
    if nearer > 0:
        return support | more, "rounded"
    return None, "touching" if 0 in (gap, nearer) else "feasible"


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize(("same", "reduced"), [(True, False), (False, False), (False, True)])
@pytest.mark.parametrize("late", [False, True])
def test_only_members_that_are_proved_have_a_proof(
    own: bool, rows: bool, same: bool, reduced: bool, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``own``: the members themselves are provable; ``rows``: their rows with all bounds are."""
    model = model_of(([("r", {0: 1.0}, 2.0, 3.0)], [0.0], [1.0]))
    found = Subsystems(model, clock=Deadline(1e-9) if late else ENDLESS)
    certificate = Certificate({0: Fraction(1)})
    active, every = (0b11, 0b11) if same else (0b11, 0b111)

    def prove(self: Subsystems, members: int, seconds: float = 9.0) -> tuple[str, Any]:
        if members == active:
            return (FARKAS, certificate) if own else ("", None)
        assert members == every
        return (SEARCH, None) if rows else ("", None)

    monkeypatch.setattr(Subsystems, "_prove", prove)
    run: Any = SimpleNamespace(active=active, reduced=reduced)
    answer = found._prove_first(run, every)
    if own and (same or reduced or (rows and not late)):
        assert answer == (FARKAS, certificate)
    else:
        assert answer == (ALL_BOUNDS if rows and not same else "", None)


# the tree of rows


@pytest.mark.usefixtures("compiled_rows")
@pytest.mark.parametrize("simplex_rows", [0, 1500])
@pytest.mark.parametrize("work", [0, 20_000])
def test_a_row_that_is_switched_off_prunes_nothing(
    simplex_rows: int, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longest row is the objective of the tree; the rows without it are feasible.

    HiGHS solves the relaxations, or the compiled simplex method; or none is needed.
    """
    monkeypatch.setattr(pool_relaxation, "MAX_SIMPLEX_ROWS", simplex_rows)
    monkeypatch.setattr(switched_tree, "WORK_BEFORE_RELAXATIONS", work)
    rows: Rows = [
        ("least", dict.fromkeys(range(4), 1.0), 3.0, INF),
        ("most", {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: 1.0}, -INF, 2.0),
        ("pair", {0: 1.0, 4: 1.0}, 1.0, 1.0),
    ]
    members, active = whole(model_of((rows, [0.0] * 5, [1.0] * 5)))
    tree = RowTree(members, range(3), active & members.of_columns)
    assert tree._priced >= 0
    for some, feasible in (
        ([0, 1, 2], False),
        ([0, 2], True),
        ([1, 2], True),
        ([0, 1], False),
        ([0], True),
        ([0, 1, 2], False),
    ):
        assert tree.test(some, 10**6, ENDLESS).feasible is feasible


@pytest.mark.usefixtures("compiled_rows")
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_solution_far_outside_a_bound_that_is_left_out_is_not_excluded(side: str) -> None:
    """Nothing is proved by a search near the bound that is left out."""
    sign = 1.0 if side == "upper" else -1.0
    rows: Rows = [("far", {0: sign, 1: 1.0}, 20.0, 21.0)]
    low, high = ([0.0, 0.0], [1.0, 1.0]) if sign > 0 else ([-1.0, 0.0], [0.0, 1.0])
    members, active = whole(model_of((rows, low, high)))
    assert (
        RowTree(members, [0], active & members.of_columns, alone=True)
        .test([0], 10**6, ENDLESS)
        .feasible
        is False
    )
    left_out = active & ~(1 << members.bit(side, 0))
    tree = RowTree(members, [0], left_out & members.of_columns, alone=True)
    assert tree.test([0], 10**6, ENDLESS).feasible is not False


@pytest.mark.usefixtures("compiled_rows")
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize(("factor", "side"), [(1.0, 2.0), (2.0, 5.0), (3.0, 6.0)])
def test_the_row_that_is_the_objective_keeps_its_side(
    factor: float, side: float, upper: bool
) -> None:
    """Any two of five columns are allowed by the longest row, three are not."""
    sign = 1.0 if upper else -1.0
    longest = dict.fromkeys(range(5), sign * factor)
    ends = (-INF, side) if upper else (-side, INF)
    for number in (2, 3):
        rows: Rows = [
            ("longest", longest, *ends),
            ("least", dict.fromkeys(range(4), 1.0), float(number), INF),
        ]
        members, active = whole(model_of((rows, [0.0] * 5, [1.0] * 5)))
        tree = RowTree(members, range(2), active & members.of_columns)
        assert tree._priced == 0
        assert tree.test(range(2), 10**6, ENDLESS).feasible is (number <= 2)


@pytest.mark.usefixtures("compiled_rows")
def test_a_tree_of_rows_alone_is_a_proof_if_no_bound_is_left_out() -> None:
    """Of three columns any two sum to 1: no bound is tightened, and there is no solution."""
    rows: Rows = [(f"{a}{b}", {a: 1.0, b: 1.0}, 1.0, 1.0) for a, b in ((0, 1), (0, 2), (1, 2))]
    members, active = whole(model_of((rows, [0.0] * 3, [1.0] * 3)))
    given = active & members.of_columns
    tree = RowTree(members, range(3), given, alone=True)
    assert not tree._empty
    assert tree.test(range(3), 10**6, ENDLESS).feasible is False
    for side in ("lower", "upper"):
        less = given & ~(1 << members.bit(side, 0))
        answer = RowTree(members, range(3), less, alone=True).test(range(3), 10**6, ENDLESS)
        assert answer.feasible is False  # the rows give the bound again
    two = RowTree(members, range(2), given, alone=True).test(range(2), 10**6, ENDLESS)
    assert two.feasible is True


# objectives


def cost(values: list[float], rows: Rows, **others: Any) -> Model:
    size = len(values)
    return model_of((rows, [0.0] * size, [1.0] * size)).changed(cost=array("d", values), **others)


THREE = {c: c for c in range(3)}
CHOOSE: Rows = [("one", dict.fromkeys(range(3), 1.0), 1.0, 1.0)]


def test_objectives_in_one_order_are_alike_though_no_multiples() -> None:
    one, other = cost([1, 2, 3], CHOOSE), cost([1, 2, 9], CHOOSE)
    found = compare_objectives(one, other, THREE, ENDLESS, same=True)
    assert (found.relation, found.ranks_alike, found.proved) == ("monotone", True, True)
    assert found.by_rows


@pytest.mark.parametrize("values", [[1.0, 2.0, 2.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
@pytest.mark.parametrize("turned", [False, True])
def test_a_tie_of_one_objective_alone_is_a_difference(values: list[float], turned: bool) -> None:
    models = cost([1, 2, 3], CHOOSE), cost(values, CHOOSE)
    found = compare_objectives(*models[:: -1 if turned else 1], THREE, ENDLESS, same=True)
    assert (found.relation, len(found.points)) == ("different", 2)


def test_without_a_search_nothing_is_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = cost([1, 2, 3], CHOOSE), cost([1, 2, 9], CHOOSE)
    monkeypatch.setattr(Implications, "search", lambda *_: (None, {}))
    found = compare_objectives(one, other, THREE, ENDLESS, same=True)
    assert (found.relation, found.ranks_alike, found.proved) == ("unknown", None, False)
    assert found.reason == "the time limit was reached"
    late = compare_objectives(one, other, THREE, Deadline(1e-9), same=True)
    assert late.ranks_alike is None


@pytest.mark.parametrize("name", LIARS)
def test_a_lying_solver_ranks_nothing(name: str) -> None:
    """Its points are checked, and its word that there is no pair is none."""
    one = cost([1, 2, 3], CHOOSE)
    point = LIARS[name].point
    liar = Liar(LIARS[name].status, point and [*point] * 3)
    for values, alike in (([1.0, 2.0, 9.0], True), ([2.0, 1.0, 3.0], False)):
        other = cost(values, CHOOSE)
        found = compare_objectives(one, other, THREE, ENDLESS, same=True, solver=liar)
        assert found.ranks_alike is alike


def epigraph(slope: float, price: float) -> Model:
    """Return x and t >= slope x with a price of t."""
    rows: Rows = [("t", {0: -slope, 1: 1.0}, 0.0, INF)]
    model = mixed(rows, [3.0, INF], [1, 0])
    return model.changed(cost=array("d", [0.0, price]))


def test_objectives_by_further_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = mixed([], [3.0], [1]).changed(cost=array("d", [2.0]))
    for slope, price, relation, factor in (
        (2.0, 1.0, "same", 1),
        (2.0, 2.0, "scaled", 2),
        (-2.0, 1.0, "different", 1),
    ):
        found = compare_objectives(plain, epigraph(slope, price), X, ENDLESS, same=True)
        assert (found.relation, found.factor, found.proved) == (relation, factor, True)
        assert found.by_rows is (relation != "different")
    # Undecided is neither the same nor different.
    monkeypatch.setattr(objectives, "include", lambda *_: Inclusion(None))
    found = compare_objectives(plain, epigraph(2.0, 1.0), X, ENDLESS, same=True)
    assert (found.relation, found.ranks_alike, found.proved) == ("unknown", None, False)
    word = Inclusion(True, (Side("row", "c", "x <= 1", True, implication.Basis.SOLVER),))
    monkeypatch.setattr(objectives, "include", lambda *_: word)
    found = compare_objectives(plain, epigraph(2.0, 1.0), X, ENDLESS, same=True)
    assert (found.relation, found.proved) == ("same", False)
    # What one direction alone shows is no relation.
    for answers in ([Inclusion(True), Inclusion(False)], [Inclusion(None), Inclusion(True)]):
        monkeypatch.setattr(objectives, "include", lambda *_, answers=answers: answers.pop())
        found = compare_objectives(plain, epigraph(2.0, 1.0), X, ENDLESS, same=True)
        assert found.ranks_alike is None


def test_equations_make_objectives_multiples_only_if_they_are() -> None:
    """Two of three equations' multiples are not enough, nor is a negative factor."""
    rows: Rows = [("a", {0: 3.0, 1: 3.0}, 3.0, 3.0)]
    one = cost([1, 0, 1], rows)
    for values, relation in (
        ([0.0, -1.0, 1.0], "shifted"),
        ([2.0, 0.0, 1.0], "different"),
        ([-1.0, 0.0, -1.0], "reversed"),
        ([3.0, 1.0, 2.0], "scaled"),
    ):
        found = compare_objectives(one, cost(values, rows), THREE, ENDLESS, same=True)
        assert found.relation == relation
        assert found.by_rows is (relation in ("shifted", "scaled"))
        for point in ({0: 1}, {1: 1}, {0: 1, 2: 1}, {1: 1, 2: 1}):
            if found.ranks_alike:
                first, second = (m.exact_objective(point) for m in (one, cost(values, rows)))
                assert second == found.factor * first + found.shift


class Few(ByHighs):
    """A solver that proposes some points alone."""

    def __init__(self, *points: list[float]) -> None:
        self.points = points
        self.asked = 0

    def best(self, *_: object) -> list[float] | None:
        self.asked += 1
        return self.points[self.asked % len(self.points)] if self.points else None


@pytest.mark.parametrize("values", [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 2.0]])
@pytest.mark.parametrize("turned", [False, True])
def test_some_points_alone_are_no_relation(values: list[float], turned: bool) -> None:
    """At the points that are proposed, the objectives are the same or constant."""
    models = cost([1, 0, 0], []), cost(values, [])
    for solver in (Few([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Few([0.0] * 3), Few()):
        found = compare_objectives(
            *models[:: -1 if turned else 1], THREE, ENDLESS, same=True, solver=solver
        )
        assert (found.relation, len(found.points)) == ("different", 2)
        first, second = (
            [model.exact_objective(point) for model in models] for point in found.points
        )
        ranks = [(a > b) - (a < b) for a, b in zip(first, second, strict=True)]
        assert ranks[0] != ranks[1]


def test_objectives_that_are_constant() -> None:
    """They rank all solutions alike, whatever the constants are."""
    rows: Rows = [("a", {0: 1.0, 1: 1.0}, -INF, 1.0), ("b", {0: 1.0, 1: 1.0}, 1.0, INF)]
    one, other = cost([0, 0, 0], rows, offset=1.0), cost([2, 2, 0], rows)
    for pair, shift in (((one, other), 1), ((other, one), -1)):
        for solver in (None, Few([1.0, 0.0, 0.0])):
            found = compare_objectives(*pair, THREE, ENDLESS, same=True, solver=solver)
            assert (found.relation, found.factor, found.shift) == ("shifted", 1, shift)
            assert found.by_rows
    empty: Rows = [("no", {0: 1.0}, 0.5, 0.5)]
    found = compare_objectives(
        cost([1, 0, 0], empty), cost([0, 1, 0], empty), THREE, ENDLESS, same=True
    )
    assert found.ranks_alike


@pytest.mark.parametrize("integer", [0, 1])
@pytest.mark.parametrize("turned", [False, True])
def test_an_objective_that_is_constant_ranks_no_pair(integer: int, turned: bool) -> None:
    for rows, ranks_alike in (([], False), ([("zero", {2: 1.0}, -INF, 0.0)], True)):
        models = [
            cost(values, rows, integer=array("b", [integer] * 3))
            for values in ([0.0, 0.0, 0.0], [0.0, 0.0, 0.25])
        ]
        found = compare_objectives(*models[:: -1 if turned else 1], THREE, ENDLESS, same=True)
        assert found.ranks_alike is ranks_alike


@pytest.mark.parametrize("integer", [0, 1])
def test_all_solutions_or_none_violate_an_inequality_without_terms(integer: int) -> None:
    asked = Implications(mixed([], [1.0], [integer]))
    for side in (-1, 0, 1):
        assert asked.search(half_space({}, side, [bool(integer)]), ENDLESS)[0] is (side < 0)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("proved", [False, True])
@pytest.mark.parametrize("found", [False, True])
def test_a_least_objective_is_one_that_is_proved(
    found: bool, proved: bool, maximise: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the values that the shared column x = 1 leaves to an integer column."""

    class Search:
        def __init__(self, *_: object, **__: object) -> None:
            self.proved = proved

        def __iter__(self) -> Any:
            yield from [(0, {0: 1, 1: 2})] * found

    monkeypatch.setattr(objectives, "PoolSearch", Search)
    model = mixed([], [1.0, 3.0], [1, 1]).changed(cost=array("d", [5.0, 1.0]), maximise=maximise)
    best = objectives._best(model, {0: 1}, [0], ENDLESS)
    if found and proved:
        value = model.exact_objective({0: 1, 1: 2})
        assert best == (-value if maximise else value, {0: 1, 1: 2})
    else:
        assert best is None


def test_best_objectives_that_are_constant_or_not_known() -> None:
    plain = mixed([], [3.0], [1]).changed(offset=1.0)
    rows: Rows = [("t", {1: 1.0}, 3.0, INF)]
    other = mixed(rows, [3.0, INF], [1, 0]).changed(cost=array("d", [0.0, 1.0]))
    found = compare_objectives(plain, other, X, ENDLESS, same=True)
    assert (found.relation, found.factor, found.shift) == ("shifted", 1, 2)
    # Without points, the factor is not known; what is claimed is proved all the same.
    found = compare_objectives(plain, other, X, ENDLESS, same=True, solver=Few())
    assert (found.relation, found.ranks_alike) == ("unknown", None)
    linear = plain.changed(cost=array("d", [2.0]), offset=0.0)
    found = compare_objectives(linear, epigraph(2.0, 1.0), X, ENDLESS, same=True, solver=Few())
    assert (found.relation, found.proved) == ("same", True)


@pytest.mark.parametrize("maximise", [False, True])
def test_best_objectives_with_integer_further_columns(maximise: bool) -> None:
    """z is the least whole number of at least 1.5 x: 0, 2, 3, 5."""
    rows: Rows = [("z", {0: -1.5, 1: 1.0}, 0.0, INF)]
    other = mixed(rows, [3.0, 9.0], [1, 1]).changed(cost=array("d", [0.0, 1.0]), maximise=maximise)
    for price, relation in ((1.0, None), (-1.0, "different")):
        plain = mixed([], [3.0], [1]).changed(cost=array("d", [price]))
        found = compare_objectives(plain, other, X, ENDLESS, same=True)
        assert found.relation == (relation or "unknown")
        assert found.ranks_alike is (False if relation else None)
        sign = -1 if maximise else 1
        whole = {0: 0, 1: 2, 2: 3, 3: 5}
        for point, values in zip(found.points, found.values, strict=True):
            assert values == (price * point.get(0, 0), sign * whole[int(point.get(0, 0))])


# the verdict on two models


ROW = Side("row", "r", "x <= 1", True, Basis.ROW, True)
FOUND = {
    "proved": Inclusion(True, (ROW, replace(ROW, basis=Basis.SEARCH)), relaxed_proved=True),
    "claimed": Inclusion(True, (ROW, replace(ROW, basis=Basis.SOLVER, relaxed=None))),
    "refuted": Inclusion(False, (ROW, Side("row", "s", "x <= 0", False)), {0: 1}),
    "open": Inclusion(None, (ROW, Side("row", "t", "x <= 0", relaxed=False))),
}
RANKED = {
    "alike": Objectives("scaled", 2),
    "claimed alike": Objectives("same", proved=False),
    "reversed": Objectives("reversed"),
    "differ": Objectives("different", points=({0: 1}, {})),
    "claimed to differ": Objectives("different", points=({0: 1}, {}), proved=False),
    "open": Objectives("unknown", proved=False),
}


@pytest.mark.parametrize(("forth", "back", "ranked"), [*product(FOUND, FOUND, RANKED)])
def test_a_verdict_on_two_models_says_what_its_parts_say(
    forth: str, back: str, ranked: str
) -> None:
    """One open or claimed part among proved ones is enough for a weaker verdict."""
    model = mixed([], [1.0], [1])
    found = ModelComparison(
        model,
        mixed([], [1.0], [1]),
        Pairing({0: 0}, {"equal": 1}),
        FOUND[forth],
        FOUND[back],
        RANKED[ranked],
    )
    ways, sets = (forth, back), {forth, back}
    refuted = "refuted" in sets
    alike = ranked in ("alike", "claimed alike")
    if refuted or not (alike or ranked == "open"):
        assert found.status == "refused"
        assert found.proved == (refuted or ranked in ("reversed", "differ"))
    elif "open" in sets or ranked == "open":
        assert (found.status, found.proved) == ("unknown", False)
    else:
        assert found.status == "accepted"
        assert found.proved == (sets == {"proved"} and ranked == "alike")
    known = {"proved": True, "claimed": True, "refuted": False, "open": None}
    holds = known[forth], known[back]
    # One point shows that the sets differ, though one may still be within the other.
    words = {(True, True): "same", (True, False): "smaller", (False, True): "larger"}
    differ = refuted and True not in holds
    assert found.feasible_set == ("different" if differ else words.get(holds, "unknown"))
    parts = found.proved_parts
    assert parts["feasible_set"] == (differ or sets <= {"proved", "refuted"})
    assert parts["objective"] == RANKED[ranked].proved
    assert parts["relaxation"] == (sets == {"proved"})
    owners = zip(("against", "model"), ways, strict=True)
    assert [(name, side.name) for name, side in found.open] == [
        (name, "t") for name, way in owners if way == "open"
    ]
    if forth == "refuted":
        assert found.refuted == (found.model, found.against, found.forth)
    else:
        assert (found.refuted is not None) == refuted
        assert found.refuted is None or found.refuted[2] is found.back


def test_points_that_one_model_has_not_prove_no_other_order() -> None:
    """Two solutions of the first model are ranked apart; the second one may not have them."""
    ranked = Objectives("different", points=({0: 1}, {}))
    model, narrow = mixed([], [1.0], [1]), mixed([("none", {0: 1.0}, 0.0, 0.0)], [1.0], [1])
    pairing = Pairing({0: 0}, {"equal": 1})
    for against, forth, proved in (
        (narrow, "claimed", False),
        (narrow, "proved", True),
        (mixed([], [1.0], [1]), "claimed", True),
        (mixed([], [1.0, 1.0], [1, 1]), "claimed", False),
    ):
        found = ModelComparison(model, against, pairing, FOUND[forth], FOUND["claimed"], ranked)
        assert (found.status, found.proved) == ("refused", proved)


@pytest.mark.parametrize("begun", [True, False])
def test_a_row_that_is_switched_has_its_sides_in_a_simplex_that_has_begun(*, begun: bool) -> None:
    """Divided by the scale of the row; what the tree knows of its sides is not."""
    nodes = _Nodes.__new__(_Nodes)
    simplex = SimpleNamespace(cost=[0.0] * 3, low=[0.0] * 5, high=[9.0] * 5)
    tree: Any = nodes
    tree.arrays = SimpleNamespace(sides=[3, 3])
    tree.relaxation = SimpleNamespace(scale=[2.0, 4.0])
    tree._simplex = simplex if begun else None
    nodes.switch(1, 8.0, math.inf)
    assert tree.arrays.sides == [3, 1]
    assert (simplex.low[4], simplex.high[4]) == ((2.0, math.inf) if begun else (0.0, 9.0))
    assert (simplex.low[:4], simplex.high[:4]) == ([0.0] * 4, [9.0] * 4)


def test_a_row_that_is_switched_has_its_sides_in_the_linear_program() -> None:
    rows: Rows = [("r", {0: 3.0, 1: 2.0}, 5.0, INF)]
    program = program_of(mixed(rows, [1.0, 1.0], [1, 1]).changed(cost=array("d", [3.0, 2.0])))
    relaxation = switched_tree._Relaxation(program, cost=True)
    for low, high, claim in (
        (5.0, INF, "optimal"),
        (6.0, INF, "infeasible"),
        (-INF, INF, "optimal"),
        (-INF, -1.0, "infeasible"),
        (4.0, 4.0, "optimal"),
    ):
        relaxation.switch(0, low, high)
        found = relaxation.solve([0, 0], [1, 1], INF, None)
        assert found.status == claim
        if claim == "optimal":
            assert 3 * found.point[0] + 2 * found.point[1] == pytest.approx(max(low, 0.0))


@pytest.mark.parametrize("integer", [0, 1])
@pytest.mark.parametrize("maximise", [False, True])
def test_the_best_objective_of_shared_values_is_that_of_the_further_columns(
    integer: int, *, maximise: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With y <= 3 - x and y >= 1 - x, the least y at x = 1 is 0, and the greatest 2."""
    text = "Maximize" if maximise else "Minimize"
    kind = "\nGeneral\n y" if integer else ""
    rows = " a: x + y <= 3\n b: x + y >= 1\nBounds\n x <= 1\n y <= 9"
    lines = f"{text}\n o: 5 x + y\nSubject To\n{rows}{kind}\nEnd".split("\n")
    model = read_lp(TextFile("m.lp", tuple(lines)))
    cost, point = objectives._best(model, {0: 1}, [0], ENDLESS) or (None, {})
    assert (cost, point.get(1, 0)) == ((-7, 2) if maximise else (5, 0))
    assert objectives._best(model, {0: 9}, [0], ENDLESS) is None
    if integer:
        unproved = property(lambda _: False, lambda *_: None)
        monkeypatch.setattr(objectives.PoolSearch, "proved", unproved, raising=False)
        assert objectives._best(model, {0: 1}, [0], ENDLESS) is None


@pytest.mark.parametrize("third", [3, 4])
def test_points_with_the_same_values_rank_alike(third: int) -> None:
    """Where x + y = 1, the objectives x + y and 3 x + 3 y, or 3 x + 4 y, have these points."""
    asked = Implications(model_of(([("r", {0: 1.0, 1: 1.0}, 1.0, 1.0)], [0.0] * 2, [1.0] * 2)))
    points = iter([{0: 1}, {1: 1}])
    asked.best = lambda *_: next(points, None)  # type: ignore[method-assign]
    found = objectives._by_values(asked, {0: 1, 1: 1}, {0: 3, 1: third}, 0, 0)
    assert found is not None
    assert found.relation == ("shifted" if third == 3 else "different")


@pytest.mark.parametrize("seed", range(30))
def test_objectives_lose_what_equations_determine(seed: int) -> None:
    """A sum of equations is a constant, and at each solution a reduced objective is the same."""
    draw = Random(seed)
    width, height = 4, draw.randint(1, 3)
    point = [draw.randint(-3, 3) for _ in range(width)]
    rows, total, side = [], dict.fromkeys(range(width), 0), 0
    for _ in range(height):
        terms = {c: draw.choice([-2, -1, 1, 3]) for c in range(width) if draw.random() < 0.8}
        end, factor = sum(a * point[c] for c, a in terms.items()), draw.choice([-2, 1, 3])
        rows.append(Row(terms, end, end))
        for column, a in terms.items():
            total[column] += factor * a
        side += factor * end
    rows.append(Row({0: 1, 1: 5}, -math.inf, math.inf))  # no equation
    other = {c: draw.randint(-4, 4) for c in range(width)}
    model: Any = SimpleNamespace(rows=rows)
    found = objectives._reduce(model, [total, other], ENDLESS)
    assert found is not None
    (empty, constant), (terms, rest) = found
    assert (empty, constant) == ({}, side)
    assert all(terms.values())
    for one in product(range(-3, 4), repeat=width):
        if all(sum(a * one[c] for c, a in row.terms.items()) == row.low for row in rows[:-1]):
            cost = sum(a * one[c] for c, a in other.items())
            assert cost == rest + sum(a * one[c] for c, a in terms.items())
    late: Any = SimpleNamespace(rows=[Row({0: 1}, 1, 1), Row({0: 1, 1: 1}, 2, 2)])
    assert objectives._reduce(late, [other], Deadline(1e-9)) is None


@pytest.mark.parametrize("answers", list(product((True, False, None), (True, False, None))))
@pytest.mark.parametrize("quick", [None, Basis.ROW])
def test_an_inequality_is_implied_by_a_row_a_relaxation_or_a_search_to_its_end(
    quick: Basis | None, answers: tuple[bool | None, bool | None]
) -> None:
    linear, search = answers
    seconds: list[float | None] = []
    asked: Any = SimpleNamespace(
        quick=lambda _: (quick, quick is None),
        linear=lambda _: (linear, not linear),
        search=lambda _, clock: (search, seconds.append(clock.seconds)),
    )
    half = half_space({0: 1}, 1, [False])
    for clock in (ENDLESS, Deadline(1e6)):
        implied = objectives._implied(asked, half, clock)
        assert implied is (quick is not None or linear is True or search is False)
    if seconds:
        assert seconds[0] == objectives.MAX_SECONDS
        assert seconds[1] is not None
        assert seconds[1] > objectives.MAX_SECONDS


@pytest.mark.parametrize("values", [(3, 2, 1), (1, 3, 2), (2, 1, 3), (1, 2, 3)])
@pytest.mark.parametrize("turned", [False, True])
def test_two_solutions_that_are_ranked_differently_are_whole(
    values: tuple[int, ...], turned: bool
) -> None:
    """Of the choices of one column out of three, by each order of their costs."""
    asked = Implications(cost([0, 0, 0], CHOOSE))
    costs = {0: 1, 1: 2, 2: 3}, dict(enumerate(values))
    own, their = costs[:: -1 if turned else 1]
    found = objectives._by_pairs(asked, own, their, None)
    assert found is not None
    assert found.relation == ("monotone" if values == (1, 2, 3) else "different")
    chosen = [[c for c, value in point.items() if value] for point in found.points]
    assert all(point[column] == 1 for point, (column,) in zip(found.points, chosen, strict=True))
    if chosen:
        (first,), (second,) = chosen
        assert (own[first] < own[second]) != (their[first] < their[second])


@pytest.mark.parametrize("theirs", list(product((2, 3, 4), repeat=3)))
@pytest.mark.parametrize("ours", [(0, 0, 1), (1, 0, 2), (0, 1, 1), (1, 1, 1)])
def test_choices_that_two_models_rank_differently_are_told(
    ours: tuple[int, ...], theirs: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three choices of the shared columns, whose best objectives are these."""
    plain = mixed([], [3.0], [1])
    models = plain.changed(cost=array("d", [1.0])), plain.changed(cost=array("d", [2.0]))
    monkeypatch.setattr(objectives, "_choices", lambda *_: [{0: 0}, {0: 1}, {0: 2}])
    best = {models[0].cost[0]: ours, models[1].cost[0]: theirs}
    monkeypatch.setattr(objectives, "_best", lambda model, at, *_: (best[model.cost[0]][at[0]], at))
    monkeypatch.setattr(objectives, "include", lambda *_: Inclusion(True))
    found = objectives._by_epigraphs(*models, X, ENDLESS, None)
    pairs = list(zip(ours, theirs, strict=True))
    alike = all((a < c) == (b < d) and (a > c) == (b > d) for a, b in pairs for c, d in pairs)
    assert (found.relation == "different") is not alike
    if alike:
        low, high = min(pairs), max(pairs)
        factor = Fraction(high[1] - low[1], (high[0] - low[0]) or 1) or Fraction(1)
        assert (found.factor, found.shift) == (factor, low[1] - factor * low[0])
    else:
        (a, b), (c, d) = found.values
        assert {(a, b), (c, d)} <= set(pairs)
        assert (a < c, a > c) != (b < d, b > d)


@pytest.mark.parametrize(
    ("values", "relation"),
    [
        ([0.0, -1.0, 1.0], "shifted"),
        ([1.0, 0.0, 1.0], "same"),
        ([3.0, 1.0, 2.0], "scaled"),
        ([2.0, 0.0, 1.0], None),
        ([-1.0, 0.0, -1.0], None),
    ],
)
def test_equations_alone_relate_objectives(values: list[float], relation: str | None) -> None:
    model = project(cost([1, 0, 1], [("a", {0: 3.0, 1: 3.0}, 3.0, 3.0)]), [], ENDLESS)
    own, their = {0: 1, 2: 1}, {c: Fraction(value) for c, value in enumerate(values) if value}
    found = objectives._by_equations(model, own, their, (0, 0), ENDLESS)
    assert (found and found.relation) == relation
    assert found is None or found.by_rows
    late = project(cost([1, 0, 1], [("a", {0: 3.0, 1: 3.0}, 3.0, 3.0)] * 2), [], ENDLESS)
    assert objectives._by_equations(late, own, their, (0, 0), Deadline(1e-9)) is None


@pytest.mark.parametrize("integer", list(product((0, 1), repeat=2)))
def test_a_best_objective_has_whole_values_where_they_must_be(integer: tuple[int, int]) -> None:
    """Of two further columns that are 2.5 at least together, one of price 1 and one of price 3."""
    rows: Rows = [("r", {1: 1.0, 2: 1.0}, 2.5, INF)]
    model = mixed(rows, [1.0, 9.0, 9.0], [1, *integer]).changed(cost=array("d", [0.0, 1.0, 3.0]))
    best = objectives._best(model, {0: 1}, [0], ENDLESS)
    assert best is not None
    assert best[0] == (3 if integer[0] else Fraction(5, 2))
