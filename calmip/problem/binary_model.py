"""A linear model whose variables are all binary, as plain arrays."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, cast

from calmip.problem.cover import ExactCover

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    IntArray = npt.NDArray[np.int32]
    FloatArray = npt.NDArray[np.float64]

__all__ = ["PLACEHOLDER", "BinaryModel", "Bound", "Number", "WholeRow", "inexact", "whole_row"]

PLACEHOLDER = "unused"
"""The only column of a model that has none."""

Number = int | Fraction
Bound = float | Number
"""A number, or a float that is infinite."""

Exact = Mapping[tuple[str, int], Number]

WholeRow = tuple[dict[int, int], float, float]
"""Whole coefficients by column, none of them 0, and the bounds: whole numbers, or infinite."""

EXACT = 2**53
"""Whole numbers up to this size are floating-point numbers, and so are their sums."""


class _Field:
    """A field of numbers, which become an array of numpy when somebody asks for it.

    They may be given as an array of Python's own. Most commands need no more, and to import
    numpy takes as long as such a command.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, model: BinaryModel | None, owner: type) -> npt.NDArray[Any]:
        if model is None:
            raise AttributeError(self._name)  # a field without a default
        numbers = vars(model)[self._name]
        if isinstance(numbers, array):
            import numpy as np

            numbers = vars(model)[self._name] = np.array(numbers)
        return cast("npt.NDArray[Any]", numbers)

    def __set__(self, model: BinaryModel, numbers: array[Any] | npt.NDArray[Any]) -> None:
        vars(model)[self._name] = numbers


