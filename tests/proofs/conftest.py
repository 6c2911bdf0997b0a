"""Covers of every kind, small enough for slow checkers."""

from collections.abc import Callable

import pytest

from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle


def _cover(rows: list[str], pieces: list[list[str]], **options: object) -> ExactCover:
    """Return the cover of a board that reveals nothing or leaves its groups free."""
    named = tuple(Piece.from_rows(f"p{n}", shape) for n, shape in enumerate(pieces))
    puzzle = Puzzle("Small", Board.from_text(rows), named, **options)  # type: ignore[arg-type]
    return ExactCover(Instance(puzzle, (), tuple(puzzle.groups)))


DOMINO, BAR, HOOK = ["##"], ["###"], ["###", "#.."]

# The covers, and their numbers of tilings counted by hand.
KINDS: dict[str, tuple[Callable[[], ExactCover], int]] = {
    # Dominoes on 2 x n: the Fibonacci numbers. They share one item.
    "equal pieces": (lambda: _cover(["* * * * *"] * 2, [DOMINO] * 5), 8),
    "equal pieces, none": (
        # Two corners of one colour are missing.
        lambda: _cover([". * * *", "* * * *", "* * * *", "* * * ."], [DOMINO] * 7),
        0,
    ),
    "one": (lambda: _cover(["* * *"], [BAR]), 1),
    # An L beside a straight piece leaves a single cell of the other row.
    "none": (lambda: _cover(["* * * *"] * 2, [HOOK, ["####"]]), 0),
    "two islands": (lambda: _cover(["* * . *"], [["#"], DOMINO]), 1),
    # The label is a choice: domino, single cell and bare cell stand in any order.
    "free group": (
        lambda: _cover(["a b c d"], [DOMINO, ["#"]], groups={"side": ("a", "b", "c", "d")}),
        6,
    ),
    "one label": (
        lambda: _cover(["a *", "* *"], [DOMINO, ["#"]], groups={"side": ("a",)}),
        2,
    ),
    # Labels of one and of two cells: the first leaves a cell too many for the pieces.
    "unlike labels": (
        lambda: _cover(["a b b *", "* * * *"], [BAR, BAR], groups={"side": ("a", "b")}),
        0,
    ),
}


@pytest.fixture(params=list(KINDS))
def small(request: pytest.FixtureRequest) -> tuple[ExactCover, int]:
    """A small cover and the number of its tilings."""
    make, number = KINDS[request.param]
    return make(), number


@pytest.fixture
def dominoes() -> ExactCover:
    """Eight tilings."""
    return KINDS["equal pieces"][0]()
