"""Exercise 18: a tour of seven cities by rows that are added when they are violated; JSON.

The file has the rounds of the student's loop, ``{"rounds": [{"cycles": [["a", "b", "c"], ...],
"length": 30, "row": ["a", "b", "c"]}, ...], "tour": [...], "length": 41}``. Seven cities have 465
sets of cycles with each city once, so what each round has to find is known by trying all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip.course.answers import AnswerParts
from calmip.course.checks import Check, Failed, quote, rational_of, rational_text, run_checks
from calmip.course.dice import Dice

PAGE: dict[str, Any] = {
    "cities": ["a", "b", "c", "d", "e", "f", "g"],
    "places": [[7, 1], [2, 2], [2, 4], [1, 9], [0, 4], [5, 2], [7, 2]],
    "distance": [
        [0, 6, 8, 14, 10, 3, 1],
        [6, 0, 2, 8, 4, 3, 5],
        [8, 2, 0, 6, 2, 5, 7],
        [14, 8, 6, 0, 6, 11, 13],
        [10, 4, 2, 6, 0, 7, 9],
        [3, 3, 5, 11, 7, 0, 2],
        [1, 5, 7, 13, 9, 2, 0],
    ],
}
"""The data of the page."""

SIZE = 7
"""The number of cities."""

MIN_ROUNDS, MAX_ROUNDS = 2, 40
"""The fewest rounds with a row that a drawn sheet needs, and the most of an answer."""

Cycles = tuple[tuple[int, ...], ...]
"""Cycles that together visit every city once, each of three cities or more."""


@cache
def all_cycles() -> tuple[Cycles, ...]:
    """Return all sets of cycles of seven cities: one of seven, or one of three and one of four."""
    return tuple(_covers(tuple(range(SIZE))))


def _covers(left: tuple[int, ...]) -> Iterator[Cycles]:
    if not left:
        yield ()
        return
    first, rest = left[0], left[1:]
    for size in range(2, len(rest) + 1):
        if 0 < len(rest) - size < 3:
            continue
        for others in itertools.permutations(rest, size):
            if others[0] < others[-1]:  # not the same cycle the other way round
                remaining = tuple(one for one in rest if one not in others)
                for cycles in _covers(remaining):
                    yield ((first, *others), *cycles)


def edges_of(cycle: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of neighbours of a cycle, each in order."""
    return [
        (min(one, other), max(one, other))
        for one, other in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
    ]


def length_of(data: Mapping[str, Any], cycles: Sequence[Sequence[int]]) -> int:
    """Return the length of some cycles."""
    return sum(data["distance"][one][other] for cycle in cycles for one, other in edges_of(cycle))


def violates(cycles: Sequence[Sequence[int]], row: frozenset[int]) -> bool:
    """Return whether cycles use as many edges within some cities as there are cities, or more."""
    inside = sum(one in row and other in row for cycle in cycles for one, other in edges_of(cycle))
    return inside > len(row) - 1


def shortest(data: Mapping[str, Any], rows: Sequence[frozenset[int]]) -> int:
    """Return the least length of cycles that satisfy some rows; a tour satisfies all valid ones.

    Raises
    ------
    Failed
        If no cycles satisfy all rows.
    """
    lengths = [
        length_of(data, cycles)
        for cycles in all_cycles()
        if not any(violates(cycles, row) for row in rows)
    ]
    if not lengths:
        raise Failed("no cycles satisfy all rows, and no tour does")
    return min(lengths)


def best_tour(data: Mapping[str, Any]) -> int:
    """Return the length of the shortest tour."""
    return min(length_of(data, cycles) for cycles in all_cycles() if len(cycles) == 1)


