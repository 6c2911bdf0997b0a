"""The statistics of campaigns: penalised means, pairs and profiles.

PARk is the mean time where a run that did not solve counts as k times its limit. The
shifted geometric mean of times t is ``exp(mean(log(t + s))) - s``; runs that did not
solve count as their limit. Seconds are those of solving: the time in which a solver's process
started and loaded its package is subtracted. Runs that a solver or its licence refused, and
runs that got no processor, have no time. Performance profiles: E. D. Dolan and J. J. Moré,
Benchmarking optimization software with performance profiles, Mathematical
Programming 91, 2002.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from calmip._base.errors import InputError, join_words
from calmip.bench.campaign.jobs import FILE
from calmip.solvers.verdicts import falls_short

CLOCKS = ("wall", "cpu")

ENDED = ("solved", "unverified")
"""The statuses of a run with an answer in time that nothing refutes."""

RESAMPLES = 2000
"""Samples of the instances for a bootstrap interval."""

Problem = tuple[str, str, int, int, str]
"""An instance, a goal, a seed, the number of a repetition, and the machine.

So seconds of one machine are compared with each other only, and ratios over all machines.
"""

WITHOUT_TIME = ("infeasible", "starved", "unfit")
"""The statuses of runs that say nothing about the speed of a solver."""

Run = Mapping[str, Any]
"""A row of the results."""


@dataclass(frozen=True)
class Time:
    """The seconds of a run; its time limit if it did not solve."""

    solved: bool
    seconds: float
    limit: float
    verified: bool = True


@dataclass(frozen=True)
class Entry:
    """One competitor: a solver in a version, with settings, on a formulation; and its runs.

    ``options`` are those that the campaign gives, beside the settings.
    """

    formulation: str
    solver: str
    version: str
    settings: str
    options: str
    side: str
    runs: Mapping[Problem, Run]
    clock: str

    @cached_property
    def times(self) -> dict[Problem, Time]:
        """The times of the runs in which the solver took the model and got the processor."""
        return {
            problem: _time(run, self.clock)
            for problem, run in sorted(self.runs.items())
            if run["status"] not in WITHOUT_TIME
        }

    @cached_property
    def startup(self) -> float | None:
        """The mean seconds before the solver could read the model, None if unknown."""
        known = [_startup(run, self.clock) for run in self.runs.values()]
        found = [seconds for seconds in known if seconds is not None]
        return math.fsum(found) / len(found) if found else None

    @cached_property
    def with_startup(self) -> dict[Problem, Time]:
        """The times with the seconds before the solver could read the model."""
        return {
            problem: replace(time, seconds=time.seconds + (_startup(run, self.clock) or 0.0))
            for problem, time in self.times.items()
            if (run := self.runs[problem])
        }

    @cached_property
    def statuses(self) -> dict[str, int]:
        """The number of runs of each status."""
        return dict(Counter(run["status"] for run in self.runs.values()))


def cross_check(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Return the runs; one that another run's solution of the same model refutes becomes wrong.

    Each solution was checked row by row, so it refutes "infeasible" and a worse "optimal" of
    any solver, even if nothing else is known of the model.
    """
    known: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in runs:
        if run["objective"] is not None:
            known[run["model"], run["goal"]].append(run["objective"])
    checked = []
    for run in runs:
        why = _refutation(run, known[run["model"], run["goal"]])
        wrong = {"status": "wrong", "correct": False, "detail": f"{run['detail']}, but {why}"}
        checked.append({**run, **(wrong if why else {})})
    return checked


def claim_of(run: Run) -> str:
    """Return the answer of a run in words, in which two answers can differ; empty without one."""
    if run["status"] not in (*ENDED, "wrong"):
        return ""
    if run["goal"] == "count":
        return f"{run['count']} solutions"
    value = "" if run["objective"] is None else f" {run['objective']:g}"
    return f"{run['answer']}{value}"


def contradict(one: Run, other: Run) -> bool:
    """Return whether two different answers to one question contradict each other.

    They do if the solution of one refutes the other, or a check has refuted one of the two.
    """
    if (one["status"] == "wrong") != (other["status"] == "wrong"):
        return True
    asked = cross_check([{**run, "status": "solved"} for run in (one, other)])
    return any(run["status"] == "wrong" for run in asked) or bool(contradictions(asked))


