"""What hands feel: a glide back with its reason, a click and a vibration, the wave at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browsing import DAY, PHONE, USUAL, Opened, centre, drag, grip, has, laid_by_keys, reads, tiling
from webdriver import Page

FELT = """{
    globalThis.felt = {vibrations: [], tones: 0, moves: []};
    Object.defineProperty(Navigator.prototype, 'vibrate',
        {value: (ms) => { felt.vibrations.push(ms); return true; }});
    globalThis.OscillatorNode = class extends OscillatorNode {
        start(...when) { felt.tones += 1; return super.start(...when); }
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const {duration = timing, delay = 0} = Object(timing);
        const what = this.className.baseVal ?? this.className;
        felt.moves.push({what, piece: this.dataset.piece ?? '', duration, delay});
        return animate.call(this, frames, timing);
    };
}"""

LAID = (f"{p.piece}:{'+'.join(f'{r},{c}' for r, c in p.cells)}" for p in tiling()[:7])
LAST = f"{DAY}&placed={';'.join(LAID)}"
"""Feb 29 with one piece missing."""


def felt(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("felt")
    return found


@pytest.fixture
def touched(opened: Opened, browser: Any) -> Callable[..., Any]:
    """Return a function that opens the page where what is felt is noted."""

    def make(hash_: str = DAY, **kind: Any) -> Any:
        context = browser.new_context(**{**USUAL, **kind})
        context.add_init_script(FELT)
        return opened(hash_, context=context, assisted=False)

    return make


def test_a_refused_drop_glides_back_and_says_why(touched: Callable[..., Any]) -> None:
    page = touched(DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep")
    has(page, ".pieces .piece", 1)
    item = page.locator('.item[data-piece="L"]')
    drag(page, grip(page, "L"), centre(page, (0, 0)))
    assert page.inner_text(".advice") == "Piece L does not fit there: U lies there"
    glides = [move for move in felt(page)["moves"] if move["what"] == "floating"]
    assert [move["duration"] for move in glides] == [180]
    has(page, "body > .floating", 1)  # the picture is gone once it is home
    assert item.count() == 1
    assert felt(page)["vibrations"] == [], "nothing snapped"


def test_a_piece_dropped_beside_the_board_glides_home_without_a_word(
    touched: Callable[..., Any],
) -> None:
    page = touched()
    page.wait_for_selector(".item")
    drag(page, grip(page, "L"), (5, 790))
    assert page.inner_text(".advice") == ""
    assert [move["what"] for move in felt(page)["moves"]].count("floating") == 1
    has(page, "body > .floating", 1)


def test_a_snap_is_felt_and_heard_until_it_is_switched_off(touched: Callable[..., Any]) -> None:
    page = touched(**PHONE)
    one, two, three = tiling()[:3]
    laid_by_keys(page, one)
    page.wait_for_function("felt.tones === 1")
    assert felt(page)["vibrations"] == [10]
    page.locator(".more > summary").click()
    for name in ("sound", "vibration"):
        assert page.get_by_label(name).is_checked()
        page.get_by_label(name).uncheck()
    page.keyboard.press("Escape")
    laid_by_keys(page, two)
    assert (felt(page)["tones"], felt(page)["vibrations"]) == (1, [10])
    page.reload()
    page.wait_for_selector(".item")
    laid_by_keys(page, three)
    page.wait_for_timeout(100)
    assert (felt(page)["tones"], felt(page)["vibrations"]) == (0, []), "the choice is kept"
    page.context.close()


def test_nothing_clicks_or_glides_where_less_motion_is_asked_for(
    touched: Callable[..., Any],
) -> None:
    page = touched(reduced_motion="reduce")
    laid_by_keys(page, tiling()[0])
    drag(page, grip(page, tiling()[1].piece), (5, 790))
    page.wait_for_timeout(100)
    assert felt(page) == {"vibrations": [], "tones": 0, "moves": []}
    page.locator(".more > summary").click()
    assert not page.get_by_label("sound").is_checked()
    page.get_by_label("sound").check()
    page.keyboard.press("Escape")
    laid_by_keys(page, tiling()[1])
    page.wait_for_function("felt.tones === 1")


def test_the_finish_is_a_wave_from_the_last_piece_in_less_than_a_second(
    touched: Callable[..., Any],
) -> None:
    page = touched(LAST)
    has(page, ".pieces .piece", 7)
    size = "document.querySelector('.label.today').getBoundingClientRect().height"
    before = page.evaluate(size)
    last = tiling()[7]
    laid_by_keys(page, last)
    has(page, ".won", 1)
    waves = [move for move in felt(page)["moves"] if move["what"].startswith("piece")]
    assert len(waves) == 8
    begin = {move["piece"]: move["delay"] for move in waves}
    assert begin[last.piece] == 0 == min(begin.values())
    assert 0 < max(move["delay"] + move["duration"] for move in waves) < 1000
    page.wait_for_function(f"{size} > {1.15 * before}")
    assert not page.locator(".layer.cursor path").count(), "no frame on the finished picture"
    reads(page, ".end", "one of 64")
    page.keyboard.press("ArrowRight")
    has(page, ".layer.cursor path", 1)  # who goes on sees where


@pytest.mark.long
def test_a_finish_in_the_second_engine(other: Callable[..., Page]) -> None:
    page = other(LAST, assisted=False)
    has(page, ".pieces .piece", 7)
    laid_by_keys(page, tiling()[7])
    has(page, ".won", 1)
    assert page.evaluate("document.querySelectorAll('.layer.cursor path').length") == 0
    page.keyboard.press("z")
    page.wait_for_function("document.querySelectorAll('.won').length === 0")
