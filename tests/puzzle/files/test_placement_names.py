"""Every spelling of a placement means that placement, and nothing else does."""

from __future__ import annotations

import pytest

from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover, Placement, Reveal
from calmip.puzzle.instance import Instance
from calmip.puzzle.placements import PlacementNames
from calmip.puzzle.puzzle import Puzzle

DOMINO, BAR = Piece.from_rows("D", ["##"]), Piece.from_rows("I", ["#" * 8])


def wide() -> ExactCover:
    """Return a strip with columns of two digits, and two equal pieces beside another."""
    text = " ".join(f"a{n}" for n in range(12))
    pieces = (Piece.from_rows("E", ["##"]), DOMINO, BAR)
    return ExactCover(Instance(Puzzle("wide", Board.from_text([text]), pieces)))


def spellings(piece: str, cells: tuple[tuple[int, int], ...]) -> list[str]:
    """Return how modelling languages and students write a piece and its cells."""
    numbers = [str(n) for cell in cells for n in cell]
    pairs = [(str(r), str(c)) for r, c in cells]
    found = [
        "_".join(["x", piece, *numbers]),
        f"x[{piece},{','.join(numbers)}]",
        f"x({piece} {' '.join(numbers)})",
        f"x_('{piece}',_({',_'.join(f'({r},_{c})' for r, c in pairs)}))",
        "_".join([piece, *(f"r{r}c{c}" for r, c in pairs)]),
        "_".join(["model:x", piece, *numbers]),
        f"{piece}:" + "+".join(f"{r},{c}" for r, c in pairs),
        f"y[{piece}:" + "+".join(f"{r},{c}" for r, c in pairs) + "]",
    ]
    if all(len(n) == 1 for n in numbers):
        found.append("_".join([piece, *(r + c for r, c in pairs)]))
    return found


def test_a_placement_is_known_by_piece_and_cells_in_any_order(
    covers: dict[str, ExactCover], twins: ExactCover
) -> None:
    for cover in (covers["tiny"], wide(), twins):
        names = PlacementNames(cover)
        board = cover.instance.puzzle.board
        for number in range(cover.placements):
            own = cover.option_names[number]
            for name in (own, f"x[{own}]", f"x({own})", f"x['{own}']", f'x["{own}"]', f"[ {own} ]"):
                assert names.option(name) == number
            placed = cover.option(number)
            assert isinstance(placed, Placement)
            for cells in (placed.cells, placed.cells[::-1], (*placed.cells[1:], placed.cells[0])):
                labels = f"{placed.piece}:{'+'.join(board.label(cell) for cell in cells)}"
                assert names.option(labels) == number
                loose = "+".join(f" {board.label(cell).swapcase()} " for cell in cells)
                assert names.option(f"{placed.piece}:{loose}") == number
                if " " in placed.piece:  # Only with its cells after a colon is it one word.
                    continue
                for name in spellings(placed.piece, cells):
                    assert names.option(name) == number, name
                    assert names.placement(name) == placed, name


def test_equal_pieces_are_one() -> None:
    names = PlacementNames(wide())
    first, twin = names.option("E_0_3_0_4"), names.option("D_0_3_0_4")
    assert first is not None
    assert first == twin
    assert names.placement("D_0_3_0_4") == Placement("E", ((0, 3), (0, 4)))


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "",
        "D",
        "D_0_3",  # a cell is missing
        "D_0_3_0_4_0_5",  # a cell too many
        "I_0_3_0_4",
        "I:0,3+0,4",
        "D:0,3",
        "D:0,3+0,3",  # the same cell twice
        "D:0,3+nowhere",
        "D_0_3_0",  # half a cell
        "Q_0_3_0_4",  # no such piece
        "Q:0,3+0,4",
        "D_0_3_1_3",  # outside the board
        "D_0_3_0_5",  # not a domino
        "D:a3+a5",
        "D_03_4",
        "D:a,3+0,4",
        "D:0,b+0,4",
        "x[D]",
    ],
)
def test_what_is_no_option_is_none(name: str) -> None:
    names = PlacementNames(wide())
    assert names.option(name) is None
    placed = names.placement(name)
    assert placed is None or len(placed.cells) == 2


def test_a_cell_that_is_named_twice_is_one_cell() -> None:
    names = PlacementNames(wide())
    assert names.option("D:0,3+0,4+a3") == names.option("D_0_3_0_4") is not None


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("D_0_3_0_5", ((0, 3), (0, 5))),
        ("D:0,3+7,7", ((0, 3), (7, 7))),
        ("D_99_98", ((9, 8), (9, 9))),
        ("x[D,10,2,3,4]", ((3, 4), (10, 2))),
    ],
)
def test_a_placement_that_cannot_lie_there_is_still_understood(
    name: str, cells: tuple[tuple[int, int], ...]
) -> None:
    names = PlacementNames(wide())
    assert names.placement(name) == Placement("E", cells)
    assert names.option(name) is None


def test_a_label_is_known_by_a_word_before_it(free_week: ExactCover) -> None:
    names = PlacementNames(free_week)
    reveals = range(free_week.placements, free_week.columns)
    assert len(reveals) == 7
    for number in reveals:
        label = free_week.option(number)
        assert isinstance(label, Reveal)
        for word in ("r", "reveal", "uncover", "show", "weekday", "Weekday", "SHOW"):
            for text in (label.label, label.label.upper(), label.label.lower()):
                assert names.option(f"{word}_{text}") == number
                assert names.option(f"x[{word},{text}]") == number
                assert names.option(f"u_{word}_{text}") == number
        assert names.option(f"month_{label.label}") is None
        assert names.option(label.label) is None
        assert names.option(f"{label.label}_show") is None
