"""The one file in Firefox and WebKit, from a folder: mouse, touch, keys, focus, storage, lab."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import (
    DAY,
    centre,
    grip,
    has,
    laid_by_keys,
    reads,
    says,
    shows_left,
    solved_by_mouse,
    tiling,
    turned_as,
)
from page_monkey import LANGUAGES, speak
from processes import wait_until
from webdriver import Page

import calmip
from calmip import ExactCover
from calmip.puzzle.search.exact_cover.search import solutions

Second = Callable[..., Page]


def focus(page: Page) -> str:
    name: str = page.evaluate(
        """() => {
            const one = document.activeElement;
            return one.getAttribute('aria-label')?.split(',')[0]
                || (one.querySelector('span') ?? one).textContent;
        }"""
    )
    return name


@pytest.mark.long
def test_a_date_is_solved_by_mouse_with_focus_and_storage(other: Second) -> None:
    page = other()
    shows_left(page, 64)
    solved_by_mouse(page)
    reads(page, ".found summary", "Found 1 of 64")
    # What is said of the end moves the tools below it.
    reads(page, ".end", "one of 64")
    page.press("Undo")
    shows_left(page, 1)
    assert focus(page) == "Undo", "the focus stays where it was"
    page.wait_for_function("location.hash.split(';').length === 7")
    page.reload()
    has(page, ".pieces .piece", 7)
    page.press("Redo")
    says(page, "found this solution before")


@pytest.mark.long
def test_a_date_is_solved_by_fingers(second: Second) -> None:
    page = second(width=390, height=844)
    shows_left(page, 64)
    page.evaluate(
        "void addEventListener('pointerdown', (event) => (window.kind = event.pointerType), true)"
    )
    for number, one in enumerate(tiling(1), start=1):
        page.locator(f'.item[data-piece="{one.piece}"]').tap()
        page.wait_for_selector(f'.item[data-piece="{one.piece}"][aria-pressed=true]')
        turned_as(page, one)
        page.keyboard.press("Escape")
        x, y = grip(page, one.piece)
        scrolled = page.evaluate("scrollY")
        page.finger.move(x, y)
        page.finger.down()
        there = centre(page, one.cells[0])
        # The piece is held above the finger, which would hide it.
        page.finger.move(there[0], there[1] + 56, steps=5)
        page.finger.up()
        has(page, ".pieces .piece", number)
        assert page.evaluate("scrollY") == scrolled, "the page scrolled under the finger"
        assert page.evaluate("kind") == "touch"
    says(page, "Solved!")


@pytest.mark.long
def test_a_date_is_solved_by_keys_and_the_focus_stays(other: Second) -> None:
    page = other(assisted=False)
    for one in tiling(2):
        laid_by_keys(page, one)
        assert focus(page).startswith("The board of")
    reads(page, ".end", "no hint")
    page.keyboard.press("z")
    has(page, ".pieces .piece", 7)
    assert page.evaluate("document.activeElement !== document.body")


@pytest.mark.long
def test_the_lab_solves(other: Second) -> None:
    page = other(f"{DAY}&view=lab")
    page.press("Relax")
    page.wait_for_selector(".candidate")
    assert focus(page) == "Relax"
    page.locator(".candidate button").click()
    reads(page, ".facts", "you: 2 nodes")
    page.press("Solve with HiGHS")
    reads(page, ".facts", "HiGHS: a tiling after")
    has(page, ".pieces .piece", 8)


@pytest.mark.long
def test_the_page_is_in_each_language_and_fits_a_phone(second: Second) -> None:
    page = second(assisted=False, width=360, height=740)
    rules = set()
    for language in LANGUAGES:
        speak(page, language)
        rules.add(page.evaluate("document.querySelector('.rule').textContent"))
        for view in ("year", "model", "lab", "play"):
            page.evaluate(
                "view => document.querySelector(`.tabs [data-key=${view}]`).click()", view
            )
            page.wait_for_selector(f"main > .{view} *")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 360, (language, view)
        # The choice is that of the next visit, too.
        page.reload()
        page.wait_for_selector("main > *")
        assert page.evaluate("document.documentElement.lang") == language
    assert len(rules) == len(LANGUAGES), "each says it in its own words"


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_is_made_in_each_language(second: Second, tmp_path: Path, language: str) -> None:
    """Months and weekdays come from the engine; the YAML is one that the command reads."""
    page = second(f"{DAY}&lang={language}", assisted=False)
    page.locator("header [data-key=gallery]").click()
    # The pictures come one by one, and move the button below them.
    page.wait_for_function(
        "[...document.querySelectorAll('.card')].every(one => one.querySelector('svg'))"
    )
    page.locator(".puzzles .row button").click()
    page.wait_for_selector(".draft svg")
    assert page.evaluate("document.activeElement.className") == "draft"
    # It begins with the board on show; the button behind that of the file empties it.
    page.locator(".editor .ready + button + button").click()
    for place in ("0,6", "1,6", "6,3", "6,4", "6,5", "6,6"):
        page.locator(f'.draft:not(.pen) g[data-key="{place}"]').click()
    for at in ("month", "day"):
        page.locator(f".editor [data-key={at}]").click()
    for shape in ("V", "U", "L", "N", "P", "Y", "Z", "O6"):
        page.locator(f'.editor .palette [data-key="{shape} true"]').click()
    path = tmp_path / "own.yaml"
    path.write_text(saved(page), encoding="utf-8")
    puzzle = calmip.read_puzzle(path)
    assert len(puzzle.groups["month"]) == 12
    # The board and the pieces are those of A-Puzzle-A-Day.
    cover = ExactCover(calmip.read_instance(path, date="2024-02-29"))
    assert sum(1 for _ in solutions(cover)) == 64
    page.locator(".editor .ready").click()
    has(page, ".play .tray .item", 8)
    assert page.evaluate("document.activeElement !== document.body")


def saved(page: Page) -> str:
    """Return the text of the file that the sheet saves."""
    text: str = page.evaluate(
        """async () => {
            const make = URL.createObjectURL;
            const click = HTMLAnchorElement.prototype.click;
            let file = null;
            URL.createObjectURL = (blob) => make.call(URL, file = blob);
            HTMLAnchorElement.prototype.click = () => {};
            document.querySelector('.editor .ready').nextElementSibling.click();
            URL.createObjectURL = make;
            HTMLAnchorElement.prototype.click = click;
            return await file.text();
        }"""
    )
    return text


@pytest.mark.long
def test_the_year_and_the_model(other: Second) -> None:
    page = other(f"{DAY}&view=model")
    page.locator(".equation button").click()
    active = "(({tagName, className, textContent}) => [tagName, className, textContent])"
    tag, kind, text = page.evaluate(f"{active}(document.activeElement)")
    assert (tag, kind) == ("BUTTON", "on"), text[:80]
    has(page, ".layer.pieces .piece", 1)
    page.locator(".matrix-box").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    words = page.evaluate(f"{active}.ariaLabel")
    assert re.fullmatch(r"c_03; .*; Column \w+, entry 1; Value 0, (still|excluded).*\.", words)
    page.keyboard.press("Enter")
    has(page, ".layer.pieces .piece", 2 if "Value 0, still" in words else 1)
    assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
    page.press("The year")
    reads(page, ".facts", "366 dates, 24,405 solutions")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["firefox", "webkit"])
def test_what_fails_in_a_page_is_noted(
    request: pytest.FixtureRequest, file: Path, engine: str
) -> None:
    browser = request.getfixturevalue(engine)
    page = browser.page(file.as_uri() + DAY)
    page.wait_for_selector("main > *")
    # The page's policy allows no script of a test, and WebKit keeps what errors of others say
    # for itself: there the event is sent that the page hears.
    page.evaluate(
        """() => {
            const reason = new Error('mine');
            if (navigator.userAgent.includes('Firefox')) void Promise.reject(reason);
            else dispatchEvent(new PromiseRejectionEvent(
                'unhandledrejection', {promise: Promise.resolve(), reason}));
        }"""
    )
    reads(page, ".messages", "mine")
    if engine == "firefox":  # which tells it in its own time, before some later answer
        wait_until(lambda: page.evaluate("() => true") and browser.faults)
    assert any("mine" in fault for fault in browser.leave())
