"""What campaigns are judged by: penalised means, pairs, profiles, and what changed between two.

PARk is the mean time where a run that did not solve counts as k times its limit. The
shifted geometric mean of times t is ``exp(mean(log(t + s))) - s``; runs that did not
solve count as their limit. Performance profiles: E. D. Dolan and J. J. Moré,
Benchmarking optimization software with performance profiles, Mathematical
Programming 91, 2002.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from calmip.documents.description import plain
from calmip.errors import InputError, listed
from calmip.tasks._trust import falls_short
from calmip.tasks.campaign.problems import FILE

__all__ = [
    "CLOCKS",
    "ENDED",
    "Entry",
    "Pair",
    "Summed",
    "bootstrap",
    "checked_clock",
    "compared",
    "cross_checked",
    "entries",
    "is_timed",
    "names_of",
    "pair",
    "par",
    "profile",
    "shifted_mean",
    "summary",
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
        How many problems both have.
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


TELLING = 10
"""So many instances that tell competitors apart are named."""

Runs = Sequence[Mapping[str, Any]]
Changes = tuple[dict[str, Any], ...]


class Summed(Protocol):
    """What a summary is made of; `calmip.tasks.bench.Report` is one."""

    @property
    def entries(self) -> tuple[Entry, ...]: ...  # noqa: D102
    @property
    def names(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def best(self) -> dict[tuple[str, str, int], Time]: ...  # noqa: D102
    @property
    def reference(self) -> tuple[dict[str, Any], ...]: ...  # noqa: D102
    @property
    def clock(self) -> str: ...  # noqa: D102
    @property
    def shift(self) -> float: ...  # noqa: D102
    @property
    def doubts(self) -> tuple[str, ...]: ...  # noqa: D102


def checked_clock(clock: str, shift: float) -> None:
    """Raise `InputError` unless these are a clock and a shift."""
    if clock not in CLOCKS:
        raise InputError(f"the clock is one of {listed(CLOCKS)}, not '{clock}'")
    if not (math.isfinite(shift) and shift > 0):
        raise InputError(f"the shift is a number of seconds above 0, not {shift:g}")


def names_of(found: Sequence[Entry]) -> tuple[str, ...]:
    """Return a name for each competitor: the solver, its options, and what else differs."""
    formulations = len({entry.formulation for entry in found}) > 1
    versions: dict[str, set[str]] = defaultdict(set)
    for entry in found:
        versions[entry.solver].add(entry.version)
    return tuple(
        " ".join(
            part
            for part in (
                entry.solver,
                entry.version if len(versions[entry.solver]) > 1 else "",
                entry.options,
                f"({entry.formulation})" if formulations else "",
            )
            if part
        )
        for entry in found
    )


def summary(report: Summed) -> dict[str, Any]:
    """Return the numbers of a report as plain data."""
    rows = [
        {
            "name": name,
            "formulation": entry.formulation,
            "solver": entry.solver,
            "version": entry.version,
            "options": entry.options,
            "statuses": dict(entry.statuses),
            **_numbers(entry.times, report.shift),
        }
        for name, entry in zip(report.names, report.entries, strict=True)
    ]
    return {
        "clock": report.clock,
        "shift": report.shift,
        "competitors": rows,
        "virtual_best": _numbers(report.best, report.shift),
        "pairs": _pairs(report),
        "telling": _telling(report),
        "reference": _drift(report),
        "doubts": list(report.doubts),
    }


def _numbers(times: Mapping[Any, Time], shift: float) -> dict[str, Any]:
    return {
        "runs": len(times),
        "solved": sum(time.solved and time.verified for time in times.values()),
        "unverified": sum(time.solved and not time.verified for time in times.values()),
        "par2": _rounded(par(times.values(), 2)),
        "par10": _rounded(par(times.values(), 10)),
        "shifted_mean": _rounded(shifted_mean(times.values(), shift)),
    }


def _rounded(number: float) -> float | None:
    """Return a mean to the microsecond; None of no runs."""
    return None if math.isnan(number) else round(number, 6)


def _pairs(report: Summed) -> list[dict[str, Any]]:
    found = []
    for number, first in enumerate(report.entries):
        for other, second in enumerate(report.entries[number + 1 :], start=number + 1):
            two = pair(first.times, second.times, report.shift)
            if two.problems:
                names = {"first": report.names[number], "second": report.names[other]}
                found.append({**names, **plain(vars(two), 6)})
    return found


def _telling(report: Summed) -> list[dict[str, Any]]:
    """Return the instances on which the competitors differ most, by PAR10 in seconds."""
    costs: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for name, entry in zip(report.names, report.entries, strict=True):
        mine: dict[tuple[str, str], list[Time]] = defaultdict(list)
        for (instance, goal, _), time in entry.times.items():
            mine[instance, goal].append(time)
        for key, times in mine.items():
            costs[key].append((par(times, 10), name))
    found = []
    for (instance, goal), rated in costs.items():
        (least, first), (most, last) = min(rated), max(rated)
        if len(rated) > 1:
            ratio = (most + report.shift) / (least + report.shift)
            found.append(
                {
                    "instance": instance,
                    "goal": goal,
                    "fastest": first,
                    "fastest_par10": round(least, 6),
                    "slowest": last,
                    "slowest_par10": round(most, 6),
                    "ratio": round(ratio, 6),
                }
            )
    found.sort(key=lambda row: (-float(row["ratio"]), str(row["instance"])))  # type: ignore[arg-type]
    return found[:TELLING]


def _drift(report: Summed) -> dict[str, Any] | None:
    """Return the least, the median and the most that the reference job took."""
    if not report.reference:
        return None
    found: dict[str, Any] = {"jobs": len(report.reference)}
    for clock in CLOCKS:
        taken = [job[clock] for job in report.reference if job[clock] is not None]
        if taken:
            numbers = (min(taken), statistics.median(taken), max(taken))
            found[clock] = [round(number, 6) for number in numbers]
    return found


WORSE = {
    "solved": 0, "unverified": 0, "unknown": 1, "unfit": 1, "time": 1, "memory": 1, "crash": 2,
    "wrong": 3,
}  # fmt: skip
"""How bad a status is. Whether a witness has time to verify an answer is not the solver's doing."""


