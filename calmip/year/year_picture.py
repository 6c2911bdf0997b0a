"""The year of a puzzle as a picture: calendar heat-maps, histogram, months and weekdays.

Numbers of tilings are shades: few are dark, many are light, on a scale of ratios. Below
the picture stand the totals and the extremes in a few sentences.
"""

from __future__ import annotations

import datetime
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from calmip._base.errors import InputError, join_words
from calmip.puzzle.dates import new_days
from calmip.puzzle.render.palette import HEAT
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box, fit, shift, text_width
from calmip.year.year import DateCount, Difficulty, Year

IMPOSSIBLE = "\N{MULTIPLICATION SIGN}"
"""The mark of a date without a tiling."""


@dataclass(frozen=True)
class Scale:
    """A scale of ratios between two numbers above 0, on which shades and places are taken."""

    low: float
    high: float
    falling: bool = False
    """Whether the great numbers are the dark ones."""

    @classmethod
    def of(cls, numbers: Iterable[float], *, falling: bool = False) -> Scale:
        """Return the scale of those numbers that are above 0; from 1 to 2 if there are none."""
        some = [number for number in numbers if number > 0] or [1]
        return cls(min(some), max(*some, min(some) + 1), falling)

    def place(self, number: float) -> float:
        """Return the place of a number: 0 at the low end, 1 at the high one."""
        near = min(max(number, self.low), self.high)
        return math.log(near / self.low) / math.log(self.high / self.low)

    def shade(self, number: float) -> int:
        """Return the number of the shade, 0 the darkest."""
        shade = min(int(self.place(number) * len(HEAT)), len(HEAT) - 1)
        return len(HEAT) - 1 - shade if self.falling else shade

    def edges(self, parts: int) -> list[float]:
        """Return the bounds of ``parts`` intervals with the same ratio of upper to lower bound."""
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


MAX_NAMED_DATES = 12
"""The most impossible dates that are named."""


def summary_lines(year: Year) -> list[str]:
    """Return the totals, of dates and of other choices apart, and the extremes."""
    numbers = [count.tilings for count in year.dates]
    lines = [
        f"{len(numbers):,} dates{f' of {year.year}' if year.year else ''}: "
        f"{sum(numbers):,} tilings, {len(year.impossible) or 'none'} impossible"
        + (f", median {statistics.median(numbers):,g}" if numbers else "")
    ]
    if "weekday" in year.puzzle.groups or "year" in year.puzzle.groups:
        lines += _repeats(year)
    if year.others:
        total = sum(count.tilings for count in year.counts)
        other = sum(count.tilings for count in year.others)
        lines.append(
            f"{len(year.others):,} choices that are not dates: {other:,} tilings; "
            f"{len(year.counts):,} choices in all: {total:,} tilings"
        )
    if year.impossible:
        dates = [words(one) for one in year.impossible]
        lines.append(f"impossible: {join_words(dates, most=MAX_NAMED_DATES)}")
    for word, some in (("fewest", year.hardest()), ("most", year.easiest())):
        if some:
            shown = ", ".join(f"{words(count)} ({count.tilings:,})" for count in some)
            lines.append(f"{word} tilings: {shown}")
    return [*lines, *_difficulty(year)]


def _difficulty(year: Year) -> Iterator[str]:
    """Yield what the placements that a person tries say of the dates, if they are known."""
    for word, some in (("hardest for people", year.most_tried()), ("easiest", year.least_tried())):
        if some:
            shown = ", ".join(f"{words(count)} ({count.tries:,.0f})" for count in some)
            yield f"{word}, by placements tried: {shown}"
    if year.rank_correlation is not None:
        yield (
            f"rank correlation of placements tried and tilings: {year.rank_correlation:.2f} "
            f"({len(year.rated):,} dates)"
        )
    if year.seconds is not None:
        yield from _player(year)
    if year.unrated:
        yield f"{len(year.unrated):,} dates are not rated, because they have too many positions"


def _player(year: Year) -> Iterator[str]:
    """Yield how the times of the player agree with the two numbers."""
    yield f"your history: {len(year.played):,} rated dates solved without help"
    for word, measure in (("placements tried", "tries"), ("tilings", "tilings")):
        found = year.player_correlation(measure)
        if found is not None:
            rho, low, high = found
            yield (
                f"rank correlation of your seconds and {word}: {rho:.2f} "
                f"(95 %: {low:.2f} to {high:.2f})"
            )


