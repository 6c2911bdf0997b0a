"""The small puzzles that models are tried on, and how placements are called there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover, Placement
from calmip.problem.instance import Instance
from calmip.problem.lattice import Cell
from calmip.problem.placements import PlacementNames
from calmip.problem.puzzle import Puzzle

__all__ = ["CASES", "SIX", "course_name", "name_of", "named_option", "plain"]

NAME = re.compile(r"(?<![A-Z])([A-Z])((?:_\d\d)+)")


def _instance(
    name: str, rows: list[str], pieces: dict[str, list[str]], reveal: str = "", *, flip: bool = True
) -> Instance:
    drawn = tuple(Piece.from_rows(letter, lines) for letter, lines in pieces.items())
    puzzle = Puzzle(name, Board.from_text(rows), drawn, flip=flip)
    return Instance(puzzle, tuple(reveal.split()), name=name)


# What each of them is there for: a first look; a board with a place outside, where a
# wrong cell uncovered shows; pieces that may not be turned over; a piece with few
# orientations and one that must lie flat, so that a missing row has other solutions;
# two labels, labels inside of labels, one over two cells, a hole in a tall board;
# three labels, one of them over two cells, months with one beginning, corners off the board;
# a board of two columns with a square. A program that is wrong in one of these ways must
# fail, and each of these puzzles has tilings, so that no check of a model is empty.
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
    _instance(
        "leap day",
        ["Jan Feb May", "Jun . May", "1 2 9", "12 21 29", "19 22 92"],
        {"L": ["###", "#.."], "V": ["##", "#."], "I": ["###"], "D": ["##"]},
        reveal="Feb 29",
    ),
    _instance(
        "a Sunday in July",
        [". Jul Jul Jun Mon", "2 12 21 22 Sun", "Jan 1 . 11 Sat", "20 23 Tue Wed ."],
        {"S": [".##", "##."], "V": ["##", "#."], "P": ["##", "##", "#."], "E": ["#"]},
        reveal="2 Jul Sun",
        flip=False,
    ),
    _instance(
        "two columns",
        ["9 19", "29 8", "2 18", "90 99", "1 91"],
        {"O": ["##", "##"], "V": ["##", "#."], "D": ["##"]},
        reveal="9",
    ),
)

SIX = _instance("six cells, a T", ["a b c", "d e f"], {"T": ["###", ".#."], "I": ["##"]})
"""No tiling, though the linear relaxation has a point."""


def plain(instance: Instance) -> dict[str, Any]:
    """Return an instance as the dictionary that submissions get.

    The first piece has its first cell at (0, 0); each further one lies elsewhere, its cells
    in another order, for the exercise says that they lie somewhere.
    """
    puzzle = instance.puzzle
    return {
        "board": [list(row) for row in puzzle.board.rows],
        "uncover": list(instance.labels),
        "pieces": {
            piece.name: [[row + 2 * number, column + 3 * number] for row, column in cells]
            for number, piece in enumerate(puzzle.pieces)
            for cells in (piece.cells[:: -1 if number % 2 else 1],)
        },
        "flip": puzzle.flip,
    }


def name_of(piece: str, cells: Iterable[Cell]) -> str:
    """Return what a placement is called in the course: ``L_00_01_02_10``."""
    return piece + "".join(f"_{row}{column}" for row, column in sorted(cells))


def course_name(cover: ExactCover, option: int) -> str:
    """Return what an option of a puzzle without free groups is called in the course."""
    placement = cover.option(option)
    assert isinstance(placement, Placement)
    return name_of(placement.piece, placement.cells)


def named_option(cover: ExactCover, name: str) -> int | Placement | None:
    """Return the option that a name means; a `Placement` if it is none; None for another name.

    The name may be wrapped, as in ``x[L_00_01]`` or ``x(L_00_01)``, but be there once. Other
    spellings of piece and cells are understood as in all of calmip (`PlacementNames`).
    """
    found = NAME.search(name)
    if found is None:
        known = PlacementNames(cover)
        option = known.option(name)
        return known.placement(name) if option is None else option
    if NAME.search(name, found.end()):
        return None
    cells = tuple(
        sorted((int(part[0]), int(part[1])) for part in found.group(2).split("_") if part)
    )
    placement = Placement(found.group(1), cells)
    for number in range(cover.columns):
        if cover.option(number) == placement:
            return number
    return placement
