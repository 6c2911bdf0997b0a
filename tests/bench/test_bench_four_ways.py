"""One campaign done four ways has the same rows, but for times; and the table of a paper stays."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from requirements import need_package
from test_runner import covers

import calmip
from calmip._base.limits import Progress
from calmip.bench.campaign.store import COLUMNS, read_runs
from calmip.cli import main
from calmip.mip.files.mps import mps_text

OF_TIME = (
    "key", "wall", "cpu", "start_wall", "start_cpu", "waited", "memory", "overhead", "host",
    "machine", "finished",
)  # fmt: skip
"""The columns in which two ways may differ."""

KEPT = [one for one in COLUMNS if one not in OF_TIME]

CAMPAIGN = """
instances: [{files: '*.mps'}]
solvers: [highs, cbc, glpk, exact-cover]
time_limit: 600
"""


def rows(path: Path) -> list[tuple[Any, ...]]:
    return sorted(
        (tuple(run[one] for one in KEPT) for run in read_runs(path).runs), key=lambda row: row[:5]
    )


def kill_after_a_run(words: list[str], path: Path) -> None:
    """Start a command, and kill it as soon as it has stored a run."""
    started = subprocess.Popen([sys.executable, "-m", "calmip", *words])
    while started.poll() is None:
        if path.exists() and path.stat().st_size and read_runs(path).runs:
            started.send_signal(signal.SIGKILL)
        time.sleep(0.005)
    assert started.wait() == -signal.SIGKILL


def in_shards(source: Path, folder: Path) -> Path:
    """Eight shards, of which two are killed in the middle and done again."""
    parts = [folder / f"{number}.db" for number in range(1, 9)]
    for number, part in enumerate(parts, start=1):
        words = ["bench", "run", str(source), "-o", str(part), "--shard", f"{number}/8", "-q"]
        if number in (3, 6):
            kill_after_a_run(words, part)
            kept = len(read_runs(part).runs)
            assert calmip.bench.run(source, part, shard=f"{number}/8").kept == kept
        else:
            assert main(words) == 0
    calmip.bench.merge(parts, folder / "shards.db")
    return folder / "shards.db"


def on_dask(source: Path, folder: Path) -> Path:
    """Two workers, of which one is killed."""
    import distributed

    path = folder / "dask.db"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        pids = [nanny.pid for nanny in cluster.workers.values()]

        def progress(now: Progress) -> None:
            if now.done == 60:
                os.kill(pids[0], signal.SIGKILL)

        calmip.bench.run(source, path, dask=cluster.scheduler_address, progress=progress)
    return path


def on_machines(source: Path, folder: Path) -> Path:
    """Two machines, by their names."""
    parts = [folder / "ada.db", folder / "ben.db"]
    for number, part in enumerate(parts, start=1):
        calmip.bench.run(source, part, shard=f"{number}/2", machine=part.stem)
    calmip.bench.merge(parts, folder / "machines.db")
    return folder / "machines.db"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_campaign_done_four_ways_has_the_same_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "CI" not in os.environ:
        need_package("distributed")
    for seed in range(50):
        (tmp_path / f"cover-{seed:02}.mps").write_text(mps_text(covers(seed)))
    source = tmp_path / "campaign.yaml"
    source.write_text(CAMPAIGN)
    plain = tmp_path / "plain.db"
    calmip.bench.run(source, plain)
    ways = [plain, in_shards(source, tmp_path), on_dask(source, tmp_path)]
    ways.append(on_machines(source, tmp_path))
    expected = rows(plain)
    assert len(expected) == 4 * 50
    assert {row[KEPT.index("answer")] for row in expected} == {"optimal", "infeasible"}
    for way in ways[1:]:
        assert rows(way) == expected
    capsys.readouterr()
    for one, other in itertools.combinations(map(str, ways), 2):
        assert main(["bench", "diff", one, other, "--answers-only"]) == 0
        assert capsys.readouterr().out.endswith("no change\n")
    # Times are compared on one machine; a busy machine may double them.
    assert main(["bench", "diff", *map(str, ways[:2]), "--tolerance", "5"]) == 0
    assert "no change" in capsys.readouterr().out


@pytest.mark.long
def test_the_table_of_a_paper_is_that_of_its_database_byte_for_byte(tmp_path: Path) -> None:
    words = ["--clock", "cpu", "--columns", "version,runs,solved,unverified,time,par10,mean"]
    for suffix in ("tex", "tikz", "md"):
        path = tmp_path / f"paper.{suffix}"
        chosen = words if suffix != "tikz" else words[:2]
        command = ["bench", "report", "benchmarks/campaign-general.db", *chosen, "-o", str(path)]
        assert main(command) == 0
        assert path.read_bytes() == Path(f"tests/data/paper.{suffix}").read_bytes()
