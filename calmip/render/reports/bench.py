"""Campaigns as text, Markdown, a page, CSV, JSON and pictures.

The pictures are performance profiles and cactus plots, as SVG by hand and by matplotlib.
"""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from calmip.documents.description import json_text
from calmip.errors import SolverMissing, shown
from calmip.render.escaping import csv_text, xml_text
from calmip.render.palette import AUTO
from calmip.render.report import Block, DataTable, Document, Drawing
from calmip.render.reports import made_of
from calmip.tasks.bench import Bench, Difference, Report
from calmip.tasks.campaign.problems import STATUSES
from calmip.tasks.campaign.statistics import profile, summary

__all__ = ["FORMS", "FORMS_OF", "Plot", "cactus", "performance", "png", "report", "svg"]


FIRST = (
    "instance", "formulation", "solver", "version", "options", "seed", "status", "correct",
    "wall", "cpu", "memory", "nodes",
)  # fmt: skip
"""The columns that stand first in CSV and in the records of JSON."""


def report(result: Bench | Report | Difference) -> Document:
    """Return what was run, what the runs show, or what became different."""
    if isinstance(result, Bench):
        return Document(result.name, _done(result))
    if isinstance(result, Difference):
        return Document(" to ".join(path.stem for path in result.paths), _changed(result))
    first, *others = _tables(result)
    plots = (Drawing(None, partial(svg, plot), plot.title)
             for plot in (performance(result), cactus(result)))  # fmt: skip
    blocks = [first, *plots, "", *(part for table in others for part in (table, ""))]
    return Document(result.path.stem, [*blocks, *_notes(result)])


def _done(bench: Bench) -> list[str]:
    """Say how many runs there are and how those that are new ended, and name the wrong ones."""
    found = Counter(str(run["status"]) for run in bench.runs)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    lines = [
        f"{bench.path}: {len(bench.runs)} runs{f' ({words})' if words else ''}"
        f"{f', and {bench.kept} that were there' if bench.kept else ''}"
    ]
    lines += [*_wrong(bench), *(f"refuted: {doubt}" for doubt in bench.doubts)]
    return [shown(line, 1000) for line in lines]


def _changed(difference: Difference) -> list[Block]:
    head = ("", "problems", "solved", "time", "95 % interval", "")
    rows = [
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
    lines: list[Block] = [DataTable(head, [list(map(shown, row)) for row in rows], left=(0, 5))]
    for word, runs in (("worse", difference.worse), ("better", difference.better)):
        lines += [
            shown(
                f"{word}: {run['instance']}, {run['name']}, seed {run['seed']}: "
                f"{run['before']} to {run['after']}",
                1000,
            )
            for run in runs
        ]
    return lines


def _tables(results: Report) -> list[DataTable]:
    found = summary(results)
    rows = [
        *found["competitors"],
        {"name": "virtual best", "statuses": {}, **found["virtual_best"]},
    ]
    used = [word for word in STATUSES if word not in ("solved", "unverified")]
    used = [word for word in used if any(row["statuses"].get(word) for row in rows)]
    loose = ["unverified"] if any(row["unverified"] for row in rows) else []
    note = f"mean: shifted geometric, shift {results.shift:g} s"
    if loose:
        note += "; unverified answers count as solved in PAR2, PAR10 and mean"
    tables = [
        _table(
            f"{len(results.runs)} runs, seconds by the {results.clock} clock",
            ("", "version", "runs", "solved", *loose, *used, "PAR2", "PAR10", "mean"),
            (
                (
                    row["name"], row.get("version", ""), row["runs"], row["solved"],
                    *(row[word] for word in loose),
                    *(row["statuses"].get(word, 0) for word in used), row["par2"],
                    row["par10"], row["shifted_mean"],
                )
                for row in rows
            ),
            note,
        )
    ]  # fmt: skip
    if found["pairs"]:
        tables += [
            _table(
                "Pairs, on the runs that both have",
                ("", "against", "runs", "wins", "losses", "ratio", "95 % interval"),
                (
                    (
                        two["first"], two["second"], two["problems"], two["wins"], two["losses"],
                        two["ratio"], f"{two['low']:.3f} to {two['high']:.3f}",
                    )
                    for two in found["pairs"]
                ),
                f"ratio: of the geometric means of seconds + {results.shift:g}; "
                "interval: bootstrap over instances",
            ),
            _table(
                "Instances that tell them apart",
                ("", "fastest", "PAR10", "slowest", "PAR10"),
                (
                    (
                        row["instance"], row["fastest"], row["fastest_par10"],
                        row["slowest"], row["slowest_par10"],
                    )
                    for row in found["telling"]
                ),
            ),
        ]  # fmt: skip
    return tables


def _table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[object]], note: str = ""
) -> DataTable:
    """Return a table; the names of files and people in it may hold anything."""
    return DataTable(head, [list(map(_cell, row)) for row in rows], title, note, (0, 1), "  ")


def _cell(value: object) -> str:
    text = "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return shown(text, 200)


def _notes(results: Report) -> list[str]:
    drift = summary(results)["reference"]
    lines = []
    if drift is not None:
        taken = "; ".join(
            f"{drift[clock][0]:.3f}, {drift[clock][1]:.3f}, {drift[clock][2]:.3f} s {clock}"
            for clock in ("wall", "cpu")
            if clock in drift
        )
        lines.append(f"{drift['jobs']} reference jobs took least, median, most: {taken}")
    lines += [f"refuted: {doubt}" for doubt in results.doubts]
    lines += [f"machine: {name}" for name in sorted({str(run["machine"]) for run in results.runs})]
    return [shown(line, 1000) for line in [*lines, *_wrong(results)]]


def _wrong(found: Bench | Report) -> list[str]:
    return [
        f"wrong: {run['instance']}, {run['formulation']}, {run['solver']}: {run['detail']}"
        for run in found.runs
        if run["status"] == "wrong"
    ]


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


def svg(plot: Plot, theme: str = AUTO) -> str:  # noqa: ARG001
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


FORMS_OF = {"Bench": made_of(report), "Difference": made_of(report)}
"""Those of results that have no runs to show."""

FORMS = made_of(report, csv=csv, json=runs_json, svg=pictures, png=pictures)
