"""Solution pools of calmip beside Gurobi's pool, SCIP's count, CP-SAT and no-good cuts.

    python -m benchmarks.pools FOLDER [--number 25] [--seed 1] [--limit 10] [--peer-python PYTHON]
    python -m benchmarks.pools FILE ... [--goals optimal,best] [--repeat 3] [--peers gurobi,scip]
    python -m benchmarks.pools --larger [--seed 1]

Three pools of each model: all optimal solutions, all within 1 %, the ten best. Files are taken as
they are. From a folder, models are drawn by the seed, and others are made by it: a knapsack, an
assignment, a cover, an integer knapsack, a facility location and a calendar with costs. With
``--larger``, others are made that take more than the time to start. No file
comes with calmip; `benchmarks.model_files` names public folders. A drawn file is fit if calmip
reads it, HiGHS solves it in a CPU second, and it has a cost, five integer columns and at most 2,000
columns and rows, the limit of Gurobi's free licence, or fewer by ``--most``. TUNED names the files
on which the engine was tuned; they are never drawn, and the ratios of those given are apart.

A program that does not find all optimal solutions of a model in time has no further pool of it.
Each run is a process of its own, one after the other, with a limit of CPU seconds, in which a model
of two columns comes first: imports, libraries and licences are no part of the seconds of a cell,
nor is reading the file; building a model of the program's own is. The time to start is measured
apart, between the models; its median counts. Python keeps its bytecode, as where packages are
installed.
Every program finds the optimum itself. Two pools are equal if they have the same values of the
integer columns; the ten best, if they have the same objectives. Every difference is judged in
fractions. The report is Markdown.
"""

from __future__ import annotations

import argparse
import atexit
import functools
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import calmip
from benchmarks.model_files import SUFFIXES
from benchmarks.pool_models import larger, made, written
from benchmarks.tables import Table, add_option
from benchmarks.witnesses import missing
from calmip.mip.files.mps import mps_text
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.model import Model, Number
from calmip.mip.status import Status

TUNED = frozenset(
    "p0033 lseu mod008 enigma stein27 p0282 gt2 flugpl bell5 rgn misc03 khb05250 egout 3611 3499 "
    "atm_5_10_1 mann_a9.clq bell3a vpm1 vpm2 blend2 dcmulti misc06 misc07 modglob pk1 pp08a "
    "pp08acuts set1ch fixnet6 gen egout-ac gesa2 gesa3 intermediate_non_integer.out "
    "issue-2173 p01 jobshop_small_hull jobshop_large_hull jobshop_large_cuttingplane".split()
)
GOALS = {"optimal": "0", "within 1 %": "0.01", "ten best": "best"}
SHORT = dict(zip(("optimal", "gap", "best"), GOALS, strict=True))
PEERS = {"gurobi": "gurobipy", "scip": "pyscipopt", "cpsat": "ortools", "highs": "highspy"}
NAMES = {
    "calmip": "calmip",
    "gurobi": "Gurobi's pool",
    "scip": "SCIP's count",
    "cpsat": "CP-SAT",
    "highs": "no-good cuts, HiGHS",
}
MAX_SIZE = 2000
MIN_CPU_SECONDS = 0.001
"""The CPU seconds that a cell takes at least, in a ratio."""

Key = tuple[int, ...]


@dataclass
class Cell:
    """A pool by one program: its points (None if they are counted), and its CPU seconds.

    They are those without the start, and those of the whole process.
    """

    count: int
    complete: bool
    points: list[Key] | None
    seconds: float
    note: str = ""
    whole: float = 0.0

    @property
    def text(self) -> str:
        """The cell in the table."""
        if self.note:
            return self.note
        number = f"{self.count:,}" if self.complete else "open"
        return f"{number} / {self.seconds:.3f}"


def median(cells: list[Cell]) -> Cell:
    """Return the first of equal runs with the median of their CPU seconds."""
    seconds = statistics.median(cell.seconds for cell in cells)
    return replace(min(cells, key=lambda cell: cell.complete), seconds=seconds)


