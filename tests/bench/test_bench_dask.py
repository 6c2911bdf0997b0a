"""Campaigns on a cluster: the same runs, also when a worker dies; and what is said without one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from processes import HANG_SECONDS
from requirements import need_package
from test_bench import SMALL, campaign, records

import calmip
from calmip._base.limits import Progress
from calmip.bench.bench import _result
from calmip.bench.campaign.runner import NOTHING
from calmip.bench.campaign.store import read_runs
from calmip.cli import main

TINY = Path("instances/tiny.yaml").resolve()


@pytest.fixture
def distributed() -> Any:
    if "CI" not in os.environ:
        need_package("distributed")
    import distributed

    return distributed


needs_quiet = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.mark.slow
@needs_quiet
def test_a_worker_that_dies_leaves_its_runs_to_the_other(tmp_path: Path, distributed: Any) -> None:
    source = campaign(tmp_path, SMALL)
    calmip.bench.run(source, tmp_path / "calm.db")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        pids = [nanny.pid for nanny in cluster.workers.values()]
        done: list[int] = []

        def progress(now: Progress) -> None:
            done.append(now.done)
            if now.done == 5:
                os.kill(pids[0], signal.SIGKILL)

        found = calmip.bench.run(
            source, tmp_path / "r.db", dask=cluster.scheduler_address, progress=progress
        )
    assert done == list(range(37))
    assert len({run["key"] for run in found.runs}) == len(found.runs) == 36
    assert records(tmp_path / "r.db") == records(tmp_path / "calm.db")


@pytest.mark.slow
@needs_quiet
def test_a_cluster_of_this_machine(tmp_path: Path, distributed: Any) -> None:
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [highs]\nseeds: [0, 1, 2, 3]\n"
    source = campaign(tmp_path, text)
    words = ["bench", "run", str(source), "-o", str(tmp_path / "r.db"), "--dask", "local"]
    assert main([*words, "--workers", "2"]) == 0
    assert [row["status"] for row in read_runs(tmp_path / "r.db")[0]] == ["solved"] * 4


@pytest.mark.long
@needs_quiet
def test_a_cluster_that_cannot_be_reached_is_one_message(
    tmp_path: Path,
    distributed: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.processes.workers.CLUSTER_SECONDS", 1)
    source = campaign(tmp_path, SMALL)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        words = ["bench", "run", str(source), "-o", str(tmp_path / "r.db"), "--dask", address]
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"calmip: error: the cluster '{address}' cannot be reached")
        assert said.count("\n") == 1


def test_dask_that_is_not_installed_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    source = campaign(tmp_path, SMALL)
    words = ["bench", "run", str(source), "-o", str(tmp_path / "r.db"), "--dask", "local"]
    assert main(words) == 4
    assert "pip install 'calmip[dask]'" in capsys.readouterr().err


@pytest.mark.slow
@needs_quiet
def test_a_cluster_of_this_machine_that_is_ended_leaves_nothing(
    tmp_path: Path, distributed: Any
) -> None:
    """No folder, no process and no line but one; and it does not wait for the runs to end."""
    source = campaign(
        tmp_path, "instances: [{suite: hard}]\nsolvers: [highs]\ntime_limit: 600\nshuffle: 3\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "calmip", "bench", "run", str(source), "-o", "r.db"]
    with subprocess.Popen(
        [*command, "--dask", "local", "--workers", "2"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    ) as process:
        for _ in range(1200):
            if list(scratch.glob("*/task.json")):
                break
            time.sleep(0.1)
        process.terminate()
        _, said = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("interrupted: ")
    assert len(said.splitlines()) == 1
    assert list(scratch.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["campaign.yaml", "r.db", "scratch"]


@needs_quiet
def test_a_cluster_that_does_not_start_is_one_message(
    tmp_path: Path,
    distributed: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def killed(**_: object) -> None:
        raise RuntimeError("Cluster failed to start: Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", killed)
    source = campaign(tmp_path, SMALL)
    words = ["bench", "run", str(source), "-o", str(tmp_path / "r.db"), "--dask", "local"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "Nanny failed to start" in said
    assert said.count("\n") == 1


class KilledWorker(Exception):
    """An error as Dask has it, which need not be installed here."""


def test_only_a_run_that_killed_its_workers_is_a_row_without_an_answer() -> None:
    done: Future[dict[str, Any]] = Future()
    done.set_result({"answer": {"status": "optimal"}})
    assert _result(done) == {"answer": {"status": "optimal"}}
    killed: Future[dict[str, Any]] = Future()
    killed.set_exception(KilledWorker())
    assert _result(killed) == {**NOTHING, "output": "every worker that had this run died"}
    broken: Future[dict[str, Any]] = Future()
    broken.set_exception(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        _result(broken)
