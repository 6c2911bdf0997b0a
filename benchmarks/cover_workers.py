"""Counts of exact covers by one thread and by two: CPU seconds, and seconds on the clock.

    python -m benchmarks.cover_workers [--pairs 5] [--cases latin ...] [--workers 2]

Whole processes, in turn, on a machine with as many free cores as workers. Settings were chosen on
dominoes of 14 x 14 and matchings of 24, which are not among the cases.
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

CASES = {
    "Latin squares of order 6": lambda: cases.latin(6),
    "dominoes 18 x 18": lambda: cases.dominoes(18, 18),
    "pentominoes 3 x 4 x 5": lambda: cases.pentominoes(3, 4, 5),
    "Langford 15": lambda: cases.langford(15),
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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            path = Path(folder) / "cover.dlx"
            path.write_text(cases.dlx_text(CASES[name]()))
            runs = [(run(path, 1), run(path, options.workers)) for _ in range(options.pairs)]
            if len({printed for pair in runs for *_, printed in pair}) > 1:
                raise SystemExit(f"{name}: the counts differ")
            more, faster = (
                statistics.median(values)
                for values in (
                    [many[0] / one[0] for one, many in runs],
                    [one[1] / many[1] for one, many in runs],
                )
            )
            seconds = statistics.median(one[1] for one, _ in runs)
            print(f"{name}: {seconds:.1f} s by one; {more:.2f} of its CPU, {faster:.2f} x as fast")


if __name__ == "__main__":
    main()
