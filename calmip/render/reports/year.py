"""The year of a puzzle in every form: text, pictures, a page, CSV, JSON."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from calmip.documents.description import json_text
from calmip.render.as_csv import csv_text
from calmip.render.columns import aligned
from calmip.render.palette import AUTO
from calmip.render.picture_files import PICTURES, drawn
from calmip.render.year_summary import summary_lines
from calmip.tasks.year import Difficulty, Year

__all__ = ["FORMS", "csv", "data", "text"]

FORMS = ("text", *PICTURES, "html", "csv", "json")


def data(year: Year, form: str, theme: str = AUTO) -> bytes:
    """Return the year in one of `FORMS`.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    if form in PICTURES:
        from calmip.render.year_picture import year_picture

        return drawn(year_picture(year), form, theme)
    if form == "html":
        from calmip.render.year_html import year_page

        return year_page(year, theme=theme).encode()
    if form == "csv":
        return csv(year).encode()
    return (json_text(year.describe()) if form == "json" else text(year)).encode()


def text(year: Year) -> str:
    """Return a table of all dates, the totals, the extremes and the months and weekdays."""
    if year.detail:
        return f"stopped before an answer: {year.detail}\n"
    lines = _calendar(year)
    lines += ["", *summary_lines(year), ""]
    lines += _difficulties("month", year.month_names, year.by_month)
    if year.by_weekday:
        lines += ["", *_difficulties("weekday", year.weekday_names, year.by_weekday)]
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
    rows = [["", *(year.month_names[month] for month in months)]]
    for day in sorted(days):
        row = [days[day]]
        for month in months:
            found = sums.get((month, day))
            text = "" if found is None else f"{statistics.fmean(found):.0f}"
            row.append(f"({text})" if text and not real[month, day] else f"{text} ")
        rows.append(row)
    lines = aligned(rows)
    if any(len(found) > 1 for found in sums.values()):
        lines.append("(each number is the mean over the choices of the other labels)")
    if year.others:
        lines.append("(in brackets: no date)")
    return lines


def _difficulties(
    what: str, names: Mapping[int, str], found: Mapping[int, Difficulty]
) -> list[str]:
    rows = [[what, "dates", "impossible", "least", "median", "geometric mean", "greatest"]]
    rows += [
        [names[key], str(one.dates), str(one.impossible), f"{one.least:,}", f"{one.median:,g}",
         f"{one.geometric_mean:,.1f}", f"{one.greatest:,}"]
        for key, one in found.items()
    ]  # fmt: skip
    return aligned(rows)


def csv(year: Year) -> str:
    """Return one line per choice of labels: its name, the labels, the tilings, real or not."""
    groups = list(year.puzzle.groups)
    return csv_text(
        ["date", *groups, "tilings", "real"],
        (
            [count.name, *(count.labels[group] for group in groups), count.tilings, int(count.real)]
            for count in year.counts
        ),
    )
