"""Where the focus is after every action, what is spoken, and how menus close."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import (
    DAY,
    KEPT,
    Opened,
    busy,
    drop,
    has,
    laid_by_keys,
    metered,
    reads,
    shows_left,
    tiling,
    turned_as,
)

DEAD = DAY + "&placed=U:Apr+Jun+Oct+Nov+Dec;O6:1+2+3+8+9+10"

OWN = "name: mine\ngrid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: [I3, I2]\n"

FOCUS = """() => {
    const one = document.activeElement;
    return one.id || one.getAttribute('aria-label')?.split(',')[0]
        || (one.querySelector('span') ?? one).textContent;
}"""


def focus(page: Any) -> str:
    """Return what has the focus, by its id or its name."""
    name: str = page.evaluate(FOCUS)
    assert page.evaluate("document.activeElement !== document.body"), "the focus is lost"
    return name


def press(page: Any, name: str, key: str = "Enter") -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press(key)


def test_the_focus_stays_where_it_was_while_one_plays(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    first, second, *_ = tiling()
    laid_by_keys(page, first)
    assert focus(page).startswith("The board of")
    laid_by_keys(page, second)
    for name in ("Undo", "Undo", "Redo", "Redo", "Clear"):
        press(page, name)
        assert focus(page) == name
    has(page, ".pieces .piece", 0)
    # At the end of the road too: a button that serves no more keeps the focus.
    for name in ("Clear", "Turn", "Put aside"):
        press(page, name)
        assert focus(page) == name
    press(page, "Undo")
    has(page, ".pieces .piece", 2)
    page.locator('.item[data-piece="V"]').focus()
    page.keyboard.press("z")
    has(page, ".pieces .piece", 1)
    assert focus(page) == "Piece V"


def test_the_focus_stays_in_a_view_without_a_board(opened: Opened) -> None:
    """A puzzle without months has no year to count, and Back may lead there, over no tab."""
    page = opened()
    drop(page, "mine.yaml", OWN)
    page.wait_for_function("document.title.startsWith('mine')")
    page.locator("[data-rest]").focus()
    page.evaluate("document.querySelector('.tabs [data-key=year]').click()")
    page.wait_for_selector("main > .year")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_press_that_closes_the_menu_keeps_the_focus(opened: Opened) -> None:
    """A finger's drag moves no focus, and an element that is hidden loses it."""
    page = opened()
    page.locator(".more summary").click()
    page.locator("#group-month").focus()
    page.evaluate(
        """() => new Promise((done) => {
            const press = new PointerEvent('pointerdown', {bubbles: true, isPrimary: true});
            document.querySelector('.item').dispatchEvent(press);
            requestAnimationFrame(() => setTimeout(done));
        })"""
    )
    assert page.locator(".more[open]").count() == 0
    assert focus(page) == "More"


def test_the_focus_stays_in_the_menu(opened: Opened) -> None:
    page = opened()
    for name, day in (("The day after", "Mar 1"), ("The day before", "Feb 29")):
        press(page, name)
        page.wait_for_function("day => document.title.includes(day)", arg=day)
        assert focus(page) == name
    page.locator(".more summary").click()
    box = page.locator(".more input[type=checkbox]").first
    box.focus()
    page.keyboard.press("Space")
    page.wait_for_function("location.hash.includes('flip=false')")
    assert page.evaluate("document.activeElement.type") == "checkbox"
    assert not box.is_checked()
    page.locator("#group-day").focus()
    page.locator("#group-day").select_option("7")
    page.wait_for_function("document.title.includes('Feb 7')")
    assert focus(page) == "group-day"
    page.locator("#puzzle").focus()
    page.locator("#puzzle").select_option("heart-set1")
    page.wait_for_function("location.hash.includes('heart-set1')")
    assert focus(page) == "puzzle"
    assert page.locator("#puzzle").input_value() == "heart-set1"


def test_what_cannot_be_opened_leaves_the_menu_as_it_was(opened: Opened) -> None:
    page = opened()
    drop(page, "own.yaml", OWN)
    page.wait_for_function("document.title.startsWith('mine')")
    page.locator("#date").fill("2024-02-01")
    page.wait_for_selector(".message")
    assert page.locator("#date").input_value() == "", "this puzzle has no dates"
    page.get_by_role("button", name="Close this message").focus()
    page.keyboard.press("Enter")
    has(page, ".message", 0)
    assert focus(page).startswith("The board of")


