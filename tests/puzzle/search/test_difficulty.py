"""The rating for people: its rules against brute force, its number against all orders of trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption
from strategies import instances, solvable_instances

from calmip import Board, ExactCover, Instance, Piece, Placement, Puzzle, read_instance
from calmip._base.limits import Deadline
from calmip.puzzle.lattice import SQUARE
from calmip.puzzle.search.difficulty import Rating, rank_correlation, rate
from calmip.puzzle.search.exact_cover.search import solutions

MAX_WAYS = 7
"""With more ways at a guess there are too many orders of them."""


class Found(NamedTuple):
    """What a person finds below a position."""

    solvable: bool
    tries: Fraction
    forced: Fraction
    depth: int


class Person:
    """The documented rules on sets of cells; every order of a guess's trials is played."""

    def __init__(self, cover: ExactCover) -> None:
        self.cells = len(cover.instance.to_cover)
        self.lattice, self.at = cover.instance.puzzle.board.lattice, cover.instance.to_cover
        self.options = [(frozenset(items[:-1]), items[-1]) for items in cover.covered]
        self.demand = cover.demand

    def weight(self, cells: frozenset[int]) -> tuple[int, int]:
        dark = sum(sum(self.at[cell]) % 2 for cell in cells) if self.lattice is SQUARE else 0
        return len(cells), dark

    def alive(self, bare: frozenset[int], left: Counter[int]) -> bool:
        """Return whether each region has the weight of some pieces left."""
        sums = {(0, 0)}
        for kind in left.elements():
            more = {self.weight(cells) for cells, one in self.options if one == kind}
            sums |= {(a + c, b + d) for a, b in sums for c, d in more}
        regions = self.lattice.regions(self.at[cell] for cell in bare)
        return all(
            self.weight(frozenset(self.at.index(cell) for cell in region)) in sums
            for region in regions
        )

    def ways(self, bare: frozenset[int], left: Counter[int]) -> list[tuple[frozenset[int], int]]:
        possible = [(cells, kind) for cells, kind in self.options if left[kind] and cells <= bare]
        items = [*sorted(bare), *sorted(kind for kind in left if left[kind] == 1)]
        items = items or sorted(kind for kind in left if left[kind])
        covering = [[one for one in possible if item in one[0] or item == one[1]] for item in items]
        return [
            (cells, kind)
            for cells, kind in min(covering, key=len)
            if self.alive(bare - cells, left - Counter([kind]))
        ]

    def play(self, bare: frozenset[int], left: Counter[int]) -> Found:
        if not bare and not left.total():
            return Found(True, Fraction(0), Fraction(0), 0)
        ways = self.ways(bare, left)
        if len(ways) > MAX_WAYS:
            raise UnsatisfiedAssumption
        below = [
            (len(cells) > 0, self.play(bare - cells, left - Counter([kind])))
            for cells, kind in ways
        ]
        depth = max((one.depth for _, one in below), default=0) + (len(ways) > 1)
        runs = [self.run(order) for order in permutations(below)]
        forced = Fraction(sum(one.forced for one in runs), len(runs))
        if len(ways) == 1 and runs[0].solvable:
            forced += below[0][0]
        tries = Fraction(sum(one.tries for one in runs), len(runs))
        return Found(runs[0].solvable, tries, forced, depth)

    @staticmethod
    def run(order: tuple[tuple[bool, Found], ...]) -> Found:
        """Return what one order of trials finds."""
        tries = Fraction(0)
        for trial, below in order:
            tries += trial + below.tries
            if below.solvable:
                return Found(True, tries, below.forced, 0)
        return Found(False, tries, Fraction(0), 0)

    def begin(self, *placed: frozenset[int]) -> Found:
        bare, left = frozenset(range(self.cells)), Counter[int]()
        for kind in range(self.cells, len(self.demand)):
            left[kind] = self.demand[kind]
        for cells in placed:
            bare -= cells
            left -= Counter([next(kind for one, kind in self.options if one == cells)])
        return (
            self.play(bare, left) if self.alive(bare, left) else Found(False, *[Fraction(0)] * 2, 0)
        )


def rated(instance: Instance) -> Rating:
    return rate(ExactCover(instance), Deadline())


def numbers(rating: Rating) -> tuple[object, ...]:
    return rating.tries, rating.forced, rating.depth


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.one_of(solvable_instances(), instances()))
def test_the_expectation_is_the_mean_of_all_orders(instance: Instance) -> None:
    found = Person(ExactCover(instance)).begin()
    assert numbers(rated(instance)) == found[1:]


def test_the_expectation_of_a_position_is_the_mean_of_all_orders() -> None:
    instance = read_instance("a-puzzle-a-day", reveal="Oct,6", placed="U:Sep+Nov+3+4+5")
    cells = frozenset(map(instance.to_cover.index, instance.placed[0].cells))
    assert numbers(rated(instance)) == Person(ExactCover(instance)).begin(cells)[1:]


