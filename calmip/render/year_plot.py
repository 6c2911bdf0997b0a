"""The year of a puzzle as a plot: calendar heat-maps, histogram, months and weekdays.

Drawn by matplotlib without its global state; see `calmip.render.printing`.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from calmip.render.colours import checked_theme, colour
from calmip.render.escaping import harmless, xml_text
from calmip.render.printing import font_families, no_word_on_fonts, plotting
from calmip.render.year_text import month_names, summary_lines, weekday_names
from calmip.year import DateCount, Difficulty, Year

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["year_plot"]

COLOURS = "viridis"
"""Light for many tilings, dark for few; for colour-blind eyes too, and monotone in grey."""

MOST_MAPS = 7

# Inches: the figure's width and right margin, the heading, the colour bar, the lower plots.
WIDE, RIGHT = 12.4, 0.3
HEADING, BAR, LOWER, FOOT = 1.6, 1.25, 2.7, 0.5

SHADES = 120
"""Steps of the colour bar."""

IMPOSSIBLE = "\N{MULTIPLICATION SIGN}"


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


class _Plot:
    """Draws one figure."""

    def __init__(self, year: Year, theme: str) -> None:
        from matplotlib import colormaps
        from matplotlib.colors import LogNorm
        from matplotlib.figure import Figure

        self.year = year
        self.ink = colour("ink", theme)
        self.quiet = colour("quiet", theme)
        self.paper = colour("paper", theme)
        self.board = colour("board", theme)
        some = [count.tilings for count in year.counts if count.tilings] or [1]
        self.norm = LogNorm(min(some), max(*some, min(some) + 1))
        self.map = colormaps[COLOURS]
        panels = self._panels()
        single = len(panels) == 1
        each, gap = (3.9, 0.0) if single else (1.6, 0.14)
        maps = len(panels) * (each + gap)
        self.left = 0.7 if single else 1.1
        self.high = HEADING + maps + BAR + LOWER + FOOT
        self.figure: Figure = Figure(figsize=(WIDE, self.high), facecolor=self.paper)
        self._heading()
        top = HEADING
        for number, (name, counts) in enumerate(panels.items()):
            axes = self._axes(self.left, top, WIDE - self.left - RIGHT, each)
            last = number == len(panels) - 1
            self._heat_map(axes, name, counts, numbers=single, last=last)
            top += each + gap
        self._colour_bar(top + 0.38)
        top += BAR
        months = dict(enumerate(month_names(year), start=1))
        width = 4.6 if not year.by_weekday else 3.5
        self._histogram(self._axes(self.left, top, width, LOWER))
        left = self.left + width + 0.85
        width = WIDE - RIGHT - left - (3.3 if year.by_weekday else 0)
        self._groups(self._axes(left, top, width, LOWER), "by month", months, year.by_month)
        if year.by_weekday:
            left += width + 0.75
            axes = self._axes(left, top, WIDE - RIGHT - left, LOWER)
            self._groups(axes, "by weekday", weekday_names(year), year.by_weekday)

    def _panels(self) -> dict[str, list[DateCount]]:
        """Return the dates by weekday where the same day has several, else all together."""
        counts = self.year.counts
        if len({(count.month, count.day) for count in counts}) == len(counts):
            return {"": list(counts)}
        found: dict[str, list[DateCount]] = {}
        if "weekday" in self.year.puzzle.groups:
            for label in self.year.puzzle.groups["weekday"][:MOST_MAPS]:
                found[label] = [count for count in counts if count.labels["weekday"] == label]
            return found
        return {"": list(counts)}

    def _axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes at a place in inches from the upper left corner."""
        place = (left / WIDE, 1 - (top + height) / self.high, width / WIDE, height / self.high)
        axes = self.figure.add_axes(place, facecolor=self.paper)
        axes.tick_params(colors=self.ink, labelsize=8, length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        return axes

    def _text(self, axes: Axes, x: float, y: float, text: str, **how: Any) -> None:
        shown = harmless(text)
        usual: dict[str, Any] = {"color": self.ink, "fontfamily": font_families(shown)}
        axes.text(x, y, shown, parse_math=False, **(usual | how))

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

        groups = self.year.puzzle.groups
        months = sorted({count.month for count in self.year.counts})
        days = sorted({count.day for count in self.year.counts})
        found: dict[tuple[int, int], list[DateCount]] = {}
        for count in counts:
            found.setdefault((days.index(count.day), months.index(count.month)), []).append(count)
        for (x, y), here in found.items():
            value = sum(count.tilings for count in here) / len(here)
            real = any(count.real for count in here)
            fill = self.map(self.norm(value)) if value else self.paper
            text = f"{value:.0f}" if value else IMPOSSIBLE
            if not real:
                patch = Rectangle((x, y), 1, 1, fc=self.board, ec=self.quiet, hatch="////", lw=0)
            else:
                patch = Rectangle((x, y), 1, 1, fc=fill, ec=self.paper, lw=0.8)
            axes.add_patch(patch)
            if not real or (value and not numbers):
                continue
            size = 7 if value else 11 if numbers else 8
            shade = self.ink if not value else "#000000" if _light(fill) else "#ffffff"
            self._text(axes, x + 0.5, y + 0.5, text, color=shade, fontsize=size, ha="center",
                       va="center_baseline", fontweight="normal" if value else "bold")  # fmt: skip
        axes.set_xlim(0, len(days))
        axes.set_ylim(len(months), 0)
        labels = [groups["day"][number] for number in _places(self.year, "day", days)]
        axes.set_xticks(
            np.arange(len(days)) + 0.5, map(harmless, labels) if last else [""] * len(days)
        )
        names = [groups["month"][number] for number in _places(self.year, "month", months)]
        axes.set_yticks(np.arange(len(months)) + 0.5, list(map(harmless, names)))
        self._fonts(axes)
        if name:
            axes.set_ylabel(harmless(name), color=self.ink, fontsize=11, fontweight="bold",
                            rotation=0, ha="right", va="center", parse_math=False,
                            fontfamily=font_families(name))  # fmt: skip

    def _fonts(self, axes: Axes) -> None:
        for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
            tick.set_fontfamily(font_families(tick.get_text()))
            tick.set_parse_math(False)

    def _colour_bar(self, top: float) -> None:
        place = self._axes(self.left, top, 0.42 * WIDE, 0.13)
        low, high = float(self.norm.vmin or 1), float(self.norm.vmax or 1)
        edges = np.geomspace(low, high, SHADES + 1)
        shades = self.map(self.norm(np.sqrt(edges[:-1] * edges[1:])))
        # Each reaches under the next one: no seams.
        place.bar(edges[:-1], 1, high - edges[:-1], align="edge", color=shades, lw=0)
        place.set_xscale("log")
        place.set_xlim(low, high)
        place.set_ylim(0, 1)
        place.set_yticks([])
        place.tick_params(colors=self.ink, labelsize=8, length=3)
        place.set_xticks(_round_ticks(low, high))
        place.xaxis.set_major_formatter("{x:,.0f}")
        place.minorticks_off()
        words = "tilings (log scale; few: hard)"
        if any(not count.tilings for count in self.year.dates):
            words += f"     {IMPOSSIBLE}  impossible"
        if self.year.others:
            words += "     hatched: no date"
        self._text(place, 1.02, 0.5, words, transform=place.transAxes, fontsize=8.5, va="center")

    def _histogram(self, axes: Axes) -> None:
        numbers = [count.tilings for count in self.year.dates if count.tilings] or [1]
        low, high = min(numbers), max(numbers) + 1
        edges = np.geomspace(low, high, min(25, high - low + 1) + 1)
        edges = np.unique(np.round(edges)) if high - low < 400 else edges
        heights, edges = np.histogram(numbers, edges)
        shades = self.map(self.norm(np.sqrt(edges[:-1] * edges[1:])))
        axes.bar(edges[:-1], heights, np.diff(edges), align="edge", color=shades, ec=self.quiet,
                 lw=0.4)  # fmt: skip
        axes.set_xscale("log")
        self._log_ticks(axes, "x", low, high)
        self._caption(axes, "how many dates have how many tilings")
        axes.yaxis.grid(True, color=self.board, lw=0.8)
        axes.set_axisbelow(True)

    def _groups(
        self, axes: Axes, title: str, names: Mapping[int, str], found: Mapping[int, Difficulty]
    ) -> None:
        """Draw each group's range with its median."""
        axes.set_yscale("log")
        lowest, greatest = 10**9, 1
        for place, one in enumerate(found.values()):
            low, high = max(one.least, 1), max(one.greatest, 1)
            lowest, greatest = min(lowest, low), max(greatest, high)
            middle = max(one.median, 1)
            axes.plot([place, place], [low, high], color=self.quiet, lw=5, alpha=0.35,
                      solid_capstyle="round")  # fmt: skip
            axes.plot([place], [middle], "o", color=self.map(self.norm(middle)), mec=self.ink, ms=8)
        axes.set_xlim(-0.6, max(len(found), 1) - 0.4)
        axes.set_xticks(range(len(found)), [harmless(names[key]) for key in found])
        self._fonts(axes)
        self._log_ticks(axes, "y", lowest, max(greatest, lowest + 1))
        axes.yaxis.grid(True, color=self.board, lw=0.8)
        axes.set_axisbelow(True)
        self._caption(axes, f"{title}: least, median, most tilings")

    def _log_ticks(self, axes: Axes, which: str, low: float, high: float) -> None:
        from matplotlib.ticker import NullFormatter, NullLocator

        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_formatter("{x:,.0f}")
        axis.set_minor_locator(NullLocator())
        axis.set_minor_formatter(NullFormatter())
        axis.set_ticks(_round_ticks(low, high))

    def _caption(self, axes: Axes, text: str) -> None:
        axes.set_title(text, color=self.ink, fontsize=9.5, loc="left")


def _places(year: Year, group: str, numbers: Sequence[int]) -> list[int]:
    """Return the places of the labels that stand for numbers."""
    labels = year.puzzle.groups[group]
    of_number = {
        (count.month if group == "month" else count.day): labels.index(count.labels[group])
        for count in year.counts
    }
    return [of_number[number] for number in numbers]


def _round_ticks(low: float, high: float) -> list[float]:
    """Return some of 1, 2, 5, 10, ... or of 1, 3, 10, ... or of 1, 10, ... between two bounds."""
    for leads in ((1, 2, 5), (1, 3), (1,)):
        ticks = [
            lead * 10.0**power
            for power in range(20)
            for lead in leads
            if low <= lead * 10.0**power <= high
        ]
        if len(ticks) <= 8:
            break
    return ticks or [float(low), float(high)]


def _light(shade: Any) -> bool:
    red, green, blue = shade[:3]
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45)
