"""Fingers: scrolling, taps, a second finger; and what is on the first screen of a phone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from browsing import (
    DAY,
    PHONE,
    Opened,
    cells_of,
    centre,
    grip,
    has,
    laid_by_keys,
    reads,
    rests,
    shape_in_hand,
    tiling,
)

from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.puzzle.lattice import SQUARE, Shape

SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}
WIDE = {**PHONE, "viewport": {"width": 740, "height": 360}}
LAID = DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep"


class Fingers:
    """Touch events as a screen sends them, by DevTools."""

    def __init__(self, page: Any) -> None:
        self.session = page.context.new_cdp_session(page)

    def tap(self, at: tuple[float, float], *seconds: float) -> None:
        """Tap at these seconds, whenever the page hears of it."""
        for second in seconds:
            self.send("Start", at, timestamp=second)
            self.send("End", timestamp=second + 0.05)

    def send(self, kind: str, *points: tuple[float, float], **more: float) -> None:
        """Put fingers there, in this order; none are left when there are no points."""
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches, **more}
        )

    def swipe(self, start: tuple[float, float], up: float) -> None:
        """Move one finger up in steps."""
        x, y = start
        self.send("Start", start)
        for part in range(1, 11):
            self.send("Move", (x, y - up * part / 10))
        self.send("End")


def screen(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        """() => {
            const box = (at) => document.querySelector(at).getBoundingClientRect();
            const targets = [...document.querySelectorAll('button, summary, select, #date')]
                .filter((one) => one.checkVisibility() && !one.closest('footer, .extra, dialog'))
                .map((one) => [one.textContent || one.id, one.getBoundingClientRect()])
                .filter(([, {width, height}]) => Math.min(width, height) < 43.5)
                .map(([name, {width, height}]) => `${name} ${width} x ${height}`);
            return {
                board: [box('.stage svg').width, box('.stage svg').height],
                stage: box('.stage svg').right,
                tray: [box('.tray').left, box('.tray').bottom],
                tools: [box('.play .tools').top, box('.play .tools').bottom],
                wide: document.documentElement.scrollWidth,
                targets,
            };
        }"""
    )
    return found


@pytest.mark.long
@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["portrait", "landscape"])
def test_every_board_its_tray_and_tools_are_on_the_first_screen(
    opened: Opened, size: dict[str, Any]
) -> None:
    page = opened(assisted=False, **size)
    width, height = size["viewport"]["width"], size["viewport"]["height"]
    for name in bundled_puzzles():
        page.goto("about:blank")
        page.goto(page_address(opened, page, name))
        page.wait_for_selector(".item")
        seen = screen(page)
        assert seen["tray"][1] <= seen["tools"][0] + 1, name
        assert seen["tools"][1] <= height, name
        assert seen["wide"] <= width, name
        assert not seen["targets"], name
        assert max(seen["board"]) >= 220, name
        if size is WIDE:
            assert seen["stage"] <= seen["tray"][0], "board and tray side by side"


def page_address(opened: Opened, page: Any, name: str) -> str:
    if not hasattr(page, "start"):
        other = opened("", assisted=False)
        page.start = other.url.partition("#")[0]
        other.close()
    return f"{page.start}#puzzle={name}&date=2024-02-29"


@pytest.mark.parametrize("view", ["play", "model", "lab"])
def test_the_page_scrolls_under_a_finger_that_has_no_piece(opened: Opened, view: str) -> None:
    page = opened(f"{LAID}&view={view}", **SMALL)
    page.wait_for_selector(".stage svg")
    page.add_style_tag(content="#app { min-height: 2400px !important; }")
    fingers = Fingers(page)
    fingers.swipe(centre(page, (5, 2)), 150)
    page.wait_for_function("scrollY > 60")
    if view != "play":
        return
    rests(page)
    page.evaluate("scrollTo(0, 0)")
    # On a piece that lies, the finger lifts it, and nothing scrolls.
    page.wait_for_function("scrollY === 0")
    rests(page)
    x, y = centre(page, (1, 0))
    fingers.send("Start", (x, y))
    for part in range(1, 11):
        fingers.send("Move", (x, y + 20 * part))
    has(page, ".floating svg", 1)
    # A second finger does nothing.
    fingers.send("Start", (x, y + 200), (x + 100, y + 100))
    fingers.send("Move", (x, y + 200), (x + 100, y + 20))
    assert page.locator(".floating svg").count() == 1
    fingers.send("End", (x, y + 200))
    fingers.send("End")
    page.wait_for_function("document.querySelectorAll('.floating svg').length === 0")
    assert page.evaluate("scrollY") == 0


def test_a_tap_turns_the_piece_in_hand_and_a_double_tap_turns_it_over(opened: Opened) -> None:
    page = opened(assisted=False, **SMALL)
    fingers, begun = Fingers(page), time.time()

    def shape() -> tuple[tuple[int, int], ...]:
        return SQUARE.normal_form(shape_in_hand(page, "L", SQUARE))

    def tap(*seconds: float) -> None:
        fingers.tap(grip(page, "L"), *(begun + one for one in seconds))

    def mirrored(cells: Shape) -> Shape:
        return SQUARE.normal_form((r, -c) for r, c in cells)

    begin = shape()
    tap(1)
    has(page, "[aria-pressed=true].item", 1)
    assert shape() == begin, "the first tap takes it"
    seen = [begin]
    for second in range(2, 6):
        tap(second)
        seen.append(shape())
    assert len(set(seen)) == 4, "four taps turn it all round"
    assert seen[4] == begin
    tap(6, 6.2)
    assert shape() == mirrored(begin)
    # A piece that is not in hand: taken and turned over.
    page.get_by_role("button", name="Put aside").tap()
    has(page, "[aria-pressed=true].item", 0)
    tap(8, 8.2)
    assert shape() == begin
    tap(10)
    before = shape()
    tap(10.4)
    assert shape() not in (before, mirrored(before)), "two taps, and not a double one"


def test_a_gesture_of_a_trackpad_is_one_turn(opened: Opened) -> None:
    page = opened(assisted=False)
    page.locator('.item[data-piece="L"]').click()
    page.mouse.move(*centre(page, (3, 3)))
    before = SQUARE.normal_form(shape_in_hand(page, "L", SQUARE))
    page.evaluate(
        """() => {
            const svg = document.querySelector('.stage svg');
            const how = {deltaY: 4, bubbles: true, cancelable: true};
            for (let k = 0; k < 20; k += 1) svg.dispatchEvent(new WheelEvent('wheel', how));
        }"""
    )
    shown = [SQUARE.normal_form(shape_in_hand(page, "L", SQUARE))]
    for _ in range(3):
        page.keyboard.press("r")
        shown.append(SQUARE.normal_form(shape_in_hand(page, "L", SQUARE)))
    assert shown.index(before) == 3, "it was turned once"


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["portrait", "landscape"])
def test_a_remedy_moves_nothing(opened: Opened, size: dict[str, Any]) -> None:
    page = opened(LAID, **size)
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    place = (
        "['.tray', '.stage svg'].map(s => document.querySelector(s).getBoundingClientRect().top)"
    )
    before = page.evaluate(place)
    page.goto(page.url.partition("#")[0] + DAY + "&placed=O6:1+2+3+8+9+10")
    page.wait_for_selector(".remedy button")
    assert page.evaluate(place) == before


def test_a_piece_in_hand_is_dragged_by_the_cell_under_the_finger(opened: Opened) -> None:
    """Taken and turned by taps, and then dragged, by each of its cells; then dragged again."""
    page = opened(assisted=False, **SMALL)
    fingers, begun = Fingers(page), time.time()
    fingers.tap(grip(page, "L"), begun)
    has(page, "[aria-pressed=true].item", 1)
    fingers.tap(grip(page, "L"), begun + 1)
    shape = shape_in_hand(page, "L", SQUARE)
    for number, (row, column) in enumerate(shape):
        x, y = grip(page, "L")
        step = page.evaluate("document.querySelector('.item svg').getScreenCTM().a")
        first = shape[0]
        start = (x + step * (column - first[1]), y + step * (row - first[0]))
        lifted = 56
        end = centre(page, (3, 2))
        fingers.send("Start", start)
        for part in range(1, 11):
            fingers.send(
                "Move",
                tuple(
                    a + (b - a) * part / 10
                    for a, b in zip(start, (end[0], end[1] + lifted), strict=True)
                ),
            )
        shown = cells_of(page, ".stage svg", ".layer.ghost path", SQUARE)
        wanted = sorted((r - row + 3, c - column + 2) for r, c in shape)
        assert shown == wanted, f"held by cell {number}"
        fingers.send("Cancel")
        has(page, ".floating svg", 0)


def test_a_tap_on_the_piece_that_is_shown_lays_it(opened: Opened) -> None:
    page = opened(LAID, assisted=False, **SMALL)
    has(page, ".pieces .piece", 1)
    fingers, begun = Fingers(page), time.time()
    for second, (lifted, pressed) in enumerate((((0, 0), (1, 2)), ((1, 2), (0, 2)))):
        fingers.tap(centre(page, lifted), begun + 2 * second)
        has(page, ".layer.ghost path", 1)
        fingers.tap(centre(page, pressed), begun + 2 * second + 1)
        has(page, ".layer.ghost path", 0)
        has(page, ".pieces .piece", 1)
        cells = cells_of(page, ".stage svg", ".pieces .piece path", SQUARE)
        assert cells == [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["portrait", "landscape"])
def test_the_tools_stay_while_the_tray_gets_empty_and_at_the_end(
    opened: Opened, size: dict[str, Any]
) -> None:
    page = opened(assisted=False, **size)
    page.wait_for_selector(".item")
    place = (
        "['.tools', '.stage svg'].map(s => document.querySelector(s).getBoundingClientRect().top)"
    )
    tools, board = page.evaluate(place)
    for one in tiling():
        laid_by_keys(page, one)
        moved, same = page.evaluate(place)
        # A piece that stands upright may need more room, once.
        assert moved > tools - 1 or not page.locator(".item").count()
        assert same == board
        tools = moved
    reads(page, ".end", "one of 64")
    moved, same = page.evaluate(place)
    assert same == board
    assert moved + 44 <= size["viewport"]["height"], "what it was worth, and Undo, on one screen"
