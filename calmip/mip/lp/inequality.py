"""Half-spaces ``terms @ x <= side`` in exact numbers, and the grounds on which they hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from calmip.mip.rows import Bound, Number, common_factor, is_finite

Numbers = Mapping[int, Number]


class Basis(StrEnum):
    """What the claim that a model implies an inequality rests on."""

    ROW = "the same row"
    """The model has the row, up to a factor, or a stricter one; or the same bound."""
    BOUNDS = "bounds"
    """The bounds of the variables imply it."""
    LINEAR = "linear relaxation"
    """Multipliers of the rows prove it, in exact numbers."""
    STRENGTHENED = "strengthened rows"
    """The same, of bounds and rows that propagation and integrality make tighter."""
    SEARCH = "exact search"
    """A search without floating-point arithmetic finds no violation."""
    ROUNDING = "rounding"
    """The model has the row with numbers that differ by rounding; this is no proof."""
    SOLVER = "HiGHS's word"
    """HiGHS calls the violation infeasible; this is no proof."""

    @property
    def exact(self) -> bool:
        """Whether it is a proof in exact numbers."""
        return self not in (Basis.ROUNDING, Basis.SOLVER)


class HalfSpace(NamedTuple):
    """The points x with ``terms @ x <= side``.

    Parameters
    ----------
    terms
        The coefficients by column, without zeros. If all columns are integer, they are whole
        numbers without a common factor.
    raw
        The side that belongs to these coefficients.
    side
        The same, rounded down if all columns are integer.
    integral
        Whether all columns are integer, so that a violation is at least 1.
    """

    terms: dict[int, Number]
    raw: Number
    side: Number
    integral: bool

    @property
    def key(self) -> tuple[tuple[tuple[int, int], ...], Fraction]:
        """The coefficients in whole numbers without a common factor, and their scale."""
        up, down = common_factor(self.terms.values())
        terms = tuple(sorted((c, int(value * up) // down) for c, value in self.terms.items()))
        return terms, Fraction(up, down)

    def covers(self, most: Bound) -> bool:
        """Return whether a left-hand side of at most so much satisfies the inequality."""
        return most <= self.side or (self.integral and most < self.side + 1)

    def value(self, point: Numbers) -> Number:
        """Return the left-hand side at a point."""
        return sum((value * point[c] for c, value in self.terms.items() if c in point), 0)


def half_space(terms: Numbers, side: Number, integer: Sequence[bool]) -> HalfSpace:
    """Return the points with ``terms @ x <= side``, given which columns are integer."""
    own = {column: value for column, value in terms.items() if value}
    if not own or not all(integer[column] for column in own):
        return HalfSpace(own, side, side, integral=False)
    up, down = common_factor(own.values())
    integers: dict[int, Number] = {c: int(value * up) // down for c, value in own.items()}
    raw = Fraction(side) * up / down
    return HalfSpace(integers, raw, math.floor(raw), integral=True)


def half_spaces(
    terms: Numbers, low: Bound, high: Bound, integer: Sequence[bool]
) -> Iterator[tuple[bool, HalfSpace]]:
    """Yield the sides of a row that are not infinite, and whether each is the upper one."""
    if is_finite(low):
        yield False, half_space({c: -value for c, value in terms.items()}, -low, integer)
    if is_finite(high):
        yield True, half_space(terms, high, integer)


def greatest(terms: Numbers, bounds: Sequence[tuple[Bound, Bound]]) -> Bound:
    """Return the maximum of a sum within bounds."""
    total: Number = 0
    for column, value in terms.items():
        if value:
            end = bounds[column][1 if value > 0 else 0]
            if not is_finite(end):
                return math.inf
            total += value * end
    return total
