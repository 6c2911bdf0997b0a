"""The first screen is the game: one line, a board, pieces that eyes can lay, and tools."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import PHONE, Opened, has, reads

from calmip.puzzle.documents.reader import bundled_puzzles

SCREENS = [(360, 740), (390, 844)]
MEASURED = """() => {
    const of = (at) => document.querySelector(at).getBoundingClientRect();
    const scale = (at) => document.querySelector(at).getScreenCTM().a;
    return {
        line: of('header').height,
        play: of('.stage svg').height + of('.tray').height,
        tools: of('.play .tools').bottom,
        pieces: Math.max(...[...document.querySelectorAll('.item')]
            .map((one) => one.getBoundingClientRect().bottom)),
        above: of('.play .tools').top,
        scale: scale('.item svg') / scale('.stage svg'),
        wide: document.documentElement.scrollWidth,
    };
}"""
DAYS = "new Date().toLocaleDateString('en-GB', {day: 'numeric', month: 'short'})"
A_WHILE = "new Promise((done) => setTimeout(done, 200))"


def focus(page: Any) -> str:
    found: str = page.evaluate(
        "document.activeElement.ariaLabel || document.activeElement.textContent"
    )
    return found


def phone(width: int, height: int) -> dict[str, Any]:
    return {**PHONE, "viewport": {"width": width, "height": height}}


@pytest.mark.long
@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_board_and_tray_have_three_quarters_of_a_phone(
    opened: Opened, size: tuple[int, int]
) -> None:
    page = opened("", assisted=False, **phone(*size))
    start = page.url.partition("#")[0]
    for name in bundled_puzzles():
        page.goto("about:blank")
        page.goto(f"{start}#puzzle={name}")
        page.wait_for_selector(".item")
        seen = page.evaluate(MEASURED)
        assert seen["line"] <= 46, name
        assert seen["play"] >= 0.75 * size[1], (name, seen)
        assert seen["tools"] <= size[1], name
        assert seen["pieces"] <= seen["above"] + 1, name
        assert seen["scale"] >= 0.49, name
        assert seen["wide"] <= size[0], name


def test_the_line_says_what_is_played_as_people_write_it(opened: Opened) -> None:
    for locale, words in (
        ("en-GB", "29 Feb 2024"),
        ("de-DE", "29. Feb"),
        ("zh-CN", "2024年2月29日"),
    ):
        page = opened(assisted=False, locale=locale, **phone(360, 740))
        assert "A-Puzzle-A-Day" in page.inner_text("header summary")
        assert words in page.inner_text("header summary")
        page.close()


def test_the_menu_has_everything_and_closes_over_the_game(opened: Opened) -> None:
    page = opened(assisted=False, **phone(360, 740))
    page.locator(".more summary").tap()
    for name in ("#puzzle", "#date", "#assist", ".more .tabs [data-key=year]", ".more .help"):
        assert page.locator(name).is_visible(), name
    page.locator(".more .tabs [data-key=year]").tap()
    page.wait_for_selector(".year-grid")
    assert not page.locator("#puzzle").is_visible()


def test_the_date_of_a_link_offers_today(opened: Opened) -> None:
    page = opened(assisted=False, locale="en-GB", **phone(360, 740))
    reads(page, ".left", "This is 29 February 2024.")
    seen = page.evaluate(MEASURED)
    assert seen["play"] >= 0.75 * 740
    page.get_by_role("button", name="Play today").tap()
    reads(page, "header", page.evaluate(DAYS))
    assert not page.get_by_role("button", name="Play today").count()
    # A date that the player chose says nothing.
    page.locator(".more summary").tap()
    page.locator("#date").fill("2024-02-01")
    reads(page, "header", "1 Feb 2024")
    assert not page.get_by_role("button", name="Play today").count()


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("a-puzzle-aday", "a-puzzle-a-day"),
        ("palmeto", "palmetto-whole-year"),
        ("rhombus", "praxis-rhombus"),
    ],
)
def test_an_unknown_puzzle_has_a_guess_and_a_button(opened: Opened, asked: str, meant: str) -> None:
    page = opened(f"#puzzle={asked}", assisted=False)
    line = page.inner_text(".message")
    assert line.startswith(f"{asked}: no such bundled puzzle")
    assert "shiura" not in line, "no list of names"
    page.locator(".message button").first.click()
    page.wait_for_function("id => location.hash.includes(`puzzle=${id}&`)", arg=meant)
    assert not page.locator(".message").count()


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
def test_the_first_piece_is_a_key_away(opened: Opened, size: tuple[int, int]) -> None:
    page = opened(assisted=False, viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(".item")
    page.keyboard.press("Tab")
    assert focus(page) == "Skip to the pieces"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.piece") == "L"
    page.reload()
    page.wait_for_selector(".item")
    if size[0] < 500:
        for _ in range(8):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.className") == "item":
                break
        assert page.evaluate("document.activeElement.className") == "item"


def test_a_number_or_a_letter_takes_a_piece(opened: Opened) -> None:
    page = opened(assisted=False)
    page.wait_for_selector(".item")
    held = "document.querySelector('.item[aria-pressed=true]')?.dataset.piece"
    for key, piece in (("2", "N"), ("u", "U"), ("8", "O6"), ("v", "V")):
        page.keyboard.press(key)
        assert page.evaluate(held) == piece, key
        assert focus(page).startswith("The board of")
    before = page.locator('.item[data-piece="V"]').get_attribute("aria-label")
    page.keyboard.press("r")
    after = page.locator('.item[data-piece="V"]').get_attribute("aria-label")
    assert after != before, "a tool's letter stays the tool's"
    page.evaluate("localStorage.setItem('calmip.letters', 'off')")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    assert page.evaluate(held) is None


@pytest.mark.parametrize("width", [320, 360])
def test_nothing_leaves_the_screen_with_large_text(opened: Opened, width: int) -> None:
    page = opened(assisted=False, **phone(width, 740))
    page.wait_for_selector(".item")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.set_viewport_size({"width": width, "height": 741})
    for opened_menu in (False, True):
        if opened_menu:
            page.locator(".more summary").tap()
        beside = page.evaluate(
            """() => [...document.querySelectorAll('body *')].filter((one) =>
                one.checkVisibility() && !one.closest('svg, .live, .skip, .floating, footer')
                && one.getBoundingClientRect().right > innerWidth + 0.5)
                .map((one) => `${one.className} ${one.textContent.slice(0, 30)}`)"""
        )
        assert beside == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Nor does a board that is still as large as a wider screen had it.
    page.evaluate("document.querySelector('.play').style.setProperty('--cell', '99px')")
    edge = "document.querySelector('.stage svg').getBoundingClientRect().right"
    assert page.evaluate(edge) <= width


WARM = """() => {
    const light = (parts) => {
        const [red, green, blue] = parts.map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const fill = (at) => getComputedStyle(document.querySelector(at)).fill
        .match(/[\\d.]+/g).slice(0, 3).map(Number);
    const [board, label, warm] = ['.board', '.ground .label:not(.today)', '.warm'].map(fill);
    const all = [...document.querySelectorAll('.warm')];
    const most = Math.max(...all.map((one) => +one.style.opacity));
    const mixed = board.map((part, k) => (1 - most) * part + most * warm[k]);
    const both = [light(mixed), light(label)].sort((a, b) => b - a);
    const labels = document.querySelector('.ground .label');
    const heat = document.querySelector('.layer.heat');
    return [(both[0] + 0.05) / (both[1] + 0.05),
        Boolean(heat.compareDocumentPosition(labels) & Node.DOCUMENT_POSITION_FOLLOWING)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_are_read_under_the_heat(opened: Opened, scheme: str) -> None:
    page = opened(color_scheme=scheme)
    page.locator('.item[data-piece="U"]').click()
    page.wait_for_selector(".warm", state="attached")
    page.wait_for_function(
        "Math.max(...[...document.querySelectorAll('.warm')].map(o => +o.style.opacity)) > 0.5"
    )
    contrast, above = page.evaluate(WARM)
    assert contrast >= 4.5
    assert above, "labels lie above the heat"


def test_a_newcomer_sees_an_example_until_the_first_touch(opened: Opened, browser: Any) -> None:
    context = browser.new_context(bypass_csp=True)
    page = opened("", assisted=False, context=context)
    has(page, ".layer.example .piece", 1)
    assert not page.locator("dialog[open]").count()
    page.keyboard.press("Shift")
    has(page, ".layer.example .piece", 0)
    page.reload()
    page.wait_for_selector(".item")
    page.evaluate(A_WHILE)
    assert not page.locator(".layer.example .piece").count(), "never again"
    context.close()
    still = opened("", assisted=False, reduced_motion="reduce")
    still.wait_for_selector(".item")
    still.evaluate(A_WHILE)
    assert not still.locator(".layer.example .piece").count()


def test_an_example_ends_with_its_board(opened: Opened) -> None:
    """An animation that runs holds its board and the game, one for each date that is opened."""
    page = opened(assisted=False)
    has(page, ".layer.example .piece", 1)
    played = page.evaluate(
        """async (wait) => {
            const {animate} = Element.prototype;
            const played = [];
            Element.prototype.animate = function (...given) {
                played.push(animate.apply(this, given));
                return played[played.length - 1];
            };
            for (let day = 0; day < 4; day += 1) {
                document.querySelector('[aria-label="The day after"]').click();
                await eval(wait);
            }
            return played.map(({playState}) => playState);
        }""",
        A_WHILE,
    )
    assert played == ["idle", "idle", "idle", "running"]


def test_a_view_is_shown_when_it_is_whole(opened: Opened) -> None:
    """On a slow device a view is made in tasks: until the last one the page shows what it did."""
    page = opened("#puzzle=a-puzzle-a-day&date=2024-02-29&view=year")
    first, last, then = page.evaluate(
        """async ([wait, others]) => {
            const main = document.querySelector('main');
            const seen = () => [main.firstChild.className.split(' ')[0], main.ariaBusy,
                main.querySelectorAll('.item').length, location.hash.match(/date=[-0-9]*/)[0]];
            const press = (view) => document.querySelector(`.tabs [data-key=${view}]`).click();
            press('play');
            const first = seen();
            await new Promise((done) => {
                new MutationObserver((_, watch) => main.querySelector('.play') &&
                    (watch.disconnect(), done())).observe(main, {childList: true});
            });
            const last = seen();
            press('year');
            const then = [];
            for (const other of others) {
                press('play');
                eval(other);
                await eval(wait);
                then.push(seen());
                press('year');
            }
            return [first, last, then];
        }""",
        [A_WHILE, ["press('year')", "location.hash = '#puzzle=a-puzzle-a-day&date=2024-03-01'"]],
    )
    assert first == ["year", "true", 0, "date=2024-02-29"]
    assert last == ["play", None, 8, "date=2024-02-29"]
    assert then == [["year", None, 0, "date=2024-02-29"], ["play", None, 8, "date=2024-03-01"]]


def test_a_screen_that_is_turned_keeps_what_a_view_shows(opened: Opened) -> None:
    page = opened("#puzzle=a-puzzle-a-day&date=2024-02-29&view=model")
    page.locator("#row").select_option("29")
    for width, names in ((700, 0), (1200, 5)):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function(
            f"document.querySelectorAll('header > .tabs button').length == {names}"
        )
        assert page.locator("#row").input_value() == "29"


def test_a_view_that_is_asked_for_twice_is_made_once(opened: Opened) -> None:
    """It is drawn in tasks, and a second press may come between them."""
    page = opened()
    page.wait_for_selector(".item")
    page.evaluate("""() => {
        window.made = 0;
        new MutationObserver(() => { made += 1; })
            .observe(document.querySelector('.stage'), {childList: true});
    }""")
    page.locator(".tabs [data-key=year]").click()
    page.wait_for_selector("main > .year")
    page.locator(".dates button").last.click()
    page.evaluate("""() => {
        for (const _ of [1, 2]) document.querySelector('.tabs [data-key=play]').click();
    }""")
    page.wait_for_selector("main > .play")
    page.evaluate(A_WHILE)
    assert page.evaluate("made") == 1
