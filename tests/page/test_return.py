"""The end of a puzzle, and what there is to come back for."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import DAY, USUAL, Opened, has, laid_by_keys, reads, says, tiling

from calmip import ExactCover, Instance, read_instance
from calmip.puzzle.search.exact_cover.counting import count

FRIEND = DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep"
TODAY = "#puzzle=a-puzzle-a-day"


def curve() -> list[int]:
    """Return the tilings left after each piece of the first tiling."""
    instance = read_instance("a-puzzle-a-day", date="2024-02-29")
    placed = tiling()
    return [
        count(ExactCover(Instance(instance.puzzle, instance.labels, placed=tuple(placed[:k]))))
        for k in range(len(placed) + 1)
    ]


@pytest.mark.long
def test_the_time_counts_between_quick_hints(opened: Opened) -> None:
    page = opened()
    page.clock.install(time=datetime.datetime(2026, 11, 22, 12))
    page.reload()
    says(page, "left")
    opening = page.evaluate("performance.now()")
    # Else a busy machine adds its own time.
    page.clock.pause_at(datetime.datetime(2026, 11, 22, 13))
    for number in range(1, 9):
        page.clock.run_for(400)
        page.keyboard.press("h")
        has(page, ".layer.pieces .piece", number)
    reads(page, ".end", "solved in ")
    stored = page.evaluate("JSON.stringify({...localStorage})")
    spent = max(map(int, re.findall(r'seconds\\*":(\d+)', stored)))
    assert spent + 0.5 >= (page.evaluate("performance.now()") - opening) / 1000


@pytest.mark.long
def test_a_finish_tells_how_it_went_and_shares_no_spoiler(opened: Opened) -> None:
    page = opened(assisted=False)
    page.evaluate(
        """() => {
            navigator.share = async ({text}) => { globalThis.shared = text; };
        }"""
    )
    for one in tiling():
        laid_by_keys(page, one)
    says(page, "A new solution: 1 found")
    reads(page, ".end", "Day 60, solved in ")
    reads(page, ".end", " s, no hint, one of 64.")
    shown = page.locator(".end .curve")
    bars = shown.locator("i").evaluate_all("all => all.map((bar) => bar.offsetHeight)")
    assert bars == sorted(bars, reverse=True)
    assert bars[-1] > 0
    page.get_by_role("button", name="Share the result").click()
    # The picture is drawn first.
    page.wait_for_function("globalThis.shared")
    title, row, line, left = page.evaluate("shared").split("\n")
    assert title == "calmip: A-Puzzle-A-Day (DragonFjord), Feb 29"
    assert row == "🟩" * len(tiling())
    assert line.startswith("Day 60, solved in ")
    numbers = curve()
    expected = "-".join(map(str, numbers[: numbers.index(1) + 1]))
    assert left == f"Solutions left: {expected}"
    assert shown.get_attribute("aria-label") == left
    # It is in the record and in the year, beyond a reload; the same tiling counts once.
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    says(page, "found this solution before")
    page.reload()
    # Who comes back in the evening can still share it.
    reads(page, ".end", " s, no hint, one of 64.")
    assert shown.get_attribute("aria-label") == left
    page.locator(".record summary").click()
    reads(page, ".record", "1 puzzle solved: 1 by yourself, 0 with hints or Assist, 0 after")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the history").click()
    entries = json.loads(saved.value.path().read_text(encoding="utf-8"))["entries"]
    assert "record.a-puzzle-a-day||Feb|29" in entries  # as calmip year --history expects it
    page.get_by_role("button", name="The year").click()
    page.wait_for_selector("progress[hidden]", state="attached")
    assert (
        page.locator(".day.own").get_attribute("aria-label")
        == "Feb 29: 64 solutions · medium, solved, by yourself"
    )


def test_the_history_is_saved_and_added_in_another_browser(opened: Opened, tmp_path: Path) -> None:
    page = opened()
    page.evaluate(
        """() => {
            const date = new Date();
            const two = (n) => String(n).padStart(2, '0');
            const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
            localStorage['calmip.record.x|Feb|29'] = JSON.stringify({on: day, of: day, hints: 2});
        }"""
    )
    page.reload()
    page.locator(".record summary").click()
    reads(page, ".record", "Streak: 1 day. Longest: 1 day. A day counts if")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the history").click()
    path = tmp_path / "history.json"
    saved.value.save_as(path)
    assert json.loads(path.read_text())["calmip"] == "history"
    other = opened()
    other.locator(".record summary").click()
    reads(other, ".record", "0 puzzles solved")
    other.locator("#history").set_input_files(path)
    reads(other, ".messages", "1 new entry added to your record.")
    reads(other, ".record", "1 puzzle solved: 0 by yourself, 1 with hints or Assist")
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    other.locator("#history").set_input_files(wrong)
    reads(other, ".messages", "this file is not a history that this page saved")


def test_undo_survives_a_reload(opened: Opened) -> None:
    page = opened(assisted=False)
    for one in tiling()[:3]:
        laid_by_keys(page, one)
    page.get_by_role("button", name="Undo").click()
    has(page, ".pieces .piece", 2)
    page.wait_for_function("location.hash.split(';').length === 2")
    page.reload()
    has(page, ".pieces .piece", 2)
    page.get_by_role("button", name="Redo").click()
    has(page, ".pieces .piece", 3)
    for left in (2, 1, 0):
        page.get_by_role("button", name="Undo").click()
        has(page, ".pieces .piece", left)


@pytest.mark.parametrize(
    "stored",
    [
        "{",
        "{}",
        '{"moves": [7], "moment": 0}',
        "[]",
        '{"moves": ["U:1"], "moment": 0}',
        '{"moves": [""], "moment": 9}',
    ],
)
def test_moves_that_cannot_be_read_are_none(opened: Opened, stored: str) -> None:
    page = opened(FRIEND, assisted=False)
    has(page, ".pieces .piece", 1)
    page.wait_for_function("Object.keys(localStorage).some(key => key.includes('moves.'))")
    start = page.url.partition("#")[0]
    page.evaluate(
        """stored => {
            const key = Object.keys(localStorage).find(one => one.includes('moves.'));
            localStorage[key] = stored;
        }""",
        stored,
    )
    page.goto("about:blank")
    page.goto(start + DAY)
    # The position that was stored beside them, as earlier pages did.
    has(page, ".pieces .piece", 1)
    has(page, ".message", 0)


def test_a_friend_s_address_lies_above_one_s_own_position(opened: Opened) -> None:
    page = opened(assisted=False)
    mine = tiling()[:2]
    for one in mine:
        laid_by_keys(page, one)
    start = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(start + FRIEND)
    has(page, ".pieces .piece", 1)
    page.reload()
    has(page, ".pieces .piece", 1)
    page.get_by_role("button", name="Undo").click()
    has(page, ".pieces .piece", 2)
    found = page.locator(".pieces .piece").evaluate_all("all => all.map(p => p.dataset.piece)")
    assert found == [one.piece for one in mine]


ORDER = """{
    globalThis.order = [];
    const {get} = Object.getOwnPropertyDescriptor(window, 'localStorage');
    Object.defineProperty(window, 'localStorage', {get() {
        order.push('storage');
        return get.call(window);
    }});
    LockManager.prototype.query = () => new Promise((resolve, reject) => setTimeout(() => {
        order.push('answer');
        ANSWER();
    }, 300));
}"""


@pytest.mark.parametrize("answer", ["resolve", "reject", "never"])
def test_the_page_waits_for_the_browser_before_it_looks_into_its_storage(
    opened: Opened, browser: Any, answer: str
) -> None:
    # An area that is asked for before a document is committed is empty and lost, in Chromium.
    context = browser.new_context(**USUAL)
    context.add_init_script(ORDER.replace("ANSWER", answer if answer != "never" else "String"))
    page = opened(FRIEND, context=context, assisted=False)
    has(page, ".pieces .piece", 1)
    order = page.evaluate("order")
    assert order[0] == "answer"
    assert "storage" in order
    context.close()


def test_back_goes_back(opened: Opened) -> None:
    page = opened(FRIEND, assisted=False)
    has(page, ".pieces .piece", 1)
    page.get_by_role("button", name="The model").click()
    page.wait_for_selector(".equation")
    page.wait_for_function("location.hash.includes('view=model')")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("!location.hash.includes('view=')")
    page.get_by_role("button", name="The day after").click()
    page.wait_for_function("location.hash.includes('2024-03-01')")
    page.go_back()
    page.wait_for_function("document.title.includes('Feb 29')")
    has(page, ".pieces .piece", 1)
    page.go_back()
    page.wait_for_selector(".equation")
    page.go_forward()
    page.wait_for_selector(".tray")


def test_the_day_rolls_over_at_midnight(opened: Opened) -> None:
    page = opened(TODAY, assisted=False)
    start = page.url.partition("#")[0]
    page.clock.install(time=datetime.datetime(2026, 11, 22, 23, 30))
    page.goto("about:blank")
    page.goto(start + TODAY)
    reads(page, ".rule", "Cover everything but Nov 22.")
    # Its clock goes on meanwhile, and no machine is half an hour late.
    page.clock.run_for(31 * 60_000)
    reads(page, ".rule", "Cover everything but Nov 23.")
    page.locator(".item").first.click()
    page.clock.run_for(24 * 3600 * 1000)
    reads(page, ".messages", "A new day has begun.")
    reads(page, ".rule", "Cover everything but Nov 23.")
    page.get_by_role("button", name="Play 2026-11-24").click()
    reads(page, ".rule", "Cover everything but Nov 24.")


def test_a_button_opens_today(opened: Opened) -> None:
    page: Any = opened(assisted=False)
    page.get_by_role("button", name="Today", exact=True).click()
    page.wait_for_function(
        """() => {
            const now = new Date();
            return Number(document.querySelector('#date').value.slice(8)) === now.getDate()
                && document.querySelector('#date').value.startsWith(now.getFullYear());
        }"""
    )
