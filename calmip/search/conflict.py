"""Why an instance has no tiling: equations that already conflict, none of them idle.

A set of items is infeasible when no choice of options meets just these items'
equations, whatever happens to the other items: those may be covered twice or
not at all. It is irreducible when every smaller set can be met. Such sets are
found by a deletion filter (Chinneck and Dravnieks 1991,
https://doi.org/10.1287/ijoc.3.2.157): leave out one equation after the other,
and for good where the rest still conflicts. Which set remains depends on the
order, so several orders around different cells are tried and the smallest set
is kept. That is a small one, not always the smallest of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calmip._limits import ENDLESS, LEAST, Deadline
from calmip.errors import InputError, SolverFailed
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.lattice import Cell
from calmip.search.exact_cover.search import Search
from calmip.search.linear import Certificate, find_certificate
from calmip.search.witnesses import exists

__all__ = ["Conflict", "find_conflict", "is_feasible"]

TRIES = 4
"""Around so many cells a conflict is looked for, unless told otherwise."""

LOOK = 400_000
"""Options that the exact-cover search looks at before one-tree, which has relaxations, is asked."""


@dataclass(frozen=True)
class Conflict:
    """Items whose equations conflict.

    Parameters
    ----------
    rows
        The items' numbers in the cover, ascending.
    irreducible
        Whether it was shown that each item is needed: the others' equations
        can be met without it. Only the time limit can prevent that.
    certificate
        Multipliers that prove the conflict by linear programming, where the
        relaxation is infeasible already, or None. They may involve other
        items than ``rows``.
    """

    rows: tuple[int, ...]
    irreducible: bool
    certificate: Certificate | None


def find_conflict(
    cover: ExactCover, *, tries: int = TRIES, clock: Deadline = ENDLESS
) -> Conflict | None:
    """Return a small irreducible set of items that conflict, or None if there is a tiling.

    Parameters
    ----------
    cover
        The exact cover.
    tries
        The number of cells around which to look; more may find a smaller set.
    clock
        When the time is over, the smallest set so far is returned, perhaps one that is
        not irreducible.

    Raises
    ------
    InputError
        If a number is out of range.
    SolverFailed
        If exact cover and one-tree, both exact, disagree on the set.
    TimeoutError
        If the time is over before it is known whether there is a tiling.
    """
    if tries < 1:
        raise InputError(f"the number of tries is from 1 on, not {tries}")
    filtering = _Filter(cover, clock)
    search = Search(cover, limit=1, time_limit=clock.left())
    if any(True for _ in search):
        return None
    if not search.complete:
        raise TimeoutError(f"whether there is a tiling was not known within {clock.seconds:g} s")
    certificate = find_certificate(cover, clock=clock)
    best, irreducible = tuple(range(cover.rows)), False
    for order in _orders(cover, certificate, tries):
        found = filtering.reduce(order, len(best) if irreducible else cover.rows + 1)
        if found is not None:  # and with fewer items than the best
            best, irreducible = found, True
        if clock.over or len(best) == 1:
            break
    if not irreducible:
        best = min(filtering.smallest, best, key=len)
    # Most verdicts are the exact-cover search's own; on what is named one-tree has to agree.
    if _Part(cover, best).by_tree(clock):
        raise SolverFailed(
            f"one-tree meets {len(best)} equations that the exact-cover search cannot"
        )
    smaller = find_certificate(cover, best, clock=clock)
    return Conflict(best, irreducible, smaller or certificate)


def is_feasible(cover: ExactCover, rows: Sequence[int], clock: Deadline = ENDLESS) -> bool | None:
    """Return whether some items' equations can be met together, whatever the others get.

    Both answers are proved: by a point that was checked, or by a search whose
    every step is exact.

    Parameters
    ----------
    cover
        The exact cover.
    rows
        The items' numbers.
    clock
        When to give up.

    Returns
    -------
    bool or None
        None if the time was over first.
    """
    part = _Part(cover, rows)
    answer = part.glance()
    return part.by_tree(clock) if answer is None else answer


class _Part:
    """The equations of some items over the options of a cover, without options that repeat."""

    def __init__(self, cover: ExactCover, rows: Sequence[int]) -> None:
        kept = sorted(set(rows))
        self.names = tuple(cover.items[row].name for row in kept)
        self.demand = np.array([cover.demand[row] for row in kept], dtype=np.int64)
        covered = np.ascontiguousarray(cover.matrix[kept].T)
        covered = covered[covered.any(axis=1)]
        bits = np.packbits(covered, axis=1)
        keys = bits.view(f"V{max(bits.shape[1], 1)}").ravel()
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        covered = covered[first]
        # Equal options can be chosen only as often as their items want to be covered.
        most = np.where(covered, self.demand, cover.columns).min(axis=1, initial=cover.columns)
        self.covered = np.repeat(covered, np.minimum(times, most), axis=0)
        """By option and item: whether the one covers the other."""

    def glance(self) -> bool | None:
        """Return what the exact-cover search says, None if a short look is not enough."""
        from calmip.search.exact_cover.search import walk
        from calmip.search.exact_cover.words import pack

        demand = self.demand.tolist()
        covered = [np.flatnonzero(row).tolist() for row in self.covered]
        search = walk(pack(covered, demand, late=(), size=sum(demand)))
        for row in search.step(1, LOOK):
            return bool((self.covered[row].sum(axis=0) == self.demand).all())
        return False if search.finished else None

    def by_tree(self, clock: Deadline) -> bool | None:
        """Return what the one-tree search says, None if the time was over first."""
        start, index = _sparse(self.covered.T)
        right = self.demand.astype(np.float64)
        model = BinaryModel(
            columns=tuple(f"x{number}" for number in range(len(self.covered))),
            rows=self.names,
            start=start,
            index=index,
            value=np.ones(len(index)),
            lower=right,
            upper=right,
            cost=np.zeros(len(self.covered)),
        )
        return exists(model, clock, least=LEAST)[0]


def _sparse(table: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return where each row of a 0/1 table begins, and the places of its ones."""
    start = np.cumsum([0, *table.sum(axis=1, dtype=np.int32)])
    return start.astype(np.int32), np.nonzero(table)[1].astype(np.int32)


