"""The three methods and four other programs count the same tilings; what each takes.

    python -m benchmarks.witnesses [--peer-python PYTHON] [--no-good]

The peers (ortools, pyscipopt, gurobipy, and Pyomo's alternative_solutions) run in
processes of their own, with --peer-python or the interpreter that the environment
variable CALMIP_PEER_PYTHON names; one that is not installed is left out. All sides
have one core. Pyomo and our own no-good method take longest, so with --no-good only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

import calmip
from benchmarks.compare import pin
from calmip.mip.one_tree import OneTree
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.no_good import NoGoodSearch

WORK = [
    ("a-puzzle-a-day", "Oct 6"),
    ("a-puzzle-a-day", "Feb 29"),
    ("praxis-rhombus", "Fri Feb 29"),
]
PACKAGES = {"cpsat": "ortools", "scip": "pyscipopt", "gurobi": "gurobipy", "pyomo": "pyomo"}


def missing(python: str, package: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return bool(subprocess.run([python, "-c", code], check=False).returncode)


def peer(python: str, name: str, cover: calmip.ExactCover) -> tuple[int, float]:
    model = {
        "columns": cover.columns,
        "rows": cover.options_of(),
        "demand": cover.demand,
    }
    done = subprocess.run(
        [python, "benchmarks/peer_pools.py", name],
        input=json.dumps(model),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{name} ended with {done.returncode}: {done.stderr[-2000:]}")
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["count"], answer["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("CALMIP_PEER_PYTHON", sys.executable)
    parser.add_argument("--peer-python", default=default)
    parser.add_argument("--no-good", action="store_true")
    options = parser.parse_args()
    pin()
    peers = [name for name in PACKAGES if options.no_good or name != "pyomo"]
    peers = [name for name in peers if not missing(options.peer_python, PACKAGES[name])]
    for puzzle, labels in WORK:
        cover = calmip.ExactCover(calmip.read_instance(puzzle, reveal=labels.split()))
        methods = {"exact-cover": solutions, "one-tree": OneTree}
        if options.no_good:
            methods["no-good"] = NoGoodSearch
        print(f"\n{puzzle} {labels}")
        counts = set()
        for name, method in methods.items():
            if name != "no-good":
                list(method(cover))  # loads or makes the compiled code
            started = time.perf_counter()
            number = sum(1 for _ in method(cover))
            counts.add(number)
            print(f"  {name:<12} {number:5} {time.perf_counter() - started:9.3f} s", flush=True)
        for name in peers:
            number, seconds = peer(options.peer_python, name, cover)
            counts.add(number)
            print(f"  {name:<12} {number:5} {seconds:9.3f} s", flush=True)
        if len(counts) != 1:
            raise SystemExit(f"the counts differ: {sorted(counts)}")


if __name__ == "__main__":
    main()
