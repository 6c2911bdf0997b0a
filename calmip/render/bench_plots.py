"""Performance profiles and cactus plots of a campaign, as SVG by hand and by matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmip.errors import SolverMissing
from calmip.render.escaping import xml_text
from calmip.tasks.bench import Report
from calmip.tasks.campaign.statistics import profile

__all__ = ["Plot", "cactus", "performance", "png", "svg"]

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
