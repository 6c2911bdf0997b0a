"""The page in a frame: what it is told, what it tells, and that it can be locked to a view."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import DAY, Opened, laid_by_keys, reads, tiling
from page_modules import ROOT

LISTEN = """<script>
globalThis.heard = [];
addEventListener("message", ({data}) => { if (data.calmip) heard.push(data); });
globalThis.send = (message) => frames[0].postMessage(message, "*");
</script>"""


def framed(opened: Opened, file: Path, folder: Path, hash_: str) -> tuple[Any, Any]:
    """Return a page with the page in a frame, and the frame, when it is ready."""
    around = folder / "around.html"
    source = html.escape(file.as_uri() + hash_)
    around.write_text(
        f'<!doctype html><html lang="en">{LISTEN}<main>'
        f'<iframe src="{source}" width="1200" height="760"></iframe></main>',
        encoding="utf-8",
    )
    page = opened("", address=around.as_uri())
    hears(page, "ready")
    return page, page.frames[1]


def hears(page: Any, event: str) -> dict[str, Any]:
    """Return the next event of a name, and forget those before it."""
    page.wait_for_function("event => heard.some(one => one.calmip === event)", arg=event)
    found: dict[str, Any] = page.evaluate(
        "event => heard.splice(0, heard.findIndex(one => one.calmip === event) + 1).at(-1)", event
    )
    return found


def asks(page: Any, **message: Any) -> dict[str, Any]:
    """Send a message and return its answer."""
    page.evaluate("message => send({...message, id: 7})", message)
    page.wait_for_function("() => heard.some(one => one.id === 7)")
    found: dict[str, Any] = page.evaluate("() => heard.splice(0).find(one => one.id === 7)")
    return found


def test_a_message_sets_puzzle_date_position_and_view(
    opened: Opened, file: Path, tmp_path: Path
) -> None:
    page, frame = framed(opened, file, tmp_path, DAY)
    state = asks(page, calmip="get")
    assert state["calmip"] == "state"
    assert (state["puzzle"], state["date"], state["view"]) == (
        "a-puzzle-a-day",
        "2024-02-29",
        "play",
    )
    assert state["labels"] == {"month": "Feb", "day": "29"}
    state = asks(page, calmip="set", placed="U:Jan+Mar+Jul+Aug+Sep")
    assert state["placed"] == "U:Jan+Mar+Jul+Aug+Sep"
    assert state["pieces"] == [1, 8]
    assert frame.locator(".pieces .piece").count() == 1
    state = asks(page, calmip="set", date="2024-10-06")
    assert (state["date"], state["placed"]) == ("2024-10-06", "")
    state = asks(page, calmip="set", reveal="month=Feb,day=29", view="model")
    assert state["labels"] == {"month": "Feb", "day": "29"}
    assert state["view"] == "model"
    frame.wait_for_selector(".equation")
    assert asks(page, calmip="set", view="play", placed="")["placed"] == ""
    assert asks(page, calmip="set", puzzle="heart-set1")["puzzle"] == "heart-set1"
    own = "name: mine\ngrid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: [I3, I2]\n"
    state = asks(page, calmip="set", yaml=own, file="own.yaml", reveal="one=2")
    assert (state["puzzle"], state["labels"]) == ("own.yaml", {"one": "2"})
    assert asks(page, calmip="set", flip=False)["labels"] == {"one": "2"}
    assert "flip=false" in asks_hash(frame)


def asks_hash(frame: Any) -> str:
    frame.wait_for_function("location.hash.includes('flip')")
    found: str = frame.evaluate("location.hash")
    return found


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"calmip": "set", "puzzle": "nothing"}, "nothing: no such bundled puzzle"),
        ({"calmip": "set", "date": "2024-02-30"}, "'2024-02-30' is not a date"),
        ({"calmip": "set", "placed": "U:1"}, "do not have the shape"),
        ({"calmip": "set", "view": "moon"}, "there is no view 'moon'"),
        ({"calmip": "set", "date": 7}, "date is not a text"),
        (
            {"calmip": "set", "solution": "U:1"},
            "a message cannot set 'solution'; it may set puzzle",
        ),
        ({"calmip": "run"}, "'run' is not a message; send get or set"),
    ],
)
def test_a_message_that_cannot_be_read_changes_nothing(
    opened: Opened, file: Path, tmp_path: Path, message: dict[str, Any], words: str
) -> None:
    page, frame = framed(opened, file, tmp_path, DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep")
    answer = asks(page, **message)
    assert answer["calmip"] == "error"
    assert words in answer["messages"][0]
    assert answer["placed"] == "U:Jan+Mar+Jul+Aug+Sep"
    assert frame.locator(".message").count() == 0, "the reader did nothing wrong"


def test_only_the_page_around_is_heard(opened: Opened, file: Path, tmp_path: Path) -> None:
    page, frame = framed(opened, file, tmp_path, DAY)
    frame.evaluate("postMessage({calmip: 'set', puzzle: 'heart-set1', id: 7}, '*')")
    assert asks(page, calmip="get")["puzzle"] == "a-puzzle-a-day"


@pytest.mark.long
def test_a_lesson_gives_way_to_the_puzzle_that_is_set(
    opened: Opened, file: Path, tmp_path: Path
) -> None:
    page, frame = framed(opened, file, tmp_path, "#lesson=clique")
    reads(frame, ".lesson h2", "Cliques")
    assert asks(page, calmip="set", puzzle="heart-set1")["calmip"] == "state"
    frame.wait_for_selector(".lab .board-drawing")
    assert frame.locator(".lesson").count() == 0
    assert asks(page, calmip="set", lesson="clique")["calmip"] == "error"
    assert asks(page, calmip="set", view="play")["calmip"] == "state"
    frame.wait_for_selector("main > .play")


@pytest.mark.long
def test_what_is_placed_and_solved_is_announced(opened: Opened, file: Path, tmp_path: Path) -> None:
    page, frame = framed(opened, file, tmp_path, DAY + "&lock=play")
    *before, last = tiling()
    frame.keyboard = page.keyboard
    for number, one in enumerate(before[:2], start=1):
        laid_by_keys(frame, one)
        assert hears(page, "placed")["pieces"] == [number, 8]
    placed = ";".join(f"{one.piece}:{names(one.cells)}" for one in before)
    assert asks(page, calmip="set", placed=placed)["solved"] is False
    laid_by_keys(frame, last)
    told = hears(page, "solved")
    assert told["own"] is True
    assert told["new"] is True
    assert told["hints"] == 0
    assert told["assist"] == "full"
    assert told["pieces"] == [8, 8]
    page.keyboard.press("z")
    assert hears(page, "placed")["solved"] is False


def names(cells: Any) -> str:
    from calmip import read_puzzle

    board = read_puzzle("a-puzzle-a-day").board
    return "+".join(board.label(cell) for cell in cells)


@pytest.mark.long
def test_the_example_of_the_docs_tells_the_nodes(
    opened: Opened, file: Path, tmp_path: Path
) -> None:
    text = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- the example -->\n```html\n(.*?)```", text, re.DOTALL)
    assert found is not None
    (tmp_path / "course.html").write_text(
        f"<!doctype html><main>{found[1]}</main>", encoding="utf-8"
    )
    (tmp_path / "play.html").write_bytes(file.read_bytes())
    page = opened("", address=(tmp_path / "course.html").as_uri())
    frame = page.frames[1]
    frame.get_by_role("button", name="Relax").click()
    reads(page, "#note", "1 nodes solved, 1 open")
    frame.locator(".candidate button").first.click()
    reads(page, "#note", "2 nodes solved, ")


@pytest.mark.parametrize("view", ["play", "model", "lab"])
def test_a_locked_page_has_one_view(opened: Opened, file: Path, tmp_path: Path, view: str) -> None:
    page, frame = framed(opened, file, tmp_path, f"{DAY}&lock={view}")
    assert frame.locator(f"main > .{view}").count() == 1
    assert frame.locator(".tabs button").all_inner_texts() == ["?"]
    assert frame.locator(".menu *").count() == 0
    assert not frame.locator("footer .own").is_visible()
    frame.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["name: other"], "other.yaml"));
            document.body.dispatchEvent(
                new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
        }"""
    )
    other = {"play": "model", "model": "lab", "lab": "play"}[view]
    state = asks(page, calmip="set", view=other)
    assert state["view"] == other
    assert frame.locator(f"main > .{other}").count() == 1
    assert frame.locator(".message").count() == 0
    frame.wait_for_function("view => location.hash.endsWith(`lock=${view}`)", arg=other)
    assert asks(page, calmip="set", view="year")["calmip"] == "error"
    assert asks(page, calmip="get")["view"] == other