class Judge:
    """The exact objectives of a model's points, and why a point is none."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.whole = [c for c, one in enumerate(model.values("integer")) if one]
        self.rows = [model.exact_row(row) for row in range(len(model.rows))]
        self.lp = None if len(self.whole) == len(model.columns) else ExactLp(model)
        self.known: dict[Key, Fraction | str] = {}

    def __call__(self, key: Key) -> Fraction | str:
        """Return the best objective to minimise, with the constant; or what is violated."""
        if key not in self.known:
            self.known[key] = self._judge(dict(zip(self.whole, key, strict=True)))
        return self.known[key]

    def _judge(self, values: dict[int, int]) -> Fraction | str:
        model, point = self.model, dict[int, Number](values)
        for column, value in values.items():
            low, high = model.bounds(column)
            if not low <= value <= high:
                return f"{model.columns[column]} = {value} is out of its bounds"
        if self.lp is not None:
            answer = self.lp.solve(values)
            if answer.status is not Status.OPTIMAL:
                return "no continuous values complete it exactly"
            point |= answer.point
        for row, (terms, low, high) in enumerate(self.rows):
            total = sum((Fraction(a) * point.get(c, 0) for c, a in terms.items()), Fraction(0))
            if not low <= total <= high:
                by = low - total if total < low else total - high
                return f"row {model.rows[row]} is violated by {float(by):.3g}"
        cost = sum((Fraction(a) * point.get(c, 0) for c, a in model.costs.items()), Fraction(0))
        return cost + constant_of(model)


def constant_of(model: Model) -> Fraction:
    """Return the constant of the objective to minimise."""
    return Fraction(-model.constant if model.maximise else model.constant)


def described(model: Model) -> dict[str, Any]:
    """Return a model for the peers; with whole numbers if all its columns are integer."""
    rows = [model.exact_row(row) for row in range(len(model.rows))]
    bounds = [model.bounds(column) for column in range(len(model.columns))]
    given: dict[str, Any] = {
        "low": [float(low) for low, _ in bounds],
        "high": [float(high) for _, high in bounds],
        "integer": [bool(one) for one in model.values("integer")],
        "cost": [float(model.costs.get(column, 0)) for column in range(len(bounds))],
        "constant": float(constant_of(model)),
        "rows": [
            ([(c, float(a)) for c, a in terms.items()], float(low), float(high))
            for terms, low, high in rows
        ],
        "whole": None,
    }
    if all(given["integer"]):
        unit = math.lcm(*(Fraction(a).denominator for a in model.costs.values()))
        whole_rows = []
        for terms, low, high in rows:
            sides = [side for side in (low, high) if math.isfinite(side)]
            by = math.lcm(*(Fraction(a).denominator for a in [*terms.values(), *sides]))
            whole_rows.append(
                (
                    [(c, int(a * by)) for c, a in terms.items()],
                    *(int(side * by) if math.isfinite(side) else None for side in (low, high)),
                )
            )
        costs = [int(model.costs.get(column, 0) * unit) for column in range(len(bounds))]
        if max(map(abs, costs), default=0) < 2**40:
            given["whole"] = {"unit": unit, "cost": costs, "rows": whole_rows}
    return given


def run(command: Sequence[str], given: str, limit: float) -> tuple[str, float, bool]:
    """Return the output of a process, its CPU seconds, and whether no limit ended it."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as into:
        into.write(given)
        into.seek(0)
        limited = ["sh", "-c", f'ulimit -t {math.ceil(limit)}; exec "$@"', "sh", *command]
        process = subprocess.Popen(
            limited, stdin=into, stdout=out, stderr=subprocess.DEVNULL, env=surroundings()
        )
        guard = threading.Timer(12 * limit, process.kill)  # a process that waits uses no CPU
        guard.start()
        _, status, used = os.wait4(process.pid, 0)
        guard.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read(), used.ru_utime + used.ru_stime, process.returncode >= 0


@functools.cache
def surroundings() -> dict[str, str]:
    """Return the environment of all runs, in which compiled modules are kept."""
    kept = tempfile.mkdtemp(prefix="calmip-bytecode-")
    atexit.register(shutil.rmtree, kept, ignore_errors=True)
    given = {key: one for key, one in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**given, "PYTHONPYCACHEPREFIX": kept}


def ours(path: Path, model: Model, goal: str, limit: float, first: Path) -> Cell:
    """Return the pool of calmip."""
    whole = [c for c, one in enumerate(model.values("integer")) if one]
    given = {"path": str(path), "whole": whole, "first": {"path": str(first), "whole": [0]}}
    return answer(sys.executable, "calmip", given, goal, limit)


def theirs(python: str, name: str, given: dict[str, Any], goal: str, limit: float) -> Cell | None:
    """Return the pool of a peer; None if it does not take such models or goals."""
    if name == "cpsat" and (given["whole"] is None or not bounded(given) or goal == "ten best"):
        return None
    if name == "scip" and goal == "ten best":
        return None
    if name == "highs" and not binary(given):
        return None
    return answer(python, name, given, goal, limit)


