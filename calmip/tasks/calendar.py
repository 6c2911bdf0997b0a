"""A tiling for every day of a year, made in one go or where an earlier run ended."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calmip.documents.description import describe_tiling
from calmip.errors import InputError
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.tasks._calendar import Calendar, Day, DaySearch, days_of
from calmip.tasks._calendar_file import calendar_json, read_calendar
from calmip.tasks._journal import Journal
from calmip.tasks._resume import tiling_from

__all__ = ["Calendar", "Day", "calendar", "calendar_json", "days_of", "read_calendar"]


def calendar(
    puzzle: Puzzle,
    year: int | None = None,
    *,
    seed: int = 0,
    journal: Path | str | None = None,
    resume: bool = False,
    progress: Callable[[Day], None] = lambda _: None,
) -> Calendar:
    """Return a year of tilings, one per day, each verified.

    Parameters
    ----------
    puzzle
        A puzzle whose labels depend on the date.
    year
        The year; this year unless given.
    seed
        0 takes the first tiling found of each day; any other number draws one
        by lot from the first two hundred. The same seed gives the same year.
    journal
        A file that gets every day as soon as it is made, so that a run that is
        killed can be resumed. It stays: remove it when the calendar is saved.
    resume
        Whether to go on where the journal of the same calendar ends.
    progress
        Called with every day, those of the journal first.

    Raises
    ------
    InputError
        If a number is out of range, the puzzle has no label for a date or pieces of
        another area than the date leaves, or the journal is that of another calendar or
        cannot be read or written.
    """
    if not 0 <= seed < 2**31:
        raise InputError(f"the seed is a whole number from 0 to {2**31 - 1}, not {seed}")
    year = datetime.date.today().year if year is None else year
    dates = days_of(year)
    if not puzzle.groups:
        raise InputError(
            f"{puzzle.name} has no months, days or weekdays, so its tilings know no date"
        )
    for date in dates:
        # Better said before the work than after half of it.
        Instance.of_date(puzzle, date)
    path = None if journal is None else Path(journal)
    search = DaySearch(puzzle, seed=seed)
    days: dict[datetime.date, Day] = {}
    # A calendar without days says the puzzle, the year and the seed.
    head = Calendar(puzzle, year, seed, ()).describe()
    with Journal(path, head, resume=resume, work="puzzle, year or seed") as kept:

        def keep(entry: dict[str, Any]) -> None:
            """Take a day from the journal, its tiling verified."""
            date = datetime.date.fromisoformat(entry["date"])
            if entry["date"] != date.isoformat() or date.year != year or date in days:
                raise ValueError(f"{entry['date']} is a duplicate, or of another year")
            if entry["tiling"] is None:
                # That there is none cannot be seen from the line: it is proved again.
                days[date] = search.day(date)
            else:
                instance = Instance.of_date(puzzle, date, name=date.isoformat())
                days[date] = Day(date, instance, tiling_from(instance, entry["tiling"]))

        for _ in kept.read(keep):
            pass
        for day in days.values():
            progress(day)
        for date in dates:
            if date in days:
                continue
            day = days[date] = search.day(date)
            tiling = None if day.tiling is None else describe_tiling(day.tiling)
            kept.add({"date": date.isoformat(), "tiling": tiling})
            progress(day)
    return Calendar(puzzle, year, seed, tuple(days[date] for date in dates))
