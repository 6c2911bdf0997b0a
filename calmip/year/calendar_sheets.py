"""A calendar on sheets of paper, in millimetres, with a month or a week on each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from calmip.mip.display import PAPER, PAPER_EDGE
from calmip.puzzle.dates import calendar_words, date_words, short_weekdays
from calmip.puzzle.render.paper import size_of
from calmip.puzzle.render.picture import Area, Mark, Picture, Words, box, fit, shift, text_width
from calmip.puzzle.render.tiles import blank_picture, day_picture
from calmip.year.calendar import Calendar, Day

MIN_CELL_MM = 1.35
"""The least millimetres of a cell on the sheets of answers."""

TITLE, HEAD, STRIP, NOTE = 11.0, 5.0, 5.5, 9.0
"""Millimetres on A4: the title, the weekdays, the line of a day, and the room to write."""

PAD = 1.2
"""Millimetres on A4 around a board."""

LINE_MM = 0.15
"""Millimetres: the width of the lines between the days."""

SMALL_TYPE = 2.2
"""The height of type on A4 below which the name of a holiday gets two lines."""

HOLIDAY = "#d32f2f"
"""The colour of holidays, on light and dark paper."""

DASH = " \N{EN DASH} "

BOLD_FACTOR = 1.12
"""The widths of bold letters on paper, in those that `text_width` takes them for."""


@dataclass(frozen=True)
class _Slot:
    """The room of a day, or an empty one."""

    day: Day | None = None
    words: str = ""
    holiday: str = ""


@dataclass(frozen=True)
class _Block:
    """A title, perhaps names of columns, and rows of slots below it."""

    title: str
    aside: str
    heads: Sequence[str]
    rows: Sequence[Sequence[_Slot]]

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.rows[0])


@dataclass(frozen=True)
class _Style:
    """How the days of a block are drawn: the picture of one, the scale of all that is not a board.

    There may be room to write beside the boards, or below them.
    """

    draw: Callable[[Day], Picture]
    board: Picture
    scale: float
    note: float = 0.0

    def unit(self, block: _Block, width: float, height: float) -> float:
        """Return the millimetres of a cell, as many as the slots leave."""
        wide, high = self.slot(block, width, height)
        wide, high = wide - 2 * PAD * self.scale, high - (STRIP + PAD) * self.scale
        beside = min((wide - self.note) / self.board.width, high / self.board.height)
        below = min(wide / self.board.width, (high - self.note) / self.board.height)
        return max(beside, below)

    def slot(self, block: _Block, width: float, height: float) -> tuple[float, float]:
        """Return the width and the height of a slot."""
        return width / block.columns, (height - self.top(block)) / len(block.rows)

    def top(self, block: _Block) -> float:
        """Return the room above the slots."""
        return (TITLE + HEAD * bool(block.heads)) * self.scale


def calendar_sheets(calendar: Calendar, paper: str = PAPER) -> tuple[Picture, ...]:
    """Return the pages of a calendar in millimetres: a month or a week on each, paper across.

    Those for the wall have bare boards with room to write, and the tilings on the last sheets.
    """
    width, height = size_of(paper, across=True)
    inside = width - 2 * PAPER_EDGE, height - 2 * PAPER_EDGE
    scale = height / 210
    style = _Style(
        _blank if calendar.wall else _tiled,
        _blank(calendar.days[0]),
        scale,
        NOTE * scale * calendar.wall,
    )
    blocks = [*(_weeks(calendar, style, inside) if calendar.week else _months(calendar))]
    pages = [_sheet(calendar, [block], style, (1, 1), (width, height)) for block in blocks]
    if calendar.wall:
        pages += _answers(calendar, (width, height))
    return tuple(pages)


def _blank(day: Day) -> Picture:
    return blank_picture(day.instance)


def _tiled(day: Day) -> Picture:
    return day_picture(day.instance, day.tiling)


def _months(calendar: Calendar) -> Iterator[_Block]:
    months, _ = calendar_words(calendar.puzzle.groups)
    weekdays, named = short_weekdays(calendar.puzzle.groups), calendar.holidays or {}
    for month, name in enumerate(months, start=1):
        days = [day for day in calendar.days if day.date.month == month]
        if not days:
            continue
        slots = [_Slot()] * (days[0].date.isoweekday() - 1)
        slots += [_Slot(day, str(day.date.day), named.get(day.date, "")) for day in days]
        title = f"{name} {calendar.year}"
        yield _Block(title, calendar.puzzle.name, weekdays, _in_rows(slots, 7))


def _weeks(calendar: Calendar, style: _Style, inside: tuple[float, float]) -> Iterator[_Block]:
    """Yield the weeks, in rows of up to seven or four days, whichever shows larger boards."""
    groups, named = calendar.puzzle.groups, calendar.holidays or {}
    months, _ = calendar_words(groups)
    weeks: dict[tuple[int, int], list[Day]] = {}
    for day in calendar.days:
        weeks.setdefault(day.date.isocalendar()[:2], []).append(day)
    for (_, number), days in weeks.items():
        names = dict.fromkeys(months[day.date.month - 1] for day in days)
        slots = [
            _Slot(day, date_words(groups, day.date, year=False), named.get(day.date, ""))
            for day in days
        ]
        title = f"{DASH.join(names)} {calendar.year}"
        yield max(
            (
                _Block(
                    title,
                    f"W{number:02} \N{MIDDLE DOT} {calendar.puzzle.name}",
                    (),
                    _in_rows(slots, columns),
                )
                for columns in {min(len(days), 7), min(len(days), 4)}
            ),
            key=lambda block: style.unit(block, *inside),
        )


def _in_rows(slots: Sequence[_Slot], columns: int) -> list[list[_Slot]]:
    """Return slots in rows, the last one filled up."""
    rows = [[*slots[first : first + columns]] for first in range(0, len(slots), columns)]
    rows[-1] += [_Slot()] * (columns - len(rows[-1]))
    return rows


def _answers(calendar: Calendar, paper: tuple[float, float]) -> Iterator[Picture]:
    """Yield as few sheets of all tilings as show cells of a readable size."""
    blocks = [replace(one, aside="") for one in _months(replace(calendar, holidays=None))]
    for across, down in ((4, 3), (3, 2), (2, 2), (2, 1), (1, 1)):
        width, height = _room(paper, across, down)
        style = _Style(_tiled, _blank(calendar.days[0]), height / 190)
        if min(style.unit(block, width, height) for block in blocks) >= MIN_CELL_MM:
            break
    for first in range(0, len(blocks), across * down):
        some = blocks[first : first + across * down]
        yield _sheet(calendar, some, style, (across, down), paper)


def _room(paper: tuple[float, float], across: int, down: int) -> tuple[float, float]:
    """Return the width and the height of each of several blocks on a sheet."""
    (width, height), gap = paper, PAPER_EDGE / 2
    return (
        (width - 2 * PAPER_EDGE - (across - 1) * gap) / across,
        (height - 2 * PAPER_EDGE - (down - 1) * gap) / down,
    )


def _sheet(
    calendar: Calendar,
    blocks: Sequence[_Block],
    style: _Style,
    shape: tuple[int, int],
    paper: tuple[float, float],
) -> Picture:
    """Return a sheet with one block, or several in rows."""
    width, height = _room(paper, *shape)
    marks: list[Mark] = []
    for number, block in enumerate(blocks):
        row, column = divmod(number, shape[0])
        left = PAPER_EDGE + column * (width + PAPER_EDGE / 2)
        top = PAPER_EDGE + row * (height + PAPER_EDGE / 2)
        marks += shift(_block(block, style, width, height), left, top)
    days = [slot.day for block in blocks for row in block.rows for slot in row if slot.day]
    none = sum(day.tiling is None for day in days)
    title = f"{calendar.puzzle.name}: {blocks[0].title}"
    missing = f"; {none} have no tiling" if none else ""
    return Picture(*paper, tuple(marks), title, f"A board for each of {len(days)} days{missing}.")


def _block(block: _Block, style: _Style, width: float, height: float) -> Iterable[Mark]:
    """Yield a block's title, the names of its columns, its lines and its days."""
    scale, top = style.scale, style.top(block)
    wide, high = style.slot(block, width, height)
    unit = style.unit(block, width, height)
    name, size = _fit(block.title, width * 0.6, 7.5 * scale)
    yield Words(0, TITLE * scale * 0.42, name, size, bold=True, start=True)
    about, size = _fit(block.aside, width * 0.38, 3.6 * scale)
    yield Words(width, TITLE * scale * 0.5, about, size, "quiet", end=True)
    for place, text in enumerate(block.heads):
        words, size = _fit(text, wide * 0.9, 3.6 * scale)
        yield Words((place + 0.5) * wide, top - HEAD * scale * 0.55, words, size, "quiet")
    for row, slots in enumerate(block.rows):
        for column, slot in enumerate(slots):
            if slot.day is not None:
                left, down = column * wide, top + row * high
                yield Area((box(left, down, wide, high),), "", "quiet", LINE_MM * math.sqrt(scale))
                yield from shift(_slot(slot, slot.day, style, wide, unit), left, down)


