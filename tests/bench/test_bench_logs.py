"""The logs of solvers: real logs of each, what is read from them, and how a campaign keeps them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip import InputError
from calmip.bench.campaign import logs
from calmip.bench.campaign.campaign_file import read_campaign
from calmip.bench.campaign.logs import (
    MAX_LOG_CHARACTERS,
    READERS,
    Course,
    Line,
    course_of,
    log_to,
    pack,
    primal_gap,
    unpack,
)
from calmip.bench.campaign.store import COLUMNS, Store
from calmip.cli import main

LOGS = Path(__file__).parents[1] / "data" / "logs"

OPTIMUM = {"cpsat": 298.0, **dict.fromkeys(("highs", "scip", "cbc", "gurobi", "glpk"), 103.0)}
"""CP-SAT's log is of a set-partitioning model, the others are of an assignment problem."""

START = {"cpsat": 5.487, "gurobi": 0.973, "scip": 0.731}
"""Seconds before the solver could read the model."""

SEEN = {
    "highs": (72.7316083, 0.515, 135.0),
    "scip": (11.25438, 0.0, 121.0),
    "cbc": (1.1986584, 0.30, 106.0),
    "gurobi": (46.80871, 2.084 - 0.973, 134.0),
    "glpk": (0.0, 0.122, 115.0),
    "cpsat": (None, 0.85, 358.0),
}
"""The root bound, the seconds of the first incumbent and its objective, read by eye."""


def log_of(solver: str) -> list[Line]:
    text = (LOGS / f"{solver}.txt").read_text(encoding="utf-8")
    cut = (line.partition("\t") for line in text.splitlines())
    return [Line(float(seconds), words) for seconds, _, words in cut]


def run(solver: str, **more: Any) -> dict[str, Any]:
    objective, wall = OPTIMUM[solver], log_of(solver)[-1].seconds
    return {
        "solver": solver,
        "goal": "solve",
        "sense": "min",
        "start_wall": START.get(solver, 0.0),
        "wall": wall,
        "objective": objective,
        "answer": "optimal",
        "status": "solved",
        **more,
    }


def test_there_is_a_real_log_of_each_solver_with_a_reader() -> None:
    assert {path.stem for path in LOGS.iterdir()} == set(READERS) == set(SEEN)


@pytest.mark.parametrize("solver", sorted(SEEN))
def test_a_log_shows_root_bound_first_incumbent_and_gap_history(solver: str) -> None:
    best = OPTIMUM[solver]
    course = course_of(run(solver), log_of(solver), best)
    assert course is not None
    root, first, objective = SEEN[solver]
    assert course.root_bound == (None if root is None else pytest.approx(root))
    assert course.first_solution == pytest.approx(first, abs=1e-3)
    primals = [primal for _, primal, _ in course.steps if primal is not None]
    duals = [dual for *_, dual in course.steps if dual is not None]
    times = [seconds for seconds, *_ in course.steps]
    assert primals[0] == objective
    assert times == sorted(times)
    assert primals == sorted(primals, reverse=True)
    assert duals == sorted(duals)
    assert len(course.steps) > 3
    assert primals[-1] == duals[-1] == best
    assert all(dual <= best <= primal for primal in primals for dual in duals)


@pytest.mark.parametrize("solver", sorted(SEEN))
def test_a_claim_that_a_checked_solution_refutes_is_left_out(solver: str) -> None:
    better = OPTIMUM[solver] - 20
    course = course_of(run(solver), log_of(solver), better)
    assert course is not None
    bounds = [dual for *_, dual in course.steps[:-1] if dual is not None]
    assert all(dual <= better for dual in bounds)
    worse = OPTIMUM[solver] + 2
    course = course_of(run(solver, objective=None, status="time"), log_of(solver), worse)
    assert course is not None
    assert all(primal is None or primal >= worse for _, primal, _ in course.steps)


@pytest.mark.parametrize("solver", sorted(SEEN))
def test_without_a_checked_objective_the_bounds_are_those_of_the_log(solver: str) -> None:
    best = OPTIMUM[solver]
    known = course_of(run(solver), log_of(solver), best)
    course = course_of(run(solver), log_of(solver), None)
    assert course == known
    assert course is not None
    # A bound that its printed digits alone put above the checked objective is that objective.
    last = max(dual for *_, dual in course.steps[:-1] if dual is not None)
    near = last * (1 - 1e-9)
    course = course_of(run(solver, objective=None), log_of(solver), near)
    assert course is not None
    assert max(dual for *_, dual in course.steps if dual is not None) == near


@pytest.mark.parametrize("solver", sorted(SEEN))
def test_a_log_in_other_units_than_the_checked_objective_has_no_course(solver: str) -> None:
    other = OPTIMUM[solver] + 1000
    assert course_of(run(solver, objective=other), log_of(solver), other) is None