def compared(
    before: Runs, after: Runs, clock: str, shift: float, tolerance: float
) -> tuple[Changes, Changes, Changes]:
    """Return what changed for each competitor, and the runs that became worse and better."""
    old, new = (_by_setting(runs, clock) for runs in (before, after))
    changes: list[dict[str, Any]] = []
    worse: list[dict[str, Any]] = []
    better: list[dict[str, Any]] = []
    for who in sorted(set(old) & set(new)):
        (first, one), (second, two) = old[who], new[who]
        common = sorted(set(first.times) & set(second.times))
        if not common:
            continue
        name = " ".join(part for part in (who[1], who[2], f"({who[0]})") if part)
        steps = []
        for problem in common:
            states = one[problem], two[problem]
            step = WORSE[states[1]] - WORSE[states[0]]
            if step:
                row = dict(zip(("instance", "goal", "seed"), problem, strict=True))
                row |= {"name": name, "before": states[0], "after": states[1]}
                (worse if step > 0 else better).append(row)
            steps.append(states)
        two_of = pair(second.times, first.times, shift)
        bad = sum(WORSE[b] > max(1, WORSE[a]) for a, b in steps)
        solved = [sum(state[k] in ENDED for state in steps) for k in (0, 1)]
        changes.append(
            {
                "name": name,
                "versions": [first.version, second.version],
                "problems": len(common),
                "solved": solved,
                "newly_wrong_or_crashing": bad,
                "ratio": round(two_of.ratio, 6),
                "low": round(two_of.low, 6),
                "high": round(two_of.high, 6),
                "regression": bool(bad or solved[1] < solved[0] or two_of.low > tolerance),
            }
        )
    return tuple(changes), tuple(worse), tuple(better)


Setting = tuple[str, str, str]


def _by_setting(
    runs: Runs, clock: str
) -> dict[Setting, tuple[Entry, dict[tuple[str, str, int], str]]]:
    """Return each formulation, solver and options with its last runs, of whatever version."""
    last: dict[Setting, dict[tuple[str, str, int], Mapping[str, Any]]] = defaultdict(dict)
    for run in sorted(runs, key=lambda run: str(run["finished"])):
        who = (run["formulation"], run["solver"], run["options"])
        last[who][run["instance"], run["goal"], run["seed"]] = run
    found = {}
    for who, rows in last.items():
        versions = " and ".join(sorted({str(run["version"]) for run in rows.values()}))
        plain = [{**run, "version": versions} for run in rows.values()]
        states = {problem: str(run["status"]) for problem, run in rows.items()}
        found[who] = (entries(plain, clock)[0], states)
    return found
