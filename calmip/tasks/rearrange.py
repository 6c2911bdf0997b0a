"""Another arrangement of the labels of a board, in which the year grows difficult.

The pieces and the cells stay, so the number of tilings that leave two cells uncovered is
the same whatever is written on them. All those numbers come from one search; what is
left is to say which label goes where. A date's number depends on two labels, so the
problem is quadratic. It becomes an assignment problem when the cells of one group are
settled, so the groups take turns: each time a binary program, solved by HiGHS, puts
the labels of one group on cells so that the ranks of the dates' numbers come as close
(in squares) as can be to falling through the year. Then labels are swapped while that
helps, also between the groups. This ends in a local optimum, so there are several starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from calmip.errors import InputError
from calmip.problem.board import Board
from calmip.problem.dates import real_dates
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.tasks._arrangement import ArrangementSearch, Merit
from calmip.tasks._result import Result

__all__ = ["Rearrangement", "check_groups", "rearrange"]

MAX_STARTS = 1000


@dataclass(frozen=True, repr=False)
class Rearrangement(Result):
    """An arrangement that was found, and what to compare it with.

    Parameters
    ----------
    puzzle
        The puzzle with the labels in their new places.
    before, greedy, after
        The merits of the arrangement as it was; of the greedy one, which sorts
        the months by their tilings and the days by those of the first month;
        and of the one found.
    """

    puzzle: Puzzle
    before: Merit
    greedy: Merit
    after: Merit

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the new grid and the merits as plain data."""
        return {
            "puzzle": self.puzzle.name,
            "grid": [" ".join(row) for row in self.puzzle.board.rows],
            "before": asdict(self.before),
            "greedy": asdict(self.greedy),
            "after": asdict(self.after),
        }

    def _summary(self) -> str:
        before, after = self.before.correlation, self.after.correlation
        return f"{self.puzzle.name}, rank correlation {before:+.4f} -> {after:+.4f}"


def check_groups(puzzle: Puzzle) -> None:
    """Raise an `InputError` unless a puzzle reveals a month and a day, each on one cell."""
    board, groups = puzzle.board, puzzle.groups
    if set(groups) != {"month", "day"}:
        raise InputError(
            f"{puzzle.name} reveals {' and '.join(groups) or 'nothing'}; "
            "only a puzzle of months and days can be rearranged"
        )
    if any(len(board.labels[label]) != 1 for labels in groups.values() for label in labels):
        raise InputError(f"a label of {puzzle.name} has several cells; each must have one")


def rearrange(
    puzzle: Puzzle,
    *,
    seed: int = 0,
    starts: int = 8,
    progress: Callable[[], None] = lambda: None,
) -> Rearrangement:
    """Put the labels of a puzzle in other places, so that difficulty grows through the year.

    Parameters
    ----------
    puzzle
        A puzzle that reveals a month and a day, each on one cell.
    seed
        The same seed gives the same arrangement.
    starts
        How many arrangements to improve: the greedy one, and random ones.
    progress
        Called after each start.

    Raises
    ------
    InputError
        If the puzzle reveals anything else, or there are no starts.
    SolverFailed
        If HiGHS does not solve an assignment problem.
    """
    from calmip.search.exact_cover.counting import count_uncovered

    if not 1 <= starts <= MAX_STARTS:
        raise InputError(f"{starts} starts; between 1 and {MAX_STARTS} are possible")
    board = puzzle.board
    check_groups(puzzle)
    labels = [*puzzle.groups["month"], *puzzle.groups["day"]]
    cells = [board.labels[label][0] for label in labels]
    found = count_uncovered(puzzle, 2)
    counts = np.zeros((len(cells), len(cells)), dtype=np.int64)
    for (one, first), (two, second) in combinations(enumerate(cells), 2):
        number = found[min(first, second), max(first, second)]
        counts[one, two] = counts[two, one] = number
    place = {label: number for number, label in enumerate(labels)}
    dates = np.array(
        [(place[d["month"]], place[d["day"]]) for d in real_dates(puzzle.groups).values()]
    )
    search = ArrangementSearch(counts, dates, len(puzzle.groups["month"]), seed)
    before = np.arange(len(labels))
    best = greedy = search.greedy()
    rng = np.random.default_rng(seed)
    for start in range(starts):
        at = search.improved(greedy if start == 0 else rng.permutation(len(labels)))
        if search.merit(at).beats(search.merit(best)):
            best = at
        progress()
    text = {cells[cell]: label for label, cell in zip(labels, best.tolist(), strict=True)}
    rows = tuple(
        tuple(text.get((r, c), old) for c, old in enumerate(row))
        for r, row in enumerate(board.rows)
    )
    return Rearrangement(
        replace(
            puzzle,
            name=f"{puzzle.name}, rearranged",
            board=Board(rows, board.lattice),
            id="",
            note=f"the labels of {puzzle.name} in an order of growing difficulty",
            sources=(),
            counts={},
        ),
        search.merit(before),
        search.merit(greedy),
        search.merit(best),
    )
