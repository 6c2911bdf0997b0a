"""The reports of design and rearrange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from calmip._base.errors import join_words
from calmip.puzzle.dates import real_dates
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.render.report import (
    Block,
    DataTable,
    Document,
    Output,
    Paragraph,
    as_json,
    forms_from,
)

if TYPE_CHECKING:
    from calmip.design.design import Design, PieceSet
    from calmip.design.rearrange import Merit, Rearrangement

MAX_NAMED_DATES = 5
"""The most dates that are named for a cut-off region."""

MAX_LISTED_SETS = 10
"""The most working sets that are listed, and the most near misses."""

MAX_LISTED_REGIONS = 12
"""The most cut-off regions that are named."""

HEADS = ("", "pieces", "minimum", "median", "maximum", "total", "unique", "impossible", "hardest")


def design(result: Design) -> Document:
    """Return what was proved, the best sets, and the nearest misses."""
    every = result.pool.sets
    working = len(result.working)
    verdict = "all were decided"
    if not result.complete:
        verb = "was" if result.decided == 1 else "were"
        verdict = f"{result.decided:,} {verb} decided ({result.detail})"
    wish = "a tiling" if result.at_least == 1 else f"{result.at_least} tilings"
    lines: list[Block] = [
        f"{every:,} set{'s' * (every != 1)} of pieces of {result.frame.name}: {verdict}",
        f"with {f'{working:,}' if working else 'none'} of them every date has {wish}",
    ]
    dates = real_dates(result.frame.groups)
    lines += _failing(result)
    lines += _sets(result.working, f"best by {result.by}:", dates)
    lines += _sets(result.sets[working:], "near misses:", dates)
    lines += _rearrangements(result)
    return Document(f"{result.frame.name}: sets of pieces", lines)


def _sets(
    sets: Sequence[PieceSet], title: str, dates: Mapping[str, Mapping[str, str]]
) -> list[Block]:
    if not sets:
        return []
    rows = [
        _cells(number, one, dates) for number, one in enumerate(sets[:MAX_LISTED_SETS], start=1)
    ]
    more = [f"and {len(sets) - MAX_LISTED_SETS:,} more"] if len(sets) > MAX_LISTED_SETS else []
    return ["", DataTable(HEADS, rows, title, left=(1, 8)), *more]


def _failing(result: Design) -> list[Block]:
    """Return the dates that fail with every set, the reasons, and the labels to move."""
    if not result.cut_off:
        return []
    dates = real_dates(result.frame.groups)
    number = sum(len(one.dates) for one in result.cut_off)
    lines: list[Block] = [f"{number:,} date{'s fail' if number > 1 else ' fails'} with every set:"]
    for one in result.cut_off[:MAX_LISTED_REGIONS]:
        some = [" ".join(dates[name].values()) for name in one.dates]
        lines.append(Paragraph(f"{one}: {join_words(some, most=MAX_NAMED_DATES)}", "  ", "    "))
    if (more := len(result.cut_off) - MAX_LISTED_REGIONS) > 0:
        lines.append(f"  and {more:,} more such regions")
    if result.relabelling is not None:
        lines.append(Paragraph(str(result.relabelling), "", "  "))
        if result.relabelling.moves:
            rows = [row.split(" ") for row in result.relabelling.grid]
            lines.append(DataTable((), rows, "the board with these moves:", left=()))
    return lines


def _rearrangements(result: Design) -> list[Block]:
    """Return the merits of the best sets with rearranged labels, and the best one's board."""
    if not result.rearranged:
        return []
    by = result.rearranged[0].by
    rows = []
    for number, (one, new) in enumerate(zip(result.best, result.rearranged, strict=False), start=1):
        merits = [merit for merit in (new.before, new.greedy, new.after) if merit is not None]
        each = [
            f"{merit.minimum:,}" if by == "min" else f"{merit.correlation:+.4f}" for merit in merits
        ]
        impossible = str(merits[-1].impossible) if merits else new.detail
        rows.append((str(number), " ".join(one.pieces), *(each or [""] * 3), impossible))
    what = "the tilings of the hardest solvable date"
    if by != "min":
        what = "the rank correlation of the place in the year and the tilings"
    shown = result.solved or result.rearranged[0]
    place = result.rearranged.index(shown) + 1
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


def _cells(
    number: int, piece_set: PieceSet, dates: Mapping[str, Mapping[str, str]]
) -> tuple[str, ...]:
    hardest = [" ".join(dates[name].values()) for name in piece_set.hardest[:3]]
    named = f"{', '.join(hardest)}{', ...' if len(piece_set.hardest) > 3 else ''}"
    return (
        str(number),
        " ".join(piece_set.pieces),
        f"{piece_set.minimum:,}",
        f"{piece_set.median:,.10g}",
        f"{piece_set.maximum:,}",
        f"{piece_set.total:,}",
        str(piece_set.unique),
        str(piece_set.impossible),
        named,
    )


def best(result: Design) -> str:
    """Return the best puzzle as YAML, rearranged if that was asked for; empty if no set works."""
    if result.solved is not None:
        return puzzle_text(result.solved.puzzle)
    return puzzle_text(result.puzzle(result.working[0])) if result.working else ""


# rearrange


def rearranged_text(rearrangement: Rearrangement) -> str:
    """Return the new puzzle as YAML, or why there is none."""
    puzzle = rearrangement.puzzle
    return (
        puzzle_text(puzzle) if rearrangement.known else f"{puzzle.name}: {rearrangement.detail}\n"
    )


def merits(rearrangement: Rearrangement) -> Iterator[str]:
    """Yield the merits of the labels before, of a greedy arrangement, and of the new one."""
    for name, merit in (
        ("before", rearrangement.before),
        ("greedy", rearrangement.greedy),
        ("after", rearrangement.after),
    ):
        if merit is not None:
            yield f"{f'{name}:':<8}{_merit(merit, rearrangement.by)}"
    if rearrangement.known and rearrangement.detail:
        yield rearrangement.detail


def _merit(merit: Merit, by: str) -> str:
    dates = "date is" if merit.impossible == 1 else "dates are"
    first = f"rank correlation {merit.correlation:+.4f}"
    if by == "min":
        fewest = "date" if merit.hardest == 1 else f"{merit.hardest} dates"
        first = f"at least {merit.minimum:,} tilings ({fewest})"
    return f"{first}; {merit.impossible} real {dates} impossible"


DESIGN = Output(forms_from(design), file=("a puzzle in YAML", ("yaml", "yml"), best))
REARRANGEMENT = Output({"text": rearranged_text, "json": as_json}, notes=merits)