def _repeats(year: Year) -> list[str]:
    """Return for how long no puzzle repeats: with weekdays, longer than a year."""
    if year.year is None:
        again = "; most dates fall on their weekday again after 5, 6 or 11 years"
        return [
            f"{len(year.dates):,} different puzzles" + again * ("year" not in year.puzzle.groups)
        ]
    first = datetime.date(year.year, 1, 1)
    try:
        days = new_days(year.puzzle.groups, first)
    except (InputError, OverflowError):
        return []
    last = first + datetime.timedelta(days - 1)
    return [f"{days:,} different puzzles: none comes twice from {first} to {last}"]


def words(count: DateCount) -> str:
    """Return a choice of labels in words."""
    return " ".join(count.labels.values())


MAX_MAPS = 7
"""A heat-map for each weekday; further ones of a board that has more are left out."""

LABEL = 1.9
"""The room for the names of months, in widths of a day."""

MARGIN, CHART, SMALL = 0.6, 6.2, 0.42


def year_picture(year: Year) -> Picture:
    """Return the picture of a year; a day of its heat-map is one unit wide."""
    maps = panels(year)
    scale = year_scale(year)
    days = {count.day: count.day_label for count in year.counts}
    width = LABEL + max(len(days), 24)
    title = year_title(year)
    lines = summary_lines(year)
    marks: list[Mark] = [Words(0, 0.6, title, 1.0, bold=True, start=True)]
    marks += [
        Words(0, 1.55 + 0.62 * number, *fit(line, width, 0.5, 0.3), "quiet", start=True)
        for number, line in enumerate(lines)
    ]
    top = 1.9 + 0.62 * len(lines)
    high = 1.0 if len(maps) == 1 else 0.5
    shown = measures(year)
    for measure in shown:
        if len(shown) > 1:
            marks.append(Words(0, top + 0.2, measure.title, 0.62, bold=True, start=True))
            top += 0.7
        for name, counts in maps.items():
            rows = _heat_map(year, counts, measure, high, numbers=len(maps) == 1)
            if name:
                marks.append(Words(0, top + 0.3, name, 0.62, bold=True, start=True))
                top += 0.7
            marks += shift(rows, 0, top)
            top += high * len({count.month for count in year.counts}) + 0.25
        marks += [
            Words(LABEL + place + 0.5, top + 0.2, *fit(days[day], 0.95, SMALL, 0.15), "quiet")
            for place, day in enumerate(sorted(days))
        ]
        top += 0.9
        marks += shift(_key(year, measure), LABEL, top)
        top += 2.2
    slot = (width + 1.2) / (3 if year.by_weekday else 2)
    for number, chart in enumerate(_charts(year, scale, slot - 1.2)):
        marks += shift(chart, number * slot, top)
    return Picture(
        width + 2 * MARGIN,
        top + CHART + 0.6 + 2 * MARGIN,
        tuple(shift(marks, MARGIN, MARGIN)),
        f"{title}: tilings of every date",
        f"{'. '.join(lines)}.",
    )


def year_charts(year: Year) -> list[Picture]:
    """Return the histogram and the ranges of months and weekdays as pictures of their own."""
    wide = 14.0
    titles = ("How many dates have how many tilings", "Tilings by month", "Tilings by weekday")
    return [
        Picture(
            wide,
            CHART + 0.9,
            tuple(shift(chart, 0.4, 0.4)),
            title,
            f"{title}; the numbers stand in the tables below.",
        )
        for title, chart in zip(titles, _charts(year, year_scale(year), wide - 0.8), strict=False)
    ]


def year_title(year: Year) -> str:
    """Return the puzzle's name and the year."""
    return year.puzzle.name + (f", {year.year}" if year.year else "")


def year_scale(year: Year) -> Scale:
    """Return the scale of the numbers of tilings."""
    return Scale.of(count.tilings for count in year.counts)


def _charts(year: Year, scale: Scale, width: float) -> Iterator[list[Mark]]:
    yield _histogram(year, scale, width)
    yield _ranges("month", year.month_names, year.by_month, scale, width)
    if year.by_weekday:
        yield _ranges("weekday", year.weekday_names, year.by_weekday, scale, width)


