"""The lines of a design's journal: of which work it is, and the sets of each part."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from calmip.documents.description import json_text
from calmip.errors import InputError
from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.tasks._sets import PieceSet

__all__ = ["identity", "line_of", "read_line"]


def identity(frame: Puzzle, pool: PiecePool, at_least: int) -> bytes:
    """Return the first line: all that the numbers of the sets depend on."""
    told = {
        "board": frame.board.rows,
        "lattice": frame.board.lattice.name,
        "groups": dict(frame.groups),
        "flip": frame.flip,
        "pieces": [[piece.name, piece.cells] for piece in pool.pieces],
        "least": pool.least,
        "most": pool.most,
        "number": pool.number,
        "at_least": at_least,
    }
    return json_text(told).encode()


def line_of(place: int, size: int, sets: Iterable[PieceSet]) -> bytes:
    """Return a part of the pool as a line: which one it is, how many sets it has, those found."""
    rows = [
        [one.numbers, one.minimum, one.median, one.maximum, one.total, one.impossible,
         one.unique, one.wanting, one.hardest]
        for one in sets
    ]  # fmt: skip
    return json_text({"part": place, "decided": size, "sets": rows}).encode()


def read_line(
    line: bytes, pool: PiecePool, path: Path | None, number: int
) -> tuple[int, int, list[PieceSet]]:
    """Return a line of the journal: which part it is, how many sets it has, and those found."""
    try:
        entry = json.loads(line)
        sets = []
        for numbers, *values, hardest in entry["sets"]:
            chosen = tuple(numbers)
            if not pool.has(chosen) or not all(value >= 0 for value in values):
                raise ValueError
            names = tuple(piece.name for piece in pool.named(chosen))
            given = (names, chosen, *values, tuple(map(str, hardest)))
            sets.append(PieceSet(*given))
        return int(entry["part"]), int(entry["decided"]), sets
    except (ValueError, TypeError, KeyError):
        raise InputError(
            "is not what a run of this work writes; leave out --resume to start anew",
            path=path,
            line=number,
        ) from None