class _Filter:
    """The deletion filter over the items of one cover."""

    def __init__(self, cover: ExactCover, clock: Deadline) -> None:
        self._cover = cover
        self._clock = clock
        self.smallest: tuple[int, ...] = tuple(range(cover.rows))

    def reduce(self, order: Sequence[int], below: int) -> tuple[int, ...] | None:
        """Return an irreducible infeasible set that prefers items early in the order.

        Returns None when the time is over, or as soon as the set is sure to
        have no fewer items than ``below``.
        """
        kept = list(order[: self._shortest(order)])
        needed: set[int] = set()
        for row in reversed(kept.copy()):
            rest = [other for other in kept if other != row]
            feasible = is_feasible(self._cover, rest, self._clock) if rest else True
            if feasible is None:
                return None
            if feasible:
                needed.add(row)
                if len(needed) >= below:
                    return None
            else:
                kept = rest
                self._note(kept)
        return tuple(sorted(kept))

    def _shortest(self, order: Sequence[int]) -> int:
        """Return how long the shortest beginning of an order is that conflicts, by bisection."""
        low, high = 1, len(order)
        while low < high:
            middle = (low + high) // 2
            if is_feasible(self._cover, order[:middle], self._clock) is False:
                high = middle
                self._note(order[:middle])
            else:
                low = middle + 1
        return high

    def _note(self, rows: Sequence[int]) -> None:
        if len(rows) < len(self.smallest):
            self.smallest = tuple(sorted(rows))


def _orders(cover: ExactCover, certificate: Certificate | None, tries: int) -> Iterator[list[int]]:
    """Yield orders of the items: those of a certificate first, or cells near a cell first."""
    everything = range(cover.rows)
    if certificate is not None:
        used = set(certificate.rows)
        yield sorted(everything, key=lambda row: row not in used)
    cells = cover.instance.to_cover
    others = list(range(len(cells), cover.rows))
    options = np.bincount(cover.index, minlength=cover.rows).tolist()
    near = _distance(cover)
    for centre in sorted(range(len(cells)), key=lambda row: (options[row], row))[:tries]:
        around = sorted(range(len(cells)), key=lambda row: (near(cells[row], cells[centre]), row))
        yield around + others
        yield others + around
    if not cells:
        yield others


def _distance(cover: ExactCover) -> Callable[[Cell, Cell], float]:
    centre = cover.instance.puzzle.board.lattice.centre
    # Rounded, so that equal distances are equal on every machine.
    return lambda a, b: round(math.dist(centre(a), centre(b)), 6)
