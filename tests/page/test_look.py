"""How the page looks elsewhere: the theme that is chosen, forced colours, paper."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import DAY, USUAL, Opened, has, reads

PAPER = {"viewport": {"width": 718, "height": 1047}}
"""The inside of an A4 sheet in pixels, with the browser's usual margins."""

CONTRAST = """selector => {
    const light = (colour) => {
        const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const of = (one, role) => light(getComputedStyle(one)[role]);
    const text = document.querySelector(selector);
    const ground = text.parentNode.querySelector('.shape, .board');
    const both = [of(text, 'fill'), of(ground, 'fill')].sort((a, b) => b - a);
    return (both[0] + 0.05) / (both[1] + 0.05);
}"""


def paper(page: Any) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found


def test_the_theme_that_is_chosen_is_remembered(opened: Opened) -> None:
    page = opened(color_scheme="light")
    light = paper(page)
    page.locator(".more summary").click()
    theme = page.get_by_label("theme")
    assert theme.input_value() == "system"
    theme.select_option("dark")
    dark = paper(page)
    assert dark != light
    page.reload()
    page.wait_for_selector("main > *")
    assert paper(page) == dark
    page.emulate_media(color_scheme="dark")
    page.locator(".more summary").click()
    theme.select_option("light")
    assert paper(page) == light
    theme.select_option("system")
    assert paper(page) == dark
    # On paper it is light, whatever is chosen.
    theme.select_option("dark")
    page.emulate_media(media="print")
    assert paper(page) == light


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_is_read_in_forced_colours(opened: Opened, scheme: str) -> None:
    address = DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep"
    page = opened(address, color_scheme=scheme, forced_colors="active")
    has(page, ".pieces .piece", 1)
    for text in (".ground .label", ".ground .today", ".pieces .name", ".item .name"):
        assert page.evaluate(CONTRAST, text) > 4.5, text
    item = page.locator(".item").first
    item.focus()
    page.keyboard.press("Enter")
    style = "getComputedStyle(document.querySelector('.item[aria-pressed=true]')).outlineStyle"
    assert page.evaluate(style) == "solid"


@pytest.mark.parametrize("puzzle", ["a-puzzle-a-day", "praxis-rhombus", "kao-8x8"])
def test_paper_has_a_title_and_pieces_at_the_scale_of_the_board(
    opened: Opened, puzzle: str
) -> None:
    page = opened(f"#puzzle={puzzle}&date=2024-02-29", assisted=False, **PAPER)
    page.wait_for_selector(".item")
    page.emulate_media(media="print")
    reads(page, ".paper", "2024-02-29")
    assert page.locator(".rule").is_visible()
    assert not page.locator(".first").is_visible()
    scales, outside = page.evaluate(
        """() => {
            const all = [...document.querySelectorAll('.stage svg, .item svg')];
            const wide = document.documentElement.clientWidth;
            return [
                all.map((svg) => svg.getScreenCTM().a),
                all.filter((svg) => svg.getBoundingClientRect().right > wide).length,
            ];
        }"""
    )
    assert outside == 0
    assert len(scales) > 8
    assert max(scales) - min(scales) < 0.01 * scales[0]
    assert scales[0] > 30, "a cell has 8 mm at least"
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert sheets <= 2


ANIMATED = """{
    const animate = Element.prototype.animate;
    globalThis.turns = [];
    Element.prototype.animate = function (frames, timing) {
        turns.push([this.closest('.item') ? 'tray' : 'board', frames[0].transform,
            timing.duration]);
        return animate.call(this, frames, timing);
    };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_piece_turns_in_120_ms_and_at_once_where_motion_is_reduced(
    opened: Opened, browser: Any, motion: str
) -> None:
    context = browser.new_context(**USUAL, reduced_motion=motion)
    context.add_init_script(ANIMATED)
    page = opened(context=context)
    item = page.locator('.item[data-piece="L"]')
    item.focus()
    before = item.get_attribute("aria-label")
    page.keyboard.press("Enter")
    page.keyboard.press("r")
    page.keyboard.press("f")
    assert item.get_attribute("aria-label") != before
    places = ["tray", "board"]
    expected = [[at, way, 120] for way in ("rotate(-90deg)", "scaleX(-1)") for at in places]
    shown = page.evaluate("turns.filter(([, , duration]) => duration < 1000)")
    assert shown == (expected if motion == "no-preference" else [])
    page.wait_for_function("!document.getAnimations().length")
    context.close()
