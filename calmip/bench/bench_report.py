"""Campaigns as text, Markdown, a page, CSV, JSON, performance profiles and cactus plots."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from calmip._base.errors import InputError, clip, did_you_mean, join_words
from calmip.bench.campaign.jobs import STATUSES
from calmip.bench.campaign.logs import primal_gap
from calmip.bench.campaign.watch import SUMS
from calmip.puzzle.documents.serialise import csv_text, json_text
from calmip.puzzle.lattice import Point
from calmip.puzzle.render.escaping import latex_text
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box, fit, shift
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Drawing,
    Output,
    as_latex,
    as_page,
    forms_from,
    svg_by,
)

if TYPE_CHECKING:
    from calmip.bench.bench import (
        Alarms,
        Bench,
        Difference,
        Merged,
        Report,
        SolverLog,
        Watched,
    )
    from calmip.bench.campaign.statistics import Time
    from calmip.features import Call

FIRST = (
    "instance",
    "formulation",
    "solver",
    "version",
    "settings",
    "options",
    "seed",
    "status",
    "correct",
    "wall",
    "cpu",
    "start_wall",
    "start_cpu",
    "memory",
    "nodes",
    "root_bound",
    "first_solution",
    "primal_integral",
)
"""The columns that stand first in CSV and in the records of JSON."""


def report(result: Report) -> Document:
    """Return the statistics of the runs: tables, plots and notes."""
    first, *others = _tables(result)
    drawings = [
        Drawing(None, svg_by(partial(_picture, plot, result)), title)
        for title, plot in _plots(result)
    ]
    blocks = [first, *drawings, "", *(part for table in others for part in (table, ""))]
    return Document(result.title, [*blocks, *_notes(result)])


def interactive(result: Report) -> Document:
    """Return the statistics, and the runs by instance with their logs, as a page has them."""
    from calmip.bench.campaign_page import SCRIPT, STYLE, runs_markup

    texts = report(result)
    runs = Drawing(None, lambda _: runs_markup(result), "Runs by instance")
    return Document(texts.title, [*texts.blocks, runs], STYLE, SCRIPT)


def _runs(number: int) -> str:
    return "1 run" if number == 1 else f"{number} runs"


def bench(result: Bench) -> Document:
    """Return the number of runs, the statuses of the new ones, and the wrong ones."""
    found = Counter(str(run["status"]) for run in result.runs)
    words = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    lines = [
        f"{result.path}: {_runs(len(result.runs))}{f' ({words})' if words else ''}"
        f"{f', and {result.kept} done before' if result.kept else ''}"
        f"{'' if result.shard.whole else f'; shard {result.shard}'}"
    ]
    lines += [*_wrong(result), *(f"refuted: {doubt}" for doubt in result.doubts)]
    lines += _contradictions(result)
    return Document(result.name, [clip(line, 1000) for line in lines])


def merged(result: Merged) -> Document:
    """Return the number of runs of a merged file, and the conflicts."""
    machines = f" on {len(result.machines)} machines" if len(result.machines) > 1 else ""
    files = "1 file" if len(result.sources) == 1 else f"{len(result.sources)} files"
    lines = [f"{result.path}: {_runs(result.runs)} of {files}{machines}"]
    lines += [f"conflict: {line}" for line in result.conflicts]
    return Document(result.path.stem, [clip(line, 1000) for line in lines])


def watch(result: Watched) -> Document:
    """Return a table of the solvers: runs done, running, solved and wrong, and the time left."""
    sums = {one: sum(row[one] for row in result.solvers) for one in SUMS}
    rows = [*result.solvers, {"solver": "all", **sums, "left": result.left}]
    table = _table(
        "Done" if result.done else "Running",
        ("", "done", "of", "running", "solved", "wrong", "time left"),
        (
            (
                row["solver"],
                *(row[one] for one in ("done", "planned", "running", "solved", "wrong")),
                "-" if row["left"] is None else str(timedelta(seconds=math.ceil(row["left"]))),
            )
            for row in rows
        ),
        f"as of {result.updated}",
    )
    lines = [
        f"{path}: not written for a minute; if its campaign has ended, run it again to continue"
        for path in result.silent
    ]
    title = ", ".join(path.stem for path in result.paths)
    refresh = 0.0 if result.done else result.refresh or 0.0
    return Document(title, [table, *(clip(line, 1000) for line in lines)], refresh=refresh)


def run_watch(call: Call) -> int:
    """Run ``bench watch``: again and again with --refresh, until the campaigns are done."""
    result, seconds = call.work(call.output), call.given["refresh"]
    while seconds is not None and not result.done:
        time.sleep(seconds)
        if call.output is None:
            result = call.work(None)
        else:
            from calmip.bench.bench import bench_watch

            result = bench_watch(call.given["results"], refresh=seconds)
            result.save(call.output)
    return call.code(result)


def difference(result: Difference) -> Document:
    """Return the competitors that became faster, slower or wrong."""
    return Document(" to ".join(path.stem for path in result.paths), _changes(result))


def _changes(difference: Difference) -> list[Block]:
    head = ("", "runs", "instances", "solved", "time", "95 % interval", "")
    rows = [
        (
            f"{change['name']} {' to '.join(dict.fromkeys(change['versions']))}",
            str(change["problems"]),
            str(change["instances"]),
            " to ".join(map(str, change["solved"])),
            "-" if change["ratio"] is None else f"x {change['ratio']:.3f}",
            "-" if change["low"] is None else f"{change['low']:.3f} to {change['high']:.3f}",
            "REGRESSION" if change["regression"] else "",
        )
        for change in difference.changes
    ]
    lines: list[Block] = [DataTable(head, [list(map(clip, row)) for row in rows], left=(0, 6))]
    if difference.drift is not None:
        lines.append(
            f"reference jobs: x {difference.drift:.3f} by the {difference.clock} clock, by which "
            "times are divided"
        )
    lines += [clip(f"note: {note}", 1000) for note in difference.notes]
    for word, runs in (("worse", difference.worse), ("better", difference.better)):
        lines += [
            clip(
                f"{word}: {run['instance']}, {run['name']}, seed {run['seed']}: "
                f"{run['before']} to {run['after']}",
                1000,
            )
            for run in runs
        ]
    lines += _contradictions(difference)
    if difference.unchanged:
        lines.append("no change")
    return lines


def alarms(result: Alarms) -> Document:
    """Return how often a solver against itself looked like a regression."""
    head = ("", "campaigns", "instances", "alarms", "excluding 1", "spread", "+5 %", "+10 %")
    rows = [
        (
            row["name"],
            row["campaigns"],
            row["instances"],
            row["alarms"],
            row["excluding"],
            f"{row['spread']:.1%}",
            *("-" if one is None else str(one) for one in row["rounds"]),
        )
        for row in result.competitors
    ]
    note = (
        "excluding 1: intervals without 1; spread: standard deviation of a pair's ratio; "
        "+5 %, +10 %: rounds that find such a slowdown in nine of ten campaigns"
    )
    summary = f"{result.alarms} false alarms in {result.campaigns} campaigns ({result.rate:.1%})"
    return Document(result.path.stem, [_table(summary, head, rows, note)])


def _tables(results: Report) -> list[DataTable]:
    found = results.summary
    return [
        _overview(results),
        *([_common(results)] if found["taken_by_all"] else []),
        *(
            [_by_class("Runs by machine", _machine_names(results), found["machines"])]
            if len(results.machines) > 1
            else []
        ),
        *(
            [_by_class("Instances by tag", [one["tag"] for one in found["tags"]], found["tags"])]
            if found["tags"] and len(results.machines) == 1
            else []
        ),
        *([_pairs(results), _discriminating(results)] if found["pairs"] else []),
    ]


COLUMNS = {
    "version": "the solver's version",
    "runs": "runs with a time",
    "solved": "solved and verified",
    "unverified": "answers that nothing decides",
    **{word: text for word, text in STATUSES.items() if word not in ("solved", "unverified")},
    "left_out": "runs without a time",
    "par2": "mean seconds, twice the limit if unsolved",
    "par10": "mean seconds, ten times the limit if unsolved",
    "mean": "shifted geometric mean of seconds",
    "start": "mean seconds of starting the solver",
    "with_start": "the mean with them",
    "primal_integral": "shifted geometric mean of the primal integrals",
}
"""The columns of the first table after the competitors' names."""

