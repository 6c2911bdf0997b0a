"""A day in two digits: dates, years and calendars, with brute force as witness."""

from __future__ import annotations

import calendar
import datetime
import random

import brute_force
import pytest
from requirements import need_solver
from strategies import cut

import calmip
from calmip import Board, InputError, Instance, Piece, Puzzle
from calmip.puzzle.dates import labels_of_date, real_dates

STYLES = (
    # by name, with letters; as usual numbers; by place alone
    (["t0", "t1", "t2", "t3"], [f"o{n}" for n in range(10)]),
    (["00", "10", "20", "30"], [str(n) for n in range(10)]),
    (["none", "ten", "twenty", "thirty"], list("zabcdefghi")),
)


def drawn(seed: int) -> tuple[Puzzle, dict[str, list[str]]]:
    """Return a puzzle, and its labels of each number of a group."""
    rng = random.Random(seed)
    tens, ones = rng.choice(STYLES)
    tens, ones = tens[: rng.randint(1, 4)], ones[: rng.randint(2, 10 if rng.random() < 0.2 else 5)]
    months = ["Jan", "Feb"][: rng.randint(1, 2)]
    texts = [*months, *tens, *ones]
    width = rng.randint(3, 5)
    grid = texts + ["*"] * (-len(texts) % width)
    rng.shuffle(grid)
    rows = [grid[start : start + width] for start in range(0, len(grid), width)]
    bare = {rng.choice(group) for group in (months, tens, ones)}
    cells = {(r, c) for r, row in enumerate(rows) for c, text in enumerate(row) if text not in bare}
    pieces = cut(cells, rng, 6)
    if sum(len(piece) == 1 for piece in pieces) > 2:  # brute force tries all their orders
        return drawn(seed + 1001)
    named = tuple(Piece(f"q{k}", tuple(piece)) for k, piece in enumerate(pieces))
    groups = {"month": months, "tens": tens, "ones": ones}
    board = Board(tuple(map(tuple, rows)))
    puzzle = Puzzle(
        f"drawn {seed}",
        board,
        named,
        {group: tuple(some) for group, some in groups.items()},
        flip=rng.random() < 0.5,
    )
    return puzzle, groups


def check(seed: int) -> int:
    """Compare the year with brute force on three dates, and return their number of tilings."""
    puzzle, groups = drawn(seed)
    rng = random.Random(seed)
    year = calmip.year(puzzle)
    counts = {(one.month, one.day): one for one in year.dates}
    days = {
        (month, 10 * ten + one): [labels, groups["tens"][ten], groups["ones"][one]]
        for month, labels in enumerate(groups["month"], start=1)
        for ten in range(len(groups["tens"]))
        for one in range(len(groups["ones"]))
        if 1 <= 10 * ten + one <= calendar.monthrange(2028, month)[1]
    }
    assert set(counts) == set(days)
    total = 0
    for month, day in rng.sample(sorted(days), min(3, len(days))):
        labels = days[month, day]
        date = datetime.date(2028, month, day)
        instance = Instance.of_date(puzzle, date)
        assert list(instance.labels) == labels
        cells = {cell for cell in puzzle.board.cells if puzzle.board.label(cell) not in labels}
        pieces = {piece.name: piece.cells for piece in puzzle.pieces}
        known = brute_force.pictures(brute_force.tilings(cells, pieces, flip=puzzle.flip))
        assert counts[month, day].tilings == len(known)
        assert calmip.count(instance).total == len(known)
        total += len(known)
    return total


@pytest.mark.trade("year")
def test_a_few_boards_against_brute_force() -> None:
    assert sum(check(seed) > 0 for seed in range(6))


@pytest.mark.trade("year")
@pytest.mark.parametrize("batch", brute_force.batches(5))
def test_boards_against_brute_force(batch: int) -> None:
    assert sum(check(seed) > 0 for seed in range(100 * batch, 100 * batch + 100)) > 10


@pytest.mark.trade("year")
@pytest.mark.long
@pytest.mark.parametrize("solver", ["cbc", "glpk"])
def test_solvers_of_the_exported_files_agree(solver: str) -> None:
    need_solver(solver)
    for seed in range(4):
        puzzle, _ = drawn(seed)
        for count in calmip.year(puzzle).dates[:2]:
            found = calmip.solve(Instance.reveal(puzzle, dict(count.labels)), solver=solver)
            assert (found.status == "feasible") == (count.tilings > 0)


GROUPS = {
    "month": ("Jan", "Feb"),
    "tens": ("00", "10", "20", "30"),
    "ones": tuple(map(str, range(10))),
}


def test_names_of_dates() -> None:
    dates = real_dates(GROUPS)
    assert len(dates) == 31 + 29
    assert dates["01-30"] == {"month": "Jan", "tens": "30", "ones": "0"}
    assert list(dates)[:2] == ["01-01", "01-02"]
    assert labels_of_date(GROUPS, datetime.date(2027, 2, 9))["tens"] == "00"
    with pytest.raises(InputError, match="the board has no tens for 2027-01-31"):
        labels_of_date(GROUPS | {"tens": ("00", "10", "20")}, datetime.date(2027, 1, 31))


@pytest.mark.parametrize(
    ("groups", "fault"),
    [
        ({"tens": GROUPS["tens"]}, "a date has no label in the groups tens;"),
        (GROUPS | {"day": ("1", "2")}, "the groups day and tens and ones"),
        (GROUPS | {"tens": ("00", "t0")}, "two labels of the group tens stand for 0"),
        (GROUPS | {"ones": tuple("abcdefghijk")}, "11 labels of the group ones, at most 10"),
    ],
)
def test_groups_that_are_no_date(groups: dict[str, tuple[str, ...]], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        labels_of_date(groups, datetime.date(2027, 1, 1))
    with pytest.raises(InputError, match=fault):
        real_dates(groups)


@pytest.mark.long
@pytest.mark.trade("year", "design")
def test_a_calendar_and_rearranging() -> None:
    from calmip.year.calendar import DaySearch

    board = Board.from_text(["Jan Feb 00 10 20 30", "0 1 2 3 4 5", "6 7 8 9 * *"])
    pieces = tuple(
        Piece.from_rows(name, rows)
        for name, rows in (
            ("L", ["####", "#..."]),
            ("P", ["##", "##", "#."]),
            ("N", ["##..", ".###"]),
        )
    )
    puzzle = Puzzle("tens", board, pieces, GROUPS)
    day = DaySearch(puzzle).day(datetime.date(2027, 1, 4))
    assert day.tiling is not None
    assert day.tiling.labels == ("Jan", "00", "4")
    assert calmip.year(puzzle, 2027).easiest()[0].name == "2027-01-04-mon"
    found = calmip.rearrange(puzzle, starts=1, keep=["month"])
    counted = [date.tilings for date in calmip.year(found.puzzle).dates]
    assert found.after is not None
    assert counted.count(0) == found.after.impossible
