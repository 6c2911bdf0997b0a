"""Pages that commands write, on paper and on a phone: nothing is cut, split or stranded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import calmip

pytestmark = pytest.mark.trade("year")

PAPER = {"width": 718, "height": 1047}
"""The inside of an A4 sheet in pixels, with the browser's usual margins."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("paper") / "year.html"
    calmip.year(calmip.read_puzzle("a-puzzle-a-day"), 2027).save(path)
    return path


def test_no_table_of_the_year_is_split_on_paper(browser: Any, written: Path) -> None:
    page = browser.new_page(viewport=PAPER)
    page.goto(written.as_uri())
    page.emulate_media(media="print")
    tables = page.eval_on_selector_all(
        ".heat, .tallies",
        "all => all.map(e => [e.offsetHeight, getComputedStyle(e).breakInside])",
    )
    assert len(tables) == 4
    for height, rule in tables:
        assert (rule, height < PAPER["height"]) == ("avoid", True)
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    page.close()
    # All 365 dates are there: in three columns, of 70 rows at least.
    assert sheets <= 6


def test_the_tallies_of_a_year_fit_a_phone(browser: Any, written: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto(written.as_uri())
    found = page.eval_on_selector_all(
        ".scroll", "all => all.map(e => [e.scrollWidth, e.clientWidth])"
    )
    page.close()
    assert len(found) == 3
    assert all(inside <= outside for inside, outside in found)