def answer(python: str, name: str, given: dict[str, Any], goal: str, limit: float) -> Cell:
    """Return the pool of a program, of a process of its own."""
    command = [python, "benchmarks/peer_mip_pools.py", name, GOALS[goal]]
    text, seconds, ended = run(command, json.dumps(given), limit)
    if not ended or not text:
        return Cell(0, False, None, seconds, "error" if ended else "", seconds)
    found = json.loads(last_line(text))
    points = None if found["points"] is None else list(map(tuple, found["points"]))
    return Cell(found["count"], found["complete"], points, found["seconds"], "", seconds)


def last_line(text: str) -> str:
    """Return the answer of a program, before which HiGHS may have printed its name."""
    return text.rstrip().rpartition("\n")[2]


def bounded(given: dict[str, Any]) -> bool:
    return all(abs(one) < 2**40 for one in [*given["low"], *given["high"]])


def binary(given: dict[str, Any]) -> bool:
    """Return whether every integer column is binary."""
    bounds = zip(given["low"], given["high"], given["integer"], strict=True)
    return all(low >= 0 and high <= 1 for low, high, integer in bounds if integer)


def verdicts(judge: Judge, goal: str, cells: dict[str, Cell]) -> list[str]:
    """Return the errors in the answer of each program that finished, by exact arithmetic."""
    ended = {name: cell for name, cell in cells.items() if cell.complete}
    union = {key for cell in cells.values() for key in cell.points or ()}
    right = {key: value for key in union if not isinstance(value := judge(key), str)}
    if not right:
        return [
            f"{NAMES[name]} has {cell.count} solutions, none of them feasible"
            for name, cell in ended.items()
            if cell.count
        ]
    best = min(right.values())
    share = {"optimal": Fraction(0), "within 1 %": Fraction(1, 100)}.get(goal)
    found = []
    if share is None:
        wanted = sorted(right.values())[:10]
        for name, cell in ended.items():
            keys = dict.fromkeys(cell.points or ())
            values = [judge(key) for key in keys]
            bad = next((value for value in values if isinstance(value, str)), None)
            if bad is not None:
                found.append(f"{NAMES[name]} has a point that is none: {bad}")
            if len(keys) < len(cell.points or ()):
                found.append(f"{NAMES[name]} has a point twice")
            have = sorted(value for value in values if not isinstance(value, str))
            if have != wanted and bad is None:
                place = next(
                    (n for n, (a, b) in enumerate(zip(have, wanted, strict=False)) if a != b),
                    min(len(have), len(wanted)),
                )
                least = next(key for key, one in right.items() if one == wanted[place])
                found.append(
                    f"{NAMES[name]} lacks one of the ten best, of objective "
                    f"{shown(judge.model, wanted[place])}: {point_text(judge, least)}"
                )
        return found
    expected = {key for key, value in right.items() if value <= best + share * abs(best)}
    for name, cell in ended.items():
        if cell.points is None:
            if cell.count < len(expected):
                found.append(
                    f"{NAMES[name]} has {cell.count}; {len(expected)} are verified, "
                    f"among them {point_text(judge, min(expected))}"
                )
            elif cell.count > len(expected):
                found.append(
                    f"{NAMES[name]} has {cell.count}, and {len(expected)} are known: not judged"
                )
            continue
        have = set(cell.points)
        if len(have) < len(cell.points):
            found.append(f"{NAMES[name]} has {len(cell.points) - len(have)} points twice")
        lacks, extra = expected - have, have - expected
        if lacks:
            found.append(
                f"{NAMES[name]} lacks {len(lacks)} of {len(expected)}, such as "
                f"{point_text(judge, min(lacks))} of objective "
                f"{shown(judge.model, right[min(lacks)])}"
            )
        if extra:
            why = judge(min(extra))
            reason = (
                why
                if isinstance(why, str)
                else (
                    f"its objective is {float(why - best - share * abs(best)):.3g} "
                    "beyond the cutoff"
                )
            )
            found.append(f"{NAMES[name]} has {len(extra)} too many, such as one where {reason}")
    return found


def shown(model: Model, value: Fraction) -> str:
    """Return an objective in the sense of its model."""
    value = -value if model.maximise else value
    return str(value) if value.denominator == 1 else f"{float(value):.12g}"


