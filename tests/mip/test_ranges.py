"""The ranges of variables over all optima: against brute force, limits, and searches that lie."""

from __future__ import annotations

import itertools
import json
import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from pool_referee import BOX, SmallModel, draw_model, extremes

import calmip
from calmip import InputError, Model
from calmip._base.errors import SolverFailed
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip import Goal, Range, Ranges, find_ranges
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer, exact_model
from calmip.mip.optima import ranges
from calmip.mip.pool import PoolSearch
from calmip.mip.status import Status

Capture = pytest.CaptureFixture[str]

GOALS = (Goal(optimal=True), Goal(), Goal(within=Fraction(2)), Goal(gap=Fraction(1, 4)))

CHOICE = """Maximize
 o: 2 a + 2 b + c
Subject To
 r: a + b + c + 0 d <= 2
 s: a + b <= 1
 t: d + a <= 1
 u: d + b <= 1
Binaries
 a b c d
End
"""


LINE = "Minimize\n o: x + y\nSubject To\n c: x + y >= 1\nBounds\n x <= 5\n y <= 5\nEnd\n"


def referee(small: SmallModel, goal: Goal) -> dict[int, Range]:
    """Return the ranges by brute force; none if there is no solution."""
    found = small.completions()
    sign = -1 if small.maximise else 1
    worst = None
    if not goal.plain and any(Fraction(cost) for cost in small.cost.values()):
        best = min((sign * one for one in found.values() if one is not None), default=None)
        if best is None:
            return {}
        more = goal.gap * abs(best) if goal.gap else goal.within or Fraction(0)
        worst = sign * (best + more)
    ends: dict[int, list[float | Fraction]] = {}
    for choice, value in found.items():
        if worst is not None and value is not None and sign * value > sign * worst:
            continue
        for column, x in zip(small.whole, choice, strict=True):
            ends.setdefault(column, []).append(Fraction(x))
        for column, (low, high) in extremes(small, choice, worst).items():
            here = ends.setdefault(column, [])
            here += [-math.inf if low is None else low, math.inf if high is None else high]
    return {column: Range(min(some), max(some), True, True) for column, some in ends.items()}


def compare(seeds: range, path: Path) -> dict[str, int]:
    """Compare ranges with the referee's; return how many were fixed, at 0 and neither."""
    seen = {"models": 0, "fixed": 0, "unused": 0, "wide": 0, "infinite": 0, "none": 0}
    for seed in seeds:
        _, small = draw_model(seed)
        goal = GOALS[seed % 4] if seed % 8 < 6 else GOALS[0]
        path.write_text(small.mps())
        try:
            model = calmip.read_model(path)
            found = find_ranges(model, goal)
        except InputError:  # an unbounded objective or integer column
            continue
        if len(model.columns) != len(small.columns):
            continue
        open_columns = [c for c in small.whole if None in small.columns[c][:2]]
        if any(max(map(abs, found.ranges[c][:2])) >= BOX for c in open_columns if len(found)):
            continue  # beyond what the referee searches
        seen["models"] += 1
        wanted = referee(small, goal)
        assert (found.complete, found.stopped) == (True, ""), seed
        assert dict(enumerate(found)) == wanted, seed
        seen["none"] += not wanted
        for one in found:
            seen["fixed"] += one.fixed is True
            seen["unused"] += one.unused is True
            seen["wide"] += one.fixed is False
            seen["infinite"] += math.inf in one[:2] or -math.inf in one[:2]
        assert found.unique is (bool(wanted) and all(low == high for low, high, *_ in found))
    return seen


def test_ranges_of_a_few_models_are_those_of_brute_force(tmp_path: Path) -> None:
    assert compare(range(10), tmp_path / "small.mps")["models"]


@pytest.mark.long
def test_ranges_are_those_of_brute_force(tmp_path: Path) -> None:
    assert min(compare(range(48), tmp_path / "small.mps").values()) > 0


