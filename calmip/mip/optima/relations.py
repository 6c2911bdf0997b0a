"""Which variables exclude or imply each other in all solutions of a complete pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from calmip.mip.rows import Number

Values = Mapping[int, Number]


@dataclass(frozen=True)
class Relations:
    """Result of `find_relations`, of variables that are 0 in some solutions and 1 in others.

    Parameters
    ----------
    solutions
        The number of solutions.
    counts
        By variable, the number of solutions in which it is 1.
    equal
        Groups of variables that have the same value in each solution. Of each, only the first is
        in the pairs.
    exclusions
        Pairs of variables that are never both 1.
    implications
        Pairs of variables: if the first is 1, so is the second.
    """

    solutions: int
    counts: Mapping[str, int]
    equal: tuple[tuple[str, ...], ...] = ()
    exclusions: tuple[tuple[str, str], ...] = ()
    implications: tuple[tuple[str, str], ...] = ()

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "solutions": self.solutions,
            "counts": dict(self.counts),
            "equal": list(map(list, self.equal)),
            "exclusions": list(map(list, self.exclusions)),
            "implications": list(map(list, self.implications)),
        }

    def __str__(self) -> str:
        """Return a sentence with the numbers."""
        alike = sum(len(group) - 1 for group in self.equal)
        return (
            f"{len(self.counts):,} variables differ in {self.solutions:,} solutions; {alike:,} "
            f"always equal another, {len(self.exclusions):,} pairs exclude each other, "
            f"{len(self.implications):,} imply one another"
        )


def find_relations(names: Sequence[str], points: Sequence[Values]) -> Relations:
    """Return which binary variables exclude or imply each other in all points of a list.

    Parameters
    ----------
    names
        The names of the columns.
    points
        The values by column, without zeros. What is found holds of the model if these are all its
        solutions.
    """
    used: dict[int, int] = {}
    other = set[int]()
    for number, point in enumerate(points):
        for column, value in point.items():
            used[column] = used.get(column, 0) | 1 << number
            if value != 1:
                other.add(column)
    every = (1 << len(points)) - 1
    masks = {c: mask for c, mask in sorted(used.items()) if c not in other and mask != every}
    groups: dict[int, list[str]] = {}
    for column, mask in masks.items():
        groups.setdefault(mask, []).append(names[column])
    exclusions, implications = [], []
    for (one, first), (two, second) in combinations(groups.items(), 2):
        pair = first[0], second[0]
        if not one & two:
            exclusions.append(pair)
        elif one & two == one:
            implications.append(pair)
        elif one & two == two:
            implications.append(pair[::-1])
    return Relations(
        len(points),
        {names[column]: mask.bit_count() for column, mask in masks.items()},
        tuple(tuple(group) for group in groups.values() if len(group) > 1),
        tuple(exclusions),
        tuple(implications),
    )