@dataclass(frozen=True)
class Measure:
    """A number of each date, as a heat-map shows it."""

    title: str
    legend: str
    scale: Scale
    of: Callable[[Mean], float | None]


def measures(year: Year) -> list[Measure]:
    """Return the numbers of tilings, and of placements tried if they are known."""
    found = [
        Measure(
            "Tilings of every date",
            "tilings: few are dark",
            year_scale(year),
            lambda mean: mean.tilings,
        )
    ]
    if year.rated:
        scale = Scale.of((count.tries or 0 for count in year.rated), falling=True)
        found.append(
            Measure(
                "Placements that a person tries",
                "placements tried: many are dark",
                scale,
                lambda mean: mean.tries,
            )
        )
    return found


def panels(year: Year) -> dict[str, Sequence[DateCount]]:
    """Return the dates by weekday where the same day has several, else all together."""
    counts = year.counts
    several = len({(count.month, count.day) for count in counts}) < len(counts)
    if not several or "weekday" not in year.puzzle.groups:
        return {"": counts}
    return {
        label: [count for count in counts if count.labels["weekday"] == label]
        for label in year.puzzle.groups["weekday"][:MAX_MAPS]
    }


@dataclass(frozen=True)
class Mean:
    """The mean of the choices of labels for one day, and whether one of them is a date."""

    counts: Sequence[DateCount]

    @property
    def tilings(self) -> float:
        """The mean number of tilings."""
        return sum(count.tilings for count in self.counts) / len(self.counts)

    @property
    def tries(self) -> float | None:
        """The mean number of placements tried, of the choices that are rated."""
        rated = [count.tries for count in self.counts if count.tries is not None]
        return sum(rated) / len(rated) if rated else None

    @property
    def real(self) -> bool:
        """Whether one of the choices is a date."""
        return any(count.real for count in self.counts)


def means(counts: Iterable[DateCount]) -> dict[tuple[int, int], Mean]:
    """Return the mean of each day by its month and its number."""
    found: dict[tuple[int, int], list[DateCount]] = {}
    for count in counts:
        found.setdefault((count.month, count.day), []).append(count)
    return {day: Mean(some) for day, some in found.items()}


def _heat_map(
    year: Year, counts: Sequence[DateCount], measure: Measure, high: float, *, numbers: bool
) -> list[Mark]:
    """Return months down and days across; several choices of one day become their mean."""
    days = sorted({count.day for count in year.counts})
    months = sorted({count.month for count in year.counts})
    marks: list[Mark] = []
    for row, month in enumerate(months):
        name, size = fit(year.month_names[month], LABEL - 0.3, min(0.5, high), 0.15)
        marks.append(Words(0, (row + 0.5) * high, name, size, start=True))
    for (month, day), mean in means(counts).items():
        x, y = LABEL + days.index(day), months.index(month) * high
        place = x + 0.03, y + 0.03, 0.94, high - 0.06
        frame, middle = (box(*place),), (x + 0.5, y + high / 2)
        if not mean.real:
            marks += [Area(frame, "board"), *_hatching(*place)]
        elif not mean.tilings:
            marks.append(Area(frame, "paper", "quiet", 0.03))
            marks.append(Words(*middle, IMPOSSIBLE, 0.7 * high, bold=True))
        elif (value := measure.of(mean)) is not None:
            shade = measure.scale.shade(value)
            marks.append(Area(frame, f"h{shade}"))
            if numbers:
                text, size = fit(short_number(value), 0.86, SMALL, 0.2)
                marks.append(Words(*middle, text, size, ink_on(shade)))
    return marks


def ink_on(shade: int) -> str:
    """Return the role of a text that can be read on a shade."""
    return "heat-dark" if shade >= len(HEAT) // 2 else "heat-light"


def _hatching(left: float, top: float, width: float, height: float) -> list[Mark]:
    """Return slanting lines for a choice that is not a date."""
    right, low = left + width, top + height
    lines: list[Mark] = []
    for step in (0.25, 0.5, 0.75):
        line = ((left + step * width, top), (left, top + step * height))
        other = ((right, top + step * height), (left + step * width, low))
        lines += [Area((line,), "", "quiet", 0.02), Area((other,), "", "quiet", 0.02)]
    return lines


