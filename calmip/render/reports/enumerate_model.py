"""The solutions of a model file as a text."""

from __future__ import annotations

from collections.abc import Iterable

from calmip.problem.binary_model import BinaryModel
from calmip.render.reports.enumerate import STOPPED
from calmip.render.text import point_text
from calmip.tasks._enumerate_model import METHOD, PointPool

__all__ = ["entry", "statistics", "text", "verdict"]


def text(pool: PointPool) -> str:
    """Return every solution with its number, and the status line."""
    entries = [entry(number, pool.model, ones) for number, ones in enumerate(pool.points, start=1)]
    return "".join([*entries, verdict(pool), "\n"])


def entry(number: int, model: BinaryModel, ones: Iterable[int]) -> str:
    """Return the columns that are one in a solution, with its number."""
    return f"{number}. {point_text(model, ones)}\n"


def verdict(pool: PointPool) -> str:
    """Return one line: how many solutions, and whether they are all."""
    found = f"{pool.count:,} solution{'' if pool.count == 1 else 's'}"
    if pool.complete:
        end = "complete: proved that there are no more"
        end = end if pool.count else "proved that there is none"
    else:
        end = f"not complete: {STOPPED.get(pool.stopped, 'stopped')}, there may be more"
    model, seconds = pool.model, pool.statistics.seconds
    size = f"{len(model.columns)} columns x {len(model.rows)} rows, {seconds:.2f} s"
    return f"{found}, {end} ({METHOD}, {size})"


def statistics(pool: PointPool) -> str:
    """Return one line: what the search took."""
    seen = pool.statistics
    return (
        f"{seen.nodes:,} nodes, {seen.relaxations:,} relaxations; {seen.proved:,} nodes closed "
        f"by a proof, {seen.unproved:,} claims not proved"
    )
