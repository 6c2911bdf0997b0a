"""The year of a puzzle in every form: text, pictures, CSV, JSON, and a page.

The page has heat-maps by month and week, charts and tables.
"""

from __future__ import annotations

import datetime
import statistics
from calendar import isleap
from collections.abc import Iterable, Mapping, Sequence

from calmip.problem.dates import short_weekdays
from calmip.render.escaping import csv_text, xml_text
from calmip.render.palette import AUTO
from calmip.render.report import Block, DataTable, Document, page, table
from calmip.render.reports import made_of
from calmip.render.svg import svg_of
from calmip.render.year_picture import (
    IMPOSSIBLE,
    Scale,
    ink_on,
    panels,
    short_number,
    summary_lines,
    words,
    year_charts,
    year_picture,
)
from calmip.tasks.year import DateCount, Difficulty, Year

__all__ = ["FORMS", "csv", "report", "year_page"]


def report(year: Year) -> Document:
    """Return a table of all dates, the totals, the extremes and the months and weekdays."""
    if year.detail:
        return Document(_title(year), [f"stopped before an answer: {year.detail}"])
    blocks = [*_calendar(year), "", *summary_lines(year), ""]
    blocks.append(_difficulties("month", year.month_names, year.by_month))
    if year.by_weekday:
        blocks += ["", _difficulties("weekday", year.weekday_names, year.by_weekday)]
    return Document(_title(year), blocks)


def _title(year: Year) -> str:
    return year.puzzle.name + (f", {year.year}" if year.year else "")


def _calendar(year: Year) -> list[Block]:
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
    lines: list[Block] = [DataTable(rows[0], rows[1:], left=())]
    if any(len(found) > 1 for found in sums.values()):
        lines.append("(each number is the mean over the choices of the other labels)")
    if year.others:
        lines.append("(in brackets: no date)")
    return lines


def _difficulties(
    what: str, names: Mapping[int, str], found: Mapping[int, Difficulty]
) -> DataTable:
    """Return a table with a row for each month or weekday."""
    head = [what, "dates", "impossible", "least", "median", "geometric mean", "greatest"]
    rows = [
        [names[key], str(one.dates), str(one.impossible), f"{one.least:,}", f"{one.median:,g}",
         f"{one.geometric_mean:,.1f}", f"{one.greatest:,}"]
        for key, one in found.items()
    ]  # fmt: skip
    return DataTable(head, rows, left=())


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


STYLE = """
.heat{table-layout:fixed;width:100%;max-width:46rem;border-collapse:separate;border-spacing:1px;
font-size:clamp(.56rem,2.6vw,.85rem)}
.heat th,.heat td{padding:.2em 0;text-align:center;border:0;font-weight:400}
.heat td{border-radius:.2em}
.heat .none{box-shadow:inset 0 0 0 1px var(--quiet);font-weight:700}
.heat .unreal{color:var(--quiet);background:repeating-linear-gradient(135deg,var(--board) 0 3px,
transparent 3px 6px)}
.maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem 2rem;
align-items:start}
.weeks{max-width:30rem}.weeks small{font-size:.7em;opacity:.75;display:block;line-height:1}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:center;font-size:.85rem}
.key i{display:inline-block;width:.8rem;height:.8rem}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:1rem}
.charts svg{width:100%}
summary{cursor:pointer;padding:.3rem 0}
@media (max-width:480px){.scroll table{font-size:.72rem}.scroll th,.scroll td{padding:.2rem .22rem}
.scroll thead th{vertical-align:bottom}.tallies th,.tallies td{padding:.2rem .14rem}
.tallies table{font-size:.68rem}}
@media print{h2,h3,summary,.key{break-after:avoid}
tr,.charts svg,.key,.heat,.tallies{break-inside:avoid}
.heat{font-size:.6rem;line-height:1.15}.maps{display:block}.weeks{margin-top:1rem}
.weeks small{display:inline;margin-right:.4em}
.dates{overflow:visible;columns:14rem;line-height:1.2}.dates table{font-size:.58rem}
.dates th,.dates td{padding:.05rem .25rem;white-space:nowrap}
thead{display:table-header-group}details::details-content{content-visibility:visible;display:block}
td,i{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""


def year_page(year: Year, *, theme: str = AUTO) -> str:
    """Return the year as a page that needs nothing from elsewhere and runs nothing.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    name = _title(year)
    scale = Scale.of(count.tilings for count in year.counts)
    body = [f"<h1>{xml_text(name)}</h1>"]
    body += [f"<p>{xml_text(line)}</p>" for line in summary_lines(year)]
    body += ["<h2>Tilings of every date</h2>", _key(year, scale), '<div class="maps">']
    body += ["<div>", *_months(year, scale), "</div>"]
    if year.year:
        body.append(_weeks(year, scale))
    body += ["</div>", "<h2>At a glance</h2>", '<div class="charts">']
    body += [svg_of(chart, theme=theme) for chart in year_charts(year)]
    body += ["</div>", "<h2>Months</h2>"]
    body.append(_tallies("month", year.month_names, year.by_month))
    if year.by_weekday:
        names = year.weekday_names
        body += ["<h2>Weekdays</h2>", _tallies("weekday", names, year.by_weekday)]
    body.append(
        '<p class="quiet">median: half of the dates have fewer tilings, half more; '
        "geometric mean: of the dates that have any.</p>"
    )
    body += ["<h2>All dates</h2>", _all_dates(year)]
    return page(f"{name}: tilings of every date", body, theme=theme, style=STYLE)


