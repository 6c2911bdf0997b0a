"""Counts of exact covers by one thread and by two: CPU seconds, and seconds on the clock.

    python -m benchmarks.cover_workers [--pairs 5] [--cases ...] [--workers 2] [--keep]

Whole processes, in turn, on a machine with as many free cores as workers. Settings were chosen on
Latin squares of order 6, dominoes of 18 x 18 and pentominoes of 3 x 4 x 5: they are no cases.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks import exact_cover_cases as cases
from benchmarks.tables import Table, add_option

CASES = {
    "perfect matchings of 32": lambda: cases.matchings(32),
    "MacMahon squares 4 x 6": lambda: cases.macmahon(4, 6),
    "a sudoku of 19 givens": lambda: cases.sudoku(19, 4),
    "dominoes 16 x 17": lambda: cases.dominoes(16, 17),
}


def run(path: Path, workers: int) -> tuple[float, float, bytes]:
    """Return the CPU seconds and the seconds of a count, and what it prints."""
    command = [sys.executable, "-m", "calmip", "count", str(path), "--workers", str(workers)]
    begin = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{path.name} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, perf_counter() - begin, printed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES))
    add_option(parser)
    options = parser.parse_args()
    table = Table(
        "cover-workers", ["count of", "by one thread", "times as fast", "its CPU seconds"]
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            path = Path(folder) / "cover.dlx"
            path.write_text(cases.dlx_text(CASES[name]()))
            runs = [(run(path, 1), run(path, options.workers)) for _ in range(options.pairs)]
            if len({printed for pair in runs for *_, printed in pair}) > 1:
                raise SystemExit(f"{name}: the counts differ")
            faster = sorted(one[1] / many[1] for one, many in runs)
            more = sorted(many[0] / one[0] for one, many in runs)
            seconds = statistics.median(one[1] for one, _ in runs)
            table.add(name, f"{seconds:.1f} s", spread(faster), spread(more))
    if options.keep:
        table.keep("benchmarks.cover_workers")


def spread(ratios: list[float]) -> str:
    """Return the median of some ratios, ascending, with the smallest and the largest."""
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


if __name__ == "__main__":
    main()
