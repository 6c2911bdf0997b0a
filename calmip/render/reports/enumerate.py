"""A pool of solutions in every form: text, JSON, lines of JSON, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from calmip.documents.description import describe_point, json_text, tiling_lines
from calmip.render.characters import PLAIN, Style
from calmip.render.picture_files import PICTURES, draw_tilings
from calmip.render.reports import Forms
from calmip.render.text import draw_tiling, point_text
from calmip.tasks._enumeration import Enumeration
from calmip.tasks.enumerate import SolutionPool

if TYPE_CHECKING:
    from calmip.search.one_tree import TreeStatistics

__all__ = [
    "FORMS",
    "STOPPED",
    "entry",
    "json_parts",
    "lines",
    "statistics",
    "text",
    "verdict",
]

STOPPED = {
    "limit": "stopped at the limit",
    "time": "stopped at the time limit",
    "memory": "stopped at the memory limit",
    "interrupt": "interrupted",
}
"""Why an enumeration ended early."""


def lines(pool: SolutionPool | Enumeration) -> Callable[[Any], str]:
    """Return what gives a solution as a line of JSON."""
    if pool.of_instance:
        return tiling_lines(pool.instance)
    return lambda ones: json_text(describe_point(pool.model, ones))


def json_parts(pool: SolutionPool) -> Iterator[str]:
    """Yield a pool as one line of JSON, in parts: the whole text may be larger than the pool."""
    yield json_text(pool.describe_search()).removesuffix("}\n") + f', "{pool.what}s": ['
    line = lines(pool)
    for number, solution in enumerate(pool):
        yield (", " if number else "") + line(solution).removesuffix("\n")
    yield "]}\n"


def text(pool: SolutionPool, style: Style = PLAIN) -> str:
    """Return every solution with its number, and the status line."""
    entries = [entry(pool, number, found, style) for number, found in enumerate(pool, start=1)]
    return "".join([*entries, verdict(pool), "\n"])


def entry(
    pool: SolutionPool | Enumeration, number: int, solution: Any, style: Style = PLAIN
) -> str:
    """Return one tiling with its number and its labels, or the columns that are one."""
    if not pool.of_instance:
        return f"{number}. {point_text(pool.model, solution)}\n"
    return f"{number}. {' '.join(solution.labels)}\n{draw_tiling(solution, style)}\n\n"


def verdict(pool: SolutionPool | Enumeration) -> str:
    """Return one line: how many solutions, and whether they are all."""
    count = pool.count
    found = f"{count if pool.of_instance else format(count, ',')} {pool.what}{'s' * (count != 1)}"
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


def statistics(seen: TreeStatistics) -> str:
    """Return one line: what the search of a tree took."""
    return (
        f"{seen.nodes:,} nodes, {seen.relaxations:,} relaxations; {seen.proved:,} nodes closed "
        f"by a proof, {seen.unproved:,} claims not proved"
    )


def as_json(pool: SolutionPool) -> str:
    """Return a pool as one line of JSON."""
    return "".join(json_parts(pool))


def as_lines(pool: SolutionPool) -> str:
    """Return a line of JSON for each solution."""
    return "".join(map(lines(pool), pool))


def pictures(pool: SolutionPool, form: str, theme: str) -> bytes:
    """Return the tilings in a picture format; see `draw_tilings`."""
    return draw_tilings(pool.tilings, form, theme)


FORMS: Forms = {
    "text": text,
    "json": as_json,
    "jsonl": as_lines,
    **dict.fromkeys(PICTURES, pictures),
}
