"""Text from files made harmless for XML and HTML."""

from __future__ import annotations

import unicodedata

__all__ = ["harmless", "xml_text"]

REPLACEMENT = "\ufffd"

MEANING = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def harmless(text: str) -> str:
    """Return a text with control, direction and unassigned characters made visible.

    Line ends become blanks.
    """
    return "".join(
        " " if mark in "\t\n\r" else REPLACEMENT if unicodedata.category(mark)[0] == "C" else mark
        for mark in text.replace("\u2028", " ").replace("\u2029", " ")
    )


def xml_text(text: str) -> str:
    """Return a text for an element's content or for an attribute in quotes."""
    return "".join(MEANING.get(mark, mark) for mark in harmless(text))
