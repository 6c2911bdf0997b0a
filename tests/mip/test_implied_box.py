"""Boxes of members whose bounds are left out: one of their solutions, if any, is inside."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest

from calmip._base.bits import bits
from calmip._base.highs import load
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip import kernel
from calmip.mip.iis.constraint_sets import MemberAnswer, Members, MemberTest, exact_model
from calmip.mip.iis.implied_box import Box, ImpliedBoxes
from calmip.mip.iis.refutation import TreeTest
from calmip.mip.iis.subsystem import SEARCH, Subsystems
from calmip.mip.iis.switched_tree import RowTree
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, Number
from calmip.mip.rows import is_finite
from calmip.mip.status import Status

INF = math.inf
MOST_POINTS = 3000

pytestmark = pytest.mark.skipif(
    kernel.library() is None or load() is None, reason="no compiled loops"
)


def random_members(seed: int) -> tuple[Members, int]:
    """Return a small model of integers and continuous columns, and some of its members."""
    rng = random.Random(seed)
    columns = rng.randint(1, 4)
    bounds = [(rng.randint(-2, 0), rng.randint(0, 2)) for _ in range(columns)]
    integer = [rng.random() < 0.7 for _ in range(columns)]
    rows: list[Any] = []
    for number in range(rng.randint(1, 4)):
        own = [c for c in range(columns) if rng.random() < 0.8] or [0]
        terms = {c: rng.choice([-3, -2, -1, 1, 2, 3]) for c in own}
        low, high = sorted((rng.randint(-4, 4), rng.randint(-4, 4)))
        sides = rng.choice([(low, high), (low, INF), (-INF, high), (high, high), (low, low)])
        rows.append((f"r{number}", terms, *sides))
    members = Members(exact_model([f"x{c}" for c in range(columns)], bounds, integer, rows))
    kept = sum(1 << bit for bit in bits(members.of_columns) if rng.random() < 0.8)
    return members, members.of_rows | kept


def completed(
    members: Members, active: int, ends: Sequence[tuple[Any, Any]]
) -> dict[int, Number] | bool | None:
    """Return a point of some members within finite bounds of the integers, None if there is none.

    False if there are too many values of the integers.
    """
    part, columns, _ = members.part(active)
    integers = [place for place, c in enumerate(columns) if members.is_integer(active, c)]
    ranges = [
        range(math.ceil(low), math.floor(high) + 1)
        for low, high in (ends[columns[place]] for place in integers)
    ]
    if math.prod(map(len, ranges)) > MOST_POINTS:
        return False
    rest = [place for place in range(len(columns)) if place not in integers]
    linear = ExactLp(part, rest)
    bounds = {place: ends[columns[place]] for place in rest}
    for values in itertools.product(*ranges):
        given = dict(zip(integers, values, strict=True))
        answer = linear.solve(given, bounds=bounds)
        if answer.status is Status.OPTIMAL:
            return {columns[place]: value for place, value in {**given, **answer.point}.items()}
    return None


def check_box(members: Members, active: int, boxes: ImpliedBoxes, box: Box) -> bool | None:
    """Check a box by trying all values of its integers; return whether it has a point."""
    assert not box.active & ~active
    width = len(members.bounds)
    own = [box.ends.get(c) or members.interval(box.active, c) for c in range(width)]
    used = {c for row in members.rows_of(box.active) for c in members.rows[row][0]}
    assert all(is_finite(end) for c in used for end in own[c])
    inside = completed(members, box.active, own)
    if inside is False:
        return None
    if inside is None:
        # A grid beyond all bounds that the members have has no solution either.
        far = [
            (low if is_finite(low) else -7, high if is_finite(high) else 7)
            for low, high in (members.interval(active, c) for c in range(width))
        ]
        spread = [
            pair if members.is_integer(active, c) else tuple(members.interval(active, c))
            for c, pair in enumerate(far)
        ]
        assert completed(members, active, spread) in (None, False)
        return False
    assert isinstance(inside, dict)
    values = {c: inside.get(c, 0) for c in range(width)}
    for c in range(width):  # columns in no row are put within their bounds
        if c not in used:
            low, high = members.interval(active, c)
            values[c] = next((end for end in (low, high) if is_finite(end)), 0)
    point = boxes.point(box, values)
    assert not members.mask(point) & active
    return True


def boxes_of(seed: int) -> Iterator[bool | None]:
    """Check the boxes of some sets of members of one model, one after the other."""
    members, active = random_members(seed)
    boxes, rng = ImpliedBoxes(members), random.Random(seed)
    for _ in range(6):
        some = active & ~sum(1 << bit for bit in bits(active) if rng.random() < 0.3)
        box = boxes.find(some, lambda _: False, ENDLESS)
        if box is not None:
            yield check_box(members, some, boxes, box)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(100, 600, 100))]
)
def test_a_box_has_a_solution_if_and_only_if_the_members_have(first: int) -> None:
    found = [answer for seed in range(first, first + 100) for answer in boxes_of(seed)]
    assert found.count(True) > 50
    assert found.count(False) > 3


def loose(rows: list[Any], integer: list[bool]) -> tuple[Members, int]:
    """Return a model whose columns have the bounds 0 and 5, and its members without these."""
    names = [f"x{c}" for c in range(len(integer))]
    members = Members(exact_model(names, [(0, 5)] * len(integer), integer, rows))
    whole = sum(1 << members.bit("integer", c) for c, one in enumerate(integer) if one)
    return members, members.of_rows | whole


def test_a_continuous_column_of_a_ray_is_not_fixed_at_one_value() -> None:
    """3 x - 2 y = 1 has solutions with an integer x, but none with y = 0."""
    members, active = loose([("r", {0: 3, 1: -2}, 1, 1)], [True, False])
    boxes = ImpliedBoxes(members)
    box = boxes.find(active, lambda _: False, ENDLESS)
    assert box is not None
    assert check_box(members, active, boxes, box)


def test_a_ray_that_satisfies_a_row_leaves_it_out() -> None:
    """2 x + 2 y = 3 refutes integers; the other rows hold far enough along a ray."""
    odd, far = ("odd", {0: 2, 1: 2}, 3, 3), ("far", {0: 1}, 40, INF)
    members, active = loose([odd, far], [True, True])
    box = ImpliedBoxes(members).find(active, lambda _: False, ENDLESS)
    assert box is not None
    assert members.rows_of(box.active) == [0]
    answer = TreeTest(members, ENDLESS)._search_box(active)
    assert answer is not None
    assert (answer.feasible, answer.proved) == (False, True)
    assert not answer.support & 1 << 1


def test_a_point_of_the_others_is_moved_along_the_ray() -> None:
    """All but one row are known to have a point; a ray leads from it to one of all rows."""
    members, active = loose([("even", {0: 1, 1: 1}, 4, 4), ("far", {0: 1}, 40, INF)], [True, True])
    known: dict[int, Number] = {0: 1, 1: 3}

    def known_of(some: int) -> dict[int, Number] | None:
        return None if members.mask(known) & some else known

    test = TreeTest(members, ENDLESS, known_of)
    answer = test._search_box(active)
    assert answer is not None
    assert answer.point is not None
    assert not members.mask(answer.point) & active


def test_a_bound_that_another_set_implies_is_not_used_without_it() -> None:
    members, active = loose([("least", {0: 1}, 1, INF), ("most", {0: 1}, -INF, 4)], [True])
    boxes = ImpliedBoxes(members)
    whole = boxes.find(active, lambda _: False, ENDLESS)
    assert whole is not None
    assert whole.ends[0] == (1, 4)
    for row, wrong in ((0, (-INF, 4)), (1, (1, INF))):
        box = boxes.find(active & ~(1 << row), lambda _: False, ENDLESS)
        assert box is None or box.ends.get(0) != wrong
        assert box is None or not box.active & 1 << 1 - row  # a ray satisfies the other row


def test_without_time_there_is_no_box() -> None:
    members, active = loose([("r", {0: 1, 1: 1}, 1, 1)], [True, True])
    assert ImpliedBoxes(members).find(active, lambda _: False, Deadline(1e-9)) is None
    assert TreeTest(members, Deadline(1e-9))._search_box(active) is None


def test_a_bound_beside_a_fixed_column_is_not_one_without_it() -> None:
    """Of x = y one can be fixed; if x has bounds, y has the same."""
    members, active = loose([("r", {0: 1, 1: -1}, 0, 0)], [True, True])
    boxes = ImpliedBoxes(members)
    free = boxes.find(active, lambda _: False, ENDLESS)
    assert free is not None
    assert dict(free.ends) == {0: (0, 0), 1: (0, 0)}
    bounded = active | 1 << members.bit("lower", 0) | 1 << members.bit("upper", 0)
    box = boxes.find(bounded, lambda _: False, ENDLESS)
    assert box is not None
    assert box.ends[1] == (0, 5)


def test_integers_without_others_for_them_refute_nothing() -> None:
    members, active = loose([("r", {0: 3, 1: -2}, 1, 1)], [True, False])
    active |= members.of_columns
    test = MemberTest(members, ENDLESS)
    completed_point = test.completed(active, [0.0, 0.0])
    assert completed_point is not None
    assert (completed_point.feasible, completed_point.support) == (False, 0)
    assert test.exact_point(active, [0.0, 0.0]) is None


@pytest.mark.parametrize("verdict", [None, False])
def test_a_leaf_that_is_not_judged_refutes_nothing(verdict: bool | None) -> None:
    """Values that are not known to be a solution, and those of all leaves that are none."""
    answers = []
    for seed in range(40):
        members = Members(mixed(seed))
        given = members.of_columns
        tree = RowTree(members, range(4), given, alone=True)
        judged: list[bool] = []
        right = tree.test(range(4), 10**7, ENDLESS).feasible

        def judge(_: object, asked: list[bool] = judged) -> bool | None:
            asked.append(True)
            return verdict

        answer = tree.test(range(4), 10**7, ENDLESS, judge).feasible
        if judged:
            answers.append(answer)
            assert right is True
        assert answer is not True
        assert answer is None or verdict is False or not judged
    assert len(answers) > 2


def test_a_tree_whose_time_is_over_has_no_answer() -> None:
    members = Members(mixed(0))
    active = members.of_rows | members.of_columns
    assert TreeTest(members, ENDLESS)._search(active) is not None
    assert TreeTest(members, Deadline(1e-9))._search(active) is None


def test_after_a_search_without_an_answer_the_next_one_has_half_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    members, active = loose([("r", {0: 2, 1: 2}, 3, 3)], [True, True])
    answers = iter([None, None, True, None])
    seconds = []

    def search(*given: Any, **_: Any) -> MemberAnswer:
        seconds.append(given[2].seconds)
        return MemberAnswer(next(answers))

    monkeypatch.setattr(MemberTest, "_relax", lambda *_: None)
    monkeypatch.setattr(MemberTest, "_solve", lambda *_: None)
    monkeypatch.setattr(MemberTest, "search", search)
    test = MemberTest(members, ENDLESS)
    for _ in range(4):
        test.test(active)
    first = seconds[0]
    assert seconds == [first, first / 2, first / 4, first]


def mixed(seed: int) -> Model:
    """Return a model in which leaves of the tree have integers without continuous values."""
    rng = random.Random(seed)
    bounds = [(0, 2)] * 3 + [(0, rng.randint(1, 3))] * 2
    rows: list[Any] = []
    for number in range(4):
        terms = {c: rng.choice([-3, -2, -1, 1, 2, 3]) for c in rng.sample(range(5), 4)}
        side = Fraction(rng.randint(-3, 6))
        rows.append((f"r{number}", terms, side, side if number < 2 else INF))
    return exact_model([f"x{c}" for c in range(5)], bounds, [True] * 3 + [False] * 2, rows)


@pytest.mark.parametrize("boxed", [False, True])
def test_a_tree_of_integers_and_others_answers_as_all_integers_say(boxed: bool) -> None:
    answers = []
    for seed in range(100):
        members = Members(mixed(seed))
        active = members.of_rows | members.of_columns
        if boxed:
            away = [members.bit("upper", c) for c in (seed % 5, (seed + 2) % 5)]
            active &= ~sum(1 << bit for bit in away)
        test = TreeTest(members, ENDLESS)
        answer = test._search_box(active) if boxed else test._search(active)
        if answer is None:
            continue
        ends = [members.interval(active, c) for c in range(5)]
        grid = [(low, min(high, 12)) for low, high in ends[:3]]
        there = completed(members, active, [*grid, *ends[3:]])
        answers.append(answer.feasible)
        if answer.feasible:
            assert answer.point is not None
            assert not members.mask(answer.point) & active
        else:
            assert answer.proved
            assert there is None
    assert answers.count(True) > 5
    assert answers.count(False) > 5


def test_a_packing_needs_few_bounds_and_that_is_proved() -> None:
    """Three items of seven never fit a bin: seven integers, and as many bounds, are needed."""
    weight = [34, 43, 44, 36, 41, 49, 43]
    rows: list[Any] = [
        (f"item{i}", {3 * i + b: 1.0 for b in range(3)}, 1, 1) for i in range(len(weight))
    ]
    rows += [
        (f"bin{b}", {3 * i + b: float(w) for i, w in enumerate(weight)}, -INF, 100)
        for b in range(3)
    ]
    found = Subsystems(Model.from_rows([f"x{c}" for c in range(21)], rows)).find()
    assert found is not None
    assert found.proof == SEARCH
    assert found.irreducible
