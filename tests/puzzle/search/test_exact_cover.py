"""The exact-cover search against brute force, published counts, and its promises."""

from __future__ import annotations

import calendar
import itertools
import math
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calmip._base.errors import InputError
from calmip._base.limits import Deadline, Limits, Progress
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import HEXAGONAL, SQUARE
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover import search as search_module
from calmip.puzzle.search.exact_cover.counting import count, count_by_reveal, count_uncovered
from calmip.puzzle.search.exact_cover.search import (
    Search,
    count_few,
    solution_soon,
    solutions,
)
from calmip.puzzle.search.exact_cover.witnesses import exists
from calmip.puzzle.tiling import Tiling

ROOT = Path(__file__).parents[3]

SHAPES = {
    SQUARE: ["#", "##", "##/#.", "###", "##/##", "###/#..", "###/.#.", "##./.##"],
    HEXAGONAL: ["#", "##", "##/.#", "##/#.", "###", "##/##", "##./.##"],
}
PENTOMINOES = {
    "F": ".##/##./.#.",
    "I": "#####",
    "L": "####/#...",
    "N": "##../.###",
    "P": "##/##/#.",
    "T": "###/.#./.#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": "####/.#..",
    "Z": "##./.#./.##",
}
REAL_DATES = [
    (calendar.month_abbr[month], str(day))
    for month in range(1, 13)
    for day in range(1, calendar.monthrange(2024, month)[1] + 1)
]


def piece(name: str, drawn: str, lattice=SQUARE) -> Piece:
    return Piece.from_rows(name, drawn.split("/"), lattice)


def year(name: str) -> ExactCover:
    puzzle = read_puzzle(name)
    return ExactCover(Instance.reveal(puzzle, dict.fromkeys(puzzle.groups, "free")))


def on_date(puzzle: Puzzle, **labels: str) -> ExactCover:
    return ExactCover(Instance.reveal(puzzle, labels))


def strip(rows: int, columns: int, pieces: dict[str, str]) -> ExactCover:
    board = Board.from_text([" ".join("*" * columns)] * rows)
    shapes = tuple(piece(name, drawn) for name, drawn in pieces.items())
    return ExactCover(Instance(Puzzle("strip", board, shapes)))


def dominoes(columns: int) -> ExactCover:
    """Two rows of dominoes: a Fibonacci number of tilings, all pieces equal."""
    return strip(2, columns, {f"d{number}": "##" for number in range(columns)})


def fibonacci(number: int) -> int:
    a, b = 0, 1
    for _ in range(number):
        a, b = b, a + b
    return a


def brute_force(cover: ExactCover) -> set[tuple[int, ...]]:
    """All solutions by plain recursion on the items as the cover states them."""
    rows = [cover.items_of(number) for number in range(cover.columns)]
    of_item = cover.options_of()
    found: set[tuple[int, ...]] = set()

    def search(left: list[int], chosen: list[int]) -> None:
        open_items = [item for item, number in enumerate(left) if number]
        if not open_items:
            found.add(tuple(sorted(chosen)))
            return
        fitting = {
            item: [one for one in of_item[item] if all(left[other] for other in rows[one])]
            for item in open_items
        }
        for option in min(fitting.values(), key=len):
            for item in rows[option]:
                left[item] -= 1
            search(left, [*chosen, option])
            for item in rows[option]:
                left[item] += 1

    search(cover.demand, [])
    return found


