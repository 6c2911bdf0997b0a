"""A pool of tilings as a text."""

from __future__ import annotations

from calmip.problem.tiling import Tiling
from calmip.render.text import Style, draw_tiling
from calmip.tasks.enumerate import TilingPool

__all__ = ["STOPPED", "entry", "text", "verdict"]

PLAIN = Style()

STOPPED = {
    "limit": "stopped at the limit",
    "time": "stopped at the time limit",
    "interrupt": "interrupted",
}
"""Why an enumeration ended early."""


def text(pool: TilingPool, style: Style = PLAIN) -> str:
    """Return every tiling with its number, and the status line."""
    entries = [entry(number, tiling, style) for number, tiling in enumerate(pool, start=1)]
    return "".join([*entries, verdict(pool), "\n"])


def entry(number: int, tiling: Tiling, style: Style = PLAIN) -> str:
    """Return one tiling with its number and its labels."""
    return f"{number}. {' '.join(tiling.labels)}\n{draw_tiling(tiling, style)}\n\n"


def verdict(pool: TilingPool) -> str:
    """Return one line: how many tilings, and whether they are all."""
    count = len(pool)
    found = f"{count} tiling{'' if count == 1 else 's'}"
    size = f"{pool.columns} columns x {pool.rows} rows, {pool.seconds:.2f} s"
    if pool.complete:
        end = "complete: proved that there are no more" if count else "proved that there is none"
    else:
        end = f"not complete: {STOPPED.get(pool.stopped, 'stopped')}, there may be more"
    return f"{found}, {end} ({pool.method}, {size})"
