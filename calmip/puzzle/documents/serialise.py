"""Puzzles as YAML, tables as CSV, and instances and tilings as data for JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from calmip._base.errors import clip
from calmip.mip.display import describe_number, width_of
from calmip.mip.rows import Bound, is_finite
from calmip.puzzle.board import Piece
from calmip.puzzle.instance import FREE, Instance, Placement
from calmip.puzzle.lattice import SQUARE
from calmip.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from calmip.puzzle.tiling import Packing


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as a YAML document with all that is needed to solve it."""
    return "\n".join(_lines(puzzle)) + "\n"


def _lines(puzzle: Puzzle) -> Iterator[str]:
    board = puzzle.board
    yield f"name: {_quote(puzzle.name)}"
    if puzzle.note:
        yield f"note: {_quote(puzzle.note)}"
    if board.lattice != SQUARE:
        yield f"lattice: {board.lattice.name}"
    yield "grid:"
    width = max(width_of(text) for row in board.rows for text in row)
    for row in board.rows:
        yield f"- {_quote(' '.join(' ' * (width - width_of(text)) + text for text in row))}"
    if puzzle.groups:
        yield f"uncover: {_list(puzzle.groups)}"
        yield "groups:"
        for group, labels in puzzle.groups.items():
            yield f"  {_quote(group)}: {_list(labels)}"
    yield f"flip: {'true' if puzzle.flip else 'false'}"
    if puzzle.use:
        yield f"use: {puzzle.use}"
    yield from _piece_lines("pieces", puzzle.pieces)
    if puzzle.no_flip_pieces:
        yield from _piece_lines("no_flip_pieces", puzzle.no_flip_pieces)


def _piece_lines(key: str, pieces: Iterable[Piece]) -> Iterator[str]:
    yield f"{key}:"
    for piece in pieces:
        rows, columns = piece.lattice.frame(piece.cells)
        shape = _list("".join(".#"[(r, c) in piece.cells] for c in columns) for r in rows)
        facts = [f"colour: {_quote(piece.colour)}"] if piece.colour else []
        if piece.back:
            facts = [f"colour: {_list((piece.colour, piece.back))}"]
        facts += [f"{key}: {str(value).lower()}" for key, value in piece.rules.items()]
        entry = f"{{{', '.join((f'shape: {shape}', *facts))}}}" if facts else shape
        yield f"  {_quote(piece.name)}: {entry}"


def _list(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(_quote, texts)) + "]"


def _quote(text: str) -> str:
    """Return a text in double quotes, with invisible characters escaped."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = (mark if mark.isprintable() else f"\\U{ord(mark):08x}" for mark in quoted)
    return f'"{"".join(escaped)}"'


def describe_instance(instance: Instance) -> dict[str, Any]:
    """Return an instance's names, labels (``free`` of a free group) and placed pieces, if any."""
    reveal = instance.reveal_of(instance.labels)
    if instance.free:
        reveal = {
            **dict.fromkeys(instance.puzzle.groups, FREE),
            **instance.by_group(instance.labels),
        }
    document = {
        "name": instance.name,
        "puzzle": instance.puzzle.id or instance.puzzle.name,
        "reveal": reveal,
        "flip": instance.puzzle.flip,
    }
    if instance.placed:
        document["placed"] = [describe_placement(placed) for placed in instance.placed]
    return document


def describe_placement(placement: Placement) -> dict[str, Any]:
    """Return a piece's name and its cells as 0-based [row, column]."""
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}


def describe_tiling(tiling: Packing) -> dict[str, Any]:
    """Return a tiling's uncovered labels and its placements, cells as 0-based [row, column].

    If pieces may be left out, ``left`` has the names of those that are. If the sides of some have
    two colours, ``backs`` has the names of those whose back is up.
    """
    return {
        "reveal": tiling.reveal,
        "placements": [describe_placement(placement) for placement in tiling.placements],
        **{key: list(getattr(tiling, key)) for key in _lists_of(tiling.instance.puzzle)},
    }


def _lists_of(puzzle: Puzzle) -> list[str]:
    """Return the keys of a tiling that are lists of pieces."""
    return ["left"] * bool(puzzle.optional) + ["backs"] * bool(puzzle.two_sided)


