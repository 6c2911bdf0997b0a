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
    rows = [
        _cells(number, one, dates) for number, one in enumerate(sets[:MAX_LISTED_SETS], start=1)
    ]
    more = [f"and {len(sets) - MAX_LISTED_SETS:,} more"] if len(sets) > MAX_LISTED_SETS else []
    return ["", DataTable(HEADS, rows, title, left=(1, 8)), *more]


def _failing(found: Design) -> list[Block]:
    """Return the dates that fail with every set, the reasons, and the labels to move."""
    if not found.cut_off:
        return []
    dates = real_dates(found.frame.groups)
    number = sum(len(one.dates) for one in found.cut_off)
    lines: list[Block] = [f"{number:,} date{'s fail' if number > 1 else ' fails'} with every set:"]
    for one in found.cut_off[:MAX_LISTED_REGIONS]:
        some = [" ".join(dates[name].values()) for name in one.dates]
        lines.append(Paragraph(f"{one}: {join_words(some, most=MAX_NAMED_DATES)}", "  ", "    "))
    if (more := len(found.cut_off) - MAX_LISTED_REGIONS) > 0:
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


DESIGN = Output(forms_from(design), file=("a puzzle in YAML", ("yaml", "yml"), best))
REARRANGEMENT = Output({"text": rearranged_text, "json": as_json}, notes=merits)
