"""A race against the game in a link or one's own of last year; colours and textures; months."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from browsing import DAY, PHONE, USUAL, Opened, has, laid_by_keys, reads, tiling
from page_modules import WEB
from webdriver import Page

LAID = [f"{p.piece}:{'+'.join(f'{r},{c}' for r, c in p.cells)}" for p in tiling()[:7]]
LAST = f"{DAY}&placed={';'.join(LAID)}"
"""Feb 29 with one piece missing."""

RECORD = {
    "hints": 0,
    "shown": False,
    "assist": "off",
    "seconds": 5000,
    "of": "2023-02-28",
    "total": 64,
    "curve": [64, 9, 1],
    "row": "oooooooo",
}


def bars(page: Any, at: str) -> list[str]:
    found: list[str] = page.evaluate(
        "at => [...document.querySelectorAll(`${at} span`)].map((one) => one.textContent)", at
    )
    return found


@pytest.mark.parametrize(("seconds", "words"), [(90000, "faster."), (0, "slower.")])
def test_a_link_has_a_game_to_race_against(opened: Opened, seconds: int, words: str) -> None:
    page = opened(f"{LAST}&race=64-12-3-1,{seconds}", assisted=False)
    clock = page.get_by_role("timer")
    before = clock.inner_text()
    assert re.fullmatch(r"Race: 0:\d\d / \d+:\d\d", before)
    page.wait_for_function("old => document.querySelector('.race').textContent !== old", arg=before)
    assert f"&race=64-12-3-1,{seconds}" in page.evaluate("location.hash"), "a reload keeps it"
    page.wait_for_timeout(1000)
    laid_by_keys(page, tiling()[7])
    reads(page, ".end", words)
    assert bars(page, ".curve.other") == ["64", "12", "3", "1"]
    # Another date is another game.
    page.get_by_role("button", name="The day after").click()
    has(page, ".race", 0)


def test_without_a_link_there_is_no_race(opened: Opened) -> None:
    page = opened(LAST, assisted=False)
    assert not page.get_by_role("timer").count()
    laid_by_keys(page, tiling()[7])
    reads(page, ".end", "one of 64")
    assert bars(page, ".curve.other") == []


def test_ones_own_game_of_last_year_is_raced_against(opened: Opened) -> None:
    page = opened(LAST, assisted=False)
    kept = "void (localStorage[`calmip.record.a-puzzle-a-day||Feb|29`] = %s)"
    for on, there in (("2023-03-01", 1), (None, 0)):
        day = json.dumps({**RECORD, "on": on} if on else {**RECORD, "on": _today(page)})
        page.evaluate(kept % json.dumps(day))
        page.reload()
        page.wait_for_selector(".item")
        has(page, ".race", there)
    page.evaluate(kept % json.dumps(json.dumps({**RECORD, "on": "2023-03-01"})))
    page.reload()
    laid_by_keys(page, tiling()[7])
    reads(page, ".end", "faster.")
    assert bars(page, ".curve.other") == ["64", "9", "1"]


def _today(page: Any) -> str:
    found: str = page.evaluate(
        "(() => { const d = new Date(); d.setMinutes(d.getMinutes() - d.getTimezoneOffset());"
        " return d.toISOString().slice(0, 10); })()"
    )
    return found


@pytest.mark.parametrize("race", ["64-12", "64,", "a-b,5", "64-12,5,5", "-1,5"])
def test_what_is_no_race_is_said(opened: Opened, race: str) -> None:
    page = opened(f"{DAY}&race={race}")
    reads(page, ".messages", "is not a game; it has the solutions left after each piece")
    assert not page.get_by_role("timer").count()


def test_pieces_have_other_colours_and_textures(opened: Opened, browser: Any) -> None:
    page = opened(LAST)
    has(page, ".pieces .piece", 7)
    shades = "[...document.querySelectorAll('.pieces .shape')].map((p) => getComputedStyle(p).fill)"
    usual = page.evaluate(shades)
    page.locator(".more > summary").click()
    choose = page.get_by_label("piece colours")
    choose.select_option("safe")
    safe = page.evaluate(shades)
    assert len(set(safe)) == 7
    assert not set(safe) & set(usual)
    choose.select_option("plain")
    for colour in page.evaluate(shades):
        red, green, blue = re.findall(r"\d+", colour)
        assert red == green == blue, "grey"
    assert not page.locator(".pieces path[fill^=url]").count()
    page.get_by_label("textures").check()
    fills = page.locator(".pieces path[fill^=url]").evaluate_all(
        "all => all.map((one) => one.getAttribute('fill'))"
    )
    assert len(set(fills)) == 7, "each piece has its own"
    known = "id => Boolean(document.getElementById(id))"
    assert all(page.evaluate(known, fill[5:-1]) for fill in fills)
    page.reload()
    has(page, ".pieces path[fill^=url]", 7)
    assert page.evaluate("document.documentElement.dataset.tint") == "plain"


AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_is_new(opened: Opened, browser: Any, scheme: str) -> None:
    context = browser.new_context(**{**USUAL, **PHONE}, color_scheme=scheme)
    context.add_init_script(
        "localStorage['calmip.textures'] = 'on'; localStorage['calmip.tint'] = 'safe'"
    )
    page = opened(f"{LAST}&race=64-12-3-1,90&lang=de", context=context, assisted=False)
    page.add_script_tag(path=str(AXE))

    def clean() -> None:
        found = page.evaluate("axe.run(document, {preload: false})")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []

    clean()
    page.locator(".more > summary").click()
    clean()
    page.keyboard.press("Escape")
    laid_by_keys(page, tiling()[7])
    reads(page, ".end", "eine von 64")
    clean()
    page.locator(".share summary").click()
    page.get_by_role("button", name="QR-Code").click()
    page.wait_for_selector(".code")
    clean()
    context.close()


@pytest.mark.parametrize(
    ("lang", "puzzle", "words"),
    [
        ("en", "a-puzzle-a-day", "Cover everything but Oct 29."),
        ("de", "a-puzzle-a-day", "Bedecke alles außer 29. Oktober."),
        ("fr", "a-puzzle-a-day", "Couvrez tout sauf 29 octobre."),
        ("zh", "a-puzzle-a-day", "盖住除 10月29日 外的所有格子。"),
        ("es", "weekday-8x7", "Cubra todo menos martes, 29 de octubre."),
        ("en", "weekday-8x7", "Cover everything but "),
    ],
)
def test_the_sentence_has_the_month_in_the_readers_language(
    opened: Opened, lang: str, puzzle: str, words: str
) -> None:
    page = opened(f"#puzzle={puzzle}&date=2024-10-29&lang={lang}", assisted=False)
    assert page.inner_text(".rule").startswith(words)


@pytest.mark.long
def test_a_race_and_textures_in_the_second_engine(other: Callable[..., Page]) -> None:
    page = other(f"{LAST}&race=64-12-3-1,90000", assisted=False)
    page.evaluate("() => void localStorage.setItem('calmip.textures', 'on')")
    page.reload()
    has(page, ".pieces path[fill^=url]", 7)
    laid_by_keys(page, tiling()[7])
    reads(page, ".end", "faster.")
