"""The search and the count in plain Python: short, slow, and for covers of any size.

They do what the compiled loops do, to read and to compare, and take their place where no
library fits or where cells or words have too many bits for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from calmip.search.exact_cover.options import Ints, Options
from calmip.search.exact_cover.regions import Overflow
from calmip.search.exact_cover.words import Packed

__all__ = ["PlainWalk", "plain_by_word", "plain_tally"]


BUDGET = 40_000
"""Options looked at between two stops: some milliseconds."""

PLANES = 5
"""Counts of options have so many bits; what does not fit into them is many."""

DEAD = -2


class PlainWalk:
    """A search as `calmip.search.exact_cover.search.Walk` describes it.

    What counts the items' options has a bit for each item, as states and masks have.
    """

    def __init__(self, words: Packed, root: int) -> None:
        self.finished = False
        self.nodes = 0
        self._masks, self._deltas = words.masks, words.deltas
        self._full, self._late = words.full, words.late
        self._looked = 0
        fits = [option for option, mask in enumerate(words.masks) if not mask & root]
        self._events = self._search(root, fits)

    def step(self, most: int, budget: int | None = None) -> list[list[int]]:
        """Search on; see `calmip.search.exact_cover.search.Walk`."""
        found: list[list[int]] = []
        end = self._looked + (BUDGET if budget is None else budget)
        while len(found) < most and self._looked < end and not self.finished:
            try:
                solution = next(self._events)
            except StopIteration:
                self.finished = True
                break
            if solution is not None:
                found.append(solution)
        return found

    def _search(self, root: int, fits: list[int]) -> Iterator[list[int] | None]:
        """Yield the options of each solution, and None for other nodes."""
        if root == self._full:
            yield []
        chosen: list[int] = []
        path = [self._children(root, fits)]
        while path:
            option, after, left = next(path[-1], (-1, 0, []))
            if option < 0:
                path.pop()
                del chosen[-1:]
                continue
            self.nodes += 1
            if after == self._full:
                yield [*chosen, option]
            else:
                chosen.append(option)
                path.append(self._children(after, left))
                yield None

    def _children(self, state: int, fits: list[int]) -> Iterator[tuple[int, int, list[int]]]:
        """Yield the options of a node's item, the states that they make, and what then fits."""
        masks = self._masks
        item = self._choose(state, [masks[option] for option in fits])
        self._looked += len(fits) + 1
        if item < 0:
            return
        bit = 1 << item
        for place, option in enumerate(fits):
            if masks[option] & bit:
                after = state + self._deltas[option]
                # Of what covers this item, only that comes below which was not tried yet.
                own = after | bit
                left = [other for other in fits[:place] if not masks[other] & own]
                left += [other for other in fits[place + 1 :] if not masks[other] & after]
                self._looked += len(fits)
                yield option, after, left

    def _choose(self, state: int, masks: list[int]) -> int:
        """Return the item to branch on, the one with the fewest options, or why there is none."""
        bare = self._full & ~state
        count = [0] * PLANES  # the bits of every item's number of options
        many = 0
        for mask in masks:
            carry = mask
            for plane in range(PLANES):
                count[plane], carry = count[plane] ^ carry, count[plane] & carry
            many |= carry
        several, any_at_all = many, many | count[0]
        for bits in count[1:]:
            several |= bits
            any_at_all |= bits
        if bare & ~any_at_all:
            return DEAD
        bare = bare & ~(self._late & several) or bare
        if bare & ~many:
            bare &= ~many
            for bits in reversed(count):
                bare = bare & ~bits or bare
        return (bare & -bare).bit_length() - 1


PAUSE = 500
"""States between two calls of the tick."""


def plain_tally(options: Options, tick: Callable[[int], None]) -> Ints:
    """Return the number of solutions of each choice of labels."""
    return plain_by_word(options, tick).get(options.full, np.zeros(options.choices, dtype=np.int64))


def plain_by_word(options: Options, tick: Callable[[int], None]) -> dict[int, Ints]:
    """Return the number of ways to cover all cells, for each word, by choice of labels.

    A state is what is covered: cells and a word. States are taken by their
    first bare cell; equal ones are merged, and their numbers by choice added.
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
            if handled % PAUSE == 0:
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
