"""Puzzles as YAML; instances, tilings, models and points as plain data, and that as JSON.

`calmip.documents.reader` reads the YAML again; the forms of the JSON are documented.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import date
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from calmip.problem.board import Piece
from calmip.problem.lattice import SQUARE
from calmip.problem.puzzle import Puzzle
from calmip.problem.shown import width_of

if TYPE_CHECKING:
    from calmip.problem.binary_model import BinaryModel
    from calmip.problem.instance import Instance, Placement
    from calmip.problem.tiling import Packing

__all__ = [
    "describe_instance",
    "describe_model",
    "describe_placement",
    "describe_point",
    "describe_tiling",
    "described",
    "json_text",
    "plain",
    "puzzle_text",
    "tiling_lines",
]


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as a YAML document that says all that is needed to solve it."""
    return "\n".join(_lines(puzzle)) + "\n"


def _lines(puzzle: Puzzle) -> Iterator[str]:
    board = puzzle.board
    yield f"name: {_quoted(puzzle.name)}"
    if puzzle.note:
        yield f"note: {_quoted(puzzle.note)}"
    if board.lattice != SQUARE:
        yield f"lattice: {board.lattice.name}"
    yield "grid:"
    width = max(width_of(text) for row in board.rows for text in row)
    for row in board.rows:
        yield f"- {_quoted(' '.join(' ' * (width - width_of(text)) + text for text in row))}"
    if puzzle.groups:
        yield f"uncover: {_listed(puzzle.groups)}"
        yield "groups:"
        for group, labels in puzzle.groups.items():
            yield f"  {_quoted(group)}: {_listed(labels)}"
    yield f"flip: {'true' if puzzle.flip else 'false'}"
    yield from _drawn("pieces", puzzle.pieces)
    if puzzle.no_flip_pieces:
        yield from _drawn("no_flip_pieces", puzzle.no_flip_pieces)


def _drawn(key: str, pieces: Iterable[Piece]) -> Iterator[str]:
    yield f"{key}:"
    for piece in pieces:
        height = max(r for r, _ in piece.cells) + 1
        left = min(c for _, c in piece.cells)
        width = max(c for _, c in piece.cells) - left + 1
        rows = [["."] * width for _ in range(height)]
        for r, c in piece.cells:
            rows[r][c - left] = "#"
        shape = _listed("".join(row) for row in rows)
        coloured = f"{{shape: {shape}, colour: {_quoted(piece.colour)}}}"
        yield f"  {_quoted(piece.name)}: {coloured if piece.colour else shape}"


def _listed(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"


def _quoted(text: str) -> str:
    """Return a text in double quotes, and what nobody sees as an escape."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = (mark if mark.isprintable() else f"\\U{ord(mark):08x}" for mark in quoted)
    return f'"{"".join(escaped)}"'


def describe_instance(instance: Instance) -> dict[str, Any]:
    """Return an instance's names and labels; a free group has the label ``free``.

    Pieces that are placed already are there only if there are any.
    """
    reveal = instance.reveal_of(instance.labels)
    if instance.free:
        groups = instance.puzzle.groups
        reveal = {
            group: next((label for label in instance.labels if label in members), "free")
            for group, members in groups.items()
        }
    described = {
        "name": instance.name,
        "puzzle": instance.puzzle.id or instance.puzzle.name,
        "reveal": reveal,
        "flip": instance.puzzle.flip,
    }
    if instance.placed:
        described["placed"] = [describe_placement(placed) for placed in instance.placed]
    return described


def describe_placement(placement: Placement) -> dict[str, Any]:
    """Return a piece's name and its cells as 0-based [row, column]."""
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}


def describe_tiling(tiling: Packing) -> dict[str, Any]:
    """Return a tiling's uncovered labels and its placements, cells as 0-based [row, column]."""
    return {
        "reveal": tiling.reveal,
        "placements": [describe_placement(placement) for placement in tiling.placements],
    }


def tiling_lines(instance: Instance) -> Callable[[Packing], str]:
    """Return a function that gives a tiling of an instance as a line of JSON.

    It is what `json_text` makes of `describe_tiling`, some ten times faster: the texts of
    placements and of labels are kept, as tilings have them in common.
    """
    texts: dict[Placement, str] = {}
    reveals: dict[tuple[str, ...], str] = {}

    def line(tiling: Packing) -> str:
        reveal = reveals.get(tiling.labels)
        if reveal is None:
            reveal = reveals[tiling.labels] = json.dumps(instance.reveal_of(tiling.labels))
        found = []
        for placement in tiling.placements:
            text = texts.get(placement)
            if text is None:
                text = texts[placement] = json.dumps(describe_placement(placement))
            found.append(text)
        return f'{{"reveal": {reveal}, "placements": [{", ".join(found)}]}}\n'

    return line


def describe_model(model: BinaryModel) -> dict[str, Any]:
    """Return what identifies a model: its file, the name inside, and its size."""
    return {
        "file": model.source,
        "name": model.name,
        "columns": len(model.columns),
        "rows": len(model.rows),
    }


def describe_point(model: BinaryModel, ones: Iterable[int]) -> dict[str, Any]:
    """Return a 0/1 point by the names of the columns that are one; all others are zero."""
    return {"ones": [model.columns[column] for column in ones]}


def described(value: Any, keys: Iterable[str] = ()) -> dict[str, Any]:
    """Return fields and properties of an object as plain data, seconds to the microsecond.

    Parameters
    ----------
    value
        The object.
    keys
        What to return: its ``KEYS`` unless given, or all fields of a dataclass without.
    """
    keys = keys or getattr(value, "KEYS", ()) or [field.name for field in fields(value)]
    return {key: plain(getattr(value, key), 6 if key == "seconds" else None) for key in keys}


def plain(value: Any, digits: int | None = None) -> Any:
    """Return a value as data for JSON: what it is made of, and known objects as their documents.

    Parameters
    ----------
    value
        The value.
    digits
        The digits after the point that numbers are rounded to; all unless given.
    """
    if isinstance(value, float) and digits is not None:
        return round(value, digits)
    if isinstance(value, (PurePath, date, StrEnum)):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain(inner, digits) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    document = DOCUMENTS.get(type(value).__name__, described)
    return value.describe() if hasattr(value, "describe") else document(value)


def json_text(document: Any) -> str:
    """Return a document as one line of JSON and a line end; the same input, the same text.

    It is plain ASCII, with other characters as JSON escapes, so that it is
    valid whatever the encoding of stdout, and harmless on a terminal.
    """
    return json.dumps(document, allow_nan=False) + "\n"


DOCUMENTS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "BinaryModel": describe_model,
    "Instance": describe_instance,
    "Packing": describe_tiling,
    "Placement": describe_placement,
    "Tiling": describe_tiling,
}
"""What describes objects that are no results, by the names of their types."""