@pytest.mark.long
def test_ranges_of_many_models_are_those_of_brute_force(tmp_path: Path) -> None:
    assert min(compare(range(48, 600), tmp_path / "small.mps").values()) > 5


@pytest.mark.parametrize("last", [105, pytest.param(130, marks=pytest.mark.long)])
def test_without_a_listing_the_searches_find_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    monkeypatch.setattr(ranges, "MAX_QUIET", 0)
    assert compare(range(100, last), tmp_path / "small.mps")["models"] > (last - 100) / 3


@pytest.mark.parametrize("proved", [True, False])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_end_that_the_relaxation_exceeds_is_that_of_a_search(
    monkeypatch: pytest.MonkeyPatch, sign: int, *, proved: bool
) -> None:
    """With y <= 1 + 2 x and y <= 3 - 2 x the relaxation has y = 2 at x = 1/2."""
    if not proved:
        unproved = property(lambda _: False, lambda *_: None)
        monkeypatch.setattr(ranges.PoolSearch, "proved", unproved, raising=False)
    rows = [("a", {0: -2, 1: sign}, -math.inf, 1), ("b", {0: 2, 1: sign}, -math.inf, 3)]
    ends = (0, 9) if sign > 0 else (-9, 0)
    found = find_ranges(exact_model(["x", "y"], [(0, 1), ends], [True, False], rows), Goal())["y"]
    assert found[:2] == tuple(sorted((0, sign)))
    assert (found.high_proved if sign > 0 else found.low_proved) is proved


class Limited(Deadline):
    """Is over after so many questions."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.questions = questions

    @property
    def over(self) -> bool:
        self.questions -= 1
        return self.questions < 0

    def check(self, unfinished: str) -> None:
        if self.over:
            raise TimeoutError(unfinished)


@pytest.mark.parametrize("seed", [2, 10, 12, 18, 1])
def test_what_the_time_leaves_open_is_never_called_proved(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "MAX_QUIET", 0)
    _, small = draw_model(seed)
    path = tmp_path / "small.mps"
    path.write_text(small.mps())
    model = calmip.read_model(path)
    whole = find_ranges(model)
    assert whole.complete
    left = []
    for questions in (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128):
        found = find_ranges(model, clock=Limited(questions))
        left.append(found.complete)
        assert found.complete or found.stopped == "time"
        assert found.unique in {whole.unique, None}
        for one, truth in zip(found, whole, strict=False):
            assert truth.low <= one.low <= one.high <= truth.high
            assert not one.low_proved or one.low == truth.low
            assert not one.high_proved or one.high == truth.high
            assert one.fixed in {truth.fixed, None}
            assert one.unused in {truth.unused, None}
    assert not left[0]
    assert left[-1]


@pytest.mark.long
def test_a_far_end_is_found_by_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, take = [], ranges._Search.take

    def count(search: ranges._Search, point: Mapping[int, int | Fraction]) -> bool:
        taken.append(point)
        return take(search, point)

    monkeypatch.setattr(ranges._Search, "take", count)
    far = 10**6 - 7
    model = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 0.0, float(far))])
    whole = model.changed(column_upper=model.column_upper * 10**6)
    found = find_ranges(whole, Goal())
    assert [one[:2] for one in found] == [(0, far), (0, far)]
    assert found.searches < 60
    assert len(taken) < 120


def test_half_an_interval_without_solutions_leaves_the_other_half() -> None:
    """The bounds that rows imply one by one are twice the greatest value."""
    rows = [("sum", {0: 1.0, 1: 1.0}, 0.0, 600.0), ("order", {0: 1.0, 1: -1.0}, -600.0, 0.0)]
    model = Model.from_rows(["x", "y"], rows)
    wide = model.changed(column_upper=model.column_upper * 1000)
    assert [one[:2] for one in find_ranges(wide, Goal())] == [(0, 300), (0, 600)]


def test_integers_that_are_not_decided_prove_no_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A continuous column may go further with values of the integers that were not found."""
    path = tmp_path / "late.lp"
    path.write_text(
        "Minimize\n o: 0 y\nSubject To\n c: y - 3 k <= 0\nBounds\n y <= 9\n k <= 3\n"
        "General\n k\nEnd\n"
    )
    model = calmip.read_model(path)
    truth = find_ranges(model)
    assert truth["y"] == (0, 9, True, True)
    monkeypatch.setattr(ranges, "MAX_QUIET", 0)
    monkeypatch.setattr(ranges._Search, "_beyond", lambda *_: None)
    found = find_ranges(model)
    assert found["k"].proved is False
    for one, other in zip(found, truth, strict=True):
        assert not one.low_proved or one.low == other.low
        assert not one.high_proved or one.high == other.high


