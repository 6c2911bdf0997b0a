"""Campaigns as text, Markdown, a page, CSV, JSON and pictures.

The pictures are performance profiles and cactus plots, as SVG by hand and by matplotlib.
"""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from calmip.documents.description import json_text
from calmip.errors import SolverMissing, shown
from calmip.render.characters import aligned
from calmip.render.escaping import csv_text, markdown_text, xml_text
from calmip.render.html import page, table
from calmip.render.reports import Forms, as_json
from calmip.tasks.bench import Bench, Difference, Report
from calmip.tasks.campaign.problems import STATUSES
from calmip.tasks.campaign.statistics import profile, summary

__all__ = ["FORMS", "FORMS_OF", "Plot", "cactus", "performance", "png", "svg", "text"]


FIRST = (
    "instance", "formulation", "solver", "version", "options", "seed", "status", "correct",
    "wall", "cpu", "memory", "nodes",
)  # fmt: skip
"""The columns that stand first in CSV and in the records of JSON."""


@dataclass(frozen=True)
class _Table:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def text(result: Bench | Report | Difference) -> str:
    """Return what the command prints."""
    if isinstance(result, Bench):
        return _done(result)
    if isinstance(result, Difference):
        return _changed(result)
    lines = []
    for one in _tables(report := result):
        lines += [one.title, *aligned([one.head, *one.rows], left=(0, 1), indent="  ")]
        lines += [f"  {one.note}"] if one.note else []
        lines.append("")
    return "\n".join([*lines, *_notes(report)]) + "\n"


def _done(bench: Bench) -> str:
    """Say how many runs there are and how those that are new ended, and name the wrong ones."""
    found = Counter(str(run["status"]) for run in bench.runs)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    lines = [
        f"{bench.path}: {len(bench.runs)} runs{f' ({words})' if words else ''}"
        f"{f', and {bench.kept} that were there' if bench.kept else ''}"
    ]
    lines += [
        f"wrong: {run['instance']}, {run['formulation']}, {run['solver']}: {run['detail']}"
        for run in bench.runs
        if run["status"] == "wrong"
    ]
    lines += [f"refuted: {doubt}" for doubt in bench.doubts]
    return "\n".join(shown(line, 1000) for line in lines) + "\n"


def _changed(difference: Difference) -> str:
    rows = [("", "problems", "solved", "time", "95 % interval", "")]
    rows += [
        (
            f"{change['name']} {' to '.join(dict.fromkeys(change['versions']))}",
            str(change["problems"]),
            " to ".join(map(str, change["solved"])),
            f"x {change['ratio']:.3f}",
            f"{change['low']:.3f} to {change['high']:.3f}",
            "REGRESSION" if change["regression"] else "",
        )
        for change in difference.changes
    ]
    lines = aligned([tuple(map(shown, row)) for row in rows], left=(0, 5))
    for word, runs in (("worse", difference.worse), ("better", difference.better)):
        lines += [
            shown(
                f"{word}: {run['instance']}, {run['name']}, seed {run['seed']}: "
                f"{run['before']} to {run['after']}",
                1000,
            )
            for run in runs
        ]
    return "\n".join(lines) + "\n"


def _tables(report: Report) -> list[_Table]:
    found = summary(report)
    rows = [
        *found["competitors"],
        {"name": "virtual best", "statuses": {}, **found["virtual_best"]},
    ]
    used = [word for word in STATUSES if word not in ("solved", "unverified")]
    used = [word for word in used if any(row["statuses"].get(word) for row in rows)]
    loose = ["unverified"] if any(row["unverified"] for row in rows) else []
    head = ("", "version", "runs", "solved", *loose, *used, "PAR2", "PAR10", "mean")
    note = f"mean: shifted geometric, shift {report.shift:g} s"
    if loose:
        note += "; unverified answers count as solved in PAR2, PAR10 and mean"
    tables = [
        _Table(
            f"{len(report.runs)} runs, seconds by the {report.clock} clock",
            head,
            tuple(
                (
                    row["name"],
                    row.get("version", ""),
                    str(row["runs"]),
                    str(row["solved"]),
                    *(str(row[word]) for word in loose),
                    *(str(row["statuses"].get(word, 0)) for word in used),
                    *(
                        "-" if row[key] is None else f"{row[key]:.3f}"
                        for key in ("par2", "par10", "shifted_mean")
                    ),
                )
                for row in rows
            ),
            note,
        )
    ]
    if found["pairs"]:
        tables.append(
            _Table(
                "Pairs, on the runs that both have",
                ("", "against", "runs", "wins", "losses", "ratio", "95 % interval"),
                tuple(
                    (
                        two["first"], two["second"], str(two["problems"]), str(two["wins"]),
                        str(two["losses"]), f"{two['ratio']:.3f}",
                        f"{two['low']:.3f} to {two['high']:.3f}",
                    )
                    for two in found["pairs"]
                ),
                f"ratio: of the geometric means of seconds + {report.shift:g}; "
                "interval: bootstrap over instances",
            )
        )  # fmt: skip
        tables.append(
            _Table(
                "Instances that tell them apart",
                ("", "fastest", "PAR10", "slowest", "PAR10"),
                tuple(
                    (
                        row["instance"], row["fastest"], f"{row['fastest_par10']:.3f}",
                        row["slowest"], f"{row['slowest_par10']:.3f}",
                    )
                    for row in found["telling"]
                ),
            )
        )  # fmt: skip
    # Names of files and people may hold anything.
    return [
        replace(table, rows=tuple(tuple(shown(cell, 200) for cell in row) for row in table.rows))
        for table in tables
    ]


