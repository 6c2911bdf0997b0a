"""Numbers that one number draws."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Dice:
    """Numbers that one number draws, the same in every version of Python."""

    seed: int
    thrown: Iterator[int] = field(default_factory=itertools.count)

    def below(self, sides: int) -> int:
        """Return a number from 0 to sides - 1."""
        text = f"{self.seed}/{next(self.thrown)}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % sides

    def one(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], number: int) -> list[T]:
        """Return ``number`` different things, in their order."""
        left = list(range(len(things)))
        chosen = sorted(left.pop(self.below(len(left))) for _ in range(number))
        return [things[place] for place in chosen]