def positions(instance: Instance, data: st.DataObject) -> Iterator[Instance]:
    """Yield the positions of a random game, from the empty board on."""
    while True:
        yield instance
        cover = ExactCover(instance)
        lying = {one.cells for one in instance.placed}
        names = {one.piece for one in instance.placed}
        free = [
            one
            for one in map(cover.option, range(cover.placements))
            if isinstance(one, Placement) and one.cells not in lying and one.piece not in names
        ]
        if not free:
            return
        instance = replace(instance, placed=(*instance.placed, data.draw(st.sampled_from(free))))


@settings(max_examples=15, deadline=None)
@given(solvable_instances(), st.data())
def test_dead_regions_and_forced_pieces_are_what_they_are(
    instance: Instance, data: st.DataObject
) -> None:
    assume(len(instance.puzzle.piece_classes) == len(instance.puzzle.pieces))
    for position in positions(instance, data):
        cover = ExactCover(position)
        person = Person(cover)
        lying = {frozenset(map(person.at.index, one.cells)) for one in position.placed}
        bare = frozenset(range(person.cells)).difference(*lying)
        kinds = {kind for cells, kind in person.options if cells in lying}
        left = Counter(set(range(person.cells, len(cover.demand))) - kinds)
        tilings = [{person.options[option] for option in chosen} for chosen in solutions(cover)]
        if not person.alive(bare, left):
            assert not tilings  # a dead region has no tiling
            assert numbers(rated(position)) == (0, 0, 0)
            return
        if not left.total():
            return
        ways = person.ways(bare, left)
        if len(ways) == 1:
            assert all(ways[0] in tiling for tiling in tilings)  # what is forced is in each
        # Some way leads to each tiling, so that none is missed.
        assert all(any(way in tiling for way in ways) for tiling in tilings)
        rating = rated(position)
        assert rating.tries is not None
        assert rating.tries >= (rating.pieces if tilings else 0)
        assert rating.pieces == left.total()


def row(*pieces: Piece) -> Instance:
    return Instance(Puzzle("row", Board.from_text(["* * * * *"]), pieces))


def test_small_boards_by_hand() -> None:
    domino, tromino = Piece.from_rows("I2", ["##"]), Piece.from_rows("I3", ["###"])
    # The first cell takes either piece, the rest is forced. No trial fails.
    assert numbers(rated(row(domino, tromino))) == (2, 1, 1)
    # With a piece placed there is no guess.
    one = replace(row(domino, tromino), placed=(Placement("I2", ((0, 0), (0, 1))),))
    assert rated(one) == Rating(1, Fraction(1), Fraction(1), 0)
    # In the middle it cuts off a cell: a dead region, seen without a trial.
    dead = replace(row(domino, tromino), placed=(Placement("I2", ((0, 1), (0, 2))),))
    assert rated(dead) == Rating(1, Fraction(0), Fraction(0), 0)


def test_leaving_a_piece_out_is_no_trial() -> None:
    domino, tromino = Piece.from_rows("I2", ["##"]), Piece.from_rows("I3", ["###"])
    spare = replace(Piece.from_rows("I4", ["####"]), optional=True)
    rating = rated(row(domino, tromino, spare))
    found = Person(ExactCover(row(domino, tromino, spare))).begin()
    assert numbers(rating) == found[1:]
    assert rating.tries == 2


def test_the_number_of_pieces_to_use_is_seen() -> None:
    single = Piece("a", ((0, 0),))
    rows = {"I2": ["##"], "I3": ["###"]}
    pieces = (*(Piece.from_rows(*one) for one in rows.items()), single, replace(single, name="b"))
    puzzle = Puzzle("row", Board.from_text(["* * * * *"]), pieces, use=2)
    placed = (Placement("a", ((0, 0),)),)
    # One piece more does not cover four cells, which is seen without a trial; two do.
    two = Instance(puzzle, placed=placed)
    assert rated(two) == Rating(1, Fraction(0), Fraction(0), 0)
    three = rated(Instance(replace(puzzle, use=3), placed=placed))
    assert three.pieces == 2
    assert three.tries is not None
    assert three.tries >= 2


def test_too_many_positions_and_too_little_time() -> None:
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="Oct,6"))
    assert rate(cover, Deadline(), most=100) == Rating(8)
    with pytest.raises(TimeoutError, match=r"the difficulty was not rated within 1e-06 s"):
        rate(ExactCover(read_instance("a-puzzle-a-day", reveal="Feb,29")), Deadline(1e-6))


@given(st.permutations(range(9)), st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_the_rank_correlation(order: list[int], other: list[int]) -> None:
    exact = 1 - 6 * sum((n - one) ** 2 for n, one in enumerate(order)) / (9 * 80)  # no ties
    assert rank_correlation(enumerate(order)) == pytest.approx(exact, abs=1e-12)
    found = rank_correlation(zip(order, other, strict=True))
    assert (found is None) == (len(set(other)) == 1)
    if found is not None:
        moved = rank_correlation(zip([n**3 for n in order], [-2 * n for n in other], strict=True))
        assert moved == pytest.approx(-found, abs=1e-12)
    assert rank_correlation([]) is None
