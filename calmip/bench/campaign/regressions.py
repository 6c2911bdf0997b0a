"""What changed from one version of a solver to another: in pairs of runs, or in two files.

In a campaign in pairs both versions of a solver do the same run one after the other, so the speed
of the machine cancels. The interval of their ratio is Student's over the instances, each with its
mean logarithm. Two campaigns at two times also differ by the speed of the machine. The reference
jobs measure it: their ratio is divided out, and the spread of their logarithms in each campaign
enters as the variance of a random effect (degrees of freedom: B. L. Welch, The generalization of
Student's problem when several different population variances are involved, Biometrika 34, 1947).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calmip._base.errors import InputError, join_words
from calmip.bench.campaign import statistics
from calmip.bench.campaign.statistics import ENDED, Entry, Problem, Run, Time
from calmip.bench.campaign.store import Stored
from calmip.mip.status import Status
from calmip.puzzle.tasks.results import Result

MIN_INSTANCES = 10
"""With fewer instances an interval is noted as unreliable."""

MIN_REFERENCE_JOBS = 5
"""The reference jobs that a campaign needs if it is compared with another."""

PAIRED = (
    "do both in one campaign (calmip bench run --against), or compare answers alone "
    "(--answers-only)"
)

BADNESS = {
    "solved": 0,
    "unverified": 0,
    "unknown": 1,
    "unfit": 1,
    "time": 1,
    "memory": 1,
    "crash": 2,
    "wrong": 3,
}
"""How bad a status is; an unverified answer is not the solver's fault."""

EARLY_SHARE = 0.5
"""A run solved in this share of its limit is not lost by chance."""

SLOWDOWNS = (1.05, 1.1)
"""The slowdowns for which a report says how many rounds find them."""

QUANTILE_90 = 1.2815515655446004
"""The quantile of the normal distribution at 90 %."""


class ConfidenceInterval(NamedTuple):
    """A mean and its interval with 95 % confidence, None where one number gives none."""

    mean: float
    low: float | None
    high: float | None


class Reference(NamedTuple):
    """The mean logarithm of the seconds of a campaign's reference jobs, and its spread."""

    mean: float
    variance: float
    freedom: int


@dataclass(frozen=True, repr=False)
class Difference(Result):
    """The changes from one version of solvers to another.

    Parameters
    ----------
    paths
        The two files, or the one with runs in pairs.
    changes
        The changes of each solver with its settings and formulation.
    worse, better
        The runs whose status changed for the worse and for the better: instance, seed,
        competitor and both statuses.
    tolerance
        The greatest ratio of times that is not a regression.
    clock
        Whether seconds are those of the ``wall`` clock or of the ``cpu``.
    drift
        The ratio of the seconds of the reference jobs, by which ratios of times are divided; None
        for runs in pairs.
    notes
        What makes the comparison less reliable.
    contradictions
        The answers that contradict each other, none of them refuted.
    """

    KEYS = (
        "paths",
        "regression",
        "wrong",
        "contradictions",
        "tolerance",
        "clock",
        "drift",
        "notes",
        "changes",
        "worse",
        "better",
    )

    paths: tuple[Path, ...]
    changes: tuple[dict[str, Any], ...]
    worse: tuple[dict[str, Any], ...]
    better: tuple[dict[str, Any], ...]
    tolerance: float
    clock: str = "cpu"
    drift: float | None = None
    notes: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Failed if an answer of the second side was refuted, or answers contradict each other.

        Else refused if there is a regression, and accepted if not.
        """
        if self.wrong or self.contradictions:
            return Status.FAILED
        return Status.REFUSED if self.regression else Status.ACCEPTED

    @property
    def regression(self) -> bool:
        """Whether a competitor became slower, or solves less."""
        return any(change["regression"] for change in self.changes)

    @property
    def wrong(self) -> int:
        """The number of runs of the second side whose answers were refuted."""
        return sum(change["wrong"] for change in self.changes)

    @property
    def unchanged(self) -> bool:
        """Whether no answer changed, and no ratio of times is significant."""
        ratios = [(one["low"], one["high"]) for one in self.changes if one["low"] is not None]
        within = all(low <= self.tolerance and high * self.tolerance >= 1 for low, high in ratios)
        return within and not (self.worse or self.better or self.regression)

    def _summary(self) -> str:
        return f"{' to '.join(map(str, self.paths))}, {len(self.changes)} competitors"


@dataclass(frozen=True, repr=False)
class Alarms(Result):
    """How often a solver against itself looks like a regression.

    Parameters
    ----------
    path
        The file of results.
    clock
        Whether seconds are those of the ``wall`` clock or of the ``cpu``.
    tolerance
        The greatest ratio of times that is not a regression.
    campaigns
        The number of campaigns, of all competitors together.
    alarms
        The number of those that look like a regression.
    competitors
        For each competitor its campaigns, instances and alarms; ``excluding``, the intervals that
        exclude 1; ``spread``, the standard deviation of the logarithm of a pair's ratio; and
        ``rounds``, how many rounds find a slowdown of 5 and of 10 % in nine of ten campaigns.
    """

    KEYS = ("path", "clock", "tolerance", "campaigns", "alarms", "rate", "competitors")

    path: Path
    clock: str
    tolerance: float
    campaigns: int
    alarms: int
    competitors: tuple[dict[str, Any], ...]

    status = Status.DONE

    @property
    def rate(self) -> float:
        """The share of the campaigns that are alarms."""
        return round(self.alarms / self.campaigns, 6)

    def _summary(self) -> str:
        return f"{self.path}, {self.alarms} alarms in {self.campaigns} campaigns"


def student(freedom: float) -> float:
    """Return the quantile at 97.5 % of Student's distribution with these degrees of freedom."""
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        above = _beta(freedom / (freedom + middle * middle), freedom / 2, 0.5) / 2
        low, high = (middle, high) if above > 0.025 else (low, middle)
    return high


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function by its continued fraction."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    total = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * total


