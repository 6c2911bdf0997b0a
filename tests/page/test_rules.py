"""The first minute, and help from nothing to everything."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import (
    DAY,
    PHONE,
    USUAL,
    Opened,
    has,
    laid_by_keys,
    reads,
    says,
    shows_left,
    tiling,
)

DEAD = DAY + "&placed=U:Apr+Jun+Oct+Nov+Dec;O6:1+2+3+8+9+10"
OPEN = DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep"


def unassisted(page: Any) -> None:
    """Wait until the search is over, and then hold the page against what it may say."""
    page.wait_for_function("/placed$/.test(document.querySelector('.status')?.textContent)")
    page.wait_for_timeout(300)
    assert page.inner_text(".count") == ""
    assert not page.locator(".layer.heat path").count()
    assert not page.locator(".remedy").count()


@pytest.mark.parametrize("address", [DAY, OPEN, DEAD])
def test_a_new_visitor_reads_the_rule_and_nothing_more(opened: Opened, address: str) -> None:
    page = opened(address, assisted=False)
    unassisted(page)
    assert page.inner_text(".rule") == "Cover everything but Feb 29."
    assert page.locator("#assist").input_value() == "off"
    assert page.locator(".found summary").inner_text() == "Found 0"
    # The folded solution is there even where there is none: else it would tell.
    assert page.locator("details.spoiler").is_visible()
    assert not page.locator(".dead").count()
    page.locator('.item[data-piece="V"]').focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    unassisted(page)
    assert "solution" not in page.inner_text("p.live")


def test_the_first_hint_goes_with_the_first_piece(opened: Opened) -> None:
    page = opened("", assisted=False)
    assert "Drag a piece to the board" in page.inner_text(".first")
    page.goto(page.url.partition("#")[0] + DAY)
    page.wait_for_function("document.title.includes('Feb 29')")
    page.wait_for_selector(".first")
    item = page.locator('.item[data-piece="U"]')
    item.click()
    assert page.inner_text(".first") == "Tap it again to turn it, or tap a cell."
    item.press("Escape")
    assert "Drag a piece to the board" in page.inner_text(".first")
    before = page.locator(".stage svg").bounding_box()
    laid_by_keys(page, tiling()[0])
    # It goes, and the board does not move.
    page.wait_for_function(
        "!document.querySelector('.first').checkVisibility({checkVisibilityCSS: true})"
    )
    assert page.locator(".stage svg").bounding_box() == before
    page.reload()
    page.wait_for_selector(".rule")
    has(page, ".first", 0)


@pytest.mark.parametrize("stored", ["{}", "position"])
def test_who_was_here_before_keeps_the_help_and_the_position(opened: Opened, stored: str) -> None:
    page = opened(OPEN, assisted=False)
    page.wait_for_selector(".pieces .piece")
    page.wait_for_function("Object.keys(localStorage).some(key => key.includes('.moves.'))")
    page.evaluate(
        """stored => {
            const [key, value] = Object.entries(localStorage)
                .find(([one]) => one.startsWith('calmip.position'));
            dispatchEvent(new Event('pagehide'));
            localStorage.clear();
            if (stored === 'position') localStorage.setItem(key, value);
            // This page notes nothing more when it goes.
            Storage.prototype.setItem = () => {};
        }""",
        stored,
    )
    start = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(start + DAY)
    page.wait_for_selector(".rule")
    if stored == "position":
        assert page.locator("#assist").input_value() == "full"
        has(page, ".first", 0)
        page.goto(start + "#puzzle=a-puzzle-a-day&date=2024-03-01")
        page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    else:
        assert page.locator("#assist").input_value() == "off"


def test_the_level_of_assistance_is_remembered(opened: Opened) -> None:
    page = opened(DEAD, assisted=False)
    choose = page.get_by_label("Assist")
    choose.select_option("count")
    says(page, "no solution left")
    assert not page.locator(".remedy").count()
    page.reload()
    says(page, "no solution left")
    assert choose.input_value() == "count"
    choose.select_option("full")
    page.wait_for_selector(".remedy button")
    choose.select_option("off")
    unassisted(page)


def hint(page: Any) -> str:
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("document.querySelector('.advice').textContent !== 'Searching…'")
    said: str = page.inner_text(".advice")
    return said


def counted(page: Any) -> None:
    """Wait for the search, which says nothing without assistance."""
    page.wait_for_timeout(400)


def test_hints_of_a_solvable_position_say_more_and_more(opened: Opened) -> None:
    page = opened(assisted=False)
    unassisted(page)
    assert hint(page) == "This position can be solved."
    assert hint(page) == "This corner is the hard part."
    assert 1 < page.locator(".layer.lit path").count() < 6
    second = hint(page)
    assert second.startswith("Place piece ")
    name = second.removeprefix("Place piece ").removesuffix(" next.")
    assert not page.locator(".layer.lit path").count()
    assert hint(page) == f"Piece {name} can lie here."
    cells = page.locator(".layer.lit path").count()
    assert cells in (5, 6)
    hint(page)
    has(page, ".pieces .piece", 1)
    assert page.locator(".pieces .piece").get_attribute("data-piece") == name
    assert page.inner_text(".advice") == ""
    # A new position, of which it is known that it can be solved.
    unassisted(page)
    assert hint(page) == "This corner is the hard part."
    assert hint(page).startswith("Place piece ")
    page.locator(".tools button").nth(3).click()
    unassisted(page)
    assert hint(page) == "This position can be solved.", "and of this one it is not"


HELD = """{
    const post = Worker.prototype.postMessage;
    const held = [];
    Worker.prototype.postMessage = function (...all) {
        held.push(() => post.apply(this, all));
    };
    globalThis.release = () => {
        Worker.prototype.postMessage = post;
        for (const send of held) send();
    };
}"""


@pytest.mark.parametrize("level", ["off", "full"])
def test_a_hint_that_is_asked_for_before_the_search_answers_follows(
    opened: Opened, browser: Any, level: str
) -> None:
    context = browser.new_context(**USUAL)
    context.add_init_script(HELD)
    page = opened(DAY, context=context, assisted=level == "full")
    page.get_by_role("button", name="Hint").click()
    assert page.inner_text(".advice") == "Searching…"
    page.evaluate("release()")
    if level == "off":
        reads(page, ".advice", "This position can be solved.")
    else:
        has(page, ".pieces .piece", 1)
    context.close()


def test_a_move_takes_the_question_for_a_hint_back(opened: Opened, browser: Any) -> None:
    context = browser.new_context(**USUAL)
    context.add_init_script(HELD)
    page = opened(OPEN, context=context, assisted=False)
    has(page, ".pieces .piece", 1)
    page.keyboard.press("h")
    reads(page, ".advice", "Searching…")
    page.get_by_role("button", name="Clear").click()
    page.evaluate("release()")
    unassisted(page)
    assert page.inner_text(".advice") == ""
    context.close()


def test_hints_of_a_dead_end_name_the_region_and_then_the_pieces(opened: Opened) -> None:
    page = opened(DEAD, assisted=False)
    unassisted(page)
    assert hint(page) == "This position cannot be solved."
    said = hint(page)
    if "marked cells" in said:
        assert page.locator(".layer.lit path").count()
        said = hint(page)
    assert said == "More than one of your pieces is wrong."
    assert not page.locator(".remedy").count(), "which one is a hint of its own"
    hint(page)
    page.wait_for_selector(".remedy button")
    page.locator(".remedy button").first.click()
    has(page, ".remedy", 0)
    unassisted(page)
    assert hint(page) == "This position can be solved."


def solve(page: Any, index: int, skip: int = 0) -> None:
    for one in tiling(index)[skip:]:
        laid_by_keys(page, one)


@pytest.mark.long
def test_solved_by_yourself_with_hints_and_after_a_look_are_kept_apart(opened: Opened) -> None:
    page = opened(assisted=False)
    solve(page, 0)
    says(page, "A new solution: 1 found")
    reads(page, ".end", " s, no hint, one of 64.")
    page.get_by_role("button", name="Clear").click()
    unassisted(page)
    assert hint(page) == "This position can be solved."
    hint(page)
    hint(page)
    solve(page, 1)
    says(page, "A new solution: 2 found")
    # Three presses, but one piece.
    reads(page, ".end", " s, with 1 hint, one of 64.")
    page.get_by_role("button", name="Clear").click()
    unassisted(page)
    page.locator(".spoiler summary").click()
    solve(page, 2)
    says(page, "A new solution: 3 found")
    reads(page, ".end", " s, after a look at a solution, one of 64.")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Assist").select_option("count")
    shows_left(page, 64)
    solve(page, 3)
    says(page, "A new solution: 4 found")
    reads(page, ".end", " s, with Assist on count, one of 64.")
    # An address with a whole tiling is not the visitor's own work.
    placed = ";".join(f"{p.piece}:{'+'.join(f'{r},{c}' for r, c in p.cells)}" for p in tiling(4))
    page.goto(page.url.partition("#")[0] + f"{DAY}&placed={placed}")
    says(page, "A new solution: 5 found")
    assert "no hint" not in page.inner_text(".left")
    # What is kept is how it was solved first.
    reads(page, ".end", " s, no hint, one of 64.")


def test_the_sheet_of_rules_opens_and_closes(opened: Opened) -> None:
    page = opened(assisted=False)
    ask = page.get_by_role("button", name="Rules and keys")
    for close in ("Escape", "button", "beside"):
        ask.click()
        sheet = page.get_by_role("dialog")
        sheet.wait_for()
        assert "Cover every cell except" in sheet.inner_text()
        if close == "Escape":
            page.keyboard.press("Escape")
        elif close == "button":
            sheet.get_by_role("button", name="Close").click()
        else:
            page.mouse.click(3, 3)
        sheet.wait_for(state="hidden")
        assert page.evaluate("document.activeElement.ariaLabel") == "Rules and keys"


def test_one_letter_keys_can_be_switched_off(opened: Opened) -> None:
    page = opened(OPEN)
    page.locator(".more summary").click()
    page.locator("#letters").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.wait_for_timeout(200)
    has(page, ".pieces .piece", 1)
    page.reload()
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    page.keyboard.press("h")
    page.wait_for_timeout(200)
    has(page, ".pieces .piece", 1)
    page.locator(".more summary").click()
    page.locator("#letters").check()
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    page.locator('.item[data-piece="V"]').focus()
    page.keyboard.press("h")
    has(page, ".pieces .piece", 2)


def test_a_screen_reader_that_takes_the_letters_leaves_the_board_and_other_keys(
    opened: Opened,
) -> None:
    page = opened(OPEN)
    keys = "[...document.querySelectorAll('[aria-keyshortcuts]')].map(one => one.ariaKeyShortcuts)"
    assert page.evaluate(keys) == ["R", "F", "Delete", "Z Control+Z", "Y Control+Y", "H"]
    # Where the role is "application", a reader hands every key on.
    assert page.get_by_role("application").get_attribute("aria-label").startswith("The board of")
    page.locator(".more summary").click()
    page.locator("#letters").uncheck()
    page.keyboard.press("Escape")
    # Keys with Control reach the page in any mode, and where the letters are switched off.
    page.get_by_role("button", name="Hint").click()
    has(page, ".pieces .piece", 2)
    page.get_by_role("button", name="Turn over").focus()
    page.keyboard.press("Control+z")
    has(page, ".pieces .piece", 1)
    assert page.evaluate(keys) == ["Delete", "Control+Z", "Control+Y"]
    page.keyboard.press("Control+y")
    has(page, ".pieces .piece", 2)


def test_the_rule_is_on_the_first_screen_of_a_frame_on_a_phone(opened: Opened) -> None:
    page = opened(f"{DAY}&small", assisted=False, **PHONE)
    box = page.locator(".rule").bounding_box()
    assert box["y"] + box["height"] < 200
    assert "Drag a piece" in page.inner_text(".first")
