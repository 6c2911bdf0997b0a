"""Why an instance has no tiling: an irreducible infeasible subsystem (IIS) of its equations.

A set of items is infeasible if no choice of options satisfies the equations of these items.
Other items may be covered twice or not at all. The set is irreducible if every proper subset
is feasible. A deletion filter (Chinneck and Dravnieks 1991,
https://doi.org/10.1287/ijoc.3.2.157) tests each equation once, and drops it if the others still
conflict. The remaining set depends on the order. So several orders around different cells are
tried and the smallest set is kept: a small set, not always the smallest of all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import ENDLESS, MIN_SECONDS, Deadline
from calmip.mip.independent_search import exists
from calmip.mip.lp.linear import Certificate, find_certificate
from calmip.mip.model import Model
from calmip.mip.packed_cover import pack, walk
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.exact_cover.search import Search

__all__ = ["Conflict", "find_conflict", "is_feasible"]

DEFAULT_TRIES = 4
"""The default number of cells around which a conflict is searched for."""

MAX_SEARCH_OPTIONS = 400_000
"""Options that the exact-cover search tries before one-tree, with relaxations, takes over."""


@dataclass(frozen=True)
class Conflict:
    """An infeasible subsystem: items whose equations conflict."""

    rows: tuple[int, ...]
    """The items' numbers in the cover, ascending."""
    irreducible: bool
    """Whether it is proved that the equations are feasible without any one of them. Only the
    time limit can prevent this proof."""
    certificate: Certificate | None
    """Multipliers that prove the conflict where the linear relaxation is infeasible; they may
    involve other items than ``rows``."""


def find_conflict(
    cover: ExactCover, *, tries: int = DEFAULT_TRIES, clock: Deadline = ENDLESS
) -> Conflict | None:
    """Return a small irreducible infeasible set of items, or None if there is a tiling.

    Parameters
    ----------
    cover, clock
        The exact cover, and the time limit, at which the smallest set so far is returned.
    tries
        The number of cells around which to search; more may find a smaller set.

    Raises
    ------
    InputError
        If a number is out of range.
    SolverFailed
        If exact cover and one-tree, both exact, disagree on the set.
    TimeoutError
        If the time limit is reached before it is known whether there is a tiling.
    """
    if tries < 1:
        raise InputError(f"the number of tries is from 1 on, not {tries}")
    filtering = _Filter(cover, clock)
    search = Search(cover, limit=1, clock=clock)
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
    # The exact-cover search alone decides most sets; on the final set one-tree must agree.
    if _Part(cover, best).by_tree(clock):
        raise SolverFailed(f"one-tree meets {len(best)} equations, the exact-cover search does not")
    smaller = find_certificate(cover, best, clock=clock)
    return Conflict(best, irreducible, smaller or certificate)


def is_feasible(cover: ExactCover, rows: Sequence[int], clock: Deadline = ENDLESS) -> bool | None:
    """Return whether some items' equations are feasible together, None if not known in time.

    Both answers are proved: by a verified point, or by a search whose every step is exact.
    """
    part = _Part(cover, rows)
    answer = part.glance()
    return part.by_tree(clock) if answer is None else answer


class _Part:
    """The equations of some items over the distinct options of a cover."""

    def __init__(self, cover: ExactCover, rows: Sequence[int]) -> None:
        kept = frozenset(rows)
        place = {row: number for number, row in enumerate(sorted(kept))}
        self.names = tuple(cover.items[row].name for row in place)
        self.demand = [cover.demand[row] for row in place]
        parts = Counter(map(kept.intersection, cover.covered))
        del parts[frozenset()]
        # Equal options can be chosen only as often as the demands of their items allow.
        for part in [part for part, times in parts.items() if times > 1]:
            parts[part] = min(parts[part], *(cover.demand[row] for row in part))
        self.covered = [[place[row] for row in part] for part in parts.elements()]
        """The items of each option."""

    def glance(self) -> bool | None:
        """Return the answer of the exact-cover search, None if a short search gives none."""
        search = walk(pack(self.covered, self.demand, late=(), size=sum(self.demand)))
        for solution in search.step(1, MAX_SEARCH_OPTIONS):
            met = Counter(item for option in solution for item in self.covered[option])
            return True if met == Counter(dict(enumerate(self.demand))) else None
        return False if search.finished else None

    def by_tree(self, clock: Deadline) -> bool | None:
        """Return the answer of the one-tree search, None if the time limit is reached first."""
        holders: list[list[int]] = [[] for _ in self.demand]
        for option, items in enumerate(self.covered):
            for item in items:
                holders[item].append(option)
        model = Model.from_rows(
            [f"x{number}" for number in range(len(self.covered))],
            [
                (name, dict.fromkeys(options, 1.0), demand, demand)
                for name, options, demand in zip(self.names, holders, self.demand, strict=True)
            ],
        )
        return exists(model, clock, least=MIN_SECONDS)[0]


class _Filter:
    """The deletion filter over the items of one cover."""

    def __init__(self, cover: ExactCover, clock: Deadline) -> None:
        self._cover, self._clock = cover, clock
        self.smallest: tuple[int, ...] = tuple(range(cover.rows))

    def reduce(self, order: Sequence[int], below: int) -> tuple[int, ...] | None:
        """Return an irreducible infeasible set that prefers items early in the order.

        None at the time limit, or as soon as the set cannot have fewer items than ``below``.
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
        """Return the length of the shortest infeasible prefix of an order, by bisection."""
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
    options = [len(row) for row in cover.options_of()]
    place = [cover.instance.puzzle.board.lattice.centre(cell) for cell in cells]

    def distance(centre: int, row: int) -> tuple[float, int]:
        # Rounded, so that equal distances stay equal on every machine.
        return round(math.dist(place[row], place[centre]), 6), row

    for centre in sorted(range(len(cells)), key=lambda row: (options[row], row))[:tries]:
        around = sorted(range(len(cells)), key=partial(distance, centre))
        yield around + others
        yield others + around
    if not cells:
        yield others