def interval(
    groups: Iterable[Sequence[float]], levels: Sequence[Reference] = ()
) -> ConfidenceInterval:
    """Return the mean of the means of groups, and its interval with 95 % confidence.

    Parameters
    ----------
    groups
        The numbers of each instance.
    levels
        The levels of two campaigns: the mean is corrected by their difference, and each variance is
        that of a random effect. Both together have at least as many degrees of freedom as
        one.
    """
    means = np.array([math.fsum(group) / len(group) for group in groups])
    mean = float(means.mean()) - (levels[1].mean - levels[0].mean if levels else 0.0)
    if len(means) < 2:
        return ConfidenceInterval(mean, None, None)
    parts = [(float(means.var(ddof=1)) / len(means), len(means) - 1)]
    parts += [(level.variance, level.freedom) for level in levels]
    variance = math.fsum(part for part, _ in parts)
    if variance == 0:
        return ConfidenceInterval(mean, mean, mean)
    freedom = variance**2 / math.fsum(part**2 / number for part, number in parts)
    width = student(freedom) * math.sqrt(variance)
    return ConfidenceInterval(mean, mean - width, mean + width)


def _level(stored: Stored, clock: str, path: Path) -> Reference:
    taken = [job[clock] for job in stored.reference if job[clock]]
    if len(taken) < MIN_REFERENCE_JOBS:
        raise InputError(
            f"has {len(taken)} reference jobs by the {clock} clock; to compare two campaigns, each "
            f"needs {MIN_REFERENCE_JOBS}, which show how fast the machine was; {PAIRED}",
            path=path,
        )
    logs = np.log(taken)
    return Reference(float(logs.mean()), float(logs.var(ddof=1)), len(logs) - 1)


def compare_files(
    paths: tuple[Path, Path],
    files: tuple[Stored, Stored],
    clock: str,
    shift: float,
    tolerance: float,
    *,
    answers: bool,
) -> Difference:
    """Return the changes from one file of results to another."""
    # A solution in one file refutes answers in the other, too.
    checked, size = statistics.cross_check([*files[0].runs, *files[1].runs]), len(files[0].runs)
    runs = [checked[:size], checked[size:]]
    notes: list[str] = []
    levels: list[Reference] = []
    if not answers:
        _check_machines(paths, runs)
        for path, stored in zip(paths, files, strict=True):
            _check_clock(path, stored.runs, clock)
        levels = [_level(one, clock, path) for one, path in zip(files, paths, strict=True)]
        notes += _notes_on_start(runs)
    runs = _cut(runs, clock, notes)
    for what, name in (("memory_limit", "memory limits"), ("calmip", "versions of calmip")):
        values = [sorted({str(run[what]) for run in some}) for some in runs]
        if values[0] != values[1]:
            notes.append(f"the {name} differ: {' and '.join(join_words(one) for one in values)}")
    # The answers of two machines are compared, their seconds are not.
    old, new = (_by_name(some, clock, keep_side=True, machines=not answers) for some in runs)
    changes = _changes(old, new, shift, tolerance, levels, answers=answers)
    if not changes[0]:
        raise InputError(
            f"has no run in common with {paths[0]}: no instance, formulation, solver, "
            "settings, options and seed are the same",
            path=paths[1],
        )
    drift = round(math.exp(levels[1].mean - levels[0].mean), 6) if levels else None
    notes += _notes_on_size(changes[0])
    told = tuple(statistics.contradictions([run for some in runs for run in some]))
    return Difference(paths, *changes, tolerance, clock, drift, tuple(notes), told)


