"""A mixed-integer linear model, as plain arrays with exact numbers beside them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, islice, pairwise
from operator import mul, sub
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from calmip._base.errors import InputError, clip, join_words
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import describe_number, renderers
from calmip.mip.rows import Bound, Interval, Number, Row, is_finite, shortest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from calmip.mip.constructs import Logic

    IntArray = npt.NDArray[np.int32]
    FloatArray = npt.NDArray[np.float64]

UNNAMED = "model"
"""The name of a model whose file has none."""

MAX_SCALE_BITS = 256
"""The bits of a number that makes all rows of a model whole; else each row has its own."""

ROWS_AT_ONCE = 256
"""The rows whose sums are computed together."""

PLACEHOLDER = "unused"
"""The column of a model without any other column."""

Point = Mapping[int, Number] | Iterable[int]
"""Exact values by column, 0 where none is given; or the columns whose value is 1."""

Exact = Mapping[tuple[str, int], Number]

NamedRow = tuple[str, Mapping[int, float], float, float]
"""A name, coefficients by column, and the bounds, in floating point."""


class CoverItem(Protocol):
    """An item of an exact cover."""

    @property
    def name(self) -> str:
        """The name of its row."""

    @property
    def demand(self) -> int:
        """How often it must be covered."""


class Cover(Protocol):
    """An exact cover: items, and options that cover them; a model has a column for each option."""

    @property
    def items(self) -> Sequence[CoverItem]:
        """The items."""

    @property
    def demand(self) -> Sequence[int]:
        """How often each item must be covered."""

    @property
    def option_names(self) -> Sequence[str]:
        """The options' column names."""

    @property
    def covered(self) -> Sequence[Sequence[int]]:
        """The items that each option covers, ascending."""

    @property
    def columns(self) -> int:
        """The number of options."""

    @property
    def rows(self) -> int:
        """The number of items."""

    def items_of(self, number: int, /) -> Sequence[int]:
        """Return the items that an option covers, ascending."""

    def options_of(self) -> Sequence[Sequence[int]]:
        """Return the options that cover each item, ascending."""


class Violation(NamedTuple):
    """A row, a column or a construct of a model that a point violates.

    Parameters
    ----------
    kind
        ``row``, ``construct``, ``bound`` (of a column) or ``integrality``.
    number
        The number of the row, the construct or the column.
    value
        The exact value of the row or the column.
    allowed
        The nearest value that is allowed.
    """

    kind: str
    number: int
    value: Number
    allowed: Number

    @property
    def amount(self) -> Number:
        """The distance to the nearest value that is allowed."""
        return max(self.value - self.allowed, self.allowed - self.value)


EXACT = 2**53
"""Whole numbers up to this size are exact in floating point."""


