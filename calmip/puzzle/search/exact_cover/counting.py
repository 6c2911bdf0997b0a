"""The number of solutions of an exact cover, by choice of labels, without listing them.

Counting merges sets of covered cells; see `calmip.mip.exact_cover.regions`.

A count can be split into parts, for several threads or for little memory. A part is halved by
the place of one piece: its first cell is before a cut or not. The halves share few regions and
words, so both take 1.1 to 1.2 times as long as the whole. Halves by label would take three to
eight times as long.

One count serves many sets of pieces: no piece is required, and the final words show the pieces
used. Sets with common pieces share most of their partial tilings. On the board of A-Puzzle-A-Day
the 792 sets of seven pentominoes take as long as two dozen sets one by one.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np

from calmip._base.errors import InputError
from calmip._base.limits import NO_LIMITS, Limits
from calmip.mip.exact_cover.memory import kind_of
from calmip.mip.exact_cover.options import Ints, Options
from calmip.mip.exact_cover.regions import Overflow, Regions
from calmip.mip.kernel import library
from calmip.processes import check_processes
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.lattice import Cell
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.options import (
    options_of,
    options_with_bare_cells,
    order_of,
    ranks,
)

STATES_PER_TICK = 500
"""States between two calls of the tick."""


def plain_tally(options: Options, tick: Callable[[int], None]) -> Ints:
    """Return the number of solutions of each choice of labels."""
    full, total = options.full, np.zeros(options.choices, dtype=np.int64)
    wanted = options.wanted
    for word, numbers in plain_by_word(options, tick).items():
        if word & full == full and (wanted is None or wanted([word]).all()):
            total += numbers
    return total


def plain_by_word(options: Options, tick: Callable[[int], None]) -> dict[int, Ints]:
    """Return the number of ways to cover all cells, for each word, by choice of labels.

    A state is the set of covered cells and a word. States are taken by their
    first uncovered cell; equal states are merged, and their numbers by choice added.
    """
    cells = options.cells
    starting: list[list[tuple[int, int, int, int]]] = [[] for _ in range(cells + 1)]
    for option in options.options:
        field = options.fields[option.field]
        starting[option.first].append((option.cells, field.top, field.delta, option.worth))
    levels: list[dict[tuple[int, int], dict[int, int]]] = [{} for _ in range(cells + 1)]
    levels[0][0, options.root] = {0: 1}
    handled = 0
    for cell in range(cells):
        while levels[cell]:
            (covered, word), counts = levels[cell].popitem()
            handled += 1
            if handled % STATES_PER_TICK == 0:
                tick(handled)
            for more, top, delta, worth in starting[cell]:
                if covered & more or word & top:
                    continue
                found = covered | more
                bare = (~found & (found + 1)).bit_length() - 1
                sums = levels[bare].setdefault((found, word + delta), defaultdict(int))
                for choice, number in counts.items():
                    sums[choice + worth] += number
    tick(handled)
    result: dict[int, Ints] = {}
    for (_, word), numbers in levels[cells].items():
        if sum(numbers.values()) >= 1 << 63:
            raise Overflow
        result[word] = np.zeros(options.choices, dtype=np.int64)
        for choice, number in numbers.items():
            result[word][choice] = number
    return result


MAX_HALVINGS = 10
"""A part that is still too large after these halvings is given up."""

Tick = Callable[[int], None]


class _Ended(Exception):
    """Another thread failed, or the count was ended."""


def tally(options: Options, limits: Limits = NO_LIMITS) -> Ints:
    """Return the number of solutions of each choice of labels.

    Parameters
    ----------
    options
        The exact cover.
    limits
        The time in seconds, the number of threads and the memory for the arrays of all threads.
        Some ten times a second ``progress`` receives, in this thread, the number of words
        handled so far; it may raise an exception to end the count.

    Raises
    ------
    InputError
        If there are 2**63 solutions or more, or if the memory does not suffice.
    TimeoutError
        If the time limit is reached before all solutions are counted.
    """
    memory = limits.memory
    try:
        if not threads_pay(options):
            found = plain_tally(options, limits.tick)
        elif limits.workers == 1:
            found = _Part(limits.tick, memory).count(options)
        else:
            found = _count_in_threads(options, limits)
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
    """Return whether a count is compiled; threads in plain Python wait for each other."""
    return library() is not None and kind_of(options) is not None


class _Part:
    """The count of a part in one thread, in halves if it is too large for the memory."""

    def __init__(self, tick: Tick, memory: float) -> None:
        self.tick, self.memory, self.handled = tick, memory, 0

    def count(self, options: Options, depth: int = 0) -> Ints:
        """Return the number of solutions of each choice of labels."""
        kind, before = kind_of(options), self.handled
        assert kind is not None

        def tick(handled: int) -> None:
            self.handled = before + handled
            self.tick(self.handled)

        try:
            graph = None
            if not options.infeasible:  # else there may be no options at all
                graph = Regions(options, kind, tick, self.memory).graph(options.wanted)
            if graph is None:
                return np.zeros(options.choices, dtype=np.int64)
            found = graph.by_choice(options.choices, lambda: self.tick(self.handled))
            total: Ints = found.reshape(-1, options.choices).sum(axis=0)
            return total
        except MemoryError:
            both = halves(options)
            if depth == MAX_HALVINGS or both is None:
                raise
        return _total(self.count(half, depth + 1) for half in both)


def _total(parts: Iterable[Ints]) -> Ints:
    """Return the sum of counts by choice."""
    total, *others = parts
    for part in others:
        total = total + part
        if (total < 0).any():
            raise Overflow
    return total


def halves(options: Options) -> tuple[Options, Options] | None:
    """Return an exact cover in two parts that share no solution and miss none.

    A piece lies before a cut in one part and behind it in the other. It is the piece with the
    fewest places, but more than one: the fewer its places, the less the halves have in common.
    No count is halved by the same piece again.
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
    options = options.with_field(chosen, piece=False)
    return (
        options.only(lambda option: option.field != chosen or option.first < cut),
        options.only(lambda option: option.field != chosen or option.first >= cut),
    )


