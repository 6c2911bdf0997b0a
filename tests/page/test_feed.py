"""What others ask the site's page for: a chat its card, a reader its feed, a calendar its days."""

from __future__ import annotations

import datetime
import importlib
import re
import sys
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from types import ModuleType
from xml.etree import ElementTree

import pytest
from page_modules import ROOT

import calmip
from calmip.puzzle.tasks.play import page_text

SITE = "https://calmip.github.io/calmip/"


@pytest.fixture(scope="module")
def feed() -> ModuleType:
    sys.path.insert(0, str(ROOT / ".ci/docs_build"))
    try:
        return importlib.import_module("feed")
    finally:
        sys.path.remove(str(ROOT / ".ci/docs_build"))


@pytest.fixture(scope="module")
def head() -> Head:
    sys.path.insert(0, str(ROOT / ".ci/docs_build"))
    try:
        page = importlib.import_module("installable").files()
    finally:
        sys.path.remove(str(ROOT / ".ci/docs_build"))
    found = Head(page)
    found.feed(page["index.html"].decode().partition("<style>")[0])
    return found


class Head(HTMLParser):
    """What is in the head of the page, by name or relation."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__()
        self.files = files
        self.found: dict[str, str] = {}
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("meta", "link"):
            name = given.get("property") or given.get("name") or given.get("rel") or ""
            assert name not in self.found, f"{name} is there twice"
            if name:
                self.found[name] = given.get("content") or given.get("href") or ""

    def handle_data(self, data: str) -> None:
        if self.lasttag == "title":
            self.title += data


def test_a_link_to_the_page_has_a_card(head: Head) -> None:
    found = head.found
    assert head.title.strip() == found["og:title"]
    assert found["description"] == found["og:description"]
    assert 40 < len(found["description"]) < 160
    assert found["canonical"] == found["og:url"] == f"{SITE}play/"
    assert found["og:image"] == f"{SITE}pictures/social.png"
    assert (ROOT / "docs/pictures/social.png").is_file()
    assert found["apple-touch-icon"] in head.files
    assert found["alternate"] == "feed.xml"


def test_the_one_file_asks_for_none_of_this() -> None:
    text = page_text(whole=False).partition("<style>")[0]
    assert not re.search("og:|canonical|apple-touch|feed.xml|https:", text)


def test_the_feed_has_the_last_days_and_their_numbers_of_solutions(feed: ModuleType) -> None:
    last = datetime.date(2024, 3, 2)
    channel = ElementTree.fromstring(feed.rss(last)).find("channel")
    assert channel is not None
    items = channel.findall("item")
    days = [last - datetime.timedelta(days=back) for back in range(feed.DAYS)]
    assert len(items) == len(days)
    for item, day in zip(items, days, strict=True):
        assert item.findtext("link") == f"{SITE}play/#puzzle=a-puzzle-a-day&date={day}"
        when = parsedate_to_datetime(item.findtext("pubDate") or "")
        assert when == datetime.datetime.combine(day, datetime.time(), datetime.UTC)
        count = calmip.count(calmip.read_instance("a-puzzle-a-day", date=day)).total
        assert (item.findtext("title") or "").endswith(f": {count} solutions")
    assert len({item.findtext("guid") for item in items}) == len(items)
    leap = next(item for item in items if "29 February" in (item.findtext("title") or ""))
    assert leap.findtext("title") == "29 February 2024: 64 solutions"
    assert leap.findtext("description") == "Cover everything but Feb 29."


def test_the_calendar_has_every_day_of_a_leap_year_once(feed: ModuleType) -> None:
    text = feed.ics()
    lines = text.split("\r\n")
    assert lines.pop() == ""
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert not any("\n" in line or len(line.encode()) > 75 for line in lines)
    for name in ("VERSION", "PRODID"):
        assert sum(line.startswith(f"{name}:") for line in lines) == 1
    events = text.split("BEGIN:VEVENT\r\n")[1:]
    starts = [found for one in events for found in re.findall(r"DTSTART;VALUE=DATE:(\d{8})", one)]
    first = datetime.date(2024, 1, 1)
    assert starts == [f"{first + datetime.timedelta(days=k):%Y%m%d}" for k in range(366)]
    for one in events:
        assert one.count("RRULE:FREQ=YEARLY") == one.count("DTSTAMP:") == one.count("UID:") == 1
        assert f"URL:{SITE}play/#puzzle=a-puzzle-a-day\r\n" in one
    assert len(set(re.findall("UID:(.*)", text))) == 366


def test_the_day_of_the_build_can_be_set(feed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1709208000")
    assert feed.today() == datetime.date(2024, 2, 29)
    assert b"29 February 2024" in feed.files()["feed.xml"]