def _notes(report: Report) -> list[str]:
    return [shown(note, 1000) for note in _all_notes(report)]


def _all_notes(report: Report) -> list[str]:
    found = summary(report)
    lines = []
    drift = found["reference"]
    if drift is not None:
        taken = "; ".join(
            f"{drift[clock][0]:.3f}, {drift[clock][1]:.3f}, {drift[clock][2]:.3f} s {clock}"
            for clock in ("wall", "cpu")
            if clock in drift
        )
        lines.append(f"{drift['jobs']} reference jobs took least, median, most: {taken}")
    lines += [f"refuted: {doubt}" for doubt in report.doubts]
    lines += [f"machine: {name}" for name in sorted({str(run["machine"]) for run in report.runs})]
    lines += [
        f"wrong: {run['instance']}, {run['formulation']}, {run['solver']}: {run['detail']}"
        for run in report.runs
        if run["status"] == "wrong"
    ]
    return lines


def markdown(report: Report) -> str:
    """Return the tables and the notes as Markdown."""
    lines = [f"# {markdown_text(report.path.stem)}", ""]
    for one in _tables(report):
        lines += [f"## {one.title}", "", _row(one.head)]
        lines += [f"| {' | '.join(['---', *['---:'] * (len(one.head) - 1)])} |"]
        lines += [_row(row) for row in one.rows]
        lines += ["", *([one.note, ""] if one.note else [])]
    return (
        "\n".join([*lines, *(f"* {markdown_text(note)}" for note in _notes(report))]).rstrip()
        + "\n"
    )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(markdown_text, cells)) + " |"


def report_page(report: Report, theme: str) -> str:
    """Return the tables, the plots and the notes as a page."""
    body = [f"<h1>{xml_text(report.path.stem)}</h1>"]
    first, *others = _tables(report)
    plots = [f"<h2>{plot.title}</h2>{svg(plot)}" for plot in (performance(report), cactus(report))]
    for number, one in enumerate([first, *others]):
        body += [f"<h2>{xml_text(one.title)}</h2>", '<div class="scroll">']
        body += [table(one.head, one.rows), "</div>"]
        body += [f'<p class="quiet">{xml_text(one.note)}</p>'] if one.note else []
        body += plots if number == 0 else []
    body += [f"<p>{xml_text(note)}</p>" for note in _notes(report)]
    return page(report.path.stem, body, theme=theme)


# Told apart by people who do not see all colours (Okabe and Ito 2008), then by dashes.
SHADES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888")
DASHES = ("", "7 3", "2 3", "9 3 2 3")

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 460, 300, 48, 46, 14
"""In units of which a letter has 13: a phone shows the whole width, and they can be read there."""

SHOWN = 520
"""The pixels of the width where there is room."""

LINE = 17


@dataclass(frozen=True)
class Plot:
    """Growing step curves over a logarithmic axis.

    Parameters
    ----------
    title, across, up
        What it shows, and what its axes are.
    curves
        A name and the corners (x, y) of each.
    top
        The end of the upward axis.
    """

    title: str
    across: str
    up: str
    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    top: float

    @property
    def span(self) -> tuple[float, float]:
        """The powers of ten that hold all corners."""
        values = [x for _, points in self.curves for x, _ in points] or [1.0]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return 10.0**low, 10.0 ** max(high, low + 1)


def performance(report: Report) -> Plot:
    """Return the performance profiles of Dolan and Moré."""
    curves = tuple(
        (name, tuple(profile(entry.times, report.best)))
        for name, entry in zip(report.names, report.entries, strict=True)
    )
    across = "times the seconds of the best"
    return Plot("Performance profiles", across, "share of the runs solved", curves, 1.0)


def cactus(report: Report) -> Plot:
    """Return how many runs each competitor solves within so many seconds."""
    curves = []
    for name, entry in zip(report.names, report.entries, strict=True):
        taken = sorted(max(time.seconds, 1e-4) for time in entry.times.values() if time.solved)
        curves.append((name, tuple((x, number + 1.0) for number, x in enumerate(taken))))
    top = max(1, *(len(entry.times) for entry in report.entries))
    seconds = f"seconds ({report.clock})"
    return Plot("Runs solved within a time", seconds, "runs solved", tuple(curves), float(top))


