"""The statistics of a campaign's runs, and one run with its log."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import Any

from calmip._base.errors import InputError, clip, join_words
from calmip.bench.campaign import statistics
from calmip.bench.campaign.logs import READERS, Course, Line, course_of, split, unpack
from calmip.bench.campaign.store import Stored
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import plain_data
from calmip.puzzle.tasks.results import Pictured

MAX_DISCRIMINATING = 10
"""The number of most discriminating instances that a report names."""

MAX_NAMED_RUNS = 20
"""The number of runs that a message names."""


@dataclass(frozen=True, repr=False)
class Report(Pictured):
    """The statistics of the runs in a file of results.

    Parameters
    ----------
    path
        The file.
    runs
        The runs as records, which pandas takes: ``pandas.DataFrame(report.runs)``.
    reference
        The reference jobs, in their order.
    entries
        The competitors: a solver in a version, with settings and options, on a formulation.
    clock
        Whether seconds are those of the ``wall`` clock or of the ``cpu``. It also decides
        whether an answer came in time.
    shift
        The shift of the geometric means, in seconds.
    doubts
        Answers of ``.solu`` files or of the campaign that a run or a search refuted.
    courses
        The courses of the searches, by the keys of their runs, as far as logs show them.
    logs
        The solvers' logs, compressed, by the keys of their runs.
    tags
        The tags of the instances, by their names.
    contradictions
        The answers that contradict each other, none of them refuted.
    more
        Further files of the runs.
    columns
        The columns to be written, in their order; all if there are none.
    strict
        Whether a refuted answer, or a contradiction, is a failure.
    """

    path: Path
    runs: tuple[dict[str, Any], ...]
    reference: tuple[dict[str, Any], ...]
    entries: tuple[statistics.Entry, ...]
    clock: str
    shift: float
    doubts: tuple[str, ...] = ()
    courses: Mapping[str, Course] = field(default_factory=dict)
    logs: Mapping[str, bytes] = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contradictions: tuple[str, ...] = ()
    more: tuple[Path, ...] = ()
    columns: tuple[str, ...] = ()
    strict: bool = False

    status = Status.DONE

    @property
    def exit_status(self) -> Status:
        """Failed if the report is strict and not all answers agree, else done."""
        faults = self.contradictions or any(run["status"] == "wrong" for run in self.runs)
        return Status.FAILED if self.strict and faults else Status.DONE

    @property
    def title(self) -> str:
        """The names of the files."""
        return ", ".join(path.stem for path in (self.path, *self.more))

    @cached_property
    def machines(self) -> tuple[str, ...]:
        """The machines of the runs, sorted."""
        return tuple(sorted({str(run["machine"]) for run in self.runs}))

    @cached_property
    def best(self) -> dict[statistics.Problem, statistics.Time]:
        """The virtual best solver's seconds on each problem.

        A problem is an instance, a goal, a seed, the number of a repetition, and a machine.
        """
        return statistics.virtual_best(self.entries)

    @cached_property
    def shared(self) -> tuple[statistics.Problem, ...]:
        """The problems for which all competitors have a time."""
        return tuple(sorted(set.intersection(*(set(one.times) for one in self.entries))))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The shortest distinct name of each competitor."""
        return statistics.names_of(self.entries)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The statistics as plain data."""
        named = list(zip(self.names, self.entries, strict=True))
        apart = self._discriminating()
        fewest, most = len(self.shared), max(len(entry.times) for entry in self.entries)
        return {
            "clock": self.clock,
            "shift": self.shift,
            "competitors": [
                {
                    "name": name,
                    "formulation": entry.formulation,
                    "solver": entry.solver,
                    "version": entry.version,
                    "settings": entry.settings,
                    "options": entry.options,
                    "passed": sorted({str(run["options"]) for run in entry.runs.values()}),
                    "statuses": entry.statuses,
                    **self._means(entry.times.values()),
                    "left_out": len(entry.runs) - len(entry.times),
                    "startup": plain_data(entry.startup, 6),
                    "mean_with_startup": self._means(entry.with_startup.values())["shifted_mean"],
                    "primal_integral": self._integral(entry),
                }
                for name, entry in named
            ],
            "virtual_best": self._means(self.best.values()),
            "taken_by_all": self._on_shared(named) if 0 < fewest < most else None,
            "pairs": [
                {"first": one, "second": other, **plain_data(vars(two), 6)}
                for (one, first), (other, second) in itertools.combinations(named, 2)
                if (two := statistics.pair(first.times, second.times, self.shift)).problems
            ],
            "tags": [self._tagged(tag, named) for tag in self._every_tag()],
            "machines": [
                self._class("machine", machine, named, partial(_is_on, machine))
                for machine in self.machines
            ],
            "discriminating": apart,
            "telling": apart,  # its name in version 0.2, for one more release
            "reference": self._drift(),
            "doubts": list(self.doubts),
            "contradictions": list(self.contradictions),
        }

    def _every_tag(self) -> list[str]:
        """Return the tags of the instances of the runs, sorted."""
        instances = {run["instance"] for run in self.runs}
        return sorted({tag for one in instances for tag in self.tags.get(one, ())})

    def _tagged(self, tag: str, named: Iterable[tuple[str, statistics.Entry]]) -> dict[str, Any]:
        """Return the means of all competitors on the instances with a tag."""
        own = {run["instance"] for run in self.runs if tag in self.tags.get(run["instance"], ())}
        return self._class("tag", tag, named, lambda one: one[0] in own)

    def _class(
        self,
        kind: str,
        name: str,
        named: Iterable[tuple[str, statistics.Entry]],
        has: Callable[[statistics.Problem], bool],
    ) -> dict[str, Any]:
        """Return the means of all competitors on a class of problems."""
        best = {one: time for one, time in self.best.items() if has(one)}
        return {
            kind: name,
            "instances": len({one[0] for one in best}),
            "competitors": [
                {"name": who, **self._means(t for one, t in entry.times.items() if has(one))}
                for who, entry in named
            ],
            "virtual_best": self._means(best.values()),
        }

    def _on_shared(self, named: Iterable[tuple[str, statistics.Entry]]) -> dict[str, Any]:
        """Return the means of all competitors on the runs that all of them take."""
        return {
            "competitors": [
                {"name": name, **self._means(entry.times[one] for one in self.shared)}
                for name, entry in named
            ],
            "virtual_best": self._means(self.best[one] for one in self.shared),
        }

    def _means(self, times: Iterable[statistics.Time]) -> dict[str, Any]:
        """Return the numbers of runs, and mean seconds to the microsecond; None without runs."""
        times = list(times)
        means = {
            "par2": statistics.par(times, 2),
            "par10": statistics.par(times, 10),
            "shifted_mean": statistics.shifted_mean(times, self.shift),
        }
        return {
            "runs": len(times),
            "solved": sum(time.solved and time.verified for time in times),
            "unverified": sum(time.solved and not time.verified for time in times),
            **{key: round(mean, 6) if times else None for key, mean in means.items()},
        }

    def _integral(self, entry: statistics.Entry) -> float | None:
        """Return the shifted geometric mean of the primal integrals, None without logs."""
        found = [
            statistics.Time(True, run["primal_integral"], run["time_limit"])
            for problem, run in entry.runs.items()
            if problem in entry.times and run["primal_integral"] is not None
        ]
        return round(statistics.shifted_mean(found, self.shift), 6) if found else None

    @cached_property
    def bests(self) -> dict[tuple[str, str], float]:
        """The best checked objective of each model and goal."""
        return _bests(self.runs)

    def _discriminating(self) -> list[dict[str, Any]]:
        """Return the instances on which the competitors differ most, by PAR10 in seconds.

        Of an instance that several machines have, the one counts on which they differ most.
        """
        costs: dict[tuple[str, str, str], list[tuple[float, str]]] = defaultdict(list)
        for name, entry in zip(self.names, self.entries, strict=True):
            times: dict[tuple[str, str, str], list[statistics.Time]] = defaultdict(list)
            for (instance, goal, _, _, machine), time in entry.times.items():
                times[instance, goal, machine].append(time)
            for key, some in times.items():
                costs[key].append((statistics.par(some, 10), name))
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        for (instance, goal, _), rated in sorted(costs.items()):
            (least, first), (most, last) = min(rated), max(rated)
            ratio = round((most + self.shift) / (least + self.shift), 6)
            before = rows.get((instance, goal))
            if len(rated) > 1 and (before is None or ratio > before["ratio"]):
                rows[instance, goal] = {
                    "instance": instance,
                    "goal": goal,
                    "fastest": first,
                    "fastest_par10": round(least, 6),
                    "slowest": last,
                    "slowest_par10": round(most, 6),
                    "ratio": ratio,
                }
        ranked = sorted(rows.values(), key=lambda row: (-row["ratio"], row["instance"]))
        return ranked[:MAX_DISCRIMINATING]

    def _drift(self) -> dict[str, Any] | None:
        """Return the least, the median and the greatest seconds of the reference job."""
        if not self.reference:
            return None
        drift: dict[str, Any] = {"jobs": len(self.reference)}
        for clock in statistics.CLOCKS:
            taken = [job[clock] for job in self.reference if job[clock] is not None]
            if taken:
                numbers = (min(taken), median(taken), max(taken))
                drift[clock] = [round(number, 6) for number in numbers]
        return drift

    def describe(self) -> dict[str, Any]:
        """Return ``runs`` and ``summary``, with the keys in their documented order."""
        return {"runs": list(self.runs), "summary": self.summary}

    def _summary(self) -> str:
        return f"{self.path}, {len(self.runs)} runs of {len(self.entries)} competitors"


def _is_on(machine: str, problem: statistics.Problem) -> bool:
    return problem[-1] == machine


def _bests(runs: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Return the best checked objective of each model and goal, as far as there is one."""
    found: dict[tuple[str, str], float] = {}
    for run in runs:
        if run["objective"] is not None and run["status"] != "wrong":
            which = run["model"], run["goal"]
            better = max if run["sense"] == "max" else min
            found[which] = better(found.get(which, run["objective"]), run["objective"])
    return found


