"""The builder of models for the readers of model files."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, join_words
from calmip.mip.display import quote
from calmip.mip.files.entries import Entries, RowEntries
from calmip.mip.files.text_source import TextFile, parse_number
from calmip.mip.model import UNNAMED, Model, inexact
from calmip.mip.rows import INFINITE, Bound, Number, no_finite_value

if TYPE_CHECKING:  # most models have no constructs
    from calmip.mip.constructs import Conditional, Construct

FUNCTIONS = ("MAX", "MIN", "ABS", "AND", "OR", "PWL")
"""The kinds of general constraints that are read."""

MAX_ENTRIES = 5_000_000
MAX_NAMES = 1_000_000
MAX_UNUSED = 100_000


def unknown_function(kind: str) -> str:
    """Return the message that a kind of general constraint is not read."""
    return f"general constraints {quote(kind)} are not read, only {join_words(FUNCTIONS)}"


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
        self.entries = Entries()
        self.semi: set[int] = set()
        """The semi-continuous columns, which may be integer, too."""
        self.conditions: dict[int, tuple[int, int, str]] = {}
        """The column, the value and the arrow of rows that are those of a `Conditional`."""
        self.constructs: dict[str, Construct] = {}
        """The other constructs by name."""

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
        return self.rows[name]

    def entry(self, row: int, column: int, value: Number, line: int) -> None:
        """Add a number to the row's coefficient of the column."""
        self.entries.add(row, column, value)
        self.check_entries(line)

    def check_entries(self, line: int) -> None:
        """Refuse a model with too many coefficients."""
        if len(self.entries.values) > MAX_ENTRIES:
            raise self.source.error(f"has more than {MAX_ENTRIES:,} coefficients", line)

    def known(self, name: str, what: str, line: int) -> int:
        """Return the position of a column that is there already."""
        if name not in self.columns:
            raise self.source.error(
                f"{what}: there is no variable {quote(name)} in the rows, the bounds or the "
                "objective",
                line,
            )
        return self.columns[name]

    def construct(self, name: str, made: Construct, line: int) -> None:
        """Add a construct; a name that is a duplicate is refused."""
        if name in self.constructs:
            raise self.source.error(f"a second construct is called {quote(name)}", line)
        self.constructs[name] = made

    def ordered_set(
        self, name: str, most: int, members: Sequence[tuple[str, Number]], line: int
    ) -> None:
        """Add a special ordered set of columns with weights, whose order is that of the set."""
        what = f"special ordered set {quote(name)}"
        columns = [self.known(member, what, line) for member, _ in members]
        if len(set(columns)) < len(columns):
            raise self.source.error(f"{what} has a variable twice", line)
        if most > 1 and len({weight for _, weight in members}) < len(members):
            raise self.source.error(f"{what} has two equal weights, so no order", line)
        from calmip.mip.constructs import OrderedSet

        order = sorted(range(len(members)), key=lambda place: members[place][1])
        self.construct(name, OrderedSet(name, tuple(columns[n] for n in order), most), line)

    def function(
        self, name: str, kind: str, column: str, arguments: Sequence[str], line: int
    ) -> None:
        """Add that a column is one of `FUNCTIONS` of arguments, columns or numbers."""
        what = f"general constraint {quote(name)}"
        if kind == "ABS" and len(arguments) != 1:
            raise self.source.error(f"{what} has {len(arguments)} arguments", line)
        result = self.known(column, what, line)
        sums: list[tuple[dict[int, Number], Number]] = []
        for text in arguments:
            if text in self.columns:
                sums.append(({self.columns[text]: 1}, 0))
            elif kind in ("MAX", "MIN") and parse_number(text) is not None:
                sums.append(({}, self.source.exact(text, line)))
            else:
                self.known(text, what, line)
        if not sums:
            raise self.source.error(f"{what} has no arguments", line)
        if kind == "ABS":
            sums.append(({c: -v for c, v in sums[0][0].items()}, 0))
        sign = -1 if kind in ("MIN", "AND") else 1
        logical = kind in ("AND", "OR")
        from calmip.mip.constructs import Extreme

        made = Extreme(name, result, tuple(sums), sign, kind == "ABS", logical)
        self.construct(name, made, line)

    def broken_line(
        self,
        name: str,
        column: str,
        argument: str,
        points: Sequence[tuple[Number, Number]],
        line: int,
    ) -> None:
        """Add that a column is a piecewise-linear function of another one."""
        what = f"general constraint {quote(name)}"
        result, given = (self.known(one, what, line) for one in (column, argument))
        from calmip.mip.constructs import BrokenLine, is_ascending

        if len(points) < 2 or not is_ascending(points):
            raise self.source.error(
                f"{what}: a piecewise-linear function has at least two points, whose arguments "
                "ascend without a jump",
                line,
            )
        self.construct(name, BrokenLine(name, result, given, tuple(points)), line)

    def sloped_line(
        self,
        name: str,
        columns: tuple[str, str],
        slopes: tuple[Number, Number],
        points: Sequence[tuple[Number, Number]],
        line: int,
    ) -> None:
        """Add that a column is a function of another: slopes around break points."""
        if not points:
            raise self.source.error(
                f"general constraint {quote(name)}: a piecewise-linear function has at least one "
                "break point",
                line,
            )
        from calmip.mip.constructs import with_slopes

        self.broken_line(name, *columns, with_slopes(*slopes, points), line)

    def build(self) -> Model:
        """Return the model, its objective minimised and its constructs linearised.

        The rows of indicator constraints are none of its own.
        """
        entries = self.entries.by_row(len(self.rows))
        self._check_sizes(entries)
        self._check_bounds()
        conditions = {row: self._conditional(row, entries) for row in self.conditions}
        for row in sorted(conditions, reverse=True):
            del self.row_lower[row], self.row_upper[row]
            del self.rows[conditions[row].name]
        semi: Iterable[Construct] = ()
        if self.semi:
            from calmip.mip.constructs import semi_continuous

            semi = semi_continuous(list(self.columns), self.semi, self.lower, self.upper)
        constructs = [*conditions.values(), *semi, *self.constructs.values()]
        model = self._linear(entries.without_rows(conditions) if conditions else entries)
        if not constructs:
            return model
        from calmip.mip.linearise import linearise

        try:
            return linearise(model, constructs)
        except InputError as error:
            raise self.source.error(error.message) from None

    def _conditional(self, row: int, entries: RowEntries) -> Conditional:
        from calmip.mip.constructs import Equivalence, Indicator

        column, value, arrow = self.conditions[row]
        name, sides = list(self.rows)[row], (self.row_lower[row], self.row_upper[row])
        parts = name, column, value, entries.of_row(row), *sides
        return Indicator(*parts) if arrow == "->" else Equivalence(*parts, arrow == "<->")

    def _linear(self, entries: RowEntries) -> Model:
        """Return the model without its constructs."""
        if not self.columns:
            raise self.source.error("has no variables")
        sign = -1 if self.maximise else 1
        cost = [sign * self.cost.get(column, 0) for column in range(len(self.columns))]
        numbers: dict[str, Sequence[Bound]] = {
            "lower": self.row_lower,
            "upper": self.row_upper,
            "cost": cost,
            "column_lower": self.lower,
            "column_upper": self.upper,
        }
        arrays: dict[str, Any] = {name: array("d", some) for name, some in numbers.items()}
        exact = dict(entries.exact)
        for name, some in {"offset": [self.offset], **numbers}.items():
            exact |= inexact(name, some)
        return Model(
            columns=tuple(self.columns),
            rows=tuple(self.rows),
            start=entries.start,
            index=entries.columns,
            value=entries.values,
            **arrays,
            integer=array("b", self.integer),
            maximise=self.maximise,
            offset=float(self.offset),
            name=self.name,
            exact=exact,
        )

    def _check_sizes(self, entries: RowEntries) -> None:
        """Refuse coefficients that solvers treat as infinite."""
        where = ""
        if not all(-INFINITE < value < INFINITE for value in (self.offset, *self.cost.values())):
            where = "the objective"
        elif entries.values and not (
            max(entries.values) < INFINITE and min(entries.values) > -INFINITE
        ):
            place = next(n for n, value in enumerate(entries.values) if abs(value) >= INFINITE)
            where = f"row {quote(list(self.rows)[bisect_right(entries.start, place) - 1])}"
        if where:
            raise self.source.error(
                f"{where} has a coefficient of {INFINITE:g} or more, which solvers take for "
                "infinite; scale it"
            )

    def _check_bounds(self) -> None:
        """Refuse a column or row that is infinite; one whose bounds cross has no solution."""
        for what, *ends in (
            ("variable", self.columns, self.lower, self.upper),
            ("row", self.rows, self.row_lower, self.row_upper),
        ):
            for name, low, high in zip(*ends, strict=True):
                if low == math.inf or high == -math.inf:
                    raise self.source.error(no_finite_value(f"{what} {quote(name)}", low, high))
