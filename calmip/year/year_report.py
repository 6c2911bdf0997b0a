"""The year of a puzzle in every form: text, pictures, CSV, JSON, and a page.

The page has heat-maps by month and week, charts and tables.
"""

from __future__ import annotations

import datetime
from calendar import isleap
from collections.abc import Iterable, Mapping, Sequence

from calmip.puzzle.dates import short_weekdays
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.palette import HEAT
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Markup,
    Output,
    forms_from,
    table,
)
from calmip.puzzle.render.svg import svg_of
from calmip.year.year import DateCount, Difficulty, Year
from calmip.year.year_picture import (
    IMPOSSIBLE,
    Mean,
    Measure,
    ink_on,
    means,
    measures,
    panels,
    short_number,
    summary_lines,
    words,
    year_charts,
    year_picture,
    year_title,
)


def report(year: Year) -> Document:
    """Return the numbers of all dates, the totals, the extremes, and the months and weekdays.

    A page also has heat-maps, charts and a table of all dates.
    """
    title = year_title(year)
    if year.detail:
        return Document(title, [f"stopped before an answer: {year.detail}"])
    shown = measures(year)
    tables: list[str | DataTable] = []
    for measure in shown:
        tables += [*([measure.title] if len(shown) > 1 else []), _calendar(year, measure), ""]
    blocks: list[Block] = [
        Markup(lambda _: "\n".join(_maps(year, measure) for measure in shown), tables[:-1]),
        "",
        *summary_lines(year),
        "",
    ]
    blocks += [Markup(lambda theme: _charts(year, theme))]
    blocks += [_difficulties("month", year.month_names, year.by_month)]
    if year.by_weekday:
        blocks += ["", _difficulties("weekday", year.weekday_names, year.by_weekday)]
    blocks += [Markup(lambda _: f"{MEANING}\n{_all_dates(year)}")]
    return Document(title, blocks, style=STYLE)


def _calendar(year: Year, measure: Measure) -> DataTable:
    """Return months across and days down; several choices of one day become their mean."""
    found = means(year.counts)
    days = {count.day: count.day_label for count in year.counts}
    months = sorted({count.month for count in year.counts})

    def cell(mean: Mean | None) -> str:
        value = None if mean is None else measure.of(mean)
        if mean is None or value is None:
            return " "
        return f"{value:.0f} " if mean.real else f"({value:.0f})"

    rows = [
        [days[day], *(cell(found.get((month, day))) for month in months)] for day in sorted(days)
    ]
    notes = ["each number is the mean over the choices of the other labels"] * (
        len(found) < len(year.counts)
    ) + ["in brackets: no date"] * any(cell(mean)[0] == "(" for mean in found.values())
    return DataTable(
        ["", *(year.month_names[month] for month in months)],
        rows,
        note=f"({'; '.join(notes)})" if notes else "",
        left=(),
    )


def _difficulties(
    what: str, names: Mapping[int, str], difficulties: Mapping[int, Difficulty]
) -> Markup:
    """Return a table with a row for each month or weekday."""
    head = [what, "dates", "impossible", "least", "median", "geometric mean", "greatest"]
    rows = [
        [
            names[key],
            str(one.dates),
            str(one.impossible),
            f"{one.least:,}",
            f"{one.median:,g}",
            f"{one.geometric_mean:,.1f}",
            f"{one.greatest:,}",
        ]
        for key, one in difficulties.items()
    ]
    markup = f"<h2>{what.capitalize()}s</h2>\n{_scroll(head, rows, 'tallies')}"
    return Markup(lambda _: markup, [DataTable(head, rows, left=())])


RATING = ("tries", "forced", "depth")
"""The columns of the difficulty for people."""


