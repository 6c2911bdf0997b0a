"""What a draft takes from a modelling language: conjunctions, absolute values and extremes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from calmip import InputError
from calmip.mip.constructs import Extreme
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