@dataclass(frozen=True, eq=False)
class BinaryModel:
    """Minimise ``cost @ x`` over binary x with ``lower <= A x <= upper``.

    Parameters
    ----------
    columns, rows
        The names of the variables and of the constraints.
    start, index, value
        The matrix by rows: row i has the coefficients ``value[start[i]:start[i + 1]]``
        on the columns ``index[start[i]:start[i + 1]]``.
    lower, upper
        The bounds of every row, infinite where there is none.
    cost
        The objective, one number per column.
    name
        One word for the file's NAME line.
    comments
        Lines for the head of a written file.
    maximise, offset
        What the file that the model was read from said: whether its objective
        is to be made large, and the constant in it. ``cost`` is to be made
        small all the same, and has no constant.
    source
        The file that the model was read from, or an empty text.
    exact
        The numbers that the arrays hold rounded, by the name of the array and the place.
        Any other stands for the shortest decimal number that is read as it, as it is
        written in a file: 0.1 is one tenth.
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

    @classmethod
    def from_cover(cls, cover: ExactCover, *, comments: Iterable[str] = ()) -> BinaryModel:
        """Return the placement model of an exact cover: one equality row per item, no cost.

        Where there is no option at all, a column stands in no row: half of the programs
        refuse a model without columns, or call it empty, and this one they call infeasible.
        """
        members: list[list[int]] = [[] for _ in cover.items]
        for option, items in enumerate(cover.covered):
            for item in items:
                members[item].append(option)
        demand = array("d", cover.demand)
        return cls(
            columns=cover.option_names or (PLACEHOLDER,),
            rows=tuple(item.name for item in cover.items),
            start=array("i", accumulate(map(len, members), initial=0)),
            index=array("i", chain.from_iterable(members)),
            value=array("d", [1.0]) * cover.nonzeros,
            lower=demand,
            upper=demand[:],
            cost=array("d", [0.0]) * max(cover.columns, 1),
            comments=tuple(comments),
        )

    @property
    def nonzeros(self) -> int:
        """The number of coefficients in the rows."""
        return len(vars(self)["index"])

    def changed(self, **others: Any) -> BinaryModel:
        """Return the model with other fields, as `dataclasses.replace` does, but without numpy."""
        kept = {each.name: vars(self)[each.name] for each in fields(self)}
        return BinaryModel(**{**kept, **others})

    def values(self, name: str) -> list[Any]:
        """Return the numbers of an array, ``value`` for example, as a list."""
        numbers: list[Any] = vars(self)[name].tolist()
        return numbers

    def with_row(
        self, name: str, columns: Iterable[int], lower: Bound, upper: Bound,
        values: Sequence[Bound] | FloatArray | None = None,
    ) -> BinaryModel:  # fmt: skip
        """Return the model with one more row, on some columns.

        Its coefficients are ``values``, in the order of the columns' numbers, or 1.
        """
        import numpy as np

        added = np.array(sorted(columns), dtype=np.int32)
        values = [1] * len(added) if values is None else values
        exact = {
            **self.exact,
            **inexact("value", values, first=len(self.value)),
            **inexact("lower", [lower], first=len(self.lower)),
            **inexact("upper", [upper], first=len(self.upper)),
        }
        return self.changed(
            rows=(*self.rows, name),
            start=np.append(self.start, self.start[-1] + len(added)).astype(np.int32),
            index=np.concatenate([self.index, added]),
            value=np.concatenate([self.value, np.array(values, dtype=np.float64)]),
            lower=np.append(self.lower, float(lower)),
            upper=np.append(self.upper, float(upper)),
            exact=exact,
        )

    def numbers(self, name: str, places: Iterable[int]) -> list[Bound]:
        """Return the exact numbers at places of an array, ``value`` for example."""
        found = vars(self)[name]
        if not self.exact:
            return [_decimal(float(found[place])) for place in places]
        return [
            self.exact[name, place]
            if (name, place) in self.exact
            else _decimal(float(found[place]))
            for place in places
        ]

    @cached_property
    def costs(self) -> dict[int, Number]:
        """The exact objective by column, to be made small, without zeros."""
        places = {place for place, cost in enumerate(self.values("cost")) if cost}
        places.update(place for name, place in self.exact if name == "cost")
        found = self.numbers("cost", sorted(places))
        return {
            c: v for c, v in zip(sorted(places), found, strict=True) if not isinstance(v, float)
        }

    def objective(self, chosen: Iterable[int]) -> float:
        """Return the objective as its author wrote it, where the columns ``chosen`` are one."""
        value = sum(self.costs.get(column, 0) for column in chosen)
        constant = self.exact.get(("offset", 0), _decimal(self.offset))
        return float((-value if self.maximise else value) + constant)

    def row(self, number: int) -> WholeRow:
        """Return a row in the smallest whole numbers that have the same solutions."""
        start, index = vars(self)["start"], vars(self)["index"]
        places = range(int(start[number]), int(start[number + 1]))
        columns = index[places.start : places.stop].tolist()
        terms: dict[int, Number] = {}
        for column, value in zip(columns, self.numbers("value", places), strict=True):
            terms[column] = terms.get(column, 0) + cast(Number, value)
        (low,), (high,) = self.numbers("lower", [number]), self.numbers("upper", [number])
        return whole_row(terms, low, high)

    @cached_property
    def plain(self) -> npt.NDArray[np.bool_]:
        """By row: whether it adds up whole numbers in floating point without rounding."""
        import numpy as np

        owner = np.repeat(np.arange(len(self.rows)), np.diff(self.start))
        size = np.bincount(owner, np.abs(self.value), minlength=len(self.rows))
        broken = np.bincount(owner, self.value != np.floor(self.value), minlength=len(self.rows))
        plain: npt.NDArray[np.bool_] = (broken == 0) & (size < EXACT)
        for name, place in self.exact:
            if name in ("value", "lower", "upper"):
                plain[owner[place] if name == "value" else place] = False
        return plain

    @cached_property
    def _others(self) -> dict[int, WholeRow]:
        """The rows that are not plain."""
        return {number: self.row(number) for number, plain in enumerate(self.plain) if not plain}

    def violated(self, chosen: Iterable[int]) -> int | None:
        """Return the first row that the 0/1 point with ones on ``chosen`` breaks, or None.

        No sum is rounded, and there is no tolerance.
        """
        import numpy as np

        ones = set(chosen)
        point = np.zeros(len(self.columns))
        point[list(ones)] = 1.0
        owner = np.repeat(np.arange(len(self.rows)), np.diff(self.start))
        sums = np.bincount(owner, self.value * point[self.index], minlength=len(self.rows))
        broken = ((sums < self.lower) | (sums > self.upper)) & self.plain
        for number, (terms, low, high) in self._others.items():
            broken[number] = not low <= sum(terms[c] for c in ones & terms.keys()) <= high
        first = np.flatnonzero(broken)
        return int(first[0]) if len(first) else None


def _decimal(value: float) -> Bound:
    """Return the shortest decimal number that is read as this one; infinity as it is."""
    if not math.isfinite(value):
        return value
    if value.is_integer() and abs(value) < EXACT:
        return int(value)
    exact = Fraction(repr(value))
    return exact.numerator if exact.denominator == 1 else exact


def inexact(name: str, numbers: Iterable[Bound], *, first: int = 0) -> Exact:
    """Return those of an array's numbers that it holds rounded, as `BinaryModel.exact` has them.

    Parameters
    ----------
    name
        The name of the array.
    numbers
        The numbers.
    first
        The place of the first.
    """
    return {
        (name, place): number
        for place, number in enumerate(numbers, start=first)
        # To ask whether something is a Fraction takes long, and most numbers are small.
        if not (type(number) is int and -EXACT < number < EXACT)
        and (isinstance(number, Fraction) or (isinstance(number, int) and abs(number) >= EXACT))
        and _decimal(float(number)) != number
    }


def whole_row(terms: Mapping[int, Number], low: Bound, high: Bound) -> WholeRow:
    """Return a row in the smallest whole numbers that have the same binary solutions.

    It is multiplied by a positive number, so that its coefficients are whole and share no
    factor; then every sum is whole, and its bounds are rounded inwards. A row whose lower
    bound is greater than the upper one has no solution.

    Parameters
    ----------
    terms
        Its coefficients by column.
    low, high
        Its bounds; an infinite one is a float.
    """
    parts = {column: (v.numerator, v.denominator) for column, v in terms.items() if v}
    up = math.lcm(*(denominator for _, denominator in parts.values()))
    down = math.gcd(*(numerator for numerator, _ in parts.values())) or 1
    whole = {c: top * (up // bottom) // down for c, (top, bottom) in parts.items()}
    # Bounds that no sum reaches say no more than the nearest that is out of reach.
    reach = 1 + sum(map(abs, whole.values()))
    if not isinstance(low, float):
        low = max(-reach, min(-((-low * up) // down), reach))
    if not isinstance(high, float):
        high = max(-reach, min(high * up // down, reach))
    return whole, low, high