def divide(options: Options, number: int) -> list[Options]:
    """Return an exact cover in at least ``number`` parts, or in as many as possible.

    No two parts share a solution, and together they miss none.
    """
    parts = [options]
    while len(parts) < number:
        smaller = [half for part in parts for half in halves(part) or (part,)]
        if len(smaller) == len(parts):
            break
        parts = smaller
    return parts


def _count_in_threads(options: Options, limits: Limits) -> Ints:
    """Count in threads, one a worker; all end as soon as one fails or the tick raises."""
    check_processes("more than one worker")
    workers = limits.workers
    parts = divide(options, workers)
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
            futures: list[Future[Ints]] = [
                pool.submit(_Part(member(number), limits.memory / workers).count, part)
                for number, part in enumerate(parts)
            ]
            waiting = set(futures)
            while waiting:
                done, waiting = wait(waiting, timeout=0.1)
                for future in done:
                    future.result()
                limits.tick(sum(handled))
        except BaseException:
            ended = True
            raise
    return _total(future.result() for future in futures)


MAX_CHOICES = 2_000_000
"""Counts for more choices than this are refused."""


def count(cover: ExactCover, limits: Limits = NO_LIMITS) -> int:
    """Return the number of solutions.

    A count that needs more memory than the limit is made in parts, one after the other. The
    errors are those of `tally`.
    """
    return int(tally(options_of(cover, order_of(cover)), limits)[0])


def count_by_reveal(
    cover: ExactCover, limits: Limits = NO_LIMITS, *, share: Callable[[Options], Ints] | None = None
) -> dict[tuple[str, ...], int]:
    """Return the number of solutions for every choice of a label from each free group.

    All choices are counted in one search; those without a solution have 0. The labels have the
    order of the instance's free groups.

    ``share`` counts instead of this process's threads: it returns the number for each choice.
    The errors are those of `tally`, and InputError if there are over two million choices.
    """
    labels, worth = label_choices(cover)
    options = options_of(cover, order_of(cover), worth, len(labels))
    counts = share(options) if share else tally(options, limits)
    return dict(zip(labels, counts.tolist(), strict=True))


