"""The year of a puzzle as text, CSV and JSON data."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from calmip.render.as_csv import csv_text
from calmip.tasks.year import DateCount, Difficulty, Year

__all__ = [
    "WEEKDAYS",
    "describe_year",
    "month_names",
    "summary_lines",
    "weekday_names",
    "words",
    "year_csv",
    "year_text",
]

WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


def month_names(year: Year) -> dict[int, str]:
    """Return the puzzle's label of every month that occurs, January = 1."""
    return {count.month: count.labels["month"] for count in year.counts}


def weekday_names(year: Year) -> dict[int, str]:
    """Return names of the weekdays that occur, Monday = 1: the puzzle's labels or usual ones."""
    labels = {
        count.weekday: count.labels["weekday"]
        for count in year.counts
        if count.weekday is not None and "weekday" in count.labels
    }
    return {number: labels.get(number, WEEKDAYS[(number - 1) % 7]) for number in year.by_weekday}


def words(count: DateCount) -> str:
    """Return what people call a choice of labels."""
    return " ".join(count.labels.values())


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


def year_text(year: Year) -> str:
    """Return a table of all dates, the totals, the extremes and the months and weekdays."""
    lines = _calendar(year)
    lines += ["", *summary_lines(year), ""]
    lines += _difficulties("month", month_names(year), year.by_month)
    if year.by_weekday:
        lines += ["", *_difficulties("weekday", weekday_names(year), year.by_weekday)]
    return "\n".join(lines) + "\n"


def _calendar(year: Year) -> list[str]:
    """Return months across and days down; several choices of one day become their mean."""
    sums: dict[tuple[int, int], list[int]] = {}
    real: dict[tuple[int, int], bool] = {}
    for count in year.counts:
        sums.setdefault((count.month, count.day), []).append(count.tilings)
        real[count.month, count.day] = real.get((count.month, count.day), False) or count.real
    days = {count.day: count.labels["day"] for count in year.counts}
    months = sorted({count.month for count in year.counts})
    rows = [["", *(month_names(year)[month] for month in months)]]
    for day in sorted(days):
        row = [days[day]]
        for month in months:
            found = sums.get((month, day))
            text = "" if found is None else f"{statistics.fmean(found):.0f}"
            row.append(f"({text})" if text and not real[month, day] else f"{text} ")
        rows.append(row)
    lines = _aligned(rows)
    if any(len(found) > 1 for found in sums.values()):
        lines.append("(each number is the mean over the choices of the other labels)")
    if year.others:
        lines.append("(in brackets: no date)")
    return lines


def _difficulties(
    what: str, names: Mapping[int, str], found: Mapping[int, Difficulty]
) -> list[str]:
    rows = [[what, "dates", "impossible", "least", "median", "typical", "greatest"]]
    rows += [
        [names[key], str(one.dates), str(one.impossible), f"{one.least:,}", f"{one.median:,g}",
         f"{one.typical:,.1f}", f"{one.greatest:,}"]
        for key, one in found.items()
    ]  # fmt: skip
    return _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def year_csv(year: Year) -> str:
    """Return one line per choice of labels: its name, the labels, the tilings, real or not."""
    groups = list(year.puzzle.groups)
    return csv_text(
        ["date", *groups, "tilings", "real"],
        (
            [count.name, *(count.labels[group] for group in groups), count.tilings, int(count.real)]
            for count in year.counts
        ),
    )


def describe_year(year: Year) -> dict[str, Any]:
    """Return the year as JSON data, with the keys in their documented order."""

    def short(counts: Sequence[DateCount]) -> list[dict[str, Any]]:
        return [{"date": count.name, "tilings": count.tilings} for count in counts]

    def groups(found: Mapping[int, Difficulty], names: Mapping[int, str]) -> list[dict[str, Any]]:
        return [
            {"number": key, "label": names[key], "dates": one.dates, "impossible": one.impossible,
             "least": one.least, "median": one.median, "typical": round(one.typical, 6),
             "greatest": one.greatest}
            for key, one in found.items()
        ]  # fmt: skip

    return {
        "puzzle": year.puzzle.id or year.puzzle.name,
        "flip": year.puzzle.flip,
        "year": year.year,
        "choices": len(year.counts),
        "tilings": sum(count.tilings for count in year.counts),
        "real_dates": len(year.dates),
        "real_tilings": sum(count.tilings for count in year.dates),
        "impossible": [count.name for count in year.dates if not count.tilings],
        "hardest": short(year.hardest()),
        "easiest": short(year.easiest()),
        "by_month": groups(year.by_month, month_names(year)),
        "by_weekday": groups(year.by_weekday, weekday_names(year)),
        "counts": [
            {"date": count.name, "labels": dict(count.labels), "tilings": count.tilings,
             "real": count.real}
            for count in year.counts
        ],
    }  # fmt: skip
