"""`calmip solve` as a whole process, against a script that solves the same model with CP-SAT.

    python -m benchmarks.solve [--pairs 5] [--peer-python PYTHON]

The peer needs ortools. Both sides get one core.
"""

from __future__ import annotations

import argparse
import statistics
import sys

from benchmarks.compare import pin, process_seconds, report

DATES = [
    *(("a-puzzle-a-day", *date.split()) for date in
      ("Feb 29", "Oct 6", "Jan 25", "Dec 25", "Jan 1", "Apr 24")),
    *(("palmetto-whole-year", *date.split()) for date in
      ("Feb 29", "May 21", "Jan 28", "Aug 3", "Nov 30", "Jul 14")),
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--peer-python", default=sys.executable)
    options = parser.parse_args()
    pin()
    print(f"{'':<34} {'calmip':>9}    {'CP-SAT':>9}      ratio")
    medians = []
    everything = []
    for puzzle, month, day in DATES:
        # The first date is the README's command, to the letter.
        source = (
            ["instances/feb29.yaml"]
            if (puzzle, month, day) == DATES[0]
            else [puzzle, "--reveal", f"{month},{day}"]
        )
        ours = [sys.executable, "-m", "calmip", "solve", *source]
        theirs = [options.peer_python, "benchmarks/peer_cpsat.py", puzzle, month, day]
        process_seconds(ours)
        process_seconds(theirs)
        pairs = [(process_seconds(ours), process_seconds(theirs)) for _ in range(options.pairs)]
        medians.append(report(f"{puzzle} {month} {day}", pairs))
        everything += pairs
    report("all pairs", everything)
    print(f"median of the dates' medians: {statistics.median(medians):.2f}x")


if __name__ == "__main__":
    main()
