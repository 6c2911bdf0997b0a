"""A tiling for every day of a year: what one prints, or ships with a web page.

Every day is solved by itself from the puzzle, its date and the seed, so that a
part of a year can be made anew and is the same.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmip.errors import InputError
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling

__all__ = ["CHOICE", "Calendar", "Day", "day_of", "days_of", "make_calendar"]

CHOICE = 200
"""A tiling is drawn by lot from so many, or from all if there are fewer."""


@dataclass(frozen=True)
class Day:
    """One day of a calendar.

    Parameters
    ----------
    date
        The date.
    instance
        What is solved on that day.
    tiling
        A verified tiling, or None where it is proved that there is none.
    """

    date: datetime.date
    instance: Instance
    tiling: Tiling | None


@dataclass(frozen=True)
class Calendar:
    """A year of tilings.

    Parameters
    ----------
    puzzle
        The puzzle.
    year
        The year.
    seed
        The seed by which tilings were chosen.
    days
        One entry per day, in order.
    """

    puzzle: Puzzle
    year: int
    seed: int
    days: tuple[Day, ...]


def days_of(year: int) -> list[datetime.date]:
    """Return the dates of a year.

    Raises
    ------
    InputError
        If the year is not from 1 to 9999.
    """
    if not 1 <= year <= 9999:
        raise InputError(f"the year is a number from 1 to 9999, not {year}")
    first = datetime.date(year, 1, 1).toordinal()
    last = datetime.date(year, 12, 31).toordinal()
    return [datetime.date.fromordinal(number) for number in range(first, last + 1)]


def day_of(puzzle: Puzzle, date: datetime.date, *, seed: int = 0) -> Day:
    """Return a day with one of its tilings, the same for the same seed.

    Parameters
    ----------
    puzzle
        The puzzle.
    date
        The date.
    seed
        0 takes the first tiling found; any other number draws one by lot from
        the first two hundred.

    Raises
    ------
    InputError
        If the puzzle has no label for the date.
    """
    from calmip.search.exact_cover import Search

    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    cover = ExactCover(instance)
    found = list(Search(cover, limit=CHOICE if seed else 1))
    if not found:
        return Day(date, instance, None)
    lot = int.from_bytes(hashlib.sha256(f"{seed} {date.isoformat()}".encode()).digest()[:8], "big")
    return Day(date, instance, Tiling.from_options(cover, found[lot % len(found)]))


def make_calendar(
    puzzle: Puzzle,
    year: int,
    *,
    seed: int = 0,
    known: Sequence[Day] = (),
    progress: Callable[[Day], None] | None = None,
) -> Calendar:
    """Return a year of tilings, one per day.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    year
        The year.
    seed
        See `day_of`.
    known
        The first days of the year, which an earlier run has made.
    progress
        Called with each further day.

    Raises
    ------
    InputError
        If a number is out of range, or the puzzle has no label for a date.
    """
    if not 0 <= seed < 2**31:
        raise InputError(f"the seed is a whole number from 0 to {2**31 - 1}, not {seed}")
    dates = days_of(year)
    if not puzzle.groups:
        raise InputError(
            f"{puzzle.name} has no months, days or weekdays, so its tilings know no date"
        )
    days = list(known)
    for date in dates[len(days) :]:
        days.append(day_of(puzzle, date, seed=seed))
        if progress is not None:
            progress(days[-1])
    return Calendar(puzzle, year, seed, tuple(days))
