"""Searches and linear programs that are not finished, or lie: nothing is proved by them."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pytest

from calmip import Model
from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Deadline
from calmip.mip.compare import column_pairing, comparison
from calmip.mip.compare.comparison import Basis, Inclusion, Side
from calmip.mip.exact_cover import parts
from calmip.mip.exact_cover import search as exact_cover
from calmip.mip.iis import with_constructs
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer
from calmip.mip.optima import diversity, sensitivity
from calmip.mip.pool import branch_and_bound as plain
from calmip.mip.pool import cuts, open_nodes
from calmip.mip.pool.relaxation import NodeClaim
from calmip.mip.proof import pool_tree
from calmip.mip.rows import Row
from calmip.mip.status import Status

INF = math.inf


# The proof of a pool.


def prover(low: list[Any], high: list[Any]) -> Any:
    """Return the prover of a pool at a node."""
    mine: Any = object.__new__(pool_tree._Tree)
    mine.low, mine.high, mine.trail = low, high, []
    mine.program = SimpleNamespace(distinct=1, integers=len(low))
    return mine


@pytest.mark.parametrize("status", [Status.UNKNOWN, Status.UNBOUNDED, Status.OPTIMAL])
def test_an_exact_program_without_an_answer_refutes_no_node(status: Status) -> None:
    mine = prover([0], [1])
    mine.exact = SimpleNamespace(solve=lambda *_, **__: LinearAnswer(status))
    mine.limits = SimpleNamespace(clock=Deadline(None))
    limit: Any = SimpleNamespace(most=None)
    if status is Status.UNKNOWN:
        with pytest.raises(TimeoutError):
            mine.prove(limit)
    else:
        assert mine.prove(limit) is None


@pytest.mark.parametrize("least", [0, -3, 4])
@pytest.mark.parametrize("most", [INF, 3, 5, 9, 18, 100])
def test_a_sum_of_rows_narrows_what_it_bounds(most: float, least: int) -> None:
    mine = prover([least] * 3, [least + 9] * 3)
    found: Any = SimpleNamespace(most=most, right=0, total={0: 1, 1: -2}, multipliers=[(1, 1)])
    told = mine.narrow(found, [0, 1, 2])
    ends = zip(mine.low, mine.high, strict=True)
    bounds = {column: (low - least, high - least) for column, (low, high) in enumerate(ends)}
    wanted = {0: (0, 9), 1: (0, 9), 2: (0, 9)}
    if most < INF:
        wanted[0] = (max(0, 9 - int(most)), 9)
        wanted[1] = (0, min(9, int(most) // 2))
    assert bounds == wanted
    changed = [[c + 1, *(least + end for end in wanted[c])] for c in (0, 1) if wanted[c] != (0, 9)]
    assert told == ([["narrow", [(1, 1)], changed]] if changed else [])


def test_the_limit_of_a_pattern_is_that_of_its_solution() -> None:
    mine = prover([2, 7], [2, 9])
    mine.limit_of = {(2,): "its own", (3,): "another"}
    assert mine.limit_here("the node's") == "its own"
    mine.low[0] = 1
    assert mine.limit_here("the node's") == "the node's"


@pytest.mark.parametrize("most", [None, 6])
@pytest.mark.parametrize("claim", [None, [0.0, 0.0], [INF, 1.0], [math.nan, 1.0], [6.0, -12.0]])
@pytest.mark.parametrize("status", ["infeasible", "bound", "optimal"])
def test_the_multipliers_of_a_claim_are_tried_in_whole_numbers(
    status: str, claim: list[float] | None, most: int | None
) -> None:
    """With the objective's where HiGHS has it in the claim, else with both signs."""
    mine = prover([0, 0], [1, 1])
    mine.number_of, mine.relaxation = [1, 2], SimpleNamespace(unit=8, scale=[2, 4])
    mine.sum = lambda multipliers, _: multipliers
    limit: Any = SimpleNamespace(most=most)
    tried = list(mine.candidates(NodeClaim(status, None, claim), limit))
    priced = status != "infeasible"
    usable = claim is not None and all(map(math.isfinite, claim)) and (priced or any(claim))
    assert bool(tried) is (usable and (not priced or most is not None))
    for multipliers in tried:
        given = dict(multipliers)
        assert set(given) == ({0} if priced else set()) | (
            {1, 2} if claim and any(claim) else set()
        )
        assert all(type(y) is int and y for y in given.values())
        if claim and any(claim):
            # Six of a row that was divided by 2, twelve of one by 4, eight of the objective.
            assert given[1] == -given[2]
            assert given[1] == -24 * given[0] if priced else abs(given[1]) in pool_tree.SCALES
        assert not priced or given[0] < 0
    if tried and not priced:
        assert {dict(multipliers)[1] > 0 for multipliers in tried} == {True, False}


