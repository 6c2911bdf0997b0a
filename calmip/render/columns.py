"""Tables as lines of text: columns as wide as their widest text, two blanks between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from calmip.errors import shown
from calmip.problem.shown import width_of

__all__ = ["aligned"]


def aligned(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Return rows of equally many texts as aligned lines, numbers to the right.

    Parameters
    ----------
    rows
        The texts of each row; what a terminal might obey is made visible.
    left
        The columns, counted from 0, that begin at the left, as words do.
    indent
        What stands before each line.
    """
    rows = [[shown(text, len(text)) for text in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        texts = []
        for place, (text, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - width_of(text))
            texts.append(text + blanks if place in left else blanks + text)
        lines.append((indent + "  ".join(texts)).rstrip())
    return lines