def draw_data(seed: int) -> dict[str, Any]:
    """Draw seven cities on a grid, with the distances of its streets."""
    dice = Dice(seed)
    places = [[dice.below(10), dice.below(10)] for _ in range(SIZE)]
    distance = [[abs(x - u) + abs(y - v) for u, v in places] for x, y in places]
    return {"cities": list("abcdefg"), "places": places, "distance": distance}


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether two rounds or more find cycles that are no tour, whatever rows are added."""
    tour = best_tour(data)
    parts = [
        {frozenset(cycle) for cycle in cycles}
        for cycles in all_cycles()
        if len(cycles) > 1 and length_of(data, cycles) < tour
    ]
    # A row of some cities excludes the cycles whose parts are these, or the others.
    return len({frozenset(part) for part in parts}) >= MIN_ROUNDS


class _LazyRows:
    """The checks of the rounds of a loop, and of its tour."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        self.parts = AnswerParts(
            path,
            {"rounds": "[...]", "tour": "[...]", "length": "..."},
            {
                "rounds": self._read_rounds,
                "tour": self._read_tour,
                "length": self._read_length,
            },
        )
        self.cities: list[str] = list(data["cities"])
        self.rounds: list[tuple[list[list[int]], int, frozenset[int]]] = []
        self.tour: list[int] = []
        self.length = 0
        self.closed = ""

    def read(self) -> None:
        """Read all parts, and refuse a cycle with its way back, for the marks of the form alone."""
        self.parts.read()
        if self.closed:
            raise Failed(self.closed)

    def _opened(self, cycle: list[int], what: str) -> list[int]:
        """Return a cycle without the way back to its first city."""
        if len(cycle) < 2 or cycle[0] != cycle[-1]:
            return cycle
        city = self.cities[cycle[0]]
        times = cycle.count(cycle[0])
        # Nothing else is wrong with such a cycle, so its other marks do not depend on it.
        self.closed = self.closed or what.format(city=city, n=times) + (
            f"; the way back to {city} is not listed"
        )
        return cycle[:-1]

    def _read_rounds(self, rounds: object) -> None:
        if not isinstance(rounds, list) or len(rounds) > MAX_ROUNDS:
            raise Failed(f"rounds is a list of at most {MAX_ROUNDS} rounds")
        for number, given in enumerate(rounds, start=1):
            where = f"round {number}: "
            if not isinstance(given, dict) or set(given) != {"cycles", "length", "row"}:
                raise Failed(f'{where}a round is {{"cycles": ..., "length": ..., "row": ...}}')
            if not isinstance(given["cycles"], list):
                raise Failed(f"{where}cycles is a list of lists of cities")
            cycles = [
                self._opened(
                    self._places(one, f"{where}a cycle"),
                    f"{where}{{city}} is visited {{n}} times, not once",
                )
                for one in given["cycles"]
            ]
            row = frozenset(self._places(given["row"], f"{where}row"))
            self.rounds.append((cycles, _whole(given["length"], f"{where}the length"), row))

    def _read_tour(self, given: object) -> None:
        self.tour = self._opened(
            self._places(given, "tour"), "the tour visits {city} {n} times, not once"
        )

    def _read_length(self, given: object) -> None:
        self.length = _whole(given, "the length")

    def _places(self, given: object, what: str) -> list[int]:
        if not isinstance(given, list):
            raise Failed(f"{what} is a list of cities, not {quote(given)}")
        if unknown := [one for one in given if one not in self.cities]:
            raise Failed(f"{what} has {quote(unknown[0])}; cities are {join_words(self.cities)}")
        return [self.cities.index(one) for one in given]

    def _check_cycles(self, number: int) -> None:
        """Refuse what is not a set of cycles with every city once."""
        cycles, _, _ = self.rounds[number]
        where = f"round {number + 1}: "
        for at, city in enumerate(self.cities):
            times = sum(cycle.count(at) for cycle in cycles)
            if times != 1:
                raise Failed(f"{where}{city} is visited {times} times, not once")
        if short := [cycle for cycle in cycles if len(cycle) < 3]:
            raise Failed(f"{where}{self._words(short[0])} is no cycle of three cities or more")

    def _check_length(self, number: int) -> None:
        """Refuse a length that is not that of the cycles."""
        cycles, length, _ = self.rounds[number]
        right = length_of(self.data, cycles)
        if length != right:
            raise Failed(f"round {number + 1}: the cycles are {right} long, not {length}")

    def check_first(self) -> None:
        """Refuse a first round that is not the shortest one without any rows."""
        if not self.rounds:
            raise Failed("there are no rounds")
        self._check_cycles(0)
        self._check_length(0)
        if self.rounds[0][1] > shortest(self.data, []):
            raise Failed(f"round 1: other cycles are shorter than {self.rounds[0][1]}")

    def check_rows(self) -> None:
        """Refuse a row that its round satisfies, or that excludes a tour."""
        if not self.rounds:
            raise Failed("there are no rounds")
        if all(length != length_of(self.data, cycles) for cycles, length, _ in self.rounds):
            self._check_length(0)  # these are not the student's cycles
        for number, (cycles, _, row) in enumerate(self.rounds):
            self._check_cycles(number)
            if len(cycles) == 1:
                raise Failed(f"round {number + 1}: the cycles are a tour, which ends the loop")
            where = f"round {number + 1}: the row of {self._words(sorted(row))}"
            if not 2 <= len(row) <= SIZE - 1:
                raise Failed(f"{where} excludes tours: it has 2 to {SIZE - 1} cities")
            if not violates(cycles, row):
                raise Failed(f"{where} is satisfied by the cycles of its round")

    def check_rounds(self) -> None:
        """Refuse a round that is not the shortest one with the rows of the rounds before."""
        if not self.rounds:
            raise Failed("there are no rounds")
        for number, (cycles, _, _) in enumerate(self.rounds):
            self._check_cycles(number)
            if number:  # the first length has marks of its own
                self._check_length(number)
            length = length_of(self.data, cycles)
            rows = [row for _, _, row in self.rounds[:number]]
            if broken := [row for row in rows if violates(cycles, row)]:
                raise Failed(
                    f"round {number + 1}: the cycles violate the row of "
                    f"{self._words(sorted(broken[0]))}, which an earlier round has added"
                )
            if length > shortest(self.data, rows):
                raise Failed(
                    f"round {number + 1}: other cycles satisfy all rows and are shorter than "
                    f"{length}"
                )
        # A tour among the rounds adds no row.
        rows = [row for cycles, _, row in self.rounds if len(cycles) > 1]
        if shortest(self.data, rows) < best_tour(self.data):
            raise Failed(
                "the loop has stopped too early: cycles that are no tour satisfy all rows, and are "
                "shorter than every tour"
            )

    def check_tour(self) -> None:
        """Refuse what is no tour, or not the shortest one."""
        for at, city in enumerate(self.cities):
            if self.tour.count(at) != 1:
                times = self.tour.count(at)
                raise Failed(f"the tour visits {city} {times} times, not once")
        length = length_of(self.data, [self.tour])
        if self.length != length:
            raise Failed(f"the tour is {length} long, not {self.length}")
        if length > best_tour(self.data):
            raise Failed(f"another tour is shorter than {length}")

    def _words(self, row: Sequence[int]) -> str:
        return join_words([self.cities[at] for at in row]) if row else "no cities"


