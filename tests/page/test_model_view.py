"""The view of the model: rows and columns follow the pieces, by pointer and by keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from browsing import DAY, Opened, cells_of, has, reads, says, tiling

import calmip
from calmip import ExactCover, Placement
from calmip.puzzle.lattice import SQUARE

pytestmark = pytest.mark.long

MODEL = DAY + "&view=model"
ACTIVE = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"


def cover_of(placed: list[Placement] | None = None) -> ExactCover:
    """Return the model of the command, in which the pieces on the board are fixed."""
    instance = calmip.read_instance("a-puzzle-a-day", date="2024-02-29")
    return ExactCover(replace(instance, placed=tuple(placed or ())))


def name_of(cover: ExactCover, one: Placement) -> str:
    """Return the name of the column of a placement."""
    names = cover.option_names
    return next(name for option, name in enumerate(names) if cover.option(option) == one)


def to_row(page: Any, name: str) -> None:
    """Select a row by its name."""
    value = page.evaluate(
        """name => [...document.querySelectorAll('#row option')]
            .find((one) => one.textContent.startsWith(`${name}: `)).value""",
        name,
    )
    page.locator("#row").select_option(value)


def term(page: Any, name: str) -> Any:
    return page.locator(".equation").get_by_role("button", name=name, exact=True)


def heard(page: Any) -> str:
    """Return what a screen reader reads of the matrix."""
    label: str = page.evaluate(f"{ACTIVE}.ariaLabel")
    return label


def test_rows_and_columns_follow_the_pieces_until_all_rows_are_satisfied(opened: Opened) -> None:
    page = opened(MODEL)
    whole = cover_of()
    reads(page, ".state", "0 of 49 rows satisfied; 872 of 872 columns still possible.")
    placed: list[Placement] = []
    satisfied = 0
    for one in tiling():
        name = name_of(whole, one)
        to_row(page, f"p_{one.piece}")
        assert page.locator("#row option:checked").inner_text().endswith("0 of 1")
        term(page, name).click()
        placed.append(one)
        satisfied += len(one.cells) + 1
        has(page, ".layer.pieces .piece", len(placed))
        if len(placed) < 8:
            # The witness: the columns of the model in which these pieces are fixed.
            possible = len(cover_of(placed).option_names) - len(placed)
            words = f"{satisfied} of 49 rows satisfied; {possible} of 872 columns still possible."
            reads(page, ".state", words)
        assert page.locator("#row option:checked").inner_text().endswith("1 of 1")
        assert term(page, name).get_attribute("aria-pressed") == "true"
        reads(page, ".meaning", "1 of 1, satisfied")
    reads(page, ".state", "All rows are satisfied: a tiling.")
    assert page.locator(".sides .full").count() == 49
    # It is the position of the play view, where each step can be undone.
    page.get_by_role("button", name="Play", exact=True).click()
    says(page, "Solved!")
    page.keyboard.press("z")
    has(page, ".layer.pieces .piece", 7)


def test_the_tab_begins_with_the_small_board_and_the_puzzle_is_a_choice(opened: Opened) -> None:
    page = opened(DAY)
    page.locator(".tabs [data-key=model]").click()
    page.wait_for_function("document.querySelectorAll('#row option').length === 20")
    assert page.locator("#model-board option:checked").inner_text() == "4 x 4"
    name = term(page, page.locator(".equation button").first.inner_text())
    name.click()
    reads(page, ".model .state", "4 of 20")
    choose = page.locator("#model-board")
    choose.select_option("own")
    page.wait_for_function("document.querySelectorAll('#row option').length === 49")
    assert page.evaluate("document.activeElement.id") == "model-board"
    # Each board keeps what was set in it; the page's own has nothing of the other.
    reads(page, ".model .state", "0 of 49")
    choose.select_option("small")
    reads(page, ".model .state", "4 of 20")
    page.locator(".tabs [data-key=play]").click()
    page.wait_for_selector("main > .play")
    assert page.locator(".play .board-drawing .piece").count() == 0


def test_what_a_row_still_allows_is_drawn_and_said(opened: Opened) -> None:
    page = opened(MODEL)
    whole = cover_of()
    placed = tiling()[:6]
    for one in placed:
        to_row(page, f"p_{one.piece}")
        term(page, name_of(whole, one)).click()
    has(page, ".layer.pieces .piece", 6)
    left = cover_of(placed)
    laid = set(placed)
    few = many = dead = 0
    for item, options in enumerate(left.options_of()):
        name = whole.items[item].name
        possible = [left.option(one) for one in options if left.option(one) not in laid]
        is_full = len(possible) < len(options)
        to_row(page, name)
        terms = len(whole.options_of()[item])
        has(page, ".equation button", terms)
        struck = page.locator(".equation [aria-disabled=true]").count()
        assert terms - struck == len(possible) + is_full
        drawn = page.locator(".layer.ghost .maybe").count()
        heat = page.locator(".layer.heat path").count()
        words = page.inner_text(".meaning")
        if is_full:
            assert "1 of 1, satisfied" in words
            assert drawn == heat == 0
            continue
        assert f"0 of 1, {len(possible)} of {terms} placements still possible" in words
        assert ("too few to satisfy the row" in words) == (not possible)
        cells = {cell for one in possible if isinstance(one, Placement) for cell in one.cells}
        assert heat == len(cells)
        if len(possible) <= 6:
            assert drawn == len(possible)
            few += bool(possible)
        else:
            assert drawn == 0
            many += 1
        dead += not possible
    assert few
    assert page.locator(".sides .dead").count() == dead
    # One of them alone: its outline is where the column says.
    to_row(
        page,
        next(
            left.items[k].name
            for k, options in enumerate(left.options_of())
            if len(options) > 1 or left.option(options[0]) not in laid
        ),
    )
    page.locator(".equation [aria-disabled=false]").first.hover()
    has(page, ".layer.lit .lit-piece", 1)
    name = page.locator(".equation .on").inner_text()
    wanted = left.option(list(left.option_names).index(name))
    assert isinstance(wanted, Placement)
    assert cells_of(page, ".stage svg", ".lit-piece", SQUARE) == sorted(wanted.cells)


def test_names_are_explained(opened: Opened) -> None:
    page = opened(MODEL)
    to_row(page, "c_41")
    reads(page, ".meaning", "c_41: c is a cell, in row 4 and column 1 of the board, counted from 0")
    to_row(page, "p_O6")
    reads(page, ".meaning", "p_O6: p is a piece.")
    to_row(page, "c_20")
    cover = cover_of()
    for name in ("U_c10", "O6_b10", "L_h00"):
        one = cover.option(list(cover.option_names).index(name))
        assert isinstance(one, Placement)
        number = ord(name[-3]) - ord("a") + 1
        if not term(page, name).count():
            to_row(page, f"p_{one.piece}")
        term(page, name).hover()
        reads(page, ".meaning", f"{name}: piece {one.piece} in orientation {name[-3]} ({number} of")
        reads(page, ".meaning", f"first cell in row {name[-2]} and column {name[-1]}, counted")
        assert min(one.cells) == (int(name[-2]), int(name[-1]))


@pytest.mark.parametrize("puzzle", ["hex61-symmetric", "shiura-daily-11p", "sahuyu-pentomino-8x8"])
def test_names_are_explained_on_every_kind_of_board(opened: Opened, puzzle: str) -> None:
    page = opened(f"#puzzle={puzzle}&view=model")
    cells = re.compile(r"c is a cell, in row \d+ and column \d+ of")
    column = re.compile(r"in orientation [a-l] \(\d+ of \d+\), with its first cell in row \d+ and")
    assert cells.search(page.inner_text(".meaning"))
    page.locator(".equation button").first.hover()
    has(page, ".equation .on", 1)
    assert column.search(page.inner_text(".meaning"))
    assert not re.search("undefined|NaN", page.inner_text(".side"))


def test_the_matrix_is_walked_over_by_keys_and_keeps_the_focus(opened: Opened) -> None:
    page = opened(MODEL)
    grid = page.get_by_role("grid", name="The matrix: 49 rows, 872 columns")
    grid.focus()
    cover = cover_of()
    rows = cover.options_of()
    names = list(cover.option_names)
    assert heard(page) == f"c_00; cell Jan (0, 0): 0 of 1, {len(rows[0])} of {len(rows[0])} " + (
        "placements still possible"
        + page.inner_text(".meaning").partition("still possible")[2].partition(". c_00")[0]
    )
    page.keyboard.press("ArrowRight")
    first = names[rows[0][0]]
    assert heard(page).endswith(f"; Column {first}, entry 1; Value 0, still possible.")
    page.keyboard.press("ArrowRight")
    assert f"Column {names[rows[0][1]]}, entry 1" in heard(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert f"Column {first}, entry 1" in heard(page), "the first entry of the row"
    page.keyboard.press("End")
    assert f"Column {names[rows[0][-1]]}, entry 1" in heard(page)
    page.keyboard.press("Home")
    # Another row, where the column has no entry; its next entry is behind it.
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowDown")
    here = cover.items[11].name
    assert heard(page).startswith(f"{here}; ")
    assert f"Column {first}, entry {int(rows[0][0] in rows[11])}" in heard(page)
    assert page.locator("#row option:checked").inner_text().startswith(f"{here}: ")
    page.keyboard.press("ArrowRight")
    after = next(one for one in rows[11] if one > rows[0][0])
    assert f"Column {names[after]}, entry 1" in heard(page)
    # What is set is spoken, and what cannot be set, with the reason.
    spoken = page.locator("#app > p.live")
    page.keyboard.press("Enter")
    one = cover.option(after)
    assert isinstance(one, Placement)
    assert spoken.inner_text().startswith(f"{names[after]} = 1. {len(one.cells) + 1} of 49 rows")
    has(page, ".layer.pieces .piece", 1)
    assert page.evaluate(f"{ACTIVE}.ariaSelected") == "true"
    assert "1 of 1, satisfied" in heard(page)
    page.keyboard.press("ArrowRight")
    assert f"excluded by {names[after]}." in heard(page)
    page.keyboard.press(" ")
    assert spoken.inner_text() == f"Value 0, excluded by {names[after]}."
    has(page, ".layer.pieces .piece", 1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    has(page, ".layer.pieces .piece", 0)
    assert spoken.inner_text().startswith(f"{names[after]} = 0. 0 of 49 rows satisfied")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
    assert page.evaluate("scrollX") == 0
    # The reader's tree: a grid of as many rows and columns, with one cell that has its place.
    assert page.get_by_role("gridcell", name=heard(page), exact=True).count() == 1
    place = page.evaluate(f"[{ACTIVE}.ariaColIndex, {ACTIVE}.parentNode.ariaRowIndex]")
    assert place == [str(after + 1), "12"]


def test_the_terms_are_one_stop_of_tab_with_arrow_keys_inside(opened: Opened) -> None:
    page = opened(MODEL)
    to_row(page, "c_33")
    terms = page.locator(".equation button")
    page.locator(".equation").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    inside = "document.activeElement.textContent"
    assert page.evaluate(inside) == terms.nth(1).inner_text()
    assert page.evaluate("document.activeElement.classList.contains('on')")
    page.keyboard.press("ArrowLeft")
    name = terms.nth(0).inner_text()
    assert page.evaluate(inside) == name
    page.keyboard.press("Enter")
    has(page, ".layer.pieces .piece", 1)
    assert page.evaluate(inside) == name, "the focus stays"
    page.keyboard.press("Tab")
    assert page.evaluate(inside) == f"Set {name} to 0"
    page.keyboard.press("Enter")
    has(page, ".layer.pieces .piece", 0)
    assert page.evaluate(inside) == f"Set {name} to 1", "the same button"


def test_the_file_has_the_pieces_fixed(opened: Opened) -> None:
    page = opened(MODEL)
    one = tiling()[0]
    to_row(page, f"p_{one.piece}")
    term(page, name_of(cover_of(), one)).click()
    reads(page, ".side", "In the file the pieces on the board are fixed")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download .lp").click()
    text = saved.value.path().read_text(encoding="utf-8")
    binaries = text.partition("Binaries")[2].partition("End")[0].split()
    assert binaries == list(cover_of([one]).option_names)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("forced", ["none", "active"])
def test_the_matrix_is_seen_in_every_theme(opened: Opened, scheme: str, forced: str) -> None:
    """Columns at 1, possible and excluded differ from the ground and from one another."""
    page = opened(
        f"{DAY}&placed=U:Jan+Mar+Jul+Aug+Sep&view=model", color_scheme=scheme, forced_colors=forced
    )
    shades = page.evaluate(
        """() => {
            const canvas = document.querySelector('canvas.matrix');
            const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const shades = new Map();
            for (let k = 0; k < data.length; k += 4) {
                const shade = [...data.slice(k, k + 4)].join(' ');
                shades.set(shade, (shades.get(shade) ?? 0) + 1);
            }
            return [...shades.keys()].map((one) => one.split(' ').map(Number));
        }"""
    )
    ink = [
        int(part)
        for part in re.findall(
            r"\d+", page.evaluate("getComputedStyle(document.querySelector('.matrix-box')).color")
        )
    ]
    assert [*ink, 255] in shades, "possible"
    assert any(0 < alpha < 100 for *_, alpha in shades), "excluded"
    assert any(
        alpha > 200 and max(abs(a - b) for a, b in zip(shade, ink, strict=True)) > 40
        for *shade, alpha in shades
    ), "on the board"
    page.locator(".equation button").first.hover()
    has(page, ".equation .on", 1)
    style = "getComputedStyle(document.querySelector('.equation .on')).outlineStyle"
    if forced == "active":
        assert page.evaluate(style) == "solid"
