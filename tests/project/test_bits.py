"""Sets as whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip._base.bits import bits, counts

sets = st.sets(st.integers(0, 80))


@given(sets)
def test_the_bits_of_a_set_are_its_members(members: set[int]) -> None:
    assert list(bits(sum(1 << one for one in members))) == sorted(members)


@pytest.mark.long
@given(st.lists(sets))
def test_the_digits_of_counts_give_the_sets_of_each_member(several: list[set[int]]) -> None:
    digits = counts(sum(1 << one for one in members) for members in several)
    for one in range(81):
        found = sum(1 << place for place, digit in enumerate(digits) if digit >> one & 1)
        assert found == sum(one in members for members in several)
