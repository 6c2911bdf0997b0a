"""Characters on a terminal: how to draw, colours, and tables as aligned lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from calmip._base.errors import clip
from calmip.mip.display import width_of
from calmip.puzzle.render.palette import terminal_ink


class Style(NamedTuple):
    """Whether pieces have colours (ANSI escapes), and walls box characters instead of ASCII."""

    colour: bool = False
    boxes: bool = False


PLAIN = Style()
"""Characters of ASCII, without colours."""


def paint(text: str, colour: int | None, style: Style, *, bold: bool = False) -> str:
    """Return a text on a colour of the 256-colour table, if the style has colours."""
    if not style.colour or not text:
        return text
    if colour is not None:
        return f"\x1b[38;5;{terminal_ink(colour)};48;5;{colour}m{text}\x1b[0m"
    return f"\x1b[1m{text}\x1b[0m" if bold else text


def centre_text(text: str, width: int) -> str:
    """Return a text with blanks on both sides, the odd one on the left."""
    space = width - width_of(text)
    return " " * ((space + 1) // 2) + text + " " * (space // 2)


def side_by_side(drawings: Iterable[str], *, width: int = 100, gap: int = 3) -> str:
    """Return drawings in rows that are at most so wide, one blank line between the rows."""
    shelves: list[list[list[str]]] = [[]]
    used = 0
    for drawing in drawings:
        lines = drawing.split("\n")
        wide = max(map(width_of, lines))
        if shelves[-1] and used + gap + wide > width:
            shelves.append([])
        used = used + gap + wide if shelves[-1] else wide
        shelves[-1].append([line + " " * (wide - width_of(line)) for line in lines])
    return "\n\n".join("\n".join(_shelf(shelf, gap)) for shelf in shelves)


def _shelf(blocks: list[list[str]], gap: int) -> list[str]:
    height = max(map(len, blocks), default=0)
    padded = [block + [" " * width_of(block[0])] * (height - len(block)) for block in blocks]
    return [(" " * gap).join(parts).rstrip() for parts in zip(*padded, strict=True)]


def align(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Return rows of equally many texts as lines; those of the ``left`` columns begin at the left.

    What a terminal might obey is made visible.
    """
    rows = [[clip(text, len(text)) for text in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        texts = []
        for place, (text, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - width_of(text))
            texts.append(text + blanks if place in left else blanks + text)
        lines.append((indent + "  ".join(texts)).rstrip())
    return lines
