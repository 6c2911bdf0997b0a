"""Many tilings on one sheet, or on pages."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calmip.errors import InputError
from calmip.problem.tiling import Tiling
from calmip.render.picture import Mark, Picture, Words, fitted, moved
from calmip.render.tiles import MARGIN, SMALLEST, day_marks

__all__ = ["sheet_pages", "sheet_picture"]

CAPTION, GAP = 0.62, 0.9


def sheet_picture(
    tilings: Sequence[Tiling],
    *,
    captions: Sequence[str] = (),
    columns: int | None = None,
    rows: int | None = None,
    title: str = "",
) -> Picture:
    """Return many tilings on one sheet, row by row, each with a caption.

    Parameters
    ----------
    tilings
        The tilings, at least one.
    captions
        What stands below each; numbers from 1 on unless given.
    columns
        How many stand side by side; a sheet a little wider than high unless given.
    rows
        For how many rows there is room, at least; as many as are needed unless given.
    title
        The picture's title; the puzzle's name and the number of tilings unless given.

    Raises
    ------
    InputError
        If there is no tiling.
    """
    if not tilings:
        raise InputError("a sheet needs at least one tiling")
    captions = captions or [str(number) for number in range(1, len(tilings) + 1)]
    drawn = [day_marks(tiling.instance, tiling) for tiling in tilings]
    wide = max(width for width, _, _ in drawn)
    high = max(height for _, height, _ in drawn) + CAPTION + 0.25
    if columns is None:
        columns = max(1, round(math.sqrt(len(drawn) * 1.3 * (high + GAP) / (wide + GAP))))
    if rows is None:
        columns = min(columns, len(drawn))
    marks: list[Mark] = []
    for number, ((width, _, one), caption) in enumerate(zip(drawn, captions, strict=True)):
        row, column = divmod(number, columns)
        left, top = column * (wide + GAP), row * (high + GAP)
        marks += moved(one, left + (wide - width) / 2, top)
        text, size = fitted(caption, wide, CAPTION, SMALLEST)
        marks.append(Words(left + wide / 2, top + high - CAPTION / 2, text, size, "quiet"))
    rows = max(rows or 1, -(-len(drawn) // columns))
    width, height = columns * (wide + GAP) - GAP, rows * (high + GAP) - GAP
    count = f"{len(tilings)} tiling{'' if len(tilings) == 1 else 's'}"
    name = tilings[0].instance.puzzle.name
    return Picture(
        width + 2 * MARGIN,
        height + 2 * MARGIN,
        tuple(moved(marks, MARGIN, MARGIN)),
        title or f"{name}: {count}",
        f"{count} of {name}, row by row.",
    )


def sheet_pages(
    tilings: Sequence[Tiling], *, rows: int = 5, columns: int = 4
) -> tuple[Picture, ...]:
    """Return many tilings as pages of so many rows and columns, numbered through."""
    size = rows * columns
    return tuple(
        sheet_picture(
            tilings[first : first + size],
            captions=[str(n + 1) for n in range(first, min(first + size, len(tilings)))],
            columns=columns,
            rows=rows,
        )
        for first in range(0, len(tilings), size)
    )
