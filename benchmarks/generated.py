"""Solvers on generated instances: whether they agree, and how the families grow difficult.

    python -m benchmarks.generated agree --count 1000
    python -m benchmarks.generated curve --draws 5 --seconds 30

``agree`` draws instances of all families and answers and has four solvers solve each; every
solution is checked. It prints a table of those that ended, and each disagreement. ``curve``
prints the median CPU seconds of each solver by family and size; "-" where half of the draws did not
end in the seconds allowed, "unfit" where the solver or its licence refuses such models. Seconds are
CPU seconds without the start of the solver, as are those allowed.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections import Counter
from typing import Any

from calmip._base.errors import CalmipError
from calmip._base.files import encode
from calmip.bench.campaign.runner import Job, execute
from calmip.bench.random_families import FAMILIES, Drawn, Shape, draw
from calmip.bench.server import end_servers
from calmip.mip.files.model_files import model_parts
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.lattice import HEXAGONAL, SQUARE
from calmip.solvers.points import check_point

SOLVERS = ("highs", "cbc", "scip", "glpk")
"""The solvers that must agree."""

EVERY = (*SOLVERS, "cpsat", "gurobi")
"""The solvers of the curve."""

WALL_FACTOR = 20
"""The wall-clock limit of a run as a multiple of its CPU seconds: the machine may be busy."""

SIZES = {
    "tiling": (12, 16, 20, 25, 30),
    "weighted": (12, 16, 20, 24),
    "packing": (10, 13, 16),
    "choice": (1, 2),
    "arrangement": (3, 4, 5),
}
"""Sizes at which each solver ends in seconds."""

CURVE = {
    "tiling": (20, 30, 40, 50, 60, 80, 100, 120),
    "weighted": (20, 30, 40, 50, 60),
    "packing": (12, 16, 20, 24, 32, 40, 50),
    "choice": (1, 2, 4, 8),
    "arrangement": (4, 5, 6, 7, 8),
}


def model_of(one: Drawn) -> Model:
    """Return the model of an instance."""
    return Model.from_cover(one.model) if isinstance(one.model, ExactCover) else one.model


def run(model: Model, solver: str, seconds: float) -> tuple[str, float | None, float]:
    """Return what a solver says, the checked objective, and its CPU seconds."""
    data = b"".join(encode(model_parts(model, ".mps"), packed=False))
    job = Job(data=data, goal="solve", solver=solver, seconds=WALL_FACTOR * seconds, cpu=seconds)
    found = execute(job)
    answer: dict[str, Any] = found["answer"] or {}
    spent = (found["cpu"] or 0.0) - (found["start_cpu"] or 0.0)
    if "unfit" in answer:
        return "unfit", None, spent
    if spent > seconds:
        return "open", None, spent
    if answer.get("status") == Status.INFEASIBLE.value:
        return "inf", None, spent
    if answer.get("status") != Status.OPTIMAL.value:
        return "open", None, spent
    try:
        point = check_point(model, answer["values"], f"{solver} says optimal").point
    except CalmipError as error:
        return f"refused: {error}", None, spent
    every = dict.fromkeys(point, 1) if not isinstance(point, dict) else point
    return "opt", float(sum(model.costs.get(c, 0) * x for c, x in every.items())), spent


def fault(one: Drawn, said: str, value: float | None) -> bool:
    """Return whether an answer contradicts the known one."""
    word, known = one.known
    if said in ("open", "unfit"):
        return False
    if said.startswith("refused"):
        return True
    if word == "unkn":
        return False
    if (said == "inf") != (word == "inf"):
        return True
    if value is None or known is None:
        return False
    close = math.isclose(value, known, rel_tol=1e-6, abs_tol=1e-6)
    return not close if word == "opt" else value > known + 1e-6


def agree(count: int, seconds: float) -> int:
    """Print how many answers agree; return the number of those that do not."""
    ended: Counter[tuple[str, str]] = Counter()
    drawn: Counter[str] = Counter()
    faults = 0
    kinds = [
        (family, size, answer, lattice)
        for family, about in FAMILIES.items()
        for answer in about.answers
        for size in SIZES[family]
        for lattice in ((SQUARE, HEXAGONAL) if family != "arrangement" else (SQUARE,))
    ]
    for number in range(count):
        family, size, answer, lattice = kinds[number % len(kinds)]
        one = draw(family, Shape(size, (3, 5), lattice), answer, f"agree {number}")
        drawn[family, answer] += 1
        said = {solver: run(model_of(one), solver, seconds) for solver in SOLVERS}
        for solver, (word, value, _) in said.items():
            ended[f"{family} {answer}", solver] += word != "open"
            if fault(one, word, value):
                faults += 1
                print(family, size, answer, number, one.known, solver, word, value, flush=True)
        answers = {(word, value and round(value, 6)) for word, value, _ in said.values()}
        if len({pair for pair in answers if pair[0] != "open"}) > 1:
            faults += 1
            print("they differ:", family, size, answer, number, said, flush=True)
        if number % 50 == 49:
            print(f"{number + 1} of {count}", file=sys.stderr, flush=True)
    print(f"| family | answer | drawn | {' | '.join(SOLVERS)} |")
    print(f"|---|---|---:|{'---:|' * len(SOLVERS)}")
    for (family, answer), number in drawn.items():
        row = " | ".join(str(ended[f"{family} {answer}", solver]) for solver in SOLVERS)
        print(f"| {family} | {answer} | {number} | {row} |")
    print(f"{faults} disagreements")
    return faults


def curve(draws: int, seconds: float, only: str) -> None:
    """Print the median seconds by family and size."""
    print(f"| family | size | columns | {' | '.join(EVERY)} |")
    print(f"|---|---:|---:|{'---:|' * len(EVERY)}")
    for family, sizes in CURVE.items():
        if only not in family:
            continue
        given_up: dict[str, str] = {}
        for size in sizes:
            made = [draw(family, Shape(size), "feasible", f"curve {n}") for n in range(draws)]
            models = [model_of(one) for one in made]
            row = [family, str(size), str(round(statistics.median(len(m.columns) for m in models)))]
            for solver in EVERY:
                spent, words = [], set()
                for model in models if solver not in given_up else ():
                    said, _, used = run(model, solver, seconds)
                    words.add(said)
                    spent.append(used if said in ("opt", "inf") else math.inf)
                middle = statistics.median(spent) if spent else math.inf
                if math.isinf(middle):  # nor does it solve larger ones
                    given_up.setdefault(solver, "unfit" if "unfit" in words else "-")
                row.append(given_up.get(solver) or f"{middle:.2f}")
            print(f"| {' | '.join(row)} |", flush=True)


def main() -> None:
    """Run a part."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=["agree", "curve"])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each run")
    parser.add_argument("--only", default="", help="families with this in their name")
    given = parser.parse_args()
    try:
        if given.part == "curve":
            curve(given.draws, given.seconds, given.only)
        elif agree(given.count, given.seconds):
            sys.exit(1)
    finally:
        end_servers()


if __name__ == "__main__":
    main()
