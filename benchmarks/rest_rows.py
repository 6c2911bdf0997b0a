"""Counts of exact covers with other rows beside them: calmip's two searches and CP-SAT.

    python -m benchmarks.rest_rows [--pairs 5] [--cases ...] [--seconds 120] [--keep]

Whole processes in turn, in CPU seconds; all counts must be the same. A run that takes more than
``--seconds`` is ended. CP-SAT enumerates all solutions, with one worker (`peer_cpsat_all.py`).
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks import exact_cover_cases as cases
from benchmarks.compare import pin
from benchmarks.exact_covers import Run, peer_text, run
from benchmarks.tables import Table, add_option
from calmip.mip.exact_cover.recognition import cover_of
from calmip.mip.exact_cover.search import CoverSearch
from calmip.mip.files.model_files import write_model
from calmip.mip.model import Model

Rows = list[tuple[dict[int, float], float, float]]


def cover(case: cases.Cover) -> tuple[int, Rows]:
    items, options = case
    every = range(len(options))
    rows = [({n: 1.0 for n in every if item in options[n]}, 1.0, 1.0) for item in items]
    return len(options), rows


def budget(case: cases.Cover, most: int, highest: int) -> tuple[int, Rows]:
    """Return a cover with a greatest sum of random costs."""
    size, rows = cover(case)
    rng = random.Random(1)
    costs = {n: float(rng.randint(1, highest)) for n in range(size)}
    return size, [*rows, (costs, -math.inf, float(most))]


def no_good(case: cases.Cover, number: int) -> tuple[int, Rows]:
    """Return a cover without its first solutions, by no-good cuts."""
    size, rows = cover(case)
    found = CoverSearch(cover_of(model_of(size, rows)))
    first = [one for _, one in zip(range(number), found, strict=False)]
    cuts = [(dict.fromkeys(one, 1.0), -math.inf, len(one) - 1.0) for one in first]
    return size, rows + cuts


def diagonals(case: cases.Cover, order: int) -> tuple[int, Rows]:
    """Return a square whose diagonals have the sum of the numbers, too."""
    size, rows = cover(case)
    falling: dict[int, float] = {}
    rising: dict[int, float] = {}
    for n, (place, number, *_) in enumerate(case[1]):
        r, c = map(int, place[1:].split("."))
        value = int(number.split(".")[1]) + 1.0
        if r == c:
            falling[n] = value
        if r + c == order - 1:
            rising[n] = value
    total = order * (order + 1) / 2
    return size, [*rows, (falling, total, total), (rising, total, total)]


def implications(case: cases.Cover, number: int) -> tuple[int, Rows]:
    size, rows = cover(case)
    rng = random.Random(1)
    pairs = [rng.sample(range(size), 2) for _ in range(number)]
    return size, rows + [({one: 1.0, other: -1.0}, -math.inf, 0.0) for one, other in pairs]


CASES = {
    "soma, 20 no-good cuts": lambda: no_good(cases.soma(), 20),
    "a sudoku, sums of diagonals": lambda: diagonals(cases.sudoku(22, 8), 9),
    "Latin squares of order 5, sums of diagonals": lambda: diagonals(cases.latin(5), 5),
    "matchings of 14, a budget": lambda: budget(cases.matchings(14), 50, 20),
    "pentominoes 6 x 10, a budget": lambda: budget(cases.pentominoes(6, 10), 50, 9),
    "pentominoes 6 x 10, 20 no-good cuts": lambda: no_good(cases.pentominoes(6, 10), 20),
    "pentominoes 5 x 12, 20 implications": lambda: implications(cases.pentominoes(5, 12), 20),
}


def model_of(size: int, rows: Rows) -> Model:
    named = [(f"r{number}", *row) for number, row in enumerate(rows)]
    return Model.from_rows([f"x{number}" for number in range(size)], named)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES))
    add_option(parser)
    options = parser.parse_args()
    pin()
    with tempfile.TemporaryDirectory() as folder:
        path, given = Path(folder) / "model.mps", Path(folder) / "model.json"
        count = [sys.executable, "-m", "calmip", "enumerate", "-", "--suffix", ".mps", "--count"]
        programs = {
            "calmip": ([*count, "--method", "exact-cover"], path),
            "calmip, one-tree": ([*count, "--method", "one-tree"], path),
            "CP-SAT": ([sys.executable, "benchmarks/peer_cpsat_all.py"], given),
        }
        table = Table("covers-with-rows", ["solutions of", *programs])
        for name in options.cases:
            model = model_of(*CASES[name]())
            write_model(path, model)
            given.write_text(peer_text(model))
            runs: dict[str, list[Run]] = {one: [] for one in programs}
            for _ in range(options.pairs):
                for one, (command, file) in programs.items():
                    ended = runs[one] and runs[one][-1][1] is None
                    runs[one].append(
                        runs[one][-1] if ended else run(command, file, options.seconds)
                    )
            numbers = {own[-1][1] for own in runs.values()} - {None}
            if len(numbers) > 1:
                raise SystemExit(f"{name}: the counts differ: {numbers}")
            seconds = [
                f"{'over ' * (own[-1][1] is None)}{statistics.median(s for s, _ in own):.2g} s"
                for own in runs.values()
            ]
            table.add(f"{name} ({numbers.pop():,})", *seconds)
        if options.keep:
            table.keep("benchmarks.rest_rows")


if __name__ == "__main__":
    main()
