"""The options that no tiling can use.

Two tests are repeated until they remove nothing more:

* *areas*: the option cuts the uncovered cells into regions, and some of the remaining
  pieces (and labels) must have the area of each region;
* *support*: every item that the option does not cover must have a compatible option.

Both test all options at once. A set of options is a whole number with one bit per option,
so one ``&`` extends the regions of all options by a cell.

If few options are left, a third test follows, one option at a time:

* *probing*: the option is fixed with all that it forces, until an item has no option.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from calmip._base.bits import counts

MAX_WORK = 1_000_000_000
"""The most options times pairs of an option and an item; larger covers are not reduced."""

MAX_PROBED_OPTIONS = 400
"""The most options for probing, which takes 0.01 s then, and pays in nearly infeasible models."""


def usable_options(
    items: Sequence[Sequence[int]], demand: Sequence[int], neighbours: Sequence[Sequence[int]]
) -> list[int]:
    """Return the options that pass the tests, ascending; tilings use no others.

    Without any, there is no tiling.

    Parameters
    ----------
    items
        The items that each option covers: connected cells, then a piece or a group, or rules.
    demand
        How often each item must be covered; cells come first, with 1.
    neighbours
        The neighbours of each cell.
    """
    if len(items) * sum(map(len, items)) > MAX_WORK:
        return list(range(len(items)))
    sieve = _Sieve(items, demand, neighbours)
    left = sieve.filter()
    if left.bit_count() <= MAX_PROBED_OPTIONS:
        left = sieve.probe()
    return _bits(left)


class _Sieve:
    """The tests; ``alive`` is the set of the options that no test has removed."""

    def __init__(
        self,
        items: Sequence[Sequence[int]],
        demand: Sequence[int],
        neighbours: Sequence[Sequence[int]],
    ) -> None:
        self._items, self._demand, self._neighbours = items, demand, neighbours
        # The options that cover each item; pieces and groups follow the cells.
        self._options: list[list[int]] = [[] for _ in demand]
        for option, covered in enumerate(items):
            for item in covered:
                self._options[item].append(option)
        self._covering = [_bit_set(options, len(items)) for options in self._options]
        # The areas of an item's options: one for a piece, or several for a group.
        cells = len(neighbours)
        self._areas = [
            frozenset(bisect_left(items[option], cells) for option in options)
            for options in self._options[cells:]
        ]
        # The options that are incompatible with each option.
        once = [
            some if number == 1 else 0 for some, number in zip(self._covering, demand, strict=True)
        ]
        self._conflicts = [reduce(or_, map(once.__getitem__, covered), 0) for covered in items]
        self.alive = (1 << len(items)) - 1

    def filter(self) -> int:
        """Remove the options that fail the tests of areas and support; return the others."""
        before = -1
        while self.alive != before:
            before = self.alive
            self.alive &= ~self._misfits()
            self.alive &= ~self._unsupported()
        return self.alive

    def probe(self) -> int:
        """Remove the options that fail any test; return the others."""
        before = -1
        while self.alive != before:
            before = self.alive
            for option in _bits(self.alive):
                if self._refuted(option):
                    self.alive &= ~(1 << option)
            self.filter()
        return self.alive

    def _misfits(self) -> int:
        """Return the options that cut off a region of an impossible area."""
        cells = len(self._neighbours)
        forced, left = 0, {}
        for item, demand in enumerate(self._demand[cells:], start=cells):
            options = self.alive & self._covering[item]
            if options.bit_count() == demand:
                forced |= options
            else:
                left[item] = (self._areas[item - cells], demand)
        tried = self.alive & ~forced
        # The options that, with the forced ones, leave each cell uncovered.
        bare = [0 if some & forced else tried & ~some for some in self._covering[:cells]]
        fits = {item: _sums(left, item) for item in left}
        found = 0
        while any(bare):
            region = self._first_region(bare, tried)
            bare = [before & ~now for before, now in zip(bare, region, strict=True)]
            for area, options in _by_area(region, tried):
                for item, sums in fits.items():
                    if not sums >> area & 1:
                        found |= options & self._covering[item]
        return found

    def _first_region(self, bare: list[int], tried: int) -> list[int]:
        """Return, by cell, the options whose first uncovered cell is in the same region."""
        region = []
        for cell in bare:
            region.append(cell & tried)
            tried &= ~cell
        cells = range(len(bare))
        grown = True
        while grown:
            grown = False
            for cell in (*cells, *reversed(cells)):
                reached = region[cell]
                if reached != bare[cell]:
                    for near in self._neighbours[cell]:
                        reached |= region[near]
                    reached &= bare[cell]
                    if reached != region[cell]:
                        region[cell] = reached
                        grown = True
        return region

    def _unsupported(self) -> int:
        """Return the options that leave some item without an option."""
        found = 0
        for item, (covering, demand) in enumerate(zip(self._covering, self._demand, strict=True)):
            if (covering & self.alive).bit_count() < demand:
                return self.alive
            # The options that are incompatible with every option of this item.
            lost = self.alive & ~covering if demand == 1 else self.alive
            for option in self._options[item]:
                if self.alive >> option & 1:
                    lost &= self._conflicts[option]
                    if not lost:
                        break
            found |= lost
        return found

    def _refuted(self, option: int) -> bool:
        """Return whether an option and what it forces leave some item without an option."""
        left = self.alive & ~self._conflicts[option]
        bare = {item for item, demand in enumerate(self._demand) if demand == 1}
        bare.difference_update(self._items[option])
        forced = True
        while forced:
            forced = False
            for item in tuple(bare):
                options = left & self._covering[item]
                if item in bare and not options:
                    return True
                if item in bare and options & (options - 1) == 0:
                    only = options.bit_length() - 1
                    left &= ~self._conflicts[only]
                    bare.difference_update(self._items[only])
                    forced = True
        return False


def _sums(left: dict[int, tuple[frozenset[int], int]], used: int) -> int:
    """Return, as bits, the possible sums of the items' areas, without one option of ``used``."""
    sums = 1
    for item, (areas, demand) in left.items():
        for _ in range(demand - (item == used)):
            without = sums
            for area in areas:
                sums |= without << area
    return sums


def _by_area(region: list[int], tried: int) -> Iterator[tuple[int, int]]:
    """Yield each positive area of a region, and the options whose region has that area."""
    digits = counts(region)  # of the area of every option's region
    parts = {0: tried}
    for place, digit in reversed(list(enumerate(digits))):
        parts = {
            area + (bit << place): options
            for area, whole in parts.items()
            for bit, options in ((0, whole & ~digit), (1, whole & digit))
            if options
        }
    parts.pop(0, None)
    yield from parts.items()


def _bit_set(numbers: Iterable[int], size: int) -> int:
    marks = bytearray(size // 8 + 1)
    for number in numbers:
        marks[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(marks, "little")


def _bits(numbers: int) -> list[int]:
    """Return the positions of the bits that are set, ascending."""
    return [number for number, bit in enumerate(bin(numbers)[:1:-1]) if bit == "1"]
