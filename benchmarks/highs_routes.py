"""The routes to HiGHS, one solve each in a new process: CPU seconds and memory.

    python -m benchmarks.highs_routes [--pairs 21] [--library FILE] [--write]

The routes take turns; compiled byte code is used. Without an option the library is the one that
calmip finds. ``--write`` writes the medians to ``benchmarks/highs_routes.json``, which have the
table that ``docs/about/benchmarks.md`` shows.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from importlib import metadata
from pathlib import Path

from benchmarks.compare import cpu_of
from calmip._base import highs

RESULTS = Path(__file__).with_suffix(".json")
COMMAND = (sys.executable, "-m", "calmip", "solve", "instances/feb29.yaml")


def table(results: dict[str, dict[str, float | str]]) -> str:
    """Return the table of the page."""
    lines = ["| route | HiGHS | CPU seconds | memory, MB |", "|---|---|---|---|"]
    for name, found in results.items():
        lines.append(
            f"| {name} | {found['version']} | {found['seconds']:.2f} | {found['megabytes']:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure both routes in turn, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=21)
    parser.add_argument("--library", default="", help="the file of HiGHS's C library")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    given = parser.parse_args()
    os.environ[highs.VARIABLE] = given.library
    library = highs.load()
    if library is None:
        sys.exit("no library of HiGHS was found; pip install highsbox")
    ways = {
        "C library": (given.library, library.version),
        "package highspy": ("highspy", metadata.version("highspy")),
    }
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    cpu_of(COMMAND)  # writes the byte code
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(given.pairs):
        for name, (way, _) in ways.items():
            os.environ[highs.VARIABLE] = way
            found[name].append(cpu_of(COMMAND))
    results: dict[str, dict[str, float | str]] = {
        name: {
            "version": ways[name][1],
            "seconds": round(statistics.median(one for one, _ in pairs), 3),
            "megabytes": round(statistics.median(one for _, one in pairs), 1),
        }
        for name, pairs in found.items()
    }
    print(table(results))
    if given.write:
        RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
