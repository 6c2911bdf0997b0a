"""The reports of puzzles, design and rearrange.

The page of puzzles shows each with its board and pieces: find the box you own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from calmip._base.errors import InputError, join_words
from calmip.documents.description import puzzle_text
from calmip.problem.dates import real_dates
from calmip.problem.display import width_of
from calmip.problem.puzzle import Puzzle
from calmip.render.characters import Style, align, side_by_side
from calmip.render.escaping import xml_text
from calmip.render.report import (
    WIDTH,
    Block,
    DataTable,
    Document,
    Drawing,
    Markup,
    Output,
    Paragraph,
    Plain,
    as_json,
    forms_from,
)
from calmip.render.svg import svg_of
from calmip.render.text import draw_board, draw_piece
from calmip.render.tiles import puzzle_picture

if TYPE_CHECKING:
    from calmip.render.picture import Picture
    from calmip.tasks.design import Design, PieceSet
    from calmip.tasks.puzzles import BoardCheck, Puzzles
    from calmip.tasks.rearrange import Merit, Rearrangement

__all__ = ["OUTPUTS"]


MOST = 5
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
        room = max(map(width_of, rows)) + 2
        lines = [
            Paragraph(one.name, row + " " * (room - width_of(row)), " " * room)
            for row, one in zip(rows, found.puzzles.values(), strict=True)
        ]
    return Document(title, [Markup(partial(_boxes, found), lines)], STYLE)


def _size(puzzle: Puzzle) -> str:
    return f"{len(puzzle.board.cells)} cells, {len(puzzle.pieces)} pieces"


def _description(puzzle: Puzzle) -> list[Plain]:
    """Return the details of a puzzle."""
    board = puzzle.board
    room = max((width_of(piece.name) for piece in puzzle.pieces), default=0)
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
                draw_piece(one, style, colour=n, room=room) for n, one in enumerate(puzzle.pieces)
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
        faults.append(f"no piece can cover {join_words(cells, most=MOST)}")
    for reason, dates in check.hopeless.items():
        where = f" on {join_words(dates, most=MOST)}" if puzzle.groups else ""
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
            where = f"  {join_words(dates, most=MOST)}" if dates else ""
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
    (puzzle,) = found.puzzles.values()
    return puzzle_picture(puzzle)


# design

MOST_SETS = 10
"""The most working sets that are listed, and the most near misses."""

MOST_REASONS = 12
"""The most cut-off regions that are named."""

HEADS = ("", "pieces", "minimum", "median", "maximum", "total", "unique", "impossible", "hardest")


def design(found: Design) -> Document:
    """Return what was proved, the best sets, and the nearest misses."""
    every = found.pool.sets
    working = len(found.working)
    verdict = "all were decided"
    if not found.complete:
        verb = "was" if found.decided == 1 else "were"
        verdict = f"{found.decided:,} {verb} decided ({found.detail})"
    wish = "a tiling" if found.at_least == 1 else f"{found.at_least} tilings"
    lines: list[Block] = [
        f"{every:,} set{'s' * (every != 1)} of pieces of {found.frame.name}: {verdict}",
        f"with {f'{working:,}' if working else 'none'} of them every date has {wish}",
    ]
    dates = real_dates(found.frame.groups)
    lines += _failing(found)
    lines += _sets(found.working, f"best by {found.by}:", dates)
    lines += _sets(found.sets[working:], "near misses:", dates)
    lines += _rearrangements(found)
    return Document(f"{found.frame.name}: sets of pieces", lines)


def _sets(
    sets: Sequence[PieceSet], title: str, dates: Mapping[str, Mapping[str, str]]
) -> list[Block]:
    if not sets:
        return []
    rows = [_cells(number, one, dates) for number, one in enumerate(sets[:MOST_SETS], start=1)]
    more = [f"and {len(sets) - MOST_SETS:,} more"] if len(sets) > MOST_SETS else []
    return ["", DataTable(HEADS, rows, title, left=(1, 8)), *more]


def _failing(found: Design) -> list[Block]:
    """Return the dates that fail with every set, the reasons, and the labels to move."""
    if not found.cut_off:
        return []
    dates = real_dates(found.frame.groups)
    number = sum(len(one.dates) for one in found.cut_off)
    lines: list[Block] = [f"{number:,} date{'s fail' if number > 1 else ' fails'} with every set:"]
    for one in found.cut_off[:MOST_REASONS]:
        some = [" ".join(dates[name].values()) for name in one.dates]
        lines.append(Paragraph(f"{one}: {join_words(some, most=MOST)}", "  ", "    "))
    if (more := len(found.cut_off) - MOST_REASONS) > 0:
        lines.append(f"  and {more:,} more such regions")
    if found.relabelling is not None:
        lines.append(Paragraph(str(found.relabelling), "", "  "))
        if found.relabelling.moves:
            rows = [row.split(" ") for row in found.relabelling.grid]
            lines.append(DataTable((), rows, "the board with these moves:", left=()))
    return lines


def _rearrangements(found: Design) -> list[Block]:
    """Return the merits of the best sets with rearranged labels, and the best one's board."""
    if not found.rearranged:
        return []
    by = found.rearranged[0].by
    rows = []
    for number, (one, new) in enumerate(zip(found.best, found.rearranged, strict=False), start=1):
        merits = [merit for merit in (new.before, new.greedy, new.after) if merit is not None]
        each = [
            f"{merit.minimum:,}" if by == "min" else f"{merit.correlation:+.4f}" for merit in merits
        ]
        impossible = str(merits[-1].impossible) if merits else new.detail
        rows.append((str(number), " ".join(one.pieces), *(each or [""] * 3), impossible))
    what = "the tilings of the hardest solvable date"
    if by != "min":
        what = "the rank correlation of the place in the year and the tilings"
    shown = found.solved or found.rearranged[0]
    place = found.rearranged.index(shown) + 1
    return [
        "",
        DataTable(
            ("", "pieces", "before", "greedy", "after", "impossible"),
            rows,
            f"labels rearranged, by {what}:",
            left=(1,),
        ),
        "",
        DataTable(
            (),
            shown.puzzle.board.rows,
            f"the board of {'the first' if place == 1 else f'number {place}'}:",
            left=(),
        ),
    ]


