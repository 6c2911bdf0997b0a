"""The bundled puzzles, or the details of one puzzle; a puzzle in a file is checked."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError
from calmip._base.limits import Limits
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import DIGITS, GROUPS, real_dates
from calmip.puzzle.documents.reader import bundled_puzzles, read_board, read_puzzle
from calmip.puzzle.documents.serialise import plain_data
from calmip.puzzle.instance import Selection
from calmip.puzzle.lattice import Cell
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.results import Pictured

__all__ = ["BoardCheck", "Puzzles", "puzzles"]

COUNT_SECONDS = 10.0
"""Seconds to count the tilings of a board."""

COUNT_MEGABYTES = 1000.0
"""Megabytes for that; a larger count is done in parts."""

MAX_CHOICES = 50_000
"""The choices of labels that are checked one by one; more are not."""


@dataclass(frozen=True)
class BoardCheck:
    """The findings about a board.

    Parameters
    ----------
    faults
        Sentences on odd labels, pieces and stated counts.
    bare
        Cells that no piece can cover.
    hopeless
        The dates that are infeasible as areas do not add up, by the reason: labels of
        each group in the puzzle's order.
    counts
        The numbers of tilings, with the keys that a puzzle file has under ``counts``;
        empty where they were not counted.
    detail
        Why they were not counted, or empty.
    """

    faults: tuple[str, ...]
    bare: tuple[Cell, ...]
    hopeless: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Any]
    detail: str


@dataclass(frozen=True, repr=False)
class Puzzles(Pictured):
    """A list of puzzles, or the details of one.

    Parameters
    ----------
    puzzles
        Each puzzle under the name that commands take.
    single
        Whether one was asked for by its name.
    check
        The findings about a puzzle that came as a file.
    """

    puzzles: Mapping[str, Puzzle]
    single: bool = False
    check: BoardCheck | None = None

    status = Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the puzzles as plain data: what their files say, and the pieces' cells."""
        check = {} if self.check is None else {"check": plain_data(self.check)}
        return {"puzzles": [_describe(*one) for one in self.puzzles.items()], **check}

    def _summary(self) -> str:
        return f"{len(self.puzzles)} puzzles" if not self.single else ", ".join(self.puzzles)


def _describe(name: str, puzzle: Puzzle) -> dict[str, Any]:
    return {
        "name": name,
        "title": puzzle.name,
        "lattice": puzzle.board.lattice.name,
        "grid": [" ".join(row) for row in puzzle.board.rows],
        "groups": {group: list(labels) for group, labels in puzzle.groups.items()},
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
        **({"rules": rules} if (rules := puzzle.rules) else {}),
        **({"use": puzzle.use} if puzzle.use else {}),
        "note": puzzle.note,
        "counts": dict(puzzle.counts),
        "sources": list(puzzle.sources),
    }


@public
def puzzles(name: str | Path | None = None) -> Puzzles:
    """List the bundled puzzles, or show the board, pieces, sources and known counts of one.

    For a puzzle of your own, write the file of a similar one with ``-o mine.yaml``, edit its
    board and pieces, and check it with ``calmip puzzles mine.yaml``, also without pieces. The
    check finds missing and duplicate labels, cells that no piece covers and infeasible dates,
    and counts the tilings if ten seconds suffice. A picture shows the board and the pieces of
    one puzzle; an HTML page shows one or all.

    Parameters
    ----------
    name
        The name of a bundled puzzle, or the path of a puzzle in YAML; all
        bundled ones unless given.

    Raises
    ------
    InputError
        If there is no such puzzle, or its file is not a valid puzzle.
    """
    bundled = bundled_puzzles()
    if name is None:
        return Puzzles({one: read_puzzle(one) for one in bundled})
    puzzle = read_board(name, pieces=True)
    check = None if str(name) in bundled else _check(puzzle)
    return Puzzles({str(name): puzzle}, single=True, check=check)


