"""The statistics of a campaign: against tables done by hand, and against scipy."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import math
import random
import re
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirements import need_package

import calmip
from calmip import InputError
from calmip.bench.bench_report import FLOOR, TOP, step_plot
from calmip.bench.campaign.report import Report
from calmip.bench.campaign.statistics import (
    Time,
    bootstrap,
    by_clock,
    cross_check,
    entries,
    limit_of,
    pair,
    par,
    profile,
    shifted_mean,
    virtual_best,
)
from calmip.bench.campaign.store import COLUMNS, Store, read_runs
from calmip.cli import main
from calmip.puzzle.render.picture import Words

LIMIT = 10.0
JOBS = (0.2,) * 5

# Seconds of two solvers on three instances with two seeds each; None is a time-out.
BY_HAND = {
    "fast": {
        ("a", 0): 1.0,
        ("a", 1): 2.0,
        ("b", 0): 0.4,
        ("b", 1): 0.4,
        ("c", 0): None,
        ("c", 1): 8.0,
    },
    "slow": {
        ("a", 0): 4.0,
        ("a", 1): 4.0,
        ("b", 0): 0.2,
        ("b", 1): 0.8,
        ("c", 0): None,
        ("c", 1): None,
    },
}


def run(
    solver: str, instance: str, seed: int, seconds: float | None, **more: Any
) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {
        "key": f"{solver} {instance} {seed} {more}", "instance": instance, "formulation": "matrix",
        "goal": "solve", "solver": solver, "version": "1", "settings": "stock", "chosen": "",
        "options": "", "side": "", "round": 0, "seed": seed,
        "status": "time" if seconds is None else "solved", "correct": seconds and True,
        "wall": LIMIT + 0.5 if seconds is None else seconds, "cpu": (seconds or LIMIT) / 2,
        "answer": "" if seconds is None else "optimal", "detail": "", "time_limit": LIMIT,
        "sense": "min", "model": instance, "machine": "m", "host": "h", "calmip": "0",
        "finished": f"2026-01-01T00:00:{seed:02}",
    }  # fmt: skip
    return row | more


def table(scale: float = 1.0, **more: Any) -> list[dict[str, Any]]:
    return [
        run(solver, instance, seed, seconds and seconds * scale, **more)
        for solver, cells in BY_HAND.items()
        for (instance, seed), seconds in cells.items()
    ]


def results(path: Path, runs: list[dict[str, Any]], jobs: Sequence[float] = ()) -> Path:
    with Store(path) as store:
        for row in runs:
            store.add(row)
        for number, seconds in enumerate(jobs):
            when = f"2026-01-01T00:01:{number:02}"
            store.add_reference({"finished": when, "host": "h", "wall": seconds, "cpu": seconds})
    return path


def test_a_table_done_by_hand(tmp_path: Path) -> None:
    report = calmip.bench.report(results(tmp_path / "r.db", table()), shift=1.0)
    found = report.describe()["summary"]
    fast, slow = found["competitors"]
    assert (fast["name"], fast["runs"], fast["solved"]) == ("fast", 6, 5)
    assert (slow["name"], slow["runs"], slow["solved"]) == ("slow", 6, 4)
    assert fast["par2"] == pytest.approx((1 + 2 + 0.4 + 0.4 + 20 + 8) / 6)
    assert fast["par10"] == pytest.approx((1 + 2 + 0.4 + 0.4 + 100 + 8) / 6)
    assert slow["par10"] == pytest.approx((4 + 4 + 0.2 + 0.8 + 100 + 100) / 6, abs=1e-6)
    product = 2 * 3 * 1.4 * 1.4 * 11 * 9
    assert fast["shifted_mean"] == pytest.approx(product ** (1 / 6) - 1, abs=1e-6)
    best = found["virtual_best"]
    assert (best["runs"], best["solved"]) == (6, 5)
    assert best["par2"] == pytest.approx((1 + 2 + 0.2 + 0.4 + 20 + 8) / 6)
    (two,) = found["pairs"]
    assert (two["problems"], two["wins"], two["losses"]) == (6, 4, 1)
    logs = [2 / 5, 3 / 5, 1.4 / 1.2, 1.4 / 1.8, 11 / 11, 9 / 11]
    assert two["ratio"] == pytest.approx(math.prod(logs) ** (1 / 6), abs=1e-6)
    assert two["low"] < two["ratio"] < two["high"]
    steps = profile(report.entries[1].times, report.best)
    assert [ratio for ratio, _ in steps] == pytest.approx([1, 2, 2, 4])
    assert [share for _, share in steps] == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])
    assert [row["instance"] for row in found["discriminating"]] == ["a", "c", "b"]


@pytest.fixture(scope="module")
def stats() -> Any:
    return need_package("scipy.stats")


times = st.lists(st.floats(1e-3, 9.0), min_size=1, max_size=30)


@pytest.mark.long
@given(seconds=times, shift=st.floats(1e-3, 10))
def test_the_shifted_mean_is_scipys(stats: Any, seconds: list[float], shift: float) -> None:
    mine = shifted_mean([Time(True, t, LIMIT) for t in seconds], shift)
    assert mine == pytest.approx(stats.gmean([t + shift for t in seconds]) - shift, abs=1e-9)


@pytest.mark.long
@given(first=times, second=times)
def test_pairs_are_mirrored_and_wins_add_up(first: list[float], second: list[float]) -> None:
    size = min(len(first), len(second))
    one, two = (
        {(str(n), "solve", 0): Time(True, t, LIMIT) for n, t in enumerate(x[:size])}
        for x in (first, second)
    )
    there, back = pair(one, two, 0.1), pair(two, one, 0.1)
    ties = sum(a == b for a, b in zip(first, second, strict=False))
    assert there.wins + there.losses + ties == size
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.low <= there.ratio * (1 + 1e-9)
    assert there.ratio <= there.high * (1 + 1e-9)
    assert there.low * back.high == pytest.approx(1)


def test_the_interval_is_scipys_bootstrap(stats: Any) -> None:
    numbers = [math.sin(n) + n / 40 for n in range(40)]
    mean, low, high = bootstrap([[x] for x in numbers])
    other = stats.bootstrap(
        (numbers,),
        lambda x, axis: x.mean(axis=axis),
        method="percentile",
        n_resamples=20_000,
        random_state=1,
    ).confidence_interval
    width = other.high - other.low
    assert mean == pytest.approx(sum(numbers) / 40)
    assert low == pytest.approx(other.low, abs=width / 15)
    assert high == pytest.approx(other.high, abs=width / 15)


def test_seeds_of_one_instance_make_no_interval_narrower() -> None:
    numbers = [math.sin(n) for n in range(20)]
    once, often = bootstrap([[x] for x in numbers]), bootstrap([[x] * 50 for x in numbers])
    assert often == pytest.approx(once)


def test_the_profile_is_scipys_distribution(stats: Any) -> None:
    found = entries(table())
    best = virtual_best(found)
    for entry in found:
        steps = profile(entry.times, best)
        ratios = [t.seconds / best[p].seconds for p, t in entry.times.items() if t.solved]
        other = stats.ecdf(ratios).cdf
        share = len(ratios) / len(entry.times)
        reached = dict(steps)  # the last step at a ratio counts
        assert list(reached) == pytest.approx(list(other.quantiles))
        assert list(reached.values()) == pytest.approx(list(other.probabilities * share))


@pytest.mark.parametrize("runs", [1, 2, 7, 8, 12, 73, 1000])
def test_the_lines_of_a_plot_are_where_their_numbers_say(runs: int) -> None:
    picture = step_plot("", "seconds", "runs solved", [("one", [(1.0, float(runs))])], runs)
    marks = [one for one in picture.marks if isinstance(one, Words) and one.end]
    numbers, heights = [int(one.text) for one in marks], [FLOOR - one.y for one in marks]
    assert numbers[0] == 0
    assert 2 <= len(set(numbers)) == len(numbers) <= 9
    whole = FLOOR - TOP
    assert heights == pytest.approx([number / runs * whole for number in numbers])


def test_penalties() -> None:
    assert par([Time(True, 3, 10), Time(False, 10, 10)], 2) == (3 + 20) / 2
    assert math.isnan(par([], 2))


def test_a_checked_point_refutes_what_others_said() -> None:
    rows = [
        run("a", "x", 0, 1.0, objective=3.0, sense="max"),
        run("b", "x", 0, 1.0, objective=2.0, sense="max"),
        run("c", "x", 0, 1.0, answer="infeasible", objective=None, correct=None),
        run("d", "y", 0, 1.0, answer="infeasible", objective=None, correct=None),
        run("e", "x", 0, None, objective=1.0, sense="max"),
    ]
    found = {row["solver"]: (row["status"], row["correct"]) for row in cross_check(rows)}
    assert found == {
        "a": ("solved", True),
        "b": ("wrong", False),
        "c": ("wrong", False),
        "d": ("solved", None),
        "e": ("time", None),
    }


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({"answer": "optimal", "objective": 2.0}, "wrong"),
        ({"answer": "feasible", "objective": 2.0}, "solved"),
        ({"answer": "unbounded", "objective": 2.0}, "solved"),
        ({"answer": "optimal", "objective": None}, "solved"),
        ({"answer": "optimal", "objective": 3.0}, "solved"),
    ],
)
def test_a_checked_point_refutes_what_contradicts_it_and_no_more(
    told: dict[str, Any], status: str
) -> None:
    rows = [
        run("a", "x", 0, 1.0, objective=3.0, sense="max"),
        run("b", "x", 0, 1.0, sense="max", **told),
        run("b", "y", 0, 1.0, sense="max", **told),
    ]
    assert [row["status"] for row in cross_check(rows)] == ["solved", status, "solved"]


@pytest.mark.parametrize("cpu_limit", [None, 3.0])
@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_run_after_its_limit_by_the_clock_is_a_time_out(
    clock: str, cpu_limit: float | None
) -> None:
    limit = cpu_limit if clock == "cpu" and cpu_limit is not None else LIMIT
    rows = [
        run("a", str(k), 0, 1.0, wall=seconds, cpu=seconds, cpu_limit=cpu_limit)
        for k, seconds in enumerate((2.9, limit, limit + 0.1))
    ]
    found = by_clock(rows, clock)
    assert [row["status"] for row in found] == ["solved", "solved", "time"]
    assert [limit_of(row, clock) for row in rows] == [limit] * 3


def test_the_best_objective_of_a_report_is_a_checked_one(tmp_path: Path) -> None:
    """No gap is measured from the objective of a refuted run."""
    rows = [
        run("liar", "w", 0, 1.0, objective=9.0, status="wrong", correct=False),
        run("a", "x", 0, 1.0, objective=3.0, sense="max"),
        run("late", "x", 0, None, objective=2.0, sense="max"),
        run("a", "y", 0, 1.0, objective=4.0),
        run("late", "y", 0, None, objective=5.0),
        run("none", "z", 0, None, objective=None),
    ]
    report = calmip.bench.report(results(tmp_path / "r.db", rows))
    assert report.bests == {("x", "solve"): 3.0, ("y", "solve"): 4.0}


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize(("lack", "status"), [(1e-7, "solved"), (1e-5, "wrong")])
def test_an_objective_is_worse_by_the_size_of_the_model_s_numbers(
    scale: float, lack: float, status: str
) -> None:
    """The same model in thousandths or in billions has the same verdicts."""
    rows = [
        run("a", "one", 0, 1.0, objective=3 * scale),
        run("b", "one", 0, 1.0, objective=3 * scale * (1 + lack)),
    ]
    found = [row["status"] for row in cross_check(rows)]
    assert found == ["solved", status]


def test_machines_and_versions_stand_apart() -> None:
    rows = [run("a", "x", 0, 1.0), run("a", "x", 0, 5.0, machine="n", finished="2027")]
    (entry,) = entries(rows)
    assert [time.seconds for time in entry.times.values()] == [1.0, 5.0]
    (entry,) = entries(rows, machines=False)  # then the last one counts
    assert [time.seconds for time in entry.times.values()] == [5.0]
    assert len(entries([*rows, run("a", "x", 0, 1.0, version="2")])) == 2


@pytest.mark.long
def test_the_report_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = results(tmp_path / "r.db", [*table(), run("<b>|", "=evil", 0, 1.0)])
    for form in ("html", "md", "csv", "json", "svg", "png"):
        assert main(["bench", "report", str(path), "-o", str(tmp_path / f"r.{form}")]) == 0
    found = json.loads((tmp_path / "r.json").read_text())
    assert list(found) == ["runs", "summary"]
    wanted = (
        "instance formulation solver version settings options seed status correct wall cpu "
        "start_wall start_cpu memory nodes"
    )
    assert all(list(row)[:15] == wanted.split() for row in found["runs"])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text())))
    assert len(rows) == len(found["runs"]) == 13
    assert rows[-1]["instance"] == "c"
    assert any(row["instance"] == "'=evil" for row in rows)
    page = (tmp_path / "r.html").read_text()
    assert "<b>|" not in page
    assert page.count("<svg") == 2
    assert "| fast |" in (tmp_path / "r.md").read_text()
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    root = ET.fromstring((tmp_path / "r.svg").read_text())
    paths = [e.get("d", "")[1:].split("L") for e in root.iter("{http://www.w3.org/2000/svg}path")]
    curves = [corners for corners in paths if len(corners) > 2 and "Z" not in corners[-1]]
    assert len(curves) == 6
    for points in curves:
        corners = [tuple(map(float, corner.split())) for corner in points]
        assert corners == sorted(corners, key=lambda c: (c[0], -c[1]))  # to the right and up
    assert main(["bench", "report", str(path), "--clock", "cpu", "--format", "json"]) == 0
    halved = json.loads(capsys.readouterr().out)["summary"]["competitors"]
    assert [row["name"] for row in halved] == ["<b>|", "fast", "slow"]
    assert halved[1]["par2"] == pytest.approx((0.5 + 1 + 0.2 + 0.2 + 20 + 4) / 6, abs=1e-6)


def test_names_reach_no_terminal_and_no_page_raw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\x1b]0;x\x07 | [b](javascript:c)\u202e\nfake 10/10"
    rows = [*table(), run("fast", name, 0, 1.0, machine=name), run(name, name, 0, 9.0)]
    rows.append(run("slow", name, 0, 1.0, status="wrong", correct=False, detail=name))
    path = results(tmp_path / "r.db", rows, JOBS)
    for words in (
        ["report", str(path)],
        ["report", str(path), "--format", "md"],
        ["report", str(path), "--format", "html"],
        ["diff", str(path), str(path)],
    ):
        assert main(["bench", *words]) == (4 if words[0] == "diff" else 0)
        out = capsys.readouterr().out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
        assert not any(line.startswith("fake") for line in out.splitlines())
        if "md" in words:
            assert "[b](" not in out
            assert r"\[b\](" in out


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_file_is_one_message(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes changed, the end cut off, values of other types: a report, or one line and code 2."""
    good = results(tmp_path / "good.db", table(), JOBS)
    data = good.read_bytes()
    source = tmp_path / "c.yaml"
    source.write_text("instances: [{puzzle: instances/tiny.yaml}]\n")
    odd = [None, b"\xff\xfe", "x", -1, 1e308, math.inf, 2**62 + 5, "", "Infinity", 0, b"", "a\0b"]
    draw = random.Random(seed)
    refused = 0
    for number in range(30):
        bad = tmp_path / f"bad{number}.db"
        if number % 3 == 2:
            bad.write_bytes(data)
            with (
                contextlib.closing(sqlite3.connect(bad)) as base,
                contextlib.suppress(sqlite3.IntegrityError),
            ):
                column, value = draw.choice(list(COLUMNS)), draw.choice(odd)
                base.execute(f"UPDATE runs SET {column} = ? WHERE rowid < 3", [value])
                base.commit()
        elif number % 3:
            bad.write_bytes(data[: draw.randrange(len(data))])
        else:
            changed = bytearray(data)
            for _ in range(draw.choice([1, 20])):
                changed[draw.randrange(len(data))] = draw.randrange(256)
            bad.write_bytes(changed)
        for words in (["report", str(bad)], ["diff", str(good), str(bad)]):
            code = main(["bench", *words])
            said = capsys.readouterr().err
            assert code in (0, 1, 2, 4), (number, words)
            assert said.count("\n") == (code == 2), (number, words)
            refused += code == 2
    assert refused > 20


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("wall", "soon", "holds 'soon' as wall; it is seconds from 0 on"),
        ("wall", -1.0, "it is seconds from 0 on"),
        ("status", "won", "holds 'won' as status; it is one of solved, unverified,"),
        ("correct", 7, "holds 7 as correct; it is 0 or 1, or nothing"),
        ("sense", "least", "it is one of min, max"),
        ("time_limit", math.inf, "it is seconds from 0 on"),
        ("instance", b"\xff", "it is a text in UTF-8"),
        ("seed", 0.5, "it is a seed"),
    ],
)
def test_a_row_that_no_campaign_writes_is_named_by_its_key(
    column: str, value: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = results(tmp_path / "r.db", table())
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(f"UPDATE runs SET {column} = ? WHERE key = 'fast b 1 {{}}'", [value])
        base.commit()
    source = tmp_path / "c.yaml"
    source.write_text("instances: [{puzzle: instances/tiny.yaml}]\nsolvers: [exact-cover]\n")
    for action in (["report", str(path)], ["run", "easy", "-o", str(path)]):
        assert main(["bench", *action]) == 2
        said = capsys.readouterr().err
        assert f"{path}: run fast b 1 {{}} of the table runs holds" in said
        assert words in said
        assert said.count("\n") == 1


def test_an_older_file_s_answers_without_a_witness_are_unverified(tmp_path: Path) -> None:
    path = results(tmp_path / "r.db", [run("old", "x", 0, 1.0, correct=None)])
    (row,) = calmip.bench.report(path).runs
    assert (row["status"], row["correct"]) == ("unverified", None)


def test_pandas_would_take_the_records(tmp_path: Path) -> None:
    runs = calmip.bench.report(results(tmp_path / "r.db", table())).runs
    assert len({tuple(row) for row in runs}) == 1
    assert all(isinstance(v, (str, int, float, bool, type(None))) for r in runs for v in r.values())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"scale": 1.0}, 0),
        ({"scale": 0.5}, 0),
        ({"scale": 1.2}, 1),
        ({"scale": 1.005}, 0),
        ({"scale": 1.0, "version": "2"}, 0),
    ],
)
def test_a_slower_version_is_a_regression(
    change: dict[str, Any], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = results(tmp_path / "a.db", table(), JOBS)
    after = results(tmp_path / "b.db", table(**change), JOBS)
    command = ["bench", "diff", str(before), str(after), "--shift", "0.000001"]
    command += ["--clock", "wall"]
    assert main(command) == code
    assert ("REGRESSION" in capsys.readouterr().out) == bool(code)
    assert main([*command, "--format", "json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert found["regression"] == bool(code)


@pytest.mark.parametrize("status", ["wrong", "crash", "time"])
def test_an_answer_that_is_lost_is_a_regression(
    status: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = results(tmp_path / "a.db", table(), JOBS)
    rows = table()
    rows[0]["status"] = status
    after = results(tmp_path / "b.db", rows, JOBS)
    code = 4 if status == "wrong" else 1
    assert main(["bench", "diff", str(before), str(after)]) == code
    said = capsys.readouterr().out
    assert f"worse: a, fast (matrix), seed 0: solved to {status}" in said
    assert main(["bench", "diff", str(after), str(before)]) == 0
    assert f"better: a, fast (matrix), seed 0: {status} to solved" in capsys.readouterr().out


def test_a_solution_in_one_file_refutes_an_optimum_in_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    best = results(tmp_path / "a.db", [run("fast", "a", 0, 1.0, objective=3.0)])
    worse = results(tmp_path / "b.db", [run("fast", "a", 0, 1.0, objective=4.0)])
    assert main(["bench", "diff", str(best), str(worse), "--answers-only"]) == 4
    assert "seed 0: solved to wrong" in capsys.readouterr().out
    assert main(["bench", "diff", str(worse), str(best), "--answers-only"]) == 0
    assert "seed 0: wrong to solved" in capsys.readouterr().out


def test_bad_input_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = results(tmp_path / "a.db", table(), JOBS)
    other = results(tmp_path / "b.db", [run("fast", "z", 0, 1.0)], JOBS)
    empty = results(tmp_path / "c.db", table())
    with contextlib.closing(sqlite3.connect(empty)) as base:
        base.execute("DELETE FROM runs")
        base.commit()
    text = tmp_path / "d.db"
    text.write_text("no database, " * 1000)
    for words, message in (
        (["report", str(tmp_path / "nosuch.db")], "no such file of results"),
        (["report", str(text)], "cannot be used as a database"),
        (["report", str(empty)], "holds no runs yet"),
        (["report", str(one), "--columns", "par3"], "no column 'par3'"),
        (["merge", str(one), "-o", str(tmp_path / "no" / "x.db")], "no folder"),
        (["merge", str(one)], "-o FILE is missing"),
        (["watch", str(one)], "does not say how far its campaign is"),
        (["report", str(one), "--shift", "0"], "the shift is a number"),
        (["report", str(one), "-o", str(tmp_path / "x.gif")], ".gif is not one of"),
        (["diff", str(one)], "holds no runs in pairs; give a second file"),
        (["diff", str(one), str(other)], "no run in common"),
        (["diff", str(one), str(one), "--tolerance", "0.5"], "the tolerance is"),
    ):
        assert main(["bench", *words]) == 2
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
    with pytest.raises(InputError, match="the clock is one of"):
        calmip.bench.report(one, clock="sun")


def test_model_files_are_more_instances_for_the_same_competitors() -> None:
    """Unless there are several formulations, or a file has an instance's name."""
    files = [run("fast", "lib", 0, 3.0, formulation="file")]
    (entry,) = [one for one in entries(table() + files) if one.solver == "fast"]
    assert (entry.formulation, len(entry.times)) == ("matrix", 7)
    several = [run("fast", "a", 0, 1.0, formulation="pulp")]
    alike = [run("fast", "a", 0, 3.0, formulation="file")]
    for rows in (files + several, alike):
        found = [one for one in entries(table() + rows) if one.solver == "fast"]
        assert sorted(one.formulation for one in found if len(one.times) < 6) == sorted(
            row["formulation"] for row in rows
        )
    (alone,) = entries(files)
    assert alone.formulation == "file"


def test_names_are_texts_in_every_form_of_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "<script>|`a`\n| 10 | \x1b[2J\u202e"
    runs = [run("fast", name, 0, 1.0), run("slow", name, 0, 2.0, status="wrong", detail=name)]
    path = results(tmp_path / "r.db", runs)
    report = tmp_path / "r.md"
    assert main(["bench", "report", str(path), "-o", str(report)]) == 0
    text = report.read_text()
    assert "<script>" not in text.replace("\\<", "").replace("\\>", "")
    assert text.count("\\<script\\>\\|\\`a\\`\\\\n\\| 10 \\|") >= 2
    assert main(["bench", "report", str(path)]) == 0
    for line in [*text.splitlines(), *capsys.readouterr().out.splitlines()]:
        assert line.isprintable()


def test_solved_and_unverified_are_counted_apart() -> None:
    every = [
        Time(solved, 1.0, 2.0, verified) for solved in (False, True) for verified in (False, True)
    ]
    for size in range(5):
        for times in itertools.combinations(every, size):
            found = Report._means(SimpleNamespace(shift=1.0), times)  # type: ignore[arg-type]
            assert found["runs"] == size
            assert found["solved"] == (every[3] in times)
            assert found["unverified"] == (every[2] in times)
            assert (found["par2"] is None) == (not times)


def test_seconds_are_compared_within_a_machine_and_ratios_over_all(tmp_path: Path) -> None:
    """The second machine is ten times as slow: the ratio is that of the first, and no mean is."""
    one = calmip.bench.report(results(tmp_path / "a.db", table(machine="a")), shift=1e-9)
    slow = results(tmp_path / "b.db", table(10.0, machine="b", time_limit=10 * LIMIT))
    both = calmip.bench.report([tmp_path / "a.db", slow], shift=1e-9)
    found = both.summary
    (alone,), (pair,) = one.summary["pairs"], found["pairs"]
    assert pair["problems"] == 2 * alone["problems"]
    assert (pair["wins"], pair["losses"]) == (2 * alone["wins"], 2 * alone["losses"])
    assert pair["ratio"] == pytest.approx(alone["ratio"], abs=1e-6)
    first, second = found["machines"]
    own = one.summary["competitors"]
    assert [row["par10"] for row in first["competitors"]] == [row["par10"] for row in own]
    for row, scaled in zip(first["competitors"], second["competitors"], strict=True):
        assert scaled["par10"] == pytest.approx(10 * row["par10"])
    # The slower machine is the one on which the shift weighs least.
    for row, apart in zip(one.summary["discriminating"], found["discriminating"], strict=True):
        assert row["ratio"] == pytest.approx(apart["ratio"], abs=1e-6)
        assert apart["slowest_par10"] in (row["slowest_par10"], 10 * row["slowest_par10"])
    text = str(both)
    assert "Runs by machine" in text
    assert "PAR2" not in text.partition("Runs by machine")[0]


def test_no_instance_discriminates_between_competitors_of_different_machines(
    tmp_path: Path,
) -> None:
    rows = [run("fast", "a", 0, 1.0, machine="a"), run("slow", "a", 0, 9.0, machine="b")]
    rows += [run("fast", "b", 0, 1.0), run("slow", "b", 0, 2.0)]
    found = calmip.bench.report(results(tmp_path / "r.db", rows)).summary["discriminating"]
    assert [row["instance"] for row in found] == ["b"]


def test_merged_files_keep_each_run_once_whatever_their_order(tmp_path: Path) -> None:
    rows = table()
    late = [row | {"finished": "2027", "wall": 9.0} for row in rows[3:8]]
    starved = [rows[0] | {"status": "starved", "finished": "2025"}]
    parts = [results(tmp_path / "a.db", [*rows[1:6], *starved], JOBS)]
    parts += [results(tmp_path / "b.db", late), results(tmp_path / "c.db", [rows[0], *rows[6:]])]
    found = []
    for number, order in enumerate(itertools.permutations(parts)):
        made = calmip.bench.merge(list(order), tmp_path / f"{number}.db")
        assert (made.runs, made.status) == (len(rows), "done")
        found.append([dict(row) for row in calmip.bench.report(made.path).runs])
    assert all(one == found[0] for one in found)
    expected = calmip.bench.report(results(tmp_path / "whole.db", rows))
    assert found[0] == [dict(row) for row in expected.runs]


def test_merged_files_keep_what_is_beside_their_runs(tmp_path: Path) -> None:
    """The log of a run is that of the file whose run is kept."""
    row = run("fast", "a", 0, 1.0)
    parts = [
        results(tmp_path / "1.db", [row, run("fast", "c", 0, 1.0)], [0.2]),
        results(tmp_path / "2.db", [row | {"finished": "2025"}, run("fast", "b", 0, 1.0)], [0.3]),
    ]
    for number, (path, own) in enumerate(zip(parts, "cb", strict=True), start=1):
        with Store(path) as store:
            for instance in ("a", own):
                store.add_log(run("fast", instance, 0, 1.0)["key"], b"%d" % number)
            store.add_doubt(f"doubt {number}")
            store.set_tags({"a": {f"tag-{number}"}, own: {"own"}})
    calmip.bench.merge(parts, tmp_path / "m.db")
    found = read_runs(tmp_path / "m.db")
    logs = {one["instance"]: found.logs[one["key"]] for one in found.runs}
    assert logs == {"a": b"2", "b": b"2", "c": b"1"}
    assert [job["wall"] for job in found.reference] == [0.2, 0.3]
    assert found.doubts == ["doubt 1", "doubt 2"]
    assert found.tags == {"a": ("tag-1", "tag-2"), "b": ("own",), "c": ("own",)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"answer": "infeasible"}, "says optimal 3, "),
        ({"objective": 4.0}, "says optimal 4"),
        ({"answer": "feasible", "objective": 2.0}, "says feasible 2"),  # it refutes the optimum
        ({"answer": "feasible", "objective": 4.0}, ""),
        ({"status": "wrong", "answer": "optimal", "objective": None}, "says optimal"),
        ({"goal": "count", "count": 2}, "says 2 solutions"),
        ({"objective": 3.0000001}, ""),
        ({"status": "time", "answer": ""}, ""),
        ({"wall": 2.0, "host": "other"}, ""),
    ],
)
def test_two_answers_of_one_run_are_a_conflict(
    change: dict[str, Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = run("fast", "a", 0, 1.0, objective=3.0)
    row |= {"goal": "count", "count": 3} if "goal" in change else {}
    one = results(tmp_path / "a.db", [row])
    other = results(tmp_path / "b.db", [row | change | {"finished": "2027"}])
    target = tmp_path / "m.db"
    command = ["bench", "merge", str(one), str(other), "-o", str(target)]
    assert main(command) == (2 if words else 0)
    if not words:
        return
    said = capsys.readouterr().err
    assert words in said
    assert f"{one} says" in said
    assert f"{other} says" in said
    assert not target.exists()
    assert main([*command, "--keep-conflicts"]) == 4
    assert main(["bench", "report", str(target)]) == 0
    assert "refuted: a, fast, seed 0" in capsys.readouterr().out


def test_conflicts_are_found_in_any_order_of_the_files(tmp_path: Path) -> None:
    """Also if the run between two that contradict each other has no answer."""
    row = run("fast", "a", 0, 1.0, objective=3.0)
    changes = {"answer": "infeasible", "objective": None}, {"status": "time", "answer": ""}, {}
    parts = [
        results(tmp_path / f"{number}.db", [row | change | {"finished": f"202{number}"}])
        for number, change in enumerate(changes)
    ]
    for order in itertools.permutations(parts):
        with pytest.raises(InputError, match=f"{parts[0]} says infeasible, .* says optimal 3;"):
            calmip.bench.merge(list(order), tmp_path / "m.db")


def test_columns_are_those_asked_for_in_their_order(tmp_path: Path) -> None:
    path = results(tmp_path / "r.db", table())
    chosen = calmip.bench.report(path, columns=["par10", "crash", "solved"])
    head = str(chosen).splitlines()[1].split()
    assert head == ["PAR10", "crash", "solved"]
    chosen = calmip.bench.report(path, columns=["seed", "instance"])
    chosen.save(tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text().splitlines()[:2] == ["seed,instance", "0,a"]
    with pytest.raises(InputError, match="the columns here are version, runs"):
        str(chosen)
    near = calmip.bench.report(path, columns=["par100"])
    with pytest.raises(InputError, match=r"did you mean par10\?"):
        str(near)


def test_tables_and_plots_for_latex_have_the_numbers_and_no_command_of_a_name(
    tmp_path: Path,
) -> None:
    name = r"50% \input{x} & a_b ^~#$"
    rows = [*table(), run("fast", name, 0, 1.0), run(name, name, 0, 2.0)]
    report = calmip.bench.report(results(tmp_path / "r.db", rows))
    report.save(tmp_path / "r.tex")
    text = (tmp_path / "r.tex").read_text()
    escaped = r"50\% \textbackslash{}input\{x\} \& a\_b \textasciicircum{}\textasciitilde{}\#\$"
    assert escaped in text
    assert r"\input{x}" not in text
    tables = text.split(r"\begin{tabular}")[1:]
    for one in tables:
        columns = len(one[1 : one.index("}")])
        lines = [line for line in one.splitlines() if line.endswith(r" \\")]
        assert lines
        assert {len(line.replace(r"\&", "").split("&")) for line in lines} == {columns}
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == len(tables)
    fast = report.summary["competitors"][0]
    assert f"{fast['par10']:.3f}" in text
    report.save(tmp_path / "r.tikz")
    plots = (tmp_path / "r.tikz").read_text()
    assert plots.count(r"\begin{tikzpicture}") == plots.count(r"\end{semilogxaxis}") == 2
    curve = profile(report.entries[1].times, report.best)[-1]
    assert f"({curve[0]:.6g},{curve[1]:.6g})" in plots


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read as of Linux")
def test_ten_thousand_runs_with_logs_fit_into_memory_and_a_page(tmp_path: Path) -> None:
    """The runs and logs of a real campaign, again and again as other instances."""
    stored = read_runs(Path("benchmarks/campaign-general.db"))
    runs, logs = [], {}
    for number in range(10_000):
        row = stored.runs[number % len(stored.runs)]
        copy = number // len(stored.runs)
        names = {one: f"{row[one]} {copy}" for one in ("key", "instance", "model")}
        runs.append(row | names)
        if row["key"] in stored.logs:
            logs[names["key"]] = stored.logs[row["key"]]
    assert len(logs) > 8000
    path, page = tmp_path / "r.db", tmp_path / "r.html"
    with Store(path) as store:
        store.put(stored._replace(runs=runs, logs=logs, tags={}))
    for words in ([], ["-o", str(page)]):
        text = (
            "from calmip.cli import main\n"
            f"assert main(['bench', 'report', {str(path)!r}, *{words!r}]) == 0\n"
            "print(open('/proc/self/status').read())"
        )
        command = [sys.executable, "-c", text]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        (peak,) = re.findall(r"^VmHWM:\s+(\d+) kB$", done.stdout, re.MULTILINE)
        assert int(peak) < 300_000
    assert page.stat().st_size < 5_000_000
