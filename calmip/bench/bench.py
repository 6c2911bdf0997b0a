"""Campaigns: solvers, settings and formulations on any number of instances, and their results."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, SolverMissing, clip, join_words
from calmip._base.files import check_target
from calmip._base.limits import Limits, Progress
from calmip._base.signals import check_interrupt
from calmip.bench.campaign import statistics
from calmip.bench.campaign.campaign_file import Campaign, read_campaign
from calmip.bench.campaign.jobs import Question, judge_run, problems
from calmip.bench.campaign.regressions import (
    Alarms,
    Difference,
    alarms,
    compare_files,
    compare_sides,
)
from calmip.bench.campaign.report import Report, SolverLog, chosen, log_of, report_of
from calmip.bench.campaign.runner import AGAINST, MEASURES, NOTHING, OWN, Job, Pool, limits_of, pool
from calmip.bench.campaign.solver_versions import fingerprint, place_of
from calmip.bench.campaign.store import Store, Stored, read_runs
from calmip.mip.status import Status
from calmip.processes import check_processes
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.results import Result
from calmip.solvers import solver_named
from calmip.solvers.base import options_of

__all__ = [
    "Alarms",
    "Bench",
    "Difference",
    "Report",
    "SolverLog",
    "bench_aa",
    "bench_diff",
    "bench_log",
    "bench_report",
    "bench_run",
]

MIN_REFERENCE_JOBS = 10
"""The least number of reference jobs of a campaign that has at least as many runs."""

MAX_REPEATS = 2
"""The most repetitions, in the same campaign, of a run that got no processor."""

INTERRUPT_POLL_SECONDS = 0.5
"""Seconds between two checks for an interrupt."""

Planned = tuple[Question, Job]
"""A run to be done."""


@dataclass(frozen=True, repr=False)
class Bench(Result):
    """The runs of a campaign.

    Parameters
    ----------
    path
        The file of results.
    name
        The campaign's name.
    runs
        The new runs, in the order in which they ended.
    kept
        The number of the campaign's runs that the file had already.
    doubts
        Answers of ``.solu`` files or of the campaign that a run or a search refutes.
    wrong
        The number of the campaign's runs, new and kept, whose answers a check refuted.
    """

    KEYS = ("path", "name", "kept", "wrong", "doubts", "runs")

    path: Path
    name: str
    runs: tuple[dict[str, Any], ...]
    kept: int
    doubts: tuple[str, ...] = ()

    wrong: int = 0

    @property
    def status(self) -> Status:
        """Failed if a check refuted the answer of a run, also of an earlier one; else done."""
        return Status.FAILED if self.wrong else Status.DONE

    def _summary(self) -> str:
        return f"{self.name}, {len(self.runs)} runs, {self.kept} kept, {self.path}"


@public
def bench_run(
    campaign: Campaign | Path | str,
    output: Path | str,
    *,
    against: str | None = None,
    rounds: int = 1,
    measure: str = OWN,
    workers: int = 1,
    dask: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Bench:
    """Do the runs of a campaign that are missing from a file of results.

    A campaign is a YAML file with instances, solvers, seeds and limits, or a bundled suite:
    ``easy``, ``infeasible``, ``count`` or ``hard``. Each run is a process of its own; at its
    limits it is killed with all its children. Each result is stored as soon as its run has
    ended. If a campaign was interrupted or killed, run it again: finished runs are kept.

    Parameters
    ----------
    campaign
        A YAML file, the name of a bundled suite, or what
        `calmip.bench.campaign.campaign_file.read_campaign` returns.
    output
        Store the results in this SQLite database, which is made if it is missing.
    against
        Run another build of the solver too, each run directly before or after the same run of the
        usual one: a program, the folder of a package, or a version that pip installs.
    rounds
        Repeat each run this many times.
    measure
        Measure the seconds and the memory of runs in this way.
    workers, dask, progress
        As for `calmip.solvers.Limits`. Each worker does one run at a time. Progress counts the
        runs, the kept ones first.

    Raises
    ------
    InputError
        If the campaign is wrong, the file is not a file of results, or the cluster cannot be
        reached.
    SolverMissing
        If a solver is not installed where it should run.
    """
    limits = Limits(workers=workers, dask=dask, progress=progress)
    sides = ("",) if against is None else ("before", "after")
    return _run(campaign, Path(output), (against, sides, rounds), limits, measure)


def _run(
    campaign: Campaign | Path | str,
    path: Path,
    pairs: tuple[str | None, tuple[str, ...], int],
    limits: Limits,
    measure: str = OWN,
) -> Bench:
    """Do the missing runs of a campaign, in pairs with another build or with the same one."""
    against, sides, rounds = pairs
    if measure not in MEASURES:
        raise InputError(f"unknown measure '{clip(measure)}'; use one of {join_words(MEASURES)}")
    if not 1 <= rounds <= 1000:
        raise InputError(f"the number of rounds is from 1 to 1000, not {rounds}")
    check_processes("a campaign")
    parsed = campaign if isinstance(campaign, Campaign) else read_campaign(campaign)
    check_target(path)
    solvers = sorted({setting.solver for setting in parsed.settings})
    if against is not None and len(solvers) > 1:
        raise InputError(
            f"another build is one of a single solver, and the campaign has {join_words(solvers)}; "
            "leave the others out"
        )
    build_place = "" if against is None else place_of(against, solvers[0], path)
    workers = pool(limits.workers, limits.dask, solvers, build_place, measure)
    # A refused campaign leaves no file.
    with workers as workplace, Store(path) as store:
        planned = _plan(parsed, workplace.versions, sides, build_place, rounds)
        stored = store.keys()
        missing = [one for one in planned if one[1].key not in stored]
        store.set_tags(_tags(parsed))
        kept = len(planned) - len(missing)
        limits.report(kept, len(planned))
        done, doubts = [], []
        for run, doubt, log in _runs(parsed, missing, workplace, store):
            if log is not None:
                store.add_log(run["key"], log)
            store.add(run)
            done.append(run)
            if doubt:
                store.add_doubt(doubt)
                doubts.append(doubt)
            limits.report(kept + len(done), len(planned))
    shown = statistics.by_clock(done, "wall" if parsed.cpu_limit is None else "cpu")
    keys = {job.key for _, job in planned}
    wrong = sum(run["key"] in keys and run["status"] == "wrong" for run in read_runs(path).runs)
    return Bench(path, parsed.name, tuple(shown), kept, tuple(dict.fromkeys(doubts)), wrong)


def _plan(
    campaign: Campaign,
    versions: dict[str, str | None],
    sides: Sequence[str],
    build_place: str,
    rounds: int,
) -> list[Planned]:
    """Return all runs of a campaign, in an order drawn by its seed.

    The key of a run is the hash of all that the answer and the time may depend on: the
    model's bytes, the formulation, the solver, its version and options, the seed, the limits, the
    goal, the machine, and in pairs the other build, the side and the number of the repetition.
    Both sides of a pair follow each other, in an order that is drawn too. If an earlier instance
    has the same model, the name is in the hash as well, so each has runs of its own.
    """
    planned: dict[str, list[Planned]] = {}
    owners: dict[str, str] = {}
    combined = list(itertools.product(problems(campaign), campaign.settings, campaign.seeds))
    build = fingerprint(build_place)
    for (problem, setting, seed), number in itertools.product(combined, range(rounds)):
        pair: list[Planned] = []
        for side in sides:
            build_of_side = build_place if side == "before" else ""
            version = versions[AGAINST + setting.solver if build_of_side else setting.solver]
            parts: list[object] = [
                problem.digest,
                problem.formulation,
                problem.goal,
                setting.solver,
                build,
                version,
                setting.settings,
                setting.options,
                seed,
                campaign.time_limit,
                campaign.cpu_limit,
                campaign.memory_limit,
                versions["machine"],
                side,
                number,
            ]
            key = _digest(parts)
            if owners.setdefault(key, problem.name) != problem.name:
                key = _digest([*parts, problem.name])
            job = Job(
                key,
                problem.data,
                problem.suffix,
                problem.goal,
                setting.solver,
                setting.options,
                setting.settings,
                build_of_side,
                seed,
                campaign.time_limit,
                campaign.memory_limit,
                campaign.cpu_limit,
                side,
                number,
                campaign.logs,
            )
            pair.append((problem, job))
        planned[pair[0][1].key] = pair
    order = sorted(planned)
    draw = random.Random(campaign.shuffle)  # noqa: S311 - no secret
    draw.shuffle(order)
    for pair in planned.values():
        draw.shuffle(pair)
    return [one for key in order for one in planned[key]]


def _digest(parts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _tags(campaign: Campaign) -> dict[str, set[str]]:
    """Return the tags of each instance of a campaign."""
    found: dict[str, set[str]] = {}
    for item in campaign.instances:
        found.setdefault(item.what.name, set()).update(item.tags)
    return found


def _runs(
    campaign: Campaign, planned: list[Planned], pool: Pool, store: Store
) -> Iterator[tuple[dict[str, Any], str, bytes | None]]:
    """Do runs; yield the row of each, the given answer that it refutes or "", and its log.

    A run that reached its time limit with little processor time is repeated after all others, up
    to `MAX_REPEATS` times.
    """
    for problem, job in planned:
        if problem.skipped is not None:
            yield _row(campaign, problem, job, NOTHING, pool.versions), "", None
    waiting: dict[Future[dict[str, Any]], tuple[Question | None, Job]] = {}
    jobs = _jobs(campaign.reference_every, [one for one in planned if one[0].skipped is None])
    again: list[Planned] = []
    repeated: Counter[str] = Counter()
    while True:
        while len(waiting) < 2 * pool.size() and (
            following := next(jobs, None) or (again.pop(0) if again else None)
        ):
            waiting[pool.submit(following[1])] = following
        if not waiting:
            return
        done, _ = wait(waiting, timeout=INTERRUPT_POLL_SECONDS, return_when=FIRST_COMPLETED)
        check_interrupt()
        for future in [one for one in waiting if one in done]:
            subject, job = waiting.pop(future)
            ended = _result(future)
            if subject is None:
                store.add_reference({**ended, "finished": _now()})
                continue
            row = _row(campaign, subject, job, ended, pool.versions)
            if row["status"] == "starved" and repeated[job.key] < MAX_REPEATS:
                repeated[job.key] += 1
                again.append((subject, job))
                continue
            doubt = subject.evidence.doubt
            yield row, f"{subject.name}: {doubt}" if doubt else "", ended["log"]


def _jobs(every: int, planned: list[Planned]) -> Iterator[tuple[Question | None, Job]]:
    """Yield the planned jobs, with a reference job before each group of them.

    The groups are so small that there are `MIN_REFERENCE_JOBS` of them.
    """
    every = every and max(1, min(every, len(planned) // MIN_REFERENCE_JOBS))
    for number, one in enumerate(planned):
        if every and number % every == 0:
            yield None, Job()
        yield one


def _result(future: Future[dict[str, Any]]) -> dict[str, Any]:
    """Return what `execute` returns, also if the run killed every worker."""
    error = future.exception()
    if error is None:
        return future.result()
    if type(error).__name__ != "KilledWorker":  # of Dask, which tried it on several workers
        raise error
    return {**NOTHING, "output": "every worker that had this run died"}


def _row(
    campaign: Campaign,
    problem: Question,
    job: Job,
    ended: dict[str, Any],
    versions: dict[str, str | None],
) -> dict[str, Any]:
    """Return the row of results of a run, with the verdict on its answer."""
    answer = ended["answer"] or {}
    if "option" in answer:
        raise InputError(f"{answer['option']}; correct the campaign")
    if "missing" in answer:
        raise SolverMissing(f"{answer['missing']} (on {ended['host']}); finished runs are kept")
    bound = answer.get("bound")
    return {
        "key": job.key,
        "instance": problem.name,
        "formulation": problem.formulation,
        "goal": problem.goal,
        "solver": job.solver,
        "version": versions[AGAINST + job.solver if job.build else job.solver],
        "settings": job.settings,
        "chosen": _words(dict(job.options)),
        "options": _words(options_of(solver_named(job.solver), limits_of(job))),
        "seed": job.seed,
        **judge_run(problem, job.solver, campaign.time_limit, ended, cpu_limit=campaign.cpu_limit),
        **{
            key: ended[key]
            for key in (
                "wall",
                "cpu",
                "start_wall",
                "start_cpu",
                "waited",
                "memory",
                "host",
                "overhead",
            )
        },
        "nodes": answer.get("nodes"),
        "bound": bound if bound is not None and math.isfinite(bound) else None,
        "sense": "max" if problem.skipped is None and problem.model.maximise else "min",
        "time_limit": campaign.time_limit,
        "cpu_limit": campaign.cpu_limit,
        "memory_limit": campaign.memory_limit,
        "side": job.side,
        "round": job.round,
        "model": problem.digest,
        "machine": versions["machine"],
        "calmip": versions["calmip"],
        "finished": _now(),
    }


def _words(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" if value else name for name, value in options.items())


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


@public
def bench_report(
    results: Path | str,
    *,
    clock: str = "wall",
    shift: float = 0.1,
    instances: str | None = None,
    tag: str | None = None,
) -> Report:
    """Compute the statistics of the runs in a file of results.

    The report has shifted geometric means and the virtual best solver. A page also has
    performance profiles and cactus plots. A run is wrong if the checked solution of another run
    refutes its answer.

    Parameters
    ----------
    results
        The file.
    clock
        Compare by wall-clock or CPU seconds.
    shift
        Shift geometric means by this many seconds.
    instances
        Take only the instances whose names match this pattern, such as ``'l4-*'``.
    tag
        Take only the instances with this tag of the campaign.

    Raises
    ------
    InputError
        If the file cannot be read or holds no runs, a setting is out of range, or no instance is
        left.
    """
    statistics.check_clock(clock, shift)
    path = Path(results)
    return report_of(path, chosen(_stored(path), instances, tag, path), clock, shift)


@public
def bench_log(results: Path | str, run: str) -> SolverLog:
    """Show the log of a run: its root bound, first incumbent, gap history and primal integral.

    Parameters
    ----------
    results
        The file.
    run
        The beginning of the run's key; or INSTANCE, INSTANCE/SOLVER or INSTANCE/SOLVER/SEED if
        only one run is called so.

    Raises
    ------
    InputError
        If the file cannot be read, no run or several are called so, or the run has no log.
    """
    return log_of(Path(results), _stored(results), run)


@public
def bench_diff(
    before: Path | str,
    after: Path | str | None = None,
    *,
    clock: str = "cpu",
    shift: float = 0.1,
    tolerance: float = 1.01,
    answers_only: bool = False,
) -> Difference:
    """Compare two versions of solvers: what became slower, faster or wrong.

    With one file its runs in pairs are compared (bench run --against). With two files, competitors
    are matched in any version. Their times are divided by those of the reference jobs, whose
    spread widens the interval.

    A competitor has a regression if it has new wrong answers or crashes, loses more problems than
    it gains, or is slower. It is slower if the whole confidence interval of the ratio of times is
    above the tolerance.

    Parameters
    ----------
    before, after
        The files; without the second, the first has runs in pairs.
    clock
        Compare by wall-clock or CPU seconds.
    shift
        Shift geometric means by this many seconds.
    tolerance
        Allow this ratio of times; a greater one is a regression.
    answers_only
        Compare answers alone, not times.

    Raises
    ------
    InputError
        If a file cannot be read, the two have no run in common or cannot be compared, or a
        setting is out of range.
    """
    _check_settings(clock, shift, tolerance)
    first = _stored(before)
    if after is None:
        return compare_sides(Path(before), first, clock, shift, tolerance, answers=answers_only)
    paths, files = (Path(before), Path(after)), (first, _stored(after))
    return compare_files(paths, files, clock, shift, tolerance, answers=answers_only)


@public
def bench_aa(
    campaign: Campaign | Path | str,
    output: Path | str,
    *,
    rounds: int = 10,
    clock: str = "cpu",
    shift: float = 0.1,
    tolerance: float = 1.01,
    workers: int = 1,
    dask: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Alarms:
    """Run each solver against itself, and count how often that looks like a regression.

    Each round is a campaign in pairs, judged as by bench diff. Every alarm is false.

    Parameters
    ----------
    campaign, output
        As for `bench_run`.
    rounds
        Do this many campaigns.
    clock, shift, tolerance
        As for `bench_diff`.
    workers, dask, progress
        As for `calmip.solvers.Limits`.

    Raises
    ------
    InputError, SolverMissing
        As `bench` and `bench_diff` do.
    """
    _check_settings(clock, shift, tolerance)
    limits = Limits(workers=workers, dask=dask, progress=progress)
    _run(campaign, Path(output), (None, ("before", "after"), rounds), limits)
    return alarms(Path(output), _stored(output), clock, shift, tolerance)


def _check_settings(clock: str, shift: float, tolerance: float) -> None:
    statistics.check_clock(clock, shift)
    if not 1 <= tolerance <= 1000:
        raise InputError(f"the tolerance is a ratio from 1 to 1000, not {tolerance:g}")


def _stored(path: Path | str) -> Stored:
    """Return the contents of a file of results that holds runs."""
    stored = read_runs(Path(path))
    if not stored.runs:
        raise InputError("holds no runs yet", path=path)
    return stored
