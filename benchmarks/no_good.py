"""The no-good method against the plain loop, and what each of its parts is worth.

    python -m benchmarks.no_good [--pairs 3] [--parts]

Seconds are those of the processor: both sides run in this process on one thread.

The plain loop adds one row "k - 1", writes the model and solves it cold with the
default options of HiGHS, until that is infeasible. All sides find the same tilings.
--parts also times, once each, the plain loop with one thing changed, and the method
with other cuts and swaps.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import calmip
from benchmarks.compare import report
from benchmarks.tables import Table, add_option
from calmip.models import build
from calmip.puzzle.tasks.no_good import NoGoodSearch

PUZZLE, LABELS, COUNT = "a-puzzle-a-day", "Feb,29", 64


def solver(**options: Any) -> Any:
    import highspy

    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("threads", 1)
    for name, value in options.items():
        highs.setOptionValue(name, value)
    return highs


def ones(highs: Any) -> list[int] | None:
    """Return the columns that are one after a run, or None if it is infeasible."""
    highs.run()
    word = highs.modelStatusToString(highs.getModelStatus())
    if word == "Infeasible":
        return None
    if word != "Optimal":
        raise SystemExit(f"HiGHS ended with '{word}'")
    return [column for column, x in enumerate(highs.getSolution().col_value) if x > 0.5]


def plain(cover: calmip.ExactCover, formulation: str = "matrix", **options: Any) -> int:
    """Write, solve cold, forbid; return the number of solves."""
    model, found = build(formulation, cover), set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model{model.suffix}"
        while True:
            model.write(path)
            highs = solver(**options)
            highs.readModel(str(path))
            chosen = ones(highs)
            if chosen is None:
                break
            names = highs.getLp().col_names_
            options_ = [cover.option_number[names[column]] for column in chosen]
            found.add(tuple(sorted(options_)))
            model.forbid(options_, most=len(options_) - 1)
    expect(found)
    return len(found) + 1


def incremental(cover: calmip.ExactCover, **options: Any) -> int:
    """Keep one HiGHS object and add each row to it, without any file but the first."""
    found = set()
    highs = solver(**options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mps"
        build("matrix", cover).write(path)
        highs.readModel(str(path))
    while (chosen := ones(highs)) is not None:
        found.add(tuple(chosen))
        size = len(chosen)
        highs.addRow(-highs.inf, size - 1, size, chosen, [1.0] * size)
    expect(found)
    return len(found) + 1


def seconds_of(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def ours(cover: calmip.ExactCover, **settings: Any) -> int:
    search = NoGoodSearch(cover, **settings)
    expect(map(tuple, search))
    if not search.complete:
        raise SystemExit("the search did not end")
    return search.solves


def expect(found: Iterable[tuple[int, ...]]) -> None:
    number = len(set(found))
    if number != COUNT:
        raise SystemExit(f"{number} tilings were found, not {COUNT}")


PARTS: list[tuple[str, Callable[..., int], dict[str, Any]]] = [
    ("plain loop: row k-1, cold start, default options", plain, {}),
    ("plain, one HiGHS object, rows added", incremental, {}),
    ("plain, presolve off", plain, {"presolve": "off"}),
    ("plain, rows added, presolve off", incremental, {"presolve": "off"}),
    ("plain, written by PuLP", plain, {"formulation": "pulp"}),
    ("row k-1, no swaps", ours, {"cut": "k-1", "swaps": 0}),
    ("no swaps, k-2", ours, {"cut": "k-2", "swaps": 0}),
    ("swaps of 2, k-2", ours, {"cut": "k-2", "swaps": 2}),
    ("swaps of 4, k-2", ours, {"cut": "k-2", "swaps": 4}),
    ("swaps of 4, near", ours, {"swaps": 4}),
    ("swaps of 5, k-2", ours, {"cut": "k-2", "swaps": 5}),
    ("swaps of 5, near (default)", ours, {}),
    ("swaps of 6, near", ours, {"swaps": 6}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--parts", action="store_true")
    add_option(parser)
    options = parser.parse_args()
    cover = calmip.ExactCover(calmip.read_instance(PUZZLE, reveal=LABELS))
    ours(cover, swaps=6)  # loads or makes the compiled code
    print(f"{'':<34} {'no-good':>9}    {'plain':>9}      ratio")
    pairs = [
        (seconds_of(lambda: ours(cover)), seconds_of(lambda: plain(cover)))
        for _ in range(options.pairs)
    ]
    report(f"{PUZZLE} {LABELS}: {COUNT}", pairs)
    if options.parts:
        print()
        table = Table("no-good", ["", "solves", "seconds", "against the plain loop"])
        first = 0.0
        for name, work, settings in PARTS:
            started = time.process_time()
            solves = work(cover, **settings)
            seconds = time.process_time() - started
            first = first or seconds
            table.add(name, solves, f"{seconds:.2g}", f"{seconds / first:.2g}")
        if options.keep:
            table.keep("benchmarks.no_good")


if __name__ == "__main__":
    main()
