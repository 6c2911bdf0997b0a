"""Text from files, and their names, made harmless for the place that they go to.

On a terminal that is `calmip.errors.shown`; here are XML, HTML, Markdown and tables as CSV that a
spreadsheet reads and does not run.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence

from calmip.errors import shown

__all__ = ["csv_cell", "csv_text", "harmless", "markdown_text", "xml_text"]


REPLACEMENT = "\ufffd"

FORMULA = ("=", "+", "-", "@")

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
    return MARKUP.sub(r"\\\g<0>", shown(text, len(text)))


def csv_cell(text: str) -> str:
    """Return a text for a cell of CSV; one that a spreadsheet takes for a formula gets a quote.

    Spreadsheets skip blanks before a formula, and some read full-width signs as plain ones.
    """
    start = unicodedata.normalize("NFKC", text).lstrip()
    cell = shown(text, len(text))
    return f"'{cell}" if start.startswith(FORMULA) or text[:1] in ("\t", "\r") else cell


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV with a header line.

    Texts are as `csv_cell` makes them.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_plain(name) for name in header])
    writer.writerows([_plain(value) for value in row] for row in rows)
    return stream.getvalue()


def _plain(value: object) -> object:
    return csv_cell(value) if isinstance(value, str) else value
