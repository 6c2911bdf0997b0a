"""Comparisons with constructs: without integers, and what is claimed without an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from calmip._base.limits import Deadline
from calmip.mip.compare import constructs
from calmip.mip.compare.constructs import VIOLATION, cases, include_constructs
from calmip.mip.constructs import BrokenLine, Construct, Extreme, OrderedSet, SemiContinuous
from calmip.mip.linearise import linearise, write
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.rows import Number

COLUMNS = {0: 0, 1: 1}

WORD = SemiContinuous("s", 0, 1, 2)


def box(rows: list[Any], *, integer: bool = False, low: int = -2) -> Model:
    return exact_model(["x", "y"], [(low, 2)] * 2, [integer] * 2, rows)


def construct(kind: str, draw: Random) -> Construct:
    """Return a construct of x and y."""
    if kind == "semi":
        low, high = draw.choice([(1, 2), (-2, -1), (Fraction(1, 2), 2), (-2, Fraction(-1, 2))])
        return SemiContinuous("s", 0, low, high)
    if kind == "set":
        return OrderedSet("s", (0, 1), 1)
    if kind == "line":
        ends = [(-2, draw.randint(-2, 2)), (0, draw.randint(-1, 1)), (2, draw.randint(-2, 2))]
        return BrokenLine("f", 1, 0, tuple(ends))
    return Extreme("m", 1, (({0: 1}, draw.randint(-1, 1)), ({0: -1}, 0)), draw.choice([1, -1]))


def implied_row(one: Construct, draw: Random) -> Any:
    """Return a row that may leave only points that satisfy the construct."""
    if isinstance(one, SemiContinuous):
        return ({0: 1}, one.low, one.high) if draw.random() < 0.5 else ({0: 1}, 0, 0)
    if isinstance(one, OrderedSet):
        return {draw.randint(0, 1): 1}, 0, 0
    if isinstance(one, BrokenLine):
        (left, first), (right, second) = one.points[:2]
        slope = Fraction(second - first, right - left)
        return {1: 1, 0: -slope}, first - slope * left, first - slope * left
    assert isinstance(one, Extreme)
    terms, constant = one.sums[0]
    return {1: 1, 0: -terms[0]}, constant, constant


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("kind", ["semi", "set", "line", "extreme"])
def test_a_construct_is_implied_if_no_point_violates_it(kind: str, integer: bool) -> None:
    """Against all points of a grid, by the meaning; what excludes it is such a point."""
    seen = set()
    for seed in range(12):
        draw = Random(seed)
        word = construct(kind, draw)
        rows = []
        if draw.random() < 0.7:
            rows.append(("r", *implied_row(word, draw)))
        if draw.random() < 0.8:
            terms = {0: draw.choice([-1, 1, 2]), 1: draw.randint(-1, 1)}
            rows.append(("q", terms, *draw.choice([(0, math.inf), (-math.inf, -1), (6, 9)])))
        one = box(rows, integer=integer)
        other = linearise(box([]), [word])
        steps = range(-2, 3) if integer else [Fraction(n, 4) for n in range(-8, 9)]
        points = [dict(enumerate(values)) for values in product(steps, repeat=2)]
        inside = [point for point in points if one.violated(point) is None]
        outside = [point for point in inside if word.fault(point) is not None]
        found = include_constructs(one, other, COLUMNS)
        seen.add(found.holds)
        assert found.holds is not None
        if outside:
            assert found.holds is False
        if not found.holds:
            assert found.point is not None
            assert one.violated(found.point) is None
            assert word.fault(found.point) is not None
    assert seen == {True, False}


def test_a_construct_of_other_columns_is_not_decided() -> None:
    other = linearise(box([]), [WORD, SemiContinuous("t", 1, 1, 2)])
    one = exact_model(["x"], [(1, 2)], [False], [])
    found = include_constructs(one, other, {0: 0})
    assert [side.holds for side in found.sides if side.kind == "construct"] == [True, None]
    assert found.holds is None


def test_a_construct_is_implied_if_each_case_is_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constructs, "cases", lambda _: [[]] * 3)
    for answers in product([None, {}, {0: 1}, {VIOLATION: 1, 0: 3}], repeat=3):
        given = iter(answers)
        monkeypatch.setattr(constructs, "_greatest", lambda *_, given=given: next(given))
        found = constructs._implied(box([]), WORD, COLUMNS, Deadline(9))
        if {VIOLATION: 1, 0: 3} in answers:
            assert found == (False, {0: 3})
        else:
            assert found == (None if None in answers else True, None)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("proved", [False, True])
@pytest.mark.parametrize("violation", [None, 0, 1])
def test_without_a_proof_the_greatest_violation_is_not_known(
    violation: int | None, proved: bool, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped:
        def __init__(self, model: Model, *_: object, **__: object) -> None:
            self.complete, self.proved = complete, proved
            self.width = len(model.columns) - 1

        def __iter__(self) -> Any:
            if violation is not None:
                point: Mapping[int, Number] = {0: 1, self.width: violation}
                yield type("Found", (), {"point": {c: v for c, v in point.items() if v}})

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Stopped)
    found = constructs._greatest(box([], integer=True), [], COLUMNS, Deadline(9))
    if violation is None:
        assert found == ({} if complete else None)
    elif violation:
        assert found == {0: 1, VIOLATION: 1}
    else:
        assert found == ({0: 1} if proved else None)


def test_a_violation_that_no_answer_excludes_is_not_excluded() -> None:
    """An integer without bounds has no exact search, and an exact program may have no time."""
    one = exact_model(["x", "y"], [(-math.inf, math.inf)] * 2, [True] * 2, [])
    case = [({0: 1, VIOLATION: -1}, 2, math.inf)]
    assert constructs._greatest(one, case, COLUMNS, Deadline(9)) is None
    late = constructs._greatest(box([]), case, COLUMNS, Deadline(1e-9))
    assert late is None
    found = constructs._greatest(box([]), case, COLUMNS, Deadline(9))
    assert found is not None
    assert (found[0], VIOLATION in found) == (2, False)
    assert constructs._greatest(box([]), [({0: 1}, 3, 4)], COLUMNS, Deadline(9)) == {}


def test_kinds_that_are_not_known_are_refused() -> None:
    other: Any = type("Riddle", (), {"kind": "riddle"})()
    for function in (cases, lambda one: write(one, other)):
        with pytest.raises(NotImplementedError, match="known for a riddle"):
            function(other)