def grade_lazy_rows(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark the rounds of a loop that adds violated rows, and the tour that it ends with."""
    mine = _LazyRows(path, task)
    after = mine.parts.after
    return run_checks(
        [
            ("the file has rounds and a tour", 1, mine.read, False),
            (
                "the first round is the shortest one without rows",
                2,
                after(mine.check_first, "rounds"),
                False,
            ),
            (
                "every row is valid, and violated by its round",
                2,
                after(mine.check_rows, "rounds"),
                False,
            ),
            (
                "every round is the shortest with the rows so far",
                3,
                after(mine.check_rounds, "rounds"),
                False,
            ),
            ("the tour is the shortest one", 2, after(mine.check_tour, "tour", "length"), False),
        ]
    )


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _LazyRows(path, data)
    mine.parts.read()
    number = draw.randrange(len(mine.rounds))
    cycles, _, row = mine.rounds[number]
    rest = [at for at in range(SIZE) if at not in row]
    inside = [
        f"{mine.cities[one]}{mine.cities[other]}"
        for one, other in edges_of(mine.tour)
        if one in row and other in row
    ]
    at = draw.randrange(SIZE)
    turned = list(mine.tour)
    turned[at], turned[at - 1] = turned[at - 1], turned[at]
    two = sorted((mine.tour[at], mine.tour[at - 1]))
    used = sum(one in row and other in row for each in cycles for one, other in edges_of(each))
    return [
        (
            f"Round {number + 1} has added the row of {mine._words(sorted(row))}. Which other "
            "subtour row says the same?",
            f"That of {mine._words(rest)}.",
        ),
        (
            "What is the left side of this row for the cycles of its round, and for your tour?",
            f"{used} and {len(inside)} ({join_words(inside)}); the right side is {len(row) - 1}.",
        ),
        (
            f"Exchange {mine._words(two)} in your tour. How long is it?",
            f"{length_of(data, [turned])}, instead of {length_of(data, [mine.tour])}.",
        ),
    ]


def _whole(value: object, what: str) -> int:
    number = rational_of(value, what)
    if number.denominator > 1:
        raise Failed(f"{what} is an integer, not {rational_text(number)}")
    return int(number)
