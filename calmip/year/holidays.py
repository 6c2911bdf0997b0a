"""Holidays and birthdays of a year, from a YAML file of dates and names or an iCalendar file."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calmip._base.errors import InputError, clip
from calmip._base.files import read_bytes
from calmip.puzzle.documents.yaml import MAX_NAME_CHARACTERS, Items, Text, read_table

__all__ = ["read_holidays"]

SUFFIXES = (".yaml", ".yml", ".ics")

MAX_BYTES = 2_000_000

MAX_EVENT_DAYS = 366
"""The days of the longest event."""

Event = tuple[datetime.date, int, bool, str]
"""The first day, the number of days, whether it returns every year, and the name."""


def read_holidays(path: Path | str, year: int) -> dict[datetime.date, str]:
    """Return the names of the holidays of a year in a file, by their dates in order.

    Parameters
    ----------
    path
        A YAML file (``.yaml``, ``.yml``): a mapping of dates to names, ``2027-03-26: Good
        Friday`` for one year or ``12-25: Christmas Day`` for every year; several names are a
        list. Or an iCalendar file (``.ics``, RFC 5545): its events of whole days, and those at
        a local time. Of repeated events it may have yearly ones.
    year
        The year.

    Raises
    ------
    InputError
        If the file cannot be read or has another form, or an event repeats in another way.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            "is not a file of holidays: its suffix is .ics (iCalendar), or .yaml with lines "
            "such as '2027-03-26: Good Friday' or '12-25: Christmas Day'",
            path=path,
        )
    found: dict[datetime.date, list[str]] = {}
    for first, days, yearly, name in _ics(path) if suffix == ".ics" else _yaml(path):
        # An event may begin in the year before.
        for begins in (year - 1, year) if yearly else (first.year,):
            for date in _days(first, begins, days):
                if date.year == year and name not in found.setdefault(date, []):
                    found[date].append(name)
    return {date: ", ".join(found[date]) for date in sorted(found)}


def _days(first: datetime.date, year: int, days: int) -> Iterator[datetime.date]:
    """Yield the days of an event that begins on this date in a year, if there is such a date."""
    if year >= first.year:
        with contextlib.suppress(ValueError, OverflowError):
            start = first.replace(year=year)
            yield from (start + datetime.timedelta(number) for number in range(days))


def _yaml(path: Path) -> Iterator[Event]:
    fault = "is not a mapping of dates to names, such as '2027-03-26: Good Friday'"
    table = read_table(path, str(path), fault)
    for key, node in table.items():
        line = table.lines[key]
        yearly = re.fullmatch(r"\d\d-\d\d", key, re.ASCII) is not None
        # A leap year, so that 02-29 is a date, and the first one: it holds in every year.
        date = _date(f"0004-{key}" if yearly else key)
        if date is None:
            raise InputError(
                f"'{clip(key)}' is not a date; write 2027-12-25 for one year, or 12-25 for "
                "every year",
                path=path,
                line=line,
            )
        names = node if isinstance(node, Items) else [node]
        for name in names:
            if not isinstance(name, Text) or not _is_name(name):
                raise InputError(
                    f"{clip(key)}: a name has up to {MAX_NAME_CHARACTERS} printable characters on "
                    "one line",
                    path=path,
                    line=name.line,
                )
            yield date, 1, yearly, str(name)


