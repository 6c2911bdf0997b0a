"""LP files with constructs as such: indicators, special ordered sets and others, as in Gurobi."""

from __future__ import annotations

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
    own = _with_own_bounds(own_part(model), logic.constructs)
    check_names([one.name for one in logic.constructs if not isinstance(one, SemiContinuous)])
    lines = lp_text(own).splitlines()
    first = next(place for place, line in enumerate(lines) if line in SECTIONS)
    taken, rows, sets, others = set(own.rows), list[str](), list[str](), list[str]()
    for one in logic.constructs:
        if isinstance(one, Indicator):
            rows += _indicator(one, own.columns, taken)
        elif isinstance(one, OrderedSet):
            sets.append(f" {one.words(own.columns)}")
        elif not isinstance(one, SemiContinuous):
            others.append(f" {_general(one, own.columns)}")
    semi = [own.columns[one.column] for one in logic.constructs if isinstance(one, SemiContinuous)]
    tail = [("Semi-continuous", [f" {name}" for name in semi]), ("SOS", sets)]
    tail.append(("General Constraints", others))
    ends = [line for head, some in tail if some for line in (head, *some)]
    return "\n".join([*lines[:first], *rows, *lines[first:-1], *ends, "End"]) + "\n"


def _with_own_bounds(model: Model, constructs: Iterable[Construct]) -> Model:
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


def _indicator(one: Indicator, names: Sequence[str], taken: set[str]) -> Iterator[str]:
    """Yield an indicator constraint: two lines if its row has two bounds."""
    if one.also:
        raise InputError(f"{one}: an LP file cannot say that several variables switch a row")
    sides = [("=", one.low)] if one.low == one.high else [(">=", one.low), ("<=", one.high)]
    for relation, side in sides:
        if is_finite(side):
            name = unused_name(one.name, taken)
            taken.add(name)
            condition = f"{names[one.column]} = {one.value}"
            yield f" {name}: {condition} -> {_sum(one.terms, names)} {relation} {number(side)}"


def _sum(terms: Terms, names: Sequence[str]) -> str:
    found = [
        f"{'-' if value < 0 else '+'} {number(max(value, -value))} {names[column]}"
        for column, value in terms.items()
        if value
    ]
    return " ".join(found) or f"0 {names[0]}"


@singledispatch
def _general(one: Construct, names: Sequence[str]) -> str:
    """Return a general constraint."""
    del names
    raise InputError(f"{one}: an LP file cannot say it; leave out the constructs, and rows say it")


@_general.register
def _extreme(one: Extreme, names: Sequence[str]) -> str:
    for terms, constant in one.sums:
        plain = list(terms.values()) == [1] and not constant
        if not one.absolute and not plain and terms:
            raise InputError(f"{one}: an LP file has variables and numbers alone as its arguments")
        number(constant)
    return one.words(names)


@_general.register
def _broken_line(one: BrokenLine, names: Sequence[str]) -> str:
    for point in one.points:
        for value in point:
            number(value)
    return one.words(names)
