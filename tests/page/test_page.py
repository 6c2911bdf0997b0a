"""The page in a real browser: by mouse, by touch and by keyboard, from a file and over http."""

from __future__ import annotations

import contextlib
import functools
import http.server
import itertools
import threading
from pathlib import Path
from typing import Any

import pytest
from browsing import (
    ASSISTED,
    DAY,
    PHONE,
    USUAL,
    Opened,
    centre,
    drop,
    grip,
    has,
    hash_of,
    laid_by_keys,
    moved_over,
    reads,
    says,
    shows_left,
    solved_by_mouse,
    tiling,
    turned_as,
)
from page_modules import WEB

import calmip
from calmip import ExactCover
from calmip.cli import main
from calmip.puzzle.search.exact_cover.counting import count


@pytest.mark.long
def test_a_tiling_by_mouse(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    solved_by_mouse(page)
    reads(page, ".found summary", "Found 1 of 64")
    page.get_by_role("button", name="Undo").click()
    shows_left(page, 1)
    page.get_by_role("button", name="Redo").click()
    says(page, "found this solution before")


@pytest.mark.long
def test_a_tiling_by_touch(opened: Opened) -> None:
    page = opened(**PHONE)
    shows_left(page, 64)
    scrolled = page.evaluate("scrollY")
    session = page.context.new_cdp_session(page)

    def touch(kind: str, at: tuple[float, float] | None) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for number, one in enumerate(tiling(1), start=1):
        item = page.locator(f'.item[data-piece="{one.piece}"]')
        if number <= 4:
            # Two taps: the piece, then the cell that its middle is to cover.
            item.tap()
            page.wait_for_selector(f'.item[data-piece="{one.piece}"][aria-pressed=true]')
            turned_as(page, one)
            x, y = page.evaluate(
                """([name, cells]) => {
                    const all = cells.map(([r, c]) => [c + .5, r + .5]);
                    const mean = (k) => all.reduce((s, p) => s + p[k], 0) / all.length;
                    const [x, y] = [mean(0), mean(1)];
                    const far = all.map((p) => +Math.hypot(p[0] - x, p[1] - y).toFixed(6));
                    const [px, py] = all[far.indexOf(Math.min(...far))];
                    const svg = document.querySelector('.stage svg');
                    svg.scrollIntoView({block: 'center'});
                    const at = new DOMPoint(px, py).matrixTransform(svg.getScreenCTM());
                    return [at.x, at.y];
                }""",
                [one.piece, [list(cell) for cell in one.cells]],
            )
            page.touchscreen.tap(x, y)
        else:
            item.tap()
            page.wait_for_selector(f'.item[data-piece="{one.piece}"][aria-pressed=true]')
            turned_as(page, one)
            page.keyboard.press("Escape")
            start = grip(page, one.piece)
            x, y = centre(page, one.cells[0])
            before = page.evaluate("scrollY")
            touch("touchStart", start)
            for part in (0.2, 0.5, 0.8, 1.0):
                # The piece is held above the finger, which would hide it.
                end = (x, y + 56)
                touch(
                    "touchMove",
                    (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])),
                )
            touch("touchEnd", None)
            assert page.evaluate("scrollY") == before, "the page scrolled under the finger"
        page.wait_for_function(f"document.querySelectorAll('.pieces .piece').length === {number}")
    says(page, "Solved!")
    assert scrolled == 0


