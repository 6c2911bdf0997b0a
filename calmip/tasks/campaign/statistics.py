"""What campaigns are judged by: penalised means, pairs, profiles; each a few lines of arithmetic.

PARk is the mean time where a run that did not solve counts as k times its limit. The
shifted geometric mean of times t is ``exp(mean(log(t + s))) - s``; runs that did not
solve count as their limit. Performance profiles: E. D. Dolan and J. J. Moré,
Benchmarking optimization software with performance profiles, Mathematical
Programming 91, 2002.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calmip.tasks._trust import falls_short
from calmip.tasks.campaign.problems import FILE

__all__ = [
    "CLOCKS",
    "ENDED",
    "Entry",
    "Pair",
    "bootstrap",
    "cross_checked",
    "entries",
    "is_timed",
    "pair",
    "par",
    "profile",
    "shifted_mean",
    "virtual_best",
]

CLOCKS = ("wall", "cpu")

ENDED = ("solved", "unverified")
"""The statuses of a run that gave an answer in time that nothing refutes."""

RESAMPLES = 2000
"""So many samples of the instances make a bootstrap interval."""

Problem = tuple[str, str, int]
"""An instance, a goal and a seed."""


@dataclass(frozen=True)
class Time:
    """What a run took.

    Parameters
    ----------
    solved
        Whether it gave an answer in time that nothing refutes.
    seconds
        Its seconds, or its limit if it did not.
    limit
        Its limit.
    verified
        Whether a check or a witness agrees with the answer.
    """

    solved: bool
    seconds: float
    limit: float
    verified: bool = True


@dataclass(frozen=True)
class Entry:
    """One competitor: a solver in a version, with options, on a formulation; and its runs.

    Runs that say nothing of a solver have a status and no time: those on an instance without a
    model, and those that got no processor.
    """

    formulation: str
    solver: str
    version: str
    options: str
    times: Mapping[Problem, Time]
    statuses: Mapping[str, int]


def cross_checked(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the runs, those made wrong that another run's point on the same model refutes.

    A point was checked row by row, so it refutes "infeasible" and a worse "optimal"
    of whomever, also where nothing else was known of the model.
    """
    known: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in runs:
        if run["objective"] is not None:
            known[run["model"], run["goal"]].append(run["objective"])
    return [_refuted(run, known[run["model"], run["goal"]]) for run in runs]


def _refuted(run: Mapping[str, Any], objectives: Sequence[float]) -> dict[str, Any]:
    """Return a run, made wrong where one of the objectives that were reached refutes it."""
    found = dict(run)
    if not objectives or run["status"] not in ENDED:
        return found
    best = max(objectives) if run["sense"] == "max" else min(objectives)
    # The file of results has no costs; the objectives are of their size.
    unit = min(1.0, max(map(abs, objectives)))
    why = ""
    if run["answer"] == "infeasible":
        why = "another run's solution was checked"
    elif (
        run["answer"] == "optimal"
        and run["objective"] is not None
        and falls_short(run["objective"], best, maximise=run["sense"] == "max", unit=unit)
    ):
        why = f"another run's solution has the objective {best:g}"
    if why:
        found.update(status="wrong", correct=False, detail=f"{run['detail']}, but {why}")
    return found


def entries(runs: Iterable[Mapping[str, Any]], clock: str = "wall") -> list[Entry]:
    """Return the competitors with their runs, in the order of their names.

    A run that was done on several machines or with several limits counts as the last one.
    Where all else has one formulation, model files are more instances for the same competitors.
    """
    ordered = sorted(runs, key=lambda run: str(run["finished"]))
    called = _formulations(ordered)
    grouped: dict[tuple[str, str, str, str], dict[Problem, Mapping[str, Any]]] = defaultdict(dict)
    for run in ordered:
        who = (called[run["formulation"]], run["solver"], run["version"], run["options"])
        grouped[who][run["instance"], run["goal"], run["seed"]] = run
    found = []
    for who, rows in sorted(grouped.items()):
        statuses: dict[str, int] = defaultdict(int)
        for run in rows.values():
            statuses[run["status"]] += 1
        times = {p: _time(run, clock) for p, run in sorted(rows.items()) if is_timed(run)}
        found.append(Entry(*who, times=times, statuses=dict(statuses)))
    return found


