"""The board as an element of any page: the examples of its page, touch, keys, events, two."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import PHONE, Opened
from page_modules import ROOT, WEB
from test_phone import Fingers

from calmip.cli import main
from calmip.puzzle.tasks.play import board_script

PAGE = (ROOT / "docs" / "how-to" / "board.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- the (\w+) -->\n```html\n(.*?)```", PAGE, re.DOTALL))
PUZZLE = """{
    grid: ["1 2 3 4", "5 6 7 8", "9 10 11 12", "13 14 15 16"],
    pieces: ["V3", "T4", "O4", "P"],
}"""
HEARD = """
globalThis.heard = [];
for (const type of ["move", "solved", "refused"]) {
    addEventListener(type, ({target, detail}) => heard.push([type, target.id, detail]));
}"""


@pytest.fixture
def around(opened: Opened, tmp_path: Path) -> Any:
    """Return a function that opens a page of one's own, beside which the script is."""

    def make(html: str, **kind: Any) -> Any:
        assert main(["play", "-o", str(tmp_path / "board.js")]) == 0
        head = f'<!doctype html><html lang="en"><title>own</title><script>{HEARD}</script>'
        (tmp_path / "own.html").write_text(
            f"{head}<main><h1>Own</h1>{html}</main>", encoding="utf-8"
        )
        return opened("", address=(tmp_path / "own.html").as_uri(), **kind)

    return make


def board(ids: str = "a", config: str = "", before: str = "") -> str:
    """Return a page with boards, set up before or after the script is loaded."""
    elements = "".join(f'<calmip-board id="{one}"></calmip-board>' for one in ids)
    sets = "".join(
        f"document.getElementById('{one}').config = {{puzzle: {PUZZLE}, {config}}};" for one in ids
    )
    return (
        f"{elements}<script>{before}</script>"
        f'<script src="board.js"></script><script>{sets}</script>'
    )


def cell_at(page: Any, number: int, ident: str = "a") -> tuple[float, float]:
    """Return where a cell of the board of four by four is on the screen."""
    x, y = page.evaluate(
        """([ident, x, y]) => {
            const svg = document.getElementById(ident).shadowRoot.querySelector('svg');
            const {a, d, e, f} = svg.getScreenCTM();
            return [a * x + e, d * y + f];
        }""",
        [ident, *_centre(page, number, ident)],
    )
    return x, y


def _centre(page: Any, number: int, ident: str) -> list[float]:
    found: list[float] = page.evaluate(
        "([ident, cell]) => document.getElementById(ident).game.lattice.centre(cell)",
        [ident, [(number - 1) // 4, (number - 1) % 4]],
    )
    return found


def heard(page: Any, kind: str) -> list[Any]:
    """Return the events of a kind, as the elements and the details."""
    found: list[Any] = page.evaluate("kind => heard.filter(([type]) => type === kind)", kind)
    return [one[1:] for one in found]


def placed(page: Any, ident: str = "a") -> str:
    found: str = page.evaluate("ident => document.getElementById(ident).placed", ident)
    return found


def test_the_script_is_small() -> None:
    assert len(gzip.compress(board_script().encode(), 9)) <= 25_000


def test_the_command_writes_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "-o", str(tmp_path / "own.js")]) == 0
    assert (tmp_path / "own.js").read_text(encoding="utf-8") == board_script()
    assert "own.js: the element <calmip-board>" in capsys.readouterr().out


def solved_by_keys(page: Any, ident: str) -> None:
    """Solve the board of four by four by keys alone, as a search says."""
    steps = page.evaluate(SEARCH, ident)
    assert steps is not None
    for piece, keys, cell in steps:
        page.locator(f"#{ident} .item[data-piece='{piece}']").focus()
        page.keyboard.press("Enter")
        for key in keys:
            page.keyboard.press(key)
        _moved_to(page, ident, cell)
        page.keyboard.press("Enter")


def _moved_to(page: Any, ident: str, cell: list[int]) -> None:
    for _ in range(40):
        at = page.evaluate("ident => document.getElementById(ident).game.hand.at", ident)
        if at == cell:
            return
        down, right = cell[0] - at[0], cell[1] - at[1]
        arrows = (("ArrowUp", "ArrowDown")[down > 0],) if down else ()
        page.keyboard.press(*(arrows or (("ArrowLeft", "ArrowRight")[right > 0],)))
    raise AssertionError(f"{cell} is not reached")


