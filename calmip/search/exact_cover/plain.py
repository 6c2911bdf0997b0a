"""The depth-first search in plain Python: what search.c does, to read and to compare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from calmip.search.exact_cover.words import Bits, Ints, Packed

__all__ = ["PlainWalk"]

BUDGET = 40_000
"""Options looked at between two stops: some milliseconds."""

PLANES = 5
"""Counts of options have so many bits; what does not fit into them is many."""

DEAD = -2


class PlainWalk:
    """A search as `calmip.search.exact_cover.depth_first.Walk` describes it.

    A state, a mask and all that counts items are whole numbers, a bit for an item.
    """

    def __init__(self, words: Packed, root: Bits) -> None:
        self.finished = False
        self.nodes = 0
        self._size = words.size
        self._masks = [_number(row) for row in words.masks]
        self._deltas = [_number(row) for row in words.deltas]
        self._full, self._late = _number(words.full), _number(words.late)
        self._looked = 0
        begin = _number(root)
        fits = [option for option, mask in enumerate(self._masks) if not mask & begin]
        self._events = self._search(begin, fits)

    def step(self, most: int, budget: int | None = None) -> Ints:
        """Search on; see `calmip.search.exact_cover.depth_first.Walk`."""
        found: list[list[int]] = []
        end = self._looked + (BUDGET if budget is None else budget)
        while len(found) < most and self._looked < end and not self.finished:
            try:
                solution = next(self._events)
            except StopIteration:
                self.finished = True
                break
            if solution is not None:
                found.append(solution + [-1] * (self._size - len(solution)))
        return np.array(found, dtype=np.int64).reshape(len(found), self._size)

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


def _number(words: Bits) -> int:
    return int.from_bytes(words.astype("<u8").tobytes(), "little")
