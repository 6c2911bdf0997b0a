"""How many solutions an exact cover has, by choice of labels, without listing them.

Counting merges sets of covered cells, see `calmip.search.exact_cover.regions`.

A count can be made in parts: for threads that share it, and for a memory that is too
small for all of it. It is halved by where a piece lies: its first cell is before a cut, or
not. The halves hardly have a region and a word in common, so two of them take 1.1 to 1.2
times as long as the whole; halves by label would take three to eight times.

Many sets of pieces are counted at once in a count in which no piece must be used: the
pieces that are used are read from the final words. Sets that share pieces share most of
their partial tilings: on the board of A-Puzzle-A-Day the 792 sets of seven pentominoes take
as long as two dozen of them alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from calmip._limits import NO_LIMITS, Limits
from calmip.errors import InputError
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.lattice import Cell
from calmip.problem.puzzle import Puzzle
from calmip.processes import check_processes
from calmip.search.exact_cover._memory import kind_of
from calmip.search.exact_cover.options import Ints, Options, order_of
from calmip.search.exact_cover.plain import plain_by_word, plain_tally
from calmip.search.exact_cover.regions import Overflow, Regions
from calmip.search.kernel import library

__all__ = [
    "MOST_BITS",
    "count",
    "count_by_reveal",
    "count_sets",
    "count_uncovered",
    "divided",
    "halves",
    "label_choices",
    "tally",
    "threads_pay",
]


PAUSE = 0.1
"""Seconds between two looks at the threads."""

DEEPEST = 10
"""A part that has been halved so often and is still too large is given up."""

Tick = Callable[[int], None]


class _Ended(Exception):
    """Another thread failed, or the count was ended."""


def tally(options: Options, limits: Limits = NO_LIMITS) -> Any:
    """Return the number of solutions of each choice of labels.

    Parameters
    ----------
    options
        The exact cover.
    limits
        The time, the number of threads and the memory for the arrays of all of them.
        Its progress is told by this thread some ten times a second with the number of
        words handled so far, and may raise to end the count.

    Raises
    ------
    InputError
        If there are 2**63 solutions or more, or if the memory does not suffice.
    TimeoutError
        If the time is over before all solutions are counted.
    """
    memory = limits.memory
    try:
        if not threads_pay(options):
            found = plain_tally(options, limits.tick)
        elif limits.workers == 1:
            found = _Part(limits.tick, memory).count(options)
        else:
            found = _shared(options, limits)
        if np.sum(found, dtype=object) >= 1 << 63:
            raise Overflow
    except Overflow:
        raise InputError(
            f"there are more than {1 << 63:,} tilings; "
            "reveal labels instead of leaving them free, or use a smaller board"
        ) from None
    except MemoryError:
        raise InputError(
            f"the count does not fit into {memory / 1e6:,.0f} MB of memory; "
            "raise the memory limit, reveal labels instead of leaving them free, "
            "or use a smaller board"
        ) from None
    return found


def threads_pay(options: Options) -> bool:
    """Return whether a count is compiled: threads that run Python only wait for each other."""
    return library() is not None and kind_of(options) is not None


class _Part:
    """Counts a part in one thread, in halves if it is too large for the memory."""

    def __init__(self, tick: Tick, memory: float) -> None:
        self.tick = tick
        self.memory = memory
        self.handled = 0

    def count(self, options: Options, depth: int = 0) -> Any:
        """Return the number of solutions of each choice of labels."""
        if options.hopeless:
            return np.zeros(options.choices, dtype=np.int64)
        kind = kind_of(options)
        assert kind is not None
        before = self.handled

        def tick(handled: int) -> None:
            self.handled = before + handled
            self.tick(self.handled)

        try:
            graph = Regions(options, kind, tick, self.memory).graph()
            if graph is None:
                return np.zeros(options.choices, dtype=np.int64)
            return graph.by_choice(options.choices, lambda: self.tick(self.handled))
        except MemoryError:
            both = halves(options)
            if depth == DEEPEST or both is None:
                raise
        first, second = (self.count(half, depth + 1) for half in both)
        return _sum(first, second)


def _sum(first: Any, second: Any) -> Any:
    total = first + second
    if (total < 0).any():
        raise Overflow
    return total


def halves(options: Options) -> tuple[Options, Options] | None:
    """Return an exact cover in two parts whose solutions are all of them, none in both.

    A piece lies before a cut in one and behind it in the other. It is the
    piece with the fewest places (but more than one), since the halves have the
    less in common the fewer places it has; and no count is halved by the same
    piece again.
    """
    places: dict[int, list[int]] = {}
    for option in options.options:
        if options.fields[option.field].piece:
            places.setdefault(option.field, []).append(option.first)
    cuts = [
        (len(first), number, first[len(first) // 2])
        for number, first in places.items()
        if first[0] < first[len(first) // 2]
    ]
    if not cuts:
        return None
    _, chosen, cut = min(cuts)
    fields = list(options.fields)
    fields[chosen] = replace(fields[chosen], piece=False)
    options = replace(options, fields=tuple(fields))
    return (
        options.only(lambda option: option.field != chosen or option.first < cut),
        options.only(lambda option: option.field != chosen or option.first >= cut),
    )


def divided(options: Options, number: int) -> list[Options]:
    """Return an exact cover in at least so many parts, or in fewer if there is no way.

    The solutions of all parts are those of the whole, and no two have one in common.
    """
    parts = [options]
    while len(parts) < number:
        smaller = [half for part in parts for half in halves(part) or (part,)]
        if len(smaller) == len(parts):
            break
        parts = smaller
    return parts


def _shared(options: Options, limits: Limits) -> Any:
    """Count in so many threads; all end as soon as one fails or the tick raises."""
    check_processes("more than one worker")
    workers = limits.workers
    parts = divided(options, workers)
    handled = [0] * len(parts)
    ended = False

    def member(number: int) -> Tick:
        def report(words: int) -> None:
            if ended:
                raise _Ended
            handled[number] = words

        return report

    with ThreadPoolExecutor(workers, thread_name_prefix="calmip-count") as pool:
        try:
            waiting: set[Future[Any]] = {
                pool.submit(_Part(member(number), limits.memory / workers).count, part)
                for number, part in enumerate(parts)
            }
            futures = list(waiting)
            while waiting:
                done, waiting = wait(waiting, timeout=PAUSE)
                for future in done:
                    future.result()
                limits.tick(sum(handled))
        except BaseException:
            ended = True
            raise
    total = futures[0].result()
    for future in futures[1:]:
        total = _sum(total, future.result())
    return total


MAX_CHOICES = 2_000_000
"""Counts for more choices than this are refused."""

Share = Callable[["Options"], "Ints"]


def count(cover: ExactCover, limits: Limits = NO_LIMITS) -> int:
    """Return the number of solutions.

    Parameters
    ----------
    cover
        The exact cover.
    limits
        As for `tally`; what needs more memory is counted in parts, one after the other.

    Raises
    ------
    InputError, TimeoutError
        As `tally` does.
    """
    from calmip.search.exact_cover.options import Options, order_of

    options = Options.of(cover, order_of(cover))
    return int(tally(options, limits)[0])


def count_by_reveal(
    cover: ExactCover, limits: Limits = NO_LIMITS, *, share: Share | None = None
) -> dict[tuple[str, ...], int]:
    """Return the number of solutions for every choice of a label from each free group.

    All choices are counted in one search.

    Parameters
    ----------
    cover, limits
        As for `count`.
    share
        Who counts instead of this process's threads: it gets the options, and
        returns the number for each choice.

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

    labels, worth = label_choices(cover)
    options = Options.of(cover, order_of(cover), worth, len(labels))
    counts = share(options) if share else tally(options, limits)
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
    puzzle: Puzzle, k: int, limits: Limits = NO_LIMITS
) -> dict[tuple[Cell, ...], int]:
    """Return the number of tilings that leave just those cells bare, for every k cells.

    Labels and reveal groups play no part. All choices are counted in one search.

    Parameters
    ----------
    puzzle
        The puzzle.
    k
        How many cells stay uncovered.
    limits
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

    board = puzzle.board
    left = len(board.cells) - puzzle.area
    if k != left:
        raise InputError(
            f"the pieces of {puzzle.name} cover {puzzle.area} of {len(board.cells)} cells, "
            f"so {left} stay uncovered, not {k}"
        )
    choices = _checked_choices(math.comb(len(board.cells), k))
    options, order = Options.with_bare_cells(puzzle, k)
    counts = tally(options, limits)
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


MOST_BITS = 16
"""Words of so many bits, pieces and groups together, are counted fastest."""

Numbers = tuple[int, ...]


def count_sets(
    cover: ExactCover,
    least: Sequence[int],
    wanted: Callable[[Numbers], bool],
    limits: Limits,
) -> tuple[list[tuple[str, ...]], dict[Numbers, Ints]]:
    """Return the numbers of tilings of every set of pieces that has any.

    Parameters
    ----------
    cover
        The exact cover of all pieces, each so often as it may be used at most.
    least
        How often the pieces of each class are used at least.
    wanted
        Which sets are counted: how many pieces of each class they have.
    limits
        The time, and the memory for the arrays. The progress may raise.

    Returns
    -------
    tuple
        The choices of labels, and for every set its counts in that order.

    Raises
    ------
    MemoryError
        If the arrays would be larger than they may be.
    Overflow
        If there are 2**63 tilings or more.
    """
    labels, worth = label_choices(cover)
    options = Options.of(cover, order_of(cover), worth, len(labels))
    most = cover.demand[len(cover.instance.to_cover) :]
    fields = list(options.fields)
    for number, (low, high) in enumerate(zip(least, most, strict=False)):
        fields[number] = replace(fields[number], needed=low == high, piece=False)
    options = replace(options, fields=tuple(fields))
    if options.hopeless:
        return labels, {}

    def sets(words: Sequence[int]) -> list[Numbers]:
        at = np.array(words, dtype=np.int64)
        return list(zip(*(field.used(at).tolist() for field in fields[: len(least)]), strict=True))

    def chosen(words: Any) -> Any:
        return np.fromiter(map(wanted, sets(words)), dtype=bool, count=len(words))

    kind = kind_of(options)
    if library() is None or kind is None:
        found = {word: n for word, n in plain_by_word(options, limits.tick).items()
                 if word & options.full == options.full and n.any()}  # fmt: skip
        return labels, {one: n for one, n in zip(sets(list(found)), found.values(), strict=True)
                        if wanted(one)}  # fmt: skip
    graph = Regions(options, kind, limits.tick, limits.memory).graph(chosen)
    if graph is None:
        return labels, {}
    counts = graph.by_choice(len(labels), lambda: limits.tick(0)).reshape(-1, len(labels))
    return labels, dict(zip(sets(graph.ends), counts, strict=True))
