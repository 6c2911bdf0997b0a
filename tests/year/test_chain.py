"""The fewest moves of a year: against all chains, and against integer programs of a month."""

from __future__ import annotations

import datetime
import itertools
import random
from itertools import pairwise

import numpy as np
import pytest
from requirements import need_solver

import calmip
from calmip.mip.model import Model, NamedRow
from calmip.year import fewest_moves
from calmip.year.calendar import Calendar, Day, DaySearch, calendar, days_of
from calmip.year.fewest_moves import NONE, shortest_chain

Pool = list[list[int]]


def random_pools(draw: random.Random) -> tuple[list[Pool], list[list[int]]]:
    """Return pools of up to six days, some without a tiling, and groups of equal pieces."""
    pieces = draw.randint(1, 4)
    groups = [[piece] for piece in range(pieces)]
    if pieces > 1 and draw.random() < 0.5:
        groups = [[0, 1], *groups[2:]]

    def tiling() -> list[int]:
        # No cells are covered twice, and a piece may be left out.
        row = draw.sample(range(pieces + 2), pieces)
        return [NONE if draw.random() < 0.1 else place for place in row]

    days = range(draw.randint(1, 6))
    return [[tiling() for _ in range(draw.choice((0, 1, 2, 3, 4)))] for _ in days], groups


def moved(before: list[int], after: list[int], groups: list[list[int]]) -> int:
    """Return how many pieces lie elsewhere, one group after the other."""
    return sum(
        len({after[one] for one in group} - {NONE} - {before[one] for one in group})
        for group in groups
    )


@pytest.mark.parametrize("entries", [1 << 22, 1, 7])
def test_no_chain_of_small_pools_is_shorter(entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fewest_moves, "PAIRS_PER_STEP", entries)
    draw = random.Random(20270101 + entries)
    for _ in range(200):
        pools, groups = random_pools(draw)
        width = sum(map(len, groups))
        arrays = [np.array(pool, np.int32).reshape(-1, width) for pool in pools]
        found = shortest_chain(arrays, groups)
        layers = [pool for pool in pools if pool]
        lengths = [
            sum(moved(before, after, groups) for before, after in pairwise(path))
            for path in itertools.product(*layers)
        ]
        assert found.moves == min(lengths)
        assert [place is None for place in found.tilings] == [not pool for pool in pools]
        path = [pool[at] for pool, at in zip(pools, found.tilings, strict=True) if at is not None]
        assert sum(moved(before, after, groups) for before, after in pairwise(path)) == found.moves
        least = [
            min(moved(before, after, groups) for before in one for after in other)
            for one, other in pairwise(layers)
        ]
        assert found.bound == sum(least) <= found.moves


def program(pools: list[Pool]) -> Model:
    """Return the integer program of a chain: a tiling a day, and the placements that are kept.

    A placement is kept only where it lies on both days; its cost of -1 makes as many as possible.
    """
    first = list(itertools.accumulate(map(len, pools), initial=0))
    names = [f"t{day}_{n}" for day, pool in enumerate(pools) for n in range(len(pool))]
    rows: list[NamedRow] = [
        (f"d{day}", dict.fromkeys(range(low, high), 1.0), 1.0, 1.0)
        for day, (low, high) in enumerate(pairwise(first))
    ]
    with_placement: list[dict[int, list[int]]] = [{} for _ in pools]
    for day, pool in enumerate(pools):
        for number, tiling in enumerate(pool):
            for place in tiling:
                with_placement[day].setdefault(place, []).append(first[day] + number)
    costs = [0.0] * len(names)
    for day, days in enumerate(pairwise(with_placement)):
        for place in sorted(days[0].keys() & days[1].keys()):
            column = len(names)
            names.append(f"k{day}_{place}")
            costs.append(-1.0)
            for side, members in zip("ab", days, strict=True):
                row = {column: 1.0, **dict.fromkeys(members[place], -1.0)}
                rows.append((f"{side}{day}_{place}", row, -float("inf"), 0.0))
    return Model.from_rows(names, rows, costs)


@pytest.mark.long
@pytest.mark.parametrize(
    ("solver", "days"),
    [("highs", 31), ("highs", 6), ("cbc", 6), pytest.param("cbc", 31, marks=pytest.mark.slow)],
)
def test_an_integer_program_proves_the_moves_of_a_month(solver: str, days: int) -> None:
    need_solver(solver)
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    search = DaySearch(puzzle)
    pools = [search.pool(date) for date in days_of(2027)[:days]]
    found = shortest_chain(pools, [[piece] for piece in range(len(puzzle.pieces))])
    solution = calmip.solve(program([pool.tolist() for pool in pools]), solver=solver)
    assert str(solution.status) == "optimal"
    assert solution.objective is not None
    assert found.moves == len(puzzle.pieces) * (days - 1) + solution.objective
    if days == 31:
        assert (found.moves, found.bound) == (70, 37)


@pytest.mark.long
def test_the_calendar_of_a_year_has_the_moves_of_its_chain() -> None:
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    usual, least = (calendar(puzzle, 2027, least_moves=one) for one in (False, True))
    assert usual.bound is None
    assert (least.moves, least.bound) == (1150, 547)
    assert usual.moves > least.moves
    assert len(least.changes) == 364
    # A second witness: the pieces that lie on other cells, by their names.
    total = 0
    for before, after in pairwise(least.days):
        assert before.tiling is not None
        assert after.tiling is not None
        total += len({*after.tiling.placements} - {*before.tiling.placements})
    assert total == 1150
    assert [day.date for day in least.days] == days_of(2027)
    with pytest.raises(calmip.InputError, match="leave out the seed"):
        calendar(puzzle, 2027, least_moves=True, seed=3)


def test_equal_pieces_and_days_without_a_tiling() -> None:
    week = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    pieces = tuple(calmip.Piece(name, ((0, 0), (0, 1), (0, 2))) for name in "ab")
    puzzle = calmip.Puzzle(
        "week", calmip.Board.from_text([" ".join(week)]), pieces, {"weekday": week}
    )
    found = calendar(puzzle, 2027, least_moves=True)
    # Mondays, Thursdays and Sundays: one piece moves, another, and from Sunday to Monday both.
    assert len(found.changes) == 155
    assert set(found.changes) == {1, 2}
    assert found.moves == found.bound == sum(found.changes)
    assert found.without == calendar(puzzle, 2027).without


def test_a_piece_that_takes_the_cells_of_one_with_other_rules_moves() -> None:
    """Else the year would have fewer moves than the chain that proves them the fewest."""
    pieces = (
        calmip.Piece("a", ((0, 0), (0, 1))),
        calmip.Piece("b", ((0, 0), (0, 1)), rotate=False),
    )
    week = ("Mon", "Tue", "Wed", "Thu", "Fri")
    puzzle = calmip.Puzzle(
        "week", calmip.Board.from_text([" ".join(week)]), pieces, {"weekday": week}
    )
    date = datetime.date(2027, 1, 1)
    instance = calmip.Instance.of_date(puzzle, date)
    days = tuple(Day(date, instance, tiling) for tiling in calmip.enumerate(instance))
    assert Calendar(puzzle, 2027, 0, days).changes == (2,)