def contradictions(runs: Iterable[Run]) -> list[str]:
    """Return which answers contradict each other though none is refuted, a line for each model."""
    found: dict[tuple[str, str], dict[str, Run]] = defaultdict(dict)
    for run in runs:
        claim = claim_of(run) if run["status"] in ENDED else ""
        if claim and run["goal"] != "count":
            claim = claim.partition(" ")[0]  # points are checked, so the better one refutes
        if claim:
            found[run["model"], run["goal"]].setdefault(claim, run)
    lines = []
    for claims in found.values():
        # A feasible point may be optimal, or one of an unbounded model.
        kinds = claims.keys()
        if len(kinds) > 1 and kinds not in ({"feasible", "optimal"}, {"feasible", "unbounded"}):
            told = ", ".join(f"{run['solver']} says {claim}" for claim, run in claims.items())
            lines.append(f"{next(iter(claims.values()))['instance']}: {told}")
    return lines


def _refutation(run: Run, objectives: Sequence[float]) -> str:
    """Return why one of the reached objectives refutes a run, or an empty text."""
    if not objectives or run["status"] not in ENDED:
        return ""
    if run["answer"] == "infeasible":
        return "another run's solution was checked"
    if run["answer"] != "optimal" or run["objective"] is None:
        return ""
    maximise = run["sense"] == "max"
    best = max(objectives) if maximise else min(objectives)
    # The file of results has no costs, so the objectives give the scale.
    unit = min(1.0, max(map(abs, objectives)))
    worse = falls_short(run["objective"], best, maximise=maximise, unit=unit)
    return f"another run's solution has the objective {best:g}" if worse else ""


def entries(
    runs: Iterable[Run], clock: str = "wall", *, versions: bool = True, machines: bool = True
) -> list[Entry]:
    """Return the competitors with their runs, in the order of their names.

    If a run was done with several limits, the last one counts. If all other instances have one
    formulation, model files are further instances of the same competitors.

    Parameters
    ----------
    runs, clock
        The rows of the results, and which seconds count.
    versions
        Whether another version of a solver is another competitor, and model files join the
        one formulation.
    machines
        Whether the same run on another machine is another run; else the last one counts.
    """
    ordered = sorted(runs, key=lambda run: str(run["finished"]))
    own = _only_formulation(ordered) if versions else FILE
    grouped: dict[tuple[str, str, str, str, str, str], dict[Problem, Run]] = defaultdict(dict)
    for run in ordered:
        formulation = own if run["formulation"] == FILE else run["formulation"]
        version = run["version"] if versions else ""
        who = (
            formulation,
            run["solver"],
            version,
            run["settings"],
            run["chosen"],
            run["side"],
        )
        machine = run["machine"] if machines else ""
        grouped[who][run["instance"], run["goal"], run["seed"], run["round"], machine] = run
    return [Entry(*who, rows, clock) for who, rows in sorted(grouped.items())]


def _only_formulation(runs: Sequence[Run]) -> str:
    """Return the only formulation beside model files, if no instance has both; else `FILE`."""
    instances: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        instances[run["formulation"]].add(run["instance"])
    files = instances.pop(FILE, set())
    if len(instances) == 1 and not files.intersection(*instances.values()):
        return next(iter(instances))
    return FILE


def _time(run: Run, clock: str) -> Time:
    limit = limit_of(run, clock)
    solved, verified = run["status"] in ENDED, run["status"] == "solved"
    return Time(solved, min(seconds_of(run, clock), limit) if solved else limit, limit, verified)


def limit_of(run: Run, clock: str) -> float:
    """Return the limit of a run in seconds of a clock."""
    own = run["cpu_limit"] if clock == "cpu" else None
    return float(run["time_limit"] if own is None else own)


def seconds_of(run: Run, clock: str) -> float:
    """Return the seconds of a run by a clock, by the wall clock if the other is unknown."""
    own = clock if run[clock] is not None else "wall"
    return max(float(run[own]) - (_startup(run, own) or 0.0), 0.0)


def _startup(run: Run, clock: str) -> float | None:
    found: float | None = run["start_cpu" if clock == "cpu" else "start_wall"]
    return found


def by_clock(runs: Iterable[Run], clock: str) -> list[dict[str, Any]]:
    """Return the runs; an answer that came after the limit by this clock is none."""
    return [
        {**run, "status": "time", "correct": None}
        if run["status"] in ENDED and seconds_of(run, clock) > limit_of(run, clock)
        else dict(run)
        for run in runs
    ]


