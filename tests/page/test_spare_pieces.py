"""Puzzles with pieces to spare on the page: played, counted, modelled, shared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browsing import Opened, drop, has, reads, says, shows_left
from webdriver import Page

import calmip
from calmip import ExactCover, Instance, Placement, Puzzle, Tiling
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.exact_cover.search import solutions

pytestmark = pytest.mark.long

YAML = """name: spare
grid: |
  Jan Feb 1 2
  *   *   * *
  *   *   * *
uncover: [month, day]
pieces:
  A: L4
  B: {shape: I3, optional: true}
  C: {shape: V3, optional: true}
  D: {shape: I2, optional: true}
  E: {shape: S4, optional: true}
"""
EQUAL = (
    YAML.partition("pieces:")[0]
    + """use: 4
pieces:
  A: T4
  B: {shape: I2, optional: true}
  C: I2
  D: {shape: I2, optional: true}
  E: {shape: S4, optional: true}
  F: {shape: I3, optional: true}
  G: {shape: I1, optional: true}
"""
)
"""Equal pieces, of which some may be left out, and a number that the sizes do not imply."""

OWN = f"#file=spare.yaml&yaml={quote(YAML, safe='')}"
JAN_1 = {"month": "Jan", "day": "1"}


@pytest.fixture
def instance(tmp_path: Path) -> Instance:
    return instance_of(YAML, tmp_path)


def instance_of(text: str, folder: Path) -> Instance:
    path = folder / "spare.yaml"
    path.write_text(text, encoding="utf-8")
    return Instance.reveal(read_puzzle(path), JAN_1)


def tilings_of(instance: Instance) -> list[Tiling]:
    cover = ExactCover(instance)
    return [Tiling.from_options(cover, options) for options in solutions(cover)]


def address_of(tiling: Tiling, lacking: int = 0, own: str = OWN) -> str:
    """Return the address of a tiling, which lacks some of its pieces."""
    placed = tiling.placements[: len(tiling.placements) - lacking]
    entries = [f"{p.piece}:{'+'.join(f'{r},{c}' for r, c in p.cells)}" for p in placed]
    return f"{own}&reveal=Jan,1&placed={';'.join(entries)}"


def solved_by_hints(page: Any, instance: Instance) -> tuple[str, ...]:
    """Take hints until the page says that it is solved, and return what it says is left out."""
    shows_left(page, len(tilings_of(instance)))
    for number in range(1, len(instance.puzzle.pieces) + 1):
        page.keyboard.press("h")
        has(page, ".pieces .piece", number)
        # The answer to one hint precedes the next.
        page.wait_for_function("/^[✓\\d]/.test(document.querySelector('.count').textContent)")
        if page.evaluate("document.querySelector('.play').classList.contains('won')"):
            break
    says(page, "Solved!")
    text = page.evaluate("document.querySelector('.status').textContent")
    left = tuple(re.findall("[A-G]", text.partition("left out: ")[2]))
    assert left in {one.left for one in tilings_of(instance)}
    return left


def test_hints_lead_to_a_tiling_that_says_what_is_left_out(
    opened: Opened, instance: Instance
) -> None:
    page = opened(f"{OWN}&reveal=Jan,1")
    reads(page, ".rule", "May be left out: B, C, D and E.")
    left = solved_by_hints(page, instance)
    assert left
    has(page, ".tray .item", len(left))
    reads(page, ".found summary", f"Found 1 of {len(tilings_of(instance))}")
    # What is left over has no place.
    page.locator(f'.item[data-piece="{left[0]}"]').click(force=True)
    has(page, ".holding", 0)
    says(page, "Solved!")
    page.wait_for_function("location.hash.includes('placed=')")
    page.reload()
    says(page, "found this solution before")


def test_the_rule_says_how_many_pieces_are_left_out(opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "use.yaml"
    text = "grid: ['1 2 3', '4 5 6']\nuse: 2\npieces: {A: L4, B: I2, C: I3, D: V3}\n"
    path.write_text(text, encoding="utf-8")
    page = opened()
    drop(page, path.name, text)
    reads(page, ".rule", "May be left out: 2 (A, B, C and D).")
    shows_left(page, len(tilings_of(Instance.reveal(read_puzzle(path), {}))))


def test_a_position_without_a_needed_piece_is_a_dead_end(
    opened: Opened, instance: Instance
) -> None:
    # B, C and E cover all cells, or others do; A is needed.
    pieces = tuple(one for one in instance.puzzle.pieces if one.name != "A")
    without = Instance(
        Puzzle("", instance.puzzle.board, pieces, instance.puzzle.groups), instance.labels
    )
    page = opened(address_of(tilings_of(without)[0]))
    says(page, "no solution left")
    assert not page.locator(".won").count()


def test_every_tiling_is_solved_on_the_page(opened: Opened, instance: Instance) -> None:
    page = opened(OWN)
    for number, tiling in enumerate(tilings_of(instance)[:6], start=1):
        page.goto(page.url.partition("#")[0] + address_of(tiling))
        reads(page, ".status", f"Solved! A new solution: {number} found")
        left = tiling.left
        words = " and ".join([", ".join(left[:-1]), left[-1]]) if len(left) > 1 else left[0]
        reads(page, ".status", f"left out: {words}")


def test_the_year_counts_as_the_package_does(opened: Opened, instance: Instance) -> None:
    page = opened(f"{OWN}&view=year")
    has(page, ".year .day", 4)
    for month in ("Jan", "Feb"):
        for day in ("1", "2"):
            labels = {"month": month, "day": day}
            number = count(ExactCover(Instance.reveal(instance.puzzle, labels)))
            page.wait_for_selector(f'.year .day[title^="{month} {day}: {number} "]')


def test_the_model_has_a_column_for_each_piece_left_out(opened: Opened, instance: Instance) -> None:
    tiling = next(one for one in tilings_of(instance) if len(one.left) > 1)
    page = opened(address_of(tiling, lacking=1) + "&view=model")
    cover = ExactCover(instance)
    reads(page, ".model", f"of {cover.rows} rows satisfied")
    name = f"{tiling.left[0]}_left"
    row = cover.items.index(next(one for one in cover.items if one.name == f"p_{tiling.left[0]}"))
    page.locator("#row").select_option(str(row))
    term = page.locator(".equation").get_by_role("button", name=name, exact=True)
    term.click()
    reads(page, ".meaning", "A column PIECE_left is 1 in a tiling without the piece.")
    assert page.locator(".set").get_attribute("aria-disabled") == "true"
    assert term.get_attribute("aria-pressed") == "false"
    last = cover.option_names[
        next(k for k in range(cover.columns) if cover.option(k) == tiling.placements[-1])
    ]
    piece = next(
        k for k, one in enumerate(cover.items) if one.name == f"p_{tiling.placements[-1].piece}"
    )
    page.locator("#row").select_option(str(piece))
    page.locator(".equation").get_by_role("button", name=last, exact=True).click()
    reads(page, ".state", "All rows are satisfied: a tiling.")
    page.locator("#row").select_option(str(row))
    assert term.get_attribute("aria-pressed") == "true"


def test_equal_pieces_and_a_stated_number(opened: Opened, tmp_path: Path) -> None:
    instance = instance_of(EQUAL, tmp_path)
    own = OWN.partition("yaml=")[0] + f"yaml={quote(EQUAL, safe='')}"
    assert instance.use == 4
    assert len({one.left for one in tilings_of(instance)}) > 1
    page = opened(f"{own}&reveal=Jan,1")
    reads(page, ".rule", "May be left out: 3 (B, D, E, F and G).")
    assert solved_by_hints(page, instance)
    # All cells are covered, and three pieces are one too few.
    three = replace(instance, puzzle=replace(instance.puzzle, use=3))
    page.goto(page.url.partition("#")[0] + address_of(tilings_of(three)[0], own=own))
    says(page, "no solution left")
    assert not page.locator(".won").count()
    # Any of the equal pieces may lie, also instead of the one that is not optional.
    tiling = next(one for one in tilings_of(instance) if one.left == ("B", "D", "E"))
    address = address_of(tiling, own=own).replace("C:", "D:")
    page.goto(page.url.partition("#")[0] + address)
    says(page, "left out: B, C and E")
    page.goto(page.url.partition("#")[0] + address + "&view=model")
    reads(page, ".state", "All rows are satisfied: a tiling.")
    cover = ExactCover(instance)
    names = [item.name for item in cover.items]
    for name, words in (("u_left", "number of pieces left out"), ("o_C_1", "order of")):
        page.locator("#row").select_option(str(names.index(name)))
        reads(page, ".meaning", words)
    page.goto(page.url.partition("#")[0] + f"{own}&view=year")
    number = count(ExactCover(Instance.reveal(instance.puzzle, JAN_1)))
    page.wait_for_selector(f'.year .day[title^="Jan 1: {number} "]')
    page.goto(page.url.partition("#")[0] + f"{own}&reveal=Jan,1&view=lab")
    page.get_by_role("button", name="Solve with HiGHS", exact=True).click()
    page.wait_for_function("document.querySelector('.lab').dataset.state === 'idle'")
    reads(page, ".lab .facts", "HiGHS")
    has(page, ".lab .pieces .piece", 4)


def test_a_piece_shows_the_colour_of_the_side_that_is_up(opened: Opened, tmp_path: Path) -> None:
    text = YAML.replace("A: L4", 'A: {shape: L4, colour: ["#ff0000", "#0000ff"]}')
    instance = instance_of(text, tmp_path)
    own = OWN.partition("yaml=")[0] + f"yaml={quote(text, safe='')}"
    every = tilings_of(instance)
    fill = "getComputedStyle(document.querySelector('.pieces [data-piece=A] .shape')).fill"
    page = opened()
    for backs, colour in (((), "rgb(255, 0, 0)"), (("A",), "rgb(0, 0, 255)")):
        tiling = next(one for one in every if one.backs == backs)
        page.goto(page.url.partition("#")[0] + address_of(tiling, own=own))
        page.wait_for_function(f"{fill} === '{colour}'")
    # In hand, turned over, it shows its front again.
    page.goto(page.url.partition("#")[0] + f"{own}&reveal=Jan,1")
    item = '.item[data-piece="A"]'
    page.locator(item).click()
    shown = f"getComputedStyle(document.querySelector('{item} .shape')).fill"
    page.wait_for_function(f"{shown} === 'rgb(255, 0, 0)'")
    page.keyboard.press("f")
    page.wait_for_function(f"{shown} === 'rgb(0, 0, 255)'")
    page.keyboard.press("r")
    page.wait_for_function(f"{shown} === 'rgb(0, 0, 255)'")
    page.keyboard.press("f")
    page.wait_for_function(f"{shown} === 'rgb(255, 0, 0)'")


def test_the_lab_solves_it(opened: Opened, instance: Instance) -> None:
    page = opened(f"{OWN}&reveal=Jan,1&view=lab")
    page.locator("#lab-objective").select_option("weights")
    page.get_by_role("button", name="Solve with HiGHS", exact=True).click()
    page.wait_for_function("document.querySelector('.lab').dataset.state === 'idle'")
    reads(page, ".lab .facts", "HiGHS")
    placed = page.evaluate(
        "[...document.querySelectorAll('.lab .pieces .piece')].map((one) => one.dataset.piece)"
    )
    left = tuple(piece.name for piece in instance.puzzle.pieces if piece.name not in placed)
    assert left in {one.left for one in tilings_of(instance)}


def test_the_lab_packs_pieces_of_a_choice(opened: Opened, tmp_path: Path) -> None:
    page = opened()
    bounds = set()
    for text, name in ((YAML, "A_a11"), (YAML, "A_g03"), (EQUAL, "A_a10"), (EQUAL, "C_a11")):
        instance = instance_of(text, tmp_path)
        cover = ExactCover(instance)
        one = cover.option(cover.option_number[name])
        assert isinstance(one, Placement)
        own = OWN.partition("yaml=")[0] + f"yaml={quote(text, safe='')}"
        cells = "+".join(f"{r},{c}" for r, c in one.cells)
        address = f"{own}&reveal=Jan,1&placed={one.piece}:{cells}&view=lab"
        page.goto(page.url.partition("#")[0] + address)
        page.get_by_role("button", name="Relax", exact=True).click()
        reads(page, ".lab .facts", "you: 1 node")
        shown = re.search(r"bound: ([\d.]+) of 10 cells", page.inner_text(".lab .facts"))
        assert shown is not None
        bound = calmip.relax(replace(instance, placed=(one,)), packing=True).bound
        assert bound is not None
        assert float(shown[1]) == pytest.approx(bound, abs=0.01)
        bounds.add(round(bound, 2))
    assert len(bounds) == 3
    assert max(bounds) < 10


def test_the_editor_keeps_which_pieces_may_be_left_out(opened: Opened, tmp_path: Path) -> None:
    page = opened()
    drop(page, "own.yaml", YAML)
    has(page, ".tray .item", 5)
    page.get_by_role("button", name="All puzzles").click()
    page.get_by_role("button", name="Edit spare").click()
    page.locator("#puzzle-name").fill("changed")
    page.locator("#puzzle-name").press("Tab")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the YAML").click()
    path = tmp_path / "changed.yaml"
    saved.value.save_as(path)
    before = tmp_path / "before.yaml"
    before.write_text(YAML, encoding="utf-8")
    assert read_puzzle(path).pieces == read_puzzle(before).pieces


def test_pieces_are_left_out_in_the_second_engine(
    other: Callable[..., Page], instance: Instance
) -> None:
    solved_by_hints(other(f"{OWN}&reveal=Jan,1"), instance)


def test_the_command_writes_the_page_with_it(tmp_path: Path) -> None:
    path = tmp_path / "spare.yaml"
    path.write_text(YAML, encoding="utf-8")
    page = calmip.play(path, output=tmp_path / "page.html")
    assert page.start == OWN
