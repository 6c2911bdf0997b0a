"""Counts in every form: a table, JSON, CSV."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calmip.problem.instance import Instance
from calmip.render.escaping import csv_text
from calmip.render.report import Block, DataTable, Document
from calmip.render.reports import made_of
from calmip.tasks.count import Counts

__all__ = ["FORMS", "csv", "report"]


Choices = Sequence[tuple[Mapping[str, Any], int]]


def report(counts: Counts) -> Document:
    """Return a table by labels, or the extremes among the choices of cells."""
    blocks: list[Block]
    if counts.counts is None:
        blocks = [f"{counts.detail}: nothing is known of the number"]
    elif counts.any_cells is None:
        blocks = [*_table(counts.instance, counts.counts), *_up_to_symmetry(counts)]
    else:
        blocks = [*_extremes(counts.counts), *_odd(counts.counts)]
    return Document(f"{counts.instance.name}: number of tilings", blocks)


def _up_to_symmetry(counts: Counts) -> list[str]:
    if counts.symmetries is None:
        return []
    if counts.symmetries == 1:
        return ["up to symmetry as many: no motion carries what is to be covered into itself"]
    motions = f"{counts.symmetries} motions carry what is to be covered into itself"
    return [f"up to symmetry {counts.different:,}: {motions}"]


def csv(counts: Counts) -> str:
    """Return a header and a line per choice of what stays uncovered."""
    found = counts.counts or ()
    names = list(found[0][0])
    return csv_text(
        [*names, "tilings"],
        ([*(_cell_text(reveal[name]) for name in names), number] for reveal, number in found),
    )


def _cell_text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(instance: Instance, counts: Choices) -> list[Block]:
    """Return a table of the two largest free groups, sums over the others, and the extremes."""
    groups = instance.puzzle.groups
    free = sorted(instance.free, key=lambda group: len(groups[group]))[-2:]
    lines: list[Block] = []
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
        rows.append(["all", *map(str, totals)])
        lines.append(DataTable(["", *groups[across]], rows, left=()))
        others = [group for group in instance.free if group not in free]
        if others:
            lines.append(f"(each number is the sum over all choices of {' and '.join(others)})")
    elif free:
        rows = [[str(reveal[free[0]]), str(number)] for reveal, number in counts]
        lines.append(DataTable((), rows, left=()))
    return [*lines, *([""] if lines else []), *_extremes(counts)]


def _extremes(counts: Choices) -> list[str]:
    numbers = [number for _, number in counts]
    lines = [f"total {sum(numbers):,} in {len(numbers):,} choice{'s' if len(numbers) > 1 else ''}"]
    if len(numbers) > 1:
        for word, extreme in (("minimum", min(numbers)), ("maximum", max(numbers))):
            places = [_words(reveal) for reveal, number in counts if number == extreme]
            more = f" and {len(places) - 5} more" if len(places) > 5 else ""
            lines.append(f"{word} {extreme:,}: {'; '.join(places[:5])}{more}")
        lines.append(f"mean {statistics.fmean(numbers):,.1f}")
    return lines


def _odd(counts: Choices) -> list[str]:
    lines = []
    for word, wanted in (("impossible", 0), ("unique", 1)):
        places = [_words(reveal) for reveal, number in counts if number == wanted]
        lines.append(f"{word} ({len(places)}): {'; '.join(places) or 'none'}")
    return lines


def _words(reveal: Mapping[str, Any]) -> str:
    if "cells" in reveal:
        pairs = zip(reveal["labels"], reveal["cells"], strict=True)
        return " ".join(f"{label} ({r}, {c})" if label == "*" else label for label, (r, c) in pairs)
    labels: Iterable[object] = reveal.values()
    return " ".join(" ".join(x) if isinstance(x, list) else str(x) for x in labels)


FORMS = made_of(report, csv=csv)
