"""The lines of a design's journal: of which work it is, and the sets of each part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calmip.problem.pool import PiecePool
from calmip.problem.puzzle import Puzzle
from calmip.tasks._journal import whole
from calmip.tasks._sets import MOST_HARDEST, PieceSet, SetJudge

__all__ = ["entry_of", "identity", "sets_of"]

MOST = (1 << 63) - 1


def identity(frame: Puzzle, pool: PiecePool, at_least: int) -> dict[str, Any]:
    """Return the first line: all that the numbers of the sets depend on."""
    return {
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


def entry_of(place: int, sets: Iterable[PieceSet]) -> dict[str, Any]:
    """Return a part of the pool as a line: which one it is, and its sets that were found."""
    rows = [
        [one.numbers, one.minimum, one.median, one.maximum, one.total, one.impossible,
         one.unique, one.wanting, one.hardest]
        for one in sets
    ]  # fmt: skip
    return {"part": place, "sets": rows}


def sets_of(judge: SetJudge, part: PiecePool, entry: dict[str, Any]) -> list[PieceSet]:
    """Return the sets of a part that a line names.

    Raises
    ------
    ValueError, TypeError, KeyError
        If it is no line that `entry_of` makes of this part: a set is not in the part, comes
        twice, or has numbers that no year has.
    """
    dates = len(judge.dates)
    found: dict[tuple[int, ...], PieceSet] = {}
    for row in entry["sets"]:
        numbers, minimum, median, maximum, total, impossible, unique, wanting, hardest = row
        chosen = tuple(whole(number, 0, part.area) for number in numbers)
        if chosen in found or not part.has(chosen):
            raise ValueError(f"{chosen} is a duplicate, or no set of this part")
        whole(maximum, whole(minimum, 0, MOST), whole(total, 1, MOST))
        if type(median) is not float or not minimum <= median <= maximum:
            raise ValueError(f"{median!r} is no median")
        for number in (impossible, unique, wanting):
            whole(number, 0, dates)
        if not 1 <= len(hardest) <= MOST_HARDEST or not set(hardest) <= set(judge.dates):
            raise ValueError(f"{hardest} are no dates")
        names = tuple(piece.name for piece in judge.pool.named(chosen))
        found[chosen] = PieceSet(
            names, chosen, minimum, median, maximum, total, impossible, unique, wanting,
            tuple(hardest),
        )  # fmt: skip
    return list(found.values())
