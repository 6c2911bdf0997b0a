"""A puzzle is made on the page: by mouse, by touch and by keyboard; the command reads its YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import qr_reader
from browsing import DAY, PHONE, Opened

import calmip
from calmip import ExactCover
from calmip.puzzle.search.exact_cover.search import solutions

pytestmark = pytest.mark.long


def open_editor(page: Any, *, empty: bool = True) -> Any:
    """Open the sheet in which a puzzle is made, and return it."""
    if page.locator("header [data-key=gallery]").is_visible():
        page.locator("header [data-key=gallery]").click()
    else:
        page.locator(".more summary").click()
        page.locator(".more [data-key=gallery]").click()
    page.get_by_role("button", name="Make a puzzle").click()
    page.wait_for_selector(".draft svg")
    editor = page.locator(".editor")
    if empty:
        editor.get_by_role("button", name="Clear", exact=True).click()
    return editor


def resize(editor: Any, rows: int, columns: int) -> None:
    for name, value in (("draft-rows", rows), ("draft-columns", columns)):
        editor.locator(f"#{name}").fill(str(value))
        editor.locator(f"#{name}").dispatch_event("change")


def texts(editor: Any) -> list[str]:
    """Return what stands on the cells: `.` off the board, nothing on a blank."""
    found: list[str] = editor.locator(".draft:not(.pen) g").evaluate_all(
        "all => all.map(one => one.classList.contains('off') ? '.' : one.textContent)"
    )
    return found


def make_small(page: Any) -> Any:
    """Make a puzzle of 2 x 4 cells, three days, and two pieces."""
    editor = open_editor(page)
    resize(editor, 2, 4)
    editor.locator("#puzzle-name").fill("Small one")
    editor.locator("#puzzle-name").dispatch_event("change")
    editor.get_by_role("button", name="Write labels").click()
    editor.locator('.draft:not(.pen) g[data-key="0,0"]').click()
    for label in ("1", "2", "3"):
        page.keyboard.type(label)
        page.keyboard.press("Enter")
    for shape in ("I4", "I3"):
        editor.get_by_role("button", name=f"Add {shape}", exact=True).click()
    page.wait_for_function(
        "document.querySelector('.mistake')?.textContent === 'This puzzle is ready to play.'"
    )
    return editor


def saved(page: Any, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the YAML").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_puzzle_is_made_saved_played_and_changed(opened: Opened, tmp_path: Path) -> None:
    page = opened(DAY)
    make_small(page)
    path = saved(page, tmp_path)
    assert path.name == "small-one.yaml"
    puzzle = calmip.read_puzzle(path)
    assert puzzle.name == "Small one"
    assert dict(puzzle.groups) == {"day": ("1", "2", "3")}
    solved = calmip.solve(calmip.read_instance(path, reveal={"day": "1"}))
    assert solved.tiling is not None
    page.get_by_role("button", name="Play", exact=True).last.click()
    page.wait_for_function("document.querySelector('.tray')?.children.length === 2")
    assert page.title().startswith("Small one: ")
    # It is one's own puzzle, and changing it leaves one of it.
    page.reload()
    page.locator("header [data-key=gallery]").click()
    page.get_by_role("button", name="Edit Small one").click()
    editor = page.locator(".editor")
    assert texts(editor) == ["1", "2", "3", "", "", "", "", ""]
    editor.locator('.draft:not(.pen) g[data-key="0,1"]').click()
    assert texts(editor)[1] == "."
    assert "6 cells have no piece" not in page.inner_text(".mistake")
    assert "cover 7 cells" in page.inner_text(".mistake")
    editor.get_by_role("button", name="Undo").click()
    assert texts(editor)[1] == "2"
    editor.get_by_role("button", name="Redo").click()
    assert texts(editor)[1] == "."
    editor.get_by_role("button", name="Undo").click()
    editor.get_by_role("button", name="Remove I4").click()
    editor.get_by_role("button", name="Add L4", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).last.click()
    page.wait_for_function("document.querySelector('.tray [data-piece=L4]')")
    page.locator("header [data-key=gallery]").click()
    assert page.get_by_role("button", name="Edit Small one").count() == 1


def test_months_and_days_are_filled_by_a_button(opened: Opened, tmp_path: Path) -> None:
    page = opened(f"{DAY}&lang=de", assisted=False)
    page.locator("header [data-key=gallery]").click()
    page.get_by_role("button", name="Ein Puzzle bauen").click()
    editor = page.locator(".editor")
    editor.get_by_role("button", name="Leeren", exact=True).click()
    for place in ("0,6", "1,6", "6,3", "6,4", "6,5", "6,6"):
        editor.locator(f'.draft:not(.pen) g[data-key="{place}"]').click()
    editor.locator("[data-key=month]").click()
    editor.locator("[data-key=day]").click()
    for shape in ("V", "U", "L", "N", "P", "Y", "Z", "O6"):
        editor.get_by_role("button", name=f"{shape} hinzufügen", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="YAML speichern").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    puzzle = calmip.read_puzzle(path)
    assert puzzle.groups["month"][2] == "Mär" or puzzle.groups["month"][2] == "März"
    assert puzzle.groups["day"] == tuple(map(str, range(1, 32)))
    # The board and the pieces are those of A-Puzzle-A-Day.
    cover = ExactCover(calmip.read_instance(path, date="2024-02-29"))
    assert sum(1 for _ in solutions(cover)) == 64


def test_a_board_is_drawn_with_the_keyboard_alone(opened: Opened) -> None:
    page = opened(DAY)
    editor = open_editor(page, empty=False)
    board = editor.locator(".draft:not(.pen)")
    assert page.evaluate("document.activeElement.className") == "draft"
    editor.get_by_role("button", name="Clear", exact=True).click()
    board.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert "row 2, column 2: blank" in board.get_attribute("aria-label")
    page.keyboard.press("Space")
    assert "row 2, column 2: off the board" in board.get_attribute("aria-label")
    assert texts(editor)[8] == "."
    page.keyboard.press("Control+z")
    assert texts(editor)[8] == ""
    page.keyboard.press("Enter")
    page.keyboard.type("Jan")
    page.keyboard.press("Enter")
    assert texts(editor)[8] == "Jan"
    assert "row 2, column 3" in board.get_attribute("aria-label")
    page.keyboard.press("Escape")
    assert not editor.is_visible()


def test_a_finger_makes_a_puzzle_on_a_phone(opened: Opened) -> None:
    page = opened(DAY, **{**PHONE, "viewport": {"width": 360, "height": 740}})
    editor = open_editor(page)
    editor.locator('.draft:not(.pen) g[data-key="0,6"]').tap()
    assert texts(editor)[6] == "."
    editor.get_by_role("button", name="Add F", exact=True).tap()
    assert editor.get_by_role("button", name="Remove F", exact=True).count() == 1
    wide = editor.evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert wide[0] <= wide[1]
    small = editor.locator("button, input:not([type=checkbox]), select").evaluate_all(
        "all => all.filter(one => one.checkVisibility())"
        ".filter(one => one.getBoundingClientRect().height < 43.5).length"
    )
    assert not small


@pytest.mark.parametrize(
    ("lattice", "shapes"), [("hexagonal", ["I3", "A3"]), ("triangular", ["I3", "D2", "T1"])]
)
def test_each_lattice_has_its_own_pieces(
    opened: Opened, tmp_path: Path, lattice: str, shapes: list[str]
) -> None:
    page = opened(DAY)
    editor = open_editor(page)
    editor.locator("#lattice").select_option(lattice)
    resize(editor, 2, 3)
    for shape in shapes:
        editor.get_by_role("button", name=f"Add {shape}", exact=True).click()
    puzzle = calmip.read_puzzle(saved(page, tmp_path))
    assert puzzle.board.lattice.name == lattice
    assert [piece.name for piece in puzzle.pieces] == shapes


def test_a_mistake_is_said_in_the_words_of_the_command(opened: Opened, tmp_path: Path) -> None:
    page = opened(DAY)
    editor = make_small(page)
    editor.get_by_role("button", name="Add I3", exact=True).click()
    said = page.inner_text(".mistake")
    with pytest.raises(calmip.InputError) as found:
        calmip.read_puzzle(saved(page, tmp_path))
    assert said in str(found.value)
    assert page.locator(".editor .ready").get_attribute("aria-disabled") == "true"


def test_what_is_made_begins_with_the_board_on_show(opened: Opened, tmp_path: Path) -> None:
    page = opened("#puzzle=hex43-v1&date=2024-02-29")
    open_editor(page, empty=False)
    path = saved(page, tmp_path)
    made, shown = calmip.read_puzzle(path), calmip.read_puzzle("hex43-v1")
    assert made.name == "My puzzle"
    assert [made.board.cells, made.groups] == [shown.board.cells, shown.groups]
    assert [one.cells for one in made.pieces] == [one.cells for one in shown.pieces]


@pytest.mark.parametrize("by", ["fingers", "keys"])
@pytest.mark.parametrize("kind", ["square", "hexagonal"])
def test_a_piece_is_drawn_cell_by_cell(
    opened: Opened, browser: Any, tmp_path: Path, by: str, kind: str
) -> None:
    context = browser.new_context(**PHONE, bypass_csp=True)
    page = opened(DAY, context=context)
    editor = open_editor(page)
    editor.locator("#lattice").select_option(kind)
    editor.get_by_text("Draw a piece", exact=True).click()
    add = editor.get_by_role("button", name="Add this piece")
    assert add.get_attribute("aria-disabled") == "true", "nothing is drawn"
    cells = [(1, 1), (1, 2), (1, 3), (2, 2)]
    if by == "fingers":
        sizes = editor.locator(".pen g").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().width)"
        )
        assert min(sizes) >= (40 if kind == "square" else 33), "as wide as a finger"
        for row, column in [*cells, (4, 5)]:
            editor.locator(f'.pen g[data-key="{row},{column}"]').tap()
        assert add.get_attribute("aria-disabled") == "true", "it does not hang together"
        editor.locator('.pen g[data-key="4,5"]').tap()
    else:
        editor.locator(".pen").focus()
        for key in "ArrowDown ArrowRight Space ArrowRight Space ArrowRight Space".split():
            page.keyboard.press(key)
        for key in "ArrowDown ArrowLeft Space".split():
            page.keyboard.press(key)
    add.click()
    editor.get_by_role("button", name="Remove A", exact=True).wait_for()
    assert not editor.locator(".pen .on").count()
    path = saved(page, tmp_path)
    (piece,) = calmip.read_puzzle(path).pieces
    normal = piece.lattice.normal_form
    assert normal(piece.cells) == normal(cells)
    context.close()


def test_a_puzzle_goes_to_a_phone_as_a_code(opened: Opened) -> None:
    page = opened(DAY)
    make_small(page)
    page.locator(".editor").get_by_role("button", name="QR code").click()
    address = scanned(page, ".editor .code")
    assert address.startswith("https://calmip.github.io/calmip/play/index.html#file=small-one.yaml")
    other = opened(address.partition("index.html")[2])
    other.wait_for_function("document.querySelector('.tray')?.children.length === 2")
    assert other.title().startswith("Small one: ")


def test_the_address_of_a_position_is_a_code_too(opened: Opened) -> None:
    page = opened(f"{DAY}&placed=U:Jan+Mar+Jul+Aug+Sep")
    page.locator(".share summary").click()
    page.get_by_role("button", name="QR code").click()
    address = scanned(page, ".share .code")
    shown = page.locator("#address").input_value()
    assert address.partition("#")[2] == shown.partition("#")[2]
    assert page.locator(".share .code").get_attribute("aria-label") == "The address as a QR code"


def scanned(page: Any, at: str) -> str:
    """Return what a code on the page says."""
    page.wait_for_selector(at)
    marks = page.evaluate(
        """at => {
            const svg = document.querySelector(at);
            const [light, dark] = svg.querySelectorAll('path');
            const side = svg.viewBox.baseVal.width;
            return Array.from({length: side}, (_, r) => Array.from({length: side}, (__, c) =>
                Number(dark.isPointInFill(new DOMPoint(c + .5, r + .5)))));
        }""",
        at,
    )
    assert not any(any(row) for row in (*marks[:4], *marks[-4:])), "it needs a light margin"
    return qr_reader.text_of([row[4:-4] for row in marks[4:-4]])