@pytest.mark.long
def test_a_tiling_by_keyboard(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    for one in tiling(2):
        laid_by_keys(page, one)
    says(page, "Solved!")
    reads(page, "p.live", "solved in")


def test_a_dead_end_is_said_with_what_to_take_off(opened: Opened) -> None:
    page = opened(DAY + "&placed=U:Apr+Jun+Oct+Nov+Dec;O6:1+2+3+8+9+10")
    says(page, "no solution left")
    found = calmip.hint(
        calmip.read_instance(
            "a-puzzle-a-day",
            reveal="Feb,29",
            placed="U:Apr+Jun+Oct+Nov+Dec O6:1+2+3+8+9+10",
        )
    )
    page.wait_for_selector(".remedy button")
    offered = page.locator(".remedy button").all_inner_texts()
    together = [" and ".join(found.take_off)] if found.take_off else []
    assert offered == [f"Take off {name}" for name in [*found.blocking, *together]]
    page.locator(".remedy button").first.click()
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")


def test_a_hint_lays_the_piece_that_most_tilings_share(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    page.get_by_role("button", name="Hint").click()
    found = calmip.hint(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
    assert found.piece is not None
    page.wait_for_function(
        "n => document.querySelector('.count')?.textContent === n", arg=str(found.tilings_left)
    )
    assert page.locator(".pieces .piece").get_attribute("data-piece") == found.piece.piece


def test_the_piece_in_hand_says_how_many_tilings_have_it(opened: Opened) -> None:
    page = opened()
    shows_left(page, 64)
    one = tiling()[0]
    page.locator(f'.item[data-piece="{one.piece}"]').focus()
    page.keyboard.press("Enter")
    turned_as(page, one)
    moved_over(page, one)
    instance = calmip.read_instance("a-puzzle-a-day", reveal="Feb,29")
    with_it = calmip.Instance(instance.puzzle, instance.labels, placed=(one,))
    reads(page, ".count", f"{count(ExactCover(with_it)):,}")
    page.wait_for_function("document.querySelectorAll('.layer.heat path').length > 10")


def test_an_address_opens_exactly_its_position(opened: Opened) -> None:
    page = opened(DAY + "&placed=U:Jan+Mar+Jul+Aug+Sep")
    page.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    page.get_by_text("Share").click()
    page.get_by_label("with a solution in it").check()
    whole = page.get_by_label("The address of this position").input_value()
    other = opened("#" + whole.partition("#")[2])
    pieces = "[...document.querySelectorAll('.pieces .piece path')].map(p => p.getAttribute('d'))"
    # The count of the tilings left comes from a thread: both pages are waited for.
    other.wait_for_function("Number(document.querySelector('.count')?.textContent) > 0")
    assert other.evaluate(pieces) == page.evaluate(pieces)
    assert other.inner_text(".count") == page.inner_text(".count")
    assert "solution=" in whole
    assert "solution=" not in hash_of(page)


def test_a_position_survives_a_reload(opened: Opened) -> None:
    page = opened("")
    page.wait_for_selector(".item")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("document.querySelectorAll('.pieces .piece').length === 1")
    placed = page.inner_html(".layer.pieces")
    start = page.url.partition("#")[0]
    hash_of(page, "placed=")
    page.goto(start)
    page.wait_for_function("document.querySelectorAll('.pieces .piece').length === 1")
    assert page.inner_html(".layer.pieces") == placed.replace("piece latest", "piece")


def test_the_year_is_counted_and_a_date_is_played(opened: Opened) -> None:
    page = opened(DAY + "&view=year")
    page.wait_for_selector("progress[hidden]", state="attached")
    has(page, ".day", 366)
    reads(page, ".facts", "366 dates, 24,405 solutions")
    hardest = page.get_by_role("button", name="Oct 6 (7)")
    hardest.click()
    shows_left(page, 7)
    page.wait_for_function("document.title.includes('Oct')")


def test_the_model_lights_its_equations_and_saves_its_files(opened: Opened, tmp_path: Path) -> None:
    page = opened(DAY + "&view=model")
    page.mouse.move(*centre(page, (2, 0)))
    page.wait_for_function("document.querySelector('.equation')?.textContent.startsWith('c_20: ')")
    cover = ExactCover(calmip.read_instance("a-puzzle-a-day", date="2024-02-29"))
    item = [one.name for one in cover.items].index("c_20")
    columns = [cover.option_names[option] for option in cover.options_of()[item]]
    reads(page, ".equation", f"c_20: {' + '.join(columns)} = 1")
    page.locator(".equation button").nth(3).hover()
    has(page, ".lit-piece", 1)
    for kind in ("mps", "lp"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Download .{kind}").click()
        path = tmp_path / f"m.{kind}"
        assert main(["export", "a-puzzle-a-day", "--date", "2024-02-29", "-o", str(path)]) == 0
        assert Path(saved.value.path()).read_bytes() == path.read_bytes()


def test_a_pointer_over_the_matrix_lights_it_and_draws_it_no_second_time(opened: Opened) -> None:
    page = opened("#puzzle=kao-pentomino-8x8&view=model")
    page.wait_for_selector("canvas.matrix")
    page.evaluate(
        """() => {
            globalThis.drawn = 0;
            const pen = CanvasRenderingContext2D.prototype;
            for (const name of ['fillRect', 'drawImage', 'clearRect']) {
                const before = pen[name];
                pen[name] = function (...given) { drawn += 1; return before.apply(this, given); };
            }
        }"""
    )
    spots = "[...document.querySelectorAll('.spots rect')].map((one) => one.outerHTML)"
    seen = [page.evaluate(spots)]
    assert len(seen[0]) == 1, "the first row"
    for part in (0.2, 0.5, 0.8):
        x, y = page.evaluate(
            """part => {
                const canvas = document.querySelector('canvas.matrix');
                canvas.scrollIntoView({block: 'center'});
                const {x, y, width, height} = canvas.getBoundingClientRect();
                return [x + part * width, y + part * height];
            }""",
            part,
        )
        page.mouse.move(x, y)
        page.wait_for_function(f"before => ({spots}).join() !== before", arg=",".join(seen[-1]))
        seen.append(page.evaluate(spots))
        row = page.locator("#row").input_value()
        assert f'y="{row}"' in seen[-1][0]
        # A column of five cells and a piece.
        assert len(seen[-1]) == 1 + 6
    assert page.evaluate("drawn") == 0


def test_the_lab_relaxes_branches_and_solves(opened: Opened) -> None:
    page = opened(DAY + "&view=lab")
    page.get_by_role("button", name="Relax").click()
    page.wait_for_selector(".candidate")
    reads(page, ".facts", "bound: 41 of 41 cells")
    for nodes in (2, 3):
        page.locator(".candidate button").first.click()
        page.wait_for_function(
            "n => document.querySelector('.facts')?.textContent.includes(`you: ${n} nodes`)",
            arg=nodes,
        )
    has(page, ".tree .node", 5)
    # Fix placements that overlap: that node is empty, and grey.
    page.locator(".tree .node.open").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.facts')?.textContent.includes('4 nodes')")
    page.get_by_role("button", name="Solve with HiGHS").click()
    page.wait_for_function(
        "document.querySelector('.facts')?.textContent.includes('HiGHS: a tiling after')",
    )
    reads(page, ".lab-log", "HiGHS")
    has(page, ".pieces .piece", 8)


def test_all_tilings_by_cuts_agree_with_the_search(opened: Opened) -> None:
    page = opened("#puzzle=a-puzzle-a-day&date=2024-10-06&view=lab")
    page.locator("#lab-how").select_option("all")
    page.get_by_role("button", name="Solve with HiGHS").click()
    page.wait_for_function(
        "document.querySelector('.facts')?.textContent.includes('the exact-cover search counts')",
    )
    reads(
        page,
        ".facts",
        "7 tilings found, and HiGHS finds no more; the exact-cover search counts as many",
    )


MISTAKE = "grid: ['1 2 3', '4 5 6']\npieces:\n- I3\n- Q9\n"
OWN = "name: mine\ngrid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: [I3, I2]\n"


def test_an_own_puzzle_is_dropped_and_its_mistakes_are_said(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened()
    drop(page, "own.yaml", MISTAKE)
    page.wait_for_selector(".message")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(MISTAKE, encoding="utf-8")
    with pytest.raises(calmip.InputError) as found:
        calmip.read_puzzle("own.yaml")
    reads(page, ".message span", str(found.value))
    drop(page, "own.yaml", OWN)
    page.wait_for_function("document.title.startsWith('mine')")
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    tilings = count(ExactCover(calmip.read_instance("own.yaml", reveal="one=1")))
    assert tilings
    shows_left(page, tilings)
    # The address carries the puzzle itself.
    other = opened(hash_of(page, "yaml="))
    shows_left(other, tilings)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("#puzzle=nothing", "nothing: no such bundled puzzle"),
        ("#date=2024-02-30", "'2024-02-30' is not a date"),
        ("#puzzle=a-puzzle-a-day&reveal=Feb,99", "'99' is not a label"),
        (DAY + "&placed=U:1", "do not have the shape of piece U"),
        (DAY + "&placed=U", "does not say what lies where"),
        (DAY + "&placed=Q:1", "'Q' is not a piece"),
        ("#view=moon", "there is no view 'moon'"),
        ("#lock=year", "lock=year is not possible; it may be play, model, lab"),
        ("#puzzle=%E0%A4%A", "broken text"),
        ("#yaml=grid:%201", "puzzle.yaml:1: "),
        ("#<script>alert(1)</script>", "the address has"),
    ],
)
def test_a_broken_address_is_a_sentence(opened: Opened, address: str, words: str) -> None:
    page = opened(address)
    reads(page, ".messages", words)
    page.wait_for_selector(".board-drawing")
    page.wait_for_function("/^[0-9,]+$/.test(document.querySelector('.count')?.textContent)")


def test_a_browser_without_storage_and_webassembly(browser: Any, file: Path) -> None:
    with contextlib.closing(browser.new_context(**USUAL)) as context:
        context.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});"
            "delete window.WebAssembly;"
        )
        page = context.new_page()
        page.goto(file.as_uri() + DAY)
        reads(page, ".status", "0 of 8 pieces placed")
        page.get_by_label("Assist").select_option("full")
        shows_left(page, 64)
        reads(page, ".messages", "saves nothing for this page")
        page.get_by_role("button", name="The lab").click()
        page.get_by_role("button", name="Relax").click()
        page.wait_for_function(
            "document.querySelector('.messages')?.textContent.includes('no WebAssembly')"
        )


