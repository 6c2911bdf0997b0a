"""Pools of pieces, and the sets of them that have the right area and number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from calmip._base.errors import short_repr
from calmip.puzzle.board import Piece, free_name
from calmip.puzzle.puzzle import Puzzle, Supply

Sums = Counter[tuple[int, int]]
"""The number of ways in which some pieces have an area and a number."""


@dataclass(frozen=True)
class PiecePool:
    """Pieces to choose from.

    Parameters
    ----------
    pieces
        The pieces, no two of them equal.
    least, most
        The bounds on how often each piece is in a set.
    area, number
        The number of cells and of pieces of a set; any number of pieces if None.
    """

    pieces: tuple[Piece, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    area: int
    number: int | None = None

    def __repr__(self) -> str:
        sizes = f"{len(self.pieces)} pieces, {self.area} cells to cover"
        return short_repr(self, sizes)

    @property
    def sets(self) -> int:
        """The number of sets of pieces."""
        return self._after[0][self._goal]

    @cached_property
    def areas(self) -> tuple[int, ...]:
        """The areas that sets with the right number of pieces can have, ascending."""
        number = self._goal[1]
        sums = self._sums(list(range(len(self.pieces))), bounded=False)[-1]
        return tuple(sorted(area for area, count in sums if count == number))

    def has(self, numbers: tuple[int, ...]) -> bool:
        """Return whether the pool contains a set with these counts of the pieces."""
        return (
            sum(n * len(piece.cells) for n, piece in zip(numbers, self.pieces, strict=True))
            == self.area
            and self.number in (None, sum(numbers))
            and all(
                low <= n <= high
                for low, n, high in zip(self.least, numbers, self.most, strict=True)
            )
        )

    def tighten(self) -> PiecePool:
        """Return the pool with the tightest bounds; it must have sets."""
        bounds = [
            [n for n in range(low, high + 1) if self._with(place, n)]
            for place, (low, high) in enumerate(zip(self.least, self.most, strict=True))
        ]
        return replace(self, least=tuple(map(min, bounds)), most=tuple(map(max, bounds)))

    def halves(self) -> tuple[PiecePool, PiecePool] | None:
        """Return the pool split into two parts with the tightest bounds, or None if it has one set.

        One part uses the rarest piece as often as possible, the other part less often.
        """
        few = [
            (self._with(place, high), place)
            for place, (low, high) in enumerate(zip(self.least, self.most, strict=True))
            if low < high
        ]
        if not few:
            return None
        _, place = min(few)
        with_it, without = list(self.least), list(self.most)
        with_it[place] = self.most[place]
        without[place] -= 1
        parts = replace(self, least=tuple(with_it)), replace(self, most=tuple(without))
        return parts[0].tighten(), parts[1].tighten()

    def bits(self) -> int:
        """Return the number of bits that state how often each piece is used."""
        return sum((high - 1).bit_length() + 1 for high in self.most if high)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the sets, each as the counts of the pieces."""

        def extend(begun: tuple[int, ...], area: int, number: int) -> Iterator[tuple[int, ...]]:
            place = len(begun)
            if place == len(self.pieces):
                yield begun
                return
            size, counted = len(self.pieces[place].cells), self.number is not None
            for n in range(self.most[place], self.least[place] - 1, -1):
                left = area - n * size, number - n * counted
                if left in self._after[place + 1]:
                    yield from extend((*begun, n), *left)

        return extend((), *self._goal)

    def supply(self, frame: Puzzle) -> Supply:
        """Return a board with all pieces, each as often as a set may use it."""
        return Supply(frame.name, frame.board, self.copies(self.most), frame.groups, frame.flip)

    def puzzle(self, frame: Puzzle, numbers: tuple[int, ...]) -> Puzzle:
        """Return the puzzle of a board and a set of the pieces."""
        pieces = self.copies(numbers)
        name = f"{frame.name}: {' '.join(piece.name for piece in pieces)}"
        return Puzzle(name[:200], frame.board, pieces, frame.groups, frame.flip)

    def copies(self, numbers: tuple[int, ...]) -> tuple[Piece, ...]:
        """Return a number of copies of each piece; the second of a kind is named with a letter."""
        taken = {piece.name for piece in self.pieces}
        found: list[Piece] = []
        for piece, number in zip(self.pieces, numbers, strict=True):
            name = piece.name
            for _ in range(number):
                found.append(replace(piece, name=name))
                taken.add(name)
                name = free_name(piece.name, taken)
        return tuple(found)

    @property
    def _goal(self) -> tuple[int, int]:
        return self.area, self.number or 0

    @cached_property
    def _before(self) -> list[Sums]:
        """The sums of no pieces, of the first one, of the first two, ..."""
        return self._sums(list(range(len(self.pieces))))

    @cached_property
    def _after(self) -> list[Sums]:
        """The sums of all pieces, of all but the first, ..."""
        return self._sums(list(reversed(range(len(self.pieces)))))[::-1]

    def _sums(self, places: list[int], *, bounded: bool = True) -> list[Sums]:
        found: list[Sums] = [Counter({(0, 0): 1})]
        for place in places:
            size, counted = len(self.pieces[place].cells), self.number is not None
            sums: Sums = Counter()
            for (area, count), ways in found[-1].items():
                for n in range(self.least[place], self.most[place] + 1):
                    total = area + n * size, count + n * counted
                    if total[1] <= self._goal[1] and (total[0] <= self.area or not bounded):
                        sums[total] += ways
            found.append(sums)
        return found

    def _with(self, place: int, n: int) -> int:
        """Return the number of sets that have a piece n times."""
        area, number = self._goal
        area -= n * len(self.pieces[place].cells)
        number -= n if self.number is not None else 0
        return sum(
            ways * self._after[place + 1][area - some, number - count]
            for (some, count), ways in self._before[place].items()
        )
