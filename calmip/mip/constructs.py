"""Constructs beside the rows of a model: which points satisfy them, exactly.

A construct is a statement about the columns of a model, such as "if b is 1, then x + y <= 3". It is
judged by its meaning, without the rows and the columns that linearise it
(`calmip.mip.linearise`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import describe_number, row_words
from calmip.mip.rows import Bound, Interval, Number, is_finite, shortest

Values = Mapping[int, Number]

Terms = Mapping[int, Number]

Fault = tuple[Number, Number]
"""A value, and the nearest one that is allowed."""


def total(terms: Terms, values: Values) -> Number:
    """Return the sum of some terms at a point."""
    return sum(factor * values[column] for column, factor in terms.items() if column in values)


def _size(number: Number) -> Number:
    return max(number, -number)


def _text(number: Number) -> str:
    return str(describe_number(number))


def sum_words(terms: Terms, constant: Number, names: Sequence[str]) -> str:
    """Return a sum and its constant as a text, with the names of the columns."""
    if not terms:
        return _text(constant)
    text = row_words(terms, 0, 0, names).removesuffix(" = 0")
    return f"{text} + {_text(constant)}" if constant else text


@dataclass(frozen=True)
class Construct(ABC):
    """A statement about the columns of a model.

    Parameters
    ----------
    name
        Its name in the file.
    """

    name: str

    def decided(self, values: Values, clock: Deadline) -> bool:
        """Return whether it is known in time whether a point violates it; `fault` is then quick."""
        del values, clock
        return True

    @property
    @abstractmethod
    def kind(self) -> str:
        """The word for it."""

    @property
    @abstractmethod
    def columns(self) -> Iterable[int]:
        """The columns that it has."""

    @abstractmethod
    def fault(self, values: Values) -> Fault | None:
        """Return the value that violates it and the nearest one that is allowed, or None."""

    @property
    def factors(self) -> Iterable[tuple[int, Number]]:
        """The columns and their coefficients."""
        return ((column, 1) for column in self.columns)

    @abstractmethod
    def words(self, names: Sequence[str]) -> str:
        """Return it as an LP file has it, with the names of the model's columns."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Conditional(Construct):
    """A binary column, one of its values, and a row that goes with it.

    Parameters
    ----------
    column, value
        The binary column, and 0 or 1.
    terms, low, high
        The row.
    """

    column: int
    value: int
    terms: Terms
    low: Bound
    high: Bound

    @property
    @abstractmethod
    def arrow(self) -> str:
        """What stands between the condition and the row in a file."""

    @property
    def conditions(self) -> tuple[tuple[int, int], ...]:
        """All columns and values."""
        return ((self.column, self.value),)

    @property
    def columns(self) -> Iterable[int]:
        return {*dict(self.conditions), *self.terms}

    @property
    def factors(self) -> Iterable[tuple[int, Number]]:
        return self.terms.items()

    def words(self, names: Sequence[str]) -> str:
        row = row_words(self.terms, self.low, self.high, names)
        conditions = " and ".join(f"{names[c]} = {value}" for c, value in self.conditions)
        return f"{self.name}: {conditions} {self.arrow} {row}"


@dataclass(frozen=True)
class Indicator(Conditional):
    """If a binary column has a value, a row holds.

    Parameters
    ----------
    also
        Further columns and values: the row holds if all have theirs.
    """

    also: tuple[tuple[int, int], ...] = ()

    kind = "indicator constraint"
    arrow = "->"

    @property
    def conditions(self) -> tuple[tuple[int, int], ...]:
        return (self.column, self.value), *self.also

    def fault(self, values: Values) -> Fault | None:
        if any(values.get(column, 0) != value for column, value in self.conditions):
            return None
        found = total(self.terms, values)
        return None if self.low <= found <= self.high else _outside(found, self.low, self.high)