def _date(text: str) -> datetime.date | None:
    """Return the date of a text such as ``2027-12-25``."""
    try:
        return datetime.date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def _is_name(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_NAME_CHARACTERS and text.isprintable()


class _Line:
    """A content line of an iCalendar file: its number, name, parameters and value."""

    def __init__(self, number: int, text: str, path: Path) -> None:
        self.number, self.path = number, path
        match = re.fullmatch(
            r"([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:\"[^\"]*\"|[^\";:,]*)"
            r"(?:,(?:\"[^\"]*\"|[^\";:,]*))*)*):(.*)",
            text,
        )
        if match is None:
            raise self.error(f"'{clip(text, 60)}' is not a line NAME:VALUE of an iCalendar file")
        self.name, self.value = match[1].upper(), match[3]
        self.parameters = match[2].upper()

    def error(self, fault: str) -> InputError:
        """Return an error that names the line."""
        return InputError(fault, path=self.path, line=self.number)

    def date(self) -> datetime.date:
        """Return the date of a value such as ``20271225`` or ``20271225T080000``."""
        match = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(T\d{6}(Z?))?", self.value, re.ASCII)
        date = _date("-".join(match.groups()[:3])) if match else None
        if match is None or date is None:
            raise self.error(f"'{clip(self.value)}' is not a date such as 20271225")
        if match[5]:
            raise self.error(
                f"'{clip(self.value)}' is a time in UTC, so its day depends on the time zone; "
                "export the event as an all-day one"
            )
        return date


def _ics(path: Path) -> Iterator[Event]:
    data = read_bytes(path, MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path, line=number) from None
    inside: list[str] = []
    event: dict[str, _Line] = {}
    events = 0
    for line in _content(text, path):
        if not inside and (line.name, line.value.upper()) != ("BEGIN", "VCALENDAR"):
            raise line.error("an iCalendar file begins with BEGIN:VCALENDAR")
        if line.name == "BEGIN":
            inside.append(line.value.upper())
            event = {} if inside == ["VCALENDAR", "VEVENT"] else event
        elif line.name == "END":
            if inside.pop() != line.value.upper():
                raise line.error(f"END:{clip(line.value, 60)} ends nothing that began last")
            if inside == ["VCALENDAR"] and line.value.upper() == "VEVENT":
                events += 1
                yield from _event(event, line)
        elif inside == ["VCALENDAR", "VEVENT"]:
            if line.name in event and line.name in ("DTSTART", "DTEND", "SUMMARY", "RRULE"):
                raise line.error(f"the event has a second {line.name}")
            event[line.name] = line
    if inside or not events:
        fault = f"ends within {inside[-1]}; it is cut off" if inside else "has no events (VEVENT)"
        raise InputError(fault, path=path)


def _content(text: str, path: Path) -> Iterator[_Line]:
    """Yield the content lines; one that begins with a blank continues the line before it."""
    gathered: list[str] = []
    first = 1
    for number, row in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if row[:1] in (" ", "\t") and gathered:
            gathered.append(row[1:])
            continue
        if "".join(gathered).strip():
            yield _Line(first, "".join(gathered), path)
        gathered, first = [row], number
    if "".join(gathered).strip():
        yield _Line(first, "".join(gathered), path)


def _event(event: Mapping[str, _Line], end: _Line) -> Iterator[Event]:
    """Yield an event, unless it is cancelled."""
    if "STATUS" in event and event["STATUS"].value.upper() == "CANCELLED":
        return
    for name in ("RDATE", "EXDATE", "RECURRENCE-ID", "DURATION"):
        if name in event:
            raise event[name].error(f"{name} is not supported; export single events of whole days")
    for name in ("DTSTART", "SUMMARY"):
        if name not in event:
            raise end.error(f"the event has no {name}")
    start, summary = event["DTSTART"], event["SUMMARY"]
    first, days = start.date(), 1
    if "DTEND" in event and "T" not in start.value:
        # The end is the first day after the event; some programs write the same day.
        days = max((event["DTEND"].date() - first).days, 1)
        if days > MAX_EVENT_DAYS:
            raise event["DTEND"].error(f"the event has {days:,} days, over {MAX_EVENT_DAYS}")
    name = re.sub(r"\\(.)", lambda found: " " if found[1] in "nN" else found[1], summary.value)
    name = " ".join(name.split())
    if not _is_name(name):
        raise summary.error(f"a name has up to {MAX_NAME_CHARACTERS} printable characters")
    yield first, days, "RRULE" in event and _is_yearly(event["RRULE"], first), name


def _is_yearly(rule: _Line, first: datetime.date) -> bool:
    """Return true for the rule of an event that returns on its date every year."""
    usual = {
        "FREQ": ("YEARLY",),
        "INTERVAL": ("1",),
        "WKST": ("MO", "TU", "WE", "TH", "FR", "SA", "SU"),
        "BYMONTH": (f"{first.month}", f"{first.month:02}"),
        "BYMONTHDAY": (f"{first.day}", f"{first.day:02}"),
    }
    parts: Sequence[Sequence[str]] = [one.upper().split("=") for one in rule.value.split(";")]
    known = all(len(part) == 2 and part[1] in usual.get(part[0], ()) for part in parts)
    if not known or "FREQ" not in [part[0] for part in parts]:
        raise rule.error(
            f"the rule {clip(rule.value, 80)} is not supported; only events that return on their "
            "date every year are (FREQ=YEARLY)"
        )
    return True
