"""Campaigns: solvers, settings and formulations on any number of instances, and their results."""

from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import InputError, SolverMissing, clip, join_words
from calmip._base.files import check_target, digest_of
from calmip._base.limits import Limits, Progress
from calmip._base.shards import WHOLE, Shard, read_shard
from calmip._base.signals import check_interrupt, run_job
from calmip.bench.campaign import statistics
from calmip.bench.campaign.campaign_file import Campaign, read_campaign
from calmip.bench.campaign.jobs import Question, judge_run, problems
from calmip.bench.campaign.merge import Merged, join, merge_files
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
from calmip.bench.campaign.store import Store, Stored, read_runs, read_work
from calmip.bench.campaign.watch import Watched, watched
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
    "Merged",
    "Report",
    "SolverLog",
    "Watched",
    "bench_aa",
    "bench_diff",
    "bench_log",
    "bench_merge",
    "bench_report",
    "bench_run",
    "bench_watch",
]

MIN_REFERENCE_JOBS = 10
"""The least number of reference jobs of a campaign that has at least as many runs."""

MAX_REPEATS = 2
"""The most repetitions, in the same campaign, of a run that got no processor."""

WORK_SECONDS = 1.0
"""Seconds between two notes of how far a campaign is."""

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
    contradictions
        The answers of the campaign's runs that contradict each other, none of them refuted.
    shard
        The part of the campaign that was to be done.
    """

    KEYS = ("path", "name", "kept", "wrong", "contradictions", "doubts", "runs")

    path: Path
    name: str
    runs: tuple[dict[str, Any], ...]
    kept: int
    doubts: tuple[str, ...] = ()

    wrong: int = 0
    contradictions: tuple[str, ...] = ()
    shard: Shard = WHOLE

    @property
    def status(self) -> Status:
        """Failed if the answer of a run was refuted, or contradicts that of another; else done."""
        return Status.FAILED if self.wrong or self.contradictions else Status.DONE

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
    shard: str | None = None,
    machine: str | None = None,
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
    shard
        Do part I of N of the runs, into a file of its own; I may be a scheduler's variable.
    machine
        Call this machine so; by default it is described by its processor.
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
    ways = Ways(against, sides, rounds, measure, read_shard(shard), machine)
    return _run(campaign, Path(output), ways, limits)


class Ways(NamedTuple):
    """How a campaign is done: in pairs with another build, how often, how measured, which part.

    With the sides ``before`` and ``after`` and no other build, each solver runs against itself.
    """

    against: str | None = None
    sides: tuple[str, ...] = ("",)
    rounds: int = 1
    measure: str = OWN
    shard: Shard = WHOLE
    machine: str | None = None

    def check(self) -> None:
        """Raise `InputError` unless all are in range."""
        if self.measure not in MEASURES:
            raise InputError(
                f"unknown measure '{clip(self.measure)}'; use one of {join_words(MEASURES)}"
            )
        if not 1 <= self.rounds <= 1000:
            raise InputError(f"the number of rounds is from 1 to 1000, not {self.rounds}")
        name = self.machine
        if name is not None and not (name.strip() and name.isprintable()):
            raise InputError(f"the name of a machine is a text on one line, not '{clip(name)}'")


def _run(campaign: Campaign | Path | str, path: Path, ways: Ways, limits: Limits) -> Bench:
    """Do the missing runs of a campaign."""
    ways.check()
    against = ways.against
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
    workers = pool(limits.workers, limits.dask, solvers, build_place, ways.measure)
    # A refused campaign leaves no file.
    with workers as workplace, Store(path) as store:
        if ways.machine is not None:
            workplace.versions["machine"] = ways.machine
        planned = _plan(parsed, workplace.versions, ways, build_place)
        stored = store.keys()
        missing = [one for one in planned if one[1].key not in stored]
        store.set_tags(_tags(parsed))
        kept = len(planned) - len(missing)
        limits.report(kept, len(planned))
        done, doubts = [], []
        work = Work(planned, store.runs_of(stored), workplace.size())
        with contextlib.closing(_runs(parsed, missing, workplace, store, work)) as runs:
            for run, doubt, log in runs:
                if log is not None:
                    store.add_log(run["key"], log)
                store.add(run)
                work.add(run)
                done.append(run)
                if doubt:
                    store.add_doubt(doubt)
                    doubts.append(doubt)
                limits.report(kept + len(done), len(planned))
        store.set_work(work.rows([]))
    keys = {job.key for _, job in planned}
    every = [run for run in read_runs(path).runs if run["key"] in keys] if planned else []
    checked = statistics.cross_check(every)
    refuted = {run["key"]: run for run in checked if run["status"] == "wrong"}
    new = [refuted.get(run["key"], run) for run in done]
    shown = statistics.by_clock(new, "wall" if parsed.cpu_limit is None else "cpu")
    return Bench(
        path,
        parsed.name,
        tuple(shown),
        kept,
        tuple(dict.fromkeys(doubts)),
        len(refuted),
        tuple(statistics.contradictions(checked)),
        ways.shard,
    )


def _plan(
    campaign: Campaign,
    versions: dict[str, str | None],
    ways: Ways,
    build_place: str,
) -> list[Planned]:
    """Return the runs of a campaign, or of a shard of it, in an order drawn by its seed.

    The key of a run is the hash of all that the answer and the time may depend on: the
    model's bytes, the formulation, the solver, its version and options, the seed, the limits, the
    goal, the machine, and in pairs the other build, the side and the number of the repetition.
    Both sides of a pair follow each other, in an order that is drawn too. If an earlier instance
    has the same model, the name is in the hash as well, so each has runs of its own. The shard of a
    run is the same on all machines and in all versions.
    """
    planned: dict[str, list[Planned]] = {}
    owners: dict[str, str] = {}
    combined = list(itertools.product(problems(campaign), campaign.settings, campaign.seeds))
    build = fingerprint(build_place)
    for (problem, setting, seed), number in itertools.product(combined, range(ways.rounds)):
        pair: list[Planned] = []
        for side in ways.sides:
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
        asked = [problem.name, problem.formulation, problem.goal, *setting, seed, number]
        if ways.shard.has(_digest(asked)):
            planned[pair[0][1].key] = pair
    order = sorted(planned)
    draw = random.Random(campaign.shuffle)  # noqa: S311 - no secret
    draw.shuffle(order)
    for pair in planned.values():
        draw.shuffle(pair)
    return [one for key in order for one in planned[key]]


def _digest(parts: Sequence[object]) -> str:
    return digest_of(json.dumps(parts).encode())


def _tags(campaign: Campaign) -> dict[str, set[str]]:
    """Return the tags of each instance of a campaign."""
    found: dict[str, set[str]] = {}
    for item in campaign.instances:
        found.setdefault(item.what.name, set()).update(item.tags)
    return found


class Work:
    """How far a campaign is, by solvers, for those who watch its file."""

    def __init__(
        self, planned: Sequence[Planned], kept: Sequence[Mapping[str, Any]], workers: int
    ) -> None:
        self._started, self._written, self._workers = _now(), -WORK_SECONDS, workers
        self._counts: dict[str, Counter[str]] = {}
        self._seconds: dict[str, float] = {}
        for _, job in planned:
            self._counts.setdefault(job.solver, Counter())["planned"] += 1
        keys = {job.key for _, job in planned}
        for run in kept:
            if run["key"] in keys:
                self._counts[run["solver"]]["kept"] += 1
                self._count(run)

    def add(self, run: Mapping[str, Any]) -> None:
        """Count a run that has ended."""
        self._count(run)
        self._seconds[run["solver"]] = self._seconds.get(run["solver"], 0.0) + run["wall"]

    def _count(self, run: Mapping[str, Any]) -> None:
        counts = self._counts[run["solver"]]
        counts["done"] += 1
        counts["solved"] += run["status"] in statistics.ENDED
        counts["wrong"] += run["status"] == "wrong"

    @property
    def due(self) -> bool:
        """Whether it was written so long ago that it is to be written again."""
        due = time.monotonic() - self._written >= WORK_SECONDS
        if due:
            self._written = time.monotonic()
        return due

    def rows(self, running: Iterable[Job]) -> list[dict[str, Any]]:
        """Return a row for each solver."""
        now = Counter(job.solver for job in running)
        return [
            {
                "solver": solver,
                **{one: counts[one] for one in ("planned", "kept", "done", "solved", "wrong")},
                "running": now[solver],
                "workers": self._workers,
                "seconds": round(self._seconds.get(solver, 0.0), 6),
                "started": self._started,
                "updated": _now(),
            }
            for solver, counts in sorted(self._counts.items())
        ]


Ended = tuple[dict[str, Any], str, bytes | None]
"""The row of a run, the given answer that it refutes or "", and its log."""


def _runs(
    campaign: Campaign, planned: list[Planned], pool: Pool, store: Store, work: Work
) -> Generator[Ended]:
    """Do runs; yield each when it is judged.

    A run that reached its time limit with little processor time is repeated after all others, up
    to `MAX_REPEATS` times. Answers are judged one after the other by a thread of their own, so no
    worker waits for a verdict.
    """
    for problem, job in planned:
        if problem.skipped is not None:
            yield _row(campaign, problem, job, NOTHING, pool.versions), "", None

    def judged(problem: Question, job: Job, ended: dict[str, Any]) -> Ended:
        row = _row(campaign, problem, job, ended, pool.versions)
        doubt = problem.evidence.doubt
        return row, f"{problem.name}: {doubt}" if doubt else "", ended["log"]

    waiting: dict[Future[dict[str, Any]], tuple[Question | None, Job]] = {}
    verdicts: dict[Future[Ended], Planned] = {}
    jobs = _jobs(campaign.reference_every, [one for one in planned if one[0].skipped is None])
    again: list[Planned] = []
    repeated: Counter[str] = Counter()
    judge = ThreadPoolExecutor(1)
    try:
        while True:
            while len(waiting) < 2 * pool.size() and (
                following := next(jobs, None) or (again.pop(0) if again else None)
            ):
                waiting[pool.submit(following[1])] = following
            if not waiting and not verdicts:
                return
            if work.due:
                running = list(waiting.values())[: pool.size()]
                store.set_work(work.rows(job for problem, job in running if problem is not None))
            both: set[Future[Any]] = {*waiting, *verdicts}
            done, _ = wait(both, timeout=INTERRUPT_POLL_SECONDS, return_when=FIRST_COMPLETED)
            check_interrupt()
            for future in [one for one in waiting if one in done]:
                subject, job = waiting.pop(future)
                ended = _result(future)
                if subject is None:
                    store.add_reference({**ended, "finished": _now()})
                else:
                    verdicts[judge.submit(run_job, judged, subject, job, ended)] = subject, job
            for verdict in [one for one in verdicts if one in done]:
                subject, job = verdicts.pop(verdict)
                row = verdict.result()
                if row[0]["status"] == "starved" and repeated[job.key] < MAX_REPEATS:
                    repeated[job.key] += 1
                    again.append((subject, job))
                    continue
                yield row
    finally:
        judge.shutdown(wait=False, cancel_futures=True)


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
def bench_merge(
    results: Sequence[Path] | Path | str, output: Path | str, *, keep_conflicts: bool = False
) -> Merged:
    """Join files of results: shards of a campaign, or campaigns of several machines.

    A run that is in several files is kept once, the earliest one. Runs of different machines are
    different runs, and a report keeps their seconds apart. Runs that the output has already stay.

    Parameters
    ----------
    results
        The files.
    output
        Store all runs in this SQLite database, which is made if it is missing.
    keep_conflicts
        If the same run has two answers, keep the earliest one and note the conflict.

    Raises
    ------
    InputError
        If a file cannot be read or written, or the same run has two answers that contradict each
        other.
    """
    return merge_files(_paths(results), Path(output), keep_conflicts=keep_conflicts)


@public
def bench_watch(results: Sequence[Path] | Path | str, *, refresh: float | None = None) -> Watched:
    """Show how far campaigns are: runs that are done, running, solved and wrong, and time left.

    Parameters
    ----------
    results
        The files of results, one of each shard.
    refresh
        Look again after so many seconds, until all runs are done. A page loads itself again as
        often. From Python the files are read once.

    Raises
    ------
    InputError
        If a number is out of range, a file cannot be read, or an earlier version of calmip wrote
        it.
    """
    if refresh is not None and not 0.1 <= refresh <= 86_400:
        raise InputError(f"a file is read every 0.1 to 86400 seconds, not every {refresh:g}")
    paths = _paths(results)
    return watched(paths, [read_work(path) for path in paths], refresh)


@public
def bench_report(
    results: Sequence[Path] | Path | str,
    *,
    clock: str = "wall",
    shift: float = 0.1,
    instances: str | None = None,
    tag: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
) -> Report:
    """Compute the statistics of the runs in files of results.

    The report has shifted geometric means and the virtual best solver. A page also has
    performance profiles and cactus plots. A run is wrong if the checked solution of another run
    refutes its answer. Seconds are compared within a machine, and ratios over all of them.

    Parameters
    ----------
    results
        The files.
    clock
        Compare by wall-clock or CPU seconds.
    shift
        Shift geometric means by this many seconds.
    instances
        Take only the instances whose names match this pattern, such as ``'l4-*'``.
    tag
        Take only the instances with this tag of the campaign.
    columns
        Write these columns of the first table, or of CSV, in this order.
    strict
        Fail if an answer was refuted, or two answers contradict each other.

    Raises
    ------
    InputError
        If a file cannot be read or holds no runs, a setting is out of range, or no instance is
        left.
    """
    statistics.check_clock(clock, shift)
    paths = _paths(results)
    stored, conflicts = join(paths, [read_runs(path) for path in paths])
    if not stored.runs:
        raise InputError("holds no runs yet", path=paths[0])
    stored = chosen(stored, instances, tag, paths[0])
    found = report_of(paths[0], stored, clock, shift, conflicts)
    return replace(found, more=tuple(paths[1:]), columns=tuple(columns), strict=strict)


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
    _run(campaign, Path(output), Ways(sides=("before", "after"), rounds=rounds), limits)
    return alarms(Path(output), _stored(output), clock, shift, tolerance)


def _check_settings(clock: str, shift: float, tolerance: float) -> None:
    statistics.check_clock(clock, shift)
    if not 1 <= tolerance <= 1000:
        raise InputError(f"the tolerance is a ratio from 1 to 1000, not {tolerance:g}")


def _paths(results: Sequence[Path] | Path | str) -> list[Path]:
    """Return the files that are named, each once."""
    one = isinstance(results, Path | str)
    found = [Path(results)] if one else list(dict.fromkeys(map(Path, results)))  # type: ignore[arg-type]
    if not found:
        raise InputError("no file of results is named; give one or more")
    return found


def _stored(path: Path | str) -> Stored:
    """Return the contents of a file of results that holds runs."""
    stored = read_runs(Path(path))
    if not stored.runs:
        raise InputError("holds no runs yet", path=path)
    return stored
