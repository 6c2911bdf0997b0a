"""Dates: which labels they reveal, and what is told where they reveal none."""

from __future__ import annotations

import calendar
import datetime
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calmip import InputError
from calmip.problem.dates import labels_of_date, parse_date, real_dates, usual_labels

MONTHS = list(calendar.month_name)[1:]
DAYS = [str(day) for day in range(1, 32)]
WEEKDAYS = list(calendar.day_name)

# Ways to write the usual names; a dot, any case, cut after three letters or more.
WAYS = [
    lambda name: name,
    lambda name: name[:3],
    lambda name: name[:4],
    lambda name: name[:3].upper(),
    lambda name: f"{name[:3].lower()}.",
]


@given(
    date=st.dates(datetime.date(1000, 1, 1)),
    way=st.sampled_from(WAYS),
    seed=st.randoms(use_true_random=False),
)
@example(datetime.date(2024, 2, 29), WAYS[0], random.Random(0))
def test_usual_names_are_found_wherever_they_stand(
    date: datetime.date, way: object, seed: random.Random
) -> None:
    labels = [*map(way, MONTHS), *map(way, WEEKDAYS), *DAYS, str(date.year), "x", "May Day", "32"]
    seed.shuffle(labels)
    groups = {group: usual_labels(group, labels) for group in ("year", "weekday", "month", "day")}
    assert groups["month"] == tuple(map(way, MONTHS))
    assert groups["weekday"] == tuple(map(way, WEEKDAYS))
    assert groups["day"] == tuple(DAYS)
    # strftime and the calendar module are the witnesses.
    assert labels_of_date(groups, date) == {
        "year": str(date.year),
        "weekday": way(calendar.day_name[date.weekday()]),
        "month": way(calendar.month_name[date.month]),
        "day": str(date.day),
    }
    # The order in which a group lists usual names does not matter.
    seed.shuffle(shuffled := list(groups["month"]))
    assert labels_of_date({"month": shuffled}, date) == {
        "month": way(calendar.month_name[date.month])
    }


@given(date=st.dates())
def test_other_names_count_by_their_place(date: datetime.date) -> None:
    groups = {
        "weekday": ["Lu", "Ma", "Me", "Je", "Ve", "Sa", "Di"],
        "month": ["Janv", "Févr", "Mars", "Avr", "Mai", "Juin",
                  "Juil", "Août", "Sept", "Oct", "Nov", "Déc"],
        "day": [f"{day}er" if day == 1 else str(day) for day in range(1, 32)],
    }  # fmt: skip
    found = labels_of_date(groups, date)
    assert groups["weekday"].index(found["weekday"]) == date.weekday()
    assert groups["month"].index(found["month"]) == date.month - 1
    assert groups["day"].index(found["day"]) == date.day - 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"month": ["Jan", "Mar"]}, "the board has no month for 2024-02-29; its month labels are"),
        ({"year": ["2025", "2026"]}, "the board has no year for 2024-02-29"),
        ({"year": ["MMXXIV"]}, "the board has no year for 2024-02-29"),
        ({"day": []}, "the board has no day for 2024-02-29; its day labels are none"),
        ({"moon": ["new", "full"]}, "a date says nothing about the group 'moon'; give its label"),
        # Neither is right by itself, whatever the date.
        ({"month": ["Feb", "February"]}, "Feb and February are both month 2; give the right"),
        ({"day": ["29", "1", "01"]}, "1 and 01 are both day 1; give the right labels, in calendar"),
        # By its place the third label is March, by its name December.
        ({"month": ["Janv", "Févr", "Dec"]}, "Dec is month 12 by its name, but month 3 by its"),
        ({"day": ["31*", "1", "2"]}, "1 is day 1 by its name, but day 2 by its place"),
    ],
)
def test_a_date_without_its_label_is_told_so(groups: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        labels_of_date(groups, datetime.date(2024, 2, 29))
    assert str(caught.value).startswith(message)
    if "both" in message or "by its name" in message:
        with pytest.raises(InputError) as caught:
            real_dates(groups)
        assert str(caught.value).startswith(message)


def test_what_looks_like_a_name_or_a_number_and_is_none() -> None:
    labels = ["J", "Ja", "Marc", "Marx", "0", "00", "007", "1.5", "-1", "+1", "٣", "²", "1e1",
              "0999", "12345", "M", "Mo", "Tuesd", "Janx", ""]  # fmt: skip
    assert usual_labels("month", labels) == ("Marc",)
    assert usual_labels("weekday", labels) == ("Tuesd",)
    assert usual_labels("day", labels) == ()
    assert usual_labels("year", labels) == ()
    assert usual_labels("moon", ["1", "Jan"]) == ()


@given(st.dates())
def test_a_date_is_read_as_it_is_written(date: datetime.date) -> None:
    year, week, weekday = date.isocalendar()
    for text in (date.isoformat(), f"  {date.isoformat()}\t", date.isoformat().replace("-", "")):
        assert parse_date(text) == date
    assert parse_date(f"{year:04}-W{week:02}-{weekday}") == date


def test_today_is_today() -> None:
    before = datetime.date.today()
    found = parse_date(" Today ")
    assert before <= found <= datetime.date.today()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2023-02-29", "'2023-02-29' is not a date: day"),
        ("2024-13-01", "'2024-13-01' is not a date: month"),
        ("0000-01-01", "'0000-01-01' is not a date: year"),
        ("29.2.2024", "'29.2.2024' is not a date; write it as 2024-02-29 (year-month-day), or"),
        ("2024-2-9", "'2024-2-9' is not a date; write it"),
        ("2024-02-29T00:00", "'2024-02-29T00:00' is not a date; write it"),
        ("", "'' is not a date; write it"),
        ("tomorrow", "'tomorrow' is not a date; write it"),
        ("\uff12024-02-29", "'\uff12024-02-29' is not a date; write it"),
        ("\x1b[31m", "'\\x1b[31m' is not a date; write it"),
        ("9" * 10_000, "'" + "9" * 60 + "...' is not a date; write it"),
    ],
)
def test_what_is_no_date_is_told_so(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_date(text)
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith("or 'today'")


@given(st.text(max_size=12))
def test_any_text_is_a_date_or_told_so(text: str) -> None:
    try:
        assert isinstance(parse_date(text), datetime.date)
    except InputError as error:
        assert str(error).isprintable()
