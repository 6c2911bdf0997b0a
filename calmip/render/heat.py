"""Numbers of tilings as shades: few are dark, many are light, on a scale of ratios."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from calmip.render.palette import HEAT

__all__ = ["IMPOSSIBLE", "Scale", "short_number"]

IMPOSSIBLE = "\N{MULTIPLICATION SIGN}"
"""What marks a date without a tiling."""


@dataclass(frozen=True)
class Scale:
    """A scale of ratios between two numbers, on which shades and places are taken.

    Parameters
    ----------
    low, high
        Its ends, above 0.
    """

    low: float
    high: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Scale:
        """Return the scale of those numbers that are above 0; that from 1 to 2 of none."""
        some = [number for number in numbers if number > 0] or [1]
        return cls(min(some), max(*some, min(some) + 1))

    def place(self, number: float) -> float:
        """Return where a number stands, 0 at the low end and 1 at the high one."""
        near = min(max(number, self.low), self.high)
        return math.log(near / self.low) / math.log(self.high / self.low)

    def shade(self, number: float) -> int:
        """Return the number of the shade, 0 the darkest."""
        return min(int(self.place(number) * len(HEAT)), len(HEAT) - 1)

    def edges(self, parts: int) -> list[float]:
        """Return the bounds of so many parts, each as many times its lower bound."""
        return [self.low * (self.high / self.low) ** (n / parts) for n in range(parts + 1)]

    def ticks(self, most: int) -> list[float]:
        """Return round numbers on the scale: 1, 2, 5, 10, ... or 1, 3, 10, ... or 1, 10, ..."""
        found: list[float] = []
        for leads in ((1, 2, 5), (1, 3), (1,)):
            found = [
                lead * 10.0**power
                for power in range(20)
                for lead in leads
                if self.low <= lead * 10.0**power <= self.high
            ]
            if len(found) <= most:
                break
        return found or [self.low, self.high]


def short_number(value: float) -> str:
    """Return a number in four characters or so: 987, 9876, 98k, 9.9M."""
    for unit, word in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= max(unit, 9999.5):
            count = value / unit
            return f"{count:.1f}{word}" if count < 9.95 else f"{count:.0f}{word}"
    return f"{value:.0f}"
