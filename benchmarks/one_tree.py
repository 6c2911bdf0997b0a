"""All tilings by the one-tree search, against CP-SAT's enumeration of the same model.

    python -m benchmarks.one_tree [--pairs 7] [--peer-python PYTHON]

The peer needs ortools, which cannot share a process with HiGHS: it runs in its
own, with --peer-python or the interpreter that the environment variable
CALMIP_PEER_PYTHON names. Both sides have one core and one thread, and their
time is the CPU seconds of building and enumerating, imports apart.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

import calmip
from benchmarks.compare import Pairs, pin, seconds_of
from benchmarks.tables import Table, add_option
from calmip.mip.one_tree import OneTree
from calmip.mip.pool import PoolStatistics

WORK = [
    ("a-puzzle-a-day", "A-Puzzle-A-Day", "Feb 29", 64),
    ("a-puzzle-a-day", "A-Puzzle-A-Day", "Oct 6", 7),
    ("a-puzzle-a-day", "A-Puzzle-A-Day", "Jan 25", 216),
    ("praxis-rhombus", "Praxis Rhombus", "Fri Feb 29", 287),
]


def search(cover: calmip.ExactCover, count: int) -> PoolStatistics:
    tree = OneTree(cover)
    found = set(map(tuple, tree))
    if not tree.complete or len(found) != count:
        raise SystemExit(f"one-tree found {len(found)} tilings, not {count}")
    return tree.statistics


def ours(cover: calmip.ExactCover, count: int) -> float:
    return seconds_of(lambda: search(cover, count))


def theirs(python: str, model: str, count: int) -> float:
    done = subprocess.run(
        [python, "benchmarks/peer_cpsat_all.py"],
        input=model,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the peer ended with {done.returncode}: {done.stderr[-2000:]}")
    solutions, seconds = done.stdout.split()
    if int(solutions) != count:
        raise SystemExit(f"CP-SAT found {solutions} tilings, not {count}")
    return float(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    default = os.environ.get("CALMIP_PEER_PYTHON", sys.executable)
    parser.add_argument("--peer-python", default=default)
    add_option(parser)
    options = parser.parse_args()
    pin()
    table = Table("one-tree", ["all tilings of", "one-tree", "CP-SAT", "ratio"])
    work = []
    for puzzle, called, labels, count in WORK:
        instance = calmip.read_instance(puzzle, reveal=labels.split())
        cover = calmip.ExactCover(instance)
        model = json.dumps({"columns": cover.columns, "rows": cover.options_of()})
        ours(cover, count)
        pairs: Pairs = [
            (ours(cover, count), theirs(options.peer_python, model, count))
            for _ in range(options.pairs)
        ]
        medians = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        cells = (f"{seconds:.2g} s" for seconds in medians)
        table.add(f"{called}, {labels} ({count})", *cells, f"{ratio:.2f}")
        done = search(cover, count)
        work.append(
            f"{called}, {labels}: {done.nodes} nodes, {done.relaxations} relaxations; "
            f"{done.pruned} nodes closed by a proof"
        )
    print("\n" + "\n".join(work))
    if options.keep:
        table.keep("benchmarks.one_tree")


if __name__ == "__main__":
    main()