@pytest.mark.parametrize(
    ("side", "proved", "best", "shown"),
    [
        *((0, False, 2, False), (0, True, 1, False), (0, True, 2, True)),
        *((1, False, -2, False), (1, True, 2, False), (1, True, -2, True)),
    ],
)
def test_a_search_for_an_end_proves_it_if_it_is_the_optimum(
    side: int,
    proved: bool,
    best: int,
    shown: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Found:
        stopped = ""

        def __init__(self, *_: object, **__: object) -> None:
            self.proved, self.best = proved, best

        def __iter__(self) -> Iterator[object]:
            return iter(())

    path = tmp_path / "line.lp"
    path.write_text(LINE)
    model = calmip.read_model(path)
    search = ranges._Search(model, Goal(optimal=True), Deadline())
    search.take({0: 2, 1: 1})
    monkeypatch.setattr(ranges, "PoolSearch", Found)
    search._search_side(model, {0: 1}, 0, side)
    assert search.proved[side][0] is shown
    monkeypatch.setattr(Found, "stopped", "time")
    with pytest.raises(TimeoutError):
        search._search_side(model, {0: 1}, 0, side)


def test_bounds_that_exclude_a_solution_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    monkeypatch.setattr("calmip.mip.pool.tighten", lambda *_: False)
    with pytest.raises(SolverFailed, match="the bounds exclude a solution"):
        find_ranges(calmip.read_model(path))


def test_an_objective_that_does_not_count_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "free.lp"
    path.write_text(LINE.replace("o: x + y", "o: z").replace("x <= 5", "x <= 5\n z free"))
    model = calmip.read_model(path)
    with pytest.raises(InputError):
        find_ranges(model)
    assert find_ranges(model, Goal())["z"] == (-math.inf, math.inf, True, True)
    assert find_ranges(model.with_costs({})).goal == Goal()


def test_a_listing_of_few_solutions_needs_no_search(tmp_path: Path) -> None:
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    found = find_ranges(calmip.read_model(path))
    assert found.searches == 0
    assert (found.fixed, found.unused, found.open) == ({"c": 1, "d": 0}, ("d",), ())
    assert found["a"] == (0, 1, True, True)
    assert repr(found) == "<Ranges feasible: 2 of 4 variables are fixed, 1 of them at 0>"
    with pytest.raises(InputError, match="there is no range of 'e'"):
        found["e"]
    with pytest.raises(InputError, match="best is not one"):
        find_ranges(found.model, Goal(best=2))


def test_an_infeasible_model_has_no_ranges(tmp_path: Path) -> None:
    path = tmp_path / "none.lp"
    path.write_text(CHOICE.replace("a + b <= 1", "a + b >= 3"))
    found = find_ranges(calmip.read_model(path))
    assert (found.status, found.complete, len(found)) == (Status.INFEASIBLE, True, 0)
    assert found.unique is False
    path.write_text(CHOICE)
    late = find_ranges(calmip.read_model(path), clock=Deadline(1e-9))
    assert (late.status, late.unique, late.stopped) == (Status.UNKNOWN, None, "time")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (LinearAnswer(Status.INFEASIBLE), "exact searches disagree"),
        (LinearAnswer(Status.OPTIMAL, {0: -1, 1: 2}), "found a point that is none"),
        (LinearAnswer(Status.OPTIMAL, {0: 5}), "found a point that is none"),
    ],
)
def test_a_linear_program_that_lies_proves_nothing(
    answer: LinearAnswer, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE)
    model = calmip.read_model(path)
    assert [one[:2] for one in find_ranges(model)] == [(0, 1), (0, 1)]
    solve = ExactLp.solve

    def lie(self: ExactLp, *given: object, **named: Mapping[int, object]) -> LinearAnswer:
        return answer if "bounds" in named else solve(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ExactLp, "solve", lie)
    with pytest.raises(SolverFailed, match=words):
        find_ranges(model)


