"""A pool of tilings in every form: text, JSON, lines of JSON, pictures."""

from __future__ import annotations

from calmip.documents.description import describe_tiling, json_text
from calmip.problem.tiling import Tiling
from calmip.render.palette import AUTO
from calmip.render.picture_files import PICTURES, draw_tilings
from calmip.render.text import Style, draw_tiling
from calmip.tasks.enumerate import TilingPool

__all__ = ["FORMS", "STOPPED", "data", "entry", "text", "verdict"]

FORMS = ("text", "json", "jsonl", *PICTURES)

PLAIN = Style()

STOPPED = {
    "limit": "stopped at the limit",
    "time": "stopped at the time limit",
    "interrupt": "interrupted",
}
"""Why an enumeration ended early."""


def data(pool: TilingPool, form: str, theme: str = AUTO) -> bytes:
    """Return a pool in one of `FORMS`.

    Raises
    ------
    CalmipError
        As `draw_tilings` does, if a picture is asked for.
    """
    if form in PICTURES:
        return draw_tilings(pool.tilings, form, theme)
    if form == "jsonl":
        return "".join(json_text(describe_tiling(tiling)) for tiling in pool).encode()
    return (json_text(pool.describe()) if form == "json" else text(pool)).encode()


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
    if pool.symmetries is not None:
        found += f" up to symmetry ({pool.symmetries} motion{'s' * (pool.symmetries > 1)})"
    size = f"{pool.columns} columns x {pool.rows} rows"
    if pool.reduced is not None:
        size += f", {pool.reduced} columns after reduction"
    size += f", {pool.seconds:.2f} s"
    if pool.complete:
        end = "complete: proved that there are no more" if count else "proved that there is none"
    else:
        end = f"not complete: {STOPPED.get(pool.stopped, 'stopped')}, there may be more"
    return f"{found}, {end} ({pool.method}, {size})"
