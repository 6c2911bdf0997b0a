"""The report of puzzles.

The page of puzzles shows each with its board and pieces: find the box you own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, join_words
from calmip.mip.display import width_of
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.characters import Style, align, side_by_side
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.report import (
    WIDTH,
    DataTable,
    Document,
    Drawing,
    Markup,
    Output,
    Paragraph,
    Plain,
    forms_from,
)
from calmip.puzzle.render.text import draw_board, draw_piece

if TYPE_CHECKING:
    from calmip.puzzle.render.picture import Picture
    from calmip.puzzle.tasks.puzzles import BoardCheck, Puzzles

MAX_NAMED_ENTRIES = 5
"""The most labels, cells or dates that are named."""

COUNTED = {
    "all": "all choices of labels",
    "valid": "real dates",
    "solvable": "choices that have a tiling",
    "min": "fewest",
    "max": "most",
    "average": "mean",
    "flip": "flips allowed",
    "no_flip": "flips forbidden",
    "equal_pieces_told_apart": "equal pieces distinct",
}
"""The meaning of the keys under ``counts``; any other is a choice of labels, such as Feb 29."""


def report(found: Puzzles) -> Document:
    """Return a line for each puzzle, or all details of a single one; a page has pictures."""
    lines: list[Plain]
    if found.single:
        ((title, puzzle),) = found.puzzles.items()
        check = [] if found.check is None else ["", *_findings(puzzle, found.check)]
        lines = [*_description(puzzle), *check]
    else:
        title = "Puzzles"
        rows = align([(name, _size(one)) for name, one in found.puzzles.items()], left=range(2))
        width = max(map(width_of, rows)) + 2
        lines = [
            Paragraph(one.name, row + " " * (width - width_of(row)), " " * width)
            for row, one in zip(rows, found.puzzles.values(), strict=True)
        ]
    return Document(title, [Markup(partial(_boxes, found), lines)], STYLE)


def _size(puzzle: Puzzle) -> str:
    return f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"


def _description(puzzle: Puzzle) -> list[Plain]:
    """Return the details of a puzzle."""
    board = puzzle.board
    width = max((width_of(piece.name) for piece in puzzle.pieces), default=0)
    choices = math.prod(len(labels) for labels in puzzle.groups.values())
    flips = "yes" if puzzle.flip else "no"
    lines: list[Plain] = [
        puzzle.name,
        Drawing(partial(draw_board, board)),
        "",
        f"{len(board.cells)} {board.lattice.name} cells, {len(puzzle.pieces)} pieces",
        f"uncover: {', '.join(puzzle.groups) or 'nothing'} ({choices:,} choices)",
        f"pieces may be turned over: {'; but '.join((flips, *puzzle.piece_rules))}",
    ]
    if puzzle.pieces:

        def pieces(style: Style) -> str:
            drawn = (
                draw_piece(one, style, colour=n, room=width) for n, one in enumerate(puzzle.pieces)
            )
            return side_by_side(drawn, width=WIDTH)

        lines += ["", Drawing(pieces)]
    equal = [pieces for pieces in puzzle.piece_classes if len(pieces) > 1]
    if equal:
        names = "; ".join(" = ".join(piece.name for piece in pieces) for pieces in equal)
        lines += ["", f"equal pieces, counted as one picture: {names}"]
    if puzzle.note:
        note = f"note: {puzzle.note}".splitlines()
        lines += ["", *(Paragraph(line, further="  ") for line in note)]
    if puzzle.counts:
        rows = _counts(puzzle.counts)
        lines += ["", DataTable((), rows, "known numbers of tilings:", left=(0, 1), indent="  ")]
    if puzzle.sources:
        lines += ["", "sources:", *(Paragraph(one, "  ", "    ") for one in puzzle.sources)]
    return lines


def _findings(puzzle: Puzzle, check: BoardCheck) -> list[Plain]:
    """Return the findings about a board."""
    faults = list(check.faults)
    if check.bare:
        cells = [f"{puzzle.board.label(cell)} {cell}" for cell in check.bare]
        faults.append(f"no piece can cover {join_words(cells, most=MAX_NAMED_ENTRIES)}")
    for reason, dates in check.hopeless.items():
        where = f" on {join_words(dates, most=MAX_NAMED_ENTRIES)}" if puzzle.groups else ""
        faults.append(f"no tiling{where}: {reason}")
    found = [Paragraph(fault, "  ", "    ") for fault in faults or ["no faults found"]]
    title = f"numbers of tilings{f': {check.detail}' if check.detail else ':'}"
    if not puzzle.pieces:
        title += " none, as there are no pieces"
    rows = _counts(check.counts)
    numbers = DataTable((), rows, title, left=(0, 1), indent="  ") if rows else title
    return ["checked:", *found, "", numbers]


def _counts(counts: Mapping[str, object], prefix: str = "") -> list[tuple[str, ...]]:
    """Return the numbers that a puzzle file states, as rows of two texts."""
    rows: list[tuple[str, ...]] = []
    for key, value in counts.items():
        words = COUNTED.get(key, key)
        if isinstance(value, Mapping) and "count" in value:
            dates = value.get("dates", value.get("date", []))
            dates = dates if isinstance(dates, list) else [dates]
            where = f"  {join_words(dates, most=MAX_NAMED_ENTRIES)}" if dates else ""
            rows.append((prefix + words, f"{_number(value['count'])}{where}"))
        elif isinstance(value, Mapping):
            rows.extend(_counts(value, f"{prefix}{words}, "))
        else:
            rows.append((prefix + words, _number(value)))
    return rows


def _number(value: object) -> str:
    text = str(value)
    return f"{int(text):,}" if text.isascii() and text.isdigit() else text


STYLE = """
.boxes{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:1.5rem}
.boxes section{border:1px solid var(--board);border-radius:.5rem;padding:.8rem;break-inside:avoid}
.boxes h2{font-size:1rem;margin:0}.boxes p{margin:.2rem 0;font-size:.88rem}
.boxes svg{display:block;width:100%;height:18rem}
code{background:var(--board);padding:.1rem .3rem;border-radius:.2rem}
code span{white-space:nowrap}
"""


def _boxes(found: Puzzles, theme: str) -> str:
    """Return the pictures of puzzles, each with the name that commands take."""
    from calmip.puzzle.render.svg import svg_of
    from calmip.puzzle.render.tiles import puzzle_picture

    body = ['<div class="boxes">']
    for name, puzzle in found.puzzles.items():
        body += [
            f"<section><h2>{xml_text(puzzle.name)}</h2>",
            f"<p>{_size(puzzle)}; uncovers {xml_text(', '.join(puzzle.groups) or 'nothing')}</p>",
            f"<p><code>calmip solve {xml_text(name)} <span>--date today</span></code></p>",
            svg_of(puzzle_picture(puzzle), theme=theme),
            "</section>",
        ]
    return "\n".join([*body, "</div>"])


def picture(found: Puzzles) -> Picture:
    """Return the picture of a single puzzle; raise `InputError` if there are several."""
    if not found.single:
        raise InputError("a picture shows one puzzle; give its NAME")
    from calmip.puzzle.render.tiles import puzzle_picture

    (puzzle,) = found.puzzles.values()
    return puzzle_picture(puzzle)


def own_file(found: Puzzles) -> str:
    """Return the file of a single puzzle; raise `InputError` if there are several."""
    if not found.single:
        raise InputError("a file has one puzzle; give its NAME")
    (puzzle,) = found.puzzles.values()
    return puzzle_text(puzzle)


PUZZLES = Output(forms_from(report, picture, yaml=own_file))
