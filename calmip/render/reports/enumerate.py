"""A pool of tilings in every form: text, JSON, lines of JSON, pictures."""

from __future__ import annotations

from collections.abc import Iterator

from calmip.documents.description import json_text, tiling_lines
from calmip.problem.tiling import Tiling
from calmip.render.picture_files import PICTURES, draw_tilings
from calmip.render.reports import Forms
from calmip.render.text import Style, draw_tiling
from calmip.tasks._enumeration import Enumeration
from calmip.tasks.enumerate import TilingPool

__all__ = ["FORMS", "STOPPED", "entry", "json_parts", "text", "verdict"]


PLAIN = Style()

STOPPED = {
    "limit": "stopped at the limit",
    "time": "stopped at the time limit",
    "memory": "stopped at the memory limit",
    "interrupt": "interrupted",
}
"""Why an enumeration ended early."""


def json_parts(pool: TilingPool) -> Iterator[str]:
    """Yield a pool as one line of JSON, in parts: the whole text may be larger than the pool."""
    yield json_text(pool.describe_search()).removesuffix("}\n") + ', "tilings": ['
    line = tiling_lines(pool.instance)
    for number, tiling in enumerate(pool):
        yield (", " if number else "") + line(tiling).removesuffix("\n")
    yield "]}\n"


def text(pool: TilingPool, style: Style = PLAIN) -> str:
    """Return every tiling with its number, and the status line."""
    entries = [entry(number, tiling, style) for number, tiling in enumerate(pool, start=1)]
    return "".join([*entries, verdict(pool), "\n"])


def entry(number: int, tiling: Tiling, style: Style = PLAIN) -> str:
    """Return one tiling with its number and its labels."""
    return f"{number}. {' '.join(tiling.labels)}\n{draw_tiling(tiling, style)}\n\n"


def verdict(pool: TilingPool | Enumeration) -> str:
    """Return one line: how many tilings, and whether they are all."""
    count = pool.count
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


def as_json(pool: TilingPool) -> str:
    """Return a pool as one line of JSON."""
    return "".join(json_parts(pool))


def lines(pool: TilingPool) -> str:
    """Return a line of JSON for each tiling."""
    return "".join(map(tiling_lines(pool.instance), pool))


def pictures(pool: TilingPool, form: str, theme: str) -> bytes:
    """Return the tilings in a picture format; see `draw_tilings`."""
    return draw_tilings(pool.tilings, form, theme)


FORMS: Forms = {
    "text": text,
    "json": as_json,
    "jsonl": lines,
    **dict.fromkeys(PICTURES, pictures),
}
