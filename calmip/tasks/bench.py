"""Campaigns: solvers, settings and formulations on any number of instances, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip.errors import InputError
from calmip.problem.status import Status
from calmip.tasks._result import Result
from calmip.tasks.campaign.document import Campaign, read_campaign
from calmip.tasks.campaign.executors import pool
from calmip.tasks.campaign.problems import problems
from calmip.tasks.campaign.running import plan, runs
from calmip.tasks.campaign.store import Store

__all__ = ["Bench", "bench"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True, repr=False)
class Bench(Result):
    """What a campaign has run.

    Parameters
    ----------
    path
        The file of results.
    name
        The campaign's name.
    runs
        The runs that were done now, in the order in which they ended.
    kept
        How many of the campaign's runs were there already.
    """

    path: Path
    name: str
    runs: tuple[dict[str, Any], ...]
    kept: int

    @property
    def status(self) -> Status:
        """Always done; what the runs gave is for `calmip.bench_report`."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the campaign and its new runs as plain data."""
        return {
            "path": str(self.path),
            "name": self.name,
            "kept": self.kept,
            "runs": [dict(run) for run in self.runs],
        }

    def _summary(self) -> str:
        return f"{self.name}, {len(self.runs)} runs, {self.kept} kept, {self.path}"


def bench(
    campaign: Campaign | Path | str,
    output: Path | str,
    *,
    workers: int = 1,
    dask: str | None = None,
    progress: Progress = lambda *_: None,
) -> Bench:
    """Do the runs of a campaign that are missing from a file of results.

    Every run is a process of its own, which is killed with all its children at its
    limits. Each is in the file as soon as it has ended, so a campaign that was
    interrupted or killed is simply run again.

    Parameters
    ----------
    campaign
        A YAML file, the name of a bundled suite, or what
        `calmip.tasks.campaign.document.read_campaign` returns.
    output
        The file of results, a SQLite database; made if it is missing.
    workers
        How many runs are done at a time.
    dask
        The address of a Dask cluster whose workers do them, or ``"local"`` for one of
        ``workers`` processes on this machine.
    progress
        Called with the number of runs that are done and the number of all, at the
        beginning and after each.

    Raises
    ------
    InputError
        If something in the campaign is wrong, the file is no file of results, or the
        cluster cannot be reached.
    SolverMissing
        If a solver is not installed where it should run.
    """
    if not 1 <= workers <= 1024:
        raise InputError(f"the number of workers is from 1 to 1024, not {workers}")
    wanted = campaign if isinstance(campaign, Campaign) else read_campaign(campaign)
    path = Path(output)
    solvers = sorted({setting.solver for setting in wanted.settings})
    with Store(path) as store, pool(workers, dask, solvers) as workplace:
        planned = plan(wanted, list(problems(wanted)), workplace.here)
        there = store.keys()
        missing = [run for key, run in planned.items() if key not in there]
        kept = len(planned) - len(missing)
        progress(kept, len(planned))
        done = []
        for run in runs(wanted, missing, workplace, store):
            done.append(run)
            progress(kept + len(done), len(planned))
    return Bench(path, wanted.name, tuple(done), kept)
