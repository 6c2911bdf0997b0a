"""Rows of any other kind beside an exact cover, as fields of the states of its search.

A row over options is shifted by multiples of the items' equations until no coefficient is
negative and the least one of each item is 0 (a dual bound). Then it reads ``terms @ x <= most``:
a field of a state holds how much of it is used, and an option that would exceed it does not fit.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from calmip._base.bits import bits
from calmip._base.errors import InputError

WORD = 64

Options = list[tuple[int, int]]
"""States that options add, and how many options each stands for."""

InRows = tuple[tuple[int, int], ...]
"""The rest rows of an option, by their numbers, and its coefficients in them."""


class RestRow(NamedTuple):
    """A row ``terms @ x <= most`` over options; no number is negative."""

    terms: Mapping[int, int]
    most: int


def rest_rows(
    rows: Iterable[tuple[Mapping[int, int], int]], covered: Sequence[Sequence[int]], primary: int
) -> tuple[tuple[RestRow, ...], set[int]] | None:
    """Return rows over options, shifted, and the options that exceed one of them.

    The rows have the numbers that the options get when these are left out.

    None if some row has no solution.

    Parameters
    ----------
    rows
        The coefficients, of any sign, and the greatest sum.
    covered
        The items of each option; the first one is to be covered exactly once.
    primary
        The number of items that are to be covered exactly once.

    Raises
    ------
    InputError
        If a row needs a field of more than a word.
    """
    options_of: list[list[int]] = [[] for _ in range(primary)]
    for option, items in enumerate(covered):
        for item in items:
            if item < primary:
                options_of[item].append(option)
    found: list[RestRow] = []
    excess: set[int] = set()
    waiting = list(rows)
    while True:
        found.clear()
        before = len(excess)
        for terms, most in waiting:
            row = _shifted(terms, most, options_of, excess)
            if row is None:
                return None
            excess |= {option for option, a in row.terms.items() if a > row.most}
            found.append(row)
        if len(excess) == before:
            break
    first = {option: items[0] for option, items in enumerate(covered)}
    left = [option for option in range(len(covered)) if option not in excess]
    place = {option: number for number, option in enumerate(left)}
    needed = [row for row in found if _most_of(row, first) > row.most]
    if any(row.most.bit_length() >= WORD for row in needed):
        raise InputError("a row beside the exact cover has numbers of more than 63 bits")
    return tuple(
        RestRow({place[option]: a for option, a in row.terms.items()}, row.most) for row in needed
    ), excess


def _shifted(
    terms: Mapping[int, int], most: int, options_of: list[list[int]], excess: set[int]
) -> RestRow | None:
    """Return a row shifted by multiples of the equations; None if it has no solution."""
    left = defaultdict(int, {option: a for option, a in terms.items() if option not in excess})
    touched = [
        (item, [one for one in own if one not in excess])
        for item, own in enumerate(options_of)
        if any(one in terms for one in own)
    ]
    # First those with the fewest options: their least coefficients are the greatest.
    touched.sort(key=lambda one: len(one[1]))
    for _ in range(2):  # a shift for a negative coefficient may leave more for other items
        for _item, own in touched:
            least = min((left[one] for one in own), default=0)
            if least:
                most -= least
                for one in own:
                    left[one] -= least
    if most < 0:
        return None
    factor = math.gcd(*left.values()) or 1
    return RestRow({one: a // factor for one, a in left.items() if a}, most // factor)


def _most_of(row: RestRow, first: Mapping[int, int]) -> int:
    """Return a bound of the sum of a row: each item has one option."""
    greatest: dict[int, int] = {}
    for option, a in row.terms.items():
        greatest[first[option]] = max(greatest.get(first[option], 0), a)
    return sum(greatest.values())


@dataclass(frozen=True)
class Fields:
    """Rest rows as fields of words, which follow the words of the items in a state.

    A field for a row of at most m has w bits and a guard above them. It begins at
    ``2**w - 1 - m``, so that the guard is set if the row is exceeded. All fields of a word have
    the same width.

    Parameters
    ----------
    offset
        The first bit of the first word.
    widths, guards
        Of each word: the bits of a field below its guard, and the guards.
    start
        The state in which nothing is covered.
    homes
        Items that are to be covered, as bits, of which no option has two.
    greatest
        By item that is to be covered: in each word, the greatest coefficients of the options
        that have it as their home, or else as their first item.
    """

    offset: int
    widths: tuple[int, ...]
    guards: tuple[int, ...]
    start: int
    homes: int
    greatest: tuple[tuple[int, ...], ...]

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.widths)

    def words_of(self, state: int) -> Iterator[int]:
        """Yield the words of a state or an option."""
        for word in range(self.words):
            yield state >> (self.offset + WORD * word) & ((1 << WORD) - 1)

    def left(self, options: Options, state: int) -> Options:
        """Return the options that fit a state; none if those left exceed a row."""
        items, guards = state & ((1 << self.offset) - 1), self._all_guards
        fit = [one for one in options if not one[0] & items and not (one[0] + state) & guards]
        groups = list(self._groups(fit))
        least = [0] * self.words
        for home, own in groups:
            if home:
                for word, a in enumerate(self._least(own)):
                    least[word] += a
                    if least[word] & self.guards[word]:
                        return []
        now = state + self._joined(least)
        if now & guards:
            return []
        found = []
        for home, own in groups:
            then = now - self._joined(self._least(own)) if home else now
            found += [one for one in own if not (one[0] + then) & guards]
        return found

    def key(self, items: int, must: int, state: int) -> int:
        """Return the key of a node: the items of its options, and the rows that they may exceed.

        Rows that no choice of options within the items exceeds are left out.
        """
        key = items & ((1 << self.offset) - 1)
        for word, used in enumerate(self.words_of(state)):
            guards, width, high = self.guards[word], self.widths[word], 0
            over = 0
            for item in bits(key & must):
                high += self.greatest[item][word]
                over |= high & guards
                high &= ~guards
            over |= (used + high) & guards
            key |= (used & (over - (over >> width))) << (self.offset + WORD * word)
        return key

    @property
    def _all_guards(self) -> int:
        return self._joined(self.guards)

    def _joined(self, words: Iterable[int]) -> int:
        return sum(one << (self.offset + WORD * word) for word, one in enumerate(words))

    def _groups(self, options: Options) -> Iterator[tuple[int, Options]]:
        """Yield the options of each home that follow each other, and those without one."""
        own: Options = []
        last = 0
        for one in options:
            home = one[0] & self.homes
            if own and (home != last or not home):
                yield last, own
                own = []
            last = home
            own.append(one)
        if own:
            yield last, own

    def _least(self, options: Options) -> list[int]:
        """Return the least numbers of some options in each field of each word."""
        first, *others = options
        found = list(self.words_of(first[0]))
        for one in others:
            for word, a in enumerate(self.words_of(one[0])):
                guards, width = self.guards[word], self.widths[word]
                less = ((a | guards) - found[word]) & guards
                keep = less - (less >> width)  # where the number so far is not greater
                found[word] = (found[word] & keep) | (a & ~keep)
        return found


def fields_of(
    rows: Sequence[RestRow], masks: Sequence[int], must: int, homes: int, offset: int
) -> tuple[Fields, list[int]]:
    """Return the fields of rows, and the number that each option adds to a state in them.

    Options are those of the masks, in an order in which those of one home follow each other.
    """
    order = sorted(range(len(rows)), key=lambda row: -rows[row].most.bit_length())
    added, start = [0] * len(masks), 0
    widths: list[int] = []
    guards: list[int] = []
    place = WORD
    for row in order:
        terms, most = rows[row]
        width = max(most.bit_length(), 1)
        if not widths or place + widths[-1] + 1 > WORD:
            place = 0
            widths.append(width)
            guards.append(0)
        width = widths[-1]
        low = offset + WORD * (len(widths) - 1) + place
        guards[-1] |= 1 << (place + width)
        start += ((1 << width) - 1 - most) << low
        for option, a in terms.items():
            added[option] += a << low
        place += width + 1
    greatest = [[0] * len(widths) for _ in range(must.bit_length())]
    found = Fields(offset, tuple(widths), tuple(guards), start, homes, ())
    for option, mask in enumerate(masks):
        own = mask & homes or mask & must
        row_of = greatest[(own & -own).bit_length() - 1]
        for word, a in enumerate(found.words_of(added[option])):
            less = ((a | guards[word]) - row_of[word]) & guards[word]
            take = less - (less >> widths[word])
            row_of[word] = (a & take) | (row_of[word] & ~take)
    given = tuple(map(tuple, greatest))
    return Fields(offset, tuple(widths), tuple(guards), start, homes, given), added


def homes_of(masks: Sequence[int], must: int, inside: set[int]) -> int:
    """Return items that are to be covered, as bits, of which no option has two.

    First come those that most of the options have that are inside of a row.
    """
    beside: dict[int, int] = defaultdict(int)
    number: dict[int, int] = defaultdict(int)
    for option, mask in enumerate(masks):
        for item in bits(mask & must):
            beside[item] |= mask
            number[item] += option in inside
    homes = 0
    for item in sorted(beside, key=lambda one: (-number[one], one)):
        if not beside[item] & homes:
            homes |= 1 << item
    return homes