def test_a_search_that_stops_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "MAX_QUIET", 0)
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    model = calmip.read_model(path)
    within = PoolSearch.within

    def undecided(self: PoolSearch, *given: object) -> PoolSearch:
        search = within(self, *given)  # type: ignore[arg-type]
        search.settings = type(search.settings)(search.settings.program, node_limit=0)
        return search

    monkeypatch.setattr(PoolSearch, "within", undecided)
    found = find_ranges(model)
    assert not found.complete
    assert found.stopped == "nodes"
    assert found.open
    assert all(found[name].fixed is not True for name in found.open)
    assert "not decided" in str(found)


def test_the_command_lists_them(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    assert main(["unique", str(path), "--ranges"]) == 1
    assert capsys.readouterr().out.splitlines()[2:-1] == [
        "always: c=1",
        "never used: d",
        "variable  least  greatest",
        "a             0         1",
        "b             0         1",
        "2 of 4 variables are fixed, 1 of them at 0",
    ]
    assert main(["unique", str(path), "--ranges", "--format", "csv"]) == 1
    lines = capsys.readouterr().out.split()
    assert lines[0] == "variable,low,high,low_proved,high_proved"
    assert lines[3] == "c,1,1,True,True"
    assert main(["unique", str(path), "--ranges", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["ranges"][3] == {
        "variable": "d",
        "low": 0,
        "high": 0,
        "low_proved": True,
        "high_proved": True,
    }
    path.write_text(CHOICE.replace("2 b", "b"))
    assert main(["unique", str(path), "--ranges"]) == 0
    assert "4 of 4 variables are fixed, 2 of them at 0" in capsys.readouterr().out


def test_ranges_of_a_puzzle_are_those_of_its_tilings() -> None:
    instance = calmip.read_instance("instances/feb29.yaml")
    found = calmip.unique(instance, ranges=True).ranges
    assert isinstance(found, Ranges)
    pool = calmip.enumerate(instance)
    cover = calmip.ExactCover(instance)
    used = [{cover.option_names[o] for o in one.options(cover)} for one in pool.tilings]
    assert set(found.fixed) - set(found.unused) == set.intersection(*used)
    assert {name for name, one in found.named.items() if one.high == 1} == set.union(*used)
    assert found.complete


def test_ranges_that_are_left_open_have_the_exit_code_of_a_limit(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE.replace("x <= 5", "x <= 5\n z <= 3"))

    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(ranges._Search, "_test_side", late)
    assert main(["unique", str(path), "--ranges"]) == 3
    out = capsys.readouterr().out
    assert "3 are not decided" in out
    assert "least not decided" in out
    assert out.splitlines()[-2] == "time limit reached: the list is not complete"


def test_an_infinite_end_is_a_number_of_csv(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "line.lp"
    path.write_text(
        "Minimize\n o: y\nSubject To\n c: 3 z >= -1\nBounds\n x free\n z <= 0\n z >= -9\nEnd\n"
    )
    assert main(["unique", str(path), "--ranges", "--format", "csv"]) == 1
    assert set(capsys.readouterr().out.splitlines()[1:]) == {
        "x,-inf,inf,True,True",
        "y,0,0,True,True",
        "z,-1/3,0,True,True",
    }


def test_without_a_solution_there_are_no_ranges(tmp_path: Path) -> None:
    path = tmp_path / "none.lp"
    path.write_text(CHOICE.replace("<= 1", ">= 3"))
    found = find_ranges(calmip.read_model(path))
    assert (str(found), len(found)) == ("there is no solution", 0)
    path.write_text(CHOICE)
    late = find_ranges(calmip.read_model(path), clock=Deadline(1e-9))
    assert (str(late), len(late)) == ("no solution was found", 0)


def test_a_notebook_shows_a_table(tmp_path: Path) -> None:
    path = tmp_path / "choice.lp"
    path.write_text(CHOICE)
    shown = find_ranges(calmip.read_model(path))._repr_html_()
    assert "<p>always: c=1</p>" in shown
    assert "<table>" in shown


def test_the_table_names_the_open_end_and_escapes_names() -> None:
    model = Model.from_rows(["a\x1b[31m", "b"], [], column_upper=array("d", [1, 1]))
    found = find_ranges(model, Goal())
    rows = replace(found, ranges=(Range(0, 1, True, False), Range(0, 1, False, True)))._repr_html_()
    first, last = (row for row in rows.splitlines() if "<td" in row)
    assert "a\\x1b[31m" in first
    assert "greatest not decided" in first
    assert "least not decided" in last


def test_all_ranges_are_proved_or_it_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    model = exact_model(["x", "y"], [(0, 1)] * 2, [True] * 2, [("r", {0: 1, 1: 1}, 0, 2)])
    monkeypatch.setattr(ranges._Search, "run", lambda _: None)
    for ends in itertools.product((True, False), repeat=4):
        given = [Range(0, 1, *ends[:2]), Range(0, 1, *ends[2:])]
        monkeypatch.setattr(ranges._Search, "ranges", lambda _, given=given: iter(given))
        found = find_ranges(model)
        assert (found.complete, found.open) == (
            all(ends),
            tuple(name for name, one in zip("xy", given, strict=True) if not one.proved),
        )
    known = ranges.ranges_of_point(model, {1: 1})
    assert known.complete
    assert known.unique is True
    assert list(known) == [Range(0, 0, True, True), Range(1, 1, True, True)]


@pytest.mark.parametrize("proved", list(itertools.product((True, False), repeat=2)))
def test_a_continuous_range_rests_on_integers_that_are_proved(proved: tuple[bool, bool]) -> None:
    """z is at most x + y; the ranges of the integers that are not proved are too narrow."""
    rows = [("r", {0: 1, 1: 1, 2: -1}, 0, math.inf)]
    model = exact_model(list("xyz"), [(0, 3), (0, 3), (0, 9)], [True, True, False], rows)
    search = ranges._Search(model, Goal(), Deadline(60))
    search.low, search.high = [0, 0, 0], [3 if one else 0 for one in proved] + [0]
    for side in (0, 1):
        search.proved[side][:2] = proved
    search._test_continuous(search.pool.bounded(None))
    z = list(search.ranges())[2]
    assert z == Range(0, 6, True, True)


def test_a_point_widens_a_range_only_beyond_it() -> None:
    model = exact_model(["x", "y"], [(0, 9)] * 2, [True] * 2, [("r", {0: 1, 1: 1}, 0, 18)])
    search = ranges._Search(model, Goal(), Deadline(60))
    taken = [({0: 3}, True), ({0: 3}, False), ({0: 4}, True), ({0: 3, 1: 1}, True), ({0: 4}, False)]
    for point, wider in [*taken, ({0: 2, 1: 1}, True), ({}, True), ({0: 1, 1: 1}, False)]:
        assert search.take(point) is wider
    assert (search.low, search.high) == ([0, 0], [4, 1])
