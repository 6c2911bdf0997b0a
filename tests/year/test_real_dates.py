"""Which choices of labels are dates, against Python's calendar."""

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip.puzzle.dates import MONTH_NAMES, WEEKDAY_NAMES, labels_of_date, real_dates

MONTH_LABELS = tuple(month[:3].title() for month in MONTH_NAMES["en"])
DAY_LABELS = tuple(map(str, range(1, 32)))
WEEKDAY_LABELS = tuple(day[:3].title() for day in WEEKDAY_NAMES["en"])


def test_a_year_has_366_dates_in_order_and_each_weekday() -> None:
    dates = real_dates({"month": MONTH_LABELS, "day": DAY_LABELS})
    days = [datetime.date(2000, 1, 1) + datetime.timedelta(n) for n in range(366)]
    assert list(dates) == [f"{day:%m-%d}" for day in days]
    assert dates["02-29"] == {"month": "Feb", "day": "29"}
    groups = {"weekday": WEEKDAY_LABELS, "month": MONTH_LABELS, "day": DAY_LABELS}
    with_weekdays = real_dates(groups)
    assert len(with_weekdays) == 7 * 366
    assert with_weekdays["02-29-thu"] == {"weekday": "Thu", "month": "Feb", "day": "29"}
    assert all(list(labels) == list(groups) for labels in with_weekdays.values())


@pytest.mark.long
@settings(deadline=None)
@given(first=st.integers(1583, 9990), years=st.integers(1, 3), weekdays=st.booleans())
def test_with_years_the_dates_are_those_of_the_calendar(
    first: int, years: int, weekdays: bool
) -> None:
    groups = {"month": MONTH_LABELS, "day": DAY_LABELS}
    groups["year"] = tuple(map(str, range(first, first + years)))
    if weekdays:
        groups["weekday"] = WEEKDAY_LABELS
    start, end = datetime.date(first, 1, 1), datetime.date(first + years, 1, 1)
    days = [start + datetime.timedelta(n) for n in range((end - start).days)]
    assert list(real_dates(groups).values()) == [labels_of_date(groups, day) for day in days]


def test_labels_without_usual_names_count_from_the_first() -> None:
    dates = real_dates({"day": DAY_LABELS, "month": tuple("abcdefghijkl")})
    assert dates["02-29"] == {"day": "29", "month": "b"}
    assert len(dates) == 366
    assert len(real_dates({"day": DAY_LABELS})) == 31
    assert real_dates({}) == {"": {}}


def test_a_group_that_no_calendar_knows_is_refused() -> None:
    with pytest.raises(InputError, match="a date says nothing about the group 'mood'"):
        real_dates({"mood": ("good", "bad")})
