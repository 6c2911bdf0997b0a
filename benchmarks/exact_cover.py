"""The exact-cover search against the xcover package and a plain C search.

    python -m benchmarks.exact_cover [--pairs 7] [--large]

xcover (single dates) and a C compiler (whole years) are optional: what is not
there is left out. Both sides find or count the same solutions, in one process
on one core, in CPU seconds; ours includes choosing the order of the cells and packing the
masks, the C program's is its search alone. It gets the rows of the board from
the top as its order, and then the order that calmip chose.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.compare import pin, process_seconds, report, seconds_of
from calmip import ExactCover, Instance, read_puzzle
from calmip.puzzle.search.exact_cover.counting import count, count_by_reveal
from calmip.puzzle.search.exact_cover.search import solutions

DATES = [
    ("a-puzzle-a-day", {"month": "Feb", "day": "29"}),
    ("a-puzzle-a-day", {"month": "Oct", "day": "6"}),
    ("a-puzzle-a-day", {"month": "Jan", "day": "25"}),
    ("praxis-rhombus", {"weekday": "Fri", "month": "Feb", "day": "29"}),
]
YEAR = """
from calmip import read_puzzle, Instance
from calmip import ExactCover
from calmip.puzzle.search.exact_cover.counting import count_by_reveal
puzzle = read_puzzle("a-puzzle-a-day")
cover = ExactCover(Instance.reveal(puzzle, {"month": "free", "day": "free"}))
assert sum(count_by_reveal(cover).values()) == 25_061
"""


def year(name: str) -> ExactCover:
    puzzle = read_puzzle(name)
    return ExactCover(Instance.reveal(puzzle, dict.fromkeys(puzzle.groups, "free")))


def against_xcover(pairs: int) -> None:
    if importlib.util.find_spec("xcover") is None:
        print("xcover is not installed: left out")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from xcover import covers_bool
    print(f"\n{'all tilings of a date':<34} {'calmip':>9}    {'xcover':>9}      ratio")
    for name, labels in DATES:
        cover = ExactCover(Instance.reveal(read_puzzle(name), labels))
        matrix = cover.matrix.T.astype(bool)
        ours = {tuple(solution) for solution in solutions(cover)}
        assert ours == {tuple(sorted(solution)) for solution in covers_bool(matrix)}
        times = [
            (
                seconds_of(lambda cover=cover: list(solutions(cover))),
                seconds_of(lambda matrix=matrix: list(covers_bool(matrix))),
            )
            for _ in range(pairs)
        ]
        report(f"{name} {' '.join(labels.values())}: {len(ours)}", times)


def written(cover: ExactCover, order: np.ndarray, path: Path) -> None:
    """Write a cover for the C program, its cells in an order."""
    place = np.arange(cover.rows)
    place[order] = np.arange(len(order))
    masks = sorted(
        (
            sum(1 << int(place[item]) for item in cover.items_of(number))
            for number in range(cover.columns)
        ),
        key=lambda mask: mask & -mask,
    )
    lines = [f"{cover.rows} {len(order)} {len(masks)}", *(f"{mask:x}" for mask in masks)]
    path.write_text("\n".join(lines) + "\n")


def against_c(name: str, pairs: int, folder: Path, flags: Sequence[str]) -> None:
    from calmip.puzzle.search.exact_cover.options import order_of

    cover = year(name)
    total = count(cover)
    program = folder / "first_cell"
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        print("no C compiler: left out")
        return
    source = Path(__file__).with_name("first_cell.c")
    subprocess.run([compiler, *flags, "-o", str(program), str(source)], check=True)

    def c_seconds(path: Path) -> float:
        with path.open() as text:
            done = subprocess.run(
                [str(program)], stdin=text, capture_output=True, text=True, check=True
            )
        assert int(done.stdout.split()[0]) == total
        return float(done.stdout.split()[2])

    ways: list[tuple[str, Callable[[], object]]] = [
        ("total", lambda: count(cover)),
        ("by label", lambda: count_by_reveal(cover)),
        ("enumerated", lambda: sum(1 for _ in solutions(cover))),
    ]
    print(f"\n{f'{name}: {total:,}':<34} {'calmip':>9}    {'C':>9}      ratio")
    for text, order in (
        ("rows", np.arange(len(cover.instance.to_cover))),
        ("our order", order_of(cover)),
    ):
        path = folder / "cover.txt"
        written(cover, order, path)
        for what, work in ways:
            work()
            times = [(seconds_of(work), c_seconds(path)) for _ in range(pairs)]
            report(f"{what}, C by {text}", times)


def processes(pairs: int) -> None:
    """Show what a whole process takes, the start of Python included."""
    print("\nA-Puzzle-A-Day by label, as a whole process")
    command = [sys.executable, "-c", YEAR]
    runs = [process_seconds(command) for _ in range(pairs)]
    print(f"{'median':<34} {statistics.median(runs):9.3f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--large", action="store_true", help="the years with weekdays, too")
    parser.add_argument("--cflags", default="-O3", help="for example '-O3 -march=native'")
    options = parser.parse_args()
    flags = options.cflags.split()
    pin()
    against_xcover(options.pairs)
    with tempfile.TemporaryDirectory() as folder:
        against_c("a-puzzle-a-day", options.pairs, Path(folder), flags)
        if options.large:
            against_c("praxis-rhombus", min(options.pairs, 3), Path(folder), flags)
            against_c("weekday-8x7", min(options.pairs, 3), Path(folder), flags)
    processes(options.pairs)


if __name__ == "__main__":
    main()
