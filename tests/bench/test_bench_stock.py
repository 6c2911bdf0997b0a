"""Campaigns race solvers as their authors ship them, and take starting them apart from solving."""

from __future__ import annotations

import ast
import math
import os
import shutil
import sqlite3
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from requirements import need_solver
from test_bench import TINY, campaign, fake_cbc, needs_fork
from test_bench_report import results, run

import calmip
from calmip import InputError
from calmip.bench.campaign import runner
from calmip.bench.campaign.statistics import by_clock, entries
from calmip.bench.campaign.store import Store, read_runs
from calmip.puzzle.cover import ExactCover
from calmip.solvers import Limits, solver_named
from calmip.solvers.base import OptionUnknown, options_of


@pytest.mark.long
@needs_fork
def test_a_solver_is_stock_unless_the_file_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row has the options that the program got, and calmip's settings are a competitor."""
    words = tmp_path / "words"
    fake_cbc(tmp_path, monkeypatch, f"open({str(words)!r}, 'a').write(' '.join(sys.argv) + '\\n')")
    text = (
        f"instances: [{{puzzle: {TINY}}}]\nreference_every: 0\nsolvers:\n- cbc\n"
        "- {name: cbc, settings: calmip}\n- {name: cbc, options: {preprocess: 'off'}}\n"
    )
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    got = {line.split(" -solve")[0].split("-sec ")[1] for line in words.read_text().splitlines()}
    tails = {" ".join(one.split()[1:]) for one in got}
    assert tails == {"", "-cuts off", "-preprocess off"}
    rows = {
        (row["settings"], row["chosen"]): row["options"] for row in read_runs(tmp_path / "r.db")[0]
    }
    assert rows == {
        ("stock", ""): "",
        ("calmip", ""): "cuts=off",
        ("stock", "preprocess=off"): "preprocess=off",
    }
    report = calmip.bench.report(tmp_path / "r.db")
    assert report.names == ("cbc calmip", "cbc", "cbc preprocess=off")
    assert [one["passed"] for one in report.summary["competitors"]] == [
        ["cuts=off"],
        [""],
        ["preprocess=off"],
    ]


def test_what_solvers_get_beside_the_limits() -> None:
    stock, tuned = Limits(stock=True), Limits()
    names = ("highs", "cbc", "glpk", "scip", "cpsat", "gurobi", "z3", "exact-cover")
    assert {name: options_of(solver_named(name), stock) for name in names} == {
        **{name: {} for name in names},
        "highs": {"mip_rel_gap": "0"},
        "gurobi": {"MIPGap": "0"},
    }
    assert options_of(solver_named("cbc"), tuned) == {"cuts": "off"}
    assert options_of(solver_named("glpk"), tuned) == {"mostf": ""}
    assert options_of(solver_named("highs"), tuned)["dives"] == "40"
    assert options_of(solver_named("cbc"), Limits(options=(("cuts", "on"),))) == {"cuts": "on"}