@dataclass(frozen=True)
class Equivalence(Conditional):
    """A binary column has a value if and only if a row of integer columns holds.

    Parameters
    ----------
    both
        Whether the row holds if the column has the value; else only the other way round.
    """

    both: bool = True

    @property
    def kind(self) -> str:
        return "equivalence" if self.both else "only-if constraint"

    @property
    def arrow(self) -> str:
        return "<->" if self.both else "<-"

    @property
    def otherwise(self) -> list[tuple[Bound, Bound]]:
        """The ranges of the sum in which the row does not hold, up to its next value."""
        some = [value for value in self.terms.values() if value]
        by = math.lcm(*(value.denominator for value in some))
        step = Fraction(math.gcd(*(int(value * by) for value in some)) or 1, by)
        found: list[tuple[Bound, Bound]] = []
        if is_finite(self.low):
            found.append((-math.inf, shortest(step * (math.ceil(self.low / step) - 1))))
        if is_finite(self.high):
            found.append((shortest(step * (math.floor(self.high / step) + 1)), math.inf))
        return found

    def fault(self, values: Values) -> Fault | None:
        chosen = values.get(self.column, 0)
        holds = self.low <= total(self.terms, values) <= self.high
        if holds == (chosen == self.value) or (not holds and not self.both):
            return None
        return chosen, self.value if holds else 1 - self.value


def _outside(value: Number, low: Bound, high: Bound) -> Fault:
    return value, shortest(Interval(low, high).nearest(value))


@dataclass(frozen=True)
class SemiContinuous(Construct):
    """A column is 0 or within its bounds, which exclude 0; it may be integer, too."""

    column: int
    low: Bound
    high: Bound

    kind = "semi-continuous variable"

    def words(self, names: Sequence[str]) -> str:
        row = row_words({self.column: 1}, self.low, self.high, names)
        return f"{names[self.column]} = 0 or {row}"

    @property
    def columns(self) -> Iterable[int]:
        return (self.column,)

    def fault(self, values: Values) -> Fault | None:
        value = values.get(self.column, 0)
        if not value or self.low <= value <= self.high:
            return None
        ends: list[Number] = [0, *Interval(self.low, self.high).finite]
        return value, min(ends, key=lambda end: max(end - value, value - end))


def semi_continuous(
    names: Sequence[str], columns: Iterable[int], lower: Sequence[Bound], upper: Sequence[Bound]
) -> list[SemiContinuous]:
    """Return the semi-continuous columns; one whose bounds include 0 is continuous."""
    return [
        SemiContinuous(names[column], column, lower[column], upper[column])
        for column in sorted(columns)
        if not lower[column] <= 0 <= upper[column]
    ]


@dataclass(frozen=True)
class OrderedSet(Construct):
    """At most one or two columns of a set are not 0; two are neighbours in its order.

    Parameters
    ----------
    members
        The columns in the order of the set.
    most
        1 or 2.
    """

    members: tuple[int, ...]
    most: int

    kind = "special ordered set"

    def words(self, names: Sequence[str]) -> str:
        some = " ".join(f"{names[c]}:{place}" for place, c in enumerate(self.members, start=1))
        return f"{self.name}: S{self.most} :: {some}"

    @property
    def columns(self) -> Iterable[int]:
        return self.members

    def fault(self, values: Values) -> Fault | None:
        found = [values.get(column, 0) for column in self.members]
        places = [place for place, value in enumerate(found) if value]
        if not places or places[-1] - places[0] < self.most:
            return None
        rest = []
        for first in range(len(found) - self.most + 1):
            others = [*found[:first], *found[first + self.most :]]
            rest.append(max(others, key=_size))
        return min(rest, key=_size), 0


@dataclass(frozen=True)
class Extreme(Construct):
    """A column is the greatest or the least of some sums.

    Parameters
    ----------
    column
        The column.
    sums
        The terms and the constant of each sum.
    sign
        1 for the greatest, -1 for the least.
    absolute
        Whether it is the absolute value of a column.
    logical
        Whether all its columns are truth values: it is their conjunction or disjunction.
    """

    column: int
    sums: tuple[tuple[Terms, Number], ...]
    sign: int
    absolute: bool = False
    logical: bool = False

    @property
    def kind(self) -> str:
        if self.logical:
            return "disjunction" if self.sign > 0 else "conjunction"
        return "absolute value" if self.absolute else "maximum" if self.sign > 0 else "minimum"

    @property
    def function(self) -> str:
        """The word for it in files."""
        if self.logical:
            return "OR" if self.sign > 0 else "AND"
        return "ABS" if self.absolute else "MAX" if self.sign > 0 else "MIN"

    def words(self, names: Sequence[str]) -> str:
        if self.absolute:
            return f"{self.name}: {names[self.column]} = ABS ( {names[min(self.sums[0][0])]} )"
        sums = [sum_words(*one, names) for one in self.sums]
        return f"{self.name}: {names[self.column]} = {self.function} ( {' , '.join(sums)} )"

    @property
    def columns(self) -> Iterable[int]:
        return {self.column, *(column for terms, _ in self.sums for column in terms)}

    @property
    def factors(self) -> Iterable[tuple[int, Number]]:
        yield self.column, 1
        for terms, _ in self.sums:
            yield from terms.items()

    def fault(self, values: Values) -> Fault | None:
        choose = max if self.sign > 0 else min
        right = choose(total(terms, values) + constant for terms, constant in self.sums)
        value = values.get(self.column, 0)
        return None if value == right else (value, shortest(right))