@pytest.mark.parametrize(
    "known", [{}, {(1, True): (6.0, 2)}, {(1, False): (9.0, 3), (0, True): (8.0, 1)}]
)
@pytest.mark.parametrize("gained", [(0.0, 0), (10.0, 2)])
@pytest.mark.parametrize("part", [0.25, 0.5, 0.875])
def test_a_branching_is_scored_by_what_both_its_sides_have_gained(
    part: float, gained: tuple[float, int], known: dict[Any, tuple[float, int]]
) -> None:
    """A side that was not tried has the mean of all, and one without a gain a little."""
    mine = prover([0, 0], [9, 9])
    mine.gains, mine.gained = known, gained
    mean = 5.0 if gained[1] else 1.0
    below = 3.0 if (1, False) in known else mean
    above = 3.0 if (1, True) in known else mean
    assert mine.score(1, part) == (below * part * above * (1 - part), min(part, 1 - part))
    mine.gains = {(1, False): (0.0, 4), (1, True): (0.0, 4)}
    assert mine.score(1, part)[0] == pool_tree.NEAR**2


# The comparison of models.


def inclusion(**given: Any) -> Any:
    mine: Any = object.__new__(comparison._Inclusion)
    vars(mine).update(given)
    return mine


@pytest.mark.parametrize("further", [[], [1]])
@pytest.mark.parametrize("kinds", [(), ("row",), ("integrality",), ("integrality", "bound")])
@pytest.mark.parametrize("relaxed", list(product((True, False, None), repeat=2)))
def test_that_a_relaxation_has_a_point_outside_is_proved_by_one(
    relaxed: tuple[bool | None, ...], kinds: tuple[str, ...], further: list[int]
) -> None:
    """A solution beside a row is such a point, if it has all columns and is not only fractional."""
    violations: Any = tuple(SimpleNamespace(kind=kind) for kind in kinds)
    for halves in product((None, "near", "outside"), repeat=2):
        sides = tuple(Side("row", "", "", None, None, one) for one in relaxed)
        mine = inclusion(
            further=further,
            questions=[comparison._Question(half, {}, 0) for half in halves],  # type: ignore[arg-type]
            asked=SimpleNamespace(exceeds={"near": False, "outside": True}.__getitem__),
        )
        found = mine._confirm(Inclusion(False, sides, None, violations))
        if False in relaxed:
            beside = not further and bool({"row", "bound"} & set(kinds))
            assert found is (beside or (False, "outside") in zip(relaxed, halves, strict=True))
        else:
            assert found is (None not in relaxed)


@pytest.mark.parametrize(
    ("status", "missed"),
    [(Status.UNKNOWN, None), (Status.OPTIMAL, False), (Status.INFEASIBLE, True)],
)
def test_a_completion_that_is_not_decided_misses_no_point(
    status: Status, missed: bool | None
) -> None:
    answer = LinearAnswer(status, reason="late")
    other = Model.from_rows(
        ["x", "y"], [("r", {0: 1.0, 1: 1.0}, 1.0, INF)], integer=array("b", [1, 0])
    )
    mine = inclusion(
        columns={0: 0},
        further=[1],
        other=other,
        clock=Deadline(None),
        _completion=SimpleNamespace(solve=lambda *_: answer),
    )
    found, violations, reason = mine._misses({0: 1})
    assert (found, violations) == (missed, ())
    assert bool(reason) is (missed is True)


