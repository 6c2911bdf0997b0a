"""The sets of pieces that a design has decided, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calmip.documents.description import puzzle_text
from calmip.problem.dates import real_dates
from calmip.render.report import Block, DataTable, Document
from calmip.render.reports import made_of
from calmip.tasks.design import Design, PieceSet

__all__ = ["FILE", "FORMS", "report"]


MOST = 10
"""So many sets that work are listed, and so many near misses."""

HEADS = ("", "pieces", "minimum", "median", "maximum", "total", "unique", "impossible", "hardest")


def report(design: Design) -> Document:
    """Return what was proved, the best sets, and the nearest misses."""
    every = design.pool.sets
    working = len(design.working)
    verdict = "all were decided"
    if not design.complete:
        verb = "was" if design.decided == 1 else "were"
        verdict = f"{design.decided:,} {verb} decided ({design.detail})"
    wish = "a tiling" if design.at_least == 1 else f"{design.at_least} tilings"
    lines: list[Block] = [
        f"{every:,} set{'s' * (every != 1)} of pieces of {design.frame.name}: {verdict}",
        f"with {f'{working:,}' if working else 'none'} of them every date has {wish}",
    ]
    dates = real_dates(design.frame.groups)
    lines += _table(design.working, f"best by {design.by}:", dates)
    lines += _table(design.sets[working:], "near misses:", dates)
    lines += _rearranged(design)
    return Document(f"{design.frame.name}: sets of pieces", lines)


def _table(
    sets: Sequence[PieceSet], title: str, dates: Mapping[str, Mapping[str, str]]
) -> list[Block]:
    if not sets:
        return []
    rows = [_cells(number, one, dates) for number, one in enumerate(sets[:MOST], start=1)]
    more = [f"and {len(sets) - MOST:,} more"] if len(sets) > MOST else []
    return ["", DataTable(HEADS, rows, title, left=(1, 8)), *more]


def _rearranged(design: Design) -> list[Block]:
    """Return how the best sets do with their labels rearranged, and the best one's board."""
    if not design.rearranged:
        return []
    heads = ("", "pieces", "before", "greedy", "after", "impossible")
    rows = [
        (
            str(number),
            " ".join(one.pieces),
            *(f"{merit.correlation:+.4f}" for merit in (new.before, new.greedy, new.after)),
            str(new.after.impossible),
        )
        for number, (one, new) in enumerate(
            zip(design.working, design.rearranged, strict=False), start=1
        )
    ]
    grid = design.rearranged[0].puzzle.board.rows
    return [
        "",
        DataTable(
            heads,
            rows,
            "labels rearranged, by the rank correlation of the place in the year and the tilings:",
            left=(1,),
        ),
        "",
        DataTable((), grid, "the board of the first:", left=()),
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


def best(design: Design) -> str:
    """Return the best puzzle as YAML, rearranged if that was asked for; empty if no set works."""
    if design.rearranged:
        return puzzle_text(design.rearranged[0].puzzle)
    return puzzle_text(design.puzzle(design.working[0])) if design.working else ""


FORMS = made_of(report)

FILE = ("a puzzle in YAML", ("yaml",), best)
"""What ``-o`` writes, its suffix, and what makes it."""