HEADS = {
    "left_out": "left out",
    "par2": "PAR2",
    "par10": "PAR10",
    "with_start": "with start",
    "primal_integral": "primal integral",
}
"""The heads of columns that differ from their names."""

MAX_MACHINE_CHARACTERS = 16
"""The longest name of a machine as the head of a column."""

OF_TIMES = ("par2", "par10", "mean", "start", "with_start")


def _machine_names(results: Report) -> list[str]:
    """Return a short name for each machine, the longer ones by number."""
    return [
        name if len(name) <= MAX_MACHINE_CHARACTERS else f"machine {number}"
        for number, name in enumerate(results.machines, start=1)
    ]


def _overview(results: Report) -> DataTable:
    """Return the table of all runs by competitor, of the columns asked for or those with entries.

    Seconds of several machines are not averaged.
    """
    found = results.summary
    rows = [
        *found["competitors"],
        {"name": "virtual best", "statuses": {}, **found["virtual_best"]},
    ]
    several = len(results.machines) > 1

    def value(row: Mapping[str, Any], column: str) -> Any:
        if several and column in OF_TIMES:
            return None
        key = {"mean": "shifted_mean", "start": "startup", "with_start": "mean_with_startup"}
        own = row["statuses"].get(column, 0) if column in STATUSES and column not in row else None
        return row.get(key.get(column, column), own)

    # A number of runs that is 0 for all is left out, and what is unknown for all.
    used = {
        column: any((one := value(row, column)) or type(one) is float for row in rows)
        for column in COLUMNS
    }
    usual = {"version", "runs", "solved"} | {
        one for one in ("par2", "par10", "mean") if not several
    }
    columns = _chosen(results, COLUMNS, [one for one in COLUMNS if used[one] or one in usual])
    note = f"mean: shifted geometric, shift {results.shift:g} s" if "mean" in columns else ""
    for column, text in {
        "start": "start: mean seconds of starting the solver, which PAR2, PAR10 and mean leave out",
        "primal_integral": "primal integral: shifted geometric mean in seconds, of the runs that "
        "have one",
        "left_out": "runs left out have no time: unfit, infeasible or starved",
        "unverified": "unverified answers count as solved in PAR2, PAR10 and mean",
    }.items():
        if column in columns:
            note += f"; {text}" if note else text
    none = {"version": "", "left_out": 0}
    return _table(
        f"{_runs(len(results.runs))}, seconds by the {results.clock} clock",
        ("", *(HEADS.get(column, column) for column in columns)),
        (
            (
                row["name"],
                *(
                    none.get(column) if (one := value(row, column)) is None else one
                    for column in columns
                ),
            )
            for row in rows
        ),
        note,
        left=[n for n, column in enumerate(["", *columns]) if column in ("", "version")],
    )


