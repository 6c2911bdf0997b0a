"""A calendar as JSON: small enough to ship with a web page, and read back with every check.

What the numbers of a day mean is said at `Calendar.describe`. Reading needs no
geometry: the cells are the place's row and column plus the orientation's differences.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calmip.errors import InputError, NotATiling, listed
from calmip.problem.board import Board, Piece
from calmip.problem.cover import Placement
from calmip.problem.instance import Instance
from calmip.problem.lattice import LATTICES, Shape
from calmip.problem.puzzle import Puzzle
from calmip.problem.tiling import Tiling
from calmip.tasks._calendar import FORMAT, VERSION, Calendar, Day, days_of

__all__ = ["calendar_from_json", "calendar_json", "read_calendar"]

MOST_CHARACTERS = 20_000_000


def calendar_json(calendar: Calendar) -> str:
    """Return a calendar as one line of JSON and a line end; the same input, the same text."""
    return json.dumps(calendar.describe(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_calendar(path: Path | str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar in a file, every tiling verified.

    Parameters
    ----------
    path
        The file.
    puzzle
        The puzzle against which to verify; what the file itself says unless given.

    Raises
    ------
    InputError
        If the file cannot be read, is no calendar, or holds what is no tiling.
    """
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot be read: {reason}", path=path) from None
    try:
        return calendar_from_json(text, puzzle=puzzle)
    except InputError as error:
        raise InputError(error.message, path=path) from None


def calendar_from_json(text: str, *, puzzle: Puzzle | None = None) -> Calendar:
    """Return the calendar that a text describes, every tiling verified.

    Days without a tiling are taken at their word. See `read_calendar`.

    Raises
    ------
    InputError
        If the text is no calendar, or holds what is no tiling.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"has over {MOST_CHARACTERS:,} characters; no calendar is so large")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'is not a calendar: it has no key "format" with the value "{FORMAT}"')
    if document.get("version") != VERSION:
        raise InputError(f"is a calendar of another version; this program reads version {VERSION}")
    year, seed = (_of(document, key, int) for key in ("year", "seed"))
    shapes = _shapes(document)
    found = _puzzle(document, shapes) if puzzle is None else puzzle
    if puzzle is not None and {piece.name for piece in puzzle.pieces} != set(shapes):
        raise InputError(
            f"its pieces are {listed(list(shapes))}, not those of {puzzle.name}: "
            f"{listed([piece.name for piece in puzzle.pieces])}"
        )
    entries = _of(document, "days", dict)
    dates = days_of(year)
    names = [f"{date:%m-%d}" for date in dates]
    if list(entries) != names:
        odd = [name for name in names if name not in entries] or [
            str(name)[:20] for name in entries if name not in names
        ]
        raise InputError(f"its days are not those of {year}: see {listed(odd or names, most=3)}")
    width = len(str(_of(document, "grid", list)[0]).split())
    days = tuple(
        _day(found, date, entries[name], shapes, width)
        for date, name in zip(dates, names, strict=True)
    )
    return Calendar(found, year, seed, days)


def _of(document: Mapping[str, Any], key: str, kind: type) -> Any:
    value = document.get(key)
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        words = {int: "a whole number", str: "a text", dict: "a mapping", list: "a list",
                 bool: "true or false"}  # fmt: skip
        raise InputError(f'its key "{key}" is not {words[kind]}')
    if kind is list and not value:
        raise InputError(f'its key "{key}" is empty')
    return value


def _texts(value: object, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{what} is not a list of texts")
    return value


def _shapes(document: Mapping[str, Any]) -> dict[str, list[Shape]]:
    found: dict[str, list[Shape]] = {}
    for piece in _of(document, "pieces", list):
        try:
            name = piece["name"]
            shapes = [tuple((r, c) for r, c in shape) for shape in piece["orientations"]]
            whole = all(
                type(number) is int for shape in shapes for cell in shape for number in cell
            )
        except (TypeError, ValueError, KeyError):
            name, shapes, whole = "", [], False
        if not whole or not isinstance(name, str) or not all(shapes) or not shapes:
            raise InputError(
                'an entry of "pieces" does not have the form '
                '{"name": ..., "orientations": [[[row, column], ...], ...]}'
            )
        if name in found:
            raise InputError(f"two pieces are called {name}")
        found[name] = shapes
    return found


def _puzzle(document: Mapping[str, Any], shapes: Mapping[str, Sequence[Shape]]) -> Puzzle:
    lattice = LATTICES.get(_of(document, "lattice", str))
    if lattice is None:
        raise InputError(f'its key "lattice" is none of {listed(list(LATTICES))}')
    groups = _of(document, "groups", dict)
    return Puzzle(
        name=_of(document, "puzzle", str),
        board=Board.from_text(_texts(document.get("grid"), 'its key "grid"'), lattice),
        pieces=tuple(Piece(name, found[0], lattice) for name, found in shapes.items()),
        groups={group: tuple(_texts(labels, f"the group {group}"))
                for group, labels in groups.items()},
        flip=_of(document, "flip", bool),
        id=_of(document, "id", str),
    )  # fmt: skip


def _day(
    puzzle: Puzzle,
    date: datetime.date,
    entry: object,
    shapes: Mapping[str, Sequence[Shape]],
    width: int,
) -> Day:
    instance = Instance.of_date(puzzle, date, name=date.isoformat())
    if entry is None:
        return Day(date, instance, None)
    if (
        not isinstance(entry, list)
        or len(entry) != 2 * len(shapes)
        or not all(type(number) is int and number >= 0 for number in entry)
    ):
        raise InputError(f"{date}: not null or a list of {2 * len(shapes)} whole numbers")
    placements = []
    for (name, orientations), turn, place in zip(
        shapes.items(), entry[::2], entry[1::2], strict=True
    ):
        if turn >= len(orientations):
            raise InputError(
                f"{date}: piece {name} has {len(orientations)} orientations, and number {turn} "
                "is asked for (they count from 0)"
            )
        row, column = divmod(place, width)
        cells = tuple((row + down, column + right) for down, right in orientations[turn])
        placements.append(Placement(name, cells))
    try:
        return Day(date, instance, Tiling(instance, tuple(placements), instance.labels))
    except NotATiling as error:
        raise InputError(f"{date}: {error}") from None
