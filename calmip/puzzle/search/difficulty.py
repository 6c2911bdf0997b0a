"""The difficulty of a position for people: the placements that a careful person tries.

The solver has the rules of a person at the board, and touches a piece only to try a placement:

* *most constrained first*: it takes the uncovered cell that the fewest placements cover, or the
  piece that has the fewest;
* *dead regions*: it sees without a trial that a placement leaves a region that no pieces left can
  fill, by the number of its cells or, on squares, of its dark cells on a chessboard;
* *forced*: if one placement is left, it is laid down;
* *guesses*: else the placements are tried in random order, each with all that follows from it,
  until one leads to a tiling. The last placement is taken back first.

The expected number of trials is exact, without a random number. Of s placements that lead to a
tiling and one that does not, each of the s + 1 is equally likely to come first. So a wrong one is
tried with probability 1 / (s + 1), and each right one is the first of its kind with 1 / s.
Compare the models of Pelánek (https://arxiv.org/abs/1403.7373) for Sudoku.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from statistics import correlation
from typing import Any

from calmip._base.bits import bits
from calmip._base.limits import Deadline
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.lattice import SQUARE

__all__ = ["MAX_POSITIONS", "Rating", "rank_correlation", "rate"]

MAX_POSITIONS = 500_000
"""The most positions that are looked at, some ten seconds."""

POSITIONS_PER_CLOCK_READ = 1000
"""The positions between two readings of the clock."""


@dataclass(frozen=True)
class Rating:
    """The difficulty of a position for people.

    Parameters
    ----------
    pieces
        The number of pieces that are to be placed.
    tries
        The expected number of placements tried until the first tiling, or until all are refuted;
        None if there are too many positions.
    forced
        The expected number of pieces that are forced on the way to the tiling; 0 without a tiling.
    depth
        The most guesses that are open at once.
    """

    pieces: int
    tries: Fraction | None = None
    forced: Fraction | None = None
    depth: int | None = None

    def describe(self) -> dict[str, Any]:
        """Return the rating as plain data, with decimal numbers."""
        return {
            "pieces": self.pieces,
            "tries": None if self.tries is None else round(float(self.tries), 6),
            "forced": None if self.forced is None else round(float(self.forced), 6),
            "depth": self.depth,
        }


def rate(cover: ExactCover, clock: Deadline, *, most: int = MAX_POSITIONS) -> Rating:
    """Return the difficulty of a cover for people.

    Parameters
    ----------
    cover
        The cover of an instance without free groups; placed pieces stay where they are.
    clock
        The time limit.
    most
        The most positions that are looked at.

    Raises
    ------
    TimeoutError
        If the time limit is reached.
    """
    person = _Person(cover, clock, most)
    puzzle = cover.instance.puzzle
    pieces = (puzzle.use or len(puzzle.pieces)) - len(cover.instance.placed)
    try:
        return Rating(pieces, *person.rate())
    except _TooManyError:
        return Rating(pieces)


def rank_correlation(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Return Spearman's rank correlation; None if either number is the same in all pairs.

    Equal numbers share the mean of their ranks.
    """
    pairs = list(pairs)
    numbers = [[one for one, _ in pairs], [other for _, other in pairs]]
    if any(len(set(some)) < 2 for some in numbers):
        return None
    return correlation(*map(_ranks, numbers))


def _ranks(numbers: list[float]) -> list[float]:
    ordered = sorted(numbers)
    return [(bisect_left(ordered, one) + bisect_right(ordered, one)) / 2 for one in numbers]


class _TooManyError(Exception):
    """There are more positions than may be looked at."""


Position = tuple[int, tuple[int, ...], int]
"""The uncovered cells, how many of each kind of piece are left, and the possible placements.

How many are left also says, last of all, how many pieces are still to be left out: of each kind
at most, and in all (-1 if that is not stated).
"""