def csv(year: Year) -> str:
    """Return a line per choice of labels: name, labels, tilings, real or not, and the rating."""
    groups = list(year.puzzle.groups)
    rated = any(count.difficulty for count in year.counts)

    def rating(count: DateCount) -> list[object]:
        found = count.difficulty.describe() if count.difficulty else {}
        return ["" if found.get(key) is None else found[key] for key in RATING]

    return csv_text(
        ["date", *groups, "tilings", "real", *RATING * rated],
        (
            [
                count.name,
                *(count.labels[group] for group in groups),
                count.tilings,
                int(count.real),
                *(rating(count) if rated else []),
            ]
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
""" + "\n".join(
    f".h{shade}{{background:var(--h{shade});color:var(--{ink_on(shade)})}}"
    for shade in range(len(HEAT))
)


MEANING = (
    '<p class="quiet">median: half of the dates have fewer tilings, half more; '
    "geometric mean: of the dates that have any.</p>"
)


def _maps(year: Year, measure: Measure) -> str:
    """Return the heat-maps by month, and by week where the year is known, below their legend."""
    body = [f"<h2>{measure.title}</h2>", _key(year, measure), '<div class="maps">']
    body += ["<div>", *_months(year, measure), "</div>"]
    body += [_weeks(year, measure)] if year.year else []
    return "\n".join([*body, "</div>"])


def _charts(year: Year, theme: str) -> str:
    """Return the histogram, and the ranges of months and weekdays."""
    drawn = (svg_of(chart, theme=theme) for chart in year_charts(year))
    return "\n".join(["<h2>At a glance</h2>", '<div class="charts">', *drawn, "</div>"])


def _months(year: Year, measure: Measure) -> list[str]:
    """Return months across and days down: all together, and behind a click by weekday."""
    found = panels(year)
    body = [_heat_map(year, year.counts, measure)]
    if len(found) > 1:
        body.insert(0, '<p class="quiet">Each number is the mean over the weekdays.</p>')
        for name, counts in found.items():
            body += [
                f"<details><summary>{xml_text(name)}</summary>",
                _heat_map(year, counts, measure),
                "</details>",
            ]
    return body


def _heat_map(year: Year, counts: Iterable[DateCount], measure: Measure) -> str:
    days = {count.day: count.day_label for count in year.counts}
    names = year.month_names
    found = means(counts)
    rows = [
        [f'<th scope="row">{xml_text(days[day])}</th>']
        + [_cell(found.get((month, day)), measure) for month in sorted(names)]
        for day in sorted(days)
    ]
    return _table("heat", ["", *(names[month] for month in sorted(names))], rows)


def _weeks(year: Year, measure: Measure) -> str:
    """Return a year's weeks down and weekdays across, each day with its number."""
    assert year.year is not None
    found = means(year.dates)
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
        rows[-1].append(_cell(found.get((day.month, day.day)), measure, str(day.day)))
    rows[-1] += ["<td></td>"] * (7 - days[-1].isoweekday())
    return _table("heat weeks", ["", *short_weekdays(year.puzzle.groups)], rows)


def _cell(mean: Mean | None, measure: Measure, above: str = "") -> str:
    """Return a cell of a heat-map for the mean of some choices of labels."""
    small = f"<small>{above}</small>" if above else ""
    if mean is None:
        return f"<td>{small}</td>"
    value, (first, *others) = measure.of(mean), mean.counts
    said = [] if value is None else [f"{value:,.1f}" if others else f"{value:,.0f}"]
    if not mean.real:
        said.append("no date")
    text = ", ".join(said) or "not rated"
    title = xml_text(text if others else f"{words(first)}: {text}")
    if not mean.real:
        return f'<td class="unreal" title="{title}">{small}</td>'
    if not mean.tilings:
        return f'<td class="none" title="{title}">{small}{IMPOSSIBLE}</td>'
    if value is None:
        return f'<td title="{title}">{small}</td>'
    shade = measure.scale.shade(value)
    return f'<td class="h{shade}" title="{title}">{small}{short_number(value)}</td>'


def _table(names: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(
        f'<th scope="col">{xml_text(text)}</th>' if text else "<td></td>" for text in header
    )
    lines = [f'<table class="{names}"><thead><tr>{head}</tr></thead><tbody>']
    lines += [f"<tr>{''.join(row)}</tr>" for row in rows]
    return "\n".join([*lines, "</tbody></table>"])


def _key(year: Year, measure: Measure) -> str:
    """Return the legend of the shades and marks."""
    shown = [
        f'<span><i class="h{measure.scale.shade(tick)}"></i> {short_number(tick)}</span>'
        for tick in measure.scale.ticks(7)
    ]
    if any(not count.tilings for count in year.dates):
        shown.append(f"<span>{IMPOSSIBLE} impossible</span>")
    if year.others:
        shown.append("<span>hatched: no date</span>")
    return f'<div class="key"><span>{measure.legend}</span> {" ".join(shown)}</div>'


def _all_dates(year: Year) -> str:
    groups = list(year.puzzle.groups)
    tries = ["placements tried"] * bool(year.rated)
    head = ["date", *groups, "tilings", *tries, "remark"]
    rows = [
        [
            count.name,
            *(count.labels[group] for group in groups),
            f"{count.tilings:,}",
            *["" if count.tries is None else f"{count.tries:,.1f}" for _ in tries],
            "impossible" if count.real and not count.tilings else "" if count.real else "no date",
        ]
        for count in year.counts
    ]
    dates = _scroll(head, rows, "dates")
    return f"<h2>All dates</h2>\n<details><summary>Show the table</summary>{dates}</details>"


def _scroll(head: Sequence[str], rows: Iterable[Sequence[str]], name: str) -> str:
    return f'<div class="scroll {name}" tabindex="0">{table(head, rows)}</div>'


def pdf(year: Year, theme: str, paper: str) -> bytes:
    """Return the picture on a sheet of paper."""
    from calmip.puzzle.render.paper import on_paper
    from calmip.puzzle.render.printing import MILLIMETRE, pdf_of

    return pdf_of([on_paper(year_picture(year), paper)], theme=theme, unit=MILLIMETRE)


YEAR = Output(forms_from(report, year_picture, csv=csv, pdf=pdf))