def tiling_lines(instance: Instance) -> Callable[[Packing], str]:
    """Return a function that writes a tiling of an instance as a line of JSON.

    The line equals that of `json_text` and `describe_tiling`. Cached texts of placements and
    labels make it some ten times faster.
    """

    @cache
    def reveal(labels: tuple[str, ...]) -> str:
        return json.dumps(instance.reveal_of(labels))

    @cache
    def text(placement: Placement) -> str:
        return json.dumps(describe_placement(placement))

    keys = _lists_of(instance.puzzle)

    def line(tiling: Packing) -> str:
        placements = ", ".join(map(text, tiling.placements))
        lists = "".join(f', "{key}": {json.dumps(getattr(tiling, key))}' for key in keys)
        return f'{{"reveal": {reveal(tiling.labels)}, "placements": [{placements}]{lists}}}\n'

    return line


def describe_fields(value: Any, keys: Iterable[str] = ()) -> dict[str, Any]:
    """Return fields and properties of an object as plain data, seconds to the microsecond.

    The keys default to its ``KEYS``, or else to the fields of its dataclass.
    """
    keys = keys or getattr(value, "KEYS", ()) or [field.name for field in fields(value)]
    return {key: plain_data(getattr(value, key), 6 if key == "seconds" else None) for key in keys}


def plain_data(value: Any, digits: int | None = None) -> Any:
    """Return a value as data for JSON, with known objects described; round to ``digits``."""
    if isinstance(value, Fraction) or (isinstance(value, float) and digits is not None):
        return describe_number(value) if isinstance(value, Fraction) else round(value, digits)
    if isinstance(value, (PurePath, date, StrEnum)):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain_data(inner, digits) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_data(inner) for inner in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    document = DOCUMENTS.get(type(value).__name__, describe_fields)
    return value.describe() if hasattr(value, "describe") else document(value)


FORMULA = ("=", "+", "-", "@")


def csv_cell(text: str) -> str:
    """Return a text for a cell of CSV; one that a spreadsheet takes for a formula gets a quote.

    Spreadsheets skip blanks before a formula, and some read full-width signs as plain ones.
    """
    start = unicodedata.normalize("NFKC", text).lstrip()
    cell = clip(text, len(text))
    return f"'{cell}" if start.startswith(FORMULA) or text[:1] in ("\t", "\r") else cell


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV with a header line.

    Texts are as `csv_cell` makes them.
    """
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_cell(name) for name in header])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def plain_csv(text: str) -> str:
    """Return a table of `csv_text` for programs: names without quotes, and no fractions.

    A fraction is the nearest float if all cells of its column are numbers.
    """
    import csv
    import io

    head, *rows = ([_unquoted(cell) for cell in row] for row in csv.reader(io.StringIO(text)))
    for place in range(len(head)):
        cells = [row[place] for row in rows]
        if not all(map(NUMBER.fullmatch, cells)):
            continue
        for row, cell in zip(rows, cells, strict=True):
            if "/" in cell:
                with suppress(OverflowError):
                    row[place] = str(float(Fraction(cell)))
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    return stream.getvalue()


NUMBER = re.compile(r"([-+]?(\d+(/\d+|\.\d*)?([eE][-+]?\d+)?|inf))?")
"""A number as `number_cell` writes it, or nothing."""


def _unquoted(cell: str) -> str:
    """Return the text of which `csv_cell` makes a cell."""
    return cell[1:] if cell.startswith("'") and csv_cell(cell[1:]) == cell else cell


def number_cell(number: Bound) -> object:
    """Return a number as a cell of CSV: decimal where it is, else a fraction, or infinite.

    It is not a text: a sign before it would look like a formula.
    """
    described = describe_number(number) if is_finite(number) else number
    return number if isinstance(described, str) else described


def _cell(value: object) -> object:
    return csv_cell(value) if isinstance(value, str) else value


def json_text(document: Any) -> str:
    """Return a document as one line of JSON in ASCII, valid in every encoding of stdout."""
    return json.dumps(document, allow_nan=False) + "\n"


DOCUMENTS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "Instance": describe_instance,
    "Packing": describe_tiling,
    "Placement": describe_placement,
    "Tiling": describe_tiling,
}
"""The functions that describe objects other than results, by the names of their types."""
