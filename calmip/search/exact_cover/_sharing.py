"""One count shared by threads: each takes a part of the states of one layer.

The compiled loops hold no lock of Python, so threads use as many cores, and
memory is that of one process. Two states of different parts are not merged
below, where they may become equal. So the layers are counted together until
one has many states, from which on little is lost.
"""

from __future__ import annotations

import itertools
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from calmip.search.exact_cover import _kernel
from calmip.search.exact_cover._bitmasks import Ints, Masks
from calmip.search.exact_cover._layers import MEMORY, Counts, Layer, Tally, Tick
from calmip.search.exact_cover._layers import tally as tally_alone

__all__ = ["tally"]

MANY = 100_000
"""The first layer with so many states is divided. (The weekday board's year has
8.3 million states in all; halved at layers of 400, 70,000, 380,000 it had 11.7,
11.3 and 10.7 million, one half a little more than the other.)"""

LARGEST = 2**62
PAUSE = 0.1
"""Seconds between two looks at the threads."""


class _Ended(Exception):
    """Another thread failed, or the count was ended."""


class _Team:
    """Threads that count, and the thread that waits for them and reports."""

    def __init__(self, tick: Tick, workers: int) -> None:
        self.tick = tick
        self.handled = [0] * workers
        self.ended = False

    def member(self, number: int) -> Tick:
        """Return what a thread is to call as it works."""

        def work(handled: int) -> None:
            if self.ended:
                raise _Ended
            self.handled[number] = handled

        return work

    def settle(self, tallies: list[Tally], parts: list[Layer], depth: int, before: int) -> None:
        """Count below every part; end all threads as soon as one fails or the tick raises."""
        with ThreadPoolExecutor(len(parts), thread_name_prefix="calmip-count") as pool:
            try:
                waiting: set[Future[None]] = {
                    pool.submit(tally.settle, part, depth)
                    for tally, part in zip(tallies, parts, strict=True)
                }
                while waiting:
                    done, waiting = wait(waiting, timeout=PAUSE)
                    for future in done:
                        future.result()
                    self.tick(before + sum(self.handled))
            except BaseException:
                self.ended = True
                raise


def tally(masks: Masks, choices: int, tick: Tick, workers: int) -> Ints:
    """Return the number of solutions of each choice of labels, counted by threads.

    Parameters
    ----------
    masks, choices, tick
        As for `calmip.search.exact_cover._layers.tally`; ``tick`` is called by the caller's thread.
    workers
        How many threads.

    Raises
    ------
    InputError
        If there are more solutions than 63 bits hold.
    """
    if workers == 1 or not _kernel.COMPILED:
        # Threads that run Python itself would only wait for each other.
        return tally_alone(masks, choices, tick)
    whole = Tally(masks, choices, tick, MEMORY)
    layers = [whole.root()]
    while 0 < layers[-1].size < MANY and len(layers) <= masks.chosen:
        layers.append(whole.next(layers[-1], LARGEST))
    if layers[-1].size < MANY:
        return tally_alone(masks, choices, tick)
    bottom = layers.pop()
    team = _Team(tick, workers)
    tallies = [
        Tally(masks, choices, team.member(number), MEMORY // workers) for number in range(workers)
    ]
    parts = _parts(bottom, masks.words, workers)
    team.settle(tallies, parts, len(layers), whole.handled)
    whole.total = sum(part.total for part in tallies)
    whole.handled += sum(part.handled for part in tallies)
    below = _joined(parts, masks.words)
    while layers:
        whole.sum_up(layers[-1], below)
        below = layers.pop()
    return whole.result(below)


def _parts(layer: Layer, words: int, number: int) -> list[Layer]:
    """Return a layer in so many parts; neighbours in the order of the search stay together."""
    cuts = [layer.size * part // number for part in range(number + 1)]
    return [
        Layer(layer.keys[a * words : b * words].copy(), layer.ways[a:b].copy(), b - a)
        for a, b in itertools.pairwise(cuts)
    ]


def _joined(parts: list[Layer], words: int) -> Layer:
    """Return the states of several parts that have any solution, with their counts."""
    alive = [int(part.kept[3]) for part in parts]
    keys = np.concatenate(
        [part.keys[: number * words] for part, number in zip(parts, alive, strict=True)]
    )
    joined = Layer(keys, _kernel.zeros(sum(alive)), sum(alive))
    joined.kept[3] = sum(alive)
    starts: list[Any] = [np.zeros(1, dtype=np.int64)]
    choices, counts, written = [], [], 0
    for part, number in zip(parts, alive, strict=True):
        own = part.counts.starts[: number + 1]
        starts.append(own[1:] + written)
        choices.append(part.counts.choices[: own[-1]])
        counts.append(part.counts.counts[: own[-1]])
        written += int(own[-1])
    joined.counts = Counts(*map(np.concatenate, (starts, choices, counts)))
    return joined