def svg(plot: Plot) -> str:
    """Return a plot as an SVG element, drawn in the colours of the page around it."""
    low, high = plot.span
    names = len(plot.curves)
    height = HEIGHT + LINE * names

    def place(x: float, y: float) -> str:
        share = math.log10(x / low) / math.log10(high / low)
        across = LEFT + share * (WIDTH - LEFT - 12)
        return f"{across:.1f},{HEIGHT - BOTTOM - y / plot.top * (HEIGHT - BOTTOM - TOP):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{SHOWN}" role="img" aria-label="{xml_text(plot.title)}" '
        'font-family="Helvetica,Arial,sans-serif" font-size="13" fill="currentColor">',
        f"<title>{xml_text(plot.title)}</title>",
    ]
    parts += _axes(plot, place, low, high)
    for number, (name, points) in enumerate(plot.curves):
        style = f'stroke="{SHADES[number % len(SHADES)]}" stroke-width="2" fill="none"'
        dash = DASHES[number // len(SHADES) % len(DASHES)]
        style += f' stroke-dasharray="{dash}"' if dash else ""
        corners = " ".join(place(x, y) for x, y in _steps(points, high))
        if corners:
            parts.append(f'<polyline points="{corners}" {style}/>')
        y = HEIGHT + LINE * number + 8
        parts.append(f'<path d="M{LEFT} {y}h28" {style}/>')
        parts.append(f'<text x="{LEFT + 36}" y="{y + 4}">{xml_text(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def _steps(points: Sequence[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    """Return the corners of a curve that stays where it is until its next point."""
    corners: list[tuple[float, float]] = []
    before = 0.0
    for x, y in points:
        corners += [(x, before), (x, y)]
        before = y
    return [*corners, (end, before)] if corners else []


def _axes(plot: Plot, place: Callable[[float, float], str], low: float, high: float) -> list[str]:
    parts = []
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        x = 10.0**power
        foot, head = place(x, 0), place(x, plot.top)
        parts.append(
            f'<path d="M{foot}L{head}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{foot.split(",")[0]}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
            f"{x:g}</text>"
        )
    for fifth in range(6):
        y = plot.top * fifth / 5
        left, right = place(low, y), place(high, y)
        label = f"{y:.0%}" if plot.top == 1 else f"{y:.0f}"
        parts.append(
            f'<path d="M{left}L{right}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{LEFT - 6}" y="{float(left.split(",")[1]) + 4:.1f}" text-anchor="end">'
            f"{label}</text>"
        )
    parts.append(
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT - BOTTOM + 34}" text-anchor="middle">'
        f"{xml_text(plot.across)}</text>"
    )
    return parts


def png(plots: Sequence[Plot]) -> bytes:
    """Return plots side by side as PNG.

    Raises
    ------
    SolverMissing
        If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise SolverMissing("PNG needs matplotlib; pip install 'calmip[plot]'") from None
    figure = Figure(figsize=(7 * len(plots), 5), layout="constrained")
    FigureCanvasAgg(figure)
    for number, plot in enumerate(plots, start=1):
        axes = figure.add_subplot(1, len(plots), number)
        low, high = plot.span
        for place, (name, points) in enumerate(plot.curves):
            corners = _steps(points, high)
            style = ("-", "--", ":", "-.")[place // len(SHADES) % 4]
            x, y = zip(*corners, strict=True) if corners else ((), ())
            axes.plot(x, y, style, color=SHADES[place % len(SHADES)], label=name)
        axes.set(
            xscale="log", xlim=(low, high), ylim=(0, plot.top), title=plot.title,
            xlabel=plot.across, ylabel=plot.up,
        )  # fmt: skip
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120, metadata={"Software": None})
    return stream.getvalue()


def csv(report: Report) -> str:
    """Return a line per run."""
    names = [*FIRST, *(name for name in report.runs[0] if name not in FIRST)]
    return csv_text(names, ([run[name] for name in names] for run in report.runs))


def runs_json(report: Report) -> str:
    """Return the report with its runs, their first columns first, as JSON."""
    found = report.describe()
    found["runs"] = [{**{name: run[name] for name in FIRST}, **run} for run in found["runs"]]
    return json_text(found)


def pictures(report: Report, form: str) -> str | bytes:
    """Return the performance profile as SVG, or both plots as PNG.

    Raises
    ------
    SolverMissing
        If matplotlib is needed (PNG) and not installed.
    """
    profile = performance(report)
    return svg(profile) + "\n" if form == "svg" else png([profile, cactus(report)])


FORMS_OF: dict[str, Forms] = {
    "Bench": {"text": text, "json": as_json},
    "Difference": {"text": text, "json": as_json},
}
"""Those of results that have no runs to show."""

FORMS: Forms = {
    "text": text,
    "html": report_page,
    "md": markdown,
    "csv": csv,
    "json": runs_json,
    **dict.fromkeys(("svg", "png"), pictures),
}
