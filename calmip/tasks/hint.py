"""Hints: whether a position can still be solved, in how many ways, and one piece more.

A position is an instance with some pieces placed. Nothing here needs a solver:
the exact-cover search answers.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from calmip._limits import Limits
from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance
from calmip.problem.status import Status
from calmip.problem.tiling import Tiling
from calmip.tasks._result import Pictured

__all__ = ["Hint", "hint"]

SAMPLE = 20_000
"""So many tilings are looked at for the piece that most of them have in common."""

MOST_SETS = 500
"""So many sets of placed pieces are taken off, one after the other, to revive a position."""


@dataclass(frozen=True, repr=False)
class Hint(Pictured):
    """What a hint says of a position.

    Parameters
    ----------
    instance
        The position: an instance and its placed pieces.
    status
        Feasible if the position can be completed, infeasible if not, unknown
        if the time limit was reached first.
    tilings
        In how many ways, equal pieces not told apart; None if not known.
    piece
        One further piece where some tiling has it, or None if there is none
        to show.
    tilings_left
        How many tilings have that piece there; None if not known.
    blocking
        For a position that cannot be completed, the placed pieces that block
        it: with any one of them taken off, and no other, it can be.
    take_off
        A smallest set of placed pieces to take off, where one does not
        suffice; empty if none was found within a bounded search.
    hopeless
        Whether the instance has no tiling at all, whatever is placed.
    complete
        Whether nothing was left open because of the time limit.
    """

    KEYS = (
        "instance",
        "solvable",
        "tilings",
        "piece",
        "tilings_left",
        "blocking",
        "take_off",
        "hopeless",
        "complete",
    )

    instance: Instance
    status: Status
    tilings: int | None = None
    piece: Placement | None = None
    tilings_left: int | None = None
    blocking: tuple[str, ...] = ()
    take_off: tuple[str, ...] = ()
    hopeless: bool = False
    complete: bool = True

    @property
    def solvable(self) -> bool | None:
        """Whether the position can be completed; None if the time limit was reached first."""
        return {Status.FEASIBLE: True, Status.INFEASIBLE: False}.get(self.status)

    def _summary(self) -> str:
        ways = "" if self.tilings is None else f", {self.tilings:,} tilings"
        return f"{self.instance.name}{ways}"


def hint(instance: Instance, *, time_limit: float | None = None) -> Hint:
    """Check whether a position is solvable, in how many ways, and suggest the next piece.

    The piece is the one that most of the tilings have in common (of a large
    number of tilings, of the first 20,000), so that little is lost by it. If the
    position is not solvable, the pieces that block it are named. A picture shows
    the position with the suggested piece in a heavy outline.

    Parameters
    ----------
    instance
        An instance, with placed pieces or without.
    time_limit
        As for `calmip.solvers.Limits`. What is not known by then is None in the answer.

    Raises
    ------
    InputError
        If the time limit is not a number of seconds above 0.
    """
    limits = Limits(time_limit)
    from calmip.search.exact_cover.search import Search

    cover = ExactCover(instance)
    found: Counter[int] = Counter()
    search = Search(cover, limit=SAMPLE, time_limit=limits.seconds)
    ways = 0
    for ways, options in enumerate(search, start=1):
        if ways == 1:
            Tiling.from_options(cover, options)
        found.update(options)
    if not ways and not search.complete:
        return Hint(instance, Status.UNKNOWN, complete=False)
    if not ways:
        return _dead(instance, limits)
    tilings = ways if search.complete else _count(cover, limits)
    chosen = _next_piece(cover, found)
    if chosen is None:
        return Hint(instance, Status.FEASIBLE, tilings, complete=tilings is not None)
    number, piece = chosen
    if search.complete:
        left: int | None = found[number]
    else:
        left = _count(ExactCover(replace(instance, placed=(*instance.placed, piece))), limits)
    complete = not (tilings is None or left is None) or not limits.clock.over
    return Hint(instance, Status.FEASIBLE, tilings, piece, left, complete=complete)


def _count(cover: ExactCover, limits: Limits) -> int | None:
    from calmip.search.exact_cover.counting import count

    try:
        return count(cover, limits)
    except (TimeoutError, InputError):
        # Out of time, or 2**63 and more: not known.
        return None


def _next_piece(cover: ExactCover, found: Counter[int]) -> tuple[int, Placement] | None:
    """Return the commonest placement among those that are not placed yet, and its number."""
    placed = {one.cells: one.piece for one in cover.instance.placed}
    for number, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0])):
        option = cover.option(number)
        if isinstance(option, Placement) and option.cells not in placed:
            equal = next(
                pieces
                for pieces in cover.instance.puzzle.piece_classes
                if pieces[0].name == option.piece
            )
            name = next(piece.name for piece in equal if piece.name not in placed.values())
            return number, Placement(name, option.cells)
    return None


def _dead(instance: Instance, limits: Limits) -> Hint:
    """Return what to take off a position that cannot be completed."""
    placed = instance.placed
    dead = partial(Hint, instance, Status.INFEASIBLE, 0)
    if not placed:
        return dead(hopeless=True)
    whole = _revived(instance, placed, limits)
    if not whole:
        return dead(hopeless=whole is False, complete=whole is False)
    known = {one.piece: _revived(instance, (one,), limits) for one in placed}
    singles = tuple(name for name, revived in known.items() if revived)
    if singles or None in known.values():
        return dead(blocking=singles, complete=None not in known.values())
    for some in itertools.islice(_sets(placed), MOST_SETS):
        revived = _revived(instance, some, limits)
        if revived is None:
            return dead(complete=False)
        if revived:
            return dead(take_off=tuple(one.piece for one in some))
    return dead()


def _sets(placed: tuple[Placement, ...]) -> Iterator[tuple[Placement, ...]]:
    for size in range(2, len(placed) + 1):
        yield from itertools.combinations(placed, size)


def _revived(instance: Instance, off: tuple[Placement, ...], limits: Limits) -> bool | None:
    """Return whether the position can be completed with some pieces taken off; None: not known."""
    from calmip.search.exact_cover.search import Search

    rest = tuple(one for one in instance.placed if one not in off)
    search = Search(ExactCover(replace(instance, placed=rest)), limit=1, time_limit=limits.seconds)
    if any(True for _ in search):
        return True
    return False if search.complete else None