# On copies of the game: what keys turn each piece, and over which cell it is laid.
SEARCH = """(ident) => {
    const {game} = document.getElementById(ident);
    const rest = (state) => game.with(state);
    const next = (state, action) => game.reduce(game, state, action);
    const ways = (state, piece) => {
        const found = [];
        let now = next(state, {do: 'take', piece});
        for (let k = 0; k < 8; k += 1) {
            for (const cell of game.puzzle.board.cells) {
                const laid = next(now, {do: 'lay', at: cell});
                if (laid !== now) found.push([laid, [piece, keysFor(k), cell]]);
            }
            now = next(now, k === 3 ? {do: 'over'} : {do: 'turn'});
        }
        return found;
    };
    const keysFor = (k) => 'rrrfrrr'.slice(0, k).split('');
    const solve = (state, steps) => {
        const here = rest(state);
        if (here.solved) return steps;
        const [first] = here.left;
        for (const [laid, step] of first ? ways(state, first.name) : []) {
            const found = solve(laid, [...steps, step]);
            if (found) return found;
        }
        return null;
    };
    return solve(game.state, []);
}"""


def test_the_shop_sells_when_its_board_is_solved_by_keys(around: Any) -> None:
    page = around(EXAMPLES["shop"])
    solved_by_keys(page, "trial")
    assert page.inner_text("#note") == "Solved. The wooden one is in stock."
    ((ident, detail),) = heard(page, "solved")
    assert (ident, detail["left"]) == ("trial", [])
    assert len(heard(page, "move")) == 4
    page.click("#undo")
    assert page.inner_text("#note").startswith("Still to place: ")
    assert len(heard(page, "solved")) == 1


def test_of_the_two_positions_of_the_course_the_left_one_can_be_completed(around: Any) -> None:
    page = around(EXAMPLES["course"])
    assert page.evaluate(SEARCH, "right") is None
    before = placed(page, "right")
    solved_by_keys(page, "left")
    assert page.inner_text("#answer") == "It is the left one."
    # Keys and pieces of one board are none of the other's.
    assert placed(page, "right") == before
    assert {ident for ident, _ in heard(page, "move")} == {"left"}
    page.locator("#right svg.board-drawing").focus()
    page.keyboard.press("z")
    assert page.evaluate("document.getElementById('left').solved")


def test_the_blog_has_todays_puzzle_and_keeps_the_position(around: Any) -> None:
    page = around(EXAMPLES["blog"])
    labels = page.evaluate("board.game.instance.labels")
    day = page.evaluate("[new Date().getMonth(), new Date().getDate()]")
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    assert labels == [months[day[0]], str(day[1])]
    page.locator("#today .item").first.focus()
    page.keyboard.press("Enter")
    page.evaluate(
        """() => {
            const {game} = board;
            board.lay(game.puzzle.board.cells.find((cell) => game.fits(game.over(cell))));
        }"""
    )
    kept = placed(page, "today")
    assert kept
    page.reload()
    assert placed(page, "today") == kept


def test_a_finger_takes_turns_and_lays_a_piece_and_drags_another(around: Any) -> None:
    page = around(board(), **PHONE)
    fingers = Fingers(page)

    def middle(at: str) -> tuple[float, float]:
        box = page.locator(at).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    square = "#a .item[data-piece='O4']"
    fingers.tap(middle(square), 0)
    assert page.get_attribute(square, "aria-pressed") == "true"
    fingers.tap(cell_at(page, 1), 1)
    assert placed(page) == "O4:1+2+5+6"
    corner = "#a .item[data-piece='V3']"
    fingers.tap(middle(corner), 2)
    before = page.inner_html(corner)
    fingers.tap(middle(corner), 4)
    assert page.inner_html(corner) != before
    page.keyboard.press("Escape")
    x, y = middle("#a .item[data-piece='T4']")
    fingers.send("Start", (x, y))
    fingers.send("Move", (x - 10, y - 20))
    assert page.locator("#a .floating svg").count() == 1
    there = cell_at(page, 11)
    fingers.send("Move", (there[0], there[1] + 56))
    fingers.send("End")
    assert re.fullmatch(r"O4:1\+2\+5\+6 T4:[\d+]+", placed(page))
    assert page.locator("#a .floating svg").count() == 0
    assert [detail["placed"] for _, detail in heard(page, "move")][-1] == placed(page)