def label_choices(cover: ExactCover) -> tuple[list[tuple[str, ...]], Ints]:
    """Return the choices of a label from each free group, and each option's share of a choice.

    A choice is a number with one digit per group, the last group's digit lowest. More than two
    million choices raise InputError.
    """
    labels: dict[str, list[str]] = {group: [] for group in cover.instance.free}
    for number in range(cover.placements, cover.columns):
        reveal = cover.option(number)
        assert isinstance(reveal, Reveal)
        labels[reveal.group].append(reveal.label)
    sizes = [len(some) for some in labels.values()]
    unit, place = _check_choices(math.prod(sizes)), cover.placements
    worth = np.zeros(cover.columns, dtype=np.int64)
    for size in sizes:
        unit //= max(size, 1)
        worth[place : place + size] = np.arange(size) * unit
        place += size
    return list(itertools.product(*labels.values())), worth


def count_uncovered(
    puzzle: Puzzle, k: int, limits: Limits = NO_LIMITS
) -> dict[tuple[Cell, ...], int]:
    """Return, for every choice of k cells, the number of tilings that leave just those uncovered.

    Labels and reveal groups are ignored. All choices, by cells in row-major order, are
    counted in one search; those without a tiling have 0.

    The errors are those of `count_by_reveal`, and InputError if the pieces do not leave k cells.
    """
    board = puzzle.board
    left = {
        len(board.cells) - area
        for area, numbers in puzzle.areas.items()
        if puzzle.use in (None, *numbers)
    }
    if k not in left:
        areas = " or ".join(map(str, sorted(len(board.cells) - one for one in left)))
        raise InputError(
            f"the pieces of {puzzle.name} cover {areas} of {len(board.cells)} cells, "
            f"so {' or '.join(map(str, sorted(left)))} stay uncovered, not {k}"
        )
    choices = _check_choices(math.comb(len(board.cells), k))
    options, order = options_with_bare_cells(puzzle, k)
    counts = tally(options, limits)
    place = np.argsort(order)
    chosen = np.array(list(itertools.combinations(range(len(order)), k)), dtype=np.int64)
    numbers = counts[ranks(np.sort(place[chosen.reshape(choices, k)], axis=1))].tolist()
    return dict(zip(itertools.combinations(board.cells, k), numbers, strict=True))


def _check_choices(number: int) -> int:
    if number > MAX_CHOICES:
        raise InputError(
            f"there are {number:,} choices of what stays uncovered; "
            f"at most {MAX_CHOICES:,} are counted in one search"
        )
    return number


MAX_FAST_BITS = 16
"""Words of at most these bits, pieces and groups together, are counted fastest."""

Numbers = tuple[int, ...]


def count_sets(
    cover: ExactCover,
    least: Sequence[int],
    wanted: Callable[[Numbers], bool],
    limits: Limits,
) -> tuple[list[tuple[str, ...]], dict[Numbers, Ints]]:
    """Return the choices of labels, and the counts by choice of every set of pieces with tilings.

    Parameters
    ----------
    cover, limits
        The exact cover of all pieces, each as often as a set may use it, and the time,
        the memory and the progress.
    least
        The least number of pieces of each class in a set.
    wanted
        Whether a set is counted, given its number of pieces of each class.

    Raises
    ------
    MemoryError
        If the arrays would exceed the memory limit.
    Overflow
        If there are 2**63 tilings or more.
    """
    labels, worth = label_choices(cover)
    options = options_of(cover, order_of(cover), worth, len(labels))
    most = cover.demand[len(cover.instance.to_cover) :]
    for number, (low, high) in enumerate(zip(least, most, strict=False)):
        options = options.with_field(number, needed=low == high, piece=False)
    if options.infeasible:
        return labels, {}

    def sets(words: Sequence[int]) -> list[Numbers]:
        at = np.array(words, dtype=np.int64)
        used = (field.used(at).tolist() for field in options.fields[: len(least)])
        return list(zip(*used, strict=True))

    kind = kind_of(options)
    if library() is None or kind is None:
        found = plain_by_word(options, limits.tick)
        ends = [
            word
            for word, numbers in found.items()
            if word & options.full == options.full and numbers.any()
        ]
        counts = {one: found[word] for one, word in zip(sets(ends), ends, strict=True)}
        return labels, {one: numbers for one, numbers in counts.items() if wanted(one)}
    graph = Regions(options, kind, limits.tick, limits.memory).graph(
        lambda words: np.array([*map(wanted, sets(words))], dtype=bool)
    )
    if graph is None:
        return labels, {}
    by_end = graph.by_choice(len(labels), lambda: limits.tick(0)).reshape(-1, len(labels))
    return labels, dict(zip(sets(graph.ends), by_end, strict=True))
