"""The sheet of puzzles, and one's own puzzles by paste and drop."""

from __future__ import annotations

from typing import Any

from browsing import DAY, PHONE, Opened, drop, has, reads, shows_left

import calmip

OWN = "name: mine\ngrid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: [I3, I2]\n"


def paste(page: Any, text: str, within: str = "body") -> None:
    page.evaluate(
        """([text, within]) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', text);
            document.querySelector(within).dispatchEvent(
                new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
        }""",
        [text, within],
    )


def test_all_puzzles_are_there_as_pictures_with_what_was_solved(opened: Opened) -> None:
    page = opened()
    page.evaluate(
        """() => {
            for (const key of ['heart-set1|Feb|29', 'heart-set1|Mar|1', 'heart|Mar|1']) {
                localStorage[`calmip.record.${key}`] = '{}';
            }
        }"""
    )
    ask = page.get_by_role("button", name="All puzzles")
    ask.click()
    sheet = page.get_by_role("dialog")
    sheet.wait_for()
    bundled = {name: calmip.read_puzzle(name) for name in calmip.bundled_puzzles()}
    has(page, ".card svg", len(bundled))
    for puzzle in bundled.values():
        card = sheet.locator(".card", has=page.get_by_text(puzzle.name, exact=True))
        pieces, cells = len(puzzle.pieces), len(puzzle.board.cells)
        assert f"{pieces} pieces, {cells} cells" in card.inner_text()
        assert ("2 solved" in card.inner_text()) == (puzzle.name == bundled["heart-set1"].name)
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    sheet.get_by_text(bundled["heart-set1"].name, exact=True).click()
    sheet.wait_for(state="hidden")
    page.wait_for_function("location.hash.includes('puzzle=heart-set1')")
    assert page.locator("#puzzle").input_value() == "heart-set1"
    ask.click()
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.textContent") == "All puzzles"


def test_a_puzzle_that_is_pasted_or_dropped_is_in_the_list(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    paste(page, OWN, "#date")
    paste(page, "  \n")
    has(page, ".message", 0)
    paste(page, "grid: [1 2")
    reads(page, ".messages", "pasted.yaml")
    assert page.title().startswith("A-Puzzle-A-Day")
    paste(page, OWN)
    page.wait_for_function("document.title.startsWith('mine')")
    has(page, ".message", 0)
    drop(page, "other.yaml", OWN.replace("mine", "other"))
    page.wait_for_function("document.title.startsWith('other')")
    paste(page, OWN)
    page.wait_for_function("document.title.startsWith('mine')")
    page.reload()
    page.wait_for_selector("main > *")
    page.get_by_role("button", name="All puzzles").click()
    has(page, "[data-key^=own-]", 2)
    page.get_by_role("button", name="Remove mine").click()
    has(page, "[data-key^=own-]", 1)
    assert page.evaluate("document.activeElement.className") == "card", (
        "the focus stays in the sheet"
    )
    page.locator(".card").filter(has_text="other").click()
    page.wait_for_function("document.title.startsWith('other')")


def test_what_is_stored_of_own_puzzles_may_be_anything(opened: Opened) -> None:
    page = opened()
    page.evaluate(
        """() => {
            localStorage['calmip.own.a'] = '{';
            localStorage['calmip.own.b'] = '{"yaml": 7}';
            localStorage['calmip.own.c'] = '{"yaml": "grid: []", "file": null}';
        }"""
    )
    page.get_by_role("button", name="All puzzles").click()
    has(page, ".card", len(list(calmip.bundled_puzzles())))


def test_the_sheet_is_one_finger_away_on_a_phone(opened: Opened) -> None:
    page = opened(DAY, **PHONE)
    page.locator(".more summary").click()
    page.get_by_role("button", name="All puzzles").click()
    sheet = page.get_by_role("dialog")
    sheet.wait_for()
    box = sheet.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["viewport"]["width"]  # type: ignore[index]
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.puzzles button')].map(b => b.offsetHeight))"
    )
    assert smallest >= 44
