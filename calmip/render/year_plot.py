"""The year of a puzzle as a plot: calendar heat-maps, histogram, months and weekdays.

Drawn by matplotlib without its global state; see `calmip.render.printing`.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from calmip.render.colours import checked_theme
from calmip.render.escaping import harmless, xml_text
from calmip.render.fonts import font_families, no_word_on_fonts
from calmip.render.plot_parts import IMPOSSIBLE, WIDE, Painter, is_light, short_number
from calmip.render.printing import plotting
from calmip.render.year_text import month_names, summary_lines, weekday_names
from calmip.tasks.year import DateCount, Year

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["year_plot"]

MOST_MAPS = 7

# Inches: the right margin, the heading, the colour bar, the lower plots.
RIGHT = 0.3
HEADING, BAR, LOWER, FOOT = 1.6, 1.25, 2.7, 0.5


def year_plot(year: Year, form: str, *, theme: str = "light") -> bytes:
    """Return the plot of a year as a file; the same year gives the same bytes.

    Parameters
    ----------
    year
        The counts.
    form
        ``svg``, ``png`` or ``pdf``.
    theme
        ``light`` or ``dark``; ``auto`` is light here.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is not installed.
    """
    checked_theme(theme)
    plotting()
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    settings: Any = {
        "svg.hashsalt": "calmip",  # identifiers that do not change from run to run
        "svg.fonttype": "none",  # text stays text
        "pdf.fonttype": 42,
        "hatch.linewidth": 0.5,
        "axes.unicode_minus": False,
    }
    title = harmless(f"{year.puzzle.name}: tilings of every date")
    sink = io.BytesIO()
    with no_word_on_fonts(), matplotlib.rc_context(settings):
        figure = _Plot(year, theme).figure
        canvas: Any
        if form == "png":
            canvas = FigureCanvasAgg(figure)
            figure.set_dpi(150)
            canvas.print_png(sink, metadata={"Software": None, "Title": title})
        elif form == "pdf":
            canvas = FigureCanvasPdf(figure)
            about = {"CreationDate": None, "Creator": "calmip", "Producer": None, "Title": title}
            canvas.print_pdf(sink, metadata=about)
        else:
            canvas = FigureCanvasSVG(figure)
            canvas.print_svg(sink, metadata={"Date": None, "Creator": "calmip"})
            return _accessible(sink.getvalue().decode(), title, summary_lines(year)).encode()
    return sink.getvalue()


def _accessible(svg: str, title: str, lines: Sequence[str]) -> str:
    """Return the SVG with a title and a description for those who do not see it."""
    start = re.search(r"<svg [^>]*>", svg)
    assert start is not None
    head = start.group()[:-1] + f' role="img" aria-label="{xml_text(title)}">'
    about = f"\n <title>{xml_text(title)}</title>\n <desc>{xml_text('. '.join(lines))}.</desc>"
    return svg[: start.start()] + head + about + svg[start.end() :]


class _Plot(Painter):
    """Draws one figure."""

    def __init__(self, year: Year, theme: str) -> None:
        panels = _panels(year)
        single = len(panels) == 1
        each, gap = (3.9, 0.0) if single else (1.6, 0.14)
        maps = len(panels) * (each + gap)
        self.left = 0.7 if single else 1.1
        super().__init__(year, theme, HEADING + maps + BAR + LOWER + FOOT)
        self._heading()
        top = HEADING
        for number, (name, counts) in enumerate(panels.items()):
            axes = self.axes(self.left, top, WIDE - self.left - RIGHT, each)
            last = number == len(panels) - 1
            self._heat_map(axes, name, counts, numbers=single, last=last)
            top += each + gap
        self.colour_bar(self.left, top + 0.38)
        top += BAR
        months = month_names(year)
        width = 4.6 if not year.by_weekday else 3.5
        self.histogram(self.axes(self.left, top, width, LOWER))
        left = self.left + width + 0.85
        width = WIDE - RIGHT - left - (3.3 if year.by_weekday else 0)
        self.ranges(self.axes(left, top, width, LOWER), "by month", months, year.by_month)
        if year.by_weekday:
            left += width + 0.75
            axes = self.axes(left, top, WIDE - RIGHT - left, LOWER)
            self.ranges(axes, "by weekday", weekday_names(year), year.by_weekday)

    def _heading(self) -> None:
        title = harmless(self.year.puzzle.name) + (f", {self.year.year}" if self.year.year else "")
        lines = [(title, 0.2, 15, "bold")]
        for number, line in enumerate(summary_lines(self.year)):
            lines.append((harmless(line), 0.56 + 0.2 * number, 9, "normal"))
        for text, top, size, weight in lines:
            self.figure.text(
                self.left / WIDE, 1 - top / self.high, text, fontsize=size, fontweight=weight,
                fontfamily=font_families(text), color=self.ink, parse_math=False, va="top",
            )  # fmt: skip

    def _heat_map(
        self, axes: Axes, name: str, counts: Sequence[DateCount], *, numbers: bool, last: bool
    ) -> None:
        from matplotlib.patches import Rectangle

        day_names = {count.day: count.labels["day"] for count in self.year.counts}
        months = sorted({count.month for count in self.year.counts})
        days = sorted({count.day for count in self.year.counts})
        found: dict[tuple[int, int], list[DateCount]] = {}
        for count in counts:
            found.setdefault((days.index(count.day), months.index(count.month)), []).append(count)
        for (x, y), here in found.items():
            value = sum(count.tilings for count in here) / len(here)
            real = any(count.real for count in here)
            fill = self.map(self.norm(value)) if value else self.paper
            text = short_number(value) if value else IMPOSSIBLE
            if not real:
                patch = Rectangle((x, y), 1, 1, fc=self.board, ec=self.quiet, hatch="////", lw=0)
            else:
                patch = Rectangle((x, y), 1, 1, fc=fill, ec=self.paper, lw=0.8)
            axes.add_patch(patch)
            if not real or (value and not numbers):
                continue
            size = 7 if value else 11 if numbers else 8
            shade = self.ink if not value else "#000000" if is_light(fill) else "#ffffff"
            self.text(axes, x + 0.5, y + 0.5, text, color=shade, fontsize=size, ha="center",
                       va="center_baseline", fontweight="normal" if value else "bold")  # fmt: skip
        axes.set_xlim(0, len(days))
        axes.set_ylim(len(months), 0)
        labels = [day_names[day] for day in days]
        axes.set_xticks(
            np.arange(len(days)) + 0.5, map(harmless, labels) if last else [""] * len(days)
        )
        names = [month_names(self.year)[month] for month in months]
        axes.set_yticks(np.arange(len(months)) + 0.5, list(map(harmless, names)))
        self.fonts(axes)
        if name:
            axes.set_ylabel(harmless(name), color=self.ink, fontsize=11, fontweight="bold",
                            rotation=0, ha="right", va="center", parse_math=False,
                            fontfamily=font_families(name))  # fmt: skip


def _panels(year: Year) -> dict[str, list[DateCount]]:
    """Return the dates by weekday where the same day has several, else all together."""
    counts = list(year.counts)
    if len({(count.month, count.day) for count in counts}) == len(counts):
        return {"": counts}
    if "weekday" not in year.puzzle.groups:
        return {"": counts}
    return {
        label: [count for count in counts if count.labels["weekday"] == label]
        for label in year.puzzle.groups["weekday"][:MOST_MAPS]
    }