@dataclass(frozen=True)
class BrokenLine(Construct):
    """A column is a piecewise-linear function of another one.

    Parameters
    ----------
    column, argument
        The two columns.
    points
        The break points, ascending; the first and the last piece go on for ever.
    """

    column: int
    argument: int
    points: tuple[tuple[Number, Number], ...]

    kind = "piecewise-linear function"

    @property
    def columns(self) -> Iterable[int]:
        return {self.column, self.argument}

    def words(self, names: Sequence[str]) -> str:
        some = " ".join(f"({_text(x)}, {_text(y)})" for x, y in self.points)
        return f"{self.name}: {names[self.column]} = PWL ( {names[self.argument]} ) : {some}"

    def at(self, argument: Number) -> Number:
        """Return the value of the function."""
        places = [one for one, _ in self.points]
        piece = min(max(bisect_right(places, argument), 1), len(places) - 1)
        (left, low), (right, high) = self.points[piece - 1 : piece + 1]
        return shortest(low + (argument - left) * Fraction(high - low) / (right - left))

    def within(self, low: Number, high: Number) -> list[tuple[Number, Number]]:
        """Return the break points between two ends, and the points at these."""
        inner = [one for one in self.points if low < one[0] < high]
        last = [(high, self.at(high))] if low < high else []
        return [(low, self.at(low)), *inner, *last]

    def fault(self, values: Values) -> Fault | None:
        value, right = values.get(self.column, 0), self.at(values.get(self.argument, 0))
        return None if value == right else (value, right)


def with_slopes(
    before: Number, behind: Number, points: Sequence[tuple[Number, Number]]
) -> list[tuple[Number, Number]]:
    """Return the points of a broken line by its break points and the slopes of its two ends."""
    (first, low), (last, high) = points[0], points[-1]
    return [(first - 1, low - before), *points, (last + 1, high + behind)]


def is_ascending(points: Sequence[tuple[Number, Number]]) -> bool:
    """Return whether the arguments of break points ascend, without a jump."""
    return all(one[0] < other[0] for one, other in pairwise(points))


@dataclass(frozen=True)
class Logic:
    """The constructs of a model, and which of its columns and rows linearise them.

    Parameters
    ----------
    constructs
        The constructs.
    columns
        The number of the model's own columns; those from there on are auxiliary.
    rows
        The rows of all constructs.
    owned
        The rows of each construct.
    """

    constructs: tuple[Construct, ...]
    columns: int
    rows: range
    owned: tuple[tuple[int, ...], ...] = field(repr=False)

    def faults(
        self, values: Values, clock: Deadline = ENDLESS, known: Collection[int] = ()
    ) -> Iterator[tuple[int, Number, Number]]:
        """Yield each construct that a point violates: its number, a value and an allowed one.

        Constructs that are known to hold, or are not decided in time, are left out.
        """
        for number, construct in enumerate(self.constructs):
            if number not in known and construct.decided(values, clock):
                fault = construct.fault(values)
                if fault is not None:
                    yield number, *fault

    def own(self, point: Values) -> dict[int, Number]:
        """Return the values of a point without the auxiliary columns."""
        return {column: value for column, value in point.items() if column < self.columns}

    def construct_of(self, row: int) -> Construct | None:
        """Return the construct that a row linearises, or None if it is one of the model's own."""
        pairs = zip(self.constructs, self.owned, strict=True)
        return next((one for one, rows in pairs if row in rows), None)

    @property
    def words(self) -> str:
        """The kinds of its constructs, with their numbers."""
        kinds = [construct.kind for construct in self.constructs]
        counts = {kind: kinds.count(kind) for kind in kinds}
        return ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts.items())
