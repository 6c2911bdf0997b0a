"""Columns that rows define: the continuous columns of a model that is binary without them.

Other programs write two kinds into binary models: a constant, whose value its bounds or an
equation fix (PuLP's ``__dummy``, Pyomo's ``ONE_VAR_CONSTANT``), and the slack of a row with two
bounds (Gurobi, GLPK). They stay columns of the model. What needs a binary model takes its
projection on the others, and their values follow from the rows.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from calmip.mip.model import Model, inexact
from calmip.mip.rows import Bound, Number, Row, is_finite, shortest


class _Definitions(NamedTuple):
    """The rows, the constants, the equations that alone give some of these, and slacks by row."""

    rows: Sequence[Row[Number]] = ()
    fixed: Mapping[int, Number] = MappingProxyType({})
    defining: Collection[int] = ()
    slacks: Mapping[int, int] = MappingProxyType({})


def definitions(model: Model) -> dict[int, str]:
    """Return each column that the rows define, and the name of its row; empty for its bounds."""
    found = _find(model)
    rows = {column: model.rows[row] for row, column in found.slacks.items()}
    return {**dict.fromkeys(found.fixed, ""), **rows}


def complete(
    model: Model, point: Mapping[int, Number], columns: Collection[int]
) -> dict[int, Number]:
    """Return a point with the values of some columns, as far as the rows define these.

    The value of a column that is not among them, or that no row defines, stays.
    """
    found = _find(model)
    values = dict(point)
    values.update((c, x) for c, x in found.fixed.items() if c in columns)
    for row, column in found.slacks.items():
        if column in columns:
            terms, side, _ = found.rows[row]
            others = sum(v * values.get(c, 0) for c, v in terms.items() if c != column)
            values[column] = shortest(Fraction(cast("Number", side) - others) / terms[column])
    return {column: value for column, value in values.items() if value}


def project(model: Model) -> Model:
    """Return the model without the columns that its rows define, or itself if none are.

    Its solutions are those of the model on the other columns. An equation with a slack has two
    bounds.
    """
    found = _find(model)
    fixed = found.fixed
    if not fixed and not found.slacks:
        return model
    left = found.slacks.values()
    kept = [c for c in range(len(model.columns)) if c not in fixed and c not in left]
    index = {column: number for number, column in enumerate(kept)}
    parts: list[Row[Number]] = []
    names = []
    for number, row in enumerate(found.rows):
        if number in found.defining:
            continue
        low, high = row.bounds.plus(-sum(v * fixed[c] for c, v in row.terms.items() if c in fixed))
        if number in found.slacks:
            column = found.slacks[number]
            least, most = model.bounds(column).times(-row.terms[column])
            low, high = low + least, high + most
        names.append(model.rows[number])
        parts.append(Row({index[c]: v for c, v in row.terms.items() if c in index}, low, high))
    sign = -1 if model.maximise else 1
    constant = sum(cost * fixed[c] for c, cost in model.costs.items() if c in fixed)
    numbers: dict[str, Sequence[Bound]] = {
        "value": [value for terms, _, _ in parts for value in terms.values()],
        "lower": [low for _, low, _ in parts],
        "upper": [high for *_, high in parts],
        "cost": [model.costs.get(column, 0) for column in kept],
        "column_lower": model.numbers("column_lower", kept),
        "column_upper": model.numbers("column_upper", kept),
        "offset": [model.constant + sign * constant],
    }
    integer = model.values("integer")
    arrays: dict[str, Any] = {
        name: array("d", map(float, some)) for name, some in numbers.items() if name != "offset"
    }
    return model.changed(
        columns=tuple(model.columns[column] for column in kept),
        rows=tuple(names),
        start=array("i", accumulate((len(terms) for terms, _, _ in parts), initial=0)),
        index=array("i", (column for terms, _, _ in parts for column in terms)),
        integer=array("b", [integer[column] for column in kept]),
        offset=float(numbers["offset"][0]),
        exact={key: v for name, some in numbers.items() for key, v in inexact(name, some).items()},
        **arrays,
    )


def _find(model: Model) -> _Definitions:
    """Return the definitions if the model is binary but for columns that have one, else none."""
    integer = model.values("integer")
    sides = zip(integer, model.values("column_lower"), model.values("column_upper"), strict=True)
    binary = all(low > -1 and high < 2 for is_integer, low, high in sides if is_integer)
    if all(integer) or not any(integer) or not binary or model.logic is not None:
        return _Definitions()
    every = model.exact_rows()
    rows = [Row({c: v for c, v in terms.items() if v}, low, high) for terms, low, high in every]
    rows_of: dict[int, list[int]] = {
        c: [] for c, is_integer in enumerate(integer) if not is_integer
    }
    for row, (terms, _, _) in enumerate(rows):
        for column in terms.keys() & rows_of.keys():
            rows_of[column].append(row)
    fixed, defining = _constants(model, rows, rows_of)
    slacks: dict[int, int] = {}
    for column, own in rows_of.items():
        if column in fixed:
            continue
        row = own[0] if len(own) == 1 else -1
        alone = row >= 0 and row not in slacks and not model.costs.get(column)
        low, high = model.bounds(column)
        if not alone or rows[row][1] != rows[row][2] or low > high:
            return _Definitions()
        slacks[row] = column
    return _Definitions(rows, fixed, defining, slacks)


def _constants(
    model: Model, rows: Sequence[Row[Number]], rows_of: Mapping[int, list[int]]
) -> tuple[dict[int, Number], set[int]]:
    """Return the columns with one value, and the equations that alone give it."""
    fixed: dict[int, Number] = {}
    defining: set[int] = set()
    for column, own in rows_of.items():
        low, high = model.bounds(column)
        alone = (row for row in own if len(rows[row][0]) == 1 and rows[row][1] == rows[row][2])
        if low == high and is_finite(low):
            fixed[column] = low
        elif (row := next(alone, -1)) >= 0:
            value = shortest(Fraction(cast("Number", rows[row][1])) / rows[row][0][column])
            if low <= value <= high:
                fixed[column] = value
                defining.add(row)
    return fixed, defining
