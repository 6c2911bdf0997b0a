"""Several dates uncovered at once: a label that they share stays open once; brute force."""

from __future__ import annotations

import datetime
import random

import pytest
import reference
from presence import need_solver
from strategies import cut

import calmip
from calmip import Board, ExactCover, InputError, Instance, Piece, Puzzle, read_instance
from calmip.search.exact_cover.counting import count
from calmip.search.exact_cover.search import Search

Cells = set[tuple[int, int]]


def drawn(seed: int) -> tuple[Instance, Cells]:
    """Return an instance of two dates, and the cells that it is to cover, found from the grid."""
    rng = random.Random(seed)
    width = rng.randint(3, 4)
    texts = [
        *("Jan", "Feb", *(["Mar"] if rng.random() < 0.5 else [])),
        *map(str, range(1, rng.randint(4, 6))),
    ]
    grid = texts + ["*"] * (-len(texts) % width + width * rng.randint(0, 1))
    rng.shuffle(grid)
    rows = [grid[start : start + width] for start in range(0, len(grid), width)]
    months = [text for text in ("Jan", "Feb", "Mar") if text in texts]
    days = [text for text in texts if text not in months]
    every = [
        datetime.date(2027, month, int(day)) for month in range(1, len(months) + 1) for day in days
    ]
    dates = rng.sample(every, 2)
    bare = {months[date.month - 1] for date in dates} | {str(date.day) for date in dates}
    cells = {(r, c) for r, row in enumerate(rows) for c, text in enumerate(row) if text not in bare}
    pieces = cut(cells, rng, 5)
    if sum(len(piece) == 1 for piece in pieces) > 3:  # brute force tries all their orders
        return drawn(seed + 1001)
    named = tuple(Piece(f"q{k}", tuple(piece)) for k, piece in enumerate(pieces))
    board = Board(tuple(map(tuple, rows)))
    groups = {"month": tuple(months), "day": tuple(days)}
    puzzle = Puzzle(f"drawn {seed}", board, named, groups, flip=rng.random() < 0.5)
    return Instance.of_dates(puzzle, dates), cells


def check(seed: int) -> bool:
    """Check an instance, and return whether its dates share a label."""
    instance, cells = drawn(seed)
    assert set(instance.to_cover) == cells
    puzzle = instance.puzzle
    pieces = {piece.name: piece.cells for piece in puzzle.pieces}
    known = reference.pictures(reference.tilings(cells, pieces, flip=puzzle.flip))
    cover = ExactCover(instance)
    found = [calmip.Tiling.from_options(cover, options) for options in Search(cover)]
    assert len(found) == count(cover) == len(known) > 0
    drawings = {frozenset(frozenset(one.cells) for one in tiling.placements) for tiling in found}
    assert drawings == known
    return len(instance.labels) < 4


def test_a_few_boards_against_brute_force() -> None:
    assert {check(seed) for seed in range(12)} == {True, False}


@pytest.mark.parametrize("batch", reference.batches(5))
def test_boards_against_brute_force(batch: int) -> None:
    assert {check(seed) for seed in range(100 * batch, 100 * batch + 100)} == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("solver", ["cbc", "glpk"])
def test_solvers_of_the_exported_files_agree(solver: str) -> None:
    need_solver(solver)
    for seed in range(6):
        instance, _ = drawn(seed)
        found = calmip.solve(instance, solver=solver)
        assert found.status == "feasible"
        assert found.tiling is not None
        assert set(found.tiling.labels) == set(instance.labels)


def test_dates_as_text() -> None:
    whole = calmip.read_puzzle("a-puzzle-a-day")
    with pytest.raises(
        InputError, match=r"^2027-01-03 and 2027-03-14 \(Jan 3 Mar 14\): the pieces"
    ):
        read_instance("a-puzzle-a-day", date="2027-01-03, 2027-03-14")
    with pytest.raises(InputError, match="date 2027-01-03 is given twice"):
        read_instance("a-puzzle-a-day", date="2027-01-03,2027-01-03")
    with pytest.raises(InputError, match="'' is not a date"):
        read_instance("a-puzzle-a-day", date="2027-01-03,")
    assert read_instance(whole.id, date="2027-01-03").labels == ("Jan", "3")


def test_dates_that_share_a_month_leave_it_open_once() -> None:
    board = Board.from_text(["Jan Feb 1", "2 3 *"])
    pieces = (Piece.from_rows("I", ["###"]),)
    puzzle = Puzzle("small", board, pieces, {"month": ("Jan", "Feb"), "day": ("1", "2", "3")})
    dates = [datetime.date(2027, 1, day) for day in (2, 3)]
    assert Instance.of_dates(puzzle, dates).labels == ("Jan", "2", "3")
    assert Instance.of_dates(puzzle, dates).reveal_of(("Jan", "2", "3")) == {
        "labels": ["Jan", "2", "3"]
    }
    with pytest.raises(InputError, match="the pieces cover 3 cells, but 2 cells"):
        Instance.of_dates(puzzle, [datetime.date(2027, 1, 2), datetime.date(2027, 2, 3)])
