"""A library of a year: seconds and peak memory of the whole process, by format.

python -m benchmarks.library [--puzzle a-puzzle-a-day] [--repeat 3]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

FORMATS = (".mps", ".mps.gz", ".lp", ".opb", ".cnf.gz", ".dlx", ".json")


def run(arguments: list[str]) -> tuple[float, float]:
    """Return the wall-clock seconds and the peak megabytes of a command of its own."""
    started = time.perf_counter()
    child = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "calmip", *arguments],
        dict(os.environ),
        file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(child, 0)
    assert status == 0, arguments
    return time.perf_counter() - started, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--puzzle", default="a-puzzle-a-day")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'format':>9}  {'files':>5}  {'seconds (median, spread)':>26}  {'peak MB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.mps"
        month_day = ["export", options.puzzle, "--reveal", "Jan,1", "-o", str(one)]
        if options.puzzle == "a-puzzle-a-day":
            seconds, memory = run(month_day)
            print(f"{'.mps':>9}  {1:>5}  {seconds:>26.2f}  {memory:>7.0f}")
        for form in FORMATS:
            runs = []
            for number in range(options.repeat):
                target = Path(folder) / f"{form}{number}"
                runs.append(
                    run(["export", "dates", options.puzzle, "--suffix", form, "-o", str(target)])
                )
            files = sum(path.name.endswith(form) for path in target.iterdir())
            seconds_ = sorted(seconds for seconds, _ in runs)
            spread = f"{statistics.median(seconds_):.2f} ({seconds_[0]:.2f}-{seconds_[-1]:.2f})"
            print(f"{form:>9}  {files:>5}  {spread:>26}  {max(mb for _, mb in runs):>7.0f}")


if __name__ == "__main__":
    main()