@st.composite
def boards(draw: st.DrawFn, lattice) -> Board:
    """A small board with holes, blanks, labels, and labels over two cells."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(2, 5))
    rows = [[draw(st.sampled_from("**.abcdefgh")) for _ in range(width)] for _ in range(height)]
    taken: dict[str, tuple[int, int]] = {}
    for r, c in itertools.product(range(height), range(width)):
        text = rows[r][c]
        if text in "*.":
            continue
        # A label's second cell must touch the first, and a third is too many.
        if text in taken and (r, c) not in lattice.neighbours(taken[text]):
            rows[r][c] = "*"
        elif text in taken:
            taken[text] = (-9, -9)
        else:
            taken[text] = (r, c)
    assume(any(text != "." for row in rows for text in row))
    return Board(tuple(map(tuple, rows)), lattice)


@st.composite
def pieces_of_area(draw: st.DrawFn, area: int, lattice) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    while area > 0:
        shape = piece(f"p{len(pieces)}", draw(st.sampled_from(SHAPES[lattice])), lattice)
        if len(shape.cells) <= area:
            pieces.append(shape)
            area -= len(shape.cells)
    return tuple(pieces)


@st.composite
def covers(draw: st.DrawFn) -> ExactCover:
    """The cover of a small puzzle with up to two free groups; many have no solution."""
    lattice = draw(st.sampled_from([SQUARE, HEXAGONAL]))
    board = draw(boards(lattice))
    labels = draw(st.permutations(list(board.labels)))
    count_of = draw(st.integers(0, min(2, len(labels) // 2)))
    groups = {f"g{number}": tuple(labels[number::count_of]) for number in range(count_of)}
    sizes = [len(board.labels[members[0]]) for members in groups.values()]
    area = len(board.cells) - sum(sizes)
    assume(area > 0)
    pieces = draw(pieces_of_area(area, lattice))
    try:
        puzzle = Puzzle("tiny", board, pieces, groups, flip=draw(st.booleans()))
    except InputError:  # a piece that fits nowhere at all
        assume(False)
    return ExactCover(Instance.reveal(puzzle, dict.fromkeys(groups, "free")))


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(covers())
def test_finds_what_brute_force_finds(cover: ExactCover) -> None:
    expected = brute_force(cover)
    search = Search(cover)
    found = [tuple(solution) for solution in search]
    assert search.complete
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert exists(cover)[0] == bool(expected)
    assert count(cover) == len(expected)
    assert count_few(cover) in (len(expected), None)
    assert (tuple(solution_soon(cover)) or None) in (expected or {None})


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(covers())
def test_counts_of_every_choice_of_labels(cover: ExactCover) -> None:
    instance = cover.instance
    expected: Counter[tuple[str, ...]] = Counter()
    for solution in brute_force(cover):
        options = [cover.option(number) for number in solution]
        label = {option.group: option.label for option in options if isinstance(option, Reveal)}
        expected[tuple(label[group] for group in instance.free)] += 1
    counts = count_by_reveal(cover)
    every = itertools.product(*(instance.puzzle.groups[group] for group in instance.free))
    assert list(counts) == list(every)
    assert {choice: number for choice, number in counts.items() if number} == expected


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_counts_of_bare_cells_are_those_of_the_labels_in_every_cell(data: st.DataObject) -> None:
    # The same board with a label of its own in every cell, and these revealed.
    plain = data.draw(boards(SQUARE))
    k = data.draw(st.integers(0, min(3, len(plain.cells) - 1)))
    pieces = data.draw(pieces_of_area(len(plain.cells) - k, SQUARE))
    cell = {place: f"c{place[0]}{place[1]}" for place in plain.cells}
    height, width = plain.shape
    rows = tuple(tuple(cell.get((r, c), ".") for c in range(width)) for r in range(height))
    try:
        puzzle = Puzzle("bare", Board(rows), pieces)
    except InputError:
        assume(False)
    counts = count_uncovered(puzzle, k)
    assert list(counts) == list(itertools.combinations(plain.cells, k))
    for cells, number in counts.items():
        labels = tuple(cell[place] for place in cells)
        assert number == len(brute_force(ExactCover(Instance(puzzle, labels))))


@pytest.mark.parametrize(
    ("rows", "columns", "classes"), [(3, 20, 2), (4, 15, 368), (5, 12, 1010), (6, 10, 2339)]
)
def test_pentomino_rectangles_take_two_words(rows: int, columns: int, classes: int) -> None:
    # Each class has four mirror images. (C. B. and J. Haselgrove, 1960; OEIS A349968.)
    cover = strip(rows, columns, PENTOMINOES)
    assert cover.rows > 63
    assert count(cover) == 4 * classes
    if rows == 3:
        found = list(solutions(cover))
        assert len({Tiling.from_options(cover, solution) for solution in found}) == 8


def test_pentominoes_around_a_hole() -> None:
    grid = ["* * * * * * * *"] * 3 + ["* * * . . * * *"] * 2 + ["* * * * * * * *"] * 3
    pieces = tuple(piece(name, drawn) for name, drawn in PENTOMINOES.items())
    cover = ExactCover(Instance(Puzzle("Scott 1958", Board.from_text(grid), pieces)))
    assert count(cover) == 8 * 65


@pytest.mark.parametrize("columns", [1, 2, 9, 31, 32, 70])
def test_equal_pieces_make_each_picture_once(columns: int) -> None:
    cover = dominoes(columns)
    assert count(cover) == fibonacci(columns + 1)
    if columns < 10:
        assert len(list(solutions(cover))) == fibonacci(columns + 1)
    else:
        first = list(itertools.islice(solutions(cover), 5))
        assert len({Tiling.from_options(cover, solution) for solution in first}) == 5


def test_a_count_beyond_63_bits_is_refused_not_wrong() -> None:
    assert count(dominoes(90)) == fibonacci(91)
    with pytest.raises(InputError, match="more than 9,223,372,036,854,775,808 tilings"):
        count(dominoes(100))


YEARS = {
    "a-puzzle-a-day": (25_061, 24_405, ("Oct", "6"), 7, ("Jan", "25"), 216),
    "palmetto-whole-year": (41_457, 40_219, ("May", "21"), 11, ("Jan", "28"), 734),
    "jarringwords": (23_145, 22_625, ("Jul", "2"), 10, ("Jan", "23"), 208),
}


@pytest.mark.parametrize("name", YEARS)
def test_published_counts_of_a_year(name: str) -> None:
    total, real, least, minimum, most, maximum = YEARS[name]
    cover = year(name)
    counts = count_by_reveal(cover)
    assert len(counts) == 372
    assert sum(counts.values()) == total == count(cover)
    dates = {date: counts[date] for date in REAL_DATES}
    assert sum(dates.values()) == real
    assert min(dates.values()) == minimum == dates[least]
    assert max(dates.values()) == maximum == dates[most]


@pytest.mark.long
def test_enumeration_and_counting_agree_on_every_date() -> None:
    # Two methods: depth-first without merging, and merged layers.
    cover = year("a-puzzle-a-day")
    labels = {
        number: option.label
        for number in range(cover.placements, cover.columns)
        if isinstance(option := cover.option(number), Reveal)
    }
    found = [tuple(solution) for solution in solutions(cover)]
    assert len(set(found)) == 25_061
    tally = Counter(tuple(labels[n] for n in solution if n in labels) for solution in found)
    assert {date: n for date, n in count_by_reveal(cover).items() if n} == tally


@pytest.mark.parametrize(
    ("labels", "number"),
    [(("Feb", "29"), 64), (("Dec", "25"), 92), (("Jan", "1"), 64), (("Apr", "24"), 26)],
)
def test_single_dates(labels: tuple[str, str], number: int) -> None:
    cover = on_date(read_puzzle("a-puzzle-a-day"), month=labels[0], day=labels[1])
    assert count(cover) == number
    tilings = {Tiling.from_options(cover, solution) for solution in solutions(cover)}
    assert len(tilings) == number


def test_without_turning_over() -> None:
    puzzle = read_puzzle("a-puzzle-a-day").with_flip(False)
    assert count(on_date(puzzle, month="Jan", day="1")) == 2
    impossible = on_date(puzzle, month="Dec", day="29")
    assert count(impossible) == 0
    assert exists(impossible)[0] is False


def test_rhombus_days() -> None:
    puzzle = read_puzzle("praxis-rhombus")
    for labels, number in ((("Thu", "Oct", "23"), 201), (("Fri", "Feb", "29"), 287)):
        cover = on_date(puzzle, **dict(zip(("weekday", "month", "day"), labels, strict=True)))
        assert len(list(solutions(cover))) == number == count(cover)


def test_hexagons_with_equal_pieces() -> None:
    # Daily Hexagonal Puzzle by sh1ura: counts of pictures, with and without flips.
    grid = """\
        . . Dec . . . . . .
        . Nov 1 2 Jan . . . .
        Oct 3 4 5 6 7 Feb . .
        . 8 9 10 11 12 13 . .
        . Sep 14 15 16 17 18 Mar .
        . . 19 20 21 22 23 24 .
        . . Aug 25 26 27 28 29 Apr
        . . . . Jul 30 31 May .
        . . . . . . Jun . ."""
    drawn = "##./### #../### #../### #### #### ##/## .#./##./..# ##./#.# .#/##/#. ..#/###"
    pieces = tuple(
        piece(f"q{number}", rows, HEXAGONAL) for number, rows in enumerate(drawn.split())
    )
    board = Board.from_text(grid.splitlines(), HEXAGONAL)
    for flip, number in ((True, 173), (False, 20)):
        puzzle = Puzzle("hexagons", board, pieces, flip=flip)
        assert count(ExactCover(Instance(puzzle, ("Jan", "1")))) == number


def test_any_two_cells() -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    label = puzzle.board.label
    counts = {
        frozenset(map(label, cells)): number for cells, number in count_uncovered(puzzle, 2).items()
    }
    assert len(counts) == 903
    assert sum(counts.values()) == 59_787
    assert sum(not number for number in counts.values()) == 7
    assert [set(cells) for cells, number in counts.items() if number == 1] == [{"12", "6"}]
    assert max(counts.values()) == 305 == counts[frozenset({"Jul", "Jan"})]
    by_date = count_by_reveal(year("a-puzzle-a-day"))
    assert all(counts[frozenset(date)] == number for date, number in by_date.items())


def test_the_number_of_bare_cells_is_checked() -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    with pytest.raises(InputError, match="cover 41 of 43 cells, so 2 stay uncovered, not 3"):
        count_uncovered(puzzle, 3)
    board = Board.from_text([" ".join("*" * 60)] * 10)
    with pytest.raises(InputError, match="at most 2,000,000"):
        count_uncovered(Puzzle("big", board, (piece("I", "#####"),)), 595)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "total", "real", "least", "most"),
    [
        ("praxis-rhombus", 1_527_044, 1_483_382, 4, 3_576),
        ("weekday-8x7", 4_937_780, 4_864_096, 97, 10_374),
    ],
)
def test_whole_years_with_weekdays(name: str, total: int, real: int, least: int, most: int) -> None:
    cover = year(name)
    counts = count_by_reveal(cover)
    groups = cover.instance.free
    month, day = groups.index("month"), groups.index("day")
    dates = {key: n for key, n in counts.items() if (key[month], key[day]) in REAL_DATES}
    assert (len(counts), len(dates)) == (2_604, 2_562)
    assert sum(counts.values()) == total
    assert sum(dates.values()) == real
    assert (min(dates.values()), max(dates.values())) == (least, most)


def test_limit_and_completeness() -> None:
    cover = on_date(read_puzzle("a-puzzle-a-day"), month="Oct", day="6")
    everything = list(Search(cover))
    assert all(solution == sorted(solution) for solution in everything)
    assert list(Search(cover)) == everything
    for limit in (0, 1, 6, 7, 8):
        search = Search(cover, limit=limit)
        assert list(search) == everything[:limit]
        # So small a search is over before its seventh solution is handed out.
        assert search.complete == (limit >= 7)
    search = Search(cover)
    next(iter(search))
    assert not search.complete


def test_few_solutions_are_counted_without_regions_and_many_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    for month, day, number in (("Oct", "6", 7), ("Jan", "25", 216)):
        assert count_few(on_date(puzzle, month=month, day=day)) == number
    assert count_few(year("a-puzzle-a-day")) is None  # 25,061
    cover = on_date(puzzle, month="Oct", day="6")
    monkeypatch.setattr(search_module, "IMPORT_SOLUTIONS", 7)
    assert count_few(cover) in (7, None)  # whether those were all may not have been seen
    monkeypatch.setattr(search_module, "IMPORT_SOLUTIONS", 6)
    assert count_few(cover) is None
    monkeypatch.undo()
    monkeypatch.setattr(search_module, "IMPORT_OPTIONS", 10)
    assert count_few(cover) is None
    assert solution_soon(cover) == next(iter(solutions(cover)))
    monkeypatch.setattr(search_module, "SOON_OPTIONS", 10)
    assert solution_soon(cover) == []


def test_a_limit_ends_the_search_at_once() -> None:
    search = Search(year("shiura-daily-10p"), limit=1)
    assert len(list(search)) == 1
    assert not search.complete
    assert search.nodes < 5_000_000


def test_the_first_solutions_do_not_depend_on_the_limit() -> None:
    cover = on_date(read_puzzle("praxis-rhombus"), weekday="Fri", month="Feb", day="29")
    search = Search(cover)
    everything = list(search)
    assert search.nodes > 50_000
    assert list(solutions(cover, limit=10)) == everything[:10]


def test_a_node_limit_is_unknown_and_not_complete() -> None:
    cover = on_date(read_puzzle("praxis-rhombus"), weekday="Fri", month="Feb", day="29")
    whole = Search(cover)
    every = list(whole)
    search = Search(cover, node_limit=1)
    assert list(search) == every[: len(list(search))]
    assert not search.complete
    assert 1 < search.nodes < whole.nodes
    search = Search(cover, node_limit=whole.nodes)
    assert list(search) == every
    assert search.complete


@pytest.mark.long
def test_time_limits() -> None:
    cover = year("shiura-daily-10p")
    started = time.process_time()
    for seconds in (0.2, 2.0):
        search = Search(cover, clock=Deadline(seconds))
        found = sum(1 for _ in search)
        assert not search.complete
        assert found < 3_247_699
        # On a busy machine a short time is over before the first one.
        if found:
            break
    assert found
    with pytest.raises(TimeoutError, match=r"0\.2 s"):
        count_by_reveal(cover, Limits(0.2))
    assert time.process_time() - started < 5


def test_the_time_ends_the_search_for_the_last_solution_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow:
        """A search that finds nothing for a second, at a thousandth for each node."""

        nodes = 0

        @property
        def finished(self) -> bool:
            return self.nodes > 1000

        def step(self, *_: object) -> list[list[int]]:
            self.nodes += 1
            return []

    slow = Slow()
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: slow.nodes / 1000)
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.walk", lambda _: slow)
    search = Search(year("a-puzzle-a-day"), limit=1, clock=Deadline(0.01))
    assert list(search) == []
    assert not search.complete
    assert 0 < search.nodes < 1000


def test_progress_is_called_and_may_end_the_count() -> None:
    class Enough(Exception):
        pass

    def stop(_: Progress) -> None:
        raise Enough

    with pytest.raises(Enough):
        count(year("a-puzzle-a-day"), Limits(progress=stop))
    seen: list[Progress] = []
    assert count(year("jarringwords"), Limits(progress=seen.append)) == 23_145
    assert seen == sorted(seen)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")
@pytest.mark.parametrize("work", ["count_by_reveal(cover)", "sum(1 for _ in Search(cover))"])
def test_an_interrupt_is_heard(work: str) -> None:
    # In a process of its own: here, callbacks of the test tools may swallow it.
    code = f"""
