"""The small puzzles that models are tried on, and how placements are called there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.puzzle import Puzzle

__all__ = ["CASES", "SIX", "case", "name_of", "named_option", "plain"]

NAME = re.compile(r"([A-Z])((?:_\d\d)+)")


def _instance(
    name: str, rows: list[str], pieces: dict[str, list[str]], reveal: str = "", *, flip: bool = True
) -> Instance:
    drawn = tuple(Piece.from_rows(letter, lines) for letter, lines in pieces.items())
    puzzle = Puzzle(name, Board.from_text(rows), drawn, flip=flip)
    return Instance(puzzle, tuple(reveal.split()), name=name)


# What each of them is there for: a first look; a board with a place outside, where a
# wrong cell uncovered shows; pieces that may not be turned over; a piece with few
# orientations and one that must lie flat, so that a missing row has other solutions.
CASES: tuple[Instance, ...] = (
    _instance("six cells", ["a b c", "d e f"], {"L": ["###", "#.."], "I": ["##"]}),
    _instance(
        "eleven cells",
        ["a b c .", "d e f g", "h i j k"],
        {"P": ["##", "##", "#."], "L": ["###", "#.."], "I": ["#"]},
        reveal="g",
    ),
    _instance(
        "without turning over",
        ["a b c", "d e f", "g h i"],
        {"L": ["###", "#.."], "S": [".##", "##."]},
        reveal="a",
        flip=False,
    ),
    _instance(
        "twelve cells",
        ["a b c d", "e f g h", "i j k l"],
        {"V": ["##", "#."], "I": ["###"], "S": [".##", "##."], "O": ["##"]},
    ),
)

SIX = _instance("six cells, a T", ["a b c", "d e f"], {"T": ["###", ".#."], "I": ["##"]})
"""No tiling, though the linear relaxation has a point."""


def case(name: str) -> Instance:
    """Return the case of this name."""
    return next(instance for instance in CASES if instance.name == name)


def plain(instance: Instance) -> dict[str, Any]:
    """Return an instance as the dictionary that submissions get."""
    puzzle = instance.puzzle
    return {
        "board": [list(row) for row in puzzle.board.rows],
        "uncover": list(instance.labels),
        "pieces": {piece.name: [list(cell) for cell in piece.cells] for piece in puzzle.pieces},
        "flip": puzzle.flip,
    }


def name_of(piece: str, cells: Iterable[Cell]) -> str:
    """Return what a placement is called in the course: ``L_00_01_02_10``."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def named_option(cover: ExactCover, name: str) -> int | Placement | None:
    """Return the option that a name means; a `Placement` if it is none; None for another name.

    The name may be wrapped, as in ``x[L_00_01]`` or ``x(L_00_01)``, but be there once.
    """
    found = NAME.search(name)
    if found is None or NAME.search(name, found.end()):
        return None
    cells = tuple(
        sorted((int(part[0]), int(part[1])) for part in found.group(2).split("_") if part)
    )
    placement = Placement(found.group(1), cells)
    for number in range(cover.columns):
        if cover.option(number) == placement:
            return number
    return placement
