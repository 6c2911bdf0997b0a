"""Shards of a campaign: disjoint and complete anywhere, joined, watched; no empty file is left."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip import InputError
from calmip._base.shards import read_shard
from calmip.bench import bench
from calmip.bench.campaign import runner
from calmip.bench.campaign.campaign_file import read_campaign
from calmip.bench.campaign.store import Store, read_runs
from calmip.cli import main

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

TINY = Path("instances/tiny.yaml").resolve()
NONE = Path("instances/chessboard.yaml").resolve()
CAMPAIGN = f"""
instances:
- {{puzzle: {TINY}}}
- {{puzzle: {NONE}}}
solvers: [highs, exact-cover]
seeds: [0, 1, 2]
reference_every: 0
"""
OF_ANSWERS = ("instance", "solver", "seed", "status", "answer", "objective")


def campaign(folder: Path, text: str = CAMPAIGN) -> Path:
    path = folder / "campaign.yaml"
    path.write_text(text)
    return path


def answers(path: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(run[one] for one in OF_ANSWERS) for run in read_runs(path).runs)


@pytest.mark.parametrize("total", [1, 2, 7, 64])
def test_a_key_is_in_one_shard_of_any_number(total: int) -> None:
    shards = [read_shard(f"{number}/{total}") for number in range(1, total + 1)]
    for number in range(200):
        assert sum(shard.has(f"run {number}") for shard in shards) == 1


def test_many_shards_have_runs() -> None:
    shards = [read_shard(f"{number}/1000") for number in range(300, 1001)]
    assert any(shard.has(f"run {number}") for shard in shards for number in range(10))


def test_a_shard_is_that_of_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "3")
    monkeypatch.setenv("CI_NODE_TOTAL", "8")
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "0")  # Kubernetes counts from 0
    assert str(read_shard("SLURM_ARRAY_TASK_ID/CI_NODE_TOTAL")) == "3/8"
    assert str(read_shard("JOB_COMPLETION_INDEX/8")) == "1/8"
    assert read_shard(None).whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0/8", "counts from 1"),
        ("9/8", "'9/8' is not"),
        ("3", "'3' is none"),
        ("3/", "'3/' is none"),
        ("-1/8", "'-1/8' is none"),
        ("1/2/3", "'1/2/3' is none"),
        ("1/1000001", "at most 1,000,000"),
        ("NO_SUCH_TASK/8", "variable NO_SUCH_TASK is not set"),
        ("SGE_TASK_ID/8", "SGE_TASK_ID is 'undefined'"),
    ],
)
def test_what_is_no_shard_is_one_message(
    text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SGE_TASK_ID", "undefined")  # as of a job that is no array
    with pytest.raises(InputError, match="|".join([words.replace("'", ".")])):
        read_shard(text)


@needs_fork
@pytest.mark.long
def test_shards_of_several_machines_are_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The machine is in a run's key, but not in that by which it belongs to a shard."""
    source, whole = campaign(tmp_path), tmp_path / "whole.db"
    calmip.bench.run(source, whole)
    parts = [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    empty = tmp_path / "empty.db"  # also a shard without runs has a file
    assert not calmip.bench.run(source, empty, shard="1/1000000").runs
    for number, part in enumerate(parts, start=1):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", str(number))
        made = calmip.bench.run(
            source, part, shard="SLURM_ARRAY_TASK_ID/3", machine=f"node {number}"
        )
        assert str(made).endswith(f"; shard {number}/3")
    assert sum(len(answers(part)) for part in parts) == 12
    capsys.readouterr()
    merged = tmp_path / "all.db"
    assert main(["bench", "merge", *map(str, [*parts, empty]), "-o", str(merged)]) == 0
    assert capsys.readouterr().out == f"{merged}: 12 runs of 4 files on 3 machines\n"
    assert answers(merged) == answers(whole)
    assert main(["bench", "diff", str(whole), str(merged), "--answers-only"]) == 0
    assert "no change" in capsys.readouterr().out
    # Merging again changes nothing, whatever the order of the files.
    calmip.bench.merge([parts[2], merged, parts[0]], merged)
    assert answers(merged) == answers(whole)
    watched = calmip.bench.watch([*parts, empty])
    assert watched.done
    assert {row["solver"]: row["done"] for row in watched.solvers} == {
        "exact-cover": 6,
        "highs": 6,
    }
    together = calmip.bench.report([empty, *parts])
    assert len(together.runs) == 12
    assert "node 1" in str(together)


@needs_fork
@pytest.mark.long
def test_a_verdict_delays_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one answer is judged for as long as it takes, all other runs are done."""
    ran, judged, last = threading.Event(), threading.Event(), []
    real, runs = bench.judge_run, []

    def judge(*given: Any, **more: Any) -> Any:
        last.append(ran.wait(60))
        judged.set()
        return real(*given, **more)

    execute = runner.execute

    def count(job: runner.Job) -> Any:
        ended = execute(job)
        runs.append(job)
        if len(runs) == 12:
            ran.set()
        return ended

    monkeypatch.setattr(bench, "judge_run", judge)
    monkeypatch.setattr(runner, "execute", count)
    made = calmip.bench.run(campaign(tmp_path), tmp_path / "r.db")
    assert last == [True] * 12
    assert {run["status"] for run in made.runs} == {"solved"}


@needs_fork
@pytest.mark.parametrize("fault", ["option", "formulation"], ids=["an option", "a missing package"])
def test_a_refused_campaign_leaves_no_file(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, path = tmp_path / "campaign.yaml", tmp_path / "r.db"
    text = CAMPAIGN.replace("[highs, exact-cover]", "[{name: highs, options: {no_such: 1}}]")
    if fault == "formulation":
        text = f"{CAMPAIGN}formulations: [pulp]\n"
        monkeypatch.setitem(sys.modules, "pulp", None)
        monkeypatch.delitem(sys.modules, "calmip.models.pulp", raising=False)  # has it already
    source.write_text(text)
    assert main(["bench", "run", str(source), "-o", str(path)]) in (2, 4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["campaign.yaml"]


@needs_fork
@pytest.mark.long
def test_a_full_disk_is_said_and_finished_runs_are_kept(tmp_path: Path) -> None:
    """A limit of the size of files is a disk that is full in the middle of a campaign."""
    source, path = campaign(tmp_path), tmp_path / "r.db"
    text = (
        "import resource, sys; from calmip.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (110_000,) * 2)\n"
        f"sys.exit(main(['bench', 'run', {str(source)!r}, '-o', {str(path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "finished runs are kept: make room on the disk" in done.stderr
    assert done.stderr.count("\n") == 1
    kept = len(read_runs(path).runs)
    assert 0 < kept < 12
    again = calmip.bench.run(source, path)
    assert (again.kept, len(again.runs)) == (kept, 12 - kept)


@needs_fork
@pytest.mark.long
def test_a_refuted_or_contradicted_answer_is_code_four(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, path = campaign(tmp_path), tmp_path / "r.db"
    text = CAMPAIGN.replace("[0, 1, 2]", "[0]").replace(f"- {{puzzle: {NONE}}}\n", "")
    source.write_text(text)
    assert main(["bench", "run", str(source), "-o", str(path)]) == 0
    assert main(["bench", "report", str(path), "--strict"]) == 0
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(
            "UPDATE runs SET goal = 'count', count = 5, objective = NULL, status = 'unverified', "
            "correct = NULL"
        )
        base.execute("UPDATE runs SET count = 6 WHERE solver = 'highs'")
        base.commit()
    capsys.readouterr()
    assert main(["bench", "report", str(path)]) == 0
    said = capsys.readouterr().out
    assert "contradiction: tiny: exact-cover says 5 solutions, highs says 6 solutions" in said
    assert main(["bench", "report", str(path), "--strict"]) == 4
    assert main(["bench", "diff", str(path), str(path), "--answers-only"]) == 4
    assert main(["bench", "run", str(source), "-o", str(path)]) == 4
    assert "contradiction: tiny" in capsys.readouterr().out


def test_the_page_of_a_watched_campaign_loads_itself_again(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    rows = [
        {"solver": "highs", "planned": 10, "kept": 2, "done": 4, "running": 1, "solved": 3,
         "wrong": 1, "workers": 2, "seconds": 8.0, "started": "2026-01-01T00:00:00+00:00",
         "updated": "2026-01-01T00:00:00+00:00"},
        {"solver": "cbc", "planned": 5, "kept": 0, "done": 0, "running": 1, "solved": 0,
         "wrong": 0, "workers": 2, "seconds": 0.0, "started": "2026-01-01T00:00:00+00:00",
         "updated": "2026-01-01T00:00:00+00:00"},
    ]  # fmt: skip
    with Store(path) as store:
        store.set_work(rows)
    found = calmip.bench.watch(path, refresh=5)
    assert [(row["solver"], row["left"]) for row in found.solvers] == [
        ("cbc", None),
        ("highs", 12.0),
    ]
    assert (found.left, found.done, found.silent) == (None, False, (path,))
    found.save(tmp_path / "w.html")
    assert '<meta http-equiv="refresh" content="5">' in (tmp_path / "w.html").read_text()
    assert main(["bench", "watch", str(path)]) == 4  # an answer is wrong
    with pytest.raises(InputError, match=r"every 0\.1 to 86400 seconds"):
        calmip.bench.watch(path, refresh=0)
    assert json.loads(json.dumps(found.describe()))["done"] is False


@needs_fork
@pytest.mark.long
def test_a_campaign_is_watched_until_it_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, path = campaign(tmp_path), tmp_path / "r.db"
    runs = threading.Thread(target=calmip.bench.run, args=(source, path))
    runs.start()
    while not (path.exists() and read_runs(path).runs):
        time.sleep(0.05)
    page = tmp_path / "w.html"
    assert main(["bench", "watch", str(path), "--refresh", "0.2", "-o", str(page)]) == 0
    runs.join()
    assert "refresh" not in page.read_text()  # all is done
    assert ">12</td>" in page.read_text()
    assert capsys.readouterr().err.count("wrote") == 1


def test_equal_models_have_runs_of_their_own_and_the_first_one_no_name_in_its_key(
    tmp_path: Path,
) -> None:
    """So a renamed instance goes on with its results, and no other of the same model does."""

    def keys(*names: str) -> dict[str, str]:
        for name in names:
            (tmp_path / f"{name}.yaml").write_text(TINY.read_text())
        listed = "".join(f"- {{puzzle: {tmp_path / name}.yaml}}\n" for name in names)
        text = f"instances:\n{listed}solvers: [exact-cover]\n"
        parsed = read_campaign(campaign(tmp_path, text))
        planned = bench._plan(parsed, {"exact-cover": "1", "machine": None}, bench.Ways(), "")
        assert len(planned) == len({job.key for _, job in planned}) == len(names)
        return {problem.name: job.key for problem, job in planned}

    first, renamed = keys("a", "b", "c"), keys("z", "b", "c")
    assert first.pop("a") == renamed.pop("z")
    assert first == renamed
