"""Pools of pieces: which sets of them have the right area and the right number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from calmip.problem.board import Piece
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle

__all__ = ["PiecePool", "Selection", "Supply"]

Sums = Counter[tuple[int, int]]
"""In how many ways some pieces have an area together, and are so many."""


class Supply(Puzzle):
    """A board and its groups, with any pieces: none as yet, or more than it has room for."""

    def _check_pieces(self) -> None:
        """Allow any pieces."""


class Selection(Instance):
    """The instance of a supply: only some of its pieces will be used."""

    def _check_area(self) -> None:
        """Allow any area."""


@dataclass(frozen=True)
class PiecePool:
    """Pieces to choose from.

    Parameters
    ----------
    pieces
        The pieces, no two of them equal.
    least, most
        How often each piece is in a set at least and at most.
    area
        How many cells the pieces of a set cover.
    number
        How many pieces a set has; any number if None.
    """

    pieces: tuple[Piece, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    area: int
    number: int | None = None

    @property
    def sets(self) -> int:
        """The number of sets of pieces that have the area and the number."""
        return self._after[0][self._goal]

    @cached_property
    def areas(self) -> tuple[int, ...]:
        """The areas that sets with the right number of pieces can have, ascending."""
        number = self._goal[1]
        sums = self._sums(list(range(len(self.pieces))), bounded=False)[-1]
        return tuple(sorted(area for area, count in sums if count == number))

    def has(self, numbers: tuple[int, ...]) -> bool:
        """Return whether a set with so many of each piece is one of the sets."""
        return (
            sum(n * len(piece.cells) for n, piece in zip(numbers, self.pieces, strict=True))
            == self.area
            and self.number in (None, sum(numbers))
            and all(
                low <= n <= high
                for low, n, high in zip(self.least, numbers, self.most, strict=True)
            )
        )

    def narrowed(self) -> PiecePool:
        """Return the pool with the bounds that its sets really have; it must have sets."""
        bounds = [
            [n for n in range(low, high + 1) if self._with(place, n)]
            for place, (low, high) in enumerate(zip(self.least, self.most, strict=True))
        ]
        return replace(self, least=tuple(map(min, bounds)), most=tuple(map(max, bounds)))

    def halves(self) -> tuple[PiecePool, PiecePool] | None:
        """Return the pool in two parts, by how often they have the piece that the fewest have.

        None if it has only one set. Both parts have sets and are narrowed.
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
        return parts[0].narrowed(), parts[1].narrowed()

    def bits(self) -> int:
        """Return how many bits say how often each piece is used."""
        return sum((high - 1).bit_length() + 1 for high in self.most if high)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the sets: how often each piece is in it."""

        def extended(begun: tuple[int, ...], area: int, number: int) -> Iterator[tuple[int, ...]]:
            place = len(begun)
            if place == len(self.pieces):
                yield begun
                return
            size, counted = len(self.pieces[place].cells), self.number is not None
            for n in range(self.most[place], self.least[place] - 1, -1):
                left = area - n * size, number - n * counted
                if left in self._after[place + 1]:
                    yield from extended((*begun, n), *left)

        return extended((), *self._goal)

    def supply(self, frame: Puzzle) -> Supply:
        """Return a board with all pieces, so often as they may be used; see `named`."""
        return Supply(frame.name, frame.board, self.named(self.most), frame.groups, frame.flip)

    def puzzle(self, frame: Puzzle, numbers: tuple[int, ...]) -> Puzzle:
        """Return the puzzle of a board and a set of the pieces."""
        pieces = self.named(numbers)
        name = f"{frame.name}: {' '.join(piece.name for piece in pieces)}"
        return Puzzle(name[:200], frame.board, pieces, frame.groups, frame.flip)

    def named(self, numbers: tuple[int, ...]) -> tuple[Piece, ...]:
        """Return so many of each piece; the second of a kind has a letter behind its name."""
        taken = {piece.name for piece in self.pieces}
        found: list[Piece] = []
        for piece, number in zip(self.pieces, numbers, strict=True):
            name, count = piece.name, 1
            for _ in range(number):
                found.append(replace(piece, name=name))
                while name in taken:
                    count += 1
                    name = piece.name + (chr(96 + count) if count < 27 else f"x{count}")
                taken.add(name)
        return tuple(found)

    @property
    def _goal(self) -> tuple[int, int]:
        return self.area, self.number or 0

    @cached_property
    def _before(self) -> list[Sums]:
        """What the first pieces can add up to: none, the first, the first two, ..."""
        return self._sums(list(range(len(self.pieces))))

    @cached_property
    def _after(self) -> list[Sums]:
        """What the last pieces can add up to: all, all but the first, ..."""
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
        """Return how many sets have a piece so many times."""
        area, number = self._goal
        area -= n * len(self.pieces[place].cells)
        number -= n if self.number is not None else 0
        return sum(
            ways * self._after[place + 1][area - some, number - count]
            for (some, count), ways in self._before[place].items()
        )
