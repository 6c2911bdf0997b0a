"""A count shared by threads is the count of one, and ends as one."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from calmip.documents.reader import read_instance, read_puzzle
from calmip.errors import InputError
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.search.exact_cover import _layers, _sharing, count, count_by_reveal, count_uncovered


@pytest.fixture
def year() -> ExactCover:
    return ExactCover(read_instance("a-puzzle-a-day", free=True))


def divided(monkeypatch: pytest.MonkeyPatch, many: int) -> list[int]:
    """Divide already small layers; returns a list that gets the sizes of the parts."""
    sizes: list[int] = []
    parts = _sharing._parts

    def spy(layer, words, number):
        found = parts(layer, words, number)
        sizes.extend(part.size for part in found)
        return found

    monkeypatch.setattr(_sharing, "MANY", many)
    monkeypatch.setattr(_sharing, "_parts", spy)
    return sizes


@pytest.mark.parametrize("workers", [2, 3, 7])
@pytest.mark.parametrize("many", [30, 300, 40_000])
def test_threads_count_the_same(
    monkeypatch: pytest.MonkeyPatch, year: ExactCover, workers: int, many: int
) -> None:
    alone = count_by_reveal(year)
    sizes = divided(monkeypatch, many)
    seen: list[int] = []
    assert count_by_reveal(year, workers=workers, progress=seen.append) == alone
    assert count(year, workers=workers) == 25_061
    assert len(sizes) == 2 * workers
    assert min(sizes) > 0
    assert seen == sorted(seen)


def test_bare_cells_and_split_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    alone = count_uncovered(puzzle, 2)
    divided(monkeypatch, 1000)
    assert count_uncovered(puzzle, 2, workers=2) == alone
    monkeypatch.setattr(_sharing, "MEMORY", 1_000_000)
    assert count_uncovered(puzzle, 2, workers=2) == alone


def test_a_small_count_is_not_divided(monkeypatch: pytest.MonkeyPatch, year: ExactCover) -> None:
    sizes = divided(monkeypatch, 10**9)
    assert count(year, workers=4) == 25_061
    assert sizes == []


@pytest.mark.parametrize("seconds", [1e-9, 0.02])
def test_a_time_limit_ends_all_threads(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    cover = ExactCover(read_instance("shiura-daily-10p", free=True))
    divided(monkeypatch, 1000)
    count(ExactCover(read_instance("instances/tiny.yaml")))  # compiled
    started = time.process_time()
    with pytest.raises(TimeoutError):
        count(cover, workers=2, time_limit=seconds)
    assert time.process_time() - started < 10


def test_a_failure_in_one_thread_is_the_failure(
    monkeypatch: pytest.MonkeyPatch, year: ExactCover
) -> None:
    divided(monkeypatch, 300)
    step = _layers.Tally.next

    def broken(self, layer, most):
        # Only the parts of the threads have less than all memory.
        if self.memory < _layers.MEMORY and layer.size < 200:
            raise MemoryError("no more")
        return step(self, layer, most)

    monkeypatch.setattr(_layers.Tally, "next", broken)
    with pytest.raises(MemoryError, match="no more"):
        count(year, workers=2)


def test_a_count_beyond_63_bits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_text([" ".join("*" * 100)] * 2)
    pieces = tuple(Piece.from_rows(f"d{number}", ["##"]) for number in range(100))
    divided(monkeypatch, 2)
    with pytest.raises(InputError, match="more than 9,223,372,036,854,775,808"):
        count(ExactCover(Instance(Puzzle("strip", board, pieces))), workers=2)


@pytest.mark.slow
def test_the_weekday_year_stays_under_one_gigabyte() -> None:
    code = (
        "import resource, sys\n"
        "from calmip.cli import main\n"
        "code = main(['count', 'weekday-8x7', '--workers', '2', '--format', 'json'])\n"
        "used = [resource.getrusage(who).ru_maxrss"
        " for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]\n"
        "print(code, sum(used), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    code_, kilobytes = map(int, done.stderr.split())
    assert code_ == 0
    assert json.loads(done.stdout)["total"] == 4_937_780
    if sys.platform == "linux":
        assert kilobytes * 1024 < 1_000_000_000
