"""The greatest model for which each question about optima is answered within ten CPU seconds.

    python -m benchmarks.questions [--keep] [--seconds 10]

Models are random: a cover chooses among N binary columns, of which each of N/2 rows needs one of
three to five; a plan has N continuous variables and N/2 rows. N doubles from 20 on. Each
model is in a process of its own, whose imports are counted.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
from collections.abc import Callable

import calmip
from benchmarks.tables import Table, add_option
from calmip.mip import Model, read_arrays

MOST = 2560
"""The greatest size that is tried."""

SEEDS = 1
"""The models of each size."""


def cover(size: int, seed: int, *, infeasible: bool = False) -> Model:
    """Return a random set cover; the infeasible one may choose too few columns."""
    rng = random.Random(seed)
    rows = [dict.fromkeys(rng.sample(range(size), rng.randint(3, 5)), 1) for _ in range(size // 2)]
    cost = [rng.randint(3, 9) for _ in range(size)]
    lower: list[float] = [1] * len(rows)
    upper = [float("inf")] * len(rows)
    if infeasible:
        rows.append(dict.fromkeys(range(size), 1))
        lower.append(0)
        upper.append(size // 12)
    return read_arrays(
        c=cost, A=rows, row_lower=lower, row_upper=upper, upper=1, integrality=1, name="cover"
    )


def plan(size: int, seed: int) -> Model:
    """Return a random linear program: the most of some products within scarce resources."""
    rng = random.Random(seed)
    rows = [
        {column: rng.randint(1, 9) for column in rng.sample(range(size), min(size, 6))}
        for _ in range(size // 2)
    ]
    cost = [rng.randint(1, 5) for _ in range(size)]
    sides = [rng.randint(20, 90) for _ in rows]
    return read_arrays(c=cost, A=rows, row_upper=sides, upper=9, maximise=True, name="plan")


QUESTIONS: dict[str, tuple[str, Callable[[int, int], object]]] = {
    "one optimum, proved": ("solve(cover)", lambda n, s: calmip.solve(cover(n, s))),
    "is it the only one": ("unique(cover)", lambda n, s: calmip.unique(cover(n, s))),
    "which columns vary among the optima": (
        "unique(cover, ranges=True)",
        lambda n, s: calmip.unique(cover(n, s), ranges=True),
    ),
    "how many optima are there": (
        "enumerate(cover, optimal=True, count=True)",
        lambda n, s: calmip.enumerate(cover(n, s), optimal=True, count=True),
    ),
    "five optima that differ the most": (
        "enumerate(cover, optimal=True, diverse=5)",
        lambda n, s: calmip.enumerate(cover(n, s), optimal=True, diverse=5),
    ),
    "why infeasible": (
        "explain(cover)",
        lambda n, s: calmip.explain(cover(n, s, infeasible=True)),
    ),
    "is the optimum of the plan unique": (
        "unique(plan)",
        lambda n, s: calmip.unique(plan(n, s)),
    ),
    "its optimal face": (
        "unique(plan, vertices=True)",
        lambda n, s: calmip.unique(plan(n, s), vertices=True),
    ),
    "its exact duals and ranges": (
        "unique(plan, sensitivity=True)",
        lambda n, s: calmip.unique(plan(n, s), sensitivity=True),
    ),
}


def cpu_seconds(question: str, size: int, seed: int, limit: float) -> float | None:
    """Return the CPU seconds of a question, None if these are more than the limit."""
    command = [sys.executable, "-m", "benchmarks.questions", "--one", question]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))

    done = subprocess.run(
        [*command, "--size", str(size), "--seed", str(seed)],
        preexec_fn=bound,
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode > 0:
        raise SystemExit(f"{question}, {size}: {done.stderr[-2000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used if done.returncode == 0 else None


def main() -> None:
    """Measure all questions, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_option(parser)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--one", choices=QUESTIONS, help="answer one question in this process")
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.one:
        QUESTIONS[given.one][1](given.size, given.seed)
        return
    table = Table("questions", ["question", "call", "variables", "CPU seconds there"])
    for question, (call, _) in QUESTIONS.items():
        size, best = 20, (0, 0.0)
        while size <= MOST:
            times = [cpu_seconds(question, size, seed, given.seconds) for seed in range(SEEDS)]
            known = [one for one in times if one is not None]
            if len(known) < SEEDS:
                break
            best, size = (size, max(known)), size * 2
        more = " or more" if best[0] == MOST else ""
        table.add(question, f"`{call}`", f"{best[0]:,}{more}", f"{best[1]:.1f}")
    if given.keep:
        table.keep("benchmarks.questions")


if __name__ == "__main__":
    main()
