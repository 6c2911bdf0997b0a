"""Campaigns: solvers, settings and formulations on any number of instances, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from calmip._limits import Limits, Progress
from calmip.errors import InputError
from calmip.problem.status import Status
from calmip.processes import check_processes
from calmip.tasks._result import Pictured, Result
from calmip.tasks.campaign.document import Campaign, read_campaign
from calmip.tasks.campaign.problems import problems
from calmip.tasks.campaign.running import plan, runs
from calmip.tasks.campaign.runs import pool
from calmip.tasks.campaign.statistics import (
    Entry,
    Time,
    checked_clock,
    compared,
    cross_checked,
    entries,
    names_of,
    summary,
    virtual_best,
)
from calmip.tasks.campaign.store import Store, read_runs

__all__ = ["Bench", "Difference", "Report", "bench", "bench_diff", "bench_report"]


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
    doubts
        Answers of ``.solu`` files or of the campaign that a run or a search refutes.
    """

    KEYS = ("path", "name", "kept", "doubts", "runs")

    path: Path
    name: str
    runs: tuple[dict[str, Any], ...]
    kept: int
    doubts: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Always done; what the runs gave is for `calmip.bench_report`."""
        return Status.DONE

    def _summary(self) -> str:
        return f"{self.name}, {len(self.runs)} runs, {self.kept} kept, {self.path}"


def bench(
    campaign: Campaign | Path | str,
    output: Path | str,
    *,
    workers: int = 1,
    dask: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Bench:
    """Do the runs of a campaign that are missing from a file of results.

    Each run is a process of its own, killed with all its children at its limits, and is a
    row of the results as soon as it has ended. If a campaign was interrupted or killed,
    run it again: what is there is kept.

    Parameters
    ----------
    campaign
        A YAML file, the name of a bundled suite, or what
        `calmip.tasks.campaign.document.read_campaign` returns.
    output
        The file of results, a SQLite database; made if it is missing.
    workers, dask, progress
        As for `calmip.solvers.Limits`. So many runs are done at a time; progress counts the
        runs, those that are kept first.

    Raises
    ------
    InputError
        If something in the campaign is wrong, the file is no file of results, or the
        cluster cannot be reached.
    SolverMissing
        If a solver is not installed where it should run.
    """
    limits = Limits(workers=workers, dask=dask, progress=progress)
    check_processes("a campaign")
    wanted = campaign if isinstance(campaign, Campaign) else read_campaign(campaign)
    path = Path(output)
    solvers = sorted({setting.solver for setting in wanted.settings})
    with Store(path) as store, pool(workers, dask, solvers) as workplace:
        planned = plan(wanted, list(problems(wanted)), workplace.here)
        there = store.keys()
        missing = [run for key, run in planned.items() if key not in there]
        kept = len(planned) - len(missing)
        limits.report(kept, len(planned))
        done = []
        doubts: dict[str, None] = {}
        for run, doubt in runs(wanted, missing, workplace, store):
            done.append(run)
            doubts |= {doubt: None} if doubt else {}
            limits.report(kept + len(done), len(planned))
    return Bench(path, wanted.name, tuple(done), kept, tuple(doubts))


@dataclass(frozen=True, repr=False)
class Report(Pictured):
    """What the runs in a file of results say.

    Parameters
    ----------
    path
        The file.
    runs
        The runs as records, which pandas takes: ``pandas.DataFrame(report.runs)``.
    reference
        The reference jobs, in their order.
    entries
        The competitors: a solver in a version, with options, on a formulation.
    clock
        Whether seconds are those of the ``wall`` clock or of the ``cpu``.
    shift
        The shift of the geometric means, in seconds.
    doubts
        Answers of ``.solu`` files or of the campaign that a run or a search refuted.
    """

    path: Path
    runs: tuple[dict[str, Any], ...]
    reference: tuple[dict[str, Any], ...]
    entries: tuple[Entry, ...]
    clock: str
    shift: float
    doubts: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Always done: that a solver is wrong is a result."""
        return Status.DONE

    @cached_property
    def best(self) -> dict[tuple[str, str, int], Time]:
        """The virtual best solver's time on each problem: an instance, a goal and a seed."""
        return virtual_best(self.entries)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each competitor is called: no more words than tell them apart."""
        return names_of(self.entries)

    def describe(self) -> dict[str, Any]:
        """Return ``runs`` and ``summary``, with the keys in their documented order."""
        return {"runs": list(self.runs), "summary": summary(self)}

    def _summary(self) -> str:
        return f"{self.path}, {len(self.runs)} runs of {len(self.entries)} competitors"


def bench_report(results: Path | str, *, clock: str = "wall", shift: float = 0.1) -> Report:
    """Say what the runs in a file of results show.

    A run whose answer another run's checked point refutes is made wrong, whatever was
    known when it was run.

    Parameters
    ----------
    results
        The file.
    clock
        Which seconds count.
    shift
        Seconds that geometric means are shifted by.

    Raises
    ------
    InputError
        If the file cannot be read or holds no runs, or a setting is out of range.
    """
    checked_clock(clock, shift)
    found = read_runs(Path(results))
    if not found.runs:
        raise InputError("holds no runs yet", path=results)
    runs = cross_checked(found.runs)
    return Report(
        Path(results), tuple(runs), tuple(found.reference), tuple(entries(runs, clock)), clock,
        shift, tuple(found.doubts),
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Difference(Result):
    """What changed from one file of results to another.

    Parameters
    ----------
    paths
        The two files.
    changes
        For each solver, options and formulation that both have: what changed.
    worse, better
        The runs whose status changed for the worse and for the better: instance, seed,
        competitor and both statuses.
    tolerance
        How many times as slow is still no regression.
    """

    KEYS = ("paths", "regression", "tolerance", "changes", "worse", "better")

    paths: tuple[Path, Path]
    changes: tuple[dict[str, Any], ...]
    worse: tuple[dict[str, Any], ...]
    better: tuple[dict[str, Any], ...]
    tolerance: float

    @property
    def status(self) -> Status:
        """Refused if there is a regression, else accepted."""
        return Status.REFUSED if self.regression else Status.ACCEPTED

    @property
    def regression(self) -> bool:
        """Whether a competitor became slower, or solves less."""
        return any(change["regression"] for change in self.changes)

    def _summary(self) -> str:
        return f"{self.paths[0]} to {self.paths[1]}, {len(self.changes)} competitors"


def bench_diff(
    before: Path | str,
    after: Path | str,
    *,
    clock: str = "wall",
    shift: float = 0.1,
    tolerance: float = 1.05,
) -> Difference:
    """Say what became slower, faster or wrong from one file of results to another.

    Runs are matched whatever the versions; a competitor is a solver with its options and
    formulation. It is a regression if one has new wrong answers or crashes, if it solves
    fewer problems, or if even the lower end of the interval of the ratio of its times is
    above the tolerance.

    Parameters
    ----------
    before, after
        The files.
    clock
        Which seconds count.
    shift
        Seconds that geometric means are shifted by.
    tolerance
        How many times as slow is still no regression.

    Raises
    ------
    InputError
        If a file cannot be read, the two have no run in common, or a setting is out of range.
    """
    checked_clock(clock, shift)
    if not 1 <= tolerance <= 1000:
        raise InputError(f"the tolerance is a ratio from 1 to 1000, not {tolerance:g}")
    one, other = (bench_report(path, clock=clock, shift=shift) for path in (before, after))
    changes, worse, better = compared(one.runs, other.runs, clock, shift, tolerance)
    if not changes:
        raise InputError(
            f"has no run in common with {before}: none of an instance, a formulation, a solver, "
            "options and a seed that is there too",
            path=after,
        )
    return Difference((Path(before), Path(after)), changes, worse, better, tolerance)
