"""``calmip count``."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from calmip.cli import FOUND, INTERRUPTED, LIMIT, NONE
from calmip.cli._options import check_empty, deliver, instance_options, note
from calmip.cli._progress import counter
from calmip.documents.description import describe_instance, json_text
from calmip.documents.reader import read_instance
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.render.as_csv import csv_text
from calmip.tasks.solve import checked_limits

__all__ = ["count_command"]


@click.command("count")
@instance_options
@click.option("--any-two-cells", is_flag=True, help="Uncover any two cells, whatever the labels.")
@click.option("--any-cells", type=int, metavar="K", help="Uncover any K cells.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="Give up after so many seconds.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Threads that share a large count.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def count_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    any_two_cells: bool,
    any_cells: int | None,
    time_limit: float | None,
    workers: int,
    form: str,
    output: Path | None,
) -> int:
    """Count the tilings of INSTANCE, for every label of each group that is free.

    A puzzle without labels counts its whole year in one search. The exit code
    is 0 if there is any tiling, 1 if there is none, 3 if the time limit came
    first; then, and after Ctrl-C (130), nothing is written: a part of a count
    is no count.
    """
    if any_two_cells and any_cells is not None:
        raise click.UsageError("--any-two-cells is --any-cells 2; give one of them")
    if (any_two_cells or any_cells is not None) and (reveal or date):
        raise click.UsageError("any cells are counted whatever the labels; leave out which")
    checked_limits(time_limit, 0, 1)
    instance = read_instance(source, reveal=reveal, date=date, flip=flip, free=True)
    cells = 2 if any_two_cells else any_cells
    if cells is not None:
        check_empty(instance)
    try:
        with counter("states", silent=True) as show:
            counts = _counts(instance, cells, time_limit=time_limit, workers=workers, progress=show)
    except TimeoutError as error:
        note(f"{error}: nothing is known of the number")
        return LIMIT
    except KeyboardInterrupt:
        note("interrupted before all tilings were counted")
        return INTERRUPTED
    if form == "json":
        text = json_text(
            {
                "puzzle": describe_instance(instance)["puzzle"],
                "total": sum(number for _, number in counts),
                "counts": [{"reveal": reveal_, "tilings": number} for reveal_, number in counts],
            }
        )
    elif form == "csv":
        text = _csv(counts)
    elif cells is None:
        text = _table(instance, counts)
    else:
        text = _cells_report(counts)
    deliver(text, output)
    return FOUND if any(number for _, number in counts) else NONE


Counts = list[tuple[dict[str, Any], int]]


def _counts(instance: Instance, cells: int | None, **settings: Any) -> Counts:
    """Count by label, or by which so many cells stay uncovered."""
    from calmip.search.exact_cover import count_by_reveal, count_uncovered

    if cells is None:
        found = count_by_reveal(ExactCover(instance), **settings)
        return [
            (instance.reveal_of([*instance.labels, *free]), number)
            for free, number in found.items()
        ]
    board = instance.puzzle.board
    bare = count_uncovered(instance.puzzle, cells, **settings)
    return [
        ({"cells": [list(c) for c in chosen], "labels": [board.label(c) for c in chosen]}, number)
        for chosen, number in bare.items()
    ]


def _csv(counts: Counts) -> str:
    """Return a header and a line per count."""
    names = list(counts[0][0])
    return csv_text(
        [*names, "tilings"],
        ([*(_cell_text(reveal[name]) for name in names), number] for reveal, number in counts),
    )


def _cell_text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(instance: Instance, counts: Counts) -> str:
    """Return a table of the two largest free groups, sums over the others, and the extremes."""
    groups = instance.puzzle.groups
    free = sorted(instance.free, key=lambda group: len(groups[group]))[-2:]
    lines = []
    if len(free) == 2:
        across, down = free
        sums: dict[tuple[str, str], int] = {}
        for reveal, number in counts:
            key = (reveal[across], reveal[down])
            sums[key] = sums.get(key, 0) + number
        rows = [
            [row, *(str(sums[column, row]) for column in groups[across] if (column, row) in sums)]
            for row in groups[down]
        ]
        totals = [sum(sums.get((c, r), 0) for r in groups[down]) for c in groups[across]]
        lines += _aligned([["", *groups[across]], *rows, ["all", *map(str, totals)]])
        others = [group for group in instance.free if group not in free]
        if others:
            lines.append(f"(each number is the sum over all choices of {' and '.join(others)})")
    elif free:
        lines += _aligned([[str(reveal[free[0]]), str(number)] for reveal, number in counts])
    lines += ["", *_extremes(counts)] if lines else _extremes(counts)
    return "\n".join(lines) + "\n"


def _extremes(counts: Counts) -> list[str]:
    numbers = [number for _, number in counts]
    lines = [f"total {sum(numbers):,} in {len(numbers):,} choice{'s' if len(numbers) > 1 else ''}"]
    if len(numbers) > 1:
        for word, extreme in (("minimum", min(numbers)), ("maximum", max(numbers))):
            places = [_words(reveal) for reveal, number in counts if number == extreme]
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            lines.append(f"{word} {extreme:,}: {'; '.join(places[:5])}{more}")
        lines.append(f"mean {statistics.fmean(numbers):,.1f}")
    return lines


def _cells_report(counts: Counts) -> str:
    lines = _extremes(counts)
    for word, wanted in (("impossible", 0), ("unique", 1)):
        places = [_words(reveal) for reveal, number in counts if number == wanted]
        lines.append(f"{word} ({len(places)}): {'; '.join(places) or 'none'}")
    return "\n".join(lines) + "\n"


def _words(reveal: Mapping[str, Any]) -> str:
    if "cells" in reveal:
        pairs = zip(reveal["labels"], reveal["cells"], strict=True)
        return " ".join(f"{label} ({r}, {c})" if label == "*" else label for label, (r, c) in pairs)
    labels: Iterable[object] = reveal.values()
    return " ".join(" ".join(x) if isinstance(x, list) else str(x) for x in labels)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
