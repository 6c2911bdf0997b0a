"""The exact cover as JSON: items and options, for programs of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from calmip.problem.cover import ExactCover, Placement

__all__ = ["json_lines"]


def json_lines(cover: ExactCover, comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a JSON object, one item or option per line.

    Its keys: ``comments``; ``items``, each with ``name`` (the row's), ``kind``
    (``cell``, ``piece`` or ``group``), ``text`` and ``demand``; ``options``,
    each with ``name`` (the column's), ``items`` (0-based positions in
    ``items``, ascending), ``cells`` ([row, column], 0-based), and ``piece`` or
    ``group`` and ``label``.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines for the key ``comments``.
    """
    yield f'{{"comments": {json.dumps(list(comments))},\n"items": [\n'
    items = [
        {"name": item.name, "kind": item.kind, "text": item.text, "demand": item.demand}
        for item in cover.items
    ]
    yield from _listed(items)
    yield '],\n"options": [\n'
    yield from _listed(_option(cover, number) for number in range(cover.columns))
    yield "]}\n"


def _option(cover: ExactCover, number: int) -> dict[str, Any]:
    chosen = cover.option(number)
    what = (
        {"piece": chosen.piece}
        if isinstance(chosen, Placement)
        else {"group": chosen.group, "label": chosen.label}
    )
    return {
        "name": cover.option_names[number],
        **what,
        "cells": [list(cell) for cell in chosen.cells],
        "items": cover.items_of(number),
    }


def _listed(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    separator = ""
    for entry in entries:
        yield separator + json.dumps(entry)
        separator = ",\n"
    yield "\n"
