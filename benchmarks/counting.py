"""The years of the bundled puzzles, counted by regions: CPU seconds and memory.

    python -m benchmarks.counting [--runs 3] [--large] [PUZZLE ...]

Each run is a process of its own: the seconds of the count alone, counting
included what prepares it, and the peak memory of the process; the smallest of
the runs. The total is checked against the number that is known.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from benchmarks.compare import pin
from benchmarks.tables import Table, add_option

YEARS = {
    "a-puzzle-a-day": 25_061,
    "praxis-rhombus": 1_527_044,
    "weekday-8x7": 4_937_780,
    "shiura-daily-11p": 24_602_294,
}
LARGE = {
    "sahuyu-pentomino-8x8": 1_942_828,
    "kao-pentomino-8x8": 3_201_907,
    "kao-pentomino-year-8x8": 26_099_347,
    "hex61-symmetric": 1_248_866,
}
CHILD = """
import sys, time
from resource import RUSAGE_SELF, getrusage
from calmip import ExactCover, read_instance
from calmip.puzzle.search.exact_cover.counting import count_by_reveal
from calmip.solvers import Limits
cover = ExactCover(read_instance(sys.argv[1], free=True))
began, wall = time.process_time(), time.perf_counter()
counts = count_by_reveal(cover, Limits(workers=int(sys.argv[2])))
print(sum(counts.values()), time.process_time() - began, time.perf_counter() - wall,
      getrusage(RUSAGE_SELF).ru_maxrss / 1024)
"""


def measured(name: str, workers: int) -> tuple[int, float, float, float]:
    """Return the total, the CPU and the wall-clock seconds, and the memory in MB."""
    command = [sys.executable, "-c", CHILD, name, str(workers)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    total, *numbers = done.stdout.split()
    cpu, wall, memory = map(float, numbers)
    return int(total), cpu, wall, memory


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("puzzles", nargs="*", choices=[*YEARS, *LARGE, []])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    known = {**YEARS, **LARGE}
    if options.workers == 1:
        pin()
    table = Table("years", ["year", "tilings", "seconds", "MB"])
    for name in options.puzzles or (known if options.large else YEARS):
        runs = [measured(name, options.workers) for _ in range(options.runs)]
        assert {total for total, *_ in runs} == {known[name]}
        cpu, wall, memory = (min(run[place] for run in runs) for place in (1, 2, 3))
        print(f"{wall:.2f} s by the clock", file=sys.stderr)
        table.add(f"`{name}`", f"{known[name]:,}", f"{cpu:.2g}", f"{memory:.0f}")
    if options.keep:
        table.keep("benchmarks.counting")


if __name__ == "__main__":
    main()