def _key(year: Year, measure: Measure) -> list[Mark]:
    """Return the legend: the scale of shades, and the other marks."""
    wide, scale = 13.0, measure.scale
    step = wide / len(HEAT)
    # Each shade reaches under the next one: no seams.
    marks: list[Mark] = [
        Area((box(n * step, 0, wide - n * step, 0.4),), f"h{shade}")
        for n, shade in enumerate(sorted(range(len(HEAT)), reverse=scale.falling))
    ]
    for tick in scale.ticks(7):
        x = wide * scale.place(tick)
        marks.append(Area((box(x - 0.015, 0.4, 0.03, 0.14),), "quiet"))
        marks.append(Words(x, 0.8, f"{tick:,.0f}", SMALL, "quiet"))
    words = measure.legend
    if any(not count.tilings for count in year.dates):
        words += f" \N{MIDDLE DOT} {IMPOSSIBLE} impossible"
    if year.others:
        words += " \N{MIDDLE DOT} hatched: no date"
    marks.append(Words(wide + 0.7, 0.22, words, 0.46, start=True))
    return marks


def _histogram(year: Year, scale: Scale, width: float) -> list[Mark]:
    """Return how many real dates have how many tilings."""
    numbers = [count.tilings for count in year.dates if count.tilings]
    bins = list(pairwise(scale.edges(min(24, max(4, round(scale.high - scale.low))))))
    heights = [0] * len(bins)
    for number in numbers:
        heights[min(int(scale.place(number) * len(bins)), len(bins) - 1)] += 1
    most = max(*heights, 1)
    step = width / len(bins)
    floor = CHART - 0.8
    title = "dates by number of tilings"
    marks: list[Mark] = [Words(0, 0, title, 0.5, bold=True, start=True)]
    for place, (height, (low, high)) in enumerate(zip(heights, bins, strict=True)):
        if height:
            tall = (floor - 1.1) * height / most
            frame = box((place + 0.05) * step, floor - tall, 0.9 * step, tall)
            marks.append(Area((frame,), f"h{scale.shade((low * high) ** 0.5)}", "quiet", 0.02))
    marks.append(Area((box(0, floor, width, 0.03),), "quiet"))
    marks += [
        Words(scale.place(tick) * width, floor + 0.4, f"{tick:,.0f}", SMALL, "quiet")
        for tick in scale.ticks(6)
    ]
    text = f"number of tilings; the tallest bar: {most:,} dates"
    return [*marks, Words(width / 2, floor + 1.05, text, SMALL, "quiet")]


def _ranges(
    what: str,
    names: Mapping[int, str],
    difficulties: Mapping[int, Difficulty],
    scale: Scale,
    width: float,
) -> list[Mark]:
    """Return each group's range of numbers and its median."""
    top, floor = 0.9, CHART - 0.8
    room = 0.1 * width  # at the left, for the numbers

    def height(number: float) -> float:
        return floor - (floor - top) * scale.place(max(number, scale.low))

    title = f"by {what}: least, median, greatest"
    marks: list[Mark] = [Words(0, 0, title, 0.5, bold=True, start=True)]
    for tick in scale.ticks(6):
        y = height(tick)
        marks.append(Area((box(room, y - 0.01, width - room, 0.02),), "board"))
        marks.append(Words(0, y, short_number(tick), SMALL, "quiet", start=True))
    slot = (width - room) / max(len(difficulties), 1)
    widest = max((text_width(names[key]) for key in difficulties), default=1.0)
    size = min(SMALL, 10 * slot / width / widest)
    for place, (key, one) in enumerate(difficulties.items()):
        x = room + (place + 0.5) * slot
        high, low, middle = height(one.greatest), height(one.least), height(one.median)
        shade = f"h{scale.shade(max(one.median, scale.low))}"
        span = box(x - 0.15 * slot, high, 0.3 * slot, max(low - high, 0.06))
        median = box(x - 0.3 * slot, middle - 0.14, 0.6 * slot, 0.28)
        marks += [Area((span,), "board", "quiet", 0.03), Area((median,), shade, "ink", 0.03)]
        marks.append(Words(x, floor + 0.4, names[key], size, "quiet"))
    return marks
