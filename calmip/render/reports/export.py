"""What was written, in a line."""

from __future__ import annotations

from calmip.errors import shown
from calmip.tasks.export import Export, Library

__all__ = ["text"]


def text(written: Export | Library) -> str:
    """Return the file and the size of its model, or the folder and the number of its files."""
    if isinstance(written, Library):
        files = f"{len(written.entries)} files ({written.suffix})"
        return f"{shown(written.folder, 300)}: {files}, index.csv and index.solu\n"
    size = f"{written.columns} columns, {written.rows} rows, {written.nonzeros} nonzeros"
    return f"{shown(written.path, 300)}: {size}\n"