def point_text(judge: Judge, key: Key) -> str:
    """Return the columns that are not 0, at most eight."""
    some = [
        judge.model.columns[c] if value == 1 else f"{judge.model.columns[c]}={value}"
        for c, value in zip(judge.whole, key, strict=True)
        if value
    ]
    return " ".join(some[:8]) + (" ..." if len(some) > 8 else "") or "(all 0)"


# The models.


def name_of(path: Path) -> str:
    """Return the name of a file without its suffixes."""
    return path.name.lower().removesuffix(".gz").rpartition(".")[0]


def drawn(
    folder: Path, number: int, seed: int, python: str, most: int
) -> Iterator[tuple[str, Path, Model]]:
    """Yield ``number`` fit files of a folder, in the order of a seed."""
    files = sorted(p for p in folder.rglob("*") if p.name.lower().endswith(SUFFIXES))
    random.Random(seed).shuffle(files)
    seen: set[Any] = set()
    for path in files:
        name = name_of(path)
        if name in TUNED or path.stat().st_size > 150 * most:
            continue
        try:
            model = calmip.read_model(path)
        except calmip.InputError:
            continue
        size = len(model.columns), len(model.rows), model.nonzeros, str(sorted(model.costs.items()))
        whole = sum(model.values("integer"))
        # The columns that linearise constructs are no choice of calmip's pool.
        fit = whole >= 5 and max(size[:2]) <= most and model.costs and model.logic is None
        if not fit or size in seen or name in seen:
            continue
        seen |= {size, name}
        command = [python, "benchmarks/peer_mip_pools.py", "highs-optimum", "best"]
        text, _, ended = run(command, json.dumps(described(model)), 1)
        if ended and text and json.loads(last_line(text))["count"]:
            yield name, path, model
            number -= 1
        if not number:
            return


# The report.


Line = tuple[str, str, dict[str, Cell]]
"""The name of a model, a goal, and the cell of each program."""

WANTED = {
    ("gurobi", "optimal"): "2",
    ("gurobi", "within 1 %"): "2",
    ("gurobi", "ten best"): "4",
    ("scip", "optimal"): "0.5",
    ("scip", "within 1 %"): "0.5",
    ("cpsat", "optimal"): "1",
    ("cpsat", "within 1 %"): "1",
    ("highs", "ten best"): "0.3",
}
"""What calmip's seconds over those of a peer are to be at most, on pure integer models."""


def ratios(
    table: Iterable[Line], peer: str, goal: str, start: Mapping[str, float] | None = None
) -> list[float]:
    """Return calmip's CPU seconds over those of a peer, for each model that both have solved.

    With ``start`` the seconds to start are added to both.
    """
    found = []
    for _, one, cells in table:
        a, b = cells["calmip"], cells.get(peer)
        if one != goal or b is None or not (a.complete and b.complete):
            continue
        if start is None:
            found.append(max(MIN_CPU_SECONDS, a.seconds) / max(MIN_CPU_SECONDS, b.seconds))
        else:
            found.append((a.seconds + start["calmip"]) / (b.seconds + start[peer]))
    return found


def report_parts(parts: Mapping[str, Sequence[Line]], peers: Sequence[str]) -> Table:
    """Print the geometric means of each peer and goal, with their numbers and their spread."""
    report = Table("pools-ratios", ["peer", "pool", "goal", *parts])
    for peer in peers:
        for goal in GOALS:
            found = [ratios(part, peer, goal) for part in parts.values()]
            if any(found):
                cells = [
                    f"{mean(some)} ({len(some)}; {spread(some)})" if some else "" for some in found
                ]
                report.add(NAMES[peer], goal, WANTED.get((peer, goal), ""), *cells)
    return report


def report_starts(
    parts: Mapping[str, Sequence[Line]], peers: Sequence[str], start: Mapping[str, float]
) -> Table:
    """Print the geometric means for all optimal solutions, with the time to start and without."""
    head = ["peer", "models", "cells", "with start", "without start", "least to greatest"]
    report = Table("pools-larger", head)
    for peer in peers:
        for title, part in parts.items():
            bare, whole = (ratios(part, peer, "optimal", some) for some in (None, start))
            if bare:
                report.add(NAMES[peer], title, len(bare), mean(whole), mean(bare), spread(bare))
    return report


def mean(found: Sequence[float]) -> str:
    """Return the geometric mean in words."""
    return f"{statistics.geometric_mean(found):.2f}"