class _Person:
    """The solver. Sets of cells and of placements are whole numbers with a bit for each.

    The bits of the cells leave columns free beside the board, so that a step to a neighbour
    shifts a whole set, and what leaves the board is on no cell.
    """

    def __init__(self, cover: ExactCover, clock: Deadline, most: int) -> None:
        lattice, cells = cover.instance.puzzle.board.lattice, cover.instance.to_cover
        self._cover, self._clock, self._left, self._seen = cover, clock, most, 0
        self._cells = len(cells)
        stride = max((column for _, column in cells), default=0) + 1 + lattice.reach[1]
        bit = [row * stride + column for row, column in cells]
        # Steps onwards, and the cells from which they go; the others are their opposites.
        self._steps = [
            (
                step,
                sum(
                    1 << n for n, cell in zip(bit, cells, strict=True) if lattice.kind(cell) == one
                ),
            )
            for one, kind in enumerate(lattice.kinds)
            for step in {down * stride + right for down, right in kind.steps}
            if step > 0
        ]
        dark = [n for n, cell in zip(bit, cells, strict=True) if sum(cell) % 2]
        self._dark = sum(1 << n for n in dark) if lattice is SQUARE else 0
        # Of the options that leave equal pieces out, a person needs one.
        end = len(cells) + len(cover.spare)
        kept: dict[tuple[int, ...], int] = {}
        for option, items in enumerate(cover.covered):
            if items[0] < end:
                kept.setdefault(tuple(item for item in items if item < end), option)
        self._options = kept.values()
        self._shape = [
            sum(1 << bit[item] for item in items if item < len(cells)) for items in cover.covered
        ]
        self._kind = [
            next((n - len(cells) for n in items if len(cells) <= n < end), -1)
            for items in cover.covered
        ]
        covering = [0] * end
        for some, option in kept.items():
            for item in some:
                covering[item] |= 1 << option
        self._conflicts = [
            reduce(or_, (covering[item] for item in items if item < len(cells)), 0)
            for items in cover.covered
        ]
        self._of_cell = {1 << n: options for n, options in zip(bit, covering, strict=False)}
        self._of_kind = covering[len(cells) :]
        self._leaving = sum(1 << option for option in kept.values() if not self._shape[option])
        # The weights of the placements of each kind of piece.
        self._weights: list[set[int]] = [set() for _ in self._of_kind]
        for option in self._options:
            self._weights[self._kind[option]].add(self._weight(self._shape[option]))
        self._reach = cache(self._sums)

    def rate(self) -> tuple[Fraction, Fraction, int]:
        """Return the trials, the forced pieces and the depth, from the placed pieces on."""
        cover = self._cover
        stated = cover.instance.use
        left = len(cover.instance.puzzle.pieces) - stated if stated else -1
        kinds = (*cover.demand[self._cells :][: len(cover.spare)], *cover.spare, left)
        position = reduce(or_, self._of_cell, 0), kinds, sum(1 << one for one in self._options)
        for one in cover.instance.placed:
            position = self._after(position, self._number(one.piece, one.cells))
        if not self._fits(position[0], position[1]):
            return Fraction(0), Fraction(0), 0
        return self._explore(position)[1:]

    def _number(self, piece: str, cells: tuple[tuple[int, int], ...]) -> int:
        """Return the placement of a placed piece; an equal piece may have given the name."""
        classes = self._cover.instance.puzzle.piece_classes
        first = next(same[0].name for same in classes if piece in {one.name for one in same})
        return self._cover.number_of[first, cells]

    def _explore(self, position: Position) -> tuple[bool, Fraction, Fraction, int]:
        """Return whether it is solvable, the expected trials and forced ones, and the depth."""
        bare, kinds, _ = position
        if not bare:
            # All other pieces are left out, if that is allowed.
            return self._may_end(kinds), Fraction(0), Fraction(0), 0
        self._tick()
        ways: list[tuple[int, Position]] = []
        for option in bits(self._most_constrained(position)):
            then = self._after(position, option)
            if self._fits(then[0], then[1]):
                ways.append((int(self._shape[option] > 0), then))
        guess = len(ways) > 1
        wrong: list[Fraction] = []
        right: list[Fraction] = []
        forced, depth = Fraction(0), 0
        for trial, then in ways:
            solvable, tries, below, deep = self._explore(then)
            (right if solvable else wrong).append(trial + tries)
            forced += below
            depth = max(depth, deep + guess)
        if not right:
            return False, sum(wrong, Fraction(0)), Fraction(0), depth
        tries = sum(wrong, Fraction(0)) / (len(right) + 1) + sum(right, Fraction(0)) / len(right)
        laid = 0 if guess else ways[0][0]
        return True, tries, laid + forced / len(right), depth

    def _most_constrained(self, position: Position) -> int:
        """Return the placements of the cell or the piece that has the fewest."""
        bare, kinds, possible = position
        found, fewest = 0, possible.bit_count() + 1
        while bare:
            cell = bare & -bare
            bare ^= cell
            options = possible & self._of_cell[cell]
            number = options.bit_count()
            if number < fewest:
                found, fewest = options, number
                if not number:
                    return 0
        for covering, left in zip(self._of_kind, kinds, strict=False):
            # Of equal pieces none is the next.
            if left == 1:
                options = possible & covering
                number = options.bit_count()
                if number < fewest:
                    found, fewest = options, number
        return found

    def _after(self, position: Position, option: int) -> Position:
        """Return the position after a placement."""
        bare, kinds, possible = position
        kind = self._kind[option]
        numbers = list(kinds)
        numbers[kind] -= 1
        possible &= ~self._conflicts[option]
        if not self._shape[option]:
            spare = len(self._of_kind) + kind
            numbers[spare] -= 1
            if not numbers[spare]:
                possible &= ~(self._of_kind[kind] & self._leaving)
            if numbers[-1] > 0:
                numbers[-1] -= 1
        if not numbers[kind]:
            possible &= ~self._of_kind[kind]
        if not numbers[-1]:
            possible &= ~self._leaving
        return bare & ~self._shape[option], tuple(numbers), possible

    def _may_end(self, kinds: tuple[int, ...]) -> bool:
        """Return whether all pieces that are not used may be left out together."""
        kept, spares = kinds[: len(self._of_kind)], kinds[len(self._of_kind) : -1]
        enough = all(number <= spare for number, spare in zip(kept, spares, strict=True))
        return enough and kinds[-1] in (-1, sum(kept))

    def _fits(self, bare: int, kinds: tuple[int, ...]) -> bool:
        """Return whether some pieces left have the weight of each region."""
        if bare and kinds[-1] > 0 and kinds[-1] == sum(kinds[: len(self._of_kind)]):
            return False  # as many pieces as are to be used are placed
        reach, steps = self._reach(kinds), self._steps
        while bare:
            region, before = bare & -bare, 0
            while region != before:
                before = region
                for step, cells in steps:
                    region |= ((region & cells) << step | region >> step & cells) & bare
            if not reach >> self._weight(region) & 1:
                return False
            bare ^= region
        return True

    def _weight(self, cells: int) -> int:
        """Return the numbers of cells and of dark cells as one number, which adds up."""
        return cells.bit_count() * (self._cells + 1) + (cells & self._dark).bit_count()

    def _sums(self, kinds: tuple[int, ...]) -> int:
        """Return the weights of all sets of pieces, as a set."""
        sums = 1
        for weights, left in zip(self._weights, kinds, strict=False):
            for _ in range(left):
                sums = reduce(or_, (sums << weight for weight in weights), sums)
        return sums

    def _tick(self) -> None:
        self._seen += 1
        if self._seen > self._left:
            raise _TooManyError
        if self._seen % POSITIONS_PER_CLOCK_READ == 0:
            self._clock.check("the difficulty was not rated")
