"""The models that `benchmarks.pools` makes, drawn by a seed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import calmip
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model

__all__ = ["larger", "made", "written"]


def written(models: Iterable[tuple[str, Model]], folder: Path) -> Iterator[tuple[str, Path, Model]]:
    """Yield models as they are read from the files of a folder that they are written to."""
    for name, model in models:
        path = folder / f"{name}.mps"
        path.write_text(mps_text(model))
        yield name, path, calmip.read_model(path)


def made(seed: int) -> Iterator[tuple[str, Model]]:
    """Yield small models of six kinds."""
    draw = random.Random(seed)

    def number() -> float:
        return float(draw.randint(10, 99))

    inf = math.inf
    yield from (
        (
            "knapsack",
            Model.from_rows(
                [f"x{j}" for j in range(35)],
                [(f"r{i}", {j: number() for j in range(35)}, -inf, 700.0) for i in range(2)],
                [-number() for _ in range(35)],
            ),
        ),
        (
            "assignment",
            Model.from_rows(
                [f"x{i}_{j}" for i in range(7) for j in range(7)],
                [(f"row{i}", {7 * i + j: 1.0 for j in range(7)}, 1.0, 1.0) for i in range(7)]
                + [(f"col{j}", {7 * i + j: 1.0 for i in range(7)}, 1.0, 1.0) for j in range(7)],
                [float(draw.randint(1, 9)) for _ in range(49)],
            ),
        ),
        (
            "cover",
            Model.from_rows(
                [f"x{j}" for j in range(50)],
                [
                    (f"r{i}", dict.fromkeys(sorted(draw.sample(range(50), 6)), 1.0), 1.0, inf)
                    for i in range(35)
                ],
                [float(draw.randint(1, 5)) for _ in range(50)],
            ),
        ),
        (
            "integer-knapsack",
            Model.from_rows(
                [f"x{j}" for j in range(10)],
                [(f"r{i}", {j: number() for j in range(10)}, -inf, 500.0) for i in range(2)],
                [-number() for _ in range(10)],
                column_upper=np.full(10, 6.0),
            ),
        ),
        ("facility-location", facilities(draw)),
        ("calendar", calendar(draw)),
    )


def larger(seed: int) -> Iterator[tuple[str, Model]]:
    """Yield two models of each of seven kinds, whose trees have hundreds of relaxations."""
    draw = random.Random(seed)
    kinds = {
        "assignment": assignment,
        "knapsack": knapsack,
        "cover": cover,
        "packing": packing,
        "integer-knapsack": integer_knapsack,
        "lot-sizes": lot_sizes,
        "facility-location": lambda draw: facilities(draw, 20, 30),
    }
    for name, kind in kinds.items():
        for number in (1, 2):
            yield f"{name}-{number}", kind(draw)


def assignment(draw: random.Random, agents: int = 6, jobs: int = 36) -> Model:
    """Return a generalised assignment: each job to one agent, whose room is limited."""
    size = [[float(draw.randint(5, 25)) for _ in range(jobs)] for _ in range(agents)]
    rows = [(f"job{j}", {i * jobs + j: 1.0 for i in range(agents)}, 1.0, 1.0) for j in range(jobs)]
    rows += [
        (f"room{i}", {i * jobs + j: size[i][j] for j in range(jobs)}, -math.inf, room)
        for i, room in enumerate(float(int(0.8 * sum(one) / agents)) for one in size)
    ]
    names = [f"x{i}_{j}" for i in range(agents) for j in range(jobs)]
    return Model.from_rows(names, rows, [float(draw.randint(10, 50)) for _ in names])


def knapsack(draw: random.Random, columns: int = 45, rows: int = 6) -> Model:
    """Return a binary knapsack of several rows."""
    terms = [{j: float(draw.randint(10, 99)) for j in range(columns)} for _ in range(rows)]
    return Model.from_rows(
        [f"x{j}" for j in range(columns)],
        [
            (f"r{i}", one, -math.inf, float(int(sum(one.values()) / 2)))
            for i, one in enumerate(terms)
        ],
        [-float(draw.randint(40, 99)) for _ in range(columns)],
    )


def integer_knapsack(draw: random.Random, columns: int = 24, rows: int = 6) -> Model:
    """Return a knapsack of several rows, each column up to 6."""
    terms = [{j: float(draw.randint(10, 99)) for j in range(columns)} for _ in range(rows)]
    return Model.from_rows(
        [f"x{j}" for j in range(columns)],
        [(f"r{i}", one, -math.inf, 60.0 * columns) for i, one in enumerate(terms)],
        [-float(draw.randint(20, 99)) for _ in range(columns)],
        column_upper=np.full(columns, 6.0),
    )


def cover(draw: random.Random) -> Model:
    """Return a set cover."""
    return sets(draw, 110, 90, 1.0, (1.0, math.inf))


def packing(draw: random.Random) -> Model:
    """Return a set packing."""
    return sets(draw, 140, 120, -1.0, (-math.inf, 1.0))


def sets(
    draw: random.Random, columns: int, rows: int, sign: float, side: tuple[float, float]
) -> Model:
    """Return a model in which each row has six columns and the same bounds."""
    return Model.from_rows(
        [f"x{j}" for j in range(columns)],
        [
            (f"r{i}", dict.fromkeys(sorted(draw.sample(range(columns), 6)), 1.0), *side)
            for i in range(rows)
        ],
        [sign * draw.randint(10, 30) for _ in range(columns)],
    )


def lot_sizes(draw: random.Random, items: int = 4, periods: int = 10) -> Model:
    """Return lot sizes with set-ups, amounts and stocks, and a capacity of each period."""
    size = items * periods
    rows: list[tuple[str, dict[int, float], float, float]] = []
    for i in range(items):
        demand = [draw.randint(5, 30) for _ in range(periods)]
        for t in range(periods):
            setup, amount, stock = (k * size + i * periods + t for k in range(3))
            rows.append(
                (f"u{i}_{t}", {amount: 1.0, setup: -float(sum(demand[t:]))}, -math.inf, 0.0)
            )
            terms = {amount: 1.0, stock: -1.0, **({stock - 1: 1.0} if t else {})}
            rows.append((f"b{i}_{t}", terms, float(demand[t]), float(demand[t])))
    for t in range(periods):
        amounts = {size + i * periods + t: 1.0 for i in range(items)}
        rows.append((f"k{t}", amounts, -math.inf, 30.0 * items))
    return Model.from_rows(
        [f"{kind}{j}" for kind in "yxs" for j in range(size)],
        rows,
        [float(draw.randint(20, 90)) for _ in range(size)] + [0.0] * size + [1.0] * size,
        column_upper=np.array([1.0] * size + [math.inf] * 2 * size),
        integer=np.arange(3 * size) < size,
    )


def facilities(draw: random.Random, sites: int = 8, customers: int = 10) -> Model:
    """Return a capacitated facility location: binary sites, continuous flows."""
    names = [f"open{i}" for i in range(sites)]
    names += [f"flow{i}_{j}" for i in range(sites) for j in range(customers)]
    cost = [float(draw.randint(40, 90)) for _ in range(sites)]
    cost += [float(draw.randint(1, 20)) for _ in range(sites * customers)]
    demand = [float(draw.randint(5, 15)) for _ in range(customers)]

    def flow(i: int, j: int) -> int:
        return sites + customers * i + j

    rows = [
        (f"need{j}", {flow(i, j): 1.0 for i in range(sites)}, demand[j], demand[j])
        for j in range(customers)
    ]
    rows += [
        (f"room{i}", {i: -40.0, **{flow(i, j): 1.0 for j in range(customers)}}, -math.inf, 0.0)
        for i in range(sites)
    ]
    upper = [1.0] * sites + [d for _ in range(sites) for d in demand]
    return Model.from_rows(
        names, rows, cost, column_upper=np.array(upper), integer=np.arange(len(names)) < sites
    )


def calendar(draw: random.Random) -> Model:
    """Return the placements of a calendar puzzle with a random cost each."""
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    instance = calmip.Instance(puzzle, ("Oct", str(draw.randint(1, 31))))
    model = Model.from_cover(calmip.ExactCover(instance))
    return model.changed(cost=np.array([draw.randint(1, 20) for _ in model.columns], dtype=float))
