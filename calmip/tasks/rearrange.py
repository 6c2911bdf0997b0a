"""Arrange the labels of a board anew, so that the year grows difficult.

The pieces and the cells stay, so the number of tilings that leave two cells uncovered does not
depend on their labels. One search counts all those numbers; then each label needs a cell. A
date's number depends on two labels, so the problem is quadratic. It becomes an assignment
problem when the cells of one group are fixed, so the groups take turns. HiGHS solves a binary
program that puts the labels of one group on cells. The ranks of the dates' numbers then fall
through the year as nearly as possible (in squares). Then labels are swapped while that helps,
also between the groups. This ends in a local optimum, so there are several starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import scratch_folder, write_text
from calmip._base.limits import NO_LIMITS, Limits, Progress
from calmip.documents.description import describe_fields
from calmip.formats.mps import mps_text
from calmip.problem.board import Board
from calmip.problem.dates import real_dates
from calmip.problem.model import Model
from calmip.problem.puzzle import Puzzle
from calmip.problem.status import Status
from calmip.solvers.highs import Highs
from calmip.tasks._result import About, Result

__all__ = [
    "COMMAND", "ArrangementSearch", "Merit", "Rearrangement", "assignment_model", "check_groups",
    "rearrange", "solve_assignment",
]  # fmt: skip

MAX_STARTS = 1000

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Merit:
    """The merit of an arrangement.

    Parameters
    ----------
    impossible
        The number of real dates without a tiling.
    correlation
        Spearman's rank correlation of the date's place in the year with its number of
        tilings: -1 if each day is harder than the last.
    """

    impossible: int
    correlation: float

    def beats(self, other: Merit) -> bool:
        """Return whether it is better: fewer impossible dates, or as many and harder later days."""
        if self.impossible != other.impossible:
            return self.impossible < other.impossible
        return self.correlation < other.correlation - 1e-12


def _ranks(values: npt.NDArray[np.generic]) -> FloatArray:
    """Return the ranks of values from 0 on; equal values share the mean of their ranks."""
    _, place, number = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(number)
    mean: FloatArray = (last - (number - 1) / 2.0)[place]
    return mean


def assignment_model(cost: FloatArray) -> Model:
    """Return the program that gives every label (row of ``cost``) one cell (column) of its own."""
    size = len(cost)
    number = np.arange(size * size, dtype=np.int32).reshape(size, size)
    ones = np.ones(2 * size)
    return Model(
        columns=tuple(f"x{label}_{cell}" for label in range(size) for cell in range(size)),
        rows=tuple(f"{kind}{place}" for kind in ("label", "cell") for place in range(size)),
        start=np.arange(0, 2 * size * size + 1, max(size, 1), dtype=np.int32),
        index=np.concatenate([number.ravel(), number.T.ravel()]),
        value=np.ones(2 * size * size),
        lower=ones,
        upper=ones,
        cost=cost.ravel(),
        name="arrange",
    )


class ArrangementSearch:
    """A local search; arrangements are arrays of cells by label, the months before the days."""

    def __init__(self, counts: IntArray, dates: IntArray, months: int, limits: Limits) -> None:
        self._counts = counts
        self._dates = dates
        self._months = months
        self._limits = limits
        # The distinct numbers of tilings, ascending, and the place of each pair of cells there.
        self._numbers, code = np.unique(counts, return_inverse=True)
        self._code: IntArray = code.reshape(counts.shape)
        ranks = np.zeros(counts.shape)
        pairs = np.triu_indices(len(counts), 1)
        ranks[pairs] = _ranks(counts[pairs]) / max(len(pairs[0]), 1)
        self._rank: FloatArray = ranks + ranks.T

    def merit(self, at: IntArray) -> Merit:
        """Return the merit of an arrangement."""
        return self.merits(at[None])[0]

    def merits(self, many: IntArray) -> list[Merit]:
        """Return the merits of arrangements, one per row."""
        code = self._code[many[:, self._dates[:, 0]], many[:, self._dates[:, 1]]]
        size, codes = len(many), len(self._numbers)
        row = np.arange(size)[:, None] * codes
        number = np.bincount((row + code).ravel(), minlength=size * codes).reshape(size, codes)
        rank = np.cumsum(number, axis=1) - (number - 1) / 2.0
        two = np.take_along_axis(rank, code, axis=1) - (len(self._dates) + 1) / 2
        one = np.arange(len(self._dates)) - (len(self._dates) - 1) / 2
        scale = np.sqrt((one @ one) * (two * two).sum(axis=1))
        found = np.divide(two @ one, scale, out=np.zeros(size), where=scale > 0)
        impossible = number[:, self._numbers == 0].sum(axis=1)
        return [Merit(*merit) for merit in zip(impossible.tolist(), found.tolist(), strict=True)]

    def greedy(self) -> IntArray:
        """Return the months sorted by their tilings, and the days by those of the first month."""
        m = self._months
        totals = self._counts[:m, m:].sum(axis=1)
        months = np.argsort(-totals, kind="stable")
        days = m + np.argsort(-self._counts[months[0], m:], kind="stable")
        return np.concatenate([months, days])

    def improve(self, at: IntArray) -> IntArray:
        """Return an arrangement, reached from this one, that no program or swap improves."""
        best = self.merit(at)
        while True:
            for candidate in self._steps(at):
                merit = self.merit(candidate)
                if merit.beats(best):
                    at, best = candidate, merit
                    break
            else:
                return at

    def _steps(self, at: IntArray) -> Iterator[IntArray]:
        """Yield candidates: the days placed anew, the months, then the best swap."""
        m = self._months
        yield self._place(at, np.arange(m, len(at)))
        yield self._place(at, np.arange(m))
        pairs = np.array(list(combinations(range(len(at)), 2)))
        swaps = np.tile(at, (len(pairs), 1))
        np.put_along_axis(swaps, pairs, at[pairs[:, ::-1]], axis=1)
        merits = self.merits(swaps)
        yield swaps[
            min(range(len(swaps)), key=lambda n: (merits[n].impossible, merits[n].correlation))
        ]

    def _place(self, at: IntArray, labels: IntArray) -> IntArray:
        """Return the arrangement with the best places for some labels.

        The targets of the dates are their present ranks in falling order. A place that makes a
        real date impossible costs more than all else.
        """
        rank = self._rank[at[self._dates[:, 0]], at[self._dates[:, 1]]]
        target = np.sort(rank)[::-1]
        cells = np.sort(at[labels])
        month, day = self._dates.T
        label, other = (month, day) if labels[0] < self._months else (day, month)
        pairs = np.ix_(at[other], cells)
        cost = np.zeros((len(labels), len(cells)))
        np.add.at(cost, label - labels[0], (self._rank[pairs] - target[:, None]) ** 2)
        # The ranks lie in [0, 1], so all squares together are less than this.
        impossible = (self._counts[pairs] == 0) * (len(self._dates) + 1.0)
        np.add.at(cost, label - labels[0], impossible)
        placed = at.copy()
        placed[labels] = cells[solve_assignment(cost, self._limits)]
        return placed


def solve_assignment(cost: FloatArray, limits: Limits = NO_LIMITS) -> IntArray:
    """Return the cell of every label in an optimal assignment; see `assignment_model`."""
    model, size = assignment_model(cost), len(cost)
    with scratch_folder() as folder:
        path = folder / "arrange.mps"
        write_text(path, [mps_text(model)])
        outcome = Highs().solve(path, limits)
    if outcome.status is not Status.OPTIMAL:
        raise SolverFailed(f"HiGHS did not solve an assignment problem: {outcome.detail}")
    value = np.array([outcome.values.get(name, 0.0) for name in model.columns])
    chosen: IntArray = value.reshape(size, size).argmax(axis=1)
    if model.violated((np.arange(size) * size + chosen).tolist()) is not None:
        raise SolverFailed("HiGHS's answer to an assignment problem is not an assignment")
    return chosen


@dataclass(frozen=True, repr=False)
class Rearrangement(Result):
    """An arrangement, and those to compare it with.

    Parameters
    ----------
    puzzle
        The puzzle with the labels in their new places.
    before, greedy, after
        The merits of the old arrangement; of the greedy one, which sorts the months by their
        tilings and the days by those of the first month; and of the new one.
    """

    puzzle: Puzzle
    before: Merit
    greedy: Merit
    after: Merit

    status = Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the new grid and the merits as plain data."""
        return {
            "puzzle": self.puzzle.name,
            "grid": [" ".join(row) for row in self.puzzle.board.rows],
            **describe_fields(self, ("before", "greedy", "after")),
        }

    def _summary(self) -> str:
        before, after = self.before.correlation, self.after.correlation
        return f"{self.puzzle.name}, rank correlation {before:+.4f} -> {after:+.4f}"


