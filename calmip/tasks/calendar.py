"""A tiling for every day of a year, made in one go or where an earlier run ended."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from calmip.documents.description import describe_tiling, json_text
from calmip.errors import InputError
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.tasks._calendar import Calendar, Day, DaySearch, days_of
from calmip.tasks._calendar_file import calendar_json, read_calendar
from calmip.tasks._journal import Journal
from calmip.tasks._resume import tiling_of

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
    # A calendar without days says the puzzle, the year and the seed.
    head = calendar_json(Calendar(puzzle, year, seed, ())).encode()
    with Journal(path, head, resume=resume, other="puzzle, year or seed") as kept:
        days = [] if path is None else list(_kept(search, dates, kept.lines, path))
        for day in days:
            progress(day)
        for date in dates[len(days) :]:
            day = search.day(date)
            days.append(day)
            entry = None if day.tiling is None else describe_tiling(day.tiling)
            kept.add(json_text(entry).encode())
            progress(day)
    return Calendar(puzzle, year, seed, tuple(days))


def _kept(
    search: DaySearch, dates: Sequence[datetime.date], lines: Sequence[bytes], path: Path
) -> Iterator[Day]:
    """Yield the days of an earlier run's journal, each verified."""
    for number, (date, line) in enumerate(zip(dates, lines, strict=False), start=2):
        if line == b"null\n":
            # That there is none cannot be seen from the line: it is proved again.
            yield search.day(date)
        else:
            instance = Instance.of_date(search.puzzle, date, name=date.isoformat())
            yield Day(date, instance, tiling_of(instance, line, path, number))
