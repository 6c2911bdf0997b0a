"""Differences of two versions of a solver: in pairs, in two files, and of one with itself."""

from __future__ import annotations

import math
import os
import random
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirements import need_package
from test_bench import TINY, campaign, fake_cbc, needs_fork
from test_bench_report import JOBS, results, run
from test_bench_stock import fake_scip

import calmip
from calmip import InputError, SolverMissing
from calmip.bench import bench
from calmip.bench.campaign.regressions import Reference, interval, student
from calmip.bench.campaign.solver_versions import place_of
from calmip.bench.campaign.store import read_runs
from calmip.cli import main


@pytest.fixture(scope="module")
def stats() -> Any:
    return need_package("scipy.stats")


@pytest.mark.long
@given(freedom=st.floats(1, 1000))
def test_the_quantile_is_scipys(stats: Any, freedom: float) -> None:
    # scipy 1.11 is exact to some 1e-9 only.
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-7)


numbers = st.lists(
    st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=2, max_size=30, unique=True
)


@pytest.mark.long
@given(numbers)
def test_the_interval_is_scipys(stats: Any, logs: list[float]) -> None:
    found = interval([[x, x + 1, x - 1] for x in logs])
    other = stats.ttest_1samp(logs, 0).confidence_interval()
    assert found.mean == pytest.approx(sum(logs) / len(logs), abs=1e-9)
    assert (found.low, found.high) == pytest.approx(tuple(other), rel=1e-6, abs=1e-9)


@pytest.mark.long
@given(numbers, numbers)
def test_two_campaigns_differ_as_scipys_welch_says(
    stats: Any, before: list[float], after: list[float]
) -> None:
    """With instances that agree, what is left are the levels of the two campaigns."""
    levels = [
        Reference(
            math.fsum(some) / len(some),
            float(stats.tvar(some)) / len(some),
            len(some) - 1,
        )
        for some in (before, after)
    ]
    found = interval([[0.25], [0.25]], levels)
    other = stats.ttest_ind(before, after, equal_var=False).confidence_interval()
    assert found.low == pytest.approx(0.25 + other.low, rel=1e-6, abs=1e-8)
    assert found.high == pytest.approx(0.25 + other.high, rel=1e-6, abs=1e-8)


def test_one_number_has_no_interval() -> None:
    assert interval([[0.5, 0.7]]) == (pytest.approx(0.6), None, None)


@pytest.mark.long
def test_a_drift_that_a_campaign_shares_is_no_alarm() -> None:
    """Each campaign has its speed, and each reference job and run a noise of its own."""
    draw = random.Random(7)
    false = {"drift": 0, "none": 0}
    for _ in range(100):
        speeds = [draw.gauss(0, 0.15) for _ in range(2)]
        jobs = [[speed + draw.gauss(0, 0.05) for _ in range(10)] for speed in speeds]
        logs = [
            [speeds[1] - speeds[0] + draw.gauss(0, 0.05) - draw.gauss(0, 0.05)] for _ in range(20)
        ]
        levels = [
            Reference(
                sum(some) / 10,
                sum((x - sum(some) / 10) ** 2 for x in some) / 9,
                9,
            )
            for some in jobs
        ]
        for name, given_levels in (("drift", levels), ("none", [])):
            low = interval(logs, given_levels).low
            assert low is not None
            false[name] += low > 0
    assert false["drift"] <= 2
    assert false["none"] > 30  # as a bootstrap over the instances alone


