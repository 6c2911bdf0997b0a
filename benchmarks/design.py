"""Deciding the sets of a pool in one count after another, against counting each by itself.

    python -m benchmarks.design                 792 sets
    python -m benchmarks.design --hexominoes    27,720 sets, which takes a minute
    python -m benchmarks.design --workers 2

Prints processor seconds, which a busy machine does not change, and wall-clock
seconds. Of the sets by themselves a sample is counted, and compared.
"""

from __future__ import annotations

import argparse
import random
from time import perf_counter, process_time

import calmip
from calmip.design.piece_sets import SetJudge

SAMPLE = 20


def main() -> None:
    """Measure and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hexominoes", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    frame = calmip.read_board("a-puzzle-a-day")
    if given.hexominoes:
        pool = calmip.read_pool("pentominoes,hexominoes", frame, number=8)
    else:
        pool = calmip.read_pool("pentominoes", frame, number=8, required=["O6"])
    cpu, wall = process_time(), perf_counter()
    found = calmip.design(frame, pool, workers=given.workers)
    cpu, wall = process_time() - cpu, perf_counter() - wall
    print(f"{found.decided:,} sets, {len(found.working)} work: {cpu:.1f} s CPU, {wall:.1f} s")
    judge, known = SetJudge(frame, pool, 1), {one.numbers: one for one in found.sets}
    sample = random.Random(0).sample(sorted(known), SAMPLE)
    cpu = process_time()
    for numbers in sample:
        assert judge.alone(numbers) == known[numbers]
    each = (process_time() - cpu) / SAMPLE
    print(f"each by itself: {each:.3f} s CPU, so {each * pool.sets:,.0f} s for all; {SAMPLE} agree")


if __name__ == "__main__":
    main()
