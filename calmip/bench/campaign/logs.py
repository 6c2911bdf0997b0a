"""The logs of solvers: how they are kept, and the course of a search that they show."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

MAX_LOG_CHARACTERS = 1 << 20
"""Characters of a log that are kept."""

CUT = f"[the log is cut: more than {MAX_LOG_CHARACTERS:,} characters]"


class Line(NamedTuple):
    """A line of a log, and the seconds after the start of the solver's call."""

    seconds: float
    text: str


class Event(NamedTuple):
    """What a line of a log says; None where it says nothing.

    Parameters
    ----------
    seconds
        Those of the solver's own clock, where its output arrives late.
    primal, dual
        The objective of a solution, and a bound on the optimum.
    root
        Whether the search is still at its root node; None if the solver has no such node.
    """

    seconds: float | None = None
    primal: float | None = None
    dual: float | None = None
    root: bool | None = None


@contextmanager
def log_to(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that appends lines of a log to a file, each with the seconds from now.

    Each line is written at once, so the log of a run that is killed is kept.
    """
    started, written = perf_counter(), 0
    with path.open("w", encoding="utf-8", errors="replace", buffering=1) as file:

        def log(text: str) -> None:
            nonlocal written
            for line in text.splitlines():
                if written <= MAX_LOG_CHARACTERS:
                    written += len(line)
                    kept = line if written <= MAX_LOG_CHARACTERS else CUT
                    file.write(f"{perf_counter() - started:.3f}\t{kept}\n")

        yield log


def pack(path: Path) -> bytes | None:
    """Return the log in a file, compressed; None if the solver printed nothing."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return zlib.compress(data, 9) if data else None


def unpack(data: bytes) -> list[Line]:
    """Return the lines of a compressed log; raise `ValueError` if it is damaged."""
    return [Line(_seconds(seconds), words) for seconds, words in split(data)]


def split(data: bytes) -> list[tuple[str, str]]:
    """Return the lines of a compressed log, their seconds as texts.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    try:
        text = zlib.decompress(data).decode("utf-8", "replace")
    except zlib.error as error:
        raise ValueError(f"not a compressed log: {error}") from None
    return [line.partition("\t")[::2] for line in text.splitlines()]


def _seconds(text: str | float) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"'{str(text)[:60]}' is not the seconds of a line") from None


NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf)"

HIGHS = re.compile(
    rf"^ ?[A-Za-z]? +(?P<nodes>\d+) +\d+ +\d+ +[\d.]+% +(?P<dual>{NUMBER}) +(?P<primal>{NUMBER}) "
)
SCIP = re.compile(
    r"^ ?\S? *(?P<seconds>[\d.]+)s\| *(?P<nodes>[\d.]+)(?P<unit>[kMG]?) *\|.*\| *"
    rf"(?P<dual>{NUMBER}|--) *\| *(?P<primal>{NUMBER}|--) *\|[^|]*\|[^|]*$"
)
GUROBI = re.compile(
    rf"^(?:[H*]? *(?P<nodes>\d+) +\d+ .*?) (?P<primal>{NUMBER}|-) +(?P<dual>{NUMBER}|-) +"
    r"(?:[\d.]+%|-) +(?:[\d.]+|-) +\d+s$"
)
FOUND_BY_GUROBI = re.compile(rf"^Found heuristic solution: objective (?P<primal>{NUMBER})")
ROOT_OF_GUROBI = re.compile(rf"^Root relaxation: objective (?P<dual>{NUMBER}),")
CBC = (
    re.compile(
        rf"^(?P<root>Continuous) objective value is (?P<dual>{NUMBER}) - "
        r"(?P<seconds>[\d.]+) seconds"
    ),
    re.compile(
        rf"^Cbc0010I After (?P<nodes>\d+) nodes, .* on tree, (?P<primal>{NUMBER}) best solution, "
        rf"best possible (?P<dual>{NUMBER}) \((?P<seconds>[\d.]+) seconds\)"
    ),
    re.compile(
        rf"^Cbc00(?:04|12|16)I Integer solution of (?P<primal>{NUMBER}) found .*"
        r"\((?P<seconds>[\d.]+) seconds\)"
    ),
    re.compile(
        rf"^Cbc0001I Search completed - best objective (?P<primal>{NUMBER}), .*"
        r"\((?P<seconds>[\d.]+) seconds\)"
    ),
    re.compile(
        rf"^Cbc0005I Partial search - best objective (?P<primal>{NUMBER}) "
        rf"\(best possible (?P<dual>{NUMBER})\), .*\((?P<seconds>[\d.]+) seconds\)"
    ),
)
ROOT_OF_CBC = re.compile(
    rf"^Cbc0013I At root node, .* changed objective from {NUMBER} to (?P<dual>{NUMBER})"
)
CPSAT = re.compile(
    rf"^#(?:\d+|Bound) +(?P<seconds>[\d.]+)s +best:(?P<primal>{NUMBER}) +"
    rf"next:\[(?:(?P<low>{NUMBER}),(?P<high>{NUMBER}))?\]"
)
GLPK = re.compile(
    rf"^\+ *\d+: (?:mip =|>>>>>) +(?P<primal>{NUMBER}|not found yet) +[<>]= +"
    rf"(?P<dual>{NUMBER}|tree is empty)"
)
FOUND_BY_GLPK = re.compile(rf"^Solution found by heuristic: (?P<primal>{NUMBER})")
OBJECTIVE_OF_GLPK = re.compile(rf"^[*#]? *\d+: obj = +(?P<dual>{NUMBER}) ")

NO_SOLUTION_OF_CBC = 1e50
"""CBC's objective as long as it has no solution."""


def _number(text: str | None) -> float | None:
    """Return a finite number of a log, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) < NO_SOLUTION_OF_CBC else None


def _read_highs(text: str, _before: str, _maximise: bool) -> Event | None:
    found = HIGHS.match(text)
    if found is None:
        return None
    root = int(found["nodes"]) <= 1
    return Event(None, _number(found["primal"]), _number(found["dual"]), root)


def _read_scip(text: str, _before: str, _maximise: bool) -> Event | None:
    found = SCIP.match(text)
    if found is None:
        return None
    root = found["nodes"] in ("0", "1") and not found["unit"]
    seconds, primal, dual = (_number(found[name]) for name in ("seconds", "primal", "dual"))
    return Event(seconds, primal, dual, root)


def _read_gurobi(text: str, _before: str, _maximise: bool) -> Event | None:
    if found := GUROBI.match(text):
        root = found["nodes"] == "0"
        return Event(None, _number(found["primal"]), _number(found["dual"]), root)
    if found := FOUND_BY_GUROBI.match(text):
        return Event(primal=_number(found["primal"]))
    if found := ROOT_OF_GUROBI.match(text):
        return Event(dual=_number(found["dual"]), root=True)
    return None


def _read_cbc(text: str, _before: str, _maximise: bool) -> Event | None:
    if not text.startswith(("Cbc00", "Continuous")):
        return None
    for pattern in CBC:
        if found := pattern.match(text):
            parts = found.groupdict()
            root = "root" in parts or parts.get("nodes") == "0"
            primal, dual = _number(parts.get("primal")), _number(parts.get("dual"))
            return Event(_number(parts["seconds"]), primal, dual, root)
    if found := ROOT_OF_CBC.match(text):
        return Event(dual=_number(found["dual"]), root=True)
    return None


def _read_cpsat(text: str, _before: str, maximise: bool) -> Event | None:
    found = CPSAT.match(text)
    if found is None:
        return None
    primal = _number(found["primal"])
    # After the last solution the interval of better objectives is empty.
    ends = [_number(found["high" if maximise else "low"]), primal]
    bounds = [end for end in ends if end is not None]
    closed = found["low"] is None
    dual = primal if closed else (max if maximise else min)(bounds) if bounds else None
    return Event(_number(found["seconds"]), primal, dual)


def _read_glpk(text: str, before: str, _maximise: bool) -> Event | None:
    if found := GLPK.match(text):
        return Event(None, _number(found["primal"]), _number(found["dual"]), False)
    if found := FOUND_BY_GLPK.match(text):
        return Event(primal=_number(found["primal"]))
    if text == "OPTIMAL LP SOLUTION FOUND" and (found := OBJECTIVE_OF_GLPK.match(before)):
        return Event(dual=_number(found["dual"]), root=True)
    return None


Reader = Callable[[str, str, bool], Event | None]

READERS: dict[str, Reader] = {
    "highs": _read_highs,
    "scip": _read_scip,
    "cbc": _read_cbc,
    "gurobi": _read_gurobi,
    "cpsat": _read_cpsat,
    "glpk": _read_glpk,
}
"""For a solver, the function that reads a line of its log, after another; a model may maximise."""


Step = tuple[float, float | None, float | None]


@dataclass(frozen=True)
class Course:
    """The course of a search, as its log shows it and the checked answer ends it.

    Parameters
    ----------
    steps
        Seconds of solving, the objective of the incumbent, and the best bound, at each change;
        None as long as there is none.
    root_bound
        The last bound at the root node; None if the log has none, as that of CP-SAT.
    """

    steps: tuple[Step, ...]
    root_bound: float | None

    @property
    def first_solution(self) -> float | None:
        """The seconds until the first incumbent, None without one."""
        return next((seconds for seconds, primal, _ in self.steps if primal is not None), None)

    def gap(self, seconds: float, best: float) -> float:
        """Return the primal gap at a time, from 0 to 1, against the best objective."""
        primal = None
        for when, objective, _ in self.steps:
            if when > seconds:
                break
            primal = objective
        return primal_gap(primal, best)

    def primal_integral(self, best: float, limit: float) -> float:
        """Return the integral of the primal gap until the limit, in seconds (Berthold 2013)."""
        total, before, gap = 0.0, 0.0, 1.0
        for seconds, primal, _ in self.steps:
            now = min(max(seconds, before), limit)
            total, before, gap = total + gap * (now - before), now, primal_gap(primal, best)
        return total + gap * (limit - before)


def primal_gap(objective: float | None, best: float) -> float:
    """Return the distance of an objective from the best one, from 0 to 1; 1 without objective."""
    if objective is None or objective * best < 0:
        return 1.0
    largest = max(abs(objective), abs(best))
    return 0.0 if largest == 0 else min(1.0, abs(objective - best) / largest)


def course_of(
    run: dict[str, Any], lines: Sequence[tuple[str | float, str]], best: float | None
) -> Course | None:
    """Return the course of a run, or None if no reader understands its log.

    Of the lines, each with its seconds, few mean something, so most seconds stay texts.

    The log is only a claim. An objective or a bound that the best checked objective of the model,
    ``best``, refutes is left out. If the log ends with another objective than the checked one, for
    example because the solver counts from another constant, there is no course.
    """
    read = READERS.get(run["solver"])
    if read is None or run["goal"] != "solve":
        return None
    maximise, objective = run["sense"] == "max", run["objective"]
    events = list(_events(lines, read, run["start_wall"] or 0.0, maximise))
    last = next((event.primal for _, event in reversed(events) if event.primal is not None), None)
    if objective is not None and last is not None and not _near(last, objective):
        if not _near(-last, objective):
            return None
        # CBC minimises the negative of an objective that is maximised.
        events = [(seconds, _negative(event)) for seconds, event in events]
    sign = -1 if maximise else 1
    low = -math.inf if best is None else sign * best
    steps: list[Step] = []
    primal, dual, root, when = math.inf, -math.inf, None, 0.0
    for seconds, event in events:
        when = max(when, seconds)
        if event.primal is not None and _at_most(low, sign * event.primal):
            primal = min(primal, max(low, sign * event.primal))
        if event.dual is not None and (best is None or _at_most(sign * event.dual, low)):
            bound = sign * event.dual if best is None else min(low, sign * event.dual)
            dual = max(dual, bound)
            root = sign * dual if event.root else root
        steps.append((when, _finite(sign * primal), _finite(sign * dual)))
    if objective is not None:
        # Presolve may find the solution, and print none of the lines that are read here.
        proved = run["status"] == "solved" and run["answer"] == "optimal"
        end = objective if proved else _finite(sign * dual)
        steps.append((max(when, _solving(run)), objective, end))
    changes = steps[:1] + [step for before, step in pairwise(steps) if step[1:] != before[1:]]
    return Course(tuple(changes), root)


def _events(
    lines: Sequence[tuple[str | float, str]], read: Reader, start: float, maximise: bool
) -> Iterator[tuple[float, Event]]:
    """Yield what the lines say, each with its seconds of solving."""
    before, own = "", 0.0
    for seconds, text in lines:
        event = read(text, before, maximise)
        before = text
        if event is not None:
            own = own if event.seconds is None else event.seconds
            late = event.seconds is not None or own
            yield own if late else max(_seconds(seconds) - start, 0.0), event


def _at_most(one: float, other: float) -> bool:
    return one <= other or _near(one, other)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _solving(run: dict[str, Any]) -> float:
    return max(float(run["wall"]) - (run["start_wall"] or 0.0), 0.0)


def _negative(event: Event) -> Event:
    primal, dual = (None if one is None else -one for one in (event.primal, event.dual))
    return event._replace(primal=primal, dual=dual)


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-6)
