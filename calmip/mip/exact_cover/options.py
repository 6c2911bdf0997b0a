"""An exact cover for counts by regions: cells are bits of a number, other items are in a word.

A partial solution is a set of covered cells and a *word*, which holds the other items that are
covered.
The word has a field for every item that is not a cell: a counter of w
bits that starts at 2**(w - 1) - demand. Its top bit is set when the demand is met, and
options that cover the item require that bit to be clear. With demand 1 the field is one bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Field:
    """The part of a word that belongs to one item."""

    low: int
    """Its lowest bit, as a number with that bit."""
    top: int
    """Its highest bit, likewise."""
    start: int
    """Its value in the word of the empty board."""
    areas: tuple[int, ...]
    """The numbers of cells that its options cover, ascending."""
    delta: int
    """The value that each of its options adds to the word."""
    piece: bool = False
    """Whether it belongs to one piece, whose place can divide a count."""
    times: int = 1
    """The number of options that one step of the counter stands for."""
    needed: bool = True
    """Whether it is full in every solution."""
    least: int = 0
    """The least number of its options in a solution, if it need not be full."""

    def used(self, words: Ints) -> Ints:
        """Return the number of its options in each word."""
        return ((words & (2 * self.top - self.low)) - self.start) // self.low


class Option(NamedTuple):
    """The cells that an option covers, as bits, the number of its field, its share of a choice."""

    cells: int
    field: int
    worth: int

    @property
    def first(self) -> int:
        """The number of its first cell."""
        return (self.cells & -self.cells).bit_length() - 1


@dataclass(frozen=True)
class Options:
    """The options of an exact cover whose cells are numbered in the order of filling."""

    near: tuple[int, ...]
    """The neighbours of every cell, as bits."""
    fields: tuple[Field, ...]
    options: tuple[Option, ...]
    """The options, by their first cell."""
    choices: int = 1
    """The number of choices of labels. A choice is a number below that, the sum of what the
    options of a solution are worth."""
    size: int | None = None
    """The number of options in a solution, if it is stated."""

    @property
    def infeasible(self) -> bool:
        """Whether some piece or group, or all of them, have no place: there is no solution."""
        met = {option.field for option in self.options}
        return not met or any(
            field.needed and one not in met and not field.start & field.top
            for one, field in enumerate(self.fields)
        )

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.near)

    @property
    def bits(self) -> int:
        """The number of bits of a word."""
        return max((field.top.bit_length() for field in self.fields), default=0)

    @property
    def root(self) -> int:
        """The word when nothing is covered."""
        return sum(field.start for field in self.fields)

    @property
    def full(self) -> int:
        """The bits that every word of a solution has."""
        return sum(field.top for field in self.fields if field.needed)

    @property
    def wanted(self) -> Callable[[Any], Any] | None:
        """The test of the words of the full board, as truth values; None if all are solutions.

        The bits of full fields are not part of it.
        """
        some = [field for field in self.fields if field.least]
        if not some and self.size is None:
            return None

        def test(words: Any) -> Any:
            at = np.asarray(words, dtype=np.int64)
            right = np.full(at.shape, fill_value=True)
            for field in some:
                right &= field.used(at) >= field.least
            if self.size is not None:
                right &= sum(field.used(at) for field in self.fields) == self.size
            return right

        return test

    def with_field(self, number: int, **changes: Any) -> Options:
        """Return the same options with one field changed."""
        fields = list(self.fields)
        fields[number] = replace(fields[number], **changes)
        return replace(self, fields=tuple(fields))

    def only(self, keep: Callable[[Option], bool]) -> Options:
        """Return some of the options."""
        return replace(self, options=tuple(filter(keep, self.options)))
