"""Time limits of long work: nothing unproved is claimed, and what was finished is kept."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip._base.errors import InputError
from calmip._base.limits import Progress
from calmip.cli import main
from calmip.mip.lp.branching import branch_and_bound
from calmip.mip.lp.linear import LinearModel
from calmip.puzzle.tasks.relax import relaxable

TINY = "instances/tiny.yaml"
FEB29 = calmip.read_instance("feb29")
WEEK = """\
name: A week
grid: ["Mon Tue Wed Thu Fri Sat Sun"]
uncover: [weekday]
pieces: [I3, I3]
"""

Late = Callable[..., Any]


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Late:
    """Make a function or a progress reach the time limit at its n-th call."""
    ahead = 0.0
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: time.perf_counter() + ahead)

    def at(call: int, function: Callable[..., Any] = lambda _: None) -> Callable[..., Any]:
        calls = 0

        def later(*args: Any, **given: Any) -> Any:
            nonlocal ahead, calls
            calls += 1
            ahead += 1e6 * (calls == call)
            return function(*args, **given)

        return later

    return at


def test_a_relaxation_without_its_last_cuts_is_said_to_be_one(
    late: Late, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from calmip.puzzle.tasks import relax

    once = calmip.relax(FEB29, cuts=["clique", "odd-hole"], rounds=1)
    monkeypatch.setattr(relax, "find_cuts", late(2, relax.find_cuts))
    found = calmip.relax(FEB29, cuts=["clique", "odd-hole"], time_limit=100)
    assert (found.status, found.stopped, found.cuts) == ("unknown", "time", once.cuts)
    assert (found.bound, found.values) == (once.bound, once.values)
    assert "time limit reached: the cuts are not all found and added" in str(found)
    assert found.describe()["stopped"] == "time"
    monkeypatch.undo()
    assert main(["relax", "praxis-rhombus", "--date", "today", "--time-limit", "0.0001"]) == 3
    out, err = capsys.readouterr()
    assert (out, err) == ("", "the time limit was reached before the relaxation was solved\n")


def test_a_relaxation_is_infeasible_only_with_a_proof(
    late: Late, monkeypatch: pytest.MonkeyPatch
) -> None:
    chess = calmip.read_instance("instances/chessboard.yaml")
    assert calmip.relax(chess, time_limit=100).status == "infeasible"
    refuted = late(1, lambda *_: (None, None))
    monkeypatch.setattr("calmip.puzzle.tasks.relax.refute_rows", refuted)
    monkeypatch.setattr("calmip.puzzle.tasks.relax.find_certificate", lambda *_, **__: None)
    found = calmip.relax(chess, time_limit=100)
    assert (found.status, found.stopped) == ("unknown", "time")
    assert "without an exact proof, which the time limit has ended" in str(found)


@pytest.mark.long
@pytest.mark.parametrize("order", ["depth-first", "best-first"])
@pytest.mark.parametrize("last", [1, 2, 9, 10])
def test_a_tree_that_was_stopped_is_the_beginning_of_the_whole_one(
    last: int, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The relaxation of a first or a second child is not solved in time."""
    whole = calmip.tree(FEB29, order=[order])
    calls, solve = 0, LinearModel.solve

    def slow(model: LinearModel, *args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > last:
            raise TimeoutError
        return solve(model, *args)

    monkeypatch.setattr(LinearModel, "solve", slow)
    found = calmip.tree(FEB29, order=[order], time_limit=100)
    nodes, size = found.searches[0].nodes, 1 + 2 * ((last - 1) // 2)
    assert (found.status, found.stopped, len(nodes)) == ("unknown", "time", size)
    assert [(one.parent, one.column, one.value, one.bound) for one in nodes] == [
        (one.parent, one.column, one.value, one.bound) for one in whole.searches[0].nodes[:size]
    ]
    children = [one.parent for one in nodes]
    for one in nodes:
        assert children.count(one.number) == 2 * (one.status == "branched")
        assert one.status != "open" or one.bound is not None
    assert "(limit reached)\ntime limit reached: these trees are not all" in str(found)
    with pytest.raises(TimeoutError):  # the root is not solved, either
        branch_and_bound(relaxable(found.problem, packing=False, weight=None))


def test_a_solution_that_is_dropped_with_its_brother_prunes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance, left, solve = calmip.read_instance("christmas"), 0, LinearModel.solve
    (whole,) = calmip.tree(instance).searches
    (first,) = [node.number for node in whole.nodes if node.status == "solution"]
    assert first % 2 == 1  # the first of two children

    def slow(model: LinearModel, *args: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TimeoutError
        return solve(model, *args)

    monkeypatch.setattr(LinearModel, "solve", slow)
    left = first + 1
    (search,) = calmip.tree(instance, time_limit=100).searches
    assert (len(search.nodes), search.solutions, search.count("bound")) == (first, [], 0)
    assert search.count("open") == whole.count("bound") + 1


def test_a_tree_has_no_tiling_only_if_a_search_agrees_in_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chess = calmip.read_instance("instances/chessboard.yaml")
    assert calmip.tree(chess).status == "infeasible"
    for place in ("mip.independent_search", "puzzle.search.exact_cover.witnesses"):
        monkeypatch.setattr(f"calmip.{place}.exists", lambda *_, **__: (None, []))
    assert calmip.tree(chess, time_limit=100).status == "unknown"
    assert calmip.tree(calmip.Model.from_cover(calmip.ExactCover(chess))).status == "unknown"
    assert main(["tree", "instances/chessboard.yaml"]) == 3
    capsys.readouterr()
    assert main(["tree", "praxis-rhombus", "--date", "today", "--time-limit", "0.0001"]) == 3
    assert "before the first relaxation was solved" in capsys.readouterr().err


@pytest.mark.trade("proofs")
def test_a_proof_is_written_whole_or_not_at_all(
    late: Late, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = calmip.read_instance(TINY)
    model = calmip.Model.from_cover(calmip.ExactCover(tiny))
    for source in (tiny, model):
        found = calmip.prove(source, tmp_path, time_limit=100, progress=late(2))
        assert (found.status, found.stopped, found.tilings) == ("unknown", "time", None)
        assert str(found) == "nothing is proved: the time limit was reached"
        assert list(tmp_path.iterdir()) == []
        assert calmip.prove(source, tmp_path, time_limit=100).tilings == 2
        kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert not calmip.prove(source, tmp_path, time_limit=100, progress=late(2)).known
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
        for path in tmp_path.iterdir():
            path.unlink()
    words = ["prove", "praxis-rhombus", "--date", "2024-02-29", "--time-limit", "0.001"]
    assert main([*words, "-o", str(tmp_path), "--format", "json"]) == 3
    assert capsys.readouterr() == ("", "nothing is proved: the time limit was reached\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.trade("proofs")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_dates_that_are_proved_in_time_stand(
    workers: int, late: Late, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from calmip.proofs.check_tree import check

    months, year = calmip.read_puzzle("tests/data/two-months.yaml"), tmp_path / "year"
    # The first call says that none is done.
    found = calmip.prove.dates(months, year, workers=workers, time_limit=100, progress=late(4))
    assert (found.status, found.stopped, found.tilings) == ("unknown", "time", None)
    assert found.dates is not None
    assert 3 <= len(found.dates) < 8
    assert re.match(
        r"\d dates, each proof checked: .*\nthe time limit was reached before the other dates; run "
        "it again to continue",
        str(found),
    )
    proofs = {path.parent.name: path for path in year.glob("*/proof.json")}
    assert set(found.dates) <= set(proofs)
    for name, path in proofs.items():
        assert found.dates.get(name) in (None, check(json.loads(path.read_text())))
    times = {path: path.stat().st_mtime_ns for path in proofs.values()}
    whole = calmip.prove.dates(months, year)
    assert whole.dates is not None
    assert len(whole.dates) == 8
    assert {name: whole.dates[name] for name in found.dates} == found.dates
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert main(["prove", "dates", "praxis-rhombus", "--time-limit", "0.001"]) == 3
    assert "nothing is proved: the time limit was reached" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.trade("year")
def test_a_calendar_keeps_its_days_for_later(
    late: Late, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from calmip.year.calendar import DaySearch

    (tmp_path / "week.yaml").write_text(WEEK)
    monkeypatch.chdir(tmp_path)
    words = ["calendar", "week.yaml", "--year", "2027", "-o"]
    assert main([*words, "whole.json"]) == 0
    with monkeypatch.context() as patch:
        patch.setattr(DaySearch, "day", late(32, DaySearch.day))
        assert main([*words, "late.json", "--time-limit", "100"]) == 3
    err = capsys.readouterr().err
    assert "time limit reached: 31 of 365 days of 2027 are finished\n" in err
    assert "partial results are in late.json.part; continue with --resume" in err
    assert not Path("late.json").exists()
    assert len(Path("late.json.part").read_text().splitlines()) == 1 + 31
    # The days without a tiling are proved again, which may be too late, too.
    with monkeypatch.context() as patch:
        patch.setattr(DaySearch, "day", late(2, DaySearch.day))
        assert main([*words, "late.json", "--time-limit", "100", "--resume"]) == 3
    assert len(Path("late.json.part").read_text().splitlines()) == 1 + 31
    assert main([*words, "late.json", "--time-limit", "100", "--resume"]) == 0
    assert Path("late.json").read_bytes() == Path("whole.json").read_bytes()
    assert not Path("late.json.part").exists()


@pytest.mark.trade("year")
def test_a_calendar_of_which_days_are_missing_is_none(late: Late, tmp_path: Path) -> None:
    week = tmp_path / "week.yaml"
    week.write_text(WEEK)
    puzzle = calmip.read_puzzle(week)
    found = calmip.calendar(puzzle, 2027, time_limit=100, progress=late(8))
    assert (found.status, found.stopped, len(found.days)) == ("unknown", "time", 7)
    assert repr(found) == (
        "<Calendar unknown: A week, time limit reached: 7 of 365 days of 2027 are finished>"
    )
    with pytest.raises(InputError, match="7 of 365 days"):
        found.save(tmp_path / "week.html")
    assert not (tmp_path / "week.html").exists()
    for call in (5, 370):  # while days are searched, while they are compared
        seen: list[Progress] = []
        step = late(call, seen.append)
        few = calmip.calendar(puzzle, 2027, least_moves=True, time_limit=100, progress=step)
        assert (few.status, few.days, few.bound) == ("unknown", (), None)
        assert seen[-1].what == ("days searched" if call == 5 else "days compared")


@pytest.mark.trade("year")
def test_years_have_one_time_limit(
    late: Late, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from calmip.year.calendar import DaySearch

    (tmp_path / "week.yaml").write_text(WEEK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(DaySearch, "day", late(370, DaySearch.day))
    words = ["calendar", "week.yaml", "-o", "w.json", "--time-limit", "100"]
    assert main([*words, "--year", "2026-2029"]) == 3
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"week.yaml", "w-2026.json", "w-2027.json.part"}