def is_timed(run: Mapping[str, Any]) -> bool:
    """Return whether a run's time says something of its solver: it ran, and got the processor."""
    never = run["status"] == "unfit" and not run["host"]
    return not never and run["status"] not in ("infeasible", "starved")


def _formulations(runs: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what the formulation of each run is called where competitors are compared."""
    instances: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        instances[run["formulation"]].add(run["instance"])
    own = {name: name for name in instances}
    others = [name for name in instances if name != FILE]
    if len(others) == 1 and not instances[FILE] & instances[others[0]]:
        own[FILE] = others[0]
    return own


def _time(run: Mapping[str, Any], clock: str) -> Time:
    limit = float(run["time_limit"])
    taken = run[clock] if run[clock] is not None else run["wall"]
    solved, verified = run["status"] in ENDED, run["status"] == "solved"
    return Time(solved, min(float(taken), limit) if solved else limit, limit, verified)


def par(times: Iterable[Time], penalty: float) -> float:
    """Return the mean seconds, where an unsolved run counts as ``penalty`` times its limit."""
    taken = [time.seconds if time.solved else penalty * time.limit for time in times]
    return math.fsum(taken) / len(taken) if taken else math.nan


def shifted_mean(times: Iterable[Time], shift: float) -> float:
    """Return the shifted geometric mean of the seconds; an unsolved run counts as its limit."""
    logs = [math.log(time.seconds + shift) for time in times]
    return math.exp(math.fsum(logs) / len(logs)) - shift if logs else math.nan


def virtual_best(found: Sequence[Entry]) -> dict[Problem, Time]:
    """Return the best time of any competitor on each problem: what a perfect choice would take."""
    best: dict[Problem, Time] = {}
    for entry in found:
        for problem, time in entry.times.items():
            now = best.get(problem)
            if now is None or (not time.solved, time.seconds) < (not now.solved, now.seconds):
                best[problem] = time
    return best


@dataclass(frozen=True)
class Pair:
    """Two competitors on the problems that both have run.

    Parameters
    ----------
    problems
        How many those are.
    wins, losses
        On how many the first was faster, or alone in solving; and the second.
    ratio
        The first's shifted geometric mean of seconds, the shift left in, over the second's.
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
    wins = losses = 0
    logs: dict[str, list[float]] = defaultdict(list)
    for problem in common:
        a, b = first[problem], second[problem]
        one, other = (not a.solved, a.seconds), (not b.solved, b.seconds)
        wins += a.solved and one < other
        losses += b.solved and other < one
        logs[problem[0]].append(math.log(a.seconds + shift) - math.log(b.seconds + shift))
    if not common:
        return Pair(0, 0, 0, math.nan, math.nan, math.nan)
    mean, low, high = bootstrap(list(logs.values()), seed)
    return Pair(len(common), wins, losses, math.exp(mean), math.exp(low), math.exp(high))


def bootstrap(groups: Sequence[Sequence[float]], seed: int = 0) -> tuple[float, float, float]:
    """Return the mean of all numbers and its percentile interval with 95 % confidence.

    Whole groups are drawn, since the seeds of one instance are no independent witnesses.
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
    """Return the steps of a performance profile.

    Returns
    -------
    list
        Pairs of a ratio to the best time and the share of the competitor's problems that
        it solves within that ratio, both growing.
    """
    ratios = sorted(
        time.seconds / max(best[problem].seconds, 1e-9)
        for problem, time in times.items()
        if time.solved
    )
    return [(ratio, (number + 1) / len(times)) for number, ratio in enumerate(ratios)]
