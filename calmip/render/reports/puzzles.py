"""Puzzles in every form: a list or a description, pictures, a page.

The page shows all puzzles, each with its board and pieces: find the box you own.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping

from calmip.errors import InputError, listed, shown
from calmip.problem.puzzle import Puzzle
from calmip.problem.shown import width_of
from calmip.render.characters import PLAIN, Style, aligned, side_by_side
from calmip.render.escaping import xml_text
from calmip.render.palette import AUTO
from calmip.render.picture_files import PICTURES, drawn
from calmip.render.report import page
from calmip.render.reports import Forms
from calmip.render.svg import svg_of
from calmip.render.text import draw_board, draw_piece
from calmip.render.tiles import puzzle_picture
from calmip.tasks.puzzles import BoardCheck, Puzzles

__all__ = ["FORMS", "puzzles_page", "text"]


WIDTH = 80
"""Columns of a terminal."""
MOST = 5
"""So many labels, cells or dates are named at most."""

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
"""What the keys under ``counts`` mean; any other is a choice of labels, such as Feb 29."""


def text(found: Puzzles, style: Style = PLAIN) -> str:
    """Return a line for each puzzle, or all that there is to know of a single one."""
    if found.single:
        (puzzle,) = found.puzzles.values()
        lines = _described(puzzle, style)
        if found.check is not None:
            lines += ["", *_visible(_checked(puzzle, found.check))]
        return "\n".join(lines) + "\n"
    rows = [
        (name, f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces", puzzle.name)
        for name, puzzle in found.puzzles.items()
    ]
    lines = aligned([row[:2] for row in rows], left=range(2))
    room = max(map(width_of, lines)) + 2
    for number, (line, row) in enumerate(zip(lines, rows, strict=True)):
        first = line + " " * (room - width_of(line))
        lines[number] = "\n".join(_wrapped(row[2], first, " " * room))
    return "\n".join(lines) + "\n"


def _described(puzzle: Puzzle, style: Style) -> list[str]:
    """Return what a person wants to know of a puzzle, line by line."""
    board = puzzle.board
    room = max((width_of(piece.name) for piece in puzzle.pieces), default=0)
    choices = math.prod(len(labels) for labels in puzzle.groups.values())
    lines = [
        puzzle.name,
        draw_board(board, style),
        "",
        f"{len(board.cells)} {board.lattice.name} cells, {len(puzzle.pieces)} pieces",
        f"uncover: {', '.join(puzzle.groups) or 'nothing'} ({choices:,} choices)",
        f"pieces may be turned over: {'yes' if puzzle.flip else 'no'}",
    ]
    if puzzle.pieces:
        drawn = (
            draw_piece(piece, style, colour=number, room=room)
            for number, piece in enumerate(puzzle.pieces)
        )
        lines += ["", side_by_side(drawn, width=WIDTH)]
    equal = [pieces for pieces in puzzle.piece_classes if len(pieces) > 1]
    if equal:
        names = "; ".join(" = ".join(piece.name for piece in pieces) for pieces in equal)
        lines += ["", f"equal pieces, counted as one picture: {names}"]
    if puzzle.note:
        lines += ["", *_visible(f"note: {puzzle.note}".splitlines(), further="  ")]
    if puzzle.counts:
        lines += ["", "known numbers of tilings:"]
        rows = aligned(_counts(puzzle.counts), left=(0, 1), indent="  ")
        lines += [shown(line, 10_000) for line in rows]
    if puzzle.sources:
        lines += ["", "sources:", *_visible(puzzle.sources, first="  ", further="    ")]
    return lines


def _checked(puzzle: Puzzle, check: BoardCheck) -> list[str]:
    """Return what was found out about a board, line by line."""
    faults = list(check.faults)
    if check.bare:
        cells = [f"{puzzle.board.label(cell)} {cell}" for cell in check.bare]
        faults.append(f"no piece can cover {listed(cells, most=MOST)}")
    for reason, dates in check.hopeless.items():
        where = f" on {listed(dates, most=MOST)}" if puzzle.groups else ""
        faults.append(f"no tiling{where}: {reason}")
    lines = ["checked:"]
    for fault in faults or ["nothing is odd"]:
        lines += _wrapped(fault, "  ", "    ")
    lines += ["", f"numbers of tilings{f': {check.detail}' if check.detail else ':'}"]
    if not puzzle.pieces:
        lines[-1] += " none, as there are no pieces"
    return [*lines, *aligned(_counts(check.counts), left=(0, 1), indent="  ")]


def _visible(lines: Iterable[str], *, first: str = "", further: str = "") -> list[str]:
    """Return lines that a file carries along for people; a terminal might obey what is in them."""
    return [part for line in lines for part in _wrapped(shown(line, 10_000), first, further)]


def _wrapped(text: str, first: str, further: str) -> list[str]:
    """Return a text in lines that a terminal has room for, addresses in one piece."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def _counts(counts: Mapping[str, object], prefix: str = "") -> list[tuple[str, ...]]:
    """Return the numbers that a puzzle file states, as rows of two texts."""
    rows: list[tuple[str, ...]] = []
    for key, value in counts.items():
        words = COUNTED.get(key, key)
        if isinstance(value, Mapping) and "count" in value:
            dates = value.get("dates", value.get("date", []))
            dates = dates if isinstance(dates, list) else [dates]
            where = f"  {listed(dates, most=MOST)}" if dates else ""
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


def puzzles_page(found: Puzzles, *, theme: str = AUTO) -> str:
    """Return puzzles as a page that needs nothing from elsewhere and runs nothing.

    Parameters
    ----------
    found
        The puzzles, each under the name that commands take.
    theme
        ``light``, ``dark``, or ``auto``: dark where the viewer's system asks for it.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    body = ["<h1>Puzzles</h1>", '<div class="boxes">']
    for name, puzzle in found.puzzles.items():
        size = f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"
        body += [
            f"<section><h2>{xml_text(puzzle.name)}</h2>",
            f"<p>{size}; uncovers {xml_text(', '.join(puzzle.groups) or 'nothing')}</p>",
            f"<p><code>calmip solve {xml_text(name)} <span>--date today</span></code></p>",
            svg_of(puzzle_picture(puzzle), theme=theme),
            "</section>",
        ]
    body.append("</div>")
    return page("Puzzles", body, theme=theme, style=STYLE)


def pictures(found: Puzzles, form: str, theme: str) -> bytes:
    """Return a single puzzle in a picture format.

    Raises
    ------
    InputError
        If there are several, or the theme is unknown.
    SolverMissing
        If matplotlib is needed (PNG, PDF) and not installed.
    """
    if not found.single:
        raise InputError("a picture shows one puzzle; give its NAME")
    (puzzle,) = found.puzzles.values()
    return drawn(puzzle_picture(puzzle), form, theme)


FORMS: Forms = {"text": text, **dict.fromkeys(PICTURES, pictures), "html": puzzles_page}
