"""How many solutions an exact cover has, by choice of labels, without listing them.

Counting merges sets of covered cells, see `calmip.search.exact_cover.regions`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from calmip._limits import Deadline
from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.lattice import Cell

if TYPE_CHECKING:
    from calmip.problem.puzzle import Puzzle
    from calmip.search.exact_cover.options import Ints, Options

__all__ = ["count", "count_by_reveal", "count_uncovered", "label_choices"]

MAX_CHOICES = 2_000_000
"""Counts for more choices than this are refused."""

Progress = Callable[[int], None]

Share = Callable[["Options", Progress], "Ints"]


def count(
    cover: ExactCover,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
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
        How many threads share the count.
    memory_limit
        Megabytes for the count's arrays; by default three quarters of the
        machine's memory. What needs more is counted in parts, one after the
        other.

    Raises
    ------
    InputError
        If there are 2**63 solutions or more, if the memory does not suffice,
        or if a limit is no number above 0.
    TimeoutError
        If the time is over before all solutions are counted.
    """
    from calmip.search.exact_cover.options import Options, order_of
    from calmip.search.exact_cover.parts import tally

    options = Options.of(cover, order_of(cover))
    return int(tally(options, _ticker(time_limit, progress), workers, memory_limit)[0])


def count_by_reveal(
    cover: ExactCover,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
    share: Share | None = None,
) -> dict[tuple[str, ...], int]:
    """Return the number of solutions for every choice of a label from each free group.

    All choices are counted in one search.

    Parameters
    ----------
    cover, time_limit, progress, workers, memory_limit
        As for `count`.
    share
        Who counts in the place of this process's threads: it gets the options and a
        function to call now and then, and returns the number for each choice.

    Returns
    -------
    dict
        The labels in the order of the instance's free groups, and the number;
        choices without a solution are there with 0.

    Raises
    ------
    InputError
        If there are more than two million choices, 2**63 solutions or
        more, or if the memory does not suffice.
    TimeoutError
        If the time is over before all solutions are counted.
    """
    from calmip.search.exact_cover.options import Options, order_of
    from calmip.search.exact_cover.parts import tally

    labels, worth = label_choices(cover)
    options = Options.of(cover, order_of(cover), worth, len(labels))
    tick = _ticker(time_limit, progress)
    counts = share(options, tick) if share else tally(options, tick, workers, memory_limit)
    return dict(zip(labels, counts.tolist(), strict=True))


def label_choices(cover: ExactCover) -> tuple[list[tuple[str, ...]], Ints]:
    """Return the choices of a label from each free group, and what each option adds to one.

    A choice is a number written with one digit per group, the last group's first.

    Raises
    ------
    InputError
        If there are more than two million.
    """
    labels: dict[str, list[str]] = {group: [] for group in cover.instance.free}
    reveals = [cover.option(number) for number in range(cover.placements, cover.columns)]
    for reveal in reveals:
        assert isinstance(reveal, Reveal)
        labels[reveal.group].append(reveal.label)
    sizes = [len(some) for some in labels.values()]
    unit, place = _checked_choices(math.prod(sizes)), cover.placements
    worth = np.zeros(cover.columns, dtype=np.int64)
    for size in sizes:
        unit //= max(size, 1)
        worth[place : place + size] = np.arange(size) * unit
        place += size
    return list(itertools.product(*labels.values())), worth


def count_uncovered(
    puzzle: Puzzle,
    k: int,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    memory_limit: float | None = None,
) -> dict[tuple[Cell, ...], int]:
    """Return the number of tilings that leave just those cells bare, for every k cells.

    Labels and reveal groups play no part. All choices are counted in one search.

    Parameters
    ----------
    puzzle
        The puzzle.
    k
        How many cells stay uncovered.
    time_limit, progress, workers, memory_limit
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
        two million choices, 2**63 tilings or more, or if the memory does not
        suffice.
    TimeoutError
        If the time is over before all tilings are counted.
    """
    from calmip.search.exact_cover.options import Options, ranks
    from calmip.search.exact_cover.parts import tally

    board = puzzle.board
    left = len(board.cells) - puzzle.area
    if k != left:
        raise InputError(
            f"the pieces of {puzzle.name} cover {puzzle.area} of {len(board.cells)} cells, "
            f"so {left} stay uncovered, not {k}"
        )
    choices = _checked_choices(math.comb(len(board.cells), k))
    options, order = Options.with_bare_cells(puzzle, k)
    counts = tally(options, _ticker(time_limit, progress), workers, memory_limit)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    chosen = np.array(list(itertools.combinations(range(len(order)), k)), dtype=np.int64)
    numbers = counts[ranks(np.sort(place[chosen.reshape(choices, k)], axis=1))].tolist()
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
