"""The fewest labels that must move so that no date has a forbidden choice of cells.

Every date has some labels, and some choices of cells are forbidden. A date whose labels stand on
such cells is violated, so one of its labels must move: a branch for each label and each cell that
it may move to. A label whose cell is taken must move, too. The limit on the number of moved labels
rises from the number of violated dates that share no label, a lower bound, until the search ends
with an arrangement. So fewer do not suffice, without floating-point arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from calmip._base.limits import ENDLESS, Deadline

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Relocation:
    """Labels to move.

    Parameters
    ----------
    moves
        The new cell of every label that moves, by number; None if no such moves are known.
    least
        A proved lower bound on the number of labels to move.
    feasible
        Whether there are such moves; None if it is not known.
    """

    moves: dict[int, int] | None
    least: int
    feasible: bool | None
    blocked: tuple[int, ...] = ()
    """Cells on which any label violates some date, if there are too few free cells for them."""


def fewest_moves(
    labels: int,
    dates: IntArray,
    forbidden: npt.NDArray[np.bool_],
    fixed: Collection[int] = (),
    clock: Deadline = ENDLESS,
) -> Relocation:
    """Return the fewest moves of labels after which no date is violated.

    Parameters
    ----------
    labels
        Their number. Label n stands on cell n at first; cells with greater numbers are free.
    dates
        The labels of each date, in a row.
    forbidden
        Whether each choice of cells is forbidden: an axis for each label of a date, symmetric.
    fixed
        The labels that stay where they are.
    clock
        The time limit, at which the best moves so far and a lower bound are returned.
    """
    search = _Search(labels, dates, forbidden, fixed, clock)
    if search.blocked or not search.allowed.any(axis=1).all():
        return Relocation(None, 0, False, search.blocked)
    known = search.descend()
    most = len(known) if known is not None else labels - len(set(fixed))
    least = 0
    try:
        for least in range(most + (known is None)):
            moves = search.within(least)
            if moves is not None:
                return Relocation(moves, least, True)
        least = most
    except TimeoutError:
        return Relocation(known, least, None if known is None else True)
    return Relocation(known, least, known is not None)


class _Search:
    """The search for moves, with a limit on their number."""

    def __init__(
        self,
        labels: int,
        dates: IntArray,
        forbidden: npt.NDArray[np.bool_],
        fixed: Collection[int],
        clock: Deadline,
    ) -> None:
        self._dates, self._forbidden, self._clock = dates, forbidden, clock
        self.labels, self.cells = labels, len(forbidden)
        self._kept = frozenset(fixed)
        self.allowed = self._allowed()

    def _allowed(self) -> npt.NDArray[np.bool_]:
        """Return whether each label may stand on each cell, by counts of dates and choices.

        The dates of a label have different cells beside its own. So its cell needs as many
        choices that are not forbidden as the label has dates. So do two cells of two labels. A
        cell without such a cell for each other label is removed, until all have one (arc
        consistency).
        """
        degree, size = self._forbidden.ndim, self.cells
        fine = ~self._forbidden
        axes = np.indices(fine.shape, sparse=True)
        for first in range(degree):
            for second in range(first):
                fine &= axes[first] != axes[second]
        # Each set of the other cells is there once in every order.
        pairs = fine.reshape(size, size, -1).sum(axis=2) // math.factorial(degree - 2)
        times = np.zeros((self.labels, self.labels), dtype=np.int64)
        for first, second in permutations(self._dates.T, 2):
            np.add.at(times, (first, second), 1)
        alone = pairs.sum(axis=1) // (degree - 1)
        allowed: npt.NDArray[np.bool_]
        allowed = np.bincount(self._dates.ravel(), minlength=self.labels)[:, None] <= alone
        for label in self._kept:
            allowed[label] &= np.arange(size) == label
        before = -1
        while before != (before := int(allowed.sum())):
            for first, second in np.argwhere(times).tolist():
                support = pairs[:, allowed[second]] >= times[first, second]
                allowed[first] &= support.any(axis=1)
        return allowed

    @property
    def blocked(self) -> tuple[int, ...]:
        """The cells that can have no label, if there are more of them than free cells."""
        bare = tuple(np.flatnonzero(~self.allowed.any(axis=0)).tolist())
        return bare if len(bare) > self.cells - self.labels else ()

    def violated(self, at: IntArray) -> IntArray:
        """Return the labels of the violated dates."""
        found: IntArray = self._dates[self._forbidden[tuple(at[self._dates].T)]]
        return found

    def descend(self) -> dict[int, int] | None:
        """Return moves by the best exchange of two cells, again and again; None if that ends."""
        at = np.arange(self.cells)
        left = len(self.violated(at))
        free = [label for label in range(self.labels) if label not in self._kept]
        while left and not self._clock.over:
            best = left, 0, 0
            for label in free:
                for other in (*free, *range(self.labels, self.cells)):
                    if other > label:
                        at[[label, other]] = at[[other, label]]
                        best = min(best, (len(self.violated(at)), label, other))
                        at[[label, other]] = at[[other, label]]
            if best[0] == left:
                return None
            left, label, other = best
            at[[label, other]] = at[[other, label]]
        moved = {label: int(at[label]) for label in free if at[label] != label}
        return moved if not left else None

    def within(self, most: int) -> dict[int, int] | None:
        """Return at most ``most`` moves, or None if they do not suffice.

        Raises
        ------
        TimeoutError
            If the time limit is reached.
        """
        at, free = np.arange(self.labels), np.ones(self.labels, dtype=bool)
        free[list(self._kept)] = False
        return self._extend(at, free, {}, frozenset(), most)

    def _extend(
        self,
        at: IntArray,
        free: npt.NDArray[np.bool_],
        moved: dict[int, int],
        displaced: frozenset[int],
        most: int,
    ) -> dict[int, int] | None:
        """Return moves that extend some; ``free`` labels are undecided, ``displaced`` must move."""
        self._clock.check("the fewest moves were not found")
        violated = self.violated(at)
        undecided = free[violated]
        if not undecided.any(axis=1).all():
            return None
        needed = len(moved) + len(displaced)
        if needed + self._bound(violated, undecided, displaced) > most:
            return None
        if displaced:
            branches = [min(displaced)]
        elif not len(violated):
            return moved
        else:
            few = int(undecided.sum(axis=1).argmin())
            branches = violated[few][undecided[few]].tolist()
        free = free.copy()
        taken = set(moved.values())
        for label in branches:
            free[label] = False
            for cell in np.flatnonzero(self.allowed[label]).tolist():
                if cell == label or cell in taken:
                    continue
                others = displaced - {label}
                if cell < self.labels and cell not in moved:
                    if not free[cell]:
                        continue  # a label stays there
                    others |= {cell}
                if len(moved) + 1 + len(others) > most:
                    continue
                now = at.copy()
                now[label] = cell
                found = self._extend(now, free, {**moved, label: cell}, others, most)
                if found is not None:
                    return found
        return None

    def _bound(
        self, violated: IntArray, undecided: npt.NDArray[np.bool_], displaced: frozenset[int]
    ) -> int:
        """Return a number of further labels that must move: violated dates without common ones."""
        used = np.zeros(self.labels, dtype=bool)
        used[list(displaced)] = True
        number = 0
        order = np.argsort(undecided.sum(axis=1), kind="stable")
        violated, undecided = violated[order], undecided[order]
        while True:
            apart = np.flatnonzero(~(used[violated] & undecided).any(axis=1))
            if not len(apart):
                return number
            number += 1
            first = apart[0]
            used[violated[first][undecided[first]]] = True