def check_groups(puzzle: Puzzle) -> None:
    """Raise `InputError` unless a puzzle uncovers a month and a day, each on one cell."""
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
    progress: Callable[[Progress], None] | None = None,
) -> Rearrangement:
    """Rearrange the months and days of a puzzle so that the year grows difficult.

    The cells and the pieces stay. The objective is Spearman's rank correlation of a date's
    place in the year with its number of tilings; it is minimised, and -1 at best.

    Parameters
    ----------
    puzzle
        A puzzle that reveals a month and a day, each on one cell.
    seed, progress
        As for `calmip.solvers.Limits`. Progress counts the starts.
    starts
        Improve this number of arrangements: the greedy one, and random ones.

    Raises
    ------
    InputError
        If the puzzle reveals anything else, or there are no starts.
    SolverFailed
        If HiGHS does not solve an assignment problem.
    """
    from calmip.search.exact_cover.counting import count_uncovered

    limits = Limits(seed=seed, progress=progress)
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
    search = ArrangementSearch(counts, dates, len(puzzle.groups["month"]), limits)
    before = np.arange(len(labels))
    best = greedy = search.greedy()
    rng = np.random.default_rng(seed)
    limits.report(0, starts, "starts")
    for start in range(starts):
        at = search.improve(greedy if start == 0 else rng.permutation(len(labels)))
        if search.merit(at).beats(search.merit(best)):
            best = at
        limits.report(start + 1, starts, "starts")
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


COMMAND = About(
    files=("a puzzle", "yaml", "yml"),
    examples=(
        "calmip rearrange a-puzzle-a-day --starts 1",
        "calmip rearrange a-puzzle-a-day -o new.yaml",
        "calmip rearrange heart-set1 --seed 3 -o heart.yaml",
    ),
    free=True,
    counts="starts",
)
