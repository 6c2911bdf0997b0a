"""A tiling a day: verified, the same again, and safe to read back."""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import re
from csv import reader
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmip import Board, InputError, Instance, Piece, Puzzle, Tiling, read_puzzle
from calmip._base.limits import Progress
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import MONTH_NAMES, labels_of_date
from calmip.puzzle.render.report import as_page, as_text
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.tasks.journal import Journal
from calmip.year.calendar import (
    SEEDED_TILINGS,
    Calendar,
    DaySearch,
    calendar,
    calendar_from_json,
    calendar_json,
    days_of,
    read_calendar,
)
from calmip.year.calendar_report import csv, report

WEEK = Puzzle(
    "week <&> \x1b",
    Board.from_text(["Mon Tue Wed Thu Fri Sat Sun"]),
    (Piece("a", ((0, 0), (0, 1), (0, 2))), Piece("b<&>", ((0, 0), (0, 1), (0, 2)))),
    {"weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")},
)
"""Only on Mondays, Thursdays and Sundays is there a tiling."""


@cache
def week(year: int = 2027) -> Calendar:
    return calendar(WEEK, year)


def test_impossible_days_are_days_too() -> None:
    found = week()
    assert [day.date for day in found.days] == days_of(2027)
    assert len(found.days) == 365
    possible = {day.date.isoweekday() for day in found.days if day.tiling is not None}
    assert possible == {1, 4, 7}
    assert sum(day.tiling is None for day in found.days) == 209
    assert len(days_of(2028)) == 366
    assert days_of(9999)[-1] == datetime.date.max


@pytest.mark.long
def test_a_real_year_is_small_and_comes_back() -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    calls: list[Progress] = []
    found = calendar(puzzle, 2028, progress=calls.append)
    text = calendar_json(found)
    assert [(now.done, now.total) for now in calls] == [(n, 366) for n in range(367)]
    assert len(text.encode()) < 24_000
    for known in (None, puzzle):
        back = calendar_from_json(text, puzzle=known)
        assert [day.tiling for day in back.days] == [day.tiling for day in found.days]
        assert calendar_json(back) == text
    for day in found.days:
        assert day.tiling is not None
        assert day.tiling.reveal == labels_of_date(puzzle.groups, day.date)
    with pytest.raises(InputError, match="its pieces are L, N, P, U, V, Y, Z, O6, not those of"):
        calendar_from_json(text, puzzle=read_puzzle("jarringwords"))
    with pytest.raises(InputError, match="2028-01-01"):
        calendar_from_json(text, puzzle=puzzle.with_flip(False))


def test_seeds_vary_the_tilings_and_repeat_them() -> None:
    puzzle = read_puzzle("palmetto-whole-year")
    date = datetime.date(2027, 1, 28)
    found = {seed: DaySearch(puzzle, seed=seed).day(date).tiling for seed in range(12)}
    assert len({tiling.placements for tiling in found.values() if tiling}) > 6
    assert DaySearch(puzzle, seed=5).day(date).tiling == found[5]


@pytest.mark.parametrize("flip", [True, False])
@pytest.mark.parametrize("name", ["a-puzzle-a-day", "weekday-8x7", "hex43-v1", "heart-set1"])
def test_the_days_share_a_search_and_have_the_tilings_of_their_own(name: str, flip: bool) -> None:
    puzzle = read_puzzle(name).with_flip(flip)
    for seed in (0, 3):
        search = DaySearch(puzzle, seed=seed)
        for date in days_of(2028)[seed::31]:
            cover = ExactCover(Instance.of_date(puzzle, date))
            own = list(Search(cover, limit=SEEDED_TILINGS if seed else 1))
            text = f"{seed} {date}".encode()
            lot = int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
            tiling = search.day(date).tiling
            assert (tiling is None) == (not own)
            assert tiling is None or tiling.options(cover) == own[lot % len(own)]


def test_equal_pieces_and_labels_of_two_cells_in_a_shared_search() -> None:
    puzzle = Puzzle(
        "two cells",
        Board.from_text(["Mon Mon Tue Tue Wed Wed", "Thu Thu Fri Fri Sat Sat", "Sun Sun * * * *"]),
        tuple(Piece(name, ((0, 0), (0, 1))) for name in "abcdefgh"),
        WEEK.groups,
    )
    search = DaySearch(puzzle, seed=1)
    for date in days_of(2027)[:7]:
        instance = Instance.of_date(puzzle, date, name=date.isoformat())
        tilings = {Tiling.from_options(c, o) for c in [ExactCover(instance)] for o in Search(c)}
        day = search.day(date)
        assert day.tiling in tilings
        assert day.tiling is not None
        assert day.tiling.instance == instance == day.instance


