"""``calmip explain``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from calmip.cli import FOUND, LIMIT, NONE
from calmip.cli._options import (
    deliver,
    instance_from,
    instance_options,
    placed_option,
    terminal_style,
)
from calmip.documents.description import describe_instance, json_text
from calmip.errors import listed
from calmip.problem.cover import ExactCover
from calmip.render.text import Style, draw_position
from calmip.search.certificate import Certificate
from calmip.tasks.explain import TRIES, Conflict, find_conflict

__all__ = ["explain_command"]


@click.command("explain")
@instance_options
@placed_option
@click.option(
    "--tries",
    type=int,
    default=TRIES,
    show_default=True,
    help="Look for a small conflict around so many cells.",
)
@click.option("--time-limit", type=float, metavar="SECONDS", help="Stop after so many seconds.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def explain_command(
    source: str,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    placed: str | None,
    tries: int,
    time_limit: float | None,
    form: str,
    output: Path | None,
) -> int:
    """Name cells and pieces that already conflict in INSTANCE, which has no tiling.

    They are few, and none is idle: the others could be served without it.
    Where linear programming suffices, numbers prove the conflict, checked
    without rounding. The exit code is 0 if a conflict is named, 1 if there is
    a tiling and nothing to explain, 3 if a limit came first.
    """
    cover = ExactCover(instance_from(source, reveal, date, flip, placed))
    status = "infeasible"
    try:
        conflict = find_conflict(cover, tries=tries, time_limit=time_limit)
        status = "feasible" if conflict is None else status
    except TimeoutError:
        conflict, status = None, "unknown"
    if form == "json":
        text = json_text(_described(cover, status, conflict))
    else:
        text = "\n".join(_said(cover, status, conflict, terminal_style(output))) + "\n"
    deliver(text, output)
    return {"infeasible": FOUND, "feasible": NONE, "unknown": LIMIT}[status]


def _described(cover: ExactCover, status: str, conflict: Conflict | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "instance": describe_instance(cover.instance),
        "status": status,
        "columns": cover.columns,
        "rows": cover.rows,
        "conflict": None,
        "certificate": None,
    }
    if conflict is None:
        return document
    items = [cover.items[row] for row in conflict.rows]
    document["conflict"] = {
        "irreducible": conflict.irreducible,
        "rows": [
            {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
            for item in items
        ],
        "cells": [list(cell) for cell in _cells(cover, conflict)],
    }
    if conflict.certificate is not None:
        document["certificate"] = {
            "value": str(conflict.certificate.value(cover)),
            "multipliers": {
                cover.items[row].name: str(conflict.certificate.multipliers[row])
                for row in conflict.certificate.rows
            },
        }
    return document


def _cells(cover: ExactCover, conflict: Conflict) -> list[tuple[int, int]]:
    to_cover = cover.instance.to_cover
    return [to_cover[row] for row in conflict.rows if row < len(to_cover)]


def _said(cover: ExactCover, status: str, conflict: Conflict | None, style: Style) -> list[str]:
    instance = cover.instance
    words = [*instance.labels, *(f"any {group}" for group in instance.free)]
    title = " ".join(words) or instance.name
    if instance.placed:
        title += f" with {listed([one.piece for one in instance.placed])} placed"
    if conflict is None:
        if status == "feasible":
            return [f"{title}: there is a tiling, so nothing to explain"]
        return [f"{title}: the time was over before it was known whether there is a tiling"]
    items = [cover.items[row] for row in conflict.rows]
    count = "one equation" if len(items) == 1 else f"{len(items)} equations"
    lines = [
        draw_position(instance, style, marked=_cells(cover, conflict)),
        f"{title}: there is no tiling; {count} of {cover.rows} "
        + ("cannot hold:" if len(items) == 1 else "cannot hold together:"),
    ]
    lines += _named(cover, conflict)
    if not conflict.irreducible:
        lines.append("the time was over before each of them was shown to be needed")
    elif len(items) > 1:
        lines.append("without any one of them the others can hold")
    elif items[0].kind == "cell":
        lines.append("nothing that fits on the board covers this cell")
    if conflict.certificate is not None and len(items) > 1:
        lines += _proof(cover, conflict.certificate)
    return lines


def _named(cover: ExactCover, conflict: Conflict) -> list[str]:
    """Return the items of a conflict in words, cells by their labels."""
    board = cover.instance.puzzle.board
    cells = [
        label if len(board.labels.get(label, ())) == 1 else f"{label} ({r}, {c})"
        for r, c in _cells(cover, conflict)
        for label in [board.label((r, c))]
    ]
    lines = [f"  covered once: {', '.join(cells)}"] if cells else []
    named: dict[str, list[str]] = {}
    for row in conflict.rows:
        item = cover.items[row]
        if item.kind != "cell":
            verb = "used" if item.kind == "piece" else "decided"
            times = "once" if item.demand == 1 else f"{item.demand} times"
            text = item.text.removeprefix(f"{item.kind} ")
            if item.demand > 4:
                text = f"{text.partition(' = ')[0]} and those equal to it"
            named.setdefault(f"  {verb} {times}: ", []).append(text)
    return [*lines, *(verb + ", ".join(texts) for verb, texts in named.items())]


def _proof(cover: ExactCover, certificate: Certificate) -> list[str]:
    """Return the multipliers of a certificate with what they prove, equal ones on one line."""
    by_number: dict[str, list[str]] = {}
    for row in certificate.rows:
        number = certificate.multipliers[row]
        text = f"+{number}" if number > 0 else str(number)
        by_number.setdefault(text, []).append(cover.items[row].name)
    width = max(map(len, by_number))
    return [
        "",
        "Not even fractions of pieces would do. Multiply the equations by",
        *(f"  {number:>{width}}  {' '.join(names)}" for number, names in by_number.items()),
        "and add them up: every placement gets 0 or less, but the right-hand side is "
        f"{certificate.value(cover)} (verified in whole numbers).",
    ]
