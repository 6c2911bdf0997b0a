"""The year of a puzzle in a few sentences: the totals and the extremes."""

from __future__ import annotations

import statistics

from calmip.tasks.year import DateCount, Year

__all__ = ["summary_lines", "words"]


def summary_lines(year: Year) -> list[str]:
    """Return the totals, of dates and of other choices apart, and the extremes."""
    numbers = [count.tilings for count in year.dates]
    impossible = sum(not number for number in numbers)
    lines = [
        f"{len(numbers):,} dates{f' of {year.year}' if year.year else ''}: "
        f"{sum(numbers):,} tilings, {impossible or 'none'} impossible"
        + (f", median {statistics.median(numbers):,g}" if numbers else "")
    ]
    if year.others:
        total = sum(count.tilings for count in year.counts)
        other = sum(count.tilings for count in year.others)
        lines.append(
            f"{len(year.others):,} choices that are no date: {other:,} tilings; "
            f"{len(year.counts):,} choices in all: {total:,} tilings"
        )
    for word, some in (("hardest", year.hardest()), ("easiest", year.easiest())):
        if some:
            shown = ", ".join(f"{words(count)} ({count.tilings:,})" for count in some)
            lines.append(f"{word}: {shown}")
    return lines


def words(count: DateCount) -> str:
    """Return what people call a choice of labels."""
    return " ".join(count.labels.values())
