"""The puzzle of the day for readers of feeds and for calendars: ``feed.xml`` and ``days.ics``.

The site is built anew each day, so the feed has the last days. The calendar needs no new file: it
has an event for each of the 366 days, which comes again every year.
"""

from __future__ import annotations

import datetime
import os
from email.utils import format_datetime
from xml.sax.saxutils import escape

import calmip
from calmip.puzzle.documents.reader import DEFAULT_PUZZLE

SITE = "https://calmip.github.io/calmip/play/"
PICTURE = "https://calmip.github.io/calmip/pictures/social.png"
DAYS = 8
"""So many days are in the feed."""

# Leap day is a day of these years alone, as RFC 5545 says of dates that a year lacks.
LEAP = 2024


def today() -> datetime.date:
    """Return the day of the build, which ``SOURCE_DATE_EPOCH`` may set."""
    now = datetime.datetime.now(datetime.UTC)
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        now = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
    return now.date()


def address(day: datetime.date | None = None) -> str:
    """Return the address of the puzzle at a date, or of today's."""
    return f"{SITE}#puzzle={DEFAULT_PUZZLE}" + (f"&date={day}" if day else "")


def rss(last: datetime.date) -> str:
    """Return the feed in RSS 2.0, the newest day first."""
    return f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>calmip: the puzzle of the day</title>
<link>{SITE}</link>
<atom:link href="{SITE}feed.xml" rel="self" type="application/rss+xml"/>
<description>A calendar puzzle for each day, with the number of its solutions.</description>
<language>en</language>
{"".join(_item(last - datetime.timedelta(days=back)) for back in range(DAYS))}</channel>
</rss>
"""


def _item(day: datetime.date) -> str:
    count = calmip.count(calmip.read_instance(DEFAULT_PUZZLE, date=day)).total
    begin = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
    solutions = "1 solution" if count == 1 else f"{count} solutions"
    return f"""<item>
<title>{day.day} {day:%B %Y}: {solutions}</title>
<link>{escape(address(day))}</link>
<guid isPermaLink="false">calmip-{DEFAULT_PUZZLE}-{day}</guid>
<pubDate>{format_datetime(begin, usegmt=True)}</pubDate>
<description>Cover everything but {day:%b} {day.day}.</description>
</item>
"""


def ics() -> str:
    """Return the calendar in iCalendar (RFC 5545)."""
    first = datetime.date(LEAP, 1, 1)
    days = [first + datetime.timedelta(days=number) for number in range(366)]
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//calmip//the puzzle of the day//EN",
        "NAME:calmip",
        "X-WR-CALNAME:calmip",
        *(line for day in days for line in _event(day)),
        "END:VCALENDAR",
    ]
    assert all(len(line.encode()) <= 75 for line in lines), "a longer line has to be folded"
    return "".join(f"{line}\r\n" for line in lines)


def _event(day: datetime.date) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{day:%m-%d}@calmip.github.io",
        f"DTSTAMP:{LEAP}0101T000000Z",
        f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
        "RRULE:FREQ=YEARLY",
        f"SUMMARY:Calendar puzzle: {day:%b} {day.day}",
        f"URL:{address()}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def files() -> dict[str, bytes]:
    """Return both files, by name: others than the page ask for them, so it keeps no copies."""
    return {"feed.xml": rss(today()).encode(), "days.ics": ics().encode()}
