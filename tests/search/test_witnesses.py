"""CP-SAT, SCIP, Gurobi and Pyomo find the tilings that calmip finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from peers import Peers

from calmip.documents.reader import read_instance
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.search.exact_cover.search import solutions

CODE = (Path(__file__).parents[2] / "benchmarks" / "peer_pools.py").read_text(encoding="utf-8")
PACKAGES = {"cpsat": "ortools", "scip": "pyscipopt", "gurobi": "gurobipy", "pyomo": "pyomo"}


def agree(peers: Peers, witness: str, cover: ExactCover) -> int:
    """Compare the sets, or the numbers where the witness only counts; return the number."""
    model = {
        "columns": cover.columns,
        "rows": cover.options_of(),
        "demand": cover.demand,
    }
    out = peers.script(PACKAGES[witness], CODE, witness, given=json.dumps(model))
    answer = json.loads(out.splitlines()[-1])
    ours = set(map(tuple, solutions(cover)))
    assert answer["count"] == len(ours)
    if answer["solutions"] is not None:
        found = [tuple(solution) for solution in answer["solutions"]]
        assert len(set(found)) == len(found)
        assert set(found) == ours
    return len(ours)


def equal_dominoes() -> ExactCover:
    """Return a 2 x 5 board with five equal dominoes: eight pictures."""
    board = Board.from_text(["* * * * *"] * 2)
    pieces = tuple(Piece.from_rows(f"d{number}", ["##"]) for number in range(5))
    return ExactCover(Instance(Puzzle("dominoes", board, pieces)))


@pytest.mark.long
@pytest.mark.parametrize("witness", PACKAGES)
def test_small_boards_and_equal_pieces(peers: Peers, witness: str) -> None:
    assert agree(peers, witness, equal_dominoes()) == 8


@pytest.mark.long
@pytest.mark.parametrize("witness", ["cpsat", "gurobi"])
def test_october_6(peers: Peers, witness: str) -> None:
    assert agree(peers, witness, ExactCover(read_instance("a-puzzle-a-day", reveal="Oct,6"))) == 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("witness", "source", "labels", "number"),
    [
        ("scip", "a-puzzle-a-day", "Oct,6", 7),
        ("pyomo", "a-puzzle-a-day", "Oct,6", 7),
        *(
            (witness, source, labels, number)
            for witness in ("cpsat", "scip", "gurobi")
            for source, labels, number in (
                ("a-puzzle-a-day", "Feb,29", 64),
                ("a-puzzle-a-day", "Jan,25", 216),
                ("praxis-rhombus", "Fri,Feb,29", 287),
            )
        ),
    ],
)
def test_dates(peers: Peers, witness: str, source: str, labels: str, number: int) -> None:
    assert agree(peers, witness, ExactCover(read_instance(source, reveal=labels))) == number


@pytest.mark.slow
def test_a_date_without_tiling(peers: Peers) -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="Dec,29", flip=False))
    for witness in ("cpsat", "scip", "gurobi"):
        assert agree(peers, witness, cover) == 0
