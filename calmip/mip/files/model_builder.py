"""The builder of models for the readers of model files."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any

from calmip.mip.files.text_source import TextFile, quote
from calmip.mip.model import UNNAMED, Model, inexact
from calmip.mip.rows import Bound, Number

INFINITE = 1e20
"""Solvers treat a bound of this size as infinite."""

MAX_ENTRIES = 5_000_000
MAX_NAMES = 1_000_000
MAX_UNUSED = 100_000


def finite_or_infinite(value: Bound) -> Bound:
    """Return a bound, infinite if solvers treat it so."""
    return value if -INFINITE < value < INFINITE else math.inf if value > 0 else -math.inf


def no_finite_value(where: str, low: Bound, high: Bound) -> str:
    """Return the message that no finite number lies between two bounds."""
    return f"{where} has no finite value: it is a number from {float(low):g} to {float(high):g}"


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

    def check_declared(self, number: int, used: Collection[int]) -> None:
        """Refuse a declared number of columns, 1 to N, of which too many are not used."""
        unused = number - sum(column <= number for column in used)
        if unused > MAX_UNUSED:
            raise self.source.error(
                f"declares {number:,} variables and does not use {unused:,} of them; at most "
                f"{MAX_UNUSED:,} are unused: renumber the variables"
            )

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
        """Return the model, its objective minimised."""
        self._check_sizes()
        self._check_bounds()
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
        return Model(
            columns=tuple(self.columns),
            rows=tuple(self.rows),
            start=array("i", accumulate(map(len, terms), initial=0)),
            index=array("i", (column for row in terms for column, _ in row)),
            **arrays,
            integer=array("b", self.integer),
            maximise=self.maximise,
            offset=float(self.offset),
            name=self.name,
            exact={key: v for name in exact for key, v in inexact(name, exact[name]).items()},
        )

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
        """Refuse a column that is infinite; one whose bounds cross makes the model infeasible."""
        for name, low, high in zip(self.columns, self.lower, self.upper, strict=True):
            if low == math.inf or high == -math.inf:
                raise self.source.error(no_finite_value(f"variable {quote(name)}", low, high))
