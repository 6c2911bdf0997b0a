"""The parts of a plot of the year that draw numbers: colour bar, histogram, ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from calmip.render.colours import colour
from calmip.render.escaping import harmless
from calmip.render.fonts import font_families
from calmip.tasks.year import Difficulty, Year

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["IMPOSSIBLE", "WIDE", "Painter", "is_light", "short_number"]

COLOURS = "viridis"
"""Light for many tilings, dark for few; for colour-blind eyes too, and monotone in grey."""

WIDE = 12.4
"""The width of the figure in inches."""

SHADES = 120
"""Steps of the colour bar."""

IMPOSSIBLE = "\N{MULTIPLICATION SIGN}"


class Painter:
    """Draws parts of one figure, in the colours of a theme.

    Parameters
    ----------
    year
        The counts.
    theme
        ``light`` or ``dark``.
    high
        The height of the figure in inches.
    """

    def __init__(self, year: Year, theme: str, high: float) -> None:
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
        self.high = high
        self.figure: Figure = Figure(figsize=(WIDE, high), facecolor=self.paper)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes at a place in inches from the upper left corner."""
        place = (left / WIDE, 1 - (top + height) / self.high, width / WIDE, height / self.high)
        axes = self.figure.add_axes(place, facecolor=self.paper)
        axes.tick_params(colors=self.ink, labelsize=8, length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        return axes

    def text(self, axes: Axes, x: float, y: float, text: str, **how: Any) -> None:
        """Write a text that may come from a file."""
        shown = harmless(text)
        usual: dict[str, Any] = {"color": self.ink, "fontfamily": font_families(shown)}
        axes.text(x, y, shown, parse_math=False, **(usual | how))

    def fonts(self, axes: Axes) -> None:
        """Show the labels of the axes as they are, in fonts that have them."""
        for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
            tick.set_fontfamily(font_families(tick.get_text()))
            tick.set_parse_math(False)

    def colour_bar(self, left: float, top: float) -> None:
        """Draw the colour bar and say what the marks mean."""
        place = self.axes(left, top, 0.42 * WIDE, 0.13)
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
        self.text(place, 1.02, 0.5, words, transform=place.transAxes, fontsize=8.5, va="center")

    def histogram(self, axes: Axes) -> None:
        """Draw how many real dates have how many tilings."""
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

    def ranges(
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
        self.fonts(axes)
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


def is_light(shade: Any) -> bool:
    """Return whether black is easier to read on a colour than white."""
    red, green, blue = shade[:3]
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45)


def short_number(value: float) -> str:
    """Return a number in four characters or so: 987, 9876, 98k, 9.9M."""
    for unit, word in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= max(unit, 9999.5):
            count = value / unit
            return f"{count:.1f}{word}" if count < 9.95 else f"{count:.0f}{word}"
    return f"{value:.0f}"