def test_hexagons_come_back(tmp_path: Path) -> None:
    puzzle = read_puzzle("hex43-v1")
    days = tuple(DaySearch(puzzle).day(date) for date in days_of(2027)[:3])
    assert all(day.tiling is not None for day in days)
    text = calendar_json(Calendar(puzzle, 2027, 0, days))
    whole = json.loads(text)
    whole["days"] |= {f"{date:%m-%d}": None for date in days_of(2027)[3:]}
    path = tmp_path / "hex.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    back = read_calendar(path)
    assert [day.tiling for day in back.days[:3]] == [day.tiling for day in days]


DAMAGE = {
    "[]": "not a calendar",
    "{": "is not JSON",
    '{"format":"calmip-calendar","version":2}': "another version",
    "\x00": "is not JSON",
    "[" * 100_000: "is not JSON",
}


@pytest.mark.parametrize("text", DAMAGE, ids=lambda text: str(text)[:20])
def test_what_is_no_calendar(text: str) -> None:
    with pytest.raises(InputError, match=DAMAGE[text]):
        calendar_from_json(text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_calendar(tmp_path / "none.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"x\.json: cannot be read: it is not UTF-8 text"):
        read_calendar(tmp_path / "x.json")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.text(max_size=3),
    st.floats(0, 2),
    st.lists(st.integers(-2, 9), max_size=4),
    st.dictionaries(st.text(max_size=2), st.none()),
)


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_damage_is_found_or_harmless(data: st.DataObject) -> None:
    document = json.loads(calendar_json(week()))
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = data.draw(VALUES)
        break
    try:
        found = calendar_from_json(json.dumps(document))
    except InputError as error:
        assert "\n" not in str(error)
        return
    for day in found.days:
        if day.tiling is not None:
            assert exists_on(day.date)


def exists_on(date: datetime.date) -> bool:
    return date.isoweekday() in (1, 4, 7)


def test_a_wrong_placement_is_named() -> None:
    document = json.loads(calendar_json(week()))
    document["days"]["01-04"] = [0, 0, 0, 3]
    with pytest.raises(InputError, match="2027-01-04: piece a covers Mon"):
        calendar_from_json(json.dumps(document))
    document["days"]["01-04"] = [9, 1, 0, 4]
    with pytest.raises(InputError, match="2027-01-04: piece a has 2 orientations, and number 9"):
        calendar_from_json(json.dumps(document))
    del document["days"]["03-05"]
    with pytest.raises(InputError, match="its days are not those of 2027: see 03-05"):
        calendar_from_json(json.dumps(document))


@pytest.mark.parametrize("wrong", [-2, True, 1.0, "1", None, [0]], ids=repr)
def test_one_wrong_number_among_others_is_refused(wrong: object) -> None:
    document = json.loads(calendar_json(week()))
    entry = document["days"]["01-04"]
    places = range(len(entry))
    planted = [[*entry[:place], wrong, *entry[place + 1 :]] for place in places]
    for other in (entry[:-1], [*entry, 0], *planted):
        document["days"]["01-04"] = other
        with pytest.raises(InputError, match="2027-01-04: not null or a list of 4 whole numbers"):
            calendar_from_json(json.dumps(document))


def test_arguments() -> None:
    with pytest.raises(InputError, match="from 1 to 9999, not 10000"):
        calendar(WEEK, 10_000)
    with pytest.raises(InputError, match="the seed is a whole number"):
        calendar(WEEK, 2027, seed=-1)
    plain = Puzzle("plain", Board.from_text(["1"]), (Piece("a", ((0, 0),)),))
    with pytest.raises(InputError, match="plain has no months, days or weekdays"):
        calendar(plain, 2027)
    with pytest.raises(InputError, match="no year for 2040-01-01"):
        calendar(read_puzzle("kao-pentomino-year-8x8"), 2040)


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_page_has_every_day_and_no_network(theme: str) -> None:
    page = as_page(report(week()), theme)
    assert page == as_page(report(week()), theme)
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert {f"d{date:%Y%m%d}" for date in days_of(2027)} <= set(names)
    links = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert {link.removeprefix("#") for link in links} <= set(names)
    assert not re.search(r"https?://(?!www\.w3\.org/)|//cdn|url\(", page)
    assert page.count('class="none"') == 209
    assert "week &lt;&amp;&gt; \ufffd, 2027" in page
    assert page.count("<script>") == 1
    # Each placement is drawn once.
    assert len(re.findall(r"<path ", page)) < 20


@pytest.mark.long
def test_pieces_can_be_covered_and_have_names() -> None:
    page = as_page(report(calendar(read_puzzle("a-puzzle-a-day"), 2023)))
    assert page.count('<g class="piece">') == 365 * 8
    shapes = dict(re.findall(r'<g id="(m\d+)">(.*?)</g>', page))
    day = page[page.index('id="d20230102"') :]
    shown = re.findall(r'<g class="piece"><use href="#(m\d+)"/></g>', day[: day.index("</a>")])
    names = [re.search(r">([^<]+)</text>", shapes[name]) for name in shown]
    assert {name[1] for name in names if name} == set("L N P U V Y Z O6".split())
    # Without scripts nothing is covered; with them all is, on paper too, until it is asked for.
    assert "\n.covered .piece:not(.seen){display:none}" in page
    assert 'class="months covered"' not in page


def test_what_is_drawn_by_name_inherits_its_style() -> None:
    """What a browser copies for ``<use>`` has no ``<svg>`` around it that a rule could name."""
    style = re.search(r"<style>(.*?)</style>", as_page(report(week())), re.DOTALL)
    assert style is not None
    assert not re.search(r"svg\s+(text|path)", style[1])
    rules = ";".join(re.findall(r"(?:^|[}\s])svg\{([^}]*)\}", style[1]))
    for wanted in ("text-anchor:middle", "font-weight:bold", "fill-rule:evenodd"):
        assert wanted in rules


def test_the_table_and_the_lines_say_what_the_days_are() -> None:
    rows = list(reader(io.StringIO(csv(week()))))
    assert rows[0] == ["date", "weekday", "a", "b<&>"]
    assert [row[0] for row in rows[1:]] == [date.isoformat() for date in days_of(2027)]
    assert rows[1 + 3] == ["2027-01-04", "Mon", "0,1+0,2+0,3", "0,4+0,5+0,6"]
    assert sum(row[2:] == ["", ""] for row in rows[1:]) == 209
    lines = [line.split() for line in as_text(report(week())).splitlines()]
    assert lines[0] == "month days without a tiling pieces that move".split()
    assert [line[0] for line in lines[1:]] == MONTH_NAMES["en"]
    assert [sum(int(line[place]) for line in lines[1:]) for place in (1, 2)] == [365, 209]
    assert sum(int(line[3]) for line in lines[1:]) == week().moves > 0


@pytest.mark.long
def test_a_killed_run_is_resumed_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "week.part"
    whole = calendar(WEEK, 2027, journal=journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 365

    def killed(now: Progress) -> None:
        if now.done == 31:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calendar(WEEK, 2027, journal=journal, progress=killed)
    assert journal.read_bytes() == b"".join(lines[: 1 + 31])
    journal.write_bytes(b"".join(lines[:20]) + lines[20][:5])
    seen: list[Progress] = []
    assert calendar(WEEK, 2027, journal=journal, resume=True, progress=seen.append) == whole
    assert journal.read_bytes() == b"".join(lines)
    assert [now.latest for now in seen] == [None, *whole.days]
    with pytest.raises(InputError, match="belongs to another puzzle, year or seed"):
        calendar(WEEK, 2027, seed=1, journal=journal, resume=True)
    head, *days = [json.loads(line) for line in lines]
    for line in (head, *days):
        del line["digest"]
    first, second = [line for line in days if line["tiling"]][:2]
    false: list[dict[str, Any]] = [
        {},
        {"date": "2027-01-01"},
        {"date": "2027-01-01", "tiling": {}},
        {"date": "2028-01-01", "tiling": None},
        {"date": "20270101", "tiling": None},
        {"date": 1, "tiling": None},
        {**first, "tiling": second["tiling"]},
    ]
    for entries in (*([line] for line in false), [first, first]):
        with Journal(journal, head, resume=False) as written:
            for entry in entries:
                written.add(entry)
        with pytest.raises(InputError, match=f"part:{1 + len(entries)}: is damaged"):
            calendar(WEEK, 2027, journal=journal, resume=True)
    # A day that is missing is made again, wherever it stands.
    journal.write_bytes(b"".join(lines[:4] + lines[5:]))
    assert calendar(WEEK, 2027, journal=journal, resume=True) == whole
    assert sorted(journal.read_bytes().splitlines()) == sorted(b"".join(lines).splitlines())


def test_a_file_that_is_no_calendar_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(8_000_000_000)  # a hole, which takes no room on the disk
    with pytest.raises(InputError, match=r"huge\.json: has over 20,000,000 characters"):
        read_calendar(path)


@pytest.mark.long
def test_shards_of_the_days_are_the_calendar(tmp_path: Path) -> None:
    """The journals of two machines, put one after the other, are that of the calendar."""
    journals = [tmp_path / "1.part", tmp_path / "2.part"]
    made = [
        calendar(WEEK, 2027, journal=journal, shard=f"{number}/2")
        for number, journal in enumerate(journals, start=1)
    ]
    assert [(one.status, one.unfinished, one.known) for one in made] == [("done", True, False)] * 2
    assert not {day.date for day in made[0].days} & {day.date for day in made[1].days}
    joined = tmp_path / "all.part"
    joined.write_bytes(b"".join(journal.read_bytes() for journal in journals))
    assert calendar(WEEK, 2027, journal=joined, resume=True) == calendar(WEEK, 2027)