def spread(found: Sequence[float]) -> str:
    """Return the least and the greatest in words."""
    return f"{min(found):.2f} to {max(found):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="one folder, or files")
    parser.add_argument("--larger", action="store_true", help="Make larger models.")
    parser.add_argument("--goals", default=",".join(SHORT))
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--number", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--most", type=int, default=MAX_SIZE)
    default = os.environ.get("CALMIP_PEER_PYTHON", sys.executable)
    parser.add_argument("--peer-python", default=default)
    add_option(parser)
    given = parser.parse_args()
    python = given.peer_python
    peers = [name for name in given.peers.split(",") if not missing(python, PEERS[name])]
    goals = [SHORT[name] for name in given.goals.split(",")]
    table: list[tuple[str, str, dict[str, Cell]]] = []
    found: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = ("calmip", *peers)
        starts(python, names, folder, 10 * given.limit)  # compiles what each imports
        begun = [starts(python, names, folder, given.limit) for _ in range(3)]
        models = [
            (name_of(path), path, calmip.read_model(path)) for path in given.paths if path.is_file()
        ]
        for path in given.paths:
            if path.is_dir():
                models += written(made(given.seed), folder)
                models += drawn(path, given.number, given.seed, python, given.most)
        if given.larger:
            models += written(larger(given.seed), folder)
        times = Table("pools", ["model", "pool", *(NAMES[name] for name in ("calmip", *peers))])
        for name, path, model in models:
            judge, told = Judge(model), described(model)
            # Between the models, as the load of the machine may change.
            begun.append(starts(python, names, folder, given.limit))
            late: set[str] = set()
            for goal in goals:
                runs: dict[str, list[Cell]] = {}
                for _ in range(given.repeat):
                    for one in ("calmip", *peers):
                        if one in late:
                            cell: Cell | None = Cell(0, False, None, 0, "not run")
                        elif one == "calmip":
                            cell = ours(path, model, goal, given.limit, folder / "first.mps")
                        else:
                            cell = theirs(python, one, told, goal, given.limit)
                        if cell is not None:
                            runs.setdefault(one, []).append(cell)
                cells = {one: median(some) for one, some in runs.items()}
                table.append((name, goal, cells))
                if goal == "optimal":
                    late = {one for one, cell in cells.items() if not cell.complete}
                texts = [cells[one].text if one in cells else "" for one in ("calmip", *peers)]
                times.add(name + " \\*" * (name in TUNED), goal, *texts)
                for one in verdicts(judge, goal, cells):
                    found.append(f"{name}, {goal}: {one}")
                    print(found[-1], file=sys.stderr, flush=True)
    start = {name: statistics.median(one[name] for one in begun) for name in names}
    print("\nstart:", ", ".join(f"{n} {one:.2f} s" for n, one in start.items()))
    pure = {name for name, _, model in models if all(model.values("integer"))}
    beside = [line for line in table if line[0] not in TUNED]
    parts = {
        "pure integer, not tuned on": [line for line in beside if line[0] in pure],
        "mixed, not tuned on": [line for line in beside if line[0] not in pure],
        "of the tuning": [line for line in table if line[0] in TUNED],
    }
    for title, part in parts.items():
        print(f"\nmodels {title}:", len({name for name, *_ in part}))
    print()
    kinds = {title.removesuffix(", not tuned on"): part for title, part in parts.items()}
    begins = report_starts(kinds, peers, start)
    means = None if given.larger else report_parts(parts, peers)
    if given.keep:
        for one in (begins,) if means is None else (times, means):
            one.keep("benchmarks.pools")
    print("\n" + "\n".join(f"* {one}" for one in found or ["All that ended agree."]))


def starts(python: str, names: Sequence[str], folder: Path, limit: float) -> dict[str, float]:
    """Return the CPU seconds of each program for two models of one and two columns."""
    model = Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 1.0)], [1.0])
    path, first = folder / "one.mps", folder / "first.mps"
    path.write_text(mps_text(model))
    row = "r", {0: 1.0, 1: 1.0}, 1.0, math.inf
    mixed = Model.from_rows(["x", "y"], [row], [1.0, 1.0], integer=np.array([True, False]))
    first.write_text(mps_text(mixed))  # HiGHS is loaded for it
    told, found = described(model), {}
    for name in names:
        cell = (
            ours(path, model, "optimal", limit, first)
            if name == "calmip"
            else theirs(python, name, told, "optimal", limit)
        )
        if cell is None or cell.count != 1:
            raise SystemExit(f"{NAMES[name]} does not solve a model of one column")
        found[name] = cell.whole
    return found


if __name__ == "__main__":
    main()
