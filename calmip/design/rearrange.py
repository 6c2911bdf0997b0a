"""Arrange the labels of a board anew, so that the year grows difficult or no date is too hard.

The pieces and the cells stay, so the number of tilings that leave some cells uncovered does not
depend on their labels. One search counts all those numbers; then each label needs a cell. A
date's number depends on two labels or more, so the problem is quadratic, or of a higher degree.
It becomes an assignment problem when the cells of all groups but one are fixed, so the groups
take turns. HiGHS solves a binary program that puts the labels of one group on cells. Then labels
are swapped while that helps, also between the groups. This ends in a local optimum, so there are
several starts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from calmip._base.errors import InputError, SolverFailed, clip, join_words
from calmip._base.files import scratch_folder, write_text
from calmip._base.limits import NO_LIMITS, Deadline, Limits, Progress
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.board import Board, label_among
from calmip.puzzle.dates import DIGITS, GROUPS, real_dates
from calmip.puzzle.documents.serialise import describe_fields
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.interface import of_puzzle
from calmip.puzzle.tasks.results import Result
from calmip.solvers.highs import Highs

__all__ = [
    "ORDERS",
    "ArrangementSearch",
    "Labels",
    "Merit",
    "Rearrangement",
    "assignment_model",
    "rearrange",
    "solve_assignment",
]

MAX_STARTS = 1000

MAX_ENTRIES = 1 << 22
"""The most dates or distinct numbers times arrangements that are compared at once."""

ORDERS = {
    "correlation": "The rank correlation of the place in the year and the tilings, lowest first.",
    "min": "The smallest number of tilings of a solvable date, largest first.",
}
"""A sentence about each order of arrangements with as many impossible dates, by its name."""

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
    minimum
        The smallest number of tilings of a date that has any; 0 if none has.
    hardest
        The number of dates that have so few.
    """

    impossible: int
    correlation: float
    minimum: int
    hardest: int

    def key(self, by: str) -> tuple[float, ...]:
        """Return numbers that are compared in turn; of two arrangements the lower is better."""
        if by == "min":
            return self.impossible, -self.minimum, self.hardest
        return self.impossible, self.correlation

    def beats(self, other: Merit, by: str = "correlation") -> bool:
        """Return whether it is better: fewer impossible dates, or as many and better by an order.

        By ``correlation`` later days are harder; by ``min`` the hardest solvable date has more
        tilings, or as many and fewer dates are so hard.
        """
        if by == "min" or self.impossible != other.impossible:
            return self.key(by) < other.key(by)
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
    """A local search; an arrangement is an array of cells by label.

    Parameters
    ----------
    counts
        The number of tilings that leave some cells uncovered, with an axis for each group.
    dates
        The labels of every date, by number, a column for each group.
    places
        The place of every date in the year.
    movable
        The labels of each group that may move.
    by
        The order of arrangements with as many impossible dates; see `Merit.beats`.
    clock
        The time limit, at which the best arrangement so far is returned.
    """

    def __init__(
        self,
        counts: IntArray,
        dates: IntArray,
        places: FloatArray,
        movable: Sequence[IntArray],
        *,
        by: str = "correlation",
        clock: Deadline = NO_LIMITS.clock,
    ) -> None:
        self._counts, self._dates, self._movable = counts, dates, movable
        self.by, self._clock = by, clock
        self._place = places - places.mean()
        # The distinct numbers of tilings, ascending, and the place of each choice of cells there.
        self._numbers, code = np.unique(counts, return_inverse=True)
        self._code: IntArray = code.reshape(counts.shape)
        self._zero = int(np.searchsorted(self._numbers, 1))
        choices = tuple(np.array([*combinations(range(len(counts)), counts.ndim)]).T)
        rank = np.zeros(len(self._numbers))
        rank[self._code[choices]] = _ranks(counts[choices]) / max(len(choices[0]), 1)
        self._rank: FloatArray = rank

    def merit(self, at: IntArray) -> Merit:
        """Return the merit of an arrangement."""
        return self.merits(at[None])[0]

    def merits(self, arrangements: IntArray) -> list[Merit]:
        """Return the merits of arrangements, one per row."""
        size = max(1, MAX_ENTRIES // max(len(self._numbers), len(self._dates)))
        parts = (arrangements[first : first + size] for first in range(0, len(arrangements), size))
        return [merit for part in parts for merit in self._merits(part)]

    def _merits(self, arrangements: IntArray) -> Iterator[Merit]:
        code = self._code[tuple(arrangements[:, group] for group in self._dates.T)]
        size, codes = len(arrangements), len(self._numbers)
        row = np.arange(size)[:, None] * codes
        number = np.bincount((row + code).ravel(), minlength=size * codes).reshape(size, codes)
        rank = np.cumsum(number, axis=1) - (number - 1) / 2.0
        centred = np.take_along_axis(rank, code, axis=1) - (len(self._dates) + 1) / 2
        scale = np.sqrt((self._place @ self._place) * (centred * centred).sum(axis=1))
        found = np.divide(centred @ self._place, scale, out=np.zeros(size), where=scale > 0)
        for numbers, correlation in zip(number, found.tolist(), strict=True):
            least_number = np.flatnonzero(numbers[self._zero :])[:1] + self._zero
            yield Merit(
                int(numbers[: self._zero].sum()),
                correlation,
                int(self._numbers[least_number].sum()),
                int(numbers[least_number].sum()),
            )

    def greedy(self) -> IntArray:
        """Return the labels of each group sorted by their tilings with the first of those before.

        The first group is sorted by all tilings, for example the months, and then the days by
        those of the first month. Cells of labels that stay are not used.
        """
        at, left = np.arange(len(self._counts)), self._counts
        groups = [np.unique(group) for group in self._dates.T]
        for number, labels in enumerate(self._movable):
            totals = left
            for others in groups[:number:-1]:
                totals = totals[..., others].sum(axis=-1)
            at[labels] = labels[np.argsort(-totals[labels], kind="stable")]
            left = left[at[self._dates[0, number]]]
        return at

    def improve(self, at: IntArray) -> IntArray:
        """Return an arrangement, reached from this one, that no program or swap improves."""
        best = self.merit(at)
        while True:
            for candidate in self._steps(at):
                if self._clock.over:
                    return at
                merit = self.merit(candidate)
                if merit.beats(best, self.by):
                    at, best = candidate, merit
                    break
            else:
                return at

    def _steps(self, at: IntArray) -> Iterator[IntArray]:
        """Yield candidates: the largest group placed anew, the others, then the best swap."""
        for group in sorted(range(len(self._movable)), key=lambda g: -len(self._movable[g])):
            if len(self._movable[group]) > 1 and not self._clock.over:
                yield self._place_anew(at, group)
        pairs = np.array(list(combinations(np.concatenate(self._movable).tolist(), 2)))
        if not len(pairs) or self._clock.over:
            return
        swaps = np.tile(at, (len(pairs), 1))
        np.put_along_axis(swaps, pairs, at[pairs[:, ::-1]], axis=1)
        keys = [merit.key(self.by) for merit in self.merits(swaps)]
        yield swaps[keys.index(min(keys))]

    def _place_anew(self, at: IntArray, group: int) -> IntArray:
        """Return the arrangement with the best places for the labels of a group that may move.

        By correlation the targets of the dates are their present ranks in falling order. By the
        minimum a date costs the more the fewer tilings it has. A place that makes a real date
        impossible costs more than all else.
        """
        labels, dates = self._movable[group], self._dates
        chosen = np.isin(dates[:, group], labels)
        others = np.delete(dates[chosen], group, axis=1)
        cells = np.sort(at[labels])
        code = self._code[tuple(at[others].T)][:, cells]
        if self.by == "min":
            least = max(self.merit(at).minimum, 1)
            number = np.maximum(self._numbers[code], 1)
            each = np.minimum(least / (NEAR * number), 1.0) ** STEEP
        else:
            target = np.sort(self._rank[self._code[tuple(at[dates].T)]])[::-1][chosen]
            each = (self._rank[code] - target[:, None]) ** 2
        # Each cost is in [0, 1], so all together are less than that of an impossible date.
        each += (code < self._zero) * (len(dates) + 1.0)
        cost = np.zeros((len(labels), len(cells)))
        np.add.at(cost, np.searchsorted(labels, dates[chosen, group]), each)
        placed = at.copy()
        placed[labels] = cells[solve_assignment(cost)]
        return placed


NEAR, STEEP = 4, 3
"""A date with `NEAR` times the least number of tilings costs least; costs grow by this power."""


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
        The puzzle with the labels in their new places; the old one if the status is unknown.
    before, greedy, after
        The merits of the old arrangement; of the greedy one, which sorts the months by their
        tilings and the days by those of the first month; and of the new one. None if the
        tilings were not counted within the time limit.
    by
        The order of arrangements.
    kept
        The labels that stay where they are.
    detail
        Why not all starts were improved, or empty.
    """

    puzzle: Puzzle
    before: Merit | None
    greedy: Merit | None
    after: Merit | None
    by: str = "correlation"
    kept: tuple[str, ...] = ()
    detail: str = ""

    @property
    def status(self) -> Status:
        """Done, also if the time limit ended the search; unknown if the count was not finished."""
        return Status.DONE if self.known else Status.UNKNOWN

    @property
    def known(self) -> bool:
        """Whether the tilings were counted."""
        return self.after is not None

    def describe(self) -> dict[str, Any]:
        """Return the new grid and the merits as plain data."""
        return {
            "puzzle": self.puzzle.name,
            "grid": [" ".join(row) for row in self.puzzle.board.rows],
            **describe_fields(self, ("before", "greedy", "after", "by", "kept", "detail")),
        }

    def _summary(self) -> str:
        if self.before is None or self.after is None:
            return f"{self.puzzle.name}, {self.detail}"
        before, after = self.before.correlation, self.after.correlation
        return f"{self.puzzle.name}, rank correlation {before:+.4f} -> {after:+.4f}"


class Labels:
    """The labels of a board's groups, numbered, and those that a maker keeps in their places.

    Raises
    ------
    InputError
        If the groups are not those of a calendar, a label has several cells, or a word of
        ``keep`` is neither a group nor a label.
    """

    def __init__(self, puzzle: Puzzle, keep: Sequence[str] = ()) -> None:
        board, groups = puzzle.board, puzzle.groups
        known = set(groups) <= {*GROUPS, *DIGITS}
        if len(groups) < 2 or not known:
            raise InputError(
                f"{puzzle.name} reveals {' and '.join(groups) or 'nothing'}; only a puzzle of two "
                f"groups or more can be rearranged, such as months and days, out of "
                f"{join_words([*GROUPS, *DIGITS])}"
            )
        self.puzzle, self.names = puzzle, [one for labels in groups.values() for one in labels]
        for label in self.names:
            if (size := len(board.labels[label])) != 1:
                raise InputError(
                    f"label {label} of {puzzle.name} has several cells, {size}; each label must "
                    "have one"
                )
        self.cells = [board.labels[label][0] for label in self.names]
        self.kept = self._kept(keep)
        number = {label: place for place, label in enumerate(self.names)}
        self.groups = [np.array([number[one] for one in some]) for some in groups.values()]
        real = real_dates(groups)
        rows = [[number[label] for label in one.values()] for one in real.values()]
        self.dates: IntArray = np.array(rows, dtype=np.int64).reshape(-1, len(groups))
        # Weekdays do not order the dates of a year.
        days = [[x for group, x in one.items() if group != "weekday"] for one in real.values()]
        position, found = -1, []
        for day, before in zip(days, [None, *days], strict=False):
            position += day != before
            found.append(position)
        self.places = _ranks(np.array(found))

    @property
    def movable(self) -> list[IntArray]:
        """The indices of the labels of each group that may move."""
        kept = set(self.kept)
        return [
            np.array([one for one in group.tolist() if self.names[one] not in kept], dtype=np.int64)
            for group in self.groups
        ]

    def _kept(self, keep: Sequence[str]) -> tuple[str, ...]:
        groups, labels = self.puzzle.groups, set[str]()
        for word in [keep] if isinstance(keep, str) else keep:
            label = label_among(self.names, word)
            if word not in groups and label is None:
                raise InputError(
                    f"cannot keep '{clip(word)}': it is neither a group of the board, "
                    f"{join_words(groups)}, nor one of its labels, {join_words(self.names, most=8)}"
                )
            labels.update(groups[word] if word in groups else [str(label)])
        return tuple(label for label in self.names if label in labels)

    def arranged(self, at: Collection[int]) -> Board:
        """Return the board with each label on the cell that another one has now, by number."""
        text = {self.cells[cell]: label for label, cell in zip(self.names, at, strict=True)}
        board = self.puzzle.board
        rows = tuple(
            tuple(text.get((r, c), old) for c, old in enumerate(row))
            for r, row in enumerate(board.rows)
        )
        return Board(rows, board.lattice)


@of_puzzle
def rearrange(
    puzzle: Puzzle,
    *,
    by: str = "correlation",
    keep: Sequence[str] = (),
    seed: int = 0,
    starts: int = 8,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Rearrangement:
    """Rearrange the labels of a puzzle so that the year grows difficult, or no date is too hard.

    The cells and the pieces stay. The fewest impossible dates come first. Among arrangements
    with as few, Spearman's rank correlation of a date's place in the year with its number of
    tilings is minimised, -1 at best; or the smallest number of tilings is maximised.

    Parameters
    ----------
    puzzle
        A puzzle that reveals months and days, and also weekdays or years, each on one cell.
    by
        Compare arrangements with as many impossible dates in this order.
    keep
        Leave these labels in their places: all of a group, such as ``weekday``, or single ones.
    seed, time_limit, progress
        As for `calmip.solvers.Limits`. Progress counts the starts. At the time limit the best
        arrangement so far is returned, and ``detail`` says so.
    starts
        Improve this number of arrangements: a greedy one (by ``min`` the present one), and
        random ones.

    Raises
    ------
    InputError
        If the puzzle reveals anything else, a label to keep is unknown, or there are no starts.
    SolverFailed
        If HiGHS does not solve an assignment problem.
    """
    from calmip.puzzle.search.exact_cover.counting import count_uncovered

    limits = Limits(time_limit, seed, progress=progress)
    if not 1 <= starts <= MAX_STARTS:
        raise InputError(f"{starts} starts; between 1 and {MAX_STARTS} are possible")
    if by not in ORDERS:
        raise InputError(f"the order is one of {', '.join(ORDERS)}, not {by}")
    labels = Labels(puzzle, keep)
    movable = np.concatenate(labels.movable)
    if len(movable) < 2:
        raise InputError(f"{puzzle.name} has no two labels that may move; keep fewer")
    try:
        found = count_uncovered(puzzle, len(labels.groups), replace(limits, progress=None))
    except TimeoutError as error:
        return Rearrangement(puzzle, None, None, None, by, labels.kept, str(error))
    counts = _by_labels(found, labels)
    search = ArrangementSearch(
        counts, labels.dates, labels.places, labels.movable, by=by, clock=limits.clock
    )
    before, greedy = np.arange(len(labels.names)), search.greedy()
    best, improved = _improve_starts(search, (before, greedy), movable, starts, limits)
    note = "in an order of growing difficulty" if by == "correlation" else "in new places"
    return Rearrangement(
        replace(
            puzzle,
            name=f"{puzzle.name}, rearranged",
            board=labels.arranged(best.tolist()),
            id="",
            note=f"the labels of {puzzle.name} {note}",
            sources=(),
            counts={},
        ),
        search.merit(before),
        search.merit(greedy),
        search.merit(best),
        by,
        labels.kept,
        ""
        if improved == starts
        else f"the time limit was reached after {improved} of {starts} starts",
    )


def _improve_starts(
    search: ArrangementSearch,
    given: tuple[IntArray, IntArray],
    movable: IntArray,
    starts: int,
    limits: Limits,
) -> tuple[IntArray, int]:
    """Return the best of the given arrangements and the improved ones, and their number."""
    before, greedy = given
    best = min(given, key=lambda at: search.merit(at).key(search.by))
    rng = np.random.default_rng(limits.seed)
    limits.report(0, starts, "starts")
    for start in range(starts):
        at = before.copy() if search.by == "min" else greedy
        if start:
            at = before.copy()
            at[movable] = rng.permutation(movable)
        at = search.improve(at)
        if search.merit(at).beats(search.merit(best), search.by):
            best = at
        if limits.clock.over:
            return best, start
        limits.report(start + 1, starts, "starts")
    return best, starts


def _by_labels(tilings: Mapping[tuple[Any, ...], int], labels: Labels) -> IntArray:
    """Return the numbers of tilings by the cells of labels, an axis for each group."""
    number = {cell: place for place, cell in enumerate(labels.cells)}
    chosen = {cells: n for cells, n in tilings.items() if number.keys() >= set(cells)}
    at = np.array([[number[cell] for cell in cells] for cells in chosen])
    values = np.fromiter(chosen.values(), dtype=np.int64)
    counts = np.zeros((len(number),) * len(labels.groups), dtype=np.int64)
    for order in permutations(at.T):
        counts[tuple(order)] = values
    return counts
