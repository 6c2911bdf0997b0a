"""Campaigns as text, Markdown, a page, CSV, JSON and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmip.documents.description import json_text
from calmip.errors import shown
from calmip.render.as_csv import csv_text
from calmip.render.columns import aligned
from calmip.render.escaping import markdown_text
from calmip.render.palette import AUTO
from calmip.tasks.bench import Bench, Difference, Report
from calmip.tasks.campaign.comparing import summary
from calmip.tasks.campaign.judge import STATUSES

__all__ = ["FORMS", "data", "text"]

FORMS = ("text", "html", "md", "csv", "json", "svg", "png")

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


def data(report: Report, form: str, theme: str = AUTO) -> bytes:
    """Return a report in one of `FORMS`.

    Raises
    ------
    SolverMissing
        If matplotlib is needed (PNG) and not installed.
    """
    if form in ("svg", "png", "html"):
        from calmip.render.bench_plots import cactus, performance, png, svg

        plots = [performance(report), cactus(report)]
        if form == "png":
            return png(plots)
        return (svg(plots[0]) + "\n" if form == "svg" else _page(report, theme)).encode()
    if form == "csv":
        names = [*FIRST, *(name for name in report.runs[0] if name not in FIRST)]
        return csv_text(names, ([run[name] for name in names] for run in report.runs)).encode()
    if form == "json":
        found = report.describe()
        found["runs"] = [{**{name: run[name] for name in FIRST}, **run} for run in found["runs"]]
        return json_text(found).encode()
    return (_markdown(report) if form == "md" else text(report)).encode()


def text(result: Bench | Report | Difference) -> str:
    """Return what the command prints."""
    if isinstance(result, Bench):
        return _done(result)
    if isinstance(result, Difference):
        return _changed(result)
    lines = []
    for table in _tables(report := result):
        lines += [table.title, *aligned([table.head, *table.rows], left=(0, 1), indent="  ")]
        lines += [f"  {table.note}"] if table.note else []
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


def _markdown(report: Report) -> str:
    lines = [f"# {markdown_text(report.path.stem)}", ""]
    for table in _tables(report):
        lines += [f"## {table.title}", "", _row(table.head)]
        lines += [f"| {' | '.join(['---', *['---:'] * (len(table.head) - 1)])} |"]
        lines += [_row(row) for row in table.rows]
        lines += ["", *([table.note, ""] if table.note else [])]
    return (
        "\n".join([*lines, *(f"* {markdown_text(note)}" for note in _notes(report))]).rstrip()
        + "\n"
    )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(markdown_text, cells)) + " |"


def _page(report: Report, theme: str) -> str:
    from calmip.render.bench_plots import cactus, performance, svg
    from calmip.render.escaping import xml_text
    from calmip.render.html import page, table

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