@pytest.mark.parametrize("view", ["year", "model", "lab"])
def test_the_focus_stays_in_the_other_views(opened: Opened, view: str) -> None:
    page = opened(f"{DAY}&view={view}")
    if view == "year":
        page.wait_for_selector("progress[hidden]", state="attached")
        press(page, "Oct 6 (7)")
        shows_left(page, 7)
        assert focus(page).startswith("The board of"), "the button is gone with its view"
        press(page, "The year")
        assert focus(page) == "The year"
    elif view == "model":
        term = page.locator(".equation button").nth(2)
        term.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.classList.contains('on')")
        page.locator("#row").focus()
        page.locator("#row").select_option("5")
        assert focus(page) == "row"
    else:
        press(page, "Relax")
        page.wait_for_selector(".candidate")
        assert focus(page) == "Relax"
        page.locator(".candidate button").first.focus()
        page.keyboard.press("Enter")
        reads(page, ".facts", "you: 2 nodes")
        assert page.evaluate("document.activeElement.closest('.candidates') !== null")
        node = page.locator(".tree .node.open").first
        node.focus()
        name = page.evaluate("document.activeElement.dataset.key")
        page.keyboard.press("Enter")
        reads(page, ".facts", "you: 3 nodes")
        assert page.evaluate("document.activeElement.dataset.key") == name


CHANGED = """async (at) => {
    const nameOf = (one) => [one.id, one.ariaLabel, one.parentElement.textContent].find(Boolean);
    const [seen, lost] = [new Set(), []];
    for (;;) {
        const one = [...document.querySelectorAll(at)].find(
            (each) => each.checkVisibility() && !each.readOnly && !seen.has(nameOf(each)));
        if (!one) return [[...seen], lost];
        const name = nameOf(one);
        seen.add(name);
        one.focus();
        if (one.type === 'checkbox') one.click();
        else {
            const {selectedIndex: at, options} = one;
            if (options) one.selectedIndex = (at + 1) % options.length;
            else one.value = {number: '5', date: '2024-03-05'}[one.type] ?? '7';
            one.dispatchEvent(new Event('change', {bubbles: true}));
        }
        await new Promise((go) => setTimeout(go, 20));
        if (nameOf(document.activeElement) !== name) lost.push(name);
    }
}"""


@pytest.mark.parametrize(
    ("view", "least"), [("play", 8), ("year", 8), ("model", 8), ("lab", 9), ("editor", 6)]
)
def test_a_changed_value_leaves_the_focus_where_it_is(
    opened: Opened, view: str, least: int
) -> None:
    """Whatever is drawn anew: every field, choice and box of the menu, a view or the editor."""
    page = opened("#puzzle=weekday-8x7&date=2024-02-29" + f"&view={view}" * (view != "editor"))
    if view == "editor":
        page.evaluate("document.querySelector('header [data-key=gallery]').click()")
        page.get_by_role("button", name="Make a puzzle").click()
        at = ".editor :is(select, input)"
    else:
        page.locator(".more summary").click()
        if view == "lab":
            press(page, "Relax")
            page.wait_for_selector(".candidate")
        at = ":is(select:not(#language, #puzzle), input:not([type=file]))"
    seen, lost = page.evaluate(CHANGED, at)
    assert lost == []
    assert len(seen) >= least, seen


def test_a_new_element_around_a_control_with_the_focus_is_a_fault(browser: Any) -> None:
    """The pages of these tests report it, wherever it happens."""
    said: list[str] = []
    page = browser.new_page()
    page.add_init_script(KEPT)
    page.on("console", lambda line: said.append(line.text))
    page.goto("about:blank")
    for around, kept in (("document.body", 0), ("document.createElement('p')", 1)):
        page.evaluate(
            """around => {
                document.body.innerHTML = '<input id=field>';
                document.querySelector('input').focus();
                eval(around).append(document.querySelector('input'));
            }""",
            around,
        )
        assert len(said) == kept, said
    page.close()


def test_a_button_that_goes_hands_its_focus_on(opened: Opened) -> None:
    page = opened(DEAD)
    page.wait_for_selector(".remedy button")
    page.locator(".remedy button").first.focus()
    page.keyboard.press("Enter")
    has(page, ".remedy", 0)
    assert focus(page).startswith("The board of")


def test_escape_and_a_press_elsewhere_close_the_menu(opened: Opened) -> None:
    page = opened()
    menu = page.locator("details.more")
    page.locator(".more summary").click()
    assert menu.get_attribute("open") is not None
    page.locator("#group-day").focus()
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert page.evaluate("document.activeElement.textContent") == "More"
    page.keyboard.press("Enter")
    assert menu.get_attribute("open") is not None
    page.mouse.click(640, 790)
    page.wait_for_function("!document.querySelector('details.more').open")


