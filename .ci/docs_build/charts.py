"""Charts of measured seconds, drawn from the tables of the documentation.

No number is written twice: a chart reads a table of a page, or of a file beside it. Seconds lie on
a scale of powers of ten, so a distance is a factor; points and not bars, which would need a zero.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmip.bench.bench_report import WIDTH, step_plot
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, fit, shift, text_width

DOCS = Path(__file__).parents[2] / "docs"

WIDE, EDGE, ROW, SIZE = 17.0, 2.4, 1.75, 0.6
"""The width of a chart, what it leaves at its sides for numbers, the height of a row with its
label above, the size of letters: a phone shows the whole width, and they can be read there."""

ROLES = ("p0", "p3")
"""The colours of a chart's first and second series; their points have two shapes as well."""


@dataclass(frozen=True)
class Chart:
    """Seconds by row: what is measured, and one or two series of it."""

    name: str
    title: str
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def charts() -> Iterator[Chart]:
    """Yield the charts of the page of benchmarks."""
    table = _kept("leap-day")
    yield Chart("bench-methods", "All 64 tilings of leap day, seconds", ("",), _rows(table, 1))
    table = _table("about/benchmarks.md", "", "calmip, mean")
    yield Chart(
        "bench-solve",
        "One tiling of a date, mean seconds",
        ("calmip", "CP-SAT"),
        _rows(table, 1, 2),
    )
    table = _kept("one-tree")
    yield Chart(
        "bench-tree", "All tilings, seconds", ("one-tree of calmip", "CP-SAT"), _rows(table, 1, 2)
    )
    table = _kept("years")
    rows = tuple((f"{label} ({cells[0]})", (_number(cells[1]),)) for label, *cells in table[1:])
    yield Chart("bench-years", "Counting every date of a board, seconds", ("",), rows)
    names, first, second = _table("about/benchmarks.md", "", "HiGHS", "CBC", "SCIP", "GLPK")
    rows = tuple(
        (name, (_number(one), _number(other)))
        for name, one, other in zip(names[1:], first[1:], second[1:], strict=True)
    )
    yield Chart(
        "bench-solvers",
        "One model, seven solvers, seconds",
        ("a tiling of Feb 29", "none on Dec 29 without flips"),
        rows,
    )


def _kept(name: str) -> list[list[str]]:
    """Return the rows of a table that is kept, its head first."""
    data = json.loads((DOCS.parent / "benchmarks/tables" / f"{name}.json").read_text("utf-8"))
    return [[_plain(cell) for cell in row] for row in (data["head"], *data["rows"])]


def _table(page: str, *header: str) -> list[list[str]]:
    """Return the rows of the one table of a page whose header begins so, the header first."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    rows = [[_plain(cell) for cell in line.split("|")[1:-1]] for line in lines]
    starts = [n for n, row in enumerate(rows) if row and _begins(row, header)]
    assert len(starts) == 1, f"{page}: {len(starts)} tables begin with {header}"
    end = next((n for n in range(starts[0], len(rows)) if not rows[n]), len(rows))
    return [rows[starts[0]], *rows[starts[0] + 2 : end]]


def _begins(row: Sequence[str], header: Sequence[str]) -> bool:
    first, *others = header
    named = row[0].startswith(first) if first else not row[0]
    return named and list(row[1 : len(header)]) == others


def _plain(cell: str) -> str:
    return cell.strip().replace("`", "")


def _rows(table: list[list[str]], *columns: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    return tuple((row[0], tuple(_number(row[n]) for n in columns)) for row in table[1:])


def _number(cell: str) -> float:
    found = re.match(r"[\d.]+", cell)
    assert found, f"{cell!r} is no number of seconds"
    return float(found[0])


def chart_picture(chart: Chart) -> Picture:
    """Return a chart: a row for each name, a point for each number, which stands beside it."""
    values = [value for _, numbers in chart.rows for value in numbers]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    top = 2.6 if len(chart.series) > 1 else 1.7
    floor = top + ROW * len(chart.rows)

    def place(value: float) -> float:
        return EDGE + (math.log10(value) - low) / (high - low) * (WIDE - 2 * EDGE)

    marks: list[Mark] = [_left(0.4, 0.7, *fit(chart.title, WIDE - 0.8, 0.75, 0.5), bold=True)]
    x = 0.4
    for n, name in enumerate(chart.series if len(chart.series) > 1 else ()):
        marks += [_point(n, x + 0.25, 1.7), _left(x + 0.75, 1.7, name, SIZE)]
        x += 2 + SIZE * text_width(name)
    for power in range(low, high + 1):
        x = place(10.0**power)
        marks.append(Area((_box(x - 0.02, top, 0.04, floor - top),), "board"))
        marks.append(Words(x, floor + 0.55, f"{10.0**power:g} s", SIZE, "quiet"))
    for n, (label, numbers) in enumerate(chart.rows):
        y = top + n * ROW + 1.15
        text, size = fit(label, 1.2 * (WIDE - 0.8), SIZE, 0.4)  # it is not bold
        marks.append(_left(0.4, y - 0.75, text, size))
        marks += [_point(k, place(value), y) for k, value in enumerate(numbers)]
        marks += _beside(numbers, [place(value) for value in numbers], y)
    what = "; ".join(f"{label}: {' and '.join(map(str, n))}" for label, n in chart.rows)
    return Picture(WIDE, floor + 1.2, tuple(marks), chart.title, f"{chart.title}. {what}.")


def _beside(numbers: Sequence[float], places: Sequence[float], y: float) -> list[Mark]:
    """Return the numbers as texts: the greatest right of its point, the other left of its own."""
    found: list[Mark] = []
    for value, x in zip(numbers, places, strict=True):
        half = SIZE * text_width(f"{value:g}") / 2
        side = 1 if value == max(numbers) else -1
        found.append(Words(x + side * (0.45 + half), y, f"{value:g}", SIZE, "quiet"))
    return found


def _point(series: int, x: float, y: float) -> Area:
    corners, radius = (24, 0.26) if series == 0 else (4, 0.32)
    loop = tuple(
        (
            x + radius * math.cos(2 * math.pi * k / corners),
            y + radius * math.sin(2 * math.pi * k / corners),
        )
        for k in range(corners)
    )
    return Area((loop,), ROLES[series], "line", 0.04)


def _box(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _left(x: float, y: float, text: str, size: float, *, bold: bool = False) -> Words:
    return Words(x, y, text, size, bold=bold, start=True)


def curves_picture() -> Picture:
    """Return a plot for each family of generated instances: the size solved within a time."""
    with (DOCS / "about/generated.csv").open(encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    panels = []
    for family in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == family]
        curves = []
        for column, solver in enumerate(head[3:], start=3):
            ended = [row for row in own if row[column] not in ("-", "unfit")]
            points: list[tuple[float, float]] = []
            for seconds, size in sorted((_number(row[column]), int(row[1])) for row in ended):
                if not points or size > points[-1][1]:
                    points.append((seconds, size))
            curves.append((solver, points))
        most = max(int(row[1]) for row in own)
        panels.append(step_plot(family, "median CPU seconds", f"{family}: size", curves, most))
    height = max(panel.height for panel in panels)
    marks = [
        mark
        for number, panel in enumerate(panels)
        for mark in shift(panel.marks, number % 2 * WIDTH, number // 2 * height)
    ]
    title = "The size that each solver solves within a time, by family"
    return Picture(2 * WIDTH, (len(panels) + 1) // 2 * height, tuple(marks), title, f"{title}.")
