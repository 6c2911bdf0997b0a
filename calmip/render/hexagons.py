r"""Hexagons drawn with characters.

A cell is as wide as its longest text, with slanted walls above and below::

     / \ / \
    |Jan| * |
     \ / \ / \
      |Feb| 1 |
       \ / \ /

Its texts have one line; the walls between two rows have one line for every
step that the slant takes to the middle of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping

from calmip.problem.lattice import HEXAGONAL, Cell
from calmip.problem.shown import width_of
from calmip.render.characters import Style, centred, painted

__all__ = ["draw_hexagons"]

BOXES = "╱╲│"  # noqa: RUF001
PLAIN = "/\\|"

# A text or a mark at (line, column): with its colour, and whether it is bold.
Marks = dict[tuple[int, int], tuple[str, int | None, bool]]


def draw_hexagons(
    owner: Mapping[Cell, str],
    texts: Mapping[Cell, str],
    fills: Mapping[Cell, int],
    style: Style,
) -> list[str]:
    """Return the lines of a drawing: walls between cells of different owners, texts in cells.

    Parameters
    ----------
    owner
        What each cell belongs to; cells that are not in it are left out.
    texts
        What stands in each cell; it is bold where there is no colour.
    fills
        The colours of cells.
    style
        How to draw.
    """
    inner = max([3, *(width_of(text) for text in texts.values())])
    inner += 1 - inner % 2
    half, slant = inner // 2 + 1, inner // 2
    left = min(HEXAGONAL.grid_corners(cell)[-1][0] for cell in owner)
    top = min(row for row, _ in owner)
    marks: Marks = {}
    for cell in owner:
        x = (HEXAGONAL.grid_corners(cell)[-1][0] - left) * half
        y = (cell[0] - top) * (slant + 1) + slant
        fill, text = fills.get(cell), centred(texts.get(cell, ""), inner)
        marks[y, x + 1] = (text, fill, cell in texts and fill is None)
        for step in range(slant):
            # Step 0 of a slant is the one next to the cell's text.
            marks[y - 1 - step, x + 2 + step] = (" " * (inner - 2 - 2 * step), fill, False)
            marks[y + 1 + step, x + 2 + step] = (" " * (inner - 2 - 2 * step), fill, False)
        for k, other in enumerate(HEXAGONAL.neighbours(cell)):
            mark, places = _wall(k, x, y, inner, slant)
            wall = owner.get(other) != owner[cell]
            shown = (BOXES if style.boxes else PLAIN)[mark] if wall else " "
            for place in places:
                marks[place] = (shown, None if wall else fill, False)
    return _joined(marks, style)


def _wall(k: int, x: int, y: int, inner: int, slant: int) -> tuple[int, list[tuple[int, int]]]:
    """Return which mark the wall at step k of a cell has, and the places (line, column)."""
    steps, right = range(slant), x + inner + 1
    return [
        (1, [(y - 1 - step, right - 1 - step) for step in steps]),
        (2, [(y, right)]),
        (0, [(y + 1 + step, right - 1 - step) for step in steps]),
        (1, [(y + 1 + step, x + 1 + step) for step in steps]),
        (2, [(y, x)]),
        (0, [(y - 1 - step, x + 1 + step) for step in steps]),
    ][k]


def _joined(marks: Marks, style: Style) -> list[str]:
    lines: dict[int, list[tuple[int, str, int | None, bool]]] = {}
    for (line, column), (text, fill, bold) in sorted(marks.items()):
        lines.setdefault(line, []).append((column, text, fill, bold))
    drawn = []
    for line in range(max(lines) + 1):
        shown, end = "", 0
        for column, text, fill, bold in lines.get(line, []):
            shown += " " * (column - end) + painted(text, fill, style, bold=bold)
            end = column + width_of(text)
        drawn.append(shown.rstrip())
    return drawn
