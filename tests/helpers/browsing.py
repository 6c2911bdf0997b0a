"""The page in a browser as a user has it: what is read off it, and what hands do."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

from processes import Idle

import calmip
from calmip import ExactCover, Placement
from calmip.puzzle.lattice import SQUARE, Lattice
from calmip.puzzle.search.exact_cover.search import solutions

DAY = "#puzzle=a-puzzle-a-day&date=2024-02-29"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
USUAL = {**DESKTOP, "bypass_csp": True}
"""Playwright waits for conditions by eval, which the page itself is forbidden."""

ASSISTED = """{
    const read = Storage.prototype.getItem;
    Storage.prototype.getItem = function (key) {
        return read.call(this, key) ?? (key === 'calmip.assist' ? 'full' : null);
    };
}"""
"""A visitor who wants the tilings left, and all other assistance.

The storage itself may not be touched here: before a document is committed, Chromium gives it
an empty area of its own, in which all that is written is lost.
"""

KEPT = """{
    const append = Element.prototype.append;
    const controls = 'input, select, textarea, button';
    Element.prototype.append = function (...nodes) {
        for (const node of this.isConnected ? [] : nodes) {
            if (node === document.activeElement && node.matches(controls)) {
                console.error(`${node.nodeName} ${node.id} is taken out of the page`);
            }
        }
        return append.apply(this, nodes);
    };
}"""
"""A redraw that builds a new element around a control that has the focus takes it: a fault."""

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


WAIT_SECONDS = 600
"""The time limit of any wait: a busy machine is slow, and that is no defect. Where browser and
page do nothing any more, it ends at once (`Idle`)."""

Opened = Callable[..., Any]
"""Opens the page at an address; see the fixture `opened`."""


MAX_CPU_SECONDS = 10.0
"""The CPU seconds of a page's own thread in a test: most take one. On a busy machine a
button may keep its user waiting for `WAIT_SECONDS`, but not work for it."""


def metered(page: Any) -> Any:
    """Begin to measure the CPU seconds of a page in Chromium; return what `busy` reads."""
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    return meter


def busy(meter: Any) -> float:
    """Return the CPU seconds of a page's own thread; a page that is closed tells none."""
    from playwright.sync_api import Error

    try:
        metrics = meter.send("Performance.getMetrics")["metrics"]
    except Error:
        return 0.0
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def patient(page: Any) -> Any:
    """Return a page whose waits end only after `WAIT_SECONDS`."""
    page.set_default_timeout(1000 * WAIT_SECONDS)
    return page


class IdleError(AssertionError):
    """What is waited for never comes: browser and page have nothing to do any more."""


async def while_busy(answer: Awaitable[Any]) -> Any:
    """Return an answer of a browser, or fail once it does nothing and has not answered."""
    task = asyncio.current_task()
    assert task is not None
    idle = Idle()
    ended = False
    timer: asyncio.TimerHandle

    def look() -> None:
        nonlocal timer, ended
        if idle.lasts():
            ended = True
            task.cancel()
        else:
            timer = task.get_loop().call_later(1, look)

    timer = task.get_loop().call_later(1, look)
    try:
        return await answer
    except asyncio.CancelledError:
        if not ended:
            raise
        task.uncancel()
        raise IdleError(f"nothing was done for {idle.seconds} s, so it never comes") from None
    finally:
        timer.cancel()


def tiling(index: int = 0, puzzle: str = "a-puzzle-a-day") -> list[Placement]:
    """Return a tiling of a bundled puzzle on Feb 29, 2024; equal pieces get their names in turn."""
    instance = calmip.read_instance(puzzle, date="2024-02-29")
    cover = ExactCover(instance)
    options = next(itertools.islice(solutions(cover), index, None))
    names = {
        pieces[0].name: iter([piece.name for piece in pieces])
        for pieces in instance.puzzle.piece_classes
    }
    laid = [cover.option(option) for option in options]
    return [
        Placement(next(names[one.piece]), one.cells) for one in laid if isinstance(one, Placement)
    ]


def says(page: Any, text: str) -> None:
    """Wait until the page says how many tilings are left, or whatever else."""
    page.wait_for_function(
        "text => document.querySelector('.left')?.textContent.includes(text)", arg=text
    )


def reads(page: Any, selector: str, words: str) -> None:
    """Wait until what is shown there has the words."""
    page.wait_for_function(
        "([at, words]) => document.querySelector(at)?.innerText.includes(words)",
        arg=[selector, words],
    )


def has(page: Any, selector: str, number: int) -> None:
    """Wait until as many of these are on the page."""
    page.wait_for_function(
        "([at, n]) => document.querySelectorAll(at).length === n", arg=[selector, number]
    )


def shows_left(page: Any, number: int) -> None:
    page.wait_for_function(
        "([n, s]) => document.querySelector('.count')?.textContent === n"
        " && /left$/.test(document.querySelector('.status')?.textContent)",
        arg=[f"{number:,}", ""],
    )