def _chosen(results: Report, known: Collection[str], usual: Sequence[str]) -> Sequence[str]:
    """Return the columns of a table: those asked for, or the usual ones."""
    for column in results.columns:
        if column not in known:
            near = did_you_mean(column, known)
            raise InputError(
                f"there is no column '{clip(column)}'{f' (did you mean {near}?)' if near else ''}; "
                f"the columns here are {join_words(known)}"
            )
    return list(dict.fromkeys(results.columns)) or usual


def _common(results: Report) -> DataTable:
    """Return the table of the runs that all competitors take."""
    common = results.summary["taken_by_all"]
    return _table(
        f"The {_runs(len(results.shared))} that all competitors take",
        ("", "runs", "solved", "PAR2", "PAR10", "mean"),
        (
            (
                row["name"],
                row["runs"],
                row["solved"] + row["unverified"],
                row["par2"],
                row["par10"],
                row["shifted_mean"],
            )
            for row in [
                *common["competitors"],
                {"name": "virtual best", **common["virtual_best"]},
            ]
        ),
    )


def _by_class(title: str, heads: Sequence[str], classes: Sequence[Mapping[str, Any]]) -> DataTable:
    """Return the means of the competitors on classes of runs, with the numbers of runs below."""
    rows: list[list[object]] = [["instances", *(one["instances"] for one in classes)]]
    names = [row["name"] for row in classes[0]["competitors"]]
    for place, name in enumerate([*names, "virtual best"]):
        cells = [[*one["competitors"], one["virtual_best"]][place] for one in classes]
        rows.append([name, *(cell["shifted_mean"] for cell in cells)])
        solved = (f"{one['solved'] + one['unverified']}/{one['runs']}" for one in cells)
        rows.append(["", *solved])
    return _table(
        title,
        ("", *heads),
        rows,
        "mean, and below it the runs that are solved, of those with a time; "
        "an instance may be in several classes",
    )


