"""Hints by the exact-cover search: whether a position can be solved, and the next piece.

A position is an instance with some pieces placed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, join_words
from calmip._base.limits import MIN_SECONDS, Limits
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.search.exact_cover.witnesses import exists
from calmip.puzzle.tasks.interface import of_instance
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tiling import Tiling

if TYPE_CHECKING:
    from calmip.puzzle.search.difficulty import Rating

__all__ = ["Hint", "hint"]

MAX_SAMPLED_TILINGS = 20_000
"""The most tilings that are searched for the most common placement."""

MAX_REMOVED_SETS = 500
"""The most sets of placed pieces whose removal is tried."""


@dataclass(frozen=True, repr=False)
class Hint(Pictured):
    """A hint for a position.

    Parameters
    ----------
    instance
        The position: an instance and its placed pieces.
    status
        Feasible if the position can be completed, infeasible if not, unknown
        if the time limit was reached.
    tilings
        The number of completions, not distinguishing equal pieces; None if unknown.
    piece
        A further piece in its place in some tiling; None if there is none to show.
    tilings_left
        The number of tilings with that piece there; None if not known.
    blocking
        For a position that cannot be completed: each placed piece whose removal alone makes it
        solvable.
    take_off
        A smallest set of placed pieces to take off, where one does not
        suffice; empty if none was found within a bounded search.
    hopeless
        Whether the instance has no tiling at all, whatever is placed.
    complete
        Whether every question was answered within the time limit.
    difficulty
        The difficulty of the position for people; None unless requested.
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
        "difficulty",
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
    difficulty: Rating | None = None

    @property
    def solvable(self) -> bool | None:
        """Whether the position can be completed; None if the time limit was reached."""
        return {Status.FEASIBLE: True, Status.INFEASIBLE: False}.get(self.status)

    def _summary(self) -> str:
        ways = "" if self.tilings is None else f", {self.tilings:,} tilings"
        return f"{self.instance.name}{ways}"


@of_instance
def hint(instance: Instance, *, difficulty: bool = False, time_limit: float | None = None) -> Hint:
    """Check whether a position is solvable, in how many ways, and suggest the next piece.

    The suggested placement is the one that most of the remaining tilings share (at most
    20,000 tilings are compared). If the position is not solvable, the command names the
    pieces that block it. A picture shows the suggested piece in a heavy outline.

    Parameters
    ----------
    instance
        An instance, with placed pieces or without.
    difficulty
        Rate the difficulty for people: the expected number of placements tried until solved.
    time_limit
        As for `calmip.solvers.Limits`. Open questions are None in the answer.

    Raises
    ------
    InputError
        If the time limit is not a number of seconds above 0, or the difficulty of an instance
        with a free group is requested.
    """
    limits = Limits(time_limit)
    if difficulty and instance.free:
        are, its = ("is", "its label") if len(instance.free) == 1 else ("are", "their labels")
        raise InputError(
            f"the difficulty is that of one choice of labels, but {join_words(instance.free)} "
            f"{are} free; give {its} with --reveal or --date"
        )
    found = _answer(instance, limits)
    if not difficulty or found.solvable is None:
        return found
    # A hint alone is faster without the module of the ratings.
    from calmip.puzzle.search.difficulty import rate

    try:
        return replace(found, difficulty=rate(ExactCover(instance), limits.clock))
    except TimeoutError:
        return replace(found, complete=False)


def _answer(instance: Instance, limits: Limits) -> Hint:
    """Return the hint without a rating."""
    from calmip.puzzle.search.exact_cover.search import Search

    cover = ExactCover(instance)
    found: Counter[int] = Counter()
    search = Search(cover, limit=MAX_SAMPLED_TILINGS, clock=limits.clock)
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
    from calmip.puzzle.search.exact_cover.counting import count

    try:
        return count(cover, limits)
    except (TimeoutError, InputError):
        return None  # the time limit, or 2**63 tilings and more


def _next_piece(cover: ExactCover, found: Counter[int]) -> tuple[int, Placement] | None:
    """Return the most common placement that is not placed yet, and its number."""
    placed = {one.cells: one.piece for one in cover.instance.placed}
    for number, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0])):
        option = cover.option(number)
        if isinstance(option, Placement) and option.cells and option.cells not in placed:
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
    all_off = _revives(instance, placed, limits)
    if not all_off:
        return dead(hopeless=all_off is False, complete=all_off is False)
    known = {one.piece: _revives(instance, (one,), limits) for one in placed}
    singles = tuple(name for name, revived in known.items() if revived)
    if singles or None in known.values():
        return dead(blocking=singles, complete=None not in known.values())
    sizes = range(2, len(placed) + 1)
    sets = itertools.chain.from_iterable(itertools.combinations(placed, size) for size in sizes)
    for some in itertools.islice(sets, MAX_REMOVED_SETS):
        revived = _revives(instance, some, limits)
        if revived is None:
            return dead(complete=False)
        if revived:
            return dead(take_off=tuple(one.piece for one in some))
    return dead()


def _revives(instance: Instance, off: tuple[Placement, ...], limits: Limits) -> bool | None:
    """Return whether taking some pieces off makes the position solvable; None if not known."""
    rest = tuple(one for one in instance.placed if one not in off)
    return exists(ExactCover(replace(instance, placed=rest)), limits.clock, least=MIN_SECONDS)[0]
