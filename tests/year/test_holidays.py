"""Files of holidays: read as they are meant, or refused with the line and the remedy."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calmip import InputError
from calmip.year.holidays import read_holidays

YAML = """\
12-25: Christmas Day
02-29: Leap day
2027-03-26: Good Friday
2027-12-25: [Grandmother's birthday, Christmas Day]
2028-04-14: 'Good Friday'
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_dates_of_one_year_and_of_every_year(tmp_path: Path) -> None:
    path = write(tmp_path, "days.yaml", YAML)
    assert {f"{date:%m-%d}": name for date, name in read_holidays(path, 2027).items()} == {
        "03-26": "Good Friday",
        "12-25": "Christmas Day, Grandmother's birthday",
    }
    assert [f"{date:%Y-%m-%d}" for date in read_holidays(path, 2028)] == [
        "2028-02-29",
        "2028-04-14",
        "2028-12-25",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 12-25", r"days\.yaml: is not a mapping of dates to names"),
        ("12-25: X\n2027-02-30: Y\n", r"days\.yaml:2: '2027-02-30' is not a date; write 2027-"),
        ("25.12.: Christmas\n", r"days\.yaml:1: '25\.12\.' is not a date"),
        ("02-30: X\n", "'02-30' is not a date"),
        ("20270101: X\n", "'20270101' is not a date"),
        ("12-25: {a: b}\n", r"days\.yaml:1: 12-25: a name has up to"),
        ("12-25: ''\n", "12-25: a name has up to"),
        ("12-25: \n- a\n- [b]\n", r"days\.yaml:3: 12-25: a name"),
        ("12-25: A\n12-25: B\n", r"days\.yaml:2: key '12-25' is given twice, first in line 1"),
        ("", "is empty"),
    ],
)
def test_faults_of_yaml_have_their_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_holidays(write(tmp_path, "days.yaml", text), 2027)


def ics(*lines: str) -> str:
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *lines, "END:VCALENDAR", ""])


def event(*lines: str) -> str:
    return ics("BEGIN:VEVENT", *lines, "END:VEVENT")


CALENDAR = ics(
    "X-WR-CALNAME:Feiertage; mit: Zeichen",
    "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19701025T030000",
    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
    "BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20270326", "DTEND;VALUE=DATE:20270327",
    "SUMMARY;LANGUAGE=de:Karfreitag\\, ein", "  stiller Tag", "BEGIN:VALARM", "SUMMARY:no",
    "DTSTART:x", "END:VALARM", "END:VEVENT",
    "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20201224", "DTEND;VALUE=DATE:20201227",
    "RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "SUMMARY:Weihnachten", "END:VEVENT",
    "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20201230", "DTEND;VALUE=DATE:20210103",
    "RRULE:FREQ=YEARLY", "SUMMARY:Ferien", "END:VEVENT",
    "BEGIN:VEVENT", 'DTSTART;TZID="Europe/Berlin":20270501T100000', "SUMMARY:Fest", "END:VEVENT",
    "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20270502", "STATUS:CANCELLED", "SUMMARY:off", "END:VEVENT",
    "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20280229", "RRULE:FREQ=YEARLY", "SUMMARY:Schalttag",
    "END:VEVENT",
)  # fmt: skip


def test_an_icalendar_file(tmp_path: Path) -> None:
    path = write(tmp_path, "de.ics", CALENDAR)
    found = {f"{date:%m-%d}": name for date, name in read_holidays(path, 2027).items()}
    assert found == {
        "01-01": "Ferien",
        "01-02": "Ferien",
        "03-26": "Karfreitag, ein stiller Tag",
        "05-01": "Fest",
        "12-24": "Weihnachten",
        "12-25": "Weihnachten",
        "12-26": "Weihnachten",
        "12-30": "Ferien",
        "12-31": "Ferien",
    }
    assert read_holidays(path, 2019) == {}
    # The holidays of 2020 had not begun before.
    assert min(read_holidays(path, 2020)) == datetime.date(2020, 12, 24)
    leap = datetime.date(2032, 2, 29)
    assert read_holidays(path, 2032)[leap] == "Schalttag"
    assert not any(date.month == 2 for date in read_holidays(path, 2033))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no events"),
        (ics(), "has no events"),
        ("Date,Name\n", r"de\.ics:1: 'Date,Name' is not a line NAME:VALUE"),
        ("BEGIN:VEVENT\n", r"de\.ics:1: an iCalendar file begins with BEGIN:VCALENDAR"),
        (CALENDAR[:-15], r"de\.ics: ends within VCALENDAR; it is cut off"),
        (event("SUMMARY:X"), r"de\.ics:5: the event has no DTSTART"),
        (event("DTSTART:20270101"), "the event has no SUMMARY"),
        (event("DTSTART:20270230", "SUMMARY:X"), r"de\.ics:4: '20270230' is not a date"),
        (event("DTSTART:2027-01-01", "SUMMARY:X"), "is not a date such as 20271225"),
        (event("DTSTART:20270101T000000Z", "SUMMARY:X"), "a time in UTC, so its day depends"),
        (event("DTSTART:20270101", "SUMMARY:X", "RRULE:FREQ=WEEKLY"), "the rule FREQ=WEEKLY is"),
        (event("DTSTART:20270101", "SUMMARY:X", "RRULE:FREQ=YEARLY;BYDAY=1MO"), "not supported"),
        (event("DTSTART:20270101", "SUMMARY:X", "RRULE:FREQ"), "the rule FREQ is not supported"),
        (event("DTSTART:20270101", "SUMMARY:X", "EXDATE:20280101"), "EXDATE is not supported"),
        (event("DTSTART:20270101", "SUMMARY:X", "SUMMARY:Y"), r"ics:6: .* a second SUMMARY"),
        (event("DTSTART:20270101", "DTEND:20290101", "SUMMARY:X"), "has 731 days, over 366"),
        (event("DTSTART:20270101", "SUMMARY: "), "a name has up to"),
        (ics("BEGIN:VEVENT", "END:VTODO"), r"de\.ics:4: END:VTODO ends nothing"),
    ],
)
def test_faults_of_icalendar_have_their_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_holidays(write(tmp_path, "de.ics", text), 2027)


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"days\.csv: is not a file of holidays: its suffix"):
        read_holidays(write(tmp_path, "days.csv", "2027-01-01,X"), 2027)
    for name in ("none.ics", "none.yaml"):
        with pytest.raises(InputError, match="no such file"):
            read_holidays(tmp_path / name, 2027)
    (tmp_path / "latin.ics").write_bytes(CALENDAR.replace("ein", "fünf").encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.ics:15: is not UTF-8 text"):
        read_holidays(tmp_path / "latin.ics", 2027)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), name=st.sampled_from(["days.yaml", "de.ics"]))
def test_damaged_files_are_read_or_refused(data: st.DataObject, name: str, tmp_path: Path) -> None:
    text = YAML if name == "days.yaml" else CALENDAR
    at = data.draw(st.integers(0, len(text)))
    end = at + data.draw(st.integers(0, 30))
    damaged = text[:at] + data.draw(st.text(max_size=4)) + text[end:]
    try:
        found = read_holidays(write(tmp_path, name, damaged), 2027)
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert all(date.year == 2027 and line.isprintable() for date, line in found.items())
