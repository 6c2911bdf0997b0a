"""Escape text from files, and file names, for the place where they are shown.

For terminals there is `calmip._base.errors.clip`, for CSV
`calmip.puzzle.documents.serialise.csv_text`. Here are XML, HTML, Markdown and LaTeX.
"""

from __future__ import annotations

import re
import unicodedata

from calmip._base.errors import clip

REPLACEMENT = "\ufffd"

MARKUP = re.compile(r"[\\`*\[\]<>|&~$]|(?<![^\W_])_|_(?![^\W_])|^#")
"""What Markdown takes for markup: these signs, ``_`` at the edge of a word, and ``#`` at the
start."""

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


def markdown_text(text: str) -> str:
    """Return a text for a paragraph or a cell of a table in Markdown, on one line."""
    return MARKUP.sub(r"\\\g<0>", clip(text, len(text)))


LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}
"""What LaTeX takes for commands, and how it prints it."""


def latex_text(text: str) -> str:
    """Return a text for a cell of a table in LaTeX, on one line."""
    return "".join(LATEX.get(mark, mark) for mark in clip(text, len(text)))