def _pairs(results: Report) -> DataTable:
    """Return the table of the competitors, two by two."""
    found = results.summary
    return _table(
        "Pairs, on the runs that both have",
        ("", "against", "runs", "wins", "losses", "ratio", "95 % interval"),
        (
            (
                two["first"],
                two["second"],
                two["problems"],
                two["wins"],
                two["losses"],
                two["ratio"],
                f"{two['low']:.3f} to {two['high']:.3f}",
            )
            for two in found["pairs"]
        ),
        f"ratio: of the geometric means of seconds + {results.shift:g}; "
        "interval: bootstrap over instances",
        left=(0, 1),
    )


def _discriminating(results: Report) -> DataTable:
    """Return the table of the instances on which the competitors differ most."""
    found = results.summary
    return _table(
        "Most discriminating instances",
        ("", "fastest", "PAR10", "slowest", "PAR10"),
        (
            (
                row["instance"],
                row["fastest"],
                row["fastest_par10"],
                row["slowest"],
                row["slowest_par10"],
            )
            for row in found["discriminating"]
        ),
        left=(0, 1, 3),
    )


def _table(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    note: str = "",
    left: Collection[int] = (0,),
) -> DataTable:
    """Return a table; its texts, such as names of files, are escaped and cut."""
    return DataTable(head, [list(map(_cell, row)) for row in rows], title, note, left, "  ")


def _cell(value: object) -> str:
    text = "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return clip(text, 200)


def _notes(results: Report) -> list[str]:
    drift = results.summary["reference"]
    lines = []
    if drift is not None:
        taken = "; ".join(
            f"{drift[clock][0]:.3f}, {drift[clock][1]:.3f}, {drift[clock][2]:.3f} s {clock}"
            for clock in ("wall", "cpu")
            if clock in drift
        )
        jobs = "1 reference job" if drift["jobs"] == 1 else f"{drift['jobs']} reference jobs"
        lines.append(f"{jobs} took (least, median, most) {taken}")
    lines += [f"refuted: {doubt}" for doubt in results.doubts]
    named = zip(_machine_names(results), results.machines, strict=True)
    several = len(results.machines) > 1
    lines += [
        f"{short}: {name}" if several and short != name else f"machine: {name}"
        for short, name in named
    ]
    lines += [*_wrong(results), *_contradictions(results)]
    return [clip(line, 1000) for line in lines]


def _contradictions(result: Bench | Report | Difference) -> list[str]:
    return [f"contradiction: {line}" for line in result.contradictions]


def _wrong(result: Bench | Report) -> list[str]:
    return [
        f"wrong: {run['instance']}, {run['formulation']}, {run['solver']}: {run['detail']}"
        for run in result.runs
        if run["status"] == "wrong"
    ]


# Distinguishable with colour blindness (Okabe and Ito 2008), then by dashes.
SHADES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888")
DASHES = ((), (0.16, 0.07), (0.05, 0.07), (0.2, 0.07, 0.05, 0.07))

