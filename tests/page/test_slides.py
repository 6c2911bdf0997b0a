"""The slides of the exercises: nothing is cut off, all of the page is there, and they print."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from requirements import missing

from calmip.course.exercises import EXERCISES, page_of

pytestmark = [pytest.mark.trade("course"), pytest.mark.long]

ROOT = Path(__file__).parents[2]

CUT_OFF = """() => [...document.querySelectorAll("section")].filter((slide) => {
  const box = slide.getBoundingClientRect();
  return [...slide.querySelectorAll("*")].some((one) => {
    const { bottom, right, top, left } = one.getBoundingClientRect();
    return bottom > box.bottom - 24 || right > box.right - 24 || top < box.top || left < box.left;
  });
}).map((slide) => slide.innerText)"""


def load(folder: str, name: str) -> ModuleType:
    """Return a module of the site's build."""
    for package in ("latex2mathml", "markdown"):
        if importlib.util.find_spec(package) is None:
            missing(package)
    sys.path.insert(0, str(ROOT / folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / folder))


@pytest.fixture(scope="module")
def decks() -> dict[str, str]:
    found: dict[str, str] = load(".ci/docs_build", "slides").decks()
    return found


def words(text: str) -> list[str]:
    """Return the words of a text without its formulas and code, where spaces differ."""
    return re.findall(r"[A-Za-z]{3,}", text)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_slide_is_cut_off_and_a_print_has_one_on_each_page(
    exercise: str, decks: dict[str, str], browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "slides.html"
    path.write_text(decks[page_of(exercise)], encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate(CUT_OFF) == []
    number = page.locator("section").count()
    shown = words(page.locator("main").inner_text())
    assert asked == [path.as_uri()]
    page.close()
    printed = load(".ci", "slides_pdf").print_slides(browser, path).read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == number >= 4
    source = (ROOT / "docs/course" / page_of(exercise) / "index.md").read_text("utf-8")
    source = re.sub(r"^Starter: .*?(?=\n\n|\Z)", "", source, flags=re.DOTALL | re.MULTILINE)
    left_out = r"<!--.*?-->|\]\([^)]*\)|\$\$.*?\$\$|\$.*?\$|<[^>]+>|```\w+"
    source = re.sub(left_out, " ", source, flags=re.DOTALL)
    assert set(words(source)) <= set(shown)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_keys_turn_the_slides(
    scheme: str, decks: dict[str, str], browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "slides.html"
    path.write_text(decks["8-strength"], encoding="utf-8")
    page = browser.new_page(viewport={"width": 640, "height": 400}, color_scheme=scheme)
    page.goto(f"{path.as_uri()}#3")
    number = page.locator("section").count()
    for key, wanted in (
        ("ArrowRight", 4),
        ("ArrowLeft", 3),
        ("Home", 1),
        ("ArrowLeft", 1),
        (" ", 2),
        ("End", number),
        ("PageDown", number),
    ):
        page.keyboard.press(key)
        shown = page.locator("section.shown")
        assert shown.get_attribute("data-number") == str(wanted)
        assert page.url.endswith(f"#{wanted}")
        box = shown.bounding_box()
        assert box["width"] == pytest.approx(640)
        assert box["y"] == pytest.approx(20)
    paper = page.evaluate("getComputedStyle(document.querySelector('section.shown')).background")
    assert ("rgb(255, 255, 255)" in paper) is (scheme == "light")
    page.close()


def test_questions_come_before_their_answers() -> None:
    slides = load(".ci/docs_build", "slides")
    fold = (
        "<details><summary>Do you remember?</summary>\n\n* Is it so? Yes.\n* Why? As x.\n  And y.\n"
        "\n</details>"
    )
    asked = f"1. {'One question. ' * 9}\n2. {'Another. ' * 12}"
    found = slides.slides(f"# 7. A title\n\nFirst words.\n\n{asked}\n\n{fold}")
    assert [one.title for one in found] == [
        *["A title"] * 3,
        "Do you remember?",
        "Do you remember? Answers",
    ]
    assert found[3].blocks == ("* Is it so?", "* Why?")
    assert found[4].blocks == ("* *Is it so?* Yes.", "* *Why?* As x.\n  And y.")
