"""The year of a puzzle: the public numbers, and each date by itself."""

from __future__ import annotations

import datetime
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_puzzle
from calmip._base.limits import Progress
from calmip.puzzle.dates import labels_of_date
from calmip.puzzle.search.exact_cover.counting import count
from calmip.year.year import Difficulty, Year
from calmip.year.year import year as year_of

# All choices, real dates, hardest, easiest: counted by others (see the puzzles' sources).
KNOWN = {
    "a-puzzle-a-day": ((372, 25_061), (366, 24_405), ("10-06", 7), ("01-25", 216)),
    "palmetto-whole-year": ((372, 41_457), (366, 40_219), ("05-21", 11), ("01-28", 734)),
    "jarringwords": ((372, 23_145), (366, 22_625), ("07-02", 10), ("01-23", 208)),
}


def totals(year: Year) -> tuple[tuple[int, int], tuple[int, int]]:
    return (
        (len(year.counts), sum(count.tilings for count in year.counts)),
        (len(year.dates), sum(count.tilings for count in year.dates)),
    )


@pytest.mark.parametrize("name", KNOWN)
def test_the_public_numbers(name: str) -> None:
    year = year_of(read_puzzle(name))
    choices, real, hardest, easiest = KNOWN[name]
    assert totals(year) == (choices, real)
    assert [(c.name, c.tilings) for c in year.hardest(1)] == [hardest]
    assert [(c.name, c.tilings) for c in year.easiest(1)] == [easiest]
    assert len(year.others) == 6
    assert not year.by_weekday
    assert sum(one.dates for one in year.by_month.values()) == 366


@pytest.mark.slow
def test_the_public_numbers_of_the_rhombus() -> None:
    year = year_of(read_puzzle("praxis-rhombus"))
    assert totals(year) == ((2_604, 1_527_044), (2_562, 1_483_382))
    numbers = {count.name: count.tilings for count in year.counts}
    assert (numbers["10-23-thu"], numbers["02-29-fri"]) == (201, 287)
    assert [one.least for one in year.by_weekday.values()] == [30, 30, 29, 4, 29, 18, 18]
    assert (year.hardest(1)[0].tilings, year.easiest(1)[0].tilings) == (4, 3_576)


def test_dates_are_counted_as_each_by_itself() -> None:
    puzzle = read_puzzle("a-puzzle-a-day").with_flip(False)
    year = year_of(puzzle, 2027)
    for entry in year.counts[::29]:
        day = datetime.date.fromisoformat(entry.name[:10])
        assert entry.labels == labels_of_date(puzzle.groups, day)
        assert entry.tilings == count(ExactCover(Instance.of_date(puzzle, day)))
        assert entry.weekday == day.isoweekday()
        assert entry.name.endswith(f"{day:%a}".lower())
    impossible = {entry.name for entry in year.dates if not entry.tilings}
    assert "2027-12-29-wed" in impossible
    assert {entry.name for entry in year.impossible} == impossible
    assert [entry.name for entry in year.hardest(len(impossible))] == sorted(impossible)
    assert all(entry.tilings for entry in year.easiest(400))
    assert sum(one.impossible for one in year.by_month.values()) == len(impossible)


def tiny(*groups: str) -> Puzzle:
    """Return a puzzle with four months, few days, and perhaps weekdays or years."""
    rows = {
        "month": "January February March April",
        "day": "1 28 29 30",
        "weekday": "Mo Tu We Th",
        "year": "2027 2028 * *",
    }
    names = {
        "month": tuple(rows["month"].split()),
        "day": tuple(rows["day"].split()),
        "weekday": tuple(rows["weekday"].split()),
        "year": ("2027", "2028"),
    }
    board = Board.from_text([rows[group] for group in groups])
    singles = [Piece(f"s{n}", ((0, 0),)) for n in range(3 * len(groups))]
    return Puzzle("tiny", board, tuple(singles), {group: names[group] for group in groups})


@pytest.mark.parametrize("year", [None, 2027, 2028])
@pytest.mark.parametrize(
    "groups", [("month", "day"), ("day", "month", "weekday"), ("year", "month", "day")]
)
def test_years_and_weekdays(groups: tuple[str, ...], year: int | None) -> None:
    puzzle = tiny(*groups)
    found = year_of(puzzle, year)
    assert {entry.tilings for entry in found.counts} == {1}  # equal pieces: one picture
    if year is None:
        size = math.prod(len(puzzle.groups[group]) for group in groups)
        assert len(found.counts) == size
        weekdays = 4 if "weekday" in groups else 1
        feb = [e for e in found.counts if (e.month, e.day) == (2, 29) and e.real]
        assert len(feb) == weekdays
        assert not any(entry.real for entry in found.counts if (entry.month, entry.day) == (2, 30))
        return
    assert all(entry.real for entry in found.counts)
    days = [datetime.date.fromisoformat(entry.name[:10]) for entry in found.counts]
    wanted = [
        datetime.date(year, month, day)
        for month in range(1, 5)
        for day in (1, 28, 29, 30)
        if day < 29 or month != 2 or (day == 29 and year == 2028)
    ]
    if "weekday" in groups:
        wanted = [day for day in wanted if day.isoweekday() <= 4]
    assert days == wanted


@settings(deadline=None)
@given(st.lists(st.integers(0, 1000), min_size=1))
def test_difficulty(numbers: list[int]) -> None:
    one = Difficulty.of(numbers)
    assert (one.dates, one.impossible) == (len(numbers), numbers.count(0))
    assert one.least <= one.median <= one.greatest
    some = [number for number in numbers if number]
    if some:
        assert min(some) <= one.geometric_mean * 1.000001
        assert one.geometric_mean <= max(some) * 1.000001


def test_what_is_no_year() -> None:
    weekdays = Puzzle(
        "week", Board.from_text(["Mon Tue"]), (Piece("a", ((0, 0),)),), {"weekday": ("Mon", "Tue")}
    )
    with pytest.raises(InputError, match="week has no months to make a year of"):
        year_of(weekdays)
    with pytest.raises(InputError, match="from 1 to 9999, not 0"):
        year_of(tiny("month", "day"), 0)
    with pytest.raises(InputError, match="no year for 2031-01-01"):
        year_of(tiny("year", "month", "day"), 2031)
    with pytest.raises(InputError, match="above 0, not -1"):
        year_of(tiny("month", "day"), time_limit=-1)


def test_a_limit_that_comes_first_leaves_no_counts() -> None:
    found = year_of(read_puzzle("a-puzzle-a-day"), time_limit=1e-9)
    assert (found.status, found.counts) == ("unknown", ())
    assert str(found).startswith("stopped before an answer: ")
    assert found.detail in repr(found)


def test_threads_and_progress_change_nothing() -> None:
    puzzle = read_puzzle("palmetto-whole-year")
    seen: list[Progress] = []
    shared = year_of(puzzle, workers=2, progress=seen.append)
    assert shared.counts == year_of(puzzle).counts
    assert seen == sorted(seen)