WIDTH, FLOOR, LEFT, TOP = 10.8, 6.0, 1.2, 0.7
TYPE_HEIGHT, LINE_HEIGHT, GRID_WIDTH = 0.31, 0.4, 0.03


def step_plot(
    title: str,
    across: str,
    up: str,
    curves: Sequence[tuple[str, Sequence[Point]]],
    top: int | None = None,
    *,
    start: float = 0.0,
) -> Picture:
    """Return step curves, each a name and corners, over a logarithmic axis.

    They count up to a number; without it they are shares. Each begins at the height ``start``.
    """
    most = top or 1
    values = [x for _, points in curves for x, _ in points] or [1.0]
    first = math.floor(math.log10(min(values)))
    last = max(math.ceil(math.log10(max(values))), first + 1)

    def place(x: float, y: float) -> Point:
        share = (math.log10(x) - first) / (last - first)
        return LEFT + share * (WIDTH - LEFT - 0.3), FLOOR - y / most * (FLOOR - TOP)

    def line(points: Sequence[Point], number: int) -> Area:
        shade, dash = SHADES[number % len(SHADES)], DASHES[number // len(SHADES) % len(DASHES)]
        return Area((tuple(points),), "", shade, 0.05, closed=False, dash=dash)

    marks: list[Mark] = [Words(LEFT, 0.3, up, TYPE_HEIGHT, start=True)]
    for power in range(first, last + 1):
        x, y = place(10.0**power, most)
        marks += [
            Area((box(x - GRID_WIDTH / 2, y, GRID_WIDTH, FLOOR - y),), "board"),
            Words(x, FLOOR + 0.35, f"{10.0**power:g}", TYPE_HEIGHT),
        ]
    # Runs are whole numbers: the step is 1, 2 or 5 times a power of ten, at most eight steps.
    powers = (10**power for power in range(10))
    step = next(n * p for p in powers for n in (1, 2, 5) if most <= 8 * n * p)
    heights = [fifth / 5 for fifth in range(6)] if top is None else range(0, most + 1, step)
    for height in heights:
        x, y = place(10.0**first, height)
        label = f"{height:.0%}" if top is None else str(height)
        marks += [
            Area((box(x, y - GRID_WIDTH / 2, WIDTH - 0.3 - x, GRID_WIDTH),), "board"),
            Words(LEFT - 0.15, y, label, TYPE_HEIGHT, end=True),
        ]
    marks.append(Words(WIDTH / 2, FLOOR + 0.8, across, TYPE_HEIGHT))
    below = FLOOR + 1.3
    for number, (name, points) in enumerate(curves):
        corners: list[Point] = []
        before = start
        for x, y in points:  # each curve stays where it is until its next point
            corners += [place(x, before), place(x, y)]
            before = y
        if corners:
            marks.append(line([*corners, place(10.0**last, before)], number))
        marks.append(line(((LEFT, below), (LEFT + 0.7, below)), number))
        text, size = fit(name, WIDTH - LEFT - 1.2, TYPE_HEIGHT, 0.15)
        marks.append(Words(LEFT + 0.9, below, text, size, start=True))
        below += LINE_HEIGHT
    description = f"{up.capitalize()}, by {across}."
    return Picture(WIDTH, below, tuple(marks), title, description)


class StepPlot(NamedTuple):
    """A plot of step curves, as `step_plot` draws it."""

    title: str
    across: str
    up: str
    curves: Sequence[tuple[str, Sequence[Point]]]
    top: int | None = None
    start: float = 0.0

    def picture(self) -> Picture:
        """Return the plot as a picture."""
        return step_plot(self.title, self.across, self.up, self.curves, self.top, start=self.start)

    def tikz(self) -> list[str]:
        """Return the plot as lines for TikZ with the package pgfplots."""
        lines = [
            f"% {self.title}",
            r"\begin{tikzpicture}",
            r"\begin{semilogxaxis}[const plot, legend pos=outer north east, "
            f"xlabel={{{latex_text(self.across)}}}, ylabel={{{latex_text(self.up)}}}]",
        ]
        for name, points in self.curves:
            first = [(points[0][0], self.start)] if points else []
            marks = " ".join(f"({x:.6g},{y:.6g})" for x, y in [*first, *points])
            lines += [
                rf"\addplot+[mark=none] coordinates {{{marks}}};",
                rf"\addlegendentry{{{latex_text(name)}}}",
            ]
        return [*lines, r"\end{semilogxaxis}", r"\end{tikzpicture}"]


def performance(report: Report) -> StepPlot:
    """Return the performance profiles of Dolan and Moré."""
    from calmip.bench.campaign.statistics import profile

    curves = [(name, profile(times, report.best)) for name, times in _plotted(report)]
    across = "times the seconds of the best"
    return StepPlot("Performance profiles", across, f"share of {_which(report)} solved", curves)


def _plotted(report: Report) -> list[tuple[str, dict[Any, Time]]]:
    """Return the times of each competitor on the runs that all take, if there are any."""
    return [
        (name, {one: entry.times[one] for one in report.shared or entry.times})
        for name, entry in zip(report.names, report.entries, strict=True)
    ]


def _which(report: Report) -> str:
    every = report.summary["taken_by_all"] is None or not report.shared
    return "the runs" if every else f"the {_runs(len(report.shared))} that all take"


def cactus(report: Report) -> StepPlot:
    """Return a plot of the number of runs that each competitor solves over the seconds."""
    curves = []
    for name, times in _plotted(report):
        taken = sorted(max(time.seconds, 1e-4) for time in times.values() if time.solved)
        curves.append((name, [(x, float(number)) for number, x in enumerate(taken, start=1)]))
    top = max(1, *(len(times) for _, times in _plotted(report)))
    up = _which(report).removeprefix("the ") + " solved"
    return StepPlot("Runs solved within a time", f"seconds ({report.clock})", up, curves, top)


MIN_PLOT_SECONDS = 1e-3
"""Seconds at which plots of the gap begin."""


def _gaps(report: Report) -> list[tuple[str, list[Point]]]:
    """Return the mean primal gap of each competitor over the seconds, of the runs with logs."""
    curves = []
    for name, entry in zip(report.names, report.entries, strict=True):
        falls: list[Point] = []
        runs = 0
        for run in entry.runs.values():
            best, course = report.bests.get((run["model"], run["goal"])), None
            if best is not None:
                course = report.courses.get(run["key"])
            if course is None or best is None:
                continue
            runs, before = runs + 1, 1.0
            for seconds, objective, _ in course.steps:
                gap = primal_gap(objective, best)
                falls += [(max(seconds, MIN_PLOT_SECONDS), gap - before)] if gap != before else []
                before = gap
        mean, points = 1.0, []
        for seconds, fall in sorted(falls):
            mean += fall / runs
            points.append((seconds, max(mean, 0.0)))
        curves += [(name, points)] if runs else []
    return curves


def gaps(report: Report) -> StepPlot:
    """Return the mean primal gap of each competitor over the seconds."""
    across = "wall-clock seconds of solving"
    return StepPlot("Mean primal gap", across, "mean primal gap", _gaps(report), start=1.0)


def _picture(plot: Callable[[Report], StepPlot], report: Report) -> Picture:
    return plot(report).picture()


def _plots(report: Report) -> list[tuple[str, Callable[[Report], StepPlot]]]:
    """Return the functions that make the plots, each with its title."""
    known = any(
        (run["model"], run["goal"]) in report.bests and run["key"] in report.courses
        for run in report.runs
    )
    found = [("Performance profiles", performance), ("Runs solved within a time", cactus)]
    return [*found, *([("Mean primal gap", gaps)] if known else [])]


def tikz(report: Report) -> str:
    """Return all plots for TikZ."""
    lines = [line for _, plot in _plots(report) for line in ("", *plot(report).tikz())]
    return "\n".join([f"% {clip(report.title, 200)}; needs the package pgfplots", *lines]) + "\n"


def latex(result: Report) -> str:
    """Return the tables for LaTeX."""
    return as_latex(report(result))


def plots(report: Report) -> Picture:
    """Return all plots side by side."""
    every = [plot(report).picture() for _, plot in _plots(report)]
    marks = [mark for n, one in enumerate(every) for mark in shift(one.marks, n * WIDTH, 0)]
    height, title = max(one.height for one in every), "; ".join(one.title for one in every)
    return Picture(len(every) * WIDTH, height, tuple(marks), report.title, f"{title}.")


def log(result: SolverLog) -> Document:
    """Return what the log of a run says of its search, and the log."""
    run, course = result.run, result.course
    lines: list[Block] = [
        f"{run['instance']}, {run['solver']} {run['version']}, seed {run['seed']}: {run['status']}"
        f" (run {run['key'][:8]})",
    ]
    if course is not None:
        named = ("root bound", "root_bound"), ("first incumbent after seconds", "first_solution")
        lines += [f"{name}: {_cell(run[key])}" for name, key in named]
        integral = "" if result.best is None else f", against the objective {result.best:g}"
        lines.append(f"primal integral in seconds: {_cell(run['primal_integral'])}{integral}")
        rows = [(f"{one:.3f}", *map(_figure, others)) for one, *others in course.steps]
        lines += ["", DataTable(("seconds", "incumbent", "best bound"), rows, left=())]
        if result.has_picture:
            lines.append(Drawing(None, svg_by(lambda: course_plot(result)), "Gap"))
    log = "\n".join(f"{line.seconds:9.3f}  {clip(line.text, 10_000)}" for line in result.lines)
    drawn = Drawing(lambda _: log, title="Log, by seconds after the start of the call")
    escaped = (clip(line, 1000) if isinstance(line, str) else line for line in lines)
    return Document(result.path.stem, [*escaped, "", drawn])


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.10g}"


