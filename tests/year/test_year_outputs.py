"""The year as text, data, plot and page."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_puzzle
from calmip._base.limits import Deadline
from calmip.puzzle.documents.serialise import csv_text, json_text
from calmip.puzzle.render.printing import pdf_of, png_of
from calmip.puzzle.render.report import as_page
from calmip.puzzle.render.svg import svg_file
from calmip.puzzle.search.difficulty import Rating, rate
from calmip.year import year_report as report
from calmip.year.year import Year
from calmip.year.year import year as year_of
from calmip.year.year_picture import Scale, short_number, year_picture

EVIL = ("<b>", "=1+1", "a&b", "$x^$")


@cache
def no_flip() -> Year:
    """Return a year with impossible dates."""
    return year_of(read_puzzle("a-puzzle-a-day").with_flip(False))


@cache
def evil(tilings: bool = True) -> Year:
    """Return a year of four months with odd names, two days and three weekdays."""
    rows = [" ".join(EVIL), "30 31 mon fri"] if tilings else [" ".join(EVIL), "30 31 * fri"]
    groups = {"month": EVIL, "day": ("30", "31")}
    if tilings:
        groups["weekday"] = ("mon", "fri")
    pieces = (Piece("p", ((0, 0), (0, 1))), Piece("q", ((0, 0), (0, 1), (0, 2))))
    if not tilings:
        pieces = (Piece("p", ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))),)
    return year_of(Puzzle("</title><script>", Board.from_text(rows), pieces, groups))


@cache
def rated() -> Year:
    """Return a rated year: few months and days, of which some are no dates or impossible."""
    rows = ["Jan Feb Mar", "29 30 31", "* * *"]
    groups = {"month": ("Jan", "Feb", "Mar"), "day": ("29", "30", "31")}
    pieces = (Piece("p", ((0, 0), (0, 1), (1, 0))), Piece("q", ((0, 0), (0, 1), (0, 2), (1, 0))))
    return year_of(Puzzle("small", Board.from_text(rows), pieces, groups), difficulty=True)


def test_the_difficulty_is_in_each_form() -> None:
    year = rated()
    numbers = {count.name: count.difficulty for count in year.counts}
    assert all((numbers[count.name] is None) != count.real for count in year.counts)
    for count in year.dates:
        cover = ExactCover(Instance.reveal(year.puzzle, count.labels))
        assert count.difficulty == rate(cover, Deadline())
    assert 0 < len(year.rated) < len(year.dates)  # those without a tiling are not compared
    found = json.loads(json_text(year.describe()))
    for row, entry in zip(
        csv.DictReader(io.StringIO(report.csv(year))), found["counts"], strict=True
    ):
        rating = entry.get("difficulty")
        assert (row["tries"] == "") == (rating is None)
        assert rating is None or float(row["tries"]) == rating["tries"]
    most = max(year.rated, key=lambda count: count.tries or 0)
    assert found["most_tried"][0]["tries"] == round(most.tries or 0, 6)
    text = str(year)
    assert "Placements that a person tries" in text
    assert f"{' '.join(most.labels.values())} ({most.tries:,.0f})" in text
    page = as_page(report.report(year))
    assert page.count('<table class="heat">') == 2
    # Both heat-maps hatch what is no date, and mark the impossible dates.
    assert page.count('<td class="unreal"') == 2 * len(year.others) > 0
    assert page.count('<td class="none"') == 2 * len(year.impossible) > 0
    assert "placements tried: many are dark" in page
    assert "placements tried: many are dark" in svg_file(year_picture(year))


def test_without_a_rating_nothing_speaks_of_it() -> None:
    year = evil()
    assert "difficulty" not in json_text(year.describe())
    assert "tries" not in report.csv(year)
    assert "tries" not in str(year)
    assert "placements tried" not in as_page(report.report(year))


def test_the_times_of_a_player_are_compared() -> None:
    """Times that grow with the placements tried correlate by 1, and others by less."""
    year = rated()
    many = tuple(
        replace(one, name=f"{n}", tilings=n + 1, difficulty=Rating(2, Fraction(9 - n)))
        for n, one in enumerate(year.dates)
    )
    seconds = {tuple(one.labels.values()): round(10 * (one.tries or 0)) for one in many}
    played = replace(year, counts=many, seconds=seconds)
    assert len(played.played) == len(many)
    tries, tilings = played.player_correlation("tries"), played.player_correlation("tilings")
    assert tries is not None
    assert tilings is not None
    assert (tries[0], tilings[0]) == (pytest.approx(1), pytest.approx(-1))
    assert -1 < tilings[1] <= tilings[2] < tries[1] <= tries[2] < 1
    text = str(played)
    assert f"your history: {len(many)} rated dates solved without help" in text
    assert (
        "rank correlation of your seconds and placements tried: 1.00 (95 %: 1.00 to 1.00)" in text
    )
    found = json.loads(json_text(played.describe()))["history"]
    assert found["dates"] == len(many)
    assert found["tries"][0] == 1
    # Of three dates or fewer nothing is concluded.
    few = replace(played, seconds=dict([*seconds.items()][:3]))
    assert "your history: 3 rated dates solved without help" in str(few)
    assert "your seconds" not in str(few)
    assert json.loads(json_text(few.describe()))["history"]["tries"] is None
    with pytest.raises(InputError, match="the history is compared with the difficulty"):
        year_of(year.puzzle, history="none.json")


def test_dates_with_too_many_positions_are_named() -> None:
    counts = tuple(replace(one, difficulty=Rating(2)) for one in rated().counts)
    year = replace(rated(), counts=counts)
    assert "7 dates are not rated, because they have too many positions" in str(year)
    assert year.rank_correlation is None
    assert json.loads(json_text(year.describe()))["most_tried"] == []


def test_text() -> None:
    lines = str(no_flip()).splitlines()
    assert "366 dates: 1,059 tilings, 61 impossible, median 2" in lines
    assert any(line.startswith("impossible: Jan ") and "(61 in all)" in line for line in lines)
    assert any(line.startswith("fewest tilings: Jan ") and "(0)" in line for line in lines)
    assert "6 choices that are not dates: 52 tilings; 372 choices in all: 1,111 tilings" in lines
    assert any(line.split()[:2] == ["30", "5"] and "(2)" in line for line in lines)
    assert any(line.split()[:3] == ["Mar", "31", "12"] for line in lines)


def test_csv_and_json_say_the_same() -> None:
    year = no_flip()
    rows = list(csv.DictReader(io.StringIO(report.csv(year))))
    found = json.loads(json_text(year.describe()))
    assert [int(row["tilings"]) for row in rows] == [c["tilings"] for c in found["counts"]]
    assert [row["date"] for row in rows] == [c["date"] for c in found["counts"]]
    assert sum(row["real"] == "1" for row in rows) == found["real_dates"] == 366
    assert (found["tilings"], found["real_tilings"]) == (1111, 1059)
    assert len(found["impossible"]) == 61
    assert [month["label"] for month in found["by_month"]][:2] == ["Jan", "Feb"]
    assert [one["date"] for one in found["hardest"]] == found["impossible"][:5]


def test_no_cell_is_a_formula() -> None:
    assert "'=1+1" in report.csv(evil())
    assert csv_text(["@a"], [["+b", -1, "c"]]) == "'@a\n'+b,-1,c\n"


@pytest.mark.parametrize(
    ("year", "theme"),
    [(evil, "light"), (evil, "dark"), (lambda: evil(tilings=False), "light")],
)
def test_the_plot_is_safe_svg_and_repeats(year: object, theme: str) -> None:
    found = year()  # type: ignore[operator]
    data = svg_file(year_picture(found), theme=theme)
    assert data == svg_file(year_picture(found), theme=theme)
    root = ElementTree.fromstring(data)
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert root.get("aria-label", "").startswith(found.puzzle.name)
    texts = "".join(root.itertext())
    for label in found.puzzle.groups["month"]:
        assert label in texts


@pytest.mark.long
def test_the_plot_marks_what_is_impossible_and_what_is_no_date() -> None:
    root = ElementTree.fromstring(svg_file(year_picture(no_flip())))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("\N{MULTIPLICATION SIGN}") == 61
    assert any("hatched: no date" in (text or "") for text in texts)
    numbers = [int(text) for text in texts if text and re.fullmatch(r"\d{1,2}", text)]
    assert sum(numbers) >= 1059
    assert png_of(year_picture(evil())).startswith(b"\x89PNG")
    pdf = pdf_of([year_picture(evil())])
    assert pdf.startswith(b"%PDF-")
    assert b"CreationDate" not in pdf


class Reader(html.parser.HTMLParser):
    """Keeps the tags and whatever could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "srcset", "data", "action"):
                self.links.append(value or "")
            assert not name.startswith("on")


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_page_needs_no_network_and_runs_nothing(theme: str) -> None:
    page = as_page(report.report(evil()), theme)
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags
    assert reader.tags.count("svg") == 3
    # The mean and each weekday; months, weekdays, all dates.
    assert reader.tags.count("table") == 3 + 3
    assert all(link.startswith("#") for link in reader.links)
    assert "&lt;/title&gt;&lt;script&gt;" in page
    assert page == as_page(report.report(evil()), theme)


