"""Which column of somebody's model is which placement: lines ``COLUMN,PLACEMENT``."""

from __future__ import annotations

from pathlib import Path

from calmip.formats.reading import read_source

__all__ = ["read_column_names"]


def read_column_names(path: Path) -> dict[str, str]:
    """Return the placement's name for every column that a file names.

    Empty lines and lines that begin with ``#`` are passed over.

    Raises
    ------
    InputError
        If the file cannot be read, a line is not of this form, or a column comes twice.
    """
    source = read_source(path)
    names: dict[str, str] = {}
    for number, text in enumerate(source.lines, start=1):
        if not text.strip() or text.startswith("#"):
            continue
        column, sign, option = (part.strip() for part in text.rpartition(","))
        if not sign or not column or not option:
            raise source.error("a line is COLUMN,PLACEMENT, such as x[17],U_b30", number)
        if column in names:
            raise source.error(f"column {column[:60]!r} comes twice", number)
        names[column] = option
    return names