def _cells(number: int, one: PieceSet, dates: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    hardest = [" ".join(dates[name].values()) for name in one.hardest[:3]]
    named = f"{', '.join(hardest)}{', ...' if len(one.hardest) > 3 else ''}"
    return (
        str(number),
        " ".join(one.pieces),
        f"{one.minimum:,}",
        f"{one.median:,.10g}",
        f"{one.maximum:,}",
        f"{one.total:,}",
        str(one.unique),
        str(one.impossible),
        named,
    )


def best(found: Design) -> str:
    """Return the best puzzle as YAML, rearranged if that was asked for; empty if no set works."""
    if found.solved is not None:
        return puzzle_text(found.solved.puzzle)
    return puzzle_text(found.puzzle(found.working[0])) if found.working else ""


# rearrange


def rearranged_text(found: Rearrangement) -> str:
    """Return the new puzzle as YAML, or why there is none."""
    return puzzle_text(found.puzzle) if found.known else f"{found.puzzle.name}: {found.detail}\n"


def merits(found: Rearrangement) -> Iterator[str]:
    """Yield the merits of the labels before, of a greedy arrangement, and of the new one."""
    for name, merit in (("before", found.before), ("greedy", found.greedy), ("after", found.after)):
        if merit is not None:
            yield f"{f'{name}:':<8}{_merit(merit, found.by)}"
    if found.known and found.detail:
        yield found.detail


def _merit(merit: Merit, by: str) -> str:
    dates = "date is" if merit.impossible == 1 else "dates are"
    first = f"rank correlation {merit.correlation:+.4f}"
    if by == "min":
        fewest = "date" if merit.hardest == 1 else f"{merit.hardest} dates"
        first = f"at least {merit.minimum:,} tilings ({fewest})"
    return f"{first}; {merit.impossible} real {dates} impossible"


OUTPUTS: Mapping[str, Output] = {
    "Puzzles": Output(forms_from(report, picture)),
    "Design": Output(forms_from(design), file=("a puzzle in YAML", ("yaml", "yml"), best)),
    "Rearrangement": Output({"text": rearranged_text, "json": as_json}, notes=merits),
}
