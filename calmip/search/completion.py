"""Binary points of one model that no further values complete to solutions of another, as one MIP.

A point cannot be completed if some multipliers of the rows prove it (Farkas 1902). The products of
multipliers and binary columns are linearised (McCormick 1976,
https://doi.org/10.1007/BF01580665), so points and multipliers are sought together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from calmip.problem.model import Bound, Model, Number
from calmip.search.half_space import HalfSpace
from calmip.search.members import exact_model
from calmip.search.projection import Projected, ProjectedRow

__all__ = ["MOST_PRODUCTS", "uncompleted"]

MOST_PRODUCTS = 20_000
"""The most products of a multiplier and a column."""


def uncompleted(
    one: Model, other: Model, projected: Projected, columns: Mapping[int, int]
) -> tuple[Model, HalfSpace] | None:
    """Return a model whose points above 0 in an inequality are solutions that cannot be completed.

    Its first columns are those of the one model; the others are multipliers and products.

    Parameters
    ----------
    one
        The model whose solutions are to be completed; its shared columns are binary.
    other
        The model that has further columns, which are continuous.
    projected
        The rows of the other model, and the further columns that are left in them.
    columns
        The column of the one model by the shared column of the other.

    Returns
    -------
    :
        None if a column has another type, or there are too many products.
    """
    whole = other.values("integer")
    if any(whole[column] for column in projected.left):
        return None
    sides = list(_sides(other, projected))
    shared = {c for terms, _ in sides for c in terms if c not in projected.left}
    if not all(_binary(one, columns[c]) for c in shared):
        return None
    if sum(c not in projected.left for terms, _ in sides for c in terms) > MOST_PRODUCTS:
        return None
    width = len(one.columns)
    rows: list[tuple[str, Mapping[int, Number], Bound, Bound]] = [
        (name, *one.exact_row(number)) for number, name in enumerate(one.rows)
    ]
    balance: dict[int, dict[int, Number]] = {column: {} for column in projected.left}
    excess: dict[int, Number] = {}
    last = width + len(sides)
    for number, (terms, side) in enumerate(sides):
        multiplier = width + number
        if side:
            excess[multiplier] = -side
        for column, value in terms.items():
            if column in projected.left:
                balance[column][multiplier] = value
                continue
            binary, product, last = columns[column], last, last + 1
            excess[product] = value
            rows += [
                ("product", {product: 1, multiplier: -1}, -math.inf, 0),
                ("product", {product: 1, binary: -1}, -math.inf, 0),
                ("product", {product: 1, multiplier: -1, binary: -1}, -1, math.inf),
            ]
    rows += [("balance", terms, 0, 0) for terms in balance.values() if terms]
    more = last - width
    made = exact_model(
        [*one.columns, *(f" {number}" for number in range(more))],
        [*(one.bounds(column) for column in range(width)), *[(0, 1)] * more],
        [*map(bool, one.values("integer")), *[False] * more],
        rows,
    )
    return made, HalfSpace(excess, 0, 0, whole=False)


def _binary(model: Model, column: int) -> bool:
    low, high = model.bounds(column)
    return bool(model.values("integer")[column]) and low >= 0 and high <= 1


def _sides(other: Model, projected: Projected) -> Iterator[tuple[dict[int, Number], Number]]:
    """Yield the sides ``terms @ x <= side`` of rows and bounds with further columns."""
    rows = [row for row in projected.rows if row.terms.keys() & projected.left]
    for column in sorted(projected.left):
        low, high = other.bounds(column)
        rows.append(ProjectedRow({column: 1}, low, high, ()))
    for row in rows:
        ends: tuple[tuple[int, Bound], ...] = ((-1, row.low), (1, row.high))
        for sign, end in ends:
            if not isinstance(end, float):
                yield {c: sign * value for c, value in row.terms.items()}, sign * end