def chosen(stored: Stored, instances: str | None, tag: str | None, path: Path) -> Stored:
    """Return the runs of instances whose names match a pattern, and that have a tag.

    Raises
    ------
    InputError
        If there is none.
    """
    names = sorted({run["instance"] for run in stored.runs})
    own = {
        name
        for name in names
        if (instances is None or fnmatchcase(name, instances))
        and (tag is None or tag in stored.tags.get(name, ()))
    }
    if not own:
        tags = sorted({one for name in names for one in stored.tags.get(name, ())})
        known = f"the tags are {join_words(tags)}" if tags else "no instance has a tag"
        raise InputError(
            f"no instance matches; there are {len(names)}, such as {clip(names[0])}, and {known}",
            path=path,
        )
    return stored._replace(runs=[run for run in stored.runs if run["instance"] in own])


def report_of(
    path: Path, stored: Stored, clock: str, shift: float, conflicts: Iterable[str] = ()
) -> Report:
    """Return the statistics of the runs in a file of results."""
    checked = statistics.by_clock(statistics.cross_check(stored.runs), clock)
    bests, courses = _bests(checked), {}
    for run in checked:
        course = _course(run, stored.logs, bests)
        if course is not None:
            courses[run["key"]] = course
        run.update(_numbers(run, course, bests))
    entries = tuple(statistics.entries(checked, clock))
    return Report(
        path,
        tuple(checked),
        tuple(stored.reference),
        entries,
        clock,
        shift,
        tuple(stored.doubts),
        courses,
        stored.logs,
        stored.tags,
        (*conflicts, *statistics.contradictions(checked)),
    )