def compare_sides(
    path: Path, stored: Stored, clock: str, shift: float, tolerance: float, *, answers: bool
) -> Difference:
    """Return the changes between the two sides of a campaign in pairs."""
    if not answers:
        _check_clock(path, stored.runs, clock)
    runs = statistics.by_clock(statistics.cross_check(stored.runs), clock)
    sides = {side: [run for run in runs if run["side"] == side] for side in ("before", "after")}
    old, new = (_by_name(some, clock) for some in sides.values())
    found = _changes(old, new, shift, tolerance, (), answers=answers)
    if not found[0]:
        raise InputError(
            "holds no runs in pairs; give a second file, or do a campaign with "
            "calmip bench run --against",
            path=path,
        )
    notes = tuple(_notes_on_size(found[0]))
    told = tuple(statistics.contradictions(runs))
    return Difference((path,), *found, tolerance, clock, None, notes, told)


def _by_name(
    runs: Sequence[Run], clock: str, *, keep_side: bool = False, machines: bool = True
) -> dict[tuple[str, ...], Entry]:
    return {
        (one.formulation, one.solver, one.settings, one.options, one.side * keep_side): one
        for one in statistics.entries(runs, clock, versions=False, machines=machines)
    }


def _check_machines(paths: tuple[Path, Path], runs: Sequence[Sequence[Run]]) -> None:
    machines = [sorted({str(run["machine"]) for run in some}) for some in runs]
    if machines[0] != machines[1]:
        raise InputError(
            f"is from another machine than {paths[0]} ({join_words(machines[1])}; "
            f"{join_words(machines[0])}): their seconds cannot be compared; {PAIRED}",
            path=paths[1],
        )


def _check_clock(path: Path, runs: Sequence[Run], clock: str) -> None:
    if any(run[clock] is None and run["status"] not in statistics.WITHOUT_TIME for run in runs):
        raise InputError(f"has runs without {clock} seconds; give --clock wall", path=path)


def _notes_on_start(runs: Sequence[Sequence[Run]]) -> list[str]:
    known = [any(run["start_wall"] is not None for run in some) for some in runs]
    if known[0] == known[1]:
        return []
    return ["the seconds of starting a solver are subtracted in one file, and unknown in the other"]


def _notes_on_size(changes: Sequence[Mapping[str, Any]]) -> list[str]:
    fewest = min((int(change["instances"]) for change in changes), default=0)
    if fewest >= MIN_INSTANCES:
        return []
    return [f"fewer than {MIN_INSTANCES} instances ({fewest}): the interval is not reliable"]


def _cut(runs: Sequence[Sequence[Run]], clock: str, notes: list[str]) -> list[list[dict[str, Any]]]:
    """Return the runs with the least limit of all by a clock."""
    limits = [sorted({statistics.limit_of(run, clock) for run in some}) for some in runs]
    least = min(chain[0] for chain in limits)
    if limits[0] != limits[1]:
        described = " and ".join(join_words([f"{limit:g}" for limit in some]) for some in limits)
        notes.append(f"the limits differ: {described} s; seconds are cut at {least:g}")
    elif len(limits[0]) == 1:
        return [statistics.by_clock(some, clock) for some in runs]
    cut = {"time_limit": least, "cpu_limit": least} if clock == "cpu" else {"time_limit": least}
    return [statistics.by_clock([{**run, **cut} for run in some], clock) for some in runs]


Rows = tuple[dict[str, Any], ...]


def _changes(
    old: Mapping[tuple[str, ...], Entry],
    new: Mapping[tuple[str, ...], Entry],
    shift: float,
    tolerance: float,
    levels: Sequence[Reference],
    *,
    answers: bool,
) -> tuple[Rows, Rows, Rows]:
    """Return what changed for each competitor, and the runs that became worse and better."""
    changes: list[dict[str, Any]] = []
    worse: list[dict[str, Any]] = []
    better: list[dict[str, Any]] = []
    for who in sorted(old.keys() & new.keys()):
        pairs = (old[who], new[who])
        common = sorted(pairs[0].times.keys() & pairs[1].times.keys())
        if not common:
            continue
        change = _change(who, pairs, common)
        for problem in common:
            was, now = (one.runs[problem]["status"] for one in pairs)
            if BADNESS[was] != BADNESS[now]:
                row = dict(zip(("instance", "goal", "seed", "round"), problem[:4], strict=True))
                row |= {"name": change["name"], "before": was, "after": now}
                (worse if BADNESS[was] < BADNESS[now] else better).append(row)
        slower = False
        if not answers:
            ratio = interval(_logs(pairs, common, shift), levels)
            slower = ratio.low is not None and math.exp(ratio.low) > tolerance
            change |= {
                key: None if value is None else round(math.exp(value), 6)
                for key, value in zip(("ratio", "low", "high"), ratio, strict=True)
            }
        bad = change["newly_wrong_or_crashing"] > 0 or change["lost"] > change["gained"]
        change["regression"] = bad or slower
        changes.append(change)
    return tuple(changes), tuple(worse), tuple(better)


