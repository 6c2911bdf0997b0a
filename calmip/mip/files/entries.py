"""The coefficients of a model while a file is read: three arrays, in the file's order."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

from calmip.mip.model import EXACT, decimal_of, inexact
from calmip.mip.rows import Number

SHORT = re.compile(r"[0-9.+ -]*", re.ASCII)
"""What numbers without an exponent are made of, with blanks between them."""

MAX_DIGITS = 15
"""No two decimal numbers of so many digits are the same float."""


def plain_numbers(texts: Sequence[str]) -> list[float] | None:
    """Return the floats that stand for the numbers in some texts; None if calmip must look closer.

    A float of a model stands for its shortest decimal number.
    """
    try:
        values = [*map(float, texts)]
    except ValueError:
        return None
    pairs = zip(texts, values, strict=True)
    if SHORT.fullmatch(" ".join(texts)):
        others = [pair for pair in pairs if len(pair[0]) > MAX_DIGITS]
    else:
        fits = SHORT.fullmatch
        others = [one for one in pairs if len(one[0]) > MAX_DIGITS or not fits(one[0])]
    exact = all(repr(value) == text and math.isfinite(value) for text, value in others)
    return values if exact else None


LEAST = 5_000
"""Fewer coefficients are sorted by plain Python: to load the library takes some milliseconds."""


class RowEntries(NamedTuple):
    """Coefficients by rows: those of a row are consecutive, in the order of the columns.

    Attributes
    ----------
    start
        The position of each row's first coefficient, and of the end.
    columns
        The columns of the coefficients.
    values
        The coefficients, none of them 0.
    exact
        Those of them that their floats do not stand for, as in a model.
    """

    start: array[int]
    columns: array[int]
    values: array[float]
    exact: dict[tuple[str, int], Number]

    def of_row(self, row: int) -> dict[int, Number]:
        """Return the coefficients of a row by column."""
        places = range(self.start[row], self.start[row + 1])
        return {self.columns[place]: self.number(place) for place in places}

    def number(self, place: int) -> Number:
        """Return the exact coefficient at a position."""
        value = self.exact.get(("value", place))
        return cast(Number, decimal_of(self.values[place])) if value is None else value

    def without_rows(self, rows: Collection[int]) -> RowEntries:
        """Return the coefficients of the other rows; these move up."""
        left = RowEntries(array("i", [0]), array("i"), array("d"), {})
        for row, (first, last) in enumerate(pairwise(self.start)):
            if row in rows:
                continue
            for place in range(first, last):
                if ("value", place) in self.exact:
                    left.exact["value", len(left.values) + place - first] = self.number(place)
            left.columns.extend(self.columns[first:last])
            left.values.extend(self.values[first:last])
            left.start.append(len(left.values))
        return left


class Entries:
    """Coefficients in the order in which they are read; the arrays may be appended to directly.

    ``rounded`` has the exact numbers, by position, that ``values`` rounds.
    """

    def __init__(self) -> None:
        self.rows = array("i")
        self.columns = array("i")
        self.values = array("d")
        self.rounded: dict[int, Number] = {}

    def add(self, row: int, column: int, value: Number) -> None:
        """Add a number to the coefficient of a column in a row."""
        if not value:
            return
        # Most numbers are small.
        if not (type(value) is int and -EXACT < value < EXACT) and inexact("", (value,)):
            self.rounded[len(self.values)] = value
        self.rows.append(row)
        self.columns.append(column)
        self.values.append(float(value))

    def by_row(self, size: int) -> RowEntries:
        """Return the coefficients of ``size`` rows; those of one place are added up."""
        if len(self.values) >= LEAST:
            from calmip.mip.files.sorting import sort_by_row

            done = sort_by_row(self.rows, self.columns, self.values, size)
            if done is not None:
                exact = self._exact(done.order)
                return RowEntries(done.start, done.columns, done.values, exact)
        sizes = Counter(self.rows)
        start = array("i", accumulate((sizes[row] for row in range(size)), initial=0))
        order, free = array("i", bytes(4 * start[-1])), start[:]
        for place, row in enumerate(self.rows):
            order[free[row]] = place
            free[row] += 1
        columns = array("i", map(self.columns.__getitem__, order))
        values = array("d", map(self.values.__getitem__, order))
        found = RowEntries(start, columns, values, self._exact(order))
        ends = list(pairwise(start))
        parts = (columns[first:last].tolist() for first, last in ends)
        if all(part == sorted({*part}) for part in parts):
            return found
        return self._sorted([order[first:last] for first, last in ends])

    def _exact(self, order: Sequence[int]) -> dict[tuple[str, int], Number]:
        """Return the numbers that the floats do not stand for, by their positions in an order."""
        if not self.rounded:
            return {}
        places = ((n, place) for n, place in enumerate(order) if place in self.rounded)
        return {("value", n): self.rounded[place] for n, place in places}

    def _sorted(self, rows: Iterable[Iterable[int]]) -> RowEntries:
        """Return the coefficients of rows, given by places, in the order of their columns."""
        found = RowEntries(array("i", [0]), array("i"), array("d"), {})
        for places in rows:
            for column, value in self._sums(places):
                for key in inexact("value", (value,), first=len(found.values)):
                    found.exact[key] = value
                found.columns.append(column)
                found.values.append(float(value))
            found.start.append(len(found.values))
        return found

    def _sums(self, places: Iterable[int]) -> list[tuple[int, Number]]:
        """Return columns and their coefficients, none of them 0, in the order of the columns."""
        terms: dict[int, Number] = {}
        for place in places:
            column, value = self.columns[place], self._number(place)
            terms[column] = terms[column] + value if column in terms else value
        return [(column, value) for column, value in sorted(terms.items()) if value]

    def _number(self, place: int) -> Number:
        value = self.rounded.get(place)
        return cast(Number, decimal_of(self.values[place])) if value is None else value