def _course(
    run: dict[str, Any], logs: Mapping[str, bytes], bests: Mapping[tuple[str, str], float]
) -> Course | None:
    """Return the course of a run, None without a log or without a reader for it."""
    if run["key"] not in logs or run["solver"] not in READERS:
        return None
    with _damaged(run):
        lines = split(logs[run["key"]])
        return course_of(run, lines, bests.get((run["model"], run["goal"])))


def _lines(run: dict[str, Any], logs: Mapping[str, bytes]) -> list[Line]:
    with _damaged(run):
        return unpack(logs[run["key"]])


@contextmanager
def _damaged(run: Mapping[str, Any]) -> Iterator[None]:
    """Raise `InputError` if a log is damaged."""
    try:
        yield
    except ValueError as error:
        raise InputError(
            f"the log of run {clip(run['key'], 100)} is damaged: {error}; take a copy of the file"
        ) from None


def _numbers(
    run: dict[str, Any], course: Course | None, bests: Mapping[tuple[str, str], float]
) -> dict[str, float | None]:
    """Return the numbers of a run's log: None where there is no log, or no such number in it."""
    best = bests.get((run["model"], run["goal"]))
    integral = None
    if course is not None and best is not None:
        integral = round(course.primal_integral(best, run["time_limit"]), 6)
    return {
        "root_bound": None if course is None else course.root_bound,
        "first_solution": None if course is None else plain_data(course.first_solution, 6),
        "primal_integral": integral,
    }


