"""Rearranging the labels of a board, and puzzles written as YAML."""

import itertools
import json
import random
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import strategies
from brute_force import rank_correlation
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_package

import calmip
from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import write_text
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.design import rearrange as module
from calmip.design.rearrange import (
    ArrangementSearch,
    Merit,
    Rearrangement,
    assignment_model,
    rearrange,
)
from calmip.mip.files.mps import mps_text
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.dates import real_dates
from calmip.puzzle.documents.reader import read_instance, read_puzzle
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.counting import count_by_reveal
from calmip.solvers.base import Limits, Outcome, Status
from calmip.solvers.highs import Highs

SMALL = Path(__file__).parents[1] / "data" / "three-months.yaml"


def numbers_of(puzzle: Puzzle) -> list[int]:
    """Count every real date anew, in the order of the year."""
    counts = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))))
    dates = real_dates(puzzle.groups).values()
    return [counts[tuple(date[group] for group in puzzle.groups)] for date in dates]


@pytest.mark.long
def test_the_new_puzzle_is_as_good_as_is_said() -> None:
    old = read_instance(str(SMALL), free=True).puzzle
    found = rearrange(old, starts=2)
    new = found.puzzle
    assert sorted(itertools.chain(*new.board.rows)) == sorted(itertools.chain(*old.board.rows))
    assert [[text == "*" for text in row] for row in new.board.rows] == [
        [text == "*" for text in row] for row in old.board.rows
    ]
    for puzzle, grade in ((old, found.before), (new, found.after)):
        numbers = numbers_of(puzzle)
        assert numbers.count(0) == grade.impossible
        assert rank_correlation(range(len(numbers)), numbers) == pytest.approx(grade.correlation)
    assert not found.before.beats(found.after)
    assert not found.greedy.beats(found.after)
    assert found.after.beats(found.before)
    assert rearrange(old, starts=2) == found


@pytest.mark.long
def test_no_arrangement_of_a_tiny_board_is_better(tmp_path: Path) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text(
        'name: T\ngrid: ["Jan Feb 1", "2 3 *"]\nuncover: [month, day]\n'
        'pieces: {A: ["##"], B: ["##"]}\n'
    )
    puzzle = read_instance(str(path), free=True).puzzle
    found = rearrange(puzzle, starts=10)
    labels = [text for row in puzzle.board.rows for text in row if text != "*"]
    grades = []
    for order in itertools.permutations(labels):
        rows = ((*order[:3],), (*order[3:], "*"))
        numbers = numbers_of(Puzzle("p", type(puzzle.board)(rows), puzzle.pieces, puzzle.groups))
        grades.append((numbers.count(0), rank_correlation(range(len(numbers)), numbers)))
    assert (found.after.impossible, found.after.correlation) == pytest.approx(min(grades))


@pytest.mark.long
def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [5, 4, -1]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 3], [7, 7, 7]) == 0
    # By hand: ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4.
    assert rank_correlation([1, 2, 2, 9], [1, 3, 2, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    scipy = need_package("scipy.stats")
    rng = random.Random(5)
    for _ in range(20):
        one, two = ([rng.randrange(6) for _ in range(15)] for _ in range(2))
        assert rank_correlation(one, two) == pytest.approx(scipy.spearmanr(one, two).statistic)


@pytest.mark.long
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 9), months=st.integers(1, 4))
@settings(deadline=None, max_examples=40)
def test_merits_are_rank_correlations_and_no_swap_improves_the_end(
    seed: int, most: int, months: int
) -> None:
    rng = np.random.default_rng(seed)
    size = months + 5
    counts = rng.integers(0, most + 1, (size, size))
    counts += counts.T
    dates = np.array(list(itertools.product(range(months), range(months, size))))
    groups = [np.arange(months), np.arange(months, size)]
    search = ArrangementSearch(counts, dates, np.arange(len(dates)) * 1.0, groups)

    def merit(at: np.ndarray) -> tuple[int, float]:
        numbers = counts[at[dates[:, 0]], at[dates[:, 1]]]
        return int((numbers == 0).sum()), rank_correlation(range(len(numbers)), numbers)

    many = np.array([rng.permutation(size) for _ in range(20)])
    assert [(m.impossible, m.correlation) for m in search.merits(many)] == [
        pytest.approx(merit(at)) for at in many
    ]
    end = search.improve(many[0])
    assert not search.merit(many[0]).beats(search.merit(end))
    for one, two in itertools.combinations(range(size), 2):
        swapped = end.copy()
        swapped[[one, two]] = end[[two, one]]
        assert not search.merit(swapped).beats(search.merit(end))


