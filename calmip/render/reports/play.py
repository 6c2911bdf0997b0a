"""What `calmip play` says: where the page is."""

from __future__ import annotations

from calmip.errors import shown
from calmip.tasks.play import Page

__all__ = ["text"]


def text(page: Page) -> str:
    """Return where the page is, and whether a browser shows it."""
    if page.opened:
        return f"{shown(page.path, 300)}: opened in the browser\n"
    return f"{shown(page.path, 300)}: open it in a browser\n"
