"""What the page of ``calmip play`` needs: bytes, and milliseconds in a browser.

``python -m benchmarks.page`` opens the page in Chromium (playwright; web/node_modules for
Lighthouse) and prints a table. Wall time of one browser on an idle machine; on a busy one
read the ratios, and the rows of tasks, which are CPU time. Other pages of this kind are
measured as files alone: name theirs with ``--peer NAME=PATH``. ``--boards`` has the longest tasks
of all bundled puzzles (median, total and the worst three) and the heap alone.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calmip import bundled_puzzles
from calmip.puzzle.tasks.play import more_script, page_text, solver_script

WEB = Path(__file__).parents[1] / "web"
DATES = [
    f"2024-{month:02}-{day:02}" for month, day in zip(range(1, 13), range(5, 29, 2), strict=True)
]
LARGE = ("kao-pentomino-8x8", "kao-pentomino-year-8x8", "sahuyu-pentomino-8x8")
COUNTED = "/^[0-9,]+$/.test(text('.count')) && /(left|tilings?[.])$/.test(text('.status'))"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
MEASURE = """async ([action, ready]) => {
    // The page's own time: looked at whenever the page changes, and to the end of that frame.
    const text = (at) => document.querySelector(at)?.textContent ?? '';
    const isReady = () => eval(ready);
    const begun = performance.now();
    eval(action);
    await new Promise((done) => {
        const look = () => isReady() && (watch.disconnect(), done());
        const watch = new MutationObserver(look);
        watch.observe(document, {
            subtree: true, childList: true, characterData: true, attributes: true});
        look();
    });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return (performance.now() - begun) / 1000;
}"""

Row = tuple[str, str, str]


def sizes(peers: dict[str, Path]) -> Iterator[Row]:
    small, whole = page_text(whole=False).encode(), page_text().encode()
    yield "page without HiGHS", f"{kilo(small)} kB gzip", "91 kB"
    yield "page with HiGHS", f"{len(whole) / 1e6:.2f} MB, {kilo(whole)} kB gzip", ""
    for name, path in peers.items():
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        data = b"".join(file.read_bytes() for file in files)
        yield f"  {name}", f"{len(data) / 1e6:.2f} MB, {kilo(data)} kB gzip", ""


def kilo(data: bytes) -> str:
    return f"{len(gzip.compress(data, 9)) / 1000:.1f}"


def seconds(page: Any, action: str, ready: str) -> float:
    """Return how long the page takes from an action to the frame that shows a condition."""
    return float(page.evaluate(MEASURE, [action, ready]))


def press(name: str) -> str:
    """Return the script that presses the button with a name."""
    return (
        "[...document.querySelectorAll('button')]"
        f".find((button) => button.textContent.endsWith('{name}')).click()"
    )


def after_pieces(open_page: Callable[[str], Any], name: str, pieces: int) -> list[float]:
    """Return the times of counting after a number of pieces, laid by hints, on some dates."""
    found = []
    for date in DATES[:6]:
        page = open_page(f"#puzzle={name}&date={date}")
        seconds(page, "", COUNTED)
        for piece in range(1, pieces + 1):
            laid = f"document.querySelectorAll('.pieces .piece').length === {piece}"
            took = seconds(page, press("Hint"), f"{laid} && {COUNTED}")
        found.append(took)
        page.close()
    return found


def first_picture(open_page: Callable[[str], Any], hash_: str) -> float:
    """Return when a page shows its first picture, in milliseconds: the median of seven."""
    found = []
    for _ in range(7):
        page = open_page(hash_)
        page.wait_for_function(PAINTED)
        found.append(float(page.evaluate(PAINTED)))
        page.close()
    return statistics.median(found)


def timings(open_page: Callable[[str], Any]) -> Iterator[Row]:
    date = "date=2024-02-29"
    yield "first picture of an empty page", f"{first_picture(open_page, 'empty.html'):.0f} ms", ""
    first = first_picture(open_page, f"#puzzle=a-puzzle-a-day&{date}")
    yield "first picture, ready to play", f"{first:.0f} ms", "100 ms"
    found = []
    for _ in range(3):
        page = open_page(f"#puzzle=a-puzzle-a-day&{date}")
        seconds(page, "", COUNTED)
        done = "document.querySelector('progress')?.hidden"
        found.append(seconds(page, press("The year"), done))
        page.close()
    yield "year of A-Puzzle-A-Day", f"{statistics.median(found) * 1000:.0f} ms", "500 ms"
    for name, pieces, goal in [("a-puzzle-a-day", 1, "50 ms"), *((n, 2, "300 ms") for n in LARGE)]:
        took = statistics.median(after_pieces(open_page, name, pieces))
        yield f"tilings left, {name}, piece {pieces}", f"{took * 1000:.0f} ms", goal
    slowest = ("", 0.0)
    for name in bundled_puzzles():
        other = "heart-set1" if name != "heart-set1" else "a-puzzle-a-day"
        page = open_page(f"#puzzle={other}&{date}")
        seconds(page, "", COUNTED)
        choose = (
            "const choose = document.querySelector('#puzzle');"
            f"choose.value = '{name}'; choose.dispatchEvent(new Event('change'))"
        )
        title = page.evaluate(f"document.querySelector('#puzzle [value=\"{name}\"]').textContent")
        there = f"document.title.startsWith({json.dumps(title)})"
        took = seconds(page, choose, f"{there} && /[1-9]/.test(text('.count'))")
        slowest = max(slowest, (name, took), key=lambda pair: pair[1])
        page.close()
    yield f"first tiling, slowest board ({slowest[0]})", f"{slowest[1] * 1000:.0f} ms", "100 ms"
    ready, solved = [], []
    for date in DATES:
        page = open_page(f"#puzzle=a-puzzle-a-day&date={date}&view=lab")
        relaxed = "document.querySelector('.candidate') || /integral/.test(text('.facts'))"
        page.get_by_role("button", name="Relax").wait_for()
        ready.append(seconds(page, press("Relax"), relaxed))
        page.get_by_role("button", name="Solve with HiGHS").click()
        page.wait_for_function("/HiGHS: .* s/.test(document.querySelector('.facts').innerText)")
        text = page.inner_text(".facts")
        solved.append(max(float(text.rpartition(", ")[2].split()[0]), 0.005))
        page.close()
    yield "HiGHS loaded and first relaxation", f"{statistics.median(ready) * 1000:.0f} ms", "500 ms"
    mean = statistics.geometric_mean(solved)
    yield f"HiGHS, geometric mean of {len(DATES)} dates", f"{mean * 1000:.0f} ms", "300 ms"


THROTTLE = 4
TRACED = ["disabled-by-default-devtools.timeline"]
BOX = """at => {
    const one = document.querySelector(at);
    one.scrollIntoView({block: 'center'});
    const {x, y, width, height} = one.getBoundingClientRect();
    return [x, y, width, height];
}"""


def over(selector: str) -> Callable[[Any], None]:
    """Return what moves a pointer all over an element."""

    def move(page: Any) -> None:
        x, y, width, height = page.evaluate(BOX, selector)
        for step in range(30):
            across, down = (step + 0.5) / 30, (step * 7 % 30 + 0.5) / 30
            page.mouse.move(x + width * across, y + height * down)

    return move


def dragged(page: Any) -> None:
    """Drag a piece all over the board."""
    x, y, width, height = page.evaluate(BOX, ".tray .item")
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    over(".stage svg")(page)
    page.mouse.up()


def clicks(*selectors: str) -> Callable[[Any], None]:
    """Return what clicks on one element after the other."""

    def click(page: Any) -> None:
        for selector in selectors:
            page.locator(selector).first.click()
            page.wait_for_timeout(500)

    return click


EVERYWHERE: dict[str, tuple[str, Callable[[Any], None] | None]] = {
    "opening": ("play", None),
    "a drag and a hint": (
        "play",
        lambda page: (dragged(page), clicks(".play .tools button:nth-child(6)")(page)),
    ),
    "back to play": ("year", clicks(".tabs [data-key=play]")),
}
"""What every board is to do without a long task."""

ACTIONS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "the pointer over the matrix": ("model", over("canvas.matrix")),
    "the pointer over the model's board": ("model", over(".stage svg")),
    "a drag over the board": ("play", dragged),
    "hints": ("play", clicks(*[".play .tools button:nth-child(6)"] * 3)),
    "the other views": (
        "play",
        clicks(*(f".tabs [data-key={v}]" for v in ("year", "model", "lab"))),
    ),
    "the gallery and the editor": ("play", clicks(".roomy", ".puzzles .row button")),
    "another date": ("play", clicks(".dates button", ".dates button")),
}


def tasks(browser: Any, open_page: Callable[[str], Any]) -> Iterator[Row]:
    """Yield the longest task of the page's thread in each action, on the largest boards.

    That is the CPU time of the task, times the throttle: a busy machine does not alter it.
    """
    for what, (view, action) in ACTIONS.items():
        longest = max(longest_task(browser, open_page, name, view, action) for name in LARGE)
        yield f"longest task, {what}, {THROTTLE}x", f"{longest:.0f} ms", "200 ms"
    for view in ("play", "model"):
        longest = max(longest_task(browser, open_page, name, view, None) for name in LARGE)
        yield f"longest task, opening the view {view}, {THROTTLE}x", f"{longest:.0f} ms", "200 ms"


def boards(browser: Any, open_page: Callable[[str], Any]) -> Iterator[Row]:
    """Yield the longest task of each board in what players do: over all boards, and the worst."""
    for what, (view, action) in EVERYWHERE.items():
        found = {
            name: longest_task(browser, open_page, name, view, action, rounds=1)
            for name in bundled_puzzles()
        }
        task = f"longest task, {what}"
        median, total = statistics.median(found.values()), sum(found.values())
        yield f"{task}, median of {len(found)}, {THROTTLE}x", f"{median:.0f} ms", ""
        yield f"{task}, total of {len(found)}, {THROTTLE}x", f"{total:.0f} ms", ""
        for name, took in sorted(found.items(), key=lambda pair: -pair[1])[:3]:
            yield f"{task}, {name}, {THROTTLE}x", f"{took:.0f} ms", "200 ms"


WAITED = {"model": "canvas.matrix", "year": "main > .year"}
"""What shows that a view is there; else it is a piece."""


def longest_task(
    browser: Any,
    open_page: Callable[[str], Any],
    name: str,
    view: str,
    action: Callable[[Any], None] | None,
    rounds: int = 3,
) -> float:
    """Return the throttled milliseconds of the longest task while an action runs.

    The median of the rounds; without an action, it is that of opening the page.
    """
    found = []
    hash_ = f"#puzzle={name}&date=2024-02-29&view={view}"
    for _ in range(rounds):
        page = open_page("empty.html" if action is None else hash_)
        if action is not None:
            page.wait_for_selector(WAITED.get(view, ".item"))
            page.wait_for_timeout(1000)
        browser.start_tracing(page=page, categories=TRACED)
        if action is None:
            page.goto(page.url.replace("empty.html", hash_))
            page.wait_for_selector("main > *")
        else:
            action(page)
        page.wait_for_timeout(1000)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        page.close()
        # Chromium has pages of its own, in other processes.
        shown = {
            frame["processId"]
            for event in events
            if event["name"] in ("TracingStartedInBrowser", "FrameCommittedInBrowser")
            for frame in event["args"]["data"].get("frames", [event["args"]["data"]])
        }
        own = {
            (event["pid"], event["tid"])
            for event in events
            if event["name"] == "thread_name"
            and event["args"]["name"] == "CrRendererMain"
            and event["pid"] in shown
        }
        found.append(
            max(
                event["tdur"] / 1000 * THROTTLE
                for event in events
                if event["name"] == "RunTask"
                and event.get("tdur")
                and (event["pid"], event["tid"]) in own
            )
        )
    return statistics.median(found)


HEAP = """async (days) => {
    const after = [...document.querySelectorAll('.dates button')][1];
    for (let day = 0; day < days; day += 1) {
        after.click();
        await new Promise((done) => setTimeout(done, 30));
    }
}"""


def heap(open_page: Callable[[str], Any]) -> Iterator[Row]:
    """Yield how much the page holds after a hundred days, and after a hundred more."""
    page = open_page("#puzzle=a-puzzle-a-day&date=2024-02-29")
    page.wait_for_selector(".item")
    session = page.context.new_cdp_session(page)
    found, nodes = [], []
    for days in (100, 100):
        page.evaluate(HEAP, days)
        for _ in range(2):
            session.send("HeapProfiler.collectGarbage")
        found.append(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
        nodes.append(session.send("Memory.getDOMCounters")["nodes"])
    page.close()
    yield "heap after 100 and 200 days", f"{found[0]:.2f} MB, {found[1]:.2f} MB", "4 MB"
    yield "nodes after 100 and 200 days", f"{nodes[0]}, {nodes[1]}", "the same"


def lighthouse(address: str, chromium: str) -> Iterator[Row]:
    npx = shutil.which("npx")
    if npx is None:
        return
    command = [npx, "--yes", "lighthouse@12.8.2", address, "--output=json", "--quiet"]
    command.append("--chrome-flags=--headless --no-sandbox")
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CHROME_PATH": chromium},
    )
    if done.returncode:
        yield "Lighthouse", done.stderr.strip().splitlines()[-1][:60], ""
        return
    for name, category in json.loads(done.stdout)["categories"].items():
        goal = "0.95" if name == "performance" else "1.00"
        yield f"Lighthouse, {name}", f"{category['score']:.2f}", goal


@functools.cache
def packed(path: Path) -> bytes:
    """Return a file's bytes with gzip, packed once: no page is to wait for that."""
    return gzip.compress(path.read_bytes())


