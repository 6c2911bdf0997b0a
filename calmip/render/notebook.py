"""What notebooks show of a pool: a line of text and a sheet of small pictures."""

from __future__ import annotations

from calmip.problem.tiling import TilingPool
from calmip.render.svg import svg_sheet

__all__ = ["MOST_SHOWN", "html_pool"]

MOST_SHOWN = 12
"""So many tilings of a pool are drawn; a notebook should not grow by a year of them."""


def html_pool(pool: TilingPool) -> str:
    """Return a pool as an HTML element: how many tilings, whether all, and the first twelve."""
    count = len(pool)
    known = "complete: proved that there are no more" if pool.complete else "there may be more"
    shown = f"; the first {MOST_SHOWN} are shown" if count > MOST_SHOWN else ""
    line = f"<p>{count} tiling{'' if count == 1 else 's'}, {known}{shown}</p>"
    if not count:
        return f"<div>{line}</div>"
    return f"<div>{line}{svg_sheet(pool.tilings[:MOST_SHOWN])}</div>"