def test_assignment_programs_are_solved_to_the_optimum(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for size in (1, 2, 5):
        cost = rng.random((size, size)) * 10 ** rng.integers(0, 3, (size, size))
        model = assignment_model(cost)
        path = tmp_path / "a.mps"
        write_text(path, [mps_text(model)])
        outcome = Highs().solve(path, Limits())
        assert outcome.status is Status.OPTIMAL
        chosen = [model.columns.index(name) for name, x in outcome.values.items() if x > 0.5]
        assert model.violated(chosen) is None
        best = min(
            sum(cost[label, cell] for label, cell in enumerate(order))
            for order in itertools.permutations(range(size))
        )
        assert model.objective(chosen) == pytest.approx(best)


@pytest.mark.long
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new.yaml"
    assert main(["rearrange", str(SMALL), "--starts", "2", "-o", str(new)]) == 0
    told = capsys.readouterr().err
    assert re.search(r"after: +rank correlation -0\.\d{4}; \d+ real date", told)
    assert main(["rearrange", str(SMALL), "--starts", "2"]) == 0
    assert capsys.readouterr().out == new.read_text()
    assert main(["rearrange", str(SMALL), "--starts", "2", "-q", "--format", "json"]) == 0
    assert capsys.readouterr() == ("", "")
    data = tmp_path / "new.json"
    assert main(["rearrange", str(SMALL), "--starts", "2", "-o", str(data)]) == 0
    assert list(json.loads(data.read_text())) == [
        "puzzle",
        "grid",
        "before",
        "greedy",
        "after",
        "by",
        "kept",
        "detail",
    ]
    capsys.readouterr()
    assert main(["count", str(new)]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a-puzzle-a-day", "--keep", "week"], "cannot keep 'week': it is neither a group"),
        (["a-puzzle-a-day", "--keep", "month,day"], "no two labels that may move"),
        (["lieban-festival"], "label Jan of .* has several cells"),
        (["a-puzzle-a-day", "--starts", "0"], "between 1 and"),
        (["nowhere"], "nowhere"),
    ],
)
def test_wrong_input(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rearrange", *arguments]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_puzzle_with_one_group_is_refused() -> None:
    tiny = read_instance(str(Path(__file__).parents[2] / "instances" / "tiny.yaml"))
    with pytest.raises(InputError, match="reveals day; only a puzzle of two groups or more"):
        rearrange(tiny.puzzle)


@pytest.mark.parametrize("name", ["a-puzzle-a-day", "lieban-festival", "shiura-daily-11p"])
def test_a_written_puzzle_is_read_as_the_same(name: str, tmp_path: Path) -> None:
    puzzle = read_puzzle(name)
    path = tmp_path / "again.yaml"
    path.write_text(puzzle_text(puzzle))
    again = read_puzzle(str(path))
    for part in ("name", "board", "pieces", "groups", "flip", "no_flip_pieces"):
        assert getattr(again, part) == getattr(puzzle, part), part


@pytest.mark.long
@given(strategies.instances())
@settings(deadline=None, max_examples=30)
def test_any_puzzle_is_read_as_the_same(instance: Instance) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.yaml"
        path.write_text(puzzle_text(instance.puzzle))
        again = read_puzzle(str(path))
    assert again.board == instance.puzzle.board
    assert again.pieces == instance.puzzle.pieces


@pytest.mark.slow
def test_a_puzzle_a_day() -> None:
    found = rearrange(read_puzzle("a-puzzle-a-day"), starts=1)
    assert found.before.correlation == pytest.approx(0.0267, abs=1e-4)
    assert found.after.correlation < -0.72 < found.greedy.correlation < -0.56
    assert found.after.impossible == 0


@pytest.mark.long
@given(st.text(st.characters(codec="utf-8"), max_size=30), st.text("Mäņ月é\u0301-'#:", min_size=1))
@settings(deadline=None)
def test_a_puzzle_is_written_in_plain_letters_and_read_again(note: str, label: str) -> None:
    rows = [[f"x{label}", "1"], ["Jän", "2"]]
    board = calmip.Board(tuple(map(tuple, rows)))
    piece = calmip.Piece(f"p{label}", ((0, 0), (0, 1)))
    groups = {"one": (board.rows[0][0], "Jän"), "day": ("1", "2")}
    puzzle = calmip.Puzzle("Größe", board, (piece,), groups, note=note.strip())
    text = puzzle_text(puzzle)
    assert "Jän" in text
    assert "Größe" in text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.yaml"
        path.write_text(text, encoding="utf-8", newline="\n")
        again = calmip.read_puzzle(path)
    assert (again.board, again.pieces, again.groups) == (board, puzzle.pieces, puzzle.groups)
    assert again.note == puzzle.note


def test_the_columns_of_a_written_grid_are_aligned() -> None:
    board = calmip.Board.from_text(["一月 Jän 1", "12 * März"])
    puzzle = calmip.Puzzle("wide", board, (calmip.Piece("I", ((0, 0),)),))
    grid = [line for line in puzzle_text(puzzle).splitlines() if line.startswith("- ")]
    assert grid == ['- "一月  Jän    1"', '- "  12    * März"']


def weekday_board(grid: list[str], pieces: str) -> Puzzle:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.yaml"
        path.write_text(
            f"name: W\ngrid: {json.dumps(grid)}\nuncover: [weekday, month, day]\npieces: {pieces}\n"
        )
        return read_puzzle(path)


def spread(puzzle: Puzzle) -> list[int]:
    """Return the places of the dates in the year: the same for all weekdays of a day."""
    days = [(one["month"], int(one["day"])) for one in real_dates(puzzle.groups).values()]
    order = sorted(set(days), key=days.index)
    return [order.index(day) for day in days]


@pytest.mark.long
@pytest.mark.parametrize("by", ["correlation", "min"])
def test_a_board_with_weekdays_is_arranged_and_keeps_labels(by: str) -> None:
    old = weekday_board(["Mo Di Mi Jan Feb", "1 2 3 4 5", "6 7 8 * *"], "[I2, I3, V3, L4]")
    found = rearrange(old, by=by, keep=["weekday", "jan"], starts=2)
    assert found.kept == ("Mo", "Di", "Mi", "Jan")
    new = found.puzzle
    for label in found.kept:
        assert new.board.labels[label] == old.board.labels[label]
    assert sorted(itertools.chain(*new.board.rows)) == sorted(itertools.chain(*old.board.rows))
    for puzzle, merit in ((old, found.before), (new, found.after)):
        assert merit is not None
        numbers = numbers_of(puzzle)
        some = [number for number in numbers if number]
        assert merit.impossible == numbers.count(0)
        assert (merit.minimum, merit.hardest) == (min(some), some.count(min(some)))
        assert merit.correlation == pytest.approx(rank_correlation(spread(puzzle), numbers))
    assert found.before is not None
    assert found.after is not None
    assert not found.before.beats(found.after, by)
    assert by == "min" or found.after.beats(found.before)


@pytest.mark.long
@pytest.mark.parametrize("by", ["correlation", "min"])
def test_no_arrangement_of_a_tiny_weekday_board_is_better(by: str) -> None:
    puzzle = weekday_board(["Mo Di 1", "Jan 2 *", "* * *"], "[I2, V3, I1]")
    found = rearrange(puzzle, by=by, starts=10)
    keys = []
    for order in itertools.permutations(["Mo", "Di", "Jan", "1", "2"]):
        rows = ((*order[:3],), (*order[3:], "*"), ("*", "*", "*"))
        other = Puzzle("p", type(puzzle.board)(rows), puzzle.pieces, puzzle.groups)
        numbers = numbers_of(other)
        some = [number for number in numbers if number]
        least = min(some, default=0)
        keys.append(
            (numbers.count(0), -least, some.count(least))
            if by == "min"
            else (numbers.count(0), rank_correlation(spread(other), numbers))
        )
    assert found.after is not None
    assert found.after.key(by) == pytest.approx(min(keys))


def test_a_time_limit_is_said() -> None:
    puzzle = weekday_board(["Mo Di 1", "Jan 2 *", "* * *"], "[I2, V3, I1]")
    found = rearrange(puzzle, time_limit=1e-9)
    assert found.detail
    assert found.puzzle.board.labels.keys() == puzzle.board.labels.keys()
    if found.after is None:
        assert found.status is Status.UNKNOWN
    clock = Deadline(1e-9)
    counts = np.array([[0, 1], [1, 0]])
    at = np.arange(2)
    dates = np.array([(0, 1)])
    search = ArrangementSearch(counts, dates, np.zeros(1), [at[:1], at[1:]], clock=clock)
    assert search.improve(at) is at


@pytest.mark.parametrize("by", ["correlation", "min"])
def test_only_a_run_that_was_stopped_says_so(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = weekday_board(["Mo Di 1", "Jan 2 *", "* * *"], "[I2, V3, I1]")
    found = rearrange(puzzle, by=by, starts=2)
    assert found.detail == ""
    assert None not in (found.before, found.greedy, found.after)
    assert not any(one.beats(found.after, by) for one in (found.before, found.greedy))
    assert found.puzzle.board.labels.keys() == puzzle.board.labels.keys()
    for done in range(3):
        monkeypatch.setattr(
            module, "_improve_starts", lambda search, given, *_, done=done: (given[0], done)
        )
        stopped = f"the time limit was reached after {done} of 2 starts"
        assert rearrange(puzzle, by=by, starts=2).detail == (stopped if done < 2 else "")


def test_one_arrangement_beats_another_by_one_order_after_the_other() -> None:
    """A correlation that differs by rounding alone is no better one."""
    first = Merit(1, -0.5, 4, 2)
    for better, by in (
        (Merit(0, 0.9, 1, 9), "correlation"),
        (Merit(1, -0.5 - 1e-9, 1, 9), "correlation"),
        (Merit(0, 0.9, 1, 9), "min"),
        (Merit(1, 0.9, 5, 9), "min"),
        (Merit(1, 0.9, 4, 1), "min"),
    ):
        assert better.beats(first, by)
        assert not first.beats(better, by)
    for alike in (first, Merit(1, -0.5 - 1e-15, 9, 1)):
        assert not alike.beats(first)
        assert not first.beats(alike)


@pytest.mark.parametrize(
    ("status", "values", "fault"),
    [
        (Status.OPTIMAL, {0: 1.0, 3: 1.0}, ""),
        (Status.OPTIMAL, {0: 1.0, 2: 1.0}, "is not an assignment"),
        (Status.OPTIMAL, {}, "is not an assignment"),
        (Status.FEASIBLE, {0: 1.0, 3: 1.0}, "did not solve an assignment problem: late"),
        (Status.UNKNOWN, {}, "did not solve an assignment problem: late"),
    ],
)
def test_an_assignment_is_checked(
    status: Status, values: dict[int, float], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = np.array([[1.0, 2.0], [2.0, 1.0]])
    columns = assignment_model(cost).columns
    answer = Outcome(status, {columns[n]: value for n, value in values.items()}, "late")
    monkeypatch.setattr(Highs, "solve", lambda *_: answer)
    if fault:
        with pytest.raises(SolverFailed, match=fault):
            module.solve_assignment(cost)
    else:
        assert module.solve_assignment(cost).tolist() == [0, 1]


class Climb:
    """A search whose arrangements are numbers, and whose time is over after some steps."""

    by = "min"

    def __init__(self, steps: int, improved: dict[int, int] | None = None) -> None:
        self.left, self.improved = steps, improved or {}
        self._clock = self.clock = self

    @property
    def over(self) -> bool:
        self.left -= 1
        return self.left < 0

    def merit(self, at: Any) -> Any:
        value = int(np.sum(at))
        beats = lambda other, _: value > other.value  # noqa: E731
        return SimpleNamespace(key=lambda _: -value, beats=beats, value=value)

    def _steps(self, at: Any) -> Any:
        yield at - 1
        if at < 5:
            yield at + 1

    def improve(self, at: Any) -> Any:
        return at + 10 * (1 + self.left % 2)


def test_a_late_arrangement_is_the_last_that_was_better() -> None:
    for steps, end in ((0, 2), (1, 2), (2, 3), (3, 3), (4, 4), (99, 5)):
        search: Any = Climb(steps)
        assert ArrangementSearch.improve(search, np.array(2)) == end


def test_late_starts_are_those_that_were_improved() -> None:
    told: list[int] = []
    given = np.array([1]), np.array([3])
    for steps, number in ((0, 0), (1, 1), (2, 2), (9, 3)):
        search: Any = Climb(steps)
        limits: Any = SimpleNamespace(
            seed=1, clock=search, report=lambda done, *_: told.append(done)
        )
        told.clear()
        best, improved = module._improve_starts(search, given, np.array([0]), 3, limits)
        assert improved == number
        assert told == list(range(number + 1))
        assert best.tolist() > [10]


def test_a_result_tells_what_was_reached_or_why_not() -> None:
    puzzle, merit = read_puzzle(SMALL), Merit(0, 0.5, 3, 1)
    for after in (merit, None):
        found = Rearrangement(puzzle, merit, None, after, "min", ("Jan",), "late")
        assert found.status is (Status.UNKNOWN if after is None else Status.DONE)
        told = found.describe()
        assert told["puzzle"] == "Three months"
        assert told["grid"] == ["Jan Feb Mar 1", "2 3 4 5", "6 7 8 *"]
        assert (told["greedy"], told["detail"], told["by"]) == (None, "late", "min")
        assert (told["after"] is None) is (after is None)


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"the order is one of .*, not size"):
        rearrange(read_puzzle(SMALL), by="size")
