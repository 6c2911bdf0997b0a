"""Tables as CSV that a spreadsheet reads and does not run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from calmip.render.escaping import csv_cell

__all__ = ["csv_text"]


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
