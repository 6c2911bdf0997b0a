"""The year of a puzzle in a few sentences: the totals and the extremes."""

from __future__ import annotations

import datetime
import statistics

from calmip.errors import InputError, listed
from calmip.problem.dates import new_days
from calmip.tasks.year import DateCount, Year

__all__ = ["summary_lines", "words"]


MOST = 12
"""So many impossible dates are named."""


def summary_lines(year: Year) -> list[str]:
    """Return the totals, of dates and of other choices apart, and the extremes."""
    numbers = [count.tilings for count in year.dates]
    lines = [
        f"{len(numbers):,} dates{f' of {year.year}' if year.year else ''}: "
        f"{sum(numbers):,} tilings, {len(year.impossible) or 'none'} impossible"
        + (f", median {statistics.median(numbers):,g}" if numbers else "")
    ]
    if "weekday" in year.puzzle.groups or "year" in year.puzzle.groups:
        lines += _repeats(year)
    if year.others:
        total = sum(count.tilings for count in year.counts)
        other = sum(count.tilings for count in year.others)
        lines.append(
            f"{len(year.others):,} choices that are no date: {other:,} tilings; "
            f"{len(year.counts):,} choices in all: {total:,} tilings"
        )
    if year.impossible:
        lines.append(f"impossible: {listed([words(one) for one in year.impossible], most=MOST)}")
    for word, some in (("hardest", year.hardest()), ("easiest", year.easiest())):
        if some:
            shown = ", ".join(f"{words(count)} ({count.tilings:,})" for count in some)
            lines.append(f"{word}: {shown}")
    return lines


def _repeats(year: Year) -> list[str]:
    """Return how long every day is a new puzzle, which with weekdays is longer than a year."""
    if year.year is None:
        again = "; most dates fall on their weekday again after 5, 6 or 11 years"
        return [
            f"{len(year.dates):,} different puzzles" + again * ("year" not in year.puzzle.groups)
        ]
    first = datetime.date(year.year, 1, 1)
    try:
        days = new_days(year.puzzle.groups, first)
    except (InputError, OverflowError):
        return []
    last = first + datetime.timedelta(days - 1)
    return [f"{days:,} different puzzles: none comes twice from {first} to {last}"]


def words(count: DateCount) -> str:
    """Return what people call a choice of labels."""
    return " ".join(count.labels.values())