@pytest.mark.parametrize("solver", sorted(set(SEEN) - {"cpsat"}))
def test_a_solver_that_minimises_the_negative_is_turned_round(solver: str) -> None:
    best = OPTIMUM[solver]
    plain = course_of(run(solver), log_of(solver), best)
    turned = course_of(run(solver, sense="max", objective=-best), log_of(solver), -best)
    assert plain is not None
    assert turned is not None
    assert turned.steps == tuple(
        (seconds, primal and -primal, dual and -dual) for seconds, primal, dual in plain.steps
    )
    assert turned.primal_integral(-best, 60) == pytest.approx(plain.primal_integral(best, 60))


def test_the_primal_integral_is_the_area_under_the_gap() -> None:
    course = Course(((1.0, 20.0, None), (2.0, 20.0, 5.0), (3.0, 10.0, 10.0)), None)
    assert course.primal_integral(10.0, 60.0) == pytest.approx(1 + 2 * 0.5)
    assert course.primal_integral(10.0, 2.0) == pytest.approx(1 + 1 * 0.5)
    assert Course((), None).primal_integral(10.0, 60.0) == 60.0


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_primal_gap_is_a_share(one: float, other: float) -> None:
    assert 0 <= primal_gap(one, other) <= 1
    assert primal_gap(one, other) == primal_gap(other, one)
    assert primal_gap(one, one) == 0
    assert primal_gap(None, one) == 1


def test_a_kept_log_has_the_same_lines_and_is_cut_at_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with log_to(path) as log:
        for text in ("one", "two\nthree", "tab\tstop", "x" * MAX_LOG_CHARACTERS, "after the end"):
            log(text)
    packed = pack(path)
    assert packed is not None
    lines = unpack(packed)
    assert [line.text for line in lines[:4]] == ["one", "two", "three", "tab\tstop"]
    assert "cut" in lines[4].text
    assert len(lines) == 5
    assert [line.seconds for line in lines] == sorted(line.seconds for line in lines)
    assert pack(tmp_path / "none.txt") is None
    with pytest.raises(ValueError, match="compressed"):
        unpack(b"damaged")


CAMPAIGN = """
instances:
- puzzle: {{grid: ["* * * * *"], pieces: [I]}}
  name: five
solvers: [highs, exact-cover]
logs: {logs}
"""