@pytest.mark.parametrize("there", [True, False, None])
@pytest.mark.parametrize("searched", [True, False, None])
def test_a_solution_without_a_completion_is_one_of_the_first_model(
    there: bool | None, searched: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Auxiliary columns of the question are none of its; HiGHS's word alone closes nothing."""
    point = {0: 1, 1: 2, 2: 3}
    asked = SimpleNamespace(
        point=lambda *_: (there, point if there else {}),
        search=lambda *_: (searched, point if searched else {}),
    )
    monkeypatch.setattr(comparison, "uncompleted", lambda *_: ("model", "half"))
    monkeypatch.setattr(comparison, "Implications", lambda *_: asked)
    closed: list[Any] = []
    mine = inclusion(
        one=SimpleNamespace(columns=["a", "b"]),
        other=None, projected=None, columns=None, proposer=None,
        clock=Deadline(None),
        extended=[4, 5],
        _close=lambda *one: closed.append(one),
        _found=lambda number, values: (number, values),
    )  # fmt: skip
    found = mine._by_multipliers()
    refuted = bool(there or searched)
    assert found == ((4, {0: 1, 1: 2}) if refuted else None)
    proved = not there and searched is False
    assert closed == ([(4, Basis.SEARCH), (5, Basis.SEARCH)] if proved else [])
    assert mine._complete is (there is False)


@pytest.mark.parametrize("told", [(None, True), (None, False), InputError("x"), TimeoutError()])
@pytest.mark.parametrize("said", [True, False])
def test_points_that_were_not_all_tried_prove_nothing(
    said: bool, told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(_: object) -> tuple[Inclusion | None, bool]:
        if isinstance(told, Exception):
            raise told
        return told

    closed: list[Any] = []
    mine = inclusion(
        columns={0: 0},
        extended=[0],
        sides=[SimpleNamespace(holds=None)],
        asked=SimpleNamespace(integer=[True]),
        _complete=said,
        _try_points=tried,
        _close=lambda *one: closed.append(one),
    )
    assert mine._by_points() is None
    basis = Basis.SEARCH if told == (None, True) else Basis.SOLVER if said else None
    assert [one[1] for one in closed] == ([basis] if basis else [])


@pytest.mark.parametrize("integer", [[True, True], [True, False], [False, True]])
def test_the_points_of_integer_columns_are_tried(integer: list[bool]) -> None:
    """Where other columns are shared there may be infinitely many."""
    mine = inclusion(
        columns={0: 0, 1: 1},
        extended=[0],
        sides=[SimpleNamespace(holds=None)],
        asked=SimpleNamespace(integer=integer),
        _try_points=lambda _: ("a wrong point", False),
    )
    assert mine._by_points() == ("a wrong point" if all(integer) else None)
    mine.extended = []
    assert mine._by_points() is None


def test_columns_are_matched_within_so_many_trials_and_in_exact_numbers() -> None:
    """A renaming keeps the kind of each column, as well as the rows."""
    mine: Any = object.__new__(column_pairing._Match)
    row = Row({0: 1, 1: 2}, 0, 3)
    for kinds, other, equal in (
        ([0, 1], [0, 1], True),
        ([0, 1], [1, 0], False),
        ([0, 0], [0, 1], False),
    ):
        texts = column_pairing.Counter([column_pairing._text(row, {0: 0, 1: 1})])
        mine.first = SimpleNamespace(kinds=kinds, texts=texts)
        mine.second = SimpleNamespace(kinds=other, rows=[row])
        assert mine._equal({0: 0, 1: 1}) is equal
    mine.first, mine.second = (SimpleNamespace(kinds=[0, 0], texts=texts, rows=[row]),) * 2
    assert not mine._equal({0: 1, 1: 0})


# Searches of covers and choices.


def test_a_point_of_the_exact_cover_search_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    class Walk:
        finished = False

        def __init__(self, _: object) -> None:
            pass

        def step(self, _: int) -> list[int]:
            self.finished = True
            return [1, 2]

    monkeypatch.setattr(exact_cover, "walk", Walk)
    for wrong in (None, 1, 2):
        model = SimpleNamespace(violated=lambda columns, wrong=wrong: wrong in columns or None)
        cover: Any = SimpleNamespace(
            model=model, rests=(), packed=lambda: None, columns=lambda chosen: [chosen]
        )
        search = exact_cover.CoverSearch(cover)
        if wrong is None:
            assert list(search) == [[1], [2]]
        else:
            with pytest.raises(SolverFailed, match="found a point that violates the model"):
                list(search)
        assert search.complete is (wrong is None)


def test_an_item_is_chosen_while_one_is_open() -> None:
    masks = [0b01, 0b10, 0b11]
    assert parts.choose_item(0b11, masks, 0b11, 0) == -1
    assert parts.choose_item(0b10, masks, 0b01 | 0b10, 0) == 0
    assert parts.choose_item(0b01, masks, 0b01 | 0b10, 0) == 1


@pytest.mark.parametrize("reads", [0, 3, None])
@pytest.mark.parametrize("most", [3, 6])
def test_a_choice_that_was_not_finished_is_within_twice(
    most: int, reads: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many points, or at the time limit; otherwise no choice is better."""
    points = [{0: x} for x in (0, 1, 4, 6, 9, 10)]
    monkeypatch.setattr(diversity, "MAX_POOL", most)

    class Clock:
        left = reads

        @property
        def over(self) -> bool:
            if self.left is None:
                return False
            self.left -= 1
            return self.left < 0

    clock: Any = Clock()
    if reads is None:
        clock = Deadline(None)
    found = diversity.choose(points, 3, "l1", clock)
    least = min(abs(points[a][0] - points[b][0]) for a, b in combinations(found.places, 2))
    best = max(
        min(abs(a[0] - b[0]) for a, b in combinations(some, 2)) for some in combinations(points, 3)
    )
    finished = most == 6 and reads is None
    assert found.places == sorted(found.places)
    assert (least, found[1]) == (found[1], least)
    assert found[2] == (best if finished else 2 * least)
    assert best <= found[2]


def test_an_analysis_whose_program_is_late_is_late() -> None:
    mine: Any = object.__new__(sensitivity._Search)
    mine.clock = Deadline(None)
    told: list[Any] = []
    for status, wanted in (
        (Status.OPTIMAL, {0: 1}),
        (Status.INFEASIBLE, None),
        (Status.UNBOUNDED, None),
    ):
        answer = LinearAnswer(status, point={0: 1})
        lp: Any = SimpleNamespace(set_costs=told.append, solve=lambda *_, a=answer, **__: a)
        assert mine._solve(lp, {0: 2}) == wanted
    assert told == [{0: 2}] * 3
    lp.solve = lambda *_, **__: LinearAnswer(Status.UNKNOWN, reason="late")
    with pytest.raises(TimeoutError, match="late"):
        mine._solve(lp, {})


def test_a_part_of_a_tree_that_a_row_excludes_is_empty() -> None:
    rows = [Row({}, -INF, INF), Row({0: 1, 1: 1}, 3, INF)]
    for first, second in product(range(4), repeat=2):
        tree = plain.new_tree(rows, [0, 0], [3, 3], distinct=2, cubes=True)
        part = ((1, first), (3, second))
        assert open_nodes.enter(tree, part) is (first + second >= 3)
        if first + second >= 3:
            assert list(tree.high) == [first, second]


def test_a_column_without_a_bound_is_substituted_by_none() -> None:
    mine: Any = object.__new__(cuts.CutSearch)
    mine.variable, mine.point, mine.between = {}, [3.0], {}
    for low, high in product((-INF, 1), (INF, 9)):
        mine.low, mine.high, mine.sides, mine.nearest = [low], [high], {}, {}
        mine.varying, mine.boundless, mine.far = set(), set(), {}
        chosen, distance, base, _, inside, *_ = mine.substitute(0)
        assert mine.boundless == ({0} if chosen is None else set())
        assert mine.far == {0: distance}
        if (low, high) == (-INF, INF):
            assert (chosen, distance) == (None, INF)
        else:
            assert chosen is not None
            assert (chosen.base, inside) == (base, distance)
            assert (chosen.upper, distance) == ((False, 2.0) if low == 1 else (True, 6.0))


# Constructs.


def test_what_should_be_binary_and_is_not_decides_nothing() -> None:
    mine: Any = object.__new__(with_constructs.ConstructSubsystems)

    def linearised(*_: object) -> None:
        raise InputError("b is not binary")

    mine._linearised = linearised
    what: Any = (frozenset(), frozenset())
    assert mine._tested(what, {}, [9]) == with_constructs._Answer(None)


def test_a_projection_has_no_cases() -> None:
    odd: Any = SimpleNamespace(kind="projection")
    assert with_constructs.cases_of(odd) == []


def test_a_point_beside_bounds_or_integrality_is_no_witness_of_a_projection() -> None:
    """A projection holds where the auxiliary columns have values that satisfy its rows."""
    kinds = ("indicator", "projection")
    constructs = [SimpleNamespace(kind=kind) for kind in kinds]
    logic: Any = SimpleNamespace(columns=1, constructs=constructs, owned=[[], [0]])
    model: Any = SimpleNamespace(
        logic=logic,
        columns=("x", "h", "k"),
        values=lambda _: [0, 1, 0],
        bounds=lambda _: (0, 2),
        exact_row=lambda _: Row({0: 1, 1: -1}, 0, 0),
    )
    for h, k in product((-1, 0, 1, Fraction(1, 2), 3), (0, Fraction(1, 2), -1)):
        found = Model._witnessed(model, {0: h, 1: h, 2: k})
        inside = 0 <= h <= 2 and k >= 0 and h == int(h)
        assert list(found) == ([1] if inside else [])
        if inside:
            assert list(Model._witnessed(model, {0: h + 1, 1: h, 2: k})) == []
    logic.constructs.pop()
    assert list(Model._witnessed(model, {0: 1, 1: 1})) == []
    model.logic = None
    assert list(Model._witnessed(model, {})) == []


def test_the_exact_program_of_no_rows_is_there() -> None:
    """What the tests above plant is what the solver gives."""
    answer = ExactLp(Model.from_rows(["x"], []), [0]).solve({}, Deadline(None))
    assert isinstance(answer, LinearAnswer)
    assert answer.status is Status.OPTIMAL
