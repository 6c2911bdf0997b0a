"""The history of a player: the file that the page saves, with the seconds of each solved date."""

from __future__ import annotations

import json
from pathlib import Path

from calmip._base.errors import InputError
from calmip._base.files import read_bytes
from calmip.puzzle.puzzle import Puzzle

MAX_BYTES = 5_000_000
"""The page writes and reads no larger file."""


def read_history(path: Path | str, puzzle: Puzzle) -> dict[tuple[str, ...], int]:
    """Return the seconds of the instances that were solved without help, by their labels.

    Parameters
    ----------
    path
        The file that the page writes by *Save the history*. It has the first solution of each
        instance, with its time and the help that was taken.
    puzzle
        A bundled puzzle. The labels are in the order of its groups.

    Raises
    ------
    InputError
        If the file cannot be read or is not a history, or the puzzle is not a bundled one.
    """
    path = Path(path)
    if not puzzle.id:
        raise InputError(
            f"{puzzle.name} is not a bundled puzzle, and only those have a name in the history; "
            "calmip puzzles lists them"
        )
    data = read_bytes(path, MAX_BYTES)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    entries = document.get("entries") if isinstance(document, dict) else None
    if not isinstance(entries, dict) or document.get("calmip") != "history":
        raise InputError(
            "is not a history of the page, which is JSON with the key calmip: history; "
            "save one under 'Your record' on the page of calmip play",
            path=path,
        )
    start = f"record.{puzzle.id}|{'' if puzzle.flip else 'no-flip'}|"
    found = {}
    for key, text in entries.items():
        if key.startswith(start) and (seconds := _seconds_alone(text)):
            found[tuple(key.removeprefix(start).split("|"))] = seconds
    return found


def _seconds_alone(text: object) -> int:
    """Return the seconds of a record without help; 0 if there was help, or no time."""
    try:
        record = json.loads(str(text))
    except (ValueError, RecursionError):
        return 0
    if not isinstance(record, dict) or record.get("hints") or record.get("shown"):
        return 0
    seconds = record.get("seconds")
    alone = record.get("assist", "off") == "off" and type(seconds) is int and seconds > 0
    return seconds if alone and isinstance(seconds, int) else 0