MODEL = """NAME small
ROWS
 N OBJ
 G A
 G B
 G C
COLUMNS
 M 'MARKER' 'INTORG'
 X OBJ 2 A 1
 X B 1
 Y OBJ 3 A 1
 Y C 1
 Z OBJ 4 B 1
 Z C 1
 M 'MARKER' 'INTEND'
RHS
 RHS A 1 B 1
 RHS C 1
BOUNDS
 UP BND X 1
 UP BND Y 1
 UP BND Z 1
ENDATA
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "small.mps").write_text(MODEL)
    (tmp_path / "campaign.yaml").write_text(
        "instances: [{files: '*.mps'}]\nsolvers: [highs, exact-cover]\nseeds: [0, 1]\n"
    )
    path = tmp_path / "results.db"
    calmip.bench.run(tmp_path / "campaign.yaml", path)
    return path


@pytest.mark.long
def test_a_campaign_keeps_logs_and_shows_them(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = calmip.bench.report(results)
    assert {run["solver"] for run in report.runs if run["key"] in report.logs} == {"highs"}
    log = calmip.bench.log(results, "small/highs/1")
    assert log.run["objective"] == log.best == 5
    assert log.course is not None
    assert log.course.steps[-1][1:] == (5, 5)
    assert any("Optimal" in line.text for line in log.lines)
    again = calmip.bench.log(results, log.run["key"][:10])
    assert again.lines == log.lines
    assert main(["bench", "log", str(results), "small/highs/1"]) == 0
    printed = capsys.readouterr().out
    assert all(line.text.strip() in printed for line in log.lines)
    assert main(["bench", "log", str(results), "small/highs/1", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["log"] == [list(line) for line in log.lines]
    assert data["steps"][-1][1:] == [5, 5]
    picture = results.with_suffix(".svg")
    assert main(["bench", "log", str(results), "small/highs/1", "-o", str(picture)]) == 0
    assert "primal gap" in picture.read_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("small/scip", "no run is called"),
        ("", "no run is called"),
        ("small/highs", "2 runs are called"),
        ("small/exact-cover/0", "has no log"),
    ],
)
def test_a_wrong_name_of_a_run_is_answered_in_one_line(
    results: Path, name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "log", str(results), name]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert len(printed.splitlines()) == 1


@pytest.mark.long
def test_a_damaged_log_is_named(results: Path) -> None:
    with contextlib.closing(sqlite3.connect(results)) as base, base:
        base.execute("UPDATE logs SET log = x'00'")
    with pytest.raises(InputError, match="the log of run"):
        calmip.bench.report(results)
    with contextlib.closing(sqlite3.connect(results)) as base, base:
        base.execute("UPDATE logs SET log = 'text'")
    with pytest.raises(InputError, match="damaged"):
        calmip.bench.report(results)


@pytest.mark.long
def test_without_logs_none_are_kept(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(CAMPAIGN.format(logs="false"))
    calmip.bench.run(tmp_path / "campaign.yaml", tmp_path / "results.db")
    report = calmip.bench.report(tmp_path / "results.db")
    assert not report.logs
    assert {run["root_bound"] for run in report.runs} == {None}
    (tmp_path / "campaign.yaml").write_text(CAMPAIGN.format(logs="never"))
    with pytest.raises(InputError, match="logs is true or false"):
        calmip.bench.run(tmp_path / "campaign.yaml", tmp_path / "results.db")


TAGGED = """
instances:
- {files: 'small.mps', tags: [tiny, cover]}
- {files: 'other.mps', tags: [cover]}
solvers: [highs]
reference_every: 0
"""


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    (tmp_path / "small.mps").write_text(MODEL)
    (tmp_path / "other.mps").write_text(MODEL.replace("X OBJ 2", "X OBJ 1"))
    (tmp_path / "campaign.yaml").write_text(TAGGED)
    calmip.bench.run(tmp_path / "campaign.yaml", tmp_path / "results.db")
    return tmp_path / "results.db"


@pytest.mark.long
def test_tags_group_and_filter_the_instances(tagged: Path) -> None:
    report = calmip.bench.report(tagged)
    groups = {group["tag"]: group for group in report.summary["tags"]}
    assert {tag: group["instances"] for tag, group in groups.items()} == {"cover": 2, "tiny": 1}
    assert [group["competitors"][0]["runs"] for group in groups.values()] == [2, 1]
    assert "Instances by tag" in str(report)
    alone = calmip.bench.report(tagged, tag="tiny")
    assert {run["instance"] for run in alone.runs} == {"small"}
    assert groups["tiny"]["competitors"][0]["par10"] == alone.summary["competitors"][0]["par10"]
    assert {run["instance"] for run in calmip.bench.report(tagged, instances="o*").runs} == {
        "other"
    }
    with pytest.raises(InputError, match="the tags are cover, tiny"):
        calmip.bench.report(tagged, tag="huge")
    with pytest.raises(InputError, match="no instance matches"):
        calmip.bench.report(tagged, tag="tiny", instances="other")


@pytest.mark.long
def test_tags_change_without_another_run(tagged: Path) -> None:
    campaign = tagged.with_name("campaign.yaml")
    campaign.write_text(TAGGED.replace("[tiny, cover]", "[new]"))
    assert not calmip.bench.run(campaign, tagged).runs
    assert dict(calmip.bench.report(tagged).tags) == {"small": ("new",), "other": ("cover",)}


@pytest.mark.parametrize("tags", ["[two words]", "['']", f"[{'x' * 41}]", "['<b>']"])
def test_a_tag_is_a_word(tmp_path: Path, tags: str) -> None:
    (tmp_path / "small.mps").write_text(MODEL)
    campaign = tmp_path / "campaign.yaml"
    campaign.write_text(f"instances: [{{files: '*.mps', tags: {tags}}}]\n")
    with pytest.raises(InputError, match=r"tags: .* is not a word") as error:
        read_campaign(campaign)
    assert error.value.line == 1


def test_the_script_and_the_data_of_a_page_are_escaped(tmp_path: Path) -> None:
    evil = "</script><b>"
    with Store(tmp_path / "r.db") as store:
        row: dict[str, Any] = dict.fromkeys(COLUMNS)
        store.add(
            row | {
                "key": "k", "instance": evil, "formulation": "file", "goal": "solve",
                "solver": evil, "version": "1", "settings": "stock", "chosen": "", "options": "",
                "seed": 0, "status": "time", "wall": 1.0, "answer": "", "sense": "min",
                "detail": "", "time_limit": 1.0, "side": "", "round": 0, "model": "m",
                "machine": "m", "host": "h", "calmip": "0", "finished": "2026",
            }
        )  # fmt: skip
    calmip.bench.report(tmp_path / "r.db").save(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert "<b>" not in text
    assert text.count("</script>") == 3


def test_a_line_of_a_log_has_its_seconds() -> None:
    assert [*logs.unpack(zlib.compress(b"1.5\ta line\n2\ttab\tstop\n"))] == [
        (1.5, "a line"),
        (2.0, "tab\tstop"),
    ]
    for text in (b"soon\ta line\n", b"a line\n"):
        with pytest.raises(ValueError, match=r"' is not the seconds of a line$"):
            logs.unpack(zlib.compress(text))


def test_glpk_has_a_point_of_a_heuristic_and_the_bound_of_its_linear_program() -> None:
    read = logs._read_glpk
    found, solved = "Solution found by heuristic: 12.5", "OPTIMAL LP SOLUTION FOUND"
    assert read(found, "", False) == logs.Event(primal=12.5)
    assert read(solved, "*     9: obj =   3.25e+01 inf =   0.000e+00 (0)", False) == logs.Event(
        dual=32.5, root=True
    )
    for text, before in ((solved, ""), ("found by heuristic: 12", ""), (found[1:], found)):
        assert read(text, before, False) is None
