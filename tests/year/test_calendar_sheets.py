"""Calendars on paper, measured in their pictures and in their PDF."""

from __future__ import annotations

import datetime
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from requirements import need_package

import calmip
from calmip.mip.display import PAPER_EDGE, PAPERS
from calmip.puzzle.render.outline import bounds
from calmip.puzzle.render.picture import Area, Picture, Words, text_width
from calmip.puzzle.render.reports import data
from calmip.puzzle.render.tiles import MARK
from calmip.year.calendar import Calendar, DaySearch, days_of
from calmip.year.calendar_sheets import HOLIDAY, MIN_CELL_MM, calendar_sheets

BOARDS = [
    pytest.param(name, marks=pytest.mark.long if place else ())
    for place, name in enumerate(["a-puzzle-a-day", "weekday-8x7", "hex43-v1", "praxis-rhombus"])
]
Box = tuple[float, float, float, float]


@cache
def a_calendar(name: str = "a-puzzle-a-day", months: tuple[int, ...] = (2, 5)) -> Calendar:
    """Return some months of 2027 for the wall: February has four weeks, May has six."""
    puzzle = calmip.read_puzzle(name)
    search = DaySearch(puzzle)
    days = (search.day(date) for date in days_of(2027) if date.month in months)
    return Calendar(puzzle, 2027, 0, tuple(days), wall=True)


def areas(page: Picture, *, fill: str = "", stroke: str = "") -> list[Box]:
    """Return the boxes around the areas with a fill or a stroke."""
    return [
        box_of([point for loop in mark.loops for point in loop])
        for mark in page.marks
        if isinstance(mark, Area) and (mark.fill == fill if fill else mark.stroke == stroke)
    ]


