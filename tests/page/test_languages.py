"""The page in its languages: whole, remembered, and no wider than a phone."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browsing import DAY, Opened, has, hash_of
from requirements import missing

pytestmark = pytest.mark.long

WEB = Path(__file__).parents[2] / "web"
LANGUAGES = ["en", "de", "fr", "es", "zh"]

NAMED = re.compile(r"[^\W\d_]{2,}")
"""A word of any script."""


@pytest.fixture(scope="module")
def table() -> dict[str, list[str]]:
    """Return the page's table of strings."""
    script = "import {TABLE} from './src/text/table.js'; console.log(JSON.stringify(TABLE))"
    try:
        done = subprocess.run(
            ["node", "--input-type=module", "-e", script],
            cwd=WEB,
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
        )
    except FileNotFoundError:
        missing("node")
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def words(text: str) -> set[str]:
    """Return the words in a text, in small letters."""
    return {word.lower() for word in NAMED.findall(text)}


def words_of(table: dict[str, list[str]], language: str) -> set[str]:
    """Return the words of a language's strings, of which the names of values are none."""
    texts = [row[LANGUAGES.index(language)] for row in table.values()]
    plain = [re.sub(r"\{\w+[:?]?([^|}]*)\|?([^}]*)\}", r" \1 \2 ", text) for text in texts]
    return set().union(*(words(text) for text in plain))


DATA = """() => [
    ...document.querySelectorAll('#puzzle option, .stage svg text, .group option'),
    ...document.querySelectorAll('#language option'),
    ...document.querySelectorAll('.equation button, .card b, .card text, .notices pre'),
    ...document.querySelectorAll('#row option, .lab'),
].map(one => one.textContent).join(' ')"""
"""Names of puzzles, labels, pieces and columns, which are the same in every language."""

SPOKEN = """() => {
    const said = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walk.currentNode; node; node = walk.nextNode()) {
        if (node instanceof Text && !node.parentElement.closest('script, style, noscript, .lab')) {
            said.push(node.data);
        }
        if (node instanceof Element && !node.closest('.lab')) {
            for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
                said.push(node.getAttribute(name) ?? '');
            }
        }
    }
    return [...said, document.title].join(' | ');
}"""
"""All that is shown or read, in what is folded, too."""


def resized(page: Any, width: int) -> None:
    """Make the window as wide, and wait until the page has it so."""
    page.set_viewport_size({"width": width, "height": 740})
    page.wait_for_function("width => innerWidth === width", arg=width)
    # It hears of that in its next frame.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def unfold(page: Any) -> None:
    """Open whatever is folded."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def walk(page: Any, known: set[str]) -> list[str]:
    """Go through the page, and return what it says at each step; what has no language is known."""
    said = []

    def hear() -> None:
        unfold(page)
        said.append(page.evaluate(SPOKEN))

    page.wait_for_function("(document.querySelector('.status')?.textContent ?? '') !== ''")
    hear()
    page.locator("header .help").click()
    hear()
    page.keyboard.press("Escape")
    page.locator("header [data-key=gallery]").click()
    page.wait_for_selector(".card .quiet")
    hear()
    page.locator(".puzzles .row button").first.click()
    page.wait_for_selector(".draft svg")
    for group in ("month", "day", "weekday"):
        page.locator(f".editor [data-key={group}]").click()
    known.update(words(" ".join(page.locator(".draft text").all_text_contents())))
    # A mistake is said in the words of the command.
    known.update(words(page.inner_text(".mistake")))
    hear()
    page.keyboard.press("Escape")
    page.locator(".tray .item").first.click()
    hear()
    page.keyboard.press("r")
    hear()
    page.keyboard.press("Escape")
    for _ in range(4):
        # The menu that hangs open would lie over the tools.
        page.evaluate("document.querySelector('header details').open = false")
        page.locator(".tools button").nth(5).click()
        # While it searches, it says so with dots behind.
        page.wait_for_function("!document.querySelector('.advice').textContent.endsWith('…')")
        hear()
    page.locator("#assist").select_option("full")
    # Until all are counted there is a plus behind the number.
    page.wait_for_function("/\\d$/.test(document.querySelector('.count')?.innerText)")
    hear()
    page.locator(".stage svg").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
        hear()
    for view in ("year", "model"):
        page.locator(f".tabs [data-key={view}]").click()
        page.wait_for_selector(f".{view}")
        if view == "year":
            page.wait_for_function("document.querySelector('progress')?.hidden")
        hear()
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_is_in_one_language(
    opened: Opened, table: dict[str, list[str]], language: str
) -> None:
    """Each word on the page is one of the language's strings, or of what has no language."""
    page = opened(f"{DAY}&lang={language}", assisted=False)
    known = words_of(table, language)
    said = walk(page, known)
    known |= words(page.evaluate(DATA))
    known |= {"calmip", "export", "puzzle", "date", "play", "mps", "lp", "yaml", "tab", "esc"}
    known |= {"english", "deutsch", "français", "español", "中文", "file", "html", "lang"}
    known |= {
        {"en": "february", "de": "februar", "fr": "février", "es": "febrero"}.get(language, "")
    }
    page.locator(".tabs [data-key=play]").click()
    page.wait_for_selector("main > .play")
    known |= words(page.evaluate(DATA))
    for step, text in enumerate(said):
        unknown = words(text) - known
        # What runs into Chinese characters, which no blank parts, is looked for in them.
        if language == "zh":
            strings = "".join(row[LANGUAGES.index("zh")] for row in table.values())
            unknown = {word for word in unknown if any(mark not in strings for mark in word)}
        assert not unknown, f"step {step}"
    assert page.evaluate("document.documentElement.lang") == language