def paired(
    path: Path, slowdown: float, *, instances: int = 20, noise: float = 0.02, rounds: int = 1
) -> Path:
    """Return a file in which each pair has a speed of its own, and each run a noise."""
    draw, rows = random.Random(3), []
    for number in range(instances * rounds):
        speed = 2 * math.exp(draw.gauss(0, 0.5))
        for side, factor in (("before", 1.0), ("after", slowdown)):
            seconds = speed * factor * math.exp(draw.gauss(0, noise))
            more = {"side": side, "round": number // instances, "cpu": seconds}
            name = f"i{number % instances}"
            rows.append(run("s", name, 0, seconds, key=f"{side} {number}", **more))
    return results(path, rows)


@pytest.mark.parametrize(("slowdown", "code"), [(1.0, 0), (1.05, 1), (1.1, 1), (0.9, 0)])
def test_pairs_of_one_file_are_compared(
    slowdown: float, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = paired(tmp_path / "r.db", slowdown)
    assert main(["bench", "diff", str(path)]) == code
    assert ("REGRESSION" in capsys.readouterr().out) == bool(code)
    found = calmip.bench.diff(path)
    (change,) = found.changes
    assert (found.clock, found.drift, found.notes) == ("cpu", None, ())
    assert change["low"] < slowdown < change["high"]
    assert change["instances"] == change["problems"] == 20
    few = calmip.bench.diff(paired(tmp_path / "few.db", slowdown, instances=9))
    assert few.notes == ("fewer than 10 instances (9): the interval is not reliable",)


def files(tmp_path: Path, scale: float, drift: float, **more: Any) -> tuple[Path, Path]:
    """Return two files; the second one's machine was slower, and its solver too."""
    jobs = [0.2, 0.201, 0.199, 0.2, 0.2]
    rows = [run("s", f"i{n}", 0, 1 + n / 10, cpu=1 + n / 10) for n in range(12)]
    late = [
        {**row, "wall": row["wall"] * scale * drift, "cpu": row["cpu"] * scale * drift, **more}
        for row in rows
    ]
    return (
        results(tmp_path / "a.db", rows, jobs),
        results(tmp_path / "b.db", late, [job * drift for job in jobs]),
    )


@pytest.mark.parametrize(("scale", "regression"), [(1.0, False), (1.3, True)])
def test_two_files_are_compared_by_their_reference_jobs(
    scale: float, regression: bool, tmp_path: Path
) -> None:
    found = calmip.bench.diff(*files(tmp_path, scale, 1.4), shift=1e-6)
    assert found.drift == pytest.approx(1.4)
    (change,) = found.changes
    assert change["ratio"] == pytest.approx(scale, abs=1e-4)
    # Half a per cent of spread in each campaign.
    assert change["high"] / change["low"] == pytest.approx(
        math.exp(2 * student(8) * math.sqrt(2) * 0.003536), rel=0.01
    )
    assert found.regression == regression
    assert "reference jobs: x 1.400 by the cpu clock" in str(found)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "machine": ({"machine": "n"}, "is from another machine than .*--answers-only"),
    "clock": ({"cpu": None}, "has runs without cpu seconds; give --clock wall"),
}


@pytest.mark.parametrize(("more", "words"), REFUSED.values(), ids=REFUSED)
def test_seconds_that_cannot_be_compared_are_not(
    more: dict[str, Any], words: str, tmp_path: Path
) -> None:
    before, after = files(tmp_path, 3.0, 1.0)
    # One run among others is enough. A value given here replaces the product.
    *rows, last = read_runs(after).runs
    rows.append({**last, **more})
    other = results(tmp_path / "c.db", rows, JOBS)
    with pytest.raises(InputError, match=words):
        calmip.bench.diff(before, other)
    found = calmip.bench.diff(before, other, answers_only=True)
    assert not found.regression
    assert [change["ratio"] for change in found.changes] == [None]
    assert main(["bench", "diff", str(before), str(other), "--answers-only"]) == 0
    wrong = [{**row, "status": "wrong", "correct": 0} for row in rows[:1]] + rows[1:]
    worse = results(tmp_path / "d.db", wrong, JOBS)
    assert calmip.bench.diff(before, worse, answers_only=True).regression


def test_without_reference_jobs_two_files_are_not_compared(tmp_path: Path) -> None:
    before, after = files(tmp_path, 1.0, 1.0)
    few = results(tmp_path / "c.db", read_runs(after).runs, JOBS[:4])
    for pair in ((before, few), (few, before)):
        with pytest.raises(InputError, match=r"c.db: has 4 reference jobs by the cpu clock"):
            calmip.bench.diff(*pair)


def test_other_limits_are_noted_and_cut(tmp_path: Path) -> None:
    """A run of three seconds is none within two."""
    rows = [run("s", f"i{n}", 0, 3.0 if n else 1.0, cpu=3.0 if n else 1.0) for n in range(12)]
    short = [
        run("s", f"i{n}", 0, None if n else 1.0, cpu=2.0 if n else 1.0, time_limit=2.0)
        for n in range(12)
    ]
    before = results(tmp_path / "a.db", rows, JOBS)
    after = results(tmp_path / "b.db", short, JOBS)
    found = calmip.bench.diff(before, after)
    assert found.notes == ("the limits differ: 10 and 2 s; seconds are cut at 2",)
    (change,) = found.changes
    assert (change["solved"], change["ratio"], change["regression"]) == ([1, 1], 1.0, False)
    assert "note: the limits differ" in str(found)
    other = [{**row, "memory_limit": 10**9, "calmip": "9"} for row in rows]
    found = calmip.bench.diff(before, results(tmp_path / "c.db", other, JOBS))
    assert found.notes == (
        "the memory limits differ: None and 1000000000",
        "the versions of calmip differ: 0 and 9",
    )


def test_a_run_near_its_limit_is_not_lost_by_chance(tmp_path: Path) -> None:
    """One of nine seconds may reach a limit of ten; one of three does not."""
    for seconds, regression in ((9.0, False), (3.0, True)):
        rows = []
        for number in range(12):
            for side in ("before", "after"):
                lost = number == 0 and side == "after"
                taken = None if lost else seconds
                cpu = 10.0 if lost else seconds
                more = {"side": side, "cpu": cpu, "key": f"{side} {number}"}
                rows.append(run("s", f"i{number}", 0, taken, **more))
        found = calmip.bench.diff(results(tmp_path / f"{seconds}.db", rows))
        assert found.changes[0]["lost"] == regression
        assert found.regression == regression
        assert [row["after"] for row in found.worse] == ["time"]


@pytest.mark.long
@needs_fork
def test_another_build_runs_beside_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides of a pair follow each other, in either order, and nothing runs twice."""
    told = tmp_path / "told"
    body = f"open({str(told)!r}, 'a').write(sys.argv[0] + '\\n')\nanswer('Infeasible - 0')"
    fake_cbc(tmp_path, monkeypatch, body)
    usual = tmp_path / "fake-cbc"
    old = tmp_path / "old-cbc"
    old.write_text(usual.read_text().replace("Version: 1.0", "Version: 0.9"))
    old.chmod(0o755)
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\nseeds: [0, 1, 2]\n"
    source, path = campaign(tmp_path, text), tmp_path / "r.db"
    found = calmip.bench.run(source, path, against=str(old), rounds=2)
    assert len(found.runs) == 12
    names = [Path(line).name for line in told.read_text().splitlines()]
    pairs = list(zip(names[::2], names[1::2], strict=True))
    assert all(sorted(pair) == ["fake-cbc", "old-cbc"] for pair in pairs)
    assert len(set(pairs)) == 2
    runs = read_runs(path).runs
    assert {(row["side"], row["version"]) for row in runs} == {("before", "0.9"), ("after", "1.0")}
    assert {row["round"] for row in runs} == {0, 1}
    assert calmip.bench.run(source, path, against=str(old), rounds=2).kept == 12
    # A program with other bytes is another build.
    old.write_text(old.read_text() + "# new\n")
    assert len(calmip.bench.run(source, path, against=str(old), rounds=1).runs) == 6
    changes = calmip.bench.diff(path).changes
    assert [change["versions"] for change in changes] == [["0.9", "1.0"]]


@pytest.mark.long
@needs_fork
def test_another_folder_of_a_package_runs_beside_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        fake_scip(tmp_path / "old", patch, "")
    folder = tmp_path / "old" / "packages"
    (folder / "pyscipopt-0.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: pyscipopt\nVersion: 9.9\n"
    )
    fake_scip(tmp_path, monkeypatch, "")
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [scip]\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db", against=str(folder))
    rows = read_runs(tmp_path / "r.db").runs
    assert {(row["side"], row["version"], row["status"]) for row in rows} == {
        ("before", "9.9", "solved"),
        ("after", "0.0", "solved"),
    }


@pytest.mark.long
def test_a_version_is_installed_by_pip_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "pyscipopt-7.7-py3-none-any.whl", "w") as wheel:
        info = "pyscipopt-7.7.dist-info"
        wheel.writestr("pyscipopt.py", "")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: pyscipopt\nVersion: 7.7\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    need_package("pip")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    folder = Path(place_of("7.7", "scip", tmp_path / "r.db"))
    assert folder == (tmp_path / "r.db-pyscipopt-7.7").resolve()
    assert (folder / "pyscipopt.py").is_file()
    monkeypatch.setattr(sys, "executable", os.devnull)
    assert place_of("7.7", "scip", tmp_path / "r.db") == str(folder)


def test_what_is_no_other_build_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_cbc(tmp_path, monkeypatch, "answer('Infeasible - 0')")
    one = campaign(tmp_path, f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\n")
    two = tmp_path / "two.yaml"
    two.write_text(f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc, highs]\n")
    highs = tmp_path / "highs.yaml"
    highs.write_text(f"instances: [{{puzzle: {TINY}}}]\nsolvers: [highs]\n")
    for source, words, message in (
        (one, ["--against", "no-such-program"], "another build of cbc is a program, not"),
        (one, ["--against", ""], "another build of cbc is a program, not ''"),
        (highs, ["--against", "newest"], "another build of highs is a version of its package"),
        (two, ["--against", "cbc"], "the campaign has cbc, highs; leave the others out"),
        (one, ["--rounds", "0"], "the number of rounds is from 1 to 1000, not 0"),
    ):
        output = ["-o", str(tmp_path / "r.db")]
        assert main(["bench", "run", str(source), *output, *words]) == 2
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1


@pytest.mark.long
def test_another_build_that_fails_is_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_cbc(tmp_path, monkeypatch, "answer('Infeasible - 0')")
    one = campaign(tmp_path, f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\n")
    highs = tmp_path / "highs.yaml"
    highs.write_text(f"instances: [{{puzzle: {TINY}}}]\nsolvers: [highs]\n")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    found = calmip.bench.run(one, tmp_path / "b.db", against=str(broken))
    assert {row["side"]: row["status"] for row in found.runs}["before"] == "crash"
    with pytest.raises(SolverMissing, match="another build of highs was not found"):
        calmip.bench.run(highs, tmp_path / "h.db", against=str(empty_folder(tmp_path)))


def empty_folder(tmp_path: Path) -> Path:
    """Return a folder whose highspy cannot be found, as its metadata are broken."""
    folder = tmp_path / "empty"
    (folder / "calmip").mkdir(parents=True)
    (folder / "calmip" / "__init__.py").write_text("raise SystemExit(3)\n")
    return folder


def test_alarms_are_those_of_each_round(tmp_path: Path) -> None:
    from calmip.bench.campaign.regressions import alarms

    path = paired(tmp_path / "r.db", 1.0, rounds=8)
    found = alarms(path, read_runs(path), "cpu", 0.1, 1.0)
    assert (found.campaigns, found.alarms <= 1) == (8, True)
    (row,) = found.competitors
    assert row["spread"] == pytest.approx(0.02 * math.sqrt(2), rel=0.15)
    assert row["rounds"] == [1, 1]
    loud = paired(tmp_path / "l.db", 1.0, rounds=8, noise=0.2)
    found = alarms(loud, read_runs(loud), "cpu", 0.1, 1.01)
    five, ten = found.competitors[0]["rounds"]
    assert five > 4 * ten > 4
    slow = paired(tmp_path / "s.db", 1.2, rounds=8)
    assert alarms(slow, read_runs(slow), "cpu", 0.1, 1.01).rate == 1


@pytest.mark.long
@needs_fork
def test_a_solver_runs_against_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box = "{grid: ['* * *', '* * *'], pieces: [I3, I3]}"
    text = f"instances: [{{puzzle: {TINY}}}, {{puzzle: {box}}}]\nsolvers: [exact-cover]\n"
    source, path = campaign(tmp_path, text), tmp_path / "r.db"
    words = ["bench", "aa", str(source), "-o", str(path), "--rounds", "3"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "false alarms in 3 campaigns" in said
    rows = read_runs(path).runs
    assert [sum(row["side"] == side for row in rows) for side in ("before", "after")] == [6, 6]
    assert main(["bench", "diff", str(path), "--answers-only"]) == 0


@pytest.mark.long
def test_campaigns_drawn_from_a_recording_find_what_is_there(tmp_path: Path) -> None:
    """As `python -m benchmarks.alarms simulate` does."""
    from benchmarks import alarms

    path = paired(tmp_path / "r.db", 1.0, rounds=5, noise=0.04)
    jobs = [0.2 * math.exp(0.04 * math.sin(n)) for n in range(40)]
    path = results(tmp_path / "jobs.db", read_runs(path).runs, jobs)
    recording = alarms.recorded(path)
    assert recording.pairs.shape == (100, 2)
    assert recording.jobs.shape == (40, 2)
    draw = np.random.default_rng(0)
    found = dict.fromkeys((1.0, 1.1), 0)
    for _ in range(40):
        one = alarms.draw(recording, 1, 0.1, draw)
        assert one.sides.shape == (20, 1, 2)
        for by in found:
            found[by] += alarms.found_in_pairs(one, by)
    assert found[1.0] <= 3
    assert found[1.1] >= 38


@pytest.mark.parametrize("number", [0, 1, 3, 10, 25])
@pytest.mark.parametrize("every", [0, 1, 2, 7])
def test_reference_jobs_lie_before_each_group_and_are_enough(every: int, number: int) -> None:
    planned: list[Any] = [(f"question {n}", n) for n in range(number)]
    found = list(bench._jobs(every, planned))
    assert [one for one in found if one[0] is not None] == planned
    groups = "".join("r" if one[0] is None else "." for one in found).split("r")
    if not every:
        assert len(groups) == 1
    elif number:
        assert groups[0] == ""
        assert all(1 <= len(group) <= every for group in groups[1:])
        assert len(groups) - 1 >= min(number, bench.MIN_REFERENCE_JOBS)