def par(times: Iterable[Time], penalty: float) -> float:
    """Return the mean seconds, where an unsolved run counts as ``penalty`` times its limit."""
    taken = [time.seconds if time.solved else penalty * time.limit for time in times]
    return math.fsum(taken) / len(taken) if taken else math.nan


def shifted_mean(times: Iterable[Time], shift: float) -> float:
    """Return the shifted geometric mean of the seconds; an unsolved run counts as its limit."""
    logs = [math.log(time.seconds + shift) for time in times]
    return math.exp(math.fsum(logs) / len(logs)) - shift if logs else math.nan


def virtual_best(entries: Sequence[Entry]) -> dict[Problem, Time]:
    """Return the virtual best solver's time on each problem: the best of any competitor."""
    best: dict[Problem, Time] = {}
    for entry in entries:
        for problem, time in entry.times.items():
            best[problem] = min(best.get(problem, time), time, key=_rank)
    return best


def _rank(time: Time) -> tuple[bool, float]:
    return not time.solved, time.seconds


@dataclass(frozen=True)
class Pair:
    """Two competitors on the problems that both have run.

    Parameters
    ----------
    problems
        How many problems both have.
    wins, losses
        On how many the first was faster, or alone in solving; and the second.
    ratio
        The first's shifted geometric mean of seconds over the second's, the shift not
        subtracted.
    low, high
        The bootstrap interval of the ratio with 95 % confidence.
    """

    problems: int
    wins: int
    losses: int
    ratio: float
    low: float
    high: float


def pair(
    first: Mapping[Problem, Time], second: Mapping[Problem, Time], shift: float, seed: int = 0
) -> Pair:
    """Compare two competitors on the problems that both have run."""
    common = sorted(set(first) & set(second))
    if not common:
        return Pair(0, 0, 0, math.nan, math.nan, math.nan)
    wins = losses = 0
    logs: dict[str, list[float]] = defaultdict(list)
    for problem in common:
        one, other = first[problem], second[problem]
        wins += one.solved and _rank(one) < _rank(other)
        losses += other.solved and _rank(other) < _rank(one)
        logs[problem[0]].append(math.log(one.seconds + shift) - math.log(other.seconds + shift))
    mean, low, high = bootstrap(list(logs.values()), seed)
    return Pair(len(common), wins, losses, math.exp(mean), math.exp(low), math.exp(high))


def bootstrap(groups: Sequence[Sequence[float]], seed: int = 0) -> tuple[float, float, float]:
    """Return the mean of all numbers and its percentile interval with 95 % confidence.

    Whole groups are drawn, since the seeds of one instance are not independent.
    """
    sums = np.array([math.fsum(group) for group in groups])
    sizes = np.array([len(group) for group in groups])
    drawn = np.random.default_rng(seed).integers(len(groups), size=(RESAMPLES, len(groups)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(sums.sum() / sizes.sum()), float(low), float(high)


def profile(
    times: Mapping[Problem, Time], best: Mapping[Problem, Time]
) -> list[tuple[float, float]]:
    """Return the steps of a performance profile: ratios to the best time, and shares solved."""
    ratios = sorted(
        max(time.seconds, 1e-9) / max(best[problem].seconds, 1e-9)
        for problem, time in times.items()
        if time.solved
    )
    return [(ratio, (number + 1) / len(times)) for number, ratio in enumerate(ratios)]


def check_clock(clock: str, shift: float) -> None:
    """Raise `InputError` unless these are a clock and a shift."""
    if clock not in CLOCKS:
        raise InputError(f"the clock is one of {join_words(CLOCKS)}, not '{clock}'")
    if not (math.isfinite(shift) and shift > 0):
        raise InputError(f"the shift is a number of seconds above 0, not {shift:g}")


def names_of(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return a name for each competitor: the solver, its options, and what else differs."""
    formulations = len({entry.formulation for entry in entries}) > 1
    versions = Counter(solver for solver, _ in {(one.solver, one.version) for one in entries})
    names = (
        (
            entry.solver,
            entry.version if versions[entry.solver] > 1 else "",
            *_variant(entry),
            f"({entry.formulation})" if formulations else "",
        )
        for entry in entries
    )
    return tuple(" ".join(filter(None, parts)) for parts in names)


def _variant(entry: Entry) -> tuple[str, ...]:
    """Return the settings unless the solver is stock, its options, and its side."""
    return entry.settings if entry.settings != "stock" else "", entry.options, entry.side
