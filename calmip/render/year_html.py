"""The year of a puzzle as one HTML page: the plot and the numbers as tables."""

from __future__ import annotations

from collections.abc import Mapping

from calmip.render.colours import AUTO
from calmip.render.escaping import xml_text
from calmip.render.html import page, table
from calmip.render.year_plot import year_plot
from calmip.render.year_text import month_names, summary_lines, weekday_names
from calmip.tasks.year import Difficulty, Year

__all__ = ["year_page"]

STYLE = ".plot{background:#fff}.plot.dark{background:#16161a}"


def year_page(year: Year, *, theme: str = AUTO) -> str:
    """Return the year as a page that needs nothing from elsewhere.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is not installed.
    """
    name = year.puzzle.name + (f", {year.year}" if year.year else "")
    body = [f"<h1>{xml_text(name)}</h1>"]
    body += [f"<p>{xml_text(line)}</p>" for line in summary_lines(year)]
    body.append(_plot(year, theme))
    body += ["<h2>Months</h2>", _difficulties("month", month_names(year), year.by_month)]
    if year.by_weekday:
        names = weekday_names(year)
        body += ["<h2>Weekdays</h2>", _difficulties("weekday", names, year.by_weekday)]
    groups = list(year.puzzle.groups)
    body += [
        "<h2>All dates</h2>",
        "<details><summary>Show the table</summary>",
        table(
            ["date", *groups, "tilings", ""],
            (
                [count.name, *(count.labels[group] for group in groups), f"{count.tilings:,}",
                 "impossible" if count.real and not count.tilings
                 else "" if count.real else "no date"]
                for count in year.counts
            ),
        ),
        "</details>",
    ]  # fmt: skip
    return page(f"{name}: tilings of every date", body, theme=theme, style=STYLE)


def _plot(year: Year, theme: str) -> str:
    """Return the plot as an element inside the page, without what only files have."""
    svg = year_plot(year, "svg", theme=theme).decode()
    dark = " dark" if theme == "dark" else ""
    return f'<div class="scroll plot{dark}">{svg[svg.index("<svg ") :]}</div>'


def _difficulties(what: str, names: Mapping[int, str], found: Mapping[int, Difficulty]) -> str:
    return table(
        [what, "dates", "impossible", "least", "median", "typical", "most"],
        (
            [names[key], one.dates, one.impossible, f"{one.least:,}", f"{one.median:,g}",
             f"{one.typical:,.1f}", f"{one.greatest:,}"]
            for key, one in found.items()
        ),
    )  # fmt: skip