class Packed(http.server.SimpleHTTPRequestHandler):
    """A server that packs what it sends, as servers of pages do."""

    def do_GET(self) -> None:
        """Send a file, packed."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        data = packed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text(page_text(whole=False), encoding="utf-8")
        (Path(folder) / "highs.js").write_text(solver_script(), encoding="utf-8")
        (Path(folder) / "more.js").write_text(more_script(), encoding="utf-8")
        (Path(folder) / "empty.html").write_text("<!doctype html><p>empty", encoding="utf-8")
        (Path(folder) / "robots.txt").write_text("User-agent: *\nAllow: /\n", encoding="utf-8")
        handler = functools.partial(Packed, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/"
            server.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--no-lighthouse", action="store_true")
    parser.add_argument("--boards", action="store_true")
    given = parser.parse_args()
    peers = {name: Path(path) for name, _, path in (text.partition("=") for text in given.peer)}
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or ""

    def show(rows: Iterator[Row]) -> None:
        for what, measured, goal in rows:
            print(f"{what:48} {measured:32} {goal and 'goal ' + goal}", flush=True)

    show(sizes(peers))
    from playwright.sync_api import sync_playwright

    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def open_page(hash_: str) -> Any:
            page = browser.new_page(bypass_csp=True)
            # Else the page of a new visitor shows no numbers.
            page.add_init_script("localStorage.setItem('calmip.assist', 'full')")
            page.goto(address + hash_)
            return page

        show(heap(open_page))
        if given.boards:
            show(boards(browser, open_page))
        else:
            show(tasks(browser, open_page))
            show(timings(open_page))
        browser.close()
        if not given.no_lighthouse:
            show(lighthouse(address, chromium))


if __name__ == "__main__":
    main()