def _change(
    who: tuple[str, ...], pairs: tuple[Entry, Entry], common: Sequence[Any]
) -> dict[str, Any]:
    """Return the numbers of a competitor's common problems, still without its times."""
    formulation, solver, settings, *rest = who
    own = "" if settings == "stock" else settings
    name = " ".join(filter(None, (solver, own, *rest, f"({formulation})")))
    steps = [tuple(one.runs[problem]["status"] for one in pairs) for problem in common]
    lost, gained = (
        sum(_is_lost(one.times[problem], other.times[problem]) for problem in common)
        for one, other in (pairs, pairs[::-1])
    )
    return {
        "name": name,
        "versions": [
            " and ".join(sorted({str(run["version"]) for run in one.runs.values()}))
            for one in pairs
        ],
        "problems": len(common),
        "instances": len({problem[0] for problem in common}),
        "solved": [sum(status in ENDED for status in some) for some in zip(*steps, strict=True)],
        "lost": lost,
        "gained": gained,
        "wrong": sum(now == "wrong" for _, now in steps),
        "newly_wrong_or_crashing": sum(BADNESS[now] > max(1, BADNESS[was]) for was, now in steps),
        "ratio": None,
        "low": None,
        "high": None,
    }


def _is_lost(was: Time, now: Time) -> bool:
    return was.solved and not now.solved and was.seconds <= EARLY_SHARE * was.limit


def _logs(pairs: tuple[Entry, Entry], common: Sequence[Problem], shift: float) -> list[list[float]]:
    """Return the logarithms of the ratios of seconds, those of each instance together."""
    logs: dict[str, list[float]] = defaultdict(list)
    for problem in common:
        was, now = (one.times[problem].seconds + shift for one in pairs)
        logs[problem[0]].append(math.log(now / was))
    return list(logs.values())


def alarms(path: Path, stored: Stored, clock: str, shift: float, tolerance: float) -> Alarms:
    """Return how often the rounds of a solver against itself look like a regression."""
    _check_clock(path, stored.runs, clock)
    runs = statistics.by_clock(statistics.cross_check(stored.runs), clock)
    rounds = sorted({run["round"] for run in runs if run["side"]})
    rows: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    spreads: dict[tuple[str, ...], list[list[float]]] = defaultdict(list)
    for number in rounds:
        of_round = [run for run in runs if run["round"] == number]
        old, new = (
            _by_name([run for run in of_round if run["side"] == side], clock)
            for side in ("before", "after")
        )
        for who in old.keys() & new.keys():
            pair = {who: old[who]}, {who: new[who]}
            changes, _, _ = _changes(*pair, shift, tolerance, (), answers=False)
            rows[who] += changes
            common = sorted(old[who].times.keys() & new[who].times.keys())
            spreads[who] += _logs((old[who], new[who]), common, shift)
    if not rows:
        raise InputError("holds no runs in pairs; calmip bench aa makes them", path=path)
    competitors = []
    for who, several in sorted(rows.items()):
        numbers = [number for group in spreads[who] for number in group]
        spread = math.sqrt(math.fsum(number**2 for number in numbers) / len(numbers))
        instances = min(change["instances"] for change in several)
        competitors.append(
            {
                "name": several[0]["name"],
                "campaigns": len(several),
                "instances": instances,
                "alarms": sum(change["regression"] for change in several),
                "excluding": sum(
                    change["low"] is not None and not change["low"] <= 1 <= change["high"]
                    for change in several
                ),
                "spread": round(spread, 6),
                "rounds": [_rounds(spread, instances, one, tolerance) for one in SLOWDOWNS],
            }
        )
    campaigns = sum(row["campaigns"] for row in competitors)
    number = sum(row["alarms"] for row in competitors)
    return Alarms(path, clock, tolerance, campaigns, number, tuple(competitors))


def _rounds(spread: float, instances: int, slowdown: float, tolerance: float) -> int | None:
    """Return how many rounds find a slowdown in nine of ten campaigns; None if none does."""
    margin = math.log(slowdown / tolerance)
    if instances < 2 or margin <= 0:
        return None
    needed = (student(instances - 1) + QUANTILE_90) * spread / margin
    return max(1, math.ceil(needed**2 / instances))