def box_of(points: list[tuple[float, float]]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def pieces_on(page: Picture) -> int:
    fills = [mark.fill for mark in page.marks if isinstance(mark, Area)]
    return sum(re.fullmatch(r"p\d+", fill) is not None for fill in fills)


def texts(page: Picture) -> list[str]:
    return [mark.text for mark in page.marks if isinstance(mark, Words)]


def inked(page: Picture) -> Box:
    """Return the box around all that is printed."""
    points = [p for m in page.marks if isinstance(m, Area) for loop in m.loops for p in loop]
    for mark in page.marks:
        if isinstance(mark, Words):
            # Bold letters of the font on paper are up to an eighth wider than this measure.
            wide = 1.12 * text_width(mark.text) * mark.size
            left = mark.x - (0 if mark.start else wide if mark.end else wide / 2)
            points += [(left, mark.y - mark.size / 2), (left + wide, mark.y + mark.size / 2)]
    return box_of(points)


@pytest.mark.parametrize("week", [False, True])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", BOARDS)
def test_sheets_are_across_and_keep_their_margins(name: str, paper: str, week: bool) -> None:
    for page in calendar_sheets(replace(a_calendar(name), week=week), paper):
        assert (page.height, page.width) == PAPERS[paper]
        left, top, right, bottom = inked(page)
        assert min(left, top) >= PAPER_EDGE - 1e-6
        assert min(page.width - right, page.height - bottom) >= PAPER_EDGE - 1e-6


@pytest.mark.parametrize("name", BOARDS)
def test_boards_for_the_wall_give_nothing_away(name: str) -> None:
    calendar = a_calendar(name, (5,))
    page, *answers = calendar_sheets(calendar)
    assert pieces_on(page) == 0
    labels = [label for day in calendar.days for label in day.instance.labels]
    cells = [len(calendar.puzzle.board.labels[label]) for label in labels]
    assert len(areas(page, fill=MARK)) == sum(cells)
    placed = sum(len(day.tiling.placements) for day in calendar.days if day.tiling)
    assert sum(map(pieces_on, answers)) == placed > 0
    # Without --wall the month itself has the tilings.
    (shown,) = calendar_sheets(replace(calendar, wall=False))
    assert pieces_on(shown) == placed


def test_a_marked_cell_is_the_one_of_its_day() -> None:
    calendar = a_calendar(months=(5,))
    labels = calendar.puzzle.board.labels
    found = areas(calendar_sheets(calendar)[0], fill=MARK)
    for day, month, number in zip(calendar.days, found[::2], found[1::2], strict=True):
        ((row, column),), ((down, right),) = (labels[label] for label in day.instance.labels)
        side = month[2] - month[0]
        assert number[0] - month[0] == pytest.approx(side * (right - column))
        assert number[1] - month[1] == pytest.approx(side * (down - row))


@pytest.mark.parametrize("week", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_boards_are_as_large_as_the_room_to_write_leaves(name: str, week: bool) -> None:
    calendar = replace(a_calendar(name, (2,)), week=week)
    left, top, right, bottom = bounds(
        calendar.puzzle.board.lattice, list(calendar.puzzle.board.cells)
    )
    for page in calendar_sheets(calendar)[:-1]:
        for slot, board in zip(areas(page, stroke="quiet"), areas(page, fill="board"), strict=True):
            wide, high = slot[2] - slot[0], slot[3] - slot[1]
            width, height = board[2] - board[0], board[3] - board[1]
            assert width / height == pytest.approx((right - left) / (bottom - top))

            def fits(scale: float, sizes: Box = (wide, high, width, height)) -> bool:
                # 1.2 mm around, 5.5 mm for the date, and 9 mm to write beside or below.
                wide, high, width, height = sizes
                across, down = wide - 2.4 - scale * width, high - 6.7 - scale * height
                return min(across, down) >= 0 and max(across, down) >= 9

            assert fits(0.9999)
            assert not fits(1.001)


@pytest.mark.long
def test_short_months_have_larger_boards_and_weeks_the_largest() -> None:
    february, may, _ = calendar_sheets(a_calendar())
    week = calendar_sheets(replace(a_calendar(), week=True))[0]
    four, six, seven = (areas(page, fill=MARK)[0] for page in (february, may, week))
    assert six[2] - six[0] < four[2] - four[0] < seven[2] - seven[0]


@pytest.mark.long
@pytest.mark.parametrize(("paper", "sheets"), [("A4", 2), ("letter", 2), ("A3", 1)])
def test_answers_are_on_as_few_sheets_as_can_be_read(paper: str, sheets: int) -> None:
    pages = calendar_sheets(a_calendar(months=tuple(range(1, 13))), paper)
    assert len(pages) == 12 + sheets
    grounds = [box for page in pages[12:] for box in areas(page, fill="board")]
    assert len(grounds) == 365
    assert min(right - left for left, _, right, _ in grounds) >= 7 * MIN_CELL_MM - 1e-9


@pytest.mark.long
def test_weeks_have_dates_in_the_language_of_the_board() -> None:
    week = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
    three = ((0, 0), (0, 1), (0, 2))
    board = calmip.Board.from_text([" ".join(week)])
    pieces = (calmip.Piece("a", three), calmip.Piece("b", three))
    puzzle = calmip.Puzzle("Kalender", board, pieces, {"weekday": week})
    holidays = {datetime.date(2027, 1, 6): "Heilige Drei Könige"}
    calendar = replace(calmip.calendar(puzzle, 2027, wall=True, week=True), holidays=holidays)
    *pages, _, _ = calendar_sheets(calendar)
    assert len(pages) == 53
    assert texts(pages[0])[:2] == ["Januar 2027", "W53 \N{MIDDLE DOT} Kalender"]
    assert texts(pages[13])[0] == "März \N{EN DASH} April 2027"
    named = [text.removesuffix(": no tiling") for page in pages for text in texts(page)]
    assert {"Freitag, 1. Januar", "Montag, 4. Januar", "Freitag, 31. Dezember"} <= {*named}
    assert "Freitag, 1. Januar: no tiling" in texts(pages[0])
    red = [mark.text for mark in pages[1].marks if isinstance(mark, Words) and mark.role == HOLIDAY]
    assert red[0].startswith("Mittwoch, 6. Januar")
    assert " ".join(red[1:]) == "Heilige Drei Könige"


@pytest.mark.parametrize("name", ["A very long name of a holiday on two lines", "Unbreakable" * 9])
def test_long_names_of_holidays_stay_in_their_day(name: str) -> None:
    calendar = replace(a_calendar(months=(2,)), holidays={datetime.date(2027, 2, 28): name})
    page = calendar_sheets(calendar)[0]
    slot = areas(page, stroke="quiet")[-1]
    found = [mark for mark in page.marks if isinstance(mark, Words) and mark.role == HOLIDAY]
    day, *lines = found
    assert day.text == "28"
    assert 1 <= len(lines) <= 2
    for line in lines:
        assert line.x < slot[2]
        assert line.x - 1.12 * text_width(line.text) * line.size > day.x + 4
        assert slot[1] < line.y - line.size / 2


def fills(operators: str) -> Iterator[tuple[tuple[float, ...], list[tuple[float, float]]]]:
    """Yield the colour and the points of each filled path of a page of a PDF."""
    colour: tuple[float, ...] = ()
    points: list[tuple[float, float]] = []
    numbers: list[float] = []
    # Texts, in brackets, have no operators.
    for word in re.sub(r"\((?:\\.|[^\\)])*\)", " ", operators).split():
        if re.fullmatch(r"-?[\d.]+", word):
            numbers.append(float(word))
            continue
        if word in ("rg", "g"):
            colour = tuple(numbers[-3:] if word == "rg" else numbers[-1:] * 3)
        elif word in ("m", "l"):
            points.append((numbers[-2], numbers[-1]))
        elif word in ("f", "f*", "B", "B*", "b", "b*", "S", "s", "n"):
            if word[0] in "fBb" and points:
                yield colour, points
            points = []
        numbers = []


@pytest.mark.long
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_a_ruler_on_the_pdf(paper: str) -> None:
    """Sheets, margins and cells have their millimetres, of 72 points an inch."""
    need_package("matplotlib")
    calendar = a_calendar(months=(5,))
    document = data(calendar, "pdf", paper=paper)
    assert rb"/Title (A-Puzzle-A-Day \(DragonFjord\), 2027)" in document
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", document)
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, re.DOTALL)
    packed = [zlib.decompress(one).decode("latin-1") for one in streams if one[:1] == b"\x78"]
    pages = [text for text in packed if re.search(r"^\S+ \S+ l$", text, re.M)]
    millimetre = 72 / 25.4
    high, wide = PAPERS[paper.lower()]
    assert len(boxes) == len(pages) == 2
    for size in boxes:
        sides = [float(side) / millimetre for side in size]
        assert sides == pytest.approx([wide, high], abs=0.01)
    drawn = [[*fills(page)] for page in pages]
    for (_, ground), *rest in drawn:
        assert box_of(ground) == pytest.approx((0, 0, wide * millimetre, high * millimetre))
        left, down, right, up = box_of([point for _, points in rest for point in points])
        edge = PAPER_EDGE * millimetre
        assert min(left, down, wide * millimetre - right, high * millimetre - up) >= edge
    mark = [int(MARK[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    cells = [points for colour, points in drawn[0] if colour == pytest.approx(mark, abs=1e-3)]
    assert len(cells) == 2 * 31
    (side,) = {
        round(box[2] - box[0], 6) for box in areas(calendar_sheets(calendar, paper)[0], fill=MARK)
    }
    for left, down, right, up in map(box_of, cells):
        assert (right - left, up - down) == pytest.approx([side * millimetre] * 2, abs=0.01)
