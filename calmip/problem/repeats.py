"""How long a calendar puzzle gives a new puzzle every day."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from calmip.errors import InputError
from calmip.problem.dates import labels_of_date

__all__ = ["different_puzzles", "new_days"]


def new_days(groups: Mapping[str, Sequence[str]], first: datetime.date) -> int:
    """Return how many days from a first one on have labels that no day of them had before.

    Months and days come again after a year, with weekdays after some years; a
    board of years ends before that.

    Raises
    ------
    InputError
        If the first day has no labels.
    """
    seen = {tuple(labels_of_date(groups, first).values())}
    day = first
    # A Gregorian date falls on its weekday again within 40 years, wherever it begins.
    while len(seen) < 41 * 366:
        try:
            day += datetime.timedelta(1)
            labels = tuple(labels_of_date(groups, day).values())
        except (InputError, OverflowError):
            break
        if labels in seen:
            break
        seen.add(labels)
    return len(seen)


def different_puzzles(groups: Mapping[str, Sequence[str]], days: Sequence[datetime.date]) -> int:
    """Return how many of some days' choices of labels differ.

    Raises
    ------
    InputError
        If a day has no labels.
    """
    return len({tuple(labels_of_date(groups, day).values()) for day in days})