HEARD = """() => {
    globalThis.heard = [];
    const live = 'p.live, [role=alert], [role=status], output, [aria-live]';
    for (const one of document.querySelectorAll(live)) {
        new MutationObserver(() => heard.push(one.textContent))
            .observe(one, {childList: true, characterData: true, subtree: true});
    }
}"""


def test_the_board_is_read_as_a_list(opened: Opened) -> None:
    page = opened(DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep")
    page.get_by_text("The board as a list").click()
    reads(page, ".listed li:nth-child(1)", "Uncovered: Feb; 29")
    line = "Piece U, 5 cells, open at the top, on Jan; Mar; Jul; Aug; Sep"
    reads(page, ".listed li:nth-child(2)", line)
    tree = page.locator(".listed").aria_snapshot()
    assert "- list:" in tree
    assert tree.count("listitem: Piece ") == 8
    page.locator('.item[data-piece="V"]').focus()
    page.keyboard.press("Enter")
    reads(page, ".listed", ", in hand")
    before = page.inner_text(".listed")
    page.keyboard.press("r")
    page.wait_for_function("old => document.querySelector('.listed').innerText !== old", arg=before)
    name = page.locator('.item[data-piece="V"]').get_attribute("aria-label")
    assert f"{name}, in hand" in page.inner_text(".listed"), "as the piece is called in the tray"


def test_a_hint_says_which_cells_it_marks(opened: Opened) -> None:
    page = opened(DEAD, assisted=False)
    page.evaluate(HEARD)
    for _ in range(2):
        page.keyboard.press("h")
        page.wait_for_function(
            "!['', 'Searching…'].includes(document.querySelector('.advice').textContent)"
        )
    marked = page.locator(".layer.lit path").count()
    heard = page.evaluate("heard")
    if marked:
        cells = heard[-1].partition("marked cells. ")[2]
        assert len(cells.split("; ")) == marked
    else:
        assert "is wrong" in heard[-1]


def test_what_is_done_is_spoken_once_and_in_words(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    page.evaluate(HEARD)

    def heard() -> list[str]:
        found: list[str] = page.evaluate("heard.splice(0)")
        return found

    page.locator('.item[data-piece="U"]').focus()
    page.keyboard.press("Enter")
    assert [text for text in heard() if "in hand" in text] == ["Piece U in hand. 64 solutions left"]
    page.keyboard.press("r")
    assert heard() == ["U, 5 cells, now open to the right"]
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    refused = heard()
    (why,) = set(refused)
    assert len(refused) == 2, "a refusal is said each time"
    assert why.startswith("Piece U does not fit there: ")
    page.keyboard.press("Escape")
    heard()
    one = tiling()[0]
    page.locator(f'.item[data-piece="{one.piece}"]').focus()
    page.keyboard.press("Enter")
    turned_as(page, one)
    heard()
    laid_by_keys(page, tiling()[1])
    page.wait_for_function("/left$/.test(document.querySelector('.status')?.textContent)")
    placed = [text for text in heard() if "placed" in text]
    assert len(placed) == 1
    assert placed[0].startswith(f"Piece {tiling()[1].piece} placed. ")


def test_the_focus_rests_when_the_solution_below_it_goes(opened: Opened) -> None:
    page = opened(DAY)
    page.locator(".spoiler summary").wait_for()  # it comes with the first count
    page.locator(".spoiler summary").focus()
    assert page.evaluate("document.activeElement.localName") == "summary"
    hint = page.get_by_role("button", name="Hint", exact=True)
    for _ in range(60):  # a hint is a word, or a piece on the board
        if page.locator(".spoiler").is_hidden():
            break
        hint.evaluate("button => button.click()")
        page.wait_for_timeout(20)
    assert focus(page).startswith("The board of")


@pytest.mark.long
def test_the_cpu_seconds_of_a_page_are_counted(opened: Opened) -> None:
    """Those of its own thread: not what a machine lets it wait for."""
    page = opened(assisted=False)
    meter = metered(page)
    before = busy(meter)
    page.evaluate("() => new Promise((done) => setTimeout(done, 2000))")
    waited = busy(meter)
    page.evaluate("() => { for (let n = 0, x = 0; n < 3e8; n += 1) x = (x * 31 + n) % 1009; }")
    worked = busy(meter)
    page.close()
    assert busy(meter) == 0
    assert worked - waited > 0.2 > waited - before
