"""LP files with constructs as such: indicators, special ordered sets and others, as in Gurobi."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch

from calmip._base.errors import InputError
from calmip.mip.constructs import (
    BrokenLine,
    Construct,
    Extreme,
    Indicator,
    OrderedSet,
    SemiContinuous,
    Terms,
)
from calmip.mip.files.lp import check_names, lp_text
from calmip.mip.files.mps import number
from calmip.mip.linearise import own_part
from calmip.mip.model import Model, inexact, unused_name
from calmip.mip.rows import Bound, is_finite

SECTIONS = ("Bounds", "Generals", "Binaries", "End")
"""What may follow the rows."""


def lp_text_of_constructs(model: Model) -> str:
    """Return the model as the text of an LP file in which its constructs are such, and no rows.

    Raises
    ------
    InputError
        If an LP file cannot say one of them, or a number is not decimal.
    """
    logic = model.logic
    if logic is None:
        return lp_text(model)
    own = with_own_bounds(own_part(model), logic.constructs)
    check_names([one.name for one in logic.constructs if not isinstance(one, SemiContinuous)])
    lines = lp_text(own).splitlines()
    first = next(place for place, line in enumerate(lines) if line in SECTIONS)
    taken, rows, sets, others = set(own.rows), list[str](), list[str](), list[str]()
    for one in logic.constructs:
        check(one)
        if isinstance(one, Indicator):
            rows += _indicator(one, own.columns, taken)
        elif isinstance(one, OrderedSet):
            sets.append(f" {one.words(own.columns)}")
        elif not isinstance(one, SemiContinuous):
            others.append(f" {one.words(own.columns)}")
    semi = [own.columns[one.column] for one in logic.constructs if isinstance(one, SemiContinuous)]
    tail = [("Semi-continuous", [f" {name}" for name in semi]), ("SOS", sets)]
    tail.append(("General Constraints", others))
    ends = [line for head, some in tail if some for line in (head, *some)]
    return "\n".join([*lines[:first], *rows, *lines[first:-1], *ends, "End"]) + "\n"


def with_own_bounds(model: Model, constructs: Iterable[Construct]) -> Model:
    """Return the model with the bounds of semi-continuous columns, which exclude 0."""
    semi = {one.column: one for one in constructs if isinstance(one, SemiContinuous)}
    every = range(len(model.columns))
    ends: dict[str, list[Bound]] = {}
    for place, name in enumerate(("column_lower", "column_upper")):
        numbers = model.numbers(name, every)
        pairs = {column: (one.low, one.high) for column, one in semi.items()}
        ends[name] = [pairs[c][place] if c in pairs else numbers[c] for c in every]
    exact = {key: value for key, value in model.exact.items() if key[0] not in ends}
    for name, some in ends.items():
        exact |= inexact(name, some)
    return model.changed(
        exact=exact, **{name: array("d", map(float, some)) for name, some in ends.items()}
    )


def rows_of(one: Indicator, taken: set[str]) -> Iterator[tuple[str, Bound, Bound]]:
    """Yield the names and bounds of rows that say an indicator's: two if it has two bounds."""
    sides = [(one.low, one.high)]
    if one.low != one.high:
        sides = [(one.low, math.inf), (-math.inf, one.high)]
    for low, high in sides:
        if is_finite(low) or is_finite(high):
            name = unused_name(one.name, taken)
            taken.add(name)
            yield name, low, high


def _indicator(one: Indicator, names: Sequence[str], taken: set[str]) -> Iterator[str]:
    """Yield the lines of an indicator constraint."""
    for name, low, high in rows_of(one, taken):
        relation = "=" if low == high else ">=" if is_finite(low) else "<="
        side = number(low if is_finite(low) else high)
        condition = f"{names[one.column]} = {one.value}"
        yield f" {name}: {condition} -> {_sum(one.terms, names)} {relation} {side}"


def _sum(terms: Terms, names: Sequence[str]) -> str:
    found = [
        f"{'-' if value < 0 else '+'} {number(max(value, -value))} {names[column]}"
        for column, value in terms.items()
        if value
    ]
    return " ".join(found) or f"0 {names[0]}"


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
