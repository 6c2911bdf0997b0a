"""Files of pairs and of numbers by name, and the tolerance of values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from calmip.mip.files.text_source import TextFile, read_source

TOLERANCE = 1e-6
"""A value this near to 0 or 1 is taken for it: solvers work in floating point."""


def is_csv(word: str | Path) -> bool:
    """Whether a word names a CSV file."""
    return str(word).lower().endswith(".csv")


def read_pairs(path: Path, form: str, example: str) -> dict[str, str]:
    """Return what stands behind the last comma of each line, by what stands before it.

    ``#`` begins a comment, the first line may be a header, and names may be quoted as in CSV.

    Parameters
    ----------
    path
        The file.
    form
        The form of a line for messages, such as ``COLUMN,PLACEMENT``; also the header.
    example
        A line for messages.
    """
    return {key: value for _, key, value in _pairs(read_source(path), form, example)}


def read_numbers(path: Path, form: str, example: str) -> dict[str, float]:
    """Return the finite numbers of a file by name; the parameters are those of `read_pairs`."""
    source = read_source(path)
    return {key: source.number(value, n) for n, key, value in _pairs(source, form, example)}


def _pairs(source: TextFile, form: str, example: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number of each line, and what it pairs."""
    known: set[str] = set()
    lines = (
        (number, text)
        for number, text in enumerate(source.lines, start=1)
        if text.strip() and not text.startswith("#")
    )
    for index, (number, text) in enumerate(lines):
        key, sign, value = (part.strip() for part in text.rpartition(","))
        if not sign or not key or not value:
            raise source.error(f"a line is {form}, such as {example}", number)
        if len(key) > 1 and key[0] == key[-1] == '"':
            key = key[1:-1].replace('""', '"')
        if not index and f"{key},{value}".lower() == form.lower():
            continue
        if key in known:
            what = form.partition(",")[0].lower()
            raise source.error(f"{what} {key[:60]!r} comes twice", number)
        known.add(key)
        yield number, key, value