def test_months_may_be_few_and_numbers_long() -> None:
    board = Board.from_text(["Mar Apr Dec *", "1 2 31 *"])
    year = year_of(
        Puzzle(
            "few",
            board,
            tuple(Piece(f"p{n}", ((0, 0),)) for n in range(6)),
            {"month": ("Mar", "Apr", "Dec"), "day": ("1", "2", "31")},
        )
    )
    assert str(year).splitlines()[0].split() == ["Mar", "Apr", "Dec"]
    assert list(year.by_month) == [3, 4, 12]
    texts = "".join(ElementTree.fromstring(svg_file(year_picture(year))).itertext())
    assert "Dec" in texts
    assert "Jan" not in texts
    assert [short_number(n) for n in (7, 9999, 10_000, 98_765, 1_234_567, 43_000_000, 2e9)] == [
        "7",
        "9999",
        "10k",
        "99k",
        "1.2M",
        "43M",
        "2.0G",
    ]


def test_a_page_of_one_year_has_its_weeks_and_every_number() -> None:
    year = year_of(read_puzzle("a-puzzle-a-day"), 2027)
    page = as_page(report.report(year))
    weeks = page[page.index('class="heat weeks"') :]
    weeks = weeks[: weeks.index("</table>")]
    shown = re.findall(r"<small>(\d+)</small>(\d+)</td>", weeks)
    assert [(int(day), int(number)) for day, number in shown] == [
        (count.day, count.tilings) for count in year.dates
    ]
    assert weeks.count("<tr>") == 1 + 53
    assert re.findall(r'<th scope="row">(\w+)</th>', weeks) == list(year.puzzle.groups["month"])


@given(st.lists(st.integers(1, 10**9), min_size=1))
def test_shades_keep_the_order_of_numbers(numbers: list[int]) -> None:
    scale = Scale.of(numbers)
    shades = [scale.shade(number) for number in sorted(numbers)]
    assert shades == sorted(shades)
    assert 0 <= shades[0] <= shades[-1] < 16
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks(6))