def test_a_browser_without_threads_searches_all_the_same(browser: Any, file: Path) -> None:
    with contextlib.closing(browser.new_context(**USUAL)) as context:
        context.add_init_script(ASSISTED)
        context.add_init_script("delete window.Worker;")
        page = context.new_page()
        page.goto(file.as_uri() + DAY)
        shows_left(page, 64)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


def test_the_page_of_the_site_finds_its_solver_over_http(opened: Opened, tmp_path: Path) -> None:
    from calmip.puzzle.tasks.play import more_script, page_text, solver_script

    (tmp_path / "index.html").write_text(page_text(whole=False), encoding="utf-8")
    (tmp_path / "highs.js").write_text(solver_script(), encoding="utf-8")
    (tmp_path / "more.js").write_text(more_script(), encoding="utf-8")
    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        for start in (address, (tmp_path / "index.html").as_uri()):
            page = opened(DAY + "&view=lab", address=start, bypass_csp=False)
            page.get_by_role("button", name="Relax").click()
            page.wait_for_selector(".candidate")
            page.get_by_role("button", name="The model").click()
            page.wait_for_selector(".matrix")
            page.get_by_role("button", name="All puzzles").click()
            page.get_by_role("button", name="Make a puzzle").click()
            page.wait_for_selector(".editor[open] .draft svg")
        server.shutdown()


