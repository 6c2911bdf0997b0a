"""The best solutions of a search, and the cutoff that follows from them."""

from __future__ import annotations

import math
from bisect import insort
from fractions import Fraction

from calmip.mip.pool.settings import OPTIMUM, TreeSettings
from calmip.mip.rows import Bound, Number, is_finite

Found = tuple[Number, tuple[Number, ...]]
"""A sum of costs and a value for each column, as a program numbers them."""


class Incumbent:
    """The best objective so far, the solutions that are kept, and the cutoff.

    Parameters
    ----------
    settings
        The settings of the search.
    found
        The solutions that are kept, by the values that distinguish them.
    ceiling
        The cutoff, infinite for none; None if the optimum is not known yet.
    optimum
        The best sum of costs that is known.
    """

    def __init__(
        self,
        settings: TreeSettings,
        found: dict[tuple[int, ...], Found],
        ceiling: Bound | None,
        optimum: Number | None,
    ) -> None:
        self._objective_is_integral = settings.program.objective_is_integral
        self.fixed = ceiling is not None
        self.goal = settings.goal
        if not (self.fixed or self.goal.plain or self.goal.best == 1):
            self.goal = OPTIMUM  # which must be known before other solutions are searched
        self.found, self.optimum = found, optimum
        self.cutoff: Fraction | None = None
        if ceiling is not None and is_finite(ceiling):
            self.cutoff = Fraction(ceiling)
        self.excludes_cutoff = False
        """Whether the cutoff itself is excluded."""
        self.within: Number | None = None
        """The value that the best completion of the current pattern must improve on."""
        self.values: list[Number] = []
        """The best objectives of the pool, ascending: as many as wanted, and one for a tie."""
        self._capacity = (self.goal.best or 0) + self.goal.ties
        if self.goal.best is not None:
            self.values = sorted(value for value, _ in found.values())[: self._capacity]
            self._lower_to_last()
        if optimum is not None and not self.fixed and not self.goal.plain:
            self.begin_at(optimum)  # of an earlier run

    @property
    def limit(self) -> tuple[Fraction | None, bool]:
        """The cutoff at the current node, and whether it is excluded."""
        limit, excluded, within = self.cutoff, self.excludes_cutoff, self.within
        if within is not None and (limit is None or within <= limit):
            limit, excluded = Fraction(within), True
        if limit is not None and self._objective_is_integral:
            integral = math.ceil(limit) - 1 if excluded else math.floor(limit)
            return Fraction(integral), False
        return limit, excluded

    def beyond(self, value: Number) -> bool:
        """Return whether a value is worse than the cutoff."""
        limit, excluded = self.limit
        return limit is not None and (value > limit or (excluded and value == limit))

    def begin_at(self, value: Number) -> None:
        """Begin with the value of a feasible point that is not in the pool."""
        self._lower_optimum(value)
        if self.goal.best == 1 and (self.cutoff is None or value < self.cutoff):
            self.cutoff, self.excludes_cutoff = Fraction(value), False

    def add(self, value: Number) -> None:
        """Take notice of a solution of the pool."""
        self._lower_optimum(value)
        if self.goal.best is not None:
            insort(self.values, value)
            del self.values[self._capacity :]
            self._lower_to_last()

    @property
    def tied(self) -> bool:
        """Whether another solution is as good as the last of so many best ones."""
        best = self.goal.best
        known = best is not None and len(self.values) > best
        return known and self.values[-1] == self.values[-2]

    def __getstate__(self) -> dict[str, object]:
        """Return what another process needs: of the best, none may count twice."""
        last, known = self.cutoff, {}
        if self.goal.best is not None:
            pairs = self.found.items()
            known = {key: one for key, one in pairs if last is None or one[0] <= last}
        return {**vars(self), "found": known}

    def _lower_optimum(self, value: Number) -> None:
        if self.optimum is None or value < self.optimum:
            self.optimum = value

    def _lower_to_last(self) -> None:
        """Exclude what is worse than the last of so many best solutions.

        What equals it is excluded, too, once a tie is known or plays no part.
        """
        best = self.goal.best
        if best is not None and len(self.values) >= best:
            last = Fraction(self.values[best - 1])
            if self.cutoff is None or last <= self.cutoff:
                self.cutoff, self.excludes_cutoff = last, self._capacity == best or self.tied
