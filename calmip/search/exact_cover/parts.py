"""One count in parts: for threads that share it, and for a memory that is too small for all.

A count is halved by where a piece lies: its first cell is before a cut, or not.
The halves hardly have a region and a word in common, so two of them take 1.1 to
1.2 times as long as the whole; halves by label would take three to eight times.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from calmip._process import check_processes
from calmip.errors import InputError
from calmip.search.exact_cover._memory import kind_of
from calmip.search.exact_cover.options import Options
from calmip.search.exact_cover.paths import Overflow
from calmip.search.exact_cover.plain_count import tally as plain_tally
from calmip.search.exact_cover.regions import Regions
from calmip.search.kernel import library

__all__ = ["divided", "halves", "machine_memory", "tally", "threads_pay"]

PAUSE = 0.1
"""Seconds between two looks at the threads."""

DEEPEST = 10
"""A part that has been halved so often and is still too large is given up."""

Tick = Callable[[int], None]


class _Ended(Exception):
    """Another thread failed, or the count was ended."""


def tally(options: Options, tick: Tick, workers: int = 1, memory_limit: float | None = None) -> Any:
    """Return the number of solutions of each choice of labels.

    Parameters
    ----------
    options
        The exact cover.
    tick
        Called by this thread some ten times a second with the number of words
        handled so far; it may raise to end the count.
    workers
        How many threads.
    memory_limit
        Megabytes for the arrays of all of them; three quarters of the
        machine's memory by default.

    Raises
    ------
    InputError
        If there are 2**63 solutions or more, if the memory does not suffice,
        or if the limit is no number above 0.
    """
    if memory_limit is not None and not (math.isfinite(memory_limit) and memory_limit > 0):
        raise InputError(f"the memory limit is a number of MB above 0, not {memory_limit:g}")
    memory = machine_memory() if memory_limit is None else 1e6 * memory_limit
    try:
        if not threads_pay(options):
            found = plain_tally(options, tick)
        elif workers == 1:
            found = _Part(tick, memory).count(options)
        else:
            found = _shared(options, tick, workers, memory)
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


def _shared(options: Options, tick: Tick, workers: int, memory: float) -> Any:
    """Count in so many threads; all end as soon as one fails or the tick raises."""
    check_processes("more than one worker")
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
                pool.submit(_Part(member(number), memory / workers).count, part)
                for number, part in enumerate(parts)
            }
            futures = list(waiting)
            while waiting:
                done, waiting = wait(waiting, timeout=PAUSE)
                for future in done:
                    future.result()
                tick(sum(handled))
        except BaseException:
            ended = True
            raise
    total = futures[0].result()
    for future in futures[1:]:
        total = _sum(total, future.result())
    return total


def machine_memory() -> float:
    """Return three quarters of the machine's memory, or no limit where that is not known."""
    try:
        return 0.75 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return float("inf")