import os, signal, threading, time
from calmip import Instance, read_puzzle
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.exact_cover.counting import *
from calmip.puzzle.search.exact_cover.search import *
from calmip.puzzle.search.exact_cover.witnesses import exists
puzzle = read_puzzle("shiura-daily-10p")
cover = ExactCover(Instance.reveal(puzzle, {{"month": "free", "day": "free"}}))
exists(cover)
started = time.process_time()
try:
    # Its own signal: one from outside might come after the end.
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    {work}
except KeyboardInterrupt:
    print("heard", time.process_time() - started)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        heard, seconds = process.stdout.read().split()
    assert heard == "heard"
    assert float(seconds) < 3


def run_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_plain_python_on_a_board_of_two_words() -> None:
    code = """
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.counting import *
from calmip.puzzle.search.exact_cover.search import *
from calmip.puzzle.search.exact_cover.witnesses import exists
board = Board.from_text([" ".join("*" * 100)] * 2)
pieces = tuple(Piece.from_rows(f"d{n}", ["##"]) for n in range(100))
cover = ExactCover(Instance(Puzzle("strip", board, pieces[:100])))
try:
    print(count(cover))
except Exception as error:
    print(type(error).__name__)
print(len(next(solutions(cover))))
"""
    assert run_python(code, CALMIP_KERNEL="off").split() == ["InputError", "100"]


def test_binomials_number_the_choices() -> None:
    import numpy as np

    from calmip.puzzle.search.exact_cover.options import ranks

    places = np.array(list(itertools.combinations(range(8), 3)))
    assert sorted(ranks(places).tolist()) == list(range(math.comb(8, 3)))
