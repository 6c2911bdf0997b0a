"""What `calmip play` says: where the page is."""

from __future__ import annotations

from calmip.tasks.play import Page

__all__ = ["text"]


def text(page: Page) -> str:
    """Return where the page is, and whether a browser shows it."""
    if page.opened:
        return f"{page.path}: opened in the browser\n"
    return f"{page.path}: open it in a browser\n"
