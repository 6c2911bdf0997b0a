"""Pools of models that are killed, stopped and resumed, and those of several workers."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from processes import HANG_SECONDS

import calmip
from calmip import InputError, SolverFailed
from calmip.cli import main
from calmip.mip.pool import shared_search

Capture = pytest.CaptureFixture[str]


def knapsack(path: Path, columns: int) -> Path:
    """Write a knapsack whose items are alike in pairs, so that many solutions are good."""
    names = [f"x{n}" for n in range(columns)]
    weights = [3 * n % 7 + 5 + n // 2 for n in range(columns)]
    values = [weight + n % 3 for n, weight in enumerate(weights)]
    lines = [
        "Maximize",
        " value: " + " + ".join(f"{v} {x}" for v, x in zip(values, names, strict=True)),
        "Subject To",
        " weight: "
        + " + ".join(f"{w} {x}" for w, x in zip(weights, names, strict=True))
        + f" <= {sum(weights) // 2}",
        "Binaries",
        " " + " ".join(names),
        "End",
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return knapsack(tmp_path / "small.lp", 12)


def run(capsys: Capture, *arguments: object) -> tuple[int, str, str]:
    code = main(["enumerate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def sorted_lines(path: Path) -> list[str]:
    return sorted(path.read_text().splitlines())


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [["--gap", "5%"], ["--best", "7"], ["--optimal"], [], ["--within", "3", "--limit", "999"]],
)
def test_a_pool_that_stopped_at_a_limit_is_continued(
    capsys: Capture, small: Path, tmp_path: Path, options: list[str]
) -> None:
    output, whole = tmp_path / "pool.jsonl", tmp_path / "whole.jsonl"
    small = small if options else knapsack(tmp_path / "plain.lp", 9)
    assert run(capsys, small, *options, "-o", whole)[0] == 0
    assert not whole.with_name("whole.jsonl.journal").exists()
    journal = output.with_name("pool.jsonl.journal")
    code, _, err = run(capsys, small, *options, "-o", output, "--node-limit", "9")
    assert code == 3
    assert "node limit reached" in err
    assert "pool.jsonl.journal has what is known; continue with --resume" in err
    assert journal.is_file()
    for _ in range(3):
        run(capsys, small, *options, "-o", output, "--node-limit", "30", "--resume")
    code, _, err = run(capsys, small, *options, "-o", output, "--resume")
    assert code == 0
    assert "proved complete" in err
    assert not journal.exists()
    assert sorted_lines(output) == sorted_lines(whole)


@pytest.mark.long
def test_resume_continues_and_does_not_begin_anew(small: Path, tmp_path: Path) -> None:
    model, file = calmip.read_model(small), tmp_path / "pool.jsonl"
    alone = calmip.enumerate(model, gap="5%")
    first = calmip.enumerate(model, gap="5%", file=file, node_limit=alone.statistics.nodes * 2 // 3)
    assert not first.complete
    rest = calmip.enumerate(model, gap="5%", file=file, resume=True)
    assert rest.complete
    assert sorted(rest.solutions) == sorted(alone.solutions)
    assert rest.statistics.nodes < alone.statistics.nodes * 2 // 3
    assert len(file.read_text().splitlines()) == len(alone)


@pytest.mark.long
def test_a_journal_of_another_pool_or_damaged_is_refused(
    capsys: Capture, small: Path, tmp_path: Path
) -> None:
    output, journal = tmp_path / "pool.jsonl", tmp_path / "pool.jsonl.journal"
    stop = "-o", output, "--node-limit", "9"
    assert run(capsys, small, "--gap", "5%", *stop)[0] == 3
    for options in (["--gap", "6%"], ["--best", "3"], ["--gap", "5%", "--distinct", "x1"]):
        code, _, err = run(capsys, small, *options, *stop, "--resume")
        assert code == 2
        assert "belongs to another pool; give the options of that run" in err
        assert err.count("\n") == 1
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([lines[0], lines[1].replace("1", "0"), *lines[2:]]))
    code, _, err = run(capsys, small, "--gap", "5%", *stop, "--resume")
    assert code == 2
    assert "journal:2: is damaged, or not a line of this pool" in err
    # Without one of the solutions, what is closed would be wrong.
    found = next(place for place, line in enumerate(lines) if "solution" in line)
    journal.write_text("".join(line for place, line in enumerate(lines) if place != found))
    assert "is damaged, or not" in run(capsys, small, "--gap", "5%", *stop, "--resume")[2]
    journal.write_text("no journal\n")
    assert "is not a journal of calmip" in run(capsys, small, "--gap", "5%", *stop, "--resume")[2]
    code, _, err = run(capsys, small, "--gap", "5%", "--resume")
    assert (code, err.count("\n")) == (2, 1)
    assert "--resume needs a JSONL file" in err


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_pool_is_continued(capsys: Capture, tmp_path: Path, workers: int) -> None:
    model, output = knapsack(tmp_path / "large.lp", 18), tmp_path / "pool.jsonl"
    whole = tmp_path / "whole.jsonl"
    assert run(capsys, model, "--within", "5", "-o", whole)[0] == 0
    journal = output.with_name("pool.jsonl.journal")
    # A driver that records its state at each step, and kills itself after some.
    driver = (
        "import os, sys, threading, time\n"
        "from pathlib import Path\n"
        "journal, size = Path(sys.argv.pop(1)), int(sys.argv.pop(1))\n"
        "def kill():\n"
        "    while not (journal.exists() and journal.stat().st_size > size): time.sleep(0.001)\n"
        "    os.kill(os.getpid(), 9)\n"
        "threading.Thread(target=kill, daemon=True).start()\n"
        "from calmip.mip import pool\n"
        "from calmip.mip.pool import shared_search, tree_search\n"
        "from calmip.cli import main\n"
        "pool.ENTRY_SECONDS, pool.RATE, tree_search.WORK_PER_CLOCK_READ = 0.0, 0, 2000\n"
        "shared_search.SECONDS_ALONE, shared_search.SLICE_SECONDS = 0.01, 0.2\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = ["enumerate", str(model), "--within", "5", "-o", str(output), "--resume"]
    killed = 0
    for _ in range(2):
        before = journal.stat().st_size if journal.exists() else 0
        command = [sys.executable, "-c", driver, str(journal), str(before + 2000), *words]
        done = subprocess.run(
            [*command, "--workers", str(workers)], stderr=subprocess.DEVNULL, check=False
        )
        killed += done.returncode == -signal.SIGKILL  # its workers notice
    assert killed
    deadline = time.monotonic() + HANG_SECONDS
    code, err = 2, ""
    while code == 2 and time.monotonic() < deadline:  # a worker may still be in a job
        code, _, err = run(capsys, model, "--within", "5", "-o", output, "--resume")
    assert (code, "proved complete" in err) == (0, True)
    assert sorted_lines(output) == sorted_lines(whole)


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [{"gap": "5%"}, {"best": 9}, {}, {"distinct": ["x1*"], "within": 20}, {"count": True}],
)
def test_workers_find_the_same_pool(
    monkeypatch: pytest.MonkeyPatch, small: Path, settings: dict[str, Any]
) -> None:
    monkeypatch.setattr(shared_search, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(shared_search, "SLICE_SECONDS", 0.05)
    model = calmip.read_model(small)
    alone = calmip.enumerate(model, **settings)
    several = calmip.enumerate(model, workers=2, **settings)
    assert alone.complete
    assert several.complete
    assert (several.optimum, several.cutoff, several.tied) == (
        alone.optimum,
        alone.cutoff,
        alone.tied,
    )
    assert several.count == alone.count
    assert sorted(several.objectives) == sorted(alone.objectives)
    if "best" not in settings:
        assert sorted(several.solutions) == sorted(alone.solutions)


def test_a_killed_worker_is_an_error_of_one_line(
    monkeypatch: pytest.MonkeyPatch, small: Path
) -> None:
    def broken(*_: object) -> Any:
        raise BrokenProcessPool
        yield

    monkeypatch.setattr(shared_search, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr("calmip.processes.workers.share", broken)
    with pytest.raises(SolverFailed, match="a worker was killed, perhaps for lack of memory"):
        calmip.enumerate(calmip.read_model(small), gap="5%", workers=2)


def test_workers_obey_the_limits(monkeypatch: pytest.MonkeyPatch, small: Path) -> None:
    monkeypatch.setattr(shared_search, "SECONDS_ALONE", 0.0)
    model = calmip.read_model(small)
    pool = calmip.enumerate(model, workers=2, gap="5%", node_limit=3)
    assert (pool.complete, pool.stopped) == (False, "nodes")
    pool = calmip.enumerate(model, workers=2, time_limit=1e-9)
    assert (pool.complete, pool.stopped) == (False, "time")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["small.lp", "--workers", "0"], "0 is not in the range 1<=x<=1024"),
        (["small.lp", "--workers", "x"], "'x' is not a valid integer"),
        (["tiny.yaml", "--workers", "2"], "--workers goes with a model only"),
    ],
)
def test_wrong_workers_are_one_clear_line(
    capsys: Capture, small: Path, arguments: list[str], message: str
) -> None:
    places = {"small.lp": str(small), "tiny.yaml": "instances/tiny.yaml"}
    code, out, err = run(capsys, *(places.get(one, one) for one in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_the_journal_has_each_solution_once(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl"
    pool = calmip.enumerate(calmip.read_model(small), limit=20, file=file)
    lines = file.with_name("pool.jsonl.journal").read_text().splitlines()
    found = [json.dumps(one["solution"]) for one in map(json.loads, lines) if "solution" in one]
    assert len(pool) == len(found) == len(set(found)) == 20
    with pytest.raises(InputError, match="belongs to another pool"):
        calmip.enumerate(calmip.read_model(small), best=2, file=file, resume=True)