@pytest.mark.long
def test_the_policy_of_the_page_refuses_nothing_that_it_does(opened: Opened) -> None:
    # Whatever is refused is a line on the console, and a fault.
    for view, system in itertools.product(("play", "model", "year", "lab"), ("light", "dark")):
        page = opened(f"{DAY}&view={view}", bypass_csp=False, color_scheme=system)
        page.wait_for_selector("button:visible")
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (colour == "rgb(255, 255, 255)") == (system == "light")
    page.get_by_role("button", name="Relax").click()
    page.wait_for_selector(".candidate")


@pytest.mark.long
def test_the_policy_of_the_page_refuses_the_scripts_and_styles_of_others(
    browser: Any, file: Path
) -> None:
    said: list[str] = []
    with contextlib.closing(browser.new_context()) as context:
        page = context.new_page()
        page.on("console", lambda one: said.append(one.text))
        page.goto(file.as_uri())
        page.evaluate(
            """() => {
                const add = (kind, textContent) => document.body.append(
                    Object.assign(document.createElement(kind), { textContent }));
                add("script", "window.injected = 1");
                add("style", "body { opacity: 0.5 !important }");
                document.body.setAttribute("onclick", "window.injected = 2");
                document.body.click();
            }"""
        )
        assert page.evaluate("window.injected") is None
        assert page.evaluate("getComputedStyle(document.body).opacity") == "1"
    assert len([line for line in said if "Content Security Policy" in line]) >= 3


@pytest.mark.parametrize("system", ["light", "dark"])
def test_in_a_frame_of_the_site_it_has_the_site_s_theme(
    opened: Opened, file: Path, tmp_path: Path, system: str
) -> None:
    script = (WEB.parent / ".ci/docs_build" / "theme" / "assets" / "site.js").as_uri()
    home = tmp_path / "home.html"
    home.write_text(
        '<!DOCTYPE html><html lang="en"><body data-md-color-scheme="slate"><main class="hero">'
        f'<iframe src="{file.as_uri()}#small"></iframe></main><script src="{script}"></script>'
    )
    page = opened("", address=home.as_uri(), color_scheme=system)
    frame = page.frames[1]
    frame.wait_for_selector("main > *")
    white = "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'"
    for theme, is_white in (("slate", False), ("default", True), ("slate", False)):
        page.evaluate(f"document.body.dataset.mdColorScheme = '{theme}'")
        frame.wait_for_function(f"({white}) === {str(is_white).lower()}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("view", "size"),
    [("play", USUAL), ("play", PHONE), ("year", USUAL), ("model", USUAL), ("lab", USUAL)],
)
def test_no_view_violates_a_rule_of_axe(
    opened: Opened, view: str, size: dict[str, Any], scheme: str
) -> None:
    axe = WEB / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.is_file():
        from requirements import missing

        missing("axe-core (npm ci in web/)")
    hash_ = f"{DAY}&placed=U:Jan+Mar+Jul+Aug+Sep&view={view}"
    page = opened(hash_, color_scheme=scheme, **size)
    if view == "year":
        page.wait_for_selector("progress[hidden]", state="attached")
    elif view == "lab":
        page.get_by_role("button", name="Relax").click()
        page.wait_for_selector(".candidate")
        page.locator(".candidate button").first.click()
        page.wait_for_selector(".tree .node.open")
    elif view == "play":
        for summary in page.locator("summary").all():
            summary.click()
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {preload: false})")
    faults = [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"][:2]
    ]
    assert not faults, "\n".join(faults)
