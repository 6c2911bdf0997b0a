"""What makes counting shorter than listing: equal columns and independent components."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, repeat
from operator import sub
from typing import Any

from calmip.mip.pool.integer_model import WholeModel
from calmip.mip.rows import Row

Ways = tuple[int, list[int]]
"""The least value of a column, and for each value from there on the ways to get it or less."""

MAX_VALUES = 4_096
"""The most values of a column that stands for several."""


def merged(program: WholeModel) -> tuple[WholeModel, dict[int, Ways]]:
    """Return a program in which one column stands for each set of equal columns, as their sum.

    Columns are equal if they have the same cost and the same coefficient in every row. All
    columns are integer and distinguish solutions.

    Returns
    -------
    tuple
        The program, and for each column that stands for several the number of their points.
    """
    alike: dict[Any, list[int]] = defaultdict(list)
    inside: list[list[tuple[int, int]]] = [[] for _ in program.order]
    for number, (terms, _, _) in enumerate(program.rows):
        for column, a in terms.items():
            inside[column].append((number, a))
    for column, low in enumerate(program.low):
        bounds = (low, program.high[column])
        width = bounds[1] - bounds[0]
        # A column with many values, or none, stands for itself.
        alone = column if not 0 <= width < MAX_VALUES else None
        alike[tuple(inside[column]), program.cost.get(column, 0), alone].append(column)
    groups: list[list[int]] = []
    for same in alike.values():
        group: list[int] = []
        width = 0
        for column in same:
            more: Any = program.high[column] - program.low[column]
            if group and width + more >= MAX_VALUES:
                groups.append(group)
                group, width = [], 0
            group.append(column)
            width += more
        groups.append(group)
    groups.sort()
    ways = {index: _ways(program, group) for index, group in enumerate(groups) if len(group) > 1}
    return _part(program, groups, range(len(program.rows))), ways


def components(
    program: WholeModel, ways: dict[int, Ways]
) -> list[tuple[WholeModel, dict[int, Ways]]]:
    """Return the parts of a program that have no row in common, with their ways."""
    root = list(range(len(program.order)))

    def find(column: int) -> int:
        while root[column] != column:
            root[column] = root[root[column]]
            column = root[column]
        return column

    for terms, _, _ in program.rows:
        first, *others = map(find, terms) if terms else (0,)
        for other in others:
            root[find(other)] = find(first)
    columns: dict[int, list[int]] = defaultdict(list)
    rows: dict[int, list[int]] = defaultdict(list)
    for column in range(len(root)):
        columns[find(column)].append(column)
    for number, (terms, _, _) in enumerate(program.rows):
        rows[find(next(iter(terms), 0))].append(number)
    # Columns without rows are one part: a box.
    loose = [own.pop() for top, own in columns.items() if not rows[top]]
    found = [(own, rows[top]) for top, own in columns.items() if own]
    found += [(loose, [])] if loose else []
    return [
        (
            _part(program, [[column] for column in own], numbers),
            {index: ways[column] for index, column in enumerate(own) if column in ways},
        )
        for own, numbers in found
    ]


def points_of_box(ways: dict[int, Ways], low: Sequence[int], high: Sequence[int]) -> int:
    """Return the number of points of a box, with all ways to get the values of its columns."""
    spans = map(sub, high, low) if low != high else ()
    count: int = math.prod([1 + span for span in spans if span])
    for column, (first, sums) in ways.items():
        bottom, top = low[column], high[column]
        several = sums[top - first] - (sums[bottom - first - 1] if bottom > first else 0)
        count = count // (1 + top - bottom) * several
    return count


def _ways(program: WholeModel, group: Iterable[int]) -> Ways:
    """Return the ways of the sum of some columns."""
    first, counts = 0, [1]
    for column in group:
        low, high = int(program.low[column]), int(program.high[column])
        first += low
        # Each value of the column shifts the counts by one; so windows of them are added.
        sums = [*accumulate(counts), *repeat(sum(counts), high - low)]
        width = high - low + 1
        counts = [
            one - (sums[index - width] if index >= width else 0) for index, one in enumerate(sums)
        ]
    return first, list(accumulate(counts))


def _part(program: WholeModel, groups: Sequence[Sequence[int]], rows: Iterable[int]) -> WholeModel:
    """Return a program with a column for each group of equal ones, and with some of the rows."""
    index = {group[0]: number for number, group in enumerate(groups)}
    low: list[Any] = [sum(program.low[column] for column in group) for group in groups]
    high: list[Any] = [sum(program.high[column] for column in group) for group in groups]
    return replace(
        program,
        order=tuple(program.order[group[0]] for group in groups),
        distinct=len(groups),
        integers=len(groups),
        rows=[
            Row({index[column]: a for column, a in terms.items() if column in index}, lower, upper)
            for terms, lower, upper in (program.rows[number] for number in rows)
        ],
        low=low,
        high=high,
        cost={index[c]: cost for c, cost in program.cost.items() if c in index},
    )
