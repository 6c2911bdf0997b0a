"""The summary of a report, and what changed between two files of results."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from calmip.errors import InputError, listed
from calmip.tasks.campaign.statistics import (
    CLOCKS,
    Entry,
    Time,
    entries,
    pair,
    par,
    shifted_mean,
)

__all__ = ["Summed", "checked_clock", "compared", "names_of", "summary"]

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
            "unconfirmed": entry.unconfirmed,
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
    }


def _numbers(times: Mapping[Any, Time], shift: float) -> dict[str, Any]:
    return {
        "runs": len(times),
        "solved": sum(time.solved for time in times.values()),
        "par2": round(par(times.values(), 2), 6),
        "par10": round(par(times.values(), 10), 6),
        "shifted_mean": round(shifted_mean(times.values(), shift), 6),
    }


def _pairs(report: Summed) -> list[dict[str, Any]]:
    found = []
    for number, first in enumerate(report.entries):
        for other, second in enumerate(report.entries[number + 1 :], start=number + 1):
            two = pair(first.times, second.times, report.shift)
            if two.problems:
                interval = {key: round(getattr(two, key), 6) for key in ("ratio", "low", "high")}
                found.append(
                    {
                        "first": report.names[number],
                        "second": report.names[other],
                        "problems": two.problems,
                        "wins": two.wins,
                        "losses": two.losses,
                        **interval,
                    }
                )
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


WORSE = {"solved": 0, "unknown": 1, "unfit": 1, "time": 1, "memory": 1, "crash": 2, "wrong": 3}
"""How bad a status is."""


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
        solved = [sum(state[k] == "solved" for state in steps) for k in (0, 1)]
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
