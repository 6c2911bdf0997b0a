"""The smallest repair of a point: the feasible point with the least sum of absolute changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from calmip._base.errors import SolverFailed, clip
from calmip._base.limits import ENDLESS, Deadline
from calmip.mip.display import describe_number, tell
from calmip.mip.iis.least_change import minimise
from calmip.mip.lp.exact_lp import exact_model
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, shortest

MAX_LISTED = 20
"""The most changes in the text."""

Values = Mapping[int, Number]


@dataclass(frozen=True)
class Nearest:
    """Result of `find_nearest`.

    Parameters
    ----------
    model
        The model.
    changes
        By column, the value that was given and the one that is feasible.
    point
        The feasible point, without zeros.
    amount
        The sum of the absolute changes.
    proved
        Whether it is proved that no feasible point is nearer.
    """

    model: Model = field(repr=False)
    changes: Mapping[int, tuple[Number, Number]]
    point: Values = field(repr=False)
    amount: Number
    proved: bool

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "amount": describe_number(self.amount),
            "proved": self.proved,
            "changes": [
                {
                    "variable": self.model.columns[column],
                    "from": describe_number(old),
                    "to": describe_number(new),
                }
                for column, (old, new) in self.changes.items()
            ],
        }

    def __str__(self) -> str:
        """Return a sentence with the changes."""
        if not self.changes:
            return "the point is feasible"
        names = self.model.columns
        parts = [
            f"{clip(names[column], 60)} from {tell(old)} to {tell(new)}"
            for column, (old, new) in list(self.changes.items())[:MAX_LISTED]
        ]
        more = len(self.changes) - MAX_LISTED
        text = ", ".join(parts) + (f" and {more} more" if more > 0 else "")
        how = "proved to be the least" if self.proved else "perhaps not the least"
        return f"nearest feasible point: change {text} (sum of changes {tell(self.amount)}, {how})"


def find_nearest(model: Model, point: Values, *, clock: Deadline = ENDLESS) -> Nearest | None:
    """Return the feasible point with the least sum of absolute changes from another point.

    Parameters
    ----------
    model
        The model.
    point
        The exact values by column, 0 where none is given.
    clock
        The time limit; without one, ten seconds.

    Returns
    -------
    Nearest or None
        None if there is no feasible point, or if none was found in time.
    """
    bounds: list[tuple[Bound, Bound]] = list(model.column_bounds)
    integer = list(map(bool, model.values("integer")))
    rows: list[tuple[str, Mapping[int, Number], Bound, Bound]] = [
        ("", row.terms, *row.bounds) for row in model.exact_rows()
    ]
    costs: dict[int, Number] = {}
    width = len(model.own_columns)
    for column, (low, high) in enumerate(model.column_bounds[:width]):
        value = point.get(column, 0)
        if value <= low:
            costs[column] = 1
        elif value >= high:
            costs[column] = -1
        else:  # a further column is at least the change in both directions
            change = len(bounds)
            bounds.append((0, max(high - value, value - low)))
            integer.append(integer[column] and value.denominator == 1)
            rows += [
                ("", {column: 1, change: -1}, -math.inf, value),
                ("", {column: 1, change: 1}, value, math.inf),
            ]
            costs[change] = 1
    names = [f"x{column}" for column in range(len(bounds))]
    found = minimise(exact_model(names, bounds, integer, rows, costs), clock)
    if found is None:
        return None
    every = {column: x for column, x in found[0].items() if column < len(model.columns)}
    if model.violated(every, clock) is not None:
        raise SolverFailed("the nearest feasible point is not feasible; report this")
    near = {column: x for column, x in sorted(model.own(every).items()) if x}
    changes = {
        column: (shortest(point.get(column, 0)), shortest(near.get(column, 0)))
        for column in range(width)
        if point.get(column, 0) != near.get(column, 0)
    }
    amount = sum((abs(Fraction(new) - old) for old, new in changes.values()), Fraction(0))
    return Nearest(model, changes, near, shortest(amount), found[1])