def test_a_word_of_another_language_is_found(opened: Opened, table: dict[str, list[str]]) -> None:
    """The test above can fail: an English page has words that no German string has."""
    page = opened(f"{DAY}&lang=en", assisted=False)
    page.wait_for_selector(".status")
    left = words(page.evaluate(SPOKEN)) - words_of(table, "de") - words(page.evaluate(DATA))
    assert {"turn", "undo", "everything", "theme"} <= left


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_wider_than_a_phone(opened: Opened, language: str) -> None:
    """Nothing is cut off or beside the screen, and board, tray and tools are on the first one."""
    page = opened(
        f"{DAY}&lang={language}",
        assisted=False,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
    )
    page.wait_for_function("(document.querySelector('.status')?.textContent ?? '') !== ''")
    for view in ("play", "year", "model", "lab"):
        page.locator(".more summary").click()
        page.locator(f".tabs [data-key={view}]").click()
        page.wait_for_selector(f".{view}")
        for narrow in (320, 360):
            page.set_viewport_size({"width": narrow, "height": 740})
            wide = page.evaluate(
                """() => [document.documentElement.scrollWidth, ...[...document.querySelectorAll(
                    'header *, .tools *, .left *, .rule, .first, h2, .steps, select')]
                    .filter(one => one.checkVisibility() && !one.closest('dialog, .tree, .live'))
                    .map(one => one.getBoundingClientRect().right)]"""
            )
            assert max(wide) <= narrow, view
            cut = page.evaluate(
                """() => [...document.querySelectorAll('button, .rule, .status, summary')]
                    .filter(one => one.checkVisibility() && !one.closest('.year-grid'))
                    .filter(one => one.scrollWidth > one.clientWidth + 1)
                    .map(one => one.textContent)"""
            )
            assert not cut, view
    page.locator(".more summary").click()
    page.locator(".tabs [data-key=play]").click()
    page.wait_for_selector("main > .play")
    for wider in (390, 412, 500):
        resized(page, wider)
        assert page.evaluate("document.documentElement.scrollWidth") == wider
    resized(page, 360)
    for part in (".stage svg", ".tray", ".play .tools"):
        bottom = page.evaluate(
            "at => document.querySelector(at).getBoundingClientRect().bottom", part
        )
        assert bottom <= 740, part


def test_the_browser_chooses_the_language_and_the_reader_another(
    opened: Opened, browser: Any
) -> None:
    context = browser.new_context(locale="fr-CA", bypass_csp=True)
    try:
        page = opened(DAY, context=context, assisted=False)
        assert page.inner_text(".rule") == "Couvrez tout sauf 29 février."
        page.locator(".item").first.click()
        page.locator(".stage svg").click()
        has(page, ".layer.pieces .piece", 1)
        hash_ = hash_of(page, "placed=")
        page.locator(".more summary").click()
        with page.expect_navigation():
            page.locator("#language").select_option("es")
        page.wait_for_function(
            "document.querySelector('.rule')?.textContent === 'Cubra todo menos 29 de febrero.'"
        )
        # The position is what it was, and the choice is kept in the next address, too.
        has(page, ".layer.pieces .piece", 1)
        assert hash_ in hash_of(page, "lang=es")
        other = opened(DAY, context=context, assisted=False)
        assert other.inner_text(".rule") == "Cubra todo menos 29 de febrero."
        # An address with another language says nothing of the reader's own.
        sent = opened(f"{DAY}&lang=de", context=context, assisted=False)
        assert sent.inner_text(".rule") == "Bedecke alles außer 29. Februar."
        again = opened(DAY, context=context, assisted=False)
        assert again.inner_text(".rule") == "Cubra todo menos 29 de febrero."
    finally:
        context.close()


def test_an_address_with_an_unknown_language_is_said(opened: Opened) -> None:
    page = opened(f"{DAY}&lang=xx", assisted=False)
    assert "lang=xx is not possible; it may be en, de, fr, es, zh" in page.inner_text(".message")
    assert page.inner_text(".rule") == "Cover everything but Feb 29."
