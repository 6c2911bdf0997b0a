"""Campaigns with a limit of CPU seconds: it ends what works, and not what waits."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_bench import KNAPSACK, TINY, campaign, fake_cbc, needs_fork
from test_judge import GAVE_UP, SECONDS, ended

import calmip
from calmip import InputError
from calmip.bench.campaign import runner
from calmip.bench.campaign.campaign_file import read_campaign
from calmip.bench.campaign.jobs import FILE, Question, judge_run
from calmip.bench.campaign.store import read_runs
from calmip.processes import processor_seconds

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@needs_proc
def test_processor_seconds_are_those_of_a_process() -> None:
    until = time.process_time() + 0.05
    before = processor_seconds(os.getpid())
    while time.process_time() < until:
        pass
    assert 0.02 < processor_seconds(os.getpid()) - before < 0.2
    assert processor_seconds(2**30) == 0


@pytest.mark.long
@needs_proc
@needs_fork
@pytest.mark.parametrize("body", ["while True: pass", "time.sleep(600)"])
def test_a_run_ends_at_its_own_limit(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.1)
    fake_cbc(tmp_path, monkeypatch, body)
    works = body.startswith("while")
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\nreference_every: 0\n"
    text += "cpu_limit: 0.3\n" + f"time_limit: {600 if works else 1}\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    (row,) = read_runs(tmp_path / "r.db").runs
    assert row["cpu_limit"] == 0.3
    if works:
        assert row["cpu"] >= 0.3
        assert row["wall"] < 600
        assert (row["status"], row["detail"]) == ("time", "killed: overran its limit")
    else:
        assert row["status"] in ("time", "starved")


@pytest.mark.parametrize(
    ("how", "limit", "status"),
    [
        ({"waited": 0.4}, None, "time"),
        ({"waited": 0.6}, None, "starved"),
        ({"waited": 0.05, "cpu": 0.1}, 0.5, "time"),
        ({"waited": 0.2, "cpu": 0.1}, 0.5, "starved"),
        ({"waited": 0.9, "cpu": 0.5}, 0.5, "time"),
    ],
)
def test_a_run_that_waited_is_starved(
    how: dict[str, Any], limit: float | None, status: str
) -> None:
    """With a limit of CPU seconds, a tenth of the time is enough, unless they are spent."""
    problem = Question("k", FILE, "solve", ".lp", KNAPSACK.encode())
    answer = ended(GAVE_UP, **{"wall": 1.0, "cpu": 0.0, "killed": "time"} | how)
    assert judge_run(problem, "liar", SECONDS, answer, cpu_limit=limit)["status"] == status


def test_the_wall_clock_limit_is_three_times_that_of_cpu_seconds(tmp_path: Path) -> None:
    text = f"instances: [{{puzzle: {TINY}}}]\n"
    for more, limits in (
        ("", (60, None)),
        ("cpu_limit: 5\n", (15, 5)),
        ("cpu_limit: 5\ntime_limit: 9\n", (9, 5)),
    ):
        found = read_campaign(campaign(tmp_path, text + more))
        assert (found.time_limit, found.cpu_limit) == limits
    with pytest.raises(InputError, match=r":2: cpu_limit: '0' is not a number of seconds above 0"):
        read_campaign(campaign(tmp_path, text + "cpu_limit: 0\n"))