def test_a_piece_that_does_not_fit_is_refused_and_says_why(around: Any) -> None:
    page = around(board(config="placed: 'O4:6+7+10+11'"))
    page.locator("#a .item[data-piece='P']").click()
    page.mouse.click(*cell_at(page, 6))
    # On the piece that lies there it is not laid.
    assert placed(page) == "O4:6+7+10+11"
    ((ident, detail),) = heard(page, "refused")
    assert (ident, detail["piece"], detail["pieces"]) == ("a", "P", ["O4"])
    said = page.evaluate(
        "document.getElementById('a').shadowRoot.querySelector('.live').textContent"
    )
    assert "Piece P does not fit there" in said
    assert not heard(page, "move")


def test_one_board_follows_the_pointer_and_one_that_is_gone_does_not(around: Any) -> None:
    page = around(board("ab"))
    box = page.locator("#a .item").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] - 60, steps=3)
    assert page.locator("#a .floating svg").count() == 1
    assert page.locator("#b .floating svg").count() == 0
    gone = page.evaluate_handle(
        "() => { const a = document.getElementById('a'); a.remove(); return a; }"
    )
    page.mouse.move(300, 300)
    page.mouse.up()
    assert gone.evaluate("a => a.shadowRoot.querySelectorAll('.floating svg').length") == 0
    # Back on the page it plays on.
    gone.evaluate("a => document.querySelector('main').prepend(a)")
    page.locator("#a .item[data-piece='O4']").click()
    page.mouse.click(*cell_at(page, 1))
    assert placed(page) == "O4:1+2+5+6"


def test_the_page_around_and_the_board_leave_each_other_alone(around: Any) -> None:
    hostile = (
        "<style>button, svg, p { display: none !important; } * { color: red; }</style>"
        "<script>globalThis.before = Object.keys(globalThis);</script>"
    )
    page = around(hostile + board())
    assert page.locator("#a .item").count() == 4
    assert all(one.is_visible() for one in page.locator("#a .item").all())
    added = page.evaluate("Object.keys(globalThis).filter((key) => !before.includes(key))")
    assert set(added) <= {"before"}
    assert page.evaluate("Object.keys(localStorage)") == []
    assert page.locator("body > *").count() == 1


def test_it_is_set_up_before_the_script_is_loaded_and_again(around: Any) -> None:
    early = f"document.getElementById('a').config = {{puzzle: {PUZZLE}, placed: 'O4:1+2+5+6'}};"
    page = around(
        f'<calmip-board id="a"></calmip-board><script>{early}</script>'
        '<script src="board.js"></script><script src="board.js"></script>'
    )
    assert placed(page) == "O4:1+2+5+6"
    page.evaluate(
        "document.getElementById('a').config = {puzzle: {grid: ['* * *', '* * *'], "
        "pieces: {A: ['###'], B: ['###']}}, lang: 'de', theme: 'dark'}"
    )
    assert placed(page) == ""
    label = page.locator("#a svg.board-drawing").get_attribute("aria-label")
    assert label.startswith("Das Brett von")
    assert page.locator("#a .item").count() == 2
    assert page.locator("#a .floating").count() == 1


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("{}", "a puzzle needs the key 'grid'"),
        ("{puzzle: {grid: ['1 2'], pieces: ['I3']}}", "fits nowhere on the board"),
        ("{puzzle: {grid: ['1 2'], pieces: ['I2'], colour: 'red'}}", "unknown key 'colour'"),
        (
            "{puzzle: {grid: ['1 2 3'], pieces: ['I2'], groups: {g: ['1']}}, date: '2024-13-01'}",
            "is not a date",
        ),
    ],
)
def test_a_mistake_says_what_is_wrong(around: Any, config: str, words: str) -> None:
    page = around('<calmip-board id="a"></calmip-board><script src="board.js"></script>')
    said = page.evaluate(
        "config => { try { document.getElementById('a').config = eval(`(${config})`); "
        "return ''; } catch (error) { return String(error); } }",
        config,
    )
    assert words in said


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(around: Any, theme: str) -> None:
    page = around(board("ab", f"theme: '{theme}', placed: 'O4:1+2+5+6'"))
    if theme == "dark":
        page.add_style_tag(content="body { background: #17171b; color: #eee; }")
    page.add_script_tag(path=str(WEB / "node_modules" / "axe-core" / "axe.min.js"))
    found = page.evaluate("axe.run(document, {preload: false, rules: {region: {enabled: false}}})")
    assert [one["id"] for one in found["violations"]] == []
