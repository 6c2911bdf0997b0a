"""Dates that fail with every set of pieces, and the labels to move: against all sets of pieces."""

import json
import random
from pathlib import Path

import pytest

import calmip
from calmip.cli import main
from calmip.design.dead_regions import cut_off_dates, relabel
from calmip.puzzle.dates import real_dates
from calmip.puzzle.piece_set import PiecePool

GERMAN = [
    "Mo Di Mi Do Fr Sa Sep .",
    "Jan Feb Mär Apr So Aug Okt .",
    "Mai Jun Jul Nov Dez 1 2 3",
    "4 5 6 7 8 9 10 11",
    "12 13 14 15 16 17 18 19",
    "20 21 22 23 24 25 26 27",
    "28 29 30 31 . . . .",
]


def board_of(grid: list[str], tmp_path: Path) -> calmip.Puzzle:
    path = tmp_path / "board.yaml"
    path.write_text(json.dumps({"grid": grid, "uncover": ["weekday", "month", "day"]}))
    return calmip.read_board(path)


def pool_of(frame: calmip.Puzzle) -> PiecePool:
    return calmip.read_pool("pentominoes", frame, number=10, required=["I4", "L4", "S4"])


def test_the_german_board_needs_four_moves(tmp_path: Path) -> None:
    frame = board_of(GERMAN, tmp_path)
    pool = pool_of(frame)
    found = cut_off_dates(frame, pool)
    assert [len(one.dates) for one in found] == [31, 31, 1, 1]
    assert str(found[1]).startswith("Sep is cut off by Sa and Okt, and no pieces")
    assert found[1].dates[0] == "10-01-sat"


@pytest.mark.long
def test_moves_of_the_german_board_are_enough_and_the_fewest(tmp_path: Path) -> None:
    frame = board_of(GERMAN, tmp_path)
    pool = pool_of(frame)
    moves = relabel(frame, pool)
    assert moves is not None
    assert len(moves.moves) == moves.least == 4
    new = board_of(list(moves.grid), tmp_path)
    assert not cut_off_dates(new, pool)
    # The corner beside two weekdays is cut off whatever the days and months beside it.
    kept = relabel(frame, pool, ["weekday"])
    assert kept is not None
    assert (kept.feasible, kept.blocked) == (False, ("Jan", "Okt"))


@pytest.mark.trade("year")
@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_cut_off_dates_have_no_tiling_with_any_set(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    labels = ["Mo", "Sa", "Jan", "Feb", "Mär", *map(str, range(1, 7)), *"*****"]
    chance.shuffle(labels)
    frame = board_of([" ".join(labels[n : n + 4]) for n in range(0, 16, 4)], tmp_path)
    pool = calmip.read_pool("polyominoes<=5", frame, number=4, excluded=["I1"])
    found = cut_off_dates(frame, pool)
    failing = {name for one in found for name in one.dates}
    result = calmip.design(frame, pool)
    for one in result.sets[:40]:
        numbers = {date.name: date.tilings for date in calmip.year(result.puzzle(one)).dates}
        assert all(number == 0 for name, number in numbers.items() if name in failing)
        assert one.impossible >= len(failing)
    assert (result.relabelling is None) == (not failing)
    if result.relabelling is not None and result.relabelling.moves:
        new = board_of(list(result.relabelling.grid), tmp_path)
        assert not cut_off_dates(new, pool)
        at = frame.board.labels
        changed = {label for label, cells in new.board.labels.items() if cells != at[label]}
        assert changed - {"*"} == set(result.relabelling.moves)


@pytest.mark.trade("year")
@pytest.mark.long
def test_the_report_and_the_rearranged_near_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = ["Mo Jan Sa Feb * *", "Mär 1 2 3 Apr *", "4 5 6 So 7 8", "9 10 * * * 11"]
    board, best = tmp_path / "board.yaml", tmp_path / "best.yaml"
    board.write_text(json.dumps({"grid": grid, "uncover": ["weekday", "month", "day"]}))
    words = ["design", str(board), "--pool", "I2,L4,L,P,U", "--pieces", "5"]
    assert main(words) == 1
    assert (
        main([*words, "--rearrange", "--arrange-by", "min", "--keep", "weekday", "-o", str(best)])
        == 0
    )
    assert "number of" not in capsys.readouterr().err
    new, old = calmip.read_puzzle(best), calmip.read_board(board)
    assert all(date.tilings for date in calmip.year(new).dates)
    assert len(calmip.year(new).dates) == len(real_dates(old.groups))
    for label in old.groups["weekday"]:
        assert new.board.labels[label] == old.board.labels[label]
    small = tmp_path / "small.yaml"
    small.write_text(
        json.dumps(
            {
                "grid": ["Mo Jan Sa Feb", "Mär 1 2 3", "4 5 6 So"],
                "uncover": ["weekday", "month", "day"],
            }
        )
    )
    words = ["design", str(small), "--pool", "I2,V3,L4"]
    assert main(words) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "6 dates fail with every set" in told
    assert "4 is cut off by Mär and 5, and no pieces of the pool cover 1 cell" in told
    assert "move 5 labels" in told
    assert main([*words, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert sum(len(one["dates"]) for one in data["cut_off"]) == 6
    assert data["relabelling"]["least"] == len(data["relabelling"]["moves"]) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rearrange", "--keep", "x"], "cannot keep 'x'"),
        (["--arrange-by", "min"], "--rearrange"),
    ],
)
def test_wrong_options_are_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board_of(GERMAN, tmp_path)
    words = [
        "design",
        str(tmp_path / "board.yaml"),
        "--pool",
        "pentominoes",
        "--with",
        "I2",
        *options,
    ]
    assert main(words) == 2
    assert message in capsys.readouterr().err