@dataclass(frozen=True, repr=False)
class SolverLog(Pictured):
    """A run and the log of its solver.

    Parameters
    ----------
    path
        The file of results.
    run
        The run's row of the results.
    lines
        The lines of the log, each with the seconds after the start of the solver's call.
    course
        The course of the search; None if no reader understands the log.
    best
        The best checked objective of the model, None if there is none.
    """

    path: Path
    run: dict[str, Any]
    lines: tuple[Line, ...]
    course: Course | None
    best: float | None

    status = Status.DONE

    @property
    def has_picture(self) -> bool:
        """Whether there is a course to draw, and an objective to compare it with."""
        return self.course is not None and self.best is not None

    def describe(self) -> dict[str, Any]:
        """Return the run, the course of its search, and its log."""
        return {
            **self.run,
            "best": self.best,
            "steps": [] if self.course is None else [list(step) for step in self.course.steps],
            "log": [list(line) for line in self.lines],
        }

    def _summary(self) -> str:
        return f"{self.run['instance']}, {self.run['solver']}, {len(self.lines)} lines"


def log_of(path: Path, stored: Stored, which: str) -> SolverLog:
    """Return the log of the run that is named; raise `InputError` unless it is one, with a log."""
    named = _named(stored.runs, which)
    if not named:
        raise InputError(
            f"no run is called '{clip(which)}'; give the beginning of a run's key, or INSTANCE, "
            "INSTANCE/SOLVER or INSTANCE/SOLVER/SEED; the CSV form of the report has them all",
            path=path,
        )
    if len(named) > 1:
        names = [f"{run['key'][:8]} ({_name(run)})" for run in named]
        more = f" and {len(names) - MAX_NAMED_RUNS} more" if len(names) > MAX_NAMED_RUNS else ""
        raise InputError(
            f"{len(named)} runs are called '{clip(which)}'; choose one by its key: "
            f"{clip(', '.join(names[:MAX_NAMED_RUNS]), 2000)}{more}",
            path=path,
        )
    report = report_of(path, stored._replace(logs={}), "wall", 0.1)
    run = next(run for run in report.runs if run["key"] == named[0]["key"])
    if run["key"] not in stored.logs:
        raise InputError(
            f"run {run['key'][:8]} ({_name(run)}) has no log: its solver prints none, or the "
            "campaign has logs: false, or an earlier version of calmip did it",
            path=path,
        )
    course = _course(run, stored.logs, report.bests)
    run.update(_numbers(run, course, report.bests))
    lines, best = _lines(run, stored.logs), report.bests.get((run["model"], run["goal"]))
    return SolverLog(path, run, tuple(lines), course, best)


def _named(runs: Sequence[dict[str, Any]], which: str) -> list[dict[str, Any]]:
    """Return the runs with a name or the beginning of a key."""
    names = [run for run in runs if f"{_name(run)}/".startswith(f"{which}/")]
    return names or [run for run in runs if which and run["key"].startswith(which.lower())]


def _name(run: Mapping[str, Any]) -> str:
    settings = "" if run["settings"] == "stock" else f" {run['settings']}"
    return f"{run['instance']}/{run['solver']}{settings}/{run['seed']}"
