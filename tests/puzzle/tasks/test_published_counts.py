"""The numbers of tilings that the bundled puzzles state, each counted anew.

The counts of single dates are always checked, those of whole years where they
take a second or two; the others are marked slow.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from calmip import ExactCover
from calmip.puzzle.dates import real_dates
from calmip.puzzle.documents.reader import bundled_puzzles, read_instance, read_puzzle
from calmip.puzzle.search.exact_cover.counting import count, count_by_reveal
from calmip.puzzle.search.exact_cover.witnesses import exists

SLOW = {
    "hex61-symmetric",
    "shiura-daily-10p",
    "shiura-daily-11p",
    "weekday-8x7",
}
"""Puzzles whose whole year takes longer than the fast suite should."""

YEARLY = ("all", "valid", "average", "min", "max")

Claim = tuple[str, bool, bool, str, Any]
"""Puzzle, turning over allowed, equal pieces told apart, what is claimed, the number."""


def claims(name: str) -> Iterator[Claim]:
    """Yield every number that a puzzle file states under ``counts``."""

    def walk(counts: Mapping[str, Any], flip: bool, apart: bool) -> Iterator[Claim]:
        for key, value in counts.items():
            if key in ("flip", "no_flip"):
                yield from walk(value, key == "flip", apart)
            elif key == "equal_pieces_told_apart":
                yield from walk(value, flip, True)
            else:
                yield name, flip, apart, key, value

    puzzle = read_puzzle(name)
    yield from walk(puzzle.counts, puzzle.flip, False)


CLAIMS = [claim for name in bundled_puzzles() for claim in claims(name)]

DATES = [
    pytest.param(
        name,
        flip,
        apart,
        date,
        int(number),
        # A second or more each; two other dates of this board are quick.
        marks=[pytest.mark.slow] if name == "hex61-symmetric" and int(number) > 1000 else [],
    )
    for name, flip, apart, key, value in CLAIMS
    if key not in ("all", "valid", "average", "solvable")
    for date, number in (
        [(date, value["count"]) for date in value.get("dates", [])]
        if key in ("min", "max")
        else [(key, value)]
    )
]

YEARS = [
    pytest.param(
        *claim,
        marks=[pytest.mark.slow] if claim[0] in SLOW else [],
        id="-".join([claim[0], *("rigid",)[claim[1] :], *("apart",)[: claim[2]], claim[3]]),
    )
    for claim in CLAIMS
    if claim[3] in YEARLY
]


def arrangements(name: str, flip: bool, apart: bool) -> int:
    """Return how many tilings of pieces that are told apart make one picture."""
    classes = read_puzzle(name).with_flip(flip).piece_classes
    return math.prod(math.factorial(len(pieces)) for pieces in classes) if apart else 1


@functools.cache
def year(name: str, flip: bool) -> dict[frozenset[str], int]:
    cover = ExactCover(read_instance(name, free=True, flip=flip))
    return {frozenset(labels): number for labels, number in count_by_reveal(cover).items()}


def test_every_count_of_the_collection_is_checked() -> None:
    checked = {claim[:4] for claim in CLAIMS if claim[3] in (*YEARLY, "solvable")}
    dates = {param.values[:4] for param in DATES}
    assert all(claim[:4] in checked | dates for claim in CLAIMS)
    assert len(CLAIMS) >= 60
    assert {name for name, *_ in CLAIMS} == set(bundled_puzzles()) - {
        # Nobody has published a number for these.
        "crea-makerspace",
        "lego-ideas-10x5",
        "lieban-festival",
        "sahuyu-pentomino-8x8",
    }


@pytest.mark.parametrize(("name", "flip", "apart", "date", "number"), DATES)
def test_dates(name: str, flip: bool, apart: bool, date: str, number: int) -> None:
    instance = read_instance(name, reveal=",".join(date.split()), flip=flip)
    assert count(ExactCover(instance)) * arrangements(name, flip, apart) == number


@pytest.mark.parametrize(("name", "flip", "apart", "key", "value"), YEARS)
def test_years(name: str, flip: bool, apart: bool, key: str, value: Any) -> None:
    found = year(name, flip)
    times = arrangements(name, flip, apart)
    puzzle = read_puzzle(name)
    real = [frozenset(labels.values()) for labels in real_dates(puzzle.groups).values()]
    if key == "all":
        assert sum(found.values()) * times == int(value)
    elif key == "valid":
        assert sum(found[labels] for labels in real) * times == int(value)
    elif key == "average":
        assert round(statistics.fmean(found.values()) * times, 1) == float(value)
    else:
        numbers = [found[labels] for labels in real]
        extreme = min(numbers) if key == "min" else max(numbers)
        assert extreme * times == int(value["count"])
        if "dates" in value:
            said = {frozenset(date.split()) for date in value["dates"]}
            # Some lists give one such date where there are several.
            assert said <= {labels for labels in real if found[labels] == extreme}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kao-pentomino-8x8", "kao-pentomino-year-8x8"])
def test_every_choice_has_a_tiling(name: str) -> None:
    numbers = year(name, flip=True)
    solvable = sum(number > 0 for number in numbers.values())
    assert solvable == len(numbers) == int(read_puzzle(name).counts["solvable"])


@pytest.mark.parametrize("name", bundled_puzzles())
def test_every_puzzle_has_a_tiling_on_some_days(name: str) -> None:
    """Labels over two cells, blanks, concave boards, hexagons: all tile, and say how often."""
    groups = read_puzzle(name).groups
    for place in (0, 5):
        reveal = {group: labels[place] for group, labels in groups.items()}
        cover = ExactCover(read_instance(name, reveal=reveal))
        bare = sum(len(cover.instance.puzzle.board.labels[label]) for label in reveal.values())
        assert len(cover.instance.to_cover) == len(cover.instance.puzzle.board.cells) - bare
        assert exists(cover)[0]
