"""The model files of the suite *hard*: the choice of pieces, and the arrangement of labels.

    python -m benchmarks.hard_models            writes calmip/bench/suites/models anew

Both families grow. ``design-N`` chooses seven of the twelve pentominoes so that N dates of
A-Puzzle-A-Day can be solved with them and the 2 x 3 rectangle, all at once
(`calmip.design.design`). ``rearrange-MxD`` arranges the first M months on their cells and
the first D days on theirs so that difficulty grows, as a quadratic assignment problem
that is made linear.

What ``known.solu`` says does not come from a solver of such models: that there is a set is known by
counting all sets, and the optimum of the second is the best of all orders of the
months, each with the best order of the days, which is an assignment problem.
"""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import numpy as np
import numpy.typing as npt

import calmip
from calmip import Model
from calmip._base.files import write_text
from calmip.mip.files.model_files import Known, solu_text
from calmip.mip.files.mps import mps_text
from calmip.models.choice import choice_model
from calmip.puzzle.dates import real_dates
from calmip.puzzle.search.exact_cover.counting import count_uncovered

FOLDER = Path(calmip.__file__).parent / "bench" / "suites" / "models"
DATES = ("04-06", "03-08", "12-24", "10-06", "02-24", "07-02", "11-06", "01-25")
"""The first four are those that most sets fail."""
DESIGNS = (4, 8)
ARRANGEMENTS = ((5, 10), (6, 12))

Cost = npt.NDArray[np.int64]


def design(number: int) -> Model:
    """Return the choice of pieces for the first dates of a year."""
    frame = calmip.read_board("a-puzzle-a-day")
    pool = calmip.read_pool("pentominoes", frame, number=8, required=["O6"])
    dates = real_dates(frame.groups)
    return choice_model(frame, pool, {name: [*dates[name].values()] for name in DATES[:number]})


def costs(months: int, days: int) -> Cost:
    """Return what it costs that month i on cell j and day k on cell n meet, shape (m, m, d, d).

    It is the square of how far the place of the pair of cells among all, ordered by
    their tilings, is from the place of the date in the year.
    """
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    cell = {label: cells[0] for label, cells in puzzle.board.labels.items()}
    counts = count_uncovered(puzzle, 2)
    pairs = product(puzzle.groups["month"][:months], puzzle.groups["day"][:days])
    numbers = [-counts[min(a, b), max(a, b)] for a, b in ((cell[m], cell[d]) for m, d in pairs)]
    place = np.argsort(np.argsort(numbers, kind="stable")).reshape(months, days)
    wanted = np.arange(months * days).reshape(months, days)
    cost: Cost = (place[None, :, None, :] - wanted[:, None, :, None]) ** 2
    return cost


def rearrangement(cost: Cost) -> Model:
    """Return the quadratic assignment of some costs, made linear as Adams and Johnson do.

    With x(i, j) = 1 if month i is on cell j, y(k, n) = 1 if day k is on cell l, and
    z(i, j, k, n) for their product: z sums to x over n for each k, and to y over j for each i.
    """
    m, d = cost.shape[0], cost.shape[2]
    x = np.arange(m * m).reshape(m, m)
    y = m * m + np.arange(d * d).reshape(d, d)
    z = m * m + d * d + np.arange(cost.size).reshape(cost.shape)
    rows: list[tuple[str, list[int], int | None]] = []
    for name, block in (("month", x), ("day", y)):
        rows += [(f"{name}{i}", line.tolist(), None) for i, line in enumerate(block)]
        rows += [(f"{name}_cell{i}", line.tolist(), None) for i, line in enumerate(block.T)]
    for i, j, k in product(range(m), range(m), range(d)):
        rows.append((f"x{i}_{j}_{k}", z[i, j, k].tolist(), int(x[i, j])))
    for i, k, n in product(range(m), range(d), range(d)):
        rows.append((f"y{i}_{k}_{n}", z[i, :, k, n].tolist(), int(y[k, n])))
    ends = np.array([1.0 if whole is None else 0.0 for _, _, whole in rows])
    index = [[*ones, *([] if whole is None else [whole])] for _, ones, whole in rows]
    value = [[*(1.0 for _ in o), *([] if whole is None else [-1.0])] for _, o, whole in rows]
    size = m * m + d * d
    return Model(
        columns=(
            *(f"x{i}_{j}" for i, j in np.ndindex(m, m)),
            *(f"y{k}_{n}" for k, n in np.ndindex(d, d)),
            *(f"z{i}_{j}_{k}_{n}" for i, j, k, n in np.ndindex(m, m, d, d)),
        ),
        rows=tuple(name for name, *_ in rows),
        start=np.cumsum([0, *map(len, index)], dtype=np.int32),
        index=np.concatenate(index).astype(np.int32),
        value=np.concatenate(value),
        lower=ends,
        upper=ends,
        cost=np.concatenate([np.zeros(size), cost.ravel().astype(float)]),
        name=f"rearrange-{m}x{d}",
    )


def least(cost: Cost) -> int:
    """Return the optimum: of every order of the months, with the best order of the days."""
    from calmip.design.rearrange import solve_assignment

    m, d = cost.shape[0], cost.shape[2]
    found = []
    for order in permutations(range(m)):
        days = cost[range(m), order].sum(axis=0)
        cells = solve_assignment(days.astype(float))
        found.append(int(days[range(d), cells].sum()))
    return min(found)


def main() -> None:
    """Write the files, and what is known of them."""
    frame = calmip.read_board("a-puzzle-a-day")
    pool = calmip.read_pool("pentominoes", frame, number=8, required=["O6"])
    assert calmip.design(frame, pool).working
    known: dict[str, Known] = {}
    FOLDER.mkdir(exist_ok=True)
    for number in DESIGNS:
        known[f"design-{number}"] = "feas", None
        write_text(FOLDER / f"design-{number}.mps.gz", [mps_text(design(number))])
    for months, days in ARRANGEMENTS:
        cost, name = costs(months, days), f"rearrange-{months}x{days}"
        known[name] = "opt", float(least(cost))
        write_text(FOLDER / f"{name}.mps.gz", [mps_text(rearrangement(cost))])
    write_text(FOLDER / "known.solu", [solu_text(known)])


if __name__ == "__main__":
    main()