def _slot(slot: _Slot, day: Day, style: _Style, wide: float, unit: float) -> Iterator[Mark]:
    """Yield a day: its number or its date, its holiday, and its board."""
    scale, holiday = style.scale, slot.holiday
    pad, middle = PAD * scale, STRIP * scale * 0.52
    role = HOLIDAY if holiday else "ink"
    text = slot.words
    if day.tiling is None:
        text += ": no tiling"
    text, type_size = _fit(text, (wide - 2 * pad) * (0.6 if holiday else 1.0), 4.2 * scale)
    yield Words(pad, middle, text, type_size, role, bold=True, start=True)
    taken = pad + BOLD_FACTOR * text_width(text) * type_size + pad
    width = wide - taken - pad
    lines = (
        [holiday]
        if BOLD_FACTOR * text_width(holiday) * SMALL_TYPE * scale <= width
        else _halves(holiday)
    )
    for number, line in enumerate(lines):
        name, small = _fit(line, width, 2.9 * scale if len(lines) == 1 else SMALL_TYPE * scale)
        height = middle + (number - (len(lines) - 1) / 2) * 1.15 * SMALL_TYPE * scale
        yield Words(wide - pad, height, name, small, role, end=True)
    board = style.draw(day)
    beside = (wide - 2 * pad - style.note) / board.width >= unit - 1e-9
    left = pad if beside and style.note else (wide - unit * board.width) / 2
    yield from shift(board.marks, left, STRIP * scale, unit)


def _halves(text: str) -> list[str]:
    """Return a text in two lines, as even as its words allow."""
    words = text.split()
    ways = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return [*min(ways, key=lambda way: max(map(text_width, way)))] if ways else [text]


def _fit(text: str, width: float, size: float) -> tuple[str, float]:
    """Return a text and its height of type so that it fits its width; a third is the least."""
    return fit(text, width / BOLD_FACTOR, size, size / 3)