def _months(year: Year, scale: Scale) -> list[str]:
    """Return months across and days down: all together, and behind a click by weekday."""
    found = panels(year)
    body = [_heat_map(year, year.counts, scale)]
    if len(found) > 1:
        body.insert(0, '<p class="quiet">Each number is the mean over the weekdays.</p>')
        for name, counts in found.items():
            body += [f"<details><summary>{xml_text(name)}</summary>",
                     _heat_map(year, counts, scale), "</details>"]  # fmt: skip
    return body


def _heat_map(year: Year, counts: Iterable[DateCount], scale: Scale) -> str:
    days = {count.day: count.labels["day"] for count in year.counts}
    names = year.month_names
    here: dict[tuple[int, int], list[DateCount]] = {}
    for count in counts:
        here.setdefault((count.day, count.month), []).append(count)
    months = sorted(names)
    rows = [
        [f'<th scope="row">{xml_text(days[day])}</th>']
        + [_cell(here.get((day, month), ()), scale) for month in months]
        for day in sorted(days)
    ]
    return _table("heat", ["", *(names[month] for month in months)], rows)


def _weeks(year: Year, scale: Scale) -> str:
    """Return a year's weeks down and weekdays across, each day with its number."""
    assert year.year is not None
    by_date = {(count.month, count.day): count for count in year.dates}
    first = datetime.date(year.year, 1, 1)
    days = [first + datetime.timedelta(n) for n in range(366 if isleap(year.year) else 365)]
    names = year.month_names
    rows: list[list[str]] = []
    for day in days:
        if not rows or day.isoweekday() == 1:
            # A month stands beside the week that has its first day.
            ends = min(day + datetime.timedelta(7 - day.isoweekday()), days[-1])
            label = names.get(ends.month, "") if ends.day <= 7 or day == first else ""
            rows.append([f'<th scope="row">{xml_text(label)}</th>'])
            rows[-1] += ["<td></td>"] * (day.isoweekday() - 1)
        count = by_date.get((day.month, day.day))
        rows[-1].append(_cell([] if count is None else [count], scale, str(day.day)))
    rows[-1] += ["<td></td>"] * (7 - days[-1].isoweekday())
    return _table("heat weeks", ["", *short_weekdays(year.puzzle.groups)], rows)


def _cell(counts: Sequence[DateCount], scale: Scale, above: str = "") -> str:
    """Return a cell of a heat-map for the mean of some choices of labels."""
    small = f"<small>{above}</small>" if above else ""
    if not counts:
        return f"<td>{small}</td>"
    value = sum(count.tilings for count in counts) / len(counts)
    real = any(count.real for count in counts)
    title = xml_text(f"{words(counts[0])}: {value:,.0f}" if len(counts) == 1 else f"{value:,.1f}")
    if not real:
        return f'<td class="unreal" title="{title}, no date">{small}</td>'
    if not value:
        return f'<td class="none" title="{title}">{small}{IMPOSSIBLE}</td>'
    shade = scale.shade(value)
    style = f"background:var(--h{shade});color:var(--{ink_on(shade)})"
    return f'<td style="{style}" title="{title}">{small}{short_number(value)}</td>'


def _table(names: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(
        f'<th scope="col">{xml_text(text)}</th>' if text else "<td></td>" for text in header
    )
    lines = [f'<table class="{names}"><thead><tr>{head}</tr></thead><tbody>']
    lines += [f"<tr>{''.join(row)}</tr>" for row in rows]
    return "\n".join([*lines, "</tbody></table>"])


def _key(year: Year, scale: Scale) -> str:
    """Return what the shades and marks mean."""
    shown = [
        f'<span><i style="background:var(--h{scale.shade(tick)})"></i> {short_number(tick)}</span>'
        for tick in scale.ticks(7)
    ]
    if any(not count.tilings for count in year.dates):
        shown.append(f"<span>{IMPOSSIBLE} impossible</span>")
    if year.others:
        shown.append("<span>hatched: no date</span>")
    return f'<div class="key"><span>tilings (few is hard):</span>{"".join(shown)}</div>'


def _tallies(what: str, names: Mapping[int, str], found: Mapping[int, Difficulty]) -> str:
    made = _difficulties(what, names, found)
    return f'<div class="scroll tallies" tabindex="0">{table(made.head, made.rows)}</div>'


def _all_dates(year: Year) -> str:
    groups = list(year.puzzle.groups)
    rows = (
        [count.name, *(count.labels[group] for group in groups), f"{count.tilings:,}",
         "impossible" if count.real and not count.tilings else "" if count.real else "no date"]
        for count in year.counts
    )  # fmt: skip
    inside = table(["date", *groups, "tilings", "remark"], rows)
    return (
        "<details><summary>Show the table</summary>"
        f'<div class="scroll dates" tabindex="0">{inside}</div></details>'
    )


FORMS = made_of(report, year_picture, csv=csv, html=year_page)
