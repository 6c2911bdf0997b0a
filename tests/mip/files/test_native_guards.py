"""What a draft takes from a modelling language: conjunctions, absolute values and extremes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from calmip import InputError
from calmip.mip.constructs import BrokenLine, Extreme
from calmip.mip.files.native import Draft


def drawn() -> Draft:
    draft = Draft("model")
    draft.columns += [(name, 0, 1, True) for name in "abc"]
    return draft


def only(draft: Draft) -> Extreme:
    (one,) = draft.constructs
    assert isinstance(one, Extreme)
    return one


@pytest.mark.parametrize(("sign", "kind"), [(1, "disjunction"), (-1, "conjunction")])
def test_of_truth_values_it_is_no_extreme(sign: int, kind: str) -> None:
    draft = drawn()
    draft.logical("l", 2, [0, 1], sign)
    one = only(draft)
    assert (one.kind, one.logical, one.absolute) == (kind, True, False)
    assert one.sums == (({0: 1}, 0), ({1: 1}, 0))
    with pytest.raises(InputError, match="has no arguments"):
        draft.logical("none", 2, [], sign)


def test_the_greatest_of_a_column_and_its_opposite_is_an_absolute_value() -> None:
    for sign, factor, other, add, more in product((1, -1), (1, 2), (1, 2, -2), (0, 1), (0, 1)):
        sums: list[Any] = [([(0, factor)], 0), ([(0, -other)], add)]
        sums += [([(1, 1)], 0)] * more
        draft = drawn()
        draft.extreme("e", 2, sums, sign)
        one = only(draft)
        assert one.absolute is (sign > 0 and factor == other and not add and not more)
        assert not one.logical
    for terms in ([(0, 1), (1, 1)], [(0, 1)]):
        draft = drawn()
        opposite = [(c, -v) for c, v in terms]
        draft.extreme("", 2, [(terms, 0), (opposite, 0)], 1)
        assert only(draft).absolute is (len(terms) == 1)
        assert only(draft).name == "general0"


def test_each_construct_has_its_own_name_or_the_number_of_its_place() -> None:
    add: list[Any] = [
        ("sos", lambda draft, name: draft.ordered_set(name, 1, [(0, 1), (1, 2)])),
        ("general", lambda draft, name: draft.extreme(name, 2, [([(0, 1)], 0)], 1)),
        ("general", lambda draft, name: draft.logical(name, 2, [0, 1], -1)),
        ("general", lambda draft, name: draft.broken_line(name, 2, 0, [(0, 0), (1, 1)])),
    ]
    draft = drawn()
    for number, (kind, one) in enumerate(add * 2):
        name = "" if number < len(add) else f"own{number}"
        one(draft, name)
        assert draft.constructs[-1].name == (name or f"{kind}{number}")


@pytest.mark.parametrize(
    ("points", "fine"),
    [
        ([], False),
        ([(0, 0)], False),
        ([(0, 0), (1, 3)], True),
        ([(0, 0), (1, 3), (2, 1)], True),
        ([(0, 0), (0, 3)], False),
        ([(1, 0), (0, 3)], False),
    ],
)
def test_a_broken_line_has_two_points_from_left_to_right(points: Any, fine: bool) -> None:
    draft = drawn()
    if fine:
        draft.broken_line("line", 2, 0, points)
        assert draft.constructs == [BrokenLine("line", 2, 0, tuple(points))]
    else:
        with pytest.raises(InputError, match="'line' has fewer than two points, or a jump"):
            draft.broken_line("line", 2, 0, points)
