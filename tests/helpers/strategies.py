"""Hypothesis strategies: polyominoes, boards, instances with and without tilings, and models."""

from __future__ import annotations

import math
import random

from hypothesis import strategies as st

from calmip import Board, Instance, Piece, Puzzle
from calmip.mip.model import Model
from calmip.puzzle.lattice import SQUARE, Lattice

Cell = tuple[int, int]


@st.composite
def polyforms(
    draw: st.DrawFn, lattice: Lattice = SQUARE, smallest: int = 1, largest: int = 7
) -> list[Cell]:
    """Draw a connected shape somewhere on the lattice, its cells in any order."""
    cells = [draw(st.tuples(st.integers(-5, 5), st.integers(-5, 5)))]
    for _ in range(draw(st.integers(smallest, largest)) - 1):
        around = sorted({n for cell in cells for n in lattice.neighbours(cell)} - set(cells))
        cells.append(draw(st.sampled_from(around)))
    return draw(st.permutations(cells))


@st.composite
def grids(draw: st.DrawFn, height: int = 4, width: int = 4) -> list[list[str]]:
    """Draw a grid of distinct labels, blanks and holes with at least two labels."""
    rows, columns = draw(st.integers(1, height)), draw(st.integers(2, width))
    kinds = draw(
        st.lists(
            st.sampled_from(["label", "label", "label", "label", "*", "."]),
            min_size=rows * columns,
            max_size=rows * columns,
        ).filter(lambda found: found.count("label") >= 2)
    )
    texts = [f"L{number}" if kind == "label" else kind for number, kind in enumerate(kinds)]
    return [texts[row * columns : (row + 1) * columns] for row in range(rows)]


def cut(
    cells: set[Cell], rng: random.Random, largest: int, lattice: Lattice = SQUARE
) -> list[list[Cell]]:
    """Cut cells into connected pieces of up to ``largest`` cells."""
    left, pieces = set(cells), []
    while left:
        piece = [rng.choice(sorted(left))]
        left.remove(piece[0])
        for _ in range(rng.randint(0, largest - 1)):
            around = sorted({n for cell in piece for n in lattice.neighbours(cell)} & left)
            if not around:
                break
            piece.append(rng.choice(around))
            left.remove(piece[-1])
        pieces.append(piece)
    return pieces


@st.composite
def solvable_instances(
    draw: st.DrawFn, height: int = 4, width: int = 4, largest: int = 5, most: int = 6
) -> Instance:
    """Draw a tiny instance that has a tiling: its board was cut into the pieces."""
    board = Board.from_text(" ".join(row) for row in draw(grids(height, width)))
    shown = tuple(draw(st.sets(st.sampled_from(sorted(board.labels)), max_size=2)))
    bare = {cell for label in shown for cell in board.labels[label]}
    rng = draw(st.randoms(use_true_random=False))
    pieces = cut(set(board.cells) - bare, rng, largest)
    if not 1 <= len(pieces) <= most:
        pieces = pieces or [[next(iter(board.cells))]]
        board = Board.from_text(["A B", "C *"])
        shown, pieces = ("A",), [[(0, 0), (0, 1)], [(0, 0)]]
    named = tuple(Piece(f"q{number}", tuple(cells)) for number, cells in enumerate(pieces))
    return Instance(Puzzle("drawn", board, named, flip=draw(st.booleans())), shown)


@st.composite
def instances(draw: st.DrawFn, height: int = 4, width: int = 4) -> Instance:
    """Draw a tiny instance of which nobody knows whether it has a tiling."""
    instance = draw(solvable_instances(height, width))
    puzzle = instance.puzzle
    cells = list(puzzle.board.cells)
    rng = draw(st.randoms(use_true_random=False))
    # Other pieces of the same sizes, cut from the same board: the area still fits.
    pieces = []
    for piece in puzzle.pieces:
        for _ in range(20):
            found = [rng.choice(cells)]
            while len(found) < len(piece.cells):
                around = {n for cell in found for n in SQUARE.neighbours(cell)} & set(cells)
                around -= set(found)
                if not around:
                    break
                found.append(rng.choice(sorted(around)))
            if len(found) == len(piece.cells):
                break
        else:
            found = list(piece.cells)
        pieces.append(Piece(piece.name, tuple(found)))
    return Instance(Puzzle("drawn", puzzle.board, tuple(pieces), flip=puzzle.flip), instance.labels)


@st.composite
def binary_models(draw: st.DrawFn, most: int = 6, unit: float = 1.0) -> Model:
    """Return small binary models whose rows have multiples of a unit, feasible or not."""
    columns = draw(st.integers(1, most))
    numbers = st.integers(-3, 3)
    rows = []
    for number in range(draw(st.integers(0, 4))):
        values = draw(st.lists(numbers, min_size=columns, max_size=columns))
        terms = {column: unit * value for column, value in enumerate(values) if value}
        low, high = sorted(draw(st.tuples(numbers, numbers)))
        sides = [(low, high), (low, low), (low, math.inf), (-math.inf, high)]
        lower, upper = (unit * side for side in draw(st.sampled_from(sides)))
        rows.append((f"r{number}", terms, lower, upper))
    cost = draw(st.lists(numbers, min_size=columns, max_size=columns))
    maximise, offset = draw(st.booleans()), float(draw(numbers))
    names = [f"x{number}" for number in range(columns)]
    return Model.from_rows(names, rows, map(float, cost), maximise=maximise, offset=offset)
