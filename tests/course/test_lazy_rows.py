"""Exercise 18: right loops in many forms, wrong ones by the round in which they went wrong."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.lazy_rows import (
    PAGE,
    SIZE,
    all_cycles,
    best_tour,
    edges_of,
    is_asked,
    length_of,
    shortest,
    violates,
)

ONE = {"cycles": ["afg", "bcde"], "length": 24, "row": "afg"}
TWO = {"cycles": ["abfg", "cde"], "length": 26, "row": "cde"}


def answer(*rounds: Any, tour: str = "abcdefg", length: Any = 30) -> str:
    found = [
        {**one, "cycles": list(map(list, one["cycles"])), "row": list(one["row"])} for one in rounds
    ]
    return json.dumps({"rounds": found, "tour": list(tour), "length": length})


RIGHT = {
    "the reference": reference("18"),
    "the other cycle's row": answer({**ONE, "row": "bcde"}, TWO),
    "both other cycles' rows": answer({**ONE, "row": "bcde"}, {**TWO, "row": "abfg"}),
    "another start of a cycle": answer({**ONE, "cycles": ["gaf", "debc"]}, TWO),
    "the other way round": answer({**ONE, "cycles": ["agf", "bedc"]}, TWO),
    "another order of cycles": answer({**ONE, "cycles": ["bcde", "afg"]}, TWO),
    "the tour from another city": answer(ONE, TWO, tour="defgabc"),
    "the tour backwards": answer(ONE, TWO, tour="gfedcba"),
    "another tour as short": answer(ONE, TWO, tour="abedcfg"),
    "a length as text": answer(ONE, {**TWO, "length": "26"}),
    "a length as a decimal": answer(ONE, TWO, length=30.0),
    "cities of the row in another order": answer({**ONE, "row": "gfa"}, {**TWO, "row": "edc"}),
}

WRONG: dict[str, tuple[str, int, str]] = {
    "no rounds": (answer(), 3, "there are no rounds"),
    "stopped after a round": (answer(ONE), 7, "the loop has stopped too early"),
    "the rounds are exchanged": (answer(TWO, ONE), 5, "other cycles are shorter than 26"),
    "a round without the first": (answer(TWO), 5, "round 1: other cycles are shorter"),
    "the row of another round": (answer({**ONE, "row": "cde"}, TWO), 5,
                                 "is satisfied by the cycles of its round"),
    "two cities as a row": (answer({**ONE, "row": "af"}, TWO), 5, "is satisfied by"),
    "a row of all cities": (answer({**ONE, "row": "abcdefg"}, TWO), 5, "excludes tours"),
    "a row without cities": (answer({**ONE, "row": ""}, TWO), 5, "no cities excludes tours"),
    "a row of one city": (answer({**ONE, "row": "a"}, TWO), 5, "excludes tours"),
    "the same round again": (answer(ONE, ONE, TWO), 7, "the cycles violate the row of a, f, g"),
    "a wrong length of a round": (answer({**ONE, "length": 23}, TWO), 8,
                                  "the cycles are 24 long, not 23"),
    "the length of one cycle": (answer(ONE, {**TWO, "length": 20}), 7, "the cycles are 26 long"),
    "a round that is longer": (answer(ONE, {**TWO, "cycles": ["abfg", "ced"], "length": 26},
                                      {"cycles": ["abg", "cdef"], "length": 40, "row": "abg"}), 7,
                               "round 3: the cycles are 36 long"),
    "a city is missing": (answer({**ONE, "cycles": ["afg", "bcd"]}, TWO), 3, "e is visited 0"),
    "a city twice": (answer({**ONE, "cycles": ["afg", "bcdea"]}, TWO), 3, "a is visited 2 times"),
    "a cycle that returns": (answer({**ONE, "cycles": ["afga", "bcde"]}, TWO), 9,
                             "the way back to a is not listed"),
    "a cycle of two": (answer({**ONE, "cycles": ["af", "bcdeg"]}, TWO), 3, "no cycle of three"),
    "all cycles return": (answer({**ONE, "cycles": ["afga", "bcdeb"]},
                                 {**TWO, "cycles": ["abfga", "cdec"]}, tour="abcdefga"), 9,
                          "round 1: a is visited 2 times, not once; the way back to a is not"),
    "a city that returns": (answer({**ONE, "cycles": ["aa", "bcdefg"]}, TWO), 2, "the way back"),
    "a single city": (answer({**ONE, "cycles": ["a", "bcdefg"]}, TWO), 3, "no cycle of three"),
    "a tour as a round": (answer(ONE, TWO, {"cycles": ["abcdefg"], "length": 30, "row": "abc"}), 8,
                          "round 3: the cycles are a tour, which ends the loop"),
    "a tour as a round, without a row": (
        answer(ONE, TWO, {"cycles": ["abcdefg"], "length": 30, "row": ""}), 8, "ends the loop"),
    "an empty cycle": (answer({**ONE, "cycles": ["afg", ""]}, TWO), 3, "b is visited 0 times"),
    "a last row without cities": (answer(ONE, {**TWO, "row": ""}), 5, "no cities excludes tours"),
    "a last row of all cities": (answer(ONE, {**TWO, "row": "abcdefg"}), 5, "has 2 to 6"),
    "a longer tour": (answer(ONE, TWO, tour="acbdefg", length=length_of(PAGE, [
        (0, 2, 1, 3, 4, 5, 6)])), 8, "another tour is shorter than"),
    "a wrong length of the tour": (answer(ONE, TWO, length=29), 8, "the tour is 30 long, not 29"),
    "the length of the first round": (answer(ONE, TWO, length=24), 8, "the tour is 30 long"),
    "a tour without a city": (answer(ONE, TWO, tour="abcdef"), 8, "visits g 0 times"),
    "a tour that returns": (answer(ONE, TWO, tour="abcdefga"), 9, "the way back to a is not"),
    "the last round as a tour": (answer(ONE, TWO, tour="abfg", length=26), 8, "0 times"),
    "no tour": (answer(ONE, TWO, tour=""), 8, "visits a 0 times"),
    "an unknown city": (answer(ONE, TWO, tour="abcdefh"), 7, "tour has 'h'; cities are"),
    "half a length": (answer(ONE, TWO, length=30.5), 7, "is an integer"),
    "a round without a row": (replaced("18", "rounds", 0, "row", by=...), 2, "a round is {"),
    "cycles as text": (replaced("18", "rounds", 0, "cycles", by="afg"), 2, "list of lists"),
    "no rounds at all": (replaced("18", "rounds", by=...), 2, "the file is {"),
    "rounds as text": (replaced("18", "rounds", by="two"), 2, "rounds is a list"),
    "no JSON": ("afg bcde", 0, "is not JSON"),
}  # fmt: skip


TestAnswers = answers_battery("18", RIGHT, WRONG)


def test_all_cycles_are_all_graphs_with_two_edges_at_each_city() -> None:
    """By their edges: each city has two, no two sets are the same, and the counts are known."""
    found = {frozenset(edge for one in cycles for edge in edges_of(one)) for cycles in all_cycles()}
    assert len(found) == len(all_cycles()) == 465
    assert sum(len(cycles) == 1 for cycles in all_cycles()) == 360
    pairs = list(itertools.combinations(range(SIZE), 2))
    for edges in found:
        assert edges <= set(pairs)
        assert len(edges) == SIZE
        assert all(sum(city in edge for edge in edges) == 2 for city in range(SIZE))


def test_a_tour_satisfies_every_row_and_other_cycles_violate_theirs() -> None:
    for cycles in all_cycles():
        for size in range(2, SIZE):
            for row in map(frozenset, itertools.combinations(range(SIZE), size)):
                own = any(set(cycle) == row for cycle in cycles)
                assert violates(cycles, row) is own


def test_rows_that_exclude_every_tour_leave_no_cycles(tmp_path: Path) -> None:
    """A row of all cities as the last one ended the marker with an error."""
    _, faults = mark("18", answer(ONE, {**TWO, "row": "abcdefg"}), tmp_path)
    assert "no cycles satisfy all rows" in faults[1]


def test_any_loop_on_a_drawn_sheet_has_full_marks(tmp_path: Path) -> None:
    drawn: list[Any] = [one.task for one in assign("18", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        assert is_asked(data)
        rows: list[frozenset[int]] = []
        rounds = []
        while True:
            least = shortest(data, rows)
            cycles = next(
                one for one in all_cycles()
                if length_of(data, one) == least and not any(violates(one, row) for row in rows)
            )  # fmt: skip
            if len(cycles) == 1:
                break
            rows.append(frozenset(max(cycles, key=len)))
            letters = ["".join("abcdefg"[at] for at in cycle) for cycle in cycles]
            rounds.append({"cycles": letters, "length": least, "row": max(letters, key=len)})
        tour = "".join("abcdefg"[at] for at in cycles[0])
        assert len(rounds) >= 2
        assert least == best_tour(data)
        text = answer(*rounds, tour=tour, length=least)
        assert mark("18", text, tmp_path, task=data) == (10, [])
        if data is not PAGE:
            assert mark("18", reference("18"), tmp_path, task=data)[0] <= 3
