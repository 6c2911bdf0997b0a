"""Counting without visiting: layer by layer, with equal states merged.

Two ways to cover the same cells with the same pieces have the same futures.
So the states after 1, 2, 3 ... options form layers of a directed graph whose
paths are the solutions, far fewer states than paths. Numbers of paths add up
downwards; counts by choice of labels are summed upwards from the last layer.

A layer that does not fit into its share of the memory is taken in blocks, one
after the other down to the last layer, so memory stays bounded: states that
fall into different blocks are just not merged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calmip.errors import InputError
from calmip.search.exact_cover import _kernel
from calmip.search.exact_cover._bitmasks import Ints, Masks, Rows, orders, pack

__all__ = ["Counts", "Layer", "Tally", "Tick", "packed", "tally"]

MEMORY = 600_000_000
"""Bytes for the states of all layers together."""

CHUNK = 50_000 if _kernel.COMPILED else 500
"""States per call of a loop: some hundredths of a second."""

SMALL = 50_000
"""Estimated nodes from which on more buckets than one for a cell pay."""

EFFORT = ((2, 10, 200_000), (1, 100, 5_000_000), (1, 400, 0))
"""Try every n-th order with samples of such a size; enough if the best has fewer nodes."""

Tick = Callable[[int], None]
"""Called some ten times a second with the number of states handled so far; may raise."""


@dataclass
class Counts:
    """Counts by choice for a row of states: state s has places starts[s] to starts[s + 1]."""

    starts: Any
    choices: Any
    counts: Any


@dataclass
class Layer:
    """States of one layer, how often each is reached, and how far they are expanded."""

    keys: Any
    ways: Any
    size: int
    begin: int = 0
    """The states of the layer above from here on lead to these."""
    done: int = 0
    kept: Any = field(default_factory=lambda: _kernel.zeros(4))
    """How far they are gathered; see `_kernel.gather`."""
    counts: Counts = field(default_factory=lambda: Counts(*map(_kernel.zeros, (1, 0, 0))))


class Tally:
    """Counts below layers of states; `_sharing` gives several threads one each.

    Parameters
    ----------
    masks, choices, tick
        As for `tally`.
    memory
        Bytes for the states of all layers.

    Attributes
    ----------
    total : int
        The solutions that were reached.
    """

    def __init__(self, masks: Masks, choices: int, tick: Tick, memory: int) -> None:
        self.masks = masks
        self.choices = choices
        self.tick = tick
        self.memory = memory
        self.total = 0
        self.handled = 0
        self.expand = _kernel.expand(masks.words)
        self.index = _kernel.index(masks.words)
        self.gather = _kernel.gather(masks.words) if choices > 1 else None
        self.sums = _kernel.zeros(choices + masks.words)
        # A state takes its key and its ways; new ones two to four slots, too.
        self.held = 8 * (masks.words + 1)
        self.new = self.held + 32
        self.least = max(memory // (self.new * 16 * masks.chosen), 2 * masks.widest)

    def root(self) -> Layer:
        """Return the layer of the one state in which nothing is covered."""
        return Layer(self.masks.root, _kernel.vector([1]), 1)

    def settle(self, top: Layer, depth: int) -> None:
        """Count what is below the states of a layer, which are made of so many options.

        The counts of each state are put into the layer, unless there is one
        choice only, and their sum is added to ``total``.
        """
        layers = [top]
        while True:
            layer = layers[-1]
            if layer.done < layer.size and depth + len(layers) > self.masks.chosen:
                # There is one state here at most, with everything covered.
                self.total += int(layer.ways[0])
                layer.counts = Counts(*map(_kernel.vector, ([0, 1], [0], [1])))
                layer.kept[3] = layer.done = 1
            if layer.done < layer.size:
                held = sum(other.size for other in layers) * self.held
                room = max((self.memory - held) // (2 * self.new), self.least)
                layers.append(self.next(layer, room))
                continue
            layers.pop()
            if not layers:
                return
            self.sum_up(layers[-1], layer)

    def next(self, layer: Layer, most: int) -> Layer:
        """Expand states of a layer until all are done, or the next one has so many states."""
        masks, words = self.masks, self.masks.words
        found = Layer(layer.keys, layer.ways, 0, layer.done)
        room = 0
        state = _kernel.vector([layer.done, 0, 0])
        result = _kernel.FULL
        while state[0] < layer.size:
            if result == _kernel.FULL:
                if room >= most:
                    break
                size = int(state[2])
                room = min(most, max(4 * room, 2 * masks.widest + 2 * layer.size))
                slots = _kernel.zeros(1 << (2 * room - 1).bit_length())
                keys, ways = _kernel.zeros(room * words), _kernel.zeros(room)
                keys[: size * words] = found.keys[: size * words]
                ways[:size] = found.ways[:size]
                self.index(keys, slots, size)
                found.keys, found.ways = keys, ways
            state[1] = min(layer.size, state[0] + CHUNK)
            result = self.expand(
                masks.first,
                masks.masks,
                masks.deltas,
                masks.full,
                layer.keys,
                layer.ways,
                found.keys,
                found.ways,
                state,
                slots,
                masks.cells,
                masks.peek,
                masks.widest,
            )
            self.tick(self.handled + int(state[0]) - layer.done)
            if result == _kernel.OVERFLOW:
                raise _too_many()
        self.handled += int(state[0]) - layer.done
        layer.done = int(state[0])
        found.size = int(state[2])
        # Only now, when it is known how many there are, memory is given back.
        found.keys, found.ways = found.keys[: found.size * words] * 1, found.ways[: found.size] * 1
        return found

    def sum_up(self, layer: Layer, below: Layer) -> None:
        """Sum the counts of the states that were expanded last from those of the next layer."""
        if self.gather is None:
            return
        masks, counts, state = self.masks, layer.counts, layer.kept
        alive = int(below.kept[3])
        slots = _kernel.zeros(1 << (2 * alive + 1).bit_length())
        self.index(below.keys, slots, alive)
        if len(counts.starts) == 1:
            counts.starts = _kernel.zeros(layer.size + 1)
        result, began = _kernel.FULL, int(state[0])
        while state[0] < layer.done:
            if result == _kernel.FULL:
                more = len(counts.choices) // 2 + 2 * self.choices
                counts.choices = _longer(counts.choices, more)
                counts.counts = _longer(counts.counts, more)
            state[1] = min(layer.done, state[0] + CHUNK)
            result = self.gather(
                masks.first,
                masks.masks,
                masks.deltas,
                masks.worth,
                layer.keys,
                below.keys,
                slots,
                below.counts.starts,
                below.counts.choices,
                below.counts.counts,
                counts.starts,
                counts.choices,
                counts.counts,
                self.sums,
                state,
                masks.cells,
                masks.peek,
            )
            self.tick(self.handled + int(state[0]) - began)
        self.handled += int(state[0]) - began

    def result(self, root: Layer) -> Ints:
        """Return the number of solutions of each choice, from the settled root."""
        if self.total >= 1 << _kernel.BITS:
            raise _too_many()
        found = np.zeros(self.choices, dtype=np.int64)
        if self.choices == 1:
            found[0] = self.total
        elif root.kept[3]:
            end = int(root.counts.starts[1])
            choices = np.array(root.counts.choices[:end], dtype=np.int64)
            found[choices] = root.counts.counts[:end]
        return found


def _longer(values: Any, more: int) -> Any:
    extra = _kernel.zeros(more)
    return np.concatenate([values, extra]) if _kernel.COMPILED else values + extra


def _too_many() -> InputError:
    return InputError(
        f"there are more than {1 << _kernel.BITS:,} tilings; "
        "reveal labels instead of leaving them free, or use a smaller board"
    )


def tally(masks: Masks, choices: int, tick: Tick) -> Ints:
    """Return the number of solutions of each choice of labels.

    Parameters
    ----------
    masks
        The exact cover.
    choices
        How many choices there are; options are worth less than that together.
    tick
        Called some ten times a second with the number of states handled so
        far; it may raise to end the count.

    Raises
    ------
    InputError
        If there are more solutions than 63 bits hold.
    """
    work = Tally(masks, choices, tick, MEMORY)
    root = work.root()
    work.settle(root, 0)
    return work.result(root)


def estimate(masks: Masks, sample: int) -> float:
    """Return about how many nodes a search visits, from at most so many states of each layer.

    Only nodes that have a successor count, so the search visits some times more.
    """
    expand = _kernel.expand(masks.words)
    keys, size, scale, nodes = masks.root, 1, 1.0, 0.0
    for _ in range(masks.chosen):
        room = masks.widest * (size + 1)
        parents, keys = keys, _kernel.zeros(room * masks.words)
        state = _kernel.vector([0, size, 0])
        ways, slots = _kernel.zeros(room), _kernel.zeros(1 << (2 * room - 1).bit_length())
        expand(
            masks.first,
            masks.masks,
            masks.deltas,
            masks.full,
            parents,
            _kernel.zeros(size),
            keys,
            ways,
            state,
            slots,
            masks.cells,
            masks.peek,
            masks.widest,
        )
        size = int(state[2])
        nodes += size * scale
        if size > sample:
            # Evenly spread over the layer, which is in the order of the search.
            spread = np.linspace(0, size - 1, sample).astype(np.int64)
            table = np.asarray(keys[: size * masks.words]).reshape(-1, masks.words)
            keys = _kernel.vector(table[spread].ravel())
            scale *= size / sample
            size = sample
    return nodes


def good_order(rows: Rows) -> tuple[Ints, float]:
    """Return an order of filling the cells, and about how many nodes it visits.

    The order is chosen with more care the larger the search is.
    """
    found = orders(rows.cells)
    for stride, sample, enough in EFFORT:
        some = found[::stride]
        nodes = [estimate(pack(rows, order, peek=0), sample) for order in some]
        best = int(np.argmin(nodes))
        if nodes[best] < enough:
            break
    return some[best], nodes[best]


def packed(rows: Rows) -> tuple[Masks, Ints]:
    """Return the bitmasks with which to search, and the order of the cells behind them."""
    order, nodes = good_order(rows)
    # More buckets take longer to make than they save on a small search.
    return pack(rows, order, peek=None if nodes >= SMALL else 0), order
