"""Constructs as such in the text of a file: which can be said, and their rows and bounds."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from fractions import Fraction
from functools import singledispatch
from itertools import pairwise

from calmip._base.errors import InputError
from calmip.mip.constructs import (
    BrokenLine,
    Conditional,
    Construct,
    Equivalence,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
)
from calmip.mip.files.text_source import number
from calmip.mip.linearise import own_part
from calmip.mip.model import Model, inexact, unused_name
from calmip.mip.rows import Bound, Number, is_finite, shortest


def check_dialect(one: Construct, dialect: str) -> None:
    """Refuse a construct that the files of a program cannot say."""
    if dialect == "cplex" and isinstance(one, Extreme):
        raise InputError(
            f"{one}: CPLEX's files cannot say it; write Gurobi's, or leave out the constructs, and "
            "rows say it"
        )
    if dialect != "cplex" and isinstance(one, Equivalence):
        raise InputError(
            f"{one}: Gurobi's files cannot say it; write CPLEX's (--dialect cplex), or leave out "
            "the constructs, and rows say it"
        )


def slopes_of(one: BrokenLine) -> tuple[Number, list[tuple[Number, Number]], Number]:
    """Return the slope before the break points of a function, these, and the slope behind."""
    pairs = [
        Fraction(high - low) / (right - left) for (left, low), (right, high) in pairwise(one.points)
    ]
    inner = list(one.points[1:-1]) or [one.points[0]]
    return shortest(pairs[0]), inner, shortest(pairs[-1])


@singledispatch
def check(one: Construct) -> None:
    """Refuse a construct that neither an LP nor an MPS file can say."""
    raise InputError(f"{one}: a file cannot say it; leave out the constructs, and rows say it")


@check.register
def _check_set(one: OrderedSet) -> None:
    del one


@check.register
def _check_semi(one: SemiContinuous) -> None:
    if one.low < 0:
        raise InputError(
            f"{one}: solvers read one below 0 differently; replace it by its negative, or leave "
            "out the constructs, and rows say it"
        )


@check.register
def _check_indicator(one: Indicator) -> None:
    if one.also:
        raise InputError(
            f"{one}: a file cannot say that several variables switch a row; leave out the "
            "constructs, and rows say it"
        )


@check.register
def _check_equivalence(one: Equivalence) -> None:
    if one.low != one.high and is_finite(one.low) and is_finite(one.high):
        raise InputError(
            f"{one}: a file cannot say that its row has two sides; leave out the constructs, and "
            "rows say it"
        )


@check.register
def _check_extreme(one: Extreme) -> None:
    for terms, constant in one.sums:
        plain = list(terms.values()) == [1] and not constant
        if not one.absolute and not plain and terms:
            raise InputError(
                f"{one}: a file has variables and numbers alone as its arguments; add a variable "
                "for each sum, or leave out the constructs, and rows say it"
            )
        number(constant)


@check.register
def _check_broken_line(one: BrokenLine) -> None:
    for point in one.points:
        for value in point:
            number(value)


def own_form(model: Model, dialect: str) -> Model:
    """Return a model without what linearises its constructs, all of which a file can say.

    Semi-continuous columns have the bounds that are theirs, which may exclude 0.
    """
    constructs = () if model.logic is None else model.logic.constructs
    for one in constructs:
        check(one)
        check_dialect(one, dialect)
    semi = {
        one.column: (one.low, one.high) for one in constructs if isinstance(one, SemiContinuous)
    }
    own = own_part(model)
    every = range(len(own.columns))
    ends: dict[str, list[Bound]] = {}
    for place, name in enumerate(("column_lower", "column_upper")):
        numbers = own.numbers(name, every)
        ends[name] = [semi[c][place] if c in semi else numbers[c] for c in every]
    exact = {key: value for key, value in own.exact.items() if key[0] not in ends}
    for name, some in ends.items():
        exact |= inexact(name, some)
    return own.changed(
        exact=exact, **{name: array("d", map(float, some)) for name, some in ends.items()}
    )


def rows_of(one: Conditional, taken: set[str]) -> Iterator[tuple[str, Bound, Bound]]:
    """Yield the names and bounds of rows that say a construct's: two if it has two bounds.

    A row that always holds has none, unless it is that of an equivalence.
    """
    sides = [(one.low, one.high)]
    if one.low != one.high:
        sides = [(one.low, math.inf), (-math.inf, one.high)]
    for low, high in sides:
        if is_finite(low) or is_finite(high):
            name = unused_name(one.name, taken)
            taken.add(name)
            yield name, low, high
