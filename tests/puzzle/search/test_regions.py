"""Counting by regions: its widths, its parts and its memory change nothing but the time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import cpu_seconds
from test_exact_cover import boards, brute_force, covers, dominoes, piece, pieces_of_area, strip

from calmip._base.errors import InputError
from calmip._base.limits import Limits, Progress
from calmip.mip.exact_cover import memory
from calmip.mip.exact_cover.options import Options
from calmip.mip.exact_cover.regions import Regions
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import bundled_puzzles, read_instance, read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import SQUARE
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover import counting
from calmip.puzzle.search.exact_cover.counting import (
    count,
    count_by_reveal,
    count_uncovered,
    plain_tally,
)
from calmip.puzzle.search.exact_cover.options import options_of, options_with_bare_cells, order_of
from calmip.puzzle.search.exact_cover.search import Search


def year(name: str) -> ExactCover:
    return ExactCover(read_instance(name, free=True))


def silent(_: int) -> None:
    """Take no notice."""


def numbered(cover: ExactCover) -> tuple[np.ndarray, int]:
    """Give every label a number of its own, so that a choice is their sum."""
    labels = cover.columns - cover.placements
    worth = np.zeros(cover.columns, dtype=np.int64)
    worth[cover.placements :] = 1 << np.arange(labels)
    return worth, 1 << labels


def expected(cover: ExactCover) -> list[int]:
    """The numbers of solutions by choice as brute force finds them."""
    worth, choices = numbered(cover)
    found = Counter(int(worth[list(solution)].sum()) for solution in brute_force(cover))
    return [found[choice] for choice in range(choices)]


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(covers(), st.integers(0, 2**32), st.sampled_from([memory.NARROW, memory.WIDE]))
def test_any_order_and_both_widths_count_what_brute_force_finds(
    cover: ExactCover, seed: int, kind: memory.Kind
) -> None:
    order = np.random.default_rng(seed).permutation(len(cover.instance.to_cover))
    options = options_of(cover, order, *numbered(cover))
    graph = Regions(options, kind, silent, np.inf).graph()
    found = [0] * options.choices
    if graph is not None:
        # Lists may meet anywhere.
        for middle in (0.1, 0.5, 0.9):
            found = graph.by_choice(options.choices, lambda: None, middle).tolist()
            assert found == expected(cover)
        assert graph.total() == sum(found)
    assert found == expected(cover)
    assert plain_tally(options, silent).tolist() == found


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(covers(), st.integers(1, 3))
def test_halves_have_every_solution_once(cover: ExactCover, depth: int) -> None:
    options = options_of(cover, order_of(cover), *numbered(cover))
    some = [options]
    for _ in range(depth):
        some = [half for part in some for half in counting.halves(part) or (part,)]
    found = sum(plain_tally(part, silent) for part in some)
    assert found.tolist() == expected(cover)
    assert counting.tally(options, Limits(workers=depth)).tolist() == expected(cover)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_bare_cells_are_counted_alike_in_both_widths_and_in_plain_python(
    data: st.DataObject,
) -> None:
    board = data.draw(boards(SQUARE))
    k = data.draw(st.integers(0, min(4, len(board.cells) - 1)))
    try:
        puzzle = Puzzle("bare", board, data.draw(pieces_of_area(len(board.cells) - k, SQUARE)))
    except InputError:  # a piece that fits nowhere at all
        return
    options, _ = options_with_bare_cells(puzzle, k)
    found = plain_tally(options, silent).tolist()
    assert sum(found) == sum(count_uncovered(puzzle, k).values())
    for kind in (memory.NARROW, memory.WIDE):
        graph = Regions(options, kind, silent, np.inf).graph()
        counted = [0] * options.choices
        if graph is not None:
            counted = graph.by_choice(options.choices, lambda: None).tolist()
        assert counted == found


@pytest.mark.long
@pytest.mark.parametrize("name", ["a-puzzle-a-day", "heart-set1", "lieban-festival"])
def test_two_orders_give_the_same_year(name: str) -> None:
    cover = year(name)
    worth, _ = numbered(cover)
    # Every choice gets a number below a million, most often one of its own.
    worth %= 999_983
    choices = 4 * 999_983
    cells = np.arange(len(cover.instance.to_cover))
    found = []
    for order in (cells, cells[::-1], order_of(cover)):
        graph = Regions(
            options_of(cover, order, worth, choices), memory.NARROW, silent, np.inf
        ).graph()
        assert graph is not None
        found.append(graph.by_choice(choices, lambda: None))
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()
    assert found[0].sum() == sum(count_by_reveal(cover).values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sahuyu-pentomino-8x8", "kao-pentomino-8x8"])
def test_two_orders_give_the_same_large_year(name: str) -> None:
    cover = year(name)
    cells = np.array(cover.instance.to_cover)
    totals = set()
    for order in (np.lexsort((cells[:, 0], cells[:, 1])), np.lexsort((-cells[:, 1], -cells[:, 0]))):
        graph = Regions(options_of(cover, order), memory.NARROW, silent, np.inf).graph()
        assert graph is not None
        totals.add(graph.total())
    assert totals == {sum(count_by_reveal(cover).values())}


@pytest.mark.long
def test_a_board_of_two_words() -> None:
    # 8 x 9 cells are more than 64; a second board side by side squares the number.
    shapes = {
        "a": "###/###",
        "b": "###/#.#/#..",
        "c": "####/##..",
        "d": "##./.##/..#/..#",
        "e": "###/..#/..#/..#",
        "f": "##/#./##/#.",
    }
    whole = strip(6, 6, shapes)
    double = Board.from_text([" ".join([*"******", ".", *"******"])] * 6)
    pieces = tuple(piece(f"{name}{side}", drawn) for name, drawn in shapes.items() for side in "lr")
    twice = ExactCover(Instance(Puzzle("double", double, pieces)))
    assert len(twice.instance.to_cover) == 72
    # Pieces of a kind are equal: one on each side, or both on one.
    options = options_of(twice, order_of(twice))
    assert memory.kind_of(options) is memory.WIDE
    assert count(twice) == plain_tally(options, silent)[0] >= count(whole) ** 2


@pytest.mark.parametrize("columns", [20, 40, 64, 90])
def test_covers_too_large_for_the_loops_are_counted_all_the_same(columns: int) -> None:
    a, b = 1, 1
    for _ in range(columns):
        a, b = b, a + b
    cover = dominoes(columns)
    kind = memory.kind_of(options_of(cover, order_of(cover)))
    assert kind is (memory.NARROW if columns <= 32 else memory.WIDE if columns <= 64 else None)
    assert count(cover) == a


@pytest.mark.long
@pytest.mark.parametrize("workers", [2, 5])
def test_threads_count_the_same(workers: int) -> None:
    cover = year("a-puzzle-a-day")
    seen: list[Progress] = []
    counts = count_by_reveal(cover, Limits(workers=workers, progress=seen.append))
    assert counts == count_by_reveal(cover)
    assert count(cover, Limits(workers=workers)) == 25_061
    assert seen == sorted(seen)
    puzzle = read_puzzle("a-puzzle-a-day")
    assert count_uncovered(puzzle, 2, Limits(workers=workers)) == count_uncovered(puzzle, 2)


@pytest.mark.long
def test_little_memory_makes_parts_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    halves = counting.halves

    def spy(options: Options) -> tuple[Options, Options] | None:
        made.append(len(options.options))
        return halves(options)

    monkeypatch.setattr(counting, "halves", spy)
    cover = year("praxis-rhombus")
    whole = count_by_reveal(cover)
    assert sum(whole.values()) == 1_527_044
    assert made == []
    assert count_by_reveal(cover, Limits(memory_limit=3)) == whole
    assert len(made) >= 2


@pytest.mark.parametrize("workers", [1, 2])
def test_too_little_memory_is_said(workers: int) -> None:
    with pytest.raises(InputError, match="does not fit into 1 MB of memory; raise the memory"):
        count(year("weekday-8x7"), Limits(memory_limit=1, workers=workers))
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="memory limit is a number of MB above 0"):
            count(year("a-puzzle-a-day"), Limits(memory_limit=wrong))


@pytest.mark.parametrize("workers", [1, 2])
def test_arrays_that_cannot_be_made_are_too_little_memory(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    def refused(*_: object) -> None:
        raise MemoryError("Unable to allocate")

    monkeypatch.setattr(memory.Level, "more_edges", refused)
    with pytest.raises(InputError, match="does not fit"):
        count(year("a-puzzle-a-day"), Limits(workers=workers))


@pytest.mark.parametrize("kind", [memory.NARROW, memory.WIDE])
def test_no_region_is_lost_where_there_is_room_for_more(kind: memory.Kind) -> None:
    level = memory.Level(memory.LEVEL(), kind)
    kept: list[int] = []
    for _ in range(3):
        level.more_regions()
        words = kind.cells // 64
        assert len(level["keys"]) == level.struct.room * words
        assert level["keys"][: len(kept)].tolist() == kept
        assert 0 < level.struct.room < level.struct.slots == len(level["slot"])
        assert not level["slot"].any()
        level["slot"][:] = 1
        level.struct.found = level.struct.room
        level["keys"][:] = np.arange(level.struct.room * words) + 7 * len(kept) + 1
        kept = level["keys"].tolist()


def test_more_edges_than_a_number_of_32_bits_counts_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "MAX_NUMBER", 100)
    with pytest.raises(InputError, match="does not fit"):
        count(year("a-puzzle-a-day"))


def test_sums_of_the_plain_count_that_63_bits_do_not_hold_are_refused() -> None:
    """Too wide for the loops; the numbers are those of Fibonacci."""
    assert count(dominoes(91)) == 7_540_113_804_746_346_429 < 1 << 63
    with pytest.raises(InputError, match="more than 9,223,372,036,854,775,808"):
        count(dominoes(92))


@pytest.mark.parametrize(
    ("cells", "bits", "options", "kind"),
    [
        (64, 16, 65_535, memory.NARROW),
        (65, 16, 1, memory.WIDE),
        (1, 17, 1, memory.WIDE),
        (1, 1, 65_536, memory.WIDE),
        (128, 32, 1, memory.WIDE),
        (129, 1, 1, None),
        (1, 33, 1, None),
    ],
)
def test_the_loops_with_the_narrowest_numbers_that_hold_all_are_taken(
    cells: int, bits: int, options: int, kind: memory.Kind | None
) -> None:
    some: Any = SimpleNamespace(cells=cells, bits=bits, options=range(options))
    assert memory.kind_of(some) is kind


@pytest.mark.parametrize("seconds", [1e-9, 0.02])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_time_limit_ends_all_threads(seconds: float, workers: int) -> None:
    cover = year("shiura-daily-10p")
    started = cpu_seconds()
    with pytest.raises(TimeoutError):
        count(cover, Limits(seconds, workers=workers))
    assert cpu_seconds() - started < 5


def test_a_failure_in_one_thread_is_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Regions, *_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Regions, "_backward", broken)
    with pytest.raises(RuntimeError, match="broken"):
        count(year("a-puzzle-a-day"), Limits(workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_count_beyond_63_bits_is_refused(workers: int) -> None:
    pieces = {f"{drawn}{number}": drawn for drawn in ("#", "##") for number in range(28)}
    cover = strip(2, 42, pieces)
    assert memory.kind_of(options_of(cover, order_of(cover))) is memory.WIDE
    with pytest.raises(InputError, match="more than 9,223,372,036,854,775,808"):
        count(cover, Limits(workers=workers))


@pytest.mark.long
def test_the_order_of_the_cells_reaches_no_further_than_rows() -> None:
    for name in bundled_puzzles():
        cover = year(name)
        order = order_of(cover)
        cells = len(cover.instance.to_cover)
        assert sorted(order.tolist()) == list(range(cells))

        def reach(order: np.ndarray, cover: ExactCover = cover) -> int:
            some = options_of(cover, order).options
            return sum(option.cells.bit_length() - 1 - option.first for option in some)

        assert reach(order) <= reach(np.arange(cells))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc says how much memory was used")
def test_the_weekday_year_takes_little_memory() -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from calmip.cli import main\n"
        "code = main(['count', 'weekday-8x7', '--workers', '2', '--format', 'json'])\n"
        # Linux's ru_maxrss begins with the memory of the process that started this one.
        "lines = Path('/proc/self/status').read_text().splitlines()\n"
        "used = next(line.split()[1] for line in lines if line.startswith('VmHWM'))\n"
        "print(code, used, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    code_, kilobytes = map(int, done.stderr.split())
    assert code_ == 0
    assert json.loads(done.stdout)["total"] == 4_937_780
    assert kilobytes * 1024 < 300_000_000


@pytest.mark.parametrize("workers", [1, 2])
def test_a_piece_without_any_place_makes_the_count_nought(workers: int) -> None:
    board = Board.from_text(["1 2 3", "4 5 ."])
    pieces = (Piece("I3", ((0, 0), (0, 1), (0, 2))), Piece("one", ((0, 0),)))
    cover = ExactCover(Instance(Puzzle("narrow", board, pieces, {"day": tuple("12345")}), ("2",)))
    assert 0 in {len(options) for options in cover.options_of()}
    assert count(cover, Limits(workers=workers)) == 0
    assert not list(Search(cover))
