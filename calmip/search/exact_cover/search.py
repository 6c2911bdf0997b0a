"""All solutions, and their numbers, by compiled exact-cover search without any solver.

Enumeration covers the item that has the fewest options left with each of them
[1]_. Counting merges equal states, see `calmip.search.exact_cover._layers`.
Equal pieces share one item with a demand, so every picture is found once.

References
----------
.. [1] D. E. Knuth, "Dancing links", in: Millennial Perspectives in Computer
   Science, 2000, https://arxiv.org/abs/cs/0011047
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from calmip._limits import Deadline, checked_seconds
from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.lattice import Cell

if TYPE_CHECKING:
    from calmip.problem.puzzle import Puzzle

__all__ = ["Search", "count", "count_by_reveal", "count_uncovered", "exists", "solutions"]

ROOM = 4096
"""Solutions that wait in the buffer at most."""

LOOK = 200_000
"""Options looked at for one more solution than was asked for, half a millisecond."""

MAX_CHOICES = 2_000_000
"""Counts for more choices than this are refused."""

Progress = Callable[[int], None]


class Search:
    """An exact-cover search: iterate over it for the solutions, then ask how it ended.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        The search stops after so many solutions; none by default.
    time_limit
        The search stops after so many seconds; none by default.

    Attributes
    ----------
    complete : bool
        Whether it is proved that there are no solutions but those handed out.
    stopped : str
        Why it ended before that: ``"limit"``, ``"time"``; or empty.
    nodes : int
        The options placed so far.
    """

    def __init__(
        self, cover: ExactCover, *, limit: int | None = None, time_limit: float | None = None
    ) -> None:
        self.complete = False
        self.stopped = ""
        self.nodes = 0
        self._cover = cover
        self._limit = limit
        self._time_limit = checked_seconds(time_limit)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the option numbers of each solution, ascending, in a fixed order."""
        self.complete = False
        self.stopped, self.nodes = "", 0

        from calmip.search.exact_cover.depth_first import walk
        from calmip.search.exact_cover.words import words_of

        deadline = Deadline(self._time_limit)
        left = math.inf if self._limit is None else self._limit
        search = walk(words_of(self._cover))
        while left > 0 and not search.finished:
            block = search.step(int(min(left, ROOM)))
            self.nodes = search.nodes
            left -= len(block)
            yield from np.sort(block, axis=1).tolist()
            if deadline.over and left > 0 and not search.finished:
                self.stopped = "time"
                return
        # Whether those were all is worth a short look.
        more = not search.finished and len(search.step(1, LOOK)) > 0
        self.complete = search.finished and not more
        self.stopped = "" if self.complete else "limit"


def solutions(cover: ExactCover, *, limit: int | None = None) -> Iterator[list[int]]:
    """Yield solutions as they are found: the numbers of the options chosen, ascending.

    Parameters
    ----------
    cover
        The exact cover.
    limit
        How many to find at most; all of them by default.
    """
    return iter(Search(cover, limit=limit))


def exists(cover: ExactCover) -> bool:
    """Return whether the cover has a solution; both answers are proved."""
    return any(True for _ in solutions(cover, limit=1))


def count(
    cover: ExactCover,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> int:
    """Return the number of solutions.

    Parameters
    ----------
    cover
        The exact cover.
    time_limit
        Seconds after which to give up; none by default.
    progress
        Called several times a second with the number of states handled so far.
    workers
        How many threads share a large count; fewer where the states are few.

    Raises
    ------
    InputError
        If there are 2**63 solutions or more.
    TimeoutError
        If the time is over before all solutions are counted.
    """
    from calmip.search.exact_cover import _bitmasks, _layers, _sharing

    rows = _bitmasks.Rows.of(cover)
    masks, _ = _layers.packed(rows)
    return int(_sharing.tally(masks, 1, _ticker(time_limit, progress), workers)[0])


def count_by_reveal(
    cover: ExactCover,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> dict[tuple[str, ...], int]:
    """Return the number of solutions for every choice of a label from each free group.

    All choices are counted in one search.

    Parameters
    ----------
    cover, time_limit, progress, workers
        As for `count`.

    Returns
    -------
    dict
        The labels in the order of the instance's free groups, and the number;
        choices without a solution are there with 0.

    Raises
    ------
    InputError
        If there are more than two million choices, or 2**63 solutions or more.
    TimeoutError
        If the time is over before all solutions are counted.
    """
    from calmip.search.exact_cover import _bitmasks, _layers, _sharing

    labels: dict[str, list[str]] = {group: [] for group in cover.instance.free}
    reveals = [cover.option(number) for number in range(cover.placements, cover.columns)]
    for reveal in reveals:
        assert isinstance(reveal, Reveal)
        labels[reveal.group].append(reveal.label)
    sizes = [len(some) for some in labels.values()]
    choices = _checked_choices(math.prod(sizes))
    # A choice is a number written with one digit per group, the last group's first.
    worth = np.zeros(cover.columns, dtype=np.int64)
    unit, place = choices, cover.placements
    for size in sizes:
        unit //= max(size, 1)
        worth[place : place + size] = np.arange(size) * unit
        place += size
    rows = _bitmasks.Rows.of(cover, worth)
    masks, _ = _layers.packed(rows)
    counts = _sharing.tally(masks, choices, _ticker(time_limit, progress), workers)
    return dict(zip(itertools.product(*labels.values()), counts.tolist(), strict=True))


def count_uncovered(
    puzzle: Puzzle,
    k: int,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> dict[tuple[Cell, ...], int]:
    """Return the number of tilings that leave just those cells bare, for every k cells.

    Labels and reveal groups play no part. All choices are counted in one search.

    Parameters
    ----------
    puzzle
        The puzzle.
    k
        How many cells stay uncovered.
    time_limit, progress, workers
        As for `count`.

    Returns
    -------
    dict
        The cells, in row-major order, and the number; cells that no tiling
        leaves bare are there with 0.

    Raises
    ------
    InputError
        If the pieces do not leave k cells of the board, if there are more than
        two million choices, or 2**63 tilings or more.
    TimeoutError
        If the time is over before all tilings are counted.
    """
    from calmip.search.exact_cover import _bitmasks, _layers, _sharing

    board = puzzle.board
    left = len(board.cells) - puzzle.area
    if k != left:
        raise InputError(
            f"the pieces of {puzzle.name} cover {puzzle.area} of {len(board.cells)} cells, "
            f"so {left} stay uncovered, not {k}"
        )
    choices = _checked_choices(math.comb(len(board.cells), k))
    rows = _bitmasks.Rows.with_bare_cells(puzzle, k)
    masks, order = _layers.packed(rows)
    counts = _sharing.tally(masks, choices, _ticker(time_limit, progress), workers)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    chosen = np.array(list(itertools.combinations(range(len(order)), k)), dtype=np.int64)
    ranks = _bitmasks.ranks(np.sort(place[chosen.reshape(choices, k)], axis=1))
    numbers = counts[ranks].tolist()
    return dict(zip(itertools.combinations(board.cells, k), numbers, strict=True))


def _checked_choices(number: int) -> int:
    if number > MAX_CHOICES:
        raise InputError(
            f"there are {number:,} choices of what stays uncovered; "
            f"at most {MAX_CHOICES:,} are counted in one search"
        )
    return number


def _ticker(time_limit: float | None, progress: Progress | None) -> Progress:
    deadline = Deadline(time_limit)

    def tick(found: int) -> None:
        if deadline.over:
            raise TimeoutError(f"not all tilings were counted within {time_limit:g} s")
        if progress is not None:
            progress(found)

    return tick
