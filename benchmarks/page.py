"""What the page of ``calmip play`` needs: bytes, and milliseconds in a browser.

``python -m benchmarks.page`` opens the page in Chromium (playwright; web/node_modules for
Lighthouse) and prints a table. Wall time of one browser on an idle machine; on a busy one
read the ratios. Other pages of this kind are measured as files alone: name theirs with
``--peer NAME=PATH``.
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

from calmip.documents.collection import bundled_puzzles
from calmip.tasks.play import page_text, solver_script

WEB = Path(__file__).parents[1] / "web"
DATES = [
    f"2024-{month:02}-{day:02}" for month, day in zip(range(1, 13), range(5, 29, 2), strict=True)
]
LARGE = ("kao-pentomino-8x8", "kao-pentomino-year-8x8", "sahuyu-pentomino-8x8")
COUNTED = """() => {
    const count = document.querySelector('.count').textContent;
    const status = document.querySelector('.status').textContent;
    return /^[0-9,]+$/.test(count) && /left$/.test(status);
}"""

Row = tuple[str, str, str]


def sizes(peers: dict[str, Path]) -> Iterator[Row]:
    small, whole = page_text(whole=False).encode(), page_text().encode()
    yield "page without HiGHS", f"{kilo(small)} kB gzip", "100 kB"
    yield "page with HiGHS", f"{len(whole) / 1e6:.2f} MB, {kilo(whole)} kB gzip", ""
    for name, path in peers.items():
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        data = b"".join(file.read_bytes() for file in files)
        yield f"  {name}", f"{len(data) / 1e6:.2f} MB, {kilo(data)} kB gzip", ""


def kilo(data: bytes) -> str:
    return f"{len(gzip.compress(data, 9)) / 1000:.1f}"


def seconds(page: Any, action: Callable[[], object], ready: str) -> float:
    """Return how long it takes from an action to a condition, by the browser's clock."""
    begun = page.evaluate("performance.now()")
    action()
    page.wait_for_function(ready, polling=1)
    return float(page.evaluate("performance.now()") - begun) / 1000


def after_pieces(open_page: Callable[[str], Any], name: str, pieces: int) -> list[float]:
    """Return the times of counting after so many pieces, laid by hints, on some dates."""
    found = []
    for date in DATES[:6]:
        page = open_page(f"#puzzle={name}&date={date}")
        page.wait_for_function(COUNTED, timeout=60_000)
        for piece in range(1, pieces + 1):
            took = seconds(
                page,
                lambda page=page: page.get_by_role("button", name="Hint").click(),
                f"document.querySelectorAll('.pieces .piece').length === {piece}"
                f" && ({COUNTED.replace('left$', 'left|tilings.$')})()",
            )
        found.append(took)
        page.close()
    return found


def timings(open_page: Callable[[str], Any]) -> Iterator[Row]:
    page = open_page("#puzzle=a-puzzle-a-day&date=2024-02-29")
    first = page.evaluate(
        "performance.getEntriesByType('paint').find(p => p.name === 'first-contentful-paint')"
        "?.startTime ?? 0"
    )
    yield "first picture", f"{first:.0f} ms", "100 ms"
    took = seconds(
        page,
        lambda: page.get_by_role("button", name="The year").click(),
        "document.querySelector('progress')?.hidden",
    )
    yield "year of A-Puzzle-A-Day", f"{took * 1000:.0f} ms", "500 ms"
    page.close()
    for name, pieces, goal in [("a-puzzle-a-day", 1, "50 ms"), *((n, 2, "300 ms") for n in LARGE)]:
        took = statistics.median(after_pieces(open_page, name, pieces))
        yield f"tilings left, {name}, piece {pieces}", f"{took * 1000:.0f} ms", goal
    slowest = ("", 0.0)
    for name in bundled_puzzles():
        page = open_page(f"#puzzle={name}&view=year")
        page.evaluate("document.querySelector('.tabs button').click()")
        begun = page.evaluate("performance.now()")
        page.wait_for_function(
            "/[1-9]/.test(document.querySelector('.count')?.textContent ?? '')", timeout=60_000
        )
        took = float(page.evaluate("performance.now()") - begun) / 1000
        slowest = max(slowest, (name, took), key=lambda pair: pair[1])
        page.close()
    yield f"first tiling, slowest board ({slowest[0]})", f"{slowest[1] * 1000:.0f} ms", "100 ms"
    ready, solved = [], []
    for date in DATES:
        page = open_page(f"#puzzle=a-puzzle-a-day&date={date}&view=lab")
        ready.append(
            seconds(
                page,
                lambda page=page: page.get_by_role("button", name="Relax").click(),
                "document.querySelector('.candidate') || /whole/.test(document.body.innerText)",
            )
        )
        page.get_by_role("button", name="Solve with HiGHS").click()
        page.wait_for_function("/HiGHS: .* s/.test(document.querySelector('.facts').innerText)")
        text = page.inner_text(".facts")
        solved.append(max(float(text.rpartition(", ")[2].split()[0]), 0.005))
        page.close()
    yield "HiGHS loaded and first relaxation", f"{statistics.median(ready) * 1000:.0f} ms", "500 ms"
    mean = statistics.geometric_mean(solved)
    yield f"HiGHS, geometric mean of {len(DATES)} dates", f"{mean * 1000:.0f} ms", "300 ms"


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


class Packed(http.server.SimpleHTTPRequestHandler):
    """A server that packs what it sends, as servers of pages do."""

    def do_GET(self) -> None:
        """Send a file, packed."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        data = gzip.compress(path.read_bytes())
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
            page.goto(address + hash_)
            return page

        show(timings(open_page))
        browser.close()
        if not given.no_lighthouse:
            show(lighthouse(address, chromium))


if __name__ == "__main__":
    main()
