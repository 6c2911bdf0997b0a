"""Which options no tiling can use.

Two tests, each valid for an option by itself, are repeated until they remove
nothing more:

* *areas*: the option cuts what is bare into regions, and every region must have
  the area of some of the pieces (and labels) that are left;
* *support*: every item that the option does not cover must have an option that
  goes together with it.

Both look at all options at once. A set of options is a whole number with one bit
per option, and cells and items have such sets: one ``&`` of two long integers
moves a flood from a cell to the next in every option's picture of the board.

Where few options are left, a third test follows, one option at a time:

* *probing*: the option is tried, with all that it forces, till an item has no
  option left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["usable_options"]

MAX_WORK = 1_000_000_000
"""Options times pairs of an option and an item; covers with more are left as they are."""

FEW = 400
"""Probing takes a hundredth of a second with so many options, and pays in models
that are nearly or wholly infeasible; those have fewer."""


def usable_options(
    items: Sequence[Sequence[int]], demand: Sequence[int], neighbours: Sequence[Sequence[int]]
) -> list[int]:
    """Return the options that pass the tests, ascending; every tiling is made of them.

    Parameters
    ----------
    items
        For every option the items that it covers: cells that hang together,
        and as the last one a piece or a group.
    demand
        How often each item must be covered; cells, which come first, once.
    neighbours
        For every cell the cells that touch it.

    Returns
    -------
    list of int
        Option numbers. There are none if the tests prove that there is no tiling.
    """
    if len(items) * sum(map(len, items)) > MAX_WORK:
        return list(range(len(items)))
    sieve = _Sieve(items, demand, neighbours)
    left = sieve.sieved()
    if left.bit_count() <= FEW:
        left = sieve.probed()
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
        # For every item the options that cover it; pieces and groups follow the cells.
        self._options: list[list[int]] = [[] for _ in demand]
        for option, covered in enumerate(items):
            for item in covered:
                self._options[item].append(option)
        self._covering = [_bit_set(options, len(items)) for options in self._options]
        # The areas of an item's options: one for a piece, perhaps more for a group.
        self._areas = [
            frozenset(len(items[option]) - 1 for option in options)
            for options in self._options[len(neighbours) :]
        ]
        self._conflicts = [self._conflict(covered) for covered in items]
        self.alive = (1 << len(items)) - 1

    def _conflict(self, items: Sequence[int]) -> int:
        """Return the options that cannot go together with one that covers these items."""
        found = 0
        for item in items:
            if self._demand[item] == 1:
                found |= self._covering[item]
        return found

    def sieved(self) -> int:
        """Remove what fails the tests of areas and support; return what is left."""
        before = -1
        while self.alive != before:
            before = self.alive
            self.alive &= ~self._misfits()
            self.alive &= ~self._unsupported()
        return self.alive

    def probed(self) -> int:
        """Remove what fails any test; return what is left."""
        before = -1
        while self.alive != before:
            before = self.alive
            for option in _bits(self.alive):
                if self._refuted(option):
                    self.alive &= ~(1 << option)
            self.sieved()
        return self.alive

    def _misfits(self) -> int:
        """Return the options that cut off a region that nothing can fill."""
        cells = len(self._neighbours)
        forced, left = 0, {}
        for item, demand in enumerate(self._demand[cells:], start=cells):
            options = self.alive & self._covering[item]
            if options.bit_count() == demand:
                forced |= options
            else:
                left[item] = (self._areas[item - cells], demand)
        tried = self.alive & ~forced
        # For every cell the options in whose picture it is bare: beside those
        # that are forced, each lies alone on the board.
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
        """Return for every cell the options in whose picture it hangs with the first bare cell."""
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
            # What goes together with no option of this item.
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
    """Return the areas that the items left, one option of ``used`` apart, can sum to, as bits."""
    sums = 1
    for item, (areas, demand) in left.items():
        for _ in range(demand - (item == used)):
            without = sums
            for area in areas:
                sums |= without << area
    return sums


def _by_area(region: list[int], tried: int) -> Iterator[tuple[int, int]]:
    """Yield every area of a region above 0, and the options in whose picture it has that area."""
    # Digit k, in base 2, of the area in every option's picture.
    digits: list[int] = []
    for cell in region:
        carry = cell
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
        if carry:
            digits.append(carry)
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
    """Return the numbers of the bits that are set, ascending."""
    return [number for number, bit in enumerate(bin(numbers)[:1:-1]) if bit == "1"]
