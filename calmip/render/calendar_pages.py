"""A calendar of tilings as pictures for paper: a month a page, weeks from Monday on."""

from __future__ import annotations

from calmip.problem.dates import calendar_words
from calmip.render.picture import Mark, Picture, Words, fitted, moved, text_width
from calmip.render.tiles import day_marks
from calmip.tasks.calendar import Calendar, Day

__all__ = ["month_pages"]

TITLE, HEAD, CAPTION, GAP = 2.2, 1.6, 1.3, 1.1


def month_pages(calendar: Calendar) -> tuple[Picture, ...]:
    """Return twelve pictures of one size, one per month, a day's tiling below its number."""
    return tuple(_month(calendar, number) for number in range(1, 13))


def _month(calendar: Calendar, month: int) -> Picture:
    days = [day for day in calendar.days if day.date.month == month]
    first = days[0].date.isoweekday() - 1
    wide, high, _ = day_marks(days[0].instance, None)
    slot, row = wide + GAP, high + CAPTION + GAP
    months, weekdays = calendar_words(calendar.puzzle.groups)
    name = f"{months[month - 1]} {calendar.year}"
    width = 7 * slot - GAP
    marks: list[Mark] = [Words(0, TITLE / 2, name, TITLE * 0.8, bold=True, start=True)]
    about, size = fitted(calendar.puzzle.name, width * 0.55, TITLE * 0.4, 0.1)
    left = width - 0.9 * text_width(about) * size
    marks.append(Words(left, TITLE * 0.6, about, size, "quiet", start=True))
    for place, weekday in enumerate(weekdays):
        x = place * slot + wide / 2
        marks.append(Words(x, TITLE + HEAD / 2, weekday, 0.9, "quiet"))
    for day in days:
        week, place = divmod(first + day.date.day - 1, 7)
        left, top = place * slot, TITLE + HEAD + week * row
        marks += moved(_day(day, wide), left, top)
    height = TITLE + HEAD + 6 * row - GAP
    none = sum(day.tiling is None for day in days)
    missing = f"; {none} have none" if none else ""
    text = f"A tiling of {calendar.puzzle.name} for each of {len(days)} days{missing}."
    return Picture(width, height, tuple(marks), f"{calendar.puzzle.name}: {name}", text)


def _day(day: Day, wide: float) -> list[Mark]:
    """Return a day's number and, below it, its picture."""
    _, _, marks = day_marks(day.instance, day.tiling)
    caption = str(day.date.day) if day.tiling is not None else f"{day.date.day}: no tiling"
    text, size = fitted(caption, wide, 1.0, 0.3)
    return [Words(0, CAPTION / 2, text, size, bold=True, start=True), *moved(marks, 0, CAPTION)]
