"""Exact numbers, intervals of them, and the rows of a model.

An infinite end of an interval is ``-math.inf`` or ``math.inf``, which compare with exact numbers.
Every finite one is exact; `is_finite` tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Number = int | Fraction

Bound = Number | float
"""A number, or a float that is infinite."""

INFINITE = 1e20
"""Solvers treat a number of this size as infinite."""

N_co = TypeVar("N_co", bound=Number, covariant=True)


def is_finite(bound: Bound) -> TypeIs[Number]:
    """Return whether a bound is a number, and not infinite."""
    return not isinstance(bound, float)


def shortest(number: Number) -> Number:
    """Return an exact number as an int if it is whole."""
    return number.numerator if number.denominator == 1 else number


def finite_or_infinite(value: Bound) -> Bound:
    """Return a bound, infinite if solvers treat it so."""
    return value if -INFINITE < value < INFINITE else math.inf if value > 0 else -math.inf


def no_finite_value(where: str, low: Bound, high: Bound) -> str:
    """Return the message that no finite number lies between two bounds."""
    return f"{where} has no finite value: it is a number from {float(low):g} to {float(high):g}"


def floor_of(bound: Bound) -> int | float:
    """Return the greatest whole number up to a bound; keep infinity."""
    return math.floor(bound) if is_finite(bound) else bound


def ceil_of(bound: Bound) -> int | float:
    """Return the least whole number from a bound on; keep infinity."""
    return math.ceil(bound) if is_finite(bound) else bound


class Interval(NamedTuple):
    """The numbers from ``low`` to ``high``; none if these cross."""

    low: Bound
    high: Bound

    @property
    def finite(self) -> list[Number]:
        """The ends that are finite."""
        return [end for end in self if is_finite(end)]

    def rounded(self) -> Interval:
        """Return the interval with the same whole numbers, between whole ends."""
        return Interval(ceil_of(self.low), floor_of(self.high))

    def plus(self, number: Number) -> Interval:
        """Return the interval of the numbers plus another one."""
        low, high = (end + number if is_finite(end) else end for end in self)
        return Interval(low, high)

    def times(self, factor: Number) -> Interval:
        """Return the interval of the numbers times a factor, which is not 0."""
        if factor == 1:
            return self
        sign = 1 if factor > 0 else -1
        ends = [shortest(factor * end) if is_finite(end) else sign * end for end in self]
        return Interval(*ends[::sign])

    def nearest(self, value: Number) -> Number:
        """Return the end that is nearer to a value outside; ``low`` if the interval is empty."""
        low, high = self
        return cast("Number", low if value < low or not is_finite(high) else high)


class Row(NamedTuple, Generic[N_co]):
    """A row ``low <= terms @ x <= high``: as read, or in whole numbers (``Row[int]``).

    Parameters
    ----------
    terms
        The coefficients by column.
    low, high
        The bounds.
    """

    terms: Mapping[int, N_co]
    low: N_co | float
    high: N_co | float

    @property
    def bounds(self) -> Interval:
        """The bounds."""
        return Interval(self.low, self.high)

    def scaled(self) -> tuple[Row[int], int]:
        """Return the row times the least number that makes it whole, without zeros, and this."""
        numbers = {*self.terms.values(), *self.bounds.finite}
        scale = math.lcm(*(number.denominator for number in numbers))
        terms = {c: v.numerator * (scale // v.denominator) for c, v in self.terms.items() if v}
        low, high = (int(end * scale) if is_finite(end) else end for end in self.bounds)
        return Row(terms, low, high), scale

    def reduced(self, *, integral: bool = True) -> Row[int]:
        """Return the row in the smallest whole numbers, without zeros.

        Bounds of an integral row are rounded inwards; those of others count in its factor.
        """
        if integral and set(map(type, self.terms.values())) <= {int}:  # most are
            return self._reduced()
        up, down = common_factor((*self.terms.values(), *(() if integral else self.bounds.finite)))
        terms = {c: v.numerator for c, v in self.terms.items() if v}
        low, high = bounds = self.bounds
        if up != 1 or down != 1:
            terms = {c: a * (up // self.terms[c].denominator) // down for c, a in terms.items()}
            low, high = bounds.times(Fraction(up, down))
        return Row(terms, ceil_of(low), floor_of(high))

    def _reduced(self) -> Row[int]:
        """Return a row with whole coefficients in the smallest ones, its bounds rounded inwards."""
        down = math.gcd(*cast("Iterable[int]", self.terms.values())) or 1
        terms = {c: int(v) // down for c, v in self.terms.items() if v}
        low, high = self.bounds
        return Row(
            terms,
            -(-low // down) if is_finite(low) else low,
            high // down if is_finite(high) else high,
        )


def common_factor(numbers: Iterable[Number]) -> tuple[int, int]:
    """Return by what numbers become whole, and what then divides them: the least, the greatest."""
    values = set(numbers)
    up = math.lcm(*(value.denominator for value in values))
    return up, math.gcd(*(value.numerator for value in values)) or 1
