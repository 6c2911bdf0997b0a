"""What a user finds beside the board, on other boards, on paper and on small screens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import (
    DAY,
    DESKTOP,
    PHONE,
    Opened,
    centre,
    drag,
    drop,
    grip,
    has,
    hash_of,
    laid_by_keys,
    reads,
    says,
    shows_left,
    tiling,
    turned_as,
)

import calmip
from calmip import ExactCover, Placement
from calmip.puzzle.lattice import HEXAGONAL
from calmip.puzzle.search.exact_cover.counting import count

HEXAGONS = "hex43-v1"
HEX_DAY = f"#puzzle={HEXAGONS}&date=2024-02-29"


def address(placed: list[Placement], start: str = DAY) -> str:
    """Return the address of a position; cells are given as `row,column`."""
    entries = (f"{one.piece}:{'+'.join(f'{r},{c}' for r, c in one.cells)}" for one in placed)
    return f"{start}&placed={';'.join(entries)}"


def paths(page: Any, within: str = ".stage .layer.pieces") -> list[str]:
    """Return the outlines of the pieces, in any order."""
    found: list[str] = page.evaluate(
        "at => [...document.querySelectorAll(at + ' .piece path')].map(p => p.getAttribute('d'))",
        within,
    )
    return sorted(found)


def test_a_tiling_that_was_found_is_opened_again(opened: Opened) -> None:
    page = opened(address(tiling(3)))
    says(page, "A new solution: 1 found")
    first = paths(page)
    page.goto(page.url.partition("#")[0] + address(tiling(4)))
    says(page, "A new solution: 2 found")
    assert paths(page) != first
    page.get_by_role("button", name="Clear").click()
    shows_left(page, 64)
    reads(page, ".found summary", "Found 2 of 64")
    assert page.locator(".picture").count() == 0, "what is folded is not drawn"
    page.locator(".found summary").click()
    has(page, ".picture", 2)
    assert paths(page, ".picture:first-child") == first
    page.get_by_role("button", name="Lay solution 1").click()
    has(page, ".pieces .piece", 8)
    says(page, "You had found this solution before: 2 found")
    assert paths(page) == first
    has(page, ".picture", 2)
    # It was a move like others, and it is remembered beyond a reload.
    page.get_by_role("button", name="Undo").click()
    shows_left(page, 64)
    page.reload()
    shows_left(page, 64)
    reads(page, ".found summary", "Found 2 of 64")


def test_what_is_stored_may_be_anything(opened: Opened) -> None:
    page = opened(address(tiling(3)))
    says(page, "A new solution: 1 found")
    page.evaluate(
        """() => {
            const key = Object.keys(localStorage).find((one) => one.includes('found.'));
            const found = localStorage[key];
            for (const name of Object.keys(localStorage)) localStorage[name] = '#puzzle=%&date=U';
            localStorage[key] = `x.y 1.1 99999.3 -1 ${found.split('.')[0]} ${found}`;
        }"""
    )
    start = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(start + DAY)
    shows_left(page, 64)
    page.locator(".found summary").click()
    has(page, ".picture", 1)
    page.get_by_role("button", name="Lay solution 1").click()
    says(page, "You had found this solution before")


def test_a_solution_lies_under_a_cover(opened: Opened) -> None:
    some = tiling(5)[:2]
    page = opened(address(some))
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    spoiler = page.locator("details.spoiler")
    spoiler.wait_for()
    assert not page.locator(".spoiler svg").count(), "what is covered is not drawn"
    page.locator(".spoiler summary").click()
    page.wait_for_selector(".spoiler svg")
    solution = paths(page, ".spoiler")
    assert len(solution) == 8
    assert set(paths(page)) < set(solution), "it has what lies on the board"
    # The next piece that is laid puts the cover back.
    page.get_by_role("button", name="Hint").click()
    has(page, ".pieces .piece", 3)
    laid_by_keys(page, next(one for one in rest(page) if one.piece not in placed_names(page)))
    assert spoiler.get_attribute("open") is None


def placed_names(page: Any) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.stage .pieces .piece')].map(p => p.dataset.piece)"
    )
    return found


def rest(page: Any) -> list[Placement]:
    """Return a tiling that has what lies on the board."""
    page.wait_for_function("/left$/.test(document.querySelector('.status')?.textContent)")
    number = len(placed_names(page))
    page.wait_for_function("n => location.hash.split(';').length === n", arg=number)
    entries = re.search(r"placed=([^&]*)", hash_of(page))
    assert entries is not None
    instance = calmip.read_instance(
        "a-puzzle-a-day", date="2024-02-29", placed=entries[1].replace(";", " ")
    )
    found = calmip.solve(instance).tiling
    assert found is not None
    return list(found.placements)


@pytest.mark.long
def test_a_hexagonal_board_is_played_by_keyboard_and_mouse(opened: Opened) -> None:
    page = opened(HEX_DAY)
    shows_left(page, count_of(HEXAGONS))
    for number, one in enumerate(tiling(0, HEXAGONS), start=1):
        if number % 2:
            laid_by_keys(page, one, HEXAGONAL)
        else:
            page.locator(f'.item[data-piece="{one.piece}"]').click()
            turned_as(page, one, HEXAGONAL)
            page.keyboard.press("Escape")
            drag(page, grip(page, one.piece, HEXAGONAL), centre(page, one.cells[0], HEXAGONAL))
        has(page, ".stage .pieces .piece", number)
    says(page, "Solved!")


def count_of(puzzle: str) -> int:
    return count(ExactCover(calmip.read_instance(puzzle, date="2024-02-29")))


def test_five_steps_lead_through_branch_and_bound(opened: Opened) -> None:
    page = opened(DAY + "&view=lab")

    def next_step() -> str:
        titles = page.locator(".steps details[open] summary").all_inner_texts()
        assert len(titles) <= 1, "one step is unfolded"
        return "".join(titles)

    assert next_step() == "Relax"
    page.get_by_role("button", name="Relax").click()
    page.wait_for_selector(".candidate")
    assert next_step() == "Look"
    page.locator(".candidate").nth(1).hover()
    assert next_step() == "Look", "nothing moves under a pointer"
    box = page.locator(".lab .board-drawing").bounding_box()
    for part in (0.3, 0.4, 0.5, 0.6):
        page.mouse.click(box["x"] + part * box["width"], box["y"] + part * box["height"])
        if page.locator(".which").count():
            break
    assert next_step() == "Branch"
    facts, pruned = ".facts", False
    for nodes in range(2, 40):
        if page.locator(".candidate").count():
            page.locator(".candidate button").first.click()
        else:
            page.locator(".tree .node.open").last.press("Enter")
        reads(page, facts, f"you: {nodes} nodes")
        if pruned:
            break
        here = page.locator(".tree .node.here")
        bound = re.search(r"bound: ([0-9.]+) of 41 cells", page.inner_text(facts))
        below = bound is None or float(bound[1]) < 41
        state = here.get_attribute("class").split()[1]
        assert below == (state in ("bound", "infeasible")), "grey where it is below"
        pruned = pruned or below
        assert next_step() == ("Compare" if pruned else "Bound and prune")
    assert next_step() == "Compare"
    page.get_by_role("button", name="Solve with HiGHS").click()
    reads(page, facts, "HiGHS: a tiling after")
    has(page, ".steps .done", 4)
    assert next_step() == "Compare", "the rules are not compared yet"


def test_storage_that_is_full_costs_nothing_on_the_page(opened: Opened) -> None:
    page = opened("#puzzle=heart-set1&date=2024-02-29")
    shows_left(page, count_of("heart-set1"))
    page.evaluate(
        """() => {
            localStorage.clear();
            for (let size = 1 << 22; size; size >>= 1) {
                for (let n = 0; n < 3; n += 1) {
                    try {
                        localStorage.setItem(`rest${size}.${n}`, 'x'.repeat(size));
                    } catch {
                        break;
                    }
                }
            }
        }"""
    )
    page.goto(page.url.partition("#")[0] + address(tiling(3)))
    says(page, "A new solution: 1 found")
    reads(page, ".messages", "saves nothing for this page (its storage is full or forbidden)")
    assert page.locator(".message").count() == 1, "it is said once"
    page.get_by_role("button", name="Clear").click()
    shows_left(page, 64)
    reads(page, ".found summary", "Found 1 of 64")
    # A puzzle that is dropped opens all the same, and the first one keeps what was found.
    drop(page, "own.yaml", "name: mine\ngrid: ['1 2 3', '4 5 6']\npieces: [I3, I3]\n")
    page.wait_for_function("document.title.startsWith('mine')")
    page.goto(page.url.partition("#")[0] + DAY)
    shows_left(page, 64)
    reads(page, ".found summary", "Found 1 of 64")


def test_an_address_opened_while_another_is_being_remembered_is_not_lost(opened: Opened) -> None:
    page = opened(DAY)
    shows_left(page, 64)
    page.evaluate(
        """() => {
            const puzzle = document.getElementById('puzzle');
            puzzle.value = 'heart-set1';
            puzzle.dispatchEvent(new Event('change'));  // the address follows when there is time
            location.hash = '#puzzle=a-puzzle-a-day&date=2024-10-06';
        }"""
    )
    page.wait_for_function("document.title.includes('Oct 6')")
    assert page.evaluate("location.hash").startswith(f"{DAY[:-10]}2024-10-06")


def test_nothing_moves_where_less_motion_is_asked_for(opened: Opened) -> None:
    moving = "document.getAnimations().length"
    running = "getComputedStyle(document.querySelector('.latest')).animationName"
    for asked, name in (("no-preference", "land"), ("reduce", "none")):
        page = opened(reduced_motion=asked)
        shows_left(page, 64)
        page.get_by_role("button", name="Hint").click()
        page.wait_for_selector(".latest", state="attached")
        assert page.evaluate(running) == name
    assert page.evaluate(moving) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_sheet_is_printed_with_the_board_and_the_pieces(opened: Opened, scheme: str) -> None:
    page = opened(address(tiling()[:2]), color_scheme=scheme)
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    page.locator(".item").first.click()
    page.emulate_media(media="print", color_scheme=scheme)
    for hidden in ("header", "footer", ".tools", ".left", ".extra"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator(".stage svg").is_visible()
    assert page.locator(".item").count() == 6
    white = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(white) == "rgb(255, 255, 255)", "paper is white in the dark, too"
    sheet = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    # The year fits on the paper's width, too.
    page.emulate_media(media="screen")
    page.get_by_role("button", name="The year").click()
    page.wait_for_selector("progress[hidden]", state="attached")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate(
        "[...document.querySelectorAll('.day')]"
        ".every(day => day.getBoundingClientRect().right <= innerWidth)"
    )


@pytest.mark.parametrize("start", [DAY, HEX_DAY, "#puzzle=kao-pentomino-year-8x8"])
@pytest.mark.parametrize("view", ["play", "year", "model", "lab"])
def test_a_phone_never_scrolls_sideways(opened: Opened, view: str, start: str) -> None:
    page = opened(f"{start}&view={view}", **{**PHONE, "viewport": {"width": 360, "height": 640}})
    page.wait_for_function("document.querySelector('main').innerText.length > 10")
    if view == "play":
        # The menu last: it lies over what is below it.
        for summary in reversed(page.locator("summary").all()):
            summary.click()
    wide = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scrolled, shown = page.evaluate(wide)
    assert scrolled == shown == 360
    if view == "play":
        small = page.evaluate(
            """[...document.querySelectorAll('button, select, summary, input:not(.live)')]
                .map(one => [one.getBoundingClientRect(), one.outerHTML])
                .filter(([box]) => box.width && Math.min(box.width, box.height) < 24)
                .map(([box, html]) => html.slice(0, 80))"""
        )
        checks = [one for one in small if 'type="checkbox"' not in one]
        assert not checks, "targets are 24 pixels wide and high"


@pytest.mark.parametrize(
    "size", [(360, 640), (390, 844), (768, 1024), (1280, 800), (3840, 2160)], ids=str
)
def test_the_board_is_on_the_first_screen(opened: Opened, size: tuple[int, int]) -> None:
    width, height = size
    page = opened(**{**DESKTOP, "viewport": {"width": width, "height": height}}, bypass_csp=True)
    shows_left(page, 64)
    box = page.locator(".stage svg").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    assert box["width"] > 0.35 * min(width, height), "it is no stamp either"
    assert page.locator(".count").bounding_box()["y"] < height
