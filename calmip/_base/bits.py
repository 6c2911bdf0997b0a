"""Sets as whole numbers with a bit for each member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a set that is a whole number with a bit for each, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def counts(masks: Iterable[int]) -> list[int]:
    """Return how many of the sets each member is in, as digits in base 2.

    The first set has the members with an odd count, and so on: digit k of all counts is a set.
    """
    digits: list[int] = []
    for mask in masks:
        carry = mask
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
        if carry:
            digits.append(carry)
    return digits