def course_plot(result: SolverLog) -> Picture:
    """Return the primal and the dual gap of a run over the seconds."""
    if result.course is None or result.best is None:
        raise InputError("there is no gap to draw: the log shows none, or no objective is checked")
    best, steps = result.best, result.course.steps
    curves = [
        (
            "primal gap",
            [(max(s, MIN_PLOT_SECONDS), primal_gap(primal, best)) for s, primal, _ in steps],
        ),
        ("dual gap", [(max(s, MIN_PLOT_SECONDS), primal_gap(dual, best)) for s, _, dual in steps]),
    ]
    title = f"{result.run['instance']}, {result.run['solver']}"
    return step_plot(title, "wall-clock seconds of solving", f"gap to {best:g}", curves, start=1.0)


def steps_csv(result: SolverLog) -> str:
    """Return a line per change of the incumbent or the bound."""
    steps = () if result.course is None else result.course.steps
    return csv_text(("seconds", "incumbent", "best_bound"), steps)


def page_of(result: Report, theme: str) -> str:
    """Return the report as a page, with its runs."""
    return as_page(interactive(result), theme)


def csv(report: Report) -> str:
    """Return a line per run."""
    every = [*FIRST, *(name for name in report.runs[0] if name not in FIRST)]
    names = _chosen(report, every, every)
    return csv_text(names, ([run[name] for name in names] for run in report.runs))


def runs_json(report: Report) -> str:
    """Return the report with its runs, their first columns first, as JSON."""
    found = report.describe()
    every = [*FIRST, *(name for name in report.runs[0] if name not in FIRST)]
    names = _chosen(report, every, every)
    found["runs"] = [{name: run[name] for name in names} for run in found["runs"]]
    return json_text(found)


ALARMS = Output(forms_from(alarms))
BENCH = Output(forms_from(bench))
DIFFERENCE = Output(forms_from(difference))
SOLVER_LOG = Output(forms_from(log, course_plot, csv=steps_csv))
MERGED = Output(forms_from(merged))
WATCHED = Output(forms_from(watch))
REPORT = Output(
    forms_from(report, plots, csv=csv, json=runs_json, html=page_of, tex=latex, tikz=tikz)
)