class _Field:
    """A field of numbers: an `array.array` that becomes a numpy array on first use.

    Most commands do not need numpy, and importing it takes as long as such a command.

    Parameters
    ----------
    usual
        The number that every column has if none are given; None if they must be given.
    """

    def __init__(self, usual: float | None = None) -> None:
        self._usual = usual

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, model: Model | None, owner: type) -> npt.NDArray[Any]:
        if model is None:
            if self._usual is None:
                raise AttributeError(self._name)  # a field without a default
            return cast("npt.NDArray[Any]", ())
        numbers = vars(model)[self._name]
        if isinstance(numbers, array):
            import numpy as np

            numbers = vars(model)[self._name] = np.array(numbers)
        return cast("npt.NDArray[Any]", numbers)

    def __set__(self, model: Model, numbers: array[Any] | npt.NDArray[Any]) -> None:
        if isinstance(numbers, tuple):
            usual = self._usual or 0.0
            numbers = array("b" if self._usual is True else "d", [usual]) * len(model.columns)
        vars(model)[self._name] = numbers


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Minimise ``cost @ x`` with ``lower <= A x <= upper``, over binary x if not given otherwise.

    Parameters
    ----------
    columns, rows
        The names of the variables and of the constraints.
    start, index, value
        The matrix by rows: row i has the coefficients ``value[start[i]:start[i + 1]]``
        on the columns ``index[start[i]:start[i + 1]]``.
    lower, upper
        The bounds of every row, or infinite.
    cost
        The objective, one number per column.
    name
        One word for the file's NAME line.
    comments
        Lines for the head of a written file.
    maximise, offset
        Whether the file that was read maximises its objective, and the constant in it;
        ``cost`` is minimised all the same, without the constant.
    source
        The file that the model was read from, or an empty text.
    exact
        The exact values of numbers that the arrays round, by the array's name and the place.
        Any other number is the shortest decimal with its value: 0.1 is one tenth.
    column_lower, column_upper
        The bounds of every variable, or infinite; by default 0 and 1.
    integer
        Whether each variable is integer; by default all are. Others are continuous.
    native
        The object of a modelling language that the model was read from, or None; see
        `calmip.mip.files.native.Native`.
    logic
        The constructs that some of the rows and columns linearise, or None. Solutions are points
        of the other columns, `own_columns`.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    start: _Field = _Field()
    index: _Field = _Field()
    value: _Field = _Field()
    lower: _Field = _Field()
    upper: _Field = _Field()
    cost: _Field = _Field()
    name: str = "calmip"
    comments: tuple[str, ...] = field(default=(), repr=False)
    maximise: bool = False
    offset: float = 0.0
    source: str = field(default="", repr=False)
    exact: Exact = field(default_factory=dict, repr=False)
    column_lower: _Field = _Field(0.0)
    column_upper: _Field = _Field(1.0)
    integer: _Field = _Field(True)
    native: Any = field(default=None, repr=False)
    logic: Logic | None = field(default=None, repr=False)

    @cached_property
    def own_columns(self) -> tuple[str, ...]:
        """The names of the columns without those that linearise constructs."""
        return self.columns if self.logic is None else self.columns[: self.logic.columns]

    @property
    def own_rows(self) -> int:
        """The number of rows without those that linearise constructs."""
        return len(self.rows) - (0 if self.logic is None else len(self.logic.rows))

    def own(self, point: Mapping[int, Number]) -> dict[int, Number]:
        """Return a point without the columns that linearise constructs."""
        return dict(point) if self.logic is None else self.logic.own(point)

    def describe(self) -> dict[str, Any]:
        """Return the file, the name and the size of the model as plain data."""
        return {
            "file": self.source,
            "name": self.name,
            "columns": len(self.own_columns),
            "rows": self.own_rows,
            **({} if self.logic is None else {"constructs": len(self.logic.constructs)}),
        }

    def describe_point(self, point: Point) -> dict[str, Any]:
        """Return a point: the names of the columns that are one, or the values that are not 0."""
        if isinstance(point, Mapping):
            values = self.own(point).items()
            return {"values": {self.columns[c]: describe_number(x) for c, x in values}}
        return {"ones": [self.columns[column] for column in point]}

    @classmethod
    def from_cover(cls, cover: Cover, *, comments: Iterable[str] = ()) -> Model:
        """Return the placement model of an exact cover: one equality row per item, no cost.

        Without options it has one column in no row, as many programs refuse a model without
        columns, and call this one infeasible.
        """
        members = zip(cover.items, cover.options_of(), strict=True)
        rows = [(i.name, dict.fromkeys(some, 1.0), i.demand, i.demand) for i, some in members]
        return cls.from_rows(cover.option_names or (PLACEHOLDER,), rows, comments=tuple(comments))

    @classmethod
    def from_rows(
        cls,
        columns: Sequence[str],
        rows: Sequence[NamedRow],
        cost: Iterable[float] = (),
        **others: Any,
    ) -> Model:
        """Return the model with these rows; without a cost it is 0 everywhere."""
        terms = [some for _, some, _, _ in rows]
        return cls(
            columns=tuple(columns),
            rows=tuple(name for name, *_ in rows),
            start=array("i", accumulate(map(len, terms), initial=0)),
            index=array("i", chain.from_iterable(terms)),
            value=array("d", chain.from_iterable(some.values() for some in terms)),
            lower=array("d", (low for *_, low, _ in rows)),
            upper=array("d", (high for *_, high in rows)),
            cost=array("d", cost) or array("d", bytes(8 * len(columns))),
            **others,
        )

    @property
    def title(self) -> str:
        """The name, or that of its file for a model whose file has no name."""
        from pathlib import PurePath  # small models are solved without it

        return self.name if self.name != UNNAMED else PurePath(self.source).name or self.name

    @property
    def nonzeros(self) -> int:
        """The number of coefficients in the rows."""
        return len(vars(self)["index"])

    def _repr_html_(self) -> str:
        """Return the size of the model as a table, for notebooks."""
        return renderers.notebook().html(self)

    def __repr__(self) -> str:
        sizes = f"{len(self.own_columns)} columns, {self.own_rows} rows, {self.nonzeros} nonzeros"
        if self.logic is not None:
            sizes = f"{len(self.own_columns)} columns, {self.own_rows} rows, {self.logic.words}"
        return f"<Model {clip(self.title, 100)}: {sizes}>"

    @cached_property
    def column_index(self) -> dict[str, int]:
        """The number of every column, by its name."""
        return {name: number for number, name in enumerate(self.columns)}

    @cached_property
    def binary(self) -> bool:
        """Whether every variable is an integer from 0 to 1, and there is no construct."""
        if self.logic is not None:
            return False
        bounds = zip(self.values("column_lower"), self.values("column_upper"), strict=True)
        return all(self.values("integer")) and all(low > -1 and high < 2 for low, high in bounds)

    def as_binary(self, work: str = "this") -> Model:
        """Return the model with 0 and 1 as the bounds of all variables.

        A variable that its bounds fix gets a row ``fix_NAME``.

        Parameters
        ----------
        work
            What needs a binary model, for the error.

        Raises
        ------
        InputError
            If a variable can take another value. The error names it.
        """
        self.check_rows_alone(work)
        integer = self.values("integer")
        bounds = list(zip(self.values("column_lower"), self.values("column_upper"), strict=True))
        if not self.binary:
            wrong = [
                ascii(clip(n, 60)) for n, i in zip(self.columns, integer, strict=True) if not i
            ]
            kind = "continuous"
            if not wrong:
                column = next(c for c, pair in enumerate(bounds) if pair[0] <= -1 or pair[1] >= 2)
                wrong = [ascii(clip(self.columns[column], 60))]
                kind = "an integer from {:g} to {:g}".format(*bounds[column])
            some = f"variables {join_words(wrong, most=3)} are"
            if len(wrong) == 1:
                some = f"variable {wrong[0]} is"
            raise InputError(
                f"{work} needs binary variables, and {some} {kind}", path=self.source or None
            )
        if all(pair == (0, 1) for pair in self.column_bounds):
            return self
        whole_bounds = (pair.rounded() for pair in self.column_bounds)
        inside = [(max(0, low), min(1, high)) for low, high in whole_bounds]
        # A variable without any value gets an infeasible row.
        fixed = {column: pair for column, pair in enumerate(inside) if pair[0] >= pair[1]}
        names = dict.fromkeys(self.rows)
        for column in fixed:
            names[unused_name(f"fix_{self.columns[column]}", names)] = None
        first = self.nonzeros + 1
        return self.changed(
            rows=tuple(names),
            start=array("i", [*self.values("start"), *range(first, first + len(fixed))]),
            index=array("i", [*self.values("index"), *fixed]),
            value=array("d", self.values("value") + [1.0] * len(fixed)),
            lower=array("d", [*self.values("lower"), *(low for low, _ in fixed.values())]),
            upper=array("d", [*self.values("upper"), *(high for _, high in fixed.values())]),
            column_lower=array("d", bytes(8 * len(bounds))),
            column_upper=array("d", [1.0]) * len(bounds),
            exact={key: v for key, v in self.exact.items() if not key[0].startswith("column_")},
        )

    def check_rows_alone(self, work: str) -> None:
        """Raise `InputError`, which names the work, if rows linearise constructs."""
        if self.logic is not None:
            raise InputError(
                f"{work} needs rows alone, and the model has {self.logic.words}; write its linear "
                "form by calmip export, and take that file",
                path=self.source or None,
            )

    def changed(self, **others: Any) -> Model:
        """Return the model with other fields, as `dataclasses.replace` but without numpy."""
        kept = {each.name: vars(self)[each.name] for each in fields(self)}
        return Model(**{**kept, **others})

    def values(self, name: str) -> list[Any]:
        """Return the numbers of an array such as ``value`` as a list."""
        numbers: list[Any] = vars(self)[name].tolist()
        return numbers

    def with_row(
        self,
        name: str,
        columns: Iterable[int],
        lower: Bound,
        upper: Bound,
        values: Sequence[Bound] | FloatArray | None = None,
    ) -> Model:
        """Return the model with one more row; its coefficients are ``values`` or 1.

        They are in the order of ascending columns.
        """
        added = sorted(columns)
        values = [1] * len(added) if values is None else values
        exact = {
            **self.exact,
            **inexact("value", values, first=self.nonzeros),
            **inexact("lower", [lower], first=len(self.rows)),
            **inexact("upper", [upper], first=len(self.rows)),
        }
        return self.changed(
            rows=(*self.rows, name),
            start=self._extended("start", "i", [self.nonzeros + len(added)]),
            index=self._extended("index", "i", added),
            value=self._extended("value", "d", map(float, values)),
            lower=self._extended("lower", "d", [float(lower)]),
            upper=self._extended("upper", "d", [float(upper)]),
            exact=exact,
        )

    def with_rows(self, chosen: Sequence[int]) -> Model:
        """Return the model with only some of its rows."""
        rows = [self.exact_row(row) for row in chosen]
        terms = [sorted(row.terms.items()) for row in rows]
        numbers: dict[str, list[Bound]] = {
            "value": [value for row in terms for _, value in row],
            "lower": [row.low for row in rows],
            "upper": [row.high for row in rows],
        }
        return self.with_numbers(
            numbers,
            rows=tuple(self.rows[row] for row in chosen),
            start=array("i", accumulate(map(len, terms), initial=0)),
            index=array("i", [column for row in terms for column, _ in row]),
        )

    def with_numbers(self, numbers: Mapping[str, Sequence[Bound]], **changed: Any) -> Model:
        """Return the model with other exact numbers in some of its arrays, and other changes."""
        exact = {key: value for key, value in self.exact.items() if key[0] not in numbers}
        for name, some in numbers.items():
            exact |= inexact(name, some)
        arrays = {name: array("d", map(float, some)) for name, some in numbers.items()}
        return self.changed(exact=exact, **arrays, **changed)

    def loosened(self, sides: Mapping[str, Collection[int]]) -> Model:
        """Return the model without some bounds and integrality, by side and column."""
        names = {"lower": "column_lower", "upper": "column_upper"}
        ends = {"column_lower": -math.inf, "column_upper": math.inf}
        gone = {names.get(side, side): set(columns) for side, columns in sides.items()}
        changed = {}
        for name, columns in gone.items():
            numbers, code = self.values(name), "b" if name == "integer" else "d"
            loose = [
                ends.get(name, 0) if column in columns else number
                for column, number in enumerate(numbers)
            ]
            changed[name] = array(code, loose)
        exact = {k: v for k, v in self.exact.items() if k[1] not in gone.get(k[0], ())}
        return self.changed(exact=exact, **changed)

    def with_objective_row(self, name: str, lower: Bound, upper: Bound) -> Model:
        """Return the model with one more row, which bounds the sum of the costs."""
        costs = self.costs
        return self.with_row(name, costs, lower, upper, list(costs.values()))

    def with_costs(self, cost: Mapping[int, Number]) -> Model:
        """Return the model that minimises other costs, without a constant."""
        costs: list[Number] = [cost.get(column, 0) for column in range(len(self.columns))]
        others = {k: value for k, value in self.exact.items() if k[0] not in ("cost", "offset")}
        exact = {**others, **inexact("cost", costs)}
        return self.changed(
            cost=array("d", map(float, costs)), exact=exact, maximise=False, offset=0.0
        )

    def fixed(self, values: Mapping[int, Number]) -> Model:
        """Return the model with some columns fixed."""
        ends = {column: (value, value) for column, value in values.items()}
        return self._with_bounds(("column_lower", "column_upper"), ends)

    def without_sides(self, row: int) -> Model:
        """Return the model in which a row demands nothing."""
        return self.with_sides({row: (-math.inf, math.inf)})

    def with_sides(self, sides: Mapping[int, tuple[Bound, Bound]]) -> Model:
        """Return the model with other bounds of some rows."""
        return self._with_bounds(("lower", "upper"), sides)

    def _with_bounds(
        self, names: tuple[str, str], bounds: Mapping[int, tuple[Bound, Bound]]
    ) -> Model:
        """Return the model with other bounds of some rows or columns; two arrays have them."""
        if not bounds:
            return self
        gone = {(name, place) for name in names for place in bounds}
        exact = {key: value for key, value in self.exact.items() if key not in gone}
        arrays = {}
        for name, ends in zip(names, zip(*bounds.values(), strict=True), strict=True):
            numbers = self.values(name)
            for place, end in zip(bounds, ends, strict=True):
                numbers[place] = float(end)
                exact.update(inexact(name, [end], first=place))
            arrays[name] = array("d", numbers)
        return self.changed(exact=exact, **arrays)

    def _extended(self, name: str, code: str, more: Iterable[float]) -> array[Any]:
        """Return the numbers of a field with more after them."""
        numbers = vars(self)[name]
        if not isinstance(numbers, array):
            numbers = numbers.tolist()
        return array(code, numbers) + array(code, more)

    def numbers(self, name: str, columns: Iterable[int]) -> list[Bound]:
        """Return the exact numbers at places of an array such as ``value``."""
        found, exact = vars(self)[name], self.exact
        if isinstance(columns, range):
            given = list(map(float, found[columns.start : columns.stop : columns.step].tolist()))
        else:
            columns = list(columns)
            given = [float(found[index]) for index in columns]
        known = {value: decimal_of(value) for value in set(given)}  # most models have few
        numbers = list(map(known.__getitem__, given))
        if exact:
            pairs = enumerate(columns)
            numbers = [exact.get((name, index), numbers[number]) for number, index in pairs]
        return numbers

    @cached_property
    def of_ones(self) -> bool:
        """Whether all coefficients are 1 and no number is rounded, as in placement models."""
        return not self.exact and all(value == 1.0 for value in self.values("value"))

    @cached_property
    def costs(self) -> dict[int, Number]:
        """The exact objective to minimise, by column, without zeros."""
        indices = {index for index, cost in enumerate(self.values("cost")) if cost}
        indices.update(index for name, index in self.exact if name == "cost")
        pairs = zip(sorted(indices), self.numbers("cost", sorted(indices)), strict=True)
        return {column: cost for column, cost in pairs if is_finite(cost)}

    @property
    def constant(self) -> Number:
        """The exact constant of the objective, in the file's sense."""
        return self.exact.get(("offset", 0), cast(Number, decimal_of(self.offset)))

    def objective(self, point: Point) -> float:
        """Return the objective of a point, with its constant, in the file's sense."""
        return float(self.exact_objective(point))

    def exact_objective(self, point: Point) -> Number:
        """Return the exact objective of a point, with its constant, in the file's sense."""
        values = _values(point)
        value = exact_sum((cost, values[c]) for c, cost in self.costs.items() if c in values)
        return shortest((-value if self.maximise else value) + self.constant)

    def is_integer(self, column: int) -> bool:
        """Return whether a column takes whole numbers only."""
        return bool(vars(self)["integer"][column])

    def bounds(self, column: int) -> Interval:
        """Return the exact bounds of a column."""
        (low,), (high,) = (self.numbers(f"column_{side}", [column]) for side in ("lower", "upper"))
        return Interval(low, high)

    def without_value(self) -> Iterator[tuple[str, str]]:
        """Yield the columns and the rows whose own bounds no value satisfies: kind and name.

        A row without coefficients has the value 0.
        """
        kinds = map(bool, self.values("integer"))
        for name, bounds, integer in zip(self.columns, self.column_bounds, kinds, strict=True):
            low, high = bounds.rounded() if integer else bounds
            if low > high:
                yield "column", name
        sides = (self.numbers(side, range(len(self.rows))) for side in ("lower", "upper"))
        sizes = (end - start for start, end in pairwise(self.values("start")))
        for name, low, high, size in zip(self.rows, *sides, sizes, strict=True):
            if low > high or (not size and not low <= 0 <= high):
                yield "row", name

    def exact_row(self, number: int) -> Row[Number]:
        """Return a row in the numbers of the file."""
        return self.exact_rows(range(number, number + 1))[0]

    def exact_rows(self, chosen: range | None = None) -> list[Row[Number]]:
        """Return all rows, or those of a range, as `exact_row` does."""
        chosen = range(len(self.rows)) if chosen is None else chosen
        start, index = vars(self)["start"], vars(self)["index"]
        starts = start[chosen.start : chosen.stop + 1].tolist()
        first, last = starts[0], starts[-1]
        columns = index[first:last].tolist()
        values = cast(list[Number], self.numbers("value", range(first, last)))
        sides = (self.numbers(side, chosen) for side in ("lower", "upper"))
        found = []
        for (begin, end), low, high in zip(pairwise(starts), *sides, strict=True):
            own, parts = columns[begin - first : end - first], values[begin - first : end - first]
            terms = dict(zip(own, parts, strict=True))
            if len(terms) < len(own):  # a column stands there several times
                terms = dict.fromkeys(own, 0)
                for column, value in zip(own, parts, strict=True):
                    terms[column] += value
            found.append(Row(terms, low, high))
        return found

    def row(self, number: int) -> Row[int]:
        """Return a row in the smallest whole numbers with the same solutions.

        The bounds are rounded inwards if every variable of the row is an integer.
        """
        return self._whole_row(self.exact_row(number))

    def whole_rows(self) -> list[Row[int]]:
        """Return all rows, each as `row` does."""
        return list(map(self._whole_row, self.exact_rows()))

    def _whole_row(self, row: Row[Number]) -> Row[int]:
        if self.binary:
            return whole_row(*row)
        integer = vars(self)["integer"]
        return row.reduced(integral=all(integer[c] for c, value in row.terms.items() if value))

    @cached_property
    def scaled_rows(self) -> list[tuple[Row[int], int]]:
        """Every row times the least number that makes it whole, and this number."""
        return [row.scaled() for row in self.exact_rows()]

    @cached_property
    def _whole(self) -> _WholeRows:
        """The rows in whole numbers, for sums of many terms."""
        given = {name: list(map(float, self.values(name))) for name in ("value", "lower", "upper")}
        known = {value: decimal_of(value) for value in set().union(*given.values())}
        rounded = {key: number for key, number in self.exact.items() if key[0] in given}
        finite = filter(is_finite, (*known.values(), *rounded.values()))
        scale = math.lcm(*(number.denominator for number in finite))
        if scale.bit_length() > MAX_SCALE_BITS:
            rows = [row for row, _ in self.scaled_rows]
            lengths = (len(row.terms) for row in rows)
            return _WholeRows(
                array("i", accumulate(lengths, initial=0)),
                array("i", chain.from_iterable(row.terms for row in rows)),
                list(chain.from_iterable(row.terms.values() for row in rows)),
                [row.low for row in rows],
                [row.high for row in rows],
            )

        def whole(number: Bound) -> Any:
            if not is_finite(number):
                return number
            return number.numerator * (scale // number.denominator)

        integers = {value: whole(number) for value, number in known.items()}
        parts = {name: [*map(integers.__getitem__, some)] for name, some in given.items()}
        for (name, place), number in rounded.items():
            parts[name][place] = whole(number)
        starts, columns = (array("i", self.values(name)) for name in ("start", "index"))
        return _WholeRows(starts, columns, parts["value"], parts["lower"], parts["upper"])

    @cached_property
    def entries(self) -> list[list[tuple[int, int]]]:
        """The rows of every column, with its whole coefficients."""
        entries: list[list[tuple[int, int]]] = [[] for _ in self.columns]
        for number, (row, _) in enumerate(self.scaled_rows):
            for column, value in row.terms.items():
                entries[column].append((number, value))
        return entries

    @cached_property
    def _scaled_sides(self) -> list[tuple[Bound, Bound]]:
        return [(row.low, row.high) for row, _ in self.scaled_rows]

    @cached_property
    def _without(self) -> list[int]:
        """The rows that the point of zeros violates."""
        rows = enumerate(self.scaled_rows)
        return [number for number, (row, _) in rows if not row.low <= 0 <= row.high]

    @cached_property
    def column_bounds(self) -> list[Interval]:
        """The exact bounds of every column."""
        every = range(len(self.columns))
        sides = (self.numbers(f"column_{side}", every) for side in ("lower", "upper"))
        return list(map(Interval, *sides))

    @cached_property
    def _narrow(self) -> list[tuple[int, Bound, Bound]]:
        """The columns whose bounds exclude 0 or 1."""
        bounds = enumerate(self.column_bounds)
        return [(c, low, high) for c, (low, high) in bounds if low > 0 or high < 1]

    def violated(self, point: Point, clock: Deadline = ENDLESS) -> int | None:
        """Return the first row that a point violates, or None if the point is feasible.

        Constructs that are not decided in time are left out; ask `undecided` for these.
        If it satisfies every row but violates the bounds or the integrality of a column, the
        number of that column plus the number of rows is returned. Sums are exact, without a
        tolerance.
        """
        if isinstance(point, Mapping) or self.logic is not None:
            found = next(self.violations(point, clock), None)
            if found is None or found.kind == "row":
                return found and found.number
            if found.kind == "construct" and self.logic is not None:
                return self.logic.owned[found.number][0]
            return len(self.rows) + found.number
        ones = set(point)
        row = self._violated_by_ones(ones)
        if row is not None:
            return row
        outside = (c for c, low, high in self._narrow if not low <= (c in ones) <= high)
        column = next(outside, None)
        return None if column is None else len(self.rows) + column

    def violations(self, point: Point, clock: Deadline = ENDLESS) -> Iterator[Violation]:
        """Yield the rows, constructs, bounds and integrality that a point violates, in this order.

        Sums are exact. A column that violates its bounds by a fraction is yielded twice. Constructs
        are judged by what they mean: columns and rows that linearise them are ignored. Those that
        are not decided in time are left out.
        """
        values = _values(point)
        unknown = [column for column in values if not 0 <= column < len(self.columns)]
        if unknown:
            raise IndexError(f"the model has no column {unknown[0]}")
        # Sums of whole numbers over one denominator are faster than sums of fractions.
        by = math.lcm(*(value.denominator for value in values.values()))
        integers = [0] * len(self.columns)
        for column, value in values.items():
            integers[column] = value.numerator * (by // value.denominator)
        linear = self.logic.rows if self.logic is not None else ()
        whole = self._whole
        sums = zip(whole.sums(integers), whole.lower, whole.upper, strict=True)
        for number, (total, low, high) in enumerate(sums):
            if _is_outside(total, low, high, by) and number not in linear:
                yield self._violation(number, values)
        if self.logic is not None:
            for fault in self.logic.faults(values, clock, self._witnessed(values)):
                yield Violation("construct", *fault)
        columns = zip(self.column_bounds, self.values("integer"), integers, strict=True)
        for number, (bounds, integer, total) in enumerate(islice(columns, len(self.own_columns))):
            if _is_outside(total, *bounds, by):
                value = shortest(values.get(number, 0))
                yield Violation("bound", number, value, bounds.nearest(value))
            if integer and total % by:
                yield Violation("integrality", number, values[number], round(values[number]))

    def undecided(self, point: Point, clock: Deadline) -> bool:
        """Return whether it is not known in time which constructs a point violates."""
        if self.logic is None:
            return False
        values = _values(point)
        known = self._witnessed(values)
        every = enumerate(self.logic.constructs)
        return any(n not in known and not one.decided(values, clock) for n, one in every)

    def _witnessed(self, values: Mapping[int, Number]) -> Collection[int]:
        """Return the projections that hold because a point has values of auxiliary columns."""
        logic = self.logic
        if logic is None:
            return ()
        some = [n for n, one in enumerate(logic.constructs) if one.kind == "projection"]
        if not some:
            return ()
        integer = self.values("integer")
        for column in range(logic.columns, len(self.columns)):
            value = values.get(column, 0)
            low, high = self.bounds(column)
            if not low <= value <= high or (integer[column] and value.denominator != 1):
                return ()
        rows = {n: map(self.exact_row, logic.owned[n]) for n in some}
        return [
            n
            for n in some
            if all(
                low <= sum(a * values[c] for c, a in terms.items() if c in values) <= high
                for terms, low, high in rows[n]
            )
        ]

    def _violation(self, number: int, values: Mapping[int, Number]) -> Violation:
        """Return the violation of a row, in the numbers of the file."""
        row = self.exact_row(number)
        total = sum(factor * values[c] for c, factor in row.terms.items() if c in values)
        return Violation("row", number, shortest(total), row.bounds.nearest(total))

    def _violated_by_ones(self, ones: set[int]) -> int | None:
        """Return the first row that the 0/1 point violates, by the columns that are 1."""
        sums = dict.fromkeys(self._without, 0)
        for column in ones:
            for number, value in self.entries[column]:
                sums[number] = sums.get(number, 0) + value
        sides = self._scaled_sides
        wrong = (n for n, s in sums.items() if not sides[n][0] <= s <= sides[n][1])
        return min(wrong, default=None)


class _WholeRows(NamedTuple):
    """Rows as in the arrays of a model, each times some number that makes it whole."""

    starts: array[int]
    columns: array[int]
    factors: list[int]
    lower: Sequence[Bound]
    upper: Sequence[Bound]

    def sums(self, values: Sequence[int]) -> Iterator[int]:
        """Yield the sum of each row for values of all columns."""
        for first in range(0, len(self.lower), ROWS_AT_ONCE):
            starts = self.starts[first : first + ROWS_AT_ONCE + 1]
            part = slice(starts[0], starts[-1])
            terms = map(mul, self.factors[part], map(values.__getitem__, self.columns[part]))
            # Sums over all rows so far, of which each row is a difference.
            so_far = list(accumulate(terms, initial=0))
            ends = [so_far[start - starts[0]] for start in starts]
            yield from map(sub, ends[1:], ends)


def _is_outside(total: int, low: Bound, high: Bound, by: int) -> bool:
    """Return whether a sum is not between bounds, times a number."""
    return (low != -math.inf and total < low * by) or (high != math.inf and total > high * by)


def exact_sum(terms: Iterable[tuple[Number, Number]]) -> Number:
    """Return the sum of products, by whole numbers: faster than sums of many fractions."""
    pairs = list(terms)
    up, by = (math.lcm(*(pair[n].denominator for pair in pairs)) for n in (0, 1))
    total = sum(
        one.numerator * (up // one.denominator) * other.numerator * (by // other.denominator)
        for one, other in pairs
    )
    return shortest(Fraction(total, up * by))


def _values(point: Point) -> Mapping[int, Number]:
    return point if isinstance(point, Mapping) else dict.fromkeys(point, 1)


def decimal_of(value: float) -> Bound:
    """Return the shortest decimal number that reads as this float; keep infinity."""
    if not math.isfinite(value):
        return value
    if value.is_integer() and abs(value) < EXACT:
        return int(value)
    text = repr(value)
    integral, point, part = text.partition(".")
    if point and "e" not in part:  # many times faster than to parse a text
        return shortest(Fraction(int(integral + part), 10 ** len(part)))
    return shortest(Fraction(text))


def unused_name(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken, by adding underscores."""
    while name in taken:
        name += "_"
    return name


def inexact(name: str, numbers: Iterable[Bound], *, first: int = 0) -> Exact:
    """Return the numbers that an array rounds, from a first place on, as in ``exact``."""
    return {
        (name, index): number
        for index, number in enumerate(numbers, start=first)
        # Most numbers are small, and isinstance of Fraction is slow.
        if not (type(number) is int and -EXACT < number < EXACT)
        and (isinstance(number, Fraction) or (isinstance(number, int) and abs(number) >= EXACT))
        and decimal_of(float(number)) != number
    }


def whole_row(terms: Mapping[int, Number], low: Bound, high: Bound) -> Row[int]:
    """Return a row in the smallest whole numbers that have the same binary solutions.

    Its coefficients by column are scaled to whole numbers without a common factor. Its
    bounds are rounded inwards, and may leave no solution.
    """
    row = Row(terms, low, high).reduced()
    # Bounds out of reach are moved to the nearest one.
    reach = 1 + sum(map(abs, row.terms.values()))
    low, high = (max(-reach, min(end, reach)) if is_finite(end) else end for end in row[1:])
    return Row(row.terms, low, high)