@pytest.mark.parametrize("stock", [True, False])
def test_highs_that_is_stock_runs_once_and_with_its_own_defaults(
    stock: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No dive, no change of the model, and no option but the gap."""
    from calmip.solvers import highs

    sets: list[dict[str, Any]] = []
    runs: list[int] = []

    class Watched(highs.HighsModel):
        def set(self, options: Any) -> bool:
            sets.append(dict(options))
            return bool(super().set(options))

        def set_costs(self, costs: Any) -> None:
            sets.append({"costs": list(costs)})
            super().set_costs(costs)

        def run(self, *more: Any) -> None:
            runs.append(1)
            super().run(*more)

    real = highs.new_highs

    def make(*words: Any, **more: Any) -> Any:
        found = real(*words, **more)
        found.__class__ = type("W", (Watched, type(found)), {})
        return found

    path = tmp_path / "m.mps"
    calmip.export(calmip.read_instance(TINY), path)
    monkeypatch.setattr(highs, "new_highs", make)
    found = solver_named("highs").solve(path, Limits(30, 7, stock=stock))
    assert found.status == "optimal"
    given = {key: value for one in sets for key, value in one.items()}
    own = set(given) - {"output_flag", "time_limit", "random_seed", "mip_rel_gap"}
    assert (not own) == stock
    assert given["mip_rel_gap"] == "0"
    if stock:
        assert (given["random_seed"], len(runs)) == (7, 1)
        with pytest.raises(OptionUnknown, match="give settings: calmip too"):
            solver_named("highs").solve(path, Limits(30, stock=True, options=(("dives", "1"),)))


def test_settings_that_say_nothing_are_refused(tmp_path: Path) -> None:
    for solvers, words in (
        ("[{name: scip, settings: calmip}]", "calmip has no settings of its own for scip"),
        ("[{name: cbc, settings: fast}]", "settings: 'fast' is not one of stock, calmip"),
        ("[cbc, {name: cbc, settings: stock}]", "with the same settings and options"),
    ):
        text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: {solvers}\n"
        with pytest.raises(InputError, match=words):
            calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")


SCIP = """
import os, time
{body}
class Variable:
    def __init__(self, name): self.name = name
    def getLbOriginal(self): return 0.0
    def getUbOriginal(self): return 1.0
class Model:
    def __getattr__(self, name): return lambda *_, **__: None
    def getStatus(self): return "optimal"
    def infinity(self): return 1e20
    def getDualbound(self): return 4.0
    def getNSols(self): return 1
    def getVars(self, **_): return [Variable(name) for name in {names!r}]
    def getSolVal(self, best, v): return 1.0
    def getNTotalNodes(self): return 1
"""


def fake_scip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    from calmip.puzzle.search.exact_cover.search import solutions

    cover = ExactCover(calmip.read_instance(TINY))
    names = [cover.option_names[option] for option in next(solutions(cover))]
    folder = tmp_path / "packages"
    (folder / "pyscipopt-0.0.dist-info").mkdir(parents=True)
    text = "Metadata-Version: 2.1\nName: pyscipopt\nVersion: 0.0\n"
    (folder / "pyscipopt-0.0.dist-info" / "METADATA").write_text(text)
    (folder / "pyscipopt.py").write_text(SCIP.format(body=textwrap.dedent(body), names=names))
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.long
@needs_fork
def test_starting_a_solver_is_no_part_of_its_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_scip(
        tmp_path,
        monkeypatch,
        "until = time.process_time() + 0.4\nwhile time.process_time() < until: pass\ntime.sleep(1)",
    )
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [scip, highs]\ntime_limit: 600\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    rows = {row["solver"]: row for row in read_runs(tmp_path / "r.db")[0]}
    scip = rows["scip"]
    assert scip["status"] == "solved"
    assert scip["wall"] > scip["start_wall"] > 1.4
    assert scip["cpu"] > scip["start_cpu"] > 0.4
    assert rows["highs"]["start_wall"] == 0
    assert rows["highs"]["start_cpu"] < 0.2
    for clock in ("wall", "cpu"):
        report = calmip.bench.report(tmp_path / "r.db", clock=clock)
        (time,) = next(one for one in report.entries if one.solver == "scip").times.values()
        assert time.seconds == pytest.approx(scip[clock] - scip[f"start_{clock}"])


@pytest.mark.long
@needs_fork
def test_a_solver_that_never_starts_reached_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "STARTUP_SECONDS", 0.2)
    fake_scip(tmp_path, monkeypatch, "time.sleep(600)")
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [scip]\ntime_limit: 0.2\n"
    calmip.bench.run(campaign(tmp_path, text + "reference_every: 0\n"), tmp_path / "r.db")
    (row,) = read_runs(tmp_path / "r.db")[0]
    assert row["status"] in ("time", "starved")  # on a busy machine
    assert row["start_cpu"] is None


@pytest.mark.long
def test_starting_a_solver_is_no_part_of_its_limit_if_so_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, begin = tmp_path / "told", tmp_path / "begin"
    monkeypatch.setattr(Limits, "patience", None)  # however slow the machine is
    fake_scip(tmp_path, monkeypatch, f"time.sleep(float(open({str(begin)!r}).read()))")
    module = tmp_path / "packages" / "pyscipopt.py"
    watch = f"    def setParam(self, *words): open({str(told)!r}, 'a').write(f'{{words}}\\n')\n"
    module.write_text(module.read_text().replace("class Model:\n", "class Model:\n" + watch))
    path = tmp_path / "m.mps"
    calmip.export(calmip.read_instance(TINY), path)

    def given(seconds: float, startup: float) -> float:
        """Return the limit that the solver gets, which takes a little longer to start."""
        told.unlink(missing_ok=True)
        begin.write_text(str(1.1 * seconds))
        solver_named("scip").solve(path, Limits(seconds, startup=startup))
        limits = dict(map(ast.literal_eval, told.read_text().splitlines()))
        assert 0 < limits["limits/time"] <= seconds
        return float(limits["limits/time"])

    assert given(0.9, startup=0.0) < 0.5
    # All else is not free: a busy machine needs seconds for it.
    assert any(given(seconds, startup=600.0) > seconds / 2 for seconds in (0.9, 9.0, 60.0))


def test_both_seconds_are_reported(tmp_path: Path) -> None:
    rows = [
        run("slow", "a", 0, 3.0, start_wall=1.0, start_cpu=0.5),
        run("slow", "b", 0, 9.5, start_wall=1.5, start_cpu=0.5),
        run("fast", "a", 0, 1.0, start_wall=0.0, start_cpu=0.0),
        run("fast", "b", 0, 10.5, start_wall=0.0, start_cpu=0.0),
    ]
    report = calmip.bench.report(results(tmp_path / "r.db", rows), shift=1.0)
    fast, slow = report.summary["competitors"]
    assert (slow["par2"], slow["startup"]) == (5.0, 1.25)
    assert slow["shifted_mean"] == pytest.approx(math.sqrt(3 * 9) - 1, abs=1e-6)
    assert slow["mean_with_startup"] == pytest.approx(math.sqrt(4 * 10.5) - 1, abs=1e-6)
    # Ten and a half seconds are more than the limit.
    assert (fast["solved"], fast["par2"], fast["startup"]) == (1, 10.5, 0.0)
    head, *lines = str(report).splitlines()[1:4]
    assert head.split()[-3:] == ["start", "with", "start"][-3:]
    assert lines[0].split()[-2] == "0.000"
    assert lines[1].split()[-2] == "1.250"


def test_a_limit_holds_by_the_chosen_clock() -> None:
    """Ten seconds: an answer after eleven on the wall came after five of the processor."""
    late = run("a", "x", 0, 11.0, cpu=5.0)
    assert [by_clock([late], clock)[0]["status"] for clock in ("wall", "cpu")] == ["time", "solved"]
    busy = run("a", "x", 0, 5.0, cpu=11.0)
    assert [by_clock([busy], clock)[0]["status"] for clock in ("wall", "cpu")] == ["solved", "time"]
    limited = run("a", "x", 0, 5.0, cpu=4.0, cpu_limit=3.0)
    assert [by_clock([limited], clock)[0]["status"] for clock in ("wall", "cpu")] == [
        "solved",
        "time",
    ]
    (entry,) = entries(by_clock([limited], "cpu"), "cpu")
    (time,) = entry.times.values()
    assert (time.solved, time.seconds, time.limit) == (False, 3.0, 3.0)


def test_runs_that_a_licence_refuses_are_left_out_and_counted(tmp_path: Path) -> None:
    """And a second table has the runs that all take."""
    rows = [run("free", name, 0, 2.0) for name in "abcd"]
    rows += [run("sold", name, 0, 1.0) for name in "ab"]
    rows += [run("sold", name, 0, 0.1, status="unfit", correct=None, answer="") for name in "cd"]
    report = calmip.bench.report(results(tmp_path / "r.db", rows), shift=1.0)
    free, sold = report.summary["competitors"]
    assert (sold["runs"], sold["left_out"], sold["par10"], sold["shifted_mean"]) == (2, 2, 1, 1)
    assert (free["runs"], free["left_out"], free["par10"]) == (4, 0, 2.0)
    assert report.summary["virtual_best"]["par2"] == (1 + 1 + 2 + 2) / 4
    (pair,) = report.summary["pairs"]
    assert (pair["problems"], pair["wins"], pair["losses"]) == (2, 0, 2)
    assert [row["instance"] for row in report.summary["discriminating"]] == ["a", "b"]
    common = report.summary["taken_by_all"]
    assert [(one["name"], one["runs"], one["par2"]) for one in common["competitors"]] == [
        ("free", 2, 2.0),
        ("sold", 2, 1.0),
    ]
    text = str(report)
    assert "left out" in text.splitlines()[1]
    assert "The 2 runs that all competitors take" in text
    # Without such runs there is no second table.
    report = calmip.bench.report(results(tmp_path / "s.db", rows[:6]))
    assert "left out" not in str(report).splitlines()[1]


@needs_fork
def test_a_file_of_version_one_is_read_and_continued(tmp_path: Path) -> None:
    need_solver("highs")
    old = tmp_path / "old.db"
    shutil.copy(Path("tests/data/campaign-version-1.db"), old)
    before = read_runs(old)
    with closing(sqlite3.connect(old)) as base:
        version = base.execute("PRAGMA user_version").fetchone()[0]
    assert version == 1
    settings = {(row["solver"], row["settings"]) for row in before.runs}
    assert {("highs", "calmip"), ("scip", "stock")} <= settings
    with Store(old):
        pass
    with closing(sqlite3.connect(old)) as base:
        assert base.execute("PRAGMA user_version").fetchone()[0] == 2
    assert read_runs(old) == before
