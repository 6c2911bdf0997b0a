"""What is left of a solved date: a card to send, a text with squares, a year of one's own."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from browsing import DAY, USUAL, Opened, has, laid_by_keys, reads, tiling

SHARED = """{
    globalThis.sent = [];
    navigator.canShare = ({files}) => files.length === 1;
    navigator.share = async (what) => void sent.push(what);
    HTMLCanvasElement.prototype.toBlob = new Proxy(HTMLCanvasElement.prototype.toBlob, {
        apply: (make, canvas, all) => {
            globalThis.canvas = canvas;
            return make.apply(canvas, all);
        },
    });
}"""
"""A device that shares files, and the canvas that the last one came from."""

SENT = """async () => {
    const [{text, files}] = sent.splice(0);
    return {text, name: files[0].name, type: files[0].type,
        data: [...new Uint8Array(await files[0].arrayBuffer())]};
}"""

PIECES = """() => {
    const {width, height} = canvas;
    const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
    const of = (one) => getComputedStyle(one).fill.match(/\\d+/g).slice(0, 3).join();
    const pieces = [...document.querySelectorAll('.pieces .shape')].map(of);
    const seen = new Set();
    for (let y = 0; y < height; y += 3) {
        for (let x = 0; x < 600; x += 3) {
            const at = 4 * (y * width + x);
            seen.add(data.slice(at, at + 3).join());
        }
    }
    return [seen.size, pieces.length, pieces.filter((one) => seen.has(one)).length];
}"""


def sent(page: Any) -> dict[str, Any]:
    page.get_by_role("button", name="Share the result").click()
    page.wait_for_function("sent.length === 1")
    found: dict[str, Any] = page.evaluate(SENT)
    return found


def solved(opened: Opened, browser: Any, index: int) -> Any:
    context = browser.new_context(**USUAL, locale="en-GB")
    context.add_init_script(SHARED)
    page = opened(context=context, assisted=False)
    page.wait_for_selector(".item")
    for one in tiling(index):
        laid_by_keys(page, one)
    reads(page, ".end", "one of 64")
    return page


def test_a_result_is_sent_as_a_picture_that_shows_no_tiling(opened: Opened, browser: Any) -> None:
    page = solved(opened, browser, 0)
    page.locator("#with-time").uncheck()
    card = sent(page)
    assert card["type"] == "image/png"
    assert card["name"] == "calmip-2024-02-29.png"
    data = bytes(card["data"])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1200, 630)
    lines = card["text"].splitlines()
    assert lines[1] == "🟩" * 8
    assert lines[2] == "Day 60, solved, no hint, one of 64"
    colours, pieces, shown = page.evaluate(PIECES)
    assert colours > 3, "something is drawn"
    assert (pieces, shown) == (8, 0), "no colour of a piece is on the board"
    page.locator("#with-time").check()
    assert " s, no hint" in sent(page)["text"]
    page.context.close()


def test_a_picture_is_saved_where_nothing_is_shared(opened: Opened, tmp_path: Path) -> None:
    page = opened(assisted=False)
    page.wait_for_selector(".item")
    for one in tiling():
        laid_by_keys(page, one)
    reads(page, ".end", "one of 64")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
    path = tmp_path / "card.png"
    saved.value.save_as(path)
    assert struct.unpack(">II", path.read_bytes()[16:24]) == (1200, 630)


def test_hints_are_counted_by_the_pieces_that_they_are_about(opened: Opened) -> None:
    page = opened(assisted=False)
    page.wait_for_selector(".item")
    presses = 0
    for laid in range(1, 9):
        while page.locator(".pieces .piece").count() < laid:
            before = page.evaluate(SAID)
            page.keyboard.press("h")
            page.wait_for_function(f"({SAID}) !== {before!r}")
            page.wait_for_function("!document.querySelector('.advice').textContent.endsWith('…')")
            presses += 1
    reads(page, ".end", "with 8 hints")
    # The corner, the piece, its place, the piece itself; what is left last is no corner.
    assert 8 * 3 < presses <= 8 * 4 + 1, "a laid hint needs no question whether there is a solution"
    has(page, ".won", 1)


SAID = (
    "document.querySelector('.advice').textContent"
    " + document.querySelectorAll('.pieces .piece').length"
    " + document.querySelectorAll('.layer.lit path').length"
)


def test_the_year_shows_what_the_player_did(opened: Opened) -> None:
    page = opened(f"{DAY}&view=year")
    record = (
        '{"hints":%d,"shown":%s,"assist":"off","seconds":%d,"on":"2024-01-0%d","of":"","total":9}'
    )
    days = {"1": (0, "false", 90, 1), "2": (2, "false", 200, 2), "3": (0, "true", 3000, 3)}
    for day, values in days.items():
        page.evaluate(
            "([key, text]) => localStorage.setItem(key, text)",
            [f"calmip.record.a-puzzle-a-day||Jan|{day}", record % values],
        )
    page.reload()
    page.locator("#year-colours").select_option("own")
    page.wait_for_selector("progress[hidden]", state="attached")
    for day, (kind, words) in {
        "1": ("own", "by yourself"),
        "2": ("helped", "with help"),
        "3": ("looked", "after a look"),
    }.items():
        place = page.locator(f".day.feat-{kind}")
        assert place.get_attribute("title").startswith(f"Jan {day}: ")
        assert words in place.get_attribute("aria-label")
    assert page.locator(".legend").is_visible()
    words = {
        title.split(" · ")[1]
        for title in page.evaluate("[...document.querySelectorAll('.day')].map((one) => one.title)")
    }
    assert words == {"very hard", "hard", "medium", "easy"}
    # A tap plays the day, and the choice is kept.
    page.locator(".day.feat-own").click()
    page.wait_for_function("document.title.includes('Jan 1')")
    page.locator(".record summary").click()
    bars = page.locator(".times").get_attribute("aria-label")
    assert [int(bar.split(": ")[1]) for bar in bars.split(", ")] == [1, 1, 0, 0, 0, 1]
