"""What the readers of MPS and LP files fill: a linear model that must turn out binary."""

from __future__ import annotations

import math
from array import array
from itertools import accumulate
from typing import cast

from calmip.errors import listed
from calmip.formats.reading import TextFile, quoted
from calmip.problem.binary_model import BinaryModel, Bound, Number, inexact

__all__ = ["INFINITE", "ModelBuilder", "finite_or_infinite"]

INFINITE = 1e20
"""Solvers take a bound of this size for none."""

MAX_ENTRIES = 5_000_000
MAX_NAMES = 1_000_000


def finite_or_infinite(value: Bound) -> Bound:
    """Return a bound, infinite where solvers take it so."""
    return value if -INFINITE < value < INFINITE else math.inf if value > 0 else -math.inf


class ModelBuilder:
    """Gathers columns, rows and their entries, and refuses what is defined twice.

    Numbers are exact: whole numbers, or fractions; only an infinite bound is a float.

    Parameters
    ----------
    source
        The file that is read, for messages.

    Attributes
    ----------
    columns, rows : dict
        The position of every name.
    lower, upper : list
        The bounds of every column; an upper bound of None was never given.
    integer : list of bool
        Whether a column takes whole numbers only.
    cost : dict
        The objective's coefficients by column.
    maximise : bool
        Whether the objective is to be made large.
    offset : float
        The objective's constant.
    name : str
        The model's name.
    """

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.name = "model"
        self.maximise = False
        self.offset: Number = 0
        self.columns: dict[str, int] = {}
        self.integer: list[bool] = []
        self.lower: list[Bound] = []
        self.upper: list[Bound | None] = []
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
            self.upper.append(None)
            self.integer.append(False)
        return position

    def row(self, name: str, lower: Bound, upper: Bound, line: int) -> int:
        """Add a row without entries and return its position."""
        if name in self.rows:
            raise self.source.error(f"a second row is called {quoted(name)}", line)
        if len(self.rows) == MAX_NAMES:
            raise self.source.error(f"has more than {MAX_NAMES:,} rows", line)
        self.rows[name] = len(self.rows)
        self.row_lower.append(lower)
        self.row_upper.append(upper)
        self.terms.append({})
        return self.rows[name]

    def entry(self, row: int, column: int, value: Number, line: int) -> None:
        """Add a coefficient to what the row has on the column."""
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise self.source.error(f"has more than {MAX_ENTRIES:,} coefficients", line)
        terms = self.terms[row]
        terms[column] = terms.get(column, 0) + value

    def build(self) -> BinaryModel:
        """Return the model, its objective to be made small.

        An integer column that its bounds fix at 0 or 1 is binary too; it gets
        a row that says so. A continuous column that they fix is a number under
        a name, and is put in as such: PuLP writes one for an empty objective.

        Raises
        ------
        InputError
            If there is no column, or a column is not binary.
        """
        self._check_sizes()
        self._put_in_constants()
        if not self.columns:
            raise self.source.error("has no variables")
        self._check_binary()
        for name, column in list(self.columns.items()):
            low, high = math.ceil(self.lower[column]), math.floor(self.upper[column] or 0)
            if low == high:
                fixed = f"fix_{name}"
                while fixed in self.rows:
                    fixed += "_"
                self.entry(self.row(fixed, low, high, len(self.source.lines)), column, 1, 0)
        sign = -1 if self.maximise else 1
        cost = [sign * self.cost.get(column, 0) for column in range(len(self.columns))]
        terms = [sorted((c, v) for c, v in row.items() if v) for row in self.terms]
        value = [v for row in terms for _, v in row]
        return BinaryModel(
            columns=tuple(self.columns),
            rows=tuple(self.rows),
            start=array("i", accumulate(map(len, terms), initial=0)),
            index=array("i", (column for row in terms for column, _ in row)),
            value=array("d", value),
            lower=array("d", self.row_lower),
            upper=array("d", self.row_upper),
            cost=array("d", cost),
            maximise=self.maximise,
            offset=float(self.offset),
            name=self.name,
            exact={
                **inexact("value", value),
                **inexact("lower", self.row_lower),
                **inexact("upper", self.row_upper),
                **inexact("cost", cost),
                **inexact("offset", [self.offset]),
            },
        )

    def _check_sizes(self) -> None:
        """Refuse coefficients that solvers take for infinite."""
        rows = [("the objective", {-1: self.offset, **self.cost})]
        rows += [(f"row {quoted(n)}", t) for n, t in zip(self.rows, self.terms, strict=True)]
        for where, terms in rows:
            if not all(-INFINITE < value < INFINITE for value in terms.values()):
                raise self.source.error(
                    f"{where} has a coefficient of {INFINITE:g} or more, which solvers take for "
                    "infinite; scale it"
                )

    def _put_in_constants(self) -> None:
        """Remove the continuous columns that are fixed, and move what they add to the sides."""
        kept = [
            column
            for column, (low, high, whole) in enumerate(
                zip(self.lower, self.upper, self.integer, strict=True)
            )
            if whole or low != high or math.isinf(low)
        ]
        if len(kept) == len(self.lower):
            return
        place = {column: number for number, column in enumerate(kept)}
        fixed = {c: cast(Number, low) for c, low in enumerate(self.lower) if c not in place}
        for row, terms in enumerate(self.terms):
            constant = sum(v * fixed[c] for c, v in terms.items() if c in fixed)
            self.row_lower[row] -= constant
            self.row_upper[row] -= constant
            self.terms[row] = {place[c]: v for c, v in terms.items() if c in place}
        self.offset += sum(v * fixed[c] for c, v in self.cost.items() if c in fixed)
        self.cost = {place[c]: v for c, v in self.cost.items() if c in place}
        self.columns = {name: place[c] for name, c in self.columns.items() if c in place}
        self.lower = [self.lower[c] for c in kept]
        self.upper = [self.upper[c] for c in kept]
        self.integer = [self.integer[c] for c in kept]

    def _check_binary(self) -> None:
        """Refuse columns that can take another value than 0 and 1, or none."""
        names = list(self.columns)
        open_ones = [
            name
            for name, whole, upper in zip(names, self.integer, self.upper, strict=True)
            if whole and upper is None
        ]
        if open_ones:
            raise self.source.error(
                f"{_some(open_ones)} integer without an upper bound, which solvers read "
                "differently; bound it by 1 or declare it binary"
            )
        continuous = [n for n, whole in zip(names, self.integer, strict=True) if not whole]
        if continuous:
            raise self.source.error(
                f"{_some(continuous)} continuous; only models whose variables are all binary "
                "are read here"
            )
        for name, low, high in zip(names, self.lower, self.upper, strict=True):
            assert high is not None
            inside = -1.0 < low <= 1.0 and 0.0 <= high < 2.0
            if not inside or math.ceil(low) > math.floor(high):
                raise self.source.error(
                    f"variable {quoted(name)} is an integer from {float(low):g} to "
                    f"{float(high):g}; only models whose variables are all binary are read here"
                )


def _some(names: list[str]) -> str:
    shown = listed([quoted(name) for name in names], most=3)
    return f"variable {shown} is" if len(names) == 1 else f"variables {shown} are"
