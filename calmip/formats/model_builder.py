"""The builder of models for the readers of model files."""

from __future__ import annotations

import math
from array import array
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, cast

from calmip.formats.reading import TextFile, quote
from calmip.problem.display import shortest
from calmip.problem.model import UNNAMED, Bound, Model, Number, inexact

__all__ = ["INFINITE", "ModelBuilder", "finite_or_infinite"]

INFINITE = 1e20
"""Solvers treat a bound of this size as infinite."""

MAX_ENTRIES = 5_000_000
MAX_NAMES = 1_000_000


def finite_or_infinite(value: Bound) -> Bound:
    """Return a bound, infinite if solvers treat it so."""
    return value if -INFINITE < value < INFINITE else math.inf if value > 0 else -math.inf


class ModelBuilder:
    """A model in parts: columns, rows and entries; duplicates are refused.

    Numbers are exact: whole numbers or fractions; only an infinite bound is a float.
    ``columns`` and ``rows`` have the position of every name.
    """

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.name = UNNAMED
        self.maximise = False
        self.offset: Number = 0
        self.columns: dict[str, int] = {}
        self.integer: list[bool] = []
        self.lower: list[Bound] = []
        self.upper: list[Bound] = []
        self.cost: dict[int, Number] = {}
        self.rows: dict[str, int] = {}
        self.row_lower: list[Bound] = []
        self.row_upper: list[Bound] = []
        self.terms: list[dict[int, Number]] = []
        self.entries = 0
        self.substituted: dict[str, tuple[Bound, Bound]] = {}

    def column(self, name: str, line: int) -> int:
        """Return a column's position; a new name makes a new column."""
        position = self.columns.setdefault(name, len(self.columns))
        if position == len(self.lower):
            if position == MAX_NAMES:
                raise self.source.error(f"has more than {MAX_NAMES:,} columns", line)
            self.lower.append(0)
            self.upper.append(math.inf)
            self.integer.append(False)
        return position

    def row(self, name: str, lower: Bound, upper: Bound, line: int) -> int:
        """Add a row without entries and return its position."""
        if name in self.rows:
            raise self.source.error(f"a second row is called {quote(name)}", line)
        if len(self.rows) == MAX_NAMES:
            raise self.source.error(f"has more than {MAX_NAMES:,} rows", line)
        self.rows[name] = len(self.rows)
        self.row_lower.append(lower)
        self.row_upper.append(upper)
        self.terms.append({})
        return self.rows[name]

    def entry(self, row: int, column: int, value: Number, line: int) -> None:
        """Add a number to the row's coefficient of the column."""
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise self.source.error(f"has more than {MAX_ENTRIES:,} coefficients", line)
        terms = self.terms[row]
        terms[column] = terms.get(column, 0) + value

    def build(self) -> Model:
        """Return the model, its objective minimised.

        If its integer columns are all binary, and its rows determine each continuous column, the
        model is binary. An integer column that its bounds fix gets a row that fixes it.
        """
        self._check_sizes()
        self._check_bounds()
        self._substitute()
        if not self.columns:
            raise self.source.error("has no variables")
        sign = -1 if self.maximise else 1
        cost = [sign * self.cost.get(column, 0) for column in range(len(self.columns))]
        terms = [sorted((c, v) for c, v in row.items() if v) for row in self.terms]
        numbers: dict[str, Sequence[Bound]] = {
            "value": [v for row in terms for _, v in row],
            "lower": self.row_lower,
            "upper": self.row_upper,
            "cost": cost,
            "column_lower": self.lower,
            "column_upper": self.upper,
        }
        arrays: dict[str, Any] = {name: array("d", some) for name, some in numbers.items()}
        exact = {"offset": [self.offset], **numbers}
        model = Model(
            columns=tuple(self.columns),
            rows=tuple(self.rows),
            start=array("i", accumulate(map(len, terms), initial=0)),
            index=array("i", (column for row in terms for column, _ in row)),
            **arrays,
            integer=array("b", self.integer),
            substituted=self.substituted,
            maximise=self.maximise,
            offset=float(self.offset),
            name=self.name,
            exact={key: v for name in exact for key, v in inexact(name, exact[name]).items()},
        )
        return model.as_binary() if model.binary else model

    def _check_sizes(self) -> None:
        """Refuse coefficients that solvers treat as infinite."""
        rows = [("the objective", {-1: self.offset, **self.cost})]
        rows += [(f"row {quote(n)}", t) for n, t in zip(self.rows, self.terms, strict=True)]
        for where, terms in rows:
            if not all(-INFINITE < value < INFINITE for value in terms.values()):
                raise self.source.error(
                    f"{where} has a coefficient of {INFINITE:g} or more, which solvers take for "
                    "infinite; scale it"
                )

    def _check_bounds(self) -> None:
        """Refuse a column without any value."""
        for name, integer, low, high in zip(
            self.columns, self.integer, self.lower, self.upper, strict=True
        ):
            inside = low <= high and low < math.inf and high > -math.inf
            if integer and inside and not (math.isinf(low) or math.isinf(high)):
                inside = math.ceil(low) <= math.floor(high)
            if not inside:
                kind = "an integer" if integer else "a number"
                raise self.source.error(
                    f"variable {quote(name)} has no value: it is {kind} from {float(low):g} to "
                    f"{float(high):g}"
                )

    def _substitute(self) -> None:
        """Substitute all continuous columns if that leaves a binary model.

        Other programs write them into binary models: a constant, whose value its bounds or an
        equation fix, and the slack of a row with two bounds.
        """
        columns = zip(self.integer, self.lower, self.upper, strict=True)
        binary = all(low > -1 and high < 2 for integer, low, high in columns if integer)
        if all(self.integer) or not any(self.integer) or not binary:
            return
        rows_of: dict[int, list[int]] = {
            c: [] for c, integer in enumerate(self.integer) if not integer
        }
        for row, terms in enumerate(self.terms):
            for column in terms.keys() & rows_of.keys():
                rows_of[column].append(row)
        fixed, defined = self._constants(rows_of)
        slacks: dict[int, int] = {}
        for column, rows in rows_of.items():
            if column in fixed:
                continue
            row = rows[0] if len(rows) == 1 else -1
            if row < 0 or row in slacks or self.cost.get(column) or not self._equation(row):
                return
            slacks[row] = column
        for row, terms in enumerate(self.terms):
            constant = sum(v * fixed[c] for c, v in terms.items() if c in fixed)
            ends = [self.row_lower[row] - constant, self.row_upper[row] - constant]
            if row in slacks:
                value = terms[slacks[row]]
                low, high = (-value * side[slacks[row]] for side in (self.lower, self.upper))
                ends = sorted((ends[0] + low, ends[1] + high))
            self.row_lower[row], self.row_upper[row] = ends
        self.offset += sum(v * fixed[c] for c, v in self.cost.items() if c in fixed)
        for name, column in self.columns.items():
            if column in fixed:
                self.substituted[name] = fixed[column], fixed[column]
            elif column in rows_of:
                self.substituted[name] = self.lower[column], self.upper[column]
        self._remove(rows_of.keys(), defined)

    def _equation(self, row: int) -> bool:
        return self.row_lower[row] == self.row_upper[row]

    def _constants(self, rows_of: Mapping[int, list[int]]) -> tuple[dict[int, Number], set[int]]:
        """Return the columns with one value, and the equations that alone give it."""
        fixed: dict[int, Number] = {}
        defined: set[int] = set()
        for column, rows in rows_of.items():
            low, high = self.lower[column], self.upper[column]
            alone = (row for row in rows if len(self.terms[row]) == 1 and self._equation(row))
            if low == high:
                fixed[column] = cast(Number, low)
            elif (row := next(alone, -1)) >= 0 and (factor := self.terms[row][column]):
                value = Fraction(cast(Number, self.row_lower[row])) / factor
                if low <= value <= high:
                    fixed[column] = shortest(value)
                    defined.add(row)
        return fixed, defined

    def _remove(self, columns: Container[int], rows: Container[int]) -> None:
        """Remove columns and rows; the others keep their order."""
        kept = [column for column in range(len(self.columns)) if column not in columns]
        stay = [row for row in range(len(self.rows)) if row not in rows]
        place = {column: number for number, column in enumerate(kept)}
        self.terms = [{place[c]: v for c, v in self.terms[r].items() if c in place} for r in stay]
        self.row_lower = [self.row_lower[row] for row in stay]
        self.row_upper = [self.row_upper[row] for row in stay]
        names = list(self.rows)
        self.rows = {names[row]: number for number, row in enumerate(stay)}
        self.cost = {place[c]: v for c, v in self.cost.items() if c in place}
        self.columns = {name: place[c] for name, c in self.columns.items() if c in place}
        self.lower = [self.lower[c] for c in kept]
        self.upper = [self.upper[c] for c in kept]
        self.integer = [self.integer[c] for c in kept]
