"""Let axe-core look at built pages in a browser: .ci/accessible.py SITE AXE [PAGE...].

Both themes, a desk's and a phone's width. It fails if axe finds anything, if a page is wider
than the window, or if one asks the network for something. SITE is the folder that mkdocs built,
AXE the file axe.min.js of the npm package axe-core; without pages all are looked at.
Needs the package playwright, and Chromium: the program that CHROMIUM names, or playwright's.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

SIZES = ((1280, 900), (390, 844))
LOCAL = ("file:", "data:", "blob:", "about:")
LEFT_OUT = ("play/index.html", "404.html")
"""A page with tests of its own; and one whose styles only a server finds."""
MOVED = re.compile(rb'http-equiv="refresh"')
"""What leads elsewhere at once."""


def faults(browser: Browser, site: Path, axe: str, pages: list[str]) -> Iterator[str]:
    """Yield a line for everything that is wrong."""
    for scheme in ("light", "dark"):
        for width, height in SIZES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True
            )
            for name in pages:
                asked: list[str] = []
                page = context.new_page()
                page.on("request", lambda request, asked=asked: asked.append(request.url))
                page.goto((site / name).as_uri())
                page.wait_for_function("document.readyState === 'complete'")
                page.evaluate(axe)
                found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
                place = f"{name}, {scheme}, {width} px"
                for fault in found["violations"]:
                    first = fault["nodes"][0]
                    yield (
                        f"{place}: {fault['id']} ({len(fault['nodes'])}): {first['target']}: "
                        f"{first['failureSummary']}"
                    )
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    yield f"{place}: wider than the window"
                for url in asked:
                    if not url.startswith(LOCAL):
                        yield f"{place}: asks for {url}"
                page.close()
            context.close()


def main() -> None:
    """Print what is wrong; exit with 1 if anything is."""
    site, axe = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).read_text(encoding="utf-8")
    files = sorted(path for path in site.rglob("*.html") if not MOVED.search(path.read_bytes()))
    every = [path.relative_to(site).as_posix() for path in files]
    pages = sys.argv[3:] or [name for name in every if name not in LEFT_OUT]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"]
        )
        count = 0
        for line in faults(browser, site, axe, pages):
            print(line, flush=True)
            count += 1
        browser.close()
    print(f"{len(pages)} pages, 2 themes, 2 widths: {count} faults")
    sys.exit(bool(count))


if __name__ == "__main__":
    main()
