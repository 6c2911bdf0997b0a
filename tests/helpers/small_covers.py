"""Fixtures: exact covers that the tests of files share, and their solutions by brute force."""

from collections.abc import Callable
from pathlib import Path

import pytest

from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle

INSTANCES = Path(__file__).parents[2] / "instances"


@pytest.fixture(scope="session")
def covers() -> dict[str, ExactCover]:
    """Every instance in ``instances/``, by name."""
    return {path.stem: ExactCover(read_instance(path)) for path in sorted(INSTANCES.glob("*.yaml"))}


@pytest.fixture(scope="session")
def feb29(covers: dict[str, ExactCover]) -> ExactCover:
    return covers["feb29"]


@pytest.fixture(scope="session")
def tiny(covers: dict[str, ExactCover]) -> ExactCover:
    return covers["tiny"]


@pytest.fixture(scope="session")
def twins() -> ExactCover:
    """Three equal dominoes and a bar on a 3 x 3 board."""
    puzzle = Puzzle(
        "Équal twins",
        Board.from_text(["1 2 3", "4 5 6", "7 8 9"]),
        (
            *(Piece.from_rows(f"domino {n}", ["##"]) for n in (1, 2, 3)),
            Piece.from_rows("bar", ["###"]),
        ),
    )
    return ExactCover(Instance(puzzle))


@pytest.fixture(scope="session")
def free_week() -> ExactCover:
    """A 2 x 4 board that leaves the weekday to the model."""
    puzzle = Puzzle(
        "Free day",
        Board.from_text(["Mo Tu We *", "Th Fr Sa Su"]),
        (Piece.from_rows("bar", ["###"]), Piece.from_rows("hook", ["###", "#.."])),
        {"weekday": ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")},
    )
    return ExactCover(Instance.reveal(puzzle, {"weekday": "free"}))


def brute_force(cover: ExactCover) -> list[tuple[int, ...]]:
    """Return all solutions by plain recursion over the options, for small covers."""
    found: list[tuple[int, ...]] = []

    def extend(chosen: tuple[int, ...], left: list[int], first: int) -> None:
        if not any(left):
            found.append(chosen)
            return
        for option in range(first, cover.columns):
            items = cover.items_of(option)
            if all(left[item] for item in items):
                rest = list(left)
                for item in items:
                    rest[item] -= 1
                extend((*chosen, option), rest, option + 1)

    extend((), cover.demand, 0)
    return found


@pytest.fixture(scope="session")
def solutions_of() -> Callable[[ExactCover], list[tuple[int, ...]]]:
    """The brute force, which shares nothing with the package's searches."""
    return brute_force
