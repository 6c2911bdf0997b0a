"""Print the slides of a built site as PDF, one slide a page: .ci/slides_pdf.py SITE.

Each `course/NAME/slides.html` gets a `slides.pdf` beside it. Needs the package playwright, and
Chromium: the program that CHROMIUM names, or playwright's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright


def print_slides(browser: Browser, deck: Path) -> Path:
    """Print a deck, and return the file."""
    page = browser.new_page()
    page.goto(deck.resolve().as_uri())
    path = deck.with_suffix(".pdf")
    page.pdf(path=path, prefer_css_page_size=True, print_background=True)
    page.close()
    return path


def main() -> None:
    """Print all decks."""
    decks = sorted(Path(sys.argv[1]).glob("course/*/slides.html"))
    if not decks:
        sys.exit(f"{sys.argv[1]}: no course/NAME/slides.html")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"))
        for deck in decks:
            print_slides(browser, deck)
        browser.close()


if __name__ == "__main__":
    main()
