"""`calmip solve` against a script that solves the same dates with CP-SAT, on dates drawn by a seed.

    python -m benchmarks.solve [--dates 36] [--seed 2] [--pairs 3] [--peer-python PYTHON]

Whole processes, then the same in one warm process each: from the instance to the
verified tiling, and from the board to CP-SAT's answer. CPU seconds on one core. The
settings of the solvers were chosen on dates of seed 1. The peer needs ortools.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import calmip
from benchmarks.compare import Pairs, cpu_of, pin
from benchmarks.tables import Table, add_option

BOARDS = ("a-puzzle-a-day", "palmetto-whole-year", "praxis-rhombus")
SOLVERS = {"highs": "calmip solve", "exact-cover": "--solver exact-cover"}
PEER = "benchmarks/peer_cpsat.py"

Date = tuple[str, ...]


def drawn(number: int, seed: int) -> list[Date]:
    """Return dates, a board and its labels each, the same number of every board."""
    chance = random.Random(seed)
    dates: list[Date] = []
    for board in BOARDS:
        groups = calmip.read_puzzle(board).groups.values()
        found: set[Date] = set()
        while len(found) < -(-number // len(BOARDS)):
            found.add((board, *(chance.choice(labels) for labels in groups)))
        dates.extend(sorted(found))
    return dates


HEAD = ["", "calmip, mean", "CP-SAT, mean", "median ratio", "ratio of totals", "worst"]


def say(table: Table, name: str, dates: list[Pairs]) -> None:
    """Print the pairwise ratios: of each date the median, of all the totals and means."""
    pairs = [pair for date in dates for pair in date]
    ratios = sorted(statistics.median(a / b for a, b in date) for date in dates)
    ours, theirs = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    numbers = (statistics.median(ratios), ours / theirs, ratios[-1])
    cells = (f"{number:.2f}" for number in numbers)
    table.add(name, f"{ours:.3f}", f"{theirs:.3f}", *cells)


def processes(dates: list[Date], solver: str, pairs: int, peer: str) -> list[Pairs]:
    found = []
    for number, (board, *labels) in enumerate(dates):
        ours = [sys.executable, "-m", "calmip", "solve", board, "--reveal", ",".join(labels)]
        ours += ["--solver", solver]
        theirs = [peer, PEER, board, *labels]
        if number == 0:
            cpu_of(ours), cpu_of(theirs)
        found.append([(cpu_of(ours)[0], cpu_of(theirs)[0]) for _ in range(pairs)])
    return found


def warm(dates: list[Date], solver: str, pairs: int, peer: str) -> list[Pairs]:
    with subprocess.Popen(
        [peer, PEER, "--warm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def theirs(date: Date) -> float:
            print(*date, file=process.stdin, flush=True)
            return float(process.stdout.readline())

        def ours(date: Date, seed: int) -> float:
            instance = calmip.read_instance(date[0], reveal=",".join(date[1:]))
            started = time.process_time()
            assert calmip.solve(instance, solver=solver, seed=seed).tiling is not None
            return time.process_time() - started

        ours(dates[0], 0), theirs(dates[0])
        found = [[(ours(date, seed), theirs(date)) for seed in range(pairs)] for date in dates]
        process.stdin.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dates", type=int, default=36)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--peer-python", default=sys.executable)
    add_option(parser)
    options = parser.parse_args()
    pin()
    dates = drawn(options.dates, options.seed)
    print(f"{len(dates)} dates, {options.pairs} pairs each\n")
    table = Table("solve", HEAD)
    with tempfile.TemporaryDirectory() as folder:
        # As after an installation: every module is compiled, whatever this shell says.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        for solver, called in SOLVERS.items():
            found = processes(dates, solver, options.pairs, options.peer_python)
            say(table, f"`{called}`, whole process", found)
            found = warm(dates, solver, options.pairs, options.peer_python)
            say(table, "the same warm, in process", found)
    if options.keep:
        table.keep("benchmarks.solve")


if __name__ == "__main__":
    main()
