"""The sets of pieces that a design has decided, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from calmip.render.columns import aligned
from calmip.tasks.design import Design, PieceSet

__all__ = ["FORMS", "text"]

FORMS = ("text", "json")

MOST = 10
"""So many sets that work are listed, and so many near misses."""

HEADS = ("", "pieces", "minimum", "median", "maximum", "total", "unique", "impossible", "hardest")


def text(design: Design) -> str:
    """Return what was proved, the best sets, and the nearest misses."""
    every = design.pool.sets
    working = len(design.working)
    verdict = "all were decided"
    if not design.complete:
        verb = "was" if design.decided == 1 else "were"
        verdict = f"{design.decided:,} {verb} decided ({design.detail})"
    wish = "a tiling" if design.at_least == 1 else f"{design.at_least} tilings"
    lines = [
        f"{every:,} set{'s' * (every != 1)} of pieces of {design.frame.name}: {verdict}",
        f"with {f'{working:,}' if working else 'none'} of them every date has {wish}",
    ]
    lines += _table(design.working, f"best by {design.by}:")
    lines += _table(design.sets[working:], "near misses:")
    return "\n".join(lines) + "\n"


def _table(sets: Sequence[PieceSet], title: str) -> list[str]:
    if not sets:
        return []
    rows = [_cells(number, one) for number, one in enumerate(sets[:MOST], start=1)]
    lines = ["", title, *aligned([HEADS, *rows], left=(1, 8))]
    return [*lines, f"and {len(sets) - MOST:,} more"] if len(sets) > MOST else lines


def _cells(number: int, one: PieceSet) -> tuple[str, ...]:
    named = f"{' '.join(one.hardest[:3])}{' ...' if len(one.hardest) > 3 else ''}"
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
