"""Exercise 1: the placements of a tiny board, listed by hand.

The file has a line per placement: the piece, a colon, and the cells as two
digits each, row and column from 0: ``L: 00 01 02 10``. ``#`` starts a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from calmip.course.cases import CASES
from calmip.course.marks import (
    Check,
    Failed,
    example,
    example_of,
    misplaced,
    quoted,
    run_checks,
)
from calmip.errors import CalmipError
from calmip.formats.reading import read_source
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance

__all__ = ["grade_listing"]

LINE = re.compile(r"([A-Za-z]+)\s*:\s*((?:\d\d\s*)+)")


def grade_listing(path: Path, *, instance: Instance = CASES[0]) -> tuple[Check, ...]:
    """Mark a list of all placements of the two pieces of "six cells", or of another puzzle."""
    cover = ExactCover(instance)
    first, second = sorted(piece.name for piece in instance.puzzle.pieces)
    right = {cover.option(number): number for number in range(cover.columns)}
    listed: list[Placement] = []

    def readable() -> None:
        try:
            lines = read_source(path).lines
        except CalmipError as error:
            raise Failed(str(error)) from None
        for number, line in enumerate(lines, start=1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            found = LINE.fullmatch(text)
            if found is None:
                raise Failed(
                    f"line {number}: found {quoted(text)}; a line is a piece, a colon and its "
                    "cells, such as L: 00 01 02 10"
                )
            cells = tuple(sorted((int(p[0]), int(p[1])) for p in found.group(2).split()))
            listed.append(Placement(found.group(1), cells))
        if not listed:
            raise Failed("the file lists no placement")

    def valid() -> None:
        for placement in listed:
            if placement not in right:
                fault, *board = misplaced(cover, placement)
                raise Failed(f"{_words(placement)}: {fault}", *board)
        again = next((p for p, times in Counter(listed).items() if times > 1), None)
        if again is not None:
            raise Failed(f"{_words(again)} is listed twice", example(cover.instance, [again]))

    def complete(piece: str) -> None:
        for placement, number in right.items():
            assert isinstance(placement, Placement)
            if placement.piece == piece and placement not in listed:
                left = sum(
                    1 for p in right
                    if isinstance(p, Placement) and p.piece == piece and p not in listed
                )  # fmt: skip
                raise Failed(
                    f"{left} placement{'s are' if left > 1 else ' is'} missing, one of them "
                    f"{_words(placement)}",
                    example_of(cover, [number]),
                )

    return run_checks(
        [
            ("the file is a list of placements", 1, readable, True),
            ("everything listed is a placement, once", 3, valid, False),
            (f"all placements of {first} are there", 3, lambda: complete(first), False),
            (f"all placements of {second} are there", 3, lambda: complete(second), False),
        ]
    )


def _words(placement: Placement) -> str:
    return f"{placement.piece}: {' '.join(f'{row}{column}' for row, column in placement.cells)}"