def _check(puzzle: Puzzle) -> BoardCheck:
    """Return the findings about a board, and about its pieces if it has some."""
    from calmip.puzzle.search.exact_cover.counting import count_by_reveal

    limits = Limits(COUNT_SECONDS, memory_limit=COUNT_MEGABYTES)
    faults, detail = puzzle.label_faults(), ""
    counts: dict[str, Any] = {}
    bare: tuple[Cell, ...] = ()
    real = _real(puzzle)
    if puzzle.pieces:
        try:
            cover = ExactCover(Selection(puzzle, (), tuple(puzzle.groups)))
            missing = set(range(len(puzzle.board.cells)))
            missing.difference_update(*cover.covered[: cover.placements])
            bare = tuple(puzzle.board.cells[number] for number in sorted(missing))
            found = count_by_reveal(cover, limits)
            counts = _counts(found, real)
            faults += _contradictions(puzzle, counts)
        except TimeoutError:
            detail = f"not counted within {COUNT_SECONDS:g} s"
        except InputError as error:
            detail = f"not counted: {error.message}"
    hopeless = _hopeless(puzzle, real)
    return BoardCheck(tuple(faults), bare, hopeless, counts, detail)


def _real(puzzle: Puzzle) -> set[tuple[str, ...]] | None:
    """Return the choices of labels that are dates; None if a group is not of the calendar."""
    if not puzzle.groups or not set(puzzle.groups) <= {*GROUPS, *DIGITS}:
        return None
    if math.prod(map(len, puzzle.groups.values())) > MAX_CHOICES:
        return None
    try:
        return {tuple(labels.values()) for labels in real_dates(puzzle.groups).values()}
    except InputError:
        return None


def _counts(
    found: Mapping[tuple[str, ...], int], real: set[tuple[str, ...]] | None
) -> dict[str, Any]:
    """Return the numbers of tilings as a puzzle file states them."""
    counts: dict[str, Any] = {"all": sum(found.values())}
    dates = {labels: n for labels, n in found.items() if real is None or labels in real}
    if real is not None:
        counts["valid"] = sum(dates.values())
    if len(dates) > 1:
        for key, extreme in (("min", min(dates.values())), ("max", max(dates.values()))):
            named = [" ".join(labels) for labels, n in dates.items() if n == extreme]
            counts[key] = {"count": extreme, "dates": named}
        counts["average"] = round(math.fsum(found.values()) / len(found), 1)
        counts["solvable"] = sum(n > 0 for n in found.values())
    return counts


def _contradictions(puzzle: Puzzle, counts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each number in the file that differs from the count."""
    for key, found in counts.items():
        stated, number = puzzle.counts.get(key), found
        if isinstance(found, dict):
            number = found["count"]
            stated = stated.get("count") if isinstance(stated, Mapping) else None
        if key != "average" and stated is not None and str(stated) != str(number):
            yield f"counts states {key}: {stated}, and {number} were counted"


def _hopeless(puzzle: Puzzle, real: set[tuple[str, ...]] | None) -> dict[str, tuple[str, ...]]:
    """Return the dates whose cells the pieces cannot cover whatever their shapes, by the reason."""
    board, groups = puzzle.board, puzzle.groups
    if math.prod(map(len, groups.values())) > MAX_CHOICES:
        return {}
    sizes = {
        labels: len(board.cells) - sum(len(board.labels[label]) for label in labels)
        for labels in itertools.product(*groups.values())
        if real is None or labels in real
    }
    # The areas of all sets of pieces, as bits; unknown pieces have two cells or more.
    sums = 1 if puzzle.pieces else ~2
    for piece in puzzle.pieces:
        sums |= sums << len(piece.cells)
    ((usual, _),) = Counter(sizes.values()).most_common(1) or ((0, 0),)
    found: dict[str, list[str]] = {}
    for labels, size in sizes.items():
        reason = ""
        numbers = puzzle.areas.get(size, frozenset())
        if puzzle.pieces and not (puzzle.use in numbers if puzzle.use else numbers):
            reason = f"{size} cells are left, and the pieces cover {puzzle.area}"
            if puzzle.optional:
                reason = f"{size} cells are left, and no choice of the pieces covers so many"
        elif size != usual:
            reason = f"{size} cells are left, and {usual} on most dates"
        else:
            odd = len(board.odd_region(board.labelled(labels), sums))
            if odd:
                region = f"a region of {odd} cell{'s' * (odd > 1)} is cut off"
                reason = f"{region}, and no set of the pieces has that area"
                if not puzzle.pieces:
                    reason = f"{region}, which only a piece of one cell covers"
        if reason:
            found.setdefault(reason, []).append(" ".join(labels))
    return {reason: tuple(dates) for reason, dates in found.items()}