def centre(page: Any, cell: tuple[int, int], lattice: Lattice = SQUARE) -> tuple[float, float]:
    """Return where a cell of the board is on the screen."""
    x, y = page.evaluate(
        """([x, y]) => {
            const svg = document.querySelector('.stage svg');
            const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
            return [point.x, point.y];
        }""",
        list(lattice.centre(cell)),
    )
    return x, y


def cells_of(page: Any, svg: str, shape: str, lattice: Lattice) -> list[tuple[int, int]]:
    """Return the cells of a shape that is drawn, read off its outline."""
    cells = [(r, c) for r in range(-9, 18) for c in range(-9, 18)]
    inside: list[bool] = page.evaluate(
        """([at, shape, centres]) => {
            const svg = document.querySelector(at);
            const path = svg.querySelector(shape);
            return centres.map(([x, y]) => {
                const point = svg.createSVGPoint();
                [point.x, point.y] = [x, y];
                return path.isPointInFill(point);
            });
        }""",
        [svg, shape, [lattice.centre(cell) for cell in cells]],
    )
    return [cell for cell, found in zip(cells, inside, strict=True) if found]


def turned_as(page: Any, placement: Placement, lattice: Lattice = SQUARE) -> None:
    """Turn the piece in hand until it lies as in a placement."""
    wanted = lattice.normal_form(placement.cells)
    steps = lattice.order
    for step in range(2 * steps):
        if lattice.normal_form(shape_in_hand(page, placement.piece, lattice)) == wanted:
            return
        page.keyboard.press("f" if step == steps - 1 else "r")
    raise AssertionError(f"{placement.piece} cannot be turned so")


def shape_in_hand(page: Any, piece: str, lattice: Lattice) -> list[tuple[int, int]]:
    """Return the cells of a piece in the tray."""
    return cells_of(page, f'.item[data-piece="{piece}"] svg', "path.shape", lattice)


def grip(page: Any, piece: str, lattice: Lattice = SQUARE) -> tuple[float, float]:
    """Return where the first cell of a piece in the tray is on the screen."""
    first = shape_in_hand(page, piece, lattice)[0]
    x, y = page.evaluate(
        """([piece, [x, y]]) => {
            const item = document.querySelector(`.item[data-piece="${piece}"]`);
            item.scrollIntoView({block: 'nearest'});
            item.querySelector('svg').getAnimations().forEach((turn) => turn.finish());
            const at = new DOMPoint(x, y).matrixTransform(item.querySelector('svg').getScreenCTM());
            return [at.x, at.y];
        }""",
        [piece, list(lattice.centre(first))],
    )
    return x, y


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - 20, start[1] - 20, steps=2)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def solved_by_mouse(page: Any) -> None:
    """Solve Feb 29: take and turn each piece of the first tiling, and drag it to its place."""
    for number, one in enumerate(tiling(), start=1):
        page.locator(f'.item[data-piece="{one.piece}"]').click()
        turned_as(page, one)
        page.keyboard.press("Escape")
        drag(page, grip(page, one.piece), centre(page, one.cells[0]))
        has(page, ".pieces .piece", number)
    says(page, "Solved!")


def laid_by_keys(page: Any, one: Placement, lattice: Lattice = SQUARE) -> None:
    """Take a piece by Enter, turn it, move it by the arrows, lay it by Enter."""
    page.locator(f'.item[data-piece="{one.piece}"]').focus()
    page.keyboard.press("Enter")
    turned_as(page, one, lattice)
    moved_over(page, one, lattice)
    before = page.locator(".pieces .piece").count()
    page.keyboard.press("Enter")
    has(page, ".pieces .piece", before + 1)


def moved_over(page: Any, one: Placement, lattice: Lattice = SQUARE) -> None:
    """Move the ghost by the arrow keys to where a placement is."""
    wanted = sorted(one.cells)
    for _ in range(60):
        ghost = cells_of(page, ".stage svg", ".layer.ghost path", lattice)
        if ghost == wanted:
            return
        here, there = lattice.centre(ghost[0]), lattice.centre(wanted[0])
        right, down = there[0] - here[0], there[1] - here[1]
        if abs(down) > 0.1:
            page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    raise AssertionError(f"{one} is never reached")


def hash_of(page: Any, has: str = "") -> str:
    """Return what the address has behind its `#`, once that has these words.

    The page writes it when there is time, and Playwright's own `url` may be older.
    """
    page.wait_for_function("words => location.hash.includes(words)", arg=has)
    found: str = page.evaluate("location.hash")
    return found


def rests(page: Any) -> None:
    """Wait until nothing scrolls: for 20 frames the page has been where it is."""
    page.evaluate(
        """() => new Promise((done) => {
            let [last, frames] = [scrollY, 0];
            const look = () => {
                frames = scrollY === last ? frames + 1 : 0;
                last = scrollY;
                if (frames > 20) done();
                else requestAnimationFrame(look);
            };
            look();
        })"""
    )


def drop(page: Any, name: str, text: str) -> None:
    page.evaluate(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name));
            document.body.dispatchEvent(
                new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        [name, text],
    )
