"""Today's puzzle: a tiling of a date, and the number of tilings."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from calmip._base.limits import Limits
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import parse_date
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.results import Pictured
from calmip.puzzle.tiling import Tiling

__all__ = ["Today", "today"]

MAX_TILINGS = 1000
"""The number of tilings from which the tiling of the day is taken."""


@dataclass(frozen=True, repr=False)
class Today(Pictured):
    """A date's puzzle and a tiling of it.

    Parameters
    ----------
    instance
        The puzzle with the date's labels uncovered.
    date
        The date.
    tiling
        A verified tiling, or None.
    tilings
        The number of tilings; None if the time limit was reached.
    """

    KEYS = ("date", "instance", "tilings", "tiling")

    instance: Instance
    date: datetime.date
    tiling: Tiling | None
    tilings: int | None

    @property
    def status(self) -> Status:
        """Feasible, infeasible, or unknown at the time limit."""
        if self.tiling is not None:
            return Status.FEASIBLE
        return Status.UNKNOWN if self.tilings is None else Status.INFEASIBLE

    @property
    def has_picture(self) -> bool:
        """Whether there is something to draw."""
        return self.tiling is not None

    def _summary(self) -> str:
        return f"{self.instance.puzzle.name} on {self.date}"


@of_puzzle
def today(
    puzzle: Puzzle,
    date: datetime.date | str = "today",
    *,
    time_limit: float | None = None,
) -> Today:
    """Show a tiling of a puzzle for today, or for another date, and count its tilings.

    The exact-cover search finds the tiling, so no solver is needed. Each day shows another of
    the first thousand tilings. The command remembers the puzzle: the next time, type only
    calmip today.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    date
        Show this date: today, tomorrow, +3 days, 2024-02-29.
    time_limit
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError
        If the puzzle has no label for the date, or the text is not a date.
    """
    from calmip.puzzle.search.exact_cover.search import Search, count_few

    day = parse_date(date) if isinstance(date, str) else date
    instance = Instance.of_date(puzzle, day, name=day.isoformat())
    cover = ExactCover(instance)
    limits = Limits(time_limit)
    search = Search(cover, limit=MAX_TILINGS, clock=limits.clock)
    found = list(search)
    if not found:
        return Today(instance, day, None, 0 if search.complete else None)
    tiling = Tiling.from_options(cover, found[day.toordinal() % len(found)])
    tilings = len(found) if search.complete else None if limits.clock.over else count_few(cover)
    if tilings is not None:
        return Today(instance, day, tiling, tilings)
    from calmip.puzzle.search.exact_cover.counting import count  # which needs numpy

    try:
        return Today(instance, day, tiling, count(cover, limits))
    except TimeoutError:
        return Today(instance, day, tiling, None)
